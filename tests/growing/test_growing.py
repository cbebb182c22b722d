"""Growing many trees together, drawing features, and stopping."""

import numpy as np
import pytest
from cases import each

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.growing import by_depth
from treelab.fast.growing.by_depth import Limits, draw_features, grow
from treelab.fast.growing.training_data import Columns, Targets

CRITERIA = [("gini", 3), ("entropy", 2), ("squared_error", 0), ("absolute_error", 0)]
every_criterion = pytest.mark.parametrize(("criterion", "n_classes"), CRITERIA)


def training_data(criterion="squared_error", n_classes=0, n=60, p=4, seed=0, weighted=True):
    """Columns and targets: one category of five levels, ties, and uneven weights."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 5, n), rng.integers(0, 9, (p - 1, n)).T]).astype(float)
    y = X[:, 1] + X[:, 0] * 7 % 3 + rng.normal(size=n)
    y = np.digitize(y, np.quantile(y, [0.3, 0.7])) % n_classes if n_classes else y
    weight = rng.uniform(0.1, 2, n) if weighted else np.ones(n)
    columns = Columns.of(X, [5] + [0] * (p - 1))
    return columns, Targets.of(y, weight, criterion, n_classes)


def bootstrap_roots(n, k=5, seed=1):
    """Distinct rows and their copies, of different sizes."""
    rng = np.random.default_rng(seed)
    counts = [np.bincount(rng.integers(0, n, n // (i + 1) + 3), minlength=n) for i in range(k)]
    return [(np.flatnonzero(c), c[c > 0]) for c in counts]


def generators(k):
    return [np.random.default_rng(100 + i) for i in range(k)]


def assert_same_trees(mine, others):
    assert len(mine) == len(others)
    assert all(a.equals(b) for a, b in zip(mine, others))


# --- many roots ------------------------------------------------------------------------


@each("with_copies", [True, False])
@each("max_features", [None, 1, 2])
@every_criterion
def test_trees_do_not_depend_on_what_is_grown_beside_them(
    criterion, n_classes, max_features, with_copies
):
    columns, targets = training_data(criterion, n_classes)
    roots = bootstrap_roots(60)
    if not with_copies:
        roots = [(rows, None) for rows, _ in roots]
    limits = Limits(max_features=max_features, min_impurity_decrease=0.003)
    together = grow(columns, targets, limits, roots, generators(5))
    alone = [
        grow(columns, targets, limits, [root], [rng])[0] for root, rng in zip(roots, generators(5))
    ]
    assert_same_trees(together, alone)
    assert len({tree.node_count for tree in together}) > 1
    backwards = grow(columns, targets, limits, roots[::-1], generators(5)[::-1])
    assert_same_trees(together, backwards[::-1])


@each("weighted", [False, True])
@every_criterion
def test_a_row_drawn_twice_weighs_twice(criterion, n_classes, weighted):
    columns, targets = training_data(criterion, n_classes, weighted=weighted)
    for rows, copies in bootstrap_roots(60):
        weight = targets.weight.copy()
        weight[rows] *= copies
        heavy = Targets.of(targets.y, weight, criterion, n_classes)
        (drawn,), (expected,) = (
            grow(columns, targets, roots=[(rows, copies)]),
            grow(columns, heavy, roots=[(rows, None)]),
        )
        for name in ("children_left", "feature", "threshold", "n_node_samples", "left_levels"):
            np.testing.assert_array_equal(getattr(drawn, name), getattr(expected, name))
        for name in ("value", "impurity", "weighted_n_node_samples"):
            np.testing.assert_allclose(
                getattr(drawn, name), getattr(expected, name), rtol=1e-9, atol=1e-12
            )


# --- draws of features -----------------------------------------------------------------


@pytest.mark.parametrize("m", [2, 3])
def test_ties_go_to_the_candidate_drawn_first(m):
    columns = Columns.of(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), [0, 0, 0])
    targets = Targets.of(np.array([0, 1]), np.ones(2), "gini", 2)
    roots = [(np.arange(2), None)] * 300
    trees = grow(columns, targets, Limits(max_features=m), roots, generators(300))
    tested = [tree.feature[0] for tree in trees]
    orders = [draw_features(3, np.zeros(1, dtype=int), [g])[0, 0] for g in generators(300)]
    assert tested == orders
    counts = np.bincount(tested, minlength=3)
    assert (counts > 70).all()  # no column is preferred
    (tree,) = grow(columns, targets)  # without draws the first column wins
    assert tree.feature[0] == 0


# --- searching in pieces ---------------------------------------------------------------


@each("cells", [1, 70, 150])
@each("max_features", [None, 3])
@every_criterion
def test_searching_features_in_pieces_changes_nothing(
    criterion, n_classes, max_features, cells, monkeypatch
):
    columns, targets = training_data(criterion, n_classes, p=5)
    roots, limits = bootstrap_roots(60), Limits(max_features=max_features, min_samples_leaf=2)
    whole = grow(columns, targets, limits, roots, generators(5))
    monkeypatch.setattr(by_depth, "CELLS", cells)
    assert_same_trees(whole, grow(columns, targets, limits, roots, generators(5)))


def test_ties_across_pieces_go_to_the_first_column(monkeypatch):
    """The second column's gain is a hair greater, by rounding only."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=200) * 0.1 + 0.3
    x, w = rng.normal(size=200), rng.uniform(0.1, 1, 200)
    targets = Targets.of(y, w, "squared_error")
    for cells in (1, 1 << 16):
        monkeypatch.setattr(by_depth, "CELLS", cells)
        for pair in ([-x, x], [x, -x]):
            (tree,) = grow(Columns.of(np.column_stack(pair), [0, 0]), targets)
            assert set(tree.feature) == {0, -2}


# --- limits, levels, order of nodes ------------------------------------------------------


def test_a_split_that_gains_exactly_the_minimum_stands():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    for least, n_leaves in ((0.5, 2), (0.5 + 1e-6, 1)):
        tree = DecisionTreeClassifier(min_impurity_decrease=least).fit(X, y)
        assert tree.get_n_leaves() == n_leaves
    y = [0.1, 0.1, 0.4, 0.4]  # a gain that does not come out even
    least = DecisionTreeRegressor(max_depth=1).fit(X, y).tree_.impurity[0]
    for share, n_leaves in ((1 + 1e-13, 2), (1 + 1e-6, 1)):
        tree = DecisionTreeRegressor(min_impurity_decrease=least * share).fit(X, y)
        assert tree.get_n_leaves() == n_leaves


@pytest.mark.parametrize(
    ("weight", "goes_left"),
    [([1, 1, 1, 1], True), ([3, 1, 1, 1], True), ([1, 1, 3, 1], False), ([1, 0.5, 1, 1], False)],
)
def test_an_absent_level_goes_to_the_heavier_child_and_left_if_even(weight, goes_left):
    """Level 2 is declared and never seen; weights, not rows, decide."""
    X, y = np.array([[0], [0], [1], [1]]), [0.0, 0.0, 1.0, 1.0]
    columns = Columns.of(X.astype(float), [3])
    (tree,) = grow(columns, Targets.of(np.array(y), np.array(weight, float), "squared_error"))
    assert tree.left_levels[0].tolist() == [True, False, goes_left]
    assert tree.predict(np.array([[2.0]])).item() == (0.0 if goes_left else 1.0)


def test_only_categorical_tests_have_left_levels():
    columns, targets = training_data()
    for limits in (Limits(), Limits(min_impurity_decrease=0.02), Limits(max_depth=2)):
        (tree,) = grow(columns, targets, limits)
        by_level = np.isnan(tree.threshold)
        assert by_level.any()
        assert not tree.left_levels[~by_level].any()
        assert (tree.feature[by_level] == 0).all()
        n_left = tree.left_levels[by_level].sum(axis=1)
        assert ((n_left > 0) & (n_left < 5)).all()


def test_limits_that_are_not_given_are_none():
    """What grows without limits is a tree of single rows, as estimators grow by default."""
    assert Limits() == Limits(np.inf, 2, 1, 0.0, None, None)
