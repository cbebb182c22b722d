"""The bins of the local importance (LAFI) that select a feature."""

import numpy as np
from matplotlib.patches import Rectangle

from treelab.drawing.style import (
    ACCENT,
    COLORS,
    GRAY,
    HEIGHT,
    INK,
    STYLE,
    new_axes,
)  # fmt: skip

__all__ = ["draw_local_importance"]

ROW = 0.27  # inches of a row, which the name of a feature needs
GAP = 0.94  # share of its column that the bins of a level take


def draw_local_importance(lafi, *, most=20, ax=None):
    """Draw which bins of which level chose each feature, the most important feature on top.

    A level is a column, its bins stand in it from the lowest targets to the highest; what is filled
    was chosen. A line is drawn below the features that are kept, and the importance stands on the
    right.

    Parameters
    ----------
    lafi : LocalImportanceSelector
        Fitted.
    most : int, default=20
        Draw so many features at most; 1 or more, else a ValueError.
    ax : Axes, default=None

    Examples
    --------
    >>> from treelab.fast.selection import FilterSelector, LocalImportanceSelector
    >>> X = np.random.default_rng(0).normal(size=(80, 2))
    >>> lafi = LocalImportanceSelector(FilterSelector("f", number=1)).fit(X, X[:, 1])
    >>> ax = draw_local_importance(lafi)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x1', 'x0']
    """
    if most < 1:
        raise ValueError(f"most must be 1 or more, got {most!r}.")
    bins, steps = lafi.bins_table().iloc[:most], lafi.steps_table().iloc[:most]
    ax = new_axes(ax, height=max(HEIGHT, ROW * len(bins) + 1.2))
    levels = bins.columns.unique("level")
    for i, level in enumerate(levels):
        chosen = bins[level].to_numpy()
        width = GAP / chosen.shape[1]
        for (row, b), mark in np.ndenumerate(chosen):
            look = {"facecolor": COLORS[0] if mark else "none", "edgecolor": GRAY, "linewidth": 0.8}
            ax.add_patch(Rectangle((i + b * width, row - 0.4), width, 0.8, **look))
    for row, importance in enumerate(steps["importance"]):
        ax.text(
            len(levels) + 0.02, row, f"{importance:.2f}", va="center", color=INK,
            fontsize=STYLE["ytick.labelsize"],
        )  # fmt: skip
    if 0 < steps["kept"].sum() < len(steps):
        ax.axhline(steps["kept"].sum() - 0.5, color=ACCENT, ls="--", lw=1.5)
    ax.set(xlim=(-0.05, len(levels) + 0.4), ylim=(len(bins) - 0.5, -0.5), xlabel="level")
    ax.set_xticks(np.arange(len(levels)) + GAP / 2, levels)
    ax.set_yticks(range(len(bins)), bins.index)
    return ax
