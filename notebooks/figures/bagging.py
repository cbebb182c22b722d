"""Figures of bagging: staircases, votes, out-of-bag errors, and what gains nothing by it."""

from base64 import b64encode

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import sklearn.tree
from scipy.stats import binom
from sklearn.datasets import make_friedman1
from sklearn.neighbors import KNeighborsRegressor

from treelab import BaggingClassifier, BaggingRegressor, DecisionTreeRegressor
from treelab.datasets import make_moons, steps
from treelab.drawing.style import ACCENT, COLORS, GRAY, WIDTH
from treelab.fast.bagging.out_of_bag import OutOfBag
from treelab.figures.bootstrap import draw_means
from treelab.figures.errors import draw_errors
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper
from treelab.figures.votes import draw_vote

__all__ = [
    "bag_explorable",
    "coin_shares",
    "coin_table",
    "estimates_minus_truth",
    "learners_table",
    "most_disputed",
    "out_of_bag_of_stumps",
    "out_of_bag_stepper",
    "out_of_bag_voters",
    "radar_errors",
    "tree_and_bag",
    "wrong_votes",
]

GOOD, BAD = "#0072B2", "#D55E00"  # returns of the radar


def tree_and_bag(bag, X, y):
    """Draw the predictions of one fully grown tree and of a bag on the noisy staircase."""
    grid = np.linspace(0, 1, 401)[:, None]
    models = {"one tree": DecisionTreeRegressor().fit(X, y), "mean of 100 trees": bag}
    _, axes = plt.subplots(2, 1, sharex=True, figsize=(5.4, 5))
    for ax, (name, model) in zip(axes, models.items(), strict=True):
        ax.plot(X[:, 0], y, "o", color=GRAY, ms=4)
        ax.plot(grid, steps(grid[:, 0]), "--", color="black", lw=1.5)
        ax.plot(grid, model.predict(grid), color=ACCENT, lw=2)
        ax.set(ylabel=name)
    axes[1].set(xlabel="x")
    plt.show()


def out_of_bag_of_stumps(stumps, counts, X, y):
    """Out-of-bag error and coverage after each stump, from how often it has drawn each row."""
    votes = OutOfBag(y, 2)
    for count, stump in zip(counts, stumps, strict=True):
        unseen = np.flatnonzero(count == 0)
        votes.add(unseen, np.eye(2)[stump.predict(X.iloc[unseen])])
    stages = pd.RangeIndex(1, len(stumps) + 1, name="stumps")
    return pd.DataFrame(votes.path, columns=["error", "coverage"], index=stages).round(3)


# A bag that the reader fills

COLUMNS, LINES, TREES = 50, 35, 50  # squares of the plane, 0.1 wide


def bag_explorable():
    """Let the reader add trees, and see which rows each has not seen, and their votes."""
    X, y = make_moons(80, noise=0.3, random_state=3)
    X = X.round(2)
    bag = BaggingClassifier(n_estimators=TREES, oob_score=True, random_state=0).fit(X, y)
    low = np.array([-2.0, -1.6])
    middles = [low + 0.05 + 0.1 * np.array([i, j]) for j in range(LINES) for i in range(COLUMNS)]
    votes = np.array([tree.predict(middles) for tree in bag.estimators_]) == 1
    X_new, y_new = make_moons(2000, noise=0.3, random_state=1)
    new = np.array([tree.predict(X_new) for tree in bag.estimators_])
    stages = np.cumsum(new, axis=0) > np.arange(1, TREES + 1)[:, None] / 2
    test, error = (stages != y_new).mean(axis=1), 1 - bag.oob_score_
    numbers = (
        f"it is {error:.1%} out of bag and {test[-1]:.1%} on 2000 new rows. With 80 rows the "
        f"standard error is {100 * np.sqrt(error * (1 - error) / 80):.1f} points."
    )
    data = {
        "rows": np.column_stack([X, y]).tolist(),
        "x": [low[0], low[0] + COLUMNS / 10], "y": [low[1], low[1] + LINES / 10],
        "pieces": {"x": COLUMNS, "y": LINES},
        "votes": [b64encode(np.packbits(row)).decode() for row in votes],
        "said": [_said(tree, rows, X) for tree, rows in
                 zip(bag.estimators_, bag.estimators_samples_, strict=True)],
        "test": test.round(5), "open": 8,
        "rest": {"trees": 1, "x": 20, "y": 17, "guess": None},
        "question": f"The vote of {TREES} trees is right on all 80 rows. Its out-of-bag error is",
        "answers": ["also 0", "near the error on new rows", "twice the error on new rows"],
        "guesses": [[0, 0], [100 * test[7], 100 * test[-1]], [100 * test[7], 200 * test[-1]]],
        "says": [
            "Tree {trees} has not seen the {unseen} hollow rows. The row at the diamond is "
            "out of bag for {out} of {trees} trees: {circles} vote for circles, {squares} for "
            f"squares, {{result}}.{end}" for end in (
                " A guess, or Skip, opens 50 trees.",
                " The error is {error}, and {test} on new rows.")
        ],
        "results": ["which is right", "which is wrong", "so it has no vote yet",
                    "a tie, so circles win, which is right",
                    "a tie, so circles win, which is wrong"],
        "verdicts": [f"{reply}: {numbers}" for reply in (
            "No, each row is predicted by trees that have not seen it", "Yes",
            "No, not so high")],
        "label": "Trees", "legend": "hollow: out of bag for the last tree",
        "curves": ["out of bag", "new rows"],
        "labels": {
            "unseen": "rows out of bag, last tree", "wrong": "of these misclassified",
            "votes": "votes on the row", "coverage": "coverage",
            "error": "out-of-bag error", "test": "error on new rows",
        },
        "alt": ["The rows of two classes, hollow where the last tree has not seen them, the "
                "background in the color of the vote, and the point.",
                "Errors by the number of trees."],
    }  # fmt: skip
    frames = [_bag_frame(bag, X, y, B) for B in (1, 2, 8, TREES)]
    return explorable("bag", data, frames, "Which rows has the last tree not seen?", "bagging-bag")


def _trees(n):
    """A number of trees in words.

    >>> _trees(1)
    '1 tree'
    """
    return f"{n} tree{'s' * (n != 1)}"


def _said(tree, rows, X):
    """A sign for each row: "-" if it was drawn, otherwise the class that the tree votes for."""
    answers = tree.predict(X)
    return "".join("-" if i in rows else str(int(k)) for i, k in enumerate(answers))


def _bag_frame(bag, X, y, B):
    """The vote of the first B trees, and the rows that the last of them has not seen."""
    unseen = ~np.isin(np.arange(len(y)), bag.estimators_samples_[B - 1])
    figure, ax = plt.subplots(figsize=(WIDTH, 4))
    draw_vote([tree.tree_ for tree in bag.estimators_[:B]], X, y, ax=ax)
    ax.plot(*X[unseen].T, "o", ms=11, mfc="none", mec="black", mew=1.2)
    ax.set(xlabel="first feature", ylabel="second feature")
    error, coverage = bag.out_of_bag_.path[B - 1]
    words = (
        f"The rings mark the {unseen.sum()} rows that tree {B} has not seen. With {_trees(B)}, the "
        f"out-of-bag error is {error:.3f} over {coverage:.0%} of the rows."
    )
    return figure, words, f"Rows of two classes lie on a plane in the color of the vote. {words}"


# Votes and probabilities


def coin_shares(n_sets):
    """Predicted proportion of yes by bagged stumps and trees, on n_sets data sets of coins."""
    rng, found = np.random.default_rng(0), []
    for seed in range(n_sets):
        noise, coin = rng.normal(size=(200, 3)), (rng.random(200) < 0.7).astype(int)
        new = rng.normal(size=(300, 3))
        for name, depth in (("stumps", 1), ("fully grown trees", None)):
            member = sklearn.tree.DecisionTreeClassifier(max_depth=depth, random_state=0)
            model = BaggingClassifier(member, 30, random_state=seed).fit(noise, coin)
            for voting in ("hard", "soft"):  # the same trees, averaged in two ways
                share = model.set_params(voting=voting).predict_proba(new)[:, 1]
                found.append((name, voting, share.mean(), np.mean(np.abs(share - 0.7))))
    columns = ["trees", "voting", "mean proportion", "distance from 0.7"]
    return pd.DataFrame(found, columns=columns)


def coin_table():
    """Mean proportion of yes and its distance from the probability 0.7, by trees and voting."""
    return coin_shares(30).groupby(["trees", "voting"], sort=False).mean().round(2)


# The radar


def radar_errors(radar, X_new, y_new):
    """Draw the out-of-bag error and the test error of a bag over the number of its trees."""
    test = [np.mean(stage != y_new) for stage in radar.staged_predict(X_new)]
    errors = {"out-of-bag": radar.oob_error_path(), "test": test}
    draw_errors(range(1, len(test) + 1), errors, xlabel="trees", ylabel="error")
    plt.show()


def out_of_bag_stepper(radar, X):
    """Grow the out-of-bag curve of a bag, with the votes on the row that is disputed most."""
    disputed = most_disputed(radar)
    voters = out_of_bag_voters(radar, X, disputed)
    frames = [
        _curve_and_votes(radar, voters, disputed, B) for B in (1, 2, 3, 5, 10, 20, 40, 70, 100)
    ]
    return stepper(frames, "The out-of-bag curve grows", "oob-curve")


def most_disputed(radar):
    """The training row whose out-of-bag votes are closest to a tie."""
    return int(np.argmin(np.abs(radar.oob_decision_function_[:, 1] - 0.5)))


def out_of_bag_voters(radar, X, row):
    """The trees whose samples left a row out, counted from 1, each with its vote; a dict."""
    pairs = zip(radar.estimators_, radar.estimators_samples_, strict=True)
    return {
        b: int(tree.predict(X[[row]])[0])
        for b, (tree, rows) in enumerate(pairs, 1)
        if row not in rows
    }


def _curve_and_votes(radar, voters, row, B):
    """A frame with the error of the first B trees, and the votes of those that left a row out."""
    path, votes = radar.oob_error_path(), [vote for b, vote in voters.items() if b <= B]
    good, bad = sum(votes), len(votes) - sum(votes)
    figure, (above, below) = plt.subplots(2, 1, figsize=(5.4, 4.6), height_ratios=[3, 1])
    above.plot(range(1, B + 1), path[:B], color=GOOD, marker="o" if B <= 20 else "")
    above.set(xlim=(0, 101), ylim=(0, 0.25), xlabel="trees", ylabel="out-of-bag error")
    below.barh(["good", "bad"], [good, bad], color=[GOOD, BAD], hatch=["", "//"])
    below.set(xlim=(0, 25), xlabel=f"votes on return {row}")
    elected = "none yet" if not votes else "good" if good > bad else "bad"
    elected += " (a tie)" if votes and good == bad else ""
    coverage = radar.out_of_bag_.path[B - 1][1]
    caption = (
        f"With {_trees(B)}, the out-of-bag error is {path[B - 1]:.3f} over {coverage:.0%} of the "
        f"returns. Return {row} is out of bag for {_trees(len(votes))}. The votes are {good} for "
        f"good and {bad} for bad, so the out-of-bag vote is {elected}."
    )
    return (
        figure,
        caption,
        f"A curve shows the error so far, and two bars show the votes. {caption}",
    )


# Estimates of an error


def estimates_minus_truth(off):
    """Draw how far six estimates of the error of a bag are from the truth, for each world."""
    names = ["held-out third", "10-fold", "loo", ".632", ".632+", "out-of-bag"]
    worlds = {world: table[names] for world, table in off.groupby("world", sort=False)}
    draw_means(worlds, apart=0.2, height=4, xlabel="estimate minus truth, 50 bagged trees")


# When it breaks


def wrong_votes(radar, X_new, y_new):
    """Draw how many trees are wrong about each test row, and what independence would give."""
    wrong = np.array([radar.classes_[m.predict(X_new)] != y_new for m in radar.estimators_])
    error, share = wrong.mean(), wrong.mean(axis=0)
    ax = plt.figure().add_subplot()
    ax.hist(100 * share, bins=np.arange(-2.5, 103, 5), color=COLORS[4], edgecolor="black")
    k = np.arange(0, 101, 5)
    inside = np.array([binom.cdf(v + 2, 100, error) - binom.cdf(v - 3, 100, error) for v in k])
    ax.plot(k, len(share) * inside, color=BAD, marker="o", label="if independent")
    ax.axvline(50, color="black", ls="--", lw=1)
    ax.set(xlabel="wrong votes of 100", ylabel="returns")
    ax.legend()
    plt.show()


def learners_table():
    """Median squared errors of four methods on Friedman's function, alone and bagged."""
    new, truth = make_friedman1(1000, noise=0.0, random_state=9999)
    tree = sklearn.tree.DecisionTreeRegressor(random_state=0)
    pairs = {
        "fully grown tree, 100 rows": _alone_and_bagged(tree, new, truth),
        "5 neighbors, 100 rows": _alone_and_bagged(KNeighborsRegressor(5), new, truth),
        "linear, 100 rows": _linear_alone_and_bagged(100, new, truth),
        "linear, 20 rows": _linear_alone_and_bagged(20, new, truth),
    }
    medians = {name: np.median(both, axis=0) for name, both in pairs.items()}
    columns = {
        "MSE alone": {name: alone for name, (alone, _) in medians.items()},
        "MSE bagged": {name: bagged for name, (_, bagged) in medians.items()},
        "bagging better in": {
            name: f"{sum(bagged < alone for alone, bagged in both)} of {len(both)}"
            for name, both in pairs.items()
        },
    }
    return pd.DataFrame(columns).rename_axis("base estimator").round(2)


def _alone_and_bagged(learner, new, truth):
    """Errors of a method alone and bagged, on 20 training sets of 100 rows."""
    errors = []
    for seed in range(20):
        X, y = make_friedman1(100, noise=1.0, random_state=seed)
        bag = BaggingRegressor(learner, n_estimators=25, random_state=seed).fit(X, y)
        models = learner.fit(X, y), bag
        errors.append([np.mean((model.predict(new) - truth) ** 2) for model in models])
    return errors


def _linear_alone_and_bagged(n, new, truth):
    """Errors of the linear model alone and bagged, on 200 training sets of n rows."""
    errors = []
    for seed in range(200):
        X, y = make_friedman1(n, noise=1.0, random_state=seed)
        drawn = np.random.default_rng(seed).integers(n, size=(25, n))
        both = (_mean_of_lines(X, y, samples, new) for samples in (np.arange(n)[None], drawn))
        errors.append([np.mean((predicted - truth) ** 2) for predicted in both])
    return errors


def _mean_of_lines(X, y, samples, new):
    """Predictions by least squares on each sample; the mean of the linear functions is linear."""
    middle, level = X[samples].mean(axis=1, keepdims=True), y[samples].mean(axis=1, keepdims=True)
    slopes = np.linalg.pinv(X[samples] - middle, 1e-10) @ (y[samples] - level)[:, :, None]
    constants = level - (middle @ slopes)[:, :, 0]
    return constants.mean() + new @ slopes.mean(axis=0)[:, 0]
