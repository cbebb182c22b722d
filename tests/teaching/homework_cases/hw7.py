"""Right and wrong answers to the assignment "Choosing features"."""

from collections import Counter
from functools import partial
from itertools import combinations
from math import log, log2, sqrt

import numpy as np
import pandas as pd
from checks_hw7 import INNER, NUMBERS, OUTER, colleague_says, model_of, spectra
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

# --- by hand -----------------------------------------------------------------------------


def but(right, k, value):
    """A right answer with one entry replaced."""
    return (*right[:k], value, *right[k + 1 :])


UNCERTAINTIES = (1 / 3, 2 * 0.3113 / 1.8113, 0.4, 2 * 0.1556 / 2.8113)
MERITS = (0.3437, 0.4543, 0.4310, 0.4548)
FATES = {"A": "kept", "B": "A", "C": "kept", "D": "A", "E": "C", "F": "pass 1"}
WALKS = ("ac", "bc", "bc", "bcd", "a")


def uncertain(a, b):
    """Bits of two columns, those that they share, and their symmetrical uncertainty."""
    one, other = entropy(a), entropy(b)
    left = sum(a.count(u) / len(a) * entropy([w for v, w in zip(a, b) if v == u]) for u in set(a))
    return one, other, other - left, 2 * (other - left) / (one + other)


def flats_by_hand(flats, heating):
    """Answers and mistakes of hw7-1 and hw7-2."""
    columns = {name: flats[name].tolist() for name in flats} | {"number": list(flats.index)}
    asked = [("district", "let"), ("balcony", "let"), ("number", "let"), ("district", "balcony")]
    found = [uncertain(columns[a], columns[b]) for a, b in asked]
    bits, shared = [one for one, *_ in found], [both for _, _, both, _ in found]
    told, y = tuple(value for *_, value in found), found[0][1]
    b = bits[1]
    # the pairs of hw7-8 have a best one, and so have the single columns
    single = sorted([*told[:2], heating["let"]])
    assert single[1] > single[0] + 0.002
    named = ["district", "balcony", "heating"]
    joint = [
        uncertain(list(zip(columns[u], columns[v])), columns["let"])[3]
        for u, v in combinations(named, 2)
    ]
    assert sorted(joint)[2] > sorted(joint)[1] + 0.002
    assert abs(max(joint) - told[2]) > 0.002

    number = 2 * b / (4 + b)
    sums = (told[1], told[0] + told[1], told[0] + told[1] + heating["let"], told[2] + told[1])
    pairs = (0, told[3], told[3] + heating["district"] + heating["balcony"], number)
    merits = tuple(s / sqrt(k + 2 * p) for s, p, k in zip(sums, pairs, (1, 2, 3, 2)))
    assert merits[3] > merits[0] + 0.004, "CFS likes the number"
    return {
        "hw7-1": (
            told,
            [
                (shared, "this is mutual information"),
                ([value / 2 for value in told], "half of what"),
                ([s / one for s, one in zip(shared, bits)], "the gain ratio"),
                (but(told, 0, 2 * shared[0] / (1 + y)), "2 bits, not of 1"),
                (but(told, 0, told[0] + 0.02), "no doubt"),
                (but(told, 1, 2 * shared[1] / (1 + y)), "less than 1 bit"),
                (but(told, 1, told[1] + 0.02), "wrong for balcony"),
                (but(told, 2, 1), "pays for its own entropy"),
                (but(told, 2, y / 4), "one flat"),
                (but(told, 3, 2 * shared[3] / (2 + y)), "the class has no part"),
                (but(told, 3, told[3] + 0.02), "in each district"),
            ],
        ),
        "hw7-2": (
            merits,
            [
                (but(merits, 0, merits[0] / sqrt(2)), "over the root of 1"),
                (sums, "sum of the relevances; divide"),
                (
                    (merits[0], merits[1] / 2, merits[2] / 3, merits[3] / 2),
                    "mean of the relevances",
                ),
                (but(merits, 1, sums[1] / sqrt(2 + pairs[1])), "each pair counts twice"),
                (but(merits, 1, sums[1] / sqrt(2)), "is missing under the root"),
                (but(merits, 1, sums[1] / (2 + 2 * pairs[1])), "a root is missing"),
                (but(merits, 1, merits[1] - 0.03), "wrong for district and balcony"),
                (but(merits, 2, sums[2] / sqrt(3 + 2 * pairs[1])), "three pairs: heating"),
                (but(merits, 2, merits[2] - 0.03), "a sum of three"),
                (but(merits, 3, sums[3] / sqrt(2)), "all that there are"),
                (but(merits, 3, merits[3] - 0.02), "what do the two share"),
            ],
        ),
    }


def fcbf_by_hand(told):
    """Answer and mistakes of hw7-3."""
    order = sorted("ABCDEF", key=lambda x: -told.loc[x, "class"])
    fates = {x: "kept" if told.loc[x, "class"] >= 0.05 else "pass 1" for x in "ABCDEF"}
    for i, x in enumerate(order):
        for other in order[i + 1 :] if fates[x] == "kept" else []:
            if fates[other] == "kept" and told.loc[x, other] >= told.loc[other, "class"]:
                fates[other] = x
    a, b, c, d, e, f = order
    assert len(set(told["class"])) == 6
    assert fates == {a: "kept", b: a, c: "kept", d: a, e: c, f: "pass 1"}
    wrong = [
        ({f: e}, "pass 1 drops it"),
        ({a: b}, "nobody comes before it"),
        ({b: "kept"}, f"what {b}, not {a}, tells"),
        ({b: c}, f"only {a} comes"),
        ({c: b}, "removes nobody any more"),
        ({c: a}, f"{a} tells {told.loc[a, c]:.2f} about {c}"),
        ({d: "kept"}, "at equality"),
        ({d: c}, f"{a} has its turn before {c}"),
        ({d: b}, "who is the first"),
        ({e: d}, f"{d} is out when"),
        ({e: a}, f"{a} tells {told.loc[a, e]:.2f}"),
        ({e: "kept"}, "which kept feature"),
    ]
    assert told.loc[b, c] >= told.loc[c, "class"], "b would remove c"
    assert told.loc[c, d] >= told.loc[d, "class"], "c would remove d"
    assert told.loc[d, e] >= told.loc[e, "class"], "d would remove e"
    return fates, [({**fates, **other}, fragment) for other, fragment in wrong]


def walks_by_hand(rss):
    """Answer and mistakes of hw7-4."""
    errors = {frozenset(some if some != "none" else ""): error for some, error in rss.items()}
    assert all(errors[s] > errors[s | {x}] for s in errors for x in {*"abcd"} - s)
    assert len(errors) == 16

    def score(some, cost):
        return len(some) * cost + 20 * log(errors[some]) - 20 * log(20)

    def best(cost):
        order = sorted(errors, key=lambda some: score(some, cost))
        assert score(order[1], cost) - score(order[0], cost) > 0.05, "a clear best"
        return order[0]

    def walk(k):
        some = frozenset()
        for _ in range(k):
            some = min((some | {x} for x in {*"abcd"} - some), key=errors.get)
        return some

    some = frozenset("abcd")
    while len(some) > 2:
        some = min((some - {x} for x in some), key=errors.get)
    bic, aic, steps = best(log(20)), best(2), [score(walk(k), log(20)) for k in range(5)]
    end = next(k for k in range(5) if k == 4 or steps[k + 1] >= steps[k])
    names = [walk(2), some, bic, aic, walk(end)]
    walks = tuple("".join(sorted(some)) for some in names)
    assert end == 1
    assert walks[1] == walks[2] != walks[0]
    assert len(aic) == 3 > len(bic) == 2
    assert bic < aic
    first, (late,) = walks[4], sorted(aic - bic)
    assert first not in bic
    other = next(x for x in sorted(bic))
    wide = "".join(sorted(bic | {first}))
    wrong = [
        (0, walks[1], "cannot give it back"),
        (0, "".join(sorted(first + next(x for x in "abcd" if x not in walks[0]))), "and add what"),
        (1, walks[0], "what is out stays out"),
        (1, "".join(sorted(other + late)), "drop what raises"),
        (2, "abcd", "always falls"),
        (2, walks[3], "less than the ln 20"),
        (2, wide, "BIC: compare"),
        (3, walks[2], "pays 2"),
        (3, "abcd", "AIC: compare"),
        (4, walks[2], "has stopped before"),
        (4, walks[0], "less than ln 20"),
        (4, "", "does the first step pay"),
    ]
    return walks, [(but(walks, k, value), fragment) for k, value, fragment in wrong]


def by_hand(given):
    """Right answers and typical mistakes for the tables of any number."""
    flats, heating, told, rss = given
    found = flats_by_hand(flats, heating)
    return found | {"hw7-3": fcbf_by_hand(told), "hw7-4": walks_by_hand(rss)}


# --- hw7-5 -------------------------------------------------------------------------------


def uncertainty_counts(a, b):
    together = Counter((u, v) for u, v in zip(a, b) if None not in (u, v))
    n, ones, others = sum(together.values()), Counter(), Counter()
    for (u, v), count in together.items():
        ones[u] += count
        others[v] += count
    if len(ones) < 2 and len(others) < 2:
        return 0
    H = [sum(c / n * log(n / c) for c in counts.values()) for counts in (ones, others, together)]
    return 2 * (H[0] + H[1] - H[2]) / (H[0] + H[1])


def entropy(levels):
    """Bits of a list of levels."""
    return -sum(n / len(levels) * log2(n / len(levels)) for n in Counter(levels).values())


def uncertainty_conditional(a, b, flaw=""):
    """Information as the entropy of b less what a leaves of it, with one flaw at most."""
    if flaw == "level":
        a, b = ([str(v) for v in column] for column in (a, b))
    known = [[v for v in column if v is not None] for column in (a, b)]
    rows = [(u, v) for u, v in zip(a, b) if u is not None and v is not None]
    if flaw == "falsy":
        rows = [(u, v) for u, v in zip(a, b) if u and v]
    if flaw == "in place":
        a[:], b[:] = ([u for u, _ in rows], [v for _, v in rows])
    if not rows:
        return 1.0 if flaw == "no row" else 0.0
    one, other = [u for u, _ in rows], [v for _, v in rows]
    left = sum(one.count(u) / len(one) * entropy([v for w, v in rows if w == u]) for u in set(one))
    told, both = entropy(other) - left, entropy(one) + entropy(other)
    if flaw == "mixed":
        both = entropy(known[0]) + entropy(known[1])
    if both == 0 and flaw != "zero":
        return 0.0
    if flaw == "bits":
        return told
    if flaw == "ratio":
        return told / entropy(one) if entropy(one) else 0.0
    if flaw == "zero" and both == 0:
        return float("nan")
    return (1 if flaw == "half" else 2) * told / both


# --- hw7-6 -------------------------------------------------------------------------------


def best_of(columns, y, joined, score=uncertainty_counts, some=None, last=False):
    """The best pair, by a way to join two columns and a score."""
    best = None
    for i, j in some or combinations(range(len(columns)), 2):
        value = score(joined(columns[i], columns[j]), y)
        if best is None or value > best[2] + 1e-9 or (last and value > best[2] - 1e-9):
            best = (i, j, value)
    return best


def side_by_side(a, b):
    return [None if u is None or v is None else (u, v) for u, v in zip(a, b)]


def pair_loops(columns, y):
    return best_of(columns, y, side_by_side)


def pair_numbered(columns, y):
    def joined(a, b):
        seen = {}
        pairs = zip(a, b)
        return [None if None in pair else seen.setdefault(pair, len(seen)) for pair in pairs]

    values = {
        (i, j): uncertainty_counts(joined(columns[i], columns[j]), y)
        for i, j in combinations(range(len(columns)), 2)
    }
    (i, j), value = max(
        values.items(), key=lambda item: (round(item[1], 9), (-item[0][0], -item[0][1]))
    )
    return [i, j, value]


def pair_of_the_best(columns, y):
    alone = [uncertainty_counts(column, y) for column in columns]
    i, j = sorted(sorted(range(len(columns)), key=lambda j: -alone[j])[:2])
    return i, j, uncertainty_counts(side_by_side(columns[i], columns[j]), y)


def pair_glued(columns, y):
    def glue(a, b):
        return [None if None in (u, v) else f"{u}{v}" for u, v in zip(a, b)]

    return best_of(columns, y, glue)


def pair_by_bits(columns, y):
    return best_of(columns, y, side_by_side, partial(uncertainty_conditional, flaw="bits"))


def pair_ranked_by_bits(columns, y):
    i, j, _ = pair_by_bits(columns, y)
    return i, j, uncertainty_counts(side_by_side(columns[i], columns[j]), y)


def pair_last(columns, y):
    return best_of(columns, y, side_by_side, last=True)


def pair_gap_is_a_level(columns, y):
    return best_of(columns, y, lambda a, b: list(zip(a, b)))


def pair_turned(columns, y):
    i, j, value = pair_loops(columns, y)
    return j, i, value


def pair_without_value(columns, y):
    return pair_loops(columns, y)[:2]


def pair_of_neighbors(columns, y):
    some = list(zip(range(len(columns)), range(1, len(columns))))
    return best_of(columns, y, side_by_side, some=some)


# --- hw7-7 -------------------------------------------------------------------------------


def stability_matrix(choose, X, y, n_samples, rng):
    kept = np.zeros((n_samples, X.shape[1]), dtype=int)
    for row in kept:
        rows = rng.integers(len(X), size=len(X))
        row[list(choose(X[rows], y[rows]))] = 1
    common = kept @ kept.T
    either = kept.sum(axis=1)[:, None] + kept.sum(axis=1) - common
    overlap = np.where(either > 0, common / np.maximum(either, 1), 1.0)
    return kept.mean(axis=0), overlap[np.triu_indices(n_samples, 1)].mean()


def stability_loops(choose, X, y, n_samples, rng, flaw=""):
    """Shares and overlap, with one flaw at most."""
    n, p = X.shape
    sets = []
    for _ in range(n_samples):
        if flaw == "own":
            rng = np.random.default_rng()
        rows = rng.integers(n, size=n)
        if flaw == "order":
            rows = rng.permutation(n)
        if flaw == "half":
            rows = rows[: n // 2]
        others = rng.integers(n, size=n) if flaw == "apart" else rows
        sets.append(set(choose(X[rows], y[others])))
    if flaw == "once":
        sets = sets[:1] * n_samples
    counts = Counter(j for some in sets for j in some)
    shares = [counts[j] / (1 if flaw == "counts" else n_samples) for j in range(p)]
    pairs = list(combinations(sets, 2))
    if flaw == "itself":
        pairs = [(a, b) for a in sets for b in sets]
    if flaw == "in a row":
        pairs = list(zip(sets, sets[1:]))
    total = 0.0
    for a, b in pairs:
        under = {"first": len(a), "smaller": min(len(a), len(b))}.get(flaw, len(a | b))
        empty = 0.0 if flaw == "empty" else 1.0
        total += len(a & b) / under if under else (empty if not a | b else 0.0)
    return tuple(shares), total / len(pairs)


# --- hw7-8 -------------------------------------------------------------------------------


def honest_pipeline(numbers, X, y):
    return np.mean(cross_val_score(model_of(numbers), X, y, cv=OUTER))


def honest_loops(numbers, X, y):
    def right(model, train, held):
        return clone(model).fit(X[train], y[train]).score(X[held], y[held])

    found = []
    for train, held in OUTER.split(X, y):
        models = [
            make_pipeline(StandardScaler(), SelectKBest(k=k), LogisticRegression()) for k in numbers
        ]
        folds = [(train[a], train[b]) for a, b in INNER.split(X[train], y[train])]
        scores = [round(np.mean([right(model, *fold) for fold in folds]), 9) for model in models]
        found.append(right(models[scores.index(max(scores))], train, held))
    return sum(found) / len(found)


def honest_chosen_before(numbers, X, y):
    return honest_pipeline(numbers, SelectKBest(k=max(numbers)).fit_transform(X, y), y)


def honest_but_the_number(numbers, X, y):
    models = [
        make_pipeline(StandardScaler(), SelectKBest(k=k), LogisticRegression()) for k in numbers
    ]
    return max(cross_val_score(model, X, y, cv=OUTER).mean() for model in models)


def honest_other_folds(numbers, X, y):
    return cross_val_score(model_of(numbers), X, y, cv=5).mean()


# --- hw7-10 ------------------------------------------------------------------------------

ARCENE = spectra()


def compared_by_rows(colleague, honest, flaw=""):
    """The table of hw7-10, with one flaw at most."""
    X, y = ARCENE
    rng = np.random.default_rng(1 if flaw == "other seed" else 0)
    orders = [rng.permutation(y) for _ in range(3)]
    if flaw == "with the truth":
        orders.append(y)
    if flaw == "one":
        orders = orders[:1]
    numbers = (10,) if flaw == "numbers" else NUMBERS
    rows = {}
    for name, targets in (("illness", [y]), ("shuffled", orders)):
        told = [[colleague(numbers, X, z), honest(numbers, X, z)] for z in targets]
        rows[name] = np.mean(told, axis=0)
    if flaw == "turned":
        rows = {name: row[::-1] for name, row in rows.items()}
    if flaw == "exchanged":
        rows = {"illness": rows["shuffled"], "shuffled": rows["illness"]}
    if flaw == "errors":
        rows = {name: 1 - row for name, row in rows.items()}
    if flaw == "columns":
        rows["shuffled"] = [colleague(numbers, X[::-1], y), honest(numbers, X[::-1], y)]
    if flaw == "by heart":
        rows = {"illness": [0.78, 0.73], "shuffled": [0.84, 0.51]}
    if flaw == "unshuffled":
        rows["illness"] = rows["illness"] + [0.1, 0]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["colleague", "honest"])


def compared_by_columns(colleague, honest):
    X, y = ARCENE
    rng = np.random.default_rng(0)
    orders = [rng.permutation(y), rng.permutation(y), rng.permutation(y)]
    table = pd.DataFrame(index=["shuffled", "illness"])
    for name, f in (("honest", honest), ("colleague", colleague)):
        table[name] = [sum(f(NUMBERS, X, z) for z in orders) / 3, f(NUMBERS, X, y)]
    return table


CORRECT = {
    "hw7-1": [UNCERTAINTIES, [0.333, 0.344, 0.4, 0.111]],
    "hw7-2": [MERITS, [0.344, 0.454, 0.431, 0.455]],
    "hw7-3": [FATES, {key.lower(): value.lower() for key, value in FATES.items()}],
    "hw7-4": [WALKS, ["ca", "CB", "bc", "dcb", "a"]],
    "hw7-5": [uncertainty_counts, uncertainty_conditional],
    "hw7-6": [pair_loops, pair_numbered],
    "hw7-7": [stability_matrix, stability_loops],
    "hw7-9": [honest_pipeline, honest_loops],
    "hw7-10": [compared_by_rows, compared_by_columns],
}

WRONG = {
    "hw7-1": [
        ((0.5, 0.3113, 1, 0.1556), "this is mutual information"),
        ((1 / 6, 0.1719, 0.2, 0.0553), "half of what"),
        ((0.25, 0.3837, 0.25, 0.0778), "the gain ratio"),
        (but(UNCERTAINTIES, 0, 0.5), "2 bits, not of 1"),
        (but(UNCERTAINTIES, 0, 0.4), "north and west"),
        (but(UNCERTAINTIES, 1, 0.3113), "less than 1 bit"),
        (but(UNCERTAINTIES, 1, 0.2), "4 of 12 are let"),
        (but(UNCERTAINTIES, 2, 1), "pays for its own entropy"),
        (but(UNCERTAINTIES, 2, 0.5), "one flat"),
        (but(UNCERTAINTIES, 3, 0.1037), "the class has no part"),
        (but(UNCERTAINTIES, 3, 0.2), "in each district"),
        (UNCERTAINTIES[:3], "give four numbers"),
    ],
    "hw7-2": [
        (but(MERITS, 0, 0.5), "over the root of 1"),
        ((0.3437, 0.677, 0.8657, 0.7437), "sum of the relevances; divide"),
        ((0.3437, 0.2272, 0.1437, 0.2274), "mean of the relevances"),
        ((0.3437, 0.677 / sqrt(2.1107), 0.46, 0.48), "each pair counts twice"),
        ((0.3437, 0.677 / sqrt(2), 0.5, 0.526), "is missing under the root"),
        ((0.3437, 0.677 / 2.2214, 0.2, 0.28), "a root is missing"),
        (but(MERITS, 1, 0.46), "wrong for district and balcony"),
        (but(MERITS, 2, 0.8657 / sqrt(3.2214)), "three pairs: heating"),
        (but(MERITS, 2, 0.45), "a sum of three"),
        (but(MERITS, 3, 0.7437 / sqrt(2)), "all that there are"),
        (but(MERITS, 3, 0.47), "what do the two share"),
    ],
    "hw7-3": [
        ({**FATES, "F": "E"}, "pass 1 drops it"),
        ({**FATES, "A": "B"}, "nobody comes before it"),
        ({**FATES, "B": "kept"}, "what B, not A, tells"),
        ({**FATES, "B": "C"}, "only A comes"),
        ({**FATES, "C": "B"}, "removes nobody any more"),
        ({**FATES, "C": "A"}, "A tells 0.10 about C"),
        ({**FATES, "D": "kept"}, "at equality"),
        ({**FATES, "D": "C"}, "A has its turn before C"),
        ({**FATES, "D": "B"}, "who is the first"),
        ({**FATES, "E": "D"}, "D is out when"),
        ({**FATES, "E": "A"}, "A tells 0.08"),
        ({**FATES, "E": "kept"}, "which kept feature"),
        ({"A": "kept"}, "one entry for each"),
    ],
    "hw7-4": [
        (but(WALKS, 0, "bc"), "cannot give it back"),
        (but(WALKS, 0, "ab"), "keep `a`, and add"),
        (but(WALKS, 1, "ac"), "what is out stays out"),
        (but(WALKS, 1, "bd"), "drop what raises"),
        (but(WALKS, 2, "abcd"), "always falls"),
        (but(WALKS, 2, "bcd"), "less than the ln 20"),
        (but(WALKS, 2, "abc"), "BIC: compare"),
        (but(WALKS, 3, "bc"), "pays 2"),
        (but(WALKS, 3, "abcd"), "AIC: compare"),
        (but(WALKS, 4, "abc"), "has stopped before"),
        (but(WALKS, 4, "ac"), "less than ln 20"),
        (but(WALKS, 4, ""), "does the first step pay"),
        (WALKS[:4], "give five sets"),
    ],
    "hw7-5": [
        (partial(uncertainty_conditional, flaw="bits"), "mutual information in bits"),
        (partial(uncertainty_conditional, flaw="half"), "the numerator is 2 I"),
        (partial(uncertainty_conditional, flaw="ratio"), "one entropy only"),
        (partial(uncertainty_conditional, flaw="level"), "a gap is no level"),
        (partial(uncertainty_conditional, flaw="falsy"), "the level 0"),
        (partial(uncertainty_conditional, flaw="mixed"), "from the same rows"),
        (partial(uncertainty_conditional, flaw="zero"), "0 over 0"),
        (partial(uncertainty_conditional, flaw="no row"), "no row is left"),
        (partial(uncertainty_conditional, flaw="in place"), "has changed its arguments"),
        (lambda a, b: uncertainty_counts(a, b) ** 0.5, "ten rows by hand"),
    ],
    "hw7-6": [
        (pair_of_the_best, "good one by one"),
        (pair_glued, "do not glue"),
        (pair_by_bits, "that is the mutual information"),
        (pair_ranked_by_bits, "pays for its own entropy"),
        (pair_last, "the first one wins"),
        (pair_gap_is_a_level, "is a gap itself"),
        (pair_turned, "smaller column number"),
        (pair_without_value, "three things"),
        (pair_of_neighbors, "another pair tells more"),
    ],
    "hw7-7": [
        (partial(stability_loops, flaw="order"), "with replacement"),
        (partial(stability_loops, flaw="apart"), "come apart"),
        (partial(stability_loops, flaw="half"), "as many rows"),
        (partial(stability_loops, flaw="own"), "from `rng` alone"),
        (partial(stability_loops, flaw="counts"), "these are counts"),
        (partial(stability_loops, flaw="once"), "count in how many"),
        (partial(stability_loops, flaw="itself"), "agrees with itself"),
        (partial(stability_loops, flaw="in a row"), "compare all pairs"),
        (partial(stability_loops, flaw="first"), "at least one of the two"),
        (partial(stability_loops, flaw="smaller"), "at least one of the two"),
        (partial(stability_loops, flaw="empty"), "two empty sets"),
    ],
    "hw7-9": [
        (colleague_says, "nothing has moved"),
        (honest_chosen_before, "`SelectKBest` belongs in"),
        (honest_but_the_number, "did best on the held-out"),
        (honest_other_folds, "by the folds of `outer`"),
    ],
    "hw7-10": [
        (partial(compared_by_rows, flaw="one"), "that is one shuffle"),
        (partial(compared_by_rows, flaw="with the truth"), "are no shuffle"),
        (partial(compared_by_rows, flaw="other seed"), "three orders"),
        (partial(compared_by_rows, flaw="turned"), "colleague and honest are exchanged"),
        (partial(compared_by_rows, flaw="exchanged"), "the rows are exchanged"),
        (partial(compared_by_rows, flaw="unshuffled"), "call `colleague`"),
        (partial(compared_by_rows, flaw="errors"), "these are errors"),
        (partial(compared_by_rows, flaw="numbers"), "with NUMBERS"),
        (partial(compared_by_rows, flaw="columns"), "shuffle the classes alone"),
        (partial(compared_by_rows, flaw="by heart"), "call `colleague`"),
        (lambda f, g: compared_by_rows(f, g).T, "no column `colleague`"),
        (lambda f, g: compared_by_rows(f, g).rename(index=str.upper), "no row `illness`"),
    ],
}
