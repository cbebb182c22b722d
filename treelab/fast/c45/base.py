"""Shared parts of the estimators of multiway trees: reading tables and predicting.

Text and truth values are categories without being named, and a value may be missing: then a row
goes down every branch. `read_release8` reads numbers as Quinlan's own program does.

Vocabulary
----------
table : `X` as floats, category codes and numbers, NaN where unknown
"""

import warnings

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from treelab.fast.c45.pruning import reduced_error_pruning
from treelab.fast.inputs import Table, check_weights, column_of, read_classes
from treelab.fast.tree.fitted import FittedTree

__all__ = ["MultiwayClassifier", "MultiwayEstimator", "read_release8"]

RELEASE8_UNKNOWN = -999.0  # how Quinlan's program marks a number that is not known


class MultiwayEstimator(FittedTree, BaseEstimator):
    """Base class of the estimators of multiway trees."""

    categorical_features = "all"

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return Table(self, self.read_target, text=True, missing=True)

    @property
    def n_leaves_(self):
        """Number of leaves, those on branches without training rows included."""
        return self.get_n_leaves()

    @property
    def n_nodes_(self):
        """Number of nodes, leaves included."""
        check_is_fitted(self)
        return self.tree_.n_nodes

    def to_frame(self):
        """Return the tree as a DataFrame, one row per node; see `MultiwayTree.to_frame`."""
        check_is_fitted(self)
        return self.tree_.to_frame(*self.names())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.table.missing
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags


class MultiwayClassifier(ClassifierMixin, MultiwayEstimator):
    """Prediction with a multiway classification tree."""

    laplace = False

    def read_target(self, y):
        """Read the target as class codes or numbers; (n_rows,)."""
        self.classes_, codes = read_classes(y, declared=True)
        return codes

    def predict_proba(self, X):
        """Average the class proportions of the leaves that each row reaches; (n_rows, n_classes).

        Where the value a node tests is unknown, the row goes down every branch, each with
        the share of the training rows that took it, and the predictions are averaged accordingly.
        """
        table = self.table.read(X)
        shares = self.tree_.shares(table, 1.0 if self.laplace else 0.0)
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Predict the class with the largest proportion, the first in a tie; (n_rows,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def prune_on(self, X_val, y_val, sample_weight=None, keep_unreached=False):
        """Return a fitted copy whose tree is pruned by its errors on held-out rows.

        `treelab.fast.pruning.reduced_error_pruning` calls this.

        Parameters
        ----------
        X_val, y_val, sample_weight, keep_unreached
            As in `treelab.fast.pruning.reduced_error_table`. A label not seen in fit is an error of
            every node.

        Returns
        -------
        estimator
        """
        table = self.table.read(X_val)
        check_consistent_length(table, y_val)
        weight = check_weights(sample_weight, len(table))
        codes = pd.Index(self.classes_).get_indexer(pd.Index(np.asarray(y_val)))
        pruned = reduced_error_pruning(self.tree_, table, codes, weight, keep_unreached)
        return self.with_tree(pruned)


def read_release8(table, numeric, X):
    """Read a table as Release 8 does: `numeric` columns in 32 bits, -999 for a missing value.

    A number that is too large for 32 bits is an error, and the number -999 a warning.
    """
    with np.errstate(over="ignore"):
        out = table.astype(np.float32).astype(float)
    for j in numeric:
        name = column_of(X, j)[1]
        if np.isinf(out[:, j]).any():
            raise ValueError(
                f"X has a number too large for 32 bits in {name}: with variant='release8' numbers "
                "must be below 3.4e38."
            )
        unknown = out[:, j] == RELEASE8_UNKNOWN
        if unknown.any():
            warnings.warn(
                f"X has the number -999 in {name}, {unknown.sum()} times: variant='release8' takes "
                "it as unknown, as Quinlan's program does.",
                stacklevel=2,
            )
            out[unknown, j] = np.nan
    return out
