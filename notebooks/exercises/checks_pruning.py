"""Checkers of the chapter "Pruning"."""

import checks_pruning_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab import DecisionTreeRegressor
from treelab.checkers import checker, expect


def some_trees():
    """A few regression trees of different shapes, with validation data.

    Some of the splits are worth keeping for these data, down to depth 3, and some are not.
    """
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 3))
        y = 2 * X[:, 0] + rng.normal(size=30)
        model = DecisionTreeRegressor(min_samples_leaf=1 + seed // 2, max_depth=2 + seed)
        X_val = rng.normal(size=(40, 3))
        y_val = np.round(2 * X_val[:, 0] + rng.normal(size=40))
        yield model.fit(X, y).tree_, X_val, y_val


def errors_of_nodes(tree, X, y):
    """The squared errors that each node would make as a leaf, summed over the rows."""
    errors = np.zeros(tree.node_count)
    for row, target in zip(X, y, strict=True):
        path = tree.path(row)
        errors[path] += (tree.value[path, 0, 0] - target) ** 2
    return errors


def smallest_of_the_best(tree, errors):
    """The pruned nodes of the subtree with the fewest errors, and in a tie the fewest leaves."""

    def cuts(t):
        """(errors, leaves, cuts) of every pruned version of the subtree under t."""
        if tree.is_leaf[t]:
            return [(errors[t], 1, frozenset())]
        left, right = cuts(tree.children_left[t]), cuts(tree.children_right[t])
        both = [(a + b, m + n, c | d) for a, m, c in left for b, n, d in right]
        return [(errors[t], 1, frozenset([t])), *both]

    return set(min(cuts(0), key=lambda found: (round(found[0], 9), found[1]))[2])


@checker("pruning-5")
def check_reduced_error(reduced_error):
    left, right = [1, 2, -1, -1, 5, -1, -1], [4, 3, -1, -1, 6, -1, -1]
    hospital = reduced_error(left, right, [1, 0, 2, 0, 2, 0, 0])
    expect(
        set(hospital) != {0},
        "you pruned the root of the hospital's tree: visit children before parents, and compare "
        "with the subtree as it is after they were pruned.",
    )
    expect(set(hospital) == {1}, "in the hospital's tree only node 1 becomes a leaf.")
    tie = reduced_error(left, right, [3, 1, 1, 0, 0, 0, 0])
    expect(1 in set(tie), "as many errors as the subtree is enough: ties prune.")
    expect(
        set(tie) == {1, 4},
        "node 4 makes 0 errors, as a leaf or not, so it is pruned.",
    )
    nested = reduced_error(left, right, [0, 0, 0, 0, 0, 0, 0])
    expect(
        set(nested) == {0},
        "when a node is pruned, those below it are gone: return only the topmost of them.",
    )
    for tree, X, y in some_trees():
        errors = errors_of_nodes(tree, X, y)
        got = reduced_error(tree.children_left, tree.children_right, errors.copy())
        expect(
            set(map(int, got)) == smallest_of_the_best(tree, errors),
            "wrong on a larger tree; do you go all the way down?",
        )
    expect(
        set(reduced_error([-1], [-1], [2])) == set(),
        "a tree of one node is a leaf already: nothing is pruned.",
    )
