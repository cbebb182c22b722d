"""Decision trees, forests and boosting in readable NumPy."""

from importlib.metadata import version

from treelab.cart import DecisionTreeClassifier, DecisionTreeRegressor

__version__ = version("treelab")

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor"]
