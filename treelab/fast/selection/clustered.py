"""Importances in clusters of the rows (CBFS): a forest for each cluster, and their combination.

In one forest for all rows, a feature that matters only for some of them may be hidden by one that
matters everywhere. Here the rows are divided into bins of the target, and each bin into clusters;
every cluster gets a forest of its own. Their importances are combined into one order in two ways:
by the *average*, weighted by the number of rows of the clusters, or by the *intersection*, in which
the worst rank of a feature counts.

Vocabulary
----------
rank : in a cluster, 1 for the most important feature
worst rank : the largest rank of a feature; so many features must be taken from each cluster until
    the feature is among those of all clusters
cluster without splits : a cluster whose model has no split, so that no feature has a rank
"""

import warnings

import joblib
import numpy as np
import pandas as pd

from treelab.fast.inputs import OneOf, feature_names
from treelab.fast.results import Results
from treelab.fast.selection.base import from_best, in_parallel, places
from treelab.fast.selection.clusters import ClusterReader, draw_seeds
from treelab.fast.selection.model_based import IMPORTANCES, fit_once

__all__ = [
    "clustered_importance",
    "combined_importance_table",
    "ranks_by_cluster",
]

LEAST = {"mdi": 2, "oob": 3}  # rows that a cluster needs; of two, at most one is out of bag


def clustered_importance(estimator, X, y, *, combine="average", importance="mdi", **settings):
    """Compute importances in clusters of the bins of the target, and combine them (CBFS).

    Parameters
    ----------
    estimator : estimator or None
        A regressor with importances, treelab's or scikit-learn's; each cluster gets a clone. None:
        that of the source, a `RandomForestRegressor` of 100 trees of depth 10 at most whose nodes
        try a third of the features.
    X : array-like or DataFrame of shape (n_rows, n_features)
        Numbers: k-means measures distances. The features are scaled on all rows to mean 0 and
        variance 1, a constant one to 0.
    y : array-like of shape (n_rows,)
        Numbers.
    combine : {"average", "intersection"}, default="average"
        Source of `ranking`: the mean of the importances, weighted by the number of rows of the
        clusters; or the worst rank, with the mean in a tie.
    importance : {"mdi", "oob"}, default="mdi"
        The importances of the model itself, as in the source, or out-of-bag permutation importance.
    **settings
        Of the clusters, as in `LocalClusterRegressor`: `n_bins`, `max_clusters`, `ties`,
        `random_state`, `n_jobs` and `verbose`.

    Returns
    -------
    sklearn.utils.Bunch
        ``importances``, (n_features, n_clusters), 0 in a cluster with one target or fewer than two
        rows, for "oob" three; ``importances_mean``, (n_features,), weighted by rows. ``ranks``,
        (n_features, n_clusters), 1 for the best, 0 in clusters without splits; ``worst_rank``,
        (n_features,).
        ``ranking``, (n_features,), 1 for the best: those up to N are the N features that the source
        selects. ``labels``, (n_rows,), the cluster of each row; ``clusters``, a dict for each
        with its bin, its rows, its lowest and highest target, and the silhouette of its bin;
        ``feature_names``.

    Notes
    -----
    A ranking in a cluster without splits would follow the order of the columns, so it does not
    count in the intersection. If no cluster has a split, the features are ranked in the order of
    the columns, with a warning.

    References
    ----------
    Niyaghi (2019), Localized variable selection with random forest, algorithms 2.1 and 2.2.

    Examples
    --------
    >>> from treelab import RandomForestRegressor
    >>> from treelab.datasets import make_masked_sine
    >>> X, y = make_masked_sine(600, n_noise=3, amplitude=5, random_state=0)
    >>> forest = RandomForestRegressor(20, max_features=1 / 3)
    >>> found = clustered_importance(forest, X, y, n_bins=2, max_clusters=3, random_state=0)
    >>> found.importances.shape, found.ranking.tolist()
    ((5, 4), [1, 2, 4, 3, 5])
    """
    OneOf("average", "intersection").check("combine", combine)
    OneOf(*IMPORTANCES).check("importance", importance)
    reader = ClusterReader(estimator, **settings)
    Z, y, generator, found = reader.find(X, y)
    rows, names = found.rows(), feature_names(reader)
    sizes, seeds = np.array([len(each) for each in rows]), draw_seeds(generator, len(rows))
    importances = np.zeros((Z.shape[1], len(rows)))
    asked = [c for c in np.flatnonzero(sizes >= LEAST[importance]) if np.ptp(y[rows[c]]) > 0]
    fit, model = joblib.delayed(fit_once), reader.model()
    tasks = [fit(model, Z[rows[c]], y[rows[c]], seeds[c], kind=importance) for c in asked]
    for c, result in zip(asked, in_parallel(reader, tasks, "clusters"), strict=True):
        importances[:, c] = result.importances
    table = combined_importance_table(importances, sizes, names=names)
    if not importances.any():
        warnings.warn(
            "all importances are 0: the columns are ranked as they come.", UserWarning, stacklevel=2
        )
    return Results(
        importances=importances, importances_mean=table["importance"].to_numpy(),
        ranks=ranks_by_cluster(importances), worst_rank=table["worst_rank"].to_numpy(),
        ranking=table[combine].to_numpy(), labels=found.labels, clusters=found.describe(y),
        feature_names=[str(name) for name in names],
    )  # fmt: skip


def combined_importance_table(importances, sizes=None, *, names=None):
    """Combine the importances of several clusters; DataFrame, a row for each feature.

    Parameters
    ----------
    importances : array-like of shape (n_features, n_clusters)
    sizes : array-like of shape (n_clusters,), default=None
        Number of rows of each cluster, the weights of the mean; None: all equal.
    names : sequence of str, default=None
        Names of the features; None: x0, x1, ...

    Returns
    -------
    DataFrame
        In the order of the features: ``feature``, ``importance``, the weighted mean,
        ``worst_rank``, and the rank by either way, ``average`` and ``intersection``, 1 for the
        best and all different. Ties go to the first feature. Clusters without splits do not count
        in the worst rank; if there is no other, it is the number of features.

    References
    ----------
    Niyaghi (2019), algorithms 2.1 and 2.2, tables 2.1 and 2.2.

    Examples
    --------
    >>> combined_importance_table([[0.5, 0.3], [0.3, 0.4], [0.2, 0.3]], [30, 10]).round(3)
      feature  importance  worst_rank  average  intersection
    0      x0       0.450           2        1             1
    1      x1       0.325           2        2             2
    2      x2       0.225           3        3             3
    """
    importances = np.asarray(importances, dtype=float)
    if importances.ndim != 2 or not importances.size or not np.isfinite(importances).all():
        raise ValueError(
            "importances must be finite numbers, (n_features, n_clusters), got shape "
            f"{importances.shape}."
        )
    p, n_clusters = importances.shape
    sizes = np.ones(n_clusters) if sizes is None else np.asarray(sizes, dtype=float)
    if sizes.shape != (n_clusters,) or not (sizes > 0).all():
        raise ValueError(f"sizes must be {n_clusters} numbers above 0, got {sizes.tolist()}.")
    names = [f"x{j}" for j in range(p)] if names is None else [str(name) for name in names]
    if len(names) != p:
        raise ValueError(f"names must be {p}, one for each feature, got {len(names)}.")
    mean = importances @ sizes / sizes.sum()
    by_mean = from_best(mean)
    ranks = ranks_by_cluster(importances)
    worst = ranks.max(axis=1) if ranks.any() else np.full(p, p)
    together = by_mean[np.argsort(worst[by_mean], kind="stable")]
    return pd.DataFrame(
        {
            "feature": names,
            "importance": mean,
            "worst_rank": worst,
            "average": places(by_mean),
            "intersection": places(together),
        }
    )


def ranks_by_cluster(importances):
    """Rank the features in each cluster; ndarray of int, (n_features, n_clusters).

    Parameters
    ----------
    importances : array-like of shape (n_features, n_clusters)
        Ties go to the first feature. A cluster in which all are 0 has no splits, and its ranks are
        0.

    Examples
    --------
    >>> ranks_by_cluster([[0.5, 0.3, 0], [0.3, 0.4, 0], [0.2, 0.3, 0]]).tolist()
    [[1, 2, 0], [2, 1, 0], [3, 3, 0]]
    """
    importances = np.asarray(importances, dtype=float)
    each = [places(from_best(column)) if column.any() else 0 * column for column in importances.T]
    return np.array(each, dtype=int).T
