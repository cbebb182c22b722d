"""From numbers to an order: what an error costs, and how many units to have ready.

Too few is not as bad as too many, or worse. Go up from the smallest demand as long as one unit
more saves more than it costs: that ends at a quantile. A promise that was made to other rows is
widened by what those lacked.

Vocabulary
----------
demands : what was asked for, night by night; order : what is ready, the same each night
under, over : cost of a unit that is missing, of one that is left over
lacks : by how much demands lay above what was promised; level : share that is to be kept
"""

from math import ceil


def cost(demand, order, under, over):
    """What one order costs in one night."""
    return under * (demand - order) if demand > order else over * (order - demand)


def cheapest_order(demands, under, over):
    """The least demand at which one unit more would cost at least what it saves."""
    n = len(demands)
    for place, order in enumerate(sorted(demands), 1):  # enough in so many nights
        if over * place >= under * (n - place):
            return order


def margin(lacks, level):
    """What to add, so that a new lack like these is covered with this probability."""
    place = ceil(level * (len(lacks) + 1) - 1e-9)
    return sorted(lacks)[place - 1] if place <= len(lacks) else float("inf")
