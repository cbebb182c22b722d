"""Judges of the assignment "More than luck": what students must not have."""

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from checks_hw8 import COLUMNS, given, near

from treelab.checkers import expect, own_number

tables_of = lru_cache(4)(given)


def judge_path(got):
    wrong = tables_of(own_number())[0]["wrong"].to_numpy()
    least, five = wrong.min(), wrong[COLUMNS.index(5)]
    step = np.sqrt(least * (400 - least) / 400)  # one standard error, in seedlings

    def smallest(limit):
        return min(np.array(COLUMNS)[wrong <= limit])

    away, early = five - least, wrong[: COLUMNS.index(5) + 1]
    kept = [smallest(least + step), smallest(least + 2 * step)]
    kept += [away / step, away / np.std(wrong), away / np.std(early)]
    if near(got, kept):
        return
    names = dict(zip(COLUMNS, wrong))
    best = COLUMNS[int(np.argmin(wrong))]
    expect(
        got[0] != best,
        f"{best} columns have the least error; the question is which smaller set is no worse.",
    )
    expect(
        got[0] != 2,
        "the standard error of a share is the root of L (1 - L) over n: divide by the 400.",
    )
    expect(
        got[0] != kept[1],
        f"{names[kept[1]]} wrong are {names[kept[1]] - least} more than the least; one standard "
        f"error is {step:.1f} seedlings.",
    )
    expect(
        got[0] == kept[0],
        f"up to {least} + {step:.1f} wrong will do: which is the smallest set that has them?",
    )
    expect(
        got[1] != kept[0],
        "with 100 seedlings the same share is less sure: compute the standard error anew.",
    )
    expect(
        got[1] != smallest(least + 4 * step),
        "a quarter of the seedlings makes the standard error twice as large, not four times.",
    )
    expect(
        got[1] == kept[1],
        f"of 100: the least share is still {least / 400:.4g}, its standard error {step / 200:.3f}.",
    )
    expect(
        not near(got[2], away) and not near(got[2], away / 400),
        "that is the distance; count it in standard errors.",
    )
    expect(
        not near(got[2], away / np.sqrt(five * (400 - five) / 400)),
        "the standard error is that of the least error, not that of the five columns.",
    )
    expect(
        not near(got[2], kept[2] / 2),
        "back to 400 seedlings: with 100 a standard error is twice as large.",
    )
    expect(near(got[2], kept[2]), f"five columns: {five} - {least} wrong, in units of {step:.2f}.")
    expect(
        not near(got[3:], kept[4:2:-1]),
        "the last two are exchanged: the long path has the large deviation, and a small α will do.",
    )
    expect(
        not near(got[3], away / np.std(wrong, ddof=1))
        and not near(got[4], away / np.std(early, ddof=1)),
        "the deviation of a path divides the squares by the number of errors, not by one less.",
    )
    expect(near(got[3], kept[3]), f"{away} wrong, in units of the deviation of all ten errors.")
    expect(
        not near(got[4], kept[3]),
        "the path has become shorter: the deviation is that of the seven errors that are left.",
    )
    expect(
        near(got[4], kept[4]),
        f"{away} wrong, in units of the deviation of the first seven errors.",
    )


def listed(numbers):
    """Three numbers as a text."""
    one, two, three = (f"{number:g}" for number in numbers)
    return f"{one}, {two} and {three}"


def judge_hits(got):
    _, real, shadow, _, _ = tables_of(own_number())
    best, middle = shadow.max(axis=1), np.median(shadow, axis=1)

    def over(bar):
        return tuple(int(n) for n in (real > bar).sum(axis=0))

    def from_on(bar):
        return tuple(int(n) for n in (real >= bar).sum(axis=0))

    right = over(best[:, None]), over(middle[:, None])
    if got == right:
        return
    tie = next((b for b, row in zip(best, real) if b in row), best[0])
    for wrong, hint in (
        (
            over(shadow),
            "you compared each column with its own shadow; the bar is the best of all six shadows.",
        ),
        (from_on(best[:, None]), f"{tie} against {tie} is a tie: a hit is above the bar."),
        (
            over(0),
            "zero is no bar: a forest gives even a coin some importance. Ask the shadows.",
        ),
        (over(best.max()), "each run has a bar of its own; you took the best shadow of all."),
        (right[1], "this is the median bar; the first tuple asks for the best shadow."),
    ):
        expect(got[0] != wrong, hint)
    expect(got[0] == right[0], f"the bars of the three runs are {listed(best)}.")
    expect(
        got[1] != from_on(middle[:, None]),
        "the median of six is halfway between the third and the fourth, and a tie is no hit.",
    )
    expect(
        got[1] != over(shadow.mean(axis=1)[:, None]),
        "that is the mean of the shadows, not the median.",
    )
    expect(got[1] == right[1], f"the medians of the shadows are {listed(middle)}.")


def judge_decisions(got):
    (B, *hits), (chance, states, runs) = tables_of(own_number())[3].to_numpy()[0].tolist(), got

    def at_least(h, n=B):
        return sum(comb(n, k) for k in range(h, n + 1)) / 2**n

    second = sorted(hits)[-2]
    words = ["confirmed" if at_least(h) <= 0.01 else "rejected" if at_least(B - h) <= 0.01
             else "tentative" for h in hits]  # fmt: skip
    end = next(n for n in range(B, 99) if at_least(n - (B - second), n) <= 0.01)
    right = at_least(second)
    close = {"rtol": 0, "atol": 6e-4}
    if np.isclose(chance, right, **close) and states == words and runs == end:
        return
    for wrong, hint in (
        (
            comb(B, second) / 2**B,
            f"that is exactly {second}; more hits are at least as good, and count, too.",
        ),
        (at_least(second + 1), f"that is {second + 1} or more; {second} counts, too."),
        (1 / 2**B, "that is one order of hits and misses; the misses may stand anywhere."),
        (1 - right, f"that is the chance of fewer than {second}."),
        (2 * right, "one side only: as many hits or more."),
    ):
        expect(not np.isclose(chance, wrong, rtol=0, atol=5e-5), hint)
    expect(
        np.isclose(chance, right, **close),
        f"how many of the {2**B} orders have {second} hits or more?",
    )
    at = [hits.index(h) for h in sorted(hits, reverse=True)]  # columns, most hits first
    expect(
        states[at[1]] != "confirmed",
        f"{right:.4f} is below 0.05, but five columns are tested: each has a fifth of that.",
    )
    most = hits[at[0]]
    expect(
        states[at[0]] == "confirmed",
        f"{most} of {B}: {round(at_least(most) * 2**B)} of {2**B} orders, {at_least(most):.4f}.",
    )
    expect(
        states[at[1]] == "tentative",
        f"{second} of {B} is too much for a coin's average, not for its luck.",
    )
    expect(
        states[at[2]] != "rejected",
        f"{hits[at[2]]} of {B} is what a coin shows; so is a column no better?",
    )
    expect(states[at[2]] == "tentative", f"{hits[at[2]]} of {B}: neither tail is small.")
    expect(
        states[at[3]] == "tentative",
        f"{hits[at[3]]} of {B} is as far from the middle as {second}: the same chance, on the "
        "other side.",
    )
    expect(
        states[at[4]] == "rejected", f"{hits[at[4]]} of {B} is as far from the middle as {most}."
    )
    expect(runs != B, f"after {B} runs its chance is {right:.4f}; the level is 0.01.")
    expect(
        runs == end,
        f"without another miss: {second + 1} of {B + 1} hits, then {second + 2} of {B + 2}. When "
        "is it 0.01?",
    )


def jaccard(sets):
    """Mean share of common columns over all pairs of sets."""
    return np.mean([len({*a} & {*b}) / len({*a} | {*b}) for a, b in combinations(sets, 2)])


def judge_stability(got):
    lists = tables_of(own_number())[4]
    both = [lists[name].tolist() for name in lists]
    shares = [np.array([np.mean([x in some for some in sets]) for x in "abcdef"]) for sets in both]
    means = [some.mean() for some in shares]
    lot = [p * (1 - p) for p in means]
    spread = [np.mean(p * (1 - p)) for p in shares]
    right = [*map(jaccard, both), *(1 - 4 / 3 * s / p for s, p in zip(spread, lot))]
    if near(got, right):
        return
    for of in (len, lambda *some: min(map(len, some)), lambda *some: max(map(len, some))):
        pairs = [combinations(sets, 2) for sets in both]
        wrong = [
            np.mean([len({*a} & {*b}) / (of(a) if of is len else of(a, b)) for a, b in some])
            for some in pairs
        ]
        expect(
            not near(got[:2], wrong),
            "you divided by the size of a set; divide by the columns that are in one set or in "
            "both.",
        )
    one, two = min(combinations(both[0], 2), key=lambda pair: len({*pair[0]} & {*pair[1]}))
    common, either = len({*one} & {*two}), len({*one} | {*two})
    expect(
        near(got[0], right[0]),
        f"Jaccard of A: six pairs of samples, such as {one} and {two}: {common}/{either}.",
    )
    one, two = both[1][:2]
    common, either = len({*one} & {*two}), len({*one} | {*two})
    expect(
        near(got[1], right[1]),
        f"Jaccard of B: the first two sets share {common} of {either} columns.",
    )
    expect(
        not near(got[2:], [1 - s / p for s, p in zip(spread, lot)]),
        "the variance over four samples divides by three: 4/3 times p (1 - p).",
    )
    expect(
        not near(got[2:], [1 - value for value in right[2:]]),
        "that is the ratio; the stability is 1 less this ratio.",
    )
    counts = ", ".join(f"{4 * share:.0f}" for share in shares[0])
    expect(near(got[2], right[2]), f"A: a, ..., f are in {counts} samples; p is 1/2.")
    expect(
        not near(got[3], 1 - 4 / 3 * spread[1] / 0.25),
        f"B keeps {24 * means[1]:.0f} columns in four samples: by lot each is in with a share of "
        f"{means[1]:.4g}.",
    )
    full = int(np.sum(shares[1] == 1))
    expect(
        near(got[3], right[3]),
        f"B: {6 - full} columns are in three samples, {full} in all; p is {means[1]:.4g}.",
    )


def hits_of_run(measure, X, left, rng):
    """Numbers of the columns that are more important than the best shadow."""
    times = 1 if len(left) >= 5 else 5
    shadows = [rng.permutation(X[:, j]) for j in list(left) * times]
    found = measure(np.column_stack([X[:, left], *shadows]))
    return [j for j, value in zip(left, found) if value > max(found[len(left) :])]


JUDGES = {
    "hw8-1": judge_path,
    "hw8-2": judge_hits,
    "hw8-3": judge_decisions,
    "hw8-4": judge_stability,
}
HELPERS = {"hw8-7": {"hits_of_run": hits_of_run}}
