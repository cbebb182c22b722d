"""The cut of seven places: every number against the classes on both sides."""

import numpy as np
import pytest
from readers import check_guess, number
from scipy.stats import entropy

from treelab.datasets import load_vegetation

PAGE, KIND = "notebooks/02_impurity.html", "cut"


def bits(labels):
    return entropy(np.unique(labels, return_counts=True)[1], base=2)


def test_every_number_is_that_of_the_places(explored):
    X, y = load_vegetation("feet", return_X_y=True)
    feet, y = np.sort(X["elevation"]), y.to_numpy()[np.argsort(X["elevation"])]
    gains = {k: bits(y) - k / 7 * bits(y[:k]) - (7 - k) / 7 * bits(y[k:]) for k in range(1, 7)}
    assert len({str(r["state"]) for r in explored["records"]}) > 100
    seen = set()
    for record in explored["records"]:
        state, values = record["state"], record["values"]
        k = int((feet <= state["at"]).sum())
        assert record["sliders"]["at"] == [state["at"], f"{state['at']:g} feet"]
        for side, here in (("left", y[:k]), ("right", y[k:])):
            found, share = values[f"{side}_answer"].split(", ")
            most = max((here == other).sum() for other in here)
            assert set(found.split(" or ")) == {k for k in here if (here == k).sum() == most}
            assert share == f"{most} of {len(here)}"
            assert number(values[f"{side}_impurity"]) == pytest.approx(bits(here), abs=0.00051)
        assert number(values["gain"]) == pytest.approx(gains[k], abs=0.00051)
        said = record["sentence"]
        assert f"At {state['at']:g} feet: {k} of the seven places on the left, {7 - k} on" in said
        assert f"falls from {bits(y):.3f} bits by {values['gain']}. " in said
        seen.add(check_guess(state, said, gains, feet, " feet"))
        rank = 1 + sum(gain > gains[k] + 1e-9 for gain in gains.values())
        assert values["rank"] == ("?" if state["guess"] is None else f"{rank} of 6")
    assert "asked" in seen
    assert len(seen) > 1
    best = [r for r in explored["records"] if r["did"] == "Show the best"]
    assert {r["state"]["at"] for r in best} == {4175}
    assert max(gains, key=gains.get) == 5
