"""The table of what ordinary tools find and predict: a part of it again, and what it says."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.datasets import make_masked_sine

rivals = load_script("local_rivals")
TABLE = pd.read_csv(FOLDER / "local_rivals.csv")
PRINTED = pd.read_csv(FOLDER / "local_printed.csv", dtype={"table": str})
KEYS = ["study", "setting", "replicate", "method"]


def numbers(study, method):
    rows = TABLE[(TABLE["study"] == study) & (TABLE["method"] == method)]
    return np.array([[float(one) for one in text.split()] for text in rows["found"]])


def test_every_job_is_there_once():
    assert not TABLE.duplicated(KEYS).any()
    found = TABLE[KEYS[:3]].drop_duplicates().itertuples(index=False, name=None)
    assert list(found) == [(study.__name__, *rest) for study, *rest in rivals.jobs()]


def begin(setting, replicate):
    """The first rows of rivals: the mean, one forest, and boosting."""
    yield from islice(rivals.rivals(setting, replicate), 3)


begin.__name__ = "rivals"


@pytest.mark.parametrize(
    ("study", "setting", "replicate"),
    [
        (begin, "products", 3),
        pytest.param(rivals.places, "sine", 4, marks=pytest.mark.whole),
        pytest.param(rivals.rivals, "products", 3, marks=pytest.mark.whole),
    ],
    ids=["begin", "places", "rivals"],
)
def test_rows_are_found_again(study, setting, replicate, monkeypatch):
    if study is begin:
        name = "forest, all, depth 10"
        monkeypatch.setattr(rivals, "FORESTS", {name: rivals.FORESTS[name]})
    again = rivals.rows_of(study, setting, replicate)
    found = again.merge(TABLE, on=KEYS, suffixes=("", "_committed"))
    assert len(found) == len(again) > 0
    for column in ("rank", "test", "x1", "x2"):
        mine, theirs = (found[name].astype(float) for name in (column, f"{column}_committed"))
        np.testing.assert_allclose(mine, theirs, rtol=1e-4)


def committed_noise(replicate):
    """What was found in noise: importances and p-values, as text."""
    return TABLE[TABLE["study"].eq("noise") & TABLE["replicate"].eq(replicate)]["found"].tolist()


def test_importances_of_noise_are_found_again(monkeypatch):
    """With one shuffled target of nine, which exceeds an importance only if one of nine does."""
    monkeypatch.setattr(rivals, "PERMUTATIONS", 1)
    found, p = rivals.rows_of(rivals.noise, "noise", 2)["found"]
    importances, p_of_nine = committed_noise(2)
    assert found == importances
    first = np.array(p.split(), dtype=float) == 1
    of_nine = np.rint(10 * np.array(p_of_nine.split(), dtype=float)) - 1
    assert (first <= of_nine).all()
    assert (of_nine <= 8 + first).all()


@pytest.mark.whole
def test_a_shuffled_target_is_found_again():
    again = rivals.rows_of(rivals.noise, "noise", 2)["found"].tolist()
    assert again == committed_noise(2)


def test_the_full_study_has_the_rows_of_the_replication(monkeypatch):
    """The same sample and parts as the errors of LPSC beside which it stands."""
    script = load_script("local_importance")
    seen = {}

    class Spy(Exception):
        pass

    def fit(self, X, y):
        seen["train"] = X, y
        raise Spy

    monkeypatch.setattr(rivals.RandomForestRegressor, "fit", fit)
    with pytest.raises(Spy):
        list(rivals.full("sine", 2))
    X, y, _ = script.data("sine, factor 1", 2)
    train, _ = script.parts(y, 2)
    assert np.array_equal(seen["train"][0], X[train])
    assert np.array_equal(seen["train"][1], y[train])


def test_all_candidates_find_what_a_third_does_not():
    rows = TABLE[TABLE["study"].eq("rivals") & TABLE["setting"].eq("sine")]
    ranks = rows.pivot(index="replicate", columns="method", values="rank")
    errors = rows.pivot(index="replicate", columns="method", values="test")
    assert (ranks["forest, all, depth 10"] == 2).all()
    assert (ranks["forest, a third, depth 10"] > 2).all()
    assert (errors["forest, all, depth 10"] < errors["LPSC"] / 5).all()
    assert (errors["LPSC"] < errors["forest, a third, depth 10"] / 2).all()


def test_fifths_are_cut_at_whole_numbers():
    X, _ = make_masked_sine(1000, n_noise=0, random_state=0)
    found = rivals.fifths(X)
    for place in range(5):
        here = np.abs(X[found == place, 0])
        assert len(here) > 100
        assert place <= here.min() <= here.max() <= place + 1


def test_p_values_are_those_of_nine_shuffles():
    for study, method in (("noise", "shuffled target"), ("signal", "shuffled target")):
        p = numbers(study, method)
        assert np.isclose(p * 10 % 1, 0).all()
        assert p.min() >= 0.1
    column = numbers("signal", "shuffled column")
    mine = numbers("signal", "lafi")[:, 1]
    expected = (1 + (column[:, :-1] >= mine[:, None] - 1e-3).sum(axis=1)) / 10
    np.testing.assert_allclose(column[:, -1], expected)


def test_printed_counts_are_of_fifty_and_every_table_has_three_methods():
    assert PRINTED["printed"].between(0, 50).all()
    assert sorted(set(PRINTED["table"]), key=lambda one: int(one.split(".")[1])) == [
        f"2.{k}" for k in range(3, 15)
    ]
    assert (PRINTED.groupby("table")["method"].nunique() == 3).all()
    script = load_script("local_importance")
    planned = {setting for study, setting, _ in script.jobs() if study is script.selection}
    for (setting, _), lines in PRINTED.groupby(["setting", "method"]):
        named = {setting, setting.replace("sine", "sine, factor 1")} & planned
        assert named
        assert len(lines) in (2, 5, 10, 11, 12)
