"""The public plain functions, each with its fast counterpart and what compares the two.

What `treelab.fast` does not have, as scikit-learn or SciPy does, has its counterpart there.

A comparison is a function of a seed in this module, which `test_pairs.py` calls, or the name of a
test, "module.function", that draws the same data for both and runs under parameters of its own.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
from same_nodes import SAME
from sklearn.utils.class_weight import compute_sample_weight

from treelab import bootstrap, cart, elimination, filters, impurity
from treelab.fast import bootstrap as fast_bootstrap
from treelab.fast import impurity as fast_impurity
from treelab.fast import information, selection
from treelab.fast.cart import DecisionTreeClassifier


class Pair(NamedTuple):
    """A plain function, the fast function or class that does the same, and the comparison."""

    plain: str
    fast: str
    compare: object


def close(found, expected):
    np.testing.assert_allclose(found, expected, **SAME)


def node(seed, n=20):
    """Targets of three classes and weights of one node, and the weight of each class."""
    rng = np.random.default_rng(seed)
    y, w = rng.integers(0, 3, n), rng.choice([0.5, 1.0, 2.0], n)
    return y.tolist(), w.tolist(), np.bincount(y, w, 3)[None]


def codes(seed, p=5, n=40):
    """Columns of three categories, of which the last tells about the first, and the classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, p))
    X[:, -1] = np.where(rng.random(n) < 0.7, X[:, 0], X[:, -1])
    y = (X[:, 0] + X[:, 1] + (rng.random(n) < 0.3)) % 3
    return X, y


def texts(X):
    return pd.DataFrame(X).astype(str).add_prefix("f")


# --- impurity -------------------------------------------------------------------------------


def same_proportions(seed):
    y, w, sums = node(seed)
    found = impurity.proportions(y, w)
    close([found.get(k, 0) for k in range(3)], fast_impurity.proportions(sums)[0])


def same_impurity(name):
    def compare(seed):
        y, w, sums = node(seed)
        close(getattr(impurity, name)(y, w), getattr(fast_impurity, name)(sums)[0])

    return compare


def same_row_weights(seed):
    y = list("abc" + "aab" * seed)
    for class_weight in ("balanced", {"a": 0.5, "c": 4}):
        close(impurity.row_weights(y, class_weight), compute_sample_weight(class_weight, y))


def same_squared_error(seed):
    y, w, _ = node(seed)
    sums = [np.sum(w), np.dot(w, y), np.dot(w, np.square(y))]
    close(impurity.squared_error(y, w), fast_impurity.squared_error(np.array([sums]))[0])


# --- CART, pruning --------------------------------------------------------------------------


def same_leaves(seed):
    X, y = codes(seed)
    fast = DecisionTreeClassifier(max_depth=3).fit(X, y)
    tree = cart.grow(X.tolist(), y.tolist(), max_depth=3)
    assert len(cart.leaves(tree)) == fast.get_n_leaves()
    assert len(cart.inner(tree)) == fast.tree_.node_count - fast.get_n_leaves()
    found = [cart.leaf(tree, x) for x in X.tolist()]
    same = [[a is b for a in found] for b in found]
    np.testing.assert_array_equal(same, np.equal.outer(fast.apply(X), fast.apply(X)))
    assert [cart.predict(tree, x) for x in X.tolist()] == fast.predict(X).tolist()


# --- bootstrap, boosting --------------------------------------------------------------------


def same_plus_estimate(seed):
    for rates in np.random.default_rng(seed).random((9, 3)).tolist():
        apparent, loo, gamma = sorted(rates)
        close(
            bootstrap.plus_estimate(apparent, loo, gamma),
            fast_bootstrap.plus_estimate(apparent, loo, gamma),
        )


# --- selection ------------------------------------------------------------------------------


def same_information(seed):
    X, y = codes(seed)
    a, b = X[:, 0].tolist(), X[:, -1].tolist()
    close(filters.entropy(a), information.entropy_of(a))
    close(filters.entropy(a, b), information.entropy_of(a, b))
    close(filters.mutual_information(a, b), information.mutual_information(a, b))
    close(filters.symmetrical_uncertainty(a, b), information.symmetrical_uncertainty(a, b))
    for given in ([], [1], [1, 2]):
        expected = information.conditional_mutual_information(
            texts(X), y, "f0", [f"f{j}" for j in given]
        )
        found = filters.conditional_information(a, y.tolist(), [X[:, j].tolist() for j in given])
        np.testing.assert_allclose(found, expected, atol=1e-12)


def same_merit(seed):
    X, y = codes(seed)
    columns, features = X.T.tolist(), [0, 1, 4]
    relevance = [filters.symmetrical_uncertainty(columns[j], y.tolist()) for j in features]
    pairs = [
        [filters.symmetrical_uncertainty(columns[i], columns[j]) for i in features]
        for j in features
    ]
    close(filters.merit(features, columns, y.tolist()), selection.merit(relevance, pairs))


def same_filters(seed):
    X, y = codes(seed)
    columns = X.T.tolist()
    fast = selection.CFSSelector().fit(texts(X), y)
    assert filters.cfs(columns, y.tolist()) == fast.get_support(indices=True).tolist()
    fast = selection.FCBFSelector().fit(texts(X), y)
    assert sorted(filters.fcbf(columns, y.tolist())) == fast.get_support(indices=True).tolist()


def same_sizes(seed):
    for p in range(1, 60 + seed):
        expected = selection.elimination_sizes(p, rule="one_sd")
        assert elimination.sizes(p) == list(expected), p


# --- newsvendor -----------------------------------------------------------------------------


# The pairs that a comparison of this module compares: plain function, fast counterpart.
COMPARED = [
    (same_proportions, "impurity.proportions=impurity.proportions"),
    (same_row_weights, "impurity.row_weights=sklearn.utils.class_weight.compute_sample_weight"),
    (same_impurity("gini"), "impurity.gini=impurity.gini"),
    (same_impurity("entropy"), "impurity.entropy=impurity.entropy impurity.bits=impurity.entropy"),
    (same_impurity("misclassification"), "impurity.misclassification=impurity.misclassification"),
    (same_squared_error, "impurity.squared_error=impurity.squared_error"),
    (
        same_leaves,
        "cart.predict=DecisionTreeClassifier cart.leaf=DecisionTreeClassifier "
        "cart.leaves=DecisionTreeClassifier cart.inner=DecisionTreeClassifier",
    ),
    (same_plus_estimate, "bootstrap.plus_estimate=bootstrap.plus_estimate"),
    (
        same_information,
        "filters.entropy=information.entropy_of "
        "filters.mutual_information=information.mutual_information "
        "filters.symmetrical_uncertainty=information.symmetrical_uncertainty "
        "filters.conditional_information=information.conditional_mutual_information",
    ),
    (same_merit, "filters.merit=selection.merit"),
    (same_filters, "filters.cfs=selection.CFSSelector filters.fcbf=selection.FCBFSelector"),
    (same_sizes, "elimination.sizes=selection.elimination_sizes"),
]

# And those that a test compares: its name, then the pairs.
TESTED = """
    test_plain_trees.test_cart_grows_the_same_tree
        impurity.absolute_error=DecisionTreeRegressor cart.grow=DecisionTreeClassifier
    test_properties.test_split_table_lists_every_cut
        cart.scored_splits=growing.split_table cart.candidate_splits=growing.split_table
        cart.best_split=growing.split_table
    test_plain_trees.test_pruning_takes_the_same_steps
        pruning.prune=pruning.prune pruning.cost_complexity_path=pruning.cost_complexity_path
        pruning.risk=pruning.cost_complexity_path pruning.g=pruning.cost_complexity_path
    test_plain_trees.test_reduced_error_pruning_makes_the_same_leaves
        pruning.reduced_error=pruning.reduced_error_pruning
    test_c45_growing.test_plain_id3_grows_the_same_tree
        id3.grow=ID3Classifier id3.class_proportions=ID3Classifier
    test_c45_growing.test_plain_c45_grows_and_prunes_the_trees_of_release_8
        id3.predict=C45Classifier
    test_c45_growing.test_plain_c45_with_the_rules_of_j48_grows_its_tree
        c45.grow=C45Classifier
    test_c45_growing.test_plain_c45_with_other_rules_grows_the_same_tree
        c45.choose=c45.choose
    test_c45_growing.test_plain_c45_with_the_rules_of_j48_prunes_to_its_tree
        c45.collapse=c45.collapse c45.prune=c45.error_based_pruning
    test_c45_growing.test_plain_c45_expects_the_errors_of_release_8
        c45.predicted_errors=c45.predicted_errors
    test_plain_metrics.test_predicted_classes
        metrics.confusion_matrix=sklearn.metrics.confusion_matrix
        metrics.accuracy=sklearn.metrics.accuracy_score
        metrics.precision=sklearn.metrics.precision_score
        metrics.recall=sklearn.metrics.recall_score metrics.f1=sklearn.metrics.f1_score
    test_plain_metrics.test_roc_curve
        metrics.roc_curve=sklearn.metrics.roc_curve
    test_plain_metrics.test_area_under_the_roc_curve_counts_pairs
        metrics.roc_auc=sklearn.metrics.roc_auc_score
    test_plain_metrics.test_precision_recall_curve_and_its_mean
        metrics.precision_recall_curve=sklearn.metrics.precision_recall_curve
        metrics.average_precision=sklearn.metrics.average_precision_score
    test_plain_metrics.test_probabilities
        metrics.log_loss=sklearn.metrics.log_loss
        metrics.brier_score=sklearn.metrics.brier_score_loss
    test_plain_comparisons.test_folds_have_the_class_counts_of_scikit_learn
        cross_validation.stratified_folds=sklearn.model_selection.StratifiedKFold
    test_plain_comparisons.test_errors_of_the_folds_are_those_of_scikit_learn
        cross_validation.cross_validate=sklearn.model_selection.cross_val_score
        cross_validation.standard_error=scipy.stats.sem
    test_plain_comparisons.test_probabilities_of_students_t
        comparisons.t_probability=scipy.stats.t
    test_plain_comparisons.test_corrected_interval
        comparisons.corrected_interval=scipy.stats.t
    test_plain_comparisons.test_ranks
        comparisons.ranks=scipy.stats.rankdata
    test_plain_comparisons.test_signed_rank_without_ties_is_scipys_exact_test
        comparisons.signed_rank=scipy.stats.wilcoxon
    test_plain_comparisons.test_friedman
        comparisons.friedman=scipy.stats.friedmanchisquare
        comparisons.mean_ranks=scipy.stats.rankdata
    test_plain_comparisons.test_tail_of_chi_squared
        comparisons.chi2_tail=scipy.stats.chi2
    test_plain_comparisons.test_nemenyi_distances_are_those_of_the_printed_table
        comparisons.nemenyi_distance=scipy.stats.studentized_range
        comparisons.range_probability=scipy.stats.studentized_range
    test_plain_ensembles.test_replicates_and_their_spread
        bootstrap.bootstrap=bootstrap.bootstrap bootstrap.standard_error=bootstrap.bootstrap
    test_plain_ensembles.test_estimates_of_the_error
        bootstrap.error_estimates=bootstrap.bootstrap_error_table
    test_plain_ensembles.test_bagging
        bagging.bagging=BaggingClassifier bagging.vote=BaggingClassifier
    test_plain_ensembles.test_random_forest
        bagging.random_forest=RandomForestClassifier bagging.predict_value=RandomForestClassifier
        bagging.out_of_bag=RandomForestClassifier bagging.out_of_bag_error=RandomForestClassifier
    test_plain_ensembles.test_proximities
        bagging.proximity=RandomForestClassifier
    test_plain_ensembles.test_adaboost
        adaboost.adaboost=AdaBoostClassifier adaboost.vote_proportions=AdaBoostClassifier
        adaboost.estimator_weight=boosting.estimator_weight adaboost.reweight=boosting.reweight
    test_plain_ensembles.test_adaboost_r2
        adaboost.adaboost_r2=AdaBoostRegressor adaboost.weighted_median=AdaBoostRegressor
    test_plain_ensembles.test_gradient_boosting
        losses.huber=GradientBoostingRegressor losses.log_odds=GradientBoostingClassifier
        losses.half_square=boosting.losses.SquaredError losses.log_loss=boosting.losses.LogLoss
        losses.absolute=boosting.losses.AbsoluteError losses.probability=boosting.losses.LogLoss
        gradient_boosting.gradient_boosting=GradientBoostingRegressor
        gradient_boosting.staged_scores=GradientBoostingRegressor
    test_plain_ensembles.test_importance
        importance.impurity_decreases=importance.impurity_decreases
        importance.mean_decrease_impurity=importance.mean_decrease_impurity
        importance.permutation_importance=importance.permutation_importance
        importance.oob_permutation_importance=importance.oob_permutation_importance
    test_plain_stepwise.test_the_same_path_and_the_same_stop
        stepwise.forward=selection.SubsetSelector stepwise.backward=selection.SubsetSelector
        stepwise.criterion=selection.SubsetSelector stepwise.first_stop=selection.SubsetSelector
    test_plain_stepwise.test_stagewise_moves_the_same_coefficients
        stepwise.stagewise=selection.SubsetSelector
    test_plain_max_dependency.test_the_same_features_in_the_same_order
        filters.max_dependency=selection.max_dependency_table
    test_cuts.test_cuts_are_those_of_the_plain_rule
        filters.mdl_cuts=information.mdl_cuts
    test_plain_ensembles.test_elimination
        elimination.eliminate=selection.ForestRFE
    test_plain_ensembles.test_stochastic_elimination
        elimination.stochastic_elimination=selection.StochasticRFE
        elimination.smallest=selection.StochasticRFE
    test_plain_boruta.test_run_by_run
        boruta.boruta=selection.Boruta boruta.with_shadows=selection.Boruta
    test_plain_boruta.test_the_tails_of_a_coin
        boruta.tail=selection.Boruta
    test_plain_regularized.test_the_same_features_in_the_same_order
        regularized.regularized_forest=selection.RegularizedForestSelector
        regularized.grow=selection.RegularizedForestSelector
    test_plain_regularized.test_the_same_where_most_columns_cannot_be_cut
        regularized.best_split=selection.RegularizedForestSelector
    test_plain_regularized.test_boosting_takes_the_same_features_in_the_same_order
        regularized.regularized_boosting=selection.RegularizedBoostSelector
    test_plain_local.test_bins_and_scales
        local.bins=selection.response_bins
    test_plain_local.test_cbfs_and_lpuc
        local.clustered=selection.clustered_importance
    test_plain_local.test_one_cluster_has_one_answer
        local.by_center=selection.LocalClusterRegressor
    test_plain_local.test_the_cluster_of_a_new_row_is_that_of_the_classifier
        local.by_forest=selection.LocalClusterRegressor
        local.local_regression=selection.LocalClusterRegressor
    test_plain_local.test_both_ways_together
        local.average=selection.combined_importance_table
        local.intersection=selection.combined_importance_table
    test_plain_local.test_lafi
        local.local_importance=selection.LocalImportanceSelector
    test_newsvendor.test_no_order_costs_less
        newsvendor.cheapest_order=newsvendor.best_order
    test_newsvendor.test_cost_is_the_quantile_loss_in_other_units
        newsvendor.cost=newsvendor.order_cost
    test_newsvendor.test_margin_keeps_its_promise_over_all_orders
        newsvendor.margin=newsvendor.margin_of
"""
TESTS = re.findall(r"^    (\S+)\n((?:       .+\n)+)", TESTED, re.M)
PAIRS = [
    Pair(*pair.split("="), compare)
    for compare, pairs in [*COMPARED, *TESTS]
    for pair in pairs.split()
]

# Functions without a counterpart: steps that the fast edition takes in some other way, and
# proximity_by_depth, which only the plain edition has.
STEPS = """
    impurity.class_sums impurity.mean impurity.quantile impurity.median impurity.value
    cart.cases_of cart.midpoint cart.goes_left cart.divide cart.weight cart.impurity_of cart.node
    cart.prediction cart.export_text
    id3.sums id3.errors id3.branch_of id3.known id3.distribute id3.gain
    c45.candidate c45.categorical c45.numeric c45.minimum_weight c45.first_best c45.leaves
    c45.expected c45.refill
    metrics.check metrics.points comparisons.quantile
    bootstrap.draw_samples bootstrap.draw_without_replacement bootstrap.take bootstrap.wrong_class
    bootstrap.squared_loss
    bagging.draw_features bagging.average bagging.path bagging.proximity_by_depth
    adaboost.normalized
    importance.normalized importance.shuffled importance.mean_loss importance.rise
    stepwise.dot stepwise.centered stepwise.unit stepwise.residual stepwise.basis_of stepwise.rss
    stepwise.decrease stepwise.first_best
    elimination.most_important
    local.scaler local.scaled local.nearest local.k_means local.silhouette
""".split()
