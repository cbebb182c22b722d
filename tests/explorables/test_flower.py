"""The flower that a reader moves: its path, its box, and the smallest change of its answer."""

import re

import pytest
from sklearn.datasets import load_iris

from treelab import DecisionTreeClassifier

PAGE, KIND = "book/preface.html", "flower"


def test_nothing_is_wrong_with_the_figure(explored):
    assert explored["problems"] == []


def changes(predict, at):
    """The smallest change of one measurement that gives each other answer, in steps of 0.01."""
    found = {}
    for j in (0, 1):
        for step in range(1, 701):
            for sign in (-1, 1):
                moved = list(at)
                moved[j] += sign * step / 100
                found.setdefault(predict(moved), (step / 100, j))
    found.pop(predict(at), None)
    return found


def test_every_sentence_is_that_of_the_tree(explored):
    X, y = load_iris(return_X_y=True)
    X, names = X[:, 2:], ["petal length", "petal width"]
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    classes, leaf_of, seen = load_iris().target_names, tree.apply(X), set()

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
        told = re.search(r"For (\w+), change the (petal \w+) by ([\d.]+) cm", sentence)
        assert (told is None) == (state["guess"] is None)
        if told:
            others = changes(predict, at)
            change, j = others[list(classes).index(told[1])]
            least = min(others.values())[0]
            assert (told[2], change) == (names[j], least)
            assert float(told[3]) == pytest.approx(change, abs=0.0101)
    assert seen == {0, 1, 2}
