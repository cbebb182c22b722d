"""Chapter 6: how often are two equally good methods told apart? About five minutes.

The target is x0 + x1 + noise, all three normal. Method A grows a tree on x0 alone, method B on
x1 alone: by symmetry neither is better. 1000 data sets of 90 rows are each judged in three
ways: 10 folds, 30 random splits of 60 and 30 rows, and 30 pairs of fresh sets of these sizes.
A row of `comparing_methods.csv` is one data set judged in one way: the mean and the standard
deviation of the differences of the squared errors, A less B.

    python notebooks/replications/comparing_methods.py
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, ShuffleSplit

from treelab import DecisionTreeRegressor

RESULT = Path(__file__).with_suffix(".csv")


def draw(n, rng):
    """A table of two features, and its target."""
    X = rng.normal(size=(n, 2))
    return X, X.sum(axis=1) + rng.normal(size=n)


def difference(X, y, X_test, y_test):
    """Mean squared error of a tree on feature 0, less that of a tree on feature 1."""
    errors = []
    for j in (0, 1):
        model = DecisionTreeRegressor(max_depth=2).fit(X[:, [j]], y)
        errors.append(np.mean((model.predict(X_test[:, [j]]) - y_test) ** 2))
    return errors[0] - errors[1]


def judged(seed):
    """One data set, judged in three ways."""
    rng = np.random.default_rng(seed)
    X, y = draw(90, rng)
    ways = {"10 folds": KFold(10), "30 splits": ShuffleSplit(30, test_size=30, random_state=seed)}
    found = {
        way: [difference(X[a], y[a], X[b], y[b]) for a, b in cv.split(X)]
        for way, cv in ways.items()
    }
    found["30 fresh sets"] = [difference(*draw(60, rng), *draw(30, rng)) for _ in range(30)]
    for way, d in found.items():
        yield {"seed": seed, "way": way, "mean": np.mean(d), "sd": np.std(d, ddof=1)}


def data_sets(seeds):
    """All rows of some data sets, as they stand in the CSV."""
    return pd.DataFrame([row for seed in seeds for row in judged(seed)]).round(4)


if __name__ == "__main__":
    data_sets(range(1000)).to_csv(RESULT, index=False)
