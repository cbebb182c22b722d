"""What growth reads: the rules, and the training data as one table of floats.

Vocabulary
----------
table : level codes and numbers, NaN where unknown
rules : the switches of `C45Classifier`, as growth reads them
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

__all__ = ["Rules", "Training"]

MANY = 0.3  # an attribute with this many levels per training row has "many" levels


@dataclass(frozen=True)
class Rules:
    """The rules of growth, named as `C45Classifier`'s parameters."""

    criterion: str = "gain_ratio"
    min_samples_leaf: float = 2
    average_gain: bool = True
    mdl_correction: bool = True
    cut: str = "data"
    boundary_only: bool = False
    adaptive_min_leaf: bool = True


@dataclass(frozen=True)
class Training:
    """The training data as growth reads them.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_features)
        Level codes and numbers, NaN where unknown.
    y : ndarray of int, shape (n_rows,)
        Class codes.
    n_classes : int
    n_levels : list of int
        Number of declared levels of each feature, 0 for a numeric one.
    n_rows : int
        Rows of the whole training set, held-out ones included.
    values : dict of int to ndarray
        The sorted distinct known numbers of each numeric feature in the whole training set.
    """

    table: np.ndarray
    y: np.ndarray
    n_classes: int
    n_levels: list
    n_rows: int
    values: dict

    @classmethod
    def of(cls, table, y, n_classes, n_levels):
        """Training data whose whole training set is `table`."""
        values = {
            j: np.unique(table[~np.isnan(table[:, j]), j])
            for j, levels in enumerate(n_levels)
            if not levels
        }
        return cls(table, y, n_classes, n_levels, len(table), values)

    @cached_property
    def numeric(self):
        """Columns of the numeric features."""
        return np.flatnonzero(np.equal(self.n_levels, 0))

    @cached_property
    def nominal(self):
        """Columns of the nominal features."""
        return np.flatnonzero(self.n_levels)

    @cached_property
    def first_level(self):
        """Where each nominal feature begins when all levels stand in one row."""
        return np.cumsum([0, *np.array(self.n_levels)[self.nominal]])[:-1]

    @cached_property
    def all_levels(self):
        """Place of each row's level in that row of levels, its end where unknown."""
        place = self.table[:, self.nominal] + self.first_level
        return np.where(np.isnan(place), sum(self.n_levels), place).astype(np.intp)

    def sums(self, rows, w):
        """Weight of each class among `rows`; shape (n_classes,)."""
        return np.bincount(self.y[rows], w, minlength=self.n_classes)

    def many(self, j):
        """Whether feature `j` has many levels for so few rows."""
        return self.n_levels[j] >= MANY * self.n_rows > 0
