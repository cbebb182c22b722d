"""Shadows: how good would a column be by luck, and how many wins are too many for luck?

A shadow is a column in another order: it has the same values, and nothing to do with the target.
A column that is as good as the best shadow wins half of all runs, as a coin does. The wins are
counted by `boruta`, with the other ways to choose features (`selection`).

Vocabulary
----------
left : numbers of the columns that take part; fewer than five cast several shadows each
draw : a function of n that returns an order of n rows, and is called for each shadow
"""

from math import comb


def tail(k, runs):
    """Chance that a coin shows heads k times or more."""
    return sum(comb(runs, i) for i in range(k, runs + 1)) / 2**runs


def with_shadows(X, left, draw):
    """Some columns of the table, and their shadows behind them."""
    shadows = zip(*([X[i][j] for i in draw(len(X))] for j in left * max(1, 8 // len(left))))
    return [[*(x[j] for j in left), *cast] for x, cast in zip(X, shadows)]
