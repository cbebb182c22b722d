"""Base of the selectors that fit a model: fit it on some columns, and record its results.

The model may be any classifier or regressor with importances: a forest, boosted trees, a tree, a
linear model. It gets the columns unchanged, so that they may hold text, categories and missing
values if the estimator takes them. Each fit has a seed of its own, drawn in a fixed order, so that
the number of workers changes nothing.

Vocabulary
----------
kind : kind of importance: "mdi", that of the model itself; "oob", out-of-bag permutation
losses : 1 for a misclassified row and 0 for the others, or squared errors; (n_rows,)
round : a fit, or several, to which a row of the table of rounds belongs
"""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import joblib
import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data
from tqdm import tqdm

from treelab.fast.bagging import RandomForestClassifier, RandomForestRegressor
from treelab.fast.importance import oob_permutation_importance
from treelab.fast.inputs import (
    HIGHEST_SEED,
    Table,
    as_table,
    check_methods,
    check_settings,
    check_values,
    find_task,
    on_columns,
    read_numbers,
    set_seeds,
)
from treelab.fast.selection.base import Selector, from_best, in_parallel, read_labels

__all__ = [
    "FitResult",
    "ForestSelector",
    "fit_once",
    "best_first",
    "draw_seed",
    "importances_of",
    "losses_of",
    "out_of_bag_losses",
    "seeded",
]

IMPORTANCES = ("mdi", "oob")


class FitResult(NamedTuple):
    """Result of one fit.

    Attributes
    ----------
    importances : ndarray of shape (n_columns,) or None
    losses : ndarray of shape (n_rows,) or None
        NaN if every tree has seen the row.
    """

    importances: np.ndarray | None
    losses: np.ndarray | None


class ModelTable(Table):
    """Reader that takes whatever the estimator of the selector takes."""

    def check(self, X):
        """Raise unless the estimator can read every row of a table from `as_table`."""
        check_values(X, self.estimator._model())


@dataclass(kw_only=True, eq=False, repr=False)
class ForestSelector(Selector):
    """Selector that fits an estimator repeatedly.

    A subclass has the parameters `estimator`, `random_state`, `n_jobs` and `verbose`, and may have
    `task`. In `fit` it reads with `X, y = self._read_table(X, y)`, which sets `task_`, draws seeds
    from `self._generator()`, gets a `FitResult` for each of some tasks from
    `self._results(tasks)`, and sets `support_`, `steps_` and `rounds_`, a list of dicts.
    """

    random_state: object = None
    n_jobs: int | None = None
    verbose: int = 0

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        missing = get_tags(self._model()).input_tags.allow_nan
        return ModelTable(self, self.read_target, missing=missing)

    def rounds_table(self):
        """List the results of each round, with the numbers that decided; DataFrame."""
        check_is_fitted(self)
        return pd.DataFrame(self.rounds_)

    def _read_table(self, X, y):
        """Return the columns unchanged, and `y` as an array of labels or of floats."""
        check_settings(self)
        self._model()
        X = as_table(X)
        for number, what in zip(X.shape, ("sample", "feature"), strict=True):
            if number == 0:
                raise ValueError(
                    f"X has 0 {what}(s) (shape={X.shape}) while a minimum of 1 is required."
                )
        validate_data(self, X, y, skip_check_array=True)  # names, number, a y
        y = self.read_target(y)
        check_consistent_length(X, y)
        check_values(X, self._model())
        return X, y

    def read_target(self, y):
        """Read `y` as an array of labels or of floats, and set `task_`."""
        task, estimator = getattr(self, "task", "auto"), getattr(self, "estimator", None)
        self.task_ = find_task(y, task) if estimator is None else self._task_of(estimator, task)
        if self.task_ == "regression":
            return read_numbers(y)
        means_classes, remedy = "task='classification'", "task='regression'"
        if estimator is not None:
            means_classes, remedy = f"estimator={type(estimator).__name__}", "a regressor"
        labels, codes = read_labels(y, means_classes, remedy, task)
        return labels[codes]

    def _task_of(self, estimator, task):
        """Return the task of an estimator, which a given task must not contradict."""
        own = "classification" if is_classifier(estimator) else "regression"
        find_task([0, 1], task)  # raises for an unknown task
        if task not in ("auto", own) and (is_classifier(estimator) or is_regressor(estimator)):
            raise ValueError(
                f"task={task!r} contradicts estimator={type(estimator).__name__}, which is one of "
                f"{own}. Pass another estimator, or leave task at 'auto'."
            )
        return own

    def _default(self):
        """Return the default forest for the task that `fit` has recognized."""
        of_numbers = getattr(self, "task_", None) == "regression"
        return RandomForestRegressor() if of_numbers else RandomForestClassifier()

    def _model(self):
        """Return the estimator, or the default if it is None."""
        estimator = self._default() if self.estimator is None else self.estimator
        check_methods("estimator", estimator, "fit", "predict")
        return estimator

    def _worker(self):
        """Return the estimator with this number of workers."""
        estimator = self._model()
        if self.n_jobs is not None and "n_jobs" in estimator.get_params():
            estimator = clone(estimator).set_params(n_jobs=self.n_jobs)
        return estimator

    def _generator(self):
        """Return the generator of the seeds, from `random_state` or that of the estimator."""
        check_settings(self)
        seed = self.random_state
        if seed is None:
            seed = self._model().get_params().get("random_state")
        return check_random_state(seed)

    def _results(self, tasks, unit="fits"):
        """Yield the `FitResult` of each task, a dict of arguments of `fit_once`, in their order.

        Several tasks are distributed over the workers; a single one leaves them to the estimator.
        """
        estimator, tasks = self._model(), list(tasks)
        if len(tasks) == 1:
            yield fit_once(self._worker(), **tasks[0])
            return
        work = joblib.delayed(fit_once)
        yield from in_parallel(self, [work(estimator, **task) for task in tasks], unit)

    def _bar(self, rounds, total, unit):
        """Return the same rounds, with a progress bar if `verbose`."""
        return tqdm(rounds, total=total, unit=unit, disable=not self.verbose)

    def __sklearn_tags__(self):
        tags, of_model = super().__sklearn_tags__(), get_tags(self._model()).input_tags
        tags.input_tags.categorical = of_model.categorical
        tags.input_tags.string = of_model.string
        return tags


def fit_once(estimator, X, y, seed, columns=None, kind=None, error=None):
    """Fit a clone and record importances and losses; `FitResult`.

    Parameters
    ----------
    estimator : estimator
    X : DataFrame or ndarray of shape (n_rows, n_features)
    y : ndarray of shape (n_rows,)
    seed : int
    columns : list of int, default=None
        The columns to fit on; None: all.
    kind : {"mdi", "oob", None}, default=None
        Importances to compute.
    error : "oob", tuple (X, y) or None, default=None
        Rows on which losses are computed: those out of bag, or others, with all columns.
    """
    if columns is not None:
        if isinstance(error, tuple):
            error = (_safe_indexing(error[0], columns, axis=1), error[1])
        estimator, X = on_columns(estimator, X, columns)
    model = seeded(estimator, seed)
    if isinstance(error, str):
        if "oob_score" not in model.get_params():
            raise ValueError(
                f"error='oob' needs an estimator with oob_score, got {type(model).__name__}: no "
                "row is out of bag. Use error='validation'."
            )
        model.set_params(oob_score=True)
    with warnings.catch_warnings():
        # few trees leave some rows without a vote: these rows are not counted
        warnings.filterwarnings("ignore", message=".*(no out-of-bag|OOB)")
        model.fit(X, y)
    losses = None
    if error is not None:
        losses = out_of_bag_losses(model, y) if error == "oob" else losses_of(model, *error)
    return FitResult(importances_of(model, X, y, kind, seed) if kind else None, losses)


def draw_seed(generator):
    """Draw a seed for one fit."""
    return generator.randint(HIGHEST_SEED)


def seeded(estimator, seed):
    """Clone an estimator with all its seeds, those of its parts included, drawn from `seed`.

    >>> seeded(RandomForestClassifier(5), 0).random_state
    209652396
    """
    model = clone(estimator)
    set_seeds(model, np.random.RandomState(seed))
    return model


def importances_of(model, X, y, kind, seed):
    """Compute the importances of the columns of a fitted model; ndarray of shape (n_columns,).

    Parameters
    ----------
    model : estimator
        Fitted on `X` and `y`.
    X : DataFrame or ndarray of shape (n_rows, n_columns)
    y : ndarray of shape (n_rows,)
    kind : {"mdi", "oob"}
        "mdi": its `feature_importances_`, or the squares of its coefficients, summed over the
        classes; in a pipeline those of the last step. "oob": the mean of
        `oob_permutation_importance`.
    seed : int
        Seed of the permutations.
    """
    if kind == "oob":
        if not hasattr(model, "estimators_samples_"):
            raise TypeError(
                "importance='oob' needs a forest or bagging of trees, got "
                f"{type(model).__name__}. Use importance='mdi'."
            )
        return oob_permutation_importance(model, X, y, random_state=seed).importances_mean
    last = model[-1] if isinstance(model, Pipeline) else model
    found = getattr(last, "feature_importances_", None)
    if found is None and hasattr(last, "coef_"):
        found = np.sum(np.atleast_2d(last.coef_) ** 2, axis=0)
    if found is None:
        raise TypeError(
            "estimator must have feature_importances_ or coef_ after fit, but "
            f"{type(last).__name__} has none."
        )
    if np.shape(found) != (X.shape[1],):
        raise ValueError(
            f"estimator has importances of shape {np.shape(found)} for {X.shape[1]} columns."
        )
    return np.asarray(found, dtype=float)


def best_first(importances):
    """Sort the columns from the most important one; ndarray of int, (n_columns,).

    As `from_best`, with a warning if all importances are 0.
    """
    if not np.any(importances):
        warnings.warn(
            "all importances are 0: the columns are ranked as they come.", UserWarning, stacklevel=3
        )
    return from_best(importances)


def losses_of(model, X, y):
    """Compute the losses of a fitted model on some rows; ndarray of shape (n_rows,)."""
    said = model.predict(X)
    return (said != y).astype(float) if is_classifier(model) else (said - y) ** 2


def out_of_bag_losses(model, y):
    """Compute the out-of-bag losses of a forest or bagging; ndarray of shape (n_rows,).

    NaN for a row that every tree has seen.
    """
    if is_classifier(model):
        losses = (model.classes_[model.oob_decision_function_.argmax(axis=1)] != y).astype(float)
    else:
        losses = (np.ravel(model.oob_prediction_) - y) ** 2
    judged = getattr(model, "out_of_bag_", None)
    if judged is not None:
        return np.where(judged.votes > 0, losses, np.nan)
    samples = model.estimators_samples_
    seen = np.sum([np.bincount(sample, minlength=len(y)) > 0 for sample in samples], axis=0)
    return np.where(seen < len(samples), losses, np.nan)
