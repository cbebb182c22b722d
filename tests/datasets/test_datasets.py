"""Data sets: the sources' tables cell by cell, generators against theory, real data by checksum."""

import json
import os
from functools import cache
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from places import DATA
from sklearn.utils import Bunch

from treelab import datasets
from treelab.datasets import fetch as _fetch
from treelab.datasets.generators import WAVES
from treelab.datasets.registry import REGISTRY
from treelab.fast.impurity import entropy, gini, misclassification

GOLD = json.loads((DATA / "gold.json").read_text(encoding="utf-8"))["datasets"]
BY_POSITION = [n for n, info in REGISTRY.items() if info.openml and n != "bike_sharing_hour"]


@pytest.fixture
def data_folder(monkeypatch):
    """The folder with the real data: a must in CI, elsewhere the test is skipped without it."""
    folder = os.environ.get("TREELAB_DATA")
    if not folder:
        message = "set TREELAB_DATA to the folder with the real data files to run this test"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return Path(folder)


@cache
def real(name):
    """Return a real data set, which is read once for all tests."""
    return _fetch.fetch_data_set(name)


def gold_frame(name):
    return pd.DataFrame(GOLD[name]["rows"], columns=GOLD[name]["columns"])


def as_lists(frame):
    return frame.astype(object).to_numpy().tolist()


# The sources' small tables


def test_mushrooms_are_the_printed_rows():
    assert as_lists(datasets.load_mushrooms()) == GOLD["mushroom"]["rows"]


@pytest.mark.parametrize(
    ("kind", "column"), [("level", "elevation_level"), ("feet", "elevation_ft")]
)
def test_vegetation_is_the_printed_table(kind, column):
    gold = gold_frame("vegetation")[["stream", "slope", column, "vegetation"]]
    assert as_lists(datasets.load_vegetation(kind)) == as_lists(gold)


def test_vegetation_declares_the_level_that_a_branch_may_lack():
    X, _ = datasets.load_vegetation(return_X_y=True)
    assert list(X["elevation"].cat.categories) == ["low", "medium", "high", "highest"]
    steep = X[X["slope"] == "steep"]["elevation"]
    assert "low" not in set(steep)
    assert "low" in steep.cat.categories


def test_bike_rentals_are_the_printed_rows():
    gold = gold_frame("bike12").drop(columns="id")
    gold["work_day"] = gold["work_day"].map({False: "false", True: "true"})
    assert as_lists(datasets.load_bike_rentals()) == as_lists(gold)


def test_bike_demand_is_the_printed_table():
    gold = gold_frame("bike_gb").drop(columns="id")
    assert as_lists(datasets.load_bike_demand()) == as_lists(gold)


def test_drawn_samples_are_the_printed_frequencies():
    frame = datasets.load_bike_demand("level", samples=True)
    gold = GOLD["bike_boost"]
    assert [list(row) for row in frame[["temp", "rentals_level"]].itertuples(index=False)] == [
        row[1:] for row in gold["rows"]
    ]
    drawn = [frame[f"sample_{m}"].tolist() for m in range(3)]
    assert drawn == gold["sample_frequencies"]
    X, y = datasets.load_bike_demand("level", samples=True, return_X_y=True)
    assert list(X) == ["temp", "sample_0", "sample_1", "sample_2"]
    assert y.name == "rentals_level"


def test_postoperative_is_the_printed_table():
    gold = gold_frame("postop_validation").drop(columns="id")
    assert as_lists(datasets.load_postoperative()) == as_lists(gold)


def test_ten_points_give_the_published_impurities():
    frame = datasets.load_ten_points()
    children = pd.crosstab(frame["x"], frame["label"]).to_numpy()  # (2, 3)
    assert children.tolist() == GOLD["ten_points"]["children_counts"]
    assert children.sum(axis=0).tolist() == GOLD["ten_points"]["parent_counts"]
    for impurity, before, after in [
        (misclassification, 2, 2),
        (gini, 3.4, 3.2),
        (entropy, 9.219280948873624, 7.219280948873624),
    ]:
        assert 10 * impurity(children.sum(axis=0)) == pytest.approx(before)
        assert (5 * impurity(children)).sum() == pytest.approx(after)


@pytest.mark.parametrize(
    "load", [getattr(datasets, n) for n in datasets.__all__ if n.startswith("load_")]
)
def test_every_table_splits_into_inputs_and_target(load):
    frame, (X, y) = load(), load(return_X_y=True)
    assert isinstance(X, pd.DataFrame)
    assert isinstance(y, pd.Series)
    pd.testing.assert_frame_equal(pd.concat([X, y], axis=1), frame)
    assert not frame.isna().any().any()


@each("case", refused("datasets"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())


# Generators


MAKERS = [n for n in datasets.__all__ if n.startswith("make_") and n != "make_wind_farm"]


@each("make", [getattr(datasets, name) for name in MAKERS])
def test_the_same_seed_gives_the_same_rows(make):
    (X, y), (X2, y2), (X3, _) = (make(80, random_state=seed) for seed in (7, 7, 8))
    assert np.array_equal(X, X2)
    assert np.array_equal(y, y2)
    assert not np.array_equal(X, X3)
    assert len(X) == len(y) == 80


def test_base_waves_are_triangles_of_height_6():
    assert (WAVES.argmax(axis=1) + 1).tolist() == [7, 15, 11]
    assert WAVES[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1] + [0] * 9
    assert np.array_equal(np.roll(WAVES[0], 8), WAVES[1])
    assert np.array_equal(np.roll(WAVES[0], 4), WAVES[2])


def test_many_valued_features_have_all_their_values_and_no_relation():
    X, y = datasets.make_many_valued(30_000, levels=(2, 5), random_state=3)
    assert [np.unique(column).tolist() for column in X.T] == [[0, 1], [0, 1, 2, 3, 4]]
    for j in range(2):
        for value in np.unique(X[:, j]):
            assert abs(y[X[:, j] == value].mean() - 0.5) < 0.04


LOCAL = {
    datasets.make_masked_sine: (2, 10, 1, datasets.masked_sine),
    datasets.make_exponential_product: (5, 50, 1, datasets.exponential_product),
    datasets.make_products: (5, 50, 10, datasets.products),
}


@pytest.mark.parametrize("make", LOCAL)
def test_local_simulations_are_their_truth_plus_noise(make):
    p, n_noise, noise, truth = LOCAL[make]
    X, y = make(random_state=0)
    assert X.shape == (10_000, p + n_noise)
    residual = y - truth(X)
    assert residual.std() == pytest.approx(noise, rel=0.05)
    assert abs(residual.mean()) < 0.05 * noise
    assert np.abs(np.corrcoef(residual, X.T)[0, 1:]).max() < 0.05
    assert np.array_equal(truth(X), make(random_state=0, noise=0)[1])
    few, same = make(random_state=0, n_noise=0)
    assert np.array_equal(few, X[:, :p])
    assert np.array_equal(same, y)
    assert np.array_equal(make(random_state=0, n_noise=3)[0], X[:, : p + 3])


def test_features_of_local_simulations():
    X, _ = datasets.make_masked_sine(20_000, random_state=0)
    assert np.abs(X[:, :2]).max() < 5
    assert X[:, :2].std(axis=0) == pytest.approx(10 / np.sqrt(12), rel=0.02)
    for make, first in ((datasets.make_masked_sine, 2), (datasets.make_products, 0)):
        X, _ = make(20_000, n_noise=4, random_state=1)
        assert np.abs(X[:, first:].mean(axis=0)).max() < 0.04
        assert X[:, first:].std(axis=0) == pytest.approx(1, rel=0.03)
    assert np.abs(np.corrcoef(X.T) - np.eye(9)).max() < 0.04


def test_truths_of_local_simulations_by_hand():
    row = [0.5, -2.0, 3.0, 0.25, 2.0]
    x, y, z, w, q = row
    e = np.exp
    assert datasets.products([row])[0] == x * y + w * z * q == 0.5
    expected = x + y + z**2 + w + q + np.sin(x * y**2) + e(z * w * q**2)
    assert datasets.exponential_product([row])[0] == pytest.approx(expected)
    for amplitude in (1, 10):
        found = datasets.masked_sine([[-2, 1, 99], [2, 1, 0]], amplitude)
        assert found.tolist() == pytest.approx([e(2) + amplitude * np.sin(1)] * 2)
    _, y = datasets.make_masked_sine(5, amplitude=10, noise=0, random_state=0)
    X, other = datasets.make_masked_sine(5, noise=0, random_state=0)
    assert (y - other).tolist() == pytest.approx((9 * np.sin(X[:, 1])).tolist())


# Real data


@each("name", REGISTRY)
def test_file_has_the_registered_bytes_and_content(name, data_folder):
    info = REGISTRY[name]
    got = real(name)
    assert got.frame.shape == (info.n_rows, info.n_columns)
    assert int(got.frame.isna().sum().sum()) == info.missing
    assert got.frame.columns[-1] == got.target_name == info.target
    assert got.feature_names == list(got.data.columns)
    assert not set(got.feature_names) & {info.target, *info.not_inputs}
    assert got.target.notna().all()
    assert len(got.data) == len(got.target)
    counts = got.target.value_counts()
    assert info.counts in (None, counts[counts > 0].to_dict())
    for column, levels in info.levels.items():
        assert list(got.frame[column].cat.categories) == list(levels)
    for column in set(got.feature_names) - set(info.levels):
        assert got.data[column].dtype in (np.dtype("int64"), np.dtype("float64"))
    assert info.cite in got.DESCR
    assert info.licence in got.DESCR
    assert info.notes in got.DESCR


def test_bike_sharing_targets(data_folder):
    hour, day = datasets.fetch_bike_sharing(), datasets.fetch_bike_sharing("day")
    assert hour.target.mean() == pytest.approx(189.463, abs=5e-4)
    assert day.target.mean() == pytest.approx(4504.35, abs=5e-3)
    assert (hour.frame["casual"] + hour.frame["registered"] == hour.target).all()
    assert hour.frame.groupby("dteday")["cnt"].sum().tolist() == day.target.tolist()


def test_ozone_leaves_out_days_without_target(data_folder):
    got = datasets.fetch_ozone()
    assert (len(got.frame), len(got.data), len(got.target)) == (366, 361, 361)
    assert got.target.mean() == pytest.approx(11.5263, abs=5e-5)


def test_wine_of_both_colors(data_folder):
    X, y = datasets.fetch_wine_quality(return_X_y=True)
    assert X.shape == (6497, 12)
    assert X["color"].value_counts().to_dict() == {"white": 4898, "red": 1599}
    red, white = (datasets.fetch_wine_quality(color) for color in ("red", "white"))
    assert [wine.frame.duplicated().sum() for wine in (red, white)] == [240, 937]
    assert y.tolist() == [*red.target, *white.target]


def test_german_codes_are_written_out(data_folder):
    first = datasets.fetch_german_credit().frame.iloc[0]
    assert first[["checking_status", "purpose", "class"]].tolist() == ["<0", "radio/tv", "good"]


def test_parkinsons_and_musk_can_be_split_by_group(data_folder):
    names = datasets.fetch_parkinsons().frame["name"]
    assert names.str.rsplit("_", n=1).str[0].nunique() == 32
    assert datasets.fetch_musk1().frame["molecule_name"].nunique() == 92


def test_every_named_fetcher_fetches_its_own_data_set(monkeypatch):
    asked = []
    monkeypatch.setattr(datasets, "fetch_data_set", lambda name, *rest: asked.append(name))
    plain = [
        n
        for n in datasets.__all__
        if n.startswith("fetch_") and n not in ("fetch_bike_sharing", "fetch_wine_quality")
    ]
    for name in plain:
        getattr(datasets, name)()
    datasets.fetch_bike_sharing("day")
    datasets.fetch_bike_sharing("hour")
    datasets.fetch_wine_quality("red")
    datasets.fetch_wine_quality("white")
    assert sorted(asked) == sorted(REGISTRY)
    assert asked[: len(plain)] == [n.removeprefix("fetch_") for n in plain]


def test_wrong_checksum_names_the_file(tmp_path, monkeypatch):
    (tmp_path / "mlbench_Sonar.csv").write_text("V1,Class\n0.5,M\n", encoding="utf-8")
    monkeypatch.setenv("TREELAB_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="mlbench_Sonar.csv is not the file.*SHA-256"):
        datasets.fetch_sonar()


def test_folder_that_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("TREELAB_DATA", str(tmp_path / "absent"))
    with pytest.raises(NotADirectoryError, match="TREELAB_DATA"):
        datasets.fetch_sonar()


def test_offline_says_what_to_do(monkeypatch):
    def offline(**kwargs):
        raise URLError("no route")

    monkeypatch.delenv("TREELAB_DATA", raising=False)
    monkeypatch.setattr(_fetch, "fetch_openml", offline)
    with pytest.raises(OSError, match="data set sonar .*network.*mlbench_Sonar.csv.*TREELAB_DATA"):
        datasets.fetch_sonar()


def test_not_in_openml_names_the_file_and_asks_nobody(tmp_path, monkeypatch):
    def nobody(**kwargs):
        raise AssertionError("asked OpenML")

    monkeypatch.setenv("TREELAB_DATA", str(tmp_path))  # a folder without the file
    monkeypatch.setattr(_fetch, "fetch_openml", nobody)
    with pytest.raises(FileNotFoundError, match="OpenML has no copy of musk1.*musk1.csv.gz"):
        datasets.fetch_musk1()


def openml_copy(name, frame):
    """What OpenML would send for a frame: its own names, labels, and further rows at the end."""
    info = REGISTRY[name]
    data = frame.drop(columns=[info.target, *(c for c in info.not_inputs if c != "outcome")])
    back = {v: k for k, v in info.openml_labels.items()}
    target = frame[info.target].astype(str).replace(back).astype("category")
    if name == "anneal":
        data["bore"] = data["bore"].astype(str).replace(back).astype("category")
        data.columns = [c.replace("/", "%2F") for c in data.columns]
    if info.inputs:
        data.columns = [f"attribute_{j}" for j in range(data.shape[1])]
    if info.openml_rows:
        data, target = (pd.concat([t, t.iloc[:9]], ignore_index=True) for t in (data, target))
    return Bunch(data=data, target=target)


def test_rows_of_every_table_are_numbered_from_0(data_folder):
    """Also where rows were put together, or left out: the index joins data, target and frame."""
    wines = datasets.fetch_wine_quality()
    for got in (wines, datasets.fetch_ozone(), datasets.fetch_sonar()):
        for part in (got.frame, got.data, got.target):
            assert part.index.tolist() == list(range(len(part)))


# The number of each set in OpenML.
OPENML = {
    "anneal": 2, "arrhythmia": 5, "auto": 9, "horse_colic": 27, "german_credit": 31, "sick": 38,
    "sonar": 40, "vehicle": 54, "ionosphere": 59, "ada": 1043, "arcene": 1458, "hill_valley": 1479,
    "madelon": 1485, "parkinsons": 1488, "bike_sharing_hour": 42712, "wine_quality_white": 44971,
    "wine_quality_red": 44972,
}  # fmt: skip


def test_openml_is_asked_for_the_numbers_of_its_own_list(tmp_path, monkeypatch):
    """Written down twice, here and in the registry: a slip of one digit is another data set."""
    asked = {}

    def nothing(data_id, **kwargs):
        asked[name] = data_id
        raise OSError

    monkeypatch.setenv("TREELAB_DATA", str(tmp_path))
    monkeypatch.setattr(_fetch, "fetch_openml", nothing)
    for name in REGISTRY:
        with pytest.raises(OSError, match=REGISTRY[name].file):
            _fetch.fetch_data_set(name)
    assert asked == OPENML
    table = _fetch.dataset_table()
    assert list(table.index) == list(REGISTRY)
    assert table["openml"].dropna().to_dict() == OPENML


@each("yes, no", [("True", "False"), ("TRUE", "FALSE"), ("1", "0"), (1, 0), (1.0, 0.0)])
def test_a_holiday_is_1_however_openml_spells_it(yes, no):
    copy = pd.DataFrame({"holiday": [yes, no, no, yes], "workingday": [no, yes, yes, no]})
    copy = copy.assign(season="fall", weather="rain", temp=41.0, feel_temp=50.0, windspeed=67.0)
    back = _fetch._bike_from_openml(copy.assign(year=0, month=1, hour=0, weekday=1, humidity=0.5))
    assert back["holiday"].tolist() == [1, 0, 0, 1]
    assert back["workingday"].tolist() == [0, 1, 1, 0]


def from_openml(monkeypatch, tmp_path, copy):
    asked = []
    monkeypatch.setattr(_fetch, "fetch_openml", lambda **k: asked.append(k["data_id"]) or copy)
    monkeypatch.setenv("TREELAB_DATA", str(tmp_path))
    return asked


@each("name", BY_POSITION)
def test_openml_gives_the_same_inputs_and_target(name, data_folder, tmp_path, monkeypatch):
    here = real(name)
    asked = from_openml(monkeypatch, tmp_path, openml_copy(name, here.frame))
    there = _fetch.fetch_data_set(name)
    assert asked == [REGISTRY[name].openml]
    pd.testing.assert_frame_equal(there.data, here.data)
    pd.testing.assert_series_equal(there.target, here.target)


def test_openml_bike_sharing_is_brought_back_to_codes(data_folder, tmp_path, monkeypatch):
    here = datasets.fetch_bike_sharing()
    d = here.data
    seasons = np.array(["spring", "summer", "fall", "winter"])
    weather = np.array(["clear", "misty", "rain", "heavy_rain"])
    columns = {
        "season": pd.Categorical(seasons[d["season"] - 1]),
        "year": d["yr"], "month": d["mnth"], "hour": d["hr"],
        "holiday": pd.Categorical(np.where(d["holiday"], "True", "False")),
        "weekday": d["weekday"],
        "workingday": pd.Categorical(np.where(d["workingday"], "True", "False")),
        "weather": pd.Categorical(weather[d["weathersit"] - 1]),
        "temp": (d["temp"] * 41).round(2), "feel_temp": (d["atemp"] * 50).round(3),
        "humidity": d["hum"], "windspeed": (d["windspeed"] * 67).round(4),
    }  # fmt: skip
    copy = Bunch(target=here.target.rename("count"), data=pd.DataFrame(columns))
    from_openml(monkeypatch, tmp_path, copy)
    pd.testing.assert_frame_equal(datasets.fetch_bike_sharing().data, d)


CHANGES = [
    (lambda c: {"data": c.data[1:], "target": c.target[1:]}, r"expected one: rows 207 .*208\)"),
    (lambda c: {"data": c.data.assign(attribute_3=np.nan)}, "missing cells 208"),
    (lambda c: {"target": c.target.map({"Mine": "Rock", "Rock": "Mine"})}, "class counts"),
    (lambda c: {"data": c.data.assign(more=0.0)}, "OpenML's copy of sonar has the columns"),
    (
        lambda c: {"target": c.target.map({"Mine": "Reef", "Rock": "Rock"})},
        "Column 'Class' of Sonar.*Reef",
    ),
]


@each("change, words", CHANGES)
def test_a_different_copy_is_refused(change, words, data_folder, tmp_path, monkeypatch):
    copy = openml_copy("sonar", real("sonar").frame)
    copy.update(change(copy))
    from_openml(monkeypatch, tmp_path, copy)
    with pytest.raises(ValueError, match=words):
        datasets.fetch_sonar()


def test_a_changed_cell_warns_and_is_refused_where_the_copy_is_known(
    data_folder, tmp_path, monkeypatch
):
    copies = {n: openml_copy(n, real(n).frame) for n in ("sonar", "hill_valley")}
    for copy in copies.values():
        copy.data.iloc[0, 0] += 1
    from_openml(monkeypatch, tmp_path, copies["sonar"])
    with pytest.warns(UserWarning, match="Some cells of sonar differ"):
        datasets.fetch_sonar()
    from_openml(monkeypatch, tmp_path, copies["hill_valley"])
    with pytest.raises(ValueError, match="Some cells of hill_valley differ"):
        datasets.fetch_hill_valley()
