"""Reduced-error pruning: held-out rows decide, node by node.

Send a validation set down the tree. From the bottom up, turn a node into a leaf wherever
that makes no more errors than the subtree under it.

Vocabulary
----------
t : a node
errors : misclassified weight of the validation rows in a node, or the sum of their squared
    (absolute, if the tree was grown so) errors
"""

import numpy as np
import pandas as pd

from treelab.fast.inputs import check_weights, class_codes
from treelab.fast.pruning.cost_complexity import as_tree, with_tree
from treelab.fast.tree import Tree

__all__ = ["reduced_error_pruning", "reduced_error_table"]


def upward(tree, leaf):
    """Follow rows from their leaves to the root: yields (rows, the node of each)."""
    rows, nodes = np.arange(len(leaf)), np.asarray(leaf)
    while len(rows):
        yield rows, nodes
        below = nodes > 0
        rows, nodes = rows[below], tree.parent[nodes[below]]


def losses(tree, nodes, y):
    """Return the loss of each row under the prediction of its node: 0-1, squared or absolute."""
    if tree.is_classifier:
        return (tree.value[nodes, 0].argmax(axis=1) != y).astype(float)
    miss = tree.value[nodes, 0, 0] - y
    return np.abs(miss) if tree.criterion == "absolute_error" else miss**2


def _validation_leaves(model, X_val, y_val):
    """Return the leaf of each validation row, and its target as the tree holds targets."""
    tree = as_tree(model, "estimator")
    y = np.asarray(y_val)
    if y.ndim != 1 or len(y) != len(X_val) or len(y) == 0:
        raise ValueError(
            "X_val and y_val must hold the same number of cases, at least one, and y_val one "
            f"target for each; got {len(X_val)} rows and a y_val of shape {y.shape}."
        )
    if not tree.is_classifier:
        y = y.astype(float)
        if not np.all(np.isfinite(y)):
            raise ValueError("y_val holds missing or infinite values; drop these cases.")
    if not isinstance(model, Tree):
        if tree.is_classifier:  # no leaf predicts an unknown class
            y = class_codes(y, model.classes_, allow_unknown=True)
        return model.apply(X_val), y
    X = np.asarray(X_val, dtype=float)
    if X.ndim != 2 or X.shape[1] <= tree.feature.max():
        raise ValueError(
            f"X_val must have at least {tree.feature.max() + 1} columns, as the tree tests "
            f"them; got shape {X.shape}."
        )
    return tree.apply(X), y


def reduced_error_table(estimator, X_val, y_val, keep_unreached=False, sample_weight=None):
    """List the decisions of reduced-error pruning in the order in which they are made; DataFrame.

    Indexed by ``node``, one row for each inner node, left subtree before right subtree before
    node: ``weight`` of the validation rows that reach it, ``errors_as_leaf``,
    ``errors_of_subtree`` as it stands by then, ``leaf_errors``, the errors of each of its
    leaves, and ``pruned``. Validation arrays that do not fit are a ValueError.

    Parameters
    ----------
    estimator : fitted decision tree estimator or Tree
        A bare `Tree` takes rows of numbers (category codes) and class numbers 0, 1, 2, ...
    X_val : array-like or DataFrame of shape (n_cases, n_features)
        Cases that the tree was not grown on.
    y_val : array-like of shape (n_cases,)
    keep_unreached : bool, default=False
        Leave a node as it is when no validation case reaches it. Otherwise 0 errors are no
        more than 0, and it becomes a leaf.
    sample_weight : array-like of shape (n_cases,), default=None
        Weights of the validation rows.

    References
    ----------
    Quinlan (1987), section 2.2.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "a"])
    >>> X_val, y_val = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
    >>> reduced_error_table(model, X_val, y_val).drop(columns="leaf_errors")
          weight  errors_as_leaf  errors_of_subtree  pruned
    node
    2        2.0             2.0                1.0   False
    0        4.0             2.0                1.0   False
    """
    tree = as_tree(estimator, "estimator")
    leaf, y = _validation_leaves(estimator, X_val, y_val)
    w = check_weights(sample_weight, len(y))
    n = tree.node_count
    as_leaf, weight = np.zeros(n), np.zeros(n)
    for rows, t in upward(tree, leaf):
        as_leaf += np.bincount(t, w[rows] * losses(tree, t, y[rows]), n)
        weight += np.bincount(t, w[rows], n)

    now = [(e,) for e in as_leaf.tolist()]  # errors of the leaves of T_t as it stands
    steps = []
    # Position in postorder from that in preorder: t, less its ancestors, plus its subtree.
    order = np.argsort(np.arange(n) - tree.depth + tree.size)
    for t in order[~tree.is_leaf[order]].tolist():
        below = now[tree.children_left[t]] + now[tree.children_right[t]]
        of_subtree = sum(below)
        pruned = bool(as_leaf[t] <= of_subtree * (1 + 1e-12))
        if keep_unreached and weight[t] == 0:
            pruned = False
        if not pruned:
            now[t] = below
        steps.append((t, weight[t], as_leaf[t], of_subtree, below, pruned))
    columns = ["weight", "errors_as_leaf", "errors_of_subtree", "leaf_errors", "pruned"]
    table = pd.DataFrame(steps, columns=["node", *columns]).set_index("node")
    return table.astype({"pruned": bool})


def reduced_error_pruning(estimator, X_val, y_val, keep_unreached=False, sample_weight=None):
    """Turn nodes into leaves, bottom up, wherever the validation error does not increase.

    The result makes the fewest errors on the validation rows of all pruned subtrees, and
    (unless `keep_unreached`) is the smallest one that does. Nodes keep the prediction that
    training gave them. Returns a pruned copy.

    Parameters
    ----------
    estimator, X_val, y_val, keep_unreached, sample_weight
        As in `reduced_error_table`; or a fitted `C45Classifier` or `ID3Classifier`.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "a"])
    >>> pruned = reduced_error_pruning(model, [[1], [3], [4]], ["a", "a", "a"])
    >>> model.get_n_leaves(), pruned.get_n_leaves()
    (3, 1)
    """
    if hasattr(estimator, "prune_on"):  # a multiway tree knows how, rows with gaps included
        return estimator.prune_on(X_val, y_val, sample_weight, keep_unreached)
    table = reduced_error_table(estimator, X_val, y_val, keep_unreached, sample_weight)
    tree = as_tree(estimator, "estimator")
    return with_tree(estimator, tree.collapse(table.index[table["pruned"]].to_numpy(dtype=int)))
