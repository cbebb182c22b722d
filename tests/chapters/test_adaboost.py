"""Facts of chapter 11: its examples, its experiments, and the answers to its exercises."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from replicated import answers
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treelab import AdaBoostClassifier, cart
from treelab import adaboost as plain
from treelab.datasets import fetch_sonar, load_bike_demand
from treelab.fast.boosting import boosting_table, reweight
from treelab.figures import adaboost as figures

RESULTS = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def days():
    """Temperature and demand of the ten days, numbered from 1."""
    X, y = load_bike_demand("level", return_X_y=True)
    return pd.DataFrame({"temp": X["temp"], "demand": y}).set_axis(range(1, 11))


@pytest.fixture(scope="module")
def three(days):
    """The three rounds worked by hand, as a fitted model and as a table."""
    model = AdaBoostClassifier(n_estimators=3).fit(days[["temp"]], days["demand"])
    return model, boosting_table(model, days[["temp"]], days["demand"])


@pytest.fixture(scope="module")
def echoes():
    """Errors of the methods on fifty splits of the sonar echoes."""
    return pd.read_csv(RESULTS / "boosted_sonar.csv", index_col="split")


@pytest.fixture(scope="module")
def mines():
    """Errors by round of 200 rounds on the first split, and the margins of its training rows."""
    sonar = fetch_sonar()
    X, Z, y, z = train_test_split(
        sonar.data.to_numpy(), sonar.target.to_numpy(),
        test_size=0.4, random_state=0, stratify=sonar.target,
    )  # fmt: skip
    model = AdaBoostClassifier(n_estimators=200).fit(X, y)
    curve = pd.DataFrame({"training": model.staged_score(X, y), "test": model.staged_score(Z, z)})
    curve = 1 - curve.set_axis(range(1, 201))
    e = model.estimator_errors_
    curve["bound"] = np.cumprod(2 * np.sqrt(e * (1 - e)))
    table = boosting_table(model, X, y)
    return curve, table.pivot(index="case", columns="round", values="margin")


def test_a_stump_is_right_in_seven_of_ten(page, echoes):
    right = round(10 * (1 - echoes["stump"].mean()))
    page.says(f"right in about {in_words(right)} of ten new cases")


def test_the_rounds_by_hand(page, three):
    model, table = three
    rounds = table.groupby("round")[["error", "confidence"]].first()
    weights = table.pivot(index="round", columns="case", values="weight")[[1, 4, 9]]
    assert np.allclose(rounds["error"], [1 / 5, 3 / 16, 5 / 26])
    assert np.allclose(rounds["confidence"], np.log([4, 13 / 3, 21 / 5]) / 2)
    assert np.allclose(weights, [[1 / 10] * 3, [1 / 16, 1 / 16, 1 / 4], [1 / 6, 1 / 26, 2 / 13]])
    cuts = [tree.tree_.threshold[0] for tree in model.estimators_]
    page.says(f"The best stump cuts at {cuts[0]:g}: low below, high above.")
    page.says(f"It cuts at {cuts[1]:g}: high below, low above.")
    first, second, third = rounds["confidence"]
    page.says(rf"\tfrac12\ln\frac{{0.8}}{{0.2}}=\tfrac12\ln4={first:.4f}$. (Most papers call it")
    page.says(rf"$c=\tfrac12\ln\frac{{13}}{{3}}={second:.4f}$. Afterwards a cold day weighs")
    page.says(
        rf"$\varepsilon=5/26$, $c=\tfrac12\ln\frac{{21}}5={third:.4f}$. The weights of a cold"
    )
    assert np.allclose(model.estimator_weights_, 2 * rounds["confidence"])
    for _, step in table.groupby("round"):  # half of the weight lies on the wrong rows afterwards
        right = step["correct"].to_numpy()
        after = reweight(step["weight"].to_numpy(), right, 2 * step["confidence"].iloc[0])
        assert np.allclose([after[right].sum(), after[~right].sum()], 0.5)


def test_the_vote_of_three_stumps(page, three, days):
    model, table = three
    confidence = table.groupby("round")["confidence"].first().to_numpy()
    answers = np.array([tree.predict(days[["temp"]]) for tree in model.estimators_])
    score = confidence @ np.where(answers == "High", 1, -1)
    sign = np.where(days["demand"] == "High", 1, -1)
    for name, day in (("cold", 0), ("mild", 3), ("hot", 8)):
        terms = confidence * np.where(answers[:, day] == "High", 1, -1)
        row = " | ".join(f"${number:+.4f}$" for number in [*terms, score[day]])
        page.says(f"| {name} | {row} |")
    margins = table.pivot(index="case", columns="round", values="margin")
    assert np.allclose(margins[3], sign * score / confidence.sum())
    page.says(f"${-score[0]:.4f}/{confidence.sum():.4f}={margins.loc[1, 3]:.3f}$. After round 2")
    page.says(f"After round 2 it had ${margins.loc[1, 2]:.3f}$: wrong, but only just.")
    errors = model.estimator_errors_
    bound = np.prod(2 * np.sqrt(errors * (1 - errors)))
    assert np.isclose(bound, np.mean(np.exp(-sign * score)))


def test_a_wrong_label_is_followed(page):
    rows = [[4], [5], [7], [12], [18], [23], [27], [28], [32], [35]]
    levels = ["low"] * 3 + ["high"] * 5 + ["low"] * 2
    wrong = ["high", *levels[1:]]
    misled = plain.adaboost(rows, wrong, M=3)
    votes = [plain.vote_proportions(misled, x) for x in rows]
    assert [max(share, key=share.get) for share in votes] == wrong
    assert [cart.predict(misled[2][0], x) for x in rows] == ["high"] + ["low"] * 9
    page.says("the third stump cuts off this one day, and all ten labels are fitted")
    first = plain.adaboost(rows, levels, M=1)[0][0]
    missed = [i for i, x in enumerate(rows, 1) if cart.predict(first, x) != levels[i - 1]]
    page.says(
        "every member is the first stump again, and days {} and {} stay wrong".format(*missed)
    )


def test_below_zero_errors(page, mines, echoes):
    curve, margin = mines
    assert (curve.loc[19:, "training"] == 0).all()
    assert curve.loc[18, "training"] > 0
    assert (curve["training"] <= curve["bound"]).all()
    assert 7 < 1 / curve.loc[20, "bound"] < 8
    page.says("at round 20 it allows a seventh of the echoes to be wrong, and none is")
    least = margin.min()
    page.says(f"the least margin rises from {least[20]:.3f} to {least[200]:.3f}, while the median")
    assert margin.median()[200] < margin.median()[20]
    assert np.allclose(echoes.loc[0, ["20 rounds", "200 rounds"]], curve.loc[[20, 200], "test"])
    assert (echoes["margin_200"] > echoes["margin_20"]).sum() == 50
    mean = echoes.mean()
    assert round(100 * (mean["20 rounds"] - mean["50 rounds"])) == 2
    lower = (echoes["50 rounds"] < echoes["20 rounds"]).sum()
    page.says(f"the test error falls by two points, in {lower} of 50 splits, and then stays")


def test_probabilities_that_can_be_believed(page, monkeypatch):
    monkeypatch.chdir(ROOT / "notebooks")
    binned, brier = figures.binned_forecasts(), figures.brier_scores()
    assert binned.loc["wine", "share"].round(3).loc[3].tolist() == [0.352, 0.063]
    assert (brier["sigmoid", 50] < brier["share", 0]).all()
    page.says("With 50 rows Platt already beats `predict_proba` in every split")
    ahead = (brier["isotonic", 2000] < brier["sigmoid", 2000]).groupby("data").sum()
    page.says(
        f"isotonic beats Platt in {ahead['spheres']} of 20 draws of the spheres, and in "
        f"{ahead['wine']} splits of the wine."
    )
    printed = page.output("c46")
    assert f"Platt          50          {brier['sigmoid', 50]['wine'].mean():.3f}" in printed


def test_wrong_labels(page):
    flips = pd.read_csv(RESULTS / "flipped_labels.csv")
    means = flips.groupby("share").mean(numeric_only=True)
    heavy = means.loc[0.1, "their weight"]
    page.says(f"a tenth that is flipped holds {100 * heavy:.0f} percent of the weight in the end")
    small, full = means.loc[0.0, ["rate 0.1, 100", "rate 1, 100"]]
    page.says(f"small steps only take longer: {small:.3f} against {full:.3f} after 100 rounds")
    assert round(2 / (1 + np.exp(-6))) == 2
    page.says(f"pulls $e^3={np.exp(3):.0f}$ times as hard as an undecided one")


def test_the_split_in_which_labels_are_flipped(page):
    tumors, benign = load_breast_cancer(return_X_y=True)
    halves = {"test_size": 0.5, "random_state": 0, "stratify": benign}
    X, Z, y, z = train_test_split(tumors, benign, **halves)
    flipped = np.random.default_rng(0).random(len(y)) < 0.1
    noisy = np.where(flipped, 1 - y, y)
    model = AdaBoostClassifier(n_estimators=100).fit(X, noisy)
    row = pd.read_csv(RESULTS / "flipped_labels.csv").query("split == 0 and share == 0.1")
    assert np.isclose(row["rate 1, 100"].item(), 1 - model.score(Z, z))
    path = boosting_table(model, X, noisy).query("round <= 3")
    wrong = ~path["correct"][path["round"] == 1].to_numpy()
    page.says(
        f"the first stump gets {wrong[flipped].sum()} of the {flipped.sum()} flipped rows wrong, "
        f"and {wrong[~flipped].sum()} of the other {(~flipped).sum()}: they weigh"
    )
    heavy = path["weight"].where(np.tile(flipped, 3)).groupby(path["round"]).sum()
    page.says("{:.2f}, {:.2f} and {:.2f} before rounds 1, 2 and 3".format(*heavy))


def test_smaller_steps_and_fewer_rounds(page):
    steps = pd.read_csv(RESULTS / "steps_and_losses.csv")
    by_split = steps.pivot(index=["data", "split"], columns=["loss", "rate"])
    error, full = by_split["error, 100"], ("exponential", 1)
    tenth = figures.splits_ahead(error["exponential", 0.1], error[full])
    fewer = figures.splits_ahead(by_split["error, 10"][full], error[full])
    page.says(
        f"Smaller steps err less in all {tenth['tumors'][0]} splits of the tumors and in "
        f"{tenth['ionosphere'][0]} of the ionosphere; so do ten full rounds, in "
        f"{fewer['tumors'][0]} and {fewer['ionosphere'][0]}."
    )


def test_stumps_cannot_learn_xor(page):
    row = next(line.split() for line in page.output("c59").split("\n") if line.startswith("1 "))
    page.says(
        f"The stumps' vote is wrong on {100 * float(row[4]):.0f} of 100 new cases on average."
    )


def test_the_fourth_round(page):
    X, y = load_bike_demand("level", return_X_y=True)
    days = pd.DataFrame({"temp": X["temp"]}).set_axis(range(1, 11))
    four = AdaBoostClassifier(n_estimators=4).fit(days, y)
    table = boosting_table(four, days, y)
    last = table[table["round"] == 4].set_index("case")
    weight, error, c = last["weight"], last["error"].iloc[0], last["confidence"].iloc[0]
    assert np.allclose(weight[[1, 4, 9]], [13 / 126, 1 / 10, 2 / 21])
    page.says(rf"\frac{{42}}{{26}} = \frac{{13}}{{126}} = {weight[1]:.4f}$, and the hot ones,")
    page.says(rf"\frac{{42}}{{26}} = \frac{{2}}{{21}} = {weight[9]:.4f}$. (b) The groups")
    assert np.isclose(error, 4 / 21)
    assert np.isclose(c, np.log(17 / 4) / 2)
    cut = four.estimators_[3].tree_.threshold[0]
    page.says(
        f"The cut at {cut:g} with low and high is wrong on the hot days only: "
        rf"$\varepsilon = 4/21 = {error:.4f}$."
    )
    page.says(rf"So it is {cut:g} again, with $c = \tfrac12 \ln \frac{{17}}{{4}} = {c:.4f}$.")
    margins = table.pivot(index="case", columns="round", values="margin")
    assert margins[3].idxmin() == 1
    assert (margins[4] > 0).all()
    page.says(
        f"The least margin falls from {margins[3].min():.3f}, of the cold days, to "
        f"$0.0341/2.8673={margins[4].min():.3f}$, of the hot ones, who had {margins.loc[9, 3]:.3f}."
    )
    assert margins[4].idxmin() in (9, 10)


def test_a_probability_to_act_on(page):
    brier = answers("adaboost-7")
    page.says(
        "Brier scores of {share:.3f} for the share of the class, {votes:.3f} for `predict_proba`, "
        "{sigmoid:.3f} with Platt and {isotonic:.3f} with isotonic".format(**brier.mean())
    )
    ahead = [(brier["sigmoid"] < brier[other]).sum() for other in ("votes", "isotonic")]
    page.says("Platt beats `predict_proba` in all {} and isotonic in {}.".format(*ahead))
