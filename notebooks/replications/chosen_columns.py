"""Which columns filters choose, what a model makes of them, and how many come back.

- accuracy: Madelon, 500 columns of which 20 are real. Split k: its 2000 rows in another order, half
  to choose and learn from, half to test on. Each way to get fewer columns sees the training half
  alone. What is kept goes, scaled to equal variances, to a vote of the ten nearest neighbors.
  Principal components are those of the scaled columns, or of the columns as they are, and go to
  the vote without scaling. For comparison ten real columns are drawn, too.
- passes: of the same splits, how many real columns FCBF drops in each of its passes.
- returns: the ten columns of largest F on all rows, and on each of 50 bootstrap samples: how many
  of the ten are among its ten, of Madelon, Arcene and the complete columns of Arrhythmia.
- family: how much these ten resemble each other, the least absolute correlation of two of them.

Writes `chosen_columns.csv`: study, set, repetition, method, and value; for accuracy also the number
of columns that were kept and the number of real ones among them. Takes two minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.feature_selection import r_regression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from treelab.datasets import fetch_arcene, fetch_arrhythmia, fetch_madelon
from treelab.fast.selection import CFSSelector, FCBFSelector, FilterSelector

RESULT = Path(__file__).with_suffix(".csv")
FETCH = {"madelon": fetch_madelon, "arcene": fetch_arcene, "arrhythmia": fetch_arrhythmia}
COLUMNS = ["study", "set", "repetition", "method", "value", "kept", "real"]


def table(name):
    """Inputs without gaps, floats, and classes of a data set."""
    X, y = FETCH[name](return_X_y=True)
    X = X.loc[:, X.notna().all()]
    return X.astype(float), np.asarray(y)


def real_columns(X):
    """Mask of the columns of Madelon that go with another one: noise goes with none."""
    r = np.abs(np.corrcoef(X.to_numpy().T))
    np.fill_diagonal(r, 0)
    return r.max(axis=0) > 0.2


def ways(real, repetition):
    """Name and transformers of each way to get fewer columns."""
    drawn = np.random.default_rng(repetition).choice(np.flatnonzero(real), 10, replace=False)
    yield "all columns", [FunctionTransformer(), StandardScaler()]
    yield "filter, best 10", [FilterSelector(number=10), StandardScaler()]
    yield "CFS", [CFSSelector(), StandardScaler()]
    yield "FCBF", [FCBFSelector(), StandardScaler()]
    yield "PCA, scaled columns", [StandardScaler(), PCA(10, random_state=0)]
    yield "PCA, raw columns", [PCA(10, random_state=0)]
    yield "10 real, drawn", [FunctionTransformer(lambda X: X.iloc[:, drawn]), StandardScaler()]
    yield "the real 20", [FunctionTransformer(lambda X: X.loc[:, real]), StandardScaler()]


def accuracies(repetition, X, y, only=None):
    """A row for each way, of one split."""
    rows = np.random.default_rng(repetition).permutation(len(X))
    train, test = np.split(rows, 2)
    real = real_columns(X)
    all_real = {"all columns": 20, "10 real, drawn": 10, "the real 20": 20}
    for name, way in ways(real, repetition):
        if only and name not in only:
            continue
        model = make_pipeline(*way, KNeighborsClassifier(10))
        model.fit(X.iloc[train], y[train])
        kept, found = model[-1].n_features_in_, all_real.get(name, 0)
        if hasattr(way[0], "get_support"):
            found = real[way[0].get_support()].sum()
        score = model.score(X.iloc[test], y[test])
        yield "accuracy", "madelon", repetition, name, score, kept, found
        if name == "FCBF":
            steps = way[0].steps_table().query("removed")
            first = steps["pass"] == 1
            gone = [steps.loc[first, "feature"], steps.loc[~first, "other"]]
            for k, columns in enumerate(gone, 1):
                lost = columns.isin(X.columns[real]).sum()
                yield "passes", "madelon", repetition, f"pass {k}", lost, np.nan, np.nan


def best_ten(X, y):
    """The columns of largest F; for more than two classes, of the largest share between them."""
    classes = np.unique(y)
    if len(classes) == 2:
        score = np.abs(r_regression(X, y == classes[0]))
    else:
        Z = X - X.mean(axis=0)
        parts = [Z[y == k] for k in classes]
        between = sum(len(part) * part.mean(axis=0) ** 2 for part in parts)
        total = (Z**2).sum(axis=0)
        score = np.divide(between, total, out=np.zeros(len(total)), where=total > 0)
    return set(np.argsort(-np.nan_to_num(score), kind="stable")[:10].tolist())


def returns(name, repetitions):
    """How many of the ten come back, a row for each bootstrap sample."""
    X, y = table(name)
    X = X.to_numpy()
    ten = best_ten(X, y)
    for repetition in repetitions:
        rows = np.random.default_rng(repetition).integers(0, len(X), len(X))
        again = len(ten & best_ten(X[rows], y[rows]))
        yield "returns", name, repetition, "filter, best 10", again, 10, np.nan


def family(name):
    """The least absolute correlation among the ten; a row."""
    X, y = table(name)
    X = X.to_numpy()
    r = np.abs(np.corrcoef(X[:, sorted(best_ten(X, y))].T))
    yield "family", name, 0, "filter, best 10", r.min(), 10, np.nan


def main():
    rows = []
    X, y = table("madelon")
    for repetition in range(20):
        rows += accuracies(repetition, X, y)
    for name in FETCH:
        rows += returns(name, range(50))
        rows += family(name)
    result = pd.DataFrame(rows, columns=COLUMNS).astype({"kept": "Int64"})
    result.to_csv(RESULT, index=False, float_format="%.6f")


if __name__ == "__main__":
    main()
