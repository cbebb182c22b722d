"""Decision trees, forests, boosting and feature selection, each method in plain Python.

There is one file per method, which needs the standard library alone, so that it runs wherever
Python runs: rows are lists, and trees are dicts. The modules are slow on purpose, because they try
every split of every node and compute every impurity from the rows themselves. `treelab.fast` has
the same methods at the speed of compiled code, as estimators with scikit-learn's interface, and
tests hold both to the same trees and the same numbers. The letters are those of the page on
notation. Each file opens with its vocabulary, and a word that `treelab.cart` defines means the same
in all of them. A `seed` is that of random draws, and `limits` are further arguments of `cart.grow`.

In the order of the chapters: `impurity` (2), `cart` (3), `pruning` (4), `id3` and `c45` (5),
`metrics`, `cross_validation` and `comparisons` (6), `bootstrap` (8), `bagging` (9, 10), `adaboost`
(11), `losses` and `gradient_boosting` (12), `importance` (13), `stepwise` (14), `filters` (14, 15),
`elimination` and `boruta` (15), `regularized` (16), `local` (17), `newsvendor` (18). Random draws
are arguments, so that both editions can be given the same ones:

>>> from treelab.bagging import draw_features, predict_value, random_forest
>>> from treelab.bootstrap import draw_samples
>>> X, y = [[1, 5], [2, 3], [3, 4], [4, 1]], ["a", "a", "b", "b"]
>>> samples = draw_samples(len(y), 5, seed=0)
>>> trees = random_forest(X, y, samples, [draw_features(2, seed=b) for b in range(5)], 1)
>>> predict_value(trees, [1, 5])
{'a': 0.8, 'b': 0.2}

The estimators of `treelab.fast` can be imported from here. They are loaded on first use and need
NumPy, pandas and scikit-learn, which the methods do not:

>>> from treelab import RandomForestClassifier
>>> RandomForestClassifier(100, random_state=0).fit(X, y).predict([[1, 5]]).tolist()
['a']
"""

from importlib import import_module

KINDS = {  # estimators by the subpackage of treelab.fast; each has a classifier and a regressor
    "bagging": ("Bagging", "RandomForest"),
    "boosting": ("AdaBoost", "GradientBoosting"),
    "cart": ("DecisionTree",),
}
HOMES = dict.fromkeys(("C45Classifier", "ID3Classifier", "VarianceTreeRegressor"), "c45") | {
    kind + task: home
    for home, kinds in KINDS.items()
    for kind in kinds
    for task in ("Classifier", "Regressor")
}
__all__ = sorted(HOMES)


def __getattr__(name):
    """Load the estimator with this name, or the version, on first use."""
    if name in HOMES:
        return getattr(import_module(f"treelab.fast.{HOMES[name]}"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("treelab")
    raise AttributeError(f"module 'treelab' has no attribute {name!r}")


def __dir__():
    """Return the names of the module, those of the estimators included."""
    return sorted({*globals(), *__all__, "__version__"})
