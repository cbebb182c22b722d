"""Tables: names, categories and missing values are checked, and columns become floats and codes.

Vocabulary
----------
level : a category, one of the values of a categorical feature
categories : dict from column number to the array of the column's levels
"""

import numbers

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.utils import _safe_indexing, check_array, check_consistent_length, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from treelab.fast.inputs.parameters import check_settings
from treelab.fast.inputs.targets import check_weights, weigh_classes

__all__ = [
    "Table",
    "as_table",
    "check_values",
    "column_of",
    "encode",
    "feature_names",
    "find_categorical",
    "learn_categories",
    "on_columns",
]


class Table:
    """Reader of the tables of an estimator, which remembers the features of `fit`.

    An estimator has one as its property `table`. `fit` sets the estimator's `n_features_in_`,
    `feature_names_in_` and `categories_`, which are all that is remembered, and other features
    raise an error. An estimator that reads tables differently has a subclass with its own
    `find_categories` or `encode`.

    Parameters
    ----------
    estimator : estimator
        With `categorical_features` and, if unknown categories may count as missing values,
        `handle_unknown`.
    read_target : callable
        Turns `y` into class codes or numbers, (n_rows,).
    text : bool, default=False
        Columns of text and of truth values are categorical without being named.
    missing : bool, default=False
        Values may be missing; they are read as NaN.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(categorical_features=[0])
    >>> X, codes, weight = tree.table.fit([["a", 1], ["b", 2]], ["no", "yes"])
    >>> X.tolist(), codes.tolist(), tree.table.n_categories
    ([[0.0, 1.0], [1.0, 2.0]], [0, 1], [2, 0])
    """

    def __init__(self, estimator, read_target, *, text=False, missing=False):
        self.estimator, self.read_target = estimator, read_target
        self.text, self.missing = text, missing

    def fit(self, X, y, sample_weight=None, again=False):
        """Read the training data, and check the estimator's settings.

        Parameters
        ----------
        X, y, sample_weight
            As in `DecisionTreeClassifier.fit`.
        again : bool, default=False
            The features must be those of the fit before, and are read in the same way.

        Returns
        -------
        X : ndarray of float, shape (n_rows, n_features)
        y : ndarray of shape (n_rows,)
        weight : ndarray of float, shape (n_rows,)
            Times the weights of the classes, if the estimator has a `class_weight`.
        """
        estimator = self.estimator
        check_settings(estimator)
        X = as_table(X)
        validate_data(estimator, X, y, reset=not again, skip_check_array=True)  # names, number, a y
        categories = self.find_categories(X)
        if again and list(categories) != list(estimator.categories_):
            raise ValueError(
                f"categorical_features must name the columns {list(estimator.categories_)} as in "
                f"the fit before when warm_start is True, got columns {list(categories)}."
            )
        if not again:
            estimator.categories_ = categories
        X = self._as_floats(X, estimator.categories_)
        y = self.read_target(y)
        check_consistent_length(X, y)
        return X, y, weigh_classes(estimator, y, check_weights(sample_weight, len(X)))

    def read(self, X):
        """Read rows for prediction as floats; (n_rows, n_features)."""
        check_is_fitted(self.estimator)
        X = as_table(X)
        validate_data(self.estimator, X, reset=False, skip_check_array=True)  # names and number
        return self._as_floats(X, self.estimator.categories_)

    def check(self, X):
        """Raise unless every row of a table from `as_table` can be read; remember nothing."""
        self._as_floats(X, self.find_categories(X))

    def find_categories(self, X):
        """Find the categories of the categorical columns; dict of int to ndarray."""
        return learn_categories(X, self.estimator.categorical_features, self.text)

    def encode(self, X, categories):
        """Encode a table as numbers and codes of categories, NaN for a missing value."""
        unknown = getattr(self.estimator, "handle_unknown", None)
        return encode(X, categories, self.missing, unknown)

    def _as_floats(self, X, categories):
        """Return `X` as floats, with at least one row and one column."""
        X = self.encode(X, categories)
        return check_array(X, dtype=np.float64, ensure_all_finite=False, estimator=self.estimator)

    @property
    def n_categories(self):
        """Number of categories of each feature, 0 for a numeric one; list of int."""
        categories, d = self.estimator.categories_, self.estimator.n_features_in_
        return [len(categories.get(j, ())) for j in range(d)]


def as_table(X):
    """Return `X` itself if it is a DataFrame, otherwise as an array of two dimensions.

    >>> as_table([[1, 2]])
    array([[1, 2]])
    """
    if hasattr(X, "toarray"):
        raise TypeError("X is sparse, but only dense data are supported: pass X.toarray() instead.")
    if isinstance(X, pd.DataFrame):
        return X
    try:
        X = np.asarray(X)
    except ValueError:
        raise ValueError("X must have rows of equal length, all of numbers or levels.") from None
    if X.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, got {X.ndim}. Reshape your data with "
            "X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one row."
        )
    return X


def column_of(X, j):
    """Return column `j` of a table as a Series, and its name in error messages."""
    if isinstance(X, pd.DataFrame):
        return X.iloc[:, j], f"column {X.columns[j]!r}"
    return pd.Series(X[:, j]), f"column {j}"


def feature_names(estimator):
    """Return the names of the features of a fitted estimator, or x0, x1, ...; list."""
    unnamed = [f"x{j}" for j in range(estimator.n_features_in_)]
    return list(getattr(estimator, "feature_names_in_", unnamed))


def find_categorical(X, categorical_features):
    """Return the numbers of the columns of `X` that are declared categorical; a sorted list.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categorical_features : None, "from_dtype", "all" or array-like
        None: no column. "from_dtype": the columns of pandas' `category` dtype. Otherwise
        column numbers, column names or a mask of booleans, (n_features,). A ValueError if there
        is no such column.

    Examples
    --------
    >>> find_categorical(pd.DataFrame({"a": [1], "b": ["x"]}), ["b"])
    [1]
    """
    d, names = X.shape[1], list(getattr(X, "columns", ()))
    if categorical_features is None:
        return []
    wanted = np.asarray(categorical_features)
    if wanted.ndim == 0 and wanted == "all":
        return list(range(d))
    if wanted.ndim == 0 and wanted == "from_dtype":
        dtypes = X.dtypes if names else []
        return [j for j, dtype in enumerate(dtypes) if isinstance(dtype, pd.CategoricalDtype)]
    if wanted.ndim != 1:
        raise ValueError(
            "categorical_features must be None, 'from_dtype', 'all' or a list of columns, got "
            f"{categorical_features!r}."
        )
    if len({isinstance(column, str) for column in categorical_features}) > 1:
        raise ValueError(
            "categorical_features must hold column names or column numbers, not both, got "
            f"{categorical_features!r}."
        )
    if wanted.dtype == bool:
        if wanted.shape != (d,):
            raise ValueError(
                f"categorical_features is a mask of shape {wanted.shape}, but X has {d} columns."
            )
        return np.flatnonzero(wanted).tolist()
    wanted = wanted.tolist()
    if all(isinstance(column, int) for column in wanted):
        if not set(wanted) <= set(range(d)):
            raise ValueError(
                f"categorical_features must be column numbers from 0 to {d - 1}, got {wanted}."
            )
        return sorted(set(wanted))
    unknown = [name for name in wanted if name not in names]
    if unknown:
        where = f"not columns of X: {names}" if names else "but X is an array without column names"
        raise ValueError(f"categorical_features names {unknown}, {where}.")
    return sorted(names.index(name) for name in set(wanted))


def on_columns(estimator, X, columns):
    """Return estimator and table for some of the columns; the estimator is copied if it changes.

    Categorical columns keep their names and change their numbers, and a whole number of
    `max_features` is at most the number of columns that there are.

    Parameters
    ----------
    estimator : estimator
    X : DataFrame or ndarray of shape (n_rows, n_features)
    columns : list of int

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> forest = RandomForestClassifier(max_features=3, categorical_features=[0, 2])
    >>> forest, X = on_columns(forest, np.array([[1, 2, 3, 4]]), [2, 3])
    >>> forest.max_features, forest.categorical_features, X.tolist()
    (2, [0], [[3, 4]])
    """
    columns, parameters, changed = list(columns), estimator.get_params(), {}
    named, most = parameters.get("categorical_features"), parameters.get("max_features")
    if isinstance(named, list | tuple | np.ndarray):
        kept = set(find_categorical(X, named))
        changed["categorical_features"] = [i for i, j in enumerate(columns) if j in kept]
    if isinstance(most, numbers.Integral) and most > len(columns):
        changed["max_features"] = len(columns)
    if changed:
        estimator = clone(estimator).set_params(**changed)
    return estimator, _safe_indexing(X, columns, axis=1)


def holds_levels(column, name):
    """Return whether a column is categorical by its dtype and its values.

    It is an error if the column mixes text and numbers, or holds dates or anything else.
    """
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
    kinds = {_kind(value) for value in column.dropna()}
    if "else" in kinds:
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
    """Return the kind of a value, as a word."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool | np.bool_):
        return "truth"
    return "number" if isinstance(value, numbers.Real) else "else"


def learn_categories(X, categorical_features, text_is_levels=False):
    """Find the categories of every categorical column.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categorical_features
        As in `find_categorical`.
    text_is_levels : bool, default=False
        Whether columns of text or of truth values are categorical, too.

    Returns
    -------
    dict of int to ndarray
        Declared levels of a pandas categorical; the sorted known values otherwise.

    Examples
    --------
    >>> table = pd.DataFrame({"wind": ["weak", None, "strong"], "humidity": [90, 70, 80]})
    >>> learn_categories(table, [0])
    {0: array(['strong', 'weak'], dtype=object)}
    """
    named, categories = find_categorical(X, categorical_features), {}
    for j in range(X.shape[1]) if text_is_levels else named:
        column, name = column_of(X, j)
        if holds_levels(column, name) or j in named:
            declared = isinstance(column.dtype, pd.CategoricalDtype)
            levels = column.cat.categories if declared else np.unique(column.dropna().to_numpy())
            categories[j] = np.asarray(levels, dtype=object)
    return categories


def encode(X, categories, gaps=False, handle_unknown=None):
    """Encode `X` as floats: numbers, and the codes of categories.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
    categories : dict of int to ndarray
    gaps : bool, default=False
        Whether values may be missing; they become NaN.
    handle_unknown : {None, "error", "missing"}, default=None
        Treatment of a level that is not among the categories: an error, or a missing value.

    Returns
    -------
    ndarray of shape (n_rows, n_features)
        `X` itself if it is an array of numbers. It is an error if a value is missing or infinite,
        or if a column that is not categorical holds text.

    Examples
    --------
    >>> encode(np.array([["b", 2.0], ["a", 1.0]], dtype=object), {0: np.array(["a", "b"])})
    array([[1., 2.],
           [0., 1.]])
    """
    table = X
    if categories or isinstance(X, pd.DataFrame) or X.dtype.kind not in "iufc":
        table = np.empty(X.shape, order="F")  # it is read column by column
        for j in range(X.shape[1]):
            if j in categories:
                table[:, j] = _codes(*column_of(X, j), categories[j], handle_unknown)
            else:
                table[:, j] = _numbers(*column_of(X, j))
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(table.sum()):
            return table
    for j, values in enumerate(table.T):
        column, name = column_of(X, j)
        if np.isinf(values).any():
            raise ValueError(f"X contains infinity in {name}. Numbers must be finite.")
        missing = column.isna() if j in categories else np.isnan(values)  # unknown levels are NaN
        if missing.any() and not gaps:
            raise ValueError(
                f"X contains NaN or None in {name}. Drop those rows, or replace the values, in a "
                "categorical column by a level of their own such as 'missing'. C45Classifier() "
                "and ID3Classifier(missing='share') take them as they are."
            )
    return table


def check_values(X, estimator):
    """Raise unless an estimator can read every row of a table, and not only those of a sample.

    Ensembles and selectors call it on the whole table before they draw anything. Otherwise, a row
    that no sample contains would pass whatever it holds.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_rows, n_features)
        As `as_table` returns it.
    estimator : estimator
        Estimators of treelab read the table by their own rules. For any other, numbers must be
        finite, and values may be missing where its tags allow it.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> check_values(np.array([[1.0], [np.inf]]), LinearRegression())
    Traceback (most recent call last):
        ...
    ValueError: X contains infinity in column 0. Numbers must be finite.
    """
    table = getattr(estimator, "table", None)
    if isinstance(table, Table):
        table.check(X)
        return
    allows_missing = not isinstance(estimator, BaseEstimator)
    allows_missing = allows_missing or get_tags(estimator).input_tags.allow_nan
    for j in range(X.shape[1]):
        column, name = column_of(X, j)
        if column.isna().any() and not allows_missing:
            raise ValueError(
                f"X contains NaN or None in {name}. Drop those rows, replace the values, or use an "
                f"estimator that allows missing values: {type(estimator).__name__} does not."
            )
        kind, values = column.dtype.kind, column
        if kind == "O":
            values = [v for v in column if isinstance(v, numbers.Real)]
        if kind in "fO" and np.isinf(np.asarray(values, dtype=float)).any():
            raise ValueError(f"X contains infinity in {name}. Numbers must be finite.")


def _codes(column, name, levels, handle_unknown):
    """Return the codes of a categorical column; NaN for a missing value."""
    codes = pd.Index(levels).get_indexer(column.to_numpy(dtype=object)).astype(float)
    codes[codes < 0] = np.nan
    if column.dtype.kind == "f":
        codes[np.isinf(column)] = np.inf  # `encode` refuses it
    unknown = np.isnan(codes) & column.notna().to_numpy()
    if unknown.any() and handle_unknown != "missing":
        missing = ", or set handle_unknown='missing', which takes it for a missing value"
        raise ValueError(
            f"X has the level {column.iloc[int(unknown.argmax())]!r} in {name}, which was not seen "
            f"in fit. Known: {list(levels)}. Map it to one of these, or declare it before fit as "
            f"a level of a pandas categorical{missing if handle_unknown else ''}."
        )
    return codes


def _numbers(column, name):
    """Return the numbers of a numeric column; NaN for a missing value."""
    if column.dtype.kind not in "cmM" and not isinstance(column.dtype, pd.CategoricalDtype):
        try:
            filled = {"na_value": np.nan} if column.hasnans else {}
            return column.to_numpy(dtype=float, **filled)
        except (TypeError, ValueError):
            pass
    holds_levels(column, name)  # raises for anything worse than text
    raise ValueError(
        f"X has text or categories in {name}, which is taken for numeric. Turn it into numbers; "
        "or, before fit, name it in categorical_features or make it a pandas categorical."
    )
