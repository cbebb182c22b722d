"""Permutation importance on the cases that a tree has not seen, tree by tree.

Each tree of a forest leaves out about a third of the cases, which can serve as its own test
data. Shuffle one column among these cases, drop them down the same tree (nothing is fitted
again), and note what the tree loses. The mean over the trees is the importance of Breiman's
program. Divided by its standard error it is a z-score: a statement about this forest, which more
trees make as large as you like, and not about the data.

Vocabulary
----------
b, B : number of a tree, number of trees
loss : squared error, or 1 for a wrong class and 0 for the right one
per_tree : (B, p) loss of each tree after the shuffle of each column, less that before
"""

import numbers

import numpy as np
from sklearn.utils import Bunch, check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.bagging.out_of_bag import check_one_training_set
from treelab.importance.models import parts_of
from treelab.inputs import read_numbers

__all__ = ["importance_z_scores", "oob_permutation_importance"]

LEAST = 2  # cases out of bag that a tree needs, so that there is something to shuffle


def oob_permutation_importance(forest, X, y, *, n_repeats=1, random_state=None):
    """Permutation importance on the cases out of bag, as Breiman defines it.

    Raises `TypeError` if the model is not a forest or bagging of trees; `ValueError` if it was
    fitted without a bootstrap, with `warm_start` on different rows, the data are not those of its
    training, or no tree has a case out of bag.

    Parameters
    ----------
    forest : estimator
        Fitted forest or bagging of trees with a bootstrap, treelab's or scikit-learn's.
    X, y
        The data that it was fitted on.
    n_repeats : int, default=1
        Shuffles of each column in each tree, whose losses are averaged.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    sklearn.utils.Bunch
        ``importances_mean``, (n_features,): mean over the trees of the increase in mean squared
        error, or in the share of wrong votes. ``importances_std``: standard deviation over the
        trees (divided by B). ``scaled``: the mean over its standard error, what R's
        randomForest reports first, 0 where nothing varies; see `importance_z_scores`.
        ``per_tree``, (n_trees, n_features): NaN for a tree with fewer than 2 cases out of bag.

    Notes
    -----
    The loss is that of single trees, whose leaves vote for their largest class, not that of the
    forest. A column that a tree does not test has the importance 0 in it. A forest of treelab
    knows the sample of each tree; one of scikit-learn draws all samples again with the last
    `max_samples`, so do not change that between warm starts.

    References
    ----------
    Breiman (2001), Random forests, section 10, where the votes of the whole forest are compared.
    Breiman and Cutler (2004), Random forests: manual (the mean over the trees). Liaw and Wiener
    (2002), Classification and regression by randomForest (the scaled version).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(100, random_state=0).fit(X, y)
    >>> oob_permutation_importance(forest, X, y, random_state=0).importances_mean.round(2).tolist()
    [0.03, 0.01, 0.29, 0.31]
    """
    check_scalar(n_repeats, "n_repeats", numbers.Integral, min_val=1)
    parts = parts_of(forest)
    name = type(forest).__name__
    if not hasattr(forest, "estimators_samples_"):
        raise TypeError(f"forest must be a forest or bagging of trees, got {name}.")
    if not forest.bootstrap:
        raise ValueError(f"{name} was fitted with bootstrap=False: no case is out of bag.")
    tables, y = parts.read(X), column_or_1d(y, warn=True)
    check_consistent_length(tables[0], y)
    n, p = len(tables[0]), parts.n_features
    samples = forest.estimators_samples_
    _check_training_data(forest, n)
    target = _codes(y, parts.classes) if parts.classes is not None else read_numbers(y)
    rng = check_random_state(random_state)
    per_tree = np.full((len(samples), p), np.nan)
    for b, (part, table) in enumerate(zip(parts.trees, tables, strict=True)):
        rows = np.setdiff1d(np.arange(n), samples[b])
        if len(rows) >= LEAST:
            losses = _losses(part, parts.classes is not None)
            per_tree[b] = _increase(part.tree, losses, table[rows], target[rows], n_repeats, rng)
    counted = per_tree[~np.isnan(per_tree[:, 0])]
    if not len(counted):
        raise ValueError(f"no tree of {name} has {LEAST} cases out of bag: grow more trees.")
    return Bunch(
        importances_mean=counted.mean(axis=0),
        importances_std=counted.std(axis=0),
        scaled=importance_z_scores(counted),
        per_tree=per_tree,
    )


def _check_training_data(forest, n):
    """Raise where X cannot be the training data."""
    if hasattr(forest, "_fits"):
        check_one_training_set(forest._fits, "the importance out of bag")
        known = forest._fits[-1].n_rows
    else:
        known = forest._n_samples
    if known != n:
        raise ValueError(f"X must be the data of training, with {known} rows; got {n}.")


def _codes(y, classes):
    """Number of each row's class."""
    codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    if (classes[codes] != y).any():
        raise ValueError(f"y has classes that the model does not know; known: {list(classes)}.")
    return codes


def _losses(part, votes):
    """What the tree answers in each node: class number or predicted number; (n_nodes,)."""
    tree = part.tree
    return part.steps.argmax(axis=1) if votes else tree.value[:, 0, 0]


def _increase(tree, answers, X, y, n_repeats, rng):
    """Increase of one tree's mean loss for each shuffled column; (p,)."""

    def loss(leaf):
        return answers[leaf] != y if answers.dtype.kind == "i" else (answers[leaf] - y) ** 2

    before = loss(tree.apply(X)).mean()
    increase = np.zeros(X.shape[1])
    for j in np.unique(tree.feature[~tree.is_leaf]):
        shuffled = np.tile(X, (n_repeats, 1))
        shuffled[:, j] = np.concatenate([rng.permutation(X[:, j]) for _ in range(n_repeats)])
        after = loss(tree.apply(shuffled).reshape(n_repeats, -1))
        increase[j] = after.mean() - before
    return increase


def importance_z_scores(per_tree):
    """Mean importance over its standard error: ``mean / (sd / sqrt(B))``.

    .. warning::
        This is no test of a feature. It asks whether the mean over infinitely many trees
        on *these data* is 0, which it hardly ever is, even for noise. With more trees the
        score grows like the root of their number, while the data stay the same. For the decrease
        in impurity, which is never negative, it means nothing at all.

    Raises `ValueError` if there are fewer than two trees, or the array has not two dimensions.

    Parameters
    ----------
    per_tree : array-like of shape (n_trees, n_features)
        Importances of each tree, from `oob_permutation_importance` or `impurity_decreases`. Trees
        with NaN are left out.

    Returns
    -------
    ndarray of shape (n_features,)
        0 where all trees say 0. The standard deviation is divided by B, as in R's randomForest;
        infinite where all trees say the same.

    References
    ----------
    Breiman and Cutler (2004), Random forests manual. Strobl and Zeileis (2008), Danger: high power!
    (why it is no test).

    Examples
    --------
    >>> importance_z_scores([[1.0, 0], [3.0, 0]]).round(4).tolist()
    [2.8284, 0.0]
    >>> importance_z_scores([[1.0, 0], [3.0, 0]] * 100).round(4).tolist()
    [28.2843, 0.0]
    """
    per_tree = np.asarray(per_tree, dtype=float)
    if per_tree.ndim != 2:
        raise ValueError(f"per_tree must be (n_trees, n_features), got shape {per_tree.shape}.")
    per_tree = per_tree[~np.isnan(per_tree).any(axis=1)]
    if len(per_tree) < 2:
        raise ValueError(f"per_tree must hold at least 2 trees without NaN, got {len(per_tree)}.")
    mean, sd = per_tree.mean(axis=0), per_tree.std(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = mean / (sd / np.sqrt(len(per_tree)))
    return np.where(mean == 0, 0.0, z)
