"""Bagging: any estimator, both votes, and every attribute recomputed from the samples."""

import joblib
import numpy as np
import pandas as pd
import pytest
from cases import each
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treelab import (
    BaggingClassifier,
    BaggingRegressor,
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
)

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
SUGAR, PROGRESS = (part[:120] for part in load_diabetes(return_X_y=True))

CLASSIFIERS = {
    "tree": DecisionTreeClassifier(),
    "neighbors": KNeighborsClassifier(3),
    "logistic": LogisticRegression(max_iter=500),
    "pipeline": make_pipeline(StandardScaler(), KNeighborsClassifier(2)),
}
every_classifier = pytest.mark.parametrize("estimator", CLASSIFIERS.values(), ids=CLASSIFIERS)


# --- members and votes ---------------------------------------------------------------------


@every_classifier
@each("voting", ["soft", "hard"])
def test_votes_are_the_mean_of_members_fitted_on_their_samples(estimator, voting):
    bag = BaggingClassifier(estimator, 8, voting=voting, random_state=0).fit(IRIS, NAMES)
    total, stages = np.zeros((150, 3)), bag.staged_predict(IRIS)
    for rows, member in zip(bag.estimators_samples_, bag.estimators_):
        again = clone(estimator).fit(IRIS[rows], SPECIES[rows])
        shares = again.predict_proba(IRIS)
        np.testing.assert_array_equal(member.predict_proba(IRIS), shares)
        total += shares if voting == "soft" else np.eye(3)[again.predict(IRIS)]
        np.testing.assert_array_equal(next(stages), bag.classes_[total.argmax(axis=1)])
    np.testing.assert_allclose(bag.predict_proba(IRIS), total / 8, atol=1e-15)
    np.testing.assert_array_equal(np.exp(bag.predict_log_proba(IRIS)) > 0, total > 0)
    np.testing.assert_array_equal(bag.predict(IRIS), bag.classes_[total.argmax(axis=1)])
    assert not hasattr(estimator, "classes_")


@pytest.mark.parametrize(
    "estimator", [None, LinearRegression(), DecisionTreeRegressor(max_depth=3)]
)
def test_regression_is_the_mean(estimator):
    bag = BaggingRegressor(estimator, 8, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="no out-of-bag prediction"):
        bag.fit(SUGAR, PROGRESS)
    said = []
    for rows in bag.estimators_samples_:
        model = clone(estimator or DecisionTreeRegressor())
        said.append(model.fit(SUGAR[rows], PROGRESS[rows]).predict(SUGAR))
    np.testing.assert_allclose(bag.predict(SUGAR), np.mean(said, axis=0), rtol=1e-12)
    stages = list(bag.staged_predict(SUGAR))
    assert len(stages) == 8
    for b, stage in enumerate(stages, 1):
        np.testing.assert_allclose(stage, np.mean(said[:b], axis=0), rtol=1e-12)
    unseen = [[b for b in range(8) if i not in bag.estimators_samples_[b]] for i in range(120)]
    expected = [np.mean([said[b][i] for b in u]) if u else 0.0 for i, u in enumerate(unseen)]
    np.testing.assert_allclose(bag.oob_prediction_, expected, rtol=1e-12)
    assert bag.oob_score_ == pytest.approx(r2_score(PROGRESS, expected))
    assert bag.oob_coverage_ == np.mean([len(u) > 0 for u in unseen]) < 1


def test_members_may_miss_a_class():
    y = np.array(["rare"] + ["often"] * 10 + ["some"] * 9)
    X = np.arange(20.0)[:, None]
    for voting in ("soft", "hard"):
        bag = BaggingClassifier(n_estimators=30, voting=voting, random_state=0).fit(X, y)
        assert {len(member.classes_) for member in bag.estimators_} == {2, 3}
        votes = bag.predict_proba(X)
        assert votes.shape == (20, 3)
        np.testing.assert_allclose(votes.sum(axis=1), 1)
        saw = np.mean([0 in rows for rows in bag.estimators_samples_])
        assert votes[0, 1] == pytest.approx(saw)  # only who has drawn row 0 says "rare"
        assert bag.predict(X)[1:].tolist() == y[1:].tolist()
        assert votes[19].tolist() == [0, 0, 1]  # also of the members that know two classes


def test_frames_with_text_reach_the_members():
    frame = pd.DataFrame({"color": ["red", "blue", None, "green"] * 10, "size": range(40)})
    y = np.where(frame["color"] == "red", "yes", "no")
    bag = BaggingClassifier(C45Classifier(handle_unknown="missing"), 9, random_state=0)
    bag.fit(frame, y)
    total = np.zeros((40, 2))
    for rows in bag.estimators_samples_:
        member = C45Classifier(handle_unknown="missing").fit(frame.iloc[rows], y[rows])
        total += member.predict_proba(frame)
    np.testing.assert_allclose(bag.predict_proba(frame), total / 9, atol=1e-12)
    assert bag.feature_names_in_.tolist() == ["color", "size"]
    with pytest.raises(ValueError, match="feature names"):
        bag.predict(frame[["size", "color"]])


def test_every_member_with_chance_gets_a_seed_of_its_own():
    tree = DecisionTreeClassifier(max_features=1, random_state=5)
    bag = BaggingClassifier(tree, 6, bootstrap=False, random_state=0).fit(IRIS, SPECIES)
    assert len({member.random_state for member in bag.estimators_}) == 6
    trees = [member.tree_ for member in bag.estimators_]
    assert not any(a.equals(b) for a, b in zip(trees, trees[1:]))
    again = BaggingClassifier(tree, 6, bootstrap=False, random_state=0).fit(IRIS, SPECIES)
    assert all(a.equals(b.tree_) for a, b in zip(trees, again.estimators_))
    assert tree.random_state == 5


# --- samples ---------------------------------------------------------------------------------


def test_without_bootstrap_all_members_are_the_one_model():
    bag = BaggingRegressor(n_estimators=3, bootstrap=False).fit(SUGAR, PROGRESS)
    alone = DecisionTreeRegressor().fit(SUGAR, PROGRESS)
    assert all(member.tree_.equals(alone.tree_) for member in bag.estimators_)
    assert all((rows == np.arange(120)).all() for rows in bag.estimators_samples_)


def test_weights_reach_the_members():
    weight = np.random.default_rng(0).uniform(0.1, 3, 150)
    weight[::5] = 0
    bag = BaggingClassifier(n_estimators=6, random_state=0).fit(IRIS, SPECIES, weight)
    for rows, member in zip(bag.estimators_samples_, bag.estimators_):
        assert len(rows) == 120
        assert (weight[rows] > 0).all()
        again = DecisionTreeClassifier().fit(IRIS[rows], SPECIES[rows], weight[rows])
        assert again.tree_.equals(member.tree_)
    # A row of weight 0 is as good as absent.
    kept = weight > 0
    absent = BaggingClassifier(n_estimators=6, random_state=0)
    absent.fit(IRIS[kept], SPECIES[kept], weight[kept])
    np.testing.assert_array_equal(absent.predict_proba(IRIS), bag.predict_proba(IRIS))


# --- warm starts, workers, seeds -----------------------------------------------------------


def test_workers_in_processes_change_no_bit():
    settings = {"n_estimators": 12, "oob_score": True, "random_state": 3}
    here = BaggingClassifier(DecisionTreeClassifier(max_features=2), **settings).fit(IRIS, NAMES)
    with joblib.parallel_backend("loky"):
        there = clone(here).set_params(n_jobs=2).fit(IRIS, NAMES)
    assert all(a.tree_.equals(b.tree_) for a, b in zip(here.estimators_, there.estimators_))
    np.testing.assert_array_equal(here.oob_decision_function_, there.oob_decision_function_)
