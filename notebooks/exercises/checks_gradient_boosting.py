"""Checkers of the chapter "Gradient boosting"."""

import checks_gradient_boosting_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.checkers import checker, expect
from treelab.fast.boosting.losses import Loss


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
