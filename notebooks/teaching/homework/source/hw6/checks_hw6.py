"""Checkers of the assignment "What the trees say"."""

from functools import cache
from itertools import permutations

import numpy as np
import pandas as pd

from treelab import RandomForestClassifier
from treelab.checkers import checker, expect, judged
from treelab.datasets import fetch_german_credit
from treelab.fast.importance import (
    importance_z_scores,
    impurity_decreases,
    mean_decrease_impurity,
    permutation_importance,
)


def near(got, want, within=0.004):
    """Whether numbers agree to about three decimals."""
    got = np.asarray(got, dtype=float)
    return got.shape == np.shape(want) and np.allclose(got, want, rtol=0, atol=within)


# --- by hand -----------------------------------------------------------------------------

NAMES = ["south", "wall", "queen"]
# Hives on the left; yes on the left, on the right; what is added by yes on the right, by the right
# side, by yes on the left.
SHAPES = [
    (3, 1, 1, 3, 10, -1), (3, 1, 1, -2, -8, -1), (3, 1, 2, 2, 11, -1), (4, 1, 4, 2, -7, 1),
    (4, 1, 4, 3, -10, -1), (4, 1, 5, 2, -6, 1), (4, 2, 2, 2, 8, 1), (4, 2, 2, 3, 11, 1),
    (4, 2, 4, -3, 9, -1), (4, 2, 4, -2, 6, -1), (4, 2, 4, -2, 7, -1), (4, 2, 5, -3, 6, 1),
    (4, 2, 5, -3, 9, 1), (4, 2, 5, 2, -5, -1), (4, 3, 1, -3, -9, -1), (4, 3, 1, -2, -6, 1),
    (4, 3, 1, 2, 6, 1), (4, 3, 4, -2, 7, -1), (4, 3, 5, -3, 6, 1), (4, 3, 5, -2, 6, 1),
    (4, 3, 5, 2, -6, 1), (6, 5, 3, 3, -6, -1),
]  # fmt: skip
SKIPPED = {  # where a typical mistake gives the right answer, or a feature costs nothing
    14, 52, 66, 79, 94, 114, 167, 222, 263, 279, 284, 300, 332, 335, 404, 409, 416, 423,
    439, 449, 506, 509, 516, 625, 631, 649, 661, 678, 724, 743, 755, 767, 797, 806, 865,
    944, 947, 952,
}  # fmt: skip


def given(number):
    """The hives of part A.

    Parameters
    ----------
    number : int
        The student's; 0 gives the hives of the key. Above 999 the tables begin anew.

    Returns
    -------
    hives, neighbor : DataFrame
        Ten hives to learn from, five to predict; each answer is 0 or 1.
    """
    number %= 1000
    if number == 0:
        known = [[0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1, 0, 1],
                 [0, 1, 0, 1, 0, 0, 0, 0, 1, 1]]  # fmt: skip
        honey = [4, 4, 8, 8, 10, 10, 10, 10, 22, 22]
        asked, told = [[1, 1, 0, 0, 1], [0, 1, 1, 0, 0], [1, 0, 1, 0, 0]], [20, 12, 9, 5, 9]
        return as_table(known, honey), as_table(asked, told)
    rng = np.random.default_rng([6, number + 1000 * (number in SKIPPED)])
    order = rng.permutation(3)  # the feature asked first, that on its left, that on its right
    n_left, *yes, step, gap, slope = SHAPES[rng.integers(len(SHAPES))]
    means = rng.integers(16, 23) + np.array([max(-gap, 0), max(gap, 0)])
    known = np.zeros((3, 10), dtype=int)
    known[order[0], n_left:] = 1
    leaves, honey = [], []
    for side, rows in enumerate([slice(0, n_left), slice(n_left, 10)]):
        n = rows.stop - rows.start
        known[order[1 + side], rows] = np.arange(n) >= n - yes[side]
        known[order[2 - side], rows] = (np.arange(n) + rng.integers(2)) % 2
        change = (slope, step)[side]
        leaves.append((means[side] - change * yes[side], means[side] + change * (n - yes[side])))
        honey += [leaves[side][answer] for answer in known[order[1 + side], rows]]
    asked = [rng.permutation([0, 0, 1, 1, rng.integers(2)]) for _ in NAMES]
    first, left, right = (asked[j] for j in order)
    says = [leaves[f][r if f else a] for f, a, r in zip(first, left, right)]
    return as_table(known, honey), as_table(asked, says + rng.choice([-2, -1, 1, 2], 5))


def as_table(known, honey):
    """Answers, by feature, and honey as a DataFrame."""
    return pd.DataFrame(dict(zip(NAMES, known)) | {"honey": honey})


def in_form(answer, n, what):
    """The answer as an array of n finite numbers."""
    found = np.asarray(answer, dtype=float)
    expect(found.shape == (n,), f"give {what}.")
    expect(np.isfinite(found).all(), f"give {what}: one of them is no finite number.")
    return found


@checker("hw6-1")
def check_impurity(answer):
    judged("hw6-1", in_form(answer, 3, "three numbers: south, wall, queen"))


@checker("hw6-2")
def check_expected(answer):
    judged("hw6-2", in_form(answer, 8, "eight numbers, one for each set of known answers"))


@checker("hw6-3")
def check_shapley_by_hand(answer):
    judged("hw6-3", in_form(answer, 3, "three numbers: south, wall, queen"))


@checker("hw6-4")
def check_shuffles_by_hand(answer):
    judged("hw6-4", in_form(answer, 3, "three numbers: south, wall, queen"))


# --- functions ---------------------------------------------------------------------------


def first_column(X):
    """A model that reads the first column only."""
    return 3 * X[:, 0]


@checker("hw6-5", plain=True)
def check_shuffle_losses(shuffle_losses):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = first_column(X) + rng.normal(size=60)
    before = X.copy(), y.copy()
    ask = ([[0], [1], [0, 2]], 30)
    got = np.asarray(shuffle_losses(first_column, X, y, *ask, np.random.default_rng(1)), float)
    expect(
        np.array_equal(X, before[0]) and np.array_equal(y, before[1]),
        "X or y has changed: shuffle a copy.",
    )
    expect(
        got.shape == (3, 30),
        "return one row for each group and one column for each repeat.",
    )
    error = np.mean((first_column(X) - y) ** 2)
    expect(
        not np.allclose(np.abs(got[1]), error),
        "subtract the error before the shuffle: a column that the model never reads loses nothing.",
    )
    expect(
        np.allclose(got[1], 0),
        "the check's model reads column 0 only. Column 1 is one that the model never reads, but "
        "after column 0 was shuffled it loses something: start each group from the unshuffled "
        "table.",
    )
    expect(
        got[0].mean() > 0,
        "the sign is reversed: take the error after the shuffle less the error before.",
    )
    expect(np.ptp(got[0]) > 0, "all repeats are equal: draw a new order for each repeat.")
    again = shuffle_losses(first_column, X, y, *ask, np.random.default_rng(1))
    expect(
        np.array_equal(got, again),
        "the same generator gave other numbers: draw from `rng` alone.",
    )
    seen = []

    def spy(table):
        seen.append(table.copy())
        return first_column(table)

    shuffle_losses(spy, X.copy(), y, [[0], [2]], 4, np.random.default_rng(2))
    expect(
        all(np.array_equal(np.sort(t, axis=0), np.sort(X, axis=0)) for t in seen),
        "a shuffle only changes places: each value must still be there exactly once.",
    )
    twins = np.column_stack([X[:, 0], X[:, 0]])
    pairs = [[0, 1], [0]]
    got = np.asarray(
        shuffle_losses(lambda t: t[:, 0] - t[:, 1], twins, np.zeros(60), pairs, 5, rng), float
    )
    expect(
        np.allclose(got[0], 0),
        "the check's model is column 0 less column 1, which are equal, with the group [0, 1]: the "
        "columns of a group move together. Use the same order of rows for all of them.",
    )
    expect(
        np.all(got[1] > 0),
        "the check's model is column 0 less column 1, which are equal, so it is always right; "
        "with the group [0] alone the shuffle must cost something.",
    )
    against = np.asarray(
        shuffle_losses(lambda t: -t[:, 0], X, X[:, 0], [[0]], 20, np.random.default_rng(4)), float
    )
    expect(
        against.mean() < 0,
        "the check's model predicts -y, and a shuffle of its column helps it: a loss may be "
        "negative, leave it so.",
    )
    large = np.random.default_rng(5).normal(size=(300, 2))
    target = first_column(large)
    got = shuffle_losses(first_column, large, target, [[0]], 40, np.random.default_rng(6))
    expect(
        np.isclose(np.mean(got), 2 * np.var(target), rtol=0.06),
        "for a model that is always right the mean over many shuffles is twice the variance of "
        "the predictions; yours is not. Is the loss the mean squared error?",
    )


def correlations(X, y):
    """Squared correlation of each column with y."""
    return np.array([np.corrcoef(x, y)[0, 1] ** 2 for x in X.T])


@checker("hw6-6", plain=True)
def check_p_values(p_values):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + 0.1 * rng.normal(size=40)
    seen = []

    def measure(table, target):
        found = correlations(table, target)
        seen.append((target.copy(), found))
        return found

    before = y.copy()
    got = np.asarray(p_values(measure, X.copy(), y, 39, np.random.default_rng(1)), dtype=float)
    expect(np.array_equal(y, before), "y has changed: shuffle a copy.")
    expect(got.shape == (3,), "return one number for each column.")
    null = [found for target, found in seen if not np.array_equal(target, y)]
    expect(
        all(np.array_equal(np.sort(target), np.sort(y)) for target, _ in seen),
        "a shuffle only changes places: y must keep each of its values exactly once.",
    )
    expect(
        len(null) < 2 or any(not np.allclose(found, null[0]) for found in null),
        "all shuffles are equal: draw a new order each time.",
    )
    expect(got[0] != 0, "a p-value is never 0: the data as they are count as one of the orders.")
    expect(
        got[0] < 0.5,
        "column 0 makes the target; count the shuffles that reach its importance, not those that "
        "stay below.",
    )
    expect(
        not np.isclose(got[0], 1 / 39),
        "with 39 shuffles there are 40 orders, the true one included: divide by 40.",
    )
    expect(np.isclose(got[0], 1 / 40), "no shuffle reaches the importance of column 0: p is 1/40.")
    equal = p_values(lambda X, y: np.zeros(2), X[:, :2], y, 9, np.random.default_rng(2))
    expect(
        np.allclose(equal, 1),
        "where all importances are equal, every shuffle reaches the true one: count >=, not >.",
    )
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(12, 4)), rng.normal(size=12)
        seen.clear()
        got = p_values(measure, X, y, 19, rng)
        true = correlations(X, y)
        drawn = np.array([found for target, found in seen if not np.array_equal(target, y)])
        expect(
            len(drawn) == 19,
            "shuffle y, not X: measure the data once as they are, and once for each shuffle of y.",
        )
        expect(
            not np.allclose(got, (1 + (drawn >= true.max()).sum(axis=0)) / 20)
            or np.allclose(true, true.max()),
            "compare each column with its own importance.",
        )
        expect(
            np.allclose(got, (1 + (drawn >= true).sum(axis=0)) / 20),
            "right for a clear case, wrong for random ones: p is 1 more than the number of "
            "shuffles that reach the true importance, over 1 more than the number of shuffles.",
        )
    again = [p_values(correlations, X, y, 19, np.random.default_rng(7)) for _ in range(2)]
    expect(np.array_equal(*again), "draw from `rng` alone.")


def by_orders(predict, X, x):
    """Shapley values as the mean over all orders."""
    p = X.shape[1]

    def v(known):
        table = X.copy()
        table[:, list(known)] = x[list(known)]
        return np.mean(predict(table))

    orders = list(permutations(range(p)))
    values = np.zeros(p)
    for order in orders:
        for i, j in enumerate(order):
            values[j] += v(order[: i + 1]) - v(order[:i])
    return values / len(orders)


def twisted(X):
    """A model of three features with interactions."""
    return X[:, 0] * X[:, 1] + np.maximum(X[:, 1], X[:, 2]) + X[:, 0] * X[:, 1] * X[:, 2]


@checker("hw6-7", plain=True)
def check_shapley(shap_values):
    rng = np.random.default_rng(0)
    X, x = rng.normal(size=(20, 3)), np.array([2.0, -1.0, 1.0])
    before = X.copy(), x.copy()

    def linear(table):
        return 1 + table @ [3.0, 2.0, -4.0]

    got = np.asarray(shap_values(linear, X, x), dtype=float)
    expect(
        np.array_equal(X, before[0]) and np.array_equal(x, before[1]),
        "X or x has changed: put the values of x into a copy.",
    )
    expect(got.shape == (3,), "return one number for each column.")
    want = np.array([3.0, 2.0, -4.0]) * (x - X.mean(axis=0))
    expect(
        not np.allclose(got, -want),
        "the signs are reversed: the known features come from x, the unknown ones from X.",
    )
    expect(
        not np.allclose(got, np.array([3.0, 2.0, -4.0]) * x),
        "an unknown feature is not 0: it takes its values from the rows of X.",
    )
    expect(
        np.allclose(got, want),
        "for a linear model the value of a feature is its coefficient times x less the mean of "
        "its column.",
    )
    got = np.asarray(shap_values(twisted, X, x), dtype=float)
    mean = twisted(X.mean(axis=0)[None])[0]
    expect(
        not np.isclose(got.sum(), twisted(x[None])[0] - mean),
        "you predicted the mean row; take the mean of the predictions of all rows.",
    )
    alone, last, single = (np.zeros(3) for _ in range(3))
    for j in range(3):
        other = [k for k in range(3) if k != j]
        tables = [X.copy() for _ in range(2)]
        tables[0][:, j] = x[j]
        tables[1][:, other] = x[other]
        alone[j] = np.mean(twisted(tables[0])) - np.mean(twisted(X))
        last[j] = twisted(x[None])[0] - np.mean(twisted(tables[1]))
    single = by_orders(twisted, X, x)
    expect(
        not np.allclose(got, alone),
        "that is what each feature adds when it comes first; average over all orders.",
    )
    expect(
        not np.allclose(got, last),
        "that is what each feature adds when it comes last; average over all orders.",
    )
    middle = (6 * single - 2 * alone - 2 * last) / 2  # mean of the two sets of one other feature
    expect(
        not np.allclose(got, (alone + last + 2 * middle) / 4),
        "the sets do not count alike: with three features, none and both others known have the "
        "share 1/3 each, one other known 1/6 each. (In hw6-3 the plain mean gives the same, as no "
        "prediction there depends on three features at once.)",
    )
    expect(
        np.isclose(got.sum(), twisted(x[None])[0] - np.mean(twisted(X))),
        "the values must add up to the prediction for x less the mean prediction.",
    )
    expect(np.allclose(got, single), "wrong for a model with interactions; go through the orders.")
    wide, at = rng.normal(size=(9, 4)), rng.normal(size=4)

    def four(table):
        return twisted(table[:, :3]) * (1 + table[:, 3])

    expect(
        np.allclose(shap_values(four, wide, at), by_orders(four, wide, at)),
        "right for three features, wrong for four: a set of k others has the share "
        "k! (p - k - 1)! / p!.",
    )
    one = shap_values(lambda t: t[:, 0] ** 2, X[:, :1], x[:1])
    expect(
        np.allclose(one, 4 - np.mean(X[:, 0] ** 2)),
        "a single feature has the whole difference from the mean.",
    )


# --- credit ------------------------------------------------------------------------------


@cache
def lending_parts():
    """The forest of part C, the loans by part: "training" and "held out"."""
    credit = fetch_german_credit()
    rng = np.random.default_rng(0)
    X = credit.data.copy()
    X.insert(0, "file_number", rng.permutation(1000))
    bad = (credit.target == "bad").to_numpy().astype(int)
    order = rng.permutation(1000)
    train, test = order[:600], order[600:]
    forest = RandomForestClassifier(60, min_samples_leaf=3, random_state=0)
    loans = {
        part: (X.iloc[rows], bad[rows]) for part, rows in (("training", train), ("held out", test))
    }
    return forest.fit(*loans["training"]), loans


def lending():
    """The forest of part C, and its held-out loans."""
    forest, loans = lending_parts()
    return forest, *loans["held out"]


@cache
def lost_area(part):
    """What shuffling each column costs the forest on the loans of a part."""
    forest, loans = lending_parts()
    return permutation_importance(
        forest, *loans[part], scoring="roc_auc", n_repeats=5, random_state=0
    ).importances_mean


@cache
def lending_table():
    """Impurity, z-score and permutation importance of each column."""
    forest = lending_parts()[0]
    z = importance_z_scores(impurity_decreases(forest))
    return np.column_stack([mean_decrease_impurity(forest), z, lost_area("held out")])


@cache
def lending_pair():
    """What is lost without the duration, without the amount, without both."""
    forest, X, y = lending()
    groups = [["duration"], ["credit_amount"], ["duration", "credit_amount"]]
    return permutation_importance(
        forest, X, y, scoring="roc_auc", n_repeats=5, random_state=0, groups=groups
    ).importances_mean


@checker("hw6-9")
def check_measures(measures):
    want = lending_table()
    columns = lending()[1].columns
    names = ["impurity", "z", "permutation"]
    for name in names:
        expect(name in measures.columns, f"there is no column `{name}`: name the three as asked.")
    expect(
        set(measures.index) == set(columns) and len(measures) == len(columns),
        "the index must hold the names of the 21 columns of the table.",
    )
    impurity, z, lost = measures[names].reindex(columns).to_numpy(float).T
    decreases = impurity_decreases(lending()[0])
    expect(
        not near(impurity, decreases.mean(axis=0), 6e-4),
        "these are decreases; `mean_decrease_impurity` divides them by their sum.",
    )
    expect(
        near(impurity, want[:, 0], 6e-4),
        "wrong in the column `impurity`: it is what `mean_decrease_impurity` says of the forest.",
    )
    expect(
        not near(z, decreases.mean(axis=0) / decreases.std(axis=0), 1e-2),
        "z divides by the standard error of the mean, not by the standard deviation of the trees.",
    )
    expect(near(z, want[:, 1], 1e-2), "wrong in the column `z`: take the decreases of all trees.")
    close = near(lost, want[:, 2], 1e-3)
    expect(
        close or (lost[0] < 0.05 and not near(lost, lost_area("training"), 1e-3)),
        "that is what the training loans lose, which the forest knows by heart: take the held-out "
        "loans.",
    )
    expect(
        close or not near(2000 * lost, np.round(2000 * lost), 1e-6),
        "this is lost accuracy; set `scoring` to the area under the ROC curve.",
    )
    expect(
        close,
        "wrong in the column `permutation`: 5 repeats, `random_state=0`, not divided by anything.",
    )


@checker("hw6-10")
def check_together(together):
    want = lending_pair()
    expect(np.shape(together) == (3,), "give three numbers: duration, amount, both.")
    expect(
        not near(together, [want[0], want[1], want[0] + want[1]], 1e-4),
        "you added the two up; shuffle both columns with the same order and see what is lost.",
    )
    expect(
        not near(together, [want[1], want[0], want[2]], 1e-4),
        "you exchanged the duration and the amount.",
    )
    expect(
        not near(together, want / want.sum(), 1e-4),
        "do not divide by the sum: the three are no parts of a whole.",
    )
    expect(near(together, want, 1e-3), "use the settings of hw6-9, with `groups`.")
