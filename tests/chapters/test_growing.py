"""Facts of chapter 3: its worked examples, its comparisons, and the answers to its exercises."""

import re

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from facts import in_words

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, cart, impurity, pruning
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
    page.says(f"the best single prediction is the mean of {y.mean():.1f} rentals, and the")
    page.says(f"the squared errors add up to {spaced(total)}. Consider a threshold")
    a, b, c = (round(abs(rentals - cold.mean())) for rentals in cold)
    thousands = spaced(left).replace(" ", r"\,")
    page.says(
        f"The three cold days have a mean of {cold.mean():g} rentals. Their rentals "
        f"differ from this mean by {a}, {b} and {c}, so their squared errors "
        f"add up to ${a}^2 + {b}^2 + {c}^2 = {thousands}$."
    )
    page.says(f"The other {in_words(len(warm))} days have a mean of {warm.mean():.2f} rentals.")
    gain = (total - left - right) / len(y)
    page.says(f"If we divide this reduction by the number of days, we obtain {spaced(gain)}.")
    page.says(
        rf"$\frac{{3 \cdot 7}}{{10^2}}({cold.mean():g} - {warm.mean():.2f})^2$, which "
        f"is again {spaced(gain)}, up to rounding. In a good split"
    )


def test_the_gain_from_the_means_of_both_sides(days):
    X, y = days
    gains = [k * (10 - k) / 10**2 * (y[:k].mean() - y[k:].mean()) ** 2 for k in range(1, 10)]
    assert np.allclose(gains, split_table(X, y, criterion="squared_error")["gain"])


def test_a_split_that_gains_almost_nothing(page, days):
    X, y = days
    left, right = y[X["temp"] <= 25].mean(), y[X["temp"] > 25].mean()
    assert abs(left - right) < 0.1 * min(left, right)
    page.says(f"close together, and they are indeed {left:.1f} and {right:.1f} rentals.")


def test_a_split_can_wait_for_another(page, days):
    X, y = days
    warm, root = X["temp"] > 9.5, split_table(X, y, "squared_error")
    later = split_table(X[warm], y[warm], "squared_error")
    best = later[later["best"]].iloc[0]
    gain, at_once = best["gain"], root["gain"][root["threshold"] == best["threshold"]].item()
    page.says(f"The split at {best['threshold']:g} degrees has a gain of {spaced(gain)}. Why")
    thousands = [spaced(number).replace(" ", r"\,") for number in (gain, 0.7 * gain)]
    page.says(
        rf"$0.7 \cdot {thousands[0]} = {thousands[1]}$, which is still larger than "
        "the gain of the first"
    )
    assert 0.7 * gain > root["gain"].max()
    page.says(f"In the root, however, the same threshold has a gain of only {spaced(at_once)},")
    below, high = X["temp"] <= best["threshold"], y > 1000
    assert sum(below & warm & high) == sum(below & warm) == sum(high) == 5
    page.says(
        f"because the {in_words(sum(~warm))} cold days join the {in_words(sum(high))} days of high "
        "demand."
    )


def test_a_tie_within_a_feature_goes_to_the_lowest_threshold(page):
    X, level = load_bike_demand("level", return_X_y=True)
    gains = split_table(X, level, "gini").set_index("threshold")["gain"]
    assert gains[6] == pytest.approx(gains[30], abs=1e-12)
    assert gains[6] < gains.max()
    assert (level[X["temp"] <= 6] == level[X["temp"] > 30].iloc[0]).all()
    assert sum(X["temp"] <= 6) == sum(X["temp"] > 30) == 2
    rows, classes = [[i] for i in range(1, 9)], list("babbbabb")
    gains = split_table(rows, classes, "gini")["gain"]
    tied = [i for i in range(7) if gains[i] > gains.max() - 1e-12]
    assert tied == [1, 5]
    assert gains.max() == pytest.approx(1 / 24)
    page.says(f"sorted by the value of a feature, have the classes {', '.join(classes)}.")
    page.says("The splits after the second and the sixth row both have a gain of $1/24$.")
    plain = cart.best_split(cart.cases_of(rows, classes))[2]
    fast = DecisionTreeClassifier(max_depth=1).fit(rows, classes).tree_.threshold[0]
    theirs = sklearn.tree.DecisionTreeClassifier(max_depth=1, random_state=0).fit(rows, classes)
    assert (plain, fast, theirs.tree_.threshold[0]) == (2.5, 2.5, 6.5)
    page.says("treelab chooses the former and scikit-learn the latter")


def test_a_tie_between_features_goes_to_the_first(days):
    X, y = days
    twice = [[temp, temp] for temp in X["temp"]]
    assert cart.best_split(cart.cases_of(twice, list(y)), impurity.squared_error)[1] == 0
    assert DecisionTreeRegressor(max_depth=1).fit(twice, y).tree_.feature[0] == 0


def test_what_becomes_of_the_tree_in_the_cell(page, days):
    X, y = days[0].to_numpy().tolist(), days[1].tolist()
    hot = cart.cases_of(X, [*y[:-1], 2000])
    best = cart.best_split(hot, impurity.squared_error)[2]
    page.says(f"The best threshold is then {best:g} degrees.")
    deep = cart.grow(X, y, impurity=impurity.squared_error, max_depth=3)
    wide = cart.grow(X, y, impurity=impurity.squared_error, max_depth=2, min_leaf=3)
    numbers = [in_words(len(cart.leaves(tree))) for tree in (deep, wide)]
    low, high = (node["threshold"] for node in cart.inner(wide))
    page.says(
        f"With `max_depth=3`, the tree has {numbers[0]} leaves. With `min_leaf=3`, it has "
        f"{numbers[1]} leaves, separated at {low:g} and {high:g} degrees."
    )


def test_a_surrogate_split(page):
    days = figures.surrogates()
    left, wind = days["temp (°C)"] <= 9.5, days["wind (km/h)"]

    def agreement(name):
        found = [sum((days[name] <= s) == left) for s in cart.candidate_splits(days[name])]
        return max(*found, len(days) - min(found))  # a surrogate may also be turned around

    assert (days["temp <= 9.5"] == days["sun <= 5.5"]).sum() == agreement("sun (h)")
    sun, windy = in_words(agreement("sun (h)")), in_words(agreement("wind (km/h)"))
    page.says(
        f"The splits `sun <= 5.5` and `temp <= 9.5` agree on {sun} of ten days, so we can use"
    )
    (above,) = (s for s in cart.candidate_splits(wind) if sum((wind > s) == left) > 6)
    assert sum((wind > above) == left) == agreement("wind (km/h)")
    page.says(f"The best such split on the wind, at {above:g} km/h, agrees on only {windy} days.")
    page.says(f"Since sending every day to the right also agrees on {in_words(sum(~left))} days")
    assert agreement("wind (km/h)") == sum(~left)


def test_the_seasons_in_the_order_of_their_means(page):
    days = load_bike_rentals()
    means = days.groupby("season", observed=True)["rentals"].mean().sort_values()
    order = [f"{season} {mean:.0f}" for season, mean in means.items()]
    page.says(f"by their mean target ({', '.join(order)}) and consider only")
    table = split_table(days[["season", "work_day"]], days["rentals"], criterion="squared_error")
    gains = figures.gains_of_groups(days)["gain"]
    assert round(table["gain"].max()) == gains.max()
    three, seven = (table["feature"] == "season").sum(), len(gains)
    page.says(
        f"Although only {in_words(three)} candidate splits on the season were tried instead of "
        f"{in_words(seven)}, the best of the {in_words(seven)} is among them."
    )


def test_every_name_in_the_algorithms_is_a_function(page):
    algorithms = page.text.partition("{prf:algorithm} Best split of a node")[2]
    algorithms = algorithms.partition("The names in typewriter font")[0]
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
    page.says(f"The leaf that predicts {answer} rentals contains 8 a.m., noon and 5 p.m. alike.")


def test_the_hour_as_a_category(page, hours):
    X, y, day = hours
    as_category, train = X.assign(hr=X["hr"].astype("category")), day % 4 != 0
    tree = DecisionTreeRegressor(max_depth=3).fit(as_category[train], y[train]).tree_
    means = y[train].groupby(X["hr"][train]).mean().sort_values()
    quiet = tree.left_levels[0][means.index]
    assert quiet.tolist() == [True] * 9 + [False] * 15
    assert set(means.index[:9]) == {22, 23, *range(7)}
    page.caption("c84").says(
        f"The first split sends the {in_words(quiet.sum())} quiet hours, 22 to 6, to the left"
    )
    cuts = in_words(len(means) - 1)
    groups = spaced(2 ** (len(means) - 1) - 1).replace(" ", r"\,")
    page.says(
        rf"In the root, only {cuts} candidate splits on the hour were tried, rather than all "
        rf"$2^{{{len(means) - 1}}} - 1 = {groups}$ groupings."
    )


def test_three_ways_to_encode_the_hour(page, hours):
    scores = figures.encoding_scores(*hours)
    assert (scores["category"] > scores["number"]).all()
    assert (scores["number"] > scores["one-hot"]).all()
    page.says(f"In all {len(scores)} runs (four depths and four quarters), the categorical")
    assert scores.index.droplevel("quarter").nunique() == 4


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
        f"your first split had a gain of {gains[1]:.3f} if it was on $x_2$, but of only "
        f"{gains[0]:.3f} if it was on $x_1$. The first split of CART had a gain of {best:.3f}."
    )
    four = sklearn.tree.DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(rows, y)
    train, held = (int((four.predict(X) != z).sum()) for X, z in pattern)
    assert train == 13
    page.says(
        f"{errors(CROSS, *pattern)[1]} errors on the 500 held-out rows, whereas CART's tree "
        f"with four leaves makes {held}."
    )


def test_the_best_tree_of_depth_two_against_the_cross(page, pattern):
    fewest, trees = optimal_trees(*pattern[0])
    found, cross = [errors(tree, *pattern) for tree in trees], errors(CROSS, *pattern)
    assert {train for train, _ in found} == {fewest}
    page.says(
        f"{in_words(len(trees))} optimal trees of depth two make {fewest} training errors, whereas "
        f"the cross with all thresholds at zero makes {cross[0]}. On the held-out data"
    )
    assert fewest < cross[0] < cross[1] < min(held for _, held in found)
    held = sorted(number for _, number in found)
    page.says(
        f"the two trees make {held[0]} and {held[-1]} errors, and the cross makes only {cross[1]}."
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
    page.says(
        f"On each of {len(found)} further samples (not shown), the cross has a lower test error "
        "than the optimal tree."
    )


def test_greedy_is_not_best(page, days):
    X, y = days
    assert (np.diff(X["temp"]) > 0).all()
    table = split_table(X, y, "squared_error")
    second = table["threshold"][table["gain"].nlargest(2).index[1]]
    best, greedy = page.output("growing-53").splitlines()
    root = re.search(r"\(\S+, (\S+), \S+\)", best)[1]
    assert float(root) == second
    page.says(
        f"first splits at {second:g} degrees, which is only the second-best split of the root."
    )
    rank, trees = map(int, re.search(r"number (\d+) of (\d+)", greedy).groups())
    page.says(f"still {in_words(rank - 1)} of {trees} trees were better.")
    grown = cart.grow(X.to_numpy().tolist(), y.tolist(), impurity=impurity.squared_error)
    pruned = pruning.prune(grown, alpha=10_000)
    thresholds = sorted(node["threshold"] for node in cart.inner(pruned))
    assert thresholds == [float(s) for s in re.findall(r"[\d.]+", best)[:3]]
    page.says(
        f"a fully grown tree that is [pruned](04_pruning.ipynb) to {in_words(len(thresholds) + 1)} "
        "leaves has the same leaves as the best tree."
    )


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
    page.says(f"The remaining rows, 7 a, 7 b, 8 b, are split at {cuts[2]:g}")
    sizes = [leaf["n"] for leaf in cart.leaves(tree)]
    assert sizes == [2, 1, 2, 1]
    wrong = sum(cart.predict(tree, x) != y for x, y in zip(SIX, CLASSES, strict=True))
    page.says(f"The tree has {in_words(len(sizes))} leaves and {in_words(wrong)} training error.")


def test_a_tree_for_one_page(page):
    X, y = fetch_german_credit(return_X_y=True)
    gains = split_table(X, y).groupby("feature")["gain"].max().nlargest(2)
    page.says(
        f"`{gains.index[0]}` wins the root with a gain of {gains.iloc[0]:.3f}, where the best "
        f"split of the next feature, `{gains.index[1]}`, gains {gains.iloc[1]:.3f}."
    )
    page.says(f"Does `purpose`, with its {in_words(X['purpose'].nunique())} categories, earn its")
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
        f"it are right on {with_it:.1f} % of the test rows, without it on {without:.1f} %. Of the "
        f"splits {ahead} favor it, {behind} favor the other version, and {even} favor neither."
    )
    page.says(f"without any tree, is right on {100 * np.mean(good):.1f} %, too.")
