"""What a target is, for selectors that fit models; defaults that do what their names say."""

import warnings

import numpy as np
import pytest
from cases import assert_refused, each, refused
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.fast.selection import (
    SVMRFE,
    Boruta,
    FilterSelector,
    ForestRFE,
    GenuerSelector,
    LocalImportanceSelector,
    RegularizedBoostSelector,
    RegularizedForestSelector,
    StochasticRFE,
    SubsetSelector,
    null_selections,
)
from treelab.figures.choosing import procedure_error

X, Y = load_diabetes(return_X_y=True)
X, Y = X[:80], Y[:80]
WITHOUT_ESTIMATOR = [
    ForestRFE(step=9),
    StochasticRFE(step=0.5),
    Boruta(max_runs=1),
    GenuerSelector(n_forests=2, refine=False),
    SVMRFE(step=9),
    RegularizedForestSelector(n_estimators=2),
]


@pytest.mark.parametrize("selector", WITHOUT_ESTIMATOR, ids=lambda s: type(s).__name__)
def test_without_an_estimator_the_target_decides(selector):
    selector.set_params(random_state=0)
    for y in (Y, Y + 0.5):
        assert selector.fit(X, y).task_ == "regression"
    assert selector.fit(X, Y > 120).task_ == "classification"


def test_an_estimator_decides_and_is_named():
    forest = RandomForestClassifier(2)
    with pytest.warns(UserWarning, match="distinct whole numbers.*a regressor"):
        GenuerSelector(forest, n_forests=2, refine=False).fit(X, Y)
    assert ForestRFE(RandomForestRegressor(2), step=9).fit(X, Y > 120).task_ == "regression"


def test_a_criterion_decides_and_is_named():
    few = {"n_estimators": 2, "random_state": 0}
    with pytest.warns(UserWarning, match="distinct whole numbers.*criterion='squared_error'"):
        RegularizedForestSelector(criterion="entropy", **few).fit(X, Y)
    with pytest.warns(UserWarning, match="RegularizedBoostSelector reads.*RegularizedForestS"):
        RegularizedBoostSelector(**few).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        said = RegularizedForestSelector(task="classification", **few).fit(X, np.arange(80) // 3)
        numbers = RegularizedForestSelector(**few).fit(X, Y)
        same = RegularizedForestSelector(criterion="squared_error", **few).fit(X, Y + 0.5)
        binary = RegularizedForestSelector(criterion="squared_error", **few).fit(X, Y > 120)
    assert (said.task_, said.criterion_) == ("classification", "entropy")
    assert (numbers.task_, numbers.criterion_) == ("regression", "squared_error")
    assert [step["feature"] for step in numbers.steps_] == [step["feature"] for step in same.steps_]
    assert binary.task_ == "regression"
    assert not hasattr(numbers, "classes_")


def test_the_error_of_a_procedure_keeps_the_task():
    few = np.arange(24) % 24  # a bootstrap sample holds about 15 of these values
    table = procedure_error(
        SVMRFE(step=9), X[:24], few, n_resamples=2, random_state=0, estimator=LinearRegression()
    )
    assert np.isfinite(table.loc[".632+", "error"])


def test_small_bins_of_counts_are_no_classes():
    counts = np.arange(80) // 2
    lafi = LocalImportanceSelector(FilterSelector("mutual_information", number=1), n_levels=3)
    numbers = lafi.fit(X, counts).chosen_
    same = lafi.fit(X, counts + 0.25).chosen_
    for a, b in zip(numbers, same, strict=True):
        np.testing.assert_array_equal(a, b)


def test_two_names_of_one_rule():
    forest = RandomForestClassifier(5)
    new, old = (ForestRFE(forest, r, random_state=0).fit(X, Y > 120) for r in ("one_se", "one_sd"))
    assert new.get_params()["rule"] == ForestRFE().rule == "one_se"
    assert new.rounds_ == old.rounds_


def test_blocks_fit_a_small_table():
    forest = RandomForestClassifier(3)
    rfe = StochasticRFE(forest, random_state=0).fit(X, Y > 120)
    assert rfe.block_ == 5
    assert rfe.rounds_table()["n_features"].tolist() == [10, 8, 7, 6, 5]
    with pytest.warns(UserWarning, match="block=54 and step=0.2.*All are kept"):
        assert StochasticRFE(forest, block=54, random_state=0).fit(X, Y > 120).n_features_ == 10


def test_forward_stops_when_enough_are_chosen():
    wide = np.random.default_rng(0).normal(size=(60, 30))
    y = wide[:, 3] + 0.5 * wide[:, 7]
    some, all_ = (SubsetSelector("forward", n_features=n).fit(wide, y) for n in (5, 30))
    assert some.n_iter_ == 5
    for column in ("entered", "rss"):
        assert some.steps_table()[column].tolist() == all_.steps_table()[column].tolist()[:6]
    assert some.support_.tolist() == (all_.ranking_ <= 5).tolist()


def test_shuffles_that_can_tell_nothing_are_said():
    lafi = LocalImportanceSelector(FilterSelector("f", number=1), n_levels=2)
    with pytest.warns(UserWarning, match="n_permutations=19 gives no p-value below 0.05"):
        null_selections(lafi, X, Y, n_permutations=19, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = null_selections(lafi, X, Y, n_permutations=20, random_state=0)
    assert found.support.shape == found.importances.shape == (20, 10)
    assert found.table.shape == (10, 7)
    with pytest.warns(UserWarning, match="p_max is 1 for all features"):
        found = null_selections(FilterSelector("f", number=3), X, Y, random_state=0)
    assert (found.table["p_max"] == 1).all()


@each("case", refused("tasks"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
