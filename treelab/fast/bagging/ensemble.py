"""Common base of bagging and forests: base estimators on bootstrap samples, and their mean.

Each base estimator is fitted on a bootstrap sample. The prediction for a new row is the mean of
their predictions, or the class with the most votes. `treelab.fast.bagging.estimators` and
`treelab.fast.bagging.forest` define how base estimators are fitted, and how one of them predicts.

Vocabulary
----------
member : a base estimator of the ensemble
values : predictions of a member for some rows: votes, (n_rows, n_classes), or numbers, (n_rows, 1)
first : number of the first new member; 0 unless a warm start keeps members
"""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils.validation import check_is_fitted

from treelab.fast.bagging.out_of_bag import (
    Fit,
    OutOfBag,
    check_one_training_set,
    fingerprint,
    number_of_draws,
    samples_of,
    unseen_by,
)
from treelab.fast.cart import Members
from treelab.fast.inputs import ClassTarget, NumberTarget, check_settings, read_classes

__all__ = ["ClassifierEnsemble", "Ensemble", "RegressorEnsemble"]


class Ensemble(Members, BaseEstimator):
    """Base class with the steps of every fit, and the mean of the base estimators.

    A subclass has `fit`, `read(X)`, `members` and `_values(member, X)`.
    """

    def _first_new(self):
        """Check the settings, and return the number of the first new member."""
        check_settings(self)
        if self.oob_score and not self.bootstrap:
            raise ValueError("oob_score needs bootstrap=True: without it no case is out of bag.")
        first = len(getattr(self, "_fits", ())) if self.warm_start else 0
        if first > self.n_estimators:
            raise ValueError(
                f"n_estimators must be at least {first}, the number there are, when warm_start is "
                f"True; got {self.n_estimators}."
            )
        return first

    def _start(self, X, y, kept, first):
        """Return the `Fit` of the new members, whose samples are drawn from the rows in `kept`."""
        n_draws = number_of_draws(self.max_samples, self.bootstrap, len(kept))
        fit = Fit(kept, n_draws, len(y), fingerprint(X, y))
        if self.oob_score:
            check_one_training_set([*self._fits[:first], fit] if first else [fit], "oob_score=True")
        if first == 0:
            self.seed_ = check_random_state(self.random_state).randint(2**31 - 1)
            self._fits = []
        return fit

    def _finish(self, X, y, fit):
        """Record the `Fit` of the new members, and evaluate all members out of bag."""
        self._fits = self._fits + [fit] * (self.n_estimators - len(self._fits))
        for name in list(vars(self)):  # an earlier evaluation was one of other members
            if name.startswith(("oob_", "out_of_bag_")) and name.endswith("_"):
                delattr(self, name)
        if self.oob_score:
            self._judge_out_of_bag(X, y)
        return self

    def _judge_out_of_bag(self, X, y):
        """Set the out-of-bag attributes from the rows that each member has not seen."""
        judge = OutOfBag(y, getattr(self, "n_classes_", 0))
        for rows, values in self._unseen_values(X, unseen_by(self, len(y))):
            judge.add(rows, values)
        self.out_of_bag_ = judge
        self.oob_coverage_ = judge.coverage
        self._set_oob(judge.prediction(), y)

    def _unseen_values(self, X, unseen):
        """Yield the rows that each member has not seen, and its predictions for them."""
        for member, rows in zip(self.members, unseen, strict=True):
            yield rows, self._values(member, _safe_indexing(X, rows)) if len(rows) else 0.0

    @property
    def estimators_samples_(self):
        """Rows of `X` in the bootstrap sample of each base estimator, repeats included."""
        check_is_fitted(self)
        return samples_of(self)

    def oob_error_path(self):
        """Return the out-of-bag error of the first 1, 2, ..., B base estimators; (n_estimators,).

        It is the proportion of misclassified rows, or the mean squared error, over the rows that
        at least one of them has not seen; NaN where there is none. It needs ``oob_score=True``.
        """
        check_is_fitted(self)
        if not self.oob_score:
            raise AttributeError("oob_error_path needs an ensemble fitted with oob_score=True.")
        return np.array([error for error, _ in self.out_of_bag_.path])

    def mean_of_members(self, X):
        """Return the mean prediction of all base estimators; (n_rows, n_outputs)."""
        X = self.read(X)
        return sum(self._values(member, X) for member in self.members) / len(self.members)

    def predict(self, X):
        """Predict the mean, or the class with the largest mean vote, first in a tie; (n_rows,)."""
        return self._answer(self.mean_of_members(X))

    def staged_predict(self, X):
        """Yield the predictions of the first 1, 2, ..., B base estimators; (n_rows,) each."""
        X = self.read(X)
        total = 0.0
        for b, member in enumerate(self.members, 1):
            total = total + self._values(member, X)
            yield self._answer(total / b)


class ClassifierEnsemble(ClassTarget):
    """Mixin for an `Ensemble` of classifiers, whose votes are averaged."""

    def read_target(self, y):
        """Read class codes; with a warm start the classes must be those of the fit before."""
        labels, codes = read_classes(y)
        if self._first_new() and not np.array_equal(self.classes_, labels):
            raise ValueError(
                f"y must have the classes {self.classes_.tolist()} of the members there are, when "
                f"warm_start is True; got {labels.tolist()}."
            )
        self.classes_, self.n_classes_ = labels, len(labels)
        return codes

    def _set_oob(self, votes, y):
        self.oob_decision_function_ = votes
        self.oob_score_ = float(accuracy_score(y, votes.argmax(axis=1)))

    def _answer(self, votes):
        return self.classes_[votes.argmax(axis=1)]

    def predict_proba(self, X):
        """Return the mean votes of the base estimators; (n_rows, n_classes), as in `classes_`.

        With hard votes these are proportions of votes, not probabilities.
        """
        return self.mean_of_members(X)


class RegressorEnsemble(NumberTarget):
    """Mixin for an `Ensemble` of regressors, whose predictions are averaged."""

    def _set_oob(self, prediction, y):
        self.oob_prediction_ = prediction[:, 0]
        self.oob_score_ = float(r2_score(y, self.oob_prediction_))

    def _answer(self, values):
        return values[:, 0]
