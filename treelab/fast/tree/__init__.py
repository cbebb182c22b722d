"""Decision trees as tables of nodes (chapter 1).

Growing makes a `Tree`, pruning maps it to a smaller one; all others only read it. Nodes are
numbered in preorder: each node, then the subtrees of its branches one after the other. So the
subtree of node t is the run of nodes t, t + 1, ..., t + size[t] - 1. `tree` is the binary tree
and how rows walk down it; `words` is a tree in words, and `shape` what can be said of one with
any number of branches.

Vocabulary
----------
t : a node, its row number; the root is 0
leaf : a node without children; a `Tree` holds ``LEAF`` as both its children
x : one row of X; it goes left at t when x[feature[t]] <= threshold[t]
level : value of a categorical feature, coded 0, 1, 2, ...; it goes left when
    left_levels[t, level] is true
"""

from treelab.fast.tree.shape import Frozen, Shape
from treelab.fast.tree.tree import LEAF, UNDEFINED, Tree, pick, side_by_side
from treelab.fast.tree.words import Words, question

__all__ = [
    "LEAF",
    "UNDEFINED",
    "Frozen",
    "Shape",
    "Tree",
    "Words",
    "pick",
    "question",
    "side_by_side",
]
