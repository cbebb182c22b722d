"""Facts of the page behind chapter 8: intervals, cuts, distinct cases, and how estimates miss."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab.fast.bootstrap import bootstrap, distinct_cases

RESULTS = ROOT / "notebooks" / "replications"


def numbers(line):
    """The numbers with a decimal point of a line."""
    return [float(found) for found in re.findall(r"-?\d+\.\d+", line)]


@pytest.fixture(scope="module")
def held():
    """How often each interval holds the truth, by statistic, world and n."""
    blocks = pd.read_csv(RESULTS / "bootstrap_coverage.csv")
    groups = blocks.drop(columns="block").groupby(["statistic", "world", "n"], sort=False)
    return groups.mean() / 25  # hits in blocks of 25 sets


@pytest.fixture(scope="module")
def estimates():
    """The estimates of an error on 200 training sets of six worlds and learners."""
    return pd.read_csv(RESULTS / "error_estimates.csv")


def test_intervals_of_a_correlation(page):
    names = page.run("u01-data", "u03", np=np, pd=pd, bootstrap=bootstrap)
    ends = np.array(list(names["rows"].values()))
    assert len(ends) == 5
    assert np.ptp(ends, axis=0).max() < 0.008
    page.says(f"With {len(names['bmi'])} observations the intervals agree within 0.008.")


def test_intervals_of_a_skewed_mean(page):
    ten, twenty, eighty = (numbers(line) for line in page.output("u05").splitlines()[2:])
    assert len(ten) == 4
    assert max(ten) < 0.92
    assert min(eighty) > 0.92
    page.says("should contain the mean in 95 of 100 data sets but do so in fewer than 92.")
    *_, percentile, bca = ten
    assert percentile < bca < 0.9
    page.says("BCa corrects a part of this error, but not all of it.")


def test_the_maximum_of_ten(page):
    maxima = page.run("u07", np=np)["many"][:, -1]
    assert np.isclose(maxima.mean() - 1, -1 / 11, atol=0.001)
    bias, holds = page.output("u07").splitlines()
    true, seen = numbers(bias)
    assert true == round(-1 / 11, 3)
    assert abs(seen / true - 1 / 2) < 0.01
    assert abs(numbers(holds)[0] - 7 / 8) < 0.005
    page.says("so it contains the end in seven of eight data sets.")
    page.says("However, the bootstrap captures only half of the bias.")


def test_the_cut_of_a_stump(page, held):
    correlation = held.loc["correlation"]
    assert (correlation > [0.91, 0.91, 0.91, 0.77, 0.77, 0.77]).all(axis=None)
    page.says("The intervals for the correlation come close to their nominal level.")
    cuts = held.drop("correlation")
    smooth = cuts.drop("jump", level="world").drop("limit", level="n")
    assert smooth["basic 95%"].between(0.59, 0.63).all()
    page.says("contains the true value in 6 of 10 data sets instead of the nominal 9.5, and 442")
    assert smooth["BCa 95%"].between(0.81, 0.86).all()
    page.says("442 observations help no more than 100. The BCa interval contains it in 8 of 10.")
    assert 2 * np.sqrt(0.25 / 1000) < 0.035
    page.says("The 1000 data sets determine each proportion to within 0.03.")
    limit = cuts.loc[("cut", "smooth", "limit")]
    assert limit["basic 95%"] < 0.67
    page.says(
        "the shape of this one limit, where the 80% interval contains the true value "
        f"in {100 * limit['percentile 80%']:.0f} of 100 data sets. At the steep"
    )
    others = [("cut", world, n) for world in ("steep", "jump") for n in ("100", "442")]
    hard = cuts.loc[others, "percentile 80%"]
    low, high = 100 * hard.min(), 100 * hard.max()
    page.says(f"contains the true value in only {low:.0f} to {high:.0f} of 100. For the maximum")
    percentile = 100 * cuts["percentile 95%"]
    low, high = percentile.min(), percentile.max()
    page.says(f"which contains the threshold in {low:.0f} to {high:.0f} of 100 data sets?")


def test_how_many_different_cases(page):
    assert np.allclose(distinct_cases(3), (19 / 9, 26 / 81))
    limit = np.exp(-1) - 2 * np.exp(-2)
    assert np.isclose(distinct_cases(10**6)[1] / 10**6, limit, atol=1e-5)
    first, _, _, *rows = page.output("u14").splitlines()
    assert numbers(first) == [round(limit, 4)]
    assert len(rows) == 4
    for exact, simulated, binomial in map(numbers, rows):
        assert abs(exact / simulated - 1) < 0.07
        assert binomial > 1.9 * exact


def test_the_trees_of_two_packages(page):
    ours, theirs = numbers(page.output("u18"))
    assert abs(ours - theirs) < 0.03
    page.says("the tree of scikit-learn has nearly the same .632+ estimate as that of treelab")


def test_cases_in_every_sample(page):
    drawn = distinct_cases(100)[0] / 100
    assert numbers(page.output("u20"))[0] == round(100 * drawn**5, 1)
    page.says(f"With $B = 5$ we expect this for {100 * drawn**5:.0f} in 100 observations.")


def test_how_far_each_estimate_misses(page, estimates):
    names = ["naive", "loo", ".632", ".632+", "10-fold"]
    groups = estimates.groupby(["world", "learner"], sort=False)
    off = {key: run[names].sub(run["truth"], axis=0) for key, run in groups}
    miss = pd.DataFrame({key: np.sqrt((o**2).mean()) for key, o in off.items()})
    assert (miss.loc["loo"] < miss.loc["10-fold"]).all()
    assert (miss[["moons", "waves"]].idxmin() == "loo").all()
    columns = in_words(miss.shape[1])
    page.says(f"In all {columns} cases loo has a smaller root mean squared error than 10-fold")
    spread = pd.DataFrame({key: run.std() for key, run in off.items()}).mean(axis=1)
    page.says(
        f"a standard deviation of {spread['loo']:.3f} for loo and of {spread['10-fold']:.3f} for "
        "10-fold cross-validation."
    )
    plus = groups[".632+"].mean()["coins"]
    page.says(
        f"There .632+ was {plus['tree']:.3f} and {plus['1-NN']:.3f} on average, although the "
        "true error is 0.5,"
    )


def test_what_fifty_draws_teach(page):
    cases = distinct_cases(50)[0]
    page.says(
        f"A sample of 50 draws from 50 observations contains {cases:.0f} different observations on"
    )
    page.says(f"$1 - 1/a = 0.632$ gives $a = e$, or about {np.e:.1f} folds.")
    page.says(f"However, {50 * 2 / 3:.0f} observations, or three folds, would do just as well.")
    tree, neighbor, *errors = numbers(page.output("u25").splitlines()[0])
    assert abs(tree) < 2 * errors[0]
    assert abs(neighbor) < 2 * errors[1]
    page.says(f"the differences ({tree} and {neighbor}) are within two standard errors of 0.")
