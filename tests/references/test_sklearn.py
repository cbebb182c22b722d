"""Node for node the trees of scikit-learn.

Where several cuts of a node are equally good, scikit-learn takes one at random and treelab the
first. So the strict comparisons run on data without ties, and `only_one_tree` makes sure of
that; on real data both trees are walked down together for as long as the best cut is unique.
The data are rounded to 32 bits, because scikit-learn does that to its input.
"""

import numpy as np
import pytest
from scipy.stats import chisquare
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from treelab import DecisionTreeClassifier, DecisionTreeRegressor

CLASSES, NUMBERS = ("gini", "entropy"), ("squared_error", "absolute_error")
CLOSE = {"rtol": 1e-9, "atol": 1e-12}


def float32(X):
    return np.asarray(X, dtype=np.float32).astype(float)


def continuous(seed, n=300, p=5, n_classes=None):
    """Features without repeated values; a number, or classes, that depend on three of them.

    Classes are noisy, so that no two features tell the rows of a node apart without error: such
    cuts would be equally good.
    """
    rng = np.random.default_rng(seed)
    X = float32(rng.normal(size=(n, p)))
    score = X[:, 0] + np.sin(2 * X[:, p // 2]) * X[:, -1] + rng.normal(size=n)
    y = score if n_classes is None else np.digitize(score, [-0.7, 0.6][: n_classes - 1])
    if n_classes is not None:
        noisy = rng.random(n) < 0.3
        y[noisy] = rng.integers(0, n_classes, size=noisy.sum())
    return X, y, rng.integers(32, 512, size=n) / 64  # sums of these weights are exact


def pair(criterion, **parameters):
    """treelab's estimator and scikit-learn's."""
    ours, theirs = (
        (DecisionTreeClassifier, TheirClassifier)
        if criterion in CLASSES
        else (DecisionTreeRegressor, TheirRegressor)
    )
    return (
        ours(criterion=criterion, **parameters),
        theirs(criterion=criterion, random_state=0, **parameters),
    )


def only_one_tree(theirs, X, y, w):
    """True if scikit-learn finds the same tests in whatever order it looks at the features."""
    fits = [theirs.set_params(random_state=seed).fit(X, y, w).tree_ for seed in range(8)]
    return all(
        np.array_equal(fit.feature, fits[0].feature)
        and np.array_equal(fit.threshold, fits[0].threshold)
        for fit in fits
    )


def assert_same_tree(ours, theirs):
    """All arrays of the two fitted trees are equal."""
    a, b = ours.tree_, theirs.tree_
    np.testing.assert_array_equal(a.children_left, b.children_left)
    np.testing.assert_array_equal(a.children_right, b.children_right)
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_allclose(a.threshold, b.threshold, rtol=1e-12)
    np.testing.assert_array_equal(a.n_node_samples, b.n_node_samples)
    np.testing.assert_allclose(a.weighted_n_node_samples, b.weighted_n_node_samples, **CLOSE)
    np.testing.assert_allclose(a.value, b.value, **CLOSE)
    np.testing.assert_allclose(a.impurity, b.impurity, rtol=1e-9, atol=1e-10)


# One feature and all-different values leave no tie between features, so trees may grow to purity.
# Several features are safe as long as the leaves are large or the weights are real numbers.
STOPPING = [
    {"max_depth": 4, "min_samples_leaf": 5},
    {"min_samples_leaf": 7},
    {"min_samples_split": 40, "min_samples_leaf": 4},
    {"max_depth": 6, "min_impurity_decrease": 0.01, "min_samples_leaf": 5},
    {"min_samples_leaf": 6, "ccp_alpha": 0.01},
]


@pytest.mark.parametrize("parameters", STOPPING, ids=str)
@pytest.mark.parametrize(
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


@pytest.mark.parametrize("parameters", STOPPING, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", CLASSES)
def test_classification_tree(criterion, n_classes, parameters):
    """Real weights, so that two cuts with equal counts still differ."""
    X, y, w = continuous(seed=2, n_classes=n_classes)
    ours, theirs = pair(criterion, **parameters)
    assert only_one_tree(theirs, X, y, w)
    assert_same_tree(ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w))
    assert ours.get_n_leaves() > 4


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
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


def rows_of(tree, leaf, t):
    """Rows in node t, from the leaf of each row; nodes are numbered in preorder."""
    last = t
    while tree.children_right[last] != -1:
        last = tree.children_right[last]
    return (leaf >= t) & (leaf <= last)


def gain_of(tree, t):
    """Decrease of the total impurity of node t by its split, as a share of it."""
    R = np.asarray(tree.weighted_n_node_samples) * np.asarray(tree.impurity)
    return (R[t] - R[tree.children_left[t]] - R[tree.children_right[t]]) / R[t]


def assert_equal_until_tied(ours, theirs, X):
    """Walk down both trees; where they part, the two cuts must be equally good.

    Returns the number of nodes that were compared.
    """
    a, b = ours.tree_, theirs.tree_
    leaf_a, leaf_b = ours.apply(X), theirs.apply(X)
    waiting, n_compared = [(0, 0)], 0
    while waiting:
        s, t = waiting.pop()
        n_compared += 1
        np.testing.assert_array_equal(rows_of(a, leaf_a, s), rows_of(b, leaf_b, t))
        np.testing.assert_allclose(a.impurity[s], b.impurity[t], rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(a.value[s], b.value[t], **CLOSE)
        np.testing.assert_allclose(
            a.weighted_n_node_samples[s], b.weighted_n_node_samples[t], **CLOSE
        )
        assert (a.children_left[s] == -1) == (b.children_left[t] == -1)
        if a.children_left[s] == -1:
            continue
        np.testing.assert_allclose(gain_of(a, s), gain_of(b, t), rtol=1e-8, atol=1e-10)
        mine, other = rows_of(a, leaf_a, a.children_left[s]), rows_of(b, leaf_b, b.children_left[t])
        if np.array_equal(mine, other):
            waiting.append((a.children_left[s], b.children_left[t]))
            waiting.append((a.children_right[s], b.children_right[t]))
    return n_compared


REAL = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
REAL_NUMBERS = {"diabetes": load_diabetes}


@pytest.mark.parametrize("max_depth", [3, None])
@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("name", REAL)
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


def assert_equal_until_tied_in_weight(ours, theirs, X):
    """As above for the rows that count; the others have no say and may sit anywhere."""
    assert assert_equal_until_tied(ours, theirs, X) >= 3


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
        for seed in range(400)
    ]
    assert max(roots) == p - n_tried


def falling_use(p, n=60):
    """Features of which each explains less of y than the one before."""
    rng = np.random.default_rng(9)
    y = np.arange(n) % 2 + 0.0
    X = np.column_stack([y + rng.normal(scale=0.4 * 1.5**j, size=n) for j in range(p)])
    gains = [
        gain_of(DecisionTreeRegressor(max_depth=1).fit(X[:, [j]], y).tree_, 0) for j in range(p)
    ]
    return X[:, np.argsort(gains)[::-1]], y


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
