"""Judges of the assignment "What the trees say": what students must not have."""

from functools import lru_cache
from itertools import permutations, product

import numpy as np
from checks_hw6 import NAMES, given, near

from treelab.checkers import expect, own_number

SETS = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def squares(values):
    """Sum of squared deviations from the mean."""
    return np.sum((values - np.mean(values)) ** 2) if len(values) else 0.0


def gains(X, honey):
    """What a question about each feature takes off the sum of squares."""
    return [squares(honey) - squares(honey[x == 0]) - squares(honey[x == 1]) for x in X.T]


class Tree:
    """The tree of the hives of a number: its three questions, its decreases and its leaves."""

    def __init__(self, number):
        hives, neighbor = given(number)
        self.X, honey = hives[NAMES].to_numpy(), hives["honey"].to_numpy(float)
        self.new, self.told = neighbor[NAMES].to_numpy(), neighbor["honey"].to_numpy(float)
        found = gains(self.X, honey)
        self.first = int(np.argmax(found))
        self.asked, self.decrease, self.leaves = [], np.zeros(3), []
        self.decrease[self.first] = found[self.first]
        for side in (0, 1):
            here = self.X[:, self.first] == side
            found = gains(self.X[here], honey[here])
            self.asked.append(int(np.argmax(found)))
            self.decrease[self.asked[-1]] = max(found)
            x = self.X[here, self.asked[-1]]
            self.leaves.append([honey[here][x == v].mean() for v in (0, 1)])
        self.left, self.right = self.asked
        self.share = [np.mean(self.X[:, self.first] == side) for side in (0, 1)]
        self.mean = float(honey.mean())
        self.sides = [honey[self.X[:, self.first] == side].mean() for side in (0, 1)]

    def says(self, rows):
        """Predictions for rows of answers."""
        return np.array([self.leaves[r[self.first]][r[self.asked[r[self.first]]]] for r in rows])

    def expected(self, known):
        """What the tree expects of a hive with these answers yes, the others not known."""
        sides = [
            self.leaves[side][1] if self.asked[side] in known else self.sides[side]
            for side in (0, 1)
        ]
        return sides[1] if self.first in known else float(np.dot(self.share, sides))

    def errors(self, shares):
        """Mean absolute error by column; shares(column) are the weights, by hive and value."""
        result = np.zeros(3)
        for j, value in product(range(3), (0, 1)):
            table = self.new.copy()
            table[:, j] = value
            weights = shares(self.new[:, j])[:, value]
            result[j] += np.mean(weights * np.abs(self.says(table) - self.told))
        return result


@lru_cache(4)
def tree_of(number):
    """The tree of the hives of a number."""
    return Tree(number)


def judge_impurity(answer):
    tree = tree_of(own_number())
    right = tree.decrease / tree.decrease.sum()
    if near(answer, right):
        return
    expect(
        not near(answer, tree.decrease / 10) and not near(answer, tree.decrease),
        "these are the decreases; divide them by their sum, so that the three add up to 1.",
    )
    expect(near(np.sum(answer), 1), "the three shares have the sum 1.")
    n = np.array([10.0] * 3)
    n[tree.asked] = np.multiply(tree.share, 10)
    for wrong, hint in (
        (
            tree.decrease / n,
            f"a question that only {min(n):.0f} or {sorted(n)[1]:.0f} of the 10 hives reach counts "
            "less: take decreases of sums of squares, not of the mean squares in each node.",
        ),
        (np.ones(3), "each is asked once, but the gains differ."),
        (tree.decrease**2, "you squared the decreases; they are made of squares already."),
        (
            np.sqrt(tree.decrease),
            "the root belongs to the squared improvement; here the decreases themselves are "
            "shared.",
        ),
    ):
        expect(not near(answer, wrong / wrong.sum()), hint)
    expect(
        answer[tree.first] < answer[tree.right],
        "the first question is not always the most important one: work out the sums of squares.",
    )
    expect(
        False,
        "a question takes away the sum of squares of its node less those of its two children.",
    )


def judge_expected(answer):
    tree = tree_of(own_number())
    left, right = NAMES[tree.left], NAMES[tree.right]
    want = [tree.expected(known) for known in SETS]
    at = {j: 1 + j for j in range(3)}
    shares = " and ".join(
        f"{word} for {10 * share:.0f}" for word, share in zip(("left", "right"), tree.share)
    )
    expect(near(answer[7], want[7]), f"if all three answers are known the tree says {want[7]:.0f}.")
    leaf, side = tree.leaves, tree.sides
    young = tree.X[:, tree.right] == 1
    wrong = [
        (0, [np.mean(leaf)], f"nothing is known: {np.mean(leaf):g} is the plain mean of the "
         "leaves; each counts by its hives."),
        (at[tree.left], [leaf[0][1], (leaf[0][1] + side[1]) / 2],
         f"only the {left} is known: the root still sends the hive both ways, {shares} of 10."),
        (at[tree.right], [(leaf[1][1] + side[0]) / 2, tree.says(tree.X)[young].mean()],
         f"only the {right} is known: the root sends the hive {shares} of 10; neither halves will "
         f"do, nor the mean of the hives with this answer for {right}."),
        (at[tree.first], [np.mean(leaf[1])],
         f"only {NAMES[tree.first]} is known: not equally many hives have each answer for "
         f"{right}, so it is not halves."),
    ]  # fmt: skip
    for k, values, hint in wrong:
        expect(near(answer[k], want[k]) or not any(near(answer[k], v) for v in values), hint)
    for k, known in enumerate(SETS):
        name = " and ".join(NAMES[j] for j in known) or "nothing"
        expect(near(answer[k], want[k]), f"the expectation is wrong where this is known: {name}.")


def judge_shapley(answer):
    tree = tree_of(own_number())
    every = {0, 1, 2}
    orders = []
    for order in permutations(range(3)):
        steps = np.zeros(3)
        for i, j in enumerate(order):
            steps[j] = tree.expected(order[: i + 1]) - tree.expected(order[:i])
        orders.append(steps)
    right = np.mean(orders, axis=0)
    if near(answer, right):
        return
    first = [tree.expected({j}) - tree.expected(()) for j in range(3)]
    last = [tree.expected(every) - tree.expected(every - {j}) for j in range(3)]
    expect(
        not near(answer, first),
        "that is what each adds when it comes first; average over all orders.",
    )
    expect(
        not near(answer, last),
        "that is what each adds when it comes last; average over all orders.",
    )
    expect(
        not any(near(answer, steps) for steps in orders),
        "that is one order only; there are six.",
    )
    expect(
        not near(answer[tree.left], 0),
        f"the path of this hive never asks for {NAMES[tree.left]}; but while {NAMES[tree.first]} "
        "is unknown, a part of the tree is open where it counts.",
    )
    total = tree.expected(every) - tree.mean
    expect(
        near(np.sum(answer), total),
        f"the three must add up to the prediction less the mean: {tree.expected(every):g} - "
        f"{tree.mean:g}.",
    )
    for k, name in enumerate(NAMES):
        expect(near(answer[k], right[k]), f"wrong for {name}: go through the six orders once more.")


def judge_shuffles(answer):
    tree = tree_of(own_number())
    before = np.mean(np.abs(tree.says(tree.new) - tree.told))
    after = tree.errors(lambda x: np.tile(np.bincount(x, minlength=2) / 5, (5, 1)))
    right = after - before
    if near(answer, right):
        return
    own = np.eye(2)
    for wrong, hint in (
        (
            after,
            f"these are the errors after the shuffle; subtract the error before it, {before:g}.",
        ),
        (
            tree.errors(lambda x: 1 - own[x]) - before,
            "you turned every answer around; after a shuffle a hive may well have its own value.",
        ),
        (
            tree.errors(lambda x: np.full((5, 2), 0.5)) - before,
            "you gave both values the chance 1/2; they have the shares that they have in the "
            "column.",
        ),
        (
            tree.errors(lambda x: (np.bincount(x, minlength=2) - own[x]) / 4) - before,
            "you dealt each hive the value of another hive; its own is one of the five it may get.",
        ),
        (
            tree.decrease / tree.decrease.sum(),
            "that is the decrease in impurity; here only the five new hives count.",
        ),
        (
            -right,
            "the signs are reversed: take the error after the shuffle less the error before.",
        ),
    ):
        expect(not near(answer, wrong), hint)
    expect(
        not any(near(answer, 5 * right + k * before) for k in (0, 4, 5)),
        "these are sums over the hives; divide by five: the error is the mean of the five.",
    )
    for k, name in enumerate(NAMES):
        expect(
            near(answer[k], right[k]),
            f"wrong for {name}: for each hive take the error with either value, each with its "
            f"share, then the mean of the five, less {before:g}.",
        )


JUDGES = {
    "hw6-1": judge_impurity,
    "hw6-2": judge_expected,
    "hw6-3": judge_shapley,
    "hw6-4": judge_shuffles,
}
HELPERS = {}  # no function of this assignment calls another one
