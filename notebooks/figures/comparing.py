"""Figures of the page that compares bagging, forests, AdaBoost and gradient boosting."""

from itertools import combinations, islice

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binomtest, friedmanchisquare, studentized_range, wilcoxon

from treelab import (
    AdaBoostRegressor,
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    RandomForestRegressor,
)
from treelab.datasets import make_friedman1
from treelab.drawing.style import COLORS, INK, MARKERS

__all__ = [
    "bias_and_variance",
    "clear_on",
    "compare_over_sets",
    "costs",
    "counts",
    "critical_difference",
    "difference",
    "differences_in_words",
    "differences_to_the_forest",
    "errors_of",
    "more_rounds",
    "relative_errors",
    "rises_by_noise",
    "rises_compared",
    "tests_over_sets",
    "tuned_table",
    "twelve_sets",
]

ENSEMBLES = ["bagging", "forest", "AdaBoost", "boosting"]
METHODS = ["tree", *ENSEMBLES]
RIVALS = ["bagging", "AdaBoost", "boosting"]  # of the forest
PAIRS = list(combinations(ENSEMBLES, 2))
QUESTIONS = {
    "tumors": "malignant or benign (breast cancer)",
    "sonar": "a mine or a rock, by its echo",
    "ionosphere": "good or bad radar return",
    "vehicle": "which of four, by its silhouette",
    "credit": "good or bad risk (German credits)",
    "red wine": "quality 6 or more; each wine once",
    "income": "more than 50 000 dollars (ADA)",
    "risky car": "an insurer's rating above 0 (Auto)",
    "horse colic": "a surgical lesion",
    "thyroid": "sick or not (Sick)",
    "waveform": "which two of three waves; a formula",
    "odd digit": "odd or even, of handwritten digits",
}


# Bias and variance


def bias_and_variance():
    """Squared bias and variance of trees and ensembles over ten training sets."""
    Z, truth = make_friedman1(500, noise=0, random_state=99)
    predictions = {}
    for seed in range(10):
        X, y = make_friedman1(200, noise=1, random_state=seed)
        for name, predicted in _predictions(X, y, Z, seed).items():
            predictions.setdefault(name, []).append(predicted)
    rows = {name: _parts_in_words(np.array(P), truth) for name, P in predictions.items()}
    return pd.DataFrame(rows, ["squared bias", "variance"]).T


def _predictions(X, y, Z, seed):
    """What each method predicts, the two sequences also after their first trees."""
    small, forest = DecisionTreeRegressor(max_depth=3), RandomForestRegressor
    adaboost = AdaBoostRegressor(small, n_estimators=100, random_state=seed).fit(X, y)
    boosting = GradientBoostingRegressor(n_estimators=100, max_depth=3).fit(X, y)
    first = list(islice(boosting.staged_predict(Z), 20))
    bagging = forest(100, max_features=None, random_state=seed)
    return {
        "grown tree": DecisionTreeRegressor().fit(X, y).predict(Z),
        "bagging": bagging.fit(X, y).predict(Z),
        "forest": forest(100, max_features=1 / 3, random_state=seed).fit(X, y).predict(Z),
        "tree of depth 3": small.fit(X, y).predict(Z),
        "AdaBoost.R2, 1 tree": next(iter(adaboost.staged_predict(Z))),
        "AdaBoost.R2, 100 trees": adaboost.predict(Z),
        "boosting, 1 tree": first[0],
        "boosting, 20 trees": first[-1],
        "boosting, 100 trees": boosting.predict(Z),
    }


def _parts(P, truth):
    """Squared bias and variance over the training sets, means over the points; (2,)."""
    variance = P.var(axis=0, ddof=1).mean()
    return np.array([np.mean((P.mean(axis=0) - truth) ** 2) - variance / len(P), variance])


def _parts_in_words(P, truth):
    """The two, and their standard errors: each training set is left out in turn."""
    fewer = np.array([_parts(np.delete(P, s, axis=0), truth) for s in range(len(P))])
    errors = np.sqrt((len(P) - 1) * fewer.var(axis=0))
    return [f"{x:.1f} ± {error:.1f}" for x, error in zip(_parts(P, truth), errors, strict=True)]


# Twelve data sets


def twelve_sets(script):
    """Rows, features, missing values and classes of the twelve tables of a script."""
    about = {}
    for name, question in QUESTIONS.items():
        formula = {"random_state": 0} if name in script.FORMULA else {}
        X, y = script.CLASSES[name](**formula)
        X, y = pd.DataFrame(X).dropna(axis=1, how="all"), pd.Series(np.asarray(y))
        about[name] = {
            "rows": "any" if formula else len(y),
            "features": X.shape[1],
            "categories": (X.dtypes == "category").sum(),
            "gaps": f"{X.isna().mean(axis=None):.0%}",
            "classes": y.nunique(),
            "largest": f"{y.value_counts(normalize=True).max():.0%}",
            "what is asked": question,
        }
    return pd.DataFrame(about).T


def errors_of(runs):
    """The errors of some runs: a row for each set and split, a column for each method."""
    table = runs.pivot(index=["set", "split"], columns="method", values="error")[METHODS]
    return table.loc[list(dict.fromkeys(runs["set"]))]


def relative_errors(means):
    """Draw the mean error of each ensemble on each set, divided by that of one tree."""
    relative = means.div(means["tree"], axis=0)
    _, ax = plt.subplots(figsize=(5.4, 6))
    for i, name in enumerate(ENSEMBLES):
        rows = np.arange(12) + 0.16 * (i - 1.5)
        ax.plot(relative[name], rows, MARKERS[i], color=COLORS[i], label=name, ls="")
    _name_the_sets(ax, relative.index, "error as a share of one tree's error", at=1)
    ax.grid(axis="y")
    ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncol=2)
    plt.show()


def _name_the_sets(ax, names, xlabel, at):
    """A row for each set from the top, and a dashed line where nothing differs."""
    ax.axvline(at, color=INK, lw=1, ls="--")
    ax.set(yticks=range(12), yticklabels=names, ylim=(11.6, -0.6), xlabel=xlabel)


# Which differences are real


def difference(errors, a, b):
    """Mean difference of two methods on each set, and its corrected standard error."""
    d = (errors[a] - errors[b]).groupby("set", sort=False)
    se = d.std() * np.sqrt(1 / d.size() + 1 / 2)  # pairs, and test rows for each training row
    mean = d.mean().round(12)  # a tie is 0, not the rounding error of a sum
    return pd.DataFrame({"mean": mean, "se": se})


def clear_on(errors, a, b, sign=-1):
    """The sets on which a has the lower error by two standard errors; with sign 1, the higher."""
    d = difference(errors, a, b)
    return ", ".join(d.index[sign * d["mean"] > 2 * d["se"]]) or "none"


def differences_to_the_forest(errors):
    """Draw the mean differences to the forest with two corrected standard errors."""
    _, ax = plt.subplots(figsize=(5.4, 8))
    for i, name in enumerate(RIVALS):
        d, k = 100 * difference(errors, name, "forest"), ENSEMBLES.index(name)
        look = {"fmt": MARKERS[k], "color": COLORS[k], "lw": 1.5, "label": name}
        ax.errorbar(d["mean"], np.arange(12) + 0.25 * (i - 1), xerr=2 * d["se"], **look)
    _name_the_sets(ax, d.index, "error less the forest's, in points", at=0)
    where = {"loc": "lower center", "bbox_to_anchor": (0.4, 1.0)}
    ax.legend(**where, ncol=3, columnspacing=1, handletextpad=0.2)
    plt.show()


def counts(errors):
    """On how many sets each method has the lower and the higher error than each other one."""
    return pd.DataFrame(
        {b: {a: "" if a == b else _count(errors, a, b) for a in METHODS} for b in METHODS}
    )


def _count(errors, a, b):
    """On how many sets a is ahead and behind; in brackets those beyond two standard errors."""
    d = difference(errors, a, b)
    ahead, behind = (d["mean"] < 0).sum(), (d["mean"] > 0).sum()  # the others are ties
    clear = [(sign * d["mean"] > 2 * d["se"]).sum() for sign in (-1, 1)]
    return f"{ahead}:{behind} ({clear[0]}:{clear[1]})"


def tests_over_sets(means):
    """Print the ranks and their tests, and return the tests of each pair over the sets."""
    means = means[ENSEMBLES].round(12)
    ranks = means.rank(axis=1).mean()
    friedman = friedmanchisquare(*(means[name] for name in ENSEMBLES))
    print("mean ranks:", ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items()))
    print(f"Friedman test: chi-squared {friedman.statistic:.1f}, p = {friedman.pvalue:.2f}")
    print(f"Nemenyi test: critical difference {critical_difference(4, 12):.2f}")
    return compare_over_sets(means).round(3)


def compare_over_sets(means):
    """Sign test and Wilcoxon signed-rank test of each pair of methods over the sets."""
    rows = {}
    for a, b in PAIRS:
        d = (means[a] - means[b]).round(12)
        d = d[d != 0]
        lower = int((d < 0).sum())
        rows[f"{a} against {b}"] = {
            "lower": lower,
            "higher": len(d) - lower,
            "ties": len(means) - len(d),
            "sign test": binomtest(lower, len(d)).pvalue,
            "Wilcoxon": wilcoxon(d).pvalue,
        }
    table = pd.DataFrame(rows).T
    order = table["Wilcoxon"].sort_values().index
    holm = (table["Wilcoxon"][order] * np.arange(len(order), 0, -1)).cummax().clip(upper=1)
    return table.assign(Holm=holm).astype({"lower": int, "higher": int, "ties": int})


def critical_difference(n_methods, n_sets, alpha=0.05):
    """Return how far apart two mean ranks must be in the Nemenyi test, at significance alpha."""
    q = studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2)
    return q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_sets))


# Tuned, with wrong labels, and with more rounds


def tuned_table(tuned, errors):
    """Mean errors with usual and with tuned settings, and on which sets tuning lowers them."""
    usual = errors.loc[tuned.index]
    table = {
        name: 100 * e.groupby("set").mean().mean()
        for name, e in (("usual", usual), ("tuned", tuned))
    }
    gain = {}
    for name in METHODS:
        pair = pd.DataFrame({"usual": usual[name], "tuned": tuned[name]})
        gain[name] = difference(pair, "tuned", "usual").eval("mean / se")
    gain = pd.DataFrame(gain)
    table["lower on"] = [f"{n} of 12" for n in (gain < 0).sum()]
    table["clearly lower on"] = [", ".join(gain.index[gain[name] < -2]) for name in METHODS]
    return _rounded(pd.DataFrame(table))


def rises_by_noise(noisy, errors):
    """By how much the errors rise when a fifth of the labels is wrong, on each set."""
    rises = {}
    for name in METHODS:
        pair = pd.DataFrame({"wrong": noisy[name], "right": errors.loc[noisy.index, name]})
        rises[name] = (100 * difference(pair, "wrong", "right")).agg(_in_words, axis=1)
    return pd.DataFrame(rises).rename_axis(index=None)


def rises_compared(noisy, errors):
    """On which sets the error of each rival rises more or less than the forest's."""
    rises = noisy - errors.loc[noisy.index]
    rows = {
        f"{name} against the forest": {
            "rises more on": f"{(difference(rises, name, 'forest')['mean'] > 0).sum()} of 6",
            "clearly more on": clear_on(rises, name, "forest", sign=1),
            "clearly less on": clear_on(rises, name, "forest"),
        }
        for name in RIVALS
    }
    return pd.DataFrame(rows).T


def more_rounds(runs):
    """Errors of the two sequences after 100 and 200 rounds, with right and with wrong labels."""
    noisy = runs.loc[runs["noise"] > 0, "set"].unique()
    runs = runs.query("how == 'default' and method in ['AdaBoost', 'boosting'] and split < 10")
    table = {}
    for (noise, name), part in runs[runs["set"].isin(noisy)].groupby(["noise", "method"]):
        e = part.pivot(index=["set", "split"], columns="members", values="error")
        table[f"{name}, labels {'wrong' if noise else 'right'}"] = {
            "100 rounds": 100 * e[100].mean(),
            "200 rounds": 100 * e[200].mean(),
            "200 worse on": f"{(difference(e, 200, 100)['mean'] > 0).sum()} of 6",
            "clearly worse on": clear_on(e, 200, 100, sign=1),
        }
    return _rounded(pd.DataFrame(table).T.infer_objects())


# Costs, and regression


def costs(usual, script):
    """Mean nodes, splits on a row's paths, and work of fitting of each method."""
    size = usual.groupby("method")[["nodes", "questions"]].mean().loc[METHODS]
    features = pd.Series({name: script.split(name, 0)[0].shape[1] for name in QUESTIONS})
    asked = usual.groupby(["set", "method"])["questions"].mean().unstack()
    work = asked.mul(features, axis=0)
    work["forest"] = asked["forest"] * np.sqrt(features).astype(int)
    size["work of fitting"] = work.div(work["tree"], axis=0).mean()
    return size.round(0).astype(int)


def differences_in_words(errors):
    """Mean differences to the forest on each set, with their standard errors."""
    words = {
        f"{name} minus forest": difference(errors, name, "forest").agg(_in_words, axis=1)
        for name in RIVALS
    }
    return pd.DataFrame(words).rename_axis(index=None)


def _in_words(row):
    """A difference and its standard error."""
    return f"{row['mean']:.1f} ± {row['se']:.1f}"


def _rounded(table):
    """A table to be shown: one decimal, and no row for the names of the axes."""
    return table.round(1).rename_axis(index=None, columns=None)
