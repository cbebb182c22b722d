"""Random subspaces in bagging, and ensembles as sequences of their base estimators."""

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from cases import each
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.random_projection import GaussianRandomProjection

import treelab
from treelab.fast.importance import mean_decrease_impurity, shap_values

X, Y = load_wine(return_X_y=True, as_frame=True)
SUBSPACES = [
    ({"max_features": 5}, 5),
    ({"max_features": 0.4}, 5),
    ({"max_features": "sqrt"}, 3),
    ({"max_features": 1.0}, 13),
    ({"max_features": None}, 13),
    ({"bootstrap_features": True}, 13),
    ({"max_features": 0.01, "bootstrap": False}, 1),
]


def bag(**settings):
    return treelab.BaggingClassifier(**{"n_estimators": 4, "random_state": 0} | settings)


@each("settings, m", SUBSPACES, ids=str)
@each("table", [X, X.to_numpy()], ids=["frame", "array"])
def test_each_member_is_fitted_on_its_rows_and_features(settings, m, table):
    model = bag(**settings).fit(table, Y)
    votes, values = [], X.to_numpy()
    drawn = model.estimators_samples_, model.estimators_features_
    for member, rows, features in zip(model, *drawn, strict=True):
        assert len(features) == m == member.n_features_in_
        assert (np.diff(features) > -settings.get("bootstrap_features", False)).all()
        again = treelab.DecisionTreeClassifier().fit(values[rows][:, features], Y[rows])
        assert again.tree_.equals(member.tree_)
        votes.append(again.predict_proba(values[:, features]))
    np.testing.assert_allclose(model.predict_proba(table), np.mean(votes, axis=0))
    assert len({tuple(features) for features in model.estimators_features_}) > (m < 13)


def test_rows_and_seeds_do_not_depend_on_the_features():
    whole, some = bag().fit(X, Y), bag(max_features=4).fit(X, Y)
    for a, b in zip(whole.estimators_samples_, some.estimators_samples_, strict=True):
        np.testing.assert_array_equal(a, b)


@each(
    "model",
    [
        treelab.BaggingClassifier(max_features=3),
        treelab.BaggingClassifier(KNeighborsClassifier(3)),
        treelab.BaggingRegressor(treelab.DecisionTreeRegressor(max_features=2)),
        treelab.RandomForestClassifier(max_features=2),
        treelab.RandomForestRegressor(max_features=2),
    ],
    ids=str,
)
def test_warm_starts_and_workers_give_the_members_of_one_fit(model):
    rows, y, settings = X[::3], Y[::3], {"n_estimators": 30, "oob_score": True}
    whole = clone(model).set_params(random_state=0, **settings).fit(rows, y)
    warm = clone(model).set_params(random_state=0, n_estimators=11, warm_start=True, n_jobs=2)
    first = list(warm.fit(rows, y))
    warm.set_params(**settings).fit(rows, y)
    for _ in range(2):  # the second time there is nothing to add
        assert len(warm) == 30
        assert all(a.tree_ is b.tree_ for a, b in zip(first, warm) if hasattr(a, "tree_"))
        np.testing.assert_array_equal(warm.predict(rows), whole.predict(rows))
        for name in ("estimators_samples_", "estimators_features_"):
            np.testing.assert_array_equal(getattr(warm, name, 0), getattr(whole, name, 0))
        np.testing.assert_array_equal(warm.oob_error_path(), whole.oob_error_path())
        assert warm.oob_score_ == whole.oob_score_
        warm.fit(rows, y)
    cold = warm.set_params(warm_start=False, oob_score=False, n_estimators=2).fit(rows, y)
    assert len(cold) == 2


def test_regressors_have_subspaces_too():
    model = treelab.BaggingRegressor(n_estimators=4, max_features=2, random_state=0)
    model.fit(X, X["ash"])
    each_one = [m.predict(X.iloc[:, f]) for m, f in zip(model, model.estimators_features_)]
    np.testing.assert_allclose(model.predict(X), np.mean(each_one, axis=0))


def test_a_seed_reaches_the_steps_of_a_pipeline():
    """They are drawn after the seed of the estimator itself, by which a tree stays what it was."""
    steps = make_pipeline(GaussianRandomProjection(4), treelab.DecisionTreeClassifier())
    first, second = (bag(estimator=steps).fit(X, Y) for _ in range(2))
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    assert isinstance(first[0][0].random_state, int)
    boosted = treelab.AdaBoostClassifier(treelab.DecisionTreeClassifier(max_depth=1), 2)
    for member, plain in zip(bag(estimator=boosted).fit(X, Y), bag().fit(X, Y), strict=True):
        assert member.random_state == plain.random_state


def test_categories_are_those_of_the_columns_that_a_member_sees():
    table = X.iloc[:, :3].assign(kind=pd.Categorical(np.where(Y == 1, "b", "a")))[
        ["kind", *X.columns[:3]]
    ]
    model = bag(max_features=2, n_estimators=6).fit(table, Y)
    for member, features in zip(model, model.estimators_features_, strict=True):
        assert list(member.categories_) == [0] * (0 in features)
    assert mean_decrease_impurity(model).argmax() == 0


def test_importances_belong_to_the_features_of_the_whole_table():
    model = bag(max_features=4, n_estimators=5).fit(X, Y)
    mean = np.zeros(13)
    for member, features in zip(model, model.estimators_features_, strict=True):
        mean[features] += member.tree_.decrease_by_feature(4)  # all roots weigh the same
    np.testing.assert_allclose(mean_decrease_impurity(model), mean / mean.sum(), atol=1e-12)
    shap = shap_values(model, X[:5])
    total = shap.expected_value + shap["values"].sum(axis=1)
    np.testing.assert_allclose(total, model.predict_proba(X[:5]), atol=1e-12)


@each("wrong", [0, 14, 0.0, 1.5, -1, "all", True])
def test_numbers_of_features_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match="^max_features must be a whole number from 1 to 13"):
        bag(max_features=wrong).fit(X, Y)


ENSEMBLES = ["Bagging", "RandomForest", "AdaBoost", "GradientBoosting"]


@each("kind", ENSEMBLES)
def test_ensembles_are_sequences_as_in_scikit_learn(kind, capsys):
    table, y = load_iris(return_X_y=True)
    for task in ("Classifier", "Regressor"):
        for module in (treelab, sklearn.ensemble):
            model = getattr(module, kind + task)(n_estimators=3, random_state=0)
            with pytest.raises(AttributeError):
                len(model)
            model.fit(table, y)
            assert len(model) == len(list(model)) == 3
            assert type(model[0]) is type(next(iter(model)))
            assert len(model[1:]) == 2
            assert np.shape(model[-1]) == np.shape(model.estimators_[-1])
            with pytest.raises(IndexError):
                model[3]
            assert capsys.readouterr() == ("", "")
        getattr(treelab, kind + task)(n_estimators=3, random_state=0, verbose=1).fit(table, y)
        out, err = capsys.readouterr()  # a bar is shown where it is asked for
        assert out == ""
        assert "3/3" in err


@each("task", ["Classifier", "Regressor"])
def test_paths_of_a_forest_are_those_of_its_trees(task):
    table, y = load_iris(return_X_y=True)
    model = getattr(treelab, f"RandomForest{task}")(5, random_state=0).fit(table, y)
    paths, bounds = model.decision_path(table[::7])
    assert bounds.tolist() == [0, *np.cumsum([tree.tree_.node_count for tree in model])]
    assert paths.shape == (len(table[::7]), bounds[-1])
    for b, tree in enumerate(model):
        part = paths[:, bounds[b] : bounds[b + 1]]
        assert (part != tree.decision_path(table[::7])).nnz == 0
    leaves = model.apply(table[::7]) + bounds[:-1]
    assert (paths.toarray()[np.arange(len(leaves))[:, None], leaves] == 1).all()
    theirs = getattr(sklearn.ensemble, f"RandomForest{task}")(5, random_state=0).fit(table, y)
    other, other_bounds = theirs.decision_path(table[::7])
    assert (other.format, other.dtype.kind) == (paths.format, paths.dtype.kind)
    assert other_bounds.shape == bounds.shape
