"""Random forests: tree by tree against single trees, and every attribute by its definition."""

import tracemalloc

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from treelab import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast.bagging import forest as forest_module

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
SUGAR, PROGRESS = (part[:150] for part in load_diabetes(return_X_y=True))
BOTH = [(RandomForestClassifier, IRIS, NAMES), (RandomForestRegressor, SUGAR, PROGRESS)]
both = pytest.mark.parametrize(("kind", "X", "y"), BOTH, ids=["classes", "numbers"])


def same_trees(one, other):
    assert len(one.trees_) == len(other.trees_)
    return all(a.equals(b) for a, b in zip(one.trees_, other.trees_))


# --- the trees ------------------------------------------------------------------------------


def test_parameters_reach_the_trees():
    forest = RandomForestClassifier(
        8, criterion="entropy", max_depth=3, min_samples_leaf=4, max_samples=60, random_state=0
    ).fit(IRIS, SPECIES)
    for tree in forest.trees_:
        assert tree.criterion == "entropy"
        assert tree.max_depth <= 3
        assert tree.n_node_samples[tree.is_leaf].min() >= 4
        assert tree.weighted_n_node_samples[0] == 60
    pruned = RandomForestClassifier(8, ccp_alpha=0.02, random_state=0).fit(IRIS, SPECIES)
    whole = RandomForestClassifier(8, random_state=0).fit(IRIS, SPECIES)
    for small, large in zip(pruned.trees_, whole.trees_):
        assert small.equals(forest_module.prune(large, 0.02))
    assert sum(t.n_leaves for t in pruned.trees_) < sum(t.n_leaves for t in whole.trees_)
    for max_features, m in (("sqrt", 2), (None, 4), (3, 3), (0.3, 1)):
        forest = RandomForestClassifier(1, max_features=max_features).fit(IRIS, SPECIES)
        assert forest.max_features_ == m
    assert RandomForestRegressor(1).fit(SUGAR, PROGRESS).max_features_ == 10


def test_levels_of_a_frame():
    rng = np.random.default_rng(0)
    color = rng.choice(list("rgby"), 80)
    frame = pd.DataFrame({"size": rng.normal(size=80), "color": pd.Categorical(color)})
    y = np.isin(color, ["g", "y"]).astype(int)
    forest = RandomForestClassifier(10, max_features=1, random_state=0).fit(frame, y)
    np.testing.assert_array_equal(forest.predict(frame), y)
    assert any(np.isnan(tree.threshold).any() for tree in forest.trees_)
    np.testing.assert_array_equal(
        forest.estimators_[0].predict(frame), forest.predict_trees(frame)[:, 0]
    )


# --- workers, chunks, warm starts -----------------------------------------------------------


@both
def test_workers_change_no_bit(kind, X, y):
    here = kind(9, max_features=2, random_state=3).fit(X, y)
    with joblib.parallel_backend("threading"):
        there = kind(9, max_features=2, random_state=3, n_jobs=2).fit(X, y)
        predicted = there.predict(X)
    assert same_trees(here, there)
    np.testing.assert_array_equal(predicted, here.predict(X))


@both
def test_warm_start_gives_the_forest_of_one_fit(kind, X, y):
    whole = kind(40, max_features=2, oob_score=True, random_state=0).fit(X, y)
    warm = kind(15, max_features=2, oob_score=False, random_state=0, warm_start=True).fit(X, y)
    first = warm.trees_
    warm.set_params(n_estimators=40, oob_score=True).fit(X, y)
    assert all(a is b for a, b in zip(first, warm.trees_))
    assert same_trees(warm, whole)
    np.testing.assert_array_equal(warm.oob_error_path(), whole.oob_error_path())
    np.testing.assert_array_equal(warm.estimators_samples_, whole.estimators_samples_)
    again = warm.fit(X, y)  # nothing to add
    assert same_trees(again, whole)


def test_bar_is_shown_on_request(capsys):
    RandomForestClassifier(3).fit(IRIS, SPECIES)
    assert capsys.readouterr() == ("", "")
    RandomForestClassifier(3, verbose=1).fit(IRIS, SPECIES)
    out, err = capsys.readouterr()
    assert out == ""
    assert "3/3" in err
    assert "trees" in err


def test_memory_is_that_of_a_chunk_and_the_trees(monkeypatch):
    """Growing 120 trees holds no more than growing 30, but for the trees themselves."""
    monkeypatch.setattr(forest_module, "PLACES", 10_000)  # ten trees to a chunk
    X = np.random.default_rng(0).normal(size=(1000, 3))
    y = X[:, 0] + np.random.default_rng(1).normal(size=1000)
    passing = []
    for B in (30, 120):
        forest = RandomForestRegressor(B, max_features=2, min_samples_leaf=20, random_state=0)
        forest.fit(X, y)  # what is made once is made now
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        again = RandomForestRegressor(B, max_features=2, min_samples_leaf=20, random_state=0)
        again.fit(X, y)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept > before
        passing.append(peak - kept)
    assert passing[1] < 1.3 * passing[0]


# --- predictions -----------------------------------------------------------------------------


def test_variance_of_the_prediction():
    forest = RandomForestRegressor(9, max_features=3, random_state=0).fit(SUGAR, PROGRESS)
    each = np.column_stack([model.predict(SUGAR) for model in forest.estimators_])
    np.testing.assert_allclose(forest.predict_trees(SUGAR), each, rtol=1e-12)
    mean = each.mean(axis=1)
    np.testing.assert_allclose(forest.predict(SUGAR), mean, rtol=1e-12)
    expected = ((each - mean[:, None]) ** 2).mean(axis=1)
    np.testing.assert_allclose(forest.prediction_variance(SUGAR), expected, rtol=1e-9)


@both
def test_estimators_are_working_estimators(kind, X, y):
    forest = kind(3, max_features=2, max_depth=3, random_state=0).fit(X, y)
    kinds = {RandomForestClassifier: DecisionTreeClassifier}
    for model, tree in zip(forest.estimators_, forest.trees_):
        assert type(model) is kinds.get(kind, DecisionTreeRegressor)
        assert model.tree_ is tree
        assert (model.max_depth, model.max_features, model.n_features_in_) == (3, 2, X.shape[1])
        assert model.get_depth() == tree.max_depth
        assert len(model.export_text().splitlines()) > 2
        assert model.score(X, y) > 0


def test_trees_without_a_split_have_no_importance():
    """As in scikit-learn, they do not count in the mean either."""
    y = np.zeros(30)
    y[0] = 1
    forest = RandomForestRegressor(20, random_state=0).fit(SUGAR[:30], y)
    assert {tree.node_count for tree in forest.trees_} >= {1, 3}
    assert forest.feature_importances_.sum() == pytest.approx(1)
    none = RandomForestRegressor(3).fit(SUGAR[:30], np.ones(30))
    assert none.feature_importances_.tolist() == [0] * 10


# --- out of bag ------------------------------------------------------------------------------


def test_rows_of_weight_zero_are_never_drawn():
    weight = np.ones(150)
    weight[:50] = 0
    forest = RandomForestClassifier(20, oob_score=True, random_state=0)
    forest.fit(IRIS, SPECIES, sample_weight=weight)
    assert all(rows.min() >= 50 for rows in forest.estimators_samples_)
    assert all(len(rows) == 100 for rows in forest.estimators_samples_)
    np.testing.assert_allclose(
        forest.oob_decision_function_[:50], forest.predict_proba(IRIS[:50]), rtol=1e-12
    )


# --- proximity -------------------------------------------------------------------------------
