"""Figures of wind over a grid: maps of chosen columns, and errors of choices on drawn farms."""

from functools import cache
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

from treelab import RandomForestRegressor
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES, MARKERS, WIDTH
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.selection import (
    FilterSelector,
    ForestRFE,
    SubsetSelector,
    perc_std,
    selection_stability,
    smallest_size,
)
from treelab.figures.explorable import explorable
from treelab.figures.maps import draw_cells
from treelab.figures.stepper import stepper
from treelab.figures.wind_farm import CELL_KM, make_wind_farm, matern_correlation

__all__ = [
    "chosen_cells",
    "chosen_in_two_years",
    "correlation_by_distance",
    "differences_by_length",
    "elimination_stepper",
    "errors_by_path",
    "errors_by_percent",
    "errors_on_eight_farms",
    "grid_explorable",
    "random_split_table",
    "rules_table",
    "stability_of_maps",
]

LENGTHS = (50, 200, 600)  # km, of the correlation of the drawn weather
WAYS = {
    "mean": "mean of year 1",
    "six hours before": "persistence",
    "all": "all columns",
    "own": "the farm's five",
    "own, all tried": "five, all tried",
    "nine": "wind, nine cells",
    "once": "elimination, once",
    "anew": "elimination, anew",
    "blocks": "blocks of 54",
    "Boruta 100": "Boruta",
    "F": "F filter",
    "PCA": "PCA",
    "variance": "variance",
}


# The results on drawn farms


@cache
def _results():
    """All results on drawn farms."""
    return pd.read_csv("replications/wind_farms.csv")


def farms(study, length=None):
    """The results of a study, of one correlation length if it is given."""
    rows = _results()[_results()["study"] == study]
    return rows if length is None else rows[rows["length"] == length]


@cache
def columns_of_the_grid():
    """What each of the 1080 columns is: its variable, its cell, its distance from the farm."""
    farm = make_wind_farm(1 / 365, return_X_y=False, random_state=0)
    return farm.columns.reset_index(drop=True)


def chosen(way, length=200, kept=None, study="sets"):
    """The sets of a way to choose, farm by farm; a list of arrays of column numbers."""
    rows = farms(study, length)
    rows = rows[(rows["way"] == way) & (rows["kept"].eq(kept) | (kept is None))]
    sets = rows.sort_values("farm")["columns"]
    return [np.array(text.split(), dtype=int) for text in sets]


def picked(way, length=200):
    """Of each farm the set with the lowest error in the validation year."""
    rows = farms("sets", length)
    rows = rows[rows["way"] == way]
    return rows.loc[rows.groupby("farm")["validation"].idxmin()].set_index("farm")


def against(way, other="all", length=200, what="test"):
    """Differences in error of two ways, farm by farm."""
    return picked(way, length)[what] - picked(other, length)[what]


def mean_and_error(differences):
    """Mean and standard error, as text."""
    mean, error = differences.agg(["mean", "sem"])
    return f"{mean:+.2f} ± {error:.2f}"


def _mean_signals(sets):
    """How many of the five columns behind the power the sets hold, on average, as text."""
    signal = columns_of_the_grid()["signal"]
    return f"{np.mean([signal[some].sum() for some in sets]):.1f}"


# Maps


def _cells_with(columns, kind=None):
    """How many of the columns lie in each cell; (9, 15), from the south."""
    if kind is not None:
        variable = columns_of_the_grid()["variable"]
        columns = columns[variable[columns].str.startswith(kind)]
    return np.bincount(np.asarray(columns) % 135, minlength=135).reshape(9, 15)


def _draw_grid(values, ax, **settings):
    """Draw numbers on the grid, in km from the farm."""
    draw_cells(values, home=(7, 4), size=CELL_KM, ax=ax, **settings)
    ax.set(xticks=[-100, 0, 100], yticks=[-100, 0, 100])
    if ax.get_legend():
        ax.get_legend().remove()


def chosen_in_two_years():
    """Draw where the sixteen columns lie that an elimination chose in two years."""
    fig, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.0), sharey=True)
    kinds = {"wind speed": "speed", "its components": ("u", "v")}
    for name, columns, ax in zip("AB", chosen("anew", kept=16), axes):
        parts = {kind: _cells_with(columns, starts) for kind, starts in kinds.items()}
        _draw_grid(parts, ax, title=f"year {name}", largest=2)
        ax.set_xlabel("km east of the farm")
    handles, labels = ax.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2, handletextpad=0.1)
    axes[0].set_ylabel("km north")
    plt.show()


MAPS = {"once": 67, "blocks": 68, "F": 54, "Boruta 100": None}  # how many columns each keeps


def errors_by_path(table):
    """Draw the errors along three eliminations on eight farms, less those with all columns."""
    rows = table[(table["study"] == "sets") & (table["length"] == 200)]
    every = rows[rows["way"] == "all"].set_index("farm")
    fig, axes = plt.subplots(1, 3, figsize=(WIDTH, 3.6), sharex=True, sharey=True)
    titles = {"once": "ranked once", "anew": "ranked anew", "blocks": "in blocks"}
    for ax, (way, title) in zip(axes, titles.items(), strict=True):
        path = rows[rows["way"] == way].pivot(index="kept", columns="farm")
        test, validation = (path[year] - every[year] for year in ("test", "validation"))
        ax.axhline(0, color=INK, lw=0.5, ls="-")
        ax.plot(test, color=GRAY, lw=0.5, ls="-", marker="")
        ax.plot(test.mean(axis=1), color=ACCENT, lw=1.8, ls="-", marker="")
        ax.plot(validation.mean(axis=1), color=INK, lw=1.8, ls="--", marker="")
        ax.set(title=title, xscale="log")
        ax.set_xticks([2, 33, 1080], ["2", "33", "1080"])
        ax.minorticks_off()
    axes[0].set_ylabel("error less that of all columns")
    fig.supxlabel("number of columns", fontsize=13)
    plt.show()


def chosen_cells():
    """Draw on how many of eight farms each way chose a column of a cell."""
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 4.9), sharex=True, sharey=True)
    for ax, (way, kept) in zip(axes.flat, MAPS.items()):
        shares = np.mean([_cells_with(some) > 0 for some in chosen(way, kept=kept)], axis=0)
        _draw_grid(shares, ax, title=f"{WAYS[way]}: {kept or 34}", largest=1)
    fig.supxlabel("km east of the farm", fontsize=13)
    fig.supylabel("km north", fontsize=13)
    plt.show()


def stability_of_maps():
    """How well the sets of eight farms agree, by columns, by cells, and by distance."""
    found = {}
    for way, kept in [*MAPS.items(), ("once", 16)]:
        sets = chosen(way, kept=kept)
        name = WAYS[way] if kept != 16 else "elimination, 16"
        others = f"{share_of_others(sets):.2f}"
        found[name] = [*agreement(sets), others, _mean_signals(sets)]
    heads = ["columns", "cells", "km to next", "by lot", "p and t", "of the five"]
    return pd.DataFrame(found, index=heads).T


def agreement(sets):
    """Stability by columns and by cells; km to the nearest cell of another set, and by lot."""
    masks = np.array([np.isin(np.arange(1080), some) for some in sets])
    in_cell = masks.reshape(len(sets), 8, 135).any(axis=1)
    stable = [selection_stability(mask).value["nogueira"] for mask in (masks, in_cell)]
    place = columns_of_the_grid().loc[:134, ["east", "north"]].to_numpy()
    apart = np.linalg.norm(place[:, None] - place, axis=2)
    rng = np.random.default_rng(0)
    by_lot = [rng.permuted(cells) for cells in in_cell]
    near, lot = (
        np.mean([apart[np.ix_(a, b)].min(axis=1).mean() for a, b in combinations(some, 2)])
        for some in (in_cell, by_lot)
    )
    return [*np.round(stable, 2), *np.round([near, lot], 1)]


def share_of_others(sets):
    """The mean proportion of pressures and temperatures in the sets."""
    variable = columns_of_the_grid()["variable"]
    return np.mean([variable[some].isin(["p", "t"]).mean() for some in sets])


# A cell and its neighbor


def elimination_stepper(hours, power):
    """Eliminate a neighboring cell, and rank the columns that are left anew."""
    rfe = ForestRFE(
        LinearRegression(), rank="anew", importance="mdi", step=1, min_features_to_select=1,
        rule="alpha_sd", alpha=0, error="validation",
    )  # fmt: skip
    steps = rfe.fit(hours, power, held_out=(hours, power)).steps_table().set_index("feature")
    frames = [
        _squared_slopes(hours, power, names, leaving, words)
        for names, leaving, words in (
            (["farm", "north", "air"], "north",
             "All three columns: the winds share, 16 and 16; air has 36. North leaves. Error 36."),
            (["farm", "air"], "air",
             "Ranked anew: farm inherits what north had, 51.8, and air is the last now. "
             "Error 64.8."),
            (["farm"], None,
             "Farm alone: error 100.8. Air alone, which the first ranking would have kept: 324."),
        )
    ]  # fmt: skip
    words = "Ranked anew: the importance of each column in the last set it is in."
    whole = steps[["rank", "importance", "smallest_set"]].round(2)
    frames.append((whole, words, f"Table. {words}"))
    return stepper(frames, "Elimination beside a neighbor", "wind-neighbors")


def _squared_slopes(hours, power, names, leaving, words):
    """A frame with the squared slopes of a line on some columns; the one that leaves is hollow."""
    slopes = LinearRegression().fit(hours[names], power).coef_
    fig, ax = plt.subplots(figsize=(WIDTH, 2.5))
    for k, name in enumerate(hours):
        if name not in names:
            ax.text(1, -k, "gone", va="center", color=GRAY)
            continue
        value = slopes[names.index(name)] ** 2
        color, edge = ("none", "--") if name == leaving else (COLORS[0], "-")
        ax.barh(-k, value, height=0.55, color=color, edgecolor=INK, linestyle=edge)
        ax.text(value + 1, -k, f"{value:.1f}", va="center", color=INK)
    ax.set(yticks=-np.arange(3), yticklabels=list(hours), xlim=(0, 62), ylim=(-2.5, 0.5))
    ax.set(xlabel="squared slope")
    return fig, words, words


# The weather, and eight farms


def correlation_by_distance():
    """Draw the correlation of a field between the farm's cell and others for three lengths."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.1))
    distance = np.linspace(0, 180, 91)
    cells = np.unique(columns_of_the_grid()["distance"].round(3))
    for k, length in enumerate(LENGTHS):
        look = {"color": COLORS[k], "linestyle": LINES[k], "label": f"length {length} km"}
        ax.plot(distance, matern_correlation(distance, length), **look)
        look = {"ls": "none", "marker": MARKERS[k], "ms": 3.5, "color": COLORS[k]}
        ax.plot(cells, matern_correlation(cells, length), **look)
    ax.set(xlabel="km from the farm", ylabel="correlation of a field", ylim=(0, 1.02))
    ax.legend(loc="center right", bbox_to_anchor=(1.0, 0.3))
    plt.show()


def errors_on_eight_farms():
    """Sizes and errors of each way to choose on eight farms, with the differences from all."""
    rows = {}
    for way, name in WAYS.items():
        best, gaps = picked(way), against(way)
        rows[name] = {
            "kept": f"{best['kept'].mean():.0f}",
            "validation": f"{best['validation'].mean():.2f}",
            "test": f"{best['test'].mean():.2f}",
            "against all": mean_and_error(gaps) if way != "all" else "",
            "better": f"{(gaps < 0).sum()}" if way != "all" else "",
        }
    return pd.DataFrame(rows).T


def differences_by_length():
    """Differences from all columns on five farms for three correlation lengths."""
    rows = {"all: error": [f"{picked('all', n)['test'][:5].mean():.2f}" for n in LENGTHS]}
    for way in ("without", "own, all tried", "nine", "once", "blocks", "Boruta 100", "F", "PCA"):
        gaps = [against(way, length=n)[:5] for n in LENGTHS]
        rows[WAYS.get(way, way)] = [mean_and_error(gap) for gap in gaps]
    sets = [chosen("Boruta 100", n)[:5] for n in LENGTHS]
    rows["Boruta keeps"] = [f"{np.mean([len(some) for some in five]):.1f}" for five in sets]
    rows["of the five"] = [_mean_signals(five) for five in sets]
    return pd.DataFrame(rows, index=[f"{length} km" for length in LENGTHS]).T


# Nine cells of the grid


GRID_LENGTHS, N_CELLS, QUARTER = [12.5, 25, 50, 100, 200, 400, 800], 9, 730


def _small_forest():
    return RandomForestRegressor(
        20, max_depth=8, min_samples_leaf=5, max_features=1 / 3, random_state=0
    )


def _by_filter(X, y):
    return FilterSelector("pearson", number=N_CELLS).fit(X, y).support_


def by_forest(X, y):
    """The nine cells of largest impurity importance in a forest, as a mask."""
    order = np.argsort(-mean_decrease_impurity(_small_forest().fit(X, y)), kind="stable")
    return np.isin(np.arange(X.shape[1]), order[:N_CELLS])


def _by_elimination(X, y):
    """Half of the cells leave in each round, ranked anew."""
    rfe = ForestRFE(
        _small_forest(), importance="mdi", rank="anew", step=0.5, min_features_to_select=N_CELLS,
        random_state=0,
    )  # fmt: skip
    return rfe.fit(X, y).ranking_ <= N_CELLS


def _by_forward_search(X, y):
    return SubsetSelector("forward", n_features=N_CELLS).fit(X, y).support_


CHOOSERS = {
    "filter": _by_filter,
    "forest": by_forest,
    "elimination": _by_elimination,
    "forward": _by_forward_search,
}


def speeds_of(length, farm):
    """The speeds on the grid and the power in two quarters, the cells, and those near the farm."""
    found = make_wind_farm(0.5, length=length, random_state=farm, return_X_y=False)
    cells = found.columns[found.columns["variable"] == "speed100"]
    X, y = found.data[cells.index].to_numpy(), found.target.to_numpy()
    near = (abs(cells["x"] - 7) <= 1) & (abs(cells["y"] - 4) <= 1)
    parts = [slice(QUARTER), slice(QUARTER, 2 * QUARTER)]
    return [(X[part], y[part]) for part in parts], cells, near.to_numpy()


def grid_explorable():
    """Let the reader change the correlation length, and see which nine cells four ways choose."""
    runs = {method: [] for method in CHOOSERS}
    for length in GRID_LENGTHS:
        for method, run in _runs_of(length).items():
            runs[method].append(run)
    frames = [
        _nine_cells(runs, "forest", 0, "Only the farm's own cell knows its wind."),
        _nine_cells(runs, "forest", 3, "The cells around know nearly the same, far ones little."),
        _nine_cells(runs, "forest", 6, "All cells of the map know nearly the same."),
    ]
    data = {
        "lengths": GRID_LENGTHS, "methods": list(runs), "runs": list(runs.values()),
        "grid": [15, 9], "farm": [7, 4], "names": ["first", "both", "next"], "open": 1,
        "rest": {"k": 1, "method": 1},
        "guesses": [[[0, 1], [6, 9]], [[0, 9], [6, 1]], [[0, 1], [3, 9], [6, 1]]],
        **_words_of_the_grid(runs),
    }  # fmt: skip
    return explorable("grid", data, frames, "Cells on a map", "slide-grid")


def _runs_of(length):
    """What each method chooses on the first farm in two quarters, as the script wants it."""
    parts, cells, near = speeds_of(length, farm=0)
    runs = {}
    for method, choose in CHOOSERS.items():
        first, following = (choose(*part) for part in parts)
        runs[method] = {
            "cells": [np.flatnonzero(chosen) for chosen in (first, following)],
            "near": [int(near[chosen].sum()) for chosen in (first, following)],
            "both": int((first & following).sum()),
            "distance": int(cells["distance"][first].mean().round()),
            "correlation": cells["correlation"][first].mean().round(3),
        }
    return runs


def _near_on_six_farms(runs, length):
    """How many of its nine cells the forest chooses near the farm, on the first farm and others."""
    near = [runs["forest"][GRID_LENGTHS.index(length)]["near"][0]]
    for farm in range(1, 6):
        (first, _), _, block = speeds_of(length, farm)
        near.append(int(block[by_forest(*first)].sum()))
    return f"{min(near)} to {max(near)}"


def _words_of_the_grid(runs):
    """The question, its verdicts, and the words of each state."""
    short, middle, long = (_near_on_six_farms(runs, length) for length in (12.5, 100, 800))
    tells = (
        f"The forest, on 6 farms: {short} of 9 in the box with 12.5 km, {middle} with 100, "
        f"{long} with 800."
    )
    return {
        "question": "The farther the correlation of the wind reaches, do the nine chosen cells "
                    "move nearer to the farm, or do they spread out?",
        "answers": ["nearer", "they spread out", "first nearer, then out"],
        "verdicts": [f"{reply}{tells}" for reply in ("No. ", "No. ", "Yes. ")],
        "says": [
            "Length {length} km, {method}: {near} cells in the box; of all nine mean distance "
            "{distance}, mean correlation with the farm {correlation}. "
            "The next quarter chooses {both} the same." + after
            for after in (" A guess, or Skip, opens the others.", "")
        ],
        "label": "length", "pick": "method",
        "titles": ["cells from the west (◇ farm, box around it)", "length, km (dotted: your guess)",
                   "in the box"],
        "values": {"near": "in the box, first", "next": "in the box, next", "both": "the same",
                   "distance": "mean distance"},
        "alt": ["Map of the cells, with those that are chosen, the farm and the box around it.",
                "How many of the nine chosen cells are in the box, for each length."],
    }  # fmt: skip


def _nine_cells(runs, method, k, caption):
    """A frame with the cells that a method chooses in two quarters."""
    run = runs[method][k]
    first, following = (set(some.tolist()) for some in run["cells"])
    fig, ax = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    ax.plot(np.arange(135) % 15, np.arange(135) // 15, ".", color=INK, markersize=2)
    ax.add_patch(plt.Rectangle((5.5, 2.5), 3, 3, fill=False, edgecolor=INK))
    ax.plot(7, 4, "D", markersize=15, fillstyle="none", color=INK)
    sets = {
        "first quarter": first - following,
        "both": first & following,
        "next quarter": following - first,
    }
    for form, (label, some) in enumerate(sets.items()):
        places = np.array(sorted(some), int)
        look = {"color": COLORS[form], "mec": INK, "label": label}
        ax.plot(places % 15, places // 15, "os^"[form], **look)
    ax.set(xlabel="cells from the west", aspect="equal", yticks=[0, 4, 8], xticks=[0, 7, 14])
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    words = (
        f"Length {GRID_LENGTHS[k]:g} km, {method}: {run['near'][0]} of 9 chosen cells in the box, "
        f"{run['near'][1]} in the next quarter, {run['both']} the same. {caption}"
    )
    return fig, words, f"Map of 15 x 9 cells with the farm in the middle. {words}"


# Rules, splits and units


def kept_by_rule(way, alpha, least=2):
    """What the α-sd rule keeps, farm by farm, on a path that ends at `least` columns or above."""
    found, rows = {}, farms("sets", 200)
    for farm, path in rows[rows["way"] == way].groupby("farm"):
        path = path[path["kept"] >= least]
        size = smallest_size(path["kept"], perc_std(path["validation"]), alpha)
        found[farm] = path[path["kept"] == size].iloc[0]
    return pd.DataFrame(found).T


def rules_table():
    """Mean sizes and differences from all columns for the α-sd rule on three paths."""
    rows = {}
    for alpha in (0, 0.25, 0.5, 1, 2):
        rows[alpha] = {}
        for way, least in (("once", 2), ("once", 67), ("blocks", 68)):
            kept = kept_by_rule(way, alpha, least)
            gap = (kept["test"] - picked("all")["test"]).astype(float)
            words = f"{kept['kept'].mean():.0f}: {mean_and_error(gap)}"
            rows[alpha][f"{way}, down to {least}"] = words
    return pd.DataFrame(rows).T.rename_axis("α")


def errors_of_splits():
    """Errors after a split at random (validation) and on other months (test), farm by farm."""
    return farms("split").pivot_table(index="farm", columns="way", values=["validation", "test"])


def random_split_table():
    """Errors after a split at random and on other months, and their differences from the mean."""
    errors, rows = errors_of_splits(), {}
    for way in ("mean, memory", "F, memory", "p, memory", "mean, no memory", "p, no memory"):
        lot, other = errors["validation", way], errors["test", way]
        mean = "mean, " + way.split(", ")[1]
        gaps = lot - errors["validation", mean], other - errors["test", mean]
        words = ("", "") if way == mean else map(mean_and_error, gaps)
        rows[way] = [f"{lot.mean():.2f}", f"{other.mean():.2f}", *words]
    heads = ["by lot", "other months", "by lot − mean", "other − mean"]
    return pd.DataFrame(rows, index=heads).T


def errors_by_percent():
    """Mean test errors of three filters on eight farms by the percentage of columns kept."""
    few = farms("sets", 200)
    few = few[few["way"].isin(["F", "PCA", "variance"])]
    few = few.pivot_table(index="way", columns="kept", values="test").round(2)
    return few.set_axis([f"{share} %" for share in (1, 2, 5, 10, 20)], axis=1)
