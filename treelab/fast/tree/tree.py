"""Binary decision trees, and the paths of rows through them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treelab.fast.impurity import IMPURITIES
from treelab.fast.tree.shape import Frozen, Shape
from treelab.fast.tree.words import Words, question

__all__ = ["LEAF", "UNDEFINED", "Tree", "pick", "side_by_side"]

LEAF = -1  # no child
UNDEFINED = -2  # feature and threshold of a leaf, as in scikit-learn
BLOCK = 8192  # rows that walk down the tree together


def pick(amounts, index):
    """Return ``amounts[..., index]`` in half the time, without checking the range of `index`.

    >>> pick(np.array([5, 6, 7]), np.array([2, 0, 0])).tolist()
    [7, 5, 5]
    """
    return amounts.take(index, axis=-1, mode="clip")


@dataclass(frozen=True, eq=False)
class Tree(Frozen, Shape, Words):
    """Binary decision tree as flat, read-only arrays, with a row for each node.

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
    n_node_samples, weighted_n_node_samples : ndarray of shape (n_nodes,)
        Rows of the training data in the node, and their weight.
    left_levels : ndarray of bool, shape (n_nodes, n_levels)
        Categories that go left, for the nodes that test a categorical feature. n_levels is that
        of the longest list of categories, or 0 without categorical features.
    criterion : str
        Name of the impurity that the tree was grown with.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "a", "b"]).tree_
    >>> tree.node_count, tree.n_leaves, tree.max_depth, tree.collapse([0]).node_count
    (3, 2, 1, 1)
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

    # --- shape -----------------------------------------------------------------------

    node_count = Shape.n_nodes  # scikit-learn's name

    @cached_property
    def is_leaf(self):
        """Mask of the leaves; shape (n_nodes,)."""
        return self.children_left == LEAF

    @cached_property
    def parent(self):
        """Parent of each node, -1 for the root; shape (n_nodes,)."""
        parent = np.full(len(self.feature), -1)
        inner = np.flatnonzero(self.children_left != LEAF)
        parent[self.children_left[inner]] = inner
        parent[self.children_right[inner]] = inner
        return parent

    @cached_property
    def impurity_decrease(self):
        """Decrease in weight times impurity by the split of each node, 0 for a leaf; (n_nodes,)."""
        R = self.weighted_n_node_samples * self.impurity
        return np.where(self.is_leaf, 0.0, R - R[self.children_left] - R[self.children_right])

    def decrease_by_feature(self, n_features):
        """Sum `impurity_decrease` over the splits on each feature; (n_features,)."""
        inner = np.flatnonzero(~self.is_leaf)
        return np.bincount(self.feature[inner], self.impurity_decrease[inner], n_features)

    def collapse(self, nodes):
        """Return the tree in which `nodes` are leaves and everything below them is removed."""
        kept, leaf, number = self.after_collapse(nodes)
        new = {name: array[kept] for name, array in self._arrays().items()}
        for side in ("children_left", "children_right"):
            new[side] = np.where(leaf, LEAF, number[new[side]])
        new["feature"] = np.where(leaf, UNDEFINED, new["feature"])
        new["threshold"] = np.where(leaf, float(UNDEFINED), new["threshold"])
        new["left_levels"] = new["left_levels"] & ~leaf[:, None]
        return replace(self, **new)

    def equals(self, other):
        """Return whether both trees have the same nodes, splits and values, bit for bit."""
        mine, theirs = self._arrays(), other._arrays()
        same = (np.array_equal(mine[n], theirs[n], equal_nan=n == "threshold") for n in mine)
        return self.criterion == other.criterion and all(same)

    # --- prediction ------------------------------------------------------------------

    def goes_left(self, node, x):
        """Return whether the feature value x sends each row left at an inner node; (n_rows,)."""
        left = x <= pick(self.threshold, node)
        if self.left_levels.shape[1]:
            by_level = np.flatnonzero(np.isnan(self.threshold[node]))
            left[by_level] = self.left_levels[node[by_level], x[by_level].astype(int)]
        return left

    def apply(self, X):
        """Return the leaf of each row of `X` (n_rows, n_features), categories coded; (n_rows,)."""
        starts = range(0, max(len(X), 1), BLOCK)
        return np.concatenate([self.descend(X[start : start + BLOCK]) for start in starts])

    def descend(self, X, node=None, who=None):
        """Return the leaf of each row of a block that fits into the processor's cache; (n_rows,).

        Each row sets out from its own `node`, from the root if None. If row k of X is not the k-th
        to walk, `who` has the rows, and may have them more than once.
        """
        cells, (n, d) = X.ravel(), X.shape
        feature, child = self._steps
        leaf = np.zeros(n, dtype=int) if node is None else node.copy()
        row = np.arange(n) if node is None else np.flatnonzero(~self.is_leaf[node])
        node = leaf[row]
        while len(row):  # the rows still on their way
            first = d * (row if who is None else pick(who, row))
            for _ in range(3):  # a row that has arrived stays where it is
                left = self.goes_left(node, pick(cells, first + pick(feature, node)))
                node = pick(child, 2 * node + left)
            leaf[row] = node
            going = (~pick(self.is_leaf, node)).nonzero()[0]
            row, node = pick(row, going), pick(node, going)
        return leaf

    @cached_property
    def _steps(self):
        """Feature of each node, 0 for a leaf; and (right, left) children, a leaf's own number."""
        node = np.arange(len(self.feature))
        child = np.where(self.is_leaf, node, [self.children_right, self.children_left])
        return np.where(self.is_leaf, 0, self.feature), child.T.ravel()

    def predict(self, X):
        """Return the value of the leaf of each row, (n_rows, n_outputs): proportions or numbers."""
        return self.value[self.apply(X), 0]

    def path(self, x):
        """Return the nodes on the path of a row x (n_features,) from root to leaf; list of int."""
        t, nodes = 0, [0]
        while self.children_left[t] != LEAF:
            left = self.goes_left(np.array([t]), np.asarray(x)[self.feature[[t]]])[0]
            t = int(self.children_left[t] if left else self.children_right[t])
            nodes.append(t)
        return nodes

    # --- words -----------------------------------------------------------------------

    @property
    def is_classifier(self):
        """Whether `value` holds class proportions."""
        return self.criterion in IMPURITIES

    @cached_property
    def prediction(self):
        """Class of each node as a number, the first in a tie; or its value; (n_nodes,)."""
        return self.value[:, 0].argmax(axis=1) if self.is_classifier else self.value[:, 0, 0]

    def test(self, t, feature_names=None, categories=None, left=True, digits=4):
        """Return the test of inner node `t`, or its negation; str. Parameters as in `question`."""
        child = (self.children_left if left else self.children_right)[t]
        return self.answer(child, feature_names, categories, digits)

    def words_of_branch(self, t, child, name, levels, digits):
        """Return the outcome of the split of node `t` that leads to a child, in words; str."""
        left = self.children_left[t] == child
        return question(name, self.threshold[t], self.left_levels[t], levels, left, digits)

    def columns_of_frame(self, answers, feature_names, class_names):
        """Return the columns of `to_frame` beside depth and parent; dict."""
        rule = [answer or None for answer in answers]
        outputs = {
            f"share_{k}" if self.is_classifier else "value": self.value[:, 0, k]
            for k in range(self.value.shape[2])
        }
        return {
            "rule": rule,  # what leads to the node; the test is what leads to its left child
            "test": [None if t == LEAF else rule[t] for t in self.children_left],
            "left": self.children_left,
            "right": self.children_right,
            "n": self.n_node_samples,
            "weight": self.weighted_n_node_samples,
            "impurity": self.impurity,
        } | outputs


def side_by_side(trees):
    """Concatenate the nodes of several trees; also return where the root of each tree is.

    Rows of all trees walk down together, each from its root: see `Tree.descend`. Whatever else a
    `Tree` has takes node 0 for the only root.

    Parameters
    ----------
    trees : list of Tree
        Of one ensemble.

    Returns
    -------
    Tree, ndarray of int of shape (n_trees,)
    """
    sizes = [len(tree.feature) for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    arrays = [tree._arrays() for tree in trees]
    nodes = {name: np.concatenate([each[name] for each in arrays]) for name in arrays[0]}
    for side in ("children_left", "children_right"):
        nodes[side] = np.where(nodes[side] == LEAF, LEAF, nodes[side] + np.repeat(roots, sizes))
    return replace(trees[0], **nodes), roots
