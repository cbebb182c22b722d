"""Base classes of the selectors: read tables, keep columns and their names, and show the steps.

Vocabulary
----------
step : dict with a row of the table of steps, in which `feature` is the name of the column
"""

import numbers
import warnings
from dataclasses import dataclass

import joblib
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from treelab.fast.information import MISSING, Levels, cut_numbers, quantile_cuts
from treelab.fast.inputs import (
    MOST_CLASSES,
    TASKS,
    Number,
    OneOf,
    Table,
    column_of,
    encode,
    feature_names,
    find_task,
    is_continuous,
    parameter,
    read_classes,
    read_numbers,
)

__all__ = [
    "LevelSelector",
    "LevelTable",
    "Selector",
    "from_best",
    "in_parallel",
    "places",
    "read_labels",
    "rows_of",
    "warn_of_tie",
]


class Selector(SelectorMixin, BaseEstimator):
    """Transformer that keeps the columns of its `support_`; its methods are scikit-learn's.

    A subclass is a dataclass whose fields are its parameters (`treelab.fast.inputs.parameter`). Its
    `fit(X, y)` reads with ``X, y, _ = self.table.fit(X, y)``, which checks the parameters, sets
    `support_`, a mask (n_features,), and `steps_`, a list of dicts with a row of `steps_table`
    each, and returns self. It may have a `read_target` of its own, where `y` is not numbers, and a
    `table` of its own, where X may hold categories or missing values.
    """

    categorical_features = None  # only numbers; a subclass may make it a parameter

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return Table(self, self.read_target)

    def steps_table(self):
        """List the features added and removed, with the numbers that decided; DataFrame."""
        check_is_fitted(self)
        return pd.DataFrame(self.steps_)

    @property
    def n_features_(self):
        """Number of features that are selected."""
        return int(self._get_support_mask().sum())

    def read_target(self, y):
        """Read the target as numbers; (n_rows,)."""
        return read_numbers(y)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def _feature_names(self):
        """Return the names of the columns in fit, or x0, x1, ..., as `get_feature_names_out`."""
        return feature_names(self)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self.table.missing
        return tags


@dataclass(kw_only=True, eq=False, repr=False)
class LevelSelector(Selector):
    """Selector that reads every feature as categories, and the target as classes or bins.

    Its parameters `missing`, `discretize`, `categorical_features`, `task` and `n_bins` are those of
    `filter_table`. Reading sets `task_` and, for regression, `target_cuts_`.
    """

    missing: str = parameter("error", OneOf(*MISSING))
    discretize: str | None = parameter("mdl", OneOf("mdl", "quantile", None))
    categorical_features: object = None
    task: str = parameter("auto", OneOf(*TASKS))
    n_bins: int = parameter(5, Number(numbers.Integral, 2))

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return LevelTable(self, self.read_target, text=True, missing=self.missing != "error")

    def _read_levels(self, X, y):
        """Read the features and, as the last column, the target as `Levels`; set `cuts_`."""
        table, y, _ = self.table.fit(X, y)
        numeric = [j for j in range(table.shape[1]) if j not in self.categories_]
        codes, self.cuts_ = cut_numbers(table, y, numeric, self.discretize)
        return Levels(np.column_stack([codes, y]))

    def read_target(self, y):
        """Read the target as codes of classes or of bins; (n_rows,)."""
        self.task_ = find_task(y, self.task)
        self.target_cuts_ = None
        if self.task_ == "classification":
            return read_labels(y, "task='classification'", "task='regression'", self.task)[1]
        y = read_numbers(y)
        self.target_cuts_ = quantile_cuts(y, self.n_bins)
        if not len(self.target_cuts_):
            raise ValueError(
                f"y has one bin only: n_bins={self.n_bins} bins of equal size cannot be told "
                "apart, because too many values are equal. Use more bins."
                if np.ptp(y) > 0
                else f"y is {y[0]:g} in all rows: no feature could tell anything."
            )
        return np.searchsorted(self.target_cuts_, y)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags


class LevelTable(Table):
    """Reader whose error for a missing value names the parameter `missing` of the selector."""

    def encode(self, X, categories):
        """Encode a table, or raise where a value is missing and must not be."""
        table = encode(X, categories, gaps=True)
        if not self.missing and np.isnan(table).any():
            name = column_of(X, int(np.isnan(table).any(axis=0).argmax()))[1]
            raise ValueError(
                f"X contains NaN or None in {name}. Choose how missing values are treated, "
                "missing='share', 'level' or 'pairs', or drop those rows."
            )
        return table


def from_best(scores):
    """Sort the features from the best score to the worst; ndarray of int, (n_features,).

    Scores that agree in 12 digits are tied, and the first feature comes first.

    >>> from_best([0.3, 0.1 + 0.2, 0.5]).tolist()
    [2, 0, 1]
    """
    return np.argsort([-float(f"{score:.12g}") for score in scores], kind="stable")


def in_parallel(settings, tasks, unit):
    """Do joblib's tasks by the workers of an estimator, with a bar; an iterator of results."""
    done = joblib.Parallel(n_jobs=settings.n_jobs, return_as="generator")(tasks)
    return tqdm(done, total=len(tasks), unit=unit, disable=not settings.verbose)


def rows_of(columns):
    """Turn columns by name, arrays or constants, into a list of dicts of Python's own values.

    >>> rows_of({"rank": np.arange(1, 3), "kept": True})
    [{'rank': 1, 'kept': True}, {'rank': 2, 'kept': True}]
    """
    return pd.DataFrame(columns).to_dict("records")


def places(order):
    """Return the rank of each feature, 1 for the best, from their numbers in order; (n_features,).

    >>> places([2, 0, 1]).tolist()
    [2, 3, 1]
    """
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(1, len(order) + 1)
    return rank


def read_labels(y, means_classes, remedy, task="auto"):
    """Read class labels and the code of each row, or raise an error that names an argument.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
    means_classes : str
        The setting by which `y` holds classes, as named in an error message.
    remedy : str
        The setting for a regression.
    task : {"auto", "classification"}, default="auto"
        With "auto" there is a warning if `y` holds more distinct whole numbers than `find_task`
        reads as classes.

    Returns
    -------
    labels : ndarray of shape (n_classes,)
    codes : ndarray of int, shape (n_rows,)

    Examples
    --------
    >>> read_labels(["b", "a"], "task='classification'", "task='regression'")
    (array(['a', 'b'], dtype='<U1'), array([1, 0]))
    """
    if is_continuous(y):
        raise ValueError(
            f"{means_classes} is for classification, but y is continuous, a regression target. "
            f"Use {remedy}, or turn y into classes."
        )
    labels, codes = read_classes(y)
    if len(labels) < 2:
        raise ValueError(
            f"y has one class only, {labels.tolist()[0]!r}: no feature could tell anything."
        )
    if task == "auto" and len(labels) > MOST_CLASSES and find_task(y) == "regression":
        warnings.warn(
            f"y has {len(labels)} distinct whole numbers, and {means_classes} reads them as "
            f"classes. If y is a regression target, use {remedy}.",
            UserWarning,
            stacklevel=2,
        )
    return labels, codes


def warn_of_tie(scores, support, names):
    """Warn if a feature that is selected has the same score as one that is not.

    The order of the columns decides between them. Scores that agree in 12 digits are equal.

    Parameters
    ----------
    scores : array-like of shape (n_features,)
    support : ndarray of bool, shape (n_features,)
    names : list of str
        Of the features.
    """
    if support.all() or not support.any():
        return
    scores = np.array([float(f"{score:.12g}") for score in scores])
    border = scores[support].min()
    if scores[~support].max() < border:
        return
    tied = [str(names[j]) for j in np.flatnonzero(scores == border)]
    kept = int((support & (scores == border)).sum())
    warnings.warn(
        f"{len(tied)} features have the same score, {border:.3g}, and the order of the columns "
        f"decides which {kept} of them {'is' if kept == 1 else 'are'} kept: {some_of(tied)}.",
        UserWarning,
        stacklevel=3,
    )


def some_of(names):
    """Return the first five names for a message, with dots if there are more."""
    return ", ".join(names[:5]) + ", ..." * (len(names) > 5)
