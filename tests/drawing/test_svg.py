"""Pictures as SVG: the same bytes, small, with type that a phone shows large enough."""

import re
import subprocess
import sys
from functools import cache
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from cases import each
from matplotlib.path import Path
from test_pictures import PICTURES

from treelab import DecisionTreeClassifier
from treelab.drawing import draw_tree
from treelab.drawing.style import HATCHES, WIDTH, style
from treelab.figures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _agg():
    with mpl.rc_context({"backend": "Agg"}):
        yield
    plt.close("all")


@cache
def drawn(name):
    """Return the SVG of a picture, which is drawn once for all tests."""
    with style():
        ax = PICTURES[name]()
    return svg(ax.get_figure(root=True))


@each("name", PICTURES)
def test_a_picture_is_small_and_complete_in_itself(name):
    text = drawn(name)
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
    root = ElementTree.fromstring(drawn(name))
    width = float(root.get("viewBox").split()[2])
    assert (width > 72 * WIDTH + 0.01) == (name in WIDE)
    if name in WIDE:
        return
    for text in root.iter(f"{SVG}text"):  # powers of ten have smaller ones
        sizes = re.findall(r"font-size:([\d.]+)", ElementTree.tostring(text, encoding="unicode"))
        assert max(map(float, sizes)) * 344 / width >= 11


def test_texts_stay_texts():
    texts = [
        "".join(t.itertext()) for t in ElementTree.fromstring(drawn("tree")).iter(f"{SVG}text")
    ]
    assert {"yes", "no", "width ≤ 3", "ash"} <= set(texts)


def test_another_process_writes_the_same_bytes():
    program = """
import sys
from treelab import DecisionTreeClassifier
from treelab.drawing import draw_tree
from treelab.figures.svg import svg
model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "b", "c", "a"])
sys.stdout.buffer.write(svg(draw_tree(model).figure).encode())
"""
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert there.startswith(b'<svg class="tl-figure"')
    model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "b", "c", "a"])
    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the tests before have set
        assert there == svg(draw_tree(model).figure).encode()


def test_settings_of_others_change_nothing():
    figure = plt.figure(figsize=(2, 1))
    figure.subplots().set_title("a")
    before = svg(figure)
    others = {"svg.fonttype": "path", "svg.hashsalt": "x", "savefig.bbox": "tight",
              "savefig.dpi": 10, "savefig.transparent": True}  # fmt: skip
    with mpl.rc_context(others):
        assert svg(figure) == before


def test_text_in_black_says_so():
    """An svg's text is black if nothing is said, but a page has an ink of its own."""
    figure = plt.figure(figsize=(2, 1))
    figure.text(0.1, 0.1, "on a color", color="black")
    assert re.search(r'style="[^"]*fill:#000000"[^>]*>on a color<', svg(figure))


def test_a_cloud_has_no_svg():
    ax = plt.subplots()[1]
    ax.scatter(*np.random.default_rng(0).normal(size=(2, 5000)))
    assert svg(ax.figure) is None


def lines_of(points, side):
    """Straight lines of a hatch by direction and distance, dots by a point; modulo the tile."""
    found = set()
    for polygon in points:
        (x, y), (p, q) = polygon[0], polygon[-1]
        if len(polygon) > 2:
            found.add(("dot", round(x % side, 2) % side, round(y % side, 2) % side))
        elif abs(p - x) < 1e-6:
            found.add(("upright", round(x % side, 2) % side))
        else:
            slope = round((q - y) / (p - x))
            found.add((slope, round((y - slope * x) % side, 2) % side))
    return found


def test_hatches_of_contours_are_small_too():
    ax = plt.subplots()[1]
    ax.contourf(np.eye(3), levels=1, hatches=["....", "////"])
    sides = [p.get("width") for p in ElementTree.fromstring(svg(ax.figure)).iter(f"{SVG}pattern")]
    assert sides == ["6", "6"]


@each("hatch", [h for h in HATCHES if h] + ["/", "x", "OO", "..", "---"])
def test_a_hatch_is_the_same_from_a_small_tile(hatch):
    figure = plt.figure(figsize=(2, 1))
    figure.add_artist(plt.Rectangle((0, 0), 1, 1, hatch=hatch, fill=False))
    (pattern,) = ElementTree.fromstring(svg(figure)).iter(f"{SVG}pattern")
    side = float(pattern.get("width"))
    assert side == pytest.approx(24 / len(hatch))
    pieces = pattern.find(f"{SVG}path").get("d").split("M")[1:]
    tile = [np.array(re.findall(r"-?[\d.]+", p), dtype=float).reshape(-1, 2) for p in pieces]
    whole = [72 * p for p in Path.hatch(hatch, 6).to_polygons(closed_only=False)]
    flipped = [np.column_stack([p[:, 0], 72 - p[:, 1]]) for p in whole]
    straight = {s for s in lines_of(tile, side) if s[0] != "dot"}
    assert straight == {s for s in lines_of(flipped, side) if s[0] != "dot"}
    starts = {s for s in lines_of(tile, side) if s[0] == "dot"}
    assert starts == {s for s in lines_of(flipped, side) if s[0] == "dot"}
