"""Every kind of picture, as a list of what is in it, against the list that was approved.

A list says for each artist where it stands and how it looks: widths, colors, hatches, sizes,
texts. It is made of numbers and not of pixels, so that it tells what has changed. Ticks and widths
of letters are those of the Matplotlib in `requirements.lock`. Whoever changes the look of a
picture on purpose looks at it, runs this file with WRITE_PICTURES=1, and reads in `git diff`
whether that is all that changed.
"""

import os
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from cases import each
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex

from treelab import (
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
    RandomForestRegressor,
    VarianceTreeRegressor,
    drawing,
)
from treelab.datasets import load_golf, load_vegetation
from treelab.drawing import style
from treelab.fast.growing import split_table
from treelab.fast.selection import GenuerSelector, LocalImportanceSelector
from treelab.figures import (
    draw_cells,
    draw_errors,
    draw_importances,
    draw_local_importance,
    draw_ranks,
    draw_split_scores,
    stepper,
)
from treelab.figures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"
APPROVED = Path(__file__).resolve().parents[1] / "data" / "pictures"
N = 24
X = pd.DataFrame({"width": np.arange(N) % 7 + 0.5, "height": np.arange(N) * 5 % 11 + 0.25})
CLASS = np.select([X["width"] < 3, X["height"] < 5], ["ash", "elm"], "oak")
NUMBER = (X["width"] + 3 * (X["height"] > 5)).to_numpy()
KINDS = pd.DataFrame({"color": pd.Categorical(list("rgbrgb") * 4), "size": X["width"]})
ERRORS = {"training": [0.3, 0.1, 0.05, 0.0], "cross-validated": [0.35, 0.2, 0.25, 0.3]}
BAND = {"cross-validated": [0.05, 0.03, 0.04, 0.05]}
EVERYTHING = ("node", "n", "weight", "impurity", "value")


def classes(**limits):
    return DecisionTreeClassifier(**limits).fit(X, CLASS)


def numbers(**limits):
    return DecisionTreeRegressor(**limits).fit(X, NUMBER)


def cuts(n):
    return split_table(np.arange(n + 1.0)[:, None], (np.arange(n + 1) > n / 3).astype(int))


def with_noise():
    """Columns that tell the number, and five that do not."""
    noise = np.random.default_rng(0).normal(size=(N, 5))
    return np.column_stack([X, noise])


def lafi():
    """The width matters for small numbers, the height tells which are large."""
    forest = RandomForestRegressor(10, max_depth=3)
    selector = GenuerSelector(forest, n_forests=3, importance="mdi", random_state=0)
    return LocalImportanceSelector(selector, min_samples_bin=6).fit(with_noise(), NUMBER)


def narrow_axes():
    with style.style():
        return plt.subplots(figsize=(3, 2))[1]


PICTURES = {
    "tree": lambda: drawing.draw_tree(classes()),
    "tree to the right": lambda: drawing.draw_tree(classes(), orientation="right"),
    "tree with all facts": lambda: drawing.draw_tree(
        classes(), show=EVERYTHING, highlight=[0, 2, 3], fontsize=10, digits=3
    ),
    "tree with all facts to the right": lambda: drawing.draw_tree(
        classes(max_depth=2), show=EVERYTHING, orientation="right", highlight=[0, 1]
    ),
    "tree of numbers": lambda: drawing.draw_tree(numbers(max_depth=1), show=EVERYTHING),
    "tree of numbers to the right": lambda: drawing.draw_tree(
        numbers(max_depth=2), orientation="right"
    ),
    "one leaf": lambda: drawing.draw_tree(numbers(min_samples_leaf=20)),
    "cut short": lambda: drawing.draw_tree(numbers(), max_depth=1, collapsed=[1]),
    "in axes": lambda: drawing.draw_tree(numbers(max_depth=1), ax=narrow_axes()),
    "levels": lambda: drawing.draw_tree(
        DecisionTreeClassifier(max_depth=3).fit(KINDS, CLASS), orientation="down"
    ),
    "many branches": lambda: drawing.draw_tree(
        C45Classifier(pruning=None).fit(*load_golf("gap", return_X_y=True)), show=EVERYTHING
    ),
    "many branches to the right": lambda: drawing.draw_tree(
        C45Classifier(pruning=None).fit(*load_golf(return_X_y=True)), orientation="right"
    ),
    "an empty branch": lambda: drawing.draw_tree(
        ID3Classifier().fit(*load_vegetation("level", return_X_y=True))
    ),
    "many branches of numbers": lambda: drawing.draw_tree(
        VarianceTreeRegressor().fit(KINDS[["color"]], NUMBER), show=EVERYTHING
    ),
    "partition": lambda: drawing.draw_partition(classes(), X, CLASS),
    "partition with nodes": lambda: drawing.draw_partition(
        classes(), X, CLASS, ("height", "width"), label="node", class_names=["a", "b", "c"]
    ),
    "partition of numbers": lambda: drawing.draw_partition(numbers(max_depth=3), X, NUMBER),
    "partition of numbers with nodes": lambda: drawing.draw_partition(
        numbers(max_depth=2), X.to_numpy(), NUMBER, label="node"
    ),
    "steps": lambda: drawing.draw_step_function(
        DecisionTreeRegressor(max_depth=2).fit(X[["width"]], NUMBER), X[["width"]], NUMBER
    ),
    "cuts": lambda: draw_split_scores(split_table(X, CLASS)),
    "cuts of another feature": lambda: draw_split_scores(split_table(X, CLASS), "height"),
    "cuts between levels": lambda: draw_split_scores(split_table(KINDS, CLASS), "color"),
    "many cuts": lambda: draw_split_scores(cuts(70)),
    "errors": lambda: draw_errors([1, 2, 4, 8], ERRORS, bands=BAND, chosen=2, xlabel="depth"),
    "errors, logarithmic": lambda: draw_errors(
        [0.01, 0.1, 1, 10], ERRORS, chosen=10, log=True, ylabel="risk", xlabel="alpha"
    ),
    "errors with long names": lambda: draw_errors(
        np.arange(50) / 2, {f"a curve with a long name {k}": np.arange(50) * k for k in range(4)}
    ),
    "importances": lambda: draw_importances(
        [0.2, 0.7, -0.1], [0.05, 0.1, 0.02], names=["a", "b", "c"]
    ),
    "ranks": lambda: draw_ranks([[0.5, 0.3, 0.2], [0.5, 0.2, 0.3], [0.1, 0.4, 0.2]]),
    "cells": lambda: draw_cells(
        {"speed": np.eye(3, 5), "pressure": 2 * np.eye(3, 5, 1)}, home=(2, 1), size=(20, 30)
    ),
    "local importance": lambda: draw_local_importance(lafi(), most=5),
}


# --- describing ---------------------------------------------------------------------------------


def plain(value):
    """Numbers with three digits, colors as hexadecimal numbers, long arrays by some of it."""
    if isinstance(value, str | bool | None):
        return str(value)
    array = np.ma.filled(np.ma.asarray(value, dtype=float), np.nan).ravel()
    if len(array) > 40:
        some = [len(array), *array[:4], *array[-4:], np.nanmean(array), np.nanmean(array**2)]
        return "long " + plain(some)
    return " ".join(f"{number + 0.0:.3f}" for number in array)


def colors(values):
    words = [to_hex(color, keep_alpha=True) for color in mpl.colors.to_rgba_array(values)]
    return " ".join(words if len(words) <= 12 else [str(len(words)), *words[:3], *words[-3:]])


def of_line(line):
    yield "data", plain(line.get_xydata())
    yield "color", colors(line.get_color())
    yield "line", f"{line.get_linestyle()} {plain(line.get_linewidth())}"
    if line.get_marker() not in ("None", "", None):
        yield "marker", f"{line.get_marker()} {plain(line.get_markersize())}"
        yield "fill", colors(line.get_markerfacecolor())
        yield "edge", f"{colors(line.get_markeredgecolor())} {plain(line.get_markeredgewidth())}"


def of_patch(patch):
    box = patch.get_path().get_extents(patch.get_patch_transform())
    yield "box", plain(box.extents)
    if hasattr(patch, "get_data"):
        yield "steps", plain([*patch.get_data().values, *patch.get_data().edges])
    if hasattr(patch, "get_boxstyle"):
        yield "corners", plain(getattr(patch.get_boxstyle(), "rounding_size", 0))
    yield "fill", colors(patch.get_facecolor()) if patch.get_fill() else "none"
    yield "edge", f"{colors(patch.get_edgecolor())} {plain(patch.get_linewidth())}"
    yield "line", patch.get_linestyle()
    if patch.get_hatch():
        yield "hatch", patch.get_hatch()


def of_collection(collection):
    if isinstance(collection, LineCollection):
        yield "data", plain([point for segment in collection.get_segments() for point in segment])
    elif hasattr(collection, "get_sizes"):
        yield "data", plain(collection.get_offsets())
        yield "sizes", plain(collection.get_sizes())
        yield "shape", plain(collection.get_paths()[0].vertices[:3])
    else:
        yield "data", plain(collection.get_paths()[0].vertices)
    yield "fill", colors(collection.get_facecolor())
    yield "edge", f"{colors(collection.get_edgecolor())} {plain(collection.get_linewidth())}"


def of_text(text):
    yield "text", repr(text.get_text())
    yield "at", plain(text.get_position())
    yield "font", f"{plain(text.get_fontsize())} {text.get_fontweight()}"
    if text.get_rotation():
        yield "turned", plain(text.get_rotation())
    yield "aligned", f"{text.get_ha()} {text.get_va()} {plain(text._linespacing)}"
    yield "color", colors(text.get_color())
    if text.get_bbox_patch() is not None:
        look = dict(of_patch(text.get_bbox_patch()))
        yield "frame", f"{look['fill']} {look['edge']}"


def of_axes(ax):
    """The lines of the list for one pair of axes."""
    yield f"axes {ax.get_xlabel()!r} {ax.get_ylabel()!r} {ax.get_xscale()} {ax.get_yscale()}"
    yield f"  limits: {plain([*ax.get_xlim(), *ax.get_ylim()])}"
    yield f"  framed: {ax.axison} grid: {any(g.get_visible() for g in ax.get_xgridlines())}"
    for name, labels in (("x", ax.get_xticklabels()), ("y", ax.get_yticklabels())):
        if ax.axison:
            yield f"  ticks {name}: {[label.get_text() for label in labels]}"
    if legend := ax.get_legend():
        words = [text.get_text() for text in legend.get_texts()]
        yield f"  legend: {words} {legend._ncols} columns, frame {legend.get_frame_on()}"
        yield f"    at: {legend._loc} {plain(legend.get_bbox_to_anchor().bounds)}"
        gaps = legend.columnspacing, legend.handlelength, legend.handletextpad
        sizes = [text.get_fontsize() for text in legend.get_texts()]
        yield f"    look: {plain([*gaps, legend.borderaxespad, *sizes])}"
        for handle in legend.get_patches():
            yield "    " + "; ".join(f"{k}: {v}" for k, v in of_patch(handle) if k != "box")
    for kind, artists, describe in (
        ("line", ax.lines, of_line),
        ("patch", ax.patches, of_patch),
        ("collection", ax.collections, of_collection),
        ("text", ax.texts, of_text),
    ):
        for one in artists:
            gid = one.get_gid() or ""
            name = "" if str(one.get_label()).startswith("_") else one.get_label()
            what = "; ".join(f"{key}: {value}" for key, value in describe(one))
            order = f"order {plain(one.get_zorder())}"
            order += "" if one.get_alpha() is None else f", alpha {plain(one.get_alpha())}"
            order += "" if one.get_clip_on() else ", not clipped"
            yield f"  {kind} {gid} {name!r} {order}; {what}"


@cache
def drawn(name):
    """The list of one picture, and its SVG; it is drawn once for all tests."""
    with style.style():
        figure = PICTURES[name]().get_figure(root=True)
        size = plain([*figure.get_size_inches(), figure.dpi])
        lines = [f"figure {size} {colors(figure.get_facecolor())}"]
        figure.canvas.draw()
        for ax in figure.axes:
            lines += of_axes(ax)
    text = svg(figure)
    plt.close("all")
    return lines, text


def style_list():
    """The settings of all pictures."""
    names = "ACCENT COLORS DPI GRAY HATCHES HEIGHT INK LEAF_FILL LINES MARKERS PAPER STYLE WIDTH"
    lines = [f"{name} = {getattr(style, name)!r}" for name in names.split()]
    looks = [f"class {k}: {style.class_look(k)}" for k in range(18)]
    shades = [f"pale {s}: {plain(style.pale('#204080', s))}" for s in (0, 0.3, 1)]
    return lines + looks + shades + [f"pale: {plain(style.pale('#204080'))}"]


def stepper_list():
    """The page of a stepper without pictures."""
    table = pd.DataFrame({"cut": [1.5, np.nan], "gain": [0.1, 0.4]})
    frames = [
        (table[:1], "The first cut.", 'A cut at "1.5" & more'),
        (["<p>above</p>", table], "Two  things <here>.", "Two"),
    ]
    return stepper(frames, title="Two & two", name="two-2")._repr_html_().split("\n")


LISTS = {name: lambda name=name: drawn(name)[0] for name in PICTURES}
LISTS |= {"style": style_list, "stepper": stepper_list}


def file_of(name):
    return APPROVED / (re.sub(r"[^a-z]+", "_", name) + ".txt")


NUMBER_IN_TEXT = re.compile(r"-?\d+\.\d+")


@each("name", LISTS)
def test_the_picture_is_the_approved_one(name):
    """Words are equal; numbers too, but for their last digit."""
    found = LISTS[name]()
    if os.environ.get("WRITE_PICTURES"):
        file_of(name).write_text("\n".join(found) + "\n", encoding="utf-8")
    approved = file_of(name).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    for was, is_ in zip(approved, found):
        assert NUMBER_IN_TEXT.sub("#", is_) == NUMBER_IN_TEXT.sub("#", was)
        now, then = (np.array(NUMBER_IN_TEXT.findall(t), dtype=float) for t in (is_, was))
        np.testing.assert_allclose(now, then, rtol=0.003, atol=0.003, err_msg=was)
    assert len(found) == len(approved)


def test_no_list_is_left_over():
    assert sorted(APPROVED.glob("*")) == sorted(map(file_of, LISTS))


# --- as SVG ---------------------------------------------------------------------------------


@each("name", PICTURES)
def test_a_picture_is_small_and_complete_in_itself(name):
    text = drawn(name)[1]
    assert len(text) < 60_000
    root = ElementTree.fromstring(text)
    ids = [piece.get("id") for piece in root.iter() if "id" in piece.attrib]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"f-\d+", i) for i in ids)
    referred = re.findall(r'(?:url\(|href=")#([\w-]+)', text)
    assert set(referred) == set(ids)
    assert {piece.tag for piece in root.iter()} <= {
        SVG + tag for tag in "svg g path text tspan use defs clipPath rect pattern image".split()
    }
    assert not re.search(r"http(?!://www.w3.org/2000/svg)|font-family:|\d\.\d{7}", text)


# Pictures that are wider than the page of a phone, which scrolls them.
WIDE = {"tree with all facts to the right", "many branches", "an empty branch",
        "many branches of numbers"}  # fmt: skip
STANDARD = [n for n in PICTURES if n not in ("tree with all facts", "in axes")]


@each("name", STANDARD)
def test_no_type_is_under_eleven_pixels_on_a_phone(name):
    root = ElementTree.fromstring(drawn(name)[1])
    width = float(root.get("viewBox").split()[2])
    assert (width > 72 * style.WIDTH + 0.01) == (name in WIDE)
    if name in WIDE:
        return
    for text in root.iter(f"{SVG}text"):  # powers of ten have smaller ones
        sizes = re.findall(r"font-size:([\d.]+)", ElementTree.tostring(text, encoding="unicode"))
        assert max(map(float, sizes)) * 344 / width >= 11


def test_texts_stay_texts():
    texts = [
        "".join(t.itertext()) for t in ElementTree.fromstring(drawn("tree")[1]).iter(f"{SVG}text")
    ]
    assert {"yes", "no", "width ≤ 3", "ash"} <= set(texts)
