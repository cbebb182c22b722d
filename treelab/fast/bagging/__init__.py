"""Bagging and random forests: many trees on bootstrap samples, and their mean prediction."""

from treelab.fast.bagging.estimators import BaggingClassifier, BaggingRegressor
from treelab.fast.bagging.forest import RandomForestClassifier, RandomForestRegressor

__all__ = [
    "BaggingClassifier",
    "BaggingRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]
