"""What texts promise in numbers, and which objects cannot be changed once they are made."""

import dataclasses
import importlib
import inspect

from cases import each, modules
from sklearn.base import BaseEstimator

from treelab.fast.growing import categories

# What is filled or sorted in place while a tree or a round is made; all others are values, and
# estimators, whose parameters can be set.
MAY_CHANGE = {
    "fast.boosting.rounds.Cases",
    "fast.c45.growing.Draft",
    "fast.growing.splits.BestSplits",
}


def data_classes():
    for module in modules():
        for name, thing in vars(importlib.import_module(module)).items():
            own = inspect.isclass(thing) and thing.__module__ == module
            if own and dataclasses.is_dataclass(thing) and not issubclass(thing, BaseEstimator):
                yield f"{module.removeprefix('treelab.')}.{name}", thing


@each(("name", "kind"), list(data_classes()))
def test_values_cannot_be_changed(name, kind):
    assert kind.__dataclass_params__.frozen == (name not in MAY_CHANGE)


def test_the_number_of_levels_is_the_one_that_is_told():
    assert "up to ten categories" in " ".join(categories.__doc__.split())
    assert categories.EXHAUSTIVE_LEVELS == 10
