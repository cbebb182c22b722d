"""Growth by depth: all open nodes of a depth are split at a time.

The best split of every node of the frontier is found at once (`best_splits`); the rows of those
that find one move to its two sides and form the next frontier (`_move`). The open nodes may
belong to one tree or to a hundred: a forest is a frontier with many roots. When no node is
open, the nodes are put in the order of a `Tree` (`_assemble`).
"""

from dataclasses import dataclass

import numpy as np

from treelab.fast.growing.best_first import BestFirst
from treelab.fast.growing.frontier import Frontier
from treelab.fast.growing.splits import BestSplits, midpoint, search
from treelab.fast.tolerances import TIE
from treelab.fast.tree import LEAF, UNDEFINED, Tree, pick

CELLS = 1 << 16  # rows times features searched at once, so that they stay in the cache

__all__ = ["Limits", "best_splits", "draw_features", "grow", "grow_and_place", "try_features"]


@dataclass(frozen=True)
class Limits:
    """Stopping rules, and the number of features that a node may try."""

    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0  # share of the root's weight times impurity
    max_features: int | None = None  # None: all, in the order of the columns
    max_leaf_nodes: int | None = None  # None: no limit; else the largest gains come first


def grow(columns, targets, limits=Limits(), roots=None, generators=None):  # noqa: B008
    """Grow one tree from each root; list of Tree.

    The trees do not depend on which roots are grown together.

    Parameters
    ----------
    columns : Columns
    targets : Targets
    limits : Limits, default=Limits()
    roots : list of (rows, counts), default=None
        Row numbers of each root, and how often each row counts, (n_root,) both; counts
        may be None. None grows one tree on all rows.
    generators : list of numpy.random.Generator, default=None
        One for each root, to draw the candidates of its nodes and their order. None tries all
        features in the order of the columns.
    """
    return grow_and_place(columns, targets, limits, roots, generators)[0]


def grow_and_place(columns, targets, limits, roots=None, generators=None, find=None):
    """Grow as `grow` does, and also return the leaf of each row; list of Tree, ndarray (n,).

    The leaf is -1 for a row in no root; with more roots, it is that in the last with the row.

    Parameters
    ----------
    columns, targets, limits, roots, generators
        As in `grow`.
    find : callable, default=None
        What finds the splits of a frontier; None is `best_splits`, whose parameters it takes.
    """
    frontier = _first_frontier(targets, roots)
    root_weight, parent = frontier.weight, np.full(len(frontier.size), -1)
    best_first = None if limits.max_leaf_nodes is None else BestFirst(limits.max_leaf_nodes)
    last = np.full(len(targets.y), -1)  # leaf of each row, numbered through all frontiers
    grown, n_seen, depth = [], 0, 0
    while frontier is not None:
        value, impurity = targets.criterion.describe(frontier)
        R = frontier.weight * impurity
        large = frontier.size >= max(limits.min_samples_split, 2 * limits.min_samples_leaf)
        open_ = ~frontier.is_pure & large & (depth < limits.max_depth)
        cuts = (find or best_splits)(columns, frontier, open_, R, limits, generators)
        enough = limits.min_impurity_decrease * root_weight[frontier.root] - TIE * R
        splits = (cuts.feature >= 0) & (cuts.gain >= enough)
        if best_first is not None:
            splits = best_first.add(frontier.root, parent, np.where(splits, cuts.gain, -np.inf))
        stay = (~frontier.spread(splits)).nonzero()[0] if splits.any() else slice(None)
        last[frontier.row[stay]] = n_seen + frontier.node[stay]
        children = _move(columns, frontier, cuts, splits)
        grown.append(
            {
                "root": frontier.root,
                "parent": parent,
                "feature": np.where(splits, cuts.feature, UNDEFINED),
                "rank": cuts.rank,
                "next_rank": cuts.next_rank,
                "left_levels": cuts.left_levels & splits[:, None],
                "value": value,
                "impurity": impurity,
                "n_node_samples": frontier.size,
                "weighted_n_node_samples": frontier.weight,
            }
        )
        parent = None if children is None else n_seen + children.above
        n_seen += len(splits)
        frontier, depth = children, depth + 1
    trees, number = _assemble(grown, len(root_weight), columns, targets.criterion.name)
    if best_first is not None:
        trees, number = best_first.cut_back(trees, number)
    return trees, np.append(number, -1)[last]


def _first_frontier(targets, roots):
    """Return the first frontier: the rows of all roots, one root after the other."""
    rows, counts = zip(*roots or [(np.arange(len(targets.y)), None)], strict=True)
    size = np.array([len(r) for r in rows])
    node = np.repeat(np.arange(len(size)), size)
    counts = None if counts[0] is None else np.concatenate(counts)
    return Frontier(targets, np.concatenate(rows), node, counts, size=size)


def best_splits(columns, frontier, open_, R, limits, generators):
    """Find the best split of every open node over the features that it tries; `BestSplits`.

    Where none of a node's `max_features` candidates can be split, it draws on until one
    can, as scikit-learn's trees do.

    Parameters
    ----------
    columns, limits, generators
        As in `grow`.
    frontier : Frontier
    open_, R : ndarray, shape (M,)
        Nodes that may be split, and the total impurity of each.
    """
    d = len(columns.rank)
    m = d if limits.max_features is None else limits.max_features
    cuts = BestSplits.none(len(open_), columns.most_levels)
    nodes = open_.nonzero()[0]
    if not len(nodes):
        return cuts
    tries = np.arange(d)[:, None]  # (d, 1): without draws, ties go to the first column
    if generators is not None:
        tries = draw_features(d, frontier.root[nodes], generators)
    return try_features(columns, frontier, nodes, R, limits, tries, m, cuts)


def try_features(columns, frontier, nodes, R, limits, tries, m, cuts, factor=None):
    """Find the best splits of some nodes over `m` features each, and over more where none splits.

    Parameters
    ----------
    columns, frontier, R, limits
        As in `best_splits`.
    nodes : ndarray of int, shape (n_open,)
    tries : ndarray of int, shape (n_tries, n_open) or (n_tries, 1)
        Features in the order in which each node tries them.
    m : int
        Features that a node tries before it looks whether it has found a split.
    cuts : BestSplits
        Of all nodes of the frontier; it is completed and returned.
    factor : callable, default=None
        ``factor(feature, nodes)`` is what the gains of features (q, n_nodes) in these nodes are
        multiplied by, above 0; those of the splits that are returned, too. None: 1.
    """

    def improve(nodes, part, tries):
        factors = None if factor is None else factor(tries, nodes)
        found = search(columns, part, tries, R[nodes], limits.min_samples_leaf, factors)
        tie = TIE * R[nodes]
        if factor is not None:
            tie *= factor(found.feature[None], nodes)[0]
        cuts.improve(nodes, found, tie)

    part = frontier.only(nodes)
    step = max(1, CELLS // len(part.row))
    for slot in range(0, m, step):
        improve(nodes, part, tries[slot : min(slot + step, m)])
    for slot in range(m, len(tries)):
        left = cuts.feature[nodes] < 0
        if not left.any():
            break
        nodes, tries = nodes[left], tries[:, left]
        improve(nodes, frontier.only(nodes), tries[slot][None])
    return cuts


def draw_features(d, root, generators):
    """Draw the order in which each open node tries the features; (d, n_open).

    Every tree draws for its own nodes, from its own generator. A tie goes to the candidate
    that was drawn first, so that no column is preferred.
    """
    counts = np.bincount(root, minlength=len(generators))  # some trees may be complete
    keys = [rng.random((k, d)) for rng, k in zip(generators, counts, strict=True)]
    return np.argsort(np.concatenate(keys), axis=1).T


def _move(columns, frontier, cuts, splits):
    """Return the frontier of the children, None if there are none; complete the left categories.

    The children of the k-th node that splits are nodes 2k and 2k + 1 of the next frontier.
    """
    if not splits.any():
        return None
    nodes = np.flatnonzero(splits)
    part, feature, left_levels = frontier.only(nodes), cuts.feature[nodes], cuts.left_levels[nodes]
    rank = pick(columns.rank.ravel(), part.spread(feature * columns.rank.shape[1]) + part.row)
    left = rank <= part.spread(cuts.rank[nodes])
    categorical = columns.n_levels[feature] > 0
    if categorical.any():
        by_level = categorical[part.node]
        left[by_level] = left_levels[part.node[by_level], rank[by_level]]
        present = np.zeros_like(left_levels)
        present[part.node[by_level], rank[by_level]] = True
        # A category that no row of the node has goes where most of the weight goes.
        heavy_left = 2 * np.bincount(part.node, part.sides.units[0] * left) >= part.sides.total[0]
        cuts.left_levels[nodes] |= (categorical & heavy_left)[:, None] & ~present
    small = np.min_scalar_type(2 * len(nodes))  # up to 16 bits, this is a radix sort
    child = part.spread(np.arange(1, 2 * len(nodes), 2, dtype=small)) - left
    order = np.argsort(child, kind="stable")
    size, root, above = np.bincount(child), np.repeat(part.root, 2), np.repeat(nodes, 2)
    row, node = pick(part.row, order), np.repeat(np.arange(len(size)), size)
    counts = None if part.counts is None else pick(part.counts, order)
    return Frontier(part.targets, row, node, counts, root, above, size)


def _assemble(grown, n_roots, columns, criterion):
    """Build one `Tree` for each root from the recorded frontiers; also the number of each node.

    In a tree each node stands before its left subtree, and that before its right one.
    """
    bounds = np.cumsum([0] + [len(nodes["root"]) for nodes in grown])
    nodes = {name: np.concatenate([nodes[name] for nodes in grown]) for name in grown[0]}
    root, parent = nodes.pop("root"), nodes.pop("parent")
    ranks = nodes.pop("rank"), nodes.pop("next_rank")
    nodes["threshold"] = _thresholds(columns, nodes["feature"], *ranks)
    depths = [slice(a, b) for a, b in zip(bounds[1:-1], bounds[2:], strict=True)]
    # Children stand in pairs. Sizes of subtrees from the bottom up, then numbers from the
    # top down: a left child follows its parent, a right child follows the left subtree.
    size = np.ones(len(root), dtype=int)
    for here in reversed(depths):
        size[parent[here][::2]] += size[here].reshape(-1, 2).sum(axis=1)
    number = np.zeros(len(root), dtype=int)
    for here in depths:
        number[here] = number[parent[here]] + 1
        number[here][1::2] += size[here][::2]
    for first, side in enumerate(("children_left", "children_right"), n_roots):
        nodes[side] = np.full(len(root), LEAF)
        nodes[side][parent[first::2]] = number[first::2]
    first = np.cumsum(size[:n_roots]) - size[:n_roots]  # of each tree among all nodes
    order = np.empty(len(root), dtype=int)
    order[first[root] + number] = np.arange(len(root))
    own = [order[a : a + k] for a, k in zip(first, size[:n_roots], strict=True)]
    tables = ({name: array[here] for name, array in nodes.items()} for here in own)
    return [Tree(**table, criterion=criterion) for table in tables], number


def _thresholds(columns, feature, rank, next_rank):
    """Return the midpoints between the values on both sides of each split; (n_nodes,)."""
    threshold = np.where(feature == UNDEFINED, float(UNDEFINED), np.nan)
    for j in np.unique(feature):
        if j != UNDEFINED and not columns.n_levels[j]:
            here = np.flatnonzero(feature == j)
            threshold[here] = midpoint(*columns.beside(j, rank[here], next_rank[here]))
    return threshold
