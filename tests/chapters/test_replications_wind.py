"""The table behind chapter 19: a part of it again, and what the chapter reads from it."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

wind = load_script("wind_farms")
TABLE = pd.read_csv(FOLDER / "wind_farms.csv", keep_default_na=False, na_values={"time": ""})
KEYS = ["study", "length", "farm", "way", "kept"]


def test_every_job_is_there_once():
    jobs = [(study, number, length) for study, number, length, _ in wind.jobs()]
    assert len(jobs) == len(set(jobs)) == 78
    there = TABLE[["study", "farm", "length"]].drop_duplicates()
    assert set(there.itertuples(index=False, name=None)) == set(jobs)
    choices = TABLE[~TABLE["way"].str.startswith("Boruta")]
    assert not choices.duplicated(KEYS).any()
    sets = TABLE[TABLE["study"] == "sets"]
    assert sets.groupby("length").size().to_dict() == {50: 245, 200: 400, 600: 245}


def test_written_columns_are_those_that_were_kept():
    written = TABLE[TABLE["columns"] != ""]
    assert (written["columns"].str.split().str.len() == written["kept"]).all()
    small = TABLE["kept"].between(1, wind.SMALL) & ~TABLE["way"].str.startswith("PCA")
    small &= (TABLE["study"] != "split") & (TABLE["way"] != "one sum of 21")
    assert (TABLE["columns"] != "")[small].all()


def again(rows):
    """Whether the rows say the same as the table."""
    known = TABLE.set_index(KEYS)
    for row in rows:
        old = known.loc[tuple(row[:5])]
        np.testing.assert_allclose(row[5:7], [old["validation"], old["test"]], atol=1e-4)
        assert row[8] == old["columns"]
        yield row


@pytest.fixture(scope="module")
def years():
    return wind.Years(3, 200)


def test_references_are_found_again(years):
    mean = np.full(len(years.y), years.y[years.train].mean())
    rows = [
        *wind.references(years, "sets", ("own", "own, all tried", "nine")),
        years.reference("sets", "mean", mean),
        years.reference("sets", "true power", years.power),
    ]
    assert len(list(again(rows))) == 5


def test_an_elimination_is_found_again(years):
    order = wind.clone(wind.FOREST).set_params(random_state=None)
    rfe = wind.ForestRFE(
        order, rule="alpha_sd", importance="mdi", error="validation", random_state=0,
        min_features_to_select=1000, step=0.5,
    ).fit(*years.part(years.train), held_out=years.part(years.validation))  # fmt: skip
    heads = [np.flatnonzero(rfe.ranking_ <= size) for size in (2, 8, 16)]
    assert len(list(again(years.row("sets", "once", some) for some in heads))) == 3


def test_other_weather_is_found_again():
    years = wind.Years(5, 200, forecast_error=0.0)
    assert len(list(again(wind.references(years, "exact", ("own", "nine"))))) == 2
    few = wind.FilterSelector("f", number=10)
    long = wind.Years(4, 600)
    kept = np.flatnonzero(few.fit(*long.part(long.train)).support_)
    assert len(list(again([long.row("sets", "F", kept)]))) == 1


def test_the_checks_of_causes_are_found_again(years):
    tries = wind.clone(wind.FOREST).set_params(max_features=1.0)
    nine = wind.nine_of(years)
    assert (len(nine), len(wind.ten_of(years))) == (27, 10)
    rows = [
        years.row("tried", "F, all tried", wind.ten_of(years), model=tries),
        years.row("tried", "nine, all tried", nine, model=tries),
    ]
    assert len(list(again(rows))) == 2
    known = TABLE[(TABLE["length"] == 200) & (TABLE["farm"] == 3)].set_index(["study", "way"])
    kept = known.loc[("sets", "Boruta 100"), "columns"]
    assert known.loc[("back", "Boruta"), "columns"] == kept
    kept = np.array(kept.split(), dtype=int)
    five = np.flatnonzero(years.columns["signal"])
    given = [("and the five", five), ("and nine", nine)]
    rows = [years.row("back", f"Boruta {way}", np.union1d(kept, gift)) for way, gift in given]
    assert len(list(again(rows))) == 2


def test_reading_the_sets_of_an_elimination():
    """Of two columns that tell and two that do not, from the selector's own table."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = 2 * X[:, 2] + X[:, 0]
    rfe = wind.ForestRFE(
        wind.clone(wind.FOREST), rule="alpha_sd", step=0.5, importance="mdi", error="validation",
        random_state=0,
    ).fit(X, y)  # fmt: skip
    assert wind.sets_of(rfe) == [[0, 1, 2, 3], [0, 2]]
