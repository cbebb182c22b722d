"""Curves of impurities, gains and errors, from the tables of the algorithms."""

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from treelab.drawing.layout import text_width
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES, MARKERS, new_axes, top_legend
from treelab.fast.impurity import IMPURITIES

__all__ = ["draw_errors", "draw_impurity_curves", "draw_split_scores"]


def draw_impurity_curves(criteria=("misclassification", "gini", "entropy"), *, scaled=False,
                         ax=None):  # fmt: skip
    """Draw the impurities of two classes against the proportion of the first.

    Parameters
    ----------
    criteria : sequence of str, default=("misclassification", "gini", "entropy")
    scaled : bool, default=False
        Whether each curve is scaled to height 1, to compare their shapes.
    ax : Axes, default=None

    Examples
    --------
    >>> ax = draw_impurity_curves()
    >>> [float(line.get_ydata().max().round(6)) for line in ax.lines]
    [0.5, 0.5, 1.0]
    """
    ax = new_axes(ax)
    p = np.linspace(0, 1, 201)
    for i, name in enumerate(criteria):
        height = IMPURITIES[name](np.stack([p, 1 - p], axis=1))
        ax.plot(p, height / height.max() if scaled else height, color=COLORS[i], ls=LINES[i],
                lw=2.5, label=name)  # fmt: skip
    ax.set(
        xlabel="share of the first class", xlim=(0, 1), ylim=(0, None),
        ylabel="impurity (height 1)" if scaled else "impurity",
    )  # fmt: skip
    _fitting_legend(ax)
    return ax


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
    _fitting_legend(ax)
    return ax


def draw_errors(x, errors, *, bands=None, chosen=None, xlabel="", ylabel="error", log=False,
                ax=None):  # fmt: skip
    """Draw one or more error curves, with their bands and the chosen point.

    Parameters
    ----------
    x : array-like of shape (n_points,)
        Number of leaves, depth, alpha, or whatever the models differ in.
    errors : dict or DataFrame
        Curves by name, each of shape (n_points,); otherwise a ValueError.
    bands : dict, default=None
        Half the height of the band around a curve, by the name of the curve, such as one standard
        error.
    chosen : float, default=None
        The `x` to mark, one of them, on the last curve.
    xlabel : str, default=""
    ylabel : str, default="error"
    log : bool, default=False
        Whether the horizontal axis is logarithmic.
    ax : Axes, default=None

    Examples
    --------
    >>> errors = {"training": [0.3, 0.1, 0.0], "validation": [0.3, 0.2, 0.25]}
    >>> ax = draw_errors([1, 2, 3], errors, chosen=2, xlabel="depth")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['training', 'validation', 'chosen: 2']
    """
    x, bands = np.asarray(x, dtype=float), dict(bands or {})
    errors = {str(name): np.asarray(curve, dtype=float) for name, curve in dict(errors).items()}
    if not set(bands) <= set(errors):
        raise ValueError(f"a band has no curve: {sorted(set(bands) - set(errors))}.")
    for name, curve in errors.items():
        if len(curve) != len(x) or len(np.asarray(bands.get(name, x))) != len(x):
            raise ValueError(f"curve and band of {name!r} must have {len(x)} points, as x does.")
    ax = new_axes(ax)
    few = len(x) <= 40  # points that can be told apart get their marker
    for i, (name, curve) in enumerate(errors.items()):
        ax.plot(x, curve, color=COLORS[i], ls=LINES[i], marker=MARKERS[i] if few else "",
                label=name)  # fmt: skip
        if name in bands:
            half = np.asarray(bands[name], dtype=float)
            ax.fill_between(x, curve - half, curve + half, color=COLORS[i], alpha=0.2, lw=0,
                            gid=f"band-{name}")  # fmt: skip
    if chosen is not None:
        at = np.flatnonzero(np.isclose(x, chosen, rtol=1e-9, atol=0))
        if not len(at):
            raise ValueError(f"chosen must be one of x, got {chosen!r}.")
        ax.plot(x[at[0]], curve[at[0]], ls="none", marker="o", ms=15, mfc="none", mew=2.5,
                color=ACCENT, label=f"chosen: {chosen:.4g}", gid="chosen", zorder=5)  # fmt: skip
        ax.axvline(x[at[0]], color=GRAY, lw=1, ls="--", zorder=0)
    if log:
        _log_axis(ax)
    elif np.all(x == np.round(x)):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel=xlabel, ylabel=ylabel)
    _fitting_legend(ax)
    return ax


def _short(gain):
    """Format with three digits, or all before the decimal point."""
    return f"{gain:.3g}" if gain < 1000 else f"{gain:,.0f}".replace(",", " ")


def _log_axis(ax):
    """Make the horizontal axis logarithmic, with labels that do not overlap."""
    ax.set_xscale("log")
    decades = np.log10(ax.get_xlim()[1] / ax.get_xlim()[0])
    if decades < 2.5:  # Matplotlib would label each 2, 3, 4, 6 of a decade as a power of ten
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5) if decades < 1.05 else (1, 3)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def _fitting_legend(ax):
    """Draw a legend above the axes, in several rows if it would be too wide."""
    labels = ax.get_legend_handles_labels()[1]
    room = ax.get_position().width * ax.figure.get_figwidth()
    widths = [text_width(label, 12) + 0.65 for label in labels]
    columns = len(labels) if sum(widths) <= room else max(1, int(room / max(widths)))
    top_legend(ax, ncol=columns, handletextpad=0.5, columnspacing=1.0)
