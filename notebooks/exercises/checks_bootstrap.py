"""Checkers of the chapter "The bootstrap"."""

import checks_bootstrap_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.checkers import Hint, checker, expect
from treelab.fast.bootstrap import plus_estimate


def same(got, want):
    """Equal to three digits, so that 0.632 and 0.368 do for 1 - 1/e and 1/e."""
    return np.isclose(got, want, rtol=0, atol=1e-3)


@checker("bootstrap-4")
def check_plus_632(plus_632):
    y = np.array(["a", "a", "b", "b"])
    got = float(plus_632(y.copy(), y.copy(), 0.4))
    want = float(plus_estimate(0.0, 0.4, 0.5))
    expect(
        not same(got, 0.4 * 0.632),
        "that is .632; in .632+ the weight grows with the overfitting: 0.632 / (1 - 0.368 rate).",
    )
    expect(
        not same(got, 0.4),
        "the rate is not 1: loo has gone 0.4 of the 0.5 from training to no-information error.",
    )
    expect(
        same(got, want),
        f"with training error 0, loo 0.4, no-information error 0.5 it is {want:.4f}.",
    )
    high = float(plus_632(y.copy(), y.copy(), 0.6))
    expect(
        same(high, 0.5),
        "a loo of 0.6 is reduced to the no-information error, so the estimate is 0.5; you have "
        f"{high:.4f}.",
    )
    low = float(plus_632(y.copy(), np.array(["b", "a", "b", "b"]), 0.1))
    apparent = 0.25
    expect(
        same(low, apparent * np.exp(-1) + 0.1 * (1 - np.exp(-1))),
        "with loo 0.1 below the training error 0.25 the rate is 0 and the weight is 0.632.",
    )
    always = float(plus_632(np.array([0, 0, 0, 1]), np.zeros(4, dtype=int), 0.3))
    if not np.isfinite(always):
        raise Hint(
            "here no-information and training error are equal: the rate is 0 then, do not divide."
        )
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = rng.choice(3, 30, p=[0.2, 0.3, 0.5])
        predicted = np.where(rng.random(30) < 0.5, y, rng.choice(3, 30, p=[0.7, 0.2, 0.1]))
        apparent = np.mean(y != predicted)
        gamma = np.mean([np.mean(target != predicted) for target in y])
        loo = apparent + 0.1
        got, want = (
            float(plus_632(y.copy(), predicted.copy(), loo)),
            plus_estimate(apparent, loo, gamma),
        )
        shares = np.bincount(y, minlength=3) / 30
        gini = 1 - np.sum(shares**2)
        expect(
            same(got, want) or not same(got, plus_estimate(apparent, loo, gini)),
            "the no-information error compares targets with predictions: it is 1 minus the sum, "
            "over the classes, of their proportion among the targets times that among the "
            "predictions.",
        )
        expect(
            same(got, want),
            f"{got:.4f} instead of {want:.4f} for three classes: the no-information error is the "
            "mean loss over every pair of a target and a prediction, n squared pairs.",
        )
    expect(
        same(always, 0.25),
        "training and no-information error are both 0.25, and a loo of 0.3 is above. It is "
        f"reduced there too, so the estimate is 0.25; you have {always:.4f}.",
    )
