"""Bagging: the same method on many bootstrap samples, and a vote.

Any estimator can be the base estimator. In a hard vote each of the fitted ones, the members, votes
for one class; in a soft vote their class probabilities are averaged. A member may be fitted on some
of the features only, drawn at random (random subspaces). The steps that are shared with random
forests are in `treelab.fast.bagging.ensemble`.

Vocabulary
----------
member : a fitted base estimator and the numbers of its features
"""

import numbers
from dataclasses import KW_ONLY, dataclass

import joblib
import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)
from tqdm import tqdm

from treelab.fast.bagging.ensemble import ClassifierEnsemble, Ensemble, RegressorEnsemble
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.cart import DecisionTreeClassifier, DecisionTreeRegressor, number_of_features
from treelab.fast.inputs import (
    Number,
    OneOf,
    as_table,
    check_methods,
    check_values,
    check_weights,
    parameter,
)

__all__ = ["BaggingClassifier", "BaggingRegressor"]


def fit_member(estimator, X, y, weight, seed, b, n_draws, n_features, replace):
    """Fit a clone of `estimator` on the sample of member `b`; returns it and its features."""
    generator = member_generator(seed, b)
    rows = np.arange(len(y))
    if n_draws is not None:
        rows = np.repeat(*draw_sample(generator, len(y), n_draws))
    features = np.arange(X.shape[1])
    if replace or n_features < len(features):
        features = np.sort(generator.choice(features, n_features, replace=replace))
    member = clone(estimator)
    for name in sorted(member.get_params(), key=lambda name: (name.count("__"), name)):
        if name.rpartition("__")[2] == "random_state":
            member.set_params(**{name: int(generator.integers(2**31 - 1))})
    part = (columns_at(_safe_indexing(X, rows), features), y[rows])
    weights = {} if weight is None else {"sample_weight": weight[rows]}
    return member.fit(*part, **weights), features


def columns_at(X, features):
    """Return the columns of a table with these numbers; without names if a column repeats."""
    if np.array_equal(features, np.arange(X.shape[1])):
        return X
    part = _safe_indexing(X, features, axis=1)
    repeats = hasattr(part, "columns") and not part.columns.is_unique
    return part.set_axis(range(len(features)), axis=1) if repeats else part


@dataclass(eq=False, repr=False)
class BaseBagging(MetaEstimatorMixin, Ensemble):
    """Base class of the two bagging estimators."""

    estimator: object = None
    n_estimators: int = parameter(10, Number(numbers.Integral, 1))
    _: KW_ONLY
    max_samples: int | float | None = None
    bootstrap: bool = True
    max_features: int | float | str | None = 1.0
    bootstrap_features: bool = False
    oob_score: bool = False
    warm_start: bool = False
    n_jobs: int | None = None
    random_state: object = None
    verbose: int = 0

    def fit(self, X, y, sample_weight=None):
        """Fit the base estimators.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Whatever the base estimator takes.
        y : array-like of shape (n_rows,)
            Class labels, or numbers for the regressor.
        sample_weight : array-like of shape (n_rows,), default=None
            Passed on to the base estimators, which must take it. Rows of weight 0 are never drawn.

        Raises
        ------
        ValueError
            If a parameter is out of range; or if, with a warm start, `n_estimators` is smaller than
            before, columns or classes differ, or an out-of-bag score would need the same rows.
        """
        first = self._first_new()
        estimator = self._tree_class() if self.estimator is None else self.estimator
        check_methods("estimator", estimator, "fit", "predict")
        X = as_table(X)
        validate_data(self, X, reset=first == 0, skip_check_array=True)  # names and number
        check_consistent_length(X, y)
        y = self.read_target(column_or_1d(y, warn=True))
        weight = None if sample_weight is None else check_weights(sample_weight, len(y))
        check_values(X, estimator)
        kept = np.arange(len(y)) if weight is None else np.flatnonzero(weight > 0)
        fit = self._start(X, y, kept, first)
        before = self.members if first else []
        members = before + self._fit_members(estimator, X, y, weight, fit, first)
        self.estimators_, self.estimators_features_ = map(list, zip(*members, strict=True))
        return self._finish(X, y, fit)

    def _fit_members(self, estimator, X, y, weight, fit, first):
        """Fit the members from number `first` on."""
        X, y = _safe_indexing(X, fit.kept), y[fit.kept]
        weight = None if weight is None else weight[fit.kept]
        new = range(first, self.n_estimators)
        draws = fit.n_draws, number_of_features(self.max_features, X.shape[1])
        work = joblib.delayed(fit_member)
        fitted = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator")(
            work(estimator, X, y, weight, self.seed_, b, *draws, self.bootstrap_features)
            for b in new
        )
        return list(tqdm(fitted, total=len(new), unit="members", disable=not self.verbose))

    def read(self, X):
        """Read `X` as it is passed on: a DataFrame unchanged, anything else as an array."""
        check_is_fitted(self)
        X = as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    @property
    def members(self):
        """The fitted base estimators, each with the numbers of its features; list of pairs."""
        return list(zip(self.estimators_, self.estimators_features_, strict=True))


@dataclass(kw_only=True, eq=False, repr=False)
class BaggingClassifier(ClassifierEnsemble, BaseBagging):
    """Bagging for classification.

    Parameters
    ----------
    estimator : classifier, default=None
        Any with fit and predict; None: `DecisionTreeClassifier`.
    n_estimators : int, default=10
        B, the number of base estimators.
    voting : {"soft", "hard"}, default="soft"
        Average the `predict_proba` of the base estimators, or count the class that each predicts.
    max_samples : int, float or None, default=None
        Size of the bootstrap samples: a number, a fraction of the rows, or all (None).
    bootstrap : bool, default=True
        Draw a sample for each base estimator, or give it all rows.
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        Features drawn for each base estimator: a number, a fraction of all, or all (None). A forest
        draws them at every node instead.
    bootstrap_features : bool, default=False
        Draw the features with replacement.
    oob_score : bool, default=False
        Evaluate the ensemble on the training data, each row by the base estimators that have not
        seen it.
    warm_start : bool, default=False
        Keep the base estimators of the fit before, with their samples, and add the missing ones.
        New ones may be fitted on other rows, as in scikit-learn. Then no row is out of bag for
        all, and whatever needs such rows raises an error.
    n_jobs : int, default=None
        Number of workers of joblib, with any of its backends.
    random_state : int, RandomState instance or None, default=None
        The same number gives the same base estimators, whatever `n_jobs`.
    verbose : int, default=0
        Whether a progress bar is shown.

    Attributes
    ----------
    estimators_ : list of fitted classifiers
        They predict the numbers of the classes in `classes_`.
    seed_ : int
        Together with its number b it seeds the random numbers of a base estimator, see
        `out_of_bag.member_generator`.
    estimators_samples_ : list of ndarray
    estimators_features_ : list of ndarray
        Numbers of the features of each base estimator, ascending.
    classes_ : ndarray of shape (n_classes,)
    out_of_bag_ : treelab.fast.bagging.out_of_bag.OutOfBag
        Sums, votes and path of the out-of-bag predictions.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Mean votes of the base estimators that have not seen the row; zeros where there is none.
    oob_score_ : float
        Accuracy of these votes over all rows, as scikit-learn defines it.
    oob_coverage_ : float
        Proportion of the rows that at least one base estimator has not seen.

    References
    ----------
    Breiman (1996), Bagging predictors.
    Ho (1998), The random subspace method for constructing decision forests.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bag = BaggingClassifier(n_estimators=25, oob_score=True, random_state=0).fit(X, y)
    >>> round(bag.oob_score_, 3)
    0.94
    """

    voting: str = parameter("soft", OneOf("soft", "hard"))

    _tree_class = DecisionTreeClassifier

    def _values(self, member, X):
        """Return the votes of a member; (n_rows, n_classes), 0 for a class that it has not seen."""
        member, features = member
        X, votes = columns_at(X, features), np.zeros((X.shape[0], self.n_classes_))
        if self.voting == "soft":
            votes[:, member.classes_] = member.predict_proba(X)
        else:
            votes[np.arange(len(votes)), member.predict(X)] = 1.0
        return votes


@dataclass(kw_only=True, eq=False, repr=False)
class BaggingRegressor(RegressorEnsemble, BaseBagging):
    """Bagging for regression: the mean prediction of the base estimators.

    Parameters
    ----------
    estimator : regressor, default=None
        Any with fit and predict; None: `DecisionTreeRegressor`.
    n_estimators, max_samples, bootstrap, max_features, bootstrap_features
        As in `BaggingClassifier`.
    oob_score, warm_start, n_jobs, random_state, verbose
        As in `BaggingClassifier`.

    Attributes
    ----------
    estimators_, seed_, estimators_samples_, estimators_features_, out_of_bag_, oob_coverage_
        As in `BaggingClassifier`.
    oob_prediction_ : ndarray of shape (n_rows,)
        Mean prediction of the base estimators that have not seen the row; 0 where there is none.
    oob_score_ : float
        R squared of these predictions over all rows, as scikit-learn defines it.

    Examples
    --------
    >>> from treelab import BaggingRegressor
    >>> bag = BaggingRegressor(n_estimators=50, random_state=0)
    >>> bag.fit([[1], [2], [3], [4]], [1.0, 2.0, 3.0, 4.0]).predict([[4]]).round(1).tolist()
    [3.5]
    """

    _tree_class = DecisionTreeRegressor

    def _values(self, member, X):
        member, features = member
        return np.asarray(member.predict(columns_at(X, features)), dtype=float).reshape(-1, 1)
