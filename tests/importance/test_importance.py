"""Importance from the splits, and a model as a list of trees."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble as their_ensembles
import sklearn.tree as their_trees
from fitted_models import NUMBERS, X, every_model, output_of
from places import DATA

import treelab
from treelab.fast.importance import (
    impurity_decreases,
    mean_decrease_impurity,
    parts_of,
    squared_improvement,
)


@every_model
def test_the_parts_add_up_to_the_model(model):
    parts = parts_of(model)
    if parts.output is None:
        with pytest.raises(TypeError, match="median"):
            parts.check_sum("this")
        return
    tables = parts.read(X)
    steps = [p.steps[p.tree.apply(t)] for p, t in zip(parts.trees, tables, strict=True)]
    total = parts.squeeze(parts.start + np.sum(steps, axis=0))
    np.testing.assert_allclose(total, output_of(model), rtol=0, atol=1e-11)


@every_model
def test_mean_decrease_in_impurity_is_the_models_own(model):
    if "Bagging" in type(model).__name__:  # has none of its own
        expected = np.mean([member.feature_importances_ for member in model.estimators_], axis=0)
    else:
        expected = model.feature_importances_
    normalize = "total" if "Gradient" in type(model).__name__ else "tree"
    found = mean_decrease_impurity(model, normalize=normalize)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("module", [treelab, their_trees])
def test_single_leaves_say_nothing(module):
    model = module.DecisionTreeClassifier().fit(X, np.zeros(len(X), dtype=int))
    for normalize in ("total", "tree", None):
        assert mean_decrease_impurity(model, normalize=normalize).tolist() == [0] * 6
    assert squared_improvement(model).tolist() == [0] * 6


@pytest.mark.parametrize("module", [treelab, their_ensembles])
def test_single_leaves_do_not_dilute_the_mean_of_the_trees(module):
    """As in scikit-learn, they do not count in the forest's own mean either."""
    y = np.r_[np.zeros(239), 1.0]  # a third of the samples miss the one row
    model = module.RandomForestRegressor(20, random_state=0).fit(X, y)
    sizes = [member.tree_.node_count for member in model.estimators_]
    assert min(sizes) == 1
    found = mean_decrease_impurity(model, normalize="tree")
    np.testing.assert_allclose(found, model.feature_importances_, rtol=0, atol=1e-12)
    assert found.sum() == pytest.approx(1)
    raw = mean_decrease_impurity(model, normalize=None)
    np.testing.assert_allclose(raw, impurity_decreases(model).mean(axis=0))
    assert model.fit(X, np.ones(240)).feature_importances_.tolist() == [0] * 6


def test_categorical_splits_count():
    frame = pd.DataFrame({"a": list("xyzw") * 5, "b": np.arange(20) % 3})
    model = treelab.DecisionTreeRegressor(categorical_features=["a"])
    model.fit(frame, [0, 9, 0, 9] * 5)
    assert mean_decrease_impurity(model).tolist() == [1, 0]
    assert parts_of(model).names == ["a", "b"]


def test_columns_of_bagged_members_are_found_again():
    bag = their_ensembles.BaggingRegressor(
        their_trees.DecisionTreeRegressor(max_depth=1), 6, max_features=2, random_state=0
    ).fit(X, NUMBERS)
    used = impurity_decreases(bag) > 0
    for row, member, columns in zip(used, bag.estimators_, bag.estimators_features_, strict=True):
        assert np.flatnonzero(row).tolist() == [columns[member.tree_.feature[0]]]


# --- Friedman's measure, and two slips ---------------------------------------------------


@pytest.mark.parametrize("setting", ["depth1_min1_lr0.1", "depth1_min1_lr1", "depth1_min10_lr0.1"])
def test_influence_in_r_is_the_sum_of_the_improvements(setting):
    """gbm sums the improvements of its 50 stumps and takes no root; Friedman takes their mean's."""
    path = DATA / "gbm" / "airquality_cc__gaussian.json.gz"
    fit = json.loads(gzip.decompress(path.read_bytes()))["results"][setting]
    frame = pd.read_csv(DATA / "rpart" / "airquality_cc.csv")
    y = frame.pop("Ozone")
    model = treelab.GradientBoostingRegressor(
        n_estimators=50,
        learning_rate=fit["shrinkage"],
        max_depth=1,
        min_samples_leaf=fit["n_minobsinnode"],
        random_state=0,
    ).fit(frame, y)
    theirs = np.array([fit["relative_influence"][name] for name in frame.columns])
    found = squared_improvement(model, squared=True, relative=False)
    np.testing.assert_allclose(50 * found, theirs, rtol=1e-9)
    np.testing.assert_allclose(
        squared_improvement(model), 100 * np.sqrt(theirs / theirs.max()), rtol=1e-9
    )
