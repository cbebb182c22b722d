"""Weak learner that AdaBoost fits in every round, on the same rows with other weights.

Any estimator can be boosted: it is cloned, fitted, and used to predict. A tree of treelab is
fitted faster, because most of its work does not depend on the weights: X is checked and its columns
are ranked once, and a round only grows the tree. The trees are the same either way.

Vocabulary
----------
member : the base estimator that one round fits
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
from treelab.fast.inputs import set_seeds, weigh_classes

__all__ = ["TreeLearner", "WeakLearner", "check_estimator", "predictions", "weak_learner"]

TREES = (DecisionTreeClassifier, DecisionTreeRegressor)  # a subclass may fit in a way of its own


def weak_learner(estimator, X, y, weight):
    """Return the learner for an estimator, `TreeLearner` for a tree of treelab."""
    if type(estimator) in TREES:
        return TreeLearner(estimator, X, y, weight)
    return WeakLearner(estimator, X, y)


class WeakLearner:
    """Weak learner for any estimator, which is fitted on the same rows in every round."""

    def __init__(self, estimator, X, y):
        self.estimator, self.X, self.y = estimator, X, y

    def start(self, generator):
        """Make a member, not fitted, with seeds from `generator`, drawn as in scikit-learn."""
        member = clone(self.estimator)
        set_seeds(member, generator)
        return member

    def fit(self, member, weight=None, drawn=None):
        """Fit `member` on the `drawn` rows, or on all rows with `weight`."""
        if drawn is None:
            return member.fit(self.X, self.y, sample_weight=weight)
        return member.fit(_safe_indexing(self.X, drawn), self.y[drawn])

    def predict(self, member):
        """Predict all rows with `member`; (n_rows,)."""
        return member.predict(self.X)


class TreeLearner(WeakLearner):
    """Weak learner for a tree of treelab: data are read and ranked once, for all rounds.

    Rows whose `weight` in the first round is 0 are never grown on.
    """

    def __init__(self, estimator, X, y, weight):
        self.estimator = clone(estimator)
        self.X, self.y, weight = self.estimator.table.fit(X, y, weight)
        self.columns, _ = self.estimator.prepare(self.X, self.y, weight)
        self.kept = np.flatnonzero(weight > 0)

    def start(self, generator):
        """Copy the estimator, which knows classes and categories, with a seed from `generator`."""
        member = copy.copy(self.estimator)
        member.random_state = generator.randint(2**31 - 1)
        return member

    def fit(self, member, weight=None, drawn=None):
        """Grow `member` on the `drawn` rows, or on all rows with `weight`."""
        columns, rows = self.columns, self.kept
        if drawn is None:
            weight = weigh_classes(member, self.y, weight)[rows]
        else:
            place, rows = np.searchsorted(rows, drawn), drawn
            tied = np.ones_like(columns.tied)
            columns = replace(columns, rank=columns.rank[:, place], tied=tied)
            weight = weigh_classes(member, self.y[drawn], np.ones(len(drawn)))
        n_classes = getattr(member, "n_classes_", 0)
        targets = Targets.of(self.y[rows], weight, member.criterion, n_classes)
        return member.grow_on(columns, targets)

    def predict(self, member):
        """Predict all rows with `member`; (n_rows,)."""
        return _predict_read(member, self.X)


def predictions(members, X):
    """Yield the predictions of each member for new rows; (n_rows,) each."""
    if all(type(member) in TREES for member in members):
        X = members[0].table.read(X)
        return (_predict_read(member, X) for member in members)
    return (member.predict(X) for member in members)


def _predict_read(member, X):
    """Predict with a tree rows that have been read already."""
    value = member.tree_.predict(X)
    return member.classes_[value.argmax(axis=1)] if is_classifier(member) else value[:, 0]


def check_estimator(estimator, classes, weights):
    """Raise unless `estimator` can be boosted, in a classification or not, with weights or not."""
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
