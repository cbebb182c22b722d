"""C4.5 Release 8, Quinlan's own program: its rows, its gains, its tree.

J48, Weka's C4.5, is the copy that most people know. The program itself differs from it in a
dozen rules, and it computes with 32-bit numbers. A row whose value is unknown is on every
branch with a part of its weight; as sums of such parts in 32 bits depend on the order of their
terms, the rows stand in one list that is rearranged just as the program does it.

Vocabulary
----------
here : a stretch of the list of rows, rearranged in place; w : weight of every row
u : share of the unknown in the weight N of a node
"""

from dataclasses import dataclass, field

import numpy as np

from treelab.fast.c45.arithmetic import EPSILON, RELEASE8, f, fsum
from treelab.fast.c45.gain_ratio import (
    LIGHT,
    NO_GAIN,
    SAME_VALUE,
    Candidate,
    NumericSplits,
    least_weight,
    threshold_of,
)
from treelab.fast.c45.growing import Cases, frozen, preorder
from treelab.fast.c45.splits import CutTest, LevelTest
from treelab.fast.c45.tree import Leaf, MultiwayTree

__all__ = ["Release8Cases", "Release8Tree", "bring_forward", "sort_rows", "total_info"]


def bring_forward(rows, chosen):
    """Bring the chosen rows to the front, in place; returns their number.

    From front to back, each chosen row changes places with the row at the first position
    that is not yet filled.

    >>> rows = np.array([5, 6, 7, 8])
    >>> bring_forward(rows, np.array([False, False, True, True])), rows.tolist()
    (2, [7, 8, 5, 6])
    """
    positions = chosen.nonzero()[0].tolist()
    order = rows.tolist()  # a list, because numpy is slow at single numbers
    for k, i in enumerate(positions):
        order[k], order[i] = order[i], order[k]
    rows[:] = order
    return len(positions)


def sort_rows(rows, x):
    """Sort `rows` by their values ``x[rows]`` in place, with the program's own swaps.

    >>> rows = np.array([3, 1, 0, 2])
    >>> sort_rows(rows, np.array([0.0, 7.0, 0.0, 5.0]))
    >>> rows.tolist()
    [0, 2, 3, 1]
    """
    pairs = list(zip(x[rows].tolist(), rows.tolist(), strict=True))
    waiting = [(0, len(pairs))]
    while waiting:
        first, end = waiting.pop()
        if end - first < 2:
            continue
        pivot, middle = pairs[end - 1][0], first
        for i in range(first, end - 1):
            if pairs[i][0] <= pivot:
                pairs[middle], pairs[i] = pairs[i], pairs[middle]
                middle += 1
        equal = middle  # where the rows begin that equal the pivot
        for i in range(middle - 1, first - 1, -1):
            if pairs[i][0] == pivot:
                equal -= 1
                pairs[i], pairs[equal] = pairs[equal], pairs[i]
        pairs[middle], pairs[end - 1] = pairs[end - 1], pairs[middle]
        waiting += [(middle + 1, end), (first, equal)]
    rows[:] = [row for _, row in pairs]


def x_log2_x(x):
    """x log2 x in 64 bits, 0 where x is not above 0."""
    x = np.asarray(x, dtype=float)
    return x * (np.log(np.where(x > 0, x, 1.0)) / np.log(2.0))


def total_info(weights):
    """W log2 W less the sum of w log2 w, where W is the sum of the weights w.

    >>> total_info(np.array([1.0, 1.0]))
    2.0
    """
    terms = x_log2_x(weights)
    found = np.zeros(terms.shape[:-1])
    for k in range(terms.shape[-1]):
        found = f(found + terms[..., k])
    return f(x_log2_x(fsum(weights)) - found)


def gain_of(known_info, branch_info, known, u):
    """Bits gained, for the known share of the weight."""
    return f(f(1 - u) * f(known_info - f(branch_info / known)))


NO_SPLITS = NumericSplits(*np.zeros((6, 0)))


class Release8Cases(Cases):
    """The list of rows and their weights, of `Training` data in 32-bit numbers."""

    arithmetic = RELEASE8

    def __init__(self, data):
        self.data = data
        self.rows = np.arange(len(data.table))
        self.w = np.ones(len(self.rows), dtype=np.float32)
        self.has_missing = bool(np.isnan(data.table).any())

    def at_root(self):
        """All rows, in the order in which they stand by now."""
        return self.at(self.rows, 1)

    def at(self, rows, w):
        self.w[rows] = w
        return rows

    def count(self, here):
        sums = np.zeros(self.data.n_classes, dtype=np.float32)
        np.add.at(sums, self.data.y[here], self.w[here])  # one term after the other
        return f(sums), fsum(self.w[here])

    def bring_forward(self, rows, chosen):
        """`bring_forward`; where nothing is unknown the order of the rest is free."""
        if self.has_missing:
            return bring_forward(rows, chosen)
        rows[:] = np.concatenate([rows[chosen], rows[~chosen]])
        return int(chosen.sum())

    def sort(self, rows, j):
        """Sort rows by numeric feature `j`, in place."""
        x = self.data.table[:, j]
        if self.has_missing:
            sort_rows(rows, x)
        else:
            rows[:] = rows[np.argsort(x[rows], kind="stable")]

    def distribute(self, here, test, N=None):
        """Bring the rows of each branch together, and give the branch its part of the unknown.

        Yields the share of each branch in the known weight and its rows. The weights of the
        unknown rows are those of the branch until the next one is asked for. `N` is given in
        growth, where the known weight is the difference to the weight of the unknown.
        """
        x, w = self.data.table[:, test.feature], self.w
        n_unknown = self.bring_forward(here, np.isnan(x[here]))
        rest = here[n_unknown:]
        known = fsum(w[rest]) if N is None else f(N - fsum(w[here[:n_unknown]]))
        for b in range(test.n_branches):
            n = self.bring_forward(rest, test.branch(x[rest]) == b)
            if not n:
                yield 0.0, rest[:0]
                continue
            share = f(fsum(w[rest[:n]]) / known)
            part = here[: n_unknown + n]
            w[part[:n_unknown]] = f(w[part[:n_unknown]] * share)
            yield share, part
            self.bring_forward(part, np.isnan(x[part]))
            w[part[:n_unknown]] = f(w[part[:n_unknown]] / share)

    def candidates(self, here, rules):
        N, made = fsum(self.w[here]), []
        for j, levels in enumerate(self.data.n_levels):
            made.append(self._levels(here, N, j, rules) if levels else self._cut(here, j, rules))
        return [candidate for candidate in made if candidate is not None]

    def _levels(self, here, N, j, rules):
        """Return the candidate of nominal feature `j`: a branch for each declared category."""
        data = self.data
        n, code = data.n_levels[j], data.table[here, j]
        level = np.where(np.isnan(code), 0, code + 1).astype(int)  # category 0: unknown
        sums = np.zeros((n + 1, data.n_classes), dtype=np.float32)
        np.add.at(sums, (level, data.y[here]), self.w[here])
        sums = f(sums)
        size, gain, refused = fsum(sums), 0.0, LIGHT
        if np.sum(size[1:] >= rules.min_samples_leaf) >= 2:
            known, refused = f(N - size[0]), ""
            info = f((x_log2_x(known) - np.cumsum(x_log2_x(fsum(sums[1:].T)))[-1]) / known)
            gain = gain_of(info, fsum(total_info(sums[1:])), known, f(size[0] / N))
        cost = f(total_info(size) / N)
        return Candidate(LevelTest(j, n), sums[1:], gain, 0.0, cost, refused, RELEASE8)

    def cuts(self, here, j, rules):
        """The splits of numeric feature `j` that the rules allow; NumericSplits.

        Where M is more than L (L is at most 25), a split with less than M on a side is counted,
        but gains nothing.
        """
        data, w, N = self.data, self.w, fsum(self.w[here])
        n_unknown = self.bring_forward(here, np.isnan(data.table[here, j]))
        unknown, order = fsum(self.count(here[:n_unknown])[0]), here[n_unknown:]
        known = f(N - unknown)
        if known < 2 * rules.min_samples_leaf:
            return NO_SPLITS
        self.sort(order, j)
        x, n = data.table[order, j], len(order)
        one = np.zeros((n, data.n_classes), dtype=np.float32)
        one[np.arange(n), data.y[order]] = w[order]
        left = np.add.accumulate(one)
        right = np.add.accumulate(np.concatenate([left[-1:], -one]))[1:]
        size, L = f(np.add.accumulate(w[order])), least_weight(known, data.n_classes, rules)
        enough = (size[:-1] >= L) & (size[:-1] <= f(known - L))
        at = np.flatnonzero(enough & (x[:-1] < x[1:] - SAME_VALUE))
        if not len(at):
            return NO_SPLITS
        branches, size = f(np.stack([left[at], right[at]], axis=1)), size[at]
        after = f(total_info(branches[:, 0]) + total_info(branches[:, 1]))
        gain = gain_of(f(total_info(left[-1]) / known), after, known, f(1 - f(known / N)))
        sides = np.stack([np.full(len(at), unknown), size, f(known - size)], axis=1)
        gain[sides[:, 1:].min(axis=1) < rules.min_samples_leaf] = -EPSILON
        penalty = np.full(len(at), f(np.log(len(at)) / np.log(2.0) / N))
        feature, cost = np.full(len(at), j), f(total_info(sides) / N)
        return NumericSplits(feature, x[at], x[at + 1], branches, gain, penalty, cost)

    def _cut(self, here, j, rules):
        """Return the candidate of numeric feature `j`: its best split; None without one."""
        found = self.cuts(here, j, rules)
        gain = f(found.gain - found.penalty)
        if not len(gain):
            return None
        i = int(gain.argmax())
        test = CutTest(j, threshold_of(self.data, found, i, rules))
        amounts = (float(x[i]) for x in (gain, found.penalty, found.split_information))
        refused = "" if gain[i] > 0 else NO_GAIN
        return Candidate(test, found.branches[i], *amounts, refused, RELEASE8)

    def tree(self, root):
        """The tree below a `Draft`, frozen; an inner node has the errors of its branches."""
        drafts = preorder(root)
        for draft in reversed(drafts):
            draft.E = fsum([b.E for b in draft.branches]) if draft.branches else f(draft.E)
        label, N, E = np.array([(draft.label, draft.N, draft.E) for draft in drafts]).T
        return Release8Tree(frozen(drafts), predicted_class=label.astype(int), weight=N, errors=E)


@dataclass(frozen=True, eq=False, kw_only=True)
class Release8Tree(MultiwayTree):
    """A `MultiwayTree` that predicts as Release 8 does.

    Parameters
    ----------
    nodes, numeric
        As in `MultiwayTree`.
    predicted_class : ndarray of int, shape (n_nodes,)
        Class of each node: the heaviest; of equal ones the first, or, where pruning found
        them equal, the one that the node had before.
    weight, errors : ndarray of shape (n_nodes,)
        N and E as the program prints them; E are errors on the training rows in an unpruned
        tree, predicted errors in a pruned one.
    """

    predicted_class: np.ndarray = field()  # in the place of what a MultiwayTree works out
    weight: np.ndarray = field()
    errors: np.ndarray = field()

    @property
    def predicted_sums(self):
        """Sums from which each node predicts; an empty node is sure of its class."""
        sums, empty = self.sums.copy(), self.weight == 0
        sums[empty] = np.eye(sums.shape[1])[self.predicted_class[empty]]
        return sums

    def shares(self, table, laplace=0.0):
        """Class proportions of the rows of `table`, added up in 32 bits; `laplace` is not used."""
        table, sums = f(table), self.predicted_sums
        whole = np.where(self.weight == 0, 1.0, self.weight)
        out = np.zeros((len(table), sums.shape[1]))
        waiting = [(0, np.arange(len(table)), np.ones(len(table)))]
        while waiting:
            t, rows, w = waiting.pop()
            node = self.nodes[t]
            if isinstance(node, Leaf):
                out[rows] = f(out[rows] + f(f(w[:, None] * sums[t]) / whole[t]))
                continue
            branch = node.test.branch(table[rows, node.test.feature])
            for b in reversed(range(len(node.children))):
                child = node.children[b]
                part = np.where(branch < 0, f(f(w * self.weight[child]) / whole[t]), w)
                here = ((branch == b) | (branch < 0)) & (part > 0)
                waiting.append((child, rows[here], part[here]))
        return out

    def _with_nodes(self, nodes, kept):
        """The tree of `nodes`, which were the nodes number `kept` of this one."""
        facts = {
            name: getattr(self, name)[kept] for name in ("predicted_class", "weight", "errors")
        }
        return Release8Tree(tuple(nodes), **facts)
