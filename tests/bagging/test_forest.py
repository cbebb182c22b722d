"""Random forests: tree by tree against single trees, and every attribute by its definition."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from treelab import (
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
    member = forest.estimators_[0]
    assert (type(member), member.max_features) == (DecisionTreeRegressor, 3)


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
