"""Facts of the page that compares four ensembles: differences, tests, tuning, noise and costs."""

import sys

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from scipy.stats import friedmanchisquare

from treelab import AdaBoostClassifier, GradientBoostingClassifier, RandomForestClassifier
from treelab.figures import comparing as figures

RESULTS = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def script():
    """The script that made the table, imported as the page imports it."""
    sys.path.insert(0, str(RESULTS.parent))
    try:
        from replications import four_ensembles
    finally:
        sys.path.remove(str(RESULTS.parent))
    return four_ensembles


@pytest.fixture(scope="module")
def everything():
    return pd.read_csv(RESULTS / "four_ensembles.csv")


@pytest.fixture(scope="module")
def runs(everything):
    return everything[everything["set"].isin(figures.QUESTIONS)]


@pytest.fixture(scope="module")
def errors(runs):
    usual = runs.query("how == 'default' and noise == 0 and members <= 100")
    return figures.errors_of(usual)


@pytest.fixture(scope="module")
def means(errors):
    return errors.groupby("set", sort=False).mean()


def in_standard_errors(errors, a, b):
    """Mean differences of two methods on each set, in their standard errors."""
    return figures.difference(errors, a, b).eval("mean / se")


def clear_pairs(errors):
    """The differences among the four beyond two standard errors; set, winner, loser, size."""
    found = []
    for a, b in figures.PAIRS:
        for name, row in figures.difference(errors, a, b).iterrows():
            if abs(row["mean"]) > 2 * row["se"]:
                winner, loser = (a, b) if row["mean"] < 0 else (b, a)
                size = 100 * abs(row["mean"])
                found.append((name, winner, loser, size, abs(row["mean"]) / row["se"]))
    return pd.DataFrame(found, columns=["set", "winner", "loser", "points", "in se"])


def test_bias_and_variance(page):
    bias, variance = (c.str.split().str[0].astype(float) for _, c in page.table("ens-003").items())
    averages = ["bagging", "forest"]
    page.says(
        f"Averaging grown trees cuts the variance, {variance['grown tree']}, to "
        f"{variance['bagging']} and {variance['forest']}, and the bias does not fall"
    )
    assert (bias[averages] > bias["grown tree"]).all()
    begin, end = "boosting, 1 tree", "boosting, 100 trees"
    page.says(f"after one tree bias {bias[begin]}, variance {variance[begin]}. Its rounds take")
    page.says(
        f"pay with variance, {variance[end]} in the end, still less than the "
        f"{variance['tree of depth 3']} of one tree of depth 3."
    )
    assert bias.idxmin() == end
    for part in (bias, variance):
        assert part["AdaBoost.R2, 100 trees"] < part["AdaBoost.R2, 1 tree"]
    page.says("AdaBoost.R2 begins with such a tree on resampled rows, and both fall.")


def test_the_table_of_the_sets_counts_the_features_that_the_script_uses(page, script):
    assert list(figures.QUESTIONS) == list(script.CLASSES)
    shown = page.table("twelve-sets")["features"]
    assert shown.to_dict() == {
        name: script.split(name, 0)[0].shape[1] for name in figures.QUESTIONS
    }


def test_the_settings_of_the_page_give_the_errors_of_the_table(page, script, errors):
    assert errors.groupby("set").size().tolist() == 12 * [20]
    names = page.run(
        "ens-006",
        AdaBoostClassifier=AdaBoostClassifier,
        GradientBoostingClassifier=GradientBoostingClassifier,
        RandomForestClassifier=RandomForestClassifier,
    )
    X, y, Z, z = script.split("sonar", 1)
    again = {name: np.mean(m.fit(X, y).predict(Z) != z) for name, m in names["four"].items()}
    assert list(again) == figures.ENSEMBLES
    stored = errors.loc[("sonar", 1), list(again)].astype(float)
    assert np.allclose(stored, list(again.values()), atol=1e-6)


def test_relative_errors(page, means):
    relative = means[figures.ENSEMBLES].div(means["tree"], axis=0)
    (above, thyroid) = relative.loc["vehicle"], relative.loc["thyroid"]
    assert relative.drop(index=["vehicle", "thyroid"]).lt(1).all(axis=None)
    assert above.index[above > 1].tolist() == ["AdaBoost"]
    worse = thyroid[thyroid > 1]
    caption = page.caption("ens-008")
    caption.says(
        f"All do, but for AdaBoost on vehicles and {in_words(len(worse))} of them on the thyroid."
    )
    caption.says(
        f"where {in_words(len(worse))} of the four are at {worse.min():.2f} to {worse.max():.2f}, "
        f"and AdaBoost on vehicles at {above['AdaBoost']:.2f}."
    )
    least = relative.stack().sort_values()
    assert least.index[:2].tolist() == [("odd digit", "forest"), ("tumors", "AdaBoost")]
    caption.says(
        f"The least are the forest on odd digits, {least.iloc[0]:.2f}, and AdaBoost on tumors, "
        f"{least.iloc[1]:.2f}."
    )


def test_the_four_against_one_tree(page, errors, means):
    lower = means[figures.ENSEMBLES].lt(means["tree"], axis=0).sum().sum()
    apart = pd.DataFrame({a: in_standard_errors(errors, a, "tree") for a in figures.ENSEMBLES})
    page.says(
        f"Against one grown tree the four are ahead on {lower} of {apart.size}, clearly on "
        f"{(apart < -2).sum().sum()}; one is clearly behind"
    )
    behind = apart.stack()
    assert behind.index[behind > 2].tolist() == [("vehicle", "AdaBoost")]
    page.says("one is clearly behind: AdaBoost's stumps, on vehicles.")


def test_clear_differences_among_the_four(page, errors):
    clear = clear_pairs(errors)
    assert set(clear["loser"]) == {"AdaBoost"}
    page.says(
        f"Of the {12 * len(figures.PAIRS)} comparisons among the four, {len(clear)} are clear, all "
        "against these stumps"
    )
    vehicle, digits = (clear[clear["set"] == name] for name in ("vehicle", "odd digit"))
    assert len(vehicle) + len(digits) == len(clear)
    (points,) = set(vehicle["points"].round())
    assert vehicle["in se"].max() == clear["in se"].max()
    page.says(
        f"{in_words(len(vehicle))} on vehicles, by {points:.0f} points and up to "
        f"{clear['in se'].max():.1f} standard errors, {in_words(len(digits))} on odd digits."
    )


def test_differences_to_the_forest(page, errors):
    clear = clear_pairs(errors).query("winner == 'forest' or loser == 'forest'")
    caption = page.caption("ens-011")
    assert clear["loser"].tolist() == ["AdaBoost"] * len(clear)
    caption.says(
        f"{in_words(len(clear)).capitalize()} of the {12 * len(figures.RIVALS)} intervals leave "
        "zero out, both of AdaBoost: on vehicles and on odd digits."
    )
    points = clear.set_index("set")["points"]
    caption.says(
        f"that of AdaBoost on vehicles lies around {points['vehicle']:.0f}, on odd digits around "
        f"{points['odd digit']:.0f}, to the right."
    )


def test_the_forest_against_boosting(page, errors, means):
    tested = figures.compare_over_sets(means)
    pair = tested.loc["forest against boosting"]
    lower, higher, ties = pair[["lower", "higher", "ties"]].astype(int)
    assert ties == 1
    page.says(
        f"The forest is ahead of boosting on {in_words(lower)} sets and behind on "
        f"{in_words(higher)}"
    )
    wrong = 200 * errors.loc["thyroid", ["forest", "boosting"]].sum()
    (both,) = set(wrong.round(6))
    page.says(f"on thyroid both make {both:.0f} errors.")
    page.says(
        f"The sign test gives p = {pair['sign test']:.3f}, Wilcoxon's {pair['Holm']:.2f} after the "
        "adjustment."
    )
    assert tested["Holm"].drop("forest against boosting").min() > 0.15
    assert tested.loc["AdaBoost against boosting", ["lower", "higher", "ties"]].tolist() == [
        6,
        5,
        1,
    ]
    gap = 100 * (means["boosting"] - means["forest"])
    page.says(f"So the advantage, {gap.mean():.1f} points on average, is at the border of")
    assert gap.round(1).max() == 1.4
    assert gap.idxmax() == "credit"


def test_mean_ranks(page, means):
    rounded = means[figures.ENSEMBLES].round(12)
    ranks = rounded.rank(axis=1).mean()
    friedman = friedmanchisquare(*(rounded[name] for name in figures.ENSEMBLES))
    assert ranks.idxmin() == "forest"
    assert ranks.max() == ranks["boosting"]
    apart, critical = ranks["boosting"] - ranks["forest"], figures.critical_difference(4, 12)
    assert apart < critical
    page.says(
        f"The Friedman test rejects equal ranks with p = {friedman.pvalue:.2f}, but the mean ranks "
        f"{ranks['forest']:.2f} and {ranks['boosting']:.2f} are {apart:.2f} apart, less than "
        f"Nemenyi's {critical:.2f}."
    )


def test_tuning(page, runs, errors):
    tuned = figures.errors_of(runs.query("how == 'tuned'"))
    for name in figures.METHODS:
        pair = pd.DataFrame({"usual": errors.loc[tuned.index, name], "tuned": tuned[name]})
        assert not (in_standard_errors(pair, "tuned", "usual") > 2).any()
    page.says("the sets on which choosing lowers them (it raises none clearly):")
    ahead = [(figures.difference(tuned, "forest", b)["mean"] < 0).sum() for b in figures.RIVALS]
    behind = [(figures.difference(tuned, "forest", b)["mean"] > 0).sum() for b in figures.RIVALS]
    assert [sum(pair) for pair in zip(ahead, behind, strict=True)] == [12, 12, 12]
    assert ahead[1] == ahead[2]
    page.says(
        f"Tuned, the forest is ahead of bagging on {ahead[0]} sets of 12, of AdaBoost and of "
        f"boosting on {ahead[1]}"
    )
    clear = clear_pairs(tuned)
    page.says(
        f"of the {12 * len(figures.PAIRS)} differences {in_words(len(clear))} is clear, "
        f"{clear['winner'].iloc[0]} ahead of {clear['loser'].iloc[0]}."
    )


def test_wrong_labels(page, runs, errors):
    noisy = figures.errors_of(runs.query("noise == 0.2 and members <= 100"))
    rises = noisy - errors.loc[noisy.index]
    points = 100 * rises.groupby("set").mean()
    low, high = points["tree"].min(), points["tree"].max()
    page.says(f"The tree believes every label: {low:.0f} to {high:.0f} points.")
    low, high = points["boosting"].min(), points["boosting"].max()
    assert (points["boosting"] > points["forest"]).all()
    page.says(f"Boosting rises by {low:.0f} to {high:.0f}, more than the forest on every set")
    more = points["AdaBoost"] > points["forest"]
    assert set(more.index[~more]) == {"thyroid", "vehicle"}
    page.says(
        f"So does AdaBoost on {in_words(more.sum())} sets, but not on the thyroid, nor on vehicles."
    )
    assert figures.clear_on(rises, "AdaBoost", "forest", sign=1) == "tumors, waveform"
    assert figures.clear_on(rises, "AdaBoost", "forest") == "vehicle"
    assert figures.clear_on(rises, "boosting", "forest", sign=1) == "tumors, ionosphere, waveform"
    assert figures.clear_on(rises, "bagging", "forest", sign=1) == "none"


def test_more_rounds(page, runs):
    table = figures.more_rounds(runs)
    assert table["200 worse on"].tolist() == ["1 of 6", "3 of 6", "5 of 6", "6 of 6"]
    assert table["clearly worse on"].tolist() == ["none", "none", "none", "thyroid"]
    page.says("With wrong ones 200 are worse on most, once clearly.")
    both = runs.query("how == 'default' and method in ['AdaBoost', 'boosting'] and split < 10")
    for _, part in both.groupby(["noise", "method"]):
        e = part.pivot(index=["set", "split"], columns="members", values="error")
        noisy = e.loc[e.index.get_level_values("set").isin(runs.query("noise > 0")["set"])]
        assert figures.clear_on(noisy, 200, 100) == "none"
    page.says("With clean labels no set tells 200 rounds from 100.")


def test_costs(page):
    table = page.table("ens-021")
    work, nodes = table["work of fitting"], table["nodes"]
    assert nodes["forest"] > nodes["bagging"]
    assert round(work["bagging"] / work["forest"]) == 5
    page.says("the square root of the number of features: a fifth of the work.")
    assert abs(work["AdaBoost"] - work["forest"]) < 2
    page.says("a fifth of the work. Stumps cost as little.")


def test_regression(page, everything, script):
    numbers = everything[everything["set"].isin(script.NUMBERS)].query("members <= 100")
    errors = figures.errors_of(numbers)
    page.says(f"{in_words(len(script.NUMBERS)).capitalize()} tables with a number to predict,")
    for name in ("bagging", "boosting"):
        assert figures.clear_on(errors, name, "forest") == "Friedman"
    page.says("Boosting is far ahead on Friedman's function, which is smooth, and a little behind")
    assert figures.clear_on(errors, "boosting", "forest", sign=1) == "diabetes"
    page.says("too few for the forest: bagging is ahead, too.")
    assert figures.clear_on(errors, "AdaBoost", "forest", sign=1) == "ozone, bicycles"
    page.says("AdaBoost.R2 is clearly behind on the ozone and the bicycles.")


def test_at_the_usual_settings_nothing_is_clearly_ahead_of_the_forest(page, errors):
    assert "forest" not in set(clear_pairs(errors)["loser"])
    page.says("At its usual settings nothing is clearly ahead of it on the twelve sets")


def test_the_rows_of_a_split(page, script):
    page.says(f"In each of twenty splits {script.ROWS} rows, or all, if there are fewer")
    X, _, Z, _ = script.split("waveform", 0)
    page.says(f"All this holds for at most {len(X)} training rows")
    page.says(f"Here {len(Z)} test rows and twenty splits could rarely tell")
