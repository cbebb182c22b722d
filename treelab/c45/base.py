"""What the estimators of multiway trees share: reading, checks, and a view of the tree.

Vocabulary
----------
tree_ : the `MultiwayTree`; categories_ : levels of each nominal feature, by column number
table : `X` as floats, level codes and numbers, NaN where unknown
"""

import copy

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from treelab.c45.pruning import reduced_error_pruning
from treelab.c45.reading import encode_table, learn_levels, refuse_missing
from treelab.inputs import as_table, check_weights
from treelab.settings import check_settings

__all__ = ["MultiwayClassifier", "MultiwayEstimator"]


class MultiwayEstimator(BaseEstimator):
    """What the estimators of multiway trees share."""

    def _levels(self, X):
        """The levels of the nominal columns of `X`."""
        return learn_levels(X, self.categorical_features)

    def _read_training(self, X, y, sample_weight):
        """The table of floats, and the weights; sets `categories_`."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        self._check_choices()
        check_settings(self)
        X = as_table(X)
        self.categories_ = {}
        if X.ndim == 2 and not hasattr(X, "toarray"):
            self.categories_ = self._levels(X)
        table = self._table(X, reset=True)
        check_consistent_length(table, y)
        return table, check_weights(sample_weight, len(table))

    def _table(self, X, reset=False):
        """Validated `X` as floats, NaN where missing."""
        X = as_table(X)
        if X.ndim == 2 and not hasattr(X, "toarray"):
            validate_data(self, X, reset=reset, skip_check_array=True)  # names and number
            columns = getattr(X, "columns", None)
            table = self._encode(X)
            X = table if columns is None else pd.DataFrame(table, columns=columns)
        return validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")

    def _encode(self, X):
        """`X` as floats, NaN where missing."""
        if not self._allows_missing():
            refuse_missing(X, self)
        return encode_table(X, self.categories_, self.handle_unknown)

    def _allows_missing(self):
        return True

    def _check_choices(self):
        """Raise where a parameter with a list of values has another one."""
        for name, allowed in self._choices.items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} must be one of {list(allowed)}, got {value!r}.")

    def _n_levels(self):
        """Number of levels of each feature, 0 for a numeric one."""
        return [len(self.categories_.get(j, ())) for j in range(self.n_features_in_)]

    def _names(self):
        """Names of features, levels and classes, as `MultiwayWords` takes them."""
        names = getattr(self, "feature_names_in_", None)
        return names, self.categories_, getattr(self, "classes_", None)

    @property
    def n_leaves_(self):
        """Number of leaves, those on branches without training rows included."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def n_nodes_(self):
        """Number of nodes, leaves included."""
        check_is_fitted(self)
        return self.tree_.n_nodes

    def get_n_leaves(self):
        """Number of leaves."""
        return self.n_leaves_

    def get_depth(self):
        """Number of questions on the longest way from the root to a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def with_tree(self, tree):
        """A fitted copy of this estimator that predicts with another `MultiwayTree`."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.tree_ = tree
        return other

    def export_text(self, digits=4):
        """The tree as indented text; str."""
        check_is_fitted(self)
        return self.tree_.export_text(*self._names(), digits)

    def to_frame(self):
        """The tree as a DataFrame, one row for each node; see `MultiwayTree.to_frame`."""
        check_is_fitted(self)
        return self.tree_.to_frame(*self._names())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._allows_missing()
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags


class MultiwayClassifier(ClassifierMixin, MultiwayEstimator):
    """Prediction with a multiway classification tree."""

    laplace = False

    def predict_proba(self, X):
        """Class shares of the leaves that a row reaches.

        Where the value a node asks for is unknown, the row goes down every branch, each with
        the share of the training rows that took it, and the answers are averaged so.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        check_is_fitted(self)
        table = self._table(X)
        shares = self.tree_.shares(table, 1.0 if self.laplace else 0.0)
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X):
        """The class of the largest share, the first of equals; shape (n_rows,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def prune_on(self, X_val, y_val, sample_weight=None, keep_unreached=False):
        """A fitted copy whose tree is pruned by its errors on fresh rows.

        `treelab.pruning.reduced_error_pruning` calls this.

        Parameters
        ----------
        X_val : DataFrame or array-like of shape (n_cases, n_features)
        y_val : array-like of shape (n_cases,)
            Labels; one not seen in fit is an error of every node.
        sample_weight : array-like of shape (n_cases,), default=None
        keep_unreached : bool, default=False
            Leave a node as it is when none of these rows reaches it.

        Returns
        -------
        estimator
        """
        check_is_fitted(self)
        table = self._table(X_val)
        check_consistent_length(table, y_val)
        weight = check_weights(sample_weight, len(table))
        codes = pd.Index(self.classes_).get_indexer(pd.Index(np.asarray(y_val)))
        pruned = reduced_error_pruning(self.tree_, table, codes, weight, keep_unreached)
        return self.with_tree(pruned)
