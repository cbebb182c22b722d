"""What the estimators of single trees share: fit, and a view of the tree.

Vocabulary
----------
tree_ : the grown `treelab.tree.Tree`
categories_ : levels of each categorical feature, by column number
"""

import copy

import numpy as np
import scipy.sparse as sp
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from treelab.growing import grow
from treelab.growing.reader import TreeReader
from treelab.pruning import cost_complexity_path, prune

__all__ = ["BaseDecisionTree"]


class BaseDecisionTree(TreeReader):
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
        return self._grow(*self._prepare(X, y, weight))

    def _grow(self, columns, targets):
        """Grow and prune on prepared columns and targets, which boosting keeps."""
        limits = self._limits(self.n_features_in_)
        generators = None
        if limits.max_features < self.n_features_in_:
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            generators = [np.random.default_rng(seed)]
        tree = grow(columns, targets, limits, generators=generators)[0]
        self.max_features_ = limits.max_features
        self.tree_ = prune(tree, self.ccp_alpha) if self.ccp_alpha > 0 else tree
        return self

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
        total = self.tree_.decrease_by_feature(self.n_features_in_)
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
