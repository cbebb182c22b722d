"""Checkers of the chapter "Bagging and out-of-bag"."""

import checks_bagging_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.checkers import checker, expect

# The seven cuttings of the chapter: what is in each sample, what each stump says, the truth.
SAMPLES = [
    np.array([3, 3, 4, 4, 5, 5, 5]),
    np.array([0, 0, 1, 3, 5, 6, 6]),
    np.array([0, 1, 1, 2, 2, 3, 6]),
]
SAID = np.array([[0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1, 1]])
ROOTED = np.array([0, 0, 1, 0, 1, 1, 1])


def judged(samples, said, y):
    """Out-of-bag error and coverage of class codes, by the definition."""
    wrong = covered = 0
    for i, target in enumerate(y):
        heard = [votes[i] for rows, votes in zip(samples, said, strict=True) if i not in rows]
        if heard:
            covered += 1
            wrong += np.bincount(heard).argmax() != target
    return wrong / covered, covered / len(y)


@checker("bagging-2")
def check_majority(majority):
    got = np.asarray(majority(SAID.copy(), 2))
    expect(
        got.shape == (7,),
        "the table has a row for each member and a column for each case: return one class for "
        "each of the 7 cases.",
    )
    expect(
        not np.array_equal(got, (SAID.sum(axis=0) == 3)) and not np.array_equal(got, [0] * 7),
        "two votes of three are enough: a majority need not be unanimous.",
    )
    expect(np.array_equal(got, [0, 0, 0, 0, 1, 1, 1]), "the vote of the three stumps is wrong.")
    three = np.array([[0, 2, 1], [0, 2, 2], [2, 0, 2], [2, 0, 0], [2, 1, 2]])
    got = np.asarray(majority(three.copy(), 3))
    expect(
        got[0] != 1,
        "class 1 wins without a single vote: class numbers are names, do not average them.",
    )
    expect(
        np.asarray(majority(np.array([[0], [1]]), 2))[0] == 0,
        "one vote each is a tie: the first class, the one with the smaller number, wins.",
    )
    expect(
        np.asarray(majority(np.array([[2, 1], [1, 2]]), 4)).tolist() == [1, 1],
        "one vote each for 1 and 2 is a tie: the smaller number wins, whoever votes first.",
    )
    for seed in range(20):
        votes = np.random.default_rng(seed).integers(4, size=(6, 9))
        want = [np.bincount(column, minlength=4).argmax() for column in votes.T]
        expect(
            np.array_equal(majority(votes.copy(), 4), want),
            "wrong for four classes: count the votes for each class, the largest count wins.",
        )


@checker("bagging-3")
def check_oob_error(oob_error):
    error, coverage = oob_error([rows.copy() for rows in SAMPLES], SAID.copy(), ROOTED.copy())
    expect(
        not np.isclose(error, 1 / 7),
        "1/7 is the error of the vote of all members: only those that have not drawn a case may "
        "judge it.",
    )
    expect(
        not np.isclose(error, 3 / 8) and not np.isclose(error, 1 / 4),
        "you took the mean over single votes: first let the out-of-bag members of a case vote, "
        "then compare once for each case.",
    )
    expect(
        not np.isclose(error, 3 / 7) and not np.isclose(error, 2 / 7),
        "cutting 4 has no vote: leave it out of the error instead of counting it right or wrong.",
    )
    expect(
        not np.isclose(error, 1 / 6),
        "cutting 5 has one vote on each side: in a tie the smaller number wins.",
    )
    expect(np.isclose(error, 2 / 6), "for the seven cuttings the error is 2/6.")
    expect(np.isclose(coverage, 6 / 7), "for the seven cuttings the coverage is 6/7.")
    for seed in range(10):
        rng = np.random.default_rng(seed)
        samples = [rng.integers(12, size=12) for _ in range(1 + seed)]
        said, y = rng.integers(3, size=(1 + seed, 12)), rng.integers(3, size=12)
        got = oob_error([rows.copy() for rows in samples], said.copy(), y.copy())
        expect(
            np.allclose(got, judged(samples, said, y)),
            "right for the cuttings, wrong with three classes and other numbers of members.",
        )


@checker("bagging-7")
def check_bagged_maximum(bagged_maximum):
    two = bagged_maximum(np.array([0.0, 1.0]))
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
