"""Pruning of a grown tree.

A tree grown to purity has learned its training data by heart, noise included. Each function
here maps a `Tree`, or a fitted estimator, to a smaller one, and each has a table that shows
its decisions. In the order of the chapter:

- `cost_complexity`: every leaf has a cost, and the weakest link is pruned first;
- `cross_validation`: choice of the cost per leaf, the complexity parameter;
- `reduced_error`: held-out rows decide, node by node.
"""

from treelab.fast.pruning.cost_complexity import (
    CostComplexityPath,
    cost_complexity_path,
    link_table,
    prune,
    pruning_table,
)
from treelab.fast.pruning.cross_validation import PruningChoice, cross_validated_pruning
from treelab.fast.pruning.reduced_error import reduced_error_pruning, reduced_error_table

__all__ = [
    "CostComplexityPath",
    "PruningChoice",
    "cost_complexity_path",
    "cross_validated_pruning",
    "link_table",
    "prune",
    "pruning_table",
    "reduced_error_pruning",
    "reduced_error_table",
]
