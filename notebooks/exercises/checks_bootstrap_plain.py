"""Checkers of the chapter "The bootstrap" that also run in the page."""

from itertools import product
from random import Random
from statistics import fmean, median, pvariance

from plain_checks import as_list, close, is_number

from treelab.bootstrap import draw_samples
from treelab.checkers import checker, expect


def probabilities(answer):
    """The probabilities as floats, so that fractions are welcome too."""
    return {value: float(p) for value, p in dict(answer).items()}


@checker("bootstrap-2")
def check_exact_bootstrap(exact_bootstrap):
    got = probabilities(exact_bootstrap(lambda x: float(median(x)), [2, 4, 9]))
    total = sum(got.values())
    expect(
        not close(total, 27),
        "these are counts; divide by the number of samples to get probabilities.",
    )
    expect(close(total, 1), f"the probabilities add up to {total:.4g}, not to 1.")
    expect(
        set(got) != {4.0},
        "without replacement every sample is the data again: draw each time from all of them.",
    )
    expect(set(got) == {2.0, 4.0, 9.0}, "the median of the buses takes the values 2, 4 and 9.")
    expect(
        not close(got[2.0], 3 / 10) and not close(got[2.0], 1 / 3),
        "the ordered samples are equally likely; if you count sets, (2, 2, 4) and (4, 2, 2) "
        "are one set, although they are separate samples.",
    )
    expect(close(got[2.0], 7 / 27), "7 of the 27 samples of the buses have the median 2.")
    twins = probabilities(exact_bootstrap(max, [1, 1, 5]))
    expect(
        close(twins.get(5, 0), 19 / 27),
        "with data 1, 1, 5 the maximum is 5 with probability 19/27: two equal observations are "
        "still two observations.",
    )
    for statistic, data in ((max, [3, 7]), (sum, [0, 1, 1, 4]), (min, [2.5]), (len, [1, 2, 3])):
        want = {}
        for sample in product(data, repeat=len(data)):
            value = statistic(sample)
            want[value] = want.get(value, 0) + len(data) ** -len(data)
        got = probabilities(exact_bootstrap(statistic, data))
        expect(
            set(got) == set(want) and all(close(got[v], want[v]) for v in want),
            f"wrong for the {statistic.__name__} of {data}: it should be {want}.",
        )


def unseen(samples, losses):
    """The losses of each row by models that have not seen it."""
    every = range(len(losses[0]))
    return [[loss[i] for rows, loss in zip(samples, losses) if i not in rows] for i in every]


@checker("bootstrap-3")
def check_leave_one_out(leave_one_out):
    def answer(samples, losses):
        return float(leave_one_out([*map(list, samples)], [*map(list, losses)]))

    samples = [[0, 0, 2, 3], [0, 1, 1, 3], [1, 1, 1, 3]]
    losses = [[0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0]]
    got = answer(samples, losses)
    expect(
        got == got,  # False for NaN
        "a row that is in every sample has no model to predict it: skip it, do not divide by zero.",
    )
    expect(
        not close(got, 4 / 12),
        "that is the naive estimate: a row counts only for models whose sample lacks it.",
    )
    expect(
        not close(got, 3 / 4),
        "you pooled all losses of rows left out: first take the mean of each row, then the mean "
        "over the rows.",
    )
    expect(
        not close(got, 2.5 / 4),
        "skip a row that is in every sample, and do not count it as an error of 0.",
    )
    expect(
        close(got, 2.5 / 3),
        f"for the samples {samples} and the losses {losses} it is (1 + 1 + 1/2) / 3.",
    )
    for seed in range(5):
        random, n = Random(seed), 6 + seed
        samples = draw_samples(n, 4 + 5 * seed, seed)
        losses = [[random.expovariate(1) for _ in range(n)] for _ in samples]
        want = fmean(fmean(own) for own in unseen(samples, losses) if own)
        missed = [sorted(set(range(n)) - set(rows)) for rows in samples]
        by_sample = fmean(fmean(loss[i] for i in out) for out, loss in zip(missed, losses) if out)
        got = answer(samples, losses)
        expect(
            not close(got, by_sample),
            "you took the mean of each sample first: take that of each row, then over the rows.",
        )
        expect(
            close(got, want),
            f"right for the table, but {got:.4g} instead of {want:.4g} for losses that are not 0 "
            "or 1.",
        )


@checker("bootstrap-7")
def check_bootstrap_difference(bootstrap_difference):
    def answer(statistic, a, b, B, seed=0):
        found = as_list(bootstrap_difference(statistic, [*a], [*b], B, seed))
        expect(
            found is not None and len(found) == B and all(map(is_number, found)),
            "return a list of B numbers, one for each pair of samples.",
        )
        return found

    a, b, drawn = [1, 2, 3, 4, 5], [20, 30, 40], []

    def recorded(sample):
        drawn.append(sorted(sample))
        return fmean(sample)

    got = answer(recorded, a, b, 60)
    expect(max(got) > 0, "the difference is the statistic of b minus that of a.")
    own = [sample for sample in drawn if set(sample) <= set(a) or set(sample) <= set(b)]
    expect(
        len(own) == len(drawn),
        "a sample contains observations of both groups: draw from each group by itself. The pooled "
        "data would tell how large the difference is by chance if the groups were equal.",
    )
    expect(
        all(len(sample) == (5 if sample[0] in a else 3) for sample in drawn),
        "each sample has as many observations as its own group, here 5 and 3.",
    )
    repeats = {
        name: {tuple(sample) for sample in drawn if sample[0] in group}
        for name, group in (("a", a), ("b", b))
    }
    expect(
        any(len(found) > 1 for found in repeats.values()),
        "every sample contains each observation once: draw with replacement.",
    )
    for name, found in repeats.items():
        expect(
            len(found) > 1,
            f"group {name} is never drawn anew, but its observations could have been others too.",
        )
    pairs = answer(fmean, [0, 1, 2, 3], [10, 11, 12, 13], 40)
    expect(
        max(pairs) - min(pairs) > 1e-9,
        "both samples consist of the same rows (or come from the same seed): the groups are "
        "independent, so draw them with one generator, one after the other.",
    )
    again, other = answer(fmean, a, b, 60), answer(fmean, a, b, 60, seed=1)
    expect(got == again, "two calls with the same seed should return the same replicates.")
    expect(got != other, "another seed should return other replicates.")
    many = answer(fmean, a, b, 2000)
    want = pvariance(a) / 5 + pvariance(b) / 3
    expect(
        abs(pvariance(many) / want - 1) < 0.2 and abs(fmean(many) - 27) < 0.2 * want**0.5,
        f"the mean and the variance of 2000 differences of means are {fmean(many):.2f} and "
        f"{pvariance(many):.2f}; they should be near 27 and {want:.2f}.",
    )
