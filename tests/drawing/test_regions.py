"""Regions in the plane: the ground under a point has its class's color, and borders are straight.

Every place that draws regions is gone through: `draw_partition`, `draw_vote` and the bug museum. A
notebook that paints a plane by itself fails the last test.
"""

import json

import matplotlib as mpl
import matplotlib.pyplot as plt
import museum
import numpy as np
import pandas as pd
import pytest
from cases import each
from matplotlib.path import Path
from places import ROOT

from treelab import (
    DecisionTreeClassifier,
    RandomForestClassifier,
)
from treelab.datasets import make_moons
from treelab.drawing import draw_partition
from treelab.drawing.style import INK, class_look
from treelab.figures import draw_vote
from treelab.figures.svg import svg
from treelab.figures.votes import mean_shares

TWO, HALVES = make_moons(120, noise=0.3, random_state=0)
THREE = np.random.default_rng(5).uniform(size=(150, 2))
THIRDS = np.array(["ash", "elm", "oak"])[
    (THREE[:, 0] > 0.4).astype(int) + (THREE[:, 1] > 0.5) * (THREE[:, 0] > 0.4)
]


def grounds(ax, points):
    """Colors of the page at `points`, with marks and hatches taken off; (n_points, 3)."""
    for area in [*ax.collections, *ax.patches]:
        area.set_hatch(None)
        area.hatches = [None]  # of a contour set
    for mark in [*ax.collections, *ax.lines, *ax.texts]:
        if mark.get_zorder() >= 2 or isinstance(mark, mpl.lines.Line2D):
            mark.set_visible(False)
    canvas = ax.figure.canvas
    canvas.draw()
    page = np.asarray(canvas.buffer_rgba())[:, :, :3] / 255
    x, y = ax.transData.transform(points).astype(int).T
    return page[len(page) - 1 - y, x]


def nearest_class(colors, n_classes):
    """The class whose color, mixed with white, is the given one; -1 for gray and white."""
    hues = np.array([1 - np.array(mpl.colors.to_rgb(class_look(k)[0])) for k in range(n_classes)])
    hues /= np.linalg.norm(hues, axis=1, keepdims=True)
    ink = 1 - colors
    strength = np.linalg.norm(ink, axis=1)
    nearest = (ink @ hues.T / np.maximum(strength, 1e-9)[:, None]).argmax(axis=1)
    return np.where(strength < 0.03, -1, nearest)


def inner(X, n=400, seed=1):
    """Points inside the range of the rows."""
    low, high = X.min(axis=0), X.max(axis=0)
    return np.random.default_rng(seed).uniform(low, high, size=(n, 2))


def on_axes(draw, *arguments):
    ax = plt.figure(figsize=(6, 6), dpi=100).add_subplot()
    draw(*arguments, ax=ax)
    return ax


def by_museum(model, X, y, ax):
    codes = np.unique(y, return_inverse=True)[1]
    grid = museum.over_a_grid(model, X, codes, X.min(), X.max(), 61)
    other = ax.figure.add_subplot()
    museum.regions()([ax, other], grid, grid)
    other.remove()


PLACES = [
    (draw_partition, DecisionTreeClassifier(max_depth=5)),
    (draw_vote, DecisionTreeClassifier()),
    (draw_vote, RandomForestClassifier(30, max_features=1, random_state=0)),
    (by_museum, RandomForestClassifier(30, random_state=0)),
]


@each(("X", "y"), [(TWO, HALVES), (THREE, THIRDS)], ids=["two", "three"])
@each(("draw", "model"), PLACES)
def test_the_ground_has_the_color_of_the_class_that_is_predicted(draw, model, X, y):
    codes = np.unique(y, return_inverse=True)[1]
    target = codes if draw is by_museum else y
    model.fit(X, target)
    ax = on_axes(draw, model, X, target)
    K = codes.max() + 1
    points = inner(X)
    share = np.sort(model.predict_proba(points), axis=1)
    clear = share[:, -1] - share[:, -2] > 0.2  # away from borders and pale ground
    said = np.searchsorted(model.classes_, model.predict(points))
    found = nearest_class(grounds(ax, points), K)
    assert clear.sum() > 200
    # A pixel on a border may have the color of the other side.
    assert np.mean(found[clear] == said[clear]) > 0.93
    assert all((found[clear & (said == k)] == k).mean() > 0.9 for k in range(K))
    # And most rows stand on their own color: inverted colors would turn this round.
    clear = model.predict_proba(X).max(axis=1) > 0.7
    assert np.mean(nearest_class(grounds(ax, X[clear]), K) == codes[clear]) > 0.8


@pytest.mark.parametrize(("X", "y"), [(TWO, HALVES), (THREE, THIRDS)], ids=["two", "three"])
def test_shares_of_the_pieces_are_those_of_the_forest(X, y):
    forest = RandomForestClassifier(20, max_features=1, random_state=0).fit(X, y)
    low, high = X.min(axis=0) - 1, X.max(axis=0) + 1
    across, upwards, shares = mean_shares(forest.trees_, (low[0], high[0]), (low[1], high[1]))
    assert (across[0], across[-1], upwards[0], upwards[-1]) == (low[0], high[0], low[1], high[1])
    assert shares.shape == (len(upwards) - 1, len(across) - 1, len(forest.classes_))
    points = np.random.default_rng(2).uniform(low, high, size=(2000, 2))
    column = np.searchsorted(across, points[:, 0]) - 1
    row = np.searchsorted(upwards, points[:, 1]) - 1
    np.testing.assert_allclose(shares[row, column], forest.predict_proba(points), atol=1e-12)
    # On a threshold a point belongs to the piece on its left, and below.
    corner = np.array([[across[3], upwards[4]]])
    np.testing.assert_allclose(shares[3, 2], forest.predict_proba(corner)[0], atol=1e-12)


@pytest.mark.parametrize("n_trees", [1, 25])
def test_borders_are_straight_and_stand_where_the_class_changes(n_trees):
    forest = RandomForestClassifier(n_trees, random_state=0).fit(TWO, HALVES)
    ax = on_axes(draw_vote, forest, TWO, HALVES)
    (borders,) = ax.patches
    lines = borders.get_path().vertices.reshape(-1, 2, 2)
    assert (borders.get_path().codes.reshape(-1, 2) == (Path.MOVETO, Path.LINETO)).all()
    across, upwards, shares = mean_shares(forest.trees_, ax.get_xlim(), ax.get_ylim())
    segments = []  # from one threshold to the next
    for start, end in lines:
        places = across if start[1] == end[1] else upwards
        j = int(places is upwards)
        stops = places[(places >= start[j]) & (places <= end[j])]
        assert (stops[0], stops[-1]) == (start[j], end[j])
        pieces = np.tile(start, (len(stops) - 1, 2, 1))
        pieces[:, 0, j], pieces[:, 1, j] = stops[:-1], stops[1:]
        segments += list(pieces)
    segments, winner = np.array(segments), shares.argmax(axis=2)
    assert len(segments) == sum((np.diff(winner, axis=k) != 0).sum() for k in (0, 1))
    assert len(lines) < len(segments)
    along = segments[:, 0] == segments[:, 1]
    assert (along.sum(axis=1) == 1).all()  # upright or level, none aslant
    cuts = [np.concatenate([t.threshold[t.feature == j] for t in forest.trees_]) for j in (0, 1)]
    for (x, y), upright in zip(segments[:, 0], along[:, 0], strict=True):
        assert (x in cuts[0]) if upright else (y in cuts[1])
    middle = segments.mean(axis=1)
    step = np.where(along, 1e-9, 0.0)  # across the border
    before, after = forest.predict(middle - step), forest.predict(middle + step)
    assert (before != after).all()
    assert len(segments) > 20


def test_a_vote_of_one_opinion_has_no_border():
    tree = DecisionTreeClassifier(max_depth=1).fit([[0, 0], [1, 0], [2, 0]], ["a", "a", "b"]).tree_
    ax = on_axes(draw_vote, [tree, tree], [[0, 0], [1, 0]], ["a", "b"])
    assert ax.patches[0].get_path().vertices.shape == (0, 2)
    assert svg(ax.figure)


def test_museum_borders_are_straight():
    places = np.linspace(0, 1, 5)
    grid = np.add.outer(np.arange(5), np.arange(5)) % 3 == 0
    result = {"x": places, "y": places, "grid": grid.astype(int), "_rows": np.zeros((2, 2)),
              "_classes": np.array([0, 1])}  # fmt: skip
    axes = plt.figure().subplots(1, 2)
    museum.regions()(axes, result, result)
    for area in axes[0].collections:
        for path in area.get_paths():
            for outline in path.to_polygons():
                steps = np.diff(outline, axis=0)
                assert (np.abs(steps).min(axis=1) < 1e-9).all()


def test_colors_fade_with_the_lead():
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    sure = RandomForestClassifier(1, bootstrap=False, random_state=0).fit(rows, [0, 0, 1, 1])
    unsure = DecisionTreeClassifier(max_depth=1).fit(
        [*rows, [0, 0.5], [1, 0.4]], [0, 0, 1, 1, 1, 0]
    )
    strength = []
    for model in (sure, unsure):
        image = on_axes(draw_vote, model, rows, [0, 0, 1, 1]).images[0].get_array()
        strength.append(image[:, :, 3].max())
    assert strength[0] > strength[1] > 0.05


def test_a_list_of_trees_and_names():
    forest = RandomForestClassifier(9, random_state=0).fit(THREE, THIRDS)
    frame = pd.DataFrame(THREE, columns=["width", "height"])
    ax = on_axes(draw_vote, forest.trees_[:3], frame, THIRDS)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "height")
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["ash", "elm", "oak"]
    colors = [dots.get_facecolor()[0][:3] for dots in ax.collections]
    np.testing.assert_allclose(colors, [mpl.colors.to_rgb(class_look(k)[0]) for k in range(3)])
    for name, dots in zip(forest.classes_, ax.collections, strict=True):
        np.testing.assert_array_equal(dots.get_offsets(), THREE[THIRDS == name])
    assert mpl.colors.same_color(ax.patches[0].get_edgecolor(), INK)
    named = plt.figure().add_subplot()
    draw_vote(forest.trees_, THREE, THIRDS, class_names=["ash", "elm", "oak"], ax=named)
    assert named.get_xlabel() == "x[0]"


def test_no_notebook_paints_a_plane_by_itself():
    own = []
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        source = "".join(s for c in cells if c["cell_type"] == "code" for s in c["source"])
        if any(word in source for word in ("contourf(", "pcolormesh(", "pcolorfast(")):
            own.append(path.name)
    assert own == []
