"""Trees of treelab and of scikit-learn, compared node for node."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from treelab import DecisionTreeClassifier, DecisionTreeRegressor

CLASSES, NUMBERS = ("gini", "entropy"), ("squared_error", "absolute_error")


CLOSE = {"rtol": 1e-9, "atol": 1e-12}


def float32(X):
    return np.asarray(X, dtype=np.float32).astype(float)


def continuous(seed, n=300, p=5, n_classes=None):
    """Features without repeated values; a number, or classes, that depend on three of them.

    Classes are noisy, so that no two features tell the rows of a node apart without error: such
    cuts would be equally good.
    """
    rng = np.random.default_rng(seed)
    X = float32(rng.normal(size=(n, p)))
    score = X[:, 0] + np.sin(2 * X[:, p // 2]) * X[:, -1] + rng.normal(size=n)
    y = score if n_classes is None else np.digitize(score, [-0.7, 0.6][: n_classes - 1])
    if n_classes is not None:
        noisy = rng.random(n) < 0.3
        y[noisy] = rng.integers(0, n_classes, size=noisy.sum())
    return X, y, rng.integers(32, 512, size=n) / 64  # sums of these weights are exact


def pair(criterion, **parameters):
    """treelab's estimator and scikit-learn's."""
    ours, theirs = (
        (DecisionTreeClassifier, TheirClassifier)
        if criterion in CLASSES
        else (DecisionTreeRegressor, TheirRegressor)
    )
    return (
        ours(criterion=criterion, **parameters),
        theirs(criterion=criterion, random_state=0, **parameters),
    )


def only_one_tree(theirs, X, y, w):
    """True if scikit-learn finds the same tests in whatever order it looks at the features."""
    fits = [theirs.set_params(random_state=seed).fit(X, y, w).tree_ for seed in range(8)]
    return all(
        np.array_equal(fit.feature, fits[0].feature)
        and np.array_equal(fit.threshold, fits[0].threshold)
        for fit in fits
    )


def assert_same_tree(ours, theirs):
    """All arrays of the two fitted trees are equal."""
    a, b = ours.tree_, theirs.tree_
    np.testing.assert_array_equal(a.children_left, b.children_left)
    np.testing.assert_array_equal(a.children_right, b.children_right)
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_allclose(a.threshold, b.threshold, rtol=1e-12)
    np.testing.assert_array_equal(a.n_node_samples, b.n_node_samples)
    np.testing.assert_allclose(a.weighted_n_node_samples, b.weighted_n_node_samples, **CLOSE)
    np.testing.assert_allclose(a.value, b.value, **CLOSE)
    np.testing.assert_allclose(a.impurity, b.impurity, rtol=1e-9, atol=1e-10)


STOPPING = [
    {"max_depth": 4, "min_samples_leaf": 5},
    {"min_samples_leaf": 7},
    {"min_samples_split": 40, "min_samples_leaf": 4},
    {"max_depth": 6, "min_impurity_decrease": 0.01, "min_samples_leaf": 5},
    {"min_samples_leaf": 6, "ccp_alpha": 0.01},
]


def rows_of(tree, leaf, t):
    """Rows in node t, from the leaf of each row; nodes are numbered in preorder."""
    last = t
    while tree.children_right[last] != -1:
        last = tree.children_right[last]
    return (leaf >= t) & (leaf <= last)


def gain_of(tree, t):
    """Decrease of the total impurity of node t by its split, as a share of it."""
    R = np.asarray(tree.weighted_n_node_samples) * np.asarray(tree.impurity)
    return (R[t] - R[tree.children_left[t]] - R[tree.children_right[t]]) / R[t]


def assert_equal_until_tied(ours, theirs, X):
    """Walk down both trees; where they part, the two cuts must be equally good.

    Returns the number of nodes that were compared.
    """
    a, b = ours.tree_, theirs.tree_
    leaf_a, leaf_b = ours.apply(X), theirs.apply(X)
    waiting, n_compared = [(0, 0)], 0
    while waiting:
        s, t = waiting.pop()
        n_compared += 1
        np.testing.assert_array_equal(rows_of(a, leaf_a, s), rows_of(b, leaf_b, t))
        np.testing.assert_allclose(a.impurity[s], b.impurity[t], rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(a.value[s], b.value[t], **CLOSE)
        np.testing.assert_allclose(
            a.weighted_n_node_samples[s], b.weighted_n_node_samples[t], **CLOSE
        )
        assert (a.children_left[s] == -1) == (b.children_left[t] == -1)
        if a.children_left[s] == -1:
            continue
        np.testing.assert_allclose(gain_of(a, s), gain_of(b, t), rtol=1e-8, atol=1e-10)
        mine, other = rows_of(a, leaf_a, a.children_left[s]), rows_of(b, leaf_b, b.children_left[t])
        if np.array_equal(mine, other):
            waiting.append((a.children_left[s], b.children_left[t]))
            waiting.append((a.children_right[s], b.children_right[t]))
    return n_compared
