"""Pictures as SVG: settings, clouds and hatches; `test_pictures.py` looks at every picture."""

import re
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from cases import each
from matplotlib.path import Path

from treelab.drawing.style import HATCHES
from treelab.figures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


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
