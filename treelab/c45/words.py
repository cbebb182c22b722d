"""A multiway tree in words: as indented text and as a table of nodes.

Vocabulary
----------
t : a node, its number
answer : what leads from a node to a branch, ``color = red`` or ``humidity <= 75``
"""

import numpy as np
import pandas as pd

__all__ = ["MultiwayWords"]


class MultiwayWords:
    """The part of a `MultiwayTree` that speaks."""

    def answer(self, t, feature_names=None, categories=None, digits=4):
        """The answer that leads from its parent to node `t`; str, "" for the root.

        Parameters
        ----------
        t : int
        feature_names : sequence of str, default=None
            ``x[0]``, ``x[1]``, ... if None.
        categories : dict, default=None
            Names of the levels of each categorical feature, by column number.
        digits : int, default=4
            Significant digits of a threshold.
        """
        if t == 0:
            return ""
        up = self.nodes[self.parent[t]]
        j = up.test.feature
        name = f"x[{j}]" if feature_names is None else str(feature_names[j])
        levels = None if categories is None else categories.get(j)
        return up.test.words(up.children.index(t), name, levels, digits)

    def says(self, t, class_names=None, digits=4):
        """What node `t` predicts; str."""
        if self.numeric:
            sums = self.answer_sums[t]
            return f"value: {sums[1] / sums[0]:.{digits}g}"
        k = int(self.answer_class[t])
        return f"class: {k if class_names is None else class_names[k]}"

    def counts(self, t, digits=4):
        """Weight of node `t`, and of the rows it gets wrong: ``(3.38/0.38)``; str."""
        wrong = 0.0 if self.numeric else self.weight[t] - self.sums[t].max()
        total = f"{self.weight[t]:.{digits}g}"
        return f"({total}/{wrong:.{digits}g})" if wrong > 1e-6 else f"({total})"

    def export_text(self, feature_names=None, categories=None, class_names=None, digits=4):
        """The tree as indented text.

        A leaf says its class, the weight of its training rows and, after a stroke, the
        weight of those it gets wrong.

        Parameters
        ----------
        feature_names, categories, digits
            As in `answer`.
        class_names : sequence, default=None
            Names of the classes; their numbers if None.

        Returns
        -------
        str
        """
        lines = []
        for t in range(self.n_nodes):  # preorder is reading order
            if t > 0:
                words = self.answer(t, feature_names, categories, digits)
                lines.append("|   " * int(self.depth[t] - 1) + f"|--- {words}")
            if self.is_leaf[t]:
                words = f"{self.says(t, class_names, digits)} {self.counts(t, digits)}"
                lines.append("|   " * int(self.depth[t]) + f"|--- {words}")
        return "\n".join(lines) + "\n"

    def to_frame(self, feature_names=None, categories=None, class_names=None):
        """One row for each node.

        Parameters
        ----------
        feature_names, categories, class_names
            As in `export_text`.

        Returns
        -------
        DataFrame
            Indexed by node, with columns ``depth, parent, answer, feature, threshold,
            weight, gain, gain_ratio`` and one column for each class, ``weight_yes`` for the
            class "yes", the weight it has in the node (``value``, the mean, in a tree for
            numbers). ``answer`` leads from the
            parent to the node; ``feature`` is what the node asks about, missing for a leaf.
        """
        asks = [None if leaf else self.nodes[t].test for t, leaf in enumerate(self.is_leaf)]

        def name(test):
            if test is None:
                return None
            return test.feature if feature_names is None else feature_names[test.feature]

        frame = pd.DataFrame(
            {
                "depth": self.depth,
                "parent": self.parent,
                "answer": [self.answer(t, feature_names, categories) for t in range(self.n_nodes)],
                "feature": [name(test) for test in asks],
                "threshold": [getattr(test, "threshold", np.nan) for test in asks],
                "weight": self.weight,
                "gain": [getattr(node, "gain", np.nan) for node in self.nodes],
                "gain_ratio": [getattr(node, "ratio", np.nan) for node in self.nodes],
            }
        ).rename_axis("node")
        if self.numeric:
            return frame.assign(value=self.answer_sums[:, 1] / self.answer_sums[:, 0])
        for k in range(self.sums.shape[1]):
            frame[f"weight_{k if class_names is None else class_names[k]}"] = self.sums[:, k]
        return frame
