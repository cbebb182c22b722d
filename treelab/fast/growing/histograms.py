"""Histogram-based splits: the best split between few bins instead of many values.

A feature with ten thousand values has ten thousand cuts, most of them as good as their
neighbours. Put its values into at most 255 bins of about as many rows each, and only the
edges between bins remain. To growth, bins are ranks with many ties, and there is a search of
them without a sort. One `np.bincount` adds the targets of a node's rows into a table with a
cell for each bin; a running sum along the bins gives every left sum, and the formula of
`treelab.fast.growing.criteria` every gain. Of two siblings only the one with fewer rows is counted:
the other has what is left of the parent. The sums are whole units (`Targets`), so that the
difference is exact, and ties are what they are in a search by sorting.

Vocabulary
----------
bin : run of neighbouring values of a feature; a category of a categorical feature is one
B : bins that each feature has room for; cell : a (node, feature, bin)
L, W_left, n_left : targets, weight and number of a node's rows up to each bin; (M, n_features, B)
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treelab.fast.growing.by_depth import CELLS, best_splits
from treelab.fast.growing.categories import positions, respect_leaf_size
from treelab.fast.growing.criteria import SquaredError
from treelab.fast.growing.splits import BestSplits
from treelab.fast.growing.training_data import Columns
from treelab.fast.tolerances import TIE
from treelab.fast.tree import pick

__all__ = ["MAX_BINS", "Bins", "Histograms", "equal_bins"]

MAX_BINS = 255
CELLS_PER_ROW = 1.0  # more cells than this for each row and feature, and sorting is cheaper


@dataclass(frozen=True)
class Bins(Columns):
    """Columns whose rank is the number of the bin, and whose values are the largest of each bin."""

    smallest: list  # smallest[j][rank] is the smallest value; None for a categorical feature

    @classmethod
    def of(cls, columns, max_bins=MAX_BINS):
        """Put features that have been ranked into bins.

        A feature with at most `max_bins` values has a bin for each. The values of any other
        are split at equal steps of the rows' count: a value belongs to the bin in which the
        middle one of its rows falls. A value with many rows may so leave bins empty, which
        are dropped. Weights play no part. A categorical feature keeps its categories, however many.

        Examples
        --------
        >>> X = np.array([[1.0], [2.0], [3.0], [4.0], [8.0], [9.0]])
        >>> bins = Bins.of(Columns.of(X, [0]), max_bins=3)
        >>> bins.rank.tolist(), bins.smallest[0].tolist(), bins.values[0].tolist()
        ([[0, 0, 1, 1, 2, 2]], [1.0, 3.0, 8.0], [2.0, 4.0, 9.0])
        """
        if max_bins < 2:
            raise ValueError(f"max_bins must be at least 2, got {max_bins!r}.")
        rank, largest, smallest = columns.rank.copy(), [], []
        for j, values in enumerate(columns.values):
            low = high = values
            if values is not None and len(values) > max_bins:
                first, bin_ = equal_bins(np.bincount(rank[j]), max_bins)
                low, high = values[first], values[np.append(first[1:], len(values)) - 1]
                rank[j] = bin_[rank[j]]
            smallest.append(low)
            largest.append(high)
        tied = np.array([v is None or len(v) < rank.shape[1] for v in largest], dtype=bool)
        return cls(rank, largest, columns.n_levels, tied, smallest)

    @cached_property
    def n_bins(self):
        """B, the largest number of bins or categories of a feature; at least 1."""
        return max([1, *self.n_levels, *(len(v) for v in self.values if v is not None)])

    @cached_property
    def cells(self):
        """Bin of each row in each feature, numbered through all features; (n_features, n)."""
        return self.rank.astype(int) + np.arange(len(self.rank))[:, None] * self.n_bins

    @cached_property
    def n_left(self):
        """Number of rows up to each bin of each feature; (n_features, B)."""
        count = [np.bincount(bin_, minlength=self.n_bins) for bin_ in self.rank]
        return np.cumsum(count, axis=1, dtype=float)

    def beside(self, j, rank, next_rank):
        """Return the values of feature j on both sides of splits between bins."""
        return self.values[j][rank], self.smallest[j][next_rank]


def equal_bins(count, max_bins):
    """Divide neighboring values into bins that hold about the same number of rows.

    `count` has the rows of each value, (n_values,). Returns the first value of each bin,
    (n_bins,), and the bin of each value, (n_values,).
    """
    twice_middle = 2 * np.cumsum(count) - count  # twice the rows before the middle of a value
    step = twice_middle * max_bins // (2 * count.sum())
    first = np.flatnonzero(np.diff(step, prepend=-1))
    return first, np.repeat(np.arange(len(first)), np.diff(first, append=len(count)))


class Histograms:
    """Search for the splits of one frontier after another between `bins`, as `best_splits` does.

    It keeps the tables of the frontier before, from which it gets half of the next ones. Tables
    are running sums along the bins: L, W_left and n_left, (3, M, n_features, B), without W_left
    where all rows weigh the same.
    """

    def __init__(self, bins):
        self.bins = bins
        self.tables = None  # of the frontier before
        self.same_weight = False  # whether all rows of the tree weigh the same

    def __call__(self, columns, frontier, open_, R, limits, generators):
        """Find the best split of every open node; see `best_splits`."""
        n_features, B, M = len(columns.rank), self.bins.n_bins, len(open_)
        if generators is not None or M * B > CELLS_PER_ROW * len(frontier.row):
            self.tables = None
            return best_splits(columns, frontier, open_, R, limits, generators)
        if not open_.any():
            return BestSplits.none(M, columns.most_levels)
        if frontier.above is None:
            self.same_weight = frontier.same_weight is not None
        self.tables = self._tables(frontier)
        w_unit, T_unit = frontier.targets.unit
        units = T_unit, w_unit * (frontier.targets.units[0, 0] if self.same_weight else 1)
        cuts = BestSplits.none(M, columns.most_levels)
        nodes, step = np.flatnonzero(open_), max(1, CELLS // (n_features * B))
        for first in range(0, len(nodes), step):
            some = nodes[first : first + step]
            tables = self.tables[:, some]
            found = search_tables(columns, tables, units, R[some], limits.min_samples_leaf)
            cuts.improve(some, found, 0.0)
        return cuts

    def _tables(self, frontier):
        """Return the tables of all nodes of the frontier."""
        if self.tables is None:
            return self._count(frontier, np.arange(len(frontier.size)))
        # Nodes 2k and 2k + 1 are siblings.
        light = np.arange(0, len(frontier.size), 2) + (frontier.size[1::2] < frontier.size[::2])
        counted = self._count(frontier, light)
        tables = np.empty((len(counted), len(frontier.size), *counted.shape[2:]))
        tables[:, light] = counted
        tables[:, light ^ 1] = self.tables[:, frontier.above[light]] - counted
        return tables

    def _count(self, frontier, nodes):
        """Count the tables of some nodes (ascending) from their rows."""
        part, cells, (w, T) = frontier.only(nodes), self.bins.cells, frontier.targets.units
        amounts = [T, None] if self.same_weight else [T, w, None]
        n_cells = len(cells) * self.bins.n_bins
        tables = np.empty((len(amounts), len(nodes), len(cells), self.bins.n_bins))
        if len(part.row) == cells.shape[1] and len(part.size) == 1 and part.counts is None:
            amounts.pop()
            tables[-1] = self.bins.n_left  # all rows, each once: in whatever order
        else:
            cells = pick(cells, part.row)
            if len(nodes) > 1:
                cells += part.node * n_cells
            amounts[:-1] = (pick(amount, part.row) for amount in amounts[:-1])
            if part.counts is not None:
                amounts[:-1] = (amount * part.counts for amount in amounts[:-1])
        for table, amount in zip(tables, amounts):
            each = None if amount is None else np.tile(amount.astype(float), len(cells))
            count = np.bincount(cells.ravel(), each, table.size).reshape(table.shape)
            np.cumsum(count, axis=2, out=table)
        return tables


def search_tables(columns, tables, units, R, min_samples_leaf=1):
    """Find the best split of every node from its tables; `BestSplits`, with ties as in `search`.

    `units` are what one unit of L and one of W_left are worth, `R` the total impurity of each
    node. The tables are reordered in place where a feature is categorical.
    """
    M, n_features, B = tables.shape[1:]
    position = order_levels(columns, tables, units, min_samples_leaf)
    gain = gains(tables, min_samples_leaf).reshape(M, -1)
    top = np.fmax.reduce(gain, axis=1)
    found = ~np.isnan(top)
    # The features stand one after the other: the first split that is good enough is in the
    # first such feature.
    W = tables[1, :, 0, -1] / units[1]
    best = (gain >= (top - TIE * R / units[0] / units[0] / W)[:, None]).argmax(axis=1)
    feature, rank = best // B, best % B
    n_left, node = tables[-1], np.arange(M)
    right = n_left[node, feature] > n_left[node, feature, rank][:, None]  # (M, B)
    cuts = BestSplits.none(M, columns.most_levels)
    cuts.gain[found] = (top * W * units[0] * units[0])[found]
    cuts.feature[found] = feature[found]
    cuts.rank, cuts.next_rank = rank, right.argmax(axis=1)
    for t in np.flatnonzero(found & np.isin(feature, [*position])) if position else ():
        chosen = position[feature[t]][t]  # (n_levels,)
        cuts.left_levels[t, : len(chosen)] = (chosen >= 0) & (chosen <= rank[t])
    return cuts


def gains(tables, min_samples_leaf=1):
    """Return the drop in total impurity by the split after each bin; (M, n_features, B).

    NaN where no split is allowed.

    In units of T**2 / w**2 times the weight of the node, which all its splits share. The
    formula is that of `treelab.fast.growing.criteria`, d**2 * W / (W_left * W_right), which is
    0 / 0, NaN, where a side is empty.
    """
    L, W_left, n_left = tables[0], tables[1], tables[-1]
    W = W_left[:, :1, -1:]  # the same for all features
    d = W_left / W
    d *= L[:, :1, -1:]
    np.subtract(L, d, out=d)  # 0 where nothing is right
    d *= d
    product = W - W_left
    product *= W_left
    with np.errstate(invalid="ignore"):
        d /= product
    if min_samples_leaf > 1:
        n_right = n_left[:, :, -1:] - n_left
        d[np.minimum(n_left, n_right) < min_samples_leaf] = np.nan
    return d


def order_levels(columns, tables, units, min_samples_leaf=1):
    """Put the categories of each categorical feature in the order of growth, in place.

    Returns the position of each category in each node, (M, n_levels), by categorical feature; -1
    where the node lacks it. The order is that of `rank_levels`.
    """
    position = {}
    for j in np.flatnonzero(columns.n_levels) if columns.most_levels else ():
        here = tables[:, :, j, : columns.n_levels[j]]
        parts = np.diff(here, prepend=0)
        S, W, rows = parts[0] * units[0], parts[1] * units[1], parts[-1]
        mean = np.divide(S, W, out=np.full(S.shape, np.inf), where=rows > 0)
        score = respect_leaf_size(mean, rows, W, S[None], SquaredError(), min_samples_leaf)
        position[j] = positions(score, rows > 0)
        order = np.argsort(score, axis=1, kind="stable")[None]
        np.cumsum(np.take_along_axis(parts, order, axis=2), axis=2, out=here)
    return position
