"""The tables that chapters 11 and 12 load: each script gives a part of its table again."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

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
SOME = {  # of the longer ones: column of the table, what of it is made again, where a script has it
    "steps_and_losses": ("data", ["sonar"], ["tables"]),
    "noisy_friedman": ("setting", ["rate 1", "half of the cases", "early stop"], ["SETTINGS"]),
    "spoiled_targets": ("loss", ["absolute_error", "huber, 0.7"], ["LOSSES"]),
    "columns_and_gaps": ("table", ["diabetes", "sonar", "horses"], ["COLUMNS", "GAPS"]),
}
SHORT = ["boosted_days", "boosted_sonar", "steps_and_losses", "lenders", "spoiled_targets"]
IDS = [part[0] for part in PARTS] + [f"whole-{name}" for name in SOME]
# The others, and all of a set, are made again by `make test-all`.
PARTS = [
    pytest.param(*part, part[0] in SOME, marks=() if part[0] in SHORT else pytest.mark.whole)
    for part in PARTS
] + [pytest.param(*part, False, marks=pytest.mark.whole) for part in PARTS if part[0] in SOME]


def some_of(found, names):
    """Return what a script goes through, without all but some names."""
    if isinstance(found, dict):
        return {name: found[name] for name in found if name in names}
    rows = [row for row in found() if row[0] in names]
    return lambda: rows


@pytest.mark.parametrize(("name", "function", "size", "k", "is_some"), PARTS, ids=IDS)
def test_a_part_of_the_table_is_made_again(name, function, size, k, is_some, monkeypatch):
    table, module = pd.read_csv(FOLDER / f"{name}.csv"), load_script(name)
    number = table.columns[0]
    assert sorted(table[number].unique()) == list(range(size))
    committed = table[table[number] == k]
    if is_some:
        column, names, places = SOME[name]
        for place in places:
            monkeypatch.setattr(module, place, some_of(getattr(module, place), names))
        committed = committed[committed[column].isin(names)]
        assert set(committed[column]) == set(names)
    again = getattr(module, function)(k)
    committed = committed.reset_index(drop=True)
    pd.testing.assert_frame_equal(again, committed, rtol=0, atol=1e-6, check_dtype=False)


@pytest.mark.parametrize("loss", ["exponential", "log"])
def test_after_its_best_step_half_of_the_weight_is_on_the_wrong_rows(loss):
    steps = load_script("steps_and_losses")
    agreement, right = np.array([0.5, -1.0, 2.0, 0.0, 1.5]), np.array([1, 1, 1, 0, 0], bool)
    c = steps.best_step(loss, agreement, right)
    weight = steps.pull(loss, agreement + c * np.where(right, 1, -1))
    assert c > 0.1
    assert weight[right].sum() == pytest.approx(weight[~right].sum())
