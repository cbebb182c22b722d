"""Candidate splits of a node, and the choice of C4.5 among them.

A nominal feature proposes the split on its categories, a numeric one its best split. Rows whose
value is unknown take no part in a gain, but lower it: a gain counts for the known share of
the weight only. C4.5 takes the candidate of the largest gain ratio among those whose gain is at
least average; each rule can be switched off, and what is left is the textbook's.

Vocabulary
----------
candidate : the candidate split of one feature; least gain : the gain it must reach to compete
W : weight of a node; known weight : the weight of its rows whose value is known
branches : class sums of the branches, known rows only
penalty : log2(number of splits tried) / W, the price of having searched; numeric only
split information : entropy of the branch weights, the unknown rows as one branch more
"""

from dataclasses import dataclass

import numpy as np

from treelab.fast.c45.arithmetic import EPSILON, J48, SLACK, Arithmetic
from treelab.fast.c45.splits import CutTest, LevelTest
from treelab.fast.impurity import entropy, information_gain

__all__ = [
    "NumericSplits",
    "Candidate",
    "choose",
    "find_numeric_splits",
    "least_gain",
    "least_weight",
    "candidates",
]

SAME_VALUE = 1e-5  # neighboring numbers no further apart than this are never split apart
CELLS = 2**22  # numbers that running class sums may hold at a time
LIGHT, NO_GAIN = "fewer than two branches with enough weight", "no gain left after the penalty"


@dataclass(frozen=True)
class Candidate:
    """Candidate split of a feature; ``refused`` gives the reason if it is not allowed."""

    test: LevelTest | CutTest
    branches: np.ndarray  # (n_branches, n_classes), known rows
    gain: float  # bits, for the known share, less the penalty
    penalty: float
    split_information: float
    refused: str = ""
    arithmetic: Arithmetic = J48

    @property
    def ratio(self):
        """Gain per bit of split information, NaN where nothing is split."""
        cost = self.split_information
        if cost <= self.arithmetic.least_cost:
            return np.nan
        return self.arithmetic.round(self.gain / cost)

    def score(self, rules):
        """Return the quantity by which candidates are ranked."""
        return self.ratio if rules.criterion == "gain_ratio" else self.gain


# --- nominal features --------------------------------------------------------------


def level_branches(data, rows, w, j):
    """Return the class sums of each category of nominal feature `j`; (n_levels, n_classes)."""
    code = data.table[rows, j]
    known = ~np.isnan(code)
    cell = code[known].astype(int) * data.n_classes + data.y[rows[known]]
    shape = (data.n_levels[j], data.n_classes)
    return np.bincount(cell, w[known], minlength=shape[0] * shape[1]).reshape(shape)


def bits(share):
    """Return the contribution of a branch of this share to the split information."""
    return share * -np.log2(share, out=np.zeros_like(share), where=share > 0)


def nominal_candidates(data, rows, w, rules):
    """List the candidates of the nominal features, one branch per category; list of Candidate.

    All categories of all features stand in one row of class sums; `np.add.reduceat` adds up
    what belongs to one feature.
    """
    if not len(data.nominal):
        return []
    K, W, n_all = data.n_classes, w.sum(), sum(data.n_levels)
    cell = data.all_levels[rows] * K + data.y[rows, None]
    weight = np.repeat(w, len(data.nominal))
    sums = np.bincount(cell.ravel(), weight, minlength=(n_all + 1) * K)[:-K].reshape(n_all, K)
    size = sums.sum(axis=1)

    def of_feature(amounts):
        return np.add.reduceat(amounts, data.first_level, axis=0)

    known = of_feature(size)
    gain = (known * entropy(of_feature(sums)) - of_feature(size * entropy(sums))) / W
    cost = of_feature(bits(size / W)) + bits(np.maximum(W - known, 0.0) / W)
    heavy = of_feature((size >= rules.min_samples_leaf - SLACK).astype(int))
    made = []
    for i, j in enumerate(data.nominal):
        first, n = data.first_level[i], data.n_levels[j]
        test, branches = LevelTest(int(j), n), sums[first : first + n]
        refused = "" if heavy[i] >= 2 else LIGHT
        made.append(Candidate(test, branches, float(gain[i]), 0.0, float(cost[i]), refused))
    return made


# --- numeric features --------------------------------------------------------------


@dataclass(frozen=True)
class NumericSplits:
    """Candidate splits of the numeric features at a node: feature by feature, lowest first."""

    feature: np.ndarray  # (n_cuts,)
    below: np.ndarray  # (n_cuts,) largest value on the left
    above: np.ndarray  # (n_cuts,) smallest value on the right
    branches: np.ndarray  # (n_cuts, 2, n_classes)
    gain: np.ndarray  # (n_cuts,), the penalty not yet taken off
    penalty: np.ndarray  # (n_cuts,)
    split_information: np.ndarray | None = None  # (n_cuts,), where all are computed


def find_numeric_splits(data, rows, w, features, rules):
    """Find the splits of numeric features that leave at least L on both sides; `NumericSplits`.

    Every feature is sorted, and the class sums run along the sorted rows.
    """
    n, q, K, W = len(rows), len(features), data.n_classes, w.sum()
    x = data.table[rows[:, None], features]  # (n, q)
    order = np.argsort(x, axis=0, kind="stable")  # unknown last
    x = np.take_along_axis(x, order, axis=0)
    y, known_w = data.y[rows][order], np.where(np.isnan(x), 0.0, w[order])
    running = np.zeros((n, q, K))
    running[np.arange(n)[:, None], np.arange(q), y] = known_w
    running = np.cumsum(running, axis=0)  # class sums up to each row
    total, size = running[-1], running.sum(axis=2)
    least = np.array([least_weight(known, K, rules) for known in size[-1]])
    enough = (size[:-1] >= least - SLACK) & (size[-1] - size[:-1] >= least - SLACK)
    column, at = np.nonzero((enough & (x[:-1] + SAME_VALUE < x[1:])).T)
    if rules.boundary_only:
        here = [at_boundary(x[:, c], y[:, c], at[column == c]) for c in range(q)]
        column, at = column[np.concatenate(here)], at[np.concatenate(here)]
    left = running[at, column]
    branches = np.stack([left, np.maximum(total[column] - left, 0.0)], axis=1)
    gain = size[-1, column] / W * information_gain(branches)
    tried = np.bincount(column, minlength=q)[column]
    penalty = np.log2(tried) / W if rules.mdl_correction else np.zeros(len(at))
    return NumericSplits(
        features[column], x[at, column], x[at + 1, column], branches, gain, penalty
    )


def numeric_candidates(data, rows, w, rules):
    """List the candidates of the numeric features, each its best split; list of Candidate."""
    made, W = [], w.sum()
    per_block = max(1, CELLS // (len(rows) * data.n_classes))
    for start in range(0, len(data.numeric), per_block):
        features = data.numeric[start : start + per_block]
        found = find_numeric_splits(data, rows, w, features, rules)
        ends = np.searchsorted(found.feature, features, side="right")
        best = [
            first + i
            for first, end in zip([0, *ends[:-1]], ends, strict=True)
            if (i := first_best(found.gain[first:end])) is not None
        ]
        size = found.branches[best].sum(axis=2)
        unknown = np.maximum(W - size.sum(axis=1), 0.0)
        cost = bits(size / W).sum(axis=1) + bits(unknown / W)
        for i, c in zip(best, cost, strict=True):
            penalty = float(found.penalty[i])
            gain = float(found.gain[i]) - penalty
            test = CutTest(int(found.feature[i]), threshold_of(data, found, i, rules))
            refused = "" if gain >= SLACK else NO_GAIN
            made.append(Candidate(test, found.branches[i], gain, penalty, float(c), refused))
    return made


def least_weight(known, n_classes, rules):
    """Return L, the minimum weight of both sides of a numeric split.

    M, or a tenth of the mean weight of a class where that is more; a tenth above 25 becomes
    25, even if M is more, as in release 8 and in J48.

    >>> from treelab.fast.c45 import Rules
    >>> [least_weight(known, 2, Rules()) for known in (14, 200, 5000)]
    [2, 10.0, 25]
    """
    M, arithmetic = rules.min_samples_leaf, rules.arithmetic
    tenth = arithmetic.round(0.1 * known / n_classes)
    if not rules.adaptive_min_leaf or tenth <= M + arithmetic.slack:
        return M
    return min(tenth, 25)


def at_boundary(x, y, at):
    """Return which splits after rows `at` have more than one class on the two adjacent values.

    Rows of equal value belong together: the classes of all of them count.
    """
    starts = np.append(0, np.flatnonzero(np.diff(x)) + 1)  # first row of each distinct value
    group = np.searchsorted(starts, at, side="right") - 1
    lowest, highest = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    low = np.minimum(lowest[group], lowest[group + 1])
    return low != np.maximum(highest[group], highest[group + 1])


def first_best(gain):
    """Return the first split that no later one beats by more than the slack, or None without gain.

    >>> first_best(np.array([0.1, 0.3, 0.3, 0.2])), first_best(np.array([0.0]))
    (1, None)
    """
    best, level = None, 0.0
    peaks = np.flatnonzero(gain == np.maximum.accumulate(gain))
    for i in peaks:  # only a new maximum can beat what came before
        if gain[i] > level + SLACK:
            best, level = int(i), gain[i]
    return best


def threshold_of(data, found, i, rules):
    """Return the threshold of split `i`, between two neighboring values of a node.

    The midpoint; with ``cut="data"`` the largest number of the whole training set that is
    no larger, so that the threshold is a value that occurs.
    """
    below, above = found.below[i], found.above[i]
    middle = rules.arithmetic.round(below / 2 + above / 2)
    if middle >= above and rules.variant == "j48":  # two neighboring floats
        middle = float(below)
    if rules.cut == "midpoint":
        return middle
    values = data.values[found.feature[i]]
    return float(values[np.searchsorted(values, middle, side="right") - 1])


# --- the choice ----------------------------------------------------------------------


def candidates(data, rows, w, rules):
    """List the candidates of all features that have one at a node, in their order."""
    made = nominal_candidates(data, rows, w, rules) + numeric_candidates(data, rows, w, rules)
    return sorted(made, key=lambda candidate: candidate.test.feature)


def least_gain(data, made, rules):
    """Return the gain that a candidate needs: nearly the mean gain of all candidates.

    Minus infinity without that rule, and infinity without candidates.

    Features with many categories are left out of the mean, unless all features are like that;
    where no candidate is left, none competes.
    """
    if rules.criterion != "gain_ratio" or not rules.average_gain:
        return -np.inf
    all_many = all(data.many(j) for j in range(len(data.n_levels)))
    counted = [
        candidate.gain
        for candidate in made
        if not candidate.refused and (all_many or not data.many(candidate.test.feature))
    ]
    if not counted:
        return np.inf
    return rules.arithmetic.round(rules.arithmetic.total(counted) / len(counted)) - EPSILON


def choose(data, made, rules):
    """Choose the winning candidate, or None for a leaf; the first one wins ties.

    Parameters
    ----------
    data : Training
    made : list of Candidate
        What `candidates` returns.
    rules : Rules

    References
    ----------
    Quinlan (1993), C4.5, section 2.2; Quinlan (1996) for the penalty.
    """
    least, arithmetic = least_gain(data, made, rules), rules.arithmetic
    best, level = None, arithmetic.least_score
    for candidate in made:
        if candidate.refused or candidate.gain < least:
            continue
        score = candidate.score(rules)
        if score > level + arithmetic.slack:
            best, level = candidate, score
    return best
