"""Facts of chapter 3: its worked examples, its comparisons, and the answers to its exercises."""

import re

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from facts import in_words

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, cart
from treelab.datasets import (
    fetch_bike_sharing,
    fetch_german_credit,
    load_bike_demand,
    load_bike_rentals,
    make_xor,
)
from treelab.fast.growing import split_table
from treelab.figures import growing as figures

SIX, CLASSES = [[2], [3], [5], [7], [7], [8]], list("aababb")
# The features and thresholds of the root and its two children, split at zero and at zero.
CROSS = ((0, 0.0), (1, 0.0), (1, 0.0))


def spaced(number):
    """A number with a space between thousands."""
    return f"{number:,.0f}".replace(",", " ")


@pytest.fixture(scope="module")
def days():
    return load_bike_demand(return_X_y=True)


@pytest.fixture(scope="module")
def hours():
    """The features, the target and the day of the year of two years of hours."""
    frame = fetch_bike_sharing("hour").frame
    day = pd.to_datetime(frame["dteday"]).dt.day_of_year
    return frame[["hr", "workingday", "temp"]], frame["cnt"], day


def test_the_first_split_of_ten_days(page, days):
    X, y = days
    cold, warm = y[X["temp"] <= 9.5], y[X["temp"] > 9.5]
    total, left, right = (np.sum((part - part.mean()) ** 2) for part in (y, cold, warm))
    page.says(f"the best single guess is the mean, {y.mean():.1f}, and its squared errors add up")
    page.says(f"squared errors add up to {spaced(total)}. Now take the gap between 7 and 12")
    a, b, c = (round(abs(rentals - cold.mean())) for rentals in cold)
    page.says(
        f"The three cold days have mean {cold.mean():g}; they are {a}, {b} and {c} away from it, "
        f"and ${a}^2 + {b}^2 + {c}^2 = {spaced(left).replace(' ', chr(92) + ',')}$."
    )
    page.says(f"The {in_words(len(warm))} others have mean {warm.mean():.2f}.")
    gain = (total - left - right) / len(y)
    page.says(f"is its {{term}}`gain <information gain>`: {spaced(gain)}. `split_table` does the")
    page.says(
        rf"$\frac{{3 \cdot 7}}{{10^2}}({cold.mean():g} - {warm.mean():.2f})^2$, the "
        f"{spaced(gain)} again."
    )


def test_the_gain_from_the_means_of_both_sides(days):
    X, y = days
    gains = [k * (10 - k) / 10**2 * (y[:k].mean() - y[k:].mean()) ** 2 for k in range(1, 10)]
    assert np.allclose(gains, split_table(X, y, criterion="squared_error")["gain"])


def test_a_split_that_gains_almost_nothing(page, days):
    X, y = days
    left, right = y[X["temp"] <= 25].mean(), y[X["temp"] > 25].mean()
    page.says(f"<summary>The two means</summary> {left:.1f} and {right:.1f}. </details>")


def test_a_split_can_wait_for_another(page, days):
    X, y = days
    warm, root = X["temp"] > 9.5, split_table(X, y, "squared_error")
    later = split_table(X[warm], y[warm], "squared_error")
    best = later[later["best"]].iloc[0]
    gain, at_once = best["gain"], root["gain"][root["threshold"] == best["threshold"]].item()
    page.says(f"the {spaced(gain)} of the cut at {best['threshold']:g} degrees are")
    thousands = [spaced(number).replace(" ", r"\,") for number in (gain, 0.7 * gain)]
    page.says(rf"$0.7 \cdot {thousands[0]} = {thousands[1]}$: more than the first cut gained.")
    assert 0.7 * gain > root["gain"].max()
    page.says(f"In the root the same line gained only {spaced(at_once)}.")


def test_the_seasons_in_the_order_of_their_means(page):
    days = load_bike_rentals()
    means = days.groupby("season", observed=True)["rentals"].mean().sort_values()
    order = [f"{season} {mean:.0f}" for season, mean in means.items()]
    page.says(f"in the order of their mean target, {', '.join(order)}, and only cut that order")
    table = split_table(days[["season", "work_day"]], days["rentals"], criterion="squared_error")
    gains = figures.gains_of_groups(days)["gain"]
    assert round(table["gain"].max()) == gains.max()
    three, seven = (table["feature"] == "season").sum(), len(gains)
    page.says(
        f"{in_words(three).capitalize()} cuts of the season instead of {in_words(seven)}, and the "
        f"best of {in_words(seven)} is among them."
    )


def test_every_name_in_the_algorithms_is_a_function(page):
    algorithms = page.text.partition("{prf:algorithm} Best split of a node")[2]
    algorithms = algorithms.partition("Every name in code is a function of `treelab.cart`.")[0]
    names = set(re.findall(r"(?<!})`(\w+)`", algorithms))
    assert len(names) == 7
    assert names <= set(dir(cart))


def test_the_hour_as_a_number(page, hours):
    X, y, day = hours
    test = day % 4 == 0
    tree = DecisionTreeRegressor(max_depth=3).fit(X[~test], y[~test])
    theirs = sklearn.tree.DecisionTreeRegressor(max_depth=3).fit(X[~test], y[~test])
    assert np.array_equal(theirs.tree_.feature, tree.tree_.feature)
    assert np.allclose(theirs.predict(X[test]), tree.predict(X[test]))
    warm = pd.DataFrame({"hr": [8, 12, 17], "workingday": 1, "temp": 0.6})
    (answer,) = set(tree.predict(warm).round(1))
    page.says(f"The leaf of {answer} lumps 8 a.m., noon and 5 p.m. together")


def test_the_hour_as_a_category(page, hours):
    X, y, day = hours
    as_category, train = X.assign(hr=X["hr"].astype("category")), day % 4 != 0
    tree = DecisionTreeRegressor(max_depth=3).fit(as_category[train], y[train]).tree_
    means = y[train].groupby(X["hr"][train]).mean().sort_values()
    quiet = tree.left_levels[0][means.index]
    assert quiet.tolist() == [True] * 9 + [False] * 15
    assert set(means.index[:9]) == {22, 23, *range(7)}
    page.caption("c84").says(
        f"The first cut takes the {in_words(quiet.sum())} quiet hours, 22 to 6"
    )
    cuts = in_words(len(means) - 1).capitalize()
    groups = spaced(2 ** (len(means) - 1) - 1).replace(" ", r"\,")
    page.says(rf"{cuts} cuts were tried in the root, not $2^{{{len(means) - 1}}} - 1 = {groups}$.")


def test_three_ways_to_encode_the_hour(page, hours):
    scores = figures.encoding_scores(*hours)
    assert (scores["category"] > scores["number"]).all()
    assert (scores["number"] > scores["one-hot"]).all()
    page.says(f"In all {len(scores)} runs the hour as a category beats the hour as a number, and")
    deep = scores.loc[8].mean()
    page.says(f"catches up ({deep['number']:.3f} against {deep['category']:.3f} at depth 8)")


def stumps(X, y):
    """Errors, feature and threshold of every tree of depth one, each leaf with its majority."""
    found = []
    for j in range(2):
        order = np.argsort(X[:, j])
        values, ones = X[order, j], np.cumsum(y[order])
        n, left, right = np.arange(1, len(X)), ones[:-1], ones[-1] - ones[:-1]
        wrong = np.minimum(left, n - left) + np.minimum(right, len(X) - n - right)
        found += zip(wrong, np.full(len(n), j), (values[:-1] + values[1:]) / 2, strict=True)
    return found


def optimal_trees(X, y):
    """The fewest training errors of a tree of depth two, and the trees that reach it."""
    trees = []
    for _, j, threshold in stumps(X, y):
        sides = X[:, j] <= threshold, X[:, j] > threshold
        below = [min(stumps(X[side], y[side]), default=(0, 0, 0.0)) for side in sides]
        trees.append((below[0][0] + below[1][0], (j, threshold), below[0][1:], below[1][1:]))
    fewest = min(tree[0] for tree in trees)
    return fewest, [tree[1:] for tree in trees if tree[0] == fewest]


def four_leaves(tree, X):
    """The leaf, 0 to 3, of each row in a tree of depth two."""
    (j, threshold), *below = tree
    (left, right) = (X[:, k] > at for k, at in below)
    return np.where(X[:, j] <= threshold, left, 2 + right)


def errors(tree, sample, other):
    """Training and held-out errors of four leaves that vote."""
    places = [four_leaves(tree, X) for X, _ in (sample, other)]
    majority = np.array([sample[1][places[0] == k].mean() > 0.5 for k in range(4)])
    return [
        int(np.sum(majority[p] != y)) for p, (_, y) in zip(places, (sample, other), strict=True)
    ]


@pytest.fixture(scope="module")
def pattern():
    """The eighty rows of the figure, and the 500 held out."""
    pairs = make_xor(80, noise=0.1, random_state=2), make_xor(500, noise=0.1, random_state=100)
    return [(X.round(3), y) for X, y in pairs]


def test_the_cross_against_cart(page, pattern):
    rows, y = pattern[0]
    low = rows <= 0
    means = [[y[low[:, j]].mean(), y[~low[:, j]].mean()] for j in (0, 1)]
    gains = 2 * low.mean(axis=0) * (1 - low.mean(axis=0)) * np.diff(means).ravel() ** 2
    best = split_table(rows, y)["gain"].max()
    page.says(
        f"your first cut gained {gains[1]:.3f} at $x_2$, at $x_1$ only {gains[0]:.3f}; CART's "
        f"gained {best:.3f}."
    )
    four = sklearn.tree.DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(rows, y)
    train, held = (int((four.predict(X) != z).sum()) for X, z in pattern)
    assert train == 13
    page.says(
        f"{errors(CROSS, *pattern)[1]} errors on the 500 held-out rows, where CART's four "
        f"leaves make {held}."
    )
    page.says(f"cross is ahead in all. CART's four leaves: {held}.")


def test_the_best_tree_of_depth_two_against_the_cross(page, pattern):
    fewest, trees = optimal_trees(*pattern[0])
    found, cross = [errors(tree, *pattern) for tree in trees], errors(CROSS, *pattern)
    assert {train for train, _ in found} == {fewest}
    page.says(f"the best of all trees of depth two makes {fewest} training errors; the true cross,")
    page.says(f"the true cross, at zero and at zero, {cross[0]}. Held out it is")
    held = sorted(number for _, number in found)
    page.says(
        f"Held out it is {held[0]} or {held[-1]} ({in_words(len(trees))} trees tie) against "
        f"{cross[1]}, and"
    )


def test_the_cross_is_ahead_on_new_samples(page):
    found = []
    for seed in range(60):
        sample = make_xor(80, noise=0.1, random_state=1000 + seed)
        other = make_xor(500, noise=0.1, random_state=5000 + seed)
        best = optimal_trees(*sample)[1][0]
        found.append(errors(best, sample, other) + errors(CROSS, sample, other))
    train, held, cross_train, cross_held = np.transpose(found)
    assert np.sum(train < cross_train) == 38
    assert (held > cross_held).all()
    page.says(f"on {len(found)} other samples the cross is ahead in all.")


def test_greedy_is_not_best(page, days):
    X, y = days
    assert (np.diff(X["temp"]) > 0).all()
    table = split_table(X, y, "squared_error")
    second = table["threshold"][table["gain"].nlargest(2).index[1]]
    best, greedy = page.output("growing-53").splitlines()
    root = re.search(r"\(\S+, (\S+), \S+\)", best)[1]
    assert float(root) == second
    page.says(f"The best asks for {second:g} degrees first, the second-best cut of the root.")
    less = int(re.search(r"number (\d+) of", greedy)[1]) - 1
    page.says(f"{in_words(less).capitalize()} trees leave less than CART's. The best asks")


def test_six_rows_by_hand(page):
    gains = split_table(SIX, CLASSES).gain
    assert np.allclose(gains, [0.1, 0.25, 1 / 18, 0.1])
    page.says(rf"Remainder $\frac46 \cdot 0.375 = 0.25$, gain {gains[1]:g}.")
    page.says(rf"Remainder $\frac49$, gain $\frac1{{18}} = {gains[2]:.3f}$.")
    page.says(
        "2 a, 3 b has $Q = 1 - 0.4^2 - 0.6^2 = 0.48$. Remainder "
        rf"$\frac56 \cdot 0.48 = 0.4$, gain {gains[0]:.1f}."
    )
    page.says(rf"right is pure. Remainder $\frac56 \cdot 0.48 = 0.4$, gain {gains[3]:.1f}.")
    page.says(
        f"CART chooses {cart.best_split(cart.cases_of(SIX, CLASSES))[2]:g}. (b) The left side"
    )


def test_six_rows_grown_on(page):
    tree = cart.grow(SIX, CLASSES)
    cuts = [node["threshold"] for node in cart.inner(tree)]
    assert cuts[:2] == [4, 6]
    page.says(f"The rest, 7 a, 7 b, 8 b, is cut at {cuts[2]:g}")
    sizes = [leaf["n"] for leaf in cart.leaves(tree)]
    assert sizes == [2, 1, 2, 1]
    wrong = sum(cart.predict(tree, x) != y for x, y in zip(SIX, CLASSES, strict=True))
    page.says(f"{in_words(len(sizes)).capitalize()} leaves, {in_words(wrong)} training error.")


def test_a_tree_for_one_page(page):
    X, y = fetch_german_credit(return_X_y=True)
    gains = split_table(X, y).groupby("feature")["gain"].max().nlargest(2)
    page.says(
        f"`{gains.index[0]}` wins the root with a gain of {gains.iloc[0]:.3f}, where the best "
        f"split of the next feature, `{gains.index[1]}`, gains {gains.iloc[1]:.3f}."
    )
    page.says(f"Does `purpose`, with its {in_words(X['purpose'].nunique())} levels, earn its place")
    right, good = [], []
    for seed in range(20):
        train, test = np.split(np.random.default_rng(seed).permutation(len(y)), [700])
        good.append(np.mean(y.iloc[test] == "good"))
        tree = DecisionTreeClassifier(max_depth=3)
        for Z in (X, X.drop(columns="purpose")):
            tree.fit(Z.iloc[train], y.iloc[train])
            right.append(round(300 * tree.score(Z.iloc[test], y.iloc[test])))
    right = np.reshape(right, (20, 2))
    with_it, without = right.mean(axis=0) / 3
    ahead, behind, even = (np.sum(np.sign(-np.diff(right)) == sign) for sign in (1, -1, 0))
    page.says(
        f"it are right on {with_it:.1f} % of the test rows, without it on {without:.1f} %; "
        f"{ahead} splits favor it, {behind} the other version, {even} neither."
    )
    page.says(f"without any tree, is right on {100 * np.mean(good):.1f} %, too.")
