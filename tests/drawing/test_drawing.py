"""Pictures are tested by what they hold, never by their pixels."""

import base64
import re
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from cases import each
from matplotlib.figure import Figure

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, drawing, figures
from treelab.drawing.layout import tree_layout
from treelab.drawing.picture import sketch_of
from treelab.drawing.style import HEIGHT, STYLE, WIDTH, style
from treelab.figures.svg import png, svg

VOID = {"img", "input", "br", "hr", "col", "meta", "link", "wbr"}


@pytest.fixture(autouse=True)
def _agg():
    with mpl.rc_context({"backend": "Agg"}):
        yield
    plt.close("all")


@pytest.fixture
def plane():
    """Forty rows in the plane with three classes and a number."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.uniform(0, 10, size=(40, 2)).round(1), columns=["width", "height"])
    y = np.select([X["width"] < 4, X["height"] < 5], ["ash", "elm"], "oak")
    return X, y, (X["width"] + 3 * (X["height"] > 5)).to_numpy()


def with_gid(ax, prefix):
    """Artists of the axes by the rest of their gid."""
    artists = [*ax.patches, *ax.lines, *ax.collections]
    return {
        a.get_gid()[len(prefix) :]: a for a in artists if (a.get_gid() or "").startswith(prefix)
    }


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


def test_given_axes_scale_the_text(plane):
    X, y, _ = plane
    model = DecisionTreeClassifier().fit(X, y)
    figure, axes = plt.subplots(1, 2, figsize=(5, 2.2), layout="constrained")
    assert drawing.draw_tree(model, ax=axes[0]) is axes[0]
    axes[1].set_ylabel("takes room\nlater")
    figure.canvas.draw()
    box = with_gid(axes[0], "node-")["0"].get_window_extent()
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


def in_order(tree, t=0):
    """The nodes as they stand from top to bottom: the yes branch, the node, the no branch."""
    if tree.is_leaf[t]:
        return [t]
    left, right = in_order(tree, tree.children_left[t]), in_order(tree, tree.children_right[t])
    return [*left, t, *right]


@pytest.mark.parametrize("fontsize", [8, 12])
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_a_tree_drawn_to_the_right_have_narrow_equal_gaps(seed, fontsize):
    tree, layout = layout_of(seed, "right", fontsize)
    left, top, right, bottom = edges_of(layout)[in_order(tree)].T
    gaps = top[1:] - bottom[:-1]
    assert np.ptp(gaps) == pytest.approx(0, abs=1e-9)
    assert 0.03 < gaps[0] < 0.12  # inches: boxes are apart, and closer than a line is high
    margins = [left.min(), top[0], layout.width - right.max(), layout.height - bottom[-1]]
    assert margins == pytest.approx([margins[0]] * 4)
    assert 0.05 < margins[0] < 0.2


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


def test_tree_refuses_what_it_cannot_draw():
    tree = DecisionTreeRegressor().fit([[1], [2]], [0.0, 1.0]).tree_
    with pytest.raises(ValueError, match="show takes"):
        drawing.draw_tree(tree, show=("entropy",))
    with pytest.raises(ValueError, match="orientation"):
        drawing.draw_tree(tree, orientation="up")
    with pytest.raises(ValueError, match="no node 7"):
        drawing.draw_tree(tree, highlight=[7])
    with pytest.raises(TypeError, match="model must be"):
        drawing.draw_tree("tree")
    with pytest.raises(ValueError, match="2 classes, got 1"):
        drawing.draw_tree(DecisionTreeClassifier().fit([[1], [2]], [0, 1]), class_names=["a"])


# --- regions -----------------------------------------------------------------------------


def test_partition_refuses_other_labels(plane):
    X, y, _ = plane
    model = DecisionTreeClassifier().fit(X, y)
    for label in ("leaf", "Node", True, 0, ""):
        with pytest.raises(ValueError, match="label must be None, 'node' or 'value', got"):
            drawing.draw_partition(model, X, y, label=label)


def test_partition_refuses_rows_that_do_not_fit(plane):
    X, y, _ = plane
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="X has 40 rows and y 39"):
        drawing.draw_partition(model, X, y[:-1])
    with pytest.raises(ValueError, match="the tree has 3 classes, got 2 class_names"):
        drawing.draw_partition(model, X, y, class_names=["ash", "elm"])


def test_partition_refuses_other_features(plane):
    X, y, z = plane
    three = X.assign(depth=z)
    model = DecisionTreeRegressor().fit(three, z)
    with pytest.raises(ValueError, match=r"also tests feature \[2\]"):
        drawing.draw_partition(model, three, z)
    with pytest.raises(ValueError, match="no feature 'girth'"):
        drawing.draw_partition(model, three, z, features=("girth", "depth"))
    with pytest.raises(ValueError, match="40 rows and y 39"):
        drawing.draw_partition(DecisionTreeClassifier().fit(X, y), X, y[1:])
    colors = pd.DataFrame({"c": pd.Categorical(["a", "b"]), "n": [1.0, 1.0]})
    by_color = DecisionTreeClassifier().fit(colors, [0, 1])
    with pytest.raises(ValueError, match="tests a category"):
        drawing.leaf_boxes(by_color.tree_, 2)


def test_boxes_hold_the_rows_of_every_node(plane):
    X, y, _ = plane
    tree = DecisionTreeClassifier().fit(X, y).tree_
    lower, upper = drawing.leaf_boxes(tree, 2)
    rows = X.to_numpy()
    inside = ((rows[:, None] > lower) & (rows[:, None] <= upper)).all(axis=2)
    np.testing.assert_array_equal(inside.sum(axis=0), tree.n_node_samples)


def test_step_function_is_the_prediction():
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 6, 30)
    y = np.sin(x)
    model = DecisionTreeRegressor(max_depth=3).fit(x[:, None], y)
    ax = drawing.draw_step_function(model, x[:, None], y)
    steps = with_gid(ax, "steps")[""].get_data()
    middles = (steps.edges[:-1] + steps.edges[1:]) / 2
    np.testing.assert_allclose(steps.values, model.predict(middles[:, None]))
    cuts = np.sort(model.tree_.threshold[~model.tree_.is_leaf])
    np.testing.assert_array_equal(steps.edges[1:-1], cuts)
    assert [line.get_xdata()[0] for line in ax.lines] == cuts.tolist()
    with pytest.raises(ValueError, match="regression tree"):
        drawing.draw_step_function(DecisionTreeClassifier().fit([[1], [2]], [0, 1]), x[:, None], y)


# --- curves ------------------------------------------------------------------------------


CUTS = pd.DataFrame(
    {
        "feature": ["size", "size", "size", "color", "color"],
        "threshold": [1.5, 2.5, 3.5, np.nan, np.nan],
        "test": ["size <= 1.5", "size <= 2.5", "size <= 3.5", "color in {a}", "color in {b}"],
        "gain": [0.1, 0.3, 0.3, 0.05, 0.25],
        "best": [False, True, False, False, False],
    }
)


def test_large_gains_are_written_out():
    ax = figures.draw_split_scores(CUTS.assign(gain=1e6 * CUTS["gain"]))
    assert ax.get_legend().get_texts()[0].get_text() == "chosen: size ≤ 2.5, gain 300 000"


def test_split_scores_of_a_category_are_bars():
    ax = figures.draw_split_scores(CUTS, "color")
    assert [bar.get_width() for bar in ax.patches] == [0.05, 0.25]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["color in {a}", "color in {b}"]
    top = with_gid(ax, "top")[""]
    np.testing.assert_allclose(top.get_offsets(), [[0.25, 1]])
    assert ax.get_legend().get_texts()[0].get_text() == "best of this feature: gain 0.25"
    assert not top.get_facecolor().size  # empty: the node chose another feature
    with pytest.raises(ValueError, match="no split on feature 'smell'"):
        figures.draw_split_scores(CUTS, "smell")
    with pytest.raises(ValueError, match="no split of the table is chosen"):
        figures.draw_split_scores(CUTS.assign(best=False))


def many_cuts(n):
    gain = np.linspace(0.0, 1.0, n)
    return pd.DataFrame(
        {"feature": 0, "threshold": np.arange(n) + 0.5, "test": "", "gain": gain, "best": gain == 1}
    )


@pytest.mark.parametrize(("n", "stems"), [(59, True), (60, True), (61, False), (200, False)])
def test_split_scores_have_stems_up_to_sixty_cuts_and_a_line_beyond(n, stems):
    ax = figures.draw_split_scores(many_cuts(n))
    lines = [c for c in ax.collections if isinstance(c, mpl.collections.LineCollection)]
    curves = [line for line in ax.lines if len(line.get_xdata()) == n]
    assert (len(lines), len(curves)) == ((1, 0) if stems else (0, 1))
    cuts = many_cuts(n)
    drawn = [s[1] for s in lines[0].get_segments()] if stems else curves[0].get_xydata()
    np.testing.assert_allclose(drawn, cuts[["threshold", "gain"]])
    if stems:
        assert [s[0][1] for s in lines[0].get_segments()] == [0] * n
    (dots,) = [c for c in ax.collections if len(c.get_offsets()) == n and c not in lines]
    assert dots.get_sizes().tolist() == ([36] if stems else [8])
    assert f"x[0] ≤ {n - 0.5:.4g}" in ax.get_legend().get_texts()[0].get_text()


@pytest.mark.parametrize(("n", "markers"), [(39, True), (40, True), (41, False)])
def test_errors_have_markers_up_to_forty_points(n, markers):
    ax = figures.draw_errors(np.arange(n), {"test": np.zeros(n)})
    assert (ax.lines[0].get_marker() != "") == markers


def test_errors_on_a_logarithmic_axis():
    x, errors = [0.001, 0.01, 0.5], {"training": [0.1, 0.2, 0.3]}
    ax = figures.draw_errors(x, errors, chosen=0.01, log=True)
    assert ax.get_xscale() == "log"
    assert with_gid(ax, "chosen")[""].get_xydata().tolist() == [[0.01, 0.2]]
    assert figures.draw_errors(x, errors).get_xscale() == "linear"
    for whole in (True, False):  # depths are whole numbers, and so are their ticks
        x = [1.0, 2.0, 3.0] if whole else [1.0, 1.5, 2.0]
        ticks = figures.draw_errors(x, errors).xaxis.get_major_locator()()
        assert np.all(ticks == np.round(ticks)) == whole


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


class Page(HTMLParser):
    """Checks that every tag closes, and collects the elements."""

    def __init__(self, html):
        super().__init__()
        self.open, self.elements, self.text = [], [], {}
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} repeats an attribute"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        where = self.open[-1] if self.open else None
        self.text[where] = self.text.get(where, "") + data

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


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
    pictures = Page(html).all("svg")
    assert [p["aria-label"] for p in pictures] == ['A box & a "leaf".', "Two boxes."]
    assert all((p["role"], p["width"], p["height"]) == ("img", "192", "96") for p in pictures)
    rest = html.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//[a-z]|@import|<link|\bsrc=", rest)


def test_stepper_shows_a_cloud_as_png():
    figure, ax = plt.subplots(figsize=(2, 1))
    ax.scatter(*np.random.default_rng(0).normal(size=(2, 5000)))
    (img,) = Page(figures.stepper([(figure, "Dots.", "A <cloud>.")], "t", "n")._repr_html_()).all(
        "img"
    )
    kind, data = img["src"].split(",")
    assert (kind, img["alt"]) == ("data:image/png;base64", "A <cloud>.")
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


def test_stepper_ignores_cropping():
    with mpl.rc_context({"savefig.bbox": "tight"}):
        assert Page(a_stepper()._repr_html_()).all("svg")[0]["width"] == "192"


def test_stepper_refuses_frames_without_words():
    good = [("<p>a</p>", "caption", "alt")]
    with pytest.raises(ValueError, match="frames is empty"):
        figures.stepper([], "title", "name")
    for frame in (("<p>a</p>", " ", "alt"), ("<p>a</p>", "caption", "")):
        with pytest.raises(ValueError, match="frame 1 needs a caption and an alt text"):
            figures.stepper([*good, frame], "title", "name")
    for name in ("Two Words", "", "a--b", 'x"'):
        with pytest.raises(ValueError, match="lower-case"):
            figures.stepper(good, "title", name)
    with pytest.raises(ValueError, match="title is empty"):
        figures.stepper(good, " ", "name")
    with pytest.raises(TypeError, match="got int"):
        figures.stepper([(3, "caption", "alt")], "title", "name")
