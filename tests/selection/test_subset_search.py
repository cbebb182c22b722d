"""The searches against enumeration, loops from the formulas, R's numbers, and the lasso."""

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from cases import each
from places import DATA
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path
from sklearn.preprocessing import StandardScaler

from treelab.fast.selection import SubsetSelector
from treelab.fast.selection.best_subset import best_subsets
from treelab.fast.selection.least_squares import triangle


def residual_sum(X, y, subset):
    """Of a fit with an intercept, from the rows themselves."""
    design = np.column_stack([np.ones(len(y)), X[:, list(subset)]])
    residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return residual @ residual


def problem(seed, most=8):
    """Rows and a target; every third has whole numbers and so ties, or dependent columns."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, most))
    n = p + 2 + int(rng.integers(0, 12))
    X = rng.normal(size=(n, p)) if seed % 3 else rng.integers(0, 3, (n, p)).astype(float)
    if seed % 4 == 1 and p > 2:
        X[:, int(rng.integers(2, p))] = X[:, 0] - 2 * X[:, 1] + 5
    if seed % 7 == 2:
        X[:, int(rng.integers(p))] = 3.7
    if seed % 5 == 3 and p > 1:
        X[:, -1] = -3 * X[:, 0]
    if seed % 6 == 0:
        X += 3 * rng.normal(size=(n, 1))  # all go together
    y = X @ rng.integers(-1, 2, p) + rng.normal(size=n)
    return X, np.round(y) if seed % 3 == 0 else y


@each("first", range(0, 100, 20))
def test_best_subsets_are_those_of_an_enumeration(first):
    for seed in range(first, first + 20):
        X, y = problem(seed)
        total = residual_sum(X, y, [])
        table = SubsetSelector("best").fit(X, y).steps_table()
        sums = [
            sorted(residual_sum(X, y, subset) for subset in combinations(range(X.shape[1]), k))
            for k in range(len(table))
        ]
        np.testing.assert_allclose(table["rss"], [s[0] for s in sums], atol=1e-9 * total)
        rank = np.linalg.matrix_rank(X - X.mean(axis=0), tol=1e-9)
        assert len(table) == rank + 1
        for k, path in enumerate(best_subsets(triangle(X, y), rank)):
            assert len(path[0]) == k
            assert residual_sum(X, y, path[0]) == pytest.approx(sums[k][0], abs=1e-9 * total)


@pytest.mark.parametrize("seed", range(3))
def test_columns_that_are_nearly_combinations(seed):
    """Powers of a number, and copies that differ in the sixth digit: where products lose digits."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(1, 2, 50)
    copies = rng.normal(size=(50, 7))
    copies[:, 3] = copies[:, 0] + 1e-6 * rng.normal(size=50)
    copies[:, 5] = copies[:, 1] + copies[:, 2] + 1e-5 * rng.normal(size=50)
    difference = 1e6 * (copies[:, 3] - copies[:, 0]) + copies[:, 4] + rng.normal(size=50)
    powers = np.column_stack([x**k for k in range(1, 7)])
    for X, y in ((copies, difference), (powers, np.sin(3 * x) + 0.01 * rng.normal(size=50))):
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        table = SubsetSelector("best").fit(X, y).steps_table()
        for k in range(X.shape[1] + 1):
            least = min(residual_sum(X, y, s) for s in combinations(range(X.shape[1]), k))
            assert table["rss"][k] == pytest.approx(least, rel=1e-6)


def test_forty_features_are_no_enumeration():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    y = X[:, ::4].sum(axis=1) + rng.normal(size=300)
    table = SubsetSelector("best").fit(X, y).steps_table()
    forward = SubsetSelector("forward").fit(X, y).steps_table()
    backward = SubsetSelector("backward").fit(X, y).steps_table()[::-1]
    others = np.minimum(forward["rss"].to_numpy(), backward["rss"].to_numpy())
    assert (table["rss"] <= others * (1 + 1e-12)).all()
    chosen = SubsetSelector("best", n_features=10).fit(X, y).get_support(indices=True)
    assert chosen.tolist() == list(range(0, 40, 4))


# --- criteria, from the formulas ------------------------------------------------------------


def aic(X, y, subset, price=2.0):
    return len(y) * np.log(residual_sum(X, y, subset) / len(y)) + price * (len(subset) + 1)


def t_tests(X, y, subset):
    """p-value of each coefficient but the intercept, by the textbook's formula."""
    design = np.column_stack([np.ones(len(y)), X[:, list(subset)]])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    residual, freedom = y - design @ beta, len(y) - len(beta)
    t = beta / np.sqrt(residual @ residual / freedom * np.diag(inverse))
    return dict(zip(subset, 2 * stats.t.sf(np.abs(t[1:]), freedom)))


def by_loop(X, y, method, criterion, alpha):
    """Stepwise regression as one would write it down; the final subset, sorted."""
    p = X.shape[1]
    subset = list(range(p)) if method == "backward" else []
    price = np.log(len(y)) if criterion == "bic" else 2.0
    while True:
        enter = [subset + [j] for j in range(p) if j not in subset and len(subset) < len(y) - 2]
        leave = [[i for i in subset if i != j] for j in subset]
        models = leave if method == "backward" else enter if method == "forward" else enter + leave
        if criterion == "p_value":
            inside = t_tests(X, y, subset)
            if method != "forward" and inside and max(inside.values()) >= alpha:
                subset = [j for j in subset if j != max(inside, key=inside.get)]
                continue
            new = {s[-1]: t_tests(X, y, s)[s[-1]] for s in enter}
            if method == "backward" or not new or min(new.values()) >= alpha:
                return sorted(subset)
            subset = subset + [min(new, key=new.get)]
            continue
        best = min(models, key=lambda s: aic(X, y, s, price), default=subset)
        if aic(X, y, best, price) >= aic(X, y, subset, price):
            return sorted(subset)
        subset = best


@each("criterion", ["aic", "bic", "p_value"])
@each("method", ["forward", "backward", "both"])
def test_stepwise_regression_is_the_loop_that_one_would_write(method, criterion):
    sizes = set()
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 6)) + 2 * rng.normal(size=(30, 1))
        y = X @ rng.normal(size=6) + 3 * rng.normal(size=30)
        alpha = 0.1 if seed % 2 else 0.4
        model = SubsetSelector(method, criterion=criterion, alpha=alpha).fit(X, y)
        expected = by_loop(X, y, method, criterion, alpha)
        assert model.get_support(indices=True).tolist() == expected
        sizes.add(len(expected))
    assert len(sizes) > 3


def test_floating_drops_what_beats_the_models_of_a_size():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 100))
    X = np.column_stack([a, b, a + b + 0.3 * rng.normal(size=100), rng.normal(size=100)])
    y = a + b + 0.1 * rng.normal(size=100)
    model = SubsetSelector("both", n_features=2).fit(X, y)
    assert model.support_.tolist() == [True, True, False, False]
    table = model.steps_table()
    assert table["left"].tolist() == ["", "", "", "", "x2", "", ""]
    assert table["n_features"].tolist() == [0, 1, 2, 3, 2, 3, 4]
    assert not SubsetSelector("forward", n_features=2).fit(X, y).support_[[0, 1]].all()


def test_numbers_of_the_table():
    X, y = load_diabetes(return_X_y=True)
    table = SubsetSelector("forward").fit(X, y).steps_table()
    names, subset = [f"x{j}" for j in range(10)], []
    for t in range(1, 11):
        subset.append(names.index(table["entered"][t]))
        p = t_tests(X, y, subset)[subset[-1]]
        assert table["p_value"][t] == pytest.approx(p, rel=1e-6)
        rss = residual_sum(X, y, subset)
        F = (residual_sum(X, y, subset[:-1]) - rss) / (rss / (442 - t - 1))
        assert table["F"][t] == pytest.approx(F, rel=1e-9)
        assert table["rss"][t] == pytest.approx(rss, rel=1e-12)
        assert table["aic"][t] == pytest.approx(aic(X, y, subset), rel=1e-12)
        assert table["bic"][t] == pytest.approx(aic(X, y, subset, np.log(442)), rel=1e-12)


def test_r_takes_the_same_steps_backward():
    """R's `step(lm(mpg ~ ., mtcars))` prints these AICs, and stops at wt + qsec + am."""
    cars = pd.read_csv(DATA / "selection" / "cars.csv", dtype=float)
    model = SubsetSelector("backward").fit(cars.drop(columns="mpg"), cars["mpg"])
    table = model.steps_table()[:8]
    assert table["left"].tolist() == ["", "cyl", "vs", "carb", "gear", "drat", "disp", "hp"]
    said = [70.90, 68.92, 66.97, 65.12, 63.46, 62.16, 61.52, 61.31]
    np.testing.assert_allclose(table["aic"], said, atol=0.005)
    assert table["rss"][0] == pytest.approx(147.49, abs=0.005)
    assert list(model.get_feature_names_out()) == ["wt", "qsec", "am"]


# --- stagewise regression ------------------------------------------------------------


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


def test_it_says_when_the_moves_do_not_suffice():
    X, y = made(2)
    with pytest.warns(ConvergenceWarning, match="max_iter=5 moves"):
        model = SubsetSelector("stagewise", max_iter=5).fit(X, y)
    assert model.n_iter_ == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SubsetSelector("stagewise").fit(X, y)
