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
    """Interface of a split criterion, implemented for regression.

    - `columns`: what of the targets is added up, (K, n); here y less its mean, the center
    - `describe`: value and impurity of each node; (M, 1, n_outputs), (M,)
    - `gains`: drop in total impurity by the split after each position of `order`; (q, m)
    - `level_sums`: of weights (M, n_levels) and sums of columns (K, M, n_levels) of categories,
      what `after_split` needs of both sides for the total impurity after a split, but for a
      constant of the node. Only a criterion `of_sums` has both.
    """

    is_classifier = False
    of_sums = True

    def columns(self, y, weight, n_classes):
        center = (weight * y).sum() / weight.sum()
        return (y - center)[None], center


class SquaredError(Criterion):
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

    def gains(self, frontier, order):
        """Return the drop in total impurity by the split after each position of `order`; (q, m)."""
        even, scale = frontier.balance(order)
        d = [frontier.sums_left(k, order) for k in range(1, len(frontier.units))]
        for k in range(len(d)):
            d[k] -= even[k]
        square = self.sum_of_squares(d)
        square *= scale
        return square

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
    """Criterion for classification: a function of the class proportions.

    There is a column for each class but the first.

    The first class is what the others leave of the weight.
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
        (W, *S), W_left = frontier.sums, frontier.weight_left(order)
        left = [frontier.sums_left(k, order) for k in range(1, len(frontier.units))]
        right = [whole - L for whole, L in zip(S, left, strict=True)]
        return self.total(S, W) - self.total(left, W_left) - self.total(right, W - W_left)

    def level_sums(self, W, T):
        first = np.maximum(W - T.sum(axis=0), 0.0)  # rounding may leave less than nothing
        return np.concatenate([first[None], T])

    def after_split(self, left, right):
        sides = [np.moveaxis(np.maximum(side, 0.0), 0, -1) for side in (left, right)]
        return sum(S.sum(axis=-1) * self.impurity(S) for S in sides)


class Gini(ClassCriterion):
    """Gini impurity, the sum of the variances of the class columns.

    Gains have the same formula as those of the squared error.
    """

    name, impurity = "gini", staticmethod(gini)
    gains = SquaredError.gains

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
