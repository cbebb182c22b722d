"""Stagewise regression against the lasso; `test_plain_stepwise.py` has the plain loop."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path
from sklearn.preprocessing import StandardScaler

from treelab.fast.selection import SubsetSelector


def made(seed, n=40, p=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.normal(size=(n, 1))
    return X * [1, 10, 0.1, 1, 5], X @ rng.normal(size=p) + rng.normal(size=n) + 100


def test_small_steps_follow_the_lasso():
    """As long as no coefficient of it turns back, where the sums of coefficients are the same."""
    X, y = load_diabetes(return_X_y=True)
    table = SubsetSelector("stagewise", step=0.001).fit(X, y).path_table().to_numpy()
    Z = StandardScaler().fit_transform(X)
    largest = np.abs(Z.T @ (y - y.mean())).max() / len(y)
    _, lasso, _ = lasso_path(Z, y - y.mean(), alphas=largest * np.geomspace(1, 0.05, 30))
    length = np.abs(table).sum(axis=1)
    for beta in lasso.T[1:]:
        near = table[np.argmin(np.abs(length - np.abs(beta).sum()))]
        np.testing.assert_allclose(near, beta, atol=0.015 * y.std())


def test_it_goes_on_until_one_more_feature_would_move():
    X, y = made(1)
    full = SubsetSelector("stagewise").fit(X, y).path_table()
    for k in (1, 2, 3):
        model = SubsetSelector("stagewise", n_features=k).fit(X, y)
        path = model.path_table()
        assert model.n_features_ == k
        assert model.steps_[-1]["chosen"]
        np.testing.assert_array_equal(path, full[: len(path)])
        assert np.count_nonzero(full.iloc[len(path)]) == k + 1
        assert model.n_iter_ == len(path) - 1


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 200))
    y = X[:, 7] - X[:, 3] + 0.1 * rng.normal(size=20)
    model = SubsetSelector("stagewise", n_features=2).fit(X, y)
    assert model.get_support(indices=True).tolist() == [3, 7]


def test_it_says_when_the_moves_do_not_suffice():
    X, y = made(2)
    with pytest.warns(ConvergenceWarning, match="max_iter=5 moves"):
        model = SubsetSelector("stagewise", max_iter=5).fit(X, y)
    assert model.n_iter_ == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SubsetSelector("stagewise").fit(X, y)
