"""Importance from the splits: how much impurity a feature takes away while the tree grows.

Each split lowers the impurity; what it takes away is credited to the feature that it
asks about. Nothing is predicted and no data are needed: the measures describe how the model was
fitted, not how well it predicts. A feature with many values has many cuts to choose from, and is
credited also for splits on noise.

Vocabulary
----------
W, Q : weight and impurity of a node; l, r : its children
decrease : W Q - W_l Q_l - W_r Q_r of a split
raw : sum of a tree's decreases for a feature over the weight of its root
"""

import numpy as np

from treelab.importance.parts import parts_of

__all__ = ["impurity_decreases", "mean_decrease_impurity", "squared_improvement"]

SQUARED = ("squared_error", "gini")


def _decreases(tree, p):
    """Decrease of impurity times weight, summed by feature; (p,)."""
    inner = np.flatnonzero(tree.children_left != -1)
    R = tree.weighted_n_node_samples * tree.impurity
    drop = R[inner] - R[tree.children_left[inner]] - R[tree.children_right[inner]]
    return np.bincount(tree.feature[inner], drop, minlength=p)


def impurity_decreases(model):
    """Raw decrease in impurity of each feature in each tree.

    Parameters
    ----------
    model : estimator
        Fitted trees, forest or boosting; see `parts_of`.

    Returns
    -------
    ndarray of shape (n_trees, n_features)
        ``sum (W Q - W_l Q_l - W_r Q_r) / W_root`` over the splits on the feature; zeros for a
        tree that is a single leaf.

    Raises
    ------
    TypeError
        If the model is not made of binary decision trees.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), section 5.3.4, with the split itself in place of
    its surrogates.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1, 0], [2, 0], [2, 1], [2, 1]], [8.0, 0, 1, 1])
    >>> impurity_decreases(tree).round(4)
    array([[10.0833,  0.1667]])
    """
    parts = parts_of(model)
    p = parts.n_features
    return np.array(
        [_decreases(part.tree, p) / part.tree.weighted_n_node_samples[0] for part in parts.trees]
    )


def mean_decrease_impurity(model, *, normalize="total"):
    """Mean decrease in impurity, also called Gini importance.

    Parameters
    ----------
    model : estimator
        Fitted trees, forest or boosting; see `parts_of`.
    normalize : {"total", "tree", None}, default="total"
        "total": average the raw decreases of the trees, then divide by their sum: a tree that
        explains more counts more. scikit-learn's boosting does this.
        "tree": divide the decreases of each tree by their sum first, so that all trees count the
        same, then average over the trees that have a split. scikit-learn's forests do this; in
        boosting it lets late trees, which fit noise, count as much as the first.
        None: the mean of the raw decreases, in units of the impurity; single leaves count as 0.

    Returns
    -------
    ndarray of shape (n_features,)
        Not negative, and with the sum 1 unless `normalize` is None. All zeros if no tree has a
        split. The trees of AdaBoost count by their votes.

    Raises
    ------
    TypeError
        If the model is not made of binary decision trees.
    ValueError
        If `normalize` is unknown.

    Notes
    -----
    The measure is made of the training data alone. It is above 0 for a feature of pure noise
    as soon as one split uses it, and prefers features with many values.

    References
    ----------
    Breiman (2002), Manual on setting up, using, and understanding random forests V3.1. Louppe
    (2014), Understanding random forests, chapter 6.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1, 0], [2, 0], [2, 1], [2, 1]], [8.0, 0, 1, 1])
    >>> mean_decrease_impurity(tree).round(4)
    array([0.9837, 0.0163])
    """
    if normalize not in ("total", "tree", None):
        raise ValueError(f"normalize must be 'total', 'tree' or None, got {normalize!r}.")
    each = impurity_decreases(model)
    share = np.array([part.share for part in parts_of(model).trees])
    if normalize == "tree":
        total = each.sum(axis=1)
        splits = total > 0
        each, share = each[splits] / total[splits, None], share[splits]
    if not share.sum() > 0:
        return np.zeros(each.shape[1])
    mean = share @ each / share.sum()
    if normalize is None or not mean.sum() > 0:
        return mean
    return mean / mean.sum()


def squared_improvement(model, *, squared=False, relative=True):
    """Friedman's measure: the root of the squared-error improvement.

    A split lowers the sum of squared errors of its node. This improvement is already a square, so
    the improvements of a tree are summed as they are (not squared again), the sums are averaged
    over all trees, and the root is taken last. With one tree for each class of K, the squares are
    averaged over the classes, too.

    Parameters
    ----------
    model : estimator
        Fitted trees, forest or boosting with the criterion squared error, or gini, which is
        the squared error of the class indicators.
    squared : bool, default=False
        Leave out the root. R's gbm reports this one.
    relative : bool, default=True
        Scale so that the largest is 100.

    Returns
    -------
    ndarray of shape (n_features,)

    Raises
    ------
    TypeError
        If the model is not made of binary decision trees.
    ValueError
        If its trees were grown by another criterion.

    Notes
    -----
    Two slips are common. Squaring the improvements again reverses orders: with the
    improvements 6 for one feature and 3, 3, 3 for another the second is the more important one,
    9 against 6, but the sums of squares are 27 and 36. And dividing the improvements of each
    tree by their sum lets trees that fit noise count as much as the first one.

    References
    ----------
    Friedman (2001), Greedy function approximation, equations 35, 44 and 45. Hastie, Tibshirani
    and Friedman (2009), equations 10.42, 10.43 and 10.46.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1, 0], [2, 0], [2, 1], [2, 1]], [8.0, 0, 1, 1])
    >>> squared_improvement(tree, squared=True, relative=False).round(4)
    array([40.3333,  0.6667])
    >>> squared_improvement(tree).round(2)
    array([100.  ,  12.86])
    """
    parts = parts_of(model)
    for part in parts.trees:
        if part.tree.criterion not in SQUARED:
            raise ValueError(
                "squared_improvement needs trees grown by 'squared_error' or 'gini', got "
                f"{part.tree.criterion!r}."
            )
    each = [_decreases(part.tree, parts.n_features) for part in parts.trees]
    share = [part.share for part in parts.trees]
    mean = np.average(each, axis=0, weights=share)
    importance = mean if squared else np.sqrt(np.maximum(mean, 0.0))
    if relative and importance.max() > 0:
        importance = 100 * importance / importance.max()
    return importance
