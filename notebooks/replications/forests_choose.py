"""Which columns forests choose, what the choice costs, and what its own error is worth.

- sets: four tables, ten splits into halves. One half chooses, the other judges a forest of 100
  trees on the columns that are kept: mean squared error as a share of the target's variance, or
  share of wrong classes. `time` is the processor time of the choice in units of one forest of 100
  trees on all columns by the same program: scikit-learn's for RFECV and the lasso, treelab's for
  the others. The columns that are kept make the stability. RFECV is scikit-learn's rule on the
  sizes of the eliminations, for its own `step` is a share of all columns, not of those left.
- lots: as many bands of the sonar as Boruta keeps on a half, drawn by lot and judged likewise.
- perc: bicycles with 100 columns of noise, five halves: what Boruta confirms in 30 runs by three
  percentiles.
- optimism: 50 draws of rows to fit on and rows to choose by, the rest are new. Elimination takes
  the set of least error on the rows to choose by; `value` is that error, `new` the one on the rest;
  for comparison those of all columns. Bicycles with noise, and 40 columns of noise with classes by
  lot.
- copies: 20 draws of 200 rows where the target is a + 0.8 b + 0.8 c and noise, with two columns of
  noise and copies of a. Elimination one by one: `value` says whether the best two have a or a copy,
  `new` is their error out of bag. And 20 draws of 150 rows with nearly equal copies of a weak
  column: how many of this family Boruta confirms.
- search: columns chosen, then a grid of settings, 20 halves of the sonar, with the classes as they
  are and shuffled. Accuracy of the best settings by cross-validation where all rows chose the
  columns, where each fold chose anew and searched within; `new` on the half without a part in it.

Writes `forests_choose.csv`: study, set, repetition, method, value, new, time, kept, noise (columns
of noise among the kept) and columns, their numbers. Takes an hour.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.ensemble import RandomForestClassifier as Judge
from sklearn.ensemble import RandomForestRegressor as NumberJudge
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LassoCV, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold, check_cv, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.datasets import fetch_bike_sharing, fetch_musk1, fetch_ozone, fetch_sonar
from treelab.fast.selection import Boruta, ForestRFE, elimination_sizes

RESULT = Path(__file__).with_suffix(".csv")
COLUMNS = ["study", "set", "repetition", "method", "value", "new", "time", "kept", "noise"]
COLUMNS += ["columns"]
NOISE = 100  # columns added to the bicycles
WAYS = ("all columns", "one standard error", "α = 0.5 sd", "Boruta", "RFECV", "lasso")


def bicycles():
    """Days of 2011 and 2012 with 100 columns of noise behind the eleven real ones."""
    X, y = fetch_bike_sharing("day", return_X_y=True)
    noise = np.random.default_rng(0).normal(size=(len(X), NOISE))
    return np.hstack([X.to_numpy(float), noise]), y.to_numpy(float)


def table(name):
    """Columns without names, and the target: numbers, or classes 0 and 1."""
    if name == "bicycles":
        return bicycles()
    X, y = {"ozone": fetch_ozone, "sonar": fetch_sonar, "musk": fetch_musk1}[name](return_X_y=True)
    if name == "ozone":
        whole = X.notna().all(axis=1)
        return X[whole].to_numpy(float), y[whole].to_numpy(float)
    return X.to_numpy(float), np.unique(y, return_inverse=True)[1]


def halves(n, repetition):
    """Two halves of the rows."""
    return np.array_split(np.random.default_rng(repetition).permutation(n), 2)


def judge(y):
    """The forest that judges every way."""
    return (Judge if y.dtype.kind == "i" else NumberJudge)(100, random_state=0)


def error(model, X, y):
    """Share of wrong classes, or mean squared error over the variance."""
    wrong = (model.predict(X) - y) ** 2
    return np.mean(wrong != 0) if is_classifier(model) else wrong.mean() / y.var()


def ranked_anew(model, X, y, sizes):
    """Each set of an elimination, with the model that has been fitted on it and ranks the next."""
    some = np.arange(X.shape[1])
    for size, following in zip(sizes, [*sizes[1:], 0], strict=True):
        assert len(some) == size
        yield some, model.fit(X[:, some], y)
        some = some[np.sort(np.argsort(model.feature_importances_)[size - following :])]


def by_cross_validation(model, X, y, sizes):
    """The set that RFECV keeps, on any sizes: of least mean error over five folds, ranked in each.

    Of several sizes the smallest counts.
    """
    errors = np.array([
        [error(fitted, X[test][:, some], y[test])
         for some, fitted in ranked_anew(model, X[train], y[train], sizes)]
        for train, test in check_cv(None, y, classifier=is_classifier(model)).split(X, y)
    ])  # fmt: skip
    best = len(sizes) - 1 - errors.mean(axis=0)[::-1].argmin()
    return [some for some, _ in ranked_anew(model, X, y, sizes[: best + 1])][-1]


def grown(y):
    """The forest of treelab that is asked for the importances."""
    return RandomForestClassifier if y.dtype.kind == "i" else RandomForestRegressor


def choose(way, X, y, seed):
    """Mask of the columns that a way keeps."""
    classes, forest = y.dtype.kind == "i", grown(y)
    if way == "all columns":
        return np.ones(X.shape[1], dtype=bool)
    if way == "lasso":
        lasso = LassoCV(cv=5, random_state=0)
        if classes:
            lasso = LogisticRegressionCV(
                Cs=8, cv=5, l1_ratios=(1,), solver="liblinear", random_state=0,
                use_legacy_attributes=False, scoring="accuracy",
            )  # fmt: skip
        kept = make_pipeline(StandardScaler(), SelectFromModel(lasso, threshold=1e-10)).fit(X, y)
        return kept[-1].get_support()
    if way == "RFECV":
        kept = by_cross_validation(
            judge(y), X, y, elimination_sizes(X.shape[1], 0.2, rule="one_se")
        )
        return np.isin(np.arange(X.shape[1]), kept)
    chooser = {
        "one standard error": lambda: ForestRFE(forest(100), random_state=seed),
        "α = 0.5 sd": lambda: ForestRFE(
            forest(100), rule="alpha_sd", alpha=0.5, importance="mdi", random_state=seed
        ),
        "Boruta": lambda: Boruta(forest(100, max_depth=5), random_state=seed),
    }[way]()
    return chooser.fit(X, y).support_


def timed(call, *given):
    """Processor time of a call, and what it returns."""
    begin = time.process_time()
    found = call(*given)
    return time.process_time() - begin, found


def of_a_set(name, repetition, only=WAYS):
    """A row for each way, of one split."""
    X, y = table(name)
    train, test = halves(len(X), repetition)
    theirs, _ = timed(judge(y).fit, X[train], y[train])
    ours, _ = timed(grown(y)(100, random_state=0).fit, X[train], y[train])
    for way in only:
        took, kept = timed(choose, way, X[train], y[train], repetition)
        took /= theirs if way in ("RFECV", "lasso") else ours
        model = judge(y).fit(X[train][:, kept], y[train])
        made = kept[-NOISE:].sum() if name == "bicycles" else np.nan
        numbers = " ".join(map(str, np.flatnonzero(kept)))
        wrong = error(model, X[test][:, kept], y[test])
        yield "sets", name, repetition, way, wrong, np.nan, took, kept.sum(), made, numbers


def by_lot(repetition):
    """As many bands of the sonar as Boruta keeps, drawn by lot; a row."""
    X, y = table("sonar")
    train, test = halves(len(X), repetition)
    kept = choose("Boruta", X[train], y[train], repetition).sum()
    drawn = np.sort(np.random.default_rng([5, repetition]).permutation(X.shape[1])[:kept])
    model = judge(y).fit(X[train][:, drawn], y[train])
    numbers = " ".join(map(str, drawn))
    wrong = error(model, X[test][:, drawn], y[test])
    yield "lots", "sonar", repetition, "by lot", wrong, np.nan, np.nan, kept, np.nan, numbers


def by_percentile(repetition, percentiles=(100, 75, 50)):
    """Boruta's confirmed columns by three bars, of one half of the bicycles."""
    X, y = bicycles()
    rows = halves(len(X), repetition)[0]
    for perc in percentiles:
        forest = RandomForestRegressor(30, max_depth=5)
        boruta = Boruta(forest, perc=perc, max_runs=30, random_state=repetition)
        boruta.fit(X[rows], y[rows])
        kept = boruta.support_
        yield (
            "perc", "bicycles", repetition, f"perc={perc}", boruta.n_runs_, np.nan, np.nan,
            kept.sum(), kept[-NOISE:].sum(), "",
        )  # fmt: skip


def chosen_error(name, repetition):
    """The least error along an elimination, and the error of the same set on new rows."""
    rng = np.random.default_rng([1, repetition])
    if name == "bicycles":
        X, y = bicycles()
        forest = RandomForestRegressor(50)
        rows = rng.permutation(len(X))
        train, judges, new = rows[:200], rows[200:250], rows[250:]
    else:
        X, y = rng.normal(size=(1000, 40)), rng.integers(0, 2, 1000)
        forest = RandomForestClassifier(50)
        train, judges, new = np.split(np.arange(1000), [100, 150])
    rfe = ForestRFE(
        forest, rule="alpha_sd", alpha=0, importance="mdi", error="validation",
        random_state=repetition,
    ).fit(X[train], y[train], held_out=(X[judges], y[judges]))  # fmt: skip
    rounds = rfe.rounds_table()
    ways = {
        "all columns": (rounds["error"][0], np.ones(X.shape[1], dtype=bool)),
        "least error": (rounds["error"].min(), rfe.support_),
    }
    for way, (seen, kept) in ways.items():
        model = forest.set_params(random_state=repetition).fit(X[train][:, kept], y[train])
        fresh = np.mean((model.predict(X[new][:, kept]) - y[new]) ** 2)
        made = kept[-NOISE:].sum() if name == "bicycles" else kept.sum()
        yield "optimism", name, repetition, way, seen, fresh, np.nan, kept.sum(), made, ""


def copied(copies, repetition):
    """Two features left of some: is the strongest, or a copy? A row for each ranking."""
    rng = np.random.default_rng([3, repetition])
    X = rng.normal(size=(200, 5))
    y = X @ [1, 0.8, 0.8, 0, 0] + rng.normal(0, 0.5, 200)
    X = np.column_stack([X, *[X[:, 0]] * copies])
    for rank in ("once", "anew"):
        rfe = ForestRFE(RandomForestRegressor(50), rank=rank, step=1, random_state=repetition)
        rfe.fit(X, y)
        two = set(np.flatnonzero(rfe.ranking_ <= 2).tolist())
        found = int(bool(two & {0, *range(5, 5 + copies)}))
        wrong = rfe.rounds_[-1]["error"]
        numbers = " ".join(map(str, sorted(two)))
        yield (
            "copies",
            f"{copies} copies",
            repetition,
            rank,
            found,
            wrong,
            np.nan,
            2,
            pd.NA,
            numbers,
        )


def crowded(copies, repetition):
    """How many of a weak column and its copies Boruta confirms; a row."""
    rng = np.random.default_rng([4, repetition])
    X = rng.normal(size=(150, 5))
    y = X @ [1, 0.5, 0, 0, 0] + rng.normal(size=150)
    near = X[:, [1]] + rng.normal(0, 0.05, (150, copies))
    boruta = Boruta(RandomForestRegressor(50, max_depth=5), random_state=repetition)
    kept = boruta.fit(np.column_stack([X, near]), y).support_
    family = kept[[1, *range(5, 5 + copies)]]
    yield (
        "copies", f"{copies} copies", repetition, "Boruta", family.sum(), np.nan, np.nan,
        kept.sum(), kept[2:5].sum(), "",
    )  # fmt: skip


def searched(name, repetition):
    """Accuracy of a search after a choice: seen by the choice, nested, and on the other half."""
    X, y = table("sonar")
    rng = np.random.default_rng([2, repetition])
    if name == "shuffled":
        y = rng.permutation(y)
    work, other = halves(len(X), repetition)
    X, y, new_X, new_y = X[work], y[work], X[other], y[other]
    choice = ForestRFE(
        RandomForestClassifier(50), rule="alpha_sd", importance="mdi", alpha=0.5,
        random_state=repetition,
    )  # fmt: skip
    grid = {"max_features": [1, "sqrt", 0.5], "min_samples_leaf": [1, 3, 8]}
    folds = StratifiedKFold(4, shuffle=True, random_state=repetition)
    search = GridSearchCV(Judge(40, random_state=0), grid, cv=folds)
    kept = choice.fit(X, y).support_
    search.fit(X[:, kept], y)
    dishonest = search.best_score_
    fresh = search.score(new_X[:, kept], new_y)
    nested = cross_val_score(make_pipeline(choice, search), X, y, cv=folds).mean()
    for way, value in (("chosen on all rows", dishonest), ("nested", nested)):
        yield "search", name, repetition, way, value, fresh, np.nan, kept.sum(), np.nan, ""


def studies():
    """Each study as the calls that make its rows."""
    yield "optimism", [(chosen_error, name, k) for name in ("bicycles", "noise") for k in range(50)]
    yield "lots", [(by_lot, k) for k in range(10)]
    yield "perc", [(by_percentile, k) for k in range(5)]
    eliminated = [(copied, copies, k) for copies in (0, 1, 3) for k in range(20)]
    yield "copies", eliminated + [(crowded, copies, k) for copies in (0, 4) for k in range(20)]
    yield "search", [(searched, name, k) for name in ("sonar", "shuffled") for k in range(20)]
    names = ("ozone", "sonar", "bicycles", "musk")
    yield "sets", [(of_a_set, name, k) for name in names for k in range(10)]


def main(only=None):
    """Make all studies, or those named, and keep the rows of the others."""
    warnings.simplefilter("ignore")
    for study, calls in studies():
        if only and study not in only:
            continue
        rows = [row for make, *given in calls for row in make(*given)]
        new = pd.DataFrame(rows, columns=COLUMNS).astype({"kept": "Int64", "noise": "Int64"})
        old = pd.read_csv(RESULT).query("study != @study") if RESULT.exists() else None
        whole = new if old is None else pd.concat([old, new.round(6)])
        whole = whole.astype({"kept": "Int64", "noise": "Int64"})
        whole.to_csv(RESULT, index=False, float_format="%.6g")
        print(study, len(rows), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
