"""Correlation-based feature selection (CFS): relevant features that are not redundant.

The merit of k features is k r_cf / sqrt(k + k (k - 1) r_ff), with r_cf their mean uncertainty
with the class and r_ff their mean uncertainty with each other. A search looks for the set with
the largest merit: always from the best set not yet expanded (best first), one feature at a time
(forward), or among all sets (exhaustive).

Vocabulary
----------
relevance : symmetrical uncertainty of a feature and the class; r_cf, its mean over a set
redundancy : symmetrical uncertainty of two features; r_ff, its mean over the pairs of a set
expand : evaluate all sets with one additional feature; it is stale if none of them is better
total : the redundancies of all ordered pairs of a set, each feature with itself (1) included
"""

import heapq
import numbers
from dataclasses import KW_ONLY, dataclass
from itertools import combinations, count

import numpy as np
import pandas as pd

from treelab.fast.inputs import Number, OneOf, parameter
from treelab.fast.selection.base import LevelSelector, from_best
from treelab.fast.tolerances import CLOSE

__all__ = ["CFSSelector", "Pairs", "merit", "merit_table", "uncertainty_table"]

MOST = 20  # features whose subsets are all looked at
WEKA_CLOSE = 1e-6  # uncertainties below are 0 for Weka
WEKA_BETTER = 1e-5  # what a set must be better by for Weka's best-first search


def merit(relevance, redundancy):
    """Compute the merit of a set of features (Hall 2000); float, 0 for the empty set.

    Parameters
    ----------
    relevance : array-like of shape (k,)
        Uncertainty of each feature of the set with the class.
    redundancy : array-like of shape (k, k)
        Uncertainty of each pair; the diagonal is not read.

    Examples
    --------
    >>> round(merit([0.196, 0.157], [[1, 0.016], [0.016, 1]]), 3)
    0.248
    """
    relevance, redundancy = np.asarray(relevance, float), np.asarray(redundancy, float)
    k = relevance.size
    if not k:
        return 0.0
    if relevance.shape != (k,) or redundancy.shape != (k, k):
        raise ValueError(
            "relevance must have shape (k,) and redundancy (k, k), got shapes "
            f"{relevance.shape} and {redundancy.shape}."
        )
    return float(relevance.sum() / np.sqrt(k + redundancy.sum() - np.trace(redundancy)))


@dataclass(eq=False, repr=False)
class CFSSelector(LevelSelector):
    """Select the set of features with the largest merit, relevant and not redundant.

    Parameters
    ----------
    search : {"best_first", "forward", "exhaustive"}, default="best_first"
        "exhaustive" takes 20 features at most.
    max_stale : int, default=5
        Best first ends after so many expansions in a row without a better set.
    locally_predictive : bool, default=False
        Whether each feature, the most relevant first, is added at the end if its uncertainty with
        the class is at least that with any selected feature.
    convention : {"formula", "weka"}, default="formula"
        "weka" follows Weka: an uncertainty of 0 between two features counts as 1, uncertainties
        have 32 bits, and in best first a set must be better by 1e-5, a set that is found again is
        expanded again, and only the `max_stale` best of those that wait are remembered.
    missing, discretize, categorical_features, task, n_bins
        As in `FilterSelector`; a regression target is cut into bins.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    merit_ : float
        Merit of the selected features.
    relevance_ : ndarray of shape (n_features,)
    cuts_, task_, target_cuts_
        As in `FilterSelector`.

    Notes
    -----
    Ties go to the smaller set, then to the one with the first features. `steps_table` has a row
    for each expansion, with the best set that it found (``better`` if it is the best so far), or in
    an exhaustive search for the best set of each size; then, if `locally_predictive`, for each
    remaining feature (``better`` if it is added).

    References
    ----------
    Hall (2000), Correlation-based feature selection for discrete and numeric class learning.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> cfs = CFSSelector(search="forward").fit(X, y)
    >>> cfs.get_feature_names_out().tolist(), round(cfs.merit_, 4)
    (['color', 'size'], 0.2473)
    >>> cfs.steps_table()[["feature", "relevance", "redundancy", "merit", "better"]].round(3)
      feature  relevance  redundancy  merit  better
    0   color      0.196       0.000  0.196    True
    1    size      0.176       0.016  0.247    True
    2   spots      0.134       0.007  0.231   False
    """

    search: str = parameter("best_first", OneOf("best_first", "forward", "exhaustive"))
    _: KW_ONLY
    max_stale: int = parameter(5, Number(numbers.Integral, 1))
    locally_predictive: bool = False
    convention: str = parameter("formula", OneOf("formula", "weka"))

    def fit(self, X, y):
        """Search the sets of features of `X` (n_rows, n_features) for `y`, and return self."""
        levels = self._read_levels(X, y)
        pairs = Pairs(levels, self.missing, self._feature_names(), self.convention == "weka")
        find = all_sets if self.search == "exhaustive" else self._best_first
        best, self.steps_ = find(pairs)
        if self.locally_predictive:
            best, rows = locally_predictive(pairs, best)
            self.steps_ = self.steps_ + rows
        self.relevance_, self.merit_ = pairs.relevance, pairs.row(best)["merit"]
        self.support_ = np.isin(np.arange(pairs.n_features), list(best))
        return self

    def _best_first(self, pairs):
        """Return the best set found, and a row for each expansion.

        Forward search is the same with one stale expansion: from the best set or not at all.
        """
        weka, forward = self.convention == "weka", self.search == "forward"
        least = WEKA_BETTER if weka and not forward else CLOSE
        max_stale = 1 if forward else self.max_stale
        best, most, stale, rows = frozenset(), 0.0, 0, []
        order, seen = count(), set()
        waiting = [(0.0, next(order), best)]  # a heap: the best first, then the oldest
        while stale < max_stale and waiting:
            subset = heapq.heappop(waiting)[-1]
            others = [j for j in range(pairs.n_features) if j not in subset]
            merits, better = pairs.merits_with(subset, others), False
            for j, m in zip(others, merits.tolist()):
                new = subset | {j}
                if m > most + least:
                    better, most, best = True, m, new
                if weka or new not in seen:
                    seen.add(new)
                    heapq.heappush(waiting, (-m if weka else -round(m, 12), next(order), new))
            stale = 0 if better else stale + 1
            if others:
                j = others[int(np.argmax(merits > merits.max() - CLOSE))]
                rows.append(pairs.row(subset | {j}, j) | {"better": better, "stale": stale})
            if weka:
                waiting = heapq.nsmallest(self.max_stale, waiting)
        return best, rows


def all_sets(pairs):
    """Return the best of all sets, and a row for the best of each size."""
    d = pairs.n_features
    if d > MOST:
        raise ValueError(
            f"search='exhaustive' looks at all sets of at most {MOST} features, got {d}: use "
            "'best_first', or choose some of them first."
        )
    merits, sizes = pairs.all_merits()
    winners = []
    for k in range(d + 1):
        of_size = np.flatnonzero(sizes == k)
        top = of_size[merits[of_size] >= merits[of_size].max() - CLOSE].max()
        winners.append((merits[top], [j for j in range(d) if top >> (d - 1 - j) & 1]))
    most = max(m for m, _ in winners)
    best = next(members for m, members in winners if m >= most - CLOSE)
    rows = [pairs.row(m) | {"better": m == best} for _, m in winners[1:]]
    return frozenset(best), rows


def locally_predictive(pairs, best):
    """Add locally predictive features to `best`; also return a row for each that was left."""
    rows = []
    for j in from_best(pairs.relevance).tolist():
        if j not in best:
            row = pairs.row(best | {j}, j)
            with_class, with_chosen = row["with_class"], row["with_chosen"]
            tells = with_class > 0 or (pairs.weka and not best)  # Weka takes one in any case
            row["better"] = tells and with_chosen <= with_class + CLOSE
            best = best | {j} if row["better"] else best
            rows.append(row | {"rule": "locally predictive"})
    return best, rows


class Pairs:
    """Relevance of all features and their redundancies, which are computed when first needed.

    Parameters
    ----------
    levels : Levels
        The features, and the target as the last column.
    missing : str
        As in `treelab.fast.information.entropy_of`.
    names : list of str
    weka : bool, default=False
        Whether the uncertainties are Weka's.
    """

    def __init__(self, levels, missing, names, weka=False):
        self.levels, self.missing, self.names, self.weka = levels, missing, names, weka
        self.n_features = len(names)
        self.relevance = self._uncertainties(self.n_features, 0.0)
        self._rows = {}

    def _uncertainties(self, column, of_nothing):
        SU = self.levels.uncertainties(column, np.arange(self.n_features), self.missing)
        if self.weka:
            SU = np.where(SU < WEKA_CLOSE, of_nothing, SU.astype(np.float32).astype(float))
        return SU

    def redundancy(self, feature):
        """Return the uncertainty of a feature with each feature, 1 with itself; (n_features,)."""
        if feature not in self._rows:
            self._rows[feature] = self._uncertainties(feature, 1.0)
            self._rows[feature][feature] = 1.0
        return self._rows[feature]

    def total(self, subset):
        """Return the total of a set; float."""
        return sum(self.redundancy(j)[list(subset)].sum() for j in subset)

    def merits_with(self, subset, others):
        """Compute the merit of the set together with each of `others`; (n_others,)."""
        members = sorted(subset)
        across = sum((self.redundancy(j)[others] for j in members), np.zeros(len(others)))
        relevance = self.relevance[members].sum() + self.relevance[others]
        return relevance / np.sqrt(self.total(members) + 1 + 2 * across)

    def all_merits(self):
        """Compute merit and size of all sets; two arrays (2^n_features,).

        Set number i holds feature j if the j-th binary digit of i, from the left, is 1. The sums
        over the sets without a feature come first, those over the same sets with it next.
        """
        relevance, total, size = np.zeros(1), np.zeros(1), np.zeros(1, dtype=int)
        for j in reversed(range(self.n_features)):
            across = np.zeros(1)
            for i in reversed(range(j + 1, self.n_features)):
                across = np.concatenate([across, across + self.redundancy(j)[i]])
            relevance = np.concatenate([relevance, relevance + self.relevance[j]])
            total = np.concatenate([total, total + 1 + 2 * across])
            size = np.concatenate([size, size + 1])
        return relevance / np.sqrt(np.maximum(total, 1)), size

    def row(self, subset, feature=None):
        """Return the arithmetic of a set, and of the feature that is added; dict."""
        members = sorted(subset)
        k, total = len(members), self.total(members)
        relevance = float(self.relevance[members].sum())
        row = {"rule": "merit", "subset": tuple(self.names[j] for j in members), "size": k}
        if feature is not None:
            rest = [j for j in members if j != feature]
            row["feature"] = self.names[feature]
            row["with_class"] = float(self.relevance[feature])
            row["with_chosen"] = float(self.redundancy(feature)[rest].max(initial=0.0))
        row["relevance"] = relevance / max(k, 1)
        row["redundancy"] = float(total - k) / max(k * (k - 1), 1)
        row["merit"] = relevance / float(np.sqrt(total)) if k else 0.0
        return row


# --- tables -----------------------------------------------------------------------------


def merit_table(X, y, subsets=None, **settings):
    """List the merit of sets of features, with its arithmetic.

    Parameters
    ----------
    X, y
        As in `CFSSelector.fit`.
    subsets : list of lists of str or int, default=None
        Sets of column names (or numbers, if `X` has no names). None: all sets but the empty one,
        of at most 12 features.
    **settings
        Of a `CFSSelector`: `convention`, `missing`, `discretize`, `categorical_features`, `task`
        and `n_bins`.

    Returns
    -------
    DataFrame
        ``subset`` as a tuple of names, ``size`` k, ``relevance`` r_cf, ``redundancy`` r_ff (0 for a
        single feature) and ``merit``.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> merit_table(X, y, [["color"], ["color", "size"]]).round(3)
              subset  size  relevance  redundancy  merit
    0       (color,)     1      0.196       0.000  0.196
    1  (color, size)     2      0.176       0.016  0.247
    """
    pairs = read_pairs(X, y, **settings)
    if subsets is None:
        if pairs.n_features > 12:
            raise ValueError(
                f"All sets are shown of 12 features at most, got {pairs.n_features}: name subsets."
            )
        every = range(pairs.n_features)
        numbers_of = [some for k in every for some in combinations(every, k + 1)]
    else:
        numbers_of = [[column_number(j, pairs.names) for j in some] for some in subsets]
    return pd.DataFrame([pairs.row(set(some)) for some in numbers_of]).drop(columns="rule")


def uncertainty_table(X, y, **settings):
    """List the symmetrical uncertainty of all pairs of features, and of each with the class.

    Parameters
    ----------
    X, y
        As in `CFSSelector.fit`.
    **settings
        Of a `CFSSelector`, as in `merit_table`.

    Returns
    -------
    DataFrame of shape (n_features, n_features + 1)
        Redundancies; the last column, ``class``, is the relevance.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> uncertainty_table(X, y).round(3)
           color   size  spots  class
    color  1.000  0.016  0.005  0.196
    size   0.016  1.000  0.000  0.157
    spots  0.005  0.000  1.000  0.050
    """
    pairs = read_pairs(X, y, **settings)
    table = np.array([pairs.redundancy(j) for j in range(pairs.n_features)])
    columns = [*pairs.names, "class"]
    return pd.DataFrame(
        np.column_stack([table, pairs.relevance]), index=pairs.names, columns=columns
    )


def read_pairs(X, y, **settings):
    """Return the `Pairs` of a table, read as by a `CFSSelector` with these settings."""
    reader = CFSSelector(**settings)
    levels = reader._read_levels(X, y)
    return Pairs(levels, reader.missing, reader._feature_names(), reader.convention == "weka")


def column_number(column, names):
    """Return the number of a column that is given by its name or number."""
    if column in names:
        return names.index(column)
    if isinstance(column, numbers.Integral) and 0 <= column < len(names):
        return int(column)
    raise ValueError(f"X has no column {column!r}, only {names}.")
