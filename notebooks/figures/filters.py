"""Figures of the chapter on filters and searches: what a set of features is worth, and to whom."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treelab.datasets import load_mushrooms
from treelab.drawing.style import ACCENT, COLORS, GRAY, HATCHES, INK, LINES, WIDTH
from treelab.fast.selection import FCBFSelector, merit_table, uncertainty_table
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "accuracies_by_draw",
    "accuracy_table",
    "coefficient_paths",
    "eliminations_table",
    "fcbf_stepper",
    "five_features",
    "merit_explorable",
    "returns_table",
    "searches_table",
]


# The merit of a set


def merit_explorable():
    """Let the reader choose a set of features of the mushrooms, and see what raises its merit."""
    shown = _Merits()
    data = {
        "names": shown.names, "relevance": shown.relevance,
        "sets": [shown.state(some) for some in shown.every],
        "rest": {"set": 1}, "best": shown.every.index(shown.ranked[0]), "tops": [0.3, 0.8],
        **shown.question(),
        "says": ["{first}", "{words}"], "means": ["mean relevance", "mean redundancy"],
        "chosen": "the chosen set",
        "titles": ["relevance (filled: chosen)", "merit now (line) and then",
                   "merit of all 16 sets"],
        "labels": dict(
            zip(SHOWN, ("mean relevance", "mean redundancy", *SHOWN[2:]), strict=True)
        ),
        "waits": dict.fromkeys(SHOWN[2:], "?"),
        "alt": ["Bars: the relevance of each feature, and the merit with or without it.",
                "Bars: mean relevance and mean redundancy of the chosen set.",
                "The merit as a fraction, and where it lies among the merits of all sets."],
    }  # fmt: skip
    frames = [*map(shown.frame, STILLS), shown.ladder()]
    return explorable("merit", data, frames, "What is a set of features worth?", "merit-of-a-set")


SHOWN = ("relevance", "redundancy", "numerator", "denominator", "merit", "rank")
STILLS = {
    ("color",): "Size raises the merit (the line) most, though brown is the most relevant.",
    ("brown",): "Color would lower it, though its relevance is second: brown has told most of it.",
    ("size", "brown"): "The best of all sets: whatever joins or leaves, the merit falls.",
}  # sets that stand still, and what to see in them


class _Merits:
    """The sixteen sets of color, size, spots and brown, with their merits."""

    def __init__(self):
        X, y = load_mushrooms(return_X_y=True)
        X = X.assign(brown=np.where(X["color"] == "brown", "yes", "no"))
        self.names, self.relevance = list(X), uncertainty_table(X, y)["class"]
        self.sums = {frozenset(row["subset"]): row for row in merit_table(X, y).to_dict("records")}
        self.sums[frozenset()] = {"size": 0, "relevance": 0.0, "redundancy": 0.0, "merit": 0.0}
        self.ranked = sorted(self.sums, key=lambda some: -self.sums[some]["merit"])
        self.every = [
            frozenset(name for i, name in enumerate(self.names) if n >> i & 1)
            for n in range(len(self.sums))
        ]

    def listed(self, some):
        """The names of a set in words."""
        *first, last = [name for name in self.names if name in some] or ["no feature"]
        return f"{', '.join(first)} and {last}" if first else last

    def toggled(self, some):
        """The merit once a feature has joined, or left, for each feature."""
        return {name: self.sums[some ^ {name}]["merit"] for name in self.names}

    def question(self):
        """The question about the set of color alone, its answers and the replies."""
        size, spots, brown = (
            f"{self.toggled(frozenset(['color']))[name]:.3f}" for name in self.names[1:]
        )
        return {
            "question": "Only color is chosen. Which feature, added to it, raises the merit most? "
                        "(Brown says only whether the color is brown.)",
            "answers": [f"{name}, {self.relevance[name]:.3f}" for name in self.names[1:]],
            "verdicts": [
                f"Yes: {size}. Brown, which repeats color, leads to {brown}; spots tell little: "
                f"{spots}.",
                f"No: {spots}, for spots tell little. Size leads to {size}, brown to {brown}.",
                f"No: {brown}, for brown repeats color. Size leads to {size}, spots to {spots}.",
            ],
        }  # fmt: skip

    def state(self, some):
        """All that the figure shows of a set."""
        k, r_cf, r_ff, merit = self._sums(some)
        means = [f"{r_cf:.3f}" if k > 0 else "–", f"{r_ff:.3f}" if k > 1 else "–"]
        over, under = k * r_cf, np.sqrt(k + k * (k - 1) * r_ff)
        rank, named = self.ranked.index(some) + 1, self.listed(some).capitalize()
        shown = [*means, f"{over:.3f}", f"{under:.3f}", f"{merit:.3f}"]
        first = [
            "No feature is chosen.", f"{named} alone: the merit is the relevance, {r_cf:.3f}.",
            f"{named}: mean relevance {r_cf:.3f}, mean redundancy {r_ff:.3f}.",
        ]  # fmt: skip
        return {
            "size": k, "mean relevance": r_cf if k > 0 else None, "merit": merit,
            "mean redundancy": r_ff if k > 1 else None, "over": f"{k} × {means[0]}",
            "under": f"√({k} + {k * (k - 1)} × {means[1]})" if k > 1 else f"√{k}",
            "result": f"{over:.3f} / {under:.3f} = {merit:.3f}" if k else "0: the set is empty",
            "shown": dict(zip(SHOWN, [*shown, f"{rank} of {len(self.sums)}"], strict=True)),
            "first": f"{first[min(k, 2)]} A guess, or Skip, shows every merit.",
            "words": f"{named}: rank {rank} of {len(self.sums)}. {self._advice(some, merit)}",
        }  # fmt: skip

    def _sums(self, some):
        """Size, mean relevance, mean redundancy and merit of a set."""
        return [self.sums[some][key] for key in ("size", "relevance", "redundancy", "merit")]

    def _advice(self, some, merit):
        """The best step from a set, and which relevant feature lowers the merit, or would."""
        after = self.toggled(some)
        best = max(after, key=after.get)
        found = f"Best step: {_step(some, best)} {best}, {after[best]:.3f}. "
        asked = "Can a feature of high relevance lower a merit? Find such a set."
        relevant = [name for name in self.names if self.relevance[name] > 0.15]
        for name in [j for j in relevant if (after[j] > merit) == (j in some)][:1]:
            asked = (
                f"{name.capitalize()}, of relevance {self.relevance[name]:.3f}, lowers it: "
                f"{_step(some, name)} {name} {after[name]:.3f}, for brown has told most."
            )
        return (found if after[best] > merit else "No step raises the merit. ") + asked

    def frame(self, names):
        """A set that stands still: bars, a caption, and what a reader hears."""
        some = frozenset(names)
        fig, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.3), layout="constrained")
        for ax, values in zip(axes, (self.relevance, pd.Series(self.toggled(some))), strict=True):
            filled = [name in some and ax is axes[0] for name in self.names]
            ax.barh(self.names, values, color=np.where(filled, COLORS[0], "none"), edgecolor=INK)
            for i, value in enumerate(values):
                ax.text(0.31, i, f"{value:.3f}", va="center")
            ax.set(xlim=(0, 0.3), xticks=[0, 0.15, 0.3])
            ax.invert_yaxis()
        axes[0].set_title("relevance")
        axes[1].set(title="merit with or without it", yticks=range(len(self.names)))
        axes[1].set_yticklabels([_step(some, name) for name in self.names])
        axes[1].axvline(self.sums[some]["merit"], color=ACCENT)
        state, named = self.state(some), self.listed(some).capitalize()
        words = f"{named}: {state['over']} / {state['under']} = {state['merit']:.3f}. "
        words += STILLS[names]
        return fig, words, f"Bars: relevance, and merit with or without each feature. {words}"

    def ladder(self):
        """All sets but the empty one by their merit; a frame."""
        table = pd.DataFrame(
            [{"features": self.listed(some), **self.sums[some]} for some in self.ranked[:-1]],
            pd.RangeIndex(1, len(self.ranked), name="rank"),
        )[["features", "relevance", "redundancy", "merit"]].round(3)
        ends = [f"{row.features}, {row.merit:.3f}" for row in table.iloc[[0, -1]].itertuples()]
        words = "All sets by merit. Sets with both color and brown have the largest redundancy."
        return table, words, f"Table: {len(table)} sets, from {ends[0]}, to {ends[1]}."


def _step(some, name):
    """Whether the next step is to a set with or without the feature."""
    return "without" if name in some else "with"


# FCBF


def five_features(X):
    """The three features of the mushrooms, the color of their gills, and their stalk."""
    paint = {"brown": "pale", "green": "olive", "red": "dark"}
    gills = X["color"].map(paint).where(~np.isin(np.arange(14), [0, 2]), "olive")
    stalk = X["size"].map({"large": "long", "small": "short"}).where(np.arange(14) != 3, "long")
    return X.assign(gills=gills, stalk=stalk)


def fcbf_stepper(X, y):
    """Show both passes of FCBF over five features of the mushrooms."""
    steps = FCBFSelector().fit(five_features(X), y).steps_table()
    relevance = steps[steps["pass"] == 1].set_index("feature")["relevance"]
    order = ", ".join(f"{name} {value:.3f}" for name, value in relevance.items())
    ends = [f"{relevance.index[k]} with {relevance.iloc[k]:.3f}" for k in (0, -1)]
    words = f"Pass 1: all five tell something about the class. In order: {order}."
    alt = f"Bars of five relevances, from {ends[0]} to {ends[1]}."
    frames, out = [(_draw_pass(steps), words, alt)], set()
    for lead in ("color", "size"):
        asked = steps[steps["feature"] == lead].iloc[1:].set_index("other")
        gone = asked.index[asked["removed"].astype(bool)].tolist()
        told = ", ".join(f"{name} {asked.uncertainty[name]:.3f}" for name in asked.index)
        words = f"Pass 2, {lead} asks: what they tell about {lead} is {told}. Out goes {gone[0]}, "
        words += f"with {asked.uncertainty[gone[0]]:.3f} against {asked.relevance[gone[0]]:.3f}."
        frames.append((_draw_pass(steps, out | set(gone), lead), words, words))
        out |= set(gone)
    words = "Nobody is left behind spots for it to ask. Color, size and spots are kept."
    frames.append((_draw_pass(steps, out), words, words))
    table = steps[steps["pass"] == 2].drop(columns="pass").set_index("feature").round(3)
    table = table.rename(columns={"uncertainty": "SU", "removed": "out"})
    words = "All comparisons of pass 2: six, where all pairs would be ten."
    frames.append((table, words, "Table: the six comparisons of pass 2, two of which remove."))
    return stepper(frames, "FCBF goes down the list", "filters-fcbf")


def _draw_pass(steps, out=(), lead=None):
    """Relevances, and what `lead` tells about each that it may remove; `out` are gone."""
    relevance = steps[steps["pass"] == 1].set_index("feature")["relevance"]
    asked = steps[steps["feature"] == (lead or "")].set_index("other")
    fig, ax = plt.subplots(figsize=(WIDTH, 3.8))
    for k, (name, value) in enumerate(relevance.items()):
        gone = name in out and name not in asked.index
        fill, edge = ("none", GRAY) if gone else (COLORS[0], COLORS[0])
        height = -k - 0.2 * (lead is not None)
        ax.barh(height, value, 0.38, color=fill, edgecolor=edge, lw=1)
        if name in asked.index:
            told = asked["uncertainty"][name]
            ax.barh(-k + 0.2, told, 0.38, color=COLORS[1], hatch=HATCHES[1], edgecolor=INK, lw=0.6)
            word = "out" if asked["removed"][name] else "stays"
            ax.text(max(told, value) + 0.01, -k, word, va="center", color=INK)
        elif name == lead:
            ax.text(value + 0.01, -k - 0.2, "asks", va="center", color=INK)
        elif gone:
            ax.text(value + 0.01, -k, "gone", va="center", color=GRAY)
    ax.barh(0, 0, color=COLORS[0], label="about the class")
    if lead:
        ax.barh(0, 0, color=COLORS[1], hatch=HATCHES[1], ec=INK, label=f"about {lead}")
    ax.set(yticks=-np.arange(5), yticklabels=relevance.index, xlim=(0, 0.8), ylim=(-4.6, 0.6))
    ax.set_xlabel("symmetrical uncertainty")
    ax.legend(loc="lower right")
    return fig


# Searches, and real data


def coefficient_paths(best, forward, stagewise, lasso):
    """Draw the coefficients of ten features on the way of four methods to least squares."""
    panels = {"best subset": best.path_table(), "forward": forward.path_table()}
    panels["stagewise"] = stagewise.path_table()
    panels["lasso"] = pd.DataFrame(lasso, columns=panels["forward"].columns)
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 5.6), sharey=True, layout="constrained")
    for ax, (title, path) in zip(axes.flat, panels.items(), strict=True):
        _draw_path(ax, title, path)
    axes[0, 0].set_ylabel("coefficient")
    axes[1, 0].set_ylabel("coefficient")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=5,
               columnspacing=1, handlelength=1.8)  # fmt: skip
    plt.show()


def _draw_path(ax, title, path):
    """Coefficients over the number of features or, of small steps, over the sum of their sizes."""
    named, sized = ["bmi", "s5", "bp", "s1", "s3"], title in ("best subset", "forward")
    across = np.arange(len(path)) if sized else path.abs().sum(axis=1)
    for name in path.columns.difference(named):
        ax.plot(across, path[name], color=GRAY, lw=0.8, ls="-")
    for k, name in enumerate(named):
        look = {"color": COLORS[k], "ls": LINES[k], "marker": "o" if sized else None, "ms": 3.5}
        ax.plot(across, path[name], label=name, **look)
    ax.set(title=title, xlabel="features" if sized else "sum of |coefficients|")
    if sized:
        ax.set_xticks([0, 5, 10])


METHODS = [
    "all columns", "FCBF", "PCA, scaled columns", "CFS", "filter, best 10", "PCA, raw columns",
    "10 real, drawn", "the real 20",
]  # fmt: skip


def accuracy_table(sets):
    """Mean accuracy on Madelon with the columns of each method, and how many are kept and real."""
    table = sets[sets["study"] == "accuracy"].groupby("method").agg(
        accuracy=("value", "mean"), sd=("value", "std"), kept=("kept", "mean"),
        real=("real", "mean"),
    )  # fmt: skip
    table["real"] = table["real"].round(1).astype(str).mask(table.index.str.contains("PCA"), "–")
    return table.loc[METHODS].round({"accuracy": 3, "sd": 3, "kept": 1})


def accuracies_by_draw(draws):
    """Draw the accuracy on each draw of noise, with a choice outside the folds and inside."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.4))
    for k, values in enumerate(draws.to_numpy().T.round(2)):
        place, seen = [], {}
        for value in values:  # equal values stand one above the other
            seen[value] = seen.get(value, -1) + 1
            place.append(k + 0.11 * seen[value] - 0.15)
        ax.plot(values, place, "os"[k], color=COLORS[k], mec=INK, mew=0.6, ls="none", ms=6)
    ax.axvline(0.5, color=GRAY, ls="--", lw=1)
    ax.set(yticks=[0, 1], yticklabels=["outside", "inside"], ylim=(-0.45, 1.75), xlim=(0.3, 1.02))
    ax.set_xlabel("accuracy on held-out rows")
    plt.show()


def returns_table(sets):
    """How many of the ten best columns come back on bootstrap samples of three data sets."""
    back = sets[sets["study"] == "returns"]
    table = back.groupby("set")["value"].agg(["mean", "min", "max"])
    none = back[back["value"] == 0].groupby("set").size()
    table["none of ten"] = none.reindex(table.index).fillna(0)
    table["smallest |r|"] = sets[sets["study"] == "family"].set_index("set")["value"]
    table.insert(0, "rows", [100, 452, 2000])
    table.insert(1, "columns", [10000, 274, 500])
    whole = dict.fromkeys(["min", "max", "none of ten"], int)
    return table.round({"mean": 1, "smallest |r|": 2}).astype(whole)


# Under the hood


def eliminations_table(farms):
    """Print the mean errors with all features, and return what each way of elimination keeps."""
    every = farms[farms["way"] == "all"].set_index("farm")
    rows = {}
    for (way, rule), part in farms[farms["way"] != "all"].groupby(["way", "rule"]):
        rows[way if way == rule else f"{way}, {rule}"] = _eliminated(part, every)
    print(every[["forest", "boosting"]].mean().round(2).to_dict(), "with all features")
    return pd.DataFrame(rows).T


def _eliminated(part, every):
    """Mean numbers of features that each model and both keep, and the changes of the error."""
    kept = part.set_index(["farm", "model"])["columns"].str.split().map(set).unstack()
    kept = kept[["forest", "boosting"]].dropna()
    both = [len(a & b) for a, b in zip(kept["forest"], kept["boosting"], strict=True)]
    row = kept.map(len).mean().to_dict() | {"both": np.mean(both)}
    for model in ("forest", "boosting"):
        errors = part[part["model"] == model].set_index("farm")[model]
        change = (errors - every[model]).dropna()
        row[f"change, {model}"] = f"{change.mean():.2f} ± {change.sem():.2f}"
    return row


def searches_table(grid):
    """How settings with the chosen features compare with the best setting with all features."""
    rows = []
    for (model, farm), part in grid.groupby(["model", "farm"]):
        every, few = (part[part["way"] == way] for way in ("all", "RFE"))
        best, found = (each.loc[each["validation"].idxmin()] for each in (every, few))
        row = {"model": model, "farm": farm, "features": few["kept"].iloc[0]}
        for year in ("validation", "test"):
            row[f"{year}: better"] = int((few[year] < best[year]).sum())
            row[year] = f"{few[year].mean():.2f} ± {few[year].std():.2f}"
            row[f"{year}: best, few"], row[f"{year}: best, all"] = found[year], best[year]
        rows.append(row)
    return pd.DataFrame(rows).round(2)
