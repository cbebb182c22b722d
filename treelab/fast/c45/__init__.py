"""ID3 and C4.5: trees with one branch per category (chapter 5).

A question about color has as many branches as there are colors. ID3 chooses the feature of the
largest information gain; C4.5 adds gain ratio, numeric thresholds, unknown values and pruning
without a validation set. Step by step: `splits`, the two kinds of split, and dealing rows to
branches; `gain_ratio`, the candidate split of each feature, and the choice; `growing`, the loop;
`pruning`, pruning the tree; `tree`, what is grown; `estimators` (C4.5) and `id3`, what you call;
`tables`, the hand calculation. Quinlan's own program is `release8` and `release8_pruning`; how
its numbers differ from those of Weka's J48 is `arithmetic`.

Vocabulary
----------
test : what a node tests, a `LevelTest` or a `CutTest`; it has a branch for each answer
branches : class sums of the branches of a split, (n_branches, n_classes)
rows, w : row numbers in a node and the weight each has there, fractions included
M, L, CF : least weight of a branch, of a side of a numeric split; confidence of pruning
"""

from treelab.fast.c45.estimators import C45Classifier
from treelab.fast.c45.gain_ratio import Candidate, candidates, choose
from treelab.fast.c45.growing import Cases, Rules, Training, grow_c45
from treelab.fast.c45.id3 import ID3Classifier, VarianceTreeRegressor, weighted_variance
from treelab.fast.c45.pruning import (
    collapse,
    error_based_pruning,
    held_out_rows,
    predicted_errors,
    reduced_error_pruning,
    upper_limit,
)
from treelab.fast.c45.release8.growing import Release8Tree
from treelab.fast.c45.splits import CutTest, LevelTest, distribute
from treelab.fast.c45.tables import gain_table
from treelab.fast.c45.tree import Leaf, MultiwayTree, Split

__all__ = [
    "C45Classifier",
    "Cases",
    "CutTest",
    "ID3Classifier",
    "Leaf",
    "LevelTest",
    "MultiwayTree",
    "Candidate",
    "Release8Tree",
    "Rules",
    "Split",
    "Training",
    "VarianceTreeRegressor",
    "choose",
    "collapse",
    "distribute",
    "error_based_pruning",
    "gain_table",
    "grow_c45",
    "held_out_rows",
    "candidates",
    "predicted_errors",
    "reduced_error_pruning",
    "upper_limit",
    "weighted_variance",
]
