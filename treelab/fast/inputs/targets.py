"""Targets and weights: classes become codes, and everything else must be finite numbers."""

import warnings

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import column_or_1d

__all__ = [
    "MOST_CLASSES",
    "TASKS",
    "ClassTarget",
    "NumberTarget",
    "check_weights",
    "class_codes",
    "find_task",
    "is_continuous",
    "read_classes",
    "read_numbers",
    "weigh_classes",
]

TASKS = ("auto", "classification", "regression")
MOST_CLASSES = 20  # distinct whole numbers that are still taken for classes


def find_task(y, task="auto"):
    """Return whether a target is one of classification or of regression.

    Text, truth values and pandas categoricals are classes. Numbers with fractions are a regression
    target, as in scikit-learn's `type_of_target`. Whole numbers may be codes of classes or counts:
    up to 20 distinct values are read as classes, and more as a regression target.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Without missing or infinite values.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto" applies the rule above; any other value is returned.

    Returns
    -------
    {"classification", "regression"}

    Examples
    --------
    >>> find_task([0, 1, 1, 2]), find_task([0.5, 1.5]), find_task(range(21))
    ('classification', 'regression', 'regression')
    >>> find_task(range(21), "classification")
    'classification'
    """
    if task not in TASKS:
        raise ValueError(f"task must be one of {list(TASKS)}, got {task!r}.")
    if task != "auto":
        return task
    if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        return "classification"
    values = _complete(y, warn=False)
    if values.dtype.kind not in "iuf":
        return "classification"
    if is_continuous(values) or len(np.unique(values)) > MOST_CLASSES:
        return "regression"
    return "classification"


def is_continuous(y):
    """Return whether a target without missing values holds numbers with fractions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of many classes: `find_task` has a rule
        return type_of_target(_complete(y, warn=False)) == "continuous"


def read_classes(y, declared=False):
    """Read class labels and the code of each row; missing or fractional ones are an error.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
    declared : bool, default=False
        Keep the classes that a pandas categorical declares, in their order.

    Returns
    -------
    labels : ndarray of shape (n_classes,)
        In sorted order, unless declared.
    codes : ndarray of int, shape (n_rows,)

    Examples
    --------
    >>> y = pd.Categorical(["yes", "no"], categories=["yes", "no", "maybe"])
    >>> read_classes(y)
    (array(['no', 'yes'], dtype=object), array([1, 0]))
    >>> read_classes(y, declared=True)
    (array(['yes', 'no', 'maybe'], dtype=object), array([0, 1]))
    """
    values = _complete(y)
    check_classification_targets(values)
    if declared and isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        labels = y.dtype.categories
        return labels.to_numpy(), labels.get_indexer(values)
    return np.unique(values, return_inverse=True)


def read_numbers(y):
    """Read `y` as floats, or raise an error that says why not; shape (n_rows,).

    >>> read_numbers([1, 2])
    array([1., 2.])
    """
    y = _complete(y)
    try:
        return np.asarray(y, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must hold numbers for a regression: {error}.") from None


class ClassTarget(ClassifierMixin):
    """Classifier that reads its target as class codes, with the logarithm of its probabilities."""

    def read_target(self, y):
        """Read the target as class codes; (n_rows,)."""
        self.classes_, codes = read_classes(y)
        self.n_classes_ = len(self.classes_)
        return codes

    def predict_log_proba(self, X):
        """Return the natural logarithm of `predict_proba`; -inf where a probability is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class NumberTarget(RegressorMixin):
    """Regressor that reads its target as numbers."""

    def read_target(self, y):
        """Read the target as numbers; (n_rows,)."""
        return read_numbers(y)


def _complete(y, warn=True):
    """Return `y` as an array of one dimension, or raise if a value is missing or infinite."""
    y = column_or_1d(y, warn=warn)
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError("y contains infinity. Targets must be finite.")
    missing = pd.isna(y)
    if missing.any():
        raise ValueError(
            f"y contains NaN or None in {missing.sum()} of its {missing.size} rows. Drop "
            "those rows: nothing can be learned from a row without a target."
        )
    return y


def check_weights(sample_weight, n_rows):
    """Return the weights of the rows as an array of floats, (n_rows,).

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,), a number or None
        Not negative, finite, and not all zero. None gives every row the weight 1.
    n_rows : int

    Examples
    --------
    >>> check_weights(None, 2)
    array([1., 1.])
    """
    try:
        w = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}.") from None
    w = np.full(n_rows, float(w)) if w.ndim == 0 else w
    if w.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {n_rows} rows of X, got shape "
            f"{w.shape}."
        )
    if not np.isfinite(w).all() or (w < 0).any():
        raise ValueError(
            "sample_weight must be finite and not negative, got a smallest weight of "
            f"{w.min()} and a largest of {w.max()}."
        )
    if not w.sum() > 0:
        raise ValueError("sample_weight must have a positive sum: all weights are zero.")
    return w


def weigh_classes(estimator, codes, weight):
    """Return the weights of rows times those of their classes, `class_weight`; (n_rows,).

    Parameters
    ----------
    estimator : estimator
        One without `class_weight`, or with "balanced_subsample" and a bootstrap, changes nothing.
    codes : ndarray of int, shape (n_rows,)
        The class of each row, its number in the `classes_` of the estimator.
    weight : ndarray of float, shape (n_rows,)
    """
    chosen = getattr(estimator, "class_weight", None)
    if chosen == "balanced_subsample":  # of the sample of a tree; without one, of all rows
        chosen = None if estimator.bootstrap else "balanced"
    if chosen is None:
        return weight
    classes = estimator.classes_
    try:
        factor = compute_class_weight(chosen, classes=classes, y=classes[codes])[codes]
    except (TypeError, ValueError) as error:
        raise ValueError(f"class_weight does not suit the classes of y: {error}") from None
    if not np.isfinite(factor).all() or factor.min() < 0 or not (weight * factor).sum() > 0:
        raise ValueError(
            "class_weight must be finite, not negative, and not 0 for all rows with a weight, got "
            f"{chosen!r}."
        )
    return weight * factor


def class_codes(y, classes, allow_unknown=False):
    """Return the number of the class of each row among `classes`; ndarray of int, (n_rows,).

    A class that is not among them is an error, or -1 with `allow_unknown`.

    >>> class_codes(["yes", "no"], ["no", "yes"])
    array([1, 0])
    """
    y = np.asarray(y, dtype=object)
    codes = pd.Index(classes, dtype=object).get_indexer(y)
    if not allow_unknown and (codes < 0).any():
        known = np.asarray(classes).tolist()
        raise ValueError(
            f"y has the class {y[codes < 0][0]!r}, which was not seen in fit; known: {known}."
        )
    return codes
