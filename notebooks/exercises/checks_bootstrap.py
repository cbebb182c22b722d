"""Checkers of the chapter "The bootstrap"."""

import checks_bootstrap_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.bootstrap import plus_estimate
from treelab.checkers import Hint, checker, expect


@checker("bootstrap-2")
def check_chance_drawn(chance_drawn):
    got = chance_drawn(10, 5)
    expect(
        not np.isclose(got, 0.5),
        "draws / n is the expected number of times the case is drawn, not the chance that it is "
        "drawn at least once.",
    )
    expect(
        not np.isclose(got, 1 - 0.9**10),
        "each draw misses the case with 1 - 1/n: the exponent is the number of draws, not n.",
    )
    expect(not np.isclose(got, 0.9**5), "that is the chance that the case is missed by all draws.")
    expect(
        not np.isclose(got, 1 - np.exp(-1), atol=1e-3),
        "0.632 is the limit for n draws of many cases; here both numbers are small.",
    )
    expect(
        not np.isclose(got, 1 - np.exp(-0.5)),
        "1 - exp(-draws/n) is the limit for many cases; n = 10 needs the exact value.",
    )
    expect(
        np.isclose(got, 1 - 0.9**5), "for n = 10 and 5 draws it is 1 - 0.9 to the power 5, 0.4095."
    )
    for n, draws in ((1, 1), (1, 4), (2, 2), (3, 3), (5, 20), (1000, 1000), (7, 0)):
        got, want = chance_drawn(n, draws), 1 - (1 - 1 / n) ** draws
        expect(
            np.isclose(got, want),
            f"for n = {n} and {draws} draws you returned {got}, it is {want:.4g}.",
        )


def shares(answer):
    """The probabilities as floats, so that fractions are welcome too."""
    return {value: float(share) for value, share in dict(answer).items()}


def by_definition(counts, losses):
    """Leave-one-out bootstrap error, case by case."""
    means = []
    for i in range(counts.shape[1]):
        unseen = losses[counts[:, i] == 0, i]
        if len(unseen):
            means.append(unseen.mean())
    return float(np.mean(means))


@checker("bootstrap-5")
def check_leave_one_out(leave_one_out):
    counts = np.array([[2, 0, 1, 1], [1, 2, 0, 1], [0, 3, 0, 1]])
    losses = np.array([[0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0]])
    with np.errstate(all="ignore"):
        got = float(leave_one_out(counts.copy(), losses.copy()))
    expect(
        not np.isnan(got),
        "case 4 is in every sample: skip it, instead of dividing by zero samples.",
    )
    expect(
        not np.isclose(got, 4 / 12),
        "that is the naive estimate: only the samples that have not drawn the case may judge it.",
    )
    expect(
        not np.isclose(got, 3 / 4),
        "you pooled all out-of-sample losses; first take the mean of each case, then the mean "
        "over cases.",
    )
    expect(
        not np.isclose(got, 2.5 / 4),
        "a case that is in every sample is skipped; do not count it as an error of 0.",
    )
    expect(np.isclose(got, 2.5 / 3), "on the table of bootstrap-4 the answer is (1 + 1 + 1/2) / 3.")
    for seed in range(5):
        rng = np.random.default_rng(seed)
        B, n = 4 + 5 * seed, 6 + seed
        counts = np.array([np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(B)])
        losses = rng.exponential(size=(B, n))
        got, want = (
            float(leave_one_out(counts.copy(), losses.copy())),
            by_definition(counts, losses),
        )
        out = counts == 0
        per_sample = np.mean([loss[o].mean() for loss, o in zip(losses, out) if o.any()])
        expect(
            not np.isclose(got, per_sample) or np.isclose(per_sample, want),
            "you took the mean of each sample first; take the mean of each case, then over cases.",
        )
        expect(
            np.isclose(got, want),
            f"right for the table, but {got:.4g} instead of {want:.4g} for losses that are not 0 "
            "or 1.",
        )


@checker("bootstrap-6")
def check_plus_632(plus_632):
    y = np.array(["a", "a", "b", "b"])
    got = float(plus_632(y.copy(), y.copy(), 0.4))
    want = float(plus_estimate(0.0, 0.4, 0.5))
    expect(
        not np.isclose(got, 0.4 * 0.632, atol=1e-3),
        "that is .632; in .632+ the weight grows with the overfitting: 0.632 / (1 - 0.368 rate).",
    )
    expect(
        not np.isclose(got, 0.4),
        "the rate is not 1: loo has gone 0.4 of the 0.5 from training to no-information error.",
    )
    expect(
        np.isclose(got, want, atol=2e-4),
        f"with training error 0, loo 0.4, no-information error 0.5 it is {want:.4f}.",
    )
    high = float(plus_632(y.copy(), y.copy(), 0.6))
    expect(
        np.isclose(high, 0.5, atol=2e-4),
        "a loo of 0.6 is cut to the no-information error, so the estimate is 0.5; you have "
        f"{high:.4f}.",
    )
    low = float(plus_632(y.copy(), np.array(["b", "a", "b", "b"]), 0.1))
    apparent = 0.25
    expect(
        np.isclose(low, apparent * np.exp(-1) + 0.1 * (1 - np.exp(-1)), atol=2e-4),
        "with loo 0.1 below the training error 0.25 the rate is 0 and the weight is 0.632.",
    )
    always = float(plus_632(np.array([0, 0, 0, 1]), np.zeros(4, dtype=int), 0.3))
    if not np.isfinite(always):
        raise Hint(
            "here no-information and training error are equal: the rate is 0 then, do not divide."
        )
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = rng.integers(3, size=30)
        predicted = np.where(rng.random(30) < 0.7, y, rng.choice(3, 30, p=[0.7, 0.2, 0.1]))
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
            not np.isclose(got, plus_estimate(apparent, loo, gini)) or np.isclose(got, want),
            "the no-information error compares targets with predictions: 1 minus the sum of the "
            "share of a class among targets times its share among predictions.",
        )
        expect(
            np.isclose(got, want, atol=2e-4),
            f"{got:.4f} instead of {want:.4f} for three classes: the no-information error is the "
            "mean over every target against every prediction, n squared pairs.",
        )
    expect(
        np.isclose(always, 0.25, atol=2e-4),
        "training and no-information error are both 0.25, and a loo of 0.3 is above. It is cut "
        f"there too, so the estimate is 0.25; you have {always:.4f}.",
    )
