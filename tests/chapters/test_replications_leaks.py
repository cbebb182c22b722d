"""The table of leaks without `level`: a part of it again."""

import sys

import pandas as pd
import pytest
from replicated import FOLDER, load_script

sys.path.insert(0, str(FOLDER))
leaks = load_script("leaks_without_level")
TABLE = pd.read_csv(FOLDER / "leaks_without_level.csv")
OLD = pd.read_csv(FOLDER / "bicycles_end_to_end.csv", dtype=str).query("study == 'leaks'")


def test_every_month_is_there_once():
    pairs = set(TABLE[["method", "month"]].itertuples(index=False, name=None))
    assert pairs == {(method, month) for method in leaks.MORE for month in leaks.bicycles.MONTHS}
    assert len(TABLE) == len(pairs)


def test_the_base_is_known_without_level_of_the_other_study():
    old = OLD[(OLD["method"] == "known, without level") & (OLD["key"] == "absolute error")]
    new = TABLE[TABLE["method"] == "known"].set_index("month")["error"]
    expected = old.set_index("month").loc[new.index, "value"].astype(float)
    assert new.tolist() == pytest.approx(expected.tolist(), rel=1e-4)


def test_an_error_is_found_again():
    row = TABLE.query("method == 'the day after' and month == '2012-03'")
    assert leaks.error("the day after", "2012-03") == pytest.approx(row["error"].item(), rel=1e-4)
