"""Figures of the chapter on bicycles: orders, leaks, months, and bands."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treelab import GradientBoostingRegressor
from treelab.datasets import fetch_bike_sharing
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES, MARKERS, WIDTH
from treelab.fast.newsvendor import order_table
from treelab.fast.selection import selection_stability
from treelab.figures.dots import dots
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "asymmetry_explorable",
    "best_settings",
    "cost_by_hour",
    "cost_by_weather",
    "costs_of_a_night",
    "coverage_by_month",
    "coverage_table",
    "error_of_nights",
    "errors_by_inputs",
    "errors_by_path",
    "first_inputs",
    "forecasts",
    "importances_by_setting",
    "leaks_table",
    "margins_compared",
    "mean_differences",
    "mean_importances",
    "neighbors_table",
    "order_stepper",
    "searched_settings",
    "shuffled_features",
    "splits_table",
    "spread_of_importances",
    "swaps_of_settings",
    "ways_to_choose",
    "week_before_midnight",
    "worst_nights",
]

FIRST_MONTHS = [f"2012-{month:02d}" for month in range(3, 9)]  # they choose a way
LAST_MONTHS = [f"2012-{month:02d}" for month in range(9, 13)]  # they report on it
MONTHS = list("MAMJJASOND")
SIX_MONTHS = 2.57  # standard errors of a 95% interval from six months


def _hours():
    """The table of the hours; the index is the time."""
    hours = fetch_bike_sharing("hour").frame
    return hours.set_index(pd.to_datetime(hours["dteday"]) + pd.to_timedelta(hours["hr"], unit="h"))


def week_before_midnight():
    """Draw the rentals of six days up to midnight, and the same weekday of the week before."""
    rentals = _hours()["cnt"]
    past, before = rentals.loc["2012-08-05":"2012-08-10"], rentals.loc["2012-08-04"]
    _, ax = plt.subplots(figsize=(WIDTH, 2.9))
    ax.plot(past.index, past, color=INK)
    ax.plot(before.index + pd.Timedelta(days=7), before, ":", color=COLORS[1], marker=".", ms=3)
    ax.axvline(pd.Timestamp("2012-08-11"), color=ACCENT)
    ax.text(pd.Timestamp("2012-08-11 02:00"), 830, "tomorrow?", ha="left", va="center")
    noons = pd.date_range("2012-08-05", "2012-08-11") + pd.Timedelta(hours=12)
    ax.set_xticks(noons, ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"])
    ax.set(ylabel="rentals in an hour", ylim=(0, 900))
    ax.set_xlim(pd.Timestamp("2012-08-05"), pd.Timestamp("2012-08-12 06:00"))
    plt.show()


# --- ten nights -----------------------------------------------------------------------------------


def order_stepper(demand):
    """Show what each order costs on ten days, and what one more bicycle would change."""
    steps, frames = order_table(demand, under=3, over=1), []
    for k, row in enumerate(steps.itertuples(index=False)):
        words = (
            f"Order {row.order:.0f}: {row.missing:.0f} missing, {row[2]:.0f} left over, cost "
            f"{row.cost:.0f}. One more would be used on {row.above} of ten days: "
            f"{-3 * row.above:+d} {10 - row.above:+d} = {row[5]:+d}."
        )
        words += " The least cost." if row.best else ""
        frames.append((_orders_up_to(k, demand, steps), words, words))
    return stepper(frames, "Up, as long as one more pays", "bicycles-order")


def _orders_up_to(k, demand, steps):
    """Draw the demands beside order k, and the costs of all orders up to it."""
    order = steps["order"][k]
    fig, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.0), width_ratios=(1.25, 1))
    for i, d in enumerate(np.sort(demand)):
        color, lw, ls = (COLORS[1], 3, "-") if d > order else (COLORS[0], 1, ":")
        left.plot([order, d], [i, i], color=color, lw=lw, ls=ls)
        left.plot(d, i, "o", color=color, mec=INK, ms=7)
    left.axvline(order, color=ACCENT)
    left.set(xlim=(27.5, 43.5), yticks=[], xlabel="bicycles", ylabel="days, sorted")
    right.plot(steps["order"][: k + 1], steps["cost"][: k + 1], "o-", color=INK)
    right.set(xlim=(27.5, 43.5), ylim=(0, 260), xlabel="order", title="cost of ten days")
    return fig


# --- costs that differ ----------------------------------------------------------------------------

RATIOS = [(1, 5), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1), (5, 1)]  # too few : too many
PROBABILITIES = np.arange(1, 12) / 12  # of the quantiles
LEVELS = [int(np.rint(12 * few / (few + many))) - 1 for few, many in RATIOS]  # their places there
ASKED, EVEN = RATIOS.index((3, 1)), RATIOS.index((1, 1))
PICKED = {
    "Tue 11 Sep, 8 h": "2012-09-11 08", "Sat 15 Sep, 14 h": "2012-09-15 14",
    "Tue 18 Sep, 17 h": "2012-09-18 17", "Sun 14 Oct, 14 h": "2012-10-14 14",
    "Tue 30 Oct, 17 h": "2012-10-30 17", "Thu 22 Nov, 8 h": "2012-11-22 08",
    "Wed 12 Dec, 17 h": "2012-12-12 17",
}  # fmt: skip


def asymmetry_explorable():
    """Let the reader change the ratio of the two costs and see the order of an hour."""
    demand, mean, quantiles = forecasts()
    orders = {
        "mean": [mean] * 7, "median": [quantiles[5]] * 7, "quantile": quantiles[LEVELS],
    }  # fmt: skip
    paid = {
        way: np.array([_cost(q, *ratio, demand) for q, ratio in zip(found, RATIOS, strict=True)])
        for way, found in orders.items()
    }
    hours = [
        _hour(name, demand.index.get_loc(pd.Timestamp(f"{time}:00")), demand, mean, quantiles)
        for name, time in PICKED.items()
    ]
    per_hour = {way: costs.mean(axis=1) for way, costs in paid.items()}
    data = {
        "ratios": [f"{few} : {many}" for few, many in RATIOS], "levels": LEVELS, "hours": hours,
        "open": EVEN, "bikes": [50, 1050], "tall": [0, 220],
        "left": (100 * (quantiles[LEVELS] > demand.to_numpy()).mean(axis=1)).round(1),
        "highest": np.ceil(np.max([one["costs"] for one in hours], axis=(0, 2)) / 50) * 50,
        "means": {way: costs.round(1) for way, costs in per_hour.items()},
        "rest": {"k": EVEN, "hour": 0}, "guesses": [80, 110, 160],
        **_words_of_the_costs(per_hour),
    }  # fmt: skip
    frames = [
        _quantiles_of(hours[0], EVEN, "The median costs least."),
        _quantiles_of(hours[0], ASKED, "Enough in 75 of 100 hours costs least."),
        _quantiles_of(hours[2], ASKED, "It rained, and most were left over."),
    ]
    return explorable("asymmetry", data, frames, "Too few, too many", "slide-asymmetry")


def forecasts():
    """Demand of each hour from September 2012 on, and its forecasts: mean, and 11 quantiles."""
    hours = _with_lags(_hours())
    learn, new = hours.loc["2011-09":"2012-08"], hours.loc["2012-09":]
    quantiles = [_forecast(learn, new, loss="quantile", alpha=p) for p in PROBABILITIES]
    return new["cnt"], _forecast(learn, new), np.sort(quantiles, axis=0)


def _with_lags(hours):
    """The hours with rentals and weather of the days before; a missing hour is as last seen."""
    last = hours.index[-1].normalize() + pd.Timedelta("23h")
    clock = pd.date_range(hours.index[0].normalize(), last, freq="h")
    seen = hours.reindex(clock)[["cnt", "temp", "weathersit"]].groupby(clock.hour).ffill()
    return hours.join(pd.DataFrame({
        "yesterday": seen["cnt"].shift(24), "week ago": seen["cnt"].shift(168),
        "usual": sum(seen["cnt"].shift(168 * weeks) for weeks in (1, 2, 3, 4)) / 4,
        "temp before": seen["temp"].shift(24), "sky before": seen["weathersit"].shift(24),
    }))  # fmt: skip


def _forecast(learn, new, **loss):
    """Whole bicycles for each new hour, by boosting of what the usual left before."""
    features = ["hr", "weekday", "workingday", "mnth", "usual", "yesterday", "week ago",
                "temp before", "sky before"]  # fmt: skip
    model = GradientBoostingRegressor(
        n_estimators=50, max_depth=4, min_samples_leaf=20, split_search="histogram",
        random_state=0, **loss,
    )  # fmt: skip
    model.fit(learn[features], (learn["cnt"] - learn["usual"]).to_numpy(float))
    forecast = new["usual"].to_numpy() + model.predict(new[features])
    return np.rint(np.maximum(0, forecast)).astype(int)


def _cost(order, few, many, demand):
    """Cost of an order, if a bicycle too few costs `few` and one too many `many`."""
    return np.where(demand > order, few * (demand - order), many * (order - demand))


def _hour(name, place, demand, mean, quantiles):
    """Forecasts of one hour, the expected cost of each order, and what the right one has cost."""
    forecast, rented = quantiles[:, place], demand.iloc[place]
    return {
        "name": name, "mean": mean[place], "rented": rented, "quantiles": forecast,
        "costs": [[_cost(order, *ratio, forecast).mean().round(1) for order in forecast]
                  for ratio in RATIOS],
        "paid": np.array([_cost(order, *ratio, rented)
                          for order, ratio in zip(forecast[LEVELS], RATIOS, strict=True)]),
    }  # fmt: skip


def _words_of_the_costs(per_hour):
    """The question, the answers, and the words of each state."""
    mean, median, right = (per_hour[way][ASKED] for way in ("mean", "median", "quantile"))
    return {
        "question": f"At 1 : 1 an hour costs {per_hour['quantile'][EVEN]:.0f} by the quantile. Now "
                    "a bicycle too few costs 3, and more are ordered. What does an hour cost?",
        "answers": ["about 80", "about 110: twice", "about 160: three times"],
        "verdicts": [f"{reply}, {right:.0f}: fewer are missing at 3, more left over at 1. The "
                     f"median costs {median:.0f}, the mean {mean:.0f}."
                     for reply in ("Yes", "No", "No")],
        "says": [
            "Costs {ratio}, {name}: order {order}, to be enough in {share}% of such hours. "
            "{rented} were rented: {gap}, which costs {paid}. " + after
            for after in ("A guess, or Skip, opens the other ratios.",
                          "New hours cost {right} on average; {left}% have some left.")
        ],
        "label": "too few : too many", "ratio": "ratio", "pick": "hour",
        "names": ["mean", "rented"],
        "titles": ["enough in %", "expected cost", "cost of an order",
                   "bicycles ordered", "cost per hour"],
        "values": {"mean": "mean’s cost", "median": "median’s cost", "right": "quantile’s cost",
                   "left": "hours with some left"},
        "alt": ["The quantiles of the forecast for the hour, the order, the mean and what was "
                "rented.",
                "The expected cost of each order.",
                "Mean cost of an hour from September on, for orders by mean, median and quantile."],
    }  # fmt: skip


def _quantiles_of(hour, k, caption):
    """A frame: the quantiles of an hour, and the expected cost of each order at ratio k."""
    (few, many), order = RATIOS[k], hour["quantiles"][LEVELS[k]]
    fig, axes = plt.subplots(2, 1, figsize=(WIDTH, 4.2), sharex=True)
    axes[0].plot(hour["quantiles"], 100 * PROBABILITIES, marker="o", color=COLORS[0])
    axes[0].plot(hour["mean"], 3, marker="s", color=COLORS[1], mec=INK)
    axes[0].plot(hour["rented"], 3, marker="^", color=COLORS[2], mec=INK)
    axes[0].plot(order, 100 * PROBABILITIES[LEVELS[k]], marker="D", color=ACCENT, mec=INK)
    axes[0].set(ylabel="enough in %", ylim=(0, 100))
    axes[1].plot(hour["quantiles"], hour["costs"][k], color=COLORS[0])
    axes[1].axvline(order, color=ACCENT)
    axes[1].set(xlabel="bicycles ordered", ylabel="expected cost", ylim=(0, None))
    words = f"Costs {few} : {many}, {hour['name']}: order {order}. {hour['rented']} were rented. "
    return fig, words + caption, f"Quantiles of an hour, and the cost of each order. {words}"


# --- months that are stored -----------------------------------------------------------------------


def _results():
    types = {"key": str, "value": str}
    return pd.read_csv("replications/bicycles_end_to_end.csv", dtype=types)


def _numbers(results, study, key=None):
    """The numbers of one study: a row for each method, a column for each month."""
    rows = results[results["study"] == study]
    rows = rows if key is None else rows[rows["key"] == key]
    return rows.assign(value=pd.to_numeric(rows["value"])).pivot_table("value", "method", "month")


def leaks_table():
    """Errors of boosting with what is known and with more, and the paired differences."""
    errors = pd.read_csv("replications/leaks_without_level.csv")
    errors = errors.pivot(index="method", columns="month", values="error")
    errors.loc["usual"] = _numbers(_results(), "leaks", "absolute error").loc["usual"]
    errors = errors[FIRST_MONTHS]
    gap = errors.sub(errors.loc["known"]).T
    table = pd.DataFrame({"error": errors.mean(axis=1), "against known": gap.mean()})
    table["±"] = gap.sem()
    shown = ["usual", "known", "level", "the day after", "mean of all rows", "registered", "casual",
             "casual and registered", "measured weather", "number of the day"]  # fmt: skip
    return dots(table.loc[shown].round(1), "against known", reach=SIX_MONTHS)


def _errors_by_split():
    """Errors of each method in each month, a column for each way to split."""
    split = _results().query("study == 'split'")
    split = split[split["month"].isin(FIRST_MONTHS)].assign(value=split["value"].astype(float))
    return split.pivot_table("value", ["method", "month"], "key")


def splits_table():
    """Errors of each method with a split by time and with one at random."""
    return _compared_splits("by time", "at random", [
        "mean", "mean of the hour", "same hour last week", "usual", "tree, 13 columns",
        "forest, 13 columns", "boosting, 13 columns",
    ])  # fmt: skip


def neighbors_table():
    """Errors on the same hours, without and with their neighbors among the training rows."""
    return _compared_splits("half", "neighbors", [
        "tree, 13 columns", "forest, 13 columns", "boosting, 13 columns", "mean of the hour",
    ])  # fmt: skip


def _compared_splits(first, second, methods):
    """Mean errors of some methods by two ways to split, and the paired differences."""
    errors = _errors_by_split()
    table = errors[[first, second]].groupby("method").mean().rename_axis(columns=None)
    gap = (errors[first] - errors[second]).groupby("method")
    table["difference"], table["±"] = gap.mean(), gap.sem()
    return dots(table.loc[methods].round(1), "difference", reach=SIX_MONTHS)


def ways_to_choose(known):
    """Costs of an hour with the features that five ways select, and their stability."""
    results = _results()
    kept = results[(results["study"] == "ways") & (results["key"] == "columns")]
    kept = kept.assign(value=kept["value"].str.split("; ")).groupby("method")["value"]
    last, new = _numbers(results, "ways", "chosen"), _numbers(results, "ways", "judged")
    ways = ["filter", "forward search", "elimination", "Boruta", "regularized forest"]
    rows = {}
    for way in ["all", "by lot", *ways]:
        sets = kept.get_group(way)
        masks = np.array([[name in features for name in known] for features in sets])
        difference = (new.loc[way] - new.loc["all"])[FIRST_MONTHS]
        steady = selection_stability(masks[:6]).loc["nogueira", "value"]
        rows[way] = {
            "kept": sets.str.len().mean(), "last": last.loc[way, FIRST_MONTHS].mean(),
            "new": new.loc[way, FIRST_MONTHS].mean(), "against all": difference.mean(),
            "±": difference.sem(), "stability": steady if way != "all" else 1,
            "Sep to Dec": new.loc[way, LAST_MONTHS].mean(),
        }  # fmt: skip
    table = pd.DataFrame(rows).T
    return table.round({name: 2 if name == "stability" else 1 for name in table})


def searched_settings():
    """Print what the kept features save, and return the costs with and without a search."""
    results = _results()
    fixed = _numbers(results, "ways", "judged").loc[["all"]]
    searched = _numbers(results, "search", "judged")
    both = pd.concat([
        fixed.rename(index={"all": "all columns, not searched"}),
        searched.rename(index={"all": "all columns", "kept": "kept columns"}),
    ])  # fmt: skip
    saved = (searched.loc["all"] - searched.loc["kept"])[FIRST_MONTHS]
    print(
        f"kept for all, both searched, March to August: {saved.mean():.1f} ± {saved.sem():.1f} less"
    )
    first, last = both[FIRST_MONTHS].mean(axis=1), both[LAST_MONTHS].mean(axis=1)
    return pd.DataFrame({"March to August": first, "Sep to Dec": last}).round(1)


def _costs_by_night():
    """Cost of each way in each night; the index is month and night."""
    results = _results()
    nights = results["study"].isin(["orders", "search"]) & results["key"].str.match(r"20\d\d-")
    nights = results[nights].assign(value=results[nights]["value"].astype(float))
    return nights.pivot_table("value", ["month", "key"], "method")


def _cheapest(costs):
    """The way that is cheapest in the first months and knows no weather of the coming day."""
    first = costs.loc[FIRST_MONTHS].mean()
    return first.drop("boosting, quantile, measured weather").idxmin()


def error_of_nights(differences):
    """Compute the standard error of the mean of nights in a row, from the means of their weeks.

    Where a week resembles the one before it, the weeks are taken for an autoregressive process of
    order 1, else for independent.

    Parameters
    ----------
    differences : Series
        A number for each night; the index is the date.

    Returns
    -------
    error : float
    """
    weekly = differences.groupby(pd.to_datetime(differences.index).to_period("W")).mean()
    if weekly.std() == 0:  # no correlation is defined
        return 0.0
    similar = max(weekly.autocorr(1), 0)
    return weekly.sem() * np.sqrt((1 + similar) / (1 - similar))


def costs_of_a_night():
    """Cost of a night by each way to order, and the difference to the way that was chosen."""
    costs = _costs_by_night()
    last = costs.loc[LAST_MONTHS]
    gap = last.sub(last[_cheapest(costs)], axis=0).droplevel("month")
    table = pd.DataFrame({
        "Mar to Aug": costs.loc[FIRST_MONTHS].mean(), "Sep to Dec": last.mean(),
        "dearer": gap.mean(), "±": gap.apply(error_of_nights),
    })  # fmt: skip
    return dots(table.sort_values("Mar to Aug").map("{:.0f}".format), "dearer", most=1500)


def worst_nights(hours):
    """The five nights of the last months that cost most by the chosen way, and their days."""
    costs = _costs_by_night()
    worst = costs.loc[LAST_MONTHS][_cheapest(costs)].droplevel("month")
    worst = worst.sort_values(ascending=False).head(5).round(0).to_frame("cost")
    days = hours.groupby(hours.index.strftime("%Y-%m-%d"))
    told = days.agg({"cnt": "sum", "usual": "sum", "holiday": "max", "temp": "mean"})
    told["rain, hours"] = days["weathersit"].agg(lambda sky: (sky >= 3).sum())
    told["°C"] = 47 * told.pop("temp") - 8
    table = worst.join(told.rename(columns={"cnt": "rentals"})).rename_axis("night")
    return table.round(0).astype(int)


# --- where the cost sits --------------------------------------------------------------------------


def _costs_by(kind):
    """Sums of cost and number of hours in the last months, by hour of the day or by weather."""
    results = _results().query("study == 'hours'")
    results = results[results["month"].isin(LAST_MONTHS)]
    parts = results["key"].str.extract(r"^(hour|weather) (\d+) ?(\d?) (cost|n)$")
    parts = parts.set_axis(["kind", "at", "work", "what"], axis=1).astype({"at": int})
    rows = parts.assign(method=results["method"], value=results["value"].astype(float))
    index = ["work", "at"] if kind == "hour" else "at"
    rows = rows[rows["kind"] == kind]
    return rows.pivot_table("value", index, ["method", "what"], aggfunc="sum")


def cost_by_hour():
    """Draw the mean cost of each hour of the day, on working days and on other days."""
    costs = _costs_by("hour")
    fig, axes = plt.subplots(2, 1, figsize=(WIDTH, 4.6), sharex=True, sharey=True)
    for ax, work, title in zip(axes, "10", ("working days", "other days"), strict=True):
        for k, way in enumerate(("usual and margin", "boosting, quantile")):
            mean = costs.loc[work][way, "cost"] / costs.loc[work][way, "n"]
            ax.plot(mean.index, mean, MARKERS[k], ls=LINES[k], color=COLORS[k], ms=4, label=way)
        ax.set(title=title, ylabel="cost of an hour", xticks=range(0, 24, 4))
    axes[1].set(xlabel="hour", ylim=(0, None))
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def cost_by_weather():
    """Hours, mean cost and share of the cost in each kind of weather, by boosting."""
    skies = {1: "clear", 2: "mist", 3: "rain or snow", 4: "heavy"}
    table = _costs_by("weather")["boosting, quantile"].rename(index=skies).astype({"n": int})
    table = table.rename_axis(index="weather", columns=None)
    table["cost of an hour"] = (table["cost"] / table["n"]).round(1)
    table["share of the cost"] = (table["cost"] / table["cost"].sum()).round(2)
    return table[["n", "cost of an hour", "share of the cost"]]


def shuffled_features():
    """By how much an hour is dearer if a feature is shuffled within the month."""
    dearer = _numbers(_results(), "order", "dearer")[FIRST_MONTHS]
    table = pd.DataFrame({"dearer": dearer.mean(axis=1), "±": dearer.sem(axis=1)})
    return table.rename_axis("shuffled").sort_values("dearer", ascending=False).round(1).head(7)


# --- bands ----------------------------------------------------------------------------------------


def _coverage(period):
    """Proportion of the hours inside the band in each month (M) or week (W)."""
    results = _results()
    band = results[(results["study"] == "bands") & results["key"].str.match(r"20\d\d-")]
    band = band.assign(value=band["value"].astype(float), key=pd.to_datetime(band["key"]))
    inside = band.pivot_table("value", "key", "method")
    inside = inside.groupby(inside.index.to_period(period)).sum()
    return pd.DataFrame({
        name: inside[name] / inside[f"{name}, hours"] for name in ("raw", "with margin")
    })  # fmt: skip


def coverage_by_month():
    """Draw the coverage of the band by month, without and with a margin, and by week."""
    months, weeks = _coverage("M"), _coverage("W")["with margin"]
    _, ax = plt.subplots(figsize=(WIDTH, 3.2))
    ax.axhline(0.8, color=GRAY, ls="--")
    middle = months.index.start_time + pd.Timedelta(days=14)
    for k, name in enumerate(months):
        ax.plot(middle, months[name], MARKERS[k], ls=LINES[k], color=COLORS[k], label=name)
    thursday = weeks.index.start_time + pd.Timedelta(days=3)
    ax.plot(thursday, weeks, ".", color=GRAY, label="weeks, with margin")
    ax.set(xticks=middle, xticklabels=MONTHS, ylim=(0, 1.02))
    ax.set(ylabel="share of hours inside", xlabel="2012")
    ax.legend(loc="lower right")
    plt.show()


def coverage_table():
    """Coverage of the band in each month, without and with a margin."""
    return _coverage("M").T.set_axis(MONTHS, axis=1).round(2)


# --- under the hood: the thesis, done again -------------------------------------------------------

FEATURES = [
    "day", "season", "yr", "mnth", "hr", "holiday", "weekday", "workingday", "weathersit", "temp",
    "atemp", "hum", "windspeed",
]  # fmt: skip
MODELS = {"DTR": "one tree", "RFR": "forest", "GBR": "boosting"}
SETTING = ["max_depth", "max_features", "min_samples_split", "min_samples_leaf", "n_estimators"]
PRINTED = {"DTR": (-1, 0.5, 4, 4, -1), "RFR": (10, 0.5, 4, 2, 200), "GBR": (4, 0.5, 8, 2, 200)}


def first_inputs(results):
    """The most frequent first five inputs of each model, and how often they are as printed."""
    ranked = results.query("study == 'thesis ranking' and key == 'ranking'")
    first = ranked["value"].str.split().str[:5].str.join(" ")
    kind = ranked["method"].str.rsplit(", ", n=1, expand=True)
    models = [kind[0].rename("model"), kind[1].rename("target")]
    return pd.DataFrame({
        "most frequent first five": first.groupby(models).agg(lambda s: s.value_counts().index[0]),
        "as_printed": first.eq("5 8 11 10 12").groupby(models).sum(),
    })  # fmt: skip


def mean_importances(results):
    """Mean importance of each input for the models that predict all rentals."""
    rows = results.query("study == 'thesis ranking' and key == 'importance'")
    mean = _importances(rows["value"]).groupby(rows["method"]).mean().T
    mean.index = [f"{i} {name}" for i, name in enumerate(mean.index, 1)]
    return mean[[f"{kind}, cnt" for kind in ("DTR", "RFR", "GBR", "GBR, total")]].round(3)


def _importances(texts):
    """Importances that are stored as text, a column for each input."""
    return texts.str.split(expand=True).astype(float).set_axis(FEATURES, axis=1)


def errors_by_inputs(results):
    """Mean absolute test errors with all inputs and with some, split at random and by time."""
    errors = results.query("study == 'thesis errors'")
    errors = errors.assign(value=errors["value"].astype(float))
    errors = errors.groupby(["method", "key"])["value"].mean().unstack()
    rows = [f"{kind}, {size}" for kind in MODELS for size in (13, 5, 3, "own")]
    return errors.loc[["mean", *rows], ["random, cnt", "time, cnt", "random, casual"]].round(1)


def _runs(results):
    """What each run of the search found, a row for each model and random state."""
    runs = results[results["study"] == "thesis stability"]
    return runs.pivot_table("value", ["method", "month"], "key", aggfunc="first")


def swaps_of_settings(results, seeds):
    """Mean differences of two rankings of the settings: printed, here, and if drawn at random.

    `seeds` is the table of ``swaps_by_seed.py``: many seeds, with smaller ensembles.
    """
    names, columns = ["swaps", "metric1", "metric2"], {}
    printed = {"DTR": [63, 0.303, 0.448], "RFR": [6, 0.091, 0.12], "GBR": [4, 0.408, 0.598]}
    few, many = _runs(results).groupby("method")["ranking"], seeds.groupby("model")["ranking"]
    rng = np.random.default_rng(0)
    for kind in MODELS:
        runs, by_seed = ([text.split() for text in of.get_group(kind)] for of in (few, many))
        drawn = rng.permuted([list(range(len(runs[0])))] * 100, axis=1)
        found = {
            "printed": pd.Series(printed[kind], names),
            "many seeds": mean_differences(np.array(by_seed, dtype=int)),
            "few seeds": mean_differences(np.array(runs, dtype=int)),
            "at random": mean_differences(drawn),
        }
        columns[kind] = pd.DataFrame(found).stack()
    return pd.DataFrame(columns).round(3)


def mean_differences(orders):
    """Mean swaps, metric1 and metric2 of `compare_rankings` over all pairs of rankings; Series.

    The least number of swaps is the number of settings minus that of the cycles of the permutation.
    Each place gets the smallest place of its cycle, by jumps that double.
    """
    first, second = np.triu_indices(len(orders), 1)
    p = np.take_along_axis(np.argsort(orders, axis=1)[first], orders[second], axis=1)
    j, jump = np.arange(p.shape[1]), p
    least = np.broadcast_to(j, p.shape)
    for _ in range(len(j).bit_length()):
        least = np.minimum(least, np.take_along_axis(least, jump, axis=1))
        jump = np.take_along_axis(jump, jump, axis=1)
    weight = 2.0 ** -(p + j)
    each = {
        "swaps": (least != j).sum(axis=1),
        "metric1": np.where(p != j, weight, 0).sum(axis=1),
        "metric2": (np.abs(p - j) * weight).sum(axis=1),
    }
    return pd.DataFrame(each).mean()


def best_settings(results):
    """The settings that were best in the runs, and in how many runs."""
    best = _runs(results).groupby("method")["chosen"].value_counts().rename("draws")
    return best.rename_axis(index=["method", "best of the grid"]).to_frame()


def importances_by_setting(settings):
    """Draw the importances under each setting, and those under the printed one."""
    importances = _importances(settings["importance"])
    fig, axes = plt.subplots(1, 3, figsize=(WIDTH, 4.6), sharex=True, sharey=True)
    for ax, (kind, name) in zip(axes, MODELS.items(), strict=True):
        rows = settings[settings["model"].eq(kind) & settings["target"].eq("cnt")]
        for row in rows.index[rows["study"] == "settings"]:
            ax.plot(importances.loc[row], FEATURES, color=GRAY, lw=0.5, ls="-")
        printed = rows.index[(rows["study"] == "states") & (rows["state"] == 0)][0]
        ax.plot(importances.loc[printed], FEATURES, color=ACCENT, lw=1.8, ls="-")
        ax.set(title=name, xticks=[0, 0.5])
    axes[0].invert_yaxis()
    fig.supxlabel("importance", fontsize=13)
    plt.show()


def spread_of_importances(settings):
    """Mean proportion of importance that is elsewhere than in the mean, over settings or states."""
    importances = _importances(settings["importance"])
    kinds = [settings["model"], settings["study"].str.cat(settings["target"], sep=", ")]
    return importances.groupby(kinds)[FEATURES].apply(_spread).unstack().loc[list(MODELS)].round(3)


def _spread(rows):
    """The mean over rows of the proportion of importance that is elsewhere than in the mean."""
    return (rows - rows.mean()).abs().sum(axis=1).mean() / 2


def errors_by_path(curves):
    """Draw the test error over the number of features under each setting, and on average."""
    fig, axes = plt.subplots(1, 3, figsize=(WIDTH, 3.6), sharex=True, sharey=True)
    for ax, (kind, name) in zip(axes, MODELS.items(), strict=True):
        paths = curves[curves["model"] == kind].fillna(-1).set_index(SETTING)
        for setting in paths.index.unique():
            ax.plot("features", "test", data=paths.loc[setting], color=GRAY, lw=0.5, ls="-")
        ax.plot("features", "test", data=paths.loc[PRINTED[kind]], color=ACCENT, lw=1.8, ls="-")
        ax.plot(paths.groupby("features")["test"].mean(), color=INK, lw=1.8, ls="--")
        ax.set(title=name, xticks=[1, 5, 9, 13])
    axes[0].set_ylabel("mean absolute error")
    fig.supxlabel("number of features", fontsize=13)
    plt.show()


def margins_compared(results):
    """Coverage and width of the band in each month, with the margin and with a strict one."""
    bands = results[results["study"].isin(["bands", "strict"])]
    night = bands["key"].str.match(r"20\d\d-")
    sums, other = (rows.assign(value=rows["value"].astype(float))
                   for rows in (bands[night], bands[~night]))  # fmt: skip
    sums = sums.pivot_table("value", "month", "method", aggfunc="sum")
    other = other.pivot_table("value", "month", ["method", "key"])
    table = pd.DataFrame({
        "raw": sums["raw"] / sums["raw, hours"],
        "with margin": sums["with margin"] / sums["with margin, hours"],
        "strict": other["strict", "covered"], "width, with margin": other["with margin", "width"],
        "width, strict": other["strict", "width"],
    })  # fmt: skip
    table.loc["mean"] = table.mean()
    return table.round({name: 0 if "width" in name else 2 for name in table})
