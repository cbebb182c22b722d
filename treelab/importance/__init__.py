"""What the trees say: how important is each feature, and to what?

Each measure answers a question of its own. How much did the splits on the feature explain while
the model was fitted (mean decrease in impurity, Friedman's squared improvement)? What does
the fitted model lose when the feature stops telling the truth (permutation, noising)? What would
the others not replace (drop-column)? Who moved this one prediction (Shapley values)? And what do
the features tell about the class in truth (mutual information)? All are functions of a fitted
model, treelab's or scikit-learn's.

Vocabulary
----------
importances_mean, importances_std : over the repeats, one entry for each feature
model : fitted trees, forest, bagging or boosting; `parts_of` says what is read
"""

from treelab.importance.impurity_based import (
    impurity_decreases,
    mean_decrease_impurity,
    squared_improvement,
)
from treelab.importance.models import parts_of
from treelab.importance.noising import noising_importance
from treelab.importance.out_of_bag import importance_z_scores, oob_permutation_importance
from treelab.importance.permutation import drop_column_importance, permutation_importance
from treelab.importance.randomized_trees import (
    mutual_information_decomposition,
    totally_randomized_importance,
)
from treelab.importance.shapley import shapley_values
from treelab.importance.stability import compare_rankings, ranking_stability, rankings
from treelab.importance.tables import importance_table
from treelab.information import conditional_mutual_information

__all__ = [
    "compare_rankings",
    "conditional_mutual_information",
    "drop_column_importance",
    "importance_table",
    "importance_z_scores",
    "impurity_decreases",
    "mean_decrease_impurity",
    "mutual_information_decomposition",
    "noising_importance",
    "oob_permutation_importance",
    "parts_of",
    "permutation_importance",
    "ranking_stability",
    "rankings",
    "shapley_values",
    "squared_improvement",
    "totally_randomized_importance",
]
