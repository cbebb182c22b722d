"""Entropies of one variable and of pairs, for many columns with one at a time.

Vocabulary
----------
variable : the levels of the rows, any hashable values; a float's every value is a level
missing : without a value in a row
counts : how many rows have each pair of levels, those of several variables below each other
T : number of levels of the target, and one for its missing values
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import xlogy
from sklearn.utils.validation import check_consistent_length

from treelab.fast.inputs import OneOf
from treelab.fast.tolerances import CLOSE

__all__ = [
    "MISSING",
    "Levels",
    "bits_of",
    "entropy_of",
    "information_of",
    "mutual_information",
    "symmetrical_uncertainty",
    "uncertainty_of",
]

MISSING = ("error", "share", "level", "pairs")
CELLS = 2**18  # counts that are made at a time
MOST_CELLS = 2**26  # of one pair of variables


# --- one variable, two variables --------------------------------------------------------


def entropy_of(a, b=None, *, missing="error"):
    """Return the entropy H(a) of a variable in bits, or that of pairs, H(a, b); float >= 0.

    The mean number of yes-or-no questions that name the level of a row, in the best code. The
    shares of the rows stand for probabilities (Cover and Thomas 2006, equations 2.1 and 2.8).

    Parameters
    ----------
    a : array-like of shape (n_rows,)
        Levels: text, numbers, truth values.
    b : array-like of shape (n_rows,), default=None
        A second variable of the same rows.
    missing : {"error", "share", "level", "pairs"}, default="error"
        Treatment of a missing value: a ValueError; a row that counts for every level, by their
        shares, as in Weka; a level of its own; or a row that is left out (of this pair alone).

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
    """Return the mutual information, H(a) + H(b) - H(a, b), in bits; float >= 0.

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
    """Return mutual information relative to both entropies, 2 I / (H(a) + H(b)); float in [0, 1].

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
    """Return H(a), H(b), H(a, b) of two variables."""
    codes = [_codes_of(v, name) for v, name in ((a, "a"), (b, "b")) if v is not None]
    check_consistent_length(*codes)
    if not len(codes[0]):
        raise ValueError("a must have at least one row.")
    levels = Levels(np.column_stack(codes))
    return [H[0] for H in levels.entropies(len(codes) - 1, [0], missing)]


def _codes_of(variable, name):
    """Return the codes of the levels of a variable, -1 for a missing value; (n_rows,)."""
    if np.ndim(variable) != 1:
        raise ValueError(f"{name} must have one dimension, got {np.ndim(variable)}.")
    values = pd.Series(variable)  # and not an array, which would turn a list's NaN into text
    return pd.factorize(values)[0]


def _check_missing(missing, has_missing):
    OneOf(*MISSING).check("missing", missing)
    if has_missing and missing == "error":
        raise ValueError(
            "There are missing values (NaN or None). Say what they are: missing='share', 'level' "
            "or 'pairs'."
        )


def information_of(a, b, both):
    """Return I from H(a), H(b), H(a, b), arrays of any shape; 0 where only rounding is left.

    >>> information_of(1.0, 1.0, 1.5).tolist()
    0.5
    """
    bits = np.add(a, b) - both
    return np.where(bits > CLOSE, bits, 0.0)


def uncertainty_of(a, b, both):
    """Return SU from the same three entropies.

    >>> uncertainty_of(1.0, 1.0, 1.5).tolist()
    0.5
    """
    total = np.add(a, b)
    bits = 2 * information_of(a, b, both)
    return np.divide(bits, total, out=np.zeros_like(bits), where=total > 0)


# --- many variables at once -------------------------------------------------------------


@dataclass(frozen=True)
class Levels:
    """Table of levels, with the entropies of its columns paired with any one of them.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows, n_columns)
        Number of each row's level, -1 for a missing value.

    Examples
    --------
    >>> levels = Levels(np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]))
    >>> levels.uncertainties(0, [1, 2]).tolist()
    [1.0, 0.0]
    """

    codes: np.ndarray

    @cached_property
    def has_missing(self):
        """Whether each column has missing values; (n_columns,)."""
        return (self.codes < 0).any(axis=0)

    @cached_property
    def n_levels(self):
        """Number of levels of each column, without missing values; (n_columns,)."""
        return self.codes.max(axis=0) + 1

    @cached_property
    def _with_missing(self):
        """Codes by columns, missing values as one additional level; (n_columns, n_rows)."""
        codes = np.ascontiguousarray(self.codes.T, dtype=np.intp)
        return np.where(codes < 0, self.n_levels[:, None], codes)

    def uncertainties(self, target, columns, missing="error"):
        """Return the symmetrical uncertainty of column `target` with each of `columns`; (n,)."""
        return uncertainty_of(*self.entropies(target, columns, missing))

    def entropies(self, target, columns, missing="error"):
        """Return H of each of the `columns`, of column `target`, and of both; three arrays (n,).

        Parameters
        ----------
        target : int
        columns : list of int
        missing : {"error", "share", "level", "pairs"}, default="error"
            As in `entropy_of`.
        """
        columns, T = np.asarray(columns, dtype=np.intp), int(self.n_levels[target]) + 1
        missing_values = self.has_missing[target] or self.has_missing[columns].any()
        _check_missing(missing, missing_values)
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
        cell = (self._with_missing[columns] + first[:-1, None]) * T + self._with_missing[target]
        counts = np.bincount(cell.ravel(), minlength=first[-1] * T).reshape(-1, T).astype(float)
        if missing_values and missing != "level":
            counts = _distribute(counts, first, share=missing == "share")
        starts = first[:-1]
        n = np.add.reduceat(counts.sum(axis=1), starts)
        of_column = np.add.reduceat(bits_of(counts.sum(axis=1)), starts)
        of_target = bits_of(np.add.reduceat(counts, starts, axis=0)).sum(axis=1)
        of_both = np.add.reduceat(bits_of(counts).sum(axis=1), starts)
        return [_entropy(part, n) for part in (of_column, of_target, of_both)]


def bits_of(counts):
    """Return c log2 c of each count c; ndarray of the same shape."""
    return xlogy(counts, counts) / np.log(2)


def _entropy(part, n):
    """Return H = log2 n - (sum of c log2 c) / n, 0 where only rounding is left."""
    H = np.log2(n, out=np.zeros_like(n), where=n > 0)
    H -= np.divide(part, n, out=np.zeros_like(n), where=n > 0)
    return np.where(H > CLOSE, H, 0.0)


def _distribute(counts, first, share):
    """Return counts without missing values: left out, or distributed over the levels.

    A row whose level is unknown in one variable counts for each level by the level's share of the
    known rows; one that is unknown in both, for each pair by the pair's share. Where a variable
    is known in no row, its missing values stay a level (Weka's attribute evaluators).

    Parameters
    ----------
    counts : ndarray of shape (n_levels in all, T)
        The last row of each variable and the last column are missing values.
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
        distributed = known.copy()
        distributed += (by_row / (n - lost_row)[of])[:, None] * counts[last][of]
        distributed += counts[:, -1:] * (by_column / (n - lost_column)[:, None])[of]
        distributed += known * np.where(n_known > 0, both / n_known, 0.0)[of, None]
    distributed[last], distributed[:, -1] = 0, 0
    distributed[last, -1] = np.where(n_known > 0, 0.0, both)
    unknown = (lost_row == n) | (lost_column == n)
    return np.where(unknown[of, None], counts, distributed)
