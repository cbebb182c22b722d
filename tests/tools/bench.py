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
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import ensemble as their_ensembles
from sklearn import tree as theirs
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
        n,
        p,
        n_informative=p // 2,
        n_redundant=0,
        n_classes=n_classes,
        flip_y=0.1,
        class_sep=0.7,
        random_state=0,
    )


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


def fit_ratio(name, X, y, repeat=5, **parameters):
    """Time of our fit over theirs."""
    mine, other = (getattr(module, name)(random_state=0, **parameters) for module in (ours, theirs))
    mine_s, other_s = seconds(lambda: mine.fit(X, y), lambda: other.fit(X, y), repeat=repeat)
    return mine_s / other_s


def path_ratio(X, y):
    """Time of our pruning path, the fit included, over theirs."""
    jobs = [
        lambda m=module: m.DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
        for module in (ours, theirs)
    ]
    mine_s, other_s = seconds(*jobs, repeat=7)
    return mine_s / other_s


def predict_ratio(X, y, rows):
    """Time of our prediction over theirs."""
    models = [m.DecisionTreeClassifier(random_state=0).fit(X, y) for m in (ours, theirs)]
    jobs = [lambda m=model: m.predict(rows) for model in models]
    mine_s, other_s = seconds(*jobs, repeat=7)
    return mine_s / other_s


def growth_ratio(p=20):
    """Time of our fit on 100 000 rows over that on 10 000."""
    times = []
    for n, repeat in ((10_000, 5), (100_000, 5)):
        X, y = classes(n, p)
        model = ours.DecisionTreeClassifier(random_state=0)
        times += seconds(lambda m=model, X=X, y=y: m.fit(X, y), repeat=repeat)
    return times[1] / times[0]


def memory_ratio(name, X, y):
    """The most memory that our fit holds at a time, over that of X."""
    model = getattr(ours, name)(random_state=0).fit(X, y)
    tracemalloc.start()
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / X.nbytes


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
    tracemalloc.start()
    ours.C45Classifier().fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return best, peak / 1e6


def forest_ratio(name, X, y):
    """Time of our forest of 100 trees, three candidates at each node, over that of theirs."""
    jobs = [
        getattr(module, name)(100, max_features=3, random_state=0, n_jobs=1)
        for module in (ours, their_ensembles)
    ]
    mine_s, other_s = seconds(*(lambda m=model: m.fit(X, y) for model in jobs), repeat=5)
    return mine_s / other_s


def adaboost_ratio(name, X, y, n_estimators):
    """Time of our AdaBoost over that of theirs, each on its own default trees."""
    jobs = [
        getattr(module, name)(n_estimators=n_estimators, random_state=0)
        for module in (ours, their_ensembles)
    ]
    mine_s, other_s = seconds(*(lambda m=model: m.fit(X, y) for model in jobs), repeat=3)
    return mine_s / other_s


def workers_ratio(X, y):
    """Time of a forest on two workers over that on one; 0.625 is 1.6 times faster."""
    models = [
        ours.RandomForestClassifier(50, max_features=3, random_state=0, n_jobs=n) for n in (2, 1)
    ]
    two, one = seconds(*(lambda m=model: m.fit(X, y) for model in models), repeat=5)
    return two / one


def forest_predict_ratio(X, y, rows):
    """Time that our forest of 50 trees takes to predict over that of theirs."""
    models = [
        module.RandomForestClassifier(50, random_state=0, n_jobs=1).fit(X, y)
        for module in (ours, their_ensembles)
    ]
    mine_s, other_s = seconds(*(lambda m=model: m.predict(rows) for model in models), repeat=3)
    return mine_s / other_s


def boosting_ratio(name, X, y, **parameters):
    """Time of our gradient boosting, 100 trees of depth 3, over that of theirs."""
    jobs = [
        getattr(ours, name)(random_state=0, **parameters),
        getattr(their_ensembles, name)(random_state=0),
    ]
    mine_s, other_s = seconds(*(lambda m=model: m.fit(X, y) for model in jobs), repeat=2)
    return mine_s / other_s


def histogram_models():
    """Gradient boosting by histograms, ours and theirs, 100 trees of depth 3 in 255 bins."""
    return [
        ours.GradientBoostingRegressor(split_search="histogram"),
        their_ensembles.HistGradientBoostingRegressor(
            max_iter=100, max_depth=3, max_leaf_nodes=None, early_stopping=False
        ),
    ]


def histogram_ratio(X, y):
    """Time of our boosting by histograms over that of theirs."""
    jobs = [lambda m=model: m.fit(X, y) for model in histogram_models()]
    with threadpool_limits(1):
        mine_s, other_s = seconds(*jobs, repeat=5)
    return mine_s / other_s


def histogram_error_ratio():
    """Test error of our boosting by histograms over that of theirs."""
    X, y = make_friedman1(10_000, 10, noise=1.0, random_state=0)
    new, truth = make_friedman1(10_000, 10, noise=1.0, random_state=1)
    errors = [np.mean((m.fit(X, y).predict(new) - truth) ** 2) for m in histogram_models()]
    return errors[0] / errors[1]


def permutation_ratio(X, y):
    """Time of our permutation importance of our forest of 50 trees over that of theirs."""
    models = [
        module.RandomForestClassifier(50, random_state=0, n_jobs=1).fit(X, y)
        for module in (ours, their_ensembles)
    ]
    jobs = [
        lambda f=function, m=model: f(m, X, y, n_repeats=5, random_state=0)
        for function, model in zip((permutation_importance, their_permutation), models, strict=True)
    ]
    mine_s, other_s = seconds(*jobs, repeat=3)
    return mine_s / other_s


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
    jobs = [lambda: mine.fit(X, y), lambda: mutual_info_classif(X, y, discrete_features=True)]
    mine_s, other_s = seconds(*jobs, repeat=2)
    return mine_s / other_s


def cfs_ratio(X, y, n_features=5):
    """Time of our CFS over that of their information of a few features with all the others."""
    mine = CFSSelector(categorical_features="all")

    def other():
        for j in range(n_features):
            mutual_info_classif(X, X[:, j], discrete_features=True)

    mine_s, other_s = seconds(lambda: mine.fit(X, y), other, repeat=1)
    return mine_s / other_s


def elimination_ratio(X, y, step):
    """Time of our elimination with our forest over that of their RFE with theirs, equal sizes.

    Both rank each set anew by the impurity; ours judges it out of bag as well.
    """
    forest, their_forest = (
        module.RandomForestClassifier(100, random_state=0) for module in (ours, their_ensembles)
    )
    mine = ForestRFE(forest, importance="mdi", rank="anew", step=step, min_features_to_select=step)
    other = RFE(their_forest, n_features_to_select=step, step=step)
    mine_s, other_s = seconds(lambda: mine.fit(X, y), lambda: other.fit(X, y), repeat=2)
    sizes = [each["n_features"] for each in mine.rounds_]
    if sizes != list(range(X.shape[1], 0, -step)) or other.ranking_.max() != len(sizes):
        raise AssertionError(f"the two must try equal sizes, ours are {sizes}.")
    return mine_s / other_s


def boruta_ratio(runs=20):
    """Time of our Boruta over that of BorutaPy's loop, each on its own forest of 100 trees.

    BorutaPy is not among the programs that `requirements.lock` installs, so its loop is written
    down again, in notebooks/replications/shadows.py: the same shadows, fits and tests.
    """
    X, y = classes(1_000, 40)
    mine, other = (
        module.RandomForestClassifier(100, max_depth=5, n_jobs=1)
        for module in (ours, their_ensembles)
    )
    jobs = [
        lambda: Boruta(mine, max_runs=runs, random_state=0).fit(X, y),
        lambda: borutapy_loop(other, X, y, runs, np.random.RandomState(0)),
    ]
    mine_s, other_s = seconds(*jobs, repeat=2)
    return mine_s / other_s


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

    mine_s, other_s = seconds(lambda: mine.fit(X, y), other, repeat=3)
    return mine_s / other_s


def local_ratio(X, y):
    """Time of importances in clusters, then a forest of as many trees, with ours over theirs."""

    def replicate(module):
        settings = {"max_depth": 10, "max_features": 1 / 3, "random_state": 0, "n_jobs": 1}
        forest = module.RandomForestRegressor(20, **settings)
        found = clustered_importance(forest, X, y)
        forest.set_params(n_estimators=20 * len(found.clusters)).fit(X, y)

    mine_s, other_s = seconds(lambda: replicate(ours), lambda: replicate(their_ensembles), repeat=1)
    return mine_s / other_s


def rows():
    """The rows of the table: the work, the ratio, the most that it may be."""
    X, y = classes(10_000, 20)
    R, r = make_friedman1(10_000, 10, noise=1.0, random_state=0)
    K, k = classes(5_000, 20, n_classes=3)
    classifier, regressor = "DecisionTreeClassifier", "DecisionTreeRegressor"
    yield "classification tree, 10 000 × 20, to purity", fit_ratio(classifier, X, y), 1.2
    yield "regression tree, 10 000 × 10, to purity", fit_ratio(regressor, R, r), 1.2
    yield "three classes, 5 000 × 20, to purity", fit_ratio(classifier, K, k), 1.5
    entropy = fit_ratio(classifier, X, y, criterion="entropy")
    yield "entropy, two classes, 10 000 × 20, to purity", entropy, 1.5
    yield "pruning path, 3 000 × 10, fit included", path_ratio(*classes(3_000, 10)), 2.0
    yield "predicting 100 000 rows, 20 features", predict_ratio(X, y, classes(100_000, 20)[0]), 3.0
    yield "treelab alone: 100 000 rows against 10 000", growth_ratio(), 14.0
    memory = max(memory_ratio(classifier, X, y), memory_ratio(regressor, R, r))
    yield "treelab alone: peak extra memory against the size of X", memory, 15.0
    forest = forest_ratio("RandomForestClassifier", *classes(1_000, 10))
    yield "random forest, 100 trees, 1 000 × 10, 3 candidates", forest, 1.2
    friedman = make_friedman1(2_000, 10, noise=1.0, random_state=0)
    forest = forest_ratio("RandomForestRegressor", *friedman)
    yield "random forest for numbers, 100 trees, 2 000 × 10, 3 candidates", forest, 1.2
    predicted = forest_predict_ratio(*classes(2_000, 20), classes(100_000, 20)[0])
    yield "50 trees predict 100 000 rows, 20 features", predicted, 3.0
    two = workers_ratio(*classes(20_000, 10))
    yield "treelab alone: forest on 20 000 rows, two workers against one", two, 0.625
    boosted = adaboost_ratio("AdaBoostClassifier", *classes(2_000, 10), 200)
    yield "AdaBoost, 200 stumps, 2 000 × 10", boosted, 1.0
    boosted = adaboost_ratio("AdaBoostRegressor", *friedman, 50)
    yield "AdaBoost for numbers, 50 trees of depth 3, 2 000 × 10", boosted, 1.5
    name = "GradientBoostingRegressor"
    yield "gradient boosting, 100 trees of depth 3, 10 000 × 10", boosting_ratio(name, R, r), 0.8
    boosted = boosting_ratio("GradientBoostingClassifier", *classes(5_000, 20))
    yield "gradient boosting of two classes, 5 000 × 20", boosted, 1.0
    boosted = boosting_ratio(name, R, r, split_search="histogram")
    yield "the same numbers by histograms, against exact boosting", boosted, 0.12
    yield "the same against their histograms", histogram_ratio(R, r), 3.5
    yield "the same: test error against their histograms", histogram_error_ratio(), 1.02
    permuted = permutation_ratio(*classes(2_000, 10))
    yield "permutation importance, 50 trees, 2 000 × 10, 5 repeats", permuted, 2.0
    taken = shapley_cost(*friedman)
    yield "Shapley values alone, 1 000 rows, 50 trees of depth 6: seconds", taken, 30.0
    table = levels()
    taken = uncertainty_ratio(*table)
    yield "symmetrical uncertainty, 500 columns × 2 000, against mutual information", taken, 1.0
    taken = cfs_ratio(*table)
    yield "CFS of them, against mutual information of five of them with all", taken, 1.0
    taken = elimination_ratio(*classes(500, 200), step=20)
    yield "elimination with 100 trees a set, 500 × 200, against their RFE", taken, 0.6
    taken = boruta_ratio()
    yield "Boruta, 20 runs, 100 trees of depth 5, 1 000 × 40, against BorutaPy's loop", taken, 0.4
    taken = regularized_ratio(*classes(1_000, 20), penalty=1.0, max_features=None)
    yield (
        "regularized forest, 1 000 × 20, penalty 1, all features, against trees one by one",
        taken,
        1.5,
    )
    taken = regularized_ratio(*classes(1_000, 20), max_features=5)
    yield "the same, penalty 0.5, 5 new features, against trees that try as many", taken, 1.5
    taken = local_ratio(*make_masked_sine(n_noise=54, random_state=0))
    yield "importance in clusters, and a forest of as many trees, 10 000 × 56", taken, 0.6
    taken, held = c45_cost(*mixed_table())
    yield "C4.5 alone, 20 000 × 20 mixed, 5 % missing, grown and pruned: seconds", taken, 20.0
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
