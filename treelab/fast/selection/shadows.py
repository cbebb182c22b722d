"""Shadows, and the tests behind Boruta: how often must a column win before it is believed?

A column that is as good as the threshold would win a run with probability 1/2, so its number of
hits would be that of heads among as many tosses of a coin. Many hits speak for it, few against
it. Many columns are tested, and each of them after every run: corrections pay for that.

Vocabulary
----------
shadow : a column with its values in another order
hits : number of runs that a column has won; r : number of runs so far
p_confirm : chance of so many hits or more by tossing a coin; p_reject : of so many or fewer
bh : a p-value that pays for the other columns, after Benjamini and Hochberg
level : largest p-value that decides
"""

import numbers

import numpy as np
import pandas as pd
from scipy.stats import binom, false_discovery_control
from sklearn.base import clone
from sklearn.utils import check_random_state

from treelab.fast.bagging import RandomForestClassifier, RandomForestRegressor
from treelab.fast.bagging.out_of_bag import number_of_draws
from treelab.fast.growing.training_data import Columns
from treelab.fast.selection.forests import HIGHEST_SEED, on_columns, seeded

__all__ = ["RankedForest", "decisions", "draw_shadows", "with_shadows"]

LEAST = 5  # shadows, so that the best of them is a bar


def draw_shadows(columns, n_rows, generator):
    """Which columns cast shadows, and in which order of the rows; (s,) and (n_rows, s).

    Each column casts one. Fewer than five columns are doubled until they cast five.

    Parameters
    ----------
    columns : ndarray of int, shape (k,)
    n_rows : int
    generator : numpy.random.Generator
        Its `permutation` draws the orders one after the other.

    Examples
    --------
    >>> casting, orders = draw_shadows(np.array([2, 7]), 3, np.random.default_rng(0))
    >>> casting.tolist(), orders[:, 0].tolist()
    ([2, 7, 2, 7, 2, 7, 2, 7], [2, 0, 1])
    """
    casting = columns
    while len(casting) < LEAST:
        casting = np.tile(casting, 2)
    return casting, np.column_stack([generator.permutation(n_rows) for _ in casting])


def with_shadows(estimator, X, columns, casting, orders):
    """Some columns of a table with shadows behind them, and the estimator for these.

    Parameters
    ----------
    estimator : estimator
        As in `treelab.fast.selection.forests.on_columns`, which says how it may change.
    X : DataFrame or ndarray of shape (n_rows, n_features)
    columns : ndarray of int, shape (k,)
    casting, orders : ndarray
        From `draw_shadows`.

    Returns
    -------
    estimator : estimator
    table : DataFrame or ndarray of shape (n_rows, k + s)

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> X, orders = np.array([[1, 10], [2, 20], [3, 30]]), np.array([[2, 1], [0, 0], [1, 2]])
    >>> with_shadows(RandomForestClassifier(), X, [1], [0, 1], orders)[1].tolist()
    [[10, 3, 20], [20, 1, 10], [30, 2, 30]]
    """
    estimator, table = on_columns(estimator, X, [*columns, *casting])
    k, framed = len(columns), isinstance(table, pd.DataFrame)
    if framed and not all(isinstance(t, np.dtype) and t.kind in "iuf" for t in table.dtypes):
        moved = [table.iloc[order, k + i].array for i, order in enumerate(orders.T)]
        parts = [table.iloc[:, i].array for i in range(k)] + moved
        values = pd.DataFrame(dict(enumerate(parts)))
    else:
        values = np.asarray(table)
        shadows = np.take_along_axis(values[:, k:], orders, axis=0)
        values = np.hstack([values[:, :k], shadows])
    if framed:
        names = [str(name) for name in table.columns]
        values = pd.DataFrame(values)
        values.columns = names[:k] + [f"shadow {i} of {n}" for i, n in enumerate(names[k:], 1)]
    return estimator, values


class RankedForest:
    """A treelab forest that ranks the columns once for all runs: a shadow has the same ranks.

    Its importances are to the last bit those of a forest that is fitted on the table of columns and
    shadows, in less time.
    """

    def __init__(self, forest, X, y):
        self.forest = clone(forest)
        X, y, weight = self.forest._read_training(X, y)
        self.columns, self.targets = self.forest._prepare(X, y, weight)

    @staticmethod
    def suits(estimator):
        """Whether the estimator is such a forest, and no subclass of it."""
        return type(estimator) in (RandomForestClassifier, RandomForestRegressor)

    def importances(self, columns, casting, orders, seed):
        """Importances of columns and shadows in a forest with this seed; (k + s,)."""
        forest, all_, n = seeded(self.forest, seed), self.columns, len(orders)
        source = np.append(columns, casting)
        if isinstance(forest.max_features, numbers.Integral):
            forest.max_features = min(forest.max_features, len(source))
        table = Columns(
            np.concatenate(
                [all_.rank[columns], np.take_along_axis(all_.rank[casting], orders.T, 1)]
            ),
            [all_.values[j] for j in source],
            all_.n_levels[source],
            all_.tied[source],
        )
        limits = forest._limits(len(source))
        n_draws = number_of_draws(forest.max_samples, forest.bootstrap, n)
        forest.seed_ = check_random_state(forest.random_state).randint(HIGHEST_SEED)
        trees = forest._grow(table, self.targets, limits, n_draws, 0)
        each = np.array([tree.decrease_by_feature(len(source)) for tree in trees])
        total = each.sum(axis=1, keepdims=True)
        shares = np.divide(each, total, out=np.zeros(each.shape), where=total > 0)
        mean = shares.mean(axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean


def decisions(hits, r, n_features, *, alpha=0.05, two_step=True):
    """What the hits of r runs say of each column; dict of ndarrays (n_columns,).

    Parameters
    ----------
    hits : array-like of int, shape (n_columns,)
        Of the columns that still take part, confirmed ones included.
    r : int
        Number of runs.
    n_features : int
        Columns that there were in the beginning; Bonferroni's correction divides by it.
    alpha, two_step
        As in `Boruta`.

    Returns
    -------
    dict
        ``p_confirm``, ``p_reject`` and ``level``, one number; with two steps, ``bh_confirm`` and
        ``bh_reject``; ``verdict``, 1 to confirm, -1 to reject, 0 for neither.

    References
    ----------
    Kursa and Rudnicki (2010), Feature selection with the Boruta package. Benjamini and Hochberg
    (1995), Controlling the false discovery rate.

    Examples
    --------
    Of four columns after nine runs, one has won them all: by luck once in 512 times.

    >>> found = decisions([9, 6, 2, 0], 9, 4, alpha=0.01, two_step=False)
    >>> found["p_confirm"].round(5).tolist(), found["level"]
    ([0.00195, 0.25391, 0.98047, 1.0], 0.0025)
    >>> found["verdict"].tolist()
    [1, 0, 0, -1]
    """
    hits = np.asarray(hits)
    found = {
        "p_confirm": binom.sf(hits - 1, r, 0.5),
        "p_reject": binom.cdf(hits, r, 0.5),
        "level": alpha / (r if two_step else n_features),
    }
    passes = {side: found[f"p_{side}"] <= found["level"] for side in ("confirm", "reject")}
    if two_step:
        for side in passes:
            found[f"bh_{side}"] = false_discovery_control(found[f"p_{side}"])
            passes[side] &= found[f"bh_{side}"] <= alpha
    return found | {"verdict": passes["confirm"].astype(int) - passes["reject"]}
