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
from treelab.fast.growing import categories
from treelab.figures.totally_randomized_trees import mutual_information_decomposition

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


def test_the_number_of_levels_is_the_one_that_is_told():
    assert "up to ten categories" in " ".join(categories.__doc__.split())
    assert categories.EXHAUSTIVE_LEVELS == 10


def test_the_number_of_features_that_is_too_many_is_named():
    rows = np.random.default_rng(0).integers(0, 2, (20, 16))
    with pytest.raises(ValueError, match="X has 16 features; all subsets of more than 15 are many"):
        mutual_information_decomposition(rows, rows[:, 0])
