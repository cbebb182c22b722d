"""A tree, and what can be said of it without growing one."""

from treelab.tree.tree import LEAF, UNDEFINED, Tree

__all__ = ["LEAF", "UNDEFINED", "Tree"]
