"""Facts of chapter 10: its worked example, its comparisons, and the answers to its exercises."""

from math import comb
from random import Random

import numpy as np
import pandas as pd
import pytest
from facts import Page, in_words
from places import ROOT
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import train_test_split

from treelab import RandomForestClassifier, RandomForestRegressor, bagging, bootstrap, cart
from treelab.figures import forests as figures

RESULTS = ROOT / "notebooks" / "replications"


# The digits of the first page


@pytest.fixture(scope="module")
def halves():
    """Training images, test images, and their digits, as in the chapter."""
    X, y = load_digits(return_X_y=True)
    return train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)


def test_first_pixels(page, halves):
    X, _, y, _ = halves
    bagged, drawn = (figures.first_splits(X, y, m) for m in (64, 8))
    page.says(f"{bagged.max()} of 100 bagged trees split on the same pixel first")
    caption = page.caption("f03")
    caption.says(f"are candidates, and {bagged.max()} trees begin with the same one.")
    caption.says(f"and no pixel comes first in more than {drawn.max()} trees.")
    caption.says(f"{in_words(np.count_nonzero(bagged))} pixels have a number, and the largest is")
    caption.says(f"{np.count_nonzero(drawn)} pixels have a number, from 1 to {drawn.max()}, spread")


def test_three_models_of_the_digits(page):
    _, bagged, forest = page.table("f02")["test error"]
    assert 0.45 < forest / bagged < 0.55
    page.says("The random forest makes about half as many errors as bagging, although both")


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
    page.says(f"given the wind, and its sample contains mornings {seen[0][0]} to {seen[0][-1]}.")
    page.says("Ana rode on the two calm mornings (wind {} and {})".format(*wind[:2]))
    page.says("stayed at home on the two windy ones ({} and {})".format(*wind[2:]))
    page.says(f"lies halfway between {wind[1]} and {wind[2]}, at {first:g}.")
    page.says(
        "its sample contains only mornings {} and {}, so its threshold is ".format(*seen[1])
        + f"{second:g}."
    )
    page.says(
        "since its sample contains mornings {}, {}, {} and {}, its threshold is ".format(*seen[2])
        + f"{third:g} degrees."
    )
    alt = page.caption("f04")
    alt.says(f"a horizontal line at a wind of {first:g} separates no above from yes below")
    alt.says(f"In tree 2 the line is at {second:g}, and only mornings 4 and 6 are filled.")
    alt.says(f"In tree 3 a vertical line at {third:g} degrees separates no on the left")


def test_votes_on_six_mornings(page, ana):
    mornings, rides, forest = ana
    right = forest.predict(mornings) == rides
    page.says(
        f"The majority vote is right for {in_words(right.sum())} of the {in_words(len(right))} "
        "mornings."
    )
    (wrong,) = np.flatnonzero(~right) + 1
    page.says(f"It is wrong for morning {wrong}, which was cold but calm")
    assert forest.predict_trees(mornings)[0].tolist() == ["yes", "yes", "no"]
    page.says(
        "because two of the three trees ignore the temperature and outvote the tree that uses"
    )


def test_out_of_bag_mornings(page, ana):
    mornings, rides, forest = ana
    votes, unseen = forest.predict_trees(mornings), {}
    for i in (0, 2):
        unseen[i] = [b for b, rows in enumerate(forest.estimators_samples_) if i not in rows]
    assert votes[0, unseen[0]].tolist() == ["yes", "yes"]
    trees = "trees {} and {}".format(*(b + 1 for b in unseen[0]))
    page.says(f'Morning 1, for example, is out of bag for {trees}, and both predict "yes"')
    assert votes[2, unseen[2]].tolist() == ["yes", "no"]
    trees = "trees {} and {}".format(*(b + 1 for b in unseen[2]))
    page.says(f"Morning 3 is out of bag for {trees}, which disagree.")
    assert np.allclose(forest.oob_decision_function_[[0, 2]], [[0, 1], [0.5, 0.5]])
    predicted = forest.classes_[forest.oob_decision_function_.argmax(axis=1)]
    right = np.flatnonzero(predicted == rides) + 1
    page.says("In the end only mornings {} and {} are classified correctly.".format(*right))
    assert forest.oob_score_ == pytest.approx(1 / 3)
    assert forest.score(mornings, rides) == pytest.approx(5 / 6)
    page.says("The out-of-bag accuracy is one third, far below the training accuracy of five")


def test_proximities_of_mornings(page, ana):
    near = np.round(3 * ana[2].proximity(ana[0])[0]).astype(int)
    assert near.tolist() == [3, 1, 3, 0, 2, 1]
    page.says("Mornings 1 and 3 share a leaf in all three trees, so their proximity is 1.")
    page.says(
        f"Mornings 1 and 5 share a leaf only in trees 1 and 2, so their proximity is {near[4]}/3."
    )
    page.says(f"Mornings 1 and 4 never share a leaf, so their proximity is {near[3]}.")


def variance_of_mean(rho, B):
    return rho + (1 - rho) / B


def test_the_variance_of_an_average(page):
    for B, rho in ((10, 0), (10, 0.5), (500, 0.5), (500, 0.05)):
        second, whole = (1 - rho) / B, variance_of_mean(rho, B)
        page.says(f"| {B} | {rho:g} | {rho:g} | {second:.2g} | {whole:.3g} |")
    page.says(f"With a correlation of 0.5, another {500 - 10} trees reduce the variance only")


def test_ten_times_as_many_trees(page):
    before, after = variance_of_mean(0.5, 500), variance_of_mean(0.5, 5000)
    page.says(f"No. It falls, by {before - after:.4f}.")
    page.says(f"<summary>from {before:g} to {after:g}.</summary>")


# In code


def test_both_editions_grow_the_same_forest(page):
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(10, max_features=2, random_state=0).fit(X, y)
    plain, orders = figures.iris_forest(forest, X, y)
    page.says(f"We grow {in_words(len(plain))} trees on Fisher's irises")
    for nodes, tree in zip(plain, forest.trees_, strict=True):
        inner = tree.feature >= 0
        splits = list(zip(tree.feature[inner], tree.threshold[inner], strict=True))
        assert splits == [(t["feature"], t["threshold"]) for t in cart.inner(nodes)]
    means = [bagging.predict_value(plain, x) for x in X.tolist()]
    assert [[p.get(k, 0) for k in range(3)] for p in means] == forest.predict_proba(X).tolist()
    tried = {tuple(sorted(order[:2])) for order in orders[0]}
    page.says(
        f"The {in_words(len(orders[0]))} inner nodes of this tree have {in_words(len(tried))} "
        "different sets of candidates."
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
        f"If all ten features are candidates, the out-of-bag error is only {errors[10]:.3f}, "
        f"whereas it is {errors[2]:.3f} with two candidates."
    )


def test_a_fixed_order_makes_all_roots_alike(page):
    X, y, samples = disk(2)
    assert page.output("c22").startswith("m = 1: out-of-bag error 0.167, roots split on noise 0")
    orders = [lambda: [0, 1, 2, 3]] * 20
    trees = bagging.random_forest(X, y, samples, orders, 1, max_depth=1)
    assert {tree["feature"] for tree in trees} == {0}
    page.says(
        "In a fixed order the feature `u` always comes first, so with `m = 1` all roots split on"
    )


def test_equally_good_splits():
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


# On real data


def test_how_many_trees(page, halves):
    errors = page.table("f06")["out-of-bag error"]
    n = len(halves[0])
    fewer = round(n * errors[100]) - round(n * errors[200])
    page.says(
        "from 100 to 200 trees changes the number of out-of-bag errors by only "
        f"{fewer} among {n} images."
    )
    page.says(f"for about {100 * (1 - 1 / n) ** n:.0f} % of the trees, so we obtain an")


def test_the_curves_of_errors_by_trees(page, halves):
    X, Z, y, z = halves
    forest = RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)
    out_of_bag = np.array(forest.oob_error_path())
    votes = np.cumsum([tree.predict(Z) for tree in forest.trees_], axis=0)
    test = (votes.argmax(axis=2) != z).mean(axis=1)
    alt = page.caption("f07")
    assert [round(error, 2) for error in (out_of_bag[0], test[0])] == [0.29, 0.29]
    alt.says("from 1 to 200. Both start near 0.29. The")
    assert (test[19:] < 0.05).all()
    assert (out_of_bag[49:] < 0.05).all()
    assert (out_of_bag[19:30] > 0.05).all()
    alt.says("falls below 0.05 within 20 trees, the out-of-bag error only within 50.")
    flat = np.concatenate([out_of_bag[74:], test[74:]])
    assert 0.026 < flat.min() < flat.max() < 0.043
    alt.says("From 75 trees on both stay between 0.026 and 0.043.")


def test_how_many_candidates_for_the_digits(page):
    runs = pd.read_csv(RESULTS / "digits_candidates.csv")
    means = runs.groupby("m").mean()
    assert means["tree"].is_monotonic_decreasing
    assert means["correlation"].is_monotonic_increasing
    assert means["forest"].idxmin() == 8
    errors = runs.pivot(index="split", columns="m", values="forest")
    bagging, forest = 100 * errors[64].mean(), 100 * errors[8].mean()
    page.says(
        f"at the default $m = 8$, where it is {forest:.1f} % on average, compared with "
        f"{bagging:.1f} % for bagging."
    )
    difference = errors[64] - errors[8]
    assert (difference > 0).all()
    page.says(f"The forest outperforms bagging in all {len(difference)} splits, and the")
    standard_error = difference.std() * np.sqrt(1 / 20 + 899 / 898)
    page.says(
        f"the mean difference is {difference.mean() / standard_error:.1f} standard errors away"
    )
    for m in (4, 16):
        near = errors[m] - errors[8]
        assert abs(near.mean()) < near.std() * np.sqrt(1 / 20 + 899 / 898)
    page.says("the mean differences between 4, 8 and 16 candidates are smaller than one standard")
    assert 0.3 < means.loc[8, "time"] < 0.4
    page.says("with eight candidates takes about a third of the time of bagging. Each node")
    assert 0.45 < forest / bagging < 0.55
    page.says("On the digits dozens of pixels carry it, and a small $m$ halves the error.")
    assert (errors[[1, 2, 4, 8, 16, 32]].lt(errors[64], axis=0)).all(axis=None)


def test_what_fewer_candidates_change_on_friedmans_function(page):
    parts = Page.of("hood_forests").table("c28")
    page.says(rf"lowers $\rho$ from {parts.loc[10, 'rho']} to {parts.loc[1, 'rho']}. However, this")
    change = parts.loc[1] / parts.loc[10]
    assert 1.6 < change["s2"] < 1.7
    assert 1.85 < change["bias2"] < 1.95
    page.says(
        "this choice also raises the {ref}`variance of each tree <sec-forests-parts>` "
        "by two thirds and nearly doubles"
    )
    once = pd.read_csv(RESULTS / "once_for_a_tree.csv").groupby("m").mean()
    assert once.loc[3, "once for a tree"] > 2 * once.loc[3, "every node"]
    page.says("with $m=3$, this method has more than {ref}`twice the error <sec-forests-once>`")


def test_which_candidates_for_the_bicycles(page):
    rmse = page.table("c34")
    best, usual = rmse.loc[12, "leaf 1"], rmse.loc[4, "leaf 5"]
    assert best == rmse.to_numpy().min()
    page.says(
        f"has the lowest RMSE, {best} bicycles, compared with {usual} bicycles for $m = d/3 = 4$ "
        "and leaves of five."
    )
    hour, others = page.table("c36")["out-of-bag RMSE"]
    assert hour < others
    page.says("The hour alone predicts better than all other features together")


def test_the_out_of_bag_error_of_the_bicycles(page):
    rmse = page.table("c38")["RMSE"]
    page.says(
        f"On test data the forest has an RMSE of {rmse['forest']}, far below that of the pruned "
        f"tree. The out-of-bag error of the forest is slightly higher, "
        f"{rmse['forest, out of bag']}, but requires no test data."
    )
    assert rmse.index[rmse.argsort()].tolist() == [
        "forest", "forest, out of bag", "pruned tree", "mean for all",
    ]  # fmt: skip


def test_fewer_candidates_on_seven_data_sets(page):
    runs = pd.read_csv(RESULTS / "random_thresholds.csv")
    errors = runs.pivot_table(index=["data", "split"], columns="method", values="error", sort=False)
    difference = errors["forest"] - errors["bagging"]
    by_table = difference.groupby("data", sort=False)
    fewer, more = (by_table.apply(lambda d, s=s: (s * d > 0).sum()) for s in (-1, 1))
    assert fewer.index[fewer <= more].tolist() == ["bicycles"]
    assert more["bicycles"] == 20
    assert len(by_table) == 7
    page.says(
        "On the bicycles, bagging always wins. On each of the other six data sets, the forest "
    )
    page.says("has the lower error in more splits than bagging, but no mean difference exceeds two")
    ratio = runs.groupby("data", sort=False)["ratio"].first()
    clear = by_table.mean().abs() > 2 * by_table.std() * np.sqrt(1 / 20 + ratio)
    assert clear.index[clear].tolist() == ["bicycles"]
    page.says("than bagging, but no mean difference exceeds two standard errors.")


# When it breaks


def test_too_few_candidates(page):
    errors = page.table("c55")
    assert (errors.diff().dropna() < 0).all(axis=None)
    page.says(f"The target has a variance of {3**2 + 2**2 + 1}, of which 1 is noise that no forest")
    all_100 = errors.loc[100].mean()
    page.says(f"The error is near {all_100:.0f} only if *all* 100 features are candidates.")
    page.says(
        f"Among 100 features of which two matter, it decides between an error of {all_100:.0f} and "
        f"one of {errors.loc[1].mean():.0f}."
    )


def test_a_forest_that_overfits_on_average(page):
    error = page.table("c57")["squared error"]
    many, mean = error["100 trees"], error["the mean"]
    page.says(f"On average its error is {many:.2f}, compared with {mean:.3f} for the mean. This is")
    page.says(f"it had an error of {many:.2f} compared with {mean:.3f} for the mean.")
    assert error["10 trees"] > many
    page.says("On the noise, 10 trees were worse than 100.")
    assert error["leaves of 50"] < many
    page.says(
        f"Leaves of 50 rows reduce the error to {error['leaves of 50']:.3f}, close to that of "
        "the mean. The {term}`training error` is about"
    )
    out_of_bag, training = error["100 trees, out of bag"], error["100 trees, training rows"]
    page.says(
        rf"For the ten sets of noise this is $0.135 \times {out_of_bag:.3f} = "
        f"{0.135 * out_of_bag:.3f}$, and we found {training:.3f}."
    )


def test_a_forest_overfits_on_each_set_of_noise(page):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 10)), rng.normal(size=200)
        Z, z = rng.normal(size=(2000, 10)), rng.normal(size=2000)
        forest = RandomForestRegressor(100, random_state=seed).fit(X, y)
        assert np.mean((forest.predict(Z) - z) ** 2) > np.mean((y.mean() - z) ** 2)
    page.says("the forest of 100 trees has a higher error than the mean of the training")


def test_the_second_year_is_busier(page):
    errors, means = page.output("c59").splitlines()
    out_of_bag, second_year = map(float, errors[len("RMSE out of bag:") :].split("second year:"))
    forecast, actual = (float(word) for word in means.split() if word[0].isdigit())
    assert second_year > 2 * out_of_bag
    assert actual > forecast
    page.says("In the second year more bicycles are rented, which no row of the first year shows.")


def test_trees_that_agree(page):
    sets = pd.read_csv(RESULTS / "forest_intervals.csv").query("leaf == 20")
    inside = 100 * sets.groupby("data")[["quantiles, inside", "spread, inside"]].mean()
    (low, high), (lower, upper) = (
        inside[kind].agg(["min", "max"]) for kind in ("spread, inside", "quantiles, inside")
    )
    page.says(
        f"With leaves of 20 rows, these intervals contain only between {low:.0f} and "
        f"{high:.0f} % of new targets"
    )
    page.says(f"and its intervals contain between {lower:.0f} and {upper:.0f} % of them.")
    page.says(f"should contain 90 % of new targets contained {high:.0f} % of them or less.")


# Exercises


def test_how_many_trees_are_enough(page):
    left = [0.25 * 8, 0.05 * 8]
    rest = [8 - x for x in left]
    enough = [round(r / (0.05 * x)) for r, x in zip(rest, left, strict=True)]
    page.says(
        rf"What remains is $\rho\sigma_T^2 = {left[0]:g}$. The second term is $0.75 \times 8 / B = "
        rf"{rest[0]:g}/B$, and ${rest[0]:g}/B \le {0.05 * left[0]:g}$ needs $B \ge {enough[0]}$."
    )
    page.says(
        rf"the first term is ${left[1]:g}$ and the second ${rest[1]:g}/B$, and ${rest[1]:g}/B \le "
        rf"{0.05 * left[1]:g}$ needs $B \ge {enough[1]}$."
    )


def seen(m, n=100):
    """Probability that one of two of n features is among m candidates."""
    return 1 - comb(n - 2, m) / comb(n, m)


def test_the_chance_to_see_a_needle(page):
    page.says(rf"$1 - 90 \times 89 / 9900 = {seen(10):.3f}$ for 10, and")
    page.says(rf"and $1 - 67 \times 66 / 9900 = {seen(33):.3f}$ for 33.")
    half = min(m for m in range(99) if seen(m) >= 0.5)
    page.says(rf"and for $m = {half}$ it is $70 \times 69 = {70 * 69}$. So the answer is {half}.")
    page.says(f"$0.191^5 = {seen(10) ** 5:.5f}$. Nearly every path wastes splits on noise")
    page.says(rf"$1 - 186 \times 185 / (200 \times 199) = {seen(14, 200):.3f}$. The root grows")
