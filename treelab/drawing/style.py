"""One look for every picture.

Class k always has the same color, hatch, marker and line, so that pictures can be read without
colors. Figures are 5.4 inches wide with type of 12.5 points and more: on a phone, where 344
pixels hold a figure, no type is under 11 pixels. Every other setting is Matplotlib's
default, so that the settings of a user do not change a picture.

In the book, `INK`, `GRAY` and `PAPER` follow the page, light or dark. Text that stands on a color
of its own does not: it is written in "black" or "white".
"""

import os
import sys
from contextlib import contextmanager

import matplotlib as mpl
import matplotlib.style
from cycler import cycler
from matplotlib.figure import Figure

__all__ = ["COLORS", "HATCHES", "LINES", "MARKERS", "style", "use_style"]

# Okabe and Ito (2008), a palette that color-blind readers can tell apart.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, YELLOW, BLACK = "#56B4E9", "#CC79A7", "#F0E442", "#000000"
COLORS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, YELLOW, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oo", "----")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 2)), (0, (3, 1)))
INK, GRAY, PAPER, LEAF_FILL = "#1a1a1a", "#5c5c5c", "#ffffff", "#f1ede2"
ACCENT = VERMILLION  # color of a highlight: the chosen split, a path

WIDTH, HEIGHT, DPI = 5.4, 3.4, 130

STYLE = {
    "figure.figsize": (WIDTH, HEIGHT),
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "savefig.bbox": None,
    "figure.constrained_layout.use": True,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "axes.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": 13,
    "axes.titlesize": 13,
    "axes.labelsize": 13,
    "xtick.labelsize": 12.5,
    "ytick.labelsize": 12.5,
    "legend.fontsize": 12.5,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GRAY,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "lines.linewidth": 2,
    "lines.markersize": 7,
    "hatch.linewidth": 0.7,
    "axes.prop_cycle": cycler(color=COLORS) + cycler(linestyle=LINES),
    "image.cmap": "cividis",
}


@contextmanager
def style():
    """Draw in the book's style inside a ``with`` block.

    >>> with style():
    ...     print(mpl.rcParams["font.size"])
    13.0
    """
    with mpl.style.context(["default", STYLE]):
        yield


def use_style():
    """Draw in the book's style from here on; call it at the top of a notebook.

    In a notebook, figures become SVG from here on, of the size that they are given, and the same
    bytes each time; one of more than 150 000 letters, a cloud of points, stays a PNG.

    Examples
    --------
    >>> with mpl.rc_context():  # the example leaves the settings as they were
    ...     use_style()
    ...     print(mpl.rcParams["figure.figsize"])
    [5.4, 3.4]
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and hasattr(shell, "kernel"):
        shell.run_line_magic("matplotlib", "inline")  # now, since it sets formats of its own
        shown = shell.display_formatter
        for kind in ("image/png", "image/svg+xml"):
            shown.formatters[kind].pop(Figure, None)
        shown.mimebundle_formatter.for_type(Figure, _bundle)
    mpl.style.use(["default", STYLE])


def _bundle(figure):
    """Return a figure for a notebook as SVG, or as PNG with ``TREELAB_FIGURES=png``."""
    from treelab.figures.svg import png, svg

    text = None if os.environ.get("TREELAB_FIGURES") == "png" else svg(figure)
    return ({"image/png": png(figure)} if text is None else {"image/svg+xml": text}), {}


def class_look(k):
    """Return color, hatch and marker of class number `k`; they repeat after eight classes.

    >>> class_look(1)
    ('#E69F00', '////', 's')
    """
    return COLORS[k % 8], HATCHES[k % 8], MARKERS[k % 8]


def pale(color, strength=0.3):
    """Mix a color with white, as red, green and blue; `strength` 1 is the color itself.

    >>> pale("black", 0.25)
    (0.75, 0.75, 0.75)
    """
    return tuple(float(1 - strength * (1 - c)) for c in mpl.colors.to_rgb(color))


def new_axes(ax=None, *grid, height=HEIGHT, **settings):
    """Return `ax`, or the axes of a new figure in the book's style; `grid` as in `subplots`."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    with style():
        return plt.subplots(*grid, figsize=(WIDTH, height), **settings)[1]


def top_legend(ax, **look):
    """Draw a legend above the axes, where it hides nothing."""
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, **look)
