"""Figures of random forests: votes, candidate features, errors, intervals, and a map of wines."""

import warnings
from base64 import b64encode
from functools import cache
from unittest.mock import patch

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import sklearn.ensemble
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import binom
from sklearn.metrics import adjusted_rand_score

from treelab import RandomForestClassifier, RandomForestRegressor, bagging
from treelab.datasets import make_friedman1, make_moons
from treelab.drawing.style import GRAY, INK, PAPER, WIDTH, class_look, pale
from treelab.fast.bagging import forest as forest_module
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.growing import by_depth
from treelab.figures.errors import draw_errors
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper
from treelab.figures.votes import draw_vote

__all__ = [
    "bias_and_variance",
    "candidates_tried",
    "clusters_found",
    "count_searches",
    "coverage_table",
    "error_parts",
    "error_paths",
    "errors_by_trees",
    "errors_on_noise",
    "first_pixels",
    "first_splits",
    "friedman_points",
    "haystack_errors",
    "intervals_of_a_wave",
    "iris_forest",
    "map_of_wines",
    "proximities_by_coin",
    "random_thresholds_table",
    "steps_to_random_thresholds",
    "three_stumps",
    "tree_predictions",
    "two_libraries",
    "vote_explorable",
    "vote_stepper",
    "votes_of_stripes",
]

# Handwritten digits


def first_pixels(X, y):
    """Draw ten digits, and how often each pixel is the first split of 100 trees of two kinds."""
    fig = plt.figure(figsize=(WIDTH, 3.9))
    above, below = fig.subfigures(2, 1, height_ratios=(1, 3.6))
    for k, ax in enumerate(above.subplots(1, 10)):
        ax.pcolormesh(X[np.flatnonzero(y == k)[0]].reshape(8, 8), cmap="gray_r", rasterized=True)
        _pixels(ax)
        ax.spines[:].set_visible(False)
    kinds = {"bagging": X.shape[1], "random forest": 8}
    for ax, (name, m) in zip(below.subplots(1, 2), kinds.items(), strict=True):
        counts = first_splits(X, y, m).reshape(8, 8)
        ax.pcolormesh(counts, cmap="Blues", vmin=0, vmax=100, edgecolor=GRAY, lw=0.3)
        for i, j in zip(*np.nonzero(counts), strict=True):
            ax.text(j + 0.5, i + 0.5, counts[i, j], ha="center", va="center", fontsize=12.5,
                    color="white" if counts[i, j] > 50 else "black")  # fmt: skip
        ax.set_title(f"{name}, {m} candidates")
        _pixels(ax)
    plt.show()


def first_splits(X, y, m):
    """How many of 100 trees split on each feature first, if the root has m candidates."""
    stumps = RandomForestClassifier(100, max_features=m, max_depth=1, random_state=0).fit(X, y)
    return np.bincount([tree.feature[0] for tree in stumps.trees_], minlength=X.shape[1])


def _pixels(ax):
    """Make the axes those of an image, whose first row is the highest."""
    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.invert_yaxis()


def errors_by_trees(forest, X, y):
    """Draw the out-of-bag error and the test error of a forest against the number of its trees."""
    proportions = np.cumsum([tree.predict(X) for tree in forest.trees_], axis=0)
    curves = {
        "out-of-bag error": forest.oob_error_path(),
        "test error": (proportions.argmax(axis=2) != y).mean(axis=1),
    }
    draw_errors(range(1, len(proportions) + 1), curves, xlabel="number of trees", ylabel="error")
    plt.show()


# Three stumps


def three_stumps(forest, X, y):
    """Draw the split of each of three stumps, and the mornings on which it was trained."""
    fig, axes = plt.subplots(1, 3, figsize=(WIDTH, 3.3), sharex=True, sharey=True)
    ends = {"temp": (5, 28), "wind": (0, 35)}
    for b, (ax, tree) in enumerate(zip(axes, forest.trees_, strict=True)):
        name, threshold = X.columns[tree.feature[0]], tree.threshold[0]
        low, high = ends[name]
        vertical = name == "temp"
        span, line = (ax.axvspan, ax.axvline) if vertical else (ax.axhspan, ax.axhline)
        for leaf, side in ((1, (low, threshold)), (2, (threshold, high))):
            color, hatch, _ = class_look(int(tree.value[leaf, 0].argmax()))
            span(*side, facecolor=pale(color, 0.22), hatch=hatch, edgecolor=pale(color, 0.45),
                 lw=0, zorder=0)  # fmt: skip
        line(threshold, color="black", ls="-", lw=1.5)
        drawn = np.isin(np.arange(len(X)), forest.estimators_samples_[b])
        for i, (temp, wind) in enumerate(X.to_numpy()):
            color, _, marker = class_look(int(y[i] == "yes"))
            ax.plot(temp, wind, marker=marker, ms=9, mec="black", ls="none",
                    mfc=color if drawn[i] else "white")  # fmt: skip
            ax.annotate(i + 1, (temp, wind), (0, 7), textcoords="offset points", ha="center",
                        color="black")  # fmt: skip
        ax.set(title=f"tree {b + 1}", xlim=ends["temp"], ylim=ends["wind"], xticks=[10, 20])
    for k, word in enumerate(["no", "yes"]):
        color, _, marker = class_look(k)
        axes[0].plot([], [], marker=marker, mfc=color, mec="black", ms=9, ls="none", label=word)
    axes[0].plot([], [], marker="o", mfc="white", mec="black", ms=9, ls="none", label="out of bag")
    fig.legend(loc="outside upper center", ncol=3)
    axes[0].set_ylabel("wind (km/h)")
    axes[1].set_xlabel("temperature (°C)")
    plt.show()


# A forest votes on two moons

COLUMNS, LINES = 48, 33  # of squares in the plane, 0.1 wide
CURVES = {"tree": "one tree", "forest": "forest", "free": "if independent"}


def vote_explorable():
    """Let the reader choose a number of trees and a point, and see votes and errors."""
    X, y, forest = _moons()
    errors, votes = _errors_of_moons(), _votes_of_squares()
    data = {
        "rows": np.column_stack([X.round(2), y]).tolist(),
        "x": [-1.9, 2.9], "y": [-1.4, 1.9], "pieces": {"x": COLUMNS, "y": LINES},
        "votes": [b64encode(np.packbits(row)).decode() for row in votes],
        "errors": {name: (errors[name] * 100).round(4)
                   for name in ("tree", "forest", "oob", "free")},
        "correlation": errors["correlation"].fillna(0).round(3),
        "rest": {"trees": 10, "x": 26, "y": 9, "guess": None},
        **_words_of_the_vote(errors["forest"]),
    }  # fmt: skip
    few = "The plane has the colors of the two classes, fainter where the trees disagree. "
    words = [
        f"After 10 trees the error on new observations is {errors.forest[10]:.1%}.",
        "With more trees, the error of the forest falls at first and then hardly changes.",
        "The forest errs less often than its trees, but trees with independent mistakes would make "
        "far fewer errors together.",
    ]
    curves = {words: errors[name] for name, words in CURVES.items()}
    frames = [
        (_vote(forest.trees_[:10], X, y).figure, words[0], few + words[0]),
        (draw_errors(errors.index, curves, xlabel="trees", ylabel="test error"), words[1],
         "Three curves show errors. That of one tree, on average, falls a little. That of the "
         "forest is lower, and that of a vote of independent trees is soon at 0."),
        (_some_errors(errors), words[2], "A table lists errors for 1 to 100 trees. " + words[2]),
    ]  # fmt: skip
    return explorable("forest", data, frames, "What is a vote worth?", "forests-worth")


def vote_stepper():
    """Let a forest grow from 1 to 100 trees and vote on a new observation."""
    X, y, forest = _moons()
    new = np.array([[0.35, 0.2]])
    proportion = np.array([tree.predict(new)[0, 1] for tree in forest.trees_])
    frames = []
    for B in (1, 3, 10, 100):
        ax = _vote(forest.trees_[:B], X, y)
        ax.plot(*new[0], marker="D", ms=11, mfc=PAPER, mec=INK, mew=2)
        words = f"With B = {B}, class 1 has {proportion[:B].sum():.0f} of {B} votes at the diamond."
        alt = f"The plane has the colors of the two classes, fainter where the {B} trees disagree. "
        frames.append((ax, words, alt + words))
    return stepper(frames, "A forest grows and votes", "forests-vote")


@cache
def _moons():
    """The observations of two moons, their classes, and a forest of 100 trees."""
    X, y = make_moons(150, noise=0.3, random_state=0)
    forest = RandomForestClassifier(100, max_features=1, oob_score=True, random_state=0)
    return X, y, forest.fit(X, y)


def _vote(trees, X, y):
    """Draw the plane in the color of the vote of some trees; the axes."""
    _, ax = plt.subplots(figsize=(WIDTH, 4))
    draw_vote(trees, X, y, ax=ax)
    ax.set(xlabel="first feature", ylabel="second feature")
    return ax


def _votes_of_squares():
    """Whether each tree votes for class 1 in the middle of each square; (n_trees, n_squares)."""
    middles = [(-1.85 + 0.1 * i, -1.35 + 0.1 * j) for j in range(LINES) for i in range(COLUMNS)]
    return np.array([tree.predict(np.array(middles))[:, 1] for tree in _moons()[2].trees_]) > 0.5


def _errors_of_moons():
    """Errors on test data, by the number of trees, and the correlation of the trees' mistakes."""
    X, y = make_moons(2000, noise=0.3, random_state=1)
    forest = _moons()[2]
    proportions = np.array([tree.predict(X)[:, 1] for tree in forest.trees_])
    wrong, numbers = (proportions > 0.5) != y, np.arange(1, 101)
    errors = pd.DataFrame(
        {
            "tree": [wrong[:B].mean() for B in numbers],
            "forest": [((proportions[:B].mean(axis=0) > 0.5) != y).mean() for B in numbers],
            "oob": forest.oob_error_path(),
        },
        index=numbers,
    )
    errors["free"] = [  # a vote of B independent trees is wrong; of two halves, one is
        binom.sf(B / 2, B, p) + binom.pmf(B / 2, B, p) / 2 for B, p in errors["tree"].items()
    ]
    errors += 1e-9  # a half is rounded up, as in the script of the figure
    pairs = [np.corrcoef(wrong[:B])[np.triu_indices(B, 1)] for B in numbers[1:]]
    errors["correlation"] = [np.nan, *(pair.mean() for pair in pairs)]
    return errors


def _some_errors(errors):
    """The errors of 1 to 100 trees as a table of five rows."""
    names = {"tree": "a tree, on average", "oob": "out of bag", "free": "if independent"}
    some = errors.loc[[1, 3, 10, 30, 100]].round(3).astype({"correlation": object})
    return some.fillna({"correlation": "–"}).rename_axis("trees").rename(columns=names)


def _words_of_the_vote(error):
    """The question, the answers, and the words of each state."""
    return {
        "question": "From 10 trees to 100, the error on new observations will",
        "answers": ["fall a little and stay", "rise again", "fall to nearly 0"],
        "guesses": [[[10, 15.3], *rest] for rest in (
            [[50, 12], [100, 12]], [[100, 26]], [[30, 1], [100, 0.5]]
        )],
        "says": ["At the point, {votes} trees vote for squares. A tree errs on {tree} of new "
                 "observations on average, the forest on {forest}" + after for after in (
            ". A guess, or Skip, unlocks 100 trees.",
            ", and independent trees together on {free}. Move the point to where they differ.",
        )],
        "verdicts": [
            f"{reply}: the error is {error[10]:.1%} with 10 trees and {error[100]:.1%} with 100."
            for reply in ("Yes", "No, it falls a little and stays", "No, it falls only a little")
        ],
        "legend": "circles or squares; fainter where trees disagree",
        "guessed": "dotted: your guess",
        "curves": CURVES,
        "labels": {
            "votes": "votes for squares", "tree": "error of a tree, on average",
            "forest": "error of the forest",
            "oob": "out-of-bag error", "correlation": "correlation of mistakes",
            "free": "error if independent",
        },
        "alt": ["The observations, the background in the color of the vote, and the point.",
                "Errors on new observations after each number of trees."],
    }  # fmt: skip


# Candidate features


def iris_forest(forest, X, y):
    """Grow a fitted forest again with the plain method, and return the orders that nodes tried."""
    n, d = X.shape
    orders = [[] for _ in forest.trees_]

    def draws_of(b):
        rng = member_generator(forest.seed_, b)
        rows, counts = draw_sample(rng, n, n)  # the distinct rows, and how often each was drawn

        def draw():
            orders[b].append(np.argsort(rng.random(d)).tolist())
            return orders[b][-1]

        return np.repeat(rows, counts).tolist(), draw

    samples, features = zip(*map(draws_of, range(len(orders))), strict=True)
    m = forest.max_features
    return bagging.random_forest(X.tolist(), y.tolist(), samples, features, m), orders


def candidates_tried(forest, X, y):
    """The candidate features and the chosen one at each node of the first tree of a forest."""
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    trees, orders = iris_forest(forest, X, y)
    nodes = [trees[0]]
    for t in nodes:  # in the order in which they were grown
        nodes += [t[side] for side in ("left", "right") if side in t]
    splits = [(number, t["feature"]) for number, t in enumerate(nodes) if "left" in t]
    rows = [
        {"node": number, "candidates": ", ".join(names[j] for j in sorted(order[:2])),
         "chosen": names[feature]}
        for (number, feature), order in zip(splits, orders[0], strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows).set_index("node")


# The parts of the error, on Friedman's function


def friedman_points():
    """Two hundred points and Friedman's function there."""
    x = np.random.default_rng(99).random((200, 10))
    truth = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    truth += 10 * x[:, 3] + 5 * x[:, 4]
    return x, truth


def tree_predictions(m, points):
    """What ten trees predict at points, for each of twenty training sets; (20, n_points, 10)."""
    return np.array(
        [
            RandomForestRegressor(10, max_features=m, random_state=seed)
            .fit(*make_friedman1(100, random_state=seed))
            .predict_trees(points)
            for seed in range(20)
        ]
    )


def error_parts(parts):
    """Draw the squared bias, the shared variance and the rest of the variance against m."""
    drawn = parts[["bias2", "shared", "rest"]].rename(columns={"bias2": "bias²"})
    draw_errors(parts.index, drawn, xlabel="m", ylabel="squared error")
    plt.show()


# Intervals


def intervals_of_a_wave(x, wave, forest, line, ends):
    """Draw the interval between two quantiles, and the one from the spread of the trees."""
    spread = 1.645 * np.sqrt(forest.prediction_variance(line)) * [[-1], [1]] + forest.predict(line)
    _, ax = plt.subplots(figsize=(WIDTH, 4))
    ax.plot(x[:, 0], wave, ls="none", marker="o", ms=3, color="#5c5c5c", label="training rows")
    look = {"lw": 0, "step": "mid"}
    for (low, high), color, alpha, words in (
        (ends, "#0072B2", 0.25, "quantiles 0.05 to 0.95"),
        (spread, "#D55E00", 0.5, "trees ± 1.645 sd"),
    ):
        ax.fill_between(line[:, 0], low, high, color=color, alpha=alpha, label=words, **look)
    ax.plot(line[:, 0], forest.predict(line), color=INK, lw=1.5, ls="-", label="forest")
    ax.set(xlabel="x", ylabel="y")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2, frameon=False)
    plt.show()


def coverage_table():
    """The fraction of new targets in both intervals, for leaves of 5 and of 20."""
    sets = pd.read_csv("../replications/forest_intervals.csv")
    sets = sets[sets["leaf"] > 1].set_index(["data", "leaf"])
    inside = sets[["quantiles, inside", "spread, inside"]].groupby(level=[0, 1], sort=False).mean()
    return inside.set_axis(["quantiles", "trees ± 1.645 sd"], axis=1).unstack().round(2)


# Random thresholds


def random_thresholds_table():
    """Mean errors with random thresholds and without, and their difference with its error."""
    runs = pd.read_csv("../replications/random_thresholds.csv")
    errors = runs.pivot_table(index=["data", "split"], columns="method", values="error", sort=False)
    regression = errors.index.get_level_values("data").isin(["bicycles", "red wine", "diabetes"])
    rival = errors["bagging"].where(regression, errors["forest"])  # as many candidates
    pairs = (errors["random thresholds"] - rival).groupby("data", sort=False)
    table = errors.groupby("data", sort=False).mean()
    table["difference"] = pairs.mean()
    table["se"] = pairs.std() * np.sqrt(1 / 20 + runs.groupby("data")["ratio"].first())
    return table.rename(columns={"random thresholds": "random"}).map("{:#.3g}".format)


def steps_to_random_thresholds(points, truth):
    """Parts of the error and work of scikit-learn's trees: best and random thresholds."""
    forest, random = sklearn.ensemble.RandomForestRegressor, sklearn.ensemble.ExtraTreesRegressor
    kinds = {
        "best thresholds": _parts_and_work(forest, points, truth),
        "random, same samples": _parts_and_work(random, points, truth, bootstrap=True),
        "random, all rows": _parts_and_work(random, points, truth),
    }
    steps = pd.DataFrame(kinds, index=["rho", "s2", "bias2", "thresholds", "nodes"]).T
    return steps.round({"rho": 3, "s2": 1, "bias2": 1, "thresholds": 0, "nodes": 0})


def _parts_and_work(kind, points, truth, **settings):
    """Correlation, variance, squared bias, thresholds tried and nodes of scikit-learn's trees."""
    P, work = [], []
    for seed in range(20):
        model = kind(10, random_state=seed, **settings)
        model.fit(*make_friedman1(100, random_state=seed))
        P.append(np.column_stack([tree.predict(points) for tree in model.estimators_]))
        for tree in (each.tree_ for each in model.estimators_):
            rows = tree.n_node_samples[tree.feature >= 0]
            one = kind is sklearn.ensemble.ExtraTreesRegressor
            thresholds = np.ones_like(rows) if one else rows - 1
            work.append([10 * np.sum(thresholds), tree.node_count])
    return [*bias_and_variance(np.array(P), truth), *np.mean(work, axis=0)]


def bias_and_variance(P, truth):
    """Correlation and variance of trees, and the squared bias, from predictions at points."""
    within = P.var(axis=2, ddof=1).mean()
    between = P.mean(axis=2).var(axis=0, ddof=1).mean()
    shared = between - within / P.shape[2]
    bias2 = np.mean((P.mean(axis=(0, 2)) - truth) ** 2) - between / len(P)
    return shared / (shared + within), shared + within, bias2


# A map of wines


def map_of_wines(forest, X, y):
    """Draw the wines in a plane by their out-of-bag proximities, and ring those misclassified."""
    place = _scaling(forest.proximity(X, oob_only=True))
    place *= np.sign(place[np.abs(place).argmax(axis=0), [0, 1]])
    wrong = np.flatnonzero(forest.oob_decision_function_.argmax(axis=1) != y)
    _, ax = plt.subplots(figsize=(WIDTH, 4.4))
    for k in range(3):
        color, _, marker = class_look(k)
        look = {"c": color, "marker": marker, "s": 36, "edgecolor": INK, "lw": 0.5}
        ax.scatter(*place[y == k].T, label=f"cultivar {k}", **look)
    ax.scatter(*place[wrong].T, s=170, facecolor="none", edgecolor=INK, lw=1.8)
    ax.set(xlabel="first direction", ylabel="second direction")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, frameon=False)
    plt.show()


def _scaling(P, k=2):
    """Points in k dimensions whose squared distances are 1 minus the proximities, nearly."""
    center = np.eye(len(P)) - 1 / len(P)
    values, vectors = np.linalg.eigh(-0.5 * center @ (1 - P) @ center)
    return vectors[:, ::-1][:, :k] * np.sqrt(values[::-1][:k])


# When it breaks


def haystack_errors():
    """Test errors of three forests for each m, where two of 100 features matter."""
    rows = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        (X, y), (Z, z) = _haystack(300, rng), _haystack(1000, rng)
        for m in (1, 10, 33, 100):
            model = RandomForestRegressor(30, max_features=m, random_state=seed).fit(X, y)
            error = np.mean((model.predict(Z) - z) ** 2)
            rows.append({"m": m, "training set": seed, "error": error})
    return pd.DataFrame(rows).pivot(index="m", columns="training set", values="error").round(1)


def _haystack(n, rng):
    """Observations of 100 features, and a target that depends on two of them."""
    X = rng.normal(size=(n, 100))
    return X, 3 * X[:, 0] + 2 * X[:, 1] + rng.normal(size=n)


def errors_on_noise():
    """Mean squared errors of forests on a target that no feature tells anything about."""
    rows = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 10)), rng.normal(size=200)
        Z, z = rng.normal(size=(2000, 10)), rng.normal(size=2000)
        forest = RandomForestRegressor(100, oob_score=True, random_state=seed).fit(X, y)
        large = RandomForestRegressor(100, min_samples_leaf=50, random_state=seed).fit(X, y)
        trees = forest.predict_trees(Z)
        predicted = {f"{B} tree{'s' * (B > 1)}": trees[:, :B].mean(axis=1) for B in (1, 10, 100)}
        predicted |= {"leaves of 50": large.predict(Z), "the mean": y.mean()}
        errors = {name: np.mean((p - z) ** 2) for name, p in predicted.items()}
        errors["100 trees, out of bag"] = forest.oob_error_path()[-1]
        errors["100 trees, training rows"] = np.mean((forest.predict(X) - y) ** 2)
        rows.append(errors)
    return pd.DataFrame(rows).mean().to_frame("squared error").round(3)


# Under the hood


def count_searches(X, y, rows):
    """How many searches for splits 50 trees take, with so many rows in a chunk; and the trees."""
    with (
        patch.object(by_depth, "search", wraps=by_depth.search) as search,
        patch.object(forest_module, "PLACES", rows),
    ):
        trees = RandomForestClassifier(50, random_state=0).fit(X, y).trees_
    return search.call_count, trees


def error_paths(X, y, Z, z):
    """Test errors after each of 40 trees, for eight seeds of treelab and of scikit-learn."""
    ours, theirs = [], []
    for seed in range(8):
        settings = {"max_features": 4, "random_state": seed}
        model = RandomForestRegressor(40, **settings).fit(X, y)
        ours.append(_error_path(model.predict_trees(Z), z))
        model = sklearn.ensemble.RandomForestRegressor(40, **settings).fit(X, y)
        each = [tree.predict(Z.to_numpy()) for tree in model.estimators_]
        theirs.append(_error_path(np.column_stack(each), z))
    return np.array(ours), np.array(theirs)


def _error_path(trees, z):
    """The squared error of the mean of the first trees, for each number of them."""
    mean = trees.cumsum(axis=1) / np.arange(1, trees.shape[1] + 1)
    return ((mean - z[:, None]) ** 2).mean(axis=0)


def two_libraries(ours, theirs):
    """Draw mean and standard deviation of the errors of two libraries against the trees."""
    paths = {"treelab": ours[:, 2:], "scikit-learn": theirs[:, 2:]}
    draw_errors(
        range(3, 41),
        {name: path.mean(axis=0) for name, path in paths.items()},
        bands={name: path.std(axis=0) for name, path in paths.items()},
        xlabel="trees",
        ylabel="squared error",
    )
    plt.show()


def votes_of_stripes():
    """Out-of-bag errors of forests where the nearest rows are mostly of the other class."""
    X, y = np.arange(200.0)[:, None], np.arange(200) % 2
    errors = {}
    for B in (1, 11, 101):
        each = []
        for seed in range(5):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # some rows have no vote
                forest = RandomForestClassifier(B, oob_score=True, random_state=seed).fit(X, y)
            known = forest.out_of_bag_.votes > 0
            share = forest.out_of_bag_.sums[known, 1] / forest.out_of_bag_.votes[known]
            each.append([forest.oob_error_path()[-1], np.mean((share - y[known]) ** 2)])
        errors[B] = np.mean(each, axis=0)
    names = ["misclassification rate", "squared error of the proportion"]
    return pd.DataFrame(errors, index=names).T.rename_axis("trees").round(3)


def proximities_by_coin(X):
    """Mean proximities of rows with the same face of a coin and with different ones."""
    found = []
    for seed in range(5):
        coin = np.random.default_rng(seed).integers(2, size=len(X))
        forest = RandomForestClassifier(100, oob_score=True, random_state=seed).fit(X, coin)
        other = coin[:, None] != coin
        same = ~other & ~np.eye(len(X), dtype=bool)
        for trees, oob_only in (("all trees", False), ("out of bag", True)):
            near = forest.proximity(X, oob_only=oob_only)
            found.append((trees, np.nanmean(near[same]), np.nanmean(near[other])))
    found = pd.DataFrame(found, columns=["prox", "same face", "other face"])
    return found.groupby("prox").mean().round(3)


def clusters_found(tables):
    """Agreement of clusters by proximity with the classes, over ten seeds, for each table."""
    found = {}
    for name, (X, y) in tables.items():
        clusters = (_clusters_without_classes(X, 3, seed) for seed in range(10))
        found[name] = [adjusted_rand_score(y, each) for each in clusters]
    return pd.DataFrame(found).agg(["mean", "min", "max"]).round(2)


def _clusters_without_classes(X, k, seed):
    """Cluster rows by the proximities of a forest that tells them from shuffled ones."""
    rng = np.random.default_rng(seed)
    fake = np.column_stack([rng.permutation(column) for column in X.T])
    real = np.repeat([1, 0], len(X))
    forest = RandomForestClassifier(100, random_state=seed).fit(np.vstack([X, fake]), real)
    distance = squareform(1 - forest.proximity(X), checks=False)
    return fcluster(linkage(distance, "average"), k, "maxclust")
