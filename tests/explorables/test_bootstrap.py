"""Ten buses drawn again: each number against the bootstrap of treelab with as many samples."""

import json
import re

import numpy as np
import pytest
from browser_tools import HTML
from readers import number

from treelab.fast.bootstrap import bootstrap

PAGE, KIND = "notebooks/08_the_bootstrap.html", "bootstrap"
WAITS = [1, 2, 3, 4, 6, 7, 9, 12, 18, 28]
STATISTICS = {"mean": np.mean, "median": np.median, "largest": np.max}
GUESSES = ["1", "2.5", "3.5", "5"]


@pytest.fixture(scope="module")
def drawn():
    """All samples, sorted, from the same seed as in the cell."""
    return bootstrap(np.sort, WAITS, n_resamples=1000, random_state=8).replicates


def tallest(numbers):
    """How often the whole number comes that comes most (a half goes up), which the axis names."""
    _, counts = np.unique(np.floor(np.asarray(numbers) + 0.5), return_counts=True)
    return max(8, counts.max())


def test_the_page_holds_all_samples_of_treelab(drawn):
    page = (HTML / PAGE).read_text(encoding="utf-8")
    data = json.loads(re.search(r'data-kind="bootstrap".*?json">(.*?)</script>', page, re.S)[1])
    digits = np.array([int(d) for d in data["draws"]]).reshape(1000, 10)
    assert np.array_equal(np.sort(np.array(WAITS)[digits]), drawn)
    for found, (name, f) in zip(data["statistics"], STATISTICS.items(), strict=True):
        assert found["name"] == name
        assert found["replicates"] == [f(sample) for sample in drawn]


def test_every_number_is_that_of_the_samples(explored, drawn):
    states = [record["state"] for record in explored["records"]]
    assert len({str(state) for state in states}) > 60
    assert {state["which"] for state in states} == {0, 1, 2}
    assert max(state["n"] for state in states) >= 200
    for record in explored["records"]:
        state, values, said = record["state"], record["values"], record["sentence"]
        n, (name, f) = state["n"], list(STATISTICS.items())[state["which"]]
        replicates = np.array([f(sample) for sample in drawn[:n]])
        missed = [sorted(set(WAITS) - set(sample.tolist())) for sample in drawn[:n]]
        average = np.mean([len(rows) for rows in missed])
        names = ", ".join(map(str, missed[-1])) or "none"
        assert said.startswith(f"Sample {n} misses {len(missed[-1])} of the ten buses ({names}). ")
        assert f"Its {name} is {values['replicate']}." in said
        assert number(values["replicate"]) == replicates[-1]
        assert number(values["of"]) == f(WAITS)
        assert number(values["mean"]) == pytest.approx(replicates.mean(), abs=0.00501)
        if n == 1:
            assert values["error"] == "–"
        else:
            assert number(values["error"]) == pytest.approx(replicates.std(ddof=1), abs=0.00501)
        assert ("not narrower" in said) == (n >= 100)
        buses, histogram, misses = record["pictures"]
        assert buses[1:] == [str(wait) for wait in WAITS]
        assert str(tallest(replicates)) in histogram
        assert f"{name}, minutes late (line: the ten buses)" in histogram
        if state["guess"] is None:
            assert values["lost"] == "?"
            assert "buses on average" not in said
            assert "8" in misses
            assert "buses missed (shown once you have guessed)" in misses
            assert record["verdict"] == ""
            continue
        assert str(tallest([len(rows) for rows in missed])) in misses
        assert number(values["lost"]) == pytest.approx(average, abs=0.00501)
        so_far = f"So far, a sample misses {values['lost']} buses on average, and 3.49 (34.9%) are "
        assert so_far + "expected." in said
        if state["guess"] >= 0:
            near = min(GUESSES, key=lambda words: abs(float(words) - 10 * 0.9**10))
            reply = "Yes" if GUESSES[state["guess"]] == near else "No"
            assert record["verdict"].startswith(f"{reply}: each bus is missed with probability")
            assert "= 0.349, so 3.49 of the ten are missed" in record["verdict"]
        else:
            assert record["verdict"] == ""
    assert 10 * 0.9**10 == pytest.approx(3.49, abs=0.005)
