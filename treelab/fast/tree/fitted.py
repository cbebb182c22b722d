"""Views shared by all estimators of a single tree, binary or multiway."""

import copy

from sklearn.utils.validation import check_is_fitted

__all__ = ["FittedTree"]


class FittedTree:
    """Views of `tree_` with the names learned in `fit`."""

    def names(self):
        """Names of features, categories and classes, as the words of a tree take them."""
        names = getattr(self, "feature_names_in_", None)
        return names, self.categories_, getattr(self, "classes_", None)

    def get_depth(self):
        """Return the number of splits on the longest path from the root to a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self):
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def with_tree(self, tree):
        """Return a fitted copy that predicts with another tree, for example after pruning."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.tree_ = tree
        return other

    def export_text(self, digits=4):
        """Return the tree as indented text; str."""
        check_is_fitted(self)
        return self.tree_.export_text(*self.names(), digits)
