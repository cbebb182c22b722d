"""Facts of chapter 2: what impurities and gains are, and when a gain is chance."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab import datasets
from treelab.fast.growing import split_table
from treelab.fast.impurity import (
    entropy,
    gini,
    impurity_table,
    information_gain,
    misclassification,
)
from treelab.figures import impurity as figures

CRITERIA = ("misclassification", "gini", "entropy")


@pytest.fixture(scope="module")
def credit():
    return datasets.fetch_german_credit()


def test_the_best_threshold_of_the_elevation(page):
    X, y = datasets.load_vegetation("feet", return_X_y=True)
    table = split_table(X[["elevation"]], y, criterion="entropy")
    best = table[table["best"]].iloc[0]
    page.says(
        f"The split at {best['threshold']:.0f} feet has the largest gain, {best['gain']:.3f} bits, "
        "because it separates the two conifer places from all others."
    )
    alone = set(y[X["elevation"] > best["threshold"]])
    assert alone == {"conifer"}
    assert not alone & set(y[X["elevation"] <= best["threshold"]])
    ordered = y.to_numpy()[np.argsort(X["elevation"])]
    same = table["threshold"][ordered[:-1] == ordered[1:]]
    page.says(
        f"Two of the six candidate splits, at {same.iloc[0]:.0f} and at {same.iloc[1]:.0f} feet, "
        "lie between two places of the same class."
    )
    assert (len(table), len(same)) == (6, 2)
    below, above = X["elevation"][X["elevation"] <= 2250], X["elevation"][X["elevation"] > 2250]
    page.says(f"Any other threshold between {below.max()} and {above.min()} feet would divide the")
    left = len(below)
    page.says(
        f'"at most 2250 feet" sends {in_words(left)} of these places to the left branch and the '
        f"other {in_words(len(X) - left)} to the right branch."
    )


def test_the_answer_to_the_second_split_of_the_ten_observations(page):
    first, second = np.array([[4, 1, 0], [4, 0, 1]]), np.array([[5, 0, 0], [3, 1, 1]])
    errors, ginis = (
        [(split.sum(axis=1) * Q(split)).sum() for split in (first, second)]
        for Q in (misclassification, gini)
    )
    assert np.allclose(errors, 10 * misclassification(first.sum(axis=0)))
    page.says(f"because it counts $0+2={errors[1]:.0f}$ errors after either split")
    page.says(
        f"After the first split, the total Gini impurity is {ginis[0]:.1f}. After the second "
        rf"split, it is only $0+5\times (1-0.36-0.04-0.04)={ginis[1]:.1f}$, because the left "
        "branch is pure."
    )


def test_the_three_curves_meet_in_the_middle(page):
    assert [entropy([1, 1]) / 2, gini([1, 1]), misclassification([1, 1])] == [0.5, 0.5, 0.5]
    page.says("so that all three curves meet at the point (1/2, 1/2)")


def test_the_criteria_on_the_questions_of_the_bank(page, credit):
    X = credit.data.select_dtypes("category")
    gains = {}
    for criterion in CRITERIA:
        table = impurity_table(X, credit.target, criterion)
        gains[criterion] = table.groupby("feature")["gain"].first()
    gains = pd.DataFrame(gains).sort_values("entropy", ascending=False)
    assert gains["gini"].is_monotonic_decreasing
    page.says(f"They even rank all {in_words(len(gains))} features in the same order (not shown).")
    seen = gains.index[gains["misclassification"] > 1e-12]
    assert seen.tolist() == ["credit_history"]
    page.says(
        f"The error rate, in contrast, finds a gain for only one of the {in_words(len(gains))}, "
        "the credit history."
    )


def test_a_split_on_one_category_gains_less_than_one_on_all(page, credit):
    found = re.findall(r"no checking, gain (\S+)", page.output("impurity-recipe"))
    account = credit.data["checking_status"]
    all_four, alone = pd.crosstab(account, credit.target), account == "no checking"
    assert len(all_four) == 4
    for criterion, shown in zip(("gini", "entropy"), found, strict=True):
        gain = information_gain(pd.crosstab(alone, credit.target), criterion)
        assert f"{gain:.3f}" == shown
        assert gain < information_gain(all_four, criterion)
    page.says("Both gains are smaller than those of the four-way splits above, because merging")
    page.says("because merging three of the four branches lowers the gain.")


def test_gini_and_entropy_split_the_durations_at_other_thresholds(page, credit):
    numbers, thresholds = credit.data.select_dtypes("number"), {}
    for criterion in ("gini", "entropy"):
        best = split_table(numbers, credit.target, criterion=criterion).query("best").iloc[0]
        assert best["feature"] == "duration"
        thresholds[criterion] = best["threshold"]
    page.says(
        "For the duration of the bank's loans, for example, the Gini impurity chooses a threshold "
        f"of {thresholds['gini']} months, whereas the entropy chooses a threshold of "
        f"{thresholds['entropy']} months."
    )


def test_three_days_of_each_season(page):
    days = datasets.load_bike_rentals()["season"].value_counts()
    (per_season,) = set(days)
    page.says(
        f"takes {in_words(days.sum())} days of bike rentals, {in_words(per_season)} from each"
    )


def test_trees_by_gini_and_by_entropy(page):
    path = ROOT / "notebooks" / "replications" / "criteria.csv"
    trees = pd.read_csv(path).set_index(["depth", "set"])
    ahead = (trees["gini"] - trees["entropy"]).groupby(level=[0, 1]).agg(["mean", "std"])
    assert ahead.loc[0, "mean"].abs().max() < 2.5
    far = ahead[ahead["mean"].abs() > 2 * np.sqrt(1 / 20 + 1 / 2) * ahead["std"]]
    assert far.index.tolist() == [(4, "digits")]
    sets = in_words(ahead.index.get_level_values("set").nunique())
    page.says(
        f"We compared trees grown with the two impurities on {sets} data sets. Only one "
        "difference in test error exceeds two standard errors. On the data set of handwritten "
        f"digits, the test error of trees of depth 4 is {far['mean'].item():.1f} percentage points "
        "lower with the entropy than with the Gini impurity"
    )


def test_a_serial_number_gains_all_there_is(page):
    numbered = pd.DataFrame({"number": [f"no. {i}" for i in range(14)]})
    gains = impurity_table(numbered, datasets.load_mushrooms()["eatability"])["gain"]
    (gain,) = set(gains.round(3))
    page.says(f"so the gain has its largest possible value, {gain:.3f} bits.")


def test_gains_of_noise_features(page):
    gains = figures.gains_by_chance_table()
    caption = page.caption("c56")
    caption.says(f"number of categories. It rises from {gains[2]:.3f} bits for 2 categories")
    caption.says(f"bits for 2 categories to {gains[32]:.3f} bits for 32.")
    times = in_words(round(gains[32] / gains[2], -1))
    page.says(
        f"the mean gain of a feature with 32 categories is about {times} times as large as the "
        "mean gain of a feature with two categories."
    )


def test_gains_under_all_arrangements_of_the_mushrooms(page):
    """There are 2002 ways to choose the five toxic ones of fourteen."""
    X, y = datasets.load_mushrooms(return_X_y=True)
    arrangements, gains = [list(five) for five in combinations(range(14), 5)], {}
    assert len(arrangements) == 2002
    for feature in X:
        categories = pd.get_dummies(X[feature]).to_numpy()
        toxic = categories[arrangements].sum(axis=1)  # (2002, n_categories)
        tables = np.stack([toxic, categories.sum(axis=0) - toxic], axis=-1)
        gains[feature] = information_gain(tables)
    observed = information_gain(pd.crosstab(X["color"], y))
    as_much = pd.DataFrame(gains) >= observed - 1e-9
    assert round(as_much["color"].mean(), 4) == 0.2507
    page.says(
        "In about one of four shuffles, the gain reaches a quarter of a bit by chance alone, so "
        f"the p-value of the test is about {as_much['color'].mean():.2f}."
    )
    best = as_much.any(axis=1).mean()
    page.says(
        f"In {100 * best:.0f} % of all possible shuffles, the largest of the three gains reaches "
        "this value."
    )
