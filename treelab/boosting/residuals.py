"""What each round of gradient boosting sees, fits and adds, case by case.

`residual_table` replays a fitted model on its data. `interval_table` is boosting by hand
with the learner of the book's running table, which is no tree: it divides one feature
into the inside and the outside of an interval and predicts a mean residual for each.

Vocabulary
----------
before, after : score of a case before and after a round
residual : pseudo-residual, the direction in which the loss would have the score move
step : what the round adds to the score, the learning rate included
SSE : sum of squared errors
"""

import numpy as np
import pandas as pd
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from treelab.inputs import check_weights, read_numbers

__all__ = ["interval_candidates", "interval_table", "residual_table"]


def residual_table(model, X, y, sample_weight=None):
    """What each round of a fitted model sees, fits and adds, case by case.

    Parameters
    ----------
    model : GradientBoostingRegressor or GradientBoostingClassifier
        Fitted.
    X : array-like or DataFrame of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
        With the data of `fit`, the residuals are those that the trees were grown on.
    sample_weight : array-like of shape (n_rows,), default=None
        As in `fit`; only the Huber loss looks at it.

    Returns
    -------
    DataFrame
        One row for each round, case and, with more than two classes, class. ``round``
        counts from 1, ``case`` from 0 in the order of `X`; ``before``, ``residual``,
        ``leaf`` (its node number), ``step`` (learning rate times the leaf's value),
        ``after``.

    Raises
    ------
    ValueError
        If X and y differ in length, or `y` holds a class that `fit` has not seen.

    Examples
    --------
    >>> from treelab import GradientBoostingRegressor
    >>> X, y = [[1], [2], [3], [4]], [0.0, 2.0, 4.0, 10.0]
    >>> model = GradientBoostingRegressor(n_estimators=1, max_depth=1, learning_rate=1.0)
    >>> print(residual_table(model.fit(X, y), X, y).to_string(index=False))
     round  case  before  residual  leaf  step  after
         1     0     4.0      -4.0     1  -2.0    2.0
         1     1     4.0      -2.0     1  -2.0    2.0
         1     2     4.0       0.0     1  -2.0    2.0
         1     3     4.0       6.0     2   6.0   10.0
    """
    check_is_fitted(model, "trees_")
    check_consistent_length(X, y)
    X, y = model._read(X), _targets(model, y)
    w = check_weights(sample_weight, len(X))
    F, parts = model._start_scores(X), []
    n_scores = F.reshape(len(X), -1).shape[1]
    for i, trees in enumerate(model.trees_, start=1):
        residual = model._loss.settled(y, F, w).negative_gradient(y, F).reshape(len(X), -1)
        before = F.reshape(len(X), -1).copy()
        leaf = np.column_stack([tree.apply(X) for tree in trees])
        model._move(F, trees, list(leaf.T))
        after = F.reshape(len(X), -1)
        value = np.column_stack([t.value[at, 0, 0] for t, at in zip(trees, leaf.T, strict=True)])
        part = {"round": i, "case": np.repeat(np.arange(len(X)), n_scores)}
        if n_scores > 1:
            part["class"] = np.tile(model.classes_, len(X))
        columns = (before, residual, leaf, model.learning_rate * value, after.copy())
        names = ("before", "residual", "leaf", "step", "after")
        part |= {name: a.ravel() for name, a in zip(names, columns, strict=True)}
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _targets(model, y):
    """Numbers, or the codes of classes that the model knows; floats (n_rows,)."""
    if not hasattr(model, "classes_"):
        return read_numbers(y)
    codes = pd.Index(model.classes_).get_indexer(np.asarray(y))
    if (codes < 0).any():
        unknown = np.asarray(y)[codes < 0][0]
        raise ValueError(f"y has the class {unknown!r}, which was not seen in fit.")
    return codes.astype(float)


def interval_candidates(x, residual):
    """Every division of the cases into the inside and the outside of an interval.

    Parameters
    ----------
    x : array-like of shape (n,)
        A feature.
    residual : array-like of shape (n,)
        What the two means are to be fitted to.

    Returns
    -------
    DataFrame
        ``low``, ``high`` (smallest and largest value inside) and ``sse``, the sum of
        squared errors about the two means; the best first. An interval at the upper end
        is left out: the division is that of the interval below it.

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
    """Gradient boosting of squared error by intervals of one feature, case by case.

    Parameters
    ----------
    x : array-like of shape (n,)
        The feature.
    y : array-like of shape (n,)
    intervals : list of (low, high), default=None
        The interval of each round, ends included. None: in each round the one of least
        SSE; of equal ones the first.
    n_rounds : int, default=3
        Rounds, if `intervals` is None.
    learning_rate : float, default=1.0

    Returns
    -------
    DataFrame
        One row for each round and case: ``round`` (from 1), ``case`` (from 0), ``low`` and
        ``high`` of the interval, ``inside``, ``before``, ``residual``, ``step``, ``after``.
        The start is the mean of `y`.

    Raises
    ------
    ValueError
        If x and y differ in length, or hold something else than finite numbers.

    Examples
    --------
    >>> interval_table([1, 2, 3], [1.0, 7.0, 1.0], n_rounds=1)[["inside", "residual", "after"]]
       inside  residual  after
    0   False      -2.0    1.0
    1    True       4.0    7.0
    2   False      -2.0    1.0
    """
    x, y = _numbers(x, "x"), _numbers(y, "y")
    check_consistent_length(x, y)
    if intervals is None:
        if len(np.unique(x)) < 2:
            raise ValueError("x must have at least two values to divide.")
        intervals = [None] * n_rounds
    score, parts = np.full(len(y), y.mean()), []
    for i, interval in enumerate(intervals, start=1):
        before, residual = score, y - score
        if interval is None:
            interval = interval_candidates(x, residual).loc[0, ["low", "high"]]
        if np.shape(interval) != (2,):
            raise ValueError(f"intervals must hold pairs (low, high), got {interval!r}.")
        low, high = interval
        inside = (x >= low) & (x <= high)
        step = learning_rate * _means(residual, inside)
        score = before + step
        part = {"round": i, "case": np.arange(len(y)), "low": low, "high": high}
        part |= {"inside": inside, "before": before, "residual": residual}
        parts.append(pd.DataFrame(part | {"step": step, "after": score}))
    return pd.concat(parts, ignore_index=True)


def _means(residual, inside):
    """Mean residual of the own side of each case; (n,)."""
    means = np.empty(len(residual))
    for side in (inside, ~inside):
        if side.any():
            means[side] = residual[side].mean()
    return means


def _numbers(values, name):
    """`values` as finite floats (n,), or an error that names them."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a list of finite numbers, got {values!r}.")
    return array
