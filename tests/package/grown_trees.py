"""Grow trees of every kind, and print the fingerprint of each as JSON.

`test_processors.py` runs this program under the instruction sets of other processors, and compares.
Its arguments are the names of the data sets, all if there are none. A fingerprint is made of what a
tree splits on: features, thresholds, sides of the categories, and the numbers of rows. The values
of the leaves are left out, for their last digits may differ.
"""

import hashlib
import json
import sys

import numpy as np
from sklearn import datasets as toys

from treelab import (
    AdaBoostClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    adaboost,
    cart,
    datasets,
    impurity,
)
from treelab.fast.boosting.losses import Loss


class LogCosh(Loss):
    """A loss whose steps are found by a numeric search, and that is flat between far targets."""

    def each(self, y, F):
        e = np.abs(y - F)
        return e + np.log1p(np.exp(-2 * e)) - np.log(2)

    def negative_gradient(self, y, F):
        return np.tanh(y - F)


def tables():
    """Yield the name, X and y of small data sets, with ties, categories and computed numbers."""
    rng = np.random.default_rng(0)
    for name in ("wine", "digits", "diabetes"):
        X, y = getattr(toys, f"load_{name}")(return_X_y=True)
        yield name, X[:200], y[:200]
    for name in ("golf", "vegetation", "bike_rentals", "bike_demand"):
        yield name, *getattr(datasets, f"load_{name}")(return_X_y=True)
    X, y = datasets.make_friedman1(300, noise=1.0, random_state=0)
    yield "spoiled", X, np.where(rng.random(300) < 0.1, y + rng.choice([50, 100], 300), y)
    # These two are computed by sines and exponentials, whose last digits differ, too.
    yield "sine", *datasets.make_masked_sine(300, random_state=0)[:2]
    yield "product", *datasets.make_exponential_product(300, n_noise=3, random_state=0)[:2]


def regressors():
    """Yield the name and the estimator of each way to grow trees on a number."""
    yield "squared", DecisionTreeRegressor()
    yield "absolute", DecisionTreeRegressor(criterion="absolute_error", max_depth=5)
    yield "forest", RandomForestRegressor(10, max_features=1 / 3, random_state=0)
    for loss in ("squared_error", "absolute_error", "huber", LogCosh()):
        settings = {"loss": loss, "learning_rate": 1.0, "n_estimators": 30}
        yield f"boosting {loss}", GradientBoostingRegressor(**settings)
    yield "histograms", GradientBoostingRegressor(split_search="histogram", n_estimators=30)
    yield "line", GradientBoostingRegressor(loss="absolute_error", step="line", n_estimators=20)


def classifiers():
    """Yield the name and the estimator of each way to grow trees on classes."""
    for criterion in ("gini", "entropy", "misclassification"):
        yield criterion, DecisionTreeClassifier(criterion=criterion)
    yield "forest", RandomForestClassifier(10, criterion="entropy", random_state=0)
    yield "AdaBoost", AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=20)
    yield "C4.5", C45Classifier()
    yield "Release 8", C45Classifier(variant="release8")
    yield "boosting", GradientBoostingClassifier(learning_rate=0.5, n_estimators=8)
    yield "histograms", GradientBoostingClassifier(split_search="histogram", n_estimators=8)
    yield "line", GradientBoostingClassifier(step="line", n_estimators=5)


def splits_of(model):
    """Return what the trees of a fitted model split on, as text."""
    if hasattr(model, "tree_"):
        trees = [model.tree_]
    elif hasattr(model, "trees_"):
        trees = np.ravel(np.array(model.trees_, dtype=object))
    else:
        trees = [estimator.tree_ for estimator in model.estimators_]
    if not hasattr(trees[0], "threshold"):  # of several branches
        return "".join(tree.export_text() for tree in trees)
    return repr(
        [
            [
                tree.feature.tolist(),
                [f"{threshold:.9g}" for threshold in tree.threshold],
                tree.n_node_samples.tolist(),
                np.asarray(tree.left_levels).tolist(),
            ]
            for tree in trees
        ]
    )


def plain_splits(tree):
    """Return what a tree of the plain edition splits on, nested."""
    cut = tree.get("threshold")
    cut = sorted(cut) if isinstance(cut, set) else cut if cut is None else f"{cut:.9g}"
    below = [plain_splits(tree[side]) for side in ("left", "right") if side in tree]
    return [tree.get("feature"), cut, tree["n"], below]


def plain(X, y, is_number):
    """Yield the name and the splits of trees of the plain edition, on a part of the rows."""
    X, y = np.asarray(X, dtype=float)[:80, :6].tolist(), np.asarray(y)[:80].tolist()
    if is_number:
        yield "plain squared", plain_splits(cart.grow(X, y, impurity=impurity.squared_error))
        return
    yield "plain entropy", plain_splits(cart.grow(X, y, impurity=impurity.entropy))
    yield "plain AdaBoost", [plain_splits(m[0]) for m in adaboost.adaboost(X, y, M=10)]


def fingerprints(names=()):
    """Return {"data set, way": fingerprint}, for some data sets or for all."""
    found = {}
    for name, X, y in tables():
        if names and name not in names:
            continue
        is_number = np.asarray(y).dtype.kind in "if" and len(np.unique(y)) > 10
        for way, model in regressors() if is_number else classifiers():
            found[name, way] = splits_of(model.fit(X, y))
        if not hasattr(X, "dtypes") or all(dtype.kind in "if" for dtype in X.dtypes):
            found |= {(name, way): splits for way, splits in plain(X, y, is_number)}
    return {
        ", ".join(key): hashlib.sha256(repr(splits).encode()).hexdigest()[:16]
        for key, splits in found.items()
    }


if __name__ == "__main__":
    print(json.dumps(fingerprints(sys.argv[1:])))
