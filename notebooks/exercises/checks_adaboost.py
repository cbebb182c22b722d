"""Checkers of the chapter "AdaBoost"."""

from functools import cache

import checks_adaboost_plain  # noqa: F401 (registers its checkers)
import numpy as np
from sklearn.datasets import load_breast_cancer

from treelab import AdaBoostClassifier
from treelab.boosting import boosting_table
from treelab.checkers import checker, expect
from treelab.datasets import load_bike_demand

# The ten days of the chapter: what the three stumps say, and the truth.
DEMAND = np.array([-1] * 3 + [1] * 5 + [-1] * 2)
TEMP = np.array([4, 5, 7, 12, 18, 23, 27, 28, 32, 35.0])
AFTER_ONE = np.where(TEMP > 30, 0.25, 0.0625)


def plain_margins(model, X, y):
    """Margins by counting: votes for the true class less those against it."""
    total = np.zeros(len(y))
    for vote, member in zip(model.estimator_weights_, model.estimators_, strict=True):
        total += np.where(member.predict(X) == y, vote, -vote)
    return total / sum(model.estimator_weights_)


@cache
def ten_days():
    """Three rounds on the ten days."""
    X, y = load_bike_demand("level", return_X_y=True)
    X, y = X[["temp"]].to_numpy(float), y.to_numpy()
    return AdaBoostClassifier(n_estimators=3).fit(X, y), X, y


@cache
def noisy_tumors():
    """Forty rounds on 200 tumors in random order, a tenth of the labels flipped."""
    X, y = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(3)
    rows = rng.permutation(len(y))[:200]
    X, y = X[rows], y[rows]
    y = np.where(rng.random(200) < 0.1, 1 - y, y)
    return AdaBoostClassifier(n_estimators=40).fit(X, y), X, y


def ranked(score, k):
    """The rows of the k smallest scores, the smallest first."""
    return np.argsort(score, kind="stable")[:k]


def brute_least_error(x, y, w):
    """Smallest error over all cuts and all words on the two sides."""
    errors = [w[y == 1].sum(), w[y == -1].sum()]
    for cut in np.unique(x)[:-1]:
        for left in (1, -1):
            for right in (1, -1):
                errors.append(w[np.where(x <= cut, left, right) != y].sum())
    return min(errors)


@checker("adaboost-3")
def check_suspects(suspects):
    model, X, y = noisy_tumors()
    margin, k = plain_margins(model, X, y), 12
    table = boosting_table(model, X, y)
    last = table[table["round"] == table["round"].max()]

    got = np.asarray(suspects(model, X.copy(), y.copy(), k))
    expect(got.ndim == 1, "return one list or array of row numbers.")
    expect(
        got.dtype != bool and len(got) != len(y),
        "return the numbers of k rows, not a value for each case.",
    )
    expect(len(got) == k, f"return k row numbers: here {k}, and you return {len(got)}.")
    expect(
        not np.allclose(got, np.sort(margin)[:k]),
        "these are the margins themselves; return the numbers of their rows (np.argsort).",
    )
    whole = got.astype(int)
    expect(
        (whole == got).all() and (whole >= 0).all(),
        "return whole row numbers; the first row has the number 0.",
    )
    expect(
        not np.array_equal(whole, ranked(table["margin"], k)),
        "boosting_table has a row for each case in each round: take those of the last round.",
    )
    expect((whole < len(y)).all(), f"there are only {len(y)} cases, so no row above {len(y) - 1}.")
    expect(len(set(whole)) == k, "you name a row twice.")
    expect(
        not np.allclose(np.sort(margin[whole]), np.sort(margin)[-k:]),
        "these are the safest cases: the suspects are at the other end.",
    )
    expect(
        not np.allclose(np.abs(margin[whole]), np.sort(np.abs(margin))[:k]),
        "these are the undecided cases, with margins near 0; a suspect is on the wrong side.",
    )
    score = np.where(y == model.classes_[1], margin, -margin)
    expect(
        not np.allclose(score[whole], np.sort(score)[:k]),
        "you ranked by the vote for the second class; a margin counts towards the true class.",
    )
    expect(
        not np.array_equal(whole, ranked(-last["weight"].to_numpy(), k)),
        "weight is what a case has before the last round, so this misses one; use the margin.",
    )
    expect(
        np.allclose(np.sort(margin[whole]), np.sort(margin)[:k]),
        "some of these cases have larger margins than others that you leave out.",
    )
    expect(
        np.allclose(margin[whole], np.sort(margin)[:k]),
        "the right cases in another order: the smallest margin comes first.",
    )
    model, X, y = ten_days()
    got = np.asarray(suspects(model, X.copy(), y.copy(), 3))
    expect(
        sorted(got.tolist()) == [0, 1, 2],
        "right for the tumors, wrong for the ten days, whose classes are words and not numbers.",
    )


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
        "a stump may also say +1 on the left and -1 on the right, and the weights decide which "
        "stump is the best.",
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
        "that is from the simpler bound exp(-2 B edge^2), which asks for a few rounds more.",
    )
    expect(
        got != 225,
        "one round short: after 225 rounds the bound is still above 1/100. Round up.",
    )
    expect(
        got != 113,
        "the factor of a round is 2 sqrt(error (1 - error)), not its square.",
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
