"""Fewer features: which columns a model needs, and which it is better off without.

A *filter* looks at the data alone: it scores each feature by what it tells about the target, before
any model is fitted, or (CFS, FCBF) a set of features by what its members tell about the target
and about each other. A *search* fits the model again and again, and lets its errors decide. An
*elimination* lets the model say which features matter least, and leaves these out. All selectors
are transformers as scikit-learn's: they fit on training rows, keep some columns, stand in a
Pipeline, so that each fold of a cross-validation chooses anew, and show their steps as a table.
What is *local* asks in parts of the data, bins of the target and clusters in them, whether a
feature matters there.

Vocabulary
----------
support : mask of the features that are kept, (n_features,)
relevance : what a feature tells about the target
redundancy : what features tell about each other
merit : what CFS balances: relevance over redundancy
step : a feature that enters or leaves, with the number that decided it
round : a set of features that a model was fitted on
"""

from treelab.fast.selection.base import LevelSelector, Selector
from treelab.fast.selection.boruta import Boruta
from treelab.fast.selection.cfs import CFSSelector, merit, merit_table, uncertainty_table
from treelab.fast.selection.clustered import (
    clustered_importance,
    clustered_importance_table,
    combined_importance_table,
    ranks_by_cluster,
)
from treelab.fast.selection.clusters import cluster_rows, halved_bins, response_bins
from treelab.fast.selection.elimination import ForestRFE, procedure_error
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
    stochastic_fits,
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
    "clustered_importance_table",
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
    "procedure_error",
    "ranks_by_cluster",
    "regularized_tree",
    "regularized_tree_table",
    "response_bins",
    "selection_stability",
    "smallest_size",
    "stochastic_fits",
    "stochastic_sizes",
    "uncertainty_table",
]
