"""The committed tables behind chapters 8 and 9 are what their scripts compute."""

from inspect import signature
from itertools import islice

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from replicated import FOLDER, load_script

from treelab import DecisionTreeRegressor


def committed(name):
    return pd.read_csv(FOLDER / f"{name}.csv")


# --- coverage of intervals ---------------------------------------------------------------

COVERAGE = load_script("bootstrap_coverage")


def test_coverage_holds_every_block_once():
    table = committed("bootstrap_coverage")
    blocks = table.groupby(["statistic", "world", "n"])["block"]
    assert (blocks.nunique() == blocks.size()).all()
    sizes = blocks.size().to_dict()
    expected = {(*case, str(n)): 40 for case in COVERAGE.CASES for n in COVERAGE.SIZES}
    assert sizes == expected | {("cut", "smooth", "limit"): 120}


@pytest.mark.skipif(
    "rng" not in signature(scipy.stats.bootstrap).parameters,
    reason="the table needs SciPy 1.15, where `rng` sets the draws of bootstrap",
)
@pytest.mark.parametrize(("statistic", "world"), COVERAGE.CASES)
def test_first_block_of_coverage(statistic, world):
    hits = COVERAGE.hits_of_block(statistic, world, 100, 0)
    again = pd.Series(COVERAGE.row(statistic, world, "100", 0, hits))
    table = committed("bootstrap_coverage").set_index(["statistic", "world", "n", "block"])
    found = table.loc[(statistic, world, "100", 0)]
    assert found.to_dict() == again[found.index].to_dict()


def test_first_block_of_the_limit():
    hits = COVERAGE.hits_of_limit(0)
    table = committed("bootstrap_coverage")
    found = table[(table["n"] == "limit") & (table["block"] == 0)].iloc[0]
    for (method, level), count in hits.items():
        assert found[f"{method} {level:.0%}"] == count


def test_cut_is_that_of_a_stump():
    rng = np.random.default_rng(0)
    x, y = rng.integers(12, size=(20, 30)) / 4, rng.normal(size=(20, 30))
    for row, target, found in zip(x, y, COVERAGE.cut(x, y)):
        stump = DecisionTreeRegressor(max_depth=1).fit(row[:, None], target)
        assert found == pytest.approx(stump.tree_.threshold[0])


def test_true_cut_and_true_correlation():
    assert COVERAGE.truth("cut", "line") == pytest.approx(0.5)
    # x²: the derivative of the gain vanishes where 4c² - c - 1 = 0
    assert COVERAGE.truth("cut", "curve") == pytest.approx((1 + 17**0.5) / 8, abs=1e-5)
    assert COVERAGE.truth("cut", "jump") == pytest.approx(0.5)
    expected = (1 / 12) ** 0.5 / (1 / 12 + 0.09) ** 0.5
    assert COVERAGE.truth("correlation", "line") == pytest.approx(expected)


# --- estimates of a prediction error -----------------------------------------------------


def test_first_sets_of_the_error_estimates():
    index = ["world", "learner", "set"]
    table = committed("error_estimates").set_index(index)
    assert len(table) == 6 * 200
    again = load_script("error_estimates").replicate(2)
    found = table[table.index.get_level_values("set") < 2]
    pd.testing.assert_frame_equal(
        found.sort_index(), again.sort_index(), atol=6e-5, rtol=0, check_names=False
    )


@pytest.mark.parametrize("n_worlds", [1, pytest.param(3, marks=pytest.mark.whole)])
def test_first_sets_of_the_estimates_of_bagged_trees(n_worlds, monkeypatch):
    table = committed("error_estimates_bagged").set_index(["world", "set"])
    assert len(table) == 3 * 100
    bagged = load_script("error_estimates_bagged")
    some = dict(islice(bagged.worlds().items(), n_worlds))
    monkeypatch.setattr(bagged, "worlds", lambda: some)
    again = bagged.replicate(1)
    assert len(again) == n_worlds
    found = table[table.index.get_level_values("set") == 0]
    found = found[found.index.get_level_values("world").isin(some)]
    pd.testing.assert_frame_equal(
        found.sort_index(), again.sort_index(), atol=6e-5, rtol=0, check_names=False
    )
