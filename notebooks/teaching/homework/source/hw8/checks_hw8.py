"""Checkers of the assignment "More than luck"."""

from functools import cache
from math import comb

import numpy as np
import pandas as pd

from treelab import RandomForestClassifier
from treelab.checkers import checker, expect, judged
from treelab.datasets import fetch_arrhythmia
from treelab.fast.importance import mean_decrease_impurity

COLUMNS = [20, 16, 13, 10, 8, 6, 5, 4, 3, 2]
NAMES = ["weekday", "weather", "price", "holiday", "baker", "coin"]
# Runs, and misses of a column that is just not confirmed after them, of five at a level of 0.05.
RUNS = [(11, 2), (12, 2), (13, 2), (14, 3), (15, 3), (16, 3), (17, 4), (18, 4)]
# What method A keeps on each sample besides a column that is always there.
PAIRS = ["01 01 02 23", "01 01 02 34", "01 01 23 23", "01 02 03 12", "01 02 03 14", "01 02 13 23"]
SKIPPED = {  # where a typical mistake gives the right answer
    4, 15, 18, 27, 59, 61, 67, 69, 116, 130, 137, 164, 178, 199, 219, 276, 301, 317, 339, 368,
    377, 383, 386, 388, 397, 424, 442, 454, 490, 512, 514, 519, 532, 548, 564, 576, 581, 594,
    600, 606, 608, 622, 625, 635, 639, 640, 655, 659, 662, 664, 671, 701, 718, 722, 726, 750,
    761, 763, 768, 769, 773, 774, 820, 845, 854, 861, 880, 897, 899, 914, 925, 933, 936, 968,
    998, 1067, 1490, 1600, 1773, 1968,
}  # fmt: skip


def given(number):
    """The tables of part A.

    Parameters
    ----------
    number : int
        The student's; 0 gives the tables of the key. Above 999 the tables begin anew.

    Returns
    -------
    path : DataFrame
        How many of 400 seedlings each forest gets wrong.
    real, shadow : ndarray of shape (3, 6)
        Importance in three runs, times 1000.
    tested : DataFrame
        The runs of another bakery, and the hits of its five columns.
    lists : DataFrame
        The columns that two methods keep on four samples.
    """
    number %= 1000
    while number in SKIPPED:
        number += 1000
    if number:
        rng = np.random.default_rng([8, number])
        wrong, (real, shadow), hits, lists = draw(rng)
    else:
        wrong = [84, 80, 76, 80, 82, 88, 94, 100, 140, 200]
        real = [[40, 22, 14, 18, 7, 5], [35, 19, 24, 9, -2, 4], [44, 31, 26, 12, 26, 15]]
        shadow = [[9, 18, 6, 11, 3, 12], [21, 8, 10, 12, 5, -3], [10, 14, 25, 7, 2, 16]]
        hits = [13, 12, 11, 6, 2, 1]
        lists = [with_core("abcdef", "01 02 01 23".split()), all_but("cdef")]
    path = pd.DataFrame({"columns": COLUMNS, "wrong": wrong})
    named = ["runs", *(f"hits of column {k}" for k in range(1, 6))]
    tested = pd.DataFrame([hits], columns=named, index=["bakery"])
    samples = [f"sample {k}" for k in range(1, 5)]
    lists = pd.DataFrame(dict(zip(("method A", "method B"), lists)), index=samples)
    return path, np.array(real), np.array(shadow), tested, lists


def draw(rng):
    """What the tables of part A hold, for any number but 0."""
    return wrong_of(rng), importance_of(rng), hits_of(rng), lists_of(rng)


def wrong_of(rng):
    """Seedlings that the forests of a path get wrong."""
    least = rng.integers(60, 105)
    step = np.sqrt(least * (400 - least) / 400)
    best = rng.integers(1, 4)
    first = rng.integers(best + 1, 5)
    second = rng.integers(first + 1, 6)
    away = np.empty(10)
    away[:best] = np.sort(rng.uniform(0.3, 1.4, best))[::-1]
    away[best : first + 1] = [0, *rng.uniform(0.3, 0.85, first - best)]
    away[first + 1 : second + 1] = np.sort(rng.uniform(1.25, 1.8, second - first))
    away[second + 1 : 7] = np.sort(rng.uniform(2.2, 2.7, 6 - second))
    away[7:] = rng.uniform([2.9, 5, 10], [3.7, 7, 13])
    return [round(least + step * some) for some in away]


def importance_of(rng):
    """Importance of six columns and of their shadows in three runs, with two ties."""
    tops, runs = np.array([14, 20, 34]), rng.permutation(3)
    shadow = [[top, *2 * rng.choice(np.arange(-1, 4 + top // 8), 5, replace=False)] for top in tops]
    shadow = rng.permuted(shadow, axis=1)
    middle = np.median(shadow, axis=1).astype(int)
    real = rng.permutation([44, 30, 22, 14, 7, 3]) + rng.integers(-7, 8, (3, 6))
    for run, value in ((2, middle[2] + 1), *zip(rng.permutation(2), (tops, middle))):
        value = value[run] if np.ndim(value) else value
        real[run, np.argmin(np.abs(real[run] - value))] = value
    return real[runs], shadow[runs]


def hits_of(rng):
    """Runs, and hits of five columns in any order."""
    runs, misses = RUNS[rng.integers(len(RUNS))]
    some = [runs - misses + 1, runs - misses, runs // 2, misses, misses - 1]
    return [runs, *rng.permutation(some).tolist()]


def lists_of(rng):
    """What two methods keep of six columns on four samples."""
    pairs = rng.permutation(PAIRS[rng.integers(len(PAIRS))].split())
    few = with_core(rng.permutation([*"abcdef"]), pairs)
    gone = iter(rng.permutation([*"abcdef"]))
    counts = rng.permutation([(1, 1, 1, 1), (1, 1, 1, 2), (1, 1, 2, 2)][rng.integers(3)])
    return few, all_but({next(gone) for _ in range(n)} for n in counts)


def with_core(letters, pairs):
    """Sets of the first letter and of two of the others, by their places among these."""
    core, *others = letters
    return ["".join(sorted([core, *(others[int(k)] for k in pair)])) for pair in pairs]


def all_but(dropped):
    """Sets of six letters without some."""
    return ["".join(x for x in "abcdef" if x not in some) for some in dropped]


def near(got, want):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=0.0015)


def numbers_of(answer, n):
    """The answer as an array of n finite numbers."""
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (n,), f"give {('four', 'five')[n - 4]} numbers.")
    expect(np.isfinite(got).all(), "one of the numbers is not finite.")
    return got


@checker("hw8-1")
def check_path(answer):
    judged("hw8-1", numbers_of(answer, 5))


@checker("hw8-2")
def check_hits(answer):
    got = tuple(tuple(int(v) for v in row) for row in answer)
    expect(
        [len(row) for row in got] == [6, 6],
        "give two tuples of six numbers, in the order of the table.",
    )
    expect(all(0 <= v <= 3 for row in got for v in row), "three runs give 0 to 3 hits.")
    judged("hw8-2", got)


@checker("hw8-3")
def check_decisions(answer):
    got = list(answer)
    expect(len(got) == 7, "give seven things: a chance, five states, a number of runs.")
    chance, runs = float(got[0]), float(got[6])
    states = [str(state).strip().lower() for state in got[1:6]]
    expect(0 <= chance <= 1 and runs == int(runs), "a chance, five states, a whole number of runs.")
    expect(
        set(states) <= {"confirmed", "tentative", "rejected"},
        'a state is "confirmed", "tentative" or "rejected".',
    )
    judged("hw8-3", (chance, states, int(runs)))


@checker("hw8-4")
def check_stability(answer):
    judged("hw8-4", numbers_of(answer, 4))


# --- the smallest set that is no worse ---------------------------------------------------


def wrong_rows(n, counts, seed=0):
    """Losses of n classified rows: so many are wrong with each set, (n, n_sets)."""
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.permutation([1.0] * k + [0.0] * (n - k)) for k in counts])


def squared(seed, gaps=False):
    """Squared errors of sets of several sizes, some nearly as good as the best."""
    rng = np.random.default_rng(seed)
    sizes = rng.permutation([15, 12, 10, 8, 6, 5, 4, 3, 2])
    spread = 1 + 0.08 * rng.random(9) + 0.5 / sizes
    losses = (spread * rng.normal(size=(80, 9))) ** 2
    if gaps:
        losses[rng.random(losses.shape) < 0.35] = np.nan
    return losses, sizes


def limit_of(losses, sizes, u):
    """The largest error that will do, and the errors."""
    errors = np.nanmean(losses, axis=0)
    least = min(range(len(sizes)), key=lambda j: (errors[j], sizes[j]))
    known = losses[~np.isnan(losses[:, least]), least]
    return errors[least] + u * np.std(known) / np.sqrt(len(known)), errors


def smallest(losses, sizes, u):
    """The smallest set that is no worse, and the limit."""
    limit, errors = limit_of(losses, sizes, u)
    return min(k for k, e in zip(sizes, errors) if e <= limit + 1e-9), limit


@checker("hw8-5", plain=True)
def check_no_worse(no_worse):
    sizes = np.array([20, 16, 13, 10, 8, 6, 4, 2])
    losses = wrong_rows(100, [24, 20, 26, 22, 30, 23, 35, 50])
    before = losses.copy()
    found = no_worse(losses, sizes, 1.5)
    expect(
        np.array_equal(losses, before), "your function has changed its arguments; work on copies."
    )
    expect(np.shape(found) == (2,), "return two things: the size of the set, and the limit.")
    size, limit = map(float, found)
    errors, spread = losses.mean(axis=0), losses.std(axis=0)
    for wrong, hint in (
        (0.2, "u is missing: the limit is the least error and u standard errors."),
        (0.2 + 1.5 * spread[1], "that is u deviations of a single row; divide by the root of n."),
        (
            0.2 + 1.5 * errors.std(),
            "that is the deviation of the errors along the path, which says nothing about how sure "
            "the least one is; take the deviation of its losses.",
        ),
        (0.2 + 1.5 * spread[0] / 10, "you took the standard error of the first set."),
        (0.2 + 1.5 * spread[7] / 10, "you took the standard error of the smallest set."),
        (
            0.2 + 1.5 * losses[:, 1].std(ddof=1) / 10,
            "divide the squares by n, as in sqrt(L (1 - L) / n), not by n - 1.",
        ),
        (0.24, "that is one standard error; take u of them."),
    ):
        expect(not np.isclose(limit, wrong), hint)
    expect(np.isclose(limit, 0.26), "wrong limit: the least error is 0.2, the standard error 0.04.")
    expect(size != 16, "that is the set of least error; which smaller one is no worse?")
    expect(size not in (1, 5), "return the size of the set, not its number in the list.")
    expect(
        size not in (13, 10),
        "8 columns are above the limit, but 6 are within it again: a set that is above does not "
        "end the search.",
    )
    expect(size == 6, "of all sets within the limit, the smallest.")
    size, limit = map(float, no_worse(losses, sizes, 1))
    expect(
        size not in (16, 20),
        "13 columns are above the limit, but 10 and 6 are within it again: a set that is above "
        "does not end the search.",
    )
    expect(size == 6, "with u = 1 it is the set of six columns, too.")
    equal = wrong_rows(100, [20, 30, 24, 40])
    expect(
        no_worse(equal, np.array([9, 7, 5, 3]), 1)[0] == 5,
        "an error of just the limit will do; allow for 1e-9, for sums in a computer are not exact.",
    )
    for seed in range(6):
        losses, sizes = squared(seed)
        size, limit = map(float, no_worse(losses, sizes, 1))
        want, right = smallest(losses, sizes, 1)
        least = losses.mean(axis=0).min()
        expect(
            np.isfinite(limit)
            and not np.isclose(limit, least + np.sqrt(abs(least * (1 - least)) / 80)),
            "losses need not be 0 or 1: use their standard deviation, not L (1 - L).",
        )
        expect(np.isclose(limit, right), "right for classes, wrong for squared errors.")
        expect(
            size == want, "the sets come in any order: the smallest size, not the last in the list."
        )
    check_gaps(no_worse)


def check_gaps(no_worse):
    """Rows that a set has no judgment of, and two sets with the least error."""
    for seed in range(6):
        losses, sizes = squared(seed, gaps=True)
        size, limit = map(float, no_worse(losses, sizes, 1))
        want, right = smallest(losses, sizes, 1)
        expect(
            np.isfinite(limit), "nan is a row without a judgment: leave it out of mean and spread."
        )
        whole = losses[~np.isnan(losses).any(axis=1)]
        expect(
            not (len(whole) and np.isclose(limit, limit_of(whole, sizes, 1)[0])),
            "each set has rows of its own: leave out a row for this set only.",
        )
        zeros = np.nan_to_num(losses)
        expect(
            not np.isclose(limit, limit_of(zeros, sizes, 1)[0]),
            "a row without a judgment is no loss of 0.",
        )
        errors = np.nanmean(losses, axis=0)
        spread = np.nanstd(losses[:, errors.argmin()]) / np.sqrt(len(losses))
        expect(
            not np.isclose(limit, errors.min() + spread),
            "the n of the standard error counts the rows with a judgment only.",
        )
        expect(np.isclose(limit, right) and size == want, "right without gaps, wrong with them.")
    both = np.column_stack([np.ones(100), np.tile([0.0, 2.0], 50), np.full(100, 1.05)])
    for order in ([0, 1, 2], [2, 1, 0]):
        size, limit = no_worse(both[:, order], np.array([6, 4, 3])[order], 1)
        expect(
            np.isclose(limit, 1.1) and size == 3,
            "two sets have the least error: the smaller one is J*, and its standard error counts.",
        )


# --- one run of Boruta -------------------------------------------------------------------


def coded_table(n, d):
    """A table in which each value tells its column and its row."""
    return 1000.0 * np.arange(1, d + 1) + np.arange(n)[:, None]


def watching(values):
    """A measure that returns given importances, and the list of the tables that it was given."""
    tables = []

    def measure(table):
        tables.append(np.array(table))
        return np.array(values(tables[-1]), dtype=float)

    return measure, tables


def numbers(found):
    """Column numbers as a sorted list."""
    expect(np.ndim(found) == 1, "return a list of column numbers.")
    return sorted(int(j) for j in found)


@checker("hw8-6", plain=True)
def check_run(hits_of_run):
    X, left = coded_table(40, 9), [1, 2, 4, 7, 8]
    before, real = X.copy(), X[:, left]
    scripted = [9, 6, 3, 7, 5.5, 4, 1, 2, 3, 6]
    measure, tables = watching(lambda table: (scripted * 9)[: table.shape[1]])
    found = hits_of_run(measure, X, list(left), np.random.default_rng(0))
    expect(np.array_equal(X, before), "X has changed; shuffle copies of its columns.")
    expect(len(tables) == 1, "call `measure` once: columns and shadows compete in one forest.")
    table = tables[0]
    expect(
        table.shape != (40, 18),
        "only the columns in `left` take part: who is rejected takes its shadow along.",
    )
    expect(
        table.shape == (40, 10),
        "the table has the five columns in `left`, and behind them a shadow of each.",
    )
    expect(
        np.array_equal(table[:, :5], real),
        "the first columns of the table are those in `left`, as they are.",
    )
    shadows = table[:, 5:]
    expect(
        np.array_equal(np.sort(shadows, axis=0), real),
        "a shadow has all values of its column, each once, in another order.",
    )
    expect(
        not (shadows == real).all(axis=0).any(),
        "a shadow is the column itself: shuffle it among the rows.",
    )
    expect(
        not (shadows % 1000 == shadows[:, :1] % 1000).all(),
        "all shadows have the same order of rows, and tell about each other what the columns do; "
        "shuffle each by itself.",
    )
    again, others = watching(lambda table: (scripted * 9)[: table.shape[1]])
    hits_of_run(again, X, list(left), np.random.default_rng(0))
    expect(
        np.array_equal(table, others[0]),
        "draw from `rng` alone: the same generator must give the same table.",
    )
    found = numbers(found)
    for wrong, hint in (
        ([0, 3], "these are positions in `left`; return the numbers of the columns in X."),
        (
            [1, 2, 4, 7],
            "you compared each column with its own shadow; the bar is the best of all shadows.",
        ),
        ([1, 2, 7], "as important as the best shadow is a tie, and no hit."),
        ([1, 2, 7, 8], "the bar is the best shadow, not their mean."),
        ([1], "a column competes with the shadows, not with the other columns."),
    ):
        expect(found != wrong, hint)
    expect(found == [1, 7], "wrong hits: compare each real importance with the largest of shadows.")
    below = [-1, -4, -2, 3, -9, -3, -5, -6, -8, -3.5]
    found = hits_of_run(watching(lambda table: below)[0], X, left, np.random.default_rng(1))
    expect(
        numbers(found) == [1, 4, 7],
        "importance out of bag may be negative, of the best shadow, too: do not start from 0.",
    )
    for some in ([6], [3, 5], [0, 2, 4, 8]):
        measure, tables = watching(lambda table: np.arange(table.shape[1], 0, -1))
        found = hits_of_run(measure, X, some, np.random.default_rng(2))
        expect(
            tables[0].shape == (40, 6 * len(some)),
            "fewer than five columns cast five shadows each.",
        )
        casts = np.sort(tables[0][:, len(some) :] // 1000 - 1, axis=1)[0]
        expect(
            np.array_equal(casts, np.repeat(sorted(some), 5)),
            "fewer than five columns cast five shadows each, and each column equally many.",
        )
        orders = tables[0][:, len(some) :].T % 1000
        expect(
            len(np.unique(orders, axis=0)) == 5 * len(some),
            "each shadow has an order of its own, those of the same column, too.",
        )
        expect(numbers(found) == some, "wrong hits with fewer than five columns.")


# --- Boruta ------------------------------------------------------------------------------


def coin(hits, runs, flaw=""):
    """Chance of so many heads or more."""
    if flaw.startswith("exact"):
        return comb(runs, hits) / 2**runs if 2 * hits > runs or flaw == "exact, first" else 1.0
    return sum(comb(runs, a) for a in range(hits, runs + 1)) / 2**runs


def simulated(wins, alpha, max_runs, flaw=""):
    """States, and who took part in each run; with one flaw at most.

    wins is a list of functions, one for each column: whether it has a hit in run 1, 2, ...
    """
    d = len(wins)
    states, hits, taking, run = [0] * d, [0] * d, [], 0
    while run < max_runs and (0 in states or flaw == "no end"):
        run += 1
        some = [j for j in range(d) if states[j] >= 0 or flaw == "stays"]
        if flaw == "leaves":
            some = [j for j in range(d) if states[j] == 0]
        taking.append(tuple(some))
        for j in some:
            hits[j] += wins[j](run)
        shared = {"alone": 1, "left": len(some), "tentative": states.count(0), "sides": 2 * d}
        level = alpha / max(1, shared.get(flaw, d))
        for j in [j for j in some if states[j] == 0 or flaw == "again"]:
            tails = [coin(k, run, flaw) for k in (hits[j], run - hits[j])]
            fits = [tail < level if flaw == "strict" else tail <= level for tail in tails]
            if flaw == "never":
                fits[1] = False
            states[j] = 1 if fits[0] else -1 if fits[1] else states[j]
    return states, taking


FLAWS = {
    "alone": "the level is shared by the columns: alpha over their number.",
    "left": "the level is alpha over the number of all columns, those that have left included.",
    "tentative": "the level is alpha over the number of all columns, decided ones included.",
    "sides": "each side is tested at alpha over d, not at half of it.",
    "exact": "that is the chance of exactly so many hits: add the chances of more of them, and for "
    "a rejection those of fewer.",
    "exact, first": "that is the chance of exactly so many hits, and no hit is as rare as no miss: "
    "add the chances of more hits to confirm, of fewer to reject.",
    "strict": "a chance of just alpha over d will do.",
    "never": "nothing is rejected: count the misses as you count the hits.",
    "leaves": "a confirmed column stays in the table, and its shadow with it.",
    "stays": "a rejected column leaves the table, and its shadow with it.",
    "again": "a decision stands: ask the tentative columns only.",
    "no end": "stop when no column is tentative.",
}


def always(run):
    """A hit in each run."""
    return True


def never(run):
    """No hit."""
    return False


def odd(run):
    """A hit in each second run."""
    return run % 2 == 1


def missing(*runs):
    """No hit in these runs."""
    return lambda run: run not in runs


def only(*runs):
    """A hit in these runs."""
    return lambda run: run in runs


SCRIPTS = [
    ([always, never, odd, missing(3), only(2), odd], 0.06, 40),
    ([always, never, missing(1), only(4)], 1 / 8, 60),
    ([always, always, never, never], 1 / 8, 60),
    ([only(*range(1, 10)), odd, missing(2, 5), never, never, only(6, 7), always], 0.07, 60),
    ([missing(4, 6, 8), only(*range(3, 90, 3)), always, never, never, never, never], 0.3, 50),
    ([always, never, odd, always, never], 0.05, 3),
]


@cache
def scripted(flaw=""):
    """What Boruta does with each of the scripts."""
    return [simulated(*script, flaw) for script in SCRIPTS]


def followed(boruta, wins, alpha, max_runs):
    """States that a function finds, and who took part in each run."""
    taking = []

    def values(table):
        owners = (table[0] // 1000).astype(int) - 1
        n_real = next((k for k, j in enumerate(owners) if j in owners[:k]), len(owners))
        taking.append(tuple(int(j) for j in owners[:n_real]))
        run = len(taking)
        if run > 100 + max_runs:
            raise RuntimeError("the loop does not end")
        return [2.0 * wins[j](run) for j in owners[:n_real]] + [1.0] * (len(owners) - n_real)

    measure, _ = watching(values)
    X = coded_table(12, len(wins))
    before = X.copy()
    found = boruta(measure, X, alpha, max_runs, np.random.default_rng(0))
    expect(np.array_equal(X, before), "X has changed; work on copies.")
    expect(len(taking) <= max_runs, "you go on for more than `max_runs` runs.")
    expect(np.shape(found) == (len(wins),), "return a list with one state for each column of X.")
    return [int(state) for state in found], taking


@checker("hw8-7", plain=True)
def check_boruta(boruta):
    found = [followed(boruta, *script) for script in SCRIPTS]
    for states, _ in found:
        expect(
            set(states) <= {-1, 0, 1},
            "a state is 1 for confirmed, 0 for tentative, -1 for rejected.",
        )
    for flaw, hint in FLAWS.items():
        expect(found != scripted(flaw), hint)
    for (states, taking), (want, who) in zip(found, scripted()):
        expect(taking[:1] == who[:1], "in the first run all columns take part.")
        expect(
            [sorted(some) for some in taking] == [list(some) for some in who],
            "a decision comes in the wrong run, or not at all: after each run compare both tails "
            "with alpha over d.",
        )
        expect(states == want, "the runs are right, the states are not.")


# --- somebody's code ---------------------------------------------------------------------

FOREST = RandomForestClassifier(10, max_depth=5, random_state=0)
SIZES = (40, 20, 10, 5)


def ranked(X, y, rows):
    """Columns, the most important first, for a forest of some rows."""
    return np.argsort(-mean_decrease_impurity(FOREST.fit(X[rows], y[rows])), kind="stable")


def error(X, y, columns, learn, rows):
    """Share of wrong rows of a forest that has learned from others."""
    FOREST.fit(X[learn][:, columns], y[learn])
    return np.mean(FOREST.predict(X[rows][:, columns]) != y[rows])


def colleague_says(sizes, X, y, learn, choose, rank=None):
    """Least error of a path, on the rows that choose."""
    order = ranked(X, y, np.concatenate([learn, choose]) if rank is None else rank)
    return min(error(X, y, order[:k], learn, choose) for k in sizes)


def honest_is(sizes, X, y, learn, choose, judge, rank=None, grow=None):
    """Error on rows without a part in the choice."""
    order = ranked(X, y, learn if rank is None else rank)
    errors = [error(X, y, order[:k], learn, choose) for k in sizes]
    k = sizes[int(np.argmin(errors))]
    return error(X, y, order[:k], learn if grow is None else grow, judge)


FEW = (12, 6, 3)


def small_table(seed, n=90, d=24):
    """Columns of which a few tell something, and three groups of rows."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.permutation(np.arange(n) % 2)
    X[:, :4] += 0.7 * y[:, None]
    return X, y, *np.split(rng.permutation(n), [35, 55])


@cache
def slips(seed):
    """The right error on a table of `small_table`, and wrong ones by their hint."""
    X, y, learn, choose, judge = small_table(seed)
    every = (FEW, X, y, learn, choose, judge)
    known = np.concatenate([learn, choose])
    return honest_is(*every), {
        "this is what the colleague's function returns: the rows that judge have ranked and "
        "chosen.": colleague_says(*every[:5]),
        "the ranking is mended, but the least error of the path is still reported on the rows that "
        "chose.": colleague_says(*every[:5], rank=learn),
        "the rows in `judge` have chosen the set: its least error on them is too low.": (
            colleague_says(FEW, X, y, learn, judge, rank=learn)
        ),
        "the rows in `choose` have ranked the columns, and then chosen among them: rank on `learn` "
        "alone.": honest_is(*every, rank=known),
        "the rows in `judge` have ranked the columns: rank on `learn` alone.": [
            honest_is(*every, rank=rows) for rows in (np.arange(len(X)), np.r_[known, judge])
        ],
        "the last forest learns from `learn` alone, as those before it.": honest_is(
            *every, grow=known
        ),
    }


TABLE = 7  # here the right error and the wrong ones differ


@checker("hw8-9")
def check_honest(honest):
    X, y, learn, choose, judge = small_table(TABLE)
    before = X.copy(), y.copy()
    got = float(honest(FEW, X, y, learn, choose, judge))
    expect(
        np.array_equal(X, before[0]) and np.array_equal(y, before[1]),
        "X or y has changed; leave them as they are.",
    )
    want, wrong = slips(TABLE)
    for hint, value in wrong.items():
        expect(not np.isclose(got, value).any(), hint)
    expect(
        np.isclose(got, want),
        "rank on `learn`, choose the number by the error on `choose`, report that of the chosen "
        "set on `judge`.",
    )


def parts(X, seed):
    """120 rows to learn from, 30 to choose by, all others to judge."""
    return np.split(np.random.default_rng(seed).permutation(len(X)), [120, 150])


@cache
def hearts():
    """The measurements and classes of part C, as the notebook has them."""
    X, y = fetch_arrhythmia(return_X_y=True)
    X = X.loc[:, X.notna().all() & (X.nunique() > 1)].to_numpy(float)
    return X, (y != 1).to_numpy().astype(int)


def marked(k, sizes, z, rows):
    """An error between 0 and 1 that tells what a function was called with."""
    told = np.sin(1 + np.arange(len(z))) * z
    return 0.2 + 0.2 * k + 0.1 * (len(sizes) == 1) + np.mean(told[rows])


def standing_in(k, seen):
    """A function in the place of `colleague` (k = 0) or `honest` (k = 1), which keeps its calls."""

    def error_of(sizes, X, z, *rows):
        seen.append((k, tuple(int(size) for size in sizes), X, len(rows)))
        return marked(k, sizes, np.asarray(z), np.concatenate(rows[:2]))

    return error_of


@checker("hw8-10")
def check_compared(compared):
    X, y = hearts()
    seen, everything = [], (X.shape[1],)
    report = compared(standing_in(0, seen), standing_in(1, seen))
    names = ["colleague", "honest", "all"]
    for name in names:
        expect(name in report.columns, f"there is no column `{name}`: name the columns as asked.")
    for name in ("heart", "shuffled"):
        expect(name in report.index, f"there is no row `{name}`: name the rows as asked.")
    report = report.loc[["heart", "shuffled"], names]
    expect(np.shape(report) == (2, 3), "each row and each column once.")
    expect(seen, "call the two functions that you are given.")
    values = np.array(
        [
            [
                [marked(k, sizes, target, np.concatenate(parts(X, seed)[:2]))
                 for k, sizes in ((0, SIZES), (1, SIZES), (1, everything))]
                for seed in range(5)
            ]
            for target in (y, np.random.default_rng(0).permutation(y))
        ]
    )  # fmt: skip
    got, want = report.to_numpy(float), values.mean(axis=1)
    expect(
        all(np.array_equal(table, X) for _, _, table, _ in seen),
        "the measurements stay as they are: shuffle the classes alone.",
    )
    expect(not np.allclose(got, 1 - want), "these are accuracies; give errors.")
    expect(not np.allclose(got, want[::-1]), "the rows are exchanged.")
    expect(
        not np.allclose(got[:, :2], want[:, 1::-1]),
        "the columns colleague and honest are exchanged.",
    )
    expect(
        not np.allclose(got[:, :2], values[:, 0, :2]),
        "that is one split; take the mean of all five.",
    )
    expect(
        not np.allclose(got[:, :2], values.min(axis=1)[:, :2]),
        "that is the best of five splits; take the mean.",
    )
    for k, name in enumerate(names[:2]):
        expect(
            np.isclose(got[0, k], want[0, k]),
            f"heart: call `{name}` with SIZES and the rows of `parts(seed)`, for seeds 0 to 4.",
        )
    expect(
        np.isclose(got[0, 2], want[0, 2]),
        "all: call `honest` with the number of all columns as the only size.",
    )
    expect(
        np.allclose(got[1], want[1]),
        "shuffled: one order from `np.random.default_rng(0)`, the same in all five splits.",
    )
    expect(
        all(n == 2 + k for k, _, _, n in seen),
        "`colleague` takes the rows to learn from and to choose by, `honest` those to judge, too.",
    )
