"""The cut that a reader moves: every number against the rows on both sides."""

import numpy as np
import pytest
from readers import check_guess, number

from treelab.datasets import load_bike_demand

PAGE, KIND = "notebooks/03_growing_a_tree.html", "cut"


def test_every_number_is_that_of_the_rows(explored):
    X, y = load_bike_demand(return_X_y=True)
    y, gains = y.to_numpy(), {}
    for k in range(1, len(y)):
        gains[k] = y.var() - (k * y[:k].var() + (len(y) - k) * y[k:].var()) / len(y)
    assert len({str(r["state"]) for r in explored["records"]}) > 100
    seen = set()
    for record in explored["records"]:
        state, values = record["state"], record["values"]
        k = int((X["temp"] <= state["at"]).sum())
        assert record["sliders"]["at"] == [state["at"], f"{state['at']:g} °C"]
        assert number(values["left_answer"]) == pytest.approx(y[:k].mean(), abs=0.00501)
        assert number(values["right_answer"]) == pytest.approx(y[k:].mean(), abs=0.00501)
        assert number(values["left_impurity"]) == pytest.approx(y[:k].var(), abs=0.5)
        assert number(values["right_impurity"]) == pytest.approx(y[k:].var(), abs=0.5)
        assert number(values["gain"]) == pytest.approx(gains[k], abs=0.5)
        by_hand = number(values["left_answer"]) - number(values["right_answer"])
        assert number(values["gain"]) == pytest.approx(k * (10 - k) / 100 * by_hand**2, abs=2)
        said = record["sentence"]
        assert said.startswith(
            f"At {state['at']:g} °C: {k} of the ten days on the left, {10 - k} on"
        )
        assert f"falls from {y.var():.0f} by {values['gain']}. " in said
        seen.add(check_guess(state, said, gains, X["temp"].to_numpy(), " °C"))
        rank = 1 + sum(gain > gains[k] for gain in gains.values())
        assert values["rank"] == ("?" if state["guess"] is None else f"{rank} of 9")
    assert "asked" in seen
    assert len(seen) > 1
    best = [r for r in explored["records"] if r["did"] == "Show the best"]
    assert {r["state"]["at"] for r in best} == {9.5}
    assert max(gains, key=gains.get) == np.searchsorted(X["temp"], 9.5, side="right")
