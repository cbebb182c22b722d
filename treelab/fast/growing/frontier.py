"""The table of the open nodes of one depth: their rows, grouped by node, and their weights."""

from functools import cached_property

import numpy as np

from treelab.fast.growing.sides import Sides
from treelab.fast.growing.sorting import Sorting
from treelab.fast.tree import pick

__all__ = ["Frontier"]


class Frontier:
    """The open nodes of one depth, of one tree or of a hundred.

    Parameters
    ----------
    targets : Targets
    row, node : ndarray of int, shape (m,)
        Data row and node of each position; nodes ascend.
    counts : ndarray of int, shape (m,), default=None
        How often each row counts; None: once.
    root, above, size : ndarray of int, shape (M,), default=None
        Of each node: the tree, ascending (None: its own); the parent, numbered within the
        frontier before; the rows (None: counted).
    """

    def __init__(self, targets, row, node, counts=None, root=None, above=None, size=None):
        self.targets, self.row, self.node, self.counts = targets, row, node, counts
        self.size = np.bincount(node) if size is None else size
        self.root = np.arange(len(self.size)) if root is None else root
        self.above = above
        self.same_weight = targets.same_weight if counts is None else None  # of every position
        self.last = self.size.cumsum() - 1  # (M,) the last position of each node
        self.start = self.last - self.size + 1

    def spread(self, per_node):
        """Repeat an amount of each node, (..., M), for each of its positions; (..., m)."""
        return pick(per_node, self.node)

    def only(self, nodes):
        """Return the frontier that has only `nodes` (ascending)."""
        if len(nodes) == len(self.size):
            return self
        chosen = np.zeros(len(self.size), dtype=bool)
        chosen[nodes] = True
        keep, size = self.spread(chosen).nonzero()[0], self.size[nodes]
        row, node = pick(self.row, keep), np.repeat(np.arange(len(nodes)), size)
        counts = None if self.counts is None else pick(self.counts, keep)
        return Frontier(self.targets, row, node, counts, self.root[nodes], size=size)

    @cached_property
    def sides(self):
        """The sums on both sides of every split; `Sides`."""
        return Sides(self)

    @cached_property
    def sorting(self):
        """The sorted rows that all features share; `Sorting`."""
        return Sorting(self)

    # --- targets and weights as they were given ----------------------------------------

    @cached_property
    def y(self):
        """Target of each position; (m,)."""
        return pick(self.targets.y, self.row)

    @cached_property
    def first_y(self):
        """Target of the first row of each node; (M,)."""
        return self.targets.y[self.row[self.start]]

    @cached_property
    def is_pure(self):
        """Mask of the nodes whose targets are all the same; (M,)."""
        pure = self.first_y == self.targets.y[self.row[self.last]]
        doubtful = pure & (self.size > 2)
        if doubtful.any():
            doubtful = np.flatnonzero(self.spread(doubtful))
            node = pick(self.node, doubtful)
            pure[node[pick(self.y, doubtful) != pick(self.first_y, node)]] = False
        return pure

    @cached_property
    def row_weight(self):
        """Weight of each position, (m,), or one number if all weights are the same."""
        if self.same_weight is not None:
            return self.same_weight
        w = pick(self.targets.weight, self.row)
        return w if self.counts is None else w * self.counts

    @cached_property
    def weight(self):
        """Weight of each node; (M,)."""
        if self.same_weight is not None:
            return self.size * self.same_weight
        return self._sum(self.row_weight)

    def mean_of(self, amount):
        """Return the weighted mean of an amount of each position over each node; (M,)."""
        if self.same_weight is not None:
            return self._sum(amount) / self.size
        return self._sum(amount * self.row_weight) / self.weight

    def _sum(self, amount):
        """Sum an amount of each position, (m,), over each node; (M,).

        The digits of a node's sum must not depend on the other nodes, so the choice does not
        either: stretches are long without counts, and short in a forest of bootstrap samples.
        """
        if self.counts is None:
            return np.add.reduceat(amount, self.start)
        return np.bincount(self.node, amount)
