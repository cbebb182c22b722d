"""Checkers of the chapter "Why one tree is not enough" that also run in the page."""

from random import Random
from statistics import fmean, pvariance, variance

from plain_checks import as_list, close, column, is_number, pair

from treelab import cart
from treelab.checkers import checker, expect
from treelab.impurity import squared_error


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
            "return three numbers, noise, bias² and variance, averaged over the points.",
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
        "the noise is the variance of the targets around their own mean, without the models.",
    )
    expect(
        not close(bias2, 7),
        "7 is how far the single predictions are from the mean target, so average them first.",
    )
    expect(close(noise, 4), "the targets 2 and 6 are 2 away from their mean, so the noise is 4.")
    expect(close(bias2, 1), "2, 8 and 5 have the mean 5, 2 and 6 have the mean 4, and bias² is 1.")
    expect(close(spread, 6), "the squares of -3, 3, 0 have the mean 6.")
    for number, (P, truth) in enumerate(predictions()):
        Y = scattered(Random(10 + number), truth, 2 + number)
        noise, bias2, spread = ask(P, Y)
        expect(
            not close(bias2, fmean(off(P, means(Y))) ** 2),
            "square the bias at each point before you average over the points, because +1 here and "
            "-1 there do not cancel.",
        )
        expect(
            not (close(spread, mixed(P)) or close(noise, mixed(Y))),
            "variance and noise at a point are those of its column, but you mixed the points.",
        )
        errors = [fmean(d * d for d in off(P, targets)) for targets in Y]
        expect(
            close(noise + bias2 + spread, fmean(errors)),
            "the three must add up to the mean squared distance of all predictions from all "
            "targets of the same point.",
        )
        expect(
            close(spread, fmean(map(pvariance, zip(*P)))),
            "the sum is right, but the variance is not. It must not depend on the targets.",
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
        "the mean of three predictions varies too, so subtract the variance divided by M.",
    )
    expect(
        not close(bias2, 1 - 9),
        "the mean of M predictions has one M-th of their variance, so take off 3, not 9.",
    )
    expect(not close(bias2, 4), "the variance of the mean is subtracted, not added.")
    expect(
        not close(bias2, 0),
        "an estimate may be negative. If you replace it by 0, it is too large on average.",
    )
    expect(close(bias2, -2), "bias² is 1 - 9 / 3 = -2 for the three stumps.")
    for P, truth in predictions():
        bias2, spread = ask(P, truth)
        expect(
            close(spread, fmean(map(variance, zip(*P))))
            and close(bias2 + spread, fmean(d * d for d in off(P, truth))),
            "right for one point but wrong for several. Work column by column, then average.",
        )


def means_only(X, y):
    """A model that predicts the mean of its targets everywhere."""
    return lambda row: fmean(y)


def stump(X, y):
    """The predictions of a tree with one split."""
    tree = cart.grow(X, y, impurity=squared_error, max_depth=1)
    return lambda row: cart.predict(tree, row)


def of_averages(averages, truth):
    """Squared bias and variance of the rows of a table, averaged over its columns."""
    far = [(m - f) ** 2 for m, f in zip(means(averages), truth)]
    return fmean(far), fmean(map(pvariance, zip(*averages)))


@checker("instability-7")
def check_average_of(average_of):
    def ask(draw, fit, points, truth, k, M):
        answer = average_of(draw, fit, table(points), column(truth), k, M)
        return pair(answer, "return two numbers, bias² and variance, averaged over the points.")

    sales, used = [2, 8, 5, 3, 6, 6], []

    def draw(seed):
        used.append(seed)
        expect(0 <= seed < 6, "3 repetitions of 2 training sets take the seeds 0 to 5.")
        return [[1.0]], [float(sales[seed])]

    bias2, spread = ask(draw, means_only, [[1.0]], [4.0], 2, 3)
    expect(
        len(set(used)) > 2,
        "every repetition needs new training sets, but yours draws the same two each time.",
    )
    expect(
        sorted(used) == list(range(6)),
        "each training set is drawn once: repetition r takes the seeds r k to r k + k - 1.",
    )
    expect(
        not close(spread, 4),
        "4 is the variance of the six predictions. Average the predictions of each repetition "
        "first, and take the variance of the averages.",
    )
    expect(not close(spread, 1), "divide by the number of repetitions, 3, not by 2.")
    expect(
        not close(spread, 5 / 3),
        "the variance is the distance from the mean of the averages, not from the truth.",
    )
    expect(close(spread, 2 / 3), "the averages are 5, 4 and 6, and their variance is 2 / 3.")
    expect(close(bias2, 1), "the averages 5, 4 and 6 have the mean 5, so bias² is 1.")
    for k, M in ((1, 4), (3, 5)):
        points, truth = [[0.1], [0.5], [0.9]], [0.0, 1.0, 3.0]

        def rows(seed):
            random = Random(seed)
            x = [[random.random()] for _ in range(8)]
            return x, [3 * row[0] + random.gauss(0, 1) for row in x]

        models = [stump(*rows(seed)) for seed in range(k * M)]
        averages = [
            [fmean(model(x) for model in models[r * k : r * k + k]) for x in points]
            for r in range(M)
        ]
        bias2, spread = ask(rows, stump, points, truth, k, M)
        far = [m - f for m, f in zip(means(averages), truth)]
        expect(
            not close(bias2, fmean(far) ** 2),
            "square the bias at each point before you average over the points.",
        )
        expect(
            not close(spread, mixed(averages)),
            "the variance at a point is that of its column, but you mixed the points.",
        )
        right = of_averages(averages, truth)
        expect(
            close(bias2, right[0]) and close(spread, right[1]),
            "right for one point but wrong for several. Work column by column, then average.",
        )
