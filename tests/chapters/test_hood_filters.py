"""Facts of the page behind chapter 14: cuts, searches, estimates, eliminations, and settings."""

import ast
import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.datasets import load_diabetes
from sklearn.feature_selection import f_regression

from treelab.datasets import load_mushrooms
from treelab.fast.information import conditional_mutual_information, mdl_table
from treelab.fast.selection import FilterSelector, filter_table, merit
from treelab.figures import filters as figures

RESULTS = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def farms():
    """What each way of elimination keeps on five farms."""
    return pd.read_csv(RESULTS / "boosting_eliminates.csv").fillna({"columns": ""})


@pytest.fixture(scope="module")
def grid():
    """The errors of 32 settings with all features and with the chosen ones, on three farms."""
    return pd.read_csv(RESULTS / "search_after_choice.csv")


def test_cuts_that_pay_for_themselves(page):
    x, kinds = np.arange(1, 13), list("aaaabbbbbbaa")
    once, twice = mdl_table(x, kinds), mdl_table(np.repeat(x, 2), np.repeat(kinds, 2))
    assert not once["accepted"].any()
    page.says(f"The first cut, at {once['cut_point'].item()}, gains too little for its price, and")
    assert twice["accepted"].all()
    page.says("With twice as many rows of the same pattern it pays:")


def test_searches_that_find_the_best_set(page):
    found = ast.literal_eval(page.output("flh011"))
    assert found == {"best first": 40, "one stale expansion": 39, "forward": 39}
    page.says("A patience of five expansions is enough on all forty; forward search,")
    page.says(f"which is best first with a patience of one, finds {found['forward']}.")


def test_counts_run_out(page):
    X, y = load_mushrooms(return_X_y=True)
    size, spots = (
        conditional_mutual_information(X, y, name, ["color"]) for name in ("size", "spots")
    )
    assert np.isclose(size, spots)
    page.says("On the mushrooms the second step is an exact tie:")
    nothing = float(page.output("flh016").split()[-1])
    page.says(
        f"In {50 * nothing:.0f} of 50 draws three of ten columns of noise leave nothing open."
    )


def test_information_of_two_numbers(page):
    ways = ["bins", "windows", "neighbors"]
    drawn = pd.read_csv(RESULTS / "information_of_numbers.csv")
    ordered = []
    for way in ways:
        by_rho = drawn.pivot(index="draw", columns="rho", values=way)
        ordered.append((by_rho.diff(axis=1).iloc[:, 1:] > 0).all(axis=1).sum())
    assert ordered[0] == ordered[1] == by_rho.shape[0]
    page.says(
        f"bins and windows rank the {in_words(by_rho.shape[1])} correlations correctly in each of "
        f"the {ordered[0]} draws, the nearest neighbors in {ordered[2]} of them."
    )
    means, spread = (drawn.groupby("rho")[["truth", *ways]].agg(how) for how in ("mean", "std"))
    bias = means.loc[0.0]
    assert (bias[ways] > 0).all()
    page.says(
        f"all three means are above 0, by {bias['bins']:.2f} bits with bins and by "
        f"{bias['windows']:.2f} with windows, because"
    )
    assert bias["neighbors"].round(2) == 0.03
    assert bias["neighbors"] < bias[["bins", "windows"]].min()
    lack = means.loc[0.9, "truth"] - means.loc[0.9, "bins"]
    page.says(f"the bins give {lack:.2f} bits too little, because the dependence within a bin is")
    assert (spread["neighbors"] > spread[["bins", "windows"]].max(axis=1)).all()
    page.says("but at every correlation their estimates vary the most from draw to draw.")


def test_scores_of_scikit_learn():
    D, progress = load_diabetes(return_X_y=True, as_frame=True)
    ours = filter_table(D, progress, "f").set_index("feature")
    assert np.allclose(ours["p_value"], f_regression(D, progress)[1])
    kept = FilterSelector("f", number=3).fit(D, progress).get_feature_names_out()
    assert kept.tolist() == ["bmi", "bp", "s5"]
    assert np.isclose(merit([0.3] * 10, np.ones((10, 10))), 0.3)


def test_madelon_elsewhere(page):
    lines = page.output("flh024").split("\n")
    cfs, fcbf = (float(line.split()[1]) for line in lines if re.match("CFS|FCBF", line))
    page.says("and kept 10.7 and 4.7 columns in the mean. treelab on the 20 halves")
    assert 1 <= 10.7 - cfs < 1.5
    assert abs(4.7 - fcbf) < 0.5
    page.says("About a column fewer of CFS, and other halves.")


def changes(kept, model):
    """The mean changes of the error and their standard errors by the table of eliminations."""
    return kept[f"change, {model}"].str.split(" ± ", expand=True).astype(float)


def test_boosting_eliminates_features(page, farms):
    kept = figures.eliminations_table(farms)
    both = kept.loc[["Boruta 100", "Boruta 50"]]
    assert (both["forest"] > both["boosting"]).all()
    assert (both["both"] > 0.95 * both["boosting"]).all()
    page.says(
        "Boosting keeps fewer features than a forest in Boruta, and nearly all of them are among"
    )
    forest, boosting = (changes(kept, model) for model in ("forest", "boosting"))
    assert (forest[0] < 0).all()
    assert (boosting[0] < 0).all()
    page.says("because the mean test error decreases for both models and in all rows.")
    mean, error = boosting.loc["Boruta 50"]
    assert 1 < -mean / error < 1.5
    page.says("in the row of Boruta 50 the decrease for boosting is little more than one of them.")
    n_farms = farms["farm"].nunique()
    page.says(f"The standard errors come from {in_words(n_farms)} farms, and in the row")
    everything = farms[farms["way"] == "all"]["kept"].unique()
    assert everything.tolist() == [1080]


def test_subset_elimination(page, farms):
    srfe = farms[(farms["way"] == "SRFE") & (farms["rule"] == "least")]
    path = [1080]
    while path[-1] / 2 >= 54:  # halves, as long as a block is left
        path.append(int(np.ceil(path[-1] / 2)))
    assert path == [1080, 540, 270, 135, 68]
    assert srfe["kept"].isin(path[1:]).all()
    page.says(f"Subset elimination ends with {path[-1]} features, because less than a block of 54")
    page.says(f"because Boruta is run in {1080 // 54} blocks in the first round alone.")


def test_boruta_in_blocks(page, farms):
    kept = figures.eliminations_table(farms)
    blocks, whole = (kept.loc[name] for name in ("Boruta in blocks", "Boruta 100"))
    assert (blocks[["forest", "boosting"]] < whole[["forest", "boosting"]]).all()
    page.says("Boruta in blocks keeps fewer features than Boruta on all features together, for a")
    chosen = farms[farms["way"] != "all"].set_index(["way", "model", "farm"])["columns"]
    sets = chosen.str.split().map(set)
    for farm in range(5):
        few, many = (sets[way, "forest", farm] for way in ("Boruta in blocks", "Boruta 100"))
        assert few < many
    page.says("for a forest a subset of them on every farm, and its mean test errors are not")
    for model in ("forest", "boosting"):
        mean = changes(kept, model)[0]
        assert mean["Boruta in blocks"] <= mean["Boruta 100"]


def test_searching_after_the_choice(page, grid):
    found = figures.searches_table(grid).set_index(["model", "farm"])
    boosting = found.loc["boosting"]
    for _, part in grid[grid["model"] == "boosting"].groupby("farm"):
        every, few = (part[part["way"] == way] for way in ("all", "RFE"))
        better = few["test"] < every.loc[every["validation"].idxmin(), "test"]
        assert not better[few["n_estimators"] == 25].any()
        assert better[few["n_estimators"] == 50].sum() >= 15
    page.says("namely nearly all of those with 50 trees and none with 25.")
    assert (boosting[["validation: better", "test: better"]] <= 16).all(axis=None)
    page.says("For boosting about half of the settings are better, namely")
    assert (boosting["test: best, few"] < boosting["test: best, all"]).all()
    page.says(f"with all features on all {in_words(len(boosting))} farms. Where the elimination")
    same = found[found["features"] == 1080]
    assert same.index.tolist() == [("forest", 0)]
    assert same[["validation: better", "test: better"]].to_numpy().tolist() == [[0, 2]]
    page.says("Where the elimination keeps all 1 080 features, as the forest's does on the first")
    second = found.loc[("forest", 1)]
    settings = len(grid[(grid["model"] == "forest") & (grid["farm"] == 1)]) // 2
    page.says(
        f"On the second farm {second['test: better']} of the {settings} settings of forests have a "
        "lower test error."
    )
    assert second["test: best, few"] > second["test: best, all"]
    page.says("The one with the lowest validation error is not among them, a reminder that")


def test_frequency_and_variance_of_words(page):
    scores = page.table("flh102")
    frequency = scores["frequency"]
    assert np.allclose(scores["variance"], frequency * (1 - frequency), atol=1e-3)
    assert scores["variance"].idxmax() == "not"
    assert frequency["not"] == 0.5
    assert (scores.loc["the", ["variance"]] == scores.loc["lady", ["variance"]]).all()
    page.says("for *the*, which occurs in five of six lines, and for *lady*, which occurs in one.")
    assert frequency[["the", "lady"]].tolist() == [0.833, 0.167]  # 5/6 and 1/6
    told = scores["mutual information"]
    assert told["the"] == told["lady"]
    left = -(0.4 * np.log2(0.4) + 0.6 * np.log2(0.6))  # without this line 2 and 3 of a play
    assert told["the"] == pytest.approx(1 - 5 / 6 * left, abs=5e-4)
    both = page.output("flh102").splitlines()[0].rpartition(": ")[2].split(", ")
    assert (told[both] == 0).sum() == 2
    page.says("Two of the three words that pass both bounds have a mutual information of 0.")
