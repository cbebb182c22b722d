"""Local prediction (LPSC, LPUC): a regressor for each cluster, and a prediction of the cluster.

The rows of the training data are divided into bins of the target and clusters of rows that are
alike, and each cluster gets a regressor. A new row has no target yet, so its cluster must be
predicted: by a classifier that has learned the clusters (LPSC), or as the one with the nearest
center (LPUC). A regressor that was trained on high targets predicts a high target, also for a row
that was assigned to the wrong cluster.

Vocabulary
----------
assign : predict the cluster of a row from its features
own cluster : the cluster of a training row, which depends on its own target
"""

from dataclasses import dataclass

import joblib
import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.dummy import DummyRegressor
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import check_is_fitted

from treelab.fast.bagging import RandomForestClassifier
from treelab.fast.inputs import OneOf, parameter
from treelab.fast.selection.base import in_parallel
from treelab.fast.selection.clusters import ClusterReader, draw_seeds
from treelab.fast.selection.model_based import seeded

__all__ = ["LocalClusterRegressor"]


@dataclass(kw_only=True, eq=False, repr=False)
class LocalClusterRegressor(ClusterReader):
    """Predict with the regressor of the cluster to which a row is assigned (LPSC, LPUC).

    Parameters
    ----------
    estimator : estimator, default=None
        A regressor, of which each cluster gets a clone. None: that of the source, as in
        `clustered_importance`.
    assign : {"classifier", "centroid"}, default="classifier"
        "classifier" (LPSC): `classifier` learns the clusters of the training rows. "centroid"
        (LPUC): the cluster of any bin whose center is nearest, among scaled features.
    classifier : estimator, default=None
        None: that of the source, a `RandomForestClassifier` of 100 trees of depth 10 at most, whose
        nodes try the root of the number of features.
    n_bins : int, default=5
        Number of bins of the target, see `response_bins`. 1: all rows.
    max_clusters : int, default=8
        Maximum number of clusters per bin; the silhouette decides on the number, see
        `cluster_rows`. 2: two, if a bin has three rows or more that are not alike. 1: only bins.
    ties : {"apart", "together"}, default="apart"
        Treatment of rows with the same target, see `response_bins`.
    random_state : int, RandomState instance or None, default=None
        Each k-means and each model draws its seed from it; None: from that of the estimator.
    n_jobs : int, default=None
        Number of workers, for the bins and then for the clusters; it does not change the result.
    verbose : int, default=0
        Whether a progress bar is shown.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_rows,)
        The own cluster of each training row.
    clusters_ : list of dict
        The rows of `clusters_table`.
    centers_ : ndarray of shape (n_clusters, n_features)
        In scaled features.
    regressors_ : list of estimators
        They take scaled rows; in a cluster with a single target, this target is predicted.
    classifier_ : estimator or None
        None for "centroid", and if there is one cluster.
    scaler_ : StandardScaler
        Learned from the training rows alone.

    Notes
    -----
    The own cluster of a training row depends on its own target. The errors of predictions from it,
    which the source compares on training data, are therefore too small. ``predict_from(X,
    labels_)`` makes these predictions, whereas `predict` treats training rows as new ones.

    References
    ----------
    Niyaghi (2019), Localized variable selection with random forest, algorithms 3.1 and 3.2.

    Examples
    --------
    >>> from treelab.datasets import make_masked_sine
    >>> X, y = make_masked_sine(900, n_noise=3, random_state=0)
    >>> model = LocalClusterRegressor(random_state=0).fit(X[:600], y[:600])
    >>> said = model.predict(X[600:]), model.predict_from(X[:600], model.labels_)
    >>> [round(float(np.mean(e**2))) for e in (said[0] - y[600:], said[1] - y[:600])]
    [72, 7]
    """

    assign: str = parameter("classifier", OneOf("classifier", "centroid"))
    classifier: object = None

    def fit(self, X, y):
        """Find the clusters, fit a regressor in each, and learn how to assign.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Numbers.
        y : array-like of shape (n_rows,)
            Numbers.
        """
        sorter = self._sorter()
        Z, y, generator, found = self.find(X, y)
        self.labels_, self.centers_ = found.labels, found.centers
        self.clusters_ = found.describe(y)
        rows = found.rows()
        tasks = [
            joblib.delayed(_fit)(self.model(), Z[each], y[each], seed)
            for each, seed in zip(rows, draw_seeds(generator, len(rows)), strict=True)
        ]
        self.regressors_ = list(in_parallel(self, tasks, "clusters"))
        self.classifier_ = None
        if self.assign == "classifier" and len(rows) > 1:
            (seed,) = draw_seeds(generator, 1)
            self.classifier_ = seeded(sorter, seed).fit(Z, self.labels_)
        return self

    def predict(self, X):
        """Assign each row to a cluster, and predict with its regressor; ndarray (n_rows,)."""
        Z = self._scaled(X)
        return self._ask(Z, self._assign(Z))

    def predict_cluster(self, X):
        """Return the cluster to which each row is assigned; ndarray of int, shape (n_rows,)."""
        return self._assign(self._scaled(X))

    def predict_from(self, X, clusters):
        """Predict with the regressors of given clusters; ndarray of shape (n_rows,).

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        clusters : array-like of int, shape (n_rows,)
            The cluster of each row.
        """
        Z, clusters = self._scaled(X), np.asarray(clusters)
        if clusters.shape != (len(Z),) or not np.isin(clusters, range(len(self.centers_))).all():
            raise ValueError(
                f"clusters must be {len(Z)} numbers from 0 to {len(self.centers_) - 1}, one for "
                f"each row, got {clusters.tolist()[:5]}."
            )
        return self._ask(Z, clusters)

    def clusters_table(self):
        """List the clusters of the training rows; DataFrame, a row for each.

        ``bin`` and ``cluster``, ``n_rows``, ``low`` and ``high``, its lowest and highest target,
        and the ``silhouette`` of the clusters of its bin, NaN if there is only one.
        """
        check_is_fitted(self)
        return pd.DataFrame(self.clusters_)

    def _sorter(self):
        """Return the classifier, or the default forest if it is None."""
        if self.classifier is None:
            return RandomForestClassifier(max_depth=10)
        if isinstance(self.classifier, type) or not is_classifier(self.classifier):
            raise TypeError(f"classifier must be a classifier, got {self.classifier!r}.")
        return self.classifier

    def _scaled(self, X):
        X = self.table.read(X)
        return self.scaler_.transform(X)

    def _assign(self, Z):
        if self.classifier_ is not None:
            return self.classifier_.predict(Z)
        return pairwise_distances_argmin(Z, self.centers_)

    def _ask(self, Z, clusters):
        said = np.empty(len(Z))
        for c in np.unique(clusters):
            inside = clusters == c
            said[inside] = np.ravel(self.regressors_[c].predict(Z[inside]))
        return said

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self.assign == "centroid"  # a near center, a far target
        return tags


def _fit(estimator, Z, y, seed):
    """Fit a clone to a cluster, or a model that predicts its only target."""
    model = seeded(estimator, seed) if np.ptp(y) > 0 else DummyRegressor()
    return model.fit(Z, y)
