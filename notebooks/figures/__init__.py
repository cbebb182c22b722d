"""Figures of the chapters: steppers, interactive figures, printed code, and plots of results.

`stepper` shows a method step by step, `explorable` holds an interactive figure, and `source`
prints the code of a function. A chapter's own figures stand in the module of its topic.
"""

from treelab.figures.errors import draw_errors
from treelab.figures.explorable import Explorable, explorable
from treelab.figures.importances import draw_importances, draw_ranks
from treelab.figures.local_importance import draw_local_importance
from treelab.figures.maps import draw_cells
from treelab.figures.source import Source, source
from treelab.figures.split_scores import draw_split_scores
from treelab.figures.stepper import Stepper, stepper
from treelab.figures.votes import draw_vote

__all__ = [
    "Explorable",
    "Source",
    "Stepper",
    "draw_cells",
    "draw_errors",
    "draw_importances",
    "draw_local_importance",
    "draw_ranks",
    "draw_split_scores",
    "draw_vote",
    "explorable",
    "source",
    "stepper",
]
