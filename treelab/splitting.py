"""The best cut of every open node of a level, in one pass over each feature.

Sort the rows of a feature by (node, value) and walk through them. Each step moves one row
to the left side of its node's cut, so a running sum holds the left sums of every candidate
cut of every node. From them comes the gain, and the best gain of each node is a maximum
over its stretch of the array. No loop over nodes, none over cuts.

For squared error and Gini the gain has one formula. Write d for the left sum less what it
would be if the targets were spread evenly, d = L - (W_left / W) * S. Then

    gain = sum over target columns of  d**2 * W / (W_left * W_right)

which is Breiman et al. (1984, section 8.4) for a number and, with one column of zeros and
ones for each class, the drop in Gini impurity (section 4.3).

Vocabulary
----------
m, M : rows and nodes of the level; K : target columns
place : one of the m rows of the level, which stand grouped by node
rank : (m,) rank of each place in the feature that its node tries
S, W : target sums (K, m) and weight (m,) of the node of each place
L, W_left : the same sums left of the cut that stands after a place
"""

from dataclasses import dataclass

import numpy as np

from treelab.absolute import deviation_left_right
from treelab.categories import rank_levels

__all__ = ["TIE", "Cuts", "order_values", "scan", "search"]

TIE = 1e-10  # gains closer than this share of the node's total impurity are equal


@dataclass
class Cuts:
    """The best cut known so far of each node of a level; feature -1 where there is none."""

    gain: np.ndarray  # (M,) drop in total impurity
    feature: np.ndarray  # (M,)
    rank: np.ndarray  # (M,) largest rank, or place in the order of levels, that goes left
    next_rank: np.ndarray  # (M,) smallest rank that goes right
    left_levels: np.ndarray  # (M, n_levels)

    @classmethod
    def none(cls, n_nodes, n_levels):
        """No cut yet."""
        no = np.full(n_nodes, -1)
        none = np.zeros((n_nodes, n_levels), dtype=bool)
        return cls(np.full(n_nodes, -np.inf), no, no.copy(), no.copy(), none)

    def improve(self, nodes, other, tolerance):
        """Take over the cuts of `other` (for `nodes`) that are better by more than a tie."""
        better = other.gain > self.gain[nodes] + tolerance
        for name in ("gain", "feature", "rank", "next_rank", "left_levels"):
            getattr(self, name)[nodes[better]] = getattr(other, name)[better]


def sort_by(key):
    """Places in ascending order of `key` (not negative), equal keys in order of place.

    Key and place are packed into one integer and sorted as numbers, which is several
    times as fast as `np.argsort`.
    """
    bits = len(key).bit_length()
    if int(key.max()).bit_length() + bits > 63:
        order = np.argsort(key, kind="stable")
        return order, key[order]
    packed = np.sort((key << bits) | np.arange(len(key)))
    return packed & ((1 << bits) - 1), packed >> bits


def scan(level, rank, min_samples_leaf=1):
    """Gain of the cut after every place, in the order of (node, rank).

    Parameters
    ----------
    level : Level
    rank : ndarray of int, shape (m,)
        Rank of each place in the feature that its node tries.
    min_samples_leaf : int
        Rows that each side must hold.

    Returns
    -------
    gain : ndarray of shape (m,)
        Drop in total impurity; -inf where two equal values would be torn apart, or a
        side would be too small.
    order : ndarray of shape (m,)
        Places in the order of (node, rank).
    """
    order, key = sort_by(level.node * (int(rank.max()) + 1) + rank)
    allowed = level.n_right > 0
    allowed[:-1] &= key[1:] != key[:-1]
    if min_samples_leaf > 1:
        allowed &= (level.n_left >= min_samples_leaf) & (level.n_right >= min_samples_leaf)
    with np.errstate(divide="ignore", invalid="ignore"):  # after a node's last place: 0 / 0
        gain = gains(level, order)
    gain[~allowed] = -np.inf
    return gain, order


def gains(level, order):
    """Drop in total impurity by the cut after each place of `order`; shape (m,)."""
    criterion = level.targets.criterion
    if criterion == "absolute_error":
        left, right = deviation_left_right(level, order)
        whole = left[level.start + level.size - 1]
        return whole[level.node] - left - right
    L, S, W = level.sums_left(order), level.S, level.W
    W_left = level.weight_left(order)
    if criterion in ("gini", "squared_error"):
        d = L - (W_left / W) * S
        square = np.einsum("ki,ki->i", d, d)
        if criterion == "gini":  # the d of the first class is less the sum of the others
            square += d.sum(axis=0) ** 2
        return square * (W / (W_left * (W - W_left)))
    R = TOTAL_IMPURITY[criterion]
    return R(S, W) - R(L, W_left) - R(S - L, W - W_left)


def total_entropy(S, W):
    """W * entropy in bits of the classes with sums S and, for the first, the rest of W."""
    return xlog2x(W) - xlog2x(S).sum(axis=0) - xlog2x(W - S.sum(axis=0))


def xlog2x(x):
    """x * log2(x), and 0 at 0."""
    return x * np.log2(np.maximum(x, np.finfo(float).tiny))


def total_misclassification(S, W):
    """W * misclassification."""
    return W - np.maximum(S.max(axis=0, initial=0.0), W - S.sum(axis=0))


TOTAL_IMPURITY = {"entropy": total_entropy, "misclassification": total_misclassification}


def search(columns, level, feature, total_impurity, min_samples_leaf=1):
    """The best cut of every node of the level in one feature for each.

    Parameters
    ----------
    columns : Columns
    level : Level
    feature : ndarray of int, shape (M,)
        The feature that each node tries.
    total_impurity : ndarray of shape (M,)
        R of each node, the scale of the tie rule.
    min_samples_leaf : int

    Returns
    -------
    Cuts
        Of several cuts with the same gain, the one with the smallest threshold.
    """
    cuts = Cuts.none(len(feature), columns.n_levels.max(initial=0))
    rank, place = order_values(columns, level, feature, min_samples_leaf)
    gain, order = scan(level, rank, min_samples_leaf)
    best = np.maximum.reduceat(gain, level.start)
    found = best > -np.inf
    close = np.where(found, best - TIE * total_impurity, np.inf)
    hits = np.flatnonzero(gain >= close[level.node])
    first = hits[np.diff(level.node[hits], prepend=-1) > 0]  # one for each node with a cut
    cuts.gain[found] = np.maximum(gain[first], 0.0)
    cuts.feature[found] = feature[found]
    cuts.rank[found] = rank[order[first]]
    cuts.next_rank[found] = rank[order[first + 1]]
    cuts.left_levels[:] = (place >= 0) & (place <= cuts.rank[:, None])
    return cuts


def order_values(columns, level, feature, min_samples_leaf=1):
    """Rank of each place in the feature that its node tries, levels ranked by their targets.

    Parameters
    ----------
    columns, level, feature, min_samples_leaf
        As in `search`.

    Returns
    -------
    rank : ndarray of int, shape (m,)
    place : ndarray of int, shape (M, n_levels)
        Rank of each level of a categorical feature, -1 where the node lacks it or its
        feature is numeric.
    """
    rank = columns.ranks(feature, level)
    place = np.full((len(feature), columns.n_levels.max(initial=0)), -1)
    categorical = columns.n_levels[feature] > 0  # (M,)
    if categorical.any():
        place = rank_levels(level, rank, categorical, place.shape[1], min_samples_leaf)
        here = categorical[level.node]
        rank[here] = place[level.node[here], rank[here]]
    return rank, place


def midpoint(low, high):
    """Threshold between two neighbouring values; `low` where rounding would reach `high`."""
    middle = low / 2 + high / 2
    return np.where(middle < high, middle, low)
