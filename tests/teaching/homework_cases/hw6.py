"""Right and wrong answers to the assignment "What the trees say"."""

from functools import lru_cache, partial
from itertools import combinations, permutations, product
from math import comb, factorial

import numpy as np
import pandas as pd
from checks_hw6 import lending, lending_pair, lending_table, lost_area

from treelab.fast.importance import impurity_decreases

# --- by hand -----------------------------------------------------------------------------

KNOWN = (10.8, 14, 11.6, 15.6, 14, 22, 16.4, 22)


def known_but(k, value):
    """The eight expectations with one of them wrong."""
    return (*KNOWN[:k], value, *KNOWN[k + 1 :])


def taken(rows, j):
    """What asking for feature j takes off the sum of squares of (answers, honey) pairs."""

    def off(some):
        mean = sum(honey for _, honey in some) / max(1, len(some))
        return sum((honey - mean) ** 2 for _, honey in some)

    return off(rows) - sum(off([row for row in rows if row[0][j] == v]) for v in (0, 1))


@lru_cache(64)
def question(rows):
    """The feature that takes most, None where nothing is left to ask."""
    most = max(range(3), key=lambda j: taken(rows, j))
    assert sorted(round(taken(rows, j), 6) for j in range(3))[1] < taken(rows, most) or (
        len({honey for _, honey in rows}) == 1
    ), "two questions are equally good"
    return most if taken(rows, most) > 1e-9 else None


def expectation(rows, known):
    """Honey of a hive with the answers in the dict `known`, by going down the hives."""
    j = question(rows)
    if j is None:
        return rows[0][1]
    sides = [tuple(row for row in rows if row[0][j] == v) for v in (0, 1)]
    if j in known:
        return expectation(sides[known[j]], known)
    return sum(len(side) * expectation(side, known) for side in sides) / len(rows)


def by_hand(given):
    """Right answers and typical mistakes for the hives of any number."""
    (hives, neighbor), names = given, ["south", "wall", "queen"]
    rows = tuple((tuple(row[:3]), float(row[3])) for row in hives.to_numpy().tolist())
    new = [(tuple(row[:3]), float(row[3])) for row in neighbor.to_numpy().tolist()]
    first = question(rows)
    sides = [tuple(row for row in rows if row[0][first] == v) for v in (0, 1)]
    left, right = map(question, sides)
    assert {first, left, right} == {0, 1, 2}, "each feature is asked once"
    n = {first: 10, left: len(sides[0]), right: len(sides[1])}
    took = [taken({first: rows, left: sides[0], right: sides[1]}[j], j) for j in range(3)]
    assert took[right] > 1.05 * took[first], "the first question is not the most important"

    def shares(values):
        return tuple(value / sum(values) for value in values)

    def v(*known):
        return expectation(rows, dict.fromkeys(known, 1))

    sets = [s for k in range(4) for s in combinations(range(3), k)]
    told = tuple(v(*s) for s in sets)
    leaves = [expectation(rows, {first: a, (left, right)[a]: b}) for a in (0, 1) for b in (0, 1)]
    mean = [sum(honey for _, honey in side) / len(side) for side in sides]
    other = [honey for answers, honey in rows if answers[right]]

    def but(k, value):
        return (*told[:k], value, *told[k + 1 :])

    steps = {}
    for order in permutations(range(3)):
        added = [v(*order[: i + 1]) - v(*order[:i]) for i in range(3)]
        steps[order] = tuple(added[order.index(j)] for j in range(3))
    shapley = tuple(sum(s[j] for s in steps.values()) / 6 for j in range(3))
    known = [sum(answers[right] for answers, _ in some) / len(some) for some in (rows, sides[1])]
    assert abs(known[0] - known[1]) * abs(leaves[3] - leaves[2]) > 0.2, "hw6-8 has an answer"

    says = {a: expectation(rows, dict(enumerate(a))) for a in product((0, 1), repeat=3)}

    def error(weight):
        found = []
        for j in range(3):
            total, column = 0.0, [row[0][j] for row in new]
            for i, (answers, honey) in enumerate(new):
                for value in (0, 1):
                    off = says[(*answers[:j], value, *answers[j + 1 :])] - honey
                    total += weight(column, i, value) * abs(off) / 5
            found.append(total)
        return np.array(found)

    before = sum(abs(says[a] - h) for a, h in new) / 5
    after = error(lambda column, i, value: column.count(value) / 5)
    loss = after - before
    assert loss.min() > 0.1
    half = error(lambda column, i, value: 0.5) - before
    turned = error(lambda column, i, value: column[i] != value) - before
    dealt = error(lambda column, i, value: (column.count(value) - (column[i] == value)) / 4)
    return {
        "hw6-1": (
            shares(took),
            [
                (tuple(took), "divide them by their sum"),
                (tuple(value / 10 for value in took), "divide them by their sum"),
                (shares([took[j] / n[j] for j in range(3)]), "counts less"),
                ((1 / 3, 1 / 3, 1 / 3), "asked once"),
                (shares([value**2 for value in took]), "you squared"),
                (shares([value**0.5 for value in took]), "the root belongs"),
                ([0.6 if j == first else 0.2 for j in range(3)], "not always the most important"),
            ],
        ),
        "hw6-2": (
            told,
            [
                (but(0, sum(leaves) / 4), "plain mean of the leaves"),
                (but(1 + left, leaves[1]), "both ways"),
                (but(1 + left, (leaves[1] + mean[1]) / 2), "both ways"),
                (but(1 + right, (mean[0] + leaves[3]) / 2), "neither halves"),
                (but(1 + right, sum(other) / len(other)), "neither halves"),
                (but(1 + first, (leaves[2] + leaves[3]) / 2), "not halves"),
                (but(6, told[6] + 1), "wall and queen"),
            ],
        ),
        "hw6-3": (
            shapley,
            [
                (tuple(v(j) - v() for j in range(3)), "comes first"),
                (tuple(told[7] - told[6 - j] for j in range(3)), "comes last"),
                (steps[0, 1, 2], "one order only"),
                (steps[2, 0, 1], "one order only"),
                ([0 if j == left else shapley[j] for j in range(3)], "never asks for"),
                ((shapley[0], shapley[1] + 0.5, shapley[2]), "add up to the prediction"),
                ((shapley[0] + 0.37, shapley[1], shapley[2] - 0.37), "wrong for south"),
            ],
        ),
        "hw6-4": (
            tuple(loss),
            [
                (tuple(after), "subtract the error before"),
                (tuple(turned), "turned every answer around"),
                (tuple(half), "the chance 1/2"),
                (tuple(dealt - before), "value of another hive"),
                (shares(took), "only the five new hives"),
                (tuple(5 * loss), "divide by five"),
                (tuple(5 * after), "divide by five"),
                (tuple(5 * after - before), "divide by five"),
                (tuple(-loss), "after the shuffle less the error before"),
                ((loss[0], loss[1], loss[2] + 0.06), f"wrong for {names[2]}"),
            ],
        ),
    }


# --- hw6-5 -------------------------------------------------------------------------------


def shuffles_loop(predict, X, y, groups, n_repeats, rng):
    before = np.mean((y - predict(X)) ** 2)
    rows = []
    for group in groups:
        row = []
        for _ in range(n_repeats):
            broken, order = X.copy(), rng.permutation(len(y))
            for j in group:
                broken[:, j] = X[order, j]
            row.append(np.mean((y - predict(broken)) ** 2) - before)
        rows.append(row)
    return rows


def shuffles_orders_first(predict, X, y, groups, n_repeats, rng):
    orders = [rng.permutation(len(X)) for _ in range(n_repeats)]

    def loss(table):
        return ((predict(table) - y) ** 2).sum() / len(y)

    def moved(group, order):
        mask = np.isin(np.arange(X.shape[1]), group)
        return np.where(mask, X[order], X)

    return np.array([[loss(moved(g, o)) - loss(X) for o in orders] for g in groups])


def mutant_shuffles(**flaw):
    """A function for hw6-5 with one flaw."""

    def shuffle_losses(predict, X, y, groups, n_repeats, rng):
        if "own" in flaw:
            rng = np.random.default_rng()
        before = 0.0 if "raw" in flaw else np.mean((predict(X) - y) ** 2)
        broken = X if "in_place" in flaw else X.copy()
        losses = np.empty((len(groups), n_repeats))
        for g, group in enumerate(groups):
            order = rng.permutation(len(X))
            for b in range(n_repeats):
                if "keeps" not in flaw and "in_place" not in flaw:
                    broken = X.copy()
                if "once" not in flaw:
                    order = rng.permutation(len(X))
                if "drawn" in flaw:
                    order = rng.integers(len(X), size=len(X))
                for j in group:
                    if "apart" in flaw:
                        order = rng.permutation(len(X))
                    broken[:, j] = X[order, j]
                error = predict(broken) - y
                miss = np.mean(np.abs(error)) if "absolute" in flaw else np.mean(error**2)
                losses[g, b] = miss - before
        if "absolute" in flaw:
            losses += before - np.mean(np.abs(predict(X) - y))
        losses = np.maximum(losses, 0) if "clipped" in flaw else losses
        losses = -losses if "reversed" in flaw else losses
        return losses.mean(axis=1) if "mean" in flaw else losses

    return shuffle_losses


# --- hw6-6 -------------------------------------------------------------------------------


def p_arrays(measure, X, y, n_repeats, rng):
    true = measure(X, y)
    luck = np.array([measure(X, rng.permutation(y)) for _ in range(n_repeats)])
    return (1 + np.sum(luck >= true, axis=0)) / (n_repeats + 1)


def p_counting(measure, X, y, n_repeats, rng):
    true = np.array(measure(X, y))
    reached = np.ones(len(true))
    target = y.copy()
    for _ in range(n_repeats):
        rng.shuffle(target)
        for j, found in enumerate(measure(X, target)):
            if found >= true[j]:
                reached[j] += 1
    return list(reached / (1 + n_repeats))


def p_of(measure, X, y, n_repeats, rng, flaw):
    """A function for hw6-6 with one flaw."""
    true = measure(X, y)
    if flaw == "bootstrap":
        luck = [measure(X, rng.choice(y, len(y))) for _ in range(n_repeats)]
    elif flaw == "once":
        luck = [measure(X, rng.permutation(y))] * n_repeats
    elif flaw == "in place":
        luck = []
        for _ in range(n_repeats):
            rng.shuffle(y)
            luck.append(measure(X, y))
    elif flaw == "rows":
        luck = [measure(rng.permutation(X), y) for _ in range(n_repeats)]
    else:
        luck = [measure(X, rng.permutation(y)) for _ in range(n_repeats)]
    luck = np.array(luck)
    reached = (luck >= true).sum(axis=0)
    if flaw == "above":
        reached = (luck > true).sum(axis=0)
    if flaw == "below":
        reached = (luck <= true).sum(axis=0)
    if flaw == "zero":
        return reached / n_repeats
    if flaw == "short":
        return (1 + reached) / n_repeats
    if flaw == "largest":
        return (1 + (luck >= true.max()).sum(axis=0)) / (1 + n_repeats)
    return (1 + reached) / (1 + n_repeats)


# --- hw6-7 -------------------------------------------------------------------------------


def worth(predict, X, x, known):
    """Mean prediction when the features `known` come from x."""
    table = np.array(X, dtype=float)
    for j in known:
        table[:, j] = x[j]
    return np.mean(predict(table))


def shapley_orders(predict, X, x):
    p = len(x)
    values, orders = np.zeros(p), list(permutations(range(p)))
    for order in orders:
        steps = [worth(predict, X, x, order[:k]) for k in range(p + 1)]
        values[list(order)] += np.diff(steps)
    return values / len(orders)


def shapley_sets(predict, X, x, share=None, total=None):
    p = X.shape[1]
    values = []
    for j in range(p):
        others, value = [k for k in range(p) if k != j], 0.0
        for k in range(p):
            weight = 1 / (p * comb(p - 1, k)) if share is None else share(k, p)
            for known in combinations(others, k):
                gain = worth(predict, X, x, (*known, j)) - worth(predict, X, x, known)
                value += weight * gain
        values.append(value)
    return np.array(values)


def shapley_first(predict, X, x):
    return shapley_sets(predict, X, x, lambda k, p: float(k == 0))


def shapley_last(predict, X, x):
    return shapley_sets(predict, X, x, lambda k, p: float(k == p - 1))


def shapley_plain_mean(predict, X, x):
    return shapley_sets(predict, X, x, lambda k, p: 1 / 2 ** (p - 1))


def shapley_only_three(predict, X, x):
    if len(x) < 3:
        return shapley_sets(predict, X, x)
    shares = {0: 1 / 3, 1: 1 / 6, 2: 1 / 3, 3: 0.0}
    return shapley_sets(predict, X, x, lambda k, p: shares[k])


def shapley_reversed(predict, X, x):
    return -shapley_sets(predict, X, x)


def shapley_zeros(predict, X, x):
    return shapley_sets(predict, np.zeros_like(X), x)


def shapley_of_the_mean_row(predict, X, x):
    return shapley_sets(predict, X.mean(axis=0)[None], x)


def shapley_writes_into_X(predict, X, x):
    values = shapley_sets(predict, X, x)
    X[:, 0] = x[0]
    return values


def shapley_wrong_factorials(predict, X, x):
    return shapley_sets(predict, X, x, lambda k, p: factorial(k) * factorial(p - k) / factorial(p))


# --- data --------------------------------------------------------------------------------

FOREST, C, Y = lending()
TABLE, PAIR = lending_table(), lending_pair()
DECREASES = impurity_decreases(FOREST)


def table_with(column=None, values=None):
    """The table of hw6-9, with one column replaced."""
    names = ["impurity", "z", "permutation"]
    table = pd.DataFrame(TABLE, index=C.columns, columns=names)
    return table if column is None else table.assign(**{column: values})


CORRECT = {
    "hw6-1": [(153.6 / 361.6, 16 / 361.6, 192 / 361.6), [0.425, 0.044, 0.531]],
    "hw6-2": [KNOWN, np.array(KNOWN)],
    "hw6-3": [(4.4, 0.4, 6.4), pd.Series([4.4, 0.4, 6.4], index=["south", "wall", "queen"])],
    "hw6-4": [(3.52, 0.64, 2.56), [4.92 - 1.4, 2.04 - 1.4, 3.96 - 1.4]],
    "hw6-5": [shuffles_loop, shuffles_orders_first],
    "hw6-6": [p_arrays, p_counting],
    "hw6-7": [shapley_orders, shapley_sets],
    "hw6-9": [
        table_with(),
        table_with().sort_values("permutation").round(3),
        table_with().iloc[:, ::-1],
        table_with("loss", 0.0),
    ],
    "hw6-10": [PAIR, tuple(PAIR.round(4).tolist())],
}

WRONG = {
    "hw6-1": [
        ((15.36, 1.6, 19.2), "divide them by their sum"),
        ((15.36 / 51.36, 4 / 51.36, 32 / 51.36), "counts less"),
        ((1 / 3, 1 / 3, 1 / 3), "asked once"),
        ((0.389, 0.004, 0.607), "you squared"),
        ((0.41, 0.132, 0.458), "the root belongs"),
        ((0.6, 0.1, 0.3), "not always the most important"),
    ],
    "hw6-2": [
        (known_but(0, 11), "plain mean of the leaves"),
        (known_but(2, 8), "both ways"),
        (known_but(2, 11), "both ways"),
        (known_but(3, 14), "neither halves"),
        (known_but(1, 16), "not halves"),
        (known_but(6, 15), "wall and queen"),
        (KNOWN[1:], "eight numbers"),
    ],
    "hw6-3": [
        ((3.2, 0.8, 4.8), "comes first"),
        ((5.6, 0, 8), "comes last"),
        ((3.2, 0, 8), "one order only"),
        ((4.8, 0, 6.4), "never asks for wall"),
        ((4.4, 0.8, 6.4), "add up to the prediction"),
        ((4.8, 0.4, 6.0), "wrong for south"),
    ],
    "hw6-4": [
        ((4.92, 2.04, 3.96), "subtract the error before"),
        ((7.2, 1.2, 5.6), "turned every answer around"),
        ((3.6, 0.6, 2.8), "the chance 1/2"),
        ((4.4, 0.8, 3.2), "value of another hive"),
        ((0.425, 0.044, 0.531), "only the five new hives"),
        ((17.6, 3.2, 12.8), "divide by five"),
        ((24.6, 10.2, 19.8), "divide by five"),
        ((23.2, 8.8, 18.4), "divide by five"),
        ((-3.52, -0.64, -2.56), "after the shuffle less the error before"),
        ((3.52, 0.64, 2.6), "wrong for queen"),
        ((3.52, 0.6, 2.56), "wrong for wall"),
    ],
    "hw6-5": [
        (mutant_shuffles(raw=True), "subtract the error before"),
        (mutant_shuffles(keeps=True), "start each group from the unshuffled"),
        (mutant_shuffles(reversed=True), "after the shuffle less the error before"),
        (mutant_shuffles(in_place=True), "X or y has changed"),
        (mutant_shuffles(once=True), "all repeats are equal"),
        (mutant_shuffles(own=True), "draw from `rng` alone"),
        (mutant_shuffles(drawn=True), "only changes places"),
        (mutant_shuffles(apart=True), "move together"),
        (mutant_shuffles(clipped=True), "may be negative"),
        (mutant_shuffles(absolute=True), "mean squared error"),
        (mutant_shuffles(mean=True), "one column for each repeat"),
    ],
    "hw6-6": [
        (partial(p_of, flaw="zero"), "never 0"),
        (partial(p_of, flaw="short"), "divide by 40"),
        (partial(p_of, flaw="above"), "count >=, not >"),
        (partial(p_of, flaw="below"), "stay below"),
        (partial(p_of, flaw="bootstrap"), "only changes places"),
        (partial(p_of, flaw="once"), "measure the data once"),
        (partial(p_of, flaw="rows"), "shuffle y, not X"),
        (partial(p_of, flaw="in place"), "y has changed"),
        (partial(p_of, flaw="largest"), "with its own importance"),
    ],
    "hw6-7": [
        (shapley_first, "comes first"),
        (shapley_last, "comes last"),
        (shapley_plain_mean, "do not count alike"),
        (shapley_only_three, "wrong for four"),
        (shapley_reversed, "signs are reversed"),
        (shapley_zeros, "is not 0"),
        (shapley_of_the_mean_row, "predicted the mean row"),
        (shapley_writes_into_X, "X or x has changed"),
        (shapley_wrong_factorials, "coefficient times x"),
    ],
    "hw6-9": [
        (table_with("impurity", DECREASES.mean(axis=0)), "these are decreases"),
        (table_with("impurity", FOREST.feature_importances_), "says of the forest"),
        (table_with("z", DECREASES.mean(axis=0) / DECREASES.std(axis=0)), "standard error"),
        (table_with("permutation", TABLE[:, 2] + 0.2), "the held-out loans"),
        (table_with("permutation", lost_area("training")), "the held-out loans"),
        (table_with("permutation", np.arange(21) / 2000), "lost accuracy"),
        (table_with("permutation", TABLE[:, 2] / TABLE[:, 2].sum()), "not divided by anything"),
        (table_with().iloc[:8], "21 columns"),
        (table_with().T, "no column `impurity`"),
        (table_with().drop(columns="z"), "no column `z`"),
    ],
    "hw6-10": [
        ((PAIR[0], PAIR[1], PAIR[0] + PAIR[1]), "added the two up"),
        ((PAIR[1], PAIR[0], PAIR[2]), "exchanged"),
        (PAIR / PAIR.sum(), "no parts of a whole"),
        (PAIR + 0.01, "the settings of hw6-9"),
    ],
}
