"""Right answers and typical mistakes for the coded exercises of the chapter on impurity."""

import numpy as np
import pandas as pd

from treelab.fast.growing import split_table
from treelab.fast.impurity import gini, impurity_table, information_gain, split_impurity


def answer_loop(S, cost):
    best, least = None, None
    for a in range(len(S)):
        mean = sum(S[k] * cost[k][a] for k in range(len(S))) / sum(S)
        if least is None or mean < least - 1e-12:
            best, least = a, mean
    return best, least


def answer_array(S, cost):
    costs = np.array(S) @ np.array(cost) / sum(S)
    return np.array([costs.argmin(), costs.min()])


def answer_turned(S, cost):
    return answer_loop(S, np.transpose(cost).tolist())


def answer_in_total(S, cost):
    answer, mean = answer_loop(S, cost)
    return answer, mean * sum(S)


def answer_of_the_majority(S, cost):
    answer = S.index(max(S))
    return answer, sum(S[k] * cost[k][answer] for k in range(len(S))) / sum(S)


def answer_by_last(S, cost):
    costs = (np.array(S) @ np.array(cost) / sum(S)).tolist()
    return max(a for a in range(len(S)) if costs[a] < min(costs) + 1e-12), min(costs)


def answer_from_one(S, cost):
    answer, mean = answer_loop(S, cost)
    return answer + 1, mean


def mean_cost_alone(S, cost):
    return answer_loop(S, cost)[1]


def threshold_table(x, y):
    table = split_table(np.asarray(x)[:, None], y)
    best = table[table["best"]].iloc[0]
    return best["threshold"], best["gain"]


def cut_search(x, y, place=lambda a, b: (a + b) / 2, total=False, equals=False, last=False):
    """Every threshold in turn; the options are the mistakes."""
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


def impurity_of_purity(x, y):
    """The sum of the squared proportions instead of the Gini impurity."""
    Q = lambda S: np.sum((S / S.sum(axis=-1, keepdims=True)) ** 2, axis=-1)  # noqa: E731
    best, record = None, -np.inf
    for a, b in zip(np.unique(x), np.unique(x)[1:]):
        rows = x <= (a + b) / 2
        sides = np.array([[(y[r] == c).sum() for c in np.unique(y)] for r in (rows, ~rows)])
        gain = Q(sides.sum(axis=0)) - (sides.sum(axis=1) / len(x) * Q(sides)).sum()
        if gain > record + 1e-12:
            best, record = (a + b) / 2, gain
    return best, record


def feature_gains(X, y, w, criterion):
    tables = {c: pd.crosstab(X[c].to_numpy(), np.asarray(y), w, aggfunc="sum").fillna(0) for c in X}
    return {c: float(information_gain(table, criterion)) for c, table in tables.items()}


def blind_loop(X, y, w):
    by_gini = feature_gains(X, y, w, "gini")
    by_error = feature_gains(X, y, w, "misclassification")
    return [c for c in X if by_gini[c] > 1e-12 and abs(by_error[c]) < 1e-12]


def blind_frame(X, y, w):
    gains = pd.DataFrame({
        c: impurity_table(X, y, c, sample_weight=w).groupby("feature", sort=False)["gain"].first()
        for c in ("gini", "misclassification")
    })  # fmt: skip
    return gains.index[(gains["gini"] > 1e-9) & (gains["misclassification"] < 1e-9)]


def blind_exact_zero(X, y, w):
    by_gini = feature_gains(X, y, w, "gini")
    by_error = feature_gains(X, y, w, "misclassification")
    return [c for c in X if by_gini[c] > 1e-12 and by_error[c] == 0.0]


def blind_without_weights(X, y, w):
    return blind_loop(X, y, np.ones(len(y)))


def blind_with_useless(X, y, w):
    gains = feature_gains(X, y, w, "misclassification")
    return [c for c, gain in gains.items() if gain < 1e-12]


def blind_reversed(X, y, w):
    gains = feature_gains(X, y, w, "misclassification")
    return [c for c, gain in gains.items() if gain > 1e-12]


def blind_positions(X, y, w):
    return [list(X).index(c) for c in blind_loop(X, y, w)]


CORRECT = {
    "impurity-2": [answer_loop, answer_array],
    "impurity-3": [threshold_table, threshold_loop],
    "impurity-4": [blind_loop, blind_frame],
}
WRONG = {
    "impurity-2": [
        (answer_turned, "the other way round"),
        (answer_in_total, "divide by their number"),
        (answer_of_the_majority, "the class with the most observations"),
        (answer_by_last, "take the first"),
        (answer_from_one, "from 0 on"),
        (mean_cost_alone, "return two numbers"),
    ],
    "impurity-3": [
        (half_difference, "half their difference"),
        (on_a_value, "not on one of them"),
        (threshold_total, "total gain"),
        (threshold_of_equals, "weigh the two sides"),
        (impurity_of_purity, "no gain is negative"),
        (last_of_ties, "smallest threshold"),
        (middle_of_the_range, "distinct values"),
    ],
    "impurity-4": [
        (blind_exact_zero, "seldom exactly 0"),
        (blind_without_weights, "when all rows weigh the same"),
        (blind_with_useless, "nothing is to be seen"),
        (blind_reversed, "by the error rate"),
        (blind_positions, "names of columns"),
    ],
}
