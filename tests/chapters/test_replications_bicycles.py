"""The table behind chapter 18: a part of it again, and that nothing in it has seen its future."""

from itertools import islice
from math import prod

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.datasets import fetch_bike_sharing

bicycles = load_script("bicycles_end_to_end")
TABLE = pd.read_csv(FOLDER / "bicycles_end_to_end.csv", dtype=str)


def test_every_job_is_there():
    found = set(map(tuple, TABLE[["study", "month"]].drop_duplicates().to_numpy()))
    assert found == set(bicycles.jobs())
    assert not TABLE.duplicated(["study", "month", "method", "key"]).any()


@pytest.mark.parametrize(
    ("study", "month"),
    [
        ("hours", "2012-06"),
        pytest.param("strict", "2012-03", marks=pytest.mark.whole),
        pytest.param("order", "2012-04", marks=pytest.mark.whole),
        pytest.param("thesis stability", "7", marks=pytest.mark.whole),
        pytest.param("bands", "2012-11", marks=pytest.mark.whole),
        pytest.param("leaks", "2012-03", marks=pytest.mark.whole),
    ],
)
def test_a_part_of_the_table_is_made_again(study, month):
    assert_the_same(bicycles.one_job(study, month), study, month)


@pytest.mark.whole
def test_two_leaks_are_made_again():
    rows = islice(bicycles.leaks("2012-03"), 2)
    assert_the_same(bicycles.rows_of("leaks", "2012-03", rows), "leaks", "2012-03", 2)


def assert_the_same(again, study, month, n_rows=None):
    """Check that rows are those of the table, or its first ones."""
    old = TABLE[(TABLE["study"] == study) & (TABLE["month"] == month)][:n_rows]
    assert [(row["method"], row["key"]) for row in again] == list(
        map(tuple, old[["method", "key"]].to_numpy())
    )
    for row, value in zip(again, old["value"], strict=True):
        if isinstance(row["value"], str):
            assert row["value"] == value
        else:
            assert float(value) == pytest.approx(row["value"], abs=2e-6), row


@pytest.mark.parametrize("month", ["2012-03", "2012-10"])
def test_what_is_known_at_midnight_does_not_change_with_the_future(month):
    """With other rentals and another weather from the origin on, the first night knows the same."""
    frame = fetch_bike_sharing("hour").frame
    late = frame["dteday"] >= f"{month}-01"
    other = frame.copy()
    for name in ["cnt", "casual", "registered", *bicycles.WEATHER]:
        other.loc[late, name] = frame.loc[late, name].to_numpy()[::-1]
    rows, moved = bicycles.hours_of(frame), bicycles.hours_of(other)
    before = rows.index < pd.Timestamp(f"{month}-02")
    pd.testing.assert_frame_equal(rows[before][bicycles.KNOWN], moved[before][bicycles.KNOWN])
    leaky = ["tomorrow", "mean of all"]
    assert (rows[before][leaky] != moved[before][leaky]).any().all()


def test_the_grids_have_the_sizes_of_the_thesis():
    sizes = [
        {kind: prod(map(len, lists)) for kind, lists in grid.items()}
        for grid in (bicycles.GRIDS, bicycles.EXTENDED)
    ]
    assert sizes[0] == {"DTR": 81, "RFR": 32, "GBR": 32}
    assert sizes[1] == {"DTR": 2592, "RFR": 1024, "GBR": 1024}
    assert [len(bicycles.thesis_grid(kind)) for kind in bicycles.GRIDS] == [81, 16, 16]


def test_parts_stand_in_the_order_of_time():
    for month in bicycles.MONTHS:
        learn, last, past, new = bicycles.parts_of(month)
        assert learn.index.max() < last.index.min() <= last.index.max() < new.index.min()
        assert len(learn) + len(last) == len(past)
        assert set(last.index.to_period("M").astype(str)) == {str(pd.Period(month, freq="M") - 1)}
        assert set(new.index.to_period("M").astype(str)) == {month}


def test_the_usual_has_two_parts_in_an_order():
    """Shuffled as baseline alone it costs nearly as much as in both; as a column little."""
    order = TABLE[TABLE["study"] == "order"].assign(value=lambda rows: rows["value"].astype(float))
    by_name = order.pivot_table("value", "month", "method")
    assert (by_name["usual, as column"] < 0.1 * by_name["usual"]).all()
    assert (by_name["usual, as baseline"] > 0.9 * by_name["usual"]).all()


def test_lags_are_looked_up_by_the_clock():
    rows = bicycles.all_hours()
    at = rows.index[np.isin(rows.index - pd.Timedelta(days=1), rows.index)]
    yesterday = rows.loc[at - pd.Timedelta(days=1), "cnt"].to_numpy()
    assert (rows.loc[at, "yesterday"] == yesterday).all()
    assert len(at) > 0.98 * len(rows)


def test_nothing_but_the_past_chooses(monkeypatch):
    """Selectors get rows before the last month; the search is done before the month is seen."""
    seen = []
    fit = bicycles.RegularizedForestSelector.fit

    def watched(self, X, y):
        seen.append(X.index.max())
        return fit(self, X, y)

    monkeypatch.setattr(bicycles.RegularizedForestSelector, "fit", watched)
    monkeypatch.setattr(bicycles, "booster", lambda *args, **more: bicycles.DecisionTreeRegressor())
    for name in ("Boruta", "ForestRFE"):
        monkeypatch.setattr(
            bicycles, name, lambda *args, **more: bicycles.FilterSelector("pearson", number=3)
        )
    list(bicycles.ways("2012-07"))
    assert len(seen) == 1
    assert seen[0] < pd.Timestamp("2012-06-01")
