"""Facts of the page behind chapter 19: the laws of the weather, the thesis's numbers, and costs."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT


def numbers(text):
    """All numbers of a text."""
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_the_weather_keeps_its_laws(page):
    drawn, law = (page.table("hwind003").loc[name] for name in ("drawn", "Weibull"))
    assert np.allclose(drawn, law, rtol=0.03)
    found, ordered, *_ = (
        numbers(line.partition(":")[2]) for line in page.output("hwind004").splitlines()
    )
    assert len(found) == len(ordered) == 4
    assert np.allclose(found, ordered, atol=0.01)


def test_what_a_turbine_behind_another_loses(page):
    (lost,) = numbers(page.output("hwind006").splitlines()[0])
    page.says(f"five diameters between turbines it loses {100 * lost:.0f} percent:")


def test_the_size_of_the_problem(page):
    sizes, grids = page.output("hwind009").splitlines()
    variables, cells, columns, rows = map(int, numbers(sizes))
    assert (columns, rows) == (variables * cells, 2920)
    page.says(f"Fifteen by nine cells, {in_words(variables)} variables, every three hours of 2011")
    page.says(f"A column's place is {cells} times the number of its variable plus that of its cell")
    assert numbers(grids) == [81, 32, 2592, 1024]


def test_pressures_among_the_columns(page):
    variables = int(numbers(page.output("hwind009"))[0])
    page.says(f"the same: {100 / variables:g} percent of the columns are pressures.")


def test_what_the_validation_year_promises(page):
    gains = page.table("hwind014")
    assert (gains["difference"] > 0).all()
    assert (gains["difference"] < 2 * gains["standard error"]).all()
    page.says("the year that chose promises more, and in none by two standard errors:")


def test_what_an_elimination_costs(page):
    _, halving, _ = page.output("hwind017").splitlines()
    page.says(f"a path that halves costs {numbers(halving)[1]} fits where a forest's cost")


def test_importance_by_variable_and_by_place(page):
    by_variable, by_place = page.table("hwind022"), page.table("hwind023")
    models = ["tree", "forest", "boosting"]
    for model in models:
        assert by_variable[model].nlargest(2).index.tolist() == ["speed100", "speed10"]
        assert by_variable[model].nlargest(2).sum() > 0.9
    at = by_place.loc["the farm's cell", models]
    assert 1 / 3 < at["forest"] < 0.4
    assert at["boosting"] == pytest.approx(1 / 5, abs=0.015)
    assert at["tree"] == pytest.approx(1 / 8, abs=0.01)
    page.says("The forest gives more than a third of the importance to the farm's own cell")
    near = by_place.loc["up to 35 km"]
    assert near["columns"] == 8 * by_place.loc["the farm's cell", "columns"]
    assert (near[models] > by_place.iloc[2:][models].sum()).all()
    page.says("most of the remainder to the eight cells around it.")


def test_the_whole_path(page):
    table = pd.read_csv(ROOT / "notebooks" / "replications" / "wind_farms.csv")
    table = table.query("study == 'sets' and length == 200")
    errors = table.groupby(["way", "kept"])[["validation", "test"]].mean()
    least = {way: errors.loc[way].idxmin() for way in ("once", "anew", "blocks")}
    once, anew = least["once"]["test"], least["anew"]["test"]
    page.says(
        f"down to {once} if they are ranked once, and down to {anew} if they are ranked anew, apart"
    )
    for way in ("once", "anew"):
        assert errors.loc[(way, 2), "test"] > errors.loc[(way, 1080), "test"]
        assert least[way]["validation"] == 16
        rises = errors.loc[way]["test"].loc[least[way]["test"] :].diff() < 0
        assert rises[rises].index.tolist() == [540]
    page.says("apart from a small step back at 270 columns")
    page.says("With two columns it is higher than with all of them.")
    page.says("has its minimum at 16 columns in both cases")
    assert errors.loc["blocks"].index.min() == least["blocks"]["test"] == 68
    page.says("The blocks end at 68 columns, before the errors rise.")
    real = [7.675, 7.676, 7.666, 7.685]  # table 4.3.2, forest, 1 080 to 135 columns
    drawn = errors.loc["once"].loc[[1080, 540, 270, 135], "test"]
    assert 4 * np.ptp(real) < np.ptp(drawn)
