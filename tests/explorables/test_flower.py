"""The flower that a reader moves: its path, its box, and the smallest change of its answer."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_iris

from treelab import DecisionTreeClassifier

PAGE, KIND = "book/preface.html", "flower"


def check_moves(predict, at, names, text):
    """The moves that a text names change the answer, by a hundredth less they do not; what it does
    not name never does. Returns the names of the nearest."""
    found = re.findall(r"the (petal \w+) must (shrink by|grow by more than) ([\d.]+) cm", text)
    for name, way, by in found:
        less, enough = np.array([at, at], dtype=float)
        by, step = float(by), (0.01 if way == "grow by more than" else 0)
        sign = 1 if step else -1
        less[names.index(name)] += sign * (by + step - 0.01)
        enough[names.index(name)] += sign * (by + step)
        assert predict(less.round(6)) == predict(at) != predict(enough.round(6))
    for j, name in enumerate(names):
        if name not in [move[0] for move in found]:
            ways = [np.where(np.arange(2) == j, v, at) for v in np.arange(0, 8, 0.1)]
            assert {predict(way) for way in ways} == {predict(at)}
    sizes = [float(by) for _, _, by in found]
    assert sizes == sorted(sizes)
    return {name for name, _, by in found if float(by) == sizes[0]}


def test_every_sentence_is_that_of_the_tree(explored):
    X, y = load_iris(return_X_y=True)
    X, names = X[:, 2:], ["petal length", "petal width"]
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    classes, leaf_of, seen = load_iris().target_names, tree.apply(X), set()
    replies = set()

    def predict(at):
        return int(tree.tree_.value[tree.tree_.path(at)[-1]].argmax())

    assert len({str(r["state"]) for r in explored["records"]}) > 100
    for record in explored["records"]:
        state, sentence = record["state"], record["sentence"]
        at = [state["x"], state["y"]]
        for j, name in enumerate("xy"):
            assert record["sliders"][name] == [at[j], f"{at[j]:.1f} cm"]
        tests = re.findall(
            r"the (petal \w+) ([\d.]+) is (at most|more than) ([\d.]+)", sentence, re.I
        )
        node = 0
        for name, value, side, cut in tests:
            j = tree.tree_.feature[node]
            assert (name, float(value)) == (names[j], at[j])
            assert float(cut) == pytest.approx(tree.tree_.threshold[node])
            assert (side == "at most") == (at[j] <= float(cut))
            below = tree.tree_.children_left if side == "at most" else tree.tree_.children_right
            node = below[node]
        assert node == tree.apply([at])[0]
        here = leaf_of == node
        right = (y[here] == predict(at)).sum()
        words = f"{classes[predict(at)]}, as are {right} of {here.sum()} flowers in this box."
        assert words in sentence
        assert ("Nobody asks for the petal width" in sentence) == (len(tests) == 1)
        seen.add(predict(at))
        guess, verdict = state["guess"], record["verdict"]
        assert (verdict == "") == (guess is None)
        if verdict:
            nearest = check_moves(predict, at, names, verdict)
            reply = (
                "For another answer" if guess < 0 else "Yes:" if names[guess] in nearest else "No:"
            )
            assert verdict.startswith(reply)
            replies.add(reply)
    assert seen == {0, 1, 2}
    assert len(replies) >= 2
