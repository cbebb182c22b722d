"""Importances and pruned tables under all settings of the thesis' grid, on the bicycles' hours.

The thirds, the thirteen features, the three models and the grid of 81, 32 and 32 settings (table
4.1.1) are those of `bicycles_end_to_end.py`, at the thesis' numbers of trees, with draw 0 of the
thirds; the random state of the models is 0, as in the thesis. A model of 200 trees is the first
half of one of 400. Where a leaf needs so many rows that two settings grow the same trees, they are
grown once and written twice: a node is split only if it has twice the rows of a leaf.

Writes two tables in about fifteen minutes of processor time. What is there already is not done
again.

`all_settings.csv`, a row for each setting and target, figure 4.2.1 (study `settings`), and for ten
random states of the setting in table 4.2.1, for all rentals (study `states`): the importances of
the thirteen features, of each tree first and then averaged over the trees, as scikit-learn 0.17
had it for boosting, too.

`all_settings_path.csv`, all rentals, figure 4.2.2: a row for each setting and number of features,
10, 20, ... 100 percent of them, the first by the setting's own importances. Mean absolute errors on
the three thirds, and `time`, the processor time of fit and predictions in units of that with all
features (of 400 trees for forests and boosting).
"""

import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parent))
import bicycles_end_to_end as bicycles

from treelab.fast.importance import impurity_decreases

RESULT = Path(__file__).with_suffix(".csv")
PATH = RESULT.with_name("all_settings_path.csv")
TARGETS, STATES = ("cnt", "registered", "casual"), range(10)
SIZES = [round(13 * percent / 100) for percent in range(10, 101, 10)]
JOB = ["study", "target", "model"]


@cache
def rows_of(target):
    """The features, the target, and the thirds."""
    table = bicycles.whole_table()
    thirds = bicycles.thirds(table, "random", 0)
    return table[bicycles.PUBLISHED].to_numpy(float), table[target].to_numpy(float), thirds


def fitted(kind, setting, target, some, state=0):
    """A model with the larger number of trees, on some of the features."""
    X, y, (learn, *_) = rows_of(target)
    trees = {} if kind == "DTR" else {"n_estimators": 400}
    return bicycles.thesis_model(kind, state, **setting | trees).fit(X[learn][:, some], y[learn])


def importances(model, kind):
    """By the number of trees: the importances of the first so many."""
    each = impurity_decreases(model)
    total = each.sum(axis=1, keepdims=True)
    shares = np.divide(each, total, out=np.full_like(each, np.nan), where=total > 0)
    if kind == "DTR":
        return {"": shares[0]}
    return {n: np.nanmean(shares[:n], axis=0) for n in (200, 400)}


def errors(model, kind, target, some):
    """By the number of trees: mean absolute errors on the three thirds."""
    X, y, thirds = rows_of(target)
    said = [bicycles.predictions(model, kind, X[rows][:, some]) for rows in thirds]
    return {
        n: [np.mean(np.abs(y[rows] - each[n])) for rows, each in zip(thirds, said, strict=True)]
        for n in said[0]
    }


def path(kind, setting, model, target="cnt"):
    """Rows of the second table: number of trees, of features, errors and time."""
    orders = {n: np.argsort(-i, kind="stable") for n, i in importances(model, kind).items()}
    rows, took = [], {}
    for size in SIZES:
        sets = {n: tuple(sorted(order[:size])) for n, order in orders.items()}
        for some in dict.fromkeys(sets.values()):
            begin = time.process_time()
            found = errors(fitted(kind, setting, target, some), kind, target, some)
            took[some] = time.process_time() - begin
            rows += [[n, size, *found[n], some] for n in sets if sets[n] == some]
    whole = took[tuple(range(13))]
    return [
        {"n_estimators": n, "features": size, "train": a, "validation": b, "test": c,
         "time": took[some] / whole}
        for n, size, a, b, c, some in rows
    ]  # fmt: skip


def settings(kind):
    """Settings that grow other trees, each with all that grow the same; list of list of dict."""
    alike = {}
    for one in bicycles.thesis_grid(kind):
        depth, share, split, leaf = one.values()
        alike.setdefault((depth, share, max(split, 2 * leaf), leaf), []).append(one)
    return list(alike.values())


def written(values):
    """Importances as text."""
    return " ".join(f"{value:.4f}" for value in values)


def one_setting(study, target, kind, alike):
    """Rows of one of the two tables for settings that grow the same trees."""
    model = fitted(kind, alike[0], target, list(range(13)))
    found = path(kind, alike[0], model) if study == "path" else [
        {"n_estimators": n, "state": 0, "importance": written(each)}
        for n, each in importances(model, kind).items()
    ]  # fmt: skip
    first = {"study": study, "target": target, "model": kind}
    return [first | one | row for one in alike for row in found]


def states(kind, target="cnt"):
    """Rows of the first table: the setting of table 4.2.1 with other random states."""
    best = bicycles.BEST[kind]
    n = "" if kind == "DTR" else 200
    first = {"study": "states", "target": target, "model": kind} | best | {"n_estimators": n}
    for state in STATES:
        model = fitted(kind, best, target, list(range(13)), state)
        yield first | {"state": state, "importance": written(importances(model, kind)[n])}


def jobs():
    """Study, target and model, those of the first table before those of the second."""
    for kind in bicycles.MAKERS:
        yield from (("settings", target, kind) for target in TARGETS)
        yield "states", "cnt", kind
    yield from (("path", "cnt", kind) for kind in ("DTR", "GBR", "RFR"))


def one_job(study, target, kind):
    """All rows of a job; DataFrame."""
    if study == "states":
        return pd.DataFrame(states(kind))
    rows = [one_setting(study, target, kind, alike) for alike in settings(kind)]
    return pd.DataFrame(sum(rows, []))


def main():
    for study, target, kind in jobs():
        file = PATH if study == "path" else RESULT
        rows = pd.read_csv(file, dtype=str) if file.exists() else pd.DataFrame(columns=JOB)
        if not (rows[JOB] == [study, target, kind]).all(axis=1).any():
            new = one_job(study, target, kind).round({"time": 2}).round(4)
            new["max_depth"] = new["max_depth"].astype("Int64")
            pd.concat([rows, new] if len(rows) else [new]).to_csv(file, index=False)
            print(study, target, kind, flush=True)


if __name__ == "__main__":
    main()
