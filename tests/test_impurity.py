"""Impurities on several axes, at their ends, and in the tables of the hand calculation."""

import numpy as np
import pandas as pd
import pytest

from treelab.fast.impurity import (
    entropy,
    gain_ratio,
    gini,
    impurity_table,
    misclassification,
    squared_error,
)

NODES = [[[2, 1, 1], [0, 0, 0]], [[5, 0, 0], [0.25, 0.25, 0]]]  # (2, 2, 3)


@pytest.mark.parametrize(
    ("impurity", "expected"),
    [
        (gini, [[0.625, 0], [0, 0.5]]),
        (entropy, [[1.5, 0], [0, 1]]),
        (misclassification, [[0.5, 0], [0, 0.5]]),
    ],
)
def test_nodes_on_leading_axes_pure_empty_and_light(impurity, expected):
    np.testing.assert_allclose(impurity(NODES), expected, atol=1e-15)


def test_squared_error_of_light_empty_and_far_off_nodes():
    assert squared_error([0.5, 0.5, 1.0]) == 1.0  # weight 0.5 of y = 1, spread 1
    assert squared_error([0.0, 0.0, 0.0]) == 0.0
    y = np.array([0.1] * 3)
    assert squared_error([3, y.sum(), (y**2).sum()]) >= 0
    for far in (1e8 + 0.1, 1e8 + 0.3, 3e7 / 7):
        y = np.full(7, far)
        assert squared_error([7, y.sum(), (y**2).sum()]) >= 0


def test_gain_ratio_of_a_split_with_one_branch_is_none():
    assert np.isnan(gain_ratio([[3, 1], [0, 0]]))


@pytest.mark.parametrize("kind", [np.array, list, tuple, pd.DataFrame])
def test_table_takes_arrays_and_lists_and_numbers_their_columns(kind):
    """The same table, whatever holds the values; features without a name are 0, 1, ..."""
    values = [["x", "u"], ["x", "v"], ["y", "u"], ["z", "v"], ["z", "u"]]
    y = ["no", "yes", "no", "yes", "yes"]
    named = impurity_table(pd.DataFrame(values, columns=["a", "b"]), y)
    table = impurity_table(kind(values), kind(y) if kind is not pd.DataFrame else pd.Series(y))
    assert table.index.get_level_values("feature").tolist() == [0, 0, 0, 1, 1]
    pd.testing.assert_frame_equal(table.rename({0: "a", 1: "b"}, level="feature"), named)
    assert table[["no", "yes"]].to_numpy().tolist() == [[1, 1], [1, 0], [0, 2], [2, 1], [0, 2]]


def test_table_does_not_read_an_index():
    """Rows belong together by their place, also where a table and its target are numbered."""
    X = pd.DataFrame({"a": list("xxyy")}, index=[3, 2, 1, 0])
    y = pd.Series([0, 0, 1, 1], index=[0, 1, 2, 3])
    assert impurity_table(X, y)["gain"].tolist() == [1.0, 1.0]
    w = pd.Series([1.0, 2.0, 3.0, 4.0], index=[9, 8, 7, 6])
    assert impurity_table(X, y, sample_weight=w)["weight"].tolist() == [3.0, 7.0]
