"""A tree that may ask more questions about an hour: every number against trees and means."""

import re

import numpy as np
import pandas as pd
import pytest
from readers import number, verdicts
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from treelab.datasets import fetch_bike_sharing

PAGE, KIND = "notebooks/01_reading_a_tree.html", "hours"
DAYS = ["other days", "working days"]
TENTHS = 0.0511  # half a tenth, and the sixth digit of what the page holds


@pytest.fixture(scope="module")
def bikes():
    """The hours with their rentals, and trees of every depth, grown by scikit-learn."""
    frame = fetch_bike_sharing().frame
    hours = frame[["hr", "temp", "workingday"]].set_axis(["hour", "temp", "workday"], axis=1)
    trees = {
        depth: TheirRegressor(max_depth=depth, random_state=0).fit(hours, frame["cnt"])
        for depth in range(1, 8)
    }
    return hours, frame["cnt"], trees


def test_every_number_is_that_of_the_hours(explored, bikes):
    hours, rentals, trees = bikes
    states = {str(record["state"]) for record in explored["records"]}
    assert len(states) > 100
    for record in explored["records"]:
        state, values, said = record["state"], record["values"], record["sentence"]
        depth, hour, day = state["depth"], state["hour"], state["day"]
        assert 1 <= depth <= (3 if state["guess"] is None else 7)
        assert record["sliders"] == {
            "depth": [depth, str(depth)],
            "hour": [hour, str(hour)],
            "day": [day, DAYS[day]],
        }
        tree = trees[depth]
        here = pd.DataFrame({"hour": [hour], "temp": 0.6, "workday": day})
        leaf = tree.apply(hours) == tree.apply(here)[0]
        alike = (hours["hour"] == hour) & (hours["workday"] == day) & (hours["temp"] > 0.49)
        predicted, mean = rentals[leaf].mean(), rentals[alike].mean()
        assert number(values["predicted"]) == pytest.approx(predicted, abs=TENTHS)
        assert number(values["mean"]) == pytest.approx(mean, abs=TENTHS)
        assert number(values["off"]) == pytest.approx(abs(predicted - mean), abs=TENTHS)
        assert values["rows"] == str(leaf.sum())
        assert said.startswith(f"At depth {depth} the tree predicts ")
        assert (
            f" rentals for {hour} o’clock on {DAYS[day]}, the mean of {leaf.sum()} hours." in said
        )
        shown = [float(n) for n in re.findall(r"predicts (\d+)|one (\d+) were", said)[0] if n]
        assert shown[0] == pytest.approx(predicted, abs=0.501)
        assert float(re.search(r"one (\d+) were", said)[1]) == pytest.approx(mean, abs=0.501)


def test_the_path_has_every_question_and_the_mean_that_it_leaves(explored, bikes):
    hours, rentals, _ = bikes
    for record in explored["records"][:: max(1, len(explored["records"]) // 40)]:
        _, chain = record["pictures"]
        words = chain[2:]
        inside = np.ones(len(hours), dtype=bool)
        assert len(words) == 3 * (record["state"]["depth"] + 1)
        for rule, n, mean in zip(*[iter(words)] * 3, strict=True):
            if rule != "all hours":
                name, sign, threshold = rule.split()
                below = hours[name] <= float(threshold)
                inside &= below if sign == "≤" else ~below
            assert int(n) == inside.sum()
            assert float(mean) == pytest.approx(rentals[inside].mean(), abs=0.501)


def test_the_verdict_is_the_predictions_of_deeper_trees(explored, bikes):
    _, _, trees = bikes
    eight = pd.DataFrame({"hour": [8], "temp": 0.6, "workday": 1})
    path = [round(trees[depth].predict(eight)[0]) for depth in range(3, 8)]
    replies = set()
    for guess, verdict in verdicts(explored["records"]):
        assert [int(n) for n in re.findall(r"\d+", verdict)] == path
        assert verdict.startswith("Yes" if guess == 2 else "No")
        replies.add(guess)
    assert path[1] < path[0]
    assert replies == {0, 1, 2}
