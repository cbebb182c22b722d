"""Right and wrong answers to the assignment "Who may come in"."""

from functools import partial
from math import log, log2

import numpy as np
import pandas as pd
from checks_hw9 import (
    NAMES,
    error,
    halves,
    honest_is,
    report_values,
)
from scipy import stats

# --- by hand -----------------------------------------------------------------------------


def but(right, k, value):
    """A right answer with one entry replaced."""
    return (*right[:k], value, *right[k + 1 :])


ENTERED = (0.196, 0.446, 4, 2, 0.072)
GUIDED = (0.525, 0.278, "c", "e", 0.314)
TESTS = (3, 0.460, 2.236, 0.488, 0.0207)
ASKED = ("cdcddbd", "cdaddbe")


def by_hand(given):
    """Right answers and typical mistakes for the tables of a number."""
    return {
        "hw9-1": entered_of(given["books"].to_numpy().tolist(), given["penalty"]),
        "hw9-2": asked_of(given["nodes"], given["orders"]),
        "hw9-3": guided_of(given["importance"], given["gain"], given["base"]),
        "hw9-4": tests_of(given),
    }


def entropy_of(late, logarithm=log2):
    """Entropy of a list of noughts and ones."""
    shares = [late.count(k) / len(late) for k in set(late)]
    return -sum(p * logarithm(p) for p in shares)


def gain_in(rows, column, weights=None, logarithm=log2):
    """Gain of a column in rows whose last entry is the class."""
    sides = [[row[-1] for row in rows if row[column] == v] for v in (0, 1)]
    weights = weights or [len(side) / len(rows) for side in sides]
    before = entropy_of([row[-1] for row in rows], logarithm)
    return before - sum(w * entropy_of(side, logarithm) for w, side in zip(weights, sides))


def entries_by(rows, penalty, first):
    """Column and rows of the nodes that ask, with the columns that are in; the side first grown."""
    used, asked = [], []

    def grow(rows):
        offers = [(gain_in(rows, j) * (1 if j in used else penalty), j in used, -j)
                  for j in (0, 1, 2) if len({row[j] for row in rows}) == 2]  # fmt: skip
        if len({row[-1] for row in rows}) == 1 or not offers or max(offers)[0] < 1e-9:
            return
        j = -max(offers)[2]
        asked.append((j, rows, j not in used))
        used.extend({j} - set(used))
        for side in (first, 1 - first) if len(asked) == 1 else (0, 1):
            grow([row for row in rows if row[j] == side])

    grow(rows)
    return asked


def entered_of(rows, penalty):
    asked = entries_by(rows, penalty, 0)
    assert [j for j, _, is_new in asked if is_new] == [0, 1, 2]
    rest, novels = ([row for row in rows if row[0] == v] for v in (0, 1))
    limits = gain_in(novels, 1) / gain_in(novels, 2), gain_in(rest, 2) / gain_in(rest, 1)
    for limit, first, column in ((limits[0], 0, 2), (limits[1], 1, 1)):
        large = [entries_by(rows, limit + step, first) for step in (-1e-6, 1e-6)]
        size = len(novels if first == 0 else rest)
        at = [(column, size) in [(j, len(r)) for j, r, _ in found] for found in large]
        assert at == [False, True], (limit, first)
    root = gain_in(rows, 0)
    n_last = len(asked[-1][1])
    right = (root, limits[0], len(asked), n_last, limits[1])
    whole = entropy_of([row[-1] for row in rows])
    return right, [
        (but(right, 0, whole - root), "that is what is left"),
        (but(right, 0, gain_in(rows, 0, [0.5, 0.5])), "weigh the two sides"),
        (but(right, 0, gain_in(rows, 0, None, log)), "natural logarithm"),
        (but(right, 0, 0.55), f"of {len(rows)} are late"),
        (but(right, 1, 1 / limits[0]), "at most 1"),
        (but(right, 1, gain_in(novels, 1)), "that is a gain"),
        (but(right, 1, gain_in(novels, 2)), "that is a gain"),
        (but(right, 1, limits[0] + 0.003), "its gain over that of reserved"),
        (but(right, 2, 3), f"leaves {n_last} books mixed"),
        (but(right, 2, 9), "not the leaves"),
        (but(right, 2, 5), "thick on both sides"),
        (but(right, 3, len(novels)), "it is refused there"),
        (but(right, 3, n_last + len(novels)), "how many thick novels"),
        (but(right, 4, limits[0]), "the other order"),
        (but(right, 4, 0.98), "among the other books reserved gains"),
    ]


def asked_of(nodes, orders):
    """By the worth of every column that is tried, node by node; with one flaw at most."""

    def asked(penalty, flaw=""):
        known = []
        for k in range(7):
            entered = [] if flaw == "anew" and k == 4 else known
            fresh = [c for c in orders[k] if c not in entered]
            fresh = sorted(fresh) if flaw == "number" else fresh
            tried = {c: penalty if flaw != "turned" else 1 for c in fresh[:2]}
            if flaw == "all":
                tried = dict.fromkeys(fresh, penalty)
            if flaw == "places":
                tried = {c: penalty for c in orders[k][:2] if c in fresh}
            if flaw == "none":
                tried = dict.fromkeys(tried, 1)
            old = [c for c in entered if flaw != "few" or c in orders[k][:2]]
            tried |= dict.fromkeys(old, penalty if flaw == "turned" else 1)
            worth = {c: round(tried[c] * nodes[k]["abcde".index(c)], 6) for c in tried}
            most = [c for c in orders[k] if worth.get(c) == max(worth.values())]
            if flaw == "number":
                most.sort(key=lambda c: c if c in fresh else "")
            most.sort(key=lambda c: (c in entered) == (flaw == "tie"))
            known = [*entered, most[0]]
            yield most[0]

    def of(penalty, flaw=""):
        return "".join(asked(penalty, flaw))

    right = of(0.5), of(1)
    flaws = {
        "none": "without a penalty", "turned": "it is the new columns", "anew": "begins with what",
        "all": "only the first two", "places": "take no place", "number": "not in the alphabet",
        "few": "wherever it stands", "tie": "that is in wins",
    }  # fmt: skip
    wrong = [((of(0.5, flaw), right[1]), hint) for flaw, hint in flaws.items()]
    wrong += [((right[0], of(1, flaw)), flaws[flaw]) for flaw in ("anew", "tie")]
    slips = [{of(p, flaw) for flaw in flaws} for p in (0.5, 1)]
    for k, letter in ((0, "abcde"), (6, "edcba")):
        for place, name in ((0, "penalty 0.5"), (1, "penalty 1")):
            other = [right[place][:k] + c + right[place][k + 1 :] for c in letter]
            other = next(o for o in other if o != right[place] and o not in slips[place])
            pair = (other, right[1]) if place == 0 else (right[0], other)
            if pair != right[::-1]:
                wrong.append((pair, f"{name}: node {k + 1} is"))
    return right, [*wrong, (right[::-1], "are exchanged"), ((right[0], "cda"), "two strings")]


def guided_of(importance, gain, base):
    names = [*"bcde"]
    most = max(importance.values())

    def counts(gamma):
        found = {c: ((1 - gamma) * base + gamma * importance[c] / most) * gain[c] for c in names}
        return {"a": gain["a"], **found}

    half, none = counts(0.5), counts(0)
    first, second = (max(found, key=found.get) for found in (half, none))
    assert "a" not in (first, second)
    assert first != second
    assert sorted(half.values())[-1] > sorted(half.values())[-2] + 0.002
    assert sorted(none.values())[-1] > sorted(none.values())[-2] + 0.002

    def even(other):
        """By bisection; where `second` no longer counts more."""
        low, high = 0.0, 5.0
        for _ in range(60):
            middle = (low + high) / 2
            more = counts(middle)[second] > counts(middle)[other]
            low, high = (middle, high) if more else (low, middle)
        return low

    parts = [base / 2 + importance[c] / most / 2 for c in "de"]
    right = (parts[0], parts[1] * gain["e"], first, second, even(first))
    assert 0 < right[4] < 0.5
    largest = max(names, key=importance.get)
    new = max(importance[c] for c in names)
    wrong = [
        (but(right, 0, base / 2 + importance["d"] / 2), "by the largest one"),
        (but(right, 0, base / 2 + importance["d"] / new / 2), "that of a, which is in"),
        (but(right, 0, base + importance["d"] / most / 2), "the part 1 - gamma"),
        (but(right, 0, 0.5 + importance["d"] / most / 2), "not 1"),
        (but(right, 0, right[0] - 0.01), "half of"),
        (but(right, 1, parts[1]), "multiply its gain"),
        (but(right, 1, base * gain["e"]), "without the guide"),
        (but(right, 1, 0.9), "its penalty is"),
        (but(right, 2, second), "the smallest"),
        (but(right, 2, "a"), "who counts more"),
        (but(right, 3, first), "who gains most"),
        (but(right, 4, even("a")), "the same as a"),
        (but(right, 4, 1 - right[4]), "the part of the base"),
        (but(right, 4, right[4] + 0.02), "both penalties change"),
        (right[:4], "give five things"),
    ]
    if largest != first:
        wrong.append((but(right, 2, largest), "has the largest penalty"))
    return right, wrong


def tests_of(given):
    methods, sets, mean, s = (given[name] for name in ("methods", "sets", "mean", "sd"))
    folds, limit = given["folds"], given["limit"]
    assert abs(stats.t.ppf(0.975, 10 * folds - 1) - limit) < 5e-4
    chance = sum(stats.binom.pmf(k, sets, 0.05) for k in range(1, sets + 1))

    def width(k, ratio):
        return s * (1 / k + ratio) ** 0.5

    k, ratio = 10 * folds, 1 / (folds - 1)
    right = (methods * sets / 20, chance, mean / width(20, 0), mean / width(20, 1))
    right += (limit * width(k, ratio),)
    return right, [
        (but(right, 0, right[0] / 2), "both sides count"),
        (but(right, 0, sets / 20), f"there are {methods}"),
        (but(right, 0, right[0] + 1.2), "tests, each with a chance"),
        (but(right, 1, sets / 20), "how many to expect"),
        (but(right, 1, 1 - chance), "the chance of none"),
        (but(right, 1, 1 - 0.95 ** (methods * sets)), f"not {methods * sets}"),
        (but(right, 1, stats.binom.pmf(1, sets, 0.05)), "exactly one"),
        (but(right, 1, 0.05), "one less the chance"),
        ((*right[:2], right[3], right[2], right[4]), "makes t smaller"),
        (but(right, 2, mean / s), "the root of twenty"),
        (but(right, 2, mean / width(10, 0)), "not ten"),
        (but(right, 2, right[2] + 0.1), "/ sqrt(20)"),
        (but(right, 3, mean / width(20, 0.5)), "halves, so 1"),
        (but(right, 3, mean / width(10, 1)), "k is twenty"),
        (but(right, 3, right[3] / 2), "1/20 + 1"),
        (but(right, 4, limit * width(k, 1)), f"{folds - 1} learn"),
        (but(right, 4, limit * width(k, 0)), "the ratio is missing"),
        (but(right, 4, limit * width(k, 1 / folds)), f"*{folds - 1}* learn"),
        (but(right, 4, limit * width(10, ratio)), f"are {k} differences"),
        (but(right, 4, width(k, ratio)), "multiply by the limit"),
        (but(right, 4, 2.093 * width(k, ratio)), "with more differences"),
        (but(right, 4, right[4] + 0.03), "the limit times the corrected"),
        (right[:4], "give five numbers"),
    ]


# --- hw9-5 -------------------------------------------------------------------------------


def question_loops(X, y, used, new, penalties, flaw=""):
    """Question by question, with one flaw at most."""
    y = list(y)
    if flaw == "in place":
        X[:, 0] = np.sort(X[:, 0])

    def entropy(some):
        shares = [some.count(k) / len(some) for k in set(some)]
        logarithm = np.log if flaw == "natural" else np.log2
        return -sum(p * logarithm(p) for p in shares)

    found = []
    columns = [*used, *new]
    columns = sorted(columns) if flaw == "number" else columns
    columns = [*new, *used] if flaw == "new first" else columns
    for place, j in enumerate(columns):
        values = sorted(set(X[:, j].tolist()))
        for a, b in zip(values, values[1:]):
            cut = a if flaw == "on values" else (a + b) / 2
            sides = [
                [k for k, v in zip(y, X[:, j]) if bool(v <= cut) is side] for side in (True, False)
            ]
            weights = [len(side) / len(y) for side in sides]
            weights = [0.5, 0.5] if flaw == "unweighted" else weights
            gain = entropy(y) - sum(w * entropy(side) for w, side in zip(weights, sides))
            part = 1 if j in used else penalties[j]
            part = {"none": 1, "all": penalties[j]}.get(flaw, part)
            if flaw == "turned":
                part = penalties[j] if j in used else 1
            if gain > 1e-9 or flaw == "no gain":
                found.append((part * gain, place, cut, j, gain))
    if not found:
        return (-1, 0, 0)
    most = max(offer[0] for offer in found)
    best = [offer for offer in found if offer[0] >= most - 1e-9]
    pick = {"last cut": lambda o: (o[1], -o[2]), "last column": lambda o: (-o[1], o[2])}
    worth, _, cut, j, gain = min(best, key=pick.get(flaw, lambda o: (o[1], o[2])))
    if flaw == "cut only":
        return j, cut
    return j, cut, worth if flaw == "worth" else gain


def question_numpy(X, y, used, new, penalties):
    codes = np.unique(y, return_inverse=True)[1]
    onehot = np.eye(codes.max() + 1)[codes]

    def cost(sums):
        n = sums.sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return -np.nansum(sums * np.log2(sums / n), axis=-1) / len(y)

    best, most = (-1, 0.0, 0.0), 0.0
    for j in list(used) + list(new):
        values = np.unique(X[:, j])
        cuts = (values[1:] + values[:-1]) / 2
        if not len(cuts):
            continue
        low = (X[:, j][None] <= cuts[:, None]).astype(float) @ onehot
        gains = cost(onehot.sum(axis=0)) - cost(low) - cost(onehot.sum(axis=0) - low)
        k = int(np.argmax(gains >= gains.max() - 1e-9))
        part = 1.0 if j in used else penalties[j]
        if gains[k] > 1e-9 and part * gains[k] > most + 1e-9:
            best, most = (j, cuts[k], gains[k]), part * gains[k]
    return best


# --- hw9-6 -------------------------------------------------------------------------------


def forest_stack(X, y, samples, penalties, m, rng, flaw=""):
    """With a stack of nodes, and one flaw at most."""
    entered, entries, d = [], [], X.shape[1]
    if flaw == "own":
        rng = np.random.default_rng()
    if flaw == "in place":
        samples[0][:] = np.sort(samples[0])
    for b, sample in enumerate(samples):
        sample = np.unique(sample) if flaw == "unique" else np.array(sample)
        sample = np.arange(len(y)) if flaw == "no sample" else sample
        entered = [] if flaw == "anew" else entered
        per_tree = rng.permutation(d) if flaw == "tree" else None
        stack = [sample]
        while stack:
            rows = stack.pop(0 if flaw == "depth" else -1)
            if np.all(y[rows] == y[rows[0]]):
                if flaw == "draws":
                    rng.permutation(d)
                continue
            order = per_tree if flaw == "tree" else rng.permutation(d)
            order = np.arange(d) if flaw == "number" else order
            tries = order[:m] if flaw == "places" else [j for j in order if j not in entered][:m]
            tries = order if flaw == "all" else tries
            new = [int(j) for j in tries if j not in entered]
            old = [j for j in entered if j in order[:m]] if flaw == "few" else entered
            part = np.ones(d) if flaw == "none" else penalties
            j, cut, _ = question_numpy(X[rows], y[rows], list(old), new, part)
            if j < 0:
                continue
            if j not in entered:
                entered.append(j)
                n = len(set(rows.tolist())) if flaw == "different" else len(rows)
                entries.append((j, b + (flaw == "from one"), n))
            left = X[rows, j] <= cut
            stack += [rows[left], rows[~left]][:: 1 if flaw in ("right", "depth") else -1]
    if flaw == "columns":
        return entered
    return sorted(entries) if flaw == "sorted" else entries


def forest_recursive(X, y, samples, penalties, m, rng):
    found = {}

    def node(rows, b):
        if len(np.unique(y[rows])) > 1:
            new = [j for j in rng.permutation(X.shape[1]).tolist() if j not in found][:m]
            j, cut, gain = question_loops(X[rows], y[rows], list(found), new, penalties)
            if gain > 0:
                found.setdefault(j, (b, len(rows)))
                node(rows[X[rows, j] <= cut], b)
                node(rows[X[rows, j] > cut], b)

    for b in range(len(samples)):
        node(samples[b], b)
    return [(j, *place) for j, place in found.items()]


# --- hw9-7 -------------------------------------------------------------------------------


def marks_loops(differences, ratio, flaw=""):
    """Set by set, with one flaw at most."""
    if flaw == "in place":
        differences += 0.001
    if flaw == "zeros":
        differences = np.nan_to_num(differences)
    values, found = [], []
    for row in differences:
        known = row if flaw == "nan" else row[~np.isnan(row)]
        k = len(row) if flaw == "all" else len(known)
        if len(known) < 2:
            values.append(0.0 if flaw == "few" else np.nan)
            found.append(0)
            continue
        mean, s = known.mean(), known.std(ddof=0 if flaw == "ddof" else 1)
        ratio_used = {"no ratio": 0, "one": 1}.get(flaw, ratio)
        scale = np.sqrt(1 / k + ratio_used)
        scale = {"no root": scale**2, "s": 1, "squared": s * scale}.get(flaw, scale)
        if s < 1e-12 and flaw != "spread":
            t = 0.0 if abs(mean) < 1e-12 or flaw == "flat" else np.inf * np.sign(mean)
        else:
            with np.errstate(all="ignore"):
                t = mean / (s * scale)
        t = {"sign": -t, "abs": abs(t)}.get(flaw, t)
        share = 0.95 if flaw == "one side" else 0.975
        df = k if flaw == "df" else len(row) - 1 if flaw == "df of all" else k - 1
        limit = stats.norm.ppf(0.975) if flaw == "normal" else stats.t.ppf(share, df)
        mark = int(t > limit) - int(t < -limit)
        values.append(t)
        found.append(abs(mark) if flaw == "losses" else mark)
    if flaw == "marks only":
        return np.array(found)
    return np.array(values), np.array(found)


def marks_numpy(differences, ratio):
    k = np.sum(~np.isnan(differences), axis=1)
    safe = np.maximum(k, 1)
    mean = np.nansum(differences, axis=1) / safe
    s2 = np.nansum((differences - mean[:, None]) ** 2, axis=1) / np.maximum(k - 1, 1)
    flat, none = np.sqrt(s2) < 1e-12, abs(mean) <= 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / np.sqrt(s2 * (1 / safe + ratio))
        t = np.where(flat, np.where(none, 0, np.inf * np.where(none, 1, np.sign(mean))), t)
    t = np.where(k < 2, np.nan, t)
    p = 2 * stats.t.sf(abs(t), np.maximum(k - 1, 1))
    return t, np.where(p < 0.05, np.sign(t), 0)


# --- hw9-8 -------------------------------------------------------------------------------


def honest_by(chooses):
    """Somebody's function with other rows that choose."""
    return lambda choose, X, y, seeds: honest_is(choose, X, y, seeds, chooses)


def honest_loops(choose, X, y, seeds):
    found = np.zeros((len(seeds), 2))
    for i, seed in enumerate(seeds):
        for k, (learn, judge) in enumerate(halves(seed, len(X))):
            mask = choose(X[learn], y[learn])
            whole = error(X, y, np.full(X.shape[1], True), learn, judge)
            found[i, k] = whole - error(X, y, mask, learn, judge)
    return found


# --- hw9-9 -------------------------------------------------------------------------------


def compared(told, change=lambda values, told: values):
    """The table of hw9-9, with changed values."""
    values = np.array(change(report_values(told), np.array([*told.values()])))
    return pd.DataFrame(values, index=[*told], columns=NAMES)


def compared_pairs(told):
    """Row by row, with the two kinds of t by scipy and by hand."""
    found = {}
    for who in sorted(told, reverse=True):
        every = told[who].ravel()
        scale = np.sqrt(every.var(ddof=1) * (1 / len(every) + 1))
        paper = stats.ttest_1samp((told[who][:, 0] + told[who][:, 1]) / 2, 0).statistic
        found[who] = {"corrected": every.mean() / scale, "replicates": paper,
                      "difference": every.mean()}  # fmt: skip
    return pd.DataFrame(found).T


def compared_in_place(told):
    found = compared(told)
    for values in told.values():
        values -= 1
    return found


def changed(change):
    """`compared` with another table of values."""
    return partial(compared, change=change)


def column(k, value):
    """`compared` with another column; `value` gets the right values and the differences."""

    def change(values, told):
        values = values.copy()
        values[:, k] = value(values, told)
        return values

    return changed(change)


def plain_t(values, told):
    """With all differences as if they were independent."""
    every = told.reshape(len(told), -1)
    return values[:, 0] / (every.std(axis=1, ddof=1) / np.sqrt(every.shape[1]))


def of_means(values, told):
    """The corrected t of the means of the seeds."""
    means = told.mean(axis=2)
    return values[:, 0] / means.std(axis=1, ddof=1) / np.sqrt(1 / means.shape[1] + 1)


CORRECT = {
    "hw9-1": [ENTERED, [0.1959, 0.3219 / 0.7219, 4.0, 2.0, 0.0716]],
    "hw9-2": [ASKED, [list("cdcddbd"), "CDADDBE"]],
    "hw9-3": [GUIDED, [0.525, 0.2775, "C", "E", 8 / 25.5]],
    "hw9-4": [TESTS, [3.0, 1 - 0.95**12, 5**0.5, 0.48795, 0.0207]],
    "hw9-5": [question_loops, question_numpy],
    "hw9-6": [forest_stack, forest_recursive],
    "hw9-7": [marks_loops, marks_numpy],
    "hw9-8": [honest_by("learn"), honest_loops],
    "hw9-9": [compared, compared_pairs],
}

WRONG = {
    "hw9-1": [
        (but(ENTERED, 0, 0.804), "that is what is left"),
        (but(ENTERED, 0, 0.2075), "7 and 5"),
        (but(ENTERED, 0, 0.136), "natural logarithm"),
        (but(ENTERED, 0, 0.5), "6 of 12"),
        (but(ENTERED, 1, 2.243), "at most 1"),
        (but(ENTERED, 1, 0.722), "that is a gain"),
        (but(ENTERED, 1, 0.4), "0.322 over 0.722"),
        (but(ENTERED, 2, 3), "leaves 2 books mixed"),
        (but(ENTERED, 2, 9), "not the leaves"),
        (but(ENTERED, 2, 5), "thick on both sides"),
        (but(ENTERED, 3, 5), "it is refused there"),
        (but(ENTERED, 3, 3), "how many thick novels"),
        (but(ENTERED, 4, 0.446), "the other order"),
        (but(ENTERED, 4, 0.5), "0.062"),
        (ENTERED[:4], "give five numbers"),
    ],
    "hw9-2": [
        (("cdaddbe", ASKED[1]), "without a penalty"),
        (("cdaedbe", ASKED[1]), "it is the new columns"),
        (("cdcdccc", ASKED[1]), "begins with what"),
        (("ededdbe", ASKED[1]), "only the first two"),
        (("cdcddcd", ASKED[1]), "take no place"),
        (("bbbaaba", ASKED[1]), "not in the alphabet"),
        (("cdadcbe", ASKED[1]), "wherever it stands"),
        (("cdcddbe", ASKED[1]), "that is in wins"),
        (("cdcdabd", ASKED[1]), "node 5 is the first"),
        ((ASKED[0], "cdadccd"), "begins with what"),
        ((ASKED[0], "cdadebe"), "that is in wins"),
        ((ASKED[0], "cdaddbd"), "penalty 1: node 7"),
        (ASKED[::-1], "are exchanged"),
        ((ASKED[0], "cda"), "two strings of seven"),
    ],
    "hw9-3": [
        (but(GUIDED, 0, 0.45), "by the largest one"),
        (but(GUIDED, 0, 0.6), "that of a, which is in"),
        (but(GUIDED, 0, 0.925), "the part 1 - gamma"),
        (but(GUIDED, 0, 0.625), "not 1"),
        (but(GUIDED, 0, 0.3), "half of 0.8"),
        (but(GUIDED, 1, 0.4625), "multiply its gain"),
        (but(GUIDED, 1, 0.48), "without the guide"),
        (but(GUIDED, 1, 0.3), "its penalty is 0.4625"),
        (but(GUIDED, 2, "e"), "the smallest"),
        (but(GUIDED, 2, "b"), "gains 0.30 only"),
        (but(GUIDED, 2, "a"), "who counts more"),
        (but(GUIDED, 3, "c"), "who gains most"),
        (but(GUIDED, 4, 0.593), "the same as a"),
        (but(GUIDED, 4, 0.686), "the part of the base"),
        (but(GUIDED, 4, 0.4), "both penalties change"),
        (GUIDED[:4], "give five things"),
    ],
    "hw9-4": [
        (but(TESTS, 0, 1.5), "both sides count"),
        (but(TESTS, 0, 0.6), "there are 5"),
        (but(TESTS, 0, 5), "60 tests"),
        (but(TESTS, 1, 0.6), "how many to expect"),
        (but(TESTS, 1, 0.540), "the chance of none"),
        (but(TESTS, 1, 0.954), "not 60"),
        (but(TESTS, 1, 0.341), "exactly one"),
        (but(TESTS, 1, 0.05), "none of 12"),
        ((*TESTS[:2], TESTS[3], TESTS[2], TESTS[4]), "makes t smaller"),
        (but(TESTS, 2, 0.5), "the root of twenty"),
        (but(TESTS, 2, 1.581), "not ten"),
        (but(TESTS, 2, 3), "0.015 over"),
        (but(TESTS, 3, 0.674), "halves, so 1"),
        (but(TESTS, 3, 0.4767), "k is twenty"),
        (but(TESTS, 3, 0.3), "1/20 + 1"),
        (but(TESTS, 4, 0.0598), "9 learn"),
        (but(TESTS, 4, 0.00595), "the ratio is missing"),
        (but(TESTS, 4, 0.01974), "*9* learn"),
        (but(TESTS, 4, 0.02735), "are 100 differences"),
        (but(TESTS, 4, 0.01044), "multiply by the limit"),
        (but(TESTS, 4, 0.02185), "with more differences"),
        (but(TESTS, 4, 0.064), "with 1/9"),
        (TESTS[:4], "give five numbers"),
    ],
    "hw9-5": [
        (partial(question_loops, flaw="all"), "counts its whole gain"),
        (partial(question_loops, flaw="none"), "its penalty times its gain"),
        (partial(question_loops, flaw="turned"), "it is the new columns"),
        (partial(question_loops, flaw="worth"), "not what it counts"),
        (partial(question_loops, flaw="natural"), "in bits"),
        (partial(question_loops, flaw="unweighted"), "weigh the two sides"),
        (partial(question_loops, flaw="on values"), "lies halfway"),
        (partial(question_loops, flaw="number"), "not by number"),
        (partial(question_loops, flaw="last column"), "the first column counts"),
        (partial(question_loops, flaw="last cut"), "the smallest"),
        (partial(question_loops, flaw="new first"), "the answer is"),
        (partial(question_loops, flaw="no gain"), "return (-1, 0, 0)"),
        (partial(question_loops, flaw="in place"), "changed its arguments"),
        (partial(question_loops, flaw="cut only"), "three things"),
    ],
    "hw9-6": [
        (partial(forest_stack, flaw="anew"), "the *first* tree"),
        (partial(forest_stack, flaw="right"), "before the right one"),
        (partial(forest_stack, flaw="depth"), "not depth by depth"),
        (partial(forest_stack, flaw="unique"), "counts twice"),
        (partial(forest_stack, flaw="no sample"), "the rows of its sample"),
        (partial(forest_stack, flaw="draws"), "draws nothing"),
        (partial(forest_stack, flaw="number"), "the first m of a draw"),
        (partial(forest_stack, flaw="tree"), "not each tree"),
        (partial(forest_stack, flaw="all"), "only the first m"),
        (partial(forest_stack, flaw="places"), "take no place"),
        (partial(forest_stack, flaw="few"), "in every node"),
        (partial(forest_stack, flaw="different"), "with repetitions"),
        (partial(forest_stack, flaw="sorted"), "as they enter"),
        (partial(forest_stack, flaw="none"), "has the entries"),
        (partial(forest_stack, flaw="from one"), "has the entries"),
        (partial(forest_stack, flaw="own"), "has the entries"),
        (partial(forest_stack, flaw="in place"), "changed its arguments"),
        (partial(forest_stack, flaw="columns"), "a list of triples"),
    ],
    "hw9-7": [
        (partial(marks_loops, flaw="no ratio"), "the ratio is missing"),
        (partial(marks_loops, flaw="ddof"), "ddof=1"),
        (partial(marks_loops, flaw="s"), "multiply s"),
        (partial(marks_loops, flaw="no root"), "take the root"),
        (partial(marks_loops, flaw="one"), "it need not be 1"),
        (partial(marks_loops, flaw="squared"), "not its square"),
        (partial(marks_loops, flaw="sign"), "the sign is wrong"),
        (partial(marks_loops, flaw="abs"), "keeps its sign"),
        (partial(marks_loops, flaw="one side"), "two-sided"),
        (partial(marks_loops, flaw="normal"), "Student's"),
        (partial(marks_loops, flaw="df"), "not k"),
        (partial(marks_loops, flaw="losses"), "a loss is -1"),
        (partial(marks_loops, flaw="nan"), "leave it out"),
        (partial(marks_loops, flaw="zeros"), "no difference of 0"),
        (partial(marks_loops, flaw="all"), "the divisions there are"),
        (partial(marks_loops, flaw="df of all"), "of those there are"),
        (partial(marks_loops, flaw="few"), "fewer than two"),
        (partial(marks_loops, flaw="spread"), "t is 0, a tie"),
        (partial(marks_loops, flaw="flat"), "t is infinite"),
        (partial(marks_loops, flaw="in place"), "changed its arguments"),
        (partial(marks_loops, flaw="marks only"), "two arrays"),
    ],
    "hw9-8": [
        (honest_by("all"), "what the colleague's function returns"),
        (honest_by("judge"), "the rows that judge have chosen"),
        (honest_by("first"), "choose anew in each"),
        (lambda *case: -honest_loops(*case), "the sign is wrong"),
        (lambda *case: honest_loops(*case)[:, ::-1], "comes first in its row"),
        (lambda *case: honest_loops(*case).mean(axis=1), "two differences"),
        (lambda *case: honest_loops(*case) * 0, "in each of the two divisions"),
    ],
    "hw9-9": [
        (changed(lambda values, told: values[::-1]), "the rows are exchanged"),
        (changed(lambda values, told: values[:, [0, 2, 1]]), "t are exchanged"),
        (column(0, lambda values, told: -values[:, 0]), "their sign already"),
        (column(0, lambda values, told: told[:, 0].mean(axis=1)), "that is one seed"),
        (column(0, lambda values, told: values[[0, 0], 0]), "honest: the mean"),
        (column(1, plain_t), "one number for each seed"),
        (column(1, lambda values, told: values[:, 1] * (7 / 6) ** 0.5), "divides by n - 1"),
        (column(1, lambda values, told: [2.0, -2.0]), "over the root of their number"),
        (column(2, of_means), "as one set"),
        (column(2, plain_t), "the ratio of halves"),
        (compared_in_place, "changed its arguments"),
        (lambda told: compared(told).T, "no column `difference`"),
        (lambda told: compared(told).rename(index={"honest": "me"}), "no row `honest`"),
    ],
}  # fmt: skip
