"""Against importance from place to place: what ordinary tools find and predict, and two nulls.

The sine with the factor 1, `make_masked_sine`, and the products with noise 1, `make_products`.

- rivals: 2 000 rows to train, 2 000 new ones to test, ten columns of noise. The rank of x2 among
  the importances, of the products the worst rank of the five true columns, and the test error: the
  training mean; forests of 100 trees, of a depth of ten or without limit, with a third of the
  columns as candidates of a node or all; 300 boosted trees of depth 3, ranked by their squared
  improvement; CBFS, LPSC and LPUC with the settings of their source; and, for the sine,
  `residuals`: a forest of x1 alone, and one of all columns on what it leaves over out of bag, which
  is ranked.
- places: the sine again, fifths of the training rows by |x1|: in each a forest of its own, a third
  of the columns, depth 10, and the mean absolute Shapley values of x1 and x2 of the boosted trees
  for the first 60 test rows there.
- full: 10 000 rows, 50 columns of noise, the same rows and parts as in `local_importance.py`: 50
  trees without limit of depth, all columns as candidates, and the boosted trees.
- noise, signal: LAFI on 800 rows of six columns, of a target that has nothing to do with them, or
  of the sine. Genuer's selection, three forests of ten trees of depth 10, "mdi". `shuffled target`:
  p-values against the largest importance of each of nine permutations of the target. In signal
  `shuffled column`: the importance of x2 in nine fits in which only x2 is shuffled, and p.
- candidates: CBFS and LPSC of rivals on the sine again, with all columns as candidates; and CBFS
  by bins alone, without clusters, with a third.
- everything: LAFI of the samples of signal, with all columns as candidates.
- column: `shuffled column` for the same samples and candidates, with 19 shuffles.
- seeds: LAFI of sample 0 of signal with ten seeds of the selector, which are the replicates; three
  forests of ten trees and a third of the columns, as in signal, or five of fifty.

Writes `local_rivals.csv`, a job at a time, and goes on where it ends: ten replicates of rivals and
places, six of noise and signal, three of full, ten of candidates and seeds, six of
everything, three of column; replicate r has the seed r.
Columns: study, setting, replicate, method; rank; test, mean squared error; x1, x2, Shapley values;
found, LAFI of each column, or p-values. Takes a quarter of an hour.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import GradientBoostingRegressor, RandomForestRegressor
from treelab.datasets import make_masked_sine, make_products
from treelab.fast.importance import shap_values, squared_improvement
from treelab.fast.selection import (
    GenuerSelector,
    LocalClusterRegressor,
    LocalImportanceSelector,
    clustered_importance,
    combined_importance_table,
    null_selections,
)

RESULT = Path(__file__).with_suffix(".csv")
COLUMNS = ["study", "setting", "replicate", "method", "rank", "test", "x1", "x2", "found"]
SETTINGS = {
    "sine": (make_masked_sine, {}, [1]),
    "products": (make_products, {"noise": 1}, range(5)),
}
ROWS = 2000
FORESTS = {
    "forest, a third, depth 10": {"max_features": 1 / 3, "max_depth": 10},
    "forest, a third": {"max_features": 1 / 3},
    "forest, all, depth 10": {"max_features": 1.0, "max_depth": 10},
    "forest, all": {"max_features": 1.0},
}
PERMUTATIONS = 9


def rank(importances, features):
    """The worst rank of some features, 1 for the largest importance; of equal ones the first."""
    order = np.argsort(-np.asarray(importances), kind="stable")
    return int((1 + np.argsort(order))[list(features)].max())


def halves(setting, replicate):
    """Training rows and targets, test rows and targets, the features asked for."""
    make, settings, features = SETTINGS[setting]
    X, y = make(2 * ROWS, n_noise=10, random_state=replicate, **settings)
    return X[:ROWS], y[:ROWS], X[ROWS:], y[ROWS:], features


def boosted(X, y, seed):
    """The boosted trees of all studies."""
    model = GradientBoostingRegressor(
        n_estimators=300, learning_rate=0.1, max_depth=3, random_state=seed
    )
    return model.fit(X, y)


def source_forest(seed=None, max_features=1 / 3):
    """The forest of the source, or one with other candidates."""
    return RandomForestRegressor(100, max_depth=10, max_features=max_features, random_state=seed)


def rivals(setting, replicate):
    """Rank and test error of every way."""
    X, y, X_new, y_new, features = halves(setting, replicate)

    def row(method, said=None, importances=None):
        found = None if importances is None else rank(importances, features)
        wrong = None if said is None else np.mean((said - y_new) ** 2)
        return {"method": method, "rank": found, "test": wrong}

    yield row("mean", y.mean())
    for method, settings in FORESTS.items():
        forest = RandomForestRegressor(100, random_state=replicate, **settings).fit(X, y)
        yield row(method, forest.predict(X_new), forest.feature_importances_)
    model = boosted(X, y, replicate)
    yield row("boosted", model.predict(X_new), squared_improvement(model))
    found = clustered_importance(source_forest(), X, y, random_state=replicate)
    sizes = [cluster["n_rows"] for cluster in found.clusters]
    table = combined_importance_table(found.importances, sizes)
    for way in ("average", "intersection"):
        yield row(f"CBFS, {way}", importances=-table[way].to_numpy())
    for method, assign in (("LPSC", "classifier"), ("LPUC", "centroid")):
        local = LocalClusterRegressor(source_forest(), assign=assign, random_state=replicate)
        yield row(method, local.fit(X, y).predict(X_new))
    if setting == "sine":
        first = RandomForestRegressor(
            100, min_samples_leaf=5, oob_score=True, random_state=replicate
        ).fit(X[:, :1], y)
        left = y - first.oob_prediction_
        second = source_forest(replicate).fit(X, left)
        said = first.predict(X_new[:, :1]) + second.predict(X_new)
        yield row("residuals", said, second.feature_importances_)


def fifths(X):
    """The fifth of each row by |x1|, 0 to 4, cut where that of a uniform x1 from -5 to 5 is."""
    return np.minimum(np.abs(X[:, 0]).astype(int), 4)


def places(setting, replicate):
    """The rank of x2 and the Shapley values of the boosted trees, by place."""
    X, y, X_new, _, features = halves(setting, replicate)
    model = boosted(X, y, replicate)
    for place in range(5):
        here = fifths(X) == place
        forest = source_forest(replicate).fit(X[here], y[here])
        near = np.flatnonzero(fifths(X_new) == place)[:60]
        values = np.abs(shap_values(model, X_new[near])["values"]).mean(axis=0)
        yield {
            "method": f"|x1| from {place}",
            "rank": rank(forest.feature_importances_, features),
            "x1": values[0],
            "x2": values[1],
        }


def full(setting, replicate):
    """Two ordinary models on the rows of the source's size."""
    make, settings, features = SETTINGS[setting]
    X, y = make(10_000, n_noise=50, random_state=replicate, **settings)
    order = np.random.default_rng(replicate).permutation(len(y))
    train, test = np.split(order, [3 * len(y) // 4])
    forest = RandomForestRegressor(50, max_features=1.0, random_state=replicate)
    forest.fit(X[train], y[train])
    model = boosted(X[train], y[train], replicate)
    for method, fitted, importances in (
        ("forest, all", forest, forest.feature_importances_),
        ("boosted", model, squared_improvement(model)),
    ):
        wrong = np.mean((fitted.predict(X[test]) - y[test]) ** 2)
        yield {"method": method, "rank": rank(importances, features), "test": wrong}


def lafi(seed, n_forests=3, n_trees=10, everything=False):
    """LAFI as in the studies of nulls, or with more forests and trees, or all candidates."""
    forest = RandomForestRegressor(n_trees, max_depth=10, max_features=1.0 if everything else 1 / 3)
    share = None if everything else "floor"
    genuer = GenuerSelector(forest, importance="mdi", n_forests=n_forests, max_features=share)
    return LocalImportanceSelector(genuer, random_state=seed)


def text(numbers):
    return " ".join(f"{number:.4g}" for number in numbers)


def against_shuffled_targets(X, y, seed):
    """LAFI, how many columns it keeps at 0.2 is in it, and p-values against the largest."""
    table = null_selections(lafi(seed), X, y, n_permutations=PERMUTATIONS, random_state=seed).table
    yield {"method": "lafi", "found": text(table["importance"])}
    yield {"method": "shuffled target", "found": text(table["p_max"])}


def noise(setting, replicate):
    """Nothing to find."""
    rng = np.random.default_rng(replicate)
    yield from against_shuffled_targets(rng.normal(size=(800, 6)), rng.normal(size=800), replicate)


def signal(setting, replicate):
    """x1 and x2 to find, and four columns of noise."""
    X, y = make_masked_sine(800, n_noise=4, random_state=replicate)
    rows = list(against_shuffled_targets(X, y, replicate))
    yield from rows
    true = float(rows[0]["found"].split()[1])
    yield against_shuffled_column(X, y, true, replicate, PERMUTATIONS)


def against_shuffled_column(X, y, true, seed, permutations, **settings):
    """LAFI of x2 where x2 alone is shuffled, and the p-value of a true one."""
    rng, again = np.random.default_rng(seed), []
    for k in range(permutations):
        other = X.copy()
        other[:, 1] = rng.permutation(X[:, 1])
        again.append(lafi(100 + k, **settings).fit(other, y).importances_[1])
    p = (1 + sum(value >= true - 1e-4 for value in again)) / (1 + permutations)
    return {"method": "shuffled column", "found": text([*again, p])}


def candidates(setting, replicate):
    """CBFS and LPSC with all columns as candidates."""
    X, y, X_new, y_new, features = halves(setting, replicate)
    forest = source_forest(max_features=1.0)
    found = clustered_importance(forest, X, y, random_state=replicate)
    sizes = [cluster["n_rows"] for cluster in found.clusters]
    table = combined_importance_table(found.importances, sizes)
    for way in ("average", "intersection"):
        yield {"method": f"CBFS, {way}", "rank": rank(-table[way].to_numpy(), features)}
    bins = clustered_importance(source_forest(), X, y, max_clusters=1, random_state=replicate)
    mean = bins.importances.mean(axis=1)  # of bins of the same size
    yield {"method": "bins, average", "rank": rank(mean, features)}
    said = LocalClusterRegressor(forest, random_state=replicate).fit(X, y).predict(X_new)
    yield {"method": "LPSC", "test": np.mean((said - y_new) ** 2)}


def everything(setting, replicate):
    """LAFI with all columns as candidates."""
    X, y = make_masked_sine(800, n_noise=4, random_state=replicate)
    found = lafi(replicate, everything=True).fit(X, y).importances_
    yield {"method": "lafi", "found": text(found)}


def column(setting, replicate):
    """More shuffles of x2, with all columns as candidates."""
    X, y = make_masked_sine(800, n_noise=4, random_state=replicate)
    true = lafi(replicate, everything=True).fit(X, y).importances_[1]
    yield against_shuffled_column(X, y, true, replicate, 19, everything=True)


def seeds(setting, replicate):
    """LAFI of one sample, again and again."""
    X, y = make_masked_sine(800, n_noise=4, random_state=0)
    for n_forests, n_trees in ((3, 10), (5, 50)):
        found = lafi(replicate, n_forests, n_trees).fit(X, y).importances_
        yield {"method": f"{n_forests} of {n_trees} trees", "found": text(found)}


def jobs():
    """Study, setting and replicate, one after the other."""
    for study, setting, n in (
        (rivals, "sine", 10), (rivals, "products", 10), (places, "sine", 10),
        (full, "sine", 3), (full, "products", 3), (signal, "sine", 6), (noise, "noise", 6),
        (everything, "sine", 6), (candidates, "sine", 10), (column, "sine", 3), (seeds, "sine", 10),
    ):  # fmt: skip
        for replicate in range(n):
            yield study, setting, replicate


def rows_of(study, setting, replicate):
    """The rows of one job, as they stand in the file."""
    where = {"study": study.__name__, "setting": setting, "replicate": replicate}
    table = pd.DataFrame([where | row for row in study(setting, replicate)], columns=COLUMNS)
    for column in ("test", "x1", "x2"):
        table[column] = table[column].astype(float).map("{:.5g}".format, na_action="ignore")
    return table.astype({"rank": "Int64"})


if __name__ == "__main__":
    done = set()
    if RESULT.exists():
        keys = pd.read_csv(RESULT)[["study", "setting", "replicate"]]
        done = set(keys.itertuples(index=False, name=None))
    for job in jobs():
        if (job[0].__name__, *job[1:]) in done:
            continue
        rows_of(*job).to_csv(RESULT, mode="a", header=not RESULT.exists(), index=False)
