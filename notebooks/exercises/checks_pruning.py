"""Checkers of the chapter "Pruning"."""

import checks_pruning_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab import DecisionTreeRegressor
from treelab.checkers import Hint, checker, expect

# The tree of the chapter's ten days, inner nodes 0, 1, 4 and 5; the risks are ten times as large,
# so that their sums are exact.


def some_trees():
    """A few regression trees of different shapes, with cases to judge them.

    Some of the splits are worth keeping for these cases, down to depth 3, and some are not.
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
    """The cuts that leave the fewest errors, and of these the fewest leaves, of all cuts."""

    def cuts(t):
        """(errors, leaves, cuts) of every pruned version of the subtree under t."""
        if tree.is_leaf[t]:
            return [(errors[t], 1, frozenset())]
        left, right = cuts(tree.children_left[t]), cuts(tree.children_right[t])
        both = [(a + b, m + n, c | d) for a, m, c in left for b, n, d in right]
        return [(errors[t], 1, frozenset([t])), *both]

    return set(min(cuts(0), key=lambda found: (round(found[0], 9), found[1]))[2])


@checker("pruning-3")
def check_cheapest(cheapest):
    risks, leaves = np.array([0.0, 14.0, 22.0, 32.0]), np.array([5, 3, 2, 1])
    got = cheapest(risks, leaves, 0.0)
    expect(got != 3, "at alpha 0 you chose the root; the least risk wins there, not the most.")
    expect(got == 0, "at alpha 0 the tree with the least risk is the cheapest.")
    expect(
        cheapest(risks, leaves, 7.5) == 1,
        "at alpha 7.5 the costs are 37.5, 36.5, 37 and 39.5. Does every leaf cost alpha?",
    )
    expect(cheapest(risks, leaves, 20.0) == 3, "at alpha 20 the root alone, 32 + 20, is cheapest.")
    expect(cheapest(risks, leaves, 7.0) == 1, "at alpha 7 two trees tie: the smaller one wins.")
    expect(
        cheapest(risks[::-1].copy(), leaves[::-1].copy(), 7.0) == 2,
        "the trees may come in any order, and in a tie the one with fewer leaves wins.",
    )
    expect(
        cheapest(np.array([1.5, 0.0]), np.array([1, 6]), 0.3) == 0,
        "1.5 + 0.3 and 6 x 0.3 are equal up to rounding: treat that as a tie.",
    )


@checker("pruning-5")
def check_one_se(one_se):
    leaves = np.array([7, 6, 5, 4, 3, 2, 1])
    error = np.array([4423.3, 4021.9, 4114.0, 4071.9, 4245.8, 4868.2, 6296.2])
    se = np.array([429.6, 330.7, 326.6, 322.7, 318.0, 357.2, 367.7])
    got = one_se(leaves, error, se)
    expect(got != 6, "that is the tree with the least error; the rule takes a smaller one.")
    expect(got not in (7,), "of the trees below the line take the smallest, not the largest.")
    expect(got == 3, "with the diabetes errors the line is 4021.9 + 330.7 and the answer 3.")
    expect(
        one_se(leaves[::-1].copy(), error[::-1].copy(), se[::-1].copy()) == 3,
        "the arrays may stand in any order: look for the smallest n_leaves, not for a position.",
    )
    expect(
        one_se(np.array([3, 2, 1]), np.array([1.0, 1.2, 2.0]), np.array([0.1, 0.3, 1.5])) == 3,
        "the line is the least error plus its own standard error, not each tree's own.",
    )
    expect(
        one_se(np.array([3, 2, 1]), np.array([1.0, 1.0, 1.3]), np.array([0.5, 0.2, 0.1])) == 2,
        "two trees share the least error: the standard error of the smaller one counts.",
    )
    expect(
        one_se(np.array([2, 1]), np.array([1.0, 1.5]), np.array([0.5, 0.5])) == 1,
        "an error exactly on the line is within one standard error.",
    )


@checker("pruning-6")
def check_reduced_error(reduced_error):
    left, right = [1, 2, -1, -1, 5, -1, -1], [4, 3, -1, -1, 6, -1, -1]
    hospital = reduced_error(left, right, [1, 0, 2, 0, 2, 0, 0])
    expect(
        set(hospital) != {0},
        "you cut off the root of the hospital tree: visit children before parents, and compare "
        "with the subtree as it stands after they were pruned.",
    )
    expect(set(hospital) == {1}, "in the hospital tree only node 1 becomes a leaf.")
    tie = reduced_error(left, right, [3, 1, 1, 0, 0, 0, 0])
    expect(1 in set(tie), "as many errors as the subtree is enough: ties prune.")
    expect(set(tie) == {1, 4}, "node 4 makes 0 errors as a leaf, its leaves make 0: it goes.")
    nested = reduced_error(left, right, [0, 0, 0, 0, 0, 0, 0])
    expect(
        set(nested) == {0},
        "when a node falls, those below it are gone: return only the topmost of them.",
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
        "a tree of one node is a leaf already: nothing is cut off.",
    )


@checker("pruning-8")
def check_folds_of_copies(folds_of_copies):
    for seed, n, k in ((0, 30, 5), (1, 300, 10), (2, 12, 3)):
        rows = np.random.default_rng(seed).choice(n, n)
        folds = np.asarray(folds_of_copies(rows.copy(), k))
        if folds.shape != rows.shape:
            raise Hint(f"return one fold number for each of the {n} draws, copies included.")
        expect(
            folds.min() >= 0 and folds.max() < k,
            f"fold numbers run from 0 to n_folds - 1 = {k - 1}.",
        )
        expect(
            all(len(set(folds[rows == row])) == 1 for row in rows),
            "some row has copies in two folds: share out the distinct rows, not the draws.",
        )
        sizes = np.bincount(folds[np.unique(rows, return_index=True)[1]], minlength=k)
        expect(
            sizes.max() - sizes.min() <= 1,
            f"the folds hold {sizes.tolist()} distinct rows; they may differ by one at most.",
        )
