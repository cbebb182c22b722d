"""C4.5 Release 8, Quinlan's own program: its numbers, its rows, its tree, its growth.

J48, Weka's C4.5, is the copy that most people know. The program itself differs from it in a
dozen rules, and it computes with 32-bit numbers: many of its choices are ties that rounding
decides. This module follows the rules and the arithmetic. A row whose value is unknown is on
every branch with a part of its weight; as sums of such parts in 32 bits depend on the order
of their terms, the rows stand in one list that is rearranged just as the program does it.

Vocabulary
----------
rows : a stretch of the list of rows, rearranged in place; w : weight of every row
f(x) : x rounded to 32 bits; fsum : a sum whose every partial sum is so rounded
N, e : weight of a node, and of its rows that the heaviest class gets wrong
M, L : least weight of a branch, and of both sides of a numeric cut
T : number of cuts of a numeric attribute that leave L on both sides
"""

from dataclasses import dataclass, field

import numpy as np

from treelab.c45.gain_ratio import CLOSE, Offer
from treelab.c45.splits import CutTest, LevelTest
from treelab.c45.tree import Leaf, MultiwayTree, Split

__all__ = [
    "Draft",
    "Release8Offer",
    "Release8Tree",
    "Rows",
    "choose_release8",
    "f",
    "find_cuts_release8",
    "fsum",
    "grow_release8",
    "least_side",
    "offers_release8",
    "release8_bar",
    "release8_threshold",
    "run",
]

EPSILON = 1e-3


# --- numbers -------------------------------------------------------------------------


def f(x):
    """`x` rounded to 32 bits.

    >>> f(0.1)
    0.10000000149011612
    """
    rounded = np.float64(np.float32(x))
    return float(rounded) if np.ndim(x) == 0 else rounded


def fsum(terms, axis=-1):
    """Sum of 32-bit numbers along an axis, every partial sum rounded to 32 bits.

    Parameters
    ----------
    terms : array-like
    axis : int, default=-1

    Returns
    -------
    float or ndarray
    """
    terms = np.asarray(terms, dtype=np.float32)
    if terms.shape[axis] == 0:
        return f(terms.sum(axis=axis))
    return f(np.add.accumulate(terms, axis=axis).take(-1, axis=axis))


def x_log2_x(x):
    """x log2 x in 64 bits, 0 where x is not above 0."""
    x = np.asarray(x, dtype=float)
    return x * (np.log(np.where(x > 0, x, 1.0)) / np.log(2.0))


def total_info(weights):
    """W log2 W less the sum of w log2 w, where W is the sum of the weights w.

    >>> total_info(np.array([1.0, 1.0]))
    2.0
    """
    terms = x_log2_x(weights)
    found = np.zeros(terms.shape[:-1])
    for k in range(terms.shape[-1]):
        found = f(found + terms[..., k])
    return f(x_log2_x(fsum(weights)) - found)


# --- rows ----------------------------------------------------------------------------


def bring_forward(rows, chosen):
    """Bring the chosen rows to the front, in place; returns their number.

    From front to back, each chosen row changes places with the row at the first position
    that is not yet filled.

    >>> rows = np.array([5, 6, 7, 8])
    >>> bring_forward(rows, np.array([False, False, True, True])), rows.tolist()
    (2, [7, 8, 5, 6])
    """
    positions = np.flatnonzero(chosen)
    for k in np.flatnonzero(positions != np.arange(len(positions))):
        i = positions[k]
        rows[k], rows[i] = rows[i], rows[k]
    return len(positions)


def sort_rows(rows, x):
    """Sort `rows` by their values ``x[rows]`` in place, with the program's own swaps."""
    waiting = [(0, len(rows))]
    while waiting:
        first, end = waiting.pop()
        if end - first < 2:
            continue
        pivot = x[rows[end - 1]]
        middle = first + bring_forward(rows[first : end - 1], x[rows[first : end - 1]] <= pivot)
        equal = middle  # where the rows begin that equal the pivot
        for i in first + np.flatnonzero(x[rows[first:middle]] == pivot)[::-1]:
            equal -= 1
            rows[i], rows[equal] = rows[equal], rows[i]
        rows[middle], rows[end - 1] = rows[end - 1], rows[middle]
        waiting += [(middle + 1, end), (first, equal)]


class Rows:
    """The list of rows and their weights, as growing and pruning walk through them.

    Parameters
    ----------
    data : Training
        With a table whose numbers are rounded to 32 bits.
    """

    def __init__(self, data):
        self.data = data
        self.all = np.arange(len(data.table))
        self.w = np.ones(len(self.all), dtype=np.float32)
        self.gaps = bool(np.isnan(data.table).any())

    def sums(self, rows):
        """Weight of each class among `rows`; shape (n_classes,)."""
        sums = np.zeros(self.data.n_classes, dtype=np.float32)
        np.add.at(sums, self.data.y[rows], self.w[rows])  # one term after the other
        return f(sums)

    def bring_forward(self, rows, chosen):
        """`bring_forward`; where nothing is unknown the order of the rest is free."""
        if self.gaps:
            return bring_forward(rows, chosen)
        rows[:] = np.concatenate([rows[chosen], rows[~chosen]])
        return int(chosen.sum())

    def sort(self, rows, j):
        """Sort rows by numeric attribute `j`, in place."""
        x = self.data.table[:, j]
        if self.gaps:
            sort_rows(rows, x)
        else:
            rows[:] = rows[np.argsort(x[rows], kind="stable")]

    def deal(self, rows, test, N=None):
        """Bring the rows of each branch together, and give the branch its part of the unknown.

        Yields the share of each branch in the known weight and its rows, None for a branch
        that no known row takes. The weights of the unknown rows are those of the branch until
        the next one is asked for. `N` is given in growth, where the known weight is the
        difference to the weight of the unknown.
        """
        x, w = self.data.table[:, test.feature], self.w
        n_unknown = self.bring_forward(rows, np.isnan(x[rows]))
        rest = rows[n_unknown:]
        known = fsum(w[rest]) if N is None else f(N - fsum(w[rows[:n_unknown]]))
        for b in range(test.n_branches):
            n = self.bring_forward(rest, test.branch(x[rest]) == b)
            if not n:
                yield 0.0, None
                continue
            share = f(fsum(w[rest[:n]]) / known)
            here = rows[: n_unknown + n]
            w[here[:n_unknown]] = f(w[here[:n_unknown]] * share)
            yield share, here
            self.bring_forward(here, np.isnan(x[here]))
            w[here[:n_unknown]] = f(w[here[:n_unknown]] / share)


def run(call):
    """Run a recursive generator: it yields its calls and is sent their results.

    So that a deep tree needs no deep stack.
    """
    calls, result = [call], None
    while calls:
        try:
            calls.append(calls[-1].send(result))
            result = None
        except StopIteration as end:
            calls.pop()
            result = end.value
    return result


# --- the tree ------------------------------------------------------------------------


@dataclass
class Draft:
    """A node of a tree that is still being made; a leaf while it has no branches."""

    label: int
    N: float
    E: float
    sums: np.ndarray
    asks: tuple = ()  # (test, gain, ratio)
    branches: list = field(default_factory=list)

    def become(self, other):
        """Take over all that `other` is."""
        self.__dict__.update(other.__dict__)

    def become_leaf(self):
        """Forget the question."""
        self.asks, self.branches = (), []


@dataclass(frozen=True, eq=False, kw_only=True)
class Release8Tree(MultiwayTree):
    """A `MultiwayTree` that answers as Release 8 does.

    Parameters
    ----------
    nodes, numeric
        As in `MultiwayTree`.
    labels : ndarray of int, shape (n_nodes,)
        Class of each node: the heaviest; of equal ones the first, or, where pruning found
        them equal, the one that the node had before.
    node_weight : ndarray of shape (n_nodes,)
        N.
    errors : ndarray of shape (n_nodes,)
        E as the program prints it: errors on the training rows in an unpruned tree,
        predicted errors in a pruned one.
    """

    labels: np.ndarray
    node_weight: np.ndarray
    errors: np.ndarray

    @classmethod
    def of(cls, root):
        """The tree below a `Draft`."""
        drafts, waiting = [], [root]
        while waiting:
            drafts.append(waiting.pop())
            waiting += reversed(drafts[-1].branches)
        number = {id(draft): t for t, draft in enumerate(drafts)}
        nodes = []
        for draft in drafts:
            node = Leaf(draft.sums)
            if draft.branches:
                test, gain, ratio = draft.asks
                children = tuple(number[id(branch)] for branch in draft.branches)
                node = Split(draft.sums, test, children, gain, ratio)
            nodes.append(node)
        return cls(
            tuple(nodes),
            labels=np.array([draft.label for draft in drafts]),
            node_weight=np.array([draft.N for draft in drafts]),
            errors=np.array([draft.E for draft in drafts]),
        )

    def draft(self):
        """The tree as `Draft` nodes, to be changed; the root."""
        facts = zip(self.labels, self.node_weight, self.errors, self.nodes, strict=True)
        drafts = [Draft(int(k), float(N), float(E), node.sums) for k, N, E, node in facts]
        for draft, node in zip(drafts, self.nodes, strict=True):
            if isinstance(node, Split):
                draft.asks = (node.test, node.gain, node.ratio)
                draft.branches = [drafts[c] for c in node.children]
        return drafts[0]

    @property
    def weight(self):
        """N of each node; shape (n_nodes,)."""
        return self.node_weight

    @property
    def answer_class(self):
        """Class of each node, as a number; shape (n_nodes,)."""
        return self.labels

    @property
    def answer_sums(self):
        """The sums each node answers with; an empty node is sure of its class."""
        sums, empty = self.sums.copy(), self.node_weight == 0
        sums[empty] = np.eye(sums.shape[1])[self.labels[empty]]
        return sums

    def shares(self, table, laplace=0.0):
        """Class shares of the rows of `table`, added up in 32 bits; `laplace` is not used."""
        table, sums = f(table), self.answer_sums
        whole = np.where(self.node_weight == 0, 1.0, self.node_weight)
        out = np.zeros((len(table), sums.shape[1]))
        waiting = [(0, np.arange(len(table)), np.ones(len(table)))]
        while waiting:
            t, rows, w = waiting.pop()
            node = self.nodes[t]
            if isinstance(node, Leaf):
                out[rows] = f(out[rows] + f(f(w[:, None] * sums[t]) / whole[t]))
                continue
            branch = node.test.branch(table[rows, node.test.feature])
            for b in reversed(range(len(node.children))):
                child = node.children[b]
                part = np.where(branch < 0, f(f(w * self.node_weight[child]) / whole[t]), w)
                here = ((branch == b) | (branch < 0)) & (part > 0)
                waiting.append((child, rows[here], part[here]))
        return out

    def _with_nodes(self, nodes, kept):
        """The tree of `nodes`, which were the nodes number `kept` of this one."""
        facts = {name: getattr(self, name)[kept] for name in ("labels", "node_weight", "errors")}
        return Release8Tree(tuple(nodes), **facts)


# --- what the attributes offer -------------------------------------------------------


class Release8Offer(Offer):
    """An `Offer` in 32-bit numbers."""

    @property
    def net_gain(self):
        """Gain less penalty."""
        return f(self.gain - self.penalty)

    @property
    def ratio(self):
        """Net gain per bit of split information, 0 where that is at most 0.001."""
        cost = self.split_information
        return f(self.net_gain / cost) if cost > EPSILON else 0.0

    def stands(self, rules):
        """Whether it may be chosen, were its gain large enough."""
        least = EPSILON if rules.criterion == "gain_ratio" else 0.0
        return not self.refused and self.split_information > least


def gain_of(known_info, branch_info, known, u):
    """Bits gained, for the known share of the weight."""
    return f(f(1 - u) * f(known_info - f(branch_info / known)))


def offer_levels(rows, stretch, N, j, rules):
    """What nominal attribute `j` offers: a branch for each declared level; Release8Offer."""
    data = rows.data
    n, K = data.n_levels[j], data.n_classes
    code = data.table[stretch, j]
    level = np.where(np.isnan(code), 0, code + 1).astype(int)  # level 0: unknown
    sums = np.zeros((n + 1, K), dtype=np.float32)
    np.add.at(sums, (level, data.y[stretch]), rows.w[stretch])
    sums = f(sums)
    size, test = fsum(sums), LevelTest(int(j), n)
    cost = f(total_info(size) / N)
    if np.sum(size[1:] >= rules.min_samples_leaf) < 2:
        reason = "fewer than two branches with enough weight"
        return Release8Offer(test, sums[1:], 0.0, 0.0, cost, reason)
    known = f(N - size[0])
    info = f((x_log2_x(known) - np.cumsum(x_log2_x(fsum(sums[1:], axis=0)))[-1]) / known)
    gain = gain_of(info, fsum(total_info(sums[1:])), known, f(size[0] / N))
    return Release8Offer(test, sums[1:], gain, 0.0, cost)


def least_side(known, n_classes, rules):
    """L, the least weight of both sides of a numeric cut."""
    tenth = f(0.1 * known / n_classes)
    return rules.min_samples_leaf if tenth <= rules.min_samples_leaf else min(tenth, 25.0)


@dataclass(frozen=True)
class Release8Cuts:
    """Cuts of a numeric attribute at a node, lowest first."""

    feature: np.ndarray  # (n_cuts,)
    below: np.ndarray  # (n_cuts,) largest value on the left
    above: np.ndarray  # (n_cuts,) smallest value on the right
    branches: np.ndarray  # (n_cuts, 2, n_classes)
    gain: np.ndarray  # (n_cuts,)
    split_information: np.ndarray  # (n_cuts,)


def find_cuts_release8(rows, order, N, unknown, j, L, M):
    """The cuts of numeric attribute `j` with at least `L` on both sides; Release8Cuts.

    Sorts the known rows, `order`; the weight of the others is `unknown`. Where M is more than L
    (L is at most 25), a cut with less than M on a side is counted, but gains nothing.
    """
    data, w, known = rows.data, rows.w, f(N - unknown)
    rows.sort(order, j)
    x, n = data.table[order, j], len(order)
    one = np.zeros((n, data.n_classes), dtype=np.float32)
    one[np.arange(n), data.y[order]] = w[order]
    left = np.add.accumulate(one)
    right = np.add.accumulate(np.concatenate([left[-1:], -one]))[1:]
    size = f(np.add.accumulate(w[order]))
    enough = (size[:-1] >= L) & (size[:-1] <= f(known - L))
    at = np.flatnonzero(enough & (x[:-1] < x[1:] - CLOSE))
    branches, size = f(np.stack([left[at], right[at]], axis=1)), size[at]
    after = f(total_info(branches[:, 0]) + total_info(branches[:, 1]))
    gain = gain_of(f(total_info(left[-1]) / known), after, known, f(1 - f(known / N)))
    sides = np.stack([np.full(len(at), unknown), size, f(known - size)], axis=1)
    gain[sides[:, 1:].min(axis=1) < M] = -EPSILON
    feature = np.full(len(at), j)
    return Release8Cuts(feature, x[at], x[at + 1], branches, gain, f(total_info(sides) / N))


def offer_cut(rows, stretch, N, j, rules):
    """What numeric attribute `j` offers: its best cut; None without one."""
    data, M = rows.data, rules.min_samples_leaf
    N = fsum(rows.w[stretch])  # again: the rows may stand in another order by now
    n_unknown = rows.bring_forward(stretch, np.isnan(data.table[stretch, j]))
    unknown = fsum(rows.sums(stretch[:n_unknown]))
    known = f(N - unknown)
    if known < 2 * M:
        return None
    L = least_side(known, data.n_classes, rules)
    found = find_cuts_release8(rows, stretch[n_unknown:], N, unknown, j, L, M)
    if not len(found.gain):
        return None
    penalty = f(np.log(len(found.gain)) / np.log(2.0) / N)
    net_gain = f(found.gain - penalty)
    i = int(net_gain.argmax())
    refused = "" if net_gain[i] > 0 else "no gain left after the penalty"
    test = CutTest(int(j), release8_threshold(data, found, i))
    cost = float(found.split_information[i])
    return Release8Offer(test, found.branches[i], float(found.gain[i]), penalty, cost, refused)


def release8_threshold(data, found, i):
    """The cut point of cut `i`: the largest number of the data not above the middle."""
    middle = f(f(found.below[i] + found.above[i]) / 2)
    values = data.values[found.feature[i]]
    return float(values[np.searchsorted(values, middle, side="right") - 1])


def offers_release8(rows, stretch, N, rules):
    """The offers of all attributes at a node that have one, in the order of the columns."""
    made = []
    for j, levels in enumerate(rows.data.n_levels):
        offer = (offer_levels if levels else offer_cut)(rows, stretch, N, j, rules)
        if offer is not None:
            made.append(offer)
    return made


# --- the choice ----------------------------------------------------------------------


def release8_bar(data, made, rules):
    """The gain that an offer must reach to compete, infinity where none counts."""
    if rules.criterion != "gain_ratio":
        return -np.inf
    all_many = all(data.many(j) for j in range(len(data.n_levels)))
    counted = [
        offer.net_gain
        for offer in made
        if not offer.refused
        and offer.net_gain > -EPSILON
        and (all_many or not data.many(offer.test.feature))
    ]
    return f(fsum(counted) / len(counted)) - EPSILON if counted else np.inf


def choose_release8(data, made, rules):
    """The offer that wins, the first of equals, or None; a gain of 0 is enough."""
    bar = release8_bar(data, made, rules)
    best, level = None, -EPSILON
    for offer in made:
        if offer.stands(rules) and max(bar, -EPSILON) <= offer.net_gain:
            if offer.score(rules) > level:
                best, level = offer, offer.score(rules)
    return best


# --- growth --------------------------------------------------------------------------


def grow_release8(rows, rules):
    """Grow a tree and collapse what gains no training row, as Release 8 does.

    Parameters
    ----------
    rows : Rows
        They are left in the order in which the program would prune.
    rules : Rules
        Its `criterion` and its `min_samples_leaf`.

    Returns
    -------
    Release8Tree

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, and its program, release 8 (1996).
    """
    return Release8Tree.of(run(_grow_node(rows, rows.all, rules)))


def _grow_node(rows, stretch, rules):
    """The node of the rows of a stretch, with all below it; a generator for `run`."""
    sums, N = rows.sums(stretch), fsum(rows.w[stretch])
    label = int(sums.argmax())
    e = f(N - sums[label])
    node = Draft(label, N, e, sums)
    if e == 0 or N < 2 * rules.min_samples_leaf:
        return node
    best = choose_release8(rows.data, offers_release8(rows, stretch, N, rules), rules)
    if best is None:
        return node
    node.asks, node.E = (best.test, best.net_gain, best.ratio), 0.0
    for _, here in rows.deal(stretch, best.test, N):
        if here is None:
            branch = Draft(label, 0.0, 0.0, np.zeros(len(sums)))
        else:
            branch = yield _grow_node(rows, here, rules)
        node.branches.append(branch)
        node.E = f(node.E + branch.E)
    if node.E >= e - EPSILON:
        node.become_leaf()
    return node
