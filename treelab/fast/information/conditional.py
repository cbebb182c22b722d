"""Information of features about the class given others: entropies of several columns."""

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.fast.inputs import as_table, check_weights, read_classes

__all__ = ["conditional_mutual_information", "joint_entropy", "read_levels"]


def joint_entropy(columns, weight, y=None):
    """Return H of the joint values of codes (n_rows, n_columns), and of `y`, in nats; float."""
    table = columns if y is None else np.column_stack([columns, y])
    cell = np.zeros(len(weight), dtype=int)
    for column in table.T:
        cell = np.unique(cell * (column.max() + 1) + column, return_inverse=True)[1]
    share = np.bincount(cell, weight)
    share = share / share.sum()
    return float(-(share * np.log(share)).sum()) + 0.0


def conditional_mutual_information(X, y, feature, given=(), *, sample_weight=None, base=2):
    """Return I(X_m; Y | B), the information of a feature beyond some others; float >= 0.

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
    sample_weight : array-like of shape (n_rows,), default=None
    base : float, default=2
        Of the logarithm, above 1.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> conditional_mutual_information(X, y, 0), conditional_mutual_information(X, y, 0, [1])
    (0.0, 1.0)
    """
    codes, y, weight, names, unit = read_levels(X, y, sample_weight, base)
    m = [feature] if isinstance(feature, str) or not np.ndim(feature) else list(feature)
    unknown = [column for column in [*m, *given] if column not in names]
    if unknown:
        raise ValueError(f"X has no column {unknown[0]!r}, only {names}.")
    B = [names.index(column) for column in given]
    both = sorted({*B, *(names.index(column) for column in m)})
    without, after = (
        joint_entropy(codes[:, some], weight, y) - joint_entropy(codes[:, some], weight)
        for some in (B, both)
    )  # H(Y | B) and H(Y | B, m)
    return float(max((without - after) / unit, 0.0))


def read_levels(X, y, sample_weight, base):
    """Return level codes, class codes, weights, column names, and ln(base)."""
    X = as_table(X)
    check_consistent_length(X, y)
    if not (np.ndim(base) == 0 and base > 1):
        raise ValueError(f"base must be a number above 1, got {base!r}.")
    if not X.shape[0] or not X.shape[1]:
        raise ValueError(f"X must have at least one row and one column, got shape {X.shape}.")
    frame = pd.DataFrame(X)
    if frame.isna().to_numpy().any():
        raise ValueError("X contains missing values (NaN). Drop those rows, or make them a level.")
    codes = np.column_stack([pd.factorize(frame[name])[0] for name in frame.columns])
    weight = check_weights(sample_weight, len(codes))
    keep = weight > 0
    y = read_classes(column_or_1d(y, warn=True))[1]
    return codes[keep], y[keep], weight[keep], list(frame.columns), np.log(base)
