"""Sizes, costs and rules of an elimination, where the printed tables do not reach."""

from fractions import Fraction

import numpy as np
import pytest
from cases import assert_refused, each, refused

from treelab.fast.selection import (
    elimination_cost,
    elimination_sizes,
    perc_std,
    smallest_size,
    stochastic_sizes,
)
from treelab.figures.choosing import stochastic_fits


@each("tenths", range(1, 10))
@each("P", [1, 2, 7, 100, 1000, 4000])
def test_sizes_of_the_thesis_are_whole_parts_of_exact_powers(tenths, P):
    stay, expected, k = Fraction(10 - tenths, 10), [P], 1
    while stay**k * P >= 2:
        expected.append(int(stay**k * P))
        k += 1
    assert elimination_sizes(P, tenths / 10) == expected


def test_a_power_that_is_whole_is_not_lost_to_rounding():
    assert elimination_sizes(1000, 0.1)[:4] == [1000, 900, 810, 729]
    assert elimination_sizes(10**6, 0.9, least=1)[-1] == 1
    assert int(0.7**3 * 10**9) == 342999999  # in floating point one is lost
    assert elimination_sizes(10**9, 0.3)[3] == 343000000


@each("step", [0.01, 0.2, 0.5, 0.95, 1, 3, 50])
@each("least", [1, 2, 5])
@each("P", [1, 2, 3, 10, 33])
def test_sizes_of_the_rule_of_the_genes(P, least, step):
    sizes = elimination_sizes(P, step, rule="one_se", least=least)
    assert sizes[0] == P
    assert sizes[-1] == min(P, least)
    for before, after in zip(sizes, sizes[1:]):
        drop = step if step >= 1 else max(1, round(step * before))
        assert after == max(least, before - drop) < before
    if step >= 1:
        assert elimination_sizes(P, step, least=least) == sizes


def test_costs():
    assert elimination_cost([8]) == 1
    assert elimination_cost([8, 2]) == 1.25
    assert elimination_cost([8, 2], power=0.5) == 1.5
    assert elimination_cost([8, 2], power=0) == 2  # every fit costs the same
    many = elimination_sizes(10**12, 0.2, least=1)
    assert elimination_cost(many, 0.5) == pytest.approx(1 / (1 - 0.8**0.5), rel=1e-5)


def test_stochastic_sizes_block_by_block():
    assert stochastic_sizes(10, 4, 0.5) == [10, 5]  # 4, 4, 2 lose 2, 2, 1; then 4 and 1 lose 2
    assert stochastic_sizes(10, 20, 0.5) == [10]
    assert stochastic_sizes(9, 3, 0.3) == [9]  # none leaves a block of three
    for double in (False, True):
        sizes = stochastic_sizes(5000, 15, 0.2, double=double)
        lost = {s: int((1 - 0.8) * s) if double else s // 5 for s in range(16)}
        for before, after in zip(sizes, sizes[1:]):
            assert before - after == before // 15 * lost[15] + lost[before % 15]


def test_fits_on_blocks():
    assert stochastic_fits(20, 20, 0.5) == 0  # one block holds all
    assert stochastic_fits(21, 20, 0.5) == 2
    assert stochastic_fits(100, 10, 0.5) == 10 + 5 + 3 + 2


def test_equal_errors_and_the_least_of_them():
    assert perc_std([0.3, 0.3, 0.3]).tolist() == [0, 0, 0]
    assert perc_std([0.3]).tolist() == [0]
    above = perc_std([4.0, 1, 2, 1, 5])
    np.testing.assert_allclose(above, (np.array([4.0, 1, 2, 1, 5]) - 1) / np.std([4, 1, 2, 1, 5]))
    assert smallest_size([9, 8, 7, 6, 5], above, 0) == 6  # of equal ones the smaller
    assert smallest_size([9, 8, 7, 6, 5], above, 100) == 5


@each("case", refused("sizes"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
