"""The plain ensembles beside the fast ones, on the same draws: same trees, same numbers."""

import itertools
import math
import random
import warnings
from functools import partial

import numpy as np
import pytest

import treelab
from treelab import importance as fast_importance
from treelab.bootstrap import bootstrap, bootstrap_error_table
from treelab.boosting_round import draw_without_replacement
from treelab.out_of_bag import draw_sample, member_generator
from treelab.plain import cart, losses
from treelab.plain.adaboost import adaboost, vote_shares
from treelab.plain.bagging import (
    answer,
    average,
    bagging,
    draw_features,
    out_of_bag,
    out_of_bag_error,
    predict_value,
    random_forest,
)
from treelab.plain.bootstrap import bootstrap as plain_bootstrap
from treelab.plain.bootstrap import draw_samples, error_estimates, squared_loss, standard_error
from treelab.plain.gradient_boosting import draw_bags, gradient_boosting, staged_scores
from treelab.plain.importance import (
    draw_orders,
    impurity_decreases,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
)

CLOSE = {"rtol": 1e-12, "atol": 1e-12}
seeds = pytest.mark.parametrize("seed", range(4))
weighted = pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])


def table(seed, target, n=29, p=4):
    """Few distinct values, so that many cuts and many gains are equal; arrays."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, p)).astype(float)
    noise = rng.integers(0, 3, n)
    if target == "numbers":
        y = 2.0 * X[:, 0] - X[:, 1] + noise
    else:
        y = np.array(["low", "mid", "top"])[np.digitize(X[:, 0] + X[:, 1] / 2 + noise, [2, 4])]
        y = y if target == "three classes" else np.where(y == "low", "low", "top")
    return X, y, rng.choice([0.5, 1.0, 2.0], n)


def preorder(t):
    return [t, *preorder(t["left"]), *preorder(t["right"])] if "left" in t else [t]


def assert_same_tree(fast, plain, classes=None):
    """Node for node: the questions exactly, the numbers but for rounding."""
    nodes = preorder(plain)
    assert fast.node_count == len(nodes)
    assert [t.get("feature", -2) for t in nodes] == fast.feature.tolist()
    assert [t.get("cut", -2.0) for t in nodes] == fast.threshold.tolist()
    assert [t["n"] for t in nodes] == fast.n_node_samples.tolist()
    np.testing.assert_allclose([t["weight"] for t in nodes], fast.weighted_n_node_samples, **CLOSE)
    np.testing.assert_allclose([t["impurity"] for t in nodes], fast.impurity, **CLOSE)
    values = [t["value"] for t in nodes]
    if classes is not None:
        values = in_columns(values, classes)
    np.testing.assert_allclose(values, np.squeeze(fast.value, 1).reshape(np.shape(values)), **CLOSE)


def in_columns(values, classes):
    """Shares of the classes as an array; zeros where there is no value."""
    return np.array([[(value or {}).get(k, 0.0) for k in classes] for value in values])


def lists(*arrays):
    return [None if array is None else array.tolist() for array in arrays]


# --- the bootstrap --------------------------------------------------------------------------


@seeds
def test_replicates_and_their_spread(seed):
    data = np.random.default_rng(seed).integers(0, 9, 20).astype(float)
    rng = np.random.RandomState(seed)
    samples = [rng.randint(20, size=20).tolist() for _ in range(30)]
    for statistic in (np.mean, np.median, np.max):
        fast = bootstrap(statistic, data, n_resamples=30, random_state=seed)
        replicates = plain_bootstrap(statistic, data.tolist(), samples)
        np.testing.assert_allclose(replicates, fast.replicates, **CLOSE)
        assert standard_error(replicates) == pytest.approx(fast.standard_error, rel=1e-12)


@seeds
@pytest.mark.parametrize("target", ["three classes", "numbers"])
def test_estimates_of_the_error(seed, target):
    X, y, _ = table(seed, target)
    rng = np.random.RandomState(seed)
    samples = [rng.randint(len(y), size=len(y)).tolist() for _ in range(6)]
    if target == "numbers":
        tree, settings = treelab.DecisionTreeRegressor(), {"impurity": cart.squared_error}
        settings, how = {"impurity": cart.squared_error}, {"loss": squared_loss}
    else:
        tree, settings, how = treelab.DecisionTreeClassifier(), {}, {}

    def fit(X, y):
        return partial(cart.predict, cart.grow(X, y, **settings))

    fast = bootstrap_error_table(tree, X, y, n_resamples=6, random_state=seed)["error"]
    plain = error_estimates(fit, *lists(X, y), samples, **how)
    assert list(plain) == list(fast.index)
    np.testing.assert_allclose(list(plain.values()), fast, **CLOSE)


# --- bagging and forests --------------------------------------------------------------------


def assert_same_mean(fast, trees, X, classes):
    """Prediction and out-of-bag judgment of an ensemble of trees."""
    rows, samples = X.tolist(), [sample.tolist() for sample in fast.estimators_samples_]
    values = [predict_value(trees, x) for x in rows]
    unseen = out_of_bag(trees, samples, rows)
    if classes is None:
        np.testing.assert_allclose(values, fast.predict(X), **CLOSE)
        found = [0.0 if value is None else value for value in unseen]
        np.testing.assert_allclose(found, fast.oob_prediction_, **CLOSE)
    else:
        np.testing.assert_allclose(in_columns(values, classes), fast.predict_proba(X), **CLOSE)
        assert [answer(value) for value in values] == fast.predict(X).tolist()
        np.testing.assert_allclose(
            in_columns(unseen, classes), fast.oob_decision_function_, **CLOSE
        )
    assert np.mean([value is not None for value in unseen]) == fast.oob_coverage_
    return unseen


@seeds
@weighted
@pytest.mark.parametrize("target", ["two classes", "three classes", "numbers"])
def test_bagging(seed, weighted, target):
    X, y, w = table(seed, target)
    kind, tree, how, loss = CLASSES if target != "numbers" else NUMBERS
    fast = getattr(treelab, f"Bagging{kind}")(
        tree(min_samples_leaf=1 + seed % 2), 6, oob_score=True, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # six members leave some rows without a judge
        fast.fit(X, y, w if weighted else None)
    samples = [sample.tolist() for sample in fast.estimators_samples_]
    trees = bagging(
        *lists(X, y), samples, w.tolist() if weighted else None, min_leaf=1 + seed % 2, **how
    )
    classes = getattr(fast, "classes_", None)
    for member, plain in zip(fast.estimators_, trees, strict=True):
        seen = None if classes is None else classes[member.classes_]
        assert_same_tree(member.tree_, plain, seen)
    unseen = assert_same_mean(fast, trees, X, classes)
    assert None in unseen
    error = out_of_bag_error(unseen, y.tolist(), **loss)
    assert error == pytest.approx(fast.oob_error_path()[-1], rel=1e-12)


CLASSES = ("Classifier", treelab.DecisionTreeClassifier, {}, {})
NUMBERS = (
    "Regressor",
    treelab.DecisionTreeRegressor,
    {"impurity": cart.squared_error},
    {"loss": squared_loss},
)


@seeds
@weighted
@pytest.mark.parametrize("target", ["two classes", "three classes", "numbers"])
@pytest.mark.parametrize("m", [1, 2, 4])
def test_random_forest(seed, weighted, target, m):
    X, y, w = table(seed, target)
    X[:, 3] = 1.0  # a candidate that cannot be cut: the node draws on
    kind, _, how, loss = CLASSES if target != "numbers" else NUMBERS
    fast = getattr(treelab, f"RandomForest{kind}")(
        6, max_features=m, min_samples_leaf=1 + seed % 2, oob_score=True, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fast.fit(X, y, w if weighted else None)
    samples, features = zip(*(draws_of_tree(fast.seed_, b, *X.shape) for b in range(6)))
    assert [sorted(s) for s in samples] == [s.tolist() for s in fast.estimators_samples_]
    trees = random_forest(
        *lists(X, y),
        samples,
        features,
        m,
        w.tolist() if weighted else None,
        min_leaf=1 + seed % 2,
        **how,
    )
    classes = getattr(fast, "classes_", None)
    for tree, plain in zip(fast.trees_, trees, strict=True):
        used = [k for k in range(len(classes)) if tree.value[0, 0, k] > 0] if kind[0] == "C" else 0
        assert_same_tree(tree, plain, classes)
    unseen = assert_same_mean(fast, trees, X, classes)
    error = out_of_bag_error(unseen, y.tolist(), **loss)
    assert error == pytest.approx(fast.oob_error_path()[-1], rel=1e-12)


def draws_of_tree(seed, b, n, p):
    """The sample of tree b, and the order of the features at each of its nodes."""
    rng = member_generator(seed, b)
    rows, copies = draw_sample(rng, n, n)
    return np.repeat(rows, copies).tolist(), lambda: np.argsort(rng.random(p)).tolist()


def test_one_tree_of_a_forest_may_differ_from_bagging_in_size_only_where_copies_count():
    """Two copies are two cases of a bag and one case, of weight 2, of a forest."""
    X, y, sample = [[1], [2], [3]], ["a", "b", "b"], [[0, 0, 1]]
    (bagged,) = bagging(X, y, sample)
    (tree,) = random_forest(X, y, sample, [draw_features(1, seed=0)], 1)
    assert (bagged["n"], tree["n"]) == (3, 2)
    assert bagged["weight"] == tree["weight"] == 3
    assert bagged["value"] == tree["value"] == {"a": 2 / 3, "b": 1 / 3}


def test_mean_of_members_that_know_different_classes():
    assert average([{"a": 1.0}, {"a": 0.5, "b": 0.5}]) == {"a": 0.75, "b": 0.25}
    assert average([1.0, 2.0]) == 1.5
    assert answer({"b": 0.5, "a": 0.5}) == "b"  # the first of equals, and average sorts them
    assert answer(average([{"b": 0.5, "a": 0.5}])) == "a"


# --- AdaBoost -------------------------------------------------------------------------------


@seeds
@weighted
@pytest.mark.parametrize("target", ["two classes", "three classes"])
@pytest.mark.parametrize(("depth", "rate"), [(1, 1.0), (2, 0.5)])
def test_adaboost(seed, weighted, target, depth, rate):
    X, y, w = table(seed, target)
    stump = treelab.DecisionTreeClassifier(max_depth=depth)
    fast = treelab.AdaBoostClassifier(stump, n_estimators=8, learning_rate=rate)
    fast.fit(X, y, w if weighted else None)
    members = adaboost(
        *lists(X, y, w if weighted else None), M=8, learning_rate=rate, max_depth=depth
    )
    assert len(members) == len(fast.estimators_) > 3
    np.testing.assert_allclose([vote for _, vote in members], fast.estimator_weights_, **CLOSE)
    for member, (tree, _) in zip(fast.estimators_, members):
        assert_same_tree(member.tree_, tree, fast.classes_)
    for m, predicted in enumerate(fast.staged_predict(X), 1):
        shares = [vote_shares(members[:m], x) for x in X.tolist()]
        assert [answer(share) for share in shares] == predicted.tolist()
    K = len(fast.classes_)
    scores = in_columns(shares, fast.classes_)
    scores = scores - (1 - scores) / (K - 1)  # a vote for a class is one against the others
    decision = fast.decision_function(X)
    if K == 2:
        decision = np.column_stack([-decision, decision])
    np.testing.assert_allclose(scores, decision, **CLOSE)
