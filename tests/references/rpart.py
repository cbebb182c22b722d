"""The trees and pruning sequences of R's rpart, and how treelab's are compared with them."""

import json
from functools import cache

import numpy as np
import pandas as pd
from places import DATA

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.impurity import IMPURITIES
from treelab.fast.pruning import cost_complexity_path, prune
from treelab.fast.tree import LEAF, Tree

FOLDER = DATA / "rpart"


DATA = ["airquality_cc", "cartest_cat", "cusummary_cc", "iris", "kyphosis"]


CLOSE = {"rtol": 1e-9, "atol": 1e-9}


@cache
def reference(data):
    return json.loads((FOLDER / f"{data}.json").read_text(encoding="utf-8"))


@cache
def table(data):
    """The rows as (X, y); text columns are categories in alphabetical order."""
    frame = pd.read_csv(FOLDER / f"{data}.csv")
    y = frame.pop(reference(data)["target"]).to_numpy()
    text = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    return frame.astype(dict.fromkeys(text, "category")), y


class Fit:
    """One fit of rpart: its nodes by number and the rows that they hold."""

    def __init__(self, data, name):
        self.data, self.name = data, name
        vars(self).update(reference(data)["fits"][name])
        self.X, self.y = table(data)
        weights = reference(data)["weights"].get(name.split("__")[0])
        self.w = np.ones(len(self.y)) if weights is None else np.array(weights, dtype=float)
        self.classes = reference(data)["classes"]
        self.node = {node["id"]: node for node in self.nodes}
        self.leaf_of_row = np.array(self.leaf_of_row)
        self.alpha = self.control["cp"] * self.root_dev / self.root_wt
        self.risk = "impurity" if self.classes is None else "misclassification"

    def __str__(self):
        return f"{self.data}-{self.name}"

    def rows(self, number):
        """Rows of a node: those whose leaf, halved often enough, is the node."""
        up = self.leaf_of_row.copy()
        while np.any(up > number):
            up[up > number] //= 2
        return np.flatnonzero(up == number)

    def is_leaf(self, number):
        return "var" not in self.node[number]

    def estimator(self, **other):
        of = DecisionTreeRegressor if self.classes is None else DecisionTreeClassifier
        control = {
            "min_samples_split": self.control["minsplit"],
            "min_samples_leaf": self.control["minbucket"],
            "max_depth": self.control["maxdepth"],
        }
        return of(criterion=self.criterion, **{**control, **other})

    def gain(self, number):
        """rpart's measure of a split as the decrease of the node's impurity."""
        node = self.node[number]
        if self.criterion == "squared_error":
            return node["improve"] * node["dev"] / node["wt"]
        return node["improve"] / node["wt"] / (np.log(2) if self.criterion == "entropy" else 1)

    def impurity(self, number):
        node = self.node[number]
        if self.classes is None:
            return node["dev"] / node["wt"]
        return float(IMPURITIES[self.criterion](node["counts"]))

    def sides(self, number):
        """The rows of the two children, the one below the threshold first."""
        node = self.node[number]
        return set(self.rows(node["left"])), set(self.rows(node["right"]))

    def tree(self):
        """rpart's own tree as a `Tree`, and rpart's numbers of its nodes."""
        order, waiting = [], [1]
        while waiting:
            number = waiting.pop()
            order.append(number)
            if not self.is_leaf(number):
                waiting += [self.node[number]["right"], self.node[number]["left"]]
        at = {number: t for t, number in enumerate(order)}
        levels = {
            name: list(self.X[name].cat.categories) for name in self.X.select_dtypes("category")
        }
        left_levels = np.zeros((len(order), max(map(len, levels.values()), default=0)), dtype=bool)
        columns = {key: [] for key in ("left", "right", "feature", "threshold", "value")}
        for t, number in enumerate(order):
            node, leaf = self.node[number], self.is_leaf(number)
            columns["left"].append(LEAF if leaf else at[node["left"]])
            columns["right"].append(LEAF if leaf else at[node["right"]])
            columns["feature"].append(-2 if leaf else self.X.columns.get_loc(node["var"]))
            columns["threshold"].append(-2.0 if leaf else node.get("threshold", np.nan))
            shares = (
                [node["yval"]] if self.classes is None else np.array(node["counts"]) / node["wt"]
            )
            columns["value"].append([shares])
            for level in node.get("left_levels", []):
                left_levels[t, levels[node["var"]].index(level)] = True
        tree = Tree(
            children_left=np.array(columns["left"]),
            children_right=np.array(columns["right"]),
            feature=np.array(columns["feature"]),
            threshold=np.array(columns["threshold"]),
            value=np.array(columns["value"], dtype=float),
            impurity=np.array([self.impurity(number) for number in order]),
            n_node_samples=np.array([self.node[number]["n"] for number in order]),
            weighted_n_node_samples=np.array([float(self.node[number]["wt"]) for number in order]),
            left_levels=left_levels,
            criterion=self.criterion,
        )
        return tree, np.array(order)


FITS = [Fit(data, name) for data in DATA for name in reference(data)["fits"]]


def gain_of(tree, t):
    """Decrease of the impurity of node t by its split, per unit of the node's weight."""
    left, right = tree.children_left[t], tree.children_right[t]
    R = tree.weighted_n_node_samples * tree.impurity
    return (R[t] - R[left] - R[right]) / tree.weighted_n_node_samples[t]


def compare(fit, tree, leaf):
    """Walk down both trees together and assert that they agree in every node that both have.

    Where the best cut of a node is not unique the two may test different features; the rows are
    parted in the same way all the same, in every one of these fits. Returns rpart's number of
    each treelab node that was met.
    """
    numbers, waiting = {}, [(0, 1)]
    while waiting:
        t, number = waiting.pop()
        numbers[t] = number
        node = fit.node[number]
        below = {
            side: tree.size[side] for side in (t, tree.children_left[t], tree.children_right[t])
        }
        rows = {s: set(np.flatnonzero((leaf >= s) & (leaf < s + k))) for s, k in below.items()}
        assert rows[t] == set(fit.rows(number))
        assert tree.n_node_samples[t] == node["n"] == len(rows[t])
        np.testing.assert_allclose(tree.weighted_n_node_samples[t], node["wt"], **CLOSE)
        np.testing.assert_allclose(tree.impurity[t], fit.impurity(number), **CLOSE)
        if fit.classes is None:
            np.testing.assert_allclose(tree.value[t, 0], [node["yval"]], **CLOSE)
        else:
            counts = tree.value[t, 0] * tree.weighted_n_node_samples[t]
            np.testing.assert_allclose(counts, node["counts"], **CLOSE)
            assert fit.classes[np.argmax(tree.value[t, 0])] == node["yval"]
        if fit.is_leaf(number):
            continue
        assert not tree.is_leaf[t], f"node {number} is split by rpart alone"
        np.testing.assert_allclose(gain_of(tree, t), fit.gain(number), rtol=1e-9)
        left, right = tree.children_left[t], tree.children_right[t]
        sides = fit.sides(number)
        assert rows[left] in sides, f"node {number}: other rows go left"
        straight = rows[left] == sides[0]
        if fit.X.columns[tree.feature[t]] != node["var"]:
            assert number in fit.tied, f"node {number}: another feature, though the best is unique"
        elif "threshold" in node:
            np.testing.assert_allclose(tree.threshold[t], node["threshold"], rtol=1e-12)
            assert straight
        waiting.append((left, node["left" if straight else "right"]))
        waiting.append((right, node["right" if straight else "left"]))
    return numbers


def assert_grown_and_pruned_alike(fit):
    """rpart prunes at its cp while it grows; treelab grows, then prunes at the same alpha."""
    model = fit.estimator().fit(fit.X, fit.y, sample_weight=fit.w)
    tree = model.tree_ if fit.alpha < 0 else prune(model.tree_, fit.alpha, risk=fit.risk)
    model = model.with_tree(tree)
    numbers = compare(fit, tree, model.apply(fit.X))
    assert len(numbers) == tree.node_count == len(fit.nodes)
    mine = [numbers[t] for t in model.apply(fit.X)]
    np.testing.assert_array_equal(mine, fit.leaf_of_row)
    if fit.classes is None:
        np.testing.assert_allclose(model.predict(fit.X), fit.prediction, **CLOSE)
    else:
        np.testing.assert_array_equal(model.predict(fit.X), fit.prediction)


def assert_same_sequence(fit):
    path = cost_complexity_path(fit.tree()[0], risk=fit.risk)
    W = fit.root_wt
    steps = {step["alpha"]: step for step in fit.weakest_link}.values()  # last tree of each alpha
    np.testing.assert_array_equal(path.n_leaves, [step["n_leaves"] for step in steps])
    for mine, name in ((path.alphas, "alpha"), (path.risks, "risk")):
        theirs = [step[name] for step in steps]
        np.testing.assert_allclose(np.multiply(mine, W), theirs, rtol=1e-9, atol=1e-9 * W)
