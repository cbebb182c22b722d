"""Proximity by leaf, and by the depth at which two rows separate in a tree.

A forest of 100 trees is fitted on half of the rows of a table. The proximity by leaf of two rows is
the fraction of the trees in which they share a leaf. That by depth is the mean over the trees of
the number of splits that send both to the same side before they separate, divided by the number of
splits on the longer of their two paths; it is 1 where they share a leaf. The other half of the rows
evaluates both: each of these rows is given the class of the row of the first half that is nearest
(the first of equals), and these rows are clustered by average linkage into as many clusters as
there are classes.

Writes `proximity_by_depth.csv`, a row for each of 20 splits, each table and each proximity: the
error of the nearest row, the adjusted Rand index of the clusters, and the fraction of the pairs of
rows of the two halves whose proximity is 0. Takes half a minute.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import train_test_split

from treelab.datasets import fetch_sonar

LOADERS = {
    "iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "sonar": fetch_sonar,
}  # fmt: skip
SPLITS = range(20)


def proximities(forest, X, Z):
    """Proximities of the rows of X and of Z, by leaf and by depth; dict of (n_X, n_Z) arrays."""
    by_leaf = (forest.apply(X)[:, None] == forest.apply(Z)[None]).mean(axis=2)
    by_depth = 0
    for tree in forest.estimators_:
        first, second = (tree.decision_path(rows).astype(float) for rows in (X, Z))
        lengths = [np.asarray(each.sum(axis=1)).ravel() - 1 for each in (first, second)]
        longer = np.maximum(lengths[0][:, None], lengths[1][None])
        common = (first @ second.T).toarray() - 1  # splits before they separate
        by_depth = by_depth + np.divide(common, longer, out=np.ones_like(longer), where=longer > 0)
    return {"leaf": by_leaf, "depth": by_depth / len(forest.estimators_)}


def one_split(name, split):
    """Two rows of the table; list of dict."""
    X, y = LOADERS[name](return_X_y=True)
    X, y = np.asarray(X, dtype=float), np.unique(y, return_inverse=True)[1]
    X, Z, y, z = train_test_split(X, y, test_size=0.5, stratify=y, random_state=split)
    forest = RandomForestClassifier(100, random_state=split).fit(X, y)
    rows = []
    for way, near in proximities(forest, Z, X).items():
        same = proximities(forest, Z, Z)[way]
        distance = squareform(1 - same, checks=False)
        clusters = fcluster(linkage(distance, "average"), len(np.unique(y)), "maxclust")
        first = {"table": name, "split": split, "proximity": way}
        error = np.mean(y[near.argmax(axis=1)] != z)
        rand = adjusted_rand_score(z, clusters)
        rows.append(first | {"error": error, "rand": rand, "zero": np.mean(near == 0)})
    return rows


if __name__ == "__main__":
    rows = [row for job in product(LOADERS, SPLITS) for row in one_split(*job)]
    path = Path(__file__).with_suffix(".csv")
    pd.DataFrame(rows).to_csv(path, index=False, float_format="%.6f")
