"""Right and wrong answers to the exercises of the chapter "Why one tree is not enough"."""

from collections import Counter

import numpy as np

from treelab import DecisionTreeClassifier

# --- instability-2 ---------------------------------------------------------------------


def bias_variance_methods(P, truth):
    return ((P.mean(axis=0) - truth) ** 2).mean(), P.var(axis=0).mean()


def bias_variance_loop(P, truth):
    bias2, variance = [], []
    for column, f in zip(P.T.tolist(), truth):
        mean = sum(column) / len(column)
        bias2.append((mean - f) ** 2)
        variance.append(sum((v - mean) ** 2 for v in column) / len(column))
    return sum(bias2) / len(bias2), sum(variance) / len(variance)


def bias_variance_error_as_bias(P, truth):
    return np.mean((P - truth) ** 2), P.var(axis=0).mean()


def bias_variance_from_truth(P, truth):
    return np.mean((P.mean(axis=0) - truth) ** 2), np.mean((P - truth) ** 2)


def bias_variance_ddof(P, truth):
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0, ddof=1).mean()


def bias_variance_signed(P, truth):
    return np.mean(P - truth) ** 2, P.var(axis=0).mean()


def bias_variance_mixed(P, truth):
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var()


def bias_variance_per_point(P, truth):
    return (P.mean(axis=0) - truth) ** 2, P.var(axis=0)


# --- instability-3 ---------------------------------------------------------------------


def corrected_by_parts(P, truth):
    m = len(P)
    bias2, variance = bias_variance_methods(P, truth)
    variance *= m / (m - 1)
    return bias2 - variance / m, variance


def corrected_from_sum(P, truth):
    variance = np.cov(P, rowvar=False).reshape(P.shape[1], -1).diagonal().mean()
    return np.mean((P - truth) ** 2) - variance, variance


def corrected_clipped(P, truth):
    bias2, variance = corrected_by_parts(P, truth)
    return max(bias2, 0.0), variance


def corrected_added(P, truth):
    s2 = P.var(axis=0, ddof=1)
    return np.mean((P.mean(axis=0) - truth) ** 2 + s2 / len(P)), s2.mean()


def corrected_whole(P, truth):
    s2 = P.var(axis=0, ddof=1)
    return np.mean((P.mean(axis=0) - truth) ** 2 - s2), s2.mean()


def corrected_only_variance(P, truth):
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0, ddof=1).mean()


def corrected_mixed(P, truth):
    s2 = P.var(ddof=1)
    return np.mean((P.mean(axis=0) - truth) ** 2) - s2 / len(P), s2


# --- instability-4 ---------------------------------------------------------------------


def vote_gain_bincount(P, y):
    vote = [np.bincount(column).argmax() for column in P.T]
    return (P != y).mean() - (vote != y).mean()


def vote_gain_counter(P, y):
    wrong = 0
    for column, truth in zip(P.T.tolist(), y.tolist()):
        counts = Counter(column)
        wrong += min(counts, key=lambda k: (-counts[k], k)) != truth
    return float(np.mean(P != y)) - wrong / len(y)


def vote_gain_reversed(P, y):
    return -vote_gain_bincount(P, y)


def vote_gain_error(P, y):
    return np.mean([np.bincount(c).argmax() for c in P.T] != y)


def vote_gain_mean(P, y):
    return np.mean(P != y) - np.mean(np.floor(P.mean(axis=0) + 0.5) != y)


def vote_gain_last(P, y):
    top = [len(c) - 1 - c[::-1].argmax() for c in map(np.bincount, P.T)]
    return np.mean(P != y) - np.mean(top != y)


def vote_gain_half(P, y):
    share = (P == y).mean(axis=0)
    smallest = (P < y).sum(axis=0) == 0
    return np.mean(P != y) - np.mean(~((share > 0.5) | ((share == 0.5) & smallest)))


# --- instability-5 ---------------------------------------------------------------------


def root_shares_bincount(X, y, n_samples, random_state):
    rng = np.random.default_rng(random_state)
    roots = []
    for _ in range(n_samples):
        rows = rng.integers(len(y), size=len(y))
        roots.append(DecisionTreeClassifier(max_depth=1).fit(X[rows], y[rows]).tree_.feature[0])
    return np.bincount(roots, minlength=X.shape[1]) / n_samples


def root_shares_importances(X, y, n_samples, random_state):
    rng = np.random.default_rng(random_state)
    used = []
    for _ in range(n_samples):
        rows = rng.integers(len(y), size=len(y))
        used.append(DecisionTreeClassifier(max_depth=1).fit(X[rows], y[rows]).feature_importances_)
    return np.mean(used, axis=0)


def root_shares_counts(X, y, n_samples, random_state):
    return root_shares_bincount(X, y, n_samples, random_state) * n_samples


def root_shares_one_seed(X, y, n_samples, random_state):
    roots = []
    for _ in range(n_samples):
        rows = np.random.default_rng(random_state).integers(len(y), size=len(y))
        roots.append(DecisionTreeClassifier(max_depth=1).fit(X[rows], y[rows]).tree_.feature[0])
    return np.bincount(roots, minlength=X.shape[1]) / n_samples


def root_shares_permuted(X, y, n_samples, random_state):
    rng = np.random.default_rng(random_state)
    roots = []
    for _ in range(n_samples):
        rows = rng.integers(len(y), size=len(y))
        roots.append(DecisionTreeClassifier(max_depth=1).fit(X[rows], y).tree_.feature[0])
    return np.bincount(roots, minlength=X.shape[1]) / n_samples


def root_shares_only_seen(X, y, n_samples, random_state):
    shares = root_shares_bincount(X, y, n_samples, random_state)
    return shares[shares > 0]


CORRECT = {
    "instability-2": [bias_variance_methods, bias_variance_loop],
    "instability-3": [corrected_by_parts, corrected_from_sum],
    "instability-4": [vote_gain_bincount, vote_gain_counter],
    "instability-5": [root_shares_bincount, root_shares_importances],
}

WRONG = {
    "instability-2": [
        (bias_variance_error_as_bias, "average the predictions first"),
        (bias_variance_from_truth, "not from the truth"),
        (bias_variance_ddof, "not by 2"),
        (bias_variance_signed, "do not cancel"),
        (bias_variance_mixed, "mixed the points"),
        (bias_variance_per_point, "two numbers"),
    ],
    "instability-3": [
        (bias_variance_methods, "divide by M - 1"),
        (corrected_clipped, "may be negative"),
        (corrected_added, "not added"),
        (corrected_whole, "take off 3, not 9"),
        (corrected_only_variance, "scatters too"),
        (corrected_mixed, "column by column"),
    ],
    "instability-4": [
        (vote_gain_reversed, "the sign"),
        (vote_gain_error, "not a difference"),
        (vote_gain_mean, "do not average class numbers"),
        (vote_gain_last, "smallest class wins"),
        (vote_gain_half, "half is not needed"),
    ],
    "instability-5": [
        (root_shares_counts, "you returned counts"),
        (root_shares_one_seed, "drawn anew"),
        (root_shares_permuted, "prescribed draws"),
        (root_shares_only_seen, "one share for each"),
    ],
}
