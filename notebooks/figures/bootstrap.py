"""Figures of the bootstrap: samples drawn again, replicates, estimates of an error, and series."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treelab.drawing.style import ACCENT, COLORS, GRAY, MARKERS
from treelab.fast.bootstrap import bootstrap
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "draw_means",
    "draws_explorable",
    "estimates_minus_truth",
    "replicated_thresholds",
    "sample_stepper",
    "series",
    "standard_error_of_series",
]

BUSES = np.array([1, 2, 3, 4, 6, 7, 9, 12, 18, 28])  # minutes late
STATISTICS = {"mean": np.mean, "median": np.median, "largest": np.max}
MISSED = 0.9**10  # probability that ten draws from ten miss a given one
CARRIED = 0.8  # of a day that the next day of the series keeps


# Ten buses


def draws_explorable():
    """Let the reader draw ten buses up to a thousand times, and watch the replicates."""
    drawn = bootstrap(lambda rows: rows, np.arange(10), n_resamples=1000, random_state=8).replicates
    replicates = {name: f(BUSES[drawn], axis=1) for name, f in STATISTICS.items()}
    n_missed = np.array([10 - len(set(rows)) for rows in drawn.tolist()])
    data = {
        "rows": BUSES,
        "draws": "".join(map(str, drawn.ravel())),
        "top": 30,
        "rest": {"n": 1, "which": 0},
        "unit": "minutes late (line: the ten buses)",
        "statistics": [
            {"name": name, "of": f(BUSES), "replicates": replicates[name]}
            for name, f in STATISTICS.items()
        ],
        **_words_of_the_buses(),
    }
    frames = [
        _replicates_of_buses(name, replicates[name][:n], n_missed[:n])
        for n, name in ((1, "mean"), (100, "median"), (1000, "largest"))
    ]
    frames.append(_standard_errors(replicates, n_missed))
    return explorable(
        "bootstrap", data, frames, title="Bootstrap samples of ten buses", name="bootstrap-draws"
    )


def _words_of_the_buses():
    """The question, its verdicts, and the words of each state."""
    start = "Sample {n} misses {count} of the ten buses ({missed}). Its {name} is {replicate}. "
    so_far = "So far, a sample misses {average} buses on average, "
    so_far += f"and {10 * MISSED:.2f} ({MISSED:.1%}) are expected. "
    each = f"each bus is missed with probability 0.9¹⁰ = {MISSED:.3f}, "
    each += f"so {10 * MISSED:.2f} of the ten are missed on average."
    return {
        "missed": [
            "buses missed (shown once you have guessed)",
            "buses missed; line: so far, dotted: guess",
        ],
        "says": [start + "{moral}", start + so_far + "{moral}"],
        "verdicts": [f"{reply}: {each}" for reply in ("No", "No", "Yes", "No")],
        "moral": "With more samples the spread becomes steadier, not narrower.",
        "legend": "drawn (dots) or missed (empty), by minutes late",
        "question": "How many of the ten buses does a sample miss, on average?",
        "guesses": ["1", "2.5", "3.5", "5"],
        "values": {
            "replicate": "of this sample",
            "of": "of the ten buses",
            "mean": "mean of the replicates",
            "error": "standard error (their standard deviation)",
            "lost": "missed on average",
        },
        "alt": [
            "Ten buses, with a dot for each time that a bus is drawn and an empty square for a "
            "bus that is missed.",
            "A histogram of the statistic in minutes, with a line at its value for the ten buses.",
            "A histogram of the number of buses that a sample misses.",
        ],
    }


def _replicates_of_buses(name, replicates, n_missed):
    """A frame with the histogram of a statistic and its value for the ten buses."""
    of_all = STATISTICS[name](BUSES)
    figure, ax = plt.subplots()
    ax.hist(replicates, bins=np.arange(0.5, 30), color=COLORS[0], edgecolor="white")
    ax.axvline(of_all, color=ACCENT, ls="--")
    ax.set(xlabel=f"{name}, minutes late", ylabel="samples", xlim=(0, 30))
    n = len(replicates)
    where = f"each of {n} samples" if n > 1 else "1 sample"
    caption = (
        f"The histogram shows the {name} delay in {where}. "
        f"The dashed line marks {of_all:g} minutes, the {name} delay of the ten buses. "
    )
    caption += f"A sample misses {n_missed.mean():.2f} buses on average."
    return figure, caption, caption


def _standard_errors(replicates, n_missed):
    """A frame with the standard error of each statistic after 10, 100 and 1000 samples."""
    errors = {
        n: {name: r[:n].std(ddof=1) for name, r in replicates.items()}
        | {"buses missed": n_missed[:n].mean()}
        for n in (10, 100, 1000)
    }
    table = pd.DataFrame(errors).T.rename_axis("samples").round(2)
    caption = (
        "The table shows the standard error of each statistic. More samples make it steadier, "
    )
    caption += "not smaller. The largest delay has a standard error, too, but it means little."
    listed = ", ".join(f"{r.std(ddof=1):.2f} ({name})" for name, r in replicates.items())
    return table, caption, f"After 1000 samples the standard errors in the table are {listed}."


# A sample


def sample_stepper():
    """Draw a bootstrap sample of ten rows, row by row."""
    draws = np.random.default_rng(4).integers(10, size=10)
    frames = [_drawn_so_far(draws[:k]) for k in range(1, 11)]
    return stepper(frames, "A bootstrap sample is drawn, row by row", "bootstrap-draw")


def _drawn_so_far(draws):
    """A frame with the number of times that each row has been drawn."""
    counts, last = np.bincount(draws, minlength=10), draws[-1]
    drawn, out = np.flatnonzero(counts), np.flatnonzero(counts == 0)
    figure, ax = plt.subplots(figsize=(5.4, 2.8))
    ax.bar(drawn, counts[drawn], color=COLORS[0], label="drawn")
    ax.bar(out, 0.15, color="w", edgecolor=GRAY, hatch="////", label="left out")
    ax.plot(last, counts[last] + 0.2, "v", color=ACCENT, label="this draw")
    ax.set(xlabel="row", ylabel="times drawn", ylim=(0, 4.2), xticks=range(10), yticks=range(5))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=3)
    caption = (
        f"Draw {len(draws)} is row {last}. So far the sample contains {len(drawn)} of 10 rows, "
    )
    caption += f"or {len(drawn) / 10:.0%}. Left out are {', '.join(map(str, out))}."
    alt = f"Bars show that rows 0 to 9 were drawn {', '.join(map(str, counts))} times. {caption}"
    return figure, caption, alt


# Real data


def replicated_thresholds(cuts):
    """Draw the histogram of a stump's threshold over bootstrap samples, and that of the data."""
    _, ax = plt.subplots()
    ax.hist(cuts.replicates, bins=np.arange(24, 29, 0.2), color=COLORS[4], edgecolor="white")
    ax.axvline(cuts.estimate, color=ACCENT, ls="--")
    ax.set(xlabel="threshold of the body mass index", ylabel="bootstrap samples", xlim=(24, 29))
    plt.show()


def estimates_minus_truth(runs):
    """Draw how far five estimates of an error are from the truth, for each world and learner."""
    names = ["naive", "loo", ".632", ".632+", "10-fold"]
    groups = runs.groupby(["world", "learner"], sort=False)
    off = {", ".join(key): run[names].sub(run["truth"], axis=0) for key, run in groups}
    draw_means(off, apart=0.14, height=4.2, xlabel="estimate minus truth")


def draw_means(off, apart, height, xlabel):
    """Draw the mean of each column with two standard errors, one mark for each of the tables."""
    _, ax = plt.subplots(figsize=(5.4, height))
    for k, (label, table) in enumerate(off.items()):
        ax.errorbar(
            table.mean(),
            np.arange(table.shape[1]) + apart * (k - (len(off) - 1) / 2),
            xerr=2 * table.sem(),
            ls="none",
            marker=MARKERS[k],
            color=COLORS[k],
            label=label,
        )
    ax.axvline(0, color=GRAY, lw=1, ls="--")
    ax.set(yticks=range(table.shape[1]), yticklabels=table.columns, xlabel=xlabel)
    ax.invert_yaxis()
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=3)
    plt.show()


# Neighbors in time


def series(n_series, n, rng):
    """Series of n days, each of which keeps 0.8 of the day before; (n_series, n)."""
    noise = rng.normal(size=(n_series, n + 100))
    for day in range(1, n + 100):
        noise[:, day] += CARRIED * noise[:, day - 1]
    return noise[:, 100:]


def standard_error_of_series(n):
    """The standard error of the mean of such a series, exactly."""
    lag = np.arange(1, n)
    variance = 1 / (1 - CARRIED**2)  # of one day; times 0.8^k it is the covariance at distance k
    return np.sqrt(variance * (1 + 2 * np.sum((1 - lag / n) * CARRIED**lag)) / n)
