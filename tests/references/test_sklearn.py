"""Node for node the trees of scikit-learn.

Where several cuts of a node are equally good, scikit-learn takes one at random and treelab the
first. So these comparisons run on data without ties, and `only_one_tree` makes sure of that; the
page of conformance compares real data, for as long as the best cut is unique. The data are rounded
to 32 bits, because scikit-learn does that to its input.
"""

import numpy as np
import pytest
from cases import each
from scikit_learn import (
    CLASSES,
    CLOSE,
    NUMBERS,
    STOPPING,
    assert_same_tree,
    continuous,
    only_one_tree,
    pair,
)


@each("parameters", STOPPING, ids=str)
@each(
    ("criterion", "weighted"),
    [("squared_error", False), ("squared_error", True), ("absolute_error", True)],
)
def test_regression_tree(criterion, weighted, parameters):
    X, y, w = continuous(seed=1)
    w = w if weighted else None
    ours, theirs = pair(criterion, **parameters)
    assert only_one_tree(theirs, X, y, w)
    assert_same_tree(ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w))
    assert ours.get_n_leaves() == theirs.get_n_leaves() > 4
    assert ours.get_depth() == theirs.get_depth()


@each("parameters", STOPPING, ids=str)
@each("n_classes", [2, 3])
@each("criterion", CLASSES)
def test_classification_tree(criterion, n_classes, parameters):
    """Real weights, so that two cuts with equal counts still differ."""
    X, y, w = continuous(seed=2, n_classes=n_classes)
    ours, theirs = pair(criterion, **parameters)
    assert only_one_tree(theirs, X, y, w)
    assert_same_tree(ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w))
    assert ours.get_n_leaves() > 4


@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
def test_answers(criterion):
    """Everything that can be asked of the fitted estimators."""
    X, y, w = continuous(seed=5, n_classes=3 if criterion in CLASSES else None)
    new, _, _ = continuous(seed=6, n=1000)
    ours, theirs = pair(criterion, min_samples_leaf=5)
    assert only_one_tree(theirs, X, y, w)
    ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), **CLOSE)
    np.testing.assert_array_equal(ours.apply(new), theirs.apply(new))
    np.testing.assert_allclose(
        ours.feature_importances_, theirs.feature_importances_, rtol=1e-7, atol=1e-10
    )
    mine, other = ours.decision_path(new), theirs.decision_path(new)
    assert mine.shape == other.shape
    assert (mine != other).nnz == 0
    assert ours.score(new, theirs.predict(new)) == 1
    assert ours.n_features_in_ == theirs.n_features_in_
    if criterion in CLASSES:
        np.testing.assert_array_equal(ours.classes_, theirs.classes_)
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), **CLOSE)
        with np.errstate(divide="ignore"):
            log_proba = theirs.predict_log_proba(new)
        np.testing.assert_allclose(ours.predict_log_proba(new), log_proba, **CLOSE)


@pytest.mark.parametrize(
    ("criterion", "weighted"),
    [("squared_error", False), *((criterion, True) for criterion in CLASSES + NUMBERS)],
)
def test_pruning_path(criterion, weighted):
    X, y, w = continuous(seed=7, n_classes=3 if criterion in CLASSES else None)
    w = w if weighted else None
    ours, theirs = pair(criterion, min_samples_leaf=5)
    assert only_one_tree(theirs, X, y, w)
    mine = ours.cost_complexity_pruning_path(X, y, sample_weight=w)
    other = theirs.cost_complexity_pruning_path(X, y, sample_weight=w)
    keep = np.append(np.diff(other.ccp_alphas) > 1e-12, True)  # theirs lists a tied step twice
    np.testing.assert_allclose(mine.ccp_alphas, other.ccp_alphas[keep], rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(mine.impurities, other.impurities[keep], rtol=1e-7, atol=1e-12)
    for low, high in zip(mine.ccp_alphas[:-1:3], mine.ccp_alphas[1::3], strict=False):
        halfway = (low + high) / 2
        a = ours.set_params(ccp_alpha=halfway).fit(X, y, sample_weight=w)
        b = theirs.set_params(ccp_alpha=halfway, random_state=0).fit(X, y, sample_weight=w)
        assert_same_tree(a, b)
