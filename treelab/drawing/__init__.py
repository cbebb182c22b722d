"""Pictures: trees, what they predict, curves, importances, the stepper,
the explorable, and source code.

Drawing only reads: it takes a `Tree` or a `MultiwayTree`, or an estimator that holds one, and
returns the matplotlib axes.
"""

from treelab.drawing.chosen import draw_boruta, draw_genuer, draw_local_importance
from treelab.drawing.curves import (
    draw_errors,
    draw_impurity_curves,
    draw_pruning_path,
    draw_split_scores,
)
from treelab.drawing.explorable import Explorable, explorable
from treelab.drawing.importances import draw_importances, draw_ranks
from treelab.drawing.maps import draw_cells
from treelab.drawing.regions import draw_partition, draw_step_function, draw_vote, leaf_boxes
from treelab.drawing.selection import draw_elimination
from treelab.drawing.source import Source, source
from treelab.drawing.stepper import Stepper, stepper
from treelab.drawing.style import use_style
from treelab.drawing.trees import draw_tree

__all__ = [
    "Explorable", "Source", "Stepper", "draw_boruta", "draw_cells", "draw_elimination",
    "draw_errors", "draw_genuer", "draw_importances", "draw_impurity_curves",
    "draw_local_importance", "draw_partition", "draw_pruning_path", "draw_ranks",
    "draw_split_scores", "draw_step_function", "draw_tree", "draw_vote", "explorable",
    "leaf_boxes", "source", "stepper", "use_style",
]  # fmt: skip
