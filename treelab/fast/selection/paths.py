"""Paths of linear models: the features, the fit and the predictions of each model.

Vocabulary
----------
weight : coefficient of a column of length 1, for a target of length 1
k : number of features of a model
"""

from typing import NamedTuple

import numpy as np

from treelab.fast.selection.least_squares import EXACT, coefficients, f_test, information_criterion

__all__ = ["Path", "path_of_models", "path_of_moves"]


class Path(NamedTuple):
    """Models in the order of the search.

    Attributes
    ----------
    data : Triangle
    subsets : list of list of int
        The features of each model, of n_models.
    rss : ndarray of shape (n_models,)
        As shares of the total sum of squares.
    columns : ndarray of int, shape (n_columns,)
        Those that are in any model.
    weights : ndarray of shape (n_models, n_columns)
    moves : Moves or None
        Of stagewise regression.
    """

    data: object
    subsets: list
    rss: np.ndarray
    columns: np.ndarray
    weights: np.ndarray
    moves: object = None

    @property
    def sizes(self):
        """Number of features of each model; ndarray of int, shape (n_models,)."""
        return np.array([len(subset) for subset in self.subsets])

    def criteria(self):
        """Return AIC and BIC of each model; two arrays, (n_models,)."""
        n = self.data.n_rows
        scale = 2 * n * np.log(self.data.y_length) if self.data.y_length > 0 else 0.0
        models = list(zip(self.rss, self.sizes))
        return [
            np.array([scale + information_criterion(rss, k, n, penalty) for rss, k in models])
            for penalty in (2, np.log(n))
        ]

    def tests(self):
        """Return F and p-value of the feature that a model has gained or lost.

        NaN where the two differ by more than one feature; (n_models, 2).
        """
        found = np.full((len(self.subsets), 2), np.nan)
        for t in range(1, len(self.subsets)):
            if len(set(self.subsets[t - 1]) ^ set(self.subsets[t])) == 1:
                few, many = sorted((t - 1, t), key=lambda s: len(self.subsets[s]))
                k = len(self.subsets[many])
                found[t] = f_test(self.rss[few], self.rss[many], k, self.data.n_rows)
        return found

    def squared_errors(self, X, y):
        """Return the squared errors of each model on some rows; ndarray of shape (n_rows,
        n_models)."""
        data, used = self.data, self.columns
        length = np.where(data.x_length > 0, data.x_length, np.inf)
        columns = ((X - data.x_mean) / length)[:, used]
        return (y[:, None] - data.y_mean - data.y_length * columns @ self.weights.T) ** 2

    def counterparts(self, path):
        """Match each model of this path to one of another path; -1 where none.

        After as many moves, or the last one; otherwise the best of the same size.
        """
        if self.moves is not None:
            return np.minimum(np.arange(len(self.rss)), len(path.rss) - 1)
        best = {}
        for t in np.argsort(-path.rss, kind="stable"):
            best[len(path.subsets[t])] = t
        return np.array([best.get(len(subset), -1) for subset in self.subsets])


def path_of_models(data, models):
    """Build the `Path` of least-squares fits from pairs (subset, rss)."""
    subsets = [list(subset) for subset, _ in models]
    weights = np.array([coefficients(data, subset) for subset in subsets])
    rss = np.array([rss for _, rss in models])
    return Path(data, subsets, rss, np.arange(data.X.shape[1]), weights)


def path_of_moves(data, moves, step):
    """Build the `Path` of stagewise regression from its `Moves`, a model after each."""
    columns, position = np.unique(moves.features, return_inverse=True)
    weights = np.zeros((len(moves.features) + 1, len(columns)))
    weights[np.arange(1, len(weights)), position] = moves.sizes
    weights = np.cumsum(weights, axis=0)
    if step is not None:
        weights = step * np.round(weights / step)  # there and back again is 0
    subsets = [columns[row != 0].tolist() for row in weights]
    return Path(data, subsets, np.where(moves.rss > EXACT, moves.rss, 0.0), columns, weights, moves)
