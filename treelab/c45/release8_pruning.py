"""Error-based pruning as C4.5 Release 8 does it: its table of z, its limits, its order.

Vocabulary
----------
CF : confidence; z : the point of the normal distribution with CF above it
N, e : weight of a node, and of its rows that the heaviest class gets wrong
U(N, e) : predicted errors, e and what is added to it
"""

import math

from treelab.c45.release8 import Release8Tree, f, fsum, run

__all__ = ["predicted_errors_release8", "prune_release8"]

MARGIN = 0.1  # errors by which a smaller tree may be worse and still be preferred
CF_TABLE = [0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0]
Z_TABLE = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0]


def z_of(CF):
    """z by a straight line between two entries of the table; in 32 bits.

    >>> round(z_of(0.25), 4)
    0.6925
    """
    i = next(i for i, limit in enumerate(CF_TABLE) if f(limit) >= CF)
    (V0, V1), (D0, D1) = map(f, CF_TABLE[i - 1 : i + 1]), map(f, Z_TABLE[i - 1 : i + 1])
    return f(D0 + f(f(f(D1 - D0) * f(CF - V0)) / f(V1 - V0)))


def added_errors(N, e, CF):
    """What is added to e errors among N rows; below 0 where half a row is wrong or less."""
    if e < 0.9999:
        none = f(N * (1 - math.exp(math.log(CF) / N)))
        return none if e < 1e-6 else f(none + f(e * f(added_errors(N, 1.0, CF) - none)))
    if e + 0.5 >= N:
        return f(0.67 * f(N - e))
    z2 = f(z_of(CF) ** 2)
    root = math.sqrt(z2 * ((e + 0.5) * (1 - (e + 0.5) / N) + f(z2 / 4)))
    return f(f(N * f((e + 0.5 + f(z2 / 2) + root) / f(N + z2))) - e)


def predicted_errors_release8(N, e, CF):
    """U(N, e) at confidence CF: errors to expect among N new rows like those of a node.

    >>> round(predicted_errors_release8(16.0, 1.0, 0.25), 5)
    2.50689
    """
    return f(e + added_errors(f(N), f(e), f(CF)))


def prune_release8(tree, rows, CF):
    """Prune a tree by predicted errors, from the bottom up, with subtree raising.

    Parameters
    ----------
    tree : Release8Tree
    rows : Rows
        What it was grown on.
    CF : float

    Returns
    -------
    Release8Tree

    References
    ----------
    Quinlan (1993), C4.5, chapter 4, and its program, release 8 (1996).
    """
    root = tree.draft()
    CF = f(f(100 * CF) / 100)
    rows.w[:] = 1
    run(_prune_node(rows, root, rows.all, CF))
    return Release8Tree.of(root)


def _prune_node(rows, node, stretch, CF):
    """Prune below a node that these rows reach; its predicted errors, a generator for `run`."""
    sums, N = rows.sums(stretch), fsum(rows.w[stretch])
    if sums[node.label] < sums.max():
        node.label = int(sums.argmax())
    node.sums, node.N = sums, N
    node.E = as_leaf = predicted_errors_release8(N, f(N - sums.max()), CF)
    if not node.branches:
        return as_leaf
    as_tree, largest, heaviest = 0.0, 0.0, node.branches[0]
    for branch, (share, here) in zip(node.branches, rows.deal(stretch, node.asks[0]), strict=True):
        if here is not None:
            as_tree = f(as_tree + (yield _prune_node(rows, branch, here, CF)))
            if share >= largest:
                largest, heaviest = share, branch
    as_branch = yield _errors_below(rows, heaviest, stretch, CF)
    if as_leaf <= as_branch + MARGIN and as_leaf <= as_tree + MARGIN:
        node.become_leaf()
        return as_leaf
    if as_branch <= as_tree + MARGIN:
        node.become(heaviest)
        return (yield _prune_node(rows, node, stretch, CF))
    node.E = as_tree
    return as_tree


def _errors_below(rows, node, stretch, CF):
    """Predicted errors of the leaves below a node, had it these rows; for `run`."""
    if not node.branches:
        N = fsum(rows.w[stretch])
        return predicted_errors_release8(N, f(N - rows.sums(stretch).max()), CF)
    total = 0.0
    for branch, (_, here) in zip(node.branches, rows.deal(stretch, node.asks[0]), strict=True):
        if here is not None:
            total = f(total + (yield _errors_below(rows, branch, here, CF)))
    return total
