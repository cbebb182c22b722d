"""Checkers of the chapter "Importance" that also run in the page."""

from itertools import combinations
from random import Random

from plain_checks import close, pair

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
