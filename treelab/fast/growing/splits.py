"""Search for the best split of every open node, in one pass over each feature.

Sort the rows of a feature by (node, value) and walk through them. Each step moves one row
to the left side of its node's split, so a running sum holds the left sums of every candidate
split of every node. From them comes the gain, and the best gain of each node is a maximum
over its stretch of the array. No loop over nodes, none over splits.
"""

from dataclasses import dataclass

import numpy as np

from treelab.fast.growing.categories import rank_levels
from treelab.fast.tolerances import TIE

__all__ = ["BestSplits", "order_values", "scan", "search"]


@dataclass
class BestSplits:
    """Best split found so far of each node of a frontier; feature -1 where there is none."""

    gain: np.ndarray  # (M,) drop in total impurity
    feature: np.ndarray  # (M,)
    rank: np.ndarray  # (M,) largest rank, or position in the order of categories, that goes left
    next_rank: np.ndarray  # (M,) smallest rank that goes right
    left_levels: np.ndarray  # (M, n_levels)

    @classmethod
    def none(cls, n_nodes, n_levels):
        """Return an object without any split."""
        no = np.full(n_nodes, -1)
        none = np.zeros((n_nodes, n_levels), dtype=bool)
        return cls(np.full(n_nodes, -np.inf), no, no.copy(), no.copy(), none)

    def improve(self, nodes, other, tolerance):
        """Take over the splits of `other` (for `nodes`) that are better by more than a tie."""
        better = (other.gain > self.gain[nodes] + tolerance).nonzero()[0]
        nodes = nodes[better]
        for name in ("gain", "feature", "rank", "next_rank", "left_levels"):
            getattr(self, name)[nodes] = getattr(other, name)[better]


def search(columns, frontier, feature, total_impurity, min_samples_leaf=1, penalty=None):
    """Find the best split of every node over a few features each; `BestSplits`.

    Of splits with the same gain, the one of the first feature in the list, and of its splits the
    one with the smallest threshold. With a penalty, gain means penalized gain throughout.

    Parameters
    ----------
    columns : Columns
    frontier : Frontier
    feature : ndarray of int, shape (q, M) or (q, 1)
        The features that each node tries; one column if all nodes try the same.
    total_impurity : ndarray of shape (M,)
        R of each node, the scale of the tie rule.
    min_samples_leaf : int, default=1
        Rows that each side must hold.
    penalty : ndarray of shape (q, M), default=None
        What the gains of each feature in each node are multiplied by, above 0; None: nothing.
    """
    rank, position = order_values(columns, frontier, feature, min_samples_leaf)
    gain, order = scan(frontier, rank, min_samples_leaf, columns.tied[feature].any())
    best = most = np.maximum.reduceat(gain, frontier.start, axis=1)  # (q, M)
    if penalty is not None:
        best = most * penalty
    top = best.max(axis=0)
    found = top > -np.inf
    tie = TIE * total_impurity
    if penalty is not None:
        tie = tie * penalty[best.argmax(axis=0), np.arange(len(tie))]
    enough = np.where(found, top - tie, np.inf)
    slot = (best >= enough).argmax(axis=0)  # (M,) the first feature that is good enough
    if penalty is not None:  # what that is before the penalty, and never more than there is
        own = slot, np.arange(len(slot))
        enough = np.minimum(enough / penalty[own], np.where(found, most[own], np.inf))
    gain = gain[frontier.spread(slot), np.arange(len(frontier.node))] if len(gain) > 1 else gain[0]
    hits = (gain >= frontier.spread(enough)).nonzero()[0]
    first = hits[hits.searchsorted(frontier.start[found])]  # its first such split in each node
    slot_found = slot[found]
    cuts = BestSplits.none(len(found), columns.most_levels)
    cuts.gain[found] = np.maximum(top[found], 0.0)
    cuts.feature[found] = np.broadcast_to(feature, best.shape)[slot_found, found]
    cuts.rank[found] = rank[slot_found, order[slot_found, first]]
    cuts.next_rank[found] = rank[slot_found, order[slot_found, first + 1]]
    if position is not None:
        chosen = position[slot, np.arange(len(slot))]  # (M, n_levels)
        cuts.left_levels[:] = (chosen >= 0) & (chosen <= cuts.rank[:, None])
    return cuts


def order_values(columns, frontier, feature, min_samples_leaf=1):
    """Rank each position in the features that its node tries, categories by their targets.

    That is (q, m); and (q, M, n_levels) the rank of each category of a categorical feature, -1
    where the node lacks it or its feature is numeric, or None where no feature of X is categorical.

    Parameters
    ----------
    columns, frontier, feature, min_samples_leaf
        As in `search`.
    """
    rank = columns.ranks(feature, frontier)
    if not columns.most_levels:
        return rank, None
    position = np.full((len(rank), len(frontier.size), columns.most_levels), -1)
    categorical = np.broadcast_to(columns.n_levels[feature] > 0, position.shape[:2])
    for slot in np.flatnonzero(categorical.any(axis=1)):
        position[slot] = rank_levels(
            frontier, rank[slot], categorical[slot], position.shape[2], min_samples_leaf
        )
        here = categorical[slot, frontier.node]
        rank[slot, here] = position[slot, frontier.node[here], rank[slot, here]]
    return rank, position


def scan(frontier, rank, min_samples_leaf=1, tied=True):
    """Return the gain of the split after every position, in sorted order, and that order.

    The order is by (node, rank).

    Both are (q, m); the gain is -inf where two equal values would be torn apart, or a side
    would be too small.

    Parameters
    ----------
    frontier, min_samples_leaf
        As in `search`.
    rank : ndarray of int, shape (q, m)
        Rank of each position in each of q features.
    tied : bool, default=True
        False where no two rows have the same rank.
    """
    order, same = frontier.sorting.by(rank, tied)
    with np.errstate(divide="ignore", invalid="ignore"):  # after a node's last position: 0 / 0
        gain = frontier.targets.criterion.gains(frontier, order)
    if tied:
        np.copyto(gain[:, :-1], -np.inf, where=same)
    gain[:, frontier.last] = -np.inf
    if min_samples_leaf > 1:
        n_left, n = frontier.sides.n_left, frontier.spread(frontier.size)
        np.copyto(gain, -np.inf, where=np.minimum(n_left, n - n_left) < min_samples_leaf)
    return gain, order


def midpoint(low, high):
    """Return the threshold between neighboring values; `low` where rounding would reach `high`."""
    middle = low / 2 + high / 2
    return np.where(middle < high, middle, low)
