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
from functools import reduce

import numpy as np

from treelab.growing.categories import rank_levels
from treelab.growing.medians import deviation_left_right

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


def sort_by(level, rank, tied=True):
    """Places in the order of (node, rank), equal ones in order of place.

    Node, rank and place are packed into one integer each and sorted as numbers, which is
    several times as fast as `np.argsort`.

    Parameters
    ----------
    level : Level
    rank : ndarray of int, shape (q, m)
    tied : bool, default=True
        False where no two rows have the same rank: there is nothing to compare.

    Returns
    -------
    order : ndarray of int64, shape (q, m)
        The places in their order.
    same : ndarray of bool, shape (q, m - 1)
        Whether a place has the node and the rank of the next; False if none has.
    """
    base, bits = level.sort_base
    if base is None:
        key = level.node * len(level.targets.y) + rank
        order = np.argsort(key, axis=1, kind="stable")
        key = np.take_along_axis(key, order, axis=1)
        return order, key[:, 1:] == key[:, :-1]
    packed = rank.astype(np.int64)
    packed <<= bits
    packed += base
    packed.sort(axis=1)
    order = packed & ((1 << bits) - 1)
    if not tied:
        return order, False
    packed >>= bits
    return order, packed[:, 1:] == packed[:, :-1]


def scan(level, rank, min_samples_leaf=1, tied=True):
    """Gain of the cut after every place, in the order of (node, rank).

    Parameters
    ----------
    level : Level
    rank : ndarray of int, shape (q, m)
        Rank of each place in each of q features.
    min_samples_leaf : int, default=1
        Rows that each side must hold.
    tied : bool, default=True
        False where no two rows have the same rank.

    Returns
    -------
    gain : ndarray of shape (q, m)
        Drop in total impurity; -inf where two equal values would be torn apart, or a
        side would be too small.
    order : ndarray of shape (q, m)
        Places in the order of (node, rank).
    """
    order, same = sort_by(level, rank, tied)
    with np.errstate(divide="ignore", invalid="ignore"):  # after a node's last place: 0 / 0
        gain = gains(level, order)
    if tied:
        np.copyto(gain[:, :-1], -np.inf, where=same)
    gain[:, level.last] = -np.inf
    if min_samples_leaf > 1:
        small = (level.n_left < min_samples_leaf) | (level.n_right < min_samples_leaf)
        np.copyto(gain, -np.inf, where=small)
    return gain, order


def gains(level, order):
    """Drop in total impurity by the cut after each place of `order`; shape (q, m)."""
    criterion = level.targets.criterion
    if criterion == "absolute_error":
        return np.array([absolute_gain(level, places) for places in order])
    columns = range(len(level.T))
    if not columns:  # one class only: there is nothing to gain
        return np.zeros(order.shape)
    if criterion in ("gini", "squared_error"):
        even, scale = level.balance(order)
        d = [level.sums_left(k, order) for k in columns]
        for k in columns:
            d[k] -= even[k]
        square = reduce(np.add, (a * a for a in d))
        if criterion == "gini":  # the first class has what the others lack
            square += square if len(d) == 1 else reduce(np.add, d) ** 2
        square *= scale
        return square
    W, W_left = level.W, level.weight_left(order)
    left = [level.sums_left(k, order) for k in columns]
    right = [S - L for S, L in zip(level.S, left, strict=True)]
    R = TOTAL_IMPURITY[criterion]
    return R(level.S, W) - R(left, W_left) - R(right, W - W_left)


def absolute_gain(level, order):
    """Drop in the sum of absolute deviations by the cut after each place; shape (m,)."""
    left, right = deviation_left_right(level, order)
    whole = left[level.last]
    return whole[level.node] - left - right


def total_entropy(S, W):
    """W * entropy in bits, from the sums of all classes but the first."""
    return xlog2x(W) - sum(xlog2x(s) for s in S) - xlog2x(W - sum(S))


def xlog2x(x):
    """x * log2(x), and 0 at 0."""
    return x * np.log2(np.maximum(x, np.finfo(float).tiny))


def total_misclassification(S, W):
    """W * misclassification, from the sums of all classes but the first."""
    return W - reduce(np.maximum, S, W - sum(S))


TOTAL_IMPURITY = {"entropy": total_entropy, "misclassification": total_misclassification}


def search(columns, level, feature, total_impurity, min_samples_leaf=1):
    """The best cut of every node of the level over a few features each.

    Parameters
    ----------
    columns : Columns
    level : Level
    feature : ndarray of int, shape (q, M) or (q, 1)
        The features that each node tries; one column if all nodes try the same.
    total_impurity : ndarray of shape (M,)
        R of each node, the scale of the tie rule.
    min_samples_leaf : int, default=1

    Returns
    -------
    Cuts
        Of cuts with the same gain, the one of the first feature in the list, and of its
        cuts the one with the smallest threshold.
    """
    rank, place = order_values(columns, level, feature, min_samples_leaf)
    gain, order = scan(level, rank, min_samples_leaf, columns.tied[feature].any())
    best = np.maximum.reduceat(gain, level.start, axis=1)  # (q, M)
    top = best.max(axis=0)
    found = top > -np.inf
    enough = np.where(found, top - TIE * total_impurity, np.inf)
    slot = (best >= enough).argmax(axis=0)  # (M,) the first feature that is good enough
    gain = gain[level.spread(slot), np.arange(len(level.node))] if len(gain) > 1 else gain[0]
    hits = np.flatnonzero(gain >= level.spread(enough))
    first = hits[np.diff(level.node[hits], prepend=-1) > 0]  # its first such cut in each node
    slot_found = slot[found]
    cuts = Cuts.none(len(found), columns.most_levels)
    cuts.gain[found] = np.maximum(top[found], 0.0)
    cuts.feature[found] = np.broadcast_to(feature, best.shape)[slot_found, found]
    cuts.rank[found] = rank[slot_found, order[slot_found, first]]
    cuts.next_rank[found] = rank[slot_found, order[slot_found, first + 1]]
    if place is not None:
        chosen = place[slot, np.arange(len(slot))]  # (M, n_levels)
        cuts.left_levels[:] = (chosen >= 0) & (chosen <= cuts.rank[:, None])
    return cuts


def order_values(columns, level, feature, min_samples_leaf=1):
    """Rank of each place in the features that its node tries, levels ranked by their targets.

    Parameters
    ----------
    columns, level, feature, min_samples_leaf
        As in `search`.

    Returns
    -------
    rank : ndarray of int, shape (q, m)
    place : ndarray of int, shape (q, M, n_levels), or None
        Rank of each level of a categorical feature, -1 where the node lacks it or its
        feature is numeric. None where no feature of X is categorical.
    """
    rank = columns.ranks(feature, level)
    if not columns.most_levels:
        return rank, None
    place = np.full((len(rank), len(level.size), columns.most_levels), -1)
    categorical = np.broadcast_to(columns.n_levels[feature] > 0, place.shape[:2])
    for slot in np.flatnonzero(categorical.any(axis=1)):
        place[slot] = rank_levels(
            level, rank[slot], categorical[slot], place.shape[2], min_samples_leaf
        )
        here = categorical[slot, level.node]
        rank[slot, here] = place[slot, level.node[here], rank[slot, here]]
    return rank, place


def midpoint(low, high):
    """Threshold between two neighboring values; `low` where rounding would reach `high`."""
    middle = low / 2 + high / 2
    return np.where(middle < high, middle, low)
