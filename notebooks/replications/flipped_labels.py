"""AdaBoost under label noise, in 20 splits instead of three (chapter 11).

Split k: half of the 569 tumors to learn from, the others to test on. A share of the training
labels is flipped; the test labels are left alone. Writes `flipped_labels.csv`: for each split
and share the test errors of AdaBoost at two learning rates after 10 and 100 rounds and of a
forest, and the weight that the flipped cases have in the last round. Takes two minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treelab import AdaBoostClassifier, RandomForestClassifier
from treelab.fast.boosting import boosting_table


def one_split(k):
    """A row for each share of flipped labels."""
    tumors, benign = load_breast_cancer(return_X_y=True)
    X, Z, y, z = train_test_split(tumors, benign, test_size=0.5, random_state=k, stratify=benign)
    rows = []
    for share in (0, 0.1, 0.2, 0.3):
        flipped = np.random.default_rng(k).random(len(y)) < share
        noisy = np.where(flipped, 1 - y, y)
        row = {"split": k, "share": share, "flipped": flipped.mean()}
        for rate in (0.1, 1.0):
            model = AdaBoostClassifier(n_estimators=100, learning_rate=rate).fit(X, noisy)
            error = 1 - np.array(list(model.staged_score(Z, z)))
            row |= {f"rate {rate:g}, 10": error[9], f"rate {rate:g}, 100": error[-1]}
        last = boosting_table(model, X, noisy).query("round == round.max()")
        row["their weight"] = last["weight"][flipped.tolist()].sum()
        forest = RandomForestClassifier(100, random_state=k).fit(X, noisy)
        rows.append(row | {"forest": 1 - forest.score(Z, z)})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_split(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
