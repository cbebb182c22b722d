"""The tables that chapters 10 and 11 load: each script gives a part of its table again."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from places import ROOT

FOLDER = ROOT / "notebooks" / "replications"
PARTS = [  # script, its function, how many sets the table holds, which of them is made again
    ("boosted_days", "one_split", 20, 1),
    ("boosted_sonar", "one_split", 50, 1),
    ("calibrated_votes", "one_split", 20, 1),
    ("flipped_labels", "one_split", 20, 1),
    ("steps_and_losses", "one_split", 20, 1),
    ("nested_spheres", "one_draw", 10, 1),
    ("bicycle_hours", "one_draw", 20, 1),
    ("lenders", "one_division", 20, 1),
    ("noisy_friedman", "one_set", 20, 1),
    ("spoiled_targets", "one_set", 20, 1),
    ("covered_hours", "one_draw", 20, 1),
    ("columns_and_gaps", "one_split", 20, 1),
]


def script(name):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "function", "size", "k"), PARTS, ids=[p[0] for p in PARTS])
def test_a_part_of_the_table_is_made_again(name, function, size, k):
    table = pd.read_csv(FOLDER / f"{name}.csv")
    number = table.columns[0]
    assert sorted(table[number].unique()) == list(range(size))
    again = getattr(script(name), function)(k)
    committed = table[table[number] == k].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, committed, rtol=0, atol=1e-6, check_dtype=False)


@pytest.mark.parametrize("loss", ["exponential", "log"])
def test_after_its_best_step_half_of_the_weight_is_on_the_wrong_rows(loss):
    steps = script("steps_and_losses")
    agreement, right = np.array([0.5, -1.0, 2.0, 0.0, 1.5]), np.array([1, 1, 1, 0, 0], bool)
    c = steps.best_step(loss, agreement, right)
    weight = steps.pull(loss, agreement + c * np.where(right, 1, -1))
    assert c > 0.1
    assert weight[right].sum() == pytest.approx(weight[~right].sum())
