"""Max-Dependency and one regularized tree on levels: what holds of each node, and beside ID3."""

import numpy as np
import pandas as pd
from cases import assert_refused, each, refused
from hypothesis import given, settings
from hypothesis import strategies as st

from treelab import ID3Classifier
from treelab.datasets import load_mushrooms
from treelab.fast.selection import (
    max_dependency_table,
    max_dependency_tree,
    regularized_tree,
    regularized_tree_table,
)

X, Y = load_mushrooms(return_X_y=True)
some = settings(max_examples=25, deadline=None, derandomize=True, database=None)


@st.composite
def tables(draw):
    """Small tables of text; y is often a function of two columns."""
    n, p, seed = draw(st.integers(3, 30)), draw(st.integers(1, 4)), draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (n, p))
    y = (codes[:, 0] + codes[:, -1] + (rng.random(n) < draw(st.sampled_from([0, 0.3])))) % 3
    return pd.DataFrame(codes).astype(str).add_prefix("f"), y


@some
@given(data=tables())
def test_the_tree_of_the_scheme_knows_what_its_features_know(data):
    rows, y = data
    table = max_dependency_table(rows, y)
    order = table["feature"][table["chosen"]].tolist()
    model = max_dependency_tree(rows, y)
    tree = model.tree_
    for t in np.flatnonzero(~tree.is_leaf):  # every node asks the first that divides it
        asked = order.index(rows.columns[tree.feature[t]])
        above = tree.parent[t]
        assert above < 0 or asked > order.index(rows.columns[tree.feature[above]])
    shares = model.predict_proba(rows)
    cells = rows[order].agg("".join, axis=1) if order else pd.Series([""] * len(y))
    for cell in cells.unique():
        here = (cells == cell).to_numpy()
        expected = np.bincount(y[here], minlength=3)[np.unique(y)] / here.sum()
        np.testing.assert_allclose(shares[here], np.tile(expected, (here.sum(), 1)))


def test_steps_are_limited():
    table = max_dependency_table(X, Y, n_features=1)
    assert table["step"].tolist() == [1, 1, 1]
    assert max_dependency_tree(X, Y, n_features=1).tree_.max_depth == 1
    assert max_dependency_table(X, Y, n_features=9)["step"].max() == 3


def test_penalty_1_is_id3_that_stops_where_nothing_gains():
    """But where a selected feature ties with a new one: then it wins, and ID3 takes the first."""
    rng, same, tied = np.random.default_rng(0), 0, 0
    for n in np.repeat([9, 30, 90], 8):
        rows = pd.DataFrame(rng.integers(0, 3, (n, 4)), columns=list("abcd"))
        y = rng.integers(0, 3, n)
        other = ID3Classifier(split_on_zero_gain=False).fit(rows, y)
        table, won = regularized_tree_table(rows, y, penalty=1.0), 0
        for _, candidates in table.groupby("node"):
            best = candidates[candidates["gain"] >= max(candidates["gain"].max(), 1e-9) - 1e-9]
            if best["selected"].any() and not best["selected"].all():
                assert best.loc[best["chosen"], "selected"].item()
                won += 1
        if not won:
            assert regularized_tree(rows, y, penalty=1.0).export_text() == other.export_text()
        same, tied = same + (won == 0), tied + (won > 0)
    assert min(same, tied) > 2


@some
@given(data=tables(), penalty=st.sampled_from([1.0, 0.5, 0.1, 1e-30]))
def test_a_node_takes_the_best_and_pays_once(data, penalty):
    rows, y = data
    table, selected = regularized_tree_table(rows, y, penalty), set()
    model = regularized_tree(rows, y, penalty)
    assert table["node"].is_monotonic_increasing
    for node, candidates in table.groupby("node"):
        assert candidates["selected"].tolist() == [
            feature in selected for feature in candidates["feature"]
        ]
        part = np.where(candidates["selected"], 1.0, penalty)
        np.testing.assert_allclose(candidates["penalized_gain"], candidates["gain"] * part)
        chosen = candidates[candidates["chosen"]]
        assert len(chosen) == (candidates["gain"].max() > 1e-9)
        if len(chosen):
            best = candidates["penalized_gain"].max()
            assert chosen["penalized_gain"].item() >= best - 1e-9 * penalty
            assert rows.columns[model.tree_.feature[node]] == chosen["feature"].item()
            selected |= set(chosen["feature"])
    kept = table[table["chosen"] & ~table["selected"]]
    assert kept["feature"].is_unique


def test_where_says_the_way():
    table = regularized_tree_table(X, Y, 0.02)
    assert table["where"][0] == ""
    assert table["where"].iloc[-1] == "color = green and size = large"


CALLS = [max_dependency_table, max_dependency_tree, regularized_tree, regularized_tree_table]
GAPS = X.astype(object).where(X["size"] == "small")


@each("call", CALLS)
@each("case", refused("level_trees"), ids=str)
def test_bad_input(case, call):
    assert_refused(case, {**globals(), "call": call})


@each("call", CALLS)
def test_arrays_of_text_and_one_class(call):
    call(np.array([["a", "b"], ["a", "c"], ["d", "b"]]), [0, 0, 1])
    call(X, np.zeros(14))  # nothing to tell
