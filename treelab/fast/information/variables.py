"""Entropies of one variable and of two, of many columns with one at a time.

Vocabulary
----------
variable : the levels of the rows, any hashable values; a float's every value is a level
gap : a missing value
counts : how many rows have each pair of levels, those of several variables below each other
T : number of levels of the target, and one for its gaps
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import xlogy
from sklearn.utils.validation import check_consistent_length

__all__ = [
    "GAPS",
    "Levels",
    "bits_of",
    "entropy_of",
    "information_of",
    "mutual_information",
    "symmetrical_uncertainty",
    "uncertainty_of",
]

GAPS = ("error", "share", "level", "pairs")
CELLS = 2**18  # counts that are made at a time
MOST_CELLS = 2**26  # of one pair of variables
NOTHING = 1e-12  # bits; less is what rounding leaves of 0


# --- one variable, two variables --------------------------------------------------------


def entropy_of(a, b=None, *, missing="error"):
    """Entropy H(a) of a variable in bits, or of the pairs of levels of two, H(a, b); float >= 0.

    The mean number of yes-or-no questions that name the level of a row, in the best code. The
    shares of the rows stand for probabilities (Cover and Thomas 2006, equations 2.1 and 2.8).

    Parameters
    ----------
    a : array-like of shape (n_rows,)
        Levels: text, numbers, truth values.
    b : array-like of shape (n_rows,), default=None
        A second variable of the same rows.
    missing : {"error", "share", "level", "pairs"}, default="error"
        What a gap is: a ValueError; a row that counts for every level, by their shares, as in
        Weka; a level of its own; or a row that is left out (of this pair alone).

    Examples
    --------
    >>> entropy_of(["red", "red", "green", "brown"])
    1.5
    >>> entropy_of([0, 0, 1, 1], [0, 1, 0, 1])
    2.0
    """
    if b is None:
        return float(_pair(a, None, missing)[0])
    return float(_pair(a, b, missing)[2])


def mutual_information(a, b, *, missing="error"):
    """What two variables tell about each other, I = H(a) + H(b) - H(a, b), in bits; float >= 0.

    The information gain of ID3, where `b` is the class (Cover and Thomas 2006, equation 2.45). Of
    few rows it is too large: two variables that know nothing of each other share about
    (levels of a - 1) (levels of b - 1) / (2 n ln 2) bits (Miller 1955).

    Parameters
    ----------
    a, b, missing
        As in `entropy_of`; both are needed, and the order makes no difference.

    Examples
    --------
    >>> mutual_information([0, 0, 1, 1], ["x", "x", "y", "y"])
    1.0
    >>> mutual_information([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    return float(information_of(*_pair(a, b, missing)))


def symmetrical_uncertainty(a, b, *, missing="error"):
    """Mutual information as a share of both entropies, 2 I / (H(a) + H(b)); float from 0 to 1.

    1 where each variable tells the other; 0 where they know nothing of each other, and where
    neither has two levels (Press et al. 1988, section on contingency tables; Yu and Liu 2003).

    Parameters
    ----------
    a, b, missing
        As in `mutual_information`.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> [round(symmetrical_uncertainty(X[name], y), 4) for name in X]
    [0.196, 0.1565, 0.05]
    """
    return float(uncertainty_of(*_pair(a, b, missing)))


def _pair(a, b, missing):
    """H(a), H(b), H(a, b) of two variables."""
    codes = [_codes_of(v, name) for v, name in ((a, "a"), (b, "b")) if v is not None]
    check_consistent_length(*codes)
    if not len(codes[0]):
        raise ValueError("a must have at least one row.")
    levels = Levels(np.column_stack(codes))
    return [H[0] for H in levels.entropies(len(codes) - 1, [0], missing)]


def _codes_of(variable, name):
    """Codes of the levels of a variable, -1 for a gap; (n_rows,)."""
    if np.ndim(variable) != 1:
        raise ValueError(f"{name} must have one dimension, got {np.ndim(variable)}.")
    values = pd.Series(variable)  # and not an array, which would turn a list's NaN into text
    return pd.factorize(values)[0]


def _check_gaps(missing, has_gaps):
    if missing not in GAPS:
        raise ValueError(f"missing must be one of {list(GAPS)}, got {missing!r}.")
    if has_gaps and missing == "error":
        raise ValueError(
            "There are missing values (NaN or None). Say what they are: missing='share', 'level' "
            "or 'pairs'."
        )


def information_of(a, b, both):
    """I from the entropies H(a), H(b), H(a, b), arrays of any shape; 0 where it is rounding alone.

    >>> information_of(1.0, 1.0, 1.5).tolist()
    0.5
    """
    bits = np.add(a, b) - both
    return np.where(bits > NOTHING, bits, 0.0)


def uncertainty_of(a, b, both):
    """SU from the same three entropies.

    >>> uncertainty_of(1.0, 1.0, 1.5).tolist()
    0.5
    """
    total = np.add(a, b)
    bits = 2 * information_of(a, b, both)
    return np.divide(bits, total, out=np.zeros_like(bits), where=total > 0)


# --- many variables at once -------------------------------------------------------------


@dataclass(frozen=True)
class Levels:
    """A table of levels, and the entropies of its columns with any one of them.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows, n_columns)
        Number of each row's level, -1 for a gap.

    Examples
    --------
    >>> levels = Levels(np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]))
    >>> levels.uncertainties(0, [1, 2]).tolist()
    [1.0, 0.0]
    """

    codes: np.ndarray

    @cached_property
    def has_gaps(self):
        """Whether each column has gaps; (n_columns,)."""
        return (self.codes < 0).any(axis=0)

    @cached_property
    def n_levels(self):
        """Number of levels of each column, the gaps not counted; (n_columns,)."""
        return self.codes.max(axis=0) + 1

    @cached_property
    def _with_gap(self):
        """Codes by columns, the gaps as one level more, the last; (n_columns, n_rows)."""
        codes = np.ascontiguousarray(self.codes.T, dtype=np.intp)
        return np.where(codes < 0, self.n_levels[:, None], codes)

    def uncertainties(self, target, columns, missing="error"):
        """Symmetrical uncertainty of column `target` with each of the `columns`; (n,)."""
        return uncertainty_of(*self.entropies(target, columns, missing))

    def entropies(self, target, columns, missing="error"):
        """H of each of the `columns`, of column `target`, and of both; three arrays (n,).

        Parameters
        ----------
        target : int
        columns : list of int
        missing : {"error", "share", "level", "pairs"}, default="error"
            As in `entropy_of`.
        """
        columns, T = np.asarray(columns, dtype=np.intp), int(self.n_levels[target]) + 1
        gaps = self.has_gaps[target] or self.has_gaps[columns].any()
        _check_gaps(missing, gaps)
        cells = (self.n_levels[columns] + 1) * T
        if len(columns) > 1 and cells.sum() > CELLS:
            part = np.cumsum(cells) // CELLS  # columns whose counts fit together
            parts = [columns[part == i] for i in np.unique(part)]
            parts = parts if len(parts) > 1 else np.array_split(columns, 2)
            found = [self.entropies(target, some, missing) for some in parts]
            return [np.concatenate(each) for each in zip(*found)]
        if cells.max() > MOST_CELLS:
            raise ValueError(
                f"Two variables have {T - 1} and {self.n_levels[columns].max()} levels: too many "
                "pairs to count. Cut numbers into bins, and leave out what only names the rows."
            )
        first = np.concatenate([[0], np.cumsum(self.n_levels[columns] + 1)])  # rows of counts
        cell = (self._with_gap[columns] + first[:-1, None]) * T + self._with_gap[target]
        counts = np.bincount(cell.ravel(), minlength=first[-1] * T).reshape(-1, T).astype(float)
        if gaps and missing != "level":
            counts = _deal(counts, first, share=missing == "share")
        starts = first[:-1]
        n = np.add.reduceat(counts.sum(axis=1), starts)
        of_column = np.add.reduceat(bits_of(counts.sum(axis=1)), starts)
        of_target = bits_of(np.add.reduceat(counts, starts, axis=0)).sum(axis=1)
        of_both = np.add.reduceat(bits_of(counts).sum(axis=1), starts)
        return [_entropy(part, n) for part in (of_column, of_target, of_both)]


def bits_of(counts):
    """c log2 c of each count c; ndarray of the same shape."""
    return xlogy(counts, counts) / np.log(2)


def _entropy(part, n):
    """H = log2 n - (sum of c log2 c) / n, 0 where rounding alone is left."""
    H = np.log2(n, out=np.zeros_like(n), where=n > 0)
    H -= np.divide(part, n, out=np.zeros_like(n), where=n > 0)
    return np.where(H > NOTHING, H, 0.0)


def _deal(counts, first, share):
    """Counts without gaps: left out, or dealt to the levels by their shares.

    A row whose level is unknown in one variable counts for each level by the level's share of the
    known rows; one that is unknown in both, for each pair by the pair's share. Where a variable
    is known in no row, its gaps stay a level (Weka's attribute evaluators).

    Parameters
    ----------
    counts : ndarray of shape (n_levels in all, T)
        The last row of each variable and the last column are gaps.
    first : ndarray of int, shape (n_variables + 1,)
        Where each variable begins.
    share : bool
    """
    starts, last = first[:-1], first[1:] - 1
    known = counts.copy()
    known[last], known[:, -1] = 0, 0
    if not share:
        return known
    of = np.repeat(np.arange(len(starts)), np.diff(first))  # variable of each row of counts
    by_row, by_column = counts.sum(axis=1), np.add.reduceat(counts, starts, axis=0)
    n, both = counts[: first[1]].sum(), counts[last, -1]
    lost_row, lost_column = by_row[last], by_column[:, -1].copy()
    n_known = n - lost_row - lost_column + both
    by_row[last], by_column[:, -1] = 0, 0
    with np.errstate(divide="ignore", invalid="ignore"):
        dealt = known.copy()
        dealt += (by_row / (n - lost_row)[of])[:, None] * counts[last][of]
        dealt += counts[:, -1:] * (by_column / (n - lost_column)[:, None])[of]
        dealt += known * np.where(n_known > 0, both / n_known, 0.0)[of, None]
    dealt[last], dealt[:, -1] = 0, 0
    dealt[last, -1] = np.where(n_known > 0, 0.0, both)
    unknown = (lost_row == n) | (lost_column == n)
    return np.where(unknown[of, None], counts, dealt)
