"""A tree is a table of nodes.

Growing makes a `Tree`, pruning maps it to a smaller one, prediction, importance and
pictures only read it. The nodes are the rows of a few flat arrays, numbered so that each
node stands before its left subtree and that before its right subtree (preorder). So the
subtree of node t is the unbroken run of rows t, t+1, ..., t + size[t] - 1, and many
questions about subtrees are slices.

Vocabulary
----------
t : a node, its row number; the root is 0
leaf : a node without children; its row holds ``LEAF`` as both children
x : one row of X; it goes left at t when x[feature[t]] <= threshold[t]
level : value of a categorical feature, coded 0, 1, 2, ...; it goes left when
    left_levels[t, level] is true
"""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from treelab.tree.arrays import pick
from treelab.tree.words import Words

__all__ = ["LEAF", "Tree"]

LEAF = -1  # no child
UNDEFINED = -2  # feature and threshold of a leaf, as in scikit-learn
BLOCK = 8192  # rows that walk down the tree together


@dataclass(frozen=True, eq=False)
class Tree(Words):
    """A binary decision tree as flat, read-only arrays.

    Parameters
    ----------
    children_left, children_right : ndarray of shape (n_nodes,)
        Node numbers of the children, ``LEAF`` (-1) for a leaf.
    feature : ndarray of shape (n_nodes,)
        Column that a node tests, -2 for a leaf.
    threshold : ndarray of shape (n_nodes,)
        ``x <= threshold`` goes left. -2 for a leaf, NaN where the test is categorical.
    value : ndarray of shape (n_nodes, 1, n_outputs)
        Class shares of the node, or its predicted number; the shape is scikit-learn's.
    impurity : ndarray of shape (n_nodes,)
        Impurity per unit of weight.
    n_node_samples : ndarray of shape (n_nodes,)
        Rows of the training data in the node.
    weighted_n_node_samples : ndarray of shape (n_nodes,)
        Their weight.
    left_levels : ndarray of bool, shape (n_nodes, n_levels)
        Levels that go left, for the nodes that test a categorical feature. Its second
        axis is as long as the longest list of levels, or 0 without categorical features.
    criterion : str
        Name of the impurity that the tree was grown with.

    Notes
    -----
    Two trees are equal when all their arrays are; see `equals`.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "a", "b"]).tree_
    >>> tree.node_count, tree.n_leaves, tree.max_depth
    (3, 2, 1)
    >>> tree.apply(np.array([[0.0], [2.6]])).tolist()
    [1, 2]
    """

    children_left: np.ndarray
    children_right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    value: np.ndarray
    impurity: np.ndarray
    n_node_samples: np.ndarray
    weighted_n_node_samples: np.ndarray
    left_levels: np.ndarray
    criterion: str

    def __post_init__(self):
        for array in self._arrays().values():
            array.flags.writeable = False

    def _arrays(self):
        """The array fields by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "criterion"}

    def __setstate__(self, state):
        """Unpickled arrays are writable again; close them."""
        self.__dict__.update(state)
        self.__post_init__()

    # --- shape of the tree -----------------------------------------------------------

    @property
    def node_count(self):
        """Number of nodes, leaves included."""
        return len(self.feature)

    @cached_property
    def is_leaf(self):
        """True for the leaves; shape (n_nodes,)."""
        return self.children_left == LEAF

    @property
    def n_leaves(self):
        """Number of leaves."""
        return int(self.is_leaf.sum())

    @property
    def max_depth(self):
        """Number of tests on the longest way from the root to a leaf."""
        return int(self.depth.max())

    @property
    def is_classifier(self):
        """True where `value` holds class shares."""
        return self.criterion in ("gini", "entropy", "misclassification")

    @cached_property
    def parent(self):
        """Parent of each node, -1 for the root; shape (n_nodes,)."""
        parent = np.full(self.node_count, -1)
        inner = np.flatnonzero(~self.is_leaf)
        parent[self.children_left[inner]] = inner
        parent[self.children_right[inner]] = inner
        return parent

    @cached_property
    def depth(self):
        """Number of tests between the root and each node; shape (n_nodes,)."""
        depth = np.zeros(self.node_count, dtype=int)
        nodes = np.array([0])
        while len(nodes):
            inner = nodes[self.children_left[nodes] != LEAF]
            nodes = np.concatenate([self.children_left[inner], self.children_right[inner]])
            depth[nodes] = np.tile(depth[inner] + 1, 2)
        return depth

    @cached_property
    def size(self):
        """Number of nodes of the subtree under each node, itself included; (n_nodes,)."""
        return self.subtree_sum(np.ones(self.node_count, dtype=int), leaves_only=False)

    def subtree_sum(self, amounts, leaves_only=True):
        """Sum of `amounts` over the subtree of each node.

        Parameters
        ----------
        amounts : ndarray of shape (n_nodes,)
        leaves_only : bool, default=True
            Sum over the leaves of the subtree, or over all its nodes.

        Returns
        -------
        ndarray of shape (n_nodes,)
        """
        total = np.where(self.is_leaf, amounts, 0 if leaves_only else amounts)
        for level in range(self.max_depth, 0, -1):
            nodes = np.flatnonzero(self.depth == level)
            np.add.at(total, self.parent[nodes], total[nodes])
        return total

    @cached_property
    def impurity_decrease(self):
        """What the split of each node takes off weight times impurity, 0 for a leaf; (n_nodes,)."""
        R = self.weighted_n_node_samples * self.impurity
        return np.where(self.is_leaf, 0.0, R - R[self.children_left] - R[self.children_right])

    def decrease_by_feature(self, n_features):
        """Sum of `impurity_decrease` over the splits on each feature; (n_features,)."""
        inner = np.flatnonzero(~self.is_leaf)
        return np.bincount(self.feature[inner], self.impurity_decrease[inner], n_features)

    def collapse(self, nodes):
        """The tree in which `nodes` are leaves and everything below them is gone.

        Parameters
        ----------
        nodes : array-like of int
            Nodes to turn into leaves. Leaves among them stay what they are.

        Returns
        -------
        Tree

        Examples
        --------
        >>> from treelab import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit([[1], [2], [3]], [1.0, 2.0, 5.0]).tree_
        >>> tree.n_leaves, tree.collapse([1]).n_leaves, tree.collapse([0]).n_leaves
        (3, 2, 1)
        """
        nodes = np.asarray(nodes, dtype=int)
        if len(nodes) and not (nodes.min() >= 0 and nodes.max() < self.node_count):
            raise ValueError(f"nodes must be node numbers from 0 to {self.node_count - 1}.")
        becomes_leaf = self.is_leaf.copy()
        becomes_leaf[nodes] = True
        # Node t opens a run of removed rows at t + 1, which closes at t + size[t].
        edges = np.zeros(self.node_count + 1, dtype=int)
        np.add.at(edges, nodes + 1, 1)
        np.add.at(edges, nodes + self.size[nodes], -1)
        keep = np.cumsum(edges)[:-1] == 0
        number = np.cumsum(keep) - 1  # new number of each kept node
        new = {name: array[keep] for name, array in self._arrays().items()}
        leaf = becomes_leaf[keep]
        for side in ("children_left", "children_right"):
            new[side] = np.where(leaf, LEAF, number[new[side]])
        new["feature"] = np.where(leaf, UNDEFINED, new["feature"])
        new["threshold"] = np.where(leaf, float(UNDEFINED), new["threshold"])
        new["left_levels"] = new["left_levels"] & ~leaf[:, None]
        return Tree(**new, criterion=self.criterion)

    def equals(self, other):
        """True where both trees have the same nodes, tests and values, bit for bit."""
        mine, theirs = self._arrays(), other._arrays()
        return self.criterion == other.criterion and all(
            np.array_equal(mine[name], theirs[name], equal_nan=name == "threshold") for name in mine
        )

    # --- prediction ------------------------------------------------------------------

    def goes_left(self, node, x):
        """Whether the value `x` of its feature sends a row left at `node`.

        Parameters
        ----------
        node : ndarray of int, shape (n_rows,)
            Inner nodes.
        x : ndarray of shape (n_rows,)
            Value of ``feature[node]`` in each row; a level's code if it is categorical.

        Returns
        -------
        ndarray of bool, shape (n_rows,)
        """
        left = x <= pick(self.threshold, node)
        if self.left_levels.shape[1]:
            by_level = np.flatnonzero(np.isnan(self.threshold[node]))
            left[by_level] = self.left_levels[node[by_level], x[by_level].astype(int)]
        return left

    def apply(self, X):
        """The leaf of each row.

        Parameters
        ----------
        X : ndarray of float, shape (n_rows, n_features)
            Categorical features as level codes.

        Returns
        -------
        ndarray of int, shape (n_rows,)
        """
        leaf = np.zeros(len(X), dtype=int)
        for start in range(0, len(X) if self.node_count > 1 else 0, BLOCK):
            block = slice(start, start + BLOCK)
            leaf[block] = self._descend(np.ascontiguousarray(X[block]))
        return leaf

    def _descend(self, X):
        """The leaf of each row of a block that fits into the processor's cache."""
        cells, (n, p) = X.ravel(), X.shape
        feature, child = self._steps
        leaf, row, node = np.zeros(n, dtype=int), np.arange(n), np.zeros(n, dtype=int)
        while len(row):  # the rows still on their way
            first = row * p
            for _ in range(3):  # a row that has arrived stays where it is
                left = self.goes_left(node, pick(cells, first + pick(feature, node)))
                node = pick(child, 2 * node + left)
            leaf[row] = node
            going = np.flatnonzero(~pick(self.is_leaf, node))
            row, node = pick(row, going), pick(node, going)
        return leaf

    @cached_property
    def _steps(self):
        """Feature of each node, 0 for a leaf; and (right, left) children, a leaf's own number."""
        node = np.arange(self.node_count)
        child = np.column_stack([self.children_right, self.children_left])
        child = np.where(self.is_leaf[:, None], node[:, None], child)
        return np.where(self.is_leaf, 0, self.feature), child.ravel()

    def predict(self, X):
        """Value of the leaf of each row, shape (n_rows, n_outputs): shares or a number."""
        return self.value[self.apply(X), 0]

    def path(self, x):
        """The nodes that one row passes, from the root to its leaf.

        Parameters
        ----------
        x : ndarray of shape (n_features,)

        Returns
        -------
        list of int
        """
        t, nodes = 0, [0]
        while self.children_left[t] != LEAF:
            left = self.goes_left(np.array([t]), np.asarray(x)[self.feature[[t]]])[0]
            t = int(self.children_left[t] if left else self.children_right[t])
            nodes.append(t)
        return nodes
