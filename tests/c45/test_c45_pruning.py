"""Pruning multiway trees: collapse, predicted errors, raising, and rows held out."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_with_gaps import tables

from treelab import C45Classifier, ID3Classifier
from treelab.fast.c45 import held_out_rows
from treelab.fast.pruning import reduced_error_pruning

some = settings(max_examples=30, deadline=None, derandomize=True, database=None)
GROWN = {
    "min_samples_leaf": 1,
    "adaptive_min_leaf": False,
    "mdl_correction": False,
    "pruning": None,
    "collapse": False,
}


def is_pruned(small, large, s=0, t=0):
    """Whether `small` is `large` with some nodes made leaves."""
    a, b = small.nodes[s], large.nodes[t]
    if not np.allclose(a.sums, b.sums):
        return False
    if small.is_leaf[s]:
        return True
    pairs = zip(a.children, getattr(b, "children", ()), strict=False)
    return a.test == getattr(b, "test", None) and all(is_pruned(small, large, *p) for p in pairs)


# --- with rows held out -----------------------------------------------------------------


@pytest.mark.parametrize("kind", [C45Classifier(**GROWN), ID3Classifier(missing="share")], ids=str)
@pytest.mark.parametrize("keep_unreached", [False, True])
@some
@given(data=tables(numbers=False), half=st.integers(1, 3))
def test_reduced_error_pruning_by_hand(kind, keep_unreached, data, half):
    """From the bottom up; an unknown value counts by the shares of the growing rows."""
    frame, y, w = data
    model = kind.fit(frame, y, w)
    fresh = np.arange(len(y)) % (half + 1) == 0
    X_val, y_val, w_val = frame[fresh], np.roll(y, 1)[fresh], w[fresh]
    pruned = model.prune_on(X_val, y_val, w_val, keep_unreached)
    tree = model.tree_
    assert is_pruned(pruned.tree_, tree)
    parameters = {"sample_weight": w_val, "keep_unreached": keep_unreached}
    same = reduced_error_pruning(model, X_val, y_val, **parameters)
    np.testing.assert_array_equal(same.tree_.sums, pruned.tree_.sums)
    codes = pd.Index(model.classes_).get_indexer(y_val)
    wrong, reached = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for t, rows, share in tree.descend(model.table.read(X_val), w_val):
        wrong[t] = share[codes[rows] != tree.predicted_sums[t].argmax()].sum()
        reached[t] = share.sum()

    def prune(t):
        """(errors, leaves to be) of the subtree at t."""
        if tree.is_leaf[t]:
            return wrong[t], []
        below = [prune(c) for c in tree.nodes[t].children]
        errors = sum(e for e, _ in below)
        if wrong[t] <= errors + 1e-6 and (reached[t] > 0 or not keep_unreached):
            return wrong[t], [t]
        return errors, [leaf for _, leaves in below for leaf in leaves]

    wanted = tree.collapse(prune(0)[1])
    np.testing.assert_array_equal(pruned.tree_.sums, wanted.sums)


def test_node_that_no_held_out_row_reaches():
    X = pd.DataFrame({"a": list("uuuuv"), "b": list("rrrsr")})
    model = ID3Classifier().fit(X, list("pppnn"))
    fresh = X.iloc[[0, 4]]  # the first has no weight, so the question under u stays without a case
    for y, keep_unreached, n_nodes in (("pn", False, 3), ("pn", True, 5), ("pp", True, 1)):
        settings = {"sample_weight": [0, 1], "keep_unreached": keep_unreached}
        assert reduced_error_pruning(model, fresh, list(y), **settings).n_nodes_ == n_nodes
    assert model.n_nodes_ == 5


def test_held_out_row_on_an_empty_branch_gets_the_answer_of_the_node():
    """Growing rows have none of it; as a leaf the root is as right there, and wrong elsewhere."""
    X = pd.DataFrame({"a": pd.Categorical(["u", "v", "v"], categories=["u", "none", "v"])})
    model = ID3Classifier().fit(X, ["p", "q", "q"])
    fresh = pd.DataFrame({"a": ["none", "none"]})
    assert reduced_error_pruning(model, fresh, ["q", "q"]).n_nodes_ == 1
    fresh = pd.DataFrame({"a": ["none", "none", "u"]})
    assert reduced_error_pruning(model, fresh, ["q", "q", "p"]).n_nodes_ == 4


def test_label_not_seen_in_fit_is_an_error_of_every_node():
    X, y = pd.DataFrame({"a": ["u", "v"]}), ["p", "n"]
    model = ID3Classifier().fit(X, y)
    assert reduced_error_pruning(model, X, ["p", "n"]).n_nodes_ == 3
    assert reduced_error_pruning(model, X, ["new", "new"]).n_nodes_ == 1
    assert reduced_error_pruning(model, X, ["p", "new"]).predict(X).tolist() == ["p", "n"]


@some
@given(y=st.lists(st.integers(0, 3), min_size=4, max_size=40), n_folds=st.integers(2, 4))
def test_fold_that_is_held_out_is_stratified(y, n_folds):
    y = np.array(y)
    out = held_out_rows(y, n_folds)
    assert out.sum() == len(y) // n_folds
    for k in np.unique(y):
        share = np.sum(y == k) / n_folds
        assert np.floor(share) <= np.sum(out & (y == k)) <= np.ceil(share)


def test_reduced_error_in_fit_holds_the_same_rows_out():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (60, 3)).astype(float)
    y = (X[:, 0] > 2).astype(int) ^ (rng.random(60) < 0.2)
    model = C45Classifier(pruning="reduced_error", n_folds=4, cut="midpoint").fit(X, y)
    out = held_out_rows(y, 4)
    grown = C45Classifier(pruning=None, collapse=False, cut="midpoint").fit(X[~out], y[~out])
    by_hand = reduced_error_pruning(grown, X[out], y[out])
    np.testing.assert_array_equal(model.tree_.sums, by_hand.tree_.sums)
    assert model.tree_.weight[0] == 45
