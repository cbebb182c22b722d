"""Forests of R's randomForest, and what is compared with them."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from places import DATA

from treelab import (
    RandomForestClassifier,
    RandomForestRegressor,
)

FOLDER = DATA


SEEDS = 10


@cache
def reference(data):
    return json.loads((FOLDER / "randomforest" / f"{data}.json").read_text(encoding="utf-8"))


@cache
def table(data):
    frame = pd.read_csv(FOLDER / "rpart" / f"{data}.csv")
    y = frame.pop(reference(data)["target"])
    return frame, y.to_numpy()


@cache
def forests(data, name):
    """Ten forests of 150 trees with the settings of one of R's fits."""
    X, y = table(data)
    m = reference(data)["fits"][name]["mtry"]
    if data == "iris":
        kind, limits = RandomForestClassifier, {}
    else:
        kind, limits = RandomForestRegressor, {"min_samples_split": 4}
    return [
        kind(150, max_features=m, oob_score=True, random_state=s, **limits).fit(X, y)
        for s in range(SEEDS)
    ]


def errors(data, models):
    y = table(data)[1]
    if data == "iris":
        return np.array([1 - model.oob_score_ for model in models])
    return np.array([np.mean((model.oob_prediction_ - y) ** 2) for model in models])


FITS = [
    ("iris", "default"),
    ("iris", "mtry1"),
    ("iris", "mtry_all"),
    ("airquality_cc", "mtry1"),
    ("airquality_cc", "mtry_all"),
]


every_fit = pytest.mark.parametrize(("data", "name"), FITS)
