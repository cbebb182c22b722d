"""What the two bagging estimators share: members on bootstrap samples, and their mean.

Each member is fitted on a bootstrap sample; a new case gets the mean of their predictions,
or the class with the most votes. A case of the training data can be judged by the members
that have not seen it (`treelab.bagging.out_of_bag`).

Vocabulary
----------
B : number of members; b : number of a member
hard vote : each member names one class; soft vote : each gives shares, which are averaged
out of bag : not in the bootstrap sample of a member
"""

from collections import deque

import joblib
import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from treelab.bagging.out_of_bag import (
    Fit,
    OutOfBag,
    check_one_training_set,
    check_size,
    draw_sample,
    error_path,
    fingerprint,
    forget_judgment,
    member_generator,
    members_so_far,
    number_of_draws,
    samples_of,
    unseen_by,
)
from treelab.inputs import as_members_take_it, check_weights
from treelab.progress import progress
from treelab.settings import check_settings

__all__ = ["BaseBagging"]


def fit_member(estimator, X, y, weight, seed, b, n_draws):
    """A clone of `estimator`, fitted on the bootstrap sample of member `b`."""
    generator = member_generator(seed, b)
    rows = np.arange(len(y))
    if n_draws is not None:
        rows = np.repeat(*draw_sample(generator, len(y), n_draws))
    member = clone(estimator)
    if "random_state" in member.get_params():
        member.set_params(random_state=int(generator.integers(2**31 - 1)))
    part = (_safe_indexing(X, rows), y[rows])
    return member.fit(*part) if weight is None else member.fit(*part, sample_weight=weight[rows])


def check_member(estimator):
    """Raise unless `estimator` is None or an object with fit and predict."""
    if estimator is None:
        return
    if isinstance(estimator, type) or not (
        hasattr(estimator, "fit") and hasattr(estimator, "predict")
    ):
        raise TypeError(f"estimator must be None or an object with fit and predict: {estimator!r}.")


class BaseBagging(MetaEstimatorMixin, BaseEstimator):
    """What the two bagging estimators share."""

    def __init__(
        self,
        estimator,
        n_estimators,
        max_samples,
        bootstrap,
        oob_score,
        warm_start,
        n_jobs,
        random_state,
        verbose,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the members.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Whatever the members take.
        y : array-like of shape (n_rows,)
            Class labels, or numbers for the regressor.
        sample_weight : array-like of shape (n_rows,), default=None
            Handed to the members, which must know it. Rows of weight 0 are never drawn.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter is out of range, or `warm_start` is asked for fewer members than
            there are, for other columns or classes, or for an out-of-bag score on other rows.

        Notes
        -----
        With `warm_start` every member keeps the sample that it was fitted on, whatever
        `max_samples`, `bootstrap` and the weights are now. New members may be fitted on other rows,
        as in scikit-learn; then no row is out of bag for all, and what needs such rows
        raises an error.
        """
        check_settings(self)
        check_size(self)
        check_member(self.estimator)
        first = members_so_far(self)
        X = self._read(X, reset=first == 0)
        check_consistent_length(X, y)
        codes = self._read_target(y)
        n = len(codes)
        weight = None if sample_weight is None else check_weights(sample_weight, n)
        kept = np.arange(n) if weight is None else np.flatnonzero(weight > 0)
        n_draws = number_of_draws(self.max_samples, self.bootstrap, len(kept))
        fit = Fit(kept, n_draws, n, fingerprint(X, codes))
        fits = [*(self._fits if first else ()), *[fit] * (self.n_estimators - first)]
        if self.oob_score:
            check_one_training_set([*fits, fit], "oob_score=True")
        if first == 0:
            self.seed_ = check_random_state(self.random_state).randint(2**31 - 1)
            self.estimators_, self._fits = [], []
        self.estimators_ = self.estimators_ + self._fit_members(X, codes, weight, fit, first)
        self._fits = fits
        forget_judgment(self)
        if self.oob_score:
            self._judge_out_of_bag(X, codes)
        return self

    def _read(self, X, reset=False):
        """`X` as the members get it: a DataFrame as it is, anything else as an array."""
        X = as_members_take_it(X)
        validate_data(self, X, reset=reset, skip_check_array=True)  # names and number
        return X

    def _fit_members(self, X, codes, weight, fit, first):
        """The members from number `first` on."""
        kept = fit.kept
        X, targets = _safe_indexing(X, kept), self._targets(codes[kept])
        weight = None if weight is None else weight[kept]
        base = self._default() if self.estimator is None else self.estimator
        work = joblib.delayed(fit_member)
        fitted = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator")(
            work(base, X, targets, weight, self.seed_, b, fit.n_draws)
            for b in range(first, self.n_estimators)
        )
        members = []
        with progress(self.n_estimators - first, "members", self.verbose) as bar:
            for member in fitted:
                members.append(member)
                bar.update()
        return members

    @property
    def estimators_samples_(self):
        """Rows of `X` in the bootstrap sample of each member, repeats included."""
        check_is_fitted(self)
        return samples_of(self)

    def _judge_out_of_bag(self, X, codes):
        """Set the out-of-bag attributes from the cases that each member has not seen."""
        judge = OutOfBag(codes, getattr(self, "n_classes_", 0))
        for member, rows in zip(self.estimators_, unseen_by(self, len(codes)), strict=True):
            values = self._values(member, _safe_indexing(X, rows)) if len(rows) else 0.0
            judge.add(rows, values)
        self.out_of_bag_ = judge
        self.oob_coverage_ = judge.coverage
        self._set_oob(judge.prediction(), codes)

    def oob_error_path(self):
        """Out-of-bag error against the number of members; see `OutOfBag.path`.

        Returns
        -------
        ndarray of shape (n_estimators,)

        Raises
        ------
        AttributeError
            If fitted without ``oob_score=True``.
        """
        check_is_fitted(self)
        return error_path(self)

    def _staged(self, X):
        """Mean of the first b members' values, for b = 1, 2, ...; (n_rows, n_outputs) each."""
        check_is_fitted(self)
        X = self._read(X)
        total = 0.0
        for b, member in enumerate(self.estimators_, 1):
            total = total + self._values(member, X)
            yield total / b

    def _mean(self, X):
        """Mean of all members' values; (n_rows, n_outputs)."""
        return deque(self._staged(X), maxlen=1)[0]
