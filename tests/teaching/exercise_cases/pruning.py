"""Right and wrong answers to the exercises of the chapter "Pruning"."""

import numpy as np

# --- pruning-3 -------------------------------------------------------------------------


def cheapest_sorted(risks, n_leaves, alpha):
    cost = [r + alpha * n for r, n in zip(risks, n_leaves)]
    return min(range(len(cost)), key=lambda k: (round(cost[k], 9), n_leaves[k]))


def cheapest_lexsort(risks, n_leaves, alpha):
    cost = np.round(np.asarray(risks) + alpha * np.asarray(n_leaves), 9)
    return int(np.lexsort([n_leaves, cost])[0])


def cheapest_without_leaves(risks, n_leaves, alpha):
    return int(np.argmin(np.asarray(risks) + alpha))


def cheapest_first_of_equals(risks, n_leaves, alpha):
    return int(np.argmin(np.asarray(risks) + alpha * np.asarray(n_leaves)))


def cheapest_last_of_equals(risks, n_leaves, alpha):
    cost = np.asarray(risks) + alpha * np.asarray(n_leaves)
    return int(np.flatnonzero(cost == cost.min())[-1])


def cheapest_most_expensive(risks, n_leaves, alpha):
    return int(np.argmax(np.asarray(risks) + alpha * np.asarray(n_leaves)))


def cheapest_exact_ties(risks, n_leaves, alpha):
    cost = np.asarray(risks) + alpha * np.asarray(n_leaves)
    tied = np.flatnonzero(cost == cost.min())
    return tied[np.argmin(np.asarray(n_leaves)[tied])]


# --- pruning-4 -------------------------------------------------------------------------


def links_recursive(left, right, R):
    g = {}

    def visit(t):
        if left[t] == -1:
            return 1, R[t]
        (n1, r1), (n2, r2) = visit(left[t]), visit(right[t])
        g[t] = (R[t] - r1 - r2) / (n1 + n2 - 1)
        return n1 + n2, r1 + r2

    visit(0)
    return g


def links_backwards(left, right, R):
    leaves, risk, g = [1] * len(R), list(R), {}
    for t in reversed(range(len(R))):
        if left[t] >= 0:
            leaves[t] = leaves[left[t]] + leaves[right[t]]
            risk[t] = risk[left[t]] + risk[right[t]]
            g[t] = (R[t] - risk[t]) / (leaves[t] - 1)
    return g


def links_all_leaves(left, right, R):
    leaves = [1] * len(R)
    g = links_backwards(left, right, R)
    for t in reversed(range(len(R))):
        if left[t] >= 0:
            leaves[t] = leaves[left[t]] + leaves[right[t]]
            g[t] *= (leaves[t] - 1) / leaves[t]
    return g


def links_absolute(left, right, R):
    leaves = [1] * len(R)
    g = links_backwards(left, right, R)
    for t in reversed(range(len(R))):
        if left[t] >= 0:
            leaves[t] = leaves[left[t]] + leaves[right[t]]
            g[t] *= leaves[t] - 1
    return g


def links_children(left, right, R):
    return {t: R[t] - R[left[t]] - R[right[t]] for t in range(len(R)) if left[t] >= 0}


def links_with_leaves(left, right, R):
    return {**dict.fromkeys(range(len(R)), np.inf), **links_backwards(left, right, R)}


def links_pure_leaves(left, right, R):
    leaves, g = [1] * len(R), {}
    for t in reversed(range(len(R))):
        if left[t] >= 0:
            leaves[t] = leaves[left[t]] + leaves[right[t]]
            g[t] = R[t] / (leaves[t] - 1)
    return g


# --- pruning-5 -------------------------------------------------------------------------


def one_se_loop(n_leaves, cv_error, se):
    best = min(range(len(se)), key=lambda k: (cv_error[k], n_leaves[k]))
    line = cv_error[best] + se[best]
    return min(n for n, e in zip(n_leaves, cv_error) if e <= line)


def one_se_mask(n_leaves, cv_error, se):
    best = np.lexsort([n_leaves, cv_error])[0]
    return n_leaves[cv_error <= cv_error[best] + se[best]].min()


def one_se_least(n_leaves, cv_error, se):
    return n_leaves[np.argmin(cv_error)]


def one_se_largest(n_leaves, cv_error, se):
    best = np.argmin(cv_error)
    return n_leaves[cv_error <= cv_error[best] + 2 * se[best]].max()


def one_se_last(n_leaves, cv_error, se):
    best = np.argmin(cv_error)
    return n_leaves[np.flatnonzero(cv_error <= cv_error[best] + se[best])[-1]]


def one_se_own(n_leaves, cv_error, se):
    return n_leaves[cv_error - se <= cv_error.min()].min()


def one_se_first_of_equals(n_leaves, cv_error, se):
    best = np.argmin(cv_error)
    return n_leaves[cv_error <= cv_error[best] + se[best]].min()


def one_se_strict(n_leaves, cv_error, se):
    best = np.lexsort([n_leaves, cv_error])[0]
    return n_leaves[cv_error < cv_error[best] + se[best]].min()


# --- pruning-6 -------------------------------------------------------------------------


def reduced_error_backwards(left, right, errors):
    now, cut = [float(e) for e in errors], [set() for _ in errors]
    for t in reversed(range(len(errors))):
        if left[t] == -1:
            continue
        below = now[left[t]] + now[right[t]]
        if errors[t] <= below:
            cut[t] = {t}
        else:
            now[t], cut[t] = below, cut[left[t]] | cut[right[t]]
    return cut[0]


def reduced_error_recursive(left, right, errors):
    def cut(t):
        if left[t] == -1:
            return errors[t], []
        e1, c1 = cut(left[t])
        e2, c2 = cut(right[t])
        return (e1 + e2, c1 + c2) if e1 + e2 < errors[t] else (errors[t], [t])

    return set(cut(0)[1])


def reduced_error_strict(left, right, errors):
    def cut(t):
        if left[t] == -1:
            return errors[t], set()
        (e1, c1), (e2, c2) = cut(left[t]), cut(right[t])
        return (errors[t], {t}) if errors[t] < e1 + e2 else (e1 + e2, c1 | c2)

    return cut(0)[1]


def reduced_error_top_down(left, right, errors):
    def total(t):
        return errors[t] if left[t] == -1 else total(left[t]) + total(right[t])

    def cut(t):
        if left[t] == -1:
            return set()
        return {t} if errors[t] <= total(t) else cut(left[t]) | cut(right[t])

    return cut(0)


def reduced_error_all_pruned(left, right, errors):
    pruned = set()

    def visit(t):
        if left[t] == -1:
            return errors[t]
        below = visit(left[t]) + visit(right[t])
        if errors[t] <= below:
            pruned.add(t)
        return min(errors[t], below)

    visit(0)
    return pruned


def reduced_error_two_levels(left, right, errors):
    """Visits the root and its children, and takes all below for leaves."""

    def visit(t, levels):
        if left[t] == -1 or levels == 0:
            return errors[t], set()
        (e1, c1), (e2, c2) = visit(left[t], levels - 1), visit(right[t], levels - 1)
        return (errors[t], {t}) if errors[t] <= e1 + e2 else (e1 + e2, c1 | c2)

    return visit(0, 2)[1]


def reduced_error_root_only(left, right, errors):
    """Right for small trees; of a large one it asks nothing but the root."""
    return reduced_error_backwards(left, right, errors) if len(errors) < 8 else {0}


def reduced_error_of_a_leaf(left, right, errors):
    """Cuts off the root even where it is a leaf already."""
    return reduced_error_backwards(left, right, errors) if left[0] != -1 else {0}


# --- pruning-8 -------------------------------------------------------------------------


def folds_by_unique(rows, n_folds):
    return np.unique(rows, return_inverse=True)[1] % n_folds


def folds_by_dictionary(rows, n_folds):
    fold = {}
    return [fold.setdefault(row, len(fold) % n_folds) for row in rows.tolist()]


def folds_of_draws(rows, n_folds):
    return np.arange(len(rows)) % n_folds


def folds_by_row_number(rows, n_folds):
    return rows % n_folds


def folds_from_one(rows, n_folds):
    return np.unique(rows, return_inverse=True)[1] % n_folds + 1


def folds_of_distinct(rows, n_folds):
    return np.arange(len(np.unique(rows))) % n_folds


CORRECT = {
    "pruning-3": [cheapest_sorted, cheapest_lexsort],
    "pruning-4": [links_recursive, links_backwards],
    "pruning-5": [one_se_loop, one_se_mask],
    "pruning-6": [reduced_error_backwards, reduced_error_recursive],
    "pruning-8": [folds_by_unique, folds_by_dictionary],
}

WRONG = {
    "pruning-3": [
        (cheapest_without_leaves, "every leaf cost alpha"),
        (cheapest_first_of_equals, "two trees tie"),
        (cheapest_last_of_equals, "any order"),
        (cheapest_most_expensive, "not the most"),
        (cheapest_exact_ties, "up to rounding"),
    ],
    "pruning-4": [
        (links_all_leaves, "still one leaf"),
        (links_absolute, "divide the rise"),
        (links_children, "whole subtree"),
        (links_with_leaves, "no leaves"),
        (links_pure_leaves, "risk of their own"),
    ],
    "pruning-5": [
        (one_se_least, "least error"),
        (one_se_largest, "not the largest"),
        (one_se_last, "any order"),
        (one_se_own, "not each tree's own"),
        (one_se_first_of_equals, "smaller one counts"),
        (one_se_strict, "exactly on the line"),
    ],
    "pruning-6": [
        (reduced_error_strict, "ties prune"),
        (reduced_error_top_down, "children before parents"),
        (reduced_error_all_pruned, "only the topmost"),
        (reduced_error_two_levels, "all the way down"),
        (reduced_error_root_only, "all the way down"),
        (reduced_error_of_a_leaf, "a leaf already"),
    ],
    "pruning-8": [
        (folds_of_draws, "copies in two folds"),
        (folds_by_row_number, "differ by one at most"),
        (folds_from_one, "from 0 to n_folds - 1"),
        (folds_of_distinct, "one fold number for each"),
    ],
}
