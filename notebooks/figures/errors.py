"""Curves of errors, and a legend that fits above them."""

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from treelab.drawing.layout import text_width
from treelab.drawing.style import ACCENT, COLORS, GRAY, LINES, MARKERS, new_axes, top_legend

__all__ = ["draw_errors", "fitting_legend"]


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
    fitting_legend(ax)
    return ax


def _log_axis(ax):
    """Make the horizontal axis logarithmic, with labels that do not overlap."""
    ax.set_xscale("log")
    decades = np.log10(ax.get_xlim()[1] / ax.get_xlim()[0])
    if decades < 2.5:  # Matplotlib would label each 2, 3, 4, 6 of a decade as a power of ten
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5) if decades < 1.05 else (1, 3)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def fitting_legend(ax):
    """Draw a legend above the axes, in several rows if it would be too wide."""
    labels = ax.get_legend_handles_labels()[1]
    room = ax.get_position().width * ax.figure.get_figwidth()
    widths = [text_width(label, 12) + 0.65 for label in labels]
    columns = len(labels) if sum(widths) <= room else max(1, int(room / max(widths)))
    top_legend(ax, ncol=columns, handletextpad=0.5, columnspacing=1.0)
