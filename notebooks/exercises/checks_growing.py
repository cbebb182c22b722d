"""Checkers of the chapter "Growing a tree: CART"."""

import inspect
import sys

import checks_growing_plain  # noqa: F401 (registers its checkers)
import numpy as np
import pandas as pd

from treelab.checkers import checker, expect
from treelab.fast.growing import split_table


class TooManyCalls(BaseException):
    """More calls than were allowed; not an Exception, so that no answer's `except` catches it."""


def call_within(limit, function, *args):
    """Call a function, and stop it, in its own lines, after so many calls of any functions."""
    count, before = 0, sys.getprofile()
    home = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", None)

    def on_event(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")
        # Elsewhere it may be ignored, as in a callback, and then nothing counts any more.
        if count > limit and home in (None, frame.f_code.co_filename):
            raise TooManyCalls

    sys.setprofile(on_event)
    try:
        answer = function(*args)
    finally:
        sys.setprofile(before)
    if count > limit:  # it was raised where errors are ignored: in a callback, in a __del__
        raise TooManyCalls
    return answer


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
            "return a set of categories.",
        )
        left = {str(a) for a in answer}
        present = {str(a) for a in level}
        expect(left <= present, f"{sorted(left - present)} are not categories of this feature.")
        expect(left and left != present, "neither side may be empty.")
        table = split_table(
            pd.DataFrame({"level": pd.Categorical(level)}), y, criterion="squared_error"
        )
        goes_left = np.isin(level, list(left))
        low, high = y[goes_left].mean(), y[~goes_left].mean()
        gain = goes_left.mean() * (1 - goes_left.mean()) * (low - high) ** 2
        data = f"categories {''.join(map(str, level))[:12]}, left {sorted(left)}"
        expect(
            np.isclose(gain, table["gain"].max()),
            f"there is a better split ({data}); did you sort the categories by the mean of y, and "
            "try to divide that list at every point?",
        )
        expect(low < high, f"this is the side with the higher mean ({data}).")
    level = np.repeat(list("abcdefghijklmnopqr"), 4)
    try:  # 17 splits of the sorted list, and 131 071 of all groups
        call_within(100_000, best_levels, level, rng.normal(size=len(level)))
    except TooManyCalls:
        expect(
            False,
            "18 categories have 131071 splits, and you look at far more than 17. Sort the "
            "categories by their means, and divide only this list, at a single point.",
        )
