"""Checkers of the chapter "Bagging and out-of-bag error"."""

import checks_bagging_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.checkers import checker, expect


@checker("bagging-6")
def check_bagged_maximum(bagged_maximum):
    two = bagged_maximum(np.array([0.0, 1.0]))
    expect(
        not bagged_maximum(np.array([1.0, 1.0])) > 1.1,
        'your weights add up to more than 1: "at most the i-th" is not yet "just the i-th".',
    )
    expect(
        not np.isclose(two, 1.0),
        "that is the plain maximum; a bootstrap sample of two misses it with probability 1/4.",
    )
    expect(not np.isclose(two, 0.5), "the mean of the maxima, not the mean of the numbers.")
    expect(
        np.isclose(two, 0.75, atol=1e-9) or not np.isclose(two, 0.75, atol=0.05),
        "close, but drawn: no random numbers are needed, the weights are known exactly.",
    )
    expect(
        np.isclose(two, 0.75, atol=1e-9),
        "of 0 and 1, three of the four samples have the maximum 1: the answer is 3/4.",
    )
    expect(
        np.isclose(bagged_maximum(np.array([1.0, 0.0])), 0.75),
        "the numbers may come in any order: the weights belong to the sorted ones.",
    )
    for seed in range(6):
        x = np.random.default_rng(seed).normal(size=3 + seed)
        n = len(x)
        grid = np.arange(n + 1) / n
        want = np.sort(x) @ np.diff(grid**n)
        expect(np.isclose(bagged_maximum(x.copy()), want), f"right for two numbers, not for {n}.")
    expect(
        np.isclose(bagged_maximum(np.array([5.0, 5.0, 5.0])), 5.0),
        "three fives have the maximum 5.",
    )
