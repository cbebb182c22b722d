"""Random forests: tree by tree against single trees, and every attribute by its definition."""

import pickle
import tracemalloc
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble as theirs
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.metrics import accuracy_score, r2_score

from treelab import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast.bagging import forest as forest_module
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.growing import by_depth
from treelab.fast.growing.by_depth import Limits, draw_features, grow
from treelab.fast.growing.training_data import Columns, Targets

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
SUGAR, PROGRESS = (part[:150] for part in load_diabetes(return_X_y=True))
BOTH = [(RandomForestClassifier, IRIS, NAMES), (RandomForestRegressor, SUGAR, PROGRESS)]
both = pytest.mark.parametrize(("kind", "X", "y"), BOTH, ids=["classes", "numbers"])


def same_trees(one, other):
    assert len(one.trees_) == len(other.trees_)
    return all(a.equals(b) for a, b in zip(one.trees_, other.trees_))


# --- the trees ------------------------------------------------------------------------------


@both
def test_tree_b_is_grown_from_its_own_sample_and_stream(kind, X, y):
    forest = kind(7, max_features=2, min_samples_leaf=2, random_state=0).fit(X, y)
    p = X.shape[1]
    if kind is RandomForestClassifier:
        targets = Targets.of(SPECIES, np.ones(len(y)), "gini", 3)
    else:
        targets = Targets.of(y, np.ones(len(y)), "squared_error")
    limits = Limits(min_samples_leaf=2, max_features=2)
    for b, tree in enumerate(forest.trees_):
        generator = member_generator(forest.seed_, b)
        rows, copies = draw_sample(generator, len(y), len(y))
        np.testing.assert_array_equal(forest.estimators_samples_[b], np.repeat(rows, copies))
        (alone,) = grow(Columns.of(X, [0] * p), targets, limits, [(rows, copies)], [generator])
        assert alone.equals(tree)
    assert not forest.trees_[0].equals(forest.trees_[1])


@both
def test_with_all_candidates_a_tree_is_the_single_tree_of_its_sample(kind, X, y):
    """But for ties: a forest gives them to any feature, the single tree to the first."""
    X = np.random.default_rng(0).normal(size=X.shape)  # a cut of many rows has no equal
    forest = kind(6, max_features=None, min_samples_leaf=12, random_state=0).fit(X, y)
    codes = SPECIES if kind is RandomForestClassifier else y
    for tree, rows in zip(forest.trees_, forest.estimators_samples_):
        kept, copies = np.unique(rows, return_counts=True)
        alone = forest._tree_class(min_samples_leaf=12).fit(X[kept], codes[kept], copies).tree_
        assert tree.node_count > 5
        np.testing.assert_array_equal(tree.feature, alone.feature)
        np.testing.assert_array_equal(tree.threshold, alone.threshold)
        np.testing.assert_array_equal(tree.children_right, alone.children_right)
        np.testing.assert_allclose(tree.value, alone.value, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(tree.impurity, alone.impurity, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(
            tree.weighted_n_node_samples, alone.weighted_n_node_samples, rtol=1e-12
        )
        assert tree.n_node_samples[0] == len(set(rows.tolist()))  # copies are one row


@both
def test_without_bootstrap_and_draws_the_trees_differ_in_ties_only(kind, X, y):
    twins = np.column_stack([X, X])
    forest = kind(6, max_features=None, bootstrap=False, max_depth=2, random_state=0)
    forest.fit(twins, y)
    alone = forest._tree_class(max_depth=2).fit(X, y).tree_
    tested = set()
    for tree in forest.trees_:
        np.testing.assert_array_equal(tree.children_right, alone.children_right)
        np.testing.assert_allclose(tree.impurity, alone.impurity, rtol=1e-9)
        tested |= set(tree.feature[~tree.is_leaf].tolist())
    p = X.shape[1]
    assert min(tested) < p <= max(tested)


def test_parameters_reach_the_trees():
    forest = RandomForestClassifier(
        8, criterion="entropy", max_depth=3, min_samples_leaf=4, max_samples=60, random_state=0
    ).fit(IRIS, SPECIES)
    for tree in forest.trees_:
        assert tree.criterion == "entropy"
        assert tree.max_depth <= 3
        assert tree.n_node_samples[tree.is_leaf].min() >= 4
        assert tree.weighted_n_node_samples[0] == 60
    pruned = RandomForestClassifier(8, ccp_alpha=0.02, random_state=0).fit(IRIS, SPECIES)
    whole = RandomForestClassifier(8, random_state=0).fit(IRIS, SPECIES)
    for small, large in zip(pruned.trees_, whole.trees_):
        assert small.equals(forest_module.prune(large, 0.02))
    assert sum(t.n_leaves for t in pruned.trees_) < sum(t.n_leaves for t in whole.trees_)
    for max_features, m in (("sqrt", 2), (None, 4), (3, 3), (0.3, 1)):
        forest = RandomForestClassifier(1, max_features=max_features).fit(IRIS, SPECIES)
        assert forest.max_features_ == m
    assert RandomForestRegressor(1).fit(SUGAR, PROGRESS).max_features_ == 10


def test_levels_of_a_frame():
    rng = np.random.default_rng(0)
    color = rng.choice(list("rgby"), 80)
    frame = pd.DataFrame({"size": rng.normal(size=80), "color": pd.Categorical(color)})
    y = np.isin(color, ["g", "y"]).astype(int)
    forest = RandomForestClassifier(10, max_features=1, random_state=0).fit(frame, y)
    np.testing.assert_array_equal(forest.predict(frame), y)
    assert any(np.isnan(tree.threshold).any() for tree in forest.trees_)
    np.testing.assert_array_equal(
        forest.estimators_[0].predict(frame), forest.predict_trees(frame)[:, 0]
    )


# --- candidates -----------------------------------------------------------------------------


def test_candidates_are_drawn_anew_at_every_node(monkeypatch):
    """Every node tests one of its own m candidates; sets differ within one tree."""
    drawn = []

    def recording(p, root, generators):
        tries = draw_features(p, root, generators)
        drawn.append((root.copy(), tries[:3].copy()))
        return tries

    monkeypatch.setattr(by_depth, "draw_features", recording)
    RandomForestRegressor(5, max_features=3, random_state=0).fit(SUGAR, PROGRESS)
    sets = {b: [] for b in range(5)}
    for root, candidates in drawn:
        assert candidates.shape == (3, len(root))
        for b, column in zip(root, candidates.T):
            sets[b].append(frozenset(column.tolist()))
    assert all(len(s) == 3 for of_tree in sets.values() for s in of_tree)  # no feature twice
    for of_tree in sets.values():
        assert len(of_tree) > 30  # open nodes of one tree
        assert len(set(of_tree)) > 20  # of 120 possible sets
    first_roots = [root for root, _ in drawn][0]
    assert first_roots.tolist() == [0, 1, 2, 3, 4]
    everything = [j for of_tree in sets.values() for s in of_tree for j in s]
    n_sets = len(everything) // 3
    share = np.bincount(everything, minlength=10) / n_sets
    assert (np.abs(share - 0.3) < 4.5 * np.sqrt(0.3 * 0.7 / n_sets)).all()


def test_a_node_tests_one_of_its_candidates(monkeypatch):
    """Every node is handed the last four columns; the others come only where these fail."""

    def drawing(p, root, generators):
        return np.sort(draw_features(p, root, generators), axis=0)[::-1]

    monkeypatch.setattr(by_depth, "draw_features", drawing)
    forest = RandomForestRegressor(3, max_features=4, random_state=0).fit(SUGAR, PROGRESS)
    tested = [j for tree in forest.trees_ for j in tree.feature[~tree.is_leaf].tolist()]
    assert set(tested) == {6, 7, 8, 9}


def test_a_node_with_constant_candidates_draws_on():
    X = np.column_stack([np.ones((40, 5)), np.arange(40)])
    y = np.arange(40) % 2
    forest = RandomForestClassifier(20, max_features=1, random_state=0).fit(X, y)
    for tree, rows in zip(forest.trees_, forest.estimators_samples_):
        assert set(tree.feature[~tree.is_leaf].tolist()) == {5}
        np.testing.assert_array_equal(tree.predict(X[rows]).argmax(axis=1), y[rows])


# --- workers, chunks, warm starts -----------------------------------------------------------


@both
@pytest.mark.parametrize("places", [1, 450, 1 << 20])
def test_chunks_change_nothing(kind, X, y, places, monkeypatch):
    settings = {"n_estimators": 11, "max_features": 2, "oob_score": True, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = kind(**settings).fit(X, y)
        sizes = []
        real = forest_module.grow_forest

        def recording(columns, targets, limits, seed, numbers, n_draws):
            sizes.append(len(numbers))
            return real(columns, targets, limits, seed, numbers, n_draws)

        monkeypatch.setattr(forest_module, "grow_forest", recording)
        monkeypatch.setattr(forest_module, "PLACES", places)
        monkeypatch.setattr(forest_module, "BLOCK", 13)
        other = kind(**settings).fit(X, y)
    assert sizes == {1: [1] * 11, 450: [3, 3, 3, 2], 1 << 20: [11]}[places]
    assert same_trees(whole, other)
    assert other.oob_score_ == whole.oob_score_
    np.testing.assert_array_equal(other.predict(X), whole.predict(X))


@both
@pytest.mark.parametrize(("backend", "n_jobs"), [("threading", 2), ("loky", 2), ("loky", 1)])
def test_workers_and_backends_change_no_bit(kind, X, y, backend, n_jobs):
    here = kind(9, max_features=2, random_state=3).fit(X, y)
    with joblib.parallel_backend(backend):
        there = kind(9, max_features=2, random_state=3, n_jobs=n_jobs).fit(X, y)
        predicted = there.predict(X)
    assert same_trees(here, there)
    np.testing.assert_array_equal(predicted, here.predict(X))


@both
def test_warm_start_gives_the_forest_of_one_fit(kind, X, y):
    whole = kind(40, max_features=2, oob_score=True, random_state=0).fit(X, y)
    warm = kind(15, max_features=2, oob_score=False, random_state=0, warm_start=True).fit(X, y)
    first = warm.trees_
    warm.set_params(n_estimators=40, oob_score=True).fit(X, y)
    assert all(a is b for a, b in zip(first, warm.trees_))
    assert same_trees(warm, whole)
    np.testing.assert_array_equal(warm.oob_error_path(), whole.oob_error_path())
    np.testing.assert_array_equal(warm.estimators_samples_, whole.estimators_samples_)
    again = warm.fit(X, y)  # nothing to add
    assert same_trees(again, whole)


def test_seeds():
    fits = [RandomForestClassifier(5, random_state=s).fit(IRIS, SPECIES) for s in (1, 1, 2)]
    assert same_trees(fits[0], fits[1])
    assert not same_trees(fits[0], fits[2])
    state = RandomForestClassifier(5, random_state=np.random.RandomState(1)).fit(IRIS, SPECIES)
    assert same_trees(fits[0], state)


@both
def test_pickled_copy_predicts_the_same(kind, X, y):
    forest = kind(6, random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(forest))
    assert same_trees(copy, forest)
    np.testing.assert_array_equal(copy.predict(X), forest.predict(X))
    np.testing.assert_array_equal(copy.estimators_samples_, forest.estimators_samples_)


def test_bar_is_shown_on_request(capsys):
    RandomForestClassifier(3).fit(IRIS, SPECIES)
    assert capsys.readouterr() == ("", "")
    RandomForestClassifier(3, verbose=1).fit(IRIS, SPECIES)
    out, err = capsys.readouterr()
    assert out == ""
    assert "3/3" in err
    assert "trees" in err


def test_memory_is_that_of_a_chunk_and_the_trees(monkeypatch):
    """Growing 120 trees holds no more than growing 30, but for the trees themselves."""
    monkeypatch.setattr(forest_module, "PLACES", 10_000)  # ten trees to a chunk
    X = np.random.default_rng(0).normal(size=(1000, 3))
    y = X[:, 0] + np.random.default_rng(1).normal(size=1000)
    passing = []
    for B in (30, 120):
        forest = RandomForestRegressor(B, max_features=2, min_samples_leaf=20, random_state=0)
        forest.fit(X, y)  # what is made once is made now
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        again = RandomForestRegressor(B, max_features=2, min_samples_leaf=20, random_state=0)
        again.fit(X, y)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept > before
        passing.append(peak - kept)
    assert passing[1] < 1.3 * passing[0]


# --- predictions -----------------------------------------------------------------------------


def test_predictions_are_means_of_the_trees():
    forest = RandomForestClassifier(9, max_depth=2, random_state=0).fit(IRIS, NAMES)
    shares = [model.predict_proba(IRIS) for model in forest.estimators_]
    np.testing.assert_allclose(forest.predict_proba(IRIS), np.mean(shares, axis=0), rtol=1e-12)
    np.testing.assert_array_equal(
        forest.predict(IRIS), forest.classes_[np.mean(shares, axis=0).argmax(axis=1)]
    )
    with np.errstate(divide="ignore"):
        logs = np.log(forest.predict_proba(IRIS))
    np.testing.assert_array_equal(forest.predict_log_proba(IRIS), logs)
    each = np.column_stack([model.predict(IRIS) for model in forest.estimators_])
    np.testing.assert_array_equal(forest.predict_trees(IRIS), each)
    for b, stage in enumerate(forest.staged_predict(IRIS), 1):
        first = np.mean(shares[:b], axis=0).argmax(axis=1)
        np.testing.assert_array_equal(stage, forest.classes_[first])
    assert b == 9
    leaves = np.column_stack([model.apply(IRIS) for model in forest.estimators_])
    np.testing.assert_array_equal(forest.apply(IRIS), leaves)


def test_variance_of_the_prediction():
    forest = RandomForestRegressor(9, max_features=3, random_state=0).fit(SUGAR, PROGRESS)
    each = np.column_stack([model.predict(SUGAR) for model in forest.estimators_])
    np.testing.assert_allclose(forest.predict_trees(SUGAR), each, rtol=1e-12)
    mean = each.mean(axis=1)
    np.testing.assert_allclose(forest.predict(SUGAR), mean, rtol=1e-12)
    expected = ((each - mean[:, None]) ** 2).mean(axis=1)
    np.testing.assert_allclose(forest.prediction_variance(SUGAR), expected, rtol=1e-9)


@both
def test_estimators_are_working_estimators(kind, X, y):
    forest = kind(3, max_features=2, max_depth=3, random_state=0).fit(X, y)
    kinds = {RandomForestClassifier: DecisionTreeClassifier}
    for model, tree in zip(forest.estimators_, forest.trees_):
        assert type(model) is kinds.get(kind, DecisionTreeRegressor)
        assert model.tree_ is tree
        assert (model.max_depth, model.max_features, model.n_features_in_) == (3, 2, X.shape[1])
        assert model.get_depth() == tree.max_depth
        assert len(model.export_text().splitlines()) > 2
        assert model.score(X, y) > 0


@both
def test_importances_are_the_mean_of_normalized_ones(kind, X, y):
    forest = kind(6, max_features=2, max_depth=4, random_state=0).fit(X, y)
    mean = np.zeros(X.shape[1])
    for tree in forest.trees_:
        own, R = np.zeros(X.shape[1]), tree.weighted_n_node_samples * tree.impurity
        for t in np.flatnonzero(~tree.is_leaf):
            l, r = tree.children_left[t], tree.children_right[t]
            own[tree.feature[t]] += R[t] - R[l] - R[r]
        mean += own / own.sum() / 6
    np.testing.assert_allclose(forest.feature_importances_, mean, rtol=1e-9)
    assert forest.feature_importances_.sum() == pytest.approx(1)


def test_trees_without_a_split_have_no_importance():
    """As in scikit-learn, they do not count in the mean either."""
    y = np.zeros(30)
    y[0] = 1
    forest = RandomForestRegressor(20, random_state=0).fit(SUGAR[:30], y)
    assert {tree.node_count for tree in forest.trees_} >= {1, 3}
    assert forest.feature_importances_.sum() == pytest.approx(1)
    none = RandomForestRegressor(3).fit(SUGAR[:30], np.ones(30))
    assert none.feature_importances_.tolist() == [0] * 10


# --- out of bag ------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("B", [4, 30])
def test_out_of_bag_by_scikit_learns_definition(kind, X, y, B):
    forest = kind(B, max_features=2, oob_score=True, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forest.fit(X, y)
    classes = kind is RandomForestClassifier
    total, count = np.zeros((len(y), 3 if classes else 1)), np.zeros(len(y))
    for model, rows in zip(forest.estimators_, forest.estimators_samples_):
        out = ~np.isin(np.arange(len(y)), rows)
        said = model.predict_proba(X[out]) if classes else model.predict(X[out])[:, None]
        total[out] += said
        count[out] += 1
    mean = total / np.maximum(count, 1)[:, None]
    if classes:
        np.testing.assert_allclose(forest.oob_decision_function_, mean, rtol=1e-12)
        assert forest.oob_score_ == accuracy_score(NAMES, forest.classes_[mean.argmax(axis=1)])
    else:
        np.testing.assert_allclose(forest.oob_prediction_, mean[:, 0], rtol=1e-12)
        assert forest.oob_score_ == pytest.approx(r2_score(PROGRESS, mean[:, 0]), rel=1e-12)
    assert forest.oob_coverage_ == np.mean(count > 0)
    assert (forest.oob_coverage_ < 1) == (B == 4)


def test_rows_of_weight_zero_are_never_drawn():
    weight = np.ones(150)
    weight[:50] = 0
    forest = RandomForestClassifier(20, oob_score=True, random_state=0)
    forest.fit(IRIS, SPECIES, sample_weight=weight)
    assert all(rows.min() >= 50 for rows in forest.estimators_samples_)
    assert all(len(rows) == 100 for rows in forest.estimators_samples_)
    np.testing.assert_allclose(
        forest.oob_decision_function_[:50], forest.predict_proba(IRIS[:50]), rtol=1e-12
    )


def test_share_of_distinct_rows():
    forest = RandomForestClassifier(300, max_depth=1, random_state=0).fit(IRIS, SPECIES)
    distinct = [tree.n_node_samples[0] for tree in forest.trees_]
    share = 1 - (1 - 1 / 150) ** 150  # 0.633
    assert abs(np.mean(distinct) / 150 - share) < 4 * np.sqrt(0.0972 / 150 / 300)


# --- proximity -------------------------------------------------------------------------------


def test_proximity_by_loops():
    forest = RandomForestClassifier(12, max_depth=3, random_state=0).fit(IRIS, SPECIES)
    rows = IRIS[::10]
    leaves = forest.apply(rows)
    expected = [[np.mean(leaves[i] == leaves[j]) for j in range(15)] for i in range(15)]
    share = forest.proximity(rows)
    np.testing.assert_allclose(share, expected, rtol=1e-12)
    np.testing.assert_array_equal(share, share.T)
    np.testing.assert_array_equal(np.diag(share), 1)
    assert np.linalg.eigvalsh(forest.proximity(IRIS)).min() > -1e-10
    assert len(np.unique(share)) > 5


def test_proximity_of_unseen_rows_only_by_loops():
    X, y = IRIS[::5], SPECIES[::5]
    forest = RandomForestClassifier(8, random_state=0).fit(X, y)
    leaves, share = forest.apply(X), forest.proximity(X, oob_only=True)
    unseen = np.array([~np.isin(np.arange(30), rows) for rows in forest.estimators_samples_])
    n_none = 0
    for i in range(30):
        for j in range(30):
            trees = [b for b in range(8) if unseen[b, i] and unseen[b, j]]
            if i == j:
                assert share[i, j] == 1
            elif trees:
                assert share[i, j] == pytest.approx(np.mean(leaves[i, trees] == leaves[j, trees]))
            else:
                n_none += 1
                assert np.isnan(share[i, j])
    assert n_none > 0
    np.testing.assert_array_equal(share, share.T)


# --- in distribution -------------------------------------------------------------------------


WINE, CULTIVAR = load_wine(return_X_y=True)
TALL, SLOPE = load_diabetes(return_X_y=True)


@pytest.mark.parametrize(
    ("name", "X", "y", "parameters"),
    [
        ("RandomForestClassifier", WINE, CULTIVAR, {}),
        ("RandomForestClassifier", WINE, CULTIVAR, {"criterion": "entropy", "max_features": 1}),
        ("RandomForestRegressor", TALL, SLOPE, {"max_features": 3}),
        ("RandomForestRegressor", TALL, SLOPE, {"max_samples": 0.5}),
    ],
    ids=["classes", "entropy", "numbers", "half samples"],
)
def test_agreement_with_scikit_learn_over_seeds(name, X, y, parameters):
    """Means over 12 seeds of score, importances and leaves: at most four standard errors apart.

    Candidates that tie go to the first column here and to any of them there; regression trees,
    with their many small nodes, are therefore compared with one candidate.
    """
    found = {}
    mine = {"RandomForestClassifier": RandomForestClassifier}.get(name, RandomForestRegressor)
    for who, kind in (("ours", mine), ("theirs", getattr(theirs, name))):
        fits = [kind(30, oob_score=True, random_state=s, **parameters).fit(X, y) for s in range(12)]
        found[who] = np.array([[f.oob_score_, *f.feature_importances_] for f in fits])
        leaves = np.mean([[m.get_n_leaves() for m in f.estimators_] for f in fits], axis=1)
        found[who] = np.column_stack([found[who], leaves])
    ours, other = found["ours"], found["theirs"]
    error = np.sqrt((ours.var(axis=0, ddof=1) + other.var(axis=0, ddof=1)) / 12)
    assert (np.abs(ours.mean(axis=0) - other.mean(axis=0)) < 4 * error).all()


def test_a_forest_does_overfit_pure_noise():
    """Against nothing to learn, the mean is the best prediction and the forest is worse."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), rng.normal(size=200)
    fresh, truth = rng.normal(size=(4000, 5)), rng.normal(size=4000)
    of_mean = np.mean((truth - y.mean()) ** 2)
    for B in (50, 400):  # more trees do not mend it
        forest = RandomForestRegressor(B, max_features=2, random_state=0).fit(X, y)
        assert np.mean((forest.predict(fresh) - truth) ** 2) > 1.05 * of_mean
    assert np.mean((forest.predict(X) - y) ** 2) < 0.3 * of_mean
