"""Regularized forests and boosting: what enters, where, and what it had to beat."""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from sklearn.datasets import load_iris, make_classification, make_friedman1

from treelab import RandomForestClassifier
from treelab.fast.growing import Limits, by_depth, regularized
from treelab.fast.growing.regularized import (
    grow_regularized,
)
from treelab.fast.growing.training_data import Columns, Targets
from treelab.fast.selection import (
    RegularizedBoostSelector,
    RegularizedForestSelector,
    guided_penalties,
    selection_stability,
)

X, Y = make_classification(
    120, 12, n_informative=4, n_redundant=4, flip_y=0.1, shuffle=False, random_state=0
)
BOTH = [RegularizedForestSelector, RegularizedBoostSelector]
both = pytest.mark.parametrize("kind", BOTH)
some = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def forest(rows=X, y=Y, weight=None, kind=RegularizedForestSelector, **parameters):
    parameters = {"n_estimators": 8, "random_state": 0, **parameters}
    return kind(**parameters).fit(rows, y, weight)


def entered(selector):
    """Numbers of the features in the order of their entries."""
    order = np.argsort(selector.ranking_, kind="stable")
    return order[: selector.n_features_].tolist()


# --- against other code -----------------------------------------------------------------------


def test_trees_do_not_depend_on_which_grow_together(monkeypatch):
    together = forest(n_estimators=30)
    monkeypatch.setattr(regularized, "TOGETHER", 1)
    alone = forest(n_estimators=30)
    first = forest(n_estimators=11)
    assert all(a.equals(b) for a, b in zip(together.trees_, alone.trees_, strict=True))
    assert all(a.equals(b) for a, b in zip(first.trees_, alone.trees_[:11], strict=True))
    monkeypatch.setattr(by_depth, "CELLS", 1)  # one feature at a time
    for penalty in (0.5, 1e-30):
        one = forest(penalty=penalty)
        with monkeypatch.context() as patch:
            patch.setattr(by_depth, "CELLS", 10**9)
            every = forest(penalty=penalty)
        assert all(a.equals(b) for a, b in zip(one.trees_, every.trees_, strict=True))
    steps = alone.steps_table()
    pd.testing.assert_frame_equal(steps, together.steps_table())
    pd.testing.assert_frame_equal(steps[steps["tree"] < 11], first.steps_table())


def test_a_penalty_of_0_lets_nothing_in():
    columns = Columns.of(np.column_stack([np.zeros(120), X[:, 0]]), [0, 0])
    targets = Targets.of(Y, np.ones(120), "gini", 2)
    roots, keys = [(np.arange(120), None)] * 2, np.arange(2, dtype=np.uint64)
    for penalty, kept in ((0.0, []), (1e-100, [(0, 0, 1)])):
        arguments = (np.array([1.0, penalty]), np.zeros(2, dtype=bool))
        trees, entries = grow_regularized(columns, targets, Limits(), roots, keys, *arguments)
        assert entries == kept
        assert [tree.node_count > 1 for tree in trees] == [bool(kept)] * 2


# --- what holds for all -------------------------------------------------------------------------


@st.composite
def tables(draw):
    """Small tables of few values, a column of them twice and one that is constant."""
    n, p = draw(st.integers(4, 30)), draw(st.integers(1, 4))
    seed, most = draw(st.integers(0, 10**6)), draw(st.integers(1, 9))
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, most + 1, (n, p))
    y = rng.integers(0, draw(st.integers(2, 3)), n)
    y[:2] = 0, 1
    return np.column_stack([rows, rows[:, 0], np.zeros(n)]).astype(float), y


@some
@given(
    data=tables(), penalty=st.sampled_from([1.0, 0.9, 0.5, 0.01, 1e-30]), kind=st.sampled_from(BOTH)
)
def test_support_steps_and_trees_tell_the_same(data, penalty, kind):
    rows, y = data
    selector = forest(rows, y, kind=kind, penalty=penalty, n_estimators=4)
    table, names = selector.steps_table(), selector.get_feature_names_out().tolist()
    used = np.concatenate([tree.feature for tree in selector.trees_])
    assert set(used[used >= 0]) == set(np.flatnonzero(selector.support_))
    assert sorted(table["feature"]) == sorted(names)
    assert [f"x{j}" for j in entered(selector)] == table["feature"].tolist()
    assert (table["gain"] > 0).all()
    assert (table["penalized_gain"] == table["gain"] * penalty).all()
    slack = 1e-9 if penalty == 1 else 0
    assert (table["penalized_gain"] + slack > table["rival_gain"]).all()
    assert (np.diff(table["tree"]) >= 0).all()
    assert ((np.diff(table["tree"]) > 0) | (np.diff(table["node"]) > 0)).all()
    assert not selector.support_[-1]
    if penalty < 1:  # of twins the second never gains enough
        assert not (selector.support_[0] and selector.support_[-2])


@both
def test_weights_are_rows(kind):
    """On all rows a weight of 3 is a row three times, one of 0 is none."""
    settings = {"max_depth": 4, "max_features": None, "kind": kind}
    settings["bootstrap" if kind is BOTH[0] else "resample"] = False
    weight = np.random.default_rng(0).integers(0, 4, len(Y))
    mine = forest(X, Y, weight, **settings)
    rows = forest(np.repeat(X, weight, axis=0), np.repeat(Y, weight), **settings)
    left = forest(X[weight > 0], Y[weight > 0], weight[weight > 0] * 2.0, **settings)
    assert entered(mine) == entered(rows) == entered(left)
    np.testing.assert_allclose(mine.steps_table()["gain"], rows.steps_table()["gain"])
    assert entered(mine) != entered(forest(**settings))


# --- guided -------------------------------------------------------------------------------------


def test_penalties_are_those_of_the_formula():
    np.testing.assert_allclose(guided_penalties([2, 1, 0], 0.5, 0.4), [0.7, 0.5, 0.3])
    np.testing.assert_allclose(guided_penalties([0, 0], 0.5, 0.4), [0.3, 0.3])
    assert guided_penalties([3, 1], gamma=0).tolist() == [1, 1]
    guided = forest(importance_guided=0.6)
    np.testing.assert_allclose(guided.penalties_, guided_penalties(guided.importances_, 0.5, 0.6))
    seed = np.random.RandomState(0).randint(2**31 - 1)
    other = RandomForestClassifier(8, random_state=seed).fit(X, Y)
    np.testing.assert_array_equal(guided.importances_, other.feature_importances_)
    table = guided.steps_table()
    columns = table["feature"].str[1:].astype(int)
    np.testing.assert_allclose(table["penalty"], guided.penalties_[columns])
    assert forest().importances_ is None


def test_what_an_ordinary_forest_never_uses_never_enters():
    """Gamma 1, importance 0: a penalty of 0. Unguided, noise enters in small nodes."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([X[:, :4], rng.normal(size=(len(Y), 30))])
    guided = forest(rows, penalty=1.0, importance_guided=1.0, max_features=None)
    plain = forest(rows, penalty=1.0, max_features=None)
    assert guided.support_[4:].sum() < plain.support_[4:].sum()
    constant = forest(np.column_stack([rows, np.zeros(len(Y))]), importance_guided=1.0)
    assert constant.penalties_[-1] == 0
    assert not constant.support_[-1]


# --- boosting -----------------------------------------------------------------------------------


def test_trees_without_error_end_the_rounds():
    whole = forest(kind=BOTH[1], resample=False)
    assert whole.errors_.tolist() == [0]
    assert len(whole.trees_) == 1
    drawn = forest(kind=BOTH[1])
    assert len(drawn.trees_) == 8
    assert (drawn.errors_ > 0).all()
    assert (drawn.errors_ < 0.5).all()


def test_a_later_tree_no_better_than_chance_is_not_kept():
    """After one round both sides of the only cut weigh the same: the next tree is a leaf."""
    side = np.repeat([0, 1], 5)
    y = side ^ (np.arange(10) % 5 == 0)
    boost = forest(side[:, None], y, kind=BOTH[1], resample=False)
    assert boost.errors_.tolist() == [pytest.approx(0.2)]
    assert len(boost.trees_) == 1


@pytest.mark.parametrize("resample", [False, True])
def test_no_better_than_chance(resample):
    rows, y = np.zeros((10, 2)), np.arange(10) % 2
    boost = forest(rows, y, kind=BOTH[1], resample=resample)
    assert boost.errors_.tolist() == [0.5]
    assert boost.n_features_ == 0
    rng = np.random.default_rng(0)
    noise = forest(rng.normal(size=(60, 3)), np.arange(60) % 5, kind=BOTH[1], max_depth=1)
    assert len(noise.trees_) == 1  # with five classes a stump errs in more than half


# --- tables, names, corner cases ------------------------------------------------------------------


LEVELS = pd.DataFrame(X[:, :3], columns=list("abc")).assign(
    kind=pd.Categorical(np.where(Y, "yes", "no"))
)
TEXT = LEVELS.astype({"kind": object})


@both
def test_frames_and_levels(kind):
    settings = {"kind": kind, "max_features": None, "penalty": 0.5}
    selector = forest(LEVELS, **settings)
    assert selector.get_feature_names_out().tolist() == ["kind"]
    named = forest(TEXT, categorical_features=["kind"], **settings)
    pd.testing.assert_frame_equal(named.steps_table(), selector.steps_table())


@both
def test_one_column_and_none_that_tells(kind):
    one = forest(X[:, :1], kind=kind)
    assert one.support_.tolist() == [True]
    assert one.ranking_.tolist() == [1]
    constant = forest(np.ones((20, 3)), Y[:20], kind=kind)
    assert constant.n_features_ == 0
    assert constant.ranking_.tolist() == [1, 1, 1]
    assert list(constant.steps_table()) == list(one.steps_table())
    assert len(constant.steps_table()) == 0


def test_numbers():
    rows, y = make_friedman1(150, 8, noise=0.5, random_state=0)
    selector = forest(rows, y, criterion="squared_error", penalty=0.2, n_estimators=20)
    assert set(entered(selector)[:4]) <= {0, 1, 2, 3, 4}
    assert selector.n_features_ < 8
    assert not hasattr(selector, "classes_")
    guided = forest(rows, y, criterion="squared_error", penalty=0.8, importance_guided=0.9)
    assert not guided.support_[5:].all()
    assert forest(rows[:1], y[:1], criterion="squared_error").n_features_ == 0
    assert forest(rows, np.ones(150), criterion="absolute_error").n_features_ == 0


def test_names_of_iris():
    rows, y = load_iris(return_X_y=True, as_frame=True)
    table = forest(rows, y, penalty=0.3).steps_table()
    assert table["feature"][0].startswith("petal")
    assert table[["rival", "rival_gain"]].loc[0].tolist() == ["", 0.0]
    assert table["rival"][1] == table["feature"][0]


@both
@each("case", refused("regularized"), ids=str)
def test_bad_input(case, kind):
    assert_refused(case, {**globals(), "kind": kind})


def test_what_the_docstring_says_of_noise_is_in_the_table():
    table = pd.read_csv(ROOT / "notebooks" / "replications" / "penalties.csv")
    told = " ".join(RegularizedForestSelector.__doc__.split())
    noise = table[table["study"] == "noise"].groupby(["method", "set"])[["noise", "kept"]].mean()
    for method, words in (("λ = 0.5", "were selected on average, among"), ("γ = 0.9", "among")):
        ends = noise.loc[method].agg(["min", "max"]).round(1)
        (low, all_low), (high, all_high) = ends.to_numpy()
        assert f"{low} to {high} {words} {all_low} to {all_high}" in told
    sizes, stable = table[table["study"] == "sizes"], {"λ = 0.5": [], "γ = 0.9": []}
    widths = {"parkinsons": 22, "ionosphere": 34, "sonar": 60, "musk": 166}
    for (method, name), some in sizes.groupby(["method", "set"]):
        if method in stable:
            kept = [list(map(int, each.split())) for each in some["columns"]]
            masks = np.array([np.isin(np.arange(widths[name]), each) for each in kept])
            assert len(masks) == 10
            stable[method].append(selection_stability(masks).value["nogueira"])
    ends = [f"{min(each):.2f} to {max(each):.2f}" for each in stable.values()]
    assert "is {} unguided and {} guided.".format(*ends) in told
