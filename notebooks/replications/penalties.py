"""What the penalty of regularized trees does: sizes and errors, guides, noise, order, XOR.

- sizes: four tables, ten splits into halves. One half chooses, with each penalty, guided with each
  gamma (and a penalty of 1), or not at all; the other judges a forest of 100 trees on the columns
  that are kept: `value` is the share of wrong classes.
- folds: the same tables, ten folds of the rows, three times: nine tenths choose by three penalties
  or keep all columns, and learn; the tenth judges. `repetition` counts the 30 folds.
- noise: three tables with 100 columns of noise behind their own, ten halves: how many columns
  several settings keep, how many of them are noise, and the error likewise.
- entries: the entries of these with a penalty of 0.5, by the number of rows of their nodes: `value`
  is the least of the range, `kept` counts the entries, `noise` those of noise.
- order: three tables, the half of the first split. The same 100 trees in ten orders, with the same
  samples and draws; and ten seeds.
- xor: 50 tables of 100 rows: the class is x1 xor x2, each pair of values stands in 25 rows, and
  eight columns are coins. `value` says whether both x1 and x2 are kept, `noise` counts the coins.

Writes `penalties.csv`: study, set, repetition, method, value, kept, noise, and columns, the numbers
of those kept where stability is asked. Takes ten minutes.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier as Judge

from treelab.datasets import fetch_ionosphere, fetch_musk1, fetch_parkinsons, fetch_sonar
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.growing.regularized import grow_regularized
from treelab.fast.selection import (
    CFSSelector,
    FCBFSelector,
    RegularizedBoostSelector,
    RegularizedForestSelector,
)

RESULT = Path(__file__).with_suffix(".csv")
COLUMNS = ["study", "set", "repetition", "method", "value", "kept", "noise", "columns"]
FETCH = {
    "parkinsons": fetch_parkinsons,
    "ionosphere": fetch_ionosphere,
    "sonar": fetch_sonar,
    "musk": fetch_musk1,
}
PENALTIES = 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 0.999, 1
GAMMAS = 0.3, 0.5, 0.7, 0.9
NOISE = 100  # columns added
RANGES = 2, 5, 11, 21, 51  # rows of a node: 2 to 4, 5 to 10, ...
SETTINGS = {
    "λ = 1": {"penalty": 1},
    "λ = 0.999": {"penalty": 0.999},
    "λ = 0.5": {"penalty": 0.5},
    "λ = 0.2": {"penalty": 0.2},
    "λ = 0.5, leaves of 5": {"penalty": 0.5, "min_samples_leaf": 5},
    "λ = 0.5, leaves of 10": {"penalty": 0.5, "min_samples_leaf": 10},
    "γ = 0.7": {"penalty": 1, "importance_guided": 0.7},
    "γ = 0.9": {"penalty": 1, "importance_guided": 0.9},
}


def table(name):
    """Columns without names, and the classes 0 and 1."""
    X, y = FETCH[name](return_X_y=True)
    return X.to_numpy(float), np.unique(y, return_inverse=True)[1]


def halves(n, repetition):
    """Two halves of the rows."""
    return np.array_split(np.random.default_rng(repetition).permutation(n), 2)


def forest(seed, **settings):
    """A regularized forest of 100 trees."""
    return RegularizedForestSelector(random_state=seed, **settings)


def wrong(X, y, train, test, kept):
    """Share of wrong classes of a forest on some columns, in the other half."""
    if not kept.any():
        return np.mean(y[test] != np.bincount(y[train]).argmax())
    model = Judge(100, random_state=0).fit(X[train][:, kept], y[train])
    return np.mean(model.predict(X[test][:, kept]) != y[test])


def numbers(kept):
    """The columns of a mask, as text."""
    return " ".join(map(str, np.flatnonzero(kept)))


def sizes(name, repetition, penalties=PENALTIES, gammas=GAMMAS):
    """A row for each setting, of one split."""
    X, y = table(name)
    train, test = halves(len(X), repetition)
    every = np.ones(X.shape[1], dtype=bool)
    ways = {f"λ = {penalty:g}": {"penalty": penalty} for penalty in penalties}
    ways |= {f"γ = {gamma:g}": {"penalty": 1, "importance_guided": gamma} for gamma in gammas}
    for way, settings in {"all columns": None, **ways}.items():
        kept = (
            forest(repetition, **settings).fit(X[train], y[train]).support_ if settings else every
        )
        error = wrong(X, y, train, test, kept)
        yield "sizes", name, repetition, way, error, kept.sum(), pd.NA, numbers(kept)


def folds(name, repetition, penalties=(0.1, 0.2, 0.5)):
    """A row for each penalty and for all columns, of one fold of three times ten."""
    X, y = table(name)
    order = np.random.default_rng(repetition // 10).permutation(len(X))
    test = np.array_split(order, 10)[repetition % 10]
    train = np.setdiff1d(order, test)
    for way in ("all columns", *penalties):
        kept = np.ones(X.shape[1], dtype=bool)
        if way != "all columns":
            kept = forest(repetition, penalty=way).fit(X[train], y[train]).support_
            way = f"λ = {way:g}"
        error = wrong(X, y, train, test, kept)
        yield "folds", name, repetition, way, error, kept.sum(), pd.NA, ""


def noise(name, repetition, only=SETTINGS):
    """A row for each setting, of one half with columns of noise; and the entries of one."""
    X, y = table(name)
    luck = np.random.default_rng([1, repetition]).normal(size=(len(X), NOISE))
    X, own = np.hstack([X, luck]), X.shape[1]
    train, test = halves(len(X), repetition)
    for way in only:
        selector = forest(repetition, **SETTINGS[way]).fit(X[train], y[train])
        kept = selector.support_
        error = wrong(X, y, train, test, kept)
        yield "noise", name, repetition, way, error, kept.sum(), kept[own:].sum(), ""
        if way == "λ = 0.5":
            yield from entries(name, repetition, selector.steps_table(), own)


def entries(name, repetition, steps, own):
    """The entries of a regularized forest and those of noise, for each range of node sizes."""
    made = steps["feature"].str[1:].astype(int) >= own
    of = np.searchsorted(RANGES, steps["n"], side="right")
    for k, least in enumerate(RANGES, start=1):
        here = of == k
        yield "entries", name, repetition, "λ = 0.5", least, here.sum(), made[here].sum(), ""


class InAnotherOrder(RegularizedForestSelector):
    """The trees of a regularized forest, grown one after the other in another order.

    Each keeps its rows and its draws; `order` is the seed of the order.
    """

    order = 0

    def _grow(self, columns, targets, table, limits, seed):
        n, turn = len(targets.y), np.random.default_rng(self.order).permutation(self.n_estimators)
        generators = [member_generator(seed, b) for b in turn]
        roots = [draw_sample(generator, n, n) for generator in generators]
        keys = np.array([generator.integers(2**63) for generator in generators], dtype=np.uint64)
        new = np.zeros(len(self.penalties_), dtype=bool)
        trees, entries = grow_regularized(
            columns, targets, limits, roots, keys, self.penalties_, new
        )
        return trees, [(root, targets) for root in roots], entries


def order(name, repetition):
    """The set that the same trees choose in another order, and the set of another seed."""
    X, y = table(name)
    rows = halves(len(X), 0)[0]
    again = InAnotherOrder(random_state=0)
    again.order = repetition
    ways = {"order": again, "seed": forest(repetition)}
    for way, selector in ways.items():
        kept = selector.fit(X[rows], y[rows]).support_
        yield "order", name, repetition, way, np.nan, kept.sum(), pd.NA, numbers(kept)


XOR = {
    "RRF, λ = 0.5": forest(0, penalty=0.5),
    "RRF, λ = 0.1": forest(0, penalty=0.1),
    "RRF, γ = 0.9": forest(0, penalty=1, importance_guided=0.9),
    "RBoost": RegularizedBoostSelector(random_state=0),
    "CFS": CFSSelector(),
    "FCBF": FCBFSelector(),
}


def xor(repetition):
    """Whether both columns of an XOR are kept, and how many coins; a row for each way."""
    rng = np.random.default_rng([2, repetition])
    pairs = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 25, axis=0)
    X = np.hstack([pairs, rng.integers(0, 2, (100, 8))]).astype(float)
    y = pairs[:, 0] ^ pairs[:, 1]
    for way, selector in XOR.items():
        kept = selector.fit(X, y).support_
        yield "xor", "xor", repetition, way, int(kept[:2].all()), kept.sum(), kept[2:].sum(), ""


def studies():
    """Each study as the calls that make its rows."""
    yield "xor", [(xor, k) for k in range(50)]
    tables = "parkinsons", "sonar", "ionosphere"
    yield "order", [(order, name, k) for name in tables for k in range(10)]
    yield "noise", [(noise, name, k) for name in tables for k in range(10)]
    yield "sizes", [(sizes, name, k) for name in FETCH for k in range(10)]
    yield "folds", [(folds, name, k) for name in FETCH for k in range(30)]


def main(only=None):
    """Make all studies, or those named, and keep the rows of the others."""
    for study, calls in studies():
        if only and study not in only:
            continue
        rows = [row for make, *given in calls for row in make(*given)]
        whole = pd.DataFrame(rows, columns=COLUMNS)
        if RESULT.exists():
            old = pd.read_csv(RESULT, keep_default_na=False, na_values={"value": "", "noise": ""})
            whole = pd.concat([old[~old["study"].isin(whole["study"])], whole])
        whole = whole.astype({"kept": "Int64", "noise": "Int64"})
        whole.to_csv(RESULT, index=False, float_format="%.6g")
        print(study, len(rows), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
