"""The best cuts of a level from tables of its bins.

With at most 255 bins a feature, the sums left of a cut need no sort. One `np.bincount`
adds the targets of all rows of a node into a table with a cell for each bin of a feature; a
running sum along the bins gives every left sum, and the formula of `treelab.growing.splits`
every gain. Of two siblings only the one with fewer rows is counted: the running sums of the
other are their parent's less its own. The sums are whole units (`frontier.Targets`), so
that the difference is exact, and ties are what they are in a search by sorting.

Vocabulary
----------
m, M : rows and nodes of the level; p, B : features, and bins that each has room for
cell : a (node, feature, bin)
L, W_left, n_left : targets, weight and number of a node's rows up to each bin; (M, p, B)
"""

from dataclasses import dataclass

import numpy as np

from treelab.growing.bins import MAX_BINS, Bins
from treelab.growing.by_depth import CELLS, Limits, best_cuts, grow_and_place
from treelab.growing.categories import places, respect_leaf_size
from treelab.growing.frontier import Targets
from treelab.growing.splits import TIE, Cuts
from treelab.tree.arrays import pick

__all__ = ["MAX_BINS", "Bins", "Histograms", "grow_histogram"]

CELLS_PER_ROW = 1.0  # more cells than this for each row and feature, and sorting is cheaper


def grow_histogram(bins, residual, weight, rows=None, limits=Limits()):  # noqa: B008
    """Grow a regression tree by squared error on bins.

    Parameters
    ----------
    bins : Bins
        Bins of p features in n rows.
    residual : ndarray of float, shape (n,)
        Target of each row.
    weight : ndarray of float, shape (n,)
        Weight of each row, positive.
    rows : ndarray of int, shape (n_rows,), default=None
        The rows to grow on, each once; None takes all.
    limits : treelab.growing.Limits, default=Limits()

    Returns
    -------
    tree : treelab.tree.Tree
        Its thresholds are midpoints between the values on both sides of an edge of bins.
    leaf : ndarray of int, shape (n_rows,)
        Leaf of each of the rows.

    Notes
    -----
    Where no feature has more values than bins, the tree is that of `treelab.growing.grow`.

    Examples
    --------
    >>> from treelab.growing.frontier import Columns
    >>> X = np.array([[1.0], [2.0], [3.0], [8.0]])
    >>> bins = Bins.of(Columns.of(X, [0]))
    >>> tree, leaf = grow_histogram(bins, np.array([1.0, 1.0, 4.0, 4.0]), np.ones(4))
    >>> tree.threshold.tolist(), leaf.tolist()
    ([2.5, -2.0, -2.0], [1, 1, 2, 2])
    """
    targets = Targets.of(residual, weight, "squared_error")
    roots = None if rows is None else [(rows, None)]
    find = Histograms(bins)
    (tree,), leaf = grow_and_place(bins, targets, limits, roots, find=find)
    return tree, leaf if rows is None else leaf[rows]


@dataclass
class Tables:
    """Running sums along the bins, of some nodes; (M, p, B) each, whole units.

    `W_left` and `n_left` are one array where all rows weigh the same.
    """

    L: np.ndarray
    W_left: np.ndarray
    n_left: np.ndarray

    def map(self, function, *others):
        """New tables: `function` of these tables and of the `others`, one by one."""
        L = function(self.L, *(o.L for o in others))
        n_left = function(self.n_left, *(o.n_left for o in others))
        if self.W_left is self.n_left:
            return Tables(L, n_left, n_left)
        return Tables(L, function(self.W_left, *(o.W_left for o in others)), n_left)


class Histograms:
    """Finds the cuts of one level after another, as `treelab.growing.best_cuts` does.

    It keeps the tables of the level before, from which it gets half of the next ones.

    Parameters
    ----------
    bins : Bins
    """

    def __init__(self, bins):
        self.bins = bins
        self.tables = None  # of the level before
        self.same_weight = False  # whether all rows of the tree weigh the same

    def __call__(self, columns, level, open_, R, limits, root, generators):
        """The best cut of every open node; see `treelab.growing.best_cuts`."""
        p, B, M = len(columns.rank), self.bins.n_bins, len(open_)
        if generators is not None or M * B > CELLS_PER_ROW * len(level.row):
            self.tables = None
            return best_cuts(columns, level, open_, R, limits, root, generators)
        if not open_.any():
            return Cuts.none(M, columns.most_levels)
        if level.above is None:
            self.same_weight = level.same_weight is not None
        self.tables = self._tables(level)
        units = level.targets.column_unit, level.targets.weight_unit
        if self.same_weight:
            units = units[0], units[1] * level.targets.units[0]
        if open_.all() and M * p * B <= CELLS and not columns.most_levels:
            return search_tables(columns, self.tables, units, R, limits.min_samples_leaf)
        cuts = Cuts.none(M, columns.most_levels)
        nodes, step = np.flatnonzero(open_), max(1, CELLS // (p * B))
        for first in range(0, len(nodes), step):
            some = nodes[first : first + step]
            tables = self.tables.map(lambda table, some=some: table[some])
            found = search_tables(columns, tables, units, R[some], limits.min_samples_leaf)
            cuts.improve(some, found, 0.0)
        return cuts

    def _tables(self, level):
        """Tables of all nodes of the level."""
        if self.tables is None:
            return self._count(level, np.arange(len(level.size)))
        # Nodes 2k and 2k + 1 are siblings.
        light = np.arange(0, len(level.size), 2) + (level.size[1::2] < level.size[::2])
        counted = self._count(level, light)
        parent = level.above[light]

        def both(whole, part):
            table = np.empty((len(level.size), *part.shape[1:]), dtype=part.dtype)
            table[light] = part
            table[light ^ 1] = whole[parent] - part
            return table

        return self.tables.map(both, counted)

    def _count(self, level, nodes):
        """Tables of some nodes (ascending), from their rows."""
        targets, cells, M = level.targets, self.bins.cells, len(nodes)
        T, w, n_left = targets.columns[0], targets.units, None
        shape, n_cells = (M, len(cells), self.bins.n_bins), len(cells) * self.bins.n_bins
        if len(level.row) == cells.shape[1] and len(level.size) == 1 and level.copies is None:
            n_left = self.bins.n_left[None]  # all rows, each once: in whatever order
        else:
            chosen = np.zeros(len(level.size), dtype=bool)
            chosen[nodes] = True
            place = np.flatnonzero(level.spread(chosen))
            row = pick(level.row, place)
            cells, T, w = pick(cells, row), pick(T, row), pick(w, row)
            if level.copies is not None:
                T, w = T * pick(level.copies, place), w * pick(level.copies, place)
            if M > 1:
                cells += np.repeat(np.arange(M) * n_cells, level.size[nodes])

        def running(amount):  # of each row; the same for all features
            each = None if amount is None else np.tile(amount.astype(float), len(cells))
            table = np.bincount(cells.ravel(), each, M * n_cells).reshape(shape)
            return np.cumsum(table.astype(float, copy=False), axis=2)

        n_left = running(None) if n_left is None else n_left
        return Tables(running(T), n_left if self.same_weight else running(w), n_left)


def search_tables(columns, tables, units, R, min_samples_leaf=1):
    """The best cut of every node from its tables.

    Parameters
    ----------
    columns : Bins
    tables : Tables
        Of M nodes; reordered in place where a feature is categorical.
    units : tuple of float
        What one unit of `tables.L` and one of `tables.W_left` are worth.
    R : ndarray of shape (M,)
        Total impurity of each node, the scale of the tie rule.
    min_samples_leaf : int, default=1

    Returns
    -------
    Cuts
        Ties go as in `treelab.growing.splits.search`.
    """
    M, p, B = tables.L.shape
    place = {}
    if columns.most_levels:
        place = order_levels(columns, tables, units, min_samples_leaf)
    gain = gains(tables, min_samples_leaf).reshape(M, -1)
    top = np.fmax.reduce(gain, axis=1)
    found = ~np.isnan(top)
    # The features stand one after the other: the first cut that is good enough is in the
    # first such feature.
    W = tables.W_left[:, 0, -1] / units[1]
    best = (gain >= (top - TIE * R / units[0] / units[0] / W)[:, None]).argmax(axis=1)
    feature, rank = best // B, best % B
    n_left, node = tables.n_left, np.arange(M)
    right = n_left[node, feature] > n_left[node, feature, rank][:, None]  # (M, B)
    cuts = Cuts(
        np.where(found, top * W * units[0] * units[0], -np.inf),
        np.where(found, feature, -1),
        rank,
        right.argmax(axis=1),
        np.zeros((M, columns.most_levels), dtype=bool),
    )
    for t in np.flatnonzero(found & (columns.n_levels[feature] > 0)) if place else ():
        chosen = place[feature[t]][t]  # (n_levels,)
        cuts.left_levels[t, : len(chosen)] = (chosen >= 0) & (chosen <= rank[t])
    return cuts


def gains(tables, min_samples_leaf=1):
    """Drop in total impurity by the cut after each bin; (M, p, B), NaN where none may be.

    In units of T**2 / w**2 times the weight of the node, which all its cuts share. The
    formula is that of `treelab.growing.splits`, d**2 * W / (W_left * W_right), which is 0 / 0,
    NaN, where a side is empty.
    """
    L, W_left, n_left = tables.L, tables.W_left, tables.n_left
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
    """Put the levels of each categorical feature in the order of growth, in place.

    The order is that of `treelab.growing.categories.rank_levels`.

    Returns
    -------
    dict
        For each categorical feature, the place of each level in each node, (M, n_levels),
        -1 where the node lacks it.
    """
    T_unit, w_unit = units
    L, W_left, n_left = tables.L, tables.W_left, tables.n_left
    place = {}
    for j in np.flatnonzero(columns.n_levels):
        k = columns.n_levels[j]
        T, w, count = (np.diff(t[:, j, :k], prepend=0) for t in (L, W_left, n_left))
        S, W = T * T_unit, w * w_unit
        score = np.divide(S, W, out=np.full(S.shape, np.inf), where=count > 0)
        score = respect_leaf_size(score, count, W, S, "squared_error", min_samples_leaf)
        order = np.argsort(score, axis=1, kind="stable")
        place[j] = places(score, count > 0)
        for table, part in ((L, T), (W_left, w), (n_left, count)):
            table[:, j, :k] = np.cumsum(np.take_along_axis(part, order, axis=1), axis=1)
    return place
