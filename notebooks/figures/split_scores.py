"""The gains of all candidate splits on a feature, from the table of a node."""

import numpy as np

from treelab.drawing.style import ACCENT, COLORS, INK, new_axes
from treelab.figures.errors import fitting_legend

__all__ = ["draw_split_scores"]


def draw_split_scores(table, feature=None, *, ax=None):
    """Draw the gain of every candidate split on one feature, with the best marked.

    Thresholds are on the horizontal axis; the splits of a categorical feature are listed one under
    the other. A full diamond marks the split of the node, an empty one the best split on this
    feature if the node is split on another.

    Parameters
    ----------
    table : DataFrame
        As `split_table` returns it.
    feature : int or str, default=None
        As in the column ``feature`` of the table; otherwise a ValueError. None takes the feature of
        the chosen split.
    ax : Axes, default=None

    Examples
    --------
    >>> from treelab.fast.growing import split_table
    >>> ax = draw_split_scores(split_table([[1], [2], [3]], ["a", "a", "b"]))
    >>> [round(float(x), 1) for x in ax.collections[1].get_offsets()[:, 0]]
    [1.5, 2.5]
    """
    if feature is None:
        if not table["best"].any():
            raise ValueError("no split of the table is chosen; name the feature to draw.")
        feature = table.loc[table["best"], "feature"].iloc[0]
    cuts = table[table["feature"] == feature]
    if cuts.empty:
        raise ValueError(f"the table has no split on feature {feature!r}.")
    ax = new_axes(ax)
    gain, chosen = cuts["gain"].to_numpy(dtype=float), bool(cuts["best"].any())
    top = int(cuts["best" if chosen else "gain"].to_numpy().argmax())
    word = "chosen" if chosen else "best of this feature"
    mark = {"marker": "D", "s": 110, "edgecolor": ACCENT, "linewidth": 2, "zorder": 4,
            "facecolor": ACCENT if chosen else "none", "gid": "top"}  # fmt: skip
    name = f"x[{feature}]" if isinstance(feature, int | np.integer) else str(feature)
    if cuts["threshold"].isna().any():
        rows = np.arange(len(cuts))
        ax.barh(rows, gain, color=COLORS[4], edgecolor=INK, linewidth=0.7, height=0.6)
        ax.scatter(gain[top], top, label=f"{word}: gain {_short(gain[top])}", **mark)
        ax.set_yticks(rows, cuts["test"])
        ax.invert_yaxis()
        ax.set(xlabel="gain", xlim=(0, 1.08 * gain.max() or 1.0))
    else:
        x = cuts["threshold"].to_numpy(dtype=float)
        few = len(x) <= 60
        if few:
            ax.vlines(x, 0, gain, color=COLORS[4], lw=2, zorder=1)
        else:
            ax.plot(x, gain, color=COLORS[4], lw=1.5, ls="-", zorder=1)
        ax.scatter(x, gain, color=COLORS[0], s=36 if few else 8, zorder=3)
        label = f"{word}: {name} ≤ {x[top]:.4g}, gain {_short(gain[top])}"
        ax.scatter(x[top], gain[top], label=label, **mark)
        ax.axvline(x[top], color=ACCENT, lw=1.5, ls="--", zorder=0)
        ax.set(xlabel=f"threshold of {name}", ylabel="gain", ylim=(0, None))
    fitting_legend(ax)
    return ax


def _short(gain):
    """Format with three digits, or all before the decimal point."""
    return f"{gain:.3g}" if gain < 1000 else f"{gain:,.0f}".replace(",", " ")
