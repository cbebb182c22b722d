"""Right and wrong answers to homework 3, "How sure is a number"."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pandas as pd

# --- Part A with any number --------------------------------------------------------------


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def by_hand(given):
    """Right answers and typical mistakes for the tables of a number."""
    springs, at_2 = by_hand_springs(given["weeks"].tolist())
    colonies = list(zip(given["score"].tolist(), given["swarmed"].tolist()))
    return {
        "hw3-1": by_hand_colonies(colonies, *given["costs"]),
        "hw3-2": springs,
        "hw3-3": at_2,
        "hw3-4": by_hand_sown(*given["sown"]),
        "hw3-5": by_hand_samples(*(given[k].tolist() for k in ("samples", "wrong")), given),
    }


def by_hand_colonies(colonies, false_alarm, missed):
    swarms = [score for score, swarmed in colonies if swarmed]
    others = [score for score, swarmed in colonies if not swarmed]
    assert (len(swarms), len(others)) == (4, 6)

    def errors(threshold):
        return sum(s >= threshold for s in others), sum(s < threshold for s in swarms)

    def costs(alarms, misses):
        return alarms * false_alarm + misses * missed

    alarms, misses = errors(0.5)
    found = 4 - misses
    precision, recall = found / (found + alarms), found / 4
    won = sum(s > t for s in swarms for t in others)
    assert sum(s == t for s in swarms for t in others) == 1
    area = (won + 0.5) / 24
    threshold = float(Fraction(false_alarm, false_alarm + missed))
    at = errors(threshold)
    cost = costs(*at)
    assert cost < costs(alarms, misses)
    right = (precision, recall, area, threshold, cost)
    return right, [
        ((recall, *right[1:]), "that is the recall"),
        ((1 - (alarms + misses) / 10, *right[1:]), "that is the accuracy"),
        ((precision, alarms / 6, *right[2:]), "the false positive rate"),
        ((precision, found / 10, *right[2:]), "only at those that swarm"),
        ((*right[:2], won / 24, threshold, cost), "this pair counts one half"),
        ((*right[:2], (won + 1) / 24, threshold, cost), "this pair counts one half"),
        ((*right[:2], 1 - area, threshold, cost), "that does not swarm has the higher"),
        ((*right[:2], (recall + 1 - alarms / 6) / 2, threshold, cost), "0.5 alone"),
        ((*right[:3], 1 - threshold, cost), "the costs are exchanged"),
        ((*right[:3], false_alarm / missed, cost), "the sum of the two costs"),
        ((*right[:4], costs(alarms, misses)), "the cost at the threshold 0.5"),
        ((*right[:4], costs(*at[::-1])), "the two errors are exchanged"),
        ((*right[:4], sum(at)), "multiply each by its cost"),
    ]


def by_hand_springs(weeks):
    springs = [(a, b, c) for a in weeks[0] for b in weeks[1] for c in weeks[2]]
    low = [mean(spring[:2]) for spring in springs]
    high = [mean(spring[1:]) for spring in springs]
    costs = [((b - a) ** 2, (c - b) ** 2) for a, b, c in springs]
    right = [r if left > after else k for k, r, (left, after) in zip(low, high, costs)]
    far = [k if left > after else r for k, r, (left, after) in zip(low, high, costs)]
    one_off = [*right[:6], low[6] if right[6] == high[6] else high[6], right[7]]
    f = mean(weeks[1])
    half = f - weeks[1][0]
    center = mean(right)
    bias = center - f
    spread = mean((p - center) ** 2 for p in right)
    loose = mean((p - f) ** 2 for p in right)
    noise, one, best = half**2, half**2 + bias**2 + spread, half**2 + bias**2
    found = (noise, bias**2, spread, one, best)
    return (
        right,
        [
            ([b for _, b, _ in springs], "two leaves for three weeks"),
            (far, "joins the two that are close"),
            (low, "split after week 2 every time"),
            (high, "split after week 1 every time"),
            (list(map(mean, springs)), "the mean of all three"),
            (one_off, "training set 7"),
        ],
    ), (
        found,
        [
            ((half, *found[1:]), "mean square of that distance"),
            ((noise, bias, *found[2:]), "asked for its square"),
            ((noise, loose, *found[2:]), "average the predictions first"),
            ((*found[:2], spread * 8 / 7, *found[3:]), "divide by 8"),
            ((*found[:2], loose, *found[3:]), "from the mean prediction"),
            ((*found[:2], sqrt(spread), *found[3:]), "a standard deviation"),
            ((*found[:3], one - noise, best), "leave out the noise"),
            ((*found[:4], best - noise), "compared with a new harvest"),
            ((*found[:4], best + spread / 8), "no variance left"),
        ],
    )


def by_hand_sown(n, bad):
    p = float(1 - Fraction(bad, n))
    se, chance = sqrt(p * (1 - p) / n), p**n
    return (0, se, chance), [
        ((p - 1, se, chance), "the proportion itself"),
        ((0, se * sqrt(n), chance), "one draw; a replicate is the mean"),
        ((0, se * sqrt(n / (n - 1)), chance), "divide by n - 1"),
        ((0, se**2, chance), "is its root"),
        ((0, se, p), "the probability of one draw"),
        ((0, se, ((n - 1) / n) ** n), "all of them must be missed"),
        ((0, se, p ** (n - bad)), f"{n}, not {n - bad}"),
        ((0, se, ((n - 1) / n) ** (n * bad)), "not independent"),
    ]


def by_hand_samples(samples, wrong, given):
    heard = {i: [] for i in range(1, 7)}
    for drawn, row in zip(samples, wrong):
        for i, loss in enumerate(row, 1):
            if i not in drawn:
                heard[i].append(loss)
    (never,) = [i for i, losses in heard.items() if not losses]
    means = [mean(losses) for i, losses in heard.items() if i != never]
    loo = mean(means)
    pairs = list(zip(given["target"].tolist(), given["prediction"].tolist()))
    apparent = mean(t != p for t, p in pairs)
    free = mean(t != p for t, _ in pairs for _, p in pairs)
    R = (loo - apparent) / (free - apparent)
    assert 0 < R < 1
    mixed = 0.368 * apparent + 0.632 * loo

    def plus(R, w=None):
        w = w or 0.632 / (1 - 0.368 * R)
        return (1 - w) * apparent + w * loo

    rest = (mixed, free, plus(R))
    larger = mean(t for t, _ in pairs)
    return (loo, *rest), [
        ((mean(map(mean, wrong)), *rest), "the naive estimate"),
        ((mean(sum(heard.values(), [])), *rest), "pooled"),
        ((sum(means) / 6, *rest), f"observation {never} is in every sample"),
        ((loo, 0.368 * loo + 0.632 * apparent, *rest[1:]), "the weights are exchanged"),
        ((loo, 0.632 * loo, *rest[1:]), "add 0.368 of the apparent error"),
        ((loo, mixed, min(larger, 1 - larger), rest[2]), "always predicting the larger class"),
        ((loo, mixed, apparent, rest[2]), "each target with every"),
        ((loo, mixed, free, plus(loo / free)), "start from the apparent error"),
        ((loo, mixed, free, plus(R, R)), "not the weight itself"),
    ]


# --- hw3-6 -----------------------------------------------------------------------------


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


# --- hw3-7 -----------------------------------------------------------------------------


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


# --- hw3-8 -----------------------------------------------------------------------------


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


# --- hw3-9 -------------------------------------------------------------------------------


def one_difference(values, ill):
    if not ill.any() or ill.all():
        return np.nan
    return values[ill == 1].mean() - values[ill == 0].mean()


def differences_loop(values, ill, groups, B, rng):
    found = []
    for _ in range(B):
        rows = rows_by_name(groups, rng)
        if 0 < ill[rows].sum() < len(rows):
            found.append(one_difference(values[rows], ill[rows]))
    return found


def differences_by_counts(values, ill, groups, B, rng):
    found = np.full(B, np.nan)
    for b in range(B):
        times = np.bincount(rows_by_count(groups, rng), minlength=len(groups))
        sick, well = times * (ill == 1), times * (ill == 0)
        if sick.any() and well.any():
            found[b] = values @ sick / sick.sum() - values @ well / well.sum()
    return found[~np.isnan(found)]


def differences_kept_nan(values, ill, groups, B, rng):
    samples = [rows_by_name(groups, rng) for _ in range(B)]
    return np.array([one_difference(values[rows], ill[rows]) for rows in samples])


def differences_zero(values, ill, groups, B, rng):
    return np.nan_to_num(differences_kept_nan(values, ill, groups, B, rng))


def differences_drawn_again(values, ill, groups, B, rng):
    found = []
    while len(found) < B:
        found += differences_loop(values, ill, groups, 1, rng)
    return np.array(found)


def differences_sign(values, ill, groups, B, rng):
    return -np.array(differences_loop(values, ill, groups, B, rng))


def differences_by_row(values, ill, groups, B, rng):
    if len(groups) == 8:
        return differences_loop(values, ill, groups, B, rng)
    return differences_loop(values, ill, np.arange(len(ill)), B, rng)


def differences_not_drawn(values, ill, groups, B, rng):
    return np.full(B, one_difference(values, ill))


def differences_always_1000(values, ill, groups, B, rng):
    return differences_loop(values, ill, groups, 1000, rng)


def differences_own_seed(values, ill, groups, B, rng):
    return differences_loop(values, ill, groups, B, np.random.default_rng(0))


def differences_shuffled(values, ill, groups, B, rng):
    return differences_loop(values, rng.permutation(ill), groups, B, rng)


# --- hw3-10 -------------------------------------------------------------------------------


def table_frame(methods, X, y, units, B, seed, which=1):
    columns = {}
    for unit, groups in units.items():
        columns[unit] = {
            name: estimates_arrays(fit, X, y, groups, B, np.random.default_rng(seed))[which]
            for name, fit in methods.items()
        }
    return pd.DataFrame(columns)


def table_loc(methods, X, y, units, B, seed):
    table = pd.DataFrame(index=list(methods), columns=list(units), dtype=float)
    for name in methods:
        for unit in units:
            rng = np.random.default_rng(seed)
            table.loc[name, unit] = estimates_lists(methods[name], X, y, units[unit], B, rng)[1]
    return table


def table_exchanged(*args):
    return table_frame(*args).T


def table_apparent(*args):
    return table_frame(*args, which=0)


def table_632(*args):
    return table_frame(*args, which=2)


def table_without_groups(methods, X, y, units, B, seed):
    return table_frame(methods, X, y, dict.fromkeys(units, np.arange(len(y))), B, seed)


def table_one_generator(methods, X, y, units, B, seed):
    rng, table = np.random.default_rng(seed), pd.DataFrame(index=list(methods))
    for unit, groups in units.items():
        table[unit] = [estimates_arrays(f, X, y, groups, B, rng)[1] for f in methods.values()]
    return table


def table_own_seed(methods, X, y, units, B, seed):
    return table_frame(methods, X, y, units, B, 0)


def table_own_B(methods, X, y, units, B, seed):
    return table_frame(methods, X, y, units, 12, seed)


def table_array(*args):
    return table_frame(*args).to_numpy()


def table_of_triples(methods, X, y, units, B, seed):
    columns = {u: pd.Series({name: (0.0, 0.5, 0.3) for name in methods}) for u in units}
    return pd.DataFrame(columns)


CORRECT = {
    "hw3-1": [(0.6, 0.75, 0.8542, 0.2, 8), np.array([3 / 5, 3 / 4, 41 / 48, 1 / 5, 8])],
    "hw3-2": [(2, 2, 9, 4, 4, 4, 9, 6), np.array([2.0, 2, 9, 4, 4, 4, 9, 6])],
    "hw3-3": [(4, 1, 6.75, 11.75, 5), [4.0, 1.0, 54 / 8, 47 / 4, 5.0]],
    "hw3-4": [(0, 0.1531, 0.1001), (0.0, np.sqrt(3 / 128), (3 / 4) ** 8)],
    "hw3-5": [(0.4, 0.3141, 0.5, 0.3653), [2 / 5, 0.3142, 18 / 36, 0.3653]],
    "hw3-6": [rows_by_name, rows_by_count, rows_in_a_loop],
    "hw3-7": [describe_numpy, describe_pandas],
    "hw3-8": [estimates_arrays, estimates_lists],
    "hw3-9": [differences_loop, differences_by_counts],
    "hw3-10": [table_frame, table_loc],
}

WRONG = {
    "hw3-1": [
        ((0.75, 0.75, 0.8542, 0.2, 8), "that is the recall"),
        ((0.7, 0.75, 0.8542, 0.2, 8), "that is the accuracy"),
        ((0.8, 0.75, 0.8542, 0.2, 8), "3 of these swarm"),
        ((0.6, 0.3333, 0.8542, 0.2, 8), "the false positive rate"),
        ((0.6, 0.3, 0.8542, 0.2, 8), "only at those that swarm"),
        ((0.6, 0.75, 20 / 24, 0.2, 8), "this pair counts one half"),
        ((0.6, 0.75, 21 / 24, 0.2, 8), "this pair counts one half"),
        ((0.6, 0.75, 0.1458, 0.2, 8), "that does not swarm has the higher"),
        ((0.6, 0.75, 17 / 24, 0.2, 8), "0.5 alone"),
        ((0.6, 0.75, 0.8542, 0.8, 8), "the costs are exchanged"),
        ((0.6, 0.75, 0.8542, 0.25, 8), "the sum of the two costs"),
        ((0.6, 0.75, 0.8542, 0.2, 12), "the cost at the threshold 0.5"),
        ((0.6, 0.75, 0.8542, 0.2, 32), "the two errors are exchanged"),
        ((0.6, 0.75, 0.8542, 0.2, 4), "multiply each by its cost"),
    ],
    "hw3-2": [
        ((4, 4, 8, 8, 4, 4, 8, 8), "two leaves for three weeks"),
        ((7, 11, 4, 13, 7, 11, 6, 13), "joins the two that are close"),
        ((2, 2, 4, 4, 4, 4, 6, 6), "split after week 2 every time"),
        ((7, 11, 9, 13, 7, 11, 9, 13), "split after week 1 every time"),
        (np.array([14, 22, 18, 26, 18, 26, 22, 30]) / 3, "the mean of all three"),
        ((2, 2, 9, 4, 4, 4, 6, 6), "training set 7"),
    ],
    "hw3-3": [
        ((2, 1, 6.75, 9.75, 3), "mean square of that distance"),
        ((4, -1, 6.75, 9.75, 3), "asked for its square"),
        ((4, 7.75, 6.75, 18.5, 11.75), "average the predictions first"),
        ((4, 1, 54 / 7, 89 / 7, 5), "divide by 8"),
        ((4, 1, 7.75, 12.75, 5), "from the mean prediction"),
        ((4, 1, 2.598, 7.598, 5), "a standard deviation"),
        ((4, 1, 6.75, 7.75, 1), "leave out the noise"),
        ((4, 1, 6.75, 11.75, 1), "compared with a new harvest"),
        ((4, 1, 6.75, 11.75, 5.84375), "no variance left"),
    ],
    "hw3-4": [
        ((-0.25, 0.1531, 0.1001), "the proportion itself"),
        ((0, 0.4330, 0.1001), "one draw; a replicate is the mean"),
        ((0, 0.1637, 0.1001), "divide by n - 1"),
        ((0, 0.0234, 0.1001), "is its root"),
        ((0, 0.1531, 0.75), "the probability of one draw"),
        ((0, 0.1531, 0.3436), "all of them must be missed"),
        ((0, 0.1531, 0.1780), "8, not 6"),
        ((0, 0.1531, 0.1181), "not independent"),
    ],
    "hw3-5": [
        ((0.2083, 0.1930, 0.5, 0.2), "the naive estimate"),
        ((0.4286, 0.3322, 0.5, 0.39), "pooled"),
        ((0.3333, 0.2720, 0.5, 0.29), "never out of bag"),
        ((0.4, 0.2525, 0.5, 0.3653), "the weights are exchanged"),
        ((0.4, 0.368 * 0.4 + 0.632 / 6, 0.5, 0.3653), "the weights are exchanged"),
        ((0.4, 0.2528, 0.5, 0.3653), "add 0.368 of the apparent error"),
        ((0.4, 0.253, 0.5, 0.3653), "add 0.368 of the apparent error"),
        ((0.4, 0.3141, 0.3333, 0.4), "always predicting the larger class"),
        ((0.4, 0.3141, 0.1667, 0.4), "each target with every"),
        ((0.4, 0.3141, 0.5, 0.3756), "start from the apparent error"),
        ((0.4, 0.3141, 0.5, 0.33), "not the weight itself"),
    ],
    "hw3-6": [
        (rows_without_groups, "draw groups, and take all rows"),
        (rows_of_a_permutation, "with replacement"),
        (rows_once, "brings its rows twice"),
        (rows_of_big_groups, "whatever its size"),
        (rows_of_too_many, "3 draws of a group"),
        (rows_of_one_seed, "without a seed of your own"),
        (rows_of_own_generator, "equal generators"),
        (rows_as_names, "row indices"),
    ],
    "hw3-7": [
        (describe_sign, "the sign"),
        (describe_mean, "minus the estimate"),
        (describe_divisor, "B - 1"),
        (describe_root_of_B, "root of B"),
        (describe_around_estimate, "around the mean of the replicates"),
        (describe_always_95, "whatever the level"),
        (describe_one_sided, "0.25 below and 0.25 above"),
        (describe_normal, "consists of quantiles"),
    ],
    "hw3-8": [
        (estimates_naive, "the naive estimate"),
        (estimates_pooled, "pooled"),
        (estimates_unjudged_right, "counts as right"),
        (estimates_divided_by_zero, "never out of bag"),
        (estimates_by_row, "draw whole groups"),
        (estimates_voted, "counts by itself"),
        (estimates_over_groups, "the mean over groups"),
        (estimates_exchanged, "the weights are exchanged"),
        (estimates_last_model, "once each"),
    ],
    "hw3-9": [
        (differences_kept_nan, "has no healthy group"),
        (differences_zero, "has no difference"),
        (differences_drawn_again, "draw no others"),
        (differences_sign, "the sign"),
        (differences_by_row, "the spread of recordings"),
        (differences_not_drawn, "are the same"),
        (differences_always_1000, "where B is 300"),
        (differences_own_seed, "another generator"),
        (differences_shuffled, "each a group of its own"),
    ],
    "hw3-10": [
        (table_exchanged, "a row is a method"),
        (table_apparent, "apparent errors"),
        (table_632, ".632 estimates"),
        (table_without_groups, "pass the groups"),
        (table_one_generator, "a new generator"),
        (table_own_seed, "use the argument `seed`"),
        (table_own_B, "use the argument `B`"),
        (table_array, "a DataFrame"),
        (table_of_triples, "the second of the three"),
    ],
}
