"""What any loss of gradient boosting answers, by numeric search where it has no formula.

Vocabulary
----------
y : targets (n,): numbers, or class codes 0, 1, ..., K - 1
F : scores (n,) before the round; (n, K) for the log loss of K classes
r : pseudo-residual, the negative derivative of a case's loss with respect to its score
w : weights (n,), or None: all cases weigh the same
"""

import numpy as np
from scipy.optimize import minimize_scalar

__all__ = ["Loss", "lower_quantile", "search_step"]


class Loss:
    """What a loss answers; the base of all of them, and of your own.

    A subclass defines `each` and `negative_gradient`. `start` and `leaf_value` are found by
    numeric search unless it has a formula for them.

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
        """Loss of each case; (n,)."""
        raise NotImplementedError

    def negative_gradient(self, y, F):
        """Pseudo-residual of each case, in the shape of `F`."""
        raise NotImplementedError

    def value(self, y, F, w=None):
        """Weighted mean of the cases' losses, times `scale`; float."""
        return float(self.scale * np.average(self.each(y, F), weights=w))

    def start(self, y, w=None):
        """The best constant score; float, or (K,) for K classes."""
        return search_step(self, y, np.zeros(len(y)), w)

    def settled(self, y, F, w=None):
        """The loss of one round: itself, unless something in it depends on the scores."""
        return self

    def leaf_value(self, y, F, r, w):
        """What the score of the cases of one leaf should move by; float.

        For K classes `leaf_values` sees one class at a time: `y` is 1 for its cases and
        0 for the others, `F` and `r` are its columns.
        """
        return search_step(self, y, F, w)

    def leaf_values(self, leaf, n_leaves, y, F, r, w):
        """`leaf_value` of every leaf.

        Parameters
        ----------
        leaf : ndarray of int, shape (n,)
            Leaf of each case, from 0 to ``n_leaves - 1``; every leaf has a case.
        n_leaves : int
        y, F, r, w : ndarray of shape (n,)

        Returns
        -------
        ndarray of shape (n_leaves,)
        """
        order = np.argsort(leaf, kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(leaf, minlength=n_leaves))[:-1])
        return np.array([self.leaf_value(y[i], F[i], r[i], w[i]) for i in groups])

    def line_step(self, y, F, direction, w):
        """The best multiple of a tree's values, for all of its cases together; float."""
        return search_step(self, y, F, w, direction)

    def link(self, prediction):
        """Scores of a starting model's predictions: themselves, or log-odds of probabilities."""
        return prediction


def search_step(loss, y, F, w=None, direction=1.0):
    """The step that lowers the mean loss most, found by Brent's method; float.

    Parameters
    ----------
    loss : Loss
    y, F : ndarray of shape (n,)
    w : ndarray of shape (n,), default=None
    direction : float or ndarray, default=1.0
        What one unit of the step adds to each score, in the shape of `F`.

    Returns
    -------
    float
        0 where no finite step is found.

    References
    ----------
    Friedman (2001), Greedy function approximation, equation 12 (rho).
    """
    with np.errstate(over="ignore", invalid="ignore"):
        found = minimize_scalar(lambda rho: loss.value(y, F + rho * direction, w), tol=1e-12)
    return float(found.x) if np.isfinite(found.fun) else 0.0


def lower_quantile(values, share, w=None):
    """Smallest value with at least `share` of the weight at or below it; float.

    Examples
    --------
    >>> lower_quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.5)
    2.0
    """
    order = np.argsort(values, kind="stable")
    up_to = np.cumsum(np.ones(len(values)) if w is None else w[order])
    place = np.searchsorted(up_to, share * up_to[-1])
    return float(values[order[min(place, len(order) - 1)]])
