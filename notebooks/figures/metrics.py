"""Figures of the chapter on measuring a model."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from treelab import comparisons, metrics
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES, class_look, pale
from treelab.figures.explorable import explorable
from treelab.figures.pruning import differences
from treelab.figures.stepper import stepper

__all__ = [
    "critical_difference",
    "imbalance_table",
    "changes",
    "nested_folds",
    "nine_days",
    "false_alarms",
    "pruned_patients",
    "roc_and_precision_recall",
    "roc_by_sorting",
    "threshold_explorable",
    "threshold_table",
    "trees_at_a_threshold",
]

# The nine days of the chapter: 1 is a busy day, and the score is the forecast probability.
BUSY = [1, 1, 0, 1, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4, 0.2, 0.1]
NAMES = ["quiet", "busy"]


# Nine days


def nine_days():
    """Draw the nine days by their forecast, with the threshold at one half."""
    _, ax = plt.subplots(figsize=(5.4, 2.2))
    ax.axvspan(0.5 - 0.02, 1, color=pale(class_look(1)[0], 0.2))
    ax.axvline(0.5 - 0.02, color=INK, ls="--")
    _draw_days(ax)
    ax.text(0.74, 0.75, "predicted busy", ha="center")
    ax.text(0.24, 0.75, "predicted quiet", ha="center")
    ax.set(xlabel="forecast probability of a busy day", ylim=(-0.6, 1.1))
    plt.show()


def _draw_days(ax):
    """Draw the marks of the days along their scores."""
    seen = set()
    for busy, score in zip(BUSY, SCORES, strict=True):
        color, _, marker = class_look(busy)
        height = 0.3 * (score in seen)  # two days share a score
        seen.add(score)
        ax.plot(score, height, marker, color=color, mec=INK, ms=13)
    ax.set(xlim=(0, 1), yticks=[])
    ax.set_xticks(np.arange(0, 1.1, 0.1).round(1))
    ax.spines["left"].set_visible(False)


def threshold_table(y, scores):
    """A row for each threshold, from the highest: its confusion matrix, and the pairs won there.

    >>> table = threshold_table([1, 0, 1], [0.9, 0.5, 0.5])
    >>> table[["FP", "TP", "pairs"]].values.tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 2.0, 0.5]]
    """
    rows, before = [], (0, 0)
    for threshold in [np.inf, *sorted(set(scores), reverse=True)]:
        predicted = [int(score >= threshold) for score in scores]
        (TN, FP), (FN, TP) = metrics.confusion_matrix(y, predicted)
        pairs = (TP - before[1]) * (TN + (FP - before[0]) / 2)
        before = FP, TP
        rows.append([threshold, TP, FP, FN, TN, pairs])
    return pd.DataFrame(rows, columns=["threshold", "TP", "FP", "FN", "TN", "pairs"])


def roc_by_sorting():
    """Go down the sorted days and draw the ROC curve, one step for each threshold."""
    table = threshold_table(BUSY, SCORES)
    frames = [_roc_frame(table, k) for k in range(1, len(table))]
    return stepper(frames, "The ROC curve of nine days", "metrics-roc")


def _roc_frame(table, k):
    """The curve down to threshold k, its caption and its alt text."""
    row, before = table.iloc[k], table.iloc[k - 1]
    busy, quiet = (int(row[name] - before[name]) for name in ("TP", "FP"))
    moves = {
        (1, 0): "a busy day moves the curve one step up.",
        (0, 1): "a quiet day moves the curve one step to the right.",
        (1, 1): "a busy and a quiet day share this score, so the step is diagonal.",
    }
    won = f" It has a higher score than {row['pairs']:g} of 5 quiet days." if busy else ""
    if busy and quiet:
        won = f" The busy day wins {row['pairs']:g} of 5 pairs, because a tie counts as one half."
    words = (
        f"At the threshold {row['threshold']:g}, {moves[busy, quiet]}{won} "
        f"So far, {row['TP']:.0f} of 4 busy days and {row['FP']:.0f} of 5 quiet days reach the "
        f"threshold, and {table['pairs'][: k + 1].sum():g} pairs are won."
    )
    figure, (line, ax) = plt.subplots(2, 1, figsize=(5.4, 5.6), height_ratios=[1, 3.4])
    line.axvspan(row["threshold"] - 0.02, 1, color=pale(class_look(1)[0], 0.2))
    line.axvline(row["threshold"] - 0.02, color=INK, ls="--")
    _draw_days(line)
    line.set(xlabel="score", ylim=(-0.5, 0.8))
    _draw_pairs(ax, table, k)
    _draw_roc(ax, table[: k + 1])
    return figure, words, words


def _draw_pairs(ax, table, k):
    """Shade the area to the right of the curve, down to threshold k: the pairs that are won."""
    for i in range(1, k + 1):
        low, high = table["TP"][i - 1] / 4, table["TP"][i] / 4
        left, right = table["FP"][i - 1] / 5, table["FP"][i] / 5
        corners = [(left, low), (right, high), (1, high), (1, low)]
        ax.fill(*zip(*corners, strict=True), color=pale(COLORS[0], 0.25), ec=GRAY, lw=0.5)


def _draw_roc(ax, table):
    """The points of the table as a ROC curve in a grid of pairs."""
    ax.plot(table["FP"] / 5, table["TP"] / 4, "o-", color=COLORS[0], lw=2.5, ms=6)
    last = table.iloc[-1]
    ax.plot(last["FP"] / 5, last["TP"] / 4, "D", color=ACCENT, ms=10, mec=INK)
    ax.plot([0, 1], [0, 1], ":", color=GRAY, lw=1.5)
    ax.set(
        xlim=(-0.02, 1.02),
        ylim=(-0.02, 1.04),
        xlabel="false positive rate",
        ylabel="true positive rate",
    )
    ax.set_xticks(np.arange(6) / 5)
    ax.set_yticks(np.arange(5) / 4)
    ax.grid(lw=0.8)


# The threshold, moved by the reader


def threshold_explorable():
    """Let the reader move the threshold and see the matrix, the ROC point and the cost."""
    steps = [_step(k) for k in range(1, 11)]
    cheapest, best = _cheapest()
    data = {
        "days": [[score, busy] for score, busy in zip(SCORES, BUSY, strict=True)],
        "curve": [[fp / 5, tp / 4] for fp, tp in _corners()],
        "steps": steps,
        "best": best,
        "rest": {"at": 5, "ratio": 4},
        "classes": NAMES,
        "heads": "predicted",
        "cheapest": cheapest,
        "question": "A missed busy day costs 4 coins, and a helper called in vain costs 1. Which "
        "threshold is the cheapest for the nine days?",
        "answers": ["0.8", "0.5", "0.4"],
        "verdicts": [
            "No. At 0.8 no helper is called in vain, but two busy days are missed, which costs "
            "2 × 4 = 8 coins.",
            "No. At 0.5 one busy day is missed and two helpers are called in vain, which costs "
            "4 + 2 = 6 coins.",
            "Yes. At 0.4 three helpers are called in vain, which costs 3 coins, and no busy day is "
            "missed.",
        ],
        "says": [
            "At the threshold {t} the forecast is “busy” on {n} of nine days. It finds {tp} of the "
            "4 busy days, with {fp} false alarms. An answer, or Skip, opens the costs.",
            "At the threshold {t} the forecast misses {fn} of 4 busy days, at {ratio} each, and "
            "raises {fp} false alarms, at 1 each. This costs {cost} coins. The lowest cost is "
            "{best}.",
        ],
        "labels": ["Threshold", "Cost of a missed busy day", "score", "costs"],
        "axes": ["false positive rate", "true positive rate"],
        "values": {
            "precision": "precision",
            "recall": "recall (TPR)",
            "fpr": "false positive rate",
            "cost": "cost of nine days",
        },
        "alt": [
            "The ROC curve of the nine days, and the point of the threshold.",
            "The confusion matrix at the threshold.",
            "The nine days by their score, the threshold, and the cost of each threshold.",
        ],
    }
    frames = [_matrix_frame(k, words) for k, words in STILL.items()]
    return explorable(
        "threshold", data, frames, title="Where to put the threshold", name="metrics-threshold"
    )


STILL = {
    8: "The threshold 0.8 raises no false alarm and misses two busy days at 4 coins each, "
    "which costs 8 coins.",
    5: "The threshold 0.5 misses one busy day and raises two false alarms, which costs 6 coins.",
    4: "The threshold 0.4 misses no busy day and raises three false alarms. Its cost of 3 coins is "
    "the lowest.",
}


def _counts(k):
    """The confusion matrix at the threshold k / 10."""
    predicted = [int(10 * score > k - 0.5) for score in SCORES]
    return metrics.confusion_matrix(BUSY, predicted), predicted


def _step(k):
    """What the interactive figure shows at the threshold k / 10."""
    ((TN, FP), (FN, TP)), predicted = _counts(k)
    return {
        "n": TP + FP,
        "matrix": [[TN, FP], [FN, TP]],
        "precision": metrics.precision(BUSY, predicted) if TP + FP else None,
        "recall": metrics.recall(BUSY, predicted),
        "fpr": FP / (FP + TN),
        "cost": [ratio * FN + FP for ratio in range(1, 10)],
    }


def _cheapest():
    """The highest of the cheapest thresholds for each ratio, in tenths; and all, in words."""
    highest, words = [], []
    for ratio in range(1, 10):
        costs = {k: _step(k)["cost"][ratio - 1] for k in range(1, 11)}
        least = min(costs.values())
        found = [k for k in costs if costs[k] == least]
        names = " or ".join(f"{k / 10:g}" for k in found)
        highest.append(found[-1])
        words.append(f"{least}, at {names}")
    return highest, words


def _corners():
    """The points of the ROC curve, as counts."""
    table = threshold_table(BUSY, SCORES)
    return list(zip(table["FP"], table["TP"], strict=True))


def _matrix_frame(k, words):
    """The ROC curve with its point, and the confusion matrix, at the threshold k / 10."""
    (TN, FP), (FN, TP) = _counts(k)[0]
    figure, (left, right) = plt.subplots(1, 2, figsize=(5.4, 3), width_ratios=[1.15, 1])
    table = threshold_table(BUSY, SCORES)
    left.plot(table["FP"] / 5, table["TP"] / 4, "-", color=COLORS[0])
    left.plot(FP / 5, TP / 4, "D", color=ACCENT, ms=10, mec=INK)
    left.set(xlabel="false positive rate", ylabel="true positive rate")
    for row, numbers in enumerate([[TN, FP], [FN, TP]]):
        for column, number in enumerate(numbers):
            fill = pale(COLORS[0], 0.25) if row == column else "none"
            right.add_patch(Rectangle((column, 1 - row), 1, 1, fc=fill, ec=GRAY))
            right.text(column + 0.5, 1.5 - row, number, ha="center", va="center", fontsize=16)
    right.set(xlim=(0, 2), ylim=(0, 2), xlabel="predicted", title=f"threshold {k / 10:g}")
    right.set_xticks([0.5, 1.5], NAMES)
    right.set_yticks([1.5, 0.5], NAMES)
    alt = (
        f"The point lies at {FP / 5:g}, {TP / 4:g}. The matrix contains {TN} TN, {FP} FP, {FN} FN "
        f"and {TP} TP."
    )
    return figure, words, alt


# Patients


def roc_and_precision_recall(y, scores):
    """Draw the ROC curves and the precision-recall curves of several lists of scores."""
    _, (left, right) = plt.subplots(2, 1, figsize=(5.4, 7.2))
    for i, (name, p) in enumerate(scores.items()):
        look = {"color": COLORS[i], "ls": LINES[i], "label": name}
        fpr, tpr, _ = metrics.roc_curve(y, p)
        left.plot(fpr, tpr, **look)
        precisions, recalls, _ = metrics.precision_recall_curve(y, p)
        right.plot(recalls, precisions, **look | {"drawstyle": "steps-post"})
        predicted = [int(q >= 0.5) for q in p]
        (TN, FP), (FN, TP) = metrics.confusion_matrix(y, predicted)
        for ax, point in ((left, (FP / (FP + TN), TP / (FN + TP))),
                          (right, (TP / (FN + TP), TP / (TP + FP)))):  # fmt: skip
            ax.plot(*point, "Do"[i], color=COLORS[i], mec=INK, ms=9)
    left.plot([0, 1], [0, 1], ":", color=GRAY, lw=1.5, label="guessing")
    right.axhline(np.mean(y), ls=":", color=GRAY, lw=1.5)
    left.set(xlabel="false positive rate", ylabel="true positive rate (recall)")
    right.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(0, 1.04))
    left.legend(loc="lower right")
    plt.show()


def trees_at_a_threshold(y, scores, cost=20):
    """All measures of several lists of probabilities, a row each, rounded for the page.

    The classes are predicted at the threshold 0.5. The last column is the total cost at the
    threshold that two costs ask for, `cost` (20) of a missed row and 1 of a false alarm.
    """
    rows = {}
    for name, p in scores.items():
        predicted = [int(q >= 0.5) for q in p]
        cheap = [int(q >= 1 / (1 + cost)) for q in p]
        (_, FP), (FN, _) = metrics.confusion_matrix(y, cheap)
        rows[name] = {
            "accuracy": metrics.accuracy(y, predicted),
            "precision": metrics.precision(y, predicted),
            "recall": metrics.recall(y, predicted),
            "AUC": metrics.roc_auc(y, p),
            "log loss": metrics.log_loss(y, p),
            "cost": cost * FN + FP,
        }
    return pd.DataFrame(rows).T.round(3).astype({"cost": int})


# Rare classes


WAYS = {
    ("as it is", "0.5"): "threshold 0.5",
    ("as it is", "proportion"): "threshold moved",
    ("weights", "0.5"): "class weights",
    ("undersampling", "0.5"): "undersampling",
    ("oversampling", "0.5"): "oversampling",
    ("SMOTE", "0.5"): "SMOTE",
}
BASE = "threshold moved"  # with which the other ways are compared


def imbalance_table(results, data):
    """What six ways do to the measures of a data set: the base, and differences with intervals."""
    rows = named_ways(results[results["set"] == data])
    table = rows.groupby("name")[["precision", "recall"]].mean().round(2)
    for measure, name in MEASURES.items():
        mean = 100 * rows[rows["name"] == BASE][measure].mean()
        change, half = changes(rows, measure)
        words = [f"{change[way]:+.1f} ± {half[way]:.1f}" for way in change.index]
        table[name] = pd.Series(words, change.index)
        table.loc[BASE, name] = f"{mean:.1f}"
    return table.loc[list(WAYS.values())].rename_axis(None)


MEASURES = {"balanced_error": "balanced error", "auc": "AUC", "brier": "Brier score"}


def named_ways(results):
    """The rows of the six ways of the chapter, with a name for each."""
    keys = zip(results["way"], results["threshold"], strict=True)
    return results.assign(name=[WAYS.get(key) for key in keys]).dropna(subset="name")


def changes(rows, measure):
    """Mean difference of each way from the base over 20 splits, and half its 95 % interval.

    Both are in hundredths. There are half as many test rows as training rows.
    """
    wide = 100 * rows.pivot(index="split", columns="name", values=measure)
    difference = wide.sub(wide[BASE], axis=0).drop(columns=BASE)
    intervals = {
        way: comparisons.corrected_interval(column.tolist(), 2, 1)
        for way, column in difference.items()
    }
    half = pd.Series({way: (high - low) / 2 for way, (low, high) in intervals.items()})
    return difference.mean(), half


# Comparisons


def pruned_patients(compared):
    """Leaves and errors without pruning and with it, on 50 splits of the patients."""
    return (
        differences(compared, "diabetes", "none", 142 / 300).loc[["none", "min", "one_se"]].round(1)
    )


def false_alarms(equals):
    """How often in 100 two rules declare one of two equally good methods better."""
    designs = {"10 folds": (10, 1 / 9), "30 splits": (30, 1 / 2), "30 fresh sets": (30, 0)}
    alarms = {}
    for design, (n_pairs, ratio) in designs.items():
        pairs = equals[equals["way"] == design]
        t = pairs["mean"].abs() / pairs["sd"]
        for rule, square in {"line 2": 1 / n_pairs, "line 3": 1 / n_pairs + ratio}.items():
            alarms[design, rule] = 100 * (t >= 2 * np.sqrt(square)).mean()
    return pd.Series(alarms).unstack(sort=False).rename({"30 fresh sets": "30 new sets"}).round(1)


def critical_difference(errors):
    """Draw the mean rank of each method, and join ranks within the critical difference."""
    ranks = pd.Series(comparisons.mean_ranks(errors.to_numpy().tolist()), errors.columns)
    distance = comparisons.nemenyi_distance(errors.shape[1], len(errors))
    ranks = ranks.rename({"gini": "Gini", "misclassification": "error rate"}).sort_values()
    _, ax = plt.subplots(figsize=(5.4, 2.6))
    for name, rank in ranks.items():
        ax.plot(rank, 0, "o", color=COLORS[0], ms=10, mec=INK)
        ax.annotate(f"{name}\n{rank:.2f}", (rank, 0), (0, 14), textcoords="offset points",
                    ha="center")  # fmt: skip
    joined = [
        (a, max(b for b in ranks if b - a <= distance))
        for a in ranks
        if any(a < b <= a + distance for b in ranks)
    ]
    for i, (a, b) in enumerate(joined):
        ax.plot([a, b], [-0.25 - 0.2 * i] * 2, "-", color=ACCENT, lw=5)
    ax.plot([1, 1 + distance], [1.5, 1.5], "|-", color=INK, ms=10)
    ax.text(1 + distance + 0.05, 1.5, f"critical difference {distance:.2f}", va="center")
    ax.set(xlabel="mean rank (1 is the lowest error)", xlim=(0.9, 3.3), ylim=(-0.8, 1.9), yticks=[])
    ax.set_xticks([1, 1.5, 2, 2.5, 3])
    ax.spines["left"].set_visible(False)
    plt.show()


def nested_folds():
    """Draw the rows of nested cross-validation: folds to evaluate on, and folds to choose by."""
    _, ax = plt.subplots(figsize=(5.4, 4.2))
    looks = {"test": (COLORS[1], "////"), "choose": (COLORS[4], "...."), "train": ("none", "")}
    height = 0
    for outer in range(3):
        _bar(ax, height, 6, {outer * 2: "test", outer * 2 + 1: "test"}, looks)
        ax.text(-0.15, -height, f"outer {outer + 1}", ha="right", va="center")
        height += 1
        if outer == 1:
            left = [cell for cell in range(6) if cell // 2 != outer]
            for inner in range(2):
                chosen = left[inner * 2 : inner * 2 + 2]
                roles = dict.fromkeys(chosen, "choose") | {2: None, 3: None}
                _bar(ax, height, 6, roles, looks)
                ax.text(-0.15, -height, f"inner {inner + 1}", ha="right", va="center", color=GRAY)
                height += 1
    words = {"test": "evaluate", "choose": "choose the setting", "train": "train"}
    for i, (role, (color, hatch)) in enumerate(looks.items()):
        x = (-1.5, 0.6, 4.3)[i]
        ax.add_patch(Rectangle((x, 0.85), 0.4, 0.4, fc=color, hatch=hatch, ec=INK))
        ax.text(x + 0.5, 1.05, words[role], va="center")
    ax.set(xlim=(-1.6, 6.3), ylim=(-height + 0.3, 1.5), xticks=[], yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    plt.show()


def _bar(ax, row, n, roles, looks):
    """A row of n cells, each in the look of its role; None leaves a cell out."""
    for cell in range(n):
        role = roles.get(cell, "train")
        if role is not None:
            color, hatch = looks[role]
            ax.add_patch(Rectangle((cell, -row - 0.35), 0.95, 0.7, fc=color, hatch=hatch, ec=INK))
