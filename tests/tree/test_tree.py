"""A tree as a table of nodes: walking down it, cutting it back, copying it."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from treelab import DecisionTreeRegressor
from treelab.fast.tree import LEAF, UNDEFINED, side_by_side


def grown(n=80, seed=0, **limits):
    """A tree with numeric tests and tests of a category with five levels, and its rows."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 5, n), rng.normal(size=(n, 2))]).astype(float)
    y = X[:, 0] * 7 % 3 + X[:, 1] + 0.1 * rng.normal(size=n)
    model = DecisionTreeRegressor(categorical_features=[0], **limits).fit(X, y)
    return model.tree_, X


def below(tree, t):
    """Nodes under t, itself included, by walking."""
    if tree.children_left[t] == LEAF:
        return [t]
    sides = tree.children_left[t], tree.children_right[t]
    return [t, *(node for side in sides for node in below(tree, int(side)))]


def test_apply_follows_the_path_of_each_row():
    tree, X = grown()
    assert np.isnan(tree.threshold).any()
    assert (tree.threshold[~np.isnan(tree.threshold)] != UNDEFINED).any()
    leaf = tree.apply(X)
    for x, t in zip(X, leaf):
        path = tree.path(x)
        assert path[0] == 0
        assert path[-1] == t
        assert tree.is_leaf[t]
        assert [int(tree.parent[node]) for node in path[1:]] == path[:-1]
    np.testing.assert_array_equal(tree.predict(X), tree.value[leaf, 0])


def test_a_value_on_the_threshold_goes_left():
    tree = DecisionTreeRegressor().fit([[1], [3]], [0.0, 1.0]).tree_
    assert tree.threshold[0] == 2
    assert tree.apply(np.array([[2.0], [np.nextafter(2, 3)]])).tolist() == [1, 2]
    assert tree.path([2.0]) == [0, 1]


def test_rows_walk_down_several_trees_that_stand_side_by_side():
    """Any rows, one of them twice, each in its own tree; one tree is a leaf."""
    trees = [grown(seed=s, max_depth=depth)[0] for s, depth in ((0, None), (1, 2), (2, None))]
    trees.insert(1, trees[0].collapse([0]))
    X = grown(seed=3)[1]
    forest, roots = side_by_side(trees)
    assert roots.tolist() == np.cumsum([0] + [tree.node_count for tree in trees])[:-1].tolist()
    who, tree = np.array([5, 0, 5, 7, 79, 5, 3]), np.array([0, 0, 1, 3, 2, 3, 1])
    found = forest.descend(X, roots[tree], who)
    expected = [roots[t] + trees[t].apply(X)[row] for row, t in zip(who, tree)]
    assert found.tolist() == expected
    values = [trees[t].predict(X)[row] for row, t in zip(who, tree)]
    np.testing.assert_array_equal(forest.value[found, 0], values)


def test_shape_of_the_tree_by_walking():
    tree, _ = grown()
    amounts = np.random.default_rng(1).uniform(size=tree.node_count)
    leaves, nodes = tree.subtree_sum(amounts), tree.subtree_sum(amounts, leaves_only=False)
    for t in range(tree.node_count):
        run = below(tree, t)
        assert run == list(range(t, t + tree.size[t]))
        np.testing.assert_allclose(nodes[t], amounts[run].sum())
        np.testing.assert_allclose(leaves[t], amounts[run][tree.is_leaf[run]].sum())
        up = tree.parent[t]
        assert tree.depth[t] == (0 if up < 0 else tree.depth[up] + 1)
    assert tree.max_depth == tree.depth.max()
    assert tree.n_leaves * 2 - 1 == tree.node_count


def test_collapsed_nodes_are_leaves_and_the_others_are_as_before():
    tree, X = grown()
    for nodes in ([], [0], [1], [5, 9], [1, 2, 3], np.flatnonzero(tree.depth == 2)):
        small = tree.collapse(nodes)
        gone = {b for t in nodes for b in below(tree, int(t)) if b != t}
        kept = [t for t in range(tree.node_count) if t not in gone]
        assert small.node_count == len(kept)
        for name in ("value", "impurity", "n_node_samples", "weighted_n_node_samples"):
            np.testing.assert_array_equal(getattr(small, name), getattr(tree, name)[kept])
        for x, leaf in zip(X, small.apply(X)):
            path = tree.path(x)
            stop = next((i for i, t in enumerate(path) if t in nodes), len(path) - 1)
            assert kept[leaf] == path[stop]
        leaf = small.is_leaf
        assert (small.feature[leaf] == UNDEFINED).all()
        assert (small.threshold[leaf] == UNDEFINED).all()
        assert (small.children_right[leaf] == LEAF).all()
        assert not small.left_levels[leaf].any()
    assert tree.collapse([]).equals(tree)


def test_nobody_edits_a_tree_nor_a_copy_of_it():
    tree, X = grown()
    leaf = tree.apply(X)  # what has been worked out is pickled, too
    copy = pickle.loads(pickle.dumps(tree))
    assert copy.equals(tree)
    np.testing.assert_array_equal(copy.apply(X), leaf)
    for one in (tree, copy, tree.collapse([1])):
        for name in tree._arrays():
            with pytest.raises(ValueError, match="read-only"):
                getattr(one, name)[...] = 0
        with pytest.raises(AttributeError):
            one.criterion = "gini"


def test_trees_differ_if_any_array_or_the_criterion_does():
    tree, _ = grown(max_depth=2)
    assert tree.equals(replace(tree))
    assert not tree.equals(replace(tree, criterion="absolute_error"))
    for name, array in tree._arrays().items():
        other = array.copy()
        other[0] = ~other[0] if array.dtype == bool else 7
        assert not tree.equals(replace(tree, **{name: other})), name
    holes = replace(tree, impurity=np.full(tree.node_count, np.nan))
    assert not holes.equals(holes)  # NaN stands for a categorical test, and nowhere else


def test_a_tree_of_one_leaf():
    tree = DecisionTreeRegressor().fit([[1], [2]], [3.0, 3.0]).tree_
    assert (tree.node_count, tree.n_leaves, tree.max_depth) == (1, 1, 0)
    assert (tree.path([5]), tree.parent.tolist()) == ([0], [-1])
    assert tree.predict(np.zeros((2, 1))).tolist() == [[3.0], [3.0]]
    assert tree.apply(np.zeros((0, 1))).shape == (0,)
