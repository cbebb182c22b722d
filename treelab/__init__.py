"""Decision trees, forests and boosting in readable NumPy."""

from importlib.metadata import version

from treelab.c45 import C45Classifier, ID3Classifier, VarianceTreeRegressor
from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor

__version__ = version("treelab")

__all__ = [
    "C45Classifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ID3Classifier",
    "VarianceTreeRegressor",
]
