"""Pruning against brute force, exact fractions, published numbers and scikit-learn."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.model_selection import KFold, StratifiedKFold

from treelab.fast.cart import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.pruning import (
    cost_complexity_path,
    cross_validated_pruning,
    link_table,
    prune,
    pruning_table,
    reduced_error_pruning,
    reduced_error_table,
)
from treelab.fast.tree import LEAF, Tree
from treelab.figures.chi_squared import chi2_prepruning, chi2_table

RISKS = ("impurity", "misclassification")


# --- trees made by hand --------------------------------------------------------------


def flatten(node, rows):
    """Rows (left, right, payload) of a nested tree in preorder; node: (payload, l, r) or leaf."""
    t = len(rows)
    rows.append(None)
    if isinstance(node, tuple):
        payload, left, right = node
        rows[t] = (flatten(left, rows), flatten(right, rows), payload)
    else:
        rows[t] = (LEAF, LEAF, node)
    return t


def make_tree(rows, value, impurity, weight, criterion):
    left = np.array([r[0] for r in rows])
    inner = left != LEAF
    weight = np.asarray(weight, dtype=float)
    return Tree(
        children_left=left,
        children_right=np.array([r[1] for r in rows]),
        feature=np.where(inner, 0, -2),
        threshold=np.where(inner, 0.5, -2.0),
        value=np.asarray(value, dtype=float).reshape(len(rows), 1, -1),
        impurity=np.asarray(impurity, dtype=float),
        n_node_samples=np.ceil(weight).astype(int),
        weighted_n_node_samples=weight,
        left_levels=np.zeros((len(rows), 0), dtype=bool),
        criterion=criterion,
    )


def tree_of_counts(node):
    """A Gini tree from the class counts of its leaves: a list (leaf) or (left, right)."""
    rows = []

    def payload(n):
        if isinstance(n, list):
            return n
        return (None, payload(n[0]), payload(n[1]))

    flatten(payload(node), rows)
    counts = [r[2] for r in rows]
    for t in reversed(range(len(rows))):
        if counts[t] is None:
            counts[t] = [a + b for a, b in zip(counts[rows[t][0]], counts[rows[t][1]])]
    counts = np.array(counts, dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    gini = 1 - (shares**2).sum(axis=1)
    return make_tree(rows, shares, gini, counts.sum(axis=1), "gini"), counts.astype(int)


leaves = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any)
nested = st.recursive(leaves, lambda sub: st.tuples(sub, sub), max_leaves=8)
inner_trees = nested.filter(lambda n: isinstance(n, tuple))


def exact_risks(counts, risk):
    """R(t) as fractions."""
    W = int(counts[0].sum())
    out = []
    for c in counts.tolist():
        n = sum(c)
        missed = (
            n - max(c) if risk == "misclassification" else n - Fraction(sum(k * k for k in c), n)
        )
        out.append(Fraction(missed) / W)
    return out


# --- all pruned subtrees, in exact fractions ------------------------------------------


def pruned_subtrees(tree, t=0):
    """Every pruned subtree, as (inner nodes, leaves)."""
    yield frozenset(), (t,)
    if not tree.is_leaf[t]:
        sides = [
            list(pruned_subtrees(tree, s)) for s in (tree.children_left[t], tree.children_right[t])
        ]
        for (a, m), (b, n) in product(*sides):
            yield frozenset([t]) | a | b, m + n


def kept(path, alpha):
    return frozenset(
        np.flatnonzero(np.isfinite(path.node_alpha) & (path.node_alpha > alpha)).tolist()
    )


@settings(max_examples=40)
@given(inner_trees, st.sampled_from(RISKS))
def test_every_step_is_the_smallest_optimal_subtree(node, risk):
    """Brute force: an alpha is the rent at which a smaller subtree costs as little."""
    tree, counts = tree_of_counts(node)
    R = exact_risks(counts, risk)
    path = cost_complexity_path(tree, risk)
    subtrees = [
        (inner, len(ends), sum(R[t] for t in ends)) for inner, ends in pruned_subtrees(tree)
    ]
    alphas, (total, n) = [0], min((r, n) for _, n, r in subtrees)
    while n > 1:
        alpha, n, total = min(((r - total) / (n - m), m, r) for _, m, r in subtrees if m < n)
        alphas.append(alpha)
    np.testing.assert_allclose(path.alphas, np.array(alphas, float), rtol=1e-9, atol=1e-15)
    for k, alpha in enumerate(alphas):
        between = (alpha + alphas[k + 1]) / 2 if k + 1 < len(alphas) else alpha + 1
        for rent in (alpha, between):
            cost, size = min((r + rent * n, n) for _, n, r in subtrees)
            best = [s for s in subtrees if (s[2] + rent * s[1], s[1]) == (cost, size)]
            assert len(best) == 1
            inner, n_leaves, total = best[0]
            assert inner == kept(path, path.alphas[k])
            assert n_leaves == path.n_leaves[k]
            assert path.risks[k] == pytest.approx(float(total), abs=1e-14)
            pruned = prune(tree, float(rent), risk)
            assert pruned.equals(tree.collapse(sorted(set(range(tree.node_count)) - inner)))


def tree_of_risks(node):
    """A regression tree whose node risks R(t) are the numbers given."""
    rows = []
    flatten(node, rows)
    weight = np.ones(len(rows))
    for t in reversed(range(len(rows))):
        if rows[t][0] != LEAF:
            weight[t] = weight[rows[t][0]] + weight[rows[t][1]]
    risk = np.array([r[2] for r in rows], dtype=float)
    return make_tree(rows, np.zeros(len(rows)), risk * weight[0] / weight, weight, "squared_error")


def test_weakest_link_is_per_leaf():
    """Smallest rise per removed leaf, not smallest rise: B goes before A."""
    A = (1.5, 0.0, 0.0)
    B = (4.0, (1.9, 0.0, 0.0), (1.9, 0.0, 0.0))
    tree = tree_of_risks((20.0, A, B))
    links = link_table(tree)
    assert links.index.tolist() == [0, 1, 4, 5, 8]
    assert links["g"].tolist() == pytest.approx([20 / 5, 1.5, 4 / 3, 1.9, 1.9])
    assert links["weakest"].tolist() == [False, False, True, False, False]
    path = cost_complexity_path(tree)
    assert path.n_leaves.tolist() == [6, 3, 2, 1]
    assert path.alphas.tolist() == pytest.approx([0, 4 / 3, 3 / 2, 20 - 5.5])
    assert path.risks.tolist() == pytest.approx([0, 4, 5.5, 20])
    assert pruning_table(tree)["nodes"].tolist() == [(), (4,), (1,), (0,)]
    assert link_table(tree, alpha=4 / 3).index.tolist() == [0, 1]
    # A kept, B a leaf: the only optimum between 4/3 and 3/2.
    assert prune(tree, 1.4).equals(tree.collapse([4]))


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.integers(50_000, 5_000_000), st.integers(0, 3)), min_size=4, max_size=4)
)
def test_rounding_makes_no_steps(counts):
    """Millions of one class, a few of the other: no split lowers the misclassified share."""
    a, b, c, d = map(list, counts)
    tree, _ = tree_of_counts(((a, b), (c, d)))
    assert cost_complexity_path(tree, "misclassification").n_leaves.tolist() == [1]


def test_a_tree_of_one_leaf():
    tree, _ = tree_of_counts([3, 1, 0])
    path = cost_complexity_path(tree)
    assert (path.alphas.tolist(), path.n_leaves.tolist()) == ([0], [1])
    assert path.risks[0] == pytest.approx(0.375)
    assert prune(tree, 1).equals(tree)
    assert pruning_table(tree)["nodes"].tolist() == [()]
    assert len(link_table(tree)) == 0
    assert len(chi2_table(tree)) == 0
    assert len(reduced_error_table(tree, [[0.0]], [0])) == 0


@pytest.mark.parametrize("side", ["left", "right"])
def test_deep_chains_are_no_trouble(side):
    """Each of 1 500 splits cuts one leaf off, and all links rise by 1 per leaf."""
    J = 1500
    t, end = np.arange(J), [(LEAF, LEAF)] * (J + 1)
    if side == "left":  # the inner nodes come first
        rows, inner = [*zip(t + 1, 2 * J - t), *end], t
    else:
        rows, inner = [(LEAF, LEAF)] * (2 * J + 1), 2 * t
        rows[::2] = [*zip(inner + 1, inner + 2), (LEAF, LEAF)]
    risk = np.zeros(2 * J + 1)
    risk[inner] = J - t
    tree = make_tree(rows, np.zeros(len(rows)), risk, np.ones(len(rows)), "squared_error")
    path = cost_complexity_path(tree)
    assert path.alphas.tolist() == pytest.approx([0, 1])
    assert path.n_leaves.tolist() == [J + 1, 1]


# --- cross-validation ----------------------------------------------------------------


def plain_cross_validation(estimator, X, y, splits, risk, w):
    """Table of errors by pruning every fold's tree with every beta."""
    full = type(estimator)(**estimator.get_params()).fit(X, y, sample_weight=w)
    path = cost_complexity_path(full, risk)
    betas = [*np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf]
    loss = np.zeros((len(y), len(betas)))
    for train, test in splits:
        grown = type(estimator)(**estimator.get_params()).fit(
            X[train], y[train], sample_weight=w[train]
        )
        for k, beta in enumerate(betas):
            answer = prune(grown, beta, risk).predict(X[test])
            if full.tree_.is_classifier:
                loss[test, k] = answer != y[test]
            elif full.tree_.criterion == "absolute_error":
                loss[test, k] = abs(answer - y[test])
            else:
                loss[test, k] = (answer - y[test]) ** 2
    error = np.average(loss, axis=0, weights=w)
    se = np.sqrt((w[:, None] ** 2 * (loss - error) ** 2).sum(axis=0)) / w.sum()
    return betas, error, se


@pytest.mark.parametrize(
    ("estimator", "risk", "weighted"),
    [
        (DecisionTreeClassifier(), "impurity", False),
        (DecisionTreeClassifier(), "misclassification", True),
        (DecisionTreeRegressor(min_samples_leaf=3), "impurity", False),
        (DecisionTreeRegressor(criterion="absolute_error", max_depth=4), "impurity", True),
    ],
)
def test_cross_validation_equals_the_plain_loop(estimator, risk, weighted):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(120, 3))
    signal = X[:, 0] + 0.7 * rng.normal(size=120)
    classes = isinstance(estimator, DecisionTreeClassifier)
    y = np.array(["no", "yes"])[(signal > 0).astype(int)] if classes else signal
    w = rng.uniform(0.2, 2, size=120) if weighted else np.ones(120)
    folds = (StratifiedKFold if classes else KFold)(5, shuffle=True, random_state=1)
    betas, error, se = plain_cross_validation(estimator, X, y, folds.split(X, y), risk, w)
    choices = {}
    for rule in ("min", "one_se"):
        choices[rule] = cross_validated_pruning(
            estimator, X, y, cv=5, rule=rule, risk=risk, sample_weight=w, random_state=1
        )
        table = choices[rule].table
        np.testing.assert_allclose(table["beta"], betas)
        np.testing.assert_allclose(table["cv_error"], error, rtol=1e-10)
        np.testing.assert_allclose(table["se"], se, rtol=1e-8)
    least = np.flatnonzero(error <= error.min() + 1e-12)[-1]
    within = np.flatnonzero(error <= error[least] + se[least])[-1]
    for rule, k in (("min", least), ("one_se", within)):
        choice = choices[rule]
        assert choice.table.index[choice.table["chosen"]].tolist() == [k]
        assert choice.alpha == choice.table["alpha"][k]
        assert choice.estimator.get_n_leaves() == choice.table["n_leaves"][k]
        assert not hasattr(estimator, "tree_")
    again = cross_validated_pruning(estimator, X, y, cv=folds, risk=risk, sample_weight=w)
    pd.testing.assert_frame_equal(again.table, choices["min"].table)
    full = type(estimator)(**estimator.get_params()).fit(X, y, sample_weight=w)
    assert choices["min"].estimator.tree_.equals(prune(full.tree_, choices["min"].alpha, risk))


@pytest.mark.parametrize("as_frame", [True, False])
def test_a_level_or_class_that_a_fold_lacks(as_frame):
    color = ["red"] * 15 + ["blue"] * 14 + ["green"]
    X = pd.DataFrame({"size": np.arange(30) % 7, "color": color})
    y = np.array(["a"] * 15 + ["b"] * 14 + ["c"])
    given_X, columns = (X, ["color"]) if as_frame else (X.to_numpy(), [1])
    model = DecisionTreeClassifier(categorical_features=columns)
    choice = cross_validated_pruning(model, given_X, y, cv=KFold(5, shuffle=True, random_state=2))
    assert choice.estimator.get_params()["categorical_features"] == columns
    assert choice.estimator.predict(given_X[:1]).tolist() == ["a"]
    # Only the single green case, class c, is wrong.
    assert choice.table["cv_error"].min() == pytest.approx(1 / 30)


# --- reduced-error pruning -----------------------------------------------------------


def test_unreached_nodes_are_kept_on_request():
    """No case comes to node 4."""
    tree = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], list("abcd")).tree_
    X_val, y_val = [[0, 0], [0, 1]], [0, 1]
    assert reduced_error_pruning(tree, X_val, y_val).equals(tree.collapse([4]))
    assert reduced_error_pruning(tree, X_val, y_val, keep_unreached=True).equals(tree)
    assert reduced_error_table(tree, X_val, y_val)["weight"].tolist() == [2, 0, 2]


def test_equal_errors_prune_though_rounding_parts_them():
    """0.1 + 0.2 + 0.3 is more than (0.2 + 0.3) + 0.1 in floating point."""
    model = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"])
    table = reduced_error_table(model, [[2], [1], [1]], ["x"] * 3, sample_weight=[0.1, 0.2, 0.3])
    assert table["errors_as_leaf"][0] > table["errors_of_subtree"][0]
    assert table["pruned"].tolist() == [True]


def test_a_node_that_one_light_case_reaches_is_not_unreached():
    model = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"])
    for weight in (1.0, 0.1):
        table = reduced_error_table(model, [[2]], ["a"], True, sample_weight=[weight])
        assert table["pruned"].tolist() == [True]


def test_a_class_not_seen_in_training_is_always_an_error():
    model = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"])
    table = reduced_error_table(model, [[1], [2], [2]], ["a", "b", "z"])
    assert table["leaf_errors"].item() == (0, 1)
    assert table["errors_as_leaf"].item() == 2


# --- chi-squared ---------------------------------------------------------------------


@settings(max_examples=20)
@given(inner_trees)
def test_chi2_equals_scipy(node):
    tree, counts = tree_of_counts(node)
    table = chi2_table(tree, alpha=0.3)
    for t, row in table.iterrows():
        cells = counts[[tree.children_left[t], tree.children_right[t]]]
        cells = cells[:, cells.sum(axis=0) > 0]
        expected = chi2_contingency(cells, correction=False)
        assert row["df"] == expected.dof
        assert row["statistic"] == pytest.approx(expected.statistic, abs=1e-9)
        assert row["p_value"] == pytest.approx(expected.pvalue, abs=1e-12)
        assert row["min_expected"] == pytest.approx(expected.expected_freq.min())
        up = tree.parent[t]
        assert row["tested"] == (up < 0 or table["keep"][up])
        assert row["keep"] == (row["tested"] and row["p_value"] <= 0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small counts
        pruned = chi2_prepruning(tree, alpha=0.3)
    assert pruned.n_leaves == table["keep"].sum() + 1


def test_chi2_stops_at_the_first_split_without_evidence():
    """Nothing is left of an XOR, and a good split below a bad one goes with it."""
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0], [0, 1], [1, 0], [1, 1]], 10, axis=0) + rng.normal(0, 0.1, (40, 2))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    xor, _ = tree_of_counts((([10, 0], [0, 10]), ([0, 10], [10, 0])))
    assert chi2_table(xor)["p_value"].tolist() == pytest.approx([1, 7.744216e-6, 7.744216e-6])
    assert chi2_table(xor)["significant"].tolist() == [False, True, True]
    assert chi2_prepruning(xor).n_leaves == 1
    assert chi2_table(xor, alpha=1.0)["significant"].all()  # a p-value of 1 is at most 1
    model = DecisionTreeClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pruned = chi2_prepruning(model, alpha=1.0)
    assert pruned.tree_.equals(model.tree_)


def test_bonferroni_divides_by_the_splits():
    tree, _ = tree_of_counts((([12, 8], [7, 13]), ([10, 10], [0, 20])))
    p = chi2_table(tree)["p_value"]
    strict = chi2_table(tree, alpha=0.05, bonferroni=True)
    assert strict["significant"].tolist() == (p <= 0.05 / 3).tolist()
    assert chi2_table(tree, alpha=0.05)["significant"].sum() > 0
    for share, n_significant in ((1.01, 1), (0.99, 0)):
        table = chi2_table(tree, alpha=3 * p.min() * share, bonferroni=True)
        assert table["significant"].sum() == n_significant


def test_small_expected_counts_are_warned_of():
    tree, _ = tree_of_counts(([9, 0], [0, 9]))
    with pytest.warns(UserWarning, match="1 of 1 tests have an expected weight below 5"):
        chi2_prepruning(tree)
    large, _ = tree_of_counts(([90, 0], [0, 90]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chi2_prepruning(large).n_leaves == 2
        just, _ = tree_of_counts(([10, 0], [0, 10]))  # 5 in each cell are enough
        assert chi2_prepruning(just).n_leaves == 2
        # The splits below the first are thin, but growing never comes to them.
        xor, _ = tree_of_counts((([8, 0], [0, 8]), ([0, 8], [8, 0])))
        assert chi2_prepruning(xor).n_leaves == 1


# --- errors --------------------------------------------------------------------------

CLASSES = DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"])
NUMBERS = DecisionTreeRegressor().fit([[1], [2], [3]], [1.0, 2.0, 2.0])
X3, Y3 = [[1], [2], [3]], ["a", "b", "b"]
TWO = DecisionTreeClassifier().fit([[1, 1], [1, 2]], [0, 1]).tree_


@each("case", refused("pruning"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())


def test_links_without_any_rise_are_the_weakest():
    tree, _ = tree_of_counts(([2, 2], [2, 2]))
    table = link_table(tree)
    assert table["g"].tolist() == [0.0]
    assert table["weakest"].tolist() == [True]


def test_alphas_follow_the_scale_of_small_targets():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    plain, small = (
        cost_complexity_path(DecisionTreeRegressor().fit(X, y * scale)) for scale in (1.0, 1e-9)
    )
    np.testing.assert_array_equal(plain.n_leaves, small.n_leaves)
    np.testing.assert_allclose(small.alphas, plain.alphas * 1e-18, rtol=1e-6)


def test_one_standard_error_of_nothing_is_no_room():
    """Every fold is predicted without error, and the least error is within itself."""
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    choice = cross_validated_pruning(
        DecisionTreeClassifier(), X, X[:, 0], cv=4, rule="one_se", random_state=0
    )
    assert choice.estimator.get_n_leaves() == 2
    assert choice.table["cv_error"].min() == choice.table["se"].min() == 0
    constant = cross_validated_pruning(DecisionTreeRegressor(), X, np.ones(40), cv=4)
    assert constant.estimator.get_n_leaves() == 1


def test_of_all_trees_with_the_least_weighted_error_the_smallest_is_chosen():
    """Splits that change no prediction change no error."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, w = rng.integers(0, 6, (150, 1)).astype(float), rng.uniform(0.01, 3, 150)
        y = rng.random(150) < 0.05 + 0.05 * X[:, 0]
        table = cross_validated_pruning(
            DecisionTreeClassifier(), X, y, cv=5, sample_weight=w, random_state=seed
        ).table
        least = np.flatnonzero(np.isclose(table["cv_error"], table["cv_error"].min(), rtol=1e-9))
        assert np.flatnonzero(table["chosen"]).tolist() == [least[-1]]
