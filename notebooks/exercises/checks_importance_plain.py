"""Checkers of the chapter "Importance" that also run in the page."""

from itertools import combinations, permutations
from random import Random

from plain_checks import all_close, as_list, close, is_number, pair

from treelab.checkers import checker, expect


def compared(first, second, k):
    """Kendall's tau and the overlap of the first k, from their definitions."""
    pairs = list(combinations(first, 2))
    same = sum(second.index(a) < second.index(b) for a, b in pairs)
    top = set(first[:k]), set(second[:k])
    return (2 * same - len(pairs)) / len(pairs), len(top[0] & top[1]) / len(top[0] | top[1])


@checker("importance-5")
def check_compare(compare):
    def ask(first, second, k):
        two = "return two numbers, Kendall's tau and the overlap of the top lists."
        return pair(compare(list(first), list(second), k), two)

    tau, overlap = ask("abcde", "cabde", 2)
    expect(
        not close(overlap, 0.5),
        "you divided the features in both top lists by k; divide by the number in any of them.",
    )
    expect(
        not close(overlap, 0.0),
        "`a` is in both top lists, though at another place: a top list is a set.",
    )
    expect(close(overlap, 1 / 3), "a in both, of a, b and c in any: 1/3.")
    expect(
        not close(tau, 0.8),
        "that is the share of pairs in the same order; subtract the share of the others.",
    )
    expect(
        close(tau, 0.6),
        f"8 of 10 pairs stand in the same order, 2 do not: tau is 0.6, not {tau:.3g}. Compare the "
        "places of the features.",
    )
    for seed in range(4):
        random = Random(seed)
        one, other = (random.sample(range(9), 9) for _ in range(2))
        for k in (1, 4, 9):
            want = compared(one, other, k)
            tau, overlap = ask(one, other, k)
            expect(
                close(tau, want[0]),
                "right for letters, wrong for numbers: what counts is at which place a feature "
                "stands, not its number.",
            )
            expect(
                close(overlap, want[1]),
                f"the overlap of the first {k} of {one} and {other} is "
                f"{want[1]:.3g}, not {overlap:.3g}.",
            )
    tau, overlap = ask([0, 1, 2, 3], [3, 2, 1, 0], 4)
    expect(close(tau, -1), "a reversed ranking has tau -1.")
    expect(close(overlap, 1), "the first 4 of 4 features are all of them: overlap 1.")


@checker("importance-6")
def check_shapley(shapley):
    def ask(worth, d):
        found = as_list(shapley(worth, d))
        many = f"{d} features have {d} values: return a list of {d} numbers."
        expect(found is not None and len(found) == d and all(map(is_number, found)), many)
        return found

    def sunday(J):
        return {(): 6.0, (0,): 10.0, (1,): 8.0, (0, 1): 14.0}[tuple(sorted(J))]

    got = ask(sunday, 2)
    for wrong, hint in (
        ([4, 2], "that is what each adds when it comes first; average over all orders."),
        ([6, 4], "that is what each adds when it comes last; average over all orders."),
        ([4, 4], "that is one order only, the sun first; average over all orders."),
        ([6, 2], "that is one order only, the weekend first; average over all orders."),
        ([10, 6], "you added up the orders; divide by their number."),
    ):
        expect(not all_close(got, wrong), hint)
    expect(all_close(got, [5, 3]), f"Sunday's values are 5 and 3, not {got}.")

    def gloves(J):  # a left glove and two right ones; a pair is worth 1
        return float(0 in J and len(J) > 1)

    got = ask(gloves, 3)
    expect(
        not all_close(got, [3 / 4, 1 / 4, 1 / 4]),
        "you averaged over the subsets, each with the same weight; a subset of k of the d - 1 "
        "others comes first in k! (d - 1 - k)! of the d! orders.",
    )
    expect(
        all_close(got, [2 / 3, 1 / 6, 1 / 6]),
        "with one left glove and two right ones the left one is worth 2/3, the others 1/6 each.",
    )
    for seed, d in ((0, 1), (1, 3), (2, 4)):
        random = Random(seed)
        table = [random.gauss(0, 1) for _ in range(2**d)]

        def worth(J, table=table):
            return table[sum(2**j for j in J)]

        right = [0.0] * d
        orders = list(permutations(range(d)))
        for order in orders:
            for i, j in enumerate(order):
                right[j] += (worth(order[: i + 1]) - worth(order[:i])) / len(orders)
        got = ask(worth, d)
        expect(
            close(sum(got), table[-1] - table[0]),
            f"for {d} features the values must add up to worth(all) - worth(none); the empty set "
            "may be worth something, too.",
        )
        expect(all_close(got, right), f"wrong for {d} features with any worth of the sets.")
