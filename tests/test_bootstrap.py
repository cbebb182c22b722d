"""The bootstrap: exact distributions on a few numbers, error estimates beside the plain ones."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from cases import each
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from treelab import DecisionTreeClassifier
from treelab.fast.bootstrap import (
    bootstrap,
    bootstrap_error,
    bootstrap_error_table,
    distinct_cases,
)

# --- replicates --------------------------------------------------------------------------


def test_the_moments_are_those_of_the_replicates():
    result = bootstrap(np.median, [1.0, 2.0, 4.0, 8.0, 9.0], n_resamples=200, random_state=3)
    r = result.replicates
    assert r.shape == (200,)
    assert result.estimate == 4.0
    mean = sum(r) / 200
    assert result.mean == pytest.approx(mean)
    assert result.bias == pytest.approx(mean - 4.0)
    assert result.variance == pytest.approx(sum((r - mean) ** 2) / 199)
    assert result.standard_error == pytest.approx(np.sqrt(sum((r - mean) ** 2) / 199))
    low, high = result.interval(0.8)
    assert (low, high) == (np.quantile(r, 0.1), np.quantile(r, 0.9))
    assert result.interval() == tuple(np.quantile(r, [0.025, 0.975]))


@each("level", [0.5, 0.95])
@each("method", ["percentile", "basic"])
def test_intervals_are_those_of_scipy_from_the_same_replicates(method, level):
    data = np.random.default_rng(1).exponential(size=30)
    result = bootstrap(np.median, data, n_resamples=300, random_state=0)
    given = SimpleNamespace(bootstrap_distribution=result.replicates)
    how = {"n_resamples": 0, "bootstrap_result": given, "method": method}
    theirs = stats.bootstrap((data,), np.median, confidence_level=level, **how)
    found = result.interval(level, method=method)
    np.testing.assert_allclose(found, theirs.confidence_interval)


def test_arrays_are_drawn_together():
    a = np.arange(30.0)
    result = bootstrap(
        lambda x, y, z: [np.max(np.abs(y - x**2)), np.all(z[:, 1] == -x)],
        a,
        a**2,
        np.column_stack([a, -a]),
        n_resamples=20,
        random_state=0,
    )
    assert result.replicates.shape == (20, 2)
    assert result.replicates[:, 0].max() == 0
    assert result.replicates[:, 1].all()


def test_a_statistic_may_be_an_array():
    X = np.random.default_rng(1).normal(size=(25, 3))
    result = bootstrap(lambda X: X.mean(axis=0), X, n_resamples=50, random_state=0)
    columns = [bootstrap(np.mean, X[:, j], n_resamples=50, random_state=0) for j in range(3)]
    for j, column in enumerate(columns):
        np.testing.assert_allclose(result.replicates[:, j], column.replicates)
        np.testing.assert_allclose([end[j] for end in result.interval()], column.interval())
    np.testing.assert_allclose(result.bias, [column.bias for column in columns])


def test_frames_lists_and_arrays_give_the_same_replicates():
    frame = pd.DataFrame({"x": [3.0, 1, 2], "level": ["a", "b", "b"]}, index=[7, 8, 9])
    kinds = []

    def mean_of_b(rows):
        kinds.append(type(rows))
        return rows.loc[rows["level"] == "b", "x"].sum()

    from_frame = bootstrap(mean_of_b, frame, n_resamples=30, random_state=5)
    from_list = bootstrap(
        lambda x, level: np.sum(np.where(level == "b", x, 0)),
        [3.0, 1, 2],
        ["a", "b", "b"],
        n_resamples=30,
        random_state=5,
    )
    assert set(kinds) == {pd.DataFrame}
    np.testing.assert_array_equal(from_frame.replicates, from_list.replicates)
    series = bootstrap(np.mean, frame["x"], n_resamples=30, random_state=5)
    generator = np.random.RandomState(5)
    array = bootstrap(np.mean, [3.0, 1, 2], n_resamples=30, random_state=generator)
    np.testing.assert_array_equal(series.replicates, array.replicates)
    assert frame["x"].tolist() == [3, 1, 2]


# --- distinct cases ----------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_distinct_cases_by_enumeration(n):
    counts = np.array([len(set(sample)) for sample in product(range(n), repeat=n)])
    np.testing.assert_allclose(distinct_cases(n), [counts.mean(), counts.var()], atol=1e-12)


def test_distinct_cases_of_many():
    for n in (10**6, 10**8):  # the difference of two chances that nearly agree
        mean, variance = distinct_cases(n)
        assert mean / n == pytest.approx(1 - np.exp(-1), abs=1e-6)
        assert variance / n == pytest.approx(np.exp(-1) - 2 * np.exp(-2), abs=1e-6)  # 0.0972


# --- error estimates ---------------------------------------------------------------------


IRIS, SPECIES = load_iris(return_X_y=True)


def test_default_method_is_the_last_one():
    tree = DecisionTreeClassifier()
    table = bootstrap_error_table(tree, IRIS, SPECIES, n_resamples=5, random_state=0)
    found = bootstrap_error(tree, IRIS, SPECIES, n_resamples=5, random_state=0)
    assert found == table.loc[".632+", "error"]


def test_labels_may_be_text_and_rows_a_frame():
    names = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
    frame = pd.DataFrame(IRIS, columns=list("abcd"))
    tree = DecisionTreeClassifier(max_depth=2)
    tables = [
        bootstrap_error_table(tree, X, y, n_resamples=5, random_state=2)
        for X, y in ((IRIS, SPECIES), (frame, names), (frame, pd.Series(names, index=frame.index)))
    ]
    for table in tables[1:]:
        pd.testing.assert_frame_equal(table, tables[0])
    assert not hasattr(tree, "tree_")  # the estimator itself is left alone


def test_a_case_in_every_sample_is_skipped():
    """Of two cases a sample holds one or both; the model says the class that it has drawn."""
    X, y = np.zeros((2, 1)), np.array([0, 1])
    model = DummyClassifier(strategy="most_frequent")
    skipped = 0
    for seed in range(20):
        rng = np.random.RandomState(seed)
        rows = rng.randint(2, size=2)
        if rows[0] != rows[1]:
            with pytest.raises(ValueError, match="every observation is in each of the 1 samples"):
                bootstrap_error(model, X, y, n_resamples=1, random_state=seed)
            skipped += 1
            continue
        table = bootstrap_error_table(model, X, y, n_resamples=1, random_state=seed)
        assert table.loc["loo"].tolist() == [1.0, 1]  # the other case, always wrong
        assert table.loc["naive"].tolist() == [0.5, 2]
    assert 0 < skipped < 20
