"""Elimination: ranks against scikit-learn and Weka, workers, errors; the plain one has rules."""

import gzip
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from places import DATA
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, make_classification, make_friedman1
from sklearn.ensemble import GradientBoostingRegressor as TheirBoosting
from sklearn.ensemble import RandomForestRegressor as TheirRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

from treelab import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast.selection import SVMRFE, Boruta, FilterSelector, ForestRFE, StochasticRFE
from treelab.figures.choosing import procedure_error

FEW = RandomForestClassifier(4, max_depth=3)
IRIS, SPECIES = load_iris(return_X_y=True, as_frame=True)
DIABETES, PROGRESS = load_diabetes(return_X_y=True, as_frame=True)
X, Y = make_classification(120, 12, n_informative=3, n_redundant=0, shuffle=False, random_state=1)


# --- the rules ------------------------------------------------------------------------------


def test_a_size_that_comes_twice_is_fitted_twice():
    rfe = ForestRFE(FEW, "alpha_sd", importance="mdi", random_state=0).fit(X, Y)
    assert rfe.rounds_table()["n_features"].tolist() == [12, 9, 7, 6, 4, 3, 3, 2, 2]
    assert rfe.rounds_table()["chosen"].sum() == 1


# --- the ranks ------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("model", [LinearRegression(), DecisionTreeRegressor()], ids=str)
def test_ranking_anew_is_that_of_scikit_learn(model, step):
    """A model without chance: all that leave together share a rank there."""
    theirs = RFE(model, n_features_to_select=1, step=step).fit(DIABETES, PROGRESS)
    ours = ForestRFE(
        model, importance="mdi", rank="anew", step=step, min_features_to_select=1,
        error="validation",
    ).fit(DIABETES, PROGRESS, held_out=(DIABETES, PROGRESS))  # fmt: skip
    order = np.argsort(ours.ranking_)
    assert (np.diff(theirs.ranking_[order]) >= 0).all()
    assert sorted(ours.ranking_) == list(range(1, 11))


def test_one_column_and_rows_fewer_than_columns():
    one = ForestRFE(FEW, random_state=0).fit(IRIS[["petal width (cm)"]], SPECIES)
    assert one.rounds_table()["n_features"].tolist() == [1]
    assert one.support_.tolist() == [True]
    wide = np.random.default_rng(0).normal(size=(20, 50))
    wide[:, 7] += 9 * (np.arange(20) % 2)
    rfe = ForestRFE(RandomForestClassifier(60), random_state=0).fit(wide, np.arange(20) % 2)
    assert rfe.ranking_[7] == 1


def test_constant_columns_leave_first_and_copies_share():
    rows = np.column_stack([np.ones(120), X[:, :3], np.ones(120), X[:, 0]])
    rfe = ForestRFE(RandomForestClassifier(20), importance="mdi", random_state=0).fit(rows, Y)
    assert {rfe.ranking_[0], rfe.ranking_[4]} == {5, 6}
    assert rfe.ranking_[0] < rfe.ranking_[4]  # of equal ones the first is the better


def test_importances_that_are_all_0_are_flagged():
    with pytest.warns(UserWarning, match="all importances are 0"):
        rfe = ForestRFE(FEW, importance="mdi", random_state=0).fit(np.ones((30, 4)), Y[:30])
    assert rfe.ranking_.tolist() == [1, 2, 3, 4]


# --- machines -------------------------------------------------------------------------------


def test_svm_ranks_as_weka():
    found = json.loads(gzip.decompress((DATA / "selection" / "svmrfe_iris.json.gz").read_bytes()))
    for scale in ("standardize", "normalize"):
        ranks = SVMRFE(scale=scale, multiclass="each").fit(IRIS, SPECIES).ranking_
        names = [found["attributes"][j] for j in np.argsort(ranks)]
        assert names == found[scale]["ranking_best_first"]


MACHINES = [SVC(kernel="linear", C=0.1), LinearSVC(), LogisticRegression()]


@each("scale", ["standardize", "normalize", None])
@each("machine", MACHINES, ids=str)
@each("data", ["iris", "two classes"])
def test_svm_ranks_as_scikit_learn(machine, scale, data):
    rows, y = (IRIS.to_numpy(), SPECIES) if data == "iris" else (X, Y)
    scaler = {"standardize": StandardScaler(), "normalize": MinMaxScaler(), None: None}[scale]
    scaled = rows if scaler is None else scaler.fit_transform(rows)
    if "random_state" in machine.get_params():
        machine = clone(machine).set_params(random_state=0, max_iter=100_000)
    theirs = RFE(machine, n_features_to_select=1).fit(scaled, y)
    ours = SVMRFE(machine, scale=scale, random_state=0).fit(rows, y)
    np.testing.assert_array_equal(ours.ranking_, theirs.ranking_)
    kept = RFE(machine).fit(scaled, y).support_
    np.testing.assert_array_equal(ours.support_, kept)


def test_svm_for_each_class_takes_the_best_in_turn():
    rfe = SVMRFE(multiclass="each", n_features_to_select=2).fit(IRIS, SPECIES)
    table = rfe.rounds_table()
    assert len(table) == 3 * 4
    best = [of.sort_values("n_features")["left"].tolist() for _, of in table.groupby("class")]
    merged = list(dict.fromkeys(name for place in zip(*best) for name in place))
    assert rfe.steps_table()["feature"].tolist() == merged
    two = SVMRFE(multiclass="each").fit(X, Y)  # one machine
    np.testing.assert_array_equal(two.ranking_, SVMRFE().fit(X, Y).ranking_)


def test_svm_steps_are_shares_of_what_is_left_rounded_up():
    table = SVMRFE(step=0.3).fit(X, Y).rounds_table()
    assert table["n_features"].tolist() == [12, 8, 5, 3, 2, 1]
    assert [len(left.split(", ")) for left in table["left"]] == [4, 3, 2, 1, 1, 1]
    assert SVMRFE(step=5).fit(X, Y).rounds_table()["n_features"].tolist() == [12, 7, 2]


# --- workers and seeds ----------------------------------------------------------------------


def same(one, other):
    pd.testing.assert_frame_equal(one.rounds_table(), other.rounds_table())
    pd.testing.assert_frame_equal(one.steps_table(), other.steps_table())


@pytest.mark.parametrize("rank", ["once", "anew"])
def test_a_tie_at_the_border_is_told(rank):
    """Two columns that nothing can be learned from have the importance 0; one of them stays."""
    rows = np.column_stack([X[:, 0], np.zeros((len(X), 3))])
    rfe = ForestRFE(FEW, alpha=0, step=1, rank=rank, min_features_to_select=2, random_state=0)
    with pytest.warns(UserWarning, match=r"\d features have the same score, 0, and") as told:
        rfe.fit(rows, rows[:, 0] > 0)
    assert rfe.support_.sum() == 2
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ForestRFE(FEW, rank=rank, random_state=0).fit(X, Y)


# --- tables, models, pipelines --------------------------------------------------------------

TABLE = pd.DataFrame({
    "wind": pd.Categorical(["weak", "strong", "weak", "storm"] * 15),
    "noise": np.arange(60) % 7,
    "rain": np.arange(60) % 5 / 2,
    "sky": pd.Categorical(list("abc") * 20),
})  # fmt: skip
PLAY = np.array(["no", "yes", "no", "no"] * 15)


def test_categories_stay_categories():
    """By dtype, by name and by number; numbers change where a column before them is left out."""
    forest = RandomForestClassifier(20)
    found = [ForestRFE(forest, random_state=0).fit(TABLE, PLAY)]
    codes = TABLE.assign(wind=TABLE["wind"].cat.codes, sky=TABLE["sky"].cat.codes)
    for named in (["wind", "sky"], [0, 3], [True, False, False, True]):
        model = clone(forest).set_params(categorical_features=named)
        found.append(ForestRFE(model, random_state=0).fit(codes, PLAY))
    for one in found[2:]:
        same(found[1], one)
    for one in found:
        assert one.ranking_[0] == 1
        assert "wind" in one.get_feature_names_out()
        assert one.transform(TABLE).shape == (60, one.n_features_)
    frame = found[0].set_output(transform="pandas").transform(TABLE)
    pd.testing.assert_frame_equal(frame, TABLE[found[0].get_feature_names_out()])


MODELS = [
    (RandomForestRegressor(8), "oob", "oob"),
    (TheirRegressor(8), "oob", "oob"),
    (TheirBoosting(n_estimators=8), "mdi", "validation"),
    (DecisionTreeRegressor(max_depth=3), "mdi", "validation"),
    (make_pipeline(StandardScaler(), LinearRegression()), "mdi", "validation"),
    (BaggingClassifier(n_estimators=8), "oob", "oob"),
    (AdaBoostClassifier(n_estimators=4), "mdi", "validation"),
    (LogisticRegression(max_iter=5000), "mdi", "validation"),
    (RandomForestClassifier(8, max_features=3), "oob", "oob"),
]


@pytest.mark.filterwarnings("ignore:.*no out-of-bag")
@each(("model", "importance", "error"), MODELS, ids=str)
@each("rank", ["once", "anew"])
def test_any_estimator_with_importances(model, importance, error, rank):
    rows, y = (IRIS, SPECIES) if hasattr(model, "predict_proba") else (DIABETES, PROGRESS)
    rfe = ForestRFE(model, importance=importance, error=error, rank=rank, random_state=0)
    rfe.fit(rows, y)
    assert 2 <= rfe.n_features_ <= rows.shape[1]
    assert sorted(rfe.ranking_) == list(range(1, rows.shape[1] + 1))
    assert rfe.support_[rfe.ranking_ <= rfe.n_features_].all()
    table = rfe.steps_table()
    assert table["kept"].sum() == rfe.n_features_
    assert (table["smallest_set"].diff()[1:] >= 0).all()
    strong = "petal" if rows is IRIS else ("bmi", "s5")
    assert table["feature"][0].startswith(strong)


def test_the_error_of_numbers_is_the_mean_square_and_its_standard_error():
    rfe = ForestRFE(
        DecisionTreeRegressor(max_depth=3), importance="mdi", error="validation", random_state=0
    )
    held_out = DIABETES[:100], PROGRESS[:100]
    rfe.fit(DIABETES[100:], PROGRESS[100:], held_out=held_out)
    tree = DecisionTreeRegressor(max_depth=3).fit(DIABETES[100:], PROGRESS[100:])
    losses = (tree.predict(held_out[0]) - held_out[1]) ** 2
    first = rfe.rounds_table().iloc[0]
    assert first["error"] == pytest.approx(losses.mean())
    assert first["se"] == pytest.approx(losses.std(ddof=0) / 10)


def test_the_error_of_the_procedure_follows_from_the_seeds():
    rfe = ForestRFE(RandomForestClassifier(5), random_state=0)
    first = procedure_error(rfe, IRIS, SPECIES, n_resamples=5, random_state=0)
    for _ in range(2):
        again = procedure_error(rfe, IRIS, SPECIES, n_resamples=5, random_state=0)
        pd.testing.assert_frame_equal(first, again)


# --- bad input ------------------------------------------------------------------------------


def rfe(X=X, y=Y, held_out=None, estimator=FEW, **parameters):
    return ForestRFE(estimator, **parameters).fit(X, y, held_out=held_out)


def blocks(X=X, y=Y, **parameters):
    return StochasticRFE(FEW, **parameters).fit(X, y)


def machine(X=X, y=Y, **parameters):
    return SVMRFE(**parameters).fit(X, y)


@each("case", refused("elimination"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())


# --- blocks around another selector, as the source suggests for Boruta ----------------------

SOME = FilterSelector("f", percentage=40)


def test_rounds_by_hand():
    """Of a block of five two stay, and of a smaller one at least one: 12, 2 + 2 + 1, 2, 1."""
    meta = StochasticRFE(FEW, block=5, selector=SOME, random_state=3).fit(X, Y)
    generator, stays, sets = np.random.RandomState(3), list(range(12)), []
    while not sets or len(stays) < len(sets[-1]):
        sets.append(stays)
        generator.randint(2**31 - 1)  # the seed of the model of all of them
        dealt, stays = generator.permutation(sets[-1]).tolist(), []
        blocks = [sorted(dealt[i : i + 5]) for i in range(0, len(dealt), 5)]
        for block in blocks:
            generator.randint(2**31 - 1)
            table = SOME.fit(X[:, block], Y).get_support()
            stays += [j for j, stay in zip(block, table, strict=True) if stay]
        stays.sort()
    assert meta.rounds_table()["n_features"].tolist() == [len(each) for each in sets]
    assert [len(each) for each in sets] == [12, 5, 2, 1]
    assert np.flatnonzero(meta.ranking_ == 1).tolist() == sets[-1]
    assert np.isnan(meta.importances_).all()


def test_boruta_in_blocks_finds_what_matters():
    X, y = make_friedman1(200, 20, random_state=0)
    boruta = Boruta(RandomForestRegressor(20, max_depth=4), max_runs=10)
    forest = RandomForestRegressor(20, random_state=0)
    with pytest.warns(ConvergenceWarning):  # some features stay tentative
        meta = StochasticRFE(forest, block=10, selector=boruta, random_state=0).fit(X, y)
    kept = set(np.flatnonzero(meta.ranking_ == 1))
    assert {0, 1, 3, 4} <= kept
    assert len(kept) <= 10
    again = StochasticRFE(forest, block=10, selector=boruta, random_state=0)
    with pytest.warns(ConvergenceWarning):
        pd.testing.assert_frame_equal(again.fit(X, y).steps_table(), meta.steps_table())


class Nothing(FilterSelector):
    """Keeps no feature."""

    def get_support(self, indices=False):
        return np.zeros(self.n_features_in_, dtype=bool)


def test_a_selector_that_keeps_nothing_ends_the_rounds():
    meta = StochasticRFE(FEW, block=5, selector=Nothing("f"), random_state=0).fit(X, Y)
    assert meta.rounds_table()["n_features"].tolist() == [12]
    assert meta.n_features_ == 12
