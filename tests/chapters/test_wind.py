"""Facts of chapter 19: its maps, its results on drawn farms, and its exercises."""

import numpy as np
import pandas as pd
import pytest
from facts import Page, in_words
from places import ROOT
from replicated import answers

from treelab.fast.selection import (
    elimination_sizes,
    perc_std,
    smallest_size,
    stochastic_sizes,
)
from treelab.figures import wind as figures
from treelab.figures.wind import against, chosen, farms, mean_and_error, picked
from treelab.figures.wind_farm import CELL_KM, make_wind_farm, matern_correlation

WEST, SOUTH = 20.2, 27.8  # km from cell to cell
TOGETHER = np.array([6.601, 6.562, 6.55, 6.545, 6.589, 6.725, 6.93, 7.148, 7.595, 7.563])
BLOCKS = np.array([6.601, 6.55, 6.502, 6.529, 6.604])
SIZES = {10: [1080, 540, 270, 135, 67, 33, 16, 8, 4, 2], 5: [1080, 540, 270, 135, 68]}


@pytest.fixture(autouse=True)
def _in_notebooks(monkeypatch):
    """Be where the notebooks are, because the figures read their tables from there."""
    monkeypatch.chdir(ROOT / "notebooks")


def size_of(differences):
    """Mean without its sign, and standard error, as text."""
    return mean_and_error(differences).lstrip("+-")


def errors_of(study):
    """Test errors of the ways of a study; a row for each farm."""
    return farms(study).pivot_table(index="farm", columns="way", values="test")


def errors_at(way, kept, length=200):
    """Test errors of the sets of so many columns, farm by farm."""
    rows = farms("sets", length)
    return rows[(rows["way"] == way) & (rows["kept"] == kept)].set_index("farm")["test"]


def signals(sets):
    """How many of the five columns behind the power each set holds."""
    return [int(figures.columns_of_the_grid()["signal"][some].sum()) for some in sets]


# The opening, a neighbor, and the weather


def test_sixteen_columns_chosen_in_two_years(page):
    sets = chosen("anew", kept=16)[:2]
    variable = figures.columns_of_the_grid()["variable"]
    assert all(variable[some].str.startswith(("speed", "u", "v")).all() for some in sets)
    page.says(f"an elimination chose {in_words(len(sets[0]))} columns. From another year, drawn")
    own = [in_words(n) for n in signals(sets)]
    same = len(np.intersect1d(*sets))
    (a, b), (all_a, all_b) = (
        errors_at(*way).sort_index()[:2] for way in (("anew", 16), ("all", 1080))
    )
    page.says(
        f"A holds {own[0]}, B {own[1]}. Yet they share {same}, and err less than all 1 080: "
        f"{a:.2f} and {b:.2f} percent of rated power, against {all_a:.2f} and {all_b:.2f}."
    )
    page.caption("wind002").says("one hollow square, a component of the wind, stands on")


def test_a_cell_and_its_neighbor(page):
    names = page.run("wind005", np=np, pd=pd)
    hours, power = names["hours"], names["power"]
    products, sums = hours.T @ hours, hours.T @ power
    assert products.to_numpy().tolist() == [[40, 32, 0], [32, 40, 0], [0, 0, 8]]
    assert sums.tolist() == [288, 288, 48]
    farm, air = sums["farm"] / products["farm"]["farm"], sums["air"] / products["air"]["air"]
    page.says(
        rf"$\sum xy / \sum x^2 = 288 / 40 = {farm:g}$, importance {farm**2:.1f}; for `air` "
        f"$48 / 8 = {air:g}$, importance {air**2:g}."
    )
    both = sums["farm"] / (40 + 32)
    page.says(rf"$(40 + 32) \cdot \text{{slope}} = 288$, so {both:g}, importance {both**2:g} each.")
    errors = [line.split()[-3:] for line in page.output("wind007").splitlines()]
    assert errors == [["36.0", "64.8", "100.8"], ["36.0", "64.8", "324.0"]]
    assert "ranked once: air > farm > north" in page.output("wind007")
    assert air**2 > both**2  # so `farm` leaves if the first ranking stays
    page.says(
        f"Ranked anew, `farm` has {farm**2:.1f} and `air` {air**2:g}, so `air` leaves, and the "
        f"error rises to {errors[0][2]}. In the first ranking `air` has {air**2:g} and `farm` "
        f"{both**2:g}, so `farm` leaves, and the error rises to {float(errors[1][2]):g}."
    )
    page.says(f"without it the error rises from {float(errors[0][0]):g} to {errors[0][1]}, for the")
    stepper = page.output("wind008")
    assert f"the winds share, {both**2:g} and {both**2:g}; air has {air**2:g}." in stepper
    assert f"farm inherits what north had, {farm**2:.1f}, and air is the last" in stepper
    importance = page.table("wind008")["importance"]
    assert np.allclose(importance[["farm", "air", "north"]], [farm**2, air**2, both**2])


def test_what_each_of_many_columns_keeps(page):
    u, o, slope = 4, 1, 9
    one, two, nine = (slope * u / (o + G * u) for G in (1, 2, 9))
    page.says(
        f"{one:g} for one column, {two:g} for two, {nine:.2f} for nine, with 1/{o + u}, "
        f"1/{o + 2 * u}, 1/{o + 9 * u} unexplained."
    )


def test_correlations_of_the_weather(page):
    lengths = np.array(figures.LENGTHS)
    west, north = CELL_KM
    next_cell = matern_correlation(west, lengths)
    at_length = matern_correlation(lengths, lengths)
    assert len(set(at_length.round(2))) == 1
    page.says(rf"{at_length[0]:.2f} at the {{term}}`correlation length`, and")
    caption = page.caption("wind012")
    caption.says(f"At 200 km the next cell, {west:.0f} km away, has {next_cell[1]:.2f}.")
    caption.says(f"At 50 km the correlation is {next_cell[0]:.2f} for the next cell and nearly 0")
    assert next_cell[2].round(2) == 1
    assert figures.columns_of_the_grid()["distance"].max().round() == 180


def test_correlations_of_the_speed(page):
    row = make_wind_farm(30, step=24, grid=(15, 1), return_X_y=False, random_state=0)
    cells = [f"speed100_x{x}_y0" for x in (7, 8, 9, 12)]
    speeds = np.corrcoef(row.data[cells].to_numpy(), rowvar=False)[0, 1:]
    fields = 0.98 * matern_correlation(CELL_KM[0] * np.array([1, 2, 5]), 200)
    assert np.allclose(speeds, fields**2, atol=0.05)
    page.says("of the speed, made of two fields, about the square.")
    assert 0.9 < speeds[0] < 0.95
    page.says("At 200 km the speeds of two neighbors have a correlation above 0.9: which of")


def test_importances_of_the_live_cell(page):
    importances = page.output("wind015").split()
    page.says(f"The cell that does it all gets {importances[4]}, a corner {importances[-1]}.")


def test_an_elimination_on_a_small_grid(page):
    kept = page.table("wind017")
    assert kept["variable"].str.startswith("speed").all()
    sizes = elimination_sizes(280, 0.5)
    assert list(sizes) == [280, 140, 70, 35, 17, 8, 4, 2]
    page.says(
        f"Of {sizes[0]} columns {in_words(len(kept))} are left, all speeds, at the farm (3, 2)"
    )
    assert ((abs(kept["x"] - 3) <= 1) & (abs(kept["y"] - 2) <= 1)).all()
    assert kept["signal"].sum() == 1
    page.says("One of them is a *signal*, one of the five.")


# Eight farms


def test_the_five_columns_behind_the_power_are_a_bad_set(page):
    tried = errors_of("tried")
    nine = tried["nine, all tried"]
    exact = tried["nine, all tried, exact"] - errors_of("exact")["own, all tried"]
    assert mean_and_error(nine - picked("own, all tried")["test"]).startswith("-")
    assert mean_and_error(exact).startswith("-")
    page.says(
        f"if all are tried, the nine cells ({nine.mean():.2f}) are "
        f"{size_of(nine - picked('own, all tried')['test'])} better than the five, and with "
        f"forecasts without error {size_of(exact)}."
    )


def test_what_choices_gain_on_eight_farms(page):
    once, anew, F = (against(way) for way in ("once", "anew", "F"))
    sizes = [f"{picked(way)['kept'].mean():.0f}" for way in ("once", "anew")]
    page.says(
        f"Elimination gains {-once.mean():.2f} and {-anew.mean():.2f}, keeping {sizes[0]} and "
        f"{sizes[1]} columns, the F filter {-F.mean():.2f}, each in {in_words((once < 0).sum())} "
        "farms of eight."
    )
    assert ((anew < 0).sum(), (F < 0).sum()) == (8, 8)
    assert [mean_and_error(gap) for gap in (once, anew, F)] == [
        "-0.33 ± 0.06", "-0.36 ± 0.06", "-0.33 ± 0.05"
    ]  # fmt: skip
    pairs = [against("F", "once"), against("anew", "once")]
    assert [mean_and_error(gap) for gap in pairs] == ["-0.01 ± 0.04", "-0.04 ± 0.03"]
    page.says(
        f"lie {size_of(against('blocks', 'once'))} above *once*, Boruta "
        f"{size_of(against('Boruta 100', 'once'))}."
    )
    assert (against("blocks", "once").mean(), against("Boruta 100", "once").mean()) > (0, 0)


def test_why_fewer_columns_help(page):
    ten, leaves, trees = errors_at("F", 10), errors_of("leaves"), errors_of("trees")
    gain = ten - picked("all")["test"]
    tried = errors_of("tried")["F, all tried"] - errors_of("causes")["all, all tried"]
    large = trees["F"] - trees["all"]
    by_leaves = leaves["F"] - leaves["all"]
    assert max(gap.mean() for gap in (gain, tried, large, by_leaves)) < 0
    page.says(
        f"Ten of F gain {size_of(gain)}. Not because a node's draw misses the good ones: with all "
        f"tried, still {size_of(tried)}. Nor because the forest is small: with 200 trees, "
        f"{size_of(large)}."
    )
    cost, help_ = leaves["F"] - ten, leaves["all"] - picked("all")["test"]
    assert cost.mean() > 0 > help_.mean()
    page.says(
        f"With leaves of 40 rows only {size_of(by_leaves)}; but these cost the ten "
        f"{size_of(cost)}, and bring all columns {size_of(help_)}."
    )


def test_how_far_the_correlation_reaches(page):
    table = page.table("wind025")
    without, F = table.loc["without"], table.loc["F filter"]
    near, middle, far = (words.split()[0] for words in without)
    keeps, own = table.loc["Boruta keeps", "50 km"], table.loc["of the five"].astype(float)
    page.says(f"without the farm's cell the error grows by {near.lstrip('+')} points, the five")
    page.says(
        f"Boruta's {float(keeps):.0f} columns hold {in_words(round(own['50 km']))} of them. At "
        f"200 km a neighbor is nearly one ({middle.lstrip('+')} more), the five are worse than all"
    )
    assert without["600 km"] == "+0.03 ± 0.05"
    assert (keeps, own.tolist()) == ("27.4", [3.0, 1.2, 1.0])
    assert F["600 km"] == "-0.19 ± 0.05"
    holds = [
        [float(np.mean(signals(chosen(way, n, kept=kept)[:5]))) for n in figures.LENGTHS]
        for way, kept in (("F", 10), ("once", 16))
    ]
    assert holds == [[1, 1, 1], [3.2, 1, 1]]
    page.says("ten columns of F hold one at each length.")


def test_nine_cells_on_a_map(page):
    data = page.data("wind027")
    runs = dict(zip(data["methods"], data["runs"], strict=True))
    at = [data["lengths"].index(length) for length in (12.5, 100, 800)]
    again = [in_words(runs["forest"][k]["both"]) for k in at]
    page.says("of the nine {} comes again. At 100 km {} do; at 800 km {}.".format(*again))
    most = max(max(run["near"]) for run in runs["forward"])
    page.says(f"never has more than {in_words(most)} of nine in the box.")


def test_what_cells_know_on_the_map():
    known = {}
    for length in (12.5, 100, 800):
        farm = make_wind_farm(1 / 365, length=length, random_state=0, return_X_y=False)
        cells = farm.columns[farm.columns["variable"] == "speed100"]
        assert (cells["x"] + 15 * cells["y"] == np.arange(135)).all()
        near = (abs(cells["x"] - 7) <= 1) & (abs(cells["y"] - 4) <= 1)
        around = cells["correlation"][near].nsmallest(8)  # all but the farm's own
        known[length] = [cells["correlation"].min(), around.min(), around.max()]
    assert np.round([known[12.5][1:], known[100][1:]], 2).tolist() == [[0.05, 0.23], [0.87, 0.94]]
    assert np.round([known[100][0], known[800][0]], 2).tolist() == [0.18, 0.93]


# Maps


def test_a_map_of_few_columns_is_a_choice_and_that_of_many_is_none(page):
    maps = page.table("wind031")
    few, many = maps.loc["elimination, 16"], maps.loc["elimination, once"]
    page.says(
        f"The first 16 of the elimination are a choice: stability {few['columns']}, "
        f"{few['km to next']} km, by lot {few['by lot']:.0f}."
    )
    pairs = zip(chosen("once", kept=67), chosen("once", kept=33), strict=True)
    tail = [np.setdiff1d(*pair) for pair in pairs]
    assert set(map(len, tail)) == {67 - 33}
    variable = figures.columns_of_the_grid()["variable"]
    page.says(
        f"Its columns 34 to 67 are none: stability {figures.agreement(tail)[0]}, and "
        f"{100 * figures.share_of_others(tail):.0f} percent are pressures and temperatures (by lot "
        f"{100 * variable.isin(['p', 't']).mean():.0f})."
    )
    hundred = chosen("once, 100 trees", study="causes")
    assert len(hundred) == 8
    page.says(
        f"With 100 trees instead of 20 the 67 rise from {many['columns']} to "
        f"{figures.agreement(hundred)[0]}; blocks grow 20"
    )
    assert (maps["p and t"].drop("elimination, once") == 0).all()
    blocks = np.concatenate(chosen("blocks", kept=68))
    assert (variable[blocks] != "p").all()


def test_seeds_change_a_map_as_much_as_farms(page):
    found = {}
    for kept in (67, 16):
        sets = chosen("once", kept=kept)[:1] + chosen("once", kept=kept, study="seeds")
        found[kept] = figures.agreement(sets)[0]
    page.says(
        f"{in_words(len(sets)).capitalize()} seeds on the first farm's rows agree about as well as "
        f"eight farms, {found[67]} for 67 columns, {found[16]} for 16: chance"
    )


# Rules and the conclusions of the thesis


def test_rules_and_their_unit(page):
    kept = {alpha: figures.kept_by_rule("once", alpha) for alpha in (0, 1, 2)}
    tests = {alpha: some["test"].astype(float) for alpha, some in kept.items()}
    default, one, two = (f"{some['kept'].mean():.0f}" for some in kept.values())
    gaps = [mean_and_error(tests[alpha] - tests[0]) for alpha in (1, 2)]
    page.says(
        f"With α = 1 or 2 the whole path keeps {one} or {two} columns in place of {default}; the "
        f"test error changes by {gaps[0]} and {gaps[1]}, nothing seen."
    )
    rows, unit = farms("sets", 200), []
    for way, least in (("once", 2), ("once", 67), ("blocks", 68)):
        path = rows[(rows["way"] == way) & (rows["kept"] >= least)]
        unit.append(path.groupby("farm")["validation"].std(ddof=0).mean())
    page.says(
        "Down to 2 columns the standard deviation is {:.2f}; cut off at 67 it is {:.2f}, blocks "
        "have {:.2f}: the same".format(*unit)
    )
    sizes = sorted(picked("blocks")["kept"])
    assert (sizes[:7], round(np.mean(sizes))) == ([68] * 7, 93)
    page.says(f"α decides on one (93: seven times {sizes[0]}, once {sizes[-1]}).")


def test_the_lowest_of_many_validation_errors(page):
    validation, test = (against("once", what=what) for what in ("validation", "test"))
    mean, error = (test - validation).agg(["mean", "sem"])
    page.says(
        f"{-validation.mean():.3f} below all columns in the second year, {-test.mean():.3f} in the "
        f"third, difference {mean:.3f} ± {error:.3f}."
    )


def farms_below_all(length):
    """On how many farms each way errs less than all columns."""
    ways = ("once", "blocks", "F", "Boruta 100", "PCA", "variance")
    return {way: int((against(way, length=length) < 0).sum()) for way in ways}


def test_chosen_columns_err_less(page):
    near, far = (farms_below_all(length) for length in (200, 600))
    n, n_far = (len(picked("all", length)) for length in (200, 600))
    assert near["once"] == near["blocks"] == near["F"]
    assert far["once"] == far["Boruta 100"]
    page.says(
        f"elimination, blocks, F on {near['F']} of {n}; Boruta on {near['Boruta 100']} | F on "
        f"{far['F']} of {n_far}; elimination, Boruta on {far['once']}; blocks on {far['blocks']} |"
    )
    poor = [near["PCA"], near["variance"], far["PCA"], far["variance"]]
    assert poor == [0] * 4
    page.says(f"variance and PCA are poor | yes, on {n} of {n} | yes, on {n_far} of {n_far} |")


def test_elimination_against_blocks_and_the_f_filter(page):
    near, far = (against("blocks", "once", length) for length in (200, 600))
    same = errors_at("once", 67) - errors_at("blocks", 68)
    page.says(
        f"blocks (end at 68) worse on {(near > 0).sum()}, by {size_of(near)}; at 67 and 68 columns "
        f"{size_of(same)} better: not settled | worse on {(far > 0).sum()}, by {size_of(far)}: not"
    )
    assert same.mean() > 0
    near, far = (mean_and_error(against("F", "once", length)) for length in (200, 600))
    page.says(f"no difference seen, {near} | no difference seen, {far} |")


def test_errors_by_percentages(page):
    errors = {}
    for length in (200, 600):
        rows = farms("sets", length)
        by_size = rows[rows["way"] == "F"].groupby("kept")["test"].mean()
        errors[length] = by_size
    assert set(errors[200].nsmallest(2).index) == {10, 21}
    once = farms("sets", 200)
    once = once[once["way"] == "once"].groupby("kept")["test"].mean()
    assert once.nsmallest(2).index.tolist() == [8, 16]
    page.says(f"F at 10 errs {size_of(errors_at('F', 108) - errors_at('F', 10))} more than at 1 |")
    one, five, ten, twenty = (errors_at("F", kept, 600) for kept in (10, 54, 108, 216))
    assert errors[600].idxmin() == 54
    page.says(
        "not decided: F has {:.2f} at 1 percent, {:.2f} at 5, {:.2f} at 10, {:.2f} at 20;".format(
            *errors[600][[10, 54, 108, 216]]
        )
    )
    page.says(
        f"from 1 to 10 {mean_and_error(ten - one)}, from 10 to 20 {mean_and_error(twenty - ten)} |"
    )
    for change in (five - one, ten - one, ten - five, twenty - ten):
        assert abs(change.mean()) < 2 * change.sem()
    rises = errors_at("F", 108) - errors_at("F", 10)
    assert rises.mean() > 2 * rises.sem()
    page.says(f"At 200 km they do, by {size_of(rises)}, whereas at 600 km no difference is seen.")


def test_percentages_that_the_thesis_prints(page):
    printed = Page.of("hood_wind").table("hwind012")
    F, forest = printed["F est"], printed["RFR"]
    page.says(
        f"for the real farm F falls from {F[1]:.2f} at 1 percent to {F[2]:.2f} at 2 and then stays "
        f"between {F[2:].min():.2f} and {F[2:].max():.2f};"
    )
    page.says(
        f"fall from {forest[1]:.2f} at 1 percent to {forest[10]:.2f} at 10 and have "
        f"{forest[20]:.2f} at 20."
    )


def test_what_boruta_removes(page):
    back = errors_of("back")
    five, nine = (back[f"Boruta and {what}"] - back["Boruta"] for what in ("the five", "nine"))
    held = page.table("wind031").loc["Boruta", "of the five"]
    page.says(
        f"given back, the rest of the five change it by {mean_and_error(five)}, the nine cells by "
        f"{mean_and_error(nine).lstrip('+')}; of the five it keeps {held} |"
    )


def test_speeds_among_the_last_columns(page):
    variable = figures.columns_of_the_grid()["variable"]
    fast = {
        length: [(variable[some] == "speed100").sum() for some in chosen("once", length, kept=8)]
        for length in (200, 600)
    }
    page.says(f"yes, {min(fast[200])} to {max(fast[200])} of the last 8 of *once* |")
    assert fast[600] == [8] * 5
    page.says("yes, all of the last 8 |")


# Splits, and units


def test_a_split_at_random_deceives(page):
    errors = figures.errors_of_splits()
    gaps = {
        (memory, how): errors[how, f"p, {memory}"] - errors[how, f"mean, {memory}"]
        for memory in ("memory", "no memory")
        for how in ("validation", "test")
    }
    lot, other, lot_forgets, forgets = gaps.values()
    assert ((lot < 0).sum(), (other < 0).sum()) == (8, 0)
    assert lot.mean() < 0 < other.mean()
    page.says(
        f"pressures that know nothing beat the mean by {size_of(lot)}, on all eight farms; a "
        f"forest that learned from other months loses by {size_of(other)}."
    )
    assert mean_and_error(lot_forgets) == "+0.46 ± 0.06"
    assert mean_and_error(forgets) == "+0.58 ± 0.06"
    F = errors["test", "F, memory"] - errors["validation", "F, memory"]
    page.says(f"For the ten of F no difference was seen, {size_of(F)}.")


def test_units_and_components(page):
    mean = picked("mean")["test"].mean()
    few = page.table("wind044")
    assert few.loc["variance"].iloc[:4].min() > mean
    page.says(f"the error is above the mean's, {mean:.2f}. In kilopascals they")
    pca = picked("PCA")
    (components,) = set(pca["kept"])
    one = errors_of("causes")["one sum of 21"].mean()
    page.says(
        f"Its {components} components have {pca['test'].mean():.2f}. Yet one weighted sum of them, "
        f"fitted to the speed in the farm's cell, has {one:.2f}."
    )
    variable = figures.columns_of_the_grid()["variable"]
    assert (variable == "p").mean() == 0.125
    page.says("Up to 10 percent the variance keeps pressures only, for theirs is in Pa²;")


# The exercises


def between(here, there):
    """Distance of two cells in km."""
    return np.hypot(WEST * (here[0] - there[0]), SOUTH * (here[1] - there[1]))


def test_correlations_of_cells(page):
    far = between((9, 3), (7, 4))
    r = matern_correlation([far, SOUTH], 200)
    page.says(
        f"= {far:.1f}$ km; $s = {np.sqrt(3) * far / 200:.3f}$, the correlation is {r[0]:.3f}."
    )
    page.says(f"in cells whose correlation is {r[1]:.3f} or more.")
    three = np.full((3, 3), 0.9) + 0.1 * np.eye(3)
    page.says(
        rf"$(3 + 6 \cdot 0.9) / 9 = {three.sum() / 9:.3f}$: as much as "
        f"{9 / three.sum():.2f} columns."
    )
    page.says(rf"(c) $9 / (3 + 6 \cdot 0.81) = {9 / np.sum(three**2):.2f}$. With")


def test_directions_and_distances_of_a_grid(page):
    x, y = (axis.ravel() for axis in np.indices((15, 9)))
    cells = np.column_stack([WEST * x, SOUTH * y])
    apart = np.linalg.norm(cells[:, None] - cells, axis=2)
    directions = [len(cells) ** 2 / np.sum(matern_correlation(apart, length) ** 2)
                  for length in (50, 100, 200, 400)]  # fmt: skip
    page.says(
        f"For the {len(cells)} cells it is "
        + "{:.1f}, {:.1f}, {:.1f} and {:.1f} where the".format(*directions)
    )
    page.says(f"With 50 km there are {in_words(round(directions[0]))} directions")
    one, other = [(7, 4), (8, 4), (6, 5)], [(7, 5), (8, 3), (6, 4)]
    near = [min(between(cell, goal) for goal in other) for cell in one]
    page.says(
        "The nearest ones are {:.1f}, {:.1f} and {:.1f} km away, {:.1f} on average.".format(
            *near, np.mean(near)
        )
    )
    lots = np.random.default_rng(0)
    by_lot = [apart[np.ix_(*(lots.choice(135, 3, replace=False) for _ in "ab"))].min(axis=1).mean()
              for _ in range(20_000)]  # fmt: skip
    page.says(f"For two sets of three drawn by lot this is {np.mean(by_lot):.0f} km.")


def kept(path, alphas):
    """The sizes that the rule keeps."""
    sizes = SIZES[5 if len(path) == 5 else 10][: len(path)]
    return [smallest_size(sizes, perc_std(path), alpha) for alpha in alphas]


def test_two_yardsticks(page):
    assert stochastic_sizes(1080, step=0.5) == SIZES[5]
    for name, path in (("together", TOGETHER), ("", BLOCKS)):
        errors = " | ".join(f"{error:.3f}" for error in path)
        page.says(f"| {name}, validation | {errors} |" if name else f"| validation | {errors} |")
    deviation, of_blocks, of_six = (path.std() for path in (TOGETHER, BLOCKS, TOGETHER[:6]))
    page.says(f"It is {deviation:.3f} for the first path, {of_blocks:.3f} for the second.")
    page.says(f"The deviation of the six errors is {of_six:.3f}.")
    alphas = (0, 0.25, 0.5, 1)
    page.says("{}, {}, {} and {} columns. Those of".format(*kept(TOGETHER, alphas)))
    page.says("6.542: {}, {}, {} and {}.".format(*kept(BLOCKS, alphas)))
    page.says("{} and {} columns in place of 33 and 16.".format(*kept(TOGETHER[:6], (0.5, 1))))
    page.says(
        f"{0.25 * deviation:.3f}$ points are {0.25 * deviation / of_blocks:.1f} deviations of the"
    )
    page.says(
        f"Together: validation falls by {6.601 - 6.545:.3f}, test rises by {7.685 - 7.675:.3f}."
    )
    page.says(f"In blocks: {6.601 - 6.502:.3f} less, and {7.675 - 7.672:.3f} less.")


def test_a_farm_of_your_own(page):
    bought = answers("wind-6").set_index("forecast") * 100
    page.says(
        f"The mean of 2021 is wrong by {bought['mean'].mean():.2f}, the power of six hours before "
        f"by {bought['before'].mean():.2f}."
    )
    chosen = bought.filter(like="choose").loc[[0.02, 0.3]].idxmin(axis=1)
    assert chosen.tolist() == ["choose 5"] * 5 + ["choose 21"] * 5
    judged = bought.filter(like="judge").rename(columns=lambda name: int(name.split()[1]))
    good, poor, exact = (judged.loc[error].mean() for error in (0.02, 0.3, 0.0))

    def gain(error, fewer, more):
        """What a number of cells errs less than another one, and its standard error."""
        each = judged.loc[error, fewer] - judged.loc[error, more]
        return f"{each.mean():.2f}", f"{each.std() / np.sqrt(5):.2f}"

    less, se = gain(0.02, 1, 5)
    page.says(
        f"2022 chose five cells on all five farms: {good[5]:.2f}, beside {good[1]:.2f} with the "
        f"farm's cell alone, a gain of {less} with a standard error of {se}."
    )
    less, se = gain(0.02, 21, 5)
    page.says(
        f"The 21 cells gave {good[21]:.2f}, more than the five by {less} with a standard error of "
        f"{se}."
    )
    less, se = gain(0.3, 5, 21)
    page.says(
        f"it chose 21 cells on all farms: {poor[21]:.2f}, beside {poor[5]:.2f} with five and "
        f"{poor[1]:.2f} with one; from five to 21 the gain is {less} with a standard error of {se}."
    )
    page.says(f"the farm's cell alone gave {exact[1]:.2f}, five cells {exact[5]:.2f}: so the")
