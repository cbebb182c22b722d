"""Facts of chapter 15: its examples, its experiments, and the answers to its exercises."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from scipy.stats import binom
from scipy.stats import t as student

from treelab import RandomForestRegressor
from treelab.datasets import fetch_bike_sharing
from treelab.fast.importance import mean_decrease_impurity, oob_permutation_importance
from treelab.fast.selection import Boruta, elimination_sizes, selection_stability
from treelab.figures import choosing as figures

RESULTS = ROOT / "notebooks" / "replications"
BANDS = 60
FEW = ["one standard error", "α = 0.5 sd", "Boruta"]


@pytest.fixture(scope="module")
def table():
    """All rows of the study."""
    return pd.read_csv(RESULTS / "forests_choose.csv")


@pytest.fixture(scope="module")
def sets(table):
    """The five methods on ten halves of four data sets."""
    return table[table["study"] == "sets"]


@pytest.fixture(scope="module")
def differences(sets):
    """Error of each method minus that of all features, in each split."""
    errors = sets.pivot_table(index=["set", "repetition"], columns="method", values="value")
    return errors.sub(errors["all columns"], axis=0)[figures.METHODS]


@pytest.fixture(scope="module")
def hundred():
    """A hundred bicycle days, four measured features, a die and a coin; X and y."""
    bikes, rented = fetch_bike_sharing("day", return_X_y=True)
    draw = np.random.default_rng(0)
    rows = draw.permutation(len(bikes))[:100]
    X = bikes.iloc[rows][["season", "temp", "hum", "windspeed"]]
    X = X.assign(die=draw.integers(1, 7, 100), coin=draw.integers(0, 2, 100))
    return X, rented.iloc[rows]


@pytest.fixture(scope="module")
def run(hundred):
    """Boruta on the hundred days."""
    forest = RandomForestRegressor(50, max_depth=5)
    return Boruta(forest, two_step=False, alpha=0.01, random_state=0).fit(*hundred)


def ranks(importances, names):
    """The rank of each feature, from 1 for the most important one."""
    return pd.Series(importances, names).rank(ascending=False).astype(int)


def test_features_of_two_values_come_last(page):
    X, y = figures.days_with_noise()
    forest = RandomForestRegressor(100, oob_score=True, random_state=0)
    forest.fit(X.to_numpy(), y.to_numpy())
    importances = mean_decrease_impurity(forest)
    assert importances.min() > 0
    rank = ranks(importances, X.columns)
    rank = rank[~rank.index.str.startswith("noise")]
    assert sorted(rank) == [1, 2, 3, 4, 5, 6, 7, 9, 20, 110, 111]
    assert rank[["workingday", "holiday"]].tolist() == [110, 111]
    page.says(f"Work day and holiday come last, the week day is {rank['weekday']}th, among noise.")
    for seed in range(3):
        found = oob_permutation_importance(forest, X.to_numpy(), y.to_numpy(), random_state=seed)
        places = ranks(found.importances_mean, X.columns)[["workingday", "holiday"]]
        assert places.between(41, 69).all()
    page.says("By permutation out of bag work day and holiday lie in the middle of the noise.")


def test_coins_rank_beside_them(page):
    X, y = figures.days_with_noise()
    coins = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (365, 10)), X.index)
    X = X.join(coins.add_prefix("coin "))
    forest = RandomForestRegressor(100, random_state=0).fit(X, y)
    rank = ranks(mean_decrease_impurity(forest), X.columns)
    rank = rank[rank.index.str.startswith("coin")]
    page.says(
        f"{in_words(len(rank))} columns of coin tosses that are added to the table take ranks "
        f"{rank.min()} to {rank.max()}, beside them"
    )


def test_twelve_days(page):
    rounds = page.table("cho008").set_index("n_features")
    wrong = [in_words(round(n)) for n in rounds["wrong"]]
    assert wrong == ["seven", "four", "five", "five", "six"]
    page.says(
        f"With all five the forest is wrong on {wrong[0]} days, with four columns on {wrong[1]}."
    )
    least = 4 / 12
    se = np.sqrt(least * (1 - least) / 12)
    assert round(se, 3) == rounds["se"][4]
    page.says(
        rf"its standard error is $\sqrt{{\tfrac13 \cdot \tfrac23 / 12}} = {se:.3f}$, or "
        f"{12 * se:.1f} days. So up to ${least:.3f} + {se:.3f} = {least + se:.3f}$, "
        f"{in_words(int(12 * (least + se)))} wrong days, a set is *no worse*"
    )
    smallest = rounds.index[rounds["error"] <= least + se].min()
    first = page.output("cho008").split("\n")[0].split(" > ")[:smallest]
    assert page.output("cho010").split("\n")[0] == f"0 {' '.join(first)}"
    kept = [line[2:] for line in page.output("cho010").splitlines()]
    times = [kept.count(some) for some in ("season", "work day", "season work day")]
    assert times == [3, 1, 2]
    page.says("The six choices are three times season alone, once work day alone, and twice both.")
    assert sum("season" in some for some in kept) == 5
    page.says("Season is in five of them, but the rows are the same each time")
    page.says(f"The smallest such set is {' and '.join(first)}.")


def chance_to_be_confirmed(level, runs=100):
    """Probability that a coin is confirmed at some time within the runs."""
    still, found = np.array([1.0]), 0.0  # probabilities of 0, 1, ... hits while undecided
    for r in range(1, runs + 1):
        still = (np.append(still, 0) + np.append(0, still)) / 2
        over = binom.sf(np.arange(r + 1) - 1, r, 0.5) <= level
        found += still[over].sum()
        still[over | over[::-1]] = 0
    return found


def test_how_many_runs_confirm(page):
    level = 0.01 / 6
    page.says(f"so each gets a sixth of that: $0.01 / 6 = {level:.5f}$ (Bonferroni's correction)")
    runs = next(r for r in range(1, 100) if 0.5**r <= level)
    page.says(
        f"After {in_words(runs)}: $0.5^{{{runs}}} = {0.5**runs:.5f}$ is below {level:.5f}, and "
        f"$0.5^{runs - 1} = {0.5 ** (runs - 1):.5f}$ is not."
    )
    once = chance_to_be_confirmed(level)
    assert round(once, 4) == 0.0098
    page.says(
        "at least one of six columns that are as good as the best shadow is confirmed with a "
        f"probability of {1 - (1 - once) ** 6:.3f}."
    )
    both = 2 * binom.sf(runs - 1, runs, 0.5)
    assert both > level
    page.says(
        f"Two-sided, {in_words(runs)} hits of {in_words(runs)} have a chance of {both:.5f}, above "
        f"{level:.5f}, and would decide nothing yet."
    )


def test_a_hundred_days(page, run):
    steps = run.steps_table().set_index("feature")
    decided = {"temp": 10, "hum": 10, "die": 10, "coin": 10, "season": 14, "windspeed": 17}
    assert steps["run"].to_dict() == decided
    assert steps["hits"].tolist() == [10, 10, 0, 0, 1, 2]
    hits = run.hits_table()
    first = hits[(hits["run"] <= 3) & hits["hit"]].groupby("feature")["run"].agg(list)
    assert first.to_dict() == {"temp": [1, 2, 3], "hum": [1, 2, 3], "windspeed": [2]}
    page.says("Temperature and humidity win all three runs, windspeed the second one, by a hair.")
    wins = hits[(hits["feature"] == "windspeed") & hits["hit"]]["run"].tolist()
    assert wins[0] == 2
    page.says(
        f"Windspeed, which wins once more in run {wins[1]}, is rejected only after "
        f"{decided['windspeed']} runs."
    )


def test_a_high_bar_for_few_values(page, hundred):
    X, y = hundred
    shuffler, own, best = np.random.default_rng(0), 0, []
    for seed in range(20):
        shadows = X.apply(lambda feature: shuffler.permutation(feature.to_numpy()))
        forest = RandomForestRegressor(50, max_depth=5, random_state=seed)
        found = mean_decrease_impurity(forest.fit(np.column_stack([X, shadows]), y))
        own += found[0] > found[6]
        best.append(X.columns[found[6:].argmax()])
    assert sum(name in ("temp", "hum", "windspeed") for name in best) == 19
    page.says(f"in {own} of 20 runs it is more important than its *own* shadow")


def test_the_season_by_two_importances(page):
    kept = [line.split() for line in page.output("ccbd03c3").splitlines()]
    season = {kind: ["season" in row for row in kept if row[0] == kind] for kind in ("mdi", "oob")}
    assert season["mdi"] == [False] * 5  # nor tentative, as the cell asserts
    confirmed = sum(season["oob"])
    page.says(
        f"by permutation it is confirmed with {in_words(confirmed)} of {in_words(5)} and stays "
        f"tentative with {in_words(5 - confirmed)}."
    )


def test_what_the_rounds_cost(page):
    lines = [line.split() for line in page.output("cho022").splitlines()]
    half, fifth = [(int(n), round(float(cost))) for n, cost, _ in lines[:2]]
    page.says(
        f"{in_words(half[0]).capitalize()} forests cost {in_words(half[1])}, {fifth[0]} "
        f"{in_words(fifth[1])}."
    )


def test_the_same_errors_and_two_sets(page):
    long, short = re.findall(r"keeps (\d+)", page.output("cho024"))
    page.says(f"The same errors, the same α: {long} columns, or {short}.")
    page.says(f"In the table above {long} became {short}.")


def seeds_that_confirm_noise(source, level):
    """How many of twenty seeds confirm noise in the live cell at a level."""
    given = "seed, columns, level = 0, 10, 0.05"
    assert given in source
    fooled = 0
    for seed in range(20):
        names = {}
        exec(source.replace(given, f"seed, columns, level = {seed}, 10, {level}"), names)
        fooled += 1 in names["states"][2:]
    return fooled


def test_noise_is_confirmed_by_the_plain_boruta(page):
    source = page.cells["cho034"].source
    loose, strict = (seeds_that_confirm_noise(source, level) for level in (0.05, 0.01))
    page.says(
        f"In {in_words(loose)} of the first twenty seeds noise is confirmed; with 0.01 in place of "
        f"0.05 it is {in_words(strict)} again."
    )


def test_forests_are_fooled(page):
    shadows = pd.read_csv(RESULTS / "shadows.csv")
    noise = shadows[(shadows["study"] == "noise") & shadows["method"].str.startswith("treelab")]
    confirmed = noise["states"].str.count("C").groupby(noise["method"])
    assert confirmed.size().tolist() == [200, 200]
    (columns,) = set((100 * confirmed.mean() / 10).round(1))
    (tables,) = set(100 * confirmed.apply(lambda found: (found > 0).mean()))
    page.says(
        f"they confirmed {columns} percent of the columns, and one at least in {tables:g} of a "
        "hundred tables"
    )
    coin = shadows[shadows["study"] == "coin"]["value"]
    two_steps, bonferroni = (100 * (1 - (1 - coin) ** 10)).round().astype(int)
    page.says(f"Ten coins would be confirmed so in {bonferroni} and {two_steps}.")


def test_every_method_wins_on_the_bicycles(page, differences):
    assert (differences.loc["bicycles"] < 0).all(axis=None)
    page.says("every method has a lower error than all columns in each of the ten splits.")


def test_no_other_difference_is_decided(page, sets, differences):
    by_set = differences.groupby("set")
    half = student.ppf(0.975, 9) * np.sqrt(1 / 10 + 1) * by_set.std()
    decided = by_set.mean().abs() > half
    assert decided.loc["bicycles"].all()
    assert not decided.drop(index="bicycles").any(axis=None)
    page.says("on the other three tables no difference is decided.")
    sonar = by_set.mean().loc["sonar", FEW[:2]]
    assert (sonar - half.loc["sonar", FEW[:2]] < 0).all()
    assert (sonar + half.loc["sonar", FEW[:2]] > 0.1).all()
    page.says("the intervals reach from a gain to a loss of more than 0.1.")
    shown = figures.differences_in_error(sets)
    mean, its_half = by_set.mean().loc["musk", "lasso"], half.loc["musk", "lasso"]
    assert shown.loc["lasso", "musk"] == f"{mean:+.3f} ± {its_half:.3f}"


def test_errors_and_sizes(page, sets, differences):
    errors = sets.pivot_table(index="method", columns="set", values="value", aggfunc="mean")
    kept = sets.pivot_table(index="method", columns="set", values="kept", aggfunc="mean")
    sonar = errors["sonar"]
    assert sonar[FEW].round(2).between(0.23, 0.24).all()
    sizes = [in_words(round(n)) for n in kept.loc[FEW, "sonar"].agg(["min", "max"])]
    page.says(
        f"{sonar['all columns']:.3f} of the rows are wrong with all bands and about "
        f"{sonar[FEW].min():.2f} with {sizes[0]} to {sizes[1]} of them"
    )
    assert differences.loc["musk"][FEW].mean().min() > 0.02
    assert differences.groupby("set")["RFECV"].mean()[["sonar", "musk"]].max() < 0.01
    assert (kept.loc["RFECV", ["sonar", "musk"]] > [30, 83]).all()
    ozone = differences.loc["ozone"].mean()
    assert ozone.drop("lasso").between(0, 0.025).all()
    assert -0.01 < ozone["lasso"] < 0
    noise = sets[sets["set"] == "bicycles"].groupby("method")["noise"].mean()
    page.says(
        f"{noise['Boruta']:.1f} of its {kept.loc['Boruta', 'bicycles']:.1f} on the bicycles are "
        "noise"
    )


def test_stability_and_time(page, sets):
    both = figures.kept_and_stability(sets)
    stability = both.map(lambda words: float(words.split(" / ")[1]))
    assert stability[["sonar", "musk"]].idxmax().tolist() == ["Boruta"] * 2
    page.says("On sonar and musk Boruta's sets are the most alike")
    assert stability.loc[["RFECV", "lasso"], "sonar"].abs().max() < 0.05
    page.says("those of `RFECV` and the lasso on the sonar might have been drawn.")
    took = sets.pivot_table(index="method", columns="set", values="time", aggfunc="mean").round()
    low, high = took.min(axis=1).astype(int), took.max(axis=1).astype(int)
    page.says(
        f"{low[FEW[:2]].min()} to {high[FEW[:2]].max()} for an elimination, {low['Boruta']} to "
        f"{high['Boruta']} for Boruta, {low['RFECV']} to {high['RFECV']} for `RFECV`, "
        f"{high['lasso']} at most for the lasso."
    )
    assert took.loc["α = 0.5 sd"].agg(["min", "max"]).tolist() == [6, 17]


def test_settings_after_the_columns(page, table):
    search = table[table["study"] == "search"]
    reported = search.groupby(["set", "method"])["value"].mean().unstack().round(3)
    other_half = search.groupby("set")["new"].mean().round(3)
    outside, nested = reported["chosen on all rows"], reported["nested"]
    assert nested["shuffled"] == other_half["shuffled"]
    page.says(
        f"nested says {nested['shuffled']}, the other way {outside['shuffled']}, for the rows that "
        "judge have chosen"
    )
    page.says(
        f"With the true classes it promises {outside['sonar']}; the other half has "
        f"{other_half['sonar']}. Nested says {nested['sonar']}, perhaps"
    )


def test_a_lower_bar(page, table):
    bars = table[table["study"] == "perc"]
    found = bars.assign(real=bars["kept"] - bars["noise"]).groupby("method")[["real", "noise"]]
    found = found.mean().round(1)
    assert found.loc[["perc=100", "perc=75", "perc=50"]].to_numpy().tolist() == [
        [7.8, 0.4], [8.4, 5.6], [8.8, 18.4],
    ]  # fmt: skip
    real, noise = found.loc["perc=50"] - found.loc["perc=100"]
    page.says(
        f"A lower bar lets {in_words(round(real))} more real column in, and with it {noise:.0f} of "
        "noise."
    )


def test_copies_in_one_draw(page):
    *trials, importances = page.output("cho047").splitlines()
    errors = [line.split()[-1] for line in trials]
    assert errors == ["0.94", "0.94", "1.54", "0.94"]
    shares = [float(number) for number in re.findall(r"-?\d\.\d+", importances)]
    family = [shares[0], *shares[5:]]
    page.says(
        f"Four share the importance, {min(family)} to {max(family)} each, and stand behind the "
        f"weaker ones with {shares[1]} and {shares[2]}."
    )
    page.says(f"Ranked once, none of the four is left: error {errors[2]} for {errors[3]}.")


def test_copies_in_twenty_draws(page, table):
    family = table[table["study"] == "copies"].set_index("set")
    found = family[family["method"] != "Boruta"].groupby(["set", "method"])["value"].sum()
    once, anew = (found.unstack()[rank].astype(int).tolist() for rank in ("once", "anew"))
    assert once[2] == 0
    assert anew == [once[0]] * 3
    page.says(
        f"In 20 draws the strongest is among the two {once[0]} times without copies; ranked once, "
        f"{once[1]} times with one copy, never with three; ranked anew, always {anew[2]}."
    )
    boruta = family[family["method"] == "Boruta"]["value"]
    assert (boruta.loc["0 copies"] == 1).sum() == 20
    nobody = (boruta.loc["4 copies"] == 0).sum()
    page.says(
        f"A weak column is confirmed in all of 20 draws; with four near copies, in "
        f"{in_words(nobody)} of them nobody of the family is"
    )


def test_the_least_error_of_a_path(page, table):
    lucky = table[table["study"] == "optimism"]
    least = lucky[lucky["method"] == "least error"].groupby("set")[["value", "new"]].mean()
    below = (lucky["value"] < lucky["new"])[lucky["method"] == "least error"]
    below = below.groupby(lucky["set"]).sum()
    (days, noise) = (least.loc[name] for name in ("bicycles", "noise"))
    page.says(
        f"{days['value'] / 1000:.0f} against {days['new'] / 1000:.0f} on the days, in "
        f"{below['bicycles']} of 50 draws; {noise['value']:.3f} against {noise['new']:.3f} on the "
        f"noise, in {below['noise']}."
    )


def test_what_the_choice_adds(page, table):
    lucky = table[table["study"] == "optimism"]
    unit = np.where(lucky["set"] == "bicycles", 1000, 1)
    gap = lucky.assign(gap=(lucky["new"] - lucky["value"]) / unit)
    gap = gap.pivot_table(index=["set", "repetition"], columns="method", values="gap")
    whole = gap["all columns"].groupby("set").agg(["mean", "sem"])
    assert (whole["mean"].abs() < 1.5 * whole["sem"]).all()
    mean, sem = whole.loc["bicycles"]
    page.says(f"the same rows are easier by {mean:.0f} ± {sem:.0f} with all columns")
    adds = (gap["least error"] - gap["all columns"]).groupby("set").agg(["mean", "sem"])
    (days, its_sem), (noise, noise_sem) = adds.loc["bicycles"], adds.loc["noise"]
    wide, narrow = (len(elimination_sizes(d, 0.2)) for d in (111, 40))
    page.says(
        f"The choice adds {days:.0f} ± {its_sem:.0f}, and {noise:.3f} ± {noise_sem:.3f} on the "
        f"noise: of {wide} or {narrow} sets, the one was taken"
    )


def test_bands_for_somebody_who_pays(page, table):
    lots = table[table["study"] == "lots"].set_index("repetition")["value"]
    sonar = table[(table["study"] == "sets") & (table["set"] == "sonar")]
    wrong = sonar.pivot_table(index="repetition", columns="method", values="value")
    kept = sonar.groupby("method")["kept"].mean()
    boruta, rule, every = wrong["Boruta"], wrong["one standard error"], wrong["all columns"]
    page.says(
        f"On ten halves Boruta kept {kept['Boruta']:.1f} of the {BANDS} bands on average; a forest "
        f"on these was wrong in {boruta.mean():.3f} of the rows of the other half, with all bands "
        f"in {every.mean():.3f}, with as many bands that I drew by lot in {lots.mean():.3f}."
    )
    loss, gain = boruta - every, lots - boruta
    page.says(
        f"The loss against all bands is {loss.mean():.3f}, with a standard deviation of "
        f"{loss.std():.3f} over the splits; against the lot the gain is {gain.mean():.3f}, with "
        f"{gain.std():.3f}, in {in_words((gain > 0).sum())} splits of ten."
    )
    page.says(
        "An elimination by one standard error kept "
        f"{kept['one standard error']:.1f}, with {rule.mean():.3f}."
    )
    masks = {way: figures.selected_masks(sonar, "sonar", way) for way in FEW}
    stable = [
        selection_stability(masks[way]).value["nogueira"]
        for way in ("Boruta", "one standard error")
    ]
    page.says("Stability is {:.2f} and {:.2f}. V9 to V12".format(*stable))
    often = masks["Boruta"].sum(axis=0)
    assert np.flatnonzero(often == 10).tolist() == [8, 9, 10, 11]
    most = in_words(np.sort(often)[-5])
    page.says(f"V9 to V12 were kept by Boruta on all ten halves, no other band on more than {most}")
