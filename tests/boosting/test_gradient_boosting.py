"""Gradient boosting: what must hold of any fit; beside others in test_boosting_oracles.py."""

import numpy as np
import pandas as pd
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_friedman1

from treelab import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    datasets,
)
from treelab.fast.boosting import residual_table
from treelab.fast.boosting.losses import Loss, SquaredError
from treelab.fast.growing import Limits, grow, grow_and_place
from treelab.fast.growing.best_first import BestFirst
from treelab.fast.growing.training_data import Columns, Targets
from treelab.figures.intervals import interval_candidates, interval_table

X, Y = make_friedman1(120, 5, noise=1.0, random_state=0)
K2, K3 = (Y > 14).astype(int), np.digitize(Y, [12, 16])


@each("split_search", ["exact", "histogram"])
@each(
    ("kind", "y", "parameters"),
    [
        (GradientBoostingRegressor, Y, {"loss": "huber", "subsample": 0.5}),
        (GradientBoostingRegressor, Y, {"max_leaf_nodes": 5, "max_depth": None}),
        (GradientBoostingClassifier, K2, {"subsample": 0.7, "max_features": 2}),
        (GradientBoostingClassifier, K3, {"step": "line"}),
    ],
)
def test_scores_of_the_fit_are_those_of_prediction(kind, y, parameters, split_search):
    """Growth moves its rows by the leaves it knows; prediction walks down the trees."""
    model = kind(n_estimators=4, random_state=0, split_search=split_search, **parameters)
    model.fit(X, y)
    table = residual_table(model, X, y)
    assert len(table) == 4 * len(X) * (3 if y is K3 else 1)
    final = table[table["round"] == 4]["after"].to_numpy()
    np.testing.assert_array_equal(final, model._scores(X).ravel())
    np.testing.assert_allclose(table["after"], table["before"] + table["step"], rtol=1e-12)
    if "subsample" not in parameters:
        F = model._scores(X)
        assert model.train_score_[-1] == pytest.approx(model._loss.value(y, F))
    again = kind(n_estimators=4, random_state=0, split_search=split_search, **parameters)
    np.testing.assert_array_equal(again.fit(X, y).predict(X), model.predict(X))


def test_residual_table_names_the_classes():
    labels = np.array(["low", "mid", "high"])[K3]
    model = GradientBoostingClassifier(n_estimators=2).fit(X, labels)
    table = residual_table(model, X, labels)
    assert table["class"].tolist()[:3] == ["high", "low", "mid"]
    rows = table[(table["round"] == 1) & (table["case"] == 4)]
    share = np.array([(labels == c).mean() for c in model.classes_])
    np.testing.assert_allclose(rows["residual"], (model.classes_ == labels[4]) - share)
    np.testing.assert_allclose(table.groupby(["round", "case"])["residual"].sum(), 0, atol=1e-12)
    leaves = table[table["class"] == "mid"]["leaf"].to_numpy().reshape(2, -1)
    np.testing.assert_array_equal(leaves.T, model.apply(X)[:, :, 2])
    p = model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
    np.testing.assert_allclose(model.predict_log_proba(X), np.log(p))


def test_warm_start_is_the_longer_fit():
    for parameters in ({}, {"subsample": 0.5, "max_features": 2}):
        whole = GradientBoostingRegressor(n_estimators=9, random_state=1, **parameters).fit(X, Y)
        part = GradientBoostingRegressor(
            n_estimators=4, random_state=1, warm_start=True, **parameters
        ).fit(X, Y)
        part.set_params(n_estimators=9).fit(X, Y)
        np.testing.assert_array_equal(part.predict(X), whole.predict(X))
        np.testing.assert_allclose(part.train_score_, whole.train_score_)
        part.fit(X, Y)
        assert len(part.trees_) == part.n_estimators_ == len(part.train_score_) == 9
        if "subsample" in parameters:
            np.testing.assert_allclose(part.oob_improvement_, whole.oob_improvement_)
    part.set_params(warm_start=False, subsample=1.0, n_estimators=2, init="zero").fit(X, Y)
    assert len(part.trees_) == 2
    assert not hasattr(part, "oob_scores_")
    assert not hasattr(part, "start_")
    part.set_params(warm_start=True, subsample=0.5, n_estimators=4).fit(X, Y)
    assert np.isnan(part.oob_improvement_).tolist() == [True, True, True, False]


def test_one_class_one_row_and_constant_targets():
    one = GradientBoostingClassifier(n_estimators=3).fit(X, ["a"] * len(X))
    assert one.predict(X[:2]).tolist() == ["a", "a"]
    assert one.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]
    row = GradientBoostingRegressor(n_estimators=3, subsample=0.5).fit([[1.0]], [7.0])
    assert row.predict([[5.0]]).tolist() == [7.0]
    assert np.isnan(row.oob_scores_).all()
    flat = GradientBoostingRegressor(n_estimators=3, loss="absolute_error").fit(X, np.full(120, 2))
    assert flat.predict(X[:3]).tolist() == [2, 2, 2]
    assert flat.feature_importances_.tolist() == [0] * 5


def test_separable_classes_stay_finite():
    x = np.arange(20.0)[:, None]
    for loss in ("log_loss", "exponential"):
        model = GradientBoostingClassifier(n_estimators=300, learning_rate=1.0, loss=loss)
        p = model.fit(x, x[:, 0] > 9).predict_proba(x)
        assert np.isfinite(model.decision_function(x)).all()
        np.testing.assert_allclose(p[:, 1], x[:, 0] > 9, atol=1e-6)


def test_categories_are_grouped_by_their_mean_residual():
    frame = pd.DataFrame({"c": pd.Categorical(list("abcd") * 6), "x": np.arange(24.0)})
    y = frame["c"].isin(["a", "c"]).astype(float) * 3
    model = GradientBoostingRegressor(n_estimators=1, max_depth=1, learning_rate=1.0).fit(frame, y)
    np.testing.assert_allclose(model.predict(frame), y)
    tree = model.estimators_[0, 0]
    assert isinstance(tree, DecisionTreeRegressor)
    assert "c in {a, c}" in tree.export_text() or "c in {b, d}" in tree.export_text()
    bins = GradientBoostingRegressor(
        n_estimators=1, max_depth=1, learning_rate=1.0, split_search="histogram"
    ).fit(frame, y)
    np.testing.assert_allclose(bins.predict(frame), y)


def test_line_step_is_the_leaf_step_for_squared_error_and_not_for_others():
    for loss in ("squared_error", "absolute_error"):
        leaf, line = (
            GradientBoostingRegressor(n_estimators=3, loss=loss, step=step).fit(X, Y)
            for step in ("leaf", "line")
        )
        assert np.allclose(leaf.predict(X), line.predict(X)) == (loss == "squared_error")
    (tree,) = line.trees_[0]
    values = np.abs(tree.value[tree.is_leaf, 0, 0])
    F = np.full(len(X), line.start_)
    residual = line._loss.negative_gradient(Y, F)
    means = [np.mean(residual[tree.apply(X) == t]) for t in np.flatnonzero(tree.is_leaf)]
    ratio = values / np.abs(means)
    np.testing.assert_allclose(ratio, ratio[0])  # one multiple for all leaves


def test_a_loss_of_the_readers_own():
    class Squared(Loss):
        """Half the squared error, without its formulas."""

        def each(self, y, F):
            return (y - F) ** 2 / 2

        def negative_gradient(self, y, F):
            return y - F

    mine = GradientBoostingRegressor(n_estimators=4, loss=Squared()).fit(X, Y)
    known = GradientBoostingRegressor(n_estimators=4, loss=SquaredError()).fit(X, Y)
    np.testing.assert_allclose(mine.predict(X), known.predict(X), atol=1e-5)
    np.testing.assert_allclose(2 * mine.train_score_, known.train_score_)


@pytest.mark.parametrize("split_search", ["exact", "histogram"])
def test_leaf_steps_of_squared_error_and_of_what_derives_from_it(split_search):
    """The first come from the tree, the second from the loss."""

    class Half(SquaredError):
        def leaf_values(self, *cases):
            return super().leaf_values(*cases) / 2

    class Same(SquaredError):
        pass

    X, y = make_friedman1(200, random_state=1)
    w = np.random.default_rng(0).uniform(0.5, 2, 200)
    common = {"n_estimators": 5, "split_search": split_search, "random_state": 0}
    plain, same = (
        GradientBoostingRegressor(loss=loss, **common).fit(X, y, w)
        for loss in ("squared_error", Same())
    )
    np.testing.assert_allclose(plain.predict(X), same.predict(X), rtol=1e-12)
    half = GradientBoostingRegressor(loss=Half(), learning_rate=0.2, **common).fit(X, y, w)
    np.testing.assert_allclose(half.predict(X), plain.predict(X), rtol=1e-12)


def test_histograms_with_room_for_every_value_grow_the_same_trees():
    exact, bins = (
        GradientBoostingClassifier(n_estimators=5, split_search=s).fit(X, K3)
        for s in ("exact", "histogram")
    )
    for mine, other in zip(exact.trees_, bins.trees_, strict=True):
        assert all(a.equals(b) for a, b in zip(mine, other, strict=True))
    few = GradientBoostingRegressor(split_search="histogram", max_bins=4, n_estimators=30).fit(X, Y)
    cuts = {(t.feature[0], t.threshold[0]) for (t,) in few.trees_}
    assert max(sum(f == j for f, _ in cuts) for j in range(5)) <= 3


# --- best first ----------------------------------------------------------------------


def plain_best_first(columns, targets, limits, n_leaves):
    """Split the leaf with the largest gain, again and again, in the full tree."""
    (tree,) = grow(columns, targets, limits)
    R = tree.weighted_n_node_samples * tree.impurity
    leaves, split = [0], set()
    while len(leaves) < n_leaves:
        gains = {
            t: R[t] - R[tree.children_left[t]] - R[tree.children_right[t]]
            for t in leaves
            if not tree.is_leaf[t]
        }
        if not gains:
            break
        t = max(gains, key=gains.get)
        leaves.remove(t)
        leaves += [int(tree.children_left[t]), int(tree.children_right[t])]
        split.add(t)
    closed = [t for t in range(tree.node_count) if t not in split]
    return tree.collapse(closed)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), n_leaves=st.integers(2, 12), depth=st.sampled_from([2, 3, 99]))
def test_best_first_growth_is_the_plain_game(seed, n_leaves, depth):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    columns, targets = Columns.of(x, [0] * 3), Targets.of(y, np.ones(30), "squared_error")
    expected = plain_best_first(columns, targets, Limits(max_depth=depth), n_leaves)
    limits = Limits(max_depth=depth, max_leaf_nodes=n_leaves)
    (tree,), leaf = grow_and_place(columns, targets, limits)
    assert tree.equals(expected)
    np.testing.assert_array_equal(leaf, tree.apply(x))
    several = grow(columns, targets, limits, [(np.arange(30), None), (np.arange(20), None)])
    assert several[0].equals(expected)
    alone = grow(columns, targets, limits, [(np.arange(20), None)])[0]
    assert several[1].equals(alone)


def test_of_equal_gains_the_smaller_number_is_split_first():
    game = BestFirst(3)
    game.add(np.array([0]), np.array([-1]), np.array([4.0]))
    again = game.add(np.array([0, 0]), np.array([0, 0]), np.array([2.0, 2.0]))
    assert again.tolist() == [True, False]
    nothing = BestFirst(5).add(np.array([0]), np.array([-1]), np.array([-np.inf]))
    assert nothing.tolist() == [False]


# --- intervals -----------------------------------------------------------------------


def test_intervals_by_brute_force():
    frame, y = datasets.load_bike_demand(return_X_y=True)
    x, residual = frame["temp"].to_numpy(), (y - y.mean()).to_numpy()
    table = interval_candidates(x, residual)
    assert len(table) == 45
    assert table["sse"].is_monotonic_increasing
    for low, high, sse in table.to_numpy():
        inside = (x >= low) & (x <= high)
        assert 0 < inside.sum() < len(x)
        left = sum(np.sum((residual[s] - residual[s].mean()) ** 2) for s in (inside, ~inside))
        assert sse == pytest.approx(left)
    half = interval_table(x, y, n_rounds=2, learning_rate=0.5)
    first = half[half["round"] == 1]
    assert first["low"].iloc[0] == table["low"][0]
    means = np.array([first.loc[first["inside"] == s, "residual"].mean() for s in (False, True)])
    np.testing.assert_allclose(first["step"], 0.5 * means[first["inside"].astype(int)])
