"""What all selectors share: reading tables, keeping columns and their names, showing their steps.

Vocabulary
----------
step : dict of a row of the table of steps, with `feature` the name of the column
"""

import numpy as np
import pandas as pd
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted

from treelab.information import GAPS, Levels, cut_numbers
from treelab.inputs import TableReader, column_of, encode, read_classes, read_numbers

__all__ = ["LevelSelector", "Selector", "check_number", "from_best", "places"]


class Selector(SelectorMixin, TableReader):
    """A transformer that keeps the columns of its `support_`; scikit-learn's methods are inherited.

    A subclass reads with `X, y, _ = self._read_training(X, y)`, which checks its parameters, and in
    its `fit` sets `support_`, a mask (n_features,), and `steps_`, a list of dicts.
    """

    categorical_features = None  # numbers only; a subclass may make it a parameter

    def steps_table(self):
        """Who entered and who left, in order, with the numbers that decided it; DataFrame."""
        check_is_fitted(self)
        return pd.DataFrame(self.steps_)

    @property
    def n_features_(self):
        """Number of features that are kept."""
        return int(self._get_support_mask().sum())

    def _read_target(self, y):
        return read_numbers(y)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def _feature_names(self):
        """Names of the columns seen in fit, or x0, x1, ..., as `get_feature_names_out` has them."""
        names = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if names is None else list(names)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self._allows_missing()
        return tags


class LevelSelector(Selector):
    """A selector that reads every feature as levels, and the target as classes.

    Its parameters `missing`, `discretize` and `categorical_features` are those of `filter_table`.
    """

    _text_is_levels = True
    _choices = {"missing": GAPS, "discretize": ("mdl", "quantile", None)}

    def _read_levels(self, X, y):
        """The features and, as the last column, the target; `Levels`. Sets `cuts_`."""
        table, y, _ = self._read_training(X, y)
        numeric = [j for j in range(table.shape[1]) if j not in self.categories_]
        codes, self.cuts_ = cut_numbers(table, y, numeric, self.discretize)
        return Levels(np.column_stack([codes, y]))

    def _read_target(self, y):
        classes, codes = read_classes(y)
        if len(classes) < 2:
            raise ValueError(
                f"y has one class only, {classes.tolist()[0]!r}: no feature could tell anything."
            )
        return codes

    def _allows_missing(self):
        return self.missing != "error"

    def _encode(self, X):
        table = encode(X, self.categories_, gaps=True)
        if not self._allows_missing() and np.isnan(table).any():
            name = column_of(X, int(np.isnan(table).any(axis=0).argmax()))[1]
            raise ValueError(
                f"X contains NaN or None in {name}. Say what gaps are: missing='share', 'level' or "
                "'pairs'; or drop those rows."
            )
        return table

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags


def from_best(scores):
    """Numbers of the features from the best score to the worst; ndarray of int, (n_features,).

    Of scores that agree in 12 digits the first feature comes first.

    >>> from_best([0.3, 0.1 + 0.2, 0.5]).tolist()
    [2, 0, 1]
    """
    return np.argsort([-float(f"{score:.12g}") for score in scores], kind="stable")


def places(order):
    """The rank of each feature, 1 for the best, from their numbers in order; (n_features,).

    >>> places([2, 0, 1]).tolist()
    [2, 3, 1]
    """
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(1, len(order) + 1)
    return rank


def check_number(value, name, kind, **limits):
    """Raise where a setting is not a finite number of a kind within limits.

    The limits are those of scikit-learn's `check_scalar`, which takes True for 1, and NaN.

    >>> check_number(-1, "number", int, min_val=1)
    Traceback (most recent call last):
        ...
    ValueError: number == -1, must be >= 1.
    """
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be a number, got {value!r}.")
    check_scalar(value, name, kind, **limits)
    if not np.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}.")
