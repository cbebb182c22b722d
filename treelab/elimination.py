"""Elimination: the least important features leave, a fifth at a time, until the error says stop.

The features are ranked once. Each set is judged by a new model, and the smallest set is kept whose
error is not clearly above the least: by no more than u of its standard errors. Stochastic recursive
feature elimination (SRFE) ranks the features of small random blocks instead, anew in each round.

>>> from treelab.elimination import smallest, stochastic_elimination
>>> path = stochastic_elimination(6, lambda some: some, lambda some: [1 / len(some)], list, 3, 0.4)
>>> [some for some, _ in path], smallest(path, alpha=2)
([[0, 1, 2, 3, 4, 5], [1, 2, 4, 5], [2, 4, 5]], [1, 2, 4, 5])

Vocabulary
----------
p : number of features; found : an importance for each
some : numbers of the columns of a set
judge(some) : losses of a model of these columns, on cases that it has not seen
u, alpha : standard errors; standard deviations of all errors of a path
ask(some) : importances in a model of these columns
shuffle(some) : the same numbers in random order
size, share : number of features of a block; the fraction of them that is removed
path : (some, error) of each set that was tried
"""

from math import floor, sqrt
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


def stochastic_elimination(p, ask, judge, shuffle, size=54, share=0.2):
    """Path of SRFE: the least important features of every random block are removed.

    It ends before fewer than a block would be left, or where nothing is removed.
    """
    some, path = list(range(p)), []
    while True:
        path.append((some, fmean(judge(some))))
        order = shuffle(some)
        blocks = [sorted(order[i : i + size]) for i in range(0, len(order), size)]
        numbers = [len(block) - floor(share * len(block) + 1e-9) for block in blocks]  # that stay
        if sum(numbers) < size or sum(numbers) == len(some):
            return path
        some = sorted(j for block, n in zip(blocks, numbers) for j in most_important(block, ask, n))


def most_important(block, ask, n):
    """The n most important features of a block, the first of equals."""
    found = dict(zip(block, ask(block)))
    return sorted(block, key=lambda j: -round(found[j], 12))[:n]


def smallest(path, alpha=1):
    """The smallest set whose error is at most alpha standard deviations above the least."""
    errors = [error for _, error in path]
    limit = min(errors) + alpha * pstdev(errors)
    return [some for some, error in path if error <= limit][-1]
