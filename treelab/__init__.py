"""Decision trees, forests and boosting in readable NumPy."""

from importlib.metadata import version

from treelab.adaboost import AdaBoostClassifier, AdaBoostRegressor
from treelab.bagging import BaggingClassifier, BaggingRegressor
from treelab.c45 import C45Classifier, ID3Classifier, VarianceTreeRegressor
from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.forest import RandomForestClassifier, RandomForestRegressor
from treelab.gradient_boosting import GradientBoostingClassifier, GradientBoostingRegressor

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
