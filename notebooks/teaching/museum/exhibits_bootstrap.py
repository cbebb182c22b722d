"""The rooms of chapters 7 and 8: one tree is not enough, the bootstrap."""

from itertools import cycle, product

import numpy as np
from museum import COLORS, INK, Exhibit, bars, lines, pale, panels, points
from signs import GRID, PREDICTED, coin_flips, wave
from sklearn.utils import check_random_state

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.bootstrap import Bootstrap, bootstrap, bootstrap_error_table, plus_estimate

# --- the code on show -------------------------------------------------------------------

DRAWN = 1 - 1 / np.e  # for large n the chance that a case is in a sample


def bias_and_variance(said, truth):
    """Bias and variance of models at each point; `said` is (n_models, n_points)."""
    mean = said.mean(axis=0)
    variance = np.sum((said - mean) ** 2, axis=0) / (len(said) - 1)
    return mean - truth, variance


def replicates(statistic, *data, B, seed=0):
    """The statistic of B bootstrap samples of the cases; `data` are arrays of one length."""
    rng, n = check_random_state(seed), len(data[0])
    found = []
    for _ in range(B):
        rows = rng.randint(n, size=n)
        found.append(statistic(*(array[rows] for array in data)))
    return np.array(found)


def interval(replicates, level):
    """The middle part of the replicates."""
    return np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])


def leave_one_out(counts, losses):
    """Leave-one-out bootstrap error: how often each case was drawn, and its losses; (B, n)."""
    out = counts == 0
    judges = out.sum(axis=0)
    tested = judges > 0
    return np.mean((losses * out).sum(axis=0)[tested] / judges[tested])


def error_estimates(fit, X, y, samples):
    """Apparent error, leave-one-out bootstrap and .632; `fit` returns a function."""
    counts = np.array([np.bincount(rows, minlength=len(y)) for rows in samples])
    losses = np.array([fit(X[rows], y[rows])(X) != y for rows in samples])
    apparent, loo = np.mean(fit(X, y)(X) != y), leave_one_out(counts, losses)
    return np.array([apparent, loo, (1 - DRAWN) * apparent + DRAWN * loo])


def plus(apparent, loo, gamma):
    """The .632+ estimate: the more a model overfits, the closer to leave-one-out."""
    loo = min(loo, gamma)
    overfit = (loo - apparent) / (gamma - apparent) if apparent < min(loo, gamma) else 0.0
    weight = DRAWN / (1 - (1 - DRAWN) * overfit)
    return (1 - weight) * apparent + weight * loo


# --- pictures and signs -----------------------------------------------------------------


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
            text, (-0.4, right[level]), (0, -3), textcoords="offset points",
            color=COLORS[5], va="top", linespacing=1.0,
        )  # fmt: skip

    return picture


def trees_on_samples(bootstrapped=replicates, **number):
    """Predictions along the line of twenty trees on bootstrap samples, and the rows."""
    X, y = wave()

    def fit_and_predict(X, y):
        return DecisionTreeRegressor(max_depth=3).fit(X, y).predict(GRID[:, None])

    return bootstrapped(fit_and_predict, X, y, **(number or {"B": 20})), X, y


def mean_of_bootstrap_trees():
    said, X, y = trees_on_samples()
    mean, _ = bias_and_variance(said, 0.0)
    return {"x": GRID, "said": np.full(len(GRID), mean), "_x": X[:, 0], "_y": y}


def means_agree():
    own, _, _ = trees_on_samples(bootstrap, n_resamples=20, random_state=0)
    return mean_of_bootstrap_trees()["said"], own.mean


def stumps():
    """Predictions of thirty stumps on new data each."""
    grown = [DecisionTreeRegressor(max_depth=1).fit(*wave(40, seed=seed)) for seed in range(30)]
    return np.array([stump.predict(GRID[:, None]) for stump in grown])


def scatter_of_stumps():
    return {"x": GRID, "variance": bias_and_variance(stumps(), np.sin(GRID))[1]}


WAITS = np.random.default_rng(3).exponential(10.0, size=30)


def replicates_of_the_mean():
    return {"mean": replicates(np.mean, WAITS, B=200), "_estimate": np.mean(WAITS)}


def correlation(x, y):
    return np.corrcoef(x, y)[0, 1]


def pairs():
    """Forty pairs that go together."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    return x, x + rng.normal(0, 0.5, 40)


def replicates_of_a_correlation():
    return {"r": replicates(correlation, *pairs(), B=200), "_estimate": correlation(*pairs())}


def replicates_agree(statistic, *data):
    """A check: replicates by the code on show, and by treelab."""

    def check():
        own = bootstrap(statistic, *data, n_resamples=200, random_state=0).replicates
        return replicates(statistic, *data, B=200), own

    return check


def caller_draws(bootstrapped=replicates, **number):
    """Ten draws from NumPy's global generator, with a bootstrap before each."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    draws = []
    for _ in range(10):
        bootstrapped(np.mean, WAITS, **(number or {"B": 2}))
        draws.append(np.random.normal())  # noqa: NPY002
    np.random.set_state(before)  # noqa: NPY002
    return {"call": np.arange(1, 11), "draw": np.array(draws)}


NUMBERS = np.array([2, 3, 5, 10, 20])


def variance_by_number(variance=lambda said: bias_and_variance(said, 0.0)[1]):
    """Mean of the variance of m numbers with variance 1, over many draws."""
    rng = np.random.default_rng(0)
    mean = [np.mean(variance(rng.normal(size=(m, 4000)))) for m in NUMBERS]
    return {"m": NUMBERS, "mean": np.array(mean)}


def by_tree(**limits):
    """A function that fits a tree and returns what predicts."""
    return lambda X, y: DecisionTreeClassifier(**limits).fit(X, y).predict


def twelve_samples(n):
    """Twelve bootstrap samples."""
    rng = np.random.RandomState(0)
    return [rng.randint(n, size=n) for _ in range(12)]


def estimates_for_coin_flips():
    X, y = coin_flips()
    return {"error": error_estimates(by_tree(), X, y, twelve_samples(len(y))), "_truth": 0.5}


def hundred_and_new():
    """A hundred cases, and 5000 new ones."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5100, 3))
    y = (X[:, 0] + rng.normal(0, 0.6, 5100) > 0).astype(int)
    return X[:100], y[:100], X[100:], y[100:]


def estimates_and_test_error():
    X, y, X_new, y_new = hundred_and_new()
    fit = by_tree(max_depth=3)
    truth = np.mean(fit(X, y)(X_new) != y_new)
    return {"error": error_estimates(fit, X, y, twelve_samples(100)), "_truth": truth}


def errors_agree(sign, X, y, **limits):
    """A check: the three estimates by the code on show, and by treelab."""

    def check():
        model = DecisionTreeClassifier(**limits)
        own = bootstrap_error_table(model, X, y, n_resamples=12, random_state=0)["error"]
        return sign()["error"], own[["apparent", "loo", ".632"]].to_numpy()

    return check


def plus_path(plus=plus):
    loo = np.linspace(0, 0.5, 21)
    return {"loo": loo, "estimate": np.array([plus(0.0, e, 0.5) for e in loo])}


LEVELS = (0.6, 0.8, 0.9, 0.95)


def share_inside(interval=interval):
    """Share of the replicates that lie inside the interval."""
    values, shares = np.random.default_rng(0).normal(size=2000), []
    for level in LEVELS:
        low, high = interval(values, level)
        shares.append(np.mean((values >= low) & (values <= high)))
    return np.array(shares)


# --- answers to exercises ---------------------------------------------------------------


def three_parts():
    """instability-2: noise, mean squared bias and mean variance."""

    def answer(P, Y):
        bias, variance = bias_and_variance(P, Y.mean(axis=0))
        noise = bias_and_variance(Y, 0.0)[1].mean() * (len(Y) - 1) / len(Y)
        return noise, np.mean(bias**2), np.mean(variance) * (len(P) - 1) / len(P)

    return answer


def corrected():
    """instability-3: the same without the share of the variance that is in the bias."""

    def answer(P, truth):
        bias, variance = bias_and_variance(P, truth)
        return np.mean(bias**2) - np.mean(variance) / len(P), np.mean(variance)

    return answer


class Draws(np.random.RandomState):
    """A generator whose samples of row numbers are given."""

    def __init__(self, samples):
        super().__init__(0)
        self.samples = iter(samples)

    def randint(self, *args, **kwargs):
        return np.array(next(self.samples))


def exact_bootstrap():
    """bootstrap-2: every value of a statistic with its probability."""

    def answer(statistic, data):
        n, shares = len(data), {}
        B = 2 * n**n
        every = Draws(cycle(product(range(n), repeat=n)))
        for value in replicates(statistic, np.asarray(data), B=B, seed=every):
            shares[value.item()] = shares.get(value.item(), 0.0) + 1 / B
        return shares

    return answer


def loo_error():
    """bootstrap-3: the leave-one-out bootstrap from samples and losses."""

    def answer(samples, losses):
        counts = [np.bincount(rows, minlength=len(losses[0])) for rows in samples]
        return leave_one_out(np.array(counts), np.array(losses))

    return answer


def plus_632():
    """bootstrap-4: the .632+ estimate."""

    def answer(y, predicted, loo):
        gamma = np.mean([np.mean(predicted != target) for target in y])
        return plus(np.mean(y != predicted), loo, gamma)

    return answer


def bootstrap_difference():
    """bootstrap-7: the difference of a statistic of two groups."""

    def answer(statistic, a, b, B, seed):
        rng = np.random.RandomState(seed)
        of_a, of_b = (replicates(statistic, np.array(x), B=B, seed=rng) for x in (a, b))
        return of_b - of_a

    return answer


def describe():
    """hw3-7: bias, standard error and interval of replicates."""

    def answer(estimate, values, level):
        bias, variance = bias_and_variance(np.asarray(values), estimate)
        return bias, np.sqrt(variance), *interval(values, level)

    return answer


def error_estimates_of_groups():
    """hw3-8: the three estimates where groups of rows are drawn."""

    def answer(fit, X, y, groups, B, rng):
        names, samples = np.unique(groups), []
        for _ in range(B):
            drawn = rng.choice(names, size=len(names))
            samples.append(np.concatenate([np.flatnonzero(groups == name) for name in drawn]))
        return error_estimates(fit, X, y, samples)

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-mixed-points",
        title="One mean for all points",
        room=7,
        origin="student",
        code=bias_and_variance,
        before="said.mean(axis=0)",
        after="said.mean()",
        public="treelab.fast.bootstrap.Bootstrap.mean",
        agrees=means_agree,
        story=(
            "The table of predictions has a row for each training set and a column for each "
            "point. We need the mean over the training sets at each point, but without an axis "
            "NumPy computes the mean of the whole table."
        ),
        notice=(
            "Look at the shape. If there is a mean for each point, it has as many numbers as "
            "there are points."
        ),
        sign=mean_of_bootstrap_trees,
        picture=PREDICTED,
        caption=(
            "The mean prediction of twenty trees along the line. With the fault it is the same "
            "everywhere."
        ),
        alt=(
            "On the left, a step function follows a wave of points. On the right, a horizontal "
            "line passes through the same points."
        ),
        caught_by=(("instability-2", three_parts, "you mixed the points"),),
    ),
    Exhibit(
        id="m-variance-about-truth",
        title="Variance measured from the truth",
        room=7,
        origin="student",
        code=bias_and_variance,
        before="(said - mean)",
        after="(said - truth)",
        public="treelab.fast.bootstrap.Bootstrap.variance",
        agrees=lambda: (
            scatter_of_stumps()["variance"],
            Bootstrap(np.sin(GRID), stumps()).variance,
        ),
        story=(
            "The variance shows how much the predictions of the models vary. The fault measures "
            "their distance from the truth instead of the distance from their own mean, so a "
            "model that is always wrong in the same way, like a stump, seems to have a large "
            "variance."
        ),
        notice=(
            "The squared bias and the variance must add up to the mean squared distance from "
            "the truth. Here the variance alone is that large, so the bias is counted twice."
        ),
        sign=scatter_of_stumps,
        picture=lines("x", {"variance": ""}, "x", "variance"),
        caption=(
            "The variance of thirty stumps along the line. With the fault it is large wherever "
            "the stumps are wrong, even where they all agree."
        ),
        alt=(
            "On the left, a curve has a single peak in the middle, where the threshold varies. "
            "On the right, it has further peaks all along the line."
        ),
        caught_by=(
            ("instability-2", three_parts, "not from the truth"),
            ("hw3-7", describe, "not around the estimate"),
        ),
    ),
    Exhibit(
        id="m-without-replacement",
        title="Shuffled, not drawn",
        room=8,
        origin="student",
        code=replicates,
        before="rng.randint(n, size=n)",
        after="rng.permutation(n)",
        public="treelab.fast.bootstrap.bootstrap",
        agrees=replicates_agree(np.mean, WAITS),
        story=(
            "A bootstrap sample should have as many rows as the data, so the rows were "
            "shuffled. However, without replacement every sample consists of the same rows in "
            "another order, and a statistic that ignores the order never changes."
        ),
        notice=(
            "The standard error of a mean is 0. Print one sample, and you will find that no row "
            "occurs twice."
        ),
        sign=replicates_of_the_mean,
        picture=histogram("mean", "mean wait", np.arange(3, 16.5, 1.0)),
        caption=(
            "Two hundred replicates of a mean, where the dashed line is the mean of the data. "
            "With the fault, all replicates are equal to it."
        ),
        alt=(
            "On the left, a bell-shaped histogram surrounds a dashed line. On the right, there "
            "is a single tall bar on this line."
        ),
        caught_by=(
            ("bootstrap-2", exact_bootstrap, "without replacement"),
            ("bootstrap-7", bootstrap_difference, "with replacement"),
        ),
    ),
    Exhibit(
        id="m-rows-apart",
        title="Feature and target drawn apart",
        room=8,
        origin="student",
        code=replicates,
        before="array[rows] for",
        after="array[rng.randint(n, size=n)] for",
        public="treelab.fast.bootstrap.bootstrap",
        agrees=replicates_agree(correlation, *pairs()),
        story=(
            "Each array gets its own draw of rows. However, the bootstrap draws observations, "
            "and an observation is a whole row. With separate draws, the x of one row is "
            "combined with the y of another, and every relation between the two is lost."
        ),
        notice=(
            "The replicates should lie around the estimate. If the replicates of a correlation "
            "lie around 0, the pairs have been separated."
        ),
        sign=replicates_of_a_correlation,
        picture=histogram("r", "correlation", np.arange(-0.6, 1.05, 0.05)),
        caption=(
            "Replicates of a correlation, where the dashed line is the correlation of the data. "
            "With the fault, the replicates vary around 0."
        ),
        alt=(
            "On the left, a narrow histogram surrounds a dashed line near 0.8. On the right, a "
            "wide histogram around 0 is far from this line."
        ),
    ),
    Exhibit(
        id="m-global-seed",
        title="A seed for the whole program",
        room=8,
        origin="teaching code",
        code=replicates,
        before="rng, n = check_random_state(seed), len(data[0])",
        after="np.random.seed(seed)\n    rng, n = np.random, len(data[0])",
        public="treelab.fast.bootstrap.bootstrap",
        agrees=lambda: (caller_draws(), caller_draws(bootstrap, n_resamples=2, random_state=0)),
        story=(
            "To make a run reproducible, the function seeds NumPy's global generator. This "
            "generator is shared by the whole program, so after each call everything else that "
            "the program draws starts from the same place again."
        ),
        notice=(
            "Draw a random number of your own after each call. If it is the same number every "
            "time, the function has reset your generator."
        ),
        sign=caller_draws,
        picture=points("call", "draw", "call", "draw of the program", line="zero"),
        caption=(
            "Ten random numbers that a program draws for its own use, one after each call of "
            "the bootstrap. With the fault, all ten are equal."
        ),
        alt=(
            "On the left, ten points are scattered around zero. On the right, ten points lie on "
            "one horizontal line."
        ),
    ),
    Exhibit(
        id="m-divide-by-m",
        title="The divisor of a small sample",
        room=8,
        origin="student",
        code=bias_and_variance,
        before="(len(said) - 1)",
        after="len(said)",
        public="treelab.fast.bootstrap.Bootstrap.variance",
        agrees=lambda: (
            variance_by_number(),
            variance_by_number(lambda said: Bootstrap(0.0, said).variance),
        ),
        story=(
            "NumPy's `var` divides by m, the number of values. The mean is computed from the "
            "same values and is closer to them than the true mean, so the result is too small "
            "on average, by the factor (m - 1)/m. For a thousand replicates this hardly "
            "matters, but for three values a third of the variance is missing."
        ),
        notice=(
            "Draw many small samples from a distribution whose variance you know, and average "
            "the estimates. If the average decreases with the size of the samples, the divisor "
            "is wrong."
        ),
        sign=variance_by_number,
        picture=lines("m", {"mean": ""}, "values m", "mean estimate", marker="o"),
        caption=(
            "The mean estimate of a variance of 1 from m values. With the fault it is one half "
            "for two values, and approaches 1 only slowly."
        ),
        alt=(
            "On the left, a nearly level line stays close to 1. On the right, a curve rises "
            "from one half toward 1."
        ),
        caught_by=(
            ("instability-3", corrected, "divide by M - 1"),
            ("hw3-7", describe, "divide by B - 1"),
        ),
    ),
    Exhibit(
        id="m-seen-cases-judge",
        title="Models evaluated on what they have seen",
        room=8,
        origin="student",
        code=leave_one_out,
        before="counts == 0",
        after="counts >= 0",
        public="treelab.fast.bootstrap.bootstrap_error_table",
        agrees=errors_agree(estimates_for_coin_flips, *coin_flips()),
        story=(
            "Each model of the leave-one-out bootstrap is tested on all observations. It has "
            "seen about 63 of 100 of them, and a fully grown tree reproduces their labels. The "
            ".632 estimate then adds the training error and lowers an estimate that is already "
            "too low."
        ),
        notice=(
            "Toss a coin for every label. No honest estimate can lie far below one half, but "
            "this one does."
        ),
        sign=estimates_for_coin_flips,
        picture=with_level(
            ["apparent", "\nleave-one-out", ".632"], "error", "_truth", "true\nerror", "error"
        ),
        caption=(
            "Estimates of the error of a fully grown tree on labels that are coin tosses, where "
            "the dashed line is the true error. With the fault, leave-one-out is far below it."
        ),
        alt=(
            "Both panels show three bars and a dashed line at one half. On the left, the bar of "
            "leave-one-out reaches this line. On the right, it is less than half as high as the "
            "line."
        ),
        caught_by=(
            ("bootstrap-3", loo_error, "the naive estimate"),
            ("hw3-8", error_estimates_of_groups, "the naive estimate"),
        ),
    ),
    Exhibit(
        id="m-632-swapped",
        title=".632 the wrong way round",
        room=8,
        origin="student",
        code=error_estimates,
        before="(1 - DRAWN) * apparent + DRAWN * loo",
        after="DRAWN * apparent + (1 - DRAWN) * loo",
        public="treelab.fast.bootstrap.bootstrap_error_table",
        agrees=errors_agree(estimates_and_test_error, *hundred_and_new()[:2], max_depth=3),
        story=(
            "Because 0.632 is the proportion of the observations that a model has seen, it was "
            "multiplied by the error on the observations that the model has seen. However, it "
            "is the weight of the leave-one-out error, and the training error has the weight "
            "0.368."
        ),
        notice=(
            "For a fully grown tree, whose training error is 0, the estimate must be 0.632 "
            "times the leave-one-out error. Here it is only 0.368 times this error."
        ),
        sign=estimates_and_test_error,
        picture=with_level(
            ["apparent", "\nleave-one-out", ".632"], "error", "_truth", "new\nrows", "error"
        ),
        caption=(
            "Three estimates for a tree of depth 3, where the dashed line is its error on 5000 "
            "new rows. With the fault, the .632 estimate is closer to the training error."
        ),
        alt=(
            "Both panels show three bars and a dashed line. The third bar ends below this line, "
            "and farther below it on the right than on the left."
        ),
        caught_by=(("hw3-8", error_estimates_of_groups, "the weights are exchanged"),),
    ),
    Exhibit(
        id="m-632-plus-fixed",
        title="A weight that does not move",
        room=8,
        origin="student",
        code=plus,
        before="DRAWN / (1 - (1 - DRAWN) * overfit)",
        after="DRAWN",
        public="treelab.fast.bootstrap.plus_estimate",
        agrees=lambda: (plus_path(), plus_path(plus_estimate)),
        story=(
            "The relative overfitting rate was computed but never used, so the weight of the "
            "leave-one-out error stays at 0.632. The .632+ estimate then equals the .632 "
            "estimate, which is too low for a model that reproduces its training data."
        ),
        notice=(
            "Take a model without training error whose leave-one-out error is that of guessing. "
            "It has learned nothing that helps on new data, so the estimate must be the error "
            "of guessing."
        ),
        sign=plus_path,
        picture=lines("loo", {"estimate": ""}, "leave-one-out error", ".632+"),
        caption=(
            "The .632+ estimate for a model without training error, for leave-one-out errors up "
            "to 0.5, the error of guessing. The estimate should bend up to 0.5, but with the "
            "fault it stays on a straight line below."
        ),
        alt=(
            "On the left, a curve bends up to one half. On the right, a straight line ends at 0.32."
        ),
        caught_by=(("bootstrap-4", plus_632, "the weight grows with the overfitting"),),
    ),
    Exhibit(
        id="m-level-on-each-side",
        title="Five percent on each side",
        room=8,
        origin="student",
        code=interval,
        before="[(1 - level) / 2, (1 + level) / 2]",
        after="[1 - level, level]",
        public="treelab.fast.bootstrap.Bootstrap.interval",
        agrees=lambda: (
            share_inside(),
            share_inside(lambda values, level: Bootstrap(0.0, values).interval(level)),
        ),
        story=(
            "A 95% interval leaves out 5% of the replicates, and 5% were cut off at each end. "
            "However, the two ends together must leave out 5%."
        ),
        notice=(
            "Count the replicates between the two ends. Their proportion must equal the level."
        ),
        sign=share_inside,
        picture=bars([f"{level:.0%}" for level in LEVELS], "proportion inside", xlabel="level"),
        caption=(
            "The proportion of the replicates inside the interval. With the fault it is too small."
        ),
        alt=(
            "Both panels show four bars. On the left, each bar is as high as its level. On the "
            "right, each bar is lower than its level, the first by the most."
        ),
        caught_by=(("hw3-7", describe, "both ends are the same"),),
    ),
]
