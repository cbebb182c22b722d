"""What lending costs, in 20 divisions of the applicants instead of three (chapter 12).

Division k: 600 applicants to learn from and 400 to decide on. To accept a bad one costs 5, to
reject a good one 1. Writes `lenders.csv`: the mean cost of an applicant for a forest and for
boosting, at the thresholds one half and one sixth, and for accepting or rejecting everybody.
Takes a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import GradientBoostingClassifier, RandomForestClassifier
from treelab.datasets import fetch_german_credit


def cost(is_bad, reject):
    """Mean cost of an applicant."""
    return np.mean(np.where(is_bad == 1, 5 * ~reject, reject))


def one_division(k):
    """One row."""
    credit = fetch_german_credit()
    bad = (credit.target == "bad").to_numpy().astype(int)
    order = np.random.default_rng(k).permutation(1000)
    train, test = order[:600], order[600:]
    row = {"division": k}
    row["accept all"] = cost(bad[test], np.zeros(400, dtype=bool))
    row["reject all"] = cost(bad[test], np.ones(400, dtype=bool))
    models = {
        "forest": RandomForestClassifier(100, min_samples_leaf=3, random_state=k),
        "boosting": GradientBoostingClassifier(
            n_estimators=60, split_search="histogram", random_state=k
        ),
    }
    for name, model in models.items():
        model.fit(credit.data.iloc[train], bad[train])
        p = model.predict_proba(credit.data.iloc[test])[:, 1]
        row[f"{name}, 1/2"] = cost(bad[test], p > 1 / 2)
        row[f"{name}, 1/6"] = cost(bad[test], p > 1 / 6)
    return pd.DataFrame([row])


if __name__ == "__main__":
    table = pd.concat([one_division(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
