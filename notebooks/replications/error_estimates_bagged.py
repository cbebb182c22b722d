"""Seven estimates of the error of 50 bagged trees against the truth, over 100 training sets.

Repeats "In which direction each estimate is biased" behind the chapter "Bagging and out-of-bag
error". The rule to be judged is a bag of 50 grown trees on all 50 cases, in three worlds. Each
estimate fits bags of its own where its recipe says so: a held-out third one, ten folds ten, the
bootstrap ten.

    python notebooks/replications/error_estimates_bagged.py

writes `error_estimates_bagged.csv` in about six minutes.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn.tree
from sklearn.model_selection import KFold, train_test_split

from treelab.fast.bootstrap import plus_estimate

HERE = Path(__file__)
SETS, MEMBERS, RESAMPLES = 100, 50, 10


def worlds():
    """The three worlds of `error_estimates.py`, the same draws for the same generator."""
    spec = importlib.util.spec_from_file_location("one_tree", HERE.parent / "error_estimates.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WORLDS


def grow_bag(X, y, rng):
    """Grown trees on bootstrap samples, and how often each sample holds each row."""
    counts, trees = [], []
    for _ in range(MEMBERS):
        counts.append(np.bincount(rng.integers(len(y), size=len(y)), minlength=len(y)))
        tree = sklearn.tree.DecisionTreeClassifier(random_state=0)
        trees.append(tree.fit(X, y, sample_weight=counts[-1]))
    return trees, np.array(counts)


def votes_of(trees, X, K, ask=None):
    """Votes for each class, an array (rows, K); `ask` says which tree may judge which row."""
    votes = np.zeros((len(X), K))
    for b, tree in enumerate(trees):
        judged = np.arange(len(X)) if ask is None else np.flatnonzero(ask[b])
        if len(judged):
            votes[judged, tree.predict(X[judged]).astype(int)] += 1
    return votes


def wrong(votes, y):
    """The share of the rows with a vote that the vote gets wrong; of a tie the first class wins."""
    heard = votes.sum(axis=1) > 0
    return np.mean(votes[heard].argmax(axis=1) != y[heard])


def losses_of(X, y, old, new, rng):
    """Losses, 0 or 1, of the rows `new` under a bag of the rows `old`."""
    trees, _ = grow_bag(X[old], y[old], rng)
    return votes_of(trees, X[new], y.max() + 1).argmax(axis=1) != y[new]


def judge(draw, n_sets):
    """Estimates and truth, a row for each training set."""
    rng, found = np.random.default_rng(1), []
    for s in range(n_sets):
        (X, y), (X_new, y_new) = draw(50, rng), draw(2000, rng)
        names, y = np.unique(y, return_inverse=True)
        y_new, K = np.searchsorted(names, y_new), len(names)

        trees, counts = grow_bag(X, y, rng)
        fitted = votes_of(trees, X, K)
        one = {"training": wrong(fitted, y)}
        old, new = train_test_split(np.arange(50), test_size=17, random_state=s)
        one["held-out third"] = losses_of(X, y, old, new, rng).mean()
        folds = KFold(10, shuffle=True, random_state=s).split(X)
        folded = [losses_of(X, y, old, new, rng) for old, new in folds]
        one["10-fold"] = np.concatenate(folded).mean()
        losses, judges = np.zeros(50), np.zeros(50)
        for _ in range(RESAMPLES):
            drawn = rng.integers(50, size=50)
            unseen = np.setdiff1d(np.arange(50), drawn)
            losses[unseen] += losses_of(X, y, drawn, unseen, rng)
            judges[unseen] += 1
        seen = judges > 0
        loo = np.mean(losses[seen] / judges[seen])
        shares = np.bincount(y, minlength=K) / 50
        said = np.bincount(fitted.argmax(axis=1), minlength=K) / 50
        plus = plus_estimate(one["training"], loo, 1 - shares @ said)
        one |= {"loo": loo, ".632": 0.368 * one["training"] + 0.632 * loo, ".632+": plus}
        one["out-of-bag"] = wrong(votes_of(trees, X, K, ask=counts == 0), y)
        one["truth"] = wrong(votes_of(trees, X_new, K), y_new)
        found.append(one)
    return pd.DataFrame(found, index=pd.RangeIndex(n_sets, name="set"))


def replicate(n_sets=SETS):
    """The table of all worlds."""
    runs = {world: judge(draw, n_sets) for world, draw in worlds().items()}
    return pd.concat(runs, names=["world"])


if __name__ == "__main__":
    replicate().to_csv(HERE.with_suffix(".csv"), float_format="%.4f")
