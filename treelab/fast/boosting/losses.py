"""Losses of gradient boosting: the pseudo-residuals of a round, and the steps of the leaves.

A loss is an object with four methods: the loss of a score (`value`), the constant that is the best
start (`start`), the direction in which each score should move (`negative_gradient`), and the step
by which the scores of one leaf should move (`leaf_value`). A loss of your own needs `each` and
`negative_gradient`; the others are then found by a numeric search.

Vocabulary
----------
y : targets (n,): numbers, or class codes 0, 1, ..., K - 1
F : scores (n,) before the round; (n, K) for the log loss of K classes
r : pseudo-residual, the negative derivative of a row's loss with respect to its score
w : weights (n,), or None: all rows weigh the same
p : probability of a class; s : -1 and 1 for class codes 0 and 1
alpha : the quantile, tau in the formulas
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import bisect
from scipy.special import expit, log_softmax, logit, softmax

__all__ = [
    "AbsoluteError",
    "Exponential",
    "Huber",
    "LogLoss",
    "Loss",
    "MultinomialLogLoss",
    "NewtonLoss",
    "Quantile",
    "SquaredError",
    "lower_quantile",
]

EPS = np.finfo(float).eps  # probabilities stay this far from 0 and 1
ROUNDING = 1e-12  # residuals below this fraction of the largest target are zero
FLAT = 1e-6  # slopes below this fraction of the mean absolute gradient are zero
FAR = 2.0**60  # the longest step that is tried
TINY = 1e-150  # a Newton step whose denominator is smaller is 0 (Friedman's rule)


class Loss:
    """Interface of a loss; the base class of all of them, and of your own.

    Examples
    --------
    The logarithm of the hyperbolic cosine: squared near 0, absolute far out.

    >>> class LogCosh(Loss):
    ...     def each(self, y, F):
    ...         return np.log(np.cosh(y - F))
    ...
    ...     def negative_gradient(self, y, F):
    ...         return np.tanh(y - F)
    >>> loss = LogCosh()
    >>> y = np.array([0.0, 1.0, 5.0])
    >>> round(loss.start(y), 3), round(loss.value(y, np.full(3, 1.175)), 3)
    (1.175, 1.24)
    """

    scale = 1  # scikit-learn prints twice the squared error and the log loss of two classes
    n_scores = 1  # trees in a round

    def __repr__(self):
        return f"{type(self).__name__}()"

    def each(self, y, F):
        """Return the loss of each row; (n,)."""
        raise NotImplementedError

    def negative_gradient(self, y, F):
        """Return the pseudo-residual of each row, in the shape of `F`."""
        raise NotImplementedError

    def value(self, y, F, w=None):
        """Return the weighted mean loss, times `scale`; float."""
        return float(self.scale * np.average(self.each(y, F), weights=w))

    def start(self, y, w=None):
        """Return the best constant score; float, or (K,) for K classes."""
        return self.line_step(y, np.zeros(len(y)), 1.0, w)

    def settled(self, y, F, w=None):
        """Return the loss of one round: itself, unless something in it depends on the scores."""
        return self

    def leaf_value(self, y, F, r, w):
        """Return the step by which the scores of one leaf should move; float.

        With K classes `leaf_values` sees one class at a time: `y` is 1 for its rows and 0 for the
        others, `F` and `r` are its columns.
        """
        return self.line_step(y, F, 1.0, w)

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        """Return the `leaf_value` of every leaf; (n_leaves,).

        `leaf` is the number of the leaf of each row, from 0; every leaf has a row.
        """
        order = np.argsort(leaf, kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(leaf, minlength=n_leaves))[:-1])
        return np.array([self.leaf_value(y[i], F[i], r[i], w[i]) for i in groups])

    def line_step(self, y, F, direction, w):
        """Return the best multiple of a direction, such as the values of a tree, for all rows.

        This is where the slope of a convex loss changes its sign (Friedman 2001, equation 12). If
        a whole interval of multiples is equally good, its middle is taken, because otherwise
        rounding would choose. If the loss never stops decreasing, the multiple is the one at which
        the slope has all but vanished.
        """

        def slope(rho):
            r = self.negative_gradient(y, F + rho * direction) * direction
            return float(np.average(r.reshape(len(y), -1).sum(axis=1), weights=w))

        gradients = np.abs(self.negative_gradient(y, F) * direction).reshape(len(y), -1).sum(axis=1)
        level = FLAT * float(np.average(gradients, weights=w))
        with np.errstate(over="ignore", invalid="ignore"):
            ends = [_crossing(lambda rho, to=to: slope(rho) - to) for to in (level, -level)]
        ends = [end for end in ends if end is not None]
        return sum(ends) / len(ends) if ends else 0.0

    def link(self, prediction):
        """Turn predictions of a starting model into scores: themselves, or log-odds."""
        return prediction


def _crossing(slope):
    """Return the zero of a decreasing function, or None if it has none."""
    side = 1.0 if slope(0.0) > 0 else -1.0
    near, far = 0.0, side
    while slope(far) * side > 0:
        near, far = far, 2 * far
        if abs(far) > FAR:
            return None
    return bisect(slope, near, far, xtol=1e-14)


class SquaredError(Loss):
    """Half the squared error; `value` is the mean squared error. Leaves hold mean residuals."""

    scale = 2

    def each(self, y, F):
        return (y - F) ** 2 / 2

    def negative_gradient(self, y, F):
        return y - F

    def start(self, y, w=None):
        return float(np.average(y, weights=w))

    def leaf_value(self, y, F, r, w):
        return float(np.average(y - F, weights=w))

    def line_step(self, y, F, direction, w):
        length = float(np.sum(w * direction**2))
        return float(np.sum(w * (y - F) * direction)) / length if length > 0 else 0.0


class AbsoluteError(Loss):
    """Absolute error. Leaves hold (lower, weighted) medians of y - F.

    The sign of a residual of 0 counts as 1, as in scikit-learn.
    """

    def each(self, y, F):
        return np.abs(y - F)

    def negative_gradient(self, y, F):
        return np.where(_at_least(y, F), 1.0, -1.0)

    def start(self, y, w=None):
        return _start_quantile(y, 0.5, w)

    def leaf_value(self, y, F, r, w):
        return lower_quantile(y - F, 0.5, w)


@dataclass(frozen=True)
class Huber(Loss):
    """Huber loss: squared up to delta, absolute beyond.

    Delta is the alpha-quantile of abs(y - F), computed anew in every round (`settled`). Leaves
    hold the median of y - F and one step towards the mean (Friedman 2001, algorithm 4).
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


@dataclass(frozen=True)
class Quantile(Loss):
    """Quantile loss: alpha times the distance of a target above the score, else 1 - alpha times.

    Leaves hold (lower, weighted) alpha-quantiles of y - F.
    """

    alpha: float = 0.9

    def each(self, y, F):
        return np.where(y >= F, self.alpha * (y - F), (1 - self.alpha) * (F - y))

    def negative_gradient(self, y, F):
        return np.where(_at_least(y, F), self.alpha, self.alpha - 1)

    def start(self, y, w=None):
        return _start_quantile(y, self.alpha, w)

    def leaf_value(self, y, F, r, w):
        return lower_quantile(y - F, self.alpha, w)


def _at_least(y, F):
    """Return whether each target reaches its score, up to rounding; bool (n,)."""
    return y - F >= -ROUNDING * np.abs(y).max(initial=0.0)


def lower_quantile(values, share, w=None):
    """Return the smallest value with at least `share` of the weight at or below it, row by row.

    Examples
    --------
    >>> float(lower_quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.5))
    2.0
    """
    order = np.argsort(values, axis=-1, kind="stable")
    up_to = np.cumsum(np.ones(values.shape) if w is None else w[order], axis=-1)
    place = (up_to >= share * up_to[..., -1:]).argmax(axis=-1, keepdims=True)
    return np.take_along_axis(values, np.take_along_axis(order, place, -1), -1)[..., 0]


def _start_quantile(y, share, w):
    """Return the start as scikit-learn has it: interpolated without weights, lower with them."""
    return float(np.quantile(y, share) if w is None else lower_quantile(y, share, w))


class NewtonLoss(Loss):
    """Loss for classification whose leaves hold one Newton step: sum of r over sum of curvatures.

    `probability` turns scores into p, (n,) or (n, K), and `link` turns p into scores.
    """

    log_odds = 1  # in one unit of F

    def curvature(self, y, r, w):
        """Return the weighted second derivative of each row, p (1 - p), where r is y - p; (n,)."""
        p = y - r
        return w * p * (1 - p)

    def leaf_value(self, y, F, r, w):
        return float(self.leaf_values(np.zeros(len(y), dtype=int), 1, y, F, r, w)[0])

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        up = np.bincount(leaf, w * r, n_leaves)
        down = np.bincount(leaf, self.curvature(y, r, w), n_leaves)
        return np.divide(up, down, out=np.zeros(n_leaves), where=down >= TINY)

    def start(self, y, w=None):
        return float(self.link(np.average(y == 1, weights=w)))

    def link(self, prediction):
        return logit(np.clip(prediction, EPS, 1 - EPS)) / self.log_odds

    def probability(self, F):
        return expit(self.log_odds * F)


class LogLoss(NewtonLoss):
    """Log loss of two classes; F is the log-odds of class 1. `value` is twice its mean."""

    scale = 2

    def each(self, y, F):
        return np.logaddexp(0, (1 - 2 * y) * F)

    def negative_gradient(self, y, F):
        s = 2 * y - 1
        return s * expit(-s * F)  # y - p, exact also where p is next to 0 or 1


@dataclass(frozen=True)
class MultinomialLogLoss(NewtonLoss):
    """Log loss of K classes, one score and one tree for each; p is the softmax of the scores.

    The Newton step takes the diagonal of the second derivatives (Friedman 2001, equation 36).
    """

    n_classes: int
    n_scores = property(lambda self: self.n_classes)

    def each(self, y, F):
        return -np.take_along_axis(log_softmax(F, axis=1), y.astype(int)[:, None], axis=1)[:, 0]

    def negative_gradient(self, y, F):
        return (y[:, None] == np.arange(self.n_classes)) - softmax(F, axis=1)

    def start(self, y, w=None):
        share = [np.average(y == k, weights=w) for k in range(self.n_classes)]
        return self.link(np.array(share))

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        shrink = (self.n_classes - 1) / self.n_classes
        return shrink * super().leaf_values(leaf, n_leaves, y, F, r, w)

    def link(self, prediction):
        log = np.log(np.clip(prediction, EPS, 1 - EPS))
        return log - log.mean(axis=-1, keepdims=True)

    def probability(self, F):
        return softmax(F, axis=1)


class Exponential(NewtonLoss):
    """Exponential loss of two classes, AdaBoost's; F is half the log-odds of class 1."""

    log_odds = 2

    def each(self, y, F):
        return np.exp((1 - 2 * y) * F)

    def negative_gradient(self, y, F):
        return (2 * y - 1) * self.each(y, F)

    def curvature(self, y, r, w):
        return w * np.abs(r)
