"""A tree whose questions have more than two answers.

Nodes are of two kinds. A `Leaf` holds the weight of each class that fell into it; a
`Split` holds the same, its question, and the number of the child on each branch. They
stand in preorder, each node before its branches, so nothing here needs recursion and a
subtree is an unbroken run of nodes, as in `treelab.tree`.

Vocabulary
----------
t : a node, its number; the root is 0
sums : weight of each class in a node (n_classes,); in a tree for numbers (sum w, sum wy,
    sum wy**2)
weight : sum of the weights in a node; fractions, where rows with unknown values were dealt
empty : a branch that no training row took; it answers as its parent would
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treelab.c45.splits import SLACK, CutTest, LevelTest, deal, shares_of
from treelab.c45.words import MultiwayWords

__all__ = ["Leaf", "MultiwayTree", "Split"]


class Frozen:
    """A node whose sums cannot be written to, pickled or not."""

    def __post_init__(self):
        self.sums.flags.writeable = False

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.__post_init__()


@dataclass(frozen=True, eq=False)
class Leaf(Frozen):
    """A node that answers.

    Parameters
    ----------
    sums : ndarray of shape (n_sums,)
    """

    sums: np.ndarray


@dataclass(frozen=True, eq=False)
class Split(Frozen):
    """A node that asks.

    Parameters
    ----------
    sums : ndarray of shape (n_sums,)
    test : LevelTest or CutTest
    children : tuple of int
        Number of the child on each branch.
    gain : float
        What the question was chosen for: information gain in bits, corrected where the rule
        corrects it; in a tree for numbers the weighted variance.
    ratio : float
        Gain ratio; NaN in a tree for numbers.
    """

    sums: np.ndarray
    test: LevelTest | CutTest
    children: tuple
    gain: float
    ratio: float


@dataclass(frozen=True, eq=False)
class MultiwayTree(MultiwayWords):
    """Leaves and splits in preorder.

    Parameters
    ----------
    nodes : tuple of Leaf or Split
    numeric : bool, default=False
        True where the tree predicts numbers.

    Examples
    --------
    >>> from treelab import ID3Classifier
    >>> tree = ID3Classifier().fit([["a"], ["b"], ["c"]], [0, 0, 1]).tree_
    >>> tree.n_nodes, tree.n_leaves, tree.max_depth
    (4, 3, 1)
    >>> tree.nodes[0].children
    (1, 2, 3)
    """

    nodes: tuple
    numeric: bool = False

    # --- shape -----------------------------------------------------------------------

    @property
    def n_nodes(self):
        """Number of nodes, leaves included."""
        return len(self.nodes)

    @cached_property
    def is_leaf(self):
        """True for the leaves; shape (n_nodes,)."""
        return np.array([isinstance(node, Leaf) for node in self.nodes])

    @property
    def n_leaves(self):
        """Number of leaves, empty ones included."""
        return int(self.is_leaf.sum())

    @cached_property
    def parent(self):
        """Parent of each node, -1 for the root; shape (n_nodes,)."""
        parent = np.full(self.n_nodes, -1)
        for t in np.flatnonzero(~self.is_leaf):
            parent[list(self.nodes[t].children)] = t
        return parent

    @cached_property
    def depth(self):
        """Number of questions between the root and each node; shape (n_nodes,)."""
        depth = np.zeros(self.n_nodes, dtype=int)
        for t in range(1, self.n_nodes):
            depth[t] = depth[self.parent[t]] + 1
        return depth

    @property
    def max_depth(self):
        """Number of questions on the longest way from the root to a leaf."""
        return int(self.depth.max())

    @cached_property
    def sums(self):
        """Weight of each class in each node; shape (n_nodes, n_sums)."""
        return np.array([node.sums for node in self.nodes])

    @cached_property
    def weight(self):
        """Weight of each node; shape (n_nodes,)."""
        return self.sums[:, 0] if self.numeric else self.sums.sum(axis=1)

    @cached_property
    def answer_sums(self):
        """The sums each node answers with, an empty node's parent's; (n_nodes, n_sums)."""
        sums = self.sums.copy()
        for t in range(1, self.n_nodes):
            if self.weight[t] <= SLACK:
                sums[t] = sums[self.parent[t]]
        return sums

    @cached_property
    def answer_class(self):
        """Class of each node, as a number, the first of equals; shape (n_nodes,)."""
        return self.answer_sums.argmax(axis=1)

    def subtree_sum(self, amounts, leaves_only=True):
        """Sum of `amounts` over the leaves, or all nodes, of the subtree of each node.

        Parameters
        ----------
        amounts : ndarray of shape (n_nodes,)
        leaves_only : bool, default=True

        Returns
        -------
        ndarray of shape (n_nodes,)
        """
        total = np.where(self.is_leaf, amounts, 0 if leaves_only else amounts)
        for t in range(self.n_nodes - 1, 0, -1):  # children before parents
            total[self.parent[t]] += total[t]
        return total

    @cached_property
    def size(self):
        """Number of nodes of the subtree of each node, itself included; (n_nodes,)."""
        return self.subtree_sum(np.ones(self.n_nodes, dtype=int), leaves_only=False)

    # --- rows on their way -----------------------------------------------------------

    def descend(self, table, weights=None):
        """Send rows down and say who arrives where.

        Parameters
        ----------
        table : ndarray of shape (n_rows, n_features)
            Level codes and numbers, NaN where unknown.
        weights : ndarray of shape (n_rows,), default=None
            None gives each row the weight 1.

        Yields
        ------
        t : int
            Every node, in preorder.
        rows, weights : ndarray
            The rows that reach it, and the part of their weight that does.
        """
        weights = np.ones(len(table)) if weights is None else weights
        waiting = [(0, np.arange(len(table)), weights)]
        while waiting:
            t, rows, weights = waiting.pop()
            yield t, rows, weights
            node = self.nodes[t]
            if isinstance(node, Split):
                children = list(node.children)
                share = shares_of(self.weight[children])
                dealt = deal(node.test, table, rows, weights, share)
                for child, group in zip(children[::-1], dealt[::-1], strict=True):
                    waiting.append((child, *group))

    def answers(self, table, values):
        """Mean of the leaves' `values`, weighted by the part of a row in each leaf.

        Parameters
        ----------
        table : ndarray of shape (n_rows, n_features)
        values : ndarray of shape (n_nodes, n_outputs)

        Returns
        -------
        ndarray of shape (n_rows, n_outputs)
        """
        out = np.zeros((len(table), values.shape[1]))
        for t, rows, weights in self.descend(table):
            if self.is_leaf[t]:
                out[rows] += weights[:, None] * values[t]
        return out

    def shares(self, table, laplace=0.0):
        """Class shares of the leaves that the rows of `table` reach.

        Parameters
        ----------
        table : ndarray of shape (n_rows, n_features)
        laplace : float, default=0.0
            Added to each class weight of a leaf before shares are taken.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        sums = self.answer_sums + laplace
        return self.answers(table, sums / sums.sum(axis=1, keepdims=True))

    # --- smaller trees ---------------------------------------------------------------

    def collapse(self, nodes):
        """The tree in which `nodes` are leaves and everything below them is gone.

        Parameters
        ----------
        nodes : iterable of int

        Returns
        -------
        MultiwayTree
        """
        nodes = {int(t) for t in nodes}
        unknown = sorted(t for t in nodes if not 0 <= t < self.n_nodes)
        if unknown:
            raise ValueError(
                f"nodes must be node numbers from 0 to {self.n_nodes - 1}, got {unknown}."
            )
        keep, t = [], 0
        while t < self.n_nodes:
            keep.append(t)
            t += int(self.size[t]) if t in nodes else 1
        number = {t: i for i, t in enumerate(keep)}
        new = []
        for t in keep:
            node = self.nodes[t]
            if t in nodes:
                node = Leaf(node.sums)
            elif isinstance(node, Split):
                node = replace(node, children=tuple(number[c] for c in node.children))
            new.append(node)
        return self._with_nodes(new, keep)

    def _with_nodes(self, nodes, kept):
        """The tree of `nodes`, which were the nodes number `kept` of this one."""
        return replace(self, nodes=tuple(nodes))
