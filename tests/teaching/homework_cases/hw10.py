"""Right and wrong answers to the assignment "Here and not there"."""

from functools import partial

import numpy as np
import pandas as pd
from checks_hw10 import (
    NAMES,
    bins_right,
    cut,
    halves,
    honest_is,
    lafi_right,
    local_right,
    noise_right,
    report_values,
)
from scipy import stats

# --- by hand -----------------------------------------------------------------------------


def but(right, k, value):
    """A right answer with one entry replaced."""
    return (*right[:k], value, *right[k + 1 :])


CLUSTERS = (0.2, "daecb", "debac", "dbaec", "decab")
SHARED = (0.076, 0.009, 0.824, 0.989, 0.846)
MEANS = (45.333, 2.667, 88, 66.667, 0.667)
NULL = (0.417, 0.2, 0.6, 2, 49)
SHARES = [0.07574, 0.00902, 0.82353, 0.98929, 0.84559]
ERRORS = [136 / 3, 8 / 3, 88, 200 / 3, 2 / 3]
NOISE = [5 / 12, 0.2, 0.6, 2.0, 49]


def by_hand(given):
    """Right answers and typical mistakes for the tables of a number."""
    return {
        "hw10-1": orders_of(given["sizes"], given["importances"]),
        "hw10-2": shares_of(*(given[name] for name in ("half", "factor", "inner", "noise"))),
        "hw10-3": errors_of(given["bins"], given["guessed"]),
        "hw10-4": null_of(given),
    }


def mean_of(values):
    return sum(values) / len(values)


def orders_of(sizes, importances):
    def ordered(*scores):
        """The features by the first score, the largest first; of equal ones by the second."""
        keys = {"abcde"[j]: tuple(round(score[j], 9) for score in scores) for j in range(5)}
        return "".join(sorted(keys, key=keys.get, reverse=True))

    rows = importances[:3]
    columns = [list(column) for column in zip(*rows)]
    average = [sum(n * v for n, v in zip(sizes, column)) / sum(sizes) for column in columns]
    equal = [mean_of(column) for column in columns]
    ranks = [[1 + sum(other > v for other in row) for v in row] for row in rows]
    worst, best = ([-pick(column) for column in zip(*ranks)] for pick in (max, min))
    ranked = [min(w, -(j + 1)) for j, w in enumerate(worst)]
    right = (average[0], ordered(average), ordered(worst, average), ordered(ranked, average),
             ordered(equal))  # fmt: skip
    of_a = columns[0]
    wrong = [
        (but(right, 0, mean_of(of_a)), "by their rows"),
        (but(right, 0, sum(of_a) / 4), "by their rows"),
        (but(right, 0, average[0] * sum(sizes) / sum(sizes[:3])), "divide by all"),
        (but(right, 0, 0.9), "times"),
        (but(right, 1, right[4]), "weigh them by their rows"),
        (but(right, 1, right[2]), "the order by intersection"),
        (but(right, 1, right[1][::-1]), "the largest first"),
        (but(right, 2, ordered(worst, equal)), "*by rows* decides"),
        (but(right, 2, right[3]), "ranks nothing"),
        (but(right, 2, ordered(best, average)), "by the best rank"),
        (but(right, 2, right[1]), "the worst ranks of a to e"),
        (but(right, 3, right[2]), "e has the rank 5"),
        (but(right, 3, right[1]), "which worst ranks change"),
        (but(right, 4, right[1]), "without the rows"),
        (but(right, 4, right[4][::-1]), "the sums over A, B and C"),
        (right[:4], "give five things"),
    ]
    return right, wrong


def shares_of(half, factor, inner, noise):
    """With variances by integrals, as sums over a fine grid."""
    grid = (np.arange(4000) + 0.5) / 2000 - 1

    def variance(c, power):
        return float(np.mean((c * grid) ** (2 * power)))

    cube, small, line = variance(half, 3), variance(inner, 3), variance(half, 1)
    whole, there = cube + line + noise, small + line + noise
    large = factor**2 * line
    right = (large / (cube + large + noise), line / whole, line / there, cube / whole,
             1 - noise / there)  # fmt: skip
    short = variance(inner, 1)
    return right, [
        (but(right, 0, factor * line / (cube + factor * line + noise)), "with its square"),
        (but(right, 0, large / cube), "its own included"),
        (but(right, 0, large / (cube + noise)), "its own included"),
        (but(right, 0, 0.99), f"the variance of {factor} x2 is"),
        (but(right, 1, right[0]), f"with the factor {factor}"),
        (but(right, 1, 0.9), "over the whole variance"),
        (but(right, 2, right[1]), "the variance of the cube"),
        (but(right, 2, short / (small + short + noise)), f"from -{half} to {half}"),
        (but(right, 2, line / (small + line)), "the noise is there"),
        (but(right, 2, 0.01), "there: "),
        (but(right, 3, 1 - right[1]), "cannot be predicted"),
        (but(right, 3, 1 - noise / whole), "x1 alone is asked"),
        (but(right, 3, 0.01), "what x1 explains"),
        (but(right, 4, 1 - noise / whole), "that is everywhere"),
        (but(right, 4, right[2]), "that is x2 alone"),
        (but(right, 4, 0.01), "all but the noise"),
        (right[:4], "give five numbers"),
    ]


def errors_of(bins, guessed):
    """By every row and every bin that it may be predicted from."""
    every = [(y, k) for k, some in enumerate(bins) for y in some]
    means, whole_mean = [mean_of(some) for some in bins], mean_of([y for y, _ in every])
    m, n = len(bins), len(every)

    def error(weights):
        """The mean square; the weights of the bins, for the bin of a row."""
        return sum(w * (y - means[j]) ** 2
                   for y, k in every for j, w in enumerate(weights(k))) / n  # fmt: skip

    def lot(share):
        return lambda k: [share if j == k else (1 - share) / (m - 1) for j in range(m)]

    total = sum((y - whole_mean) ** 2 for y, _ in every)
    own, wrong = error(lot(1)), error(lot(0))
    right = (total / n, own, error(lot(1 / m)), error(lot(guessed)))
    right += ((wrong - total / n) / (wrong - own),)
    nearest = mean_of([min((a - b) ** 2 for b in means if b != a) for a in means])
    ends = mean_of([(a - b) ** 2 for a in (means[0], means[-1]) for b in means if b != a])
    return right, [
        (but(right, 0, total / (n - 1)), f"divide by {n}"),
        (but(right, 0, total / n - own), "a bin has one, too"),
        (but(right, 0, 1.0), "the mean is"),
        (but(right, 1, own * 3 / 2), "not by two of each bin"),
        (but(right, 1, own / 2), "the distances are"),
        (but(right, 2, wrong), "is the right one"),
        (but(right, 2, 2 * (total / n - own)), "on top of the means"),
        (but(right, 2, total / n), "says nothing about"),
        (but(right, 3, own + (1 - guessed) * nearest), "away"),
        (but(right, 3, own + (1 - guessed) * ends), "away"),
        (but(right, 3, total / n), "of the guesses are wrong"),
        (but(right, 3, 1.0), "more on average"),
        (but(right, 4, 1 - right[4]), "how many may be wrong"),
        (but(right, 4, 0.5), "the error of the mean"),
        (right[:4], "give five numbers"),
    ]


def null_of(given):
    levels, times = given["levels"], given["times"]
    m, twelfths = sum(times), round(4 * sum(mean_of(level) for level in levels))
    lafi = sum(mean_of(level) for level in levels) / 3
    assert abs(lafi - twelfths / 12) < 1e-9
    assert twelfths in given["twelfths"]
    counts = [sum(n for t, n in zip(given["twelfths"], times) if t >= least)
              for least in (twelfths, twelfths + 1)]  # fmt: skip
    own = given["as_large"], given["larger"]
    assert own[1] < own[0] <= m
    fewest = next(k for k in range(1, 1000) if 1 / (1 + k) <= given["small"] + 1e-12)
    right = (lafi, (1 + own[0]) / (1 + m), (1 + counts[0]) / (1 + m), given["features"] * 0.05,
             fewest)  # fmt: skip
    flat = [flag for level in levels for flag in level]
    return right, [
        (but(right, 0, mean_of(flat)), "not bins"),
        (but(right, 0, lafi * 3), "by the three levels"),
        (but(right, 0, lafi * 1.5), "level 1 is a level"),
        (but(right, 0, 0.95), "in the three levels"),
        *[
            (but(right, k, wrong), fragment)
            for k, (count, larger) in ((1, own), (2, counts))
            for wrong, fragment in (
                (count / m, "above and below"),
                (count / (m + 1), "above, too"),
                ((1 + larger) / (m + 1), "as large counts"),
                (0.99, f"{1 + count} of {1 + m}"),
            )
        ],
        (but(right, 3, 1), "not twenty"),
        (but(right, 3, right[3] * 2), "a chance of 0.05"),
        (but(right, 4, fewest + 1), f"one of {fewest + 1}"),
        (but(right, 4, 2 * fewest), "1/(1 + m)"),
        (right[:4], "give five numbers"),
    ]


# --- hw10-5 ------------------------------------------------------------------------------


def bins_loops(y, M, flaw=""):
    """Row by row, with one flaw at most."""
    n, places = len(y), []
    order = sorted(range(n), key=lambda i: y[i])
    values = [y[i] for i in order]
    end = 0
    for m in range(M - 1):
        end += n // M + (1 if m < n % M else 0)
        changes = [c for c in range(1, n) if values[c] != values[c - 1]]
        if changes:
            places.append(min(changes, key=lambda c: (abs(c - end), c)))
    found = [0] * n
    for place, i in enumerate(order):
        found[i] = sum(place >= c for c in set(places))
    if flaw == "in place":
        y.sort()
    if flaw == "quantiles":
        edges = np.quantile(y, np.linspace(0, 1, M + 1)[1:-1])
        return np.searchsorted(edges, y)
    if flaw == "short":
        return np.array(found)[1:]
    return np.array(found)


# --- hw10-6 ------------------------------------------------------------------------------


def local_loops(X, y, bins, new, k, flaw=""):
    """Row by row, with one flaw at most."""
    X0 = X
    n, d = X.shape
    means = [sum(X[:, j]) / n for j in range(d)]
    sds = [(sum((X[:, j] - means[j]) ** 2) / n) ** 0.5 for j in range(d)]
    if flaw != "zero":
        sds = [s if s > 1e-12 else 1.0 for s in sds]
    with np.errstate(all="ignore"):
        Z = np.array([[(x[j] - means[j]) / sds[j] for j in range(d)] for x in X])
        Q = np.array([[(x[j] - means[j]) / sds[j] for j in range(d)] for x in new])

    def apart(a, b):
        if flaw == "blocks":
            return round(float(sum(abs(a - b))), 9)
        return round(float(sum((a - b) ** 2)) ** 0.5, 9)

    numbers, said = [], []
    for q in Q:
        gaps = [apart(q, sum(Z[bins == b]) / sum(bins == b)) for b in range(max(bins) + 1)]
        b = gaps.index(min(gaps))
        rows = [i for i in range(n) if bins[i] == b]
        if flaw == "last":
            rows = rows[::-1]
        rows = sorted(rows, key=lambda i: apart(q, Z[i]))[: k + (flaw == "more")]
        numbers.append(b)
        said.append(float(np.mean([y[i] for i in rows])))
    if flaw == "in place":
        X0 -= X0.mean(axis=0)
    if flaw == "predictions":
        return np.array(said)
    return np.array(numbers), np.array(said)


# --- hw10-7 ------------------------------------------------------------------------------


def noise_loops(X, y, choose, n_levels, m, rng, flaw=""):
    """With recursion, and one flaw at most."""
    d = X.shape[1]

    def below(rows, y, depth):
        """The sum of the shares of this bin and of those below it."""
        mask = np.zeros(d)
        if len(rows) >= 4 and len(set(y[rows])) > 1:
            mask = np.asarray(choose(X[rows], y[rows])).astype(float)
        total = mask / 2**depth
        if depth + 1 < n_levels:
            n = len(rows) - len(rows) // 2
            total = total + below(rows[:n], y, depth + 1) + below(rows[n:], y, depth + 1)
        return total

    def lafi(y):
        order = np.array(sorted(range(len(y)), key=lambda i: y[i]), dtype=int)
        return below(order, y, 0) / n_levels

    true = lafi(y)
    if flaw == "seed":
        rng = np.random.default_rng(123)
    count = np.zeros(d)
    for _ in range(m):
        largest = max(lafi(rng.permutation(y)))
        count += [largest > t - 1e-9 for t in true]
    if flaw == "in place":
        y.sort()
    if flaw == "lafi only":
        return true
    return true, (count + 1) / (m + 1)


def noise_with(flaw="", of_lafi=""):
    return partial(noise_right, flaw=flaw, of_lafi=of_lafi)


# --- hw10-8 ------------------------------------------------------------------------------


def honest_by(flaw):
    return lambda fit, guess, X, y, seeds: honest_is(fit, guess, X, y, seeds, flaw)


def honest_loops(fit, guess, X, y, seeds):
    found = []
    for seed in seeds:
        for learn, judge in halves(seed, len(y)):
            A, a, B, b = X[learn], y[learn], X[judge], y[judge]
            bins = cut(a)
            models = {k: fit(A[bins == k], a[bins == k]) for k in set(bins.tolist())}
            where = np.asarray(guess(A, bins, B))
            said = [models[k].predict(row[None])[0] for k, row in zip(where.tolist(), B)]
            one = fit(A, a).predict(B)
            found.append([((b - said) ** 2).mean(), ((b - one) ** 2).mean(),
                          ((b - a.mean()) ** 2).mean()])  # fmt: skip
    return np.array(found)


# --- hw10-9 ------------------------------------------------------------------------------


def compared(told, change=lambda values, errors: values):
    """The table of hw10-9, with changed values."""
    values = np.array(change(report_values(told), np.array([*told.values()])))
    return pd.DataFrame(values, index=[*told], columns=NAMES)


def compared_pairs(told):
    """Row by row, with t from that of scipy."""
    found = {}
    for who in sorted(told, reverse=True):
        bins, one, _ = told[who].T
        k = len(bins)
        t = stats.ttest_rel(bins, one).statistic / np.sqrt(k * (1 / k + 1))
        found[who] = {"corrected": t, "difference": np.mean(bins - one), "error": np.mean(bins)}
    return pd.DataFrame(found).T


def compared_in_place(told):
    found = compared(told)
    for errors in told.values():
        errors -= 1
    return found


def column(k, value):
    """`compared` with another column; `value` gets the right values and the errors."""

    def change(values, errors):
        values = values.copy()
        values[:, k] = value(values, errors)
        return values

    return partial(compared, change=change)


def less_the_mean(values, errors):
    return (errors[:, :, 0] - errors[:, :, 2]).mean(axis=1)


CORRECT = {
    "hw10-1": [CLUSTERS, [0.2, list("daecb"), "DEBAC", "dbaec", "decab"]],
    "hw10-2": [SHARED, SHARES],
    "hw10-3": [MEANS, ERRORS],
    "hw10-4": [NULL, NOISE],
    "hw10-5": [bins_loops, bins_right],
    "hw10-6": [local_loops, local_right],
    "hw10-7": [noise_loops, noise_with()],
    "hw10-8": [honest_loops, honest_by("")],
    "hw10-9": [compared, compared_pairs],
}

WRONG = {
    "hw10-1": [
        (but(CLUSTERS, 0, 0.197), "by their rows"),
        (but(CLUSTERS, 0, 0.1475), "by their rows"),
        (but(CLUSTERS, 0, 0.222), "divide by all 300"),
        (but(CLUSTERS, 0, 0.3), "120 times 0.37"),
        (but(CLUSTERS, 1, "decab"), "weigh them by their rows"),
        (but(CLUSTERS, 1, "debac"), "the order by intersection"),
        (but(CLUSTERS, 1, "bceda"), "the largest first"),
        (but(CLUSTERS, 2, "debca"), "*by rows* decides"),
        (but(CLUSTERS, 2, "dbaec"), "ranks nothing"),
        (but(CLUSTERS, 2, "aecdb"), "by the best rank"),
        (but(CLUSTERS, 2, "daecb"), "the worst ranks of a to e"),
        (but(CLUSTERS, 3, "debac"), "e has the rank 5"),
        (but(CLUSTERS, 3, "daecb"), "which worst ranks change"),
        (but(CLUSTERS, 4, "daecb"), "without the rows"),
        (but(CLUSTERS, 4, "dcaeb"), "the sums over A, B and C"),
        (but(CLUSTERS, 4, "deca"), "five letters"),
        (CLUSTERS[:4], "give five things"),
    ],
    "hw10-2": [
        (but(SHARED, 0, 0.0265), "with its square"),
        (but(SHARED, 0, 0.082), "its own included"),
        (but(SHARED, 0, 0.0819), "its own included"),
        (but(SHARED, 0, 0.5), "is 48"),
        (but(SHARED, 1, 0.0757), "with the factor 3"),
        (but(SHARED, 1, 0.02), "over the whole variance"),
        (but(SHARED, 2, 0.009), "of the cube is 0.143"),
        (but(SHARED, 2, 0.2258), "from -4 to 4"),
        (but(SHARED, 2, 0.9739), "the noise is there"),
        (but(SHARED, 2, 0.5), "there: 5.333"),
        (but(SHARED, 3, 0.991), "cannot be predicted"),
        (but(SHARED, 3, 0.9983), "x1 alone is asked"),
        (but(SHARED, 3, 0.9), "585.143 over it"),
        (but(SHARED, 4, 0.9983), "that is everywhere"),
        (but(SHARED, 4, 0.8235), "that is x2 alone"),
        (but(SHARED, 4, 0.5), "all but the noise"),
        (SHARED[:4], "give five numbers"),
    ],
    "hw10-3": [
        (but(MEANS, 0, 51), "divide by 9"),
        (but(MEANS, 0, 42.667), "a bin has one, too"),
        (but(MEANS, 0, 40), "the mean is 11"),
        (but(MEANS, 1, 4), "not by two of each bin"),
        (but(MEANS, 1, 1.333), "the distances are 2, 0 and 2"),
        (but(MEANS, 2, 130.667), "one of 3 is the right one"),
        (but(MEANS, 2, 85.333), "on top of the means"),
        (but(MEANS, 2, 45.333), "says nothing about"),
        (but(MEANS, 3, 34.667), "8 and 16 away"),
        (but(MEANS, 3, 82.667), "8 and 16 away"),
        (but(MEANS, 3, 45.333), "0.5 of the guesses"),
        (but(MEANS, 3, 88), "128.000 more on average"),
        (but(MEANS, 4, 0.333), "how many may be wrong"),
        (but(MEANS, 4, 0.5), "the error of the mean"),
        (MEANS[:4], "give five numbers"),
    ],
    "hw10-4": [
        (but(NULL, 0, 0.571), "not bins"),
        (but(NULL, 0, 1.25), "by the three levels"),
        (but(NULL, 0, 0.625), "level 1 is a level"),
        (but(NULL, 0, 0.3), "0, 1/2 and 3/4"),
        (but(NULL, 1, 0.1667), "above and below"),
        (but(NULL, 1, 0.16), "above, too"),
        (but(NULL, 1, 0.08), "as large counts"),
        (but(NULL, 1, 0.6), "5 of 25"),
        (but(NULL, 2, 0.5833), "above and below"),
        (but(NULL, 2, 0.56), "above, too"),
        (but(NULL, 2, 0.36), "as large counts"),
        (but(NULL, 2, 0.2), "15 of 25"),
        (but(NULL, 3, 1), "not twenty"),
        (but(NULL, 3, 4), "a chance of 0.05"),
        (but(NULL, 4, 50), "one of 50"),
        (but(NULL, 4, 20), "1/(1 + m)"),
        (NULL[:4], "give five numbers"),
    ],
    "hw10-5": [
        (partial(bins_right, flaw="apart"), "has parted rows"),
        (partial(bins_right, flaw="higher"), "take the lower one"),
        (partial(bins_right, flaw="down"), "also be above"),
        (partial(bins_right, flaw="up"), "also be below"),
        (partial(bins_right, flaw="last"), "not the last ones"),
        (partial(bins_right, flaw="round"), "the larger ones first"),
        (partial(bins_right, flaw="empty"), "have no gaps"),
        (partial(bins_right, flaw="sorted"), "not of the sorted ones"),
        (partial(bins_right, flaw="one"), "has the number 0"),
        (partial(bins_loops, flaw="quantiles"), "bins of the targets"),
        (partial(bins_loops, flaw="in place"), "has changed `y`"),
        (partial(bins_loops, flaw="short"), "a number for each row"),
    ],
    "hw10-6": [
        (partial(local_right, flaw="unscaled"), "the largest numbers decides"),
        (partial(local_right, flaw="new"), "not known beforehand"),
        (partial(local_right, flaw="own"), "not by themselves"),
        (partial(local_right, flaw="both"), "must not change the scale"),
        (partial(local_right, flaw="variance"), "not by the variance"),
        (partial(local_right, flaw="median"), "the mean of the scaled rows"),
        (partial(local_right, flaw="row"), "not of the nearest row"),
        (partial(local_right, flaw="all"), "of the *bin*"),
        (partial(local_right, flaw="anew"), "do not scale anew"),
        (partial(local_right, flaw="far"), "not the farthest"),
        (partial(local_right, flaw="bin"), "not of all of them"),
        (partial(local_right, flaw="short"), "as many as there are"),
        (partial(local_right, flaw="middle"), "not their median"),
        (partial(local_loops, flaw="zero"), "divide by 1"),
        (partial(local_loops, flaw="blocks"), "the nearest center"),
        (partial(local_loops, flaw="last"), "of equal distances"),
        (partial(local_loops, flaw="more"), "the predictions are not"),
        (partial(local_loops, flaw="in place"), "changed its arguments"),
        (partial(local_loops, flaw="predictions"), "two arrays"),
    ],
    "hw10-7": [
        (noise_with(of_lafi="bins"), "not over all bins"),
        (noise_with(of_lafi="upper"), "the lower half has one more"),
        (noise_with(of_lafi="first"), "is a level, too"),
        (noise_with(of_lafi="dropped"), "counts among those"),
        (noise_with(of_lafi="flat"), "do not ask"),
        (noise_with(of_lafi="last"), "not the last one"),
        (noise_with(of_lafi="sum"), "not the sum"),
        (lambda *case: (lafi_right(*case[:4]) / 2, np.ones(case[0].shape[1])), "LAFI: "),
        (noise_with("own"), "not against the feature's own"),
        (noise_with("strict"), "as large counts"),
        (noise_with("smaller"), "not the others"),
        (noise_with("zero"), "above and below"),
        (noise_with("below"), "above the line, too"),
        (noise_with("draw"), "each value stays"),
        (noise_with("features"), "one draw after the other"),
        (partial(noise_loops, flaw="seed"), "one draw after the other"),
        (partial(noise_loops, flaw="in place"), "changed its arguments"),
        (partial(noise_loops, flaw="lafi only"), "two arrays"),
    ],
    "hw10-8": [
        (honest_by("own"), "what the colleague's function returns"),
        (honest_by("cut"), "guess the bin"),
        (honest_by("seen"), "learn from `learn` alone"),
        (honest_by("models"), "have been fitted, too"),
        (honest_by("all"), "cut those that learn"),
        (honest_by("mean"), "of the rows that learn"),
        (lambda *case: np.sqrt(honest_loops(*case)), "without a root"),
        (lambda *case: honest_loops(*case).mean(axis=0), "three errors"),
        (lambda *case: honest_loops(*case)[:, [1, 0, 2]], "second: one model"),
        (lambda *case: honest_loops(*case) * [2, 1, 1], "let `guess` say"),
    ],
    "hw10-9": [
        (partial(compared, change=lambda values, errors: values[::-1]), "the rows are exchanged"),
        (column(0, lambda values, errors: errors[:, :, 1].mean(axis=1)), "bins stands first"),
        (column(0, lambda values, errors: errors[:, 0, 0]), "that is one division"),
        (column(0, lambda values, errors: values[[0, 0], 0]), "honest: the mean"),
        (column(1, lambda values, errors: -values[:, 1]), "below 0 where bins do better"),
        (column(1, less_the_mean), "not the mean"),
        (column(1, lambda values, errors: [0.1, 0.2]), "the mean of the differences"),
        (column(2, lambda values, errors: values[:, 2] * 11**0.5), "they share rows"),
        (column(2, lambda values, errors: values[:, 2] * (10 / 9) ** 0.5), "divides by k - 1"),
        (column(2, lambda values, errors: [2.0, -2.0]), "1/k + 1"),
        (compared_in_place, "changed its arguments"),
        (lambda told: compared(told).T, "no column `error`"),
        (lambda told: compared(told).rename(index={"honest": "me"}), "no row `honest`"),
    ],
}  # fmt: skip
