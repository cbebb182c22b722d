"""Checkers of the chapter on impurity: gains, thresholds, blind spots, Quinlan's rule."""

import checks_impurity_plain  # noqa: F401 (registers its checkers)
import numpy as np
import pandas as pd

from treelab import datasets
from treelab.checkers import Hint, checker, expect
from treelab.impurity import CRITERIA, impurity_table, information_gain

QUESTIONS = [
    [[0, 4], [2, 3], [3, 2]],
    [[4, 1, 0], [4, 0, 1]],
    [[1, 0], [49, 50]],
    [[2, 2], [2, 2]],
    [[5, 0, 0], [3, 1, 1], [0, 0, 7], [0, 0, 0]],
    [[0.5, 1.5], [2.5, 0.25]],
]


def close(a, b):
    """Equal but for rounding."""
    return abs(a - b) < 1e-9


@checker("impurity-3")
def _(gain):
    for table in map(np.array, QUESTIONS):
        for name, Q in CRITERIA.items():
            W, branches = table.sum(), table[table.sum(axis=1) > 0]
            right = float(information_gain(table, name))
            left_over = float(Q(table.sum(axis=0))) - right
            found = float(gain(table.copy(), Q))
            if close(found, right):
                continue
            where = f" (table {table.tolist()}, {name})"
            expect(np.isfinite(found), "a branch without cases has no share to weigh: leave "
                   "it out." + where)  # fmt: skip
            expect(not close(found, -right), "the sign: the gain is before less after." + where)
            expect(not close(found, left_over), "that is the remainder; the gain is what it takes "
                   "away from the impurity of the node." + where)  # fmt: skip
            expect(not close(found, W * right), "that is the total gain; divide by the weight of "
                   "the node for the gain per case." + where)  # fmt: skip
            plain = float(Q(table.sum(axis=0))) - float(np.mean(Q(branches)))
            expect(not close(found, plain), "average the branches by their weight W_j / W, not as "
                   "equals." + where)  # fmt: skip
            raise Hint(f"the gain should be {right:.4f}, you return {found:.4f}.{where}")


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


def _gains(X, y, criterion):
    """The gain of each column, in the order of the columns."""
    return impurity_table(X, y, criterion).groupby("feature", sort=False)["gain"].first()


@checker("impurity-5")
def _(blind_spots):
    for X, y in _tables():
        found = list(blind_spots(X.copy(), y.copy()))
        by_gini, by_error = _gains(X, y, "gini"), _gains(X, y, "misclassification")
        right = [c for c in X if by_gini[c] > 1e-12 and by_error[c] < 1e-12]
        if set(found) == set(right):
            continue
        expect(set(found) <= set(X.columns), f"return names of columns, not {found!r}.")
        for c in found:
            expect(by_gini[c] > 1e-12, f"{c!r} has no Gini gain either (a gain of 1e-17 is "
                   "rounding): nothing is to be seen there.")  # fmt: skip
            expect(by_error[c] < 1e-12, f"the error rate sees {c!r}: it gains {by_error[c]:.3f}.")
        missed = [c for c in right if c not in found]
        raise Hint(f"{missed} is missing. Computed gains are seldom exactly 0: call a gain below "
                   "1e-12 zero.")  # fmt: skip


@checker("impurity-6")
def _(quinlan_choice):
    for X, y in [*_tables(), *_splinters()]:
        table = impurity_table(X, y).groupby("feature", sort=False)
        score = table[["gain", "gain_ratio"]].first()
        admitted = score[score["gain_ratio"].notna()]
        allowed = admitted[admitted["gain"] >= admitted["gain"].mean() - 1e-12]
        right, found = allowed["gain_ratio"].idxmax(), quinlan_choice(X.copy(), y.copy())
        if found == right:
            continue
        expect(isinstance(found, str) and found in X.columns, "return the name of one column.")
        expect(found in admitted.index, f"{found!r} has a single level and is not admitted.")
        columns = X.columns.tolist()
        expect(found in allowed.index, f"{found!r} has the gain {score['gain'][found]:.4f}, "
               f"below the average {admitted['gain'].mean():.4f} of the admitted columns. Columns "
               "with a single level do not count in the average.")  # fmt: skip
        expect(found != admitted["gain"].idxmax(), f"{found!r} has the largest gain; among "
               "those with at least the average gain, the largest ratio wins.")  # fmt: skip
        raise Hint(f"of {columns}, the choice is {right!r}, you return {found!r}. Does the average "
                   "count columns with a single level?")  # fmt: skip


def _splinters():
    """A splinter that wins the plain ratio, and a constant column that would lower the average."""
    y = np.repeat(["a", "b"], 50)
    half = np.repeat(["u", "v", "u", "v"], [35, 15, 15, 35])
    splinter = np.array(["one"] + ["rest"] * 99)
    constant = np.array(["same"] * 100)
    yield pd.DataFrame({"splinter": splinter, "half": half}), y
    weak = np.repeat(["u", "v", "u", "v"], [40, 10, 28, 22])
    yield pd.DataFrame({"c1": constant, "splinter": splinter, "weak": weak, "half": half}), y
    corner = np.repeat(["u", "v"], [5, 95])
    yield pd.DataFrame(
        {"c1": constant, "c2": constant, "c3": constant, "corner": corner, "half": half,
         "whole": np.char.add(half, np.resize(["1", "2", "3", "4"], 100))}
    ), y  # fmt: skip
