"""One look for every picture.

Class k always has the same color, hatch, marker and line, so that no picture needs its
colors to be told apart. Figures are 6.4 inches wide with type of 12 points and more: shrunk
to the width of a phone they can still be read. The background is opaque and light, so a
figure looks the same on a light and on a dark page. Whatever the style does not name is
Matplotlib's own default, so that nobody's settings change a picture.
"""

import sys
from contextlib import contextmanager

import matplotlib as mpl
import matplotlib.style
from cycler import cycler

__all__ = ["COLORS", "HATCHES", "LINES", "MARKERS", "style", "use_style"]

# Okabe and Ito (2008), a palette that color-blind readers can tell apart.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, YELLOW, BLACK = "#56B4E9", "#CC79A7", "#F0E442", "#000000"
COLORS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, YELLOW, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oo", "----")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 2)), (0, (3, 1)))
INK, GRAY, PAPER, LEAF_FILL = "#1a1a1a", "#5c5c5c", "#ffffff", "#f1ede2"
ACCENT = VERMILLION  # what a picture points at: the chosen cut, the highlighted path

WIDTH, HEIGHT, DPI = 6.4, 4.0, 130

STYLE = {
    "figure.figsize": (WIDTH, HEIGHT),
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "savefig.bbox": None,
    "figure.constrained_layout.use": True,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "font.family": "DejaVu Sans",
    "font.size": 13,
    "axes.titlesize": 13,
    "axes.labelsize": 13,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
    "legend.fontsize": 12,
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

    In a notebook it also tells the inline backend to keep the size that a figure is given,
    instead of cropping it to its ink.

    Examples
    --------
    >>> with mpl.rc_context():  # the example leaves the settings as they were
    ...     use_style()
    ...     print(mpl.rcParams["figure.figsize"])
    [6.4, 4.0]
    """
    mpl.style.use(["default", STYLE])
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and hasattr(shell, "kernel"):
        shell.run_line_magic("config", "InlineBackend.print_figure_kwargs = {'bbox_inches': None}")


def class_look(k):
    """Color, hatch and marker of class number `k`; they repeat after eight classes.

    >>> class_look(1)
    ('#E69F00', '////', 's')
    """
    return COLORS[k % 8], HATCHES[k % 8], MARKERS[k % 8]


def pale(color, strength=0.3):
    """The color mixed with white, as red, green and blue; `strength` 1 is the color itself.

    >>> pale("black", 0.25)
    (0.75, 0.75, 0.75)
    """
    return tuple(float(1 - strength * (1 - c)) for c in mpl.colors.to_rgb(color))


def new_axes(ax=None):
    """`ax`, or the axes of a new figure in the book's style."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    with style():
        return plt.subplots()[1]
