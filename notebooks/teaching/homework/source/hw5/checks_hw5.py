"""Checkers of the assignment "Learning from mistakes"."""

from functools import cache

import numpy as np

from treelab import GradientBoostingRegressor
from treelab.checkers import checker, expect
from treelab.datasets import fetch_wine_quality

# Eight tomatoes: what the rules A to D say about them, and whether they are sweet.
RULES = {
    "A": np.array([1, 1, -1, 1, 1, 1, -1, -1]),
    "B": np.array([-1, 1, 1, 1, -1, 1, -1, 1]),
    "C": np.array([1, 1, -1, -1, 1, 1, -1, -1]),
    "D": np.array([1, -1, -1, -1, -1, -1, 1, -1]),
}
SWEET = np.array([1, 1, -1, -1, -1, 1, -1, -1])
CHOSEN = ("C", "D", "B")
ERRORS = np.array([1 / 8, 3 / 14, 2 / 11])
CONFIDENCES = np.log((1 - ERRORS) / ERRORS) / 2


def near(got, want):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=0.004)


def letter(rule):
    """The letter of a rule, however it is written."""
    return str(rule).strip().upper()


def expect_confidence(got, error, want):
    """Name the usual slips in the confidence of a member."""
    expect(
        not near(got, 2 * want),
        "that is ln((1 - e)/e), the vote of `estimator_weights_`; the confidence is half of it.",
    )
    expect(not near(got, want / np.log(10)), "take the natural logarithm, not the decimal one.")
    expect(
        not near(got, -want),
        "your confidence is negative: 1 - e is in the numerator, a good rule gets a positive say.",
    )
    expect(near(got, want), f"the confidence of a rule with the error {error} is something else.")


@checker("hw5-1")
def check_round_1(answer):
    rule, error, confidence, wrong, right = answer
    expect(
        letter(rule) == "C",
        "all weights are equal in round 1, so the best rule is the one with the fewest errors.",
    )
    expect(
        not near(error, 1),
        "the weighted error is the weight of the wrong tomatoes, not their number.",
    )
    expect(near(error, 1 / 8), "one tomato of weight 1/8 is wrong: that is the error.")
    expect_confidence(confidence, "1/8", CONFIDENCES[0])
    expect(
        not near([wrong, right], [1 / 14, 1 / 2]),
        "you have exchanged the two: the wrong tomato gains weight, the right ones lose.",
    )
    expect(
        near(wrong + 7 * right, 1),
        "after the round the weights of one wrong and seven right tomatoes must have the sum 1.",
    )
    expect(
        near([wrong, right], [1 / 2, 1 / 14]),
        "after a round half of the weight lies on what the rule got wrong.",
    )


@checker("hw5-2")
def check_rounds_2_and_3(answer):
    (rule_2, error_2, confidence_2), (rule_3, error_3, confidence_3) = answer
    rule_2, rule_3 = letter(rule_2), letter(rule_3)
    expect(
        rule_2 != "C",
        "on the new weights the error of rule C is exactly one half: it is worthless in round 2.",
    )
    expect(
        rule_2 != "A",
        "rule A has the fewest errors of the others by number; by weight it has more than rule D.",
    )
    expect(rule_2 == "D", "add up the new weights of each rule's wrong tomatoes: who has least?")
    expect(
        not near(error_2, 3 / 8),
        "3/8 is the error with the weights of round 1; use the weights after round 1.",
    )
    expect(near(error_2, 3 / 14), "rule D is wrong on three tomatoes of weight 1/14 each.")
    expect_confidence(confidence_2, "3/14", CONFIDENCES[1])
    expect(
        rule_3 != "D",
        "on the weights after round 2 the error of rule D is exactly one half.",
    )
    expect(
        rule_3 == "B",
        "four wrong tomatoes can weigh less than one: add up the weights after round 2.",
    )
    expect(
        not near(error_3, 1 / 2),
        "you counted: rule B is wrong on 4 of 8, but by weight on much less.",
    )
    expect(
        not near(error_3, 4 / 14),
        "4/14 is the error of rule B with the weights of round 2; they have changed again.",
    )
    expect(
        near(error_3, 2 / 11),
        "rule B is wrong on four tomatoes that were right in both rounds; each weighs 1/22 now.",
    )
    expect_confidence(confidence_3, "2/11", CONFIDENCES[2])


@checker("hw5-3")
def check_margins(answer):
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (8,), "give one margin for each of the eight tomatoes.")
    score = CONFIDENCES @ np.array([RULES[rule] for rule in CHOSEN])
    total = CONFIDENCES.sum()
    expect(
        not near(got, score) and not near(got, score * SWEET),
        "these are scores: divide by the sum of the confidences, so that 1 is the largest margin.",
    )
    expect(
        not near(got, score / total),
        "a margin counts towards the true class: multiply by -1 where the tomato is not sweet.",
    )
    expect(
        not near(got, SWEET * np.mean([RULES[rule] for rule in CHOSEN], axis=0)),
        "you gave the three rules one vote each; each counts by its confidence.",
    )
    expect(
        (got > 0).all(),
        "a negative margin is a wrong vote; the three rules together are right on all tomatoes.",
    )
    expect(near(got, SWEET * score / total), "add up the three terms once more, tomato by tomato.")


@checker("hw5-4")
def check_one_step_each(answer):
    squared, absolute = answer
    expect_squared_step(squared)
    expect_absolute_step(absolute)


def expect_squared_step(answer):
    """Round 1 of squared error on the six deliveries."""
    start, cut, left, right = answer
    expect(
        not near(start, 17),
        "squared error: 17 is the median; the best constant for squared error is the mean.",
    )
    expect(near(start, 25), "squared error: the start is the mean of the six times.")
    expect(
        not near(cut, 6) and not near(cut, 8),
        "squared error: put the cut in the middle between the two neighboring distances.",
    )
    expect(near(cut, 7), "squared error: another cut lowers the sum of squares more; try all five.")
    expect(
        not near([left, right], [-4.7, 23.5]) and not near([left, right], [-9.4, 47]),
        "squared error: these are the steps; the score is the start plus the step.",
    )
    expect(
        not near([left, right], [15.6, 72]),
        "squared error: you took the full step; the learning rate is 1/2.",
    )
    expect(
        near([left, right], [20.3, 48.5]),
        "squared error: the score on a side is 25 plus half of the mean residual there.",
    )


def expect_absolute_step(answer):
    """Round 1 of absolute error on the six deliveries."""
    start, cut, left, right = answer
    expect(
        not near(start, 25),
        "absolute error: 25 is the mean; the best constant for absolute error is the median.",
    )
    expect(near(start, 17), "absolute error: the start is the median, halfway from 14 to 20.")
    expect(
        not near(cut, 7),
        "absolute error: the stump is fitted to the signs of the residuals; a sign of 1 is all "
        "that is left of the 72 minutes.",
    )
    expect(
        near(cut, 4),
        "absolute error: one cut divides the signs -1, -1, -1, 1, 1, 1 without any error.",
    )
    expect(
        not near([left, right], [16.5, 17.5]) and not near([left, right], [16, 18]),
        "absolute error: the signs only choose the cut; the step of a leaf is the median of y - F.",
    )
    expect(
        not near([left, right], [14.5, 27.5]),
        "absolute error: you took the mean of y - F in the leaf; its best step is the median.",
    )
    expect(
        not near([left, right], [12, 22]),
        "absolute error: you took the full step; the learning rate is 1/2.",
    )
    expect(
        not near([left, right], [-2.5, 2.5]) and not near([left, right], [-5, 5]),
        "absolute error: these are the steps; the score is the start plus the step.",
    )
    expect(
        near([left, right], [14.5, 19.5]),
        "absolute error: the score on a side is 17 plus half of the median of y - F there.",
    )


# --- a booster ---------------------------------------------------------------------------


def all_cuts(X, r):
    """Feature, threshold and sum of squared errors of every possible cut."""
    found = []
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for s in (values[:-1] + values[1:]) / 2:
            left = X[:, j] <= s
            error = sum(np.sum((part - part.mean()) ** 2) for part in (r[left], r[~left]))
            found.append((j, s, error))
    return found


def squares(X, r, stump):
    """Sum of squared errors of the two sides of a stump around their means; inf for a bad cut."""
    left = X[:, stump[0]] <= stump[1]
    if left.all() or not left.any():
        return np.inf
    return sum(np.sum((part - part.mean()) ** 2) for part in (r[left], r[~left]))


@checker("hw5-5", none_is_an_answer=True)
def check_best_stump(best_stump):
    X = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0]])
    r = np.array([3.0, -1.0, 2.0, -2.0])
    before = X.copy(), r.copy()
    found = best_stump(X, r)
    expect(found is not None, "not done yet")  # only of the first table; see the last but one
    j, s, left, right = found
    expect(
        np.array_equal(X, before[0]) and np.array_equal(r, before[1]),
        "your function has changed its arguments; work on a copy.",
    )
    expect(j != 0, "try all columns: the second one has the better cut here.")
    expect(
        not np.isclose(s, 2) and not np.isclose(s, 4),
        "put the cut in the middle between two neighboring values, not on one of them.",
    )
    expect(np.isclose(s, 3), "for the four rows the best cut is at 3 in the second column.")
    expect(
        not np.allclose([left, right], [2.5, -1.5]),
        "you exchanged the two sides: left are the rows with a value of at most the cut.",
    )
    expect(
        not np.allclose([left, right], [-3, 5]),
        "a side says the mean of its residuals, not their sum.",
    )
    expect(np.allclose([left, right], [-1.5, 2.5]), "each side says the mean of its residuals.")
    uneven = np.arange(6.0)[:, None], np.array([1.0, 8.0, 0.0, 9.0, 8.0, 9.0])
    expect(
        np.isclose(best_stump(*uneven)[1], 2.5),
        "a side with more rows counts more: add up the squared errors of the two sides; do not "
        "compare means or variances of sides without their sizes.",
    )
    large = np.array([[5.0], [6.0], [7.0], [8.0]]), np.array([101.0, 101.0, 109.0, 109.0])
    expect(
        np.allclose(best_stump(*large), [0, 6.5, 101, 109]),
        "wrong when all residuals are far from 0: measure the errors from the mean of each side.",
    )
    equal = np.array([[2.0], [1.0], [1.0], [1.0]]), np.array([3.0, 9.0, 3.0, 3.0])
    expect(
        np.allclose(best_stump(*equal), [0, 1.5, 5, 3]),
        "three rows have the same value: a cut between equal values does not exist.",
    )
    twice = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, 5.0]])
    tied = np.array([4.0, 0.0, 0.0, 0.0, 4.0])
    expect(best_stump(twice, tied)[0] == 0, "two equal columns are a tie: the first one wins.")
    expect(
        np.isclose(best_stump(twice, tied)[1], 1.5),
        "the cuts at 1.5 and 4.5 are equally good: the smaller threshold wins.",
    )
    found = best_stump(np.ones((3, 2)), np.array([1.0, 2.0, 6.0]))
    expect(
        found is not None,
        "your function returns None if all columns are constant; it should be "
        "(0, np.inf, mean, mean).",
    )
    j, s, left, right = found
    expect(
        s == np.inf and np.allclose([j, left, right], [0, 3, 3]),
        "where all columns are constant there is no cut: return (0, np.inf, mean, mean).",
    )
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, r = rng.normal(size=(15, 1 + seed % 3)).round(1), rng.normal(size=15)
        j, s, left, right = best_stump(X.copy(), r.copy())
        cuts = all_cuts(X, r)
        want = min(cuts, key=lambda cut: cut[2])
        expect(
            squares(X, r, (j, s)) <= want[2] + 1e-9,
            f"right for small tables, wrong for 15 random rows: column {want[0]} has a better cut.",
        )
        expect(
            any(j == cut[0] and np.isclose(s, cut[1]) for cut in cuts),
            "wrong for 15 random rows: put the cut in the middle between two neighboring values.",
        )
        on_left = X[:, j] <= s
        expect(
            np.allclose([left, right], [r[on_left].mean(), r[~on_left].mean()]),
            "wrong means for 15 random rows: check who goes left.",
        )


BEST = {"squared_error": np.mean, "absolute_error": np.median}


def expect_model(model, X, y, n_rounds, rate, loss):
    """Retrace a model: every round has a best stump for its loss, and the best steps."""
    start, kept_rate, stumps = model
    best, other = (
        BEST[loss],
        BEST["squared_error" if loss == "absolute_error" else "absolute_error"],
    )
    name = loss.replace("_", " ")
    expect(
        not np.isclose(start, 0) or np.isclose(best(y), 0),
        f"{name}: you start from 0; the start is the best constant for the loss.",
    )
    expect(
        not np.isclose(start, other(y)) or np.isclose(best(y), other(y)),
        f"{name}: the start is the {best.__name__} of y, not its {other.__name__}.",
    )
    expect(np.isclose(start, best(y)), f"{name}: the start must be the {best.__name__} of y.")
    expect(np.isclose(kept_rate, rate), "the second part of the model is the learning rate.")
    expect(len(stumps) == n_rounds, f"{n_rounds} rounds make {n_rounds} stumps.")
    F = np.full(len(y), float(start))
    for b, (j, s, left, right) in enumerate(stumps, 1):
        gap = y - F
        pull = np.sign(gap) if loss == "absolute_error" else gap
        least = min(cut[2] for cut in all_cuts(X, pull))
        got = squares(X, pull, (j, s))
        expect(
            loss != "absolute_error"
            or got <= least + 1e-9
            or squares(X, gap, (j, s)) > min(cut[2] for cut in all_cuts(X, gap)) + 1e-9,
            "absolute error: you fit the stump to y - F; fit it to the signs of y - F.",
        )
        expect(
            b == 1 or got <= least + 1e-9 or not np.isclose(s, stumps[0][1]) or j != stumps[0][0],
            f"{name}: round {b} repeats the stump of round 1: compute y - F anew in each round.",
        )
        expect(
            got <= least + 1e-9,
            f"{name}: the stump of round {b} is not the best for the residuals of that round. "
            "Does the round before add the learning rate times its step, on each side?",
        )
        side = X[:, j] <= s
        want = np.array([best(gap[side]), best(gap[~side])])
        signs = np.array([np.mean(np.sign(gap[side])), np.mean(np.sign(gap[~side]))])
        expect(
            loss != "absolute_error"
            or not np.allclose([left, right], signs)
            or np.allclose(want, signs),
            "absolute error: the signs only choose the cut; the step of a side is the median of "
            "y - F there.",
        )
        expect(
            not np.allclose([left, right], rate * want),
            "store the steps in full: the learning rate is applied when they are added.",
        )
        expect(
            np.allclose([left, right], want),
            f"{name}: the step of a side is the {best.__name__} of its y - F.",
        )
        F = F + rate * np.where(side, left, right)


def small_data(seed, n=14, p=2):
    """Rows and targets without equal values."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, 5 + 2 * X[:, 0] + rng.normal(size=n) + 9 * (X[:, -1] > 1)


@checker("hw5-6")
def check_boost(boost):
    for loss in BEST:
        for seed, n_rounds, rate in ((0, 1, 0.5), (1, 4, 0.5), (2, 6, 0.3), (3, 3, 0.9)):
            X, y = small_data(seed)
            before = X.copy(), y.copy()
            model = boost(X, y, n_rounds, rate, loss)
            expect(
                np.array_equal(X, before[0]) and np.array_equal(y, before[1]),
                "your function has changed X or y: with `y = y - ...` you get a new array, "
                "`y -= ...` writes into the one that was handed in.",
            )
            expect_model(model, X, y, n_rounds, rate, loss)


@checker("hw5-7")
def check_staged(staged_scores):
    model = (10.0, 0.5, [(0, 1.5, -4.0, 8.0), (1, 0.0, 2.0, -2.0)])
    X = np.array([[1.0, -1.0], [1.5, 3.0], [2.0, 0.0]])
    want = np.array([[10, 10, 10], [8, 8, 14], [9, 7, 15]])
    before = X.copy()
    got = np.asarray(staged_scores(model, X), dtype=float)
    expect(np.array_equal(X, before), "your function has changed X; leave it as it is.")
    expect(got.shape != (2, 3), "the first row is the start, before any round: three rows here.")
    expect(
        got.shape == want.shape,
        "return one row for the start and one for each round, and a column for each case.",
    )
    expect(
        not np.allclose(got, want - 10),
        "the start is missing: the model is the start plus the steps.",
    )
    expect(
        not np.allclose(got, [[10, 10, 10], [6, 6, 18], [8, 4, 20]]),
        "you added the steps in full: multiply them by the learning rate.",
    )
    expect(
        not np.allclose(got, [[10, 10, 10], [8, 8, 14], [11, 9, 11]]),
        "each round begins where the one before has ended: add the steps up.",
    )
    expect(
        not np.allclose(got[1:, 1:], [[14, 14], [13, 13]]),
        "a value equal to the cut goes left: the question is x <= cut.",
    )
    expect(np.allclose(got, want), "wrong for a model of two stumps; work out its rows by hand.")
    empty = np.asarray(staged_scores((3.0, 0.1, []), X.copy()))
    expect(
        empty.shape == (1, 3) and np.allclose(empty, 3),
        "a model without rounds says its start for every case.",
    )
    A, y = small_data(5, n=40)
    peer = GradientBoostingRegressor(n_estimators=5, learning_rate=0.3, max_depth=1).fit(A, y)
    stumps = []
    for (tree,) in peer.trees_:
        left, right = tree.children_left[0], tree.children_right[0]
        steps = [float(np.ravel(tree.value[node])[0]) for node in (left, right)]
        stumps.append((int(tree.feature[0]), float(tree.threshold[0]), *steps))
    new = small_data(6, n=25)[0]
    got = staged_scores((float(peer.start_), 0.3, stumps), new.copy())
    expect(
        np.allclose(got[1:], list(peer.staged_predict(new))),
        "right for two stumps, but not what treelab predicts for five stumps and new rows.",
    )


# --- early stopping ----------------------------------------------------------------------


def kept(path, patience):
    """Rounds that stay, by the definition."""
    for b in range(1, len(path) + 1):
        best = int(np.argmin(path[:b])) + 1
        if b - best >= patience:
            return best
    return int(np.argmin(path)) + 1


@checker("hw5-8")
def check_rounds_kept(rounds_kept):
    expect(
        rounds_kept(np.array([5.0, 6.0, 7.0, 8.0, 1.0]), 3) != 5,
        "the path is not known to its end: after three rounds without news the training stops, "
        "and what comes later is never seen.",
    )
    path = np.array([9.0, 8.0, 8.5, 7.0, 7.5, 7.2, 6.0, 6.5, 6.4, 6.3, 5.0, 5.5])
    got = rounds_kept(path.copy(), 3)
    expect(got != 6, "rounds count from 1, positions in an array from 0.")
    expect(
        got != 10,
        "you return the round in which the training stops; kept is the best round so far.",
    )
    expect(
        got != 11,
        "an error that is lower than in the round before is no news unless it is lower than the "
        "least so far.",
    )
    expect(
        got not in (2, 4),
        "patience asks for rounds in a row: the count starts again at each new least error.",
    )
    expect(got == 7, "with patience 3 the training stops after round 10 and keeps 7 rounds.")
    expect(rounds_kept(path.copy(), 1) == 2, "with patience 1 the first rise ends the training.")
    expect(rounds_kept(path.copy(), 4) == 11, "with patience 4 it gets to round 11 and keeps it.")
    expect(
        rounds_kept(np.array([5.0, 4.0, 4.0, 4.0, 3.0]), 2) == 2,
        "an error equal to the least so far is no new least error.",
    )
    expect(
        rounds_kept(np.array([3.0, 2.0, 1.0]), 1) == 3, "a path that always falls is kept whole."
    )
    for seed in range(30):
        rng = np.random.default_rng(seed)
        path = rng.integers(20, size=1 + seed) / 4
        for patience in (1, 2, 5):
            expect(
                rounds_kept(path.copy(), patience) == kept(path, patience),
                f"wrong for the path {path.tolist()} and patience {patience}.",
            )


RATES = (1.0, 0.3, 0.1)


@cache
def early_table():
    """Rounds kept, validation error and test error for each learning rate."""
    wine = fetch_wine_quality("red")
    order = np.random.default_rng(0).permutation(len(wine.data))
    X, y = wine.data.to_numpy(float)[order], wine.target.to_numpy(float)[order]
    rows = []
    for rate in RATES:
        model = GradientBoostingRegressor(
            n_estimators=120, learning_rate=rate, split_search="histogram", random_state=0
        ).fit(X[:600], y[:600])
        valid, test = (
            np.array([np.mean((p - y[part]) ** 2) for p in model.staged_predict(X[part])])
            for part in (slice(600, 1100), slice(1100, None))
        )
        b = kept(valid, 10)
        rows.append(
            (b, valid[b - 1], test[b - 1], valid[-1], test[-1], valid[b % 120], test.argmin())
        )
    return np.array(rows)


@checker("hw5-9")
def check_early(early):
    table = early_table()
    names = ["rounds", "validation", "test"]
    for name in names:
        expect(name in early.columns, f"there is no column `{name}`: name the columns as asked.")
    early = early[names]
    expect(np.shape(early) == (3, 3), "give one row for each learning rate: 1.0, 0.3, 0.1.")
    expect(
        not any(isinstance(rate, str) for rate in early.index),
        "the index holds numbers: the learning rates themselves, not their names.",
    )
    expect(
        np.allclose(np.asarray(early.index, dtype=float), RATES),
        "the index holds the learning rates, in the order 1.0, 0.3, 0.1.",
    )
    got = early.to_numpy(float)
    expect(
        not np.allclose(got[:, 0], table[:, 6] + 1),
        "you chose the rounds by the test error: then nothing is left to judge the choice.",
    )
    expect(np.array_equal(got[:, 0], table[:, 0]), "use `rounds_kept` with a patience of 10.")
    expect(
        not np.allclose(got[:, 1], table[:, 3], atol=1e-6),
        "that is the error after the last of the 120 rounds, not after the rounds kept.",
    )
    expect(
        not np.allclose(got[:, 1], table[:, 5], atol=1e-6),
        "one round too far: the error after round b is at position b - 1 of the path.",
    )
    expect(
        not np.allclose(got[:, 1:], np.sqrt(table[:, 1:3]), atol=1e-4),
        "leave the errors as mean squared errors.",
    )
    expect(
        not np.allclose(got[:, 1], table[:, 2], atol=1e-6),
        "the columns validation and test are exchanged.",
    )
    expect(np.allclose(got[:, 1], table[:, 1], atol=1e-3), "the validation errors differ.")
    expect(np.allclose(got[:, 2], table[:, 2], atol=1e-3), "the test errors differ.")
