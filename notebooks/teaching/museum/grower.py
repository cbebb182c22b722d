"""A tree as a student writes it: the code on show in the room of growth, and in that of forests.

Vocabulary
----------
y : targets (n, K): one column of numbers, or an indicator column for each class
w : weights (n,)
tree : a dict of `value` (K,) and, where a question is asked, `feature`, `threshold`, `left` and
    `right`
"""

from itertools import pairwise

import numpy as np

TINY = 1e-10


def spread(y, w):
    """Mean squared distance from the mean; of indicators of classes that is the Gini impurity."""
    away = y - w @ y / w.sum()
    return w @ np.sum(away * away, axis=1) / w.sum()


def bits(y, w):
    """Entropy of indicators of classes."""
    p = w @ y / w.sum()
    return -np.sum(p * np.log2(np.where(p > 0, p, 1)))


def midpoint(low, high):
    """Halfway between two values."""
    return low / 2 + high / 2


def gain(y, w, left, Q):
    """Impurity of a node less the mean impurity of its sides; `left` says who goes left."""
    share = w[left].sum() / w.sum()
    return Q(y, w) - share * Q(y[left], w[left]) - (1 - share) * Q(y[~left], w[~left])


def weights(w, n):
    """The weights of n rows; 1 for each where none are given."""
    return np.ones(n) if w is None else np.asarray(w, dtype=float)


def cuts(x, y, w=None, Q=spread, min_leaf=1):
    """Threshold, gain and left side of every cut that leaves both sides enough rows."""
    w = weights(w, len(y))
    found = []
    for low, high in pairwise(np.unique(x)):
        left = x <= low
        if min(left.sum(), (~left).sum()) >= min_leaf:
            found.append((midpoint(low, high), gain(y, w, left, Q), left))
    return found


def best_cut(X, y, w, Q, min_leaf=1, features=None):
    """(gain, feature, threshold, left side) of the first of the best cuts; None without any."""
    features = range(X.shape[1]) if features is None else features
    found = [(g, j, s, left) for j in features for s, g, left in cuts(X[:, j], y, w, Q, min_leaf)]
    best = max((g for g, *_ in found), default=0.0)
    return next((cut for cut in found if cut[0] >= best - TINY * Q(y, w)), None)


def grow(X, y, w=None, Q=spread, max_depth=99, min_leaf=1, least=0.0, tries=None, depth=0, W=None):
    """A tree. `least` is the smallest decrease, as a share of the weight W of the root, and
    `tries` yields the features of each node.
    """
    w = weights(w, len(y))
    W = w.sum() if W is None else W
    tree = {"value": np.average(y, axis=0, weights=w)}
    if depth == max_depth or Q(y, w) < TINY:
        return tree
    cut = best_cut(X, y, w, Q, min_leaf, None if tries is None else next(tries))
    if cut is None:
        return tree
    decrease, j, threshold, left = cut
    if w.sum() / W * decrease < least - TINY:
        return tree
    below = [
        grow(X[side], y[side], w[side], Q, max_depth, min_leaf, least, tries, depth + 1, W)
        for side in (left, ~left)
    ]
    return tree | {"feature": j, "threshold": threshold, "left": below[0], "right": below[1]}


def predict(tree, X):
    """The value of the leaf of every row; (n_rows, K)."""
    if "feature" not in tree:
        return np.tile(tree["value"], (len(X), 1))
    left = X[:, [tree["feature"]]] <= tree["threshold"]
    return np.where(left, predict(tree["left"], X), predict(tree["right"], X))


def leaves(tree):
    """Number of leaves."""
    return leaves(tree["left"]) + leaves(tree["right"]) if "feature" in tree else 1
