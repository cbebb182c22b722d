"""Numbers as levels: the cuts of Fayyad and Irani, bins of equal size."""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from treelab import filters as plain
from treelab.fast.information import cut_numbers, mdl_cuts, mdl_table, quantile_cuts

few = settings(max_examples=60)


@st.composite
def numbers_and_classes(draw, n_classes=3):
    """Few values, so that many rows share one; the classes depend on them."""
    n = draw(st.integers(1, 40))
    x = draw(st.lists(st.integers(0, 7), min_size=n, max_size=n))
    change = draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    return x, [(v // 3 if c else c + v) % n_classes for v, c in zip(x, change)]


@few
@given(numbers_and_classes())
def test_cuts_are_those_of_the_plain_rule(data):
    assert mdl_cuts(*data).tolist() == plain.mdl_cuts(*data)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_cuts_of_real_columns_are_those_of_the_plain_rule(load):
    X, y = load(return_X_y=True)
    for x in X.T:
        assert mdl_cuts(x, y).tolist() == plain.mdl_cuts(x.tolist(), y.tolist())


def test_a_cut_must_pay_for_the_choice_among_cuts():
    """Six rows in two heaps of equal values: one place to cut, or five, as one counts."""
    x, y = [1] * 3 + [2] * 3, list("aaabbb")
    told = np.log2(3**2 - 2) - 2 * 1.0  # two classes of entropy 1, and pure sides
    for candidates, choices in (("distinct", 1), ("rows", 5)):
        row = mdl_table(x, y, candidates=candidates).iloc[0]
        np.testing.assert_allclose(row["needed"], (np.log2(choices) + told) / 6, rtol=1e-12)
        assert row["gain"] == 1.0
    x, y = [1] * 5 + [2] * 5, list("aaaaabbbaa")
    assert len(mdl_cuts(x, y)) == 1
    assert len(mdl_cuts(x, y, candidates="rows")) == 0


def test_the_table_has_every_set_that_was_looked_at():
    X, y = load_iris(return_X_y=True)
    table = mdl_table(X[:, 2], y)
    np.testing.assert_array_equal(
        np.sort(table["cut_point"][table["accepted"]]), mdl_cuts(X[:, 2], y)
    )
    assert (table["accepted"] == (table["gain"] > table["needed"])).all()
    assert table.loc[0, ["low", "high", "n"]].tolist() == [1.0, 6.9, 150]
    for row in table.itertuples():
        assert ((X[:, 2] >= row.low) & (X[:, 2] <= row.high)).sum() == row.n
        assert row.low < row.cut_point < row.high
    assert mdl_table([1, 1], [0, 1]).empty
    assert list(mdl_table([1, 1], [0, 1])) == list(table)


def test_corners():
    assert mdl_cuts([1.0], ["a"]).size == 0
    assert mdl_cuts([3, 3, 3], [0, 1, 0]).size == 0
    assert mdl_cuts([1, 2, 3], [0, 0, 0]).size == 0
    assert mdl_cuts([np.nan] * 3, [0, 1, 0]).size == 0
    gaps = [1, 2, np.nan, 3, 4, np.nan, 5, 6, 7, 8]
    assert mdl_cuts(gaps, [0, 0, 1, 0, 0, 1, 1, 1, 1, 1]).tolist() == [4.5]
    low, high = 1.0, np.nextafter(1.0, 2)
    assert mdl_cuts([low] * 5 + [high] * 5, [0] * 5 + [1] * 5).tolist() == [low]
    huge = 1.7e308
    assert mdl_cuts([-huge] * 5 + [huge] * 5, [0] * 5 + [1] * 5).tolist() == [0.0]
    many = np.arange(1400)
    assert len(mdl_cuts(many, many % 700)) == 0  # 3 to the power of 700 is too large for a float


@pytest.mark.parametrize("n", [1, 2, 8, 9, 27, 28, 100])
def test_bins_are_of_equal_size(n):
    sizes = np.bincount(np.searchsorted(quantile_cuts(np.arange(n * 1.0)), np.arange(n)))
    assert len(sizes) == int(np.ceil(round(n ** (1 / 3), 9)))
    assert sizes.max() - sizes.min() <= 1


def test_equal_values_share_a_bin():
    x = np.array([0.0] * 70 + [1] * 5 + [2] * 25)
    assert quantile_cuts(x, 4).tolist() == [0.0, 1.0]
    assert quantile_cuts(x, 1).tolist() == []
    assert quantile_cuts(np.zeros(9)).tolist() == []
    assert quantile_cuts(np.empty(0)).tolist() == []


def test_a_table_of_numbers_and_levels():
    table = np.array([[1.0, 0, 0.5], [2, 1, 0.5], [np.nan, np.nan, 0.5], [4, 1, 9], [5, 0, 9]])
    y = np.array([0, 0, 1, 1, 1])
    codes, cuts = cut_numbers(np.vstack([table] * 3), np.tile(y, 3), [0, 2])
    assert cuts[0].tolist() == [3.0]
    assert codes[:5].T.tolist() == [[0, 0, -1, 1, 1], [0, 1, -1, 1, 0], [0, 0, 0, 1, 1]]
    codes, cuts = cut_numbers(table, y, [0, 2], None)
    assert cuts == {}
    assert codes.T.tolist() == [[0, 1, -1, 2, 3], [0, 1, -1, 1, 0], [0, 0, 0, 1, 1]]
    codes, cuts = cut_numbers(table, y, [0], "quantile")
    assert cuts[0].tolist() == [2.0]
    assert codes[:, 0].tolist() == [0, 0, -1, 1, 1]


@each("case", refused("cuts"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())


def test_a_series_is_read_by_position():
    x = pd.Series([1.0, 2, 3, 4, 5, 6, 7, 8], index=range(8, 0, -1))
    assert mdl_cuts(x, pd.Series(list("aaaabbbb"))).tolist() == [4.5]
