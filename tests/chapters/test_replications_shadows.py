"""The table of what Boruta confirms: a part of it again, and what it says."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

shadows = load_script("shadows")
TABLE = pd.read_csv(FOLDER / "shadows.csv")
AGREEMENT = TABLE.query("study == 'agreement'")
NOISE = TABLE.query("study == 'noise'")


def test_every_set_and_seed_is_there():
    found = AGREEMENT.groupby("method")[["set", "repetition"]].nunique()
    assert (found == [20, 3]).all(axis=None)
    assert len(AGREEMENT) == 120
    assert set(AGREEMENT["states"].str.len()) == {15}
    assert NOISE["method"].value_counts().to_dict() == {
        "treelab, two steps, 0.05": 200,
        "treelab, Bonferroni, 0.01": 200,
        "loop, two steps, 0.05": 50,
    }
    assert set(NOISE["states"].str.len()) == {10}


def committed(table, *path):
    return table.set_index(["set", "method", "repetition"]).loc[path, "states"]


@pytest.mark.parametrize("number", [3, pytest.param(12, marks=pytest.mark.whole)])
def test_states_are_found_again(number):
    for row in shadows.agreement(number, seeds=[1], methods=["treelab"]):
        assert row[4] == committed(AGREEMENT, *row[1:4])
    for row in shadows.noise(number, methods=["treelab"]):
        assert row[4] == committed(NOISE, *row[1:4])


def test_the_loop_is_found_again():
    ((*_, found, _),) = [row for row in shadows.noise(1, methods=["loop"])]
    assert found == committed(NOISE, 1, "loop, two steps, 0.05", 0)


def alike(some, others):
    """Share of the columns with the same state, in the mean of all pairs."""
    return np.mean([np.mean([a == b for a, b in zip(*pair)]) for pair in zip(some, others)])


def test_treelab_agrees_with_the_loop_as_its_own_seeds_do():
    within, across = [], []
    for _, rows in AGREEMENT.groupby("set"):
        loop, mine = (rows[rows["method"] == m]["states"].tolist() for m in ("loop", "treelab"))
        within.append(alike(*zip(*combinations(loop, 2))))
        across.append(alike(*zip(*((a, b) for a in mine for b in loop))))
    scatter = np.std(np.subtract(within, across), ddof=1) / np.sqrt(20)
    assert abs(np.mean(within) - np.mean(across)) < 2 * scatter
    assert np.mean(across) > 0.93
    assert min(across) > 0.8


def test_power_is_that_of_the_loop():
    real = AGREEMENT.assign(share=AGREEMENT["states"].str[:5].str.count("C") / 5)
    power = real.groupby(["method", real["set"] >= 10])["share"].mean().unstack()
    assert (abs(power.loc["treelab"] - power.loc["loop"]) < 0.02).all()
    assert (power[True] > 0.9).all()
    noise = AGREEMENT["states"].str[5:].str.count("C").groupby(AGREEMENT["method"]).mean() / 10
    assert (noise < 0.05).all()


def test_on_noise_columns_are_within_the_level_and_sets_are_not():
    """The level holds for a column; that a set has some column is more likely."""
    confirmed = NOISE["states"].str.count("C")
    columns = confirmed.groupby(NOISE["method"]).mean() / 10
    sets = (confirmed > 0).groupby(NOISE["method"]).mean()
    assert (columns < 0.05).all()
    assert (sets > 0.1).all()
    first = NOISE[NOISE["set"] < 50]
    some = (first["states"].str.count("C") > 0).groupby(first["method"]).sum()
    assert abs(some["treelab, two steps, 0.05"] - some["loop, two steps, 0.05"]) <= 5


def test_the_coin_is_confirmed_as_rarely_as_computed():
    """By tossing it: 4 000 columns, 50 runs."""
    rng = np.random.default_rng(0)
    hits = rng.integers(0, 2, (4000, shadows.RUNS)).cumsum(axis=1)
    for rule, expected in TABLE.query("study == 'coin'").set_index("method")["value"].items():
        two_step, alpha = shadows.RULES[rule]
        runs = np.arange(1, shadows.RUNS + 1)
        level = alpha / np.maximum(runs, 10) if two_step else np.full(len(runs), alpha / 10)
        over = shadows.binom.sf(hits - 1, runs, 0.5) <= level
        under = shadows.binom.cdf(hits, runs, 0.5) <= level
        first = [np.where(way.any(axis=1), way.argmax(axis=1), 99) for way in (over, under)]
        found = np.mean(first[0] < first[1])
        assert found == pytest.approx(expected, abs=4 * np.sqrt(expected / 4000))
        assert shadows.coin(rule)[-1] == pytest.approx(expected, abs=1e-6)
