"""The tables behind chapter 16: a part of them again, the paper's own, and the marks in them."""

import math
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script
from scipy import stats

from treelab import C45Classifier, RandomForestClassifier
from treelab.datasets import fetch_sonar
from treelab.fast.selection import CFSSelector, FCBFSelector

reluctant_trees = load_script("reluctant_trees")
TABLE = pd.read_csv(
    FOLDER / "reluctant_trees.csv", dtype={"method": str, "columns": str, "fold": "Int64"}
).fillna({"columns": ""})
MARKS = pd.read_csv(FOLDER / "reluctant_marks.csv")
PAPER = pd.read_csv(FOLDER / "reluctant_paper.csv", keep_default_na=False)
AGAIN = ["kept", "forest", "forest_log", "c45", "bayes"]
SELECTORS = ["RRF", "RBoost", "CFS", "FCBF"]


def assert_the_same(rows):
    """All that is no time is as committed."""
    rows = list(rows)
    assert rows
    for row in rows:
        old = TABLE
        for key in ("study", "set", "repetition", "fold", "method"):
            if key in row:
                old = old[old[key] == row[key]]
        if row["study"] in ("path", "vehicle"):
            old = old[old["kept"] == row["kept"]]
        assert len(old) == 1, row
        for column in set(AGAIN) & set(row):
            assert float(row[column]) == pytest.approx(float(old[column].item()), abs=1e-6), row
        assert row.get("columns", "") == old["columns"].item()


def test_every_repetition_is_there():
    found = TABLE.groupby(["study", "set", "method"])
    n = found.size()
    assert n.loc["sets"].to_dict() == {
        (name, way): 20 for name in reluctant_trees.FETCH for way in reluctant_trees.WAYS
    }
    assert len(n.loc["sets"]) == 16 * 5
    assert len(n.loc["penalties"]) == 5 * 3
    assert (n.loc["penalties"] == 10).all()
    assert n.loc["vehicle"].to_dict() == {("vehicle", "random order"): 180}
    of_svm = {"musk": 3 * (50 + 23 + 1), "arrhythmia": 3 * (50 + 45 + 1)}
    assert n.loc["path"].to_dict() == {
        (name, way): 30 if way == "RRF" else of_svm[name]
        for name in of_svm for way in ("RRF", "SVM-RFE")
    }  # fmt: skip
    keys = ["study", "set", "repetition", "fold", "method"]
    once = TABLE[TABLE["study"].isin(["sets", "penalties"])]
    assert not once.duplicated(keys).any()
    assert sorted(once.query("study == 'sets'")["repetition"].unique()) == list(range(10))
    judges = TABLE[TABLE["study"] == "sets"][["forest", "forest_log", "c45", "time"]]
    assert judges.notna().all(axis=None)


WITHOUT_RBOOST = ("all", "RRF", "CFS", "FCBF")


@pytest.mark.parametrize(
    ("name", "ways", "repetitions"),
    [
        pytest.param("parkinsons", reluctant_trees.WAYS, [4], marks=pytest.mark.whole),
        pytest.param("sonar", WITHOUT_RBOOST, [7], marks=pytest.mark.whole),
        pytest.param("parkinsons", reluctant_trees.WAYS, range(10), marks=pytest.mark.whole),
        pytest.param("sonar", WITHOUT_RBOOST, range(10), marks=pytest.mark.whole),
    ],
    ids=["parkinsons", "sonar", "whole-parkinsons", "whole-sonar"],
)
def test_a_set_is_made_again(name, ways, repetitions, monkeypatch):
    monkeypatch.setattr(reluctant_trees, "unit", lambda train, seed: 1.0)  # times are not compared
    for repetition in repetitions:
        for fold in (0, 1):
            assert_the_same(reluctant_trees.of_a_fold(name, repetition, fold, ways))


@pytest.mark.parametrize(
    ("name", "repetition", "fold", "ways"),
    [
        pytest.param("horse", 3, 1, ("RRF", "CFS"), marks=pytest.mark.whole),
        ("sonar", 6, 1, ("RBoost",)),
        ("HillValley", 9, 0, ("CFS", "FCBF")),
        pytest.param("hypo", 7, 0, ("RRF", "FCBF"), marks=pytest.mark.whole),
        pytest.param("arrhythmia", 2, 1, ("FCBF",), marks=pytest.mark.whole),
    ],
    ids=["horse", "sonar", "HillValley", "hypo", "arrhythmia"],
)
def test_a_fold_is_made_again(name, repetition, fold, ways):
    assert_the_same(reluctant_trees.of_a_fold(name, repetition, fold, ways))


def test_a_penalty_is_made_again():
    assert_the_same(reluctant_trees.with_penalties("parkinsons", 4, 1, (0.1,)))


@pytest.mark.parametrize(
    ("sizes", "runs"), [([25, 5], 1), pytest.param([166, 60, 25, 5], 2, marks=pytest.mark.whole)]
)
def test_a_path_is_made_again(sizes, runs, monkeypatch):
    monkeypatch.setattr(reluctant_trees, "sizes", lambda d: sizes)
    rows = list(reluctant_trees.along_a_path("musk", 2, runs=runs))
    assert len(rows) == len(sizes) + runs
    assert_the_same(rows)


@pytest.mark.parametrize("n_rows", [2, pytest.param(18, marks=pytest.mark.whole)])
def test_the_vehicle_is_made_again(n_rows):
    rows = list(islice(reluctant_trees.one_more(6), n_rows))
    assert len(rows) == n_rows
    assert_the_same(rows)


def test_a_row_without_the_script():
    """The sonar's first fold of replicate 7: what FCBF keeps, and both judges."""
    row = TABLE.query(
        "study == 'sets' and set == 'sonar' and repetition == 7 and fold == 0 and method == 'FCBF'"
    ).iloc[0]
    X, y = fetch_sonar(return_X_y=True)
    folds = reluctant_trees.StratifiedKFold(2, shuffle=True, random_state=7)
    train, test = next(folds.split(X, y))
    X, y = X.to_numpy(), np.asarray(y)
    kept = FCBFSelector().fit(X[train], y[train]).support_
    forest = RandomForestClassifier(200, max_features=math.ceil(kept.sum() ** 0.5), random_state=14)
    forest.fit(X[train][:, kept], y[train])
    tree = C45Classifier().fit(X[train][:, kept], y[train])
    right = [np.mean(model.predict(X[test][:, kept]) == y[test]) for model in (forest, tree)]
    assert [kept.sum(), *right] == pytest.approx([row["kept"], row["forest"], row["c45"]], abs=1e-6)


@pytest.mark.parametrize(
    ("d", "root", "log"), [(1, 1, 1), (8, 3, 4), (100, 10, 7), (10000, 100, 14)]
)
def test_how_many_columns_a_node_tries(d, root, log):
    assert (reluctant_trees.by_root(d), reluctant_trees.by_log(d)) == (root, log)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.whole)])
def test_columns_that_say_nothing_do_not_enter_cfs(every, monkeypatch):
    (X, y), _, _ = reluctant_trees.halves("madelon", 0, 0)
    says = reluctant_trees.relevant(X, y)
    X = X.loc[:, says | (np.arange(len(says)) % every == 0)]
    assert 5 < reluctant_trees.relevant(X, y).sum() < 100
    of_all = reluctant_trees.chosen("CFS", X, y, 0)
    monkeypatch.setattr(reluctant_trees, "MANY", 100)
    searched = []
    monkeypatch.setattr(reluctant_trees, "CFSSelector", counting(searched))
    assert reluctant_trees.chosen("CFS", X, y, 0).tolist() == of_all.tolist()
    assert searched == [reluctant_trees.relevant(X, y).sum()]


def counting(seen):
    """CFS that notes how many columns it is given."""

    class Counting(CFSSelector):
        def fit(self, X, y):
            seen.append(X.shape[1])
            return super().fit(X, y)

    return Counting


def test_gaps_are_filled_from_the_rows_that_choose():
    X = pd.DataFrame({
        "a": [1.0, 2, 9, np.nan, 50, 50], "b": pd.Categorical(["x", "y", "y", "z", "z", None]),
        "c": np.nan, "d": 1,
    })  # fmt: skip
    filled = reluctant_trees.filled(X, [0, 1, 2, 3])
    assert filled["a"].tolist() == [1, 2, 9, 2, 50, 50]
    assert filled["b"].tolist() == ["x", "y", "y", "z", "z", "y"]
    assert filled["c"].tolist() == [0] * 6
    assert X["a"].isna().sum() == 1


# --- marks ------------------------------------------------------------------------------


def test_both_tests_by_hand():
    rng = np.random.default_rng(0)
    each = rng.normal(0.01, 0.02, size=(10, 2))
    found = reluctant_trees.compared(each)
    assert found["difference"] == pytest.approx(each.mean())
    assert found["p"] == pytest.approx(stats.ttest_1samp(each.mean(axis=1), 0).pvalue)
    t = each.mean() / math.sqrt((1 / 20 + 1) * each.var(ddof=1))
    assert found["p_corrected"] == pytest.approx(2 * stats.t(19).sf(abs(t)))
    moved = each - each.mean() + found["least"]
    assert reluctant_trees.compared(moved)["p_corrected"] == pytest.approx(0.05)


def test_no_scatter():
    nothing = reluctant_trees.compared(np.zeros((10, 2)))
    assert (nothing["p"], nothing["p_corrected"], nothing["least"]) == (1, 1, 0)
    always = reluctant_trees.compared(np.full((10, 2), 0.25))
    assert (always["p"], always["p_corrected"]) == (0, 0)


def test_marks_are_derived_from_the_rows():
    again = reluctant_trees.marks(TABLE)
    assert len(again) == 16 * 3 * 5
    pd.testing.assert_frame_equal(again, MARKS, check_exact=False, atol=1e-6, rtol=1e-4)
    assert set(MARKS["mark"]) == set("+-=")
    for of in ("", "_corrected"):
        marked = MARKS["mark" + of] != "="
        assert (marked == (MARKS["p" + of] < 0.05)).all()
        assert ((MARKS["mark" + of] == "+") == (marked & (MARKS["difference"] > 0))).all()


def test_the_marks_of_the_paper_are_counted_as_it_counts():
    assert len(PAPER) == 18 * 5
    assert PAPER.groupby("set")["method"].agg(list).map(lambda m: m == ["all", *SELECTORS]).all()
    printed = {
        "forest": {"RRF": (4, 6, 8), "RBoost": (3, 6, 9), "CFS": (2, 14, 2), "FCBF": (0, 16, 2)},
        "c45": {"RRF": (1, 1, 16), "RBoost": (2, 0, 16), "CFS": (5, 3, 10), "FCBF": (3, 3, 12)},
    }
    for judge, of_methods in printed.items():
        for method, counts in of_methods.items():
            marks = PAPER.loc[PAPER["method"] == method, judge + "_mark"].tolist()
            assert tuple(marks.count(mark) for mark in "+-=") == counts
    assert (PAPER.query("method == 'all'")[["forest_mark", "c45_mark"]] == "").all(axis=None)
    assert set(reluctant_trees.FETCH) == set(PAPER["set"]) - {"gina", "hiva"}


def test_numbers_of_the_paper():
    """A few, and the sums of all columns of tables II and III."""
    table = PAPER.set_index(["set", "method"])
    assert table.loc[("arcene", "CFS"), ["kept", "forest", "c45"]].tolist() == [49.4, 0.713, 0.566]
    assert table.loc[("ada", "RRF"), ["kept", "forest", "c45"]].tolist() == [39.1, 0.839, 0.829]
    d = {name: len(reluctant_trees.table(name)[0].columns) for name in ("sonar", "musk", "german")}
    assert {name: table.loc[(name, "all"), "kept"] for name in d} == d
