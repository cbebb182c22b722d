"""The losses: gradients beside numeric derivatives, steps beside a numeric search."""

import numpy as np
import pytest
from cases import each
from scipy.optimize import minimize_scalar
from scipy.special import expit

from treelab.fast.boosting.losses import (
    AbsoluteError,
    Exponential,
    Huber,
    LogLoss,
    Loss,
    MultinomialLogLoss,
    Quantile,
    SquaredError,
)

NUMBERS = [SquaredError(), AbsoluteError(), Huber(0.9, 1.5), Quantile(0.3)]
TWO = [LogLoss(), Exponential()]


def cases(loss, n=7, seed=0):
    """Targets, scores and weights that suit a loss; no score equals its target."""
    rng = np.random.default_rng(seed)
    K = loss.n_scores
    y = rng.normal(size=n) * 3
    if isinstance(loss, LogLoss | Exponential):
        y = (np.arange(n) % 2).astype(float)
    if K > 1:
        y = (np.arange(n) % K).astype(float)
    F = rng.normal(size=(n, K)) if K > 1 else rng.normal(size=n)
    return y, F, rng.integers(1, 4, n).astype(float)


@pytest.mark.parametrize("loss", [*NUMBERS, *TWO, MultinomialLogLoss(3)], ids=str)
def test_negative_gradient_is_the_numeric_derivative(loss):
    y, F, _ = cases(loss)
    h, numeric = 1e-6, np.empty_like(F)
    for place in np.ndindex(F.shape):
        up, down = F.copy(), F.copy()
        up[place] += h
        down[place] -= h
        numeric[place] = -(loss.each(y, up) - loss.each(y, down))[place[0]] / (2 * h)
    np.testing.assert_allclose(loss.negative_gradient(y, F), numeric, atol=1e-6)


@each("loss", [SquaredError(), AbsoluteError(), Quantile(0.3), *TWO], ids=str)
@each("seed", range(5))
def test_start_is_the_best_constant(loss, seed):
    y, _, w = cases(loss, seed=seed)
    for weights in (w,) if isinstance(loss, Quantile) else (None, w):
        found = loss.value(y, np.full(len(y), loss.start(y, weights)), weights)
        grid = np.linspace(-9, 9, 601)
        assert found <= min(loss.value(y, np.full(len(y), c), weights) for c in grid) + 1e-9


@pytest.mark.parametrize("loss", [*NUMBERS, *TWO], ids=str)
def test_values_of_all_leaves_are_those_of_each(loss):
    y, F, w = cases(loss, 30)
    leaf = np.arange(30) * 7 % 4
    r = loss.negative_gradient(y, F)
    found = loss.leaf_values(leaf, 4, y, F, r, w)
    for t in range(4):
        i = leaf == t
        assert found[t] == pytest.approx(loss.leaf_value(y[i], F[i], r[i], w[i]))


@pytest.mark.parametrize("loss", [*TWO, MultinomialLogLoss(3)], ids=str)
def test_a_leaf_without_curvature_does_not_move(loss):
    y, w = np.array([1.0, 1.0]), np.ones(2)
    r = np.zeros(2)
    assert loss.leaf_value(y, np.full(2, 800.0), r, w) == 0


def test_far_scores_neither_overflow_nor_vanish():
    loss, y = LogLoss(), np.array([1.0, 0.0, 1.0, 0.0])
    F = np.array([50.0, -50.0, -800.0, 800.0])
    np.testing.assert_allclose(loss.each(y, F), [np.exp(-50), np.exp(-50), 800, 800])
    np.testing.assert_allclose(loss.negative_gradient(y, F), [np.exp(-50), -np.exp(-50), 1, -1])


class LogCosh(Loss):
    """A loss that says no more than it must."""

    def each(self, y, F):
        return np.log(np.cosh(y - F))

    def negative_gradient(self, y, F):
        return np.tanh(y - F)


def test_a_loss_of_the_readers_own_is_searched():
    loss, (y, F, w) = LogCosh(), cases(SquaredError(), 12)
    start = minimize_scalar(lambda c: loss.value(y, np.full(12, c), w)).x
    assert loss.start(y, w) == pytest.approx(start, abs=1e-6)
    step = minimize_scalar(lambda c: loss.value(y, F + c, w)).x
    assert loss.leaf_value(y, F, None, w) == pytest.approx(step, abs=1e-6)
    assert loss.settled(y, F, w) is loss
    direction = np.tanh(y - F)
    rho = loss.line_step(y, F, direction, w)
    best = minimize_scalar(lambda c: loss.value(y, F + c * direction, w)).x
    assert rho == pytest.approx(best, abs=1e-6)


def test_of_steps_that_are_equally_good_the_middle_is_taken():
    """Between two far targets the loss is flat, but for rounding."""
    for loss in (LogCosh(), AbsoluteError()):
        y, w = np.array([0.1, 80.3]), np.ones(2)
        assert loss.line_step(y, np.zeros(2), 1.0, w) == pytest.approx(40.2, abs=1e-9)


def test_a_search_without_a_bottom_stays_finite():
    y, w = np.ones(4), np.ones(4)
    step = LogLoss().line_step(y, np.zeros(4), 1.0, w)
    assert np.isfinite(step)
    assert expit(step) > 0.99


def test_best_multiple_of_a_direction_for_squared_error():
    y, F, w = cases(SquaredError(), 12)
    direction = np.arange(12.0)
    found = SquaredError().line_step(y, F, direction, w)
    assert found == pytest.approx(Loss.line_step(SquaredError(), y, F, direction, w), abs=1e-6)
    assert SquaredError().line_step(y, F, np.zeros(12), w) == 0
