"""AdaBoost: a sequence of weak learners, each for the cases that the ones before got wrong.

Every case has a weight. After each round the cases that the new member gets wrong gain weight,
the others lose it, until the member would do no better than chance on them. The members vote,
and the better a member did, the more its vote counts.

Vocabulary
----------
n, K, M : rows, classes, members; m : number of a round
weight : (n,) case weights before a round, with the sum 1
error : e, weight of the cases that a member gets wrong
vote : ln((1 - e) / e) + ln(K - 1), times the learning rate
confidence : alpha, (K - 1)**2 / K times the vote; for two classes 1/2 ln((1 - e) / e)
margin : share of the votes for the true class, less that for its strongest rival
"""

import numpy as np
import pandas as pd
from scipy.special import softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from treelab.base_adaboost import BaseAdaBoost, normalized
from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.inputs import check_weights, read_classes, read_numbers
from treelab.weak_learner import predictions

__all__ = ["AdaBoostClassifier", "AdaBoostRegressor", "boosting_table", "reweight", "vote_weight"]

PERFECT = 1e-10  # an error of 0 votes like this one, or its vote would be infinite
NEAR = 1e-12  # errors, and shares of votes, closer than this are equal
REDRAWS = 10  # new samples for a member that is no better than chance


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
    return learning_rate * (np.log((1 - e) / e) + np.log(max(n_classes - 1, 1)))


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
    return normalized(weight * np.exp(-vote * correct))  # right ones down: this cannot overflow


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
        *,
        n_estimators=50,
        learning_rate=1.0,
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


LOSSES = {
    "linear": lambda miss: miss,
    "square": np.square,
    "exponential": lambda miss: 1 - np.exp(-miss),
}


class AdaBoostRegressor(RegressorMixin, BaseAdaBoost):
    """AdaBoost for numbers (AdaBoost.R2): the weighted median of members on drawn samples.

    Parameters
    ----------
    estimator : regressor, default=None
        The weak learner; None: `DecisionTreeRegressor` with ``max_depth=3``.
    n_estimators : int, default=50
        M, the most rounds.
    learning_rate : float, default=1.0
        Shrinks every vote, and with it the change of the weights.
    loss : {"linear", "square", "exponential"}, default="linear"
        Of a case, from its miss as a share d of the largest: d, d**2 or 1 - exp(-d).
    random_state : int, RandomState instance or None, default=None
        Seed of the draws, and of the members where they have one. The same number gives the
        samples of scikit-learn's AdaBoostRegressor.
    verbose : int, default=0
        Above 0: show a progress bar.

    Attributes
    ----------
    estimators_ : list of fitted regressors
    estimator_weights_ : ndarray of shape (len(estimators_),)
        Votes of the members, ln((1 - L) / L) times the learning rate.
    estimator_errors_ : ndarray of shape (len(estimators_),)
        L, their weighted mean losses on the training data.
    estimator_, n_features_in_, feature_names_in_, feature_importances_
        As in `AdaBoostClassifier`.

    Notes
    -----
    A case with loss l has its weight multiplied by (L / (1 - L)) to the power 1 - l (times the
    learning rate): the better it is predicted, the less it counts. A member without loss gets
    the vote 1 and ends the rounds, as in scikit-learn; one with L of 1/2 or more ends them and
    is not kept, unless it is the first.

    References
    ----------
    Drucker (1997), Improving regressors using boosting techniques.

    Examples
    --------
    >>> from treelab import AdaBoostRegressor
    >>> from treelab.datasets import load_bike_demand
    >>> X, y = load_bike_demand(return_X_y=True)
    >>> ada = AdaBoostRegressor(n_estimators=5, random_state=0).fit(X, y)
    >>> ada.predict(X[:3]).round(1).tolist()
    [602.0, 750.0, 913.0]
    """

    _estimator_kind = "regressor"
    _metric = staticmethod(r2_score)

    def __init__(
        self,
        estimator=None,
        *,
        n_estimators=50,
        learning_rate=1.0,
        loss="linear",
        random_state=None,
        verbose=0,
    ):
        super().__init__(estimator, n_estimators, learning_rate, random_state, verbose)
        self.loss = loss

    def _default(self):
        return DecisionTreeRegressor(max_depth=3)

    def _check_choices(self):
        if self.loss not in LOSSES:
            raise ValueError(f"loss must be one of {tuple(LOSSES)}, got {self.loss!r}.")

    def _needs_weights(self):
        return False

    def _read_target(self, y):
        return read_numbers(y)

    def _begin(self, y, weight):
        pass

    def _round(self, learner, y, weight, generator):
        """Member, vote, mean loss, and the weights of the next round, None at the end."""
        member = learner.start(generator)
        drawn = generator.choice(len(y), size=len(y), p=weight / weight.sum())
        learner.fit(member, drawn=drawn)
        miss = np.abs(learner.predict(member) - y)
        largest = miss[weight > 0].max()
        loss = LOSSES[self.loss](miss / largest if largest > 0 else miss)
        L = (weight * loss).sum() / weight.sum()
        if L >= 0.5 and self.estimators_:
            return None, None, None, None
        if L == 0 or L >= 0.5:
            return member, 1.0, L, None
        vote = self.learning_rate * np.log((1 - L) / L)
        return member, vote, L, normalized(weight * np.exp(-vote * (1 - loss)))

    def staged_predict(self, X):
        """Predictions of the first 1, 2, ..., M members; yields ndarrays (n_rows,)."""
        check_is_fitted(self)
        values = self._values(self._read(X))
        for m in range(1, len(self.estimators_) + 1):
            yield weighted_median(values[:, :m], self.estimator_weights_[:m])

    def predict(self, X):
        """Weighted median of the members' predictions; (n_rows,)."""
        check_is_fitted(self)
        return weighted_median(self._values(self._read(X)), self.estimator_weights_)

    def _values(self, X):
        """Predictions of all members; (n_rows, M)."""
        return np.column_stack(list(predictions(self.estimators_, X)))


def weighted_median(values, votes):
    """The smallest value at which half of the votes are reached, in each row.

    Parameters
    ----------
    values : ndarray of shape (n_rows, M)
    votes : ndarray of shape (M,)

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([3.0, 1.0, 1.0])).tolist()
    [3.0]
    """
    order = np.argsort(values, axis=1, kind="stable")
    reached = np.cumsum(votes[order], axis=1)
    place = (reached >= 0.5 * reached[:, -1:]).argmax(axis=1)
    row = np.arange(len(values))
    return values[row, order[row, place]]


def boosting_table(model, X, y, sample_weight=None):
    """What every round of an AdaBoost classifier sees and does, case by case.

    Parameters
    ----------
    model : AdaBoostClassifier
        Fitted.
    X, y, sample_weight
        The data that it was fitted on.

    Returns
    -------
    DataFrame of shape (M * n_rows, 8)
        One row for each round and case: ``round`` (from 1), ``case`` (the index of a DataFrame,
        or the row number), ``weight`` before the round, ``prediction`` of the round's member,
        whether it is ``correct``, the member's weighted ``error`` and ``confidence`` alpha, and
        the case's ``margin`` after the round, from -1 to 1.

    Raises
    ------
    ValueError
        If the model was fitted on other data, which shows in the errors.

    References
    ----------
    Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost, equation 13 (confidence).
    Schapire, Freund, Bartlett and Lee (1998), Boosting the margin.

    Examples
    --------
    >>> from treelab import AdaBoostClassifier
    >>> from treelab.datasets import load_bike_demand
    >>> X, y = load_bike_demand("level", return_X_y=True)
    >>> table = boosting_table(AdaBoostClassifier(n_estimators=3).fit(X, y), X, y)
    >>> table.groupby("round")[["error", "confidence"]].first().round(4).values.tolist()
    [[0.2, 0.6931], [0.1875, 0.7332], [0.1923, 0.7175]]
    """
    check_is_fitted(model)
    rows = model._read(X)
    check_consistent_length(rows, y)
    y = column_or_1d(y)
    case = rows.index if hasattr(rows, "index") else np.arange(len(y))
    weight = normalized(check_weights(sample_weight, len(y)))
    K, parts = model.n_classes_, []
    stages = zip(
        predictions(model.estimators_, rows),
        model._staged_scores(rows),
        model.estimator_weights_,
        model.estimator_errors_,
        strict=True,
    )
    for m, (prediction, scores, vote, error) in enumerate(stages, 1):
        correct = prediction == y
        if not np.isclose(weight[~correct].sum() / weight.sum(), error, atol=1e-8):
            raise ValueError("X, y and sample_weight must be those that the model was fitted on.")
        columns = {
            "round": m,
            "case": case,
            "weight": weight,
            "prediction": prediction,
            "correct": correct,
            "error": error,
            "confidence": (K - 1) ** 2 / K * vote,
            "margin": _margin(scores, y[:, None] == model.classes_),
        }
        parts.append(pd.DataFrame(columns))
        weight = reweight(weight, correct, vote)
    return pd.concat(parts, ignore_index=True)


def _margin(scores, is_true):
    """Share of the votes for the true class less that for its strongest rival; (n,)."""
    K = scores.shape[1]
    share = (scores * (K - 1) + 1) / K  # of the votes, from 1 and -1 / (K - 1)
    true = np.where(is_true, share, 0.0).sum(axis=1)
    return true - np.where(is_true, 0.0, share).max(axis=1)
