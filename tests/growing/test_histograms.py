"""Bins, and trees grown from the tables of their sums."""

import tracemalloc

import numpy as np
import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

from treelab.fast.bagging.out_of_bag import draw_sample
from treelab.fast.growing import Limits, grow, grow_and_place
from treelab.fast.growing import histograms as histogram
from treelab.fast.growing.histograms import Bins, Histograms, equal_bins
from treelab.fast.growing.training_data import Columns, Targets


def bins_of(X, max_bins=255, n_levels=None):
    return Bins.of(Columns.of(X, n_levels or [0] * X.shape[1]), max_bins)


def grow_histogram(bins, y, weight, limits=Limits()):  # noqa: B008
    """The tree of tables of bins, and the leaf of each of the rows."""
    targets = Targets.of(y, weight, "squared_error")
    (tree,), leaf = grow_and_place(bins, targets, limits, find=Histograms(bins))
    return tree, leaf


def data(seed, n=300, p=4, values=12, weighted=True, categorical=False):
    """Columns with ties, the first of them categorical if asked for, targets and weights."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, p)).astype(float)
    y = X[:, 0] * 7 % 5 + X[:, 1] + rng.normal(size=n)
    w = rng.uniform(0.1, 2, n) if weighted else np.ones(n)
    return X, y, w, [values if categorical else 0] + [0] * (p - 1)


@pytest.fixture(params=["tables", "tables in blocks", "tables, then sorting"])
def room(request, monkeypatch):
    """Tables at every depth, for all nodes together or for each alone; or for a few nodes."""
    monkeypatch.setattr(
        histogram, "CELLS_PER_ROW", 0.2 if request.param.endswith("sorting") else np.inf
    )
    if request.param == "tables in blocks":
        monkeypatch.setattr(histogram, "CELLS", 1)


# --- bins --------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 30), min_size=2, max_size=40), st.integers(2, 12))
def test_a_value_is_in_the_bin_of_the_middle_of_its_rows(count, max_bins):
    first, bin_ = equal_bins(np.array(count), max_bins)
    n, before, step = sum(count), 0, []
    for c in count:
        step.append(max_bins * (before + c / 2) / n)
        before += c
    number = np.unique(np.floor(np.array(step) + 1e-9), return_inverse=True)[1]
    assert bin_.tolist() == number.tolist()
    assert first.tolist() == [number.tolist().index(b) for b in range(number.max() + 1)]
    assert number.max() < max_bins


def test_255_values_have_a_bin_each_and_256_do_not():
    X = np.column_stack([np.arange(256) % 255, np.arange(256)]).astype(float)
    bins = bins_of(X)
    assert [len(v) for v in bins.values] == [255, 255]
    assert bins.rank[0].tolist() == (np.arange(256) % 255).tolist()
    assert bins.rank[1].max() == 254
    assert np.bincount(bins.rank[1]).max() == 2
    assert bins.tied.tolist() == [True, True]
    assert not bins_of(X[:, 1:], max_bins=256).tied.any()


def test_bins_of_many_values_hold_equal_numbers_of_rows():
    x = np.random.default_rng(0).exponential(size=(10_000, 1))
    bins = bins_of(x, 100)
    assert np.bincount(bins.rank[0]).tolist() == [100] * 100
    low, high = bins.smallest[0], bins.values[0]
    assert np.all(low <= high)
    assert np.all(high[:-1] < low[1:])
    assert np.all((low[bins.rank[0]] <= x[:, 0]) & (x[:, 0] <= high[bins.rank[0]]))


def test_levels_and_constant_columns_keep_their_codes():
    X = np.column_stack([np.arange(300), np.ones(300)]).astype(float)
    bins = bins_of(X, 5, [300, 0])
    assert bins.rank[0].tolist() == list(range(300))
    assert bins.rank[1].tolist() == [0] * 300
    assert bins.n_bins == 300


def test_ranks_are_left_as_they_were():
    columns = Columns.of(np.arange(300.0)[:, None], [0])
    Bins.of(columns, 3)
    assert columns.rank[0].tolist() == list(range(300))


@pytest.mark.parametrize("max_bins", [1, 0, -3])
def test_fewer_than_two_bins_are_refused(max_bins):
    with pytest.raises(ValueError, match="max_bins must be at least 2"):
        bins_of(np.ones((3, 1)), max_bins)


# --- the same tree as by sorting ----------------------------------------------------------


@each("seed", [1, 2])
@each("weighted", [False, True])
@each("categorical", [False, True])
@each("drawn", ["all", "a part", "with copies"])
@each(
    "limits",
    [
        Limits(),
        Limits(max_depth=3, min_samples_leaf=7),
        Limits(min_samples_split=20, min_impurity_decrease=0.01),
        Limits(max_leaf_nodes=12, min_samples_leaf=4, max_depth=5),
    ],
)
@pytest.mark.usefixtures("room")
def test_bins_of_single_values_grow_the_exact_tree(limits, drawn, categorical, weighted, seed):
    """The copies of a row count in the sums, and once as a row, as they do in a forest."""
    X, y, w, n_levels = data(seed, n=120, weighted=weighted, categorical=categorical)
    columns = Columns.of(X, n_levels)
    targets = Targets.of(np.round(y) if seed % 2 else y, w, "squared_error")
    rows, copies = draw_sample(np.random.default_rng(seed), 120, 120)
    roots = {"all": None, "a part": [(rows, None)], "with copies": [(rows, copies)]}[drawn]
    (exact,), where = grow_and_place(columns, targets, limits, roots)
    bins = Bins.of(columns)
    (tree,), leaf = grow_and_place(bins, targets, limits, roots, find=Histograms(bins))
    assert tree.equals(exact)
    assert tree.node_count > 3
    np.testing.assert_array_equal(leaf, where)
    inside = np.arange(120) if drawn == "all" else rows
    np.testing.assert_array_equal(leaf[inside], tree.apply(X)[inside])
    assert (np.delete(leaf, inside) < 0).all()


@pytest.mark.usefixtures("room")
def test_coarse_bins_grow_the_exact_tree_of_the_numbers_of_the_bins():
    """But for the thresholds, which lie between the values on both sides of an edge."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    y, w = np.sin(3 * X[:, 0]) + X[:, 1] + rng.normal(size=400), rng.uniform(1, 2, 400)
    bins = bins_of(X, 8)
    limits = Limits(min_samples_leaf=5)
    tree, leaf = grow_histogram(bins, y, w, limits=limits)
    codes = Columns.of(bins.rank.T.astype(float), [0] * 3)
    (exact,) = grow(codes, Targets.of(y, w, "squared_error"), limits)
    for name in ("children_left", "feature", "value", "n_node_samples"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(exact, name))
    assert leaf.tolist() == tree.apply(X).tolist()
    for t in np.flatnonzero(~tree.is_leaf):
        j = tree.feature[t]
        here = np.unique(bins.rank[j, (leaf >= t) & (leaf < t + tree.size[t])])
        low, high = here[here <= exact.threshold[t]][-1], here[here > exact.threshold[t]][0]
        expected = (bins.values[j][low] + bins.smallest[j][high]) / 2
        np.testing.assert_allclose(tree.threshold[t], expected, rtol=1e-14)


def test_tables_and_sorting_may_take_turns(monkeypatch):
    X, y, w, _ = data(9)
    bins, targets = bins_of(X), Targets.of(y, w, "squared_error")
    find, depth = Histograms(bins), iter(range(99))

    def take_turns(*args):
        monkeypatch.setattr(histogram, "CELLS_PER_ROW", 0 if next(depth) % 2 else np.inf)
        return find(*args)

    ((tree,), _), (exact,) = (
        grow_and_place(bins, targets, Limits(), find=take_turns),
        grow(bins, targets),
    )
    assert next(depth) > 5
    assert tree.equals(exact)


@pytest.mark.usefixtures("room")
def test_equal_means_of_forty_levels_stand_by_code():
    X, y = np.repeat(np.arange(40.0), 3)[:, None], np.repeat((np.arange(40) % 4 == 0) + 0.0, 3)
    columns = Columns.of(X, [40])
    limits = Limits(min_samples_leaf=31)
    (exact,) = grow(columns, Targets.of(y, np.ones(120), "squared_error"), limits)
    tree, _ = grow_histogram(Bins.of(columns), y, np.ones(120), limits=limits)
    assert tree.node_count > 1
    assert tree.equals(exact)


# --- ties and edges -----------------------------------------------------------------------


def test_deep_trees_need_no_table_for_each_node():
    """4000 leaves of 10 features of 255 bins would be 80 MB in a single table."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(4000, 10)), rng.normal(size=4000)
    bins = bins_of(X)
    tracemalloc.start()
    tree, _ = grow_histogram(bins, y, np.ones(4000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert tree.n_leaves > 3000
    assert peak < 20e6
