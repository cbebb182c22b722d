"""What estimators of trees and of forests share: reading and checking what they are given.

Vocabulary
----------
categories_ : levels of each categorical feature, by column number
limits : the stopping rules as checked numbers
"""

import numbers

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from treelab.growing.by_depth import Limits
from treelab.growing.frontier import Columns, Targets
from treelab.inputs import as_table, check_weights, encode, find_categorical, learn_categories
from treelab.settings import check_settings

__all__ = ["TreeReader"]


class TreeReader(BaseEstimator):
    """Reads training data, parameters and new rows for binary trees."""

    def _read_training(self, X, y, sample_weight, again=False):
        """Validated X with level codes, y as class codes or numbers, and weights.

        With `again` the columns are read as in the fit before, and must be the same.
        """
        check_settings(self)
        if self.criterion not in self._criteria:
            raise ValueError(f"criterion must be one of {self._criteria}, got {self.criterion!r}.")
        X = as_table(X)
        categories = {}
        if X.ndim == 2:
            if again:
                validate_data(self, X, reset=False, skip_check_array=True)  # names and number
            categories = self._learn_categories(X, again)
            X = encode(X, categories)
        self.categories_ = categories
        if y is not None:
            y = self._read_target(column_or_1d(y, warn=True))
        X, y = validate_data(self, X, y, dtype=np.float64, reset=not again)
        return X, y, check_weights(sample_weight, len(X))

    def _learn_categories(self, X, again):
        """Levels of the categorical columns; with `again` those of the fit before."""
        categorical = find_categorical(X, self.categorical_features)
        if not again:
            return learn_categories(X, categorical)
        if categorical != list(self.categories_):
            raise ValueError(
                f"categorical_features must name the columns {list(self.categories_)} as in the "
                f"fit before when warm_start is True, got columns {categorical}."
            )
        return self.categories_

    def _limits(self, p):
        """The stopping rules as checked numbers."""
        whole = numbers.Integral
        if self.max_depth is not None:
            check_scalar(self.max_depth, "max_depth", whole, min_val=1)
        _check_not_negative(self.min_impurity_decrease, "min_impurity_decrease")
        _check_not_negative(self.ccp_alpha, "ccp_alpha")
        return Limits(
            max_depth=np.inf if self.max_depth is None else self.max_depth,
            min_samples_split=check_scalar(
                self.min_samples_split, "min_samples_split", whole, min_val=2
            ),
            min_samples_leaf=check_scalar(
                self.min_samples_leaf, "min_samples_leaf", whole, min_val=1
            ),
            min_impurity_decrease=self.min_impurity_decrease,
            max_features=_number_of_features(self.max_features, p),
        )

    def _read(self, X):
        """Validated X for prediction."""
        check_is_fitted(self)
        X = as_table(X)
        if X.ndim == 2:
            validate_data(self, X, reset=False, skip_check_array=True)  # names and number
            X = encode(X, self.categories_)
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _prepare(self, X, y, weight):
        """Columns and targets for growth, of the rows with a weight."""
        n_levels = [len(self.categories_.get(j, ())) for j in range(X.shape[1])]
        keep = weight > 0
        n_classes = getattr(self, "n_classes_", 0)
        targets = Targets.of(y[keep], weight[keep], self.criterion, n_classes)
        return Columns.of(X[keep], n_levels), targets


def _check_not_negative(value, name):
    """Raise unless `value` is a real number of at least 0."""
    check_scalar(value, name, numbers.Real, min_val=0)
    if np.isnan(value):
        raise ValueError(f"{name} == nan, must be >= 0.")


def _number_of_features(max_features, p):
    """How many features a node tries, from scikit-learn's ways of saying it."""
    if max_features is None:
        return p
    if isinstance(max_features, str):
        named = {"sqrt": np.sqrt(p), "log2": np.log2(p)}
        if max_features in named:
            return max(1, int(named[max_features]))
    elif isinstance(max_features, bool):
        pass
    elif isinstance(max_features, numbers.Integral):
        if 1 <= max_features <= p:
            return int(max_features)
    elif isinstance(max_features, numbers.Real) and 0 < max_features <= 1:
        return max(1, int(max_features * p))
    raise ValueError(
        f"max_features must be a whole number from 1 to {p} (the number of columns of X), a "
        f"share in (0, 1], 'sqrt', 'log2' or None, got {max_features!r}."
    )
