"""Sums on both sides of every split of a frontier: what criteria compute gains from."""

from functools import cached_property

import numpy as np

from treelab.fast.tree import pick

__all__ = ["Sides"]


class Sides:
    """Sums of weights and of target columns, of nodes and left of every split.

    They are added up as whole units, so that they are exact: in any order, and less a part.

    Parameters
    ----------
    frontier : Frontier
    """

    def __init__(self, frontier):
        # Not the frontier itself: it holds this object, and a cycle would outlive its depth.
        self.targets, self.unit = frontier.targets, frontier.targets.unit
        self.row, self.node, self.counts = frontier.row, frontier.node, frontier.counts
        self.start, self.last = frontier.start, frontier.last

    def spread(self, per_node):
        """Repeat an amount of each node, (..., M), for each of its positions; (..., m)."""
        return pick(per_node, self.node)

    # --- sums of weights (k = 0) and of target columns, whole units ----------------------

    @cached_property
    def units(self):
        """Weight and weighted targets of each position; (1 + K, m)."""
        units = pick(self.targets.units, self.row)
        counts = self.counts
        return units if counts is None else units * counts

    @cached_property
    def total(self):
        """Sums over each node; (1 + K, M)."""
        total = pick(self.units.cumsum(axis=1), self.last)
        total[:, 1:] -= total[:, :-1].copy()
        return total

    @cached_property
    def before(self):
        """Sums over the nodes before the node of each position; (1 + K, m)."""
        return self.spread(self.total.cumsum(axis=1) - self.total)

    # --- both sides of a split after each position --------------------------------------------

    @cached_property
    def n_left(self):
        """Rows of the node up to each position, itself included; (m,)."""
        return np.arange(1, len(self.row) + 1) - self.spread(self.start)

    @cached_property
    def sums(self):
        """Weight and target sums of the node of each position, W and S; (1 + K, m)."""
        return self.spread(self.total * self.unit[:, None])

    @cached_property
    def mean(self):
        """Target means of the node of each position; (K, m)."""
        sums = self.total * self.unit[:, None]
        return self.spread(sums[1:] / sums[0])

    def sums_left(self, k, order):
        """Return the sums left of the split after each position of `order`; (q, m)."""
        total = pick(self.units[k], order).cumsum(axis=-1)
        total -= self.before[k]
        return total * self.unit[k]

    def weight_left(self, order):
        """Return the weight left of the split after each position of `order`; (q, m) or (m,)."""
        return self.sums_left(0, order) if self.same_steps is None else self.same_steps

    @cached_property
    def same_steps(self):
        """Weight left of each position if all rows have the same weight, (m,); otherwise None."""
        w = self.units[0]
        return None if np.any(w != w[0]) else self.n_left * (w[0] * self.unit[0])

    def balance(self, order):
        """Return L as it would be with evenly spread targets, and W / (W_left * W_right).

        Shapes (K, q, m) and (q, m); without q where all rows weigh the same.
        """
        W, W_left = self.sums[0], self.weight_left(order)
        with np.errstate(divide="ignore"):  # nothing is right of a node's last position
            product = W - W_left
            product *= W_left
            return [W_left * mean for mean in self.mean], np.divide(W, product, out=product)
