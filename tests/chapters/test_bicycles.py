"""Facts of chapter 17: the answers to its exercises."""

from math import ceil, sqrt

import numpy as np
import pandas as pd
from facts import in_words
from scipy.stats import binom

from treelab import RandomForestRegressor
from treelab.datasets import fetch_bike_sharing

MORNINGS = np.array([6, 9, 4, 12, 7, 5, 8, 15, 6, 10])


def cost_of(order, under):
    """Mean cost of an order over the ten mornings."""
    return np.mean(np.maximum(under * (MORNINGS - order), order - MORNINGS))


def best_orders(under):
    """The orders that cost least."""
    costs = np.array([cost_of(order, under) for order in range(21)])
    return np.flatnonzero(np.isclose(costs, costs.min())).tolist()


def test_ten_mornings(page):
    (best,) = best_orders(3)
    below, reached = (np.mean(MORNINGS <= order) for order in (9, 10))
    page.says(
        f"At 9 the share is {below:g}, at 10 it is {reached:g}: the order is {best}, the mean "
        f"cost {cost_of(best, 3):g}. The mean demand is {MORNINGS.mean():g}; eight bicycles cost "
        f"{cost_of(8, 3):g}."
    )
    *some, last = best_orders(4)
    page.says(f"{', '.join(map(str, some))} and {last} cost the same, {cost_of(last, 4):g}.")


def test_a_band_for_nineteen_nights(page):
    lacks = [-9, -8, -7, -6, -6, -5, -4, -4, -3, -2, -2, -1, 0, 1, 2, 3, 5, 8, 14]
    page.says(f"are, in order, {', '.join(map(str, lacks))}.")
    inside = sum(lack <= 0 for lack in lacks)
    page.says(f"at most 0: {inside} of {len(lacks)}, {inside / len(lacks):.2f}.")
    ranks = [-(-percent * (len(lacks) + 1) // 100) for percent in (80, 90, 95, 99)]
    margins = [lacks[rank - 1] for rank in ranks[:3]]
    page.says(
        "The ranks are {}, {}, {} and".format(*ranks[:3])
        + rf" $\lceil 19.8 \rceil = {ranks[3]}$: margins "
        + "{}, {}, {}, and".format(*margins)
    )
    nights = next(n for n in range(1, 200) if ceil(99 * (n + 1) / 100) <= n)
    page.says(rf"(n + 1) \rceil \le n$ holds from $n = {nights}$ on.")
    page.says(rf"\sqrt{{18 \cdot 2 / (20^2 \cdot 21)}} = {sqrt(18 * 2 / (20**2 * 21)):.3f}$.")
    page.says(f"so few would happen with probability {binom.cdf(22, 30, 0.9):.3f}.")
    page.says(f"covers 22 nights or fewer with probability {binom.cdf(22, 30, 0.83):.2f}.")


def test_rides_to_be_ready_for(page):
    days = fetch_bike_sharing("day").frame
    day, rides = pd.to_datetime(days["dteday"]), days["cnt"].astype(float)
    week = rides.shift(1).rolling(7).mean()  # of the seven days before
    inputs = days[["mnth", "weekday", "workingday", "holiday"]].assign(
        today=rides.shift(1), same_weekday=rides.shift(7), week=week
    )
    weather = inputs.join(days[["temp", "hum", "windspeed", "weathersit"]])

    def planned(start, X, scale):
        """Mean cost of a month, and share of its days with enough; without X: scale forecasts."""
        before = start - pd.Timedelta(days=60)
        learn = (day < before) & inputs["same_weekday"].notna()
        last = (day >= before) & (day < start)
        month = (day >= start) & (day < start + pd.offsets.MonthBegin(1))
        forecast = scale.copy()
        if X is not None:
            model = RandomForestRegressor(
                100, min_samples_leaf=5, max_features=1 / 3, random_state=0
            ).fit(X[learn], (rides / scale)[learn])
            forecast[last | month] *= model.predict(X[last | month])
        margin = np.sort((rides - forecast)[last])[48]  # the 49th of 60: 0.8 (60 + 1) is 48.8
        short = (rides - forecast - margin)[month]
        return np.maximum(4 * short, -short).mean(), (short <= 0).mean()

    ones = pd.Series(1.0, day.index)
    ways = {"today": (None, rides.shift(1)), "forest": (inputs, ones), "share": (inputs, week),
            "weather": (weather, week)}  # fmt: skip
    starts = pd.date_range("2012-03-01", "2012-12-01", freq="MS")
    plans = {
        name: np.array([planned(start, *way) for start in starts]) for name, way in ways.items()
    }
    chose, judged = (
        pd.DataFrame({name: plan[rows, 0] for name, plan in plans.items()})
        for rows in (slice(5), slice(5, 10))
    )
    first, then = chose.mean().round().astype(int), judged.mean().round().astype(int)
    page.says(
        f"the forest cost {first['forest']} a day and today's count {first['today']}: rentals"
    )
    page.says(f"the share of the last seven days instead: {first['share']}.")

    def gained(a, b):
        """Mean and standard error of what `b` saves against `a`, over the five months."""
        gain = judged[a] - judged[b]
        return round(gain.mean()), round(gain.std() / sqrt(5)), (gain > 0).sum()

    saved, se, months = gained("today", "share")
    page.says(
        f"the share cost {then['share']} a day and today's count {then['today']}: {saved} saved, "
        f"with a standard error of {se} over the months, in {in_words(months)} of five."
    )
    more, se, _ = gained("forest", "share")
    page.says(f"cost {then['forest']} there, {more} more, with a standard error of {se}: between")
    more, se, _ = gained("share", "weather")
    page.says(
        f"it would be {then['weather']}: a perfect forecast would save {more} more, with a "
        f"standard error of {se}."
    )
    covered = [100 * plans[way][5:, 1].mean() for way in ("share", "today")]
    page.says(f"It covered {covered[0]:.0f} percent of these days where 80 were wanted")
    page.says(f"than the next 30; today's count covered {covered[1]:.0f}.")
    page.says(
        f"in October the share covered {100 * plans['share'][7, 1]:.0f} percent and cost "
        f"{plans['share'][7, 0]:.0f} a day, today's count {plans['today'][7, 0]:.0f}."
    )
