"""Right and wrong answers to the assignment "Here and not there"."""

from functools import partial

import numpy as np
import pandas as pd
from checks_hw10 import (
    ERRORS,
    NOISE,
    ORDERS,
    SHARES,
    bins_right,
    cut,
    halves,
    honest_is,
    lafi_right,
    local_right,
    noise_right,
    report_errors,
)

# --- by hand -----------------------------------------------------------------------------


def but(right, k, value):
    """A right answer with one entry replaced."""
    return (*right[:k], value, *right[k + 1 :])


CLUSTERS = (0.2, *ORDERS)
SHARED = (0.076, 0.009, 0.824, 0.989, 0.846)
MEANS = (45.333, 2.667, 88, 66.667, 0.667)
NULL = (0.417, 0.2, 0.6, 2, 49)

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

TOLD = np.array([[0.2963, -0.2311, -2.789], [0.6726, 0.1452, 3.000]])
NAMES = ["error", "difference", "corrected"]


def report_with(values=TOLD):
    """The table of hw10-9, with other values."""
    return pd.DataFrame(values, index=["colleague", "honest"], columns=NAMES)


def report_but(k, values):
    """The table of hw10-9 with one column replaced."""
    report = report_with()
    report.iloc[:, k] = values
    return report


CORRECT = {
    "hw10-1": [CLUSTERS, [0.2, list("daecb"), "DEBAC", "dbaec", "decab"]],
    "hw10-2": [SHARED, SHARES],
    "hw10-3": [MEANS, ERRORS],
    "hw10-4": [NULL, NOISE],
    "hw10-5": [bins_loops, bins_right],
    "hw10-6": [local_loops, local_right],
    "hw10-7": [noise_loops, noise_with()],
    "hw10-8": [honest_loops, honest_by("")],
    "hw10-9": [report_with(), report_with().round(3).iloc[::-1, ::-1]],
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
        (but(CLUSTERS, 2, "adecb"), "by the best rank"),
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
        (but(SHARED, 2, 0.009), "is 1/7"),
        (but(SHARED, 2, 0.2258), "from -4 to 4"),
        (but(SHARED, 2, 0.9739), "the noise is there"),
        (but(SHARED, 2, 0.5), "there: 16/3"),
        (but(SHARED, 3, 0.991), "cannot be predicted"),
        (but(SHARED, 3, 0.9983), "x1 alone is asked"),
        (but(SHARED, 3, 0.9), "4096/7 over it"),
        (but(SHARED, 4, 0.9983), "that is everywhere"),
        (but(SHARED, 4, 0.8235), "that is x2 alone"),
        (but(SHARED, 4, 0.5), "all but the noise"),
        (SHARED[:4], "give five numbers"),
    ],
    "hw10-3": [
        (but(MEANS, 0, 51), "divide by nine"),
        (but(MEANS, 0, 42.667), "a bin has one, too"),
        (but(MEANS, 0, 40), "the mean is 11"),
        (but(MEANS, 1, 4), "not by two of each bin"),
        (but(MEANS, 1, 1.333), "the distances are 2, 0 and 2"),
        (but(MEANS, 2, 130.667), "one of three is the right one"),
        (but(MEANS, 2, 85.333), "on top of the means"),
        (but(MEANS, 2, 45.333), "says nothing about"),
        (but(MEANS, 3, 34.667), "8 and 16 away"),
        (but(MEANS, 3, 82.667), "8 and 16 away"),
        (but(MEANS, 3, 45.333), "half of the guesses"),
        (but(MEANS, 3, 88), "128 more on average"),
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
        (report_with(TOLD[::-1]), "the rows are exchanged"),
        (report_but(0, report_errors()[:, :, 1].mean(axis=1)), "the error in bins stands first"),
        (report_but(0, report_errors()[:, 0, 0]), "that is one division"),
        (report_but(0, [0.2963, 0.2963]), "honest: the mean"),
        (report_but(1, -TOLD[:, 1]), "below 0 where bins do better"),
        (report_but(1, TOLD[:, 0] - report_errors()[0, :, 2].mean()), "not the mean"),
        (report_but(1, [0.1, 0.2]), "ten differences"),
        (report_but(2, TOLD[:, 2] * 11**0.5), "they share rows"),
        (report_but(2, TOLD[:, 2] * (10 / 9) ** 0.5), "divides by nine"),
        (report_but(2, [2.0, -2.0]), "1/10 + 1"),
        (report_with().T, "no column `error`"),
        (report_with().rename(index={"honest": "me"}), "no row `honest`"),
    ],
}  # fmt: skip
