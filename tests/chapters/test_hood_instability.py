"""Facts of the page behind chapter 7: corrected bias, simulation errors, and other losses."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from sklearn.linear_model import LinearRegression

from treelab import DecisionTreeRegressor
from treelab.datasets import make_steps, steps

C = "hood-instability-"


@pytest.fixture(scope="module")
def corrected(page):
    """The function of the page."""
    return page.run(f"{C}c02", np=np, pd=pd)["corrected"]


@pytest.fixture(scope="module")
def grown():
    """Predictions of the staircase by grown trees of 200 training sets, (200, 100)."""
    grid, tree = np.linspace(0.005, 0.995, 100)[:, None], DecisionTreeRegressor()
    samples = (make_steps(100, noise=0.5, random_state=seed) for seed in range(200))
    return np.array([tree.fit(*sample).predict(grid) for sample in samples])


def numbers(page, cell):
    """All numbers that a cell prints."""
    return [float(found) for found in re.findall(r"\d+\.?\d*", page.output(C + cell))]


def test_three_owners_corrected(page, corrected):
    bias2, variance = corrected(np.array([[2.0], [8.0], [5.0]]), np.array([4.0]))
    assert np.allclose([bias2, variance], [-2, 9])
    page.says(f"The estimate of the squared bias is $1 - {variance:g}/3 = {bias2:g}$.")
    page.says(f"The sum is {bias2 + variance:g} as before: what the correction takes from one part")


def test_five_trees_are_right_on_average(page, corrected, grown):
    truth = steps(np.linspace(0.005, 0.995, 100))
    by_fives = grown.reshape(40, 5, 100)
    plain = np.mean([((P.mean(axis=0) - truth) ** 2).mean() for P in by_fives])
    right = [corrected(P, truth)["bias²"] for P in by_fives]
    all_200 = corrected(grown, truth)["bias²"]
    assert abs(np.mean(right) - all_200) < 2 * np.std(right) / np.sqrt(40)
    times = in_words(int(round(plain / all_200, -1)))
    page.says(f"five trees seem to have a squared bias of {plain:.3f}, {times} times too much.")
    page.says(f"With it the mean over the groups, {np.mean(right):.3f}, is within the error of the")
    page.says(f"of what all 200 say, {all_200:.3f}. With 200 sets the two estimates differ by one")
    variance = corrected(grown, truth)["variance"]
    page.says(f"differ by one two-hundredth of the variance, {variance / 200:.3f}.")
    page.says(f"The variance, {variance:.2f}, is a little more than the noise, {0.5**2:g}: a grown")


def test_the_theorem_holds_within_the_error_of_the_simulation(page, grown):
    promised, se_promised, found, se_found = numbers(page, "c06")
    rows = ((grown - steps(np.linspace(0.005, 0.995, 100))) ** 2).mean(axis=1)
    assert round(0.25 + rows.mean(), 3) == promised
    assert abs(promised - found) < 2 * np.hypot(se_promised, se_found)
    page.says("They agree within two standard errors of their difference. The variance")


def test_trees_of_ten_features(page):
    table = page.table(f"{C}c09")
    line, trees = table.loc["straight line"], table.drop("straight line")
    trees.index = trees.index.astype(int)
    falls = trees.index[1:][np.diff(trees["variance"]) < 0]
    caption = page.caption(f"{C}c10")
    caption.says(f"the variance rises but for a small dip at depth {falls.item()}.")
    bias2, variance, total = trees["bias²"], trees["variance"], trees["sum"]
    caption.says(f"The squared bias falls from about {bias2[1]:.0f} to {bias2[10]:.1f}.")
    caption.says(f"The variance rises from about {variance[1]:.0f} to {variance[10]:.0f}, with a")
    middle = total[[4, 5]].mean()
    caption.says(
        f"The sum falls from {total[1]:.0f} to about {middle:.1f} at depth 4 and 5, then rises "
        f"slowly to {total[10]:.0f}."
    )
    assert line["sum"] < total.min()
    page.says("it beats every single tree here. Look at the deep trees, though")
    assert 0.5 < bias2[10] / line["bias²"] < 0.65
    page.says("their bias² is little more than half that of the line.")
    first, last = numbers(page, "c11")
    assert first < total[10] < last


def test_two_programs_scatter_alike(page):
    equal, ours, theirs = re.findall(r"[\d.]+", page.output(f"{C}c13"))
    assert float(equal) < 1
    assert abs(float(ours) / float(theirs) - 1) < 0.05
    page.says("Not every prediction is the same. Where two cuts gain exactly the same")
    page.says("The variance is the same up to a few per cent.")


def test_stairs_for_a_slope(page):
    given = {"np": np, "pd": pd, "DecisionTreeRegressor": DecisionTreeRegressor}
    ramp = page.run(f"{C}c15", **given)["ramp"]
    assert np.allclose(ramp["tree"], ramp["1 / (12 |T|²)"], atol=1e-6)
    page.says("Twice the leaves, a quarter of the squared bias. But with")
    assert np.allclose(ramp["tree"][:-1].to_numpy() / ramp["tree"][1:].to_numpy(), 4, rtol=1e-3)


def test_beyond_the_data_a_tree_is_flat(page):
    x = np.linspace(0, 1, 1025)[:-1, None] + 0.5 / 1024
    tree, line = (model.fit(x, x[:, 0]) for model in (DecisionTreeRegressor(), LinearRegression()))
    at_2 = [f"{model.predict([[2.0]])[0]:.0f}" for model in (tree, line)]
    page.says("At $x = 2$ the tree says {}, the line says {}.".format(*at_2))


def test_the_owners_once_more(page):
    inside, outside, difference = numbers(page, "c18")
    predicted = np.array([2, 8, 5])
    assert np.isclose(difference, predicted.var())
    page.says(f"whose squares are {inside:g} on average, while the square of their average is")
    page.says(f"while the square of their average is {outside:g}:")
