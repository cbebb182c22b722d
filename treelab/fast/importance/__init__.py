"""Feature importance of trees and ensembles.

Each measure answers a question of its own. How much did the splits on the feature explain
(mean decrease in impurity, Friedman's squared improvement)? What does the fitted model lose when
the feature stops telling the truth (permutation, noising)? What would the others not replace
(drop-column)? Who moved this one prediction (Shapley values)? And what do the features tell about
the class in truth (mutual information)? A model is whatever `parts_of` can read.
"""

from treelab.fast.importance.impurity_based import (
    impurity_decreases,
    mean_decrease_impurity,
    squared_improvement,
)
from treelab.fast.importance.models import parts_of
from treelab.fast.importance.noising import noising_importance
from treelab.fast.importance.out_of_bag import importance_z_scores, oob_permutation_importance
from treelab.fast.importance.permutation import drop_column_importance, permutation_importance
from treelab.fast.importance.shapley import shap_values
from treelab.fast.importance.stability import compare_rankings, ranking_stability, rankings
from treelab.fast.information import conditional_mutual_information

__all__ = [
    "compare_rankings",
    "conditional_mutual_information",
    "drop_column_importance",
    "importance_z_scores",
    "impurity_decreases",
    "mean_decrease_impurity",
    "noising_importance",
    "oob_permutation_importance",
    "parts_of",
    "permutation_importance",
    "ranking_stability",
    "rankings",
    "shap_values",
    "squared_improvement",
]
