"""Pictures are tested by what they hold, never by their pixels."""

import base64
import re
import sys
from types import SimpleNamespace

import lxml.html
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from matplotlib.figure import Figure

from treelab import (
    BaggingClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestRegressor,
    drawing,
    figures,
)
from treelab.datasets import load_golf
from treelab.drawing.layout import tree_layout
from treelab.drawing.picture import sketch_of
from treelab.drawing.style import HEIGHT, STYLE, WIDTH, style
from treelab.fast.growing import split_table
from treelab.figures.svg import png, svg

# Forty rows in the plane with three classes and a number.
PLANE = pd.DataFrame(
    np.random.default_rng(3).uniform(0, 10, size=(40, 2)).round(1), columns=["width", "height"]
)
WOODS = np.select([PLANE["width"] < 4, PLANE["height"] < 5], ["ash", "elm"], "oak")
CLASSIFIER = DecisionTreeClassifier().fit(PLANE, WOODS)
DEEP = PLANE.assign(depth=PLANE["width"] + 3 * (PLANE["height"] > 5))
REGRESSOR = DecisionTreeRegressor().fit(DEEP, DEEP["depth"])
COLORS = pd.DataFrame({"c": pd.Categorical(["a", "b"]), "n": [1.0, 1.0]})
BY_COLOR = DecisionTreeClassifier().fit(COLORS, [0, 1])
GOLF = C45Classifier(pruning=None).fit(*load_golf("gap", return_X_y=True))
BAGS = BaggingClassifier(n_estimators=2).fit(PLANE, WOODS)
FOREST = RandomForestRegressor(2).fit(PLANE, DEEP["depth"])
CUTS = split_table(PLANE, WOODS)
FRAME = ("<p>a</p>", "caption", "alt")


def explored(kind, **data):
    """An explorable of these data, without a frame of words."""
    return figures.explorable(kind, data, [FRAME], title="A title", name="one-two")


def words(ax):
    return [text.get_text() for text in ax.texts]


# --- trees -------------------------------------------------------------------------------


def test_bare_tree_numbers_its_names():
    tree = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"]).tree_
    assert words(drawing.draw_tree(tree))[:5] == ["x[0] ≤ 1.5", "n = 2", "class 0", "n = 1",
                                                  "class 1"]  # fmt: skip


def test_numbered_classes_say_that_they_are_classes():
    model = DecisionTreeClassifier().fit([[1], [2]], [3, 5])
    assert {"class 3", "class 5"} <= set(words(drawing.draw_tree(model)))
    ax = drawing.draw_partition(model, [[1, 0], [2, 0]], [3, 5])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["class 3", "class 5"]
    assert [len(c.get_offsets()) for c in ax.collections] == [1, 1]


def test_dollar_signs_are_no_formulas():
    ax = drawing.draw_tree(DecisionTreeClassifier().fit([[1], [2]], ["a", "b"]), ["$price$"])
    assert ax.texts[0].get_text() == "$price$ ≤ 1.5"
    assert not ax.texts[0].get_parse_math()


def test_given_axes_scale_the_text():
    figure, axes = plt.subplots(1, 2, figsize=(5, 2.2), layout="constrained")
    assert drawing.draw_tree(CLASSIFIER, ax=axes[0]) is axes[0]
    axes[1].set_ylabel("takes room\nlater")
    figure.canvas.draw()
    (box,) = [a.get_window_extent() for a in axes[0].patches if a.get_gid() == "node-0"]
    text = axes[0].texts[0]
    assert text.get_fontsize() < 10
    ink = text.get_window_extent()
    assert box.x0 < ink.x0 < ink.x1 < box.x1
    assert box.y0 < ink.y0 < ink.y1 < box.y1


def layout_of(seed, kind, fontsize=12, show=("n",)):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    tree = DecisionTreeRegressor(max_depth=4).fit(X, y).tree_
    return tree, tree_layout(sketch_of(tree), tree.is_leaf, show, set(), kind, fontsize)


def edges_of(layout):
    """Left, top, right and bottom of each node's box, (n_nodes, 4); inches, y downwards."""
    center = np.array([layout.centers[t] for t in sorted(layout.centers)])
    half = np.array([layout.boxes[t] for t in sorted(layout.boxes)]) / 2
    return np.hstack([center - half, center + half])


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_drawn_down_is_as_narrow_as_its_siblings_allow(seed):
    """Somewhere below every split, the two branches are as close as neighbors may be."""
    tree, layout = layout_of(seed, "down")
    edges = edges_of(layout)
    for t in np.flatnonzero(~tree.is_leaf):
        left, right = tree.children_left[t], tree.children_right[t]
        one, other = (np.arange(c, c + tree.size[c]) for c in (left, right))
        gaps = [
            edges[other[tree.depth[other] == d], 0].min()
            - edges[one[tree.depth[one] == d], 2].max()
            for d in set(tree.depth[one]) & set(tree.depth[other])
        ]
        assert min(gaps) == pytest.approx(0.2)


# --- regions -----------------------------------------------------------------------------


def test_boxes_hold_the_rows_of_every_node():
    tree = CLASSIFIER.tree_
    lower, upper = drawing.leaf_boxes(tree, 2)
    rows = PLANE.to_numpy()
    inside = ((rows[:, None] > lower) & (rows[:, None] <= upper)).all(axis=2)
    np.testing.assert_array_equal(inside.sum(axis=0), tree.n_node_samples)


@each(("largest", "share"), [(None, 1.0), (8, 0.5)])
def test_the_largest_mark_of_a_map_stays_within_its_cell(largest, share):
    ax = figures.draw_cells(np.array([[1.0, 4.0, 2.0]]), largest=largest)
    ax.figure.draw_without_rendering()
    cell = 72 * ax.get_window_extent().width / ax.figure.dpi / 3
    (marks,) = [c for c in ax.collections if c.get_gid() == "cells-0"]
    assert np.sqrt(marks.get_sizes().max() / share) == pytest.approx(0.9 * cell, rel=0.02)
    assert not [line for line in ax.lines if line.get_gid() == "home"]


def test_a_map_of_nothing_has_no_marks():
    drawn = figures.draw_cells(np.zeros((2, 2))).collections
    (marks,) = [c for c in drawn if c.get_gid() == "cells-0"]
    assert len(marks.get_offsets()) == 0


# --- curves ------------------------------------------------------------------------------


@each("case", refused("drawing"), ids=str)
def test_what_cannot_be_drawn(case):
    assert_refused(case, vars(figures) | vars(drawing) | globals())


def test_large_gains_are_written_out():
    ax = figures.draw_split_scores(split_table([[1], [2]], [0, 1]).assign(gain=300_000))
    assert ax.get_legend().get_texts()[0].get_text() == "chosen: x[0] ≤ 1.5, gain 300 000"


def test_bars_in_the_order_of_the_columns_with_both_ends():
    values, ends = [0.2, 0.7, -0.1], [[0.1, 0.4], [0.6, 0.9], [-0.2, 0.0]]
    ax = figures.draw_importances(values, ends, sort=False, names="xyz", xlabel="loss")
    assert [bar.get_width() for bar in ax.patches] == values
    assert [line[:, 0].tolist() for line in ax.collections[0].get_segments()] == ends
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "y", "z"]
    assert ax.get_xlabel() == "loss"


@each(("n", "stems"), [(60, True), (61, False)])
def test_split_scores_have_stems_up_to_sixty_cuts_and_a_line_beyond(n, stems):
    gain = np.linspace(0.0, 1.0, n)
    cuts = {"feature": 0, "threshold": np.arange(n) + 0.5, "test": "", "gain": gain}
    ax = figures.draw_split_scores(pd.DataFrame(cuts).assign(best=gain == 1))
    lines = [c for c in ax.collections if isinstance(c, mpl.collections.LineCollection)]
    curves = [line for line in ax.lines if len(line.get_xdata()) == n]
    assert (len(lines), len(curves)) == ((1, 0) if stems else (0, 1))
    (dots,) = [c for c in ax.collections if len(c.get_offsets()) == n and c not in lines]
    assert dots.get_sizes().tolist() == ([36] if stems else [8])


def test_errors_have_markers_up_to_forty_points():
    for n in (40, 41):
        ax = figures.draw_errors(np.arange(n), {"test": np.zeros(n)})
        assert (ax.lines[0].get_marker() != "") == (n == 40)


@each(("start", "decades"), zip([1e-4, 0.2, 300] * 3, [0.61, 1, 1.2, 1.9, 2.4, 2.6, 4, 8]))
def test_labels_of_a_logarithmic_axis_have_room(start, decades):
    """Of less than a decade, Matplotlib writes 4, 5 and 6 times a power of ten over another."""
    ax = figures.draw_errors([start, start * 10**decades], {"risk": [0.1, 0.2]}, log=True)
    ax.figure.draw_without_rendering()
    low, high = ax.get_xlim()
    ticks = [*ax.xaxis.get_major_ticks(), *ax.xaxis.get_minor_ticks()]
    labels = [t.label1 for t in ticks if low <= t.get_loc() <= high and t.label1.get_text()]
    boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.x0)
    assert 2 <= len(boxes) <= 9
    space = ax.figure.dpi * 0.05
    assert all(left.x1 + space < right.x0 for left, right in zip(boxes, boxes[1:]))
    assert boxes[0].x0 >= 0
    assert boxes[-1].x1 <= ax.figure.bbox.x1


# --- style -------------------------------------------------------------------------------


def test_style_ends_with_its_block():
    before = mpl.rcParams["font.size"]
    with style():
        assert mpl.rcParams["font.size"] == 13
    assert mpl.rcParams["font.size"] == before


class Shell:
    """An IPython shell that writes down the magics it is asked for, as the inline backend is."""

    def __init__(self, **attributes):
        formatters = pytest.importorskip("IPython.core.formatters")
        self.display_formatter = formatters.DisplayFormatter()
        self.magics = []
        vars(self).update(attributes)

    def run_line_magic(self, *magic):
        self.magics.append(magic)
        self.display_formatter.formatters["image/png"].for_type(Figure, png)

    def shown(self, figure):
        return self.display_formatter.format(figure)[0]


def an_ipython(shell):
    return SimpleNamespace(get_ipython=lambda: shell, version_info=(9, 0))


@pytest.mark.parametrize(
    ("make", "told"),
    [(lambda: Shell(kernel=object()), True), (lambda: Shell(), False), (lambda: None, False)],
)
def test_style_from_here_on_shows_svg_in_a_notebook(make, told, monkeypatch):
    shell = make()
    monkeypatch.setitem(sys.modules, "IPython", an_ipython(shell))
    with mpl.rc_context():
        drawing.use_style()
        assert {key: mpl.rcParams[key] for key in STYLE} == STYLE | {
            "font.family": ["DejaVu Sans"],
            "figure.figsize": [WIDTH, HEIGHT],
        }
    figure = figures.draw_errors([1, 2], {"test": [0.2, 0.1]}).figure
    if told:
        assert shell.magics == [("matplotlib", "inline")]
        assert shell.shown(figure) == {
            "image/svg+xml": svg(figure),
            "text/plain": repr(figure),
        }
    elif shell:
        assert shell.magics == []
        assert set(shell.shown(figure)) == {"text/plain"}


def test_a_cloud_stays_a_png_in_a_notebook(monkeypatch):
    shell = Shell(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", an_ipython(shell))
    with mpl.rc_context():
        drawing.use_style()
        ax = plt.subplots()[1]
        ax.scatter(*np.random.default_rng(0).normal(size=(2, 5000)))
        assert set(shell.shown(ax.figure)) == {"image/png", "text/plain"}


# --- stepper -----------------------------------------------------------------------------


def a_stepper(name="growing"):
    drawn = [plt.figure(figsize=(2, 1)) for _ in range(2)]
    drawn[1].subplots().plot([1, 2])
    frames = [
        (drawn[0], 'The root "alone" <1>.', 'A box & a "leaf".'),
        (drawn[1].axes[0], "One cut.", "Two boxes."),
        (pd.DataFrame({"gain": [0.5, np.nan]}), "The table.", "Table of one gain."),
        ("<p>words</p>", "Words.", "A word."),
    ]
    return figures.stepper(frames, title="Growing a tree", name=name)


def test_stepper_pictures_are_inside_and_described():
    html = a_stepper()._repr_html_()
    pictures = list(lxml.html.fromstring(html).iter("svg"))
    assert [p.get("aria-label") for p in pictures] == ['A box & a "leaf".', "Two boxes."]
    assert {(p.get("role"), p.get("width"), p.get("height")) for p in pictures} == {
        ("img", "192", "96")
    }
    rest = html.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//[a-z]|@import|<link|\bsrc=", rest)
    with mpl.rc_context({"savefig.bbox": "tight"}):  # a person's setting crops nothing
        assert a_stepper()._repr_html_() == html


def test_stepper_shows_a_cloud_as_png():
    figure, ax = plt.subplots(figsize=(2, 1))
    ax.scatter(*np.random.default_rng(0).normal(size=(2, 5000)))
    html = figures.stepper([(figure, "Dots.", "A <cloud>.")], "t", "n")._repr_html_()
    (img,) = lxml.html.fromstring(html).iter("img")
    kind, data = img.get("src").split(",")
    assert (kind, img.get("alt")) == ("data:image/png;base64", "A <cloud>.")
    pixels = base64.b64decode(data, validate=True)
    assert pixels[:8] == b"\x89PNG\r\n\x1a\n"
    assert b"Software" not in pixels


def test_stepper_closes_its_figures_and_tells_its_steps():
    steps = a_stepper()
    assert plt.get_fignums() == []
    assert len(steps) == 4
    assert repr(steps).splitlines() == [
        "Growing a tree, 4 steps",
        '  1. The root "alone" <1>.',
        "  2. One cut.",
        "  3. The table.",
        "  4. Words.",
    ]
