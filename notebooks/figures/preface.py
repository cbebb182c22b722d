"""The figure of the front page: a flower to be moved, and the tree that says what it is."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

from treelab import DecisionTreeClassifier
from treelab.drawing import draw_partition, draw_tree, leaf_boxes
from treelab.drawing.style import ACCENT
from treelab.figures.explorable import explorable

__all__ = ["flower_explorable"]

NAMES, RANGES = ["petal length", "petal width"], [[0.5, 7.5], [0, 3]]
# Three flowers, and the answers on their paths.
FLOWERS = {(5.2, 1.8): "no, then no", (5.2, 1.4): "no, then yes", (1.4, 0.2): "yes"}


def flower_explorable():
    """Let the reader move a flower, and see its path down a tree and the nearest other class."""
    irises = _Irises()
    data = {
        "rows": irises.rows(),
        "tree": irises.nested(0),
        "names": NAMES,
        "ranges": RANGES,
        "classes": irises.tree.classes_,
        "rest": dict(zip("xy", next(iter(FLOWERS)), strict=True)),
        "question": "To change the answer, which measurement needs the smaller change?",
        "says": 2 * ["The {tests}: {answer}, as are {right} of {n} flowers in this box.{unasked}"],
        "verdicts": ["No: {moves}.", "Yes: {moves}.", "For another answer {moves}."],
        "alt": [
            "The plane of petal length and width with 150 flowers in three boxes; your flower is "
            "a disk.",
            "The tree with two splits; the path of your flower is thick.",
        ],
    }
    frames = [irises.frame(flower, answers) for flower, answers in FLOWERS.items()]
    frames.append(irises.boxes())
    return explorable("flower", data, frames, title="Move the flower", name="front-flower")


class _Irises:
    """The petals of 150 irises, and a tree of two splits."""

    def __init__(self):
        iris = load_iris(as_frame=True)
        self.X = iris.data[["petal length (cm)", "petal width (cm)"]]
        self.y = iris.target_names[iris.target]
        self.tree = DecisionTreeClassifier(max_depth=2).fit(self.X, self.y)
        self.leaf_of = self.tree.apply(self.X)
        self.lower, self.upper = leaf_boxes(self.tree.tree_, 2)

    def rows(self):
        """Both features and the class of each flower; those in the wrong box last, on top."""
        classes = list(self.tree.classes_)
        rows = [
            [*petals, classes.index(name)]
            for *petals, name in zip(*self.X.to_numpy().T, self.y, strict=True)
        ]
        order = np.argsort(self.tree.predict(self.X) != self.y, kind="stable")
        return [rows[i] for i in order]

    def nested(self, t):
        """The subtree under node t as dicts in dicts."""
        tree = self.tree.tree_
        if tree.is_leaf[t]:
            return self.leaf(t)
        j, threshold = int(tree.feature[t]), round(float(tree.threshold[t]), 2)
        return {
            "words": [f"{NAMES[j]} ≤ {threshold}"],
            "j": j,
            "cut": threshold,
            "left": self.nested(tree.children_left[t]),
            "right": self.nested(tree.children_right[t]),
        }

    def leaf(self, t):
        """The class that a leaf predicts, how many of its flowers have it, and its box."""
        predicted, here = int(self.tree.tree_.value[t].argmax()), self.leaf_of == t
        name = self.tree.classes_[predicted]
        n, right = int(here.sum()), int((self.y[here] == name).sum())
        sides = zip(self.lower[t], self.upper[t], RANGES, strict=True)
        return {
            "words": [name, f"{right} of {n}"],
            "answer": predicted,
            "n": n,
            "right": right,
            "box": [np.clip(side, *limits).round(2) for *side, limits in sides],
        }

    def frame(self, flower, answers):
        """The path of a flower down the tree, and the box where it ends."""
        figure, (above, below) = plt.subplots(2, 1, figsize=(5.6, 6.8), height_ratios=(1.15, 1.4))
        path = self.tree.tree_.path(flower)
        draw_tree(self.tree, NAMES, highlight=path, ax=above)
        draw_partition(self.tree, self.X, self.y, ax=below)
        below.plot(*flower, "o", ms=16, mec=ACCENT, mfc="none", mew=3, zorder=9)
        below.get_legend().remove()
        name = self.leaf(path[-1])["words"][0]
        length, width = flower
        words = f"Petals {length} cm long and {width} cm wide: {answers}. The prediction is {name}."
        alt = f"{words} Above, this path is thick in the tree; below, a ring stands in its box."
        return figure, words, alt

    def boxes(self):
        """The table of the three leaves."""
        leaves = [self.leaf(t) for t in np.flatnonzero(self.tree.tree_.is_leaf)]
        table = pd.DataFrame(
            [[*(f"{a:g} to {b:g}" for a, b in leaf["box"]), *leaf["words"]] for leaf in leaves],
            columns=[*(f"{name} in cm" for name in NAMES), "prediction", "right"],
        )
        right = [f"{leaf['right']} of {leaf['n']}" for leaf in leaves]
        alt = f"Table: {', '.join(right[:-1])} and {right[-1]} flowers are right."
        return table, "The three boxes, and how many of their flowers are right.", alt
