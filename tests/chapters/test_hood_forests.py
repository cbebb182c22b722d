"""Facts of the page behind chapter 10: how forests grow, proximities, quantiles, thresholds."""

import re

import joblib
import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.datasets import load_diabetes, load_iris, load_wine

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.datasets import fetch_wine_quality
from treelab.fast.growing import split_table
from treelab.figures import forests as figures

RESULTS = ROOT / "notebooks" / "replications"


def numbers(text):
    """The numbers of a text."""
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def is_clear(differences, ratio):
    """Whether the mean over 20 splits is beyond two corrected standard errors, for each table."""
    by_table = differences.groupby("data", sort=False)
    return by_table.mean().abs() > 2 * by_table.std() * np.sqrt(1 / 20 + ratio)


def test_the_trees_are_the_same_however_many_are_searched_at_once(page):
    X, y = load_iris(return_X_y=True)
    (alone, first), (together, second) = (figures.count_searches(X, y, n) for n in (1, 1 << 16))
    assert numbers(page.output("u04")) == [alone, together]
    assert all(a.equals(b) for a, b in zip(first, second, strict=True))
    page.says("The resulting trees are the same. Each tree has its own random generator")
    with joblib.parallel_config("threading"):
        two = RandomForestClassifier(50, n_jobs=2, random_state=0).fit(X, y)
    later = RandomForestClassifier(20, warm_start=True, random_state=0).fit(X, y)
    later.set_params(n_estimators=50).fit(X, y)
    for trees in (two.trees_, later.trees_):
        assert all(a.equals(b) for a, b in zip(first, trees, strict=True))
    page.says(
        "which trees are grown together, on how many workers, or whether you add trees later."
    )


# The research behind the chapter


def test_what_m_does_to_the_parts_of_the_error(page):
    parts = page.table("c28")
    assert parts["rho"].is_monotonic_increasing
    assert parts["s2"].is_monotonic_decreasing
    assert parts["bias2"].is_monotonic_decreasing
    of_ten = parts["bias2"] + (parts["rho"] + (1 - parts["rho"]) / 10) * parts["s2"]
    assert of_ten.idxmin() == 10
    page.says("Their sum has its minimum at $m=10$, which is bagging.")


def test_seven_and_ten_candidates_of_many_trees(page):
    points, truth = figures.friedman_points()
    # For endless trees set by set: the squared error of the ten, less what averaging would remove.
    errors = {}
    for m in (7, 10):
        P = figures.tree_predictions(m, points)
        errors[m] = (P.mean(axis=2) - truth) ** 2 - P.var(axis=2, ddof=1) / 10
        errors[m] = errors[m].mean(axis=1)
        rho, s2, bias2 = figures.bias_and_variance(P, truth)
        assert errors[m].mean() == pytest.approx(bias2 + rho * s2)
        assert page.table("c28").loc[m].tolist() == [rho.round(3), s2.round(1), bias2.round(1)]
    behind = errors[7] - errors[10]
    assert abs(behind.mean()) < 2 * behind.std(ddof=1) / np.sqrt(20)
    page.says(
        f"the error would be {errors[7].mean():.1f} for $m=7$ and {errors[10].mean():.1f} for "
        "$m=10$. This difference may be due to chance"
    )
    page.says(f"$m=7$ has the lower error on {(behind < 0).sum()} of the {len(behind)} sets.")


def test_how_sure_are_rho_and_sigma(page):
    lines = np.array([numbers(line) for line in page.output("u08").splitlines()])
    rise, fall = lines[-1, 1] - lines[0, 1], lines[0, 2] - lines[-1, 2]
    assert rise > 4 * lines[:, 3].max()
    assert fall > 4 * lines[:, 4].max()
    page.says(
        r"The rise of $\rho$ from 1 to 10 candidates and the fall of $\sigma_T^2$ are many times"
    )


def test_bounds_of_a_negative_correlation(page):
    bounds = [f"{-1 / (B - 1):g}" for B in (5, 11, 101)]
    page.says("This is {} for 5 variables, {} for 11 and {} for 101".format(*bounds))
    assert -0.1 + (1 + 0.1) / 20 < 0
    page.says("would have a mean with a negative variance.")


def test_once_for_a_tree(page):
    runs = pd.read_csv(RESULTS / "once_for_a_tree.csv")
    means = runs.groupby("m")[["every node", "once for a tree"]].mean()
    every, once = means["every node"], means["once for a tree"]
    assert once[3] > 2 * every[3]
    page.says("At $m=3$ the random subspace method has more than twice the error of the random")
    worse = (runs["once for a tree"] > runs["every node"]).groupby(runs["m"]).sum()
    upto = max(m for m in worse.index if (worse.loc[:m] == 20).all())
    page.says(
        f"Up to $m={upto}$ the random subspace method has the higher error on each of the "
        f"{worse[upto]} sets, and its lowest mean error is at $m={once.idxmin()}$"
    )
    assert every.idxmin() == 8
    assert (every[7] - every[8]).round(2) == 0.01
    page.says("The error of the random forest is nearly constant from $m=7$ on.")
    by_set = runs.pivot(index="set", columns="m", values="every node")
    page.says(
        f"With $m=8$ it is {every[8]:.2f}, compared with {every[10]:.2f} for bagging, and it is "
        f"lower on {(by_set[8] < by_set[10]).sum()} of the sets."
    )


# Wines


def test_the_red_wines(page):
    wine = fetch_wine_quality("red").frame
    page.says(
        f"Experts graded {len(wine)} red wines, and {in_words(wine.shape[1] - 1)} properties of"
    )
    others = len(wine.drop_duplicates()) - 900
    page.says(f"compute the squared error on the {others} other wines after each tree.")


def test_the_number_of_candidates_hardly_matters(page):
    rmse = page.table("u12")
    assert rmse["leaf 20"].idxmax() == rmse["leaf 5"].idxmax() == 1
    assert rmse.loc[1, "leaf 20"] == rmse.max(axis=None)
    page.says("With one candidate and large leaves the forest is worse")
    luck = page.table("u14")
    apart = abs(luck.loc["mean"].diff().iloc[-1])
    assert 0.5 < apart / luck.loc["std"].mean() < 1.5
    page.says("differ by about as much as one forest varies from seed to seed")


def test_two_libraries_cannot_be_told_apart(page):
    difference, standard_error = numbers(page.output("u17").splitlines()[0])
    assert abs(difference) < 2 * standard_error
    page.says("With eight seeds, we cannot distinguish the libraries.")


def test_more_trees_and_more_errors(page):
    wrong, squared = (column for _, column in page.table("u19").items())
    assert wrong.is_monotonic_increasing
    assert squared.is_monotonic_decreasing
    assert wrong.iloc[-1] == 1
    page.says("more and more observations are misclassified, and in the end all of them")
    page.says("while the squared error of the proportion falls, as it must on average.")


# Proximities


@pytest.fixture(scope="module")
def tasters():
    """The wines, their cultivars, and a forest."""
    X, y = load_wine(return_X_y=True)
    return X, y, RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)


def test_three_wines_are_ringed(page, tasters):
    _, y, forest = tasters
    wrong = (forest.oob_decision_function_.argmax(axis=1) != y).sum()
    caption = page.caption("c51")
    caption.says(f"The rings mark the {in_words(wrong)} wines that the forest misclassifies")
    caption.says(f"{len(y)} wines placed by their out-of-bag proximities.")
    page.says(f"We take {len(y)} Italian wines from three kinds of vine (cultivars).")


def test_two_eigenvalues_stand_out(page):
    values = numbers(page.output("u21i"))
    assert values[1] > 5 * values[2]
    page.says("of which the first two are far above the others.")


def test_the_faces_of_a_coin(page):
    near = page.table("u21b")
    assert 1.7 < np.divide(*near.loc["all trees"]) < 2
    page.says("rows with the same class are nearly twice as close as rows with different classes.")
    assert near.loc["out of bag"].nunique() == 1
    page.says("Out of bag, this difference disappears.")


def test_the_strongest_outliers_are_the_wines_misclassified(page, tasters):
    _, y, forest = tasters
    judged = forest.oob_decision_function_.argmax(axis=1)
    wrong, strongest = set(np.flatnonzero(judged != y)), page.table("u23")
    assert set(strongest.index[:3]) == wrong
    page.says(
        f"Out of bag the forest misclassifies {in_words(len(wrong))} wines of {len(y)}, and these "
        f"are the {in_words(len(wrong))} strongest outliers."
    )
    fourth = strongest.iloc[3]
    assert fourth["predicted"] == fourth["cultivar"]
    page.says(
        f"Wine {strongest.index[3]} is classified correctly, although it lies far from its class."
    )


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


def test_a_prediction_is_a_weighted_mean(page):
    leaves, targets = [[10, 10, 40], [10, 70]], np.array([10, 40, 70])
    w = np.mean([[leaf.count(y) / len(leaf) for y in targets] for leaf in leaves], axis=0)
    assert np.allclose(w, [7 / 12, 1 / 6, 1 / 4])
    page.says("10 has the weight $(2/3+1/2)/2=7/12$, 40 has 1/6 and 70 has 1/4.")
    first, second = map(np.mean, leaves)
    page.says(f"The trees predict {first:g} and {second:g}, the forest {w @ targets:g}, and")


def test_the_two_intervals_of_the_wave(page):
    names = page.run("c40", np=np, RandomForestRegressor=RandomForestRegressor)
    forest, x, wave, line = (names[name] for name in ("forest", "x", "wave", "line"))
    width = 1.645 * np.sqrt(forest.prediction_variance(line))
    at = np.searchsorted(line[:, 0], x[:, 0])
    inside = np.abs(wave - forest.predict(line)[at]) <= width[at]
    assert inside.mean() < 0.5
    page.caption("c41").says("how far the trees differ, and most points lie outside it.")


def test_do_intervals_keep_their_promise(page):
    sets = pd.read_csv(RESULTS / "forest_intervals.csv").query("leaf > 1")
    inside = sets.groupby(["data", "leaf"])[["quantiles, inside", "spread, inside"]].mean()
    quantiles, spread = inside["quantiles, inside"].unstack(), inside["spread, inside"].unstack()
    assert (spread < 0.9).all(axis=None)
    assert (spread[20] < spread[5]).all()
    page.says(
        "contain too few targets, and the fewer the larger the leaves, because the trees agree"
    )
    assert ((quantiles - 0.9).abs() < (spread - 0.9).abs()).sum().sum() >= 7
    assert (quantiles.loc["wave"] < 0.9).all()
    assert (quantiles.loc[["bicycles", "red wine"]] > 0.9).all(axis=None)
    page.says(
        "They contain too few targets on the wave, and too many among the bicycles and the wines"
    )


def test_intervals_by_the_size_of_the_leaves(page):
    sets = pd.read_csv(RESULTS / "forest_intervals.csv")
    means = sets.groupby(["data", "leaf"]).mean()
    quantiles, spread = means["quantiles, width"].unstack(), means["spread, width"].unstack()
    assert (spread.diff(axis=1)[[5, 20]] < 0).all(axis=None)
    assert (quantiles[20] > 0.98 * quantiles[5]).all()
    page.says(
        "The spread of means shrinks, whereas the quantiles of targets hardly do, or even widen."
    )
    of_one = means.xs(1, level="leaf")
    assert ((of_one["quantiles, inside"] - of_one["spread, inside"]).abs() < 0.1).all()
    page.says("describe the same list of targets, and contain similar proportions.")


@pytest.fixture(scope="module")
def thresholds():
    """The errors by table and split, and test rows for each training row."""
    runs = pd.read_csv(RESULTS / "random_thresholds.csv")
    errors = runs.pivot_table(index=["data", "split"], columns="method", values="error", sort=False)
    return errors, runs.groupby("data", sort=False)["ratio"].first()


def test_random_thresholds(page, thresholds):
    errors, ratio = thresholds
    rivals = np.where(np.arange(len(errors)) < 3 * 20, errors["bagging"], errors["forest"])
    clear = is_clear(errors["random thresholds"] - rivals, ratio)
    assert clear.index[clear].tolist() == ["bicycles"]
    page.says("Only on the bicycles is the difference larger than two standard errors.")
    shown = page.table("c48").astype(float)
    assert ((shown["difference"].abs() > 2 * shown["se"]) == clear).all()


def test_where_fewer_candidates_pay(page, thresholds):
    errors, ratio = thresholds
    difference = errors["forest"] - errors["bagging"]
    by_table = difference.groupby("data", sort=False)
    fewer, more = (by_table.apply(lambda d, s=s: (s * d > 0).sum()) for s in (-1, 1))
    assert fewer.tolist() == [0, 18, 17, 10, 12, 14, 14]
    assert (fewer > more).tolist() == [False] + 6 * [True]
    assert is_clear(difference, ratio).tolist() == [True] + 6 * [False]
    means = errors.groupby("data").mean()
    forest, bagged = means["forest"], means["bagging"]
    page.says(
        f"On the bicycles fewer candidates are worse in every split, {forest['bicycles']:.1f} "
        f"compared with {bagged['bicycles']:.1f}."
    )
    page.says(
        f"On the other {in_words((fewer > more).sum())} data sets they have the lower error in "
        f"more splits than bagging, on the sonar echoes with {forest['sonar']:.3f} compared with "
        f"{bagged['sonar']:.3f}, but on none by more than two standard errors."
    )


def test_best_and_random_thresholds(page):
    steps, parts = page.table("u30a"), page.table("c28")
    best, same, whole = (steps.loc[kind] for kind in steps.index)
    assert steps["thresholds"].tolist() == [3817, 627, 990]
    error = numbers(page.output("u08").splitlines()[-1])[3]
    assert abs(best["rho"] - parts.loc[10, "rho"]) < error
    page.says(
        rf"Its $\rho$ of {best['rho']} and the {parts.loc[10, 'rho']} above differ by less than a "
        f"standard error ({error})."
    )
    assert 0.4 < same["rho"] / best["rho"] < 0.6
    page.says(r"On the same samples random thresholds halve $\rho$, because two trees seldom split")
    assert (same[["s2", "bias2"]] > best[["s2", "bias2"]]).all()
    assert same["nodes"] == best["nodes"]
    distinct = round(100 * (1 - 0.99**100))
    page.says(
        f"{best['nodes']:.0f} nodes for the {distinct} distinct rows of a sample and "
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
        f"{times.max()} times, and on the others the factor is"
    )


def test_one_random_threshold_for_each_feature(page):
    table = page.table("u30c3")
    mean, error = (table["mean gain"].str.split(" ± ").str[k].astype(float) for k in (0, 1))
    assert abs(np.diff(mean).item()) < 2 * np.hypot(*error)
    assert 0.35 < 1 - mean.max() < 1 - mean.min() < 0.4
    page.says("the same part of the gain, a little less than four tenths, and choose the same")
    counts = table.drop(columns="mean gain").astype(int)
    for ours, theirs in counts.T.itertuples(index=False):  # of 1 000 each
        assert abs(ours - theirs) < 3 * np.sqrt(2 * ours * (1 - ours / 1000))
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    largest = split_table(X, y).groupby("feature")["gain"].max()
    assert largest.nlargest(2).index.tolist() == ["s5", "bmi"]
    page.says("An exhaustive search would always choose `s5`, whereas random thresholds choose")
    assert (counts["bmi"] > counts["s5"]).all()
    assert largest["bmi"] > 0.95 * largest["s5"]
