"""A city that knows nothing: every number against tables drawn again and entropies of scipy."""

import re

import numpy as np
import pandas as pd
import pytest
from readers import number, verdicts
from scipy.special import entr

from treelab.figures.c45 import draw_shops

PAGE, KIND = "notebooks/05_id3_and_c45.html", "cities"
CITIES = [2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40]
ROWS = [15, 30, 60, 120, 240]
OPEN, TABLES = CITIES.index(8), 100


def bits(counts):
    """The entropy of counts, or of each row of them."""
    return entr(counts / counts.sum(axis=-1, keepdims=True)).sum(axis=-1) / np.log(2)


def measured(values, buys):
    """Gain and gain ratio, from the entropies of the classes, of each branch, and of the values."""
    branches = np.bincount(2 * values + buys, minlength=2 * values.max() + 2).reshape(-1, 2)
    branches = branches[branches.any(axis=1)]
    sizes = branches.sum(axis=1)
    gain = bits(branches.sum(axis=0)) - sizes @ bits(branches) / sizes.sum()
    return gain, gain / bits(sizes) if len(sizes) > 1 else 0.0


@pytest.fixture(scope="module")
def tables():
    """Of each number of rows both measures of the city in every table, and the best votes'."""
    found = {}
    for n in ROWS:
        city, votes = np.zeros((TABLES, len(CITIES), 2)), np.zeros((TABLES, 2))
        for seed in range(TABLES):
            shops, buys = draw_shops(n, seed)
            buys = np.asarray(buys)
            voted = [shops[v].to_numpy(int) for v in "abc"]
            votes[seed] = np.max([measured(values, buys) for values in voted], axis=0)
            for k, many in enumerate(CITIES):
                drawn = np.random.default_rng([seed, many]).integers(many, size=n)
                city[seed, k] = measured(drawn, buys)
        found[n] = city, votes
    return found


def test_every_number_is_a_mean_of_the_tables(explored, tables):
    assert len({str(record["state"]) for record in explored["records"]}) > 50
    for record in explored["records"]:
        state, values, said = record["state"], record["values"], record["sentence"]
        k, n = state["k"], ROWS[state["n"]]
        told = state["guess"] is not None
        assert told or k <= OPEN
        assert record["sliders"] == {
            "k": [k, f"{CITIES[k]} cities"],
            "n": [state["n"], f"{n} rows"],
        }
        city, votes = tables[n]
        for name, mean in zip(("gain", "ratio"), city[:, k].mean(axis=0), strict=True):
            assert number(values[name]) == pytest.approx(mean, abs=0.00051)
        for name, mean in zip(("best", "bestratio"), votes.mean(axis=0), strict=True):
            assert number(values[name]) == pytest.approx(mean, abs=0.00051)
        first = (city[:, k] > votes + 1e-9).sum(axis=0)
        start, each = said.split(" rows for each city")[0].split(": ")
        assert start == f"{n} rows and {CITIES[k]} cities"
        assert float(each) == pytest.approx(n / CITIES[k], abs=0.0501)
        assert f"By gain the city comes first in {first[0]} of 100 tables" in said
        if told:
            assert said.endswith(f"by gain ratio in {first[1]}.")
        else:
            assert "ratio" not in said


def test_the_verdicts_hold(explored, tables):
    city, votes = tables[60]
    means, best = city[:, :, 0].mean(axis=0), votes[:, 0].mean()
    assert [many for many, mean in zip(CITIES, means, strict=True) if mean > best][0] == 15
    replies = set()
    for guess, verdict in verdicts(explored["records"]):
        shown = [float(x) for x in re.findall(r"0\.\d+", verdict)]
        wanted = [means[-1]] * (guess == 1) + [means[CITIES.index(15)], best]
        assert shown == pytest.approx(wanted, abs=0.00051)
        assert verdict.startswith("Yes" if guess == 0 else "No")
        replies.add(guess)
    assert replies == {0, 1, 2}


def test_gain_ratio_is_fooled_where_rows_are_few(tables):
    few = [(tables[n][0][:, CITIES.index(20), 1] > tables[n][1][:, 1]).mean() for n in ROWS]
    assert few[0] > 0.2
    assert few[2] == few[3] == few[4] == 0
    assert pd.Series(few).is_monotonic_decreasing
