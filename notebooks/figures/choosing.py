"""Figures of forests that choose: importances of noise, shadows, and the error that chose."""

import numbers
import warnings
from fractions import Fraction
from math import ceil

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binom
from scipy.stats import t as student
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.datasets import fetch_bike_sharing
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES, WIDTH
from treelab.fast.bootstrap import bootstrap_error_table
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.inputs import check_number
from treelab.fast.selection import ForestRFE, perc_std, selection_stability, smallest_size
from treelab.fast.selection.sizes import check_blocks, exact
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "alpha_explorable",
    "boruta_stepper",
    "days_with_noise",
    "differences_in_error",
    "importance_by_rank",
    "kept_and_stability",
    "least_errors",
    "procedure_error",
    "selected_masks",
    "stochastic_fits",
]

N_FEATURES = {"bicycles": 111, "ozone": 12, "sonar": 60, "musk": 166}
METHODS = ["one standard error", "α = 0.5 sd", "Boruta", "RFECV", "lasso"]


def days_with_noise():
    """Half of the bicycle days, eleven measured features and a hundred of noise; X and y."""
    bikes, rented = fetch_bike_sharing("day", return_X_y=True)
    half = np.random.default_rng(0).permutation(len(bikes))[:365]
    noise = np.random.default_rng(0).normal(size=(len(bikes), 100))
    crowd = bikes.join(pd.DataFrame(noise).add_prefix("noise "))
    return crowd.iloc[half], rented.iloc[half]


def importance_by_rank():
    """Draw the importance of measured features and of noise in one forest, by rank."""
    X, y = days_with_noise()
    forest = RandomForestRegressor(100, random_state=0).fit(X, y)
    importance = pd.Series(mean_decrease_impurity(forest), X.columns).sort_values(ascending=False)
    noise = importance.index.str.startswith("noise")
    rank = np.arange(1, len(importance) + 1)
    _, ax = plt.subplots(figsize=(WIDTH, 3.0))
    ax.plot(rank[noise], importance[noise], ls="none", marker="x", color=GRAY, label="noise")
    ax.plot(rank[~noise], importance[~noise], ls="none", marker="o", color=COLORS[0], mec=INK,
            mew=0.6, label="measured")  # fmt: skip
    ax.set(yscale="log", xlabel="rank", ylabel="importance")
    ax.legend(loc="upper right")
    plt.show()


# Boruta, run by run


def boruta_stepper(run):
    """Show six runs of a fitted Boruta on six features, and the tests that decided."""
    level, chance = (
        run.alpha / run.n_features_in_,
        {(hits, runs): f"{binom.sf(hits - 1, runs, 0.5):.5f}" for hits, runs in ((9, 9), (10, 10))},
    )
    words_of_run = {
        1: "One hit each says nothing: a coin does that half of the time.",
        2: "Windspeed wins by a hair; new shadows, another bar.",
        9: f"Nine hits of nine: {chance[9, 9]}, still above {level:.5f}.",
        10: f"Ten of ten, {chance[10, 10]}: temp and hum are confirmed, die and coin rejected. "
            "Windspeed wins once more, by less than a tenth.",
        14: f"One hit in 14 runs, {binom.cdf(1, 14, 0.5):.5f}: season is rejected.",
        17: f"Two in 17, {binom.cdf(2, 17, 0.5):.5f}: windspeed is rejected, and nothing is "
            "tentative.",
    }  # fmt: skip
    frames = [_frame_of_run(run, r, words) for r, words in words_of_run.items()]
    steps = run.steps_table().set_index("feature")
    tests = steps[["run", "hits", "p_confirm", "p_reject", "state"]].round(5)
    words = f"The test that decided, for each column; the level is {level:.5f}."
    frames.append((tests, words, f"Table. {words}"))
    return stepper(frames, "Boruta on a hundred days", "choosing-boruta")


def _frame_of_run(run, r, words):
    """The picture of run r, and words on the best shadow and the hits."""
    hits, bar = run.hits_table(), run.rounds_table().set_index("run")["threshold"][r]
    won = hits[(hits["run"] == r) & hits["hit"]]
    above = (f"{name} {1000 * value:.1f}" for name, value in zip(won.feature, won.importance))
    words = (
        f"Run {r}: the best shadow has {1000 * bar:.1f}. Above it: {' and '.join(above)}. {words}"
    )
    return _importances_of_run(run, r), words, words


def _importances_of_run(run, r):
    """Draw the importances of run r against the range of the shadows, with hits and states."""
    fig, ax = plt.subplots(figsize=(WIDTH, 3.2), layout="constrained")
    hits = run.hits_table()
    now = hits[hits["run"] == r].set_index("feature")
    low, high = 1000 * run.rounds_table().set_index("run").loc[r, ["shadow_min", "threshold"]]
    ax.axvspan(low, high, color=GRAY, alpha=0.3, lw=0, label="shadows")
    ax.axvline(high, color=ACCENT, ls="--", label="best shadow")
    names = list(run.feature_names_in_)
    for k, name in enumerate(names):
        state = "rejected"
        if name in now.index:
            color = COLORS[0] if now.hit[name] else "none"
            ax.plot(1000 * now.importance[name], -k, "o", ms=8, color=color, mec=INK)
            state = f"{now.hits[name]} of {r}, {now.state[name]}"
        ax.text(1500, -k, state, va="center", color=INK)
    ax.set(xscale="log", xlim=(3, 50000), yticks=-np.arange(6), xlabel="importance × 1000")
    ax.set(yticklabels=names, ylim=(-5.6, 0.6))
    fig.legend(loc="outside upper center", ncols=2)
    ax.set_xticks([10, 100, 1000], ["10", "100", "1000"])
    return fig


# The error that chose the set


class _Paths:
    """Eliminations of busy hours, evaluated on ten draws of 50 rows and on all other rows."""

    def __init__(self):
        hours, rented = fetch_bike_sharing("hour", return_X_y=True)
        rng = np.random.default_rng(2)
        noise = pd.DataFrame(rng.normal(size=(len(hours), 100))).add_prefix("noise ")
        hours, busy = hours.join(noise), np.where(rented > 200, "busy", "calm")
        order = rng.permutation(len(hours))
        train, draws = order[:200], order[2700:3200].reshape(10, 50)
        new = np.setdiff1d(order, [*train, *draws.flat])
        rfe = ForestRFE(
            RandomForestClassifier(30), "alpha_sd", importance="mdi", step=0.35,
            error="validation", random_state=0,
        )  # fmt: skip

        def evaluated(rows):
            """Sizes and errors in percent, from the smallest set, on these rows."""
            rfe.fit(hours.iloc[train], busy[train], held_out=(hours.iloc[rows], busy[rows]))
            table = rfe.rounds_table()[::-1]
            return table["n_features"].tolist(), 100 * table["error"].to_numpy()

        # The ranking and the forests are the same, whichever rows evaluate them.
        self.errors = [evaluated(rows)[1] for rows in draws]
        self.sizes, self.new_errors = evaluated(new)
        self.ranked = [step["feature"] for step in rfe.steps_]
        self.alphas = np.arange(41) / 20
        self.limits = [error.min() + self.alphas * error.std() for error in self.errors]
        self.chosen = np.array([[self._chosen(error, a) for a in self.alphas]
                                for error in self.errors])  # fmt: skip
        self.own = np.array([e[at] for e, at in zip(self.errors, self.chosen, strict=True)])
        self.new = self.new_errors[self.chosen]

    def _chosen(self, errors, alpha):
        """The position of the smallest set whose error is within alpha standard deviations."""
        return self.sizes.index(smallest_size(self.sizes, perc_std(errors / 100), alpha))

    def noise_in(self, size):
        """How many of the best features of the ranking are noise."""
        return sum(name.startswith("noise") for name in self.ranked[:size])

    def words_of(self, size):
        """The best features of the ranking, in words."""
        real = [name for name in self.ranked[:size] if not name.startswith("noise")]
        some = ", ".join(real) if len(real) < 7 else f"all {len(real)} real columns"
        n = self.noise_in(size)
        return f"{some} and {n} noise column{'s' * (n > 1)}" if n else some


def alpha_explorable():
    """Let the reader choose sets of features by their error on 50 rows, with a limit to slide."""
    paths = _Paths()
    low, high = (f"{errors[:, 0].mean():.1f}%" for errors in (paths.own, paths.new))
    tells = f"{low} on average at α = 0, and {high} on new rows. The least is partly luck."
    least, enough = (paths.sizes[paths.chosen[8, k]] for k in (0, 10))
    noise = f"The least error takes {paths.noise_in(least)} columns of noise along."
    few = f"Half a standard deviation above it {enough} columns are enough."
    frames = [
        _frame_of_path(paths, 8, 0, noise),
        _frame_of_path(paths, 8, 10, few),
        _frame_of_path(paths, 4, 10, "Other rows, another set."),
    ]
    table = pd.DataFrame({
        "draw": range(1, 11), "columns": np.take(paths.sizes, paths.chosen[:, 0]),
        "error on the 50 rows": paths.own[:, 0], "error on new rows": paths.new[:, 0],
    }).round(1)  # fmt: skip
    words = f"All draws: {tells}"
    frames.append((table.set_index("draw"), words, f"Table of ten draws. {words}"))
    data = {**_numbers_of(paths), **_words_of_alpha(tells)}
    return explorable("alpha", data, frames, "The error that chose the set", "slide-alpha")


def _numbers_of(paths):
    """What the script shows: errors, limits, sets, and the means over the draws."""
    names = "50 rows", "new rows"
    means = paths.own.mean(axis=0), paths.new.mean(axis=0)
    return {
        "alphas": paths.alphas, "sizes": paths.sizes, "fresh": paths.new_errors.round(4),
        "names": names, "best": int(np.argmin(means[1])),
        "draws": [
            {"errors": error.round(3), "sd": round(error.std(), 3), "limit": limit.round(2),
             "chosen": "".join(map(str, at))}
            for error, limit, at in zip(paths.errors, paths.limits, paths.chosen, strict=True)
        ],
        "means": {name: mean.round(4) for name, mean in zip(names, means, strict=True)},
        "sets": [paths.words_of(size) for size in paths.sizes],
        "noise": [paths.noise_in(size) for size in paths.sizes],
        "rest": {"k": 10, "draw": 8}, "drawn": "Draw", "tops": [50, [14, 26]],
    }  # fmt: skip


def _words_of_alpha(tells):
    """The question, the answers, and the words of each state."""
    smallest = "up to {limit} will do. The smallest such set has"
    wrong = "Wrong: {old} of the 50 rows, {new} of new ones, {gap}."
    states = (
        (smallest, "A guess, or Skip, shows its error on new rows."),
        (smallest, wrong),
        ("best on new rows, which nobody has yet. It keeps", wrong),
    )
    return {
        "question": "A set is chosen by its error on 50 rows. Taken for its error on new rows, "
                    "that is on average",
        "answers": ["too low", "right", "too high"],
        "verdicts": [f"{reply}: {tells}" for reply in ("Yes", "No, too low", "No, too low")],
        "says": [
            "Draw {draw}, α = {alpha}: " + words + " {size} of 112 columns: {set}. " + after
            for words, after in states
        ],
        "titles": ["error, %", "dotted: least + α × sd =",
                   "chosen by the ten draws (filled: this one)", "columns",
                   "mean of ten draws, %"],
        "values": {"limit": "least + α × sd", "noise": "noise columns", "old": "error, 50 rows",
                   "new": "error, new rows", "oldMean": "mean, 50 rows",
                   "newMean": "mean, new rows"},
        "alt": ["Errors of each size on the rows of this draw, with the threshold and the size "
                "chosen.",
                "The size that each of the ten draws chooses.",
                "Mean error of the chosen sets over the ten draws, for each α."],
    }  # fmt: skip


def _frame_of_path(paths, d, k, caption):
    """Draw the errors by size on draw d and on new rows, with the set that alpha k chooses."""
    fig, ax = plt.subplots(figsize=(WIDTH, 2.8), layout="constrained")
    own, new = paths.errors[d], paths.new_errors
    for name, error, color, line in zip(("50 rows", "new rows"), (own, new), COLORS, LINES):
        ax.plot(error, color=color, linestyle=line, label=name)
    ax.axhline(paths.limits[d][k], color=GRAY, linestyle=":", label="threshold")
    at = paths.chosen[d, k]
    ax.plot([at, at], [own[at], new[at]], "D-", color=ACCENT, label="chosen")
    ax.set(xticks=range(len(paths.sizes)), xlabel="columns", ylabel="error, %", ylim=(0, 45))
    ax.set_xticklabels(paths.sizes)
    fig.legend(ncols=4, columnspacing=1, loc="outside upper center")
    words = (
        f"Draw {d + 1}, α = {paths.alphas[k]:g}: up to {paths.limits[d][k]:.2f}% will do, "
        f"{paths.sizes[at]} columns stay. On the 50 rows {own[at]:.1f}% are wrong, on new rows "
        f"{new[at]:.1f}%. {caption}"
    )
    return fig, words, f"Error against columns, on the 50 rows and on new ones. {words}"


# Five ways to choose on four data sets


def selected_masks(sets, name, method):
    """Which features of a data set a method selected in each split, (splits, features)."""
    some = sets[(sets["set"] == name) & (sets["method"] == method)]
    selected = [list(map(int, numbers.split())) for numbers in some["columns"]]
    return np.array([np.isin(np.arange(N_FEATURES[name]), each) for each in selected])


def kept_and_stability(sets):
    """How many features each method selects on average, and how stable its sets are."""
    kept = sets.pivot_table(index="method", columns="set", values="kept", aggfunc="mean")
    stability = {
        name: {
            method: selection_stability(selected_masks(sets, name, method)).value["nogueira"]
            for method in METHODS
        }
        for name in N_FEATURES
    }
    kept = kept.loc[METHODS, list(N_FEATURES)].round(1).astype(str)
    both = kept + " / " + pd.DataFrame(stability).round(2).astype(str)
    return both.rename_axis("kept / stability")


def differences_in_error(sets):
    """Mean difference in error from all features, with half a corrected 95% interval."""
    errors = sets.pivot_table(index=["set", "repetition"], columns="method", values="value")
    difference = errors.sub(errors["all columns"], axis=0)[METHODS].groupby("set")
    half = student.ppf(0.975, 9) * np.sqrt(1 / 10 + 1) * difference.std()
    columns = list(N_FEATURES)
    return (
        difference.mean().T[columns].map("{:+.3f}".format)
        + " ± "
        + half.T[columns].map("{:.3f}".format)
    )


def least_errors(results):
    """Errors of all features and of a path's best set, on the rows that chose and on new ones."""
    found = results[results["study"] == "optimism"]
    unit = np.where(found["set"] == "bicycles", 1000, 1)
    found = found.assign(seen=found["value"] / unit, new=found["new"] / unit)
    found["seen below new"] = found["seen"] < found["new"]
    columns = ["seen", "new", "kept", "seen below new"]
    return found.groupby(["set", "method"])[columns].mean().round(3)


def procedure_error(
    selector, X, y, *, estimator=None, n_resamples=50, random_state=None, verbose=0
):
    """Estimate the error of a whole selection procedure with the final model; DataFrame.

    The selection is repeated on every bootstrap sample, so that it is evaluated on rows that had no
    part in it. Warnings of ties at the border of a selection are left out.

    Parameters
    ----------
    selector : selector
        Such as `ForestRFE`, fitted or not.
    X : array-like or DataFrame of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
    estimator : estimator, default=None
        Model that is fitted on the selected columns; None: the one of the selector, with the
        selector's `random_state` if it has none of its own.
    n_resamples : int, default=50
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstrap samples.
    verbose : int, default=0
        Whether a progress bar is shown, with one step for each sample.

    Returns
    -------
    DataFrame
        As `bootstrap_error_table`: ".632+" is the estimate that the source reports.

    References
    ----------
    Díaz-Uriarte and Alvarez de Andrés (2006).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> rfe = ForestRFE(RandomForestClassifier(5), random_state=0)
    >>> table = procedure_error(rfe, *load_iris(return_X_y=True), n_resamples=5, random_state=0)
    >>> round(float(table.loc[".632+", "error"]), 2)
    0.03
    """
    selector = clone(selector)
    if hasattr(selector, "task"):  # a sample may have fewer values than the whole target
        selector._read_table(X, y)
        selector.set_params(task=selector.task_)
    model = clone(selector._model() if estimator is None else estimator)
    if estimator is None and model.get_params().get("random_state", 0) is None:
        model.set_params(random_state=selector.random_state)
    with warnings.catch_warnings():  # a tie in a sample does not concern the final selection
        warnings.filterwarnings("ignore", message=".*features have the same score")
        return bootstrap_error_table(
            make_pipeline(clone(selector), model), X, y, n_resamples=n_resamples,
            random_state=random_state, verbose=verbose,
        )  # fmt: skip


def stochastic_fits(n_features, block=54, step=0.2):
    """Count the models that a stochastic elimination fits on blocks, until one holds all; int.

    It is the sum of ceil((1 - step)^k P / block), as long as that is above 1. The source bounds it
    by P / (block step), from below the rounding.

    Parameters
    ----------
    n_features, block, step
        As in `stochastic_sizes`.

    Examples
    --------
    >>> stochastic_fits(1000, 20, 0.5), 1000 / (20 * 0.5)
    (101, 100.0)
    """
    check_number(n_features, "n_features", numbers.Integral, min_val=1)
    check_blocks(block, step)
    blocks, fits = Fraction(int(n_features), int(block)), 0
    while ceil(blocks) > 1:
        fits += ceil(blocks)
        blocks *= 1 - exact(step)
    return fits
