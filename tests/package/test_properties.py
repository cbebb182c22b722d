"""Properties that every tree must have, on small tables full of ties."""

import numpy as np
import pandas as pd
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

some = settings(max_examples=40, deadline=None, derandomize=True, database=None)
few = settings(some, max_examples=20)
every_criterion = pytest.mark.parametrize("criterion", CLASSES + NUMBERS)


@st.composite
def tables(draw, max_rows=20, max_features=3, n_values=5, n_classes=3, zero_weights=False):
    """A small table (X, y, w) of whole numbers: duplicates, constants and ties included."""
    n, p = draw(st.integers(2, max_rows)), draw(st.integers(1, max_features))

    def column(low, high):
        numbers = st.integers(low, high)
        return np.array(draw(st.lists(numbers, min_size=n, max_size=n)), dtype=float)

    X = np.column_stack([column(0, draw(st.integers(0, n_values))) for _ in range(p)])
    w = column(0 if zero_weights else 1, 3)
    assume(w.sum() > 0)
    return X, column(0, n_classes - 1), w


def estimator(criterion, **parameters):
    kind = DecisionTreeClassifier if criterion in CLASSES else DecisionTreeRegressor
    return kind(criterion=criterion, **parameters)


def target(y, criterion):
    """Class labels for a classifier, numbers for a regressor."""
    return y.astype(int) if criterion in CLASSES else y


def assert_alike(a, b, counts=True):
    """Same nodes and tests; values, weights and impurities equal but for rounding."""
    np.testing.assert_array_equal(a.children_left, b.children_left)
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_allclose(a.threshold, b.threshold, rtol=1e-12)
    np.testing.assert_array_equal(a.left_levels, b.left_levels)
    np.testing.assert_allclose(a.value, b.value, **CLOSE)
    np.testing.assert_allclose(a.impurity, b.impurity, **CLOSE)
    if counts:
        np.testing.assert_array_equal(a.n_node_samples, b.n_node_samples)
        np.testing.assert_allclose(a.weighted_n_node_samples, b.weighted_n_node_samples, **CLOSE)


def rows_of(tree, leaf, t):
    """Rows in node t, from the leaf of each row."""
    return (leaf >= t) & (leaf < t + tree.size[t])


# --- beside the plain algorithm -------------------------------------------------------------


def every_cut(X, y, w, criterion, categories=(), min_leaf=1):
    """(gain, j, cut) of each admissible cut, in the order of the search."""
    cases, of = cart.cases_of(X.tolist(), y.tolist(), w.tolist()), getattr(impurity, criterion)
    columns = range(X.shape[1])
    return [
        cut for j in columns for cut in cart.scored_splits(cases, j, of, min_leaf, j in categories)
    ]


@every_criterion
@some
@given(data=tables(), min_leaf=st.integers(1, 3))
def test_split_table_lists_every_cut(criterion, data, min_leaf):
    X, y, w = data
    cuts, of = every_cut(X, y, w, criterion, min_leaf=min_leaf), getattr(impurity, criterion)
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
        cases = cart.cases_of(X.tolist(), y.tolist(), w.tolist())
        best = cart.best_split(cases, of, min_leaf)
        assert found["best"].tolist() == [cut == best for cut in cuts]


CATEGORICAL = [
    ("squared_error", 5),
    ("gini", 2),
    ("entropy", 2),
    ("misclassification", 2),
    ("gini", 3),
    ("entropy", 3),
    ("misclassification", 4),
]


@pytest.mark.parametrize(("criterion", "n_classes"), CATEGORICAL)
@some
@given(st.data())
def test_categorical_cuts_are_the_best_of_all_subsets(criterion, n_classes, data):
    """In every node of a grown tree, with one categorical and some numeric features."""
    X, y, w = data.draw(tables(max_rows=24, n_values=6, n_classes=n_classes))
    X = X.astype(int).astype(float)
    model = estimator(criterion, categorical_features=[0]).fit(
        X, target(y, criterion), sample_weight=w
    )
    tree, leaf = model.tree_, model.apply(X)
    for t in range(tree.node_count):
        rows = rows_of(tree, leaf, t)
        cuts = every_cut(X[rows], y[rows], w[rows], criterion, categories=(0,))
        pure = len(np.unique(y[rows])) == 1
        assert tree.is_leaf[t] == (pure or not cuts)
        if not tree.is_leaf[t]:
            left = rows_of(tree, leaf, tree.children_left[t])[rows]
            mine = next(
                gain
                for gain, j, cut in cuts
                if same_cut([cart.goes_left(x, j, cut) for x in X[rows]], left)
            )
            np.testing.assert_allclose(mine, max(gain for gain, *_ in cuts), **CLOSE)
            assert (tree.feature[t] == 0) == bool(np.isnan(tree.threshold[t]))


def same_cut(a, b):
    return np.array_equal(a, b) or np.array_equal(a, ~b)


@pytest.mark.parametrize(
    ("criterion", "n_classes"), [("squared_error", 5), ("gini", 2), ("gini", 3)]
)
@some
@given(st.data())
def test_categorical_cuts_respect_the_size_of_leaves(criterion, n_classes, data):
    X, y, w = data.draw(tables(max_rows=20, max_features=1, n_values=5, n_classes=n_classes))
    model = estimator(criterion, categorical_features=[0], min_samples_leaf=4)
    tree = model.fit(X, target(y, criterion), sample_weight=w).tree_
    assert tree.n_node_samples.min() >= min(4, len(y))


def test_many_levels_and_three_classes_are_split_well():
    """Beyond ten levels the search is a heuristic: at most the best, and seldom much worse."""
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(6):
        X = rng.integers(0, 11, size=(120, 1)).astype(float)
        y = (X[:, 0] * 7 % 3 + (rng.random(120) < 0.3)).astype(int) % 3
        w = np.ones(120)
        stump = DecisionTreeClassifier(max_depth=1, categorical_features=[0]).fit(X, y).tree_
        gain = stump.impurity[0] - stump.impurity[1:] @ stump.n_node_samples[1:] / 120
        best = max(gain for gain, *_ in every_cut(X, y, w, "gini", categories=(0,)))
        shares.append(gain / best)
    assert max(shares) <= 1 + 1e-9
    assert min(shares) > 0.9


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


@every_criterion
@some
@given(data=tables())
def test_weights_are_repetition(criterion, data):
    X, y, w = data
    y = target(y, criterion)
    weighted = estimator(criterion).fit(X, y, sample_weight=w).tree_
    copies = w.astype(int)
    repeated = estimator(criterion).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies)).tree_
    assert_alike(weighted, repeated, counts=False)
    np.testing.assert_allclose(weighted.weighted_n_node_samples, repeated.n_node_samples)


@every_criterion
@some
@given(data=tables(zero_weights=True))
def test_rows_of_weight_zero_have_no_say(criterion, data):
    X, y, w = data
    y, kept = target(y, criterion), w > 0
    assume(set(y[kept]) == set(y))
    full = estimator(criterion).fit(X, y, sample_weight=w).tree_
    assert full.equals(estimator(criterion).fit(X[kept], y[kept], sample_weight=w[kept]).tree_)


def test_a_class_without_weight_keeps_its_column():
    model = DecisionTreeClassifier().fit([[1], [2], [3]], [0, 1, 2], sample_weight=[1, 1, 0])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba([[9]]).tolist() == [[0, 1, 0]]


@every_criterion
@few
@given(data=tables(), factor=st.sampled_from([1e-6, 0.3, 7.0, 1e6]))
def test_scale_of_the_weights_does_not_matter(criterion, data, factor):
    X, y, w = data
    y = target(y, criterion)
    grow = estimator(criterion, min_impurity_decrease=0.01).fit
    a, b = grow(X, y, sample_weight=w).tree_, grow(X, y, sample_weight=w * factor).tree_
    assert_alike(a, b, counts=False)
    np.testing.assert_allclose(a.weighted_n_node_samples * factor, b.weighted_n_node_samples)


@each("tiny", [1e-9, 1e-15, 1e-17, 1e-30, 1e-300])
@every_criterion
def test_weights_of_very_different_size(criterion, tiny):
    """A row that weighs next to nothing does not keep the others from being split."""
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    for w in ([tiny, 1, 1, 1], [1, tiny, tiny, 1], [1, 1, 1, tiny]):
        model = estimator(criterion).fit(X, y, sample_weight=w)
        assert model.predict(X).tolist() == y
        assert np.isfinite(model.tree_.value).all()


# --- rows, columns, names and scales -----------------------------------------------------


@every_criterion
@some
@given(data=tables(), seed=st.integers(0, 9))
def test_order_of_the_rows_does_not_matter(criterion, data, seed):
    X, y, w = data
    y, order = target(y, criterion), np.random.default_rng(seed).permutation(len(y))
    a = estimator(criterion).fit(X, y, sample_weight=w).tree_
    b = estimator(criterion).fit(X[order], y[order], sample_weight=w[order]).tree_
    assert_alike(a, b)


@every_criterion
@few
@given(seed=st.integers(0, 10_000))
def test_order_of_the_columns_does_not_matter(criterion, seed):
    """Where no two cuts are equally good: real weights, and leaves of some size."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(60, 4)), rng.uniform(0.5, 2, size=60)
    y = X[:, 0] + rng.normal(size=60)
    y = np.digitize(y, [-0.5, 0.5]) if criterion in CLASSES else y
    order = rng.permutation(4)
    a = estimator(criterion, min_samples_leaf=9).fit(X, y, sample_weight=w)
    b = estimator(criterion, min_samples_leaf=9).fit(X[:, order], y, sample_weight=w)
    if criterion != "misclassification":  # which is flat: many cuts leave the same errors
        np.testing.assert_array_equal(a.apply(X), b.apply(X[:, order]))
        inner = ~a.tree_.is_leaf
        np.testing.assert_array_equal(a.tree_.feature[inner], order[b.tree_.feature[inner]])
    else:
        tops = [m.tree_.collapse(np.flatnonzero(m.tree_.depth == 1)) for m in (a, b)]
        errors = [t.impurity[t.is_leaf] @ t.weighted_n_node_samples[t.is_leaf] for t in tops]
        np.testing.assert_allclose(*errors)


@every_criterion
@some
@given(data=tables())
def test_monotone_transforms_keep_the_partition(criterion, data):
    X, y, w = data
    y = target(y, criterion)
    plain = estimator(criterion).fit(X, y, sample_weight=w)
    for bent in (np.exp(3 * X), (X - 2) ** 3, 1e-9 * X - 1, np.log1p(X) * 1e9):
        other = estimator(criterion).fit(bent, y, sample_weight=w)
        np.testing.assert_array_equal(plain.apply(X), other.apply(bent))
        np.testing.assert_array_equal(plain.tree_.feature, other.tree_.feature)


@pytest.mark.parametrize("criterion", NUMBERS)
@some
@given(
    data=tables(n_classes=6),
    shift=st.sampled_from([-3.0, 1e3, 1e6]),
    scale=st.sampled_from([0.5, 7.0]),
)
def test_shift_and_scale_of_y(criterion, data, shift, scale):
    X, y, w = data
    a = estimator(criterion).fit(X, y, sample_weight=w)
    b = estimator(criterion).fit(X, scale * y + shift, sample_weight=w)
    np.testing.assert_array_equal(a.apply(X), b.apply(X))
    np.testing.assert_array_equal(a.tree_.feature, b.tree_.feature)
    np.testing.assert_allclose(scale * a.predict(X) + shift, b.predict(X), rtol=1e-9, atol=1e-9)
    power = 2 if criterion == "squared_error" else 1
    np.testing.assert_allclose(
        a.tree_.impurity * scale**power, b.tree_.impurity, rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("criterion", CLASSES)
@some
@given(data=tables())
def test_names_of_the_classes_do_not_matter(criterion, data):
    X, y, w = data
    y = y.astype(int)
    plain = estimator(criterion).fit(X, y, sample_weight=w)
    names = np.array(["a", "b", "c"])  # in the same order
    named = estimator(criterion).fit(X, names[y], sample_weight=w)
    assert plain.tree_.equals(named.tree_)
    np.testing.assert_array_equal(names[plain.predict(X)], named.predict(X))
    swapped = estimator(criterion).fit(X, 2 - y, sample_weight=w)
    np.testing.assert_array_equal(plain.apply(X), swapped.apply(X))
    np.testing.assert_array_equal(plain.predict_proba(X), swapped_shares(plain, swapped, X))


def swapped_shares(plain, swapped, X):
    """Shares of the classes after 2 - y, in the order of the classes before it."""
    return swapped.predict_proba(X)[
        :, [swapped.classes_.tolist().index(2 - k) for k in plain.classes_]
    ]


@few
@given(data=tables(n_classes=4, n_values=6), seed=st.integers(0, 9))
def test_names_of_the_levels_do_not_matter(data, seed):
    """A DataFrame of categories, whatever its levels are called, gives the same partition."""
    X, y, w = data
    rng = np.random.default_rng(seed)
    y = y + rng.normal(size=len(y))  # means of levels without ties
    codes = DecisionTreeRegressor(categorical_features=[0]).fit(X, y, sample_weight=w)
    names = np.array(list("gbefadc"))[X[:, 0].astype(int)]
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    frame["x0"] = pd.Categorical(names, categories=list("zgbefadc"))  # "z" never occurs
    named = DecisionTreeRegressor().fit(frame, y, sample_weight=w)
    assert partition(codes.apply(X)) == partition(named.apply(frame))
    np.testing.assert_allclose(codes.predict(X), named.predict(frame), **CLOSE)


def partition(leaf):
    return {tuple(np.flatnonzero(leaf == t)) for t in np.unique(leaf)}


# --- refitting, stopping, pruning ----------------------------------------------------------


@every_criterion
@few
@given(data=tables(), max_features=st.sampled_from([None, 1]))
def test_refit_equals_itself(criterion, data, max_features):
    X, y, w = data
    y = target(y, criterion)
    before = X.copy(), y.copy(), w.copy()
    model = estimator(criterion, max_features=max_features, random_state=5)
    first = model.fit(X, y, sample_weight=w).tree_
    assert model.fit(X, y, sample_weight=w).tree_.equals(first)
    for mine, kept in zip((X, y, w), before, strict=True):
        np.testing.assert_array_equal(mine, kept)  # the caller's data are left alone


@every_criterion
@some
@given(data=tables(), depth=st.integers(1, 4), min_split=st.integers(2, 12))
def test_limits_cut_the_full_tree_short(criterion, data, depth, min_split):
    X, y, w = data
    y = target(y, criterion)
    full = estimator(criterion).fit(X, y, sample_weight=w).tree_
    shallow = estimator(criterion, max_depth=depth).fit(X, y, sample_weight=w).tree_
    assert shallow.equals(full.collapse(np.flatnonzero(full.depth == depth)))
    large = estimator(criterion, min_samples_split=min_split).fit(X, y, sample_weight=w).tree_
    assert large.equals(full.collapse(np.flatnonzero(full.n_node_samples < min_split)))


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


@every_criterion
@some
@given(data=tables(zero_weights=True))
def test_grown_to_purity(criterion, data):
    """A leaf of the full tree is pure, or its rows cannot be told apart."""
    X, y, w = data
    y, kept = target(y, criterion), w > 0
    model = estimator(criterion).fit(X, y, sample_weight=w)
    leaf = model.apply(X[kept])
    for t in np.unique(leaf):
        rows = X[kept][leaf == t]
        assert len(np.unique(y[kept][leaf == t])) == 1 or np.all(rows == rows[0])


@every_criterion
@few
@given(data=tables())
def test_values_are_those_of_the_rows(criterion, data):
    """Weights add up, shares sum to one, and no split raises the impurity."""
    X, y, w = data
    tree = estimator(criterion).fit(X, target(y, criterion), sample_weight=w).tree_
    inner = np.flatnonzero(~tree.is_leaf)
    sides = tree.children_left[inner], tree.children_right[inner]
    weight, n = tree.weighted_n_node_samples, tree.n_node_samples
    np.testing.assert_allclose(weight[inner], sum(weight[side] for side in sides))
    np.testing.assert_array_equal(n[inner], sum(n[side] for side in sides))
    R = weight * tree.impurity
    assert np.all(R[inner] >= sum(R[side] for side in sides) - 1e-9)
    if criterion in CLASSES:
        np.testing.assert_allclose(tree.value.sum(axis=2), 1)
    assert np.all(tree.impurity >= 0)


def test_xor_is_learned_though_no_single_cut_helps():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    for criterion in CLASSES + NUMBERS:
        assert estimator(criterion).fit(X, y).predict(X).tolist() == y
        stopped = estimator(criterion, min_impurity_decrease=1e-6).fit(X, y)
        assert stopped.get_n_leaves() == 1
