"""Shadow features of Boruta: copies of features with their values in another order.

Vocabulary
----------
k, s : number of columns that take part in a run, and of their shadows
"""

import numpy as np
import pandas as pd

from treelab.fast.inputs import on_columns

__all__ = ["draw_shadows", "with_shadows"]

FEWEST_SHADOWS = 5  # so that the largest of their importances is a threshold


def draw_shadows(columns, n_rows, generator):
    """Draw the columns that have shadows, and their orders of the rows; (s,) and (n_rows, s).

    Each column has one. Fewer than five columns are doubled until there are five shadows.

    Parameters
    ----------
    columns : ndarray of int, shape (k,)
    n_rows : int
    generator : numpy.random.Generator
        Its `permutation` draws the orders one after the other.

    Examples
    --------
    >>> casting, orders = draw_shadows(np.array([2, 7]), 3, np.random.default_rng(0))
    >>> casting.tolist(), orders[:, 0].tolist()
    ([2, 7, 2, 7, 2, 7, 2, 7], [2, 0, 1])
    """
    casting = columns
    while len(casting) < FEWEST_SHADOWS:
        casting = np.tile(casting, 2)
    return casting, np.column_stack([generator.permutation(n_rows) for _ in casting])


def with_shadows(estimator, X, columns, casting, orders):
    """Append shadows to some columns of a table, and return the estimator for these columns.

    Parameters
    ----------
    estimator : estimator
        As in `treelab.fast.inputs.on_columns`, which may change it.
    X : DataFrame or ndarray of shape (n_rows, n_features)
    columns : ndarray of int, shape (k,)
    casting, orders : ndarray
        From `draw_shadows`.

    Returns
    -------
    estimator : estimator
    table : DataFrame or ndarray of shape (n_rows, k + s)

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> X, orders = np.array([[1, 10], [2, 20], [3, 30]]), np.array([[2, 1], [0, 0], [1, 2]])
    >>> with_shadows(RandomForestClassifier(), X, [1], [0, 1], orders)[1].tolist()
    [[10, 3, 20], [20, 1, 10], [30, 2, 30]]
    """
    estimator, table = on_columns(estimator, X, [*columns, *casting])
    k, framed = len(columns), isinstance(table, pd.DataFrame)
    if framed and not all(isinstance(t, np.dtype) and t.kind in "iuf" for t in table.dtypes):
        moved = [table.iloc[order, k + i].array for i, order in enumerate(orders.T)]
        parts = [table.iloc[:, i].array for i in range(k)] + moved
        values = pd.DataFrame(dict(enumerate(parts)))
    else:
        values = np.asarray(table)
        shadows = np.take_along_axis(values[:, k:], orders, axis=0)
        values = np.hstack([values[:, :k], shadows])
    if framed:
        names = [str(name) for name in table.columns]
        values = pd.DataFrame(values)
        values.columns = names[:k] + [f"shadow {i} of {n}" for i, n in enumerate(names[k:], 1)]
    return estimator, values
