"""Noising importance: perturb the splits on a feature instead of its column.

Ishwaran's random assignment drops a row down each tree as usual until it meets a test of the
feature; from there on a coin is tossed at every test, down to a leaf. The mean over all tosses
needs no tossing: it is a mean over the leaves below, each with the chance 1/2, 1/4, 1/8, ... of
its depth. F is the output of the model, (n, K).
"""

import numbers
from functools import partial

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.fast.boosting.losses import Exponential
from treelab.fast.importance.models import parts_of
from treelab.fast.importance.permutation import summary
from treelab.fast.importance.replay import first_tests
from treelab.fast.inputs import OneOf, class_codes, read_numbers

__all__ = ["noising_importance"]


def noising_importance(
    model, X, y, *, method="random_assignment", n_repeats=None, scale=1.0, random_state=None
):
    """Measure the loss in performance when the splits on a feature are random or noisy.

    See Ishwaran (2007), Variable importance in binary regression trees and forests, section 2.

    Parameters
    ----------
    model : estimator
        Fitted trees, forest or boosting that sums its trees (else a TypeError); see `parts_of`.
    X, y
        Held-out data.
    method : {"random_assignment", "noise"}, default="random_assignment"
        From the first test of the feature on, each test of a tree sends the row left or right with
        chance 1/2; or normal noise is added to the column.
    n_repeats : int or None, default=None
        Passes with new tosses, or new noise. None: 5 with "noise"; else the expected loss itself,
        which is not known for the probabilities of boosting (a ValueError).
    scale : float, default=1.0
        Standard deviation of the noise over that of the column.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    sklearn.utils.Bunch
        ``importances_mean``, (n_features,): mean squared error with broken tests less that of the
        model; of class shares, the sum over the classes of the squared distance from 0 and 1, the
        Brier score.
        ``importances_std`` and ``importances``, (n_features, n_repeats), over the passes, of which
        the expected loss counts as one. NaN for noise on a categorical column, whose levels have
        no distance.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0.0, 0.0, 4.0, 8.0]
    >>> tree = DecisionTreeRegressor().fit(X, y)
    >>> noising_importance(tree, X, y).importances_mean.tolist()
    [22.0, 4.0]
    """
    OneOf("random_assignment", "noise").check("method", method)
    if n_repeats is not None:
        check_scalar(n_repeats, "n_repeats", numbers.Integral, min_val=1)
    check_scalar(scale, "scale", numbers.Real, min_val=0)
    parts = parts_of(model)
    parts.check_sum("noising_importance")
    tables = parts.read(X)
    y = column_or_1d(y, warn=True)
    check_consistent_length(tables[0], y)
    if parts.classes is None:
        target = read_numbers(y)[:, None]
    else:
        target = np.eye(len(parts.classes))[class_codes(y, parts.classes)]
    loss_of = partial(squared_loss, parts, target)
    rng = check_random_state(random_state)
    if method == "noise":
        lost = _with_noise(parts, tables, loss_of, n_repeats or 5, scale, rng)
    elif n_repeats is None:
        lost = _expected(parts, tables, target)[:, None]
    else:
        lost = _tossed(parts, tables, loss_of, n_repeats, rng)
    return summary(lost - loss_of(_steps(parts, tables)), parts.n_features)


def squared_loss(parts, target, F):
    """Return the mean squared distance of outputs (n_rows, K) from the target.

    Scores are turned into probabilities first; the only score of two classes is that of the second.
    """
    if parts.output == "score":
        both = np.column_stack([np.zeros(len(F)), F]) if F.shape[1] == 1 else F
        F = softmax(_scale(parts) * both, axis=1)
    return np.mean(((F - target) ** 2).sum(axis=1))


def _scale(parts):
    """Return the factor of the score before it is turned into probabilities."""
    loss = getattr(parts.model, "loss", None)
    if loss == "exponential" or isinstance(loss, Exponential):
        return 2.0  # the score is half the log-odds
    votes = hasattr(parts.model, "estimator_weights_")
    return 1 / (len(parts.classes) - 1) if votes and len(parts.classes) > 1 else 1.0


def _steps(parts, tables):
    """Return the output of the model; (n_rows, K)."""
    F = np.tile(parts.start, (len(tables[0]), 1))
    for part, table in zip(parts.trees, tables, strict=True):
        F += part.steps[part.tree.apply(table)]
    return F


def lottery(tree, steps):
    """Return mean and variance of the leaf value under random branches from each node; (n_nodes,
    K).

    The variance of a fair choice is the mean variance plus the squared half distance of the means.
    """
    m, s = steps.copy(), np.zeros_like(steps)
    for t in range(tree.node_count - 1, -1, -1):  # children come last
        l, r = tree.children_left[t], tree.children_right[t]
        if l != -1:
            m[t] = (m[l] + m[r]) / 2
            s[t] = (s[l] + s[r]) / 2 + (m[l] - m[r]) ** 2 / 4
    return m, s


def _expected(parts, tables, target):
    """Return the expected loss with random splits on each feature, without sampling; (d,).

    Each tree tosses its own coins, so the means of the trees add up, and so do the variances.
    """
    n, d, K = len(tables[0]), parts.n_features, len(parts.start)
    if parts.output == "score":
        raise ValueError("the exact squared error of a score is not known: give n_repeats.")
    mean = np.tile(parts.start, (d, n, 1))
    variance = np.zeros((d, n, K))
    for part, table in zip(parts.trees, tables, strict=True):
        m, s = lottery(part.tree, part.steps)
        enter = first_tests(part.tree, d)[part.tree.apply(table)].T  # (d, n)
        mean += m[enter]
        variance += s[enter]
    return ((mean - target) ** 2 + variance).sum(axis=2).mean(axis=1)


def _tossed(parts, tables, loss_of, n_repeats, rng):
    """Return the loss with random splits on each feature in each pass; (d, n_repeats)."""
    d = parts.n_features
    F = np.tile(parts.start, (d, n_repeats, len(tables[0]), 1))
    for part, table in zip(parts.trees, tables, strict=True):
        tree = part.tree
        enter = first_tests(tree, d)[tree.apply(table)].T  # (d, n)
        node = np.repeat(enter[:, None], n_repeats, axis=1)
        while (on := ~tree.is_leaf[node]).any():
            left = rng.randint(2, size=int(on.sum())) == 0
            node[on] = np.where(left, tree.children_left[node[on]], tree.children_right[node[on]])
        F += part.steps[node]
    return np.array([[loss_of(one) for one in passes] for passes in F])


def _with_noise(parts, tables, loss_of, n_repeats, scale, rng):
    """Return the loss with noise on each column in each pass; (d, n_repeats)."""
    noise = rng.standard_normal((n_repeats, len(tables[0])))  # the same for all columns
    lost = np.full((parts.n_features, n_repeats), np.nan)
    models = [parts.model, *getattr(parts.model, "estimators_", [])]
    categorical = {j for model in models for j in getattr(model, "categories_", {})}
    different = {id(table): table for table in tables}
    for j in set(range(parts.n_features)) - categorical:
        for i in range(n_repeats):
            noisy = {key: table.copy() for key, table in different.items()}
            for key, table in different.items():
                noisy[key][:, j] += scale * table[:, j].std() * noise[i]
            lost[j, i] = loss_of(_steps(parts, [noisy[id(table)] for table in tables]))
    return lost
