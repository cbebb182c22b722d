"""Growing a multiway tree: ask, deal the rows, go on with each branch.

Growth is the same for all three trees of the chapter; only `choose`, which looks at the
rows of a node and returns its question, differs.

Vocabulary
----------
rows, w : row numbers of a node and the weight each has there
waiting : nodes that are still to be looked at, the next one last
"""

import numpy as np

from treelab.c45.choosing import choose
from treelab.c45.gain_ratio import offers
from treelab.c45.splits import SLACK, deal
from treelab.c45.tree import Leaf, MultiwayTree, Split

__all__ = ["grow", "grow_c45", "is_finished"]


def grow(table, weights, sums_of, choose_question, numeric=False):
    """Grow a tree.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_features)
        Level codes and numbers, NaN where unknown.
    weights : ndarray of shape (n_rows,)
        Rows of weight 0 are left out.
    sums_of : callable (rows, w) -> ndarray of shape (n_sums,)
    choose_question : callable (rows, w, sums) -> (test, gain, ratio) or None
        None makes a leaf.
    numeric : bool, default=False
        As in `MultiwayTree`.

    Returns
    -------
    MultiwayTree
    """
    rows = np.flatnonzero(weights > 0)
    nodes = []  # (sums, question or None, numbers of the children)
    waiting = [(rows, weights[rows], None)]
    while waiting:
        rows, w, parent = waiting.pop()
        t = len(nodes)
        if parent is not None:
            nodes[parent][2].append(t)
        sums = sums_of(rows, w)
        question = choose_question(rows, w, sums)
        nodes.append((sums, question, []))
        if question is not None:
            groups = deal(question[0], table, rows, w)
            waiting.extend((*group, t) for group in reversed(groups))
    frozen = [
        Leaf(sums) if question is None else Split(sums, question[0], tuple(below), *question[1:])
        for sums, question, below in nodes
    ]
    return MultiwayTree(tuple(frozen), numeric)


def is_finished(sums, least=0.0):
    """Whether a node is pure, or lighter than `least`."""
    total = sums.sum()
    return total < least - SLACK or total - sums.max() < SLACK


def grow_c45(data, weights, rules):
    """Grow a C4.5 tree.

    Parameters
    ----------
    data : Training
    weights : ndarray of shape (n_rows,)
    rules : Rules

    Returns
    -------
    MultiwayTree
    """

    def question(rows, w, sums):
        if is_finished(sums, 2 * rules.min_samples_leaf):
            return None
        made = offers(data, rows, w, rules)
        best = choose(data, made, rules)
        return None if best is None else (best.test, best.net_gain, best.ratio)

    return grow(data.table, weights, data.sums, question)
