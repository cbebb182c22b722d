"""From the hours of the bicycles to an order for tomorrow, month by month (chapter 18).

A month of 2012, March to December, is judged by models that were fitted on the rows before it (its
origin). What is chosen there, columns or settings, is chosen on the last month before the origin
by models that were fitted on the rows before that month; the same month's misses widen the bands.
Writes `bicycles_end_to_end.csv`, a row for each number:

study    what `method` is, what `key` is, what `value` is
split    columns, model and split; the origin's month; mean absolute error in bicycles
leaks    columns that boosting is given, or the usual; the same; the hours with a level above all
         that was learned
ways     a way to choose columns; the columns it kept, or "chosen"/"judged": mean cost of an hour
search   all columns or kept ones; the setting; mean cost of an hour on the month before, "judged"
orders   a way to order; the night; its cost
hours    a way to order; hour of the day and working day, or weather; "n" and "cost"
bands    the band of 0.1 to 0.9, before and after its margin; the night; hours, covered, width
strict   the band of models that have not learned from the last month; share covered, mean width
order    a column; what an hour costs more if it is shuffled within the month judged
thesis   the thesis' experiment: see `thesis_errors`, `thesis_ranking`, `thesis_stability`

Job by job: what the file holds already is not made again. Takes 12 minutes.
"""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from treelab import DecisionTreeRegressor, GradientBoostingRegressor, RandomForestRegressor
from treelab.datasets import fetch_bike_sharing
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.newsvendor import best_order, margin_of, order_cost
from treelab.fast.selection import (
    Boruta,
    FilterSelector,
    ForestRFE,
    RegularizedForestSelector,
    SubsetSelector,
)

FILE = Path(__file__).with_suffix(".csv")
MONTHS = [str(month) for month in pd.period_range("2012-03", "2012-12", freq="M")]
UNDER, OVER = 3, 1
LEVEL = UNDER / (UNDER + OVER)
CALENDAR = ["season", "yr", "mnth", "hr", "holiday", "weekday", "workingday"]
WEATHER = ["weathersit", "temp", "atemp", "hum", "windspeed"]
PUBLISHED = ["day", *CALENDAR, *WEATHER]
BEFORE = [f"{name} before" for name in WEATHER]
LAGS = ["yesterday", "week ago", "usual", "level", "surprise"]
KNOWN = [*(name for name in CALENDAR if name != "yr"), *LAGS, *BEFORE]
FIXED = {
    "n_estimators": 100, "max_depth": 5, "min_samples_leaf": 20, "split_search": "histogram",
    "random_state": 0,
}  # fmt: skip
GRID = [{"max_depth": depth, "min_samples_leaf": leaf} for depth in (3, 7) for leaf in (10, 50)]


def hours_of(frame):
    """A row for each hour in the table, with what was known at the midnight before its day.

    Columns as in `KNOWN`, `WEATHER` as measured in the hour itself, "cnt", "casual", "registered",
    and two that look ahead, "tomorrow" and "mean of all"; the index is the time.
    """
    days = pd.to_datetime(frame["dteday"])
    there = frame.set_index(days + pd.to_timedelta(frame["hr"], unit="h"))
    every = there.reindex(pd.date_range(days.min(), periods=24 * days.nunique(), freq="h"))
    hour = every.index.hour
    last = every[["cnt", *WEATHER]].groupby(hour).ffill()  # an hour not in the table: as a day ago
    table = there.assign(day=(there.index.normalize() - days.min()).days)
    known = pd.DataFrame({"yesterday": last["cnt"].shift(24), "week ago": last["cnt"].shift(168)})
    known["usual"] = sum(last["cnt"].shift(168 * weeks) for weeks in (1, 2, 3, 4)) / 4
    daily = every["cnt"].groupby(every.index.normalize()).sum()
    known["level"] = daily.rolling(7).mean().shift(1).reindex(every.index.normalize()).to_numpy()
    known[BEFORE] = last[WEATHER].shift(24)
    over = (last["cnt"] - known["usual"]).groupby(every.index.normalize()).mean()
    known["surprise"] = over.shift(1).reindex(every.index.normalize()).to_numpy()
    known["tomorrow"] = every["cnt"].groupby(hour).bfill().shift(-24)
    table = table.join(known)
    alike = [table[name] for name in ("yr", "mnth", "hr", "workingday")]
    table["mean of all"] = table["cnt"].groupby(alike).transform("mean")
    return table[table["day"] >= 29]


@cache
def all_hours():
    """Made once."""
    return hours_of(fetch_bike_sharing("hour").frame)


def parts_of(month):
    """The rows before the month before, of the month before, of both, of the month."""
    start = pd.Period(month, freq="M").start_time
    chosen = (start - pd.Timedelta(days=1)).to_period("M").start_time
    end = (start + pd.Timedelta(days=31)).to_period("M").start_time
    rows = all_hours()
    time = rows.index
    return (
        rows[time < chosen],
        rows[(time >= chosen) & (time < start)],
        rows[time < start],
        rows[(time >= start) & (time < end)],
    )


def cost(rows, order):
    """Of each hour; no order is below zero."""
    return order_cost(rows["cnt"], np.maximum(0, order), under=UNDER, over=OVER)


def fitted(model, rows, names):
    """A model of what the usual of four weeks leaves; a function of new rows, in bicycles."""
    model.fit(rows[names], (rows["cnt"] - rows["usual"]).to_numpy(float))
    return lambda new: new["usual"].to_numpy() + model.predict(new[names])


def booster(tau=None, **settings):
    """Boosting of the mean, or of the quantile tau."""
    loss = {} if tau is None else {"loss": "quantile", "alpha": tau}
    return GradientBoostingRegressor(**(FIXED | loss | settings))


def boosted(rows, names, tau=None, **settings):
    """What boosting makes of the usual; a function of new rows."""
    return fitted(booster(tau, **settings), rows, names)


def forest_of():
    """A forest of 50 trees with leaves of ten hours."""
    return RandomForestRegressor(50, min_samples_leaf=10, max_features=1 / 3, random_state=0)


def alike(rows, new, answer):
    """What `answer` makes of the targets with the same hour, by working day; for each new row."""
    table = rows.groupby(["workingday", "hr"])["cnt"].agg(answer)
    return table.reindex(pd.MultiIndex.from_frame(new[["workingday", "hr"]])).to_numpy()


def forest_quantile(forest, rows, new, tau):
    """Of what the usual leaves, by the weights of the training rows in the forest's mean."""
    forest.fit(rows[KNOWN], left := (rows["cnt"] - rows["usual"]).to_numpy(float))
    leaves, at, weight = forest.apply(rows[KNOWN]), forest.apply(new[KNOWN]), 0
    for b, drawn in enumerate(forest.estimators_samples_):
        shared = (at[:, [b]] == leaves[:, b]) * np.bincount(drawn, minlength=len(rows))
        weight = weight + shared / shared.sum(axis=1, keepdims=True)
    order = np.argsort(left, kind="stable")
    below = weight[:, order].cumsum(axis=1) < tau * leaves.shape[1] - 1e-9
    return new["usual"] + left[order][below.sum(axis=1)]


def leaf_quantiles(rows, new, tau):
    """The usual, and the quantile of what it leaves in the leaf of a tree with eight leaves."""
    left = (rows["cnt"] - rows["usual"]).to_numpy(float)
    tree = DecisionTreeRegressor(max_depth=3, min_samples_leaf=200).fit(rows[KNOWN], left)
    answers = pd.Series(left).groupby(tree.apply(rows[KNOWN])).agg(lambda y: best_order(y, tau))
    return new["usual"] + answers.reindex(tree.apply(new[KNOWN])).to_numpy()


def some_rows(rows, n, month):
    """At most n of them, drawn."""
    rng = np.random.default_rng(MONTHS.index(month))
    return rows.iloc[np.sort(rng.permutation(len(rows))[:n])]


def rows_of(study, month, found):
    """Rows of the file, of (method, key, value)."""
    return [
        {"study": study, "month": month, "method": m, "key": k, "value": v} for m, k, v in found
    ]


def split(month):
    """The same models, by time and at random: mean absolute errors.

    "by time": fitted on what is before the month. "at random": as many rows to fit and to judge,
    drawn from all up to the month's end. "neighbors": half of the month's hours, drawn, judge, and
    the others are learned from, too, in place of as many earlier ones; "half": they are not.
    """
    _, _, past, new = parts_of(month)
    rng = np.random.default_rng(MONTHS.index(month))
    both = pd.concat([past, new])
    drawn = rng.permutation(len(both))
    judges = rng.permutation(len(new)) < len(new) // 2
    fewer = past.iloc[np.sort(rng.permutation(len(past))[: len(past) - (~judges).sum()])]
    ways = {
        "by time": (past, new),
        "at random": (both.iloc[drawn[len(new) :]], both.iloc[drawn[: len(new)]]),
        "half": (past, new[judges]),
        "neighbors": (pd.concat([fewer, new[~judges]]), new[judges]),
    }
    for way, (rows, judged) in ways.items():
        said = {"mean": rows["cnt"].mean(), "mean of the hour": alike(rows, judged, "mean")}
        said["same hour last week"], said["usual"] = judged["week ago"], judged["usual"]
        models = {
            "tree": DecisionTreeRegressor(min_samples_leaf=5), "forest": forest_of(),
            "boosting": booster(),
        }  # fmt: skip
        for model, one in models.items():
            one.fit(rows[PUBLISHED], rows["cnt"].to_numpy(float))
            said[f"{model}, 13 columns"] = one.predict(judged[PUBLISHED])
        said["boosting, known"] = boosted(rows, KNOWN)(judged)
        for model, numbers in said.items():
            yield model, way, np.mean(np.abs(judged["cnt"] - numbers))


def leaks(month):
    """Boosting by time, with columns that nobody has at midnight: mean absolute errors."""
    _, _, past, new = parts_of(month)
    new = new[new["tomorrow"].notna()]  # the last day has none
    more = {
        "known": [], "registered": ["registered"], "casual": ["casual"],
        "casual and registered": ["casual", "registered"], "the day after": ["tomorrow"],
        "mean of all rows": ["mean of all"], "measured weather": WEATHER,
        "number of the day": ["day", "yr"],
    }  # fmt: skip
    for label, extra in more.items():
        names = [*KNOWN, *extra]
        miss = new["cnt"] - boosted(past, names)(new)
        yield label, "absolute error", np.mean(np.abs(miss))
    yield "usual", "absolute error", np.mean(np.abs(new["cnt"] - new["usual"]))
    fewer = [name for name in KNOWN if name != "level"]
    miss = new["cnt"] - boosted(past, fewer)(new)
    yield "known, without level", "absolute error", np.mean(np.abs(miss))
    seen = past["level"].max()
    yield "level", "share above all learned", np.mean(new["level"] > seen)


def kept_by(rows, month):
    """The columns that each way keeps; dict."""
    some = some_rows(rows, 2000, month)
    selectors = {
        "filter": FilterSelector("pearson", number=8),
        "forward search": SubsetSelector("forward", n_features=8),
        "elimination": ForestRFE(forest_of(), random_state=0),
        "Boruta": Boruta(forest_of(), max_runs=20, random_state=0),
        "regularized forest": RegularizedForestSelector(
            0.2, 50, criterion="squared_error", min_samples_leaf=10, random_state=0
        ),
    }
    kept = {"all": KNOWN}
    for way, selector in selectors.items():
        selector.fit(some[KNOWN], (some["cnt"] - some["usual"]).to_numpy(float))
        kept[way] = [name for name, stays in zip(KNOWN, selector.get_support()) if stays]
    rng = np.random.default_rng(MONTHS.index(month))
    kept["by lot"] = [KNOWN[j] for j in np.sort(rng.permutation(len(KNOWN))[:8])]
    return kept


def ways(month):
    """Columns chosen before the last month before the origin, judged there and on the new month."""
    learn, last, past, new = parts_of(month)
    for way, names in kept_by(learn, month).items():
        yield way, "columns", "; ".join(names)
        yield way, "chosen", cost(last, boosted(learn, names, LEVEL)(last)).mean()
        yield way, "judged", cost(new, boosted(past, names, LEVEL)(new)).mean()


def best_set(found):
    """Of the five ways the one with the least cost on the month before, and its columns."""
    table = pd.DataFrame(found).pivot_table("value", "method", "key", "first")
    table = table.drop(["all", "by lot"])
    way = table["chosen"].astype(float).idxmin()
    return way, table.loc[way, "columns"].split("; ")


def search(month, found):
    """Settings searched on the month before the origin, with all columns and with the kept ones."""
    learn, last, past, new = parts_of(month)
    way, kept = best_set([row for row in found if row["study"] == "ways"])
    yield "kept", "way", way
    for label, names in (("all", KNOWN), ("kept", kept)):
        tried = []
        for one in GRID:
            tried.append(cost(last, boosted(learn, names, LEVEL, **one)(last)).mean())
            yield label, str(tuple(one.values())), tried[-1]
        one = GRID[int(np.argmin(tried))]
        order = boosted(past, names, LEVEL, **one)(new)
        yield label, "setting", str(tuple(one.values()))
        yield label, "judged", cost(new, order).mean()
        for night, part in pd.Series(cost(new, order), new.index).groupby(new.index.normalize()):
            yield f"{label}, searched", str(night.date()), part.sum()


def all_orders(month):
    """What each way orders for the hours of the month; dict."""
    learn, last, past, new = parts_of(month)
    weeks = past[past.index >= new.index.min() - pd.Timedelta(days=56)]
    mean, tau = boosted(past, KNOWN), boosted(past, KNOWN, LEVEL)
    lack = {
        "usual": last["cnt"] - last["usual"],
        "mean": last["cnt"] - boosted(learn, KNOWN)(last),
        "quantile": last["cnt"] - boosted(learn, KNOWN, LEVEL)(last),
    }
    margin = {name: margin_of(values, LEVEL) for name, values in lack.items()}
    absolute = booster(LEVEL).fit(past[KNOWN], past["cnt"].to_numpy(float))
    orders = {
        "one number": np.full(len(new), best_order(past["cnt"], LEVEL)),
        "same hour last week": new["week ago"],
        "usual": new["usual"],
        "usual and margin": new["usual"] + margin["usual"],
        "quantile of the hour": alike(weeks, new, lambda y: best_order(y, LEVEL)),
        "tree": leaf_quantiles(past, new, LEVEL),
        "forest, mean": fitted(forest_of(), past, KNOWN)(new),
        "forest, quantile": forest_quantile(forest_of(), past, new, LEVEL),
        "boosting, mean": mean(new),
        "boosting, mean and margin": mean(new) + margin["mean"],
        "boosting, quantile": tau(new),
        "boosting, quantile and margin": tau(new) + margin["quantile"],
        "boosting, quantile, without the usual": absolute.predict(new[KNOWN]),
    }
    calm = [name for name in KNOWN if name not in BEFORE]
    orders["boosting, quantile, no weather"] = boosted(past, calm, LEVEL)(new)
    orders["boosting, quantile, measured weather"] = boosted(past, KNOWN + WEATHER, LEVEL)(new)
    return orders


def orders(month):
    """The cost of each night, for each way to order."""
    *_, new = parts_of(month)
    for way, order in all_orders(month).items():
        each = pd.Series(cost(new, order), new.index)
        for night, part in each.groupby(new.index.normalize()):
            yield way, str(night.date()), part.sum()


def hours(month):
    """Where the cost of the boosted quantile and of the table by the hour sits."""
    _, last, past, new = parts_of(month)
    margin = margin_of(last["cnt"] - last["usual"], LEVEL)
    said = {
        "usual and margin": new["usual"] + margin,
        "boosting, quantile": boosted(past, KNOWN, LEVEL)(new),
    }
    for way, order in said.items():
        each = pd.Series(cost(new, order), new.index)
        for (hour, work), part in each.groupby([new["hr"], new["workingday"]]):
            yield way, f"hour {hour} {work} cost", part.sum()
            yield way, f"hour {hour} {work} n", len(part)
        for sky, part in each.groupby(new["weathersit"]):
            yield way, f"weather {sky} cost", part.sum()
            yield way, f"weather {sky} n", len(part)


def bands(month):
    """The band between the boosted quantiles 0.1 and 0.9, and the same with last month's margin."""
    learn, last, past, new = parts_of(month)
    low, high = (boosted(past, KNOWN, tau) for tau in (0.1, 0.9))
    below, above = (boosted(learn, KNOWN, tau)(last) for tau in (0.1, 0.9))
    margin = margin_of(np.maximum(below - last["cnt"], last["cnt"] - above), 0.8)
    yield "with margin", "margin", margin
    for label, wider in (("raw", 0), ("with margin", margin)):
        ends = low(new) - wider, high(new) + wider
        inside = (ends[0] <= new["cnt"]) & (new["cnt"] <= ends[1])
        for night, part in inside.groupby(new.index.normalize()):
            yield label, str(night.date()), part.sum()
            yield f"{label}, hours", str(night.date()), len(part)
        yield label, "width", np.mean(ends[1] - ends[0])


def strict(month):
    """The band of the models that were fitted without the last month, with their own margin."""
    learn, last, _, new = parts_of(month)
    low, high = (boosted(learn, KNOWN, tau) for tau in (0.1, 0.9))
    margin = margin_of(np.maximum(low(last) - last["cnt"], last["cnt"] - high(last)), 0.8)
    ends = low(new) - margin, high(new) + margin
    yield "strict", "covered", ((ends[0] <= new["cnt"]) & (new["cnt"] <= ends[1])).mean()
    yield "strict", "width", np.mean(ends[1] - ends[0])


def order(month):
    """What an hour costs more if a column is shuffled within the month judged, five times.

    The usual is a column of the model and the baseline that the answer is added to: shuffled in
    both, in the column alone ("usual, as column"), in the baseline alone ("usual, as baseline").
    """
    _, _, past, new = parts_of(month)
    model, rng = boosted(past, KNOWN, LEVEL), np.random.default_rng(0)
    base = cost(new, model(new)).mean()
    for name in KNOWN:
        dearer = []
        for _ in range(5):
            other = new.assign(**{name: rng.permutation(new[name].to_numpy())})
            dearer.append(cost(new, model(other)).mean() - base)
        yield name, "dearer", np.mean(dearer)
    answer, alone = model(new) - new["usual"], {"usual, as column": [], "usual, as baseline": []}
    for _ in range(5):
        other = new.assign(usual=rng.permutation(new["usual"].to_numpy()))
        apart = {
            "usual, as column": model(other) - other["usual"] + new["usual"],
            "usual, as baseline": answer + other["usual"],
        }
        for name, ordered in apart.items():
            alone[name].append(cost(new, ordered).mean() - base)
    for name, dearer in alone.items():
        yield name, "dearer", np.mean(dearer)


STUDIES = {
    "split": split, "leaks": leaks, "ways": ways, "search": search, "orders": orders,
    "hours": hours, "bands": bands, "order": order, "strict": strict,
}  # fmt: skip


# The thesis' experiment: thirds at random, thirteen columns, its grids.

BEST = {  # table 4.2.1
    "DTR": {"max_depth": None, "max_features": 0.5, "min_samples_split": 4, "min_samples_leaf": 4},
    "RFR": {"max_depth": 10, "max_features": 0.5, "min_samples_split": 4, "min_samples_leaf": 2},
    "GBR": {"max_depth": 4, "max_features": 0.5, "min_samples_split": 8, "min_samples_leaf": 2},
}
MAKERS = {
    "DTR": DecisionTreeRegressor, "RFR": RandomForestRegressor, "GBR": GradientBoostingRegressor,
}  # fmt: skip
SETS = {"13": PUBLISHED, "5": ["hr", "workingday", "atemp", "temp", "hum"]}
SETS["3"] = SETS["5"][:3]
SETS["own"] = ["hr", "day", "atemp", "workingday", "temp"]


def whole_table():
    """All 17 379 rows with their 13 columns, a day number in place of the date."""
    frame = fetch_bike_sharing("hour").frame
    days = pd.to_datetime(frame["dteday"])
    return frame.assign(day=(days - days.min()).dt.days)


def thirds(table, way, seed):
    """Rows to learn, to choose, to test."""
    order = np.arange(len(table))
    if way == "random":
        order = np.random.default_rng(seed).permutation(len(table))
    return np.split(order, [len(table) // 3, 2 * (len(table) // 3)])


def thesis_model(kind, seed, **settings):
    """One of the three, at its best setting of table 4.2.1 but for what is given."""
    settings = BEST[kind] | settings
    if kind != "DTR":
        settings = {"n_estimators": 200} | settings
    return MAKERS[kind](**settings, random_state=seed)


def thesis_ranking(seed):
    """The order of the columns by importance on the training third, for three targets.

    Boosting by the mean of the trees' shares, as scikit-learn 0.17 made it ("GBR"), and by all
    gains together ("GBR, total").
    """
    table = whole_table()
    learn, *_ = thirds(table, "random", seed)
    for target in ("cnt", "registered", "casual"):
        y = table[target].to_numpy(float)[learn]
        for kind in MAKERS:
            model = thesis_model(kind, 0).fit(table[PUBLISHED].iloc[learn], y)
            shares = {kind: mean_decrease_impurity(model, normalize="tree")}
            if kind == "GBR":
                shares["GBR, total"] = mean_decrease_impurity(model)
            for label, importance in shares.items():
                places = np.argsort(-importance, kind="stable") + 1  # as the thesis counts
                yield f"{label}, {target}", "ranking", " ".join(map(str, places))
                yield f"{label}, {target}", "importance", " ".join(f"{i:.4f}" for i in importance)


def thesis_errors(seed):
    """Test errors with 13, 5 and 3 columns, thirds at random and in the order of time.

    "own": with the five that come first here for "cnt", the number of the day among them.
    """
    table = whole_table()
    for way, target in (("random", "cnt"), ("time", "cnt"), ("random", "casual")):
        y = table[target].to_numpy(float)
        learn, _, test = thirds(table, way, seed)
        yield "mean", f"{way}, {target}", np.mean(np.abs(y[test] - y[learn].mean()))
        for kind in MAKERS:
            for size, names in SETS.items():
                model = thesis_model(kind, seed).fit(table[names].iloc[learn], y[learn])
                miss = y[test] - model.predict(table[names].iloc[test])
                yield f"{kind}, {size}", f"{way}, {target}", np.mean(np.abs(miss))


KEYS = ["max_depth", "max_features", "min_samples_split", "min_samples_leaf", "n_estimators"]
GRIDS = {  # tables 4.1.1 and 4.1.2
    "DTR": [[5, 10, None], [0.3, 0.4, 0.5], [4, 8, 16], [2, 4, 8]],
    "RFR": [[5, 10], [0.3, 0.5], [4, 8], [2, 4], [200, 400]],
    "GBR": [[2, 4], [0.3, 0.5], [4, 8], [2, 4], [200, 400]],
}
EXTENDED = {
    "DTR": [
        [5, 6, 8, 10, 12, None], [0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [4, 8, 16, 32, 64, 128],
        [2, 4, 8, 16, 32, 64], ["best", "random"],
    ],
    "RFR": [
        [5, 8, 10, 12], [0.3, 0.4, 0.5, 0.6], [4, 8, 16, 32], [2, 4, 8, 16], [200, 400, 600, 800],
    ],
    "GBR": [
        [2, 4, 6, 8], [0.3, 0.4, 0.5, 0.6], [4, 8, 16, 32], [2, 4, 8, 16], [200, 400, 600, 800],
    ],
}  # fmt: skip


def thesis_grid(kind):
    """The settings of table 4.1.1, those of a tree; list of dict."""
    return [dict(zip(KEYS, one, strict=False)) for one in product(*GRIDS[kind][:4])]


def predictions(model, kind, X):
    """With 200 and with 400 trees, or with the only one."""
    if kind == "DTR":
        return {"": model.predict(X)}
    if kind == "RFR":
        each = np.array([tree.predict(np.asarray(X, dtype=float)) for tree in model.estimators_])
        return {n: each[:n].mean(axis=0) for n in (200, 400)}
    return {n: p for n, p in enumerate(model.staged_predict(X), 1) if n in (200, 400)}


def thesis_stability(seed):
    """Which settings of the grid err least on the second third; the seed is that of the models.

    "ranking": all of them, the best first; "chosen": the best, its error there and on the test.
    """
    kind = "DTR" if seed < 10 else "RFR" if seed < 13 else "GBR"
    table = whole_table()
    y = table["cnt"].to_numpy(float)
    learn, choose, test = thirds(table, "random", 0)
    X, found = table[PUBLISHED], []
    for one in thesis_grid(kind):
        trees = {} if kind == "DTR" else {"n_estimators": 400}
        model = thesis_model(kind, seed, **one, **trees).fit(X.iloc[learn], y[learn])
        by_rows = [predictions(model, kind, X.iloc[rows]) for rows in (choose, test)]
        for n in by_rows[0]:
            errors = [
                np.mean(np.abs(y[rows] - said[n]))
                for rows, said in zip((choose, test), by_rows, strict=True)
            ]
            found.append([*errors, f"{tuple(one.values())} {n}".strip()])
    order = np.argsort([row[0] for row in found], kind="stable")
    yield kind, "ranking", " ".join(map(str, order))
    yield kind, "chosen", found[order[0]][2]
    yield kind, "validation", found[order[0]][0]
    yield kind, "test", found[order[0]][1]


THESIS = {
    "thesis ranking": (thesis_ranking, range(5)),
    "thesis errors": (thesis_errors, range(3)),
    "thesis stability": (thesis_stability, range(16)),
}


def jobs():
    """All (study, month or seed), in their order."""
    yield from ((study, month) for month in MONTHS for study in STUDIES)
    yield from ((study, str(seed)) for study, (_, seeds) in THESIS.items() for seed in seeds)


def one_job(study, month, found=()):
    """Its rows; `found` holds those of the same month."""
    if study in THESIS:
        return rows_of(study, month, THESIS[study][0](int(month)))
    given = (month, found) if study == "search" else (month,)
    return rows_of(study, month, STUDIES[study](*given))


if __name__ == "__main__":
    rows = pd.read_csv(FILE, dtype=str).to_dict("records") if FILE.exists() else []
    done = {(row["study"], row["month"]) for row in rows}
    for study, month in jobs():
        if (study, month) not in done:
            found = [row for row in rows if row["month"] == month]
            for row in one_job(study, month, found):
                value = row["value"]
                rows.append(row | {"value": value if isinstance(value, str) else f"{value:.6f}"})
            pd.DataFrame(rows).to_csv(FILE, index=False)
