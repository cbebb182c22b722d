"""White wines with and without the repeated rows: the local methods and one forest.

Of the 4 898 white wines 937 repeat an earlier row in all eleven measurements and in the quality, so
that a random test row often stands among the training rows, too. Here the test errors are computed
with all rows and with every row once. The rest is as in `local_importance.py`, study `prediction`,
setting `white wine`: five columns of noise, the same in all replicates; three quarters of the rows
to train, the others to test; replicate r has the seed r, for the division and for the fits. By
default forests of depth 10, up to five bins and eight clusters; updated: depth 5, two bins of two
clusters. One forest has as many trees as all clusters together.

Writes `repeated_wines.csv`. Takes about three minutes. Columns: wines, all or once; setting,
default or updated; replicate; method, LPSC, LPUC, forest or mean, the mean of the training targets;
test, the mean squared error of the test rows.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import pairwise_distances_argmin

from treelab import RandomForestRegressor
from treelab.datasets import fetch_wine_quality
from treelab.fast.selection import LocalClusterRegressor

RESULT = Path(__file__).with_suffix(".csv")
SETTINGS = {"default": (10, {}), "updated": (5, {"n_bins": 2, "max_clusters": 2})}
REPLICATES = 10


def white_wines(wines):
    """Measurements with five columns of noise, and qualities; of all rows, or of each row once."""
    frame = fetch_wine_quality("white").frame
    if wines == "once":
        frame = frame.drop_duplicates()
    noise = np.random.default_rng(0).normal(size=(len(frame), 5))
    X = np.column_stack([frame.drop(columns="quality"), noise])
    return X, frame["quality"].to_numpy(float)


def forest(n_trees, max_depth, seed=None):
    """A forest with a third of the columns as candidates of a node."""
    return RandomForestRegressor(
        n_trees, max_depth=max_depth, max_features=1 / 3, random_state=seed
    )


def errors(wines, setting, replicate):
    """The test error of every method in one division of the wines."""
    X, y = white_wines(wines)
    order = np.random.default_rng(replicate).permutation(len(y))
    train, test = np.split(order, [3 * len(y) // 4])
    depth, bins = SETTINGS[setting]
    local = LocalClusterRegressor(forest(100, depth), random_state=replicate, **bins)
    local.fit(X[train], y[train])
    nearest = pairwise_distances_argmin(local.scaler_.transform(X[test]), local.centers_)
    one = forest(100 * len(local.regressors_), depth, replicate).fit(X[train], y[train])
    predicted = {
        "LPSC": local.predict(X[test]),
        "LPUC": local.predict_from(X[test], nearest),
        "forest": one.predict(X[test]),
        "mean": y[train].mean(),
    }
    return {method: np.mean((values - y[test]) ** 2) for method, values in predicted.items()}


def rows_of(wines, setting, replicate):
    """The rows of one division, as they stand in the file."""
    where = {"wines": wines, "setting": setting, "replicate": replicate}
    found = errors(wines, setting, replicate)
    return pd.DataFrame([
        where | {"method": method, "test": round(error, 5)} for method, error in found.items()
    ])  # fmt: skip


def main():
    """All divisions with both settings, of all wines and of each wine once."""
    tables = [
        rows_of(wines, setting, replicate)
        for wines in ("once", "all")
        for setting in SETTINGS
        for replicate in range(REPLICATES)
    ]
    pd.concat(tables).to_csv(RESULT, index=False)


if __name__ == "__main__":
    main()
