"""Pictures of importances: bars with intervals, and ranks over seeds."""

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, new_axes, top_legend
from treelab.fast.importance import rankings

__all__ = ["draw_importances", "draw_ranks"]

LARGEST = 420  # area in points of the dot of a rank that all runs agree on


def draw_importances(importances, intervals=None, *, names=None, sort=True, xlabel="importance",
                     ax=None):  # fmt: skip
    """Draw the importances of the features as bars, with their intervals.

    Intervals or names that do not fit the importances are a ValueError.

    Parameters
    ----------
    importances : array-like or Series of shape (n_features,)
    intervals : array-like of shape (n_features,) or (n_features, 2), default=None
        Half the length of each interval, a standard deviation for instance, or its two ends.
    names : sequence, default=None
        Of the features; None takes the index of a Series, or numbers.
    sort : bool, default=True
        The largest on top; False keeps the order of the features, the first on top.
    xlabel : str, default="importance"
    ax : Axes, default=None

    Examples
    --------
    >>> ax = draw_importances([0.2, 0.7, 0.1], [0.05, 0.1, 0.02], names=["a", "b", "c"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['b', 'a', 'c']
    """
    if names is None and isinstance(importances, pd.Series):
        names = importances.index
    values = np.asarray(importances, dtype=float)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"importances must be (n_features,), got shape {values.shape}.")
    rows = np.arange(len(values))
    order = np.argsort(-values, kind="stable") if sort else rows
    ends = None if intervals is None else _ends(values, intervals)[order]
    ax = new_axes(ax)
    ax.barh(rows, values[order], color=COLORS[4], edgecolor=INK, linewidth=0.7, height=0.6)
    if ends is not None:
        ax.hlines(rows, ends[:, 0], ends[:, 1], color=INK, lw=2, gid="intervals")
        ax.plot(ends.ravel(), np.repeat(rows, 2), ls="none", marker="|", ms=9, mew=2, color=INK)
    ax.axvline(0, color=GRAY, lw=1)
    ax.set(xlabel=xlabel)
    return _named_rows(ax, names, order)


def draw_ranks(importances, *, names=None, ax=None):
    """Draw which rank each feature gets in each of several runs, the best mean rank on top.

    The area of a dot is the share of the runs with this rank; a diamond is the mean rank.

    Parameters
    ----------
    importances : array-like or DataFrame of shape (n_runs, n_features)
        One row for each run, for instance each seed.
    names : sequence, default=None
        Of the features; None takes the columns of a DataFrame, or numbers.
    ax : Axes, default=None

    Examples
    --------
    >>> ax = draw_ranks([[0.5, 0.3, 0.2], [0.5, 0.2, 0.3]], names=["a", "b", "c"])
    >>> ax.collections[0].get_offsets().tolist()
    [[1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [2.0, 2.0], [3.0, 2.0]]
    """
    if names is None:
        names = getattr(importances, "columns", None)
    importances = np.asarray(importances, dtype=float)
    if importances.ndim != 2 or 0 in importances.shape:
        raise ValueError(f"importances must be (n_runs, n_features), got {importances.shape}.")
    R, d = importances.shape
    rank = np.argsort(rankings(importances), axis=1) + 1  # (R, d), from 1
    mean = rank.mean(axis=0)
    order = np.argsort(mean, kind="stable")
    places = np.tile(np.arange(d), R), rank[:, order].ravel()
    (y, x), count = np.unique(places, axis=1, return_counts=True)  # a dot for each that occurs
    ax = new_axes(ax)
    ax.scatter(x, y, s=LARGEST * count / R, color=COLORS[4], edgecolor=INK, lw=0.7, gid="ranks")
    ax.plot(mean[order], np.arange(d), ls="none", marker="D", ms=7, mfc="none", mew=2,
            color=ACCENT, label="mean rank")  # fmt: skip
    _named_rows(ax, names, order)
    ax.set(xlabel="rank", xlim=(0.5, d + 0.5))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="x")
    top_legend(ax)
    return ax


def _named_rows(ax, names, order):
    """Name the rows from the top by the features in this order; the axes."""
    d = len(order)
    names = range(d) if names is None else list(names)
    if len(names) != d:
        raise ValueError(f"names must hold {d} names, one for each feature, got {len(names)}.")
    ax.set_yticks(np.arange(d), [str(names[j]) for j in order])
    ax.invert_yaxis()
    return ax


def _ends(values, intervals):
    """Both ends of each interval; (d, 2)."""
    intervals, d = np.asarray(intervals, dtype=float), len(values)
    if intervals.shape == (d,):
        return np.column_stack([values - intervals, values + intervals])
    if intervals.shape != (d, 2):
        raise ValueError(f"intervals must be ({d},) or ({d}, 2), got {intervals.shape}.")
    return intervals
