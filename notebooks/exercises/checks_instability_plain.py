"""Checkers of the chapter "Why one tree is not enough" that also run in the page."""

from random import Random
from statistics import fmean, pvariance, variance

from plain_checks import as_list, close, column, is_number, pair

from treelab.checkers import checker, expect


def scattered(random, center, rows):
    """Rows of numbers around a center for each column, each column with a spread of its own."""
    spread = [1 + random.random() for _ in center]
    return [[c + random.gauss(0.5, s) for c, s in zip(center, spread)] for _ in range(rows)]


def predictions():
    """A few tables of predictions, a row for each training set, with a truth for each point."""
    for seed, m, n in ((0, 3, 4), (1, 7, 5), (2, 40, 3)):
        random = Random(seed)
        truth = [random.gauss(0, 1) for _ in range(n)]
        yield scattered(random, truth, m), truth


def off(P, truth):
    """Distance of each prediction from the truth."""
    return [p - t for row in P for p, t in zip(row, truth)]


def table(rows):
    """Rows as an array, or as a list of lists."""
    return column([column(row) for row in rows])


def means(rows):
    """The mean of each column."""
    return [fmean(values) for values in zip(*rows)]


def mixed(rows):
    """The variance of all the numbers of a table."""
    return pvariance([value for row in rows for value in row])


@checker("instability-2")
def check_three_parts(three_parts):
    def ask(P, Y):
        answer = as_list(three_parts(table(P), table(Y)))
        expect(
            answer is not None and len(answer) == 3 and all(map(is_number, answer)),
            "return three numbers, noise, bias² and variance, averaged over points.",
        )
        return map(float, answer)

    noise, bias2, spread = ask([[2.0], [8.0], [5.0]], [[2.0], [6.0]])
    expect(
        not close(spread, 7),
        "the variance is the distance from the average prediction, not from the truth.",
    )
    expect(not close(spread, 9), "divide by the number of models, 3, not by 2.")
    expect(not close(noise, 8), "divide by the number of targets, 2, not by 1.")
    expect(
        not close(noise, 5),
        "the noise is the scatter of the targets around their own mean, whatever the models say.",
    )
    expect(
        not close(bias2, 7),
        "7 is how far the single predictions are from the mean target: average them first.",
    )
    expect(close(noise, 4), "the targets 2 and 6 are 2 away from their mean: the noise is 4.")
    expect(close(bias2, 1), "2, 8 and 5 have the mean 5, 2 and 6 the mean 4: bias² is 1.")
    expect(close(spread, 6), "the squares of -3, 3, 0 have the mean 6.")
    for number, (P, truth) in enumerate(predictions()):
        Y = scattered(Random(10 + number), truth, 2 + number)
        noise, bias2, spread = ask(P, Y)
        expect(
            not close(bias2, fmean(off(P, means(Y))) ** 2),
            "square the bias at each point before you average over the points: +1 here and -1 "
            "there do not cancel.",
        )
        expect(
            not (close(spread, mixed(P)) or close(noise, mixed(Y))),
            "variance and noise at a point are taken down its column; you mixed the points.",
        )
        errors = [fmean(d * d for d in off(P, targets)) for targets in Y]
        expect(
            close(noise + bias2 + spread, fmean(errors)),
            "the three must add up to the mean squared distance of all predictions from all "
            "targets of the same point.",
        )
        expect(
            close(spread, fmean(map(pvariance, zip(*P)))),
            "the sum is right, the variance is not: it knows nothing of the targets.",
        )
        expect(close(noise, fmean(map(pvariance, zip(*Y)))), "noise and bias² are mixed up.")


@checker("instability-3")
def check_corrected(corrected):
    def ask(P, truth):
        answer = corrected(table(P), column(truth))
        return pair(answer, "return two numbers, bias² and variance, averaged over points.")

    bias2, spread = ask([[2.0], [8.0], [5.0]], [4.0])
    expect(not close(spread, 6), "divide by M - 1 = 2 in the variance of 2, 8 and 5.")
    expect(close(spread, 9), "the variance of 2, 8 and 5, with M - 1, is 18 / 2 = 9.")
    expect(
        not close(bias2, 1),
        "the mean of three predictions scatters too: take the variance over M off.",
    )
    expect(
        not close(bias2, 1 - 9),
        "the mean of M predictions has one M-th of their variance: take off 3, not 9.",
    )
    expect(not close(bias2, 4), "the scatter of the mean is taken off, not added.")
    expect(
        not close(bias2, 0),
        "an estimate may be negative; if you cut it off at 0, it is too large on average.",
    )
    expect(close(bias2, -2), "bias² is 1 - 9 / 3 = -2 for the three stumps.")
    for P, truth in predictions():
        bias2, spread = ask(P, truth)
        expect(
            close(spread, fmean(map(variance, zip(*P))))
            and close(bias2 + spread, fmean(d * d for d in off(P, truth))),
            "right for one point, wrong for several: work column by column, then average.",
        )
