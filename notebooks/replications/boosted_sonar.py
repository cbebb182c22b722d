"""AdaBoost on mines and rocks, in 50 splits instead of one (chapter 11).

Split k: 124 echoes to learn from and 84 to test on; split 0 is the chapter's. Writes
`boosted_sonar.csv`: the test error of a stump, of AdaBoost after some numbers of rounds, with
weights and with drawn samples, and of a forest; the first round without a training error, and
the least margin in training after rounds 20 and 200. Takes a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from treelab import AdaBoostClassifier, RandomForestClassifier
from treelab.datasets import fetch_sonar

ROUNDS = (20, 50, 100, 200)


def least_margins(model, X, y):
    """Least margin after each round; (n_rounds,)."""
    sign = np.where(y == model.classes_[1], 1, -1)
    said = [np.where(m.predict(X) == model.classes_[1], 1, -1) for m in model.estimators_]
    votes = model.estimator_weights_[:, None] * said * sign
    return (votes.cumsum(axis=0) / model.estimator_weights_.cumsum()[:, None]).min(axis=1)


def one_split(k):
    """One row."""
    sonar = fetch_sonar()
    X, Z, y, z = train_test_split(
        sonar.data.to_numpy(),
        sonar.target.to_numpy(),
        test_size=0.4,
        random_state=k,
        stratify=sonar.target,
    )
    model = AdaBoostClassifier(n_estimators=200).fit(X, y)
    test = 1 - np.array(list(model.staged_score(Z, z)))
    training = 1 - np.array(list(model.staged_score(X, y)))
    drawn = AdaBoostClassifier(n_estimators=100, resample=True, random_state=k).fit(X, y)
    forest = RandomForestClassifier(100, random_state=k).fit(X, y)
    row = {"split": k, "stump": test[0]} | {f"{m} rounds": test[m - 1] for m in ROUNDS}
    row |= {"100 rounds, drawn": 1 - drawn.score(Z, z), "forest": 1 - forest.score(Z, z)}
    margin = least_margins(model, X, y)
    row |= {"first_without_error": int(np.argmax(training == 0)) + 1, "training_20": training[19]}
    return pd.DataFrame([row | {"margin_20": margin[19], "margin_200": margin[199]}])


if __name__ == "__main__":
    table = pd.concat([one_split(k) for k in range(50)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
