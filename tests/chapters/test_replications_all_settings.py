"""The tables of importances and errors under all settings of the thesis' grid: parts again."""

import ledger_numbers
import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.fast.importance import mean_decrease_impurity

again = load_script("all_settings")
TABLE = pd.read_csv(FOLDER / "all_settings.csv")
PATH = pd.read_csv(FOLDER / "all_settings_path.csv")
SETTING = ["max_depth", "max_features", "min_samples_split", "min_samples_leaf", "n_estimators"]
COUNTS = {"DTR": 81, "RFR": 32, "GBR": 32}


def numbers(rows):
    """The importances of some rows of the table; (n_rows, 13)."""
    return np.array([text.split() for text in rows["importance"]], dtype=float)


def committed(table, rows):
    """The rows of a table with the study, target, model and setting of other rows, in its order."""
    keys = [key for key in [*again.JOB, *SETTING, "state", "features"] if key in rows]
    rows = rows.assign(**{key: pd.to_numeric(rows[key]) for key in SETTING})
    found = rows[keys].merge(table, on=keys, how="left", validate="one_to_one")
    assert len(found) == len(rows)
    return found


def test_every_setting_is_there():
    for kind, count in COUNTS.items():
        for target in again.TARGETS:
            of = (TABLE[again.JOB] == ["settings", target, kind]).all(axis=1)
            rows = TABLE[of]
            assert len(rows) == len(rows[SETTING].drop_duplicates()) == count
        assert len(TABLE.query("study == 'states' and model == @kind")) == len(again.STATES)
        rows = PATH[PATH["model"] == kind]
        assert len(rows) == len(rows[[*SETTING, "features"]].drop_duplicates()) == 10 * count
    assert np.allclose(numbers(TABLE).sum(axis=1), 1, atol=1e-3)
    assert sorted(PATH["features"].unique()) == again.SIZES == [1, 3, 4, 5, 6, 8, 9, 10, 12, 13]


@pytest.mark.parametrize(("kind", "place"), [("DTR", 3), ("DTR", 47), ("GBR", 1)])
def test_importances_are_made_again(kind, place):
    alike = again.settings(kind)[place]
    for target in again.TARGETS if kind == "DTR" else ["registered"]:
        rows = pd.DataFrame(again.one_setting("settings", target, kind, alike))
        old = numbers(committed(TABLE.query("study == 'settings'"), rows))
        assert numbers(rows) == pytest.approx(old, abs=2e-4)


def test_other_random_states_are_made_again():
    rows = pd.DataFrame(again.states("DTR"))
    old = TABLE.query("study == 'states' and model == 'DTR'")
    assert numbers(rows) == pytest.approx(numbers(old), abs=2e-4)
    assert len(np.unique(numbers(rows), axis=0)) == len(rows)


@pytest.mark.parametrize("place", [0, 30, 53])
def test_a_path_is_made_again(place):
    rows = pd.DataFrame(again.one_setting("path", "cnt", "DTR", again.settings("DTR")[place]))
    old = committed(PATH, rows)
    for name in ("train", "validation", "test"):
        assert rows[name].to_numpy() == pytest.approx(old[name], abs=2e-3)


@pytest.mark.parametrize("kind", ["RFR", "GBR"])
def test_importances_of_the_first_trees_are_those_of_a_smaller_model(kind):
    X, y, (learn, *_) = again.rows_of("casual")
    models = {
        n: again.bicycles.thesis_model(kind, 0, n_estimators=n, max_depth=2).fit(X[learn], y[learn])
        for n in (200, 201)
    }
    of_first = again.importances(models[201], kind)[200]
    assert of_first == pytest.approx(mean_decrease_impurity(models[200], normalize="tree"))


def test_settings_that_are_grown_once_grow_the_same_trees():
    X, y, (learn, _, test) = again.rows_of("cnt")
    alike = max(again.settings("DTR"), key=len)
    assert len(alike) == 3
    assert sum(map(len, again.settings("DTR"))) == 81
    said = [
        again.bicycles.thesis_model("DTR", 0, **one).fit(X[learn], y[learn]).predict(X[test])
        for one in alike
    ]
    assert np.array_equal(said[0], said[1])
    assert np.array_equal(said[0], said[2])


def test_spreads_and_groups_of_the_ledger_are_those_of_the_tables():
    """By hand, without groupby."""
    rows = TABLE[(TABLE["study"] == "settings") & (TABLE["model"] == "RFR")]
    each = numbers(rows[rows["target"] == "cnt"])
    far = [sum(abs(a - b) for a, b in zip(one, each.mean(axis=0), strict=True)) for one in each]
    assert ledger_numbers.spread_of("RFR", "cnt") == pytest.approx(np.mean(far) / 2)
    rows = PATH[(PATH["model"] == "GBR") & (PATH["features"] == 5)]
    errors = {}
    for row in rows.itertuples():
        key = row.max_depth, row.min_samples_split, row.min_samples_leaf
        errors.setdefault(key, []).append(row.test)
    assert sorted(map(len, errors.values())) == [4] * 8
    within = np.mean([np.var(group) for group in errors.values()])
    share = 1 - within / np.var(rows["test"])
    assert ledger_numbers.between_groups("GBR", 5) == pytest.approx(share)


# --- the extended grid ---------------------------------------------------------------------------

extended = load_script("extended_grid")
EXTENDED = pd.read_csv(FOLDER / "extended_grid.csv")


def test_the_extended_grid_holds_the_standard_one():
    assert EXTENDED["model"].value_counts().to_dict() == {"DTR": 2592, "RFR": 256, "GBR": 256}
    assert not EXTENDED.duplicated(["model", *SETTING[:4], "splitter"]).any()
    inside = EXTENDED[EXTENDED["standard"]]
    assert inside["model"].value_counts().to_dict() == {"DTR": 81, "RFR": 16, "GBR": 16}
    assert inside["splitter"].dropna().eq("best").all()
    assert np.allclose(numbers(EXTENDED).sum(axis=1), 1, atol=0.01)


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        ("DTR", (6, 0.4, 32, 16, "random")),
        ("DTR", (None, 0.8, 4, 2, "best")),
        ("RFR", (5, 0.3, 4, 16, "")),
        ("GBR", (2, 0.3, 32, 16, "")),
    ],
)
def test_a_setting_of_the_extended_grid_is_fitted_again(kind, setting):
    """And without the shortcut for settings that grow the same trees."""
    names = [*SETTING[:4], "splitter"]
    rows = EXTENDED[EXTENDED["model"] == kind].fillna({"max_depth": 0, "splitter": ""})
    row = rows[(rows[names] == [setting[0] or 0, *setting[1:]]).all(axis=1)].squeeze()
    error, importance = extended.fitted.__wrapped__(kind, *setting)
    assert row["test"] == pytest.approx(error, abs=1e-3)
    assert row["importance"] == importance


def test_the_ledger_measures_the_extended_grid():
    for kind in COUNTS:
        found = numbers(EXTENDED[EXTENDED["model"] == kind])
        away = [np.maximum(one - found.mean(axis=0), 0).sum() for one in found]
        assert ledger_numbers.extended_spread(kind) == pytest.approx(np.mean(away), abs=2e-3)
        inside = numbers(EXTENDED[EXTENDED["standard"] & (EXTENDED["model"] == kind)])
        away = np.maximum(inside.mean(axis=0) - found.mean(axis=0), 0).sum()
        assert ledger_numbers.extended_distance(kind) == pytest.approx(away, abs=2e-3)
