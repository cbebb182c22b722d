"""Facts of the page behind chapter 19: the laws of the weather, the thesis's numbers, and costs."""

import re

import numpy as np
from facts import in_words


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
