"""Checkers of homework 3, "How sure is a number", and the numbers of its part A."""

import numpy as np

from treelab.checkers import checker, expect, judged
from treelab.datasets import fetch_parkinsons

# --- Part A ----------------------------------------------------------------------------

# Seeds by which a number draws its tables, in turn; the lengths have no common divisor.
COLONIES = (
    57, 64, 77, 80, 88, 93, 128, 143, 181, 196, 250, 253, 270, 302, 324, 347, 400, 401, 434,
    452, 456, 493, 504, 602, 617, 631, 662, 691, 755, 760, 781, 833, 838, 875, 880, 934, 963,
)  # fmt: skip
COSTS = (2, 6), (2, 8), (2, 3), (3, 7), (3, 12), (3, 5)  # of a false alarm, of a missed swarm
WEEKS = (
    3, 7, 9, 10, 12, 14, 16, 17, 18, 19, 24, 27, 30, 31, 32, 34, 35, 36, 38, 39, 41, 42, 43,
    45, 46, 47, 48, 52, 53, 55, 56, 57, 59, 63, 64, 65, 68, 69, 70, 72, 73,
)  # fmt: skip
SOWN = [(n, bad) for bad in (2, 3, 4) for n in range(3 * bad + 1, 21)]
SAMPLES = (
    2, 4, 24, 75, 99, 148, 176, 181, 193, 217, 258, 273, 299, 313, 395, 437, 499, 505, 554,
    571, 673, 688, 780, 796, 816, 913, 931, 948, 1020, 1036, 1055, 1142, 1164, 1240, 1252,
    1255, 1328, 1343, 1365, 1390, 1399, 1418, 1421,
)  # fmt: skip


def given(number):
    """What part A is about; dict.

    Parameters
    ----------
    number : int
        That of the student or group; 0 is the example of the solutions.

    Returns
    -------
    dict
        ``score`` and ``swarmed`` (10,) of the colonies, and ``costs``, of a false alarm and of a
        missed swarm; ``weeks``, the two harvests of each week (3, 2); ``sown``, how many seeds
        there are and how many failed; ``samples``, the observations (4, 6) drawn by each sample,
        from 1; ``wrong``, 0 or 1 (4, 6) for each sample and observation; ``target`` and
        ``prediction`` (6,).
    """
    if number == 0:
        return {
            "score": np.array([0.91, 0.84, 0.72, 0.58, 0.53, 0.33, 0.33, 0.27, 0.12, 0.07]),
            "swarmed": np.array([1, 1, 0, 1, 0, 0, 1, 0, 0, 0]),
            "costs": (2, 8),
            "weeks": np.array([[0, 4], [4, 8], [10, 18]]),
            "sown": (8, 2),
            "samples": np.array(
                [[1, 1, 2, 4, 5, 5], [2, 3, 3, 3, 5, 6], [1, 2, 2, 4, 6, 6], [1, 2, 3, 4, 4, 6]]
            ),
            "wrong": np.array(
                [[0, 0, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0]]
            ),
            "target": np.array([1, 1, 0, 0, 0, 0]),
            "prediction": np.array([1, 1, 1, 0, 0, 0]),
        }
    return {
        **draw_colonies(np.random.default_rng([6, COLONIES[number % len(COLONIES)]])),
        "weeks": draw_weeks(np.random.default_rng([3, WEEKS[number % len(WEEKS)]])),
        "sown": SOWN[number % len(SOWN)],
        **draw_samples(np.random.default_rng([3, SAMPLES[number % len(SAMPLES)]])),
    }


def draw_colonies(rng):
    """Ten colonies by decreasing score, of which four swarm; a swarm and another share a score."""
    scores = rng.choice([k for k in range(6, 96) if k % 5], size=9, replace=False)
    scores = np.sort(scores)[::-1] / 100
    tied = int(rng.integers(2, 7))
    others = np.delete(np.arange(10), [tied, tied + 1])
    early = rng.choice(others, size=(3, 2)).min(axis=1)
    swarmed = np.zeros(10, dtype=int)
    swarmed[[tied, *early]] = 1
    return {
        "score": np.insert(scores, tied, scores[tied]),
        "swarmed": swarmed,
        "costs": COSTS[rng.integers(len(COSTS))],
    }


def draw_weeks(rng):
    """The two harvests of each of three weeks; the later, the more."""
    first, second, third = rng.integers([0, 3, 8], [5, 9, 15])
    return np.array(
        [
            [first, first + 2 * rng.integers(1, 4)],
            [second, second + 2 * rng.integers(2, 4)],
            [third, third + 2 * rng.integers(2, 6)],
        ]
    )


def draw_samples(rng):
    """Four samples of six observations, their models' errors, and targets and predictions."""
    samples = np.sort(rng.integers(1, 7, size=(4, 6)))
    drawn = np.array([np.isin(np.arange(1, 7), sample) for sample in samples])
    target = rng.permutation([1, 1, *rng.integers(2, size=2), 0, 0])
    off = rng.permutation([1, rng.integers(2), 0, 0, 0, 0])
    return {
        "samples": samples,
        "wrong": (rng.random((4, 6)) < np.where(drawn, 0.1, 0.45)).astype(int),
        "target": target,
        "prediction": np.abs(target - off),
    }


def numbers(answer, n, what):
    """The answer as n floats."""
    expect(np.shape(answer) == (n,), f"give {n} numbers: {what}.")
    return np.array([float(number) for number in answer])


def by_hand(question, answer, n, what):
    """See that an answer by hand is n finite numbers; its values are checked elsewhere."""
    found = numbers(answer, n, what)
    expect(np.isfinite(found).all(), "one of your numbers is not finite.")
    judged(question, found)


@checker("hw3-1")
def check_measures(answer):
    by_hand("hw3-1", answer, 5, "precision, recall, AUC, threshold, cost")


@checker("hw3-2")
def check_predictions(answer):
    by_hand("hw3-2", answer, 8, "the prediction for week 2 from each spring, in order")


@checker("hw3-3")
def check_parts(answer):
    by_hand("hw3-3", answer, 5, "noise, bias², variance, error of one stump, error of the mean")


@checker("hw3-4")
def check_germination(answer):
    by_hand("hw3-4", answer, 3, "bias, standard error, probability")


@checker("hw3-5")
def check_estimates(answer):
    by_hand("hw3-5", answer, 4, "leave-one-out, .632, no-information error, .632+")


# --- Part B ----------------------------------------------------------------------------

CLASSES = np.array(["b", "a", "b", "c", "b", "a", "b", "c", "b", "b"])  # sizes 2, 6, 2


@checker("hw3-6", plain=True)
def check_draw_rows(draw_rows):
    rng = np.random.default_rng(0)
    draws = [np.asarray(draw_rows(CLASSES.copy(), rng)) for _ in range(300)]
    for rows in draws:
        expect(
            rows.ndim == 1 and np.issubdtype(rows.dtype, np.integer),
            "return an array of row indices, not names of groups or rows as a list of lists.",
        )
    counts = np.array([np.bincount(rows, minlength=10) for rows in draws])
    whole = all((counts[:, CLASSES == g].T == counts[:, CLASSES == g][:, 0]).all() for g in "abc")
    expect(
        whole, "some rows of a group are drawn without the others: draw groups, and take all rows."
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
    proportion = one_each[:, 1].mean() / 3
    expect(
        proportion < 0.45,
        f"the group of 6 rows makes up {proportion:.0%} of your draws: each group has the same "
        "probability, whatever its size.",
    )
    expect(
        np.abs(one_each.mean(axis=0) - 1).max() < 0.2,
        "each of the 3 groups should be drawn once on average, but your draws differ.",
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
        "with one row in each group this is the ordinary bootstrap: a row is left out with "
        "probability (7/8) to the power 8.",
    )


@checker("hw3-7", plain=True)
def check_describe(describe):
    replicates = np.array([4.0, 1.0, 3.0, 2.0, 10.0])
    bias, se, low, high = numbers(
        describe(3.0, replicates.copy(), 0.5), 4, "bias, standard error, low, high"
    )
    expect(not np.isclose(bias, -1), "the sign: mean of the replicates minus the estimate.")
    expect(not np.isclose(bias, 4), "the bias is the mean of the replicates *minus the estimate*.")
    expect(np.isclose(bias, 1), "the replicates have the mean 4, the estimate is 3: bias 1.")
    expect(not np.isclose(se, np.sqrt(10)), "divide by B - 1 under the root.")
    expect(not np.isclose(se, 12.5), "that is the variance; the standard error is its root.")
    expect(
        not np.isclose(se, np.sqrt(12.5 / 5)),
        "no division by the root of B: the standard deviation of the replicates is the standard "
        "error of the statistic. More replicates do not add observations.",
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
        "that is the estimate ± a multiple of the standard error; the percentile interval consists "
        "of quantiles of the replicates.",
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
    """A classifier that notes the rows that it is fitted on, and predicts by a fixed rule.

    The only feature is the row number, so the notes show what was drawn.
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
        return lambda A, rows=rows: self.predicted(rows, np.asarray(A)[:, 0].astype(int))

    def predicted(self, rows, asked):
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
        """Apparent error, losses (B, n) and out-of-bag rows (B, n), by the definition."""
        full, drawn = self.split()
        n = len(self.y)
        apparent = np.mean(self.predicted(full[0], np.arange(n)) != self.y) if full else np.nan
        losses = np.array([self.predicted(rows, np.arange(n)) != self.y for rows in drawn])
        out = np.array([~np.isin(np.arange(n), rows) for rows in drawn])
        return apparent, losses, out


def leave_one_out(losses, out):
    """Mean over the rows that are ever out of bag of their mean loss."""
    covered = out.any(axis=0)
    return np.mean((losses * out).sum(axis=0)[covered] / out.sum(axis=0)[covered])


def grouped_rows(seed, n_groups, classes):
    """Row numbers as X, targets, and groups of two to four rows."""
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(n_groups), rng.integers(2, 5, n_groups)))
    n = len(groups)
    return (
        np.arange(n)[:, None].astype(float),
        np.array(classes)[rng.integers(len(classes), size=n)],
        groups,
    )


@checker("hw3-8", plain=True)
def check_error_estimates(error_estimates):
    for seed, n_groups, B, classes in ((0, 12, 30, (0, 1)), (1, 9, 3, "abc"), (2, 10, 2, (0, 1))):
        X, y, groups = grouped_rows(seed, n_groups, list(classes))
        recorder = Recorder(y)
        with np.errstate(all="ignore"):
            got = error_estimates(
                recorder.fit, X.copy(), y.copy(), groups.copy(), B, np.random.default_rng(seed)
            )
        apparent, loo, mixed = numbers(got, 3, "apparent error, leave-one-out, .632")
        full, drawn = recorder.split()
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
        want, losses, out = recorder.estimates()
        expect(
            np.isclose(apparent, want),
            "the apparent error is the proportion of errors of the model of all rows, on all rows.",
        )
        expect(
            not np.isnan(loo),
            "a row that is in every sample is never out of bag: leave it out of the mean, because "
            "you divide by zero.",
        )
        right = leave_one_out(losses, out)
        covered = out.any(axis=0)
        each = (losses * out).sum(axis=0) / np.maximum(out.sum(axis=0), 1)
        units = [each[covered & (groups == g)] for g in np.unique(groups[covered])]
        others = {
            "that is the naive estimate: a row may be predicted only by models that have not seen "
            "it.": losses.mean(),
            "you pooled all predictions; first take the mean of each row, then the mean of the "
            "rows.": losses[out].mean(),
            "a row that is in every sample counts as right in your mean: leave it out.": (
                right * covered.mean()
            ),
            "you took the mean over groups; the mean is over rows, so a large group counts "
            "more.": np.mean([unit.mean() for unit in units]),
            "you let the models vote and compare once for each row: that is the out-of-bag "
            "error of bagging. Here every prediction counts by itself.": np.mean(
                each[covered] > 1 / 2
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


# Standard deviation of the differences, by recordings and by persons: the mean over many seeds.
SPREADS = 0.609, 1.465


def expect_whole(found, B):
    """Differences of B samples of a table in which every sample has one."""
    expect(found.ndim == 1, "return one array of numbers, a difference for each sample.")
    expect(len(found) == B, f"you returned {len(found)} differences where B is {B}.")


@checker("hw3-9")
def check_differences(differences):
    rng = np.random.default_rng(0)
    ill = rng.permutation(np.repeat([0, 1], 20))
    values = rng.normal(size=40) + 3 * ill
    found = np.asarray(
        differences(values.copy(), ill.copy(), np.arange(40), 300, np.random.default_rng(1)), float
    )
    expect_whole(found, 300)
    want = values[ill == 1].mean() - values[ill == 0].mean()
    expect(
        np.ptp(found) > 1e-9,
        "all your differences are the same: draw new rows for each sample, and take the values "
        "and the targets of these rows.",
    )
    expect(
        abs(found.mean() + want) > 0.3, "the sign: the mean of the ill minus that of the others."
    )
    spread = np.sqrt(values[ill == 1].var() / 20 + values[ill == 0].var() / 20)
    expect(
        abs(found.mean() - want) < 0.15 and 0.8 * spread < found.std() < 1.2 * spread,
        "wrong for 40 rows, each a group of its own: take values[rows] and ill[rows] for each "
        "sample, and the difference of two means.",
    )
    again = differences(values.copy(), ill.copy(), np.arange(40), 300, np.random.default_rng(1))
    expect(
        np.array_equal(found, again),
        "equal generators give different samples: take all draws from `rng`.",
    )
    other = differences(values.copy(), ill.copy(), np.arange(40), 300, np.random.default_rng(2))
    expect(
        not np.array_equal(found, other),
        "another generator gives the same samples: take all draws from `rng`.",
    )
    few = np.array([0, 0, 1, 1, 2, 2, 3, 3])  # one healthy group of four
    kind = (few > 0).astype(int)
    found = np.asarray(
        differences(np.arange(8.0) + 9 * kind, kind, few, 200, np.random.default_rng(3)), float
    )
    expect(
        np.isfinite(found).all(),
        "one of your samples has no healthy group, so its mean is nan: leave such samples out.",
    )
    expect(
        (found > 9).all(),
        "a sample without a healthy group has no difference, also not 0 or the mean of the ill: "
        "leave it out.",
    )
    expect(len(found) < 200, "leave out samples that contain only one class, and draw no others.")
    expect(
        100 < len(found) < 170,
        "with one healthy group of four, (3/4) to the power 4 of the samples have none: you leave "
        f"out {200 - len(found)} of 200.",
    )
    voices = fetch_parkinsons()
    persons = voices.frame["name"].str.rsplit("_", n=1).str[0].to_numpy()
    clear, ill = voices.frame["HNR"].to_numpy(), voices.target.to_numpy()
    got = np.std(differences(clear, ill, persons, 400, np.random.default_rng(0)))
    by_recordings, by_persons = SPREADS
    expect(
        abs(got - by_recordings) > 0.15,
        "by persons you get the spread of recordings: draw groups, with your draw_rows.",
    )
    expect(
        abs(got - by_persons) < 0.2,
        f"the differences by persons have the standard deviation {got:.3g}; it comes close to "
        f"{by_persons}.",
    )


def knows(column):
    """A method that is right about the rows whose value of a feature it has seen, else wrong."""

    def fit(X, y):
        seen, answers = np.asarray(X)[:, column], np.asarray(y)

        def predict(A):
            A = np.asarray(A)
            right = np.where(np.isin(A[:, column], seen), A[:, 2], 1 - A[:, 2])
            return right.astype(answers.dtype)

        return predict

    return fit


def at_random(X, y):
    """A method whose predictions depend on the sum of the rows that it is fitted on."""
    return lambda A: (np.asarray(A)[:, 0] + np.sum(np.asarray(X)[:, 0])) // 3 % 2


@checker("hw3-10")
def check_loo_table(loo_table):
    groups = np.repeat(np.arange(10), 6)
    y = np.random.default_rng(0).integers(2, size=60)
    X = np.column_stack([np.arange(60), groups, y]).astype(float)
    methods = {"by row": knows(0), "by group": knows(1), "at random": at_random}
    units = {"row": np.arange(60), "group": groups, "the same": np.arange(60)}
    table = loo_table(dict(methods), X.copy(), y.copy(), dict(units), 12, 5)
    expect(hasattr(table, "columns") and hasattr(table, "index"), "return a DataFrame of pandas.")
    expect(
        sorted(map(str, table.columns)) != sorted(methods),
        "rows and columns are exchanged: a row is a method.",
    )
    expect(
        list(table.columns) == list(units) and list(table.index) == list(methods),
        "name the rows like the methods and the columns like the units, in the same order.",
    )
    try:
        found = table.to_numpy(float)
    except (TypeError, ValueError):
        found = np.full((3, 3), np.nan)
    expect(
        np.isfinite(found).all(),
        "each entry is one number, the second of the three that error_estimates returns.",
    )
    expect(
        not (found[:2] == 0).all(), "these are apparent errors: take the leave-one-out bootstrap."
    )
    expect(
        not np.isclose(found[0], 0.632).all(),
        "these are the .632 estimates; you are asked for the leave-one-out bootstrap.",
    )
    expect(
        np.isclose(found[0], 1).all(),
        "a method that knows only the rows that it has seen is wrong on all others: its "
        "leave-one-out error is 1.",
    )
    expect(
        found[1, 0] != found[1, 1],
        "the columns are equal: pass the groups of the unit to error_estimates.",
    )
    expect(
        found[2, 0] == found[2, 2],
        "two units with the same groups get different errors: each entry starts with a new "
        "generator that has the seed.",
    )
    expect(
        found[1, 0] < 0.3 and np.isclose(found[1, 1], 1),
        "a method that knows a whole group by one of its rows is wrong on whole groups that are "
        "left out (1), but hardly ever if single rows are left out.",
    )

    def guess(seed, B):
        """The error of the method that predicts at random."""
        table = loo_table({"c": at_random}, X.copy(), y.copy(), {"row": np.arange(60)}, B, seed)
        return float(np.ravel(table)[0])

    expect(
        len({guess(seed, 3) for seed in range(6)}) > 1,
        "every seed gives the same: use the argument `seed`.",
    )
    expect(guess(0, 1) != guess(0, 12), "B = 1 and B = 12 give the same: use the argument `B`.")
