"""Right answers and typical mistakes for the coded exercises of the chapter on reading a tree."""

from bisect import bisect_left

import numpy as np

from treelab.drawing import leaf_boxes

# --- reading-2: if-statements


def rentals_nested(temp):
    if temp <= 9.5:
        return 676 if temp <= 6 else 913
    return 1828.6 if temp <= 30 else 731.5


def rentals_by_bisection(temp):
    return (676.0, 913.0, 1828.6, 731.5)[bisect_left((6, 9.5, 30), temp)]


def rentals_strict(temp):
    if temp < 9.5:
        return 676 if temp < 6 else 913
    return 1828.6 if temp < 30 else 731.5


def rentals_rounded(temp):
    return float(f"{rentals_nested(temp):.0f}")


def rentals_swapped(temp):
    if temp <= 9.5:
        return 913 if temp <= 6 else 676
    return 1828.6 if temp <= 30 else 731.5


# --- reading-3: the leaf of one row


def leaf_by_loop(tree, x):
    t = 0
    while tree.children_left[t] != -1:
        if x[tree.feature[t]] <= tree.threshold[t]:
            t = tree.children_left[t]
        else:
            t = tree.children_right[t]
    return t


def leaf_by_recursion(tree, x, t=0):
    if tree.feature[t] < 0:
        return int(t)
    side = tree.children_left if x[tree.feature[t]] <= tree.threshold[t] else tree.children_right
    return leaf_by_recursion(tree, x, side[t])


def leaf_strict(tree, x, t=0):
    if tree.feature[t] < 0:
        return t
    side = tree.children_left if x[tree.feature[t]] < tree.threshold[t] else tree.children_right
    return leaf_strict(tree, x, side[t])


def leaf_swapped(tree, x, t=0):
    if tree.feature[t] < 0:
        return t
    side = tree.children_right if x[tree.feature[t]] <= tree.threshold[t] else tree.children_left
    return leaf_swapped(tree, x, side[t])


def leaf_value(tree, x):
    return tree.value[leaf_by_loop(tree, x), 0, 0]


def leaf_one_step(tree, x):
    if tree.feature[0] < 0:
        return 0
    left = x[tree.feature[0]] <= tree.threshold[0]
    return (tree.children_left if left else tree.children_right)[0]


def leaf_neighbors(tree, x):
    t = 0
    while tree.children_left[t] != -1:  # takes t + 2 for the right child
        t = t + 1 if x[tree.feature[t]] <= tree.threshold[t] else t + 2
    return t


# --- reading-5: the box of a node


def box_of_all(tree, t, p):
    lower, upper = leaf_boxes(tree, p)
    return lower[t], upper[t]


def box_upwards(tree, t, p, tighter=(max, min)):
    lower, upper = [-np.inf] * p, [np.inf] * p
    while t != 0:
        up = next(
            u
            for u in range(tree.node_count)
            if t in (tree.children_left[u], tree.children_right[u])
        )
        j, s = tree.feature[up], tree.threshold[up]
        if tree.children_left[up] == t:
            upper[j] = tighter[1](upper[j], s)
        else:
            lower[j] = tighter[0](lower[j], s)
        t = up
    return lower, upper


def box_overwritten(tree, t, p):
    def take(_, s):
        return s

    return box_upwards(tree, t, p, (take, take))


def box_turned(tree, t, p):
    return box_upwards(tree, t, p)[::-1]


def box_finite(tree, t, p):
    return [np.nan_to_num(end, neginf=0.0, posinf=9.0) for end in box_upwards(tree, t, p)]


def box_of_parent(tree, t, p):
    up = np.flatnonzero((tree.children_left == t) | (tree.children_right == t))
    return box_upwards(tree, int(up[0]) if len(up) else 0, p)


# --- reading-6: all rows at once


def leaves_by_rounds(tree, X):
    t = np.zeros(len(X), dtype=int)
    while (tree.children_left[t] != -1).any():
        inner = tree.children_left[t] != -1
        at = t[inner]
        left = X[inner, tree.feature[at]] <= tree.threshold[at]
        t[inner] = np.where(left, tree.children_left[at], tree.children_right[at])
    return t


def leaves_by_nodes(tree, X):
    leaf = np.zeros(len(X), dtype=int)
    for t in range(len(tree.children_left)):
        here = np.flatnonzero(leaf == t)
        if tree.children_left[t] != -1:
            left = X[here, tree.feature[t]] <= tree.threshold[t]
            leaf[here] = np.where(left, tree.children_left[t], tree.children_right[t])
    return leaf


def leaves_row_by_row(tree, X):
    return np.array([leaf_by_loop(tree, x) for x in X])


def leaves_strict(tree, X):
    leaf = np.zeros(len(X), dtype=int)
    for t in range(len(tree.children_left)):
        here = np.flatnonzero(leaf == t)
        if tree.children_left[t] != -1:
            left = X[here, tree.feature[t]] < tree.threshold[t]
            leaf[here] = np.where(left, tree.children_left[t], tree.children_right[t])
    return leaf


def leaves_one_round(tree, X):
    t = np.zeros(len(X), dtype=int)
    if tree.children_left[0] == -1:
        return t
    left = X[:, tree.feature[0]] <= tree.threshold[0]
    return np.where(left, tree.children_left[0], tree.children_right[0])


def leaves_of_one(tree, X):
    return np.atleast_1d(leaf_by_loop(tree, X[0]))


# --- reading-7: shares from the rows


def shares_by_loop(model, X, y, x):
    inside = model.apply(X) == model.apply([x])[0]
    return [np.mean(y[inside] == k) for k in model.classes_]


def shares_by_bincount(model, X, y, x):
    inside = model.apply(X) == model.apply(x.reshape(1, -1))
    counts = np.bincount(np.searchsorted(model.classes_, y[inside]), minlength=len(model.classes_))
    return counts / counts.sum()


def shares_as_counts(model, X, y, x):
    return np.array(shares_by_loop(model, X, y, x)) * np.sum(model.apply(X) == model.apply([x]))


def shares_of_everything(model, X, y, x):
    return [np.mean(y == k) for k in model.classes_]


def shares_of_present(model, X, y, x):
    inside = model.apply(X) == model.apply([x])
    return np.unique(y[inside], return_counts=True)[1] / inside.sum()


def shares_of_classes(model, X, y, x):
    inside = model.apply(X) == model.apply([x])
    return [np.mean(inside[y == k]) for k in model.classes_]


def shares_over_all(model, X, y, x):
    return shares_as_counts(model, X, y, x) / len(y)


def shares_as_majority(model, X, y, x):
    return (model.classes_ == model.predict([x])).astype(float)


CORRECT = {
    "reading-2": [rentals_nested, rentals_by_bisection],
    "reading-3": [leaf_by_loop, leaf_by_recursion],
    "reading-5": [box_of_all, box_upwards],
    "reading-6": [leaves_by_rounds, leaves_by_nodes],
    "reading-7": [shares_by_loop, shares_by_bincount],
}
WRONG = {
    "reading-2": [
        (rentals_strict, "includes equal"),
        (rentals_rounded, "without rounding"),
        (rentals_swapped, "the path is [0, 1, 2] and the prediction 676"),
    ],
    "reading-3": [
        (leaf_strict, "goes left"),
        (leaf_swapped, "yes goes left"),
        (leaf_value, "number of the leaf"),
        (leaf_one_step, "stop before the leaf"),
        (leaf_neighbors, "takes the path"),
    ],
    "reading-5": [
        (box_overwritten, "the tighter one"),
        (box_turned, "first the lower ends"),
        (box_finite, "-inf or inf"),
        (box_of_parent, "too large"),
    ],
    "reading-6": [
        (leaves_row_by_row, "all rows at once"),
        (leaves_strict, "goes left"),
        (leaves_one_round, "stop before the leaf"),
        (leaves_of_one, "one leaf for each row"),
    ],
    "reading-7": [
        (shares_as_counts, "these are counts"),
        (shares_of_everything, "among all rows"),
        (shares_of_present, "one share for each"),
        (shares_of_classes, "how much of the leaf"),
        (shares_over_all, "not by all rows"),
        (shares_as_majority, "majority class"),
    ],
}
