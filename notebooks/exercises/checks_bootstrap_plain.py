"""Checkers of the chapter "The bootstrap" that also run in the page."""

from itertools import product
from statistics import median

from plain_checks import close

from treelab.checkers import checker, expect


def shares(answer):
    """The probabilities as floats, so that fractions are welcome too."""
    return {value: float(share) for value, share in dict(answer).items()}


@checker("bootstrap-3")
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
