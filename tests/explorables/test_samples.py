"""Training set after training set: every number against trees grown again on the same sets."""

import re

import numpy as np
import pytest
from readers import number, verdicts

from treelab import DecisionTreeRegressor, datasets

PAGE, KIND = "notebooks/07_why_one_tree_is_not_enough.html", "samples"
SETS, OPEN = 20, 3
DEPTHS = [*range(1, 9), None]


@pytest.fixture(scope="module")
def trees():
    """Predictions of the trees of each depth on each training set, (n_depths, n_sets, n_points)."""
    grid = (np.arange(100)[:, None] + 0.5) / 100
    sets = [datasets.make_steps(100, noise=0.5, random_state=seed) for seed in range(SETS)]
    return np.array(
        [
            [DecisionTreeRegressor(max_depth=d).fit(*rows).predict(grid) for rows in sets]
            for d in DEPTHS
        ]
    )


def error(predicted):
    """Mean squared distance from the staircase."""
    truth = datasets.steps((np.arange(100) + 0.5) / 100)
    return np.mean((predicted - truth) ** 2, axis=-1)


def test_every_number_is_that_of_the_trees(explored, trees):
    assert len({str(record["state"]) for record in explored["records"]}) > 80
    for record in explored["records"]:
        state, values, said = record["state"], record["values"], record["sentence"]
        n, d = state["n"], state["d"]
        told = state["guess"] is not None
        assert 1 <= n <= (SETS if told else OPEN)
        name = f"depth {DEPTHS[d]}" if DEPTHS[d] else "fully grown"
        assert record["sliders"] == {"n": [n, str(n)], "d": [d, name]}
        P = trees[d, :n]
        wanted = {
            "own": error(P[-1]),
            "each": error(P).mean(),
            "together": error(P.mean(axis=0)),
            "variance": P.var(axis=0).mean(),
        }
        for key, value in wanted.items():
            assert number(values[key]) == pytest.approx(value, abs=0.00061), key
        sets = "1 training set" if n == 1 else f"{n} training sets"
        assert said.startswith(
            f"With {sets}, a tree ({name}) has an error of {values['each']} on average, and the "
            f"mean of the trees one of {values['together']}."
        )
        assert ("variance" in said) == told
        if told:
            assert f"The difference, {values['variance']}, is" in said


def test_the_verdicts_hold(explored, trees):
    two, full = (error(trees[DEPTHS.index(depth)].mean(axis=0)) for depth in (2, None))
    others = [error(trees[DEPTHS.index(depth)].mean(axis=0)) for depth in (4, None)]
    assert max(others) < two / 5  # the other two answers are wrong by far
    spread = [trees[DEPTHS.index(depth)].var(axis=0).mean() for depth in (2, None)]
    assert spread[0] < spread[1] / 5
    replies = set()
    for guess, verdict in verdicts(explored["records"]):
        shown = [float(x) for x in re.findall(r"0\.\d+", verdict)]
        assert shown == pytest.approx([two, full], abs=0.00051)
        assert verdict.startswith("Yes" if guess == 0 else "No")
        replies.add(guess)
    assert replies == {0, 1, 2}
