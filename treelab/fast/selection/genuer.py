"""Genuer's selector: features whose importance is more than noise, and the fewest that suffice.

The crude step grows some forests and records the mean and the standard deviation of each
importance. Uninformative features have a small standard deviation, and the smallest one, smoothed
by a tree over the ranks, is the threshold for the means. The refined step grows forests on the best
feature, on the best two, and so on, and selects the smallest set whose score is within a standard
deviation of the best.

Vocabulary
----------
rank : 1 for the feature of the largest mean importance
k : number of features of a model; m : number of features that a node of its trees tries
score : out-of-bag accuracy of a forest, or its out-of-bag R squared
"""

import math
import numbers
from dataclasses import KW_ONLY, dataclass

import joblib
import numpy as np
from sklearn.base import clone, is_classifier

from treelab.fast.cart import DecisionTreeRegressor
from treelab.fast.inputs import Number, OneOf, parameter
from treelab.fast.selection.base import from_best, in_parallel, rows_of
from treelab.fast.selection.model_based import HIGHEST_SEED, IMPORTANCES, ForestSelector, fit_once

__all__ = ["GenuerSelector", "n_candidates", "smallest_within", "smoothed_spread"]

DEPTH = 4  # of the tree that smooths the spreads


@dataclass(eq=False, repr=False)
class GenuerSelector(ForestSelector):
    """Select the features whose importance is more than noise, then as few as score well.

    Parameters
    ----------
    estimator, random_state, verbose
        As in `Boruta`; a forest or bagging, which has rows out of bag. The trees of the sources
        have depth 10 at most.
    importance : {"oob", "mdi"}, default="oob"
        "oob": out-of-bag permutation importance, which is about 0 for noise. "mdi": the importance
        of the estimator itself. It is never negative, and for noise it is far above its standard
        deviation, so that the crude step removes hardly anything.
    n_forests : int, default=20
        Number of forests for each mean and standard deviation, 2 or more.
    refine : bool, default=True
        Whether to take the second step.
    max_features : {"floor", "ceil", None}, default="floor"
        Number of features that a node tries in models of k features: a third, rounded down but at
        least 1, or rounded up. Rounded down it is 1 up to k = 5 and 2 from 6 on, which makes saw
        teeth in the scores. None: that of the estimator.
    n_jobs : int, default=None
        Number of workers for the forests, which does not change the result.
    task : {"auto", "classification", "regression"}, default="auto"
        As in `ForestRFE`.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_columns,)
    ranking_ : ndarray of int, shape (n_columns,)
        Ranks in the order of the refined step, followed by the features that the crude one removed.
    threshold_ : float
        Threshold of the crude step, in units of the importance.
    steps_, rounds_ : list of dict
        The rows of `steps_table` and `rounds_table`.

    References
    ----------
    Genuer, Poggi and Tuleau-Malot (2010), Variable selection using random forests. Niyaghi (2019),
    algorithms 4.1 and 4.2, whose last step, for prediction, is left out here.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> X["noise"] = np.random.default_rng(0).normal(size=150)
    >>> forest = RandomForestClassifier(10, max_depth=3)
    >>> genuer = GenuerSelector(forest, n_forests=5, random_state=0).fit(X, y)
    >>> genuer.get_feature_names_out().tolist()
    ['petal width (cm)']
    """

    estimator: object = None
    _: KW_ONLY
    importance: str = parameter("oob", OneOf(*IMPORTANCES))
    n_forests: int = parameter(20, Number(numbers.Integral, 2))
    refine: bool = True
    max_features: str | None = parameter("floor", OneOf("floor", "ceil", None))
    task: str = "auto"

    def fit(self, X, y):
        """Take the crude step and, if `refine`, the refined one.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
            Classes or numbers, depending on the estimator.
        """
        X, y = self._read_table(X, y)
        self._check(len(y))
        p, rng = X.shape[1], self._generator()
        found = self._importances(X, y, list(range(p)), rng)
        mean, sd = found.mean(axis=0), found.std(axis=0, ddof=1)
        order = by_mean = from_best(mean)
        smooth = smoothed_spread(sd[order])
        self.threshold_ = float(smooth.min())
        kept = order[mean[order] >= self.threshold_]
        dropped, self.rounds_ = order[len(kept) :], []
        if self.refine and len(kept):
            kept = kept[from_best(self._importances(X, y, kept.tolist(), rng).mean(axis=0))]
            order = np.append(kept, dropped)
            kept = kept[: self._refine(X, y, kept, rng)]
        self.support_ = np.isin(np.arange(p), kept)
        self.ranking_ = np.argsort(order) + 1
        names = self._feature_names()
        mean, columns = mean[by_mean], {"feature": [names[j] for j in by_mean]}
        columns |= {"mean": mean, "sd": sd[by_mean], "smoothed": smooth}
        columns |= {"threshold": self.threshold_, "passes": mean >= self.threshold_}
        columns |= {"kept": self.support_[by_mean]}
        self.steps_ = rows_of({"rank": np.arange(1, p + 1)} | columns)
        return self

    def steps_table(self):
        """List the crude step, a row for each feature from the best to the worst; DataFrame.

        ``rank``, ``feature``, ``mean`` and ``sd`` of its importance over the forests, the sd
        ``smoothed`` over the ranks, the ``threshold``; whether the mean ``passes`` it, and whether
        the feature is ``kept`` in the end.
        """
        return super().steps_table()

    def rounds_table(self):
        """List the refined step, a row for each number of features; DataFrame.

        ``n_features``, the ``feature`` that is added; ``score``, the mean over the forests, and its
        ``sd``; the ``threshold``, a standard deviation below the best score; whether it is
        ``chosen``. There are no rows without a refined step, or if no feature is left for it.
        """
        return super().rounds_table()

    def _check(self, n):
        """Raise if the estimator or the rows do not suit."""
        if n < 2:
            raise ValueError(f"X has {n} sample, and rows out of bag need 2 or more.")
        parameters = self._model().get_params()
        for needed, used in (
            ("oob_score", self.refine or self.importance == "oob"),
            ("max_features", self.max_features is not None),
        ):
            if used and needed not in parameters:
                raise ValueError(
                    f"estimator must have the parameter {needed}, as forests do, but "
                    f"{type(self._model()).__name__} has none. Without it: importance='mdi', "
                    "refine=False and max_features=None."
                )

    def _forests(self, X, y, sets, rng, kind=None, error=None):
        """Return the results of `n_forests` forests on each set of columns; (n_sets, n_forests)."""
        tasks = []
        for columns in sets:
            estimator = self._model()
            if self.max_features is not None:
                m = n_candidates(len(columns), self.max_features)
                estimator = clone(estimator).set_params(max_features=m)
            seeds = rng.randint(HIGHEST_SEED, size=self.n_forests).tolist()
            work = joblib.delayed(fit_once)
            tasks += [work(estimator, X, y, seed, columns, kind, error) for seed in seeds]
        results = list(in_parallel(self, tasks, "forests"))
        return [results[i : i + self.n_forests] for i in range(0, len(tasks), self.n_forests)]

    def _importances(self, X, y, columns, rng):
        """Compute the importances of some columns in each forest; (n_forests, n_columns)."""
        (results,) = self._forests(X, y, [columns], rng, kind=self.importance)
        return np.array([result.importances for result in results])

    def _refine(self, X, y, order, rng):
        """Return the number of columns in this order that suffice, and set `rounds_`."""
        sets = [order[:k].tolist() for k in range(1, len(order) + 1)]
        results = self._forests(X, y, sets, rng, error="oob")
        score = _oob_accuracy if is_classifier(self._model()) else _oob_r_squared
        scores = np.array([[score(result.losses, y) for result in row] for row in results])
        mean, sd = scores.mean(axis=1), scores.std(axis=1, ddof=1)
        k, threshold = smallest_within(mean, sd)
        names = self._feature_names()
        sizes, added = np.arange(1, len(order) + 1), [names[j] for j in order]
        columns = {"n_features": sizes, "feature": added, "score": mean, "sd": sd}
        self.rounds_ = rows_of(columns | {"threshold": threshold, "chosen": sizes == k})
        return k


def smoothed_spread(spread):
    """Smooth the standard deviations over the ranks by a regression tree of depth 4; (p,).

    Parameters
    ----------
    spread : array-like of shape (p,)
        Standard deviations of the features with rank 1, 2, and so on.

    Examples
    --------
    >>> smoothed_spread([0.5, 0.5, 0.2, 0.2, 0.2]).tolist()
    [0.5, 0.5, 0.2, 0.2, 0.2]
    """
    ranks = np.arange(1, len(spread) + 1)[:, None]
    return DecisionTreeRegressor(max_depth=DEPTH).fit(ranks, spread).predict(ranks)


def smallest_within(score, sd):
    """Return the first k whose score is above the best one minus its sd, and that threshold.

    With a standard deviation of 0, a score may also be equal to it.

    Parameters
    ----------
    score, sd : array-like of shape (p,)
        Means and standard deviations of the scores of the models with 1, 2, ... features.

    Examples
    --------
    >>> k, threshold = smallest_within([0.7, 0.88, 0.9, 0.9], [0.1, 0.01, 0.05, 0.02])
    >>> k, round(threshold, 2)
    (2, 0.85)
    """
    best = int(np.argmax(score))
    threshold = float(score[best] - sd[best])
    above = np.greater if sd[best] > 0 else np.greater_equal
    return int(np.argmax(above(score, threshold))) + 1, threshold


def n_candidates(k, rounding):
    """Return a third of k features, rounded down ("floor") but at least 1, or up ("ceil").

    >>> [[n_candidates(k, rounding) for k in range(1, 8)] for rounding in ("floor", "ceil")]
    [[1, 1, 1, 1, 1, 2, 2], [1, 1, 1, 2, 2, 2, 3]]
    """
    return max(1, k // 3) if rounding == "floor" else math.ceil(k / 3)


def _oob_accuracy(losses, y):
    """Return the accuracy on the rows that are out of bag for some tree."""
    return 1 - np.nanmean(losses)


def _oob_r_squared(losses, y):
    """Return R squared on the rows that are out of bag for some tree; 0 if these are all alike."""
    known = ~np.isnan(losses)
    total = np.sum((y[known] - y[known].mean()) ** 2)
    return 1 - losses[known].sum() / total if total > 0 else 0.0
