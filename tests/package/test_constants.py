"""What texts promise in numbers, and which objects cannot be changed once they are made."""

import dataclasses
import importlib
import inspect
import pkgutil

import numpy as np
import pytest
from cases import each
from sklearn.base import BaseEstimator

import treelab
from treelab import DecisionTreeClassifier
from treelab.fast.growing import categories
from treelab.fast.importance import mutual_information_decomposition

# What is filled or sorted in place while a tree or a round is made; all others are values, and
# estimators, whose parameters can be set.
MAY_CHANGE = {
    "fast.boosting.rounds.Cases",
    "fast.c45.growing.Draft",
    "fast.growing.splits.BestSplits",
}


def data_classes():
    for info in pkgutil.walk_packages(treelab.__path__, "treelab."):
        for name, thing in vars(importlib.import_module(info.name)).items():
            own = inspect.isclass(thing) and thing.__module__ == info.name
            if own and dataclasses.is_dataclass(thing) and not issubclass(thing, BaseEstimator):
                yield f"{info.name.removeprefix('treelab.')}.{name}", thing


@each(("name", "kind"), list(data_classes()))
def test_values_cannot_be_changed(name, kind):
    assert kind.__dataclass_params__.frozen == (name not in MAY_CHANGE)


def best_of_all_subsets(x, y, n_levels):
    """The largest gain in Gini impurity over all ways to deal the levels to two sides."""
    counts = np.zeros((n_levels, y.max() + 1))
    np.add.at(counts, (x, y), 1)
    side = (np.arange(1, 2 ** (n_levels - 1))[:, None] >> np.arange(n_levels)) & 1
    left = side @ counts
    right = counts.sum(axis=0) - left

    def impurity(sums):
        n = sums.sum(axis=1)
        return n - (sums**2).sum(axis=1) / np.maximum(n, 1)

    whole = impurity(counts.sum(axis=0)[None])[0]
    return (whole - impurity(left) - impurity(right)).max() / len(y)


@each("seed", range(8))
@each("n_levels", [3, 9, 10])
def test_up_to_ten_levels_no_subset_is_better(n_levels, seed):
    rng = np.random.default_rng(seed)
    x, y = np.tile(np.arange(n_levels), 12), rng.integers(0, 4, 12 * n_levels)
    model = DecisionTreeClassifier(max_depth=1, categorical_features=[0]).fit(x[:, None], y)
    tree = model.tree_
    share = tree.weighted_n_node_samples / len(y)
    gain = tree.impurity[0] - share[1:] @ tree.impurity[1:]
    assert gain == pytest.approx(best_of_all_subsets(x, y, n_levels), rel=1e-12)


def test_the_number_of_levels_is_the_one_that_is_told():
    assert "up to ten categories" in " ".join(categories.__doc__.split())
    assert categories.EXHAUSTIVE_LEVELS == 10


def test_the_number_of_features_that_is_too_many_is_named():
    rows = np.random.default_rng(0).integers(0, 2, (20, 16))
    with pytest.raises(ValueError, match="X has 16 features; all subsets of more than 15 are many"):
        mutual_information_decomposition(rows, rows[:, 0])
