"""Permutation importance, held out and out of bag, z-scores, drop-column and noising."""

import json
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble as theirs
from cases import each
from places import DATA
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.inspection import permutation_importance as their_permutation
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_score

import treelab
from treelab.fast.importance import (
    drop_column_importance,
    importance_z_scores,
    noising_importance,
    oob_permutation_importance,
    parts_of,
    permutation_importance,
)
from treelab.fast.importance.noising import squared_loss

X, NUMBERS = make_friedman1(300, 6, noise=1.0, random_state=0)
THREE = np.array(["low", "mid", "high"])[np.digitize(NUMBERS, [12, 17])]
NEW, NEW_NUMBERS = make_friedman1(150, 6, noise=1.0, random_state=1)
FRAME = pd.DataFrame(X, columns=list("abcdef"))
WEIGHT = np.random.RandomState(0).rand(len(X))
CLASS_FOREST = treelab.RandomForestClassifier(30, random_state=0).fit(X, THREE)

# --- held out: scikit-learn's permutations --------------------------------------------------


@each("weight", [None, WEIGHT], ids=["plain", "weighted"])
@each("scoring", [None, "neg_mean_squared_error", ["r2", "neg_max_error"]])
@each("data", [X, FRAME], ids=["array", "frame"])
def test_equals_scikit_learn(data, scoring, weight):
    model = theirs.GradientBoostingRegressor(n_estimators=3, random_state=0).fit(data, NUMBERS)
    settings = {"scoring": scoring, "n_repeats": 3, "random_state": 7, "sample_weight": weight}
    if scoring == ["r2", "neg_max_error"]:
        settings["sample_weight"] = None  # the largest error knows no weights
    before = data.copy()
    mine = permutation_importance(model, data, NUMBERS, **settings)
    other = their_permutation(model, data, NUMBERS, **settings)
    if not isinstance(scoring, list):
        mine, other = {"score": mine}, {"score": other}
    assert mine.keys() == other.keys()
    np.testing.assert_array_equal(data, before)  # the rows of the caller are as they were
    for name in mine:
        for part in ("importances", "importances_mean", "importances_std"):
            np.testing.assert_allclose(mine[name][part], other[name][part], rtol=0, atol=1e-12)


@pytest.mark.parametrize("groups", [None, [[0, 3], [1, 2, 5], [4]]], ids=["columns", "groups"])
@pytest.mark.parametrize("kind", ["RandomForestRegressor", "RandomForestClassifier"])
def test_walking_on_from_the_first_changed_test_is_asking_again(kind, groups):
    """Our forests take a short way; a score that is a function makes them take the long one."""
    frame = FRAME.assign(g=pd.Categorical(np.array(list("abc"))[np.arange(300) % 3]))
    y = THREE if kind.endswith("Classifier") else NUMBERS + np.arange(300) % 3
    model = getattr(treelab, kind)(12, random_state=0).fit(frame, y)
    known = {"n_repeats": 4, "groups": groups, "random_state": 3}
    short = permutation_importance(model, frame, y, **known)
    plain = permutation_importance(model, frame, y, scoring=lambda m, X, y: m.score(X, y), **known)
    np.testing.assert_array_equal(short.importances, plain.importances)
    if groups is None:
        other = their_permutation(model, frame, y, n_repeats=4, random_state=3)
        np.testing.assert_allclose(short.importances, other.importances, rtol=0, atol=1e-12)


def test_groups_by_name():
    model = theirs.RandomForestRegressor(5, random_state=0).fit(FRAME, NUMBERS)
    by_name = permutation_importance(model, FRAME, NUMBERS, groups=[["a", "d"]], random_state=0)
    model = theirs.RandomForestRegressor(5, random_state=0).fit(X, NUMBERS)
    by_number = permutation_importance(model, X, NUMBERS, groups=[[3, 0]], random_state=0)
    np.testing.assert_allclose(by_name.importances, by_number.importances, atol=1e-12)


# --- out of bag: R's definition -------------------------------------------------------------


@cache
def r_forests(data, name):
    """R's fit, and ours of the same settings for four seeds of 120 trees."""
    fit = json.loads((DATA / "randomforest" / f"{data}.json").read_text(encoding="utf-8"))
    frame = pd.read_csv(DATA / "rpart" / f"{data}.csv")
    y = frame.pop(fit["target"]).to_numpy()
    fit = fit["fits"][name]
    kind, limits = treelab.RandomForestClassifier, {}
    if data == "airquality_cc":
        kind, limits = treelab.RandomForestRegressor, {"min_samples_split": 4}
    results = []
    for seed in range(4):
        forest = kind(120, max_features=fit["mtry"], random_state=seed, **limits).fit(frame, y)
        results.append(oob_permutation_importance(forest, frame, y, random_state=seed))
    return fit, results


@pytest.mark.parametrize(
    ("data", "name"),
    [("iris", "default"), ("iris", "mtry_all"), ("airquality_cc", "mtry1"),
     ("airquality_cc", "mtry_all")],
)  # fmt: skip
def test_inside_the_bands_of_r(data, name):
    """Means over the seeds are at most four standard errors apart, and 5 of 100 for nodesize.

    R's scaled importance of 2 000 trees is that of 120 trees times the root of 16.7.
    """
    fit, results = r_forests(data, name)
    for reference, measure, factor in (
        ("perm_unscaled", "importances_mean", 1.0),
        ("perm_scaled", "scaled", np.sqrt(2000 / 120)),
    ):
        mean, sd = (np.array(fit[reference][part]) for part in ("mean", "sd"))
        mine = factor * np.array([result[measure] for result in results])
        error = np.sqrt(mine.var(axis=0, ddof=1) / len(mine) + sd**2 / 10)
        error = np.maximum(
            error, np.sqrt(2000 / 120 / len(mine)) * sd
        )  # four seeds: a poor estimate
        slack = 0.05 if data == "airquality_cc" else 0.01
        assert (np.abs(mine.mean(axis=0) - mean) < 4 * error + slack * mean).all()


def test_scaled_is_the_mean_over_its_standard_error():
    result = oob_permutation_importance(CLASS_FOREST, X, THREE, random_state=0)
    B = len(result.per_tree)
    error = result.per_tree.std(axis=0) / np.sqrt(B)
    np.testing.assert_allclose(result.scaled, result.per_tree.mean(axis=0) / error, rtol=1e-12)
    np.testing.assert_array_equal(importance_z_scores(result.per_tree), result.scaled)


def test_bagged_trees_and_samples_of_another_size():
    bag = treelab.BaggingClassifier(n_estimators=15, max_samples=0.3, random_state=0)
    found = oob_permutation_importance(bag.fit(X, THREE), X, THREE, random_state=0)
    assert found.importances_mean[[0, 1, 3]].min() > found.importances_mean[[2, 4, 5]].max()
    forest = theirs.RandomForestClassifier(15, max_samples=0.3, random_state=0).fit(X, THREE)
    found = oob_permutation_importance(forest, X, THREE, random_state=0)
    assert found.importances_mean[[0, 1, 3]].min() > found.importances_mean[[2, 4, 5]].max()


def test_trees_with_fewer_than_two_cases_out_of_bag_are_left_out():
    rows = X[:4]
    forest = treelab.RandomForestRegressor(60, random_state=0).fit(rows, NUMBERS[:4])
    found = oob_permutation_importance(forest, rows, NUMBERS[:4], random_state=0)
    n_out = np.array([4 - len(np.unique(rows)) for rows in forest.estimators_samples_])
    assert (n_out < 2).any()
    np.testing.assert_array_equal(np.isnan(found.per_tree).all(axis=1), n_out < 2)
    counted = found.per_tree[n_out >= 2]
    np.testing.assert_allclose(found.importances_mean, counted.mean(axis=0))


# --- drop a column --------------------------------------------------------------------------


def test_drop_column_held_out_with_groups_and_scores():
    found = drop_column_importance(
        LinearRegression(), X, NUMBERS, held_out=(NEW, NEW_NUMBERS), groups={"a": [0, 1]},
        scoring=["r2", "neg_mean_squared_error"],
    )  # fmt: skip
    full = LinearRegression().fit(X, NUMBERS).score(NEW, NEW_NUMBERS)
    less = LinearRegression().fit(X[:, 2:], NUMBERS).score(NEW[:, 2:], NEW_NUMBERS)
    assert found["r2"].importances[0, 0] == pytest.approx(full - less)
    assert found["neg_mean_squared_error"].importances.shape == (1, 1)


@pytest.mark.parametrize("named", [["color"], [1], [False, True, False]])
def test_categorical_columns_keep_their_names_and_numbers(named):
    frame = pd.DataFrame({"a": X[:60, 0], "color": list("rgb") * 20, "b": X[:60, 1]})
    y = np.tile([1.0, 5.0, 9.0], 20)
    model = treelab.DecisionTreeRegressor(categorical_features=named, max_depth=2)
    found = drop_column_importance(model, frame, y, cv=3).importances_mean
    assert found[1] > 1
    assert np.abs(found[[0, 2]]).max() < 1e-12


# --- noising --------------------------------------------------------------------------------


def expected_by_hand(tree, x, v, t=0, tossing=False):
    """Leaves and their chances for one row when every test from the first of `v` on is a toss."""
    if tree.children_left[t] == -1:
        return {t: 1.0}
    left, right = int(tree.children_left[t]), int(tree.children_right[t])
    tossing = tossing or tree.feature[t] == v
    if not tossing:
        side = left if x[tree.feature[t]] <= tree.threshold[t] else right
        return expected_by_hand(tree, x, v, side)
    both = {}
    for child in (left, right):
        for leaf, chance in expected_by_hand(tree, x, v, child, True).items():
            both[leaf] = both.get(leaf, 0) + chance / 2
    return both


@pytest.mark.parametrize("kind", [theirs.RandomForestClassifier, treelab.RandomForestRegressor])
def test_random_assignment_of_two_trees_is_the_mean_over_all_tosses(kind):
    """Both trees toss for themselves: all pairs of leaves, with the product of their chances."""
    y = THREE if kind is theirs.RandomForestClassifier else NUMBERS
    forest = kind(2, max_depth=3, random_state=0).fit(X, y)
    parts = parts_of(forest)
    found = noising_importance(forest, X[:20], y[:20]).importances_mean
    if y is THREE:
        target, said = y[:20, None] == forest.classes_, forest.predict_proba(X[:20])
    else:
        target, said = y[:20, None], forest.predict(X[:20])[:, None]
    loss = np.mean(((said - target) ** 2).sum(axis=1))
    rows = parts.read(X[:20])[0]
    for v in range(6):
        each = []
        for x, y in zip(rows, target, strict=True):
            lotteries = [expected_by_hand(part.tree, x, v).items() for part in parts.trees]
            total = 0.0
            for (a, p), (b, q) in product(*lotteries):
                share = parts.trees[0].steps[a] + parts.trees[1].steps[b]
                total += p * q * ((share - y) ** 2).sum()
            each.append(total)
        assert found[v] == pytest.approx(np.mean(each) - loss, abs=1e-10)


def test_boosting_of_classes_is_tossed():
    y = np.where(NUMBERS > 14, "high", "low")
    model = treelab.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    found = noising_importance(model, X, y, n_repeats=5, random_state=0)
    assert found.importances_mean.argmax() == 3
    assert found.importances.shape == (6, 5)
    assert found.importances_mean[5] < 0.1 * found.importances_mean[3]


@each("module", [treelab, theirs])
@each("y", [THREE, np.where(NUMBERS > 14, "a", "b")], ids=["three", "two"])
@each("kind", ["boosting", "exponential", "AdaBoost"])
def test_shares_of_a_score_are_those_of_the_model(module, y, kind):
    """Without noise the loss is the model's Brier score; with it, the difference is counted."""
    if kind == "exponential" and len(np.unique(y)) > 2:
        y = np.where(y == "low", "a", "b")
    loss = {"loss": "exponential"} if kind == "exponential" else {}
    boost = module.AdaBoostClassifier if kind == "AdaBoost" else module.GradientBoostingClassifier
    model = boost(n_estimators=6, random_state=0, **loss).fit(X, y)
    parts = parts_of(model)
    tables = parts.read(X)
    steps = [p.steps[p.tree.apply(t)] for p, t in zip(parts.trees, tables, strict=True)]
    score = parts.start + np.sum(steps, axis=0)
    target = np.eye(len(model.classes_))[np.searchsorted(model.classes_, y)]
    brier = ((model.predict_proba(X) - target) ** 2).sum(axis=1)
    for rows in np.array_split(np.arange(len(X)), 20):
        loss = squared_loss(parts, target[rows], score[rows])
        assert loss == pytest.approx(brier[rows].mean(), abs=1e-12)


def test_noise_on_the_column():
    """A stump at 0.5 on a fair column: noise moves a row over the cut, as the normal law says."""
    from scipy.stats import norm

    x = np.r_[np.zeros(4000), np.ones(4000)][:, None]
    model = treelab.DecisionTreeRegressor(max_depth=1).fit(x, x[:, 0])
    found = noising_importance(model, x, x[:, 0], method="noise", scale=1.0, random_state=0)
    crossed = norm.sf(0.5 / 0.5)  # the cut is one standard deviation away
    assert found.importances_mean[0] == pytest.approx(crossed, rel=0.05)
    none = noising_importance(model, x, x[:, 0], method="noise", scale=0.0, random_state=0)
    assert (none.importances == 0).all()


def test_noise_skips_levels():
    frame = pd.DataFrame({"color": list("rgb") * 20, "size": np.arange(60.0)})
    y = np.tile([1.0, 5.0, 9.0], 20) + np.arange(60)
    model = treelab.DecisionTreeRegressor(categorical_features=["color"]).fit(frame, y)
    found = noising_importance(model, frame, y, method="noise", random_state=0).importances_mean
    assert np.isnan(found[0])
    assert found[1] > 0
    assert (noising_importance(model, frame, y).importances_mean > 0).all()


def test_drop_column_of_a_forest_that_tries_all_columns():
    """Without one of its columns it tries all that are left."""
    forest = treelab.RandomForestRegressor(5, max_features=X.shape[1], random_state=0)
    others = clone(forest).set_params(max_features=X.shape[1] - 1)
    found = drop_column_importance(forest, X, NUMBERS, cv=[(np.arange(200), np.arange(200, 300))])
    whole = clone(forest).fit(X[:200], NUMBERS[:200]).score(X[200:], NUMBERS[200:])
    for j, lost in enumerate(found.importances_mean):
        kept = np.delete(X, j, axis=1)
        without = clone(others).fit(kept[:200], NUMBERS[:200]).score(kept[200:], NUMBERS[200:])
        assert lost == whole - without


@pytest.mark.parametrize("cv", [3, KFold(4), [(np.arange(200), np.arange(200, 300))]])
def test_drop_column_is_the_difference_of_two_cross_validations(cv):
    """A number of folds means folds that hold each class in its share, as in scikit-learn."""
    model = treelab.DecisionTreeClassifier(max_depth=3)
    found = drop_column_importance(model, X, THREE, cv=cv).importances
    everything = cross_val_score(model, X, THREE, cv=cv)
    for j in range(6):
        without = cross_val_score(model, np.delete(X, j, axis=1), THREE, cv=cv)
        np.testing.assert_allclose(found[j], everything - without, atol=1e-12)
