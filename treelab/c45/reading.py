"""From a DataFrame with text, categories, numbers and gaps to one table of floats.

A nominal column becomes the codes 0, 1, 2, ... of its levels, a numeric one stays as it is,
and whatever is missing becomes NaN. The declared levels of a pandas categorical are the
branches, used or not, in their declared order; text, and True or False, are levels too.

Vocabulary
----------
categories : dict from column number to the array of the column's levels
known : not missing; None, NaN, NaT and pd.NA are missing
"""

import numbers
import warnings

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from treelab.inputs import column_name, find_categorical, read_classes

RELEASE8_UNKNOWN = -999.0  # how Quinlan's program marks a number that is not known

__all__ = [
    "columns_of",
    "encode_table",
    "learn_levels",
    "read_declared_classes",
    "read_release8",
    "refuse_missing",
]


def columns_of(X):
    """The columns of a DataFrame or of a two-dimensional array, as a list of Series."""
    if isinstance(X, pd.DataFrame):
        return [X.iloc[:, j] for j in range(X.shape[1])]
    return [pd.Series(X[:, j]) for j in range(X.shape[1])]


def refuse_missing(X, estimator):
    """Raise where a value of `X` is missing."""
    for j, column in enumerate(columns_of(X)):
        if column.isna().any():
            raise ValueError(
                f"X contains missing values (NaN) in {column_name(X, j)}, which "
                f"{type(estimator).__name__} does not take as it is set up. Drop those rows, give "
                "the missing a level of their own, or see whether the estimator has a parameter "
                "for them."
            )


def refuse_infinity(column, name):
    """Raise where a number of a column is infinite."""
    if column.dtype.kind == "f" and np.isinf(column.to_numpy()).any():
        raise ValueError(f"X contains infinity in {name}. Numbers must be finite or NaN.")


def holds_levels(column, name):
    """Whether a column's own dtype and values say that it is nominal."""
    if isinstance(column.dtype, pd.CategoricalDtype) or column.dtype.kind == "b":
        return True
    if column.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: X has complex numbers in {name}.")
    if column.dtype.kind in "mM":
        raise ValueError(
            f"X has dates in {name}. Turn them into numbers, for instance days since the first."
        )
    if column.dtype.kind in "iuf":
        return False
    kinds = {_kind(value) for value in column[column.notna()]}
    if kinds - {"text", "number", "truth"}:
        raise TypeError(
            f"X holds something else than numbers and text in {name}: each value must be a "
            "string or a number; the argument must be a string or a real number."
        )
    if len(kinds) > 1:
        raise ValueError(
            f"X mixes {' and '.join(sorted(kinds))} in {name}. Make it a pandas categorical, or "
            "turn all of it into numbers, with NaN where the value is unknown."
        )
    return bool(kinds & {"text", "truth"})


def _kind(value):
    """What a value is, in a word."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool | np.bool_):
        return "truth"
    return "number" if isinstance(value, numbers.Real) else "else"


def learn_levels(X, categorical_features="from_dtype"):
    """The levels of every nominal column.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categorical_features : "from_dtype", "all" or array-like, default="from_dtype"
        "from_dtype": pandas categoricals, text and truth values. "all": every column.
        Otherwise column numbers, names or a mask, and the columns that "from_dtype" finds.

    Returns
    -------
    dict of int to ndarray
        Declared levels of a pandas categorical; else the sorted known values.

    Examples
    --------
    >>> learn_levels(pd.DataFrame({"wind": ["weak", None, "strong"], "humidity": [90, 70, 80]}))
    {0: array(['strong', 'weak'], dtype=object)}
    """
    columns = columns_of(X)
    nominal = {j for j, c in enumerate(columns) if holds_levels(c, column_name(X, j))}
    if isinstance(categorical_features, str) and categorical_features == "all":
        nominal = set(range(len(columns)))
    else:
        nominal |= set(find_categorical(X, categorical_features))
    categories = {}
    for j in sorted(nominal):
        column = columns[j]
        if isinstance(column.dtype, pd.CategoricalDtype):
            categories[j] = np.asarray(column.cat.categories, dtype=object)
            continue
        refuse_infinity(column, column_name(X, j))
        levels = sorted(set(column[column.notna()].to_numpy(dtype=object)))
        categories[j] = np.array(levels, dtype=object)
    return categories


def encode_table(X, categories, handle_unknown="error"):
    """`X` as floats: level codes, numbers, NaN where missing.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categories : dict of int to ndarray
    handle_unknown : {"error", "missing"}, default="error"
        What to do with a level that is not among the categories.

    Returns
    -------
    ndarray of shape (n_rows, n_features)

    Raises
    ------
    ValueError
        If a level is not known, or text stands in a numeric column.

    Examples
    --------
    >>> X = pd.DataFrame({"wind": ["weak", None], "humidity": [90, np.nan]})
    >>> encode_table(X, {0: np.array(["strong", "weak"])})
    array([[ 1., 90.],
           [nan, nan]])
    """
    out = np.empty(X.shape)
    for j, column in enumerate(columns_of(X)):
        missing = column.isna().to_numpy(dtype=bool)
        refuse_infinity(column, column_name(X, j))
        if j not in categories:
            out[:, j] = _numbers(column, missing, column_name(X, j))
            continue
        values = np.asarray(column, dtype=object)
        codes = pd.Index(categories[j]).get_indexer(values).astype(float)
        new = (codes < 0) & ~missing
        if new.any() and handle_unknown == "error":
            raise ValueError(
                f"X has the level {values[int(new.argmax())]!r} in {column_name(X, j)}, which was "
                f"not seen in fit. Known: {list(categories[j])}. Declare it before fit as a level "
                "of a pandas categorical, or set handle_unknown='missing' to deal such rows to "
                "all branches."
            )
        codes[codes < 0] = np.nan
        out[:, j] = codes
    return out


def read_release8(table, numeric, X):
    """The numbers of a table as Release 8 reads them: in 32 bits, -999 for unknown.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_features)
    numeric : list of bool
        Which columns hold numbers.
    X : DataFrame or ndarray
        Where the table came from, for the names of columns.

    Returns
    -------
    ndarray of shape (n_rows, n_features)

    Raises
    ------
    ValueError
        If a number is too large for 32 bits.

    Warns
    -----
    UserWarning
        If a number is -999.
    """
    with np.errstate(over="ignore"):
        out = table.astype(np.float32).astype(float)
    for j in np.flatnonzero(numeric):
        if np.isinf(out[:, j]).any():
            raise ValueError(
                f"X has a number too large for 32 bits in {column_name(X, j)}: with "
                "variant='release8' numbers must be below 3.4e38."
            )
        unknown = out[:, j] == RELEASE8_UNKNOWN
        if unknown.any():
            warnings.warn(
                f"X has the number -999 in {column_name(X, j)}, {unknown.sum()} times: "
                "variant='release8' takes it as unknown, as Quinlan's program does.",
                stacklevel=2,
            )
            out[unknown, j] = np.nan
    return out


def _numbers(column, missing, name):
    """A numeric column as floats, or an error."""
    if holds_levels(column, name):
        raise ValueError(
            f"X has text or levels in {name}, which held numbers in fit. Turn the column into "
            "numbers, with NaN where the value is unknown."
        )
    values = np.full(len(column), np.nan)
    values[~missing] = np.asarray(column[~missing], dtype=float)
    refuse_infinity(pd.Series(values), name)
    return values


def read_declared_classes(y):
    """Class labels and the code of each row; a pandas categorical keeps its declared classes.

    Parameters
    ----------
    y : array-like of shape (n_rows,)

    Returns
    -------
    labels : ndarray of shape (n_classes,)
        Declared ones in their order, otherwise sorted.
    codes : ndarray of int, shape (n_rows,)

    Examples
    --------
    >>> y = pd.Series(pd.Categorical(["yes", "no"], categories=["yes", "no", "maybe"]))
    >>> read_declared_classes(y)
    (array(['yes', 'no', 'maybe'], dtype=object), array([0, 1]))
    """
    if not isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        return read_classes(column_or_1d(y, warn=True))
    column = pd.Series(y)
    if column.isna().any():
        return read_classes(column.to_numpy())  # says what is wrong
    check_classification_targets(column.to_numpy())
    return column.cat.categories.to_numpy(), column.cat.codes.to_numpy().astype(int)
