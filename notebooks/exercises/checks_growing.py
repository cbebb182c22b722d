"""Checkers of the chapter "Growing a tree: CART"."""

import sys

import checks_growing_plain  # noqa: F401 (registers its checkers)
import numpy as np
import pandas as pd

from treelab import DecisionTreeRegressor
from treelab.checkers import checker, expect
from treelab.growing import split_table


class TooManyCalls(BaseException):
    """More calls than were allowed; not an Exception, so that no answer's `except` catches it."""


def call_within(limit, function, *args):
    """Call a function, and stop it after so many calls of Python or C functions."""
    count, before = 0, sys.getprofile()

    def on_event(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")
        if count > limit:
            raise TooManyCalls

    sys.setprofile(on_event)
    try:
        return function(*args)
    finally:
        sys.setprofile(before)


@checker("growing-3")
def check_best_levels(best_levels):
    rng = np.random.default_rng(1)
    cases = [
        (list("aabbcc"), [1, 2, 9, 10, 1, 3]),
        (list("abcdabcd"), [0, 10, 1, 9, 2, 12, 1, 11]),
        (list("zyxzyx"), [1, 5, 9, 2, 6, 8]),
        (list("aabccccc"), [4, 4, 5, 3, 3, 3, 3, 3]),
        (list("bbbbba"), [1, 1, 1, 1, 1, 3]),
    ]
    for _ in range(5):
        level = rng.choice(list("abcdefg"), 40)
        cases.append((level, rng.normal(size=40) + (level == "c") - 2 * (level == "f")))
    for names, targets in cases:
        level, y = np.array(names), np.array(targets, dtype=float)
        answer = best_levels(level, y)
        expect(
            isinstance(answer, set | frozenset | list | tuple | np.ndarray),
            "return a set of levels.",
        )
        left = {str(a) for a in answer}
        present = {str(a) for a in level}
        expect(left <= present, f"{sorted(left - present)} are not levels of this feature.")
        expect(left and left != present, "neither side may be empty.")
        table = split_table(
            pd.DataFrame({"level": pd.Categorical(level)}), y, criterion="squared_error"
        )
        goes_left = np.isin(level, list(left))
        low, high = y[goes_left].mean(), y[~goes_left].mean()
        gain = goes_left.mean() * (1 - goes_left.mean()) * (low - high) ** 2
        data = f"levels {''.join(map(str, level))[:12]}, left {sorted(left)}"
        expect(
            np.isclose(gain, table["gain"].max()),
            f"there is a better split ({data}); did you order the levels by the mean of y, and try "
            "every cut of that order?",
        )
        expect(low < high, f"this is the side with the higher mean ({data}).")
    level = np.repeat(list("abcdefghijklmnopqr"), 4)
    try:  # 17 cuts of the order, and 131 071 splits
        call_within(100_000, best_levels, level, rng.normal(size=len(level)))
    except TooManyCalls:
        expect(
            False,
            "18 levels have 131071 splits, and you look at far more than 17: put the levels in the "
            "order of their means, and try the cuts of that order only.",
        )


@checker("growing-5")
def check_thresholds(thresholds):
    rng = np.random.default_rng(2)
    cases = [
        ([1, 2, 3], [0, 0, 1], 1),
        ([1, 1, 2, 2], [0, 1, 0, 1], 1),
        ([5, 5, 5], [1, 2, 3], 1),
        ([4, 5, 7, 12, 18, 23, 27, 28, 32, 35], [6, 7, 9, 12, 18, 22, 21, 17, 8, 5], 1),
        ([4, 5, 7, 12, 18, 23, 27, 28, 32, 35], [6, 7, 9, 12, 18, 22, 21, 17, 8, 5], 3),
        (rng.permutation(30), rng.normal(size=30), 1),
        (rng.permutation(30), rng.normal(size=30), 4),
    ]
    for values, targets, least in cases:
        x, y = np.array(values, dtype=float), np.array(targets, dtype=float)
        tree = DecisionTreeRegressor(min_samples_leaf=least).fit(x[:, None], y).tree_
        want = np.sort(tree.threshold[~tree.is_leaf])
        answer = thresholds(x, y, least)
        expect(isinstance(answer, list | tuple | np.ndarray), "return a list of numbers.")
        got = np.asarray(answer, dtype=float)
        data = f"x = {x.tolist()[:10]}, y = {y.round(2).tolist()[:10]}, min_samples_leaf={least}"
        expect(np.all(np.diff(got) > 0), f"the thresholds are to be in ascending order: {data}.")
        if len(got) < len(want) and np.ptp(x) == 1 and y.std() > 0:
            expect(False, f"a cut that gains nothing is a cut, while the targets differ: {data}.")
        ends = [0, *np.searchsorted(np.sort(x), got, side="right"), len(x)]  # of the leaves
        expect(
            np.diff(ends).min() >= least,
            f"a side of one of your cuts has fewer than min_samples_leaf rows: {data}.",
        )
        expect(
            len(got) == len(want),
            f"{len(got)} thresholds instead of {len(want)}; do both sides of every cut grow on? "
            f"{data}.",
        )
        expect(np.allclose(got, want), f"some thresholds are not those of the best cuts: {data}.")


@checker("growing-6")
def check_best_gains(best_gains):
    rng = np.random.default_rng(3)
    frames = [
        (pd.DataFrame({"u": [1, 2, 3, 4], "v": [0, 1, 0, 1]}), np.array(["a", "b", "a", "b"]))
    ]
    for n in (40, 90):
        X = pd.DataFrame(
            {
                "noise": rng.normal(size=n),
                "kind": pd.Categorical(rng.choice(["p", "q", "r", "s"], n)),
                "size": rng.integers(0, 20, n),
            }
        )
        y = np.where((X["size"] > 8) ^ (rng.random(n) < 0.2), "bad", "good")
        frames.append((X, y))
    for X, y in frames:
        answer = best_gains(X, y)
        expect(isinstance(answer, pd.Series), "return a pandas Series.")
        expect(set(answer.index) == set(X.columns), "there is one gain for each column of X.")
        table = split_table(X, y, criterion="gini")
        want = pd.Series({c: table["gain"][table["feature"] == c].max() for c in X.columns})
        got = answer.reindex(want.index)
        entropy = split_table(X, y, criterion="entropy")
        other = pd.Series({c: entropy["gain"][entropy["feature"] == c].max() for c in X.columns})
        if not np.allclose(got, want):
            expect(not np.allclose(got, other), "these are gains in entropy, not in Gini impurity.")
            mean = [table["gain"][table["feature"] == c].mean() for c in X.columns]
            expect(not np.allclose(got, mean), "take the best cut of a column, not the average.")
            left = [table["remainder"][table["feature"] == c].min() for c in X.columns]
            expect(not np.allclose(got, left), "this is the remainder; the gain is asked for.")
        expect(np.allclose(got, want), f"the gains are {want.round(4).to_dict()}.")
        expect(answer.is_monotonic_decreasing, "put the greatest gain first.")
