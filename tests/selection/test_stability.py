"""Stability of sets and of rankings: against the definition, brute force and simulation."""

from itertools import combinations, permutations

import numpy as np
import pytest
from cases import assert_refused, each, refused
from scipy.stats import kendalltau

from treelab.fast.selection import nogueira_stability, selection_stability

RNG = np.random.default_rng(0)


def test_sets_of_any_size_by_the_definition():
    """The unbiased variance of each column, over that of a coin with the mean share."""
    for _ in range(20):
        masks = RNG.random((8, 11)) < RNG.random(11)
        share = masks.mean()
        expected = 1 - masks.var(axis=0, ddof=1).mean() / (share * (1 - share))
        assert nogueira_stability(masks)[0] == pytest.approx(expected, abs=1e-12)


def weighted(masks, w):
    """The measure where run i counts w[i] times, with shares and no unbiased variance."""
    p = w @ masks / w.sum()
    return 1 - np.mean(p * (1 - p)) / (p.mean() * (1 - p.mean()))


def test_the_interval_is_that_of_the_infinitesimal_jackknife():
    """Move the weight of one run a little: the slopes give the variance, up to R / (R - 1)."""
    R, h = 400, 1e-5
    masks = RNG.random((R, 12)) < RNG.random(12)
    slopes = [
        (weighted(masks, 1 + h * e) - weighted(masks, 1 - h * e)) / (2 * h) for e in np.eye(R)
    ]
    value, low, high = nogueira_stability(masks, level=0.6826894921370859)
    assert (high - low) / 2 == pytest.approx(np.sqrt(np.sum(np.square(slopes))), rel=0.01)
    assert (high + low) / 2 == pytest.approx(value)


def test_table_of_masks():
    masks = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=bool)
    table = selection_stability(masks, level=0.5)
    assert table.index.tolist() == ["nogueira", "jaccard", "mean_size"]
    assert tuple(table.loc["nogueira"]) == nogueira_stability(masks, level=0.5)
    assert table.loc["jaccard", "value"] == pytest.approx((1 / 3 + 0 + 0 + 0 + 0 + 1) / 6)
    assert table.loc["mean_size", "value"] == 1
    assert table["low"].isna().tolist() == [False, True, True]


def exchanges(a, b):
    """Least number of exchanges that turn one order into the other, one place after the other."""
    a, count = list(a), 0
    for i in range(len(a)):
        j = a.index(b[i])
        if j != i:
            a[i], a[j], count = a[j], a[i], count + 1
    return count


def test_table_of_rankings_by_brute_force():
    ranks = np.array([RNG.permutation(7) + 1 for _ in range(4)])
    table = selection_stability(ranks, top_k=3)["value"]
    orders = [list(np.argsort(each)) for each in ranks]
    pairs, tops = list(combinations(orders, 2)), [set(order[:3]) for order in orders]
    p = [[b.index(feature) for feature in a] for a, b in pairs]
    metric1 = [sum(2.0 ** -(q + j) for j, q in enumerate(way) if q != j) for way in p]
    metric2 = [sum(abs(q - j) * 2.0 ** -(q + j) for j, q in enumerate(way)) for way in p]
    expected = {
        "kendall_tau": [kendalltau(a, b).statistic for a, b in combinations(ranks, 2)],
        "jaccard_top_k": [len(a & b) / len(a | b) for a, b in combinations(tops, 2)],
        "swaps": [exchanges(a, b) for a, b in pairs],
        "metric1": metric1,
        "metric2": metric2,
    }
    for name, values in expected.items():
        assert table[name] == pytest.approx(np.mean(values), rel=1e-12), name
    masks = np.array([[j in top for j in range(7)] for top in tops])
    assert table["nogueira_top_k"] == pytest.approx(nogueira_stability(masks)[0])


def test_metrics_of_the_thesis_over_all_orders_of_five():
    """The means of all pairs with the first order are those that gold.json prints."""
    found = [
        selection_stability([[1, 2, 3, 4, 5], list(p)])["value"] for p in permutations(range(1, 6))
    ]
    means = [np.mean([each[name] for each in found]) for name in ("metric1", "metric2", "swaps")]
    assert means == pytest.approx([0.484375, 0.815625, 2.716666666666667])
    assert np.isnan(found[0]["nogueira_top_k"])  # all five are always in the first five


def test_ranks_may_tie_and_the_numbering_may_start_anywhere():
    ties = [[1, 1, 1, 2], [1, 2, 2, 2]]
    strict = [[1, 2, 3, 4], [1, 2, 3, 4]]
    np.testing.assert_array_equal(selection_stability(ties), selection_stability(strict))
    np.testing.assert_array_equal(
        selection_stability(np.array(strict) * 10.5 - 7), selection_stability(strict)
    )


@each("case", refused("stability"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
