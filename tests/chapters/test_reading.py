"""Facts of chapter 1: the same tree in several forms, and what a tree does not tell."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import fetch_bike_sharing, load_vegetation
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


def test_the_table_of_nodes_is_the_tree(page, sites, vegetation):
    columns = page.run("c35", "c37", np=np, sites=sites)
    tree, walk = vegetation.tree_, columns["walk"]
    assert columns["left"].tolist() == tree.children_left.tolist()
    assert columns["right"].tolist() == tree.children_right.tolist()
    assert columns["feature"].tolist() == tree.feature.tolist()
    assert columns["threshold"].tolist() == tree.threshold.tolist()
    assert [walk(x) for x in sites.to_numpy()] == vegetation.apply(sites).tolist()
    page.says(
        f"Node 3 asks about feature {tree.feature[3]}, elevation, with the threshold "
        f"{tree.threshold[3]:g}; yes leads to node {tree.children_left[3]}, no "
        f"to node {tree.children_right[3]}."
    )


def test_the_hour_at_eight(page):
    bikes = fetch_bike_sharing().frame
    rentals, warm = bikes["cnt"], bikes["temp"] > 0.49
    means = rentals[warm & (bikes["hr"] == 8)].groupby(bikes["workingday"]).mean()
    page.says(f"It does, says {{numref}}`fig-reading-day`: {means[1]:.0f} on working days, ")
    page.says(f"on working days, {means[0]:.0f} on others.")
    hours = bikes[["hr", "temp", "workingday"]].to_numpy()
    model = DecisionTreeRegressor(max_depth=3).fit(hours, rentals)
    (answer,) = model.predict([[8, 0.6, 1]])
    here = warm & (bikes["hr"] > 6.5) & (bikes["hr"] <= 20.5)
    assert answer == pytest.approx(rentals[here].mean())
    page.says(f"The leaf says {answer:.0f}. Now forget the tree, take the three answers as a")


def test_the_diagonal_with_the_difference_as_a_feature(page):
    diagonal, trees = page.run("c78", np=np, DecisionTreeClassifier=DecisionTreeClassifier), 0
    for n in (50, 200, 800, 3200):
        for seed in range(20):
            X, y = diagonal["diagonal"](n, seed)
            above = X[:, 1] > X[:, 0]  # what a split of the difference at zero would answer
            assert (np.where(above, "above", "below") == y).all()
            helped = DecisionTreeClassifier().fit(np.column_stack([X, X[:, 1] - X[:, 0]]), y)
            trees += helped.get_n_leaves() == 2
    page.says(f"With the difference, two leaves are enough in all {trees} trees.")
    found = page.table("c81")
    fours = found["test error"].to_numpy()[:-1] / found["test error"].to_numpy()[1:]
    assert (np.round(fours) == 2).all()
    assert (np.round(found["leaves"].to_numpy()[1:] / found["leaves"].to_numpy()[:-1]) == 2).all()
    page.says("Four times the rows halve the error, but they double the leaves")


def test_without_one_place_two_thresholds_are_equally_good(page, places):
    rest = places.drop(4)
    table = split_table(rest[["stream", "elevation"]], rest["vegetation"])
    tied = table[np.isclose(table["gain"], table["gain"].max())]
    assert tied["test"].tolist() == ["elevation <= 2250", "elevation <= 4175"]
    page.says(
        f"Without place 4 the tree begins with another border: {in_words(len(tied))} are equally "
        "good there, and the smaller is taken."
    )


def test_first_questions_about_tumors(page):
    first = page.table("c90").index
    page.says(f"{in_words(len(first)).capitalize()} different features. Three measure the size")
    size = [name for name in first if {"radius", "perimeter", "area"} & set(name.split())]
    assert len(size) == 3
