"""Chapter 6: what do weights, thresholds and resampling do to rare classes? About five minutes.

Four data sets with a rare class, 20 stratified splits each, a third of the rows for the test. A
forest of 100 trees with at least five rows in each leaf is trained in five ways: on the rows as
they are, with balanced class weights, on as many frequent rows as there are rare ones
(undersampling), on copies of the rare rows (oversampling), and on rare rows interpolated between
neighbors (SMOTE, Chawla et al. 2002). A way is evaluated at the threshold 0.5 and, in addition, at
the proportion of the rare class in the training rows. A row of `class_imbalance.csv` is one split,
one way and one threshold.

    python notebooks/replications/class_imbalance.py
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neighbors import NearestNeighbors

from treelab import datasets

RESULT = Path(__file__).with_suffix(".csv")
SPLITS = 20


def data_sets():
    """Features and the rare class (1) of each data set; dict."""
    sick, credit = datasets.fetch_sick(), datasets.fetch_german_credit()
    wine = datasets.fetch_wine_quality("red")
    digits, digit = load_digits(return_X_y=True)
    return {
        "sick": (numbers(sick.data), (sick.target == "sick").to_numpy(int)),
        "good wine": (numbers(wine.data), (wine.target >= 7).to_numpy(int)),
        "digit 8": (digits, (digit == 8).astype(int)),
        "bad loan": (numbers(credit.data), (credit.target == "bad").to_numpy(int)),
    }


def numbers(X):
    """A table of numbers: a column of 0 and 1 for each category, the median for a missing value."""
    X = pd.get_dummies(X.dropna(axis=1, how="all"), dtype=float)
    return X.fillna(X.median()).to_numpy()


def undersampled(X, y, rng):
    """All rare rows and as many frequent rows, drawn at random."""
    frequent = rng.choice(np.flatnonzero(y == 0), y.sum(), replace=False)
    rows = np.concatenate([np.flatnonzero(y == 1), frequent])
    return X[rows], y[rows]


def oversampled(X, y, rng):
    """All rows, and copies of rare rows until both classes are equally frequent."""
    more = rng.choice(np.flatnonzero(y == 1), (y == 0).sum() - y.sum())
    rows = np.concatenate([np.arange(len(y)), more])
    return X[rows], y[rows]


def smote(X, y, rng, k=5):
    """All rows, and points between rare rows and one of their five nearest rare neighbors."""
    rare, n = X[y == 1], (y == 0).sum() - y.sum()
    scale = X.std(axis=0) + 1e-12
    near = NearestNeighbors(n_neighbors=k + 1).fit(rare / scale)
    neighbors = near.kneighbors(rare / scale, return_distance=False)[:, 1:]
    first = rng.integers(len(rare), size=n)
    second = neighbors[first, rng.integers(k, size=n)]
    new = rare[first] + rng.random((n, 1)) * (rare[second] - rare[first])
    return np.vstack([X, new]), np.concatenate([y, np.ones(n, int)])


def scores(X, y, X_test, seed):
    """The probability of the rare class for each test row, by five ways to train; dict."""
    rng = np.random.default_rng(seed)
    ways = {"as it is": (X, y), "undersampling": undersampled(X, y, rng)}
    ways |= {"oversampling": oversampled(X, y, rng), "SMOTE": smote(X, y, rng)}
    found = {}
    for way, (rows, classes) in ways.items():
        found[way] = forest(seed).fit(rows, classes).predict_proba(X_test)[:, 1]
    weighted = forest(seed, class_weight="balanced").fit(X, y)
    return found | {"weights": weighted.predict_proba(X_test)[:, 1]}


def forest(seed, **settings):
    """The model of all comparisons."""
    return RandomForestClassifier(100, min_samples_leaf=5, random_state=seed, **settings)


def measured(y, p, threshold):
    """Precision, recall, balanced error, AUC and Brier score of probabilities; dict."""
    positive = p >= threshold
    tp, fp = (positive & (y == 1)).sum(), (positive & (y == 0)).sum()
    recall, false_alarms = tp / (y == 1).sum(), fp / (y == 0).sum()
    return {
        "precision": tp / max(tp + fp, 1),
        "recall": recall,
        "balanced_error": (1 - recall + false_alarms) / 2,
        "auc": roc_auc_score(y, p),
        "brier": brier_score_loss(y, p),
    }


def compared(name, splits=SPLITS):
    """All rows of one data set, as they stand in the CSV."""
    X, y = data_sets()[name]
    rows, cv = [], StratifiedShuffleSplit(SPLITS, test_size=1 / 3, random_state=0)
    for split, (train, test) in enumerate(cv.split(X, y)):
        if split == splits:
            break
        share = y[train].mean()
        for way, p in scores(X[train], y[train], X[test], seed=split).items():
            for word, threshold in (("0.5", 0.5), ("proportion", share)):
                found = measured(y[test], p, threshold)
                rows.append({"set": name, "split": split, "way": way, "threshold": word} | found)
    return pd.DataFrame(rows).round(5)


if __name__ == "__main__":
    tables = [compared(name) for name in data_sets()]
    pd.concat(tables).to_csv(RESULT, index=False)
