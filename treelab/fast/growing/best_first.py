"""Best-first growth: a limit on the number of leaves, spent where the gains are largest.

Grown best first, a tree splits the node with the largest gain of all its leaves, again
and again, until it has J leaves. A node's best split does not depend on when it is made, so
the tree can still be grown a depth at a time: after each, replay the best-first growth
with the nodes known so far. What is not among its first J - 1 splits will never be, for
nodes still unknown can only compete; so such a node stays a leaf. When growth ends, the
splits that were made meanwhile and are no longer chosen are undone.

A gain is the one of the best split of a node, -inf where it has none.
"""

import heapq

import numpy as np

__all__ = ["BestFirst"]


class BestFirst:
    """Best-first growth of one or more trees, replayed over the frontiers grown so far.

    Nodes are numbered through all frontiers. Of equal gains the node with the smaller number
    is split first. `max_leaf_nodes` is the J of each tree.

    Examples
    --------
    >>> growth = BestFirst(3)
    >>> growth.add(root=np.array([0]), parent=np.array([-1]), gain=np.array([5.0]))
    array([ True])
    >>> growth.add(root=np.array([0, 0]), parent=np.array([0, 0]), gain=np.array([2.0, 3.0]))
    array([False,  True])
    """

    def __init__(self, max_leaf_nodes):
        self.n_splits = max_leaf_nodes - 1
        self.gain, self.root, self.children = [], [], {}
        self.chosen = set()  # nodes that best-first growth splits

    def add(self, root, parent, gain):
        """Add a frontier and return which of its nodes are split as far as is known; bool (M,).

        `root`, `parent` and `gain` are (M,); a parent is -1 for the first node of a tree.
        """
        new = np.arange(len(self.gain), len(self.gain) + len(gain))
        self.gain += gain.tolist()
        self.root += root.tolist()
        for t, above in zip(new.tolist(), parent.tolist(), strict=True):
            self.children.setdefault(above, []).append(t)
        self.chosen = {t for first in self.children[-1] for t in self._play(first)}
        return np.isin(new, list(self.chosen))

    def _play(self, first):
        """Return the nodes of one tree that are split, in the order of their splits."""
        leaves, chosen = [(-self.gain[first], first)], []
        while leaves and len(chosen) < self.n_splits:
            negative_gain, t = heapq.heappop(leaves)
            if negative_gain == np.inf:  # no leaf that is left can be split
                break
            chosen.append(t)
            for child in self.children.get(t, []):
                heapq.heappush(leaves, (-self.gain[child], child))
        return chosen

    def cut_back(self, trees, number):
        """Collapse the nodes that are not among the chosen; return the trees and the new numbers.

        `number` is that of each node in its tree; the new one, where the node is gone, is
        that of its leaf.
        """
        root, number, cut = np.array(self.root), number.copy(), []
        lost = ~np.isin(np.arange(len(root)), list(self.chosen))
        for b, tree in enumerate(trees):
            here = root == b
            closed = number[here & lost]
            number[here] = tree.after_collapse(closed)[2][number[here]]
            cut.append(tree.collapse(closed))
        return cut, number
