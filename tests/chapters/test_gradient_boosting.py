"""Facts of chapter 12: its examples, its experiments, and its questions."""

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from scipy.special import expit

from treelab import GradientBoostingClassifier, GradientBoostingRegressor
from treelab.datasets import load_bike_demand
from treelab.fast.boosting import residual_table
from treelab.fast.boosting.losses import AbsoluteError, Huber, Quantile, SquaredError
from treelab.figures import gradient_boosting as figures
from treelab.gradient_boosting import gradient_boosting
from treelab.losses import absolute

RESULTS = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def days():
    """Temperature and rentals of the ten days."""
    return load_bike_demand()


@pytest.fixture(scope="module")
def noisy():
    """The settings on twenty noisy sets of Friedman's function."""
    return pd.read_csv(RESULTS / "noisy_friedman.csv")


def test_ten_days_by_hand(page, days):
    model = GradientBoostingRegressor(n_estimators=3, learning_rate=1.0, max_depth=1)
    path = residual_table(
        model.fit(days[["temp"]], days["rentals"]), days[["temp"]], days["rentals"]
    )
    first, second = (path[path["round"] == b]["residual"].to_numpy() for b in (1, 2))
    mean = days["rentals"].mean()
    page.says(f"Start with the best constant, the mean, {mean:.1f}.")
    page.says(f"on the first day $602-{mean:.1f}={first[0]:.1f}$.")
    cuts = [tree.threshold[0] for (tree,) in model.trees_]
    page.says(f"Its best cut is {cuts[0]:g} degrees. The three days left of it")
    cold, others = first[:3].mean(), first[3:].mean()
    terms = "".join(f"{r:+.1f}" for r in first[:3])
    page.says(f"$({terms})/3={cold:.1f}$, the other seven {others:.2f}.")
    page.says(
        f"predicted at ${mean:.1f}{cold:.1f}={mean + cold:.1f}$, the others at {mean + others:.2f}"
    )
    page.says(f"The second cut, at {cuts[1]:g} degrees, mends the two hot days.")
    assert np.allclose([second[:3].sum(), second[3:].sum()], 0)
    page.says("Zero: the leaf has added their mean in full.")


def test_half_steps_learn_ten_days_by_heart(page, days):
    half = GradientBoostingRegressor(n_estimators=40, learning_rate=0.5, max_depth=1)
    residuals = figures.mean_residuals(half.fit(days[["temp"]], days["rentals"]), days)
    page.says(f"a mean absolute error of {residuals[0]} at the start, {residuals[40]} after forty")
    page.says(f"nobody predicts demand to within {residuals[40]} bicycles from the temperature")


def test_how_strongly_a_distant_row_pulls(page):
    losses = (SquaredError(), AbsoluteError(), Huber(delta=1.0), Quantile(0.9))
    pulls = [float(loss.negative_gradient(np.array([3.0]), np.zeros(1))[0]) for loss in losses]
    assert np.allclose(pulls, [3, 1, 1, 0.9])
    squared, *others = pulls
    page.says(
        f"At a distance of 3 the squared error pulls with {squared:g}, the others with at most "
        f"{max(others):g}."
    )


def test_spoiled_targets(page):
    sets = pd.read_csv(RESULTS / "spoiled_targets.csv")
    means = sets.groupby("loss")[["clean", "spoiled"]].mean()
    squared, absolute_error = means.loc["squared_error"], means.loc["absolute_error"]
    assert squared["clean"] < absolute_error["clean"]
    page.says(
        f"with them it misses by {squared['spoiled']:.2f} on average, the absolute error by "
        f"{absolute_error['spoiled']:.2f}."
    )


def test_two_classes_by_hand(page):
    levels = load_bike_demand("level")
    model = GradientBoostingClassifier(n_estimators=2, learning_rate=1.0, max_depth=1)
    model.fit(levels[["temp"]], levels["rentals_level"])
    assert model.classes_.tolist() == ["High", "Low"]
    cuts = [tree.threshold[0] for (tree,) in model.trees_]
    page.says(f"Left of {cuts[0]:g} are three low days: $1.5/(3\\times0.25)=2$.")
    page.says(f"A score of 2 is a probability of {expit(2):.3f}, so a cold day still lacks")
    table = residual_table(model, levels[["temp"]], levels["rentals_level"])
    residual = table[table["round"] == 2].set_index("case")["residual"]
    page.says(f"so a cold day still lacks {residual[0]:.3f}. The two hot days")
    page.says(
        f"now lack most, {residual[8]:.3f}, and the second stump, cut at {cuts[1]:g} degrees, is"
    )


def test_where_the_absolute_loss_starts(page, days):
    rows = days[["temp"]].to_numpy().tolist()
    start = gradient_boosting(rows, days["rentals"].tolist(), [], loss=absolute)[0]
    fast = GradientBoostingRegressor(loss="absolute_error", n_estimators=1)
    fast.fit(days[["temp"]], days["rentals"])
    page.says(f"starts at {start}, where treelab takes their midpoint, {fast.start_:g}.")


def test_learning_rates(page, noisy):
    best = noisy.pivot(index="set", columns="setting", values="best")
    assert (best["rate 0.3"] < best["rate 1"]).all()
    rounds = noisy.groupby("setting")["best_round"].mean()
    a, b, c = (f"{rounds[f'rate {nu}']:.0f}" for nu in (0.3, 0.1, 0.03))
    page.says(f"the best number of rounds was {a}, {b} and {c} on average for 0.3, 0.1 and 0.03")
    assert 3 < rounds["rate 0.1"] / rounds["rate 0.3"] < 4
    assert 3 < rounds["rate 0.03"] / rounds["rate 0.1"] < 4
    stops = noisy[noisy["setting"] == "early stop"]
    whole = noisy[noisy["setting"] == "rate 0.1"]["last"].mean()
    page.says(
        f"the rounds end anywhere from {stops['rounds'].min()} to {stops['rounds'].max()}: the "
        f"error is {stops['last'].mean():.2f} on average, against {whole:.2f} after all 300 rounds"
    )


def test_rows_columns_and_missing_values(page):
    table = page.table("gb-041")
    by = table["lower by, percent"].str.split(" ").str[0].astype(float)
    assert sum(by[[f"columns: {name}" for name in ("diabetes", "tumors", "sonar")]] > 0) == 3
    page.says("A third of the columns helps on three tables.")
    first = page.output("gb-041").split("20, ")[1].split(" ")[0]
    page.says(
        f"after 100 rounds the error is {-float(first):.0f} percent higher, in the best of up to "
        f"800 still {-by['columns: bicycles']:.0f}."
    )
    ahead = [table.loc[f"gaps: {n}", "ahead in"] for n in ("sick", "hypothyroid", "horses")]
    counts = [words.split(" ")[0] for words in ahead]
    page.says("ahead in {}, {} and {} of twenty splits".format(*counts))


def test_bicycles_in_an_hour(page):
    draws = pd.read_csv(RESULTS / "bicycle_hours.csv", index_col="draw")
    gap = draws["forest"] - draws["boosting"]
    printed = page.output("gb-045")
    assert f"forest {draws.loc[0, 'forest']:.1f}\n" in printed
    assert f"boosting {draws.loc[0, 'boosting']:.1f} after" in printed
    page.says(f"in {(gap > 0).sum()}, by {gap.mean():.0f} bicycles on average.")
    assert (draws["default"] > draws["forest"]).all()
    default, forest = draws["default"].mean(), draws["forest"].mean()
    page.says(f"boosting is behind in all twenty, with {default:.1f} to {forest:.1f}.")


def test_an_interval_that_keeps_its_promise(page):
    covered = figures_in_notebooks(figures.covered_hours)
    assert covered["before"].max() < 0.9
    means = covered.groupby("program")[["before", "after", "night", "day"]].mean()
    before = [round(100 * means.loc[name, "before"]) for name in figures.PROGRAMS.values()]
    page.says(
        "Of the promised 90 percent the three cover {}, {} and {}; with the margin 90".format(
            *before
        )
    )
    assert (means["after"].round(2) == 0.90).all()
    night, day = (round(100 * means.loc["treelab", part]) for part in ("night", "day"))
    page.says(f"By night it covered {night} percent, by day {day}.")
    first = covered[covered["program"] == "treelab"].set_index("draw").loc[0]
    printed = page.output("gb-047")
    assert f"fresh {first['before']}\n" in printed
    assert f"margin of {float(first['margin']):.1f} fresh {first['after']}" in printed


def figures_in_notebooks(function):
    """Call a function of the figures where the notebooks are, whose tables it reads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT / "notebooks")
        return function()


def test_whom_to_lend_money(page):
    loans = pd.read_csv(RESULTS / "lenders.csv", index_col="division")
    for name in ("forest", "boosting"):
        assert (loans[f"{name}, 1/2"] > loans["reject all"]).all()
    forest, boosting = (
        (loans[f"{name}, 1/6"] < loans["reject all"]).sum() for name in ("forest", "boosting")
    )
    assert forest == len(loans)
    page.says(f"the forest is cheaper each time, boosting in {boosting} of {len(loans)}.")


def test_sixty_points_and_their_best_round(page):
    *_, test = figures.waves_by_rate()
    best = int(np.argmin(test[0]))
    page.says(f"at rate 0.1 the held-out error was least after {best} rounds, and rose from there")
    assert test[0][6] > min(test[0])
    assert len(test[0]) == 121
