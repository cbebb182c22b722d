"""Shares of rows and of columns: how many they are, down to the smallest."""

import numpy as np
import pytest
from cases import each

import treelab

N, P = 30, 5
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(N, P)), RNG.normal(size=N)
SHARES = [1e-9, 0.01, 0.033, 0.034, 0.05, 0.0667, 0.2, 0.5, 0.99, 1.0]
FORESTS = ["BaggingRegressor", "BaggingClassifier", "RandomForestRegressor",
           "RandomForestClassifier"]  # fmt: skip


def target(name):
    return Y > 0 if name.endswith("Classifier") else Y


@each("share", SHARES)
@each("name", ["GradientBoostingRegressor", "GradientBoostingClassifier"])
def test_a_bag_is_the_share_rounded_down_and_one_row_at_least(name, share):
    model = getattr(treelab, name)(n_estimators=4, subsample=share, random_state=0)
    trees = [member.tree_ for member in np.ravel(model.fit(X, target(name)).estimators_)]
    assert [tree.n_node_samples[0] for tree in trees] == [max(1, int(share * N))] * 4


@each("size", [*SHARES, 1, 2, N - 1, N])
@each("name", FORESTS)
def test_a_bootstrap_sample_is_the_share_rounded_or_the_number_itself(name, size):
    model = getattr(treelab, name)(n_estimators=2, max_samples=size, random_state=0)
    samples = model.fit(X, target(name)).estimators_samples_
    rows = size if isinstance(size, int) else max(1, round(size * N))
    assert [len(sample) for sample in samples] == [rows] * 2


FEATURES = [(None, P), ("sqrt", 2), ("log2", 2), (1, 1), (3, 3), (P, P), (1.0, P), (0.01, 1),
            (0.2, 1), (0.399, 1), (0.4, 2), (0.99, 4)]  # fmt: skip


@each(("asked", "number"), FEATURES)
@each("name", ["DecisionTreeRegressor", "RandomForestClassifier",
                                  "GradientBoostingRegressor"])  # fmt: skip
def test_columns_tried_are_the_share_rounded_down_and_one_at_least(name, asked, number):
    few = {} if "Tree" in name else {"n_estimators": 1}
    model = getattr(treelab, name)(max_features=asked, random_state=0, **few)
    assert model.fit(X, target(name)).max_features_ == number
    if isinstance(asked, str):
        assert model.fit(X[:, :1], target(name)).max_features_ == 1


@each("asked", [0, -1, P + 1, 0.0, -0.5, 1.01, True, "all", [2]])
def test_other_numbers_of_columns_are_refused(asked):
    with pytest.raises(ValueError, match=f"max_features must be a whole number from 1 to {P}"):
        treelab.DecisionTreeRegressor(max_features=asked).fit(X, Y)


def test_a_node_tries_no_more_columns_than_asked():
    """With one column tried at each node, the root of many seeds tests every column."""
    roots = []
    for seed in range(60):
        model = treelab.DecisionTreeRegressor(max_features=1, max_depth=1, random_state=seed)
        roots.append(int(model.fit(X, Y).tree_.feature[0]))
    assert set(roots) == set(range(P))
    assert max(np.bincount(roots)) < 30
