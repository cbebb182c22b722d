"""Best subset of every size, by branch and bound.

There are 2^p subsets of p features. Most of them need not be looked at: no subset of a model has a
smaller residual sum than the model itself, so where that is no better than what is known already,
the whole branch below it is pruned. The idea is that of the leaps and bounds of Furnival and Wilson
(1974), Regressions by leaps and bounds.

Vocabulary
----------
node : a model of kept and of free features; below it, some of the free ones are removed
cost : increase of the residual sum when a free feature is removed
least : the smallest residual sum found so far for each size of a model
"""

import numpy as np

from treelab.fast.selection.least_squares import DEPENDENT, Residue, coefficients
from treelab.fast.selection.stepwise import backward, costs, duals, forward
from treelab.fast.tolerances import NEARLY

__all__ = ["best_subsets"]


def best_subsets(data, most):
    """Find the best model of each size from 0 to `most`, or until the others add nothing."""
    known = {}
    for subset, rss in forward(data, most) + backward(data):
        if len(subset) <= most and rss < known.get(len(subset), ([], np.inf))[1]:
            known[len(subset)] = (subset, rss)
    for kept, free in independent_sets(data, [], list(range(data.X.shape[1]))):
        search(data, kept, free, known)
    return [known[size] for size in sorted(known)]


def search(data, kept, free, known):
    """Improve `known`, a dict from size to (subset, rss), by all subsets that have the kept."""
    least = np.full(len(kept) + len(free) + 1, -np.inf)  # no other size is needed
    for size in range(1, min(len(known), len(least))):
        least[size] = known[size][1]
    rss = Residue(data, kept + free).rss
    nodes = [(kept, free, duals(data, kept + free)[len(kept) :], rss)]
    while nodes and free:
        kept, free, rows, rss = nodes.pop()
        cost = costs(rows, data.y)
        order = np.argsort(-cost, kind="stable")
        free, rows, bound = [free[i] for i in order], rows[order], rss + cost[order]
        size = len(kept) + len(free)
        # The cheapest leaves: below this node, the best model of its size.
        if bound[-1] < least[size - 1] * (1 - NEARLY):
            subset = kept + free[:-1]
            exact = Residue(data, subset).rss
            if exact < least[size - 1]:
                least[size - 1], known[size - 1] = exact, (subset, exact)
        # Branch i keeps the i dearest and leaves out the next: sizes len(kept) + i to size - 2.
        worst = np.maximum.accumulate(least[len(kept) : size - 1][::-1])[::-1]
        for i in np.flatnonzero(bound[:-1] < worst * (1 - NEARLY)):
            out, others = rows[i], rows[i + 1 :]
            others = others - np.outer(others @ out, out) / (out @ out)
            nodes.append((kept + free[:i], free[i + 1 :], others, bound[i]))


def independent_sets(data, kept, free):
    """Yield pairs (kept, free) without linear dependence; their subsets are all that matter.

    Where a column is a combination of others, a model can do without one of them. Of two
    that are proportional, the first stays.
    """
    left = Residue(data)
    for j in kept + free:
        if left.gains()[j] >= 0:
            left.enter(j)
            continue
        weight = coefficients(data._replace(y=data.X[:, j]), left.subset)
        others = np.flatnonzero(np.abs(weight) > DEPENDENT)
        ring = [i for i in free if i in others and len(others) > 1] + [j]
        for n in range(len(ring)):  # the first n stay, the next one is left out
            rest = [i for i in free if i not in ring[: n + 1]]
            yield from independent_sets(data, kept + ring[:n], rest)
        return
    yield kept, free
