"""Out of bag: every case by the members that have not seen it, written out as loops."""

import pickle
import warnings
from copy import deepcopy
from unittest.mock import patch

import joblib
import numpy as np
import pandas as pd
import pytest
from cases import each
from sklearn.base import clone

from treelab import (
    BaggingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast.bagging.out_of_bag import (
    OutOfBag,
    draw_sample,
    fingerprint,
    member_generator,
    number_of_draws,
)
from treelab.fast.importance import oob_permutation_importance


def members(n, n_outputs, B, seed, left_out=0.4):
    """Made-up members: the rows that each has not seen, and what it says of them."""
    rng = np.random.default_rng(seed)
    for _ in range(B):
        rows = np.flatnonzero(rng.random(n) < left_out)
        yield rows, rng.random((len(rows), n_outputs))


def judged(y, n_classes, given):
    judge = OutOfBag(y, n_classes)
    for rows, values in given:
        judge.add(rows, values)
    return judge


def loops(y, n_classes, given):
    """Mean prediction of each case, None where there is none; error and coverage by member."""
    n, path = len(y), []
    for b in range(1, len(given) + 1):
        mean = []
        for i in range(n):
            said = [values[list(rows).index(i)] for rows, values in given[:b] if i in rows]
            mean.append(np.mean(said, axis=0) if said else None)
        if n_classes:
            losses = [np.argmax(m) != y[i] for i, m in enumerate(mean) if m is not None]
        else:
            losses = [(m[0] - y[i]) ** 2 for i, m in enumerate(mean) if m is not None]
        path.append((np.mean(losses) if losses else np.nan, len(losses) / n))
    return mean, path


@each("n_classes", [0, 2, 4])
@each("B", [1, 3, 12])
def test_its_definition(n_classes, B):
    rng = np.random.default_rng(7)
    y = rng.integers(0, n_classes, 20) if n_classes else rng.normal(size=20)
    given = list(members(20, n_classes or 1, B, seed=B))
    judge = judged(y, n_classes, given)
    mean, path = loops(y, n_classes, given)
    assert judge.votes.tolist() == [sum(i in rows for rows, _ in given) for i in range(20)]
    np.testing.assert_allclose(judge.path, path, rtol=1e-12)
    assert judge.coverage == path[-1][1] == np.mean([m is not None for m in mean])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = judge.prediction()
    zeros = np.zeros(n_classes or 1)
    np.testing.assert_allclose(found, [zeros if m is None else m for m in mean], rtol=1e-12)


def test_nothing_is_known_before_the_first_vote():
    judge = OutOfBag(np.array([0, 1]), 2)
    assert judge.coverage == 0
    judge.add(np.array([], dtype=int), np.zeros((0, 2)))
    judge.add(np.array([1]), np.array([[0.9, 0.1]]))
    judge.add(np.array([0]), np.array([[0.9, 0.1]]))
    (first, none), second, third = judge.path
    assert np.isnan(first)
    assert (none, second, third) == (0.0, (1.0, 0.5), (0.5, 1.0))


def test_warning_says_how_many_cases_are_not_covered():
    judge = judged(np.zeros(5), 0, [(np.array([1, 3]), np.ones((2, 1)))])
    assert judge.coverage == 0.4
    with pytest.warns(UserWarning, match="^3 of 5 cases are in every bootstrap sample and have no"):
        prediction = judge.prediction()
    assert prediction[:, 0].tolist() == [0, 1, 0, 1, 0]


X = np.random.default_rng(0).normal(size=(60, 3))
CLASSES = (X[:, 0] + np.random.default_rng(1).normal(size=60) > 0).astype(int)


@pytest.mark.parametrize("kind", [BaggingClassifier, RandomForestClassifier])
def test_path_ends_at_the_score(kind):
    model = kind(n_estimators=40, oob_score=True, random_state=0).fit(X, CLASSES)
    path = model.oob_error_path()
    assert model.oob_coverage_ == 1
    assert path.shape == (40,)
    assert path[-1] == pytest.approx(1 - model.oob_score_)
    # Entry b - 1 is the error of an ensemble of b members.
    for b in (25, 35):
        smaller = kind(n_estimators=b, oob_score=True, random_state=0).fit(X, CLASSES)
        np.testing.assert_array_equal(smaller.oob_error_path(), path[:b])


@pytest.mark.parametrize("kind", [BaggingClassifier, RandomForestClassifier])
def test_too_few_members_warn_and_leave_zeros(kind):
    with pytest.warns(UserWarning, match="of 60 cases are in every bootstrap sample") as caught:
        model = kind(n_estimators=1, oob_score=True, random_state=0).fit(X, CLASSES)
    assert len(caught) == 1
    seen = np.isin(np.arange(60), model.estimators_samples_[0])
    assert model.oob_coverage_ == np.mean(~seen)
    assert (model.oob_decision_function_[seen] == 0).all()
    np.testing.assert_allclose(model.oob_decision_function_[~seen].sum(axis=1), 1)
    # The path leaves those cases out; the score counts them as the first class.
    guess = model.oob_decision_function_.argmax(axis=1)
    assert model.oob_score_ == pytest.approx(np.mean(guess == CLASSES))
    assert model.oob_error_path()[0] == pytest.approx(np.mean((guess != CLASSES)[~seen]))


# --- samples -----------------------------------------------------------------------------


def test_every_row_is_equally_likely():
    """Chi-squared test on 40 000 draws of 8 rows; 24.3 is passed once in a thousand."""
    rng, counts = np.random.default_rng(0), np.zeros(8)
    for _ in range(1000):
        rows, copies = draw_sample(rng, 8, 40)
        counts[rows] += copies
    assert counts.sum() == 40_000
    assert np.sum((counts - 5000) ** 2 / 5000) < 24.3


def test_members_draw_from_streams_of_their_own():
    first = member_generator(3, 0).random(4)
    np.testing.assert_array_equal(first, member_generator(3, 0).random(4))
    for seed, b in ((3, 1), (4, 0), (0, 3)):
        assert not np.isin(first, member_generator(seed, b).random(4)).any()


@each("max_samples", [0, 10, -1, 0.0, 1.5, np.nan, "all", True, [1]])
def test_wrong_number_of_draws(max_samples):
    with pytest.raises(ValueError, match="max_samples must be a whole number from 1 to 9"):
        number_of_draws(max_samples, True, 9)


# --- warm starts: each member keeps the sample that it was fitted on --------------------------

NUMBERS = X[:, 1] ** 2 + np.random.default_rng(2).normal(size=60)
WEIGHT = np.where(np.arange(60) < 6, 0.0, 1.0)
every_kind = pytest.mark.parametrize(
    ("kind", "y"),
    [
        (BaggingClassifier, CLASSES),
        (RandomForestRegressor, NUMBERS),
    ],
)


def warm(kind, **parameters):
    return kind(n_estimators=25, warm_start=True, random_state=0).set_params(**parameters)


def sealed(model):
    """Copies of what a model knows of its members' samples."""
    return [rows.copy() for rows in model.estimators_samples_]


def pickled(model):
    return pickle.loads(pickle.dumps(model))


def judged_by_hand(model, samples, y, n_outputs):
    """Out-of-bag prediction from the samples that were written down at each fit."""
    sums, votes = np.zeros((60, n_outputs)), np.zeros(60)
    for member, sample in zip(model.estimators_, samples, strict=True):
        unseen = np.setdiff1d(np.arange(60), sample)
        if not len(unseen):
            continue
        said = member.predict_proba(X[unseen]) if n_outputs > 1 else member.predict(X[unseen])
        sums[unseen] += np.asarray(said).reshape(len(unseen), n_outputs)
        votes[unseen] += 1
    return sums / votes[:, None]


@every_kind
@each(
    ("before", "after", "weights", "travels"),
    [
        ({"max_samples": 0.5}, {"max_samples": 0.9}, (None, None), None),
        ({"max_samples": 20}, {"max_samples": None}, (None, None), pickled),
        ({}, {"max_samples": 0.3, "n_jobs": 2}, (None, None), None),
        ({"bootstrap": False, "oob_score": False}, {"bootstrap": True}, (None, None), deepcopy),
        ({}, {}, (None, WEIGHT), pickled),
        ({"max_samples": 0.4}, {}, (WEIGHT, None), None),
    ],
)
def test_members_keep_their_samples_when_the_settings_change(
    kind, y, before, after, weights, travels
):
    model = warm(kind, **{"oob_score": True} | before).fit(X, y, sample_weight=weights[0])
    first = sealed(model)
    path = model.oob_error_path() if model.oob_score else None
    model = travels(model) if travels else model
    model.set_params(n_estimators=50, oob_score=True, **after)
    with joblib.parallel_config("threading"):
        model.fit(X, y, sample_weight=weights[1])
    samples = model.estimators_samples_
    assert len(samples) == 50
    for then, now in zip(first, samples[:25], strict=True):
        np.testing.assert_array_equal(then, now)
    # The new members' samples are those of a fit with the new settings alone.
    plain = {"n_estimators": 50, "warm_start": False}
    fresh = clone(model).set_params(**plain).fit(X, y, sample_weight=weights[1])
    for there, now in zip(fresh.estimators_samples_[25:], samples[25:], strict=True):
        np.testing.assert_array_equal(there, now)
    expected = judged_by_hand(model, samples, y, 2 if y is CLASSES else 1)
    found = model.oob_decision_function_ if y is CLASSES else model.oob_prediction_[:, None]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    if path is not None:
        np.testing.assert_array_equal(model.oob_error_path()[:25], path)


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_proximity_and_importance_out_of_bag_know_the_samples_of_a_warm_start(kind):
    y = CLASSES if kind is RandomForestClassifier else NUMBERS
    model = warm(kind, max_samples=0.3).fit(X, y)
    first = sealed(model)
    model.set_params(n_estimators=40, max_samples=0.8).fit(X, y)
    samples = first + model.estimators_samples_[25:]
    leaves, near = model.apply(X), model.proximity(X, oob_only=True)
    for i, j in ((0, 1), (5, 9), (30, 58)):
        both = [b for b in range(40) if i not in samples[b] and j not in samples[b]]
        assert near[i, j] == np.mean([leaves[i, b] == leaves[j, b] for b in both])
    per_tree = oob_permutation_importance(model, X, y, random_state=0).per_tree
    for b in (0, 24, 39):  # a tree's loss on the rows that it has not drawn: none is one it knows
        rows = np.setdiff1d(np.arange(60), samples[b])
        tree = model.trees_[b]
        seen = np.unique(tree.feature[tree.feature >= 0])
        assert len(rows) > 15
        assert np.isfinite(per_tree[b]).all()
        assert not per_tree[b, np.setdiff1d(np.arange(3), seen)].any()
    with patch.object(type(model), "estimators_samples_", samples):
        again = oob_permutation_importance(model, X, y, random_state=0).per_tree
    np.testing.assert_array_equal(again, per_tree)


OTHER = np.random.default_rng(9).normal(size=(60, 3))


@every_kind
@each(
    ("change", "what"),
    [
        (lambda X, y: (X[:50], y[:50]), "60 rows.*50"),
        (lambda X, y: (np.vstack([X, X]), np.r_[y, y]), "60 rows.*120"),
        (lambda X, y: (OTHER, y), "other rows"),
        (lambda X, y: (X, np.roll(y, 1)), "other rows"),
        (lambda X, y: (X[::-1], y[::-1]), "other rows"),
    ],
)
def test_other_rows_may_be_added_but_not_judged_out_of_bag(kind, y, change, what):
    """As in scikit-learn the new members may have other rows; no row is then out of bag for all."""
    model = warm(kind).fit(X, y)
    first, old = sealed(model), model.estimators_
    X2, y2 = change(X, y)
    model.set_params(n_estimators=30).fit(X2, y2)
    assert model.predict(X2).shape == (len(X2),)
    for then, now in zip(first, model.estimators_samples_[:25], strict=True):
        np.testing.assert_array_equal(then, now)
    assert all(rows.max() < len(X2) for rows in model.estimators_samples_[25:])
    if kind in (RandomForestClassifier, RandomForestRegressor):
        with pytest.raises(ValueError, match=f"oob_only.*same rows.*{what}"):
            model.proximity(X2, oob_only=True)
    with pytest.raises(ValueError, match=f"importance.*same rows.*{what}"):
        oob_permutation_importance(model, X2, y2)
    model = warm(kind, oob_score=True).fit(X, y)
    path, said = model.oob_error_path(), model.predict(X)
    with pytest.raises(ValueError, match=f"oob_score=True needs.*same rows.*{what}"):
        model.set_params(n_estimators=30).fit(X2, y2)
    # Nothing has changed, and the rows of before are still welcome.
    np.testing.assert_array_equal(model.predict(X), said)
    np.testing.assert_array_equal(model.oob_error_path(), path)
    assert len(model.fit(X, y).estimators_) == 30
    assert len(old) == 25


def test_the_content_of_a_table_is_known_again():
    frame = pd.DataFrame({"a": ["x", None, "y"], "b": [1.5, 2, np.nan], "c": [{}, (1,), True]})
    same = fingerprint(frame.copy(), ["u", "v", "u"])
    assert fingerprint(frame, np.array(["u", "v", "u"])) == same
    assert fingerprint(frame, np.array(["u", "v", "v"])) != same
    for column, cell in (("a", "z"), ("b", 1.25), ("c", False)):
        other = frame.astype(object)
        other.loc[0, column] = cell
        assert fingerprint(other, ["u", "v", "u"]) != same
    numbers = np.arange(6.0).reshape(3, 2)
    assert fingerprint(numbers) == fingerprint(np.asfortranarray(numbers))
    assert fingerprint(numbers) != fingerprint(numbers[::-1])


@each("kind", [BaggingClassifier, RandomForestClassifier])
@each(
    ("change", "what"),
    [
        (lambda: (X[:, :2], CLASSES), "2 features.*expecting 3"),
        (lambda: (np.hstack([X, X]), CLASSES), "6 features.*expecting 3"),
        (lambda: (X, CLASSES + (X[:, 2] > 1)), r"y must have the classes \[0, 1\].*\[0, 1, 2\]"),
        (lambda: (X, np.where(CLASSES, "b", "a")), r"y must have the classes \[0, 1\].*'a', 'b'"),
    ],
)
def test_new_members_need_the_columns_and_classes_of_the_old(kind, change, what):
    model = kind(n_estimators=3, warm_start=True, random_state=0).fit(X, CLASSES)
    said = model.predict_proba(X)
    with pytest.raises(ValueError, match=what):
        model.set_params(n_estimators=4).fit(*change())
    np.testing.assert_array_equal(model.predict_proba(X), said)
    assert len(model.set_params(warm_start=False).fit(*change())) == 4


def test_new_trees_read_categories_as_the_old_ones_do():
    frame = pd.DataFrame({"color": ["red", "blue", "green"] * 20, "size": X[:, 0]})
    y = (frame["color"] == "green").to_numpy(dtype=int)
    model = warm(RandomForestClassifier, categorical_features=["color"]).fit(frame, y)
    less = frame["color"] != "blue"
    model.set_params(n_estimators=50).fit(frame[less], y[less])  # "blue" keeps its number
    assert model.score(frame, y) == 1
    with pytest.raises(ValueError, match="'pink'.*not seen in fit"):
        model.set_params(n_estimators=60).fit(frame.replace("red", "pink"), y)
    with pytest.raises(ValueError, match="categorical_features.*warm_start"):
        model.set_params(categorical_features=["color", "size"]).fit(frame, y)


@every_kind
@each("again", [True, False])
def test_a_judgment_does_not_outlive_its_members(kind, y, again):
    model = warm(kind, oob_score=True).fit(X, y)
    model.set_params(n_estimators=30, oob_score=False, warm_start=again).fit(X, y)
    assert not [name for name in vars(model) if "oob" in name and name.endswith("_")]
    assert not hasattr(model, "out_of_bag_")


@every_kind
def test_a_fit_that_failed_leaves_nothing_to_warm_up(kind, y):
    model = warm(kind)
    with pytest.raises(ValueError, match="max_samples"):
        model.set_params(max_samples=61).fit(X, y)
    assert len(model.set_params(max_samples=0.5, n_estimators=3).fit(X, y).estimators_) == 3
