"""Losses under spoiled targets, on 20 training sets instead of one (chapter 12).

Set k: 300 cases of Friedman's function with noise of standard deviation 1; each target has a
chance of one tenth to be spoiled by adding 50 or 100. Set 0 is the chapter's. Writes
`spoiled_targets.csv`: for each set and each loss the mean miss of the true function on 1000
cases, learned from clean and from spoiled targets. Takes half a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import GradientBoostingRegressor
from treelab.datasets import make_friedman1

LOSSES = {
    "squared_error": {},
    "absolute_error": {"loss": "absolute_error"},
    "huber, 0.9": {"loss": "huber"},
    "huber, 0.7": {"loss": "huber", "alpha": 0.7},
}


def one_set(k):
    """A row for each loss."""
    X, y = make_friedman1(300, noise=1.0, random_state=2 * k)
    Z, truth = make_friedman1(1000, noise=0.0, random_state=2 * k + 1)
    rng = np.random.default_rng(k)
    hit = rng.random(300) < 0.1
    spoiled = np.where(hit, y + rng.choice([50, 100], 300), y)
    rows = []
    for name, setting in LOSSES.items():
        row = {"set": k, "loss": name, "hit": hit.sum()}
        for kind, target in (("clean", y), ("spoiled", spoiled)):
            model = GradientBoostingRegressor(**setting).fit(X, target)
            row[kind] = np.mean(np.abs(model.predict(Z) - truth))
        rows.append(row)
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_set(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
