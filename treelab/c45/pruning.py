"""Cutting a C4.5 tree back without fresh rows: collapse, and error-based pruning.

Each function maps a tree to a smaller one. Collapsing needs nothing but the tree; error-based
pruning guesses the errors on new cases from the training errors, with the upper end of a
confidence interval. (Quinlan's *pessimistic* pruning of 1987 adds half an error to each leaf
and needs no confidence; C4.5 does not use it.) What is here is J48's; what the program itself
does differently is in `treelab.c45.release8_pruning`.

Vocabulary
----------
N : weight of a node; E : weight of the rows that its majority class gets wrong
CF : confidence; the smaller, the more pessimistic and the smaller the tree
U(CF, N, E) : upper limit of the error rate; predicted errors : N * U
raising : putting a node's heaviest branch in the place of the node
"""

import numpy as np
from scipy.special import ndtri

from treelab.c45.release8_pruning import predicted_errors_release8
from treelab.c45.splits import SLACK, deal
from treelab.c45.tree import Leaf, MultiwayTree, Split

__all__ = [
    "collapse",
    "error_based_pruning",
    "predicted_errors",
    "upper_limit",
]

MARGIN = 0.1  # errors by which a smaller tree may be worse and still be preferred


def errors(sums):
    """Weight that the majority class gets wrong; shape (...)."""
    return np.sum(sums, axis=-1) - np.max(sums, axis=-1)


def collapse(tree):
    """Make a leaf of every node whose subtree gets no more training rows right.

    Parameters
    ----------
    tree : MultiwayTree

    Returns
    -------
    MultiwayTree

    References
    ----------
    Quinlan, C4.5 release 8.
    """
    wrong = errors(tree.sums)
    useless = tree.subtree_sum(wrong) >= wrong - 1e-3
    return tree.collapse(np.flatnonzero(useless & ~tree.is_leaf))


def predicted_errors(weight, errors, confidence=0.25, variant="j48"):
    """How many errors to expect among new cases: N * U(CF, N, E).

    U is the upper end of a one-sided confidence interval for the error rate, Wilson's
    interval with a correction for continuity. With E = 0 it is exact, 1 - CF**(1/N), with
    0 < E < 1 a straight line runs between the two, and a node that gets all but half a
    row wrong is taken to get all wrong.

    That is J48. Release 8 takes the point z of the normal distribution from a table of eight
    values, by straight lines: 0.6925 instead of 0.6745 at the usual confidence. Where all but
    half a row is wrong, it adds 0.67 of the rows that are right.

    Parameters
    ----------
    weight : float
        N, weight of the training rows in the node, above 0.
    errors : float
        E, weight of those that the majority class gets wrong, from 0 to N.
    confidence : float, default=0.25
        CF, above 0 and at most 0.5 (1 with "release8"). Read in single precision.
    variant : {"j48", "release8"}, default="j48"

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a number is out of its range.

    References
    ----------
    Quinlan (1993), C4.5, section 4.2; Wilson (1927) for the interval.

    Examples
    --------
    Six rows, none wrong; then sixteen, one wrong:

    >>> round(predicted_errors(6, 0) / 6, 5), round(predicted_errors(16, 1) / 16, 5)
    (0.2063, 0.15473)
    >>> round(predicted_errors(16, 1, variant="release8") / 16, 5)
    0.15668
    """
    if variant not in ("j48", "release8"):
        raise ValueError(f"variant must be 'j48' or 'release8', got {variant!r}.")
    most = 0.5 if variant == "j48" else 1
    if not 0 < confidence <= most:
        raise ValueError(f"confidence must be above 0 and at most {most}, got {confidence!r}.")
    if not 0 < weight < np.inf:
        raise ValueError(f"weight must be above 0 and finite, got {weight!r}.")
    if not 0 <= errors <= weight:
        raise ValueError(f"errors must be from 0 to weight = {weight}, got {errors!r}.")
    if variant == "release8":
        return predicted_errors_release8(weight, errors, confidence)
    return float(_predicted(float(weight), float(errors), float(np.float32(confidence))))


def _predicted(N, E, CF):
    """`predicted_errors` on checked numbers."""
    if E < 1:
        none = N * (1 - CF ** (1 / N))
        return none if E == 0 else none + E * (_predicted(N, 1.0, CF) - none)
    if E + 0.5 >= N:
        return max(N, E)
    z = ndtri(1 - CF)
    f = (E + 0.5) / N
    half = z * np.sqrt(f / N - f * f / N + z * z / (4 * N * N))
    return N * (f + z * z / (2 * N) + half) / (1 + z * z / N)


def upper_limit(weight, errors, confidence=0.25, variant="j48"):
    """U(CF, N, E), the error rate to expect; parameters as in `predicted_errors`.

    >>> round(upper_limit(14, 5), 5), round(upper_limit(16, 1, variant="release8"), 4)
    (0.48294, 0.1567)
    """
    return predicted_errors(weight, errors, confidence, variant) / weight


def expected(sums, confidence):
    """Predicted errors of a node with these class sums, 0 for an empty one."""
    N = float(sums.sum())
    if N < SLACK:
        return 0.0
    wrong = max(N - float(sums.max()), 0.0)
    return float(_predicted(N, wrong, float(np.float32(confidence))))


class Draft:
    """A tree whose nodes still change, with the training rows of each.

    Only `error_based_pruning` uses it: raising deals rows anew, so nodes must know theirs.
    """

    def __init__(self, tree, data, weights):
        self.data = data
        self.nodes = list(tree.nodes)
        self.rows = [None] * tree.n_nodes  # (rows, weights) of each node
        start = np.flatnonzero(weights > 0)
        self.refill(0, start, weights[start])

    def refill(self, t, rows, w):
        """Deal `rows` to the nodes under `t`, and count their classes anew."""
        waiting = [(t, rows, w)]
        while waiting:
            t, rows, w = waiting.pop()
            self.rows[t] = (rows, w)
            node, sums = self.nodes[t], self.data.sums(rows, w)
            if isinstance(node, Leaf):
                self.nodes[t] = Leaf(sums)
                continue
            self.nodes[t] = Split(sums, node.test, node.children, node.gain, node.ratio)
            groups = deal(node.test, self.data.table, rows, w)
            waiting += [(c, *group) for c, group in zip(node.children, groups, strict=True)]

    def errors_if_refilled(self, t, rows, w, confidence):
        """Predicted errors of the subtree at `t`, were `rows` the rows of its root."""
        total, waiting = 0.0, [(t, rows, w)]
        while waiting:
            t, rows, w = waiting.pop()
            node = self.nodes[t]
            if isinstance(node, Leaf):
                total += expected(self.data.sums(rows, w), confidence)
            else:
                groups = deal(node.test, self.data.table, rows, w)
                waiting += [(c, *group) for c, group in zip(node.children, groups, strict=True)]
        return total

    def below(self, t):
        """The nodes of the subtree at `t` in preorder."""
        found, waiting = [], [t]
        while waiting:
            t = waiting.pop()
            found.append(t)
            if isinstance(self.nodes[t], Split):
                waiting.extend(reversed(self.nodes[t].children))
        return found

    def freeze(self):
        """The tree as it is now."""
        kept = self.below(0)
        number = {t: i for i, t in enumerate(kept)}
        nodes = []
        for t in kept:
            node = self.nodes[t]
            if isinstance(node, Split):
                children = tuple(number[c] for c in node.children)
                node = Split(node.sums, node.test, children, node.gain, node.ratio)
            nodes.append(node)
        return MultiwayTree(tuple(nodes))


def error_based_pruning(tree, data, weights, confidence=0.25, raising=True):
    """Prune by predicted errors, from the bottom up.

    A node becomes a leaf if the leaf is expected to make at most 0.1 errors more than the
    subtree, and than the heaviest branch alone. Otherwise, with `raising`, that branch takes
    the node's place if it is expected to make at most 0.1 errors more than the subtree; it
    then gets all rows of the node and is pruned again.

    Parameters
    ----------
    tree : MultiwayTree
    data : Training
        What the tree was grown on.
    weights : ndarray of shape (n_rows,)
    confidence : float, default=0.25
    raising : bool, default=True

    Returns
    -------
    MultiwayTree

    References
    ----------
    Quinlan (1993), C4.5, chapter 4.
    """
    draft = Draft(tree, data, weights)
    nodes = draft.nodes
    price = {}  # predicted errors of the subtrees looked at so far
    pending = draft.below(0)  # taken from the end: children before parents
    while pending:
        t = pending.pop()
        node = nodes[t]
        as_leaf = expected(node.sums, confidence)
        if isinstance(node, Leaf):
            price[t] = as_leaf
            continue
        as_tree = sum(price[c] for c in node.children)
        sizes = [nodes[c].sums.sum() for c in node.children]
        heaviest = node.children[heaviest_branch(sizes)]
        as_branch = np.inf
        if raising:
            as_branch = draft.errors_if_refilled(heaviest, *draft.rows[t], confidence)
        if as_leaf <= min(as_tree, as_branch) + MARGIN + SLACK:
            nodes[t], price[t] = Leaf(node.sums), as_leaf
        elif as_branch <= as_tree + MARGIN + SLACK:
            nodes[t] = nodes[heaviest]
            draft.refill(t, *draft.rows[t])
            pending += draft.below(t)
        else:
            price[t] = as_tree
    return draft.freeze()


def heaviest_branch(sizes):
    """Number of the heaviest branch, the last one within the slack, as in J48.

    >>> heaviest_branch([2.0, 5.0, 5.0, 1.0])
    2
    """
    sizes = np.asarray(sizes)
    return int(np.flatnonzero(sizes >= sizes.max() - SLACK)[-1])
