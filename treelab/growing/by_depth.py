"""Growing trees, a level at a time.

All open nodes of a depth are searched at once (`treelab.growing.splits`); the rows of those
that find a cut move to its two sides and form the next level. The open nodes may belong
to one tree or to a hundred: a forest is a level with many roots. When no node is open,
the levels are put in the order of a `Tree`: each node, then its left subtree, then its
right one.

Vocabulary
----------
n, p : rows and features; M : open nodes of a level; m : their rows
root : first node of a tree: its rows, and how often each is copied (a bootstrap sample)
pure : all targets of a node are the same; a pure node is a leaf
gain : drop in total impurity, weight times impurity
"""

from dataclasses import dataclass

import numpy as np

from treelab.growing.best_first import BestFirst
from treelab.growing.frontier import Level, describe
from treelab.growing.splits import TIE, Cuts, midpoint, search
from treelab.growing.tables import split_table
from treelab.tree import LEAF, UNDEFINED, Tree
from treelab.tree.arrays import pick, spread

CELLS = 1 << 16  # rows times features searched at once, so that they stay in the cache

__all__ = ["Limits", "best_cuts", "grow", "grow_and_place", "split_table"]


@dataclass(frozen=True)
class Limits:
    """When to stop, and how many features a node may try."""

    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0  # share of the root's weight times impurity
    max_features: int | None = None  # None: all, in the order of the columns
    max_leaf_nodes: int | None = None  # None: no limit; else the largest gains come first


def grow(columns, targets, limits=Limits(), roots=None, generators=None):  # noqa: B008
    """Grow one tree from each root.

    Parameters
    ----------
    columns : treelab.growing.frontier.Columns
    targets : treelab.growing.frontier.Targets
    limits : Limits, default=Limits()
    roots : list of (rows, copies), default=None
        Row numbers of each root, and how often each row counts, (n_root,) both; copies
        may be None. None grows one tree on all rows.
    generators : list of numpy.random.Generator, default=None
        One for each root, to draw the candidates of its nodes and their order. None tries all
        features in the order of the columns.

    Returns
    -------
    list of Tree
        The trees do not depend on which roots are grown together.
    """
    return grow_and_place(columns, targets, limits, roots, generators)[0]


def grow_and_place(columns, targets, limits, roots=None, generators=None, find=None):
    """Grow as `grow` does, and tell the leaf of each row.

    Parameters
    ----------
    columns, targets, limits, roots, generators
        As in `grow`.
    find : callable, default=None
        What finds the cuts of a level; None is `best_cuts`, whose parameters it takes.

    Returns
    -------
    trees : list of Tree
    leaf : ndarray of int, shape (n,)
        Leaf of each row of the data, for one root; -1 for a row that is not in it. With
        more roots, the leaf in the last one that holds the row.
    """
    find = best_cuts if find is None else find
    row, node, size, copies = _gather(roots, len(targets.y))
    last = np.full(len(targets.y), -1)  # leaf of each row, numbered through all levels
    n_roots = len(size)
    root = np.arange(n_roots)  # (M,) the tree that each open node belongs to
    parent = np.full(n_roots, -1)  # (M,) its parent, numbered through all levels
    levels, n_seen, above, root_weight = [], 0, None, None
    game = None if limits.max_leaf_nodes is None else BestFirst(limits.max_leaf_nodes)
    for depth in range(len(targets.y) + 1):
        level = Level(targets, row, node, copies, above, size)
        value, impurity, weight = describe(level)
        R = weight * impurity
        root_weight = weight if depth == 0 else root_weight
        open_ = (
            ~level.is_pure
            & (level.size >= max(limits.min_samples_split, 2 * limits.min_samples_leaf))
            & (depth < limits.max_depth)
        )
        cuts = find(columns, level, open_, R, limits, root, generators)
        enough = limits.min_impurity_decrease * root_weight[root] - TIE * R
        splits = (cuts.feature >= 0) & (cuts.gain >= enough)
        if game is not None:
            splits = game.add(root, parent, np.where(splits, cuts.gain, -np.inf))
        if not splits.any():
            last[row] = n_seen + node
        elif not splits.all():
            stay = np.flatnonzero(~level.spread(splits))
            last[pick(row, stay)] = n_seen + pick(node, stay)
        row, node, size, copies, left = _move(columns, level, cuts, splits)
        levels.append(
            {
                "root": root,
                "parent": parent,
                "feature": np.where(splits, cuts.feature, UNDEFINED),
                "rank": cuts.rank,
                "next_rank": cuts.next_rank,
                "left_levels": left & splits[:, None],
                "value": value,
                "impurity": impurity,
                "n_node_samples": level.size,
                "weighted_n_node_samples": weight,
            }
        )
        if not splits.any():
            break
        root = np.repeat(root[splits], 2)
        above = np.repeat(np.flatnonzero(splits), 2)
        parent = n_seen + above
        n_seen += len(splits)
    trees, number = _assemble(levels, n_roots, columns, targets.criterion)
    if game is not None:
        trees, number = game.cut_back(trees, number)
    return trees, np.append(number, -1)[last]


def _gather(roots, n):
    """Rows of all roots one after the other, the root of each, sizes, and copies."""
    if roots is None:
        return np.arange(n), np.zeros(n, dtype=int), np.array([n]), None
    rows, copies = zip(*roots, strict=True)
    size = np.array([len(r) for r in rows])
    node = np.repeat(np.arange(len(roots)), size)
    copies = None if copies[0] is None else np.concatenate(copies)
    return np.concatenate(rows), node, size, copies


def best_cuts(columns, level, open_, R, limits, root, generators):
    """The best cut of every open node over the features that it tries.

    Where none of a node's `max_features` candidates can be cut, it draws on until one
    can, as scikit-learn's trees do.

    Parameters
    ----------
    columns, level, limits
        As in `grow`.
    open_ : ndarray of bool, shape (M,)
        Nodes that may be split.
    R : ndarray of shape (M,)
        Total impurity of each node.
    root : ndarray of int, shape (M,)
        Tree of each node, ascending.
    generators : list of numpy.random.Generator or None

    Returns
    -------
    Cuts
    """
    p, M = len(columns.rank), len(level.size)
    m = p if limits.max_features is None else limits.max_features
    cuts = Cuts.none(M, columns.most_levels)
    nodes = np.flatnonzero(open_)
    if not len(nodes):
        return cuts
    tries = np.arange(p)[:, None]  # (p, 1): without draws, ties go to the first column
    if generators is not None:
        tries = draw_features(p, root[nodes], generators)
    part = level if len(nodes) == M else level.only(nodes)
    step = max(1, CELLS // len(part.row))
    for slot in range(0, m, step):
        these = tries[slot : min(slot + step, m)]
        found = search(columns, part, these, R[nodes], limits.min_samples_leaf)
        cuts.improve(nodes, found, TIE * R[nodes])
    for slot in range(m, p):
        left = cuts.feature[nodes] < 0
        if not left.any():
            break
        nodes, tries = nodes[left], tries[:, left]
        these = tries[slot][None]
        found = search(columns, level.only(nodes), these, R[nodes], limits.min_samples_leaf)
        cuts.improve(nodes, found, TIE * R[nodes])
    return cuts


def draw_features(p, root, generators):
    """The order in which each open node tries the features; (p, n_open).

    Every tree draws for its own nodes, from its own generator. A tie goes to the candidate
    that was drawn first, so that no column is preferred.
    """
    counts = np.bincount(root, minlength=len(generators))  # some trees may be complete
    keys = [rng.random((k, p)) for rng, k in zip(generators, counts, strict=True)]
    return np.argsort(np.concatenate(keys), axis=1).T


def _move(columns, level, cuts, splits):
    """Rows of the next level, grouped by child, sizes, copies, and the complete left levels.

    The children of the k-th node that splits are nodes 2k and 2k + 1 of the next level.
    """
    row, node, size = level.row, level.node, level.size * splits
    if not splits.any():
        return row, node, level.size, level.copies, cuts.left_levels
    here = np.arange(len(row))
    if not splits.all():
        here = np.flatnonzero(level.spread(splits))
        row, node = pick(row, here), pick(node, here)
    first = spread(cuts.feature * columns.rank.shape[1], node, size)
    rank = pick(columns.rank.ravel(), first + row)
    left = rank <= spread(cuts.rank, node, size)
    left_levels = cuts.left_levels
    categorical = splits & (columns.n_levels[cuts.feature] > 0)
    if categorical.any():
        by_level = categorical[node]
        left[by_level] = left_levels[node[by_level], rank[by_level]]
        present = np.zeros_like(left_levels)
        present[node[by_level], rank[by_level]] = True
        # A level that no row of the node has goes where most of the weight goes.
        w = level.w[here]
        W = np.bincount(node, w, len(splits))
        heavy_left = 2 * np.bincount(node, w * left, len(splits)) >= W
        left_levels = left_levels | (categorical & heavy_left)[:, None] & ~present
    number = np.cumsum(splits) - 1
    small = np.min_scalar_type(2 * len(splits))  # up to 16 bits, this is a radix sort
    child = spread((2 * number + 1).astype(small), node, size) - left
    order = np.argsort(child, kind="stable")
    size = np.bincount(child)
    copies = None if level.copies is None else pick(level.copies, here[order])
    return pick(row, order), np.repeat(np.arange(len(size)), size), size, copies, left_levels


def _thresholds(columns, feature, rank, next_rank):
    """Midpoints between the last value on the left and the first on the right; (n_nodes,)."""
    threshold = np.full(len(feature), float(UNDEFINED))
    inner = np.flatnonzero(feature != UNDEFINED)
    feature, rank, next_rank = feature[inner], rank[inner], next_rank[inner]
    threshold[inner] = np.nan
    numeric = np.flatnonzero(columns.n_levels[feature] == 0)
    beside = columns.values_beside(feature[numeric], rank[numeric], next_rank[numeric])
    threshold[inner[numeric]] = midpoint(*beside)
    return threshold


def _assemble(levels, n_roots, columns, criterion):
    """One `Tree` for each root from the record of the levels, and the number of each node."""
    bounds = np.cumsum([0] + [len(level["root"]) for level in levels])
    nodes = {name: np.concatenate([level[name] for level in levels]) for name in levels[0]}
    root, parent = nodes.pop("root"), nodes.pop("parent")
    ranks = nodes.pop("rank"), nodes.pop("next_rank")
    nodes["threshold"] = _thresholds(columns, nodes["feature"], *ranks)
    slices = [slice(a, b) for a, b in zip(bounds[1:-1], bounds[2:], strict=True)]
    # Children stand in pairs. Sizes of subtrees from the bottom up, then numbers from the
    # top down: a left child follows its parent, a right child follows the left subtree.
    size = np.ones(len(root), dtype=int)
    for level in reversed(slices):
        size[parent[level][::2]] += size[level].reshape(-1, 2).sum(axis=1)
    number = np.zeros(len(root), dtype=int)
    for level in slices:
        number[level] = number[parent[level]] + 1
        number[level][1::2] += size[level][::2]
    left, right = np.full((2, len(root)), LEAF)
    left[parent[n_roots::2]], right[parent[n_roots::2]] = (
        number[n_roots::2],
        number[n_roots + 1 :: 2],
    )
    nodes |= {"children_left": left, "children_right": right}
    first = np.cumsum(size[:n_roots]) - size[:n_roots]  # of each tree among all nodes
    order = np.empty(len(root), dtype=int)
    order[first[root] + number] = np.arange(len(root))
    trees = [
        Tree(
            **{name: array[order[a : a + k]] for name, array in nodes.items()}, criterion=criterion
        )
        for a, k in zip(first, size[:n_roots], strict=True)
    ]
    return trees, number
