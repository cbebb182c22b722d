"""SHAP values (Shapley values) of the predictions of trees.

The features of a row come in one by one, and each is credited with the change of the expected
prediction when it comes, averaged over all orders. For one leaf the features on its path are
independent factors, and rows that pass the same tests share the result.

Vocabulary
----------
d, D : a feature on the path to a leaf, and how many different ones there are
o : (D,) 1 where the row passes all tests of the feature on the path, else 0
z : (D,) share of the weight that follows the path where the feature is absent
b : (D,) the same as o for a background row
u : chance that a feature has come, from 0 to 1
"""

from functools import cache
from math import comb

import numpy as np

from treelab.fast.importance.models import parts_of
from treelab.fast.inputs import OneOf
from treelab.fast.results import Results

__all__ = ["shap_values"]

BLOCK = 2048  # rows that are explained together
CELLS = 1 << 20  # numbers in one block of factors
TINY = 1e-120  # stands for a share of 0, so that a factor can be divided out
leggauss = cache(np.polynomial.legendre.leggauss)


def shap_values(model, X, *, method="path_dependent", background=None):
    """Compute the exact SHAP values of the predictions of trees (TreeSHAP).

    The cost is about rows times leaves times depth, for "interventional" at most times background
    rows. A feature that no tree tests has the value 0; one that is tested only because it copies
    another shares the credit.

    Parameters
    ----------
    model : estimator
        As in `parts_of`, but no AdaBoost for regression, which takes a median (a TypeError), and no
        boosting that starts from an estimator (a ValueError).
    X : array-like or DataFrame of shape (n_rows, n_features)
    method : {"path_dependent", "interventional"}, default="path_dependent"
        What the model expects while some features of a row are absent.
        "path_dependent": a test of an absent feature sends the row both ways, in the proportions
        of the training data; two trees that predict the same may get different values.
        "interventional": the mean prediction over the rows of `background`, in which the present
        features have the row's values; it depends on the predictions alone.
    background : array-like or DataFrame of shape (n_background, n_features), default=None
        For "interventional" only: for instance 100 rows of the training data.

    Returns
    -------
    sklearn.utils.Bunch
        ``values``, (n_rows, n_features), or (n_rows, n_features, n_outputs) where the model has
        one output for each class; ``expected_value``, a float or (n_outputs,). This plus the sum
        of a row's values is the prediction of the model for the row: `predict` for regression,
        `predict_proba` for trees, forests and bagging, `decision_function` for boosting.

    References
    ----------
    Shapley (1953), A value for n-person games. Lundberg, Erion and Lee (2018), Consistent
    individualized feature attribution for tree ensembles, algorithms 1 and 2 (path-dependent).
    Owen (1972), Multilinear extensions of games (the integral). Lundberg et al. (2020), From local
    explanations to global understanding with explainable AI for trees (interventional). Filom et
    al. (2024), On marginal feature attributions of tree-based models (the two compared).

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> tree = DecisionTreeRegressor().fit(X, [0.0, 0.0, 0.0, 8.0])
    >>> explained = shap_values(tree, X)
    >>> explained.expected_value, explained["values"].round(4).tolist()
    (2.0, [[-1.0, -1.0], [-3.0, 1.0], [1.0, -3.0], [3.0, 3.0]])

    Against the row (0, 1) alone, the first feature has done it all.

    >>> against = shap_values(tree, [[1, 1]], method="interventional", background=[[0, 1]])
    >>> against.expected_value, against["values"].tolist()
    (0.0, [[8.0, 0.0]])
    """
    parts = parts_of(model)
    parts.check_sum("shap_values")
    tables, others = parts.read(X), _backgrounds(parts, method, background)
    n, K = len(tables[0]), len(parts.start)
    values, expected = np.zeros((n, parts.n_features, K)), parts.start.astype(float)
    for part, table, other in zip(parts.trees, tables, others, strict=True):
        paths, mean = _paths(part)
        if other is not None:
            mean = part.steps[part.tree.apply(other)].mean(axis=0)
        expected = expected + mean
        for start in range(0, n, BLOCK):
            block = slice(start, start + BLOCK)
            _explain(part.tree, paths, table[block], other, values[block])
    expected = expected if K > 1 else float(expected[0])
    return Results(values=parts.squeeze(values), expected_value=expected)


def _backgrounds(parts, method, background):
    """Return the background as each part's tree takes it; None for each where there is none."""
    OneOf("path_dependent", "interventional").check("method", method)
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


def _paths(part):
    """Return the path to every leaf, see `_path`, and the mean step by training weight."""
    tree, W = part.tree, part.tree.weighted_n_node_samples
    paths, mean = [], 0.0
    stack = [(0, [], 1.0)]
    while stack:
        t, tests, chance = stack.pop()
        left, right = tree.children_left[t], tree.children_right[t]
        if left == -1:
            mean = mean + chance * part.steps[t]
            if tests and part.steps[t].any():
                paths.append(_path(tests, part.steps[t]))
            continue
        total = W[left] + W[right]
        for child, side in ((left, True), (right, False)):
            share = W[child] / total if total > 0 else 0.5
            test = (int(tree.feature[t]), int(t), side, share)
            stack.append((child, [*tests, test], chance * share))
    return paths, mean


def _path(tests, step):
    """Return features (D,), z (D,), the first test of each; nodes and sides of tests; the step."""
    tests_of, nodes, sides, shares = map(np.array, zip(*sorted(tests), strict=True))
    features, first = np.unique(tests_of, return_index=True)
    shares = np.maximum(np.multiply.reduceat(shares, first), TINY)
    return features, shares, first, nodes, sides, step


def _explain(tree, paths, X, background, values):
    """Add the SHAP values of one tree to `values`, (n, n_features, K), in place."""
    goes_left = _goes_left(tree, X)
    theirs = None if background is None else _goes_left(tree, background)
    for features, shares, first, nodes, sides, step in paths:
        patterns, row = _patterns(_passed(goes_left, first, nodes, sides))
        if background is None:
            credit = _credit(patterns, shares)  # (n_patterns, D)
        else:
            others, which = _patterns(_passed(theirs, first, nodes, sides))
            share = np.bincount(which, minlength=len(others)) / len(background)
            credit = _credit_against(patterns, others[share > 0], share[share > 0])
        values[:, features] += credit[row][:, :, None] * step


def _goes_left(tree, X):
    """Return whether a row goes left at a node; (n_nodes, n), False at leaves."""
    goes_left = np.zeros((tree.node_count, len(X)), dtype=bool)
    for t in np.flatnonzero(~tree.is_leaf):
        goes_left[t] = tree.goes_left(np.full(len(X), t), X[:, tree.feature[t]])
    return goes_left


def _passed(goes_left, first, nodes, sides):
    """Return whether a row passes all tests of a feature on the path; (D, n)."""
    return np.logical_and.reduceat(goes_left[nodes] == sides[:, None], first)


def _patterns(passed):
    """Return the distinct columns of `passed`, (n_patterns, D), and which one each row has."""
    D, n = passed.shape
    if D <= 12 and 1 << D <= n:  # all there can be
        row = (1 << np.arange(D)) @ passed
        return (np.arange(1 << D)[:, None] >> np.arange(D)) & 1, row
    packed = np.packbits(passed, axis=0).T
    packed = np.ascontiguousarray(packed).view([("", packed.dtype, packed.shape[1])]).ravel()
    _, where, row = np.unique(packed, return_index=True, return_inverse=True)
    return passed[:, where].T, row


def _credit(o, z):
    """Return Shapley values of the product game of one leaf with step 1; (n_patterns, D).

    The credit of d is (o_d - z_d) times the integral over u from 0 to 1 of the product over the
    other features of (1 - u) z + u o, a polynomial of degree D - 1 in u, which a few
    Gauss-Legendre points give exactly.
    """
    D = len(z)
    points, weights = leggauss((D + 1) // 2)  # on (-1, 1)
    u = (points[:, None] + 1) / 2  # (n_points, 1)
    at = max(1, CELLS // (D * len(u)))
    credit = []
    for block in np.split(o, range(at, len(o), at)):
        factor = (1 - u) * z + u * block[:, None, :]  # (n_patterns, n_points, D), all above 0
        others = factor.prod(axis=2, keepdims=True) / factor
        credit.append((weights / 2) @ others * (block - z))
    return np.concatenate(credit)


@cache
def _share_of_orders(D):
    """Return the proportion of orders in which one of r features comes last, before s others.

    It is (r - 1)! s! / (r + s)!, and 0 for r = 0; (D + 1, D + 1).
    """
    share = np.zeros((D + 1, D + 1))
    for r in range(1, D + 1):
        share[r] = [1 / (r * comb(r + s, s)) for s in range(D + 1)]
    return share


def _credit_against(o, b, weight):
    """Return `_credit` where absent features come from weighted background rows; (n_patterns, D).

    A leaf is reached where no feature fails in both rows, when the r features that only the row
    passes have come and the s that only the background row passes have not. Each of the r completes
    the path as the last of them, before the s; each of the s ends it as the first of them.
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
