"""The selector as a transformer: scikit-learn's checks, names, cross-validation, bad input."""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from treelab.fast.selection import SubsetSelector

METHODS = ("best", "forward", "backward", "both", "stagewise")
X, Y = load_diabetes(return_X_y=True, as_frame=True)
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("method", METHODS)
def test_as_many_as_asked_are_kept_of_a_table_or_of_its_numbers(method):
    kept = SubsetSelector(method, n_features=3).fit(X, Y)
    names = kept.get_feature_names_out()
    assert kept.n_features_ == len(names) == 3
    table = kept.steps_table()
    assert table["n_features"][table["chosen"]].tolist() == [3]
    np.testing.assert_array_equal(kept.transform(X), X[names])
    plain = SubsetSelector(method, n_features=3).fit(X.to_numpy(), Y.to_numpy())
    np.testing.assert_array_equal(plain.support_, kept.support_)
    assert plain.get_feature_names_out()[0].startswith("x")


def test_the_model_at_the_end_is_least_squares():
    for method in METHODS[:4]:
        model = SubsetSelector(method).fit(X, Y)
        chosen = model.steps_table()["chosen"].idxmax()
        raw = model.path_table(standardized=False).loc[chosen]
        line = LinearRegression().fit(model.transform(X), Y)
        np.testing.assert_allclose(raw[model.support_], line.coef_, rtol=1e-8)
        assert (raw[~model.support_] == 0).all()
        scaled = model.path_table().loc[chosen]
        np.testing.assert_allclose(scaled, raw * X.std(ddof=0), rtol=1e-8)


def test_ranks():
    forward = SubsetSelector("forward").fit(X, Y)
    entered = forward.steps_table()["entered"][1:]
    assert [X.columns[np.flatnonzero(forward.ranking_ == r)[0]] for r in range(1, 11)] == [*entered]
    backward = SubsetSelector("backward").fit(X, Y)
    left = backward.steps_table()["left"][:0:-1]
    assert [X.columns[np.flatnonzero(backward.ranking_ == r)[0]] for r in range(1, 11)] == [*left]
    constant = X.assign(age=1.0, bp=X["sex"])
    assert SubsetSelector("forward").fit(constant, Y).ranking_[[0, 3]].tolist() == [9, 9]
    assert SubsetSelector("backward").fit(constant, Y).ranking_[[0, 3]].tolist() == [9, 9]
    model = SubsetSelector("forward").fit(X, Y).set_params(method="best").fit(X, Y)
    assert not hasattr(model, "ranking_")


# --- cross-validation -----------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS[:4])
def test_errors_of_cross_validation_are_those_of_pipelines(method):
    """The search is part of what is repeated in each fold."""
    folds = KFold(4, shuffle=True, random_state=1)
    model = SubsetSelector(method, criterion="cv", cv=folds).fit(X, Y)
    table = model.steps_table()
    for k in (1, 4, 9):
        line = make_pipeline(SubsetSelector(method, n_features=k), LinearRegression())
        loss = (cross_val_predict(line, X, Y, cv=folds) - Y) ** 2
        row = table[table["n_features"] == k].iloc[0]
        assert row["cv_error"] == pytest.approx(loss.mean(), rel=1e-9)
        assert row["cv_se"] == pytest.approx(loss.std(ddof=0) / np.sqrt(len(Y)), rel=1e-9)
    assert table["cv_error"][table["chosen"]].item() == table["cv_error"].min()
    seeded = SubsetSelector(method, criterion="cv", cv=4, random_state=1).fit(X, Y)
    pd.testing.assert_frame_equal(seeded.steps_table(), table)


def test_stagewise_is_validated_move_by_move():
    folds = KFold(3)
    model = SubsetSelector("stagewise", criterion="cv", cv=folds, step=0.02).fit(X, Y)
    loss = np.zeros(len(model.steps_))
    for train, test in folds.split(X):
        path = SubsetSelector("stagewise", step=0.02).fit(X.iloc[train], Y.iloc[train])
        table = path.path_table(standardized=False).to_numpy()
        table = table[np.minimum(np.arange(len(loss)), len(table) - 1)]
        rows = X.iloc[test] - X.iloc[train].mean()
        said = Y.iloc[train].mean() + rows.to_numpy() @ table.T
        loss += ((Y.iloc[test].to_numpy()[:, None] - said) ** 2).sum(axis=0)
    np.testing.assert_allclose(model.steps_table()["cv_error"], loss / len(Y), rtol=1e-9)
    assert model.steps_table()["chosen"].idxmax() == loss.argmin()


def test_a_size_that_a_fold_does_not_reach_is_not_chosen():
    X = np.column_stack([RNG.normal(size=(12, 2)), np.r_[1, np.zeros(11)]])
    y = X.sum(axis=1)
    model = SubsetSelector("forward", criterion="cv", cv=12, random_state=0).fit(X, y)
    assert np.isnan(model.steps_table()["cv_error"].iloc[-1])
    assert model.support_.tolist() == [True, True, False]


# --- columns that say nothing, few rows, exact fits ------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_an_exact_fit_is_the_end(method):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 6))
    model = SubsetSelector(method, step=None, criterion="bic").fit(rows, rows[:, 1] - rows[:, 4])
    assert model.get_support(indices=True).tolist() == [1, 4] or method == "stagewise"
    assert model.support_[[1, 4]].all()


def test_after_an_exact_fit_nothing_is_gained():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 6))
    table = SubsetSelector("forward").fit(rows, rows[:, 1] - rows[:, 4]).steps_table()
    assert table["F"][2:].tolist() == [np.inf, 0, 0, 0, 0]
    assert table["p_value"][2:].tolist() == [0, 1, 1, 1, 1]
    assert (table["aic"][2:] == -np.inf).all()


@pytest.mark.parametrize("method", METHODS[:4])
def test_a_number_is_kept_even_where_nothing_helps(method):
    model = SubsetSelector(method, n_features=2).fit(X, np.ones(len(X)))
    assert model.n_features_ == 2


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_target_asks_for_no_feature(method):
    for value in (0.0, 0.1, 1e300):
        model = SubsetSelector(method).fit(X, np.full(len(X), value))
        assert model.n_features_ == 0
        assert (model.steps_table()["rss"] == 0).all()


@pytest.mark.parametrize("method", ["forward", "both", "stagewise"])
def test_fewer_rows_than_columns(method):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(12, 40))
    y = 5 * rows[:, 30] + 0.1 * rng.normal(size=12)
    model = SubsetSelector(method, n_features=1).fit(rows, y)
    assert model.get_support(indices=True).tolist() == [30]
    if method == "forward":
        assert model.n_iter_ == 1
    if method != "stagewise":
        path = SubsetSelector(method, n_features=10).fit(rows, y).steps_table()
        assert path["n_features"].max() == 10


# --- bad input: what is wrong, the call, the error, what its message says ----------------------


def fit(rows=X, y=Y, **parameters):
    return SubsetSelector(**parameters).fit(rows, y)


FEW = X[:9], Y[:9]


@each("case", refused("subset_selector"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
