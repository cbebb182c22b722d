"""Checkers of the chapter "ID3 and C4.5" that also run in the page."""

from itertools import pairwise
from random import Random

from plain_checks import all_close, as_list, column

from treelab.checkers import checker, expect
from treelab.plain.cart import questions

ELEVATION = [300, 1200, 1500, 3000, 3900, 4450, 5000]
VEGETATION = ["riparian", "chaparral", "riparian", "chaparral", "chaparral", "conifer", "conifer"]


def cuts_between(x, y):
    """Midpoints between neighboring values that do not hold one and the same class."""
    classes = {value: {label for v, label in zip(x, y) if v == value} for value in sorted(set(x))}
    return [(a + b) / 2 for a, b in pairwise(classes) if len(classes[a] | classes[b]) > 1]


@checker("c45-3")
def check_candidates(candidate_thresholds):
    def ask(x, y):
        found = as_list(candidate_thresholds(column(x), column(y)))
        expect(found is not None, "return a list of numbers.")
        return found

    x, y = list(map(float, ELEVATION)), VEGETATION
    got = ask(x, y)
    expect(
        not all_close(got, questions(x)),
        "those are all the midpoints; leave out those between two values of one and the same "
        "class.",
    )
    here = [i for i in range(6) if y[i] != y[i + 1]]
    expect(
        not all_close(got, [x[i] for i in here]) and not all_close(got, [x[i + 1] for i in here]),
        "a candidate is the midpoint between the two values, not one of them.",
    )
    expect(
        all_close(got, cuts_between(x, y)),
        "the elevations of the vegetation table have the candidates 750, 1350, 2250 and 4175.",
    )
    mixed = [3, 6, 0, 4, 2, 5, 1]
    expect(
        all_close(ask([x[i] for i in mixed], [y[i] for i in mixed]), got),
        "the rows may stand in any order: sort by x, take y along, and return a sorted list.",
    )
    for y in ("abaaa", "baaaa"):
        got = ask([1.0, 1, 2, 3, 3], list(y))
        expect(
            1.0 not in got and 3.0 not in got,
            "you cut between two rows of equal value; no threshold can part them. Merge rows of "
            "equal value first.",
        )
        expect(
            all_close(got, [1.5]),
            "x = 1, 1, 2, 3, 3 with classes a, b, a, a, a has the one candidate 1.5: merge rows "
            "of equal value, so that the value 1 holds both classes.",
        )
    expect(
        all_close(ask([1.0, 1, 2, 2], list("abab")), [1.5]),
        "the values 1 and 2 hold the same two classes, a and b. That is not one and the same "
        "class, so 1.5 stays a candidate.",
    )
    expect(
        all_close(ask([1.0, 1, 1, 2, 2, 2], list("aabaaa")), [1.5]),
        "a value with classes a, a, b is not of class a: look at all its classes, not at the "
        "majority.",
    )
    for x in ([2.0, 2.0, 2.0], [7.0]):
        expect(
            ask(x, list("aba")[: len(x)]) == [],
            "a single distinct value leaves nothing to cut: return an empty list.",
        )
    random = Random(3)
    for n, k in ((12, 2), (30, 3), (60, 4)):
        x = [random.randrange(n // 2) / 4 for _ in range(n)]
        y = random.choices(range(k), k=n)
        expect(
            all_close(ask(x, y), cuts_between(x, y)),
            "wrong on larger data: compare the set of classes of each value with its neighbor's.",
        )
