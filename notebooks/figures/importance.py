"""Figures of the chapter on importance: what a column is worth, and by which measure."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import FancyBboxPatch
from sklearn.inspection import PartialDependenceDisplay, partial_dependence

from treelab import RandomForestRegressor
from treelab.drawing import draw_tree
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, WIDTH, class_look, pale
from treelab.fast.importance import impurity_decreases, oob_permutation_importance, shap_values
from treelab.figures.explorable import explorable
from treelab.figures.importances import draw_importances, draw_ranks
from treelab.figures.stepper import stepper
from treelab.figures.totally_randomized_trees import mutual_information_decomposition

__all__ = [
    "bits_of_bars",
    "coin_and_die_table",
    "conditional_table",
    "copies_table",
    "first_shuffle",
    "four_measures",
    "many_values",
    "many_values_table",
    "over_sets",
    "p_values_table",
    "product_effects",
    "ranks_by_seed",
    "ranks_table",
    "riders_at_three_hours",
    "riders_by_hour",
    "shuffle_stepper",
    "tree_of_the_kiosk",
    "twin_explorable",
    "which_importance",
]


def over_sets(sets, study):
    """A row for each quantity of a study, a column for each data set."""
    rows = sets[sets["study"] == study]
    return rows.pivot(index="quantity", columns="set", values="value")


# A column and its twin

TRIO = ("a", "twin", "b")
LIMITS = {
    "impurity": [0, 0.6],
    "permutation": [0, 8],
    "drop-column": [-1, 6],
    "Shapley": [0, 1.8],
}  # of the axis of each measure


def twin_explorable(sets):
    """Let the reader choose the correlation of a column and its twin, and compare four measures."""
    mean, sd = _by_correlation(sets)
    missed = _errors_without(mean)
    frames = [_measures(mean, sd, r) for r in (0, 1)]
    table = missed.loc[[0, 0.5, 0.9, 1]].round(2).rename_axis("correlation")
    words = (
        "Without a the twin stands in for it, the closer the better; without both the error is "
        "large."
    )
    frames.append((table, words, "Table: squared errors on new rows. " + words))
    data = {
        "measures": [
            {"name": measure, "y": limits, "columns": [
                {"mean": mean.loc[f"{measure}, {column}"].round(3),
                 "sd": sd.loc[f"{measure}, {column}"].round(3)} for column in TRIO
            ]} for measure, limits in LIMITS.items()
        ],
        "errors": [[words, missed[words].round(3)] for words in missed],
        "rest": {"at": 5, "guess": None}, "shares": [0, 0.5, 1],
        **_words_of_the_twin(mean),
    }  # fmt: skip
    return explorable("importance", data, frames, "A column and its twin", "importance-twin")


def _by_correlation(sets):
    """Mean and standard deviation of each quantity (rows) at each correlation (columns)."""
    twins = sets[sets["study"] == "correlation"]
    names = twins["quantity"].str.rsplit(", ", n=1, expand=True)
    names = names.rename(columns={0: "what", 1: "r"}).astype({"r": float})
    values = pd.concat([twins, names], axis=1).groupby(["what", "r"])["value"]
    return values.mean().unstack(), values.std().unstack()


def _errors_without(mean):
    """Squared errors on new rows with all columns, and without some; a row for a correlation."""
    more = {"with all columns": 0, "without a": mean.loc["drop-column, a"]}
    more["without a and twin"] = mean.loc["drop-column, both"]
    return pd.DataFrame({words: mean.loc["error"] + rise for words, rise in more.items()})


def _measures(mean, sd, r):
    """The four measures at one correlation; a frame."""
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 3.6), layout="constrained")
    for ax, measure in zip(axes.flat, LIMITS, strict=True):
        rows = [f"{measure}, {column}" for column in TRIO]
        look = {"color": COLORS[:3], "ecolor": INK}
        ax.barh(TRIO, mean.loc[rows, r], xerr=sd.loc[rows, r], **look)
        ax.set(title=measure, xlim=LIMITS[measure])
        ax.invert_yaxis()
    more = mean.loc["drop-column, a", r]
    rises = f"rises by {more:.1f}." if more > 0.05 else f"does not rise ({more:.1f})."
    words = (
        f"At correlation {r:g} the twin has {mean.loc['impurity, twin', r]:.0%} of the impurity; "
        f"without a the squared error {rises}"
    )
    return fig, words, "Four bar charts of a, twin and b, one for each measure. " + words


def _words_of_the_twin(mean):
    """The question, the answers, and the words of each state."""
    gets = {m: mean.loc[f"{m}, twin", 1] / mean.loc[f"{m}, a", 0] for m in LIMITS}
    shares = ", ".join(f"{got:.0%} by {measure}" for measure, got in gets.items())
    return {
        "says": ["At correlation {r} the squared error on new rows is {errors}. " + after
                 for after in (
            "A guess, or Skip, unlocks the rest.",
            "Drop-column says whether a can go, the others how much the forest leans on it.",
        )],
        "question": "At correlation 1 the twin is a copy. "
        "How much of what a had at correlation 0 will it get?",
        "verdicts": 3 * ["Each measure has its own answer: " + shares.replace(" -", " −") + "."],
        "guessed": "open square: your guess",
        "answers": ["nothing", "half", "as much"],
        "alt": "Four measures of a, twin and b over the correlation, with one standard deviation.",
    }  # fmt: skip


# The kiosk


def tree_of_the_kiosk(kiosk):
    """Draw the tree of the kiosk."""
    draw_tree(kiosk)
    plt.show()


def four_measures(kiosk, days, permutation, drop_column):
    """Four importances of the two features of the kiosk, and their ratios."""
    measures = {
        "impurity": impurity_decreases(kiosk)[0],
        "permutation": permutation,
        "drop-column": drop_column,
        "Shapley": np.abs(shap_values(kiosk, days)["values"]).mean(axis=0),
    }
    table = pd.DataFrame(measures, index=days.columns).T
    return table.assign(ratio=table["sun"] / table["weekend"])


# Bicycles


def first_shuffle(n):
    """The order of n rows in the first shuffle of `permutation_importance` from seed 0."""
    seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max + 1)
    order = np.arange(n)
    np.random.RandomState(seed).shuffle(order)
    return order


def shuffle_stepper(forest, X, y, lost):
    """Shuffle one column after the other, and show what the forest predicts for new hours."""
    frames = [_hours(forest, X, y)]
    for column, share in (("hr", 0.5), ("hr", 1), ("workingday", 1), ("temp", 1), ("windspeed", 1)):
        frames.append(_hours(forest, X, y, column, share))
    table = lost.sort_values(ascending=False).round(3).rename("lost").to_frame()
    words = "What every column costs when it is shuffled alone, in R²."
    frames.append((table, words, "Table: hr, workingday and atemp lose most."))
    return stepper(frames, "One column is shuffled, and the forest loses", "importance-shuffle")


def _hours(forest, X, y, column=None, share=1):
    """Riders over the prediction once a share of a column is shuffled; a frame."""
    broken, rows = X.copy(), np.arange(len(X))
    if column is not None:
        order = np.where(rows < share * len(X), first_shuffle(len(X)), rows)
        broken[column] = X[column].to_numpy()[order]
    predicted, score = forest.predict(broken), forest.score(broken, y)
    fig, ax = plt.subplots(figsize=(WIDTH, 4))
    for day, name in enumerate(("free days", "working days")):
        of = (X["workingday"] == day).to_numpy()
        color, _, marker = class_look(day)
        ax.scatter(predicted[of], y[of], s=11, color=color, marker=marker, rasterized=True)
        ax.scatter([], [], s=24, color=color, marker=marker, label=name)
    ax.legend(loc="upper left")
    ax.plot([0, 300], [0, 300], color=INK, lw=1.2, ls="--")
    ax.set(xlim=(-5, 300), ylim=(-5, 380), xlabel="predicted", ylabel="casual riders")
    which = "No column" if column is None else f"{'Half of ' if share < 1 else ''}{column}"
    words = f"{which} is shuffled: R² is {score:.3f}, {forest.score(X, y) - score:.3f} lost."
    return fig, words, f"Riders against the prediction for {len(X)} hours. {words}"


def riders_by_hour(forest, hours):
    """Draw ICE lines and partial dependence on the hour, for free and for working days."""
    _, ax = plt.subplots(figsize=(WIDTH, 4))
    looks = {"free days": (COLORS[1], "--"), "working days": (COLORS[0], "-")}
    for working, (name, (color, line)) in enumerate(looks.items()):
        part, look = hours[hours["workingday"] == working], {"color": color, "linestyle": line}
        PartialDependenceDisplay.from_estimator(
            forest, part, ["hr"], kind="both", subsample=20, random_state=0, ax=[ax],
            ice_lines_kw=look | {"lw": 0.8, "alpha": 0.6},
            pd_line_kw=look | {"lw": 4, "label": name},
        )  # fmt: skip
    ax.set_ylabel("registered riders")
    plt.show()


def riders_at_three_hours(forest, hours):
    """The partial dependence at three hours of working and of free days."""
    table = {}
    for working, name in ((1, "working days"), (0, "free days")):
        part = hours[hours["workingday"] == working]
        found = partial_dependence(forest, part, ["hr"], kind="average")
        table[name] = pd.Series(found["average"][0], found["grid_values"][0].astype(int))
    return pd.DataFrame(table).loc[[8, 13, 17]].round().astype(int).rename_axis("hour")


def product_effects(rows, edges, ale):
    """Draw ICE lines, partial dependence and ALE of the product of two columns that go together."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.8))
    for x in rows[:25]:
        ax.plot(edges, edges * x[1], color=GRAY, lw=0.7, ls="-", alpha=0.6)
    flat = edges * rows[:, 1].mean()
    ax.plot(edges, flat, color=COLORS[1], lw=3, ls="--", label="partial dependence")
    ax.plot(edges, ale, color=COLORS[0], lw=3, ls="-", label="ALE")
    ax.plot(edges[::2], edges[::2] ** 2 / 2 - 1 / 6, "o", color=ACCENT, label="known")
    ax.set(xlabel="$x_1$", ylabel="effect", ylim=(-1, 1))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, columnspacing=1)
    plt.show()


# When it breaks

FOUR = ["real", "coin", "die", "number"]


def many_values(sets):
    """Draw what the forest thinks of a column that matters and of three that are luck."""
    luck = over_sets(sets, "luck")
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 5))
    titles = {"impurity": "share of the decrease in impurity", "new": "accuracy lost on new rows"}
    for ax, (kind, words) in zip(axes, titles.items(), strict=True):
        part = luck.loc[[f"{kind}, {name}" for name in FOUR]].set_axis(FOUR)
        draw_importances(part.mean(axis=1), part.std(axis=1), sort=False, xlabel=words, ax=ax)
    plt.show()


def many_values_table(sets):
    """Mean accuracy lost by shuffling each of the four columns, on three kinds of rows."""
    means = over_sets(sets, "luck").mean(axis=1)
    kinds = {"training": "training rows", "out of bag": "out of bag", "new": "new rows"}
    lost = {words: [means[f"{kind}, {name}"] for name in FOUR] for kind, words in kinds.items()}
    return pd.DataFrame(lost, index=FOUR).round(3)


def copies_table(sets):
    """Mean importances of a column with none, one and three copies."""
    means = over_sets(sets, "copies").mean(axis=1)
    kinds = {
        "impurity a": "impurity of a",
        "impurity b": "impurity of b",
        "shuffled a": "a shuffled",
        "shuffled family": "a and copies shuffled",
        "dropped a": "a dropped",
    }
    table = {k: [means[f"{kind}, {k}"] for kind in kinds] for k in (0, 1, 3)}
    return pd.DataFrame(table, index=kinds.values()).round(2).rename_axis("copies", axis=1)


def conditional_table(sets):
    """Mean rises of the error by shuffling among all rows, and among rows that are alike."""
    means = over_sets(sets, "conditional").mean(axis=1)
    table = {
        (kind, f"{r:g}"): {name: means[f"{kind}, {name}, {r:g}"] for name in TRIO}
        for kind in ("plain", "conditional")
        for r in (0.9, 1)
    }
    return pd.DataFrame(table).round(2).rename_axis(["", "correlation"], axis=1)


# Which importance

STEPS = [  # question, answer to the right, answer down, measure, its section, what it does not say
    ("One prediction, or\nthe whole model?", "one", "the model",
     "Shapley values", "Whose merit is it?", "whether it is right"),
    ("Direction, or size?", "direction", "size",
     "ICE; if correlated, ALE", "In which direction?", "what it costs to err"),
    ("This model, or\na fit without it?", "a new fit", "this one",
     "Drop-column (or group)", "What cannot be replaced", "what has a copy"),
    ("Only a first look?", "yes", "no",
     "Decrease in impurity", "What the splits took", "merit from luck"),
    ("Do other columns\nresemble this one?", "no", "yes",
     "Permutation", "A forest loses a column", "what a new fit loses"),
    ("Together, or\nbeyond the others?", "together", "beyond",
     "Shuffle the group", "Two thermometers", "which of them it is"),
    (None, "", "", "Shuffle among alike rows", "Shuffled among its like", "what has a copy"),
]  # fmt: skip


def which_importance():
    """Draw the questions that lead to a measure of importance."""
    _, ax = plt.subplots(figsize=(WIDTH, 8.4))
    ax.set(xlim=(0, 5.6), ylim=(8.4, 0))
    ax.axis("off")
    for k, (question, right, down, *measure) in enumerate(STEPS):
        top = 0.1 + 1.2 * k
        _measure_box(ax, top, *measure)
        if question is None:
            ax.plot([0.95, 0.95], [top - 0.34, top + 0.43], color=INK, lw=1.3, ls="-")
            _arrow(ax, (0.95, top + 0.43), (2.86, top + 0.43))
            continue
        _box(ax, 0.03, top, 1.95, COLORS[1])
        ax.text(1.015, top + 0.43, question, ha="center", va="center", fontsize=11.5)
        _arrow(ax, (1.98, top + 0.43), (2.86, top + 0.43))
        ax.text(2.41, top + 0.36, right, ha="center", va="bottom", fontsize=11.5)
        if STEPS[k + 1][0] is not None:
            _arrow(ax, (0.95, top + 0.86), (0.95, top + 1.2))
        ax.text(1.05, top + 1.03, down, va="center", fontsize=11.5)
    plt.show()


def _measure_box(ax, top, measure, section, blind):
    """A box with a measure, its section, and what it does not say."""
    _box(ax, 2.86, top, 2.71, COLORS[0])
    for line, words in enumerate((measure, section, f"not: {blind}")):
        weight, slant = "bold" if line == 0 else "normal", "italic" if line == 1 else "normal"
        place = top + 0.17 + 0.26 * line
        ax.text(2.95, place, words, va="center", fontsize=11.5, weight=weight, style=slant)


def _box(ax, x, y, width, color):
    """A round box in a pale color."""
    ax.add_patch(
        FancyBboxPatch((x, y), width, 0.86, boxstyle="round,pad=0,rounding_size=0.1",
                       fc=pale(color), ec=color, lw=1.2)
    )  # fmt: skip


def _arrow(ax, start, end):
    """An arrow from one point to another."""
    look = {"arrowstyle": "-|>", "color": INK, "lw": 1.3, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)


# Under the hood


def coin_and_die_table():
    """Mean bits that a coin which matters and a die which does not seem to tell in 50 samples."""
    rows = {}
    for n in (30, 300, 3000):
        told = pd.DataFrame([_coin_and_die(n, seed) for seed in range(50)])
        rows[n] = [*told.mean().round(4), (told["die"] > told["real"]).sum()]
    return pd.DataFrame(rows, index=["real", "die", "die ahead"]).T.rename_axis("rows")


def _coin_and_die(n, seed):
    """Bits of a coin that the class follows in 65 of 100 rows, and of a die."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"real": rng.integers(2, size=n), "die": rng.integers(6, size=n)})
    y = (rng.random(n) < np.where(X["real"] == 1, 0.65, 0.35)).astype(int)
    return mutual_information_decomposition(X, y).sum(axis=1)


def bits_of_bars(parts):
    """Draw what each bar of a clock tells about the digit, by how many others are known."""
    _, ax = plt.subplots(figsize=(WIDTH, 4.2))
    start = np.zeros(len(parts))
    for k in range(7):
        look = {"color": plt.get_cmap("cividis")(k / 6), "edgecolor": INK, "lw": 0.5}
        ax.barh(parts.index, parts[k], left=start, label=str(k), **look)
        start += parts[k].to_numpy()
    ax.invert_yaxis()
    ax.set_xlabel("bits")
    ax.legend(title="others known", ncol=7, loc="lower center", bbox_to_anchor=(0.4, 1.0),
              columnspacing=0.8, handlelength=1.2)  # fmt: skip
    plt.show()


def p_values_table():
    """P-values of a weak column alone and beside a strong one, by shuffles of the target."""
    p_values = {0: [], 5: []}
    for strong in p_values:
        for seed in range(4):
            true = _weak_importance(strong, seed)
            shuffled = [_weak_importance(strong, seed, 100 + luck) for luck in range(19)]
            p_values[strong].append((1 + np.sum(shuffled >= true)) / 20)
    return pd.DataFrame(p_values).T.rename_axis("weight beside it")


def _weak_importance(strong, seed, luck=None):
    """Importance of the second of three columns, whose weights are `strong`, 0.7 and 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(100, 3))
    y = strong * X[:, 0] + 0.7 * X[:, 1] + rng.normal(size=100)
    if luck is not None:  # shuffle the target: now nothing matters
        y = np.random.default_rng(luck).permutation(y)
    forest = RandomForestRegressor(10, max_features=2, random_state=0).fit(X, y)
    return oob_permutation_importance(forest, X, y, random_state=0).importances_mean[1]


def ranks_by_seed(runs, names):
    """Draw the ranks of the columns in eight single trees and in eight forests of 50 trees."""
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 9))
    for ax, B in zip(axes, (1, 50), strict=True):
        draw_ranks(pd.DataFrame(runs[B], columns=names), ax=ax)
        ax.set_xlabel("rank in one tree" if B == 1 else "rank in a forest of 50 trees")
    plt.show()


def ranks_table(sets):
    """Ranks of some columns of the bicycles on ten splits, by two measures, for three targets."""
    ranked = [("casual", "atemp"), ("casual", "workingday"),
              ("registered", "atemp"), ("registered", "yr"), ("registered", "workingday"),
              ("cnt", "yr"), ("cnt", "workingday")]  # fmt: skip
    ten = over_sets(sets, "bicycles")
    measures = ("impurity", "shuffled")
    rows = [f"{who}, {how}, rank of {name}" for how in measures for who, name in ranked]
    return ten.loc[rows].astype(int)
