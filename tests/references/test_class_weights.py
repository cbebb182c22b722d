"""Class weights, fractions of the rows and the name log_loss: the trees are scikit-learn's."""

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from cases import each
from scikit_learn import CLOSE, assert_equal_until_tied, assert_same_tree, continuous
from sklearn.utils.class_weight import compute_sample_weight

import treelab

X, Y, W = continuous(seed=2, n_classes=3)
NAMES = np.array(["few", "many", "some"])
WEIGHTS = [None, "balanced", {"few": 4, "some": 0.5}, {"few": 3, "many": 0, "some": 1}]
FRACTIONS = [
    {"min_samples_leaf": 0.021},
    {"min_samples_split": 0.1, "min_samples_leaf": 3},
    {"min_samples_split": 1.0},
    {"min_samples_split": 1e-9, "min_samples_leaf": 0.499},
]


def trees(**settings):
    """A tree of treelab and one of scikit-learn; leaves of some rows leave no ties."""
    settings = {"min_samples_leaf": 5} | settings
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **settings)
    return treelab.DecisionTreeClassifier(**settings), theirs


@each("class_weight", WEIGHTS, ids=str)
@each("weight", [None, W], ids=["equal", "weights"])
def test_trees_with_class_weights(class_weight, weight):
    ours, theirs = trees(class_weight=class_weight)
    ours.fit(X, NAMES[Y], weight), theirs.fit(X, NAMES[Y], weight)
    assert assert_equal_until_tied(ours, theirs, X) > 30
    if weight is not None:  # without weights, splits with the same counts are tied
        assert_same_tree(ours, theirs)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), **CLOSE)


@each("settings", FRACTIONS, ids=str)
@each("criterion", ["gini", "log_loss"])
def test_trees_with_fractions_of_the_rows(settings, criterion):
    ours, theirs = trees(criterion=criterion, **settings)
    assert_same_tree(ours.fit(X, Y, W), theirs.fit(X, Y, W))


def test_log_loss_is_another_name_of_entropy():
    first, second = (trees(criterion=name)[0].fit(X, Y) for name in ("log_loss", "entropy"))
    assert_same_tree(first, second)
    assert first.tree_.criterion == second.tree_.criterion == "entropy"


@each("settings", FRACTIONS, ids=str)
def test_boosting_with_fractions_of_the_rows(settings):
    settings = {"n_estimators": 5, "max_depth": 2, "random_state": 0} | settings
    ours = treelab.GradientBoostingClassifier(**settings).fit(X, Y, W)
    theirs = sklearn.ensemble.GradientBoostingClassifier(**settings).fit(X, Y, W)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-9)


def forest(class_weight, **settings):
    settings = {"max_features": None, "min_samples_leaf": 5, "random_state": 0} | settings
    return treelab.RandomForestClassifier(8, class_weight=class_weight, **settings)


@each(
    ("class_weight", "bootstrap"),
    [("balanced", True), (WEIGHTS[2], False), ("balanced_subsample", True)],
)
def test_each_tree_of_a_forest_with_class_weights(class_weight, bootstrap):
    """The tree that scikit-learn grows with the weights that its forests give such a sample."""
    y = NAMES[Y]
    model = forest(class_weight, bootstrap=bootstrap, min_samples_leaf=0.02).fit(X, y, W)
    for ours, sample in zip(model.estimators_, model.estimators_samples_, strict=True):
        weight = W * (np.bincount(sample, minlength=len(y)) if bootstrap else 1)
        if class_weight == "balanced_subsample":
            weight = weight * compute_sample_weight("balanced", y, indices=sample)
        else:
            weight = weight * compute_sample_weight(class_weight, y)
        theirs = sklearn.tree.DecisionTreeClassifier(min_samples_leaf=6).fit(X, y, weight)
        assert assert_equal_until_tied(ours, theirs, X) > 30
        assert ours.class_weight is None


def test_a_forest_that_lacks_a_class_in_some_samples():
    y = np.where(np.arange(len(Y)) == 7, "rare", "common")
    model = forest("balanced_subsample").fit(X, y)
    assert any(7 not in sample for sample in model.estimators_samples_)
    assert model.predict_proba(X).shape == (len(y), 2)


def test_adaboost_of_trees_with_class_weights_is_scikit_learns():
    fits = []
    for ensemble, tree in ((treelab, treelab), (sklearn.ensemble, sklearn.tree)):
        stump = tree.DecisionTreeClassifier(max_depth=2, class_weight="balanced")
        fits.append(ensemble.AdaBoostClassifier(stump, n_estimators=6, random_state=0).fit(X, Y))
    ours, theirs = (fit.decision_function(X) for fit in fits)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


KINDS = [treelab.DecisionTreeClassifier, treelab.RandomForestClassifier]


@each("setting, low, high", [("min_samples_split", 0.0, 1.1), ("min_samples_leaf", 0.0, 1.0)])
@each("kind", [*KINDS, treelab.GradientBoostingRegressor])
def test_fractions_that_are_none_are_refused(kind, setting, low, high):
    for wrong in (low, high, -0.5, 2.0, np.nan, np.inf):
        with pytest.raises((ValueError, TypeError), match=setting):
            kind(**{setting: wrong}).fit(X, Y)
