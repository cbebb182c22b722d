"""Right and wrong answers to homework 4, "A forest of your own"."""

from fractions import Fraction
from math import ceil, floor

import numpy as np
import pandas as pd
from checks_hw4 import tree_proba

# --- Part A with any number --------------------------------------------------------------


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def by_hand(given):
    """Right answers and typical mistakes for the tables of a number."""
    return {
        "hw4-1": by_hand_days(*(given[key].tolist() for key in ("sold", "samples", "predicted"))),
        "hw4-2": by_hand_probabilities(given["probabilities"]),
        "hw4-3": by_hand_forests(*given["forests"].values()),
    }


def by_hand_days(sold, samples, predicted):
    trees = [[k for k in range(3) if day not in samples[k]] for day in range(1, 7)]
    of_days = [mean(predicted[k][i] for k in own) if own else None for i, own in enumerate(trees)]
    squares = [(p - s) ** 2 for p, s in zip(of_days, sold) if p is not None]
    assert 4 <= len(squares) <= 5
    singles = [
        [(predicted[k][i] - sold[i]) ** 2 for k in own] for i, own in enumerate(trees) if own
    ]
    coverage, error = len(squares) / 6, mean(squares)
    together = mean((mean(row[i] for row in predicted) - sold[i]) ** 2 for i in range(6))
    alone = mean((row[i] - sold[i]) ** 2 for row in predicted for i in range(6))
    return (coverage, error, together), [
        ((sum(map(len, trees)) / 18, error, together), "pairs of a tree and a day"),
        ((1, error, together), "never out of bag"),
        ((coverage, sum(squares) / 6, together), "divide by 6"),
        ((coverage, mean(map(mean, singles)), together), "first take the mean"),
        ((coverage, mean(sum(singles, [])), together), "pooled"),
        ((coverage, together, together), "only by those that have not seen"),
        ((coverage, error, alone), "the single trees"),
        ((0.83 if len(squares) == 5 else 0.67, error, together), "give more digits"),
    ]


def by_hand_probabilities(proba):
    soft, votes = mean(proba), mean(a > 0.5 for a in proba)
    assert soft > 0.5 > votes
    of_trees, of_mean = mean((1 - a) ** 2 for a in proba), (1 - soft) ** 2
    right = (soft, of_trees, of_mean, 1 - votes, 1, 0)
    return right, [
        ((votes, *right[1:]), "the proportion of votes"),
        ((soft, of_trees - of_mean, *right[2:]), "the variance"),
        ((soft, mean(a**2 for a in proba), *right[2:]), "the true class is 1"),
        ((soft, of_mean, *right[2:]), "square first"),
        ((*right[:3], votes, 1, 0), "are right"),
        ((*right[:4], 1 - votes, 0), "is 0 or 1"),
        ((*right[:4], 0, 0), "class 0 wins"),
        ((*right[:4], 1, 1), "larger mean probability"),
    ]


def by_hand_forests(few, many, of_few, of_many, percent, rho_2, s2_2):
    of_few, of_many, rho_2 = (Fraction(str(round(v, 8))) for v in (of_few, of_many, rho_2))
    b = (of_few - of_many) / (Fraction(1, few) - Fraction(1, many))
    a = of_few - b / few
    rho, s2, p = a / (a + b), a + b, Fraction(percent, 100)
    enough = next(B for B in range(1, 10**5) if a + b / B <= (1 + p) * a)
    a_2, b_2 = rho_2 * s2_2, (1 - rho_2) * s2_2
    cross = next(B for B in range(1, 10**5) if a_2 + b_2 / B < a + b / B)
    level = (b_2 - b) / (a - a_2)
    assert floor(level) == cross - 1 < level
    rho, s2 = float(rho), int(s2)
    return (rho, s2, enough, cross), [
        ((float(a), s2, enough, cross), "the shared part"),
        ((float(a / b), s2, enough, cross), "the sum of the two"),
        ((1 - rho, s2, enough, cross), "averaging removes"),
        ((rho, float(b), enough, cross), "has both parts"),
        ((rho, s2, ceil(b / p), cross), f"not {float(p):g}"),
        ((rho, s2, enough - 1, cross), f"fewer than {enough}"),
        ((rho, s2, enough, float(level)), "is a whole number"),
        ((rho, s2, enough, cross - 1), f"with {cross - 1} trees"),
    ]


# --- hw4-4 -----------------------------------------------------------------------------


def best_split(x, y):
    """(gain, threshold) of the best split of one feature; (0.0, None) if no split has a gain."""
    order = np.argsort(x, kind="stable")
    x, hot = x[order], np.eye(y.max() + 1)[y[order]]
    n, left = np.arange(1, len(x)), hot.cumsum(axis=0)  # left: (n, classes)
    left, total = left[:-1], left[-1]
    kept = (left**2).sum(axis=1) / n + ((total - left) ** 2).sum(axis=1) / (len(x) - n)
    gain = np.where(x[1:] > x[:-1], kept - (total**2).sum() / len(x), 0.0) / len(x)
    if gain.max(initial=0.0) < 1e-12:
        return 0.0, None
    i = gain.argmax()
    return gain[i], (x[i] + x[i + 1]) / 2


def split_in_order(X, y, m, rng):
    best, answer = 0.0, (None, None)
    for k, j in enumerate(rng.permutation(X.shape[1])):
        if k >= m and answer[0] is not None:
            break
        gain, threshold = best_split(X[:, j], y)
        if gain > best:
            best, answer = gain, (j, threshold)
    return answer


def split_with_lists(X, y, m, rng):
    p = X.shape[1]
    order = [int(j) for j in np.argsort(rng.random(p))]
    splits = [(*best_split(X[:, j], y), j) for j in order]
    among = [split for split in splits[:m] if split[1] is not None]
    if among:
        _, threshold, j = max(among, key=lambda split: split[0])
        return [j, threshold]
    rest = [split for split in splits[m:] if split[1] is not None]
    return [rest[0][2], rest[0][1]] if rest else [None, None]


def best_of(X, y, features):
    """The best split among some features, the first of equals; (None, None) without any."""
    splits = [(*best_split(X[:, j], y), int(j)) for j in features]
    splits = [split for split in splits if split[1] is not None]
    if not splits:
        return None, None
    _, threshold, j = max(splits, key=lambda split: split[0])
    return j, threshold


def split_all_features(X, y, m, rng):
    return best_of(X, y, rng.permutation(X.shape[1]))


def split_first_drawn(X, y, m, rng):
    return split_in_order(X, y, 1, rng)


def split_with_replacement(X, y, m, rng):
    found = best_of(X, y, rng.integers(X.shape[1], size=m))
    return found if found[0] is not None else split_in_order(X, y, 1, rng)


def split_gives_up(X, y, m, rng):
    return best_of(X, y, rng.permutation(X.shape[1])[:m])


def split_then_all(X, y, m, rng):
    order = rng.permutation(X.shape[1])
    found = best_of(X, y, order[:m])
    return found if found[0] is not None else best_of(X, y, order)


def split_sorted(X, y, m, rng):
    order = rng.permutation(X.shape[1])
    found = best_of(X, y, sorted(order[:m]))
    return found if found[0] is not None else split_in_order(X, y, 1, rng)


def split_own_seed(X, y, m, rng):
    return split_in_order(X, y, m, np.random.default_rng(1))


OWN = np.random.default_rng(8)


def split_own_generator(X, y, m, rng):
    return split_in_order(X, y, m, OWN)


def split_worst(X, y, m, rng):
    splits = [(*best_split(X[:, j], y), int(j)) for j in rng.permutation(X.shape[1])[:m]]
    return min(splits)[2], min(splits)[1]


def split_gain_first(X, y, m, rng):
    j, threshold = split_in_order(X, y, m, rng)
    return threshold, j


# --- hw4-5 -----------------------------------------------------------------------------


def grow(X, y, n_classes, split):
    proba = np.bincount(y, minlength=n_classes) / len(y)
    j, s = (None, None) if proba.max() == 1 else split(X, y)
    if j is None:
        return proba
    left = X[:, j] <= s
    low = grow(X[left], y[left], n_classes, split)
    return j, s, low, grow(X[~left], y[~left], n_classes, split)


def one_tree(X, y, n_classes, m, rng):
    return grow(X, y, n_classes, lambda A, a: split_in_order(A, a, m, rng))


def forest_loop(X, y, n_classes, m, B, rng):
    forest = []
    for _ in range(B):
        rows = rng.integers(len(y), size=len(y))
        forest.append((one_tree(X[rows], y[rows], n_classes, m, rng), rows))
    return forest


def forest_samples_first(X, y, n_classes, m, B, rng):
    samples = rng.choice(len(y), size=(B, len(y)))
    return [[one_tree(X[rows], y[rows], n_classes, m, rng), list(rows)] for rows in samples]


def forest_too_short(X, y, n_classes, m, B, rng):
    return forest_loop(X, y, n_classes, m, B - 1, rng)


def forest_of_permutations(X, y, n_classes, m, B, rng):
    samples = [rng.permutation(len(y)) for _ in range(B)]
    return [(one_tree(X[rows], y[rows], n_classes, m, rng), rows) for rows in samples]


def forest_one_sample(X, y, n_classes, m, B, rng):
    rows = rng.integers(len(y), size=len(y))
    return [(one_tree(X[rows], y[rows], n_classes, m, rng), rows) for _ in range(B)]


def forest_on_all_rows(X, y, n_classes, m, B, rng):
    samples = rng.integers(len(y), size=(B, len(y)))
    return [(one_tree(X, y, n_classes, m, rng), rows) for rows in samples]


def forest_other_rows(X, y, n_classes, m, B, rng):
    forest = forest_loop(X, y, n_classes, m, B, rng)
    return [(tree, rng.integers(len(y), size=len(y))) for tree, _ in forest]


def forest_counts_classes(X, y, n_classes, m, B, rng):
    return forest_loop(X, y, y.max() + 1, m, B, rng)


def forest_once_per_tree(X, y, n_classes, m, B, rng):
    forest = []
    for _ in range(B):
        rows, few = rng.integers(len(y), size=len(y)), rng.permutation(X.shape[1])[:m]
        split = lambda A, a, few=few: best_of(A, a, few)  # noqa: E731
        forest.append((grow(X[rows], y[rows], n_classes, split), rows))
    return forest


def forest_forgets_m(X, y, n_classes, m, B, rng):
    return forest_loop(X, y, n_classes, X.shape[1], B, rng)


def forest_own_seed(X, y, n_classes, m, B, rng):
    return forest_loop(X, y, n_classes, m, B, np.random.default_rng(0))


def forest_rows_first(X, y, n_classes, m, B, rng):
    return [(rows, tree) for tree, rows in forest_loop(X, y, n_classes, m, B, rng)]


def forest_own_generator(X, y, n_classes, m, B, rng):
    return forest_loop(X, y, n_classes, m, B, OWN)


def forest_own_candidates(X, y, n_classes, m, B, rng):
    samples = rng.integers(len(y), size=(B, len(y)))
    return [(one_tree(X[rows], y[rows], n_classes, m, OWN), rows) for rows in samples]


# --- hw4-6 -----------------------------------------------------------------------------


def path_arrays(forest, X, y, n_classes):
    sums, trees = np.zeros((len(y), n_classes)), np.zeros(len(y))
    errors, coverages = [], []
    for tree, rows in forest:
        out = np.setdiff1d(np.arange(len(y)), rows)
        sums[out] += tree_proba(tree, X[out])
        trees[out] += 1
        covered = trees > 0
        errors.append(np.mean(sums[covered].argmax(axis=1) != y[covered]))
        coverages.append(np.mean(covered))
    return np.array(errors), np.array(coverages)


def path_row_by_row(forest, X, y, n_classes):
    errors, coverages = [], []
    for B in range(1, len(forest) + 1):
        wrong = []
        for i in range(len(y)):
            votes = [tree_proba(t, X[i : i + 1])[0] for t, r in forest[:B] if i not in set(r)]
            if votes:
                wrong.append(int(sum(votes).argmax()) != y[i])
        errors.append(sum(wrong) / len(wrong))
        coverages.append(len(wrong) / len(y))
    return errors, coverages


def pieces(forest, X, n):
    """Probabilities (B, n, K) and out-of-bag rows (B, n)."""
    each = np.array([tree_proba(tree, X) for tree, _ in forest])
    return each, np.array([~np.isin(np.arange(n), rows) for _, rows in forest])


def path_everybody(forest, X, y, n_classes):
    each, _ = pieces(forest, X, len(y))
    errors = [np.mean(s.argmax(axis=1) != y) for s in each.cumsum(axis=0)]
    return errors, path_arrays(forest, X, y, n_classes)[1]


def path_everybody_counts(forest, X, y, n_classes):
    return path_everybody(forest, X, y, n_classes)[0], np.ones(len(forest))


def path_divided_by_all(forest, X, y, n_classes):
    errors, coverages = path_arrays(forest, X, y, n_classes)
    return errors * coverages, coverages


def path_first_class(forest, X, y, n_classes):
    each, out = pieces(forest, X, len(y))
    sums = (each * out[:, :, None]).cumsum(axis=0)
    errors = [np.mean(s.argmax(axis=1) != y) for s in sums]
    return errors, path_arrays(forest, X, y, n_classes)[1]


def path_tree_by_tree(forest, X, y, n_classes):
    each, out = pieces(forest, X, len(y))
    errors = [np.mean((s.argmax(axis=1) != y)[o]) for s, o in zip(each, out)]
    return np.cumsum(errors) / np.arange(1, len(forest) + 1), path_arrays(forest, X, y, n_classes)[
        1
    ]


def path_hard(forest, X, y, n_classes):
    each, out = pieces(forest, X, len(y))
    votes = (np.eye(n_classes)[each.argmax(axis=2)] * out[:, :, None]).cumsum(axis=0)
    seen = out.cumsum(axis=0) > 0
    errors = [np.mean((v.argmax(axis=1) != y)[c]) for v, c in zip(votes, seen)]
    return errors, seen.mean(axis=1)


def path_last(forest, X, y, n_classes):
    errors, coverages = path_arrays(forest, X, y, n_classes)
    return errors[-1], coverages[-1]


def path_coverage_of_each(forest, X, y, n_classes):
    return path_arrays(forest, X, y, n_classes)[0], pieces(forest, X, len(y))[1].mean(axis=1)


# --- hw4-7 -------------------------------------------------------------------------------


def new_by_sums(forest, X, y):
    sums = np.cumsum([tree_proba(tree, X) for tree, _ in forest], axis=0)
    return np.mean(sums.argmax(axis=2) != y, axis=1)


def new_row_by_row(forest, X, y):
    errors = []
    for B in range(1, len(forest) + 1):
        predicted = [sum(tree_proba(t, row[None])[0] for t, _ in forest[:B]).argmax() for row in X]
        errors.append(mean(int(a != b) for a, b in zip(predicted, y)))
    return errors


def new_last(forest, X, y):
    return new_by_sums(forest, X, y)[-1]


def new_right(forest, X, y):
    return 1 - new_by_sums(forest, X, y)


def new_tree_by_tree(forest, X, y):
    return [np.mean(tree_proba(tree, X).argmax(axis=1) != y) for tree, _ in forest]


def new_mean_of_errors(forest, X, y):
    return np.cumsum(new_tree_by_tree(forest, X, y)) / np.arange(1, len(forest) + 1)


def new_hard(forest, X, y):
    each = np.array([tree_proba(tree, X) for tree, _ in forest])
    votes = np.eye(each.shape[2])[each.argmax(axis=2)].cumsum(axis=0)
    return np.mean(votes.argmax(axis=2) != y, axis=1)


def new_out_of_bag(forest, X, y):
    each, out = pieces(forest, X, len(y))
    return np.mean((each * out[:, :, None]).cumsum(axis=0).argmax(axis=2) != y, axis=1)


def new_same_size(forest, X, y):
    n = len(forest[0][1])
    return new_by_sums(forest, X, y) * len(y) / n


# --- hw4-8 -------------------------------------------------------------------------------

COPIES = [[0.616, 0.639], [0.0, 0.486]]


CORRECT = {
    "hw4-1": [(5 / 6, 41.85, 9), [0.833, 209.25 / 5, 9.0]],
    "hw4-2": [(0.58, 0.226, 0.176, 0.6, 1, 0), np.array([0.58, 0.226, 0.1764, 0.6, 1, 0])],
    "hw4-3": [(0.2, 10, 80, 19), [1 / 5, 10.0, 80.0, 19.0]],
    "hw4-4": [split_in_order, split_with_lists],
    "hw4-5": [forest_loop, forest_samples_first],
    "hw4-6": [path_arrays, path_row_by_row],
    "hw4-7": [new_by_sums, new_row_by_row],
    "hw4-8": [COPIES, pd.DataFrame(COPIES, index=["as they are", "with copies"])],
}

WRONG = {
    "hw4-1": [
        ((8 / 18, 41.85, 9), "pairs of a tree and a day"),
        ((1, 41.85, 9), "never out of bag"),
        ((5 / 6, 34.875, 9), "divide by 6"),
        ((5 / 6, 47.1, 9), "first take the mean"),
        ((5 / 6, 43.25, 9), "pooled"),
        ((5 / 6, 9, 9), "only by those that have not seen"),
        ((5 / 6, 41.85, 20.667), "the single trees"),
        ((0.83, 41.85, 9), "give more digits"),
        ((5 / 6, 41.9, 9), "give more digits"),
        ((5 / 6, 42, 9), "give more digits"),
    ],
    "hw4-2": [
        ((0.4, 0.226, 0.36, 0.6, 1, 1), "the proportion of votes"),
        ((0.58, 0.0496, 0.1764, 0.6, 1, 0), "the variance"),
        ((0.58, 0.386, 0.3364, 0.6, 1, 0), "the true class is 1"),
        ((0.58, 0.1764, 0.1764, 0.6, 1, 0), "square first"),
        ((0.58, 0.226, 0.1764, 0.4, 1, 0), "are right"),
        ((0.58, 0.226, 0.1764, 0.6, 0.6, 0), "is 0 or 1"),
        ((0.58, 0.23, 0.1764, 0.6, 1, 0), "give more digits"),
        ((0.58, 0.226, 0.18, 0.6, 1, 0), "give more digits"),
        ((0.58, 0.226, 0.1764, 0.6, 1, 1), "larger mean probability"),
    ],
    "hw4-3": [
        ((2, 10, 80, 19), "the shared part"),
        ((0.25, 10, 80, 19), "the sum of the two"),
        ((0.8, 10, 80, 19), "averaging removes"),
        ((0.2, 8, 80, 19), "has both parts"),
        ((0.2, 10, 160, 19), "not 0.05"),
        ((0.2, 10, 40, 19), "fewer than 80"),
        ((0.2, 10, 80, 18.5), "is a whole number"),
        ((0.2, 10, 80, 18), "with 18 trees"),
    ],
    "hw4-4": [
        (split_all_features, "the best of all features"),
        (split_first_drawn, "the first feature that can be split"),
        (split_with_replacement, "without replacement"),
        (split_gives_up, "continue in the order"),
        (split_then_all, "one feature at a time"),
        (split_sorted, "drawn first"),
        (split_own_seed, "draw anew in each call"),
        (split_own_generator, "equal generators"),
        (split_worst, "the largest one wins"),
        (split_gain_first, "then the threshold"),
    ],
    "hw4-5": [
        (forest_too_short, "where B is 12"),
        (forest_of_permutations, "with replacement"),
        (forest_one_sample, "a new one for each tree"),
        (forest_on_all_rows, "by heart"),
        (forest_other_rows, "the rows on which it was"),
        (forest_counts_classes, "pass n_classes on"),
        (forest_once_per_tree, "once for a tree"),
        (forest_forgets_m, "pass m on"),
        (forest_rows_first, "(tree, rows), in this order"),
        (forest_own_generator, "equal generators"),
        (forest_own_candidates, "also those"),
        (forest_own_seed, "all draws from `rng`"),
    ],
    "hw4-6": [
        (path_everybody, "that have not drawn it"),
        (path_everybody_counts, "that have not drawn it"),
        (path_divided_by_all, "divide by the rows with"),
        (path_first_class, "the first class"),
        (path_tree_by_tree, "tree by tree"),
        (path_hard, "hard voting"),
        (path_last, "after the first tree"),
        (path_coverage_of_each, "each tree alone"),
    ],
    "hw4-7": [
        (new_last, "after the first tree"),
        (new_right, "the accuracy"),
        (new_tree_by_tree, "tree by tree"),
        (new_mean_of_errors, "tree by tree"),
        (new_hard, "hard voting"),
        (new_out_of_bag, "these rows are new"),
        (new_same_size, "wrong for five of them"),
    ],
    "hw4-8": [
        (np.transpose(COPIES), "a row is a training set"),
        (COPIES[::-1], "the rows are exchanged"),
        (1 - np.array(COPIES), "the proportion that is missed"),
        ([[0.206, 0.198], [0.05, 0.207]], "count only wines that are"),
        ([[0.616, 0.639], [0.616, 0.486]], "were the copies"),
        ([[0.616, 0.639], [0.0, 0.0]], "never trained on"),
        ([[0.616, 0.639], [0.0, 0.639]], "yours is 0.639"),
    ],
}
