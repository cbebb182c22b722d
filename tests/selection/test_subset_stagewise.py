"""Stagewise regression against a slow loop, soft thresholds, the lasso and least squares."""

import warnings

import numpy as np
import pytest
from cases import each
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, lasso_path
from sklearn.preprocessing import StandardScaler

from treelab.fast.selection import SubsetSelector


def slow(X, y, step, max_iter=10_000):
    """The rule as it reads, on all rows: moves and coefficients of standardized columns."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    r, beta = y - y.mean(), np.zeros(X.shape[1])
    moves, path = [], [beta.copy()]
    for _ in range(max_iter):
        correlation = Z.T @ r / (len(y) * y.std())  # with what is left, in units of sd(y)
        j = np.argmax(np.abs(correlation))
        if np.abs(correlation[j]) < (1e-6 if step is None else step / 2):
            break
        move = y.std() * (correlation[j] if step is None else step * np.sign(correlation[j]))
        beta[j] += move
        r = r - move * Z[:, j]
        moves.append(j)
        path.append(beta.copy())
    return moves, np.array(path)


def made(seed, n=40, p=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.normal(size=(n, 1))
    return X * [1, 10, 0.1, 1, 5], X @ rng.normal(size=p) + rng.normal(size=n) + 100


@each("step", [None, 0.01, 0.1])
@each("seed", range(5))
def test_a_slow_loop_makes_the_same_moves(seed, step):
    X, y = made(seed)
    moves, path = slow(X, y, step)
    model = SubsetSelector("stagewise", step=step).fit(X, y)
    table = model.steps_table()
    assert table["feature"].tolist() == ["", *(f"x{j}" for j in moves)]
    np.testing.assert_allclose(model.path_table(), path, atol=1e-9 * y.std())
    rows = (X - X.mean(axis=0)) / X.std(axis=0) @ path.T
    rss = ((y - y.mean() - rows.T) ** 2).sum(axis=1)
    np.testing.assert_allclose(table["rss"], rss, rtol=1e-9)
    used = [np.flatnonzero(np.abs(beta) > 1e-9) for beta in path]
    assert table["n_features"].tolist() == [len(subset) for subset in used]
    first = [next(t for t, subset in enumerate(used) if j in subset) for j in set(moves)]
    places = {j: 1 + sorted(first).index(t) for j, t in zip(set(moves), first)}
    last = len(places) + 1
    assert model.ranking_.tolist() == [places.get(j, last) for j in range(X.shape[1])]


def test_whole_steps_end_at_least_squares():
    X, y = made(0)
    model = SubsetSelector("stagewise", step=None).fit(X, y)
    end = model.path_table(standardized=False).iloc[-1]
    np.testing.assert_allclose(end, LinearRegression().fit(X, y).coef_, rtol=1e-4)


def test_columns_at_right_angles_get_soft_thresholds():
    """Then the path is the lasso's: every correlation is cut by the same amount."""
    rng = np.random.default_rng(3)
    Q, _ = np.linalg.qr(np.column_stack([np.ones(60), rng.normal(size=(60, 6))]))
    Z = Q[:, 1:] * np.sqrt(60)
    y = Z @ [5, -4, 3, -2, 1, 0.5] + rng.normal(size=60)
    whole, step = Z.T @ (y - y.mean()) / 60, 0.002
    table = SubsetSelector("stagewise", step=step).fit(Z, y).path_table().to_numpy()
    for beta in table[::50]:
        cut = np.abs(whole - beta).max()
        soft = np.sign(whole) * np.maximum(np.abs(whole) - cut, 0)
        np.testing.assert_allclose(beta, soft, atol=2 * step * y.std())


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
