"""The two long comparisons of chapter 4: their first rows again, exactly."""

import runpy

import pandas as pd
import pytest
from places import ROOT

FOLDER = ROOT / "notebooks" / "replications"


@pytest.mark.parametrize(
    ("name", "compute", "key", "size"),
    [
        ("pruning_compared", "compared", "draw", 50 * (4 + 7 + 3 + 2)),
        ("comparing_methods", "data_sets", "seed", 1000 * 3),
    ],
)
def test_the_first_draw_again(name, compute, key, size):
    committed = pd.read_csv(FOLDER / f"{name}.csv")
    again = runpy.run_path(str(FOLDER / f"{name}.py"))[compute](range(1))
    assert len(committed) == size
    first = committed[committed[key] == 0].reset_index(drop=True)
    pd.testing.assert_frame_equal(first, again, atol=1e-9, rtol=0)
