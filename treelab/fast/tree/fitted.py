"""What every fitted estimator of one tree shows of it, binary or multiway."""

import copy

from sklearn.utils.validation import check_is_fitted

__all__ = ["FittedTree"]


class FittedTree:
    """Views of `tree_`, with the names that the estimator has learned."""

    def _names(self):
        """Names of features, levels and classes, as the words of a tree take them."""
        names = getattr(self, "feature_names_in_", None)
        return names, self.categories_, getattr(self, "classes_", None)

    def get_depth(self):
        """Number of tests on the longest way from the root to a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self):
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def with_tree(self, tree):
        """A fitted copy that predicts with another tree, for instance its own after pruning."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.tree_ = tree
        return other

    def export_text(self, digits=4):
        """The tree as indented text; str."""
        check_is_fitted(self)
        return self.tree_.export_text(*self._names(), digits)
