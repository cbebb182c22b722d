"""Stepwise subset search: features enter or leave one at a time.

A greedy search looks one step ahead. The subsets of a path that only enters, or only leaves, are
nested: that makes a ranking, and it keeps the path from the best pair where the best single
feature is not in it.

Vocabulary
----------
path : list of pairs (subset, rss), the models in the order in which they were visited
dual : the direction of a feature at right angles to all other columns of its model. Leaving a
    feature out projects the duals of the others
cost : by how much the residual sum grows when a feature leaves
"""

import numpy as np
from scipy.linalg import solve_triangular

from treelab.fast.selection.least_squares import Residue, f_test, information_criterion
from treelab.fast.tolerances import NEARLY

__all__ = [
    "backward",
    "by_criterion",
    "by_test",
    "costs",
    "duals",
    "floating",
    "forward",
    "stepwise",
]


def forward(data, most):
    """Search forward from no feature to `most`, or until the others add nothing."""
    left = Residue(data)
    path = [([], left.rss)]
    while len(left.subset) < most and (gains := left.gains()).max() >= 0:
        left.enter(best_of(gains))
        path.append((list(left.subset), left.rss))
    return path


def best_of(gains):
    """Return the index of the largest gain, the first in a tie; int."""
    largest = np.max(gains)
    return int(np.flatnonzero(gains >= largest - NEARLY * abs(largest))[0])


def independent(data):
    """Return the columns that are no combination of those before them; list of int."""
    left = Residue(data)
    for j in range(data.X.shape[1]):
        if left.gains()[j] >= 0:
            left.enter(j)
    return left.subset


def duals(data, subset):
    """Return the duals of the features of a model, (n_in_model, n_kept)."""
    Q, R = np.linalg.qr(data.X[:, subset])
    return solve_triangular(R, Q.T)


def costs(rows, y):
    """Return the increase in the residual sum when a feature leaves; ndarray of shape
    (n_in_model,)."""
    return (rows @ y) ** 2 / np.einsum("ij,ij->i", rows, rows)


def leave(rows, i):
    """Return the duals of the others when the feature at position `i` leaves."""
    others = np.delete(rows, i, axis=0)
    return others - np.outer(others @ rows[i], rows[i]) / (rows[i] @ rows[i])


def backward(data):
    """Search backward from all independent features to none."""
    subset = independent(data)
    rows, path = duals(data, subset), [(list(subset), Residue(data, subset).rss)]
    while subset:
        i = best_of(-costs(rows, data.y))
        rows = leave(rows, i)
        subset = subset[:i] + subset[i + 1 :]
        path.append((list(subset), Residue(data, subset).rss))
    return path


def neighbors(data, subset, most):
    """Return the best models with one more and one fewer feature, None where there is none."""
    left, more, fewer = Residue(data, subset), None, None
    if len(subset) < most and (gains := left.gains()).max() >= 0:
        left.enter(best_of(gains))
        more = (list(left.subset), left.rss)
    if subset:
        i = best_of(-costs(duals(data, subset), data.y))
        rest = subset[:i] + subset[i + 1 :]
        fewer = (rest, Residue(data, rest).rss)
    return more, fewer


def stepwise(data, most, move):
    """Search from no feature in both directions, as long as `move` returns a model.

    `move` gets the model, the best one with a feature more and with one fewer (None where there
    is none), each as (subset, rss), and returns one of the two, or None to stop.
    """
    path = [([], Residue(data).rss)]
    while (model := move(path[-1], *neighbors(data, path[-1][0], most))) is not None:
        path.append(model)
    return path


def by_criterion(n_rows, penalty):
    """Return a `move` for `stepwise`: to the minimum of the information criterion.

    The smaller of two equal models wins.
    """

    def value(model):
        return information_criterion(model[1], len(model[0]), n_rows, penalty)

    def move(model, more, fewer):
        best = min(filter(None, (fewer, model, more)), key=value)
        return None if best is model else best

    return move


def by_test(n_rows, alpha):
    """Return a `move` for `stepwise` by F tests.

    A feature leaves if its p-value is not below alpha, and enters if it is.
    """

    def move(model, more, fewer):
        if fewer and f_test(fewer[1], model[1], len(model[0]), n_rows)[1] >= alpha:
            return fewer
        if more and f_test(model[1], more[1], len(more[0]), n_rows)[1] < alpha:
            return more
        return None

    return move


def floating(data, most):
    """Search from no feature to `most`; features leave while that beats all models of the size.

    After Pudil, Novovicova and Kittler (1994), Floating search methods in feature selection.
    """
    least = {}

    def move(model, more, fewer):
        least[len(model[0])] = min(model[1], least.get(len(model[0]), np.inf))
        if fewer and fewer[1] < least[len(fewer[0])] * (1 - NEARLY):
            return fewer
        return more

    return stepwise(data, most, move)
