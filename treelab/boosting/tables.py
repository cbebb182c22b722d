"""Tables of boosting: what every round of AdaBoost sees and does, case by case.

Vocabulary
----------
K : classes; m : number of a round
confidence : alpha, (K - 1)**2 / K times the vote; for two classes 1/2 ln((1 - e) / e)
margin : share of the votes for the true class, less that for its strongest rival
"""

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from treelab.boosting.base_adaboost import BaseAdaBoost, normalized, reweight
from treelab.boosting.weak_learner import predictions
from treelab.inputs import check_weights

__all__ = ["boosting_table"]


def boosting_table(model, X, y, sample_weight=None):
    """What every round of an AdaBoost classifier sees and does, case by case.

    Parameters
    ----------
    model : AdaBoostClassifier
        Fitted.
    X, y : array-like
        The data that it was fitted on.
    sample_weight : array-like of shape (n_rows,), default=None
        The weights that it was fitted with.

    Returns
    -------
    DataFrame of shape (M * n_rows, 8)
        One row for each round and case: ``round`` (from 1), ``case`` (the index of a DataFrame,
        or the row number), ``weight`` before the round, ``prediction`` of the round's member,
        whether it is ``correct``, the member's weighted ``error`` and ``confidence`` alpha, and
        the case's ``margin`` after the round, from -1 to 1.

    Raises
    ------
    TypeError
        If `model` is not an AdaBoost classifier.
    ValueError
        If the model was fitted on other data, which shows in the errors.

    References
    ----------
    Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost, equation 13 (confidence).
    Schapire, Freund, Bartlett and Lee (1998), Boosting the margin.

    Examples
    --------
    >>> from treelab import AdaBoostClassifier
    >>> from treelab.datasets import load_bike_demand
    >>> X, y = load_bike_demand("level", return_X_y=True)
    >>> table = boosting_table(AdaBoostClassifier(n_estimators=3).fit(X, y), X, y)
    >>> table.groupby("round")[["error", "confidence"]].first().round(4).values.tolist()
    [[0.2, 0.6931], [0.1875, 0.7332], [0.1923, 0.7175]]
    """
    if not (isinstance(model, BaseAdaBoost) and is_classifier(model)):
        raise TypeError(f"model must be an AdaBoostClassifier, got {type(model).__name__}.")
    check_is_fitted(model)
    rows = model._read(X)
    check_consistent_length(rows, y)
    y = column_or_1d(y)
    case = rows.index if hasattr(rows, "index") else np.arange(len(y))
    weight = check_weights(sample_weight, len(y))
    weight = normalized(weight, counts=weight > 0)
    K, parts = model.n_classes_, []
    stages = zip(
        predictions(model.estimators_, rows),
        model._staged_scores(rows),
        model.estimator_weights_,
        model.estimator_errors_,
        strict=True,
    )
    for m, (prediction, scores, vote, error) in enumerate(stages, 1):
        correct = prediction == y
        if not np.isclose(weight[~correct].sum() / weight.sum(), error, atol=1e-8):
            raise ValueError("X, y and sample_weight must be those that the model was fitted on.")
        columns = {
            "round": m,
            "case": case,
            "weight": weight,
            "prediction": prediction,
            "correct": correct,
            "error": error,
            "confidence": (K - 1) ** 2 / K * vote,
            "margin": _margin(scores, y[:, None] == model.classes_),
        }
        parts.append(pd.DataFrame(columns))
        weight = reweight(weight, correct, vote)
    return pd.concat(parts, ignore_index=True)


def _margin(scores, is_true):
    """Share of the votes for the true class less that for its strongest rival; (n,)."""
    K = scores.shape[1]
    share = (scores * (K - 1) + 1) / K  # of the votes, from 1 and -1 / (K - 1)
    true = np.where(is_true, share, 0.0).sum(axis=1)
    return true - np.where(is_true, 0.0, share).max(axis=1)
