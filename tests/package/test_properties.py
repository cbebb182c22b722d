"""Properties that every tree must have, on small tables full of ties."""

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, cart, impurity
from treelab.fast.growing import split_table
from treelab.fast.pruning import prune

CLASSES = ("gini", "entropy", "misclassification")
NUMBERS = ("squared_error", "absolute_error")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}

some = settings(max_examples=15, deadline=None, derandomize=True, database=None)
every_criterion = pytest.mark.parametrize("criterion", CLASSES + NUMBERS)


@st.composite
def tables(draw):
    """A small table (X, y, w) of whole numbers: duplicates, constants and ties included."""
    n, p = draw(st.integers(2, 20)), draw(st.integers(1, 3))

    def column(low, high):
        numbers = st.integers(low, high)
        return np.array(draw(st.lists(numbers, min_size=n, max_size=n)), dtype=float)

    X = np.column_stack([column(0, draw(st.integers(0, 5))) for _ in range(p)])
    return X, column(0, 2), column(1, 3)


def estimator(criterion, **parameters):
    kind = DecisionTreeClassifier if criterion in CLASSES else DecisionTreeRegressor
    return kind(criterion=criterion, **parameters)


def target(y, criterion):
    """Class labels for a classifier, numbers for a regressor."""
    return y.astype(int) if criterion in CLASSES else y


# --- beside the plain algorithm -------------------------------------------------------------


@every_criterion
@some
@given(data=tables(), min_leaf=st.integers(1, 3))
def test_split_table_lists_every_cut(criterion, data, min_leaf):
    X, y, w = data
    cases, of = cart.cases_of(X.tolist(), y.tolist(), w.tolist()), getattr(impurity, criterion)
    columns = range(X.shape[1])
    cuts = [cut for j in columns for cut in cart.scored_splits(cases, j, of, min_leaf)]
    found = split_table(
        X, target(y, criterion), criterion=criterion, sample_weight=w, min_samples_leaf=min_leaf
    )
    assert len(found) == len(cuts)
    for (gain, j, cut), (_, row) in zip(cuts, found.iterrows(), strict=True):
        left = X[:, j] <= cut
        expected = (f"x[{j}]", left.sum(), (~left).sum())
        assert (row["feature"], row["n_left"], row["n_right"]) == expected
        Q = [of(y[side], w[side]) for side in (left, ~left)]
        names = ["weight_left", "weight_right", "impurity_left", "impurity_right", "gain"]
        expected = [w[left].sum(), w[~left].sum(), *Q, gain]
        np.testing.assert_allclose(row["threshold"], cut)
        np.testing.assert_allclose(row[names].to_numpy(dtype=float), expected, **CLOSE)
        np.testing.assert_allclose(row["remainder"], of(y, w) - gain, **CLOSE)
    if cuts:
        best = cart.best_split(cases, of, min_leaf)
        assert found["best"].tolist() == [cut == best for cut in cuts]


def test_tie_rule():
    """Lowest column, then smallest threshold, though rounding may favor another by a hair."""
    y = [0, 1, 1, 0]
    twins = np.array([[1, 1], [2, 2], [3, 3], [4, 4]])
    tree = DecisionTreeClassifier().fit(twins, y).tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, 1.5)
    rng = np.random.default_rng(0)
    y = rng.normal(size=200) * 0.1 + 0.3  # sums that do not come out even
    x = rng.normal(size=200)
    for w in (np.ones(200), rng.uniform(0.1, 1, size=200)):
        mirrored = np.column_stack([-x, x, x])  # equal cuts, summed from opposite ends
        tree = DecisionTreeRegressor().fit(mirrored, y, sample_weight=w).tree_
        assert set(tree.feature) == {0, -2}


# --- weights ---------------------------------------------------------------------------


def test_a_class_without_weight_keeps_its_column():
    model = DecisionTreeClassifier().fit([[1], [2], [3]], [0, 1, 2], sample_weight=[1, 1, 0])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba([[9]]).tolist() == [[0, 1, 0]]


@each("tiny", [1e-9, 1e-15, 1e-17, 1e-30, 1e-300])
@every_criterion
def test_weights_of_very_different_size(criterion, tiny):
    """A row that weighs next to nothing does not keep the others from being split."""
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    for w in ([tiny, 1, 1, 1], [1, tiny, tiny, 1], [1, 1, 1, tiny]):
        model = estimator(criterion).fit(X, y, sample_weight=w)
        assert model.predict(X).tolist() == y
        assert np.isfinite(model.tree_.value).all()


# --- refitting, stopping, pruning ----------------------------------------------------------


@every_criterion
@some
@given(data=tables(), least=st.sampled_from([0.01, 0.05, 0.2]))
def test_min_impurity_decrease_cuts_the_full_tree_short(criterion, data, least):
    X, y, w = data
    y = target(y, criterion)
    full = estimator(criterion).fit(X, y, sample_weight=w).tree_
    share = full.weighted_n_node_samples / full.weighted_n_node_samples[0]
    R = share * full.impurity
    gain = R - R[full.children_left] - R[full.children_right]
    assume(np.all(np.abs(gain - least) > 1e-9))
    stopped = estimator(criterion, min_impurity_decrease=least).fit(X, y, sample_weight=w).tree_
    assert stopped.equals(full.collapse(np.flatnonzero(gain < least)))


@every_criterion
@some
@given(data=tables(), alpha=st.sampled_from([0.0, 0.013, 0.11]))
def test_ccp_alpha_is_pruning(criterion, data, alpha):
    X, y, w = data
    y = target(y, criterion)
    full = estimator(criterion).fit(X, y, sample_weight=w).tree_
    pruned = estimator(criterion, ccp_alpha=alpha).fit(X, y, sample_weight=w).tree_
    assert pruned.equals(prune(full, alpha) if alpha else full)
