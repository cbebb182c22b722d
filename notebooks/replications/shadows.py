"""What Boruta confirms: beside BorutaPy's loop, on noise alone, and by the coin alone.

- agreement: ten sets of classes and ten of numbers, 150 rows and 15 columns, the first five of
  which are real. Boruta of treelab and BorutaPy's loop on scikit-learn's forest, with three seeds
  each: 40 trees of depth 5, a third of the columns or their root tried at a node, 50 runs at most.
- noise: 200 sets of 80 rows, ten columns and two classes drawn by coins, with nothing to find;
  of the loop, 50 of them. Two steps at 0.05, and Bonferroni at 0.01.
- coin: the chance that a column which wins half of all runs is confirmed at some time within
  50 runs, alone among ten columns, exactly.

BorutaPy is not needed: its loop is written down again here, with the same shadows, fits and tests.

Writes `shadows.csv`: study, set, method, repetition; states, a letter for each column, C for
confirmed, T for tentative, R for rejected; and value, the chance. Takes ten minutes.
"""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binom, false_discovery_control
from sklearn import ensemble as theirs
from sklearn.datasets import make_classification, make_friedman1

import treelab as ours
from treelab.fast.selection import Boruta

RESULT = Path(__file__).with_suffix(".csv")
RUNS = 50
COLUMNS = ["study", "set", "method", "repetition", "states", "value"]
RULES = {"two steps, 0.05": (True, 0.05), "Bonferroni, 0.01": (False, 0.01)}


def borutapy_loop(forest, X, y, runs, rng, two_step=True, alpha=0.05):
    """Verdicts of BorutaPy's loop by a forest of scikit-learn: 1, 0 or -1 for each column.

    The same copies, shuffles, fits and tests as there, without its checks, its printing and its
    ranks.
    """
    p = X.shape[1]
    verdict, hits = np.zeros(p, dtype=int), np.zeros(p, dtype=int)
    for r in range(1, runs + 1):
        active = np.flatnonzero(verdict >= 0)
        columns = np.copy(X[:, active])
        shadows = np.copy(columns)
        while shadows.shape[1] < 5:
            shadows = np.hstack((shadows, shadows))
        shadows = np.apply_along_axis(rng.permutation, 0, shadows)
        forest.set_params(random_state=rng.randint(2**31 - 1))
        found = forest.fit(np.hstack((columns, shadows)), y).feature_importances_
        hits[active] += found[: len(active)] > np.percentile(found[len(active) :], 100)
        tails = binom.sf(hits[active] - 1, r, 0.5), binom.cdf(hits[active], r, 0.5)
        for tail, decided in zip(tails, (1, -1), strict=True):
            passes = tail <= alpha / (r if two_step else p)
            if two_step:
                passes &= false_discovery_control(tail) <= alpha
            verdict[active[passes & (verdict[active] == 0)]] = decided
        if (verdict != 0).all():
            break
    return verdict


def forest_of(module, kind):
    """The same forest from treelab or from scikit-learn."""
    tried = {"Classifier": "sqrt", "Regressor": 1 / 3}[kind]
    return getattr(module, f"RandomForest{kind}")(40, max_depth=5, max_features=tried, n_jobs=1)


def states(which, kind, X, y, seed, rule="two steps, 0.05"):
    """Letters of the states by treelab or by BorutaPy's loop."""
    two_step, alpha = RULES[rule]
    if which == "treelab":
        boruta = Boruta(
            forest_of(ours, kind), two_step=two_step, alpha=alpha, max_runs=RUNS, random_state=seed
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "After max_runs")
            return "".join(state[0].upper() for state in boruta.fit(X, y).states_)
    rng = np.random.RandomState(seed)
    found = borutapy_loop(forest_of(theirs, kind), X, y, RUNS, rng, two_step, alpha)
    return "".join("TCR"[verdict] for verdict in found)


def real_and_noise(number):
    """Rows, targets and kind of the sets of the agreement."""
    if number < 10:
        settings = {"n_informative": 5, "n_redundant": 0, "flip_y": 0.1, "shuffle": False}
        return *make_classification(150, 15, random_state=number, **settings), "Classifier"
    return *make_friedman1(150, 15, noise=2.0, random_state=number), "Regressor"


def noise_alone(number):
    """Rows and classes that have nothing to do with each other."""
    rng = np.random.default_rng(number)
    return rng.normal(size=(80, 10)), rng.integers(0, 2, 80)


def agreement(number, seeds=range(3), methods=("treelab", "loop")):
    """States of one set, by both programs, seed by seed."""
    X, y, kind = real_and_noise(number)
    for which in methods:
        for seed in seeds:
            yield "agreement", number, which, seed, states(which, kind, X, y, seed), np.nan


def noise(number, methods=("treelab", "loop")):
    """States of one set of noise, by both rules; the loop on the first 50 sets."""
    X, y = noise_alone(number)
    for which in methods:
        for rule in RULES:
            if which == "treelab" or (number < 50 and rule.startswith("two")):
                found = states(which, "Classifier", X, y, number, rule)
                yield "noise", number, f"{which}, {rule}", 0, found, np.nan


def coin(rule, p=10):
    """Chance that heads of a coin are ever too many, within the runs, for one column of p."""
    two_step, alpha = RULES[rule]
    open_, confirmed = np.array([1.0]), 0.0  # chances of 0, 1, ... hits, not yet decided
    for r in range(1, RUNS + 1):
        open_ = np.append(open_, 0) / 2 + np.append(0, open_) / 2
        level = alpha / (max(r, p) if two_step else p)  # alone, BH divides by p as well
        hits = np.arange(r + 1)
        over = binom.sf(hits - 1, r, 0.5) <= level
        confirmed += open_[over].sum()
        open_[over | (binom.cdf(hits, r, 0.5) <= level)] = 0
    return "coin", p, rule, 0, "", confirmed


def main():
    rows = [coin(rule) for rule in RULES]
    for number in range(200):
        rows += noise(number)
    for number in range(20):
        rows += agreement(number)
    pd.DataFrame(rows, columns=COLUMNS).to_csv(RESULT, index=False, float_format="%.6f")


if __name__ == "__main__":
    main()
