"""Ensembles and selectors read the whole input before they draw anything from it."""

import numpy as np
import pytest
from cases import each
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier as TheirTree

import treelab
from treelab import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.fast import selection
from treelab.fast.selection import (
    SVMRFE,
    Boruta,
    CFSSelector,
    FCBFSelector,
    FilterSelector,
    ForestRFE,
    GenuerSelector,
    LocalClusterRegressor,
    LocalImportanceSelector,
    RegularizedBoostSelector,
    RegularizedForestSelector,
    StochasticRFE,
    SubsetSelector,
)

FEW = RandomForestClassifier(2)
ESTIMATORS = [
    AdaBoostClassifier(n_estimators=2),
    AdaBoostClassifier(TheirTree(max_depth=1), n_estimators=2, resample=True),
    AdaBoostRegressor(n_estimators=2),
    BaggingClassifier(n_estimators=1),
    BaggingClassifier(TheirTree(), n_estimators=1, max_samples=2),
    BaggingClassifier(LogisticRegression(), n_estimators=1, max_samples=5),
    BaggingRegressor(n_estimators=1),
    BaggingRegressor(LinearRegression(), n_estimators=1),
    Boruta(FEW, max_runs=2),
    CFSSelector(),
    FCBFSelector(),
    FilterSelector(),
    FilterSelector("f"),
    ForestRFE(FEW),
    ForestRFE(FEW, error="validation"),
    GenuerSelector(FEW, n_forests=2),
    GradientBoostingClassifier(n_estimators=1, subsample=0.2),
    GradientBoostingRegressor(n_estimators=1, n_iter_no_change=1),
    LocalClusterRegressor(),
    LocalImportanceSelector(FilterSelector("f", number=1)),
    RandomForestClassifier(1, max_samples=2),
    RandomForestRegressor(1),
    RegularizedBoostSelector(n_estimators=1),
    RegularizedForestSelector(n_estimators=1),
    StochasticRFE(FEW, block=2),
    SubsetSelector("forward", criterion="cv"),
    SVMRFE(),
]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(int)


@each("estimator", ESTIMATORS)
@each("value", [np.inf, -np.inf, np.nan])
@pytest.mark.filterwarnings("ignore")
def test_no_row_is_drawn_before_all_are_read(estimator, value):
    if np.isnan(value) and isinstance(getattr(estimator, "estimator", None), TheirTree):
        return  # scikit-learn's trees take missing values
    rows = X.copy()
    rows[-1, 1] = value
    state, own = np.random.RandomState(0), "random_state" in estimator.get_params()
    if own:
        estimator = estimator.set_params(random_state=state)
    with pytest.raises(ValueError, match="X contains (infinity|NaN)|Input X contains"):
        estimator.fit(rows, Y)
    np.testing.assert_array_equal(state.get_state()[1], np.random.RandomState(0).get_state()[1])
    if own:
        assert state.get_state()[2] == np.random.RandomState(0).get_state()[2]


@pytest.mark.parametrize("seed", range(12))
def test_infinity_in_a_row_that_is_not_drawn(seed):
    """A single sample of 40 rows misses a row in more than a third of the seeds."""
    rows = X.copy()
    rows[3, 2] = np.inf
    with pytest.raises(ValueError, match="X contains infinity in column 2"):
        BaggingClassifier(n_estimators=1, random_state=seed).fit(rows, Y)


def test_every_ensemble_and_selector_is_tried():
    tried = {type(estimator).__name__ for estimator in ESTIMATORS}
    ensembles = {n for n in treelab.__all__ if "n_estimators" in dir(getattr(treelab, n)())}
    bases = {"Selector", "LevelSelector", "ForestSelector", "RegularizedSelector"}
    found = {n for n in selection.__all__ if hasattr(getattr(selection, n), "fit")} - bases
    assert ensembles | found == tried
