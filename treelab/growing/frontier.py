"""What growth reads of the data, and the open nodes of one depth.

Of X, growth needs the order of the values and nothing else; of y and the weights, sums.
Both are prepared once (`Columns`, `Targets`) and shared by all nodes and all trees. A
`Level` holds the rows of the open nodes of one depth.

Vocabulary
----------
n, p, K : rows, features, target columns; m, M : rows and nodes of the level
place : one of the m rows of the level, which stand grouped by node
row, node : data row, and node of the level, of each place
rank : (p, n) dense ranks of the values of each feature, or codes of its levels
T, w : weighted targets (K, m) and weights (m,) in whole units
S, W : target sums (K, m) and weight (m,) of the node of each place
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treelab.growing.medians import node_medians
from treelab.impurity import CRITERIA
from treelab.tree.arrays import pick, spread

__all__ = ["Columns", "Level", "Targets", "describe"]


@dataclass(frozen=True)
class Columns:
    """What growth reads of X: the order of the values of each feature, not the values."""

    rank: np.ndarray  # (p, n), int32
    values: list  # values[j][rank] is the value; None for a categorical feature
    n_levels: np.ndarray  # (p,), 0 for a numeric feature
    tied: np.ndarray  # (p,), whether two rows may have the same value

    @classmethod
    def of(cls, X, n_levels):
        """Rank every column of `X` (n, p) once, for all nodes and all trees."""
        rank = np.empty(X.shape[::-1], dtype=np.int32)
        values = []
        for j, levels in enumerate(n_levels):
            distinct, inverse = (
                (None, X[:, j]) if levels else np.unique(X[:, j], return_inverse=True)
            )
            rank[j] = inverse
            values.append(distinct)
        tied = np.array([v is None or len(v) < len(X) for v in values], dtype=bool)
        return cls(rank, values, np.asarray(n_levels, dtype=int), tied)

    @cached_property
    def most_levels(self):
        """Levels of the categorical feature that has most of them, 0 if there is none."""
        return int(self.n_levels.max(initial=0))

    @cached_property
    def all_values(self):
        """The distinct values of all numeric features, one feature after the other."""
        return np.concatenate([np.empty(0), *(v for v in self.values if v is not None)])

    @cached_property
    def first_value(self):
        """Where the values of each feature begin among `all_values`; (p,)."""
        length = [0 if v is None else len(v) for v in self.values]
        return np.cumsum(length) - length

    def values_beside(self, feature, rank, next_rank):
        """The last value left and the first one right of cuts between ranks; (M,) both."""
        first = self.first_value[feature]
        return self.all_values[first + rank], self.all_values[first + next_rank]

    def ranks(self, feature, level):
        """Rank of each place in the features that its node tries; (q, m).

        `feature` is (q, M), or (q, 1) where all nodes try the same features.
        """
        if feature.shape[1] == 1:
            return np.array([pick(self.rank[j], level.row) for j in feature[:, 0]])
        cell = level.spread(feature * self.rank.shape[1])
        cell += level.row
        return pick(self.rank.ravel(), cell)


@dataclass(frozen=True)
class Targets:
    """What growth reads of y and the weights.

    Sums must not depend on the order in which they are added, or two equal cuts could
    differ in their last digit and a forest could depend on how its trees are grouped. So
    targets and weights are rounded to whole multiples of a tiny unit, 2**-52 of their
    total, and added as integers, which is exact. What is smaller than the unit is lost:
    targets that span more than sixteen orders of magnitude want a logarithm first.
    """

    criterion: str
    y: np.ndarray  # (n,) class codes or numbers
    weight: np.ndarray  # (n,)
    columns: np.ndarray  # (K, n) int64: classes but the first, or y less its mean; times weight
    units: np.ndarray  # (n,) int64: weights
    column_unit: float
    weight_unit: float
    center: float  # what was subtracted from y in `columns`
    n_classes: int  # 0 for a number
    same_weight: float | None  # the weight of every row if all weigh the same

    @classmethod
    def of(cls, y, weight, criterion, n_classes=0):
        """Targets of class codes (``n_classes`` > 0) or of numbers."""
        units, weight_unit = _to_units(weight)
        units = np.maximum(units, 1)  # a weight too small to count still has a row
        same = weight[0] if np.all(weight == weight[0]) else None
        # The first class is what the others leave of the weight.
        columns, column_unit = _to_units(weight * (y == np.arange(1, n_classes)[:, None]))
        targets = cls(
            criterion, y, weight, columns, units, column_unit, weight_unit, 0.0, n_classes, same
        )
        return targets if n_classes else targets.with_numbers(y)

    def with_numbers(self, y):
        """Other numbers with the same weights."""
        center = (self.weight * y).sum() / self.weight.sum()
        columns, unit = _to_units((self.weight * (y - center))[None])
        return replace(self, y=y, columns=columns, column_unit=unit, center=center)

    @cached_property
    def deviation(self):
        """Numbers less their mean; (n,)."""
        return self.y - self.center


def _to_units(amounts):
    """Amounts as integers, and the unit: a power of two, 2**-52 of the total or less."""
    total = np.abs(amounts).sum()
    unit = 2.0 ** (np.ceil(np.log2(total)) - 52) if total > 0 else 1.0
    return np.rint(amounts / unit).astype(np.int64), unit


class Level:
    """The open nodes of one depth, and their rows, grouped by node.

    `above` is the parent of each node, numbered within the level before; None for roots.
    """

    def __init__(self, targets, row, node, copies=None, above=None, size=None):
        self.targets, self.row, self.node, self.copies = targets, row, node, copies
        self.above = above
        self.size = np.bincount(node) if size is None else size  # (M,)
        self.last = np.cumsum(self.size) - 1  # (M,) the last place of each node
        self.start = self.last - self.size + 1

    @cached_property
    def T(self):
        """Weighted targets of each place; (K, m), whole units."""
        T = pick(self.targets.columns, self.row)
        return T if self.copies is None else T * self.copies

    @cached_property
    def w(self):
        """Weight of each place; (m,), whole units."""
        w = pick(self.targets.units, self.row)
        return w if self.copies is None else w * self.copies

    @cached_property
    def sort_base(self):
        """Node and place of each place, packed around room for a rank, and the bits of a place.

        None where they do not fit into 63 bits. A rank is smaller than n, the number of rows.
        """
        bits, n = len(self.row).bit_length(), len(self.targets.y)
        if (len(self.size) * n).bit_length() + bits > 63:
            return None, bits
        return (self.node * n << bits) + np.arange(len(self.row)), bits

    def spread(self, per_node):
        """An amount of each node, (..., M), repeated for each of its places; (..., m)."""
        return spread(per_node, self.node, self.size)

    def total(self, amount):
        """Sum of an amount of each place, (m,), over each node; (M,).

        The digits of a node's sum must not depend on the other nodes, so the choice does not
        either: stretches are long without copies, and short in a forest of bootstrap samples.
        """
        if self.copies is None:
            return np.add.reduceat(amount, self.start)
        return np.bincount(self.node, amount)

    @cached_property
    def T_total(self):
        """Sum of T over each node; (K, M), whole units."""
        return np.diff(pick(np.cumsum(self.T, axis=1), self.last), prepend=0)

    @cached_property
    def w_total(self):
        """Sum of w over each node; (M,), whole units."""
        return np.diff(np.cumsum(self.w)[self.last], prepend=0)

    @cached_property
    def T_before(self):
        """Sum of T over the nodes before the node of each place; (K, m), whole units."""
        return self.spread(np.cumsum(self.T_total, axis=1) - self.T_total)

    @cached_property
    def w_before(self):
        """Weight of the nodes before the node of each place; (m,), whole units."""
        return self.spread(np.cumsum(self.w_total) - self.w_total)

    @cached_property
    def n_left(self):
        """Rows of the node up to each place, itself included; (m,)."""
        return np.arange(1, len(self.row) + 1) - self.spread(self.start)

    @cached_property
    def n_right(self):
        """Rows of the node after each place; (m,)."""
        return self.spread(self.size) - self.n_left

    @cached_property
    def W(self):
        """Weight of the node of each place; (m,)."""
        return self.spread(self.w_total * self.targets.weight_unit)

    @cached_property
    def S(self):
        """Target sums of the node of each place; (K, m)."""
        return self.spread(self.T_total * self.targets.column_unit)

    @cached_property
    def mean(self):
        """Target means of the node of each place; (K, m)."""
        total = self.T_total * self.targets.column_unit
        return self.spread(total / (self.w_total * self.targets.weight_unit))

    @property
    def same_weight(self):
        """The weight of every place if all rows weigh the same, else None."""
        return self.targets.same_weight if self.copies is None else None

    @cached_property
    def constant_weight(self):
        """Weight left of each place where all rows weigh the same, (m,); else None."""
        if np.any(self.w != self.w[0]):
            return None
        return self.n_left * (self.w[0] * self.targets.weight_unit)

    def weight_left(self, order):
        """Weight left of the cut after each place of `order`; (q, m), or (m,) if all agree."""
        if self.constant_weight is not None:
            return self.constant_weight
        total = np.cumsum(pick(self.w, order), axis=-1)
        total -= self.w_before
        return total * self.targets.weight_unit

    def balance(self, order):
        """What L would be if the targets were spread evenly, and W / (W_left * W_right).

        Shapes (K, q, m) and (q, m); without q where all rows weigh the same, which is
        worked out once.
        """
        if self.constant_weight is None:
            return self._balance(self.weight_left(order))
        return self._constant_balance

    @cached_property
    def _constant_balance(self):
        return self._balance(self.constant_weight)

    def _balance(self, W_left):
        with np.errstate(divide="ignore"):  # nothing is right of a node's last place
            product = self.W - W_left
            product *= W_left
            return [W_left * mean for mean in self.mean], np.divide(self.W, product, out=product)

    def sums_left(self, k, order):
        """Sum of target column k left of the cut after each place of `order`; (q, m)."""
        total = np.cumsum(pick(self.T[k], order), axis=-1)
        total -= self.T_before[k]
        return total * self.targets.column_unit

    def only(self, nodes):
        """The level with `nodes` (ascending) alone."""
        number = np.full(len(self.size), -1)
        number[nodes] = np.arange(len(nodes))
        keep = np.flatnonzero(number[self.node] >= 0)
        copies = None if self.copies is None else self.copies[keep]
        return Level(self.targets, self.row[keep], number[self.node[keep]], copies)

    @cached_property
    def is_pure(self):
        """True for the nodes whose targets are all the same; shape (M,)."""
        first = self.first_y
        pure = first == self.targets.y[self.row[self.last]]
        doubtful = pure & (self.size > 2)
        if not doubtful.any():
            return pure
        doubtful = np.flatnonzero(self.spread(doubtful))
        node = pick(self.node, doubtful)
        pure[node[pick(self.y, doubtful) != pick(first, node)]] = False
        return pure

    @cached_property
    def first_y(self):
        """Target of the first row of each node; (M,)."""
        return self.targets.y[self.row[self.start]]

    @cached_property
    def y(self):
        """Target of each place; (m,)."""
        return pick(self.targets.y, self.row)


def describe(level):
    """Value, impurity and weight of every node: (M, 1, n_outputs), (M,), (M,)."""
    targets, M = level.targets, len(level.size)
    w = level.same_weight
    if w is None:
        w = pick(targets.weight, level.row)
        w = w if level.copies is None else w * level.copies
        weight = level.total(w)
    else:
        weight = level.size * w
    if targets.n_classes:
        cell = level.node * targets.n_classes + level.y
        w = np.broadcast_to(w, cell.shape)
        sums = np.bincount(cell, w, M * targets.n_classes).reshape(M, -1)
        return (sums / weight[:, None])[:, None], CRITERIA[targets.criterion](sums), weight
    if targets.criterion == "absolute_error":
        value, impurity = node_medians(level)
    else:
        deviation = pick(targets.deviation, level.row)
        mean = _node_means(level, deviation, w, weight)
        value = np.where(level.is_pure, level.first_y, targets.center + mean)
        deviation -= level.spread(mean)
        deviation *= deviation
        impurity = np.where(level.is_pure, 0.0, _node_means(level, deviation, w, weight))
    return value[:, None, None], impurity, weight


def _node_means(level, amount, w, weight):
    """Mean of an amount of each place, weighted by `w`, over each node; (M,)."""
    if level.same_weight is not None:
        return level.total(amount) / level.size
    return level.total(amount * w) / weight
