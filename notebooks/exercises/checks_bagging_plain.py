"""Checkers of the chapter "Bagging and out-of-bag" that also run in the page."""

from math import comb

from plain_checks import close

from treelab.checkers import checker, expect


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
