"""Figures of the chapter on impurity."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treelab.datasets import load_vegetation, make_many_valued
from treelab.drawing.style import ACCENT, GRAY, INK, class_look, pale
from treelab.fast.growing import split_table
from treelab.fast.impurity import entropy, gini, information_gain, misclassification
from treelab.figures.explorable import explorable
from treelab.figures.growing import guess_sentences
from treelab.figures.stepper import stepper

__all__ = [
    "chords",
    "criteria_compared",
    "criteria_differences",
    "cut_explorable",
    "cut_stepper",
    "default_rates",
    "gains_by_chance",
    "gains_by_chance_table",
    "impurity_curves",
    "plans",
    "ten_cases",
]


def ten_cases():
    """Show the ten observations of the first page before a split and after it."""
    nodes = {"before": "aaaaaaaabc", "left": "aaaab", "right": "aaaac"}
    _, ax = plt.subplots(figsize=(5.6, 2.6))
    for row, members in enumerate(nodes.values()):
        for place, letter in enumerate(members):
            color, _, marker = class_look("abc".index(letter))
            ax.plot(place, -row, marker=marker, color=color, ms=17, mec=INK, ls="")
            ink = "white" if letter == "a" else "black"
            ax.text(place, -row, letter, ha="center", va="center", color=ink)
    ax.set_yticks([0, -1, -2], ["before", "left", "right"])
    ax.set(xlim=(-0.6, 9.6), ylim=(-2.6, 0.6), xticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    plt.show()


# Seven places, split by their elevation


def cut_explorable():
    """Let the reader move a threshold over seven places and look for the largest gain."""
    places, table = _Places(), _Places().table
    order = np.argsort(places.feet)
    data = {
        "x": places.feet[order],
        "y": places.classes.cat.codes.to_numpy()[order],
        "classes": places.names,
        "unit": "feet",
        "decimals": 3,
        "xlabel": "elevation in feet",
        "xrange": [0, 5300],
        "yrange": [0, 1],
        "step": 25,
        "best": table["threshold"][table["best"]].item(),
        "rest": {"at": 2250, "own": None, "seen": [int((places.feet <= 2250).sum()) - 1]},
        "labels": {
            "left_answer": "prediction left",
            "left_impurity": "entropy left, bits",
            "right_answer": "prediction right",
            "right_impurity": "entropy right, bits",
            "gain": "gain, bits",
            "rank": "rank",
        },
        "says": guess_sentences(
            "At {at} feet: {left} of the seven places on the left, {right} on the right; the "
            f"entropy falls from {places.before:.3f} bits by {{gain}}.",
            "feet",
        ),
        "alt": [
            "Seven places by their elevation, and the threshold.",
            "The gain of every threshold visited.",
        ],
        "cuts": [places.both_sides(k) for k in table.index],
    }
    short = table.set_index("threshold")[["n_left", "remainder", "gain"]].round(3)
    frames = [places.frame(k) for k in (2, 3, 4)]
    frames.append(
        (
            short,
            "All six candidate splits.",
            "Table: the split at 4175 feet has the largest gain, 0.863 bits.",
        )
    )
    title = "Where would you split the elevation?"
    return explorable("cut", data, frames, title=title, name="impurity-cut")


def cut_stepper():
    """Go through the six thresholds of the elevation, with the arithmetic of each gain."""
    places = _Places()
    frames = [places.frame(k) for k in places.table.index]
    return stepper(frames, "Six candidate splits of the elevation", "cut-along-elevation")


class _Places:
    """Seven places with their elevation and vegetation, and the table of their six splits."""

    def __init__(self):
        X, self.classes = load_vegetation("feet", return_X_y=True)
        self.feet, self.names = X["elevation"].to_numpy(), list(self.classes.cat.categories)
        self.table = split_table(X[["elevation"]], self.classes, criterion="entropy")
        self.before = self.table["remainder"][0] + self.table["gain"][0]

    def both_sides(self, k):
        """What the interactive figure says of split k."""
        split = self.table.loc[k]
        rank = self.table["gain"].round(9).rank(method="min", ascending=False)
        return {
            "left": self._side(self.feet <= split["threshold"], split["impurity_left"]),
            "gain": split["gain"],
            "right": self._side(self.feet > split["threshold"], split["impurity_right"]),
            "rank": int(rank[k]),
        }

    def _side(self, here, bits):
        """The size, the majority class and the entropy of one side."""
        counts = self.classes[here].value_counts().reindex(self.names)
        most, n = counts.max(), int(here.sum())
        majority = " or ".join(name for name in self.names if counts[name] == most)
        answer = f"{majority}, {most} of {n}"
        return {"n": n, "says": int(counts.argmax()), "answer": answer, "impurity": bits}

    def frame(self, k):
        """The picture of split k, its caption and its alt text."""
        words = self._explain(k)
        return self._draw(k), words, f"Number line with the threshold. {words}"

    def _explain(self, k):
        """The arithmetic of split k in words."""
        split, sides = self.table.loc[k], []
        there = {"left": self.feet <= split["threshold"], "right": self.feet > split["threshold"]}
        for side, rows in there.items():
            counts = ", ".join(
                f"{(self.classes[rows] == name).sum()} {name}" for name in self.names
            )
            sides.append(f"{side}: {counts}, entropy {split[f'impurity_{side}']:.3f}")
        return (
            f"At most {split['threshold']:.0f} feet? {sides[0].capitalize()}. "
            f"{sides[1].capitalize()}. "
            f"Remainder {split['n_left']}/7 × {split['impurity_left']:.3f} + "
            f"{split['n_right']}/7 × {split['impurity_right']:.3f} = {split['remainder']:.3f}; "
            f"gain {self.before:.3f} - {split['remainder']:.3f} = {split['gain']:.3f}."
        )

    def _draw(self, k):
        """The places on a line with the threshold of split k, above the gains of all splits."""
        threshold = self.table["threshold"][k]
        figure, (line, bars) = plt.subplots(
            2, 1, figsize=(5.4, 4.2), sharex=True, height_ratios=[2, 3]
        )
        for code, name in enumerate(self.names):
            color, _, marker = class_look(code)
            here = self.feet[self.classes == name]
            line.plot(here, 0 * here, marker, color=color, mec=INK, ms=13, ls="", label=name)
        line.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, handletextpad=0.1)
        line.set(ylim=(-1, 1), yticks=[], xlim=(0, 5300))
        line.spines["left"].set_visible(False)
        line.axvspan(0, threshold, color=pale(GRAY, 0.2))
        for axes in (line, bars):
            axes.axvline(threshold, color=INK, ls="--")
        gains = self.table["gain"]
        bars.bar(self.table["threshold"], gains, width=130, color=class_look(4)[0], edgecolor=INK)
        bars.set(ylim=(0, 1), ylabel="gain (bits)", xlabel="threshold of elevation (feet)")
        bars.set_xticks(range(0, 5001, 1000))
        return figure


# Impurity as a curve


def impurity_curves():
    """Draw the error rate, the Gini impurity and half the entropy of two classes."""
    share = np.linspace(0, 1, 101)
    pairs = np.stack([share, 1 - share], axis=1)  # (101, 2): class proportions
    curves = {"entropy / 2": entropy(pairs) / 2, "Gini": gini(pairs)}
    curves["error rate"] = misclassification(pairs)
    _, ax = plt.subplots()
    for (name, curve), style in zip(curves.items(), ("-.", "--", "-"), strict=True):
        ax.plot(share, curve, style, label=name)
    ax.set(xlabel="proportion p of the first class", ylabel="impurity", xlim=(0, 1), ylim=(0, 0.56))
    ax.legend(loc="lower center")
    plt.show()


def chords():
    """Show the gain of one split as the distance from the chord up to the curve, twice."""
    figure, panels = plt.subplots(1, 2, figsize=(5.6, 3.6), sharey=True)
    criteria = {"error rate": misclassification, "Gini": gini}
    for ax, (title, criterion) in zip(panels, criteria.items(), strict=True):
        _chord(ax, criterion)
        ax.set(title=title, xlabel="proportion p", xlim=(-0.02, 0.52), ylim=(-0.02, 0.52))
    panels[0].set_ylabel("impurity")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncol=3)
    plt.show()


def _chord(ax, criterion):
    """The curve of an impurity, the chord between two branches, and the gain of their node."""
    share = np.linspace(0, 1, 101)[:51]
    left, right, node = (float(criterion([10 * p, 10 * (1 - p)])) for p in (0.0, 0.4, 0.2))
    ax.plot(share, criterion(np.stack([share, 1 - share], axis=1)), "-", label="impurity")
    ax.plot([0, 0.4], [left, right], "s--", color=ACCENT, label="branches, chord")
    ax.plot(0.2, node, "o", color=INK, ms=9, label="node")
    remainder = right / 2  # the chord at 0.2 is halfway up
    gain = max(node - remainder, 0.0)
    ax.plot([0.2, 0.2], [remainder, node], "-", color=INK, lw=2.5)
    arrow = {"arrowstyle": "->"}
    ax.annotate(f"gain {gain:.2f}", (0.2, remainder + gain / 2), (0.24, 0.05), arrowprops=arrow)


# Real data, and chance


def default_rates(rates):
    """Draw the proportion of bad loans in each category of the checking account."""
    _, ax = plt.subplots(figsize=(5.6, 3.4))
    words = ["below 0", "0 to 200", "200 and more", "no checking"]
    ax.bar(words, rates, color=class_look(4)[0], edgecolor=INK)
    ax.axhline(0.5, color=ACCENT)
    ax.text(3.4, 0.51, "majority changes here", ha="right", color=ACCENT)
    ax.axhline(0.3, color=GRAY, ls="--")
    ax.text(3.4, 0.31, "all loans", ha="right", color=GRAY)
    ax.set(ylabel="proportion of bad loans", ylim=(0, 0.6))
    plt.show()


def gains_by_chance():
    """Draw the mean gain of noise features against their number of categories."""
    gains = gains_by_chance_table()
    _, ax = plt.subplots(figsize=(5.6, 3.2))
    ax.plot(gains.index, gains, "o-")
    ax.set(
        xlabel="number of categories", ylabel="mean gain (bits)", ylim=(0, None), xticks=gains.index
    )
    plt.show()


def gains_by_chance_table():
    """The mean information gain in 200 samples of noise features, by their number of categories."""
    levels, gains = (2, 4, 8, 16, 32), []
    for seed in range(200):
        X, y = make_many_valued(200, levels=levels, random_state=seed)
        counts = [[np.bincount(column[y == k], minlength=32) for k in (0, 1)] for column in X.T]
        gains.append(information_gain(np.swapaxes(counts, 1, 2)))
    return pd.Series(np.mean(gains, axis=0), index=levels)


# Under the hood


def plans(per_draw, bits):
    """Draw the questions per draw of the best plan against the number of draws asked at once."""
    _, ax = plt.subplots(figsize=(5.6, 3.2))
    ax.plot(range(1, len(per_draw) + 1), per_draw, "o-", label="best plan")
    ax.axhline(bits, color=ACCENT, ls="--", label="entropy")
    ax.set(xlabel="draws asked about at once", ylabel="questions per draw", ylim=(0.9, 1.22))
    ax.legend()
    plt.show()


def criteria_compared(trees):
    """Mean test errors of trees grown by Gini, and differences by entropy and error rate."""
    means = trees.groupby(["depth", "set"], sort=False)["gini"].mean().round(1)
    table, differences = pd.DataFrame({"Gini": means}), criteria_differences(trees)
    names = {"entropy": "entropy - Gini", "misclassification": "error rate - Gini"}
    for criterion, name in names.items():
        pairs = differences[criterion].to_numpy()
        table[name] = [f"{mean:+.1f} ± {se:.1f}" for mean, se in pairs]
    table = table.sort_index(level=0, sort_remaining=False)
    return table.rename({0: "full", 4: "4 at most"})


def criteria_differences(trees):
    """Mean difference in test error from Gini, and its standard error, by depth, set, criterion."""
    errors = trees.set_index(["depth", "set"])
    differences = errors[["entropy", "misclassification"]].sub(errors["gini"], axis=0)
    found = differences.groupby(level=[0, 1], sort=False).agg(["mean", "std"])
    wider = np.sqrt(1 / 20 + 1 / 2)  # 20 divisions, half as many rows to test as to grow on
    found.loc[:, (slice(None), "std")] *= wider
    return found.rename(columns={"std": "se"})
