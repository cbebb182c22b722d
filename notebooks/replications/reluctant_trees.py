"""What regularized trees choose, and whether it is enough: the paper's experiment once more.

Deng and Runger (2012), section VI, on sixteen of the eighteen sets; gina and hiva are left out.
Horse has 21 inputs here, for its outcome is known only afterwards; waveform is drawn anew,
HillValley is the first part of its file, and a split on levels has two sides.

- sets: ten replicates of two-fold cross-validation, stratified. The rows of one fold choose, by RRF
  and RBoost (100 trees, penalty 0.5), CFS and FCBF as Weka sets them, or not at all; two judges
  learn from the same rows and say the classes of the other fold: a forest of 200 trees and C4.5 as
  J48. How many columns the judge's nodes try the paper does not say. `forest` tries the root of the
  columns it gets, rounded up, as the paper's own trees do; `forest_log` is the same judge by Weka's
  default, log2 of the columns, rounded down, plus 1. (Versions of that time count the class, too.)
- penalties: RRF of five replicates with other penalties, five sets.
- path: three splits of musk and of arrhythmia into halves. The order in which SVM-RFE drops the
  columns, as Weka sets it, and the judge on each number of columns up to 50 and on every fifth
  above; ten runs of RRF.
- vehicle: ten splits into halves; columns added in random order, judges as above, and naive Bayes.

`time` is the processor time of the choice in units of a forest of 100 trees on all columns. Gaps
get the median or the most frequent level of the rows that choose. Where FCBF keeps nothing, it
gets its first column, as in Weka. On Arcene CFS searches only columns that say something on their
own about the class: the others cannot enter.

Writes `reluctant_trees.csv`, a row for each choice: study, set, repetition, fold, method, kept,
time, the share of right classes by each judge, and the numbers of the columns where RRF runs again
on the same rows. From it comes `reluctant_marks.csv`, see `marks`. Takes 40 minutes.
"""

import sys
import time
import warnings
from functools import cache
from math import ceil, floor, log2, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from treelab import C45Classifier, RandomForestClassifier, datasets
from treelab.fast.selection import (
    SVMRFE,
    CFSSelector,
    FCBFSelector,
    RegularizedBoostSelector,
    RegularizedForestSelector,
)

RESULT = Path(__file__).with_suffix(".csv")
MARKS = RESULT.with_name("reluctant_marks.csv")
COLUMNS = ["study", "set", "repetition", "fold", "method", "kept", "time"]
COLUMNS += ["forest", "forest_log", "c45", "bayes", "columns"]
WAYS = ("all", "RRF", "RBoost", "CFS", "FCBF")
FETCH = {  # about in the order of what they cost
    "parkinsons": datasets.fetch_parkinsons,
    "sonar": datasets.fetch_sonar,
    "iono": datasets.fetch_ionosphere,
    "horse": datasets.fetch_horse_colic,
    "german": datasets.fetch_german_credit,
    "musk": datasets.fetch_musk1,
    "hypo": datasets.fetch_hypothyroid,
    "sick": datasets.fetch_sick,
    "HillValley": datasets.fetch_hill_valley,
    "arrhythmia": datasets.fetch_arrhythmia,
    "auto": datasets.fetch_auto,
    "madelon": datasets.fetch_madelon,
    "arcene": datasets.fetch_arcene,
    "ada": datasets.fetch_ada,
    "waveform": None,
    "anneal": datasets.fetch_anneal,
}
PENALTIES = (0.1, 0.25, 1.0)
OF_PENALTIES = ("parkinsons", "sonar", "iono", "musk", "madelon")
TREES = 200
MANY = 1000  # columns; CFS does not search more
LEVEL = 0.05


@cache
def table(name):
    """Inputs, a DataFrame, and classes."""
    if name == "waveform":
        X, y = datasets.make_waveform(5000, random_state=0)
        return pd.DataFrame(X), y
    fetch = datasets.fetch_vehicle if name == "vehicle" else FETCH[name]
    X, y = fetch(return_X_y=True)
    if name == "HillValley":  # the first of its two parts
        X, y = X.iloc[:606], y.iloc[:606]
    return X, np.asarray(y)


def filled(X, rows):
    """A copy without gaps; what fills them is known from `rows` alone."""
    X = X.copy()
    for name in X.columns[X.isna().any()]:
        column = X[name]
        known = column.iloc[rows].dropna()
        if known.empty:
            X[name] = 0.0
        elif column.dtype == "category":
            X[name] = column.fillna(known.mode().iloc[0])
        else:
            X[name] = column.fillna(known.median())
    return X


def halves(name, repetition, fold):
    """Rows that choose and learn, X and y, and rows that are asked; seed."""
    X, y = table(name)
    parts = StratifiedKFold(2, shuffle=True, random_state=repetition).split(X, y)
    train, test = list(parts)[fold]
    X = filled(X, train)
    return (X.iloc[train], y[train]), (X.iloc[test], y[test]), 2 * repetition + fold


def timed(call):
    """Processor time of a call, and what it returns."""
    begin = time.process_time()
    found = call()
    return time.process_time() - begin, found


def forest(tried, seed):
    """The judge that is a forest, whose nodes try so many columns."""
    return RandomForestClassifier(TREES, max_features=tried, random_state=seed)


def by_root(d):
    """How many of `d` columns a node tries: the root, rounded up."""
    return ceil(sqrt(d))


def by_log(d):
    """How many of `d` columns a node tries in Weka."""
    return floor(log2(d)) + 1


def unit(train, seed):
    """Processor time of an ordinary forest of 100 trees on all columns."""
    judge = forest(by_root(train[0].shape[1]), seed).set_params(n_estimators=100)
    return timed(lambda: judge.fit(*train))[0]


def judged(train, test, kept, seed, judges=("forest", "forest_log", "c45")):
    """Share of right classes by each judge, on the columns that are kept; dict."""
    (X, y), (new, truth) = train, test
    X, new, d, shares = X.loc[:, kept], new.loc[:, kept], int(np.sum(kept)), {}
    for judge in judges:
        if judge == "forest_log" and by_log(d) == by_root(d):
            shares[judge] = shares["forest"]
            continue
        model = {
            "forest": lambda: forest(by_root(d), seed),
            "forest_log": lambda: forest(by_log(d), seed),
            "c45": C45Classifier,
            "bayes": GaussianNB,
        }[judge]()
        shares[judge] = model.fit(X, y).score(new, truth)
    return shares


def relevant(X, y):
    """Mask of the columns that say something on their own about the class."""
    return FCBFSelector().fit(X, y).relevance_ > 0


def chosen(way, X, y, seed, penalty=0.5):
    """Mask of the columns that a way keeps."""
    if way == "RRF":
        return RegularizedForestSelector(penalty, random_state=seed).fit(X, y).support_
    if way == "RBoost":
        return RegularizedBoostSelector(penalty, random_state=seed).fit(X, y).support_
    if way == "CFS":
        cfs = CFSSelector(convention="weka", locally_predictive=True)
        kept = np.full(X.shape[1], True) if X.shape[1] < MANY else relevant(X, y)
        kept[kept] = cfs.fit(X.loc[:, kept], y).support_
        return kept
    if way == "FCBF":
        fcbf = FCBFSelector().fit(X, y)
        return fcbf.support_ if fcbf.support_.any() else fcbf.ranking_ == 1
    return np.ones(X.shape[1], dtype=bool)


def of_a_fold(name, repetition, fold, ways=WAYS):
    """A row for each way, of one fold; yields dict."""
    train, test, seed = halves(name, repetition, fold)
    ordinary, shares = unit(train, seed), {}
    for way in ways:
        took, kept = timed(lambda way=way: chosen(way, *train, seed))
        if (some := kept.tobytes()) not in shares:
            shares[some] = judged(train, test, kept, seed)
        yield {
            "study": "sets", "set": name, "repetition": repetition, "fold": fold, "method": way,
            "kept": kept.sum(), "time": took / ordinary, **shares[some],
        }  # fmt: skip


def with_penalties(name, repetition, fold, penalties=PENALTIES):
    """A row for each penalty, of one fold; yields dict."""
    train, test, seed = halves(name, repetition, fold)
    for penalty in penalties:
        kept = chosen("RRF", *train, seed, penalty)
        yield {
            "study": "penalties", "set": name, "repetition": repetition, "fold": fold,
            "method": f"{penalty:g}", "kept": kept.sum(),
            **judged(train, test, kept, seed, ("forest", "c45")),
        }  # fmt: skip


def sizes(d):
    """How many columns are left where the judge is asked: all, every fifth number, each to 50."""
    return [k for k in range(d, 0, -1) if k == d or k % 5 == 0 or k <= 50]


def along_a_path(name, repetition, runs=10, methods=("SVM-RFE", "RRF")):
    """A row for each number of columns that SVM-RFE has left, and for each run of RRF."""
    train, test, seed = halves(name, repetition, 0)
    ordinary, d = unit(train, seed), train[0].shape[1]
    row = {"study": "path", "set": name, "repetition": repetition}
    if "SVM-RFE" in methods:
        rfe = SVMRFE(scale="normalize", multiclass="each", n_features_to_select=1)
        took, rfe = timed(lambda: rfe.fit(*train))
        for k in sizes(d):
            shares = judged(train, test, rfe.ranking_ <= k, seed, ("forest",))
            yield row | {"method": "SVM-RFE", "kept": k, "time": took / ordinary, **shares}
    for run in range(runs if "RRF" in methods else 0):
        took, kept = timed(lambda run=run: chosen("RRF", *train, run))
        yield row | {
            "fold": run, "method": "RRF", "kept": kept.sum(), "time": took / ordinary,
            "columns": " ".join(map(str, np.flatnonzero(kept))),
            **judged(train, test, kept, seed, ("forest",)),
        }  # fmt: skip


def one_more(repetition):
    """A row for each number of columns of vehicle, added in random order; yields dict."""
    train, test, seed = halves("vehicle", repetition, 0)
    d = train[0].shape[1]
    order = np.random.default_rng(repetition).permutation(d)
    for k in range(1, d + 1):
        kept = np.isin(np.arange(d), order[:k])
        shares = judged(train, test, kept, seed, ("forest", "c45", "bayes"))
        yield {
            "study": "vehicle", "set": "vehicle", "repetition": repetition,
            "method": "random order", "kept": k, **shares,
        }  # fmt: skip


# --- marks ------------------------------------------------------------------------------


def compared(differences):
    """Two t-tests of the differences of two ways in accuracy, two-sided.

    Parameters
    ----------
    differences : array-like of shape (n_replicates, 2)
        Of each fold of each replicate of a two-fold cross-validation.

    Returns
    -------
    dict
        ``difference``, the mean; ``p``, of the paired t-test over the replicates, each the mean of
        its folds; ``p_corrected``, and ``least``, the smallest difference that the corrected test
        would mark. It takes the variance of the mean of J differences for (1/J + n2/n1) times that
        of a difference, with n1 rows that learn and n2 that are asked: in two halves 1/J + 1.
        Without any scatter p is 1 where the difference is 0, else 0.

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error.
    """
    each = np.asarray(differences, dtype=float)
    replicates, J = each.mean(axis=1), each.size
    errors = {
        "p": (replicates.std(ddof=1) / sqrt(len(replicates)), len(replicates) - 1),
        "p_corrected": (each.std(ddof=1) * sqrt(1 / J + 1), J - 1),
    }
    found = {"difference": each.mean()}
    for name, (error, freedom) in errors.items():
        if error < 1e-12:
            found[name] = float(abs(found["difference"]) < 1e-12)
        else:
            found[name] = 2 * stats.t.sf(abs(found["difference"]) / error, freedom)
    found["least"] = stats.t.ppf(1 - LEVEL / 2, J - 1) * errors["p_corrected"][0]
    return found


def marks(rows):
    """Which choices a judge finds better (+) or worse (-) than all columns; DataFrame.

    Parameters
    ----------
    rows : DataFrame
        Those of `reluctant_trees.csv`.

    Returns
    -------
    DataFrame
        For each set, each judge, each method, and what it is held `against`: all columns, or for
        RRF also RBoost. The columns of `compared`, ``mark`` at 0.05 by the paper's rule and
        ``mark_corrected``: "+", "-" or "=".
    """
    rows, found = rows[rows["study"] == "sets"], []
    pairs = [(way, "all") for way in WAYS[1:]] + [("RRF", "RBoost")]
    for name in rows["set"].unique():
        of_set = rows[rows["set"] == name]
        for judge in ("forest", "forest_log", "c45"):
            value = of_set.pivot_table(judge, ["repetition", "fold"], "method")
            for method, against in pairs:
                difference = (value[method] - value[against]).unstack()
                row = {"set": name, "judge": judge, "method": method, "against": against}
                row |= compared(difference)
                for of in ("", "_corrected"):
                    sign = "+" if row["difference"] > 0 else "-"
                    row["mark" + of] = sign if row["p" + of] < LEVEL else "="
                found.append(row)
    return pd.DataFrame(found)


def studies():
    """Each study, and of each set the calls that make its rows."""
    for name in FETCH:
        yield "sets", name, [(of_a_fold, name, k, fold) for k in range(10) for fold in (0, 1)]
    yield "vehicle", "vehicle", [(one_more, k) for k in range(10)]
    for name in ("musk", "arrhythmia"):
        yield "path", name, [(along_a_path, name, k) for k in range(3)]
    for name in OF_PENALTIES:
        calls = [(with_penalties, name, k, fold) for k in range(5) for fold in (0, 1)]
        yield "penalties", name, calls


def save(new, study, name):
    """Put the rows of a study and a set in the place of those that were there."""
    new = pd.DataFrame(new, columns=COLUMNS).round(6)
    if RESULT.exists():
        old = pd.read_csv(RESULT, dtype={"method": str, "columns": str})
        new = pd.concat([old[(old["study"] != study) | (old["set"] != name)], new])
    whole = new.astype({"kept": "Int64", "fold": "Int64"})
    whole.to_csv(RESULT, index=False, float_format="%.6g")
    marks(whole).to_csv(MARKS, index=False, float_format="%.6g")


def main(only=None):
    """Make all studies, or those named, as a study or as study:set."""
    warnings.simplefilter("ignore")
    for study, name, calls in studies():
        if only and study not in only and f"{study}:{name}" not in only:
            continue
        begin = time.process_time()
        rows = [row for make, *given in calls for row in make(*given)]
        took = time.process_time() - begin
        save(rows, study, name)
        print(study, name, len(rows), round(took), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
