"""Checkers of the chapter "Pruning" that also run in the page."""

from random import Random

from plain_checks import close, column

from treelab.checkers import checker, expect
from treelab.plain.cart import grow
from treelab.plain.impurity import squared_error
from treelab.plain.pruning import g, risk

LEFT = [1, 2, -1, -1, 5, 6, -1, -1, -1]
RIGHT = [4, 3, -1, -1, 8, 7, -1, -1, -1]
RISKS = [32.0, 8.0, 0.0, 0.0, 14.0, 12.0, 0.0, 0.0, 0.0]


def preorder(t):
    """The nodes of a tree, each before those below it."""
    return [t, *preorder(t["left"]), *preorder(t["right"])] if "left" in t else [t]


def columns_of(tree):
    """(left, right, R) of a tree, its nodes in preorder, and the nodes."""
    nodes = preorder(tree)
    number = {id(t): i for i, t in enumerate(nodes)}
    left, right = (
        [number[id(t[side])] if side in t else -1 for t in nodes] for side in ("left", "right")
    )
    return left, right, [risk([t], tree) for t in nodes], nodes


def some_trees():
    """A few regression trees of different shapes."""
    for seed in range(6):
        random = Random(seed)
        X = [[random.gauss(0, 1) for _ in range(3)] for _ in range(30)]
        y = [2 * x[0] + random.gauss(0, 1) for x in X]
        limits = {"min_leaf": 1 + seed // 2, "max_depth": 2 + seed}
        yield grow(X, y, impurity=squared_error, **limits)


@checker("pruning-4")
def check_links(links):
    got = links(LEFT, RIGHT, RISKS)
    expect(set(got) == {0, 1, 4, 5}, "the keys are the inner nodes, here 0, 1, 4 and 5, no leaves.")
    expect(
        not close(got[4], 14 / 3),
        "g(4) is 14 / 2, not 14 / 3: a node that becomes a leaf is still one leaf.",
    )
    expect(not close(got[4], 14.0), "divide the rise by the number of leaves that go: g(4) = 7.")
    expect(
        not close(got[4], 2.0) and not close(got[0], 10.0),
        "R(T_t) sums over the leaves of the whole subtree, not over the two children of t.",
    )
    expect(close(got[4], 7) and close(got[0], 8), "g(4) = 14 / 2 and g(0) = 32 / 4.")
    for tree in some_trees():
        left, right, R, nodes = columns_of(tree)
        want = {i: g(t, tree) for i, t in enumerate(nodes) if "left" in t}
        got = links(column(left), column(right), column(R))
        expect(
            set(map(int, got)) == set(want) and all(close(got[t], want[t]) for t in want),
            "right for the bakery, but not where leaves have a risk of their own: subtract "
            "the risks of all leaves below t.",
        )
