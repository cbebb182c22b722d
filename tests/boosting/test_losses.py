"""The losses: gradients beside numeric derivatives, steps beside a numeric search."""

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
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
    lower_quantile,
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


@pytest.mark.parametrize("loss", [*NUMBERS, *TWO, MultinomialLogLoss(3)], ids=str)
def test_value_is_the_weighted_mean_of_the_cases(loss):
    y, F, w = cases(loss)
    each = loss.each(y, F)
    assert loss.value(y, F) == pytest.approx(loss.scale * each.mean())
    assert loss.value(y, F, w) == pytest.approx(loss.scale * (w * each).sum() / w.sum())
    rows = np.repeat(np.arange(len(y)), w.astype(int))
    assert loss.value(y, F, w) == pytest.approx(loss.value(y[rows], F[rows]))


@each("loss", [SquaredError(), AbsoluteError(), Quantile(0.3), *TWO], ids=str)
@each("seed", range(5))
def test_start_is_the_best_constant(loss, seed):
    y, _, w = cases(loss, seed=seed)
    for weights in (w,) if isinstance(loss, Quantile) else (None, w):
        found = loss.value(y, np.full(len(y), loss.start(y, weights)), weights)
        grid = np.linspace(-9, 9, 1801)
        assert found <= min(loss.value(y, np.full(len(y), c), weights) for c in grid) + 1e-9


def test_start_of_many_classes_is_the_logarithm_of_their_shares():
    start = MultinomialLogLoss(3).start(np.array([0.0, 1, 1, 2, 2, 2]), None)
    np.testing.assert_allclose(np.exp(start) / np.exp(start).sum(), [1 / 6, 2 / 6, 3 / 6])
    assert start.sum() == pytest.approx(0)
    weighted = MultinomialLogLoss(2).start(np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    np.testing.assert_allclose(weighted[1] - weighted[0], np.log(3))


def test_starts_of_medians_are_interpolated_without_weights_only():
    y = np.array([4.0, 1.0, 2.0, 8.0])
    for loss in (AbsoluteError(), Huber(0.9)):
        assert loss.start(y) == 3
        assert loss.start(y, np.ones(4)) == 2
    assert Quantile(0.25).start(y) == 1.75
    assert Quantile(0.25).start(y, np.ones(4)) == 1


@pytest.mark.parametrize("loss", [SquaredError(), AbsoluteError(), Quantile(0.3)], ids=str)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 9))
def test_leaf_value_is_the_best_step(loss, seed, n):
    y, F, w = cases(loss, n, seed)
    step = loss.leaf_value(y, F, None, w)
    best = loss.value(y, F + step, w)
    for other in [*(y - F), *np.linspace(-9, 9, 181)]:
        assert best <= loss.value(y, F + other, w) + 1e-9


@pytest.mark.parametrize("loss", TWO, ids=str)
def test_leaf_value_is_one_newton_step(loss):
    y, F, w = cases(loss)
    r, h = loss.negative_gradient(y, F), 1e-5
    slope = loss.negative_gradient(y, F - h) - loss.negative_gradient(y, F + h)
    newton = (w * r).sum() / (w * slope / (2 * h)).sum()
    assert loss.leaf_value(y, F, r, w) == pytest.approx(newton, rel=1e-6)


def test_leaf_value_of_one_of_many_classes():
    loss = MultinomialLogLoss(3)
    y, F, w = cases(loss)
    r = loss.negative_gradient(y, F)[:, 1]
    size = np.abs(r)
    friedman = 2 / 3 * (w * r).sum() / (w * size * (1 - size)).sum()
    assert loss.leaf_value((y == 1).astype(float), F[:, 1], r, w) == pytest.approx(friedman)


def test_two_classes_and_many_agree():
    """Two scores half the log-odds apart are one score; each tree makes half of its step."""
    y, F, w = cases(LogLoss())
    both = MultinomialLogLoss(2)
    scores = np.column_stack([-F / 2, F / 2])
    one = LogLoss()
    assert both.value(y, scores, w) == pytest.approx(one.value(y, F, w) / 2)
    r = both.negative_gradient(y, scores)
    np.testing.assert_allclose(r[:, 1], one.negative_gradient(y, F))
    np.testing.assert_allclose(r[:, 0], -r[:, 1])
    half = both.leaf_value(y, scores[:, 1], r[:, 1], w)
    assert half == pytest.approx(one.leaf_value(y, F, r[:, 1], w) / 2)
    np.testing.assert_allclose(both.probability(scores)[:, 1], one.probability(F))
    start = both.start(y, w)
    assert start[1] - start[0] == pytest.approx(one.start(y, w))


def test_huber_leaf_by_hand():
    """Median 1; the others lie -3, 0 and 9 from it, cut to -2, 0 and 2 at delta 2."""
    loss, zero, w = Huber(0.5, delta=2.0), np.zeros(3), np.array([1.0, 2.0, 1.0])
    y = np.array([-2.0, 1.0, 10.0])
    assert loss.leaf_value(y, zero, None, w) == 1
    assert loss.leaf_value(y, zero, None, np.array([1.0, 2.0, 2.0])) == pytest.approx(1 + 2 / 5)
    assert loss.settled(y, zero).delta == 2
    assert loss.settled(y, zero, np.array([1.0, 1.0, 8.0])).delta == 10
    np.testing.assert_allclose(loss.each(y, zero), [2, 0.5, 2 * (10 - 1)])


def test_quantile_of_a_half_is_half_the_absolute_error():
    y, F, w = cases(AbsoluteError())
    assert 2 * Quantile(0.5).value(y, F, w) == pytest.approx(AbsoluteError().value(y, F, w))


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(-5, 5), min_size=1, max_size=12),
    share=st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]),
    seed=st.integers(0, 99),
)
def test_lower_quantile_by_its_definition(values, share, seed):
    values = np.array(values, dtype=float)
    w = np.random.default_rng(seed).integers(1, 5, len(values)).astype(float)
    enough = [v for v in values if w[values <= v].sum() >= share * w.sum()]
    assert lower_quantile(values, share, w) == min(enough)
    rows = np.repeat(np.arange(len(w)), w.astype(int))
    assert lower_quantile(values, share, w) == lower_quantile(values[rows], share)


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


@pytest.mark.parametrize("loss", TWO, ids=str)
def test_link_and_probability_undo_each_other(loss):
    p = np.array([0.1, 0.5, 0.9])
    np.testing.assert_allclose(loss.probability(loss.link(p)), p)
    assert np.isfinite(loss.link(np.array([0.0, 1.0]))).all()
    assert Exponential().link(p)[2] == pytest.approx(np.log(9) / 2)


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
