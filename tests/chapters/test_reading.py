"""Facts of chapter 1: the same tree in several forms, and what a tree does not tell."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import fetch_bike_sharing, load_bike_demand, load_vegetation
from treelab.fast.growing import split_table


@pytest.fixture(scope="module")
def places():
    found = load_vegetation("feet")[["stream", "elevation", "vegetation"]]
    found["stream"] = (found["stream"] == "true").astype(int)
    return found.set_axis(range(1, 8), axis="index")


@pytest.fixture(scope="module")
def sites(places):
    """The seven places, and 1000 others that could be."""
    rng = np.random.default_rng(0)
    others = {"stream": rng.integers(2, size=1000), "elevation": rng.integers(6000, size=1000)}
    return pd.concat([places[["stream", "elevation"]], pd.DataFrame(others)])


@pytest.fixture(scope="module")
def vegetation(places):
    return DecisionTreeClassifier().fit(places[["stream", "elevation"]], places["vegetation"])


def test_the_nested_ifs_are_the_tree(page, places, sites, vegetation):
    grows = page.run("c30", places=places)["grows"]
    assert [grows(*x) for x in sites.to_numpy()] == vegetation.predict(sites).tolist()


def test_a_day_on_a_threshold_and_a_day_beyond_the_others(page):
    days = load_bike_demand()
    demand = DecisionTreeRegressor(max_depth=2).fit(days[["temp"]], days["rentals"])
    on_it, beyond = demand.predict(pd.DataFrame({"temp": [9.5, 45.0]}))
    page.says(f"because it is warmer than 6 °C, and the tree predicts {on_it:g} rentals.")
    page.says(f"which extends to infinity, so the tree predicts {beyond:g} rentals.")


def test_the_table_of_nodes_is_the_tree(page, sites, vegetation):
    columns = page.run("c35", "c37", np=np, sites=sites)
    tree, walk = vegetation.tree_, columns["walk"]
    assert columns["left"].tolist() == tree.children_left.tolist()
    assert columns["right"].tolist() == tree.children_right.tolist()
    assert columns["feature"].tolist() == tree.feature.tolist()
    assert columns["threshold"].tolist() == tree.threshold.tolist()
    assert [walk(x) for x in sites.to_numpy()] == vegetation.apply(sites).tolist()
    page.says(
        f"Node 3, for example, splits on feature {tree.feature[3]}, elevation, at the threshold "
        f"{tree.threshold[3]:g}. Its left child is node {tree.children_left[3]}, and its right "
        f"child is node {tree.children_right[3]}."
    )


def test_what_becomes_of_the_cell_that_the_reader_changes(page):
    days = load_bike_demand()
    X, y = days[["temp"]], days["rentals"]
    just_above = pd.DataFrame({"temp": [np.nextafter(9.5, 10)]})
    right = DecisionTreeRegressor(max_depth=2).fit(X, y).predict(just_above).item()
    page.says(f"The prediction at 9.5 degrees becomes {right:g} rentals, because this day now goes")
    leaves = DecisionTreeRegressor(max_depth=3).fit(X, y).get_n_leaves()
    page.says(f"With `max_depth=3`, the tree has {in_words(leaves)} leaves.")


def test_the_tree_read_aloud(page):
    bikes = fetch_bike_sharing().frame
    hours = bikes[["hr", "temp", "workingday"]].to_numpy()
    tree = DecisionTreeRegressor(max_depth=3).fit(hours, bikes["cnt"])

    def read(hour, temp=0.3, workday=1):
        value = tree.predict([[hour, temp, workday]]).item()
        return f"{value:.1f}" if np.isclose(value % 1, 0.5) else f"{value:.0f}"

    assert len({read(hour) for hour in (2, 3, 4, 5)}) == 1
    page.says(f"From midnight to two, {read(1)} bikes are rented per hour, compared with only")
    page.says(f"compared with only {read(5)} from two to six. From six to seven, {read(6)} bikes")
    page.says(f"bikes are rented on working days but only {read(6, workday=0)} on other days.")
    assert read(7) == read(19) != read(20)
    page.says(f"In cool weather, {read(7)} bikes per hour are rented until eight in the evening,")
    assert read(7, 0.6) == read(20, 0.6) != read(21, 0.6)
    page.says(f"whereas in warm weather {read(7, 0.6)} bikes per hour are rented until nine.")


def test_the_hour_at_eight(page):
    bikes = fetch_bike_sharing().frame
    rentals, warm = bikes["cnt"], bikes["temp"] > 0.49
    means = rentals[warm & (bikes["hr"] == 8)].groupby(bikes["workingday"]).mean()
    page.says(
        f"the mean at eight is {means[1]:.0f} rentals on working days but only {means[0]:.0f} on"
    )
    hours = bikes[["hr", "temp", "workingday"]].to_numpy()
    model = DecisionTreeRegressor(max_depth=3).fit(hours, rentals)
    (answer,) = model.predict([[8, 0.6, 1]])
    here = warm & (bikes["hr"] > 6.5) & (bikes["hr"] <= 20.5)
    assert answer == pytest.approx(rentals[here].mean())
    page.says(
        f"so the tree predicts {answer:.0f} rentals. To check this number, we filter the training"
    )


def test_the_fifth_split_on_the_path_of_our_hour_is_on_the_working_day(page):
    table = page.table("c66")
    rules = table["rule"].fillna("").tolist()
    assert "workday" in rules[5]
    assert not any("workday" in rule for rule in rules[:5])
    page.says(
        "The fifth split is on `workday`. After the seventh split, only the 235 hours that we "
        "selected above remain."
    )
    assert table["n"].iloc[-1] == 235
    values = table["value"].to_numpy()[3:]
    assert (np.sign(np.diff(values)) == [-1, -1, 1, 1]).all()
    page.says(
        f"The prediction falls from {values[0]:.0f} rentals at depth 3 to {values[2]:.0f} at depth "
        f"5 and then rises to {values[4]:.0f} at depth 7."
    )
    off = (table["value"] - table["value"].iloc[-1]).abs()
    assert off.iloc[4] > off.iloc[3]
    assert off.iloc[5] > off.iloc[3]


def test_the_diagonal_with_the_difference_as_a_feature(page):
    diagonal, trees = page.run("c78", np=np, DecisionTreeClassifier=DecisionTreeClassifier), 0
    for n in (50, 200, 800, 3200):
        for seed in range(20):
            X, y = diagonal["diagonal"](n, seed)
            above = X[:, 1] > X[:, 0]  # what a split of the difference at zero would answer
            assert (np.where(above, "above", "below") == y).all()
            helped = DecisionTreeClassifier().fit(np.column_stack([X, X[:, 1] - X[:, 0]]), y)
            trees += helped.get_n_leaves() == 2
    page.says(
        f"With the difference as a third feature, each of the {trees} trees needs only two leaves "
        "(not shown)."
    )
    found = page.table("c81")
    fours = found["test error"].to_numpy()[:-1] / found["test error"].to_numpy()[1:]
    assert (np.round(fours) == 2).all()
    assert (np.round(found["leaves"].to_numpy()[1:] / found["leaves"].to_numpy()[:-1]) == 2).all()
    page.says(
        "With four times as many training rows, the test error is halved, but the number of leaves"
    )


def test_without_one_place_two_thresholds_are_equally_good(page, places):
    rest = places.drop(4)
    table = split_table(rest[["stream", "elevation"]], rest["vegetation"])
    tied = table[np.isclose(table["gain"], table["gain"].max())]
    assert tied["test"].tolist() == ["elevation <= 2250", "elevation <= 4175"]
    page.says(
        "Without place 4, the root even splits at a very different elevation, because "
        f"{in_words(len(tied))} thresholds are equally good and the smaller one is chosen."
    )


def test_first_questions_about_tumors(page):
    first = page.table("c90").index
    page.says(
        f"The fifty stumps split on {in_words(len(first))} different features. Three of these"
    )
    size = [name for name in first if {"radius", "perimeter", "area"} & set(name.split())]
    assert len(size) == 3


def test_the_recipe_of_scikit_learn_grows_the_same_tree(page):
    bikes = fetch_bike_sharing().frame
    hours = bikes[["hr", "temp", "workingday"]].set_axis(["hour", "temp", "workday"], axis=1)
    rentals = bikes["cnt"]
    found = page.run("sklearn", pd=pd, hours=hours, rentals=rentals)
    theirs, ours = found["shallow"], DecisionTreeRegressor(max_depth=3).fit(hours, rentals)
    assert theirs.tree_.feature.tolist() == ours.tree_.feature.tolist()
    assert theirs.tree_.threshold == pytest.approx(ours.tree_.threshold)
    assert theirs.apply(hours).tolist() == ours.apply(hours).tolist()
    assert theirs.predict(found["our_hour"]) == pytest.approx(ours.predict(found["our_hour"]))
    page.says("The splits, leaves and prediction agree with those of treelab's tree.")
