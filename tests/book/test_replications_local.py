"""The table of importance from place to place: a part of it again, and what it says."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from places import ROOT

FOLDER = ROOT / "notebooks" / "replications"
SPEC = importlib.util.spec_from_file_location("local_importance", FOLDER / "local_importance.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)
TABLE = pd.read_csv(FOLDER / "local_importance.csv")
KEYS = ["study", "setting", "replicate", "method"]


def part(study, setting=None):
    rows = TABLE[TABLE["study"] == study]
    return rows if setting is None else rows[rows["setting"] == setting]


def masks(found):
    """Levels of what was chosen, arrays of bool, (n_bins, n_features)."""
    each = np.array([[digit == "1" for digit in bin_] for bin_ in found.split()])
    return np.split(each, [1, 3])


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
        ("noise", "mdi", 3, {}),
        ("noise", "oob", 3, {}),
        ("selection", "sine, factor 1", 0, {"with_forest": False}),
        ("prediction", "products, noise 1, updated", 0, {}),
    ],
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
