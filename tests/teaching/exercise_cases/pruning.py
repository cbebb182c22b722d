"""Right and wrong answers to the exercises of the chapter "Pruning"."""

import numpy as np

# --- pruning-3 -------------------------------------------------------------------------


def leaves_under(left, right, t, falls=()):
    if left[t] == -1 or t in falls:
        return [t]
    return leaves_under(left, right, left[t], falls) + leaves_under(left, right, right[t], falls)


def next_step_recursive(left, right, R):
    inner = [t for t in range(len(R)) if left[t] != -1]
    g = {}
    for t in inner:
        below = leaves_under(left, right, t)
        g[t] = (R[t] - sum(R[s] for s in below)) / (len(below) - 1)
    alpha = min(g.values())
    falls = [t for t in inner if g[t] <= alpha + 1e-9]
    return alpha, len(leaves_under(left, right, 0, falls))


def next_step_backwards(left, right, R):
    leaves, risk, g = [1] * len(R), list(R), {}
    for t in reversed(range(len(R))):
        if left[t] >= 0:
            leaves[t] = leaves[left[t]] + leaves[right[t]]
            risk[t] = risk[left[t]] + risk[right[t]]
            g[t] = (R[t] - risk[t]) / (leaves[t] - 1)
    alpha = min(g.values())
    kept = [1] * len(R)
    for t in reversed(range(len(R))):
        if left[t] >= 0 and g[t] > alpha + 1e-9:
            kept[t] = kept[left[t]] + kept[right[t]]
    return alpha, kept[0]


def step_by(strength, tie=1e-9):
    """The step of an answer that measures the links in its own way."""

    def next_step(left, right, R):
        inner = [t for t in range(len(R)) if left[t] != -1]
        g = {t: strength(left, right, R, t) for t in inner}
        alpha = min(g.values())
        falls = [t for t in inner if g[t] <= alpha + tie]
        return alpha, len(leaves_under(left, right, 0, falls))

    return next_step


def rise(left, right, R, t):
    return R[t] - sum(R[s] for s in leaves_under(left, right, t))


def link(left, right, R, t):
    return rise(left, right, R, t) / (len(leaves_under(left, right, t)) - 1)


def over_all_leaves(left, right, R, t):
    return rise(left, right, R, t) / len(leaves_under(left, right, t))


def over_two_children(left, right, R, t):
    return R[t] - R[left[t]] - R[right[t]]


def as_if_pure(left, right, R, t):
    return R[t] / (len(leaves_under(left, right, t)) - 1)


def next_step_one_leaf(left, right, R):
    alpha, _ = next_step_recursive(left, right, R)
    return alpha, len(leaves_under(left, right, 0)) - 1


def next_step_first_link(left, right, R):
    inner = [t for t in range(len(R)) if left[t] != -1]
    weakest = min(inner, key=lambda t: link(left, right, R, t))
    left_over = leaves_under(left, right, 0, [weakest])
    return link(left, right, R, weakest), len(left_over)


def next_step_counts_twice(left, right, R):
    inner = [t for t in range(len(R)) if left[t] != -1]
    alpha = min(link(left, right, R, t) for t in inner)
    falls = [t for t in inner if link(left, right, R, t) <= alpha + 1e-9]
    gone = sum(len(leaves_under(left, right, t)) - 1 for t in falls)
    return alpha, len(leaves_under(left, right, 0)) - gone


def next_step_alpha_only(left, right, R):
    return next_step_recursive(left, right, R)[0]


# --- pruning-4 -------------------------------------------------------------------------


def mean_and_se(losses, divisor=0, root=True):
    losses = np.asarray(losses, dtype=float)
    n = losses.shape[1] if root else 1
    return losses.mean(axis=1), losses.std(axis=1, ddof=divisor) / np.sqrt(n)


def one_se_loop(losses, n_leaves):
    n = len(losses[0])
    error = [sum(row) / n for row in losses]
    best = min(range(len(losses)), key=lambda k: (error[k], n_leaves[k]))
    variance = sum((loss - error[best]) ** 2 for loss in losses[best]) / n
    line = error[best] + (variance / n) ** 0.5
    return min(leaves for leaves, e in zip(n_leaves, error) if e <= line)


def one_se_mask(losses, n_leaves, divisor=0, root=True):
    error, se = mean_and_se(losses, divisor, root)
    best = np.lexsort([n_leaves, error])[0]
    return np.asarray(n_leaves)[error <= error[best] + se[best]].min()


def one_se_least(losses, n_leaves):
    return n_leaves[int(np.argmin(mean_and_se(losses)[0]))]


def one_se_largest(losses, n_leaves):
    error, se = mean_and_se(losses)
    best = np.argmin(error)
    below = np.flatnonzero(error <= error[best] + se[best])
    return max(n_leaves[k] for k in below if k != best or len(below) == 1)


def one_se_deviation(losses, n_leaves):
    return one_se_mask(losses, n_leaves, root=False)


def one_se_sample(losses, n_leaves):
    return one_se_mask(losses, n_leaves, divisor=1)


def one_se_last(losses, n_leaves):
    error, se = mean_and_se(losses)
    best = np.argmin(error)
    return n_leaves[np.flatnonzero(error <= error[best] + se[best])[-1]]


def one_se_own(losses, n_leaves):
    error, se = mean_and_se(losses)
    best = np.lexsort([n_leaves, error])[0]
    return np.asarray(n_leaves)[error - se <= error[best]].min()


def one_se_first_of_equals(losses, n_leaves):
    error, se = mean_and_se(losses)
    best = np.argmin(error)
    return np.asarray(n_leaves)[error <= error[best] + se[best]].min()


def one_se_strict(losses, n_leaves):
    error, se = mean_and_se(losses)
    best = np.lexsort([n_leaves, error])[0]
    return np.asarray(n_leaves)[error < error[best] + se[best]].min()


# --- pruning-5 -------------------------------------------------------------------------


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


# --- pruning-6 -------------------------------------------------------------------------


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
    "pruning-3": [next_step_recursive, next_step_backwards],
    "pruning-4": [one_se_loop, one_se_mask],
    "pruning-5": [reduced_error_backwards, reduced_error_recursive],
    "pruning-6": [folds_by_unique, folds_by_dictionary],
}

WRONG = {
    "pruning-3": [
        (step_by(over_all_leaves), "still one leaf"),
        (step_by(rise), "divide the rise"),
        (step_by(over_two_children), "whole subtree"),
        (next_step_one_leaf, "takes node 5 along"),
        (next_step_first_link, "both fall in the same step"),
        (next_step_counts_twice, "only once"),
        (step_by(link, tie=0), "up to rounding"),
        (step_by(as_if_pure), "risk of their own"),
        (next_step_alpha_only, "two numbers"),
    ],
    "pruning-4": [
        (one_se_least, "least error"),
        (one_se_largest, "not the largest"),
        (one_se_deviation, "divided by the root"),
        (one_se_sample, "divisor n"),
        (one_se_last, "any order"),
        (one_se_own, "not each tree's own"),
        (one_se_first_of_equals, "smaller one counts"),
        (one_se_strict, "exactly on the line"),
    ],
    "pruning-5": [
        (reduced_error_strict, "ties prune"),
        (reduced_error_top_down, "children before parents"),
        (reduced_error_all_pruned, "only the topmost"),
        (reduced_error_two_levels, "all the way down"),
        (reduced_error_root_only, "all the way down"),
        (reduced_error_of_a_leaf, "a leaf already"),
    ],
    "pruning-6": [
        (folds_of_draws, "copies in two folds"),
        (folds_by_row_number, "differ by one at most"),
        (folds_from_one, "from 0 to n_folds - 1"),
        (folds_of_distinct, "one fold number for each"),
    ],
}
