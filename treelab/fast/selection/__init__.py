"""Feature selection: the features that a model needs, and those that it is better off without.

A *filter* uses the data alone, before any model is fitted. It scores each feature by its
information about the target, or (CFS, FCBF) a set of features by their information about the
target and about each other. A *search* fits the model again and again, and its errors decide. An
*elimination* removes the features that matter least to the model. All selectors are transformers
like scikit-learn's: they are fitted on training rows, keep some columns, work in a Pipeline, so
that each fold of a cross-validation selects anew, and show their steps as a table. *Local* methods
measure how much a feature matters in parts of the data, bins of the target and clusters in them.

Vocabulary
----------
support : mask of the features that are selected, (n_features,)
relevance : information of a feature about the target
redundancy : information of features about each other
merit : score of a set in CFS, relevance over redundancy
step : a feature that is added or removed, with the number that decided it
round : a set of features that a model was fitted on
"""

from treelab.fast.selection.base import LevelSelector, Selector
from treelab.fast.selection.boruta import Boruta
from treelab.fast.selection.cfs import CFSSelector, merit, merit_table, uncertainty_table
from treelab.fast.selection.clustered import (
    clustered_importance,
    combined_importance_table,
    ranks_by_cluster,
)
from treelab.fast.selection.clusters import cluster_rows, halved_bins, response_bins
from treelab.fast.selection.elimination import ForestRFE
from treelab.fast.selection.fcbf import FCBFSelector
from treelab.fast.selection.filters import FilterSelector, filter_table
from treelab.fast.selection.genuer import GenuerSelector
from treelab.fast.selection.level_trees import (
    max_dependency_table,
    max_dependency_tree,
    regularized_tree,
    regularized_tree_table,
)
from treelab.fast.selection.local import (
    LocalImportanceSelector,
    local_importance_table,
    null_selections,
)
from treelab.fast.selection.local_regression import LocalClusterRegressor
from treelab.fast.selection.model_based import ForestSelector
from treelab.fast.selection.regularized import (
    RegularizedForestSelector,
    RegularizedSelector,
    guided_penalties,
)
from treelab.fast.selection.regularized_boost import RegularizedBoostSelector
from treelab.fast.selection.sizes import (
    elimination_cost,
    elimination_sizes,
    perc_std,
    smallest_size,
    stochastic_sizes,
)
from treelab.fast.selection.stability import nogueira_stability, selection_stability
from treelab.fast.selection.stochastic import StochasticRFE
from treelab.fast.selection.subset import SubsetSelector
from treelab.fast.selection.svm import SVMRFE

__all__ = [
    "Boruta",
    "CFSSelector",
    "FCBFSelector",
    "FilterSelector",
    "ForestRFE",
    "ForestSelector",
    "GenuerSelector",
    "LevelSelector",
    "LocalClusterRegressor",
    "LocalImportanceSelector",
    "RegularizedBoostSelector",
    "RegularizedForestSelector",
    "RegularizedSelector",
    "SVMRFE",
    "Selector",
    "StochasticRFE",
    "SubsetSelector",
    "cluster_rows",
    "clustered_importance",
    "combined_importance_table",
    "elimination_cost",
    "elimination_sizes",
    "filter_table",
    "guided_penalties",
    "halved_bins",
    "local_importance_table",
    "max_dependency_table",
    "max_dependency_tree",
    "merit",
    "merit_table",
    "nogueira_stability",
    "null_selections",
    "perc_std",
    "ranks_by_cluster",
    "regularized_tree",
    "regularized_tree_table",
    "response_bins",
    "selection_stability",
    "smallest_size",
    "stochastic_sizes",
    "uncertainty_table",
]
