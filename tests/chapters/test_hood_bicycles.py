"""Facts of the page under the hood of chapter 18: the thesis done again, and the margins."""

import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab.figures import bicycles

RESULTS = ROOT / "notebooks" / "replications"
MODELS = ["DTR", "RFR", "GBR"]


@pytest.fixture(scope="module")
def results():
    """The numbers of the chapter, and of the thesis done again."""
    types = {"key": str, "value": str, "month": str}
    return pd.read_csv(RESULTS / "bicycles_end_to_end.csv", dtype=types)


@pytest.fixture(scope="module")
def ranked():
    """The rankings and errors of the models with random states of their own."""
    return pd.read_csv(RESULTS / "bicycles_ranked.csv")


@pytest.fixture(scope="module")
def settings():
    """The importances under all settings, a row for each of them."""
    return pd.read_csv(RESULTS / "all_settings.csv")


@pytest.fixture(scope="module")
def curves():
    """The errors along the pruning path, under all settings."""
    return pd.read_csv(RESULTS / "all_settings_path.csv")


def importances(settings):
    """The importances of each row."""
    return settings["importance"].str.split(expand=True).astype(float).set_axis(
        bicycles.FEATURES, axis=1
    )  # fmt: skip


def test_five_inputs_in_order(page, results, ranked):
    first = bicycles.first_inputs(results)["as_printed"]
    rankings = results.query("study == 'thesis ranking' and key == 'ranking'")
    of_all = rankings[rankings["method"].str.endswith(", cnt")]["value"].str.split()
    assert first.drop(("RFR", "casual")).sum() == 0
    page.says(f"comes out in none of the {in_words(len(of_all))} models: the number of the day")
    assert sorted(of_all.apply(lambda order: order.index("1")).unique()) == [1, 2]
    page.says("the number of the day, input 1, is second or third.")
    page.says(f"gives it in {in_words(first['RFR', 'casual'])} of five draws.")
    again = ranked.query("study == 'ranking'")
    five = again["value"].str.split().str[:5]
    assert five.map(sorted).map(" ".join).eq("10 11 12 5 8").all()
    counts = five.map(" ".join).eq("5 8 11 10 12").groupby(again["method"]).agg(["sum", "size"])
    ours, theirs = counts.loc["treelab"], counts.loc["scikit-learn"]
    page.says(
        f"the same five inputs come first in all {ours['size']} forests, but in the printed order "
        f"in only {ours['sum']} of {ours['size']}; with scikit-learn's forests it is "
        f"{theirs['sum']} of {theirs['size']}."
    )


def test_two_means_of_boosting(page, results):
    weekday = bicycles.mean_importances(results).loc["7 weekday"]
    page.says(
        f"the weekday has {weekday['GBR, cnt']:.3f} there, {weekday['GBR, total, cnt']:.3f} by all "
        "gains together"
    )


def test_errors_with_fewer_inputs(page, results, ranked):
    table = bicycles.errors_by_inputs(results)
    error, casual = table["random, cnt"], table["random, casual"]
    page.says(
        f"the forest errs by {error['RFR, 5']} rentals in place of {error['RFR, 13']}, boosting by "
        f"{error['GBR, 5']} in place of {error['GBR, 13']}, with three by {error['GBR, 3']}."
    )
    page.says(f"the forest has {error['RFR, own']} and boosting {error['GBR, own']}. For `casual`")
    page.says(
        f"relative to the mean's {casual['mean']}: the five raise the forest's error from "
        f"{casual['RFR, 13']} to {casual['RFR, 5']} and that of boosting from {casual['GBR, 13']} "
        f"to {casual['GBR, 5']}."
    )
    page.says(
        f"no model comes below {table['time, cnt'].min() // 1:.0f}. There a shuffled table would "
        f"have promised {error['GBR, 13']}."
    )
    own = ranked.query("study == 'errors'")
    own = own.assign(value=own["value"].astype(float)).groupby("method")["value"].mean()
    five, three = (100 * (own[f"GBR, {n}"] / own["GBR, 13"] - 1) for n in (5, 3))
    page.says(
        f"boosting has an error of {own['GBR, 5']:.1f} with its own first five columns and "
        f"{own['GBR, 3']:.1f} with three, {five:.0f} and {three:.0f} percent above the "
        f"{own['GBR, 13']:.1f} with all. The forest has {own['RFR, 5']:.1f} with five in place of "
        f"{own['RFR, 13']:.1f}."
    )


def test_rankings_of_the_settings(page, results):
    by_seed = pd.read_csv(RESULTS / "swaps_by_seed.csv")
    runs = by_seed["model"].value_counts()
    assert runs["RFR"] == runs["GBR"]
    page.says(f"with {runs['DTR']} seeds for DTR and {runs['GBR']} each for RFR and GBR")
    page.says("whose ensembles have 25 and 50 trees in place of 200 and 400.")
    runs = results.query("study == 'thesis stability' and key == 'ranking'")["method"]
    few = runs.value_counts()
    assert few["RFR"] == few["GBR"]
    page.says(f"{in_words(few['DTR'])} seeds for DTR and {in_words(few['GBR'])} each for RFR and")
    table = bicycles.swaps_of_settings(results, by_seed)
    swaps = table.loc["swaps"]
    few, many = swaps.loc["few seeds"], swaps.loc["many seeds"]
    assert round(few["DTR"]) == swaps.loc["printed", "DTR"]
    page.says(
        f"The swaps of the tree are {few['DTR']:.1f} with treelab's ten seeds, as printed, and "
        f"{many['DTR']:.1f} with a hundred of scikit-learn."
    )
    ensembles = ["RFR", "GBR"]
    for row in (few, many):
        assert (row[ensembles] > 2 * swaps.loc["printed", ensembles]).all()
    page.says(
        f"more than twice as many as printed in both runs, {few['RFR']:.1f} and {few['GBR']:.1f} "
        f"with all trees and {many['RFR']:.1f} and {many['GBR']:.1f} with an eighth of them."
    )
    for metric in ("metric1", "metric2"):
        of = table.loc[metric]
        assert (of["RFR"] > of["DTR"])[["few seeds", "many seeds"]].all()
        assert (of.loc["at random"] < of.loc[["few seeds", "many seeds"]]).all(axis=None)
    page.says("whereas here they are larger for forests than for the tree in both runs.")
    page.says("Rankings drawn at random have smaller values than any of ours")


def test_best_settings(page, results):
    best = bicycles.best_settings(results).reset_index("best of the grid")["best of the grid"]
    printed = {
        model: ["None" if value == -1 else str(value) for value in setting]
        for model, setting in bicycles.PRINTED.items()
    }
    tree, forest, boosting = (f"{model} ({', '.join(printed[model][:4])})" for model in MODELS)
    page.says(f"Printed: {tree}, {forest} with {printed['RFR'][4]} trees, {boosting} with 200.")
    start = best.str.extract(r"\((\w+), ([\d.]+),")
    for model in MODELS:
        assert set(map(tuple, start.loc[[model]].to_numpy())) == {tuple(printed[model][:2])}
    page.says("Depth and share of inputs come out as printed in all runs.")
    assert best.loc[["GBR"]].str.endswith(" 400").all()
    page.says("boosting was better with 400 trees in all three.")


def test_spread_of_the_importances(page, settings):
    spread = bicycles.spread_of_importances(settings)
    ensembles = spread.loc[["RFR", "GBR"]]
    assert spread.loc["DTR"].between(0.142, 0.188).all()
    assert (ensembles < 0.1).all(axis=None)
    assert ensembles["settings, cnt"].tolist() == [0.083, 0.078]
    assert spread["states, cnt"].tolist() == [0.142, 0.008, 0.027]
    page.says("we had required a spread of at most 0.1 for the two ensembles, and they stay below")
    page.says(
        f"the spread of the tree is {spread.loc['DTR', 'states, cnt']}, nearly as large as the "
        f"{spread.loc['DTR', 'settings, cnt']} over the whole grid."
    )
    page.says(
        f"the random state moves only {spread.loc['RFR', 'states, cnt']} of the importance and the "
        f"setting {spread.loc['RFR', 'settings, cnt']}."
    )


def test_importance_of_the_hour(page, settings):
    forests = settings.query("model == 'RFR' and target == 'cnt' and study == 'settings'")
    hour = importances(forests)["hr"].groupby(forests["max_features"]).mean()
    page.says(
        f"With 30 percent of them the hour has an importance of {hour[0.3]:.2f}, and with 50 "
        f"percent it has {hour[0.5]:.2f}."
    )


def test_importances_for_each_target(page, settings):
    rows = settings[settings["study"] == "settings"]
    each, kinds = importances(rows), [rows["model"], rows["target"]]
    means = each.groupby(kinds).mean()
    assert (means.idxmax(axis=1) == "hr").all()

    def apart(model, target):
        """Proportion of importance that is elsewhere for all rentals."""
        return (means.loc[model, "cnt"] - means.loc[model, target]).abs().sum() / 2

    assert max(apart(model, "registered") for model in MODELS) < 0.09
    assert min(apart(model, "casual") for model in MODELS) > 0.16
    first = each.idxmax(axis=1).eq("hr").groupby(kinds).agg(["sum", "size"])
    tree, forest, boosting = (first.loc[model, "casual"] for model in MODELS)
    assert forest["sum"] == forest["size"]
    page.says(
        f"first under all {forest['size']} settings of the forest, but only under {tree['sum']} of "
        f"{tree['size']} settings of the tree and {boosting['sum']} of {boosting['size']} of boost"
    )
    six = {model: set(means.loc[model, "casual"].nlargest(6).index) for model in MODELS}
    named = {bicycles.FEATURES[i - 1] for i in (5, 7, 8, 10, 11, 12)}
    assert six["DTR"] == six["RFR"] == named
    assert six["GBR"] == named - {"weekday"} | {"day"}
    page.says("whereas boosting has the number of the day in place of the weekday.")


def test_errors_along_the_path(page, curves):
    sizes = curves.groupby(["model", "features"])["test"].mean().unstack()
    forest, boosting = sizes.loc["RFR"], sizes.loc["GBR"]
    n = len(curves.query("model == 'RFR' and features == 13"))
    page.says(
        f"the mean error of the forests over the {n} settings is {forest[5]:.1f} instead of "
        f"{forest[13]:.1f}. With 20 percent, which is three, boosting has an error of "
        f"{boosting[3]:.1f} instead of {boosting[13]:.1f}."
    )
    page.says(
        f"with ratios of {forest[5] / forest[13]:.2f} and {boosting[3] / boosting[13]:.2f} both "
    )
    assert boosting[5].round(1) == 50.2
    page.says(f"stays within it, with a ratio of {boosting[5] / boosting[13]:.2f}.")
    assert sizes.loc[["RFR", "GBR"]].idxmin(axis=1).tolist() == [10, 10]
    page.says("their lowest mean error with ten features and not with all 13.")


def test_threads_of_the_path(page, curves):
    ends = curves[curves["features"] == 13].groupby(["model", "max_depth"])["test"].mean()
    page.says(
        f"the forests of depth 5 have a mean error of {ends['RFR', 5]:.1f} and those of depth 10 "
        f"one of {ends['RFR', 10]:.1f}, whereas boosting has {ends['GBR', 2]:.1f} with depth 2 and "
        f"{ends['GBR', 4]:.1f} with depth 4."
    )
    deep = curves.query("model == 'RFR' and max_depth == 10")
    steps = deep.pivot_table("test", "max_features", "features")
    tries = [in_words(int(0.5 * n)) for n in (5, 6)]
    page.says(
        f"With a proportion of 0.5 a forest tries {tries[0]} of five features and {tries[1]} of "
        "six, and there the mean error of the forests of depth 10 drops from "
        f"{steps.loc[0.5, 5]:.1f} to {steps.loc[0.5, 6]:.1f}."
    )
    assert [int(0.3 * n) for n in (9, 10)] == [2, 3]
    page.says(
        "the step from two to three comes between nine and ten features, and the error drops from "
        f"{steps.loc[0.3, 9]:.1f} to {steps.loc[0.3, 10]:.1f}."
    )


def test_time_along_the_path(page, curves):
    time = curves.groupby(["model", "features"])["time"].mean().unstack()
    page.says(
        f"With one feature of 13 a forest still takes {time.loc['RFR', 1]:.2f} of the time that it "
        f"takes with all of them and boosting {time.loc['GBR', 1]:.2f}, and with five features it "
        f"is {time.loc['RFR', 5]:.2f} and {time.loc['GBR', 5]:.2f}."
    )


def test_strict_margins(page):
    table = page.table("bic019")
    mean, months = table.loc["mean"], table.drop("mean")
    page.says(
        f"Its coverage is {mean['strict']:.2f} on average beside {mean['with margin']:.2f}, with a "
        "wider band."
    )
    assert mean["width, strict"] > mean["width, with margin"]
    low, high = months["strict"].agg(["min", "max"])
    least, most = months["with margin"].agg(["min", "max"])
    far = (months[["strict", "with margin"]] - 0.8).abs().mean()
    page.says(
        f"{low:.2f} to {high:.2f} in place of {least:.2f} to {most:.2f}, on average "
        f"{far['strict']:.2f} from 0.8 in place of {far['with margin']:.2f}."
    )


def test_importances_under_the_extended_grid(page):
    table = page.table("bic041")
    page.says("We trained the tree under all 2 592 settings.")
    assert table.loc["settings"].tolist() == [2592, 256, 256]
    spread, distance = table.loc["spread, extended grid"], table.loc["distance"]
    assert spread["DTR"] > table.loc["spread, standard grid", "DTR"]
    page.says(f"belong, and their mean moves by {distance['DTR']:.3f}.")
    for row in (spread, distance):
        assert (row[["RFR", "GBR"]] < 0.1).all()
        assert row["GBR"] > 0.095
    page.says("although for boosting both are close to it.")
