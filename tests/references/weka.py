"""Weka's data and trees, and how treelab's are compared with them (see data/README.md)."""

import gzip
import importlib
import json
from functools import cache

import numpy as np
import pandas as pd
from places import DATA

from treelab import ID3Classifier
from treelab.fast.c45 import Leaf, LevelTest

MODULE = importlib.import_module("treelab.fast.c45.gain_ratio")  # its name is also a function's


FOLDER = DATA / "weka"


SWITCHES = {
    "-U": {"pruning": None},
    "-R": {"pruning": "reduced_error"},
    "-S": {"subtree_raising": False},
    "-O": {"collapse": False},
    "-J": {"mdl_correction": False},
    "-A": {"laplace": True},
    "-doNotMakeSplitPointActualValue": {"cut": "midpoint"},
}


VALUES = {"-M": ("min_samples_leaf", float), "-C": ("confidence", float), "-N": ("n_folds", int)}


def read(name):
    return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))


def names(kind):
    """The data sets on which Weka ran `kind`."""
    return sorted(path.name[len(kind) + 1 : -8] for path in FOLDER.glob(f"{kind}_*.json.gz"))


@cache
def load(csv):
    """Features and target with their declared levels, and the weights or None."""
    schema = json.loads((FOLDER / csv.replace(".csv", ".schema.json")).read_text(encoding="utf-8"))
    frame = pd.read_csv(FOLDER / csv, keep_default_na=False, na_values=["NA"], dtype=str)
    columns = {
        name: pd.Categorical(frame[name], categories=kind["levels"])
        if kind["type"] == "categorical"
        else frame[name].astype(float)
        for name, kind in schema["columns"].items()
    }
    data = pd.DataFrame(columns)
    weight = frame[schema["weights"]].astype(float) if schema.get("weights") else None
    return data[schema["features"]], data[schema["target"]], weight


def parameters(options):
    """J48's options as parameters of `C45Classifier`."""
    words = iter(options.split())
    found = {}
    for word in words:
        if word in VALUES:
            name, kind = VALUES[word]
            found[name] = kind(next(words))
        elif word == "-Q":  # the seed orders the growing rows, which changes nothing
            next(words)
        else:
            found |= SWITCHES[word]
    return found


def assert_same_node(theirs, tree, t, way="root"):
    """Weights, question, gain, ratio and cut of node `t` and of all below it."""
    mine = tree.nodes[t]
    np.testing.assert_allclose(mine.sums, theirs["dist"], rtol=0, atol=1e-6, err_msg=way)
    assert isinstance(mine, Leaf) == theirs["leaf"], way
    if theirs["leaf"]:
        assert theirs["empty"] == (tree.weight[t] < 1e-6), way
        return
    assert mine.test.feature == theirs["attr_index"], way
    assert isinstance(mine.test, LevelTest) == (theirs["kind"] == "nominal"), way
    found, wanted = [mine.gain, mine.ratio], [theirs["info_gain"], theirs["gain_ratio"]]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9, err_msg=way)
    if theirs["kind"] == "numeric":
        assert mine.test.threshold == theirs["split_point"], way
    for child, below, b in zip(mine.children, theirs["children"], theirs["branches"], strict=True):
        assert_same_node(below, tree, child, f"{way} / {theirs['attr']} {b}")


def assert_same_model(theirs, model, X, y):
    assert_same_node(theirs["tree"], model.tree_, 0)
    assert (model.n_leaves_, model.n_nodes_) == (theirs["n_leaves"], theirs["tree_size"])
    if "-A" not in theirs["options"]:  # there Weka counts the errors of the plain shares
        assert (model.predict(X) != np.asarray(y)).sum() == theirs["train_errors"]
    if "train_distribution" in theirs:
        found, wanted = model.predict_proba(X), theirs["train_distribution"]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)


def counting_rows(find_numeric_splits):
    """`find_numeric_splits` with J48's rule on numeric attributes known in few rows.

    J48 leaves out a numeric attribute known in fewer than 2 L rows, whatever they weigh.
    treelab asks of the weight what J48 asks of the number of rows, so that a row of weight 2
    is two rows. With J48's rule put in, trees on weighted rows must agree as well.
    """

    def theirs(data, rows, w, features, rules):
        known = ~np.isnan(data.table[rows[:, None], features])
        least = [MODULE.least_weight(s, data.n_classes, rules) for s in w @ known]
        return find_numeric_splits(
            data, rows, w, features[known.sum(axis=0) >= 2 * np.array(least)], rules
        )

    return theirs


def assert_same_id3(theirs, model, classes, t=0):
    """Where Weka has no class for an empty branch, ours answers as the node above."""
    tree = model.tree_
    mine = tree.nodes[t]
    assert isinstance(mine, Leaf) == theirs["leaf"]
    if theirs["leaf"]:
        shares = mine.sums / max(tree.weight[t], 1)
        np.testing.assert_allclose(shares, theirs["dist"], rtol=0, atol=1e-9)
        answer = classes[tree.predicted_sums[t].argmax()]
        assert answer == theirs["cls"] if tree.weight[t] else theirs["cls"] is None
        return
    assert model.feature_names_in_[mine.test.feature] == theirs["attr"]
    assert model.categories_[mine.test.feature].tolist() == theirs["branches"]
    for child, below in zip(mine.children, theirs["children"], strict=True):
        assert_same_id3(below, model, classes, child)


def assert_tree_of_id3(name):
    theirs = read(f"id3_{name}")
    X, y, _ = load(theirs["csv"])  # Weka's Id3 takes no notice of weights
    model = ID3Classifier(split_on_zero_gain=False).fit(X, y)
    assert_same_id3(theirs["tree"], model, y.cat.categories)
    assert (model.n_leaves_, model.n_nodes_) == (theirs["n_leaves"], theirs["tree_size"])
    assert model.predict(X).tolist() == theirs["train_pred"]
    assert (model.predict(X) != np.asarray(y)).sum() == theirs["train_errors"]
