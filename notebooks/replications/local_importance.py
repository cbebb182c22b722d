"""Importance that changes from place to place: the simulations of Niyaghi (2019).

Each has 10 000 rows and 50 columns of noise, unless said otherwise: the sine as printed, with the
factor 10, and as the tables need it, with 1; the exponential product; the products with noise of
standard deviation 10, as printed, and 1. A forest beside clusters has "the same total number of
trees": 100 for each cluster. Replicate r has the seed r, for the rows and for the fits. Updated
settings: two bins of two clusters, and trees of depth 5. Real sets have five columns of noise, the
same in all replicates: white wine and hours of bicycles; ozone has none, and is used where
nothing is missing, 203 days.

- first: figure 1.3. 1 000 rows, eight columns of noise: the ranks of x1 and x2 in a forest of 100
  trees, by its own importances ("mdi") and by permutation out of bag ("oob").
- selection: tables 2.3 to 2.14. The ranks of the true features in CBFS, by either way, and in one
  forest. CBFS ranks all features, so the first N of any N follow.
- prediction: figures 3.1 to 3.18, table 3.1. Mean squared errors of LPSC, LPUC, one forest, and
  the mean of the training targets; three quarters of the rows to train, the others to test.
- lafi: figures 4.3 to 4.6, 4.14, cheaper than there: 4 000 rows, ten columns of noise, five forests
  of 50 trees for Genuer's selection instead of 20 of 100. What it chooses by "mdi" in each
  bin of three levels; errors of forests of all columns and of the kept ones.
- noise: 300 rows of ten columns, and a target that has nothing to do with them. What LAFI chooses
  in each bin, by "mdi", as in the source, and by "oob"; three forests of 20 trees.
- permuted: the same rows, and p-values of the importances against the largest of nine permutations.

Writes `local_importance.csv`, a job at a time, and goes on where it ends: 50 replicates of first
and of selection in the simulations, 20 of noise, 10 of the others. One replicate of all takes
some seven minutes of processor time, 50 of selection in the first simulation, with forests, 21.
Columns: study, setting, replicate, method; found: ranks of the true features, or for each bin a
digit for each column, 1 for chosen, or p-values; clusters, how many; errors: own, of the training
rows from their own clusters, which follow from their targets; training, of the same rows treated as
new ones; oob, out of bag in the own cluster; test; seconds of processor time.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import pairwise_distances_argmin

from treelab import RandomForestRegressor
from treelab.datasets import (
    fetch_bike_sharing,
    fetch_ozone,
    fetch_wine_quality,
    make_exponential_product,
    make_masked_sine,
    make_products,
)
from treelab.fast.importance import oob_permutation_importance
from treelab.fast.selection import (
    GenuerSelector,
    LocalClusterRegressor,
    LocalImportanceSelector,
    clustered_importance,
    combined_importance_table,
    null_selections,
)

RESULT = Path(__file__).with_suffix(".csv")
COLUMNS = [
    "study", "setting", "replicate", "method", "found",
    "clusters", "own", "training", "oob", "test", "seconds",
]  # fmt: skip
SIMULATIONS = {  # the generator, what is set, how many features are true
    "sine, factor 10": (make_masked_sine, {"amplitude": 10}, 2),
    "sine, factor 1": (make_masked_sine, {"amplitude": 1}, 2),
    "exponential": (make_exponential_product, {}, 5),
    "products, noise 10": (make_products, {"noise": 10}, 5),
    "products, noise 1": (make_products, {"noise": 1}, 5),
    "sine, factor 0.5": (make_masked_sine, {"amplitude": 0.5}, 2),  # run by local_at_size.py
}
FEW = ", 10 columns"  # of noise, instead of 50
UPDATED = ", updated"  # two bins, two clusters, depth 5
REAL = ["white wine", "registered bikers", "casual bikers", "ozone"]


def data(setting, replicate, n_samples=10_000):
    """Rows, targets and the number of true features."""
    name = setting.removesuffix(UPDATED).removesuffix(FEW)
    if name in REAL:
        return real(name)
    make, settings, n_true = SIMULATIONS[name]
    n_noise = 10 if FEW in setting else 50
    return *make(n_samples, n_noise=n_noise, random_state=replicate, **settings), n_true


def real(name):
    """A real set, all columns as numbers, and but for ozone five columns of noise beside them."""
    if name == "ozone":
        frame = fetch_ozone().frame.dropna()
        return frame.drop(columns="ozone").to_numpy(float), frame["ozone"].to_numpy(float), 12
    if name == "white wine":
        frame, target = fetch_wine_quality("white").frame, "quality"
        X = frame.drop(columns=target)
    else:
        frame, target = fetch_bike_sharing("hour").frame, name.split()[0]
        X = frame.loc[:, "season":"windspeed"]
    beside = np.random.default_rng(0).normal(size=(len(X), 5))
    return np.column_stack([X, beside]), frame[target].to_numpy(float), X.shape[1]


def settings_of(setting):
    """Depth of the forests, and the bins and clusters where they are not those of the source."""
    if setting.endswith(UPDATED):
        return 5, {"n_bins": 2, "max_clusters": 2}
    return 10, {}


def parts(y, replicate):
    """Three quarters of the rows to train, the others to test."""
    order = np.random.default_rng(replicate).permutation(len(y))
    return np.split(order, [3 * len(y) // 4])


def forest(n_trees=100, seed=None, max_depth=10, oob_score=False):
    """The forest of the source."""
    return RandomForestRegressor(
        n_trees, max_depth=max_depth, max_features=1 / 3, oob_score=oob_score, random_state=seed
    )


def ranks(importances, n_true):
    """The ranks of the first features, 1 for the best, in one string."""
    order = np.argsort(-np.asarray(importances), kind="stable")
    return " ".join(str(rank) for rank in 1 + np.argsort(order)[:n_true])


def first(setting, replicate):
    """Ranks of x1 and x2 in a forest of 1 000 rows, by both importances."""
    make, settings, n_true = SIMULATIONS[setting]
    X, y = make(1000, n_noise=8, random_state=replicate, **settings)
    model = RandomForestRegressor(100, max_features=1 / 3, random_state=replicate).fit(X, y)
    yield {"method": "mdi", "found": ranks(model.feature_importances_, n_true)}
    permuted = oob_permutation_importance(model, X, y, random_state=replicate)
    yield {"method": "oob", "found": ranks(permuted.importances_mean, n_true)}


def selection(setting, replicate, with_forest=True):
    """Ranks of the true features by CBFS, both ways, and by one forest."""
    X, y, n_true = data(setting, replicate)
    start = time.process_time()
    depth, bins = settings_of(setting)
    found = clustered_importance(forest(max_depth=depth), X, y, random_state=replicate, **bins)
    sizes = [cluster["n_rows"] for cluster in found.clusters]
    table = combined_importance_table(found.importances, sizes)
    row = {"clusters": len(sizes), "seconds": time.process_time() - start}
    for way in ("average", "intersection"):
        yield row | {"method": way, "found": ranks(-table[way], n_true)}
    if with_forest:
        start = time.process_time()
        model = forest(100 * len(sizes), replicate, depth).fit(X, y)
        row = {"method": "forest", "found": ranks(model.feature_importances_, n_true)}
        yield row | {"clusters": len(sizes), "seconds": time.process_time() - start}


def error(said, y):
    """Mean squared error of the rows that something is said of."""
    return np.nanmean((said - y) ** 2)


def prediction(setting, replicate):
    """Errors of both local ways, of one forest and of the mean."""
    X, y, _ = data(setting, replicate)
    train, test = parts(y, replicate)
    depth, bins = settings_of(setting)
    start = time.process_time()
    local = LocalClusterRegressor(
        forest(max_depth=depth, oob_score=True), random_state=replicate, **bins
    )
    local.fit(X[train], y[train])
    oob = np.full(len(train), np.nan)
    for c, model in enumerate(local.regressors_):
        oob[local.labels_ == c] = getattr(model, "oob_prediction_", np.nan)
    n_clusters = len(local.regressors_)
    shared = {
        "clusters": n_clusters,
        "own": error(local.predict_from(X[train], local.labels_), y[train]),
        "oob": error(oob, y[train]),
    }
    nearest = [
        pairwise_distances_argmin(local.scaler_.transform(X[rows]), local.centers_)
        for rows in (train, test)
    ]
    guesses = {"LPSC": [local.predict_cluster(X[rows]) for rows in (train, test)], "LPUC": nearest}
    for method, (of_train, of_test) in guesses.items():
        yield shared | {
            "method": method,
            "training": error(local.predict_from(X[train], of_train), y[train]),
            "test": error(local.predict_from(X[test], of_test), y[test]),
            "seconds": time.process_time() - start,
        }
    start = time.process_time()
    model = forest(100 * n_clusters, replicate, depth, oob_score=True).fit(X[train], y[train])
    yield {
        "method": "forest",
        "clusters": n_clusters,
        "training": error(model.predict(X[train]), y[train]),
        "oob": error(model.oob_prediction_, y[train]),
        "test": error(model.predict(X[test]), y[test]),
        "seconds": time.process_time() - start,
    }
    mean = y[train].mean()
    yield {"method": "mean", "training": error(mean, y[train]), "test": error(mean, y[test])}


def masks(selector):
    """What the bins of LAFI chose: a digit for each column, bin by bin from the first level on."""
    return " ".join(
        "".join(str(int(one)) for one in row) for row in np.concatenate(selector.chosen_)
    )


def local_selector(importance, n_trees, n_forests, seed):
    """LAFI with Genuer's selection, cheaper than in the source."""
    model = RandomForestRegressor(n_trees, max_depth=10)
    genuer = GenuerSelector(model, importance=importance, n_forests=n_forests)
    return LocalImportanceSelector(genuer, random_state=seed)


def lafi(setting, replicate):
    """What LAFI chooses in each bin, and test errors before and after."""
    X, y, _ = data(setting, replicate, 4000)
    train, test = parts(y, replicate)
    start = time.process_time()
    found = local_selector("mdi", 50, 5, replicate).fit(X[train], y[train])
    yield {"method": "mdi", "found": masks(found), "seconds": time.process_time() - start}
    for method, columns in (("all", slice(None)), ("kept", found.support_)):
        model = forest(100, replicate).fit(X[train][:, columns], y[train])
        errors = [error(model.predict(X[rows][:, columns]), y[rows]) for rows in (train, test)]
        yield {"method": method, "training": errors[0], "test": errors[1]}


def nothing(replicate):
    """Rows and a target that have nothing to do with each other."""
    rng = np.random.default_rng(replicate)
    return rng.normal(size=(300, 10)), rng.normal(size=300)


def noise(setting, replicate):
    """What LAFI chooses where there is nothing to choose."""
    X, y = nothing(replicate)
    found = local_selector(setting, 20, 3, replicate).fit(X, y)
    yield {"method": "lafi", "found": masks(found)}


def permuted(setting, replicate):
    """p-values of the importances of the same LAFI, each against the largest of permutations."""
    X, y = nothing(replicate)
    selector = local_selector(setting, 20, 3, replicate)
    start = time.process_time()
    table = null_selections(selector, X, y, n_permutations=9, random_state=replicate).table
    p_values = " ".join(f"{p:.1f}" for p in table["p_max"])
    yield {"method": "p_max", "found": p_values, "seconds": time.process_time() - start}


def jobs():
    """All studies, settings and replicates, in the order in which a part of them is of use."""
    simulations = list(SIMULATIONS)[:5]
    sines, products = simulations[:2], simulations[3:]
    for r in range(50):
        for setting in sines:
            yield first, setting, r
    for r in range(20):
        for setting in ("mdi", "oob"):
            yield noise, setting, r
    few = [setting + FEW for setting in sines]
    predicted = [size + UPDATED for size in products] + simulations[:4] + few[:1]
    for r in range(50):
        for setting in simulations + few:
            yield selection, setting, r
        if r < 10:
            for setting in predicted:
                yield prediction, setting, r
            yield permuted, "mdi", r
            for setting in [*few, "ozone"]:
                yield lafi, setting, r
            for setting in [*(name + UPDATED for name in REAL[:3]), *REAL[:3]]:
                yield prediction, setting, r
                yield selection, setting, r


def rows_of(study, setting, replicate, **options):
    """The rows of one job, as they stand in the file."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*in every bootstrap sample", UserWarning)
        rows = list(study(setting, replicate, **options))
    where = {"study": study.__name__, "setting": setting, "replicate": replicate}
    table = pd.DataFrame([where | row for row in rows], columns=COLUMNS)
    for column in ("own", "training", "oob", "test"):
        table[column] = table[column].map("{:.5g}".format, na_action="ignore")
    return table.astype({"clusters": "Int64", "seconds": float}).round({"seconds": 1})


def main(only=None):
    """Do what is not yet in the file; `only`: of one study."""
    keys = ["study", "setting", "replicate"]
    done = set()
    if RESULT.exists():
        done = set(pd.read_csv(RESULT, usecols=keys)[keys].itertuples(index=False, name=None))
    for study, setting, replicate in jobs():
        if (study.__name__, setting, replicate) in done or only not in (None, study.__name__):
            continue
        table = rows_of(study, setting, replicate)
        table.to_csv(RESULT, mode="a", header=not RESULT.exists(), index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
