"""The rooms of chapters 6 to 12: the bootstrap, forests, boosting and importance."""

import warnings
from itertools import combinations, cycle, product
from types import FunctionType, SimpleNamespace

import numpy as np
from museum import Exhibit, bars, lines, panels, points, regions, steps
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor

from treelab import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.adaboost import boosting_table, vote_weight
from treelab.boosting_round import draw_without_replacement
from treelab.bootstrap import Bootstrap, bootstrap, bootstrap_error_table, plus_estimate
from treelab.datasets import load_bike_demand
from treelab.growing import draw_features
from treelab.importance import (
    compare_rankings,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
    shapley_values,
)
from treelab.importance.permutation import _shuffled
from treelab.importance.shapley import TINY, _credit
from treelab.losses import LogLoss, Loss, Quantile, SquaredError
from treelab.out_of_bag import OutOfBag, draw_sample, unseen_by
from treelab.style import COLORS, INK, pale
from treelab.weak_learner import weak_learner

# --- data ------------------------------------------------------------------------------------

GRID = np.linspace(0, 6, 121)


def wave(n=60, noise=0.3, level=0.0, seed=0):
    """Noisy points of a sine, sorted; (n, 1) and (n,)."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 6, n))
    return x[:, None], level + np.sin(x) + rng.normal(0, noise, n)


def on_the_line(model, X, y):
    """What a regressor predicts along the line, with the rows for the picture."""
    return {"x": GRID, "said": model.fit(X, y).predict(GRID[:, None]), "_x": X[:, 0], "_y": y}


def over_the_plane(model, X, y, low=0.0, high=1.0):
    """The classes that a model predicts over a square, with the rows for the picture."""
    side = np.linspace(low, high, 41)
    cells = np.column_stack([axis.ravel() for axis in np.meshgrid(side, side)])
    grid = model.fit(X, y).predict(cells).reshape(41, 41)
    return {"x": side, "y": side, "grid": grid, "_rows": X, "_classes": y}


def coin_flips(n=60, p=4):
    """Features that say nothing about the two classes."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, p)), rng.integers(2, size=n)


def one_signal(n=120, p=4, noise=1.0, seed=0):
    """A number that depends on the first feature alone."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, 2.0 * (X[:, 0] > 0) + rng.normal(0, noise, n)


def noisy_classes(n=120):
    """Two classes, a diagonal border, and every eighth label flipped."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    y[::8] = 1 - y[::8]
    return X, y


def staged_errors(model, X, y):
    """Training error of a boosted classifier after each round."""
    errors = [1 - score for score in model.fit(X, y).staged_score(X, y)]
    return {"round": np.arange(1, len(errors) + 1), "error": np.array(errors)}


def boosted_path(model, X, y):
    """Training loss of gradient boosting after each round."""
    losses = model.fit(X, y).train_score_
    return {"round": np.arange(1, len(losses) + 1), "loss": losses}


# --- pictures --------------------------------------------------------------------------------

PREDICTED = steps("x", {"said": ""}, "x", "y", rows=("_x", "_y"))
REGIONS = regions("first feature", "second feature")


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
            ax.axhline(result[level], color=COLORS[5], ls="--", lw=1.5)
        axes[0].text(0.02, 0.97, text, color=COLORS[5], fontsize=9, va="top",
                     transform=axes[0].transAxes)  # fmt: skip

    return picture


def table_of_shares(ax, result):
    """A square table of shares as grays."""
    ax.imshow(result, vmin=0, vmax=1, cmap="Greys")
    ax.set(xticks=[], yticks=[])


def zero_line(picture):
    """The picture with a thin line at 0."""

    def draw(axes, right, wrong):
        picture(axes, right, wrong)
        for ax in axes:
            ax.axhline(0, color=INK, lw=0.8)

    return draw


# --- signs -----------------------------------------------------------------------------------


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
    test = np.mean(DecisionTreeClassifier().fit(X[:100], y[:100]).predict(X[100:]) != y[100:])
    return {"error": error_estimates(X[:100], y[:100]), "_truth": test}


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


def plane_of_three_classes():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(90, 2))
    y = np.where(X[:, 1] > 0.75, 1, np.where(X[:, 0] + rng.normal(0, 0.12, 90) > 0.5, 2, 0))
    return over_the_plane(BaggingClassifier(n_estimators=15, voting="hard", random_state=0), X, y)


def root_weights():
    forest = RandomForestRegressor(6, max_depth=2, random_state=0).fit(*wave())
    return np.array([tree.weighted_n_node_samples[0] for tree in forest.trees_])


def oob_path_of_coin_flips():
    bag = BaggingClassifier(n_estimators=25, oob_score=True, random_state=0).fit(*coin_flips())
    return {"members": np.arange(1, 26), "error": bag.oob_error_path()}


def oob_path_of_few_members():
    X, y = noisy_classes()
    y = ((X[:, 0] > -1) | (y == 1)).astype(int)
    bag = BaggingClassifier(n_estimators=12, oob_score=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # too few members: that is the point
        bag.fit(X, y)
    return {"members": np.arange(1, 13), "error": bag.oob_error_path()}


def plane_of_a_checkerboard():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 2))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    return over_the_plane(RandomForestClassifier(25, max_features=1, random_state=0), X, y)


def iris_proximity():
    X, y = load_iris(return_X_y=True)
    rows = np.r_[0:12, 50:62, 100:112]
    return RandomForestClassifier(15, random_state=0).fit(X, y).proximity(X[rows])


def distinct_candidates():
    tries = draw_features(5, np.zeros(2000, dtype=int), [np.random.default_rng(0)])[:3]
    distinct = np.array([len(set(node)) for node in tries.T.tolist()])
    return np.bincount(distinct, minlength=4)[1:] / len(distinct)


ERRORS = np.linspace(0.05, 0.95, 37)


def votes_by_error(n_classes=2):
    return {"error": ERRORS, "vote": np.array([vote_weight(e, n_classes) for e in ERRORS])}


def weight_of_the_wrong():
    """Share of the weight that each round leaves on the cases that it got wrong."""
    X, y = noisy_classes()
    table = boosting_table(AdaBoostClassifier(n_estimators=9).fit(X, y), X, y)
    parts = [part.reset_index(drop=True) for _, part in table.groupby("round")]
    share = [after.weight[~now.correct].sum() / after.weight.sum()
             for now, after in zip(parts, parts[1:])]  # fmt: skip
    return {"round": np.arange(1, len(share) + 1), "share": np.array(share)}


def weight_by_round():
    X, y = noisy_classes()
    table = boosting_table(AdaBoostClassifier(n_estimators=9).fit(X, y), X, y)
    total = table.groupby("round")["weight"].sum()
    return {"round": total.index.to_numpy(), "total": total.to_numpy()}


def boosted_days():
    X, y = load_bike_demand("level", return_X_y=True)
    return staged_errors(AdaBoostClassifier(n_estimators=8), X, y)


def boosted_diagonal():
    return staged_errors(AdaBoostClassifier(n_estimators=25), *noisy_classes())


def sorted_margins():
    X, y = noisy_classes()
    table = boosting_table(AdaBoostClassifier(n_estimators=15).fit(X, y), X, y)
    margin = np.sort(table.loc[table["round"] == table["round"].max(), "margin"])
    return {"margin": margin, "share": np.arange(1, len(margin) + 1) / len(margin)}


def boosted_wave(level=0.0, **parameters):
    model = GradientBoostingRegressor(max_depth=2, **parameters)
    return on_the_line(model, *wave(level=level))


def boosted_outliers():
    X, y = wave(80, noise=0.1)
    y[[12, 40, 63]] += 6.0
    model = GradientBoostingRegressor(
        loss="absolute_error", n_estimators=20, learning_rate=0.3, max_depth=2
    )
    return on_the_line(model, X, y)


def boosted_wave_path(n_estimators):
    model = GradientBoostingRegressor(n_estimators=n_estimators, max_depth=2)
    return boosted_path(model, *wave())


def boosted_log_loss():
    X, y = noisy_classes()
    return boosted_path(GradientBoostingClassifier(n_estimators=25, max_depth=2), X, y)


def bag_sizes():
    rng = np.random.RandomState(0)
    sizes = [draw_without_replacement(rng, 100, 50).sum() for _ in range(12)]
    return {"round": np.arange(1, 13), "rows": np.array(sizes)}


def prices_of_constants():
    y = np.random.default_rng(0).gamma(2.0, 10.0, size=300)
    F = np.linspace(0, 80, 81)
    return {"score": F, "loss": np.array([Quantile(0.9).value(y, np.full(300, f)) for f in F])}


def stopped_early():
    X, y = wave(150, noise=0.6)
    model = GradientBoostingRegressor(
        n_estimators=100, learning_rate=0.2, n_iter_no_change=8, validation_fraction=0.3,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    X_new, y_new = wave(400, noise=0.6, seed=1)
    errors = [np.mean((said - y_new) ** 2) for said in model.staged_predict(X_new)]
    return {"round": np.arange(1, len(errors) + 1), "error": np.array(errors)}


def importances_of_a_tree():
    return mean_decrease_impurity(DecisionTreeRegressor().fit(*one_signal()))


def importances_of_steps():
    """One split that gains 600, and three that gain 300 each."""
    X = np.array([(a, b) for a in (0, 1) for b in range(4)] * 3, dtype=float)
    y = 10.0 * X[:, 0] + 5.5 * X[:, 1]
    return mean_decrease_impurity(DecisionTreeRegressor().fit(X, y))


def importances_of_rounds():
    model = GradientBoostingRegressor(n_estimators=60, learning_rate=0.3, max_depth=2)
    return mean_decrease_impurity(model.fit(*one_signal(noise=0.5)))


def caller_table():
    X, y = one_signal(60, 2)
    mine = X.copy()
    tree = DecisionTreeRegressor(max_depth=3).fit(X, y)
    permutation_importance(tree, mine, y, n_repeats=1, random_state=0)
    return {"before": X[:, 0], "after": mine[:, 0]}


def shuffled_importances(clip=False):
    X, y = one_signal(200, 5)
    tree = DecisionTreeRegressor(max_depth=4).fit(X[:100], y[:100])
    result = permutation_importance(tree, X[100:], y[100:], random_state=0)
    return result.importances_mean


def oob_importances():
    X, y = one_signal(100, 4, noise=1.5)
    forest = RandomForestRegressor(15, max_features=2, random_state=0).fit(X, y)
    return oob_permutation_importance(forest, X, y, random_state=0).importances_mean


def taus_after_one_exchange():
    """The last two places of a ranking exchanged, whatever the features are called."""
    taus = []
    for seed in range(6):
        first = np.random.default_rng(seed).permutation(6).tolist()
        second = [*first[:4], first[5], first[4]]
        taus.append(compare_rankings(first, second)["kendall_tau"])
    return np.array(taus)


def sums_of_credit():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(60, 4))
    y = 4 * X[:, 0] * X[:, 1] + 3 * X[:, 2] * (X[:, 3] > 0)
    model = DecisionTreeRegressor(max_depth=5).fit(X, y)
    found = shapley_values(model, X)
    return {"said": model.predict(X), "sum": found.expected_value + found["values"].sum(axis=1)}


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


def elected(votes, n_classes):
    """The class that a bag of hard votes predicts."""
    bag = BaggingClassifier()
    bag.classes_ = np.arange(n_classes)
    bag.predict_proba = lambda X: np.eye(n_classes)[votes].mean(axis=0)
    return bag.predict(None)


def majority():
    def answer(votes, n_classes):
        return elected(votes, n_classes)

    return answer


def vote_gain():
    def answer(P, y):
        return np.mean(P != y) - np.mean(elected(P, 1 + max(P.max(), y.max())) != y)

    return answer


def root_shares():
    def answer(X, y, B, seed):
        rng, count = np.random.default_rng(seed), np.zeros(X.shape[1])
        for _ in range(B):
            i = np.repeat(*draw_sample(rng, len(y), len(y)))
            count[DecisionTreeClassifier(max_depth=1).fit(X[i], y[i]).tree_.feature[0]] += 1
        return count / B

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


class Given:
    """Rows kept by an ensemble: whatever is asked, the next bootstrap sample."""

    def __init__(self, samples):
        self.samples = iter(samples)

    def __len__(self):
        return 0

    def __getitem__(self, rows):
        return next(self.samples)


def oob_error():
    def answer(samples, said, y):
        K, B, n = 1 + max(said.max(), y.max()), len(samples), len(y)
        ensemble = SimpleNamespace(_kept=Given(samples), _n_draws=None, _n_members=B)
        judge = OutOfBag(y, K)
        for rows, votes in zip(unseen_by(ensemble, n), said, strict=True):
            judge.add(rows, np.eye(K)[votes[rows]])
        return judge.path[-1][0], judge.coverage

    return answer


def candidates():
    def answer(p, m, n_nodes, rng):
        return np.sort(draw_features(p, np.zeros(n_nodes, dtype=int), [rng])[:m].T, axis=1)

    return answer


def proximity():
    def answer(leaves):
        forest = RandomForestClassifier()
        forest.apply = lambda X: leaves
        return forest.proximity(None)

    return answer


def one_round():
    def answer(weight, correct):
        learner = SimpleNamespace(
            start=lambda generator: None,
            fit=lambda *args: None,
            predict=lambda member: np.where(correct, 1, 0),
        )
        model = AdaBoostClassifier()
        model.n_classes_, model.estimators_ = 2, []
        _, vote, _, after = model._round(learner, np.ones(len(weight), dtype=int), weight, None)
        return vote / 2, after

    return answer


def least_error():
    def answer(x, y, w):
        stump = DecisionTreeClassifier(max_depth=1, criterion="misclassification")
        learner = weak_learner(stump, x[:, None], y, w)
        member = learner.fit(learner.start(np.random.RandomState(0)), w)
        return w[learner.predict(member) != y].sum()

    return answer


def suspects():
    def answer(model, X, y, k):
        table = boosting_table(model, X, y)
        margin = table.loc[table["round"] == table["round"].max(), "margin"].to_numpy()
        return np.argsort(margin, kind="stable")[:k]

    return answer


def staged_scores():
    def answer(start, steps, learning_rate):
        n, rows = steps.shape[1], np.arange(steps.shape[1])
        model = GradientBoostingRegressor(learning_rate=learning_rate)
        model._loss, model.init_, model.start_ = SquaredError(), None, start
        model._read = lambda X: X
        trees = [
            [SimpleNamespace(apply=lambda X: rows, value=step.reshape(n, 1, 1))] for step in steps
        ]
        scores = []
        for m in range(len(steps) + 1):
            model.trees_ = trees[:m]
            scores.append(model.predict(np.zeros((n, 1))))
        return np.array(scores)

    return answer


def newton_leaf():
    def answer(y, F):
        loss = LogLoss()
        return loss.leaf_value(y, F, loss.negative_gradient(y, F), np.ones(len(y)))

    return answer


def expectile():
    def answer(alpha):
        price = FunctionType(Quantile.each.__code__, {"np": np})  # as it is when asked for
        quantile = Quantile(alpha)

        class Expectile(Loss):
            def each(self, y, F):
                return price(quantile, y, F) * np.abs(y - F)

            def negative_gradient(self, y, F):
                return 2 * np.abs(y - F) * quantile.negative_gradient(y, F)

        return Expectile()

    return answer


def mean_decrease():
    def answer(trees, n_features):
        forest = RandomForestRegressor(len(trees))
        forest.trees_, forest.n_features_in_ = list(trees), n_features
        forest.max_features_, forest.categories_ = n_features, {}
        return mean_decrease_impurity(forest)

    return answer


def expected_loss_of_shuffling():
    def answer(predict, X, y, j):
        before, rows = np.mean((predict(X) - y) ** 2), np.arange(len(X))
        after = [np.mean((predict(_shuffled(X, [j], np.roll(rows, i))) - y) ** 2) for i in rows]
        return np.mean(after) - before

    return answer


def compare():
    def answer(first, second, k):
        found = compare_rankings(first, second, top_k=k)
        return found["kendall_tau"], found["top_k_overlap"]

    return answer


def shapley():
    """The values of a game from those of its parts, in which a few win together or not at all."""

    def answer(v, p):
        values = np.zeros(p)
        for size in range(1, p + 1):
            for team in combinations(range(p), size):
                worth = sum(
                    (-1) ** (size - k) * v(part)
                    for k in range(size + 1)
                    for part in combinations(team, k)
                )
                values[list(team)] += worth * _credit(np.ones((1, size)), np.full(size, TINY))[0]
        return values

    return answer


# --- the exhibits ----------------------------------------------------------------------------

EXHIBITS = [
    # --- 6: why one tree is not enough -------------------------------------------------------
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
            "Left, a curve with one peak in the middle, where the cut moves; right, a higher "
            "curve with several peaks."
        ),
        caught_by=(("instability-2", bias_variance, "not from the truth"),),
    ),
    # --- 7: the bootstrap --------------------------------------------------------------------
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
        picture=histogram("mean", "mean wait", np.arange(3, 20.5, 1.0)),
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
            "Left, a narrow histogram around a dashed line near 0.9; right, a wide one around 0, "
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
            "100 of them, and a full tree knows those by heart. So .632, which already adds the "
            "apparent error to make up for what leave-one-out loses, corrects the same thing twice."
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
            "line; with the fault every estimate is far below it."
        ),
        alt=(
            "Three bars. Left, leave-one-out reaches a dashed line at one half; right, it stays "
            "below half of that."
        ),
        caught_by=(("bootstrap-5", leave_one_out, "the naive estimate"),),
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
            "Three estimates for a full tree, and its error on 5000 new cases as a dashed line. "
            "With the fault .632 is much too low."
        ),
        alt="Three bars with a dashed line. The third is close to the line left, far below right.",
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
            "Right, it bends up to 0.5; with the fault it stays on a straight line below."
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
    ),
    # --- 8: bagging --------------------------------------------------------------------------
    Exhibit(
        id="m-average-labels",
        title="Class numbers averaged",
        room=8,
        origin="student",
        target="treelab.bagging:BaggingClassifier.predict",
        before="return self.classes_[votes.argmax(axis=1)]",
        after=(
            "mean = votes @ np.arange(len(self.classes_))\n"
            "        return self.classes_[np.rint(mean).astype(int)]"
        ),
        story=(
            "Members that predict numbers are averaged, so the class numbers were averaged, too, "
            "and rounded. With two classes that is a vote. With three, half the votes for class "
            "0 and half for class 2 elect class 1, for which nobody has voted."
        ),
        notice=(
            "Give the classes other numbers. A prediction must not depend on which class is "
            "called 1."
        ),
        sign=plane_of_three_classes,
        picture=REGIONS,
        caption=(
            "Three classes. With the fault a strip of class 1 (triangles here are class 2) appears "
            "between classes 0 and 2, where no case of it is near."
        ),
        alt=(
            "Three regions, left, top and right. In the right panel a strip of the top class runs "
            "down between the two others."
        ),
        caught_by=(
            ("bagging-2", majority, "do not average"),
            ("instability-4", vote_gain, "do not average class numbers"),
        ),
    ),
    Exhibit(
        id="m-same-seed",
        title="The same seed for every member",
        room=8,
        origin="student",
        target="treelab.out_of_bag:member_generator",
        before="np.random.default_rng([seed, b])",
        after="np.random.default_rng(seed)",
        story=(
            "Each member makes its own generator, as it should, but from the same seed. So all "
            "draw the same bootstrap sample and grow the same tree, and their mean is that tree."
        ),
        notice=(
            "Compare the members: if all of them say the same everywhere, a hundred are no better "
            "than one."
        ),
        sign=lambda: on_the_line(BaggingRegressor(n_estimators=20, random_state=0), *wave()),
        picture=PREDICTED,
        caption=(
            "Twenty bagged trees. Right, their mean is smoother than any of them; with the fault "
            "it is one tree, with its jumps."
        ),
        alt="Left, many small steps that follow a wave; right, fewer and larger jumps.",
    ),
    Exhibit(
        id="m-repeats-dropped",
        title="Repeats thrown away",
        room=8,
        origin="student",
        target="treelab.out_of_bag:draw_sample",
        before="return rows, counts[rows]",
        after="return rows, np.ones_like(counts[rows])",
        story=(
            "The drawn row numbers were made into a set. A case that was drawn three times then "
            "counts once, and the sample holds about 63 of 100 cases instead of 100."
        ),
        notice="Add up the weight in the root of a tree: it must be the number of cases.",
        sign=root_weights,
        picture=bars([str(b) for b in range(6)], "weight in the root", digits=0, xlabel="tree"),
        caption=(
            "Weight in the roots of six trees, grown on 60 cases. With the fault more than a third "
            "of it is missing."
        ),
        alt="Six bars. Left, all have the height 60; right, they are between 34 and 42 high.",
        caught_by=(("instability-5", root_shares, "the prescribed draws"),),
    ),
    Exhibit(
        id="m-oob-everyone",
        title="Everyone may judge",
        room=8,
        origin="student",
        target="treelab.out_of_bag:unseen_by",
        before="unseen[sample] = False",
        after="unseen[sample] = True",
        story=(
            "The out-of-bag error was taken over the vote of all members. Two thirds of them have "
            "seen the case and remember its label, so the estimate is the training error under "
            "another name."
        ),
        notice=(
            "Flip a coin for every label: the out-of-bag error must stay near one half. Or look "
            "whether it falls to the training error as members are added."
        ),
        sign=oob_path_of_coin_flips,
        picture=lines("members", {"error": ""}, "members", "out-of-bag error"),
        caption=(
            "Out-of-bag error on labels that are coin flips. Right, it stays near one half; with "
            "the fault it falls to 0."
        ),
        alt="Left, a curve that wanders around 0.5; right, a curve that falls to 0.",
        caught_by=(("bagging-3", oob_error, "that have not drawn a case"),),
    ),
    Exhibit(
        id="m-oob-uncovered",
        title="No vote taken for a vote",
        room=8,
        origin="student",
        target="treelab.out_of_bag:OutOfBag.add",
        before=(
            "covered = np.flatnonzero(self.votes)\n"
            "        if not len(covered):\n"
            "            self.path.append((np.nan, 0.0))\n"
            "            return\n"
            "        mean = self.sums[covered] / self.votes[covered, None]"
        ),
        after=(
            "covered = np.arange(len(self.votes))\n"
            "        mean = self.sums / np.maximum(self.votes, 1)[:, None]"
        ),
        story=(
            "With few members some cases are in every sample, and nobody may judge them. Their "
            "row of votes holds zeros, and the largest of equal zeros is the first: they count as "
            "votes for class 0."
        ),
        notice=(
            "Ask how many cases the error rests on. With one member it can be only about 37 of 100."
        ),
        sign=oob_path_of_few_members,
        picture=lines("members", {"error": ""}, "members", "out-of-bag error", marker="o"),
        caption=(
            "Out-of-bag error after each member; most cases are of class 1. With the fault it "
            "starts far too high and falls as the last cases find a judge."
        ),
        alt="Left, a nearly level curve; right, a curve that starts high and falls to its level.",
        caught_by=(("bagging-3", oob_error, "has no vote"),),
    ),
    # --- 9: random forests -------------------------------------------------------------------
    Exhibit(
        id="m-no-bootstrap",
        title="A forest without bootstrap",
        room=9,
        origin="teaching code",
        target="treelab.base_forest:grow_forest",
        before=(
            "roots = [everything if n_draws is None else draw_sample(g, n, n_draws) "
            "for g in generators]"
        ),
        after="roots = [everything for g in generators]",
        story=(
            "Every tree is grown on all rows. Where the nodes try all features, as in a forest "
            "for numbers, nothing is left to chance: a hundred trees are one tree a hundred times."
        ),
        notice=(
            "Compare two trees of the forest, or predict the training targets: a forest that "
            "repeats them to the last digit has averaged nothing."
        ),
        sign=lambda: on_the_line(RandomForestRegressor(20, random_state=0), *wave()),
        picture=PREDICTED,
        caption=(
            "A forest of twenty trees. With the fault it runs through every single point, noise "
            "included."
        ),
        alt="Left, steps that follow a wave among the points; right, a zigzag through all points.",
    ),
    Exhibit(
        id="m-features-once",
        title="Candidates drawn once for the tree",
        room=9,
        origin="teaching code",
        target="treelab.growing:draw_features",
        before="keys = [rng.random((k, p)) for rng, k in zip(generators, counts, strict=True)]",
        after=(
            "once = [rng.bit_generator.seed_seq.generate_state(p) for rng in generators]\n"
            "    keys = [np.tile(draw, (k, 1)) for draw, k in zip(once, counts, strict=True)]"
        ),
        story=(
            "The candidate features are drawn once for each tree, where the text says once for "
            "each node. A tree then never sees the features it has not drawn, and no tree can "
            "find what only two of them tell together."
        ),
        notice=(
            "Count the features that a deep tree asks about. If there are never more than the "
            "candidates of one node, the draw is in the wrong place."
        ),
        sign=plane_of_a_checkerboard,
        picture=REGIONS,
        caption=(
            "A checkerboard and a forest with one candidate for each node. With the fault each "
            "tree knows one feature only, and the squares are lost."
        ),
        alt="Left, four clean squares of two classes; right, an irregular patchwork of stripes.",
        caught_by=(("forests-5", candidates, "not at every node"),),
    ),
    Exhibit(
        id="m-candidates-twice",
        title="A candidate drawn twice",
        room=9,
        origin="student",
        target="treelab.growing:draw_features",
        before="return np.argsort(np.concatenate(keys), axis=1).T",
        after="return (np.concatenate(keys) * p).astype(int).T",
        story=(
            "The features of a node were drawn one by one, each from all of them. So the same "
            "feature can come twice, and the node has fewer candidates than it was promised."
        ),
        notice=(
            "Ask for all features. Every node must then try each of them, and the forest must be "
            "the same as bagging; here some are left out."
        ),
        sign=distinct_candidates,
        picture=bars(["1", "2", "3"], "share of the nodes", xlabel="different candidates"),
        caption=(
            "Different candidates of 2000 nodes that ask for three of five features. With the "
            "fault about half of the nodes have fewer."
        ),
        alt="Left, a single bar: all nodes have three. Right, about half have three, most others 2.",
        caught_by=(("forests-5", candidates, "drawn the same feature twice"),),
    ),
    Exhibit(
        id="m-proximity-by-cases",
        title="Divided by the wrong number",
        room=9,
        origin="student",
        target="treelab.base_forest:BaseForest.proximity",
        before="np.divide(together, count,",
        after="np.divide(together, n,",
        story=(
            "The proximity of two cases is the share of trees that put them in one leaf. The "
            "counts were divided by the number of cases, because the table has that many rows."
        ),
        notice=(
            "Two cases with the same features share every leaf, so their proximity is 1. And add "
            "trees: the proximities must not grow with their number."
        ),
        sign=iris_proximity,
        picture=panels(table_of_shares, share=""),
        caption=(
            "Proximities of 36 irises, 12 of each species; black is 1. With the fault even "
            "twins look like strangers."
        ),
        alt="Left, three dark blocks along the diagonal of a square; right, three pale blocks.",
        caught_by=(("forests-3", proximity, "not of cases"),),
    ),
    # --- 10: AdaBoost ------------------------------------------------------------------------
    Exhibit(
        id="m-vote-sign",
        title="The fraction upside down",
        room=10,
        origin="student",
        target="treelab.base_adaboost:vote_weight",
        before="np.log((1 - e) / e)",
        after="np.log(e / (1 - e))",
        story=(
            "The say of a member is the logarithm of right over wrong. With wrong over right the "
            "sign turns: the best members vote against what they say, and the weights of the "
            "cases move the wrong way, too."
        ),
        notice="A member that is right in nine of ten cases must have a positive say.",
        sign=votes_by_error,
        picture=zero_line(lines("error", {"vote": ""}, "error", "weight of the vote")),
        caption=(
            "Weight of a member's vote against its error. With the fault it is negative for all "
            "members better than chance."
        ),
        alt="Left, a curve that falls from plus 3 to minus 3; right, one that rises.",
        caught_by=(("adaboost-2", one_round, "belongs on top"),),
    ),
    Exhibit(
        id="m-vote-halved",
        title="One half too many",
        room=10,
        origin="student",
        target="treelab.base_adaboost:vote_weight",
        before="learning_rate * (np.log(",
        after="0.5 * learning_rate * (np.log(",
        story=(
            "Two ways to write AdaBoost were mixed. With the half, the wrong cases are multiplied "
            "by exp(α) and the right ones by exp(-α); without it, only one of the two groups is "
            "multiplied. The half together with one group moves the weights half as far."
        ),
        notice="After every round half of the weight must lie on the cases that it got wrong.",
        sign=weight_of_the_wrong,
        picture=lines("round", {"share": ""}, "round", "weight of the wrong", marker="o"),
        caption=(
            "Share of the weight on the cases that a round got wrong, after that round. Right, "
            "it is one half; with the fault it is less."
        ),
        alt="Left, a level line at 0.5; right, a line below it.",
        caught_by=(("adaboost-2", one_round, "the confidence is 0.6931"),),
    ),
    Exhibit(
        id="m-right-ones-up",
        title="More weight for what is right already",
        room=10,
        origin="student",
        target="treelab.base_adaboost:reweight",
        before="np.exp(-vote * correct)",
        after="np.exp(vote * correct)",
        story=(
            "A lost minus: the cases that the member gets right gain weight. The next member then "
            "learns the easy cases again, and so do all the others."
        ),
        notice="Look at the error after each round: if it never moves, all members are the same.",
        sign=boosted_days,
        picture=lines("round", {"error": ""}, "round", "training error", marker="o"),
        caption=(
            "Training error on the ten days of the chapter. With the fault the first stump is "
            "repeated, and the error stays where it was."
        ),
        alt="Left, a curve that reaches 0 in round three; right, a level line at 0.2.",
        caught_by=(("adaboost-2", one_round, "half of the weight"),),
    ),
    Exhibit(
        id="m-not-normalized",
        title="Weights that no longer sum to 1",
        room=10,
        origin="student",
        target="treelab.base_adaboost:reweight",
        before="return normalized(shrunk, counts=weight > 0)",
        after="return shrunk",
        story=(
            "The weights are multiplied, and nobody divides them by their sum. Round by round "
            "there is less of them. Code that takes the sum of the wrong weights for the error "
            "then believes that every member is better than the one before."
        ),
        notice="Print the sum of the weights after each round.",
        sign=weight_by_round,
        picture=lines("round", {"total": ""}, "round", "sum of weights", marker="o"),
        caption="Sum of the case weights in each round. With the fault it fades away.",
        alt="Left, a level line at 1; right, a curve that falls quickly toward 0.",
        caught_by=(("adaboost-2", one_round, "the sum 1 again"),),
    ),
    Exhibit(
        id="m-error-unweighted",
        title="Mistakes counted, not weighed",
        room=10,
        origin="student",
        target="treelab.adaboost:AdaBoostClassifier._round",
        before="error = weight[~correct].sum() / weight.sum()",
        after="error = np.mean(~correct)",
        story=(
            "The error of a member was taken for the share of cases that it gets wrong. In the "
            "first round that is the same. Later it is not: the vote no longer fits the weights, "
            "and members that are good at the hard cases are thrown out."
        ),
        notice=(
            "After every round half of the weight must lie on the cases that it got wrong. With "
            "this fault it does so after the first one only."
        ),
        sign=boosted_diagonal,
        picture=lines("round", {"error": ""}, "round", "training error"),
        caption="Training error on two classes with noise. With the fault boosting learns worse.",
        alt="Left, a curve that falls over 25 rounds; right, a shorter or higher curve.",
        caught_by=(("adaboost-2", one_round, "not their number over n"),),
    ),
    Exhibit(
        id="m-weights-not-passed",
        title="Weights that nobody passes on",
        room=10,
        origin="student",
        target="treelab.weak_learner:TreeLearner.fit",
        before="weight = weight[rows]",
        after="weight = np.ones(len(rows))",
        story=(
            "The weights are computed after every round, and `fit` is called without them. Each "
            "member learns the plain cases and comes out the same as the first one, which under "
            "the new weights is no better than chance."
        ),
        notice="The second member has a weighted error of exactly one half: it is the first again.",
        sign=boosted_days,
        picture=lines("round", {"error": ""}, "round", "training error", marker="o"),
        caption=(
            "Training error on the ten days of the chapter. With the fault boosting ends after "
            "one round."
        ),
        alt="Left, a curve that reaches 0 in round three; right, a single point at 0.2.",
        caught_by=(("adaboost-5", least_error, "the weights decide"),),
    ),
    Exhibit(
        id="m-samme-term",
        title="K classes, and chance at one half",
        room=10,
        origin="student",
        target="treelab.base_adaboost:vote_weight",
        before="learning_rate * (np.log((1 - e) / e) + np.log(max(n_classes - 1, 1)))",
        after="learning_rate * np.log((1 - e) / e)",
        story=(
            "The formula for two classes was used for four. Among four classes, guessing is wrong "
            "in three of four cases, and a member with an error of 0.6 is a good one. Without the "
            "term ln(K - 1) it votes against itself."
        ),
        notice=(
            "The vote must be 0 for a member that guesses: at an error of 1 - 1/K, not of one half."
        ),
        sign=lambda: votes_by_error(4),
        picture=zero_line(lines("error", {"vote": ""}, "error", "weight of the vote")),
        caption=(
            "Weight of the vote for four classes. Right, it is 0 at an error of 0.75, that of "
            "guessing; with the fault it is 0 at 0.5."
        ),
        alt="Two falling curves. The left one meets the line at 0.75, the right one at 0.5.",
    ),
    Exhibit(
        id="m-margin-of-the-winner",
        title="A margin that cannot be negative",
        room=10,
        origin="student",
        target="treelab.boosting_tables:_margin",
        before="return true - np.where(is_true, 0.0, share).max(axis=1)",
        after=("ranked = np.sort(share, axis=1)\n    return ranked[:, -1] - ranked[:, -2]"),
        story=(
            "The margin was taken for the lead of the winner over the second. That says how sure "
            "the vote is, not whether it is right. Cases that the vote gets wrong for sure look "
            "as safe as any."
        ),
        notice=("Count the negative margins: there must be as many as training errors."),
        sign=sorted_margins,
        picture=lines("margin", {"share": ""}, "margin", "share of cases"),
        caption=(
            "How the margins are distributed after fifteen rounds. Right, the cases with wrong "
            "labels lie below 0; with the fault nothing does."
        ),
        alt="Two rising curves. The left one begins well below 0, the right one at 0.",
        caught_by=(("adaboost-3", suspects, "these are the undecided cases"),),
    ),
    # --- 11: gradient boosting ---------------------------------------------------------------
    Exhibit(
        id="m-start-forgotten",
        title="Boosting without its start",
        room=11,
        origin="teaching code",
        target="treelab.gradient_boosting:GradientBoostingRegressor.predict",
        before="return self._scores(self._read(X))",
        after="return self._scores(self._read(X)) - self.start_",
        story=(
            "The trees are fitted to what the mean leaves over, and the prediction adds up the "
            "trees. The mean itself is not among them. On targets with the mean 0, which examples "
            "like to use, nobody sees it."
        ),
        notice=(
            "The mean of the predictions on the training rows must be near the mean of the "
            "targets. Add 100 to every target and look again."
        ),
        sign=lambda: boosted_wave(level=3.0, n_estimators=60),
        picture=PREDICTED,
        caption=(
            "Boosted trees on targets around 3. With the fault the curve has the right shape at "
            "the wrong height."
        ),
        alt="Left, steps that follow a wave of points; right, the same steps far below the points.",
        caught_by=(("gradient-boosting-2", staged_scores, "you have lost the start"),),
    ),
    Exhibit(
        id="m-residual-sign",
        title="Residuals with the wrong sign",
        room=11,
        origin="student",
        target="treelab.losses:SquaredError.negative_gradient",
        before="return y - F",
        after="return F - y",
        story=(
            "The pseudo-residual is the negative derivative of the loss, and the minus was "
            "forgotten, or written twice. Every tree then points away from the targets, and every "
            "round makes the error larger."
        ),
        notice="The training loss of squared error can never rise from one round to the next.",
        sign=lambda: boosted_wave_path(12),
        picture=lines("round", {"loss": ""}, "round", "training loss", share="x"),
        caption=(
            "Training loss after each round, on scales of their own. Right, it falls; with the "
            "fault it grows without end."
        ),
        alt="Left, a falling curve; right, a curve that rises ever more steeply.",
    ),
    Exhibit(
        id="m-rate-twice",
        title="The learning rate applied twice",
        room=11,
        origin="student",
        target="treelab.base_boosting:BaseBoosting._move",
        before="self.learning_rate * tree.value[:, 0, 0]",
        after="self.learning_rate**2 * tree.value[:, 0, 0]",
        story=(
            "The step was shrunk when the leaves were set, and again when they were added. A rate "
            "of 0.1 then works like 0.01. Nothing breaks: the model learns ten times as slowly."
        ),
        notice=(
            "With a rate of 0.5 and one tree that fits perfectly, the first round must take away "
            "half of every residual."
        ),
        sign=lambda: boosted_wave_path(40),
        picture=lines("round", {"loss": ""}, "round", "training loss"),
        caption="Training loss over forty rounds. With the fault it has hardly begun to fall.",
        alt="Left, a curve that falls fast and levels off; right, a slowly falling line.",
        caught_by=(("gradient-boosting-2", staged_scores, "after round 1: 10 + 0.5 * 2"),),
    ),
    Exhibit(
        id="m-mean-for-median",
        title="The mean where the median is meant",
        room=11,
        origin="student",
        target="treelab.losses:AbsoluteError.leaf_value",
        before="return lower_quantile(y - F, 0.5, w)",
        after="return float(np.average(y - F, weights=w))",
        story=(
            "The trees follow the signs of the residuals, as the absolute error wants it, but "
            "their leaves were left at the mean. The best constant for the absolute error is the "
            "median. With the mean a single outlier pulls its whole leaf along."
        ),
        notice="Move one target far away. With the absolute error the curve must hardly follow.",
        sign=boosted_outliers,
        picture=PREDICTED,
        caption=(
            "Absolute error and three outliers. With the fault the curve bulges toward each of "
            "them."
        ),
        alt="Left, steps along a wave, three points far above; right, humps below those points.",
    ),
    Exhibit(
        id="m-leaf-without-curvature",
        title="A leaf without its curvature",
        room=11,
        origin="student",
        target="treelab.losses:LogLoss.leaf_values",
        before="_newton(leaf, n_leaves, w * r, w * p * (1 - p))",
        after="_newton(leaf, n_leaves, w * r, w)",
        story=(
            "The leaves of the classifier were left as the tree makes them, at the mean "
            "pseudo-residual. But residuals are differences of probabilities, and scores are "
            "log-odds: the Newton step divides by p(1 - p), which is one quarter or less."
        ),
        notice=(
            "At the start, with p = 1/2, each step must be four times the mean residual of its "
            "leaf."
        ),
        sign=boosted_log_loss,
        picture=lines("round", {"loss": ""}, "round", "training deviance"),
        caption="Training deviance over 25 rounds. With the fault the steps are far too small.",
        alt="Left, a curve that falls fast; right, one that falls slowly.",
        caught_by=(("gradient-boosting-4", newton_leaf, "the mean pseudo-residual"),),
    ),
    Exhibit(
        id="m-subsample-with-replacement",
        title="The bag drawn with replacement",
        room=11,
        origin="student",
        target="treelab.boosting_round:draw_without_replacement",
        before=(
            "for i, u in enumerate(rng.uniform(size=n).tolist()):\n"
            "        if u * (n - i) < wanted:\n"
            "            drawn[i] = True\n"
            "            wanted -= 1"
        ),
        after="drawn[rng.randint(n, size=wanted)] = True",
        story=(
            "The bag of a round is a share of the rows, drawn without replacement. Drawn as for a "
            "bootstrap, some rows come twice, and the bag is smaller than asked for, by another "
            "number in each round."
        ),
        notice="Count the rows in the bag: half of 100 rows must be 50 in every round.",
        sign=bag_sizes,
        picture=points("round", "rows", "round", "rows in the bag"),
        caption=(
            "Rows in the bag of twelve rounds, for one half of 100 rows. With the fault there are "
            "about 39."
        ),
        alt="Left, twelve points at 50; right, twelve points scattered around 39.",
    ),
    Exhibit(
        id="m-prices-swapped",
        title="The two prices of a quantile swapped",
        room=11,
        origin="student",
        target="treelab.losses:Quantile.each",
        before="np.where(y >= F, self.alpha * (y - F), (1 - self.alpha) * (F - y))",
        after="np.where(y >= F, (1 - self.alpha) * (y - F), self.alpha * (F - y))",
        story=(
            "For the 90 percent quantile a target above the score must be expensive, so that the "
            "score moves up until few are left there. With the two prices swapped, the loss is "
            "that of the 10 percent quantile."
        ),
        notice="Minimize the loss over a constant, and count: nine of ten targets must lie below.",
        sign=prices_of_constants,
        picture=lines("score", {"loss": ""}, "constant score", "loss"),
        caption=(
            "Loss of a constant score for the 90 percent quantile. Right, it is lowest where nine "
            "of ten targets lie below; with the fault at the low end."
        ),
        alt="Left, a curve with its lowest point near 40; right, with its lowest point near 5.",
        caught_by=(("gradient-boosting-5", expectile, "the price above the score"),),
    ),
    Exhibit(
        id="m-trees-on-targets",
        title="Every tree fitted to the targets",
        room=11,
        origin="student",
        target="treelab.boosting_round:one_round",
        before="by_class(loss.negative_gradient(cases.y, F))",
        after="by_class(loss.negative_gradient(cases.y, np.zeros_like(F)))",
        story=(
            "The residuals were computed from the start of the model instead of from the scores "
            "so far. Every round then fits the same tree to the same numbers and adds it once "
            "more, past the targets and on."
        ),
        notice="Two rounds must not have the same tree unless nothing is left to fit.",
        sign=lambda: boosted_wave(n_estimators=20),
        picture=PREDICTED,
        caption=(
            "Twenty rounds at a rate of 0.1. With the fault the same tree is added twenty times, "
            "and the curve has twice its height."
        ),
        alt="Left, steps that follow a wave of points; right, steps that swing twice as far.",
    ),
    Exhibit(
        id="m-stopped-by-training-rows",
        title="Stopped by the training rows",
        room=11,
        origin="student",
        target="treelab.base_boosting:BaseBoosting._boost",
        before="error = loss.value(held_out.y, F_held, held_out.w)",
        after="error = loss.value(train.y, F, train.w)",
        story=(
            "Rows are held out to tell when to stop, and then the loss of the training rows is "
            "asked. That one falls as long as there is a residual, so it never says stop."
        ),
        notice="The number of rounds is always the largest allowed.",
        sign=stopped_early,
        picture=lines("round", {"error": ""}, "round", "error on new cases"),
        caption=(
            "Squared error on new cases. Right, boosting ends when the held-out rows gain "
            "nothing more; with the fault it goes on and gets worse."
        ),
        alt="Left, a curve that falls and ends early; right, one that falls and then rises.",
    ),
    # --- 12: importance ----------------------------------------------------------------------
    Exhibit(
        id="m-importance-unweighted",
        title="A split in a corner counts like the first",
        room=12,
        origin="student",
        target="treelab.importance.impurity_based:_decreases",
        before="R = tree.weighted_n_node_samples * tree.impurity",
        after="R = tree.impurity",
        story=(
            "The decrease in impurity of a split was not weighted by the cases of its node. A "
            "split of three cases deep down then counts as much as the split of the root, and "
            "deep down it is mostly noise that is split."
        ),
        notice=(
            "The raw decreases of all splits must add up to the impurity of the root less what is "
            "left in the leaves."
        ),
        sign=importances_of_a_tree,
        picture=bars(["0", "1", "2", "3"], "importance", xlabel="feature"),
        caption=(
            "Importances in a full tree; only feature 0 says something about the target. With "
            "the fault the picture is turned over."
        ),
        alt="Four bars. Left, the first is the highest; right, the order is another.",
        caught_by=(("importance-2", mean_decrease, "with the weight W of each"),),
    ),
    Exhibit(
        id="m-squared-again",
        title="Squares squared again",
        room=12,
        origin="student",
        target="treelab.importance.impurity_based:_decreases",
        before="drop, minlength=p",
        after="drop**2, minlength=p",
        story=(
            "Friedman's measure sums squared improvements, and the improvement of a split was "
            "squared. But it is a difference of sums of squares already. Squared again, one "
            "large split outweighs several smaller ones that explain more together."
        ),
        notice="Multiply the target by 10: raw decreases must grow by 100, not by 10 000.",
        sign=importances_of_steps,
        picture=bars(["one large split", "several splits"], "importance"),
        caption=(
            "Two features: the first explains less, in one split, the second more, in several. "
            "With the fault the order turns."
        ),
        alt="Two bars. Left, the second is higher; right, the first.",
        caught_by=(("importance-2", mean_decrease, "you squared the gains"),),
    ),
    Exhibit(
        id="m-every-tree-the-same",
        title="Every tree has the same say",
        room=12,
        origin="student",
        target="treelab.importance.impurity_based:mean_decrease_impurity",
        before='if normalize == "tree":',
        after="if normalize is not None:",
        story=(
            "The decreases of each tree were divided by their sum before they were averaged. In "
            "boosting the first trees explain nearly everything and the last ones fit noise, and "
            "now they count the same."
        ),
        notice="Double the number of rounds: importances must hardly move when the loss does not.",
        sign=importances_of_rounds,
        picture=bars(["0", "1", "2", "3"], "importance", xlabel="feature"),
        caption=(
            "Importances after sixty rounds; only feature 0 says something about the target. "
            "With the fault the noise has most of it."
        ),
        alt="Four bars. Left, the first is by far the highest; right, the others come close to it.",
        caught_by=(("importance-2", mean_decrease, "divided each tree by its own sum"),),
    ),
    Exhibit(
        id="m-callers-table",
        title="Your table, shuffled",
        room=12,
        origin="teaching code",
        target="treelab.importance.permutation:_shuffled",
        before="shuffled = X.copy()",
        after="shuffled = X",
        story=(
            "The column is shuffled in the table that the caller has passed. All later columns "
            "are measured on a table with shuffled neighbors, and when the function returns, the "
            "caller's data are gone."
        ),
        notice="Keep a copy of X, call the function, and compare.",
        sign=caller_table,
        picture=points("before", "after", "before the call", "after it", line="diagonal"),
        caption=(
            "The caller's first column before and after the call. With the fault its values "
            "belong to other rows."
        ),
        alt="Left, all points on the diagonal; right, a cloud.",
        caught_by=(("importance-3", expected_loss_of_shuffling, "you changed `X` itself"),),
    ),
    Exhibit(
        id="m-whole-rows",
        title="Whole rows shuffled",
        room=12,
        origin="student",
        target="treelab.importance.permutation:_shuffled",
        before="shuffled[:, group] = X[np.ix_(source, group)]",
        after="shuffled = X[source]",
        story=(
            "All columns were shuffled together, which is the same as shuffling the target. That "
            "breaks every connection at once, and each feature is charged for all of them."
        ),
        notice=(
            "Every feature has the same importance, even a column of random numbers that you add."
        ),
        sign=shuffled_importances,
        picture=bars(["0", "1", "2", "3", "4"], "loss of score", xlabel="feature"),
        caption=(
            "Permutation importances; only feature 0 says something about the target. With the "
            "fault all features look alike."
        ),
        alt="Five bars. Left, only the first stands out; right, all have the same height.",
    ),
    Exhibit(
        id="m-clipped-at-zero",
        title="Losses below zero cut off",
        room=12,
        origin="student",
        target="treelab.importance.permutation:_summary",
        before="importances_mean=importances.mean(axis=1)",
        after="importances_mean=np.maximum(importances, 0).mean(axis=1)",
        story=(
            "A negative importance was taken for an error and set to 0. For a feature of pure "
            "noise the losses scatter around 0; without the negative ones their mean is "
            "positive, and noise looks useful."
        ),
        notice="Add a column of random numbers: its importance must be negative now and then.",
        sign=lambda: shuffled_importances()[1:],
        picture=bars(["1", "2", "3", "4"], "loss of score", digits=3, xlabel="feature"),
        caption=(
            "Permutation importances of four features of noise on held-out rows. With the fault "
            "none is negative."
        ),
        alt="Four bars. Left, some point down; right, all point up or are 0.",
    ),
    Exhibit(
        id="m-in-bag-rows",
        title="Importance on the rows in the bag",
        room=12,
        origin="student",
        target="treelab.importance.out_of_bag:oob_permutation_importance",
        before="rows = np.setdiff1d(np.arange(n), samples[b])",
        after="rows = np.unique(samples[b])",
        story=(
            "The columns were shuffled in the rows that the trees have learned from. There a tree "
            "knows its rows by heart, with the help of every feature that it asks about. "
            "Shuffling any of them hurts, noise as well."
        ),
        notice="Add a column of random numbers: it must not lose more than it gains.",
        sign=oob_importances,
        picture=bars(["0", "1", "2", "3"], "increase of loss", xlabel="feature"),
        caption=(
            "Increase of the squared error; only feature 0 says something about the target. With "
            "the fault the noise is important, too."
        ),
        alt="Four bars. Left, the last three are near 0; right, all are high.",
    ),
    Exhibit(
        id="m-names-for-places",
        title="Rankings compared by their names",
        room=12,
        origin="student",
        target="treelab.importance.stability:compare_rankings",
        before="kendalltau(j, p)",
        after="kendalltau(first, second)",
        story=(
            "Kendall's tau was given the two lists of feature numbers. But what it has to compare "
            "is at which place each feature stands. A number of a feature is a name, and names "
            "have no size."
        ),
        notice="Call the features otherwise: how alike two rankings are must not change.",
        sign=taus_after_one_exchange,
        picture=bars(["1", "2", "3", "4", "5", "6"], "Kendall's tau", xlabel="naming"),
        caption=(
            "Two rankings that differ in their last two places, under six namings of the "
            "features. With the fault the answer depends on the names."
        ),
        alt="Six bars. Left, all have the same height; right, they differ.",
        caught_by=(("importance-5", compare, "not its number"),),
    ),
    Exhibit(
        id="m-equal-subsets",
        title="All subsets with the same weight",
        room=12,
        origin="student",
        target="treelab.importance.shapley:_credit",
        before="u = (nodes[:, None] + 1) / 2",
        after="u = np.full((len(nodes), 1), 0.5)",
        story=(
            "A Shapley value averages over the orders in which the features arrive. Averaged over "
            "the subsets of the others instead, each with the same weight, it becomes another "
            "measure (Banzhaf's): a fair coin for each feature, and no promise about the sum."
        ),
        notice="The values of a row must add up to its prediction less the mean prediction.",
        sign=sums_of_credit,
        picture=points("said", "sum", "prediction", "mean + values", line="diagonal"),
        caption=(
            "Sixty rows: the mean prediction plus the values of the row, against its prediction. "
            "With the fault they do not add up."
        ),
        alt="Left, all points on the diagonal; right, many beside it.",
        caught_by=(("importance-6", shapley, "each with the same weight"),),
    ),
]
