"""Regularized growth: the gain of a feature that no node has used before is penalized.

A node compares the gains of the features; that of a new one, which neither this tree nor one
before it has used, is first multiplied by a penalty. So what is new to a node depends on all nodes
before it, in preorder, tree after tree. Yet the trees are grown a depth at a time, and many
together. Grow as if no feature entered: up to the first node in preorder in which one did, all is
right, that entry included. Grow again and assume it: then all is right up to the next, and so on
until there is no other. Most trees have none.

A node draws the order of its features from a key of its own, the hash of its parent's key and its
side, so that it tries the same ones each time: those that are not new first, so that a new one
must gain more.

Vocabulary
----------
selected : features that trees before have used, bool (d,)
penalty : what the gain of each feature is multiplied by while it is new, in (0, 1]; (d,)
entry : (root, path, feature), the first use of a feature; the path to its node is a tuple of
    sides, 0 for left and 1 for right, so that entries are in preorder when they are sorted
known : of each node, the number of assumed entries before it
"""

from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from treelab.fast.growing.by_depth import grow_and_place, try_features
from treelab.fast.growing.splits import BestSplits
from treelab.fast.tolerances import TIE
from treelab.fast.tree import UNDEFINED

__all__ = [
    "PenalizedSearch",
    "draw_order",
    "draws",
    "entries_of",
    "grow_regularized",
    "keys_of_children",
]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, an odd number
LAST = np.uint64(2**64 - 1)  # after all draws
NEVER = 1e-200  # instead of a penalty of 0, which times -inf is no number
TOGETHER = 1 << 17  # rows of all trees that grow together


def grow_regularized(columns, targets, limits, roots, keys, penalty, selected, verbose=0):
    """Grow a tree from each root, given the features that the trees before it have used.

    Parameters
    ----------
    columns, targets, limits, roots
        As in `grow`; `limits.max_features` is the number of new features that a node tries.
    keys : ndarray of uint64, shape (n_roots,)
        What the nodes of each tree draw from.
    penalty : ndarray of shape (d,)
    selected : ndarray of bool, shape (d,)
    verbose : int, default=0
        Above 0: show a progress bar.

    Returns
    -------
    list of Tree, list of (int, int, int)
        The trees; and the number of the tree, of its node and of the feature of each entry.
    """
    selected, trees, entries, together = selected.copy(), [], [], 1
    most = max(1, TOGETHER // max(len(rows) for rows, _ in roots))
    with tqdm(total=len(roots), unit="trees", disable=not verbose) as progress:
        while len(trees) < len(roots):
            here = slice(len(trees), len(trees) + together)
            grown, found = _grow_chunk(
                columns, targets, limits, roots[here], keys[here], penalty, selected
            )
            entries += [(len(trees) + b, _node_at(grown[b], path), j) for b, path, j in found]
            trees += grown
            selected[[j for _, _, j in found]] = True
            together = max(1, together // 2) if found else min(2 * together, most)
            progress.update(len(grown))
    return trees, entries


def _grow_chunk(columns, targets, limits, roots, keys, penalty, selected):
    """Grow some trees together until their entries are those assumed; return trees and entries."""
    find, assumed = PenalizedSearch(penalty, selected, keys), []
    while True:
        find.assume(assumed)
        trees = grow_and_place(columns, targets, limits, roots, find=find)[0]
        found = entries_of(trees, selected)
        if len(found) == len(assumed):
            return trees, found
        assumed = found[: len(assumed) + 1]


def entries_of(trees, selected):
    """Find the first use of each feature not selected yet, in preorder; list of (root, path, j)."""
    entries, seen = [], selected.copy()
    for b, tree in enumerate(trees):
        inner = np.flatnonzero(tree.feature != UNDEFINED)
        for t in inner[~seen[tree.feature[inner]]].tolist():
            j = int(tree.feature[t])
            if not seen[j]:
                entries.append((b, _path_to(tree, t), j))
                seen[j] = True
    return entries


def _path_to(tree, t):
    """Return the sides on the path from the root to node `t`."""
    sides = []
    while t:
        above = tree.parent[t]
        sides.append(int(tree.children_right[above] == t))
        t = above
    return tuple(sides[::-1])


def _node_at(tree, path):
    """Return the number of the node at the end of a path."""
    t = 0
    for side in path:
        t = int((tree.children_right if side else tree.children_left)[t])
    return t


@dataclass(frozen=True)
class Past:
    """Results of the previous growth for a frontier, reused where a node has the same rows."""

    known: np.ndarray  # (M,)
    cuts: BestSplits  # with the gains themselves
    late: np.ndarray  # (M,) whether only a feature beyond those that it must try could be split
    first: np.ndarray  # (M,) the left child in the next frontier, -1 if there is none


class PenalizedSearch:
    """Search for the splits of the frontiers of one growth, in the order of their depths.

    With one more assumption, most nodes have the rows that they had: their splits stay, or lose
    to the one feature that entered, or to the new one that the node may now try instead.

    Parameters
    ----------
    penalty, selected, keys
        As in `grow_regularized`.
    """

    def __init__(self, penalty, selected, keys):
        self.penalty, self.selected, self.keys = np.maximum(penalty, NEVER), selected, keys
        self.past = []

    def assume(self, entries):
        """Begin a growth that assumes these entries: one more than before, or none."""
        self.assumed, self.before, self.past = entries, self.past, []
        self.entered = np.where(self.selected, -1, len(entries))  # number of each feature's entry
        for i, (_, _, j) in enumerate(entries):
            self.entered[j] = i

    def __call__(self, columns, frontier, open_, R, limits, generators=None):
        """Find the best splits by penalized gain; `BestSplits`, with the unpenalized gains."""
        was, M = self._arrive(frontier), len(open_)
        cuts = BestSplits.none(M, columns.most_levels)
        self.past.append(Past(self.known, cuts, np.zeros(M, dtype=bool), np.full(M, -1)))
        done, renewed = self._take_over(was)
        for nodes, search in ((renewed & open_, self._renew), (~done & open_, self._search)):
            if nodes.any():
                search(columns, frontier, np.flatnonzero(nodes), R, limits, cuts)
        return cuts

    def _take_over(self, was):
        """Reuse the splits of nodes whose rows have not changed; masks of nodes, (M,).

        Which are done with, and which of them must look at the last entry. A late split is not one
        to go by where an entry is new: perhaps it is not needed any more.
        """
        done, renewed = np.zeros((2, len(was)), dtype=bool)
        nodes = np.flatnonzero(was >= 0)
        if len(nodes):
            before, now = self.before[len(self.past) - 1], self.past[-1]
            same = before.known[was[nodes]] == self.known[nodes]
            done[nodes] = same | ~before.late[was[nodes]]
            renewed[nodes] = done[nodes] & ~same
            nodes = np.flatnonzero(done)
            for name in vars(now.cuts):
                getattr(now.cuts, name)[nodes] = getattr(before.cuts, name)[was[nodes]]
            now.late[nodes] = before.late[was[nodes]]
        return done, renewed

    def _search(self, columns, frontier, nodes, R, limits, cuts):
        """Find the splits of nodes without earlier results."""
        tries, m = self._tries(nodes, limits.max_features)
        try_features(columns, frontier, nodes, R, limits, tries, m, cuts, self._factor)
        among = (tries[:m] == cuts.feature[nodes]).any(axis=0)
        self.past[-1].late[nodes] = (cuts.feature[nodes] >= 0) & ~among
        self._take_off(cuts, nodes, R)

    def _renew(self, columns, frontier, nodes, R, limits, cuts):
        """Replace known splits by the last entered feature, or the new one instead, if better."""
        j, here, d = self.assumed[-1][2], np.arange(len(nodes)), len(self.penalty)
        m = limits.max_features or d
        draw = draws(self.key[nodes], d)
        of_new = np.where(self.entered < self.known[nodes, None], LAST, draw)
        other = np.argpartition(of_new, m - 1, axis=1)[:, m - 1]  # the last new one to be tried
        joins = (draw[:, j] < of_new[here, other]) & (of_new[here, other] < LAST)
        other = np.where(joins, other, j)
        found = BestSplits.none(len(R), columns.most_levels)
        tries = np.array([np.full(len(nodes), j), other])
        try_features(columns, frontier, nodes, R, limits, tries, 2, found, self._factor)
        new, old = found.feature[nodes], cuts.feature[nodes]
        gain = np.where(old < 0, -np.inf, cuts.gain[nodes] * self._factor(old[None], nodes)[0])
        tie = TIE * R[nodes] * self._factor(new[None], nodes)[0]
        is_new = self.entered >= self.known[nodes, None]
        is_new = is_new[here, new], is_new[here, old]
        sooner = np.where(is_new[0] == is_new[1], draw[here, new] < draw[here, old], is_new[1])
        tie = np.where(sooner, -tie, tie)
        better = nodes[found.gain[nodes] > gain + tie]
        for name in vars(cuts):
            getattr(cuts, name)[better] = getattr(found, name)[better]
        self._take_off(cuts, better, R)

    def _take_off(self, cuts, nodes, R):
        """Divide penalized gains by their penalties, and discard splits without gain."""
        factor = self._factor(cuts.feature[nodes][None], nodes)[0]
        cuts.gain[nodes] /= factor
        cuts.feature[nodes[(cuts.gain[nodes] <= TIE * R[nodes]) | (factor <= NEVER)]] = -1

    def _factor(self, feature, nodes):
        """Return the factor by which the gains of features (q, n_nodes) are multiplied."""
        return np.where(self.entered[feature] < self.known[nodes], 1.0, self.penalty[feature])

    def _arrive(self, frontier):
        """Set keys and numbers of known entries; return the matching nodes of the past, or -1.

        A child is the one that it was if its parent is, and is split by the same feature.
        """
        above, depth = frontier.above, len(self.past)
        if not depth:
            self.key = self.keys
            self.at = np.array([root for root, _, _ in self.assumed], dtype=int)
            self.known = np.searchsorted(self.at, frontier.root)
            self.was = np.arange(len(self.keys)) if self.before else np.full(len(self.keys), -1)
            return self.was
        last, side = self.past[-1], np.arange(len(above)) % 2
        last.first[above[::2]] = np.arange(0, len(above), 2)
        self.key = keys_of_children(self.key[above])
        self.known = self.known[above]
        for i, (_, path, _) in enumerate(self.assumed):
            first = last.first[self.at[i]] if self.at[i] >= 0 else -1
            self.at[i] = -1  # the node on the way to the entry, -1 once that is passed
            if first >= 0 and depth > len(path):  # its node is above: all below know it
                self.known[first : first + 2] += 1
            elif first >= 0:
                self.known[first + 1] += 1 - path[depth - 1]
                self.at[i] = first + path[depth - 1]
        if depth > len(self.before):
            self.was = np.full(len(above), -1)
            return self.was
        before, was = self.before[depth - 1], self.was[above]
        same = (was >= 0) & (before.cuts.feature[was] == last.cuts.feature[above])
        first = np.where(same, before.first[was], -1)
        self.was = np.where(first >= 0, first + side, -1)
        return self.was

    def _tries(self, nodes, max_features):
        """Order the features as nodes try them, (n_tries, n_open), and count those they must try.

        First the selected ones, then `max_features` new ones, then the others; the first wins a
        tie. A node with fewer than another fills up with its first one.
        """
        d = len(self.penalty)
        order = draw_order(self.key[nodes], d)
        new = self.entered[order] >= self.known[nodes, None]
        chosen = ~new | (np.cumsum(new, axis=1) <= (max_features or d))
        width = chosen.sum(axis=1)
        m, fewest = width.max(), width.min()
        turn = np.argsort(new + 1 * ~chosen, axis=1, kind="stable")
        order = np.take_along_axis(order, turn, axis=1)
        position = np.arange(m)
        tries = np.take_along_axis(order, np.where(position < width[:, None], position, 0), axis=1)
        position = np.minimum(width[:, None] + np.arange(d - fewest), d - 1)
        return np.hstack([tries, np.take_along_axis(order, position, axis=1)]).T, m


def draw_order(key, d):
    """Draw the order in which nodes with these keys try d features; int, (n_nodes, d)."""
    return np.argsort(draws(key, d), axis=1)


def draws(key, d):
    """Draw a number for each of d features from the keys of the nodes; uint64 (n_nodes, d)."""
    return _mixed(key[:, None] + GOLDEN * np.arange(1, d + 1, dtype=np.uint64))


def keys_of_children(key):
    """Derive the keys of children, left and right by turns, from those of parents; (n_nodes,).

    >>> left, right = keys_of_children(np.array([7, 7], dtype=np.uint64))
    >>> bool(left != right)
    True
    """
    side = np.arange(len(key), dtype=np.uint64) % np.uint64(2)
    return _mixed(_mixed(key) + side + np.uint64(1))


def _mixed(key):
    """Mix the bits by the finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key = (key ^ (key >> np.uint64(shift))) * np.uint64(factor)
    return key ^ (key >> np.uint64(31))
