"""AdaBoost: a sequence of weak learners, each for the cases that the ones before got wrong.

Every case has a weight. After each round the cases that the new member gets wrong gain weight,
the others lose it, until the member would do no better than chance on them. The members vote,
and the better a member did, the more its vote counts.

Numbers are boosted in `treelab.boosting.adaboost_r2`; `treelab.boosting.tables` shows every round.

Vocabulary
----------
n, K, M : rows, classes, members; m : number of a round
weight : (n,) case weights before a round, with the sum 1
error : e, weight of the cases that a member gets wrong
vote : ln((1 - e) / e) + ln(K - 1), times the learning rate
"""

import numpy as np
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from treelab.boosting.base_adaboost import NEAR, BaseAdaBoost, reweight, vote_weight
from treelab.boosting.weak_learner import predictions
from treelab.cart import DecisionTreeClassifier
from treelab.inputs import read_classes

__all__ = ["AdaBoostClassifier", "reweight", "vote_weight"]

REDRAWS = 10  # new samples for a member that is no better than chance


class AdaBoostClassifier(ClassifierMixin, BaseAdaBoost):
    """AdaBoost for two and more classes (SAMME).

    Parameters
    ----------
    estimator : classifier, default=None
        The weak learner; None: `DecisionTreeClassifier` with ``max_depth=1``, a stump. It must
        take `sample_weight`, unless ``resample=True``.
    n_estimators : int, default=50
        M, the most rounds.
    learning_rate : float, default=1.0
        Shrinks every vote, and with it the change of the weights.
    resample : bool, default=False
        Fit each member on n rows drawn with the case weights as chances, not on all rows with
        weights. The error is that on all rows either way.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws, and of the members where they have one.
    verbose : int, default=0
        Above 0: show a progress bar.

    Attributes
    ----------
    estimators_ : list of fitted classifiers
        Fewer than `n_estimators` where the rounds have stopped early.
    estimator_weights_ : ndarray of shape (len(estimators_),)
        Votes of the members; see `vote_weight`.
    estimator_errors_ : ndarray of shape (len(estimators_),)
        Their weighted errors on the training data.
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    class_prior_ : ndarray of shape (n_classes,)
        Weight of each class in the training data, to which ties go.
    estimator_ : classifier
        The weak learner, not fitted.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only where `X` has column names that are text.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the members', weighted by their votes.

    Notes
    -----
    A member without error gets the vote of the error 1e-10 and ends the rounds. A member no
    better than chance, with an error of 1 - 1/K or more, ends them and is not kept; with
    ``resample=True`` up to ten new samples are drawn first. Where this happens in the first
    round there is nothing to vote, which is an error. The class with the most votes wins, of
    equal ones that of the larger prior, then the first.

    scikit-learn fills `estimator_weights_` and `estimator_errors_` up to `n_estimators`, and
    gives a member without error the vote 1. The rest is the same.

    References
    ----------
    Freund and Schapire (1997), A decision-theoretic generalization of on-line learning and
    an application to boosting. Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost.

    Examples
    --------
    >>> from treelab import AdaBoostClassifier
    >>> from treelab.datasets import load_bike_demand
    >>> X, y = load_bike_demand("level", return_X_y=True)
    >>> ada = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> ada.estimator_errors_.round(4).tolist()
    [0.2, 0.1875, 0.1923]
    >>> [round(score, 1) for score in ada.staged_score(X, y)]
    [0.8, 0.7, 1.0]
    """

    _estimator_kind = "classifier"
    _metric = staticmethod(accuracy_score)

    def __init__(
        self,
        estimator=None,
        n_estimators=50,
        learning_rate=1.0,
        *,
        resample=False,
        random_state=None,
        verbose=0,
    ):
        super().__init__(estimator, n_estimators, learning_rate, random_state, verbose)
        self.resample = resample

    def _default(self):
        return DecisionTreeClassifier(max_depth=1)

    def _check_choices(self):
        if not isinstance(self.resample, (bool, np.bool_)):
            raise ValueError(f"resample must be True or False, got {self.resample!r}.")

    def _needs_weights(self):
        return not self.resample

    def _read_target(self, y):
        self.classes_, _ = read_classes(y)
        self.n_classes_ = len(self.classes_)
        return y

    def _begin(self, y, weight):
        self.class_prior_ = np.bincount(np.searchsorted(self.classes_, y), weight, self.n_classes_)

    def _round(self, learner, y, weight, generator):
        """Member, vote, error, and the weights of the next round, which is None at the end."""
        for _ in range(1 + REDRAWS if self.resample else 1):
            member = learner.start(generator)
            drawn = None
            if self.resample:
                drawn = generator.choice(len(y), size=len(y), p=weight / weight.sum())
            learner.fit(member, weight, drawn)
            correct = learner.predict(member) == y
            error = weight[~correct].sum() / weight.sum()
            if error == 0:
                return member, self._vote(error), error, None
            if error < 1 - 1 / self.n_classes_ - NEAR:
                vote = self._vote(error)
                return member, vote, error, reweight(weight, correct, vote)
        if not self.estimators_:
            raise ValueError(
                f"estimator is no better than chance in the first round: its weighted error is "
                f"{error:.6g}, and guessing among {self.n_classes_} classes has "
                f"{1 - 1 / self.n_classes_:.6g}. Boost a stronger one, such as a deeper tree."
            )
        return None, None, None, None

    def _vote(self, error):
        return vote_weight(error, self.n_classes_, self.learning_rate)

    def _staged_scores(self, X):
        """Mean votes of the first m members: 1 for a class, -1 / (K - 1) against; (n, K) each."""
        check_is_fitted(self)
        X = self._read(X)
        total, votes, rivals = 0.0, 0.0, max(self.n_classes_ - 1, 1)
        members = predictions(self.estimators_, X)
        for vote, prediction in zip(self.estimator_weights_, members, strict=True):
            chosen = prediction[:, None] == self.classes_
            total = total + np.where(chosen, vote, -vote / rivals)
            votes += vote
            yield total / votes

    def _winners(self, scores):
        """The class with the largest score, of equal ones that of the larger prior; (n,)."""
        order = np.argsort(-self.class_prior_, kind="stable")
        scores = scores[:, order]
        near = scores >= scores.max(axis=1, keepdims=True) - NEAR
        return self.classes_[order[near.argmax(axis=1)]]

    def staged_predict(self, X):
        """Predictions of the first 1, 2, ..., M members; yields ndarrays (n_rows,)."""
        for scores in self._staged_scores(X):
            yield self._winners(scores)

    def predict(self, X):
        """Class with the most votes; (n_rows,). Of equal ones that of the larger prior."""
        return _last(self.staged_predict(X))

    def staged_decision_function(self, X):
        """`decision_function` of the first 1, 2, ..., M members; yields ndarrays."""
        for scores in self._staged_scores(X):
            yield 2 * scores[:, 1] if self.n_classes_ == 2 else scores

    def decision_function(self, X):
        """Mean of the votes.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            Two classes: twice the mean vote, from -2 (all for the first) to 2 (all for the
            second). More: 1 for the class that a member names and -1 / (K - 1) for each other.
        """
        return _last(self.staged_decision_function(X))

    def staged_predict_proba(self, X):
        """`predict_proba` of the first 1, 2, ..., M members; yields ndarrays."""
        for scores in self._staged_scores(X):
            yield softmax(scores / max(self.n_classes_ - 1, 1), axis=1)

    def predict_proba(self, X):
        """Softmax of the mean votes; (n_rows, n_classes).

        The mean lies between -1 and 1, so these numbers never come near 0 or 1. They rank
        cases; they are not calibrated (Zhu et al. 2009, equation 15, with mean votes).
        """
        return _last(self.staged_predict_proba(X))

    def predict_log_proba(self, X):
        """Natural logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))


def _last(values):
    """The last of the values that a generator yields."""
    for value in values:  # noqa: B007
        pass
    return value
