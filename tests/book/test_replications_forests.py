"""The tables that chapter 9 loads: each script gives a part of its table again."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from places import ROOT

FOLDER = ROOT / "notebooks" / "replications"


def script(name):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("forest_intervals", "one_set"),
        ("random_thresholds", "one_split"),
        ("once_for_a_tree", "one_set"),
    ],
)
def test_a_part_of_the_table_is_made_again(name, function):
    table = pd.read_csv(FOLDER / f"{name}.csv")
    number = table.columns[0]
    assert sorted(table[number].unique()) == list(range(20))
    again = getattr(script(name), function)(3)
    committed = table[table[number] == 3].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, committed, rtol=0, atol=1e-6, check_dtype=False)


def test_weights_and_quantiles_by_hand():
    intervals = script("forest_intervals")

    class Forest:
        estimators_samples_ = (np.array([0, 0, 1]), np.array([0, 2]))
        trees_ = (None, None)

        def apply(self, X):
            return np.zeros((len(X), 2), dtype=int)

    weight = intervals.weights(Forest(), np.zeros((3, 1)), np.zeros((1, 1)))
    assert weight == pytest.approx(np.array([[7 / 12, 1 / 6, 1 / 4]]))
    y = np.array([10.0, 40.0, 70.0])
    found = [intervals.quantiles(weight, y, u)[0] for u in (0.05, 0.58, 0.75, 0.76)]
    assert found == [10, 10, 40, 70]
