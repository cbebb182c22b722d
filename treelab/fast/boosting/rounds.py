"""One round of gradient boosting: draw the bag, grow the trees, and compute the leaf steps.

Vocabulary
----------
n, K : rows in training; trees of a round, 1 or the number of classes
F : scores, (n,), or (n, K) for more than two classes; r : pseudo-residuals, same shape
bag : the rows on which the trees of a round are grown; the others are out of bag
step : amount by which the scores of the rows of a leaf should move
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treelab.fast.boosting.losses import SquaredError
from treelab.fast.growing import grow_and_place
from treelab.fast.growing.histograms import Bins, Histograms
from treelab.fast.growing.training_data import Columns, Targets

__all__ = ["Bag", "Cases", "by_class", "draw_without_replacement", "grower", "one_round"]


@dataclass
class Cases:
    """Rows with their targets and weights, and with ranked columns if trees grow on them."""

    X: np.ndarray  # (n, d)
    y: np.ndarray  # (n,), numbers or class codes, as floats
    w: np.ndarray  # (n,)
    columns: Columns | None = None  # if these are `Bins`, splits are searched by histograms

    @cached_property
    def targets(self):
        """Targets and weights as growth reads them."""
        return Targets.of(self.y, self.w, "squared_error")


@dataclass(frozen=True)
class Bag:
    """Rows of a round: an index of those inside the bag, and the numbers of those outside."""

    inside: slice | np.ndarray
    outside: np.ndarray

    @classmethod
    def draw(cls, rng, n, share):
        """Draw a fraction of n rows, at least one; no draw is needed if it is 1."""
        if share == 1:
            return cls(slice(None), np.empty(0, dtype=int))
        drawn = draw_without_replacement(rng, n, max(1, int(share * n)))
        return cls(np.flatnonzero(drawn), np.flatnonzero(~drawn))

    def losses(self, loss, cases, F):
        """Return the mean loss of the rows in the bag, and of those out of it, NaN if none."""
        out = self.outside
        inside = loss.value(cases.y[self.inside], F[self.inside], cases.w[self.inside])
        return inside, loss.value(cases.y[out], F[out], cases.w[out]) if len(out) else np.nan


def draw_without_replacement(rng, n, n_draws):
    """Draw `n_draws` of n rows without replacement; mask (n,).

    Selection sampling (Knuth 1997, section 3.4.2, algorithm S). scikit-learn draws the same
    rows from the same numbers.

    Examples
    --------
    >>> draw_without_replacement(np.random.RandomState(0), 5, 3).tolist()
    [True, False, True, False, True]
    """
    drawn, wanted = np.zeros(n, dtype=bool), n_draws
    for i, u in enumerate(rng.uniform(size=n).tolist()):
        if u * (n - i) < wanted:
            drawn[i] = True
            wanted -= 1
    return drawn


def by_class(F):
    """Return a view of the scores with a column for each tree of a round; (n, K)."""
    return F.reshape(len(F), -1)


def one_round(loss, cases, F, bag, grow_tree, step="leaf"):
    """Grow the trees of one round.

    Parameters
    ----------
    loss : treelab.fast.boosting.losses.Loss
        As `settled` for this round.
    cases, F, bag
        The rows in training, their scores before the round, and which of them are in the bag.
    grow_tree : callable
        See `grower`.
    step : {"leaf", "line"}, default="leaf"
        The best step of each leaf, or one multiple of the tree's values for all leaves.

    Returns
    -------
    trees, leaves : list of Tree, list of ndarray of int, shape (n,)
        The trees, whose leaves hold the steps before the learning rate, and the leaf of each row.
    """
    r, trees, leaves = by_class(loss.negative_gradient(cases.y, F)), [], []
    for k in range(r.shape[1]):
        tree, leaf = grow_tree(r[:, k])
        if step == "line":
            tree = _with_steps(tree, _line_steps(loss, cases, F, bag.inside, tree, leaf, k))
        elif type(loss) is not SquaredError:  # its steps are means, which the tree holds
            tree = _with_steps(tree, _leaf_steps(loss, cases, F, r, bag.inside, tree, leaf, k))
        trees.append(tree)
        if len(bag.outside):
            leaf[bag.outside] = tree.apply(cases.X[bag.outside])
        leaves.append(leaf)
    return trees, leaves


def grower(cases, bag, limits, rng):
    """Return a function that grows a tree on the pseudo-residuals of the rows in the bag.

    It takes r (n,), and returns the tree and the leaf of each row, (n,), -1 outside.
    `rng` gives every tree a seed, whether it is needed or not, as in scikit-learn.
    """
    roots = None if isinstance(bag.inside, slice) else [(bag.inside, None)]

    def grow_tree(r):
        seed = rng.randint(2**31 - 1)
        draws = limits.max_features < len(cases.columns.rank)
        generators = [np.random.default_rng(seed)] if draws else None
        find = Histograms(cases.columns) if isinstance(cases.columns, Bins) else None
        targets = cases.targets.with_targets(r)
        trees, leaf = grow_and_place(cases.columns, targets, limits, roots, generators, find)
        return trees[0], leaf

    return grow_tree


def _leaf_steps(loss, cases, F, r, inside, tree, leaf, k):
    """Return the best step of each leaf for its own rows; (n_leaves,)."""
    number = np.cumsum(tree.is_leaf) - 1  # leaves from 0
    y = cases.y[inside]
    y = y if r.shape[1] == 1 else (y == k).astype(float)
    F, r, w = by_class(F)[inside, k], r[inside, k], cases.w[inside]
    return loss.leaf_values(number[leaf[inside]], tree.n_leaves, y, F, r, w)


def _line_steps(loss, cases, F, inside, tree, leaf, k):
    """Multiply the mean pseudo-residuals of the leaves by the best common step; (n_leaves,)."""
    y, F, w = cases.y[inside], F[inside], cases.w[inside]
    direction = np.zeros_like(F)
    by_class(direction)[:, k] = tree.value[leaf[inside], 0, 0]
    return loss.line_step(y, F, direction, w) * tree.value[tree.is_leaf, 0, 0]


def _with_steps(tree, steps):
    """Return the tree with other values of its leaves; `steps` is (n_leaves,)."""
    value = tree.value.copy()
    value[tree.is_leaf, 0, 0] = steps
    return replace(tree, value=value)
