"""Sorting, thresholds and the choice among cuts of a frontier."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from cases import each

from treelab import DecisionTreeRegressor
from treelab.fast.growing import split_table
from treelab.fast.growing.frontier import Frontier
from treelab.fast.growing.training_data import Targets


def frontier_of(sizes, criterion="squared_error", n=None, seed=0):
    """A level with nodes of these sizes, and targets that claim to have n rows."""
    m = sum(sizes)
    y = np.random.default_rng(seed).normal(size=m)
    targets = Targets.of(y, np.ones(m), criterion)
    if n is not None:
        targets = replace(targets, y=np.broadcast_to(0.0, n))
    return Frontier(targets, np.arange(m), np.repeat(np.arange(len(sizes)), sizes))


def assert_sorted(frontier, rank):
    """By node and rank, equal places as they come, and equal neighbours are known."""
    order, same = frontier.sorting.by(rank)
    for these, equal, ranks in zip(order, same, rank):
        expected = np.lexsort((ranks, frontier.node))
        np.testing.assert_array_equal(these, expected)
        neighbours = (np.diff(ranks[expected]) == 0) & (np.diff(frontier.node) == 0)
        np.testing.assert_array_equal(equal, neighbours)


@each("n", [None, 1 << 40])
@each("sizes", [[1], [4], [3, 5, 8], [7, 1, 9]])
def test_places_are_sorted_by_node_and_rank_and_equal_ones_by_place(sizes, n):
    """However many rows the table has: 32 bits hold a rank, but no node and rank."""
    frontier = frontier_of(sizes, n=n)
    rank = np.random.default_rng(1).integers(0, min(3, sum(sizes)), size=(4, sum(sizes)))
    assert_sorted(frontier, rank.astype(np.int32))


@each("largest", ["ranks", "nodes"])
@each("beyond", [0, 1])
def test_the_largest_digits_and_the_next_are_sorted_alike(largest, beyond):
    """Up to 2 ** 16 rows and nodes are sorted by counting, more as numbers."""
    most = 2**16 + beyond
    sizes, n = ([6, 6, 8], most) if largest == "ranks" else ([1] * (most - 2) + [3, 4], 100)
    frontier = frontier_of(sizes, n=n)  # rows may stand in several nodes, one in each tree
    rank = n - 1 - np.random.default_rng(2).integers(0, 4, size=(2, sum(sizes)))
    assert_sorted(frontier, rank.astype(np.int32))


@pytest.mark.parametrize(("exponent", "packed"), [(56, True), (57, False), (59, False)])
def test_keys_that_do_not_fit_into_63_bits_are_sorted_in_the_plain_way(exponent, packed):
    """Three nodes, 20 rows: 5 bits for the place leave 58 for three times n."""
    n = 2**exponent
    frontier = frontier_of([6, 6, 8], n=n)
    assert (frontier.sorting.base[0] is not None) == packed
    rank = n - 1 - np.random.default_rng(2).integers(0, 4, size=(2, 20))
    assert_sorted(frontier, rank)


def test_the_tables_of_a_depth_are_freed_with_it():
    """No cycle keeps them until the next collection: growing then needed three times the memory."""
    targets = Targets.of(np.array([0.0, 1.0, 1.0, 3.0]), np.ones(4), "squared_error")
    frontier = Frontier(targets, np.arange(4), np.zeros(4, dtype=int))
    assert frontier.sides.total[0] > 0
    assert len(frontier.sorting.same_node) == 3
    left = weakref.ref(frontier)
    gc.disable()
    try:
        del frontier
        assert left() is None
    finally:
        gc.enable()


# --- the table of candidate cuts ------------------------------------------------------


def test_a_level_that_no_row_has_is_on_no_side():
    X = pd.DataFrame({"color": pd.Categorical(["a", "b", "d"], categories=list("abcd"))})
    table = split_table(X, [1.0, 2.0, 4.0], criterion="squared_error")
    assert table["test"].tolist() == ["color in {a}", "color in {a, b}"]


def test_of_gains_equal_but_for_rounding_the_first_row_is_the_best():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=200), rng.normal(size=200) * 0.1 + 0.3
    for w in (np.ones(200), rng.uniform(0.1, 1, 200)):
        for columns in ([x, -x], [-x, x]):
            table = split_table(np.column_stack(columns), y, "squared_error", sample_weight=w)
            assert table["feature"][table["best"]].tolist() == ["x[0]"]


def test_of_mirrored_cuts_the_smaller_threshold_is_the_best():
    """Targets that read the same from both ends: each cut has a twin, but for rounding."""
    for seed in range(20):
        half = np.random.default_rng(seed).normal(size=9) * 0.1 + 0.3
        y, X = np.concatenate([half, half[::-1]]), np.arange(18.0)[:, None]
        table = split_table(X, y, "squared_error")
        best = table.query("best")["threshold"].item()
        assert best <= 8.5
        assert best == DecisionTreeRegressor(max_depth=1).fit(X, y).tree_.threshold[0]
