"""AdaBoost's rounds beside scikit-learn's and Weka's AdaBoostM1."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from weka import load, read

from treelab import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
)
from treelab.fast.boosting import boosting_table, estimator_weight, reweight


def overlapping(n_classes):
    """Rows in single precision, as scikit-learn's trees read them."""
    X, y = make_classification(
        500, 8, n_informative=5, n_classes=n_classes, flip_y=0.1, random_state=n_classes
    )
    return X.astype(np.float32), y


def iris():
    X, y = load_iris(return_X_y=True)
    return X.astype(np.float32), np.array(["a", "b", "c"])[y]


def assert_same_rounds(mine, theirs, X, y):
    """Votes, errors, staged predictions and importances of two fitted classifiers."""
    m = len(mine.estimators_)
    assert m == len(theirs.estimators_) > 1
    np.testing.assert_allclose(mine.estimator_weights_, theirs.estimator_weights_[:m], atol=1e-10)
    np.testing.assert_allclose(mine.estimator_errors_, theirs.estimator_errors_[:m], atol=1e-10)
    for name in ("staged_decision_function", "staged_predict_proba"):
        pairs = zip(getattr(mine, name)(X), getattr(theirs, name)(X), strict=True)
        for found, expected in pairs:
            assert found.shape == expected.shape
            np.testing.assert_allclose(found, expected, atol=1e-10)
    np.testing.assert_allclose(
        list(mine.staged_score(X, y)), list(theirs.staged_score(X, y)), atol=1e-12
    )
    np.testing.assert_allclose(mine.decision_function(X), theirs.decision_function(X), atol=1e-10)
    np.testing.assert_allclose(mine.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(mine.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-9)


def stump_classes(stump, X):
    """What Weka's stump says to each row: the number of a class."""
    x = X[stump["attr"]]
    if stump["kind"] == "numeric":
        branch = np.where(x <= stump["threshold"], 0, 1)
    else:
        branch = np.where(x == stump["value"], 0, 1)
    return np.argmax(stump["distribution"], axis=1)[np.where(x.isna(), 2, branch)]


def assert_rounds_follow_from_stumps(name):
    """Errors, votes, weights and the growing vote, through the functions that fit.

    AdaBoost.M1 with more than two classes is SAMME without ln(K - 1).
    """
    reference = read(f"adaboostm1_{name}")
    X, y, _ = load(reference["csv"])
    classes = reference["classes"]
    y = np.array([classes.index(label) for label in y])
    weight, votes = np.full(len(y), 1 / len(y)), np.zeros((len(y), len(classes)))
    for row in reference["rounds"]:
        np.testing.assert_allclose(
            weight[:10] / weight.sum(), row["weights_first10"], rtol=1e-9, atol=1e-14
        )
        predicted = stump_classes(row["stump"], X)
        error = weight[predicted != y].sum()
        assert error == pytest.approx(row["weighted_error"], abs=1e-12)
        vote = estimator_weight(error)
        assert vote == pytest.approx(row["log_inv_beta"], abs=1e-10)
        votes[np.arange(len(y)), predicted] += vote
        assert np.sum(votes.argmax(axis=1) != y) == row["ensemble_train_errors"]
        weight = reweight(weight, predicted == y, vote)
    assert row["ensemble_train_errors"] == reference["final_train_errors"]


def assert_fifty_rounds_alike(name):
    """Stumps by entropy on levels and numbers; the classes in Weka's order, to which ties go."""
    reference = read(f"adaboostm1_{name}")
    X, y, _ = load(reference["csv"])
    y = np.array([reference["classes"].index(label) for label in y])
    stump = DecisionTreeClassifier(max_depth=1, criterion="entropy")
    model = AdaBoostClassifier(stump, n_estimators=50).fit(X, y)
    rounds = reference["rounds"]
    assert [X.columns[member.tree_.feature[0]] for member in model.estimators_] == [
        row["stump"]["attr"] for row in rounds
    ]
    np.testing.assert_allclose(
        model.estimator_weights_, [row["log_inv_beta"] for row in rounds], atol=1e-10
    )
    table = boosting_table(model, X, y)
    weights = table["weight"].to_numpy().reshape(50, -1)[:, :10]
    np.testing.assert_allclose(weights, [row["weights_first10"] for row in rounds], atol=1e-10)
    wrong = [int(np.sum(prediction != y)) for prediction in model.staged_predict(X)]
    assert wrong == [row["ensemble_train_errors"] for row in rounds]
