"""Checkers of the chapter on impurity that also run in the page."""

from itertools import pairwise
from random import Random

from plain_checks import close, column, pair

from treelab.checkers import Hint, checker, expect
from treelab.plain.cart import best_cut, cases_of, cuts, divide
from treelab.plain.impurity import gini


def samples():
    """Numbers and classes: the seven places, ties, repeated values, many rows."""
    yield [3900, 300, 1500, 1200, 4450, 5000, 3000], list("crrcooc")
    yield [1.0, 1.0, 2.0, 2.0, 5.0, 5.0], list("abaabb")
    yield [3.0, 1.0, 2.0, 4.0], list("abba")
    yield [1.0, 2.0, 3.0, 4.0], list("abba")
    random = Random(7)
    for _ in range(8):
        yield [float(random.randrange(9)) for _ in range(30)], random.choices(range(3), k=30)


@checker("impurity-4")
def _(best_threshold):
    for x, y in samples():
        cases = cases_of([[value] for value in x], y)
        table = {cut: gain for gain, _, cut in cuts(cases, 0)}
        want, _, best = best_cut(cases)
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
        expect(threshold not in values or threshold in table, "a threshold stands halfway between "
               "two neighboring values, not on one of them." + where)  # fmt: skip
        expect(any(close(threshold, cut) for cut in table), "no two neighboring distinct values "
               f"have their middle at {threshold:g}; sort the distinct values "
               "first." + where)  # fmt: skip
        expect(not close(gain, want), "of equal gains, take the smallest threshold." + where)
        before = gini(y, [1] * len(y))
        equals = {cut: before - mean_of_sides(cases, cut) for cut in table}
        chosen = min(table, key=lambda cut: abs(cut - threshold))
        expect(not (close(gain, max(equals.values())) and close(gain, equals[chosen])),
               "weigh the two sides by their number of cases." + where)  # fmt: skip
        expect(not close(gain, len(x) * table[chosen]), "that is the total gain; divide by the "
               "number of cases." + where)  # fmt: skip
        raise Hint(
            f"the best cut is {best:g} with gain {want:.4f}, you return {threshold:g} with "
            f"{gain:.4f}.{where}"
        )


def mean_of_sides(cases, cut):
    """The mean of both sides' Gini impurities, each counted alike."""
    sides = [[y for _, y, _ in side] for side in divide(cases, 0, cut)]
    return sum(gini(y, [1] * len(y)) for y in sides) / 2
