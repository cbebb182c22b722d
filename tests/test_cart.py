"""The estimators of single trees: what they keep, what they leave alone, what they answer."""

import numpy as np
import pandas as pd

from treelab import DecisionTreeClassifier, DecisionTreeRegressor


def table(seed=0, n=60):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] + 0.5 * X[:, 1] + 0.3 * rng.normal(size=n), rng.uniform(0.2, 2, n)


def test_a_pure_leaf_predicts_its_target_to_the_last_digit():
    X, y, w = table(n=300)
    for criterion in ("squared_error", "absolute_error"):
        model = DecisionTreeRegressor(criterion=criterion).fit(X, y, sample_weight=w)
        assert (model.predict(X) == y).all()
        assert (model.tree_.impurity[model.tree_.is_leaf] == 0).all()


def test_targets_far_from_zero_are_cut_like_those_near():
    """Their spread is 2**-50 of their size: the mean is subtracted before anything is added."""
    X, _, _ = table(n=64)
    y = np.random.default_rng(1).integers(0, 8, 64) * 2.0**-10
    near, far = (DecisionTreeRegressor().fit(X, y + shift).tree_ for shift in (0.0, 2.0**40))
    np.testing.assert_array_equal(near.feature, far.feature)
    np.testing.assert_array_equal(near.threshold, far.threshold)


def test_features_drawn_later_respect_the_size_of_leaves():
    """Column 0 is constant; the best cut of column 1 would set a single row apart."""
    X = np.column_stack([np.ones(8), np.arange(8.0)])
    y = np.array([9.0, 0, 0, 0, 0, 1, 0, 1])
    for seed in range(8):
        model = DecisionTreeRegressor(max_features=1, min_samples_leaf=3, random_state=seed)
        tree = model.fit(X, y).tree_
        assert tree.node_count > 1
        assert tree.n_node_samples.min() >= 3


def test_decision_path_lists_the_path_of_each_row():
    X, y, _ = table()
    model = DecisionTreeRegressor(max_depth=4).fit(X, y)
    for x, row in zip(X, model.decision_path(X).toarray()):
        assert np.flatnonzero(row).tolist() == model.tree_.path(x)


def test_pruning_path_is_that_of_the_unpruned_tree_and_changes_nothing():
    X, y, _ = table()
    grown = DecisionTreeRegressor().fit(X, y)
    pruned = DecisionTreeRegressor(ccp_alpha=0.05).fit(X, y)
    tree, leaves = pruned.tree_, pruned.get_n_leaves()
    assert 1 < leaves < grown.get_n_leaves()
    path = pruned.cost_complexity_pruning_path(X, y)
    np.testing.assert_array_equal(
        path.ccp_alphas, grown.cost_complexity_pruning_path(X, y).ccp_alphas
    )
    assert pruned.tree_ is tree
    assert pruned.ccp_alpha == 0.05


def test_with_tree_leaves_the_estimator_alone():
    X, y, _ = table()
    model = DecisionTreeRegressor().fit(X, y)
    tree = model.tree_
    stump = model.with_tree(tree.collapse(np.flatnonzero(tree.depth == 1)))
    assert stump.get_n_leaves() == 2
    assert model.tree_ is tree
    assert len(np.unique(stump.predict(X))) == 2


def test_text_and_frame_name_columns_levels_and_classes():
    X = pd.DataFrame({"size": [1.0, 2.0, 2.0], "color": pd.Categorical(["red", "blue", "red"])})
    model = DecisionTreeClassifier().fit(X, ["no", "yes", "no"])
    assert model.export_text() == (
        "|--- color in {red}\n|   |--- class: no\n|--- color in {blue}\n|   |--- class: yes\n"
    )
    assert model.to_frame()["rule"][2] == "color in {blue}"


def test_the_first_class_wins_a_tie_and_impossible_classes_have_log_minus_infinity():
    model = DecisionTreeClassifier().fit([[1], [1], [2]], ["b", "a", "c"])
    assert model.predict([[1], [2]]).tolist() == ["a", "c"]
    assert model.predict_proba([[1]]).tolist() == [[0.5, 0.5, 0.0]]
    with np.errstate(all="raise"):
        assert model.predict_log_proba([[2]]).tolist() == [[-np.inf, -np.inf, 0.0]]
