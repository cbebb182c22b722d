"""AdaBoost and gradient boosting: trees in sequence, each fitted to the errors of those before."""

from treelab.fast.boosting.adaboost import AdaBoostClassifier, estimator_weight, reweight
from treelab.fast.boosting.adaboost_r2 import AdaBoostRegressor
from treelab.fast.boosting.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from treelab.fast.boosting.tables import (
    boosting_table,
    residual_table,
)

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "boosting_table",
    "residual_table",
    "reweight",
    "estimator_weight",
]
