"""Sorting the positions of a frontier by node and value, with a cache of what features share."""

from functools import cached_property

import numpy as np

from treelab.fast.tree import pick

__all__ = ["Sorting"]

MOST_DIGITS = 1 << 16  # of 16 bits


class Sorting:
    """The order of the positions of a frontier, by any feature.

    Parameters
    ----------
    frontier : Frontier
    """

    def __init__(self, frontier):
        # Not the frontier itself: it holds this object, and a cycle would outlive its depth.
        self.node, self.n_nodes = frontier.node, len(frontier.size)
        self.n_rows = len(frontier.targets.y)  # of the data; a rank is smaller

    def by(self, rank, tied=True):
        """Sort the positions by (node, rank), equal ones by position; (q, m).

        And whether a position has the node and the rank of the next, (q, m - 1); False if none has.
        Rows are sorted by rank and then by node, as digits of 16 bits, which numpy does by
        counting. Where there are more rows or nodes than that, node, rank and place are packed into
        one integer each and sorted as numbers. Both are several times as fast as `np.argsort` of
        other keys.
        """
        if max(self.n_nodes, self.n_rows) <= MOST_DIGITS:
            return self._by_digits(rank, tied)
        base, bits = self.base
        if base is None:
            key = self.node * self.n_rows + rank
            order = np.argsort(key, axis=1, kind="stable")
            key = np.take_along_axis(key, order, axis=1)
            return order, key[:, 1:] == key[:, :-1]
        packed = rank.astype(np.int64)
        packed <<= bits
        packed += base
        packed.sort(axis=1)
        order = packed & ((1 << bits) - 1)
        if not tied:
            return order, False
        packed >>= bits
        return order, packed[:, 1:] == packed[:, :-1]

    def _by_digits(self, rank, tied):
        """Sort as `by` does where ranks and nodes are below 2 ** 16."""
        order = np.argsort(rank.astype(np.uint16), axis=1, kind="stable")
        if self.n_nodes > 1:
            by_node = np.argsort(pick(self.digit, order), axis=1, kind="stable")
            order = np.array([pick(o, k) for o, k in zip(order, by_node, strict=True)])
        if not tied:
            return order, False
        ranks = np.array([pick(r, o) for r, o in zip(rank, order, strict=True)])
        return order, (ranks[:, 1:] == ranks[:, :-1]) & self.same_node

    @cached_property
    def base(self):
        """Node and position packed around room for a rank, and the number of bits of a position.

        None where they do not fit into 63 bits.
        """
        bits = len(self.node).bit_length()
        if (self.n_nodes * self.n_rows).bit_length() + bits > 63:
            return None, bits
        return (self.node * self.n_rows << bits) + np.arange(len(self.node)), bits

    @cached_property
    def digit(self):
        """Node of each position in 16 bits, for frontiers of at most 2**16 nodes."""
        return self.node.astype(np.uint16)

    @cached_property
    def same_node(self):
        """Mask of the positions that have the same node as the next one; (m - 1,)."""
        return self.node[1:] == self.node[:-1]
