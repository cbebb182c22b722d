"""Checkers of homework 3, "How sure is a number"."""

import numpy as np

from treelab.checkers import checker, expect

# --- Part A ----------------------------------------------------------------------------


def numbers(answer, n, what):
    """The answer as n floats."""
    expect(np.shape(answer) == (n,), f"give {n} numbers: {what}.")
    return np.array([float(number) for number in answer])


@checker("hw3-1")
def check_predictions(answer):
    got = numbers(answer, 8, "the prediction for week 2 from each training set, in order")
    expect(
        not np.allclose(got, [4, 4, 8, 8, 4, 4, 8, 8]),
        "these are the harvests of week 2 itself: a stump has two leaves for three weeks, so "
        "week 2 shares its leaf with a neighbor and gets the mean of both.",
    )
    expect(
        not np.allclose(got, [7, 11, 4, 13, 7, 11, 6, 13]),
        "you join the neighbors that are far apart. A leaf of two harvests costs half the "
        "square of their difference, so the stump joins the two that are close.",
    )
    expect(
        not np.allclose(got, [2, 2, 4, 4, 4, 4, 6, 6]),
        "you cut after week 2 every time: each training set chooses its own cut.",
    )
    expect(
        not np.allclose(got, [7, 11, 9, 13, 7, 11, 9, 13]),
        "you cut after week 1 every time: each training set chooses its own cut.",
    )
    means = np.array([14, 22, 18, 26, 18, 26, 22, 30]) / 3
    expect(
        not np.allclose(got, means, atol=0.01),
        "that is the mean of all three weeks; a stump cuts once and takes the mean of the side "
        "of week 2.",
    )
    wrong = np.flatnonzero(~np.isclose(got, [2, 2, 9, 4, 4, 4, 9, 6]))
    expect(
        not len(wrong),
        f"look again at training set {', '.join(str(i + 1) for i in wrong)}: which neighbor of "
        "week 2 has the closer harvest?",
    )


@checker("hw3-2")
def check_parts(answer):
    got = numbers(answer, 5, "noise, bias², variance, error of one stump, error of the mean")
    noise, bias2, variance, one, mean = got
    expect(
        not np.isclose(noise, 2),
        "2 is the distance of a harvest of week 2 from the mean; the noise is the mean square of "
        "that distance.",
    )
    expect(np.isclose(noise, 4), "the harvests of week 2 are 4 or 8, both 2 away from 6: noise 4.")
    expect(
        not np.isclose(abs(bias2), 1) or bias2 > 0,
        "the bias is 5 - 6 = -1; you are asked for its square.",
    )
    expect(
        not np.isclose(bias2, 7.75),
        "7.75 is the mean squared distance of the single stumps from the truth: average the "
        "predictions first, then compare with the truth.",
    )
    expect(np.isclose(bias2, 1), "the eight predictions have the mean 5, and the truth is 6.")
    expect(
        not np.isclose(variance, 54 / 7),
        "you divide by 7. These eight training sets are all there are, not a sample of them: "
        "divide by 8.",
    )
    expect(
        not np.isclose(variance, 7.75),
        "the variance is the mean squared distance from the mean prediction, 5, not from the "
        "truth, 6.",
    )
    expect(
        not np.isclose(variance, 6.75**0.5, atol=0.005),
        "that is a standard deviation; the variance is its square.",
    )
    expect(np.isclose(variance, 6.75), "the squared distances from 5 add up to 54.")
    expect(
        not np.isclose(one, 7.75),
        "bias² and variance alone leave out the noise: the new harvest of week 2 scatters too.",
    )
    expect(np.isclose(one, 11.75), "the error of one stump is the sum of the three parts.")
    expect(
        not np.isclose(mean, 1),
        "the mean prediction meets a new harvest as well, and that brings its noise.",
    )
    expect(
        not np.isclose(mean, 5 + 6.75 / 8, atol=0.005),
        "the mean over all training sets there are has no variance left.",
    )
    expect(np.isclose(mean, 5), "the mean prediction has the noise and the bias², no variance.")


@checker("hw3-3")
def check_germination(answer):
    bias, se, chance = numbers(answer, 3, "bias, standard error, probability")
    expect(
        np.isclose(bias, 0, atol=5e-4),
        "each draw is a seed that grew with probability 6/8, so the replicates have the mean 6/8, "
        "the share itself.",
    )
    expect(
        not np.isclose(se, np.sqrt(0.1875), atol=5e-4),
        "that is the standard deviation of one draw; a replicate is the mean of 8 draws.",
    )
    expect(
        not np.isclose(se, np.sqrt(0.1875 / 7), atol=5e-4),
        "you divide by n - 1. The bootstrap draws from the eight seeds themselves, whose variance "
        "has the divisor 8.",
    )
    expect(
        not np.isclose(se, 0.1875 / 8, atol=5e-4),
        "that is the variance of the replicates; the standard error is its root.",
    )
    expect(
        np.isclose(se, np.sqrt(0.1875 / 8), atol=5e-4),
        "a draw has the variance 0.75 · 0.25, and a replicate is the mean of 8 independent draws.",
    )
    expect(
        not np.isclose(chance, 0.75, atol=5e-4),
        "that is the chance of one draw; all eight draws must be seeds that grew.",
    )
    expect(
        not np.isclose(chance, (7 / 8) ** 8, atol=5e-4),
        "that is the chance to miss one of the two failures; both must be missed.",
    )
    expect(
        not np.isclose(chance, 0.75**6, atol=5e-4),
        "a sample has as many draws as there are seeds: eight, not six.",
    )
    expect(
        not np.isclose(chance, (7 / 8) ** 16, atol=5e-4),
        "to miss one failure and to miss the other are not independent; ask for the chance that "
        "a draw misses both, 6/8.",
    )
    expect(
        np.isclose(chance, 0.75**8, atol=5e-4),
        "all eight draws must come from the six seeds that grew: (6/8) to the power 8.",
    )


@checker("hw3-4")
def check_estimates(answer):
    loo, mixed, gamma, plus = numbers(answer, 4, "leave-one-out, .632, gamma, .632+")
    expect(
        not np.isclose(loo, 5 / 24, atol=5e-4),
        "that is the naive estimate: a case may be judged only by the samples without it.",
    )
    expect(
        not np.isclose(loo, 3 / 7, atol=5e-4),
        "you pooled the seven judgments; first take the mean of each case, then the mean of the "
        "cases.",
    )
    expect(
        not np.isclose(loo, 2 / 6, atol=5e-4),
        "case 2 is in every sample, so nobody judges it: leave it out instead of counting it as "
        "right.",
    )
    expect(np.isclose(loo, 0.4, atol=5e-4), "five cases are judged: 1, 3, 4, 5 and 6.")
    forgotten, exchanged = 0.632 * 0.4, 0.368 * 0.4 + 0.632 / 6  # 0.2528 and 0.2525
    near = abs(mixed - forgotten) < abs(mixed - exchanged)
    expect(
        not np.isclose(mixed, forgotten, atol=5e-4) or not near,
        "that is 0.632 of the leave-one-out error alone: add 0.368 of the apparent error.",
    )
    expect(
        not np.isclose(mixed, exchanged, atol=5e-4),
        "the weights are exchanged: 0.632 belongs to the leave-one-out error.",
    )
    expect(
        np.isclose(mixed, 0.368 / 6 + 0.632 * 0.4, atol=5e-4),
        "the .632 estimate is 0.368 of the apparent error, 1/6, and 0.632 of the leave-one-out "
        "error.",
    )
    expect(
        not np.isclose(gamma, 1 / 3, atol=5e-4),
        "1/3 is the error of always saying 0. Gamma keeps the predictions of the model and breaks "
        "their tie to the targets: pair each target with each prediction.",
    )
    expect(
        not np.isclose(gamma, 1 / 6, atol=5e-4),
        "1/6 is the apparent error; gamma compares each target with the prediction of every case.",
    )
    expect(np.isclose(gamma, 0.5, atol=5e-4), "18 of the 36 pairs differ.")
    weight = 0.632 / (1 - 0.368 * 0.8)
    expect(
        not np.isclose(plus, (1 - weight) / 6 + weight * 0.4, atol=5e-4),
        "R is 0.7, not 0.4 / 0.5: both differences start from the apparent error.",
    )
    expect(
        not np.isclose(plus, (1 - 0.7) / 6 + 0.7 * 0.4, atol=5e-4),
        "R is not the weight itself: w = 0.632 / (1 - 0.368 R).",
    )
    weight = 0.632 / (1 - 0.368 * 0.7)
    expect(
        np.isclose(plus, (1 - weight) / 6 + weight * 0.4, atol=1e-3),
        "R = (0.4 - 1/6) / (0.5 - 1/6) = 0.7, and w = 0.632 / (1 - 0.368 R).",
    )


# --- Part B ----------------------------------------------------------------------------

CLASSES = np.array(["b", "a", "b", "c", "b", "a", "b", "c", "b", "b"])  # sizes 2, 6, 2


@checker("hw3-5")
def check_draw_rows(draw_rows):
    rng = np.random.default_rng(0)
    draws = [np.asarray(draw_rows(CLASSES.copy(), rng)) for _ in range(300)]
    for rows in draws:
        expect(
            rows.ndim == 1 and np.issubdtype(rows.dtype, np.integer),
            "return an array of row numbers, not names of groups or rows as a list of lists.",
        )
    counts = np.array([np.bincount(rows, minlength=10) for rows in draws])
    whole = all((counts[:, CLASSES == g].T == counts[:, CLASSES == g][:, 0]).all() for g in "abc")
    expect(
        whole, "some rows of a group are there without the others: draw groups, and take all rows."
    )
    one_each = counts[:, [1, 0, 3]]  # one row of a, of b and of c
    expect(
        not (one_each == 1).all(),
        "each group comes exactly once: draw with replacement.",
    )
    expect(
        len({rows.tobytes() for rows in counts}) > 1,
        "every call draws the same: take the draws from `rng`, without a seed of your own.",
    )
    expect(
        one_each.max() > 1,
        "no group ever comes twice: a group that is drawn twice brings its rows twice.",
    )
    expect(
        (one_each.sum(axis=1) == 3).all(),
        "there are 3 groups, so a sample is 3 draws of a group, however many rows they bring.",
    )
    share = one_each[:, 1].mean() / 3
    expect(
        share < 0.45,
        f"the group of 6 rows makes up {share:.0%} of your draws: each group has the same "
        "chance, whatever its size.",
    )
    expect(
        np.abs(one_each.mean(axis=0) - 1).max() < 0.2,
        "each of the 3 groups is drawn once on average, but not with your draws.",
    )
    again = [np.sort(draw_rows(CLASSES.copy(), np.random.default_rng(6))) for _ in range(8)]
    expect(
        all(np.array_equal(again[0], rows) for rows in again),
        "equal generators give different samples: take all random numbers from `rng`.",
    )
    rng = np.random.default_rng(1)
    single = np.array([np.bincount(draw_rows(np.arange(8), rng), minlength=8) for _ in range(400)])
    expect(
        (single.sum(axis=1) == 8).all(), "with 8 rows, each a group of its own, 8 rows are drawn."
    )
    expect(
        abs((single == 0).mean() - (7 / 8) ** 8) < 0.03,
        "with one row in each group this is the ordinary bootstrap: a row is missed with "
        "probability (7/8) to the power 8.",
    )


@checker("hw3-6")
def check_describe(describe):
    replicates = np.array([4.0, 1.0, 3.0, 2.0, 10.0])
    bias, se, low, high = numbers(
        describe(3.0, replicates.copy(), 0.5), 4, "bias, standard error, low, high"
    )
    expect(not np.isclose(bias, -1), "the sign: mean of the replicates less the estimate.")
    expect(not np.isclose(bias, 4), "the bias is the mean of the replicates *less the estimate*.")
    expect(np.isclose(bias, 1), "the replicates have the mean 4, the estimate is 3: bias 1.")
    expect(not np.isclose(se, np.sqrt(10)), "divide by B - 1 under the root.")
    expect(not np.isclose(se, 12.5), "that is the variance; the standard error is its root.")
    expect(
        not np.isclose(se, np.sqrt(12.5 / 5)),
        "no division by the root of B: the standard deviation of the replicates is the standard "
        "error of the statistic. More replicates do not make the cases more certain.",
    )
    expect(
        not np.isclose(se, np.sqrt(55 / 4)),
        "the spread is measured around the mean of the replicates, not around the estimate.",
    )
    expect(np.isclose(se, np.sqrt(12.5)), "the squares of 0, -3, -1, -2, 6 add up to 50.")
    expect(
        not np.allclose([low, high], np.quantile(replicates, [0.025, 0.975])),
        "this is the interval of level 0.95, whatever the level: use the argument.",
    )
    expect(
        not np.isclose(low, high),
        "both ends are the same: level 0.5 leaves out 0.25 below and 0.25 above.",
    )
    middle = (low + high) / 2
    expect(
        not np.isclose(middle, 3) or np.isclose(low, 2),
        "that is estimate ± a multiple of the standard error; the percentile interval is made of "
        "quantiles of the replicates.",
    )
    expect(
        np.allclose([low, high], [2, 4]),
        "for level 0.5 the ends are the quantiles 0.25 and 0.75 of the replicates: 2 and 4.",
    )
    for seed in range(4):
        R = np.random.default_rng(seed).gamma(2, size=200 + seed)
        low, high = describe(0.0, R.copy(), 0.9)[2:]
        expect(
            not np.allclose([low, high], np.quantile(R, [0.1, 0.9])),
            "level 0.9 leaves out 0.1 in all, 0.05 at each end.",
        )
        expect(
            np.allclose([low, high], np.quantile(R, [0.05, 0.95])),
            "right for 0.5, wrong for level 0.9: (1 - level) / 2 is left out at each end.",
        )


class Recorder:
    """A learner that notes the rows that it is fitted on, and answers by a fixed rule.

    The only column of X holds the row number, so the notes tell what was drawn.
    """

    def __init__(self, y):
        self.y, self.rows = y, []

    def fit(self, X, y):
        rows = np.asarray(X)[:, 0].astype(int)
        expect(
            np.array_equal(np.asarray(y), self.y[rows]),
            "fit gets rows of X with targets of other rows: draw one list of rows for both.",
        )
        self.rows.append(rows)
        return lambda A, rows=rows: self.say(rows, np.asarray(A)[:, 0].astype(int))

    def say(self, rows, asked):
        """Wrong for a third of the rows, another third for every sample."""
        values = np.unique(self.y)
        off = (asked * 7 + rows.sum() + asked * rows[0]) % 3 == 0
        codes = np.searchsorted(values, self.y[asked])
        return values[(codes + off) % len(values)]

    def split(self):
        """The fits on all rows once, and the others."""
        n = len(self.y)
        full = [np.array_equal(np.sort(rows), np.arange(n)) for rows in self.rows]
        return [r for r, f in zip(self.rows, full, strict=True) if f], [
            r for r, f in zip(self.rows, full, strict=True) if not f
        ]

    def estimates(self):
        """Apparent error, losses (B, n) and who is out (B, n), by the definition."""
        full, drawn = self.split()
        n = len(self.y)
        apparent = np.mean(self.say(full[0], np.arange(n)) != self.y) if full else np.nan
        losses = np.array([self.say(rows, np.arange(n)) != self.y for rows in drawn])
        out = np.array([~np.isin(np.arange(n), rows) for rows in drawn])
        return apparent, losses, out


def leave_one_out(losses, out):
    """Mean over the judged cases of their mean loss."""
    judged = out.any(axis=0)
    return np.mean((losses * out).sum(axis=0)[judged] / out.sum(axis=0)[judged])


def case(seed, n_groups, classes):
    """Row numbers as X, targets, and groups of two to four rows."""
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(n_groups), rng.integers(2, 5, n_groups)))
    n = len(groups)
    return (
        np.arange(n)[:, None].astype(float),
        np.array(classes)[rng.integers(len(classes), size=n)],
        groups,
    )


@checker("hw3-7")
def check_error_estimates(error_estimates):
    for seed, n_groups, B, classes in ((0, 12, 30, (0, 1)), (1, 9, 3, "abc"), (2, 10, 2, (0, 1))):
        X, y, groups = case(seed, n_groups, list(classes))
        learner = Recorder(y)
        with np.errstate(all="ignore"):
            got = error_estimates(
                learner.fit, X.copy(), y.copy(), groups.copy(), B, np.random.default_rng(seed)
            )
        apparent, loo, mixed = numbers(got, 3, "apparent error, leave-one-out, .632")
        full, drawn = learner.split()
        expect(
            full,
            "the apparent error is that of the model of *all* rows, once each: fit on X, y too.",
        )
        expect(
            len(drawn) == B, f"you fitted on {len(drawn)} samples where B is {B}: one fit for each."
        )
        expect(
            all(
                np.ptp(np.bincount(rows, minlength=len(y))[groups == g]) == 0
                for rows in drawn
                for g in np.unique(groups)
            ),
            "some rows of a group are drawn without the others: draw whole groups, with your "
            "draw_rows.",
        )
        want, losses, out = learner.estimates()
        expect(
            np.isclose(apparent, want),
            "the apparent error is the share of all rows that the model of all rows gets wrong.",
        )
        expect(
            not np.isnan(loo),
            "a row that is in every sample has no judge: leave it out of the mean instead of "
            "dividing by zero.",
        )
        right = leave_one_out(losses, out)
        judged = out.any(axis=0)
        each = (losses * out).sum(axis=0) / np.maximum(out.sum(axis=0), 1)
        units = [each[judged & (groups == g)] for g in np.unique(groups[judged])]
        others = {
            "that is the naive estimate: a row may be judged only by the samples without it.": (
                losses.mean()
            ),
            "you pooled all judgments; first take the mean of each row, then the mean of the "
            "rows.": losses[out].mean(),
            "a row that is in every sample counts as right in your mean: leave it out.": (
                right * judged.mean()
            ),
            "you took the mean over groups; the mean is over rows, so a large group counts for "
            "more.": np.mean([unit.mean() for unit in units]),
            "you let the samples vote and compare once for each row: that is the out-of-bag "
            "error of bagging. Here every judgment counts by itself.": np.mean(
                each[judged] > 1 / 2
            ),
        }
        for hint, value in others.items():
            expect(not np.isclose(loo, value) or np.isclose(value, right), hint)
        expect(np.isclose(loo, right), "the leave-one-out bootstrap error is wrong.")
        expect(
            not np.isclose(mixed, 0.632 * apparent + 0.368 * loo, atol=1e-3)
            or np.isclose(apparent, loo, atol=0.01),
            "the weights are exchanged: 0.632 belongs to the leave-one-out error.",
        )
        expect(
            np.isclose(mixed, 0.368 * apparent + 0.632 * loo, atol=1e-3),
            "the .632 estimate is 0.368 of the apparent and 0.632 of the leave-one-out error.",
        )


# --- Part C ----------------------------------------------------------------------------


# Standard error, low, high: their means over many seeds, and four standard deviations.
RECORDINGS = (0.609, -4.906, -2.529), (0.052, 0.208, 0.204)
PERSONS = (1.465, -6.636, -0.907), (0.14, 0.536, 0.472)


@checker("hw3-8")
def check_spread(answer):
    table = np.asarray(answer, dtype=float)
    expect(
        table.shape == (2, 3),
        "give two rows, recordings and persons, with standard error, low and high.",
    )
    expect(
        np.isfinite(table).all(),
        "one of your samples holds no healthy person, so its mean is nan: leave such samples out.",
    )
    expect(
        not np.isclose(table[0, 0], table[1, 0], rtol=0.1),
        "both rows have nearly the same standard error: the second draws whole persons.",
    )
    expect(
        table[0, 0] < table[1, 0],
        "the rows are exchanged: recordings first, persons second.",
    )
    expect((table[:, 2] > table[:, 1]).all(), "the columns are standard error, low end, high end.")
    expect(
        (table[:, 1:] < 0).all(),
        "the difference is ill less healthy; it is negative, and so are both ends.",
    )
    expect(
        table[0, 0] > 0.1,
        "your standard errors are too small by far: no division by the root of B.",
    )
    for row, name, want, room in (
        (table[0], "recordings", *RECORDINGS),
        (table[1], "persons", *PERSONS),
    ):
        for got, right, atol, what in zip(
            row, want, room, ("standard error", "low end", "high end"), strict=True
        ):
            expect(
                abs(got - right) < atol,
                f"the {what} for {name} is {got:.3g}; 1000 replicates and level 0.95 come close "
                f"to {right:.3g}.",
            )


@checker("hw3-9")
def check_loo_table(answer):
    table = np.asarray(answer, dtype=float)
    expect(table.shape == (2, 2), "give two rows, tree and neighbor, with recordings and persons.")
    expect(
        (table > 0).all(),
        "an error of 0 is the apparent error: it is asked for the leave-one-out bootstrap.",
    )
    want = np.array([[0.149, 0.259], [0.071, 0.258]])
    expect(
        not np.allclose(table, want.T, atol=0.03),
        "rows and columns are exchanged: a row is a learner.",
    )
    expect(
        not np.allclose(table, want[:, ::-1], atol=0.03),
        "the columns are exchanged: recordings first, persons second.",
    )
    expect(
        not np.allclose(table, want[::-1], atol=0.03),
        "the rows are exchanged: tree, then neighbor.",
    )
    expect(
        not np.allclose(table, 0.632 * want, atol=0.012),
        "these are the .632 estimates; it is asked for the leave-one-out bootstrap.",
    )
    expect(
        not np.allclose(table[:, 1], want[:, 0], atol=0.03),
        "the column of persons looks like that of recordings: pass the persons as groups.",
    )
    for i, name in enumerate(("tree", "neighbor")):
        for j, unit in enumerate(("recordings", "persons")):
            expect(
                abs(table[i, j] - want[i, j]) < (0.025, 0.05)[j],
                f"the {name}'s error over {unit} should be close to {want[i, j]}, yours is "
                f"{table[i, j]:.3g}.",
            )
