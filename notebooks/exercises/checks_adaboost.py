"""Checkers of the chapter "AdaBoost"."""

from functools import cache

import checks_adaboost_plain  # noqa: F401 (registers its checkers)
import numpy as np
from sklearn.datasets import load_breast_cancer

from treelab import AdaBoostClassifier
from treelab.checkers import checker, expect
from treelab.datasets import load_bike_demand
from treelab.fast.boosting import boosting_table


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


@checker("adaboost-5")
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
