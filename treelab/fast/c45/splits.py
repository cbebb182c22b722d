"""The two kinds of split of a multiway tree: by category and by threshold.

A test sends a row to one of its branches 0, 1, 2, ... or, when the value is unknown, to none
(-1); then the row is distributed to every branch, with a share of its weight.

Vocabulary
----------
x : values of the tested feature, category codes or numbers, NaN where unknown
"""

from dataclasses import dataclass

import numpy as np

from treelab.fast.c45.arithmetic import SLACK

__all__ = ["SLACK", "UNKNOWN", "CutTest", "LevelTest", "distribute", "shares_of"]

UNKNOWN = -1


@dataclass(frozen=True)
class LevelTest:
    """Test with one branch for each declared category of a categorical feature."""

    feature: int
    n_branches: int

    def branch(self, x):
        """Return the branch of each value; shape (n_rows,)."""
        return np.where(np.isnan(x), UNKNOWN, x).astype(int)

    def words(self, b, name, levels=None, digits=4):
        """Return branch `b` in words, ``color = red``; str."""
        return f"{name} = {b if levels is None else levels[b]}"


@dataclass(frozen=True)
class CutTest:
    """Test with two branches: ``x <= threshold`` and ``x > threshold``."""

    feature: int
    threshold: float
    n_branches = 2

    def branch(self, x):
        """Return the branch of each value; shape (n_rows,)."""
        return np.where(np.isnan(x), UNKNOWN, x > self.threshold)

    def words(self, b, name, levels=None, digits=4):
        """Return branch `b` in words, ``humidity <= 75``; str."""
        return f"{name} {'>' if b else '<='} {self.threshold:.{digits}g}"


def shares_of(weights):
    """Return the proportions of the branch weights, all equal where nothing is known.

    >>> shares_of(np.array([3.0, 1.0])).tolist(), shares_of(np.zeros(2)).tolist()
    ([0.75, 0.25], [0.5, 0.5])
    """
    total = weights.sum()
    return weights / total if total > SLACK else np.full(len(weights), 1 / len(weights))


def distribute(test, table, rows, weights, share=None):
    """Distribute the rows of a node over its branches.

    Parameters
    ----------
    test : LevelTest or CutTest
    table : ndarray of shape (n_table_rows, n_features)
    rows, weights : ndarray of shape (n_rows,)
        Row numbers in `table`, each at most once, and the weight each has in the node.
    share : ndarray of shape (n_branches,), default=None
        What an unknown row gives each branch; None takes the shares of the known rows.

    Returns
    -------
    list of (rows, weights)
        One pair for each branch.

    References
    ----------
    Quinlan (1993), C4.5, chapter 3.

    Examples
    --------
    Four rows, the last one unknown; two known rows of three go left:

    >>> table = np.array([[1.0], [2.0], [9.0], [np.nan]])
    >>> left, right = distribute(CutTest(0, 5.0), table, np.arange(4), np.ones(4))
    >>> left[0].tolist(), left[1].round(2).tolist()
    ([0, 1, 3], [1.0, 1.0, 0.67])
    """
    branch = test.branch(table[rows, test.feature])
    order = np.argsort(branch, kind="stable")
    ends = np.searchsorted(branch[order], np.arange(UNKNOWN, test.n_branches), side="right")
    groups = [order[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    unknown, known = groups[0], groups[1:]
    if not len(unknown):
        return [(rows[here], weights[here]) for here in known]
    if share is None:
        share = shares_of(np.array([weights[here].sum() for here in known]))
    distributed = []
    for here, s in zip(known, share, strict=True):
        if s > SLACK:
            parts = np.append(weights[here], s * weights[unknown])
            here = np.append(here, unknown)
            distributed.append((rows[here], parts))
        else:
            distributed.append((rows[here], weights[here]))
    return distributed
