"""What all selectors share: reading tables, keeping columns and their names, showing their steps.

Vocabulary
----------
step : dict of a row of the table of steps, with `feature` the name of the column
"""

import pandas as pd
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from treelab.inputs import TableReader, read_numbers

__all__ = ["Selector"]


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
