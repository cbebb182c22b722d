"""FCBF: what it keeps."""

import gzip
import json

import numpy as np
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from places import DATA
from sklearn.datasets import load_breast_cancer
from weka import load

from treelab import filters as plain
from treelab.fast.selection import FCBFSelector, filter_table

ORACLE = json.loads(gzip.decompress((DATA / "selection" / "fcbf.json.gz").read_bytes()))["results"]


@each("threshold", ["0.0", "0.01", "0.05", "0.1"])
@each("name", ORACLE)
def test_the_paper_and_the_package_keep_the_same(name, threshold):
    expected = ORACLE[name]
    X, y, _ = load(f"weka_{name}.csv")
    fcbf = FCBFSelector(float(threshold)).fit(X, y)
    kept = [X.columns[j] for j in np.argsort(fcbf.ranking_) if fcbf.support_[j]]
    assert kept == expected["selected"][threshold]["paper"]
    assert kept == expected["selected"][threshold]["fcbf_package"]
    np.testing.assert_allclose(fcbf.relevance_, expected["su_class"], rtol=1e-12)


@settings(max_examples=50)
@given(
    st.integers(2, 12).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(st.integers(0, 2), min_size=n, max_size=n), min_size=1, max_size=7),
            st.lists(st.integers(0, 2), min_size=n, max_size=n),
        )
    ),
    st.sampled_from([0, 0.1, 0.5]),
)
def test_it_is_the_plain_one(data, threshold):
    columns, y = data
    y[0] = 3  # two classes at least
    fcbf = FCBFSelector(threshold, categorical_features="all").fit(np.array(columns).T, y)
    found = plain.fcbf(columns, y, threshold)
    assert [j for j in np.argsort(fcbf.ranking_) if fcbf.support_[j]] == found


def test_the_steps_end_in_what_is_kept():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    fcbf = FCBFSelector().fit(X, y)
    steps = fcbf.steps_table()
    removed = set(steps["feature"].where(steps["pass"] == 1, steps["other"])[steps["removed"]])
    assert set(fcbf.get_feature_names_out()) == set(X) - removed
    assert 0 < fcbf.n_features_ < X.shape[1]
    score = filter_table(X, y)["score"]
    np.testing.assert_array_equal(score, fcbf.relevance_)
    second = steps[steps["pass"] == 2]
    expected = second["uncertainty"] >= second["relevance"]
    np.testing.assert_array_equal(second["removed"], expected)
