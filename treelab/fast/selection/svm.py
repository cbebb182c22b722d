"""SVM-RFE: recursive feature elimination by the squared weights of a linear SVM.

If the features have the same scale, the objective of a linear support vector machine with the
weights w changes by about w_j^2 when feature j is removed. The feature with the smallest w_j^2 is
removed, and the SVM is fitted again, so that of two equal features one is removed, and the other
gets its weight.

Vocabulary
----------
w : weights of a fitted SVM, (n_svms, n_columns); there is one for two classes
order : features that are left, followed by those that were removed before
"""

import numbers
from dataclasses import KW_ONLY, dataclass
from math import ceil

import numpy as np
from sklearn.base import is_classifier
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils import check_array

from treelab.fast.inputs import OneOf, check_number, parameter
from treelab.fast.selection.base import places, rows_of
from treelab.fast.selection.model_based import ForestSelector, best_first, draw_seed
from treelab.fast.selection.sizes import check_step

__all__ = ["SVMRFE"]

SCALES = {"standardize": StandardScaler, "normalize": MinMaxScaler, None: None}


@dataclass(eq=False, repr=False)
class SVMRFE(ForestSelector):
    """Recursive feature elimination by the squared weights of a linear SVM.

    Parameters
    ----------
    estimator : estimator, default=None
        A linear one, with `coef_`; None: scikit-learn's ``SVC(kernel="linear")``, with C = 1, or
        for a regression target ``SVR(kernel="linear")``.
    n_features_to_select : int, default=None
        Number of features to select; None: half of them. To find the best number, search for it
        with `GridSearchCV`, because the ranking does not depend on it.
    step : int or float, default=1
        Number of features removed in a round, or a fraction of those left, rounded up. Features
        that are removed together are ranked by their weights in the round.
    scale : {"standardize", "normalize", None}, default="standardize"
        Bring the features to mean 0 and standard deviation 1, to the interval from 0 to 1, or
        take them as they are.
    multiclass : {"sum", "each"}, default="sum"
        Method for three classes or more. "sum": sum the squares over all SVMs of the estimator, one
        for each pair of classes in SVC, one for each class against the rest in LinearSVC, as in
        scikit-learn's RFE. "each": eliminate for each class against the rest, and take the best
        feature of each class in turn, then the second best, as in Weka.
    random_state, n_jobs, verbose, task
        As in `ForestRFE`; the classes of "each" are distributed over the workers.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for the feature that is removed last, all different.
    rounds_, steps_ : list of dict
        The rows of `rounds_table`: ``n_features``, ``left``, the features that left in
        this round, and ``score``, the largest squared weight among these; with "each" one row for
        each class, ``class``. The rows of `steps_table`: ``feature``, ``rank`` and ``kept``.

    References
    ----------
    Guyon, Weston, Barnhill and Vapnik (2002), Gene selection for cancer classification using
    support vector machines.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> SVMRFE().fit(X, y).ranking_.tolist()
    [4, 3, 2, 1]
    >>> SVMRFE(multiclass="each").fit(X, y).ranking_.tolist()
    [4, 2, 1, 3]
    """

    estimator: object = None
    _: KW_ONLY
    n_features_to_select: object = None
    step: int = 1
    scale: str = parameter("standardize", OneOf(*SCALES))
    multiclass: str = parameter("sum", OneOf("sum", "each"))
    task: str = "auto"

    def fit(self, X, y):
        """Rank the numeric features of `X` (n_rows, n_features) for `y` (n_rows,); returns self."""
        check_step(self.step)
        X, y = self._read_table(X, y)
        X = check_array(X, dtype=float, estimator=self)
        d, keep = X.shape[1], self.n_features_to_select
        if keep is not None:
            check_number(keep, "n_features_to_select", numbers.Integral, min_val=1, max_val=d)
        if self.scale is not None:
            X = SCALES[self.scale]().fit_transform(X)
        targets = self._targets(y)
        orders = self._eliminate(X, targets)
        self.ranking_ = places(merged(orders))
        self.support_ = self.ranking_ <= (keep or max(1, d // 2))
        names, order = self._feature_names(), np.argsort(self.ranking_)
        columns = {"feature": [names[j] for j in order], "rank": self.ranking_[order]}
        self.steps_ = rows_of(columns | {"kept": self.support_[order]})
        return self

    def _default(self):
        of_numbers = getattr(self, "task_", None) == "regression"
        return (SVR if of_numbers else SVC)(kernel="linear")

    def _targets(self, y):
        """Return the target of each elimination; dict of class or None to ndarray (n_rows,)."""
        if self.multiclass == "each" and is_classifier(self._model()):
            labels = np.unique(y)
            if len(labels) > 2:
                return {label: y == label for label in labels.tolist()}
        return {None: y}

    def _eliminate(self, X, targets):
        """Return the features from the last removed to the first, per target; set `rounds_`."""
        d, generator, names = X.shape[1], self._generator(), self._feature_names()
        orders, self.rounds_ = [np.arange(d) for _ in targets], []
        sizes = list(self._sizes(d))
        for size, left in self._bar(list(zip(sizes, [*sizes[1:], 0])), len(sizes), "rounds"):
            tasks = [
                {
                    "X": X, "y": y, "columns": np.sort(order[:size]).tolist(), "kind": "mdi",
                    "seed": draw_seed(generator),
                }
                for order, y in zip(orders, targets.values())
            ]  # fmt: skip
            for order, task, label, result in zip(orders, tasks, targets, self._results(tasks)):
                best = best_first(result.importances)
                order[:size] = np.array(task["columns"])[best]
                row = {} if label is None else {"class": label}
                self.rounds_.append(row | {
                    "n_features": size,
                    "left": ", ".join(str(names[j]) for j in order[left:size]),
                    "score": float(result.importances[best[left]]),
                })  # fmt: skip
        return orders

    def _sizes(self, size):
        """Yield the numbers of features that are left."""
        while size > 0:
            yield size
            whole = isinstance(self.step, numbers.Integral)
            size -= self.step if whole else ceil(self.step * size)


def merged(orders):
    """Merge several orders: the first of each in turn, then the second, each feature once.

    >>> merged([[2, 3, 0, 1], [1, 3, 2, 0]])
    [2, 1, 3, 0]
    """
    return list(dict.fromkeys(int(j) for place in zip(*orders) for j in place))
