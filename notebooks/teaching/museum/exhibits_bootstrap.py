"""The rooms of chapters 6 and 7: one tree is not enough, the bootstrap."""

from itertools import cycle, product

import numpy as np
from museum import Exhibit, bars, lines, panels, points
from signs import GRID, PREDICTED, coin_flips, wave
from sklearn.dummy import DummyRegressor

from treelab import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
)
from treelab.bootstrap import Bootstrap, bootstrap, bootstrap_error_table, plus_estimate
from treelab.style import COLORS, INK, pale


def histogram(key, xlabel, edges):
    """How often each value occurs; the estimate from the data as a line."""

    def draw_one(ax, result):
        ax.hist(result[key], edges, color=pale(COLORS[0], 0.45), edgecolor=INK, lw=0.6)
        ax.axvline(result["_estimate"], color=INK, ls="--", lw=1.2)

    return panels(draw_one, xlabel, "replicates")


def with_level(labels, key, level, text, ylabel):
    """Bars with a dashed line at a height to compare them with."""
    draw = bars(labels, ylabel, key=key)

    def picture(axes, right, wrong):
        draw(axes, right, wrong)
        for ax, result in zip(axes, (right, wrong)):
            ax.axhline(result[level], color=COLORS[5], ls="--", lw=1.5, zorder=0)
        axes[0].annotate(
            text, (-0.4, right[level]), (0, 3), textcoords="offset points", fontsize=10,
            color=COLORS[5],
        )  # fmt: skip

    return picture


def mean_of_bootstrap_trees():
    X, y = wave()

    def fit_and_predict(X, y):
        return DecisionTreeRegressor(max_depth=3).fit(X, y).predict(GRID[:, None])

    mean = bootstrap(fit_and_predict, X, y, n_resamples=20, random_state=0).mean
    return {"x": GRID, "said": np.full(len(GRID), mean), "_x": X[:, 0], "_y": y}


def scatter_of_stumps():
    said = []
    for seed in range(30):
        stump = DecisionTreeRegressor(max_depth=1).fit(*wave(40, seed=seed))
        said.append(stump.predict(GRID[:, None]))
    said, truth = np.array(said), np.sin(GRID)
    return {"x": GRID, "variance": Bootstrap(truth, said).variance}


WAITS = np.random.default_rng(3).exponential(10.0, size=30)


def replicates_of_the_mean():
    result = bootstrap(np.mean, WAITS, n_resamples=200, random_state=0)
    return {"mean": result.replicates, "_estimate": result.estimate}


def replicates_of_a_correlation():
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    y = x + rng.normal(0, 0.5, 40)

    def correlation(x, y):
        return np.corrcoef(x, y)[0, 1]

    result = bootstrap(correlation, x, y, n_resamples=200, random_state=0)
    return {"r": result.replicates, "_estimate": result.estimate}


def caller_draws():
    """Ten draws from NumPy's global generator, with a bootstrap before each."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    draws = []
    for _ in range(10):
        bootstrap(np.mean, WAITS, n_resamples=2, random_state=0)
        draws.append(np.random.normal())  # noqa: NPY002
    np.random.set_state(before)  # noqa: NPY002
    return {"call": np.arange(1, 11), "draw": np.array(draws)}


def variance_by_number():
    """Mean of the variance of m numbers with variance 1, over many draws."""
    numbers = np.array([2, 3, 5, 10, 20])
    rng = np.random.default_rng(0)
    mean = [np.mean(Bootstrap(0.0, rng.normal(size=(m, 4000))).variance) for m in numbers]
    return {"m": numbers, "mean": np.array(mean)}


def error_estimates(X, y, model=None):
    """Apparent error, leave-one-out bootstrap and .632."""
    model = model or DecisionTreeClassifier()
    table = bootstrap_error_table(model, X, y, n_resamples=12, random_state=0)
    return table.loc[["apparent", "loo", ".632"], "error"].to_numpy()


def estimates_for_coin_flips():
    return {"error": error_estimates(*coin_flips()), "_truth": 0.5}


def estimates_and_test_error():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5100, 3))
    y = (X[:, 0] + rng.normal(0, 0.6, 5100) > 0).astype(int)
    tree = DecisionTreeClassifier(max_depth=3).fit(X[:100], y[:100])
    new = np.mean(tree.predict(X[100:]) != y[100:])
    return {"error": error_estimates(X[:100], y[:100], tree), "_truth": new}


def plus_path():
    loo = np.linspace(0, 0.5, 21)
    return {"loo": loo, "estimate": np.array([plus_estimate(0.0, e, 0.5) for e in loo])}


LEVELS = (0.6, 0.8, 0.9, 0.95)


def share_inside():
    replicates = np.random.default_rng(0).normal(size=2000)
    result, shares = Bootstrap(0.0, replicates), []
    for level in LEVELS:
        low, high = result.interval(level)
        shares.append(np.mean((replicates >= low) & (replicates <= high)))
    return np.array(shares)


# --- answers to exercises, made of treelab's own functions -----------------------------------


def bias_variance():
    def answer(P, truth):
        trees = Bootstrap(truth, P)
        m = len(P)
        return np.mean(trees.bias**2), np.mean(trees.variance) * (m - 1) / m

    return answer


def corrected():
    def answer(P, truth):
        trees = Bootstrap(truth, P)
        variance = np.mean(trees.variance)
        return np.mean(trees.bias**2) - variance / len(P), variance

    return answer


def correlation_of_trees():
    def answer(P):
        within = Bootstrap(0.0, P.T).variance.mean()
        between = Bootstrap(0.0, P.mean(axis=1)).variance - within / P.shape[1]
        return between / (between + within), between + within

    return answer


class Draws(np.random.RandomState):
    """A generator whose samples of row numbers are given."""

    def __init__(self, samples):
        super().__init__(0)
        self.samples = iter(samples)

    def randint(self, *args, **kwargs):
        return np.array(next(self.samples))


def exact_bootstrap():
    def answer(statistic, data):
        n, shares = len(data), {}
        draws = Draws(cycle(product(range(n), repeat=n)))
        B = 2 * n**n
        for value in bootstrap(statistic, data, n_resamples=B, random_state=draws).replicates:
            shares[value.item()] = shares.get(value.item(), 0.0) + 1 / B
        return shares

    return answer


def leave_one_out():
    def answer(counts, losses):
        B, n = counts.shape
        given = iter([*losses, *np.zeros((n + 1, n))])  # the last for apparent error and gamma
        table = bootstrap_error_table(
            DummyRegressor(), np.zeros((n, 1)), np.zeros(n), n_resamples=B,
            loss=lambda y, said: next(given),
            random_state=Draws(np.repeat(np.arange(n), count) for count in counts),
        )  # fmt: skip
        return table.loc["loo", "error"]

    return answer


def plus_632():
    def answer(y, predicted, loo):
        gamma = np.mean([np.mean(predicted != target) for target in y])
        return plus_estimate(np.mean(y != predicted), loo, gamma)

    return answer


def describe():
    def answer(estimate, replicates, level):
        result = Bootstrap(estimate, replicates)
        return result.bias, result.standard_error, *result.interval(level)

    return answer


class Learner:
    """A function that fits, as an estimator."""

    def __init__(self, learn):
        self.learn = learn

    def __sklearn_clone__(self):
        return Learner(self.learn)

    def fit(self, X, y):
        self.predict = self.learn(X, y)
        return self


def draws_of_groups(groups, rng):
    """Bootstrap samples of whole groups, one after the other."""
    names = np.unique(groups)
    while True:
        drawn = rng.choice(names, size=len(names))
        yield np.concatenate([np.flatnonzero(groups == name) for name in drawn])


def error_estimates_of_groups():
    def answer(fit, X, y, groups, B, rng):
        table = bootstrap_error_table(
            Learner(fit), X, y, n_resamples=B, loss=lambda y, said: (y != said).astype(float),
            random_state=Draws(draws_of_groups(groups, rng)),
        )  # fmt: skip
        return table.loc[["apparent", "loo", ".632"], "error"].to_numpy()

    return answer


# --- the exhibits ----------------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-mixed-points",
        title="One mean for all points",
        room=6,
        origin="student",
        target="treelab.bootstrap:Bootstrap.mean",
        before="return self.replicates.mean(axis=0)",
        after="return self.replicates.mean()",
        story=(
            "The table of predictions has a row for each training set and a column for each "
            "point. The mean over the training sets was wanted, one for each point; without the "
            "axis, NumPy takes the mean of the whole table."
        ),
        notice="Look at the shape. A mean for each point has as many numbers as there are points.",
        sign=mean_of_bootstrap_trees,
        picture=PREDICTED,
        caption=(
            "The mean of twenty trees along the line. With the fault it is the same everywhere."
        ),
        alt=(
            "Left, a step function that follows a wave of points; right, a horizontal line "
            "through the same points."
        ),
        caught_by=(("instability-2", bias_variance, "must add up"),),
    ),
    Exhibit(
        id="m-variance-about-truth",
        title="Variance measured from the truth",
        room=6,
        origin="student",
        target="treelab.bootstrap:Bootstrap.variance",
        before="return self.replicates.var(axis=0, ddof=1)",
        after=(
            "away = self.replicates - self.estimate\n"
            "        return np.sum(away**2, axis=0) / (len(self.replicates) - 1)"
        ),
        story=(
            "How far do the models scatter? The fault measures the distance from the truth "
            "instead of the distance from their own mean. So a learner that is always wrong in "
            "the same way, like a stump, seems to have a large variance."
        ),
        notice=(
            "Bias² plus variance must be the mean squared distance from the truth. Here the "
            "variance alone is that much, so the bias counts twice."
        ),
        sign=scatter_of_stumps,
        picture=lines("x", {"variance": ""}, "x", "variance"),
        caption=(
            "Variance of thirty stumps along the line. With the fault it is large wherever the "
            "stumps are wrong, even where they all agree."
        ),
        alt=(
            "Left, a curve with one peak in the middle, where the cut moves; right, a curve "
            "with peaks all along the line."
        ),
        caught_by=(
            ("instability-2", bias_variance, "not from the truth"),
            ("hw3-6", describe, "not around the estimate"),
        ),
    ),
    Exhibit(
        id="m-without-replacement",
        title="Shuffled, not drawn",
        room=7,
        origin="student",
        target="treelab.bootstrap:bootstrap",
        before="rows = rng.randint(n, size=n)",
        after="rows = rng.permutation(n)",
        story=(
            "A bootstrap sample was to have as many cases as the data, so the cases were "
            "shuffled. But without replacement every sample is the data again in another order, "
            "and no statistic that ignores the order can change."
        ),
        notice=(
            "The standard error of a mean comes out as 0. Print one sample: no case is in it twice."
        ),
        sign=replicates_of_the_mean,
        picture=histogram("mean", "mean wait", np.arange(3, 16.5, 1.0)),
        caption=(
            "Two hundred replicates of a mean; the dashed line is the mean of the data. With the "
            "fault all replicates are equal to it."
        ),
        alt="Left, a bell-shaped histogram around a dashed line; right, a single tall bar on it.",
        caught_by=(("bootstrap-3", exact_bootstrap, "without replacement"),),
    ),
    Exhibit(
        id="m-rows-apart",
        title="Feature and target drawn apart",
        room=7,
        origin="student",
        target="treelab.bootstrap:bootstrap",
        before=(
            "rows = rng.randint(n, size=n)\n"
            "        replicates.append(np.asarray("
            "statistic(*(_safe_indexing(d, rows) for d in data))))"
        ),
        after=(
            "drawn = [_safe_indexing(d, rng.randint(n, size=n)) for d in data]\n"
            "        replicates.append(np.asarray(statistic(*drawn)))"
        ),
        story=(
            "Each array gets its own draw of rows. What is drawn in the bootstrap are cases, and "
            "a case is a whole row: with separate draws the x of one case meets the y of another, "
            "and every connection between the two is gone."
        ),
        notice=(
            "The replicates should lie around the estimate. If those of a correlation lie around "
            "0, pairs have been torn apart."
        ),
        sign=replicates_of_a_correlation,
        picture=histogram("r", "correlation", np.arange(-0.6, 1.05, 0.05)),
        caption=(
            "Replicates of a correlation; the dashed line is that of the data. With the fault "
            "they gather around 0."
        ),
        alt=(
            "Left, a narrow histogram around a dashed line near 0.8; right, a wide one around 0, "
            "far from the line."
        ),
    ),
    Exhibit(
        id="m-global-seed",
        title="A seed for the whole program",
        room=7,
        origin="teaching code",
        target="treelab.bootstrap:bootstrap",
        before="rng = check_random_state(random_state)",
        after="np.random.seed(random_state)\n    rng = np.random",
        story=(
            "To make a run repeatable, the function seeds NumPy's global generator. That "
            "generator belongs to everybody: after each call, whatever else the program draws "
            "starts from the same place again."
        ),
        notice=(
            "Draw a number of your own after each call. If it is the same number every time, the "
            "function has set your seed."
        ),
        sign=caller_draws,
        picture=points("call", "draw", "call", "your own draw", line="zero"),
        caption=(
            "Ten numbers that a program draws for itself, one after each call of the bootstrap. "
            "With the fault all ten are equal."
        ),
        alt="Left, ten points scattered around zero; right, ten points on one horizontal line.",
    ),
    Exhibit(
        id="m-divide-by-m",
        title="The divisor of a small sample",
        room=7,
        origin="student",
        target="treelab.bootstrap:Bootstrap.variance",
        before="ddof=1",
        after="ddof=0",
        story=(
            "NumPy's `var` divides by m, the number of values. The mean is taken from the same "
            "values and lies closer to them than the true one, so the result is too small by the "
            "factor (m - 1)/m. With a thousand replicates nobody sees it; with three it is a third."
        ),
        notice=(
            "Draw many small samples from numbers whose variance you know, and take the mean of "
            "the estimates: the smaller the samples, the lower it is."
        ),
        sign=variance_by_number,
        picture=lines("m", {"mean": ""}, "values m", "mean estimate", marker="o"),
        caption=(
            "Mean estimate of a variance of 1 from m values. With the fault it is half of that "
            "for two values, and nears 1 only slowly."
        ),
        alt="Left, a level line at 1; right, a curve that rises from one half toward 1.",
        caught_by=(
            ("instability-3", corrected, "divide by m - 1"),
            ("forests-7", correlation_of_trees, "pass ddof=1"),
            ("hw3-6", describe, "divide by B - 1"),
        ),
    ),
    Exhibit(
        id="m-seen-cases-judge",
        title="Models judged on what they have seen",
        room=7,
        origin="student",
        target="treelab.error_estimates:bootstrap_error_table",
        before="out = np.bincount(rows, minlength=n) == 0",
        after="out = np.ones(n, dtype=bool)",
        story=(
            "Each model of the leave-one-out bootstrap is tested on all cases. It has seen 63 of "
            "100 of them, and a full tree knows those by heart. The .632 estimate then mixes in "
            "the apparent error, to lower an estimate that is too low already."
        ),
        notice=(
            "Flip a coin for every label. No honest estimate can lie far below one half; this one "
            "does."
        ),
        sign=estimates_for_coin_flips,
        picture=with_level(
            ["apparent", "leave-\none-out", ".632"], "error", "_truth", "true error", "error"
        ),
        caption=(
            "Error of a full tree on labels that are coin flips. The true error is the dashed "
            "line; with the fault leave-one-out is far below it."
        ),
        alt=(
            "Three bars. Left, leave-one-out reaches a dashed line at one half; right, it stays "
            "below half of that."
        ),
        caught_by=(
            ("bootstrap-5", leave_one_out, "the naive estimate"),
            ("hw3-7", error_estimates_of_groups, "the naive estimate"),
        ),
    ),
    Exhibit(
        id="m-632-swapped",
        title=".632 the wrong way round",
        room=7,
        origin="student",
        target="treelab.error_estimates:bootstrap_error_table",
        before="plain = (1 - DRAWN) * apparent + DRAWN * loo",
        after="plain = DRAWN * apparent + (1 - DRAWN) * loo",
        story=(
            "0.632 is the share of the cases that a model has seen, so it was put before the "
            "error on the cases it has seen. It belongs to the other part: the apparent error "
            "gets 0.368."
        ),
        notice=(
            "For a full tree, whose apparent error is 0, the estimate must be 0.632 of "
            "leave-one-out, a little more than half of it."
        ),
        sign=estimates_and_test_error,
        picture=with_level(
            ["apparent", "leave-\none-out", ".632"], "error", "_truth", "new cases", "error"
        ),
        caption=(
            "Three estimates for a tree of depth 3, and its error on 5000 new cases as a dashed "
            "line. With the fault .632 is closer to the apparent error."
        ),
        alt="Three bars and a dashed line. The third bar is below it, right by more than left.",
        caught_by=(("hw3-7", error_estimates_of_groups, "the weights are exchanged"),),
    ),
    Exhibit(
        id="m-632-plus-fixed",
        title="A weight that does not move",
        room=7,
        origin="student",
        target="treelab.error_estimates:plus_estimate",
        before="weight = DRAWN / (1 - (1 - DRAWN) * overfit)",
        after="weight = DRAWN",
        story=(
            "The relative overfitting R was computed and then never used: the weight of the "
            "leave-one-out error stays at 0.632. What is left of .632+ is .632, which believes a "
            "model that learns by heart."
        ),
        notice=(
            "Take a model without apparent error whose leave-one-out error is that of guessing. "
            "It knows nothing about new cases, and the estimate must say so."
        ),
        sign=plus_path,
        picture=lines("loo", {"estimate": ""}, "leave-one-out error", ".632+"),
        caption=(
            "The estimate for a model without apparent error, up to the error of guessing, 0.5. "
            "It should bend up to 0.5; with the fault it stays on a straight line below."
        ),
        alt="Left, a curve that bends up to one half; right, a straight line that ends at 0.32.",
        caught_by=(("bootstrap-6", plus_632, "the weight grows with the overfitting"),),
    ),
    Exhibit(
        id="m-level-on-each-side",
        title="Five percent on each side",
        room=7,
        origin="student",
        target="treelab.bootstrap:Bootstrap.interval",
        before="[(1 - level) / 2, (1 + level) / 2]",
        after="[1 - level, level]",
        story=(
            "An interval of 95 percent leaves out 5, and 5 percent were cut off at each end. The "
            "5 percent are for both ends together."
        ),
        notice="Count the replicates between the two ends: their share must be the level.",
        sign=share_inside,
        picture=bars([f"{level:.0%}" for level in LEVELS], "share inside", xlabel="level"),
        caption="Share of the replicates inside the interval. With the fault it is too small.",
        alt="Four bars. Left, each is as high as its level; right, each is lower, the first most.",
        caught_by=(("hw3-6", describe, "both ends are the same"),),
    ),
]
