"""Bins of the target and clusters in them, at the edges."""

import numpy as np
import pytest
from cases import assert_refused, each, refused
from hypothesis import given
from hypothesis import strategies as st

from treelab.fast.selection import cluster_rows, halved_bins, response_bins

TARGETS = st.lists(st.integers(-3, 3), min_size=1, max_size=30)


def sizes(bins):
    return [len(rows) for rows in bins]


@given(TARGETS, st.data(), st.sampled_from(["apart", "together"]))
def test_bins_hold_all_rows_in_order(y, data, ties):
    n_bins = data.draw(st.integers(1, len(y)))
    bins = response_bins(y, n_bins, ties=ties)
    values = np.array(y)
    rows = np.concatenate(bins)
    assert sorted(rows) == list(range(len(y)))
    assert (np.diff(values[rows]) >= 0).all()
    assert min(sizes(bins)) >= 1
    if ties == "apart":
        assert sizes(bins) == sizes(np.array_split(y, n_bins))
        assert rows.tolist() == sorted(range(len(y)), key=lambda i: y[i])
    else:
        assert len(bins) <= n_bins
        for low, high in zip(bins, bins[1:], strict=False):
            assert values[low].max() < values[high].min()


@given(TARGETS, st.integers(1, 5), st.sampled_from(["apart", "together"]))
def test_halves_hold_their_bin(y, n_levels, ties):
    levels, values = halved_bins(y, n_levels, ties=ties), np.array(y)
    assert len(levels) == n_levels
    for above, below in zip(levels, levels[1:], strict=False):
        assert np.concatenate(above).tolist() == np.concatenate(below).tolist()
        halved = [rows for rows in above if len(rows) > 1]
        if ties == "apart":
            assert len(below) == len(above) + len(halved)
            parts = iter(below)
            for rows in above:
                first = next(parts)
                assert len(first) == (len(rows) + 1) // 2
                if len(rows) > 1:
                    assert len(next(parts)) == len(rows) // 2
        else:
            differ = [rows for rows in above if np.ptp(values[rows]) > 0]
            assert len(below) == len(above) + len(differ)
            for low, high in zip(below, below[1:], strict=False):
                assert values[low].max() < values[high].min()


def test_a_cut_moves_to_the_nearest_change():
    quality = np.repeat([3, 4, 5, 6, 7, 8], [2, 16, 146, 220, 88, 18])
    assert sizes(response_bins(quality)) == [98] * 5
    together = response_bins(quality, ties="together")
    assert sizes(together) == [164, 220, 106]  # of the cuts at 98, 196, 294 and 392
    assert sizes(response_bins([1, 1, 2, 2, 3, 3], 2, ties="together")) == [2, 4]  # the lower one
    assert sizes(response_bins([4.0, 4, 4], 3, ties="together")) == [3]


def test_equal_targets_keep_the_order_of_the_rows():
    assert [rows.tolist() for rows in response_bins([2, 2, 1, 2], 2)] == [[2, 0], [1, 3]]


@pytest.mark.parametrize(
    ("rows", "most", "n_clusters"),
    [
        ([[0.0], [1.0]], 8, 1),  # two rows: every cluster would be one row
        ([[0.0], [0.0], [0.0], [0.0]], 8, 1),  # all alike
        ([[0.0], [0.0], [1.0]], 8, 2),
        ([[0.0], [0.0], [1.0], [1.0], [1.0]], 8, 2),  # two different rows
        ([[0.0], [1.0], [5.0], [6.0]], 1, 1),
        ([[0.0], [1.0], [5.0], [6.0]], 2, 2),
        ([[3.0]], 8, 1),
    ],
)
def test_how_many_clusters_there_can_be(rows, most, n_clusters):
    found = cluster_rows(np.array(rows), most, random_state=0)
    assert len(found.centers) == len(found.bins) == n_clusters
    assert sorted(set(found.labels)) == list(range(n_clusters))
    assert np.isnan(found.silhouettes).all() == (n_clusters == 1)
    np.testing.assert_allclose(
        found.centers, [np.array(rows)[each].mean(axis=0) for each in found.rows()]
    )


@each("case", refused("clusters"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
