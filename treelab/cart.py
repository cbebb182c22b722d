"""Classification and regression trees: the estimators.

CART (Breiman, Friedman, Olshen and Stone 1984) grows a binary tree by exhaustive search
(`treelab.growing`) and prunes it by cost complexity (`treelab.pruning`). Here both are
put behind scikit-learn's interface: the same parameters, the same attributes, the same
errors, so that the import line is all that changes. What scikit-learn does not have is
`categorical_features`.

Vocabulary
----------
tree_ : the grown `treelab.tree.Tree`; classes_ : class labels in sorted order
categories_ : levels of each categorical feature, by column number
"""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from treelab.base_tree import BaseDecisionTree
from treelab.inputs import read_classes, read_numbers

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "as_estimators"]


class DecisionTreeClassifier(ClassifierMixin, BaseDecisionTree):
    """A classification tree.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification"}, default="gini"
        Impurity whose decrease a split maximizes.
    max_depth : int, default=None
        Longest way from the root to a leaf, in tests; None: no limit.
    min_samples_split : int, default=2
        Fewest rows of a node that is split.
    min_samples_leaf : int, default=1
        Fewest rows of a leaf.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Features drawn at every node as candidates: a number, a share of all, or all
        (None). Where none of the drawn can be cut, the node draws on.
    min_impurity_decrease : float, default=0.0
        A split must lower the impurity of the tree by this much, as a share of the total
        weight. 0 also lets splits through that lower nothing: XOR needs them.
    ccp_alpha : float, default=0.0
        Complexity parameter of cost-complexity pruning: what each leaf costs, with the
        impurity as risk.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        "from_dtype": columns of pandas' `category` dtype; or column numbers, column names
        or a mask; None: no column.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws of features; without `max_features` nothing is random.

    Attributes
    ----------
    tree_ : treelab.tree.Tree
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only where `X` has column names that are text.
    categories_ : dict
        Levels of each categorical feature, by column number.
    max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)

    Notes
    -----
    Among cuts of equal gain the first column wins, then the smallest threshold, where
    scikit-learn lets `random_state` decide. X is read in double precision; scikit-learn
    rounds it to single. A category that a node has not seen goes to its heavier child.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    >>> print(tree.export_text())
    |--- petal length (cm) <= 2.45
    |   |--- class: 0
    |--- petal length (cm) > 2.45
    |   |--- petal width (cm) <= 1.75
    |   |   |--- class: 1
    |   |--- petal width (cm) > 1.75
    |   |   |--- class: 2
    <BLANKLINE>
    """

    _criteria = ("gini", "entropy", "misclassification")

    def __init__(
        self,
        *,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_features=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        categorical_features="from_dtype",
        random_state=None,
    ):
        super().__init__(
            criterion,
            max_depth,
            min_samples_split,
            min_samples_leaf,
            max_features,
            min_impurity_decrease,
            ccp_alpha,
            categorical_features,
            random_state,
        )

    def _read_target(self, y):
        self.classes_, codes = read_classes(y)
        self.n_classes_ = len(self.classes_)
        return codes

    def predict_proba(self, X):
        """Class shares of the leaf of each row; (n_rows, n_classes), in the order of `classes_`."""
        X = self._read(X)
        return self.tree_.predict(X)

    def predict_log_proba(self, X):
        """Natural logarithm of `predict_proba`; -inf where a share is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X):
        """Majority class of the leaf of each row; (n_rows,). The first class wins a tie."""
        share = self.predict_proba(X)
        return self.classes_[share.argmax(axis=1)]


class DecisionTreeRegressor(RegressorMixin, BaseDecisionTree):
    """A regression tree.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        Leaves predict means and splits lower the variance; or leaves predict medians and
        splits lower the mean distance to them.
    max_depth : int, default=None
        Longest way from the root to a leaf, in tests; None: no limit.
    min_samples_split : int, default=2
        Fewest rows of a node that is split.
    min_samples_leaf : int, default=1
        Fewest rows of a leaf.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Features drawn at every node as candidates: a number, a share of all, or all
        (None). Where none of the drawn can be cut, the node draws on.
    min_impurity_decrease : float, default=0.0
        A split must lower the impurity of the tree by this much, as a share of the total
        weight. 0 also lets splits through that lower nothing: XOR needs them.
    ccp_alpha : float, default=0.0
        Complexity parameter of cost-complexity pruning: what each leaf costs, with the
        impurity as risk.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        "from_dtype": columns of pandas' `category` dtype; or column numbers, column names
        or a mask; None: no column.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws of features; without `max_features` nothing is random.

    Attributes
    ----------
    tree_ : treelab.tree.Tree
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only where `X` has column names that are text.
    categories_ : dict
        Levels of each categorical feature, by column number.
    max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)

    Notes
    -----
    See `DecisionTreeClassifier`. With ``criterion="absolute_error"`` a categorical feature
    is cut along the medians of its levels, which is a heuristic.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees,
    chapter 8.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3]], [10.0, 12.0, 20.0])
    >>> tree.predict([[0], [9]]).tolist()
    [11.0, 20.0]
    """

    _criteria = ("squared_error", "absolute_error")

    def __init__(
        self,
        *,
        criterion="squared_error",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_features=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        categorical_features="from_dtype",
        random_state=None,
    ):
        super().__init__(
            criterion,
            max_depth,
            min_samples_split,
            min_samples_leaf,
            max_features,
            min_impurity_decrease,
            ccp_alpha,
            categorical_features,
            random_state,
        )

    def _read_target(self, y):
        return read_numbers(y)

    def predict(self, X):
        """Mean (or median) of the leaf of each row; (n_rows,)."""
        X = self._read(X)
        return self.tree_.predict(X)[:, 0]


def as_estimators(trees, ensemble, kind):
    """Trees of a fitted ensemble as fitted estimators with its settings.

    Parameters
    ----------
    trees : list of treelab.tree.Tree
    ensemble : estimator
        Fitted; it has `max_features_` and `categories_`.
    kind : DecisionTreeClassifier or DecisionTreeRegressor

    Returns
    -------
    list of estimators of this kind
    """
    known = kind().get_params()
    settings = {k: v for k, v in ensemble.get_params(deep=False).items() if k in known}
    learned = ["categories_", "max_features_", "n_features_in_", "feature_names_in_"]
    if kind is DecisionTreeClassifier:
        learned += ["classes_", "n_classes_"]
    learned = {name: getattr(ensemble, name) for name in learned if hasattr(ensemble, name)}
    made = [kind(**settings) for _ in trees]
    for model, tree in zip(made, trees, strict=True):
        vars(model).update(learned, tree_=tree)
    return made
