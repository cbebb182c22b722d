"""Boruta: compare each feature with shadow features, and keep those that win too often for chance.

A shadow is a copy of a feature in another order: it has the same values, but no relation to the
target. A feature that is as good as the best shadow wins a run with probability one half. Boruta
counts the runs that each feature wins, its hits, until they are too many or too few for chance.

Vocabulary
----------
p : number of features
left : numbers of the features that are not rejected; fewer than five have several shadows each
draw : a function of n that returns an order of n rows, and is called for each shadow
wins(left) : whether each of these features beats the best shadow in a new forest; one run
max_runs : maximum number of runs
decide(hits, run) : 1 if so many runs have too many hits, -1 if they have too few, and otherwise 0
"""

from math import comb


def tail(k, runs):
    """Probability of k hits or more in so many runs, if each is a hit with probability 1/2."""
    return sum(comb(runs, i) for i in range(k, runs + 1)) / 2**runs


def with_shadows(X, left, draw):
    """The table of the features left, followed by their shadows."""
    shadows = zip(*([X[i][j] for i in draw(len(X))] for j in left * max(1, 8 // len(left))))
    return [[*(x[j] for j in left), *cast] for x, cast in zip(X, shadows)]


def boruta(p, wins, decide, max_runs=100):
    """States of p features, 1 confirmed, -1 rejected and 0 tentative, and their hits."""
    states, hits, run = [0] * p, [0] * p, 0
    while 0 in states and run < max_runs:
        run, left = run + 1, [j for j in range(p) if states[j] >= 0]
        for j, hit in zip(left, wins(left)):
            hits[j], states[j] = hits[j] + hit, states[j] or decide(hits[j] + hit, run)
    return states, hits
