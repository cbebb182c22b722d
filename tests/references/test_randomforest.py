"""Forests of R's randomForest: bands over ten seeds (see data/README.md).

What is comparable, and how:

- R counts copies in `nodesize`: a node of at most k draws is a leaf. Bagged single trees see the
  copies, so ``min_samples_split=k + 1`` is the same rule there. The forest counts each row once:
  six draws are about four rows, so ``min_samples_split=4`` stands for R's default of 5.
- Where no candidate can be cut R stops and treelab draws on. With one candidate this shows in
  the number of leaves, and a little in the importance of the features that are drawn instead.
- Fully grown leaves are pure, so averaging their shares and counting votes is the same.
"""

import numpy as np
import pytest
from randomforest import SEEDS, errors, every_fit, forests, reference, table

from treelab import (
    BaggingRegressor,
    DecisionTreeRegressor,
)
from treelab.fast.importance import impurity_decreases


@every_fit
def test_out_of_bag_error(data, name):
    """Means over ten seeds are at most four standard errors apart, or one flower."""
    theirs = np.array(reference(data)["fits"][name]["oob"])
    ours = errors(data, forests(data, name))
    error = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / SEEDS)
    slack = 1 / 150 if data == "iris" else 0.0
    assert abs(ours.mean() - theirs.mean()) < 4 * error + slack


@every_fit
def test_out_of_bag_prediction_of_every_row(data, name):
    """Root of the mean squared distance over the rows; 550 trees judge a row, and 7 360 of R's."""
    theirs = np.array(reference(data)["fits"][name]["oob_prediction_mean"])
    models = forests(data, name)
    if data == "iris":
        ours = np.mean([model.oob_decision_function_ for model in models], axis=0)
        spread = 0.015
    else:
        ours = np.mean([model.oob_prediction_ for model in models], axis=0)
        spread = 0.04 * table(data)[1].std()
    assert np.sqrt(np.mean((ours - theirs) ** 2)) < spread


@every_fit
def test_importances(data, name):
    fit = reference(data)["fits"][name]
    n = len(table(data)[1])
    ours = np.array([n * impurity_decreases(m).mean(axis=0) for m in forests(data, name)])
    theirs, sd = np.array(fit["impurity"]["mean"]), np.array(fit["impurity"]["sd"])
    error = np.sqrt((ours.var(axis=0, ddof=1) + sd**2) / SEEDS)
    slack = 0.06 if name == "mtry1" else 0.02  # treelab draws on where R stops
    assert (np.abs(ours.mean(axis=0) - theirs) < 4 * error + slack * theirs).all()


@pytest.mark.parametrize("name", ["default", "mtry_all", "mtry1"])
def test_leaves_per_tree(name):
    theirs = reference("iris")["fits"][name]["mean_leaves_per_tree"]
    ours = np.mean([tree.n_leaves for model in forests("iris", name) for tree in model.trees_])
    if name == "mtry1":  # R stops where the one candidate is constant
        assert 1.03 * theirs < ours < 1.1 * theirs
    else:
        assert ours == pytest.approx(theirs, rel=0.02)


def test_proximity():
    """R's numbers are those of the pairs out of bag: drawn rows of two classes never meet."""
    fit = reference("iris")["fits"]["default"]["proximity"]
    X, y = table("iris")
    models = forests("iris", "default")
    unseen = np.nanmean([model.proximity(X, oob_only=True) for model in models], axis=0)
    unseen[np.diag_indices(150)] = np.nan
    assert np.nanmean(unseen) == pytest.approx(fit["mean_offdiag"], abs=0.01)
    kinds = np.unique(y)
    ours = [[np.nanmean(unseen[np.ix_(y == a, y == b)]) for b in kinds] for a in kinds]
    np.testing.assert_allclose(ours, fit["class_means"], atol=0.015)
    between = np.ix_(y == "versicolor", y == "virginica")
    everything = np.mean([model.proximity(X)[between].mean() for model in models])
    assert everything < 0.5 * fit["class_means"][1][2]


def test_bagged_trees_count_copies_as_r_does():
    """All features at every node: R's forest is bagging, with leaves of up to five draws."""
    X, y = table("airquality_cc")
    fit = reference("airquality_cc")["fits"]["mtry_all"]
    bags = [
        BaggingRegressor(
            DecisionTreeRegressor(min_samples_split=fit["nodesize"] + 1),
            25,
            oob_score=True,
            random_state=s,
        ).fit(X, y)
        for s in range(4)
    ]
    ours = errors("airquality_cc", bags)
    assert abs(ours.mean() - np.mean(fit["oob"])) < 4 * ours.std(ddof=1) / 2
    leaves = np.mean([member.get_n_leaves() for bag in bags for member in bag.estimators_])
    assert leaves == pytest.approx(fit["mean_leaves_per_tree"], rel=0.04)
