"""Figures of regularized trees: which features enter, and what a penalty saves and costs."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import t
from sklearn.datasets import load_breast_cancer

from treelab import RandomForestClassifier
from treelab.datasets import fetch_bike_sharing
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES, MARKERS, WIDTH
from treelab.fast.selection import (
    RegularizedForestSelector,
    regularized_tree_table,
    selection_stability,
)
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "columns_kept",
    "entries_by_node_size",
    "features_used",
    "guided_and_unguided",
    "marks_by_chance",
    "noise_table",
    "penalized_gains_stepper",
    "penalties_against_all",
    "penalty_explorable",
    "sizes_and_errors",
    "sizes_and_errors_table",
    "stability_table",
    "wins_losses_ties",
    "xor_table",
]

# The tables of two classes on which penalties are compared, with their numbers of columns.
WIDTHS = {"parkinsons": 22, "ionosphere": 34, "sonar": 60, "musk": 166}
SELECTORS = ("RRF", "RBoost", "CFS", "FCBF")


def _results(name):
    """A table of a replication."""
    return pd.read_csv(f"replications/{name}.csv")


def penalties(study):
    """The results of one study of penalties; a table with a row for each run."""
    table = _results("penalties")
    return table[table["study"] == study]


# Tumors and mushrooms


def features_used():
    """Draw how many features the first trees of an ordinary and of two regularized forests use."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.0))
    looks = [{"color": INK}, *({"color": COLORS[k], "linestyle": LINES[k + 1]} for k in (0, 1))]
    for look, (label, used) in zip(looks, used_by_tree().items(), strict=True):
        ax.plot(np.arange(1, 101), used, label=label, **look)
    ax.set(xlabel="trees", ylabel="features used", ylim=(0, 31))
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.72))
    plt.show()


def used_by_tree():
    """How many features the first 1, 2, ... 100 trees of each forest have used; dict of lists."""
    cells, malignant = load_breast_cancer(return_X_y=True, as_frame=True)
    half = np.random.default_rng(0).permutation(len(cells))[:285]
    cells, malignant = cells.iloc[half], malignant.iloc[half]
    forest = RandomForestClassifier(100, criterion="entropy", random_state=0)
    used, counts = set(), []
    for tree in forest.fit(cells, malignant).estimators_:
        used |= set(tree.tree_.feature[~tree.tree_.is_leaf].tolist())
        counts.append(len(used))
    found = {"ordinary forest": counts}
    for penalty in (0.5, 0.2):
        rrf = RegularizedForestSelector(penalty, random_state=0).fit(cells, malignant)
        entered = rrf.steps_table()["tree"]
        found[f"λ = {penalty}"] = [int((entered < b).sum()) for b in range(1, 101)]
    return found


def penalized_gains_stepper(X, y):
    """Grow a regularized tree of mushrooms with λ = 0.02, and compare the gains in each node."""
    table = regularized_tree_table(X, y, penalty=0.02)
    steps = {
        "the root": "The root: all features are new. The hollow gains all move left by the same "
                    "step, times 0.02; color stays first.",
        "red": "Red: both are new, and color cannot split red. Size gains more, and enters.",
        "green": "Green: spots gain 0.971, of which 0.0194 count. Size is in, and its 0.0200 "
                 "counts in full: spots are refused.",
        "small green ones": "Small green ones: size has nothing left to tell, and offers nothing. "
                            "Spots enter.",
        "large green ones": "Large green ones: spots are in now, and count in full.",
    }  # fmt: skip
    frames = []
    for (_, rows), (place, words) in zip(table.groupby("node"), steps.items(), strict=True):
        frames.append((_gains(rows.set_index("feature"), list(X), place), words, words))
    whole = table.drop(columns="where").set_index("node").round(4)
    words = "All offers. Spots were refused in node 5 and entered in node 6."
    frames.append((whole, words, f"Table. {words}"))
    return stepper(frames, "A regularized tree, λ = 0.02", "reluctant-mushrooms")


def _gains(rows, names, place):
    """Draw the gain and the penalized gain of each feature in a node."""
    fig, ax = plt.subplots(figsize=(WIDTH, 2.7))
    for k, name in enumerate(names):
        if name not in rows.index:
            ax.text(0.0004, -k, "one level only: no offer", va="center", color=GRAY)
            continue
        gain, penalized, selected, chosen = rows.loc[
            name, ["gain", "penalized_gain", "selected", "chosen"]
        ]
        ax.plot([penalized, gain], [-k, -k], color=GRAY, lw=1.2)
        if not selected:
            ax.plot(gain, -k, "o", ms=8, color="none", mec=INK)
        color, marker = (ACCENT, "D") if chosen else (COLORS[0], "o")
        ax.plot(penalized, -k, marker, ms=8, color=color, mec=INK)
        words = f"{penalized:.4f}, {'in' if selected else 'new'}{', taken' if chosen else ''}"
        ax.text(penalized, -k + 0.22, words, ha="left", va="bottom")
    ax.set(yticks=-np.arange(3), yticklabels=names, xscale="log", xlim=(0.0003, 12))
    ax.set(ylim=(-2.4, 0.75), xlabel="bits (logarithmic)", title=place)
    ax.set_xticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    ax.minorticks_off()
    return fig


# Busy days, and features of noise


PENALTIES = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1]
TREES = 20
HEADS = ["gain", "× λ", "rival", "its name", "rows"]
MEASURED = 9  # features; those after them are noise


class BusyDays:
    """A year of days, busy or calm, with nine features and five of noise, and a year to test on."""

    def __init__(self):
        days, rentals = fetch_bike_sharing("day", return_X_y=True)
        rng = np.random.default_rng(0)
        names = [f"noise {j}" for j in range(1, 6)]
        noise = pd.DataFrame(rng.normal(size=(len(days), 5)), columns=names)
        self.days = days.drop(columns=["holiday", "workingday"]).join(noise)
        self.names = list(self.days)
        self.busy = np.where(rentals > 4500, "busy", "calm")
        order = rng.permutation(len(days))
        self.train, self.test = order[:365], order[365:]
        self.errors = {}

    def entries(self, penalty, seed=0):
        """The features that enter a regularized forest, in their order; a table."""
        forest = RegularizedForestSelector(penalty, TREES, random_state=seed)
        return forest.fit(self.days.iloc[self.train], self.busy[self.train]).steps_table()

    def noise_entries(self, penalty, seed=0):
        """The noise features among the entries."""
        steps = self.entries(penalty, seed)
        return steps[steps["feature"].str.startswith("noise")]

    def error(self, features):
        """Error of an ordinary forest on some features, in percent of the test days."""
        some = tuple(name for name in self.names if name in set(features))
        if some not in self.errors:
            days, forest = self.days[list(some)], RandomForestClassifier(50, random_state=0)
            forest.fit(days.iloc[self.train], self.busy[self.train])
            score = forest.score(days.iloc[self.test], self.busy[self.test])
            self.errors[some] = 100 * (1 - score)
        return self.errors[some]

    def run(self, penalty):
        """What enters with a penalty, and the error after each tree, as the script wants it."""
        steps = self.entries(penalty)
        entries = [
            [self.names.index(s.feature), s.tree + 1,
             *(f"{gain:.3f}" for gain in (s.gain, s.penalized_gain, s.rival_gain)),
             s.rival or "no rival", str(s.n)]
            for s in steps.itertuples()
        ]  # fmt: skip
        after = [steps["feature"][steps["tree"] < b] for b in range(1, TREES + 1)]
        return {"entries": entries, "errors": [round(self.error(some), 2) for some in after]}


def penalty_explorable():
    """Let the reader choose a penalty and a number of trees, and see which features enter."""
    days = BusyDays()
    runs = [days.run(penalty) for penalty in PENALTIES]
    whole, asked = days.error(days.names), PENALTIES.index(0.5)
    counts = [len(days.noise_entries(0.5, seed)) for seed in range(10)]
    tells = (
        f"{counts[0]} here, {min(counts)} to {max(counts)} over ten seeds. In a node of few "
        "rows noise gains a lot: 1 bit in 4 rows. Grow all shows when."
    )
    frames = [
        _lanes(runs, days.names, asked, 1, "Noise 3 splits four rows purely."),
        _lanes(runs, days.names, asked, 20, "Nodes of 4, 9 and 32 rows have let in three more."),
        _lanes(
            runs, days.names, PENALTIES.index(0.2), 20,
            "No noise, and temp where λ = 0.5 has atemp.",
        ),
    ]  # fmt: skip
    words = (
        f"After 20 trees. With all 14 features a forest is wrong on {whole:.1f}% of the new days. "
        f"Noise features with λ = 0.5: {tells}"
    )
    frames.append((_sizes_by_penalty(runs), words, f"Table of nine penalties. {words}"))
    data = {
        "lambdas": PENALTIES, "names": days.names, "noise": MEASURED, "heads": HEADS, "runs": runs,
        "trees": TREES, "open": 2, "whole": round(whole, 2), "asked": asked,
        "rest": {"k": asked, "trees": 1}, "guesses": [[0.6, 1.4], [1.6, 3.4], [3.6, 5.4]],
        **_words_of_the_lanes(tells),
    }  # fmt: skip
    return explorable("penalty", data, frames, "What comes in, tree by tree", "slide-penalty")


def _words_of_the_lanes(tells):
    """The question, its verdicts, and the words of each state."""
    return {
        "question": "λ = 0.5: a new feature must gain more than twice as much as any that is in. "
                    "One tree has let in 1 of 5 noise features. How many will 20 trees let in?",
        "answers": ["1", "2 or 3", "4 or 5"],
        "verdicts": [f"{reply}: {tells}" for reply in ("No", "No", "Yes")],
        "says": [
            "λ = {lambda}, tree {trees}: {size} features are in, {noise} noise features. Last: "
            "{name}, tree {tree}, {rows} rows, {gain} × λ = {penalized} > {bar} ({rival}). " + after
            for after in ("A guess, or Skip, grows more.", "Error on new days: {error}.")
        ],
        "label": "penalty λ", "grown": "trees", "all": "Grow all",
        "titles": ["tree (ring: only a smaller λ let it in)", "features in", "noise",
                   "box: your guess", "error on new days, % (dashed: all 14)"],
        "tops": [[0, 15], [0, 5, 10, 14], [8, 38], [10, 20, 30], 35],
        "values": {"size": "features in", "noise": "noise features", "error": "error, new days"},
        "alt": ["A lane for each feature, from the tree in which it entered, with its gain there.",
                "How many features are in, and how many of noise, for each penalty.",
                "Error of a forest on the features that are in, on new days, for each penalty."],
    }  # fmt: skip


def _lanes(runs, names, k, trees, caption):
    """A frame with a lane for each feature, from the tree in which it entered."""
    entries = [entry for entry in runs[k]["entries"] if entry[1] <= trees]
    fig, ax = plt.subplots(figsize=(WIDTH, 4.6))
    ax.axvline(trees, color=ACCENT)
    for j, tree, *cells in [*entries, [-1.2, 0, *HEADS]]:
        if tree:
            kind = int(j >= MEASURED)
            color = COLORS[kind]
            ax.plot([tree, trees + 0.4], [j, j], color=color, linestyle=LINES[kind])
            ax.plot(tree, j, marker="os"[kind], color=color, mec=INK, mew=0.6, zorder=3)
        for place, cell in zip((0.72, 0.86, 1), cells[:3], strict=True):
            ax.text(place, j, cell, ha="right", va="center", transform=ax.get_yaxis_transform())
    ax.set(xlim=(0.4, 36), xticks=[1, 10, 20], yticks=range(14), ylim=(13.6, -2), xlabel="tree")
    ax.set_yticklabels(names)
    words = f"λ = {PENALTIES[k]:g}, tree {trees}: {len(entries)} of 14 features are in, "
    words += f"{_n_noise(entries)} of 5 noise features. {caption}"
    return fig, words, f"A lane for each feature, from the tree in which it entered. {words}"


def _sizes_by_penalty(runs):
    """How many features each penalty lets in, how many of noise, and the error with them."""
    return pd.DataFrame({
        "λ": PENALTIES, "features": [len(run["entries"]) for run in runs],
        "noise": [_n_noise(run["entries"]) for run in runs],
        "error on new days, %": [run["errors"][-1] for run in runs],
    }).set_index("λ").round(1)  # fmt: skip


def _n_noise(entries):
    return sum(j >= MEASURED for j, *_ in entries)


# Penalties by size and error


def xor_table():
    """How often each method keeps both columns of an XOR, and how many coins with them."""
    means = penalties("xor").groupby("method")[["value", "noise"]].mean()
    return means.rename(columns={"value": "both kept", "noise": "coins kept"}).round(2)


def means_of_sizes():
    """Mean size and error of each setting on each table."""
    return penalties("sizes").groupby(["set", "method"])[["kept", "value"]].mean()


def sizes_and_errors():
    """Draw the error on the other half against the number of columns kept, guided or not."""
    means = means_of_sizes()
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 5.2))
    for ax, (name, d) in zip(axes.flat, WIDTHS.items(), strict=True):
        here = means.loc[name]
        for k, label in enumerate(("unguided, λ", "guided, γ")):
            path = here[here.index.str.startswith(label[-1])].sort_values("kept")
            look = {"ls": LINES[k], "color": COLORS[k], "label": label}
            ax.plot(path["kept"], path["value"], MARKERS[k], **look)
        ax.axhline(here.loc["all columns", "value"], color=GRAY, ls=":", label="all columns")
        ax.set(xscale="log", title=f"{name}, {d}", ylim=(0, 1.1 * here["value"].max()))
        ticks = [tick for tick in (2, 5, 10, 20, 50, 100) if tick < 1.1 * here["kept"].max()]
        ax.set_xticks(ticks, ticks)
        ax.minorticks_off()
    for ax in axes[1]:
        ax.set_xlabel("columns kept")
    for ax in axes[:, 0]:
        ax.set_ylabel("error")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    plt.show()


def sizes_and_errors_table():
    """Mean number of columns kept and mean error for some penalties."""
    rows = [f"λ = {penalty}" for penalty in (0.1, 0.2, 0.5, 0.7, 0.9, 1)]
    shown = means_of_sizes().unstack("set").loc[[*rows, "all columns"]]
    kept, errors = (shown[key][list(WIDTHS)] for key in ("kept", "value"))
    both = kept.map("{:.1f}".format) + " / " + errors.map("{:.3f}".format)
    return both.rename_axis("kept / error")


def differences_by_folds():
    """Mean difference in error from all columns, and half of its corrected 95% interval."""
    folds = penalties("folds")
    errors = folds.pivot_table(index=["set", "repetition"], columns="method", values="value")
    gaps = errors.sub(errors["all columns"], axis=0)[["λ = 0.1", "λ = 0.2", "λ = 0.5"]]
    gaps = gaps.groupby("set")  # of each, the differences of thirty folds
    half = t.ppf(0.975, 29) * np.sqrt(1 / 30 + 1 / 9) * gaps.std()
    return [table.T[list(WIDTHS)] for table in (gaps.mean(), half)]


def penalties_against_all():
    """The difference in error from all columns for three penalties, with a corrected interval."""
    gap, half = differences_by_folds()
    return gap.map("{:+.3f}".format) + " ± " + half.map("{:.3f}".format)


def difference(name, one, other, study="sizes"):
    """Mean difference in error of two settings over ten halves, and half of its 95% interval."""
    rows = penalties(study)
    rows = rows[rows["set"] == name]
    errors = rows.pivot_table(index="repetition", columns="method", values="value")
    gap = errors[one] - errors[other]
    half = t.ppf(0.975, len(gap) - 1) * gap.std() * np.sqrt(1 / len(gap) + 1)
    return gap.mean(), half


def guided_and_unguided():
    """Compare guided settings with the unguided one whose mean size is nearest."""
    means, rows = means_of_sizes()["kept"], []
    for name in WIDTHS:
        kept = means.loc[name]
        unguided = kept[kept.index.str.startswith("λ")]
        for guided in ("γ = 0.7", "γ = 0.9"):
            other = (unguided - kept[guided]).abs().idxmin()
            gap, half = difference(name, guided, other)
            rows.append({
                "set": name, "guided": guided, "kept": kept[guided], "unguided": other,
                "kept there": kept[other], "difference": gap, "±": half,
            })  # fmt: skip
    digits = {"kept": 1, "kept there": 1, "difference": 3, "±": 3}
    return pd.DataFrame(rows).set_index("set").round(digits)


# The paper's experiment


def printed_results():
    """What the paper prints of the tables that are compared here."""
    paper = _results("reluctant_paper")
    return paper[paper["set"].isin(marks()["set"])].set_index(["set", "method"])


def marks(against="all"):
    """Wins, losses and ties of each selector on each table, by either test."""
    table = _results("reluctant_marks")
    return table[table["against"] == against]


def wins_losses_ties():
    """Wins, losses and ties against all columns, as printed and here, and the mean differences."""
    paper, here, rows = printed_results(), marks(), {}
    for judge, label in (("forest", "forest"), ("c45", "C4.5")):
        for name in SELECTORS:
            found = here[(here["judge"] == judge) & (here["method"] == name)]
            rows[label, name] = {
                "printed": _counted(paper.xs(name, level="method")[f"{judge}_mark"]),
                "here": _counted(found["mark"]),
                "corrected": _counted(found["mark_corrected"]),
                **mean_and_half(found["difference"]),
            }
    table = pd.DataFrame(rows).T.rename_axis(["judge", "columns by"])
    return table.infer_objects().round(3)


def _counted(some):
    """Wins, losses and ties as a text."""
    return "/".join(str((some == sign).sum()) for sign in "+-=")


def mean_and_half(differences):
    """The mean difference over the tables, and half of its 95% interval."""
    half = t.ppf(0.975, len(differences) - 1) * differences.sem()
    return {"mean difference": differences.mean(), "±": half}


def marks_by_chance():
    """Print how often either test marks two columns that tell the classes equally well."""
    kinds = {"": "the same two:", "both": "both drawn:", "one": "kept and drawn:"}
    for drawn, words in kinds.items():
        share = np.mean([_marked(seed, drawn) for seed in range(300)], axis=0)
        print(f"{words:<15} {share[0]:.2f} by their rule, {share[1]:.2f} by the corrected test")


def _marked(seed, drawn, n=100):
    """Whether either test marks two equally good columns, of which some are drawn in each fold."""
    rng, gaps = np.random.default_rng(seed), []
    kind = np.repeat([0, 1], n // 2)
    values = rng.normal(size=(n, 10 if drawn else 2)) + kind[:, None]
    for _ in range(10):
        parts = np.array_split(rng.permutation(n), 2)
        for train, test in (parts, parts[::-1]):
            two = values[:, _two_columns(rng, drawn)]
            low, high = (two[train][kind[train] == k].mean(axis=0) for k in (0, 1))
            right = ((two[test] > (low + high) / 2) == (high > low)) == kind[test][:, None]
            gaps.append(np.subtract(*right.mean(axis=0)))
    by_repetition = np.reshape(gaps, (10, 2)).mean(axis=1)
    errors = by_repetition.std(ddof=1) / np.sqrt(10), np.std(gaps, ddof=1) * np.sqrt(1 / 20 + 1)
    return np.abs(np.mean(gaps)) > t.ppf(0.975, [9, 19]) * errors


def _two_columns(rng, drawn):
    if drawn == "both":
        return rng.permutation(10)[:2]
    return [0, rng.integers(1, 10)] if drawn else [0, 1]


def mean_sizes():
    """How many columns each selector keeps on each table, on average."""
    runs = _results("reluctant_trees")
    runs = runs[(runs["study"] == "sets") & (runs["method"] != "all")]
    return runs.pivot_table(index="set", columns="method", values="kept")


def columns_kept():
    """How many columns each selector keeps on each table, as printed and here."""
    paper, here = printed_results(), mean_sizes()
    shown = pd.DataFrame({"columns": paper.xs("all", level="method")["kept"].astype(int)})
    for name in SELECTORS:
        shown[f"{name}, printed"] = paper.xs(name, level="method")["kept"]
        shown[f"{name}, here"] = here[name].round(1)
    return shown.sort_values("columns", kind="stable")


# Noise, and other orders


def entries_by_node():
    """How many columns enter in nodes of each size, and how many of noise."""
    return penalties("entries").groupby("value")[["kept", "noise"]].sum()


def entries_by_node_size():
    """Draw how many columns enter in nodes of each size, and which part of them is noise."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.8))
    for k, row in enumerate(entries_by_node().itertuples()):
        ax.barh(-k, row.kept, color="none", edgecolor=INK)
        ax.barh(-k, row.noise, color=COLORS[1], hatch="////", edgecolor=INK)
        ax.text(row.kept + 3, -k, f"{row.noise:.0f} of {row.kept:.0f} noise", va="center")
    names = ["2 to 4", "5 to 10", "11 to 20", "21 to 50", "51 and more"]
    ax.set(yticks=-np.arange(5), yticklabels=names, xlim=(0, 300), xlabel="columns that enter")
    ax.set_ylabel("rows of the node")
    plt.show()


def noise_means():
    """Mean numbers of own columns and of noise in a set, and its mean error, by setting."""
    runs = penalties("noise")
    runs = runs.assign(own=runs["kept"] - runs["noise"]).rename(columns={"value": "error"})
    return runs.groupby("method")[["own", "noise", "error"]].mean()


def noise_table():
    """What some settings keep of three tables with a hundred noise columns each."""
    rows = ["λ = 1", "λ = 0.5", "λ = 0.5, leaves of 10", "λ = 0.2", "γ = 0.7", "γ = 0.9"]
    return noise_means().loc[rows].round(3)


def stability_table():
    """Stability of the sets over ten orders of the trees, ten seeds, and ten halves of a table."""
    return stabilities().round(2)


def stabilities():
    """The table, before it is rounded."""
    runs = {
        "ten orders": ("order", "order"),
        "ten seeds": ("order", "seed"),
        "ten halves": ("sizes", "λ = 0.5"),
        "ten halves, γ = 0.7": ("sizes", "γ = 0.7"),
    }
    return pd.DataFrame({
        label: {name: _stability(study, method, name)
                for name in ("ionosphere", "parkinsons", "sonar")}
        for label, (study, method) in runs.items()
    })  # fmt: skip


def _stability(study, method, name):
    """Nogueira's stability of the sets of a method on a table."""
    rows = penalties(study)
    rows = rows[(rows["set"] == name) & (rows["method"] == method)]
    sets = [np.array(text.split(), dtype=int) for text in rows["columns"]]
    masks = np.array([np.isin(np.arange(WIDTHS[name]), some) for some in sets])
    return selection_stability(masks).value["nogueira"]
