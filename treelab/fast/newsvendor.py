"""Newsvendor problem: from a forecast to the order with the lowest expected cost.

An order that is too small by one unit costs `under`, one that is too large by one `over`. Where
the two differ, the best order is no mean: it is a quantile of the demand, at the level at which
one unit more is needed as often as it pays. This is the newsvendor problem; its cost is the
quantile loss of chapter 12 in other units.

Vocabulary
----------
demand, order : what is asked for, what is there; in the same units
under, over : cost of a unit that is missing, of one that is left over; both above 0
level : share of the demands that the best order covers, under / (under + over)
lack : by how much a demand lies above what was promised; negative: it lies below
"""

import numpy as np
import pandas as pd
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_array

from treelab.fast.tolerances import NEARLY

__all__ = ["best_order", "margin_of", "order_cost", "order_level", "order_table"]


def order_level(under, over):
    """Return the level of the quantile with the lowest cost, under / (under + over); float.

    Parameters
    ----------
    under, over : float
        Costs of a unit, above 0.

    References
    ----------
    Arrow, Harris and Marschak (1951), Optimal inventory policy.

    Examples
    --------
    >>> order_level(under=3, over=1)
    0.75
    """
    check_scalar(under, "under", (int, float), min_val=0, include_boundaries="neither")
    check_scalar(over, "over", (int, float), min_val=0, include_boundaries="neither")
    return under / (under + over)


def order_cost(demand, order, *, under, over):
    """Return the cost of each order; ndarray (n,).

    Parameters
    ----------
    demand : array-like of shape (n,)
    order : float or array-like of shape (n,)
    under, over : float
        Costs of a unit, above 0.

    Examples
    --------
    >>> order_cost([8, 12], 10, under=3, over=1).tolist()
    [2.0, 6.0]
    """
    order_level(under, over)
    missing = _numbers(demand, "demand") - _numbers(np.atleast_1d(order), "order")
    return np.where(missing > 0, under * missing, -over * missing)


def best_order(demand, level):
    """Return the smallest of these demands that covers a proportion `level` of them; float.

    No order costs less in total on these demands, if ``level`` is `order_level` of the costs.

    Parameters
    ----------
    demand : array-like of shape (n,)
        At least one.
    level : float
        Between 0 and 1.

    Examples
    --------
    >>> best_order([5, 1, 4, 2, 3], 0.75)
    4.0
    """
    check_scalar(level, "level", (int, float), min_val=0, max_val=1, include_boundaries="neither")
    sorted_demand = np.sort(_numbers(demand, "demand"))
    return float(sorted_demand[int(np.ceil(level * len(sorted_demand) - NEARLY)) - 1])


def margin_of(lacks, level):
    """Return the margin that covers a proportion `level` of new nonconformity scores; float.

    The value at place ceil(level (n + 1)) of the n sorted lacks; infinite where n is too small. It
    holds with at least that probability for a lack that is exchangeable with these.

    Parameters
    ----------
    lacks : array-like of shape (n,)
        Of rows that did not fit the model.
    level : float
        Between 0 and 1.

    References
    ----------
    Vovk, Gammerman and Shafer (2005), Algorithmic learning in a random world.

    Examples
    --------
    >>> margin_of([-2, 1, 4, -1, 0], 0.6)
    1.0
    """
    check_scalar(level, "level", (int, float), min_val=0, max_val=1, include_boundaries="neither")
    lacks = np.sort(_numbers(lacks, "lacks"))
    place = int(np.ceil(level * (len(lacks) + 1) - NEARLY))
    return float(lacks[place - 1]) if place <= len(lacks) else float("inf")


def order_table(demand, *, under, over):
    """List every demand as an order for all of them, with its cost and that of one unit more.

    Parameters
    ----------
    demand : array-like of shape (n,)
        At least one.
    under, over : float
        Costs of a unit, above 0.

    Returns
    -------
    DataFrame
        A row for each different demand, the smallest first: ``order``, ``missing`` and
        ``left over`` units in total, ``cost``, ``above`` (how many demands lie above the order),
        ``one more`` (what the total cost changes by if the order grows by a unit, as long as no
        demand is reached), ``best`` (the first row with the least cost).

    Examples
    --------
    >>> order_table([1, 2, 3, 4], under=3, over=1)[["order", "cost", "one more", "best"]]
       order  cost  one more   best
    0    1.0  18.0        -8  False
    1    2.0  10.0        -4  False
    2    3.0   6.0         0   True
    3    4.0   6.0         4  False
    """
    order_level(under, over)
    demand = _numbers(demand, "demand")
    orders = np.unique(demand)
    missing = np.maximum(demand - orders[:, None], 0).sum(axis=1)  # (n_orders,)
    left = np.maximum(orders[:, None] - demand, 0).sum(axis=1)
    above = (demand > orders[:, None]).sum(axis=1)
    cost = under * missing + over * left
    more = over * (len(demand) - above) - under * above
    best = np.arange(len(orders)) == np.argmin(np.round(cost, 9))
    columns = [orders, missing, left, cost, above, more, best]
    names = ["order", "missing", "left over", "cost", "above", "one more", "best"]
    return pd.DataFrame(dict(zip(names, columns, strict=True)))


def _numbers(values, name):
    """Return a list of finite numbers as an array; ndarray (n,)."""
    if np.ndim(values) != 1:
        raise ValueError(f"{name} must be a list of numbers, got {np.ndim(values)} dimensions.")
    if len(values) == 0:
        raise ValueError(f"{name} is empty; it must hold at least one number.")
    return check_array(values, ensure_2d=False, dtype=float, input_name=name)
