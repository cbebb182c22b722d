"""The open nodes of one depth, and their rows, grouped by node."""

from functools import cached_property

import numpy as np

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
        self.last = np.cumsum(self.size) - 1  # (M,) the last position of each node
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
        keep, size = np.flatnonzero(self.spread(chosen)), self.size[nodes]
        row, node = pick(self.row, keep), np.repeat(np.arange(len(nodes)), size)
        counts = None if self.counts is None else pick(self.counts, keep)
        return Frontier(self.targets, row, node, counts, self.root[nodes], size=size)

    @cached_property
    def sort_base(self):
        """Node and position packed around room for a rank, and the number of bits of a position.

        None where they do not fit into 63 bits. A rank is smaller than n, the number of rows.
        """
        bits, n = len(self.row).bit_length(), len(self.targets.y)
        if (len(self.size) * n).bit_length() + bits > 63:
            return None, bits
        return (self.node * n << bits) + np.arange(len(self.row)), bits

    @cached_property
    def digit(self):
        """Node of each position in 16 bits, for frontiers of at most 2**16 nodes."""
        return self.node.astype(np.uint16)

    @cached_property
    def same_node(self):
        """Mask of the positions that have the same node as the next one; (m - 1,)."""
        return self.node[1:] == self.node[:-1]

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

    # --- sums of weights (k = 0) and of target columns, whole units ----------------------

    @cached_property
    def units(self):
        """Weight and weighted targets of each position; (1 + K, m)."""
        units = pick(self.targets.units, self.row)
        return units if self.counts is None else units * self.counts

    @cached_property
    def total(self):
        """Sums over each node; (1 + K, M)."""
        return np.diff(pick(np.cumsum(self.units, axis=1), self.last), prepend=0)

    @cached_property
    def before(self):
        """Sums over the nodes before the node of each position; (1 + K, m)."""
        return self.spread(np.cumsum(self.total, axis=1) - self.total)

    # --- both sides of a split after each position --------------------------------------------

    @cached_property
    def n_left(self):
        """Rows of the node up to each position, itself included; (m,)."""
        return np.arange(1, len(self.row) + 1) - self.spread(self.start)

    @cached_property
    def sums(self):
        """Weight and target sums of the node of each position, W and S; (1 + K, m)."""
        return self.spread(self.total * self.targets.unit[:, None])

    @cached_property
    def mean(self):
        """Target means of the node of each position; (K, m)."""
        sums = self.total * self.targets.unit[:, None]
        return self.spread(sums[1:] / sums[0])

    def sums_left(self, k, order):
        """Return the sums left of the split after each position of `order`; (q, m)."""
        total = np.cumsum(pick(self.units[k], order), axis=-1)
        total -= self.before[k]
        return total * self.targets.unit[k]

    def weight_left(self, order):
        """Return the weight left of the split after each position of `order`; (q, m) or (m,)."""
        return self.sums_left(0, order) if self.same_steps is None else self.same_steps

    @cached_property
    def same_steps(self):
        """Weight left of each position if all rows have the same weight, (m,); otherwise None."""
        w = self.units[0]
        return None if np.any(w != w[0]) else self.n_left * (w[0] * self.targets.unit[0])

    def balance(self, order):
        """Return L as it would be with evenly spread targets, and W / (W_left * W_right).

        Shapes (K, q, m) and (q, m); without q where all rows weigh the same.
        """
        if self.same_steps is None:
            return self._balance(self.weight_left(order))
        return self.same_balance

    @cached_property
    def same_balance(self):
        """The `balance` if all rows have the same weight: the same for all features."""
        return self._balance(self.same_steps)

    def _balance(self, W_left):
        W = self.sums[0]
        with np.errstate(divide="ignore"):  # nothing is right of a node's last position
            product = W - W_left
            product *= W_left
            return [W_left * mean for mean in self.mean], np.divide(W, product, out=product)
