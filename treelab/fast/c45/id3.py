"""ID3 and the variance tree: multiway splits, each feature at most once on a path.

Both look at nothing but the categories of the features. ID3 takes the split of the largest
information gain; the variance tree, for numeric targets, the one that leaves the least
weighted variance in the branches.
"""

import numbers
from dataclasses import dataclass
from functools import partial

import numpy as np

from treelab.fast.c45.base import MultiwayClassifier, MultiwayEstimator
from treelab.fast.c45.gain_ratio import level_branches
from treelab.fast.c45.growing import Cases, Training, grow, is_finished
from treelab.fast.c45.splits import SLACK, LevelTest
from treelab.fast.impurity import entropy, information_gain, split_information
from treelab.fast.inputs import Number, NumberTarget, OneOf, Table, parameter
from treelab.fast.tolerances import TIE

__all__ = ["ID3Classifier", "VarianceTreeRegressor", "level_split", "weighted_variance"]


@dataclass(kw_only=True, eq=False, repr=False)
class ID3Classifier(MultiwayClassifier):
    """ID3: multiway trees by information gain, for categorical features.

    Growth ends where a node is pure or no feature has two categories left. There is no
    pruning. Every distinct value of a column is a category, numbers too; the declared categories of
    a pandas categorical are, used or not.

    Parameters
    ----------
    missing : {"error", "share"}, default="error"
        What a missing value is: an error; or spread over the categories by their shares, in the
        gain and then in growing.
    split_on_zero_gain : bool, default=True
        Go on where no feature gains anything by itself, as XOR needs. Weka's Id3 stops.
    handle_unknown : {"error", "missing"}, default="error"
        What a category means in `predict` that was neither declared nor seen in `fit`:
        "missing" treats it as a missing value, a row that goes to all branches.

    Attributes
    ----------
    tree_, classes_, categories_, n_leaves_, n_nodes_
        As in `C45Classifier`.

    Notes
    -----
    Gains are equal within 1e-10 of the node's entropy; then the first feature wins.

    References
    ----------
    Quinlan (1986), Induction of decision trees.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> tree = ID3Classifier().fit(X, y)
    >>> print(tree.export_text())
    |--- color = red
    |   |--- size = small
    |   |   |--- class: eatable (2)
    |   |--- size = large
    |   |   |--- class: toxic (3)
    |--- color = brown
    |   |--- class: eatable (4)
    |--- color = green
    |   |--- spots = no
    |   |   |--- class: eatable (3)
    |   |--- spots = yes
    |   |   |--- class: toxic (2)
    <BLANKLINE>
    """

    missing: str = parameter("error", OneOf("error", "share"))
    split_on_zero_gain: bool = True
    handle_unknown: str = parameter("error", OneOf("error", "missing"))

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return Table(self, self.read_target, text=True, missing=self.missing != "error")

    def fit(self, X, y, sample_weight=None):
        """Grow the tree; takes and returns what `C45Classifier.fit` does."""
        table, codes, weight = self.table.fit(X, y, sample_weight)
        data = Training(table, codes, len(self.classes_), self.table.n_categories)
        self.tree_ = grow(Cases(data, weight), partial(self._split, data))
        return self

    def _split(self, data, here, sums, N=None):
        """Choose the feature with the largest gain among those with two categories left."""
        if is_finished(sums, N):
            return None
        best = None
        for j in range(data.table.shape[1]):
            branches = level_branches(data, *here, j)
            if np.sum(branches.sum(axis=1) > SLACK) < 2:
                continue
            branches = spread(branches, sums)
            gain = float(information_gain(branches))
            if best is None or gain > best[0] + TIE * entropy(sums):
                best = gain, j, branches
        if best is None or (best[0] < SLACK and not self.split_on_zero_gain):
            return None
        return level_split(*best[1:])


def level_split(j, branches):
    """Return the split on feature `j` with these branches, its gain and its gain ratio."""
    gain = float(information_gain(branches))
    return LevelTest(j, len(branches)), gain, gain / float(split_information(branches))


def spread(branches, sums):
    """Distribute the unknown rows of a node over its branches by the known proportions.

    >>> spread(np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([2.0, 4.0])).tolist()
    [[2.0, 2.0], [0.0, 2.0]]
    """
    unknown = np.maximum(sums - branches.sum(axis=0), 0.0)
    return branches + np.outer(branches.sum(axis=1) / branches.sum(), unknown)


@dataclass(kw_only=True, eq=False, repr=False)
class VarianceTreeRegressor(NumberTarget, MultiwayEstimator):
    """Multiway regression tree for categorical features.

    Each feature is tested once on a path; the split taken leaves the smallest weighted
    variance, the variances of the branches weighted by their shares of the rows.

    Parameters
    ----------
    ddof : {1, 0}, default=1
        The variance of n targets divides by ``n - ddof``, by n as in CART or by n - 1; a
        single target has variance 0.
    min_samples_split : int, default=2
        Fewest rows of a node that is split.
    handle_unknown : {"error", "missing"}, default="error"
        As in `ID3Classifier`.

    Attributes
    ----------
    tree_ : treelab.fast.c45.MultiwayTree
        ``gain`` of a split is the weighted variance that it leaves.
    categories_, n_leaves_, n_nodes_
        As in `C45Classifier`.

    Notes
    -----
    The n - 1 in the variance is a number of rows, so there are no sample weights. A declared
    category without rows in a node predicts the mean of the node. Of features within 1e-10
    of the node's variance the first wins.

    References
    ----------
    Kelleher, Mac Namee and D'Arcy (2015), Fundamentals of Machine Learning for
    Predictive Data Analytics, on continuous targets.

    Examples
    --------
    >>> from treelab.datasets import load_bike_rentals
    >>> X, y = load_bike_rentals(return_X_y=True)
    >>> tree = VarianceTreeRegressor().fit(X, y)
    >>> tree.n_leaves_, round(tree.tree_.nodes[0].gain, 2)
    (8, 1379331.33)
    """

    ddof: int = parameter(1, OneOf(0, 1))
    min_samples_split: int = parameter(2, Number(numbers.Integral, 2))
    handle_unknown: str = parameter("error", OneOf("error", "missing"))

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return Table(self, self.read_target, text=True)

    def fit(self, X, y):
        """Grow the tree on categorical features and numbers, none missing; returns self."""
        table, y, weight = self.table.fit(X, y)
        middle = y.mean()  # squares of small numbers keep their digits
        targets = np.column_stack([np.ones(len(y)), y - middle, (y - middle) ** 2])
        levels = self.table.n_categories

        def choose_split(here, sums, N):
            rows, _ = here
            if len(rows) < self.min_samples_split or np.ptp(y[rows]) == 0:
                return None
            columns = zip(table[rows].astype(int).T, levels, strict=True)
            left = [left_variance(*column, targets[rows], self.ddof) for column in columns]
            best = int(np.argmax(np.array(left) <= min(left) + TIE * y[rows].var()))
            if np.isinf(left[best]):
                return None
            return LevelTest(best, levels[best]), left[best], np.nan

        self.tree_ = grow(Cases(Targets(table, y), weight, numeric=True), choose_split)
        return self

    def predict(self, X):
        """Predict the mean target of the leaf of each row of `X`; shape (n_rows,)."""
        table = self.table.read(X)
        sums = self.tree_.predicted_sums
        return self.tree_.leaf_means(table, sums[:, 1:2] / sums[:, :1])[:, 0]


@dataclass(frozen=True)
class Targets:
    """Training data of a regression tree."""

    table: np.ndarray
    y: np.ndarray

    def sums(self, rows, w):
        """Return the number of rows, the sum of their targets and the sum of the squares."""
        y = self.y[rows]
        return np.array([len(y), y.sum(), (y**2).sum()])


def left_variance(level, n_levels, targets, ddof):
    """Return the weighted variance of the branches, infinity if there are fewer than two."""
    sums = np.array([np.bincount(level, column, minlength=n_levels) for column in targets.T]).T
    sums = sums[sums[:, 0] > 0]
    return weighted_variance(sums, ddof) if len(sums) > 1 else np.inf


def weighted_variance(sums, ddof=1):
    """Average the variances of the branches, weighted by their numbers of rows.

    Parameters
    ----------
    sums : array-like of shape (n_branches, 3)
        Number of rows, sum of the targets, sum of their squares, of branches with rows.
    ddof : {1, 0}, default=1

    Examples
    --------
    >>> weighted_variance([[2, 6.0, 20.0], [1, 5.0, 25.0]])  # targets 2 and 4; 5
    1.3333333333333333
    """
    n, total, squares = np.asarray(sums, dtype=float).T
    deviation = np.maximum(squares - total**2 / n, 0.0)
    variance = deviation / np.maximum(n - ddof, 1)
    return float(np.sum(n / n.sum() * variance))
