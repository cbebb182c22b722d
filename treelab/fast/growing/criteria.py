"""Split criteria: the prediction of a node, its impurity, and the gain of a split.

A criterion is an object that answers these questions. For squared error and Gini the gain has
one formula. Write d for the left sum less what it would be if the targets were spread evenly,
d = L - (W_left / W) * S. Then

    gain = sum over target columns of  d**2 * W / (W_left * W_right)

which is Breiman et al. (1984, section 8.4) for a number and, with one column of zeros and
ones for each class, the drop in Gini impurity (section 4.3).
"""

from functools import reduce

import numpy as np

from treelab.fast.growing.medians import deviation_left_right, node_medians
from treelab.fast.impurity import entropy, gini, misclassification
from treelab.fast.tree import pick

__all__ = ["CRITERIA", "ClassCriterion", "Criterion", "Gini", "SquaredError"]


class Criterion:
    """Interface of a split criterion, with the defaults of one for regression.

    A criterion has a `name` and is added to `KINDS`. It needs `describe` and `gains`, which see the
    nodes of one depth together as a `treelab.fast.growing.frontier.Frontier`; its `sides` have the
    sums on both sides of every split (`treelab.fast.growing.sides.Sides`). Only one with
    ``of_sums = True`` needs `level_sums` and `after_split`, with which the categories of a feature
    are searched in more than their order. Otherwise categories are put in the order of the medians
    of their targets. A criterion that refuses splits may miss the best split of the categories,
    because the theorem behind the order of the means does not cover refused splits.

    In the shapes, n is the number of rows in training, K that of columns, M that of nodes, m that
    of positions (each row of each node), and q that of features that are searched together.

    Attributes
    ----------
    name : str
        The value of the parameter `criterion`.
    is_classifier : bool
        Whether targets are codes of classes.
    of_sums : bool
        Whether gains depend on nothing but sums of weights and of columns.
    is_squared : bool
        Whether gains are decreases of a sum of squares, as `squared_improvement` needs them.
    """

    is_classifier = False
    of_sums = True
    is_squared = False

    def columns(self, y, weight, n_classes):
        """Return what is added up of the targets, and their center; (K, n) and float.

        Here it is y less its mean, so that sums keep their digits. It must be 0.0 where the
        criterion needs y itself. Targets that the criterion cannot take are refused here, because
        every estimator passes.
        """
        center = (weight * y).sum() / weight.sum()
        return (y - center)[None], center

    def describe(self, frontier):
        """Return the value, (M, 1, n_outputs), and the impurity, (M,), of each node.

        A pure node has the value of its target exactly, and an impurity of exactly 0, by which
        growth stops.
        """
        raise NotImplementedError

    def gains(self, frontier, order):
        """Return the decrease in total impurity by the split after each position; (q, m).

        The total impurity is weight times impurity. `order`, (q, m), has the positions sorted by
        node and value. A split that the criterion refuses has the gain -inf. What it returns after
        the last position of a node or between equal values does not matter: growth refuses these.
        """
        raise NotImplementedError

    def level_sums(self, W, T):
        """Return the sums over each category that `after_split` needs; (n_sums, M, n_categories).

        From `W`, the weights of the categories, (M, n_categories), and `T`, the sums of the
        columns, (K, M, n_categories).
        """
        raise NotImplementedError

    def after_split(self, left, right):
        """Return the total impurity after a split, up to a constant of the node.

        Both sides have the shape (n_sums, ...): sums of what `level_sums` returns.
        """
        raise NotImplementedError


class SquaredGains:
    """Mixin with the gains of squared error and Gini: decreases of a sum of squares.

    A subclass has `sum_of_squares`, over the columns `d` of the formula at the top of this module;
    (q, m) from a list of K arrays (q, m).
    """

    is_squared = True

    def gains(self, frontier, order):
        """Return the decrease in total impurity by the split after each position; (q, m)."""
        even, scale = frontier.sides.balance(order)
        d = [frontier.sides.sums_left(k, order) for k in range(1, len(frontier.sides.units))]
        for k in range(len(d)):
            d[k] -= even[k]
        square = self.sum_of_squares(d)
        square *= scale
        return square


class SquaredError(SquaredGains, Criterion):
    """Variance of the targets in a node."""

    name = "squared_error"

    def describe(self, frontier):
        targets = frontier.targets
        deviation = pick(targets.deviation, frontier.row)
        mean = frontier.mean_of(deviation)
        value = np.where(frontier.is_pure, frontier.first_y, targets.center + mean)
        deviation -= frontier.spread(mean)
        deviation *= deviation
        impurity = np.where(frontier.is_pure, 0.0, frontier.mean_of(deviation))
        return value[:, None, None], impurity

    def sum_of_squares(self, d):
        return d[0] * d[0]

    def level_sums(self, W, T):
        mean = T[0].sum(axis=1) / W.sum(axis=1)
        return np.array([W, T[0] - W * mean[:, None]])

    def after_split(self, left, right):
        (W_left, d), (W_right, _) = left, right
        return -(d * d) / (W_left * W_right)


class AbsoluteError(Criterion):
    """Mean absolute deviation from the median of a node."""

    name = "absolute_error"
    of_sums = False

    def describe(self, frontier):
        median, deviation = node_medians(frontier)
        return median[:, None, None], deviation

    def gains(self, frontier, order):
        sides = [deviation_left_right(frontier, places) for places in order]
        return np.array(
            [left[frontier.last][frontier.node] - left - right for left, right in sides]
        )


class ClassCriterion(Criterion):
    """Base of the criteria for classification: functions of the class proportions.

    There is a column for each class but the first, which has what the others leave of the weight. A
    subclass has `impurity`, from class sums (..., n_classes) to (...,), and either `gains` or
    `total`, from the sums of the columns (a list) and the weight to the total impurity.
    """

    is_classifier = True

    def columns(self, y, weight, n_classes):
        return y == np.arange(1, max(n_classes, 2))[:, None], 0.0

    def describe(self, frontier):
        K = frontier.targets.n_classes
        cell = frontier.node * K + frontier.y
        w = np.broadcast_to(frontier.row_weight, cell.shape)
        sums = np.bincount(cell, w, len(frontier.size) * K).reshape(-1, K)
        return (sums / frontier.weight[:, None])[:, None], self.impurity(sums)

    def gains(self, frontier, order):
        sides = frontier.sides
        (W, *S), W_left = sides.sums, sides.weight_left(order)
        left = [sides.sums_left(k, order) for k in range(1, len(sides.units))]
        right = [whole - L for whole, L in zip(S, left, strict=True)]
        return self.total(S, W) - self.total(left, W_left) - self.total(right, W - W_left)

    def level_sums(self, W, T):
        first = np.maximum(W - T.sum(axis=0), 0.0)  # rounding may leave less than nothing
        return np.concatenate([first[None], T])

    def after_split(self, left, right):
        sides = [np.moveaxis(np.maximum(side, 0.0), 0, -1) for side in (left, right)]
        return sum(S.sum(axis=-1) * self.impurity(S) for S in sides)


class Gini(SquaredGains, ClassCriterion):
    """Gini impurity, the sum of the variances of the class columns.

    Gains have the same formula as those of the squared error.
    """

    name, impurity = "gini", staticmethod(gini)

    def sum_of_squares(self, d):
        """Sum the squares over all classes; the first class has what the others leave."""
        square = reduce(np.add, (a * a for a in d))
        square += square if len(d) == 1 else reduce(np.add, d) ** 2
        return square


class Entropy(ClassCriterion):
    """Entropy in bits; `total` is W * entropy, from the sums of all classes but the first."""

    name, impurity = "entropy", staticmethod(entropy)

    def total(self, S, W):
        return _xlog2x(W) - sum(_xlog2x(s) for s in S) - _xlog2x(W - sum(S))


class Misclassification(ClassCriterion):
    """Proportion of the rows that do not belong to the largest class."""

    name, impurity = "misclassification", staticmethod(misclassification)

    def total(self, S, W):
        return W - reduce(np.maximum, S, W - sum(S))


def _xlog2x(x):
    """Return x * log2(x), and 0 at 0."""
    return x * np.log2(np.maximum(x, np.finfo(float).tiny))


KINDS = (Gini, Entropy, Misclassification, SquaredError, AbsoluteError)
CRITERIA = {kind.name: kind() for kind in KINDS}
CRITERIA["log_loss"] = CRITERIA["entropy"]  # another name, as in scikit-learn
