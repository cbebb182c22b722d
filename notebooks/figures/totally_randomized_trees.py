"""Importance in totally randomized trees: the sources of the information about the class.

Every test splits a feature into all its values, the feature is drawn at random among those not
tested yet, and the trees grow until all are tested. With infinitely many such trees the mean
decrease in entropy of a feature m is a weighted sum of what it tells about the class beyond each
subset B of the others, k in number; the importances add up to what all together tell.
"""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from treelab.fast.information import class_entropy, read_levels

__all__ = ["mutual_information_decomposition", "totally_randomized_importance"]

MOST_FEATURES = 15  # 2 ** 15 subsets
MOST_NODES = 2_000_000


def mutual_information_decomposition(X, y):
    """Decompose the importance in infinitely many totally randomized trees by subset size.

    The rows are taken for the population: a feature that is independent of the class has 0 only
    where it is so in these rows.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        At most 15 features (else a ValueError); every distinct value is a level.
    y
        As in `treelab.fast.information.conditional_mutual_information`.

    Returns
    -------
    DataFrame of shape (n_features, n_features)
        One row for each feature j; column k holds
        ``sum over J of size k of I(X_j; Y | J) / (C(d, k) (d - k))``. The sum of a row is the
        importance of the feature, the sum of all I(X_1, ..., X_p; Y).

    References
    ----------
    Louppe, Wehenkel, Sutera and Geurts (2013), Understanding variable importances in forests of
    randomized trees, theorems 1 and 2; Louppe (2014), chapter 6.

    Examples
    --------
    Two coins and whether they show the same side: neither tells anything without the other.

    >>> table = mutual_information_decomposition([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> table.to_numpy().tolist(), table.sum(axis=1).tolist()
    ([[0.0, 0.5], [0.0, 0.5]], [0.5, 0.5])
    """
    codes, y, names = read_levels(X, y)
    d = codes.shape[1]
    if d > MOST_FEATURES:
        raise ValueError(f"X has {d} features; all subsets of more than {MOST_FEATURES} are many.")
    every = [J for k in range(d + 1) for J in combinations(range(d), k)]
    information = {J: -class_entropy(codes[:, J], y) for J in every}  # -H(Y | J)
    table = np.zeros((d, d))
    for k in range(d):
        for J in combinations(range(d), k):
            for j in set(range(d)) - set(J):
                with_j = tuple(sorted((*J, j)))
                table[j, k] += (information[with_j] - information[J]) / (comb(d, k) * (d - k))
    table = np.maximum(table, 0.0)  # no information is negative, but for rounding
    return pd.DataFrame(table, index=names, columns=pd.RangeIndex(d, name="k"))


def totally_randomized_importance(X, y):
    """Compute the same importances by growing all possible trees; ndarray (n_features,).

    For every node: the chance that a tree has it, times its share of the rows, times what each
    feature not yet tested tells there, each with the same chance. A node is known by what has been
    tested and observed, in whatever order. A pure node is not grown further. See Louppe (2014),
    Understanding random forests, chapter 6.

    Parameters
    ----------
    X, y
        As in `mutual_information_decomposition`; any number of features that leaves the number of
        different nodes below two million (else a ValueError).

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> totally_randomized_importance(*load_mushrooms(return_X_y=True)).round(4)
    array([0.4756, 0.2583, 0.2064])
    """
    codes, y, _ = read_levels(X, y)
    n, d = codes.shape
    importance = np.zeros(d)
    nodes, grown = {((), ()): (np.arange(n), 1.0)}, 1
    while nodes:
        below = {}
        for (tested, answers), (rows, chance) in nodes.items():
            Y, share = y[rows], len(rows) / n
            free = [m for m in range(d) if m not in tested]
            before = class_entropy(codes[rows][:, []], Y)
            if before == 0.0:
                continue
            for m in free:
                x = codes[rows, m]
                information = before - class_entropy(x[:, None], Y)
                importance[m] += chance / len(free) * share * information
                for value in np.unique(x) if len(free) > 1 else ():
                    together = sorted([*zip(tested, answers, strict=True), (m, int(value))])
                    key = tuple(zip(*together, strict=True))
                    inside, known = below.get(key, (rows[x == value], 0.0))
                    below[key] = (inside, known + chance / len(free))
        grown += len(below)
        if grown > MOST_NODES:
            raise ValueError(f"the trees have more than {MOST_NODES} nodes: use fewer features.")
        nodes = below
    return np.maximum(importance, 0.0)
