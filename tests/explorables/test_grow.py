"""The tree that a reader grows: boxes, errors and gains, and what CART does with as many leaves."""

import re

import numpy as np
import pytest
from readers import number
from sklearn.tree import DecisionTreeClassifier

from treelab.datasets import make_xor
from treelab.fast.impurity import information_gain

PAGE, KIND = "notebooks/03_growing_a_tree.html", "grow"
STEPS = "340"  # to see all numbers of leaves


def points(n, seed):
    X, y = make_xor(n, noise=0.1, random_state=seed)
    return X.round(3), y


def boxes_after(cuts):
    """The boxes of these cuts, (low, high) of both features."""
    boxes = [np.array([[-1.0, -1.0], [1.0, 1.0]])]
    for cut in cuts:
        at, j = np.array(cut["at"]), cut["j"]
        box = next(b for b in boxes if holds(b, at[None])[0])
        low, high = box.copy(), box.copy()
        low[1, j] = high[0, j] = at[j]
        boxes = [b for b in boxes if b is not box] + [low, high]
    return boxes


def holds(box, X):
    return (((X > box[0]) | (box[0] == -1)) & (X <= box[1])).all(axis=1)


def test_every_number_is_that_of_the_rows(explored):
    (X, y), (held, truth) = points(80, 2), points(500, 100)
    theirs = {1: None}
    for n_leaves in range(2, 7):
        model = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y)
        theirs[n_leaves] = ((model.predict(X) != y).sum(), (model.predict(held) != truth).sum())
    vote = y.mean() > 0.5
    theirs[1] = ((y != vote).sum(), (truth != vote).sum())
    seen, best = set(), 500
    assert len({str(r["state"]) for r in explored["records"]}) > 100
    for record in explored["records"]:
        state, values, sentence = record["state"], record["values"], record["sentence"]
        boxes, disk = boxes_after(state["cuts"]), np.array([[state["x"], state["y"]]])
        assert record["sliders"]["x"] == [state["x"], f"{state['x']:.2f}".replace("-", "−")]
        assert record["sliders"]["y"] == [state["y"], f"{state['y']:.2f}".replace("-", "−")]
        wrong = missed = 0
        for box in boxes:
            here, there = y[holds(box, X)], truth[holds(box, held)]
            says = here.mean() > 0.5
            wrong, missed = wrong + (here != says).sum(), missed + (there != says).sum()
        assert values["leaves"] == f"{len(boxes)} of 6"
        assert values["own_train"] == f"{wrong} of 80"
        assert values["own_held"] == f"{missed} of 500"
        train, other = theirs[len(boxes)]
        told = state["guess"] is not None and len(boxes) >= 4
        assert values["cart_train"] == (f"{train} of 80" if told else "?")
        assert values["cart_held"] == (f"{other} of 500" if told else "?")
        verdict = record["verdict"]
        if state["guess"] is None:
            assert verdict == ""
        elif not told:
            assert verdict.startswith("Grow to four leaves")
        else:
            assert verdict.startswith("Yes, you can" if missed < other else "Not yet")
            assert [int(n) for n in re.findall(r"\d+", verdict)] == [missed, 500, other]
        here = holds(next(b for b in boxes if holds(b, disk)[0]), X)
        counts = np.bincount(y[here], minlength=2)
        assert f"circles {counts[0]}, squares {counts[1]}." in sentence
        for j, name in enumerate(["x₁", "x₂"]):
            below = np.bincount(y[here & (X[:, j] <= disk[0, j])], minlength=2)
            said = re.search(f"{name} (gains [−\\d.]+|leaves one side empty)", sentence)
            if len(boxes) == 6:
                assert said is None
            elif 0 in (below.sum(), (counts - below).sum()):
                assert said[1] == "leaves one side empty"
            else:
                gain = information_gain([below, counts - below], "gini")
                assert number(said[1]) == pytest.approx(gain, abs=0.00051)
        seen.add(len(boxes))
        best = min(best, missed)
    assert seen == set(theirs)
    assert best < theirs[1][1]


def test_the_eye_beats_cart_with_four_leaves():
    (X, y), (held, truth) = points(80, 2), points(500, 100)
    cross = [{"at": [0, 0.5], "j": 0}, {"at": [-0.5, 0], "j": 1}, {"at": [0.5, 0], "j": 1}]
    boxes = boxes_after(cross)
    says = [y[holds(box, X)].mean() > 0.5 for box in boxes]
    missed = sum((truth[holds(box, held)] != say).sum() for box, say in zip(boxes, says))
    model = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(X, y)
    assert (missed, (model.predict(held) != truth).sum()) == (55, 168)
