"""Bagging: the same method on many bootstrap samples, and a vote.

Each member is fitted on a bootstrap sample; a new case gets the mean of their predictions,
or the class with the most votes. A case of the training data can be judged by the members
that have not seen it (`treelab.bagging.out_of_bag`).

Vocabulary
----------
B : number of members; b : number of a member
hard vote : each member names one class; soft vote : each gives shares, which are averaged
out of bag : not in the bootstrap sample of a member
"""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import column_or_1d

from treelab.bagging.base import BaseBagging
from treelab.bagging.out_of_bag import check_same_classes
from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.inputs import read_classes, read_numbers

__all__ = ["BaggingClassifier", "BaggingRegressor"]


class BaggingClassifier(ClassifierMixin, BaseBagging):
    """Bagging for classes.

    Parameters
    ----------
    estimator : classifier, default=None
        Any with fit and predict; None: `DecisionTreeClassifier`.
    n_estimators : int, default=100
        B, the number of members.
    voting : {"soft", "hard"}, default="soft"
        Average the members' `predict_proba`, or let each name one class.
    max_samples : int, float or None, default=None
        Size of the bootstrap samples: a number, a share of the rows, or all (None).
    bootstrap : bool, default=True
        Draw a sample for each member, or give it all rows.
    oob_score : bool, default=False
        Judge each case by the members that have not seen it.
    warm_start : bool, default=False
        Keep the members there are, and the samples they were fitted on, and add the missing ones.
    n_jobs : int, default=None
        Workers of joblib.
    random_state : int, RandomState instance or None, default=None
        The same number gives the same members, whatever `n_jobs`.
    verbose : int, default=0
        Above 0: show a progress bar.

    Attributes
    ----------
    estimators_ : list of fitted classifiers
        They predict the numbers of the classes in `classes_`.
    seed_ : int
        With its number b it gives a member its random stream, `out_of_bag.member_generator`.
    estimators_samples_ : list of ndarray
    classes_ : ndarray of shape (n_classes,)
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Mean votes of the members that have not seen the row; zeros where there is none.
    out_of_bag_ : treelab.bagging.out_of_bag.OutOfBag
        Sums, votes and path of the out-of-bag predictions.
    oob_score_ : float
        Accuracy of the largest of these votes over all rows, as scikit-learn defines it.
    oob_coverage_ : float
        Share of the rows that some member has not seen.

    References
    ----------
    Breiman (1996), Bagging predictors.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bag = BaggingClassifier(n_estimators=25, oob_score=True, random_state=0).fit(X, y)
    >>> round(bag.oob_score_, 3)
    0.94
    """

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        voting="soft",
        max_samples=None,
        bootstrap=True,
        oob_score=False,
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        super().__init__(
            estimator,
            n_estimators,
            max_samples,
            bootstrap,
            oob_score,
            warm_start,
            n_jobs,
            random_state,
            verbose,
        )
        self.voting = voting

    def _default(self):
        return DecisionTreeClassifier()

    def _read_target(self, y):
        if self.voting not in ("soft", "hard"):
            raise ValueError(f"voting must be 'soft' or 'hard', got {self.voting!r}.")
        labels, codes = read_classes(column_or_1d(y, warn=True))
        check_same_classes(self, labels)
        self.classes_ = labels
        self.n_classes_ = len(self.classes_)
        return codes

    def _targets(self, codes):
        return codes

    def _values(self, member, X):
        """A member's votes; (n_rows, n_classes), zeros for classes it has not seen."""
        votes = np.zeros((X.shape[0], self.n_classes_))
        if self.voting == "soft":
            votes[:, member.classes_] = member.predict_proba(X)
        else:
            votes[np.arange(len(votes)), member.predict(X)] = 1.0
        return votes

    def _set_oob(self, prediction, codes):
        self.oob_decision_function_ = prediction
        self.oob_score_ = float(accuracy_score(codes, prediction.argmax(axis=1)))

    def predict_proba(self, X):
        """Mean votes of the members; (n_rows, n_classes).

        With hard votes these are shares of votes, not probabilities.
        """
        return self._mean(X)

    def predict(self, X):
        """Class with the most votes; (n_rows,). The first class wins a tie."""
        votes = self.predict_proba(X)
        return self.classes_[votes.argmax(axis=1)]

    def staged_predict(self, X):
        """Predictions of the first 1, 2, ..., B members; yields ndarrays (n_rows,)."""
        for votes in self._staged(X):
            yield self.classes_[votes.argmax(axis=1)]


class BaggingRegressor(RegressorMixin, BaseBagging):
    """Bagging for numbers: the mean of the members' predictions.

    Parameters
    ----------
    estimator : regressor, default=None
        Any with fit and predict; None: `DecisionTreeRegressor`.
    n_estimators, max_samples, bootstrap, oob_score, warm_start, n_jobs, random_state, verbose
        As in `BaggingClassifier`.

    Attributes
    ----------
    estimators_ : list of fitted regressors
    seed_ : int
        With its number b it gives a member its random stream, `out_of_bag.member_generator`.
    estimators_samples_ : list of ndarray
    oob_prediction_ : ndarray of shape (n_rows,)
        Mean prediction of the members that have not seen the row; 0 where there is none.
    out_of_bag_ : treelab.bagging.out_of_bag.OutOfBag
        Sums, votes and path of the out-of-bag predictions.
    oob_score_ : float
        R squared of these predictions over all rows, as scikit-learn defines it.
    oob_coverage_ : float

    References
    ----------
    Breiman (1996), Bagging predictors.

    Examples
    --------
    >>> from treelab import BaggingRegressor
    >>> bag = BaggingRegressor(n_estimators=50, random_state=0)
    >>> bag.fit([[1], [2], [3], [4]], [1.0, 2.0, 3.0, 4.0]).predict([[4]]).round(1).tolist()
    [3.5]
    """

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        max_samples=None,
        bootstrap=True,
        oob_score=False,
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        super().__init__(
            estimator,
            n_estimators,
            max_samples,
            bootstrap,
            oob_score,
            warm_start,
            n_jobs,
            random_state,
            verbose,
        )

    def _default(self):
        return DecisionTreeRegressor()

    def _read_target(self, y):
        return read_numbers(column_or_1d(y, warn=True))

    def _targets(self, y):
        return y

    def _values(self, member, X):
        return np.asarray(member.predict(X), dtype=float).reshape(-1, 1)

    def _set_oob(self, prediction, y):
        self.oob_prediction_ = prediction[:, 0]
        self.oob_score_ = float(r2_score(y, self.oob_prediction_))

    def predict(self, X):
        """Mean prediction of the members; (n_rows,)."""
        return self._mean(X)[:, 0]

    def staged_predict(self, X):
        """Predictions of the first 1, 2, ..., B members; yields ndarrays (n_rows,)."""
        for mean in self._staged(X):
            yield mean[:, 0]
