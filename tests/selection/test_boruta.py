"""Boruta against BorutaPy, and at the edges; `test_plain_boruta.py` has the plain one."""

import gzip
import json
from math import comb

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from places import DATA
from sklearn import ensemble as theirs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from treelab import DecisionTreeClassifier, RandomForestClassifier, RandomForestRegressor
from treelab.fast.importance import oob_permutation_importance
from treelab.fast.selection import Boruta
from treelab.fast.selection.boruta import decisions
from treelab.fast.selection.model_based import HIGHEST_SEED, draw_seed, seeded
from treelab.fast.selection.shadows import draw_shadows

pytestmark = pytest.mark.filterwarnings("ignore:After max_runs")
BORUTA_PY = json.loads(gzip.decompress((DATA / "selection" / "boruta.json.gz").read_bytes()))
SMALL = RandomForestClassifier(10, max_depth=3)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 6)).round(1)
Y = (X[:, 0] + X[:, 1] > 0).astype(int)
NUMBERS = 2 * X[:, 0] + X[:, 2]


class Told(ClassifierMixin, BaseEstimator):
    """Says what it was told of the columns, run by run, and 7 of the last shadow."""

    def __init__(self, told=None):
        self.told, self.seen = told, []

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y):
        self.seen.append(X.shape[1])
        told = self.told[len(self.seen) - 1]
        self.feature_importances_ = np.r_[told, np.zeros(X.shape[1] - len(told) - 1), 7]
        return self

    def predict(self, X):
        return X


def told(*runs, n_features=4, **settings):
    """Boruta whose forests say these importances of its columns."""
    settings = {"alpha": 0.01, "two_step": False, "max_runs": len(runs)} | settings
    return Boruta(Told(runs), **settings).fit(RNG.normal(size=(12, n_features)), [0, 1] * 6)


# --- by hand ----------------------------------------------------------------------------------


def test_the_tentative_are_weak_or_not_by_medians():
    runs = [[8, 1, 9, 1]] * 3 + [[6, 8, 7.5, 9]] * 2
    boruta = told(*runs)
    assert boruta.support_weak_.tolist() == [True, False, True, False]
    assert not boruta.support_.any()
    assert boruta.states_.tolist() == ["tentative"] * 4
    assert boruta.ranking_.tolist() == [2, 3, 2, 3]


def test_ranks_of_the_rejected_are_medians_of_ranks():
    runs = [[31, 1, 3, 2, 0]] * 5 + [[31, 1, 2, 3, 0]] * 4
    boruta = told(*runs, n_features=5)
    assert boruta.n_runs_ == 9
    assert boruta.ranking_.tolist() == [1, 4, 2, 3, 5]


# --- the tests, by counting -------------------------------------------------------------------


def tail(k, r):
    return sum(comb(r, i) for i in range(k, r + 1)) / 2**r


def passes_of(p, r, alpha):
    """Benjamini and Hochberg by their words, then alpha over runs."""
    below = [k for k in range(1, len(p) + 1) if sorted(p)[k - 1] <= k * alpha / len(p)]
    cut = sorted(p)[max(below) - 1] if below else -1
    return [v <= cut and v <= alpha / r for v in p]


@each("seed", range(20))
def test_two_steps_by_their_words(seed):
    rng = np.random.default_rng(seed)
    r, alpha = int(rng.integers(4, 40)), rng.choice([0.01, 0.05, 0.2])
    hits = rng.choice([0, 1, r // 4, r // 2, 3 * r // 4, r - 1, r], size=rng.integers(1, 15))
    found = decisions(hits, r, 50, alpha=alpha)
    up = passes_of([tail(k, r) for k in hits], r, alpha)
    down = passes_of([tail(r - k, r) for k in hits], r, alpha)
    assert found["verdict"].tolist() == [int(a) - int(b) for a, b in zip(up, down, strict=True)]
    assert found["level"] == pytest.approx(alpha / r)


# --- tables agree with the history ------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"two_step": False, "perc": 80}, {"importance": "oob"}])
def test_the_tables_follow_from_the_importances(settings):
    boruta = Boruta(SMALL, max_runs=15, random_state=0, **settings).fit(X, Y)
    rounds, table = boruta.rounds_table(), boruta.hits_table()
    hits, state = np.zeros(6, dtype=int), np.zeros(6, dtype=int)
    for r, (row, bar) in enumerate(zip(boruta.importance_history_, rounds["threshold"]), 1):
        active = state >= 0
        assert np.array_equal(np.isfinite(row), active)
        hits[active] += row[active] > bar
        found = decisions(hits[active], r, 6, two_step=boruta.two_step)
        state[active] = np.where(state[active] == 0, found["verdict"], state[active])
        here = table[table["run"] == r]
        assert here["hits"].tolist() == hits[active].tolist()
        np.testing.assert_array_equal(here["p_confirm"], found["p_confirm"])
        names = np.array(["tentative", "confirmed", "rejected"])[state[active]]
        assert here["state"].tolist() == names.tolist()
        counts = [(state == k).sum() for k in (1, 0, -1)]
        assert rounds.loc[r - 1, ["confirmed", "tentative", "rejected"]].tolist() == counts
    assert boruta.support_.tolist() == (state == 1).tolist()
    assert sorted(boruta.steps_table()["feature"]) == [f"x{j}" for j in range(6)]
    if boruta.perc == 100:
        assert (rounds["threshold"] == rounds["shadow_max"]).all()
    else:
        assert rounds["threshold"].between(rounds["shadow_min"], rounds["shadow_max"]).all()
        assert (rounds["threshold"] < rounds["shadow_max"]).any()


def test_a_run_can_be_made_again():
    """From the seed alone: shadows, forest, importances."""
    boruta = Boruta(SMALL, importance="oob", max_runs=2, random_state=5).fit(X, Y)
    rng = np.random.default_rng([draw_seed(np.random.RandomState(5)), 2])
    casting, orders = draw_shadows(np.arange(6), len(Y), rng)
    table = np.hstack([X, np.column_stack([X[order, j] for j, order in enumerate(orders.T)])])
    assert casting.tolist() == list(range(6))
    seed = int(rng.integers(HIGHEST_SEED))
    forest = seeded(SMALL, seed).fit(table, Y)
    found = oob_permutation_importance(forest, table, Y, random_state=seed).scaled
    np.testing.assert_array_equal(boruta.importance_history_[1], found[:6])
    shadows = boruta.rounds_table().loc[1, ["shadow_min", "shadow_mean", "shadow_max"]]
    assert shadows.tolist() == [found[6:].min(), found[6:].mean(), found[6:].max()]


# --- BorutaPy ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "two_step"), [("cls", True), ("reg", True), ("cls", False)])
def test_borutapy_on_the_same_data(kind, two_step):
    """What all its seeds confirm or reject is confirmed or rejected; ranks go together."""
    data = BORUTA_PY[kind]
    forest = RandomForestClassifier if kind == "cls" else RandomForestRegressor
    runs = 99 if kind == "cls" else 25
    boruta = Boruta(forest(40, max_depth=5), two_step=two_step, max_runs=runs, random_state=0)
    states = boruta.fit(data["X"], data["y"]).states_
    runs = data["two_step" if two_step else "bonferroni"]
    p = len(states)
    confirmed = set.intersection(*(set(run["confirmed"]) for run in data["two_step"]))
    never = set(range(p)).difference(*(run["confirmed"] + run["tentative"] for run in runs))
    assert (states[sorted(confirmed)] == "confirmed").all()
    assert (states[sorted(never)] != "confirmed").all()
    assert (states[sorted(never)] == "rejected").mean() > 0.85
    again = [np.corrcoef(boruta.ranking_, run["ranking"])[0, 1] for run in runs]
    assert min(again) > 0.6


# --- other estimators, text, gaps, edges ------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [
        theirs.RandomForestClassifier(10, max_depth=3),
        theirs.GradientBoostingClassifier(n_estimators=5),
        DecisionTreeClassifier(max_depth=3),
        LogisticRegression(),
        make_pipeline(LogisticRegression()),
        None,
    ],
    ids=str,
)
def test_any_estimator_with_importances(estimator):
    boruta = Boruta(estimator, max_runs=12, random_state=0).fit(X, Y)
    assert boruta.support_[:2].any()
    assert not boruta.support_[2:].all()
    if estimator is not None and "random_state" in estimator.get_params():
        assert estimator.random_state is None


@pytest.mark.parametrize("importance", ["mdi", "oob"])
def test_text_and_truth_where_the_estimator_takes_them(importance):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({
        "kind": pd.Categorical(rng.choice(list("abcd"), 120)),
        "noise": pd.Categorical(rng.choice(list("abcd"), 120)),
        "number": rng.normal(size=120),
    })  # fmt: skip
    y = np.where(frame["kind"].isin(["a", "c"]), "yes", "no")
    before = frame.copy()
    boruta = Boruta(SMALL, importance=importance, max_runs=25, random_state=0).fit(frame, y)
    assert boruta.get_feature_names_out().tolist() == ["kind"]
    assert boruta.set_output(transform="pandas").transform(frame).columns.tolist() == ["kind"]
    pd.testing.assert_frame_equal(frame, before)
    with pytest.raises(ValueError, match="could not convert|string"):
        Boruta(theirs.RandomForestClassifier(5)).fit(frame, y)


GAPS = np.where(np.arange(480).reshape(80, 6) % 42 == 3, np.nan, X)


def test_gaps_where_the_estimator_takes_them():
    boruta = Boruta(theirs.RandomForestClassifier(20, max_depth=3), max_runs=12, random_state=0)
    assert boruta.fit(GAPS, Y).support_[:2].all()


def test_constant_columns_are_rejected_and_one_column_can_be_confirmed():
    boruta = Boruta(SMALL, max_runs=20, random_state=0).fit(np.c_[X[:, :2], np.ones(80)], Y)
    assert boruta.states_[2] == "rejected"
    assert np.nanmax(boruta.importance_history_[:, 2]) == 0
    for rows, state, rank in ((np.ones((80, 1)), "rejected", 2), (X[:, :1], "confirmed", 1)):
        alone = Boruta(SMALL, max_runs=20, random_state=0).fit(rows, X[:, 0] > 0)
        assert (alone.states_.tolist(), alone.ranking_.tolist()) == ([state], [rank])
        assert alone.rounds_table()["n_shadows"].unique().tolist() == [8]


# --- scikit-learn -----------------------------------------------------------------------------


def fit(rows=X, y=Y, estimator=SMALL, **parameters):
    return Boruta(estimator, **parameters).fit(rows, y)


@each("case", refused("boruta"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
