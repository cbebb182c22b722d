"""The ends of what parameters may be: the last value is taken, the next one is refused."""

import numpy as np
import pytest
from cases import each
from sklearn.feature_selection import SelectKBest, f_regression

import treelab
from treelab.fast.bootstrap import bootstrap, bootstrap_error, distinct_cases
from treelab.fast.c45 import held_out_rows, predicted_errors
from treelab.fast.growing import split_table
from treelab.fast.importance import (
    compare_rankings,
    noising_importance,
    oob_permutation_importance,
    permutation_importance,
    ranking_stability,
)
from treelab.fast.pruning import prune
from treelab.fast.selection import (
    SVMRFE,
    CFSSelector,
    FCBFSelector,
    FilterSelector,
    ForestRFE,
    LocalClusterRegressor,
    LocalImportanceSelector,
    StochasticRFE,
    cluster_rows,
    elimination_cost,
    elimination_sizes,
    halved_bins,
    merit_table,
    null_selections,
    perc_std,
    response_bins,
    selection_stability,
    smallest_size,
    stochastic_sizes,
)
from treelab.figures.chi_squared import chi2_table

RNG = np.random.default_rng(0)
X = RNG.integers(0, 6, (40, 3)).astype(float)
Y = (X[:, 0] + X[:, 1] > 5).astype(int)
FEW = {"n_estimators": 3}
TINY = np.nextafter(0, 1)

TREES = {"max_depth": (1, 0), "min_samples_split": (2, 1), "min_samples_leaf": (1, 0),
         "min_impurity_decrease": (0, -TINY), "ccp_alpha": (0, -TINY)}  # fmt: skip
BAGS = {"n_estimators": (1, 0), "max_samples": (1, 0)}
ROUNDS = {"n_estimators": (1, 0), "learning_rate": (1e-12, 0)}
BOOSTING = {
    "n_estimators": (1, 0), "learning_rate": (0, -1e-12), "max_bins": (2, 1),
    "max_leaf_nodes": (2, 1), "n_iter_no_change": (1, 0), "tol": (0, -1e-12),
    "subsample": (1e-12, 0), "validation_fraction": (0.3, 0), "max_depth": (1, 0),
    "min_samples_split": (2, 1), "min_samples_leaf": (1, 0),
}  # fmt: skip
HIGHEST = {"max_bins": (255, 256), "subsample": (1, 1 + 1e-12), "validation_fraction": (0.5, 1),
           "ccp_alpha": (1e300, np.inf)}  # fmt: skip
MULTIWAY = {"min_samples_leaf": (1e-12, 0), "confidence": (1e-12, 0), "n_folds": (2, 1)}
ENDS = {
    "DecisionTreeClassifier": TREES,
    "DecisionTreeRegressor": TREES,
    "RandomForestClassifier": TREES | BAGS,
    "RandomForestRegressor": TREES | BAGS,
    "BaggingClassifier": BAGS,
    "BaggingRegressor": BAGS,
    "AdaBoostClassifier": ROUNDS,
    "AdaBoostRegressor": ROUNDS,
    "GradientBoostingClassifier": BOOSTING,
    "GradientBoostingRegressor": BOOSTING,
    "C45Classifier": MULTIWAY,
    "VarianceTreeRegressor": {"min_samples_split": (2, 1)},
}
LOWEST = [
    (name, parameter, *ends) for name, all_ in ENDS.items() for parameter, ends in all_.items()
]
LOWEST += [("C45Classifier", "confidence", 0.5, np.nextafter(0.5, 1))]
LOWEST += [
    (name, parameter, *HIGHEST[parameter])
    for name in ("GradientBoostingClassifier", "GradientBoostingRegressor")
    for parameter in ("max_bins", "subsample", "validation_fraction")
]


@each(("name", "parameter", "allowed", "refused"), LOWEST)
def test_the_last_value_is_taken_and_the_next_refused(name, parameter, allowed, refused):
    kind = getattr(treelab, name)
    few = FEW if "n_estimators" in kind().get_params() else {}
    kind(**few | {parameter: allowed}).fit(X, Y).predict(X)
    with pytest.raises(ValueError, match=parameter):
        kind(**few | {parameter: refused}).fit(X, Y)


TREE = treelab.DecisionTreeClassifier().fit(X, Y)
FOREST = treelab.RandomForestClassifier(3, random_state=0).fit(X, Y)


def eliminate(**parameters):
    return ForestRFE(FOREST, **parameters).fit(X, Y)


def local(**parameters):
    tree = treelab.DecisionTreeRegressor()
    return LocalClusterRegressor(tree, assign="centroid", **parameters).fit(X, Y)


def levels(**parameters):
    return LocalImportanceSelector(SelectKBest(f_regression, k=1), **parameters).fit(X, Y)


CALLS = {
    "n_resamples of bootstrap": (lambda v: bootstrap(np.mean, Y, n_resamples=v), 2, 1),
    "n_resamples": (lambda v: bootstrap_error(TREE, X, Y, n_resamples=v, method="naive"), 1, 0),
    "n": (distinct_cases, 1, 0),
    "top_k": (lambda v: compare_rankings([1, 2], [2, 1], top_k=v), 1, 0),
    "top_k of many": (lambda v: ranking_stability(X[:4], top_k=v), 1, 0),
    "n_repeats": (lambda v: permutation_importance(TREE, X, Y, n_repeats=v), 1, 0),
    "n_repeats of a forest": (
        lambda v: oob_permutation_importance(FOREST, X, Y, n_repeats=v), 1, 0,
    ),
    "n_repeats of noise": (
        lambda v: noising_importance(TREE, X, Y, n_repeats=v, method="noise"), 1, 0,
    ),
    "scale": (lambda v: noising_importance(TREE, X, Y, method="noise", scale=v), 0, -TINY),
    "min_samples_leaf": (lambda v: split_table(X, Y, min_samples_leaf=v), 1, 0),
    "alpha": (lambda v: prune(TREE, v), 0, -TINY),
    "alpha of a test": (lambda v: chi2_table(TREE, v), 1, 1.01),
    "confidence": (lambda v: predicted_errors(10.0, 2.0, v), 0.5, 0.51),
    "n_folds": (lambda v: held_out_rows(Y, v), 2, 1),
    "number": (lambda v: FilterSelector(number=v).fit(X, Y), 1, 0),
    "number of three": (lambda v: FilterSelector(number=v).fit(X, Y), 3, 4),
    "percentage": (lambda v: FilterSelector(percentage=v).fit(X, Y), TINY, 0),
    "percentage of all": (lambda v: FilterSelector(percentage=v).fit(X, Y), 100, 100.1),
    "max_stale": (lambda v: CFSSelector(max_stale=v).fit(X, Y), 1, 0),
    "threshold": (lambda v: FCBFSelector(v).fit(X, Y), 0, -TINY),
    "threshold below 1": (lambda v: FCBFSelector(v).fit(X, Y), np.nextafter(1, 0), 1),
    "search of all": (lambda v: CFSSelector("exhaustive").fit(np.eye(24, v), Y[:24]), 20, 21),
    "alpha of an elimination": (lambda v: eliminate(alpha=v), 0, -TINY),
    "step": (lambda v: eliminate(step=v), 1, 0),
    "step as a share": (lambda v: eliminate(step=v), np.nextafter(1, 0), 1.0),
    "step of blocks": (lambda v: stochastic_sizes(9, 4, v), 0.01, 0.0),
    "min_features_to_select": (lambda v: eliminate(min_features_to_select=v), 1, 0),
    "validation_fraction": (
        lambda v: eliminate(error="validation", validation_fraction=v), 0.5, 1.0,
    ),
    "block": (lambda v: StochasticRFE(FOREST, block=v).fit(X, Y), 2, 1),
    "n_features_to_select": (lambda v: SVMRFE(n_features_to_select=v).fit(X, Y), 1, 0),
    "n_features_to_select of 3": (lambda v: SVMRFE(n_features_to_select=v).fit(X, Y), 3, 4),
    "n_features": (elimination_sizes, 1, 0),
    "least": (lambda v: elimination_sizes(9, least=v), 1, 0),
    "sizes": (lambda v: elimination_cost([v]), TINY, 0),
    "errors": (perc_std, [1.0], [np.inf]),
    "alpha of a size": (lambda v: smallest_size([3, 2], [0.0, 0.1], v), 0, -TINY),
    "top_k of a table": (lambda v: selection_stability(np.eye(3) + 1, top_k=v), 1, 0),
    "level": (lambda v: selection_stability(np.eye(3) > 0, level=v), np.nextafter(1, 0), 1),
    "n_bins": (lambda v: response_bins(Y, v), 1, 0),
    "n_bins of all": (lambda v: response_bins(Y, v), len(Y), len(Y) + 1),
    "n_levels": (lambda v: halved_bins(Y, v), 1, 0),
    "max_clusters": (lambda v: cluster_rows(np.eye(4), v), 1, 0),
    "n_bins of clusters": (lambda v: local(n_bins=v), 1, 0),
    "n_bins of as many": (lambda v: local(n_bins=v), len(Y), len(Y) + 1),
    "max_clusters of a regressor": (lambda v: local(max_clusters=v), 1, 0),
    "n_levels of a selector": (lambda v: levels(n_levels=v), 1, 0),
    "min_samples_bin": (lambda v: levels(min_samples_bin=v), 1, 0),
    "threshold of bins": (lambda v: levels(threshold=v), 0, -TINY),
    "threshold of all bins": (lambda v: levels(threshold=v), 1, 1 + 1e-9),
    "n_permutations": (
        lambda v: null_selections(SelectKBest(f_regression, k=1), X, Y, n_permutations=v), 1, 0,
    ),
    "All": (lambda v: merit_table(np.eye(15, v), Y[:15]), 12, 13),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@each("name", CALLS)
def test_the_last_argument_is_taken_and_the_next_refused(name):
    call, allowed, refused = CALLS[name]
    call(allowed)
    with pytest.raises(ValueError, match=name.split()[0]):
        call(refused)


PRUNED = [name for name in treelab.__all__ if "ccp_alpha" in getattr(treelab, name)().get_params()]


@each("name", PRUNED)
@each("alpha", [0, 0.0, 1e-12])
def test_alpha_0_prunes_nothing_and_any_other_what_gains_nothing(name, alpha):
    """The first cut of an exclusive or gains nothing: a stump that pruning would take back."""
    kind = getattr(treelab, name)
    few = FEW | {"bootstrap": False} if "Forest" in name else {}
    rows, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    model = kind(max_depth=1, ccp_alpha=alpha, **few).fit(rows, y)
    for tree in getattr(model, "trees_", None) or [model.tree_]:
        assert tree.node_count == (3 if alpha == 0 else 1)
