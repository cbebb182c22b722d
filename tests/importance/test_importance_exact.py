"""What is exact: Shapley values, the decomposition of mutual information, and rankings."""

from functools import lru_cache
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from cases import each
from fitted_models import THREE, X, every_model, output_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

import treelab
from treelab.fast.importance import (
    compare_rankings,
    conditional_mutual_information,
    parts_of,
    ranking_stability,
    rankings,
    shap_values,
)
from treelab.figures.totally_randomized_trees import (
    mutual_information_decomposition,
    totally_randomized_importance,
)

# --- Shapley values -------------------------------------------------------------------------


def expectation(tree, steps, x, come, t=0):
    """What a tree expects when only some features have come."""
    left, right = tree.children_left[t], tree.children_right[t]
    if left == -1:
        return steps[t]
    j = tree.feature[t]
    if j in come:
        goes_left = tree.goes_left(np.array([t]), x[[j]])[0]
        return expectation(tree, steps, x, come, left if goes_left else right)
    W = tree.weighted_n_node_samples
    return (
        W[left] * expectation(tree, steps, x, come, left)
        + W[right] * expectation(tree, steps, x, come, right)
    ) / W[t]


def by_all_subsets(v, p, K):
    """Shapley values of a game from the definition; (p, K)."""
    values, v = np.zeros((p, K)), lru_cache(v)
    for j in range(p):
        others = [m for m in range(p) if m != j]
        for k in range(p):
            weight = factorial(k) * factorial(p - k - 1) / factorial(p)
            for S in combinations(others, k):
                values[j] += weight * (v(tuple(sorted((*S, j)))) - v(S))
    return values


def brute_force(parts, tables, i):
    """Path-dependent Shapley values of row i; (p, K)."""

    def v(come):
        return sum(
            expectation(part.tree, part.steps, table[i], come)
            for part, table in zip(parts.trees, tables, strict=True)
        )

    return by_all_subsets(v, parts.n_features, len(parts.start))


def brute_force_against(parts, tables, i, backgrounds):
    """Interventional Shapley values of row i: the mean prediction over mixed rows; (p, K)."""

    def v(come):
        worth = 0.0
        for part, table, background in zip(parts.trees, tables, backgrounds, strict=True):
            mixed = background.copy()
            mixed[:, come] = table[i, come]
            worth = worth + part.steps[part.tree.apply(mixed)].mean(axis=0)
        return worth

    return by_all_subsets(v, parts.n_features, len(parts.start))


@every_model
def test_shap_values_are_those_of_the_definition(model):
    parts = parts_of(model)
    if parts.output is None:
        with pytest.raises(TypeError, match="median"):
            shap_values(model, X)
        return
    tables = parts.read(X)
    found = shap_values(model, X)["values"]
    expected = parts.squeeze(brute_force(parts, tables, 17))
    np.testing.assert_allclose(found[17], expected, rtol=0, atol=1e-10)


def test_single_leaves():
    size = pd.DataFrame({"size": np.arange(40.0)})
    explained = shap_values(treelab.DecisionTreeClassifier().fit(size, ["a"] * 40), size)
    assert (explained["values"] == 0).all()
    assert explained.expected_value == 1.0


def test_deep_trees_with_many_features():
    """More features on a way than fit into a table of all patterns, and many rows."""
    n, p = 260, 30
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((n, p))
    y = rng.standard_normal(n)
    model = treelab.DecisionTreeRegressor(max_features=1, random_state=0).fit(wide, y)
    explained = shap_values(model, wide)
    total = explained["values"].sum(axis=1) + explained.expected_value
    np.testing.assert_allclose(total, model.predict(wide), rtol=0, atol=1e-10)
    first, again = (
        shap_values(model, rows)["values"] for rows in (wide[:3], np.tile(wide, (8, 1)))
    )
    np.testing.assert_allclose(again[:3], first, rtol=0, atol=1e-12)


def test_shap_values_of_nodes_without_weight():
    """scikit-learn keeps leaves whose rows weigh nothing; no case of training goes there."""
    from sklearn.tree import DecisionTreeRegressor

    data = np.arange(8.0)[:, None]
    y = np.array([0, 1, 5, 5, 9, 9, 9, 3.0])
    weight = np.array([1, 1, 1, 1, 1, 1, 0, 0.0])
    model = DecisionTreeRegressor(random_state=0).fit(data, y, sample_weight=weight)
    explained = shap_values(model, data)
    total = explained["values"].sum(axis=1) + explained.expected_value
    np.testing.assert_allclose(total, model.predict(data), atol=1e-12)


# --- interventional Shapley values ----------------------------------------------------------


@every_model
def test_interventional_values_are_those_of_the_definition(model):
    parts = parts_of(model)
    if parts.output is None:
        with pytest.raises(TypeError, match="median"):
            shap_values(model, X, method="interventional", background=X)
        return
    tables, background = parts.read(X), X[100:120]
    explained = shap_values(model, X, method="interventional", background=background)
    expected = brute_force_against(parts, tables, 0, parts.read(background))
    np.testing.assert_allclose(explained["values"][0], parts.squeeze(expected), atol=1e-10)
    said = output_of(model)
    total = explained["values"].sum(axis=1) + explained.expected_value
    np.testing.assert_allclose(total, said, rtol=0, atol=1e-10)
    mean = said[100:120].mean(axis=0)
    np.testing.assert_allclose(explained.expected_value, mean, rtol=0, atol=1e-10)


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(2, 40), st.integers(1, 7))
def test_shap_values_of_random_trees(seed, p, n, m):
    """Numbers and categories, weights, repeated tests of a feature."""
    rng = np.random.default_rng(seed)
    data, y = rng.integers(0, 4, (n, p)).astype(float), rng.standard_normal(n)
    tree = treelab.DecisionTreeRegressor(
        max_features=1, categorical_features=[0], random_state=seed % 97
    )
    parts = parts_of(tree.fit(data, y, sample_weight=rng.random(n) + 0.01))
    new, background = data[rng.integers(n, size=3)], data[rng.integers(n, size=m)]
    new[:, 1:] += rng.integers(-1, 2, (3, p - 1))
    tables, backgrounds = parts.read(new), parts.read(background)
    found = shap_values(tree, new)["values"]
    against = shap_values(tree, new, method="interventional", background=background)["values"]
    for i in range(3):
        expected = brute_force(parts, tables, i)[:, 0]
        np.testing.assert_allclose(found[i], expected, rtol=0, atol=1e-10)
        expected = brute_force_against(parts, tables, i, backgrounds)[:, 0]
        np.testing.assert_allclose(against[i], expected, rtol=0, atol=1e-10)


def test_interventional_values_of_names_and_of_many_rows():
    """A DataFrame with categories; blocks of rows and of pairs do not show."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"color": rng.choice(list("rgbk"), 3000)})
    frame = frame.assign(**{f"x{j}": rng.standard_normal(3000) for j in range(14)})
    y = rng.standard_normal(3000) + (frame["color"] == "g")
    model = treelab.DecisionTreeRegressor(max_features=1, random_state=0)
    model.set_params(categorical_features=["color"], min_samples_leaf=100).fit(frame, y)
    background = frame[:700]
    found = shap_values(model, frame, method="interventional", background=background)
    total = found["values"].sum(axis=1) + model.predict(background).mean()
    np.testing.assert_allclose(total, model.predict(frame), rtol=0, atol=1e-10)
    few = shap_values(model, frame[2500:2503], method="interventional", background=background)
    np.testing.assert_allclose(few["values"], found["values"][2500:2503], rtol=0, atol=1e-12)


# --- mutual information ---------------------------------------------------------------------

SEGMENTS = ["1110111", "0010010", "1011101", "1011011", "0111010",
            "1101011", "1101111", "1010010", "1111111", "1111011"]  # fmt: skip
DISPLAY = np.array([[int(on) for on in digit] for digit in SEGMENTS])


def joint(table):
    """Rows as one label each."""
    return ["-".join(map(str, row)) for row in np.asarray(table)]


def small_data(seed, n=25, p=4):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, (n, p)), rng.integers(0, 3, n)


def test_digits_of_louppes_thesis():
    """Seven segments, and the digit they show. The thesis cuts to three digits."""
    printed = [0.412, 0.581, 0.531, 0.542, 0.656, 0.225, 0.372]
    table = mutual_information_decomposition(DISPLAY, np.arange(10))
    assert (np.floor(1000 * table.sum(axis=1)) / 1000).tolist() == printed
    assert table.to_numpy().sum() == pytest.approx(np.log2(10), abs=1e-12)
    grown = totally_randomized_importance(DISPLAY, np.arange(10))
    np.testing.assert_allclose(grown, table.sum(axis=1), rtol=0, atol=1e-12)


@each("seed", range(6))
def test_formula_trees_and_mutual_information_agree(seed):
    data, y = small_data(seed)
    formula = mutual_information_decomposition(data, y).sum(axis=1)
    grown = totally_randomized_importance(data, y)
    np.testing.assert_allclose(formula, grown, rtol=0, atol=1e-12)
    everything = conditional_mutual_information(data, y, [0, 1, 2, 3])
    assert formula.sum() == pytest.approx(everything, abs=1e-12)
    expected = mutual_info_score(joint(data), y) / np.log(2)
    assert formula.sum() == pytest.approx(expected, abs=1e-12)


def test_conditional_mutual_information_from_its_definition():
    data, y = small_data(3, n=60)
    found = conditional_mutual_information(data, y, 2, [0, 1]) * np.log(2)
    cells = np.array(joint(data[:, :2]))
    expected = sum(
        np.mean(cells == cell) * mutual_info_score(data[cells == cell, 2], y[cells == cell])
        for cell in np.unique(cells)
    )
    assert found == pytest.approx(expected, abs=1e-12)
    assert conditional_mutual_information(data, y, 0, [0]) == 0


# --- rankings -------------------------------------------------------------------------------


def test_rankings_of_equal_importances_keep_the_order_of_the_columns():
    assert rankings([[0.2, 0.5, 0.2], [0, 0, 1]]).tolist() == [[1, 0, 2], [2, 0, 1]]


def test_stability_is_the_mean_over_the_pairs():
    runs = [treelab.RandomForestClassifier(3, random_state=s).fit(X, THREE).feature_importances_
            for s in range(3)]  # fmt: skip
    orders = rankings(runs)
    pairs = [compare_rankings(orders[a], orders[b], top_k=2) for a, b in ((0, 1), (0, 2), (1, 2))]
    expected = pd.DataFrame(pairs).mean()
    pd.testing.assert_series_equal(ranking_stability(runs, top_k=2), expected)


@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_members_that_lack_a_class_are_read_in_its_place(voting):
    """One of thirty rows is of class "a": a third of the bootstrap samples do not hold it."""
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(30, 3)), np.array(["a"] + ["b"] * 14 + ["c"] * 15)
    rows[:, 0] += y == "b"
    model = treelab.BaggingClassifier(n_estimators=12, voting=voting, random_state=2).fit(rows, y)
    assert {len(member.classes_) for member in model.estimators_} == {2, 3}
    found = shap_values(model, rows)
    whole = found["values"].sum(axis=1) + found["expected_value"]
    np.testing.assert_allclose(whole, model.predict_proba(rows), atol=1e-12)
