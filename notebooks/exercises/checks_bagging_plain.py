"""Checkers of the chapter "Bagging and out-of-bag error" that also run in the page."""

from math import comb
from random import Random

from plain_checks import as_list, close, column, pair

from treelab.checkers import checker, expect

# The seven cuttings of the chapter: what is in each sample, what each stump says, the truth.
SAMPLES = [[3, 3, 4, 4, 5, 5, 5], [0, 0, 1, 3, 5, 6, 6], [0, 1, 1, 2, 2, 3, 6]]
SAID = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1, 1]]
ROOTED = [0, 0, 1, 0, 1, 1, 1]


def elected(votes):
    """The class with the most votes; of equals the smallest."""
    return min(set(votes), key=lambda k: (-votes.count(k), k))


def judged(samples, said, y):
    """Out-of-bag error and coverage of class codes, by the definition."""
    wrong = covered = 0
    for i, target in enumerate(y):
        heard = [votes[i] for rows, votes in zip(samples, said, strict=True) if i not in rows]
        if heard:
            covered += 1
            wrong += elected(heard) != target
    return wrong / covered, covered / len(y)


@checker("bagging-2")
def check_majority(majority):
    def found(votes, n_classes):
        return as_list(majority(column(votes), n_classes))

    got = found(SAID, 2)
    expect(
        got is not None and len(got) == 7,
        "the table has a row for each member and a column for each case: return one class for "
        "each of the 7 cases.",
    )
    expect(
        got not in ([0, 0, 0, 0, 0, 1, 1], [0] * 7),
        "two votes of three are enough: a majority need not be unanimous.",
    )
    expect(got == [0, 0, 0, 0, 1, 1, 1], "the vote of the three stumps is wrong.")
    three = [[0, 2, 1], [0, 2, 2], [2, 0, 2], [2, 0, 0], [2, 1, 2]]
    expect(
        found(three, 3)[0] != 1,
        "class 1 wins without a single vote: class numbers are names, do not average them.",
    )
    expect(
        found([[0], [1]], 2) == [0],
        "one vote each is a tie: the first class, the one with the smaller number, wins.",
    )
    expect(
        found([[2, 1], [1, 2]], 4) == [1, 1],
        "one vote each for 1 and 2 is a tie: the smaller number wins, whoever votes first.",
    )
    for seed in range(20):
        random = Random(seed)
        votes = [[random.randrange(4) for _ in range(9)] for _ in range(6)]
        expect(
            found(votes, 4) == [elected(case) for case in zip(*votes)],
            "wrong for four classes: count the votes for each class, the largest count wins.",
        )


@checker("bagging-3")
def check_oob_error(oob_error):
    def found(samples, said, y):
        answer = oob_error([column(rows) for rows in samples], column(said), column(y))
        return pair(answer, "return two numbers: the error and the coverage.")

    error, coverage = found(SAMPLES, SAID, ROOTED)
    expect(
        not close(error, 1 / 7),
        "1/7 is the error of the vote of all members: only those that have not drawn a case may "
        "judge it.",
    )
    expect(
        not close(error, 3 / 8) and not close(error, 1 / 4),
        "you took the mean over single votes: first let the out-of-bag members of a case vote, "
        "then compare once for each case.",
    )
    expect(
        not close(error, 3 / 7) and not close(error, 2 / 7),
        "cutting 4 has no vote: leave it out of the error instead of counting it right or wrong.",
    )
    expect(
        not close(error, 1 / 6),
        "cutting 5 has one vote on each side: in a tie the smaller number wins.",
    )
    expect(close(error, 2 / 6), "for the seven cuttings the error is 2/6.")
    expect(close(coverage, 6 / 7), "for the seven cuttings the coverage is 6/7.")
    for seed in range(10):
        random, B = Random(seed), 1 + seed
        samples = [[random.randrange(12) for _ in range(12)] for _ in range(B)]
        said = [[random.randrange(3) for _ in range(12)] for _ in range(B)]
        y = [random.randrange(3) for _ in range(12)]
        got, right = found(samples, said, y), judged(samples, said, y)
        expect(
            close(got[0], right[0]) and close(got[1], right[1]),
            "right for the cuttings, wrong with three classes and other numbers of members.",
        )


def exactly(k, B, error):
    """Chance that exactly k of B members are wrong."""
    return comb(B, k) * error**k * (1 - error) ** (B - k)


def more_than(k, B, error):
    """Chance that more than k of B members are wrong."""
    return sum(exactly(i, B, error) for i in range(k + 1, B + 1))


@checker("bagging-4")
def check_wrong_vote(wrong_vote):
    got = wrong_vote(0.4, 10)
    expect(
        not close(got, more_than(4, 10, 0.4)),
        "you count every tie as an error; a coin decides, so half of the ties end well.",
    )
    expect(
        not close(got, more_than(5, 10, 0.4)),
        "you count every tie as right; a coin decides, so half of the ties end badly.",
    )
    expect(
        not close(got, 1 - more_than(5, 10, 0.4) - exactly(5, 10, 0.4) / 2),
        "that is the chance that the vote is right.",
    )
    expect(
        close(got, 0.26656768),
        "for 10 members that err in 4 of 10 cases the answer is 0.2666: the chance of more than "
        "5 wrong votes, and half the chance of 5.",
    )
    for error in (0.1, 0.4, 0.5, 0.6):
        for B in (1, 2, 5, 24, 101):
            tie = exactly(B // 2, B, error) if B % 2 == 0 else 0.0
            expect(
                close(wrong_vote(error, B), more_than(B // 2, B, error) + tie / 2),
                f"wrong for error = {error} and B = {B}.",
            )
