"""Facts of the page behind chapter 9: what is measured of estimates, votes, maxima, neighbors."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

RESULTS = ROOT / "notebooks" / "replications"


def numbers(line):
    """The numbers with a decimal point of a line."""
    return [float(found) for found in re.findall(r"-?\d+\.\d+", line)]


def means_and_errors(off, groups):
    """Mean of each column by group, and two standard errors of it."""
    parts = off.groupby(groups, sort=False)
    return parts.mean().T, 2 * parts.sem().T


@pytest.fixture(scope="module")
def off_bags():
    """Estimate minus truth of a bag in three worlds."""
    bags = pd.read_csv(RESULTS / "error_estimates_bagged.csv").set_index(["world", "set"])
    return bags.drop(columns="truth").sub(bags["truth"], axis=0)


@pytest.fixture(scope="module")
def rules():
    """The estimates of single rules, a grown tree and one neighbor, in three worlds."""
    rules = pd.read_csv(RESULTS / "error_estimates.csv")
    return rules.set_index(["world", "learner", "set"])


def test_what_is_proved_of_coins(page):
    page.says(f"average and the .632 estimate of a fully grown tree is only {0.632 * 0.5:.3f}.")


def test_estimates_of_a_bag(page, off_bags):
    mean, two = means_and_errors(off_bags, "world")
    for name in ("held-out third", "10-fold"):
        assert (two.loc[name] > mean.loc[name].abs()).all()
    page.says(f"because its rule is fitted to {50 * 2 // 3} rows only. However, this estimate")
    page.says("varies so much that 100 training sets do not reveal the bias, nor do they")
    too_high = mean > two
    assert too_high.loc["loo"].tolist() == [True, True, False]
    page.says("is too high where there is something to learn, and unbiased for the coins")
    assert too_high.loc["out-of-bag"].tolist() == [False, True, False]
    most = mean.loc["out-of-bag"].max()
    page.says(f"The out-of-bag error is too high by {most:.3f} for one source, whereas for the")
    assert (mean.loc[[".632", ".632+"]] < -two.loc[[".632", ".632+"]]).all(axis=None)
    caption, training = page.caption("hood-bagging-07"), mean.loc["training"]
    caption.says(f"at {training.max():.1f} to {training.min():.1f}, is outside the picture.")
    caption.says(f"for coins far left at {mean.loc['.632', 'coins']:.2f}, the .632+")


def test_estimates_of_single_rules(page, rules):
    training = (rules[".632"] - 0.632 * rules["loo"]) / 0.368
    assert training.abs().max() < 0.001
    page.says("Their training error is 0")
    off = rules.drop(columns=["truth", "naive"]).sub(rules["truth"], axis=0)
    mean, two = means_and_errors(off, ["world", "learner"])
    learnable = mean.drop(columns="coins")
    assert (learnable.loc["loo"] > 0.008).all()
    assert (learnable.loc[".632"] < -0.07).all()
    assert (learnable.loc[".632+"] < -0.03).all()
    assert (mean.loc["10-fold"].abs() < 0.015).all()
    assert (mean + two).loc[[".632", ".632+"]].max(axis=None) < 0
    page.says("are too low for all three sources, for the bag as well as for the tree and")
    sets = rules.groupby(["world", "learner"]).size()
    page.says(f"the nearest neighbor, for the {sets.max()} training sets of")


def test_how_many_members_out_of_bag_needs(page):
    table = page.table("hood-bagging-09")
    five, *_ = ratio = table["mean"] / table["standard error"]
    assert 1.9 < five < 2.3
    page.says("With five trees the out-of-bag error is too high by about two standard errors, and")
    page.says("and from twenty trees on no bias is visible.")
    assert (ratio.loc[[20, 50]].abs() < 1).all()
    shrinks, error = numbers(page.output("hood-bagging-09").splitlines()[0])
    page.says(f"from ten to fifty trees by {shrinks:.3f}, with a standard error of {error:.3f}.")


def test_rows_without_a_vote(page):
    table = page.table("hood-bagging-12")
    agree = (table["1 - score"] - table["error on covered"]).abs() < 0.0005
    enough = table.index[agree].min()
    assert table.loc[enough, "coverage"] == 1
    page.says(f"With {in_words(int(enough))} or more trees the two agree here, and treelab warns")
    assert (table["coverage"] - table["expected"]).abs().max() < 0.04


def test_one_score(page):
    scores = page.table("hood-bagging-15")
    assert (scores.loc["mean of the trees'"] < 0).all()
    assert (scores.loc["oob_score_"] > 0.4).all()
    assert scores.loc["oob_score_"].equals(scores.loc["recomputed"])
    page.says(
        "A single fully grown tree is worse than the mean of all patients (a negative $R^2$),"
    )


def test_two_packages(page):
    gap, error = numbers(page.output("hood-bagging-17").splitlines()[0])
    assert abs(gap) < error
    page.says("We see no difference. The ten seeds also show how much a single run may differ")


def test_a_mean_of_ten_numbers(page):
    simulated, exact, independent = numbers(page.output("hood-bagging-22"))
    assert abs(simulated - exact) < 0.004
    assert exact == round(1 / 10 + 0.09 / 25, 4)
    assert independent == round(0.19 / 25, 4)
    page.says("$1/10 + 0.09 / B$, so it never falls below the variance of the plain mean.")


def test_hard_cases(page):
    own, shared = numbers(page.output("hbag-shared-2"))
    page.says(
        f"A vote of 101 trees that share no row still errs on {100 * own:.0f} of 100 rows, so"
    )
    page.says(
        f"Their vote errs on {100 * shared:.0f} of 100 rows, and for each of the {in_words(10)}"
    )
    page.says(f"for each of the ten training sets on more than {100 * own:.0f}.")


def test_random_subspaces(page):
    size, means = page.output("hbag-subspaces-2").splitlines()[:2]
    (features,) = re.findall(r"\d+", size)
    page.says(f"Each tree uses {features} of the 34 features.")
    gap, error = numbers(means)
    assert gap < 2 * error
    page.says(f"lower the test error by {gap:.3f}, but with a standard error of {error:.3f} we")


def test_the_bagged_maximum(page):
    names = page.run("hood-bagging-25", np=np)
    assert np.isclose(names["plain"], 2 / (11 * 12))
    plain, *some, endless = numbers(page.output("hood-bagging-25").splitlines()[0])
    assert plain < endless < min(some)
    bias, lower = numbers(page.output("hood-bagging-25").splitlines()[1])
    assert lower < bias == round(-1 / 11, 3)
    page.says("The maximum is already too low, and bagging lowers it further. This adds")


def test_neighbors_that_do_not_move(page):
    weights = np.exp(-np.arange(3)) * (1 - np.exp(-1))
    page.says("which is {:.3f}, {:.3f}, {:.3f} for the first three rows.".format(*weights))
    assert float(page.output("hood-bagging-28")) == 1
    page.says("for almost every row, and for the radar's test data it holds for all rows.")
