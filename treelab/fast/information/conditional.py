"""Information of features about the class given others: entropies of several columns."""

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.fast.inputs import as_table, read_classes

__all__ = ["class_entropy", "conditional_mutual_information", "joint_entropy", "read_levels"]


def joint_entropy(columns, y=None):
    """Return H of the joint values of codes (n_rows, n_columns), and of `y`, in nats; float."""
    table = columns if y is None else np.column_stack([columns, y])
    cell = np.zeros(len(table), dtype=int)
    for column in table.T:
        cell = np.unique(cell * (column.max() + 1) + column, return_inverse=True)[1]
    share = np.bincount(cell) / len(cell)
    return float(-(share * np.log(share)).sum()) + 0.0


def class_entropy(columns, y):
    """Return H(Y | columns), what is not known of the class when the columns are, in bits."""
    return (joint_entropy(columns, y) - joint_entropy(columns)) / np.log(2)


def conditional_mutual_information(X, y, feature, given=()):
    """Return I(X_m; Y | B), the information of a feature beyond some others, in bits; float >= 0.

    See Cover and Thomas (2006), equation 2.61.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Every distinct value is a level; a missing one is a ValueError.
    y : array-like of shape (n_rows,)
        Class labels.
    feature : int, str or list
        Column m, or several taken together.
    given : list of int or str, default=()
        Columns B. Without them: the plain mutual information, the gain of ID3's first test.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> conditional_mutual_information(X, y, 0), conditional_mutual_information(X, y, 0, [1])
    (0.0, 1.0)
    """
    codes, y, names = read_levels(X, y)
    m = [feature] if isinstance(feature, str) or not np.ndim(feature) else list(feature)
    unknown = [column for column in [*m, *given] if column not in names]
    if unknown:
        raise ValueError(f"X has no column {unknown[0]!r}, only {names}.")
    B = [names.index(column) for column in given]
    both = sorted({*B, *(names.index(column) for column in m)})
    return float(max(class_entropy(codes[:, B], y) - class_entropy(codes[:, both], y), 0.0))


def read_levels(X, y):
    """Return level codes, class codes and column names."""
    X = as_table(X)
    check_consistent_length(X, y)
    if not X.shape[0] or not X.shape[1]:
        raise ValueError(f"X must have at least one row and one column, got shape {X.shape}.")
    frame = pd.DataFrame(X)
    if frame.isna().to_numpy().any():
        raise ValueError("X contains missing values (NaN). Drop those rows, or make them a level.")
    codes = np.column_stack([pd.factorize(frame[name])[0] for name in frame.columns])
    return codes, read_classes(column_or_1d(y, warn=True))[1], list(frame.columns)
