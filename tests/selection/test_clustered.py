"""CBFS: by hand on the toy example, and at the edges; `test_plain_local.py` has the plain one."""

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from sklearn import ensemble as theirs
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler

from treelab import DecisionTreeRegressor, RandomForestRegressor
from treelab.datasets import make_masked_sine
from treelab.fast.importance import oob_permutation_importance
from treelab.fast.selection import clustered_importance, combined_importance_table, ranks_by_cluster
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


def test_the_other_order(found):
    other = find(combine="intersection")
    np.testing.assert_array_equal(other.importances, found.importances)
    worst = other.ranks.max(axis=1)
    assert other.worst_rank.tolist() == worst.tolist()
    keys = sorted(range(4), key=lambda j: (worst[j], -other.importances_mean[j]))
    assert [other.ranking[j] for j in keys] == [1, 2, 3, 4]


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


def test_sizes_weigh_the_mean():
    table = combined_importance_table([[0.9, 0.2], [0.1, 0.8]], [1, 3])
    assert table["importance"].tolist() == pytest.approx([0.375, 0.625])
    assert table["average"].tolist() == table["intersection"].tolist() == [2, 1]
    equal = combined_importance_table([[0.9, 0.2], [0.1, 0.8]])
    assert equal["importance"].tolist() == pytest.approx([0.55, 0.45])
    assert equal["average"].tolist() == [1, 2]


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


def test_one_bin_and_one_cluster_is_one_forest():
    found = find(n_bins=1, max_clusters=1)
    rng = np.random.RandomState(0)
    rng.randint(HIGHEST_SEED, size=1)
    (seed,) = rng.randint(HIGHEST_SEED, size=1)
    forest = seeded(FOREST, int(seed)).fit(StandardScaler().fit_transform(X), Y)
    np.testing.assert_allclose(found.importances[:, 0], forest.feature_importances_)
    assert found.worst_rank.tolist() == found.ranking.tolist() == found.ranks[:, 0].tolist()


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
    with pytest.raises(TypeError, match="importance='oob' needs a forest"):
        find(LinearRegression(), importance="oob")


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


def test_workers_seeds_and_units():
    one, two = (find(n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(one.importances, two.importances)
    assert one.clusters == two.clusters
    again = find(FOREST.set_params(random_state=0), random_state=None)
    np.testing.assert_array_equal(one.importances, again.importances)
    FOREST.set_params(random_state=None)
    bent = find(rows=X * [1024, 1 / 8, 4, 1] + [0, 0, 0, 1])  # scaling undoes it
    np.testing.assert_array_equal(one.labels, bent.labels)
    np.testing.assert_allclose(one.importances, bent.importances)
    assert not np.array_equal(find(random_state=1).importances, one.importances)


def test_equal_targets_may_stay_together():
    y = np.repeat([3.0, 5, 6], [60, 100, 80])
    apart, together = (find(y=y, max_clusters=1, ties=ties) for ties in ("apart", "together"))
    assert [each["high"] for each in apart.clusters] == [5, 6]
    assert [each["low"] for each in apart.clusters] == [3, 5]
    assert [(each["low"], each["high"]) for each in together.clusters] == [(3, 5), (6, 6)]


def test_progress(capsys):
    find(verbose=1)
    said = capsys.readouterr().err
    assert "bins" in said
    assert "clusters" in said


@each("case", refused("clustered"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
