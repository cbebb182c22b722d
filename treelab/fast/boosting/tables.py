"""Tables of boosting: the weights, residuals and predictions of every round, row by row.

`boosting_table` shows AdaBoost, `residual_table` gradient boosting. `interval_table` is boosting
by hand with the weak learner of the book's running table, which is not a tree: it divides one
feature into the inside and the outside of an interval and predicts a mean residual for each.

Vocabulary
----------
confidence : c, (K - 1)**2 / K times the vote (Zhu et al. 2009, equation 13)
margin : proportion of the votes for the true class minus that for its strongest rival (Schapire,
    Freund, Bartlett and Lee 1998)
residual : pseudo-residual, the direction in which the score should move to lower the loss
before, step, after : score of a row, the amount that the round adds to it, and their sum
"""

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from treelab.fast.boosting.adaboost import AdaBoostClassifier, reweight
from treelab.fast.boosting.rounds import by_class
from treelab.fast.boosting.weak_learner import predictions
from treelab.fast.inputs import check_weights, class_codes, read_numbers

__all__ = ["boosting_table", "residual_table"]


def boosting_table(model, X, y, sample_weight=None):
    """List the weights, predictions and margins of every round of AdaBoost, row by row.

    Parameters
    ----------
    model : AdaBoostClassifier
        Fitted.
    X, y : array-like
        The training data; others, which the errors reveal, are a ValueError.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    DataFrame
        One row for each ``round`` (from 1) and ``case`` (the index of a DataFrame, or the row
        number): ``weight`` before the round, ``prediction`` of the base estimator of the round,
        whether it is ``correct``, its weighted ``error`` and ``confidence``, and the ``margin`` of
        the row after the round, from -1 to 1.

    Examples
    --------
    >>> from treelab.datasets import load_bike_demand
    >>> X, y = load_bike_demand("level", return_X_y=True)
    >>> table = boosting_table(AdaBoostClassifier(n_estimators=3).fit(X, y), X, y)
    >>> table.groupby("round")[["error", "confidence"]].first().round(4).values.tolist()
    [[0.2, 0.6931], [0.1875, 0.7332], [0.1923, 0.7175]]
    """
    if not isinstance(model, AdaBoostClassifier):
        raise TypeError(f"model must be an AdaBoostClassifier, got {type(model).__name__}.")
    check_is_fitted(model)
    rows = model._read(X)
    check_consistent_length(rows, y)
    y = column_or_1d(y)
    case = rows.index if hasattr(rows, "index") else np.arange(len(y))
    weight = reweight(check_weights(sample_weight, len(y)), 0, vote=0)  # sum 1
    K, parts = model.n_classes_, []
    members = predictions(model.estimators_, rows), model._staged_scores(rows)
    votes = model.estimator_weights_, model.estimator_errors_
    for m, (said, scores, vote, error) in enumerate(zip(*members, *votes, strict=True), 1):
        correct = said == y
        if not np.isclose(weight[~correct].sum() / weight.sum(), error, atol=1e-8):
            raise ValueError("X, y and sample_weight must be those that the model was fitted on.")
        margin = _margin(scores, y[:, None] == model.classes_)
        part = {"round": m, "case": case, "weight": weight, "prediction": said, "correct": correct}
        part |= {"error": error, "confidence": (K - 1) ** 2 / K * vote, "margin": margin}
        parts.append(pd.DataFrame(part))
        weight = reweight(weight, correct, vote)
    return pd.concat(parts, ignore_index=True)


def _margin(scores, is_true):
    """Return the proportion of votes for the true class minus that for its strongest rival."""
    K = scores.shape[1]
    share = (scores * (K - 1) + 1) / K  # of the votes, from 1 and -1 / (K - 1)
    true = np.where(is_true, share, 0.0).sum(axis=1)
    return true - np.where(is_true, 0.0, share).max(axis=1)


def residual_table(model, X, y, sample_weight=None):
    """List the residuals and steps of each round of gradient boosting, row by row.

    Parameters
    ----------
    model : GradientBoostingRegressor or GradientBoostingClassifier
        Fitted.
    X, y : array-like
        Any data; with those of `fit`, the residuals are those that the trees were grown on.
    sample_weight : array-like of shape (n_rows,), default=None
        As in `fit`; only the Huber loss uses it.

    Returns
    -------
    DataFrame
        One row for each ``round`` (from 1), ``case`` (from 0) and, with more than two classes,
        ``class``: ``before``, ``residual``, ``leaf`` (its node number), ``step``, ``after``.

    Examples
    --------
    >>> from treelab import GradientBoostingRegressor
    >>> X, y = [[1], [2], [3], [4]], [0.0, 2.0, 4.0, 10.0]
    >>> model = GradientBoostingRegressor(n_estimators=1, max_depth=1, learning_rate=1.0)
    >>> residual_table(model.fit(X, y), X, y).iloc[[0, 3]]
       round  case  before  residual  leaf  step  after
    0      1     0     4.0      -4.0     1  -2.0    2.0
    3      1     3     4.0       6.0     2   6.0   10.0
    """
    check_is_fitted(model, "trees_")
    check_consistent_length(X, y)
    X = model.table.read(X)
    y = class_codes(y, model.classes_).astype(float) if is_classifier(model) else read_numbers(y)
    w = check_weights(sample_weight, len(X))
    F, parts = model.start_scores(X), []
    n, n_scores = by_class(F).shape
    for i, trees in enumerate(model.trees_, 1):
        before = F.copy()
        residual = model._loss.settled(y, F, w).negative_gradient(y, F)
        leaves = [tree.apply(X) for tree in trees]
        model._move(F, trees, leaves)
        values = [tree.value[leaf, 0, 0] for tree, leaf in zip(trees, leaves, strict=True)]
        part = {"round": np.full(n * n_scores, i), "case": np.repeat(np.arange(n), n_scores)}
        if n_scores > 1:
            part["class"] = np.tile(model.classes_, n)
        step = model.learning_rate * np.column_stack(values)
        part |= {"before": before, "residual": residual, "leaf": np.column_stack(leaves)}
        part |= {"step": step, "after": F.copy()}
        parts.append(pd.DataFrame({name: np.ravel(a) for name, a in part.items()}))
    return pd.concat(parts, ignore_index=True)
