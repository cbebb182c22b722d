"""Right and wrong answers to the assignment "More than luck"."""

from functools import partial
from itertools import accumulate, combinations
from math import comb, sqrt
from statistics import median, pstdev, stdev

import numpy as np
import pandas as pd
from checks_hw8 import (
    SIZES,
    colleague_says,
    error,
    hearts,
    honest_is,
    parts,
    ranked,
)

# --- by hand -----------------------------------------------------------------------------


def but(right, k, value):
    """A right answer with one entry replaced."""
    return (*right[:k], value, *right[k + 1 :])


KEPT = (8, 6, 2.294, 0.487, 3.258)
HITS = ((3, 2, 2, 0, 1, 0), (3, 3, 3, 1, 1, 1))
STABLE = (29 / 60, 2 / 3, 2 / 9, -0.2)
DECIDED = (0.0112, "confirmed", "tentative", "tentative", "tentative", "rejected", 14)


def path_by_hand(path):
    """Answer and mistakes of hw8-1."""
    wrong = dict(zip(path["columns"].tolist(), path["wrong"].tolist()))
    least = min(wrong.values())
    best = next(k for k in wrong if wrong[k] == least)
    assert list(wrong.values()).count(least) == 1
    shares = {k: w / 400 for k, w in wrong.items()}

    def within(n, times=1.0):
        limit = shares[best] + times * sqrt(shares[best] * (1 - shares[best]) / n)
        assert min(abs(share - limit) for share in shares.values()) > 1e-5
        return min(k for k in shares if shares[k] <= limit)

    away = shares[5] - shares[best]
    se = sqrt(shares[best] * (1 - shares[best]) / 400)
    early = [w for k, w in wrong.items() if k >= 5]
    alpha = [400 * away / pstdev(some) for some in (wrong.values(), early)]
    ddof = [400 * away / stdev(some) for some in (wrong.values(), early)]
    right = (within(400), within(100), away / se, *alpha)
    assert best > right[0] > right[1] > 5 > within(25)
    assert away > 2 * se
    return right, [
        (but(right, 0, best), "have the least error"),
        (but(right, 0, 2), "divide by the 400"),
        (but(right, 0, right[1]), "more than the least; one standard error"),
        (but(right, 0, 3), "wrong will do"),
        (but(right, 1, right[0]), "is less sure"),
        (but(right, 1, within(25)), "twice as large, not four"),
        (but(right, 1, best), "its standard error"),
        (but(right, 2, 400 * away), "count it in standard errors"),
        (but(right, 2, away / sqrt(shares[5] * (1 - shares[5]) / 400)), "not that of the five"),
        (but(right, 2, away / se / 2), "back to 400"),
        (but(right, 2, away / se + 0.2), "in units of"),
        ((*right[:3], *alpha[::-1]), "are exchanged"),
        ((*right[:3], *ddof), "not by one less"),
        (but(right, 3, right[3] + 0.01), "of all ten errors"),
        (but(right, 4, alpha[0]), "has become shorter"),
        (but(right, 4, right[4] + 0.1), "of the first seven"),
    ]


def hits_by_hand(real, shadow):
    """Answer and mistakes of hw8-2."""
    real, shadow = real.tolist(), shadow.tolist()

    def count(bars, tie=False):
        found = [0] * 6
        for row, bar in zip(real, bars):
            for j, (value, limit) in enumerate(zip(row, bar)):
                found[j] += value > limit or (tie and value == limit)
        return tuple(found)

    def same(of):
        return [[of(row)] * 6 for row in shadow]

    best, middle = count(same(max)), count(same(median))
    top = max(map(max, shadow))
    wrong = [
        ((count(shadow), middle), "its own shadow"),
        ((count(same(max), tie=True), middle), "is a tie: a hit is above"),
        ((count([[0] * 6] * 3), middle), "zero is no bar"),
        ((count([[top] * 6] * 3), middle), "a bar of its own"),
        ((middle, best), "this is the median bar"),
        ((best, count(same(median), tie=True)), "halfway between"),
        ((best, count(same(lambda row: sum(row) / 6))), "not the median"),
        ((best, best), "the medians of the shadows are"),
    ]
    return (best, middle), wrong


def tests_by_hand(tested):
    """Answer and mistakes of hw8-3."""
    runs, *hits = tested.iloc[0].tolist()

    def tail(heads, tosses):
        rows = [1.0]
        for _ in range(tosses):
            rows = [(a + b) / 2 for a, b in zip([*rows, 0], [0, *rows])]
        return sum(rows[heads:]), rows[heads]

    def state(h):
        if tail(h, runs)[0] <= 0.05 / 5:
            return "confirmed"
        return "rejected" if tail(runs - h, runs)[0] <= 0.05 / 5 else "tentative"

    states = [state(h) for h in hits]
    order = sorted(range(5), key=lambda j: -hits[j])
    assert [states[j] for j in order] == ["confirmed", *["tentative"] * 3, "rejected"]
    second = hits[order[1]]
    chance, exact = tail(second, runs)
    assert 0.01 < chance < 0.05
    end, one = runs, second
    while tail(one, end)[0] > 0.01:
        end, one = end + 1, one + 1
    right = (chance, *states, end)
    at = {j: 1 + order[j] for j in range(5)}
    return right, [
        (but(right, 0, exact), f"exactly {second}"),
        (but(right, 0, tail(second + 1, runs)[0]), "counts, too"),
        (but(right, 0, 0.5**runs), "one order of hits"),
        (but(right, 0, 1 - chance), "fewer than"),
        (but(right, 0, 2 * chance), "one side only"),
        (but(right, 0, chance + 0.1), f"{2**runs} orders"),
        (but(right, at[0], "tentative"), f"of {2**runs} orders, 0.00"),
        (but(right, at[1], "confirmed"), "a fifth of that"),
        (but(right, at[1], "rejected"), "for its luck"),
        (but(right, at[2], "rejected"), "what a coin shows"),
        (but(right, at[2], "confirmed"), "neither tail"),
        (but(right, at[3], "rejected"), "on the other side"),
        (but(right, at[4], "tentative"), f"as far from the middle as {hits[order[0]]}"),
        (but(right, 6, runs), "the level is 0.01"),
        (but(right, 6, end + 1), f"then {second + 2} of {runs + 2}"),
    ]


def lists_by_hand(lists):
    """Answer and mistakes of hw8-4."""
    both = [[set(some) for some in lists[name]] for name in lists]

    def over_pairs(sets, under):
        pairs = list(combinations(sets, 2))
        return sum(len(a & b) / under(a, b) for a, b in pairs) / len(pairs)

    def ratio(sets, factor=4 / 3, p=None):
        shares = [sum(x in some for some in sets) / 4 for x in "abcdef"]
        p = sum(shares) / 6 if p is None else p
        return factor * sum(share * (1 - share) for share in shares) / 6 / (p * (1 - p))

    right = tuple(over_pairs(sets, lambda a, b: len(a | b)) for sets in both)
    right += tuple(1 - ratio(sets) for sets in both)
    assert right[0] < right[1]
    assert right[2] > 0.02 > 0 > right[3]
    sizes = [over_pairs(sets, lambda a, b: len(a)) for sets in both]
    return right, [
        ((*sizes, *right[2:]), "in one set or in both"),
        (but(right, 0, right[0] + 0.02), "six pairs of samples"),
        (but(right, 1, right[1] + 0.05), "the first two sets share"),
        ((*right[:2], *(1 - ratio(sets, 1) for sets in both)), "divides by three"),
        ((*right[:2], *map(ratio, both)), "1 less this ratio"),
        (but(right, 2, right[2] + 0.05), "p is 1/2"),
        (but(right, 3, 1 - ratio(both[1], p=0.5)), "by lot each is in"),
        (but(right, 3, -right[3]), "columns are in three samples"),
    ]


def by_hand(given):
    """Right answers and typical mistakes for the tables of any number."""
    path, real, shadow, tested, lists = given
    return {
        "hw8-1": path_by_hand(path),
        "hw8-2": hits_by_hand(real, shadow),
        "hw8-3": tests_by_hand(tested),
        "hw8-4": lists_by_hand(lists),
    }


# --- hw8-5 -------------------------------------------------------------------------------


def no_worse_loops(losses, sizes, u, flaw=""):
    """Set by set, with one flaw at most."""
    if flaw == "in place":
        losses -= 0.1
    if flaw == "whole rows":
        losses = losses[~np.isnan(losses).any(axis=1)]
    if flaw == "zeros":
        losses = np.nan_to_num(losses)
    found = []
    for column, size in zip(losses.T, sizes):
        known = column if flaw == "nan" else column[~np.isnan(column)]
        n = len(column) if flaw == "all rows" else len(known)
        spread = float(np.std(known, ddof=flaw == "ddof"))
        if flaw == "shares":
            spread = abs(known.mean() * (1 - known.mean())) ** 0.5
        found.append((known.mean(), int(size), spread / (1 if flaw == "no root" else n**0.5)))
    order = sorted(found) if flaw != "first" else sorted(found, key=lambda some: some[0])
    least, at, se = order[0]
    if flaw == "largest":
        se = found[0][2]
    if flaw == "smallest":
        se = found[-1][2]
    if flaw == "path":
        se = float(np.std([some[0] for some in found]))
    limit = least + se * {"no u": 0, "one": 1}.get(flaw, u)
    fits = [some[0] <= limit + (0 if flaw == "exact" else 1e-9) for some in found]
    if flaw == "strict":
        fits = [some[0] < limit - 1e-9 or some[1] == at for some in found]
    if flaw == "least":
        return at, limit
    if flaw == "position":
        return max(k for k, fit in enumerate(fits) if fit), limit
    if flaw == "last":
        return [some[1] for some, fit in zip(found, fits) if fit][-1], limit
    if flaw == "stops":
        down = sorted(zip((some[1] for some in found), fits), reverse=True)
        down = [pair for pair in down if pair[0] <= at]
        kept = accumulate(down, lambda a, b: b if b[1] and a[1] else (a[0], False))
        return min(size for size, _ in kept), limit
    return min((some[1] for some, fit in zip(found, fits) if fit), default=at), limit


def no_worse_numpy(losses, sizes, u):
    order = np.argsort(sizes)
    L, k = losses[:, order], np.asarray(sizes)[order]
    e, n = np.nanmean(L, axis=0), np.sum(~np.isnan(L), axis=0)
    limit = (e + u * np.nanstd(L, axis=0) / np.sqrt(n))[np.argmin(e)]
    return k[np.argmax(e <= limit + 1e-9)], limit


# --- hw8-6 -------------------------------------------------------------------------------


def run_table(measure, X, left, rng, flaw=""):
    """A table filled column by column, with one flaw at most."""
    n, left = len(X), list(left)
    some = list(range(X.shape[1])) if flaw == "all" else left
    times = 1 if len(some) > 4 or flaw == "once" else 5
    if flaw == "some":
        times = 1 + (len(some) < 5)
    rng = np.random.default_rng() if flaw == "own" else rng
    table, order = [X[:, j] for j in some], rng.permutation(n)
    for j in some * times:
        rows = order if flaw == "together" else rng.permutation(n)
        if flaw == "bootstrap":
            rows = rng.integers(n, size=n)
        table.append(X[:, j] if flaw == "itself" else X[rows, j])
    if flaw == "in place":
        X[:, left[0]] = X[order, left[0]]
    if flaw == "behind":
        table = table[len(some) :] + table[: len(some)]
    found = np.asarray(measure(np.column_stack(table)))
    real, luck = found[: len(some)], found[len(some) :]
    bar = {"mean": luck.mean(), "zero": max(0, luck.max()), "rivals": found.max() - 1e-9}
    bar = bar.get(flaw, luck.max())
    if flaw == "shadow":
        bar = luck.reshape(times, -1).max(axis=0)
    wins = real >= bar if flaw == "tie" else real > bar
    if flaw == "position":
        return np.flatnonzero(wins).tolist()
    return [j for j, win in zip(some, wins) if win]


def run_by_permuted(measure, X, left, rng):
    wide = X[:, left]
    shadows = [rng.permuted(wide, axis=0) for _ in range(5 if len(left) < 5 else 1)]
    found = np.asarray(measure(np.hstack([wide, *shadows])))
    return np.asarray(left)[found[: len(left)] > found[len(left) :].max()]


def run_twice(measure, X, left, rng):
    shadows = np.column_stack([rng.permutation(X[:, j]) for j in left])
    real, luck = measure(X[:, left]), measure(shadows)
    return [j for j, value in zip(left, real) if value > max(luck)]


# --- hw8-7 -------------------------------------------------------------------------------


def boruta_with(measure, X, alpha, max_runs, rng, flaw=""):
    """Boruta, with one flaw at most."""
    d = X.shape[1]
    states, hits = np.zeros(d, dtype=int), np.zeros(d, dtype=int)
    for run in range(1, max_runs + (2 if flaw == "one more" else 1)):
        if (states != 0).all() and flaw != "no end":
            break
        takes = states == 0 if flaw == "leaves" else (states >= 0) | (flaw == "stays")
        left = np.flatnonzero(takes).tolist()
        if left:
            hits[run_by_permuted(measure, X, left, rng)] += 1
        if flaw == "early" and run < 6:
            continue
        shared = {"alone": 1, "left": len(left), "tentative": (states == 0).sum(), "sides": 2 * d}
        level = alpha / max(1, shared.get(flaw, d))
        for j in left:
            if states[j] and flaw != "again":
                continue
            for k, state in ((hits[j], 1), (run - hits[j], -1)):
                exact = flaw == "exact, first" or (flaw == "exact" and 2 * k > run)
                more = 1 if exact else run + 1 - k
                chance = sum(comb(run, int(a)) for a in range(k, k + more)) / 2**run
                if chance < level or (chance == level and flaw != "strict"):
                    if not (flaw == "never" and state < 0):
                        states[j] = state
                    break
    if flaw == "words":
        return [("rejected", "tentative", "confirmed")[state + 1] for state in states]
    return -states if flaw == "turned" else states


def boruta_by_tables(measure, X, alpha, max_runs, rng):
    d, run = X.shape[1], 0
    wins, states = [0] * d, [0] * d
    while run < max_runs and not all(states):
        run += 1
        sums = list(accumulate(comb(run, a) for a in range(run + 1)))
        few = max((k for k in range(run) if sums[k] * d <= alpha * 2**run), default=-1)
        for j in run_table(measure, X, [j for j in range(d) if states[j] != -1], rng):
            wins[j] += 1
        for j in range(d):
            if not states[j]:
                states[j] = (run - wins[j] <= few) - (wins[j] <= few)
    return states


# --- hw8-8 -------------------------------------------------------------------------------


def honest_loops(sizes, X, y, learn, choose, judge):
    order, best = list(ranked(X, y, learn)), None
    for k in sizes:
        found = error(X, y, order[:k], learn, choose)
        if best is None or found < best[0]:
            best = found, k
    return error(X, y, order[: best[1]], learn, judge)


def honest_mended_half(sizes, X, y, learn, choose, judge):
    return colleague_says(sizes, X, y, learn, choose, rank=learn)


def honest_judge_chooses(sizes, X, y, learn, choose, judge):
    return colleague_says(sizes, X, y, learn, judge, rank=learn)


def honest_ranked_by(rows):
    def honest(sizes, X, y, learn, choose, judge):
        known = [learn, choose, judge][:rows]
        return honest_is(sizes, X, y, learn, choose, judge, rank=np.concatenate(known))

    return honest


def honest_learns_more(sizes, X, y, learn, choose, judge):
    grow = np.concatenate([learn, choose])
    return honest_is(sizes, X, y, learn, choose, judge, grow=grow)


# --- hw8-10 ------------------------------------------------------------------------------

HEARTS = hearts()


def compared_by_rows(colleague, honest, flaw=""):
    """The table of hw8-10, with one flaw at most."""
    X, y = HEARTS
    targets = {"heart": y, "shuffled": np.random.default_rng(flaw == "seed").permutation(y)}
    rows = {}
    for name, target in targets.items():
        told = []
        for split in range(1 if flaw == "one" else 5):
            rows_of = parts(X, split)
            if flaw == "orders" and name == "shuffled":
                target = np.random.default_rng(split).permutation(y)
            table = X[::-1] if flaw == "columns" else X
            some = (10,) if flaw == "sizes" else SIZES
            every = SIZES if flaw == "all" else (X.shape[1],)
            told.append(
                (
                    colleague(SIZES, table, target, *rows_of[:2]),
                    honest(some, table, target, *rows_of),
                    honest(every, table, target, *rows_of),
                )
            )
        rows[name] = np.min(told, axis=0) if flaw == "best" else np.mean(told, axis=0)
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["colleague", "honest", "all"])
    if flaw == "rows":
        table.index = ["shuffled", "heart"]
    if flaw == "turned":
        table.columns = ["honest", "colleague", "all"]
    return 1 - table if flaw == "accuracies" else table


def compared_by_columns(colleague, honest):
    X, y = HEARTS
    luck = np.random.default_rng(0).permutation(y)
    table = pd.DataFrame(0.0, index=["shuffled", "heart"], columns=["all", "honest", "colleague"])
    for split in range(5):
        rows = parts(X, split)
        for name, z in (("heart", y), ("shuffled", luck)):
            table.loc[name, "honest"] += honest(SIZES, X, z, *rows) / 5
            table.loc[name, "all"] += honest([X.shape[1]], X, z, *rows) / 5
            table.loc[name, "colleague"] += colleague(SIZES, X, z, *rows[:2]) / 5
    return table


CORRECT = {
    "hw8-1": [KEPT, [8.0, 6, 18 / 7.846, 18 / 36.98, 18 / 5.5255]],
    "hw8-2": [HITS, [list(row) for row in HITS]],
    "hw8-3": [DECIDED, [92 / 8192, *map(str.upper, DECIDED[1:6]), 14.0]],
    "hw8-4": [STABLE, [0.483, 0.667, 0.222, -0.2]],
    "hw8-5": [no_worse_loops, no_worse_numpy],
    "hw8-6": [run_table, run_by_permuted],
    "hw8-7": [boruta_with, boruta_by_tables],
    "hw8-9": [honest_is, honest_loops],
    "hw8-10": [compared_by_rows, compared_by_columns],
}

WRONG = {
    "hw8-1": [
        (but(KEPT, 0, 13), "have the least error"),
        (but(KEPT, 0, 2), "divide by the 400"),
        (but(KEPT, 0, 6), "88 wrong are 12 more"),
        (but(KEPT, 0, 5), "up to 76 + 7.8"),
        (but(KEPT, 1, 8), "is less sure"),
        (but(KEPT, 1, 4), "twice as large, not four"),
        (but(KEPT, 1, 13), "its standard error 0.039"),
        (but(KEPT, 2, 18), "count it in standard errors"),
        (but(KEPT, 2, 2.122), "not that of the five columns"),
        (but(KEPT, 2, 1.147), "back to 400"),
        (but(KEPT, 2, 3), "in units of 7.85"),
        ((*KEPT[:3], 3.258, 0.487), "are exchanged"),
        ((*KEPT[:3], 0.462, 3.016), "not by one less"),
        (but(KEPT, 3, 0.5), "of all ten errors"),
        (but(KEPT, 4, 0.487), "has become shorter"),
        (but(KEPT, 4, 3), "of the first seven"),
        (KEPT[:4], "give five numbers"),
    ],
    "hw8-2": [
        (((3, 3, 3, 2, 2, 1), HITS[1]), "its own shadow"),
        (((3, 2, 2, 1, 1, 0), HITS[1]), "18 against 18"),
        (((3, 3, 3, 3, 2, 3), HITS[1]), "zero is no bar"),
        (((3, 1, 1, 0, 1, 0), HITS[1]), "a bar of its own"),
        (HITS[::-1], "this is the median bar"),
        (((3, 2, 1, 0, 1, 0), HITS[1]), "18, 21 and 25"),
        ((HITS[0], (3, 3, 3, 3, 1, 1)), "halfway between"),
        ((HITS[0], (3, 3, 3, 2, 1, 1)), "not the median"),
        ((HITS[0], HITS[0]), "10, 9 and 12"),
        ((HITS[0], HITS[1][:5]), "two tuples of six"),
    ],
    "hw8-3": [
        (but(DECIDED, 0, 0.0095), "exactly 11"),
        (but(DECIDED, 0, 0.0017), "11 counts, too"),
        (but(DECIDED, 0, 0.0001), "one order of hits"),
        (but(DECIDED, 0, 0.9888), "fewer than 11"),
        (but(DECIDED, 0, 0.0225), "one side only"),
        (but(DECIDED, 0, 0.02), "8192 orders"),
        (but(DECIDED, 1, "tentative"), "14 of 8192"),
        (but(DECIDED, 2, "confirmed"), "a fifth of that"),
        (but(DECIDED, 2, "rejected"), "for its luck"),
        (but(DECIDED, 3, "rejected"), "what a coin shows"),
        (but(DECIDED, 3, "confirmed"), "neither tail"),
        (but(DECIDED, 4, "rejected"), "on the other side"),
        (but(DECIDED, 5, "tentative"), "as 12"),
        (but(DECIDED, 5, "dropped"), "a state is"),
        (but(DECIDED, 6, 13), "the level is 0.01"),
        (but(DECIDED, 6, 15), "then 13 of 15"),
        (DECIDED[:6], "give seven things"),
    ],
    "hw8-4": [
        ((0.611, 0.8, 0.222, -0.2), "in one set or in both"),
        (but(STABLE, 0, 0.5), "such as abc and ade"),
        (but(STABLE, 1, 0.75), "sets share 4 of 6 columns"),
        ((*STABLE[:2], 0.417, 0.1), "divides by three"),
        ((*STABLE[:2], 0.778, 1.2), "1 less this ratio"),
        (but(STABLE, 2, 0.3), "p is 1/2"),
        (but(STABLE, 3, 1 / 3), "by lot each is in"),
        (but(STABLE, 3, 0.2), "p is 0.8333"),
        (STABLE[:3], "give four numbers"),
    ],
    "hw8-5": [
        (partial(no_worse_loops, flaw="no u"), "u is missing"),
        (partial(no_worse_loops, flaw="one"), "take u of them"),
        (partial(no_worse_loops, flaw="no root"), "root of n"),
        (partial(no_worse_loops, flaw="path"), "along the path"),
        (partial(no_worse_loops, flaw="largest"), "of the first set"),
        (partial(no_worse_loops, flaw="smallest"), "of the smallest set"),
        (partial(no_worse_loops, flaw="ddof"), "not by n - 1"),
        (partial(no_worse_loops, flaw="least"), "which smaller one"),
        (partial(no_worse_loops, flaw="position"), "not its number in the list"),
        (partial(no_worse_loops, flaw="stops"), "does not end the search"),
        (partial(no_worse_loops, flaw="strict"), "just the limit"),
        (partial(no_worse_loops, flaw="shares"), "need not be 0 or 1"),
        (partial(no_worse_loops, flaw="last"), "in any order"),
        (partial(no_worse_loops, flaw="nan"), "without a judgment"),
        (partial(no_worse_loops, flaw="whole rows"), "rows of its own"),
        (partial(no_worse_loops, flaw="zeros"), "no loss of 0"),
        (partial(no_worse_loops, flaw="all rows"), "with a judgment only"),
        (partial(no_worse_loops, flaw="first"), "the smaller one is J*"),
        (partial(no_worse_loops, flaw="in place"), "changed its arguments"),
        (lambda losses, sizes, u: no_worse_numpy(losses, sizes, u)[0], "two things"),
    ],
    "hw8-6": [
        (run_twice, "call `measure` once"),
        (partial(run_table, flaw="all"), "takes its shadow along"),
        (partial(run_table, flaw="behind"), "the first columns"),
        (partial(run_table, flaw="bootstrap"), "each once"),
        (partial(run_table, flaw="itself"), "the column itself"),
        (partial(run_table, flaw="together"), "the same order of rows"),
        (partial(run_table, flaw="own"), "from `rng` alone"),
        (partial(run_table, flaw="in place"), "X has changed"),
        (partial(run_table, flaw="position"), "positions in `left`"),
        (partial(run_table, flaw="shadow"), "with its own shadow"),
        (partial(run_table, flaw="tie"), "is a tie"),
        (partial(run_table, flaw="mean"), "not their mean"),
        (partial(run_table, flaw="rivals"), "not with the other columns"),
        (partial(run_table, flaw="zero"), "do not start from 0"),
        (partial(run_table, flaw="once"), "cast five shadows"),
        (partial(run_table, flaw="some"), "cast five shadows"),
    ],
    "hw8-7": [
        (partial(boruta_with, flaw="alone"), "shared by the columns"),
        (partial(boruta_with, flaw="left"), "that have left included"),
        (partial(boruta_with, flaw="tentative"), "decided ones included"),
        (partial(boruta_with, flaw="sides"), "not at half"),
        (partial(boruta_with, flaw="exact"), "exactly so many"),
        (partial(boruta_with, flaw="exact, first"), "no hit is as rare"),
        (partial(boruta_with, flaw="strict"), "will do"),
        (partial(boruta_with, flaw="never"), "nothing is rejected"),
        (partial(boruta_with, flaw="leaves"), "stays in the table"),
        (partial(boruta_with, flaw="stays"), "leaves the table"),
        (partial(boruta_with, flaw="again"), "a decision stands"),
        (partial(boruta_with, flaw="no end"), "stop when"),
        (partial(boruta_with, flaw="one more"), "more than `max_runs`"),
        (partial(boruta_with, flaw="early"), "in the wrong run"),
        (partial(boruta_with, flaw="turned"), "the states are not"),
        (partial(boruta_with, flaw="words"), "could not read"),
    ],
    "hw8-9": [
        (lambda sizes, X, y, learn, choose, judge: colleague_says(sizes, X, y, learn, choose),
         "what the colleague's function returns"),
        (honest_mended_half, "the ranking is mended"),
        (honest_judge_chooses, "have chosen the set"),
        (honest_ranked_by(2), "have ranked the columns, and then chosen"),
        (honest_ranked_by(3), "the rows in `judge` have ranked"),
        (honest_learns_more, "as those before it"),
        (lambda *answer: 0.5, "report that of the chosen"),
    ],
    "hw8-10": [
        (partial(compared_by_rows, flaw="accuracies"), "these are accuracies"),
        (partial(compared_by_rows, flaw="rows"), "the rows are exchanged"),
        (partial(compared_by_rows, flaw="turned"), "colleague and honest are exchanged"),
        (partial(compared_by_rows, flaw="one"), "that is one split"),
        (partial(compared_by_rows, flaw="best"), "the best of five"),
        (partial(compared_by_rows, flaw="columns"), "shuffle the classes alone"),
        (partial(compared_by_rows, flaw="sizes"), "call `honest` with SIZES"),
        (partial(compared_by_rows, flaw="all"), "the only size"),
        (partial(compared_by_rows, flaw="seed"), "shuffled: one order"),
        (partial(compared_by_rows, flaw="orders"), "shuffled: one order"),
        (lambda f, g: compared_by_rows(f, g).T, "no column `colleague`"),
        (lambda f, g: compared_by_rows(f, g).rename(index={"heart": "ill"}), "no row `heart`"),
    ],
}  # fmt: skip
