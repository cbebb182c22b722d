"""Where the information about the class comes from: importance as a sum of mutual information.

Take trees in their purest form: every test splits a feature into all its values, the feature is
drawn at random among those not yet asked, and the trees grow until all are asked. With infinitely
many such trees the mean decrease in entropy of a feature is a weighted sum of what it tells about
the class beyond each subset of the other features, and the importances add up to what all
features together tell. Nothing is lost and nothing counted twice. What is told is told by the
rows at hand: the theorem is about infinitely many of them, and in a finite sample noise, too,
tells something by luck, the more values it has the more.

Vocabulary
----------
p : number of features; m : one of them; V : all of them
B : a subset of the features without m; k : its size, the depth of the test
I(X_m; Y | B) : conditional mutual information, what m tells about the class beyond B
H : entropy
"""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.inputs import as_table, check_weights, read_classes

__all__ = [
    "conditional_mutual_information",
    "mutual_information_decomposition",
    "totally_randomized_importance",
]

MOST_FEATURES = 15  # 2 ** 15 subsets
MOST_NODES = 2_000_000


def mutual_information_decomposition(X, y, *, sample_weight=None, base=2):
    """Importance in infinitely many totally randomized trees, by size of the subset.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        At most 15 features; every distinct value is a level.
    y : array-like of shape (n_rows,)
        Class labels.
    sample_weight : array-like of shape (n_rows,), default=None
    base : float, default=2
        Of the logarithm.

    Returns
    -------
    DataFrame of shape (n_features, n_features)
        One row for each feature m; column k holds
        ``sum over B of size k of I(X_m; Y | B) / (C(p, k) (p - k))``. The sum of a row is the
        importance of the feature, the sum of all I(X_1, ..., X_p; Y).

    Raises
    ------
    ValueError
        If there are more than 15 features, something is missing, or `base` is not above 1.

    Notes
    -----
    The rows are taken for the population, I is that of the sample. A feature that is independent
    of the class has 0 only where it is so in these rows.

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
    codes, y, weight, names, unit = _read(X, y, sample_weight, base)
    p = codes.shape[1]
    if p > MOST_FEATURES:
        raise ValueError(f"X has {p} features; all subsets of more than {MOST_FEATURES} are many.")
    told = {}  # subset -> H(B) - H(Y, B)
    for k in range(p + 1):
        for B in combinations(range(p), k):
            told[B] = (_entropy(codes[:, B], weight) - _entropy(codes[:, B], weight, y)) / unit
    table = np.zeros((p, p))
    for k in range(p):
        for B in combinations(range(p), k):
            for m in set(range(p)) - set(B):
                with_m = tuple(sorted((*B, m)))
                table[m, k] += (told[with_m] - told[B]) / (comb(p, k) * (p - k))
    table = np.maximum(table, 0.0)  # no information is negative, but for rounding
    return pd.DataFrame(table, index=names, columns=pd.RangeIndex(p, name="k"))


def conditional_mutual_information(X, y, feature, given=(), *, sample_weight=None, base=2):
    """I(X_m; Y | B), what a feature tells about the class beyond some others.

    Parameters
    ----------
    X, y, sample_weight, base
        As in `mutual_information_decomposition`.
    feature : int, str or list
        Column m, or several taken together.
    given : list of int or str, default=()
        Columns B. None of them: the plain mutual information, the gain of ID3's first test.

    Returns
    -------
    float
        Not negative.

    Raises
    ------
    ValueError
        If a column does not exist.

    References
    ----------
    Cover and Thomas (2006), equation 2.61.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> conditional_mutual_information(X, y, 0), conditional_mutual_information(X, y, 0, [1])
    (0.0, 1.0)
    """
    codes, y, weight, names, unit = _read(X, y, sample_weight, base)
    m = [feature] if isinstance(feature, str) or not np.ndim(feature) else list(feature)
    B = _numbers(given, names)
    both = sorted(set(B) | set(_numbers(m, names)))
    without, after = (
        _entropy(codes[:, some], weight, y) - _entropy(codes[:, some], weight) for some in (B, both)
    )  # H(Y | B) and H(Y | B, m)
    return float(max((without - after) / unit, 0.0))


def totally_randomized_importance(X, y, *, sample_weight=None, base=2):
    """The same importances by growing all the trees there can be, with their chances.

    Parameters
    ----------
    X, y, sample_weight, base
        As in `mutual_information_decomposition`; any number of features that leaves the number of
        different nodes below two million.

    Returns
    -------
    ndarray of shape (n_features,)
        Expected decrease in entropy: for every node the chance that a tree has it, times its share
        of the rows, times what each feature not yet asked tells there, each with
        the same chance.

    Raises
    ------
    ValueError
        If there are too many nodes, or something is missing.

    Notes
    -----
    A node is known by what has been asked and answered, in whatever order. Trees are grown one
    depth after the other; a pure node is not grown further, because nothing is left to tell.

    References
    ----------
    Louppe (2014), Understanding random forests, chapter 6.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> totally_randomized_importance(*load_mushrooms(return_X_y=True)).round(4)
    array([0.4756, 0.2583, 0.2064])
    """
    codes, y, weight, _, unit = _read(X, y, sample_weight, base)
    n, p = codes.shape
    importance, total = np.zeros(p), weight.sum()
    nodes, grown = {((), ()): (np.arange(n), 1.0)}, 1
    while nodes:
        below = {}
        for (asked, answers), (rows, chance) in nodes.items():
            w, Y = weight[rows], y[rows]
            share, free = w.sum() / total, [m for m in range(p) if m not in asked]
            before = _entropy(codes[rows][:, []], w, Y)
            if before == 0.0:
                continue
            for m in free:
                x = codes[rows, m]
                told = before - _entropy(x[:, None], w, Y) + _entropy(x[:, None], w)
                importance[m] += chance / len(free) * share * told
                for value in np.unique(x) if len(free) > 1 else ():
                    together = sorted([*zip(asked, answers, strict=True), (m, int(value))])
                    key = tuple(zip(*together, strict=True))
                    inside, known = below.get(key, (rows[x == value], 0.0))
                    below[key] = (inside, known + chance / len(free))
        grown += len(below)
        if grown > MOST_NODES:
            raise ValueError(f"the trees have more than {MOST_NODES} nodes: use fewer features.")
        nodes = below
    return np.maximum(importance, 0.0) / unit


def _read(X, y, sample_weight, base):
    """Level codes, class codes, weights, column names, and ln(base)."""
    X = as_table(X)
    check_consistent_length(X, y)
    if not (np.ndim(base) == 0 and base > 1):
        raise ValueError(f"base must be a number above 1, got {base!r}.")
    if not X.shape[0] or not X.shape[1]:
        raise ValueError(f"X must have at least one row and one column, got shape {X.shape}.")
    frame = pd.DataFrame(X)
    if frame.isna().to_numpy().any():
        raise ValueError("X contains missing values (NaN). Drop those rows, or make them a level.")
    codes = np.column_stack([pd.factorize(frame[name])[0] for name in frame.columns])
    weight = check_weights(sample_weight, len(codes))
    keep = weight > 0
    y = read_classes(column_or_1d(y, warn=True))[1]
    return codes[keep], y[keep], weight[keep], list(frame.columns), np.log(base)


def _entropy(columns, weight, y=None):
    """Entropy of the joint values, in natural units."""
    table = columns if y is None else np.column_stack([columns, y])
    cell = np.zeros(len(weight), dtype=int)
    for column in table.T:
        cell = np.unique(cell * (column.max() + 1) + column, return_inverse=True)[1]
    share = np.bincount(cell, weight)
    share = share / share.sum()
    return float(-(share * np.log(share)).sum()) + 0.0


def _numbers(columns, names):
    """Numbers of the named columns."""
    found = []
    for column in columns:
        if column in names:
            found.append(names.index(column))
        else:
            raise ValueError(f"X has no column {column!r}, only {names}.")
    return found
