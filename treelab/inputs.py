"""From what the caller has (a DataFrame, lists, text) to what the algorithms read.

A numeric feature stays a number. A categorical feature becomes the codes 0, 1, 2, ... of
its levels, in the order of the levels. Whatever cannot be read is refused with an error
that names the argument, the column and the remedy; nothing is guessed.

Vocabulary
----------
categories : dict from column number to the array of the column's levels
"""

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets

__all__ = [
    "as_members_take_it",
    "as_table",
    "check_weights",
    "encode",
    "find_categorical",
    "learn_categories",
    "read_classes",
    "read_numbers",
]


def as_table(X):
    """`X` itself if it is a DataFrame or a sparse matrix, else as an array."""
    if hasattr(X, "columns") or hasattr(X, "toarray"):
        return X
    try:
        return np.asarray(X)
    except ValueError:
        raise ValueError("X must have rows of equal length, all of numbers or levels.") from None


def as_members_take_it(X):
    """`X` as the members of an ensemble get it: a DataFrame as it is, anything else as an array.

    Raises
    ------
    TypeError
        If `X` is sparse.
    ValueError
        If `X` is not a table.

    Examples
    --------
    >>> as_members_take_it([[1, 2]])
    array([[1, 2]])
    """
    if hasattr(X, "toarray"):
        raise TypeError("X is sparse, and sparse data are not supported: pass X.toarray() instead.")
    if hasattr(X, "iloc"):
        return X
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, got {X.ndim}. Reshape your data with "
            "X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one row."
        )
    return X


def column_name(X, j):
    """How to call column `j` in an error message."""
    return f"column {X.columns[j]!r}" if isinstance(X, pd.DataFrame) else f"column {j}"


def find_categorical(X, categorical_features):
    """Numbers of the categorical columns of `X`.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categorical_features : None, "from_dtype" or array-like
        None: no column. "from_dtype": the columns of pandas' `category` dtype. Otherwise
        column numbers, column names or a mask of booleans, (n_features,).

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        If a column does not exist.

    Examples
    --------
    >>> find_categorical(pd.DataFrame({"a": [1], "b": ["x"]}), ["b"])
    [1]
    """
    p = X.shape[1]
    if categorical_features is None:
        return []
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise ValueError(
                "categorical_features must be None, 'from_dtype' or a list of columns, got "
                f"{categorical_features!r}."
            )
        if not isinstance(X, pd.DataFrame):
            return []
        return [j for j in range(p) if isinstance(X.dtypes.iloc[j], pd.CategoricalDtype)]
    wanted = np.asarray(categorical_features)
    if wanted.ndim == 1 and len({isinstance(c, str) for c in categorical_features}) > 1:
        raise ValueError(
            "categorical_features must hold column names or column numbers, not both, got "
            f"{categorical_features!r}."
        )
    if wanted.ndim != 1:
        raise ValueError(
            "categorical_features must be None, 'from_dtype' or a list of columns, got "
            f"{categorical_features!r}."
        )
    if wanted.size == 0:
        return []
    if wanted.dtype == bool:
        if wanted.shape != (p,):
            raise ValueError(
                f"categorical_features is a mask of shape {wanted.shape}, but X has {p} columns."
            )
        return np.flatnonzero(wanted).tolist()
    if wanted.dtype.kind in "iu":
        if wanted.min() < 0 or wanted.max() >= p:
            raise ValueError(
                f"categorical_features must be column numbers from 0 to {p - 1}, got "
                f"{wanted.tolist()}."
            )
        return sorted(set(wanted.tolist()))
    names = list(X.columns) if isinstance(X, pd.DataFrame) else []
    unknown = [name for name in wanted.tolist() if name not in names]
    if unknown:
        where = f"not columns of X: {names}" if names else "but X is an array without column names"
        raise ValueError(f"categorical_features names {unknown}, {where}.")
    return sorted(names.index(name) for name in wanted.tolist())


def learn_categories(X, categorical):
    """The levels of every categorical column.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categorical : list of int

    Returns
    -------
    dict of int to ndarray
        Declared levels of a pandas categorical, used or not; the sorted values otherwise.

    Examples
    --------
    >>> learn_categories(np.array([["b"], ["a"]]), [0])
    {0: array(['a', 'b'], dtype=object)}
    """
    categories = {}
    for j in categorical:
        column = _complete_column(X, j)
        declared = isinstance(column.dtype, pd.CategoricalDtype)
        levels = column.cat.categories if declared else np.unique(column.to_numpy())
        categories[j] = np.asarray(levels, dtype=object)
    return categories


def _complete_column(X, j):
    """Column `j` as a Series without missing values, or an error."""
    column = X.iloc[:, j] if isinstance(X, pd.DataFrame) else pd.Series(X[:, j])
    if column.isna().any():
        raise ValueError(
            f"X contains missing values (NaN) in {column_name(X, j)}. Drop those rows, or "
            "replace the values by a level of their own such as 'missing'."
        )
    return column


def encode(X, categories):
    """`X` with its categorical columns as level codes and the rest untouched.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n_rows, n_features)
    categories : dict of int to ndarray

    Returns
    -------
    DataFrame or array-like
        `X` itself where nothing is categorical; otherwise a copy.

    Raises
    ------
    ValueError
        If a category is not among the levels, a value is missing, or a column that is not
        categorical holds text.

    Examples
    --------
    >>> encode(np.array([["b", 2.0], ["a", 1.0]], dtype=object), {0: np.array(["a", "b"])})
    array([[1., 2.],
           [0., 1.]])
    """
    if not isinstance(X, pd.DataFrame) and not categories:
        if getattr(X, "dtype", np.dtype(float)).kind not in "OUSmM":
            return X
        try:
            if X.dtype.kind not in "mM":
                return X.astype(float)
        except TypeError:  # neither number nor text: scikit-learn's validation says so
            return X
        except ValueError:
            pass  # some column is text: find it below
    columns = [_encode_column(X, j, categories) for j in range(X.shape[1])]
    if isinstance(X, pd.DataFrame):
        return pd.DataFrame(dict(enumerate(columns)), index=X.index).set_axis(X.columns, axis=1)
    return np.column_stack(columns)


def _encode_column(X, j, categories):
    """Codes of one categorical column, or the numbers of a numeric one."""
    if j in categories:
        column = _complete_column(X, j)
        codes = pd.Index(categories[j]).get_indexer(np.asarray(column, dtype=object))
        if (codes < 0).any():
            raise ValueError(
                f"X has the category {column.iloc[int(codes.argmin())]!r} in {column_name(X, j)}, "
                f"which was not seen in fit. Known: {list(categories[j])}. Map it to one of "
                "these, or declare it before fit as a level of a pandas categorical."
            )
        return codes.astype(float)
    column = X.iloc[:, j] if isinstance(X, pd.DataFrame) else X[:, j]
    if column.dtype.kind in "mM":
        raise ValueError(
            f"X has dates in {column_name(X, j)}. Turn them into numbers, for instance days "
            "since the first."
        )
    if not isinstance(column.dtype, pd.CategoricalDtype):
        try:
            return np.asarray(column, dtype=float)
        except (TypeError, ValueError):
            pass
    raise ValueError(
        f"X has text or categories in {column_name(X, j)}, which is taken for numeric. Name it "
        "in categorical_features, or make it a pandas categorical and leave "
        "categorical_features='from_dtype'."
    )


def read_classes(y):
    """Class labels and the code of each row.

    Parameters
    ----------
    y : array-like of shape (n_rows,)

    Returns
    -------
    labels : ndarray of shape (n_classes,)
        In sorted order.
    codes : ndarray of int, shape (n_rows,)

    Raises
    ------
    ValueError
        If a label is missing, or the labels are numbers with fractions.

    Examples
    --------
    >>> read_classes(["b", "a", "b"])[1].tolist()
    [1, 0, 1]
    """
    _refuse_missing(y)
    check_classification_targets(y)
    return np.unique(y, return_inverse=True)


def read_numbers(y):
    """`y` as floats, or an error that says why not; shape (n_rows,).

    Examples
    --------
    >>> read_numbers([1, 2])
    array([1., 2.])
    """
    _refuse_missing(y)
    try:
        return np.asarray(y, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must hold numbers for a regression: {error}.") from None


def _refuse_missing(y):
    """Raise where a target is NaN or None."""
    y = np.asarray(y)
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError("y contains infinity. Targets must be finite.")
    missing = np.asarray(pd.isna(y))
    if missing.any():
        raise ValueError(
            f"y contains NaN or None in {int(missing.sum())} of its {missing.size} rows. Drop "
            "those rows: nothing can be learned from a row without a target."
        )


def check_weights(sample_weight, n_rows):
    """Weights of the rows as an array of floats.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,), a number or None
        None gives every row the weight 1.
    n_rows : int

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    ValueError
        If the length is wrong, a weight is negative or not finite, or all are zero.

    Examples
    --------
    >>> check_weights(None, 2)
    array([1., 1.])
    """
    try:
        w = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}.") from None
    w = np.full(n_rows, float(w)) if w.ndim == 0 else w
    if w.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {n_rows} rows of X, got shape "
            f"{w.shape}."
        )
    if not np.isfinite(w).all() or (w < 0).any():
        raise ValueError(
            "sample_weight must be finite and not negative, got a smallest weight of "
            f"{w.min()} and a largest of {w.max()}."
        )
    if not w.sum() > 0:
        raise ValueError("sample_weight must have a positive sum: all weights are zero.")
    return w
