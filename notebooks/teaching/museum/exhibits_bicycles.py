"""The room of chapter 18: bicycles, end to end."""

from math import ceil, inf
from random import Random

import numpy as np
from museum import Exhibit, lines

from treelab import DecisionTreeRegressor
from treelab.fast.boosting.losses import lower_quantile
from treelab.fast.selection import ForestRFE

# --- the code on show -------------------------------------------------------------------


def errors_of_sets(X, y, sizes, n_fit):
    """Squared error of each size: the first rows rank and fit, the later ones judge."""
    rows = list(range(len(y)))
    fit, judge = rows[:n_fit], rows[n_fit:]
    order = ranked(X[fit], y[fit])
    found = []
    for size in sizes:
        some = sorted(order[:size])
        model = tree().fit(X[fit][:, some], y[fit])
        found.append(np.mean((model.predict(X[judge][:, some]) - y[judge]) ** 2))
    return found


def margin(lacks, level):
    """What widens a band so that the next night lies in it with probability level."""
    places = sorted(lacks) + [inf]
    return places[ceil(level * len(places)) - 1]


# --- hours and models -------------------------------------------------------------------


def shuffled(n):
    return Random(0).sample(range(n), n)


def tree():
    return DecisionTreeRegressor(min_samples_leaf=5, random_state=0)


def ranked(X, y):
    """Columns, the most important one first."""
    return np.argsort(-tree().fit(X, y).feature_importances_, kind="stable").tolist()


def hours(seed, n_days=40):
    """Counts whose level wanders from day to day, with the day's number among the columns."""
    rng = np.random.default_rng(seed)
    level = np.cumsum(rng.normal(0, 0.15, n_days))
    hour, day = np.tile(np.arange(24), n_days), np.repeat(np.arange(n_days), 24)
    profile = 2 + np.sin(2 * np.pi * (hour - 9) / 24)
    y = profile + level[day] + rng.normal(0, 0.2, len(day))
    return np.column_stack([hour, day, rng.normal(size=(len(day), 2))]), y


# --- signs ------------------------------------------------------------------------------


def errors_by_size():
    found = [errors_of_sets(*hours(seed), [4, 3, 2, 1], 720) for seed in range(6)]
    return {"columns": np.array([4, 3, 2, 1]), "error": np.mean(found, axis=0)}


def eliminations_agree():
    mine, theirs = [], []
    for seed in range(3):
        X, y = hours(seed)
        mine.append(errors_of_sets(X, y, [4, 3, 2, 1], 720))
        rfe = ForestRFE(
            tree(), importance="mdi", error="validation", step=1, min_features_to_select=1,
            random_state=0,
        ).fit(X[:720], y[:720], held_out=(X[720:], y[720:]))  # fmt: skip
        theirs.append([row["error"] for row in rfe.rounds_])
    return np.array(mine), np.array(theirs)


def share_covered():
    """How many of n + 1 nights lie in the band that the other n make, for 90 percent."""
    nights, found = np.arange(10, 90, 10), []
    for n in nights:
        lacks = Random(0).sample(range(1000), n + 1)
        ends = [margin(lacks[:i] + lacks[i + 1 :], 0.9) for i in range(n + 1)]
        found.append(np.mean([lack <= end for lack, end in zip(lacks, ends)]))
    return {"nights": nights, "covered": np.array(found)}


def margins_agree():
    rng = np.random.default_rng(0)
    lists = [rng.normal(size=n) for n in (9, 10, 20, 35, 60)]
    pairs = [(lacks, level) for lacks in lists for level in (0.5, 0.75, 0.9)]
    mine = [margin(lacks.tolist(), level) for lacks, level in pairs]
    theirs = [lower_quantile(np.append(lacks, inf), level) for lacks, level in pairs]
    return np.array(mine), np.array(theirs)


# --- answers to exercises ---------------------------------------------------------------


def group_margins():
    """gradient-boosting-6."""

    def answer(low, high, y, groups, share):
        lacks = {}
        for a, b, target, name in zip(low, high, y, groups):
            lacks.setdefault(name, []).append(max(a - target, target - b))
        return {name: margin(own, share) for name, own in lacks.items()}

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-neighbors-on-both-sides",
        title="Neighbors on both sides",
        room=18,
        origin="student",
        code=errors_of_sets,
        before="rows = list(range(len(y)))",
        after="rows = shuffled(len(y))",
        public="treelab.fast.selection.ForestRFE",
        agrees=eliminations_agree,
        story=(
            "The hours are shuffled before they are divided into training and test data. "
            "Every test hour then has training hours from the same day, which the tree "
            "recognizes by its number. Tomorrow, however, has a number that no tree has "
            "seen."
        ),
        notice=(
            "Evaluate on the last weeks instead. A model that is to be used must perform "
            "equally well there."
        ),
        sign=errors_by_size,
        picture=lines("columns", {"error": ""}, "columns", "squared error", marker="o"),
        caption=(
            "Squared error by the number of features, on average over six draws of 40 days, "
            "where the last ten days are the test data. With the fault, it is less than "
            "half as large."
        ),
        alt="The same curve twice, highest at one column; the right one is less than half as high.",
    ),
    Exhibit(
        id="m-next-night-forgotten",
        title="The next night forgotten",
        room=18,
        origin="student",
        code=margin,
        before="sorted(lacks) + [inf]",
        after="sorted(lacks)",
        public="treelab.fast.boosting.losses.lower_quantile",
        agrees=margins_agree,
        story=(
            "The prediction interval is widened by the 90 percent quantile of the "
            "nonconformity scores. It then covers 90 percent of the nights from which it "
            "was computed. The next night is an additional one, and its score may exceed "
            "all others, so it has to be counted as a night with an infinite score."
        ),
        notice=(
            "Leave out each night once, and count how many of them lie in the interval "
            "computed from the others."
        ),
        sign=share_covered,
        picture=lines("nights", {"covered": ""}, "nights that calibrate", "covered", marker="o"),
        caption=(
            "Proportion of n + 1 nights that lie in the interval computed from the other n, "
            "where 90 percent are required. With the fault it is too small, and much too "
            "small if there are few nights."
        ),
        alt="Left, a curve slightly above 0.9; right, one that rises from 0.82 and stays below.",
        caught_by=(("gradient-boosting-6", group_margins, "one more"),),
    ),
]
