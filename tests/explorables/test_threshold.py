"""The threshold of nine days: every number against a count of the days, and scikit-learn."""

import functools
import re

import pytest
from readers import number
from sklearn.metrics import confusion_matrix, precision_score, recall_score

PAGE, KIND = "notebooks/06_measuring_a_model.html", "threshold"
BUSY = [1, 1, 0, 1, 0, 1, 0, 0, 0]
SCORES = [9, 8, 7, 6, 5, 4, 4, 2, 1]  # in tenths


@functools.cache
def measures(at):
    """Counts, recall and precision, if there is one, at a threshold in tenths, by scikit-learn."""
    predicted = [int(score >= at) for score in SCORES]
    counts, recall = confusion_matrix(BUSY, predicted), recall_score(BUSY, predicted)
    return counts, recall, precision_score(BUSY, predicted) if any(predicted) else None


def errors(at):
    """Missed busy days and false alarms at a threshold in tenths."""
    missed = sum(k == 1 and score < at for k, score in zip(BUSY, SCORES, strict=True))
    return missed, sum(k == 0 and score >= at for k, score in zip(BUSY, SCORES, strict=True))


def cost(at, ratio):
    missed, alarms = errors(at)
    return ratio * missed + alarms


def cheapest(ratio):
    """The thresholds of least cost, in tenths."""
    costs = {at: cost(at, ratio) for at in range(1, 11)}
    return [at for at in costs if costs[at] == min(costs.values())]


def test_every_number_is_a_count_of_days(explored):
    states = set()
    for record in explored["records"]:
        state, values, said = record["state"], record["values"], record["sentence"]
        at, ratio, told = state["at"], state["ratio"], state["guess"] is not None
        states.add(str(state))
        ((TN, FP), (FN, TP)), recall, precision = measures(at)
        assert (FN, FP) == errors(at)
        assert record["sliders"] == {"at": [at, f"{at / 10:.1f}"], "ratio": [ratio, str(ratio)]}
        for cell in (f"TN {TN}", f"FP {FP}", f"FN {FN}", f"TP {TP}"):
            assert cell in record["pictures"][1]
        if TP + FP:
            assert number(values["precision"]) == pytest.approx(precision, abs=0.0051)
        else:
            assert values["precision"] == "none"
        assert number(values["recall"]) == pytest.approx(recall, abs=0.0051)
        assert number(values["fpr"]) == pytest.approx(FP / 5, abs=1e-9)
        assert values["cost"] == (str(cost(at, ratio)) if told else "?")
        start = f"At the threshold {at / 10:.1f} the forecast "
        assert said.startswith(start)
        if told:
            paid = f"misses {FN} of 4 busy days, at {ratio} each, and raises {FP} false alarms"
            assert f"{paid}, at 1 each. This costs {cost(at, ratio)} coins. The" in said
            best = re.search(r"The lowest cost is (\d+), at (.*)\.$", said)
            assert [round(10 * float(t)) for t in best[2].split(" or ")] == cheapest(ratio)
            assert int(best[1]) == cost(cheapest(ratio)[0], ratio)
        else:
            assert f"is “busy” on {TP + FP} of nine days. It finds {TP} of the 4 busy" in said
            assert f"with {FP} false alarms." in said
            assert "coins" not in said
    assert len(states) > 100


def test_the_cheapest_is_shown_and_the_verdicts_hold(explored):
    pressed, replies = 0, set()
    for record in explored["records"]:
        state, verdict = record["state"], record["verdict"]
        if record["did"] == "Show the cheapest" and state["guess"] is not None:
            assert state["at"] in cheapest(state["ratio"])
            pressed += 1
        if verdict:
            at, total = re.match(r"(?:Yes|No)\. At (0\.\d)", verdict)[1], verdict
            paid = re.search(r"(\d+) coins", total)[1]
            assert int(paid) == cost(round(10 * float(at)), 4)
            assert verdict.startswith("Yes") == (round(10 * float(at)) in cheapest(4))
            replies.add(state["guess"])
    assert pressed
    assert replies == {0, 1, 2}
