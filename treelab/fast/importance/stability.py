"""Agreement between the feature rankings of several runs.

Importances come from random forests, and another seed gives another ranking. Kendall's tau
counts the pairs of features that two rankings put in the same order; the overlap of the top k says
how much two selections share. The older measures are here because the literature prints them.
"""

import numbers
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import kendalltau
from sklearn.utils import check_scalar

__all__ = ["compare_rankings", "ranking_stability", "rankings"]


def rankings(importances):
    """Rank the features from the most to the least important; ndarray of int, same shape.

    Of equal importances the first feature comes first. NaN is a ValueError.

    Parameters
    ----------
    importances : array-like of shape (n_features,) or (n_runs, n_features)

    Examples
    --------
    >>> rankings([0.1, 0.7, 0.2]).tolist()
    [1, 2, 0]
    """
    importances = np.asarray(importances, dtype=float)
    if importances.ndim not in (1, 2):
        raise ValueError(f"importances must have 1 or 2 dimensions, got {importances.ndim}.")
    if np.isnan(importances).any():
        raise ValueError("importances contain NaN, which has no rank.")
    return np.argsort(-importances, axis=-1, kind="stable")


def compare_rankings(first, second, *, top_k=5):
    """Compare two rankings; after Kendall (1938) and Alonso Liso (2016), appendix B.3.

    Parameters
    ----------
    first, second : array-like of shape (n_features,)
        The same features, each once (else a ValueError), the most important first; from
        `rankings`.
    top_k : int, default=5
        Length of the top lists; at most n.

    Returns
    -------
    dict of str to float
        ``kendall_tau``: share of pairs in the same order less that in the opposite one, from -1
        to 1. ``top_k_overlap``: features in both top lists over features in any of them
        (Jaccard), from 0 to 1. ``swaps``: least number of exchanges of any two features that
        turns one ranking into the other. With p[j] the rank in the second ranking of the feature
        at rank j of the first, from 0, ``metric1``: sum of ``2 ** -(p[j] + j)`` over the j with
        p[j] != j; ``metric2``: that of ``|p[j] - j|`` times the same. These two are no distances:
        among 32 features, swapping the first two gives 1.0, the first and the last 9.3e-10.

    Examples
    --------
    >>> found = compare_rankings([0, 1, 2, 3], [1, 0, 2, 3], top_k=1)
    >>> {name: round(number, 4) for name, number in found.items()}
    {'kendall_tau': 0.6667, 'top_k_overlap': 0.0, 'swaps': 1.0, 'metric1': 1.0, 'metric2': 1.0}
    """
    first, second = list(first), list(second)
    n = len(first)
    if len(set(first)) != n or set(first) != set(second) or len(second) != n or n == 0:
        raise ValueError("first and second must hold the same features, each of them once.")
    check_scalar(top_k, "top_k", numbers.Integral, min_val=1)
    position = {feature: i for i, feature in enumerate(second)}
    p, j = np.array([position[feature] for feature in first]), np.arange(n)
    weight = 2.0 ** -(p + j)
    top = set(first[:top_k]), set(second[:top_k])
    cycles, _ = connected_components(coo_array((np.ones(n), (j, p))))
    return {
        "kendall_tau": float(kendalltau(j, p).statistic) if n > 1 else 1.0,
        "top_k_overlap": len(top[0] & top[1]) / len(top[0] | top[1]),
        "swaps": float(n - cycles),
        "metric1": float(weight[p != j].sum()),
        "metric2": float((np.abs(p - j) * weight).sum()),
    }


def ranking_stability(importances, *, top_k=5):
    """Average `compare_rankings` over all pairs of runs; Series.

    See Kalousis, Prados and Hilario (2007), Stability of feature selection algorithms.

    Parameters
    ----------
    importances : array-like of shape (n_runs, n_features)
        One row for each run, for instance one seed of the forest; two or more, else a ValueError.
    top_k : int, default=5

    Examples
    --------
    >>> runs = [[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.3, 0.5, 0.2]]
    >>> ranking_stability(runs, top_k=2)[["kendall_tau", "top_k_overlap"]].round(4).tolist()
    [0.5556, 1.0]
    """
    orders = rankings(importances)
    if orders.ndim != 2 or len(orders) < 2:
        raise ValueError("importances must be (n_runs, n_features) with at least 2 runs.")
    pairs = [compare_rankings(a, b, top_k=top_k) for a, b in combinations(orders, 2)]
    return pd.DataFrame(pairs).mean()
