"""Cutting a C4.5 tree back with rows held out: reduced-error pruning.

Vocabulary
----------
held out : rows that growth has not seen; they vote, but no leaf learns from them
"""

import numpy as np

from treelab.c45.splits import SLACK
from treelab.c45.tree import Split

__all__ = ["held_out_rows", "reduced_error_pruning"]


def reduced_error_pruning(tree, table, y, weights=None, keep_unreached=False):
    """Prune by the errors on rows that growth has not seen, from the bottom up.

    A node becomes a leaf if as a leaf it gets no more of the held-out rows wrong than its
    subtree does. Its answer is still that of the rows it grew on.

    Parameters
    ----------
    tree : MultiwayTree
    table : ndarray of shape (n_held_out, n_features)
    y : ndarray of int, shape (n_held_out,)
        Class codes.
    weights : ndarray of shape (n_held_out,), default=None
    keep_unreached : bool, default=False
        Leave a node as it is when no held-out row reaches it.

    Returns
    -------
    MultiwayTree

    References
    ----------
    Quinlan (1987), Simplifying decision trees, section 2.2.
    """
    wrong, reached = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    answer = tree.answer_class
    for t, rows, w in tree.descend(table, weights):
        wrong[t], reached[t] = w[y[rows] != answer[t]].sum(), w.sum()
    best = wrong.copy()  # errors of each subtree once it is pruned
    as_leaf = []
    for t in range(tree.n_nodes - 1, -1, -1):
        if isinstance(tree.nodes[t], Split):
            below = sum(best[c] for c in tree.nodes[t].children)
            if wrong[t] <= below + SLACK and (reached[t] > 0 or not keep_unreached):
                as_leaf.append(t)
            best[t] = min(wrong[t], below)
    return tree.collapse(as_leaf)


def held_out_rows(y, n_folds):
    """The rows held out by J48's reduced-error pruning: one stratified fold.

    The rows of a class are brought together by swaps, as Weka does it, and dealt in turn to
    `n_folds` folds; the last fold is held out. Nothing is drawn at random.

    Parameters
    ----------
    y : ndarray of int, shape (n_rows,)
    n_folds : int
        From 2 to the number of rows.

    Returns
    -------
    ndarray of bool, shape (n_rows,)

    Examples
    --------
    >>> held_out_rows(np.array([0, 1, 0, 0, 1, 1]), 3).tolist()
    [False, False, False, True, False, True]
    """
    n = len(y)
    if not 2 <= n_folds <= n:
        raise ValueError(f"n_folds must be at least 2 and at most n_samples = {n}, got {n_folds}.")
    order, start = list(range(n)), 0
    while start < n:
        end = start + 1
        for j in range(end, n):
            if y[order[j]] == y[order[start]]:
                order[end], order[j] = order[j], order[end]
                end += 1
        start = end
    dealt = [i for first in range(n_folds) for i in order[first::n_folds]]
    out = np.zeros(n, dtype=bool)
    out[dealt[n - n // n_folds :]] = True
    return out
