"""The plain stepwise and stagewise selection beside the fast ones, on the same tables."""

import warnings
from math import log

import numpy as np
import pytest
from cases import each
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from treelab import stepwise
from treelab.fast.selection import SubsetSelector

SEARCH = {"forward": stepwise.forward, "backward": stepwise.backward}


def problem(seed):
    """Few rows; some tables have ties, a constant feature, a copy or a combination of features."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, 6))
    n = p + 2 + int(rng.integers(0, 12))
    X = rng.normal(size=(n, p)) if seed % 3 else rng.integers(0, 3, (n, p)).astype(float)
    if seed % 4 == 1:
        X = np.column_stack([X, X[:, 0], X @ rng.integers(1, 3, p) - 5])
    if seed % 7 == 2:
        X[:, int(rng.integers(X.shape[1]))] = 0.1
    y = X[:, :p] @ rng.integers(-1, 2, p) + rng.normal(size=n)
    if seed % 3 == 0:
        y = np.round(y)
    return np.vstack([X, X + rng.normal(size=X.shape)]), np.append(y, y)


def columns_of(X):
    return X.T.tolist()


def entered(rows):
    """The features that were added or removed in each step of the fast path."""
    return [set(filter(None, f"{row['entered']}, {row['left']}".split(", "))) for row in rows]


@each("seed", range(40))
@each("method", SEARCH)
def test_the_same_path_and_the_same_stop(method, seed):
    X, y = problem(seed)
    path = SEARCH[method](columns_of(X), y.tolist())
    total = path[0][1] if method == "forward" else path[-1][1]
    for name, price in (("aic", 2), ("bic", log(len(y)))):
        fast = SubsetSelector(method, criterion=name).fit(X, y)
        steps = [set(a) ^ set(b) for (a, _), (b, _) in zip(path, path[1:])]
        assert [{f"x{j}" for j in step} for step in steps] == entered(fast.steps_[1:])
        rows = fast.steps_
        np.testing.assert_allclose(
            [r for _, r in path], [r["rss"] for r in rows], atol=1e-9 * total
        )
        values = [stepwise.criterion(r, len(some), len(y), price) for some, r in path]
        np.testing.assert_allclose(values, [row[name] for row in rows], rtol=1e-7, atol=1e-7)
        chosen = stepwise.first_stop(path, len(y), price)
        assert sorted(chosen) == fast.get_support(indices=True).tolist()


@each("seed", range(6))
def test_the_residual_sum_is_that_of_a_linear_regression(seed):
    X, y = problem(seed)
    for some, rss in stepwise.forward(columns_of(X), y.tolist())[1:]:
        model = LinearRegression().fit(X[:, some], y)
        assert rss == pytest.approx(np.sum((y - model.predict(X[:, some])) ** 2))


@each("seed", range(12))
@each("step", [0.05, None])
def test_stagewise_moves_the_same_coefficients(step, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 4)) + rng.normal(size=(20, 1))
    X[:, 2] = 7 if seed % 3 == 0 else X[:, 2]
    y = X @ rng.integers(-1, 3, 4) + rng.normal(size=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fast = SubsetSelector("stagewise", step=step, max_iter=60).fit(X, y)
    moves = stepwise.stagewise(columns_of(X), y.tolist(), step, max_iter=60)
    assert [f"x{j}" for j, _ in moves] == [row["feature"] for row in fast.steps_[1:]]
    weights = np.zeros((len(moves) + 1, 4))
    for t, (j, change) in enumerate(moves):
        weights[t + 1] = weights[t]
        weights[t + 1, j] += change
    expected = fast.path_table().to_numpy() / y.std()
    np.testing.assert_allclose(weights, expected, atol=1e-9)
    assert len(moves) > 3


def test_an_exact_fit_ends_the_search():
    columns = [[1.0, 2, 3, 4, 5, 7], [1.0, 0, 1, 0, 0, 1], [3.0, 1, 4, 1, 5, 9]]
    y = [2 * a + b for a, b, _ in zip(*columns)]
    for search in SEARCH.values():
        path = search(columns, y)
        assert sorted(stepwise.first_stop(path, len(y))) == [0, 1]
        assert min(rss for _, rss in path) == 0


def test_constant_features_and_targets():
    flat = [0.1] * 5
    assert stepwise.forward([flat], [1, 2, 3, 4, 6]) == [([], pytest.approx(14.8))]
    assert [some for some, _ in stepwise.backward([flat, [1, 2, 3, 4, 6]], flat)] == [[1], []]
    assert stepwise.stagewise([[1, 2, 3, 4, 6]], flat) == []
