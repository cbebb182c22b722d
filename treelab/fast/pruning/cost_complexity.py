"""Cost-complexity pruning: the weakest link is pruned first.

Every leaf costs alpha, the complexity parameter, as if it paid a rent; the best subtree is the
one whose risk plus the price of its leaves is least. As alpha rises, the best subtree falls back
to the root in steps, and each of these trees lies within the one before.

Vocabulary
----------
R(t) : risk of node t as a leaf, its share of the total weight times its impurity (or times
    its share of misclassified cases)
T_t : the subtree under t; R(T_t) is the sum of R over its leaves, |T_t| their number
alpha : the complexity parameter, the price of a leaf; the cost of a tree is R(T) + alpha |T|
g(t) : (R(t) - R(T_t)) / (|T_t| - 1), the rise in risk for each leaf that goes when t
    becomes a leaf; the weakest link is the node with the smallest g
"""

from numbers import Real
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from treelab.fast.inputs import OneOf
from treelab.fast.tolerances import NEARLY
from treelab.fast.tree import Tree

__all__ = ["CostComplexityPath", "cost_complexity_path", "link_table", "prune", "pruning_table"]

SAME = 1 + NEARLY  # two alphas closer than this ratio differ by rounding only


class CostComplexityPath(NamedTuple):
    """Steps of weakest-link pruning; step 0 removes the splits that do not lower the risk.

    Attributes
    ----------
    alphas : ndarray of shape (n_steps,)
        Strictly rising from 0. The tree of step k is the smallest one of least cost for
        every alpha from ``alphas[k]`` up to, but without, ``alphas[k + 1]``.
    n_leaves : ndarray of int, shape (n_steps,)
        Leaves of each tree; the last has 1.
    risks : ndarray of shape (n_steps,)
        Risk of each tree, summed over its leaves.
    node_alpha : ndarray of shape (n_nodes,)
        The alpha at which an inner node of the grown tree stops being one; inf for leaves.
    """

    alphas: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    node_alpha: np.ndarray


def as_tree(model, name="tree"):
    """Return the `Tree` itself, or that of a fitted estimator."""
    if isinstance(model, Tree):
        return model
    if not isinstance(model, type) and hasattr(model, "fit"):
        check_is_fitted(model)
    if not isinstance(getattr(model, "tree_", None), Tree):
        raise TypeError(
            f"{name} must be a treelab Tree or a fitted decision tree of treelab, "
            f"got {type(model).__name__}."
        )
    return model.tree_


def with_tree(model, tree):
    """Return an object like the given one with another tree in it."""
    return tree if isinstance(model, Tree) else model.with_tree(tree)


def check_alpha(alpha):
    """Raise unless a value can be a complexity parameter."""
    if not (isinstance(alpha, Real) and alpha >= 0):
        raise ValueError(f"alpha must be a number >= 0, got {alpha!r}.")


def node_risks(tree, risk="impurity"):
    """Return the risk R(t) of each node as a leaf, relative to the total weight; (n_nodes,)."""
    OneOf("impurity", "misclassification").check("risk", risk)
    if risk == "misclassification" and not tree.is_classifier:
        raise ValueError(
            "risk='misclassification' needs a classification tree, got one grown with "
            f"criterion {tree.criterion!r}; use risk='impurity'."
        )
    per_unit = tree.impurity if risk == "impurity" else 1 - tree.value[:, 0].max(axis=1)
    return tree.weighted_n_node_samples / tree.weighted_n_node_samples[0] * per_unit


def split_gains(tree, R):
    """Return the reduction in risk by the split of each node, 0 for a leaf; shape (n_nodes,)."""
    return np.where(tree.is_leaf, 0.0, R - R[tree.children_left] - R[tree.children_right])


def own_alphas(tree, R):
    """Return the alpha at which each node on its own would collapse its subtree.

    Works from the leaves up. Above its children's last step, node t has two leaves below
    it, and g(t) follows. If some step of a child comes at that alpha or later, t cannot
    wait for it: take the step back, which returns its leaves and its risk, and look again.
    A step taken back never happens, so each is looked at once more at the most.
    """
    g = np.full(tree.node_count, np.inf)
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    rounding = 1e-13 * share * (1.0 if tree.is_classifier else R[0])  # less than this is nothing
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    R, rounding = R.tolist(), rounding.tolist()
    steps = [[] for _ in R]  # of T_t: (alpha, leaves removed), rising
    for t in np.flatnonzero(~tree.is_leaf)[::-1].tolist():  # children before parents
        rise, gone = R[t] - R[left[t]] - R[right[t]], 1
        todo = steps[left[t]] + steps[right[t]]
        todo.sort()
        while todo and todo[-1][0] * gone >= rise:
            alpha, leaves = todo.pop()
            rise, gone = rise + alpha * leaves, gone + leaves
        g[t] = rise / gone if rise > rounding[t] else 0.0
        todo.append((float(g[t]), gone))
        steps[t] = todo
        steps[left[t]] = steps[right[t]] = None
    return g


def cost_complexity_path(tree, risk="impurity"):
    """Return the exact sequence of weakest-link pruning.

    All links that are equally weak fall in the same step. Step 0, at alpha = 0, drops the
    splits that lower the risk by nothing. Returns a `CostComplexityPath`, whose risks, and so
    alphas, are shares of the total weight.

    Parameters
    ----------
    tree : Tree or fitted decision tree estimator
        Anything else is a TypeError.
    risk : {"impurity", "misclassification"}, default="impurity"
        Risk of a leaf: the impurity that the tree was grown with, as in scikit-learn, or
        the share of misclassified cases, as in CART (classification only, else a ValueError).

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), section 3.3, and chapter 11 for proofs.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 2.0, 6.0, 8.0]).tree_
    >>> path = cost_complexity_path(tree)
    >>> path.alphas.round(4).tolist(), path.n_leaves.tolist()
    ([0.0, 0.125, 0.5, 7.5625], [4, 3, 2, 1])
    """
    tree = as_tree(tree)
    R = node_risks(tree, risk)
    node_alpha = own_alphas(tree, R)
    inner = np.flatnonzero(~tree.is_leaf)
    own = node_alpha.tolist()
    for t, up in zip(inner[1:].tolist(), tree.parent[inner[1:]].tolist(), strict=True):
        own[t] = min(own[t], own[up])  # a node goes with its ancestor at the latest
    node_alpha = np.array(own)

    by_alpha = inner[np.argsort(node_alpha[inner])]
    alphas, step = [0.0], np.zeros(tree.node_count, dtype=int)
    for t in by_alpha.tolist():
        if own[t] > alphas[-1] * SAME:
            alphas.append(own[t])
        step[t] = len(alphas) - 1
    alphas = np.array(alphas)
    node_alpha[inner] = alphas[step[inner]]

    # A node that stops being inner takes one leaf and its own split's gain from the tree.
    gain = split_gains(tree, R)[inner]
    leaves_gone = np.cumsum(np.bincount(step[inner], minlength=len(alphas)))
    gain_kept = gain.sum() - np.cumsum(np.bincount(step[inner], gain, len(alphas)))
    gain_kept[-1] = 0.0
    risks = np.maximum(R[0] - gain_kept, 0.0)
    return CostComplexityPath(alphas, len(inner) + 1 - leaves_gone, risks, node_alpha)


def prune(tree, alpha, risk="impurity"):
    """Return the smallest subtree with minimum cost ``R(T) + alpha |T|``, of the type of `tree`.

    Parameters
    ----------
    tree, risk
        As in `cost_complexity_path`.
    alpha : float >= 0
        Complexity parameter: the price of a leaf, in units of the risk; else a ValueError.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 2.0, 6.0, 8.0]).tree_
    >>> [prune(tree, alpha).n_leaves for alpha in (0, 0.2, 0.5, 8)]
    [4, 3, 2, 1]
    """
    check_alpha(alpha)
    whole = as_tree(tree)
    path = cost_complexity_path(whole, risk)
    pruned = whole.collapse(np.flatnonzero(path.node_alpha <= alpha * SAME))
    return with_tree(tree, pruned)


def pruning_table(tree, risk="impurity"):
    """List the steps of weakest-link pruning; DataFrame.

    A row holds ``alpha``, ``n_leaves`` and ``risk`` of the tree after the step, and ``nodes``,
    the nodes of the grown tree that become leaves in it.

    Parameters
    ----------
    tree, risk
        As in `cost_complexity_path`.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 2.0, 6.0, 8.0]).tree_
    >>> pruning_table(tree).round(4)
           alpha  n_leaves    risk nodes
    step
    0     0.0000         4  0.0000    ()
    1     0.1250         3  0.1250  (1,)
    2     0.5000         2  0.6250  (4,)
    3     7.5625         1  8.1875  (0,)
    """
    tree = as_tree(tree)
    path = cost_complexity_path(tree, risk)
    alpha = path.node_alpha
    above = np.where(tree.parent >= 0, alpha[tree.parent], np.inf)  # alpha of the parent
    top = np.flatnonzero(~tree.is_leaf & (alpha < above))
    nodes = [tuple(top[alpha[top] == a].tolist()) for a in path.alphas]
    return pd.DataFrame(
        {"alpha": path.alphas, "n_leaves": path.n_leaves, "risk": path.risks, "nodes": nodes}
    ).rename_axis("step")


def link_table(tree, risk="impurity", alpha=None):
    """List the link strength g(t) of every inner node, to find the weakest link; DataFrame.

    Indexed by ``node``, with ``risk`` R(t), ``subtree_risk`` R(T_t), ``n_leaves`` of T_t,
    ``g`` and ``weakest``, true where g is least.

    Parameters
    ----------
    tree, risk
        As in `cost_complexity_path`.
    alpha : float, default=None
        Look at the tree pruned with this alpha, its nodes numbered as in the grown one.
        None looks at the grown tree.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), section 3.3.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 2.0, 6.0, 8.0]).tree_
    >>> link_table(tree, alpha=0.125).round(4)
            risk  subtree_risk  n_leaves       g  weakest
    node
    0     8.1875         0.125         3  4.0312    False
    4     0.5000         0.000         2  0.5000     True
    """
    tree = as_tree(tree)
    R = node_risks(tree, risk)
    inner = ~tree.is_leaf
    if alpha is not None:
        check_alpha(alpha)
        inner &= cost_complexity_path(tree, risk).node_alpha > alpha * SAME
    t = np.flatnonzero(inner)
    gain = np.where(inner, split_gains(tree, R), 0.0)
    rise = tree.subtree_sum(gain, leaves_only=False)[t]  # R(t) - R(T_t)
    removed = tree.subtree_sum(inner.astype(int), leaves_only=False)[t]  # |T_t| - 1
    g = rise / removed
    weakest = g <= g.min() * SAME if len(g) else np.zeros(0, dtype=bool)
    columns = {"risk": R[t], "subtree_risk": R[t] - rise, "n_leaves": removed + 1, "g": g}
    return pd.DataFrame({**columns, "weakest": weakest}, index=pd.Index(t, name="node"))
