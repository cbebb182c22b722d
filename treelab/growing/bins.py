"""Few bins instead of many values.

A feature with ten thousand values has ten thousand cuts, most of them as good as their
neighbours. Put its values into at most 255 bins of about as many rows each, and only the
edges between bins remain as cuts. To growth, bins are ranks with many ties: `Bins` is a
`Columns` whose rank is the number of the bin, and every search works on it unchanged.

Vocabulary
----------
n, p, B : rows, features, bins that each feature has room for
bin : run of neighbouring values of a feature; a level of a categorical feature is one
value : distinct value of a feature
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treelab.growing.frontier import Columns

__all__ = ["MAX_BINS", "Bins"]

MAX_BINS = 255


@dataclass(frozen=True)
class Bins(Columns):
    """Bins of the values of each feature, in the place of ranks.

    Parameters
    ----------
    rank : ndarray of int32, shape (p, n)
        Bin of each row, or code of its level.
    values : list of ndarray or None
        Largest value of each bin of each numeric feature.
    n_levels, tied
        As in `treelab.growing.frontier.Columns`.
    smallest : list of ndarray or None
        Smallest value of each bin of each numeric feature.
    """

    smallest: list

    @classmethod
    def of(cls, columns, max_bins=MAX_BINS):
        """Bins of features that have been ranked.

        A feature with at most `max_bins` values has a bin for each. The values of any other
        are cut at equal steps of the rows' count: a value belongs to the bin in which the
        middle one of its rows falls. A value with many rows may so leave bins empty, which
        are dropped. Weights play no part. A categorical feature keeps its levels, however many.

        Parameters
        ----------
        columns : treelab.growing.frontier.Columns
            Ranks of the values of p features in n rows.
        max_bins : int, default=255
            At least 2.

        Returns
        -------
        Bins

        Raises
        ------
        ValueError
            If `max_bins` is less than 2.

        Examples
        --------
        >>> import numpy as np
        >>> from treelab.growing.frontier import Columns
        >>> X = np.array([[1.0], [2.0], [3.0], [4.0], [8.0], [9.0]])
        >>> bins = Bins.of(Columns.of(X, [0]), max_bins=3)
        >>> bins.rank.tolist()
        [[0, 0, 1, 1, 2, 2]]
        >>> bins.smallest[0].tolist(), bins.values[0].tolist()
        ([1.0, 3.0, 8.0], [2.0, 4.0, 9.0])
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
        tied = np.array(
            [v is None or len(v) < rank.shape[1] for v in largest],
            dtype=bool,
        )
        return cls(rank, largest, columns.n_levels, tied, smallest)

    @cached_property
    def n_bins(self):
        """B, the bins or levels of the feature that has most of them; at least 1."""
        return max([1, *self.n_levels, *(len(v) for v in self.values if v is not None)])

    @cached_property
    def cells(self):
        """The bin of each row in each feature, numbered through all features; (p, n)."""
        return self.rank.astype(int) + np.arange(len(self.rank))[:, None] * self.n_bins

    @cached_property
    def n_left(self):
        """Rows up to each bin of each feature; (p, B)."""
        count = [np.bincount(bin_, minlength=self.n_bins) for bin_ in self.rank]
        return np.cumsum(count, axis=1, dtype=float)

    @cached_property
    def all_smallest(self):
        """The smallest values of all bins, one feature after the other."""
        return np.concatenate([np.empty(0), *(v for v in self.smallest if v is not None)])

    def values_beside(self, feature, rank, next_rank):
        """The last value left of cuts between bins of features, and the first one right; (2, M)."""
        first = self.first_value[feature]
        return self.all_values[first + rank], self.all_smallest[first + next_rank]


def equal_bins(count, max_bins):
    """Runs of neighbouring values that hold about the same number of rows.

    Parameters
    ----------
    count : ndarray of int, shape (n_values,)
        Rows of each value, in the order of the values.
    max_bins : int

    Returns
    -------
    first : ndarray of int, shape (n_bins,)
        First value of each bin.
    bin_ : ndarray of int, shape (n_values,)
        Bin of each value.
    """
    twice_middle = 2 * np.cumsum(count) - count  # twice the rows before the middle of a value
    step = twice_middle * max_bins // (2 * count.sum())
    first = np.flatnonzero(np.diff(step, prepend=-1))
    return first, np.repeat(np.arange(len(first)), np.diff(first, append=len(count)))
