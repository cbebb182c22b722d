"""Parts of the data: bins of the target, and in each bin clusters of rows that are alike.

The rows are sorted by the target and divided into bins. In each bin k-means looks for clusters,
with the features alone, and the silhouette decides on their number. `clustered` computes
importances in the clusters, and `local_regression` predictions.

The bins depend on the target, so the bin of a new row is unknown. Whatever is found in a bin or a
cluster of it holds for rows whose target is known.

Vocabulary
----------
bin : rows with consecutive targets; cluster : rows of one bin whose features are alike
k : number of clusters of a bin
silhouette : mean of how much nearer rows are to their own cluster than to the next, -1 to 1
center : mean of the scaled features of a cluster
"""

import numbers
import warnings
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

import joblib
import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from treelab.fast.bagging import RandomForestRegressor
from treelab.fast.inputs import (
    Number,
    NumberTarget,
    OneOf,
    Table,
    check_methods,
    check_number,
    parameter,
    read_numbers,
)
from treelab.fast.selection.base import from_best, in_parallel, rows_of
from treelab.fast.selection.model_based import HIGHEST_SEED

__all__ = ["ClusterReader", "Found", "cluster_rows", "draw_seeds", "halved_bins", "response_bins"]

TIES = ("apart", "together")
STARTS = 10  # of k-means, the best of which counts


def response_bins(y, n_bins=5, *, ties="apart"):
    """Divide the rows, sorted by the target, into bins of equal size.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
    n_bins : int, default=5
        From 1 to n_rows. Their sizes differ by at most one row, and the first bins are the larger.
    ties : {"apart", "together"}, default="apart"
        Rows with the same target stay in their order. "apart": they may be in different bins, and
        the result depends on the order of the rows. "together": a border between bins moves to the
        nearest change of the target, the lower one in a tie, so that there may be fewer bins.

    Returns
    -------
    list of ndarray of int
        The numbers of the rows of each bin, from the lowest targets on.

    References
    ----------
    Niyaghi (2019), algorithm 2.1, which divides by ranks and does not mention ties.

    Examples
    --------
    >>> [rows.tolist() for rows in response_bins([5, 1, 3, 3, 3], 2)]
    [[1, 2, 3], [4, 0]]
    >>> [rows.tolist() for rows in response_bins([5, 1, 3, 3, 3], 2, ties="together")]
    [[1, 2, 3, 4], [0]]
    """
    y = read_numbers(y)
    OneOf(*TIES).check("ties", ties)
    check_number(n_bins, "n_bins", numbers.Integral, min_val=1, max_val=len(y))
    cuts = np.cumsum([len(part) for part in np.array_split(y, n_bins)])[:-1]
    return _cut(np.argsort(y, kind="stable"), y, cuts, ties)


def halved_bins(y, n_levels=3, *, ties="apart"):
    """Halve the rows, sorted by the target, repeatedly.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
    n_levels : int, default=3
        The first level is one bin with all rows; the last has ``2 ** (n_levels - 1)``.
    ties
        As in `response_bins`. Of an odd number of rows the lower half has one more. A bin of one
        row stays as it is, and so does, with "together", one of equal targets.

    Returns
    -------
    list of list of ndarray of int
        For each level the numbers of the rows of each bin.

    References
    ----------
    Niyaghi (2019), algorithm 4.3.

    Examples
    --------
    >>> for bins in halved_bins([5, 1, 4, 3, 2]):
    ...     print([rows.tolist() for rows in bins])
    [[1, 4, 3, 2, 0]]
    [[1, 4, 3], [2, 0]]
    [[1, 4], [3], [2], [0]]
    """
    y = read_numbers(y)
    OneOf(*TIES).check("ties", ties)
    check_number(n_levels, "n_levels", numbers.Integral, min_val=1)
    levels = [[np.argsort(y, kind="stable")]]
    for _ in range(n_levels - 1):
        halves = [_cut(rows, y, [(len(rows) + 1) // 2], ties) for rows in levels[-1]]
        levels.append([half for both in halves for half in both])
    return levels


def _cut(rows, y, cuts, ties):
    """Cut the rows, sorted by `y`, at some positions; a list of parts, none of them empty."""
    if ties == "together":
        changes = 1 + np.flatnonzero(np.diff(y[rows]))
        cuts = [changes[np.argmin(np.abs(changes - cut))] for cut in cuts] if len(changes) else []
    return [part for part in np.split(rows, np.unique(cuts).astype(int)) if len(part)]


class Found(NamedTuple):
    """Clusters of a bin, or of all bins.

    Attributes
    ----------
    labels : ndarray of int, shape (n_rows,)
        Number of the cluster of each row.
    centers : ndarray of shape (n_clusters, n_features)
    silhouettes : ndarray of shape (n_clusters,)
        Silhouette of the bin of each cluster; NaN if the bin is one cluster.
    bins : ndarray of int, shape (n_clusters,)
        Number of the bin of each cluster.
    """

    labels: np.ndarray
    centers: np.ndarray
    silhouettes: np.ndarray
    bins: np.ndarray

    def rows(self):
        """Return the rows of each cluster; list of ndarray of int."""
        return [np.flatnonzero(self.labels == c) for c in range(len(self.centers))]

    def describe(self, y):
        """Return a dict for each cluster: bin, rows, lowest and highest target, silhouette."""
        each = [y[rows] for rows in self.rows()]
        columns = {"bin": self.bins, "cluster": range(len(each)), "n_rows": list(map(len, each))}
        columns |= {"low": list(map(min, each)), "high": list(map(max, each))}
        return rows_of(columns | {"silhouette": self.silhouettes})


def cluster_rows(Z, max_clusters=8, *, random_state=None):
    """Find clusters by k-means, whose number has the largest silhouette.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_features)
        Scaled.
    max_clusters : int, default=8
        Numbers of clusters from 2 to this number are tried, at most n_rows - 1 and the number of
        different rows. If that is below 2, all rows are one cluster.
    random_state : int or None, default=None
        Seed of each k-means, which starts ten times.

    Returns
    -------
    Found
        All in bin 0. If silhouettes agree in 12 digits, the smaller number of clusters wins.

    Examples
    --------
    >>> found = cluster_rows(np.array([[0.0], [5], [0.1], [5.1], [9]]), random_state=0)
    >>> found.labels.tolist(), found.silhouettes.round(3).tolist()
    ([0, 1, 0, 1, 2], [0.782, 0.782, 0.782])
    """
    check_number(max_clusters, "max_clusters", numbers.Integral, min_val=1)
    n = len(Z)
    most = min(max_clusters, n - 1, len(np.unique(Z, axis=0)))
    tried = []
    with threadpool_limits(1), warnings.catch_warnings():  # threads would add in another order
        warnings.simplefilter("ignore", ConvergenceWarning)
        for k in range(2, most + 1):
            means = KMeans(k, n_init=STARTS, random_state=random_state).fit(Z)
            if len(np.unique(means.labels_)) == k:
                tried.append((silhouette_score(Z, means.labels_), means))
    if not tried:
        return Found(
            np.zeros(n, dtype=int), Z.mean(axis=0)[None], np.array([np.nan]), np.zeros(1, dtype=int)
        )
    score, means = tried[from_best([score for score, _ in tried])[0]]
    _, first = np.unique(means.labels_, return_index=True)
    order = np.argsort(first)  # the cluster of the first row is number 0
    k = len(order)
    return Found(
        np.argsort(order)[means.labels_], means.cluster_centers_[order], np.full(k, score),
        np.zeros(k, dtype=int),
    )  # fmt: skip


@dataclass(eq=False, repr=False)
class ClusterReader(NumberTarget, BaseEstimator):
    """Reader of a table of numbers that looks for clusters in the bins of its target.

    A subclass has the parameters `estimator`, `n_bins`, `max_clusters`, `ties`, `random_state`,
    `n_jobs` and `verbose`.
    """

    estimator: object = None
    _: KW_ONLY
    n_bins: int = parameter(5, Number(numbers.Integral, 1))
    max_clusters: int = parameter(8, Number(numbers.Integral, 1))
    ties: str = parameter("apart", OneOf(*TIES))
    random_state: object = None
    n_jobs: int | None = None
    verbose: int = 0

    categorical_features = None

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return Table(self, self.read_target)

    def model(self):
        """Return the estimator, or the default forest if it is None."""
        if self.estimator is None:
            return RandomForestRegressor(max_depth=10, max_features=1 / 3)
        check_methods("estimator", self.estimator, "fit", "predict")
        if is_classifier(self.estimator):
            raise ValueError(
                f"estimator must predict numbers, got {type(self.estimator).__name__}: bins follow "
                "the order of y, and classes have none."
            )
        return self.estimator

    def find(self, X, y):
        """Return scaled rows, targets, the random generator, and the clusters as `Found`."""
        model = self.model()
        X, y, _ = self.table.fit(X, y)
        if self.n_bins > len(y):
            raise ValueError(f"n_bins must be at most n_samples={len(y)}, got {self.n_bins}.")
        seed = self.random_state
        if seed is None:
            seed = model.get_params().get("random_state")
        generator = check_random_state(seed)
        self.scaler_ = StandardScaler().fit(X)
        Z = self.scaler_.transform(X)
        parts = response_bins(y, self.n_bins, ties=self.ties)
        tasks = [
            joblib.delayed(cluster_rows)(Z[rows], self.max_clusters, random_state=seed)
            for rows, seed in zip(parts, draw_seeds(generator, len(parts)), strict=True)
        ]
        found = list(in_parallel(self, tasks, "bins"))
        labels, first = np.empty(len(y), dtype=int), 0
        for rows, part in zip(parts, found, strict=True):
            labels[rows] = first + part.labels
            first += len(part.centers)
        bins = np.repeat(np.arange(len(found)), [len(part.centers) for part in found])
        centers, silhouettes = (
            np.concatenate([getattr(part, name) for part in found])
            for name in ("centers", "silhouettes")
        )
        return Z, y, generator, Found(labels, centers, silhouettes, bins)


def draw_seeds(generator, n):
    """Draw the seeds of n fits."""
    return [int(seed) for seed in generator.randint(HIGHEST_SEED, size=n)]
