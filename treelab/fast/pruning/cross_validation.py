"""Cross-validated choice of the complexity parameter alpha.

The path of weakest-link pruning is a list of trees. Which of them predicts best? Trees
grown without one fold of the rows, and pruned with the same alpha, answer for it on that
fold.

Vocabulary
----------
alpha : the complexity parameter, see `treelab.fast.pruning.cost_complexity`
beta : stands for all alpha between two steps of the path, their geometric mean
w, l : weight and loss of a case that was left out
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.utils.validation import column_or_1d

from treelab.fast.inputs import OneOf, check_weights, class_codes, encode
from treelab.fast.pruning.cost_complexity import cost_complexity_path, prune
from treelab.fast.pruning.reduced_error import losses, upward

__all__ = ["PruningChoice", "cross_validated_pruning"]


class PruningChoice(NamedTuple):
    """Result of cross-validated pruning.

    Attributes
    ----------
    estimator : fitted estimator
        Grown on all rows, then pruned with the chosen alpha.
    alpha : float
    table : DataFrame
        One row for each step of the path on all rows: ``alpha``, ``beta``, ``n_leaves``,
        ``cv_error``, its standard error ``se``, and ``chosen``.
    """

    estimator: object
    alpha: float
    table: pd.DataFrame


def cross_validated_pruning(
    estimator, X, y, cv=10, rule="min", risk="impurity", sample_weight=None, random_state=None
):
    """Grow a tree and choose by cross-validation how far to prune it; a `PruningChoice`.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or DecisionTreeRegressor
        Says how to grow; fitted or not, it is copied.
    X, y, sample_weight
        As in `DecisionTreeClassifier.fit`.
    cv : int, splitter of scikit-learn or iterable of (train, test), default=10
        A number of folds: rows are shuffled first, classes stratified.
    rule : {"min", "one_se"}, default="min"
        Take the least error, or the smallest tree whose error is within one standard error
        of the least: a convention in favor of small trees, no test. Equal errors go to the
        smaller tree.
    risk : {"impurity", "misclassification"}, default="impurity"
        As in `cost_complexity_path`.
    random_state : int, RandomState or None, default=None
        Shuffles the rows into folds when `cv` is a number.

    Notes
    -----
    The tree of step k stands for all alpha in [alpha_k, alpha_k+1). Each fold's tree is
    pruned with their geometric mean beta_k (infinite in the last step). The error is the
    mean loss of the cases left out: 0 or 1, or the squared (absolute, if the tree is grown
    so) error. Its standard error takes these losses for independent, which they are not
    quite.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), section 3.4.2 and 3.4.3.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> least = cross_validated_pruning(DecisionTreeClassifier(), X, y, random_state=0)
    >>> simple = cross_validated_pruning(
    ...     DecisionTreeClassifier(), X, y, rule="one_se", random_state=0
    ... )
    >>> least.estimator.get_n_leaves(), simple.estimator.get_n_leaves()
    (5, 4)
    """
    OneOf("min", "one_se").check("rule", rule)
    if not hasattr(estimator, "cost_complexity_pruning_path"):
        raise TypeError(
            f"estimator must be a decision tree of treelab, got {type(estimator).__name__}."
        )
    y = column_or_1d(y)
    w = check_weights(sample_weight, len(y))
    full = clone(estimator).fit(X, y, sample_weight=w)
    if full.categories_:  # a category may be missing from a fold
        X = _with_declared_levels(X, full.categories_)
        estimator = clone(estimator).set_params(categorical_features=list(full.categories_))
    path = cost_complexity_path(full, risk)
    betas = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)

    if isinstance(cv, int | np.integer):
        if not 2 <= cv <= len(y):
            raise ValueError(
                f"cv must be a number of folds from 2 to the {len(y)} rows of X, or a splitter, "
                f"got {cv}."
            )
        folds = StratifiedKFold if full.tree_.is_classifier else KFold
        cv = folds(cv, shuffle=True, random_state=random_state)
    totals = np.zeros((5, len(betas)))
    for train, test in check_cv(cv).split(X, y):
        grown = clone(estimator).fit(_rows(X, train), y[train], sample_weight=w[train])
        totals += _loss_totals(grown, risk, betas, _rows(X, test), y[test], w[test])

    W, W2, wl, w2l, w2l2 = totals  # sums of w, w^2, w l, w^2 l, w^2 l^2 for losses l
    error = wl / W
    se = np.sqrt(np.maximum(w2l2 - 2 * error * w2l + error**2 * W2, 0)) / W
    margin = 1e-12 * error.max()
    k = np.flatnonzero(error <= error.min() + margin)[-1]
    if rule == "one_se":
        k = np.flatnonzero(error <= error[k] + se[k] + margin)[-1]
    columns = {"alpha": path.alphas, "beta": betas, "n_leaves": path.n_leaves}
    table = pd.DataFrame({**columns, "cv_error": error, "se": se}).rename_axis("step")
    table["chosen"] = table.index == k
    alpha = float(path.alphas[k])
    return PruningChoice(prune(full, alpha, risk), alpha, table)


def _with_declared_levels(X, categories):
    """Return `X` as a DataFrame of numbers and of category codes with all categories declared."""
    coded = encode(X if hasattr(X, "columns") else np.asarray(X), categories)
    columns = dict(enumerate(np.asarray(coded, dtype=float).T))
    for j, levels in categories.items():
        columns[j] = pd.Categorical(columns[j].astype(int), categories=range(len(levels)))
    return pd.DataFrame(columns)


def _rows(X, rows):
    """Return some rows of a DataFrame or an array."""
    return X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows]


def _loss_totals(estimator, risk, betas, X, y, w):
    """Sum w, w^2, w l, w^2 l, w^2 l^2 over rows, for the tree of each beta; (5, n_betas).

    A case stops at node t for the betas from node_alpha[t] up to that of t's parent. So its
    loss at t enters at the first of them and leaves at the last, and a running sum over the
    betas does the rest: no tree is pruned, and no case is sent down twice.
    """
    tree, m = estimator.tree_, len(betas)
    if tree.is_classifier:
        y = class_codes(y, estimator.classes_, allow_unknown=True)
    alpha = np.where(tree.is_leaf, 0.0, cost_complexity_path(tree, risk).node_alpha)
    enters = np.searchsorted(betas, alpha)
    leaves = np.where(tree.parent >= 0, enters[tree.parent], m)
    change = np.zeros((5, m + 1))
    for rows, t in upward(tree, estimator.apply(X)):
        loss = losses(tree, t, y[rows])
        v = w[rows]
        for k, amount in enumerate((v, v**2, v * loss, v**2 * loss, (v * loss) ** 2)):
            change[k] += np.bincount(enters[t], amount, m + 1)
            change[k] -= np.bincount(leaves[t], amount, m + 1)
    return np.cumsum(change, axis=1)[:, :m]
