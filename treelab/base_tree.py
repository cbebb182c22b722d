"""What the estimators of single trees share: fit, checks, and a view of the tree.

Vocabulary
----------
tree_ : the grown `treelab.tree.Tree`
categories_ : levels of each categorical feature, by column number
"""

import copy
import numbers

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils import Bunch, check_random_state, check_scalar
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from treelab.growing import Limits, grow
from treelab.inputs import as_table, check_weights, encode, find_categorical, learn_categories
from treelab.level import Columns, Targets
from treelab.pruning import cost_complexity_path, prune

__all__ = ["BaseDecisionTree"]


class BaseDecisionTree(BaseEstimator):
    """What the two estimators share."""

    def __init__(
        self,
        criterion,
        max_depth,
        min_samples_split,
        min_samples_leaf,
        max_features,
        min_impurity_decrease,
        ccp_alpha,
        categorical_features,
        random_state,
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Grow the tree, then prune it by `ccp_alpha`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Numbers, and levels in the columns of `categorical_features`; nothing missing.
        y : array-like of shape (n_rows,)
            Class labels, or numbers for the regressor.
        sample_weight : array-like of shape (n_rows,), default=None
            Not negative; rows of weight 0 are left out. None: 1 each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the data are empty, of different lengths, not finite, or text stands where
            numbers are expected; if a parameter is out of its range.
        """
        X, y, weight = self._read_training(X, y, sample_weight)
        return self._fit(X, y, weight)

    def _fit(self, X, y, weight):
        """Grow and prune on validated arrays."""
        p = X.shape[1]
        limits = self._limits(p)
        n_levels = [len(self.categories_.get(j, ())) for j in range(p)]
        keep = weight > 0
        columns = Columns.of(X[keep], n_levels)
        targets = Targets.of(y[keep], weight[keep], self.criterion, getattr(self, "n_classes_", 0))
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        tree = grow(columns, targets, limits, generators=[np.random.default_rng(seed)])[0]
        self.max_features_ = limits.max_features
        self.tree_ = prune(tree, self.ccp_alpha) if self.ccp_alpha > 0 else tree
        return self

    def _read_training(self, X, y, sample_weight):
        """Validated X with level codes, y as class codes or numbers, and weights."""
        if self.criterion not in self._criteria:
            raise ValueError(f"criterion must be one of {self._criteria}, got {self.criterion!r}.")
        X = as_table(X)
        self.categories_ = {}
        if X.ndim == 2:
            categorical = find_categorical(X, self.categorical_features)
            self.categories_ = learn_categories(X, categorical)
            X = encode(X, self.categories_)
        if y is not None:
            y = self._read_target(column_or_1d(y, warn=True))
        X, y = validate_data(self, X, y, dtype=np.float64)
        return X, y, check_weights(sample_weight, len(X))

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

    def apply(self, X):
        """Number of the leaf that each row of `X` falls into; shape (n_rows,)."""
        X = self._read(X)
        return self.tree_.apply(X)

    def decision_path(self, X):
        """Which nodes each row of `X` passes.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        leaf = self.apply(X)
        tree = self.tree_
        paths = []
        for t in range(tree.node_count):  # parents come first
            paths.append([*(paths[tree.parent[t]] if t else []), t])
        lengths = [len(paths[t]) for t in leaf]
        nodes = np.concatenate([paths[t] for t in leaf])
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(leaf), tree.node_count)
        return sp.csr_array((np.ones(len(nodes), dtype=int), nodes, bounds), shape=shape)

    def get_depth(self):
        """Number of tests on the longest way from the root to a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self):
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """The weakest-link sequence of the tree grown on these data, with the impurity as risk.

        Returns
        -------
        sklearn.utils.Bunch
            ``ccp_alphas`` and ``impurities``, (n_subtrees,) each; impurities are shares of
            the total weight. Links of equal strength fall together, so no alpha stands
            twice (scikit-learn lists them one by one).
        """
        grown = copy.copy(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        path = cost_complexity_path(grown.tree_)
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    @property
    def feature_importances_(self):
        """Mean decrease in impurity of each feature, as shares of 1; (n_features,)."""
        check_is_fitted(self)
        tree = self.tree_
        inner = np.flatnonzero(~tree.is_leaf)
        R = tree.weighted_n_node_samples * tree.impurity
        drop = R[inner] - R[tree.children_left[inner]] - R[tree.children_right[inner]]
        total = np.bincount(tree.feature[inner], drop, minlength=self.n_features_in_)
        return total / total.sum() if total.sum() > 0 else total

    def with_tree(self, tree):
        """A fitted copy of this estimator that predicts with another tree.

        Parameters
        ----------
        tree : treelab.tree.Tree
            For instance this estimator's own tree after pruning.

        Returns
        -------
        estimator
        """
        check_is_fitted(self)
        other = copy.copy(self)
        other.tree_ = tree
        return other

    def export_text(self, digits=4):
        """The tree as indented text; str."""
        check_is_fitted(self)
        return self.tree_.export_text(
            getattr(self, "feature_names_in_", None),
            self.categories_,
            getattr(self, "classes_", None),
            digits,
        )

    def to_frame(self):
        """The tree as a DataFrame, one row for each node; see `treelab.tree.Tree.to_frame`."""
        check_is_fitted(self)
        return self.tree_.to_frame(getattr(self, "feature_names_in_", None), self.categories_)


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
