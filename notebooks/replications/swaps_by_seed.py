"""How the ranking of the thesis' settings changes with the seed of the models (table B.3.2).

The hours of the bicycles, divided into thirds once, at random. Each setting of the standard grid
(tables 4.1.1 and 4.1.2) is fitted on the first third with scikit-learn, as the thesis does, and the
settings are ranked by their mean absolute error on the second. One tree has 81 settings and is run
as printed; forests and boosting have 32 with an eighth of the trees, 25 and 50 in place of 200 and
400. The smaller ensemble is the first half of the larger one.

Writes `swaps_by_seed.csv`, a row for each of 100 seeds and each model: the numbers of the settings,
the best first. What is there already is not done again. Takes 12 minutes.
"""

import sys
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from bicycles_end_to_end import GRIDS, KEYS, PUBLISHED, thirds, whole_table
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

RESULT = Path(__file__).with_suffix(".csv")
SEEDS, TREES, COLUMNS = range(100), (25, 50), ["model", "seed", "ranking"]


@cache
def division():
    """Features and target of the first and of the second third."""
    table = whole_table()
    learn, choose, _ = thirds(table, "random", 0)
    X, y = table[PUBLISHED].to_numpy(np.float32), table["cnt"].to_numpy(float)
    return X[learn], y[learn], X[choose], y[choose]


def predictions(model, seed, settings):
    """What the models of a setting predict for the second third: one, or by number of trees."""
    X, y, Z, _ = division()
    if model == "DTR":
        return [DecisionTreeRegressor(**settings, random_state=seed).fit(X, y).predict(Z)]
    if model == "RFR":
        forest = RandomForestRegressor(max(TREES), **settings, random_state=seed).fit(X, y)
        each = np.array([tree.predict(Z) for tree in forest.estimators_])
        return [each[:n].mean(axis=0) for n in TREES]
    boosted = GradientBoostingRegressor(n_estimators=max(TREES), **settings, random_state=seed)
    staged = list(boosted.fit(X, y).staged_predict(Z))
    return [staged[n - 1] for n in TREES]


def ranking(model, seed):
    """The numbers of the settings in the order of their errors, ties in the order of the grid."""
    errors = [
        np.mean(np.abs(division()[3] - predicted))
        for values in product(*GRIDS[model][:4])
        for predicted in predictions(model, seed, dict(zip(KEYS, values, strict=False)))
    ]
    return np.argsort(errors, kind="stable")


def main(most):
    """Make at most so many rows."""
    rows = pd.read_csv(RESULT) if RESULT.exists() else pd.DataFrame(columns=COLUMNS)
    done = set(zip(rows["model"], rows["seed"], strict=True))
    jobs = [*product(SEEDS, ["DTR"]), *product(SEEDS, ["RFR", "GBR"])]
    left = [(seed, model) for seed, model in jobs if (model, seed) not in done]
    for seed, model in left[:most]:
        text = " ".join(map(str, ranking(model, seed)))
        rows.loc[len(rows)] = [model, seed, text]
        rows.to_csv(RESULT, index=False)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
