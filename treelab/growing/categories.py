"""Cutting a categorical feature in two.

m levels can be sent left or right in 2**(m-1) - 1 ways. For a number, or for two classes,
there is no need to try them all: put the levels in order of their mean target, and the
best split is one of the m - 1 cuts of that order (Fisher 1958; Breiman et al. 1984,
theorem 4.5). So a categorical feature is a numeric one whose values are ranked anew in
every node.

Two things are outside the theorem. Where the best cut of the order leaves fewer than
`min_samples_leaf` rows on a side, the best of the splits that are allowed need not be a cut
of the order; and with three classes or more nothing so simple is known. In both cases all
subsets are tried up to ten levels of the node. With more levels the order decides all the
same, for three classes the order along the first principal component of their class shares.
That is a good heuristic and not always the best; so is, for the absolute error and any number
of levels, the order of the medians.

Vocabulary
----------
level : value of the feature, coded 0, 1, 2, ...; cell : a (node, level) pair
place : position of a level in its node's order, -1 for a level that the node lacks
"""

from functools import lru_cache

import numpy as np

from treelab.impurity import CRITERIA

__all__ = ["EXHAUSTIVE_LEVELS", "rank_levels"]

EXHAUSTIVE_LEVELS = 10
TIE = 1e-10  # as in treelab.growing.splits
CENTERED = ("gini", "squared_error")  # their gain is d**2 * W / (W_left * W_right)


def rank_levels(level, code, categorical, n_levels, min_samples_leaf=1):
    """Order the levels of every node that tries a categorical feature.

    Parameters
    ----------
    level : treelab.growing.frontier.Level
    code : ndarray of int, shape (m,)
        Level of each place of the level's rows.
    categorical : ndarray of bool, shape (M,)
        Nodes that try a categorical feature; the others are left alone.
    n_levels : int
        Length of the longest list of levels.
    min_samples_leaf : int, default=1
        Rows that each side of a split must hold.

    Returns
    -------
    ndarray of int, shape (M, n_levels)
        Place of each level, -1 where the node has no row of it.
    """
    here = categorical[level.node]
    cell = level.node[here] * n_levels + code[here]
    shape = (len(categorical), n_levels)
    rows = np.bincount(cell, minlength=shape[0] * n_levels).reshape(shape)
    targets = level.targets
    if targets.criterion == "absolute_error":
        score = _medians(cell, targets.y[level.row[here]], shape)
    else:
        w, T = level.w[here] * targets.weight_unit, level.T[:, here] * targets.column_unit
        W = np.bincount(cell, w, rows.size).reshape(shape)
        T = np.array([np.bincount(cell, t, rows.size) for t in T]).reshape(-1, *shape)
        if not len(T):  # one class only: any order will do
            T = np.zeros((1, *shape))
        if targets.n_classes > 2:
            first = np.maximum(W - T.sum(axis=0), 0.0)  # rounding may leave less than nothing
            T = np.concatenate([first[None], T])  # (n_classes, M, n_levels)
        share = np.divide(T, W, out=np.zeros_like(T), where=rows > 0)
        score = share[-1].copy()  # mean of the number, share of the second class
        if targets.n_classes > 2:
            for t in np.flatnonzero(categorical):
                present = np.flatnonzero(rows[t])
                table, counts = T[:, t, present], rows[t, present]
                if len(present) <= EXHAUSTIVE_LEVELS:
                    score[t, present] = _best_subset(
                        table, counts, targets.criterion, min_samples_leaf
                    )
                else:
                    score[t, present] = _principal_scores(share[:, t, present], W[t, present])
        elif min_samples_leaf > 1:
            score = respect_leaf_size(score, rows, W, T[0], targets.criterion, min_samples_leaf)
    return places(score, rows > 0)


def places(score, present):
    """Position of each level in the order of (score, code) of its node; -1 if absent."""
    order = np.argsort(np.where(present, score, np.inf), axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(order.shape[1])[None], axis=1)
    return np.where(present, place, -1)


def respect_leaf_size(mean, rows, W, T, criterion, min_samples_leaf):
    """Score the levels anew in the nodes whose best cut leaves too few rows on a side.

    Parameters
    ----------
    mean, rows, W, T : ndarray of shape (M, n_levels)
        Of each level: the mean target, the rows, their weight and the sum of their targets.
        The targets are numbers, or two classes coded 0 and 1.
    criterion : str
    min_samples_leaf : int

    Returns
    -------
    ndarray of shape (M, n_levels)
        The means. In those nodes, up to ten levels, numbers that put one side of the best
        split that is allowed before the other side.
    """
    m = np.count_nonzero(rows, axis=1)
    small = ((rows > 0) & (rows < min_samples_leaf)).any(axis=1)
    nodes = np.flatnonzero(small & (m > 1) & (m <= EXHAUSTIVE_LEVELS))
    if not len(nodes):
        return mean
    score, m = mean.copy(), m[nodes]
    rows, W, T = rows[nodes], W[nodes], T[nodes]
    noise = 1e-15 * np.abs(T).sum(axis=1) ** 2 / W.sum(axis=1)  # more than rounding can gain
    if criterion in CENTERED:
        T = T - W * (T.sum(axis=1) / W.sum(axis=1))[:, None]
    order = np.argsort(np.where(rows > 0, mean[nodes], np.inf), axis=1, kind="stable")
    sums = np.array([rows, W, T])[:, np.arange(len(nodes))[:, None], order]  # (3, M, n_levels)
    after, allowed = _after_split(np.cumsum(sums, axis=2), sums, criterion, min_samples_leaf)
    best = after.min(axis=1)
    tie = TIE * np.maximum(np.abs(best), noise)
    bound = np.where(allowed, after, np.inf).min(axis=1) > best + tie
    if bound.any():
        k = m[bound].max()
        nodes, order, sums = nodes[bound], order[bound, :k], sums[:, bound, :k]
        after, allowed = _after_split(sums @ _subsets(k).T, sums, criterion, min_samples_leaf)
        after = np.where(allowed, after, np.inf)
        first = (after <= (after.min(axis=1) + tie[bound])[:, None]).argmax(axis=1)
        score[nodes[:, None], order] = np.arange(k) - k * _subsets(k)[first]
    return score


def _after_split(left, sums, criterion, min_samples_leaf):
    """Total impurity after each split, but for a constant, and whether it is allowed.

    Both are (M, n_splits); `left` holds the sums of the left sides, (3, M, n_splits).
    """
    right = sums.sum(axis=2, keepdims=True) - left
    allowed = np.minimum(left[0], right[0]) >= min_samples_leaf
    if criterion in CENTERED:
        (_, W_left, d), (n_right, W_right, _) = left, right
        product = np.where(n_right > 0, W_left * W_right, np.inf)
        return -(d * d) / product, allowed
    after = 0.0
    for _, W, T in (left, right):
        S = np.maximum(np.stack([W - T, T], axis=-1), 0.0)  # rounding may leave less than nothing
        after = after + W * CRITERIA[criterion](S)
    return after, allowed


def _medians(cell, y, shape):
    """Median of y in each cell: the order for the absolute error, a heuristic."""
    score = np.zeros(shape[0] * shape[1])
    order = np.lexsort((y, cell))
    cells, start, size = np.unique(cell[order], return_index=True, return_counts=True)
    y = y[order]
    score[cells] = (y[start + (size - 1) // 2] + y[start + size // 2]) / 2
    return score.reshape(shape)


@lru_cache
def _subsets(m):
    """All ways to send m levels left or right, the first always left; (2**(m-1) - 1, m)."""
    codes = np.arange(2 ** (m - 1) - 1)
    bits = (codes[:, None] >> np.arange(m - 1)[::-1]) & 1
    return np.column_stack([np.ones(len(codes), dtype=int), bits])


def _best_subset(table, counts, criterion, min_samples_leaf):
    """0 for the levels of the best left side, 1 for the others; (n_present,).

    Parameters
    ----------
    table : ndarray of shape (n_classes, n_present)
        Class sums of each level.
    counts : ndarray of shape (n_present,)
        Rows of each level.
    """
    m = len(counts)
    if m == 1:
        return np.zeros(1)
    left = _subsets(m)
    rows = left @ counts
    allowed = (rows >= min_samples_leaf) & (counts.sum() - rows >= min_samples_leaf)
    if not allowed.any():
        return np.zeros(m)
    L = left @ table.T  # (n_subsets, n_classes)
    R = np.maximum(table.sum(axis=1) - L, 0.0)
    Q = CRITERIA[criterion]
    impurity = L.sum(axis=1) * Q(L) + R.sum(axis=1) * Q(R)
    impurity = np.where(allowed, impurity, np.inf)
    tie = 1e-10 * max(float(table.sum() * Q(table.sum(axis=1))), 1e-300)
    best = np.flatnonzero(impurity <= impurity.min() + tie)[0]
    return 1.0 - left[best]


def _principal_scores(share, W):
    """Weighted first principal component of the class shares of the levels; (n_present,)."""
    centered = share - np.average(share, axis=1, weights=W)[:, None]
    direction = np.linalg.eigh((centered * W) @ centered.T)[1][:, -1]
    direction *= np.sign(direction[np.argmax(np.abs(direction))])  # a sign of its own
    return direction @ centered
