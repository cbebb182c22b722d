"""Trees of R's rpart; pruning is compared by the page of conformance (see data/README.md)."""

import numpy as np
from cases import each
from rpart import (
    DIFFERENT,
    FITS,
    codes,
    compare,
    every_fit,
    fit_leaves,
)

from treelab.fast.growing import split_table
from treelab.fast.pruning import prune


@each("fit", DIFFERENT, ids=str)
def test_split_table_has_the_cut_of_every_node(fit):
    """The other settings grow the tops of the same trees."""
    for number in filter(lambda number: not fit.is_leaf(number), fit.node):
        rows, node = fit.rows(number), fit.node[number]
        cuts = split_table(
            fit.X.iloc[rows],
            fit.y[rows],
            criterion=fit.criterion,
            sample_weight=fit.w[rows],
            categorical_features="from_dtype",
            min_samples_leaf=fit.control["minbucket"],
        )
        np.testing.assert_allclose(cuts["gain"].max(), fit.gain(number), rtol=1e-9)
        n_sides = sorted(map(len, fit.sides(number)))
        here = cuts[cuts["feature"] == node["var"]]
        if "threshold" in node:
            here = here[np.isclose(here["threshold"], node["threshold"], rtol=1e-12)]
            assert len(here) == 1
        else:
            here = here[here["gain"] >= cuts["gain"].max() * (1 - 1e-9)]
        assert n_sides in [sorted(pair) for pair in here[["n_left", "n_right"]].to_numpy().tolist()]
        if number not in fit.tied:
            assert cuts.loc[cuts["best"], "feature"].tolist() == [node["var"]]
            assert cuts["best"].tolist() == cuts.index.isin(here.index).tolist()


@every_fit
def test_grown_tree(fit):
    model = fit.estimator().fit(fit.X, fit.y, sample_weight=fit.w)
    compare(fit, model.tree_, model.apply(fit.X))


@every_fit
def test_smallest_tree_of_least_cost(fit):
    tree, numbers = fit.tree()
    values = codes(fit.X)
    for step in fit.prune_exact:
        smaller = prune(tree, step["alpha"] / fit.root_wt, risk=fit.risk)
        leaves = smaller.apply(values)
        assert len(np.unique(leaves)) == smaller.n_leaves == len(step["leaf_ids"])
        rows = {frozenset(np.flatnonzero(leaves == leaf)) for leaf in np.unique(leaves)}
        assert rows == {frozenset(fit.rows(number)) for number in step["leaf_ids"]}


def test_reference_is_complete():
    assert len(FITS) == 76
    assert sum(len(fit.nodes) for fit in FITS) == 2 * sum(fit_leaves(fit) for fit in FITS) - 76
    assert {fit.criterion for fit in FITS} == {"gini", "entropy", "squared_error"}
