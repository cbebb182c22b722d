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
from treelab.fast.tree import side_by_side

__all__ = ["importance_z_scores", "oob_permutation_importance"]

BLOCK = 8192  # rows that walk down together
CELLS = 1 << 18  # of the table, for trees that walk together
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
    unseen = [_unseen(sample, n) for sample in samples]
    judged = [b for b, rows in enumerate(unseen) if len(rows) >= LEAST]
    for at_once in _shared_out(judged, tables, unseen):
        predictions = [
            part.steps.argmax(axis=1) if votes else part.tree.value[:, 0, 0]
            for part in (parts.trees[b] for b in at_once)
        ]
        per_tree[at_once] = _increases(
            [parts.trees[b].tree for b in at_once], np.concatenate(predictions),
            tables[at_once[0]], target, [unseen[b] for b in at_once], n_repeats, rng,
        )  # fmt: skip
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


def _unseen(sample, n):
    """Return which of n rows are not in a sample."""
    unseen = np.ones(n, dtype=bool)
    unseen[sample] = False
    return unseen.nonzero()[0]


def _shared_out(judged, tables, unseen):
    """Share the numbers of the trees out to lists of neighbors that walk together.

    They read the same table, and have at most `CELLS` of it out of bag.
    """
    shared, n_cells = [], 0
    for b in judged:
        own = len(unseen[b]) * tables[b].shape[1]
        if not shared or tables[b] is not tables[shared[-1][-1]] or n_cells + own > CELLS:
            shared.append([])
            n_cells = 0
        shared[-1].append(b)
        n_cells += own
    return shared


def _increases(trees, predictions, X, y, unseen, n_repeats, rng):
    """Return the increase in each tree's mean loss for each shuffled column; (n_trees, d).

    A row follows its old path until the first split on the column, and is sent down again only
    from there. All trees are walked at the same time, each with the rows that it has not seen.
    """

    def loss(leaf, y):
        votes, miss = predictions.dtype.kind == "i", predictions[leaf] - y
        return miss != 0 if votes else miss**2

    d, sizes = X.shape[1], [len(rows) for rows in unseen]
    (grove, roots), row = side_by_side(trees), np.concatenate(unseen)
    leaf = grove.descend(X, np.repeat(roots, sizes), row)  # (m,), the rows of all trees
    before, first = loss(leaf, y[row]), first_tests(grove, d, roots)[leaf]  # (m,), (m, d)
    values, change = np.zeros((d, n_repeats, len(row))), np.tile(before, (d, n_repeats, 1))
    ends = np.cumsum(sizes)
    places = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    tested = [np.bincount(tree.feature[~tree.is_leaf], minlength=d).nonzero()[0] for tree in trees]
    for rows, here, columns in zip(unseen, places, tested, strict=True):
        for j in columns:
            x = X[rows, j]
            values[j, :, here] = [rng.permutation(x) for _ in range(n_repeats)]
    column, place = (first != leaf[:, None]).T.nonzero()  # what a shuffle may change
    for repeat in range(n_repeats):
        for i in range(0, len(place), BLOCK):
            k, p = column[i : i + BLOCK], place[i : i + BLOCK]
            shuffled = X[row[p]]
            shuffled[np.arange(len(p)), k] = values[k, repeat, p]
            change[k, repeat, p] = loss(grove.descend(shuffled, first[p, k]), y[row[p]])
    increases = np.zeros((len(trees), d))
    for increase, here, columns in zip(increases, places, tested, strict=True):
        own = change[columns, :, here]
        increase[columns] = own.mean(axis=(1, 2)) - before[here].mean()
    return increases


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
