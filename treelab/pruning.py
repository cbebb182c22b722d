"""Pruning: cost-complexity pruning of the weakest link, and reduced-error pruning.

In cost-complexity pruning each leaf costs alpha, and the subtree is collapsed first that saves the
least risk per leaf. In reduced-error pruning held-out cases decide.

>>> from treelab.cart import cases_of, grow, leaves
>>> from treelab.pruning import reduced_error
>>> tree = grow([[1], [2], [3], [4]], ["a", "a", "b", "a"])
>>> len(leaves(tree)), len(leaves(reduced_error(tree, cases_of([[1], [4]], ["a", "a"]))))
(3, 1)

Vocabulary
----------
t, tree, root : nodes of `cart`; the root stands for the tree
R : risk of some nodes, the sum over them of Q times their fraction of the weight
T_t, |T_t| : the subtree at t; the number of its leaves
alpha : cost of a leaf; the cost of a tree is R + alpha * (number of leaves)
g : (R(t) - R(T_t)) / (|T_t| - 1), the increase in risk per leaf saved if t becomes a leaf
loss(y, predicted) : the loss of one prediction
"""

from math import inf

from .bootstrap import wrong_class
from .cart import divide, inner, leaves, predict, prediction


def risk(nodes, root):
    """Risk R of some nodes of a tree."""
    return sum(t["weight"] * t["impurity"] for t in nodes) / root["weight"]


def g(t, root):
    """Strength of the link at t; the weakest link is the node with the smallest g."""
    below = leaves(t)
    return (risk([t], root) - risk(below, root)) / (len(below) - 1)


def prune(tree, alpha, root=None):
    """The smallest subtree of minimum cost, found from the bottom up; the tree is not changed."""
    if "left" not in tree:
        return tree
    root = root or tree
    pruned = tree | {side: prune(tree[side], alpha, root) for side in ("left", "right")}
    rounding = 1e-9 * alpha + 1e-13 * root["impurity"]
    if g(pruned, root) > alpha + rounding:
        return pruned
    return {name: tree[name] for name in ("n", "weight", "impurity", "value")}


def cost_complexity_path(tree):
    """(alpha, number of leaves, R) of each tree from the fully grown one to the root."""
    alpha, path = 0.0, []
    while True:
        tree = prune(tree, alpha)
        path.append((alpha, len(leaves(tree)), risk(leaves(tree), tree)))
        if "left" not in tree:
            return path
        alpha = min(g(t, tree) for t in inner(tree))


def reduced_error(tree, cases, loss=wrong_class):
    """Reduced-error pruning: from the bottom up, collapse each node unless that costs more.

    The cost is the weighted loss on held-out cases; it is 0 for a node that none of them reaches.
    """
    if "left" not in tree:
        return tree
    sides = zip(("left", "right"), divide(cases, tree["feature"], tree["threshold"]))
    pruned = tree | {side: reduced_error(tree[side], part, loss) for side, part in sides}
    as_leaf = sum(w * loss(y, prediction(tree["value"])) for _, y, w in cases)
    as_tree = sum(w * loss(y, predict(pruned, x)) for x, y, w in cases)
    return prune(tree, inf) if as_leaf <= as_tree * (1 + 1e-12) else pruned
