"""Medians of nodes and of both sides of every cut, against sorting by hand."""

import numpy as np
from cases import each

from treelab.fast.growing.frontier import Frontier
from treelab.fast.growing.medians import deviation_left_right, node_medians
from treelab.fast.growing.training_data import Targets


def median_of(y, w):
    """Smallest y with half of the weight at or below it; the middle of two where exactly half."""
    order = np.argsort(y, kind="stable")
    y, w = y[order], w[order]
    up_to = np.cumsum(w)
    low = np.flatnonzero(2 * up_to >= w.sum())[0]
    high = np.flatnonzero(2 * up_to > w.sum())[0]
    return (y[low] + y[high]) / 2


def deviation_of(y, w):
    return np.sum(w * np.abs(y - median_of(y, w))) if len(y) else 0.0


@each("with_copies", [False, True])
@each("seed", range(8))
def test_nodes_and_cuts_have_the_medians_of_their_rows(seed, with_copies):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, size=4)
    n = sizes.sum()
    y, w = rng.integers(-3, 6, n) + 100.0, rng.integers(1, 4, n).astype(float)
    copies = rng.integers(1, 4, n) if with_copies else None
    node = np.repeat(np.arange(4), sizes)
    frontier = Frontier(Targets.of(y, w, "absolute_error"), np.arange(n), node, copies)
    w = w * copies if with_copies else w
    median, deviation = node_medians(frontier)
    order = np.lexsort((rng.random(n), node))
    left, right = deviation_left_right(frontier, order)
    gain = frontier.targets.criterion.gains(frontier, order[None])[0]
    for t in range(4):
        rows = node == t
        assert median[t] == median_of(y[rows], w[rows])
        whole = deviation_of(y[rows], w[rows])
        np.testing.assert_allclose(deviation[t], whole / w[rows].sum(), atol=1e-12)
        places = order[rows]
        for k in range(len(places)):
            sides = [deviation_of(y[side], w[side]) for side in (places[: k + 1], places[k + 1 :])]
            at = np.flatnonzero(rows)[k]
            np.testing.assert_allclose([left[at], right[at]], sides, atol=1e-10)
            np.testing.assert_allclose(gain[at], whole - sum(sides), atol=1e-10)
    assert (left >= 0).all()
    assert (right >= 0).all()
