"""Bagging, random forests and extremely randomized trees, all of scikit-learn (chapter 10).

Split k of each data set: two thirds of the rows to learn from, the others to test on (of the
bicycles 1500 hours and 750). Writes `random_thresholds.csv`: for each split, data set and method
the test error of 100 trees (a share of wrong classes or a root mean squared error), the mean number
of nodes of a tree, and test rows over training rows. Candidates of a node are all features for
bagging, a third of them (numbers) or their root (classes) for the forest, and for random thresholds
what is scikit-learn's default: all for numbers, the root for classes. Takes three minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import train_test_split

from treelab.datasets import fetch_bike_sharing, fetch_data_set, fetch_wine_quality

METHODS = {  # the class, and its candidates for numbers and for classes
    "bagging": ("RandomForest", 1.0, 1.0),
    "forest": ("RandomForest", 1 / 3, "sqrt"),
    "random thresholds": ("ExtraTrees", 1.0, "sqrt"),
}


def tables():
    """Name, X and y of each data set."""
    bikes, wine = fetch_bike_sharing(), fetch_wine_quality("red").frame.drop_duplicates()
    yield "bicycles", bikes.data.astype(float), bikes.target
    yield "red wine", wine.drop(columns="quality"), wine["quality"]
    yield "diabetes", *load_diabetes(return_X_y=True)
    yield "tumors", *load_breast_cancer(return_X_y=True)
    for name in ("ionosphere", "sonar", "vehicle"):
        yield name, *fetch_data_set(name, return_X_y=True)


def one_split(k):
    """A row for each data set and method."""
    rows = []
    for data, X, y in tables():
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        sizes = (
            {"train_size": 1500, "test_size": 750} if data == "bicycles" else {"test_size": 1 / 3}
        )
        numbers = data in ("bicycles", "red wine", "diabetes")
        A, C, a, c = train_test_split(
            X, y, random_state=k, stratify=None if numbers else y, **sizes
        )
        for method, (name, for_numbers, for_classes) in METHODS.items():
            model = getattr(ensemble, name + ("Regressor" if numbers else "Classifier"))
            m = for_numbers if numbers else for_classes
            model = model(100, max_features=m, random_state=k).fit(A, a)
            said = model.predict(C)
            error = np.sqrt(np.mean((said - c) ** 2)) if numbers else np.mean(said != c)
            nodes = np.mean([tree.tree_.node_count for tree in model.estimators_])
            rows.append((k, data, method, error, nodes, len(c) / len(a)))
    return pd.DataFrame(rows, columns=["split", "data", "method", "error", "nodes", "ratio"])


if __name__ == "__main__":
    table = pd.concat([one_split(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
