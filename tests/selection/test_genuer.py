"""Genuer's selector: both steps by their words, and what it does at the edges."""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from sklearn import ensemble as theirs
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.tree import DecisionTreeRegressor as TheirTree

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.fast.importance import oob_permutation_importance
from treelab.fast.selection import GenuerSelector
from treelab.fast.selection.genuer import n_candidates, smallest_within, smoothed_spread
from treelab.fast.selection.model_based import draw_seed, seeded

X, Y = make_friedman1(120, 8, noise=1.0, random_state=0)
FOREST = RandomForestRegressor(20, max_depth=6)


@pytest.fixture(scope="module")
def fitted():
    return GenuerSelector(FOREST, n_forests=4, random_state=0).fit(X, Y)


def test_the_crude_step_by_its_words(fitted):
    """Four forests, means and spreads, a tree of depth 4 over the ranks, its least leaf."""
    rng = np.random.RandomState(0)
    found = []
    for seed in rng.randint(2**31 - 1, size=4):
        forest = seeded(clone(FOREST).set_params(max_features=2), seed).fit(X, Y)
        found.append(oob_permutation_importance(forest, X, Y, random_state=seed).importances_mean)
    mean, sd = np.mean(found, axis=0), np.std(found, axis=0, ddof=1)
    order = np.argsort(-mean)
    table = fitted.steps_table()
    assert table["feature"].tolist() == [f"x{j}" for j in order]
    np.testing.assert_allclose(table["mean"], mean[order])
    np.testing.assert_allclose(table["sd"], sd[order])
    ranks = np.arange(1, 9)[:, None]
    smooth = TheirTree(max_depth=4).fit(ranks, sd[order]).predict(ranks)
    np.testing.assert_allclose(table["smoothed"], smooth)
    assert fitted.threshold_ == pytest.approx(smooth.min())
    assert table["passes"].tolist() == (mean[order] >= smooth.min()).tolist()
    assert draw_seed(rng) != draw_seed(np.random.RandomState(0))


def test_the_refined_step_by_its_words(fitted):
    table, crude = fitted.rounds_table(), fitted.steps_table()
    assert sorted(table["feature"]) == sorted(crude["feature"][crude["passes"]])
    best = table["score"].idxmax()
    threshold = table["score"][best] - table["sd"][best]
    assert table["threshold"].tolist() == [pytest.approx(threshold)] * len(table)
    enough = table["score"] > threshold
    assert table["chosen"].tolist() == (table.index == enough.idxmax()).tolist()
    k = int(table["n_features"][table["chosen"]].item())
    assert sorted(fitted.get_feature_names_out()) == sorted(table["feature"][:k])
    assert fitted.ranking_[fitted.support_].tolist() <= [k] * k
    assert sorted(fitted.ranking_) == list(range(1, 9))
    assert crude["kept"].sum() == k == fitted.n_features_


def test_the_scores_are_those_of_forests_out_of_bag():
    """R squared and accuracy, of forests with enough trees that each row is out of bag."""
    for forest, y in (
        (RandomForestRegressor(60, max_depth=3), Y),
        (RandomForestClassifier(60, max_depth=3), Y > np.median(Y)),
    ):
        settings = {"importance": "mdi", "n_forests": 2, "max_features": None}
        genuer = GenuerSelector(forest, random_state=1, **settings).fit(X, y)
        rng, p = np.random.RandomState(1), len(genuer.rounds_)
        rng.randint(2**31 - 1, size=2), rng.randint(2**31 - 1, size=2)
        columns = []
        for row in genuer.rounds_:
            columns.append(int(row["feature"][1:]))
            scores = [
                seeded(forest, seed).set_params(oob_score=True).fit(X[:, columns], y).oob_score_
                for seed in rng.randint(2**31 - 1, size=2)
            ]
            assert row["score"] == pytest.approx(np.mean(scores))
            assert row["sd"] == pytest.approx(np.std(scores, ddof=1), abs=1e-12)
        assert len(columns) == p == 8


def test_saw_teeth_are_the_number_of_candidates():
    """From five to six features a node tries two instead of one: the score jumps."""
    assert [n_candidates(k, "floor") for k in (1, 5, 6, 8, 9)] == [1, 1, 2, 2, 3]
    assert [n_candidates(k, "ceil") for k in (1, 3, 4, 6, 7)] == [1, 1, 2, 2, 3]
    rows, y = make_friedman1(200, 6, noise=0.5, random_state=1)
    settings = {"importance": "mdi", "n_forests": 2, "random_state": 0}
    down, up = (
        GenuerSelector(FOREST, max_features=how, **settings).fit(rows, y).rounds_table()["score"]
        for how in ("floor", "ceil")
    )
    assert down[5] - down[4] > 0.02
    assert up[4] - down[4] > 0.02


def test_by_impurity_noise_passes():
    rng = np.random.default_rng(0)
    rows = np.c_[X[:, :3], rng.normal(size=(120, 7))]
    y = 10 * X[:, 0] + 5 * X[:, 1]
    passed = [
        GenuerSelector(FOREST, importance=kind, refine=False, n_forests=5, random_state=0)
        .fit(rows, y)
        .n_features_
        for kind in ("mdi", "oob")
    ]
    assert passed[0] == 10
    assert passed[1] <= 6


def test_the_smallest_set_within_one_deviation():
    assert smallest_within([0.5, 0.8, 0.9, 0.85], [0.1, 0.1, 0.1, 0.1])[0] == 3  # 0.8 is not above
    assert smallest_within([0.5, 0.81, 0.9, 0.85], [0.1, 0.1, 0.1, 0.1])[0] == 2
    assert smallest_within([0.9, 0.9], [0.0, 0.0]) == (1, 0.9)
    assert smallest_within([0.3], [0.1])[0] == 1


def test_the_smooth_spread_has_sixteen_steps_at_most():
    steps = smoothed_spread(np.random.default_rng(0).random(200))
    assert 8 < len(np.unique(steps)) <= 16
    assert smoothed_spread([0.3]).tolist() == [0.3]


def test_nothing_may_be_left():
    rng = np.random.default_rng(1)
    rows, noise = rng.normal(size=(40, 3)), rng.normal(size=40)
    genuer = GenuerSelector(FOREST, n_forests=3, random_state=1).fit(rows, noise)
    assert genuer.n_features_ == 0
    assert len(genuer.rounds_table()) == 0
    assert (genuer.steps_table()["mean"] < genuer.threshold_).all()
    constant = GenuerSelector(FOREST, n_forests=2, random_state=1).fit(np.ones((30, 2)), Y[:30])
    assert constant.steps_table()[["mean", "sd"]].eq(0).all(axis=None)
    assert constant.n_features_ == 1  # means and spreads are 0: all pass, and one is as good


def test_text_other_forests_and_no_refined_step():
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    frame["kind"] = pd.Categorical(np.where(Y > 15, "high", "low"))
    forest = RandomForestClassifier(20, max_depth=4)
    genuer = GenuerSelector(forest, n_forests=3, random_state=0).fit(frame, Y > 15)
    assert genuer.get_feature_names_out().tolist() == ["kind"]
    forest = theirs.RandomForestRegressor(15, max_depth=5)
    genuer = GenuerSelector(forest, n_forests=2, refine=False, random_state=0).fit(X, Y)
    assert genuer.steps_table()["kept"].tolist() == genuer.steps_table()["passes"].tolist()
    assert (genuer.rounds_, forest.max_features) == ([], 1.0)


def fit(rows=X, y=Y, estimator=FOREST, **parameters):
    return GenuerSelector(estimator, **parameters).fit(rows, y)


@each("case", refused("genuer"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
