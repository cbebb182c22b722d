"""The forest that a reader grows: votes at the point, and errors, against the trees themselves."""

import functools
import math
import re

import numpy as np
import pytest
from readers import number

from treelab import RandomForestClassifier
from treelab.datasets import make_moons

PAGE, KIND = "notebooks/10_random_forests.html", "forest"


@pytest.fixture(scope="module")
def forest():
    X, y = make_moons(150, noise=0.3, random_state=0)
    return RandomForestClassifier(100, max_features=1, oob_score=True, random_state=0).fit(X, y)


def error_of_independent(B, p):
    """Chance that more than half of B independent voters are wrong, plus half that of a tie."""
    chances = [math.comb(B, k) * p**k * (1 - p) ** (B - k) for k in range(B + 1)]
    return sum(c * (2 * k > B) + c * (2 * k == B) / 2 for k, c in enumerate(chances))


def test_every_number_is_that_of_the_trees(explored, forest):
    X, y = make_moons(2000, noise=0.3, random_state=1)
    answers, oob = forest.predict_trees(X), forest.oob_error_path()

    @functools.cache
    def first(B):
        """Of B trees the mean error, that of their vote, and the mean correlation of mistakes."""
        wrong = answers[:, :B] != y[:, None]
        together = (answers[:, :B].sum(axis=1) * 2 > B) != y
        rho = (np.corrcoef(wrong.T).sum() - B) / (B * (B - 1)) if B > 1 else None
        return wrong.mean(), together.mean(), rho

    seen = {str(record["state"]) for record in explored["records"]}
    assert len(seen) > 100
    for record in explored["records"]:
        state, values = record["state"], record["values"]
        B, told = state["trees"], state["guess"] is not None
        assert 1 <= B <= (100 if told else 10)
        point = [-1.9 + 0.1 * (state["x"] + 0.5), -1.4 + 0.1 * (state["y"] + 0.5)]
        assert record["sliders"]["trees"] == [B, str(B)]
        for name, place in zip("xy", point, strict=True):
            assert record["sliders"][name][0] == state[name]
            assert number(record["sliders"][name][1]) == pytest.approx(place, abs=0.005)
        votes = int(np.sum(forest.predict_trees([point])[0, :B] == 1))
        assert values["votes"] == f"{votes} of {B}"
        wrong, together, rho = first(B)
        assert number(values["tree"]) == pytest.approx(100 * wrong, abs=0.0501)
        assert number(values["forest"]) == pytest.approx(100 * together, abs=0.0501)
        assert number(values["oob"]) == pytest.approx(100 * oob[B - 1], abs=0.06)
        if B > 1:
            assert number(values["correlation"]) == pytest.approx(rho, abs=0.006)
        else:
            assert values["correlation"] == "–"
        words = f"At the point, {values['votes']} trees vote for squares. A tree errs on "
        words += (
            f"{values['tree']} of new observations on average, the forest on {values['forest']}"
        )
        assert record["sentence"].startswith(words)
        assert ("independent" in record["sentence"]) == told
        if told and state["guess"] >= 0:
            ten, all_of_them = (100 * first(n)[1] for n in (10, 100))
            said = [float(n) for n in re.findall(r"([\d.]+)%", record["verdict"])]
            assert said == pytest.approx([ten, all_of_them], abs=0.0501)
            assert record["verdict"].startswith("Yes" if state["guess"] == 0 else "No")
        else:
            assert record["verdict"] == ""
        if told:
            free = 100 * error_of_independent(B, wrong)
            assert number(values["free"]) == pytest.approx(free, abs=0.06)
            assert f"and independent trees together on {values['free']}. Move" in record["sentence"]
        else:
            assert values["free"] == "?"
    assert max(record["state"]["trees"] for record in explored["records"]) == 100
    assert {record["state"]["guess"] for record in explored["records"]} - {None, -1}
