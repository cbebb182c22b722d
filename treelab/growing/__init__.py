"""Growing binary trees: all open nodes of a depth at a time."""

from treelab.growing.by_depth import Limits, best_cuts, grow, grow_and_place
from treelab.growing.tables import split_table

__all__ = ["Limits", "best_cuts", "grow", "grow_and_place", "split_table"]
