"""Pictures of importances show the numbers that they get."""

import numpy as np
import pandas as pd
import pytest

from treelab.figures import draw_importances, draw_ranks

VALUES = pd.Series({"a": 0.2, "b": 0.7, "c": -0.1})


def test_bars_in_order_of_size_with_their_intervals():
    ax = draw_importances(VALUES, [0.05, 0.1, 0.02])
    assert [bar.get_width() for bar in ax.patches] == [0.7, 0.2, -0.1]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a", "c"]
    lines = [line[:, 0].tolist() for line in ax.collections[0].get_segments()]
    np.testing.assert_allclose(lines, [[0.6, 0.8], [0.15, 0.25], [-0.12, -0.08]])
    top, bottom = ax.transData.transform([(0, 0), (0, 2)])[:, 1]
    assert top > bottom


def test_bars_in_the_order_of_the_columns_with_both_ends():
    ends = [[0.1, 0.4], [0.6, 0.9], [-0.2, 0.0]]
    ax = draw_importances(VALUES, ends, sort=False, names="xyz", xlabel="loss")
    assert [bar.get_width() for bar in ax.patches] == VALUES.tolist()
    assert [line[:, 0].tolist() for line in ax.collections[0].get_segments()] == ends
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "y", "z"]
    assert ax.get_xlabel() == "loss"


def test_ranks_and_their_shares():
    runs = pd.DataFrame([[3, 2, 1], [3, 1, 2], [3, 2, 1], [3, 2, 1]], columns=list("abc"))
    ax = draw_ranks(runs)
    dots = ax.collections[0]
    assert dots.get_offsets().tolist() == [[1, 0], [2, 1], [3, 1], [2, 2], [3, 2]]
    np.testing.assert_allclose(dots.get_sizes() / dots.get_sizes()[0], [1, 0.75, 0.25, 0.25, 0.75])
    assert ax.lines[0].get_xdata().tolist() == [1, 2.25, 2.75]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: draw_importances([[1, 2]]), "n_features"),
        (lambda: draw_importances([1, 2], names=["a"]), "names must hold 2"),
        (lambda: draw_importances([1, 2], [1, 2, 3]), "intervals must be"),
        (lambda: draw_ranks([1, 2]), "n_runs"),
        (lambda: draw_ranks([[1, np.nan]]), "NaN"),
    ],
)
def test_what_cannot_be_drawn(call, message):
    with pytest.raises(ValueError, match=message):
        call()
