"""400 rounds of stumps on ten normal features, on 10 draws of the data instead of one (chapter 11).

Draw k: 2000 cases to learn from and 10 000 to test on; draw 0 is the chapter's. Writes
`nested_spheres.csv`: the test errors of AdaBoost and of Real AdaBoost. Takes two minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import AdaBoostClassifier, DecisionTreeClassifier


def make_spheres(n, rng):
    """Normal features, and whether the sum of their squares is above its median."""
    X = rng.normal(size=(n, 10))
    return X, np.where((X**2).sum(axis=1) > 9.34, 1, -1)


def real_adaboost(X, y, Z, M):
    """Scores of the cases Z after M rounds of stumps with a confidence for each side."""
    F, G = np.zeros(len(X)), np.zeros(len(Z))
    for _ in range(M):
        w = np.exp(-y * F)
        stump = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=w / w.sum())
        for scores, rows in ((F, X), (G, Z)):
            p = stump.predict_proba(rows)[:, 1].clip(1e-9, 1 - 1e-9)
            scores += 0.5 * np.log(p / (1 - p))
    return G


def one_draw(k):
    """One row."""
    rng = np.random.default_rng(k)
    (X, y), (Z, z) = make_spheres(2000, rng), make_spheres(10_000, rng)
    model = AdaBoostClassifier(n_estimators=400).fit(X, y)
    real = np.mean(np.sign(real_adaboost(X, y, Z, 400)) != z)
    return pd.DataFrame([{"draw": k, "AdaBoost": 1 - model.score(Z, z), "real": real}])


if __name__ == "__main__":
    table = pd.concat([one_draw(k) for k in range(10)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
