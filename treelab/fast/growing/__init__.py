"""Grow binary trees, all open nodes of a depth at a time (chapter 3).

Of X, growth needs the order of the values, of y and the weights sums; both are prepared once
for all trees. The open nodes of one depth are a *frontier*, of one tree or of a hundred. The
best splits of all its nodes are found in one walk through each feature, a running sum holding what
is left of the split. Then the rows move to the two sides of their splits: the next frontier.

In the order of the chapter: `training_data` is what growth reads, `frontier` the open nodes,
`sorting` puts their rows in order, and `sides` sums them on both sides of every split; `criteria`
says what a node predicts and what a split gains, `splits` walks and chooses, `tables` shows its
work; `categories` puts categories in order, `medians` serves the absolute error.
`by_depth` grows the tree, `best_first` with a limit on its leaves; `histograms` is the search
between few bins instead of many values, `regularized` one in which new features cost (chapter 16).

Vocabulary
----------
n, d, K : rows, features, target columns; m, M : rows and nodes of the frontier
root : first node of a tree: its rows, and how often each is copied (a bootstrap sample)
position : one of the m rows of the frontier, which stand grouped by node
row, node : data row, and node of the frontier, of each position
rank : dense rank of the value of a feature, or code of its category
pure : all targets of a node are the same; a pure node is a leaf
R : total impurity of a node, weight times impurity; gain : drop in R by a split
W, S : weight and target sums of the node of each position
W_left, L : the same sums left of the split that stands after a position
"""

from treelab.fast.growing.by_depth import Limits, best_splits, draw_features, grow, grow_and_place
from treelab.fast.growing.tables import split_table

__all__ = ["Limits", "best_splits", "draw_features", "grow", "grow_and_place", "split_table"]
