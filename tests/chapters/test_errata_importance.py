"""The calculations behind the page of errata: importance.

Each entry of book/errata names the test that backs it; `test_errata.py` checks that.
"""

import numpy as np
import pytest
from replicated import load_script

from treelab import (
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast.importance import (
    compare_rankings,
    importance_z_scores,
    impurity_decreases,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
    squared_improvement,
)
from treelab.figures.totally_randomized_trees import mutual_information_decomposition


def total_decreases(tree):
    """Feature of each split, and what the split takes from the sum of squares."""
    inner = np.flatnonzero(~tree.is_leaf)
    R = tree.weighted_n_node_samples * tree.impurity
    gain = R[inner] - R[tree.children_left[inner]] - R[tree.children_right[inner]]
    return tree.feature[inner], gain


def test_improvements_squared_again_reverse_an_order():
    X = np.array([(a, b) for a in (0, 1) for b in range(4)])
    y = 5.0 * X[:, 0] + 6.0 * (X[:, 1] % 2)
    model = DecisionTreeRegressor().fit(X, y)
    feature, gain = total_decreases(model.tree_)
    assert np.bincount(feature).tolist() == [1, 6]
    assert np.bincount(feature, gain) == pytest.approx([50, 72])
    assert np.bincount(feature, gain**2) == pytest.approx([2500, 1008])
    explained = [8 * np.var([y[X[:, j] == x].mean() for x in np.unique(X[:, j])]) for j in (0, 1)]
    assert explained == pytest.approx([50, 72])  # of 122, and it takes no tree to say so
    assert squared_improvement(model) == pytest.approx([100 * np.sqrt(50 / 72), 100])
    assert squared_improvement(model).round(1).tolist() == [83.3, 100]


def test_late_trees_count_as_much_as_the_first():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = 10 * X[:, 0] + 0.3 * X[:, 1] + rng.normal(size=300)
    model = GradientBoostingRegressor(n_estimators=300, random_state=0).fit(X, y)
    each = impurity_decreases(model)
    assert each[100:].sum() / each.sum() == pytest.approx(0.003, abs=5e-4)
    total, by_tree = (mean_decrease_impurity(model, normalize=how) for how in ("total", "tree"))
    assert by_tree == pytest.approx((each / each.sum(axis=1)[:, None]).mean(axis=0))
    assert [total[0], by_tree[0]] == pytest.approx([0.992, 0.270], abs=5e-4)
    assert by_tree[2:].sum() == pytest.approx(0.53, abs=0.005)


def test_a_z_score_tests_the_forest():
    """The data stay the same; the scores grow with the root of the number of trees."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5))
    y = X[:, 0] + rng.normal(size=100)
    forest = RandomForestRegressor(800, max_features=2, random_state=0).fit(X, y)
    shuffled = oob_permutation_importance(forest, X, y, random_state=0).per_tree
    last = importance_z_scores(shuffled)[[1, 4]]  # two columns of noise
    assert last == pytest.approx([2.8, -4.7], abs=0.05)
    by_impurity = impurity_decreases(forest)
    few, many = (importance_z_scores(by_impurity[:B])[1:] for B in (50, 800))
    assert [few.min(), many.min(), many.max()] == pytest.approx([12, 44, 50], abs=0.5)


@pytest.fixture(scope="module")
def lucky():
    rng = np.random.default_rng(0)
    four_columns = load_script("importance").four_columns
    X, y = four_columns(300, rng)
    new = four_columns(1000, rng)
    return RandomForestClassifier(100, random_state=0).fit(X, y), new


def test_the_losses_of_a_shuffle_may_add_up_to_nothing(lucky):
    forest, new = lucky
    lost = permutation_importance(forest, *new, n_repeats=5, random_state=0).importances_mean
    assert lost[1:].sum() == pytest.approx(-0.027, abs=5e-4)
    assert (lost / lost.sum())[[0, 3]] == pytest.approx([2.16, -0.97], abs=0.005)


def test_noise_has_most_of_the_impurity(lucky):
    share = mean_decrease_impurity(lucky[0])
    assert share[3] == pytest.approx(0.73, abs=0.005)
    assert share[0] == pytest.approx(0.11, abs=0.005)


def test_a_tree_fitted_to_the_shuffled_cases_loses_nothing():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = X[:, 0]
    forest = RandomForestRegressor(20, random_state=0).fit(X, y)
    same, again = [], []
    for tree, sample in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(200), sample)
        Z = X[out]
        Z[:, 0] = rng.permutation(Z[:, 0])
        same.append(np.mean((tree.predict(Z) - y[out]) ** 2))
        again.append(np.mean((DecisionTreeRegressor().fit(Z, y[out]).predict(Z) - y[out]) ** 2))
    assert np.max(again) < 1e-20
    assert np.mean(same) == pytest.approx(2 * np.var(y), rel=0.1)
    increase = oob_permutation_importance(forest, X, y, random_state=0).importances_mean
    assert increase[0] == pytest.approx(np.mean(same), rel=0.1)


def test_equal_depths_but_not_equal_importances():
    days = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1], [1, 1]])
    trees = [DecisionTreeRegressor().fit(days, [*[a] * 4, b, b, c, c]) for a, b, c in
             [(2.0, 6, 14), (4.0, 8, 12)]]  # fmt: skip
    assert trees[0].tree_.feature.tolist() == trees[1].tree_.feature.tolist()
    first, second = map(mean_decrease_impurity, trees)
    assert [first[0], second[0]] == pytest.approx([2 / 3, 9 / 11])


def test_the_ranking_metrics_do_not_grow_with_the_difference():
    order = np.arange(32)
    ends, near = order.copy(), order.copy()
    ends[[0, 31]], near[[0, 1]] = [31, 0], [1, 0]
    found = [compare_rankings(order, other) for other in (near, ends, order[::-1])]
    assert [f["metric1"] for f in found] == pytest.approx([1.0, 9.3e-10, 1.5e-8], rel=0.02)
    assert [f["kendall_tau"] for f in found] == pytest.approx([0.996, 0.754, -1], abs=5e-4)
    weight = 2.0 ** -(order[:, None] + order)  # each place goes to each with chance 1/32
    far = np.abs(order[:, None] - order)
    chaos = [(weight.sum() - np.trace(weight)) / 32, (far * weight).sum() / 32]
    assert chaos == pytest.approx([0.083, 0.167], abs=5e-4)


def test_seven_numbers_cut_off():
    lit = ["1110111", "0010010", "1011101", "1011011", "0111010",
           "1101011", "1101111", "1010010", "1111111", "1111011"]  # fmt: skip
    segments = np.array([[int(bar) for bar in digit] for digit in lit])
    exact = mutual_information_decomposition(segments, np.arange(10)).sum(axis=1).to_numpy()
    printed = [0.412, 0.581, 0.531, 0.542, 0.656, 0.225, 0.372]
    assert (np.floor(1000 * exact) / 1000).tolist() == printed
    assert exact.round(3).tolist() == [0.413, 0.582, 0.531, 0.542, 0.657, 0.226, 0.372]
    assert exact.sum() == pytest.approx(np.log2(10), abs=1e-12)
