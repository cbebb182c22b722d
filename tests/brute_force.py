"""CART in its plainest form: every cut of every node, every impurity from the rows themselves.

Nothing here comes from treelab. `grow` is the recursive algorithm in about twenty lines;
`every_cut` is the search that it rests on. Slow, and meant to be.
"""

from itertools import combinations

import numpy as np

TIE = 1e-9  # gains closer than this share of the node's impurity are equal


def weighted_median(y, w):
    """The smallest y with half of the weight at or below it; the mean of two on a draw."""
    order = np.argsort(y, kind="stable")
    y, below = y[order], np.cumsum(w[order])
    k = np.flatnonzero(below >= below[-1] / 2)[0]
    return (y[k] + y[k + 1]) / 2 if below[k] == below[-1] / 2 else y[k]


def impurity(y, w, criterion):
    """Impurity per unit of weight, straight from the definition."""
    if criterion == "squared_error":
        return np.average((y - np.average(y, weights=w)) ** 2, weights=w)
    if criterion == "absolute_error":
        return np.average(np.abs(y - weighted_median(y, w)), weights=w)
    p = np.array([w[y == k].sum() for k in np.unique(y)]) / w.sum()
    if criterion == "gini":
        return 1 - np.sum(p**2)
    if criterion == "entropy":
        return -np.sum(p * np.log2(p))
    return 1 - p.max()


def leaf_value(y, w, criterion, classes):
    """What a node predicts: shares of the classes, or a number."""
    if criterion == "squared_error":
        return np.array([np.average(y, weights=w)])
    if criterion == "absolute_error":
        return np.array([weighted_median(y, w)])
    return np.array([w[y == k].sum() for k in classes]) / w.sum()


def subsets(levels):
    """Every way to send some levels left; the first level always goes left."""
    first, *rest = levels
    return [{first, *more} for size in range(len(rest)) for more in combinations(rest, size)]


def every_cut(X, y, w, criterion, categorical=(), min_samples_leaf=1):
    """(feature, cut, rows that go left, gain) of each admissible cut, in the order of the search.

    The cut is a number, or a set of levels for the columns in `categorical`.
    """
    cuts = []
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        halfway = [(a + b) / 2 for a, b in zip(values[:-1], values[1:], strict=True)]
        for cut in subsets(values) if j in categorical else halfway:
            left = np.isin(X[:, j], list(cut)) if j in categorical else X[:, j] <= cut
            if min(left.sum(), (~left).sum()) >= min_samples_leaf:
                after = sum(
                    w[side].sum() * impurity(y[side], w[side], criterion) for side in (left, ~left)
                )
                gain = impurity(y, w, criterion) - after / w.sum()
                cuts.append((j, cut, left, gain))
    return cuts


def best_cut(cuts, scale):
    """The first cut whose gain is the greatest, equal gains being equal but for rounding."""
    greatest = max(gain for *_, gain in cuts)
    return next(cut for cut in cuts if cut[3] >= greatest - TIE * scale)


def grow(X, y, w, criterion, classes=None, depth=0, max_depth=np.inf, min_split=2, min_leaf=1):
    """List of nodes in preorder: (feature, cut, n_rows, weight, impurity, value)."""
    Q = impurity(y, w, criterion)
    node = (len(y), w.sum(), Q, leaf_value(y, w, criterion, classes))
    cuts = every_cut(X, y, w, criterion, min_samples_leaf=min_leaf)
    if np.all(y == y[0]) or depth >= max_depth or len(y) < min_split or not cuts:
        return [(-2, -2.0, *node)]
    j, cut, left, _ = best_cut(cuts, Q)
    below = [
        grow(
            X[side], y[side], w[side], criterion, classes, depth + 1, max_depth, min_split, min_leaf
        )
        for side in (left, ~left)
    ]
    return [(j, cut, *node), *below[0], *below[1]]
