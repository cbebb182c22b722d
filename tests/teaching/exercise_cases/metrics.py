"""Right answers and typical mistakes for the coded exercises of the chapter on measures."""

from math import inf

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import confusion_matrix, roc_auc_score


def walk(y, scores, cost_fn, cost_fp):
    cost = best_cost = cost_fn * sum(y)
    best = inf
    for score in sorted(set(scores), reverse=True):
        for k, own in zip(y, scores):
            if own == score:
                cost += -cost_fn if k else cost_fp
        if cost < best_cost:
            best, best_cost = score, cost
    return best, best_cost


def search(y, scores, cost_fn, cost_fp, none=True, last=False, strict=False):
    """Every threshold in turn, by scikit-learn; the options are mistakes."""
    rows = []
    for t in [inf] * none + sorted(set(scores), reverse=True):
        predicted = np.asarray(scores) > t if strict else np.asarray(scores) >= t
        _, FP, FN, _ = confusion_matrix(y, predicted, labels=[0, 1]).ravel()
        rows.append((t, cost_fn * FN + cost_fp * FP))
    least = min(cost for _, cost in rows)
    return [row for row in rows if row[1] == least][-1 if last else 0]


def without_none(y, scores, cost_fn, cost_fp):
    return search(y, scores, cost_fn, cost_fp, none=False)


def last_of_the_cheapest(y, scores, cost_fn, cost_fp):
    return search(y, scores, cost_fn, cost_fp, last=True)


def above_the_threshold(y, scores, cost_fn, cost_fp):
    return search(y, scores, cost_fn, cost_fp, strict=True)


def exchanged(y, scores, cost_fn, cost_fp):
    return search(y, scores, cost_fp, cost_fn)


def mean_cost(y, scores, cost_fn, cost_fp):
    threshold, cost = search(y, scores, cost_fn, cost_fp)
    return threshold, cost / len(y)


def halfway(y, scores, cost_fn, cost_fp):
    threshold, cost = search(y, scores, cost_fn, cost_fp)
    below = [score for score in scores if score < threshold]
    return (threshold + max(below)) / 2 if below else threshold, cost


def by_scipy(y, scores):
    y, ranks = np.asarray(y), rankdata(scores)
    P, N = y.sum(), (1 - y).sum()
    return (ranks[y == 1].sum() - P * (P + 1) / 2) / (P * N)


def by_sklearn(y, scores):
    return roc_auc_score(y, scores)


def rank_sum_alone(y, scores):
    y = np.asarray(y)
    return rankdata(scores)[y == 1].sum() / (y.sum() * (1 - y).sum())


def from_the_top(y, scores):
    return by_scipy(y, -np.asarray(scores))


def without_ties(y, scores):
    y, ranks = np.asarray(y), rankdata(scores, method="ordinal")
    P, N = y.sum(), (1 - y).sum()
    return (ranks[y == 1].sum() - P * (P + 1) / 2) / (P * N)


def pairs_alone(y, scores):
    y = np.asarray(y)
    return by_scipy(y, scores) * y.sum() * (1 - y).sum()


def folds(y, scores, fold, cost_fn, cost_fp, choose="others", ddof=1, root=True, total=False):
    """The threshold chosen without each fold; the options are mistakes."""
    y, scores, fold = map(np.asarray, (y, scores, fold))
    means = []
    for name in np.unique(fold):
        test = fold == name
        rows = {"others": ~test, "own": test, "all": test | ~test}[choose]
        threshold, _ = search(y[rows], scores[rows], cost_fn, cost_fp)
        alarm = scores[test] >= threshold
        cost = cost_fn * (y[test] & ~alarm).sum() + cost_fp * (~y[test].astype(bool) & alarm).sum()
        means.append(cost if total else cost / test.sum())
    se = np.std(means, ddof=ddof) / (len(means) ** 0.5 if root else 1)
    return np.mean(means), se


def fold_by_fold(y, scores, fold, cost_fn, cost_fp):
    costs = []
    for name in dict.fromkeys(fold):
        train = [(k, s) for k, s, f in zip(y, scores, fold) if f != name]
        t, _ = walk([k for k, _ in train], [s for _, s in train], cost_fn, cost_fp)
        paid = [cost_fn * (s < t) if k else cost_fp * (s >= t)
                for k, s, f in zip(y, scores, fold) if f == name]  # fmt: skip
        costs.append(sum(paid) / len(paid))
    center, n = sum(costs) / len(costs), len(costs)
    return center, (sum((c - center) ** 2 for c in costs) / (n - 1) / n) ** 0.5


def chosen_on_all(*given):
    return folds(*given, choose="all")


def chosen_on_the_fold(*given):
    return folds(*given, choose="own")


def divided_by_folds(*given):
    return folds(*given, ddof=0)


def deviation_alone(*given):
    return folds(*given, root=False)


def totals(*given):
    return folds(*given, total=True)


CORRECT = {
    "metrics-3": [walk, search],
    "metrics-4": [by_scipy, by_sklearn],
    "metrics-5": [folds, fold_by_fold],
}
WRONG = {
    "metrics-3": [
        (without_none, "costs less than infinity"),
        (last_of_the_cheapest, "take the highest"),
        (above_the_threshold, "equal to the threshold"),
        (exchanged, "the two costs are exchanged"),
        (mean_cost, "return the total cost"),
        (halfway, "one of the scores"),
    ],
    "metrics-4": [
        (rank_sum_alone, "also outranks positive rows"),
        (from_the_top, "that of the lowest score"),
        (without_ties, "share the mean"),
        (pairs_alone, "this counts the pairs"),
    ],
    "metrics-5": [
        (chosen_on_all, "leave the fold out"),
        (chosen_on_the_fold, "on the fold that it is evaluated on"),
        (divided_by_folds, "divide by 2"),
        (deviation_alone, "standard deviation of the 3 means"),
        (totals, "divide by its number of rows"),
    ],
}
