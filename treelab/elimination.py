"""Recursive elimination: remove the least important features, and choose the smallest good set.

In the procedure of Díaz-Uriarte and Alvarez de Andrés the features are ranked once and removed a
fifth at a time. A new model is evaluated on each set, and the smallest set is selected whose error
is at most u standard errors above the minimum. Stochastic recursive feature elimination (SRFE)
ranks the features of small random blocks instead, anew in each round.

>>> from treelab.elimination import smallest, stochastic_elimination
>>> path = stochastic_elimination(6, lambda block: block, lambda f: [1 / len(f)], list, 3, 0.4)
>>> [features for features, _ in path], smallest(path, alpha=2)
([[0, 1, 2, 3, 4, 5], [1, 2, 4, 5], [2, 4, 5]], [1, 2, 4, 5])

Vocabulary
----------
p : number of features; ranking : one importance for each
features : numbers of the features of a set
evaluate(features) : losses on test data of a model with these features
importances(block) : importances in a model with these features
u, alpha : number of standard errors; of standard deviations of all errors of a path
shuffle(features) : the same features in random order
size, fraction : number of features of a block; the fraction of them that is removed
path : (features, error) of each set that was evaluated
"""

from math import floor, sqrt
from statistics import fmean, pstdev


def sizes(p):
    """Sizes of the sets from p features to two: a fifth is removed, and at least one feature."""
    return [p] if p <= 2 else [p, *sizes(p - max(1, round(p / 5)))]


def eliminate(ranking, evaluate, u=1):
    """The smallest set with a sufficiently low error, and the path."""
    order = sorted(range(len(ranking)), key=lambda j: -round(ranking[j], 12))
    sets = [sorted(order[:k]) for k in sizes(len(order))]
    losses = [evaluate(features) for features in sets]
    path = [(features, fmean(loss)) for features, loss in zip(sets, losses)]
    lowest, loss = min(zip(map(fmean, losses), losses), key=lambda pair: pair[0])
    limit = lowest + u * pstdev(loss) / sqrt(len(loss))
    return [features for features, error in path if error <= limit][-1], path


def stochastic_elimination(p, importances, evaluate, shuffle, size=54, fraction=0.2):
    """Path of SRFE, which removes the least important features of every random block.

    It ends before less than a block would be left, or when no feature is removed.
    """
    features, path = list(range(p)), []
    while True:
        path.append((features, fmean(evaluate(features))))
        order = shuffle(features)
        blocks = [sorted(order[i : i + size]) for i in range(0, len(order), size)]
        kept = [len(block) - floor(fraction * len(block) + 1e-9) for block in blocks]
        if sum(kept) < size or sum(kept) == len(features):
            return path
        best = [most_important(block, importances, n) for block, n in zip(blocks, kept)]
        features = sorted(j for block in best for j in block)


def most_important(block, importances, n):
    """The n most important features of a block, ties going to the first."""
    values = dict(zip(block, importances(block)))
    return sorted(block, key=lambda j: -round(values[j], 12))[:n]


def smallest(path, alpha=1):
    """The smallest set whose error is at most alpha standard deviations above the minimum."""
    errors = [error for _, error in path]
    limit = min(errors) + alpha * pstdev(errors)
    return [features for features, error in path if error <= limit][-1]
