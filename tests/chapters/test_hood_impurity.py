"""Facts of the page behind chapter 2: gains of random tables, gains by chance, whole trees."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab.fast import impurity
from treelab.fast.impurity import information_gain
from treelab.figures import impurity as figures

CRITERIA = ("misclassification", "gini", "entropy")


@pytest.fixture(scope="module")
def tables():
    """Class counts of 5000 random splits into two branches, those with an empty one left out."""
    found = np.random.default_rng(0).integers(0, 8, size=(5000, 2, 3))
    return found[(found.sum(axis=2) > 0).all(axis=1)]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_an_impurity_is_zero_only_where_one_class_is(tables, criterion):
    one_class = (tables > 0).sum(axis=2) == 1  # (n_tables, 2 branches)
    assert ((getattr(impurity, criterion)(tables) == 0) == one_class).all()


def test_what_random_splits_gain(page, tables):
    gains = {criterion: information_gain(tables, criterion) for criterion in CRITERIA}
    assert min(gain.min() for gain in gains.values()) > -1e-12
    none = {criterion: gain < 1e-12 for criterion, gain in gains.items()}
    page.says(
        f"According to the error rate, {100 * none['misclassification'].mean():.0f} of 100 random "
        "splits are worth nothing."
    )
    p = tables / tables.sum(axis=2, keepdims=True)
    same = np.isclose(p[:, 0], p[:, 1]).all(axis=1)
    assert (same == none["gini"]).all()
    assert (same == none["entropy"]).all()
    page.says(
        f"Gini and the entropy find no gain only in the {same.sum()} tables whose branches have "
        "the same class proportions."
    )


def test_gains_by_chance_and_by_theory(page):
    found = page.table("c18")
    mean, theory = found["mean gain"], found["by theory"]
    assert np.allclose(mean, theory, rtol=0.2)
    assert mean[32] > 1.1 * theory[32]
    assert found["above its 95 %"][32] > 0.1
    few = in_words(round(200 / 32))
    page.says(f"Where a category holds only {few} observations, as among the 32, chance gains more")


def test_criteria_of_whole_trees(page):
    trees = pd.read_csv(ROOT / "notebooks" / "replications" / "criteria.csv")
    found = figures.criteria_differences(trees)
    entropy, error_rate = found["entropy"], found["misclassification"]
    assert entropy["mean"][0].abs().max() < 2.5
    page.says("the errors by Gini and by entropy stay within 2.5 points of each other")
    assert (error_rate["mean"][0] > 0.5).all()
    sets = in_words(len(error_rate.loc[0]))
    clear = error_rate[error_rate["mean"].abs() > 2 * error_rate["se"]]
    assert clear.index.tolist() == [(0, "vehicle")]
    page.says(
        f"higher than Gini's on all {sets} data sets, but only on the vehicles, by "
        f"{clear['mean'].item():.1f} points, is the difference more than two standard errors."
    )
    clear = entropy[entropy["mean"].abs() > 2 * entropy["se"]]
    assert clear.index.tolist() == [(4, "digits")]
    page.says(
        f"on the digits the error of the entropy is {-clear['mean'].item():.1f} points lower than "
        "that of Gini."
    )
    credit = error_rate.loc[(4, "credit")]
    assert credit["mean"] < -2
    assert 1 < -credit["mean"] / credit["se"] < 1.5
    assert credit["mean"] < entropy["mean"][(4, "credit")]
    page.says("the lowest error on the credits, but by little more than one standard error")


def test_costs_that_no_weights_imitate(page):
    cost = np.array([[0, 9, 2], [9, 0, 2], [3, 3, 0]])
    for k, row in enumerate(cost):
        page.says(f"| {k} | {row[0]} | {row[1]} | {row[2]} |")
    for S in ([1, 1, 0], [9, 1, 0], [2, 2, 2]):
        mean = np.array(S) @ cost / sum(S)
        shown = [f"**{m:.3g}**" if m == mean.min() else f"{m:.3g}" for m in mean]
        page.says(f"| ({', '.join(map(str, S))}) | {' | '.join(shown)} |")
