"""Facts of the page behind chapter 10: how forests grow, proximities, quantiles, thresholds."""

import re

import joblib
import numpy as np
import pandas as pd
import pytest
from facts import Page, in_words
from places import ROOT
from sklearn.datasets import load_iris, load_wine

from treelab import RandomForestClassifier
from treelab.datasets import fetch_wine_quality
from treelab.figures import forests as figures

RESULTS = ROOT / "notebooks" / "replications"


def numbers(text):
    """The numbers of a text."""
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_the_trees_are_the_same_however_many_are_searched_at_once(page):
    X, y = load_iris(return_X_y=True)
    (alone, first), (together, second) = (figures.count_searches(X, y, n) for n in (1, 1 << 16))
    assert numbers(page.output("u04")) == [alone, together]
    assert all(a.equals(b) for a, b in zip(first, second, strict=True))
    page.says("The trees are the same. Each draws from a generator of its own")
    with joblib.parallel_config("threading"):
        two = RandomForestClassifier(50, n_jobs=2, random_state=0).fit(X, y)
    later = RandomForestClassifier(20, warm_start=True, random_state=0).fit(X, y)
    later.set_params(n_estimators=50).fit(X, y)
    for trees in (two.trees_, later.trees_):
        assert all(a.equals(b) for a, b in zip(first, trees, strict=True))
    page.says("it does not matter who grows beside it, on how many workers, or whether you add")


def test_how_sure_are_rho_and_sigma(page):
    lines = np.array([numbers(line) for line in page.output("u08").splitlines()])
    rise, fall = lines[-1, 1] - lines[0, 1], lines[0, 2] - lines[-1, 2]
    assert rise > 4 * lines[:, 3].max()
    assert fall > 4 * lines[:, 4].max()
    page.says(r"The rise of $\rho$ from 1 to 10 and the fall of $\sigma_T^2$ are many times that.")


def test_bounds_of_a_negative_correlation(page):
    bounds = [f"{-1 / (B - 1):g}" for B in (5, 11, 101)]
    page.says("no lower than {} for 5 variables, {} for 11, {} for 101.".format(*bounds))


# Wines


def test_the_red_wines(page):
    wine = fetch_wine_quality("red").frame
    page.says(f"Experts tasted {len(wine)} red wines; {in_words(wine.shape[1] - 1)} measurements")
    others = len(wine.drop_duplicates()) - 900
    page.says(f"squared error on the {others} other wines against the number of trees:")


def test_the_number_of_candidates_hardly_matters(page):
    rmse = page.table("u12")
    assert rmse["leaf 20"].idxmax() == rmse["leaf 5"].idxmax() == 1
    assert rmse.loc[1, "leaf 20"] == rmse.max(axis=None)
    page.says("With one candidate and large leaves the forest is worse")
    luck = page.table("u14")
    apart = abs(luck.loc["mean"].diff().iloc[-1])
    assert 0.5 < apart / luck.loc["std"].mean() < 1.5
    page.says("differ by about as much as one forest scatters from seed to seed")


def test_two_libraries_cannot_be_told_apart(page):
    difference, standard_error = numbers(page.output("u17").splitlines()[0])
    assert abs(difference) < 2 * standard_error
    page.says("Eight seeds cannot tell the libraries apart.")


def test_more_trees_and_more_errors(page):
    wrong, squared = (column for _, column in page.table("u19").items())
    assert wrong.is_monotonic_increasing
    assert squared.is_monotonic_decreasing
    assert wrong.iloc[-1] == 1
    page.says("With more trees ever more of the cases are wrong, in the end all of them")
    page.says("while the squared error of the share falls, as it must on average.")


# Proximities


@pytest.fixture(scope="module")
def tasters():
    """The wines, their cultivars, and a forest."""
    X, y = load_wine(return_X_y=True)
    return X, y, RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)


def test_two_eigenvalues_stand_out(page):
    values = numbers(page.output("u21"))
    assert values[1] > 5 * values[2]
    page.says("the first two far above the others:")


def test_the_faces_of_a_coin(page):
    near = page.table("u21b")
    assert 1.7 < np.divide(*near.loc["all trees"]) < 2
    page.says("Over all trees cases with the same face are nearly twice as close.")
    assert near.loc["out of bag"].nunique() == 1
    page.says("Out of bag nothing is left of it.")


def test_the_strongest_outliers_are_the_wines_misclassified(page, tasters):
    _, y, forest = tasters
    judged = forest.oob_decision_function_.argmax(axis=1)
    wrong, strongest = set(np.flatnonzero(judged != y)), page.table("u23")
    assert set(strongest.index[:3]) == wrong
    page.says(
        f"Out of bag the forest misjudges {in_words(len(wrong))} wines of {len(y)}, and these are "
        f"the {in_words(len(wrong))} strongest outliers."
    )
    fourth = strongest.iloc[3]
    assert fourth["judged"] == fourth["cultivar"]
    page.says(f"Wine {strongest.index[3]} is judged rightly, though it lies far from its kind.")


def test_which_matrix_of_proximities_is_semidefinite(page, tasters):
    X, _, forest = tasters
    assert np.linalg.eigvalsh(forest.proximity(X))[0] > -1e-9
    assert numbers(page.output("u27"))[1] < 0
    page.says("and the matrix of quotients need not be positive semidefinite.")


def test_proximity_by_depth(page):
    runs = pd.read_csv(RESULTS / "proximity_by_depth.csv")
    means = runs.groupby(["table", "proximity"])[["error", "rand", "zero"]].mean()
    gain = means.xs("depth", level=1) - means.xs("leaf", level=1)
    assert (gain["error"] > -1e-3).all()
    page.says("The error of the nearest row is about the same, and the clusters agree with")
    assert (gain["rand"] < 1e-3).all()
    page.says(
        f"the clusters agree with the classes no better on any of the {in_words(len(gain))} tables"
    )
    assert (gain["zero"] < 0).all()
    page.says("because far fewer pairs have a proximity of 0.")
    (times,) = set(runs.groupby(["table", "proximity"]).size())
    page.says(f"100 trees on half of the rows of {in_words(len(gain))} tables, {times} times, and")


# Quantiles, and random thresholds


def test_intervals_by_the_size_of_the_leaves(page):
    sets = pd.read_csv(RESULTS / "forest_intervals.csv")
    means = sets.groupby(["data", "leaf"]).mean()
    quantiles, spread = means["quantiles, width"].unstack(), means["spread, width"].unstack()
    assert (spread.diff(axis=1)[[5, 20]] < 0).all(axis=None)
    assert (quantiles[20] > 0.98 * quantiles[5]).all()
    page.says("The spread of means shrinks; the quantiles of targets hardly do, or widen.")
    of_one = means.xs(1, level="leaf")
    assert ((of_one["quantiles, inside"] - of_one["spread, inside"]).abs() < 0.1).all()
    page.says("describe the same list of them, and hold similar shares.")


def test_best_and_random_thresholds(page):
    steps, chapter = page.table("u30a"), Page.of("forests").table("c28")
    best, same, whole = (steps.loc[kind] for kind in steps.index)
    assert steps["thresholds"].tolist() == [3817, 627, 990]
    error = numbers(page.output("u08").splitlines()[-1])[3]
    assert abs(best["rho"] - chapter.loc[10, "rho"]) < error
    page.says(
        rf"its $\rho$ of {best['rho']} and the chapter's {chapter.loc[10, 'rho']} are within a "
        f"standard error, {error}."
    )
    assert 0.4 < same["rho"] / best["rho"] < 0.6
    page.says(r"On the same samples random thresholds halve $\rho$: two trees seldom cut")
    assert (same[["s2", "bias2"]] > best[["s2", "bias2"]]).all()
    assert same["nodes"] == best["nodes"]
    distinct = round(100 * (1 - 0.99**100))
    page.says(
        f"{best['nodes']:.0f} nodes for the {distinct} distinct rows of a sample, "
        f"{whole['nodes']:.0f} for all 100."
    )


def test_nodes_of_random_thresholds(page):
    runs = pd.read_csv(RESULTS / "random_thresholds.csv")
    nodes = runs.groupby(["data", "method"], sort=False)["nodes"].mean().unstack(sort=False)
    rivals = np.where(np.arange(7) < 3, nodes["bagging"], nodes["forest"])  # as many candidates
    times = (nodes["random thresholds"] / rivals).round(1)
    assert [times["diabetes"], times["tumors"]] == [times.min(), times.max()]
    page.says(
        f"On the diabetes patients it has {times.min()} times as many nodes, on the tumors "
        f"{times.max()} times, on the others something between"
    )
