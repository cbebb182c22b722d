"""The twin whose correlation a reader chooses: every number against the table, and forests.

That the table holds what treelab computes is checked in
tests/chapters/test_replications_importance.py; here one of its sets is computed once more, in
another way.
"""

import re

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from readers import number

from treelab import RandomForestRegressor

PAGE, KIND = "notebooks/13_importance.html", "importance"
MEASURES = ("impurity", "permutation", "drop-column", "Shapley")


@pytest.fixture(scope="module")
def written():
    """The value of each quantity, a column for each set."""
    table = pd.read_csv(ROOT / "notebooks" / "replications" / "importance.csv")
    table = table[table["study"] == "correlation"]
    return table.pivot(index="quantity", columns="set", values="value")


def test_every_number_is_that_of_ten_sets(explored, written):
    assert written.shape[1] == 10
    assert {r["state"]["at"] for r in explored["records"]} == set(range(11))
    for record in explored["records"]:
        state, values, r = record["state"], record["values"], f"{record['state']['at'] / 10:g}"
        assert state["at"] <= (10 if state["guess"] is not None else 5)
        assert record["sliders"]["at"] == [state["at"], f"{state['at'] / 10:.1f}"]
        for measure in MEASURES:
            for column in ("a", "twin"):
                sets = written.loc[f"{measure}, {column}, {r}"]
                mean, sd = values[measure + column].split(" ± ")
                assert number(mean) == pytest.approx(sets.mean(), abs=0.006)
                assert number(sd) == pytest.approx(sets.std(ddof=1), abs=0.006)
        sentence = record["sentence"].split("new rows is ")[1]
        shown = [float(x) for x in re.findall(r"(\d+\.\d+) with", sentence)]
        error = written.loc[f"error, {r}"].mean()
        without_a = error + written.loc[f"drop-column, a, {r}"].mean()
        without_both = error + written.loc[f"drop-column, both, {r}"].mean()
        assert shown == pytest.approx([error, without_a, without_both], abs=0.006)
        assert f"correlation {state['at'] / 10:.1f} " in record["sentence"]
        assert ("unlocks" in record["sentence"]) == (state["guess"] is None)
        if state["guess"] in (None, -1):
            assert record["verdict"] == ""
            continue
        shares = [
            100 * written.loc[f"{m}, twin, 1"].mean() / written.loc[f"{m}, a, 0"].mean()
            for m in MEASURES
        ]
        said = re.findall(r"([−\d]+)% by", record["verdict"])
        assert [number(n) for n in said] == pytest.approx(shares, abs=0.501)


def test_errors_of_the_table_are_those_of_forests_grown_again(written):
    def draw(seed):
        a, b, own, noise = np.random.default_rng(seed).normal(size=(4, [500, 300][seed % 2 == 0]))
        twin = 0.9 * a + np.sqrt(0.19) * own
        return np.column_stack([a, twin, b]), 2 * a + 1.5 * b + noise

    (X, y), (X_new, y_new) = draw(2), draw(3)
    errors = {}
    for name, columns in (("all", [0, 1, 2]), ("a", [1, 2]), ("both", [2])):
        forest = RandomForestRegressor(30, max_features=1, random_state=1).fit(X[:, columns], y)
        errors[name] = np.mean((forest.predict(X_new[:, columns]) - y_new) ** 2)
    assert errors["all"] == pytest.approx(written.loc["error, 0.9", 1])
    for name in ("a", "both"):
        lost = errors[name] - errors["all"]
        assert lost == pytest.approx(written.loc[f"drop-column, {name}, 0.9", 1])
