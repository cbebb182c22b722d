"""The table behind chapter 15: a part of it again."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV

forests_choose = load_script("forests_choose")
TABLE = pd.read_csv(FOLDER / "forests_choose.csv", dtype={"columns": str}).fillna({"columns": ""})
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
AGAIN = ["value", "new", "kept", "noise"]


def committed(study, name, repetition, method):
    """The row of the table, a Series."""
    rows = TABLE[
        (TABLE["study"] == study) & (TABLE["set"] == name)
        & (TABLE["repetition"] == repetition) & (TABLE["method"] == method)
    ]  # fmt: skip
    assert len(rows) == 1
    return rows.iloc[0]


def assert_the_same(rows):
    """All that is no time is as committed."""
    rows = list(rows)
    assert rows
    for study, name, repetition, method, *rest in rows:
        old, new = committed(study, name, repetition, method), dict(
            zip(forests_choose.COLUMNS[4:], rest, strict=True)
        )  # fmt: skip
        for column in AGAIN:
            value = np.nan if new[column] is pd.NA else float(new[column])
            assert value == pytest.approx(float(old[column]), rel=1e-4, nan_ok=True), column
        assert new["columns"] == old["columns"]


def test_every_repetition_is_there():
    found = TABLE.groupby(["study", "set", "method"])["repetition"].agg(["min", "max", "nunique"])
    for study, sets, methods, n in (
        ("optimism", 2, 2, 50), ("perc", 1, 3, 5), ("lots", 1, 1, 10), ("search", 2, 2, 20),
        ("sets", 4, 6, 10),
    ):  # fmt: skip
        assert len(found.loc[study]) == sets * methods
        assert (found.loc[study] == [0, n - 1, n]).all(axis=None)
    assert len(found.loc["copies"]) == 8
    assert (found.loc["copies"] == [0, 19, 20]).all(axis=None)
    assert len(found) == 44


@pytest.mark.parametrize(
    ("name", "repetition"), [pytest.param("bicycles", 3, marks=pytest.mark.whole), ("noise", 7)]
)
def test_errors_that_chose_are_made_again(name, repetition):
    assert_the_same(forests_choose.chosen_error(name, repetition))


def test_copies_are_made_again():
    assert_the_same(forests_choose.copied(1, 5))


@pytest.mark.whole
def test_more_copies_are_made_again():
    assert_the_same(forests_choose.copied(3, 11))
    assert_the_same(forests_choose.crowded(4, 2))


@pytest.mark.parametrize(
    ("name", "repetition", "ways"),
    [
        ("ozone", 4, ("all columns", "one standard error", "lasso")),
        ("sonar", 2, ("α = 0.5 sd", "lasso")),
        pytest.param("bicycles", 6, ("lasso",), marks=pytest.mark.whole),
        pytest.param("ozone", 4, ("Boruta", "RFECV"), marks=pytest.mark.whole),
        pytest.param("bicycles", 6, ("one standard error",), marks=pytest.mark.whole),
    ],
    ids=["ozone", "sonar", "bicycles", "whole-ozone", "whole-bicycles"],
)
def test_choices_of_a_split_are_made_again(name, repetition, ways):
    assert_the_same(forests_choose.of_a_set(name, repetition, ways))


@pytest.mark.parametrize(
    ("name", "kind", "some"),
    [
        ("sonar", RandomForestClassifier, slice(4, None, 5)),
        ("ozone", RandomForestRegressor, slice(None)),
    ],
)
def test_with_whole_steps_the_loop_keeps_what_rfecv_keeps(name, kind, some):
    X, y = forests_choose.table(name)
    X, model = X[:, some], kind(5, random_state=0)
    theirs = RFECV(model, step=2, min_features_to_select=2).fit(X, y)
    kept = forests_choose.by_cross_validation(model, X, y, [12, 10, 8, 6, 4, 2])
    assert kept.tolist() == np.flatnonzero(theirs.support_).tolist()
    assert 2 < len(kept) < 12


@pytest.mark.whole
def test_a_low_bar_is_made_again():
    assert_the_same(forests_choose.by_percentile(3, (100,)))


@pytest.mark.whole
def test_a_search_after_a_choice_is_made_again(monkeypatch):
    """Its first row alone, for the nested search fits ten times as many forests."""
    monkeypatch.setattr(forests_choose, "cross_val_score", lambda *given, **more: np.zeros(1))
    rows = islice(forests_choose.searched("sonar", 1), 1)
    assert_the_same(rows)


@pytest.mark.whole
def test_a_search_is_made_again():
    assert_the_same(forests_choose.searched("sonar", 1))


def test_the_error_on_the_other_half_by_hand():
    """Musk: the columns of the table, a forest on one half, the share of errors on the other."""
    row = committed("sets", "musk", 5, "lasso")
    X, y = forests_choose.table("musk")
    train, test = np.array_split(np.random.default_rng(5).permutation(len(X)), 2)
    columns = [int(j) for j in row["columns"].split()]
    forest = RandomForestClassifier(100, random_state=0).fit(X[train][:, columns], y[train])
    error = np.mean(forest.predict(X[test][:, columns]) != y[test])
    assert error == pytest.approx(row["value"], abs=1e-6)
    assert len(columns) == row["kept"]


def test_what_is_kept_is_counted_by_its_numbers():
    sets = TABLE[TABLE["study"] == "sets"]
    assert sets["columns"].str.split().str.len().tolist() == sets["kept"].astype(int).tolist()
    bicycles = sets[sets["set"] == "bicycles"]
    made = [sum(int(j) >= 11 for j in row.split()) for row in bicycles["columns"]]
    assert made == bicycles["noise"].astype(int).tolist()
