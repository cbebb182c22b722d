"""Binary splits of a categorical feature.

m categories can be sent left or right in 2**(m-1) - 1 ways. For a number, or for two classes,
there is no need to try them all: put the categories in order of their mean target, and the
best split is one of the m - 1 splits of that order (Fisher 1958; Breiman et al. 1984,
theorem 4.5). So a categorical feature is a numeric one whose values are ranked anew in
every node.

Two things are outside the theorem. Where the best split of the order leaves fewer than
`min_samples_leaf` rows on a side, the best of the splits that are allowed need not be a split
of the order; and with three classes or more nothing so simple is known. In both cases all
subsets are tried up to ten categories of the node. With more categories the order decides all the
same, for three classes the order along the first principal component of their class proportions.
That is a good heuristic and not always the best; so is, for the absolute error and any number
of categories, the order of the medians.
"""

from functools import lru_cache

import numpy as np

from treelab.fast.tolerances import TIE

__all__ = ["EXHAUSTIVE_LEVELS", "rank_levels", "respect_leaf_size"]

EXHAUSTIVE_LEVELS = 10


def rank_levels(frontier, code, categorical, n_levels, min_samples_leaf=1):
    """Rank the categories of each node, -1 where it has no row of one; (M, n_levels).

    Parameters
    ----------
    frontier : Frontier
    code : ndarray of int, shape (m,)
        Category of each position.
    categorical : ndarray of bool, shape (M,)
        Nodes that try a categorical feature; the others are left alone.
    n_levels : int
        Length of the longest list of categories.
    min_samples_leaf : int, default=1
        As in `search`.
    """
    here = categorical[frontier.node]
    cell = frontier.node[here] * n_levels + code[here]  # a node and a category
    shape = (len(categorical), n_levels)
    rows = np.bincount(cell, minlength=shape[0] * n_levels).reshape(shape)
    targets, criterion = frontier.targets, frontier.targets.criterion
    if not criterion.of_sums:
        return positions(_medians(cell, targets.y[frontier.row[here]], shape), rows > 0)
    amounts = frontier.sides.units[:, here] * targets.unit[:, None]
    W, *T = (np.bincount(cell, amount, rows.size).reshape(shape) for amount in amounts)
    T = np.array(T)  # (K, M, n_levels)
    if targets.n_classes > 2:
        score = _score_by_classes(rows, W, T, criterion, min_samples_leaf)
    else:  # the mean of the number, or the share of the second class
        mean = np.divide(T[0], W, out=np.zeros(shape), where=rows > 0)
        score = respect_leaf_size(mean, rows, W, T, criterion, min_samples_leaf)
    return positions(score, rows > 0)


def positions(score, present):
    """Return the position of each category in the order of (score, code); -1 if absent."""
    order = np.argsort(np.where(present, score, np.inf), axis=1, kind="stable")
    position = np.empty_like(order)
    np.put_along_axis(position, order, np.arange(order.shape[1])[None], axis=1)
    return np.where(present, position, -1)


def respect_leaf_size(mean, rows, W, T, criterion, min_samples_leaf):
    """Score the categories anew in the nodes whose best split leaves too few rows on a side.

    The means, (M, n_levels). In those nodes, up to ten categories, numbers that put one side of
    the best split that is allowed before the other side.

    Parameters
    ----------
    mean, rows, W : ndarray of shape (M, n_levels)
        Of each level: the mean target, the rows and their weight.
    T : ndarray of shape (1, M, n_levels)
        Sum of the targets of each level: of numbers, or of two classes coded 0 and 1.
    criterion : Criterion
    min_samples_leaf : int
    """
    m = np.count_nonzero(rows, axis=1)
    small = ((rows > 0) & (rows < min_samples_leaf)).any(axis=1)
    nodes = np.flatnonzero(small & (m > 1) & (m <= EXHAUSTIVE_LEVELS))
    if not len(nodes):
        return mean
    score, m, rows, W, T = mean.copy(), m[nodes], rows[nodes], W[nodes], T[:, nodes]
    order = np.argsort(np.where(rows > 0, mean[nodes], np.inf), axis=1, kind="stable")
    sums = np.concatenate([rows[None], criterion.level_sums(W, T)])  # (n_sums, M, n_levels)
    sums = np.take_along_axis(sums, order[None], axis=2)
    after, allowed = _after_split(np.cumsum(sums, axis=2), sums, criterion, min_samples_leaf)
    noise = 1e-15 * np.abs(T[0]).sum(axis=1) ** 2 / W.sum(axis=1)  # more than rounding can gain
    tie = np.maximum(_tie(after), TIE * noise)
    bound = np.where(allowed, after, np.inf).min(axis=1) > after.min(axis=1) + tie
    if bound.any():
        k = m[bound].max()
        best = _best_sides(sums[:, bound, :k], criterion, min_samples_leaf)
        score[nodes[bound][:, None], order[bound, :k]] = best
    return score


def _score_by_classes(rows, W, T, criterion, min_samples_leaf):
    """Score the categories for three or more classes, to order them; (M, n_levels)."""
    sums, score = criterion.level_sums(W, T), np.zeros(W.shape)
    sums = np.concatenate([rows[None], sums])
    for t in np.flatnonzero(rows.any(axis=1)):
        here = np.flatnonzero(rows[t])
        if len(here) <= EXHAUSTIVE_LEVELS:
            score[t, here] = _best_sides(sums[:, [t]][..., here], criterion, min_samples_leaf)
        else:
            score[t, here] = _principal_scores(sums[1:, t, here] / W[t, here], W[t, here])
    return score


def _best_sides(sums, criterion, min_samples_leaf):
    """Return the best of all allowed subsets of the categories; (M, k).

    Numbers that put its categories before the others. `sums` (n_sums, M, k) are rows, then what
    the criterion adds up, of each category.
    """
    k = sums.shape[2]
    after, allowed = _after_split(sums @ _subsets(k).T, sums, criterion, min_samples_leaf)
    after, tie = np.where(allowed, after, np.inf), _tie(after)
    first = (after <= (after.min(axis=1) + tie)[:, None]).argmax(axis=1)
    return np.arange(k) - k * _subsets(k)[first]


def _after_split(left, sums, criterion, min_samples_leaf):
    """Return the total impurity after each split, up to a constant, and whether it is allowed.

    Both are (M, n_splits); `left` holds the sums of the left sides, (n_sums, M, n_splits).
    """
    right = sums.sum(axis=2, keepdims=True) - left
    n = np.minimum(left[0], right[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        after = criterion.after_split(left[1:], right[1:])
    return np.where(n > 0, after, np.inf), n >= min_samples_leaf


def _tie(after):
    """Return the largest difference between splits that counts as a tie; (M,)."""
    return TIE * np.abs(after).max(axis=1, where=np.isfinite(after), initial=0.0)


@lru_cache
def _subsets(m):
    """List all ways to send m categories left or right, the first left; (2**(m-1) - 1, m)."""
    codes = np.arange(max(2 ** (m - 1) - 1, 1))
    bits = (codes[:, None] >> np.arange(m - 1)[::-1]) & 1
    return np.column_stack([np.ones(len(codes), dtype=int), bits])


def _principal_scores(share, W):
    """Return the weighted first principal component of the class proportions; (n_present,)."""
    centered = share - np.average(share, axis=1, weights=W)[:, None]
    direction = np.linalg.eigh((centered * W) @ centered.T)[1][:, -1]
    direction *= np.sign(direction[np.argmax(np.abs(direction))])  # a sign of its own
    return direction @ centered


def _medians(cell, y, shape):
    """Return the median of y in each cell: the order for the absolute error, a heuristic."""
    score = np.zeros(shape[0] * shape[1])
    order = np.lexsort((y, cell))
    cells, start, size = np.unique(cell[order], return_index=True, return_counts=True)
    y = y[order]
    score[cells] = (y[start + (size - 1) // 2] + y[start + size // 2]) / 2
    return score.reshape(shape)
