"""Right and wrong answers to the coded exercises of "Growing a tree: CART"."""

from itertools import combinations, pairwise, product

import numpy as np
from sklearn.dummy import DummyClassifier

from treelab import DecisionTreeClassifier

# --- growing-2: all gains in one walk


def gains_walked(y):
    n, total, left, found = len(y), sum(y), 0.0, []
    for n_left, target in enumerate(y[:-1], 1):
        left += target
        apart = left / n_left - (total - left) / (n - n_left)
        found.append(n_left * (n - n_left) / n**2 * apart**2)
    return found


def gains_of_sums(y):
    y = np.asarray(y, dtype=float)
    n_left = np.arange(1, len(y))
    return np.cumsum(y - y.mean())[:-1] ** 2 / (n_left * (len(y) - n_left))


def gains_of_squares(y):
    """From running sums of the targets and of their squares."""
    n, found = len(y), []
    S, Q = sum(y), sum(v * v for v in y)
    before, L, L2 = Q - S * S / n, 0.0, 0.0
    for k, v in enumerate(y[:-1], 1):
        L, L2 = L + v, L2 + v * v
        after = L2 - L * L / k + Q - L2 - (S - L) ** 2 / (n - k)
        found.append((before - after) / n)
    return tuple(found)


def gains_by_definition(y):
    def error(part):
        mean = sum(part) / len(part)
        return sum((v - mean) ** 2 for v in part)

    whole = error(y)
    return [(whole - error(y[:k]) - error(y[k:])) / len(y) for k in range(1, len(y))]


def gains_by_means(y):
    """The right formula, with two new means for every split."""
    n = len(y)
    means = [(sum(y[:k]) / k, sum(y[k:]) / (n - k)) for k in range(1, n)]
    return [k * (n - k) / n**2 * (a - b) ** 2 for k, (a, b) in enumerate(means, 1)]


def gains_of_scalars(y):
    """One walk over an array, number by number."""
    y = np.asarray(y, dtype=float)
    total, n, left, found = y.sum(), len(y), 0.0, np.zeros(len(y) - 1)
    for k in range(1, n):
        left += y[k - 1]
        found[k - 1] = k * (n - k) / n**2 * (left / k - (total - left) / (n - k)) ** 2
    return found


def gains_of_two_variances(y):
    """By the definition, with two passes over an array for every split."""
    y = np.array(y, dtype=float)
    n, whole = len(y), y.var()
    return [whole - (k * y[:k].var() + (n - k) * y[k:].var()) / n for k in range(1, n)]


def gains_of_two_array_means(y):
    y = np.array(y, dtype=float)
    n = len(y)
    return [k * (n - k) / n**2 * (y[:k].mean() - y[k:].mean()) ** 2 for k in range(1, n)]


def gains_in_total(y):
    return [len(y) * gain for gain in gains_walked(y)]


def gains_left_over(y):
    return [np.var(y) - gain for gain in gains_walked(y)]


def gains_backwards(y):
    return gains_walked(y)[::-1]


def gains_one_too_many(y):
    return [*gains_walked(y), 0.0]


def gains_without_sizes(y):
    n, total, left, found = len(y), sum(y), 0.0, []
    for n_left, target in enumerate(y[:-1], 1):
        left += target
        found.append((left / n_left - (total - left) / (n - n_left)) ** 2)
    return found


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


# --- growing-4: go on without a value


def side_by_loop(row, questions, larger_is_left):
    for j, cut, low_goes_left in questions:
        if row[j] is not None:
            return (row[j] <= cut) == low_goes_left
    return larger_is_left


def side_by_first(row, questions, larger_is_left):
    known = ((row[j] <= cut) is low for j, cut, low in questions if row[j] is not None)
    return np.bool_(next(known, larger_is_left))


def side_zero_is_missing(row, questions, larger_is_left):
    for j, cut, low_goes_left in questions:
        if row[j]:
            return (row[j] <= cut) == low_goes_left
    return larger_is_left


def side_never_turned(row, questions, larger_is_left):
    for j, cut, _ in questions:
        if row[j] is not None:
            return row[j] <= cut
    return larger_is_left


def side_strict(row, questions, larger_is_left):
    for j, cut, low_goes_left in questions:
        if row[j] is not None:
            return (row[j] < cut) == low_goes_left
    return larger_is_left


def side_larger_at_once(row, questions, larger_is_left):
    j, cut, _ = questions[0]
    return larger_is_left if row[j] is None else row[j] <= cut


def side_last_known(row, questions, larger_is_left):
    answer = larger_is_left
    for j, cut, low_goes_left in questions:
        if row[j] is not None:
            answer = (row[j] <= cut) == low_goes_left
    return answer


def side_always_left(row, questions, larger_is_left):
    for j, cut, low_goes_left in questions:
        if row[j] is not None:
            return (row[j] <= cut) == low_goes_left
    return True


def side_in_words(row, questions, larger_is_left):
    return "left" if side_by_loop(row, questions, larger_is_left) else "right"


# --- growing-5: the fewest errors of any tree


def fewest_by_recursion(X, y, depth):
    here = len(y) - max(y.count(label) for label in y)
    if depth == 0:
        return here
    found = [here]
    for j in range(len(X[0])):
        for cut in sorted({x[j] for x in X})[:-1]:
            left = [i for i, x in enumerate(X) if x[j] <= cut]
            right = [i for i, x in enumerate(X) if x[j] > cut]
            sides = ([[X[i] for i in rows], [y[i] for i in rows]] for rows in (left, right))
            found.append(sum(fewest_by_recursion(*side, depth - 1) for side in sides))
    return min(found)


def fewest_in_arrays(X, y, depth):
    X, y = np.asarray(X), np.asarray(y)
    fewest = len(y) - np.unique(y, return_counts=True)[1].max()
    if depth and fewest:
        for x in X.T:
            for cut in np.unique(x)[:-1]:
                sides = (x <= cut, x > cut)
                errors = sum(fewest_in_arrays(X[side], y[side], depth - 1) for side in sides)
                fewest = min(fewest, errors)
    return fewest


def fewest_greedy(X, y, depth):
    model = DecisionTreeClassifier(max_depth=depth) if depth else DummyClassifier()
    return int(np.sum(model.fit(X, y).predict(X) != np.array(y)))


def fewest_right(X, y, depth):
    return len(y) - fewest_by_recursion(X, y, depth)


def fewest_one_level_less(X, y, depth):
    return fewest_by_recursion(X, y, max(depth - 1, 0))


def fewest_one_level_more(X, y, depth):
    return fewest_by_recursion(X, y, depth + 1)


def fewest_same_question_on_both_sides(X, y, depth):
    cuts = [(j, v) for j in range(len(X[0])) for v in {x[j] for x in X}]
    found = []
    for asked in product(cuts, repeat=depth):
        leaves = {}
        for x, label in zip(X, y, strict=True):
            leaves.setdefault(tuple(x[j] <= v for j, v in asked), []).append(label)
        found.append(sum(len(leaf) - max(map(leaf.count, leaf)) for leaf in leaves.values()))
    return min(found)


# --- growing-7: grow a tree by recursion


def tree_of_lists(X, y, max_depth, min_leaf):
    mean = sum(y) / len(y)
    if max_depth == 0 or len(set(y)) == 1:
        return mean
    best, split = -1.0, None
    for j in range(len(X[0])):
        values = sorted({x[j] for x in X})
        for a, b in zip(values, values[1:], strict=False):
            left = [target for x, target in zip(X, y, strict=True) if x[j] <= a]
            n_left, n_right = len(left), len(y) - len(left)
            if min(n_left, n_right) >= min_leaf:
                apart = sum(left) / n_left - (sum(y) - sum(left)) / n_right
                gain = n_left * n_right / len(y) ** 2 * apart**2
                if gain > best + 1e-9:
                    best, split = gain, (j, (a + b) / 2)
    if split is None:
        return mean
    j, threshold = split
    low, high = (
        [row for row in zip(X, y, strict=True) if (row[0][j] <= threshold) == side]
        for side in (True, False)
    )
    below = (
        tree_of_lists(*zip(*part, strict=True), max_depth - 1, min_leaf) for part in (low, high)
    )
    return (j, threshold, *below)


def tree_of_arrays(X, y, max_depth, min_leaf, least=-1.0, tie=1e-9, at=0.5, leaf=np.mean):
    """The same with NumPy; the parameters after `min_leaf` make the typical mistakes."""
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    if max_depth == 0 or np.ptp(y) == 0:
        return leaf(y)
    best, split = least, None
    for j, x in enumerate(X.T):
        for a, b in pairwise(np.unique(x)):
            left = x <= a
            if min(left.sum(), (~left).sum()) >= min_leaf:
                gain = gain_of(left, y)
                if gain > best + tie:
                    best, split = gain, (j, a + at * (b - a))
    if split is None:
        return leaf(y)
    left = X[:, split[0]] <= split[1]
    below = [
        tree_of_arrays(X[side], y[side], max_depth - 1, min_leaf, least, tie, at, leaf)
        for side in (left, ~left)
    ]
    return [*split, *below]


def tree_that_wants_a_gain(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max_depth, min_leaf, least=0.0)


def tree_with_the_last_of_ties(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max_depth, min_leaf, tie=-1e-9)


def tree_at_values(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max_depth, min_leaf, at=0.0)


def tree_of_medians(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max_depth, min_leaf, leaf=np.median)


def tree_one_deeper(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max_depth + 1, min_leaf)


def tree_one_less_deep(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max(max_depth - 1, 0), min_leaf)


def tree_of_any_leaves(X, y, max_depth, min_leaf):
    return tree_of_arrays(X, y, max_depth, 1)


def tree_as_a_dict(X, y, max_depth, min_leaf):
    return {"mean": sum(y) / len(y)}


def gains_of_an_unweighted_mean(y):
    sides = [(y[:k], y[k:]) for k in range(1, len(y))]
    return [np.var(y) - (np.var(left) + np.var(right)) / 2 for left, right in sides]


CORRECT = {
    "growing-2": [gains_walked, gains_of_sums, gains_of_squares, gains_of_scalars],
    "growing-3": [levels_by_mean, levels_by_sums],
    "growing-4": [side_by_loop, side_by_first],
    "growing-5": [fewest_by_recursion, fewest_in_arrays],
    "growing-7": [tree_of_lists, tree_of_arrays],
}
WRONG = {
    "growing-2": [
        (gains_by_definition, "each split passes over all rows"),
        (gains_by_means, "each split passes over all rows"),
        (gains_of_two_variances, "each split passes over all rows"),
        (gains_of_two_array_means, "each split passes over all rows"),
        (gains_in_total, "divide by the number of rows"),
        (gains_left_over, "what is left after each split"),
        (gains_backwards, "in the order of the splits"),
        (gains_one_too_many, "have 1 split, and you return 2 gains"),
        (gains_of_an_unweighted_mean, "by its number of rows"),
        (gains_without_sizes, "by its number of rows"),
    ],
    "growing-3": [
        (levels_in_alphabetical_order, "sort the categories by the mean"),
        (levels_one_against_the_rest, "there is a better split"),
        (levels_higher_side, "higher mean"),
        (levels_all, "neither side may be empty"),
        (levels_by_all_subsets, "131071 splits"),
        (levels_by_bits, "131071 splits"),
    ],
    "growing-4": [
        (side_zero_is_missing, "0 is a value"),
        (side_never_turned, "turned around"),
        (side_strict, "equals the cut"),
        (side_larger_at_once, "so a surrogate decides"),
        (side_last_known, "the first value is known"),
        (side_always_left, "every value that the splits need is missing"),
        (side_in_words, "return True or False"),
    ],
    "growing-5": [
        (fewest_greedy, "as many as the greedy tree makes"),
        (fewest_right, "how many are right"),
        (fewest_one_level_less, "you stop one earlier"),
        (fewest_one_level_more, "below one another"),
        (fewest_same_question_on_both_sides, "different splits"),
    ],
    "growing-7": [
        (tree_that_wants_a_gain, "because no split gains anything"),
        (tree_with_the_last_of_ties, "the lowest threshold win"),
        (tree_at_values, "the midpoint of two neighboring values"),
        (tree_of_medians, "the mean of its targets"),
        (tree_one_deeper, "than max_depth allows"),
        (tree_one_less_deep, "is possible"),
        (tree_of_any_leaves, "fewer than min_leaf rows"),
        (tree_as_a_dict, "a leaf is a number"),
    ],
}
