"""Five estimates of a prediction error against the truth, over 200 training sets.

Repeats "Against the truth" and "Labels without a rule" of the chapter "The bootstrap". For
each of 200 training sets of 50 cases: the naive estimate, loo, .632 and .632+ from 25 bootstrap
samples, ten folds, and the error on 2000 fresh cases.

    python notebooks/replications/error_estimates.py

writes `error_estimates.csv` in about a minute and a half.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import sklearn.tree
from sklearn.datasets import make_moons
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from treelab.datasets import make_waveform
from treelab.fast.bootstrap import bootstrap_error_table

SETS = 200
LEARNERS = {
    "tree": sklearn.tree.DecisionTreeClassifier(random_state=0),
    "1-NN": KNeighborsClassifier(1),
}


def moons(n, rng):
    """Two classes that overlap, n of 10 000 cases (`make_moons(n)` itself spaces them evenly)."""
    X, y = make_moons(10_000, noise=0.4, random_state=rng.integers(2**31))
    rows = rng.choice(len(y), n, replace=False)
    return X[rows], y[rows]


def waves(n, rng):
    """Breiman's waveforms, three classes."""
    return make_waveform(n, random_state=rng)


def coins(n, rng):
    """Labels that nothing can predict."""
    return rng.normal(size=(n, 5)), rng.integers(2, size=n)


WORLDS = {"moons": moons, "waves": waves, "coins": coins}


def judge(draw, model, n_sets=SETS):
    """Estimates and truth, a row for each training set."""
    rng, found = np.random.default_rng(0), []
    for s in range(n_sets):
        X, y = draw(50, rng)
        X_new, y_new = draw(2000, rng)
        folds = KFold(10, shuffle=True, random_state=s)
        one = bootstrap_error_table(model, X, y, n_resamples=25, random_state=s)["error"]
        one["10-fold"] = np.mean(cross_val_predict(model, X, y, cv=folds) != y)
        one["truth"] = np.mean(model.fit(X, y).predict(X_new) != y_new)
        found.append(one.drop(["apparent", "gamma"]))
    return pd.DataFrame(found, index=pd.RangeIndex(n_sets, name="set"))


def replicate(n_sets=SETS):
    """The table of all worlds and learners."""
    runs = {
        (world, name): judge(draw, model, n_sets)
        for world, draw in WORLDS.items()
        for name, model in LEARNERS.items()
    }
    return pd.concat(runs, names=["world", "learner"])


if __name__ == "__main__":
    replicate().to_csv(Path(__file__).with_suffix(".csv"), float_format="%.4f")
