"""Discretization of numbers: cut points that pay for themselves, and bins of equal size.

Vocabulary
----------
cut : a number; values at it or below are on its lower side
set : the rows between two neighboring cuts
k, H : number of classes in a set, and its entropy in bits
"""

import numpy as np
import pandas as pd
from sklearn.utils import check_consistent_length

from treelab.fast.information.variables import bits_of
from treelab.fast.inputs import OneOf, read_classes
from treelab.fast.tolerances import CLOSE

__all__ = ["cut_numbers", "mdl_cuts", "mdl_table", "quantile_cuts"]


def mdl_cuts(x, y, *, candidates="distinct"):
    """Find the cut points of a number after Fayyad and Irani; ndarray, ascending.

    The cut point with the largest information gain about the class, halfway between two values,
    is used where it shortens the message that tells the classes; then each side is cut again.
    Without any cut point, the number tells too little to be worth its description.

    Parameters
    ----------
    x : array-like of shape (n_rows,)
        Numbers; rows with missing values take no part.
    y : array-like of shape (n_rows,)
        Class labels.
    candidates : {"distinct", "rows"}, default="distinct"
        How many cuts the message must choose from: one between any two neighboring values, as
        Weka counts, or one between any two rows, as the paper does.

    Notes
    -----
    A set of n rows with k classes and entropy H is cut into two with k1, k2 and H1, H2 if the gain
    is above (log2(candidates) + log2(3^k - 2) - k H + k1 H1 + k2 H2) / n. Of equal gains the lowest
    cut wins.

    References
    ----------
    Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes.

    Examples
    --------
    >>> mdl_cuts([1, 2, 3, 4, 5, 6, 7, 8], list("aaaabbbb")).tolist()
    [4.5]
    >>> mdl_cuts([1, 2, 3, 4, 5, 6, 7, 8], list("abababab")).tolist()
    []
    """
    x, y = _number_and_class(x, y, candidates)
    return np.sort([step["cut_point"] for step in _mdl_steps(x, y, candidates) if step["accepted"]])


def mdl_table(x, y, *, candidates="distinct"):
    """List the steps of `mdl_cuts`, with one row for each set of rows examined.

    Parameters
    ----------
    x, y, candidates
        As in `mdl_cuts`.

    Returns
    -------
    DataFrame
        ``low`` and ``high``, the smallest and the largest value of the set, ``n`` its rows, the
        ``cut_point`` with the largest ``gain``, the ``needed`` gain in bits, and ``accepted``.

    Examples
    --------
    >>> mdl_table([1, 2, 3, 4, 5, 6, 7, 8], list("aaaabbbb")).round(3)
       low  high  n  cut_point  gain  needed  accepted
    0  1.0   8.0  8        4.5   1.0   0.452      True
    """
    x, y = _number_and_class(x, y, candidates)
    columns = ["low", "high", "n", "cut_point", "gain", "needed", "accepted"]
    return pd.DataFrame(_mdl_steps(x, y, candidates), columns=columns)


def _number_and_class(x, y, candidates):
    """Return the numbers of the known rows, and the codes of their classes."""
    OneOf("distinct", "rows").check("candidates", candidates)
    try:
        x = np.asarray(x, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"x must hold numbers: {error}.") from None
    if x.ndim != 1:
        raise ValueError(f"x must have one dimension, got {x.ndim}.")
    if np.isinf(x).any():
        raise ValueError("x contains infinity. Numbers must be finite.")
    check_consistent_length(x, y)
    if not len(x):
        raise ValueError("x must have at least one row.")
    known = ~np.isnan(x)
    return x[known], read_classes(y)[1][known]


def _mdl_steps(x, y, candidates="distinct"):
    """Return a dict for each set with at least two distinct values and two classes.

    Class sums run along the sorted values; a set is the distinct values from `first` to `end`.
    """
    if len(x) < 2:
        return []
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    ends = np.flatnonzero(np.append(x[1:] != x[:-1], True))  # last row of each distinct value
    value = x[ends]
    running = np.cumsum(y[:, None] == np.arange(y.max() + 1), axis=0)[ends]
    running = np.vstack([np.zeros_like(running[:1]), running])  # (n_distinct + 1, n_classes)
    bits = bits_of(np.arange(len(x) + 1.0))
    steps, waiting = [], [(0, len(value))]
    while waiting:
        first, end = waiting.pop()
        total = running[end] - running[first]
        if end - first < 2 or (total > 0).sum() < 2:
            continue
        below = running[first + 1 : end] - running[first]
        sides = np.stack([below, total - below], axis=1)  # (n_cuts, 2, n_classes)
        size = sides.sum(axis=2)
        n = size[0].sum()
        nH = bits[n] - bits[total].sum()
        nH_side = bits[size] - bits[sides].sum(axis=2)  # (n_cuts, 2)
        gains = (nH - nH_side.sum(axis=1)) / n
        best = int(np.argmax(gains >= gains.max() - CLOSE))
        k, k_side = (total > 0).sum(), (sides[best] > 0).sum(axis=1)
        after = k * nH / n - (k_side * nH_side[best] / size[best]).sum()
        choices = len(gains) if candidates == "distinct" else n - 1
        code_bits = k * np.log2(3) + np.log1p(-2 * 3.0**-k) / np.log(2)  # log2(3^k - 2)
        needed = (np.log2(choices) + code_bits - after) / n
        low, high = value[first + best], value[first + best + 1]
        cut = low / 2 + high / 2
        accepted = bool(gains[best] > max(needed, CLOSE))
        steps.append({
            "low": value[first],
            "high": value[end - 1],
            "n": int(n),
            "cut_point": float(cut if cut < high else low),
            "gain": float(gains[best]),
            "needed": float(needed),
            "accepted": accepted,
        })  # fmt: skip
        if accepted:
            middle = first + best + 1
            waiting += [(middle, end), (first, middle)]  # the lower side next
    return steps


def quantile_cuts(x, n_bins=None):
    """Cut into bins of about equal size, equal values together; ndarray, ascending.

    Parameters
    ----------
    x : ndarray of shape (n_rows,)
        Known numbers.
    n_bins : int, default=None
        At most so many. None: the cube root of n_rows, rounded up.

    Examples
    --------
    >>> quantile_cuts(np.arange(27.0)).tolist()
    [8.0, 17.0]
    """
    n_bins = int(np.ceil(np.cbrt(len(x)) - CLOSE)) if n_bins is None else n_bins
    shares = np.arange(1, n_bins) / n_bins
    cuts = np.unique(np.quantile(x, shares, method="inverted_cdf")) if len(x) else np.empty(0)
    return cuts[cuts < x.max(initial=-np.inf)]


def cut_numbers(table, y, numeric, discretize="mdl"):
    """Discretize the numeric columns of a table; return all level codes, and the cut points.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_features)
        NaN for a missing value.
    y : ndarray of int, shape (n_rows,)
        Class codes.
    numeric : list of int
        The columns to cut; the others hold codes.
    discretize : {"mdl", "quantile", None}, default="mdl"
        By `mdl_cuts` or `quantile_cuts`; None makes each distinct number a level.

    Returns
    -------
    codes : ndarray of int, shape (n_rows, n_features)
        A value at a cut is below it; -1 for a missing value.
    cuts : dict of int to ndarray
        Empty without `discretize`.

    Examples
    --------
    >>> table = np.array([[1.0, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1]])
    >>> codes, cuts = cut_numbers(table, np.array([0, 0, 0, 1, 1, 1]), [0])
    >>> codes[:, 0].tolist(), cuts
    ([0, 0, 0, 1, 1, 1], {0: array([3.5])})
    """
    missing_values, cuts = np.isnan(table), {}
    codes = np.full(table.shape, -1, dtype=np.intp)
    for j in set(range(table.shape[1])) - set(numeric):
        codes[~missing_values[:, j], j] = table[~missing_values[:, j], j]
    for j in numeric:
        x, known = table[:, j], ~missing_values[:, j]
        if discretize is None:
            codes[:, j] = pd.factorize(x, sort=True)[0]
            continue
        if discretize == "mdl":
            steps = _mdl_steps(x[known], y[known])
            cuts[j] = np.sort([step["cut_point"] for step in steps if step["accepted"]])
        else:
            cuts[j] = quantile_cuts(x[known])
        codes[:, j] = np.where(known, np.searchsorted(cuts[j], x), -1)
    return codes, cuts
