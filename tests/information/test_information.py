"""Entropies, mutual information and symmetrical uncertainty, with and without gaps."""

from itertools import product
from math import log, log2

import numpy as np
import pandas as pd
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from treelab.fast.information import (
    Levels,
    entropy_of,
    mutual_information,
    symmetrical_uncertainty,
    variables,
)

few = settings(max_examples=60)
SAME = {"rtol": 1e-9, "atol": 1e-11}
MISSING = ("share", "level", "pairs")


@st.composite
def two_columns(draw, gaps=False):
    """Two lists of levels of the same rows; None for a gap."""
    n = draw(st.integers(1, 9))
    levels = [None, "x", "y", "z"] if gaps else ["x", "y", "z"]
    return [draw(st.lists(st.sampled_from(levels), min_size=n, max_size=n)) for _ in range(2)]


def bits(amounts):
    """Entropy of the shares of some amounts, from its definition."""
    total = sum(amounts)
    return -sum(a / total * log2(a / total) for a in amounts if a > 0)


def dealt(a, b, missing):
    """{(level of a, level of b): weight}, each row for itself."""
    rows = list(zip(a, b))
    known_a, known_b = [[v for v in column if v is not None] for column in (a, b)]
    known = [(u, v) for u, v in rows if u is not None and v is not None]
    if missing == "pairs":
        rows = known
    whole = missing != "share" or not known_a or not known_b
    weight = {}
    for u, v in rows:
        if whole or (u is not None and v is not None) or (u is None and v is None and not known):
            pairs = [(u, v)]
        elif u is None and v is None:
            pairs = known
        elif u is None:
            pairs = [(other, v) for other in known_a]
        else:
            pairs = [(u, other) for other in known_b]
        for pair in pairs:
            weight[pair] = weight.get(pair, 0) + 1 / len(pairs)
    return weight


def by_hand(a, b, missing="level"):
    """H(a), H(b), H(a, b)."""
    weight = dealt(a, b, missing)
    margins = [{}, {}]
    for pair, w in weight.items():
        for margin, level in zip(margins, pair):
            margin[level] = margin.get(level, 0) + w
    return [bits(part.values()) if weight else 0.0 for part in (*margins, weight)]


@few
@given(two_columns())
def test_entropies_are_those_of_the_definition(columns):
    a, b = columns
    of_a, of_b, of_both = by_hand(a, b)
    np.testing.assert_allclose(entropy_of(a), of_a, **SAME)
    np.testing.assert_allclose(entropy_of(a, b), of_both, **SAME)
    np.testing.assert_allclose(mutual_information(a, b), of_a + of_b - of_both, **SAME)
    np.testing.assert_allclose(mutual_information(a, b), mutual_info_score(a, b) / log(2), **SAME)
    share = 2 * (of_a + of_b - of_both) / (of_a + of_b) if of_a + of_b else 0.0
    np.testing.assert_allclose(symmetrical_uncertainty(a, b), share, **SAME)


@few
@given(two_columns(gaps=True), st.sampled_from(MISSING))
def test_gaps_are_dealt_made_a_level_or_left_out(columns, missing):
    of_a, of_b, of_both = by_hand(*columns, missing)
    information = mutual_information(*columns, missing=missing)
    np.testing.assert_allclose(information, of_a + of_b - of_both, **SAME)
    np.testing.assert_allclose(entropy_of(*columns, missing=missing), of_both, **SAME)
    turned = symmetrical_uncertainty(*columns[::-1], missing=missing)
    np.testing.assert_allclose(symmetrical_uncertainty(*columns, missing=missing), turned, **SAME)
    assert 0 <= turned <= 1 + 1e-12


@few
@given(two_columns())
def test_nothing_and_everything(columns):
    a, b = columns
    known = len(set(a)) > 1
    np.testing.assert_allclose(symmetrical_uncertainty(a, a), 1.0 if known else 0.0, rtol=1e-12)
    np.testing.assert_allclose(mutual_information(a, a), entropy_of(a), rtol=1e-12)
    pairs = list(product(a, b))  # each value of a with each of b
    assert mutual_information(*zip(*pairs)) == 0 == symmetrical_uncertainty(*zip(*pairs))


def test_what_a_level_is_called_makes_no_difference():
    a, b = [1, 2, 2, 3, 3, 3], ["p", "q", "q", "p", "q", "q"]
    expected = symmetrical_uncertainty(a, b)
    for other in (
        ["one", "two", "two", "three", "three", "three"],
        pd.Categorical(["k", "l", "l", "m", "m", "m"], categories=["m", "unused", "k", "l"]),
        pd.Series([1, 2, 2, 3, 3, 3], dtype="Int64"),
        np.array([0.5, 2, 2, np.pi, np.pi, np.pi]),
    ):
        assert symmetrical_uncertainty(other, b) == expected
    np.testing.assert_allclose(symmetrical_uncertainty(a, np.array(b) == "q"), expected, rtol=1e-14)


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT])
def test_every_gap_is_one(gap):
    a, b = ["x", "x", gap, "y"], [0, 0, 1, 1]
    assert mutual_information(a, b, missing="pairs") == mutual_information(
        ["x", "x", "y"], [0, 0, 1]
    )
    assert mutual_information(a, b, missing="level") == 1.0


@each("missing", MISSING)
@each("cells", [1, 40, 2**18])
def test_all_columns_at_once_are_the_same_as_one_by_one(missing, cells, monkeypatch):
    monkeypatch.setattr(variables, "CELLS", cells)
    rng = np.random.default_rng(1)
    codes = np.column_stack([rng.integers(-1, k, 60) for k in (1, 2, 3, 9, 2)])
    levels = Levels(codes)
    columns = [4, 0, 1, 1, 3]
    found = levels.uncertainties(2, columns, missing)
    values = np.where(codes < 0, np.nan, codes)
    one_by_one = [
        symmetrical_uncertainty(values[:, j], values[:, 2], missing=missing) for j in columns
    ]
    np.testing.assert_allclose(found, one_by_one, rtol=1e-12, atol=1e-15)


def test_more_pairs_of_levels_than_can_be_counted(monkeypatch):
    monkeypatch.setattr(variables, "MOST_CELLS", 100)
    with pytest.raises(ValueError, match="10 and 10 levels: too many pairs to count"):
        mutual_information(range(10), range(10))
