"""Training data as growth uses them: the order of the values in X, the sums of y and weights."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treelab.fast.growing.criteria import CRITERIA, Criterion
from treelab.fast.tree import pick

__all__ = ["Columns", "Targets"]


@dataclass(frozen=True)
class Columns:
    """Order of the values of each feature in X, without the values themselves."""

    rank: np.ndarray  # (d, n), int32
    values: list  # values[j][rank] is the value; None for a categorical feature
    n_levels: np.ndarray  # (d,), 0 for a numeric feature
    tied: np.ndarray  # (d,), whether two rows may have the same value

    @classmethod
    def of(cls, X, n_levels):
        """Rank every column of `X` (n, d) once for all nodes and trees."""
        rank = np.empty(X.shape[::-1], dtype=np.int32)
        values = []
        for j, levels in enumerate(n_levels):
            column = X[:, j]
            distinct, rank[j] = (None, column) if levels else np.unique(column, return_inverse=True)
            values.append(distinct)
        tied = np.array([v is None or len(v) < len(X) for v in values], dtype=bool)
        return cls(rank, values, np.asarray(n_levels, dtype=int), tied)

    @cached_property
    def most_levels(self):
        """Largest number of categories of a categorical feature, 0 if there is none."""
        return int(self.n_levels.max(initial=0))

    def beside(self, j, rank, next_rank):
        """Return the values of feature j on both sides of splits between ranks."""
        return self.values[j][rank], self.values[j][next_rank]

    def ranks(self, feature, frontier):
        """Return the rank of each position in the features that its node tries; (q, m).

        `feature` is (q, M), or (q, 1) where all nodes try the same features.
        """
        if feature.shape[1] == 1:
            return np.array([pick(self.rank[j], frontier.row) for j in feature[:, 0]])
        cell = frontier.spread(feature * self.rank.shape[1])
        cell += frontier.row
        return pick(self.rank.ravel(), cell)


@dataclass(frozen=True)
class Targets:
    """Targets and weights, prepared for exact sums.

    Sums must not depend on the order in which they are added, or two equal splits could
    differ in their last digit and a forest could depend on how its trees are grouped. So
    targets and weights are rounded to whole multiples of a tiny unit, 2**-52 of their
    total, and added as integers, which is exact. What is smaller than the unit is lost:
    targets that span more than sixteen orders of magnitude want a logarithm first.
    """

    criterion: Criterion
    n_classes: int  # 0 for a number
    y: np.ndarray  # (n,) class codes or numbers
    weight: np.ndarray  # (n,)
    same_weight: float | None  # the weight of every row if all weigh the same
    units: np.ndarray  # (1 + K, n) int64: weights, and weights times the criterion's columns
    unit: np.ndarray  # (1 + K,)
    center: float  # what the columns subtract from y

    @classmethod
    def of(cls, y, weight, criterion, n_classes=0):
        """Prepare targets that are numbers, or codes of `n_classes`; `criterion` is a name."""
        units, unit = _to_units(weight)
        units = np.maximum(units, 1)  # a weight too small to count still has a row
        same = weight[0] if np.all(weight == weight[0]) else None
        targets = cls(CRITERIA[criterion], n_classes, y, weight, same, units[None], [unit], 0.0)
        return targets.with_targets(y)

    def with_targets(self, y):
        """Return other targets with the same weights."""
        columns, center = self.criterion.columns(y, self.weight, self.n_classes)
        units, unit = _to_units(self.weight * columns)
        units = np.concatenate([self.units[:1], units])
        unit = np.append(self.unit[:1], np.full(len(columns), unit))
        return replace(self, y=y, units=units, unit=unit, center=center)

    @cached_property
    def deviation(self):
        """Targets minus their mean; (n,)."""
        return self.y - self.center


def _to_units(amounts):
    """Return amounts as integers, and the unit: a power of two, at most 2**-52 of the total."""
    total = np.abs(amounts).sum()
    unit = 2.0 ** (np.ceil(np.log2(total)) - 52) if total > 0 else 1.0
    return np.rint(amounts / unit).astype(np.int64), unit
