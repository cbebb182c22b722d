"""CFS: merits, searches, and Weka's ways."""

import gzip
import json
from itertools import combinations

import numpy as np
import pytest
from attribute_selection import (
    SEARCHES,
    SETS,
    assert_same_merits,
    case,
)
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from places import DATA
from sklearn.datasets import load_breast_cancer

from treelab import filters as plain
from treelab.datasets import load_mushrooms
from treelab.fast.information import symmetrical_uncertainty
from treelab.fast.selection import CFSSelector, merit, merit_table, uncertainty_table

TEXTBOOK = json.loads(gzip.decompress((DATA / "selection" / "cfs_textbook.json.gz").read_bytes()))
MUSHROOMS, EATABLE = load_mushrooms(return_X_y=True)


@st.composite
def levels_and_classes(draw, most=6):
    """A small table with copies, constants and ties, and classes that depend on it."""
    n, p = draw(st.integers(4, 14)), draw(st.integers(1, most))
    columns = [draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)) for _ in range(p)]
    y = [min(a + b, 2) for a, b in zip(columns[0], columns[-1])]
    y[0] = 3  # two classes at least
    return np.array(columns).T, np.array(y)


def fit(X, y, search="best_first", **parameters):
    return CFSSelector(search, categorical_features="all", **parameters).fit(X, y)


def chosen(selector):
    return selector.get_support(indices=True).tolist()


# --- against Weka and the formula ----------------------------------------------------------


@each("run", ["cfs", "cfs_missing_separate"])
@each("name", SETS)
def test_merits_are_weka_s(name, run):
    assert_same_merits(name, run)


@pytest.mark.parametrize("name", TEXTBOOK["results"])
def test_the_formula_chooses_the_same(name):
    X, y, _ = case(name)
    found = TEXTBOOK["results"][name]
    table = uncertainty_table(X, y, missing="share")
    np.testing.assert_allclose(table["class"], found["su_class"], rtol=1e-12, atol=1e-14)
    pairs, expected = table.to_numpy()[:, :-1], np.array(found["su_matrix"])
    off = ~np.eye(len(pairs), dtype=bool)
    np.testing.assert_allclose(pairs[off], expected[off], rtol=1e-12, atol=1e-14)
    for search in SEARCHES:
        cfs = CFSSelector(search, missing="share").fit(X, y)
        assert set(cfs.get_feature_names_out()) == set(found["exhaustive_selected"])
        np.testing.assert_allclose(cfs.merit_, found["exhaustive_merit"], rtol=1e-12)
    steps = CFSSelector("forward", missing="share").fit(X, y).steps_table()
    path = steps[steps["better"]]
    assert path["feature"].tolist() == [name for name, _ in found["forward_path"]]
    np.testing.assert_allclose(path["merit"], [m for _, m in found["forward_path"]], rtol=1e-12)


# --- against brute force -------------------------------------------------------------------


@settings(max_examples=20)
@given(levels_and_classes(), st.sampled_from([1, 2, 5]))
def test_the_search_is_the_plain_one(data, max_stale):
    X, y = data
    found = plain.cfs(X.T.tolist(), y.tolist(), max_stale)
    cfs = fit(X, y, max_stale=max_stale)
    assert chosen(cfs) == found
    expected = plain.merit(found, X.T.tolist(), y.tolist())
    np.testing.assert_allclose(cfs.merit_, expected, rtol=1e-12)
    assert max_stale > 1 or chosen(fit(X, y, "forward")) == found
    expanded = [frozenset(step["subset"]) - {step["feature"]} for step in cfs.steps_]
    assert len(set(expanded)) == len(expanded)


@settings(max_examples=20)
@given(levels_and_classes(), st.integers(1, 4))
def test_weka_s_search_forgets_and_repeats(data, max_stale):
    """A short list of sets, the best first; what is found twice is twice in it."""
    X, y = data
    p = X.shape[1]
    every = [some for k in range(p + 1) for some in combinations(range(p), k)]
    table = merit_table(X, y, every, convention="weka", categorical_features="all")
    worth = dict(zip(map(frozenset, every), table["merit"]))
    best, waiting, stale = frozenset(), [frozenset()], 0
    while waiting and stale < max_stale:
        first, stale = waiting.pop(0), stale + 1
        for new in (first | {j} for j in range(p) if j not in first):
            waiting.append(new)
            if worth[new] > worth[best] + 1e-5:
                best, stale = new, 0
        waiting = sorted(waiting, key=lambda some: -worth[some])[:max_stale]
    cfs = fit(X, y, convention="weka", max_stale=max_stale)
    assert chosen(cfs) == sorted(best)
    assert len(cfs.steps_) >= max_stale or not waiting


@settings(max_examples=15)
@given(levels_and_classes())
def test_locally_predictive_features_are_those_that_no_chosen_one_covers(data):
    X, y = data
    first = chosen(fit(X, y))
    cfs = fit(X, y, locally_predictive=True)
    some = list(first)
    relevance = [symmetrical_uncertainty(x, y) for x in X.T]
    for j in sorted(range(X.shape[1]), key=lambda j: -round(relevance[j], 12)):
        told = [symmetrical_uncertainty(X[:, i], X[:, j]) for i in some if i != j]
        if j not in some and relevance[j] > 0 and max(told, default=0) <= relevance[j] + 1e-12:
            some.append(j)
    assert chosen(cfs) == sorted(some)
    rows = cfs.steps_table().query("rule == 'locally predictive'")
    assert len(rows) == X.shape[1] - len(first)
    assert rows["better"].sum() == len(some) - len(first)


# --- the formula ----------------------------------------------------------------------------


def test_the_table_has_all_sets_or_those_that_are_named():
    table = merit_table(MUSHROOMS, EATABLE)
    assert len(table) == 7
    pairs = uncertainty_table(MUSHROOMS, EATABLE)
    for row in table.itertuples():
        names = list(row.subset)
        found = merit(pairs.loc[names, "class"], pairs.loc[names, names])
        assert row.merit == pytest.approx(found, rel=1e-12)
        assert row.size == len(names)
        k, r_cf, r_ff = row.size, row.relevance, row.redundancy
        assert row.merit == pytest.approx(k * r_cf / np.sqrt(k + k * (k - 1) * r_ff))
    named = merit_table(MUSHROOMS, EATABLE, [["spots", "color"], [2, 0], []])
    assert named["subset"].tolist() == [("color", "spots"), ("color", "spots"), ()]
    assert named["merit"][2] == 0
    array = merit_table(np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1], [["x1"]])
    assert array["subset"].tolist() == [("x1",)]


def test_the_steps_of_best_first_show_when_it_gives_up():
    X, y = load_breast_cancer(return_X_y=True)
    steps = CFSSelector(max_stale=3).fit(X, y).steps_table()
    assert steps["stale"].tolist()[-3:] == [1, 2, 3]
    assert (steps["better"] == (steps["stale"] == 0)).all()
    assert steps["merit"].max() == steps["merit"][steps["better"]].iloc[-1]


def test_the_steps_of_an_exhaustive_search_are_the_best_of_each_size():
    steps = CFSSelector("exhaustive").fit(MUSHROOMS, EATABLE).steps_table()
    assert steps["subset"].tolist() == [("color",), ("color", "size"), ("color", "size", "spots")]
    assert steps["better"].tolist() == [False, True, False]


@pytest.mark.parametrize("convention", ["formula", "weka"])
def test_nothing_that_tells(convention):
    """Weka adds its first feature even then, if it looks for what is locally predictive."""
    X, y = [[0, 0], [0, 1], [0, 0], [0, 1]], [0, 0, 1, 1]
    for search in SEARCHES:
        cfs = fit(X, y, search, convention=convention)
        assert chosen(cfs) == []
        assert cfs.merit_ == 0
    cfs = fit(X, y, convention=convention, locally_predictive=True)
    assert chosen(cfs) == ([0] if convention == "weka" else [])
