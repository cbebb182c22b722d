"""Checkers of the assignment "Learning from mistakes", and the numbers of its part A."""

import numpy as np
import pandas as pd

from treelab import GradientBoostingRegressor
from treelab.checkers import checker, expect, judged

# How many tomatoes there are, and about how many the first and the second rule are wrong.
KINDS = (8, 1, 3), (10, 1, 3), (10, 1, 4), (12, 1, 3), (12, 1, 4), (12, 1, 5), (12, 2, 4)


# Seeds of the deliveries, taken in turn; with the others two cuts are equally good.
PARCELS = [seed for seed in range(1, 47) if seed not in (4, 25, 44)]


def given(number):
    """What part A is about; dict.

    Parameters
    ----------
    number : int
        That of the student or group; 0 is the example of the solutions.

    Returns
    -------
    dict
        ``tomatoes`` and ``deliveries``, each a dict of the columns of its table.
    """
    if number == 0:
        return {
            "tomatoes": {
                "A": [1, 1, -1, 1, 1, 1, -1, -1],
                "B": [-1, 1, 1, 1, -1, 1, -1, 1],
                "C": [1, 1, -1, -1, 1, 1, -1, -1],
                "D": [1, -1, -1, -1, -1, -1, 1, -1],
                "sweet": [1, 1, -1, -1, -1, 1, -1, -1],
            },
            "deliveries": {"km": [1, 2, 3, 5, 6, 8], "minutes": [10, 12, 14, 20, 22, 72]},
        }
    parcels = PARCELS[number % len(PARCELS)]
    return {
        "tomatoes": draw_tomatoes(np.random.default_rng([5, number])),
        "deliveries": draw_deliveries(np.random.default_rng([5, parcels])),
    }


def draw_tomatoes(rng):
    """What four rules say about tomatoes, and which are sweet; dict of lists of 1 and -1."""
    n, few, more = KINDS[rng.integers(len(KINDS))]
    order = rng.permutation(n)
    off = [order[:few], order[few : few + more], order[-n // 2 :], order[: few + 1]]
    sweet = rng.choice([-1, 1], size=n)
    rules = {}
    for letter, wrong in zip("ABCD", rng.permutation(4), strict=True):
        rules[letter] = np.where(np.isin(np.arange(n), off[wrong]), -sweet, sweet).tolist()
    return {**rules, "sweet": sweet.tolist()}


def draw_deliveries(rng):
    """Kilometers and minutes of six parcels, the last of them late; dict of lists of int."""
    km = np.cumsum(rng.integers(1, 4, size=6))
    minutes = rng.integers(6, 12) + 2 * km + rng.integers(0, 4, size=6)
    minutes[-1] += rng.integers(30, 60)
    return {"km": km.tolist(), "minutes": minutes.tolist()}


def finite(values, n, what):
    """The values as n finite floats."""
    expect(np.shape(values) == (n,), f"give {what}.")
    found = np.array([float(value) for value in values])
    expect(np.isfinite(found).all(), "one of your numbers is not finite.")
    return found


def expect_parts(answer, n, what):
    """Expect a tuple or list of n parts."""
    expect(isinstance(answer, tuple | list) and len(answer) == n, f"give {what}.")


def rule_and_numbers(answer, n):
    """The letter of a rule, however it is written, and the n numbers after it."""
    expect_parts(answer, n + 1, f"a rule and {n} numbers")
    letter = str(answer[0]).strip().upper()
    expect(letter in tuple("ABCD"), "the rule is one of the letters A, B, C and D.")
    return letter, *finite(answer[1:], n, f"{n} numbers after the rule")


@checker("hw5-1")
def check_round_1(answer):
    judged("hw5-1", rule_and_numbers(answer, 4))


@checker("hw5-2")
def check_rounds_2_and_3(answer):
    expect_parts(answer, 2, "two tuples, one for round 2 and one for round 3")
    judged("hw5-2", [rule_and_numbers(part, 2) for part in answer])


@checker("hw5-3")
def check_margins(answer):
    expect(np.shape(answer) in [(8,), (10,), (12,)], "give one margin for each of the tomatoes.")
    judged("hw5-3", finite(answer, len(answer), "one margin for each of the tomatoes"))


@checker("hw5-4")
def check_one_step_each(answer):
    expect_parts(answer, 2, "two tuples, first squared error, then absolute error")
    judged("hw5-4", [finite(part, 4, "start, cut, score left and score right") for part in answer])


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


@checker("hw5-5", none_is_an_answer=True, plain=True)
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


@checker("hw5-6", plain=True)
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


@checker("hw5-7", plain=True)
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


def some_paths(seed, n=40):
    """Paths of errors that fall and rise again, as `error_paths` returns them, by rate."""
    rng, paths = np.random.default_rng(seed), {}
    for rate in (0.8, 0.25, 0.05):
        rounds = np.arange(n)
        valley = 0.4 + 0.002 * rate * (rounds - 25 * (1 - rate)) ** 2
        paths[rate] = {
            "training": 0.5 * 0.9**rounds,
            "validation": valley + 0.05 * rng.random(n),
            "test": valley + 0.02 + 0.05 * rng.random(n),
        }
    return paths


@checker("hw5-9")
def check_early(early_table):
    names = ["rounds", "validation", "test"]
    for seed, patience in ((0, 4), (1, 4), (2, 3), (3, 6)):
        paths = some_paths(seed)
        early = early_table({rate: dict(path) for rate, path in paths.items()}, patience)
        expect(isinstance(early, pd.DataFrame), "return a DataFrame of pandas.")
        for name in names:
            expect(name in early.columns, f"there is no column `{name}`: name them as asked.")
        early = early[names]
        expect(np.shape(early) == (3, 3), "give one row for each learning rate of `paths`.")
        expect(
            not any(isinstance(rate, str) for rate in early.index),
            "the index holds numbers: the learning rates themselves, not their names.",
        )
        expect(
            np.allclose(np.asarray(early.index, dtype=float), list(paths)),
            "the index holds the learning rates, in the order of `paths`.",
        )
        got = early.to_numpy(float)
        stops = [kept(path["validation"], patience) for path in paths.values()]
        want = np.array(
            [
                [b, path["validation"][b - 1], path["test"][b - 1]]
                for b, path in zip(stops, paths.values(), strict=True)
            ]
        )
        by_test = [kept(path["test"], patience) for path in paths.values()]
        least = [path["test"].argmin() + 1 for path in paths.values()]
        expect(
            not np.array_equal(got[:, 0], least) and not np.array_equal(got[:, 0], by_test),
            "you chose the rounds by the test error: then nothing is left to judge the choice.",
        )
        by_ten = [kept(path["validation"], 10) for path in paths.values()]
        expect(
            by_ten == stops or not np.array_equal(got[:, 0], by_ten),
            "that is a patience of 10, whatever is asked for: use the argument `patience`.",
        )
        expect(
            np.array_equal(got[:, 0], want[:, 0]),
            "use `rounds_kept` with the validation errors and the patience.",
        )
        last = [path["validation"][-1] for path in paths.values()]
        expect(
            not np.allclose(got[:, 1], last, atol=1e-6),
            "that is the error after the last of all rounds, not after the rounds kept.",
        )
        later = [path["validation"][b] for b, path in zip(stops, paths.values(), strict=True)]
        expect(
            not np.allclose(got[:, 1], later, atol=1e-6),
            "one round too far: the error after round b is at position b - 1 of the path.",
        )
        expect(
            not np.allclose(got[:, 1:], np.sqrt(want[:, 1:]), atol=1e-4),
            "leave the errors as mean squared errors.",
        )
        expect(
            not np.allclose(got[:, 1], want[:, 2], atol=1e-6),
            "the columns validation and test are exchanged.",
        )
        expect(np.allclose(got[:, 1], want[:, 1], atol=1e-3), "the validation errors differ.")
        expect(np.allclose(got[:, 2], want[:, 2], atol=1e-3), "the test errors differ.")
