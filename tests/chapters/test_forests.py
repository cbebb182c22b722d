"""Facts of chapter 10: its worked example, its comparisons, and the answers to its exercises."""

from math import comb
from random import Random

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.datasets import load_iris, load_wine

from treelab import RandomForestClassifier, RandomForestRegressor, bagging, bootstrap, cart
from treelab.figures import forests as figures

RESULTS = ROOT / "notebooks" / "replications"


def is_clear(differences, ratio):
    """Whether the mean over 20 splits is beyond two corrected standard errors, for each table."""
    by_table = differences.groupby("data", sort=False)
    return by_table.mean().abs() > 2 * by_table.std() * np.sqrt(1 / 20 + ratio)


# By hand


@pytest.fixture(scope="module")
def ana(page):
    """The mornings, the rides, and the forest of three stumps, as the chapter makes them."""
    names = page.run("c06", "c08", np=np, pd=pd, RandomForestClassifier=RandomForestClassifier)
    return names["mornings"], names["rides"], names["ana"]


def test_three_stumps(page, ana):
    mornings, _, forest = ana
    splits = [(mornings.columns[t.feature[0]], t.threshold[0]) for t in forest.trees_]
    assert [feature for feature, _ in splits] == ["wind", "wind", "temp"]
    first, second, third = (threshold for _, threshold in splits)
    seen = [sorted(set(rows + 1)) for rows in forest.estimators_samples_]
    assert seen[0] == [2, 3, 4, 5]
    wind = sorted(mornings["wind"].loc[seen[0]])
    page.says(f"Tree 1 drew the wind. Of its mornings {seen[0][0]} to {seen[0][-1]} those")
    page.says("with wind {} and {} are rides, {} and {} are not: the cut".format(*wind))
    page.says(f"is half way between {wind[1]} and {wind[2]}, {first:g}.")
    page.says("only mornings {} and {} and drew the wind".format(*seen[1]) + f" too: {second:g}.")
    page.says("Tree 3 has mornings {}, {}, {} and {} and drew the".format(*seen[2]))
    page.says(f"and drew the temperature: {third:g}.")


def test_votes_on_six_mornings(page, ana):
    mornings, rides, forest = ana
    right = forest.predict(mornings) == rides
    page.says(f"{in_words(right.sum()).capitalize()} of {in_words(len(right))} are right.")
    (wrong,) = np.flatnonzero(~right) + 1
    page.says(f"Morning {wrong}, cold with little wind, is outvoted: two trees know only the wind")
    assert forest.predict_trees(mornings)[0].tolist() == ["yes", "yes", "no"]


def test_out_of_bag_mornings(page, ana):
    mornings, rides, forest = ana
    votes, said = forest.predict_trees(mornings), []
    for i in (0, 2):
        unseen = [b for b, rows in enumerate(forest.estimators_samples_) if i not in rows]
        said += [*(b + 1 for b in unseen), *votes[i, unseen]]
    page.says("Morning 1 is unknown to trees {} and {}: {}, {}.".format(*said[:4]))
    page.says("Morning 3 to trees {} and {}: {} and {}, a {{term}}`tie`".format(*said[4:]))
    assert np.allclose(forest.oob_decision_function_[[0, 2]], [[0, 1], [0.5, 0.5]])
    judged = forest.classes_[forest.oob_decision_function_.argmax(axis=1)]
    right = np.flatnonzero(judged == rides) + 1
    page.says("In the end only mornings {} and {} are right: one third".format(*right))
    assert forest.oob_score_ == pytest.approx(1 / 3)
    assert forest.score(mornings, rides) == pytest.approx(5 / 6)
    page.says("are right: one third, where the vote of all three promised five sixths.")


def test_proximities_of_mornings(page, ana):
    near = np.round(3 * ana[2].proximity(ana[0])[0]).astype(int)
    assert near.tolist() == [3, 1, 3, 0, 2, 1]
    page.says(
        f"{near[2] // 3} for mornings 1 and 3, {near[4]}/3 for 1 and 5 (trees 1 and 2), "
        f"{near[3]} for 1 and 4."
    )


def variance_of_mean(rho, B):
    return rho + (1 - rho) / B


def test_the_variance_of_an_average(page):
    cases = [(0, 10), (0.5, 10), (0.5, 500), (0.05, 500)]
    independent, ten, many, less = (f"{variance_of_mean(*case):.4g}" for case in cases)
    page.says(f"Ten independent trees: $0 + 1/10 = {independent}$. Ten trees with")
    page.says(rf"Ten trees with $\rho = 0.5$: $0.5 + {0.5 / 10:g} = {ten}$.")
    page.says(f"Five hundred of them: $0.5 + {0.5 / 500:g} = {many}$: {500 - 10} more trees for")
    page.says(
        rf"Five hundred with $\rho = 0.05$: $0.05 + {0.95 / 500:g} = {float(less):.4f}$. More"
    )


def test_ten_times_as_many_trees(page):
    before, after = variance_of_mean(0.5, 500), variance_of_mean(0.5, 5000)
    page.says(f"No. It falls, by {before - after:.4f}.")
    page.says(f"<summary>from {before:g} to {after:g}.</summary>")


# In code


def test_both_editions_grow_the_same_forest(page):
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(10, max_features=2, random_state=0).fit(X, y)
    plain, orders = figures.iris_forest(forest, X, y)
    page.says(f"{in_words(len(plain)).capitalize()} trees on Fisher's irises")
    for nodes, tree in zip(plain, forest.trees_, strict=True):
        inner = tree.feature >= 0
        splits = list(zip(tree.feature[inner], tree.threshold[inner], strict=True))
        assert splits == [(t["feature"], t["threshold"]) for t in cart.inner(nodes)]
    means = [bagging.predict_value(plain, x) for x in X.tolist()]
    assert [[p.get(k, 0) for k in range(3)] for p in means] == forest.predict_proba(X).tolist()
    tried = {tuple(sorted(order[:2])) for order in orders[0]}
    page.says(
        f"{in_words(len(orders[0])).capitalize()} nodes of one tree, {in_words(len(tried))} "
        "different sets."
    )


def disk(n_noise):
    """Points in a square, whether they lie in a disk, and 20 bootstrap samples, as in the cell."""
    dice, luck = Random(1).random, Random(101).random
    X = [[dice(), dice(), *(luck() for _ in range(n_noise))] for _ in range(60)]
    y = ["in" if (u - 0.5) ** 2 + (v - 0.5) ** 2 < 0.16 else "out" for u, v, *_ in X]
    return X, y, bootstrap.draw_samples(60, B=20, seed=0)


def test_a_disk_among_eight_features_of_noise(page):
    X, y, samples = disk(8)
    errors = {}
    for m in (2, 10):
        orders = [bagging.draw_features(10, seed=b) for b in range(20)]
        trees = bagging.random_forest(X, y, samples, orders, m, max_depth=4)
        errors[m] = bagging.out_of_bag_error(bagging.out_of_bag(trees, samples, X), y)
    page.says(
        f"Only `m = 10`, all columns: {errors[10]:.3f}, against {errors[2]:.3f} with two candidates"
    )


def test_a_fixed_order_makes_all_roots_alike(page):
    X, y, samples = disk(2)
    assert page.output("c22").startswith("m = 1: out-of-bag error 0.167, roots ask noise 0, noise")
    orders = [lambda: [0, 1, 2, 3]] * 20
    trees = bagging.random_forest(X, y, samples, orders, 1, max_depth=1)
    assert {tree["feature"] for tree in trees} == {0}
    page.says("In a fixed order `u` always comes first, so all roots of `m = 1` ask about it.")


def test_equally_good_splits(page):
    X, y = [[k, k] for k in range(4)], [0, 1, 1, 0]
    for order in ([0, 1], [1, 0]):
        best = cart.best_split(cart.cases_of(X, y), features=lambda order=order: order)
        assert best[1:] == (order[0], 0.5)
    forest = RandomForestClassifier(
        20, max_features=2, max_depth=1, bootstrap=False, random_state=0
    )
    trees = forest.fit(X, y).trees_
    assert {tree.threshold[0] for tree in trees} == {0.5}
    assert {int(tree.feature[0]) for tree in trees} == {0, 1}
    page.says(
        "If two thresholds of one feature are equally good, the lower one is kept; if two features "
        "are, the one that comes first in the drawn order."
    )


def test_once_for_a_tree(page):
    runs = pd.read_csv(RESULTS / "once_for_a_tree.csv")
    means = runs.groupby("m")[["every node", "once for a tree"]].mean()
    every, once = means["every node"], means["once for a tree"]
    assert once[3] > 2 * every[3]
    page.says("At $m=3$ the draw for a whole tree has more than twice the error.")
    worse = (runs["once for a tree"] > runs["every node"]).groupby(runs["m"]).sum()
    upto = max(m for m in worse.index if (worse.loc[:m] == 20).all())
    page.says(f"Up to $m={upto}$ it is behind on each of the {worse[upto]} sets")
    assert once.idxmin() == 10
    assert once.drop(index=10).idxmin() == 9
    assert every.idxmin() == 8
    assert (every[7] - every[8]).round(2) == 0.01
    by_set = runs.pivot(index="set", columns="m", values="every node")
    page.says(
        f"{every[8]:.2f} at $m=8$ is ahead of bagging's {every[10]:.2f} on "
        f"{(by_set[8] < by_set[10]).sum()} sets."
    )


def test_what_m_does_to_the_parts_of_the_error(page):
    parts = page.table("c28")
    assert parts["rho"].is_monotonic_increasing
    assert parts["s2"].is_monotonic_decreasing
    assert parts["bias2"].is_monotonic_decreasing
    of_ten = parts["bias2"] + (parts["rho"] + (1 - parts["rho"]) / 10) * parts["s2"]
    assert of_ten.idxmin() == 10
    page.says("They add up to least at $m=10$, bagging.")


def test_seven_and_ten_candidates_of_many_trees(page):
    points, truth = figures.friedman_points()
    # For endless trees set by set: the squared error of the ten, less what averaging would remove.
    errors = {}
    for m in (7, 10):
        P = figures.tree_predictions(m, points)
        errors[m] = (P.mean(axis=2) - truth) ** 2 - P.var(axis=2, ddof=1) / 10
        errors[m] = errors[m].mean(axis=1)
        rho, s2, bias2 = figures.bias_and_variance(P, truth)
        assert errors[m].mean() == pytest.approx(bias2 + rho * s2)
        assert page.table("c28").loc[m].tolist() == [rho.round(3), s2.round(1), bias2.round(1)]
    behind = errors[7] - errors[10]
    assert abs(behind.mean()) < 2 * behind.std(ddof=1) / np.sqrt(20)
    page.says(
        f"7 and 10 are within luck of each other: {errors[7].mean():.1f} and "
        f"{errors[10].mean():.1f}, $m=7$ ahead on {(behind < 0).sum()} sets."
    )


# On real data


def test_which_candidates_for_the_bicycles(page):
    rmse = page.table("c34")
    best, usual = rmse.loc[12, "leaf 1"], rmse.loc[4, "leaf 1"]
    assert best == rmse.to_numpy().min()
    page.says(f"leaves of one hour, {best}, against {usual} for $m = d/3 = 4$.")
    hour, others = page.table("c36")["RMSE out of bag"]
    assert hour < others
    page.says("The hour alone says more than all other columns together")


def test_the_out_of_bag_error_of_the_bicycles(page):
    rmse = page.table("c38")["RMSE"]
    page.says(f"The out-of-bag error, {rmse['forest, out of bag']:.0f}, would have told you")
    assert rmse.index[rmse.argsort()].tolist() == [
        "forest", "forest, out of bag", "pruned tree", "mean for all",
    ]  # fmt: skip


def test_a_prediction_is_a_weighted_mean(page):
    leaves, targets = [[10, 10, 40], [10, 70]], np.array([10, 40, 70])
    w = np.mean([[leaf.count(y) / len(leaf) for y in targets] for leaf in leaves], axis=0)
    assert np.allclose(w, [7 / 12, 1 / 6, 1 / 4])
    page.says("10 has the weight $(2/3+1/2)/2=7/12$, 40 has 1/6 and 70 has 1/4.")
    first, second = map(np.mean, leaves)
    page.says(f"The trees say {first:g} and {second:g}, the forest {w @ targets:g}, and")


def test_the_two_intervals_of_the_wave(page):
    names = page.run("c40", np=np, RandomForestRegressor=RandomForestRegressor)
    forest, x, wave, line = (names[name] for name in ("forest", "x", "wave", "line"))
    width = 1.645 * np.sqrt(forest.prediction_variance(line))
    at = np.searchsorted(line[:, 0], x[:, 0])
    inside = np.abs(wave - forest.predict(line)[at]) <= width[at]
    assert inside.mean() < 0.5
    page.caption("c41").says("how far the trees differ, and most points lie outside it.")


def test_do_intervals_keep_their_promise(page):
    sets = pd.read_csv(RESULTS / "forest_intervals.csv").query("leaf > 1")
    inside = sets.groupby(["data", "leaf"])[["quantiles, inside", "spread, inside"]].mean()
    quantiles, spread = inside["quantiles, inside"].unstack(), inside["spread, inside"].unstack()
    assert (spread < 0.9).all(axis=None)
    assert (spread[20] < spread[5]).all()
    page.says("The band of the trees holds too few, the fewer the larger the leaves")
    assert ((quantiles - 0.9).abs() < (spread - 0.9).abs()).sum().sum() >= 7
    assert (quantiles.loc["wave"] < 0.9).all()
    assert (quantiles.loc[["bicycles", "red wine"]] > 0.9).all(axis=None)
    page.says("too few inside on the wave, too many among the bicycles and the wines")
    assert spread.loc["wave", 20] < 0.5
    page.says("that should have held nine of ten new targets held less than half.")


@pytest.fixture(scope="module")
def thresholds():
    """The errors by table and split, and test rows for each training row."""
    runs = pd.read_csv(RESULTS / "random_thresholds.csv")
    errors = runs.pivot_table(index=["data", "split"], columns="method", values="error", sort=False)
    return errors, runs.groupby("data", sort=False)["ratio"].first()


def test_random_thresholds(page, thresholds):
    errors, ratio = thresholds
    rivals = np.where(np.arange(len(errors)) < 3 * 20, errors["bagging"], errors["forest"])
    clear = is_clear(errors["random thresholds"] - rivals, ratio)
    assert clear.index[clear].tolist() == ["bicycles"]
    page.says("Only on the bicycles is the difference beyond two of them")
    shown = page.table("c48").astype(float)
    assert ((shown["difference"].abs() > 2 * shown["se"]) == clear).all()


def test_where_fewer_candidates_pay(page, thresholds):
    errors, ratio = thresholds
    difference = errors["forest"] - errors["bagging"]
    by_table = difference.groupby("data", sort=False)
    fewer, more = (by_table.apply(lambda d, s=s: (s * d > 0).sum()) for s in (-1, 1))
    assert fewer.tolist() == [0, 18, 17, 10, 12, 14, 14]
    assert (fewer > more).tolist() == [False] + 6 * [True]
    assert is_clear(difference, ratio).tolist() == [True] + 6 * [False]
    means = errors.groupby("data").mean()
    forest, bagged = means["forest"], means["bagging"]
    page.says(
        f"On the bicycles fewer are worse in every split, {forest['bicycles']:.1f} against "
        f"{bagged['bicycles']:.1f}."
    )
    page.says(
        f"On the other {in_words((fewer > more).sum())} they are ahead more often than behind, on "
        f"the sonar echoes with {forest['sonar']:.3f} against {bagged['sonar']:.3f}; but nowhere "
        "beyond two standard errors."
    )


def test_three_wines_are_ringed(page):
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)
    wrong = (forest.oob_decision_function_.argmax(axis=1) != y).sum()
    page.caption("c51").says(f"Ringed are the {in_words(wrong)} wines that the forest misjudges")
    page.caption("c51").says(f"{len(y)} wines placed by their out-of-bag proximities.")
    page.says(f"Take {len(y)} Italian wines from three kinds of vine (cultivars).")


# When it breaks


def test_too_few_candidates(page):
    errors = page.table("c55")
    assert (errors.diff().dropna() < 0).all(axis=None)
    page.says(f"The target has a variance of {3**2 + 2**2 + 1}, the noise 1.")
    all_100 = errors.loc[100].mean()
    page.says(f"only with *all* 100 it gets near {all_100:.0f}. A node sees")
    page.says(
        f"In the haystack it decides between an error of {all_100:.0f} and one of "
        f"{errors.loc[1].mean():.0f}."
    )


def test_a_forest_that_overfits_on_average(page):
    error = page.table("c57")["squared error"]
    many, mean = error["100 trees"], error["the mean"]
    page.says(f"on average it levels off at {many:.2f}, the mean has {mean:.3f}.")
    page.says(f"as the pure noise showed: {many:.2f} against {mean:.3f}.")
    assert error["10 trees"] > many
    page.says("on the noise, 10 were worse than 100.")
    assert error["leaves of 50"] < many
    page.says("Larger leaves cure it. Why the {term}`training error` is about")
    out_of_bag, training = error["100 trees, out of bag"], error["100 trees, training rows"]
    page.says(
        rf"on the ten sets of noise $0.135 \times {out_of_bag:.3f} = "
        f"{0.135 * out_of_bag:.3f}$, found {training:.3f}."
    )


def test_a_forest_overfits_on_each_set_of_noise(page):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 10)), rng.normal(size=200)
        Z, z = rng.normal(size=(2000, 10)), rng.normal(size=2000)
        forest = RandomForestRegressor(100, random_state=seed).fit(X, y)
        assert np.mean((forest.predict(Z) - z) ** 2) > np.mean((y.mean() - z) ** 2)
    page.says("In each set the forest is worse than the plain mean")


def test_the_second_year_is_busier(page):
    errors, means = page.output("c59").splitlines()
    out_of_bag, second_year = map(float, errors[len("RMSE out of bag:") :].split("second year:"))
    forecast, actual = (float(word) for word in means.split() if word[0].isdigit())
    assert second_year > 2 * out_of_bag
    assert actual > forecast
    page.says("The second year is busier, and no row of the first says so.")


# Exercises


def test_how_many_trees_are_enough(page):
    left = [0.25 * 8, 0.05 * 8]
    rest = [8 - x for x in left]
    enough = [round(r / (0.05 * x)) for r, x in zip(rest, left, strict=True)]
    page.says(
        rf"$\rho\sigma_T^2 = {left[0]:g}$ is left. The rest is $0.75 \times 8 / B = "
        rf"{rest[0]:g}/B$, and ${rest[0]:g}/B \le {0.05 * left[0]:g}$ needs $B \ge {enough[0]}$."
    )
    page.says(
        rf"${left[1]:g}$ is left, the rest is ${rest[1]:g}/B$, and ${rest[1]:g}/B \le "
        rf"{0.05 * left[1]:g}$ needs $B \ge {enough[1]}$."
    )


def seen(m, n=100):
    """Probability that one of two of n features is among m candidates."""
    return 1 - comb(n - 2, m) / comb(n, m)


def test_the_chance_to_see_a_needle(page):
    page.says(rf"$1 - 90 \times 89 / 9900 = {seen(10):.3f}$ for 10, and")
    page.says(rf"and $1 - 67 \times 66 / 9900 = {seen(33):.3f}$ for 33.")
    half = min(m for m in range(99) if seen(m) >= 0.5)
    page.says(rf"for $m = {half}$ it is $70 \times 69 = {70 * 69}$. So {half}.")
    page.says(f"$0.191^5 = {seen(10) ** 5:.5f}$. Nearly every path wastes splits on noise")
    page.says(rf"$1 - 186 \times 185 / (200 \times 199) = {seen(14, 200):.3f}$. The root grows")
