"""Filters: scores as Weka's, scikit-learn's and by hand; how many are kept."""

import warnings

import numpy as np
import pandas as pd
import pytest
from attribute_selection import SETS, case
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_regression
from sklearn.feature_selection import (
    SelectKBest,
    f_regression,
    r_regression,
)

from treelab.datasets import load_mushrooms
from treelab.fast.impurity import impurity_table
from treelab.fast.information import mdl_cuts, quantile_cuts
from treelab.fast.inputs import find_task
from treelab.fast.selection import CFSSelector, FCBFSelector, FilterSelector, filter_table
from treelab.fast.selection.filters import MEASURES

X, Y = load_diabetes(return_X_y=True)
MUSHROOMS, EATABLE = load_mushrooms(return_X_y=True)


@pytest.mark.parametrize("name", SETS)
def test_cuts_are_weka_s(name):
    features, target, found = case(name)
    selector = FilterSelector(missing="share").fit(features, target)
    cuts = {features.columns[j]: cuts.tolist() for j, cuts in selector.cuts_.items()}
    assert cuts == (found.get("mdl_cut_points") or {})


def test_f_and_r_are_scikit_learn_s():
    wide, target = make_regression(80, 30, n_informative=5, noise=20, random_state=0)
    for data, y in ((X, Y), (wide, target), load_wine(return_X_y=True), (X[:3], Y[:3])):
        F, p = f_regression(data, y)
        table = filter_table(data, y, "f")
        np.testing.assert_allclose(table["score"], F, rtol=1e-12)
        np.testing.assert_allclose(table["p_value"], p, rtol=1e-10)
        r = filter_table(data, y, "pearson")
        np.testing.assert_allclose(r["r"], r_regression(data, y), rtol=1e-12)
        np.testing.assert_array_equal(r["score"], np.abs(r["r"]))
        np.testing.assert_array_equal(table["rank"], r["rank"])
    kept = SelectKBest(f_regression, k=7).fit(wide, target).get_support()
    ours = FilterSelector("f", number=7).fit(wide, target)
    np.testing.assert_array_equal(ours.get_support(), kept)


def test_columns_far_from_zero_keep_their_digits():
    near, far = (filter_table(data, Y, "f")["score"] for data in (X, X + 2.0**20))
    np.testing.assert_allclose(far, near, rtol=1e-7)  # the data themselves are rounded


def test_f_has_ends():
    x = np.arange(6.0)
    table = filter_table(np.column_stack([x, -3 * x, np.ones(6)]), x, "f")
    assert (table["score"][:2] > 1e12).all()
    assert table.loc[2, ["r", "score", "p_value", "rank"]].tolist() == [0, 0, 1, 3]


def test_the_arithmetic_leads_to_the_score():
    for measure in ("gain_ratio", "symmetrical_uncertainty"):
        t = filter_table(MUSHROOMS, EATABLE, measure)
        total = t["H_feature"] + t["H_target"]
        np.testing.assert_allclose(t["mutual_information"], total - t["H_both"], rtol=1e-12)
        below = t["H_feature"] if measure == "gain_ratio" else total / 2
        np.testing.assert_allclose(t["score"], t["mutual_information"] / below, rtol=1e-12)
        assert t["levels"].tolist() == [3, 2, 2]
    hand = impurity_table(MUSHROOMS, EATABLE).groupby(level=0, sort=False).first()
    t = filter_table(MUSHROOMS, EATABLE, "gain_ratio")
    np.testing.assert_allclose(t["score"], hand["gain_ratio"], rtol=1e-12)
    np.testing.assert_allclose(t["mutual_information"], hand["gain"], rtol=1e-12)
    t = filter_table(X, Y, "f")
    np.testing.assert_allclose(t["score"], t["r"] ** 2 / (1 - t["r"] ** 2) * (t["n"] - 2))


@pytest.mark.parametrize(("how", "cut"), [("mdl", mdl_cuts), ("quantile", quantile_cuts)])
def test_numbers_are_cut_first(how, cut):
    data, y = load_breast_cancer(return_X_y=True)
    data = data[:, :5]
    cuts = [cut(x, y) if how == "mdl" else cut(x) for x in data.T]
    bins = np.column_stack([np.searchsorted(c, x) for c, x in zip(cuts, data.T)])
    found = filter_table(data, y, discretize=how)
    expected = filter_table(bins, y, categorical_features="all")
    pd.testing.assert_series_equal(found["score"], expected["score"])


@pytest.mark.parametrize("measure", ["variance", "pearson", "f"])
def test_a_row_that_is_unknown_is_left_out_of_its_column(measure):
    data = X[:, :3].copy()
    data[:50, 0], data[100:300, 2] = np.nan, np.nan
    table = filter_table(data, Y, measure, missing="pairs")
    for j, x in enumerate(data.T):
        known = ~np.isnan(x)
        alone = filter_table(x[known, None], Y[known], measure)
        np.testing.assert_allclose(table["score"][j], alone["score"][0], rtol=1e-12)
        assert table["n"][j] == known.sum()


# --- how many are kept -------------------------------------------------------------------


def test_a_percentage_keeps_one_at_least_and_is_no_victim_of_rounding():
    data = np.random.default_rng(0).normal(size=(20, 100))
    assert FilterSelector("variance", percentage=0.1).fit(data).n_features_ == 1
    for percentage in range(1, 101):  # 100 * 29 / 100 is 28.999999999999996 in another order
        selector = FilterSelector("variance", percentage=percentage).fit(data)
        assert selector.n_features_ == percentage


def test_a_threshold_must_be_passed():
    table = filter_table(MUSHROOMS, EATABLE)
    size = table["score"][1]
    for threshold, kept in ((size, ["color"]), (np.nextafter(size, 0), ["color", "size"])):
        selector = FilterSelector(threshold=threshold).fit(MUSHROOMS, EATABLE)
        assert selector.get_feature_names_out().tolist() == kept
    assert FilterSelector(threshold=-1).fit(MUSHROOMS, EATABLE).n_features_ == 3


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.data())
def test_of_equal_scores_the_first_feature_is_better(sizes, data):
    """Columns of variance 0, 1, 4, 9, their rows in any order."""
    number = data.draw(st.integers(1, len(sizes)))
    columns = np.column_stack([data.draw(st.permutations([-s, s, -s, s])) for s in sizes])
    selector = FilterSelector("variance", number=number).fit(columns * 0.1)
    expected = sorted(range(len(sizes)), key=lambda j: -sizes[j])
    assert np.argsort(selector.ranking_).tolist() == expected
    assert set(selector.get_support(indices=True)) == set(expected[:number])


def test_the_steps_are_the_table_in_the_order_of_the_ranks():
    selector = FilterSelector(number=1).fit(MUSHROOMS[["spots", "size", "color"]], EATABLE)
    steps = selector.steps_table()
    assert steps["feature"].tolist() == ["color", "size", "spots"]
    assert steps["kept"].tolist() == [True, False, False]
    table = filter_table(MUSHROOMS[["spots", "size", "color"]], EATABLE)
    pd.testing.assert_frame_equal(
        steps.drop(columns="kept"), table.sort_values("rank").reset_index(drop=True)
    )


@pytest.mark.parametrize("measure", MEASURES)
def test_a_constant_column_is_last(measure):
    y = np.arange(30) % 2
    data = pd.DataFrame({"constant": 1.5, "tells": y + np.arange(30) / 100})
    table = filter_table(data, y, measure)
    assert table["score"][0] == 0
    assert table["rank"].tolist() == [2, 1]
    selector = FilterSelector(measure).fit(data, y)
    assert selector.get_feature_names_out().tolist() == ["tells"]


# --- the task of a target ---------------------------------------------------------------------


def test_whole_numbers_of_many_values_are_a_regression_target():
    """The progress of diabetes takes 214 whole values, and all scores of classes would be 0."""
    bins = np.searchsorted(quantile_cuts(Y, 5), Y)
    for measure in ("mutual_information", "gain_ratio", "symmetrical_uncertainty"):
        found = filter_table(X, Y, measure)
        assert (found["score"] > 0).sum() == 7
        pd.testing.assert_frame_equal(found, filter_table(X, bins, measure))
    selector = FilterSelector(number=3).fit(X, Y)
    assert selector.task_ == "regression"
    assert selector.target_cuts_.tolist() == quantile_cuts(Y, 5).tolist()
    noisy = FilterSelector(number=3).fit(X, Y + np.random.default_rng(0).normal(0, 0.1, len(Y)))
    assert noisy.get_support(indices=True).tolist() == selector.get_support(indices=True).tolist()
    for other in (CFSSelector(), FCBFSelector()):
        assert other.fit(X, Y).n_features_ > 1


def test_the_task_may_be_said():
    selector = FilterSelector(task="classification").fit(X, Y)
    assert (selector.task_, selector.target_cuts_) == ("classification", None)
    assert not selector.scores_.any()
    ten = np.arange(len(Y)) % 10
    assert FilterSelector().fit(X, ten).task_ == "classification"
    assert FilterSelector(task="regression", n_bins=2).fit(X, ten).target_cuts_.tolist() == [4]


def test_the_rule_for_a_task():
    for y, task in (
        (["a", "b"], "classification"),
        ([True, False], "classification"),
        (pd.Categorical(range(30)), "classification"),
        (range(20), "classification"),
        (range(21), "regression"),
        (np.arange(21.0), "regression"),
        ([0.5, 1], "regression"),
    ):
        assert find_task(y) == task


def test_equal_scores_at_the_border_are_named():
    columns = np.column_stack([X[:, 2], X[:, 8], X[:, 8], X[:, 1]])
    with pytest.warns(UserWarning, match="2 features.*which 1 of them is kept: x1, x2"):
        FilterSelector("f", number=2).fit(columns, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FilterSelector("f", number=3).fit(columns, Y)
