"""Pictures of trees and of their predictions, in one style.

Drawing changes nothing. A function takes a `Tree` or a `MultiwayTree`, or an estimator that holds
one, and returns the matplotlib axes. The figures of the chapters are in `treelab.figures`.
"""

from treelab.drawing.regions import draw_partition, draw_step_function, leaf_boxes
from treelab.drawing.style import use_style
from treelab.drawing.trees import draw_tree

__all__ = ["draw_partition", "draw_step_function", "draw_tree", "leaf_boxes", "use_style"]
