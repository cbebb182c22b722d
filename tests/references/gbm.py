"""Gradient boosting beside scikit-learn's and R's gbm."""

import gzip
import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from places import DATA
from sklearn import ensemble as theirs

import treelab as ours
from treelab.fast.boosting.losses import Loss

ROUNDS = 20


@cache
def friedman():
    """300 rows that single precision holds exactly, numbers and two and three classes."""
    rng = np.random.default_rng(0)
    X, new = (rng.random((n, 5)).astype(np.float32).astype(float) for n in (300, 100))
    y = 10 * np.sin(3 * X[:, 0] * X[:, 1]) + 5 * X[:, 2] + rng.normal(size=300)
    targets = {0: y, 2: np.digitize(y, [6.0]), 3: np.digitize(y, [4.0, 8.0])}
    weights = {
        "none": None,
        "whole": rng.integers(1, 4, 300).astype(float),
        "real": rng.random(300) + 0.1,
    }
    return X, targets, weights, new


LOSSES = [
    *((0, loss) for loss in ("squared_error", "absolute_error", "huber", "quantile")),
    *((2, loss) for loss in ("log_loss", "exponential")),
    (3, "log_loss"),
]


TWO_VALUED = ("absolute_error", "quantile")


SETTINGS = {
    "plain": {"max_depth": 2, "min_samples_leaf": 10},
    "full steps": {"max_depth": 2, "min_samples_leaf": 15, "learning_rate": 0.7},
    "best first": {"max_depth": None, "max_leaf_nodes": 5, "min_samples_leaf": 10},
    "small bags": {"max_depth": 2, "min_samples_leaf": 8, "subsample": 0.6},
    "from zero": {"max_depth": 2, "min_samples_leaf": 10, "init": "zero"},
    "early stop": {"max_depth": 2, "min_samples_leaf": 12, "n_iter_no_change": 2, "tol": 0.2},
    "another quantile": {"max_depth": 1, "alpha": 0.3, "min_samples_leaf": 10},
}


def pair(n_classes, loss, weights, **settings):
    X, targets, weight, new = friedman()
    name = "GradientBoostingClassifier" if n_classes else "GradientBoostingRegressor"
    settings = {"n_estimators": ROUNDS, "random_state": 4} | settings
    models = [getattr(module, name)(loss=loss, **settings) for module in (ours, theirs)]
    return [m.fit(X, targets[n_classes], weight[weights]) for m in models], new


def assert_same(mine, other, new):
    for method in ("staged_predict", "staged_decision_function", "staged_predict_proba"):
        if hasattr(mine, method):
            rounds = zip(getattr(mine, method)(new), getattr(other, method)(new), strict=True)
            for a, b in rounds:
                np.testing.assert_allclose(a.reshape(b.shape), b, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(mine.train_score_, other.train_score_, rtol=1e-9)
    np.testing.assert_allclose(mine.feature_importances_, other.feature_importances_, atol=1e-9)
    if mine.max_leaf_nodes is None:  # else scikit-learn numbers nodes in their order of making
        np.testing.assert_array_equal(mine.apply(new), other.apply(new))
    assert mine.n_estimators_ == other.n_estimators_


CASES = [
    (n_classes, loss, setting, weights)
    for i, (n_classes, loss) in enumerate(LOSSES)
    for j, setting in enumerate(SETTINGS)
    for weights in [("none", "whole", "real")[(i + j) % 3] if loss not in TWO_VALUED else "real"]
    if loss not in TWO_VALUED or setting != "from zero"
]


def drop(tree):
    """How much a stump lowers the sum of squared errors."""
    R = tree.weighted_n_node_samples * tree.impurity
    return R[0] - R[1:].sum()


class Laplace(Loss):
    """Absolute error as gbm takes it: the sign of 0 is -1, medians are the ordinary ones."""

    def each(self, y, F):
        return np.abs(y - F)

    def negative_gradient(self, y, F):
        return np.where(y > F, 1.0, -1.0)

    def start(self, y, w=None):
        return float(np.median(y))

    def leaf_value(self, y, F, r, w):
        return float(np.median(y - F))


@cache
def gbm(name):
    return json.loads(gzip.decompress((DATA / "gbm" / f"{name}.json.gz").read_bytes()))


KEYS = [f"depth{d}_min{m}_lr0.1" for d in (1, 3) for m in (1, 2, 5, 10)] + ["depth1_min1_lr1"]


def assert_rounds_of_gbm(name, key):
    reference = gbm(name)
    fit = reference["results"][key]
    frame = pd.read_csv(DATA / "rpart" / f"{reference['csv']}")
    X, y = frame[reference["features"]], frame[reference["target"]]
    kind = ours.GradientBoostingRegressor
    losses = {"gaussian": "squared_error", "laplace": Laplace(), "bernoulli": "log_loss"}
    if reference["distribution"] == "bernoulli":
        kind, y = ours.GradientBoostingClassifier, y == reference["positive"]
    model = kind(
        loss=losses[reference["distribution"]],
        learning_rate=fit["shrinkage"],
        n_estimators=reference["n_trees"],
        max_depth=None,
        max_leaf_nodes=fit["interaction_depth"] + 1,
        min_samples_leaf=fit["n_minobsinnode"],
    ).fit(X, y)
    assert model.start_ == pytest.approx(fit["initF"], abs=1e-10)
    np.testing.assert_allclose(model.train_score_, fit["train_error"], rtol=1e-10)
    stages = list(getattr(model, "staged_decision_function", model.staged_predict)(X))
    for rounds in (1, 10, 50):
        expected = fit[f"pred_link_{rounds}"]
        np.testing.assert_allclose(stages[rounds - 1], expected, rtol=1e-10, atol=1e-10)
