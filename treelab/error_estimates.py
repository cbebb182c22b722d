"""Prediction errors from bootstrap samples: naive, leave-one-out, .632 and .632+.

The cases that a bootstrap sample leaves out are test cases for the model fitted on it.
`treelab.bootstrap` is where to import these from.

Vocabulary
----------
naive : error of the models on all cases, those that they were fitted on included
loo : leave-one-out bootstrap, error on the cases that a model has not seen
apparent : error of the model fitted on all cases, on these cases
gamma : no-information error, every target against every prediction
"""

import numbers

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing, check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length

__all__ = ["bootstrap_error", "bootstrap_error_table", "plus_estimate"]

METHODS = ("naive", "loo", ".632", ".632+")
DRAWN = 1 - np.exp(-1)  # limit of the chance that a case is in a bootstrap sample, 0.632


def bootstrap_error(
    estimator, X, y, method=".632+", *, n_resamples=50, loss=None, random_state=None
):
    """Prediction error of an estimator, estimated from bootstrap samples.

    Parameters
    ----------
    estimator : estimator with fit and predict
    X : array-like or DataFrame of shape (n, n_features)
    y : array-like of shape (n,)
    method : {"naive", "loo", ".632", ".632+"}, default=".632+"
        See `bootstrap_error_table`.
    n_resamples : int, default=50
        B, the number of models that are fitted.
    loss : callable (y_true, y_pred) -> ndarray of shape (n,), default=None
        None: 1 for a wrong class, or the squared error.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `method` is unknown, or every case is in every sample.

    References
    ----------
    Efron (1983); Efron and Tibshirani (1997), Improvements on cross-validation: the .632+
    bootstrap method.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> round(bootstrap_error(tree, X, y, random_state=0), 3)
    0.051
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {list(METHODS)}, got {method!r}.")
    table = bootstrap_error_table(
        estimator, X, y, n_resamples=n_resamples, loss=loss, random_state=random_state
    )
    return float(table.loc[method, "error"])


def bootstrap_error_table(estimator, X, y, *, n_resamples=50, loss=None, random_state=None):
    """Four estimates of one prediction error, and what they are made of.

    The apparent error is that of the model fitted on all cases, on these cases. ".632"
    takes 0.368 of it and 0.632 of "loo". ".632+" moves the weight towards "loo" where the
    model overfits: R = (loo - apparent) / (gamma - apparent), cut to [0, 1], and the weight
    of loo is 0.632 / (1 - 0.368 R).

    Parameters
    ----------
    estimator, X, y, n_resamples, loss, random_state
        As in `bootstrap_error`.

    Returns
    -------
    DataFrame
        Indexed by estimate: ``apparent``, ``naive``, ``loo``, ``.632``, ``.632+`` and
        ``gamma``; columns ``error`` and ``cases``, the number of cases it rests on.

    Raises
    ------
    ValueError
        If every case is in every sample.

    References
    ----------
    Efron and Tibshirani (1997), section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import DecisionTreeClassifier
    >>> table = bootstrap_error_table(
    ...     DecisionTreeClassifier(), *load_iris(return_X_y=True), random_state=0
    ... )
    >>> table["error"].round(3).to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'apparent': 0.0, 'naive': 0.021, 'loo': 0.054, '.632': 0.034, '.632+': 0.035,
     'gamma': 0.667}
    """
    check_scalar(n_resamples, "n_resamples", numbers.Integral, min_val=1)
    check_consistent_length(X, y)
    X = X if hasattr(X, "iloc") else np.asarray(X)
    y, rng = np.asarray(y), check_random_state(random_state)
    loss = loss or (wrong_class if is_classifier(estimator) else squared_loss)
    n = len(y)
    naive, unseen_loss, unseen = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(n_resamples):
        rows = rng.randint(n, size=n)
        model = clone(estimator).fit(_safe_indexing(X, rows), y[rows])
        miss = loss(y, model.predict(X))
        out = np.bincount(rows, minlength=n) == 0
        naive += miss
        unseen_loss += miss * out
        unseen += out
    tested = unseen > 0
    if not tested.any():
        raise ValueError(
            f"every case is in each of the {n_resamples} samples: none is left to test on. Raise "
            "n_resamples."
        )
    loo = np.mean(unseen_loss[tested] / unseen[tested])
    predicted = clone(estimator).fit(X, y).predict(X)
    apparent = np.mean(loss(y, predicted))
    gamma = np.mean([np.mean(loss(np.full(n, target, y.dtype), predicted)) for target in y])
    plain = (1 - DRAWN) * apparent + DRAWN * loo
    plus = plus_estimate(apparent, loo, gamma)
    covered = int(tested.sum())
    lines = [
        ("apparent", apparent, n),
        ("naive", np.mean(naive) / n_resamples, n),
        ("loo", loo, covered),
        (".632", plain, covered),
        (".632+", plus, covered),
        ("gamma", gamma, n),
    ]
    frame = pd.DataFrame(lines, columns=["estimate", "error", "cases"])
    return frame.set_index("estimate")


def plus_estimate(apparent, loo, gamma):
    """The .632+ estimate from its three parts.

    Parameters
    ----------
    apparent : float
        Error of the model fitted on all cases, on these cases.
    loo : float
        Leave-one-out bootstrap error; what exceeds `gamma` is cut off. (Formula 32 of the
        source leaves it in the part that is .632.)
    gamma : float
        No-information error.

    Returns
    -------
    float
        Between `apparent` and `loo`, at 0.632 of the way or beyond.

    References
    ----------
    Efron and Tibshirani (1997), section 3.

    Examples
    --------
    >>> round(float(plus_estimate(0.0, 0.4, 0.5)), 3)  # a model that learns by heart
    0.358
    """
    loo = min(loo, gamma)
    overfit = (loo - apparent) / (gamma - apparent) if loo > apparent and gamma > apparent else 0.0
    weight = DRAWN / (1 - (1 - DRAWN) * overfit)
    return (1 - weight) * apparent + weight * loo


def wrong_class(y, predicted):
    """1 where the class is wrong; (n,)."""
    return (y != predicted).astype(float)


def squared_loss(y, predicted):
    """Squared distance of a prediction from its target; (n,)."""
    return (y - predicted) ** 2
