"""Facts of the page behind chapter 11: votes, forecasts, nested spheres, and AdaBoost.R2."""

import ast
import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from scipy.special import expit
from sklearn.model_selection import train_test_split

from treelab import AdaBoostClassifier, AdaBoostRegressor, DecisionTreeRegressor
from treelab.datasets import fetch_bike_sharing, fetch_sonar, load_bike_demand
from treelab.fast.boosting import estimator_weight, reweight
from treelab.figures import adaboost as figures

RESULTS = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def days():
    """The ten days, with the samples of the slides."""
    return load_bike_demand("level", samples=True)


@pytest.fixture(scope="module")
def splits():
    """Errors of boosted, bagged and single trees on twenty splits of the days."""
    return pd.read_csv(RESULTS / "boosted_days.csv")


def test_a_perfect_member(page):
    votes = re.findall(r"\[\d+\.[\d. ]*\]", page.output("h07"))
    assert votes[0] == "[1. 0. 0.]"
    vote = estimator_weight(1e-10)
    assert f"[{vote:.2f}]" in votes
    page.says(f"with {vote:.2f} the perfect member outweighs many others in treelab")


def test_two_rounds_are_never_better_than_one(page, days):
    model = AdaBoostClassifier(n_estimators=2).fit(days[["temp"]], days["rentals_level"])
    wrong = [
        int((predicted != days["rentals_level"]).sum())
        for predicted in model.staged_predict(days[["temp"]])
    ]
    page.says(f"the ten days go from {wrong[0]} errors to {wrong[1]}.")


def test_a_sample_lacks_some_days(page, days):
    drawn = days[days["sample_0"] > 0]
    cold, warm = drawn["temp"][drawn["temp"] <= 7].max(), drawn["temp"][drawn["temp"] > 7].min()
    assert days["temp"][2] == 7
    assert days["sample_0"][2] == 0
    page.says(
        f"without day 3 (7 degrees) the middle between {cold} and {warm} is {(cold + warm) / 2}."
    )
    echoes, _ = train_test_split(fetch_sonar().target, test_size=0.4)
    page.says(f"With {len(echoes)} echoes instead of ten days it makes no difference")


def test_limits_of_predict_proba(page):
    page.says(
        f"so $p$ is between {expit(-2):.3f} and {expit(2):.3f} whatever the members are, and near"
    )


def test_how_many_rows_to_set_aside(page):
    scores = figures.forecast_scores(pd.read_csv(RESULTS / "calibrated_votes.csv"))
    ahead = {}
    for measure in ("Brier", "log loss"):
        by_split = scores[measure].unstack(["method", "rows"])
        wins = (by_split["isotonic"] < by_split["sigmoid"]).groupby("data").sum()
        for data in ("wine", "spheres"):
            numbers = wins.loc[data, [50, 200, 500, 2000]]
            ahead[measure, data] = "{}, {}, {} and {}".format(*numbers)
    page.says(
        "Isotonic is ahead of Platt with 50, 200, 500 and 2000 rows in "
        f"{ahead['Brier', 'wine']} splits of the wine and in {ahead['Brier', 'spheres']} draws of "
        f"the spheres by Brier score, by log loss in {ahead['log loss', 'wine']}, and in "
        f"{ahead['log loss', 'spheres']}"
    )


def test_nested_spheres(page):
    errors = ast.literal_eval(page.output("h15").split("\n")[0])
    leaves = re.search(r"(\d+) leaves", page.output("h15"))[1]
    page.says(f"(The tree has {leaves} leaves, so the 244 printed nodes seem to be")
    percent = f"{100 * errors[400]:.1f}"
    assert page.output("h15").split()[-1] == str(errors[400])  # scikit-learn
    page.says(f"But 400 rounds of stumps have {percent} percent, not 5.8, in scikit-learn as well.")
    balls = 100 * pd.read_csv(RESULTS / "nested_spheres.csv", index_col="draw")
    low, high = balls.min(), balls.max()
    page.says(
        f"The table has {in_words(len(balls))} draws ({{download}}`nested_spheres.py "
        "<../replications/nested_spheres.py>`): with a confidence for each side "
        f"{low['real']:.1f} to {high['real']:.1f} percent, the plain algorithm "
        f"{low['AdaBoost']:.1f} to {high['AdaBoost']:.1f} after 400 rounds."
    )


def test_a_round_of_r2_by_hand(page):
    errors = np.abs(np.array([2, 4, 6, 10]) - [2, 5, 6, 6])
    losses = errors / errors.max()
    mean = losses.mean()
    vote = estimator_weight(mean)
    assert np.isclose(vote, np.log(2.2))
    page.says(f"equal weights $\\bar L=1.25/4={mean}$. The vote is")
    page.says(rf"The vote is $\ln\frac{{0.6875}}{{0.3125}}=\ln2.2={vote:.3f}$.")
    factors = (mean / (1 - mean)) ** (1 - losses)
    assert np.isclose(factors[0], factors[2])
    page.says(
        f"The factors are $1/2.2={factors[0]:.4f}$ for the first and the third row, "
        f"${factors[0]:.4f}^{{0.75}}={factors[1]:.4f}$ for the second, {factors[3]:g} for the last"
    )
    equal = np.full(4, 0.25)
    assert np.allclose(reweight(equal, 1 - losses, vote), factors / factors.sum())


def test_the_first_split_of_the_days(splits):
    bikes = fetch_bike_sharing("day")
    learn, new, y, z = train_test_split(
        bikes.data, bikes.target.to_numpy(float), test_size=0.4, random_state=0
    )
    tree = DecisionTreeRegressor(max_depth=3)
    boosted = AdaBoostRegressor(tree, n_estimators=50, random_state=0).fit(learn, y)
    first = splits[(splits["split"] == 0) & (splits["answer"] == "R2, median")]
    assert np.isclose(first["absolute"].item(), np.abs(boosted.predict(new) - z).mean())


def test_twenty_splits_of_the_days(page, splits, capsys):
    table = figures.errors_of_days(splits)["root mean square"]["mean"]
    printed = capsys.readouterr().out
    absolute, square = re.search(r"bagged \[(\d+), (\d+)\]", printed).groups()
    page.says(
        f"By squared errors the boosted trees are ahead of the bagged ones in {square} of 20 "
        f"splits, by absolute errors in {absolute}: neither is better there."
    )
    best, worst = (float(number) for number in re.findall(r"square (\d+)", printed))
    assert abs(best / table["one tree"] - 1) < 0.01
    assert abs(worst / table["mean of y"] - 1) < 0.01
    page.says("the best of the fifty members is about as good as one tree, the worst about as bad")
