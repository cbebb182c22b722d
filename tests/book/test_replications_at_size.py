"""The tables of what was run at the size of the source: a part of each again."""

import pandas as pd
from replicated import FOLDER, load_script

KEYS = ["study", "setting", "replicate", "method"]


script, ranked = load_script("local_at_size"), load_script("bicycles_ranked")
TABLE = pd.read_csv(FOLDER / "local_at_size.csv", dtype={"found": str, "method": str})
RANKED = pd.read_csv(FOLDER / "bicycles_ranked.csv")


def test_every_row_stands_once_and_is_planned():
    assert not TABLE.duplicated(KEYS).any()
    planned = {(study.__name__, setting, r) for study, setting, r, _ in script.jobs()}
    assert set(TABLE[KEYS[:3]].itertuples(index=False, name=None)) <= planned


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


def test_the_columns_of_casual_riders_are_ranked_as_before():
    again = ranked.rows_of(ranked.ranking, 0, 1, "treelab").astype(str)
    found = again.merge(RANKED.astype(str), on=["study", "draw", "seed", "method"])
    assert len(found) == 2
    assert (found["value_x"] == found["value_y"]).all()
