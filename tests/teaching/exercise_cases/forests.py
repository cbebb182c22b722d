"""Right and wrong answers to the exercises of the chapter "Random forests"."""

from itertools import combinations

import numpy as np

# --- forests-2 -------------------------------------------------------------------------


def variance_formula(rho, s2, B):
    if rho > 1 or B > 1 and rho < -1 / (B - 1):
        raise ValueError("impossible correlation")
    return s2 * (rho + (1 - rho) / B)


def variance_of_matrix(rho, s2, B):
    covariance = s2 * (np.full((B, B), float(rho)) + (1 - rho) * np.eye(B))
    if B > 1 and np.linalg.eigvalsh(covariance).min() < -1e-9:
        raise ValueError("not a covariance matrix")
    return covariance.mean()


def variance_independent(rho, s2, B):
    return s2 / B


def variance_limit(rho, s2, B):
    return rho * s2


def variance_without_share(rho, s2, B):
    return s2 * (rho + 1 / B)


def variance_one_term(rho, s2, B):
    return rho * s2 + (1 - rho) / B


def variance_everywhere(rho, s2, B):
    return rho * s2 + (1 - rho) * s2 / B


def variance_not_negative(rho, s2, B):
    if rho < 0:
        raise ValueError("negative")
    return rho * s2 + (1 - rho) * s2 / B


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


def correlation_by_variances(P):
    W = np.mean([np.var(row, ddof=1) for row in P])
    V = np.var([np.mean(row) for row in P], ddof=1)
    s2 = V + W * (1 - 1 / len(P[0]))
    return 1 - W / s2, s2


def correlation_by_sums(P):
    P = np.asarray(P)
    n, B = P.shape
    means = P.mean(axis=1, keepdims=True)
    W = ((P - means) ** 2).sum() / (n * (B - 1))
    V = ((means - P.mean()) ** 2).sum() / (n - 1)
    shared = V - W / B
    return shared / (shared + W), shared + W


def correlation_with_noise(P):
    W, V = P.var(axis=1, ddof=1).mean(), P.mean(axis=1).var(ddof=1)
    return V / (V + W), V + W


def correlation_within(P):
    rho, _ = correlation_by_sums(P)
    return rho, P.var(axis=1, ddof=1).mean()


def correlation_plain_divisors(P):
    W, V = P.var(axis=1).mean(), P.mean(axis=1).var()
    shared = V - W / P.shape[1]
    return shared / (shared + W), shared + W


def correlation_not_divided(P):
    rho, s2 = correlation_by_sums(P)
    return rho * s2, s2


CORRECT = {
    "forests-2": [variance_formula, variance_of_matrix],
    "forests-3": [proximity_by_tree, proximity_loops],
    "forests-5": [candidates_choice, candidates_permuted],
    "forests-7": [correlation_by_variances, correlation_by_sums],
}

WRONG = {
    "forests-2": [
        (variance_independent, "independent variables"),
        (variance_limit, "limit for many trees"),
        (variance_without_share, "counts too much"),
        (variance_one_term, "multiples of s2"),
        (variance_everywhere, "raise a ValueError"),
        (variance_not_negative, "ValueError: negative"),
    ],
    "forests-3": [
        (proximity_counts, "their share"),
        (proximity_any_tree, "Compare within a tree"),
        (proximity_of_trees, "three cases"),
        (proximity_by_cases, "number of trees, not of cases"),
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
        (correlation_with_noise, "subtract it"),
        (correlation_within, "within plus between"),
        (correlation_plain_divisors, "ddof=1"),
        (correlation_not_divided, "divide the shared variance"),
    ],
}
