"""Pruning multiway trees: collapse, predicted errors, raising, and rows held out."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_with_gaps import tables

from treelab import C45Classifier, ID3Classifier
from treelab.fast.c45 import collapse, held_out_rows, predicted_errors, upper_limit
from treelab.fast.pruning import reduced_error_pruning

some = settings(max_examples=30, deadline=None, derandomize=True, database=None)
GROWN = {
    "min_samples_leaf": 1,
    "adaptive_min_leaf": False,
    "mdl_correction": False,
    "pruning": None,
    "collapse": False,
}


def training_errors(tree):
    """Weight of the rows that the leaves get wrong."""
    sums = tree.sums[tree.is_leaf]
    return (sums.sum(axis=1) - sums.max(axis=1)).sum()


def is_pruned(small, large, s=0, t=0):
    """Whether `small` is `large` with some nodes made leaves."""
    a, b = small.nodes[s], large.nodes[t]
    if not np.allclose(a.sums, b.sums):
        return False
    if small.is_leaf[s]:
        return True
    pairs = zip(a.children, getattr(b, "children", ()), strict=False)
    return a.test == getattr(b, "test", None) and all(is_pruned(small, large, *p) for p in pairs)


# --- without fresh rows ------------------------------------------------------------------


@some
@given(data=tables())
def test_collapse_keeps_the_training_errors(data):
    grown = C45Classifier(**GROWN).fit(*data).tree_
    small = collapse(grown)
    assert is_pruned(small, grown)
    np.testing.assert_allclose(training_errors(small), training_errors(grown), atol=1e-3)
    wrong = small.sums.sum(axis=1) - small.sums.max(axis=1)
    below = small.subtree_sum(wrong)
    assert (below < wrong - 1e-3)[~small.is_leaf].all()  # every question left earns its keep
    assert C45Classifier(**GROWN | {"collapse": True}).fit(*data).n_nodes_ == small.n_nodes


@some
@given(data=tables(), confidence=st.sampled_from([0.05, 0.25, 0.5]))
def test_without_raising_a_node_is_kept_if_it_is_expected_to_err_less(data, confidence):
    """Each question left saves more than 0.1 expected errors; each one gone did not."""
    grown = C45Classifier(**GROWN).fit(*data).tree_
    rules = GROWN | {"pruning": "error_based", "subtree_raising": False, "confidence": confidence}
    pruned = C45Classifier(**rules).fit(*data).tree_
    assert is_pruned(pruned, grown)

    def price(t):
        sums = grown.sums[t]
        wrong = max(sums.sum() - sums.max(), 0)
        return predicted_errors(sums.sum(), wrong, confidence) if sums.sum() > 1e-6 else 0.0

    leaf, best = np.array([price(t) for t in range(grown.n_nodes)]), np.zeros(grown.n_nodes)
    cut = []
    for t in range(grown.n_nodes - 1, -1, -1):
        below = np.inf
        if not grown.is_leaf[t]:
            below = sum(best[c] for c in grown.nodes[t].children)
        keep = leaf[t] > below + 0.1 + 1e-6
        cut += [] if keep else [t]
        best[t] = below if keep else leaf[t]
    wanted = grown.collapse(cut)
    assert pruned.n_nodes == wanted.n_nodes
    np.testing.assert_allclose(pruned.sums, wanted.sums)


@some
@given(data=tables())
def test_raising_gives_no_more_nodes_and_refills_them(data):
    grown = C45Classifier(**GROWN).fit(*data).tree_
    model = C45Classifier(**GROWN | {"pruning": "error_based"}).fit(*data)
    assert model.n_nodes_ <= grown.n_nodes
    arrived = np.zeros_like(model.tree_.sums)
    codes = np.searchsorted(model.classes_, data[1])
    for t, rows, w in model.tree_.descend(model.table.read(data[0]), data[2]):
        np.add.at(arrived[t], codes[rows], w)
    np.testing.assert_allclose(model.tree_.sums, arrived, atol=1e-9)


def test_branch_that_is_raised():
    """The root parts off two rows; its heavy branch alone predicts as few errors."""
    rng = np.random.default_rng(3)
    raised = 0
    for _ in range(60):
        X = rng.integers(0, 4, (40, 3)).astype(float)
        y = (X[:, 0] > 1).astype(int) ^ (rng.random(40) < 0.15)
        plain = C45Classifier(subtree_raising=False).fit(X, y).tree_
        tree = C45Classifier().fit(X, y).tree_
        if tree.n_nodes < plain.n_nodes and not is_pruned(tree, plain):
            raised += 1
            assert {n.test for n in tree.nodes if hasattr(n, "test")} <= {
                n.test for n in plain.nodes if hasattr(n, "test")
            }
            assert tree.weight[tree.is_leaf].sum() == pytest.approx(40)
    assert raised > 0


@pytest.mark.parametrize("N", [1, 2.5, 6, 30, 400.25])
def test_predicted_errors_rise_with_errors_and_fall_with_confidence(N):
    E = np.linspace(0, N, 101)
    for confidence in (0.01, 0.25, 0.5):
        found = np.array([predicted_errors(N, e, confidence) for e in E])
        assert np.all((found >= E - 1e-9) & (found <= N + 1e-9))
        if N >= 6:  # with fewer rows the two formulas meet out of order
            assert np.all(np.diff(found) >= -1e-9)
        less = np.array([predicted_errors(N, e, confidence / 2) for e in E])
        assert np.all(less >= found - 1e-9)
    assert upper_limit(N, N) == 1


def test_predicted_errors_by_hand():
    np.testing.assert_allclose(upper_limit(6, 0), 1 - 0.25 ** (1 / 6), rtol=1e-12)
    np.testing.assert_allclose(upper_limit(1, 0, 0.5), 0.5, rtol=1e-12)
    half = (upper_limit(9, 0) + upper_limit(9, 1)) / 2
    np.testing.assert_allclose(upper_limit(9, 0.5), half, rtol=1e-12)
    np.testing.assert_allclose(upper_limit(14, 5), 0.48294, atol=5e-6)
    assert predicted_errors(6, 5.75) == 6  # all but half a row wrong is all wrong
    f = 5.5 / 14  # at confidence 1/2 the normal quantile is 0 and the limit is (E + 1/2) / N
    np.testing.assert_allclose(upper_limit(14, 5, 0.5), f, rtol=1e-12)


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
    assert (model.n_nodes_, model.tree_.nodes[1].test.feature) == (5, 1)
    fresh = X.iloc[[4]]  # takes the branch v; the question under u stays without a case
    assert reduced_error_pruning(model, fresh, ["n"]).n_nodes_ == 3
    assert reduced_error_pruning(model, fresh, ["n"], keep_unreached=True).n_nodes_ == 5
    assert reduced_error_pruning(model, fresh, ["p"], keep_unreached=True).n_nodes_ == 1
    assert model.n_nodes_ == 5


def test_row_of_no_weight_reaches_no_node():
    X = pd.DataFrame({"a": list("uuuuv"), "b": list("rrrsr")})
    model = ID3Classifier().fit(X, list("pppnn"))
    fresh, parameters = X.iloc[[0, 4]], {"sample_weight": [0, 1], "keep_unreached": True}
    assert reduced_error_pruning(model, fresh, ["p", "n"], **parameters).n_nodes_ == 5


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
