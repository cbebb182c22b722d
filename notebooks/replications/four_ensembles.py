"""Bagging, a forest, AdaBoost and gradient boosting on twelve sets of classes and four of numbers.

Split k of a set: 600 of its rows, or all if it has fewer, in another order; two thirds to learn
from, the others to test on. Categories are coded by numbers, gaps filled with the medians of the
training rows. Every ensemble has 100 members, the two sequences 200 as well. Beside them one tree.

- default: the usual settings;
- tuned, splits 0 to 9: each method takes the best of three values of one setting, by the errors
  on a third of the training rows, and is fitted to all of them;
- noise 0.2, splits 0 to 9 of six sets, default: that share of the training labels is replaced by
  another class.

Writes `four_ensembles.csv`: for each split, set and method the error (a share of the test rows;
for numbers the root mean squared one), the nodes of the model and the questions that it asks of a
row. It grows by a set at a time. Takes a quarter of an hour.
"""

import sys
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from treelab import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.datasets import (
    fetch_ada,
    fetch_auto,
    fetch_bike_sharing,
    fetch_german_credit,
    fetch_horse_colic,
    fetch_ionosphere,
    fetch_ozone,
    fetch_sick,
    fetch_sonar,
    fetch_vehicle,
    fetch_wine_quality,
    make_friedman1,
    make_waveform,
)

RESULT = Path(__file__).with_suffix(".csv")
ROWS = 600


def red_wine():
    """Is a red wine of quality 6 or more? Each wine once."""
    wines = fetch_wine_quality("red").frame.drop_duplicates()
    return wines.drop(columns="quality"), wines["quality"] >= 6


def risky_cars():
    """Does the insurer take a car for risky, by more than 0?"""
    cars = fetch_auto()
    return cars.data, cars.target.astype(int) > 0


def digits():
    """Is a written digit odd?"""
    X, y = load_digits(return_X_y=True)
    return X, y % 2 == 1


def fetched(fetch, *arguments):
    """The rows with a target."""
    X, y = fetch(*arguments, return_X_y=True)
    known = pd.notna(pd.Series(np.asarray(y))).to_numpy()
    return pd.DataFrame(X)[known], np.asarray(y)[known]


CLASSES = {
    "tumors": partial(load_breast_cancer, return_X_y=True),
    "sonar": partial(fetched, fetch_sonar),
    "ionosphere": partial(fetched, fetch_ionosphere),
    "vehicle": partial(fetched, fetch_vehicle),
    "credit": partial(fetched, fetch_german_credit),
    "red wine": red_wine,
    "income": partial(fetched, fetch_ada),
    "risky car": risky_cars,
    "horse colic": partial(fetched, fetch_horse_colic),
    "thyroid": partial(fetched, fetch_sick),
    "waveform": partial(make_waveform, ROWS),
    "odd digit": digits,
}
NUMBERS = {
    "diabetes": partial(load_diabetes, return_X_y=True),
    "Friedman": partial(make_friedman1, ROWS, noise=1.0),
    "ozone": partial(fetched, fetch_ozone),
    "bicycles": partial(fetched, fetch_bike_sharing, "day"),
}
NOISY = ["tumors", "ionosphere", "vehicle", "thyroid", "waveform", "odd digit"]
FORMULA = ("waveform", "Friedman")  # drawn anew in each split


@cache
def loaded(name):
    """Features as numbers, and the target, classes by their codes."""
    X, y = (CLASSES | NUMBERS)[name]()
    X = pd.DataFrame(X)
    coded = X.select_dtypes("category").apply(lambda column: column.cat.codes.replace(-1, np.nan))
    X = X.assign(**coded).astype(float).dropna(axis=1, how="all")
    y = pd.factorize(np.asarray(y), sort=True)[0] if name in CLASSES else np.asarray(y, float)
    return X.to_numpy(), y


def split(name, k):
    """Training features and targets, test features and targets."""
    if name in FORMULA:
        X, y = (CLASSES | NUMBERS)[name](random_state=k)
    else:
        X, y = loaded(name)
    order = np.random.default_rng(k).permutation(len(y))[:ROWS]
    n = round(len(order) * 2 / 3)
    a, b = order[:n], order[n:]
    medians = np.nanmedian(X[a], axis=0)
    X = np.where(np.isnan(X), np.nan_to_num(medians), X)
    return X[a], y[a], X[b], y[b]


def flipped(y, share, k):
    """The classes, a share of them replaced by another one."""
    rng = np.random.default_rng(1000 + k)
    n_classes = y.max() + 1
    other = (y + rng.integers(1, n_classes, len(y))) % n_classes
    return np.where(rng.random(len(y)) < share, other, y)


def model(method, value, k, numbers=False, rounds=100):
    """A model whose first setting has this value; bagging is a forest that looks at all columns."""
    tree = DecisionTreeRegressor if numbers else DecisionTreeClassifier
    forest = RandomForestRegressor if numbers else RandomForestClassifier
    adaboost = AdaBoostRegressor if numbers else AdaBoostClassifier
    boosting = GradientBoostingRegressor if numbers else GradientBoostingClassifier
    return {
        "tree": lambda: tree(min_samples_leaf=value),
        "bagging": lambda: forest(100, max_features=None, min_samples_leaf=value, random_state=k),
        "forest": lambda: forest(100, max_features=value, random_state=k),
        "AdaBoost": lambda: adaboost(tree(max_depth=value), n_estimators=rounds, random_state=k),
        "boosting": lambda: boosting(n_estimators=rounds, max_depth=value, random_state=k),
    }[method]()


VALUES = {  # of the setting that is tuned; the first one is the default
    "tree": (1, 5, 20),
    "bagging": (1, 5, 20),
    "forest": ("sqrt", 1 / 3, 1),
    "AdaBoost": (1, 3, 5),
    "boosting": (3, 1, 5),
}
FOR_NUMBERS = {"tree": 1, "bagging": 1, "forest": 1 / 3, "AdaBoost": 3, "boosting": 3}
SEQUENCES = ("AdaBoost", "boosting")


def error(said, y, numbers):
    """Share of wrong answers, or the root mean squared error."""
    return np.sqrt(np.mean((said - y) ** 2)) if numbers else np.mean(said != y)


def size(fitted, rounds=None):
    """Nodes of all trees up to a round, and questions asked of a training row, on average."""
    if hasattr(fitted, "train_score_"):
        trees = [tree for trees in fitted.trees_[:rounds] for tree in trees]
    else:
        trees = [member.tree_ for member in getattr(fitted, "estimators_", [fitted])[:rounds]]
    inner = [tree.n_node_samples[~tree.is_leaf].sum() / tree.n_node_samples[0] for tree in trees]
    return sum(tree.n_nodes for tree in trees), sum(inner)


def defaults(name, k, noise=0):
    """A row for each method at its usual setting; the two sequences after 200 rounds, too."""
    numbers = name in NUMBERS
    X, y, Z, z = split(name, k)
    y = flipped(y, noise, k) if noise else y
    for method in VALUES:
        value = FOR_NUMBERS[method] if numbers else VALUES[method][0]
        about = (k, name, noise, method, "default", value)
        if method in SEQUENCES:
            fitted = model(method, value, k, numbers, rounds=200).fit(X, y)
            stages = list(fitted.staged_predict(Z))
            for members in (100, 200):  # one that ends early stays as it is
                said = stages[min(members, len(stages)) - 1]
                yield (*about, members, error(said, z, numbers), *size(fitted, members))
        else:
            fitted = model(method, value, k, numbers).fit(X, y)
            members = 1 if method == "tree" else 100
            yield (*about, members, error(fitted.predict(Z), z, numbers), *size(fitted))


def tuned(name, k):
    """A row for each method at the best of three values, chosen within the training rows."""
    X, y, Z, z = split(name, k)
    n = round(len(y) * 2 / 3)
    for method, values in VALUES.items():
        inner = [
            error(model(method, value, k).fit(X[:n], y[:n]).predict(X[n:]), y[n:], False)
            for value in values
        ]
        value = values[int(np.argmin(inner))]
        last = model(method, value, k).fit(X, y)
        members = 1 if method == "tree" else 100
        yield (k, name, 0, method, "tuned", value, members, error(last.predict(Z), z, False),
               *size(last))  # fmt: skip


COLUMNS = "split set noise method how value members error nodes questions".split()


def one_set(name, k):
    """All rows of split k of a set."""
    rows = list(defaults(name, k))
    if k < 10:
        rows += defaults(name, k, noise=0.2) if name in NOISY else []
        rows += tuned(name, k) if name in CLASSES else []
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(value=[v if v == "sqrt" else f"{v:.3g}" for v in table["value"]])


if __name__ == "__main__":
    RESULT.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    for k in range(20):
        for name in CLASSES | NUMBERS:
            table = one_set(name, k)
            table.to_csv(RESULT, mode="a", header=False, index=False, float_format="%.6f")
        print(k, file=sys.stderr)
