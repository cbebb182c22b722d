"""Local importance: feature importances in bins of the target, and in the clusters of each bin.

The cases are sorted by the target and divided into bins. CBFS clusters each bin, computes the
feature importances in each cluster, and combines them. LPUC and LPSC fit a regressor in each of the
same clusters and predict a new case with that of the nearest center (LPUC), or of the cluster that
a random forest predicts (LPSC). LAFI halves the bins repeatedly, and counts in which fraction of
them a feature is selected.

>>> from treelab.local import by_center, local_regression
>>> X, y = [[0.0], [9.0], [1.0], [10.0]], [1, 1, 5, 5]
>>> halves, mean = (lambda Z: [z[0] > 0 for z in Z]), (lambda Z, y: lambda z: fmean(y))
>>> local_regression(X, y, 2, halves, mean, by_center)([1.5])
5.0

Vocabulary
----------
rows : numbers of cases; a bin, or a cluster, is a list of them; M : number of bins
Z, z : the table, with each feature scaled to mean 0 and variance 1; one of its cases
centers : the mean of each cluster; labels : the number of the cluster of each case
cluster(Z) : labels of some cases
fit(Z, y) : a result for each cluster: its importances, or a function that predicts a case
assign(Z, labels) : a function that predicts the cluster of a case: `by_center`, or `by_forest`
samples, features, m, limits : of a forest, as in `bagging`
importances : for each cluster, the importance of each feature; sizes : its number of cases
select(rows) : numbers of the features that are selected among some cases; L : number of levels
"""

from math import dist
from statistics import fmean, pstdev

from .bagging import predict_value, random_forest
from .cart import prediction


def bins(y, M):
    """Divide the cases, sorted by the target, into M bins; the first ones may have one more."""
    rows = sorted(range(len(y)), key=lambda i: y[i])
    ends = [m * (len(y) // M) + min(m, len(y) % M) for m in range(M + 1)]
    return [rows[a:b] for a, b in zip(ends, ends[1:])]


def scaler(X):
    """Return a function that scales a row to the means and standard deviations of the table."""
    scale = [(fmean(x), pstdev(x) or 1) for x in zip(*X)]
    return lambda x: [(v - mean) / sd for v, (mean, sd) in zip(x, scale)]


def scaled(X):
    """The rows of a table, scaled."""
    return list(map(scaler(X), X))


def nearest(z, centers):
    """Number of the nearest center."""
    return min(range(len(centers)), key=lambda c: dist(z, centers[c]))


def k_means(Z, centers):
    """Labels by k-means: each center moves to the mean of its cases until none moves any more."""
    labels = [nearest(z, centers) for z in Z]
    groups = [[z for z, c in zip(Z, labels) if c == k] for k in range(len(centers))]
    moved = [[fmean(x) for x in zip(*g)] or old for g, old in zip(groups, centers)]
    return labels if moved == centers else k_means(Z, moved)


def silhouette(Z, labels):
    """Mean silhouette: how much closer cases are to their own cluster than to the next one."""
    scores = []
    for i, z in enumerate(Z):
        apart = {k: [] for k in labels}
        for j, other in enumerate(Z):
            if j != i:
                apart[labels[j]].append(dist(z, other))
        own = apart.pop(labels[i])
        a, b = fmean(own or [0]), min(map(fmean, apart.values()))
        scores.append((b - a) / (max(a, b) or 1) if own else 0)
    return fmean(scores)


def clustered(X, y, M, cluster, fit):
    """Result of `fit` for each cluster of each bin, and the clusters: (results, groups)."""
    Z, groups = scaled(X), []
    for rows in bins(y, M):
        labels = cluster([Z[i] for i in rows])
        groups += [[i for i, c in zip(rows, labels) if c == k] for k in dict.fromkeys(labels)]
    return [fit([Z[i] for i in rows], [y[i] for i in rows]) for rows in groups], groups


def by_center(Z, labels):
    """Assign a case to the cluster with the nearest center (LPUC)."""
    groups = [[z for z, k in zip(Z, labels) if k == c] for c in range(max(labels) + 1)]
    centers = [[fmean(x) for x in zip(*group)] for group in groups]
    return lambda z: nearest(z, centers)


def by_forest(Z, labels, samples, features, m, **limits):
    """Assign a case to the cluster that a random forest (`bagging`) predicts (LPSC)."""
    trees = random_forest(Z, labels, samples, features, m, **limits)
    return lambda z: prediction(predict_value(trees, z))


def local_regression(X, y, M, cluster, fit, assign):
    """Return a function that predicts a row with the regressor of the cluster it is assigned to."""
    regressors, groups = clustered(X, y, M, cluster, fit)
    labels = {i: c for c, rows in enumerate(groups) for i in rows}
    scale, assigned = scaler(X), assign(scaled(X), [labels[i] for i in range(len(y))])
    return lambda x: regressors[assigned(scale(x))](scale(x))


def average(importances, sizes):
    """Mean of the importances, weighted by the number of cases of each cluster."""
    return [sum(n * v for n, v in zip(sizes, x)) / sum(sizes) for x in zip(*importances)]


def intersection(importances, sizes):
    """Features in the order in which they are among the first 1, 2, ... of every cluster.

    Features that enter together are sorted by `average`.
    """
    orders = [sorted(range(len(v)), key=lambda j: -round(v[j], 12)) for v in importances if any(v)]
    mean = average(importances, sizes)
    worst = [max([order.index(j) for order in orders], default=0) for j in range(len(mean))]
    return sorted(range(len(mean)), key=lambda j: (worst[j], -round(mean[j], 12)))


def local_importance(y, p, select, L=3):
    """For each of p features the fraction of bins that select it, averaged over L levels."""
    level, total = bins(y, 1), [0] * p
    for _ in range(L):
        selected = [select(rows) for rows in level]
        total = [t + fmean(j in features for features in selected) for j, t in enumerate(total)]
        level = [h for r in level for h in (r[: (len(r) + 1) // 2], r[(len(r) + 1) // 2 :]) if h]
    return [t / L for t in total]
