"""Right and wrong answers to homework 3, "How sure is a number"."""

import numpy as np
import pandas as pd

# --- hw3-5 -----------------------------------------------------------------------------


def rows_by_name(groups, rng):
    names = np.unique(groups)
    drawn = rng.choice(names, size=len(names))
    return np.concatenate([np.flatnonzero(groups == name) for name in drawn])


def rows_by_count(groups, rng):
    names, codes = np.unique(groups, return_inverse=True)
    counts = np.bincount(rng.integers(len(names), size=len(names)), minlength=len(names))
    return np.repeat(np.arange(len(groups)), counts[codes])


def rows_in_a_loop(groups, rng):
    members = {}
    for row, name in enumerate(groups):
        members.setdefault(name, []).append(row)
    lists = list(members.values())
    rows = []
    for _ in lists:
        rows += lists[int(rng.random() * len(lists))]
    return np.array(rows)


def rows_without_groups(groups, rng):
    return rng.integers(len(groups), size=len(groups))


def rows_of_a_permutation(groups, rng):
    names = rng.permutation(np.unique(groups))
    return np.concatenate([np.flatnonzero(groups == name) for name in names])


def rows_once(groups, rng):
    names = np.unique(groups)
    return np.flatnonzero(np.isin(groups, rng.choice(names, size=len(names))))


def rows_of_big_groups(groups, rng):
    drawn = rng.choice(groups, size=len(np.unique(groups)))
    return np.concatenate([np.flatnonzero(groups == name) for name in drawn])


def rows_of_too_many(groups, rng):
    drawn = rng.choice(np.unique(groups), size=len(groups))
    return np.concatenate([np.flatnonzero(groups == name) for name in drawn])


def rows_of_one_seed(groups, rng):
    return rows_by_name(groups, np.random.default_rng(0))


OWN = np.random.default_rng(8)


def rows_of_own_generator(groups, rng):
    return rows_by_name(groups, OWN)


def rows_as_names(groups, rng):
    return rng.choice(groups, size=len(groups))


# --- hw3-6 -----------------------------------------------------------------------------


def describe_numpy(estimate, replicates, level):
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return np.mean(replicates) - estimate, np.std(replicates, ddof=1), low, high


def describe_pandas(estimate, replicates, level):
    R = pd.Series(replicates)
    out = (1 - level) / 2
    return [R.mean() - estimate, R.std(), R.quantile(out), R.quantile(1 - out)]


def describe_sign(estimate, replicates, level):
    bias, *rest = describe_numpy(estimate, replicates, level)
    return -bias, *rest


def describe_mean(estimate, replicates, level):
    return describe_numpy(0.0, replicates, level)


def describe_divisor(estimate, replicates, level):
    bias, _, low, high = describe_numpy(estimate, replicates, level)
    return bias, np.std(replicates), low, high


def describe_root_of_B(estimate, replicates, level):
    bias, se, low, high = describe_numpy(estimate, replicates, level)
    return bias, se / np.sqrt(len(replicates)), low, high


def describe_around_estimate(estimate, replicates, level):
    bias, _, low, high = describe_numpy(estimate, replicates, level)
    return bias, np.sqrt(np.sum((replicates - estimate) ** 2) / (len(replicates) - 1)), low, high


def describe_always_95(estimate, replicates, level):
    return describe_numpy(estimate, replicates, 0.95)


def describe_one_sided(estimate, replicates, level):
    bias, se, _, _ = describe_numpy(estimate, replicates, level)
    return bias, se, *np.quantile(replicates, [1 - level, level])


def describe_normal(estimate, replicates, level):
    bias, se, _, _ = describe_numpy(estimate, replicates, level)
    return bias, se, estimate - 1.96 * se, estimate + 1.96 * se


# --- hw3-7 -----------------------------------------------------------------------------


def tables(fit, X, y, groups, B, rng, draw=rows_by_name):
    """Losses (B, n), who is out (B, n), and the apparent error."""
    losses, out = [], []
    for _ in range(B):
        rows = draw(groups, rng)
        losses.append(fit(X[rows], y[rows])(X) != y)
        out.append(~np.isin(np.arange(len(y)), rows))
    return np.array(losses), np.array(out), np.mean(fit(X, y)(X) != y)


def mix(apparent, loo):
    return apparent, loo, 0.368 * apparent + 0.632 * loo


def estimates_arrays(fit, X, y, groups, B, rng):
    losses, out, apparent = tables(fit, X, y, groups, B, rng)
    judged = out.any(axis=0)
    each = (losses * out).sum(axis=0)[judged] / out.sum(axis=0)[judged]
    return mix(apparent, each.mean())


def estimates_lists(fit, X, y, groups, B, rng):
    full = fit(X, y)
    heard = [[] for _ in y]
    for _ in range(B):
        rows = rows_by_count(groups, rng)
        predict = fit(X[rows], y[rows])
        for i in sorted(set(range(len(y))) - set(rows.tolist())):
            heard[i].append(predict(X[[i]])[0] != y[i])
    apparent, loo = np.mean(full(X) != y), np.mean([np.mean(h) for h in heard if h])
    return np.array([apparent, loo, apparent * np.exp(-1) + loo * (1 - np.exp(-1))])


def estimates_naive(fit, X, y, groups, B, rng):
    losses, _, apparent = tables(fit, X, y, groups, B, rng)
    return mix(apparent, losses.mean())


def estimates_pooled(fit, X, y, groups, B, rng):
    losses, out, apparent = tables(fit, X, y, groups, B, rng)
    return mix(apparent, losses[out].mean())


def estimates_unjudged_right(fit, X, y, groups, B, rng):
    losses, out, apparent = tables(fit, X, y, groups, B, rng)
    return mix(apparent, np.mean((losses * out).sum(axis=0) / np.maximum(out.sum(axis=0), 1)))


def estimates_divided_by_zero(fit, X, y, groups, B, rng):
    losses, out, apparent = tables(fit, X, y, groups, B, rng)
    return mix(apparent, np.mean((losses * out).sum(axis=0) / out.sum(axis=0)))


def estimates_by_row(fit, X, y, groups, B, rng):
    return estimates_arrays(fit, X, y, np.arange(len(y)), B, rng)


def estimates_voted(fit, X, y, groups, B, rng):
    losses, out, apparent = tables(fit, X, y, groups, B, rng)
    judged = out.any(axis=0)
    wrong = (losses * out).sum(axis=0)[judged] > out.sum(axis=0)[judged] / 2
    return mix(apparent, wrong.mean())


def estimates_over_groups(fit, X, y, groups, B, rng):
    losses, out, apparent = tables(fit, X, y, groups, B, rng)
    each = pd.Series((losses * out).sum(axis=0) / np.maximum(out.sum(axis=0), 1))
    judged = out.any(axis=0)
    return mix(apparent, each[judged].groupby(groups[judged]).mean().mean())


def estimates_exchanged(fit, X, y, groups, B, rng):
    apparent, loo, _ = estimates_arrays(fit, X, y, groups, B, rng)
    return apparent, loo, 0.632 * apparent + 0.368 * loo


def estimates_last_model(fit, X, y, groups, B, rng):
    for _ in range(B):
        rows = rows_by_name(groups, rng)
        predict = fit(X[rows], y[rows])
    return mix(np.mean(predict(X) != y), 0.5)


# --- hw3-8 and hw3-9 -------------------------------------------------------------------

SPREAD = [[0.613, -4.88, -2.53], [1.443, -6.53, -0.93]]
LIMIT = [[0.609, -4.906, -2.529], [1.465, -6.636, -0.907]]  # over many seeds
LOW = [[0.64, -5.05, -2.66], [1.55, -6.98, -1.16]]
HIGH = [[0.58, -4.76, -2.40], [1.38, -6.29, -0.65]]
LOO = [[0.149, 0.259], [0.071, 0.258]]


CORRECT = {
    "hw3-1": [(2, 2, 9, 4, 4, 4, 9, 6), np.array([2.0, 2, 9, 4, 4, 4, 9, 6])],
    "hw3-2": [(4, 1, 6.75, 11.75, 5), [4.0, 1.0, 54 / 8, 47 / 4, 5.0]],
    "hw3-3": [(0, 0.1531, 0.1001), (0.0, np.sqrt(3 / 128), (3 / 4) ** 8)],
    "hw3-4": [(0.4, 0.3141, 0.5, 0.3653), [2 / 5, 0.3142, 18 / 36, 0.3653]],
    "hw3-5": [rows_by_name, rows_by_count, rows_in_a_loop],
    "hw3-6": [describe_numpy, describe_pandas],
    "hw3-7": [estimates_arrays, estimates_lists],
    "hw3-8": [SPREAD, LIMIT, LOW, HIGH, pd.DataFrame(SPREAD, index=["recordings", "persons"])],
    "hw3-9": [LOO, pd.DataFrame(LOO, index=["tree", "neighbor"])],
}

WRONG = {
    "hw3-1": [
        ((4, 4, 8, 8, 4, 4, 8, 8), "two leaves for three weeks"),
        ((7, 11, 4, 13, 7, 11, 6, 13), "joins the two that are close"),
        ((2, 2, 4, 4, 4, 4, 6, 6), "cut after week 2 every time"),
        ((7, 11, 9, 13, 7, 11, 9, 13), "cut after week 1 every time"),
        (np.array([14, 22, 18, 26, 18, 26, 22, 30]) / 3, "the mean of all three"),
        ((2, 2, 9, 4, 4, 4, 6, 6), "training set 7"),
    ],
    "hw3-2": [
        ((2, 1, 6.75, 9.75, 3), "mean square of that distance"),
        ((4, -1, 6.75, 9.75, 3), "asked for its square"),
        ((4, 7.75, 6.75, 18.5, 11.75), "average the predictions first"),
        ((4, 1, 54 / 7, 89 / 7, 5), "divide by 8"),
        ((4, 1, 7.75, 12.75, 5), "from the mean prediction"),
        ((4, 1, 2.598, 7.598, 5), "a standard deviation"),
        ((4, 1, 6.75, 7.75, 1), "leave out the noise"),
        ((4, 1, 6.75, 11.75, 1), "meets a new harvest as well"),
        ((4, 1, 6.75, 11.75, 5.84375), "no variance left"),
    ],
    "hw3-3": [
        ((-0.25, 0.1531, 0.1001), "the share itself"),
        ((0, 0.4330, 0.1001), "one draw; a replicate is the mean"),
        ((0, 0.1637, 0.1001), "divide by n - 1"),
        ((0, 0.0234, 0.1001), "is its root"),
        ((0, 0.1531, 0.75), "the chance of one draw"),
        ((0, 0.1531, 0.3436), "both must be missed"),
        ((0, 0.1531, 0.1780), "eight, not six"),
        ((0, 0.1531, 0.1181), "not independent"),
    ],
    "hw3-4": [
        ((0.2083, 0.1930, 0.5, 0.2), "the naive estimate"),
        ((0.4286, 0.3322, 0.5, 0.39), "pooled"),
        ((0.3333, 0.2720, 0.5, 0.29), "nobody judges it"),
        ((0.4, 0.2525, 0.5, 0.3653), "the weights are exchanged"),
        ((0.4, 0.368 * 0.4 + 0.632 / 6, 0.5, 0.3653), "the weights are exchanged"),
        ((0.4, 0.2528, 0.5, 0.3653), "add 0.368 of the apparent error"),
        ((0.4, 0.253, 0.5, 0.3653), "add 0.368 of the apparent error"),
        ((0.4, 0.3141, 0.3333, 0.4), "always saying 0"),
        ((0.4, 0.3141, 0.1667, 0.4), "the prediction of every case"),
        ((0.4, 0.3141, 0.5, 0.3756), "start from the apparent error"),
        ((0.4, 0.3141, 0.5, 0.33), "not the weight itself"),
    ],
    "hw3-5": [
        (rows_without_groups, "draw groups, and take all rows"),
        (rows_of_a_permutation, "with replacement"),
        (rows_once, "brings its rows twice"),
        (rows_of_big_groups, "whatever its size"),
        (rows_of_too_many, "3 draws of a group"),
        (rows_of_one_seed, "without a seed of your own"),
        (rows_of_own_generator, "equal generators"),
        (rows_as_names, "row numbers"),
    ],
    "hw3-6": [
        (describe_sign, "the sign"),
        (describe_mean, "less the estimate"),
        (describe_divisor, "B - 1"),
        (describe_root_of_B, "root of B"),
        (describe_around_estimate, "around the mean of the replicates"),
        (describe_always_95, "whatever the level"),
        (describe_one_sided, "0.25 below and 0.25 above"),
        (describe_normal, "made of quantiles"),
    ],
    "hw3-7": [
        (estimates_naive, "the naive estimate"),
        (estimates_pooled, "pooled"),
        (estimates_unjudged_right, "counts as right"),
        (estimates_divided_by_zero, "no judge"),
        (estimates_by_row, "draw whole groups"),
        (estimates_voted, "counts by itself"),
        (estimates_over_groups, "the mean over groups"),
        (estimates_exchanged, "the weights are exchanged"),
        (estimates_last_model, "once each"),
    ],
    "hw3-8": [
        ([SPREAD[0], [np.nan, np.nan, np.nan]], "holds no healthy person"),
        ([SPREAD[0], SPREAD[0]], "draws whole persons"),
        (SPREAD[::-1], "the rows are exchanged"),
        ([[0.613, -2.53, -4.88], [1.443, -0.93, -6.53]], "low end, high end"),
        ([[0.613, 2.53, 4.88], [1.443, 0.93, 6.53]], "ill less healthy"),
        ([[0.0194, -4.88, -2.53], [0.0456, -6.53, -0.93]], "root of B"),
        ([[0.613, -4.72, -2.70], [1.443, -6.04, -1.36]], "persons is"),
    ],
    "hw3-9": [
        ([[0.0, 0.0], [0.0, 0.0]], "the apparent error"),
        (np.transpose(LOO), "a row is a learner"),
        (np.fliplr(LOO), "the columns are exchanged"),
        (LOO[::-1], "the rows are exchanged"),
        (0.632 * np.array(LOO), ".632 estimates"),
        ([[0.149, 0.149], [0.071, 0.071]], "pass the persons as groups"),
    ],
}
