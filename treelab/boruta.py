"""Shadows: how good would a column be by luck, and how many wins are too many for luck?

A shadow is a column in another order: it has the same values, and nothing to do with the target.
A column that is as good as the best shadow wins half of all runs, as a coin does. Boruta counts the
wins of each column, its hits, until they are too many or too few for luck.

Vocabulary
----------
p : number of columns
left : numbers of the columns that take part; fewer than five cast several shadows each
draw : a function of n that returns an order of n rows, and is called for each shadow
ask(left) : whether each of these columns is above the best shadow, in a new forest; one run
max_runs : the most runs
decide(hits, run) : 1 for too many hits in so many runs, -1 for too few, or 0
"""

from math import comb


def tail(k, runs):
    """Chance that a coin shows heads k times or more."""
    return sum(comb(runs, i) for i in range(k, runs + 1)) / 2**runs


def with_shadows(X, left, draw):
    """Some columns of the table, and their shadows behind them."""
    shadows = zip(*([X[i][j] for i in draw(len(X))] for j in left * max(1, 8 // len(left))))
    return [[*(x[j] for j in left), *cast] for x, cast in zip(X, shadows)]


def boruta(p, ask, decide, max_runs=100):
    """States of p columns, 1 confirmed, -1 rejected, 0 tentative, and their hits."""
    states, hits, run = [0] * p, [0] * p, 0
    while 0 in states and run < max_runs:
        run, left = run + 1, [j for j in range(p) if states[j] >= 0]
        for j, hit in zip(left, ask(left)):
            hits[j], states[j] = hits[j] + hit, states[j] or decide(hits[j] + hit, run)
    return states, hits
