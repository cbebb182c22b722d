"""Out-of-bag permutation importance, tree by tree.

Each tree of a forest leaves out about a third of the cases, which can serve as its own test
data. Shuffle one column among these cases, drop them down the same tree (nothing is fitted
again), and note what the tree loses: squared error, or 1 for a wrong class and 0 for the right
one. The mean over the B trees is the importance of Breiman's program.
"""

import numbers

import numpy as np
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.fast.bagging.ensemble import Ensemble
from treelab.fast.bagging.out_of_bag import n_training_rows
from treelab.fast.importance.models import parts_of
from treelab.fast.importance.replay import first_tests
from treelab.fast.inputs import class_codes, read_numbers
from treelab.fast.results import Results

__all__ = ["importance_z_scores", "oob_permutation_importance"]

BLOCK = 8192  # rows that walk down a tree together
LEAST = 2  # cases out of bag that a tree needs, so that there is something to shuffle


def oob_permutation_importance(forest, X, y, *, n_repeats=1, random_state=None):
    """Permutation importance on the out-of-bag rows, as Breiman defines it.

    The loss is that of single trees, whose leaves vote for their largest class, not that of the
    forest. A column that a tree does not test has the importance 0 in it.

    Parameters
    ----------
    forest : estimator
        Fitted forest or bagging of trees (else a TypeError) with a bootstrap, treelab's or
        scikit-learn's.
    X, y
        The data that it was fitted on; others, which their number or classes show, or different
        ones in each warm start, are a ValueError. A forest of scikit-learn draws all samples again
        with the last `max_samples`, so do not change that between warm starts.
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

    References
    ----------
    Breiman (2001), Random forests, section 10 (the votes of the whole forest). Breiman and Cutler
    (2004), Random forests: manual (the mean over the trees). Liaw and Wiener (2002),
    Classification and regression by randomForest (the scaled version).

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
    samples = getattr(forest, "estimators_samples_", None)  # drawn again at each look
    if samples is None:
        raise TypeError(f"forest must be a forest or bagging of trees, got {name}.")
    if not forest.bootstrap:
        raise ValueError(f"{name} was fitted with bootstrap=False: no case is out of bag.")
    tables, y = parts.read(X), column_or_1d(y, warn=True)
    check_consistent_length(tables[0], y)
    n = len(y)
    _check_training_data(forest, n)
    votes = parts.classes is not None
    target = class_codes(y, parts.classes) if votes else read_numbers(y)
    rng = check_random_state(random_state)
    per_tree = np.full((len(samples), parts.n_features), np.nan)
    for b, (part, table) in enumerate(zip(parts.trees, tables, strict=True)):
        unseen = np.ones(n, dtype=bool)
        unseen[samples[b]] = False
        rows = unseen.nonzero()[0]
        if len(rows) >= LEAST:
            predictions = part.steps.argmax(axis=1) if votes else part.tree.value[:, 0, 0]
            per_tree[b] = _increase(
                part.tree, predictions, table[rows], target[rows], n_repeats, rng
            )
    counted = per_tree[~np.isnan(per_tree[:, 0])]
    if not len(counted):
        raise ValueError(f"no tree of {name} has {LEAST} cases out of bag: grow more trees.")
    return Results(
        importances_mean=counted.mean(axis=0),
        importances_std=counted.std(axis=0),
        scaled=importance_z_scores(counted),
        per_tree=per_tree,
    )


def _check_training_data(forest, n):
    """Raise if X cannot be the training data."""
    if isinstance(forest, Ensemble):
        known = n_training_rows(forest, "the importance out of bag")
    else:
        known = forest._n_samples
    if known != n:
        raise ValueError(f"X must be the data of training, with {known} rows; got {n}.")


def _increase(tree, predictions, X, y, n_repeats, rng):
    """Return the increase in one tree's mean loss for each shuffled column; (d,).

    A row follows its old path until the first split on the column, and is sent down again only
    from there.
    """

    def loss(leaf, y):
        votes, miss = predictions.dtype.kind == "i", predictions[leaf] - y
        return miss != 0 if votes else miss**2

    (n, d), leaf = X.shape, tree.apply(X)
    columns = np.bincount(tree.feature[~tree.is_leaf], minlength=d).nonzero()[0]
    before, first = loss(leaf, y), first_tests(tree, d)[:, columns][leaf]  # (n,), (n, n_columns)
    values = [[rng.permutation(X[:, j]) for _ in range(n_repeats)] for j in columns]
    column, row = np.nonzero((first != leaf[:, None]).T)  # what a shuffle may change
    start, values = first[row, column], np.reshape(values, (len(columns), n_repeats, n))
    increase, change = np.zeros(d), np.tile(before, (len(columns), n_repeats, 1))
    for repeat in range(n_repeats):
        for i in range(0, len(row), BLOCK):
            k, r = column[i : i + BLOCK], row[i : i + BLOCK]
            shuffled = X[r]
            shuffled[np.arange(len(r)), columns[k]] = values[k, repeat, r]
            change[k, repeat, r] = loss(tree.descend(shuffled, start[i : i + BLOCK]), y[r])
    increase[columns] = change.mean(axis=(1, 2)) - before.mean()
    return increase


def importance_z_scores(per_tree):
    """Return mean importance over its standard error, ``mean / (sd / sqrt(B))``; (n_features,).

    0 where all trees say 0, infinite where all say the same. The sd is divided by B, as in R's
    randomForest (Breiman and Cutler 2004, Random forests manual).

    .. warning::
        This is no test of a feature. It asks whether the mean over infinitely many trees on
        *these data* is 0, which it hardly ever is, even for noise. It grows like the root of the
        number of trees. For the decrease in impurity, never negative, it means nothing at all.
        See Strobl and Zeileis (2008), Danger: high power!

    Parameters
    ----------
    per_tree : array-like of shape (n_trees, n_features)
        Importances of each tree, from `oob_permutation_importance` or `impurity_decreases`. Trees
        with NaN are left out; fewer than two others are a ValueError.

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
