"""ID3 and C4.5: trees with a branch for every level.

A question about color has as many answers as there are colors. ID3 asks the attribute of
the largest information gain; C4.5 adds gain ratio, numeric thresholds, unknown values and
pruning without a validation set. `questions` has the two kinds of question, `multiway` the
tree, `offers` and `choosing` how a node picks its question, `growing` the loop, `pruning`
and `held_out` the way back, `estimators` and `id3` what you call, `tables` the hand
calculation.

Vocabulary
----------
branches : class sums of the branches of a split, (n_branches, n_classes)
rows, w : row numbers in a node and the weight each has there, fractions included
M, L, CF : least weight of a branch, of a side of a numeric cut; confidence of pruning
"""

from treelab.c45.choosing import choose
from treelab.c45.estimators import C45Classifier
from treelab.c45.gain_ratio import Offer, offers
from treelab.c45.growing import grow_c45
from treelab.c45.held_out import held_out_rows, reduced_error_pruning
from treelab.c45.id3 import ID3Classifier, VarianceTreeRegressor, weighted_variance
from treelab.c45.pruning import (
    collapse,
    error_based_pruning,
    predicted_errors,
    upper_limit,
)
from treelab.c45.release8 import Release8Tree
from treelab.c45.splits import CutTest, LevelTest, deal
from treelab.c45.tables import gain_table, variance_table
from treelab.c45.training import Rules, Training
from treelab.c45.tree import Leaf, MultiwayTree, Split

__all__ = [
    "C45Classifier",
    "CutTest",
    "ID3Classifier",
    "Leaf",
    "LevelTest",
    "MultiwayTree",
    "Offer",
    "Release8Tree",
    "Rules",
    "Split",
    "Training",
    "VarianceTreeRegressor",
    "choose",
    "collapse",
    "deal",
    "error_based_pruning",
    "gain_table",
    "grow_c45",
    "held_out_rows",
    "offers",
    "predicted_errors",
    "reduced_error_pruning",
    "upper_limit",
    "variance_table",
    "weighted_variance",
]
