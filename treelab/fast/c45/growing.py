"""Growth of a multiway tree: choose a split, distribute the rows, continue with each branch.

Growth is the same for all trees of the chapter; only the choice of a split differs, and, in
Release 8, how the rows of a node are kept. A tree in the making consists of `Draft` nodes,
which pruning changes too; then it is frozen.

Vocabulary
----------
here : the cases of a node, rows with weights, as a `Cases` hands them out and takes them
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treelab.fast.c45.arithmetic import J48, RELEASE8
from treelab.fast.c45.gain_ratio import candidates, choose, find_numeric_splits
from treelab.fast.c45.splits import distribute
from treelab.fast.c45.tree import Leaf, MultiwayTree, Split

__all__ = ["Cases", "Draft", "Rules", "Training", "frozen", "grow", "grow_c45", "preorder", "run"]

MANY = 0.3  # a feature with this many categories per training row has "many" categories


@dataclass(frozen=True)
class Rules:
    """Rules of growth, named as the parameters of `C45Classifier`."""

    variant: str = "j48"
    criterion: str = "gain_ratio"
    min_samples_leaf: float = 2
    average_gain: bool = True
    mdl_correction: bool = True
    cut: str = "data"
    boundary_only: bool = False
    adaptive_min_leaf: bool = True

    @property
    def arithmetic(self):
        """The numbers that the program computes with."""
        return RELEASE8 if self.variant == "release8" else J48


@dataclass(frozen=True)
class Training:
    """Training data of a multiway tree, including rows that are held out."""

    table: np.ndarray  # (n_rows, n_features), category codes and numbers, NaN where unknown
    y: np.ndarray  # (n_rows,), class codes
    n_classes: int
    n_levels: list  # declared categories of each feature, 0 for a numeric one

    @cached_property
    def numeric(self):
        """Columns of the numeric features."""
        return np.flatnonzero(np.equal(self.n_levels, 0))

    @cached_property
    def nominal(self):
        """Columns of the nominal features."""
        return np.flatnonzero(self.n_levels)

    @cached_property
    def values(self):
        """Sorted distinct known numbers of each numeric feature, by column."""
        columns = {j: self.table[:, j] for j in self.numeric}
        return {j: np.unique(x[~np.isnan(x)]) for j, x in columns.items()}

    @cached_property
    def first_level(self):
        """Position of the first category of each nominal feature if all categories stand in one
        row."""
        return np.cumsum([0, *np.array(self.n_levels)[self.nominal]])[:-1]

    @cached_property
    def all_levels(self):
        """Position of each row's category in that row of categories, its end if missing."""
        place = self.table[:, self.nominal] + self.first_level
        return np.where(np.isnan(place), sum(self.n_levels), place).astype(np.intp)

    def sums(self, rows, w):
        """Return the weight of each class among `rows`; shape (n_classes,)."""
        return np.bincount(self.y[rows], w, minlength=self.n_classes)

    def many(self, j):
        """Return whether feature `j` has many categories for so few rows."""
        return self.n_levels[j] >= MANY * len(self.table)


class Cases:
    """Rows of the nodes and their weights, a pair (rows, w) for each node.

    Parameters
    ----------
    data : Training
        Or what else has a table and sums.
    weights : ndarray of shape (n_rows,)
        Rows of weight 0 are left out.
    numeric : bool, default=False
        True where the tree predicts numbers.
    """

    arithmetic = J48

    def __init__(self, data, weights, numeric=False):
        self.data, self.weights, self.numeric = data, weights, numeric

    def at_root(self):
        """Return the rows of the root."""
        rows = np.flatnonzero(self.weights > 0)
        return self.at(rows, self.weights[rows])

    def at(self, rows, w):
        """Return the rows of a node that `rows` reach with weights `w`."""
        return rows, w

    def count(self, here):
        """Return the weight of each class, (n_classes,), and the total weight."""
        return self.data.sums(*here), float(here[1].sum())

    def distribute(self, here, test, N=None):
        """Distribute the rows over the branches; yields the weight and the rows of each."""
        for part in distribute(test, self.data.table, *here):
            yield part[1].sum(), part

    def candidates(self, here, rules):
        """List the candidate splits of the features, in the order of the columns."""
        return candidates(self.data, *here, rules)

    def cuts(self, here, j, rules):
        """Find the splits of numeric feature `j` that the rules allow; `NumericSplits`."""
        return find_numeric_splits(self.data, *here, np.array([j]), rules)

    def tree(self, root):
        """Return the tree below a `Draft`, frozen."""
        return MultiwayTree(frozen(preorder(root)), self.numeric)


@dataclass
class Draft:
    """Node of a tree under construction; a leaf as long as it has no branches."""

    sums: np.ndarray
    label: int  # the heaviest class; where the node is empty, the one above
    N: float
    E: float  # errors of the leaf, on the training rows or predicted
    split: tuple = ()  # (test, gain, ratio)
    branches: list = field(default_factory=list)

    def become(self, other):
        """Take over all attributes of `other`."""
        self.__dict__.update(other.__dict__)


def preorder(root):
    """List the drafts of a tree, each before its branches; list of Draft."""
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(found[-1].branches)
    return found


def frozen(drafts):
    """Turn drafts in preorder into nodes of a `MultiwayTree`; tuple of Leaf and Split."""
    number = {id(draft): t for t, draft in enumerate(drafts)}

    def freeze(draft):
        if not draft.branches:
            return Leaf(draft.sums)
        test, *found = draft.split
        return Split(draft.sums, test, tuple(number[id(b)] for b in draft.branches), *found)

    return tuple(map(freeze, drafts))


def run(call):
    """Run a recursive generator, which yields its calls, so that a deep tree needs no stack."""
    calls, result = [call], None
    while calls:
        try:
            calls.append(calls[-1].send(result))
            result = None
        except StopIteration as end:
            calls.pop()
            result = end.value
    return result


def grow(cases, choose_split):
    """Grow a tree on some `Cases`; MultiwayTree.

    ``choose_split(here, sums, N)`` returns a test, its gain and its ratio, or None for a leaf.
    """

    def grow_node(here, above=0):
        sums, N = cases.count(here)
        label = int(sums.argmax()) if N > 0 else above
        node = Draft(sums, label, N, N - sums[label], choose_split(here, sums, N) or ())
        if node.split:
            for _, part in cases.distribute(here, node.split[0], N):
                node.branches.append((yield grow_node(part, label)))
        return node

    return cases.tree(run(grow_node(cases.at_root())))


def is_finished(sums, N=None, least=0.0, arithmetic=J48):
    """Return whether a node is pure, or lighter than `least`; N is the sum of the sums if None."""
    N = sums.sum() if N is None else N
    slack = arithmetic.slack
    return N < least - slack or abs(arithmetic.round(N - sums.max())) <= slack


def grow_c45(cases, rules):
    """Grow a C4.5 tree on some `Cases` (Release 8 has its own) by `Rules`."""

    def choose_split(here, sums, N):
        if is_finished(sums, N, 2 * rules.min_samples_leaf, rules.arithmetic):
            return None
        best = choose(cases.data, cases.candidates(here, rules), rules)
        return best and (best.test, best.gain, best.ratio)

    return grow(cases, choose_split)
