"""How much is computed at a time changes the speed and nothing else.

Large tables are gone through in blocks, so that they stay in the processor's cache or in memory.
Whatever the size of a block, down to a single row, the results are equal to the last bit.
"""

import importlib

import numpy as np
import pytest
from cases import each

from treelab import (
    C45Classifier,
    DecisionTreeClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast.bagging import forest as forest_module
from treelab.fast.growing import by_depth, histograms
from treelab.fast.importance import oob_permutation_importance as by_trees
from treelab.fast.importance import out_of_bag, permutation_importance, replay, shap_values, shapley
from treelab.fast.tree import tree

pytestmark = pytest.mark.filterwarnings("ignore:.*no out-of-bag prediction")
offers = importlib.import_module("treelab.fast.c45.gain_ratio")
RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=(90, 3)), RNG.integers(0, 3, (90, 2))])
CLASS = np.digitize(X[:, 0] + X[:, 3] + RNG.normal(size=90), [0.5, 2])
NUMBER = X[:, 0] * X[:, 3] + RNG.normal(size=90)
FOREST = RandomForestRegressor(4, random_state=0).fit(X, NUMBER)


def a_tree():
    model = DecisionTreeClassifier(categorical_features=[3, 4]).fit(X, CLASS)
    return model.tree_.threshold, model.tree_.value, model.tree_.apply(X)


def a_forest():
    model = RandomForestClassifier(5, random_state=0, oob_score=True, ccp_alpha=0.01).fit(X, CLASS)
    return model.predict_proba(X), model.oob_score_, model.apply(X), model.feature_importances_


def boosting():
    model = GradientBoostingRegressor(n_estimators=5, split_search="histogram").fit(X, NUMBER)
    return model.predict(X), model.estimators_[4, 0].tree_.threshold


def c45():
    model = C45Classifier(pruning=None).fit(X, CLASS)
    return model.predict_proba(X), model.tree_.sums


def permuted():
    return [permutation_importance(FOREST, X, NUMBER, n_repeats=5, random_state=0).importances]


def permuted_out_of_bag():
    return [by_trees(FOREST, X, NUMBER, n_repeats=3, random_state=0).per_tree]


def explained():
    return list(shap_values(FOREST, X).values())


BLOCKS = {
    "cells of a search": (by_depth, "CELLS", a_tree),
    "cells of a search in a forest": (by_depth, "CELLS", a_forest),
    "rows that walk down a tree": (tree, "BLOCK", a_tree),
    "rows of a chunk of trees": (forest_module, "PLACES", a_forest),
    "rows that a forest predicts": (forest_module, "BLOCK", a_forest),
    "cells of tables of bins": (histograms, "CELLS", boosting),
    "sums of classes": (offers, "CELLS", c45),
    "shuffled rows that walk together": (replay, "PLACES", permuted),
    "shuffled rows of one tree": (out_of_bag, "BLOCK", permuted_out_of_bag),
    "rows that are explained": (shapley, "BLOCK", explained),
    "factors of the explanation": (shapley, "CELLS", explained),
}


@each("size", [1, 7, 100, 1 << 40])
@each("name", BLOCKS)
def test_the_size_of_a_block_does_not_matter(name, size, monkeypatch):
    module, constant, compute = BLOCKS[name]
    expected = compute()
    monkeypatch.setattr(module, constant, size)
    found = compute()
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("size", "calls"), [(1, 5), (90, 5), (180, 3), (449, 2), (450, 1)])
def test_as_many_repeats_walk_together_as_there_is_room_for(size, calls, monkeypatch):
    """And one at least, however many rows the table has."""
    together, answers = [], replay.Replay._outputs

    def spy(self, group, sources):
        together.append(len(sources))
        return answers(self, group, sources)

    monkeypatch.setattr(replay.Replay, "_outputs", spy)
    monkeypatch.setattr(replay, "PLACES", size)
    permutation_importance(FOREST, X, NUMBER, n_repeats=5, random_state=0, groups=[[0]])
    assert len(together) == calls
    assert sum(together) == 5
