"""Pictures of trees.

A tree is drawn in one of two ways. *Down*: the root on top, the branches from left to right, yes
before no. *Right*: one row for each node, the first half of its branches above it and the others
below, each a step further to the right; a tree with many leaves stays readable this way.
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch, Patch, Rectangle
from matplotlib.text import Text

from treelab.drawing.layout import BAR, LINE, PAD, text_width, tree_layout
from treelab.drawing.picture import sketch_of
from treelab.drawing.style import ACCENT, DPI, GRAY, INK, LEAF_FILL, PAPER, WIDTH, class_look

__all__ = ["draw_tree"]


def draw_tree(
    model,
    feature_names=None,
    class_names=None,
    categories=None,
    *,
    show=("n",),
    highlight=(),
    collapsed=None,
    max_depth=None,
    orientation="auto",
    digits=4,
    fontsize=12.5,
    ax=None,
):
    """Draw a tree.

    Splits are in round boxes, predictions in square ones. A leaf of a classification tree has a
    bar of its class proportions, in the colors and hatches of the classes; that of a regression
    tree a scale from the smallest to the largest leaf, with a mark at its own value. A leaf that no
    training row reaches has a dashed frame, and no bar. The frame of node t has the gid ``node-t``.
    A model without a tree is a TypeError, an invalid `show`, `orientation` or node number a
    ValueError.

    Parameters
    ----------
    model : Tree, MultiwayTree or fitted estimator with a `tree_`
    feature_names, class_names, categories : default=None
        As in `Tree.test` and `Tree.export_text`; None takes the estimator's.
    show : sequence of {"node", "n", "weight", "impurity", "value"}, default=("n",)
        Content of the boxes besides the split or the prediction; "value" adds the prediction of the
        inner nodes. A multiway tree has only weights: "n" and "weight" both show the weight, in a
        leaf with the misclassified part, (3.38/0.38).
    highlight : sequence of int, default=()
        Nodes with a thick frame, such as ``tree.path(x)``; the edges between them are thick.
    collapsed : sequence of int, default=None
        Nodes drawn as leaves, with nothing below them. All others keep their position in the whole
        tree, so that the frames of a growing or shrinking tree match. ``()`` draws the whole tree
        with the boxes of such a series.
    max_depth : int, default=None
        Splits at this depth are drawn as leaves, with the number of leaves below them.
    orientation : {"auto", "down", "right"}, default="auto"
        "auto" is "down" if the tree then fits the width.
    digits : int, default=4
        Significant digits of thresholds, weights and values.
    fontsize : float, default=12.5
        In points, in a new figure; in given axes the text is scaled with the tree.
    ax : Axes, default=None
        None makes a new figure of the size that the tree needs, 5.4 inches wide or more.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "a", "b"])
    >>> ax = draw_tree(model, ["size"])
    >>> [text.get_text() for text in ax.texts]
    ['size ≤ 2.5', 'n = 3', 'a', 'n = 2', 'b', 'n = 1', 'yes', 'no']
    """
    sketch = sketch_of(model, feature_names, class_names, categories, digits)
    unknown = set(show) - {"node", "n", "weight", "impurity", "value"}
    if unknown or orientation not in ("auto", "down", "right"):
        raise ValueError(
            "show takes node, n, weight, impurity and value, orientation auto, down or right; "
            f"got {sorted(unknown) or orientation!r}."
        )
    for t in (*highlight, *(collapsed or ())):
        if not 0 <= t < sketch.n_nodes:
            raise ValueError(f"the tree has nodes 0 to {sketch.n_nodes - 1}, no node {t}.")
    ends = sketch.is_leaf if max_depth is None else sketch.is_leaf | (sketch.depth >= max_depth)
    kinds = ["down", "right"] if orientation == "auto" else [orientation]
    layouts = [tree_layout(sketch, ends, tuple(show), collapsed, k, fontsize) for k in kinds]
    if ax is None:
        import matplotlib.pyplot as plt

        layout = next((p for p in layouts if p.width <= WIDTH), layouts[-1])
        size = (max(layout.width, WIDTH), layout.height)
        figure = plt.figure(figsize=size, dpi=DPI, facecolor=PAPER, layout="none")
        ax = figure.add_axes([0, 0, 1, 1])
    else:
        ax.set_axis_off()
        ax.figure.draw_without_rendering()  # settles the place of the axes
        size = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted()).size
        layout = max(layouts, key=lambda p: min(size[0] / p.width, size[1] / p.height))
        size = (max(layout.width, size[0] / 1.25), max(layout.height, size[1] / 1.25))
    left, top = (layout.width - size[0]) / 2, (layout.height - size[1]) / 2
    ax.set(xlim=(left, left + size[0]), ylim=(top + size[1], top), aspect="equal")  # y downwards
    ax.set_axis_off()
    _paint(ax, sketch, layout, set(highlight), fontsize)
    if layout.legend:
        _paint_legend(ax, layout, sketch.classes, fontsize)
    return ax


def _paint(ax, sketch, layout, highlight, fontsize):
    """Paint the boxes, then the branches with their labels."""
    for t in layout.drawn:
        (x, y), (w, h) = layout.centers[t], layout.boxes[t]
        leaf, thick, empty = t in layout.ends, t in highlight, sketch.empty[t]
        look = {
            "facecolor": LEAF_FILL if leaf and not empty else PAPER,
            "edgecolor": ACCENT if thick else GRAY,
            "linewidth": 3.2 if thick else 1.2,
            "linestyle": "--" if empty else "-",
            "gid": f"node-{t}",
            "zorder": 2,
        }
        corner = (x - w / 2, y - h / 2)
        if leaf:
            ax.add_patch(Rectangle(corner, w, h, **look))
        else:
            rounded = f"round,pad=0,rounding_size={min(0.14, h / 2)}"
            ax.add_patch(FancyBboxPatch(corner, w, h, boxstyle=rounded, **look))
        _paint_words(ax, layout, t, fontsize)
        if leaf and layout.bar and not empty:
            down = layout.kind == "down"
            width = w - 2 * PAD if down else 0.6
            left = x - width / 2 if down else x + w / 2 - PAD - width
            top = y + h / 2 - BAR - PAD * 0.6 if down else y - BAR / 2
            paint = _paint_scale if sketch.shares is None else _paint_shares
            paint(ax, sketch, t, left, top, width)
    for t in layout.drawn:
        if t not in layout.ends:
            for child in sketch.children[t]:
                _paint_edge(ax, layout, t, child, highlight, fontsize)


class _InchText(Text):
    """Text that scales with the boxes around it, because its size is in units of the axes."""

    def draw(self, renderer):
        inch = self.axes.transData.transform([(0, 0), (1, 0)])[:, 0] @ (-1, 1)  # in pixels
        self.set_fontsize(self.inches * inch * 72 / self.get_figure(root=True).dpi)
        super().draw(renderer)


def _write(ax, x, y, words, fontsize, **look):
    look = {"family": "DejaVu Sans", "parse_math": False, "zorder": 3, "color": INK, **look}
    text = _InchText(x, y, words, fontsize=fontsize, **look)
    text.inches = fontsize / 72
    text.set_in_layout(False)
    ax.add_artist(text)


def _paint_words(ax, layout, t, fontsize):
    (x, y), (w, h) = layout.centers[t], layout.boxes[t]
    down = layout.kind == "down"
    x, y = (x, y - h / 2 + PAD) if down else (x - w / 2 + PAD, y)
    place = {"ha": "center", "va": "top"} if down else {"ha": "left", "va": "center"}
    for i, line in enumerate(layout.texts[t]):
        weight = {"color": GRAY} if i else {"fontweight": "bold"}
        _write(ax, x, y, line, fontsize, linespacing=1.1, **place, **weight)
        if down:
            y += (line.count("\n") + 1) * LINE * fontsize / 72
        else:
            x += text_width(line, fontsize, bold=i == 0) + PAD


def _paint_shares(ax, sketch, t, left, top, width):
    """Paint a bar that shows the class proportions."""
    for k, share in enumerate(sketch.shares[t]):
        if share > 0:
            color, hatch, _ = class_look(k)
            part = Rectangle((left, top), width * share, BAR, facecolor=color, hatch=hatch,
                             edgecolor=INK, lw=0.6, zorder=3, gid=f"share-{t}-{k}")  # fmt: skip
            ax.add_patch(part)
            left += width * share


def _paint_scale(ax, sketch, t, left, top, width):
    """Paint a mark between the smallest and the largest value of the leaves."""
    values = sketch.values[sketch.is_leaf]
    span = np.ptp(values)
    share = np.clip((sketch.values[t] - values.min()) / span, 0, 1) if span > 0 else 0.5
    y = top + BAR / 2
    ax.plot([left, left + width], [y, y], color=GRAY, lw=1.5, ls="-", zorder=3)
    ax.plot([left + share * width], [y], marker="D", ms=6, color=class_look(0)[0], zorder=4,
            ls="none", gid=f"mark-{t}")  # fmt: skip


def _paint_edge(ax, layout, t, child, highlight, fontsize):
    xs, ys, place = layout.routes[child]
    thick = t in highlight and child in highlight
    ax.plot(xs, ys, color=ACCENT if thick else GRAY, lw=3.2 if thick else 1.2, ls="-", zorder=1,
            gid=f"edge-{t}-{child}")  # fmt: skip
    _write(ax, *place, layout.labels[child], fontsize, ha="center", va="center", zorder=2,
           bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.0})  # fmt: skip


def _paint_legend(ax, layout, classes, fontsize):
    columns, top = layout.legend
    handles = [
        Patch(facecolor=class_look(k)[0], hatch=class_look(k)[1], edgecolor=INK, label=name)
        for k, name in enumerate(classes)
    ]
    ax.legend(
        handles=handles, ncol=columns, loc="upper center", borderaxespad=0, frameon=False,
        bbox_to_anchor=(layout.width / 2, top), bbox_transform=ax.transData,
        prop={"size": fontsize, "family": "DejaVu Sans"}, labelcolor=INK,
        columnspacing=1.0, handlelength=1.6, handletextpad=0.5,
    )  # fmt: skip
