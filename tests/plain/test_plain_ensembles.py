"""The plain ensembles beside the fast ones, on the same draws: same trees, same numbers."""

import warnings
from functools import partial

import numpy as np
import pytest
from cases import each
from same_nodes import SAME, assert_same_nodes, in_columns
from sklearn.base import clone

import treelab
from treelab import impurity, losses
from treelab.adaboost import adaboost, adaboost_r2, vote_proportions, weighted_median
from treelab.bagging import (
    average,
    bagging,
    draw_features,
    out_of_bag,
    out_of_bag_error,
    predict_value,
    proximity,
    random_forest,
    vote,
)
from treelab.bootstrap import bootstrap as plain_bootstrap
from treelab.bootstrap import (
    draw_samples,
    error_estimates,
    squared_loss,
    standard_error,
    wrong_class,
)
from treelab.bootstrap import draw_without_replacement as drawn_once
from treelab.cart import grow, predict, prediction
from treelab.elimination import eliminate, smallest, stochastic_elimination
from treelab.fast import importance as fast_importance
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.boosting.rounds import draw_without_replacement
from treelab.fast.bootstrap import bootstrap, bootstrap_error_table
from treelab.fast.selection import ForestRFE, StochasticRFE, stochastic_sizes
from treelab.gradient_boosting import gradient_boosting, staged_scores
from treelab.importance import (
    impurity_decreases,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
)

CLASSES = "Classifier", treelab.DecisionTreeClassifier, {}, {}
NUMBERS = (
    "Regressor",
    treelab.DecisionTreeRegressor,
    {"impurity": impurity.squared_error},
    {"loss": squared_loss},
)
seeds = each("seed", range(2))
weighted = each("weighted", [False, True], ids=["plain", "weighted"])


def table(seed, target, n=29, p=4):
    """Few distinct values, so that many cuts and many gains are equal; arrays."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, p)).astype(float)
    noise = rng.integers(0, 3, n)
    if target == "numbers":
        y = 2.0 * X[:, 0] - X[:, 1] + noise
    else:
        y = np.array(["low", "mid", "top"])[np.digitize(X[:, 0] + X[:, 1] / 2 + noise, [2, 4])]
        y = y if target == "three classes" else np.where(y == "low", "low", "top")
    return X, y, rng.choice([0.5, 1.0, 2.0], n)


def lists(*arrays):
    return [None if array is None else array.tolist() for array in arrays]


# --- the bootstrap --------------------------------------------------------------------------


@seeds
def test_replicates_and_their_spread(seed):
    data = np.random.default_rng(seed).integers(0, 9, 20).astype(float)
    rng = np.random.RandomState(seed)
    samples = [rng.randint(20, size=20).tolist() for _ in range(30)]
    for statistic in (np.mean, np.median, np.max):
        fast = bootstrap(statistic, data, n_resamples=30, random_state=seed)
        replicates = plain_bootstrap(statistic, samples, data.tolist())
        np.testing.assert_allclose(replicates, fast.replicates, **SAME)
        assert standard_error(replicates) == pytest.approx(fast.standard_error, rel=1e-12)


@seeds
@each("target", ["three classes", "numbers"])
def test_estimates_of_the_error(seed, target):
    X, y, _ = table(seed, target)
    rng = np.random.RandomState(seed)
    samples = [rng.randint(len(y), size=len(y)).tolist() for _ in range(6)]
    _, tree, how, loss = NUMBERS if target == "numbers" else CLASSES

    def fit(X, y):
        return partial(predict, grow(X, y, **how))

    fast = bootstrap_error_table(tree(), X, y, n_resamples=6, random_state=seed)["error"]
    plain = error_estimates(fit, *lists(X, y), samples, **loss)
    assert list(plain) == list(fast.index)
    np.testing.assert_allclose(list(plain.values()), fast, **SAME)


# --- bagging and forests --------------------------------------------------------------------


def assert_same_mean(fast, trees, X, classes):
    """Prediction and out-of-bag judgment of an ensemble of trees."""
    rows, samples = X.tolist(), [sample.tolist() for sample in fast.estimators_samples_]
    values = [predict_value(trees, x) for x in rows]
    unseen = out_of_bag(trees, samples, rows)
    if classes is None:
        np.testing.assert_allclose(values, fast.predict(X), **SAME)
        found = [0.0 if value is None else value for value in unseen]
        np.testing.assert_allclose(found, fast.oob_prediction_, **SAME)
    else:
        np.testing.assert_allclose(in_columns(values, classes), fast.predict_proba(X), **SAME)
        assert [prediction(value) for value in values] == fast.predict(X).tolist()
        np.testing.assert_allclose(in_columns(unseen, classes), fast.oob_decision_function_, **SAME)
    assert np.mean([value is not None for value in unseen]) == fast.oob_coverage_
    return unseen


@seeds
@weighted
@each("target", ["two classes", "three classes", "numbers"])
def test_bagging(seed, weighted, target):
    X, y, w = table(seed, target)
    kind, tree, how, loss = CLASSES if target != "numbers" else NUMBERS
    fast = getattr(treelab, f"Bagging{kind}")(
        tree(min_samples_leaf=1 + seed % 2), 6, oob_score=True, random_state=seed
    )
    w = w if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # six members leave some rows without a judge
        fast.fit(X, y, w)
    samples = [sample.tolist() for sample in fast.estimators_samples_]
    trees = bagging(*lists(X, y), samples, *lists(w), min_leaf=1 + seed % 2, **how)
    classes = getattr(fast, "classes_", None)
    for member, plain in zip(fast.estimators_, trees, strict=True):
        seen = None if classes is None else classes[member.classes_]
        assert_same_nodes(member.tree_, plain, seen)
    if classes is not None:
        hard = in_columns([vote(trees, x) for x in X.tolist()], classes)
        expected = clone(fast).set_params(voting="hard", oob_score=False).fit(X, y, w)
        np.testing.assert_allclose(hard, expected.predict_proba(X), **SAME)
    unseen = assert_same_mean(fast, trees, X, classes)
    assert None in unseen
    error = out_of_bag_error(unseen, y.tolist(), **loss)
    assert error == pytest.approx(fast.oob_error_path()[-1], rel=1e-12)


@seeds
@weighted
@each("target", ["two classes", "three classes", "numbers"])
@each("m", [1, 2, 4])
def test_random_forest(seed, weighted, target, m):
    X, y, w = table(seed, target)
    X[:, 3] = 1.0  # a candidate that cannot be cut: the node draws on
    kind, _, how, loss = CLASSES if target != "numbers" else NUMBERS
    fast = getattr(treelab, f"RandomForest{kind}")(
        6, max_features=m, min_samples_leaf=1 + seed % 2, oob_score=True, random_state=seed
    )
    w = w if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fast.fit(X, y, w)
    trees, samples = forest_of(fast.seed_, 6, X, y, m, w, min_leaf=1 + seed % 2, **how)
    assert [sorted(s) for s in samples] == [s.tolist() for s in fast.estimators_samples_]
    classes = getattr(fast, "classes_", None)
    for tree, plain in zip(fast.trees_, trees, strict=True):
        assert_same_nodes(tree, plain, classes)
    unseen = assert_same_mean(fast, trees, X, classes)
    error = out_of_bag_error(unseen, y.tolist(), **loss)
    assert error == pytest.approx(fast.oob_error_path()[-1], rel=1e-12)


def draws_of_tree(seed, b, n, p):
    """The sample of tree b, and the order of the features at each of its nodes."""
    rng = member_generator(seed, b)
    rows, copies = draw_sample(rng, n, n)
    return np.repeat(rows, copies).tolist(), lambda: np.argsort(rng.random(p)).tolist()


def forest_of(seed, B, X, y, m, w=None, **how):
    """The plain forest from the draws of a fast one with this seed, and its samples."""
    samples, features = zip(*(draws_of_tree(seed, b, *X.shape) for b in range(B)))
    return random_forest(*lists(X, y), samples, features, m, *lists(w), **how), samples


@seeds
@each("target", ["three classes", "numbers"])
@each("B", [2, 9])
def test_proximities(B, seed, target):
    """With two trees, some pairs of rows are out of bag for none."""
    X, y, _ = table(seed, target)
    kind, _, how, _ = NUMBERS if target == "numbers" else CLASSES
    few = {"max_features": 2, "max_depth": 3, "random_state": seed}
    fast = getattr(treelab, f"RandomForest{kind}")(B, **few).fit(X, y)
    trees, samples = forest_of(fast.seed_, B, X, y, 2, max_depth=3, **how)
    np.testing.assert_array_equal(proximity(trees, X.tolist()), fast.proximity(X))
    found = np.array(proximity(trees, X.tolist(), samples), dtype=float)  # None becomes NaN
    np.testing.assert_array_equal(found, fast.proximity(X, oob_only=True))
    assert np.isnan(found).any() or B > 2


def test_proximities_in_a_tree_without_a_split():
    tree = grow([[1], [1]], ["a", "b"])
    assert proximity([tree], [[1], [2]]) == [[1, 1], [1, 1]]
    assert proximity([tree], [[1], [2]], [[0]]) == [[1, None], [None, 1]]


def test_copies_in_a_bag_and_in_a_forest():
    """Two copies are two cases of a bag and one case, of weight 2, of a forest."""
    X, y, sample = [[1], [2], [3]], ["a", "b", "b"], [[0, 0, 1]]
    (bagged,) = bagging(X, y, sample)
    (tree,) = random_forest(X, y, sample, [draw_features(1, seed=0)], 1)
    assert (bagged["n"], tree["n"]) == (3, 2)
    assert bagged["weight"] == tree["weight"] == 3
    assert bagged["value"] == tree["value"] == {"a": 2 / 3, "b": 1 / 3}


def test_mean_of_members_that_know_different_classes():
    assert average([{"a": 1.0}, {"a": 0.5, "b": 0.5}]) == {"a": 0.75, "b": 0.25}
    assert average([1.0, 2.0]) == 1.5
    assert average([{"b": 1.0}, {"a": 1.0}]) == {"a": 0.5, "b": 0.5}
    assert prediction(average([{"b": 1.0}, {"a": 1.0}])) == "a"  # the first of equals


# --- AdaBoost -------------------------------------------------------------------------------


@seeds
@weighted
@each("target", ["two classes", "three classes"])
@each(("depth", "rate"), [(1, 1.0), (2, 0.5)])
def test_adaboost(seed, weighted, target, depth, rate):
    X, y, w = table(seed, target)
    stump = treelab.DecisionTreeClassifier(max_depth=depth)
    fast = treelab.AdaBoostClassifier(stump, n_estimators=8, learning_rate=rate)
    fast.fit(X, y, w if weighted else None)
    how = {"M": 8, "learning_rate": rate, "max_depth": depth}
    members = adaboost(*lists(X, y, w if weighted else None), **how)
    assert len(members) == len(fast.estimators_) > 3
    np.testing.assert_allclose([vote for _, vote in members], fast.estimator_weights_, **SAME)
    for member, (tree, _) in zip(fast.estimators_, members):
        assert_same_nodes(member.tree_, tree, fast.classes_)
    for m, predicted in enumerate(fast.staged_predict(X), 1):
        shares = [vote_proportions(members[:m], x) for x in X.tolist()]
        # Fast ties go to the larger class, plain ones to the first.
        for share, k in zip(shares, predicted):
            assert share[k] >= max(share.values()) - 1e-12
    K = len(fast.classes_)
    scores = in_columns(shares, fast.classes_)
    scores = scores - (1 - scores) / (K - 1)  # a vote for a class is one against the others
    decision = fast.decision_function(X)
    if K == 2:
        decision = np.column_stack([-decision, decision]) / 2
    np.testing.assert_allclose(scores, decision, **SAME)


def test_adaboost_ends_with_a_perfect_tree_and_before_one_at_chance():
    X, y = [[1.0], [2], [3], [4]], [0, 0, 1, 1]
    fast = treelab.AdaBoostClassifier().fit(X, y)
    ((_, vote),) = adaboost(X, y)
    assert vote == pytest.approx(fast.estimator_weights_[0], rel=1e-12)
    X, y = [[0]] * 8, [0] * 6 + [1] * 2  # no cut: the larger class has the error 1/4, then 1/2
    ((tree, vote),) = adaboost(X, y)
    assert vote == pytest.approx(np.log(3))
    assert predict(tree, [0]) == 0
    assert adaboost([[0], [0]], [0, 1]) == []


@seeds
@each("rate", [1.0, 0.5])
def test_adaboost_r2(seed, rate):
    X, y, _ = table(seed, "numbers")
    fast = treelab.AdaBoostRegressor(n_estimators=8, learning_rate=rate, random_state=seed)
    fast.fit(X, y)
    rng = np.random.RandomState(seed)

    def draw(w):
        rng.randint(2**31 - 1)  # the seed of the tree
        return rng.choice(len(y), size=len(y), p=w).tolist()

    members = adaboost_r2(*lists(X, y), draw, M=8, learning_rate=rate)
    assert len(members) == len(fast.estimators_) > 2
    np.testing.assert_allclose([vote for _, vote in members], fast.estimator_weights_, **SAME)
    for member, (tree, _) in zip(fast.estimators_, members):
        assert_same_nodes(member.tree_, tree)
    found = [weighted_median(members, x) for x in X.tolist()]
    np.testing.assert_allclose(found, fast.predict(X), **SAME)


def test_adaboost_r2_ends_with_a_perfect_tree_and_before_one_that_misses_by_half():
    rows, everything = [[1], [2], [3], [4]], lambda w: [0, 1, 2, 3]
    assert [vote for _, vote in adaboost_r2(rows, [1, 2, 3, 4], everything)] == [1]
    ((tree, vote),) = adaboost_r2([[0]] * 4, [0, 0, 4, 4], everything)  # all miss by the same
    assert (tree["value"], vote) == (2, 1)  # the first is kept, however poor


# --- gradient boosting ----------------------------------------------------------------------

BOOSTS = {
    "squared_error": (losses.half_square, "numbers"),
    "absolute_error": (losses.absolute, "numbers"),
    "huber": (losses.huber, "numbers"),
    "log_loss": (losses.log_loss, "two classes"),
}


@seeds
@each("name", BOOSTS)
@each("share", [1.0, 0.6])
def test_gradient_boosting(seed, name, share):
    """Always with weights: without them the classes start at scikit-learn's interpolated median."""
    loss, target = BOOSTS[name]
    X, y, w = table(seed, target)
    kind = "Regressor" if target == "numbers" else "Classifier"
    fast = getattr(treelab, f"GradientBoosting{kind}")(
        loss=name, n_estimators=7, learning_rate=0.3, max_depth=2, subsample=share,
        random_state=seed,
    ).fit(X, y, w)  # fmt: skip
    codes = y if target == "numbers" else (y == "top").astype(float)
    model = gradient_boosting(
        *lists(X, codes), bags_of_rounds(seed, len(y), share, 7), w.tolist(), loss=loss,
        learning_rate=0.3, max_depth=2,
    )  # fmt: skip
    start, trees, _ = model
    assert start == pytest.approx(fast.start_, rel=1e-12)
    for (tree,), plain in zip(fast.trees_, trees, strict=True):
        assert_same_nodes(tree, plain)
    scores = np.array([staged_scores(model, x) for x in X.tolist()]).T
    assert len(scores) == 8
    if target == "numbers":
        np.testing.assert_allclose(scores[1:], list(fast.staged_predict(X)), **SAME)
    else:
        np.testing.assert_allclose(scores[1:], list(fast.staged_decision_function(X)), **SAME)
        p = [losses.probability(F) for F in scores[-1]]
        np.testing.assert_allclose(p, fast.predict_proba(X)[:, 1], **SAME)


def bags_of_rounds(seed, n, share, rounds):
    """The rows that the fast class takes in each round."""
    rng, bags = np.random.RandomState(seed), []
    for _ in range(rounds):
        drawn = np.ones(n, bool)
        if share < 1:
            drawn = draw_without_replacement(rng, n, int(share * n))
        rng.randint(2**31 - 1)  # the seed of the tree
        bags.append(np.flatnonzero(drawn).tolist())
    return bags


def test_settings_that_are_not_given_are_those_of_the_fast_classes():
    X, y, _ = table(1, "numbers")
    rows, targets = lists(X, y)
    model = gradient_boosting(rows, targets, [range(len(y))] * 3)
    fast = treelab.GradientBoostingRegressor(n_estimators=3).fit(X, y)
    np.testing.assert_allclose([staged_scores(model, x)[-1] for x in rows], fast.predict(X))
    members, fast = adaboost(rows, (y > 3).tolist()), treelab.AdaBoostClassifier().fit(X, y > 3)
    np.testing.assert_allclose([vote for _, vote in members], fast.estimator_weights_)


def test_weights_are_one_each_where_none_are_given():
    X, y, _ = table(0, "numbers")
    bags = [list(range(len(y)))] * 3
    for loss in (losses.half_square, losses.huber):
        one, other = (
            gradient_boosting(*lists(X, y), bags, w, loss=loss) for w in (None, [1.0] * len(y))
        )
        assert one == other


# --- importance -----------------------------------------------------------------------------


@seeds
@each("target", ["three classes", "numbers"])
def test_importance(seed, target):
    X, y, w = table(seed, target)
    new_X, new_y, _ = table(seed + 100, target)
    kind, _, how, loss = NUMBERS if target == "numbers" else CLASSES
    fast = getattr(treelab, f"RandomForest{kind}")(6, max_features=2, random_state=seed)
    fast.fit(X, y, w)
    rows, targets = lists(X, y)
    trees, samples = forest_of(fast.seed_, 6, X, y, 2, w, **how)

    found = [impurity_decreases(tree, 4) for tree in trees]
    np.testing.assert_allclose(found, fast_importance.impurity_decreases(fast), **SAME)
    for by_tree, normalize in ((False, "total"), (True, "tree")):
        expected = fast_importance.mean_decrease_impurity(fast, normalize=normalize)
        np.testing.assert_allclose(mean_decrease_impurity(trees, 4, by_tree), expected, **SAME)

    how = {"scoring": "neg_mean_squared_error"} if target == "numbers" else {}
    expected = fast_importance.permutation_importance(
        fast, new_X, new_y, n_repeats=3, random_state=seed, **how
    )
    found = permutation_importance(
        lambda x: prediction(predict_value(trees, x)), *lists(new_X, new_y),
        orders_of_repeats(seed, len(new_y), 3), **loss,
    )  # fmt: skip
    np.testing.assert_allclose(found, expected.importances, **SAME)

    expected = fast_importance.oob_permutation_importance(fast, X, y, random_state=seed)
    draw = np.random.RandomState(seed).permutation
    found = oob_permutation_importance(trees, samples, rows, targets, draw, **loss)
    np.testing.assert_allclose(found, expected.per_tree, **SAME)
    np.testing.assert_allclose(np.mean(found, axis=0), expected.importances_mean, **SAME)
    assert np.ptp(found) > 0


def orders_of_repeats(seed, n, repeats):
    """The orders of scikit-learn's function, each of which goes on from the one before."""
    rng = np.random.RandomState(np.random.RandomState(seed).randint(np.iinfo(np.int32).max + 1))
    order, source, orders = np.arange(n), np.arange(n), []
    for _ in range(repeats):
        rng.shuffle(order)
        source = source[order]
        orders.append(source.tolist())
    return orders


def test_importance_of_trees_without_a_split():
    leaf = grow([[1, 2]] * 4, ["a", "a", "b", "b"])
    stump = grow([[1, 2], [2, 2]], ["a", "b"])
    assert mean_decrease_impurity([leaf], 2) == [0, 0]
    for by_tree in (False, True):
        assert mean_decrease_impurity([leaf, stump], 2, by_tree) == [1, 0]


def test_a_tree_with_one_unseen_row_is_left_out():
    X, y, samples = [[1], [2], [3]], ["a", "a", "b"], [[0, 1, 2], [0, 1, 1], [0, 0, 0]]
    trees = bagging(X, y, samples)
    assert len(oob_permutation_importance(trees, samples, X, y, lambda n: range(n))) == 1


# --- elimination ----------------------------------------------------------------------------


def drawn_seed(seed):
    """The seed of a forest that a selector with this seed draws."""
    return np.random.RandomState(np.random.RandomState(seed).randint(2**31 - 1)).randint(2**31 - 1)


@seeds
@each("target", ["three classes", "numbers"])
@each("u", [0, 1])
def test_elimination(seed, target, u):
    """Both rank by permutation out of bag and judge by forests of the same draws."""
    X, y, _ = table(seed, target, n=24, p=6)
    kind, _, how, loss = NUMBERS if target == "numbers" else CLASSES
    forest = getattr(treelab, f"RandomForest{kind}")(10, max_features=2)
    fast = ForestRFE(forest, alpha=u, random_state=seed).fit(X, y)
    generator, first = np.random.RandomState(seed), []
    seeds = [generator.randint(2**31 - 1) for _ in fast.rounds_]

    def grown(some, seed):
        return *forest_of(drawn_seed(seed), 10, X[:, some], y, 2, **how), X[:, some].tolist()

    def evaluate(some):
        trees, samples, rows = grown(some, seeds[len(first)])
        first.append(some)
        values = zip(y.tolist(), out_of_bag(trees, samples, rows))
        return [loss.get("loss", wrong_class)(k, prediction(v)) for k, v in values if v is not None]

    trees, samples, rows = grown(list(range(6)), seeds[0])
    draw = np.random.RandomState(seeds[0]).permutation
    rises = oob_permutation_importance(trees, samples, rows, y.tolist(), draw, **loss)
    found = [sum(column) / len(column) for column in zip(*rises)]
    np.testing.assert_allclose(found, fast.importances_, **SAME)
    kept, path = eliminate(found, evaluate, u)
    assert [len(some) for some, _ in path] == [each["n_features"] for each in fast.rounds_]
    errors = [each["error"] for each in fast.rounds_]
    np.testing.assert_allclose([error for _, error in path], errors, **SAME)
    assert kept == fast.get_support(indices=True).tolist()


@seeds
@each("target", ["three classes", "numbers"])
@each("size, share, alpha", [(3, 0.4, 1), (4, 0.25, 0)])
def test_stochastic_elimination(seed, target, size, share, alpha):
    """The same blocks, forests of the same draws in them, and the same sets."""
    X, y, _ = table(seed, target, n=24, p=8)
    X[:, 7] = 1  # a constant feature
    kind, _, how, loss = NUMBERS if target == "numbers" else CLASSES
    forest = getattr(treelab, f"RandomForest{kind}")(8, max_depth=3, max_features=1)
    settings = {"alpha": alpha, "block": size, "step": share, "random_state": seed}
    fast = StochasticRFE(forest, **settings).fit(X, y)
    generator, seeds = np.random.RandomState(seed), []

    def draw_seeds(n):
        seeds.extend(generator.randint(2**31 - 1) for _ in range(n))

    def shuffle(some):
        order = generator.permutation(some).tolist()
        draw_seeds(-(-len(some) // size))
        return order

    def grown(some):
        found = forest_of(drawn_seed(seeds.pop(0)), 8, X[:, some], y, 1, max_depth=3, **how)
        return *found, X[:, some].tolist()

    def importances(some):
        return mean_decrease_impurity(grown(some)[0], len(some), by_tree=True)

    def evaluate(some):
        draw_seeds(1)
        trees, samples, rows = grown(some)
        values = zip(y.tolist(), out_of_bag(trees, samples, rows))
        return [loss.get("loss", wrong_class)(k, prediction(v)) for k, v in values if v is not None]

    path = stochastic_elimination(8, importances, evaluate, shuffle, size, share)
    assert [len(some) for some, _ in path] == [row["n_features"] for row in fast.rounds_]
    assert len(path) > 2
    errors = [row["error"] for row in fast.rounds_]
    np.testing.assert_allclose([error for _, error in path], errors, **SAME)
    stayed = [sum(j in some for some, _ in path) for j in range(8)]
    assert [
        sorted(set(stayed), reverse=True).index(k) + 1 for k in stayed
    ] == fast.ranking_.tolist()
    assert smallest(path, alpha) == fast.get_support(indices=True).tolist()


@each(
    "p, size, share", [(1080, 54, 0.2), (1080, 54, 0.5), (300, 30, 0.1), (20, 30, 0.2), (7, 2, 0.3)]
)
def test_numbers_of_features_of_a_stochastic_elimination(p, size, share):
    """A fifth of 15 is 3, though 0.2 is not a fifth in binary; where nothing leaves, it ends."""
    path = stochastic_elimination(p, lambda some: some, lambda some: [0], list, size, share)
    assert [len(some) for some, _ in path] == stochastic_sizes(p, size, share)
    assert smallest(path) == path[-1][0]


# --- draws ----------------------------------------------------------------------------------


def test_draws_have_the_sizes_that_they_say_and_come_again_with_their_seed():
    samples = draw_samples(50, 40, seed=1)
    assert {len(sample) for sample in samples} == {50}
    distinct = np.mean([len(set(sample)) for sample in samples])
    assert distinct == pytest.approx(50 * (1 - (1 - 1 / 50) ** 50), abs=2)
    assert samples == draw_samples(50, 40, seed=1) != draw_samples(50, 40, seed=2)
    bags = drawn_once(9, 4, 30, seed=0)
    assert {len(set(bag)) for bag in bags} == {4}
    assert set().union(*bags) == set(range(9))
    for order in drawn_once(9, 9, 3, seed=0):
        assert sorted(order) == list(range(9))
    features = draw_features(5, seed=0)
    orders = [features() for _ in range(20)]
    assert all(sorted(order) == list(range(5)) for order in orders)
    assert len({order[0] for order in orders}) == 5
