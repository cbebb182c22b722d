"""Least squares in the form that all searches share: one triangle instead of all rows.

With the columns and the target centered, an intercept is in every model and in no sum. Rotating the
rows changes no length and no angle, so of the QR decomposition of [X y] the triangle R is enough:
it has the same residual sums for every subset as the n rows have, and at most p + 1 rows.

Vocabulary
----------
X, y : columns of the triangle, each of length 1 (a constant one has length 0)
subset : list of column numbers
rss : residual sum of squares, here as a share of the total sum of squares
residue : what is left of X and y when the subset is regressed out
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import f as f_distribution

__all__ = ["Residue", "Triangle", "coefficients", "f_test", "information_criterion", "triangle"]

DEPENDENT = 1e-7  # a column of which regression leaves less than this length adds nothing
EXACT = 1e-20  # a smaller residual sum is a rounding error: the fit is exact


class Triangle(NamedTuple):
    """Sums of squares and products of a data set, as a triangle.

    Attributes
    ----------
    X : ndarray of shape (n_kept, n_features)
        With n_kept = min(n_rows, n_features + 1).
    y : ndarray of shape (n_kept,)
    n_rows : int
    x_mean, x_length : ndarray of shape (n_features,)
        Of each column, and of what is left of it when its mean is subtracted.
    y_mean, y_length : float
    """

    X: np.ndarray
    y: np.ndarray
    n_rows: int
    x_mean: np.ndarray
    x_length: np.ndarray
    y_mean: float
    y_length: float


def triangle(X, y):
    """Compute the `Triangle` of numbers (n_rows, n_features) and (n_rows,)."""
    table = np.column_stack([X, y])
    largest = np.abs(table).max(axis=0)
    unit = np.where(largest > 0, largest, 1)
    table = table / unit  # so that no square overflows
    mean = table.mean(axis=0)
    table -= mean
    length = np.linalg.norm(table, axis=0)
    length[length < 1e-14 * np.sqrt(len(table))] = 0  # constant up to rounding
    R = np.linalg.qr(table / np.where(length > 0, length, np.inf), mode="r")
    mean, length = mean * unit, length * unit
    return Triangle(R[:, :-1], R[:, -1], len(table), mean[:-1], length[:-1], mean[-1], length[-1])


class Residue:
    """Residuals of the columns and the target given a subset; features enter one by one."""

    def __init__(self, data, subset=()):
        self.X, self.y, self.subset = data.X.copy(), data.y.copy(), []
        for j in subset:
            self.enter(j)

    def enter(self, j):
        """Regress column `j` out of all others and of the target (Gram and Schmidt)."""
        q = self.X[:, j] / np.linalg.norm(self.X[:, j])
        self.X -= np.outer(q, q @ self.X)
        self.y -= q * (q @ self.y)
        self.X[:, [*self.subset, j]] = 0
        self.subset.append(j)

    @property
    def rss(self):
        """Residual sum of squares; 0 where it is a rounding error."""
        rss = float(self.y @ self.y)
        return rss if rss > EXACT else 0.0

    def gains(self):
        """Return the decrease in the residual sum when a feature enters; -1 where it cannot."""
        squares = np.einsum("ij,ij->j", self.X, self.X)
        free = squares > DEPENDENT**2
        return np.where(free, (self.y @ self.X) ** 2 / np.where(free, squares, 1), -1.0)


def coefficients(data, subset):
    """Return the least-squares coefficients of the columns of length 1; (n_features,)."""
    found = np.zeros(data.X.shape[1])
    if len(subset):
        found[subset] = np.linalg.lstsq(data.X[:, subset], data.y, rcond=None)[0]
    return found


def information_criterion(rss, n_features, n_rows, penalty):
    """Return n ln(RSS / n) + penalty (k + 1), for k features and an intercept; float.

    AIC has the penalty 2, BIC ln n. What is the same for all models of a data set is left out, as R
    does in `step`. An exact fit has minus infinity.
    """
    if rss <= 0:
        return -np.inf
    return float(n_rows * np.log(rss / n_rows) + penalty * (n_features + 1))


def f_test(rss_without, rss_with, n_features, n_rows):
    """Return F of one feature, and its p-value, from the residual sums without and with it.

    `n_features` are those of the larger model. F is the square of the t of the feature's
    coefficient, with n - k - 1 degrees of freedom; NaN where there are none.
    """
    freedom = n_rows - n_features - 1
    if freedom < 1:
        return np.nan, np.nan
    gain = max(rss_without - rss_with, 0.0)
    if rss_with <= 0:
        F = np.inf if gain > 0 else 0.0
    else:
        F = gain / (rss_with / freedom)
    return float(F), float(f_distribution.sf(F, 1, freedom))
