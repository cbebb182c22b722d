"""How many candidates for handwritten digits: a forest for each m, scikit-learn's (chapter 10).

Split k: half of the 1797 images of `load_digits` for training, the other half for testing. Writes
`digits_candidates.csv`: for each split and m the test error of 100 trees, their out-of-bag error,
the mean test error of one of the trees, the mean correlation of the mistakes of two trees, and the
processor time of the fit as a fraction of that with all 64 candidates. Takes two minutes.
"""

from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

CANDIDATES = (1, 2, 4, 8, 16, 32, 64)
COLUMNS = ["split", "m", "forest", "out of bag", "tree", "correlation", "time"]


def halves(k):
    """Training rows, test rows, and their classes."""
    X, y = load_digits(return_X_y=True)
    return train_test_split(X, y, test_size=0.5, stratify=y, random_state=k)


def one_forest(k, m):
    """Errors of the forest, out of bag and of its trees, correlation of mistakes, and seconds."""
    A, C, a, c = halves(k)
    start = process_time()
    forest = RandomForestClassifier(100, max_features=m, oob_score=True, random_state=k).fit(A, a)
    seconds = process_time() - start
    wrong = np.array([tree.predict(C) != c for tree in forest.estimators_])
    pairs = np.corrcoef(wrong)[np.triu_indices(100, 1)]
    errors = 1 - forest.score(C, c), 1 - forest.oob_score_, wrong.mean()
    return *errors, pairs.mean(), seconds


def one_split(k, candidates=CANDIDATES):
    """A row for each m."""
    rows = [(k, m, *one_forest(k, m)) for m in candidates]
    table = pd.DataFrame(rows, columns=COLUMNS)
    table["time"] = (table["time"] / table["time"].iloc[-1]).round(2)
    return table


if __name__ == "__main__":
    table = pd.concat([one_split(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
