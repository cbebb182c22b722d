"""Right answers and typical mistakes for the coded exercises of the chapter on impurity."""

import numpy as np
import pandas as pd

from treelab.growing import split_table
from treelab.impurity import gini, impurity_table, information_gain, split_impurity


def gain_loop(table, impurity):
    W = table.sum()
    after = sum(b.sum() / W * impurity(b) for b in table if b.sum() > 0)
    return impurity(table.sum(axis=0)) - after


def gain_array(table, impurity):
    sizes = table.sum(axis=1)
    return float(impurity(table.sum(axis=0)) - np.average(impurity(table), weights=sizes))


def gain_of_equals(table, impurity):
    branches = table[table.sum(axis=1) > 0]
    return impurity(table.sum(axis=0)) - np.mean([impurity(b) for b in branches])


def gain_in_total(table, impurity):
    return table.sum() * gain_loop(table, impurity)


def gain_backwards(table, impurity):
    return -gain_loop(table, impurity)


def remainder_only(table, impurity):
    return impurity(table.sum(axis=0)) - gain_loop(table, impurity)


def threshold_table(x, y):
    table = split_table(np.asarray(x)[:, None], y)
    best = table[table["best"]].iloc[0]
    return best["threshold"], best["gain"]


def cut_search(x, y, place=lambda a, b: (a + b) / 2, total=False, equals=False, last=False):
    """Every cut in turn; the options are the mistakes."""
    classes, values = np.unique(y), np.unique(x)
    counts = lambda rows: np.array([(y[rows] == c).sum() for c in classes])  # noqa: E731
    best, record = None, -1.0
    for a, b in zip(values, values[1:]):
        sides = np.array([counts(x <= a), counts(x > a)])
        if equals:
            gain = gini(sides.sum(axis=0)) - gini(sides).mean()
        else:
            gain = gini(sides.sum(axis=0)) - split_impurity(sides, "gini")
        gain = gain * len(x) if total else gain
        if gain > record + (-1e-12 if last else 1e-12):
            best, record = place(a, b), gain
    return best, record


def threshold_loop(x, y):
    return cut_search(x, y)


def half_difference(x, y):
    return cut_search(x, y, place=lambda a, b: (b - a) / 2)


def on_a_value(x, y):
    return cut_search(x, y, place=lambda a, b: a)


def threshold_total(x, y):
    return cut_search(x, y, total=True)


def threshold_of_equals(x, y):
    return cut_search(x, y, equals=True)


def last_of_ties(x, y):
    return cut_search(x, y, last=True)


def middle_of_the_range(x, y):
    return (x.min() + x.max()) / 2, 0.0


def feature_gains(X, y, criterion):
    tables = {c: pd.crosstab(X[c].to_numpy(), np.asarray(y)).to_numpy() for c in X}
    return {c: float(information_gain(table, criterion)) for c, table in tables.items()}


def blind_loop(X, y):
    gini_gains, error_gains = feature_gains(X, y, "gini"), feature_gains(X, y, "misclassification")
    return [c for c in X if gini_gains[c] > 1e-12 and abs(error_gains[c]) < 1e-12]


def blind_frame(X, y):
    gains = pd.DataFrame({
        c: impurity_table(X, y, criterion=c).groupby("feature", sort=False)["gain"].first()
        for c in ("gini", "misclassification")
    })  # fmt: skip
    return gains.index[(gains["gini"] > 1e-9) & (gains["misclassification"] < 1e-9)]


def blind_exact_zero(X, y):
    gini_gains, error_gains = feature_gains(X, y, "gini"), feature_gains(X, y, "misclassification")
    return [c for c in X if gini_gains[c] > 1e-12 and error_gains[c] == 0.0]


def blind_with_useless(X, y):
    return [c for c, gain in feature_gains(X, y, "misclassification").items() if gain < 1e-12]


def blind_reversed(X, y):
    return [c for c, gain in feature_gains(X, y, "misclassification").items() if gain > 1e-12]


def blind_positions(X, y):
    return [list(X).index(c) for c in blind_loop(X, y)]


def scores(X, y):
    return impurity_table(X, y).groupby("feature", sort=False)[["gain", "gain_ratio"]].first()


def quinlan_frame(X, y):
    s = scores(X, y).dropna()
    return s[s["gain"] >= s["gain"].mean() - 1e-12]["gain_ratio"].idxmax()


def quinlan_loop(X, y):
    rows = [(c, g, r) for c, (g, r) in scores(X, y).iterrows() if not np.isnan(r)]
    mean = sum(g for _, g, _ in rows) / len(rows)
    best = None
    for row in rows:
        if row[1] >= mean - 1e-12 and (best is None or row[2] > best[2]):
            best = row
    return best[0]


def plain_ratio(X, y):
    return scores(X, y)["gain_ratio"].idxmax()


def plain_gain_choice(X, y):
    return scores(X, y)["gain"].idxmax()


def average_with_constants(X, y):
    s = scores(X, y)
    return s[s["gain"] >= s["gain"].mean() - 1e-12]["gain_ratio"].idxmax()


def constant_is_infinite(X, y):
    s = scores(X, y)
    mean = s["gain"][s["gain_ratio"].notna()].mean()
    ratio = s["gain_ratio"].fillna(np.inf)  # gain / 0
    return ratio[(s["gain"] >= mean - 1e-12) | np.isinf(ratio)].idxmax()


def first_column(X, y):
    return X.columns[0]


def both_names(X, y):
    return list(X.columns[:2])


CORRECT = {
    "impurity-3": [gain_loop, gain_array],
    "impurity-4": [threshold_table, threshold_loop],
    "impurity-5": [blind_loop, blind_frame],
    "impurity-6": [quinlan_frame, quinlan_loop],
}
WRONG = {
    "impurity-3": [
        (gain_of_equals, "by their weight"),
        (gain_in_total, "total gain"),
        (gain_backwards, "before less after"),
        (remainder_only, "that is the remainder"),
    ],
    "impurity-4": [
        (half_difference, "half their difference"),
        (on_a_value, "not on one of them"),
        (threshold_total, "total gain"),
        (threshold_of_equals, "weigh the two sides"),
        (last_of_ties, "smallest threshold"),
        (middle_of_the_range, "distinct values"),
    ],
    "impurity-5": [
        (blind_exact_zero, "seldom exactly 0"),
        (blind_with_useless, "nothing is to be seen"),
        (blind_reversed, "the error rate sees"),
        (blind_positions, "names of columns"),
    ],
    "impurity-6": [
        (plain_ratio, "below the average"),
        (plain_gain_choice, "the largest ratio wins"),
        (average_with_constants, "do not count in the average"),
        (constant_is_infinite, "has a single level"),
        (first_column, "below the average"),
        (both_names, "name of one column"),
    ],
}
