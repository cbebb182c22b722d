"""Orders beside brute force, by both the fast and the plain functions."""

import numpy as np
import pytest
from cases import assert_refused, each, refused

from treelab import newsvendor as plain
from treelab.fast.boosting.losses import Quantile
from treelab.fast.newsvendor import best_order, margin_of, order_cost, order_level, order_table

COSTS = [(3, 1), (1, 3), (1, 1), (5, 2), (0.5, 4)]


def total(demand, order, under, over):
    return sum(under * max(d - order, 0) + over * max(order - d, 0) for d in demand)


@each(("under", "over"), COSTS)
@each("seed", range(8))
def test_no_order_costs_less(under, over, seed):
    rng = np.random.default_rng(seed)
    demand = rng.integers(0, 12, size=int(rng.integers(1, 15))).tolist()
    order = best_order(demand, order_level(under, over))
    assert order == plain.cheapest_order(demand, under, over)
    least = min(total(demand, q, under, over) for q in np.arange(-1, 14, 0.25))
    assert total(demand, order, under, over) == pytest.approx(least)
    assert order_cost(demand, order, under=under, over=over).sum() == pytest.approx(least)
    assert order in demand
    smaller = [d for d in demand if d < order]
    assert all(total(demand, q, under, over) > least + 1e-9 for q in smaller)


@pytest.mark.parametrize(("under", "over"), COSTS)
def test_table_row_by_row(under, over):
    demand = np.random.default_rng(1).integers(0, 9, 12)
    table = order_table(demand, under=under, over=over)
    assert table["order"].tolist() == sorted(set(demand.tolist()))
    for row in table.itertuples():
        assert row.cost == pytest.approx(total(demand, row.order, under, over))
        assert row.cost == pytest.approx(under * row.missing + over * row[3])
        half = total(demand, row.order + 0.5, under, over) - row.cost
        assert row[6] == pytest.approx(2 * half)
        assert row.above == sum(demand > row.order)
    best = table.loc[table["best"], "order"]
    assert best.tolist() == [best_order(demand, order_level(under, over))]


def test_cost_is_the_quantile_loss_in_other_units():
    rng = np.random.default_rng(0)
    demand, order = rng.normal(size=50), rng.normal(size=50)
    each = Quantile(0.75).each(demand, order)
    np.testing.assert_allclose(order_cost(demand, order, under=3, over=1), 4 * each)
    by_plain = [plain.cost(d, q, 3, 1) for d, q in zip(demand, order, strict=True)]
    np.testing.assert_allclose(order_cost(demand, order, under=3, over=1), by_plain)


@each("level", [0.5, 0.75, 0.8, 0.9])
@each("n", [1, 3, 4, 9, 20])
def test_margin_keeps_its_promise_over_all_orders(level, n):
    """Of n + 1 exchangeable lacks each is the new one equally often."""
    values = np.random.default_rng(n).normal(size=n + 1)
    kept = [values[i] <= margin_of(np.delete(values, i), level) for i in range(n + 1)]
    assert np.mean(kept) >= level - 1e-9
    if n > 1 / (1 - level):
        assert np.mean(kept) <= level + 1 / (n + 1) + 1e-9
    for i in range(n + 1):
        rest = np.delete(values, i)
        assert margin_of(rest, level) == plain.margin(rest.tolist(), level)


@each("case", refused("newsvendor"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
