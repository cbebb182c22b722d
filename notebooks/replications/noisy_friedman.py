"""Shrinkage, subsampling and early stopping on 20 training sets instead of one (chapter 12).

Set k: 200 cases to learn from and 1000 to test on, Friedman's function with noise of standard
deviation 2. Set 0 is the chapter's. Writes `noisy_friedman.csv`: for each set and each setting
the best round, the test error there and after the last round; with subsampling also how many
rounds the cases out of bag call for, by `oob_improvement_` and by the gain of each tree on
cases outside its bag. Takes a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import GradientBoostingRegressor
from treelab.datasets import make_friedman1
from treelab.fast.boosting.rounds import draw_without_replacement

SETTINGS = {
    "rate 1": {"learning_rate": 1.0},
    "rate 0.3": {"learning_rate": 0.3},
    "rate 0.1": {},
    "rate 0.03": {"learning_rate": 0.03, "n_estimators": 600},
    "half of the cases": {"subsample": 0.5},
    "early stop": {"n_iter_no_change": 10},
}


def rounds_that_help(model, X, y, seed):
    """Round after which trees no longer help the cases outside their bags."""
    rng, n, gains = np.random.RandomState(seed), len(y), []
    F = np.full(n, model.start_)
    for G in model.staged_predict(X):
        out = ~draw_without_replacement(rng, n, n // 2)
        rng.randint(2**31 - 1)  # the seed of the round's tree
        gains.append(np.mean((y - F)[out] ** 2) - np.mean((y - G)[out] ** 2))
        F = G
    return int(np.cumsum(gains).argmax()) + 1


def one_set(k):
    """A row for each setting."""
    X, y = make_friedman1(200, noise=2.0, random_state=2 * k)
    Z, z = make_friedman1(1000, noise=2.0, random_state=2 * k + 1)
    rows = []
    for name, setting in SETTINGS.items():
        model = GradientBoostingRegressor(**{"n_estimators": 300, **setting}, random_state=k)
        model.fit(X, y)
        path = [np.mean((p - z) ** 2) for p in model.staged_predict(Z)]
        row = {"set": k, "setting": name, "best_round": int(np.argmin(path)) + 1}
        row |= {"best": min(path), "last": path[-1], "rounds": model.n_estimators_}
        if "subsample" in setting:
            row["by_oob_improvement"] = int(np.cumsum(model.oob_improvement_).argmax()) + 1
            row["by_gain_outside"] = rounds_that_help(model, X, y, k)
        rows.append(row)
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_set(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
