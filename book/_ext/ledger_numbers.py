"""The numbers of the ledger of replications, from what is committed.

An entry in ``book/ledger`` names in braces what is to stand there, ``{seen("sine, factor 1", 1)}``:
the names are the functions of this module. They read ``tests/data/gold.json``, which
`tests/references/test_gold.py` computes with treelab, and the tables of ``notebooks/replications``,
each of which has a script and a test.

Vocabulary
----------
item : a number of gold.json, ``gold`` as it should be, ``given`` as the source prints it
setting, method : columns of ``local_importance.csv``, see `local_importance.py`; factor is that
    of the sine in a setting
study : of LAFI "lafi", or at the size of the source "bins" and "errors", see `local_at_size.py`
ways : the three that rank features there, average, intersection and forest
"""

import json
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact, t, wilcoxon

from treelab.fast.importance import compare_rankings
from treelab.figures.bicycles import mean_differences

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks" / "replications"
WAYS = ("average", "intersection", "forest")
SELECTORS = ("RRF", "RBoost", "CFS", "FCBF")
NAMES = {
    "wine": "fixed acidity, volatile acidity, citric acid, residual sugar, chlorides, free sulfur "
    "dioxide, total sulfur dioxide, density, pH, sulphates, alcohol",
    "bikers": "season, year, month, hour, holiday, weekday, working day, weather, temperature, "
    "feeling temperature, humidity, wind speed",
    "ozone": "month, day of the month, day of the week, pressure height, wind speed, humidity, "
    "temperature at Sandburg, temperature at El Monte, inversion base height, pressure gradient, "
    "inversion base temperature, visibility",
}


@cache
def items():
    """The items of gold.json by their names."""
    text = (ROOT / "tests" / "data" / "gold.json").read_text(encoding="utf-8")
    return {item["id"]: item for item in json.loads(text)["items"]}


@cache
def table(name):
    """A table of ``notebooks/replications``."""
    types = {"columns": str, "table": str, "found": str, "method": str}
    return pd.read_csv(FOLDER / f"{name}.csv", dtype=types)


def rows_with(name, **values):
    """Return the rows of a table that have these values in their columns."""
    found = table(name)
    for column, value in values.items():
        found = found[found[column] == value]
    return found


def inside(value, path):
    """What stands at a path of keys and places in nested lists and dictionaries."""
    for key in path:
        value = value[key]
    return value


def gold(name, *path):
    """An item as it should be, or a part of it."""
    return inside(items()[name]["expected"], path)


def given(name, *path):
    """An item as its source prints it, or a part of it."""
    return inside(items()[name]["given"], path)


# --- the dissertation: local_importance.csv, local_gaps.csv --------------------------------------


@cache
def by_setting():
    """Return the rows of the three tables for each study and setting."""
    names = ["local_importance", "local_gaps"]
    names += ["local_at_size"] if (FOLDER / "local_at_size.csv").exists() else []
    all_rows = pd.concat([table(name) for name in names])
    return dict(list(all_rows.groupby(["study", "setting"])))


def rows(study, setting, method=None):
    """The rows of a study and a setting, of one method or of all."""
    of = by_setting()
    found = of[study, setting] if (study, setting) in of else next(iter(of.values())).iloc[:0]
    return found if method is None else found[found["method"] == method]


def replicates(setting, study="selection"):
    """How many replicates there are; 0 where it was not run."""
    return rows(study, setting)["replicate"].nunique()


def ranks(setting, method, study="selection"):
    """Ranks of the true features, (n_replicates, n_features)."""
    found = rows(study, setting, method)["found"]
    return np.array([[int(rank) for rank in each.split()] for each in found])


def often(setting, method, feature, n=2, study="selection"):
    """In how many replicates a feature, by its place, is among the first n."""
    return int((ranks(setting, method, study)[:, feature] <= n).sum())


def seen(setting, feature, n=2):
    """In how many replicates each way has a feature among the first n, in words."""
    counts = ", ".join(f"{way} {often(setting, way, feature, n)}" for way in WAYS)
    return f"{counts} of {replicates(setting)}"


def finds(setting, letters, n):
    """The same for several features, in words."""
    counts = {
        way: " ".join(str(often(setting, way, k, n)) for k in range(len(letters))) for way in WAYS
    }
    ways = "; ".join(f"{way} {each}" for way, each in counts.items())
    return f"of {replicates(setting)}, in the order {', '.join(letters)}: {ways}"


def names_of(setting):
    """The names of the true features of a real set."""
    (kind,) = (kind for kind in NAMES if kind in setting)
    return NAMES[kind].split(", ")


def missed(setting, method):
    """Features that are in at most half of the replicates among as many as are true."""
    names = names_of(setting)
    n = len(names)
    half = replicates(setting) / 2
    return [name for k, name in enumerate(names) if often(setting, method, k, n) <= half]


def over(setting, study="prediction", word="mean of "):
    """Over how many replicates a number is the mean, in words."""
    n = replicates(setting, study)
    return "one replicate" if n == 1 else f"{word}{n} replicates"


def misses(setting, ways=WAYS):
    """What each way misses, in words."""
    words = {way: ", ".join(missed(setting, way)) or "nothing" for way in ways}
    return "; ".join(f"{way}: {each}" for way, each in words.items())


def error(setting, method, column="test"):
    """A mean squared error, the mean over the replicates."""
    return rows("prediction", setting, method)[column].mean()


def lower(setting, method, other, column="test"):
    """In how many replicates a method has a lower error than another."""
    both = rows("prediction", setting).pivot(index="replicate", columns="method", values=column)
    return int((both[method] < both[other]).sum())


def short(number):
    """A number with three digits, thousands apart."""
    if abs(number) >= 1e6:
        return f"{number:.1E}".replace("E+", "E")
    if abs(number) >= 100:
        return f"{number:,.0f}".replace(",", " ")
    return f"{number:.3g}"


def errors(setting, column="test", methods=("LPSC", "LPUC", "forest", "mean")):
    """Mean squared errors in words, the lowest first."""
    each = sorted((error(setting, method, column), method) for method in methods)
    words = {"mean": "constant mean"}
    return ", ".join(f"{words.get(method, method)} {short(value)}" for value, method in each)


def own(setting):
    """Errors of training rows: of LPSC from the own cluster, and of the forest, in words."""
    values = error(setting, "LPSC", "own"), error(setting, "forest", "training")
    return f"own cluster {short(values[0])}, forest {short(values[1])}"


def own_lower(setting):
    """In how many replicates the first of these two errors is the lower one."""
    found = rows("prediction", setting).set_index("replicate")
    local_errors = found.loc[found["method"] == "LPSC", "own"]
    return int((local_errors < found.loc[found["method"] == "forest", "training"]).sum())


def bins(study, setting, replicate=0):
    """What LAFI chose: a row for each bin of three levels, True for chosen.

    In the study "bins" each bin has a line of its own and its number as method, in the others
    one line has them all.
    """
    found = rows(study, setting)
    found = found[found["replicate"] == replicate]
    if study == "bins":
        masks = found.sort_values("method", key=lambda number: number.astype(int))["found"]
    else:
        masks = found["found"].dropna().iloc[0].split()
    return np.array([[digit == "1" for digit in mask] for mask in masks])


def local(setting, study="lafi"):
    """The importance (LAFI) of each feature, (n_replicates, n_features).

    Of the study "bins", replicates count whose errors are known, too: then no bin is missing.
    """
    complete = "errors" if study == "bins" else study
    found = []
    for replicate in sorted(rows(complete, setting)["replicate"].unique()):
        levels = np.split(bins(study, setting, replicate), [1, 3])
        found.append(np.mean([level.mean(axis=0) for level in levels], axis=0))
    return np.array(found)


def kept_error(setting, which, study="lafi", column="test"):
    """Error of a forest on all columns, or on those that LAFI keeps."""
    return rows(study, setting, which)[column].mean()


def kept_lower(setting, study="lafi"):
    """In how many replicates the forest of the kept columns has the lower test error."""
    found = rows(study, setting).pivot(index="replicate", columns="method", values="test")
    return int((found["kept"] < found["all"]).sum())


def kept_of_noise(importance, threshold=0.2):
    """How many of ten columns of noise LAFI keeps on average."""
    return float((local(importance, "noise") > threshold).sum(axis=1).mean())


def p_of_features(name, method, factor=""):
    """For each feature of a line of a table the p-value of Fisher's exact test; a list."""
    line = rows_with("local_printed", table=name, method=method)
    setting, top = line["setting"].iloc[0], line["top"].iloc[0]
    if factor:
        setting = setting.replace("sine", f"sine, factor {factor}")
    here = ranks(setting, method)
    pairs = zip((here <= top).sum(axis=0), line["printed"], strict=True)
    return [fisher_exact([[k, len(here) - k], [m, 50 - m]]).pvalue for k, m in pairs]


def p_values(name, methods=WAYS, factor=""):
    """For each line of a table the p-value that its counts are those printed.

    Fisher's exact test for each feature; the smallest p-value times the number of features.
    """
    found = {method: p_of_features(name, method, factor) for method in methods}
    return {method: min(1.0, min(each) * len(each)) for method, each in found.items()}


def fitting(name, methods=WAYS, factor=""):
    """The lines of a table whose p-value is 0.05 or more."""
    return [method for method, p in p_values(name, methods, factor).items() if p >= 0.05]


def line_tests(name, methods=WAYS, factor=""):
    """These p-values, in words."""
    found = p_values(name, methods, factor)
    return ", ".join(
        f"{method} {'below 0.001' if p < 0.001 else f'{p:.3f}'}" for method, p in found.items()
    )


def mean_local(setting, study="lafi"):
    """Mean importance (LAFI) of each feature over the replicates."""
    return local(setting, study).mean(axis=0)


def above_noise(setting, n_true=5, study="lafi"):
    """How many features have a mean importance above that of each column of noise."""
    return int((mean_local(setting, study)[:n_true] > noise_local(setting, n_true, study)).sum())


def noise_local(setting, n_true=5, study="lafi"):
    """The largest mean importance of a column of noise."""
    return mean_local(setting, study)[n_true:].max()


def margin(setting, n_true=5, study="lafi"):
    """The least mean importance of a feature less the largest of a column of noise."""
    return mean_local(setting, study)[:n_true].min() - noise_local(setting, n_true, study)


def share_above(setting, threshold=0.2, study="lafi"):
    """The share of all columns whose mean importance is above the threshold."""
    return float((mean_local(setting, study) > threshold).mean())


def is_separated(setting, n_true=5, threshold=0.2, study="lafi"):
    """Whether the threshold is between the mean importances of features and of noise."""
    least = mean_local(setting, study)[:n_true].min()
    return bool(least > threshold >= noise_local(setting, n_true, study))


def wine_error(setting, method, wines="once"):
    """Mean squared error on the test wines, of all rows or of each row once."""
    found = rows_with("repeated_wines", wines=wines, setting=setting, method=method)
    return found["test"].mean()


def wine_lower(setting, method, other, wines="once"):
    """In how many divisions of the wines a method has a lower error than another."""
    found = rows_with("repeated_wines", wines=wines, setting=setting)
    found = found.pivot(index="replicate", columns="method", values="test")
    return int((found[method] < found[other]).sum())


# --- the paper: reluctant_trees.csv, reluctant_marks.csv, reluctant_paper.csv --------------------


def sets():
    """The sets that were run."""
    return sorted(table("reluctant_marks")["set"].unique())


def printed(method, column):
    """A column of the paper's tables, on the sets that were run."""
    paper = table("reluctant_paper")
    paper = paper[(paper["method"] == method) & paper["set"].isin(sets())]
    return paper.set_index("set")[column].sort_index()


def marks(judge, method, rule="mark"):
    """The marks against all columns here; ``rule`` may be "mark_corrected"."""
    found = rows_with("reluctant_marks", against="all", judge=judge, method=method)
    return found.set_index("set")[rule].sort_index()


def counted(of):
    """Wins, losses and ties as the paper prints them."""
    return "/".join(str(int((of == sign).sum())) for sign in "+-=")


def counts(judge, rule="mark"):
    """Wins, losses and ties of the four selectors here, in words."""
    return ", ".join(f"{method} {counted(marks(judge, method, rule))}" for method in SELECTORS)


def printed_counts(judge):
    """The same as printed, on the sets that were run."""
    column = f"{judge}_mark"
    return ", ".join(f"{method} {counted(printed(method, column))}" for method in SELECTORS)


def as_printed(judges=("forest", "c45")):
    """How many marks are the printed ones."""
    return int(
        sum(
            (marks(judge, method) == printed(method, f"{judge}_mark")).sum()
            for judge in judges
            for method in SELECTORS
        )
    )


def gap(judge, method, against="all"):
    """Accuracy less that of another choice: the mean over the sets."""
    found = rows_with("reluctant_marks", against=against, judge=judge, method=method)
    return found["difference"].mean()


def kept(method):
    """Columns that a selector keeps, the mean for each set."""
    found = rows_with("reluctant_trees", study="sets", method=method)
    return found.groupby("set")["kept"].mean().sort_index()


def ratio_of_sizes(method):
    """Columns kept here over columns kept in print, the geometric mean over the sets."""
    return float(np.exp(np.log(kept(method) / printed(method, "kept")).mean()))


def sizes():
    """These ratios, in words."""
    return ", ".join(f"{method} {ratio_of_sizes(method):.2f}" for method in SELECTORS)


def fewer(method, than="RRF"):
    """In how many sets a selector keeps fewer columns than another."""
    return int((kept(method) < kept(than)).sum())


def off():
    """Mean distance of an accuracy here from the printed one."""
    found = rows_with("reluctant_trees", study="sets").groupby(["method", "set"])
    here = found[["forest", "c45"]].mean()
    gaps = [
        (here.loc[method, judge] - printed(method, judge)).abs()
        for method in ("all", *SELECTORS)
        for judge in ("forest", "c45")
    ]
    return float(np.mean(gaps))


def cost(method, name=None, study="path"):
    """Processor time of a choice in forests of 100 trees on all columns: the mean."""
    found = rows_with("reluctant_trees", study=study, method=method)
    return found[found["set"] == name]["time"].mean() if name else found["time"].mean()


def path_errors(name):
    """By split: the mean error on RRF's columns, and the least along the path of SVM-RFE."""
    found = rows_with("reluctant_trees", study="path", set=name)
    found = found.assign(error=1 - found["forest"])
    of = found.groupby(["method", "repetition"])["error"]
    return np.column_stack([of.mean()["RRF"], of.min()["SVM-RFE"]])


def gained(judge, first, last):
    """Accuracy on the vehicles with ``last`` columns less that with ``first``, by split."""
    found = rows_with("reluctant_trees", study="vehicle")
    found = found.pivot(index="repetition", columns="kept", values=judge)
    return (found[last] - found[first]).to_numpy()


def with_penalty(name, penalty, judge="forest"):
    """Accuracy with RRF's columns at a penalty, the mean over five replicates."""
    study, method = ("sets", "RRF") if penalty == "0.5" else ("penalties", penalty)
    found = rows_with("reluctant_trees", study=study, set=name, method=method)
    return found[found["repetition"] < 5][judge].mean()


def spread(penalties, judge="forest"):
    """The largest range over penalties on one of the five sets of that study."""
    names = rows_with("reluctant_trees", study="penalties")["set"].unique()
    each = [[with_penalty(name, p, judge) for p in penalties] for name in names]
    return float(np.ptp(each, axis=1).max())


def losses_of_rrf(name):
    """In how many of the splits RRF's mean error is above the least of the path."""
    found = path_errors(name)
    return int((found[:, 0] > found[:, 1]).sum())


# --- tables of other chapters --------------------------------------------------------------------


def pruned(data, pruning):
    """Mean error of a way to prune over its splits or draws."""
    return rows_with("pruning_compared", data=data, pruning=pruning)["error"].mean()


def estimate(world, learner, name):
    """Mean of an estimate of the error, or of the truth, over 200 sets."""
    return rows_with("error_estimates", world=world, learner=learner)[name].mean()


def naive_below():
    """In how many sets the naive estimate is below the truth."""
    return int((table("error_estimates")["naive"] < table("error_estimates")["truth"]).sum())


def naive_sets():
    """How many sets there are, of all worlds and learners."""
    return len(table("error_estimates"))


def per_node(column, m=3):
    """Mean squared error of forests with m candidates, drawn at every node or once for a tree."""
    return rows_with("once_for_a_tree", m=m)[column].mean()


# --- the thesis ----------------------------------------------------------------------------------


def count(name):
    """How many numbers an item has."""
    return len(gold(name))


def widest(*names):
    """The largest distance between what is printed and what it should be."""
    return max(float(np.max(np.abs(np.subtract(given(n), gold(n))))) for n in names)


def confirmed(method="treelab, Bonferroni, 0.01"):
    """In how many tables of noise treelab's Boruta confirms a column."""
    states = rows_with("shadows", study="noise", method=method)["states"]
    return int(states.str.contains("C").sum())


def noise_tables(method="treelab, Bonferroni, 0.01"):
    """How many tables of noise there are."""
    return len(rows_with("shadows", study="noise", method=method))


# --- the paper, again ----------------------------------------------------------------------------


def best_merit():
    """The largest merit of CFS on the mushrooms."""
    return max(gold("001-cfs-mush"))


def printed_fewer(method, than="RRF"):
    """In how many of the sets that were run a selector keeps fewer columns in print."""
    return int((printed(method, "kept") < printed(than, "kept")).sum())


def accuracies():
    """How many printed accuracies are compared."""
    return len(sets()) * (1 + len(SELECTORS)) * 2


def differences(judge, method, against="all"):
    """Accuracy less that of another choice, set by set."""
    found = table("reluctant_marks")
    found = found[(found["against"] == against) & (found["judge"] == judge)]
    return found[found["method"] == method].set_index("set")["difference"]


def half_width(judge, method, against="all"):
    """Half of the 95% interval of the mean difference over the sets."""
    each = differences(judge, method, against)
    return float(t.ppf(0.975, len(each) - 1) * each.sem())


def signed_ranks(judge, method, against="all"):
    """p-value of Wilcoxon's signed-rank test of the differences over the sets."""
    return float(wilcoxon(differences(judge, method, against)).pvalue)


def losses_and_wins(judge, method):
    """How many sets are marked as lost and as won."""
    of = marks(judge, method)
    return [int((of == sign).sum()) for sign in "-+"]


def accuracy(name, method, judge="forest"):
    """Mean accuracy on a set."""
    found = rows_with("reluctant_trees", study="sets", set=name)
    return found[found["method"] == method][judge].mean()


def ahead(method):
    """Accuracy of the forest less that of C4.5, the mean over the sets."""
    gaps = [accuracy(name, method) - accuracy(name, method, "c45") for name in sets()]
    return float(np.mean(gaps))


def sets_ahead(method):
    """In how many sets the forest is ahead of C4.5."""
    return sum(accuracy(name, method) > accuracy(name, method, "c45") for name in sets())


def least(name, method, against, judge="forest"):
    """The smallest difference that the corrected test would mark on a set."""
    found = rows_with("reluctant_marks", set=name, judge=judge, method=method, against=against)
    return found["least"].item()


def more(method, than):
    """By what share a selector keeps more columns than another, geometric mean over the sets."""
    return float(np.exp(np.log(kept(method) / kept(than)).mean()) - 1)


def printed_more(method, than):
    """The same in print."""
    return float(np.exp(np.log(printed(method, "kept") / printed(than, "kept")).mean()) - 1)


def path_gap(how):
    """The "min" or "max" over six splits of RRF's mean error less the least of the path."""
    gaps = [np.diff(path_errors(name)[:, ::-1], axis=1) for name in ("musk", "arrhythmia")]
    return float(getattr(np.concatenate(gaps), how)())


# --- the dissertation, again ---------------------------------------------------------------------


def medians(setting, methods=("LPSC", "LPUC", "forest", "mean")):
    """Medians of the test errors in words, the lowest first."""
    each = sorted((rows("prediction", setting, m)["test"].median(), m) for m in methods)
    return ", ".join(f"{'constant mean' if m == 'mean' else m} {short(e)}" for e, m in each)


def lower_than_all(setting, method):
    """In how many replicates a method has the least test error."""
    all_four = rows("prediction", setting).pivot(index="replicate", columns="method", values="test")
    return int((all_four.idxmin(axis=1) == method).sum())


def chosen(setting, place=0, replicate=0):
    """What a bin of LAFI chose: 0 is all rows, 1 and 2 the lower and the upper half."""
    picked = bins("lafi", setting, replicate)[place]
    words = [f"x{'₁₂'[k]}" for k in (0, 1) if picked[k]]
    noise = int(picked[2:].sum())
    return " and ".join(words + [f"{noise} of noise"] * (noise > 0)) or "nothing"


def noisiest(setting, n_true=2):
    """The largest importance of a column of noise, over the replicates."""
    return float(local(setting)[:, n_true:].max())


def lowest(setting, n):
    """The n features of least importance on average, in words."""
    means = local(setting).mean(axis=0)
    names = names_of(setting)
    return ", ".join(f"{names[k]} {means[k]:.2f}" for k in np.argsort(means, kind="stable")[:n])


def above(setting, n_true=5):
    """How many true features are above all of noise, the mean over the replicates."""
    found = local(setting)
    return float(
        (found[:, :n_true] > found[:, n_true:].max(axis=1, keepdims=True)).sum(axis=1).mean()
    )


def columns_kept(setting, threshold=0.2, study="lafi"):
    """How many columns LAFI keeps, the mean over the replicates."""
    return float((local(setting, study) > threshold).sum(axis=1).mean())


def last_ranks(setting, n):
    """The n features of largest mean rank in forests, the last first, in words."""
    means = ranks(setting, "forest", study=setting).mean(axis=0)
    names = names_of(setting)
    return ", ".join(f"{names[k]} {means[k]:.1f}" for k in np.argsort(-means, kind="stable")[:n])


def finds_of(way, setting, n=5, letters="xyzwq"):
    """In how many replicates a way has each feature among the first n, in words."""
    each = ", ".join(f"{name} {often(setting, way, k, n)}" for k, name in enumerate(letters))
    return f"{each} of {replicates(setting)}"


def seconds(method):
    """Processor time of a replicate of the simulations with 50 columns of noise."""
    found = rows_with("local_importance", study="selection", method=method)
    names = ["sine, factor 10", "sine, factor 1", "exponential"]
    return found[found["setting"].isin(names)]["seconds"].mean()


# --- bicycles of the thesis: bicycles_end_to_end.csv ---------------------------------------------


def made(name, study):
    """Whether there is a table with rows of a study."""
    return (FOLDER / f"{name}.csv").exists() and (table(name)["study"] == study).any()


def made_rows(name):
    """The rows of a table; none where there is no table yet."""
    return table(name) if (FOLDER / f"{name}.csv").exists() else pd.DataFrame()


def bicycles(study, key):
    """Methods and values of a study of chapter 18, as text."""
    found = rows_with("bicycles_end_to_end", study=study, key=key)
    return found.assign(value=found["value"].astype(str))


def importances_of(kind, target, study="settings"):
    """The importances under all settings, or of ten random states; (n_rows, 13)."""
    found = rows_with("all_settings", study=study, model=kind, target=target)
    return np.array([text.split() for text in found["importance"]], dtype=float)


def spread_of(kind, target="cnt", study="settings"):
    """How far importances are from their mean: the proportion that is at another feature."""
    each = importances_of(kind, target, study)
    return float(np.abs(each - each.mean(axis=0)).sum(axis=1).mean() / 2)


def distance_of(kind, target, other):
    """The same between the mean importances for two targets."""
    means = [importances_of(kind, name).mean(axis=0) for name in (target, other)]
    return float(np.abs(means[0] - means[1]).sum() / 2)


def first_of(kind, target, n):
    """The n features of largest mean importance over the settings, counted from 1."""
    return [int(j) + 1 for j in np.argsort(-importances_of(kind, target).mean(axis=0))[:n]]


def path_error(kind, features, column="test"):
    """Mean absolute error with so many features, the mean over the settings."""
    return rows_with("all_settings_path", model=kind, features=features)[column].mean()


def between_groups(kind, features):
    """The proportion of the variance of the test errors that is between stopping criteria."""
    found = rows_with("all_settings_path", model=kind, features=features)
    groups = found.fillna({"max_depth": 0}).groupby(
        ["max_depth", "min_samples_split", "min_samples_leaf"]
    )["test"]
    return float(groups.transform("mean").var(ddof=0) / found["test"].var(ddof=0))


def extended_importances(kind, standard=False):
    """The importances under each setting of the extended grid, or of the standard one in it."""
    found = rows_with("extended_grid", model=kind)
    found = found[found["standard"]] if standard else found
    return np.array([text.split() for text in found["importance"]], dtype=float)


def extended_spread(kind):
    """As `spread_of`, under the extended grid."""
    each = extended_importances(kind)
    return float(np.abs(each - each.mean(axis=0)).sum(axis=1).mean() / 2)


def extended_distance(kind):
    """As `distance_of`, between the means of the standard and of the extended grid."""
    means = [extended_importances(kind, standard).mean(axis=0) for standard in (True, False)]
    return float(np.abs(means[0] - means[1]).sum() / 2)


def rankings(target=""):
    """How many rankings of the columns there are, of one target or of all."""
    return int(bicycles("thesis ranking", "ranking")["method"].str.endswith(target).sum())


def places_of(key, column, n, target=""):
    """In how many of these rankings a column, counted from 1, is among the first n."""
    found = bicycles("thesis ranking", key)
    found = found[found["method"].str.endswith(target)]
    return int(sum(str(column) in each.split()[:n] for each in found["value"]))


def thesis_error(kind, columns, way="random, cnt"):
    """Mean absolute error with so many columns, the mean over the seeds."""
    found = bicycles("thesis errors", way)
    return found[found["method"] == f"{kind}, {columns}"]["value"].astype(float).mean()


def own_error(kind, columns):
    """Mean absolute error with so many of the model's own first columns, over the draws."""
    found = rows_with("bicycles_ranked", study="errors", method=f"{kind}, {columns}")
    return found["value"].astype(float).mean()


def orders_of_casual(method):
    """The orders of the columns in forests for the casual riders; list of list of str."""
    found = rows_with("bicycles_ranked", study="ranking", method=method)
    return [order.split() for order in found["value"]]


def in_this_order(method, order="5 8 11 10 12"):
    """In how many of these forests the columns begin in an order."""
    return sum(each[:5] == order.split() for each in orders_of_casual(method))


def settings_chosen(kind):
    """The best settings of a grid, by seed, each once."""
    found = bicycles("thesis stability", "chosen")
    return list(dict.fromkeys(found[found["method"] == kind]["value"]))


def begin_with(method, order, place):
    """In how many rankings of a method the columns begin in an order (place 0), of how many (1)."""
    found = bicycles("thesis ranking", "ranking")
    found = found[found["method"] == method]["value"]
    return [int(found.str.startswith(order + " ").sum()), len(found)][place]


def seeds_of(kind):
    """How many seeds a grid was searched with; 0 where it was not."""
    if not made("bicycles_end_to_end", "thesis stability"):
        return 0
    return int((bicycles("thesis stability", "ranking")["method"] == kind).sum())


def swaps(kind, what="swaps"):
    """What two rankings of the settings of a grid differ by, the mean over the pairs of seeds."""
    found = bicycles("thesis stability", "ranking")
    orders = [each.split() for each in found[found["method"] == kind]["value"]]
    return float(np.mean([compare_rankings(a, b)[what] for a, b in combinations(orders, 2)]))


@cache
def by_seed(kind, what="swaps"):
    """What two rankings in ``swaps_by_seed.csv`` differ by, the mean over all pairs of seeds."""
    found = rows_with("swaps_by_seed", model=kind)["ranking"]
    orders = np.array([[int(number) for number in each.split()] for each in found])
    return float(mean_differences(orders)[what])


def replicates_by_seed(kind):
    """With how many seeds the settings of a model were ranked there."""
    return len(rows_with("swaps_by_seed", model=kind))


def by_depth(what):
    """On how many of the four tables the depth has the larger mean of a measure than the leaf."""
    means = table("proximity_by_depth").groupby(["proximity", "table"])[what].mean()
    return int((means["depth"] > means["leaf"]).sum())


def in_order(way):
    """In how many of the draws an estimate of mutual information puts the correlations in order."""
    found = table("information_of_numbers").pivot(index="draw", columns="rho", values=way)
    return int((found.diff(axis=1).iloc[:, 1:] > 0).all(axis=1).sum())


def information_error(way, rho):
    """Mean absolute error of an estimate of mutual information, in bits."""
    found = rows_with("information_of_numbers", rho=rho)
    return float((found[way] - found["truth"]).abs().mean())


def in_farms(way, model, rule):
    """Return the rows of ``boosting_eliminates.csv`` of a way and a model, a row for each farm."""
    return rows_with("boosting_eliminates", way=way, model=model, rule=rule or way)


def kept_in_farms(way, model, rule=None):
    """How many features a way keeps, the mean over the farms."""
    return float(in_farms(way, model, rule)["kept"].mean())


def error_in_farms(way, model, rule=None):
    """Mean test error of the model that chose over the farms, in percent of rated power."""
    return float(in_farms(way, model, rule)[model].mean())


def less_in_farms(way, other, model):
    """The test error of a way less that of another over the farms, with a 95% interval."""
    errors_of = [in_farms(each, model, None).set_index("farm")[model] for each in (way, other)]
    gaps = errors_of[0] - errors_of[1]
    half = t.ppf(0.975, len(gaps) - 1) * gaps.sem()
    return f"{gaps.mean():.2f} ± {half:.2f}".replace("-", "−")
