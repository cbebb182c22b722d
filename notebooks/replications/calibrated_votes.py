"""Probabilities from the votes of AdaBoost, calibrated and not, in 20 splits (chapter 11).

Two sets. Wine: is it of grade 7 or better? Copies of a wine are dropped; split k draws 1500 wines
to boost 100 stumps on, 2000 to calibrate on, and keeps the others to test on. Spheres: ten normal
features and the class whether the sum of their squares is above 9.34, a tenth of all labels
flipped; draw k has as many rows to learn from and 2000 to test on. Writes `calibrated_votes.csv`:
how many test rows (n), the mean forecast, the share of class 1, mean log loss and mean squared
error (the Brier score) of each forecast. Those with the most calibration rows, or with none, are
divided into ten bins of the forecast, the others have one. Takes two minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import train_test_split

from treelab import AdaBoostClassifier
from treelab.datasets import fetch_wine_quality

SIZES = [50, 200, 500, 2000]


def wine(k):
    """The wines in random order; 1 for grade 7 or better."""
    frame = fetch_wine_quality().frame.drop_duplicates()
    good = (frame["quality"].astype(int) >= 7).astype(int).to_numpy()
    X = pd.get_dummies(frame.drop(columns="quality"), drop_first=True).to_numpy(float)
    order = np.random.default_rng(k).permutation(len(good))
    return X[order], good[order]


def spheres(k):
    """Inside or outside a sphere in ten dimensions, a tenth of the labels flipped."""
    rng = np.random.default_rng(k)
    X = rng.normal(size=(1500 + SIZES[-1] + 2000, 10))
    return X, ((X**2).sum(axis=1) > 9.34) ^ (rng.random(len(X)) < 0.1)


def judged(p, y, n_bins):
    """A row for each bin of the forecasts p that is not empty."""
    inside = p.clip(1e-15, 1 - 1e-15)
    each = pd.DataFrame({"forecast": p, "share": y})
    each["log loss"] = -np.log(np.where(y == 1, inside, 1 - inside))
    each["Brier"] = (p - y) ** 2
    bins = each.groupby(np.minimum((p * n_bins).astype(int), n_bins - 1))
    return bins.mean().assign(n=bins.size()).rename_axis("bin").reset_index()


def one_split(k):
    """A table for each of the two sets."""
    tables = []
    for name, data in (("wine", wine), ("spheres", spheres)):
        X, y = data(k)
        train, test = slice(0, 1500), slice(1500 + SIZES[-1], None)
        pool, pool_y = (v[1500 : test.start] for v in (X, y))
        model = AdaBoostClassifier(n_estimators=100).fit(X[train], y[train])
        score = model.decision_function(X[test]) * model.estimator_weights_.sum() / 4  # F
        forecasts = {
            ("share", 0): model.predict_proba(X[test])[:, 1],
            ("logistic", 0): expit(2 * score),
        }
        for n in SIZES:
            few = pool, pool_y
            if n < len(pool):
                few = train_test_split(*few, train_size=n, stratify=pool_y, random_state=k)[::2]
            for method in ("sigmoid", "isotonic"):
                calibrated = CalibratedClassifierCV(FrozenEstimator(model), method=method)
                forecasts[method, n] = calibrated.fit(*few).predict_proba(X[test])[:, 1]
        for (method, n), p in forecasts.items():
            table = judged(p, y[test], 10 if n in (0, SIZES[-1]) else 1)
            about = {"split": k, "data": name, "method": method, "rows": n}
            tables.append(table.assign(**about)[[*about, *table]])
    return pd.concat(tables, ignore_index=True)


if __name__ == "__main__":
    table = pd.concat([one_split(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
