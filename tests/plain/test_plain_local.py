"""The plain clusters, importances and bins beside the fast ones, on the same data and draws."""

import numpy as np
import pytest
from cases import each
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor
from test_plain_ensembles import draws_of_tree

import treelab
from treelab import RandomForestClassifier, cart, impurity, local
from treelab.datasets import make_masked_sine
from treelab.fast.selection import (
    FilterSelector,
    LocalClusterRegressor,
    LocalImportanceSelector,
    cluster_rows,
    clustered_importance,
    combined_importance_table,
    response_bins,
)

X, Y = make_masked_sine(90, n_noise=2, amplitude=5, random_state=0)


@pytest.mark.parametrize("seed", range(5))
def test_bins_and_scales(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 6, 23).tolist()
    for M in (1, 2, 5, 23):
        assert local.bins(y, M) == [rows.tolist() for rows in response_bins(y, M)]
    Z = np.column_stack([rng.normal(size=(23, 2)), np.ones(23)])
    np.testing.assert_allclose(local.scaled(Z.tolist()), StandardScaler().fit_transform(Z))


@pytest.mark.parametrize("seed", range(5))
def test_k_means_and_silhouettes(seed):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(40, 2)) + rng.integers(0, 3, (40, 1))
    for k in (2, 3, 5):
        start = Z[rng.choice(40, k, replace=False)]
        fast = KMeans(k, init=start, n_init=1, tol=0, max_iter=1000).fit(Z)
        labels = local.k_means(Z.tolist(), start.tolist())
        assert labels == fast.labels_.tolist()
        assert local.silhouette(Z.tolist(), labels) == pytest.approx(silhouette_score(Z, labels))
    assert local.silhouette([[0], [0], [4]], [0, 0, 1]) == pytest.approx(2 / 3)


SEEDS = dict(zip((45, 44), np.random.RandomState(0).randint(2**31 - 1, size=2), strict=True))


def cluster(Z):
    """As the fast one: the labels of the k-means with the largest silhouette."""
    means = [KMeans(k, n_init=10, random_state=SEEDS[len(Z)]).fit(Z) for k in (2, 3, 4)]
    tried = [local.k_means(Z, each.cluster_centers_.tolist()) for each in means]
    return max(tried, key=lambda labels: local.silhouette(Z, labels))


def test_cbfs_and_lpuc():
    """89 rows, so that the two bins differ in size."""
    rows, y, M = X[:89], Y[:89], 2
    tree = DecisionTreeRegressor(max_depth=3, random_state=0)
    settings = {"n_bins": M, "max_clusters": 4, "random_state": 0}
    fast = clustered_importance(tree, rows, y, **settings)
    model = LocalClusterRegressor(tree, assign="centroid", **settings).fit(rows, y)

    def importances(Z, y):
        if len(set(y)) == 1:
            return [0.0] * 4
        return fitted(model, Z).feature_importances_.tolist()

    found, groups = local.clustered(rows.tolist(), y.tolist(), M, cluster, importances)
    assert [sorted(group) for group in groups] == [
        np.flatnonzero(fast.labels == c).tolist() for c in range(len(groups))
    ]
    np.testing.assert_allclose(np.transpose(found), fast.importances)
    sizes = [len(group) for group in groups]
    np.testing.assert_allclose(local.average(found, sizes), fast.importances_mean)
    order = local.intersection(found, sizes)
    other = clustered_importance(tree, rows, y, combine="intersection", **settings)
    assert [other.ranking[j] for j in order] == [1, 2, 3, 4]

    Z = model.scaler_.transform(X)
    where = [local.nearest(z, model.centers_.tolist()) for z in Z.tolist()]
    assert where == model.predict_cluster(X).tolist()
    for c, group in enumerate(groups):
        mean = np.mean([local.scaled(rows.tolist())[i] for i in group], axis=0)
        np.testing.assert_allclose(model.centers_[c], mean, atol=1e-12)


def fitted(model, Z):
    """The regressor of the cluster to which the rows belong."""
    return model.regressors_[local.nearest(np.mean(Z, axis=0).tolist(), model.centers_.tolist())]


@each("seed", range(20))
def test_both_ways_together(seed):
    rng = np.random.default_rng(seed)
    found = rng.integers(0, 4, (3, 5)) / 4 * (rng.random((3, 1)) < 0.8)
    sizes = rng.integers(1, 9, 3).tolist()
    table = combined_importance_table(found.T, sizes)
    np.testing.assert_allclose(local.average(found.tolist(), sizes), table["importance"])
    order = local.intersection(found.tolist(), sizes)
    assert [table["intersection"][j] for j in order] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("L", [1, 3, 5])
def test_lafi(L):
    selector = FilterSelector("f", number=2)
    fast = LocalImportanceSelector(selector, n_levels=L, min_samples_bin=1).fit(X, Y)

    def choose(rows):
        return np.flatnonzero(selector.fit(X[rows], Y[rows]).get_support()).tolist()

    np.testing.assert_allclose(local.local_importance(Y.tolist(), 4, choose, L), fast.importances_)


def test_what_is_halved_to_the_end():
    seen = []
    local.local_importance([3, 1, 2], 1, lambda rows: seen.append(rows) or [], 4)
    assert seen[:3] == [[1, 2, 0], [1, 2], [0]]
    assert sorted(seen[3:]) == [[0], [0], [1], [1], [2], [2]]
    assert cluster_rows(np.array([[0.0], [1]])).labels.tolist() == [0, 0]


# --- LPSC ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n_rows", [89, 90])
def test_the_cluster_of_a_new_row_is_that_of_the_classifier(n_rows):
    """The same regressor in each cluster, and a forest with the same draws."""
    rows, y = X[:n_rows], Y[:n_rows]
    forest = RandomForestClassifier(8, max_features=2, max_depth=3)
    tree = treelab.DecisionTreeRegressor(max_depth=2)
    settings = {"n_bins": 2, "max_clusters": 4, "random_state": 0}
    fast = LocalClusterRegressor(tree, classifier=forest, **settings).fit(rows, y)
    seed = np.random.RandomState(fast.classifier_.random_state).randint(2**31 - 1)
    draws = zip(*(draws_of_tree(seed, b, n_rows, 4) for b in range(8)))
    guess = []

    def assign(Z, labels):
        assert labels == fast.labels_.tolist()
        guess.append(local.by_forest(Z, labels, *draws, 2, max_depth=3))
        return guess[0]

    def fit(Z, y):
        grown = cart.grow(Z, y, impurity=impurity.squared_error, max_depth=2)
        return lambda z: cart.predict(grown, z)

    predict = local.local_regression(rows.tolist(), y.tolist(), 2, cluster, fit, assign)
    new = X + np.random.default_rng(1).normal(size=X.shape)
    scale = local.scaler(rows.tolist())
    assert [guess[0](scale(x)) for x in new.tolist()] == fast.predict_cluster(new).tolist()
    np.testing.assert_allclose([predict(x) for x in new.tolist()], fast.predict(new))
    assert len(set(fast.predict_cluster(new))) > 2


def test_one_cluster_has_one_answer():
    rows, y = [[1.0, 3], [2, 3], [4, 3]], [5.0, 5, 5]
    samples, features = [[0, 1, 2]] * 2, [lambda: [0, 1]] * 2

    def assign(Z, labels):
        return local.by_forest(Z, labels, samples, features, 1)

    def fit(Z, y):
        return lambda z: np.mean(y)

    for how in (local.by_center, assign):
        predict = local.local_regression(rows, y, 1, lambda Z: [0] * 3, fit, how)
        assert predict([9, 9]) == 5
    fast = LocalClusterRegressor(n_bins=1, max_clusters=1).fit(rows, y)
    assert fast.predict([[9, 9]]) == 5
