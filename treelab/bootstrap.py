"""The bootstrap: what would have happened with other data?

Draw the cases again, with replacement, and compute once more. The spread of the replicates
stands for the spread over data sets that we never see. The cases that a sample leaves out
serve as test cases; `treelab.error_estimates` makes estimates of a prediction error of them.

Vocabulary
----------
n, B : cases; bootstrap samples, or replicates
estimate : the statistic of the data themselves; replicate : that of one bootstrap sample
bias : mean of the replicates less the estimate
"""

import math
import numbers
from dataclasses import dataclass

import numpy as np
from sklearn.utils import _safe_indexing, check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length

from treelab.error_estimates import (
    bootstrap_error,
    bootstrap_error_table,
    plus_estimate,
)

__all__ = [
    "Bootstrap",
    "bootstrap",
    "bootstrap_error",
    "bootstrap_error_table",
    "distinct_cases",
    "plus_estimate",
]

INTERVALS = ("percentile", "basic")


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What `bootstrap` returns.

    Parameters
    ----------
    estimate : float or ndarray of shape (...)
        The statistic of the data.
    replicates : ndarray of shape (n_resamples, ...)
        The statistic of each bootstrap sample.
    """

    estimate: np.ndarray
    replicates: np.ndarray

    @property
    def mean(self):
        """Mean of the replicates."""
        return self.replicates.mean(axis=0)

    @property
    def bias(self):
        """Mean of the replicates less the estimate."""
        return self.mean - self.estimate

    @property
    def variance(self):
        """Variance of the replicates, divided by B - 1."""
        return self.replicates.var(axis=0, ddof=1)

    @property
    def standard_error(self):
        """Standard deviation of the replicates."""
        return np.sqrt(self.variance)

    def interval(self, level=0.95, method="percentile"):
        """Confidence interval from the quantiles of the replicates.

        Parameters
        ----------
        level : float, default=0.95
            Between 0 and 1.
        method : {"percentile", "basic"}, default="percentile"
            "percentile": the quantiles of the replicates that leave out (1 - level) / 2 on
            each side. "basic": the same, mirrored at the estimate.

        Returns
        -------
        low, high : float or ndarray of shape (...)

        Raises
        ------
        ValueError
            If `level` is not between 0 and 1, or `method` is unknown.

        References
        ----------
        Davison and Hinkley (1997), Bootstrap Methods and their Application, sections 5.2, 5.3.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, got {level!r}.")
        if method not in INTERVALS:
            raise ValueError(f"method must be one of {list(INTERVALS)}, got {method!r}.")
        low, high = np.quantile(self.replicates, [(1 - level) / 2, (1 + level) / 2], axis=0)
        if method == "basic":
            low, high = 2 * self.estimate - high, 2 * self.estimate - low
        return low, high


def bootstrap(statistic, *data, n_resamples=1000, random_state=None):
    """Replicate a statistic on bootstrap samples.

    Parameters
    ----------
    statistic : callable
        Takes as many arrays as `data` has, returns a number or an array.
    *data : array-like or DataFrame, (n, ...) each
        Cases stand along the first axis and are drawn together.
    n_resamples : int, default=1000
        B, 2 or more.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    Bootstrap
        ``estimate``, ``replicates``, ``mean``, ``bias``, ``variance``, ``standard_error``
        and ``interval(level, method)``.

    Raises
    ------
    ValueError
        If there are no data, or the arrays differ in length or are empty.

    References
    ----------
    Efron (1979), Bootstrap methods: another look at the jackknife.

    Examples
    --------
    >>> result = bootstrap(np.median, [1.0, 2.0, 4.0, 8.0, 9.0], n_resamples=500, random_state=0)
    >>> float(result.estimate), [float(end) for end in result.interval(0.9)]
    (4.0, [2.0, 9.0])
    >>> [float(end) for end in result.interval(0.9, method="basic")]
    [-1.0, 6.0]
    """
    if not data:
        raise ValueError("bootstrap needs at least one array of data after the statistic.")
    check_scalar(n_resamples, "n_resamples", numbers.Integral, min_val=2)
    data = [d if hasattr(d, "iloc") else np.asarray(d) for d in data]
    check_consistent_length(*data)
    n = len(data[0])
    if n == 0:
        raise ValueError("data must hold at least one case.")
    rng = check_random_state(random_state)
    estimate = np.asarray(statistic(*data))
    replicates = []
    for _ in range(n_resamples):
        rows = rng.randint(n, size=n)
        replicates.append(np.asarray(statistic(*(_safe_indexing(d, rows) for d in data))))
    return Bootstrap(estimate, np.array(replicates))


def distinct_cases(n):
    """Mean and variance of the number of distinct cases in a bootstrap sample of n.

    Whether one case is drawn depends on whether another one is, so the number is not
    binomial: its variance tends to 0.0972 n, not to 0.2325 n.

    Parameters
    ----------
    n : int

    Returns
    -------
    mean, variance : float

    References
    ----------
    The occupancy problem: Feller (1968), An Introduction to Probability Theory, section IV.2.

    Examples
    --------
    >>> [round(moment, 2) for moment in distinct_cases(100)]
    [63.4, 9.74]
    """
    check_scalar(n, "n", numbers.Integral, min_val=1)
    missed = (1 - 1 / n) ** n  # chance that a given case is not drawn
    # Two given cases are both missed with chance (1 - 2/n)^n, less often than if they were
    # independent: that is missed^2 (1 - 1/(n-1)^2)^n, and only the difference counts.
    ratio = math.expm1(n * math.log1p(-1 / (n - 1) ** 2)) if n > 2 else -1.0
    return n * (1 - missed), n * missed * (1 - missed) + n * (n - 1) * missed**2 * ratio
