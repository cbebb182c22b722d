"""Growing many trees together, drawing features, and stopping."""

import numpy as np
import pytest
from cases import each

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.growing import by_depth
from treelab.fast.growing.by_depth import Limits, draw_features, grow
from treelab.fast.growing.frontier import Frontier
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


def test_copies_stay_with_their_rows_in_a_part_of_the_frontier():
    """Once some nodes are closed, the others are searched with their own copies."""
    columns, targets = training_data(weighted=False)
    rows, copies = np.arange(60), np.arange(60) % 3 + 1
    frontier = Frontier(targets, rows, np.repeat([0, 1, 2], 20), copies)
    part = frontier.only(np.array([0, 2]))
    expected = np.concatenate([np.arange(20), np.arange(40, 60)])
    np.testing.assert_array_equal(part.row, expected)
    np.testing.assert_array_equal(part.counts, expected % 3 + 1)
    units = targets.units[:, expected] * (expected % 3 + 1)
    np.testing.assert_array_equal(part.sides.units, units)
    np.testing.assert_array_equal(part.node, np.repeat([0, 1], 20))


def test_equal_weights_with_uneven_copies_are_uneven():
    """A cut is judged by copies even where all weights are 1."""
    columns = Columns.of(np.array([[0.0], [1.0], [2.0]]), [0])
    targets = Targets.of(np.array([0, 1, 0]), np.ones(3), "gini", 2)
    limits = Limits(max_depth=1)
    for copies, threshold in (([9, 1, 1], 0.5), ([1, 1, 9], 1.5)):
        (tree,) = grow(columns, targets, limits, [(np.arange(3), np.array(copies))])
        assert tree.threshold[0] == threshold
        assert tree.weighted_n_node_samples[0] == 11


def test_share_of_the_own_root_counts_in_min_impurity_decrease():
    """A light root beside a heavy one is measured by its own weight."""
    columns = Columns.of(np.array([[0.0], [1.0], [2.0], [3.0]]), [0])
    y, weight = np.array([0, 1, 0, 1]), np.array([1000.0, 1000.0, 1.0, 1.0])
    targets = Targets.of(y, weight, "gini", 2)
    roots = [(np.array([0, 1]), None), (np.array([2, 3]), None)]
    trees = grow(columns, targets, Limits(min_impurity_decrease=0.3), roots)
    assert [tree.n_leaves for tree in trees] == [2, 2]
    trees = grow(columns, targets, Limits(min_impurity_decrease=0.3), roots[::-1])
    assert [tree.n_leaves for tree in trees] == [2, 2]


# --- draws of features -----------------------------------------------------------------


def test_every_node_draws_features_of_its_own():
    """All columns are alike, so a node tests the first that it has drawn."""
    rng = np.random.default_rng(0)
    x = rng.permutation(64).astype(float)
    columns = Columns.of(np.column_stack([x] * 6), [0] * 6)
    targets = Targets.of(rng.normal(size=64), np.ones(64), "squared_error")
    limits = Limits(max_features=2, max_depth=5)
    (tree,) = grow(columns, targets, limits, generators=generators(1))
    tested = tree.feature[~tree.is_leaf]
    side_by_side = tree.feature[~tree.is_leaf & (tree.depth == 3)]
    assert len(set(side_by_side.tolist())) > 1  # not one draw for a depth, nor for a tree
    assert set(tested.tolist()) == set(range(6))  # no column is preferred
    assert tree.equals(grow(columns, targets, limits, generators=generators(1))[0])


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


def test_a_node_draws_on_one_by_one_until_a_feature_can_be_cut():
    """Columns 0 and 1 are constant; 2 is the better of the other two, and not always found."""
    X = np.array([[1.0, 1.0, i, i % 3] for i in range(9)])
    columns = Columns.of(X, [0] * 4)
    targets = Targets.of((np.arange(9) > 4).astype(int), np.ones(9), "gini", 2)
    roots = [(np.arange(9), None)] * 300
    limits = Limits(max_features=1, max_depth=1)
    trees = grow(columns, targets, limits, roots, generators(300))
    counts = np.bincount([tree.feature[0] for tree in trees], minlength=4)
    assert counts[:2].tolist() == [0, 0]
    assert 115 < counts[2] < 185  # the first of the two in the order of the draw


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


@pytest.mark.parametrize("weighted", [False, True])
def test_targets_may_be_replaced(weighted):
    rng = np.random.default_rng(0)
    y, other = rng.normal(size=(2, 50))
    w = rng.uniform(size=50) if weighted else np.full(50, 0.3)
    found = Targets.of(y, w, "squared_error").with_targets(other)
    expected = Targets.of(other, w, "squared_error")
    for name, value in vars(expected).items():
        np.testing.assert_array_equal(getattr(found, name), value)
    assert found.same_weight == (None if weighted else 0.3)
    assert found.center == pytest.approx(np.average(other, weights=w))
    assert found.deviation.tolist() == (other - found.center).tolist()


def test_limits_that_are_not_given_are_none():
    """What grows without limits is a tree of single rows, as estimators grow by default."""
    X, y = np.arange(6.0)[:, None], np.arange(6.0)
    (tree,) = grow(Columns.of(X, [0]), Targets.of(y, np.ones(6), "squared_error"))
    assert tree.n_leaves == 6
    (stated,) = grow(
        Columns.of(X, [0]),
        Targets.of(y, np.ones(6), "squared_error"),
        Limits(
            max_depth=np.inf, min_samples_split=2, min_samples_leaf=1, min_impurity_decrease=0.0,
            max_features=None, max_leaf_nodes=None,
        ),
    )  # fmt: skip
    assert stated.equals(tree)
    assert Limits() == Limits(np.inf, 2, 1, 0.0, None, None)
