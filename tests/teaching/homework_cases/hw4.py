"""Right and wrong answers to homework 4, "A forest of your own"."""

import numpy as np
import pandas as pd
from checks_hw4 import tree_shares

# --- hw4-4 -----------------------------------------------------------------------------


def best_cut(x, y):
    """(gain, threshold) of the best cut of one feature; (0.0, None) if no cut gains anything."""
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
        gain, threshold = best_cut(X[:, j], y)
        if gain > best:
            best, answer = gain, (j, threshold)
    return answer


def split_with_lists(X, y, m, rng):
    p = X.shape[1]
    order = [int(j) for j in np.argsort(rng.random(p))]
    offers = [(*best_cut(X[:, j], y), j) for j in order]
    among = [offer for offer in offers[:m] if offer[1] is not None]
    if among:
        _, threshold, j = max(among, key=lambda offer: offer[0])
        return [j, threshold]
    rest = [offer for offer in offers[m:] if offer[1] is not None]
    return [rest[0][2], rest[0][1]] if rest else [None, None]


def best_of(X, y, features):
    """The best cut among some features, the first of equals; (None, None) without any."""
    offers = [(*best_cut(X[:, j], y), int(j)) for j in features]
    offers = [offer for offer in offers if offer[1] is not None]
    if not offers:
        return None, None
    _, threshold, j = max(offers, key=lambda offer: offer[0])
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
    offers = [(*best_cut(X[:, j], y), int(j)) for j in rng.permutation(X.shape[1])[:m]]
    return min(offers)[2], min(offers)[1]


def split_gain_first(X, y, m, rng):
    j, threshold = split_in_order(X, y, m, rng)
    return threshold, j


# --- hw4-5 -----------------------------------------------------------------------------


def grow(X, y, n_classes, split):
    shares = np.bincount(y, minlength=n_classes) / len(y)
    j, s = (None, None) if shares.max() == 1 else split(X, y)
    if j is None:
        return shares
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
    sums, judges = np.zeros((len(y), n_classes)), np.zeros(len(y))
    errors, coverages = [], []
    for tree, rows in forest:
        out = np.setdiff1d(np.arange(len(y)), rows)
        sums[out] += tree_shares(tree, X[out])
        judges[out] += 1
        covered = judges > 0
        errors.append(np.mean(sums[covered].argmax(axis=1) != y[covered]))
        coverages.append(np.mean(covered))
    return np.array(errors), np.array(coverages)


def path_row_by_row(forest, X, y, n_classes):
    errors, coverages = [], []
    for B in range(1, len(forest) + 1):
        wrong = []
        for i in range(len(y)):
            heard = [tree_shares(t, X[i : i + 1])[0] for t, r in forest[:B] if i not in set(r)]
            if heard:
                wrong.append(int(sum(heard).argmax()) != y[i])
        errors.append(sum(wrong) / len(wrong))
        coverages.append(len(wrong) / len(y))
    return errors, coverages


def pieces(forest, X, n):
    """Shares (B, n, K) and who is out (B, n)."""
    each = np.array([tree_shares(tree, X) for tree, _ in forest])
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


# --- hw4-7 and hw4-8 -------------------------------------------------------------------

ERRORS = [0.203, 0.196, 0.253, 0.209]
COPIES = [[0.616, 0.639], [0.0, 0.486]]


CORRECT = {
    "hw4-1": [(5 / 6, 41.85, 9), [0.8333, 209.25 / 5, 9.0]],
    "hw4-2": [(0.58, 0.226, 0.1764, 0.6, 1, 0), np.array([0.58, 0.226, 0.1764, 0.6, 1, 0])],
    "hw4-3": [(0.2, 10, 80, 19), [1 / 5, 10.0, 80.0, 19.0]],
    "hw4-4": [split_in_order, split_with_lists],
    "hw4-5": [forest_loop, forest_samples_first],
    "hw4-6": [path_arrays, path_row_by_row],
    "hw4-7": [ERRORS, np.array([0.217, 0.189, 0.253, 0.209])],
    "hw4-8": [COPIES, pd.DataFrame(COPIES, index=["as they are", "with copies"])],
}

WRONG = {
    "hw4-1": [
        ((8 / 18, 41.85, 9), "pairs of a tree and a day"),
        ((1, 41.85, 9), "no tree may judge it"),
        ((5 / 6, 34.875, 9), "divide by 6"),
        ((5 / 6, 47.1, 9), "first agree on their mean"),
        ((5 / 6, 43.25, 9), "pooled"),
        ((5 / 6, 9, 9), "whose sample lacks a day"),
        ((5 / 6, 41.85, 20.667), "the single trees"),
        ((0.83, 41.85, 9), "give more digits"),
        ((0.833, 41.85, 9), "give more digits"),
        ((5 / 6, 41.9, 9), "give more digits"),
        ((5 / 6, 42, 9), "give more digits"),
    ],
    "hw4-2": [
        ((0.4, 0.226, 0.36, 0.6, 1, 1), "the share of hard votes"),
        ((0.58, 0.0496, 0.1764, 0.6, 1, 0), "the variance"),
        ((0.58, 0.386, 0.3364, 0.6, 1, 0), "the true class is 1"),
        ((0.58, 0.1764, 0.1764, 0.6, 1, 0), "square first"),
        ((0.58, 0.226, 0.1764, 0.4, 1, 0), "are right"),
        ((0.58, 0.226, 0.1764, 0.6, 0.6, 0), "is 0 or 1"),
        ((0.58, 0.23, 0.1764, 0.6, 1, 0), "give more digits"),
        ((0.58, 0.226, 0.176, 0.6, 1, 0), "give more digits"),
        ((0.58, 0.226, 0.18, 0.6, 1, 0), "give more digits"),
        ((0.58, 0.226, 0.1764, 0.6, 1, 1), "larger mean share"),
    ],
    "hw4-3": [
        ((2, 10, 80, 19), "the shared part"),
        ((0.25, 10, 80, 19), "the sum of the two"),
        ((0.8, 10, 80, 19), "averaging takes away"),
        ((0.2, 8, 80, 19), "has both parts"),
        ((0.2, 10, 160, 19), "not 0.05"),
        ((0.2, 10, 40, 19), "fewer than 80"),
        ((0.2, 10, 80, 18.5), "trees come whole"),
        ((0.2, 10, 80, 18), "with 18 trees"),
    ],
    "hw4-4": [
        (split_all_features, "the best of all features"),
        (split_first_drawn, "the first feature that can be cut"),
        (split_with_replacement, "without replacement"),
        (split_gives_up, "go on in the order"),
        (split_then_all, "one feature at a time"),
        (split_sorted, "the first drawn wins"),
        (split_own_seed, "draw anew on each call"),
        (split_own_generator, "equal generators"),
        (split_worst, "the largest one wins"),
        (split_gain_first, "then the threshold"),
    ],
    "hw4-5": [
        (forest_too_short, "where B is 12"),
        (forest_of_permutations, "with replacement"),
        (forest_one_sample, "a new one for each tree"),
        (forest_on_all_rows, "by heart"),
        (forest_other_rows, "the rows that it was grown on"),
        (forest_counts_classes, "pass n_classes on"),
        (forest_once_per_tree, "once for a tree"),
        (forest_forgets_m, "pass m on"),
        (forest_rows_first, "(tree, rows), in this order"),
        (forest_own_generator, "equal generators"),
        (forest_own_candidates, "those of node_split too"),
        (forest_own_seed, "all draws from `rng`"),
    ],
    "hw4-6": [
        (path_everybody, "that have not drawn it"),
        (path_everybody_counts, "that have not drawn it"),
        (path_divided_by_all, "divide by the rows with a judge"),
        (path_first_class, "the first class"),
        (path_tree_by_tree, "tree by tree"),
        (path_hard, "hard votes"),
        (path_last, "after the first tree"),
        (path_coverage_of_each, "each tree alone"),
    ],
    "hw4-7": [
        ([0.0, 0.196, 0.253, 0.209], "the trees have seen"),
        ([0.264, 0.196, 0.253, 0.209], "after the first trees"),
        ([0.203, 0.29, 0.253, 0.209], "the largest mean share"),
        ([0.203, 0.196, 0.0, 0.209], "on the test rows"),
        ([0.203, 0.196, 0.253, 0.791], "how often the sentence is right"),
        ([0.203, 0.196, 0.253, 0.227], "of the test rows"),
    ],
    "hw4-8": [
        (np.transpose(COPIES), "a row is a training set"),
        (COPIES[::-1], "the rows are exchanged"),
        (1 - np.array(COPIES), "the share that is missed"),
        ([[0.206, 0.198], [0.05, 0.207]], "count only wines that are"),
        ([[0.616, 0.639], [0.616, 0.486]], "were the copies"),
        ([[0.616, 0.639], [0.0, 0.0]], "never trained on"),
        ([[0.616, 0.639], [0.0, 0.639]], "yours is 0.639"),
    ],
}
