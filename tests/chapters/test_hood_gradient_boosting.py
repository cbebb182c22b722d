"""Facts of the page behind chapter 12: bands, losses, rows outside the bag, costs, rare rows."""

import re
from math import ceil

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from scipy.stats import beta

from treelab import GradientBoostingClassifier
from treelab.datasets import fetch_german_credit, load_bike_demand
from treelab.figures.intervals import interval_candidates, interval_table

RESULTS = ROOT / "notebooks" / "replications"
INTERVALS = [(18, 28), (7, 32), (23, 27)]


@pytest.fixture(scope="module")
def spoiled():
    """Errors of three losses on twenty sets, a tenth of whose targets is spoiled."""
    return pd.read_csv(RESULTS / "spoiled_targets.csv")


@pytest.fixture(scope="module")
def noisy():
    """The settings on twenty noisy sets of Friedman's function."""
    return pd.read_csv(RESULTS / "noisy_friedman.csv")


@pytest.fixture(scope="module")
def days():
    """Temperature and rentals of the ten days."""
    return load_bike_demand()


def test_the_share_that_a_band_covers(page):
    rank = ceil(0.9 * 501)
    spread = np.sqrt(0.9 * 0.1 / 502)
    assert np.isclose(beta(rank, 501 - rank).std(), spread, atol=0.0005)
    page.says(rf"a standard deviation of about $\sqrt{{0.9\cdot0.1/502}}={spread:.3f}$ (it")
    page.says(
        f"parameters {rank} and {501 - rank}), to which the 2000 judging rows add "
        rf"$\sqrt{{0.9\cdot0.1/2000}}={np.sqrt(0.9 * 0.1 / 2000):.3f}$."
    )


def test_the_step_of_a_leaf(page):
    step = page.output("gb-510").split()[-1]
    page.says(f"The {step} from the rows of leaf 13")


def test_one_step_for_a_tree_or_for_each_leaf(page):
    leaf, line = page.table("gb-512").loc[60, ["leaf", "line"]]
    page.says(f"you do not see it yet, after 60 it is {leaf:.2f} against {line:.2f}.")


def test_where_hubers_loss_bends(page, spoiled):
    mean = spoiled.groupby("loss")["spoiled"].mean()
    page.says(
        f"At the default, 0.9, Huber's loss misses by {mean['huber, 0.9']:.2f} on average, where "
        f"the absolute error misses by {mean['absolute_error']:.2f}."
    )
    few = spoiled[spoiled["hit"] < 30]
    number = in_words(few["set"].nunique())
    page.says(f"and the {number} of them with less than a tenth of the targets spoiled")
    missed = few[few["loss"] == "huber, 0.9"]
    page.says(f"Even the {number} sets miss by {missed['spoiled'].mean():.2f}: with")
    percent = round(missed["hit"].mean() / 3)
    page.says(
        f"with {percent} percent spoiled, the 0.9 quantile of all errors is about the "
        rf"$0.9/{1 - percent / 100:.2f}={0.9 / (1 - percent / 100):.2f}$ quantile of the clean ones"
    )


def test_rows_outside_the_bag(page, noisy):
    half = noisy[noisy["setting"] == "half of the cases"].set_index("set")
    page.says(f"it is least after {half['best_round'][0]} rounds.")
    by_gain = int(re.search(r"unseen rows: (\d+)", page.output("gb-522"))[1])
    assert by_gain == half["by_gain_outside"][0]
    page.says(f"This count errs on the other side: {by_gain} rounds.")
    too_many = page.output("gb-520").split()[-1]
    assert int(too_many) == half["by_oob_improvement"][0]
    assert (half["by_oob_improvement"] > half["best_round"]).all()
    assert (half["by_gain_outside"] < half["best_round"]).all()
    page.says("one is too high each time, the other too low.")


def test_half_of_the_rows_on_one_set_and_on_twenty(page, noisy):
    *halves, whole = map(float, re.findall(r"\d\.\d+", page.output("gb-524")))
    assert min(halves) > whole
    page.says(f"half of the rows is worse than all, in all {in_words(len(halves))} of these;")
    best = noisy.pivot(index="set", columns="setting", values="best")
    ahead = (best["half of the cases"] < best["rate 0.1"]).sum()
    page.says(f"on twenty sets half of the rows is ahead in {ahead}.")


def test_the_round_in_which_two_programs_part(page):
    page.says(f"On new hours they part in round {page.output('gb-530').split()[-1]}.")


def test_the_threshold_chosen_by_cost(page):
    chosen, own, sixth = map(float, re.findall(r"[\d.]+", page.output("gb-539")))
    assert 0 < chosen < 1 / 6
    apart = in_words(abs(int(sixth - own))).capitalize()
    page.says(f"{apart} units apart among 400 applicants is nothing")
    X, y = fetch_german_credit(return_X_y=True)
    bad, order = (y == "bad").to_numpy(int), np.random.default_rng(0).permutation(1000)
    train, new = order[:600], order[600:]
    lender = GradientBoostingClassifier(
        n_estimators=60, split_search="histogram", random_state=0
    ).fit(X.iloc[train], bad[train])
    reject = lender.predict_proba(X.iloc[new])[:, 1] > 1 / 6
    cost = np.where(bad[new] == 1, 5 * ~reject, reject).sum()
    assert cost == sixth
    loans = pd.read_csv(RESULTS / "lenders.csv", index_col="division")
    assert np.isclose(cost / 400, loans.loc[0, "boosting, 1/6"])


def test_one_row_in_seventy(page):
    table = page.table("gb-541")
    printed = page.output("gb-541")
    one_in, less_right, more_found = (
        int(re.search(rf"{words} (\d+)", printed)[1])
        for words in ("one in", "than never rare:", "than weights:")
    )
    page.says(f"in {in_words(less_right)} sets of ten it is right *less* often than that.")
    plain, weighted, threshold = (table.loc[row] for row in ("plain", "weighted", "threshold"))
    assert table.loc["never rare", "accuracy"] > plain["accuracy"]
    page.says(
        f"Weights that balance the classes find {100 * weighted['rare found']:.0f} percent of the "
        "rare rows."
    )
    page.says(
        "the plain probabilities average about what they should "
        f"({plain['mean p / share']:.2f}), the weighted ones are "
        f"{in_words(round(weighted['mean p / share']))} times too high."
    )
    page.says(f"the rare share in training, on average one in {one_in}: the rule of the lenders")
    assert more_found == 10
    page.says(
        f"It finds {100 * threshold['rare found']:.0f} percent of the rare rows, more than the "
        "weights in each of the ten sets, with more false alarms (accuracy "
        f"{threshold['accuracy']:.3f})."
    )


def test_the_lost_constant(page):
    with_start, without = re.findall(r"\[([\d.]+)\]", page.output("gb-start-3"))
    page.says(
        f"Test it on a constant target of 7: with its start, one round says {float(with_start):g}; "
        f"from zero, {without}."
    )


def test_the_gain_with_curvature(page):
    slope, curvature = -1.5, 0.75
    page.says(
        f"a step of {-slope / curvature:g}, but with $\\lambda=1$ only "
        f"$1.5/1.75={-slope / (curvature + 1):.3f}$."
    )


def test_a_day_with_three_intervals(page, days):
    temp, rentals = days["temp"].to_numpy(), days["rentals"].to_numpy()
    table = interval_table(temp, rentals, INTERVALS)
    start = rentals.mean()
    first, second, third = table[table["case"] == 2].sort_values("round")["after"]
    page.says(
        f"the start {start:.1f}, less {start - first:.1f} outside the first interval, is "
        f"{first:.1f}; inside the second it gains {second - first:.1f}, outside the third it loses "
        f"{second - third:.1f}, which leaves {third:.1f}, as printed"
    )


def test_ranks_of_the_intervals_of_the_slides(page, days):
    temp, rentals = days["temp"].to_numpy(), days["rentals"].to_numpy()
    table, ranks = interval_table(temp, rentals, INTERVALS), []
    for b, (low, high) in enumerate(INTERVALS, 1):
        tried = interval_candidates(temp, table.loc[table["round"] == b, "residual"])
        is_that = (tried["low"] == low) & (tried["high"] == high)
        ranks.append(1 + int(np.flatnonzero(is_that)[0]))
    assert ranks == [1, 8, 16]
    divisions = len(interval_candidates(temp, rentals - rentals.mean()))
    page.says(
        f"Of the {divisions} different divisions the first interval is the best, the second the "
        "eighth, the third the sixteenth."
    )
