"""Elimination: the least important features leave, a fifth at a time, until the error says stop.

The features are ranked once. Each set is judged by a new model, and the smallest set is kept whose
error is not clearly above the least: by no more than u of its standard errors.

Vocabulary
----------
found : an importance for each feature
some : numbers of the columns of a set
judge(some) : losses of a model of these columns, on cases that it has not seen
u : standard errors
"""

from math import sqrt
from statistics import fmean, pstdev


def sizes(p):
    """From p features to two: a fifth of them leaves, and one at least."""
    return [p] if p <= 2 else [p, *sizes(p - max(1, round(p / 5)))]


def eliminate(found, judge, u=1):
    """The smallest set that will do, and the error of each tried: (some, error)."""
    order = sorted(range(len(found)), key=lambda j: -round(found[j], 12))
    sets = [sorted(order[:k]) for k in sizes(len(order))]
    losses = [judge(some) for some in sets]
    path = [(some, fmean(loss)) for some, loss in zip(sets, losses)]
    least, loss = min(zip(map(fmean, losses), losses), key=lambda pair: pair[0])
    limit = least + u * pstdev(loss) / sqrt(len(loss))
    return [some for some, error in path if error <= limit][-1], path
