"""Pruning of C4.5 trees: collapsing, error-based pruning, and pruning on held-out rows.

Collapsing needs nothing but the tree; error-based pruning guesses the errors on new cases from
the training errors, with the upper end of a confidence interval. (Quinlan's *pessimistic*
pruning of 1987 adds half an error to each leaf and needs no confidence; C4.5 does not use it.)
Reduced-error pruning counts them on rows held out: these vote, but no leaf learns from them.

Vocabulary
----------
N : weight of a node; E : weight of the rows that its majority class gets wrong
CF : confidence; the smaller, the more pessimistic and the smaller the tree
U(CF, N, E) : upper limit of the error rate; predicted errors : N * U
raising : putting a node's heaviest branch in the place of the node
"""

import numpy as np
from scipy.special import ndtri

from treelab.fast.c45.arithmetic import EPSILON, J48, RELEASE8, SLACK, f
from treelab.fast.c45.growing import Draft, run
from treelab.fast.c45.release8.growing import Release8Tree
from treelab.fast.c45.release8.pruning import predicted_errors_release8
from treelab.fast.c45.tree import Split
from treelab.fast.inputs import OneOf

__all__ = [
    "collapse",
    "error_based_pruning",
    "held_out_rows",
    "predicted_errors",
    "reduced_error_pruning",
    "upper_limit",
]

MARGIN = 0.1  # errors by which a smaller tree may be worse and still be preferred


def collapse(tree):
    """Turn every node into a leaf whose subtree gets no more training rows right.

    Takes and returns a `MultiwayTree`. Quinlan's release 8 does so, whatever its options.
    """
    if isinstance(tree, Release8Tree):
        wrong, below = f(tree.weight - tree.sums.max(axis=1)), tree.errors
    else:
        wrong = tree.sums.sum(axis=1) - tree.sums.max(axis=1)
        below = tree.subtree_sum(wrong)
    return tree.collapse(np.flatnonzero((below >= wrong - EPSILON) & ~tree.is_leaf))


# --- predicted errors ----------------------------------------------------------------


def predicted_errors(weight, errors, confidence=0.25, variant="j48"):
    """Predict the number of errors on new data: N * U(CF, N, E).

    U is the upper end of a one-sided confidence interval for the error rate, Wilson's
    interval with a correction for continuity. With E = 0 it is exact, 1 - CF**(1/N), with
    0 < E < 1 a straight line runs between the two, and a node that gets all but half a
    row wrong is taken to get all wrong. That is J48. Release 8 takes the point z of the normal
    distribution from a table of eight values, by straight lines: 0.6925 instead of 0.6745 at
    the usual confidence. Where all but half a row is wrong, it adds 0.67 of those right.

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

    References
    ----------
    Quinlan (1993), C4.5, section 4.2; Wilson (1927) for the interval.

    Examples
    --------
    >>> round(predicted_errors(6, 0) / 6, 5), round(predicted_errors(16, 1) / 16, 5)
    (0.2063, 0.15473)
    >>> round(predicted_errors(16, 1, variant="release8") / 16, 5)
    0.15668
    """
    OneOf("j48", "release8").check("variant", variant)
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
    """Compute `predicted_errors` of checked numbers."""
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
    """Return U(CF, N, E), the predicted error rate; parameters as in `predicted_errors`.

    >>> round(upper_limit(14, 5), 5), round(upper_limit(16, 1, variant="release8"), 4)
    (0.48294, 0.1567)
    """
    return predicted_errors(weight, errors, confidence, variant) / weight


def expected(sums, confidence, N=None, arithmetic=J48):
    """Return the predicted errors of a node with these class sums, 0 for an empty one.

    N is the sum of the sums, if None; in 32 bits it can be another.
    """
    N = float(sums.sum()) if N is None else N
    if N <= arithmetic.slack:
        return 0.0
    wrong = N - float(sums.max())
    if arithmetic is RELEASE8:
        return predicted_errors_release8(N, wrong, f(f(100 * confidence) / 100))
    wrong = max(wrong, 0.0)
    return float(_predicted(N, wrong, float(np.float32(confidence))))


# --- error-based pruning -------------------------------------------------------------


def thaw(tree):
    """Turn a tree into `Draft` nodes that can be changed; return the root."""
    facts = zip(tree.nodes, tree.predicted_class, strict=True)
    drafts = [Draft(node.sums, int(k), 0.0, 0.0) for node, k in facts]
    for draft, node in zip(drafts, tree.nodes, strict=True):
        if isinstance(node, Split):
            draft.split = (node.test, node.gain, node.ratio)
            draft.branches = [drafts[c] for c in node.children]
    return drafts[0]


def error_based_pruning(tree, cases, confidence=0.25, raising=True):
    """Prune by predicted errors, from the bottom up (Quinlan 1993, C4.5, chapter 4).

    A node becomes a leaf if the leaf is expected to make at most 0.1 errors more than the
    subtree, and than the heaviest branch alone. Otherwise, with `raising`, that branch takes
    the node's place if it is expected to make at most 0.1 errors more than the subtree; it
    then gets all cases of the node and is pruned again.

    Parameters
    ----------
    tree : MultiwayTree
    cases : Cases
        What the tree was grown on.
    confidence : float, default=0.25
    raising : bool, default=True
    """
    arithmetic = cases.arithmetic
    margin = MARGIN + arithmetic.slack

    def expected_errors(sums, N):
        return expected(sums, confidence, N, arithmetic)

    def prune(node, here):  # returns the predicted errors of what is left
        node.sums, node.N = cases.count(here)
        if node.sums[node.label] < node.sums.max():  # of equal classes it keeps its own
            node.label = int(node.sums.argmax())
        node.E = as_leaf = expected_errors(node.sums, node.N)
        if not node.branches:
            return as_leaf
        as_tree, as_branch, sizes = 0.0, np.inf, []
        for branch, (size, part) in zip(
            node.branches, cases.distribute(here, node.split[0]), strict=True
        ):
            as_tree = arithmetic.round(as_tree + (yield prune(branch, part)))
            sizes.append(size)
        if raising:
            heaviest = node.branches[heaviest_branch(sizes, arithmetic.slack)]
            as_branch = yield errors_below(heaviest, here)
        if as_leaf <= min(as_tree, as_branch) + margin:
            node.branches = []
            return as_leaf
        if as_branch <= as_tree + margin:
            node.become(heaviest)
            return (yield prune(node, here))
        return as_tree

    def errors_below(node, here):  # had the node these cases
        if not node.branches:
            return expected_errors(*cases.count(here))
        total = 0.0
        for branch, (_, part) in zip(
            node.branches, cases.distribute(here, node.split[0]), strict=True
        ):
            total = arithmetic.round(total + (yield errors_below(branch, part)))
        return total

    root = thaw(tree)
    run(prune(root, cases.at_root()))
    return cases.tree(root)


def heaviest_branch(sizes, slack=SLACK):
    """Return the number of the heaviest branch, the last one within the slack.

    >>> heaviest_branch([2.0, 5.0, 5.0, 1.0])
    2
    """
    return int(np.flatnonzero(np.asarray(sizes) >= max(sizes) - slack)[-1])


# --- reduced-error pruning -----------------------------------------------------------


def reduced_error_pruning(tree, table, y, weights=None, keep_unreached=False):
    """Prune by the errors on rows that growth has not seen (Quinlan 1987, section 2.2).

    From the bottom up, a node becomes a leaf if as a leaf it gets no more of these rows wrong
    than its subtree does. Its answer is still that of the rows it grew on.

    Parameters
    ----------
    tree : MultiwayTree
    table, y : ndarray
        The rows, category codes and numbers, and their class codes.
    weights : ndarray, default=None
    keep_unreached : bool, default=False
        Leave a node as it is when no held-out row reaches it.
    """
    wrong, reached = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    answer = tree.predicted_class
    for t, rows, w in tree.descend(table, weights):
        wrong[t], reached[t] = w[y[rows] != answer[t]].sum(), w.sum()
    best = wrong.copy()  # errors of each subtree once it is pruned
    as_leaf = []
    for t in np.flatnonzero(~tree.is_leaf)[::-1]:
        below = sum(best[c] for c in tree.nodes[t].children)
        if wrong[t] <= below + SLACK and (reached[t] > 0 or not keep_unreached):
            as_leaf.append(t)
        best[t] = min(wrong[t], below)
    return tree.collapse(as_leaf)


def held_out_rows(y, n_folds):
    """Return the rows that J48's reduced-error pruning holds out: one stratified fold.

    The rows of a class are brought together by swaps, as Weka does it, and distributed in turn to
    `n_folds` folds; the last fold is held out, in a mask. Nothing is drawn at random.

    >>> held_out_rows(np.array([0, 1, 0, 0, 1, 1]), 3).tolist()
    [False, False, False, True, False, True]
    """
    n = len(y)
    if not 2 <= n_folds <= n:
        raise ValueError(f"n_folds must be at least 2 and at most n_samples = {n}, got {n_folds}.")
    order, start = list(range(n)), 0
    while start < n:
        end = start + 1
        for j in range(end, n):
            if y[order[j]] == y[order[start]]:
                order[end], order[j] = order[j], order[end]
                end += 1
        start = end
    distributed = [i for first in range(n_folds) for i in order[first::n_folds]]
    out = np.zeros(n, dtype=bool)
    out[distributed[n - n // n_folds :]] = True
    return out
