"""The table of importance from place to place: a part of it again, and what it says."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.fast.selection import local_importance_table

script = load_script("local_importance")
TABLE = pd.read_csv(FOLDER / "local_importance.csv")
KEYS = ["study", "setting", "replicate", "method"]


def part(study, setting=None):
    rows = TABLE[TABLE["study"] == study]
    return rows if setting is None else rows[rows["setting"] == setting]


def masks(found):
    """Levels of what was chosen, arrays of bool, (n_bins, n_features)."""
    each = np.array([[digit == "1" for digit in bin_] for bin_ in found.split()])
    return np.split(each, [1, 3])


def ranks(study, setting, method):
    """Ranks of the true features, (n_replicates, n_true)."""
    rows = part(study, setting)
    found = rows[rows["method"] == method]["found"]
    return np.array([[int(rank) for rank in each.split()] for each in found])


def test_every_row_stands_once_and_replicates_count_from_0():
    assert not TABLE.duplicated(KEYS).any()
    for _, rows in TABLE.groupby(["study", "setting", "method"]):
        assert sorted(rows["replicate"]) == list(range(len(rows)))
    planned = {(study.__name__, *rest) for study, *rest in script.jobs()}
    assert set(TABLE[KEYS[:3]].itertuples(index=False, name=None)) <= planned


@pytest.mark.parametrize(
    ("study", "setting", "replicate", "options"),
    [
        ("first", "sine, factor 1", 7, {}),
        pytest.param("noise", "mdi", 3, {}, marks=pytest.mark.whole),
        ("selection", "white wine, updated", 0, {"with_forest": False}),
        pytest.param("prediction", "white wine, updated", 0, {}, marks=pytest.mark.whole),
        pytest.param("noise", "oob", 3, {}, marks=pytest.mark.whole),
        pytest.param(
            "selection", "sine, factor 1", 0, {"with_forest": False}, marks=pytest.mark.whole
        ),
        pytest.param("prediction", "products, noise 1, updated", 0, {}, marks=pytest.mark.whole),
    ],
    ids=["first", "mdi", "selection", "prediction", "oob", "whole-selection", "whole-prediction"],
)
def test_rows_are_found_again(study, setting, replicate, options):
    again = script.rows_of(getattr(script, study), setting, replicate, **options)
    found = again.merge(TABLE, on=KEYS, suffixes=("", "_committed"))
    assert len(found) == len(again) > 0
    for column in ("found", "clusters", "own", "training", "oob", "test"):
        if again[column].notna().any():
            expected = found[f"{column}_committed"]
            if column != "found":
                np.testing.assert_allclose(found[column].astype(float), expected, rtol=1e-4)
            else:
                assert found[column].tolist() == expected.tolist()


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    def count(setting, replicate):
        yield {"method": setting, "found": replicate}

    monkeypatch.setattr(script, "RESULT", tmp_path / "part.csv")
    monkeypatch.setattr(script, "jobs", lambda: iter([(count, "a", 0), (count, "a", 1)]))
    script.main()
    monkeypatch.setattr(script, "jobs", lambda: iter([(count, "a", r) for r in range(4)]))
    script.main()
    assert pd.read_csv(tmp_path / "part.csv")["found"].tolist() == [0, 1, 2, 3]


def test_the_forest_misses_the_second_feature_with_factor_1_alone():
    for method in ("mdi", "oob"):
        assert (ranks("first", "sine, factor 10", method) == [1, 2]).all()
        found = ranks("first", "sine, factor 1", method)
        assert (found[:, 0] == 1).all()
        assert np.sum(found[:, 1] == 2) == {"mdi": 4, "oob": 3}[method]


def test_local_importance_chooses_from_noise():
    """The threshold of the source, 0.2, keeps most of ten columns that say nothing."""
    kept = {}
    for method, rows in part("noise").groupby("setting"):
        assert len(rows) == 20
        tables = [local_importance_table(masks(found)) for found in rows["found"]]
        kept[method] = np.array([table["kept"].sum() for table in tables])
    assert kept["mdi"].mean() == pytest.approx(6.55)
    assert kept["oob"].mean() == pytest.approx(3.85)
    assert min(min(each) for each in kept.values()) >= 1


def test_with_factor_10_nothing_is_hidden_from_the_forest():
    for method in ("average", "intersection", "forest"):
        assert (ranks("selection", "sine, factor 10", method) == [1, 2]).all()
    found = {m: ranks("selection", "sine, factor 1", m) for m in ("average", "forest")}
    assert (found["average"] == [1, 2]).all()
    assert (found["forest"][:, 0] == 1).all()
    assert (found["forest"][:, 1] > 2).any()


@pytest.mark.parametrize(
    ("setting", "order"),
    [
        ("sine, factor 10", ["LPSC", "forest", "LPUC", "mean"]),
        ("products, noise 1, updated", ["LPSC", "forest"]),
        ("products, noise 10, updated", ["forest", "LPSC"]),
    ],
)
def test_errors_of_new_rows_stand_in_this_order(setting, order):
    errors = part("prediction", setting).pivot(index="replicate", columns="method", values="test")
    for better, worse in zip(order, order[1:]):
        assert (errors[better] < errors[worse]).all()


def test_from_the_own_cluster_an_error_is_far_too_low():
    """In every simulation and replicate, the exponential one aside, which has no variance."""
    rows = part("prediction").query("method == 'LPSC' and setting != 'exponential'")
    rows = rows[~rows["setting"].str.contains("wine|bikers")]
    assert (rows["own"] < rows["oob"]).all()
    assert (rows["oob"] < 0.8 * rows["test"]).all()
