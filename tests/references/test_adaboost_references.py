"""AdaBoost beside scikit-learn and Weka's AdaBoostM1, round by round (see data/README.md)."""

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from sklearn.datasets import load_iris, make_classification, make_friedman1
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from test_weka import load, read

from treelab import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
)
from treelab.boosting import boosting_table, reweight, vote_weight


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


@pytest.mark.parametrize("learning_rate", [1.0, 0.5, 0.1, 1.5])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_classifier_is_scikit_learns(n_classes, depth, learning_rate):
    """Deeper trees have small nodes, in which cuts tie; there both boost the same trees."""
    X, y = overlapping(n_classes)
    settings = {"n_estimators": 25, "learning_rate": learning_rate, "random_state": 0}
    tree = DecisionTreeClassifier(max_depth=depth)
    mine = AdaBoostClassifier(tree, **settings).fit(X, y)
    if depth == 1:
        tree = sklearn.tree.DecisionTreeClassifier(max_depth=1)
    theirs = sklearn.ensemble.AdaBoostClassifier(tree, **settings).fit(X, y)
    assert_same_rounds(mine, theirs, X, y)
    np.testing.assert_array_equal(mine.predict(X), theirs.predict(X))
    np.testing.assert_allclose(mine.feature_importances_, theirs.feature_importances_, atol=1e-9)


@pytest.mark.parametrize("learning_rate", [1.0, 0.3])
def test_default_is_scikit_learns_with_weights_and_text_labels(learning_rate):
    X, y = iris()
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y))
    weight[::7] = 0
    settings = {"n_estimators": 20, "learning_rate": learning_rate}
    mine = AdaBoostClassifier(**settings).fit(X, y, sample_weight=weight)
    theirs = sklearn.ensemble.AdaBoostClassifier(**settings).fit(X, y, sample_weight=weight)
    assert_same_rounds(mine, theirs, X, y)
    np.testing.assert_array_equal(mine.predict(X), theirs.predict(X))


def test_any_estimator_is_boosted_as_scikit_learn_does():
    """Six rounds: the seventh has an error of 2/3, up to rounding, and treelab stops there."""
    X, y = overlapping(3)
    mine = AdaBoostClassifier(GaussianNB(), n_estimators=6).fit(X, y)
    theirs = sklearn.ensemble.AdaBoostClassifier(GaussianNB(), n_estimators=6).fit(X, y)
    assert_same_rounds(mine, theirs, X, y)
    assert len(AdaBoostClassifier(GaussianNB(), n_estimators=10).fit(X, y).estimators_) == 6


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("learning_rate", [1.0, 0.4])
@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_regressor_is_scikit_learns(loss, learning_rate, weighted):
    """The draws are the same, so the members are. Small nodes tie, so both boost our trees."""
    X, y = make_friedman1(400, 6, noise=1.0, random_state=1)
    X = X.astype(np.float32)
    settings = {"n_estimators": 20, "learning_rate": learning_rate, "loss": loss}
    rng = np.random.default_rng(0)
    weight = rng.uniform(0, 2, len(y)) * (rng.random(len(y)) < 0.8) if weighted else None
    mine = AdaBoostRegressor(**settings, random_state=3).fit(X, y, weight)
    tree = DecisionTreeRegressor(max_depth=3)
    theirs = sklearn.ensemble.AdaBoostRegressor(tree, **settings, random_state=3)
    theirs.fit(X, y, weight)
    np.testing.assert_allclose(mine.estimator_errors_, theirs.estimator_errors_, atol=1e-10)
    np.testing.assert_allclose(mine.estimator_weights_, theirs.estimator_weights_, atol=1e-10)
    for found, expected in zip(mine.staged_predict(X), theirs.staged_predict(X), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-9)
    np.testing.assert_allclose(mine.predict(X), theirs.predict(X), atol=1e-9)
    np.testing.assert_allclose(mine.feature_importances_, theirs.feature_importances_, atol=1e-9)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_regressor_is_scikit_learns_on_its_own_trees(loss):
    X, y = make_friedman1(2000, 10, noise=1.0, random_state=0)
    X = X.astype(np.float32)
    settings = {"n_estimators": 20, "loss": loss, "random_state": 0}
    mine = AdaBoostRegressor(**settings).fit(X, y)
    theirs = sklearn.ensemble.AdaBoostRegressor(**settings).fit(X, y)
    for found, expected in zip(mine.staged_predict(X), theirs.staged_predict(X), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_regressor_boosts_any_estimator_as_scikit_learn_does(loss):
    X, y = make_friedman1(200, 5, noise=1.0, random_state=2)
    settings = {"n_estimators": 15, "loss": loss, "random_state": 5}
    mine = AdaBoostRegressor(KNeighborsRegressor(3), **settings).fit(X, y)
    theirs = sklearn.ensemble.AdaBoostRegressor(KNeighborsRegressor(3), **settings).fit(X, y)
    np.testing.assert_allclose(mine.estimator_errors_, theirs.estimator_errors_, atol=1e-12)
    np.testing.assert_array_equal(mine.predict(X), theirs.predict(X))


def test_regressor_with_a_bad_first_member_keeps_it_as_scikit_learn_does():
    X, y = np.arange(8.0)[:, None], np.array([0.0, 1, 0, 1, 0, 1, 0, 1])
    settings = {"n_estimators": 5, "random_state": 0}
    tree = sklearn.tree.DecisionTreeRegressor(min_samples_split=9)
    mine = AdaBoostRegressor(DecisionTreeRegressor(min_samples_split=9), **settings).fit(X, y)
    theirs = sklearn.ensemble.AdaBoostRegressor(tree, **settings).fit(X, y)
    assert len(mine.estimators_) == len(theirs.estimators_) == 1
    assert mine.estimator_errors_[0] >= 0.5
    np.testing.assert_allclose(mine.predict(X), theirs.predict(X))
    assert mine.feature_importances_.tolist() == [0.0]


# --- Weka ------------------------------------------------------------------------------


def stump_classes(stump, X):
    """What Weka's stump says to each row: the number of a class."""
    x = X[stump["attr"]]
    if stump["kind"] == "numeric":
        branch = np.where(x <= stump["threshold"], 0, 1)
    else:
        branch = np.where(x == stump["value"], 0, 1)
    return np.argmax(stump["distribution"], axis=1)[np.where(x.isna(), 2, branch)]


@pytest.mark.parametrize("name", ["iris", "labor", "weather.nominal", "weather.numeric"])
def test_rounds_of_weka_follow_from_its_stumps(name):
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
        vote = vote_weight(error)
        assert vote == pytest.approx(row["log_inv_beta"], abs=1e-10)
        votes[np.arange(len(y)), predicted] += vote
        assert np.sum(votes.argmax(axis=1) != y) == row["ensemble_train_errors"]
        weight = reweight(weight, predicted == y, vote)
    assert row["ensemble_train_errors"] == reference["final_train_errors"]


@pytest.mark.parametrize("name", ["weather.nominal", "weather.numeric"])
def test_fifty_rounds_are_wekas(name):
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
