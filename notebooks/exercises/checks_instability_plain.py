"""Checkers of the chapter "Why one tree is not enough" that also run in the page."""

from random import Random
from statistics import fmean, pvariance

from plain_checks import close, column, pair

from treelab.checkers import checker, expect


def predictions():
    """A few tables of predictions, a row for each training set, with a truth for each point."""
    for seed, m, n in ((0, 3, 4), (1, 7, 5), (2, 40, 3)):
        random = Random(seed)
        truth = [random.gauss(0, 1) for _ in range(n)]
        spread = [1 + random.random() for _ in range(n)]
        yield [[t + random.gauss(0.5, s) for t, s in zip(truth, spread)] for _ in range(m)], truth


def off(P, truth):
    """Distance of each prediction from the truth."""
    return [p - t for row in P for p, t in zip(row, truth)]


@checker("instability-2")
def check_bias_variance(bias_variance):
    def ask(P, truth):
        answer = bias_variance(column([column(row) for row in P]), column(truth))
        return pair(answer, "return two numbers, bias² and variance, averaged over points.")

    bias2, variance = ask([[2.0], [8.0], [5.0]], [4.0])
    expect(
        not close(bias2, 7),
        "7 is the whole squared error of the three stumps: average the predictions first, then "
        "compare with the truth.",
    )
    expect(
        not close(variance, 7),
        "the variance is the distance from the average prediction, not from the truth.",
    )
    expect(not close(variance, 9), "divide by the number of training sets, 3, not by 2.")
    expect(close(bias2, 1), "the mean of 2, 8 and 5 is 1 above the truth: bias² is 1.")
    expect(close(variance, 6), "the squares -3, 3, 0 have the mean 6.")
    for P, truth in predictions():
        bias2, variance = ask(P, truth)
        expect(
            not close(bias2, fmean(off(P, truth)) ** 2),
            "square the bias at each point before you average over the points: +1 here and -1 "
            "there do not cancel.",
        )
        expect(
            not close(variance, pvariance([p for row in P for p in row])),
            "the variance at a point is taken down its column; you mixed the points.",
        )
        expect(
            close(bias2 + variance, fmean(d * d for d in off(P, truth))),
            "bias² and variance must add up to the mean squared distance from the truth.",
        )
        want = fmean(map(pvariance, zip(*P)))
        expect(close(variance, want), "the variance is wrong with 2 points.")
