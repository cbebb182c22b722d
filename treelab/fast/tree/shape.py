"""Shape of a tree, whatever the number of branches of its nodes."""

from functools import cached_property

import numpy as np

__all__ = ["Frozen", "Shape"]


class Shape:
    """Properties that follow from `parent`, or from `children`, a list of the children of each
    node."""

    @cached_property
    def parent(self):
        """Parent of each node, -1 for the root; shape (n_nodes,)."""
        parent = np.full(len(self.children), -1)
        for t, below in enumerate(self.children):
            parent[list(below)] = t
        return parent

    @property
    def n_nodes(self):
        """Number of nodes, leaves included."""
        return len(self.parent)

    @cached_property
    def is_leaf(self):
        """Mask of the leaves; shape (n_nodes,)."""
        return np.bincount(self.parent[1:], minlength=self.n_nodes) == 0

    @property
    def n_leaves(self):
        """Number of leaves."""
        return int(self.is_leaf.sum())

    @cached_property
    def depth(self):
        """Number of splits between the root and each node; shape (n_nodes,)."""
        depth, above = (self.parent >= 0).astype(int), np.maximum(self.parent, 0)
        while above.any():  # depth counts the steps from each node up to the one above
            depth, above = depth + depth[above], above[above]
        return depth

    @property
    def max_depth(self):
        """Number of splits on the longest path from the root to a leaf."""
        return int(self.depth.max())

    @cached_property
    def size(self):
        """Number of nodes in the subtree of each node, itself included; (n_nodes,)."""
        return self.subtree_sum(np.ones(self.n_nodes, dtype=int), leaves_only=False)

    def subtree_sum(self, amounts, leaves_only=True):
        """Sum `amounts` over the leaves, or all nodes, of each node's subtree; (n_nodes,).

        Parameters
        ----------
        amounts : ndarray of shape (n_nodes,)
        leaves_only : bool, default=True
        """
        total = np.where(self.is_leaf, amounts, 0 if leaves_only else amounts)
        for depth in range(self.max_depth, 0, -1):
            nodes = np.flatnonzero(self.depth == depth)
            np.add.at(total, self.parent[nodes], total[nodes])
        return total

    def after_collapse(self, nodes):
        """Return what remains when `nodes` become leaves and everything below them is removed.

        Three arrays: the nodes that are left and whether they are leaves now, (n_kept,) both;
        and the new number of each node or, if it is gone, of the leaf it is in now, (n_nodes,).
        """
        nodes, last = np.array([*nodes], dtype=int), self.n_nodes - 1
        unknown = np.setdiff1d(nodes, np.arange(self.n_nodes)).tolist()
        if unknown:
            raise ValueError(f"nodes must be node numbers from 0 to {last}, got {unknown}.")
        # Node t opens a run of removed nodes at t + 1, which closes at t + size[t].
        edges = np.zeros(self.n_nodes + 1, dtype=int)
        np.add.at(edges, nodes + 1, 1)
        np.add.at(edges, nodes + self.size[nodes], -1)
        kept = np.flatnonzero(np.cumsum(edges)[:-1] == 0)
        number = np.searchsorted(kept, np.arange(self.n_nodes), side="right") - 1
        return kept, self.is_leaf[kept] | np.isin(kept, nodes), number


class Frozen:
    """Data class whose arrays are read-only, pickled or not."""

    def _arrays(self):
        """Return the fields that are arrays, by name."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}

    def __post_init__(self):
        for array in self._arrays().values():
            array.flags.writeable = False

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.__post_init__()  # unpickled arrays are writable again
