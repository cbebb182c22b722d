"""The tables of what was run at the size of the source: a part of each again."""

import ledger_numbers
import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

KEYS = ["study", "setting", "replicate", "method"]


script, ranked = load_script("local_at_size"), load_script("bicycles_ranked")
TABLE = pd.read_csv(FOLDER / "local_at_size.csv", dtype={"found": str, "method": str})
RANKED = pd.read_csv(FOLDER / "bicycles_ranked.csv")


def test_every_row_stands_once_and_is_planned():
    assert not TABLE.duplicated(KEYS).any()
    planned = {(study.__name__, setting, r) for study, setting, r, _ in script.jobs()}
    assert set(TABLE[KEYS[:3]].itertuples(index=False, name=None)) <= planned


@pytest.mark.whole
def test_clusters_rank_the_columns_as_before():
    again = script.settings.rows_of(
        script.settings.selection, "sine, factor 0.5, 10 columns", 3, with_forest=False
    )
    found = again.merge(TABLE, on=KEYS, suffixes=("", "_committed"))
    assert len(found) == 2
    assert found["found"].tolist() == found["found_committed"].tolist()


def test_a_run_goes_on_where_the_file_ends(tmp_path, monkeypatch):
    def bins(setting, replicate, place):
        yield {"method": str(place), "found": "01"}

    monkeypatch.setattr(script, "RESULT", tmp_path / "part.csv")
    for n in (2, 5):
        jobs = [(bins, "a", 0, {"place": place}) for place in range(n)]
        monkeypatch.setattr(script, "jobs", lambda jobs=jobs: iter(jobs))
        script.main()
    table = pd.read_csv(tmp_path / "part.csv", dtype=str)
    assert table["method"].tolist() == list("01234")
    assert set(table["found"]) == {"01"}


def test_columns_with_a_local_importance_above_the_threshold_are_kept(tmp_path, monkeypatch):
    """By hand: the three columns have a LAFI of 1, 0 and 1/12."""
    masks = ["100"] * 6 + ["101"]
    where = {"study": "bins", "setting": "a", "replicate": 0}
    rows = [where | {"method": str(k), "found": mask} for k, mask in enumerate(masks)]
    pd.DataFrame(rows).to_csv(tmp_path / "part.csv", index=False)
    monkeypatch.setattr(script, "RESULT", tmp_path / "part.csv")
    assert script.kept_columns("a", 0).tolist() == [True, False, False]


@pytest.mark.whole
def test_the_columns_of_casual_riders_are_ranked_as_before():
    again = ranked.rows_of(ranked.ranking, 0, 1, "treelab").astype(str)
    found = again.merge(RANKED.astype(str), on=["study", "draw", "seed", "method"])
    assert len(found) == 2
    assert (found["value_x"] == found["value_y"]).all()


@pytest.fixture
def two_replicates(monkeypatch):
    """LAFI of three columns, the first of them true, in two replicates; a third is not complete."""
    masks = {0: ["100"] * 6 + ["101"], 1: ["110"] + ["000"] * 2 + ["010"] * 4, 2: ["111"] * 5}
    bins = [
        {"study": "bins", "setting": "a", "replicate": r, "method": str(place), "found": mask}
        for r, each in masks.items()
        for place, mask in reversed(list(enumerate(each)))
    ]
    errors = {
        0: {"all": (2.0, 6.0), "kept": (1.0, 5.0)},
        1: {"all": (2.0, 8.0), "kept": (4.0, 8.5)},
    }
    errors = [
        {"study": "errors", "setting": "a", "replicate": r, "method": method}
        | {"training": training, "test": test}
        for r, each in errors.items()
        for method, (training, test) in each.items()
    ]
    table = pd.DataFrame(bins + errors)
    of = dict(list(table.groupby(["study", "setting"])))
    monkeypatch.setattr(ledger_numbers, "by_setting", lambda: of)


@pytest.mark.usefixtures("two_replicates")
def test_the_ledger_reads_bins_that_have_a_line_each():
    """By hand: the LAFI of the columns is 1, 0, 1/12 and 1/3, 2/3, 0."""
    numbers = ledger_numbers
    assert numbers.replicates("a", "errors") == 2
    assert numbers.bins("bins", "a").sum(axis=0).tolist() == [7, 0, 1]
    assert numbers.bins("bins", "a")[6].tolist() == [True, False, True]
    np.testing.assert_allclose(numbers.local("a", "bins"), [[1, 0, 1 / 12], [1 / 3, 2 / 3, 0]])
    np.testing.assert_allclose(numbers.mean_local("a", "bins"), [2 / 3, 1 / 3, 1 / 24])
    assert numbers.above_noise("a", 1, "bins") == 1
    assert numbers.above_noise("a", 2, "bins") == 2
    assert numbers.margin("a", 1, "bins") == pytest.approx(1 / 3)
    assert numbers.margin("a", 2, "bins") == pytest.approx(7 / 24)
    assert not numbers.is_separated("a", 1, study="bins")
    assert numbers.is_separated("a", 2, study="bins")
    assert numbers.share_above("a", study="bins") == pytest.approx(2 / 3)
    assert numbers.columns_kept("a", study="bins") == pytest.approx(1.5)


@pytest.mark.usefixtures("two_replicates")
def test_the_ledger_reads_the_errors_of_all_and_of_the_kept_columns():
    numbers = ledger_numbers
    assert numbers.kept_error("a", "all", "errors") == 7
    assert numbers.kept_error("a", "kept", "errors") == 6.75
    assert numbers.kept_error("a", "kept", "errors", "training") == 2.5
    assert numbers.kept_lower("a", "errors") == 1
