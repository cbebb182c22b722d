"""Decision trees, forests and boosting in readable NumPy."""

from importlib.metadata import version

from treelab.bagging import (
    BaggingClassifier,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.boosting import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from treelab.c45 import C45Classifier, ID3Classifier, VarianceTreeRegressor
from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor

__version__ = version("treelab")

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "C45Classifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "ID3Classifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "VarianceTreeRegressor",
]
