"""Checkers of the chapter "Why one tree is not enough"."""

import checks_instability_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab import DecisionTreeClassifier
from treelab.checkers import checker, expect


def predictions():
    """A few tables of predictions, (training sets, points), with a truth each."""
    for seed, m, n in ((0, 3, 4), (1, 7, 5), (2, 40, 3)):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=n)
        yield truth + rng.normal(0.5, 1.0 + rng.random(n), size=(m, n)), truth


def pair_of(got):
    """The two numbers, averaged over the points."""
    expect(np.shape(got) == (2,), "return two numbers, bias² and variance, averaged over points.")
    return float(got[0]), float(got[1])


@checker("instability-3")
def check_corrected(corrected):
    bias2, variance = pair_of(corrected(np.array([[2.0], [8.0], [5.0]]), np.array([4.0])))
    expect(not np.isclose(variance, 6), "divide by M - 1 = 2 in the variance of 2, 8 and 5.")
    expect(np.isclose(variance, 9), "the variance of 2, 8 and 5, with M - 1, is 18 / 2 = 9.")
    expect(
        not np.isclose(bias2, 1),
        "the mean of three predictions scatters too: take the variance over m off.",
    )
    expect(
        not np.isclose(bias2, 1 - 9),
        "the mean of m predictions has the variance s² / m: take off 3, not 9.",
    )
    expect(not np.isclose(bias2, 4), "the scatter of the mean is taken off, not added.")
    expect(
        not np.isclose(bias2, 0),
        "an estimate may be negative; if you cut it off at 0, it is too large on average.",
    )
    expect(np.isclose(bias2, -2), "bias² is 1 - 9 / 3 = -2 for the three stumps.")
    for P, truth in predictions():
        bias2, variance = pair_of(corrected(P.copy(), truth.copy()))
        expect(
            np.isclose(variance, P.var(axis=0, ddof=1).mean())
            and np.isclose(bias2 + variance, np.mean((P - truth) ** 2)),
            "right for one point, wrong for several: work column by column, then average.",
        )


def elect(P):
    """The class with the most votes for each case, the smallest of equals."""
    return np.array([np.bincount(column).argmax() for column in P.T])


@checker("instability-4")
def check_vote_gain(vote_gain):
    box = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    got = float(vote_gain(box, np.array([0, 0, 0])))
    expect(
        not np.isclose(got, 0.25),
        "the sign: the error of one model less that of the vote, negative where the vote harms.",
    )
    expect(
        not np.isclose(got, 1.0),
        "you returned an error, not a difference of two errors.",
    )
    expect(
        np.isclose(got, -0.25),
        "three cases of class 0, each with one vote of four for it: 0.75 - 1 = -0.25.",
    )
    mean_is_wrong = np.array([[0, 2], [0, 2], [0, 0], [2, 2], [2, 2]])
    expect(
        np.isclose(vote_gain(mean_is_wrong, np.array([0, 2])), 0.3),
        "votes 0, 0, 0, 2, 2 elect class 0: count the votes, do not average class numbers.",
    )
    expect(
        np.isclose(vote_gain(np.array([[1], [0]]), np.array([0])), 0.5),
        "one vote each for the classes 0 and 1: in a tie the smallest class wins.",
    )
    for seed in range(4):
        rng = np.random.default_rng(seed)
        P, y = rng.integers(3, size=(6, 40)), rng.integers(3, size=40)
        want = np.mean(P != y) - np.mean(elect(P) != y)
        expect(
            np.isclose(vote_gain(P.copy(), y.copy()), want),
            "wrong with three classes: the class with the most votes wins, half is not needed.",
        )


@checker("instability-5")
def check_root_shares(root_shares):
    for seed, n, p, B in ((0, 40, 3, 20), (1, 60, 5, 30)):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, p))
        y = (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0).astype(int)
        got = np.asarray(root_shares(X.copy(), y.copy(), B, seed), dtype=float)
        expect(got.shape == (p,), f"return one share for each of the {p} columns.")
        expect(
            not np.isclose(got.sum(), B), "you returned counts: divide by the number of samples."
        )
        expect(np.isclose(got.sum(), 1), "the shares of the columns sum to 1.")
        draw, want = np.random.default_rng(seed), np.zeros(p)
        for _ in range(B):
            i = draw.integers(n, size=n)
            want[DecisionTreeClassifier(max_depth=1).fit(X[i], y[i]).tree_.feature[0]] += 1 / B
        expect(
            np.allclose(got, want) or not np.isclose(got.max(), 1),
            "the root never changes: each sample must be drawn anew, with one generator made "
            "before the loop.",
        )
        expect(
            np.allclose(got, want),
            "the shares differ from those of the prescribed draws: rows = rng.integers(n, size=n), "
            "the same rows of X and of y, and only the root counts.",
        )
