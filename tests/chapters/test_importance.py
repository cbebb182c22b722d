"""Facts of chapter 12: the answers to its exercises."""

import numpy as np
import pandas as pd
import pytest
from places import ROOT

from treelab import DecisionTreeRegressor
from treelab.datasets import fetch_bike_sharing
from treelab.fast.importance import drop_column_importance, impurity_decreases


def test_another_order(page):
    days = pd.DataFrame({"sun": [0] * 4 + [1] * 4, "weekend": [0, 0, 1, 1] * 2})
    second = np.array([2.0, 2, 2, 2, 3, 3, 9, 9])
    tree = DecisionTreeRegressor().fit(days, second)
    assert tree.tree_.feature[0] == 0
    ((sun, weekend),) = impurity_decreases(tree)
    page.says(f"the sun takes away $32/8 = {sun:g}$, the weekend $36/8 = {weekend:g}$.")
    costs = []
    for name in days:
        turns = [days.assign(**{name: np.roll(days[name], i)}) for i in range(8)]
        costs.append(np.mean([(tree.predict(turned) - second) ** 2 for turned in turns]))
    page.says(f"25 on average, for half of the days: {costs[0]:g}. A wrong `weekend`")
    page.says(f"A wrong `weekend` costs 36 on sunny days: $36/4 = {costs[1]:g}$.")
    sun, weekend = drop_column_importance(
        DecisionTreeRegressor(), days, second, held_out=(days, second),
        scoring="neg_mean_squared_error",
    ).importances_mean  # fmt: skip
    page.says(rf"$(4 \cdot 0.25 + 4 \cdot 12.25)/8 = {sun:g}$. Without the weekend")
    page.says(f"Without the weekend the sunny days miss by 3: $36/8 = {weekend:g}$.")


@pytest.fixture(scope="module")
def lost():
    """The least and the largest of a quantity over ten sets, by name; and the quantities."""
    sets = pd.read_csv(ROOT / "notebooks" / "replications" / "importance.csv")
    sets = sets[sets["study"] == "bicycles"]
    ten = sets.pivot(index="quantity", columns="set", values="value")
    assert ten.shape[1] == 10
    return lambda quantity: "{:.2f} to {:.2f}".format(*ten.loc[quantity].agg(["min", "max"])), ten


def test_who_looks_at_the_thermometer(page, lost):
    ends, ten = lost
    both = [ten.loc[f"{who}, lost by both"] for who in ("casual", "registered")]
    assert (both[0] > both[1]).all()
    page.says(
        f"the casual riders' forests lose {ends('casual, lost by both')} of $R^2$, the registered "
        f"riders' {ends('registered, lost by both')}, each on 800 new hours"
    )
    page.says(
        f"costs the casual forests only {ends('casual, lost by temp')} and the registered ones "
        f"{ends('registered, lost by temp')}."
    )
    page.says(
        f"the casual riders lose {ends('casual, lost by dropping temp')}, without both "
        f"thermometers {ends('casual, lost by dropping both')}."
    )


def test_weekday_and_working_day_hardly_go_together(page):
    columns = fetch_bike_sharing().data.astype(float)
    r = columns["weekday"].corr(columns["workingday"])
    page.says(f"that of `weekday` and `workingday` is {r:.2f}, yet the weekday says nearly all")
