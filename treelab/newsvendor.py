"""The newsvendor problem: which order minimizes the cost, if too few and too many cost differently.

Start at the smallest demand and go up as long as one additional unit saves more than it costs: that
ends at a quantile of the demand. A prediction interval is calibrated by the shortfalls of other
rows.

Vocabulary
----------
demands : the demand of each night; order : number of units that are ready, the same each night
under, over : cost of a unit that is missing, and of one that is left over
shortfalls : amounts by which demands exceeded their prediction
coverage : probability with which the next demand shall be covered
"""

from math import ceil


def cost(demand, order, under, over):
    """Cost of one order in one night."""
    return under * (demand - order) if demand > order else over * (order - demand)


def cheapest_order(demands, under, over):
    """The smallest demand at which one additional unit would cost at least what it saves."""
    n = len(demands)
    for nights, order in enumerate(sorted(demands), 1):  # nights in which the order is enough
        if over * nights >= under * (n - nights):
            return order


def margin(shortfalls, coverage):
    """The margin that covers a new shortfall with the probability coverage."""
    rank = ceil(coverage * (len(shortfalls) + 1) - 1e-9)
    return sorted(shortfalls)[rank - 1] if rank <= len(shortfalls) else float("inf")
