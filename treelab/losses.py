"""Losses of gradient boosting: the direction in which each score should move, and how far.

A loss is a function of the targets, scores and weights. It returns the pseudo-residuals r, to which
a round fits its tree, and a function step(rows), which returns the value of the leaf that holds
these rows. START has the constant score that is best for all cases together.

Vocabulary
----------
y : numbers, or the classes 0 and 1
F : scores before a round: the predicted numbers, or the log-odds of class 1
r : pseudo-residuals, the negative derivative of each case's loss with respect to its score
p : probability of class 1
"""

from math import exp, log

from .bootstrap import take
from .impurity import mean, quantile


def probability(F):
    """Probability of class 1."""
    return 1 / (1 + exp(-F))


def log_odds(y, w):
    """The score whose probability is the proportion of class 1."""
    p = mean(y, w)
    return log(p / (1 - p))


def half_square(y, F, w):
    """Half the squared error: r is the residual, and a leaf moves by the mean residual."""
    r = [a - b for a, b in zip(y, F)]
    return r, lambda rows: mean(*take(rows, r, w))


def absolute(y, F, w, rounding=1e-12):
    """Absolute error: r is the sign of the residual, and a leaf moves by the median residual.

    A residual is zero, and its sign 1, below the fraction `rounding` of the largest target.
    """
    residual, zero = [a - b for a, b in zip(y, F)], -rounding * max(map(abs, y))
    return [1 if d >= zero else -1 for d in residual], lambda i: quantile(*take(i, residual, w))


def huber(y, F, w, alpha=0.9):
    """Huber loss: squared up to delta, absolute beyond; delta is the quantile alpha of their sizes.

    A leaf moves by the median residual and a step from there towards the mean.
    """
    residual = [a - b for a, b in zip(y, F)]
    delta = quantile([abs(d) for d in residual], w, alpha)

    def clip(d):
        return max(-delta, min(delta, d))

    def step(rows):
        here, weight = take(rows, residual, w)
        middle = quantile(here, weight)
        return middle + mean([clip(d - middle) for d in here], weight)

    return [clip(d) for d in residual], step


def log_loss(y, F, w):
    """Log loss of the classes 0 and 1: r is y - p, and a leaf moves by one Newton step."""
    p = [probability(score) for score in F]
    r = [a - b for a, b in zip(y, p)]

    def step(rows):
        slope = sum(w[i] * r[i] for i in rows)
        curvature = sum(w[i] * p[i] * (1 - p[i]) for i in rows)
        return slope / curvature if curvature > 0 else 0

    return r, step


START = {half_square: mean, absolute: quantile, huber: quantile, log_loss: log_odds}
