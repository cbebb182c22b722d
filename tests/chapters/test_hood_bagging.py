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
    page.says(f"is 0.5 on average, .632 of a grown tree {0.632 * 0.5:.3f}. The")


def test_estimates_of_a_bag(page, off_bags):
    mean, two = means_and_errors(off_bags, "world")
    for name in ("held-out third", "10-fold"):
        assert (two.loc[name] > mean.loc[name].abs()).all()
    page.says(f"That the held-out third judges a rule of {50 * 2 // 3} rows cannot be seen in 100")
    too_high = mean > two
    assert too_high.loc["loo"].tolist() == [True, True, False]
    page.says("is too high where there is something to learn, and right for coins")
    assert too_high.loc["out-of-bag"].tolist() == [False, True, False]
    most = mean.loc["out-of-bag"].max()
    page.says(f"Out-of-bag is too high by {most:.3f} in one world; in the other two nothing")
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
    page.says(".632 and .632+ are too low in all three worlds for the bag, as for the tree and")
    sets = rules.groupby(["world", "learner"]).size()
    page.says(f"a grown tree and one neighbor, the {sets.max()} sets of")


def test_how_many_members_out_of_bag_needs(page):
    table = page.table("hood-bagging-09")
    five, *_ = ratio = table["mean"] / table["standard error"]
    assert 1.9 < five < 2.3
    page.says("With five members it is too high by about two standard errors; from 20 on nothing")
    assert (ratio.loc[[20, 50]].abs() < 1).all()
    shrinks, error = numbers(page.output("hood-bagging-09").splitlines()[0])
    page.says(f"from 10 to 50 members by {shrinks:.3f}, with a standard error of {error:.3f}.")


def test_rows_without_a_vote(page):
    table = page.table("hood-bagging-12")
    agree = (table["1 - score"] - table["error on covered"]).abs() < 0.0005
    enough = table.index[agree].min()
    assert table.loc[enough, "coverage"] == 1
    page.says(f"From {enough:g} members on the two agree here, and treelab warns")
    assert (table["coverage"] - table["expected"]).abs().max() < 0.04


def test_one_score(page):
    scores = page.table("hood-bagging-15")
    assert (scores.loc["mean of the members'"] < 0).all()
    assert (scores.loc["oob_score_"] > 0.4).all()
    assert scores.loc["oob_score_"].equals(scores.loc["recomputed"])
    page.says("is worse than the mean of all patients (a negative $R^2$), and the average of bad")


def test_two_packages(page):
    gap, error = numbers(page.output("hood-bagging-17").splitlines()[0])
    assert abs(gap) < error
    page.says("No difference is seen. The ten seeds also tell how far one run may be from another")


def test_a_mean_of_ten_numbers(page):
    simulated, exact, independent = numbers(page.output("hood-bagging-22"))
    assert abs(simulated - exact) < 0.004
    assert exact == round(1 / 10 + 0.09 / 25, 4)
    assert independent == round(0.19 / 25, 4)
    page.says("the variance is $1/10 + 0.09 / B$: it never falls below that of the plain mean.")


def test_hard_cases(page):
    own, shared = numbers(page.output("hbag-shared-2"))
    page.says(f"A vote of 101 trees that share no row still errs on {100 * own:.0f} of 100 cases")
    page.says(f"and err on {100 * shared:.0f}, in each of the {in_words(10)} samples on more")
    page.says(f"in each of the ten samples on more than {100 * own:.0f}.")


def test_the_bagged_maximum(page):
    names = page.run("hood-bagging-25", np=np)
    assert np.isclose(names["plain"], 2 / (11 * 12))
    plain, *some, endless = numbers(page.output("hood-bagging-25").splitlines()[0])
    assert plain < endless < min(some)
    bias, lower = numbers(page.output("hood-bagging-25").splitlines()[1])
    assert lower < bias == round(-1 / 11, 3)
    page.says("Bagging lowers the maximum, which was too low already: more")


def test_neighbors_that_do_not_move(page):
    weights = np.exp(-np.arange(3)) * (1 - np.exp(-1))
    page.says("(1 - e^{{-1}})$: {:.3f}, {:.3f}, {:.3f}. For *numbers*".format(*weights))
    assert float(page.output("hood-bagging-28")) == 1
    page.says("it holds on almost every case; on the radar's test set on all of them:")
