"""The bag that a reader fills: rows out of bag, votes and errors, against the trees themselves."""

import re

import numpy as np
import pytest
from readers import number, verdicts

from treelab import BaggingClassifier
from treelab.datasets import make_moons

PAGE, KIND = "notebooks/09_bagging.html", "bag"
TREES, OPEN = 50, 8


@pytest.fixture(scope="module")
def bag():
    """The rows, their classes, the rows of each sample, and each tree's answers on two tables."""
    X, y = make_moons(80, noise=0.3, random_state=3)
    X = X.round(2)
    model = BaggingClassifier(n_estimators=TREES, oob_score=True, random_state=0).fit(X, y)
    X_new, y_new = make_moons(2000, noise=0.3, random_state=1)
    return {
        "X": X,
        "y": y,
        "unseen": np.array([~np.isin(np.arange(80), rows) for rows in model.estimators_samples_]),
        "said": np.array([tree.predict(X) for tree in model.estimators_]),
        "oob": model.oob_error_path(),
        "test": np.array([stage != y_new for stage in model.staged_predict(X_new)]).mean(axis=1),
        "vote": model.predict(X),
    }


def test_every_number_is_that_of_the_trees(explored, bag):
    assert len({str(record["state"]) for record in explored["records"]}) > 100
    results = set()
    for record in explored["records"]:
        state, values, said = record["state"], record["values"], record["sentence"]
        B, told = state["trees"], state["guess"] is not None
        assert 1 <= B <= (TREES if told else OPEN)
        assert record["sliders"]["trees"] == [B, str(B)]
        point = np.array([-2.0, -1.6]) + 0.1 * (np.array([state["x"], state["y"]]) + 0.5)
        for name, place in zip("xy", point, strict=True):
            assert number(record["sliders"][name][1]) == pytest.approx(place, abs=0.005)

        unseen, y = bag["unseen"][:B], bag["y"]
        wrong = (bag["said"][B - 1] != y)[unseen[-1]].sum()
        assert values["unseen"] == f"{unseen[-1].sum()} of 80"
        assert values["wrong"] == f"{wrong} of {unseen[-1].sum()}"
        assert number(values["coverage"]) == pytest.approx(
            100 * unseen.any(axis=0).mean(), abs=0.0501
        )
        assert number(values["error"]) == pytest.approx(100 * bag["oob"][B - 1], abs=0.0501)
        if told:
            assert number(values["test"]) == pytest.approx(100 * bag["test"][B - 1], abs=0.0501)
            assert said.endswith(
                f" The error is {values['error']}, and {values['test']} on new rows."
            )
        else:
            assert values["test"] == "?"
            assert "new rows" not in said

        circles, squares = map(int, values["votes"].split(" : "))
        i = int(np.argmin(np.hypot(*(bag["X"] - point).T)))
        votes = bag["said"][:B, i][unseen[:, i]]
        assert (circles, squares) == ((votes == 0).sum(), (votes == 1).sum())
        assert said.startswith(f"Tree {B} has not seen the {unseen[-1].sum()} hollow rows. ")
        result = re.search(r"squares, (.*?)\. ", said)[1]
        results.add(result)
        assert (
            f"for {circles + squares} of {B} trees: {circles} vote for circles, {squares} for"
            in said
        )
        if circles + squares == 0:
            assert result == "so it has no vote yet"
        else:
            assert ("tie" in result) == (circles == squares)
            assert result.split()[-1] == ("right" if (squares > circles) == y[i] else "wrong")
    assert len(results) >= 4


def test_the_verdicts_hold(explored, bag):
    assert (bag["vote"] == bag["y"]).all()  # as the question says
    error, test = bag["oob"][-1], bag["test"][-1]
    sd = np.sqrt(error * (1 - error) / 80)
    assert abs(error - test) < sd < abs(error - 2 * test)
    replies = set()
    for guess, verdict in verdicts(explored["records"]):
        shown = [float(x) for x in re.findall(r"\d+\.\d+", verdict)]
        assert shown == pytest.approx([100 * error, 100 * test, 100 * sd], abs=0.0501)
        assert verdict.startswith("Yes" if guess == 1 else "No")
        replies.add(guess)
    assert replies == {0, 1, 2}
