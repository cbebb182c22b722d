"""Checkers of the assignment "Here and not there"."""

from functools import cache

import numpy as np

from treelab.checkers import checker, expect, judged
from treelab.fast.selection import response_bins

# --- by hand: the numbers of a student, and what is in form ------------------------------

CLUSTERS = """
51 87 151 461 575 618 676 724 885 1394 1822 1834 1899 2241 2307
2655 2864 3183 3308 3434 3806 4060 4152 4549 4619 5310 5346 5520 5528 5592
5877 6485 6711 7285 7289 7328 7363 7574 7772 7945 8160 8335 9013 9250 9401
9612 9786 10107 10366 10381 10626 10794 10817 10827 11059 11469 11970 11973 12376 13138
""".split()  # seeds for `clusters_of`: the rules of order differ
EXAMPLE = {
    "sizes": [60, 90, 120, 30],
    "importances": [
        [0.14, 0.23, 0.21, 0.16, 0.26],
        [0.08, 0.09, 0.36, 0.29, 0.18],
        [0.37, 0.19, 0.03, 0.23, 0.18],
        [0.0, 0.0, 0.0, 0.0, 0.0],
    ],
    "half": 4,
    "factor": 3,
    "inner": 1,
    "noise": 1,
    "bins": [[1, 3, 5], [9, 11, 13], [17, 19, 21]],
    "guessed": 0.5,
    "levels": [[0], [0, 1], [1, 0, 1, 1]],
    "as_large": 4,
    "larger": 1,
    "twelfths": [3, 4, 5, 6, 7],
    "times": [4, 6, 6, 5, 3],
    "features": 40,
    "small": 0.02,
}


@cache
def given(number):
    """What part A shows; for number 0 that of the key.

    Parameters
    ----------
    number : int
        That of the student or the group, at least 0.

    Returns
    -------
    dict
        The tables and numbers of hw10-1 to hw10-4, by name.
    """
    if number == 0:
        return EXAMPLE
    rng = np.random.default_rng([10, number])
    return {
        **clusters_of(rng.choice(CLUSTERS)),
        "half": int(rng.integers(2, 5)),
        "factor": int(rng.integers(2, 6)),
        "inner": float(rng.choice([1, 1.2, 1.5])),
        "noise": int(rng.choice([1, 2, 4])),
        "bins": bins_drawn(rng),
        "guessed": float(rng.choice([0.4, 0.5, 0.6, 0.7])),
        **null_of(rng),
    }


def clusters_of(seed):
    """Rows of four clusters, and importances; the fourth is silent."""
    rng = np.random.default_rng([10, int(seed)])
    sizes = [*(10 * rng.permutation(np.arange(4, 16))[:3]), 10 * rng.integers(2, 7)]
    found = [(3 + rng.multinomial(85, rng.dirichlet(np.full(5, 2.0)))) / 100 for _ in range(3)]
    return {
        "sizes": [int(n) for n in sizes],
        "importances": [*(row.tolist() for row in found), [0.0] * 5],
    }


def bins_drawn(rng):
    """Three or four bins of three targets, evenly apart within the bins, not between them."""
    step, start = int(rng.integers(1, 4)), int(rng.integers(1, 9))
    gaps = rng.integers(2 * step + 2, 2 * step + 9, size=int(rng.integers(2, 4)))
    middles = start + step + np.cumsum([0, *gaps])
    return [[int(m) - step, int(m), int(m) + step] for m in middles]


def null_of(rng):
    """Bins that choose a feature, what permutations gave, and two more numbers."""
    second = rng.permutation([0, 1]).tolist()
    third = rng.permutation([1] * int(rng.integers(2, 5)) + [0] * 2)[:4].tolist()
    m, low = int(rng.choice([19, 24, 29])), int(rng.integers(2, 4))
    times = 2 + rng.multinomial(m - 10, np.full(5, 0.2))
    as_large = int(rng.integers(3, 8))
    return {
        "levels": [[0], second, third],
        "as_large": as_large,
        "larger": int(rng.integers(0, as_large - 1)),
        "twelfths": [low + k for k in range(5)],
        "times": times.tolist(),
        "features": int(rng.choice([40, 60, 80, 100])),
        "small": float(rng.choice([0.01, 0.02, 0.025, 0.04])),
    }


def near(got, want, atol=0.0015):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and bool(np.all(abs(np.subtract(got, want)) <= atol))


def numbers_of(answer, n=5):
    """The answer as an array of n numbers."""
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (n,), "give five numbers.")
    expect(np.isfinite(got).all(), "each of the five is a number; nan and inf are none.")
    return got


def same_letters(answer):
    return "".join(map(str, answer)).strip().lower()


@checker("hw10-1")
def check_orders(answer):
    answer = list(answer)
    expect(len(answer) == 5, "give five things: a number and four orders.")
    got, orders = float(answer[0]), [same_letters(order) for order in answer[1:]]
    expect(np.isfinite(got), "the first is a number.")
    expect(all(sorted(order) == [*"abcde"] for order in orders), "each order has five letters.")
    judged("hw10-1", (got, *orders))


@checker("hw10-2")
def check_shares(answer):
    judged("hw10-2", numbers_of(answer))


@checker("hw10-3")
def check_errors(answer):
    judged("hw10-3", numbers_of(answer))


@checker("hw10-4")
def check_noise(answer):
    judged("hw10-4", numbers_of(answer))


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


@checker("hw10-5", plain=True)
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


@checker("hw10-6", plain=True)
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


@checker("hw10-7", plain=True)
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


def told_by_both(seed, n=10):
    """Errors such as those of the colleague and of `honest`."""
    rng = np.random.default_rng(seed)
    found = {}
    for who, error in (("colleague", 0.3), ("honest", 0.7)):
        errors = np.array([error, 0.5, 3.5]) + 0.05 * rng.normal(size=(n, 3))
        found[who] = errors + 0.05 * rng.normal(size=(n, 1))
    return found


NAMES = ["error", "difference", "corrected"]


def report_values(told):
    """The table of hw10-9."""
    table = []
    for errors in told.values():
        gap = errors[:, 0] - errors[:, 1]
        t = gap.mean() / (gap.std(ddof=1) * np.sqrt(1 / len(gap) + 1))
        table.append([errors[:, 0].mean(), gap.mean(), t])
    return np.array(table)


@checker("hw10-9")
def check_compared(compared):
    told = told_by_both(0)
    before = {who: errors.copy() for who, errors in told.items()}
    report = compared(told)
    same = all(np.array_equal(told[who], before[who]) for who in before)
    expect(same, "your function has changed its arguments; work on copies.")
    for name in NAMES:
        expect(name in report.columns, f"there is no column `{name}`: name the columns as asked.")
    for name in told:
        expect(name in report.index, f"there is no row `{name}`: a row for each name in `told`.")
    report = report.loc[[*told], NAMES]
    expect(np.shape(report) == (2, 3), "each row and each column once.")
    got, want = report.to_numpy(float), report_values(told)
    errors = np.array([*told.values()])
    expect(not np.allclose(got, want[::-1]), "the rows are exchanged.")
    one = errors[:, :, 1].mean(axis=1)
    expect(
        not np.allclose(got[:, 0], one), "that is the one forest; the error in bins stands first."
    )
    expect(not np.allclose(got[:, 0], errors[:, 0, 0]), "that is one division; take all of them.")
    for k, name in enumerate(report.index):
        expect(np.isclose(got[k, 0], want[k, 0]), f"{name}: the mean of the errors in bins.")
    expect(
        not np.allclose(got[:, 1], -want[:, 1]),
        "the error in bins less that of the one forest: below 0 where bins do better.",
    )
    less_mean = (errors[:, :, 0] - errors[:, :, 2]).mean(axis=1)
    expect(not np.allclose(got[:, 1], less_mean), "less the one forest, not the mean.")
    expect(np.allclose(got[:, 1], want[:, 1]), "difference: the mean of the differences.")
    gaps = errors[:, :, 0] - errors[:, :, 1]
    n = gaps.shape[1]
    plain = want[:, 1] / (gaps.std(axis=1, ddof=1) / np.sqrt(n))
    expect(
        not np.allclose(got[:, 2], plain),
        "that takes the divisions for independent; they share rows: 1/k + 1 under the root.",
    )
    expect(
        not np.allclose(got[:, 2], want[:, 2] * np.sqrt(n / (n - 1))),
        "the standard deviation of k differences divides by k - 1: ddof=1.",
    )
    expect(
        np.allclose(got[:, 2], want[:, 2]),
        "corrected: the mean difference over s times the root of 1/k + 1.",
    )
    told = told_by_both(1, 4)
    expect(
        np.allclose(compared(told).loc[[*told], NAMES].to_numpy(float), report_values(told)),
        "there may be another number of divisions.",
    )
