"""Stability of selections and rankings over several runs.

The same method chooses on other samples, or with another seed. Two sets share more features the
larger they are, by chance alone; a measure that is corrected for chance takes that off.

Vocabulary
----------
R, d : runs, of the same method on other samples or with other seeds; features
k : mean size of the sets
p : share of the runs that choose a feature, (d,)
"""

import numbers
from itertools import combinations
from math import sqrt

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.utils import check_scalar

from treelab.fast.importance import compare_rankings, rankings

__all__ = ["nogueira_stability", "selection_stability"]


def selection_stability(runs, *, top_k=5, level=0.95):
    """Measure the agreement of the sets or rankings of several runs; DataFrame, a row per measure.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features)
        Masks of the kept features, `support_` of each run, as bool; or rankings, `ranking_` of
        each run, 1 for the best: numbers, which may tie. Two runs at least.
    top_k : int, default=5
        Length of the top lists of rankings; at most n_features - 1 counts.
    level : float, default=0.95
        Of the confidence interval, between 0 and 1.

    Returns
    -------
    DataFrame
        Indexed by ``measure``, with ``value`` and the ends ``low`` and ``high`` of its interval,
        NaN where none is known. Masks: ``nogueira``, see `nogueira_stability`; ``jaccard``, mean
        share over all pairs of runs, of the features in both sets among those in any, 1 for two
        empty sets; ``mean_size``. Rankings: ``kendall_tau``, ``jaccard_top_k``, ``swaps``,
        ``metric1`` and ``metric2``, means over all pairs of what `compare_rankings` says, and
        ``nogueira_top_k``, of the top lists. Of equal ranks the first feature is the better.
        The intervals take the runs as independent. Halves or bootstrap samples of one table share
        rows, and then the intervals are too narrow.

    References
    ----------
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms. Kalousis,
    Prados and Hilario (2007), Stability of feature selection algorithms. Alonso Liso (2016),
    appendix B.3, for the swaps and the two metrics, which are no distances.

    Examples
    --------
    >>> masks = [[True, True, False, False], [True, False, True, False], [True, True, False, False]]
    >>> selection_stability(masks).reset_index().round(3)
         measure  value    low   high
    0   nogueira  0.333 -0.022  0.689
    1    jaccard  0.556    NaN    NaN
    2  mean_size  2.000    NaN    NaN
    """
    runs = np.asarray(runs)
    if runs.ndim != 2 or len(runs) < 2 or runs.shape[1] < 1:
        raise ValueError(
            "runs must be (n_runs, n_features) with at least 2 runs and 1 feature, got shape "
            f"{runs.shape}."
        )
    if runs.dtype.kind not in "biuf":
        raise ValueError(f"runs must hold masks of bool, or ranks, got {runs.dtype}.")
    if runs.dtype != bool and np.isin(runs, (0, 1)).all() and not runs.all():
        raise ValueError("runs holds only 0 and 1: give masks as bool, and ranks from 1.")
    found = _of_masks(runs, level) if runs.dtype == bool else _of_rankings(runs, top_k, level)
    table = pd.DataFrame.from_dict(found, orient="index", columns=["value", "low", "high"])
    return table.rename_axis("measure")


def _of_masks(masks, level):
    """Return the measures of sets."""
    pairs = list(combinations(masks, 2))
    return {
        "nogueira": nogueira_stability(masks, level=level),
        "jaccard": (np.mean([jaccard(a, b) for a, b in pairs]), np.nan, np.nan),
        "mean_size": (masks.sum(axis=1).mean(), np.nan, np.nan),
    }


def jaccard(a, b):
    """Return the proportion of features in both sets among those in any; 1 for two empty sets."""
    return np.sum(a & b) / np.sum(a | b) if np.any(a | b) else 1.0


def _of_rankings(ranks, top_k, level):
    """Return the measures of rankings."""
    check_scalar(top_k, "top_k", numbers.Integral, min_val=1)
    orders = rankings(-ranks.astype(float))
    pairs = [compare_rankings(a, b, top_k=top_k) for a, b in combinations(orders, 2)]
    means = pd.DataFrame(pairs).mean().rename({"top_k_overlap": "jaccard_top_k"})
    found = {name: (value, np.nan, np.nan) for name, value in means.items()}
    top = np.zeros(ranks.shape, dtype=bool)
    np.put_along_axis(top, orders[:, :top_k], True, axis=1)
    return found | {"nogueira_top_k": nogueira_stability(top, level=level)}


def nogueira_stability(masks, *, level=0.95):
    """Return the stability of sets, corrected for chance, with its confidence interval.

    The variance of each feature's choice, R / (R - 1) p (1 - p), is averaged over the features and
    compared with that of sets of the same mean size k drawn at random, k/d (1 - k/d); one minus the
    ratio is the stability. It is 1 for equal sets, 0 on average for random sets, and not below
    -1 / (R - 1). Where all runs keep all features, or none, it is NaN: chance would do the same.

    Parameters
    ----------
    masks : array-like of bool, shape (n_runs, n_features)
    level : float, default=0.95
        As in `selection_stability`.

    Returns
    -------
    value, low, high : float
        The interval is the value and a number of standard errors of the normal distribution on
        both sides; it may pass 1.

    References
    ----------
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms.

    Examples
    --------
    >>> masks = [[True, True, False], [True, False, False], [True, True, False]]
    >>> [round(number, 3) for number in nogueira_stability(masks)]
    [0.55, 0.346, 0.754]
    """
    masks = np.asarray(masks)
    if masks.ndim != 2 or len(masks) < 2 or masks.dtype != bool:
        raise ValueError(
            "masks must be bool, (n_runs, n_features), with at least 2 runs, got "
            f"{masks.dtype}, {masks.shape}."
        )
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level!r}.")
    R, d = masks.shape
    k, p = masks.sum(axis=1), masks.mean(axis=0)  # (R,), (d,)
    mean = k.mean() / d
    if not 0 < mean < 1:
        return np.nan, np.nan, np.nan
    chance = mean * (1 - mean)
    value = 1 - np.mean(R / (R - 1) * p * (1 - p)) / chance
    # Half of how fast the value grows with the weight of each run: its spread gives the variance.
    phi = (
        masks @ p / d - k / d * mean
        + value / 2 * (2 * mean * k / d - k / d - mean + 1)
    ) / chance  # fmt: skip
    variance = 4 / R**2 * np.sum((phi - phi.mean()) ** 2)
    half = norm.ppf((1 + level) / 2) * sqrt(variance)
    return float(value), float(value - half), float(value + half)
