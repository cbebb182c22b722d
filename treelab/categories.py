"""Cutting a categorical feature in two.

m levels can be sent left or right in 2**(m-1) - 1 ways. For a number, or for two classes,
there is no need to try them all: put the levels in order of their mean target, and the
best split is one of the m - 1 cuts of that order (Fisher 1958; Breiman et al. 1984,
theorem 4.5). So a categorical feature is a numeric one whose values are ranked anew in
every node. With three classes or more nothing so simple is known: up to ten levels all
subsets are tried, beyond that the levels are put in order along the first principal
component of their class shares, which is a good heuristic and not always the best.

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


def rank_levels(level, code, categorical, n_levels, min_samples_leaf=1):
    """Order the levels of every node that tries a categorical feature.

    Parameters
    ----------
    level : treelab.level.Level
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
    return _places(score, rows > 0)


def _places(score, present):
    """Position of each level in the order of (score, code) of its node; -1 if absent."""
    order = np.argsort(np.where(present, score, np.inf), axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(order.shape[1])[None], axis=1)
    return np.where(present, place, -1)


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
