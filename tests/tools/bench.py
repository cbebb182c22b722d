"""The speed table: treelab beside scikit-learn, on one thread, in the same process.

Each pair of fits is run once to warm up, then several times in turn, and the best time of each
counts. Where there is something to compare with, ratios are written down: they say the same on any
machine. C4.5 has nothing beside it; its rows are seconds and megabytes, with limits far off.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import platform
import sys
import time
import tracemalloc
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import ensemble as their_ensembles
from sklearn import tree as theirs
from sklearn.base import clone
from sklearn.datasets import make_classification, make_friedman1
from sklearn.feature_selection import RFE, mutual_info_classif
from sklearn.inspection import permutation_importance as their_permutation
from threadpoolctl import threadpool_limits

import treelab as ours
from treelab.datasets import make_masked_sine
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.growing import Limits, grow
from treelab.fast.growing.training_data import Columns, Targets
from treelab.fast.importance import permutation_importance, shap_values
from treelab.fast.selection import (
    Boruta,
    CFSSelector,
    FilterSelector,
    ForestRFE,
    RegularizedForestSelector,
    clustered_importance,
)

ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "book" / "speed_table.md"
sys.path.append(str(ROOT / "notebooks" / "replications"))
from shadows import borutapy_loop  # noqa: E402


def classes(n, p, n_classes=2):
    """Rows of `n_classes` classes that overlap, a tenth of their labels wrong."""
    return make_classification(
        n, p, n_informative=p // 2, n_redundant=0, n_classes=n_classes, flip_y=0.1, class_sep=0.7,
        random_state=0,
    )  # fmt: skip


def seconds(*jobs, repeat):
    """The best time of each job, the jobs taking turns."""
    best = [float("inf")] * len(jobs)
    for turn in range(repeat + 1):
        for i, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            if turn:  # the first turn warms up
                best[i] = min(best[i], time.perf_counter() - start)
    return best


def ratio(mine, other, repeat=5):
    """The best time of our job over that of the other one."""
    mine_s, other_s = seconds(mine, other, repeat=repeat)
    return mine_s / other_s


def both(name, **parameters):
    """Our estimator of a name and theirs, with the same parameters."""
    others = theirs if name.startswith("DecisionTree") else their_ensembles
    return [getattr(module, name)(random_state=0, **parameters) for module in (ours, others)]


def forests(name, n_estimators, **parameters):
    """Our forest and theirs, in one process."""
    return both(f"RandomForest{name}", n_estimators=n_estimators, n_jobs=1, **parameters)


def fit_ratio(models, X, y, repeat=5):
    """Time of the fit of the first of two models over that of the second."""
    mine, other = models
    return ratio(lambda: mine.fit(X, y), lambda: other.fit(X, y), repeat)


def predict_ratio(models, X, y, rows, repeat):
    """Time that the first of two models takes to predict over that of the second."""
    mine, other = (model.fit(X, y) for model in models)
    return ratio(lambda: mine.predict(rows), lambda: other.predict(rows), repeat)


def path_ratio(X, y):
    """Time of our pruning path, the fit included, over theirs."""
    mine, other = (m.cost_complexity_pruning_path for m in both("DecisionTreeClassifier"))
    return ratio(lambda: mine(X, y), lambda: other(X, y), repeat=7)


def growth_ratio(p=20):
    """Time of our fit on 100 000 rows over that on 10 000."""
    times = []
    for n in (10_000, 100_000):
        X, y = classes(n, p)
        model = ours.DecisionTreeClassifier(random_state=0)
        times += seconds(lambda m=model, X=X, y=y: m.fit(X, y), repeat=5)
    return times[1] / times[0]


def peak(job):
    """The most bytes that a job holds at a time."""
    tracemalloc.start()
    job()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def memory_ratio(model, X, y):
    """The most memory that our fit holds at a time, over that of X."""
    model.fit(X, y)
    return peak(lambda: model.fit(X, y)) / X.nbytes


def mixed_table(n=20_000, p=20):
    """Half numbers and half levels, a twentieth of the cells missing, some labels wrong."""
    X, y = classes(n, p)
    gaps = np.random.default_rng(0).random((n, p)) < 0.05
    X = pd.DataFrame(np.where(gaps, np.nan, X)).rename(columns=str)
    for name in X.columns[p // 2 :]:
        X[name] = pd.cut(X[name], 5, labels=list("abcde"))
    return X, y


def c45_cost(X, y):
    """Seconds, and megabytes at most held at a time, to grow and prune a C4.5 tree."""
    (best,) = seconds(lambda: ours.C45Classifier().fit(X, y), repeat=1)
    return best, peak(lambda: ours.C45Classifier().fit(X, y)) / 1e6


def histogram_models():
    """Gradient boosting by histograms, ours and theirs, 100 trees of depth 3 in 255 bins."""
    return [
        ours.GradientBoostingRegressor(split_search="histogram"),
        their_ensembles.HistGradientBoostingRegressor(
            max_iter=100, max_depth=3, max_leaf_nodes=None, early_stopping=False
        ),
    ]


def histogram_error_ratio():
    """Test error of our boosting by histograms over that of theirs."""
    X, y = make_friedman1(10_000, 10, noise=1.0, random_state=0)
    new, truth = make_friedman1(10_000, 10, noise=1.0, random_state=1)
    errors = [np.mean((m.fit(X, y).predict(new) - truth) ** 2) for m in histogram_models()]
    return errors[0] / errors[1]


def permutation_ratio(X, y):
    """Time of our permutation importance of our forest of 50 trees over that of theirs."""
    mine, other = (model.fit(X, y) for model in forests("Classifier", 50))
    return ratio(
        lambda: permutation_importance(mine, X, y, n_repeats=5, random_state=0),
        lambda: their_permutation(other, X, y, n_repeats=5, random_state=0),
        repeat=3,
    )


def shapley_cost(X, y):
    """Seconds that the Shapley values of 1 000 rows take."""
    model = ours.RandomForestRegressor(50, max_depth=6, random_state=0).fit(X, y)
    return seconds(lambda: shap_values(model, X[:1000]), repeat=2)[0]


def levels(n=2_000, p=500):
    """Columns of ten levels, a tenth of them informative, and two classes."""
    X, y = make_classification(n, p, n_informative=p // 10, n_redundant=p // 10, random_state=0)
    cuts = np.quantile(X, np.arange(1, 10) / 10, axis=0)
    return np.sum(X[:, None] > cuts, axis=1), y


def uncertainty_ratio(X, y):
    """Time of our symmetrical uncertainties over that of their mutual information."""
    mine = FilterSelector(categorical_features="all")
    other = partial(mutual_info_classif, X, y, discrete_features=True)
    return ratio(lambda: mine.fit(X, y), other, repeat=2)


def cfs_ratio(X, y, n_features=5):
    """Time of our CFS over that of their information of a few features with all the others."""
    mine = CFSSelector(categorical_features="all")

    def other():
        for j in range(n_features):
            mutual_info_classif(X, X[:, j], discrete_features=True)

    return ratio(lambda: mine.fit(X, y), other, repeat=1)


def elimination_ratio(X, y, step):
    """Time of our elimination with our forest over that of their RFE with theirs, equal sizes.

    Both rank each set anew by the impurity; ours judges it out of bag as well.
    """
    forest, their_forest = both("RandomForestClassifier")
    mine = ForestRFE(forest, importance="mdi", rank="anew", step=step, min_features_to_select=step)
    other = RFE(their_forest, n_features_to_select=step, step=step)
    found = fit_ratio([mine, other], X, y, repeat=2)
    sizes = [each["n_features"] for each in mine.rounds_]
    if sizes != list(range(X.shape[1], 0, -step)) or other.ranking_.max() != len(sizes):
        raise AssertionError(f"the two must try equal sizes, ours are {sizes}.")
    return found


def boruta_ratio(runs=20):
    """Time of our Boruta over that of BorutaPy's loop, each on its own forest of 100 trees.

    BorutaPy is not among the programs that `requirements.lock` installs, so its loop is written
    down again, in notebooks/replications/shadows.py: the same shadows, fits and tests.
    """
    X, y = classes(1_000, 40)
    mine, other = (m.set_params(random_state=None) for m in forests("Classifier", 100, max_depth=5))
    return ratio(
        lambda: Boruta(mine, max_runs=runs, random_state=0).fit(X, y),
        lambda: borutapy_loop(other, X, y, runs, np.random.RandomState(0)),
        repeat=2,
    )


def regularized_ratio(X, y, **parameters):
    """Time of our regularized forest over that of ordinary trees, 100 each, one after the other.

    The ordinary trees stand on bootstrap samples, too; their nodes try as many features.
    """
    mine = RegularizedForestSelector(random_state=0, **parameters).fit(X, y)
    d, tried = X.shape[1], parameters.get("max_features") or X.shape[1]
    limits = Limits(max_features=min(d, mine.n_features_ + tried))

    def other():
        columns = Columns.of(X, [0] * d)
        targets = Targets.of(y, np.ones(len(y)), "entropy", 2)
        for generator in (member_generator(0, b) for b in range(100)):
            root = draw_sample(generator, len(y), len(y))
            grow(columns, targets, limits, [root], [generator])

    return ratio(lambda: mine.fit(X, y), other, repeat=3)


def local_ratio(X, y):
    """Time of importances in clusters, then a forest of as many trees, with ours over theirs."""

    def replicate(forest):
        found = clustered_importance(forest, X, y)
        forest.set_params(n_estimators=20 * len(found.clusters)).fit(X, y)

    def jobs(k):
        settings = {"max_depth": 10, "max_features": 1 / 3}
        return lambda: replicate(forests("Regressor", 20, **settings)[k])

    return ratio(jobs(0), jobs(1), repeat=1)


def rows():
    """The rows of the table: the work, the ratio, the most that it may be."""
    X, y = classes(10_000, 20)
    R, r = make_friedman1(10_000, 10, noise=1.0, random_state=0)
    few, more = make_friedman1(2_000, 10, noise=1.0, random_state=0), classes(100_000, 20)[0]
    tree, number_tree = both("DecisionTreeClassifier"), both("DecisionTreeRegressor")
    boosting = both("GradientBoostingRegressor")
    yield "classification tree, 10 000 × 20, to purity", fit_ratio(tree, X, y), 1.2
    yield "regression tree, 10 000 × 10, to purity", fit_ratio(number_tree, R, r), 1.2
    found = fit_ratio(tree, *classes(5_000, 20, n_classes=3))
    yield "three classes, 5 000 × 20, to purity", found, 1.5
    found = fit_ratio(both("DecisionTreeClassifier", criterion="entropy"), X, y)
    yield "entropy, two classes, 10 000 × 20, to purity", found, 1.5
    yield "pruning path, 3 000 × 10, fit included", path_ratio(*classes(3_000, 10)), 2.0
    found = predict_ratio(tree, X, y, more, repeat=7)
    yield "predicting 100 000 rows, 20 features", found, 3.0
    yield "treelab alone: 100 000 rows against 10 000", growth_ratio(), 14.0
    found = max(memory_ratio(tree[0], X, y), memory_ratio(number_tree[0], R, r))
    yield "treelab alone: peak extra memory against the size of X", found, 15.0
    found = fit_ratio(forests("Classifier", 100, max_features=3), *classes(1_000, 10))
    yield "random forest, 100 trees, 1 000 × 10, 3 candidates", found, 1.2
    found = fit_ratio(forests("Regressor", 100, max_features=3), *few)
    yield "random forest for numbers, 100 trees, 2 000 × 10, 3 candidates", found, 1.2
    found = predict_ratio(forests("Classifier", 50), *classes(2_000, 20), more, repeat=3)
    yield "50 trees predict 100 000 rows, 20 features", found, 3.0
    one = ours.RandomForestClassifier(50, max_features=3, random_state=0, n_jobs=1)
    found = fit_ratio([clone(one).set_params(n_jobs=2), one], *classes(20_000, 10))
    yield "treelab alone: forest on 20 000 rows, two workers against one", found, 0.625
    found = fit_ratio(both("AdaBoostClassifier", n_estimators=200), *classes(2_000, 10), repeat=3)
    yield "AdaBoost, 200 stumps, 2 000 × 10", found, 1.0
    found = fit_ratio(both("AdaBoostRegressor", n_estimators=50), *few, repeat=3)
    yield "AdaBoost for numbers, 50 trees of depth 3, 2 000 × 10", found, 1.5
    found = fit_ratio(boosting, R, r, repeat=2)
    yield "gradient boosting, 100 trees of depth 3, 10 000 × 10", found, 0.8
    found = fit_ratio(both("GradientBoostingClassifier"), *classes(5_000, 20), repeat=2)
    yield "gradient boosting of two classes, 5 000 × 20", found, 1.0
    found = fit_ratio([histogram_models()[0], boosting[1]], R, r, repeat=2)
    yield "the same numbers by histograms, against exact boosting", found, 0.12
    with threadpool_limits(1):
        found = fit_ratio(histogram_models(), R, r)
    yield "the same against their histograms", found, 3.5
    yield "the same: test error against their histograms", histogram_error_ratio(), 1.02
    found = permutation_ratio(*classes(2_000, 10))
    yield "permutation importance, 50 trees, 2 000 × 10, 5 repeats", found, 2.0
    found = shapley_cost(*few)
    yield "Shapley values alone, 1 000 rows, 50 trees of depth 6: seconds", found, 30.0
    table = levels()
    found = uncertainty_ratio(*table)
    yield "symmetrical uncertainty, 500 columns × 2 000, against mutual information", found, 1.0
    found = cfs_ratio(*table)
    yield "CFS of them, against mutual information of five of them with all", found, 1.0
    found = elimination_ratio(*classes(500, 200), step=20)
    yield "elimination with 100 trees a set, 500 × 200, against their RFE", found, 0.6
    found = boruta_ratio()
    yield "Boruta, 20 runs, 100 trees of depth 5, 1 000 × 40, against BorutaPy's loop", found, 0.4
    found = regularized_ratio(*classes(1_000, 20), penalty=1.0, max_features=None)
    work = "regularized forest, 1 000 × 20, penalty 1, all features, against trees one by one"
    yield work, found, 1.5
    found = regularized_ratio(*classes(1_000, 20), max_features=5)
    yield "the same, penalty 0.5, 5 new features, against trees that try as many", found, 1.5
    found = local_ratio(*make_masked_sine(n_noise=54, random_state=0))
    yield "importance in clusters, and a forest of as many trees, 10 000 × 56", found, 0.6
    found, held = c45_cost(*mixed_table())
    yield "C4.5 alone, 20 000 × 20 mixed, 5 % missing, grown and pruned: seconds", found, 20.0
    yield "C4.5 alone, the same: peak memory in MB", held, 1000.0


def main():
    """Print the table and write it down."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn"))
    lines = [
        f"Python {platform.python_version()}, {versions}, one thread, best of several runs.",
        "",
        "| work | ratio, or as said | at most |",
        "|---|---:|---:|",
    ]
    print(*lines, sep="\n")
    within = True
    for work, ratio, limit in rows():
        within &= ratio <= limit
        lines.append(f"| {work} | {ratio:.2f} | {limit:g} |")
        print(lines[-1], "" if ratio <= limit else "<- above its limit", flush=True)
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
