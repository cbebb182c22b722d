"""Checkers of the chapter "AdaBoost"."""

import numpy as np
from checkers import checker, expect

from treelab.adaboost import reweight, vote_weight

# The ten days of the chapter: what the three stumps say, and the truth.
SAID = np.array([[-1] * 3 + [1] * 7, [1] * 8 + [-1] * 2, [-1] * 10])
ALPHA = np.log([4, 13 / 3, 21 / 5]) / 2
DEMAND = np.array([-1] * 3 + [1] * 5 + [-1] * 2)
TEMP = np.array([4, 5, 7, 12, 18, 23, 27, 28, 32, 35.0])
AFTER_ONE = np.where(TEMP > 30, 0.25, 0.0625)


def plain_margins(said, alpha, y):
    """Margins by counting: confidence for the true class less that against it."""
    pros = [sum(a for a, s in zip(alpha, column, strict=True) if s == t)
            for column, t in zip(said.T, y, strict=True)]  # fmt: skip
    return 2 * np.array(pros) / sum(alpha) - 1


def brute_least_error(x, y, w):
    """Smallest error over all cuts and all words on the two sides."""
    errors = [w[y == 1].sum(), w[y == -1].sum()]
    for cut in np.unique(x)[:-1]:
        for left in (1, -1):
            for right in (1, -1):
                errors.append(w[np.where(x <= cut, left, right) != y].sum())
    return min(errors)


@checker("adaboost-2")
def check_one_round(one_round):
    correct = SAID[0] == DEMAND
    given = np.full(10, 0.1)
    alpha, after = one_round(given, correct.copy())
    after = np.asarray(after, dtype=float)
    expect(
        np.allclose(given, 0.1),
        "you changed the array that you were given: make a new one for the new weights.",
    )
    expect(
        not np.isclose(alpha, np.log(4)),
        "that is ln((1 - e) / e), the weight of scikit-learn; the confidence is half of it.",
    )
    expect(
        not np.isclose(alpha, -np.log(4) / 2),
        "your confidence is negative for a member that is mostly right: (1 - e) belongs on top.",
    )
    expect(np.isclose(alpha, np.log(4) / 2), "for an error of 0.2 the confidence is 0.6931.")
    expect(after.shape == (10,), "return one weight for each case.")
    expect(
        not np.allclose(after, np.where(correct, 0.25, 0.0625)),
        "the wrong cases must gain weight, and yours lose it.",
    )
    expect(np.isclose(after.sum(), 1), "after the round the weights must have the sum 1 again.")
    expect(
        np.allclose(after[~correct].sum(), 0.5),
        "half of the weight must lie on the wrong cases after the round.",
    )
    expect(np.allclose(after, AFTER_ONE), "after round 1 the days weigh 0.0625, the hot ones 0.25.")
    alpha, after = one_round(AFTER_ONE.copy(), SAID[1] == DEMAND)
    expect(
        not np.isclose(alpha, np.log(7 / 3) / 2),
        "the weighted error is the weight of the wrong cases, not their number over n.",
    )
    for seed in range(10):
        rng = np.random.default_rng(seed)
        weight = rng.dirichlet(np.ones(8))
        correct = np.arange(8) != weight.argmin()
        vote = vote_weight(weight[~correct].sum())
        alpha, after = one_round(weight.copy(), correct.copy())
        expect(np.isclose(alpha, vote / 2), "wrong confidence for weights that differ.")
        expect(
            np.allclose(after, reweight(weight, correct, vote)),
            "right for equal weights, wrong for others: multiply the old weights, case by case.",
        )


@checker("adaboost-3")
def check_margins(margins):
    got = np.asarray(margins(SAID.copy(), ALPHA.copy(), DEMAND.copy()), dtype=float)
    score = ALPHA @ SAID
    want = plain_margins(SAID, ALPHA, DEMAND)
    expect(got.shape == (10,), "return one margin for each of the 10 cases.")
    expect(
        not np.allclose(got, DEMAND * score),
        "divide by the sum of the confidences, so that all are between -1 and 1.",
    )
    expect(
        not np.allclose(got, DEMAND * score / 3),
        "you divided by the number of members; divide by the sum of their confidences.",
    )
    expect(
        not np.allclose(got, score / ALPHA.sum()),
        "that is the share of the vote for +1: a margin counts towards the true class.",
    )
    expect(
        not np.allclose(got, DEMAND * SAID.mean(axis=0)),
        "every member has the same say with you: use the confidences.",
    )
    expect(np.allclose(got[:3], want[:3]), "the cold days have the margin 0.316.")
    for seed in range(10):
        rng = np.random.default_rng(seed)
        said, y = rng.choice([-1, 1], size=(1 + seed, 12)), rng.choice([-1, 1], size=12)
        alpha = rng.uniform(0.1, 2, size=1 + seed)
        got, want = margins(said.copy(), alpha.copy(), y.copy()), plain_margins(said, alpha, y)
        expect(
            not np.allclose(got, np.abs(want)) or np.allclose(want, np.abs(want)),
            "a misclassified case has a negative margin: do not take the absolute value.",
        )
        expect(np.allclose(got, want), "right for the ten days, wrong for other votes.")


@checker("adaboost-5")
def check_least_error(least_error):
    equal = np.full(10, 0.1)
    got = least_error(TEMP.copy(), DEMAND.copy(), equal.copy())
    expect(
        not np.isclose(got, 2),
        "you counted cases: an error is the sum of the weights of the wrong ones.",
    )
    expect(np.isclose(got, 0.2), "with equal weights, no stump has less than 0.2 on the ten days.")
    got = least_error(TEMP.copy(), DEMAND.copy(), AFTER_ONE.copy())
    expect(
        not np.isclose(got, 0.5) and not np.isclose(got, 5 / 16),
        "a stump may also say +1 on the left and -1 on the right.",
    )
    expect(
        np.isclose(got, 3 / 16),
        "with the weights after round 1 the least error on the ten days is 3/16: use the weights.",
    )
    x = np.array([1.0, 1.0, 2.0, 2.0])
    got = least_error(x, np.array([-1, 1, -1, 1]), np.array([0.3, 0.2, 0.1, 0.4]))
    expect(
        np.isclose(got, 0.3),
        "no stump can separate two cases of the same value: cut only between different values.",
    )
    got = least_error(np.arange(3.0), np.array([1, -1, 1]), np.array([0.4, 0.1, 0.5]))
    expect(
        np.isclose(got, 0.1),
        "a stump that says the same on both sides may be the best one.",
    )
    got = least_error(np.ones(3), np.array([1, -1, 1]), np.array([0.4, 0.1, 0.5]))
    expect(np.isclose(got, 0.1), "where all values are equal, the same must be said to all.")
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(6, size=9).astype(float), rng.choice([-1, 1], size=9)
        w = rng.dirichlet(np.ones(9))
        expect(
            np.isclose(least_error(x.copy(), y.copy(), w.copy()), brute_least_error(x, y, w)),
            "wrong for random cases in random order: sort y and w together with x.",
        )


@checker("adaboost-7")
def check_enough_rounds(enough_rounds):
    got = enough_rounds(0.1, 100)
    expect(
        float(got) == int(got), "a number of rounds is whole: how many are needed to pass the mark?"
    )
    expect(
        got != 231,
        "that is from the simpler bound exp(-2 M edge^2), which asks for a few rounds more.",
    )
    expect(
        got != 225,
        "one round short: after 225 rounds the bound is still above 1/100. Round up.",
    )
    expect(
        got != 113,
        "the factor of a round is 2 sqrt(e (1 - e)), not its square.",
    )
    expect(got == 226, "for an edge of 0.1 and 100 cases it takes 226 rounds.")
    expect(
        enough_rounds(0.1, 1) == 1,
        "a bound equal to 1/n still allows one error: for a single case it takes 1 round, not 0.",
    )
    for edge in (0.01, 0.05, 0.2, 0.45):
        for n in (2, 10, 5000):
            M, factor = enough_rounds(edge, n), np.sqrt(1 - 4 * edge**2)
            expect(
                factor**M < 1 / n <= factor ** (M - 1),
                f"wrong for an edge of {edge} and {n} cases.",
            )
