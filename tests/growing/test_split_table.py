"""The table of candidate cuts: which rows count, which words it uses, which cut it marks."""

import numpy as np
import pandas as pd
import pytest

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.growing import split_table


def test_a_level_that_no_row_has_is_on_no_side():
    X = pd.DataFrame({"color": pd.Categorical(["a", "b", "d"], categories=list("abcd"))})
    table = split_table(X, [1.0, 2.0, 4.0], criterion="squared_error")
    assert table["test"].tolist() == ["color in {a}", "color in {a, b}"]


def test_of_equal_gains_the_first_row_is_the_best():
    """Column 1 repeats column 0, and the cuts of one column are mirror images."""
    x = np.array([1.0, 2.0, 3.0, 4.0])
    table = split_table(np.column_stack([x, x]), [0, 1, 1, 0])
    assert table["best"].tolist() == [True, False, False, False, False, False]
    assert split_table([[1], [1]], [0, 1]).empty


def test_of_gains_equal_but_for_rounding_the_first_row_is_the_best():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=200), rng.normal(size=200) * 0.1 + 0.3
    for w in (np.ones(200), rng.uniform(0.1, 1, 200)):
        for columns in ([x, -x], [-x, x]):
            table = split_table(np.column_stack(columns), y, "squared_error", sample_weight=w)
            assert table["feature"][table["best"]].tolist() == ["x[0]"]


def test_of_mirrored_cuts_the_smaller_threshold_is_the_best():
    """Targets that read the same from both ends: each cut has a twin, but for rounding."""
    for seed in range(20):
        half = np.random.default_rng(seed).normal(size=9) * 0.1 + 0.3
        y, X = np.concatenate([half, half[::-1]]), np.arange(18.0)[:, None]
        table = split_table(X, y, "squared_error")
        best = table.query("best")["threshold"].item()
        assert best <= 8.5
        assert best == DecisionTreeRegressor(max_depth=1).fit(X, y).tree_.threshold[0]


@pytest.mark.parametrize("min_samples_leaf", [1, 9])
def test_subsets_of_levels_respect_the_size_of_leaves_as_growth_does(min_samples_leaf):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 6, (30, 1)), rng.integers(0, 3, 30)
        options = {"categorical_features": [0], "min_samples_leaf": min_samples_leaf}
        tree = DecisionTreeClassifier(max_depth=1, **options).fit(X, y).tree_
        best = split_table(X, y, **options).query("best")
        assert best["n_left"].tolist() == [tree.n_node_samples[1]]
        np.testing.assert_allclose(best["impurity_left"], tree.impurity[1])
