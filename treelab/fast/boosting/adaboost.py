"""AdaBoost: a sequence of weak learners, each for the cases that the ones before got wrong.

Every case has a weight. After each round the cases that the new member gets wrong gain weight,
the others lose it, until the member would do no better than chance on them. The members vote,
and the better a member did, the more its vote counts. Numbers: `treelab.fast.boosting.adaboost_r2`.

Vocabulary
----------
n, K, B : rows, classes, members (base learners)
weight : (n,) case weights before a round, with the sum 1
error : weight of the cases that a member gets wrong, epsilon
vote : its weight in the prediction, (ln((1 - error) / error) + ln(K - 1)) * learning_rate
"""

import numbers
from collections import deque
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data
from tqdm import tqdm

from treelab.fast.boosting.weak_learner import check_estimator, predictions, weak_learner
from treelab.fast.cart import DecisionTreeClassifier
from treelab.fast.inputs import (
    Number,
    as_table,
    check_settings,
    check_values,
    check_weights,
    parameter,
    read_classes,
)

__all__ = ["AdaBoostClassifier", "reweight", "estimator_weight"]

REDRAWS = 10  # new samples for a member that is no better than chance
SMALLEST_WEIGHT = np.finfo(float).eps  # of a case, as in scikit-learn: a lost case never returns
PERFECT = 1e-10  # an error of 0 votes like this one, or its vote would be infinite
NEAR = 1e-12  # errors, and shares of votes, closer than this are equal


def estimator_weight(error, n_classes=2, learning_rate=1.0):
    """Weight of a member's vote.

    Parameters
    ----------
    error : float
        Weighted error of the member, at least 0 and less than 1. 0 counts as 1e-10.
    n_classes : int, default=2
    learning_rate : float, default=1.0

    Returns
    -------
    float
        ``learning_rate * (ln((1 - e) / e) + ln(K - 1))``, positive if the member is better
        than chance (Zhu et al. 2009, algorithm 2, SAMME). For two classes it is twice the number
        of Freund and Schapire (1997). With one class the last term is left out.

    Examples
    --------
    >>> round(estimator_weight(0.2) / 2, 4)
    0.6931
    """
    e = PERFECT if error == 0 else error
    return float(learning_rate * (np.log((1 - e) / e) + np.log(max(n_classes - 1, 1))))


def reweight(weight, correct, vote):
    """Case weights after a round.

    The weights of the cases that the member gets wrong are multiplied by exp(vote), and then
    all are divided by their sum. With two classes and a learning rate of 1 this divides the
    wrong ones by 2 e and the right ones by 2 (1 - e): each group then has half of the weight.

    Parameters
    ----------
    weight, correct : ndarray of shape (n,)
        Case weights before the round; whether the member is right, or how right, from 0 to 1.
    vote : float

    Returns
    -------
    ndarray of shape (n,)
        With the sum 1. A case that has some weight keeps at least 2.2e-16.

    Examples
    --------
    >>> correct = np.array([True, True, True, False])
    >>> reweight(np.full(4, 0.25), correct, estimator_weight(0.25)).round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   ])
    """
    shrunk = weight * np.exp(-vote * correct)  # the right ones down: this cannot overflow
    return np.where(weight > 0, np.maximum(shrunk / shrunk.sum(), SMALLEST_WEIGHT), 0.0)


@dataclass(eq=False, repr=False)
class BaseAdaBoost(MetaEstimatorMixin, BaseEstimator):
    """What the two estimators share: the rounds, and a vote for each member."""

    estimator: object = None
    n_estimators: int = parameter(50, Number(numbers.Integral, 1))
    learning_rate: float = parameter(1.0, Number(numbers.Real, 0, ends="neither"))
    _: KW_ONLY
    random_state: object = None
    verbose: int = 0

    def fit(self, X, y, sample_weight=None):
        """Fit member after member, each on the cases as the one before has weighted them.

        `X` and `y` are whatever the members take; `sample_weight` is that of the first round, of
        which only the proportions count. Returns self.
        """
        check_settings(self)
        self.estimator_ = self._default() if self.estimator is None else self.estimator
        check_estimator(self.estimator_, is_classifier(self), weights=not self.resample)
        X = self._read(X, reset=True)
        check_consistent_length(X, y)
        y = column_or_1d(y, warn=True)
        weight = reweight(check_weights(sample_weight, len(y)), 0, vote=0)  # sum 1
        y = self.read_target(y, weight)
        check_values(X, self.estimator_)
        learner = weak_learner(self.estimator_, X, y, weight)
        generator = check_random_state(self.random_state)
        self.estimators_, votes, errors = [], [], []
        for _ in tqdm(range(self.n_estimators), unit="rounds", disable=not self.verbose):
            member, vote, error, weight = self._round(learner, y, weight, generator)
            if member is not None:
                self.estimators_.append(member)
                votes.append(vote)
                errors.append(error)
            if weight is None:
                break
        self.estimator_weights_, self.estimator_errors_ = np.array(votes), np.array(errors)
        return self

    def _read(self, X, reset=False):
        """`X` as the members get it: a DataFrame as it is, anything else as an array."""
        X = as_table(X)
        validate_data(self, X, reset=reset, skip_check_array=True)  # names and number
        return X

    def staged_score(self, X, y, sample_weight=None):
        """`score` of the first 1, 2, ..., B members; yields floats."""
        metric = accuracy_score if is_classifier(self) else r2_score
        for prediction in self.staged_predict(X):
            yield float(metric(y, prediction, sample_weight=sample_weight))

    @property
    def feature_importances_(self):
        """Mean importance of each feature over the members, weighted by their votes."""
        check_is_fitted(self)
        if not all(hasattr(member, "feature_importances_") for member in self.estimators_):
            raise AttributeError("feature_importances_ needs members that have it, such as trees.")
        each = [member.feature_importances_ for member in self.estimators_]
        return np.average(each, axis=0, weights=self.estimator_weights_)


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostClassifier(ClassifierMixin, BaseAdaBoost):
    """AdaBoost for two and more classes (SAMME).

    Parameters
    ----------
    estimator : classifier, default=None
        The weak learner; None: `DecisionTreeClassifier` with ``max_depth=1``, a stump. It must
        take `sample_weight`, unless ``resample=True``.
    n_estimators : int, default=50
        B, the most rounds.
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
    estimators_, estimator_ : list of fitted classifiers, and the weak learner itself
        Fewer than `n_estimators` where the rounds have stopped early.
    estimator_weights_, estimator_errors_ : ndarray, one number for each round
        Votes of the members (`estimator_weight`), and their weighted errors on the training data.
    class_prior_ : ndarray of shape (n_classes,)
        Weight of each class in the training data, to which ties go.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the members', weighted by their votes.
    classes_, n_classes_, n_features_in_, feature_names_in_
        As in `DecisionTreeClassifier`.

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
    """

    resample: bool = False

    def _default(self):
        return DecisionTreeClassifier(max_depth=1)

    def read_target(self, y, weight):
        """Return `y` as the members get it, (n_rows,), and set the attributes of its classes."""
        self.classes_, codes = read_classes(y)
        self.n_classes_ = len(self.classes_)
        self.class_prior_ = np.bincount(codes, weight, self.n_classes_)
        return y

    def _round(self, learner, y, weight, generator):
        """Member, vote, error, and the weights of the next round, which is None at the end."""
        for _ in range(1 + REDRAWS if self.resample else 1):
            member, drawn = learner.start(generator), None
            if self.resample:
                drawn = generator.choice(len(y), size=len(y), p=weight / weight.sum())
            learner.fit(member, weight, drawn)
            correct = learner.predict(member) == y
            error = weight[~correct].sum() / weight.sum()
            if error == 0 or error < 1 - 1 / self.n_classes_ - NEAR:
                vote = estimator_weight(error, self.n_classes_, self.learning_rate)
                after = reweight(weight, correct, vote) if error > 0 else None
                return member, vote, error, after
        if not self.estimators_:
            raise ValueError(
                f"estimator is no better than chance in the first round: its weighted error is "
                f"{error:.6g}, and guessing among {self.n_classes_} classes has "
                f"{1 - 1 / self.n_classes_:.6g}. Boost a stronger one, such as a deeper tree."
            )
        return None, None, None, None

    def _staged_scores(self, X):
        """Mean votes of the first 1, 2, ... members: 1 for, -1 / (K - 1) against; (n, K) each."""
        check_is_fitted(self)
        X = self._read(X)
        total, votes, rivals = 0.0, 0.0, max(self.n_classes_ - 1, 1)
        members = predictions(self.estimators_, X)
        for vote, prediction in zip(self.estimator_weights_, members, strict=True):
            chosen = prediction[:, None] == self.classes_
            total = total + np.where(chosen, vote, -vote / rivals)
            votes += vote
            yield total / votes

    def _scores(self, X):
        """Mean votes of all members; (n, K)."""
        return deque(self._staged_scores(X), maxlen=1)[0]

    def _winners(self, scores):
        """The class with the largest score, of equal ones that of the larger prior; (n,)."""
        order = np.argsort(-self.class_prior_, kind="stable")
        scores = scores[:, order]
        near = scores >= scores.max(axis=1, keepdims=True) - NEAR
        return self.classes_[order[near.argmax(axis=1)]]

    def _decision(self, scores):
        return 2 * scores[:, 1] if self.n_classes_ == 2 else scores

    def _shares(self, scores):
        return softmax(scores / max(self.n_classes_ - 1, 1), axis=1)

    def predict(self, X):
        """Class with the most votes; (n_rows,). Of equal ones that of the larger prior."""
        return self._winners(self._scores(X))

    def decision_function(self, X):
        """Mean of the votes; (n_rows, n_classes), or (n_rows,) for two classes.

        A member's vote is 1 for the class that it names and -1 / (K - 1) for each other. Two
        classes: twice the mean for the second, from -2 (all for the first) to 2.
        """
        return self._decision(self._scores(X))

    def predict_proba(self, X):
        """Softmax of the mean votes; (n_rows, n_classes).

        Never near 0 or 1: they rank cases and are not calibrated (Zhu et al. 2009, equation 15).
        """
        return self._shares(self._scores(X))

    def predict_log_proba(self, X):
        """Natural logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def staged_predict(self, X):
        """Predictions of the first 1, 2, ..., B members; yields ndarrays (n_rows,)."""
        return map(self._winners, self._staged_scores(X))

    def staged_decision_function(self, X):
        """`decision_function` of the first 1, 2, ..., B members; yields ndarrays."""
        return map(self._decision, self._staged_scores(X))

    def staged_predict_proba(self, X):
        """`predict_proba` of the first 1, 2, ..., B members; yields ndarrays."""
        return map(self._shares, self._staged_scores(X))
