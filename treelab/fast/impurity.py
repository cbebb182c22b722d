"""Impurity measures of nodes and splits.

A node holds cases of several classes, or numbers that differ. An impurity measures how
far the node is from holding one class, or one number, only. Every impurity here is a
function of *sums* over the cases of the node, so that a split search can carry sums along
and never look at a case twice. A split is good when it lowers the impurity: the drop is
its gain.

Vocabulary
----------
S : class sums of a node, the weight it holds of each class, last axis ``(..., n_classes)``
W : total weight of a node, the sum of S
p : class proportions, S / W
Q : impurity of a node per unit of weight; W Q is its total impurity
table : class sums of the branches of a split, ``(..., n_branches, n_classes)``
"""

import numpy as np
import pandas as pd

__all__ = [
    "entropy",
    "gain_ratio",
    "gini",
    "impurity_table",
    "information_gain",
    "misclassification",
    "split_information",
    "squared_error",
]


def proportions(class_sums):
    """Return the class proportions p = S / W, (..., n_classes); zeros for a node without weight.

    >>> proportions([3, 1]).tolist()
    [0.75, 0.25]
    """
    try:
        S = np.asarray(class_sums, dtype=float)
    except (TypeError, ValueError):
        S = np.array(np.nan)
    if S.ndim == 0 or not np.all(np.isfinite(S)) or np.any(S < 0):
        raise ValueError(
            "class_sums must be an array of finite weights >= 0 with the classes on its last "
            f"axis, got {class_sums!r}."
        )
    W = S.sum(axis=-1, keepdims=True)
    return np.divide(S, W, out=np.zeros_like(S), where=W > 0)


def gini(class_sums):
    """Return the Gini impurity, 1 - sum of p squared.

    The chance that two cases drawn from the node, with replacement, differ in class.

    Parameters
    ----------
    class_sums : array-like of shape (..., n_classes)
        Weight of each class in a node; any leading axes are nodes.

    Returns
    -------
    ndarray of shape (...)
        Between 0 (pure) and 1 - 1/n_classes (all classes alike). 0 for an empty node.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), section 4.3.

    Examples
    --------
    >>> gini([[8, 1, 1], [4, 1, 0]]).round(2).tolist()
    [0.34, 0.32]
    """
    p = proportions(class_sums)
    return np.sum(p * (1 - p), axis=-1)


def entropy(class_sums):
    """Return the entropy in bits, the sum of -p log2 p, with 0 log 0 = 0.

    The mean number of yes-or-no questions that name the class of a case of the node, in
    the best possible code.

    Parameters
    ----------
    class_sums
        As in `gini`, and so is the result, but up to log2(n_classes).

    References
    ----------
    Shannon (1948), theorem 2; Quinlan (1986), section 4.

    Examples
    --------
    >>> entropy([[5, 5], [9, 5], [4, 0]]).round(3).tolist()
    [1.0, 0.94, 0.0]
    """
    p = proportions(class_sums)
    return np.sum(p * -np.log2(p, out=np.zeros_like(p), where=p > 0), axis=-1)


def misclassification(class_sums):
    """Return the proportion of rows outside the majority class of the node, 1 - max p.

    Parameters
    ----------
    class_sums
        As in `gini`, and so is the result (Breiman et al. 1984, section 2.4).

    Examples
    --------
    >>> misclassification([[8, 1, 1], [4, 1, 0]]).round(2).tolist()
    [0.2, 0.2]
    """
    p = proportions(class_sums)
    return np.where(p.sum(axis=-1) > 0, 1 - p.max(axis=-1), 0.0)


def squared_error(target_sums):
    """Return the variance of the target in a node from three sums; 0 for an empty node.

    Parameters
    ----------
    target_sums : array-like of shape (..., 3)
        Weight, weighted sum and weighted sum of squares of the target:
        (sum of w, sum of w*y, sum of w*y**2). Any leading axes are nodes.

    Notes
    -----
    The Gini impurity of a node is the sum of the variances of the one-hot columns of its classes.
    Where y is far from zero compared with its spread, subtract a constant first; the difference
    of two large squares loses digits.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 6.0])
    >>> float(squared_error([len(y), y.sum(), (y**2).sum()])), float(y.var())
    (4.666666666666666, 4.666666666666667)
    """
    S = np.asarray(target_sums, dtype=float)
    if S.shape[-1:] != (3,):
        raise ValueError(
            "target_sums must hold (sum of w, sum of w*y, sum of w*y**2) on its last axis, "
            f"got shape {S.shape}."
        )
    W = np.where(S[..., 0] > 0, S[..., 0], 1.0)
    return np.maximum(S[..., 2] / W - (S[..., 1] / W) ** 2, 0.0)


IMPURITIES = {"gini": gini, "entropy": entropy, "misclassification": misclassification}


def as_branches(table):
    """Return `table` as an array of shape (..., n_branches, n_classes), or raise."""
    table = np.asarray(table, dtype=float)
    if table.ndim < 2:
        raise ValueError(
            "table must have the branches and the classes on its last two axes, got shape "
            f"{table.shape}."
        )
    return table


def split_impurity(table, criterion="entropy"):
    """Return the impurity left after a split, the *remainder*; parameters as in `information_gain`.

    >>> round(float(split_impurity([[4, 1, 0], [4, 0, 1]], "gini")), 2)
    0.32
    """
    table = as_branches(table)
    branch_weights = proportions(table.sum(axis=-1))
    return np.sum(branch_weights * impurity_function(criterion)(table), axis=-1)


def information_gain(table, criterion="entropy"):
    """Return the impurity of a node minus that left after the split (Quinlan 1986, section 4).

    Parameters
    ----------
    table : array-like of shape (..., n_branches, n_classes)
        Class sums of the branches; their sum is the node.
    criterion : {"entropy", "gini", "misclassification"}, default="entropy"
        With the entropy, the information gain of ID3, in bits.

    Examples
    --------
    Fourteen mushrooms by color (brown, green, red), toxic and eatable:

    >>> round(float(information_gain([[0, 4], [2, 3], [3, 2]])), 4)
    0.2467
    """
    table = as_branches(table)
    after = split_impurity(table, criterion)
    return impurity_function(criterion)(table.sum(axis=-2)) - after


def split_information(table):
    """Return the entropy of the branch sizes, in bits: the cost of naming the branch of a row.

    0 where all cases share one branch, log2(n_branches) where all branches weigh the same
    (Quinlan 1986, section 7).

    Parameters
    ----------
    table
        As in `information_gain`.

    Examples
    --------
    >>> round(float(split_information([[0, 4], [2, 3], [3, 2]])), 4)
    1.5774
    """
    return entropy(as_branches(table).sum(axis=-1))


def gain_ratio(table):
    """Return the information gain per bit of split information.

    NaN where all cases share one branch: such a split is not admissible (Quinlan 1986, section 7).

    Parameters
    ----------
    table
        As in `information_gain`.

    Examples
    --------
    >>> round(float(gain_ratio([[0, 4], [2, 3], [3, 2]])), 4)
    0.1564
    """
    gain = np.asarray(information_gain(table))
    cost = np.asarray(split_information(table))
    return np.divide(gain, cost, out=np.full_like(cost, np.nan), where=cost > 0)


def impurity_function(criterion):
    """Return the function for the name of a criterion, or raise an error that lists the names."""
    if criterion not in IMPURITIES:
        raise ValueError(f"criterion must be one of {sorted(IMPURITIES)}, got {criterion!r}.")
    return IMPURITIES[criterion]


def impurity_table(X, y, criterion="entropy", sample_weight=None):
    """Return the hand calculation of a multiway split, with one row for each branch.

    Parameters
    ----------
    X : DataFrame of shape (n_rows, n_features)
        Categorical features; every distinct value is a branch.
    y : array-like of shape (n_rows,)
        Class labels.
    criterion : {"entropy", "gini", "misclassification"}, default="entropy"
    sample_weight : array-like of shape (n_rows,), default=None
        None gives each row the weight 1.

    Returns
    -------
    DataFrame
        Indexed by (feature, level): class sums, ``weight`` and ``impurity`` of the branch; and,
        the same in all rows of a feature, ``remainder``, ``gain``, ``split_information`` and
        ``gain_ratio``.

    Examples
    --------
    >>> X = pd.DataFrame({"wet": ["yes", "yes", "no", "no"]})
    >>> impurity_table(X, ["a", "b", "a", "a"])[["a", "b", "impurity", "gain"]].round(3)
                     a    b  impurity   gain
    feature level
    wet     no     2.0  0.0       0.0  0.311
            yes    1.0  1.0       1.0  0.311
    """
    X = pd.DataFrame(X)
    y = np.asarray(y)
    w = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if not len(X) == len(y) == len(w):
        raise ValueError(
            "X, y and sample_weight must have the same number of rows, got "
            f"{len(X)}, {len(y)} and {len(w)}."
        )
    if not len(X):
        raise ValueError("X must have at least one row.")
    if X.isna().any(axis=None) or pd.isna(y).any():
        raise ValueError("X or y has missing values: drop those rows, or make them a level.")
    blocks = []
    for name in X.columns:
        sums = pd.crosstab(X[name].to_numpy(), y, w, aggfunc="sum").fillna(0.0).astype(float)
        table = sums.to_numpy()
        block = sums.set_axis(pd.MultiIndex.from_product([[name], sums.index]))
        block["weight"] = table.sum(axis=1)
        block["impurity"] = impurity_function(criterion)(table)
        block["remainder"] = split_impurity(table, criterion)
        block["gain"] = information_gain(table, criterion)
        block["split_information"] = split_information(table)
        block["gain_ratio"] = gain_ratio(table)
        blocks.append(block)
    return pd.concat(blocks).rename_axis(["feature", "level"]).rename_axis(columns=None)
