"""Boosting with intervals in the place of trees, as lecture slides do it by hand."""

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length

__all__ = ["interval_candidates", "interval_table"]


def interval_candidates(x, residual):
    """List every division of the rows into the inside and the outside of an interval.

    Parameters
    ----------
    x, residual : array-like of shape (n,)
        A feature, and the numbers to which the two means are fitted.

    Returns
    -------
    DataFrame
        ``low``, ``high`` (smallest and largest value inside) and ``sse``, the sum of squared
        errors; the best first. An interval up to the largest value divides as the one below it.

    Examples
    --------
    >>> interval_candidates([1, 2, 3], [0.0, 6.0, 0.0])
       low  high   sse
    0  2.0   2.0   0.0
    1  1.0   1.0  18.0
    2  1.0   2.0  18.0
    """
    x, residual = _numbers(x, "x"), _numbers(residual, "residual")
    check_consistent_length(x, residual)
    values, rows = np.unique(x), []
    for first, low in enumerate(values[:-1]):
        for high in values[first:-1]:
            means = _means(residual, (x >= low) & (x <= high))
            rows.append((low, high, float(np.sum((residual - means) ** 2))))
    table = pd.DataFrame(rows, columns=["low", "high", "sse"])
    return table.sort_values("sse", kind="stable", ignore_index=True)


def interval_table(x, y, intervals=None, *, n_rounds=3, learning_rate=1.0):
    """List gradient boosting with squared error on intervals of one feature, row by row.

    Parameters
    ----------
    x, y : array-like of shape (n,)
        The feature and the target, whose mean is the start.
    intervals : list of (low, high), default=None
        The interval of each round, ends included. None: in each round the one with the smallest
        SSE, the first in a tie.
    n_rounds : int, default=3
        Number of rounds, if `intervals` is None.
    learning_rate : float, default=1.0

    Returns
    -------
    DataFrame
        One row for each round and case, with ``low`` and ``high`` of the interval and whether
        the case is ``inside``; the rest as in `residual_table`.

    Examples
    --------
    >>> interval_table([1, 2, 3], [1.0, 7.0, 1.0], n_rounds=1)["after"].tolist()
    [1.0, 7.0, 1.0]
    """
    x, y = _numbers(x, "x"), _numbers(y, "y")
    check_consistent_length(x, y)
    if intervals is None:
        if len(np.unique(x)) < 2:
            raise ValueError("x must have at least two values to divide.")
        intervals = [None] * n_rounds
    score, parts = np.full(len(y), y.mean()), []
    for i, interval in enumerate(intervals, 1):
        before, residual = score, y - score
        if interval is None:
            interval = interval_candidates(x, residual).loc[0, ["low", "high"]]
        if np.shape(interval) != (2,):
            raise ValueError(f"intervals must hold pairs (low, high), got {interval!r}.")
        low, high = interval
        inside = (x >= low) & (x <= high)
        step = learning_rate * _means(residual, inside)
        score = before + step
        part = {"round": i, "case": np.arange(len(y)), "low": low, "high": high, "inside": inside}
        part |= {"before": before, "residual": residual, "step": step, "after": score}
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _means(residual, inside):
    """Return the mean residual on the side of each row; (n,)."""
    means = [residual[side].mean() if side.any() else 0.0 for side in (~inside, inside)]
    return np.where(inside, means[1], means[0])


def _numbers(values, name):
    """Return `values` as finite floats (n,), or raise an error that names them."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a list of finite numbers, got {values!r}.")
    return array
