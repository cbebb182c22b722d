"""Candidates drawn at every node or once for a tree, at every m (chapter 10).

Set k: 200 rows of Friedman's function to learn from, 1000 to test on. Both kinds of forest have 50
of scikit-learn's trees, each from a bootstrap sample. Writes `once_for_a_tree.csv`: for each set
and m the squared errors of both. Takes half a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from treelab.datasets import make_friedman1


def once_for_a_tree(X, y, Z, m, seed):
    """What 50 trees predict for the rows of Z on average; each knows m columns."""
    rng, total = np.random.default_rng(seed), 0
    for _ in range(50):
        columns = rng.choice(X.shape[1], m, replace=False)
        rows = rng.integers(len(X), size=len(X))
        tree = DecisionTreeRegressor(random_state=0).fit(X[rows][:, columns], y[rows])
        total += tree.predict(Z[:, columns])
    return total / 50


def one_set(k):
    """A row for each m."""
    X, y = make_friedman1(200, random_state=k)
    Z, z = make_friedman1(1000, random_state=100 + k)
    rows = []
    for m in range(1, 11):
        forest = RandomForestRegressor(50, max_features=m, random_state=k).fit(X, y)
        said = {"every node": forest.predict(Z), "once for a tree": once_for_a_tree(X, y, Z, m, k)}
        rows.append({"set": k, "m": m} | {kind: np.mean((p - z) ** 2) for kind, p in said.items()})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_set(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
