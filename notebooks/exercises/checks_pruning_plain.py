"""Checkers of the chapter "Pruning" that also run in the page."""

from random import Random

from plain_checks import as_list, close, column, pair

from treelab.cart import grow
from treelab.checkers import checker, expect
from treelab.impurity import squared_error
from treelab.pruning import cost_complexity_path, risk

# The tree of the chapter's ten days, inner nodes 0, 1, 4 and 5; the risks are ten times as large,
# so that their sums are exact.
LEFT = [1, 2, -1, -1, 5, 6, -1, -1, -1]
RIGHT = [4, 3, -1, -1, 8, 7, -1, -1, -1]
RISKS = [32.0, 8.0, 0.0, 0.0, 14.0, 12.0, 0.0, 0.0, 0.0]


def preorder(t):
    """The nodes of a tree, each before those below it."""
    return [t, *preorder(t["left"]), *preorder(t["right"])] if "left" in t else [t]


def columns_of(tree):
    """(left, right, R) of a tree, its nodes in preorder."""
    nodes = preorder(tree)
    number = {id(t): i for i, t in enumerate(nodes)}
    left, right = (
        [number[id(t[side])] if side in t else -1 for t in nodes] for side in ("left", "right")
    )
    return left, right, [risk([t], tree) for t in nodes]


def some_trees():
    """A few regression trees of different shapes."""
    for seed in range(6):
        random = Random(seed)
        X = [[random.gauss(0, 1) for _ in range(3)] for _ in range(30)]
        y = [2 * x[0] + random.gauss(0, 1) for x in X]
        limits = {"min_leaf": 1 + seed // 2, "max_depth": 2 + seed}
        yield grow(X, y, impurity=squared_error, **limits)


@checker("pruning-3")
def check_next_step(next_step):
    def found(*arrays):
        return pair(next_step(*map(column, arrays)), "return two numbers: alpha, leaves.")

    alpha, leaves = found(LEFT, RIGHT, RISKS)
    expect(
        not close(alpha, 4.0),
        "node 4 has g = 14 / 2, not 14 / 3: a node that becomes a leaf is still one leaf.",
    )
    expect(
        not close(alpha, 8.0), "divide the rise in risk by the number of leaves removed: g(4) = 7."
    )
    expect(
        not close(alpha, 2.0),
        "R(T_t) sums over the leaves of the whole subtree, not over the two children of t.",
    )
    expect(
        close(alpha, 7), "for the ten days, risks times ten, the first link is pruned at 14 / 2."
    )
    expect(leaves != 4, "node 4 is pruned and takes node 5 along: of 5 leaves 3 are left, not 4.")
    expect(leaves == 3, "for the ten days 3 leaves are left.")
    two = found([1, 2, -1, -1, 5, -1, -1], [4, 3, -1, -1, 6, -1, -1], [20, 4, 0, 0, 4, 0, 0])
    expect(two[1] != 3, "two links are equally weak here, so both fall in the same step.")
    expect(close(two[0], 4) and two[1] == 2, "with two equal links of 4, 2 leaves are left.")
    chain = found([1, -1, 3, -1, -1], [2, -1, 4, -1, -1], [18, 0, 9, 0, 0])
    expect(
        close(chain[0], 9) and chain[1] == 1,
        "a node that is pruned may lie below another one; count its leaves only once.",
    )
    rounded = [2, 0.1 + 0.2, 0, 0, 0.3, 0, 0]
    expect(
        found([1, 2, -1, -1, 5, -1, -1], [4, 3, -1, -1, 6, -1, -1], rounded)[1] == 2,
        "0.1 + 0.2 and 0.3 are equal up to rounding, so both links are pruned.",
    )
    for tree in some_trees():
        (_, _, _), (alpha, leaves, _), *_ = cost_complexity_path(tree)
        got = found(*columns_of(tree))
        expect(
            close(got[0], alpha) and got[1] == leaves,
            "right for pure leaves, but not where leaves have a risk of their own: subtract "
            "the risks of all leaves below t.",
        )


@checker("pruning-4")
def check_one_se(one_se):
    def found(losses, n_leaves):
        return int(one_se(column(losses), column(n_leaves)))

    losses = [[0, 0, 0, 4], [1, 1, 2, 2], [0, 3.6, 0, 3.6], [3, 3, 1, 3]]
    leaves = [5, 3, 2, 1]
    got = found(losses, leaves)
    expect(got != 5, "that is the tree with the least error, but the rule takes a smaller one.")
    expect(got != 3, "of the trees below the line take the smallest, not the largest.")
    expect(
        got != 1,
        "a standard error is the standard deviation of the losses, divided by the root of their "
        "number.",
    )
    expect(got == 2, "the line is 1 + 0.866, and the smallest tree below it has 2 leaves.")
    expect(
        found([[0, 0, 0, 4], [2, 2, 1.8, 1.8]], [5, 1]) == 5,
        "the standard deviation has the divisor n here, as in the column se, not n - 1.",
    )
    expect(
        found(losses[::-1], leaves[::-1]) == 2,
        "the candidates may be in any order: look for the fewest leaves, not for a position.",
    )
    expect(
        found([[0.8, 1.2] * 2, [0.6, 1.8] * 2, [3, 3, 3, 3]], [3, 2, 1]) == 3,
        "the line is the lowest error plus its own standard error, not each tree's own.",
    )
    expect(
        found([[0, 2] * 2, [0.5, 1.5] * 2, [1.375] * 4], [3, 2, 1]) == 2,
        "two trees share the lowest error: the standard error of the smaller one counts.",
    )
    expect(
        found([[0, 2] * 2, [1.5] * 4], [2, 1]) == 1,
        "an error exactly on the line is within one standard error.",
    )


@checker("pruning-6")
def check_folds_of_copies(folds_of_copies):
    for seed, n, k in ((0, 30, 5), (1, 300, 10), (2, 12, 3)):
        rows = Random(seed).choices(range(n), k=n)
        folds = as_list(folds_of_copies(column(rows), k))
        expect(
            folds is not None and len(folds) == n,
            f"return one fold number for each of the {n} draws, copies included.",
        )
        expect(
            min(folds) >= 0 and max(folds) < k,
            f"fold numbers run from 0 to n_folds - 1 = {k - 1}.",
        )
        fold_of = dict(zip(rows, folds))
        expect(
            all(fold_of[row] == fold for row, fold in zip(rows, folds)),
            "some row has copies in two folds: number the distinct rows, not the draws.",
        )
        sizes = [list(fold_of.values()).count(fold) for fold in range(k)]
        expect(
            max(sizes) - min(sizes) <= 1,
            f"the folds hold {sizes} distinct rows, but they may differ by one at most.",
        )
