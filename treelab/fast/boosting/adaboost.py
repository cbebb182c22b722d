"""AdaBoost: a sequence of weak learners, each trained more on the rows misclassified so far.

Every row has a weight. After each round the rows that the new base estimator misclassifies gain
weight and the others lose it, until it would do no better than chance on them. The prediction is a
weighted vote, in which a base estimator with a smaller error has a larger weight. Regression is in
`treelab.fast.boosting.adaboost_r2`.

Vocabulary
----------
member : a fitted base estimator, a weak learner
n, K, B : rows, classes, members
weight : (n,) weights of the rows before a round, which sum to 1
error : weight of the rows that a member misclassifies, epsilon
vote : estimator weight alpha, (ln((1 - error) / error) + ln(K - 1)) * learning_rate
"""

import numbers
from collections import deque
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, MetaEstimatorMixin, is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data
from tqdm import tqdm

from treelab.fast.boosting.weak_learner import check_estimator, predictions, weak_learner
from treelab.fast.cart import DecisionTreeClassifier, Members
from treelab.fast.inputs import (
    ClassTarget,
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
SMALLEST_WEIGHT = np.finfo(float).eps  # of a row, as in scikit-learn: a lost row never returns
PERFECT = 1e-10  # stands for an error of 0, whose estimator weight would be infinite
NEAR = 1e-12  # errors, and proportions of votes, closer than this are equal


def estimator_weight(error, n_classes=2, learning_rate=1.0):
    """Compute the estimator weight, that of a base estimator in the vote.

    Parameters
    ----------
    error : float
        Weighted error, at least 0 and less than 1. 0 counts as 1e-10.
    n_classes : int, default=2
    learning_rate : float, default=1.0

    Returns
    -------
    float
        ``learning_rate * (ln((1 - e) / e) + ln(K - 1))``, positive for an error better
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
    """Compute the weights of the rows after a round.

    The weights of the misclassified rows are multiplied by exp(vote), and then all are divided by
    their sum. With two classes and a learning rate of 1 this divides the weights of the
    misclassified rows by 2 e and the others by 2 (1 - e), so that each group has half of the total.

    Parameters
    ----------
    weight, correct : ndarray of shape (n,)
        Weights before the round; 1 for a row that is predicted correctly, 0 for one that is not,
        or a number between.
    vote : float
        The estimator weight.

    Returns
    -------
    ndarray of shape (n,)
        Weights that sum to 1. A row of positive weight keeps at least 2.2e-16.

    Examples
    --------
    >>> correct = np.array([True, True, True, False])
    >>> reweight(np.full(4, 0.25), correct, estimator_weight(0.25)).round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   ])
    """
    shrunk = weight * np.exp(-vote * correct)  # the right ones down: this cannot overflow
    return np.where(weight > 0, np.maximum(shrunk / shrunk.sum(), SMALLEST_WEIGHT), 0.0)


@dataclass(eq=False, repr=False)
class BaseAdaBoost(Members, MetaEstimatorMixin, BaseEstimator):
    """Base class of the two estimators: the rounds, and the estimator weights."""

    estimator: object = None
    n_estimators: int = parameter(50, Number(numbers.Integral, 1))
    learning_rate: float = parameter(1.0, Number(numbers.Real, 0, ends="neither"))
    _: KW_ONLY
    random_state: object = None
    verbose: int = 0

    def fit(self, X, y, sample_weight=None):
        """Fit the base estimators in turn, each with the weights that the round before has set.

        `X` and `y` are whatever the base estimator takes. `sample_weight` has the weights of the
        first round, of which only the proportions matter. Returns self.
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
        """Read `X` as it is passed on: a DataFrame unchanged, anything else as an array."""
        X = as_table(X)
        validate_data(self, X, reset=reset, skip_check_array=True)  # names and number
        return X

    def staged_score(self, X, y, sample_weight=None):
        """Yield the `score` of the first 1, 2, ..., B base estimators; floats."""
        metric = accuracy_score if is_classifier(self) else r2_score
        for prediction in self.staged_predict(X):
            yield float(metric(y, prediction, sample_weight=sample_weight))

    @property
    def feature_importances_(self):
        """Mean importance of each feature over the base estimators, by their estimator weights."""
        check_is_fitted(self)
        if not all(hasattr(member, "feature_importances_") for member in self.estimators_):
            raise AttributeError("feature_importances_ needs members that have it, such as trees.")
        each = [member.feature_importances_ for member in self.estimators_]
        return np.average(each, axis=0, weights=self.estimator_weights_)


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostClassifier(ClassTarget, BaseAdaBoost):
    """AdaBoost for two and more classes (SAMME).

    Parameters
    ----------
    estimator : classifier, default=None
        The base estimator; None: `DecisionTreeClassifier` with ``max_depth=1``, a stump. It must
        take `sample_weight`, unless ``resample=True``.
    n_estimators : int, default=50
        B, the maximum number of rounds.
    learning_rate : float, default=1.0
        Factor of every estimator weight, which also makes the change of the row weights smaller.
    resample : bool, default=False
        Fit each base estimator on n rows drawn with the weights as probabilities, instead of on
        all rows with weights. The error is that on all rows either way.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws, and of the base estimators that have one.
    verbose : int, default=0
        Whether a progress bar is shown.

    Attributes
    ----------
    estimators_, estimator_ : list of fitted classifiers, and the one that they are clones of
        Fewer than `n_estimators` if the rounds have stopped early.
    estimator_weights_, estimator_errors_ : ndarray, one number for each round
        The `estimator_weight` of each base estimator, and its weighted error on the training data.
    class_prior_ : ndarray of shape (n_classes,)
        Weight of each class in the training data, to which ties go.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of those of the base estimators, by their estimator weights.
    classes_, n_classes_, n_features_in_, feature_names_in_
        As in `DecisionTreeClassifier`.

    Notes
    -----
    A base estimator without error gets the weight of the error 1e-10 and ends the rounds. One that
    is no better than chance, with an error of 1 - 1/K or more, ends them and is not kept; with
    ``resample=True`` up to ten new samples are drawn before. If this happens in the first round, it
    is an error. The class with the most votes is predicted; ties go to the class with the larger
    prior, then to the first.

    scikit-learn fills `estimator_weights_` and `estimator_errors_` up to `n_estimators`, and
    gives a base estimator without error the weight 1. The rest is the same.

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
        """Return `y` as it is passed on, (n_rows,), and set the attributes of its classes."""
        self.classes_, codes = read_classes(y)
        self.n_classes_ = len(self.classes_)
        self.class_prior_ = np.bincount(codes, weight, self.n_classes_)
        return y

    def _round(self, learner, y, weight, generator):
        """Fit one round: member, vote, error, and the weights of the next, None at the end."""
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
        """Yield the mean votes of the first 1, 2, ... members, 1 for and -1 / (K - 1) against."""
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
        """Return the mean votes of all members; (n, K)."""
        return deque(self._staged_scores(X), maxlen=1)[0]

    def _winners(self, scores):
        """Return the class with the largest score; ties go to the larger prior; (n,)."""
        order = np.argsort(-self.class_prior_, kind="stable")
        scores = scores[:, order]
        near = scores >= scores.max(axis=1, keepdims=True) - NEAR
        return self.classes_[order[near.argmax(axis=1)]]

    def _decision(self, scores):
        return 2 * scores[:, 1] if self.n_classes_ == 2 else scores

    def _shares(self, scores):
        return softmax(scores / max(self.n_classes_ - 1, 1), axis=1)

    def predict(self, X):
        """Predict the class with the most votes; ties go to the larger prior; (n_rows,)."""
        return self._winners(self._scores(X))

    def decision_function(self, X):
        """Return the mean vote; (n_rows, n_classes), or (n_rows,) for two classes.

        The vote of a base estimator is 1 for the class that it predicts and -1 / (K - 1) for each
        other. For two classes, it is twice the mean for the second, from -2 (all for the first)
        to 2.
        """
        return self._decision(self._scores(X))

    def predict_proba(self, X):
        """Return the softmax of the mean votes; (n_rows, n_classes).

        The numbers are never near 0 or 1: they rank the rows and are not calibrated (Zhu et al.
        2009, equation 15).
        """
        return self._shares(self._scores(X))

    def staged_predict(self, X):
        """Yield the predictions of the first 1, 2, ..., B base estimators; (n_rows,) each."""
        return map(self._winners, self._staged_scores(X))

    def staged_decision_function(self, X):
        """Yield the `decision_function` of the first 1, 2, ..., B base estimators."""
        return map(self._decision, self._staged_scores(X))

    def staged_predict_proba(self, X):
        """Yield `predict_proba` of the first 1, 2, ..., B base estimators."""
        return map(self._shares, self._staged_scores(X))
