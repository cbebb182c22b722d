"""An order for an hour at costs that differ: every number against quantiles fitted by time."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from browser_tools import HTML
from readers import number, verdicts

from treelab import GradientBoostingRegressor
from treelab.datasets import fetch_bike_sharing

PAGE, KIND = "notebooks/18_bicycles.html", "asymmetry"
STEPS = "250"  # states that differ are fewer
RATIOS = [(1, 5), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1), (5, 1)]
HOURS = [
    "2012-09-11 08", "2012-09-15 14", "2012-09-18 17", "2012-10-14 14", "2012-10-30 17",
    "2012-11-22 08", "2012-12-12 17",
]  # fmt: skip
KNOWN = [
    "hr", "weekday", "workingday", "mnth", "usual", "yesterday", "week ago", "temp before",
    "sky before",
]  # fmt: skip
OPEN = 3  # the last ratio before a guess
ASKED = 5  # the ratio of the question


def what_is_known(frame):
    """The hours of the table, with what was known at the midnight before; by dictionaries."""
    frame = frame.assign(day=pd.to_datetime(frame["dteday"]))
    frame["number"] = (frame["day"] - frame["day"].min()).dt.days
    seen = {}
    for hour, part in frame.groupby("hr"):
        for name in ("cnt", "temp", "weathersit"):
            last, values = np.nan, dict(zip(part["number"], part[name], strict=True))
            for day in range(frame["day"].nunique()):
                last = values.get(day, last)  # an hour that is missing counts as the day before
                seen[name, hour, day] = last

    def back(name, row, n):
        return seen.get((name, row.hr, row.number - n), np.nan)

    rows = []
    for row in frame.itertuples():
        usual = np.mean([back("cnt", row, 7 * weeks) for weeks in (1, 2, 3, 4)])
        lags = [back("cnt", row, 1), back("cnt", row, 7)]
        rows.append([usual, *lags, back("temp", row, 1), back("weathersit", row, 1)])
    return frame.assign(**pd.DataFrame(rows, frame.index, KNOWN[4:]))


@pytest.fixture(scope="module")
def study():
    """Orders for each hour from September 2012 on, by models of the twelve months before."""
    table = what_is_known(fetch_bike_sharing("hour").frame)
    old = table[(table["day"] >= "2011-09-01") & (table["day"] < "2012-09-01")]
    new = table[table["day"] >= "2012-09-01"]
    left = (old["cnt"] - old["usual"]).to_numpy(float)

    def orders(**loss):
        model = GradientBoostingRegressor(
            n_estimators=50, max_depth=4, min_samples_leaf=20, split_search="histogram",
            random_state=0, **loss,
        )  # fmt: skip
        said = new["usual"] + model.fit(old[KNOWN], left).predict(new[KNOWN])
        return np.rint(np.maximum(said.to_numpy(), 0))

    fitted = [orders(loss="quantile", alpha=k / 12) for k in range(1, 12)]
    time = new["day"] + pd.to_timedelta(new["hr"], unit="h")
    places = [np.flatnonzero(time == pd.Timestamp(f"{hour}:00")).item() for hour in HOURS]
    names = [f"{time.iloc[i]:%a} {time.iloc[i].day} {time.iloc[i]:%b}, {time.iloc[i].hour} h"
             for i in places]  # fmt: skip
    return SimpleNamespace(
        table=table, new=new, demand=new["cnt"].to_numpy(), mean=orders(),
        quantiles=np.sort(fitted, axis=0), places=places, names=names,
    )  # fmt: skip


def cost(demand, order, k):
    few, many = RATIOS[k]
    return few * np.maximum(demand - order, 0) + many * np.maximum(order - demand, 0)


def level(k):
    """The place of the quantile that costs least, of eleven."""
    few, many = RATIOS[k]
    return 12 * few // (few + many) - 1


def state_of(record):
    state = record["state"]
    return state["k"], state["hour"], state["guess"]


def test_the_right_quantile_costs_least_among_the_forecast(study):
    for k in range(7):
        for quantiles in study.quantiles[:, study.places].T:
            expected = [cost(quantiles, order, k).mean() for order in quantiles]
            assert expected[level(k)] == pytest.approx(min(expected))


def test_every_number_is_that_of_the_orders(explored, study):
    assert len({str(record["state"]) for record in explored["records"]}) >= 130
    for record in explored["records"]:
        k, hour, guess = state_of(record)
        few, many = RATIOS[k]
        told, place = guess is not None, study.places[hour]
        assert told or k <= OPEN
        assert record["sliders"] == {
            "k": [k, f"{few} : {many}"],
            "hour": [hour, study.names[hour]],
        }
        right, rented = study.quantiles[level(k)], study.demand[place]
        values, order = record["values"], int(right[place])
        for name, orders in (
            ("mean", study.mean),
            ("median", study.quantiles[5]),
            ("right", right),
        ):
            assert number(values[name]) == pytest.approx(
                cost(study.demand, orders, k).mean(), abs=0.0501
            )
        left = 100 * (right > study.demand).mean()
        assert number(values["left"]) == pytest.approx(left, abs=0.0501)

        gap = f"{abs(rented - order)} {'missing' if rented > order else 'left over'}"
        share, paid = f"{100 * few / (few + many):.0f}%", int(cost(rented, order, k))
        start = (
            f"Costs {few} : {many}, {study.names[hour]}: order {order}, to be enough in {share} "
        )
        start += f"of such hours. {rented} were rented: {gap}, which costs {paid}. "
        assert record["sentence"].startswith(start)
        after = record["sentence"].removeprefix(start)
        if told:
            mean, share = re.fullmatch(
                r"New hours cost (.+) on average; (.+)% have some left\.", after
            ).groups()
            assert mean == values["right"]
            assert number(share) == pytest.approx(left, abs=0.55)
        else:
            assert after == "A guess, or Skip, opens the other ratios."


def test_verdict_is_what_the_orders_cost(explored, study):
    right, median, mean = (
        cost(study.demand, orders, ASKED).mean()
        for orders in (study.quantiles[level(ASKED)], study.quantiles[5], study.mean)
    )
    even = cost(study.demand, study.quantiles[5], OPEN).mean()
    assert abs(80 - right) < abs(110 - right) < abs(160 - right)
    assert round(2 * even, -1) == 110
    assert round(3 * even, -1) == 160
    page = (HTML / PAGE).read_text(encoding="utf-8")
    assert f"At 1 : 1 an hour costs {even:.0f} by the quantile." in page
    for guess, verdict in verdicts(explored["records"]):
        assert verdict.startswith(f"{'No' if guess else 'Yes'}, {right:.0f}: ")
        assert verdict.endswith(f"The median costs {median:.0f}, the mean {mean:.0f}.")


def test_nothing_of_the_hours_judged_is_learned(study):
    """What is known of an hour stays if all later hours are others."""
    frame = fetch_bike_sharing("hour").frame
    days = pd.to_datetime(frame["dteday"])
    changed = frame.copy()
    changed.loc[days >= "2012-11-01", ["cnt", "temp", "weathersit"]] = 0
    columns = KNOWN[4:]
    before, after = study.table[columns], what_is_known(changed)[columns]
    first = (days == "2012-11-01") | (days < "2012-11-01")
    assert before[first].equals(after[first])
    assert not before[~first].equals(after[~first])
