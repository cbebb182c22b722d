"""Predictions of a forest after columns have changed, without sending rows through whole trees.

A row follows its old path until it meets the first test of a changed column. So each tree notes
where that is for each of its leaves, and only the rest of the path is followed again.
"""

import copy

import numpy as np

from treelab.fast.bagging.forest import RandomForestClassifier, RandomForestRegressor

__all__ = ["Replay", "first_tests"]

PLACES = 1 << 14  # rows that walk together


def first_tests(tree, d, roots=(0,)):
    """Return the first node on the path to each node that tests each feature.

    Parameters
    ----------
    tree : Tree
    d : int
        Number of features.
    roots : sequence of int, default=(0,)
        The roots of trees that stand `treelab.fast.tree.side_by_side`.

    Returns
    -------
    ndarray of int, shape (n_nodes, d)
        The node itself if no split on the path tests the feature.
    """
    first = np.full((tree.node_count, d), -1)
    parents = np.asarray(roots)
    while len(parents):
        parents = parents[~tree.is_leaf[parents]]
        below = first[parents]
        own = np.arange(len(parents)), tree.feature[parents]
        below[own] = np.where(below[own] == -1, parents, below[own])
        left, right = tree.children_left[parents], tree.children_right[parents]
        first[left], first[right] = below, below
        parents = np.concatenate([left, right])
    return np.where(first == -1, np.arange(tree.node_count)[:, None], first)


class Replay:
    """Forest of treelab and its data, prepared to predict again with changed columns."""

    def __init__(self, forest, X):
        self.forest, self.table = forest, forest.read(X)
        d = self.table.shape[1]
        self.leaves = [tree.apply(self.table) for tree in forest.trees_]
        self.entries = [first_tests(tree, d) for tree in forest.trees_]

    @staticmethod
    def suits(model, scoring):
        """Return whether the scores see nothing but predictions, and the forest is ours."""
        names = scoring if isinstance(scoring, list | tuple | set) else [scoring]
        named = scoring is None or all(isinstance(name, str) for name in names)
        return named and type(model) in (RandomForestClassifier, RandomForestRegressor)

    def models(self, group, sources):
        """Yield a copy of the forest for each row of `sources`, (n_repeats, n_rows).

        Whatever it is given, it predicts for the table in which each row takes the columns in
        `group` from the row that is its source.
        """
        at_once = max(1, PLACES // len(self.table))
        for start in range(0, len(sources), at_once):
            for outputs in self._outputs(group, sources[start : start + at_once]):
                model = copy.copy(self.forest)
                model.mean_of_members = lambda X, outputs=outputs: outputs
                yield model

    def _outputs(self, group, sources):
        """Average the trees with changed columns; (n_repeats, n_rows, n_outputs)."""
        R, n = sources.shape
        changed = np.tile(self.table, (R, 1))
        changed[:, group] = self.table[np.ix_(sources.ravel(), group)]
        total = 0.0
        for tree, leaf, entry in zip(self.forest.trees_, self.leaves, self.entries, strict=True):
            entry = entry[:, group]
            first = tree.depth[entry].argmin(axis=1)  # of a group, the column that is tested first
            start = entry[np.arange(tree.node_count), first]  # (n_nodes,)
            total = total + tree.value[tree.descend(changed, np.tile(start[leaf], R)), 0]
        return (total / len(self.forest.trees_)).reshape(R, n, -1)
