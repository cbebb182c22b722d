"""Right and wrong answers to the exercises of the chapter "Importance"."""

from itertools import combinations, permutations
from math import factorial

import numpy as np
from scipy.stats import kendalltau

# --- importance-2 ----------------------------------------------------------------------


def _gains(tree):
    inner = tree.children_left != -1
    R = tree.weighted_n_node_samples * tree.impurity
    gain = R[inner] - R[tree.children_left[inner]] - R[tree.children_right[inner]]
    return tree.feature[inner], gain / tree.weighted_n_node_samples[0]


def decrease_bincount(trees, p):
    each = [np.bincount(*_gains(tree), minlength=p) for tree in trees]
    mean = np.mean(each, axis=0)
    return mean / max(mean.sum(), 1e-300)


def decrease_recursive(trees, p):
    total = [0.0] * p

    def walk(tree, t):
        left, right = tree.children_left[t], tree.children_right[t]
        risk = tree.weighted_n_node_samples[t] * tree.impurity[t]
        if left != -1:
            share = risk - walk(tree, left) - walk(tree, right)
            total[tree.feature[t]] += share / tree.weighted_n_node_samples[0]
        return risk

    for tree in trees:
        walk(tree, 0)
    return [value / sum(total) for value in total] if sum(total) else total


def decrease_counts(trees, p):
    splits = [tree.feature[tree.children_left != -1] for tree in trees]
    count = np.bincount(np.concatenate(splits), minlength=p)
    return count / count.sum()


def decrease_squared(trees, p):
    each = sum(np.bincount(feature, gain**2, minlength=p) for feature, gain in map(_gains, trees))
    return each / each.sum()


def decrease_raw(trees, p):
    return np.mean([np.bincount(*_gains(tree), minlength=p) for tree in trees], axis=0)


def decrease_by_tree(trees, p):
    each = [np.bincount(*_gains(tree), minlength=p) for tree in trees]
    return np.mean([one / one.sum() for one in each], axis=0)


def decrease_unweighted(trees, p):
    total = np.zeros(p)
    for tree in trees:
        for t in np.flatnonzero(tree.children_left != -1):
            left, right = tree.children_left[t], tree.children_right[t]
            Q = tree.impurity
            total[tree.feature[t]] += Q[t] - (Q[left] + Q[right]) / 2
    return total / total.sum()


def decrease_without_weight(trees, p):
    total = np.zeros(p)
    for tree in trees:
        for t in np.flatnonzero(tree.children_left != -1):
            children = [tree.children_left[t], tree.children_right[t]]
            total[tree.feature[t]] += tree.impurity[t] - tree.impurity[children].sum()
    return total / total.sum()


def decrease_divides(trees, p):
    total = np.sum([np.bincount(*_gains(tree), minlength=p) for tree in trees], axis=0)
    with np.errstate(invalid="ignore"):
        return total / total.sum()


# --- importance-3 ----------------------------------------------------------------------


def loss_in_loops(predict, X, y, j):
    losses = []
    for value in X[:, j]:
        changed = np.array(X)
        changed[:, j] = value
        losses.append(np.mean((predict(changed) - y) ** 2))
    return np.mean(losses) - np.mean((predict(X) - y) ** 2)


def loss_by_turning(predict, X, y, j):
    n = len(X)
    turned = np.concatenate([X] * n)
    turned[:, j] = np.concatenate([np.roll(X[:, j], i) for i in range(n)])
    error = (predict(turned) - np.concatenate([y] * n)) ** 2
    return error.mean() - ((predict(X) - y) ** 2).mean()


def loss_in_place(predict, X, y, j):
    before, column = np.mean((predict(X) - y) ** 2), X[:, j].copy()
    losses = []
    for value in column:
        X[:, j] = value
        losses.append(np.mean((predict(X) - y) ** 2))
    return np.mean(losses) - before


def loss_without_itself(predict, X, y, j):
    return loss_in_loops(predict, X, y, j) * len(X) / (len(X) - 1)


def loss_of_one_shuffle(predict, X, y, j):
    changed = X.copy()
    changed[:, j] = np.random.default_rng(2).permutation(X[:, j])
    return np.mean((predict(changed) - y) ** 2) - np.mean((predict(X) - y) ** 2)


def loss_not_compared(predict, X, y, j):
    return loss_in_loops(predict, X, y, j) + np.mean((predict(X) - y) ** 2)


def loss_of_first_column(predict, X, y, j):
    return loss_in_loops(predict, X, y, 0)


def loss_target_moves(predict, X, y, j):
    n = len(X)
    every = np.repeat(X, n, axis=0)
    every[:, j] = np.tile(X[:, j], n)
    return np.mean((predict(every) - np.tile(y, n)) ** 2) - np.mean((predict(X) - y) ** 2)


def loss_of_whole_rows(predict, X, y, j):
    return np.mean((predict(X)[:, None] - y) ** 2) - np.mean((predict(X) - y) ** 2)


# --- importance-5 ----------------------------------------------------------------------


def compare_with_scipy(first, second, k):
    places = [second.index(feature) for feature in first]
    tau = kendalltau(range(len(first)), places).statistic
    both = len(set(first[:k]) & set(second[:k]))
    return tau, both / (2 * k - both)


def compare_pairs(first, second, k):
    same = other = 0
    for a, b in combinations(first, 2):
        if second.index(a) < second.index(b):
            same += 1
        else:
            other += 1
    both = [feature for feature in first[:k] if feature in second[:k]]
    either = set(first[:k] + second[:k])
    return [(same - other) / (same + other), len(both) / len(either)]


def compare_over_k(first, second, k):
    return compare_pairs(first, second, k)[0], len(set(first[:k]) & set(second[:k])) / k


def compare_by_place(first, second, k):
    same = sum(a == b for a, b in zip(first[:k], second[:k], strict=True))
    return compare_pairs(first, second, k)[0], same / k


def compare_share(first, second, k):
    tau, overlap = compare_pairs(first, second, k)
    return (tau + 1) / 2, overlap


def compare_the_lists(first, second, k):
    overlap = compare_pairs(first, second, k)[1]
    if isinstance(first[0], str):
        return compare_with_scipy(first, second, k)
    return kendalltau(first, second).statistic, overlap


def compare_tau_only(first, second, k):
    return compare_pairs(first, second, k)[0]


# --- importance-6 ----------------------------------------------------------------------


def shapley_subsets(v, p):
    values = []
    for j in range(p):
        others = [i for i in range(p) if i != j]
        value = 0.0
        for k in range(p):
            weight = factorial(k) * factorial(p - 1 - k) / factorial(p)
            for S in combinations(others, k):
                value += weight * (v(frozenset(S) | {j}) - v(frozenset(S)))
        values.append(value)
    return values


def shapley_orders(v, p):
    orders = list(permutations(range(p)))
    gains = np.zeros((len(orders), p))
    for row, order in enumerate(orders):
        team, worth = frozenset(), v(frozenset())
        for j in order:
            team = team | {j}
            gains[row, j], worth = v(team) - worth, v(team)
    return gains.mean(axis=0)


def shapley_first(v, p):
    return np.array([v(frozenset([j])) - v(frozenset()) for j in range(p)])


def shapley_last(v, p):
    everybody = frozenset(range(p))
    return np.array([v(everybody) - v(everybody - {j}) for j in range(p)])


def shapley_one_order(v, p):
    return [v(frozenset(range(j + 1))) - v(frozenset(range(j))) for j in range(p)]


def shapley_other_order(v, p):
    return [v(frozenset(range(j, p))) - v(frozenset(range(j + 1, p))) for j in range(p)]


def shapley_sum(v, p):
    return factorial(p) * np.array(shapley_subsets(v, p))


def shapley_equal_weights(v, p):
    values = np.zeros(p)
    for j in range(p):
        others = [i for i in range(p) if i != j]
        subsets = [frozenset(S) for k in range(p) for S in combinations(others, k)]
        values[j] = np.mean([v(S | {j}) - v(S) for S in subsets])
    return values


def shapley_scaled(v, p):
    values = shapley_equal_weights(v, p)
    everybody = frozenset(range(p))
    return values * (v(everybody) - v(frozenset())) / values.sum()


def shapley_first_and_last(v, p):
    return (shapley_first(v, p) + shapley_last(v, p)) / 2


CORRECT = {
    "importance-2": [decrease_bincount, decrease_recursive],
    "importance-3": [loss_in_loops, loss_by_turning],
    "importance-5": [compare_with_scipy, compare_pairs],
    "importance-6": [shapley_subsets, shapley_orders],
}

WRONG = {
    "importance-2": [
        (decrease_counts, "do not count the splits"),
        (decrease_squared, "squares already"),
        (decrease_raw, "divide by the sum in the end"),
        (decrease_by_tree, "each tree by its own sum"),
        (decrease_unweighted, "each node has its weight"),
        (decrease_without_weight, "each child"),
        (decrease_divides, "return zeros"),
    ],
    "importance-3": [
        (loss_in_place, "work on a copy"),
        (loss_without_itself, "the pair of a row with itself"),
        (loss_of_one_shuffle, "not all of them"),
        (loss_not_compared, "subtract the loss"),
        (loss_of_first_column, "whichever it is"),
        (loss_target_moves, "not all of them"),
        (loss_of_whole_rows, "you shuffled whole rows"),
    ],
    "importance-5": [
        (compare_over_k, "divided the features in both top lists by k"),
        (compare_by_place, "a top list is a set"),
        (compare_share, "subtract the share"),
        (compare_the_lists, "not its number"),
        (compare_tau_only, "return two numbers"),
    ],
    "importance-6": [
        (shapley_first, "comes first"),
        (shapley_last, "comes last"),
        (shapley_one_order, "one order only, the sun first"),
        (shapley_other_order, "one order only, the weekend first"),
        (shapley_sum, "divide by their number"),
        (shapley_equal_weights, "each with the same weight"),
        (shapley_scaled, "2/3"),
        (shapley_first_and_last, "2/3"),
    ],
}
