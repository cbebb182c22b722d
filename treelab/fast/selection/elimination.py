"""Elimination with a model: the least important features are removed, and the error decides.

A model ranks the features, the last ones are removed, and the model is fitted again on the others,
until few are left. Each set has an error, out of bag or on held-out rows. The smallest set is
selected whose error is not clearly above the minimum. The rule defines what is clear: a number of
standard errors, or a number of standard deviations of the errors of all sets.

The error by which a set was selected is too optimistic for new data. `procedure_error` repeats the
whole selection on bootstrap samples.
"""

import numbers
from dataclasses import KW_ONLY, dataclass

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from treelab.fast.inputs import Number, OneOf, as_table, check_values, parameter
from treelab.fast.selection.base import places, rows_of, warn_of_tie
from treelab.fast.selection.model_based import IMPORTANCES, ForestSelector, best_first, draw_seed
from treelab.fast.selection.sizes import (
    STANDARD_ERROR,
    check_step,
    elimination_sizes,
    perc_std,
    smallest_size,
)

__all__ = ["Elimination", "ForestRFE"]

RULES = ("one_se", "one_sd", "alpha_sd")


@dataclass(kw_only=True, eq=False, repr=False)
class Elimination(ForestSelector):
    """Base class of the two eliminations: the rows for evaluation, and the rule that selects."""

    alpha: float = parameter(1.0, Number(numbers.Real, 0))
    step: float = 0.2
    error: str = parameter("oob", OneOf("oob", "validation"))
    validation_fraction: float = parameter(0.25, Number(numbers.Real, 0, 1, "neither"))
    task: str = "auto"

    def _read_rows(self, X, y, held_out, generator):
        """Return the rows to fit on, X and y, and those to evaluate on: "oob" or a pair."""
        X, y = self._read_table(X, y)
        if self.error == "oob":
            if held_out is not None:
                raise ValueError("held_out needs error='validation'.")
            return X, y, "oob"
        if held_out is not None:
            new_X, new_y = as_table(held_out[0]), column_or_1d(held_out[1])
            validate_data(self, new_X, reset=False, skip_check_array=True)
            check_values(new_X, self._model())
            check_consistent_length(new_X, new_y)
            return X, y, (new_X, new_y)
        X, new_X, y, new_y = train_test_split(
            X, y, test_size=self.validation_fraction, random_state=draw_seed(generator),
            stratify=y if is_classifier(self._model()) else None,
        )  # fmt: skip
        return X, y, (new_X, new_y)

    def _choose(self, sets, losses):
        """Set `rounds_`, `limit_` and `support_` from the columns and the losses of each round."""
        sizes = np.array([len(columns) for columns in sets])
        counts = np.array([np.sum(~np.isnan(each)) for each in losses])
        if not counts.all():
            raise ValueError("no row is out of bag: the estimator needs more trees.")
        error = np.array([np.nanmean(each) for each in losses])
        se = np.array([np.nanstd(each) for each in losses]) / np.sqrt(counts)
        best = int(np.argmin(error))
        if self.rule in STANDARD_ERROR:
            unit, above = se[best], error - error[best]
            with np.errstate(divide="ignore"):
                above = np.divide(above, unit, out=np.zeros_like(above), where=above > 0)
        else:
            unit, above = error.std(), perc_std(error)
        self.limit_ = float(error[best] + self.alpha * unit)
        chosen = int(
            np.argmax((above <= self.alpha) & (sizes == smallest_size(sizes, above, self.alpha)))
        )
        columns = {"n_features": sizes, "error": error, "se": se, "above": above}
        self.rounds_ = rows_of(columns | {"chosen": np.arange(len(sets)) == chosen})
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[sets[chosen]] = True

    def _describe(self, sets):
        """Set `steps_`: the features from the best on, and how long each of them stayed."""
        names, least = self._feature_names(), np.full(self.n_features_in_, self.n_features_in_)
        for columns in sets:
            least[columns] = len(columns)
        order = np.argsort(self.ranking_, kind="stable")
        columns = {"feature": [names[j] for j in order], "rank": self.ranking_[order]}
        columns |= {"importance": self.importances_[order], "smallest_set": least[order]}
        self.steps_ = rows_of(columns | {"kept": self.support_[order]})


@dataclass(eq=False, repr=False)
class ForestRFE(Elimination):
    """Feature elimination by a forest, which selects the size by the errors of its sets.

    By default the features are ranked once, by the model of all features, as in both sources. This
    is not the *recursive* feature elimination of Guyon et al., which ranks the remaining features
    again in every round: that is ``rank="anew"``. If a selected feature is exactly as important as
    one that is not, the order of the columns decides, and a warning names them.

    Parameters
    ----------
    estimator : estimator, default=None
        Any with importances, treelab's or scikit-learn's; None: `RandomForestClassifier` or
        `RandomForestRegressor`, by the task. The columns may hold whatever it takes.
    rule : {"one_se", "alpha_sd"}, default="one_se"
        Amount by which the error of the selected set may exceed the minimum. "one_se": `alpha`
        standard errors of the minimum; "one_sd" is an older name of the same rule. "alpha_sd":
        `alpha` standard deviations of the errors of all sets, see `perc_std`. The smallest such set
        is selected. The rule also defines the sizes of the sets, see `elimination_sizes`.
    alpha : float, default=1.0
        At least 0, which selects the minimum error.
    importance : {"oob", "mdi"}, default="oob"
        "oob": `oob_permutation_importance`, for forests and bagged trees. "mdi": the importances of
        the estimator itself, `feature_importances_` or squared coefficients.
    rank : {"once", "anew"}, default="once"
        Rank by the model of all features, or in every round by the model of the features left,
        which is recursive feature elimination.
    step : int or float, default=0.2
        Number or fraction of the features that are removed in a round.
    min_features_to_select : int, default=2
        Size of the smallest set.
    error : {"oob", "validation"}, default="oob"
        Evaluate on the rows out of bag, or on held-out rows.
    validation_fraction : float, default=0.25
        Fraction of the rows, of each class alike, that is held out for "validation", unless `fit`
        is given some.
    random_state : int, RandomState instance or None, default=None
        Each fit draws its seed from it; None: from the `random_state` of the estimator.
    n_jobs : int, default=None
        Number of workers that fit the sets in parallel, or, if each set depends on the one before,
        of workers of the estimator.
    verbose : int, default=0
        Whether a progress bar is shown.
    task : {"auto", "classification", "regression"}, default="auto"
        Task of `y`. "auto": that of the estimator, and without an estimator the rule of
        `treelab.fast.inputs.find_task`: numbers with fractions and more than 20 distinct whole
        numbers are a regression target.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for the best feature, all different: by importance, or by the round of removal.
    importances_ : ndarray of shape (n_features,)
        The importances of which the ranking is made.
    limit_ : float
        Largest error that the rule allows.
    rounds_, steps_ : list of dict
        The rows of `rounds_table`: ``n_features``, ``error`` (proportion of misclassified rows, or
        mean squared error), ``se``, its standard error, ``above``, its excess over the minimum in
        units of the rule, and ``chosen``. The rows of `steps_table`: ``feature``, ``rank``,
        ``importance``, ``smallest_set``, the size of the last set that it is in, and ``kept``.

    Notes
    -----
    The first source ranks with 5 000 trees and evaluates with 2 000. Its rule was made for
    classification, in which the standard error of the error e on n rows is sqrt(e (1 - e) / n).

    References
    ----------
    Díaz-Uriarte and Alvarez de Andrés (2006), Gene selection and classification of microarray data
    using random forest. Alonso Liso (2016), section 3.2.4.5.1. Guyon, Weston, Barnhill and
    Vapnik (2002), Gene selection for cancer classification using support vector machines.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rfe = ForestRFE(random_state=0).fit(X, y)
    >>> list(rfe.get_feature_names_out())
    ['petal length (cm)', 'petal width (cm)']
    >>> rfe.rounds_table()[["n_features", "error", "se", "chosen"]].round(3)
       n_features  error     se  chosen
    0           4  0.040  0.016   False
    1           3  0.053  0.018   False
    2           2  0.040  0.016    True
    """

    estimator: object = None
    rule: str = parameter("one_se", OneOf(*RULES))
    _: KW_ONLY
    importance: str = parameter("oob", OneOf(*IMPORTANCES))
    rank: str = parameter("once", OneOf("once", "anew"))
    min_features_to_select: int = parameter(2, Number(numbers.Integral, 1))

    def fit(self, X, y, held_out=None):
        """Eliminate.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Anything that the estimator takes.
        y : array-like of shape (n_rows,)
            Class labels or numbers, depending on the estimator.
        held_out : tuple (X, y), default=None
            Rows to evaluate on, with ``error="validation"``.
        """
        check_step(self.step)
        generator = self._generator()
        X, y, error = self._read_rows(X, y, held_out, generator)
        sizes = elimination_sizes(
            X.shape[1], self.step, rule=self.rule, least=self.min_features_to_select
        )
        seeds = [draw_seed(generator) for _ in sizes]
        walk = self._rank_once if self.rank == "once" else self._rank_anew
        sets, losses, scores = walk(sizes, seeds, {"X": X, "y": y, "error": error})
        self._choose(sets, losses)
        self._describe(sets)
        deciding = scores[[each["chosen"] for each in self.rounds_].index(True)]
        asked = np.flatnonzero(~np.isnan(deciding))
        names = self._feature_names()
        warn_of_tie(deciding[asked], self.support_[asked], [names[j] for j in asked])
        return self

    def _rank_once(self, sizes, seeds, data):
        """Take the first features of one ranking; return sets, losses and deciding importances."""
        first = {"seed": seeds[0], "kind": self.importance} | data
        (result,) = self._results([first])
        order = best_first(result.importances)
        self.importances_, self.ranking_ = result.importances, places(order)
        sets = [order[:size] for size in sizes]
        others = [
            {"columns": sorted(columns), "seed": seed} | data
            for columns, seed in zip(sets[1:], seeds[1:], strict=True)
        ]
        losses = [result.losses, *(other.losses for other in self._results(others, "sets"))]
        return sets, losses, [result.importances] * len(sets)

    def _rank_anew(self, sizes, seeds, data):
        """Rank the features of each set by the model of the set before; returns as `_rank_once`.

        The importances that decide on a set are NaN for features that had been removed before.
        """
        self.importances_ = np.zeros(self.n_features_in_)
        order, sets, losses = np.arange(self.n_features_in_), [], []
        scores = [np.full(self.n_features_in_, np.nan)]
        for size, seed in self._bar(list(zip(sizes, seeds, strict=True)), len(sizes), "sets"):
            sets.append(np.sort(order[:size]))
            task = {"columns": sets[-1].tolist(), "seed": seed, "kind": self.importance}
            (result,) = self._results([task | data])
            losses.append(result.losses)
            self.importances_[sets[-1]] = result.importances
            scores.append(np.full(self.n_features_in_, np.nan))
            scores[-1][sets[-1]] = result.importances
            order[:size] = sets[-1][best_first(result.importances)]
        self.ranking_ = places(order)
        return sets, losses, scores
