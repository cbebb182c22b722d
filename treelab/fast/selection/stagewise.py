"""Forward stagewise regression: the coefficient of one feature moves a little, again and again.

The feature that goes best with the residual gets a little more weight, and what that explains is
taken off the residual. Nothing is fitted again. With small steps the coefficients follow nearly
the path of the lasso.

Vocabulary
----------
c : correlation of each column with the residual, for a target of length 1, (n_features,)
move : by how much the coefficient of one feature changes
"""

from typing import NamedTuple

import numpy as np

__all__ = ["Moves", "stagewise"]

NONE = 1e-6  # a smaller correlation is none


class Moves(NamedTuple):
    """Moves of stagewise regression, in order.

    Attributes
    ----------
    features : ndarray of int, shape (n_moves,)
    correlations : ndarray of shape (n_moves,)
        Of the feature with the residual, before the move.
    sizes : ndarray of shape (n_moves,)
        Of the moves, for columns and a target of length 1.
    rss : ndarray of shape (n_moves + 1,)
        Before the first move and after each.
    ended : bool
        Whether no move was left to do.
    """

    features: np.ndarray
    correlations: np.ndarray
    sizes: np.ndarray
    rss: np.ndarray
    ended: bool


def stagewise(data, step, max_iter, most):
    """Move until no move lowers the residual sum, or a feature beyond `most` would move.

    Parameters
    ----------
    data : Triangle
    step : float or None
        Size of a move. None: as much as the simple regression of the residual requires.
    max_iter : int
        Largest number of moves.
    most : int
    """
    c, products = data.y @ data.X, {}  # products: of a feature that has moved, with all others
    enough = NONE if step is None else max(NONE, step / 2)  # a smaller c, and the sum would rise
    done, ended = [], False
    while len(done) < max_iter:
        j = int(np.argmax(np.abs(c)))
        ended = abs(c[j]) <= enough or (j not in products and len(products) == most)
        if ended:
            break
        if j not in products:
            products[j] = data.X[:, j] @ data.X
        move = c[j] if step is None else np.copysign(step, c[j])
        done.append((j, c[j], move))
        c = c - move * products[j]
    features, correlations, sizes = np.array(done).reshape(-1, 3).T
    start = data.y @ data.y
    rss = np.append(start, start + np.cumsum(sizes**2 - 2 * sizes * correlations))
    return Moves(features.astype(int), correlations, sizes, np.maximum(rss, 0), ended)
