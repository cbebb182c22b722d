"""Checkers of the assignment "Choosing features"."""

from collections import Counter
from functools import cache
from itertools import combinations
from math import log2

import numpy as np
import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treelab.checkers import checker, expect, judged
from treelab.datasets import fetch_arcene

DISTRICTS = ["north", "east", "south", "west"]
SKIPPED = {  # where two answers are too close, or CFS does not like the number
    7, 50, 58, 62, 72, 96, 98, 101, 103, 104, 106, 128, 129, 133, 141, 144, 149, 155, 157, 159,
    168, 171, 185, 192, 196, 202, 203, 211, 217, 242, 249, 251, 252, 257, 268, 277, 286, 290,
    299, 302, 327, 332, 335, 355, 358, 359, 370, 372, 384, 385, 386, 391, 394, 411, 420, 429,
    445, 451, 456, 464, 468, 471, 484, 486, 498, 508, 535, 550, 575, 576, 577, 592, 596, 602,
    614, 615, 618, 625, 630, 639, 645, 651, 652, 670, 678, 683, 700, 701, 719, 722, 724, 726,
    738, 758, 759, 768, 794, 805, 817, 819, 822, 838, 849, 862, 863, 869, 883, 888, 889, 896,
    897, 913, 927, 928, 931, 967, 978, 979, 980, 983, 997, 998, 1007, 1098, 1104, 1157, 1242,
    1268, 1468, 1484, 1486, 1639, 1758, 1849, 2849,
}  # fmt: skip


def given(number):
    """The tables of part A.

    Parameters
    ----------
    number : int
        The student's; 0 gives the tables of the key. Above 999 the tables begin anew.

    Returns
    -------
    flats : DataFrame
        Sixteen flats, four of each district.
    heating : dict of str to float
        Symmetrical uncertainty of the heating with three other columns.
    told : DataFrame
        Symmetrical uncertainties of six features with each other and with the class.
    rss : dict of str to int
        RSS of the regression on each set of four features.
    """
    number %= 1000
    while number in SKIPPED:
        number += 1000
    rng = np.random.default_rng([7, number]) if number else None
    flats = flats_of(rng)
    with_heating = {
        name: round(told(flats["heating"].tolist(), flats[name].tolist()), 4)
        for name in ("let", "district", "balcony")
    }
    return flats, with_heating, features_of(rng), houses_of(rng)


def flats_of(rng):
    """Sixteen flats; those of the key without a generator."""
    balcony, heating = "yynnynnnynnnnnnn", "gggogogoggoogooo"
    columns = {"balcony": [*balcony], "heating": [*heating], "let": [*"yyyyyynnyynnnnnn"]}
    if rng:
        let = rng.permutation([4, *rng.integers(1, 4, 2), 0])
        places = [4 * k + i for k in range(4) for i in rng.permutation(4)[: let[k]]]
        balcony = rng.choice(places, rng.integers(3, 6), replace=False)
        gas = [4 * k + i for k, n in enumerate(rng.permutation([3, 2, 2, 1]))
               for i in rng.permutation(4)[:n]]  # fmt: skip
        words = {"balcony": "yn", "heating": "go", "let": "yn" if rng.integers(2) else "ny"}
        for (name, (yes, no)), some in zip(words.items(), (balcony, gas, places)):
            columns[name] = [yes if i in some else no for i in range(16)]
    numbers = pd.RangeIndex(1, 17, name="number")
    return pd.DataFrame({"district": np.repeat(DISTRICTS, 4), **columns}, index=numbers)


def features_of(rng):
    """What six features tell about each other and about the class, in hundredths."""
    letters, relevance = [*"ABCDEF"], [40, 30, 25, 20, 12, 4]
    links = [[35, 10, 20, 8, 2], [60, 15, 3, 1], [20, 15, 3], [50, 2], [30]]
    if rng:
        letters = rng.permutation(letters)
        low, high = [38, 28, 22, 16, 9, 2], [49, 34, 27, 21, 14, 5]
        relevance = rng.integers(low, high)
        a, b, c, d, e, f = relevance
        links = [
            [rng.integers(b + 1, 37), rng.integers(5, c - 8), d, rng.integers(3, e), f // 2],
            [rng.integers(45, 66), *rng.integers([8, 2, 1], [d, 6, 3])],
            [d + rng.integers(2), e + rng.integers(1, 5), rng.integers(1, f)],
            [rng.integers(40, 56), 1],
            [rng.integers(20, 36)],
        ]
    table = np.eye(6) * 100
    for i, row in enumerate(links):
        table[i, i + 1 :] = table[i + 1 :, i] = row
    table = pd.DataFrame(table, index=letters, columns=letters).sort_index().sort_index(axis=1)
    table["class"] = pd.Series(relevance, index=letters)
    return table / 100


def houses_of(rng):
    """RSS of the regressions of twenty houses on each set of features."""
    letters = [*"abcd"]
    sets = ["".join(some) for k in range(5) for some in combinations(letters, k)]
    errors = [400, 200, 220, 240, 390, 180, 175, 190, 60, 215, 235, 55, 178, 170, 53, 50]
    rss = dict(zip(sets, errors))
    if rng:
        letters = rng.permutation(letters).tolist()
        scale, late = rng.uniform(2, 3), rng.uniform(1.12, 1.15)
        spread = {some: scale * value * rng.uniform(0.997, 1.003) for some, value in rss.items()}
        spread |= {
            "bcd": spread["bc"] / late,
            "abc": spread["bc"] / (late - rng.uniform(0.02, 0.06)),
        }
        spread["abcd"] = spread["bcd"] / rng.uniform(1.03, 1.08)
        spread["ac"] = spread["a"] / rng.uniform(1.125, 1.15)
        rss = {some: round(value) for some, value in spread.items()}
    renamed = {"".join(sorted(letters["abcd".index(x)] for x in s)): v for s, v in rss.items()}
    ordered = sorted(renamed, key=lambda some: (len(some), some))
    return {some or "none": int(renamed[some]) for some in ordered}


def near(got, want):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=0.0015)


def numbers_of(answer, n):
    """The answer as an array of n finite numbers."""
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (n,), f"give {('three', 'four', 'five')[n - 3]} numbers.")
    expect(np.isfinite(got).all(), "one of the numbers is not finite.")
    return got


@checker("hw7-1")
def check_uncertainties(answer):
    judged("hw7-1", numbers_of(answer, 4))


@checker("hw7-2")
def check_merits(answer):
    judged("hw7-2", numbers_of(answer, 4))


@checker("hw7-3")
def check_fcbf(answer):
    got = {str(k).strip().upper(): str(v).strip() for k, v in dict(answer).items()}
    got = {k: v.upper() if len(v) == 1 else v.lower() for k, v in got.items()}
    expect(sorted(got) == [*"ABCDEF"], "give one entry for each of the six features A to F.")
    expect(
        set(got.values()) <= {"pass 1", "kept", *"ABCDEF"},
        'a feature is dropped in "pass 1", "kept", or removed by one of the letters A to F.',
    )
    judged("hw7-3", got)


@checker("hw7-4")
def check_stepwise(answer):
    got = ["".join(sorted(str(some).strip().lower())) for some in answer]
    expect(len(got) == 5, "give five sets.")
    expect(
        all(set(some) <= {*"abcd"} and len(set(some)) == len(some) for some in got),
        'a set is a text of the letters a to d, such as "ad".',
    )
    judged("hw7-4", got)


# --- pairs of columns --------------------------------------------------------------------


def bits(rows):
    """Entropy of a list of levels."""
    return -sum(n / len(rows) * log2(n / len(rows)) for n in Counter(rows).values())


def told(a, b, part=2.0):
    """Symmetrical uncertainty of the rows without a gap, by the definition."""
    rows = [(u, v) for u, v in zip(a, b) if u is not None and v is not None]
    one, other = bits([u for u, _ in rows]), bits([v for _, v in rows])
    return part * (one + other - bits(rows)) / (one + other) if one + other > 0 else 0.0


def with_gaps(seed, n=24, levels=3, share=0.2):
    """Two columns that go together a little, with gaps."""
    rng = np.random.default_rng(seed)
    a = rng.integers(levels, size=n)
    b = np.where(rng.random(n) < 0.6, a, rng.integers(levels + 1, size=n))
    gaps = rng.random((2, n)) < share
    return [
        [None if gap else int(v) for v, gap in zip(c, g)] for c, g in zip((a, b), gaps, strict=True)
    ]


@checker("hw7-5", plain=True)
def check_uncertainty(uncertainty):
    a, b = [*"rrrrbbbbgg"], [*"yyynynnnnn"]
    got = float(uncertainty(a, b))
    want = told(a, b)
    expect(
        not np.isclose(got, want * (bits(a) + bits(b)) / 2),
        "that is the mutual information in bits; divide twice of it by the sum of both entropies.",
    )
    expect(not np.isclose(got, want / 2), "half of what it should be: the numerator is 2 I.")
    expect(
        not any(np.isclose(got, want * (bits(a) + bits(b)) / 2 / bits(c)) for c in (a, b)),
        "you divide by one entropy only; divide by the sum of both.",
    )
    expect(np.isclose(got, want), "wrong without any gap; work out ten rows by hand.")
    expect(np.isclose(float(uncertainty(b, a)), want), "symmetrical: exchange the two columns.")
    a, b = [0, 0, 0, 1, 1, 1, 1, 0], ["no", "no", "yes", "yes", "yes", "no", "yes", "no"]
    expect(
        np.isclose(float(uncertainty(a, b)), told(a, b)),
        "the level 0 is a level like any other; only None is a gap.",
    )
    for one, other in (("aaaa", "xyxy"), ("xyxy", "aaaa"), ("aaaa", "bbbb")):
        got = float(uncertainty([*one], [*other]))
        expect(
            np.isclose(got, 0),
            "a column of one level tells nothing: 0, and 0 over 0 counts as 0, too.",
        )
    for seed in range(12):
        a, b = with_gaps(seed)
        got, want = float(uncertainty(a, b)), told(a, b)
        expect(
            [a, b] == with_gaps(seed),
            "your function has changed its arguments; leave gaps out of new lists.",
        )
        asked = [(str(u), str(v)) for u, v in zip(a, b)]
        expect(
            not np.isclose(got, told(*zip(*asked))) or np.isclose(want, told(*zip(*asked))),
            "a gap is no level: leave out the rows in which one of the two is None.",
        )
        known = [[v for v in c if v is not None] for c in (a, b)]
        rows = [(u, v) for u, v in zip(a, b) if u is not None and v is not None]
        alone = sum(bits(c) for c in known)
        shared = want * (bits([u for u, _ in rows]) + bits([v for _, v in rows])) / 2
        mixed = 2 * (alone - bits(rows)) / alone
        expect(
            not any(np.isclose(got, wrong) for wrong in (mixed, 2 * shared / alone)),
            "all three entropies come from the same rows, those in which both columns are known.",
        )
        expect(np.isclose(got, want), "right without gaps, wrong with them.")
    expect(
        np.isclose(float(uncertainty([None, 1, 2], [1, None, None])), 0),
        "no row is left in which both are known: return 0.",
    )


def pairs_told(columns, y, part=None):
    """Uncertainty of every pair of columns, as one column, and the class; dict."""

    def joined(a, b):
        return [None if u is None or v is None else (u, v) for u, v in zip(a, b)]

    some = combinations(range(len(columns)), 2)
    return {(i, j): told(joined(columns[i], columns[j]), y) for i, j in some}


def columns_of(seed, n=60, d=5, gaps=False):
    """Columns of noise, the class an XOR of two of them, and one weak hint."""
    rng = np.random.default_rng(seed)
    table = rng.integers(2, size=(d, n))
    i, j = sorted(int(k) for k in rng.choice(d - 1, 2, replace=False))
    y = table[i] ^ table[j]
    table[d - 1] = np.where(rng.random(n) < 0.75, y, 1 - y)
    columns = [[int(v) for v in column] for column in table]
    if gaps:
        columns = [[None if rng.random() < 0.1 else v for v in column] for column in columns]
    return columns, [int(v) for v in y]


@checker("hw7-6", plain=True)
def check_best_pair(best_pair):
    columns, y = columns_of(0)
    before = [list(column) for column in columns], list(y)
    found = best_pair(columns, y)
    expect((columns, y) == before, "your function has changed its arguments; work on copies.")
    expect(len(found) == 3, "return three things: the two column numbers, and what the pair tells.")
    i, j, value = found
    expect(
        (i, j) != (0, 0) and i != j,
        "a pair has two different columns.",
    )
    scores = pairs_told(columns, y)
    alone = [told(column, y) for column in columns]
    by_sum = max(scores, key=lambda pair: alone[pair[0]] + alone[pair[1]])
    best = max(scores, key=scores.get)
    expect(
        tuple(sorted((i, j))) != by_sum,
        "these two are good one by one; ask both together, as one column of pairs of levels.",
    )
    expect(tuple(sorted((i, j))) == best, "another pair tells more: here the class is an XOR.")
    expect(i < j, "the smaller column number comes first.")
    expect(
        not np.isclose(value, bits(y)) or np.isclose(value, scores[best]),
        "that is the mutual information; the symmetrical uncertainty divides by both entropies.",
    )
    expect(np.isclose(value, scores[best]), "right pair, wrong symmetrical uncertainty.")
    glued = [[1, 1, 11, 11, 1, 11], [11, 1, 1, 11, 11, 1], [5, 5, 5, 5, 6, 6]]
    expect(
        np.isclose(best_pair(glued[:2], [*"abcdac"])[2], told([*"abcdac"], [*"abcdac"])),
        "the levels 1 and 11 are another pair than 11 and 1: do not glue texts or add numbers; "
        "keep the two levels side by side.",
    )
    many = [[*range(8)], [*"aaaabbbb"], [*"ccddccdd"]]
    expect(
        tuple(best_pair(many, [*"nnyyyynn"]))[:2] == (1, 2),
        "a row number tells everything about the class, and pays for its own entropy; rank by the "
        "symmetrical uncertainty.",
    )
    copies, y = columns_of(3, d=4)
    copies = [*copies, *copies]
    scores = pairs_told(copies, y)
    want = next(pair for pair in scores if np.isclose(scores[pair], max(scores.values())))
    expect(
        tuple(best_pair(copies, y))[:2] == want,
        "equally good pairs: the first one wins, with the smaller numbers.",
    )
    for seed in range(8):
        columns, y = columns_of(seed, d=4 + seed % 3, gaps=True)
        i, j, value = best_pair(columns, y)
        scores = pairs_told(columns, y)
        open_ = {
            (i, j): told([(str(u), str(v)) for u, v in zip(columns[i], columns[j])], y)
            for i, j in scores
        }
        expect(
            not np.isclose(value, max(open_.values()))
            or np.isclose(max(open_.values()), max(scores.values())),
            "a pair with a gap in one of its columns is a gap itself.",
        )
        expect(
            np.isclose(value, max(scores.values())) and np.isclose(scores[i, j], value),
            "right without gaps, wrong with them.",
        )


# --- stability ---------------------------------------------------------------------------


def overlap(first, second):
    """Common columns as a share of all columns of two sets."""
    return len(first & second) / len(first | second) if first | second else 1.0


def watched_choice(p):
    """A choice that depends on the rows, and the list of what it was asked and said."""
    seen = []

    def choose(X, y):
        key = int(np.dot(X[:, 0].astype(int), np.arange(1, len(X) + 1))) % 997
        kept = [j for j in range(p) if (key // (j + 2)) % 3 == 0]
        seen.append((X.copy(), np.array(y), set(kept)))
        return kept

    return choose, seen


@checker("hw7-7", plain=True)
def check_stability(stability):
    n, p = 30, 6
    X = np.column_stack([np.arange(n), *np.random.default_rng(0).normal(size=(p - 1, n))])
    y = 1000 + np.arange(n)
    before = X.copy(), y.copy()
    choose, seen = watched_choice(p)
    shares, mean = stability(choose, X, y, 12, np.random.default_rng(1))
    expect(
        np.array_equal(X, before[0]) and np.array_equal(y, before[1]),
        "X or y has changed; draw rows into new arrays.",
    )
    expect(len(seen) == 12, "call `choose` once for each of the samples.")
    expect(
        all(np.array_equal(A[:, 0] + 1000, b) for A, b, _ in seen),
        "the rows of X and y have come apart: draw row numbers once, and use them for both.",
    )
    expect(
        all(len(A) == n for A, _, _ in seen), "a bootstrap sample has as many rows as the table."
    )
    expect(
        not all(len(set(A[:, 0])) == n for A, _, _ in seen),
        "every row came once: draw with replacement.",
    )
    expect(
        not all(np.array_equal(A, seen[0][0]) for A, _, _ in seen),
        "all samples are the same: draw anew for each.",
    )
    again, other = watched_choice(p)
    stability(again, X, y, 12, np.random.default_rng(1))
    expect(
        all(np.array_equal(A, B) for (A, _, _), (B, _, _) in zip(seen, other)),
        "draw from `rng` alone: the same generator must give the same samples.",
    )
    expect_counts([kept for *_, kept in seen], p, shares, mean)
    said = iter([[], [], [2], [2, 3]])
    shares, mean = stability(lambda A, b: next(said), X, y, 4, np.random.default_rng(2))
    expect(
        np.isfinite(mean) and np.isclose(mean, (1 + 1 / 2) / 6),
        "two empty sets are the same: their overlap is 1, an empty and another set have 0.",
    )


def expect_counts(sets, p, shares, mean):
    """Name the usual slips in the two numbers."""
    shares = np.asarray(shares, dtype=float)
    expect(shares.shape == (p,), "one share for each column of X, also for those never chosen.")
    counts = np.array([sum(j in some for some in sets) for j in range(p)])
    expect(not np.allclose(shares, counts), "these are counts; divide by the number of samples.")
    expect(np.allclose(shares, counts / len(sets)), "count in how many samples a column is chosen.")
    pairs = list(combinations(sets, 2))
    want = np.mean([overlap(*pair) for pair in pairs])
    both = [(first, second) for first in sets for second in sets]
    expect(
        not np.isclose(mean, np.mean([overlap(*pair) for pair in both])),
        "each set agrees with itself: leave out these pairs.",
    )
    expect(
        not any(
            np.isclose(mean, np.mean([overlap(*pair) for pair in some]))
            for some in (zip(sets, sets[1:]), ((sets[0], other) for other in sets[1:]))
            for some in [list(some)]
        ),
        "compare all pairs of samples, not each with the one before or with the first.",
    )
    small = [len(a & b) / max(min(len(a), len(b)), 1) for a, b in pairs]
    large = [len(a & b) / max(len(a), len(b), 1) for a, b in pairs]
    left = [len(a & b) / max(len(a), 1) for a, b in pairs]
    expect(
        not any(np.isclose(mean, np.mean(wrong)) for wrong in (small, large, left)),
        "divide by the number of columns that are in at least one of the two sets.",
    )
    expect(np.isclose(mean, want), "the mean overlap is wrong: list all pairs of samples.")


# --- somebody's code ---------------------------------------------------------------------

OUTER = StratifiedKFold(4, shuffle=True, random_state=0)
INNER = StratifiedKFold(2, shuffle=True, random_state=1)
NUMBERS = (10, 100)


def model_of(numbers):
    """A model that scales, chooses, and chooses how many, on whatever rows it is fitted to."""
    model = make_pipeline(StandardScaler(), SelectKBest(), LogisticRegression())
    return GridSearchCV(model, {"selectkbest__k": list(numbers)}, cv=INNER)


def accuracy(model, X, y):
    """Mean accuracy over the outer folds."""
    return cross_val_score(model, X, y, cv=OUTER).mean()


def colleague_says(numbers, X, y):
    """What the colleague's function returns."""
    X = StandardScaler().fit_transform(X)
    kept = [SelectKBest(k=k).fit_transform(X, y) for k in numbers]
    return max(accuracy(LogisticRegression(), Z, y) for Z in kept)


def honest_is(numbers, X, y):
    """What an honest function returns."""
    return accuracy(model_of(numbers), X, y)


FEW = (2, 12)


def noise_table(seed, n=32, d=60):
    """Columns of which few tell something; two classes."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], n // 2))
    X = rng.normal(size=(n, d))
    X[:, :4] += 0.7 * y[:, None]
    return X, y


@cache
def slips(seed):
    """The right result on a table of `noise_table`, and wrong ones by the hint that they get."""
    X, y = noise_table(seed)
    before = SelectKBest(k=FEW[-1]).fit_transform(X, y)
    within = [accuracy(model_of([k]).estimator.set_params(selectkbest__k=k), X, y) for k in FEW]
    return honest_is(FEW, X, y), {
        "this is what the colleague's function returns: nothing has moved into the folds.": [
            colleague_says(FEW, X, y)
        ],
        "columns were chosen with the held-out rows in sight: `SelectKBest` belongs in the "
        "model.": [
            honest_is(FEW, before, y),
            *(
                accuracy(
                    make_pipeline(StandardScaler(), LogisticRegression()),
                    SelectKBest(k=k).fit_transform(X, y),
                    y,
                )
                for k in FEW
            ),
        ],
        "the columns are chosen inside, but their number is the one that did best on the held-out "
        "rows.": [max(within)],
    }


@checker("hw7-9")
def check_honest(honest):
    X, y = noise_table(22)
    before = X.copy(), y.copy()
    got = float(honest(FEW, X, y))
    expect(
        np.array_equal(X, before[0]) and np.array_equal(y, before[1]),
        "X or y has changed; leave them as they are.",
    )
    want, wrong = slips(22)
    right = np.isclose(got, want)
    for hint, values in wrong.items():
        expect(right or not any(np.isclose(got, value) for value in values), hint)
    expect(
        right,
        "not what an honest function returns: judge by the folds of `outer`, and choose the number "
        "on the training rows of each, by the folds of `inner`.",
    )


@cache
def spectra():
    """The spectra of Arcene and the illness, as the notebook has them."""
    X, y = fetch_arcene(return_X_y=True)
    X = X.loc[:, X.nunique() > 50].to_numpy(float)
    return X, y.to_numpy()


def shuffled(y):
    """Three orders of the classes, from one generator."""
    rng = np.random.default_rng(0)
    return [rng.permutation(y) for _ in range(3)]


def told_by(k, seen):
    """A function in the place of `colleague` (k = 0) or `honest` (k = 1), which keeps its calls."""

    def accuracy_of(numbers, X, z):
        seen.append((tuple(numbers), X, np.array(z)))
        return marked(k, z)

    return accuracy_of


def marked(k, z):
    """A number between 0 and 1 that tells an order of the classes from others."""
    z = np.asarray(z)
    return 0.1 + 0.4 * k + 0.3 * np.mean(np.sin(1 + np.arange(len(z))) * z) * (1 + k)


@checker("hw7-10")
def check_compared(compared):
    X, y = spectra()
    seen = []
    report = compared(told_by(0, seen), told_by(1, seen))
    values = np.array([[marked(k, z) for k in (0, 1)] for z in (y, *shuffled(y))])
    want = np.array([values[0], values[1:].mean(axis=0)])
    for name in ("colleague", "honest"):
        expect(name in report.columns, f"there is no column `{name}`: name the columns as asked.")
    for name in ("illness", "shuffled"):
        expect(name in report.index, f"there is no row `{name}`: name the rows as asked.")
    report = report.loc[["illness", "shuffled"], ["colleague", "honest"]]
    expect(np.shape(report) == (2, 2), "each row and each column once.")
    got = report.to_numpy(float)
    expect(seen, "call the two functions that you are given.")
    expect(
        all(numbers == NUMBERS for numbers, _, _ in seen),
        "call both functions with NUMBERS.",
    )
    expect(
        all(np.array_equal(table, X) for _, table, _ in seen),
        "the columns stay as they are: shuffle the classes alone.",
    )
    expect(not np.allclose(got, 1 - want), "these are errors; give accuracies.")
    expect(
        not np.allclose(got, want[:, ::-1]),
        "the columns colleague and honest are exchanged.",
    )
    expect(not np.allclose(got, want[::-1]), "the rows are exchanged.")
    for k, name in enumerate(("colleague", "honest")):
        expect(
            np.isclose(got[0, k], want[0, k]),
            f"illness: call `{name}` with the true classes.",
        )
    expect(
        not any(np.allclose(got[1], one) for one in values[1:]),
        "that is one shuffle; take the mean of all three.",
    )
    expect(
        not np.allclose(got[1], values.mean(axis=0)),
        "the true classes are no shuffle: leave them out of the mean.",
    )
    expect(
        np.allclose(got[1], want[1]),
        "shuffled: three orders from one generator, `np.random.default_rng(0)`, and both functions "
        "on the same three.",
    )
