"""Right and wrong answers to the coded exercises of "Growing a tree: CART"."""

from itertools import combinations

import numpy as np
import pandas as pd

from treelab import DecisionTreeRegressor
from treelab.growing import split_table

# --- growing-2: the best cut of one feature


def cut_by_sweep(x, y, w):
    order = np.argsort(x)
    x, y, w = x[order], y[order], w[order]
    W_left, L = np.cumsum(w)[:-1], np.cumsum(w * y)[:-1]
    d = L - W_left / w.sum() * np.sum(w * y)
    gain = np.where(x[1:] > x[:-1], d**2 * w.sum() / (W_left * (w.sum() - W_left)), -np.inf)
    k = np.argmax(gain)
    return (x[k] + x[k + 1]) / 2, gain[k]


def cut_by_definition(x, y, w, cut_at=lambda a, b: (a + b) / 2):
    def error(side):
        return np.sum(w[side] * (y[side] - np.average(y[side], weights=w[side])) ** 2)

    values = np.unique(x)
    best = (None, -np.inf)
    for a, b in zip(values[:-1], values[1:], strict=True):
        gain = error(x < np.inf) - error(x <= a) - error(x > a)
        if gain > best[1] + 1e-9:
            best = (cut_at(a, b), gain)
    return best


def cut_half_difference(x, y, w):
    return cut_by_definition(x, y, w, lambda a, b: (b - a) / 2)


def cut_on_a_value(x, y, w):
    return cut_by_definition(x, y, w, lambda a, b: a)


def cut_without_weights(x, y, w):
    return cut_by_definition(x, y, np.ones(len(y)))


def cut_without_sorting(x, y, w):
    W_left, L = np.cumsum(w)[:-1], np.cumsum(w * y)[:-1]
    d = L - W_left / w.sum() * np.sum(w * y)
    k = np.argmax(np.where(x[1:] != x[:-1], d**2 / (W_left * (w.sum() - W_left)), -np.inf))
    return (x[k] + x[k + 1]) / 2, d[k] ** 2 * w.sum() / (W_left[k] * (w.sum() - W_left[k]))


def cut_gain_first(x, y, w):
    return cut_by_definition(x, y, w)[::-1]


def cut_gain_per_weight(x, y, w):
    s, gain = cut_by_sweep(x, y, w)
    return s, gain / w.sum()


def cut_error_left(x, y, w):
    s, gain = cut_by_sweep(x, y, w)
    return s, np.sum(w * (y - np.average(y, weights=w)) ** 2) - gain


# --- growing-3: the best group of levels


def levels_by_mean(level, y):
    in_order = sorted(set(level), key=lambda a: y[level == a].mean())
    splits = [in_order[:k] for k in range(1, len(in_order))]
    return set(max(splits, key=lambda s: gain_of(np.isin(level, s), y)))


def gain_of(left, y):
    return left.mean() * (1 - left.mean()) * (y[left].mean() - y[~left].mean()) ** 2


def levels_by_sums(level, y):
    names, code = np.unique(level, return_inverse=True)
    n, S = np.bincount(code), np.bincount(code, y)
    order = np.argsort(S / n)
    W_left, L = np.cumsum(n[order])[:-1], np.cumsum(S[order])[:-1]
    d = L - W_left / n.sum() * S.sum()
    k = np.argmax(d**2 / (W_left * (n.sum() - W_left)))
    return set(names[order[: k + 1]])


def levels_in_alphabetical_order(level, y):
    in_order = sorted(set(level))
    splits = [in_order[:k] for k in range(1, len(in_order))]
    best = max(splits, key=lambda s: gain_of(np.isin(level, s), y))
    left = np.isin(level, best)
    return set(best) if y[left].mean() < y[~left].mean() else set(in_order) - set(best)


def levels_one_against_the_rest(level, y):
    best = max(set(level), key=lambda a: gain_of(level == a, y))
    left = level == best
    return {best} if y[left].mean() < y[~left].mean() else set(level) - {best}


def levels_higher_side(level, y):
    return set(level) - levels_by_mean(level, y)


def levels_by_all_subsets(level, y):
    names = sorted(set(level))
    subsets = [group for k in range(1, len(names)) for group in combinations(names, k)]
    lower = [
        group
        for group in subsets
        if y[np.isin(level, group)].mean() < y[~np.isin(level, group)].mean()
    ]
    return set(max(lower, key=lambda group: gain_of(np.isin(level, group), y)))


def levels_by_bits(level, y):
    """All subsets from sums in lists, without a call of NumPy in the loop."""
    names = sorted(set(level))
    n = [int(np.sum(level == a)) for a in names]
    S = [float(np.sum(y[level == a])) for a in names]
    best, group = -1.0, None
    for code in range(1, 2 ** len(names) - 1):
        left = [k for k in range(len(names)) if code >> k & 1]
        n_left, L = sum([n[k] for k in left]), sum([S[k] for k in left])
        d = L - n_left / len(y) * sum(S)
        gain = d * d / (n_left * (len(y) - n_left))
        if d < 0 and gain > best:
            best, group = gain, {names[k] for k in left}
    return group


def levels_all(level, y):
    return set(level)


# --- growing-5: grow on one feature


def grown(x, y, min_samples_leaf=1, stop_at_zero=False, right=True, use_least=True):
    values = np.unique(x)
    best, s = -np.inf, None
    for cut in (values[:-1] + values[1:]) / 2:
        left = x <= cut
        if min(left.sum(), (~left).sum()) >= (min_samples_leaf if use_least else 1):
            gain = len(y) * gain_of(left, y)
            if gain > best + 1e-9 * len(y) * y.var():
                best, s = gain, cut
    if s is None or np.all(y == y[0]) or (stop_at_zero and best <= 1e-12):
        return []
    left = x <= s
    rest = (min_samples_leaf, stop_at_zero, right, use_least)
    above = grown(x[~left], y[~left], *rest) if right else []
    return [*grown(x[left], y[left], *rest), float(s), *above]


def grown_by_treelab(x, y, min_samples_leaf=1):
    model = DecisionTreeRegressor(min_samples_leaf=min_samples_leaf).fit(x[:, None], y)
    return np.sort(model.tree_.threshold[~model.tree_.is_leaf])


def grown_as_tuple(x, y, min_samples_leaf=1):
    return tuple(grown(x, y, min_samples_leaf))


def grown_without_zero_gain(x, y, min_samples_leaf=1):
    return grown(x, y, min_samples_leaf, stop_at_zero=True)


def grown_on_the_left_only(x, y, min_samples_leaf=1):
    return grown(x, y, min_samples_leaf, right=False)


def grown_without_least(x, y, min_samples_leaf=1):
    return grown(x, y, min_samples_leaf, use_least=False)


def grown_in_preorder(x, y, min_samples_leaf=1):
    model = DecisionTreeRegressor(min_samples_leaf=min_samples_leaf).fit(x[:, None], y)
    return model.tree_.threshold[~model.tree_.is_leaf].tolist()


# --- growing-6: the best gain of every column


def gains_by_group(X, y):
    table = split_table(X, y, criterion="gini")
    return table.groupby("feature")["gain"].max().sort_values(ascending=False)


def gains_column_by_column(X, y):
    best = {c: split_table(X[[c]], y)["gain"].max() for c in X.columns}
    return pd.Series(best).sort_values(ascending=False)


def gains_in_entropy(X, y):
    table = split_table(X, y, criterion="entropy")
    return table.groupby("feature")["gain"].max().sort_values(ascending=False)


def gains_on_average(X, y):
    return split_table(X, y).groupby("feature")["gain"].mean().sort_values(ascending=False)


def gains_smallest_first(X, y):
    return gains_by_group(X, y).sort_values()


def gains_as_remainders(X, y):
    return split_table(X, y).groupby("feature")["remainder"].min().sort_values()


CORRECT = {
    "growing-2": [cut_by_sweep, cut_by_definition],
    "growing-3": [levels_by_mean, levels_by_sums],
    "growing-5": [grown, grown_by_treelab, grown_as_tuple],
    "growing-6": [gains_by_group, gains_column_by_column],
}
WRONG = {
    "growing-2": [
        (cut_half_difference, "not (b - a) / 2"),
        (cut_on_a_value, "halfway between two values"),
        (cut_without_weights, "the cut without the weights"),
        (cut_without_sorting, "is x sorted"),
        (cut_gain_first, "the threshold comes first"),
        (cut_gain_per_weight, "you divided by the weight"),
        (cut_error_left, "not the drop"),
    ],
    "growing-3": [
        (levels_in_alphabetical_order, "order the levels by the mean"),
        (levels_one_against_the_rest, "there is a better split"),
        (levels_higher_side, "higher mean"),
        (levels_all, "neither side may be empty"),
        (levels_by_all_subsets, "131071 splits"),
        (levels_by_bits, "131071 splits"),
    ],
    "growing-5": [
        (grown_without_zero_gain, "gains nothing"),
        (grown_on_the_left_only, "both sides"),
        (grown_without_least, "fewer than min_samples_leaf"),
        (grown_in_preorder, "ascending order"),
    ],
    "growing-6": [
        (gains_in_entropy, "entropy"),
        (gains_on_average, "not the average"),
        (gains_smallest_first, "greatest gain first"),
        (gains_as_remainders, "remainder"),
    ],
}
