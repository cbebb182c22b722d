"""Multiway decision trees, in preorder as in `treelab.fast.tree`.

Vocabulary
----------
sums : weight of each class in a node (n_classes,); in a regression tree (sum w, sum wy,
    sum wy**2)
weight : sum of the weights in a node; fractions, where rows with unknown values were distributed
empty : a branch that no training row took; it predicts what its parent would
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treelab.fast.c45.splits import SLACK, CutTest, LevelTest, distribute, shares_of
from treelab.fast.tree import UNDEFINED, Frozen, Shape, Words

__all__ = ["Leaf", "MultiwayTree", "Split"]


@dataclass(frozen=True, eq=False)
class Leaf(Frozen):
    """Leaf with its sums; ndarray of shape (n_sums,)."""

    sums: np.ndarray


@dataclass(frozen=True, eq=False)
class Split(Frozen):
    """Inner node.

    Parameters
    ----------
    sums : ndarray of shape (n_sums,)
    test : LevelTest or CutTest
    children : tuple of int
        Number of the child on each branch.
    gain : float
        What the question was chosen for: information gain in bits, corrected where the rule
        corrects it; in a regression tree the weighted variance.
    ratio : float
        Gain ratio; NaN in a regression tree.
    """

    sums: np.ndarray
    test: LevelTest | CutTest
    children: tuple
    gain: float
    ratio: float


@dataclass(frozen=True, eq=False)
class MultiwayTree(Shape, Words):
    """Multiway tree: leaves and splits in preorder.

    Parameters
    ----------
    nodes : tuple of Leaf or Split
    numeric : bool, default=False
        True where the tree predicts numbers.

    Examples
    --------
    >>> from treelab import ID3Classifier
    >>> tree = ID3Classifier().fit([["a"], ["b"], ["c"]], [0, 0, 1]).tree_
    >>> tree.n_nodes, tree.n_leaves, tree.max_depth, tree.nodes[0].children
    (4, 3, 1, (1, 2, 3))
    """

    nodes: tuple
    numeric: bool = False

    @cached_property
    def children(self):
        """Children of each node, none of a leaf; list of tuple of int."""
        return [getattr(node, "children", ()) for node in self.nodes]

    @cached_property
    def feature(self):
        """Feature that each node tests, -2 for a leaf; shape (n_nodes,)."""
        tests = [getattr(node, "test", None) for node in self.nodes]
        return np.array([UNDEFINED if test is None else test.feature for test in tests])

    @cached_property
    def sums(self):
        """Weight of each class in each node; shape (n_nodes, n_sums)."""
        return np.array([node.sums for node in self.nodes])

    @cached_property
    def weight(self):
        """Weight of each node; shape (n_nodes,)."""
        return self.sums[:, 0] if self.numeric else self.sums.sum(axis=1)

    @cached_property
    def predicted_sums(self):
        """Sums from which each node predicts, its parent's if it is empty; (n_nodes, n_sums)."""
        sums = self.sums.copy()
        for t in np.flatnonzero(self.weight[1:] <= SLACK) + 1:
            sums[t] = sums[self.parent[t]]
        return sums

    @cached_property
    def predicted_class(self):
        """Class of each node as a number, the first in a tie; shape (n_nodes,)."""
        return self.predicted_sums.argmax(axis=1)

    def collapse(self, nodes):
        """Return the tree in which `nodes` are leaves and everything below them is removed."""
        kept, is_leaf, number = self.after_collapse(nodes)
        new = [self.nodes[t] for t in kept]
        for i, t in enumerate(kept):
            children = tuple(number[list(self.children[t])].tolist())
            new[i] = Leaf(new[i].sums) if is_leaf[i] else replace(new[i], children=children)
        return self._with_nodes(new, kept)

    def _with_nodes(self, nodes, kept):
        """Return the tree of `nodes`, which had the numbers `kept` in this one."""
        return replace(self, nodes=tuple(nodes))

    # --- rows on their way -----------------------------------------------------------

    def descend(self, table, weights=None):
        """Send rows down the tree: yields the rows that reach each node.

        Yields every node in preorder, the rows that reach it, and the part of their weight that
        does. `table` (n_rows, n_features) holds category codes and numbers, NaN where unknown;
        `weights` (n_rows,) are 1 if None.
        """
        weights = np.ones(len(table)) if weights is None else weights
        waiting = [(0, np.arange(len(table)), weights)]
        while waiting:
            t, rows, weights = waiting.pop()
            yield t, rows, weights
            children = list(self.children[t])
            if children:
                share = shares_of(self.weight[children])
                groups = distribute(self.nodes[t].test, table, rows, weights, share)
                waiting += [(c, *g) for c, g in zip(children, groups, strict=True)][::-1]

    def leaf_means(self, table, values):
        """Average the leaves' `values` (n_nodes, n_outputs) by the part of a row in each leaf."""
        out = np.zeros((len(table), values.shape[1]))
        for t, rows, weights in self.descend(table):
            if self.is_leaf[t]:
                out[rows] += weights[:, None] * values[t]
        return out

    def shares(self, table, laplace=0.0):
        """Return the class proportions of the reached leaves, `laplace` added to all sums."""
        sums = self.predicted_sums + laplace
        return self.leaf_means(table, sums / sums.sum(axis=1, keepdims=True))

    # --- words -----------------------------------------------------------------------

    @property
    def is_classifier(self):
        """Whether the tree predicts classes."""
        return not self.numeric

    @property
    def prediction(self):
        """Class of each node as a number, or its mean; shape (n_nodes,)."""
        sums = self.predicted_sums
        return sums[:, 1] / sums[:, 0] if self.numeric else self.predicted_class

    def words_of_branch(self, t, child, name, levels, digits):
        """Return the outcome of the split of node `t` that leads to a child, in words; str."""
        node = self.nodes[t]
        return node.test.words(node.children.index(child), name, levels, digits)

    def counts(self, t, digits=4):
        """Return the weight of node `t`, and of its misclassified rows: ``(3.38/0.38)``; str."""
        wrong = 0.0 if self.numeric else self.weight[t] - self.sums[t].max()
        total = f"{self.weight[t]:.{digits}g}"
        return f"({total}/{wrong:.{digits}g})" if wrong > 1e-6 else f"({total})"

    def leaf_words(self, t, class_names=None, digits=4):
        """Return the prediction of a leaf and its `counts` in words; str."""
        return f"{self.says(t, class_names, digits)} {self.counts(t, digits)}"

    def columns_of_frame(self, answers, feature_names, class_names):
        """Return the columns of `to_frame` beside depth and parent; dict."""
        names = range(self.feature.max() + 1) if feature_names is None else feature_names
        tests = [getattr(node, "test", None) for node in self.nodes]
        columns = {
            "branch": answers,  # what leads from the parent to the node
            "feature": [None if test is None else names[test.feature] for test in tests],
            "threshold": [getattr(test, "threshold", np.nan) for test in tests],
            "weight": self.weight,
            "gain": [getattr(node, "gain", np.nan) for node in self.nodes],
            "gain_ratio": [getattr(node, "ratio", np.nan) for node in self.nodes],
        }
        if self.numeric:
            return columns | {"value": self.prediction}
        classes = range(len(self.sums.T)) if class_names is None else class_names
        return columns | {f"weight_{k}": w for k, w in zip(classes, self.sums.T, strict=True)}
