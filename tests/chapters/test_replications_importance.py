"""The table behind chapter 13, a part of it computed again."""

import sys

import numpy as np
import pandas as pd
import pytest
from places import ROOT

FOLDER = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(FOLDER))
    try:
        import importance
    finally:
        sys.path.pop(0)
    return importance


@pytest.fixture(scope="module")
def written():
    return pd.read_csv(FOLDER / "importance.csv")


def test_every_study_has_all_its_sets(script, written):
    counts = written.groupby("study")["set"].nunique()
    assert counts.to_dict() == {study.__name__: n for study, n in script.STUDIES.items()}
    assert written.notna().all(axis=None)


PARTS = [
    ("luck", [1]),
    ("copies", [1]),
    ("masking", [0, 1]),
    ("late", [1]),
    ("bicycles", [1]),
    ("conditional", [0]),
    ("candidates", [0]),
    pytest.param("luck", [0], marks=pytest.mark.whole),
    pytest.param("copies", [0], marks=pytest.mark.whole),
    pytest.param("correlation", [1], marks=pytest.mark.whole),
    pytest.param("late", [0], marks=pytest.mark.whole),
]


@pytest.mark.parametrize(("study", "sets"), PARTS)
def test_the_first_sets_again(script, written, study, sets):
    again = script.table(getattr(script, study), sets)
    rows = written[(written["study"] == study) & written["set"].isin(sets)].reset_index(drop=True)
    assert rows[["set", "quantity"]].equals(again[["set", "quantity"]])
    np.testing.assert_allclose(again["value"], rows["value"], rtol=1e-8, atol=1e-9)
