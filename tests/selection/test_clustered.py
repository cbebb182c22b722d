"""CBFS: by hand on the toy example, and at the edges; `test_plain_local.py` has the plain one."""

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from hypothesis import given
from hypothesis import strategies as st
from sklearn import ensemble as theirs
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler

from treelab import DecisionTreeRegressor, RandomForestRegressor
from treelab.datasets import make_masked_sine
from treelab.fast.importance import oob_permutation_importance
from treelab.fast.selection import (
    cluster_rows,
    clustered_importance,
    combined_importance_table,
    halved_bins,
    ranks_by_cluster,
    response_bins,
)
from treelab.fast.selection.model_based import HIGHEST_SEED, seeded
from treelab.figures.local import clustered_importance_table

X, Y = make_masked_sine(240, n_noise=2, amplitude=5, random_state=0)
FOREST = RandomForestRegressor(8, max_depth=4, max_features=1 / 3)
TOY = np.array([[0.5, 0.3, 0.7, 0.3], [0.3, 0.4, 0.1, 0.5], [0.05, 0.2, 0.15, 0.03],
                [0.15, 0.1, 0.05, 0.17]])  # fmt: skip
SETTINGS = {"n_bins": 2, "max_clusters": 4, "random_state": 0}


def find(estimator=FOREST, rows=X, y=Y, **parameters):
    return clustered_importance(estimator, rows, y, **SETTINGS | parameters)


@pytest.fixture(scope="module")
def found():
    return find()


def test_a_result_is_shown_by_its_parts(found):
    assert repr(found).startswith("Results(importances: array (4, ")
    assert len(repr(found)) < 300
    assert pickle.loads(pickle.dumps(found)).ranking.tolist() == found.ranking.tolist()


def test_the_table_of_every_cluster(found):
    table = clustered_importance_table(found)
    assert len(table) == found.importances.size
    for c, part in table.groupby("cluster"):
        assert part["rank"].tolist() == [1, 2, 3, 4]
        assert part["importance"].is_monotonic_decreasing
        for _, row in part.iterrows():
            j = int(row["feature"][1:])
            assert row["importance"] == found.importances[j, c]
            assert row["rank"] == found.ranks[j, c]
        assert part["bin"].nunique() == 1
    assert table.drop_duplicates("cluster")["n_rows"].sum() == len(Y)


def test_the_toy_example_of_the_dissertation():
    """Tables 2.1 and 2.2: x1 comes in at two features, x2 at three, the rest at four."""
    table = combined_importance_table(TOY, names=["x1", "x2", "Noise 1", "Noise 2"])
    assert table["importance"].tolist() == pytest.approx([0.45, 0.325, 0.1075, 0.1175])
    assert table["worst_rank"].tolist() == [2, 3, 4, 4]
    assert table["average"].tolist() == table["intersection"].tolist() == [1, 2, 4, 3]
    assert ranks_by_cluster(TOY)[:, 3].tolist() == [2, 1, 4, 3]


def test_clusters_of_no_stated_size_are_equal():
    table = combined_importance_table([[0.9, 0.2], [0.1, 0.8]])
    assert table["importance"].tolist() == pytest.approx([0.55, 0.45])
    assert table["average"].tolist() == [1, 2]


def test_silent_clusters_have_no_voice():
    """The lower bin has one target: nothing splits there, and nothing is ranked."""
    y = np.where(np.arange(240) < 120, 1.0, Y + 10)
    found = find(y=y, max_clusters=1, combine="intersection")
    assert found.importances[:, 0].tolist() == [0, 0, 0, 0]
    assert found.ranks[:, 0].tolist() == [0, 0, 0, 0]
    assert found.ranking.tolist() == found.worst_rank.tolist() == found.ranks[:, 1].tolist()
    table = clustered_importance_table(found)
    assert table["silhouette"].isna().all()
    assert table["feature"].tolist()[:4] == ["x0", "x1", "x2", "x3"]
    with pytest.warns(UserWarning, match="all importances are 0"):
        nothing = find(y=np.ones(240))
    assert nothing.ranking.tolist() == [1, 2, 3, 4]
    assert nothing.worst_rank.tolist() == [4, 4, 4, 4]


@pytest.mark.filterwarnings("error")
def test_one_row_clusters_constant_columns_and_copies():
    rows = np.array([[0.0, 7], [0.1, 7], [0.2, 7], [9, 7], [0, 7], [0.1, 7]])
    y = [1, 2, 3, 4, 5, 6]
    found = find(rows=rows, y=y, n_bins=1, max_clusters=2, estimator=DecisionTreeRegressor())
    assert sorted(each["n_rows"] for each in found.clusters) == [1, 5]
    alone = int(found.labels[3])
    assert found.importances[:, alone].tolist() == [0, 0]
    assert found.importances[:, 1 - alone].tolist() == [1, 0]  # the constant one tells nothing
    assert found.ranking.tolist() == [1, 2]
    with pytest.warns(UserWarning, match="all importances are 0"):
        copies = find(rows=np.repeat([[1.0, 2], [3, 4]], 20, axis=0), y=np.arange(40) % 7)
    assert len(copies.clusters) == 4  # two different rows in each bin
    assert all(each["silhouette"] == 1 for each in copies.clusters)


def test_importance_out_of_bag():
    found = find(importance="oob", n_bins=1, max_clusters=1)
    rng = np.random.RandomState(0)
    rng.randint(HIGHEST_SEED, size=1)
    seed = int(rng.randint(HIGHEST_SEED, size=1)[0])
    Z = StandardScaler().fit_transform(X)
    forest = seeded(FOREST, seed).fit(Z, Y)
    expected = oob_permutation_importance(forest, Z, Y, random_state=seed).importances_mean
    np.testing.assert_allclose(found.importances[:, 0], expected)
    small = find(
        RandomForestRegressor(100), rows=X[:60], y=Y[:60], importance="oob", n_bins=12,
        max_clusters=3,
    )  # fmt: skip
    sizes = np.array([each["n_rows"] for each in small.clusters])
    assert set(sizes) >= {1, 2, 3, 4}
    assert not small.importances[:, sizes < 3].any()
    assert np.isfinite(small.importances).all()


def test_other_estimators_frames_and_the_forest_of_the_source():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    for estimator in (
        theirs.RandomForestRegressor(5, max_depth=3),
        theirs.GradientBoostingRegressor(n_estimators=5),
        LinearRegression(),
    ):
        found = find(estimator, rows=frame)
        assert found.feature_names == ["a", "b", "c", "d"]
        assert found.ranking[0] <= 2 or isinstance(estimator, LinearRegression)
    named = find(RandomForestRegressor(max_depth=10, max_features=1 / 3), max_clusters=2)
    np.testing.assert_array_equal(find(None, max_clusters=2).importances, named.importances)


def test_workers_seeds_and_units(found):
    two = find(n_jobs=2)
    np.testing.assert_array_equal(found.importances, two.importances)
    assert found.clusters == two.clusters
    again = find(clone(FOREST).set_params(random_state=0), random_state=None)
    np.testing.assert_array_equal(found.importances, again.importances)
    bent = find(rows=X * [1024, 1 / 8, 4, 1] + [0, 0, 0, 1])  # scaling undoes it
    np.testing.assert_array_equal(found.labels, bent.labels)
    np.testing.assert_allclose(found.importances, bent.importances)
    assert not np.array_equal(find(random_state=1).importances, found.importances)


def test_equal_targets_may_stay_together():
    y = np.repeat([3.0, 5, 6], [60, 100, 80])
    apart, together = (find(y=y, max_clusters=1, ties=ties) for ties in ("apart", "together"))
    assert [each["high"] for each in apart.clusters] == [5, 6]
    assert [each["low"] for each in apart.clusters] == [3, 5]
    assert [(each["low"], each["high"]) for each in together.clusters] == [(3, 5), (6, 6)]


@each("case", refused("clustered") + refused("clusters"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())


# --- bins of the target and clusters in them -------------------------------------------------

TARGETS = st.lists(st.integers(-3, 3), min_size=1, max_size=30)


def sizes(bins):
    return [len(rows) for rows in bins]


@given(TARGETS, st.data(), st.sampled_from(["apart", "together"]))
def test_bins_hold_all_rows_in_order(y, data, ties):
    n_bins = data.draw(st.integers(1, len(y)))
    bins = response_bins(y, n_bins, ties=ties)
    values = np.array(y)
    rows = np.concatenate(bins)
    assert sorted(rows) == list(range(len(y)))
    assert (np.diff(values[rows]) >= 0).all()
    assert min(sizes(bins)) >= 1
    if ties == "apart":
        assert sizes(bins) == sizes(np.array_split(y, n_bins))
        assert rows.tolist() == sorted(range(len(y)), key=lambda i: y[i])
    else:
        assert len(bins) <= n_bins
        for low, high in zip(bins, bins[1:], strict=False):
            assert values[low].max() < values[high].min()


@given(TARGETS, st.integers(1, 5), st.sampled_from(["apart", "together"]))
def test_halves_hold_their_bin(y, n_levels, ties):
    levels, values = halved_bins(y, n_levels, ties=ties), np.array(y)
    assert len(levels) == n_levels
    for above, below in zip(levels, levels[1:], strict=False):
        if ties == "apart":
            halves = [half for rows in above for half in np.array_split(rows, 2) if len(half)]
            assert [rows.tolist() for rows in below] == [half.tolist() for half in halves]
        else:
            assert np.concatenate(above).tolist() == np.concatenate(below).tolist()
            differ = [rows for rows in above if np.ptp(values[rows]) > 0]
            assert len(below) == len(above) + len(differ)
            for low, high in zip(below, below[1:], strict=False):
                assert values[low].max() < values[high].min()


def test_a_cut_moves_to_the_nearest_change():
    quality = np.repeat([3, 4, 5, 6, 7, 8], [2, 16, 146, 220, 88, 18])
    assert sizes(response_bins(quality)) == [98] * 5
    together = response_bins(quality, ties="together")
    assert sizes(together) == [164, 220, 106]  # of the cuts at 98, 196, 294 and 392
    assert sizes(response_bins([1, 1, 2, 2, 3, 3], 2, ties="together")) == [2, 4]  # the lower one
    assert sizes(response_bins([4.0, 4, 4], 3, ties="together")) == [3]


def test_equal_targets_keep_the_order_of_the_rows():
    assert [rows.tolist() for rows in response_bins([2, 2, 1, 2], 2)] == [[2, 0], [1, 3]]


@pytest.mark.parametrize(
    ("rows", "most", "n_clusters"),
    [
        ([[0.0], [1.0]], 8, 1),  # two rows: every cluster would be one row
        ([[0.0], [0.0], [0.0], [0.0]], 8, 1),  # all alike
        ([[0.0], [0.0], [1.0]], 8, 2),
        ([[0.0], [0.0], [1.0], [1.0], [1.0]], 8, 2),  # two different rows
        ([[0.0], [1.0], [5.0], [6.0]], 1, 1),
        ([[0.0], [1.0], [5.0], [6.0]], 2, 2),
        ([[3.0]], 8, 1),
    ],
)
def test_how_many_clusters_there_can_be(rows, most, n_clusters):
    found = cluster_rows(np.array(rows), most, random_state=0)
    assert len(found.centers) == len(found.bins) == n_clusters
    assert sorted(set(found.labels)) == list(range(n_clusters))
    assert np.isnan(found.silhouettes).all() == (n_clusters == 1)
    np.testing.assert_allclose(
        found.centers, [np.array(rows)[each].mean(axis=0) for each in found.rows()]
    )
