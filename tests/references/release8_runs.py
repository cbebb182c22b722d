"""Runs of Quinlan's C4.5 Release 8, and how treelab's trees are compared with them (data/c45r8)."""

import gzip
import hashlib
import json
from functools import cache

import numpy as np
import pandas as pd
from places import DATA

from treelab import C45Classifier
from treelab.fast.c45 import Leaf, Release8Tree

FOLDER = DATA / "c45r8"


SETS = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


OPTIONS = {
    "default": {},
    "c10": {"confidence": 0.1},
    "c90": {"confidence": 0.9},
    "m1": {"min_samples_leaf": 1},
    "m5": {"min_samples_leaf": 5},
    "g": {"criterion": "gain"},
}


@cache
def read(name):
    """What the program returned on a data set, the features, and the target."""
    reference = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    path = FOLDER / reference["csv"]
    if not path.exists():  # Weka's own sets stand in the folder beside
        path = FOLDER.parent / "weka" / reference["csv"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == reference["sha256"]
    raw = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[reference["missing"]])
    y = pd.Series(pd.Categorical(raw[reference["target"]], categories=reference["classes"]))
    return reference, typed(raw, reference["columns"]), y


def typed(raw, columns):
    """The columns as numbers, or with their declared levels."""
    return pd.DataFrame(
        {
            name: pd.Categorical(raw[name], categories=column["levels"])
            if column["type"] == "categorical"
            else pd.to_numeric(raw[name])
            for name, column in columns.items()
        }
    )


@cache
def fit(name, run="default", **parameters):
    _, X, y = read(name)
    parameters = {"handle_unknown": "missing", **OPTIONS[run], **parameters}
    return C45Classifier(variant="release8", **parameters).fit(X, y)


def assert_same(tree, t, theirs, names, classes):
    """Node `t` and all below it are the program's, to the last bit."""
    node = tree.nodes[t]
    assert classes[tree.predicted_class[t]] == theirs["class"]
    assert np.float32(tree.weight[t]) == np.float32(theirs["N"])
    assert np.float32(tree.errors[t]) == np.float32(theirs["E"])
    if theirs["N"]:
        assert np.float32(node.sums).tolist() == np.float32(theirs["dist"]).tolist()
    assert isinstance(node, Leaf) == ("attribute" not in theirs)
    if isinstance(node, Leaf):
        return
    assert names[node.test.feature] == theirs["attribute"]
    if "cut" in theirs:
        assert np.float32(node.test.threshold) == np.float32(theirs["cut"])
        below = [theirs["le"], theirs["gt"]]
    else:
        below = list(theirs["levels"].values())
    for child, branch in zip(node.children, below, strict=True):
        assert_same(tree, child, branch, names, classes)


def assert_trees_of_the_program(name, run):
    reference, X, _ = read(name)
    theirs = reference["runs"][run]
    for which, parameters in (("unpruned", {"pruning": None}), ("pruned", {})):
        model = fit(name, run, **parameters)
        assert isinstance(model.tree_, Release8Tree)
        assert_same(model.tree_, 0, theirs[which], list(X), reference["classes"])
        assert model.n_nodes_ == theirs[f"size_{which}"]


def xor(n=4):
    """Two questions, each without gain by itself; n rows on each of the four sides."""
    X = pd.DataFrame({"a": ["n", "n", "y", "y"] * n, "b": ["n", "y", "n", "y"] * n})
    return X, (X.a == X.b).to_numpy()
