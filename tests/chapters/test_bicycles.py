"""Facts of chapter 18: its examples, its months, and the answers to its exercises."""

from math import ceil, sqrt

import numpy as np
import pandas as pd
import pytest
from facts import Page, in_words
from places import ROOT
from scipy.stats import binom
from scipy.stats import t as student

from treelab import DecisionTreeRegressor, RandomForestRegressor
from treelab import newsvendor as plain_newsvendor
from treelab.datasets import fetch_bike_sharing
from treelab.fast.newsvendor import best_order, order_level, order_table
from treelab.figures import bicycles as figures

RESULTS = ROOT / "notebooks" / "replications"
FIRST_MONTHS = [f"2012-{month:02d}" for month in range(3, 9)]
LAST_MONTHS = [f"2012-{month:02d}" for month in range(9, 13)]
TREES = ["tree, 13 columns", "forest, 13 columns", "boosting, 13 columns"]


@pytest.fixture(scope="module")
def results():
    """The numbers of the months."""
    types = {"key": str, "value": str}
    return pd.read_csv(RESULTS / "bicycles_end_to_end.csv", dtype=types)


@pytest.fixture(scope="module")
def names(page):
    """What the cells of the chapter define that make the table of the hours."""
    return page.run("bic001", "bic005", "bic012", "bic013")


@pytest.fixture(scope="module")
def nights(results):
    """Cost of each way in each night; the index is month and night."""
    some = results["study"].isin(["orders", "search"]) & results["key"].str.match(r"20\d\d-")
    costs = results[some].assign(value=results[some]["value"].astype(float))
    return costs.pivot_table("value", ["month", "key"], "method")


def numbers(results, study, key=None):
    """The numbers of one study: a row for each method, a column for each month."""
    rows = results[results["study"] == study]
    rows = rows if key is None else rows[rows["key"] == key]
    return rows.assign(value=rows["value"].astype(float)).pivot_table("value", "method", "month")


def error_of(differences):
    """Standard error of nights if their weeks are an autoregressive process of order 1."""
    weeks = pd.to_datetime(differences.index.get_level_values("key")).to_period("W")
    weekly = differences.groupby(weeks).mean().to_numpy()
    similar = max(0, np.corrcoef(weekly[1:], weekly[:-1])[0, 1])
    return weekly.std(ddof=1) * sqrt((1 + similar) / (1 - similar) / len(weekly))


def by_week(differences):
    """Mean of the nights, and its standard error."""
    return f"{differences.mean():.0f} ± {error_of(differences):.0f}"


def decided(differences):
    """Whether the mean is two standard errors or more from zero."""
    return abs(differences.mean()) >= 2 * error_of(differences)


def plus_minus(differences):
    """Mean and standard error of the differences of some months."""
    return f"{abs(differences.mean()):.1f} ± {differences.sem():.1f}"


def test_ten_nights(page, names):
    five = names["five"]
    page.says(f"The mean is {five.mean():g}. Why is an order of 37 too small?")
    steps = order_table(five, under=3, over=1).set_index("order")
    above, more = steps.loc[37, ["above", "one more"]]
    page.says(
        f"At 37 one more would be used on {in_words(above)} of the {in_words(len(five))} days and "
        rf"save ${above} \cdot 3$; on {in_words(10 - above)} it would stand idle, "
        rf"${10 - above} \cdot 1$: `one more` is {more}."
    )
    above, more = steps.loc[40, ["above", "one more"]]
    page.says(f"At 40 it saves {3 * above} and costs {10 - above}.")
    assert more == 6
    assert steps["cost"].tolist()[4:] == [50, 44, 40, 52]
    assert order_level(3, 1) == 0.75
    page.says(f"Eight of ten are needed, 40 covers {in_words((five <= 40).sum())}.")


def test_other_costs_and_a_holiday(page, names, capsys):
    ten = names["five"].tolist()
    assert page.run("bic019")["demands"] == ten
    assert capsys.readouterr().out == page.output("bic019")
    equal, three, nine = (plain_newsvendor.cheapest_order(ten, c, 1) for c in (1, 3, 9))
    page.says(f"Equal costs give the median, {equal}. Nine to one asks for nine days of ten:")
    costs = {q: sum(plain_newsvendor.cost(d, q, 9, 1) for d in ten) for q in range(60)}
    same = [q for q in costs if costs[q] == min(costs.values())]
    assert same[0] == nine
    page.says("for nine days of ten: {}, or as well {} or {}.".format(*same))
    with_holiday = [3 if d == 29 else d for d in ten]
    page.says(f"The holiday moves the mean to {np.mean(with_holiday):.1f}, and the quantile not")
    assert plain_newsvendor.cheapest_order(with_holiday, 3, 1) == three


def test_orders_at_costs_that_differ(page):
    demand, mean, quantiles = figures.forecasts()
    right = quantiles[8]  # of 9/12
    assert len(demand) == 2888
    gap = demand - mean, demand - right
    costs = [np.maximum(3 * error, -error) for error in gap]
    saved = (costs[0] - costs[1]).groupby(demand.index.normalize()).sum()
    weekly = saved.groupby(saved.index.to_period("W")).mean()
    page.says(
        f"the right quantile saves {saved.mean():.0f} a night against the mean, over {len(saved)} "
        f"nights. Its standard error would be {weekly.sem():.0f} if the {len(weekly)} weekly means"
    )
    similar = weekly.autocorr(1)
    page.says(f"(their autocorrelation is {similar:.2f}), so that")
    two_weeks = weekly.groupby(np.arange(len(weekly)) // 2).mean().sem()
    first_order = weekly.sem() * np.sqrt((1 + similar) / (1 - similar))
    page.says(
        f"{two_weeks:.0f} from the means of blocks of two weeks, and {first_order:.0f} if the weeks"
    )
    assert np.isclose(figures.error_of_nights(saved), first_order)
    assert 2 < saved.mean() / first_order < saved.mean() / two_weeks < 3
    assert 3.5 < saved.mean() / weekly.sem() < 4
    off = [error.abs().mean() for error in gap]
    page.says(f"off by {off[1]:.0f} bicycles and not {off[0]:.0f}: it makes the cheaper error")
    data = page.data("bic009")
    assert data["means"]["quantile"][5] == round(costs[1].mean(), 1)


def test_the_order_of_the_right_share_costs_least(page):
    data = page.data("bic009")
    shares = [few / (few + many) for few, many in figures.RATIOS]
    assert np.allclose(figures.PROBABILITIES[data["levels"]], shares)
    for hour in data["hours"]:
        for level, costs in zip(data["levels"], hour["costs"], strict=True):
            assert costs[level] == min(costs)
    assert (np.abs(np.array(data["left"]) - 100 * np.array(shares)) < 5).all()
    assert data["left"][5] == 77.5
    thanksgiving = data["hours"][5]
    assert (thanksgiving["quantiles"][data["levels"][5]], thanksgiving["rented"]) == (750, 97)
    table = fetch_bike_sharing("hour").frame.set_index(["dteday", "hr"])
    assert table.loc[("2012-09-18", 17), "weathersit"] == 3
    assert table.loc[("2012-11-22", 8), "holiday"] == 1


def test_what_is_known_at_midnight(page, names):
    table, clock = names["table"], names["clock"]
    rows, both_years = (f"{n:,}".replace(",", " ") for n in (len(table), len(clock)))
    page.says(f"The table has {rows} rows; two years have {both_years} hours.")
    day_before = pd.Series(table.index).diff(24).dropna() == pd.Timedelta(days=1)
    page.says(f"In {in_words(round(10 * day_before.mean()))} rows of ten. Elsewhere hours are")
    page.says(
        f"With {in_words(len(names['CALENDAR']))} columns of the calendar "
        f"{in_words(len(names['KNOWN']))} are known."
    )
    assert names["hours"][names["KNOWN"]].notna().all(axis=None)
    tried = pd.date_range("2012-03-01", "2012-12-31", freq="13D")
    page.says(f"makes the columns of {len(tried)} days again without what comes after")


def test_what_a_leak_promises(page, results):
    above = numbers(results, "leaks", "share above all learned").loc["level"]
    assert above["2012-06"].round(2) == 0.33
    leaks = pd.read_csv(RESULTS / "leaks_without_level.csv")
    errors = leaks.pivot(index="method", columns="month", values="error")
    errors.loc["usual"] = numbers(results, "leaks", "absolute error").loc["usual"]
    errors = errors[FIRST_MONTHS]
    gap = errors.sub(errors.loc["known"]).T
    page.says(
        f"lies above everything learned in {above['2012-03']:.0%} of the hours of March, and alone "
        f"raises the error by {gap['level'].mean():.1f}."
    )
    enough = student.ppf(0.975, 5)
    page.says(f"reaches {enough:.2f} standard errors to either side (a t distribution")
    page.says(f"looks harmless, and takes off {plus_minus(gap['mean of all rows'])}:")
    page.says(
        f"the rentals a day later take off {plus_minus(gap['the day after'])}, and the error is "
        f"lower in {in_words((gap['the day after'] < 0).sum())} of the {in_words(len(gap))} months."
    )
    page.says(f"as measured, takes off {plus_minus(gap['measured weather'])}; a forecast")
    page.says(f"no smaller error was seen ({plus_minus(gap['number of the day'])} more, not decid")
    sure = gap.mean().abs() > 2.57 * gap.sem()
    assert sure[["mean of all rows", "the day after", "measured weather", "level"]].all()
    assert not sure["number of the day"]
    error = errors.mean(axis=1)
    page.says(
        f"with it boosting errs by {error['level']:.1f}, without it by {error['known']:.1f}, and "
        f"the `usual` alone has {error['usual']:.1f}."
    )


def test_leaks_beside_a_broken_column(results):
    errors = numbers(results, "leaks", "absolute error")[FIRST_MONTHS]
    weather = errors.loc["known"] - errors.loc["measured weather"]
    assert plus_minus(weather) == "16.2 ± 6.7"
    assert errors.loc[["usual", "known, without level"]].mean(axis=1).round(1).tolist() == [
        50.4,
        52.3,
    ]
    assert (errors.loc["usual"] < errors.loc["known"]).all()


def test_neighbors(page, results):
    split = results[results["study"] == "split"]
    errors = split.assign(value=split["value"].astype(float))
    errors = errors.pivot_table("value", ["method", "month"], "key").loc[TREES]
    assert len(errors) == 3 * 10
    assert (errors["half"] > errors["neighbors"]).all()
    page.says("and it was so in each of ten months.")
    errors = errors[errors.index.get_level_values("month").isin(FIRST_MONTHS)]
    same = (errors["half"] - errors["neighbors"]).unstack("method")
    whole = (errors["by time"] - errors["at random"]).unstack("method").mean()
    boosting = same["boosting, 13 columns"]
    page.says(
        f"boosting's error falls by {plus_minus(boosting)} "
        f"({boosting.mean() / boosting.sem():.1f} standard errors, where six months require 2.57) "
        f"of the {whole['boosting, 13 columns']:.1f} above (forest: "
        f"{same['forest, 13 columns'].mean():.1f} of {whole['forest, 13 columns']:.1f})"
    )
    mean = errors.groupby("method").mean().loc["boosting, 13 columns"]
    page.says(f"Boosting errs by {mean['half']:.0f} bicycles in the month after its rows, and by")
    page.says(f"and by {mean['neighbors']:.0f} on the same hours, if other hours of the month")


def test_one_tree_to_show(page, names):
    before = names["hours"][names["hours"].index < "2012-09"]
    X, left = before[names["KNOWN"]], (before["cnt"] - before["usual"]).to_numpy(float)
    model = DecisionTreeRegressor(max_depth=3, min_samples_leaf=200).fit(X, left)
    tree = model.tree_
    path = [0, 8, 12]
    assert [names["KNOWN"][j] for j in tree.feature[path]] == ["surprise", "yesterday", "level"]
    surprise, yesterday, level = tree.threshold[path]
    page.says(
        f"Leaf 13: yesterday lay above its usual by more than {surprise:.0f} an hour, this hour "
        f"had more than {yesterday:.0f} rentals then, and the week no more than "
        f"{round(level, -1):.0f} a day."
    )
    leaf = left[model.apply(X) == 13]
    page.says(
        f"The mean is {leaf.mean():.0f} above the usual; {best_order(leaf, 0.75):.0f} above it are"
    )


def test_ways_to_choose(page):
    table = page.table("bic039")
    others = table.drop("all")
    assert (others["against all"].abs() < 2 * others["±"]).all()
    assert (others["Sep to Dec"] > table.loc["all", "Sep to Dec"]).all()
    page.says("From September on each set costs more.")


def test_searched_settings(page, results):
    costs = numbers(results, "search", "judged")
    saved = costs.loc["all"] - costs.loc["kept"]
    page.says(
        f"Kept columns cost {plus_minus(saved[FIRST_MONTHS])} less than all, nearly all of it in "
        f"March ({saved['2012-03']:.1f}); from"
    )
    assert saved[FIRST_MONTHS[1:]].mean().round(1) == 0.6
    assert page.table("bic043")["Sep to Dec"].idxmin() == "all columns, not searched"
    page.says("from September on no search is cheapest.")


def test_standard_errors_of_nights():
    nights = pd.date_range("2012-01-02", periods=7 * 6)  # from a Monday on
    alike, in_turn = np.array([1, 2, 3, 4, 6, 5]), np.array([1, 5, 2, 6, 3, 7])
    for weekly, wider in ((alike, True), (in_turn, False)):
        error = figures.error_of_nights(pd.Series(np.repeat(weekly, 7), nights))
        independent = weekly.std(ddof=1) / sqrt(6)
        similar = np.corrcoef(weekly[1:], weekly[:-1])[0, 1]
        factor = sqrt((1 + similar) / (1 - similar)) if wider else 1
        assert (similar > 0) == wider
        assert np.isclose(error, independent * factor)
    assert figures.error_of_nights(pd.Series(0.0, nights)) == 0


def test_costs_of_a_night(page, nights):
    first, last = nights.loc[FIRST_MONTHS], nights.loc[LAST_MONTHS]
    boosted = "boosting, quantile"

    sure = set()  # pairs and first months of the differences that are decided

    def saved(dear, cheap, months):
        differences = nights.loc[months, dear] - nights.loc[months, cheap]
        if decided(differences):
            sure.add((dear, months[0]))
        return by_week(differences)

    mean = first.mean()
    page.says(
        f"March to August: the usual {mean['usual']:.0f} a night, with a margin "
        f"{mean['usual and margin']:.0f}; boosting of the mean {mean['boosting, mean']:.0f}, of "
        f"the quantile {mean[boosted]:.0f}."
    )
    assert saved("usual", "usual and margin", FIRST_MONTHS) == "447 ± 128"
    margin = saved(f"{boosted} and margin", boosted, FIRST_MONTHS)
    page.says(f"which has its level, a margin costs {margin} more: not decided.")
    early, late = (saved("boosting, mean", "usual", some) for some in (FIRST_MONTHS, LAST_MONTHS))
    page.says(f"which fits nothing, by {early}, from September on by {late}: the first is")
    early, late = (
        saved(f"{boosted}, without the usual", boosted, some)
        for some in (FIRST_MONTHS, LAST_MONTHS)
    )
    page.says(f"without the usual in its target, {early} more, then {late}.")
    perfect = f"{boosted}, measured weather"
    early, late = (saved(boosted, perfect, some) for some in (FIRST_MONTHS, LAST_MONTHS))
    page.says(
        f"would save boosting {early} a night, which is not decided, and from September on {late}."
    )
    early, late = (saved("usual and margin", boosted, some) for some in (FIRST_MONTHS, LAST_MONTHS))
    page.says(f"{early} a night less than the usual with a margin, from September on {late}.")
    guide = Page((ROOT / "book" / "guide" / "18_bicycles.md").read_text(encoding="utf-8"))
    dear = saved("boosting, mean", "usual", FIRST_MONTHS)
    guide.says(f"boosting of the mean is dearer than the usual, March to August by {dear}.")
    guide.says("It helps the usual from March to August.")
    guide.says(f"with a margin it costs {margin} more, not decided.")
    assert sure == {
        ("usual", FIRST_MONTHS[0]),
        ("boosting, mean", FIRST_MONTHS[0]),
        (boosted, LAST_MONTHS[0]),
        ("usual and margin", FIRST_MONTHS[0]),
        ("usual and margin", LAST_MONTHS[0]),
    }
    assert round(last[boosted].mean()) == 1848


def test_the_way_that_was_chosen(page, nights):
    assert nights.shape[1] == 17
    winner = nights.loc[FIRST_MONTHS].mean().drop("boosting, quantile, measured weather").idxmin()
    assert winner == "kept, searched"
    last = nights.loc[LAST_MONTHS]
    dearer = last.sub(last[winner], axis=0)
    page.says(
        f"kept columns with searched settings, then reports {last[winner].mean():.0f}: "
        f"{by_week(dearer['usual and margin'])} less than the usual with a margin."
    )
    assert by_week(dearer["tree"]) == "171 ± 42"
    table = page.table("bic046")
    alike = [name for name in table.index if name.startswith("boosting, quantile")]
    alike += ["forest, quantile", "all, searched"]
    alike = table.loc[alike].drop("boosting, quantile, measured weather")
    assert (alike["dearer"].abs() < 2 * alike["±"]).all()
    page.says("There nothing tells it from the quantiles of forest and boosting.")
    weeks = pd.to_datetime(last.index.get_level_values("key")).to_period("W")
    page.says(f"± from the means of {weeks.nunique()} weeks, as nights of one week are alike.")
    own = {name: f"{error_of(dearer[name]):.0f}" for name in table.index.drop(winner)}
    assert table["±"].drop(winner).astype(str).to_dict() == own
    page.says(f"Who chooses among {in_words(nights.shape[1] - 1)} by six months takes")
    assert len(last.loc["2012-10"]) == 31


def test_where_the_cost_sits(page, results):
    table = page.table("bic051")
    rain = table["n"] / table["n"].sum()
    page.says(
        f"rain or snow has {rain['rain or snow']:.0%} of the hours and "
        f"{table.loc['rain or snow', 'share of the cost']:.0%} of the cost."
    )
    dearer = numbers(results, "order", "dearer")[FIRST_MONTHS].mean(axis=1)
    page.says(
        f"the usual makes an hour {dearer['usual']:.0f} dearer, nearly all of it as the baseline; "
        f"as a column of the model {dearer['usual, as column']:.0f}, the hour {dearer['hr']:.0f}, "
        f"yesterday {dearer['yesterday']:.0f}."
    )
    assert dearer["usual, as baseline"] > 300
    assert (dearer[["mnth", "season"]].abs() < 0.5).all()
    page.says("Month and season hardly change there, so cannot matter.")


def test_a_band_month_by_month(page, results):
    band = results[(results["study"] == "bands") & results["key"].str.match(r"20\d\d-")]
    band = band.assign(value=band["value"].astype(float), key=pd.to_datetime(band["key"]))
    inside = band.pivot_table("value", "key", "method")
    raw, margin = (
        inside[name].sum() / inside[f"{name}, hours"].sum() for name in ("raw", "with margin")
    )
    months = page.table("bic057")
    low, high = months.loc["with margin"].agg(["min", "max"])
    page.says(
        f"Over {in_words(months.shape[1])} months the raw band holds {raw:.2f} of the hours, with "
        f"the margin {margin:.2f}; by month {low:.2f} to {high:.2f}."
    )
    margins = results.query("study == 'bands' and key == 'margin'").set_index("month")["value"]
    assert float(margins["2012-09"]) < -5
    without, with_margin = months["S"]
    page.says(f"and is negative: {without:.2f} without it, {with_margin:.2f} with it.")
    weeks = inside.groupby(inside.index.to_period("W")).sum()
    share = weeks["with margin"] / weeks["with margin, hours"]
    few = share[share < 0.65]
    page.says(f"Of {len(share)} weeks {in_words(len(few))} held less than 0.65.")
    assert (few.index.end_time < "2012-04-01").sum() == 3


def test_the_nights_that_cost_most(page, names):
    missing = sum(24 - len(names["hours"].loc[day]) for day in ("2012-10-29", "2012-10-30"))
    page.says(f"In a hurricane, 29 and 30 October, {missing} of 48 hours are not in the table:")
    coldest = names["raw"]["temp"].min()
    assert 41 * coldest > 0 > 47 * coldest - 8  # so the second reading is the one that freezes


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
