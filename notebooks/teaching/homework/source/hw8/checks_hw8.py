"""Checkers of the assignment "More than luck"."""

from functools import cache
from math import comb

import numpy as np

from treelab import RandomForestClassifier
from treelab.checkers import checker, expect
from treelab.datasets import fetch_arrhythmia
from treelab.importance import mean_decrease_impurity

KEPT = np.array([8, 6, 2.2942, 0.4867, 3.2577])
HITS = ((3, 2, 2, 0, 1, 0), (3, 3, 3, 1, 1, 1))
STABLE = np.array([0.4833, 0.6667, 0.2222, -0.2])


def near(got, want):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=0.0015)


def numbers_of(answer, n):
    """The answer as an array of n numbers."""
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (n,), f"give {('four', 'five')[n - 4]} numbers.")
    return got


@checker("hw8-1")
def check_path(answer):
    got = numbers_of(answer, 5)
    expect(
        got[0] != 13,
        "thirteen columns have the least error; the question is which smaller set is no worse.",
    )
    expect(
        got[0] != 2,
        "the standard error of a share is the root of L (1 - L) over n: divide by the 400.",
    )
    expect(
        got[0] != 6,
        "88 wrong are 12 more than the least; one standard error is 7.8 seedlings.",
    )
    expect(got[0] == 8, "up to 76 + 7.8 wrong will do: which is the smallest set that has them?")
    expect(
        got[1] != 8,
        "with 100 seedlings the same share is less sure: compute the standard error anew.",
    )
    expect(
        got[1] != 4,
        "a quarter of the seedlings makes the standard error twice as large, not four times.",
    )
    expect(got[1] == 6, "of 100: the least share is still 0.19, its standard error 0.039.")
    expect(
        not near(got[2], 18) and not near(got[2], 0.045),
        "that is the distance; count it in standard errors.",
    )
    expect(
        not near(got[2], 0.045 / np.sqrt(0.235 * 0.765 / 400)),
        "the standard error is that of the least error, not that of the five columns.",
    )
    expect(
        not near(got[2], KEPT[2] / 2),
        "back to 400 seedlings: with 100 a standard error is twice as large.",
    )
    expect(near(got[2], KEPT[2]), "five columns: 94 - 76 wrong, in units of 7.85.")
    expect(
        not near(got[3:], KEPT[4:2:-1]),
        "the last two are exchanged: the long path has the large deviation, and a small α will do.",
    )
    expect(
        not near(got[3], 0.4617) and not near(got[4], 3.016),
        "the deviation of a path divides the squares by the number of errors, not by one less.",
    )
    expect(near(got[3], KEPT[3]), "18 wrong, in units of the deviation of all ten errors.")
    expect(
        not near(got[4], KEPT[3]),
        "the path has become shorter: the deviation is that of the seven errors that are left.",
    )
    expect(near(got[4], KEPT[4]), "18 wrong, in units of the deviation of the first seven errors.")


@checker("hw8-2")
def check_hits(answer):
    got = tuple(tuple(int(v) for v in row) for row in answer)
    expect(
        [len(row) for row in got] == [6, 6],
        "give two tuples of six numbers, in the order of the table.",
    )
    for wrong, hint in (
        (
            (3, 3, 3, 2, 2, 1),
            "you compared each column with its own shadow; the bar is the best of all six shadows.",
        ),
        ((3, 2, 2, 1, 1, 0), "18 against 18 is a tie: a hit is above the bar."),
        (
            (3, 3, 3, 3, 2, 3),
            "zero is no bar: a forest gives even a coin some importance. Ask the shadows.",
        ),
        ((3, 1, 1, 0, 1, 0), "each run has a bar of its own; you took the best shadow of all."),
        (HITS[1], "this is the median bar; the first tuple asks for the best shadow."),
    ):
        expect(got[0] != wrong, hint)
    expect(got[0] == HITS[0], "the bars of the three runs are 18, 21 and 25.")
    expect(
        got[1] != (3, 3, 3, 3, 1, 1),
        "the median of six is halfway between the third and the fourth, and a tie is no hit.",
    )
    expect(got[1] != (3, 3, 3, 2, 1, 1), "that is the mean of the shadows, not the median.")
    expect(got[1] == HITS[1], "the medians of the shadows are 10, 9 and 12.")


@checker("hw8-3")
def check_decisions(answer):
    got = list(answer)
    expect(len(got) == 7, "give seven things: a chance, five states, a number of runs.")
    chance, runs = float(got[0]), float(got[6])
    states = [str(state).strip().lower() for state in got[1:6]]
    for wrong, hint in (
        (comb(13, 11) / 2**13, "that is exactly 11; 12 and 13 hits are at least as good."),
        (14 / 2**13, "that is 12 or more; 11 counts, too."),
        (1 / 2**13, "that is one order of hits and misses; the misses may stand anywhere."),
        (1 - 92 / 2**13, "that is the chance of fewer than 11."),
        (2 * 92 / 2**13, "one side only: as many hits or more."),
    ):
        expect(not np.isclose(chance, wrong, rtol=0, atol=5e-5), hint)
    expect(
        np.isclose(chance, 92 / 2**13, rtol=0, atol=5e-5),
        "how many of the 8192 orders have 11, 12 or 13 hits?",
    )
    expect(
        set(states) <= {"confirmed", "tentative", "rejected"},
        'a state is "confirmed", "tentative" or "rejected".',
    )
    expect(
        states[1] != "confirmed",
        "0.0112 is below 0.05, but five columns are tested: each has a fifth of that.",
    )
    expect(states[0] == "confirmed", "12 of 13: 14 of 8192 orders, 0.0017.")
    expect(states[1] == "tentative", "11 of 13 is too much for a coin's average, not for its luck.")
    expect(states[2] != "rejected", "six of 13 is what a coin shows; so is a column no better?")
    expect(states[2] == "tentative", "six of 13: neither tail is small.")
    expect(
        states[3] == "tentative",
        "two hits are as far from the middle as 11: the same chance, on the other side.",
    )
    expect(states[4] == "rejected", "one hit is as far from the middle as 12.")
    expect(runs != 13, "after 13 runs its chance is 0.0112; the level is 0.01.")
    expect(runs == 14, "without another miss: 12 of 14 hits, then 13 of 15. When is it 0.01?")


@checker("hw8-4")
def check_stability(answer):
    got = numbers_of(answer, 4)
    expect(
        not near(got[:2], [0.6111, 0.8]),
        "you divided by the size of a set; divide by the columns that are in one set or in both.",
    )
    expect(near(got[0], STABLE[0]), "Jaccard of A: six pairs of samples, such as abc and ade: 1/5.")
    expect(near(got[1], STABLE[1]), "Jaccard of B: any two sets share four of six columns.")
    expect(
        not near(got[2:], [0.4167, 0.1]),
        "the variance over four samples divides by three: 4/3 times p (1 - p).",
    )
    expect(
        not near(got[2:], [0.7778, 1.2]), "that is the ratio; the stability is 1 less this ratio."
    )
    expect(near(got[2], STABLE[2]), "A: a, ..., f are in 4, 3, 2, 2, 1 and 0 samples; p is 1/2.")
    expect(
        not near(got[3], 1 - (1 / 6) / 0.25),
        "B keeps five of six columns: by lot each is in with 5/6.",
    )
    expect(near(got[3], STABLE[3]), "B: four columns are in three samples, two in all; p is 5/6.")


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


@checker("hw8-5")
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


@checker("hw8-6")
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


@checker("hw8-7")
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


@checker("hw8-8")
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
def report_table():
    """What is said of the heart (first) and of shuffled classes, in each split; (2, 5, 3)."""
    X, y = fetch_arrhythmia(return_X_y=True)
    X = X.loc[:, X.notna().all() & (X.nunique() > 1)].to_numpy(float)
    y = (y != 1).to_numpy().astype(int)
    told = []
    for target in (y, np.random.default_rng(0).permutation(y)):
        for seed in range(5):
            rows = parts(X, seed)
            told.append(
                [
                    colleague_says(SIZES, X, target, *rows[:2]),
                    honest_is(SIZES, X, target, *rows),
                    error(X, target, ranked(X, target, rows[0]), rows[0], rows[2]),
                ]
            )
    return np.reshape(told, (2, 5, 3))


@checker("hw8-9")
def check_report(report):
    values = report_table()
    names = ["colleague", "honest", "all"]
    for name in names:
        expect(name in report.columns, f"there is no column `{name}`: name the columns as asked.")
    for name in ("heart", "shuffled"):
        expect(name in report.index, f"there is no row `{name}`: name the rows as asked.")
    report = report.loc[["heart", "shuffled"], names]
    expect(np.shape(report) == (2, 3), "each row and each column once.")
    got, want = report.to_numpy(float), values.mean(axis=1)
    close = {"rtol": 0, "atol": 0.006}
    expect(not np.allclose(got, 1 - want, **close), "these are accuracies; give errors.")
    expect(not np.allclose(got, want[::-1], **close), "the rows are exchanged.")
    expect(
        not np.allclose(got[:, :2], want[:, 1::-1], **close),
        "the columns colleague and honest are exchanged.",
    )
    expect(
        not np.allclose(got[:, :2], values[:, 0, :2], **close),
        "that is one split; take the mean of all five.",
    )
    expect(
        not np.allclose(got[:, :2], values.min(axis=1)[:, :2], **close),
        "that is the best of five splits; take the mean.",
    )
    for k, name in enumerate(names[:2]):
        expect(
            np.allclose(got[0, k], want[0, k], **close),
            f"heart: call `{name}` with SIZES and the rows of `parts(seed)`, for seeds 0 to 4.",
        )
    expect(
        np.allclose(got[0, 2], want[0, 2], **close),
        "all: call `honest` with the number of all columns as the only size.",
    )
    expect(
        np.allclose(got[1], want[1], **close),
        "shuffled: one order from `np.random.default_rng(0)`, the same in all five splits.",
    )
