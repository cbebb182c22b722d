"""AdaBoost beside scikit-learn and Weka's AdaBoostM1, round by round (see data/README.md)."""

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from adaboostm1 import (
    assert_same_rounds,
    iris,
    overlapping,
)
from cases import each
from sklearn.datasets import make_friedman1
from sklearn.naive_bayes import GaussianNB

from treelab import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
)


@each(("n_classes", "depth", "learning_rate"), [(3, 1, 0.1), (4, 2, 1.5)])
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


@each(
    ("loss", "learning_rate", "weighted"),
    [
        ("linear", 1.0, False),
        ("linear", 0.4, True),
        ("square", 0.4, False),
        ("exponential", 1.0, True),
    ],
)
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
