"""Losses of gradient boosting: what each round sees, and what each leaf adds.

Gradient boosting asks four questions of a loss, and a loss is an object that answers
them: how bad is a score (`value`), which constant is the best start (`start`), in which
direction should each score move (`negative_gradient`), and by how much should the scores
of one leaf move (`leaf_value`). A loss of your own needs `each` and `negative_gradient`;
the two other answers are then found by a numeric search.

Vocabulary
----------
y : targets (n,): numbers, or class codes 0, 1, ..., K - 1
F : scores (n,) before the round; (n, K) for the log loss of K classes
r : pseudo-residual, the negative derivative of a case's loss with respect to its score
w : weights (n,), or None: all cases weigh the same
p : probability of a class; s : -1 and 1 for class codes 0 and 1
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, log_softmax, logit, softmax

from treelab.boosting.base_loss import Loss, lower_quantile, search_step

__all__ = [
    "AbsoluteError",
    "Exponential",
    "Huber",
    "LogLoss",
    "Loss",
    "MultinomialLogLoss",
    "Quantile",
    "SquaredError",
    "lower_quantile",
    "search_step",
]

EPS = np.finfo(float).eps  # probabilities stay this far from 0 and 1
TINY = 1e-150  # a Newton step whose denominator is smaller is 0 (Friedman's rule)


def _start_quantile(y, share, w):
    """scikit-learn's starts: interpolated without weights, the lower quantile with them."""
    return float(np.quantile(y, share)) if w is None else lower_quantile(y, share, w)


class SquaredError(Loss):
    """Half the squared error; `value` is the mean squared error. Leaves add mean residuals."""

    scale = 2

    def each(self, y, F):
        return (y - F) ** 2 / 2

    def negative_gradient(self, y, F):
        return y - F

    def start(self, y, w=None):
        return float(np.average(y, weights=w))

    def leaf_value(self, y, F, r, w):
        return float(np.average(y - F, weights=w))

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        return np.bincount(leaf, w * (y - F), n_leaves) / np.bincount(leaf, w, n_leaves)

    def line_step(self, y, F, direction, w):
        length = float(np.sum(w * direction**2))
        return float(np.sum(w * (y - F) * direction)) / length if length > 0 else 0.0


class AbsoluteError(Loss):
    """Absolute error. Leaves add (lower, weighted) medians of y - F.

    The sign of a residual of 0 is taken for 1, as in scikit-learn.
    """

    def each(self, y, F):
        return np.abs(y - F)

    def negative_gradient(self, y, F):
        return np.where(y >= F, 1.0, -1.0)

    def start(self, y, w=None):
        return _start_quantile(y, 0.5, w)

    def leaf_value(self, y, F, r, w):
        return lower_quantile(y - F, 0.5, w)


@dataclass(frozen=True)
class Quantile(Loss):
    """Quantile loss: what lies above costs alpha times its distance, below 1 - alpha times.

    Leaves add (lower, weighted) alpha-quantiles of y - F.
    """

    alpha: float = 0.9

    def each(self, y, F):
        return np.where(y >= F, self.alpha * (y - F), (1 - self.alpha) * (F - y))

    def negative_gradient(self, y, F):
        return np.where(y >= F, self.alpha, self.alpha - 1)

    def start(self, y, w=None):
        return _start_quantile(y, self.alpha, w)

    def leaf_value(self, y, F, r, w):
        return lower_quantile(y - F, self.alpha, w)


@dataclass(frozen=True)
class Huber(Loss):
    """Huber loss: squared up to delta, absolute beyond.

    Delta is the alpha-quantile of abs(y - F), found anew in every round (`settled`). Leaves
    add the median of y - F and one step towards the mean (Friedman 2001, algorithm 4).
    """

    alpha: float = 0.9
    delta: float | None = None

    def settled(self, y, F, w=None):
        return replace(self, delta=lower_quantile(np.abs(y - F), self.alpha, w))

    def each(self, y, F):
        far = np.abs(y - F)
        return np.where(far <= self.delta, far**2 / 2, self.delta * (far - self.delta / 2))

    def negative_gradient(self, y, F):
        return np.clip(y - F, -self.delta, self.delta)

    def start(self, y, w=None):
        return _start_quantile(y, 0.5, w)

    def leaf_value(self, y, F, r, w):
        median = lower_quantile(y - F, 0.5, w)
        beyond = np.clip(y - F - median, -self.delta, self.delta)
        return median + float(np.average(beyond, weights=w))


class LogLoss(Loss):
    """Log loss of two classes; F is the log-odds of class 1. Leaves add one Newton step.

    `value` is the deviance, twice the mean log loss.
    """

    scale = 2

    def each(self, y, F):
        return np.logaddexp(0, (1 - 2 * y) * F)

    def negative_gradient(self, y, F):
        s = 2 * y - 1
        return s * expit(-s * F)  # y - p, exact also where p is next to 0 or 1

    def start(self, y, w=None):
        return float(self.link(_share(y == 1, w)))

    def leaf_value(self, y, F, r, w):
        return float(self.leaf_values(np.zeros(len(y), dtype=int), 1, y, F, r, w)[0])

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        p = y - r
        return _newton(leaf, n_leaves, w * r, w * p * (1 - p))

    def link(self, prediction):
        """Log-odds of the probabilities of class 1."""
        return logit(np.clip(prediction, EPS, 1 - EPS))

    def probability(self, F):
        """Probability of class 1; (n,)."""
        return expit(F)


class Exponential(Loss):
    """Exponential loss of two classes, AdaBoost's; F is half the log-odds of class 1."""

    def each(self, y, F):
        return np.exp((1 - 2 * y) * F)

    def negative_gradient(self, y, F):
        return (2 * y - 1) * self.each(y, F)

    def start(self, y, w=None):
        return float(self.link(_share(y == 1, w)))

    def leaf_value(self, y, F, r, w):
        return float(self.leaf_values(np.zeros(len(y), dtype=int), 1, y, F, r, w)[0])

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        return _newton(leaf, n_leaves, w * r, w * np.abs(r))

    def link(self, prediction):
        """Half the log-odds of the probabilities of class 1."""
        return logit(np.clip(prediction, EPS, 1 - EPS)) / 2

    def probability(self, F):
        """Probability of class 1; (n,)."""
        return expit(2 * F)


@dataclass(frozen=True)
class MultinomialLogLoss(Loss):
    """Log loss of K classes, one score and one tree for each; p is the softmax of the scores.

    Leaves add one Newton step, by the diagonal of the second derivatives (Friedman 2001,
    equation 36).
    """

    n_classes: int

    @property
    def n_scores(self):
        """Trees in a round: one for each class."""
        return self.n_classes

    def each(self, y, F):
        return -np.take_along_axis(log_softmax(F, axis=1), y.astype(int)[:, None], axis=1)[:, 0]

    def negative_gradient(self, y, F):
        return (y[:, None] == np.arange(self.n_classes)) - softmax(F, axis=1)

    def start(self, y, w=None):
        return self.link(np.array([_share(y == k, w) for k in range(self.n_classes)]))

    def leaf_value(self, y, F, r, w):
        return float(self.leaf_values(np.zeros(len(y), dtype=int), 1, y, F, r, w)[0])

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        p = y - r
        shrink = (self.n_classes - 1) / self.n_classes
        return shrink * _newton(leaf, n_leaves, w * r, w * p * (1 - p))

    def link(self, prediction):
        """Logarithms of the probabilities, less their mean over the classes."""
        log = np.log(np.clip(prediction, EPS, 1 - EPS))
        return log - log.mean(axis=-1, keepdims=True)

    def probability(self, F):
        """Probability of each class; (n, K)."""
        return softmax(F, axis=1)


def _share(cases, w):
    """Share of the weight of some cases; float."""
    return float(np.average(cases, weights=w))


def _newton(leaf, n_leaves, gradient, curvature):
    """Sum of the gradients over the sum of the curvatures of each leaf, 0 for a sum of 0."""
    up, down = np.bincount(leaf, gradient, n_leaves), np.bincount(leaf, curvature, n_leaves)
    return np.divide(up, down, out=np.zeros(n_leaves), where=down >= TINY)
