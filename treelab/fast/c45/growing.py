"""Growing a multiway tree: choose a split, deal the cases, go on with each branch.

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
from treelab.fast.c45.gain_ratio import choose, find_cuts, offers
from treelab.fast.c45.splits import deal
from treelab.fast.c45.tree import Leaf, MultiwayTree, Split

__all__ = ["Cases", "Draft", "Rules", "Training", "frozen", "grow", "grow_c45", "preorder", "run"]

MANY = 0.3  # an attribute with this many levels per training row has "many" levels


@dataclass(frozen=True)
class Rules:
    """The rules of growth, named as `C45Classifier`'s parameters."""

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
    """The training data as growth reads them, rows that are held out included."""

    table: np.ndarray  # (n_rows, n_features), level codes and numbers, NaN where unknown
    y: np.ndarray  # (n_rows,), class codes
    n_classes: int
    n_levels: list  # declared levels of each feature, 0 for a numeric one

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
        """The sorted distinct known numbers of each numeric feature, by column."""
        columns = {j: self.table[:, j] for j in self.numeric}
        return {j: np.unique(x[~np.isnan(x)]) for j, x in columns.items()}

    @cached_property
    def first_level(self):
        """Where each nominal feature begins when all levels stand in one row."""
        return np.cumsum([0, *np.array(self.n_levels)[self.nominal]])[:-1]

    @cached_property
    def all_levels(self):
        """Place of each row's level in that row of levels, its end where unknown."""
        place = self.table[:, self.nominal] + self.first_level
        return np.where(np.isnan(place), sum(self.n_levels), place).astype(np.intp)

    def sums(self, rows, w):
        """Weight of each class among `rows`; shape (n_classes,)."""
        return np.bincount(self.y[rows], w, minlength=self.n_classes)

    def many(self, j):
        """Whether feature `j` has many levels for so few rows."""
        return self.n_levels[j] >= MANY * len(self.table)


class Cases:
    """The rows of the nodes and their weights, a pair (rows, w) for each node.

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
        """The cases of the root."""
        rows = np.flatnonzero(self.weights > 0)
        return self.at(rows, self.weights[rows])

    def at(self, rows, w):
        """The cases of a node that `rows` reach with weights `w`."""
        return rows, w

    def count(self, here):
        """Weight of each class, (n_classes,), and of all."""
        return self.data.sums(*here), float(here[1].sum())

    def deal(self, here, test, N=None):
        """Deal the cases to the branches; yields the weight and the cases of each."""
        for part in deal(test, self.data.table, *here):
            yield part[1].sum(), part

    def offers(self, here, rules):
        """What the attributes offer, in the order of the columns; list of Offer."""
        return offers(self.data, *here, rules)

    def cuts(self, here, j, rules):
        """The cuts of numeric attribute `j` that the rules allow; Cuts."""
        return find_cuts(self.data, *here, np.array([j]), rules)

    def tree(self, root):
        """The tree below a `Draft`, frozen."""
        return MultiwayTree(frozen(preorder(root)), self.numeric)


@dataclass
class Draft:
    """A node of a tree that is still being made; a leaf while it has no branches."""

    sums: np.ndarray
    label: int  # the heaviest class; where the node is empty, the one above
    N: float
    E: float  # errors of the leaf, on the training rows or predicted
    asks: tuple = ()  # (test, gain, ratio)
    branches: list = field(default_factory=list)

    def become(self, other):
        """Take over all that `other` is."""
        self.__dict__.update(other.__dict__)


def preorder(root):
    """The drafts of a tree, each before its branches; list of Draft."""
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(found[-1].branches)
    return found


def frozen(drafts):
    """Drafts in preorder as nodes of a `MultiwayTree`; tuple of Leaf and Split."""
    number = {id(draft): t for t, draft in enumerate(drafts)}

    def freeze(draft):
        if not draft.branches:
            return Leaf(draft.sums)
        test, *found = draft.asks
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
        if node.asks:
            for _, part in cases.deal(here, node.asks[0], N):
                node.branches.append((yield grow_node(part, label)))
        return node

    return cases.tree(run(grow_node(cases.at_root())))


def is_finished(sums, N=None, least=0.0, arithmetic=J48):
    """Whether a node is pure, or lighter than `least`; N is the sum of the sums, if None."""
    N = sums.sum() if N is None else N
    slack = arithmetic.slack
    return N < least - slack or abs(arithmetic.round(N - sums.max())) <= slack


def grow_c45(cases, rules):
    """Grow a C4.5 tree on some `Cases` (those of Release 8 are its own) by `Rules`."""

    def choose_split(here, sums, N):
        if is_finished(sums, N, 2 * rules.min_samples_leaf, rules.arithmetic):
            return None
        best = choose(cases.data, cases.offers(here, rules), rules)
        return best and (best.test, best.gain, best.ratio)

    return grow(cases, choose_split)
