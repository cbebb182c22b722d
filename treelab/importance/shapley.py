"""Shapley values of a tree's prediction: who moved this row away from the average?

A team game: the features of a row come in one by one, and each is credited with the change
of the expected prediction when it comes, averaged over all orders. What the model expects while
some features are absent is a choice. Path-dependent: a test of an absent feature sends the row
both ways, in the proportions of the training data, so that the values depend on the structure of
the tree. Interventional: an absent feature takes its values from background rows, so that
they depend on what the model predicts and on nothing else.

For one leaf the features on its way are independent factors, so the game of a leaf is a
product. Path-dependent, its Shapley value is an integral over a polynomial that a few
Gauss-Legendre points give exactly. Interventional, with one background row, the leaf needs
some features of the row and some of the background row, and counting them is enough. Rows that
pass the same tests of a leaf share the result.

Vocabulary
----------
d, D : a feature on the way to a leaf, and how many different ones there are
o : (D,) 1 where the row passes all tests of the feature on the way, else 0
z : (D,) share of the weight that follows the way where the feature is absent
b : (D,) the same as o for a background row
u : chance that a feature has come, from 0 to 1
"""

from functools import cache
from math import comb

import numpy as np
from sklearn.utils import Bunch

from treelab.importance.models import parts_of

__all__ = ["shapley_values"]

BLOCK = 2048  # rows that are explained together
CELLS = 1 << 20  # numbers in one block of factors
TINY = 1e-120  # stands for a share of 0, so that a factor can be divided out


def shapley_values(model, X, *, method="path_dependent", background=None):
    """Exact Shapley values of the predictions of trees (TreeSHAP).

    Raises `TypeError` if the model is not a sum of trees: AdaBoost for numbers takes a median;
    `ValueError` if gradient boosting was fitted with an estimator as its start, if `method` is
    unknown, or if `background` is missing, unfit for the model, or not used.

    Parameters
    ----------
    model : estimator
        Fitted trees, forest or boosting that sums its trees; see `parts_of`.
    X : array-like or DataFrame of shape (n_rows, n_features)
    method : {"path_dependent", "interventional"}, default="path_dependent"
        What the model expects while some features of a row are absent.
        "path_dependent": a test of an absent feature sends the row both ways, in the proportions
        of the training data. It needs no data, but two trees that predict the same everywhere
        may get different values.
        "interventional": the mean prediction over the rows of `background`, in which the
        present features have the row's values. It depends on the predictions alone, but
        mixed rows may be such as do not occur.
    background : array-like or DataFrame of shape (n_background, n_features), default=None
        For "interventional" and for nothing else: for instance 100 rows of the training data.

    Returns
    -------
    sklearn.utils.Bunch
        ``values``, (n_rows, n_features), or (n_rows, n_features, n_outputs) where the model has
        one output for each class; ``expected_value``, a float or (n_outputs,): the mean of
        the leaves by training weight, or the mean over the background. ``expected_value`` plus
        the sum of a row's values is what the model says of the row: `predict` for numbers,
        `predict_proba` for trees, forests and bagging, `decision_function` for boosting.

    Notes
    -----
    The cost is about rows times leaves times depth, for "interventional" at most times background
    rows: rows that pass the same tests count once. The value of a feature that no tree tests
    is 0; but a feature that is tested only because it copies another shares the credit. For one
    tree the two methods agree where the features are independent in the training data and these
    are the background.

    References
    ----------
    Shapley (1953), A value for n-person games. Lundberg, Erion and Lee (2018), Consistent
    individualized feature attribution for tree ensembles, algorithms 1 and 2 (the expectation
    that follows the tree). Owen (1972), Multilinear extensions of games (the integral).
    Lundberg et al. (2020), From local explanations to global understanding with explainable AI
    for trees (the interventional values). Filom et al. (2024), On marginal feature attributions
    of tree-based models (two trees, the same predictions, other path-dependent values).

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> tree = DecisionTreeRegressor().fit(X, [0.0, 0.0, 0.0, 8.0])
    >>> explained = shapley_values(tree, X)
    >>> explained.expected_value, explained["values"].round(4).tolist()
    (2.0, [[-1.0, -1.0], [-3.0, 1.0], [1.0, -3.0], [3.0, 3.0]])

    Against the row (0, 1) alone, the first feature has done it all.

    >>> against = shapley_values(tree, [[1, 1]], method="interventional", background=[[0, 1]])
    >>> against.expected_value, against["values"].tolist()
    (0.0, [[8.0, 0.0]])
    """
    parts = parts_of(model)
    parts.check_sum("shapley_values")
    tables, others = parts.read(X), _backgrounds(parts, method, background)
    n, K = len(tables[0]), len(parts.start)
    values, expected = np.zeros((n, parts.n_features, K)), parts.start.astype(float)
    for part, table, other in zip(parts.trees, tables, others, strict=True):
        ways, mean = _ways(part)
        if other is not None:
            mean = part.steps[part.tree.apply(other)].mean(axis=0)
        expected = expected + mean
        for start in range(0, n, BLOCK):
            block = slice(start, start + BLOCK)
            _explain(part.tree, ways, table[block], other, values[block])
    values = parts.squeeze(values)
    expected = expected if K > 1 else float(expected[0])
    return Bunch(values=values, expected_value=expected)


def _backgrounds(parts, method, background):
    """The background as each part's tree takes it; None for each where there is none."""
    if method not in ("path_dependent", "interventional"):
        raise ValueError(f"method must be 'path_dependent' or 'interventional', got {method!r}.")
    if method == "path_dependent":
        if background is not None:
            raise ValueError(
                "background is not used by method='path_dependent': leave it out, or set "
                "method='interventional'."
            )
        return [None] * len(parts.trees)
    if background is None:
        raise ValueError(
            "background must be rows to compare with, for instance 100 rows of the training "
            "data, where method='interventional'; got None."
        )
    try:
        return parts.read(background)
    except ValueError as error:
        raise ValueError(f"background does not suit the model: {error}") from error


def _ways(part):
    """The way to every leaf, and the mean step by training weight.

    A way is (features (D,), shares (D,), first test of each feature in `tests`, tests: node and
    side of all tests sorted by feature, step of the leaf (K,)).
    """
    tree, W = part.tree, part.tree.weighted_n_node_samples
    ways, mean = [], 0.0
    stack = [(0, [], 1.0)]
    while stack:
        t, tests, chance = stack.pop()
        left, right = tree.children_left[t], tree.children_right[t]
        if left == -1:
            mean = mean + chance * part.steps[t]
            if tests and part.steps[t].any():
                ways.append(_way(tests, part.steps[t]))
            continue
        total = W[left] + W[right]
        for child, side in ((left, True), (right, False)):
            share = W[child] / total if total > 0 else 0.5
            test = (int(tree.feature[t]), int(t), side, share)
            stack.append((child, [*tests, test], chance * share))
    return ways, mean


def _way(tests, step):
    """One way; see `_ways`."""
    tests = sorted(tests)
    feature = np.array([test[0] for test in tests])
    first = np.flatnonzero(np.append(True, feature[1:] != feature[:-1]))
    shares = np.multiply.reduceat([test[3] for test in tests], first)
    nodes = np.array([test[1] for test in tests])
    sides = np.array([test[2] for test in tests])
    return feature[first], np.maximum(shares, TINY), first, nodes, sides, step


def _explain(tree, ways, X, background, values):
    """Add the Shapley values of one tree to `values`, (n, p, K), in place."""
    goes_left = _answers(tree, X)
    theirs = None if background is None else _answers(tree, background)
    for features, shares, first, nodes, sides, step in ways:
        patterns, row = _patterns(_passed(goes_left, first, nodes, sides))
        if background is None:
            credit = _credit(patterns, shares)  # (n_patterns, D)
        else:
            others, which = _patterns(_passed(theirs, first, nodes, sides))
            share = np.bincount(which, minlength=len(others)) / len(background)
            credit = _credit_against(patterns, others[share > 0], share[share > 0])
        values[:, features] += credit[row][:, :, None] * step


def _answers(tree, X):
    """Whether a row goes left at a node; (n_nodes, n), False at leaves."""
    goes_left = np.zeros((tree.node_count, len(X)), dtype=bool)
    for t in np.flatnonzero(~tree.is_leaf):
        goes_left[t] = tree.goes_left(np.full(len(X), t), X[:, tree.feature[t]])
    return goes_left


def _passed(goes_left, first, nodes, sides):
    """Whether a row passes all tests of a feature on the way; (D, n)."""
    return np.logical_and.reduceat(goes_left[nodes] == sides[:, None], first)


def _patterns(passed):
    """The different columns of `passed`, (n_patterns, D), and which one each row has."""
    D, n = passed.shape
    if D <= 12 and 1 << D <= n:  # all there can be
        row = (1 << np.arange(D)) @ passed
        return (np.arange(1 << D)[:, None] >> np.arange(D)) & 1, row
    packed = np.packbits(passed, axis=0).T
    packed = np.ascontiguousarray(packed).view([("", packed.dtype, packed.shape[1])]).ravel()
    _, where, row = np.unique(packed, return_index=True, return_inverse=True)
    return passed[:, where].T, row


@cache
def _points(n):
    """Points and weights of Gauss-Legendre quadrature on (-1, 1)."""
    return np.polynomial.legendre.leggauss(n)


def _credit(o, z):
    """Shapley values of the product game of one leaf with the step 1; (n_patterns, D).

    The credit of d is (o_d - z_d) times the integral over u from 0 to 1 of the product over the
    other features of (1 - u) z + u o, a polynomial of degree D - 1 in u.
    """
    D = len(z)
    nodes, weights = _points((D + 1) // 2)
    u = (nodes[:, None] + 1) / 2  # (n_points, 1)
    at = max(1, CELLS // (D * len(u)))
    blocks = [o[i : i + at] for i in range(0, len(o), at)]
    credit = []
    for block in blocks:
        factor = (1 - u) * z + u * block[:, None, :]  # (n_patterns, n_points, D), all above 0
        others = factor.prod(axis=2, keepdims=True) / factor
        credit.append((weights / 2) @ others * (block - z))
    return np.concatenate(credit)


@cache
def _share_of_orders(D):
    """Orders in which one of r features comes last of them, and s come later; (D + 1, D + 1).

    As a share of all orders, (r - 1)! s! / (r + s)!, and 0 for r = 0.
    """
    share = np.zeros((D + 1, D + 1))
    for r in range(1, D + 1):
        share[r] = [1 / (r * comb(r + s, s)) for s in range(D + 1)]
    return share


def _credit_against(o, b, weight):
    """The same where absent features come from weighted background rows; (n_patterns, D).

    A leaf is reached where no feature fails in both rows, when the r features that
    only the row passes have come and the s that only the background row passes have not.
    Each of the r completes the way as the last of them, before the s; each of the s ends it
    as the first of them, after the r.
    """
    share = _share_of_orders(b.shape[1])
    b = b.astype(float)
    at = max(1, CELLS // len(b))
    credit = []
    for block in np.split(o.astype(float), range(at, len(o), at)):
        r = (block @ (1 - b).T).astype(int)  # (n_patterns, n_background)
        s = ((1 - block) @ b.T).astype(int)
        reached = weight * ((1 - block) @ (1 - b).T == 0)
        gain = (reached * share[r, s]) @ (1 - b)  # (n_patterns, D)
        loss = (reached * share[s, r]) @ b
        credit.append(block * gain - (1 - block) * loss)
    return np.concatenate(credit)
