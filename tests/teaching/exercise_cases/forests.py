"""Right and wrong answers to the exercises of the chapter "Random forests"."""

from itertools import combinations

import numpy as np

# --- forests-2 -------------------------------------------------------------------------


def quantile_sorted(y, w, u):
    total = 0.0
    for target, weight in sorted(zip(y, w)):
        total += weight
        if total > u - 1e-9:
            return target


def quantile_searched(y, w, u):
    order = np.argsort(y)
    up_to = np.cumsum(np.asarray(w)[order]) + 1e-9
    return np.asarray(y)[order][np.searchsorted(up_to, u)]


def quantile_mean(y, w, u):
    return float(np.dot(y, w))


def quantile_as_given(y, w, u):
    return y[int(np.argmax(np.cumsum(w) >= u - 1e-9))]


def quantile_sorted_apart(y, w, u):
    return np.sort(y)[int(np.argmax(np.cumsum(w) >= u - 1e-9))]


def quantile_of_both_sorted(y, w, u):
    return np.sort(y)[int(np.argmax(np.cumsum(np.sort(w)) >= u - 1e-9))]


def quantile_interpolated(y, w, u):
    order = np.argsort(y)
    return float(np.interp(u, np.cumsum(np.asarray(w)[order]), np.asarray(y)[order]))


def quantile_above(y, w, u):
    order = np.argsort(y)
    return np.asarray(y)[order][int(np.argmax(np.cumsum(np.asarray(w)[order]) > u + 1e-9))]


def quantile_without_leeway(y, w, u):
    total = 0.0
    for target, weight in sorted(zip(y, w)):
        total += weight
        if total >= u:
            return target
    return max(y)


def quantile_distinct(y, w, u):
    weight = dict(zip(y, w))  # the last of equal targets
    return quantile_sorted(list(weight), list(weight.values()), u * sum(weight.values()))


# --- forests-3 -------------------------------------------------------------------------


def proximity_by_tree(leaves):
    leaves = np.asarray(leaves)
    together = sum((leaf[:, None] == leaf[None, :]).astype(float) for leaf in leaves.T)
    return together / leaves.shape[1]


def proximity_loops(leaves):
    rows = [list(row) for row in leaves]
    return [[sum(a == b for a, b in zip(r, s)) / len(r) for s in rows] for r in rows]


def proximity_counts(leaves):
    return proximity_by_tree(leaves) * np.shape(leaves)[1]


def proximity_any_tree(leaves):
    rows = [set(row) for row in np.asarray(leaves).tolist()]
    return np.array([[len(r & s) / len(r) for s in rows] for r in rows])


def proximity_of_trees(leaves):
    return proximity_by_tree(np.asarray(leaves)[:, :2].T)


def proximity_by_cases(leaves):
    return proximity_counts(leaves) / len(leaves)


# --- forests-5 -------------------------------------------------------------------------


def candidates_choice(p, m, n_nodes, rng):
    return np.array([np.sort(rng.choice(p, m, replace=False)) for _ in range(n_nodes)])


def candidates_permuted(p, m, n_nodes, rng):
    orders = rng.permuted(np.tile(np.arange(p), (n_nodes, 1)), axis=1)
    return np.sort(orders[:, :m], axis=1)


def candidates_per_tree(p, m, n_nodes, rng):
    return np.tile(np.sort(rng.choice(p, m, replace=False)), (n_nodes, 1))


def candidates_with_replacement(p, m, n_nodes, rng):
    return np.sort(rng.integers(p, size=(n_nodes, m)), axis=1)


def candidates_unsorted(p, m, n_nodes, rng):
    return np.argsort(rng.random((n_nodes, p)), axis=1)[:, :m]


def candidates_from_one(p, m, n_nodes, rng):
    return 1 + candidates_choice(p, m, n_nodes, rng)


def candidates_own_generator(p, m, n_nodes, rng):
    return candidates_choice(p, m, n_nodes, np.random.default_rng(0))


def candidates_neighbors(p, m, n_nodes, rng):
    first = rng.integers(p - m + 1, size=n_nodes)
    return first[:, None] + np.arange(m)


def candidates_dealt(p, m, n_nodes, rng):
    """All sets, in one shuffled order that is dealt out again and again."""
    sets = np.array(list(combinations(range(p), m)))
    return sets[rng.permutation(len(sets))[np.arange(n_nodes) % len(sets)]]


def candidates_from_a_deck(p, m, n_nodes, rng):
    """One permutation serves as many nodes as it can, then the next."""
    per_deck = p // m
    decks = [rng.permutation(p)[: per_deck * m] for _ in range(-(-n_nodes // per_deck))]
    return np.sort(np.concatenate(decks).reshape(-1, m)[:n_nodes], axis=1)


def candidates_for_two(p, m, n_nodes, rng):
    """Brothers have the same candidates."""
    return candidates_choice(p, m, -(-n_nodes // 2), rng).repeat(2, axis=0)[:n_nodes]


# --- forests-7 -------------------------------------------------------------------------


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def best_stump(X, y, rows, features):
    best = None
    for j in features:
        values = sorted({X[i][j] for i in rows})
        for low, high in zip(values, values[1:]):
            threshold = (low + high) / 2
            left = [y[i] for i in rows if X[i][j] <= threshold]
            right = [y[i] for i in rows if X[i][j] > threshold]
            risk = sum((v - mean(side)) ** 2 for side in (left, right) for v in side)
            if best is None or risk < best[0] - 1e-9:
                best = risk, j, threshold, mean(left), mean(right)
    if best is None:
        return 0, float("inf"), mean(y[i] for i in rows), 0.0
    return best[1:]


def said(stump, x):
    j, threshold, left, right = stump
    return left if x[j] <= threshold else right


def stumps_plain(X, y, samples, candidates, stump=best_stump, unseen=lambda i, s: i not in s,
                 missing=None):  # fmt: skip
    stumps = [stump(X, y, s, f) for s, f in zip(samples, candidates)]
    whole, out = [], []
    for i, x in enumerate(X):
        whole.append(mean(said(each, x) for each in stumps))
        votes = [said(each, x) for each, s in zip(stumps, samples) if unseen(i, s)]
        out.append(mean(votes) if votes else missing)
    return whole, out


def stumps_numpy(X, y, samples, candidates):
    X, y = np.array(X), np.array(y)
    told = []
    for sample, features in zip(samples, candidates):
        splits = []
        for j in features:
            values = np.unique(X[sample, j])
            for threshold in (values[1:] + values[:-1]) / 2:
                right = X[sample, j] > threshold
                means = [y[sample][right == k].mean() for k in (False, True)]
                risk = np.sum((y[sample] - np.where(right, means[1], means[0])) ** 2)
                splits.append((risk, np.where(X[:, j] > threshold, means[1], means[0])))
        flat = np.full(len(y), y[sample].mean())
        least = min((risk for risk, _ in splits), default=0)
        told.append(next((p for risk, p in splits if risk <= least + 1e-9), flat))
    told = np.array(told)
    out = []
    for i in range(len(y)):
        unseen = [b for b, sample in enumerate(samples) if i not in sample]
        out.append(told[unseen, i].mean() if unseen else None)
    return told.mean(axis=0), out


def stumps_of_all_features(X, y, samples, candidates):
    return stumps_plain(X, y, samples, [range(len(X[0]))] * len(samples))


def stumps_of_distinct_rows(X, y, samples, candidates):
    return stumps_plain(
        X, y, samples, candidates, lambda X, y, rows, f: best_stump(X, y, sorted(set(rows)), f)
    )


def stumps_with_thresholds_of_the_table(X, y, samples, candidates):
    def stump(X, y, rows, features):
        best = None
        for j in features:
            values = sorted({x[j] for x in X})
            for low, high in zip(values, values[1:]):
                threshold = (low + high) / 2
                left = [y[i] for i in rows if X[i][j] <= threshold]
                right = [y[i] for i in rows if X[i][j] > threshold]
                if left and right:
                    risk = sum((v - mean(side)) ** 2 for side in (left, right) for v in side)
                    if best is None or risk < best[0] - 1e-9:
                        best = risk, j, threshold, mean(left), mean(right)
        return best[1:] if best else (0, float("inf"), mean(y[i] for i in rows), 0.0)

    return stumps_plain(X, y, samples, candidates, stump)


def stumps_in_bag(X, y, samples, candidates):
    return stumps_plain(X, y, samples, candidates, unseen=lambda i, s: i in s)


def stumps_by_all(X, y, samples, candidates):
    return stumps_plain(X, y, samples, candidates, unseen=lambda i, s: True)


def stumps_without_none(X, y, samples, candidates):
    return stumps_plain(X, y, samples, candidates, missing=0.0)


def stumps_in_sorted_order(X, y, samples, candidates):
    return stumps_plain(X, y, samples, [sorted(f) for f in candidates])


def stumps_without_out_of_bag(X, y, samples, candidates):
    return stumps_plain(X, y, samples, candidates)[0]


def stumps_of_one_sample(X, y, samples, candidates):
    return stumps_plain(X, y, [range(len(y))] * len(samples), candidates)


CORRECT = {
    "forests-2": [quantile_sorted, quantile_searched],
    "forests-3": [proximity_by_tree, proximity_loops],
    "forests-5": [candidates_choice, candidates_permuted],
    "forests-7": [stumps_plain, stumps_numpy],
}

WRONG = {
    "forests-2": [
        (quantile_mean, "weighted mean"),
        (quantile_as_given, "from the least"),
        (quantile_sorted_apart, "sort both"),
        (quantile_of_both_sorted, "sort both"),
        (quantile_interpolated, "interpolated"),
        (quantile_above, "at least u"),
        (quantile_without_leeway, "allow for 1e-9"),
        (quantile_distinct, "targets are equal"),
    ],
    "forests-3": [
        (proximity_counts, "a proportion of them"),
        (proximity_any_tree, "Compare within a tree"),
        (proximity_of_trees, "three rows"),
        (proximity_by_cases, "number of trees, not of rows"),
    ],
    "forests-5": [
        (candidates_per_tree, "once for the tree"),
        (candidates_with_replacement, "without replacement"),
        (candidates_unsorted, "ascending"),
        (candidates_from_one, "0 to 8"),
        (candidates_own_generator, "must come from `rng`"),
        (candidates_neighbors, "equally likely"),
        (candidates_dealt, "instead of dealing"),
        (candidates_from_a_deck, "instead of dealing"),
        (candidates_for_two, "instead of dealing"),
    ],
    "forests-7": [
        (stumps_of_all_features, "only on the features in its list"),
        (stumps_of_distinct_rows, "counts twice"),
        (stumps_with_thresholds_of_the_table, "not of the whole table"),
        (stumps_in_bag, "of their own samples"),
        (stumps_by_all, "all stumps predict"),
        (stumps_without_none, "it is None"),
        (stumps_in_sorted_order, "first in the list wins"),
        (stumps_without_out_of_bag, "two lists"),
        (stumps_of_one_sample, "counts twice"),
    ],
}
