"""Pruning: every leaf costs alpha, and the weakest link goes first; or held-out cases decide.

>>> from treelab.cart import cases_of, grow, leaves
>>> from treelab.pruning import reduced_error
>>> tree = grow([[1], [2], [3], [4]], ["a", "a", "b", "a"])
>>> len(leaves(tree)), len(leaves(reduced_error(tree, cases_of([[1], [4]], ["a", "a"]))))
(3, 1)

Vocabulary
----------
t, tree, root : nodes of `cart`; the root stands for the tree
R : risk of nodes, the sum of their shares of the weight times Q
T_t, |T_t| : the subtree at t; the number of its leaves
alpha : the price of a leaf; the cost of a tree is R + alpha * (number of leaves)
g : (R(t) - R(T_t)) / (|T_t| - 1), the rise in risk for each leaf that is saved if t becomes a leaf
loss(y, predicted) : what one prediction costs
"""

from math import inf

from .bootstrap import wrong_class
from .cart import answer, divide, inner, leaves, predict


def risk(nodes, root):
    """R of some nodes of a tree."""
    return sum(t["weight"] * t["impurity"] for t in nodes) / root["weight"]


def g(t, root):
    """Strength of the link at t; the weakest link is the node with the least g."""
    below = leaves(t)
    return (risk([t], root) - risk(below, root)) / (len(below) - 1)


def prune(tree, alpha, root=None):
    """The smallest subtree of least cost, from the bottom up; tree is left as it is."""
    if "left" not in tree:
        return tree
    root = root or tree
    pruned = tree | {side: prune(tree[side], alpha, root) for side in ("left", "right")}
    rounding = 1e-9 * alpha + 1e-13 * root["impurity"]
    if g(pruned, root) > alpha + rounding:
        return pruned
    return {name: tree[name] for name in ("n", "weight", "impurity", "value")}


def cost_complexity_path(tree):
    """(alpha, number of leaves, R) of each tree from the grown one to the root."""
    alpha, path = 0.0, []
    while True:
        tree = prune(tree, alpha)
        path.append((alpha, len(leaves(tree)), risk(leaves(tree), tree)))
        if "left" not in tree:
            return path
        alpha = min(g(t, tree) for t in inner(tree))


def reduced_error(tree, cases, loss=wrong_class):
    """Reduced-error pruning: from the bottom up, a node becomes a leaf unless that costs more.

    The cost is the weighted loss of cases that the tree was not grown on; without any it is 0.
    """
    if "left" not in tree:
        return tree
    sides = zip(("left", "right"), divide(cases, tree["feature"], tree["cut"]))
    pruned = tree | {side: reduced_error(tree[side], part, loss) for side, part in sides}
    as_leaf = sum(w * loss(y, answer(tree["value"])) for _, y, w in cases)
    as_tree = sum(w * loss(y, predict(pruned, x)) for x, y, w in cases)
    return prune(tree, inf) if as_leaf <= as_tree * (1 + 1e-12) else pruned
