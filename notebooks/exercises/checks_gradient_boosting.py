"""Checkers of the chapter "Gradient boosting"."""

import checks_gradient_boosting_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab import GradientBoostingRegressor
from treelab.boosting.losses import Loss
from treelab.checkers import checker, expect


@checker("gradient-boosting-2")
def check_staged_scores(staged_scores):
    steps = np.array([[2.0, -2.0], [1.0, 3.0]])
    got = np.asarray(staged_scores(10.0, steps.copy(), 0.5), dtype=float)
    expect(
        got.shape == (3, 2),
        f"two rounds and two cases make 3 x 2 scores, the start included; yours are {got.shape}.",
    )
    expect(
        not np.allclose(got[0], 0),
        "the model is the start plus the trees; you have lost the start.",
    )
    expect(
        not np.allclose(got[0], 5),
        "the learning rate belongs to the trees' steps; the start is taken in full.",
    )
    expect(np.allclose(got[0], 10), "row 0 is the start, the same for every case.")
    expect(
        not np.allclose(got[1], [12, 8]),
        "take only a share of each step: multiply it by the learning rate.",
    )
    expect(np.allclose(got[1], [11, 9]), "after round 1: 10 + 0.5 * 2 = 11 and 10 - 0.5 * 2 = 9.")
    expect(
        not np.allclose(got[2], [10.5, 11.5]),
        "a round adds to what the rounds before it have reached, not to the start.",
    )
    expect(
        not np.allclose(got[2], [11.25, 9.75]),
        "each step is taken at the same rate; yours shrinks from round to round.",
    )
    expect(np.allclose(got[2], [11.5, 10.5]), "after round 2: 11 + 0.5 * 1 and 9 + 0.5 * 3.")
    X, y = np.arange(12.0)[:, None], np.arange(12.0) ** 2 % 11
    model = GradientBoostingRegressor(n_estimators=6, learning_rate=0.3, max_depth=2).fit(X, y)
    steps = np.array([trees[0].value[trees[0].apply(X), 0, 0] for trees in model.trees_])
    expect(
        np.allclose(staged_scores(model.start_, steps, 0.3)[1:], list(model.staged_predict(X))),
        "right for two rounds, wrong for the six of a fitted model.",
    )


@checker("gradient-boosting-5")
def check_expectile(expectile):
    loss = expectile(0.8)
    expect(
        isinstance(loss, Loss),
        "return an object of a subclass of Loss, not the class and not a number.",
    )
    y, F = np.array([1.0, 4.0, 2.0, -3.0]), np.array([0.0, 1.0, 5.0, 0.5])
    each = np.asarray(loss.each(y, F), dtype=float)
    expect(each.shape == (4,), f"each(y, F) has one loss for each case; yours is {each.shape}.")
    above, square = y >= F, (y - F) ** 2
    expect(
        not np.allclose(each, np.where(above, 0.8, 0.2) * np.abs(y - F)),
        "that is the quantile loss; the expectile loss has squares.",
    )
    expect(
        not np.allclose(each, np.where(above, 0.2, 0.8) * square),
        "tau is the price above the score (y >= F), 1 - tau the price below it.",
    )
    expect(
        np.allclose(each, np.where(above, 0.8, 0.2) * square),
        "each(y, F) is tau (y - F)^2 where y >= F and (1 - tau) (y - F)^2 elsewhere.",
    )
    got = np.asarray(loss.negative_gradient(y, F), dtype=float)
    quotient = -(loss.each(y, F + 1e-6) - loss.each(y, F - 1e-6)) / 2e-6
    expect(
        not np.allclose(got, -quotient, atol=1e-5),
        "that is the derivative itself; boosting needs its negative.",
    )
    expect(
        not np.allclose(got, quotient / 2, atol=1e-5),
        "the difference quotient is twice as large: the derivative of a square has a factor 2.",
    )
    expect(
        np.allclose(got, quotient, atol=1e-5),
        f"the difference quotient is {quotient.round(3).tolist()}, your gradient "
        f"{got.round(3).tolist()}.",
    )
    expect(
        np.isclose(expectile(0.5).start(y), y.mean(), atol=1e-6),
        "with tau = 0.5 the best constant is the mean.",
    )
    low, high = expectile(0.1).start(y), expectile(0.9).start(y)
    expect(low < y.mean() < high, "the loss must use the tau that it is given.")


@checker("gradient-boosting-7")
def check_split_gain(split_gain):
    g = np.array([-1.0, -2.0, 0.0, 3.0, 2.0])
    h = np.array([1.0, 0.5, 1.0, 2.0, 0.5])
    left = np.array([True, True, False, False, False])

    def worth(rows, lam):
        return g[rows].sum() ** 2 / (h[rows].sum() + lam)

    def parts(lam):
        return worth(left, lam), worth(~left, lam), worth(slice(None), lam)

    L, R, whole = parts(0.0)
    got = float(split_gain(g.copy(), h.copy(), left.copy(), 0.0, 0.0))
    expect(not np.isclose(got, L + R - whole), "the whole bracket is halved.")
    expect(
        not np.isclose(got, (L + R) / 2),
        "subtract what the node was worth before the cut, D1^2 / (D2 + lambda).",
    )
    expect(
        np.isclose(got, (L + R - whole) / 2),
        f"without penalties these five cases gain {(L + R - whole) / 2:.4f}, not {got:.4f}.",
    )
    L, R, _ = parts(1.5)
    got = float(split_gain(g.copy(), h.copy(), left.copy(), 1.5, 0.0))
    expect(
        not np.isclose(got, (L + R - whole) / 2),
        "lambda stands in all three denominators, in that of the node too.",
    )
    whole = worth(slice(None), 1.5)
    expect(
        np.isclose(got, (L + R - whole) / 2),
        "right without penalties, wrong for lambda = 1.5: add lambda to D2 once on each side and "
        "once in the node.",
    )
    got = float(split_gain(g.copy(), h.copy(), left.copy(), 1.5, 0.7))
    expect(
        not np.isclose(got, (L + R - whole) / 2),
        "you have not charged kappa, the price of one more leaf.",
    )
    expect(
        not np.isclose(got, (L + R - whole) / 2 - 0.35),
        "kappa is charged in full, outside the half.",
    )
    expect(np.isclose(got, (L + R - whole) / 2 - 0.7), "subtract kappa at the end, once.")
    expect(
        np.isclose(split_gain(-g, h, ~left, 1.5, 0.7), got),
        "left and right are alike, and only squares of sums count.",
    )
