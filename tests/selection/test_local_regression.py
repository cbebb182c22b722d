"""LPSC and LPUC by their words, as estimators of scikit-learn, and what they know in advance."""

import numpy as np
import pytest
from cases import assert_refused, each, refused
from sklearn.linear_model import LinearRegression

from treelab import (
    DecisionTreeClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.datasets import make_masked_sine
from treelab.fast.selection import LocalClusterRegressor

X, Y = make_masked_sine(400, n_noise=2, amplitude=5, random_state=0)
OLD, NEW = slice(0, 300), slice(300, 400)
FOREST = RandomForestRegressor(8, max_depth=5, max_features=1 / 3)
SORTER = RandomForestClassifier(8, max_depth=5)
SETTINGS = {"n_bins": 2, "max_clusters": 3, "random_state": 0}
WAYS = pytest.mark.parametrize("assign", ["classifier", "centroid"])


def fit(estimator=FOREST, rows=X[OLD], y=Y[OLD], classifier=SORTER, **parameters):
    model = LocalClusterRegressor(estimator, classifier=classifier, **SETTINGS | parameters)
    return model.fit(rows, y)


def test_new_rows_do_not_change_each_other():
    """A row is scaled by the training rows, whatever stands beside it."""
    model = fit(LinearRegression(), assign="centroid")
    alone = [model.predict(X[i : i + 1])[0] for i in range(300, 310)]
    np.testing.assert_allclose(model.predict(X[300:310] * 1.0), alone)
    np.testing.assert_allclose(model.scaler_.mean_, X[OLD].mean(axis=0))
    np.testing.assert_allclose(model.scaler_.var_, X[OLD].var(axis=0))


def test_the_defaults_are_those_of_the_source():
    rows, y = X[:80], Y[:80]
    model = LocalClusterRegressor(n_bins=2, max_clusters=2, random_state=0).fit(rows, y)
    for forest in model.regressors_:
        assert (forest.n_estimators, forest.max_depth, forest.max_features) == (100, 10, 1 / 3)
    sorter = model.classifier_
    assert (sorter.n_estimators, sorter.max_depth, sorter.max_features) == (100, 10, "sqrt")
    np.testing.assert_array_equal(
        model.predict(X[NEW]),
        fit(
            RandomForestRegressor(max_depth=10, max_features=1 / 3), rows, y,
            RandomForestClassifier(max_depth=10), max_clusters=2,
        ).predict(X[NEW]),
    )  # fmt: skip


@WAYS
def test_one_cluster_is_the_regressor_alone(assign):
    model = fit(LinearRegression(), n_bins=1, max_clusters=1, assign=assign)
    assert model.classifier_ is None
    assert set(model.predict_cluster(X)) == {0}
    np.testing.assert_allclose(
        model.predict(X[NEW]), LinearRegression().fit(X[OLD], Y[OLD]).predict(X[NEW])
    )


@WAYS
def test_clusters_of_one_row_or_one_target(assign):
    rows = np.array([[0.0], [0.1], [0.2], [9], [0.05], [0.15]])
    model = fit(rows=rows, y=[1.0, 2, 3, 4, 1, 2], n_bins=1, max_clusters=2, assign=assign,
                classifier=DecisionTreeClassifier())  # fmt: skip
    assert sorted(np.bincount(model.labels_)) == [1, 5]
    assert model.predict([[8.0]]) == [4.0]
    y = np.where(np.arange(6) < 3, 5.0, [0, 0, 0, 6, 7, 8])
    model = fit(rows=rows, y=y, max_clusters=1, assign=assign)
    assert model.predict_from(rows[:2], [0, 0]).tolist() == [5, 5]
    assert len(model.clusters_table()) == 2


def test_the_table_of_clusters():
    model = fit()
    table = model.clusters_table()
    assert list(table) == ["bin", "cluster", "n_rows", "low", "high", "silhouette"]
    for c, row in table.iterrows():
        y = Y[OLD][model.labels_ == c]
        assert (row["n_rows"], row["low"], row["high"]) == (len(y), y.min(), y.max())
    assert table["n_rows"].sum() == 300
    assert table.groupby("bin")["silhouette"].nunique().tolist() == [1, 1]
    assert model.centers_.shape == (len(table), 4)


@each("case", refused("local_regression"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
