"""The learner that AdaBoost calls in every round, on the same rows with other weights.

Any estimator can be boosted: clone it, fit it, ask it. A tree of treelab gets a shorter way,
because most of its work does not depend on the weights: X is checked and its columns are ranked
once, and a round only grows. The trees are the same, whichever way they are fitted.

Vocabulary
----------
member : what one round fits
drawn : row numbers of a bootstrap sample, with repeats; None: all rows, with weights
"""

import copy
from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from treelab.fast.cart import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.growing.training_data import Targets

__all__ = ["TreeLearner", "WeakLearner", "check_estimator", "predictions", "weak_learner"]

TREES = (DecisionTreeClassifier, DecisionTreeRegressor)  # a subclass may fit in a way of its own


def weak_learner(estimator, X, y, weight):
    """The learner for an estimator: `TreeLearner` where it can be, else `WeakLearner`."""
    if type(estimator) in TREES:
        return TreeLearner(estimator, X, y, weight)
    return WeakLearner(estimator, X, y)


class WeakLearner:
    """Any estimator, fitted on the same rows again and again."""

    def __init__(self, estimator, X, y):
        self.estimator, self.X, self.y = estimator, X, y

    def start(self, generator):
        """A new member, not fitted, with seeds from `generator`, drawn as in scikit-learn."""
        member = clone(self.estimator)
        for name in sorted(member.get_params(deep=True)):
            if name == "random_state" or name.endswith("__random_state"):
                member.set_params(**{name: generator.randint(2**31 - 1)})
        return member

    def fit(self, member, weight=None, drawn=None):
        """Fit `member` on the `drawn` rows, or on all rows with `weight`."""
        if drawn is None:
            return member.fit(self.X, self.y, sample_weight=weight)
        return member.fit(_safe_indexing(self.X, drawn), self.y[drawn])

    def predict(self, member):
        """Predictions of `member` for all rows; (n_rows,)."""
        return member.predict(self.X)


class TreeLearner(WeakLearner):
    """A tree of treelab: read and ranked once, grown in every round.

    Rows whose `weight` in the first round is 0 are never grown on.
    """

    def __init__(self, estimator, X, y, weight):
        self.estimator = clone(estimator)
        self.X, self.y, weight = self.estimator.table.fit(X, y, weight)
        self.columns, _ = self.estimator.prepare(self.X, self.y, weight)
        self.kept = np.flatnonzero(weight > 0)

    def start(self, generator):
        """A copy that knows classes and levels, with a seed from `generator`."""
        member = copy.copy(self.estimator)
        member.random_state = generator.randint(2**31 - 1)
        return member

    def fit(self, member, weight=None, drawn=None):
        """Grow `member` on the `drawn` rows, or on all rows with `weight`."""
        columns, rows = self.columns, self.kept
        if drawn is None:
            weight = weight[rows]
        else:
            place, rows = np.searchsorted(rows, drawn), drawn
            tied = np.ones_like(columns.tied)
            columns = replace(columns, rank=columns.rank[:, place], tied=tied)
            weight = np.ones(len(drawn))
        n_classes = getattr(member, "n_classes_", 0)
        targets = Targets.of(self.y[rows], weight, member.criterion, n_classes)
        return member.grow_on(columns, targets)

    def predict(self, member):
        """Predictions of `member` for all rows; (n_rows,)."""
        return _predict_read(member, self.X)


def predictions(members, X):
    """Predictions of each member for new rows; yields ndarrays of shape (n_rows,)."""
    if all(type(member) in TREES for member in members):
        X = members[0].table.read(X)
        return (_predict_read(member, X) for member in members)
    return (member.predict(X) for member in members)


def _predict_read(member, X):
    """Predictions of a tree for rows that are read already."""
    value = member.tree_.predict(X)
    return member.classes_[value.argmax(axis=1)] if is_classifier(member) else value[:, 0]


def check_estimator(estimator, classes, weights):
    """Raise unless `estimator` can be boosted, for classes or numbers, with weights or draws."""
    name = type(estimator).__name__
    can = hasattr(estimator, "fit") and hasattr(estimator, "predict")
    if isinstance(estimator, type) or not can:
        raise ValueError(f"estimator must have fit and predict, got {estimator!r}.")
    other, kind = (is_regressor, "classifier") if classes else (is_classifier, "regressor")
    if isinstance(estimator, BaseEstimator) and other(estimator):
        raise ValueError(f"estimator must be a {kind}, got {name}.")
    if weights and not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"estimator must take sample_weight in fit, and {name} doesn't support sample_weight. "
            "Draw samples instead of weighting: resample=True."
        )
