"""AdaBoost and gradient boosting: trees in sequence, each for what the ones before lack."""

from treelab.boosting.adaboost import AdaBoostClassifier, reweight, vote_weight
from treelab.boosting.adaboost_r2 import AdaBoostRegressor
from treelab.boosting.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from treelab.boosting.tables import (
    boosting_table,
    interval_candidates,
    interval_table,
    residual_table,
)

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "boosting_table",
    "interval_candidates",
    "interval_table",
    "residual_table",
    "reweight",
    "vote_weight",
]
