"""The bootstrap: what would have happened with other data?

Draw the observations again, with replacement, and compute the statistic once more. The spread of
the replicates stands for the spread over data sets that we never see. The observations that a
sample leaves out serve as test data for the model fitted on it, so they estimate its error.

Vocabulary
----------
n, B : number of observations; number of bootstrap samples, or replicates
estimate : the statistic of the data themselves; replicate : that of one bootstrap sample
naive : error of the models on all observations, including those on which they were fitted
loo : leave-one-out bootstrap, error on the observations that a model has not seen
apparent : training error, of the model fitted on all observations, on the same observations
gamma : no-information error L_0, every target against every prediction
"""

import math
import numbers
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing, check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length
from tqdm import tqdm

__all__ = [
    "Bootstrap",
    "bootstrap",
    "bootstrap_error",
    "bootstrap_error_table",
    "distinct_cases",
    "plus_estimate",
]

INTERVALS = ("percentile", "basic")
METHODS = ("naive", "loo", ".632", ".632+")
DRAWN = 1 - np.exp(-1)  # 0.632, limit of the probability that an observation is in a sample


def bootstrap(statistic, *data, n_resamples=1000, random_state=None):
    """Replicate a statistic on bootstrap samples.

    Parameters
    ----------
    statistic : callable
        Takes as many arrays as `data` has, returns a number or an array.
    *data : array-like or DataFrame, (n, ...) each
        Observations, at least one, along the first axis. They are drawn together.
    n_resamples : int, default=1000
        B, 2 or more.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    Bootstrap

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
        raise ValueError("data must have at least one observation.")
    rng = check_random_state(random_state)
    estimate = np.asarray(statistic(*data))
    replicates = []
    for _ in range(n_resamples):
        rows = rng.randint(n, size=n)
        replicates.append(np.asarray(statistic(*(_safe_indexing(d, rows) for d in data))))
    return Bootstrap(estimate, np.array(replicates))


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Result of `bootstrap`.

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
        """Mean of the replicates minus the estimate."""
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
        """Return a confidence interval from the quantiles of the replicates: low and high end.

        Parameters
        ----------
        level : float, default=0.95
            Between 0 and 1.
        method : {"percentile", "basic"}, default="percentile"
            "percentile": the quantiles of the replicates that leave out (1 - level) / 2 on
            each side. "basic": the same, mirrored at the estimate. (BCa is SciPy's:
            `scipy.stats.bootstrap`.)

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


def bootstrap_error(
    estimator, X, y, method=".632+", *, n_resamples=50, loss=None, random_state=None
):
    """Estimate the prediction error of an estimator from bootstrap samples; a float.

    Parameters
    ----------
    estimator : estimator with fit and predict
    X : array-like or DataFrame of shape (n, n_features)
    y : array-like of shape (n,)
    method : {"naive", "loo", ".632", ".632+"}, default=".632+"
        See `bootstrap_error_table`.
    n_resamples : int, default=50
        B, the number of models that are fitted.
    loss : callable (y_true, y_pred) -> ndarray of shape (n,), default=None
        None: 1 for a wrong class, or the squared error.
    random_state : int, RandomState instance or None, default=None

    Raises
    ------
    ValueError
        If `method` is unknown, or every observation is in every sample.

    References
    ----------
    Efron (1983); Efron and Tibshirani (1997), Improvements on cross-validation: the .632+
    bootstrap method.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> round(bootstrap_error(tree, X, y, random_state=0), 3)
    0.051
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {list(METHODS)}, got {method!r}.")
    table = bootstrap_error_table(
        estimator, X, y, n_resamples=n_resamples, loss=loss, random_state=random_state
    )
    return float(table.loc[method, "error"])


def bootstrap_error_table(
    estimator, X, y, *, n_resamples=50, loss=None, random_state=None, verbose=0
):
    """Return four estimates of one prediction error, and the quantities that they are made of.

    ".632" takes 0.368 of the training error, here "apparent", and 0.632 of "loo". ".632+" moves the
    weight towards "loo" where the model overfits: rate = (loo - apparent) / (gamma - apparent),
    clipped to [0, 1], and the weight of loo is 0.632 / (1 - 0.368 rate).

    Parameters
    ----------
    estimator, X, y, n_resamples, loss, random_state
        As in `bootstrap_error`.
    verbose : int, default=0
        Above 0: show a progress bar.

    Returns
    -------
    DataFrame
        Indexed by estimate: ``apparent``, ``naive``, ``loo``, ``.632``, ``.632+`` and
        ``gamma``; columns ``error`` and ``cases``, the number of observations behind it.

    References
    ----------
    Efron and Tibshirani (1997), section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import DecisionTreeClassifier
    >>> table = bootstrap_error_table(
    ...     DecisionTreeClassifier(), *load_iris(return_X_y=True), random_state=0
    ... )
    >>> table["error"].round(3).to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'apparent': 0.0, 'naive': 0.021, 'loo': 0.054, '.632': 0.034, '.632+': 0.035,
     'gamma': 0.667}
    """
    check_scalar(n_resamples, "n_resamples", numbers.Integral, min_val=1)
    check_consistent_length(X, y)
    X = X if hasattr(X, "iloc") else np.asarray(X)
    y, rng = np.asarray(y), check_random_state(random_state)
    loss = loss or (
        np.not_equal if is_classifier(estimator) else lambda y, predicted: (y - predicted) ** 2
    )
    n = len(y)
    naive, unseen_loss, unseen = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in tqdm(range(n_resamples), unit="samples", disable=not verbose):
        rows = rng.randint(n, size=n)
        model = clone(estimator).fit(_safe_indexing(X, rows), y[rows])
        miss = loss(y, model.predict(X))
        out = np.bincount(rows, minlength=n) == 0
        naive += miss
        unseen_loss += miss * out
        unseen += out
    tested = unseen > 0
    if not tested.any():
        raise ValueError(
            f"every observation is in each of the {n_resamples} samples: raise n_resamples."
        )
    loo = np.mean(unseen_loss[tested] / unseen[tested])
    predicted = clone(estimator).fit(X, y).predict(X)
    apparent = np.mean(loss(y, predicted))
    gamma = np.mean([np.mean(loss(np.full(n, target, y.dtype), predicted)) for target in y])
    plain = (1 - DRAWN) * apparent + DRAWN * loo
    covered = int(tested.sum())
    errors = {
        "apparent": (apparent, n),
        "naive": (np.mean(naive) / n_resamples, n),
        "loo": (loo, covered),
        ".632": (plain, covered),
        ".632+": (plus_estimate(apparent, loo, gamma), covered),
        "gamma": (gamma, n),
    }
    frame = pd.DataFrame.from_dict(errors, orient="index", columns=["error", "cases"])
    return frame.rename_axis("estimate")


def plus_estimate(apparent, loo, gamma):
    """Compute the .632+ estimate from its three parts; a float.

    It lies between `apparent` and `loo`, at 0.632 of the distance or beyond. The part of `loo`
    that exceeds `gamma` is cut off, whereas formula 32 of the source keeps it in the .632 estimate.

    References
    ----------
    Efron and Tibshirani (1997), section 3.

    Examples
    --------
    >>> round(float(plus_estimate(0.0, 0.4, 0.5)), 3)  # a model that memorizes the data
    0.358
    """
    loo = min(loo, gamma)
    overfit = (loo - apparent) / (gamma - apparent) if loo > apparent and gamma > apparent else 0.0
    weight = DRAWN / (1 - (1 - DRAWN) * overfit)
    return (1 - weight) * apparent + weight * loo


def distinct_cases(n):
    """Return mean and variance of the number of distinct observations in a bootstrap sample.

    Whether one of the n observations is drawn depends on whether another one is, so the number is
    not binomial. Its variance tends to 0.0972 n, not to 0.2325 n.

    References
    ----------
    Feller (1968), An Introduction to Probability Theory, section IV.2 (occupancy).

    Examples
    --------
    >>> [round(moment, 2) for moment in distinct_cases(100)]
    [63.4, 9.74]
    """
    check_scalar(n, "n", numbers.Integral, min_val=1)
    missed = (1 - 1 / n) ** n  # probability that an observation is not drawn
    # Two observations are both missed with probability (1 - 2/n)^n, less often than if they were
    # independent. This is missed^2 (1 - 1/(n-1)^2)^n, and only the difference counts.
    ratio = math.expm1(n * math.log1p(-1 / (n - 1) ** 2)) if n > 2 else -1.0
    return n * (1 - missed), n * missed * (1 - missed) + n * (n - 1) * missed**2 * ratio
