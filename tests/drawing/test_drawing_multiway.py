"""Pictures of trees, most with a branch for every level, tested by what they hold."""

import numpy as np
import pandas as pd
import pytest

from treelab import C45Classifier, DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier
from treelab.datasets import load_golf, load_mushrooms, load_vegetation
from treelab.drawing import draw_tree
from treelab.drawing.picture import sketch_of


@pytest.fixture
def golf():
    """Quinlan's golf table with its gap; nodes 0 outlook, 1 humidity, 5 windy."""
    return C45Classifier(pruning=None).fit(*load_golf("gap", return_X_y=True))


@pytest.fixture
def vegetation():
    """A tree with an empty leaf, node 7: no moderate slope at high elevation."""
    return ID3Classifier().fit(*load_vegetation("level", return_X_y=True))


def bushy():
    """A tree with numbers, gaps, many levels and long names."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "distance to water": rng.normal(size=150),
            "soil": rng.choice(["p", "loam or clay", "very coarse sand", "s", "t"], 150),
            "slope": rng.choice(["flat", "steep"], 150),
        }
    )
    y = (X["distance to water"] > 0) ^ X["soil"].isin(["p", "s"]) ^ (X["slope"] == "flat")
    X = X.mask(rng.uniform(size=X.shape) < 0.1)
    flip = rng.uniform(size=150) < 0.1
    return C45Classifier(pruning=None).fit(X, np.where(y ^ flip, "yes", "no"))


def fan():
    """A split with twelve long answers beside a leaf, which is the taller box."""
    level = [f"moderately {letter}" for letter in "abcdefghijkl"]
    X = pd.DataFrame({"a": ["x"] * 24 + ["y"] * 24, "b": level * 4})
    model = ID3Classifier().fit(X, ["0", "1"] * 12 + ["1"] * 24)
    assert model.tree_.nodes[0].children == (1, 14)
    return model


def binary():
    """A tree of yes and no."""
    rng = np.random.default_rng(0)
    return DecisionTreeRegressor(max_depth=5).fit(rng.normal(size=(80, 4)), rng.normal(size=80))


def with_gid(ax, prefix):
    """Artists of the axes by the rest of their gid."""
    artists = [*ax.patches, *ax.lines]
    return {
        a.get_gid()[len(prefix) :]: a for a in artists if (a.get_gid() or "").startswith(prefix)
    }


def extents(artists):
    """x0, y0, x1, y1 of each on the page, y upwards."""
    return np.array([a.get_window_extent().extents for a in artists])


def overlap(a, b):
    """Which rectangles of `a` overlap which of `b`, by more than a pixel."""
    a, b = a[:, None], b[None]
    low, high = np.maximum(a[..., :2], b[..., :2]), np.minimum(a[..., 2:], b[..., 2:])
    return (high - low > 1).all(axis=-1)


@pytest.mark.parametrize("orientation", ["down", "right"])
@pytest.mark.parametrize("model", [bushy(), fan(), binary()], ids=["bushy", "fan", "binary"])
def test_nothing_overlaps_and_all_stays_inside(orientation, model):
    n_nodes = len(sketch_of(model).children)
    assert n_nodes > 12
    ax = draw_tree(model, orientation=orientation, show=("node", "n", "impurity", "value"))
    ax.figure.canvas.draw()
    boxes = extents(with_gid(ax, "node-").values())
    assert len(boxes) == n_nodes
    answers = ax.texts[-(n_nodes - 1) :]
    if not hasattr(model, "n_leaves_"):  # of a binary tree they stand on the lines
        answers = [text for text in ax.texts if text.get_text() in ("yes", "no")]
    labels = extents(answers)
    assert (overlap(boxes, boxes) == np.eye(n_nodes, dtype=bool)).all()
    if len(answers) == n_nodes - 1:
        assert (overlap(labels, labels) == np.eye(n_nodes - 1, dtype=bool)).all()
        assert not overlap(labels, boxes).any()
    inside = np.vstack([boxes, labels])
    x1, y1 = ax.figure.get_size_inches() * ax.figure.dpi
    assert inside.min() >= 0
    assert inside[:, 2].max() <= x1
    assert inside[:, 3].max() <= y1
    for text in (text for text in ax.texts if text not in answers):  # words of a box are in it
        (ink,) = extents([text])
        held = (boxes[:, :2] <= ink[:2]).all(axis=1) & (boxes[:, 2:] >= ink[2:]).all(axis=1)
        assert held.sum() == 1, text.get_text()


@pytest.mark.parametrize("orientation", ["down", "right"])
@pytest.mark.parametrize("model", [bushy(), fan()], ids=["bushy", "fan"])
def test_no_line_runs_through_a_box_or_a_foreign_label(orientation, model):
    ax = draw_tree(model, orientation=orientation)
    ax.figure.canvas.draw()
    nodes = with_gid(ax, "node-")
    boxes = dict(zip(nodes, extents(nodes.values()), strict=True))
    order = [str(c) for t in range(model.n_nodes_) for c in sketch_of(model).children[t]]
    labels = dict(zip(order, extents(ax.texts[-len(order) :]), strict=True))
    for gid, line in with_gid(ax, "edge-").items():
        xy = ax.transData.transform(np.column_stack(line.get_data()))
        steps = np.linspace(0, 1, 60)[:, None]
        points = np.vstack([a + steps * (b - a) for a, b in zip(xy, xy[1:], strict=False)])
        parent, child = gid.split("-")
        others = [b for t, b in boxes.items() if t not in (parent, child)]
        others += [b for t, b in labels.items() if t != child]
        for x0, y0, x1, y1 in others:
            hit = (points > (x0 + 1, y0 + 1)).all(axis=1) & (points < (x1 - 1, y1 - 1)).all(axis=1)
            assert not hit.any(), gid


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_frames_of_a_growing_tree_match(golf, orientation):
    frames = [draw_tree(golf, collapsed=c, orientation=orientation) for c in ([0], [1, 5], [5], [])]
    seen = [with_gid(ax, "node-") for ax in frames]
    assert [len(boxes) for boxes in seen] == [1, 4, 6, 8]
    assert {tuple(ax.figure.get_size_inches()) for ax in frames} == {
        tuple(frames[0].figure.get_size_inches())
    }
    whole = seen[-1]
    for boxes in seen[:-1]:
        for t, box in boxes.items():
            np.testing.assert_allclose(extents([box]), extents([whole[t]]), atol=1.5)
    assert type(seen[1]["1"]).__name__ == "Rectangle"
    assert type(seen[2]["1"]).__name__ == "FancyBboxPatch"


def test_wide_trees_turn_and_narrow_ones_stand(golf, vegetation):
    down = ID3Classifier().fit(*load_mushrooms(return_X_y=True))
    for model, upright in ((golf, True), (down, True), (vegetation, False)):
        boxes = with_gid(draw_tree(model), "node-")
        root, first = extents([boxes["0"], boxes["1"]])
        assert (first[3] < root[1]) == upright  # below the root, or above it


def test_one_sketch_for_both_kinds_of_tree():
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    binary = sketch_of(DecisionTreeClassifier().fit(X, y), ["size"])
    multiway = sketch_of(C45Classifier(min_samples_leaf=1, cut="midpoint").fit(X, y), ["size"])
    assert binary.children == multiway.children == [[1, 2], [], []]
    assert binary.answers == multiway.answers == ["a", "a", "b"]
    assert (binary.labels, multiway.labels) == (["", "yes", "no"], ["", "≤\xa02.5", ">\xa02.5"])
    assert (binary.questions[0], multiway.questions[0]) == ("size ≤\xa02.5", "size")
    np.testing.assert_array_equal(binary.shares, multiway.shares)
    assert binary.parent.tolist() == [-1, 0, 0]
    assert binary.n_leaves == multiway.n_leaves == 2
