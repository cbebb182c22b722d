"""Impurity importance: the decrease in impurity by the splits on a feature.

What a split takes away is credited to the feature that it tests. No data are needed: the
measures describe how the model was fitted, not how well it predicts. A feature with many values
has many cuts to choose from, and is credited also for splits on noise.
"""

import numpy as np

from treelab.fast.growing.criteria import CRITERIA
from treelab.fast.importance.models import parts_of
from treelab.fast.inputs import OneOf

__all__ = ["impurity_decreases", "is_squared", "mean_decrease_impurity", "squared_improvement"]


def is_squared(tree):
    """Return whether the gains of a tree's criterion are decreases of a sum of squares."""
    return getattr(CRITERIA.get(tree.criterion), "is_squared", False)


def impurity_decreases(model):
    """Return the raw decrease in impurity by feature in each tree; ndarray (n_trees, n_features).

    It is ``sum (W Q - W_l Q_l - W_r Q_r) / W_root`` over the splits on the feature, with W the
    weight and Q the impurity of a node and of its children l and r (Breiman et al. 1984, section
    5.3.4, with the split itself in place of its surrogates).

    Parameters
    ----------
    model
        As in `parts_of`.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1, 0], [2, 0], [2, 1], [2, 1]], [8.0, 0, 1, 1])
    >>> impurity_decreases(tree).round(4)
    array([[10.0833,  0.1667]])
    """
    parts = parts_of(model)
    trees, d = [part.tree for part in parts.trees], parts.n_features
    return np.array([t.decrease_by_feature(d) / t.weighted_n_node_samples[0] for t in trees])


def mean_decrease_impurity(model, *, normalize="total"):
    """Return the mean decrease in impurity (MDI, Gini importance); ndarray (n_features,).

    It is made of the training data alone: above 0 for a feature of pure noise as soon as one
    split uses it. The trees of AdaBoost count by their votes; without a split it is 0. See Breiman
    (2002), Manual on setting up, using, and understanding random forests V3.1, and Louppe (2014),
    Understanding random forests, chapter 6.

    Parameters
    ----------
    model
        As in `parts_of`.
    normalize : {"total", "tree", None}, default="total"
        "total": average the raw decreases of the trees, then divide by their sum: a tree that
        explains more counts more. scikit-learn's boosting does this.
        "tree": divide the decreases of each tree by their sum first, then average over the trees
        that have a split. scikit-learn's forests do this; in boosting it lets late trees, which
        fit noise, count as much as the first.
        None: the mean of the raw decreases, in units of the impurity; single leaves count as 0.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1, 0], [2, 0], [2, 1], [2, 1]], [8.0, 0, 1, 1])
    >>> mean_decrease_impurity(tree).round(4)
    array([0.9837, 0.0163])
    """
    OneOf("total", "tree", None).check("normalize", normalize)
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
    """Return Friedman's measure, the root of the squared-error improvement; ndarray (n_features,).

    A split lowers the sum of squared errors of its node. This improvement is already a square:
    the improvements of a tree are summed as they are, the sums are averaged over all trees (with
    one tree for each class, over the classes, too), and the root is taken last. Squaring the
    improvements again would reverse orders: 6 against 3, 3, 3 is 6 against 9, not 36 against 27.

    Parameters
    ----------
    model : estimator
        As in `parts_of`, grown by the squared error, or by gini, which is the squared error of
        the class indicators; else a ValueError.
    squared : bool, default=False
        Leave out the root. R's gbm reports this one.
    relative : bool, default=True
        Scale so that the largest is 100.

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
        if not is_squared(part.tree):
            raise ValueError(
                "squared_improvement needs trees grown by 'squared_error' or 'gini', got "
                f"{part.tree.criterion!r}."
            )
    each = [part.tree.decrease_by_feature(parts.n_features) for part in parts.trees]
    mean = np.average(each, axis=0, weights=[part.share for part in parts.trees])
    importance = mean if squared else np.sqrt(np.maximum(mean, 0.0))
    if relative and importance.max() > 0:
        importance = 100 * importance / importance.max()
    return importance
