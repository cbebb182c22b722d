"""Importances under the thesis' extended grid, on the bicycles' hours (figure B.2.2).

The thirds are draw 0 of `bicycles_end_to_end.py`, the target all rentals, the models scikit-learn's
with the random state 0, as in the thesis. One tree has all 2 592 settings of table 4.1.2, half of
them with random thresholds. Forests and boosting have the 256 settings of the other four
parameters, and 25 trees in place of 200 to 800. Settings that grow the same trees are fitted once:
a node is split only if it has twice the rows of a leaf.

Writes `extended_grid.csv`, a row for each setting: its values, whether it is one of the standard
grid (table 4.1.1), the mean absolute error on the last third, and the importances of the thirteen
features, of each tree first and then averaged over the trees, as scikit-learn 0.17 had it. Takes a
minute.
"""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from bicycles_end_to_end import EXTENDED, GRIDS, KEYS, PUBLISHED, thirds, whole_table
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

RESULT = Path(__file__).with_suffix(".csv")
TREES = 25
MODELS = {
    "DTR": (DecisionTreeRegressor, {}),
    "RFR": (RandomForestRegressor, {"n_estimators": TREES}),
    "GBR": (GradientBoostingRegressor, {"n_estimators": TREES}),
}


@cache
def division():
    """Features and target of the first and of the last third."""
    table = whole_table()
    learn, _, test = thirds(table, "random", 0)
    X, y = table[PUBLISHED].to_numpy(np.float32), table["cnt"].to_numpy(float)
    return X[learn], y[learn], X[test], y[test]


@cache
def fitted(kind, depth, features, split, leaf, splitter):
    """The test error of a setting, and its importances in one string."""
    X, y, Z, z = division()
    model, more = MODELS[kind]
    more = more | ({"splitter": splitter} if splitter else {})
    settings = dict(zip(KEYS, (depth, features, split, leaf), strict=False))
    model = model(**settings, **more, random_state=0).fit(X, y)
    trees = [model] if kind == "DTR" else np.ravel(model.estimators_)
    shares = np.mean([tree.tree_.compute_feature_importances() for tree in trees], axis=0)
    error = np.mean(np.abs(model.predict(Z) - z))
    return round(error, 3), " ".join(f"{share:.3f}" for share in shares)


def rows(kind):
    """A row for each setting of the extended grid."""
    standard = set(product(*GRIDS[kind][:4]))
    splitters = EXTENDED[kind][4] if kind == "DTR" else [""]
    for *values, splitter in product(*EXTENDED[kind][:4], splitters):
        depth, features, split, leaf = values
        found = fitted(kind, depth, features, max(split, 2 * leaf), leaf, splitter)
        inside = tuple(values) in standard and splitter in ("best", "")
        yield kind, *values, splitter, inside, *found


def main():
    """Write the table."""
    names = ["model", *KEYS[:4], "splitter", "standard", "test", "importance"]
    table = pd.DataFrame([row for kind in MODELS for row in rows(kind)], columns=names)
    table.astype({"max_depth": "Int64"}).to_csv(RESULT, index=False)


if __name__ == "__main__":
    main()
