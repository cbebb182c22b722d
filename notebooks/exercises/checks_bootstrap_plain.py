"""Checkers of the chapter "The bootstrap" that also run in the page."""

from itertools import product
from random import Random
from statistics import fmean, median

from plain_checks import close

from treelab.bootstrap import draw_samples
from treelab.checkers import checker, expect


def shares(answer):
    """The probabilities as floats, so that fractions are welcome too."""
    return {value: float(share) for value, share in dict(answer).items()}


@checker("bootstrap-2")
def check_exact_bootstrap(exact_bootstrap):
    got = shares(exact_bootstrap(lambda x: float(median(x)), [2, 4, 9]))
    total = sum(got.values())
    expect(
        not close(total, 27),
        "these are counts; divide by the number of samples to get probabilities.",
    )
    expect(close(total, 1), f"the probabilities add up to {total:.4g}, not to 1.")
    expect(
        set(got) != {4.0},
        "without replacement every sample is the data again: draw each time from all cases.",
    )
    expect(set(got) == {2.0, 4.0, 9.0}, "the median of the buses takes the values 2, 4 and 9.")
    expect(
        not close(got[2.0], 3 / 10) and not close(got[2.0], 1 / 3),
        "the ordered samples are equally likely; if you count sets, (2, 2, 4) and (4, 2, 2) "
        "are one, and its three chances become one.",
    )
    expect(close(got[2.0], 7 / 27), "7 of the 27 samples of the buses have the median 2.")
    twins = shares(exact_bootstrap(max, [1, 1, 5]))
    expect(
        close(twins.get(5, 0), 19 / 27),
        "with data 1, 1, 5 the maximum is 5 with probability 19/27: two equal cases are still "
        "two cases.",
    )
    for statistic, data in ((max, [3, 7]), (sum, [0, 1, 1, 4]), (min, [2.5]), (len, [1, 2, 3])):
        want = {}
        for sample in product(data, repeat=len(data)):
            value = statistic(sample)
            want[value] = want.get(value, 0) + len(data) ** -len(data)
        got = shares(exact_bootstrap(statistic, data))
        expect(
            set(got) == set(want) and all(close(got[v], want[v]) for v in want),
            f"wrong for the {statistic.__name__} of {data}: it should be {want}.",
        )


def judged(samples, losses):
    """The losses that count, by case."""
    cases = range(len(losses[0]))
    return [[loss[i] for rows, loss in zip(samples, losses) if i not in rows] for i in cases]


@checker("bootstrap-3")
def check_leave_one_out(leave_one_out):
    def answer(samples, losses):
        return float(leave_one_out([*map(list, samples)], [*map(list, losses)]))

    samples = [[0, 0, 2, 3], [0, 1, 1, 3], [1, 1, 1, 3]]
    losses = [[0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0]]
    got = answer(samples, losses)
    expect(
        got == got,  # False for NaN
        "a case that is in every sample has no judge: skip it, do not divide by zero.",
    )
    expect(
        not close(got, 4 / 12),
        "that is the naive estimate: only the samples that have not drawn the case may judge it.",
    )
    expect(
        not close(got, 3 / 4),
        "you pooled all losses of cases left out; first take the mean of each case, then the mean "
        "over cases.",
    )
    expect(
        not close(got, 2.5 / 4),
        "skip a case that is in every sample; do not count it as an error of 0.",
    )
    expect(
        close(got, 2.5 / 3),
        f"for the samples {samples} and the losses {losses} it is (1 + 1 + 1/2) / 3.",
    )
    for seed in range(5):
        random, n = Random(seed), 6 + seed
        samples = draw_samples(n, 4 + 5 * seed, seed)
        losses = [[random.expovariate(1) for _ in range(n)] for _ in samples]
        want = fmean(fmean(own) for own in judged(samples, losses) if own)
        missed = [sorted(set(range(n)) - set(rows)) for rows in samples]
        by_sample = fmean(fmean(loss[i] for i in out) for out, loss in zip(missed, losses) if out)
        got = answer(samples, losses)
        expect(
            not close(got, by_sample),
            "you took the mean of each sample first; take the mean of each case, then over cases.",
        )
        expect(
            close(got, want),
            f"right for the table, but {got:.4g} instead of {want:.4g} for losses that are not 0 "
            "or 1.",
        )
