"""Facts of the page behind chapter 7: corrected bias, simulation errors, and other losses."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from sklearn.linear_model import LinearRegression

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import make_steps, make_waveform, steps
from treelab.figures.instability import corrected

C = "hood-instability-"


@pytest.fixture(scope="module")
def grown():
    """Predictions of the staircase by grown trees of 200 training sets, (200, 100)."""
    grid, tree = np.linspace(0.005, 0.995, 100)[:, None], DecisionTreeRegressor()
    samples = (make_steps(100, noise=0.5, random_state=seed) for seed in range(200))
    return np.array([tree.fit(*sample).predict(grid) for sample in samples])


def numbers(page, cell):
    """All numbers that a cell prints."""
    return [float(found) for found in re.findall(r"\d+\.?\d*", page.output(C + cell))]


def test_three_owners_corrected(page):
    bias2, variance = corrected(np.array([[2.0], [8.0], [5.0]]), np.array([4.0]))
    assert np.allclose([bias2, variance], [-2, 9])
    page.says("The estimate of the squared bias is negative. A square cannot be negative")
    page.says(f"The two estimates still add up to {bias2 + variance:g}, so the correction only")


def test_five_trees_are_right_on_average(page, grown):
    truth = steps(np.linspace(0.005, 0.995, 100))
    by_fives = grown.reshape(40, 5, 100)
    plain = np.mean([((P.mean(axis=0) - truth) ** 2).mean() for P in by_fives])
    right = [corrected(P, truth)["bias²"] for P in by_fives]
    all_200 = corrected(grown, truth)["bias²"]
    assert abs(np.mean(right) - all_200) < 2 * np.std(right) / np.sqrt(40)
    times = in_words(int(round(plain / all_200, -1)))
    page.says(
        f"five trees seem to have a squared bias of {plain:.3f}, which is {times} times too large."
    )
    page.says(
        f"With the correction, the mean over the groups is {np.mean(right):.3f}, which agrees with"
    )
    page.says(f"with the estimate from all 200 trees, {all_200:.3f}, within the error of the")
    variance = corrected(grown, truth)["variance"]
    page.says(f"by only one two-hundredth of the variance, {variance / 200:.3f}.")
    page.says(
        f"The variance, {variance:.2f}, is slightly larger than the noise, {0.5**2:g}, because"
    )


def test_the_theorem_holds_within_the_error_of_the_simulation(page, grown):
    promised, se_promised, found, se_found = numbers(page, "c06")
    rows = ((grown - steps(np.linspace(0.005, 0.995, 100))) ** 2).mean(axis=1)
    assert round(0.25 + rows.mean(), 3) == promised
    assert abs(promised - found) < 2 * np.hypot(se_promised, se_found)
    page.says("The two errors agree within two standard errors of their difference.")


def test_a_line_and_the_order_of_ten_features(page):
    table = page.table(f"{C}c09")
    line, small, deep = (table.loc[name] for name in ("straight line", "depth 4", "depth 10"))
    assert 0.45 < line["sum"] / small["sum"] < 0.55
    page.says("its error is only about half of that of the best tree.")
    assert 0.5 < deep["bias²"] / line["bias²"] < 0.65
    page.says("of the deep trees, however, is little more than half that of the line")
    first, last = (table.loc[f"depth 10, relevant {end}", "sum"] for end in ("first", "last"))
    moved = [100 * abs(total / deep["sum"] - 1) for total in (first, last)]
    assert first < deep["sum"] < last
    assert [round(m) for m in moved] == [4, 4]
    page.says("The order of the features changes the error of the deep trees by about 4 %")


def test_a_vote_observation_by_observation(page):
    rows = page.output(f"{C}c20").splitlines()[2:]
    counts = {row[:21].strip(): row.split()[-2:] for row in rows}
    seen = [int(n) for n, _ in counts.values()]
    right = {name: float(share) for name, (_, share) in counts.items()}
    assert sum(seen) == 1000
    assert right["up to a third"] == 0
    assert right["more than half"] == 1
    page.says(
        f"it is right for {100 * right['a third to a half']:.0f} % of the observations, namely"
    )
    elected = page.run(
        f"{C}c19",
        np=np,
        make_waveform=make_waveform,
        DecisionTreeClassifier=DecisionTreeClassifier,
    )["elected"]
    P, y = np.random.default_rng(0).choice(3, p=[0.5, 0.3, 0.2], size=(7, 2000)), np.zeros(2000)
    share = np.mean(P == y, axis=0)
    assert (elected(P) == y)[share > 1 / 2].all()
    assert not (elected(P) == y)[share < 1 / 3].any()


def test_two_programs_scatter_alike(page):
    equal, ours, theirs = re.findall(r"[\d.]+", page.output(f"{C}c13"))
    assert float(equal) < 1
    assert abs(float(ours) / float(theirs) - 1) < 0.05
    page.says("Not all predictions are equal. If two splits have exactly the same gain, treelab")
    page.says("The two variances agree up to a few per cent.")


def test_stairs_for_a_slope(page):
    given = {"np": np, "pd": pd, "DecisionTreeRegressor": DecisionTreeRegressor}
    ramp = page.run(f"{C}c15", **given)["ramp"]
    assert np.allclose(ramp["tree"], ramp["1 / (12 |T|²)"], atol=1e-6)
    page.says("the number of leaves, the squared bias falls to a quarter.")
    assert np.allclose(ramp["tree"][:-1].to_numpy() / ramp["tree"][1:].to_numpy(), 4, rtol=1e-3)


def test_beyond_the_data_a_tree_is_flat(page):
    x = np.linspace(0, 1, 1025)[:-1, None] + 0.5 / 1024
    tree, line = (model.fit(x, x[:, 0]) for model in (DecisionTreeRegressor(), LinearRegression()))
    at_2 = [f"{model.predict([[2.0]])[0]:.0f}" for model in (tree, line)]
    page.says("At $x = 2$ the tree predicts {}, whereas the line predicts {}.".format(*at_2))


def test_the_owners_once_more(page):
    inside, outside, difference = numbers(page, "c18")
    predicted = np.array([2, 8, 5])
    assert np.isclose(difference, predicted.var())
    page.says(f"the mean of the squared predictions is {inside:g}, whereas the square of the mean")
    page.says(f"whereas the square of the mean prediction is {outside:g}.")
    page.says(f"The difference of {difference:g} is their variance.")


def test_how_many_points_a_stump_shatters(page):
    lines = page.output(C + "c30").splitlines()
    counts = [[int(number) for number in re.findall(r"\d+", line)] for line in lines]
    assert counts == [[2, 8, 8, 3], [2, 14, 16, 4], [3, 16, 16, 4]]
    page.says("With two features, stumps shatter three points and not four, with three features")
    most = max(n for n in range(1, 30) if math.comb(n, n // 2) <= 2 * 100)
    page.says(f"With 100 features this allows {in_words(most)} points.")


def test_a_tree_shatters_as_many_points_of_a_line_as_it_has_leaves():
    """Labels that alternate need a leaf for each point, and no labels need more."""
    for n in range(2, 7):
        points = np.arange(n)[:, None]
        trees = [
            DecisionTreeClassifier().fit(points, labels).get_n_leaves()
            for labels in itertools.product([0, 1], repeat=n)
        ]
        assert max(trees) == n
