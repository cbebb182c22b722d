"""Pictures of importances show the numbers that they get."""

import numpy as np
import pandas as pd
import pytest

from treelab.figures import draw_importances, draw_ranks

VALUES = pd.Series({"a": 0.2, "b": 0.7, "c": -0.1})


def test_bars_in_the_order_of_the_columns_with_both_ends():
    ends = [[0.1, 0.4], [0.6, 0.9], [-0.2, 0.0]]
    ax = draw_importances(VALUES, ends, sort=False, names="xyz", xlabel="loss")
    assert [bar.get_width() for bar in ax.patches] == VALUES.tolist()
    assert [line[:, 0].tolist() for line in ax.collections[0].get_segments()] == ends
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "y", "z"]
    assert ax.get_xlabel() == "loss"


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
