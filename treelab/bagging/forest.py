"""Random forests: trees that differ, grown together and averaged.

Every tree gets a bootstrap sample, and every node tries a few features drawn anew. Trees
are grown many roots at a time (`treelab.growing`): the open nodes of one depth of a
whole chunk of trees are searched at once. Tree b draws from a random stream of its own, so
the forest does not depend on chunks, on workers, or on how many trees follow. What both
forests share is in `treelab.bagging.base_forest`.

Vocabulary
----------
B : number of trees; b : number of a tree
out of bag : the rows that a tree has not drawn
"""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score

from treelab.bagging.base_forest import BaseForest
from treelab.bagging.out_of_bag import check_same_classes
from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.inputs import read_classes, read_numbers

__all__ = ["RandomForestClassifier", "RandomForestRegressor"]


class RandomForestClassifier(ClassifierMixin, BaseForest):
    """A random forest for classes.

    The class shares of the trees' leaves are averaged, as in scikit-learn.

    Parameters
    ----------
    n_estimators : int, default=100
        B, the number of trees.
    criterion : {"gini", "entropy", "misclassification"}, default="gini"
    max_depth, min_samples_split, min_samples_leaf, min_impurity_decrease, ccp_alpha
        As in `DecisionTreeClassifier`. Rows count once, however often the bootstrap drew them.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        Features drawn at every node as candidates. Where none of the drawn can be cut, the
        node draws on.
    bootstrap : bool, default=True
        Grow every tree on a bootstrap sample, or on all rows.
    max_samples : int, float or None, default=None
        Size of the bootstrap samples: a number, a share of the rows, or all (None).
    oob_score : bool, default=False
        Judge each case by the trees that have not drawn it.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        As in `DecisionTreeClassifier`.
    n_jobs : int, default=None
        Workers of joblib; any of its backends will do.
    random_state : int, RandomState instance or None, default=None
        The same number gives the same forest, whatever `n_jobs`.
    warm_start : bool, default=False
        Keep the trees there are, and the samples they were grown on, and add the missing ones.
    verbose : int, default=0
        Above 0: show a progress bar.

    Attributes
    ----------
    trees_ : list of treelab.tree.Tree
    estimators_ : list of DecisionTreeClassifier
    seed_ : int
        With its number b it gives a member its random stream, `out_of_bag.member_generator`.
    estimators_samples_ : list of ndarray
        Rows in the bootstrap sample of each tree.
    out_of_bag_ : treelab.bagging.out_of_bag.OutOfBag
        Sums, votes and path of the out-of-bag predictions.
    oob_score_ : float
        Accuracy of the out-of-bag predictions.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Mean class shares of the trees that have not drawn the row.
    classes_ : ndarray of shape (n_classes,)
    n_features_in_, max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)

    References
    ----------
    Breiman (2001), Random forests.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> round(forest.oob_score_, 3)
    0.947
    """

    _criteria = DecisionTreeClassifier._criteria
    _tree_class = DecisionTreeClassifier

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_features="sqrt",
        min_impurity_decrease=0.0,
        bootstrap=True,
        max_samples=None,
        oob_score=False,
        ccp_alpha=0.0,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
        warm_start=False,
        verbose=0,
    ):
        super().__init__(
            n_estimators,
            criterion,
            max_depth,
            min_samples_split,
            min_samples_leaf,
            max_features,
            min_impurity_decrease,
            bootstrap,
            max_samples,
            oob_score,
            ccp_alpha,
            categorical_features,
            n_jobs,
            random_state,
            warm_start,
            verbose,
        )

    def _read_target(self, y):
        labels, codes = read_classes(y)
        check_same_classes(self, labels)
        self.classes_ = labels
        self.n_classes_ = len(self.classes_)
        return codes

    def _set_oob(self, prediction, y):
        self.oob_decision_function_ = prediction
        self.oob_score_ = float(accuracy_score(y, prediction.argmax(axis=1)))

    def predict_proba(self, X):
        """Mean class shares of the trees; (n_rows, n_classes), in the order of `classes_`."""
        return self._mean(X)

    def predict_log_proba(self, X):
        """Natural logarithm of `predict_proba`; -inf where a share is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X):
        """Class of the largest mean share; (n_rows,). The first class wins a tie."""
        share = self.predict_proba(X)
        return self.classes_[share.argmax(axis=1)]

    def predict_trees(self, X):
        """Prediction of each tree by itself; (n_rows, n_estimators)."""
        X = self._read(X)
        votes = [tree.predict(X).argmax(axis=1) for tree in self.trees_]
        return self.classes_[np.column_stack(votes)]


class RandomForestRegressor(RegressorMixin, BaseForest):
    """A random forest for numbers: the mean of the trees' predictions.

    Parameters
    ----------
    n_estimators : int, default=100
        B, the number of trees.
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
    max_depth, min_samples_split, min_samples_leaf, min_impurity_decrease, ccp_alpha
        As in `DecisionTreeRegressor`. Rows count once, however often the bootstrap drew them.
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        Features drawn at every node as candidates. Where none of the drawn can be cut, the
        node draws on.
    bootstrap : bool, default=True
        Grow every tree on a bootstrap sample, or on all rows.
    max_samples : int, float or None, default=None
        Size of the bootstrap samples: a number, a share of the rows, or all (None).
    oob_score : bool, default=False
        Judge each case by the trees that have not drawn it.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        As in `DecisionTreeRegressor`.
    n_jobs : int, default=None
        Workers of joblib; any of its backends will do.
    random_state : int, RandomState instance or None, default=None
        The same number gives the same forest, whatever `n_jobs`.
    warm_start : bool, default=False
        Keep the trees there are, and the samples they were grown on, and add the missing ones.
    verbose : int, default=0
        Above 0: show a progress bar.

    Attributes
    ----------
    trees_ : list of treelab.tree.Tree
    estimators_ : list of DecisionTreeRegressor
    seed_ : int
        With its number b it gives a member its random stream, `out_of_bag.member_generator`.
    estimators_samples_ : list of ndarray
        Rows in the bootstrap sample of each tree.
    out_of_bag_ : treelab.bagging.out_of_bag.OutOfBag
        Sums, votes and path of the out-of-bag predictions.
    oob_score_ : float
        R squared of the out-of-bag predictions.
    oob_prediction_ : ndarray of shape (n_rows,)
        Mean prediction of the trees that have not drawn the row.
    n_features_in_, max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)

    Notes
    -----
    All features are candidates by default, as in scikit-learn; R's randomForest draws a
    third of them, ``max_features=1/3``.

    References
    ----------
    Breiman (2001), Random forests.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treelab import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(50, max_features=1 / 3, random_state=0).fit(X, y)
    >>> forest.predict(X[:2]).round().tolist()
    [162.0, 78.0]
    """

    _criteria = DecisionTreeRegressor._criteria
    _tree_class = DecisionTreeRegressor

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="squared_error",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_features=1.0,
        min_impurity_decrease=0.0,
        bootstrap=True,
        max_samples=None,
        oob_score=False,
        ccp_alpha=0.0,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
        warm_start=False,
        verbose=0,
    ):
        super().__init__(
            n_estimators,
            criterion,
            max_depth,
            min_samples_split,
            min_samples_leaf,
            max_features,
            min_impurity_decrease,
            bootstrap,
            max_samples,
            oob_score,
            ccp_alpha,
            categorical_features,
            n_jobs,
            random_state,
            warm_start,
            verbose,
        )

    def _read_target(self, y):
        return read_numbers(y)

    def _set_oob(self, prediction, y):
        self.oob_prediction_ = prediction[:, 0]
        self.oob_score_ = float(r2_score(y, self.oob_prediction_))

    def predict(self, X):
        """Mean prediction of the trees; (n_rows,)."""
        return self._mean(X)[:, 0]

    def predict_trees(self, X):
        """Prediction of each tree by itself; (n_rows, n_estimators)."""
        X = self._read(X)
        return np.column_stack([tree.predict(X)[:, 0] for tree in self.trees_])

    def prediction_variance(self, X):
        """Variance of the trees' predictions about their mean; (n_rows,)."""
        return self.predict_trees(X).var(axis=1)
