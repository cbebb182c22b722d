"""Growing under a penalty: a feature that no node has used before must gain more.

A node compares the gains of the features; that of a new one, which neither this tree nor one
before it has used, is first multiplied by a penalty. So what is new to a node depends on all nodes
before it, in preorder, tree after tree. Yet the trees are grown a depth at a time, and many
together. Grow as if no feature entered: up to the first node in preorder in which one did, all is
right, that entry included. Grow again and assume it: then all is right up to the next, and so on
until there is no other. Most trees have none.

A node draws the order of its features from a key of its own, the hash of its parent's key and its
side, so that it tries the same ones each time.

Vocabulary
----------
paid : features that trees before have used, bool (d,)
penalty : what the gain of each feature is multiplied by while it is new, in (0, 1]; (d,)
entry : (root, path, feature), the first use of a feature; the path to its node is a tuple of
    sides, 0 for left and 1 for right, so that entries are in preorder when they are sorted
known : of each node, the number of assumed entries before it
"""

import numpy as np

from treelab.growing.by_depth import grow_and_place, try_features
from treelab.growing.criteria import TIE
from treelab.growing.splits import Cuts
from treelab.tree import UNDEFINED

__all__ = ["PenalizedSearch", "draw_order", "entries_of", "grow_regularized", "keys_of_children"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, an odd number
NEVER = 1e-200  # in place of a penalty of 0, which times -inf is no number
PLACES = 1 << 17  # rows of all trees that grow together


def grow_regularized(columns, targets, limits, roots, keys, penalty, paid):
    """Grow a tree from each root, each knowing the features that those before it have used.

    Parameters
    ----------
    columns, targets, limits, roots
        As in `grow`; `limits.max_features` is the number of new features that a node tries.
    keys : ndarray of uint64, shape (n_roots,)
        What the nodes of each tree draw from.
    penalty : ndarray of shape (d,)
    paid : ndarray of bool, shape (d,)

    Returns
    -------
    list of Tree, list of (int, int, int)
        The trees; and the number of the tree, of its node and of the feature of each entry.
    """
    paid, trees, entries, together = paid.copy(), [], [], 1

    def grow(here, assumed=()):
        find = PenalizedSearch(penalty, paid, keys[here], assumed)
        return grow_and_place(columns, targets, limits, roots[here], find=find)[0]

    while len(trees) < len(roots):
        here = slice(len(trees), len(trees) + together)
        grown = grow(here)
        found = entries_of(grown, paid)
        if found:  # the trees before the first entry are done, and the one that has it is next
            b = found[0][0]
            trees += grown[:b]
            tree, found = _settle(grow, len(trees), (0, *found[0][1:]), paid)
            entries += [(len(trees), _node_at(tree, path), j) for _, path, j in found]
            paid[[j for _, _, j in found]] = True
            grown = [tree]
        trees += grown
        most = max(1, PLACES // max(len(rows) for rows, _ in roots))
        together = 1 if found else min(2 * together, most)
    return trees, entries


def _settle(grow, b, first, paid):
    """Tree `b`, whose first entry is known, and all its entries."""
    assumed, found = [], [first]
    while len(found) > len(assumed):
        assumed = found[: len(assumed) + 1]
        (tree,) = grow(slice(b, b + 1), assumed)
        found = entries_of([tree], paid)
    return tree, found


def entries_of(trees, paid):
    """The first use of each feature that is not paid, in preorder; list of (root, path, j)."""
    entries, seen = [], paid.copy()
    for b, tree in enumerate(trees):
        inner = np.flatnonzero(tree.feature != UNDEFINED)
        for t in inner[~seen[tree.feature[inner]]].tolist():
            j = int(tree.feature[t])
            if not seen[j]:
                entries.append((b, _path_to(tree, t), j))
                seen[j] = True
    return entries


def _path_to(tree, t):
    """The sides on the way from the root to node `t`."""
    sides = []
    while t:
        above = tree.parent[t]
        sides.append(int(tree.children_right[above] == t))
        t = above
    return tuple(sides[::-1])


def _node_at(tree, path):
    """The number of the node at the end of a path."""
    t = 0
    for side in path:
        t = int((tree.children_right if side else tree.children_left)[t])
    return t


class PenalizedSearch:
    """Finds the cuts of the frontiers of one growth, in the order of their depths.

    Parameters
    ----------
    penalty, paid, keys
        As in `grow_regularized`.
    assumed : list of (root, path, feature), default=()
        Entries, sorted.
    """

    def __init__(self, penalty, paid, keys, assumed=()):
        self.penalty = np.maximum(penalty, NEVER)
        self.keys, self.assumed = keys, list(assumed)
        self.entered = np.where(paid, -1, len(self.assumed))  # number of each feature's entry
        for i, (_, _, j) in enumerate(self.assumed):
            self.entered[j] = i
        self.depth, self.key, self.known, self.at = -1, None, None, None

    def __call__(self, columns, frontier, open_, R, limits, generators=None):
        """The best cut of every open node by penalized gain; `Cuts`, with the gains themselves."""
        self._arrive(frontier)
        cuts = Cuts.none(len(open_), columns.most_levels)
        nodes = np.flatnonzero(open_)
        if not len(nodes):
            return cuts
        tries, m = self._tries(nodes, limits.max_features)
        try_features(columns, frontier, nodes, R, limits, tries, m, cuts, self._price)
        price = self._price(cuts.feature[None], np.arange(len(open_)))[0]
        cuts.gain /= price
        cuts.feature[(cuts.gain <= TIE * R) | (price <= NEVER)] = -1  # nothing enters for nothing
        return cuts

    def _price(self, feature, nodes):
        """What the gains of features (q, n_nodes) in some nodes are multiplied by."""
        return np.where(self.entered[feature] < self.known[nodes], 1.0, self.penalty[feature])

    def _arrive(self, frontier):
        """Keys of the nodes of the frontier, and how many entries each knows."""
        self.depth += 1
        if self.depth == 0:
            self.key = self.keys
            first = np.array([root for root, _, _ in self.assumed], dtype=int)
            self.known = np.searchsorted(first, frontier.root)
            self.at = first  # the node on the way to each entry, -1 once that is passed
            return
        above = frontier.above
        self.key = keys_of_children(self.key[above])
        self.known = self.known[above]
        for i, (_, path, _) in enumerate(self.assumed):
            first = np.searchsorted(above, self.at[i])
            if self.at[i] < 0 or first == len(above) or above[first] != self.at[i]:
                self.at[i] = -1
            elif self.depth > len(path):  # its node is above: all below know it
                self.known[first : first + 2] += 1
                self.at[i] = -1
            else:
                side = path[self.depth - 1]
                self.known[first + 1] += 1 - side
                self.at[i] = first + side

    def _tries(self, nodes, max_features):
        """Features in the order in which each node tries them, (n_tries, n_open), and how many.

        First the paid ones and `max_features` new ones, then the others. A node with fewer than
        another fills up with its first one.
        """
        d = len(self.penalty)
        order = draw_order(self.key[nodes], d)
        new = self.entered[order] >= self.known[nodes, None]
        chosen = ~new | (np.cumsum(new, axis=1) <= (max_features or d))
        width = chosen.sum(axis=1)
        m, fewest = width.max(), width.min()
        order = np.take_along_axis(order, np.argsort(~chosen, axis=1, kind="stable"), axis=1)
        place = np.arange(m)
        tries = np.take_along_axis(order, np.where(place < width[:, None], place, 0), axis=1)
        place = np.minimum(width[:, None] + np.arange(d - fewest), d - 1)
        return np.hstack([tries, np.take_along_axis(order, place, axis=1)]).T, m


def draw_order(key, d):
    """The order in which nodes with these keys try d features; ndarray of int, (n_nodes, d)."""
    return np.argsort(_mixed(key[:, None] + GOLDEN * np.arange(1, d + 1, dtype=np.uint64)), axis=1)


def keys_of_children(key):
    """Keys of children from those of their parents, one of each pair for each side; (n_nodes,).

    >>> left, right = keys_of_children(np.array([7, 7], dtype=np.uint64))
    >>> bool(left != right)
    True
    """
    side = np.arange(len(key), dtype=np.uint64) % np.uint64(2)
    return _mixed(_mixed(key) + side + np.uint64(1))


def _mixed(key):
    """Well mixed bits: the finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key = (key ^ (key >> np.uint64(shift))) * np.uint64(factor)
    return key ^ (key >> np.uint64(31))
