"""The calculations behind the page of errata: instability, bootstrap, bagging, forests.

Each entry of book/errata names the test that backs it; `test_errata.py` checks that.
"""

from itertools import product
from math import factorial

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingRegressor as TheirBagging
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from treelab import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.datasets import fetch_german_credit, make_friedman1, make_steps
from treelab.fast.bootstrap import distinct_cases
from treelab.fast.growing.by_depth import draw_features

GUESSES = np.array([2.0, 8.0, 5.0])  # of three stumps, where the truth is 4


# --- why one tree is not enough ------------------------------------------------------


def test_the_square_stands_inside_the_mean():
    inside, outside = np.mean(GUESSES**2), np.mean(GUESSES) ** 2
    assert (inside, outside) == (31, 25)
    assert inside - outside == GUESSES.var() == 6
    assert np.mean((GUESSES - 4) ** 2) - (GUESSES.mean() - 4) ** 2 == 6


def test_variance_may_fall_as_the_tree_grows():
    x = np.linspace(0.005, 0.995, 100)[:, None]
    variance = []
    for depth in (1, 2):
        tree = DecisionTreeRegressor(max_depth=depth)
        sets = (make_steps(100, noise=0.5, random_state=seed) for seed in range(200))
        variance.append(
            np.var([tree.fit(*data).predict(x) for data in sets], axis=0, ddof=1).mean()
        )
    assert variance == pytest.approx([0.259, 0.039], abs=5e-4)


# --- the bootstrap -------------------------------------------------------------------


def test_distinct_cases_are_not_binomial():
    counts = [len(set(sample)) for sample in product(range(4), repeat=4)]  # all 256
    assert distinct_cases(4) == pytest.approx((np.mean(counts), np.var(counts)))
    p = 1 - 0.99**100
    assert distinct_cases(100) == pytest.approx((100 * p, 9.740), abs=5e-4)
    assert 100 * p * (1 - p) == pytest.approx(23.205, abs=5e-4)
    e = np.exp(-1)
    assert distinct_cases(10**6)[1] / 10**6 == pytest.approx(e - 2 * e**2, abs=1e-6)


def test_share_of_the_cases_in_a_sample():
    drawn = {n: 1 - (1 - 1 / n) ** n for n in (5, 6, 10, 1000)}
    assert drawn[10] == pytest.approx(0.651, abs=5e-4)
    assert drawn[1000] == pytest.approx(0.632, abs=5e-4)
    assert drawn[5] > 2 / 3 > drawn[6]
    times = binom.pmf([0, 1], 1000, 1 / 1000)
    assert [*times, 1 - times.sum()] == pytest.approx([0.368, 0.368, 0.264], abs=5e-4)


def test_some_samples_miss_no_case():
    samples = list(product(range(3), repeat=3))
    complete = [sample for sample in samples if len(set(sample)) == 3]
    assert (len(complete), len(samples)) == (6, 27)
    assert len(complete) / len(samples) == factorial(3) / 3**3
    assert len({tuple(sorted(sample)) for sample in samples}) == 10
    assert factorial(10) / 10**10 == pytest.approx(0.00036288)


def test_some_cases_are_in_every_sample():
    X, y = np.arange(100.0)[:, None], np.tile([0, 1], 50)
    bag = BaggingClassifier(n_estimators=5, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="are in every bootstrap sample"):
        bag.fit(X, y)
    unheard = np.all([np.isin(np.arange(100), rows) for rows in bag.estimators_samples_], axis=0)
    assert unheard.sum() == round(100 * (1 - bag.oob_coverage_)) > 0
    assert 100 * (1 - 0.99**100) ** 5 == pytest.approx(10.2, abs=0.05)
    assert 10 * (1 - 0.9**10) ** 5 == pytest.approx(1.2, abs=0.05)


def test_which_number_of_folds_is_like_the_bootstrap():
    share = 1 - np.exp(-1)
    assert 1 / (1 - share) == pytest.approx(np.e)
    assert 1 - 1 / 2 < share < 1 - 1 / 3


def test_a_mean_over_bootstrap_samples_stands_for_a_mean_over_fresh_ones():
    """For the largest of ten uniform numbers both are known, and they differ."""
    n, k = 10, np.arange(1, 11)
    mean = k / (n + 1)  # of the sorted numbers
    chance = (k / n) ** n - ((k - 1) / n) ** n  # number k is the largest of a sample
    assert [mean[-1], chance @ mean] == pytest.approx([0.909, 0.864], abs=5e-4)
    rows = np.random.default_rng(0).integers(n, size=(20000, n))
    assert (mean[rows.max(axis=1)]).mean() == pytest.approx(chance @ mean, abs=0.003)


# --- bagging -------------------------------------------------------------------------


def test_the_bagged_maximum_is_worse():
    """The largest of ten uniform numbers, as an estimate of the end point 1; all exact."""
    n, k = 10, np.arange(1, 11)
    mean = k / (n + 1)  # of the sorted numbers
    low, high = np.minimum.outer(k, k), np.maximum.outer(k, k)
    covariance = low * (n + 1 - high) / ((n + 1) ** 2 * (n + 2))
    square = covariance + np.outer(mean, mean)
    chance = (k / n) ** n - ((k - 1) / n) ** n  # number k is the largest of a sample
    assert chance[-1] == pytest.approx(0.651, abs=5e-4)
    plain = covariance[-1, -1] + (mean[-1] - 1) ** 2
    assert plain == pytest.approx(2 / 132)
    endless = chance @ square @ chance - 2 * chance @ mean + 1
    one_sample = chance @ square.diagonal() - 2 * chance @ mean + 1
    bagged = [endless + (one_sample - endless) / B for B in (25, 10**9)]
    assert bagged == pytest.approx([0.0257, 0.0254], abs=5e-5)


def test_bootstrap_predictions_are_independent_only_given_the_data():
    """The mean of n numbers of variance 1, bagged: 1/n is left however many members."""
    samples = np.array([np.bincount(s, minlength=3) for s in product(range(3), repeat=3)])
    pairs = (samples[:, None] + samples[None]) / 6  # B = 2: the weight of each number
    exact = np.mean((pairs**2).sum(axis=2))
    assert exact == pytest.approx(1 / 3 + (2 / 9) / 2)
    assert exact > np.mean(((samples / 3) ** 2).sum(axis=1)) / 2  # if they were independent


def test_ties_of_an_even_number_of_voters():
    assert binom.sf(4, 10, 0.4) == pytest.approx(0.367, abs=5e-4)  # a tie is an error
    assert binom.sf(5, 10, 0.4) == pytest.approx(0.166, abs=5e-4)  # a tie is right
    wrong = [binom.sf(500, 1001, alpha) for alpha in (0.4, 0.6)]
    assert wrong == pytest.approx([0, 1], abs=1e-9)  # the limits of the notes


def test_the_out_of_bag_score_is_one_r2():
    X, y = load_diabetes(return_X_y=True)
    for bagging in (BaggingRegressor, TheirBagging):
        bag = bagging(TheirRegressor(), n_estimators=200, oob_score=True, random_state=0).fit(X, y)
        sums, votes, alone = np.zeros(442), np.zeros(442), []
        for member, rows in zip(bag.estimators_, bag.estimators_samples_, strict=True):
            unseen = np.setdiff1d(np.arange(442), rows)
            said = member.predict(X[unseen])
            alone.append(r2_score(y[unseen], said))
            sums[unseen] += said
            votes[unseen] += 1
        assert bag.oob_score_ == pytest.approx(r2_score(y, sums / votes))
        assert bag.oob_score_ > 0.4
        assert np.mean(alone) < 0


def test_bagging_leaves_no_feature_out():
    X, y = np.random.default_rng(0).normal(size=(2, 200, 34))
    y = y[:, 0] > 0
    bag = BaggingClassifier(n_estimators=5, random_state=0).fit(X, y)
    assert [member.n_features_in_ for member in bag.estimators_] == [34] * 5
    assert [member.max_features_ for member in bag.estimators_] == [34] * 5
    tree = RandomForestClassifier(1, max_features=2, random_state=0).fit(X, y).trees_[0]
    assert len(set(tree.feature[tree.feature >= 0])) > 2


# --- random forests ------------------------------------------------------------------


def test_what_averaging_leaves_of_the_variance():
    def of_mean(rho, B):
        return np.full((B, B), rho).sum() / B**2 + (1 - rho) / B  # mean of all covariances

    assert of_mean(0.5, 10) == pytest.approx(0.55)
    assert of_mean(0.5, 2000) == pytest.approx(0.5, abs=5e-4)
    assert of_mean(-0.1, 20) == pytest.approx(-0.045)  # so there are no such variables
    for B in (5, 11, 101):
        least = -1 / (B - 1)
        correlation = np.full((B, B), least) + (1 - least) * np.eye(B)
        assert np.linalg.eigvalsh(correlation)[0] == pytest.approx(0, abs=1e-9)
        assert np.linalg.eigvalsh(correlation - 0.01 + 0.01 * np.eye(B))[0] < -0.001


def test_candidates_are_drawn_for_every_node():
    tries = draw_features(9, np.zeros(40, dtype=int), [np.random.default_rng(0)])[:3]
    assert len({tuple(column) for column in tries.T}) > 20
    assert set(tries.ravel()) == set(range(9))  # a single tree, and it sees all features
    X, y = make_friedman1(200, random_state=0)
    X_new, y_new = make_friedman1(1000, random_state=100)
    forest = RandomForestRegressor(50, max_features=3, random_state=0).fit(X, y)
    rng, said = np.random.default_rng(0), np.zeros(1000)
    for _ in range(50):
        columns, rows = rng.choice(10, 3, replace=False), rng.integers(200, size=200)
        tree = DecisionTreeRegressor().fit(X[np.ix_(rows, columns)], y[rows])
        said += tree.predict(X_new[:, columns]) / 50
    every_node, once = (np.mean((p - y_new) ** 2) for p in (forest.predict(X_new), said))
    assert [every_node, once] == pytest.approx([5.27, 14.09], abs=5e-3)


def test_few_candidates_miss_the_useful_features():
    rng = np.random.default_rng(0)
    X, y, X_new, y_new = [
        part
        for n in (300, 1000)
        for X in [rng.normal(size=(n, 100))]
        for part in (X, 3 * X[:, 0] + 2 * X[:, 1] + rng.normal(size=n))
    ]
    error = []
    for m in (1, 10, 33, 100):
        forest = RandomForestRegressor(30, max_features=m, random_state=0).fit(X, y)
        error.append(np.mean((forest.predict(X_new) - y_new) ** 2))
    assert error == pytest.approx([12.9, 7.2, 3.6, 2.1], abs=0.05)


def test_a_forest_can_overfit():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 10)), rng.normal(size=200)
    X_new, y_new = rng.normal(size=(2000, 10)), rng.normal(size=2000)
    forest = RandomForestRegressor(300, random_state=0).fit(X, y)
    of_trees = forest.predict_trees(X_new)
    error = [np.mean((of_trees[:, :B].mean(axis=1) - y_new) ** 2) for B in (10, 100, 300)]
    assert error == pytest.approx([1.153, 1.082, 1.072], abs=5e-4)
    assert np.mean((y.mean() - y_new) ** 2) == pytest.approx(0.989, abs=5e-4)
    large = RandomForestRegressor(200, min_samples_leaf=50, random_state=0).fit(X, y)
    assert np.mean((large.predict(X_new) - y_new) ** 2) == pytest.approx(0.991, abs=5e-4)
    assert np.mean((forest.predict(X) - y) ** 2) == pytest.approx(0.149, abs=5e-4)


@pytest.mark.filterwarnings("ignore:.*cases are in every bootstrap sample")
def test_more_trees_can_make_more_errors():
    X, y = np.arange(200.0)[:, None], np.arange(200) % 2
    found = []
    for B in (1, 11, 101):
        each = []
        for seed in range(5):
            forest = RandomForestClassifier(B, oob_score=True, random_state=seed).fit(X, y)
            votes, sums = forest.out_of_bag_.votes, forest.out_of_bag_.sums[:, 1]
            share, label = sums[votes > 0] / votes[votes > 0], y[votes > 0]
            each.append([np.mean((share > 0.5) != label), np.mean((share - label) ** 2)])
        found.append(np.mean(each, axis=0))
    assert np.array(found).T[0] == pytest.approx([0.885, 0.969, 1.0], abs=5e-4)
    assert np.array(found).T[1][[0, 2]] == pytest.approx([0.885, 0.783], abs=5e-4)

    X, y = fetch_german_credit(return_X_y=True)
    rows = []
    for seed in range(12):
        A, C, a, c = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=seed)
        forest, bad = (
            RandomForestClassifier(101, random_state=seed).fit(A, a),
            (c == "bad").to_numpy(),
        )
        trees, vote = forest.predict_trees(C) == "bad", forest.predict(C) == "bad"
        errors = (trees != bad[:, None]).mean(), (vote != bad).mean()
        rows.append([trees[bad].mean(), vote[bad].mean(), *errors])
    rows = np.array(rows)
    assert rows.mean(axis=0) == pytest.approx([0.449, 0.409, 0.337, 0.239], abs=5e-4)
    fewer = rows[:, 0] - rows[:, 1]
    assert (fewer > 0).sum() == 10
    corrected = fewer.std(ddof=1) * (1 / 12 + 334 / 666) ** 0.5  # of Nadeau and Bengio
    assert (fewer.mean(), corrected) == pytest.approx((0.040, 0.029), abs=5e-4)


def test_proximities_of_training_cases_flatter():
    X, coin = load_iris().data, np.random.default_rng(0).integers(2, size=150)
    forest = RandomForestClassifier(200, random_state=0).fit(X, coin)
    same = (coin[:, None] == coin) & ~np.eye(150, dtype=bool)
    found = []
    for oob_only in (False, True):
        near = forest.proximity(X, oob_only=oob_only)
        found += [near[same].mean(), near[coin[:, None] != coin].mean()]
    assert found == pytest.approx([0.044, 0.024, 0.044, 0.046], abs=5e-4)
