"""Checkers of the chapter on impurity that need tables: the blind spots of the error rate."""

import checks_impurity_plain  # noqa: F401 (registers its checkers)
import numpy as np
import pandas as pd

from treelab import datasets
from treelab.checkers import Hint, checker, expect
from treelab.fast.impurity import impurity_table


def _tables():
    """Tables of categories, with a useless column, a constant one and one that the error sees."""
    yield datasets.load_mushrooms(return_X_y=True)
    yield datasets.load_vegetation(return_X_y=True)
    yield datasets.load_ten_points(return_X_y=True)
    y = np.repeat(["good", "bad"], [7, 3])
    yield pd.DataFrame({
        "constant": ["a"] * 10,
        "blind": list("uuuuuvvvvv"),
        "seen": list("uuuuuuuvvv"),
        "account": list("uuvvvvvuuv"),
    }), y  # fmt: skip
    rng = np.random.default_rng(3)
    X = pd.DataFrame({f"q{m}": rng.integers(0, m, size=60).astype(str) for m in (2, 3, 5, 9)})
    yield X, rng.choice(["no", "yes"], size=60, p=[0.8, 0.2])


def _weighted_tables():
    """The tables with weights of 1, then with each class three times in turn."""
    tables = [(X, pd.Series(np.asarray(y))) for X, y in _tables()]
    for X, y in tables:
        yield X, y, np.ones(len(y))
    for X, y in tables:
        for k in y.unique():
            yield X, y, np.where(y == k, 3.0, 1.0)


def _gains(X, y, w, criterion):
    """The gain of each column, in the order of the columns."""
    return impurity_table(X, y, criterion, w).groupby("feature", sort=False)["gain"].first()


def _blind(X, y, w):
    """The gains by Gini and by the error rate, and the columns that only Gini sees."""
    by_gini, by_error = _gains(X, y, w, "gini"), _gains(X, y, w, "misclassification")
    return by_gini, by_error, [c for c in X if by_gini[c] > 1e-12 and by_error[c] < 1e-12]


@checker("impurity-4")
def _(blind_spots):
    for X, y, w in _weighted_tables():
        found = list(blind_spots(X.copy(), y.copy(), w.copy()))
        by_gini, by_error, right = _blind(X, y, w)
        if set(found) == set(right):
            continue
        expect(set(found) <= set(X.columns), f"return names of columns, not {found!r}.")
        expect(set(found) != set(_blind(X, y, np.ones(len(y)))[2]), "these are the blind spots "
               "when all rows weigh the same; here the rows have weights w.")  # fmt: skip
        for c in found:
            expect(by_gini[c] > 1e-12, f"{c!r} has no Gini gain either (a gain of 1e-17 is "
                   "rounding), so it is no blind spot: nothing is to be seen there.")  # fmt: skip
            expect(
                by_error[c] < 1e-12,
                f"by the error rate {c!r} has a gain of {by_error[c]:.3f}, so it is no blind spot.",
            )
        missed = [c for c in right if c not in found]
        raise Hint(f"{missed} is missing. Computed gains are seldom exactly 0: call a gain below "
                   "1e-12 zero.")  # fmt: skip
