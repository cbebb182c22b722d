"""Pictures of numbers on a grid of cells, such as where the chosen columns lie."""

import numpy as np

from treelab.drawing.style import (
    ACCENT,
    COLORS,
    GRAY,
    INK,
    MARKERS,
    WIDTH,
    new_axes,
    top_legend,
)

__all__ = ["draw_cells"]


def draw_cells(values, *, home=None, size=(1, 1), largest=None, title="", ax=None):
    """Draw a number in each cell of a grid as the area of a mark; 0 has none.

    Parameters
    ----------
    values : array-like of shape (n_rows, n_columns), or dict of str to such arrays
        From 0; the first row is the south. Each array of a dict has a shape of its own, the first
        one filled, the others hollow, with a legend.
    home : pair of int, default=None
        Column and row, from 0, of a cell to mark by a cross; the axes count from it.
    size : pair of float, default=(1, 1)
        Width and height of a cell, in the unit of the axes.
    largest : float, default=None
        The value whose mark fills the width of a cell; None: the largest there is.
    title : str, default=""
    ax : Axes, default=None

    Raises
    ------
    ValueError
        Where values are no grids of one shape, or below 0.

    Examples
    --------
    >>> ax = draw_cells([[0, 1, 0], [2, 4, 1]], home=(1, 0), size=(20, 30))
    >>> ax.collections[-1].get_offsets().tolist()
    [[0.0, 0.0], [-20.0, 30.0], [0.0, 30.0], [20.0, 30.0]]
    """
    kinds = values if isinstance(values, dict) else {"": values}
    kinds = {name: np.asarray(grid, dtype=float) for name, grid in kinds.items()}
    shapes = {grid.shape for grid in kinds.values()}
    if len(shapes) != 1 or len(shape := shapes.pop()) != 2:
        raise ValueError(f"values must be grids of one shape, got {sorted(shapes) or shape}.")
    if not all((grid >= 0).all() for grid in kinds.values()):
        raise ValueError("values must be 0 or more: they are areas.")
    (n_rows, n_columns), (x0, y0) = shape, home or (0, 0)
    x, y = (np.arange(n_columns) - x0) * size[0], (np.arange(n_rows) - y0) * size[1]
    edges = [np.append(c - s / 2, c[-1] + s / 2) for c, s in ((x, size[0]), (y, size[1]))]
    ax = new_axes(ax, height=WIDTH * 0.72)
    ax.vlines(edges[0], *edges[1][[0, -1]], color=GRAY, lw=0.3, gid="grid")
    ax.hlines(edges[1], *edges[0][[0, -1]], color=GRAY, lw=0.3, gid="grid")
    ax.set(xlim=edges[0][[0, -1]], ylim=edges[1][[0, -1]], aspect="equal", title=title)
    ax.spines[:].set_visible(False)
    ax.figure.draw_without_rendering()  # the layout says how wide a cell is
    width = 0.9 * 72 * ax.get_window_extent().width / ax.figure.dpi / n_columns
    largest = largest or max(grid.max() for grid in kinds.values()) or 1.0
    for k, (name, grid) in enumerate(kinds.items()):
        row, column = np.nonzero(grid)
        ax.scatter(
            x[column], y[row], s=width**2 * grid[row, column] / largest, marker=MARKERS[k],
            facecolor="none" if k else COLORS[k], edgecolor=COLORS[k] if k else INK,
            linewidth=1.6 if k else 0.6, label=name, gid=f"cells-{k}",
        )  # fmt: skip
    if home is not None:
        ax.plot(0, 0, "x", ms=0.8 * width, mew=2, color=ACCENT, gid="home")
    if isinstance(values, dict):
        top_legend(ax, ncols=len(kinds), handletextpad=0.1)
    return ax
