"""Figures of AdaBoost: the weights of ten days, margins, and probabilities that can be believed."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treelab import AdaBoostClassifier, DecisionTreeClassifier, cart
from treelab.datasets import load_bike_demand, make_xor
from treelab.drawing.style import COLORS, GRAY, INK, class_look
from treelab.fast.boosting import boosting_table, estimator_weight, reweight
from treelab.figures.errors import draw_errors
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "binned_forecasts",
    "boosted_xor",
    "brier_scores",
    "brier_table",
    "echoes_table",
    "errors_by_noise",
    "errors_by_round",
    "errors_of_days",
    "forecast_scores",
    "forecast_table",
    "margin_curves",
    "reliability_diagrams",
    "splits_ahead",
    "splits_by_loss",
    "stump_explorable",
    "weights_stepper",
]

CALIBRATIONS = {
    "share": "predict_proba",
    "logistic": "logistic of 2F",
    "sigmoid": "Platt",
    "isotonic": "isotonic",
}


def stump_explorable():
    """Let the reader choose stumps for ten days and see how the weights of the days change."""
    days = load_bike_demand("level").set_axis(range(1, 11)).set_axis(["temp", "demand"], axis=1)
    high = np.where(days["demand"] == "High", 1, -1)
    equal, poor = np.full(10, 0.1), (days["temp"] > 20.5).to_numpy() != (high > 0)
    joined = reweight(equal, ~poor, estimator_weight(equal[poor].sum()))
    short = AdaBoostClassifier(n_estimators=3).fit(days[["temp"]], days["demand"])
    first_three = pd.DataFrame(
        {
            "weighted error": short.estimator_errors_,
            "confidence": short.estimator_weights_ / 2,
            "days wrong by the vote": [
                (p != days["demand"]).sum() for p in short.staged_predict(days[["temp"]])
            ],
        },
        index=pd.RangeIndex(1, 4, name="stump"),
    )
    data = {
        "x": days["temp"], "y": high,
        "cuts": [2, *cart.candidate_splits(days["temp"].tolist()), 37],
        "rest": {"cut": 20.5, "flip": 1, "stumps": [], "own": None, "guess": None},
        **_words_of_the_stumps(),
    }  # fmt: skip
    return explorable(
        "stump", data, title="Ten days, and stumps of your own", name="adaboost-stump",
        frames=[
            (_weights(days, equal, 20.5, poor),
             "A poor stump: high above 20.5 °C, low below. Four days are wrong, which weigh 0.4.",
             "Ten bars of height 0.1; days 4, 5, 9 and 10 are wrong."),
            (_weights(days, joined, 20.5, poor),
             "It has joined. The four wrong days weigh 0.125 each, half of all together.",
             "Ten bars; the four wrong days have 0.125, the others 0.083."),
            (first_three.round(4),
             "The three best stumps, one after the other: the vote has every day right.",
             "Table: weighted errors 0.2, 0.1875, 0.1923; the vote gets 2, 3, 0 days wrong."),
        ],
    )  # fmt: skip


def _words_of_the_stumps():
    """The question, the answers, and the words of each state."""
    return {
        "question": "Once a stump has joined, its wrong days weigh more. Its weighted error then?",
        "answers": ["0.3", "0.4", "0.5", "0.8"],
        "alt": ["Ten days as dots, as large as they weigh; what the stump says is shaded.",
                "The vote of the stumps that have joined, over the temperature."],
        "xlabel": "temperature in °C", "ylabels": ["demand", "vote: high above 0"],
        "labels": {"error": "weighted error", "alpha": "confidence",
                   "wrong": "if it joins, wrong days", "right": "if it joins, right days",
                   "heavy": "heaviest day"},
        "says": [
            "Wrong days of this stump: {off} of 10, which weigh {weight}{judged}" + own + vote
            for vote in ("", " Days that the vote of {n} gets wrong: {lost}.")
            for own in ("", " No stump has less error; the one before had {own}.")
        ],
        "verdicts": [
            f"{reply}: its wrong days grow until they weigh half of all, its right days shrink to "
            "half."
            for reply in ("No, 0.5", "No, 0.5", "Yes", "No, 0.5")
        ],
        "judged": {
            "ask": ". Answer the question first, then let it join.",
            "joins": ". It may join.",
            "coin": ": a coin does as well, so it may not join; find another.",
            "again": ": a coin does as well, so it may not join. So it is with each stump that has "
                     "just joined; find another.",
            "worse": ": worse than a coin. Flipped it is better than one.",
            "none": ": its confidence would have no end, so it votes as if its error were "
                    "10⁻¹⁰, and boosting ends with it.",
        },
    }  # fmt: skip


def _weights(days, weight, threshold=None, wrong=()):
    """Draw the weights of the days as bars, a threshold, and a cross over each wrong day."""
    fig, ax = plt.subplots(figsize=(5.4, 3))
    for k, level in enumerate(("Low", "High")):
        color, hatch, _ = class_look(k)
        own = (days["demand"] == level).to_numpy()
        bars = {"color": color, "hatch": hatch, "edgecolor": "white", "label": level}
        ax.bar(days["temp"][own], weight[own], 0.9, **bars)
    if any(wrong):
        ax.plot(days["temp"][wrong], weight[wrong] + 0.015, "x", color=INK, mew=2.5, label="wrong")
    if threshold is not None:
        ax.axvline(threshold, color=INK, ls="--", lw=1.5)
    ax.set(xlabel="temperature in °C", ylabel="weight", ylim=(0, 0.3), xlim=(2, 37))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3)
    return fig


def weights_stepper(model, days):
    """Show the weights of the days before each round of a fitted model, and after the last."""
    table = boosting_table(model, days[["temp"]], days["demand"])
    frames = []
    for (b, step), tree in zip(table.groupby("round"), model.estimators_, strict=True):
        weight, wrong = step["weight"].to_numpy(), ~step["correct"].to_numpy()
        threshold, sides = tree.tree_.threshold[0], step["prediction"].to_numpy()
        confidence = step["confidence"].iloc[0]
        words = (
            f"Round {b}: {sides[0]} up to {threshold}, {sides[-1]} above. Wrong: days "
            f"{', '.join(str(case) for case in step['case'][wrong])}. "
            f"Error {step['error'].iloc[0]:.4f}, confidence {confidence:.4f}."
        )
        alt = f"Ten bars, of heights {_heights(weight)}. {words}"
        frames.append((_weights(days, weight, threshold, wrong), words, alt))
    after = reweight(weight, ~wrong, 2 * confidence)
    words = "After round 3: all days weigh nearly the same again, and the vote has no day wrong."
    frames.append(
        (_weights(days, after), words, f"Ten bars, of heights {_heights(after)}. {words}")
    )
    return stepper(frames, "The weights of ten days", "adaboost-weights")


def _heights(weight):
    return ", ".join(f"{w:.3f}" for w in weight)


def errors_by_round(curve):
    """Draw the training and the test error over the rounds."""
    draw_errors(curve.index, curve, xlabel="rounds", log=True)
    plt.show()


def errors_by_noise(noise):
    """Draw the errors of AdaBoost and of the forest over the proportion of flipped labels."""
    draw_errors(noise.index, noise[["AdaBoost", "forest"]], xlabel="share of flipped labels")
    plt.show()


def margin_curves(margin):
    """Draw the distribution of the margins after 5, 20 and 200 rounds."""
    _, ax = plt.subplots()
    for m, dash in ((5, ":"), (20, "--"), (200, "-")):
        ordered = np.sort(margin[m])
        n = len(ordered)
        ax.step(ordered, np.arange(1, n + 1) / n, where="post", ls=dash, label=f"{m} rounds")
    ax.axvline(0, color=GRAY, lw=1)
    ax.set(xlabel="margin", ylabel="share of the echoes")
    ax.legend(loc="lower right")
    plt.show()


def _forecasts():
    return pd.read_csv("replications/calibrated_votes.csv")


def binned_forecasts():
    """Mean forecast and proportion that came true in each bin with 200 rows or more."""
    found = _forecasts().query("rows in (0, 2000)").copy()
    found[["forecast", "share"]] = found[["forecast", "share"]].mul(found["n"], axis=0)
    found = found.groupby(["data", "method", "bin"])[["forecast", "share", "n"]].sum()
    found = found[found["n"] >= 200]
    return found[["forecast", "share"]].div(found["n"], axis=0)


def reliability_diagrams():
    """Draw a reliability diagram of each calibration, for the wines and for the spheres."""
    binned = binned_forecasts()
    looks = [
        (GRAY, ":", "v"),
        (COLORS[1], "--", "s"),
        (COLORS[0], "-", "o"),
        (COLORS[2], "-.", "^"),
    ]
    _, axes = plt.subplots(2, 1, sharex=True, figsize=(5.4, 7.2))
    for ax, data in zip(axes, ("wine", "spheres"), strict=True):
        ax.plot([0, 1], [0, 1], color=INK, lw=0.8)
        for (method, label), (color, dash, mark) in zip(CALIBRATIONS.items(), looks, strict=True):
            seen = binned.loc[data, method]
            ax.plot(seen["forecast"], seen["share"], color=color, ls=dash, marker=mark, label=label)
        ax.set(ylabel=f"came true, {data}", xlim=(0, 1), ylim=(0, 1))
    axes[1].set_xlabel("forecast")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    plt.show()


def forecast_scores(forecasts):
    """Brier score and log loss of each split, by calibration and number of rows set aside."""
    sums = forecasts.copy()
    sums[["Brier", "log loss"]] = sums[["Brier", "log loss"]].mul(sums["n"], axis=0)
    sums = sums.groupby(["data", "method", "rows", "split"])[["Brier", "log loss", "n"]].sum()
    return sums[["Brier", "log loss"]].div(sums["n"], axis=0)


def forecast_table(forecasts):
    """Mean Brier scores and log losses, by calibration and number of rows set aside."""
    means = forecast_scores(forecasts).groupby(level=[0, 1, 2]).mean()
    return means.unstack("data").rename(index=CALIBRATIONS).round(3)


def brier_scores():
    """Brier score of each split, by calibration and number of rows that were set aside."""
    return forecast_scores(_forecasts())["Brier"].unstack(["method", "rows"])


def brier_table():
    """Mean Brier scores of the calibrations, for the wines and for the spheres."""
    ordered = [("share", 0), ("logistic", 0)]
    ordered += [(method, n) for method in ("sigmoid", "isotonic") for n in (50, 2000)]
    means = brier_scores().groupby("data").mean().T.loc[ordered, ["wine", "spheres"]]
    return means.rename(index=CALIBRATIONS).rename_axis(["forecast", "rows aside"]).round(3)


def echoes_table():
    """Print in how many splits a method has the lower error, and return the mean errors."""
    echoes = pd.read_csv("replications/boosted_sonar.csv", index_col="split")
    print("50 rounds ahead of 20:", (echoes["50 rounds"] < echoes["20 rounds"]).sum())
    ahead = [np.sign(echoes["forest"] - echoes["100 rounds"]).eq(s).sum() for s in (1, -1, 0)]
    print("100 rounds ahead of the forest, behind, equal:", *ahead)
    compared = ["stump", *(f"{m} rounds" for m in (20, 50, 100, 200)), "forest"]
    return echoes[compared].agg(["mean", "std"]).T.round(3)


def splits_by_loss(steps):
    """Print in how many splits the log loss, smaller steps and fewer rounds have less error."""
    by_split = steps.pivot(index=["data", "split"], columns=["loss", "rate"])
    error, full = by_split["error, 100"], ("exponential", 1)
    print("log loss ahead, behind:", splits_ahead(error["log", 1], error[full]))
    print("tenth of a step:", splits_ahead(error["exponential", 0.1], error[full]))
    print("10 rounds, not 100:", splits_ahead(by_split["error, 10"][full], error[full]))
    held = steps.query("data == 'tumors' and step == 'full'").groupby("loss")["weight, 5"].mean()
    print("weight of the flipped tumors after 5 rounds:", held.round(2).to_dict())


def splits_ahead(first, second):
    """Count the splits of each data set in which the first error is lower, and higher."""
    below, above = ((s * (first - second) < 0).groupby("data").sum() for s in (1, -1))
    return {name: (int(below[name]), int(above[name])) for name in below.index[::-1]}


def boosted_xor():
    """Test errors of the first tree and of the vote on twenty sets of XOR, with depths 1 and 2."""
    return pd.DataFrame([_boosted_xor(k, depth) for depth in (1, 2) for k in range(20)])


def _boosted_xor(k, depth):
    X, y = make_xor(200, random_state=2 * k)
    Z, z = make_xor(1000, random_state=2 * k + 1)
    tree = DecisionTreeClassifier(max_depth=depth)
    model = AdaBoostClassifier(tree, n_estimators=50).fit(X, y)
    test = 1 - np.array(list(model.staged_score(Z, z)))
    return {"depth": depth, "first tree": test[0], "vote": test[-1]}


def errors_of_days(splits):
    """Print in how many splits the weighted median of AdaBoost.R2 wins, and return mean errors."""
    measures = {"mean absolute": "absolute", "root mean square": "square"}
    errors = {
        name: splits.pivot(index="split", columns="answer", values=column)
        for name, column in measures.items()
    }
    for other in ("one tree", "bagged", "R2, mean"):
        wins = [int((each["R2, median"] < each[other]).sum()) for each in errors.values()]
        print("R2, median, is ahead of", other, wins)
    for member in ("best member", "worst member"):
        print(f"{member}: root mean square {errors['root mean square'][member].mean():.0f}")
    answers = ["mean of y", "one tree", "bagged", "R2, mean", "R2, median"]
    return pd.DataFrame({
        (name, what): each[answers].agg(what).round()
        for name, each in errors.items() for what in ("mean", "std")
    })  # fmt: skip
