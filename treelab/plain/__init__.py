"""The whole book as one reads it: each method in the plainest Python that does it.

The standard library alone, so that it runs wherever Python runs: rows are lists, trees are
dicts. It is slow, and meant to be: every cut of every node is looked at, every impurity is
computed from the cases themselves. The classes of treelab do the same fast, and tests hold
both to the same trees and the same numbers. The letters are those of the page on notation,
and each file opens with the words that it uses; its functions take them under these names.
"""

from . import c45, cart, id3, impurity, pruning

__all__ = ["c45", "cart", "id3", "impurity", "pruning"]
