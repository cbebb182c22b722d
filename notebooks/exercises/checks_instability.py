"""Checkers of the chapter "Why one tree is not enough"."""

import checks_instability_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.checkers import checker, expect


def elect(P):
    """The class with the most votes for each observation, in a tie the smallest."""
    return np.array([np.bincount(column).argmax() for column in P.T])


@checker("instability-4")
def check_vote_gain(vote_gain):
    box = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    got = float(vote_gain(box, np.array([0, 0, 0])))
    expect(
        not np.isclose(got, 0.25),
        "look at the sign. It is the error of one model minus that of the vote, so it is negative "
        "where the vote harms.",
    )
    expect(
        not np.isclose(got, 1.0),
        "you returned an error, not a difference of two errors.",
    )
    expect(
        np.isclose(got, -0.25),
        "three observations of class 0 have one vote of four for it each, so 0.75 - 1 = -0.25.",
    )
    mean_is_wrong = np.array([[0, 2], [0, 2], [0, 0], [2, 2], [2, 2]])
    expect(
        np.isclose(vote_gain(mean_is_wrong, np.array([0, 2])), 0.3),
        "the votes 0, 0, 0, 2, 2 elect class 0. Count the votes, and do not average class numbers.",
    )
    expect(
        np.isclose(vote_gain(np.array([[1], [0]]), np.array([0])), 0.5),
        "with one vote each for the classes 0 and 1, the smallest class wins.",
    )
    for seed in range(4):
        rng = np.random.default_rng(seed)
        P, y = rng.integers(3, size=(6, 40)), rng.integers(3, size=40)
        want = np.mean(P != y) - np.mean(elect(P) != y)
        expect(
            np.isclose(vote_gain(P.copy(), y.copy()), want),
            "wrong with three classes. The class with the most votes wins, and half is not needed.",
        )
