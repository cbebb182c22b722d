"""Maps show the numbers that they get, where they are."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from treelab.figures import draw_cells


@pytest.fixture(autouse=True)
def _agg():
    with mpl.rc_context({"backend": "Agg"}):
        yield
    plt.close("all")


def marks(ax, k=0):
    return next(c for c in ax.collections if c.get_gid() == f"cells-{k}")


def test_the_largest_mark_stays_within_its_cell():
    for largest, share in ((None, 1.0), (8, 0.5)):
        ax = draw_cells(np.array([[1.0, 4.0, 2.0]]), largest=largest)
        ax.figure.draw_without_rendering()
        cell = 72 * ax.get_window_extent().width / ax.figure.dpi / 3
        assert np.sqrt(marks(ax).get_sizes().max() / share) == pytest.approx(0.9 * cell, rel=0.02)
        assert not [line for line in ax.lines if line.get_gid() == "home"]


def test_a_map_of_nothing_has_no_marks():
    ax = draw_cells(np.zeros((2, 2)))
    assert len(marks(ax).get_offsets()) == 0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2], "grids of one shape"),
        ({"a": np.eye(2), "b": np.eye(3)}, "grids of one shape"),
        ([[1, -1]], "0 or more"),
        ([[1, np.nan]], "0 or more"),
    ],
)
def test_what_is_no_map(values, message):
    with pytest.raises(ValueError, match=message):
        draw_cells(values)
