"""Small tables: swaps by seed, information of numbers, proximity by depth. A part of them again."""

from itertools import combinations

import ledger_numbers
import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.bagging import proximity, proximity_by_depth
from treelab.cart import grow
from treelab.fast.importance import compare_rankings
from treelab.fast.information import conditional_mutual_information

swaps, information = load_script("swaps_by_seed"), load_script("information_of_numbers")
depths = load_script("proximity_by_depth")
SWAPS = pd.read_csv(FOLDER / "swaps_by_seed.csv")
INFORMATION = pd.read_csv(FOLDER / "information_of_numbers.csv")
DEPTHS = pd.read_csv(FOLDER / "proximity_by_depth.csv")


# --- rankings of settings by seed ----------------------------------------------------------------


def test_every_ranking_holds_all_settings_and_each_seed_is_there_once():
    assert not SWAPS.duplicated(["model", "seed"]).any()
    for model, part in SWAPS.groupby("model"):
        assert sorted(part["seed"]) == list(range(len(part)))
        n = 81 if model == "DTR" else 32
        assert all(sorted(map(int, each.split())) == list(range(n)) for each in part["ranking"])
    assert (SWAPS["model"] == "DTR").sum() == 100


def test_a_ranking_of_trees_is_made_again():
    (row,) = SWAPS.query("model == 'DTR' and seed == 57").itertuples()
    assert swaps.ranking("DTR", 57).tolist() == [int(number) for number in row.ranking.split()]


def test_the_smaller_ensemble_is_the_first_half_of_the_larger():
    settings = {"max_depth": 3, "max_features": 0.5}
    for model in ("RFR", "GBR"):
        few, many = swaps.predictions(model, 1, settings)
        errors = [np.abs(said - swaps.division()[3]).mean() for said in (few, many)]
        assert errors[0] != errors[1]
        monkeypatched = pytest.MonkeyPatch()
        monkeypatched.setattr(swaps, "TREES", (25,))
        assert np.allclose(swaps.predictions(model, 1, settings)[0], few)
        monkeypatched.undo()


def test_differences_of_all_pairs_are_those_of_each_pair(monkeypatch):
    few = SWAPS.query("model == 'DTR' and seed < 6").astype({"seed": int})
    monkeypatch.setattr(ledger_numbers, "table", lambda name: few)
    orders = [each.split() for each in few["ranking"]]
    pairs = pd.DataFrame([compare_rankings(a, b) for a, b in combinations(orders, 2)])
    for what in ("swaps", "metric1", "metric2"):
        found = ledger_numbers.by_seed.__wrapped__("DTR", what)
        assert found == pytest.approx(pairs[what].mean())


# --- mutual information --------------------------------------------------------------------------


def test_estimates_of_two_draws_are_made_again():
    for seed, rho in ((3, 0.0), (7, 0.9)):
        committed = INFORMATION.query("draw == @seed and rho == @rho").iloc[0]
        for name, value in information.one_draw(seed, rho).items():
            assert committed[name] == pytest.approx(value, abs=1e-6)
    assert len(INFORMATION) == 80


def test_windows_by_a_loop():
    """Scott's rule: the width is n^(-1/6) or n^(-1/5) times the standard deviation."""
    x, y = information.draw(0, 0.6)[:, :40]
    rows = np.column_stack([x, y])

    def density(rows):
        n, d = rows.shape
        covariance = np.atleast_2d(np.cov(rows.T)) * n ** (-2 / (d + 4))
        far = [[(a - b) @ np.linalg.inv(covariance) @ (a - b) for b in rows] for a in rows]
        scale = np.sqrt(np.linalg.det(2 * np.pi * covariance))
        return np.exp(-np.array(far) / 2).mean(axis=1) / scale

    ratio = density(rows) / (density(rows[:, :1]) * density(rows[:, 1:]))
    assert information.by_windows(x, y) == pytest.approx(np.log2(ratio).mean())


# --- proximity -----------------------------------------------------------------------------------


def test_proximity_by_depth_by_hand():
    """The root separates rows 1 and 2 from 3 and 4, and the right side has one more split."""
    X = [[1], [2], [3], [4]]
    tree = grow(X, ["a", "a", "b", "c"])
    assert proximity([tree], X) == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    by_depth = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0.5], [0, 0, 0.5, 1]]
    assert proximity_by_depth([tree], X) == by_depth
    assert proximity_by_depth([grow([[1], [1]], ["a", "b"])], X) == [[1] * 4] * 4
    two = proximity_by_depth([tree, grow(X, ["a", "a", "b", "b"])], X)
    assert two[2] == [0, 0, 1, 0.75]


def test_both_proximities_of_a_forest_tree_by_tree():
    X, y = map(np.asarray, depths.load_iris(return_X_y=True))
    forest = depths.RandomForestClassifier(3, random_state=0).fit(X[::7], y[::7])
    found = depths.proximities(forest, X[:60:6], X[1:150:30])
    for i, row in enumerate(X[:60:6]):
        for k, other in enumerate(X[1:150:30]):
            shares = []
            for tree in forest.estimators_:
                first, second = (
                    tree.decision_path(each[None]).indices.tolist() for each in (row, other)
                )
                common = len(set(first) & set(second))
                longer = max(len(first), len(second)) - 1
                shares.append((common - 1) / longer if longer else 1)
            assert found["depth"][i, k] == pytest.approx(np.mean(shares))
            assert found["leaf"][i, k] == pytest.approx(np.mean([s == 1 for s in shares]))


def test_a_split_of_two_tables_is_made_again():
    for name in ("iris", "wine"):
        again = pd.DataFrame(depths.one_split(name, 5))
        committed = DEPTHS.query("table == @name and split == 5").reset_index(drop=True)
        pd.testing.assert_frame_equal(again, committed, rtol=0, atol=1e-6)
    assert len(DEPTHS) == 4 * 20 * 2


# --- Markov blankets -----------------------------------------------------------------------------


def test_markov_blankets_of_eight_rows():
    """By the definition: given the blanket, each set of others tells nothing about the class."""
    rows = [(a, b, noise, a) for a in (0, 1) for b in (0, 1) for noise in (0, 1)]
    y = [int(a or b) for a, b, *_ in rows]

    def subsets(features):
        return [set(s) for size in range(len(features) + 1) for s in combinations(features, size)]

    def is_enough(some):
        others = subsets(sorted(set(range(4)) - some))[1:]
        told = [conditional_mutual_information(rows, y, sorted(f), sorted(some)) for f in others]
        return max(told, default=0) < 1e-12

    enough = [some for some in subsets(range(4)) if is_enough(some)]
    assert [some for some in enough if not any(e < some for e in enough)] == [{0, 1}, {1, 3}]
