"""Checkers of the chapter "Gradient boosting" that also run in the page."""

from random import Random
from statistics import fmean

from plain_checks import close, column

from treelab.checkers import checker, expect
from treelab.plain.losses import log_loss, probability


@checker("gradient-boosting-4")
def check_newton_leaf(newton_leaf):
    got = float(newton_leaf(column([1.0, 1.0, 0.0]), column([0.0] * 3)))
    expect(
        not close(got, 1 / 6),
        "that is the mean pseudo-residual; divide their sum by the curvatures, not the number.",
    )
    expect(
        not close(got, -2 / 3),
        "the sign is wrong: the pseudo-residual is y - p, and most of these cases are of class 1.",
    )
    expect(close(got, 2 / 3), "y = 1, 1, 0 at F = 0: 0.5 / (3 * 0.25) = 2/3.")
    y, F = [1.0, 0.0, 0.0, 1.0], [2.0, -1.0, 0.5, -3.0]
    p, got = list(map(probability, F)), float(newton_leaf(column(y), column(F)))
    expect(
        not close(got, fmean((a - b) / (b * (1 - b)) for a, b in zip(y, p))),
        "that is the mean of the cases' steps; it is the sum of slopes over the sum of curvatures.",
    )
    mean = fmean(p)
    expect(
        not close(got, sum(a - b for a, b in zip(y, p)) / (4 * mean * (1 - mean))),
        "each case has its own p(1 - p); yours is that of the mean p.",
    )
    for seed in range(4):
        random = Random(seed)
        y = [float(random.random() < 0.4) for _ in range(9)]
        F = [random.gauss(0, 1) for _ in y]
        _, step = log_loss(y, F, [1] * 9)
        expect(
            close(newton_leaf(column(y), column(F)), step(range(9))),
            "right where all scores are 0, wrong elsewhere: p is 1 / (1 + exp(-F)), case by case.",
        )
