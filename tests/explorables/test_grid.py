"""Cells chosen on a map: every choice and number against the methods on the same winds."""

import functools

import numpy as np
import pandas as pd
import pytest
from readers import number, verdicts

from treelab import RandomForestRegressor
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.selection import ForestRFE, SubsetSelector
from treelab.figures.wind_farm import make_wind_farm

PAGE, KIND = "notebooks/19_wind.html", "grid"
LENGTHS = [12.5, 25, 50, 100, 200, 400, 800]
METHODS = ["filter", "forest", "elimination", "forward"]
BLOCK = {x + 15 * y for x in (6, 7, 8) for y in (3, 4, 5)}
OPEN = 1  # the last length before a guess


def forest():
    return RandomForestRegressor(
        20, max_depth=8, min_samples_leaf=5, max_features=1 / 3, random_state=0
    )


def chosen(method, X, y):
    """Nine cells; set of int."""
    if method == "filter":
        strength = [abs(np.corrcoef(x, y)[0, 1]) for x in X.T]
        return set(np.argsort(strength)[-9:].tolist())
    if method == "forest":
        return set(np.argsort(mean_decrease_impurity(forest().fit(X, y)))[-9:].tolist())
    if method == "elimination":
        rfe = ForestRFE(
            forest(), importance="mdi", rank="anew", step=0.5, min_features_to_select=9,
            random_state=0,
        )  # fmt: skip
        return set(np.flatnonzero(rfe.fit(X, y).ranking_ <= 9).tolist())
    return set(SubsetSelector("forward", n_features=9).fit(X, y).get_support(indices=True).tolist())


@functools.cache
def winds(length, farm):
    """Speeds and power of each quarter; the columns' table."""
    found = make_wind_farm(0.5, length=length, random_state=farm, return_X_y=False)
    names = [f"speed100_x{j % 15}_y{j // 15}" for j in range(135)]
    X, y = found.data[names].to_numpy(), found.target.to_numpy()
    return (X[:730], y[:730]), (X[730:], y[730:]), found.columns.loc[names]


@pytest.fixture(scope="module")
def study():
    """Both choices of each method with each length, and what is true of the first."""
    runs = {}
    for k, length in enumerate(LENGTHS):
        first, following, columns = winds(length, 0)
        for method in METHODS:
            sets = chosen(method, *first), chosen(method, *following)
            runs[METHODS.index(method), k] = sets, columns.iloc[sorted(sets[0])]
    return runs


def state_of(record):
    state = record["state"]
    return state["method"], state["k"], state["guess"]


def test_every_number_is_that_of_the_choices(explored, study):
    assert len({str(record["state"]) for record in explored["records"]}) >= 70
    for record in explored["records"]:
        m, k, guess = state_of(record)
        (first, following), truth = study[m, k]
        told, values, length = guess is not None, record["values"], f"{LENGTHS[k]:g} km"
        assert told or k <= OPEN
        assert record["sliders"] == {"k": [k, length], "method": [m, METHODS[m]]}
        counts = {"near": first & BLOCK, "next": following & BLOCK, "both": first & following}
        for name, some in counts.items():
            assert values[name] == f"{len(some)} of 9"
        assert abs(number(values["distance"]) - truth["distance"].mean()) <= 0.501

        said = record["sentence"]
        start = f"Length {length}, {METHODS[m]}: {len(counts['near'])} of 9 cells in the box; "
        start += f"of all nine mean distance {values['distance']}, mean correlation with the farm "
        assert said.startswith(start)
        after = said.removeprefix(start)
        assert number(after) == pytest.approx(truth["correlation"].mean(), abs=0.0056)
        end = f". The next quarter chooses {values['both']} the same."
        assert said.endswith(end + ("" if told else " A guess, or Skip, opens the others."))


def cells_of(drawn):
    """The cells under the circles, squares and triangles of a map; list of three sets.

    The numbers on the axes say where the cells lie: 0, 7 and 14, then 0, 4 and 8.
    """
    at = [place for what, *place in drawn if not what.startswith("tl-")]
    (left, _), _, (right, _), (_, bottom), _, (_, top) = at[:6]
    cells = [set(), set(), set()]
    for what, x, y in drawn:
        column, row = 14 * (x - left) / (right - left), 8 * (bottom - y) / (bottom - top)
        if what.startswith("tl-mark") and "tl-class-3" not in what and row < 8.4:
            assert abs(column - round(column)) < 0.2
            assert abs(row - round(row)) < 0.2
            cells[int(what.split("tl-class-")[1][0])].add(round(column) + 15 * round(row))
    return cells


def test_marks_lie_on_the_cells_chosen(explored, study):
    for record in explored["records"]:
        m, k, _ = state_of(record)
        first, following = study[m, k][0]
        marks = [first - following, first & following, following - first]
        assert cells_of(record["map"]) == marks


def test_verdict_tells_how_many_over_six_farms(explored, study):
    spans = []
    for length in (12.5, 100, 800):
        (first, _), _ = study[METHODS.index("forest"), LENGTHS.index(length)]
        others = [chosen("forest", *winds(length, farm)[0]) for farm in range(1, 6)]
        near = [len(some & BLOCK) for some in (first, *others)]
        spans.append((min(near), max(near)))
    assert max(spans[0]) < min(spans[1]) > max(spans[2])  # nearer, then out
    words = [f"{low} to {high}" for low, high in spans]
    for guess, verdict in verdicts(explored["records"]):
        assert verdict.startswith("Yes. " if guess == 2 else "No. ")
        expected = f"on 6 farms: {words[0]} of 9 in the box with 12.5 km, {words[1]} with 100, "
        assert verdict.endswith(expected + f"{words[2]} with 800.")


def test_far_cells_know_the_wind_only_where_the_correlation_is_long():
    """Why the choice spreads: what the columns' own table says of the farthest cells."""
    far = {length: winds(length, 0)[2] for length in (12.5, 100, 800)}
    corner = {length: table["correlation"].min() for length, table in far.items()}
    around = {}
    for length, table in far.items():
        around[length] = table["correlation"].iloc[sorted(BLOCK - {67})].mean()
    assert pd.Series(corner).is_monotonic_increasing
    assert around[12.5] < 0.2 < corner[800] - corner[100]
    assert around[800] - corner[800] < 0.15
