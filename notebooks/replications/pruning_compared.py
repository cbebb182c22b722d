"""Chapter 4: ways to prune, on fifty splits of two data sets and fifty fresh sets. Two minutes.

The chapter walks through one split of the 442 people with diabetes (300 to learn from, 142 to
judge by), through the 569 tumors (284 and 285), one staircase and one XOR with noise. Here are
splits 0 to 49 of the first two, stratified by class for the tumors, and draws 0 to 49 of the
others, each judged on 2000 fresh rows. A row of `pruning_compared.csv` is one way to prune on
one of them: the number of leaves, and the error on the test rows. That is the root of the mean
squared error (diabetes), the number of wrong cases (tumors), the mean squared error (staircase)
or the share of wrong cases (xor).

    python notebooks/replications/pruning_compared.py
"""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import train_test_split

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import make_steps, make_xor
from treelab.fast.pruning import cross_validated_pruning, reduced_error_pruning
from treelab.figures.chi_squared import chi2_prepruning

RESULT = Path(__file__).with_suffix(".csv")


def diabetes(seed):
    """Leaves and typical miss of the mean, of the grown tree and of two pruned ones."""
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    X, X_test, y, y_test = train_test_split(X, y, test_size=142, random_state=seed)

    def row(name, leaves, prediction):
        miss = float(np.sqrt(np.mean((prediction - y_test) ** 2)))
        return {"data": "diabetes", "draw": seed, "pruning": name, "leaves": leaves, "error": miss}

    yield row("the mean", 1, y.mean())
    grown = DecisionTreeRegressor().fit(X, y)
    yield row("none", grown.get_n_leaves(), grown.predict(X_test))
    for rule in ("min", "one_se"):
        model = cross_validated_pruning(DecisionTreeRegressor(), X, y, rule=rule, random_state=0)
        model = model.estimator
        yield row(rule, model.get_n_leaves(), model.predict(X_test))


def tumors(seed):
    """Leaves and test errors of seven ways to prune."""
    cancer = load_breast_cancer(as_frame=True)
    X, y = cancer.data, pd.Series(cancer.target_names[cancer.target])
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)

    def row(name, model):
        wrong = int((model.predict(X_test) != y_test).sum())
        leaves = model.get_n_leaves()
        return {"data": "tumors", "draw": seed, "pruning": name, "leaves": leaves, "error": wrong}

    grown = DecisionTreeClassifier().fit(X, y)
    yield row("none", grown)
    for risk in ("impurity", "misclassification"):
        for rule in ("min", "one_se"):
            model = cross_validated_pruning(
                DecisionTreeClassifier(), X, y, rule=rule, risk=risk, random_state=0
            )
            yield row(f"{risk}, {rule}", model.estimator)
    X, X_val, y, y_val = train_test_split(X, y, test_size=1 / 3, random_state=seed, stratify=y)
    voted = DecisionTreeClassifier().fit(X, y)
    yield row("reduced error", reduced_error_pruning(voted, X_val, y_val))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small expected counts
        yield row("chi-squared", chi2_prepruning(grown))


def staircase(seed):
    """Squared errors of the grown tree, the best of twelve depths, and a pruned tree."""
    X, y = make_steps(100, noise=0.5, random_state=seed)
    X_test, y_test = make_steps(2000, noise=0.5, random_state=1000 + seed)

    def row(name, model):
        error = float(np.mean((model.predict(X_test) - y_test) ** 2))
        leaves = model.get_n_leaves()
        return {
            "data": "staircase",
            "draw": seed,
            "pruning": name,
            "leaves": leaves,
            "error": error,
        }

    yield row("none", DecisionTreeRegressor().fit(X, y))
    by_depth = [DecisionTreeRegressor(max_depth=d).fit(X, y) for d in range(1, 13)]
    yield min((row("best depth", m) for m in by_depth), key=lambda r: r["error"])
    yield row("min", cross_validated_pruning(DecisionTreeRegressor(), X, y, random_state=0)[0])


def xor(seed):
    """Wrong shares of a tree that stops at small gains, and of one that is pruned."""
    X, y = make_xor(300, noise=0.1, random_state=seed)
    X_test, y_test = make_xor(2000, noise=0.1, random_state=1000 + seed)
    stopped = DecisionTreeClassifier(min_impurity_decrease=0.02).fit(X, y)
    pruned = cross_validated_pruning(
        DecisionTreeClassifier(), X, y, rule="one_se", random_state=0
    ).estimator
    for name, model in (("stopped early", stopped), ("one_se", pruned)):
        wrong = float(np.mean(model.predict(X_test) != y_test))
        leaves = model.get_n_leaves()
        yield {"data": "xor", "draw": seed, "pruning": name, "leaves": leaves, "error": wrong}


def compared(seeds):
    """All rows of some draws, as they stand in the CSV."""
    ways = (diabetes, tumors, staircase, xor)
    rows = [row for way in ways for seed in seeds for row in way(seed)]
    return pd.DataFrame(rows).round({"error": 4})


if __name__ == "__main__":
    compared(range(50)).to_csv(RESULT, index=False)
