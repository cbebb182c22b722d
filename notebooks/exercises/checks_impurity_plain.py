"""Checkers of the chapter on impurity that also run in the page."""

from itertools import pairwise
from random import Random

from plain_checks import close, column, pair

from treelab.cart import best_split, cases_of, divide, scored_splits
from treelab.checkers import Hint, checker, expect
from treelab.impurity import gini


def samples():
    """Numbers and classes: the seven places, ties, repeated values, many rows."""
    yield [3900, 300, 1500, 1200, 4450, 5000, 3000], list("crrcooc")
    yield [1.0, 1.0, 2.0, 2.0, 5.0, 5.0], list("abaabb")
    yield [3.0, 1.0, 2.0, 4.0], list("abba")
    yield [1.0, 2.0, 3.0, 4.0], list("abba")
    random = Random(7)
    for _ in range(8):
        yield [float(random.randrange(9)) for _ in range(30)], random.choices(range(3), k=30)


LEAVES = [  # class sums, and costs: a row for each class, a column for each prediction
    ([8, 2], [[0, 1], [5, 0]]),
    ([40, 8], [[0, 1], [5, 0]]),
    ([3, 5, 4], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    ([1, 1, 0], [[0, 9, 2], [9, 0, 2], [3, 3, 0]]),
    ([6, 3, 1], [[0, 1, 4], [2, 0, 1], [20, 10, 0]]),
    ([2.5, 0.5, 4.0], [[0, 3, 1], [1, 0, 6], [2, 5, 0]]),
    ([0, 7], [[0, 2], [3, 0]]),
]


def costs_of_answers(S, cost):
    """The mean cost of each prediction."""
    return [sum(s * row[a] for s, row in zip(S, cost)) / sum(S) for a in range(len(S))]


@checker("impurity-2")
def _(cheapest_answer):
    for S, cost in LEAVES:
        where = f" (S {S}, cost {cost})"
        answer, mean = pair(
            cheapest_answer(list(S), [list(row) for row in cost]),
            "return two numbers: the class to predict and its mean cost per observation.",
        )
        costs = costs_of_answers(S, cost)
        right, least = costs.index(min(costs)), min(costs)
        if answer == right and close(mean, least):
            continue
        expect(answer in range(len(S)), "the prediction is the number of a class, from "
               "0 on." + where)  # fmt: skip
        honest = close(mean, costs[int(answer)])
        turned = costs_of_answers(S, [list(column) for column in zip(*cost)])
        expect(honest or not close(mean, turned[int(answer)]), "cost[k][a] is for predicting a "
               "where k is true; you took it the other way round." + where)  # fmt: skip
        expect(honest or not close(mean, sum(S) * costs[int(answer)]), "that is the cost of all "
               "observations; divide by their number." + where)  # fmt: skip
        expect(not close(costs[int(answer)], least), "several predictions cost least; "
               "take the first." + where)  # fmt: skip
        expect(S[int(answer)] != max(S), "the class with the most observations is not always the "
               "cheapest prediction." + where)  # fmt: skip
        raise Hint(f"predicting {right} has the lowest cost, {least:.4f}; you return {answer:g} "
                   f"and {mean:.4f}.{where}")  # fmt: skip


@checker("impurity-3")
def _(best_threshold):
    for x, y in samples():
        cases = cases_of([[value] for value in x], y)
        table = {cut: gain for gain, _, cut in scored_splits(cases, 0)}
        want, _, best = best_split(cases)
        where = f" (x {x}, y {y})"
        threshold, gain = pair(
            best_threshold(column(x), column(y)),
            "return two numbers: the threshold and its gain.",
        )
        if close(threshold, best) and close(gain, want):
            continue
        values = sorted(set(x))
        halves = [(b - a) / 2 for a, b in pairwise(values)]
        expect(threshold not in halves or threshold in table, "halfway between a and b is "
               "(a + b) / 2; half their difference, (b - a) / 2, is a different "
               "number." + where)  # fmt: skip
        expect(threshold not in values or threshold in table, "a threshold lies halfway between "
               "two neighboring values, not on one of them." + where)  # fmt: skip
        expect(any(close(threshold, cut) for cut in table), "no two neighboring distinct values "
               f"have their middle at {threshold:g}; sort the distinct values "
               "first." + where)  # fmt: skip
        expect(not close(gain, want), "ties go to the smallest threshold." + where)
        before = gini(y, [1] * len(y))
        equals = {cut: before - mean_of_sides(cases, cut) for cut in table}
        chosen = min(table, key=lambda cut: abs(cut - threshold))
        expect(not (close(gain, max(equals.values())) and close(gain, equals[chosen])),
               "weigh the two sides by their number of observations." + where)  # fmt: skip
        expect(gain > -1e-9, "no gain is negative: is your impurity 0 for a pure "
               "side?" + where)  # fmt: skip
        expect(not close(gain, len(x) * table[chosen]), "that is the total gain; divide by the "
               "number of observations." + where)  # fmt: skip
        raise Hint(
            f"the best threshold is {best:g} with gain {want:.4f}, you return {threshold:g} with "
            f"{gain:.4f}.{where}"
        )


def mean_of_sides(cases, cut):
    """The mean of both sides' Gini impurities, each counted alike."""
    sides = [[y for _, y, _ in side] for side in divide(cases, 0, cut)]
    return sum(gini(y, [1] * len(y)) for y in sides) / 2
