"""Noising importance: perturb the splits on a feature instead of its column.

Ishwaran's random assignment drops a row down each tree as usual until it meets a test of the
feature; from there on a coin is tossed at every test, down to a leaf. The mean over all tosses
needs no tossing: it is a mean over the leaves below, each with the chance 1/2, 1/4, 1/8, ... of
its depth. F is the output of the model, (n, K).
"""

import numbers

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length, column_or_1d

from treelab.fast.boosting.losses import Exponential
from treelab.fast.importance.changed_columns import first_tests
from treelab.fast.importance.models import parts_of
from treelab.fast.importance.permutation import summary
from treelab.fast.inputs import class_codes, read_numbers

__all__ = ["noising_importance"]


def noising_importance(
    model, X, y, *, method="random_assignment", loss="squared_error", n_repeats=None, scale=1.0,
    random_state=None,
):  # fmt: skip
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
    loss : {"squared_error", "misclassification"}, default="squared_error"
        The squared error of class shares is the sum over the classes of the squared distance from
        0 and 1, the Brier score.
    n_repeats : int or None, default=None
        Passes with new tosses, or new noise. None: 5 with "noise"; else the expected loss itself,
        which is not known for the wrong classes of more than one tree and for the probabilities
        of boosting (a ValueError).
    scale : float, default=1.0
        Standard deviation of the noise over that of the column.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    sklearn.utils.Bunch
        ``importances_mean``, (n_features,): mean loss with broken tests less that of the model.
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
    if method not in ("random_assignment", "noise"):
        raise ValueError(f"method must be 'random_assignment' or 'noise', got {method!r}.")
    if loss not in ("squared_error", "misclassification"):
        raise ValueError(f"loss must be 'squared_error' or 'misclassification', got {loss!r}.")
    if n_repeats is not None:
        check_scalar(n_repeats, "n_repeats", numbers.Integral, min_val=1)
    check_scalar(scale, "scale", numbers.Real, min_val=0)
    parts = parts_of(model)
    parts.check_sum("noising_importance")
    tables = parts.read(X)
    y = column_or_1d(y, warn=True)
    check_consistent_length(tables[0], y)
    if parts.classes is not None:
        Y = class_codes(y, parts.classes)
    elif loss == "misclassification":
        raise ValueError("loss='misclassification' needs classes; the model predicts numbers.")
    else:
        Y = read_numbers(y)
    loss_of = OutputLoss(parts, loss, Y)
    rng = check_random_state(random_state)
    if method == "noise":
        lost = _with_noise(parts, tables, loss_of, n_repeats or 5, scale, rng)
    elif n_repeats is None:
        lost = _expected(parts, tables, loss_of)[:, None]
    else:
        lost = _tossed(parts, tables, loss_of, n_repeats, rng)
    return summary(lost - loss_of(_steps(parts, tables)), parts.n_features)


class OutputLoss:
    """Mean loss of an output of the model; `y` are class codes or numbers, (n_rows,)."""

    def __init__(self, parts, loss, y):
        self.output, self.loss, self.y = parts.output, loss, y
        self.scale = _scale(parts) if parts.output == "score" else 1.0
        self.target = y[:, None] if parts.classes is None else np.eye(len(parts.classes))[y]

    def __call__(self, F):
        """Return the mean loss of the output `F`, (n_rows, K)."""
        if self.loss == "misclassification":
            return np.mean(self.both(F).argmax(axis=1) != self.y)
        return np.mean(((self.shares(F) - self.target) ** 2).sum(axis=1))

    def both(self, F):
        """Put a score of 0 for the first of two classes before that of the second."""
        if self.output == "score" and F.shape[1] == 1:
            return np.column_stack([np.zeros(len(F)), F])
        return F

    def shares(self, F):
        """Return the class probabilities of a score; any other output as it is."""
        if self.output != "score":
            return F
        return softmax(self.scale * self.both(F), axis=1)


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


def _expected(parts, tables, loss_of):
    """Return the expected loss with random splits on each feature, without sampling; (d,).

    Each tree tosses its own coins, so the means of the trees add up, and so do the variances.
    """
    n, d, K = len(tables[0]), parts.n_features, len(parts.start)
    if loss_of.loss == "misclassification":
        if len(parts.trees) > 1:
            raise ValueError("exact shares of wrong classes need a single tree: give n_repeats.")
        part = parts.trees[0]
        named = np.eye(len(parts.classes))[loss_of.both(parts.start + part.steps).argmax(axis=1)]
        chance = lottery(part.tree, named)[0]
        enter = first_tests(part.tree, d)[part.tree.apply(tables[0])]  # (n, d)
        return 1 - chance[enter, loss_of.y[:, None]].mean(axis=0)
    if parts.output == "score":
        raise ValueError("the exact squared error of a score is not known: give n_repeats.")
    mean = np.tile(parts.start, (d, n, 1))
    variance = np.zeros((d, n, K))
    for part, table in zip(parts.trees, tables, strict=True):
        m, s = lottery(part.tree, part.steps)
        enter = first_tests(part.tree, d)[part.tree.apply(table)].T  # (d, n)
        mean += m[enter]
        variance += s[enter]
    return ((mean - loss_of.target) ** 2 + variance).sum(axis=2).mean(axis=1)


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
