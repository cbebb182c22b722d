"""What the two AdaBoost estimators share: rounds, and a weight for each member.

Vocabulary
----------
n, M : rows and members; m : number of a round
weight : (n,) case weights, which sum to 1
vote : weight of a member in the common prediction
"""

import numbers

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from treelab.boosting.weak_learner import check_estimator, weak_learner
from treelab.inputs import as_members_take_it, check_weights
from treelab.progress import progress
from treelab.settings import check_settings

__all__ = ["NEAR", "BaseAdaBoost", "normalized", "reweight", "vote_weight"]

SMALLEST_WEIGHT = np.finfo(float).eps  # of a case, as in scikit-learn: a lost case never returns
PERFECT = 1e-10  # an error of 0 votes like this one, or its vote would be infinite
NEAR = 1e-12  # errors, and shares of votes, closer than this are equal


def normalized(weight, counts):
    """Case weights with the sum 1, and none smaller than 2.2e-16 where it `counts`; (n,)."""
    weight = weight / weight.sum()
    return np.where(counts, np.maximum(weight, SMALLEST_WEIGHT), 0.0)


def vote_weight(error, n_classes=2, learning_rate=1.0):
    """Weight of a member's vote.

    Parameters
    ----------
    error : float
        Weighted error of the member, at least 0 and less than 1. 0 counts as 1e-10.
    n_classes : int, default=2
        K.
    learning_rate : float, default=1.0

    Returns
    -------
    float
        ``learning_rate * (ln((1 - e) / e) + ln(K - 1))``; positive if the member is better
        than chance. With one class there is nothing to weigh, and the last term is left out.

    References
    ----------
    Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost, algorithm 2 (SAMME); for two
    classes Freund and Schapire (1997), whose number is half of it.

    Examples
    --------
    >>> round(vote_weight(0.2) / 2, 4)
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
    weight : ndarray of shape (n,)
        Before the round.
    correct : ndarray of bool, shape (n,)
    vote : float
        From `vote_weight`.

    Returns
    -------
    ndarray of shape (n,)
        With the sum 1. A case that has some weight keeps at least 2.2e-16.

    Examples
    --------
    >>> reweight(np.full(4, 0.25), np.array([True, True, True, False]), vote_weight(0.25)).round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   ])
    """
    shrunk = weight * np.exp(-vote * correct)  # the right ones down: this cannot overflow
    return normalized(shrunk, counts=weight > 0)


class BaseAdaBoost(MetaEstimatorMixin, BaseEstimator):
    """What the two estimators share."""

    def __init__(self, estimator, n_estimators, learning_rate, random_state, verbose):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit member after member, each on the cases as the one before has weighted them.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Whatever the members take.
        y : array-like of shape (n_rows,)
            Class labels, or numbers for the regressor.
        sample_weight : array-like of shape (n_rows,), default=None
            Weights of the first round; only their proportions count. None: all the same.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter is out of range, `estimator` cannot be boosted, or the first member
            is no better than chance.
        """
        check_settings(self)
        check_scalar(self.n_estimators, "n_estimators", numbers.Integral, min_val=1)
        _check_positive(self.learning_rate, "learning_rate")
        self._check_choices()
        self.estimator_ = self._default() if self.estimator is None else self.estimator
        check_estimator(self.estimator_, self._estimator_kind, self._needs_weights())
        X = self._read(X, reset=True)
        check_consistent_length(X, y)
        y = self._read_target(column_or_1d(y, warn=True))
        weight = check_weights(sample_weight, len(y))
        weight = normalized(weight, counts=weight > 0)
        learner = weak_learner(self.estimator_, X, y, weight)
        self._begin(y, weight)
        generator = check_random_state(self.random_state)
        self.estimators_, votes, errors = [], [], []
        with progress(self.n_estimators, "rounds", self.verbose) as bar:
            while weight is not None and len(votes) < self.n_estimators:
                member, vote, error, weight = self._round(learner, y, weight, generator)
                if member is not None:
                    self.estimators_.append(member)
                    votes.append(vote)
                    errors.append(error)
                bar.update()
        self.estimator_weights_, self.estimator_errors_ = np.array(votes), np.array(errors)
        return self

    def _read(self, X, reset=False):
        """`X` as the members get it: a DataFrame as it is, anything else as an array."""
        X = as_members_take_it(X)
        validate_data(self, X, reset=reset, skip_check_array=True)  # names and number
        return X

    def staged_score(self, X, y, sample_weight=None):
        """`score` of the first 1, 2, ..., M members; yields floats."""
        for prediction in self.staged_predict(X):
            yield float(self._metric(y, prediction, sample_weight=sample_weight))

    @property
    def feature_importances_(self):
        """Mean importance of each feature over the members, weighted by their votes."""
        check_is_fitted(self)
        if not all(hasattr(member, "feature_importances_") for member in self.estimators_):
            raise AttributeError("feature_importances_ needs members that have it, such as trees.")
        each = [member.feature_importances_ for member in self.estimators_]
        return np.average(each, axis=0, weights=self.estimator_weights_)


def _check_positive(value, name):
    """Raise unless `value` is a finite real number above 0."""
    check_scalar(value, name, numbers.Real, min_val=0, include_boundaries="neither")
    if not np.isfinite(value):
        raise ValueError(f"{name} == {value}, must be finite.")
