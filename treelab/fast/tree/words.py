"""Trees in words: tests, branches, and the whole tree as indented text."""

import numpy as np
import pandas as pd

__all__ = ["Words", "question"]


def question(name, threshold, left_levels=None, levels=None, left=True, digits=4):
    """Return a test in words, ``age <= 5`` or ``color in {green, red}``; str.

    Parameters
    ----------
    name : str
        The feature.
    threshold : float
        NaN for a categorical test, which `left_levels`, bool (n_levels,), answers with yes.
    left_levels, levels : sequence, default=None
        `levels` are the names of the categories; their codes if None.
    left : bool, default=True
        False gives the opposite, which holds for the rows that go right.
    digits : int, default=4
        Significant digits of a number.
    """
    if not np.isnan(threshold):
        return f"{name} {'<=' if left else '>'} {threshold:.{digits}g}"
    levels = range(len(left_levels)) if levels is None else levels
    chosen = [str(level) for k, level in enumerate(levels) if left_levels[k] == left]
    return f"{name} in {{{', '.join(chosen)}}}"


class Words:
    """Mixin that describes a tree in words.

    A subclass has `words_of_branch`, the words of one branch, and `columns_of_frame`, the columns
    of `to_frame` beside depth and parent.
    """

    def answer(self, t, feature_names=None, categories=None, digits=4):
        """Return the outcome that leads from its parent to node `t`, "" for the root; str.

        Parameters
        ----------
        t : int
        feature_names : sequence of str, default=None
            ``x[0]``, ``x[1]``, ... if None.
        categories : dict, default=None
            Names of the categories of each categorical feature, by column number.
        digits : int, default=4
            As in `question`.
        """
        up = int(self.parent[t])
        if up < 0:
            return ""
        j = int(self.feature[up])
        name = f"x[{j}]" if feature_names is None else str(feature_names[j])
        levels = None if categories is None else categories.get(j)
        return self.words_of_branch(up, t, name, levels, digits)

    def says(self, t, class_names=None, digits=4):
        """Return the prediction of node `t` in words, ``class: red`` or ``value: 3.2``; str."""
        answer = self.prediction[t]
        if not self.is_classifier:
            return f"value: {answer:.{digits}g}"
        return f"class: {answer if class_names is None else class_names[answer]}"

    leaf_words = says

    def export_text(self, feature_names=None, categories=None, class_names=None, digits=4):
        """Return the tree as indented text; str.

        Parameters
        ----------
        feature_names, categories, digits
            As in `answer`.
        class_names : sequence, default=None
            Names of the classes; their numbers if None.
        """
        lines = []  # in preorder, which is reading order
        for t, depth in enumerate(self.depth.tolist()):
            if t > 0:
                words = self.answer(t, feature_names, categories, digits)
                lines.append("|   " * (depth - 1) + f"|--- {words}")
            if self.is_leaf[t]:
                lines.append("|   " * depth + f"|--- {self.leaf_words(t, class_names, digits)}")
        return "\n".join(lines) + "\n"

    def to_frame(self, feature_names=None, categories=None, class_names=None):
        """Return the tree as a DataFrame, one row per node; parameters as in `export_text`."""
        answers = [self.answer(t, feature_names, categories) for t in range(self.n_nodes)]
        frame = {"depth": self.depth, "parent": self.parent}
        frame |= self.columns_of_frame(answers, feature_names, class_names)
        return pd.DataFrame(frame).rename_axis("node")
