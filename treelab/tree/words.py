"""A tree in words: its questions, its nodes as a table, and the whole as text.

These are methods of `treelab.tree.Tree`, kept in a room of their own.

Vocabulary
----------
t : a node, its row number
question : the test of a node in words, ``age <= 5`` or ``color in {green, red}``
"""

import numpy as np
import pandas as pd

__all__ = ["Words", "question"]


class Words:
    """The part of a `Tree` that speaks."""

    def test(self, t, feature_names=None, categories=None, left=True, digits=4):
        """The question of node `t` in words, as it reads for the rows that go left.

        Parameters
        ----------
        t : int
            An inner node.
        feature_names : sequence of str, default=None
            ``x[0]``, ``x[1]``, ... if None.
        categories : dict, default=None
            Names of the levels of each categorical feature, by column number.
        left : bool, default=True
            False gives the opposite, which holds for the rows that go right.
        digits : int, default=4
            Significant digits of a threshold.

        Returns
        -------
        str
        """
        j = int(self.feature[t])
        name = f"x[{j}]" if feature_names is None else str(feature_names[j])
        levels = None if categories is None else categories.get(j)
        return question(name, self.threshold[t], self.left_levels[t], levels, left, digits)

    def to_frame(self, feature_names=None, categories=None):
        """One row for each node, in words.

        Parameters
        ----------
        feature_names, categories
            As in `test`.

        Returns
        -------
        DataFrame
            Indexed by node, with columns ``depth, parent, rule, test, left, right, n,
            weight, impurity`` and one column ``value`` (regression) or ``share_0``,
            ``share_1``, ... (classification). ``rule`` is the answer that leads from the
            parent to the node, ``test`` the question that the node asks; missing at the
            root and at the leaves.
        """
        names = (feature_names, categories)
        test, rule = [None] * self.node_count, [None] * self.node_count
        for t in np.flatnonzero(~self.is_leaf):
            test[t] = rule[self.children_left[t]] = self.test(t, *names)
            rule[self.children_right[t]] = self.test(t, *names, left=False)
        frame = pd.DataFrame(
            {
                "depth": self.depth,
                "parent": self.parent,
                "rule": rule,
                "test": test,
                "left": self.children_left,
                "right": self.children_right,
                "n": self.n_node_samples,
                "weight": self.weighted_n_node_samples,
                "impurity": self.impurity,
            }
        ).rename_axis("node")
        for k in range(self.value.shape[2]):
            frame[f"share_{k}" if self.is_classifier else "value"] = self.value[:, 0, k]
        return frame

    def export_text(self, feature_names=None, categories=None, class_names=None, digits=4):
        """The tree as indented text.

        Parameters
        ----------
        feature_names, categories, digits
            As in `test`.
        class_names : sequence, default=None
            Names of the classes; their numbers if None.

        Returns
        -------
        str
        """
        lines = []
        for t in range(self.node_count):  # preorder is reading order
            if t > 0:
                up = int(self.parent[t])
                left = bool(self.children_left[up] == t)
                words = self.test(up, feature_names, categories, left, digits)
                lines.append("|   " * int(self.depth[t] - 1) + f"|--- {words}")
            if self.is_leaf[t]:
                lines.append("|   " * int(self.depth[t]) + f"|--- {self._answer(t, class_names)}")
        return "\n".join(lines) + "\n"

    def _answer(self, t, class_names, digits=4):
        """What a leaf predicts, in words."""
        if not self.is_classifier:
            return f"value: {self.value[t, 0, 0]:.{digits}g}"
        k = int(self.value[t, 0].argmax())
        return f"class: {k if class_names is None else class_names[k]}"


def question(name, threshold, left_levels, levels=None, left=True, digits=4):
    """A test in words: ``age <= 5`` or ``color in {green, red}``.

    Parameters
    ----------
    name : str
        The feature.
    threshold : float
        NaN for a categorical test.
    left_levels : ndarray of bool, shape (n_levels,)
    levels : sequence, default=None
        Names of the levels; their codes if None.
    left, digits
        As in `Tree.test`.

    Returns
    -------
    str
    """
    if not np.isnan(threshold):
        return f"{name} {'<=' if left else '>'} {threshold:.{digits}g}"
    levels = range(len(left_levels)) if levels is None else levels
    chosen = [str(level) for k, level in enumerate(levels) if left_levels[k] == left]
    return f"{name} in {{{', '.join(chosen)}}}"
