"""Facts of the page behind chapter 13: measures, bits, z-scores, stability, and ranks."""

import re

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
import sklearn.inspection
from facts import in_words
from places import ROOT
from sklearn.datasets import load_iris

from treelab import DecisionTreeRegressor, RandomForestClassifier
from treelab.fast import importance as fast
from treelab.figures import importance as figures
from treelab.figures.totally_randomized_trees import mutual_information_decomposition


@pytest.fixture(scope="module")
def sets():
    """The studies of the chapter, on ten or twenty data sets each."""
    return pd.read_csv(ROOT / "notebooks" / "replications" / "importance.csv")


def numbers(text):
    """All numbers of a text."""
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", text)]


def rows_of(page, cell_id):
    """The numbers of each line of an output that begins with one, by the first of them."""
    lines = [numbers(line) for line in page.output(cell_id).split("\n") if re.match(r"\d", line)]
    return {first: rest for first, *rest in lines}


def test_two_measures_more(page):
    sun, weekend, largest, other = numbers(page.output("hood003"))
    page.says(f"so he takes the root to be back in ice creams: {sun:g} and {weekend:g}.")
    page.says(rf"The larger becomes {largest:g}, the other $100 / \sqrt 2 = {other:g}$.")
    noised = numbers(page.output("hood005"))
    page.says(rf"$(4 \cdot 40 + 2 \cdot 24 + 2 \cdot 88)/8 = {noised[0]:g}$: more than the 40 of a")
    page.says(f"The weekend has nothing below, and stays at {noised[1]:g}.")
    page.says(
        f"By these two the sun is worth {sun / weekend:.2f} and {noised[0] / noised[1]:g} times "
        "the weekend,"
    )


def test_late_trees(page, sets):
    table = page.table("hood007")
    total, by_tree = (round(100 * table.loc["x1", how]) for how in ("total", "tree"))
    page.says(f"Divided by the sum in the end, $x_1$ has {total} percent. Divided tree by tree")
    assert table["tree"][["x3", "x4", "x5"]].sum() > 0.5
    page.says(f"Divided tree by tree it has {by_tree}, and three columns of pure noise share more")
    late = figures.over_sets(sets, "late").loc["tree, x1"]
    page.says(f"on {len(late)} such sets $x_1$ has {late.min():.2f} to {late.max():.2f} so.")


def test_models_of_scikit_learn(page):
    X, y = load_iris(return_X_y=True)
    forest = sklearn.ensemble.RandomForestClassifier(30, random_state=0).fit(X, y)
    boosting = sklearn.ensemble.GradientBoostingClassifier(n_estimators=10, random_state=0)
    for normalize, model in (("tree", forest), ("total", boosting.fit(X, y))):
        ours = fast.mean_decrease_impurity(model, normalize=normalize)
        assert np.allclose(ours, model.feature_importances_, atol=1e-12)
    shuffles = {"n_repeats": 2, "random_state": 0}
    for model in (RandomForestClassifier(30, random_state=0).fit(X, y), boosting):
        ours = fast.permutation_importance(model, X, y, **shuffles)
        theirs = sklearn.inspection.permutation_importance(model, X, y, **shuffles)
        assert np.allclose(ours.importances, theirs.importances, atol=1e-12)
    page.says("and so does `permutation_importance`, whose shuffles are those of scikit-learn.")


def test_coins(page):
    table = np.array([numbers(line)[1:] for line in page.output("hood015").split("\n")[1:]])
    assert table.sum(axis=1).tolist() == [0.5, 0.5]
    page.says("Half a bit each, one bit together. A single tree")
    coin = np.array([0, 0, 1, 1])
    both = np.column_stack([coin, coin, [0, 1, 0, 1]])
    bits = mutual_information_decomposition(both, coin)
    assert np.allclose(bits.sum(axis=1), [0.5, 0.5, 0])
    assert np.allclose(bits.loc[0], [1 / 3, 1 / 6, 0])
    page.says("So $X_1$ and its copy get $1/3 + 1/6 = 1/2$ each, and $X_3$ nothing:")


def test_noise_tells_something_by_luck(page):
    truth = 1 + 0.65 * np.log2(0.65) + 0.35 * np.log2(0.35)
    page.says(f"In truth `real` tells {truth:.3f} bits and the die nothing. The means over 50")
    ahead = {rows: last for rows, (*_, last) in rows_of(page, "hood019").items()}
    assert ahead[30] > 0.6 * 50
    page.says("Of 30 rows the die seems to tell more than the coin that the class follows, in most")
    assert ahead[300] < 0.1 * 50


def test_seven_segments(page):
    bits = page.table("hood022")["bits"]
    most, least = bits.idxmax(), bits.idxmin()
    page.says(
        f"The {most} bar tells most, {bits[most]:.3f} bits, the {least} one least, "
        f"{bits[least]:.3f}, since it is lit in all digits but the 2."
    )
    assert page.table("hood021").loc[least, "lit in"] == 9
    assert np.isclose(bits.sum(), np.log2(10), atol=5e-4)
    page.says(rf"the seven numbers add up to $\log_2 10 = {bits.sum():.2f}$ bits: the seven")
    estimate = numbers(page.output("hood026"))
    assert np.abs(estimate - bits).max() < 0.05
    lit = page.run("hood021", pd=pd)["segments"]
    groups = [
        [digits.tolist() for digits in lit.groupby(list(lit.drop(columns=bar))).groups.values()]
        for bar in ("top", "bottom")
    ]
    ((alike,), none) = ([digits for digits in each if len(digits) > 1] for each in groups)
    page.says("is all you do not know, you cannot tell a {} from a {}.".format(*alike))
    assert none == []
    page.says("you know the digit: no two digits differ in it alone.")


def test_equal_trees_and_other_shapley_values(page):
    found = page.run("hood029", pd=pd, fast=fast, DecisionTreeRegressor=DecisionTreeRegressor)
    pairs, bonus, credit = (found[name] for name in ("pairs", "bonus", "credit"))
    for asked in (["a", "b"], ["b", "a"]):
        tree = DecisionTreeRegressor().fit(pairs[asked], bonus)
        assert np.allclose(tree.predict(pairs[asked]), bonus)
        own = credit["path_dependent", f"{asked[0]} first"]
        assert [own[name] for name in asked] == pytest.approx([4.5, 1.5])
        assert list(credit["interventional", f"{asked[0]} first"].values()) == pytest.approx([3, 3])
    page.says(f"moved the row (1, 1) from the mean, {bonus.mean():g}, to {bonus.max()}? *Path")
    known = bonus[pairs["a"] == 1].mean(), 10 * (pairs["a"] == 1).mean()
    page.says(
        "knowing `a` leads to {:g}, the mean of the rows with `a = 1`, but knowing `b` to "
        "{:g}, as if `b` said nothing about `a`.".format(*known)
    )
    page.says(f"on the predictions and the background alone: {known[1]:g} for either.")
    page.says(f"(*Conditional* values, {known[0]:g} for either, are 3 and 3, too.)")
    days = pd.DataFrame({"sun": [0] * 4 + [1] * 4, "weekend": [0, 0, 1, 1] * 2})
    kiosk = DecisionTreeRegressor().fit(days, [2, 2, 2, 2, 6, 6, 14, 14])
    against = fast.shap_values(kiosk, days, method="interventional", background=days)
    assert np.allclose(against["values"], fast.shap_values(kiosk, days)["values"])
    page.says("with these as background, the two methods agree.")


def test_significant_noise(page):
    z = page.table("hood032")
    ratio = z.loc["matters"] / z.loc["matters"].shift(1)
    assert (np.abs(ratio.dropna() - 2) < 0.3).all()
    page.says("Four times the trees double the score of the column that matters.")
    first, last = (z.loc[name, "800 trees"] for name in ("noise 1", "noise 4"))
    page.says(f"with 800 trees the first column of noise stands at {first}, where a test")
    page.says(f"would call it significant, and the last at {last}, so that shuffling it seems to")
    assert (page.table("hood034").loc["noise 1":] > 10).all(axis=None)


def test_shuffled_targets(page):
    matters, *noise = page.table("hood038")["p-value"]
    assert matters == 1 / 40
    assert min(noise) > 0.1
    page.says("the share of all 40 forests, the true one included, in which it does at least as")
    alone, beside = rows_of(page, "hood040").values()
    assert max(alone) <= 0.1
    assert min(beside) >= 0.4
    least, most = sorted(set(alone))
    page.says(
        f"Alone its p-value is {least:.2f} or {most:.2f} (with 19 shuffles none is below "
        f"{1 / 20:.2f}), beside the strong column {min(beside):.2f} to {max(beside):.2f}:"
    )


def test_what_chaos_scores(page):
    stable = page.table("hood043")
    stable.columns = stable.columns.astype(int)
    assert stable.loc["top_k_overlap", 50] == 1
    page.says("all eight forests of 50 trees agree on the first five:")
    few, many = numbers(page.output("hood048"))
    page.says(
        f"With 12 features chaos scores {few}, about what our single trees have, "
        f"{stable.loc['metric1', 1]}, though their tau of {stable.loc['kendall_tau', 1]:.2f} says"
    )
    page.says(f"With 32 it scores {many}. So low values do not mean")
    chaos, rng = page.run("hood048", np=np)["chaos"], np.random.default_rng(0)
    orders = (rng.permutation(12) for _ in range(300))
    drawn = [fast.compare_rankings(range(12), order)["metric1"] for order in orders]
    assert abs(np.mean(drawn) - chaos(12)) < 0.04
    metric1 = page.table("hood046").loc["metric1"].astype(float)
    assert metric1.round(6).tolist() == [1, 0, 0]
    assert 0.5e-9 < metric1["first and last"] < 1.5e-9
    page.says("The first changes places with the last: a billionth. All are reversed: still")


def test_swaps(page):
    mean, _, chance = numbers(page.output("hood049a"))
    assert 69 < mean < 71
    page.says(f"the rankings of two seeds differ by about {mean:.0f} swaps, closer to chance than")
    page.says(f"and a random permutation of 81 has {chance:.0f} swaps on average.")


def test_one_order_or_ten(page, sets):
    ten = figures.over_sets(sets, "bicycles")
    hours = ten.filter(regex="rank of hr", axis=0)
    assert (hours == 1).all(axis=None)
    assert hours.shape == (6, 10)
    page.says("The hour is first on all ten, for all three targets and by both measures,")
    second = (ten == 2).sum(axis=1).map(in_words)
    day, year = (
        [second[f"{who}, {how}, rank of {name}"] for how in ("shuffled", "impurity")]
        for who, name in (("casual", "workingday"), ("registered", "yr"))
    )
    page.says(
        "the working day is second on all {} splits by permutation, and by impurity on {}. The "
        "year".format(*day)
    )
    page.says(
        "The year is second for the registered riders on {} splits by permutation, and by "
        "impurity on {}.".format(*year)
    )
