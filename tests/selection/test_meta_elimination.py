"""Elimination in shuffled blocks around another selector, as its source suggests for Boruta."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification, make_friedman1
from sklearn.exceptions import ConvergenceWarning

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.fast.selection import Boruta, FilterSelector, StochasticRFE

X, Y = make_classification(120, 12, n_informative=3, n_redundant=0, shuffle=False, random_state=1)
FEW = RandomForestClassifier(6, max_depth=3)
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


def test_what_is_no_selector_is_refused():
    with pytest.raises(TypeError, match="selector must be one with get_support"):
        StochasticRFE(FEW, block=5, selector=FEW).fit(X, Y)
