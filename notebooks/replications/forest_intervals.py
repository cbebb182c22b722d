"""How many new targets lie in a forest's 90 percent interval, by two ways to make one (chapter 10).

Set k: 300 rows of a wave whose noise grows with the only feature; 200 rows of Friedman's function
with noise of standard deviation 1 or, where the fourth feature is above 0.5, of 4; 900 red wines;
900 hours of bicycles. 500 new rows of each judge. Writes `forest_intervals.csv`: for each set and
leaf size the share of new targets inside, and the mean width, of the interval between the 0.05 and
0.95 quantiles of a quantile regression forest, and of that of 1.645 standard deviations of the
trees around their mean. Takes two minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import RandomForestRegressor
from treelab.datasets import fetch_bike_sharing, fetch_wine_quality, make_friedman1

N_NEW = 500


def weights(forest, X, X_new):
    """Weight of each training row in what the forest says of each new row; (n_new, n)."""
    leaves, new, total = forest.apply(X), forest.apply(X_new), 0
    for b, rows in enumerate(forest.estimators_samples_):
        shared = (new[:, [b]] == leaves[:, b]) * np.bincount(rows, minlength=len(X))
        total += shared / shared.sum(axis=1, keepdims=True)
    return total / len(forest.trees_)


def quantiles(weight, y, u):
    """The least target whose weights up to it add up to u; for each row of weights."""
    order = np.argsort(y)
    return y[order][(weight[:, order].cumsum(axis=1) < u - 1e-9).sum(axis=1)]


def fan(k):
    """X, y, X_new, y_new of a wave, its noise of standard deviation 0.1 + x."""
    rng = np.random.default_rng(k)
    for n in (300, N_NEW):
        x = rng.random(n)
        yield x[:, None]
        yield np.sin(2 * np.pi * x) + (0.1 + x) * rng.normal(size=n)


def two_noises(k):
    """X, y, X_new, y_new of Friedman's function, loud where the fourth feature is above 0.5."""
    rng = np.random.default_rng(k)
    for n in (200, N_NEW):
        X, level = make_friedman1(n, noise=0.0, random_state=int(rng.integers(2**31)))
        yield X
        yield level + np.where(X[:, 3] > 0.5, 4, 1) * rng.normal(size=n)


def some_rows(X, y, k):
    """X, y, X_new, y_new from one table."""
    rows = np.random.default_rng(k).permutation(len(y))[: 900 + N_NEW]
    X, y = np.asarray(X, dtype=float)[rows], np.asarray(y, dtype=float)[rows]
    return X[:900], y[:900], X[900:], y[900:]


def one_set(k):
    """A row for each data set and leaf size."""
    bikes, wine = fetch_bike_sharing(), fetch_wine_quality("red").frame.drop_duplicates()
    sets = {
        "wave": fan(k),
        "two noises": two_noises(k),
        "red wine": some_rows(wine.drop(columns="quality"), wine["quality"], k),
        "bicycles": some_rows(bikes.data, bikes.target, k),
    }
    rows = []
    for data, (X, y, X_new, y_new) in sets.items():
        for leaf in (1, 5, 20):
            forest = RandomForestRegressor(100, min_samples_leaf=leaf, random_state=k).fit(X, y)
            weight = weights(forest, X, X_new)
            mean, spread = forest.predict(X_new), np.sqrt(forest.prediction_variance(X_new))
            ends = {
                "quantiles": [quantiles(weight, y, u) for u in (0.05, 0.95)],
                "spread": [mean - 1.645 * spread, mean + 1.645 * spread],
            }
            row = {"set": k, "data": data, "leaf": leaf}
            for way, (low, high) in ends.items():
                row[f"{way}, inside"] = np.mean((low <= y_new) & (y_new <= high))
                row[f"{way}, width"] = np.mean(high - low)
            rows.append(row)
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_set(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
