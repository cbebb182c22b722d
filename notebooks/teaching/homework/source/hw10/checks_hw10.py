"""Checkers of the assignment "Here and not there"."""

from functools import cache

import numpy as np

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.checkers import checker, expect
from treelab.datasets import fetch_bike_sharing
from treelab.selection import response_bins


def near(got, want, atol=0.0015):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=atol)


def numbers_of(answer, n=5):
    """The answer as an array of n numbers."""
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (n,), "give five numbers.")
    return got


# --- four clusters -----------------------------------------------------------------------

SIZES = np.array([60, 90, 120, 30])
FOUND = np.array([
    [0.14, 0.23, 0.21, 0.16, 0.26],
    [0.08, 0.09, 0.36, 0.29, 0.18],
    [0.37, 0.19, 0.03, 0.23, 0.18],
    [0.00, 0.00, 0.00, 0.00, 0.00],
])  # fmt: skip
ORDERS = ("daecb", "debac", "dbaec", "decab")


def same_letters(answer):
    return "".join(map(str, answer)).strip().lower()


@checker("hw10-1")
def check_orders(answer):
    answer = list(answer)
    expect(len(answer) == 5, "give five things: a number and four orders.")
    got, orders = float(answer[0]), [same_letters(order) for order in answer[1:]]
    expect(all(sorted(order) == [*"abcde"] for order in orders), "each order has five letters.")
    expect(not near(got, 0.1967), "weigh the clusters by their rows: 60, 90, 120, and 30.")
    expect(not near(got, 0.1475), "weigh the clusters by their rows: 60, 90, 120, and 30.")
    expect(not near(got, 0.2222), "D has rows, too: divide by all 300.")
    expect(near(got, 0.2), "a: 60 times 0.14, 90 times 0.08, 120 times 0.37, over 300.")
    average, together, ranked, equal = orders
    expect(average != "decab", "that is each cluster counted the same; weigh them by their rows.")
    expect(average != ORDERS[1], "that is the order by intersection.")
    expect(
        average == ORDERS[0], "the average: the sums of importance times rows, the largest first."
    )
    expect(together != "debca", "of equal worst ranks the average *by rows* decides.")
    expect(together != ORDERS[2], "D is silent and ranks nothing; that is the next question.")
    expect(together != "adecb", "that is by the best rank; one cluster against it is enough.")
    expect(together == ORDERS[1], "the worst ranks of a to e are 5, 4, 5, 4, 4.")
    expect(ranked != ORDERS[1], "with D ranked, e has the rank 5 there.")
    expect(ranked == ORDERS[2], "D gives the ranks 1 to 5 to a to e: which worst ranks change?")
    expect(equal != ORDERS[0], "the sums of the importances, without the rows.")
    expect(equal == ORDERS[3], "the sums over A, B and C are 0.59, 0.51, 0.60, 0.68, 0.62.")


# --- shares of the variance --------------------------------------------------------------

SHARES = np.array([0.0757, 0.0090, 0.8235, 0.9893, 0.8456])


@checker("hw10-2")
def check_shares(answer):
    got = numbers_of(answer)
    for k, wrong, hint in (
        (0, 16 / (4**6 / 7 + 16 + 1), "the factor counts with its square: 9 times 16/3."),
        (0, 48 / (4**6 / 7), "over the whole variance, that of the noise and its own included."),
        (0, 48 / (4**6 / 7 + 1), "over the whole variance, its own included."),
        (1, SHARES[0], "that is with the factor 3."),
        (2, SHARES[1], "between -1 and 1 the variance of the cube is 1/7, not 4^6/7."),
        (2, 3 / (1 / 7 + 3 + 1), "x2 still goes from -4 to 4: its variance is 16/3."),
        (2, (1 / 3) / (1 / 7 + 1 / 3 + 1), "x2 still goes from -4 to 4: its variance is 16/3."),
        (2, (16 / 3) / (1 / 7 + 16 / 3), "the noise is there, too, with the variance 1."),
        (3, 1 - SHARES[1], "the noise cannot be predicted either."),
        (3, 1 - 1 / (4**6 / 7 + 16 / 3 + 1), "that is with both; x1 alone is asked."),
        (4, 1 - 1 / (4**6 / 7 + 16 / 3 + 1), "that is everywhere; now x1 is between -1 and 1."),
        (4, SHARES[2], "that is x2 alone; anyone may use x1, too."),
    ):
        expect(not near(got[k], wrong, 4e-4), hint)
    told = (
        "the variance of 3 x2 is 48, that of x1^3 is 4096/7, that of the noise 1.",
        "with the factor 1: 16/3, over the whole variance.",
        "there: 16/3 over 1/7 + 16/3 + 1.",
        "what x1 explains, over the whole variance: 4096/7 over it.",
        "there: all but the noise, 1/7 + 16/3, over the whole variance.",
    )
    for k, hint in enumerate(told):
        expect(near(got[k], SHARES[k], 6e-4), hint)


# --- three bins --------------------------------------------------------------------------

ERRORS = np.array([45.3333, 2.6667, 88, 66.6667, 0.6667])


@checker("hw10-3")
def check_errors(answer):
    got = numbers_of(answer)
    expect(not near(got[0], 51), "divide by nine: it is the error of the mean on these rows.")
    expect(
        not near(got[0], 42.6667, 0.01),
        "that is the variance of the bin means; a bin has one, too.",
    )
    expect(near(got[0], ERRORS[0], 0.006), "the mean is 11; the squares of the distances to it.")
    expect(not near(got[1], 4), "divide by nine rows, not by two of each bin.")
    expect(near(got[1], ERRORS[1], 0.006), "in each bin the distances are 2, 0 and 2.")
    expect(
        not near(got[2], 130.6667, 0.01), "that is in a wrong bin; one of three is the right one."
    )
    expect(
        not near(got[2], 85.3333, 0.01), "within a bin there is an error, too, on top of the means."
    )
    expect(
        near(got[2], ERRORS[2], 0.006), "45.333 + 42.667: the bin says nothing about the target."
    )
    expect(
        not near(got[3], 34.6667, 0.01) and not near(got[3], 82.6667, 0.01),
        "from an outer bin the others are 8 and 16 away, from the middle one both are 8.",
    )
    expect(
        not near(got[3], 45.3333, 0.01),
        "half of the guesses are wrong: half of 128 on top of 2.667.",
    )
    expect(near(got[3], ERRORS[3], 0.006), "2.667, and in half of the rows 128 more on average.")
    expect(not near(got[4], 1 / 3), "that is how many may be wrong.")
    expect(near(got[4], ERRORS[4]), "2.667 + (1 - p) 128 is to be the error of the mean.")


# --- kept, or more than noise ------------------------------------------------------------

NOISE = np.array([0.4167, 0.2, 0.6, 2, 49])


@checker("hw10-4")
def check_noise(answer):
    got = numbers_of(answer)
    expect(not near(got[0], 4 / 7), "the share in each level, averaged over the levels, not bins.")
    expect(not near(got[0], 1.25), "divide by the three levels.")
    expect(not near(got[0], 0.625), "level 1 is a level, too: no bin of one chose it.")
    expect(near(got[0], NOISE[0]), "0, 1/2 and 3/4 in the three levels.")
    expect(not near(got[1], 4 / 24), "add the true order above and below the line.")
    expect(not near(got[1], 4 / 25), "add the true order above, too.")
    expect(not near(got[1], 2 / 25), "as large counts, too: 0.42 is as large.")
    expect(near(got[1], NOISE[1]), "four of 24 permutations, and the true order: 5 of 25.")
    expect(not near(got[2], 14 / 24), "add the true order above and below the line.")
    expect(not near(got[2], 14 / 25), "add the true order above, too.")
    expect(not near(got[2], 9 / 25), "as large counts, too: 0.42 is as large.")
    expect(near(got[2], NOISE[2]), "6 + 5 + 3 permutations, and the true order: 15 of 25.")
    expect(got[3] != 1, "forty features, not twenty.")
    expect(near(got[3], 2), "each of forty has at most a chance of 0.05.")
    expect(got[4] not in (50, 48), "1/(1 + m) is to be 0.02: the true order is one of 50.")
    expect(got[4] == 49, "the smallest p is 1/(1 + m).")


# --- bins --------------------------------------------------------------------------------


def bins_right(y, M, flaw=""):
    """Number of the bin of each row, with one flaw at most."""
    n = len(y)
    order = np.argsort(y, kind="stable")
    sizes = [n // M + (m < n % M) for m in range(M)]
    sizes = sizes[::-1] if flaw == "last" else sizes
    cuts = np.cumsum(sizes)[:-1]
    if flaw == "round":
        cuts = np.array([round(m * n / M) for m in range(1, M)], dtype=int)
    changes = 1 + np.flatnonzero(np.diff(y[order]))
    moved = []
    for cut in cuts:
        if flaw == "apart":
            moved.append(cut)
        elif not len(changes):
            continue
        elif flaw == "down":
            moved.append(max([c for c in changes if c <= cut], default=0))
        elif flaw == "up":
            moved.append(min([c for c in changes if c >= cut], default=n))
        else:
            steps = changes[::-1] if flaw == "higher" else changes
            moved.append(steps[np.argmin(abs(steps - cut))])
    places = np.sort(moved) if flaw == "empty" else np.unique(moved)
    numbers = np.searchsorted(places, np.arange(n), side="right")
    if flaw in ("down", "up"):
        numbers = np.unique(numbers, return_inverse=True)[1]
    if flaw == "sorted":
        return numbers
    found = np.empty(n, dtype=int)
    found[order] = numbers + (flaw == "one")
    return found


def targets(seed):
    """Targets and a number of bins: with many ties, with few, and with none."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40))
    y = rng.integers(0, (4, 12, 100)[seed % 3], n) / 2 if seed % 4 else rng.normal(size=n)
    if seed % 10 == 9:
        y = np.repeat(rng.permutation([1.0, 5.0, 2.0]), n // 3)
    return y, int(rng.integers(2, 6))


BIN_SLIPS = {
    "apart": "a cut has parted rows with the same target: move it to the nearest change.",
    "higher": "of two changes that are as near take the lower one.",
    "down": "the nearest change may also be above the cut.",
    "up": "the nearest change may also be below the cut.",
    "last": "the first bins have one row more, not the last ones.",
    "round": "the sizes of the bins, before cuts move: the larger ones first.",
    "empty": "cuts that fall together are one: the numbers of the bins have no gaps.",
    "sorted": "give the bins in the order of the rows of `y`, not of the sorted ones.",
    "one": "the first bin has the number 0.",
}


@cache
def all_bins(flaw=""):
    return [bins_right(*targets(seed), flaw).tolist() for seed in range(60)]


@checker("hw10-5")
def check_bins(bins_of):
    found = []
    for seed in range(60):
        y, M = targets(seed)
        before = y.copy()
        got = np.asarray(bins_of(y, M), dtype=float)
        expect(np.array_equal(y, before), "your function has changed `y`; work on a copy.")
        expect(got.shape == y.shape, "return an array with a number for each row.")
        found.append(got.tolist())
    for flaw, hint in BIN_SLIPS.items():
        expect(found != all_bins(flaw), hint)
    for seed, (got, want) in enumerate(zip(found, all_bins())):
        y, M = targets(seed)
        expect(got == want, f"{M} bins of the targets {y.round(2).tolist()}: {want}, not {got}.")
    got = np.asarray(bins_of(np.full(5, 2.0), 3), dtype=float)
    expect(got.tolist() == [0] * 5, "if all targets are equal, there is one bin.")


# --- the prediction ----------------------------------------------------------------------


def scale_of(X):
    sd = X.std(axis=0)
    return X.mean(axis=0), np.where(sd < 1e-12, 1, sd)


def distances(A, B):
    return np.sqrt(((A[:, None] - B) ** 2).sum(axis=2)).round(9)


def local_right(X, y, bins, new, k, flaw=""):
    """Bins and predictions of new rows, with one flaw at most."""
    rows = {"new": new, "both": np.vstack([X, new])}.get(flaw, X)
    mean, sd = scale_of(rows)
    if flaw == "zero":
        sd = rows.std(axis=0)
    if flaw == "unscaled":
        mean, sd = 0, 1
    if flaw == "variance":
        sd = sd**2
    with np.errstate(all="ignore"):
        Z, Q = (X - mean) / sd, (new - mean) / sd
    if flaw == "own":
        Q = (new - scale_of(new)[0]) / scale_of(new)[1]
    middle = np.median if flaw == "median" else np.mean
    centers = np.array([middle(Z[bins == b], axis=0) for b in range(bins.max() + 1)])
    if flaw == "row":
        nearest = bins[np.argmin(distances(Q, Z), axis=1)]
    else:
        nearest = np.argmin(distances(Q, centers), axis=1)
    said = []
    for q, b in zip(Q, nearest):
        inside = np.flatnonzero(bins == b) if flaw != "all" else np.arange(len(y))
        base, z = Z[inside], q
        if flaw == "anew":
            m, s = scale_of(base)
            base, z = (base - m) / s, (q - m) / s
        order = np.argsort(distances(z[None], base)[0], kind="stable")
        order = order[::-1] if flaw == "far" else order
        near_rows = inside if flaw == "bin" else inside[order[:k]]
        total = y[near_rows].sum() / k if flaw == "short" else y[near_rows].mean()
        said.append(np.median(y[near_rows]) if flaw == "middle" else total)
    return nearest, np.array(said)


def places(seed, corners=False):
    """Arguments of local_prediction; with corners: constant features, small bins, ties."""
    rng = np.random.default_rng(500 + seed)
    while True:
        n, d, M = int(rng.integers(20, 50)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
        X = rng.normal(size=(n, d)) ** 3 * rng.choice([0.1, 1, 40], size=d) + 3
        new = rng.normal(size=(int(rng.integers(3, 9)), d)) ** 3 + 3
        k = int(rng.integers(1, 5))
        if corners:
            X, new = np.column_stack([X, np.full(n, 7.0)]), np.column_stack([new, 7 + new[:, 0]])
            X[1::2] = X[: n - n % 2 : 2]  # every row twice, with another target
            k = n // M + 2 if seed % 2 else 1
        y = X[:, 0] + rng.normal(size=n)
        bins = bins_right(y, M)
        if are_clear(X, bins, new):
            return X, y, bins, new, k


def are_clear(X, bins, new):
    """Whether distances are equal or differ by far more than rounding does."""
    mean, sd = scale_of(X)
    Z, Q = (X - mean) / sd, (new - mean) / sd
    centers = [Z[bins == b].mean(axis=0) for b in range(bins.max() + 1)]
    for some in (Z, np.array(centers)):
        gaps = np.diff(np.sort(np.sqrt(((Q[:, None] - some) ** 2).sum(axis=2)), axis=1), axis=1)
        if ((gaps > 1e-12) & (gaps < 1e-7)).any():
            return False
    return True


PLACE_SLIPS = {
    "zero": "a feature with one value only: divide by 1, not by 0.",
    "unscaled": "scale first: else the feature with the largest numbers decides alone.",
    "new": "scale by the training rows; the mean and sd of the new rows are not known beforehand.",
    "own": "scale the new rows by the training rows, not by themselves.",
    "both": "scale by the training rows alone; the new ones must not change the scale.",
    "variance": "divide by the standard deviation, not by the variance.",
    "median": "the center is the mean of the scaled rows.",
    "row": "the bin is that of the nearest center, not of the nearest row.",
    "all": "the k nearest rows of the *bin*; those of other bins do not count.",
    "anew": "one scale for all: do not scale anew inside a bin.",
    "far": "the k nearest rows, not the farthest.",
    "bin": "the mean of the k nearest rows of the bin, not of all of them.",
    "short": "a bin with fewer than k rows: divide by as many as there are.",
    "middle": "the mean of the k targets, not their median.",
}


def two_arrays(found, n):
    expect(len(found) == 2, "return two arrays: the bins, and the predictions.")
    bins, said = (np.asarray(part, dtype=float) for part in found)
    expect(bins.shape == said.shape == (n,), "one bin and one prediction for each new row.")
    return bins, said


def agree(found, want):
    return all(np.array_equal(a[0], b[0]) and np.allclose(a[1], b[1]) for a, b in zip(found, want))


def all_places(corners):
    return [places(seed, corners) for seed in range(30)]


@cache
def said_by(corners, flaw=""):
    return [local_right(*case, flaw) for case in all_places(corners)]


@checker("hw10-6")
def check_local(local_prediction):
    for corners in (False, True):
        cases, found = all_places(corners), []
        for case in cases:
            before = [np.copy(part) for part in case]
            found.append(two_arrays(local_prediction(*case), len(case[3])))
            expect(
                all(np.array_equal(a, b) for a, b in zip(before, case)),
                "your function has changed its arguments; work on copies.",
            )
        right = said_by(corners)
        if agree(found, right):
            continue
        for flaw, hint in PLACE_SLIPS.items():
            expect(not agree(found, said_by(corners, flaw)), hint)
        same = all(np.array_equal(a[0], b[0]) for a, b in zip(found, right))
        expect(same, "the bins: the nearest center, with one scale for rows and centers.")
        expect(not corners, "right without equal distances and small bins, wrong with them: "
               "of equal distances the first row; where a bin has fewer than k, all.")  # fmt: skip
        expect(False, "the bins are right, the predictions are not.")


# --- LAFI and noise ----------------------------------------------------------------------


def lafi_right(X, y, choose, n_levels, flaw=""):
    """LAFI of each feature, with one flaw at most."""
    p = X.shape[1]
    level, shares, every = [np.argsort(y, kind="stable")], [], []
    for step in range(n_levels):
        masks = []
        for rows in level:
            few = len(rows) < 4
            flat = len(rows) > 0 and y[rows[0]] == y[rows[-1]]
            if few or (flat and flaw != "flat"):  # not asked
                if flaw != "dropped":
                    masks.append(np.zeros(p, dtype=bool))
                continue
            masks.append(np.asarray(choose(X[rows], y[rows]), dtype=bool))
        every += masks
        if flaw != "first" or step:
            shares.append(np.mean(masks, axis=0) if masks else np.zeros(p))
        half = {"upper": lambda n: n // 2}.get(flaw, lambda n: (n + 1) // 2)
        level = [
            part for rows in level for part in (rows[: half(len(rows))], rows[half(len(rows)) :])
        ]
    if flaw == "bins":
        return np.mean(every, axis=0)
    if flaw == "last":
        return shares[-1]
    shares = shares or [np.zeros(p)]
    return np.sum(shares, axis=0) if flaw == "sum" else np.mean(shares, axis=0)


def noise_right(X, y, choose, n_levels, m, rng, flaw="", of_lafi=""):
    """LAFI and p_max of each feature, with one flaw at most."""
    true = lafi_right(X, y, choose, n_levels, of_lafi)
    null = []
    for _ in range(m):
        if flaw == "features":
            null.append(lafi_right(X[rng.permutation(len(y))][:, ::-1], y, choose, n_levels))
            continue
        shuffled = rng.permutation(y) if flaw != "draw" else rng.choice(y, len(y))
        null.append(lafi_right(X, shuffled, choose, n_levels, of_lafi))
    null = np.array(null).reshape(m, X.shape[1])
    most = null if flaw == "own" else null.max(axis=1, keepdims=True)
    as_large = (most > true + 1e-9 if flaw == "strict" else most >= true - 1e-9).sum(axis=0)
    if flaw == "smaller":
        as_large = m - as_large
    if flaw == "zero":
        return true, as_large / max(m, 1)
    if flaw == "below":
        return true, as_large / (1 + m)
    return true, (1 + as_large) / (1 + m)


def two_best(X, y):
    """Mask of the two features with the largest correlations; the order of rows is no matter."""
    Z = X - X.mean(axis=0)
    told = abs(Z.T @ (y - y.mean())) / (np.sqrt((Z**2).sum(axis=0)) + 1e-12)
    return told.round(9) >= np.sort(told.round(9))[-2]


def table_of(seed):
    """Rows of which one feature tells something where the target is low, and levels."""
    rng = np.random.default_rng(70 + seed)
    n, d = int(rng.integers(21, 60)), int(rng.integers(3, 7))
    X = rng.normal(size=(n, d))
    y = np.maximum(X[:, 0], -0.5) * 3 + X[:, 1] + rng.normal(size=n)
    if seed % 3 == 0:
        y = np.maximum(y, np.median(y)).round(1)
    return X, y, 1 + seed % 4


LAFI_SLIPS = {
    "bins": "the share in each level first, then the mean over the levels; not over all bins.",
    "upper": "with an odd number of rows the lower half has one more.",
    "first": "level 1, all rows, is a level, too.",
    "dropped": "a bin that is not searched chooses nothing, but counts among those of its level.",
    "flat": "a bin with equal targets chooses nothing; do not ask `choose` there.",
    "last": "the mean over all levels, not the last one.",
    "sum": "the mean over the levels, not the sum.",
}
NULL_SLIPS = {
    "own": "against the largest LAFI of each permutation, not against the feature's own.",
    "strict": "as large counts, too.",
    "smaller": "count the permutations that are as large or larger, not the others.",
    "zero": "add 1 above and below the line: the true order is one of all.",
    "below": "add 1 above the line, too: the true order is one of all.",
    "draw": "shuffle the target, `rng.permutation(y)`: each value stays, once.",
}


@cache
def lafi_by(flaw):
    """LAFI of all tables with one flaw."""
    tables = [table_of(seed) for seed in range(24)]
    return [lafi_right(X, y, two_best, levels, flaw) for X, y, levels in tables]


@cache
def noise_by(flaw=""):
    """LAFI and p of all tables, with nine permutations and one flaw at most."""
    found = []
    for seed in range(24):
        X, y, levels = table_of(seed)
        rng = np.random.default_rng(seed)
        found.append(noise_right(X, y, two_best, levels, 9, rng, flaw))
    return found


@checker("hw10-7")
def check_noise_of(above_noise):
    found = []
    for seed in range(24):
        X, y, levels = table_of(seed)
        before = X.copy(), y.copy()
        got = above_noise(X, y, two_best, levels, 9, np.random.default_rng(seed))
        same = np.array_equal(X, before[0]) and np.array_equal(y, before[1])
        expect(same, "your function has changed its arguments; work on copies.")
        expect(len(got) == 2, "return two arrays: LAFI, and p.")
        got = tuple(np.asarray(part, dtype=float) for part in got)
        expect(got[0].shape == got[1].shape == (X.shape[1],), "two numbers for each feature.")
        found.append(got)
    for flaw, hint in LAFI_SLIPS.items():
        expect(not all(np.allclose(a, b) for (a, _), b in zip(found, lafi_by(flaw))), hint)
    for (got, _), (want, _) in zip(found, noise_by()):
        expect(
            np.allclose(got, want),
            f"LAFI: {want.round(3).tolist()} is right for one table, not {got.round(3).tolist()}.",
        )
    for flaw, hint in NULL_SLIPS.items():
        wrong = noise_by(flaw)
        expect(not all(np.allclose(a[1], b[1]) for a, b in zip(found, wrong)), hint)
    for (_, got), (_, want) in zip(found, noise_by()):
        expect(
            np.allclose(got, want),
            "LAFI is right, p is not: m times `rng.permutation(y)`, one draw after the other.",
        )
    X, y, levels = table_of(1)
    got = above_noise(X, y, two_best, levels, 0, np.random.default_rng(0))
    expect(np.allclose(got[1], 1), "without permutations p is 1: (1 + 0)/(1 + 0).")


# --- somebody's code ---------------------------------------------------------------------


def fit(X, y):
    """A forest of 30 trees."""
    return RandomForestRegressor(30, max_features=1 / 3, random_state=0).fit(X, y)


def guess(X, bins, new):
    """The bins of new rows, by a forest that has learned those of the rows."""
    return RandomForestClassifier(30, random_state=0).fit(X, bins).predict(new)


def cut(y):
    """The number of the bin of each row; three bins, equal targets together."""
    numbers = np.empty(len(y), dtype=int)
    for b, rows in enumerate(response_bins(y, 3, ties="together")):
        numbers[rows] = b
    return numbers


def halves(seed, n):
    """Two divisions of n rows, each to learn from and to judge."""
    order = np.random.default_rng(seed).permutation(n)
    return (order[: n // 2], order[n // 2 :]), (order[n // 2 :], order[: n // 2])


def honest_is(fit, guess, X, y, seeds, flaw=""):
    """Errors in bins, of one model and of the mean, with one flaw at most; (2 * n_seeds, 3)."""
    found, every = [], cut(y)
    for seed in seeds:
        for learn, judge in halves(seed, len(y)):
            bins = every[learn] if flaw in ("all", "own") else cut(y[learn])
            to = every[judge] if flaw == "own" else guess(X[learn], bins, X[judge])
            if flaw == "cut":
                to = cut(y[judge])
            if flaw == "seen":
                to = guess(X, every, X[judge])
            said = np.empty(len(judge))
            for b in np.unique(to):
                rows = learn[bins == b]
                if flaw == "models":
                    rows = np.flatnonzero(every == b)
                said[to == b] = fit(X[rows], y[rows]).predict(X[judge][to == b])
            one = fit(X[learn], y[learn]).predict(X[judge])
            mean = y[judge].mean() if flaw == "mean" else y[learn].mean()
            found.append([np.mean((y[judge] - s) ** 2) for s in (said, one, mean)])
    return np.array(found)


class Line:
    """A line by least squares through the first feature; cheap."""

    def __init__(self, X, y):
        self.coefficients = np.polyfit(X[:, 0], y, 1) if len(y) > 2 else [0, y.mean()]

    def predict(self, X):
        return np.polyval(self.coefficients, X[:, 0])


def nearest_mean(X, bins, new):
    """The bins of new rows by the nearest mean; cheap."""
    numbers = np.unique(bins)
    centers = np.array([X[bins == b].mean(axis=0) for b in numbers])
    return numbers[np.argmin(distances(new, centers), axis=1)]


def cheap_table(seed, n=90):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.3 * rng.normal(size=n)


HONEST_SLIPS = {
    "own": "this is what the colleague's function returns: the target has chosen the bin.",
    "cut": "the rows that judge are put into bins by their own targets; guess the bin.",
    "seen": "the rows that judge have told `guess` their bins: let it learn from `learn` alone.",
    "models": "the rows that judge have been fitted, too.",
    "all": "the bins were cut with the targets of all rows: cut those that learn.",
    "mean": "the constant mean is that of the rows that learn.",
}


@checker("hw10-8")
def check_honest(honest):
    X, y = cheap_table(1)
    before = X.copy(), y.copy()
    got = np.asarray(honest(Line, nearest_mean, X, y, (0, 1, 2)), dtype=float)
    same = np.array_equal(X, before[0]) and np.array_equal(y, before[1])
    expect(same, "X or y has changed; leave them as they are.")
    expect(got.shape == (6, 3), "return an array with a row for each division and three errors.")
    every = (Line, nearest_mean, X, y, (0, 1, 2))
    for flaw, hint in HONEST_SLIPS.items():
        expect(not np.allclose(got, honest_is(*every, flaw)), hint)
    want = honest_is(*every)
    expect(not np.allclose(got, np.sqrt(want)), "mean squared errors, without a root.")
    expect(np.allclose(got[:, 2], want[:, 2]), "third: the mean of the targets that learn.")
    expect(np.allclose(got[:, 1], want[:, 1]), "second: one model of all rows that learn.")
    expect(
        np.allclose(got, want),
        "first: cut the targets that learn, fit in each bin, and let `guess` say where rows go.",
    )


@cache
def report_errors():
    """Errors by the colleague and honestly, on the days of bicycles; (2, 10, 3)."""
    frame = fetch_bike_sharing("day").frame
    X, y = frame.loc[:, "season":"windspeed"].to_numpy(float), frame["cnt"].to_numpy(float) / 1000
    return np.array([honest_is(fit, guess, X, y, range(5), flaw) for flaw in ("own", "")])


def report_values(errors):
    """The table of hw10-9 of errors (2, 10, 3)."""
    table = []
    for found in errors:
        gap = found[:, 0] - found[:, 1]
        t = gap.mean() / (gap.std(ddof=1) * np.sqrt(1 / len(gap) + 1))
        table.append([found[:, 0].mean(), gap.mean(), t])
    return np.array(table)


@checker("hw10-9")
def check_report(report):
    errors = report_errors()
    want = report_values(errors)
    names = ["error", "difference", "corrected"]
    for name in names:
        expect(name in report.columns, f"there is no column `{name}`: name the columns as asked.")
    for name in ("colleague", "honest"):
        expect(name in report.index, f"there is no row `{name}`: name the rows as asked.")
    report = report.loc[["colleague", "honest"], names]
    expect(np.shape(report) == (2, 3), "each row and each column once.")
    got = report.to_numpy(float)
    expect(not np.allclose(got, want[::-1], atol=0.006), "the rows are exchanged.")
    expect(
        not np.allclose(got[:, 0], errors[:, :, 1].mean(axis=1), atol=1e-3),
        "that is the one forest; the error in bins stands first.",
    )
    expect(
        not np.allclose(got[:, 0], errors[:, 0, 0], atol=1e-5),
        "that is one division; take all ten.",
    )
    for k, name in enumerate(("colleague", "honest")):
        expect(near(got[k, 0], want[k, 0]), f"{name}: the mean of ten errors in bins.")
    expect(
        not np.allclose(got[:, 1], -want[:, 1], atol=0.0015),
        "the error in bins less that of the one forest: below 0 where bins do better.",
    )
    less_mean = (errors[:, :, 0] - errors[:, :, 2]).mean(axis=1)
    expect(not np.allclose(got[:, 1], less_mean, atol=0.0015), "less the one forest, not the mean.")
    expect(near(got[:, 1], want[:, 1]), "difference: the mean of ten differences.")
    gaps = errors[:, :, 0] - errors[:, :, 1]
    plain = want[:, 1] / (gaps.std(axis=1, ddof=1) / np.sqrt(10))
    expect(
        not np.allclose(got[:, 2], plain, atol=0.05),
        "that takes the ten divisions for independent; they share rows: 1/10 + 1 under the root.",
    )
    expect(
        not np.allclose(got[:, 2], want[:, 2] * np.sqrt(10 / 9), atol=0.03),
        "the standard deviation of ten differences divides by nine: ddof=1.",
    )
    expect(
        np.allclose(got[:, 2], want[:, 2], atol=0.03),
        "corrected: the mean difference over s times the root of 1/10 + 1.",
    )
