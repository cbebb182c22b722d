"""Node for node the trees of scikit-learn.

Where several cuts of a node are equally good, scikit-learn takes one at random and treelab the
first. So the strict comparisons run on data without ties, and `only_one_tree` makes sure of
that; on real data both trees are walked down together for as long as the best cut is unique.
The data are rounded to 32 bits, because scikit-learn does that to its input.
"""

import numpy as np
import pytest
from cases import each
from scikit_learn import (
    CLASSES,
    CLOSE,
    NUMBERS,
    REAL,
    STOPPING,
    assert_equal_until_tied,
    assert_equal_until_tied_in_weight,
    assert_same_tree,
    continuous,
    falling_use,
    float32,
    only_one_tree,
    pair,
)
from scipy.stats import chisquare
from sklearn.datasets import load_diabetes

from treelab import DecisionTreeRegressor


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


@pytest.mark.parametrize("parameters", STOPPING[:4], ids=str)
def test_absolute_error_without_weights(parameters):
    """Moving the row between two medians changes nothing: cuts of one feature may be tied."""
    X, y, _ = continuous(seed=1)
    ours, theirs = pair("absolute_error", **parameters)
    assert assert_equal_until_tied(ours.fit(X, y), theirs.fit(X, y), X) > 10


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


@each("weighted", [False, True])
@each("criterion", CLASSES + NUMBERS)
def test_one_feature_grown_to_purity(criterion, weighted):
    X, y, w = continuous(seed=3, n=150, p=1, n_classes=3 if criterion in CLASSES else None)
    w = w if weighted else None
    ours, theirs = pair(criterion)
    ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w)
    if weighted or criterion == "squared_error":
        assert_same_tree(ours, theirs)
    else:
        assert_equal_until_tied(ours, theirs, X)
    np.testing.assert_array_equal(ours.predict(X), y)


@each("max_depth", [3, None])
@each("criterion", CLASSES)
@each("name", REAL)
def test_real_classes(name, criterion, max_depth):
    X, y = REAL[name](return_X_y=True)
    ours, theirs = pair(criterion, max_depth=max_depth)
    ours.fit(float32(X), y), theirs.fit(X, y)
    assert assert_equal_until_tied(ours, theirs, float32(X)) >= 3
    if max_depth is None:
        np.testing.assert_array_equal(ours.predict(float32(X)), y)


@pytest.mark.parametrize("parameters", [{"max_depth": 4}, {"min_samples_leaf": 10}, {}], ids=str)
@pytest.mark.parametrize("criterion", NUMBERS)
def test_real_numbers(criterion, parameters):
    X, y = load_diabetes(return_X_y=True)
    ours, theirs = pair(criterion, **parameters)
    ours.fit(float32(X), y), theirs.fit(X, y)
    assert assert_equal_until_tied(ours, theirs, float32(X)) >= 20


@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
def test_features_with_few_values(criterion):
    """Many equal values, many ties."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 5, size=(200, 4)) / 4
    y = rng.integers(0, 3, size=200)
    w = rng.integers(0, 4, size=200).astype(float)  # zeros among them
    ours, theirs = pair(criterion)
    ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w)
    assert_equal_until_tied_in_weight(ours, theirs, X[w > 0])


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


def test_class_labels_of_any_kind():
    X, codes, w = continuous(seed=8, n_classes=3)
    for labels in (["low", "middle", "high"], [10, -3, 7], [True, False, True]):
        y = np.array(labels)[codes]
        ours, theirs = pair("gini", min_samples_leaf=6)
        ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w)
        assert_same_tree(ours, theirs)
        np.testing.assert_array_equal(ours.classes_, theirs.classes_)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize(
    ("max_features", "p", "n_tried"),
    [
        (None, 7, 7),
        (3, 7, 3),
        (0.5, 7, 3),
        (0.01, 7, 1),
        ("sqrt", 10, 3),
        ("log2", 10, 3),
        (1.0, 7, 7),
    ],
)
def test_number_of_features_tried(max_features, p, n_tried):
    """With features of falling use, the best of those tried is at most as bad as the draw.

    The root never tests one of the n_tried - 1 worst features, and sometimes the next worst.
    """
    X, y = falling_use(p)
    roots = [
        DecisionTreeRegressor(max_depth=1, max_features=max_features, random_state=seed)
        .fit(X, y)
        .tree_.feature[0]
        for seed in range(150)
    ]
    assert max(roots) == p - n_tried


def test_features_are_drawn_evenly():
    X, y = falling_use(5)
    for depth, n_nodes in ((1, 1), (3, 4)):  # in the root, and all over the tree
        counts = np.zeros(5)
        for seed in range(600):
            tree = (
                DecisionTreeRegressor(
                    max_depth=depth, max_features=1, random_state=seed, min_samples_leaf=2
                )
                .fit(X, y)
                .tree_
            )
            counts += np.bincount(tree.feature[~tree.is_leaf][:n_nodes], minlength=5)
        assert chisquare(counts).pvalue > 0.001


def test_draws_follow_the_random_state():
    X, y, _ = continuous(seed=10)
    grow = DecisionTreeRegressor(max_features=2, random_state=3).fit
    assert grow(X, y).tree_.equals(grow(X, y).tree_) is True
    first = grow(X, y).tree_
    other = DecisionTreeRegressor(max_features=2, random_state=4).fit(X, y).tree_
    assert not first.equals(other)
    state = np.random.RandomState(3)
    assert DecisionTreeRegressor(max_features=2, random_state=state).fit(X, y).tree_.node_count > 1


@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
def test_search_goes_on_past_constant_features(criterion):
    """Like scikit-learn, a node whose drawn features are constant draws another."""
    X, y, _ = continuous(seed=11, n=60, p=6, n_classes=2)
    X[:, 1:] = 1.0
    for seed in range(10):
        ours, theirs = pair(criterion, max_features=1)
        ours.set_params(random_state=seed).fit(X, y), theirs.set_params(random_state=seed).fit(X, y)
        np.testing.assert_array_equal(ours.predict(X), y)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
