"""Sorting, thresholds and the choice among cuts of a frontier."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from cases import each

from treelab.fast.growing.frontier import Frontier
from treelab.fast.growing.splits import BestSplits, scan, search
from treelab.fast.growing.training_data import Columns, Targets


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


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_feature_without_ties_needs_no_comparison(criterion):
    """Distinct values: the gains are the same whether neighbours are compared or not."""
    frontier = frontier_of([5, 8], criterion=criterion)
    rank = np.random.default_rng(3).permutation(13)[None]
    for compared, not_compared in zip(scan(frontier, rank), scan(frontier, rank, tied=False)):
        np.testing.assert_array_equal(compared, not_compared)


def test_columns_know_which_features_have_ties():
    X = np.array([[1.0, 1.0, 0.0], [2.0, 1.0, 1.0], [3.0, 2.0, 2.0]])
    assert Columns.of(X, [0, 0, 3]).tied.tolist() == [False, True, True]


@pytest.mark.parametrize(("exponent", "packed"), [(56, True), (57, False), (59, False)])
def test_keys_that_do_not_fit_into_63_bits_are_sorted_in_the_plain_way(exponent, packed):
    """Three nodes, 20 rows: 5 bits for the place leave 58 for three times n."""
    n = 2**exponent
    frontier = frontier_of([6, 6, 8], n=n)
    assert (frontier.sorting.base[0] is not None) == packed
    rank = n - 1 - np.random.default_rng(2).integers(0, 4, size=(2, 20))
    assert_sorted(frontier, rank)


def test_only_a_cut_that_is_better_by_more_than_a_tie_takes_over():
    old, new = BestSplits.none(3, 0), BestSplits.none(3, 0)
    old.gain[:], old.feature[:] = 1.0, 0
    new.gain[:], new.feature[:] = [1.25, 1.5, 0.5], 1
    old.improve(np.arange(3), new, np.full(3, 0.25))
    assert old.feature.tolist() == [0, 1, 0]
    assert old.gain.tolist() == [1.0, 1.5, 1.0]


def test_each_node_has_its_own_features_and_its_own_first_cut():
    """Node 0 tries columns 0 and 2, node 1 columns 1 and 2; the best is the second one."""
    y = np.array([0.0, 0.0, 1.0, 1.0] * 2)
    good, bad = [0.0, 1.0, 2.0, 3.0] * 2, [0.0, 2.0, 1.0, 2.0] * 2
    columns = Columns.of(np.column_stack([bad, bad, good]), [0, 0, 0])
    frontier = Frontier(
        Targets.of(y, np.ones(8), "squared_error"), np.arange(8), np.repeat([0, 1], 4)
    )
    cuts = search(columns, frontier, np.array([[0, 1], [2, 2]]), np.ones(2))
    assert cuts.feature.tolist() == [2, 2]
    assert cuts.rank.tolist() == [1, 1]
    assert cuts.next_rank.tolist() == [2, 2]
    np.testing.assert_allclose(cuts.gain, 1.0)
    cuts = search(columns, frontier, np.array([[0, 1]]), np.ones(2))
    assert cuts.feature.tolist() == [0, 1]


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_sums_left_of_each_split(weight):
    """They count every row as often as the bootstrap drew it, node by node."""
    rng = np.random.default_rng(0)
    y, copies = rng.integers(0, 2, 12), rng.integers(1, 5, 12)
    targets = Targets.of(y, np.full(12, weight), "gini", 2)
    rows, nodes = rng.permutation(12), np.repeat([0, 1, 2], [5, 1, 6])
    frontier = Frontier(targets, rows, nodes, copies)
    orders = [np.array([[*rng.permutation(5), 5, *rng.permutation(6) + 6]]) for _ in range(2)]
    for k, amounts in ((0, copies), (1, copies * y[rows])):
        for order in (orders[0], orders[1], orders[0]):
            expected = [
                amounts[order[0, : i + 1]][nodes[: i + 1] == nodes[i]].sum() for i in range(12)
            ]
            found = frontier.sides.sums_left(k, order)
            np.testing.assert_allclose(found, [np.array(expected) * weight])


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
