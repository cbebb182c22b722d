"""Judges of "One tree by hand, one splitter of your own", and right versions of its functions.

Students do not get this file.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np
from checks_hw1 import given

from treelab.checkers import expect, own_number

EXACTLY = "give three decimals, or the fraction itself: {:g} is too coarse."


def close(found, right):
    """Equal to three decimals, so that rounded numbers count."""
    return bool(np.all(np.abs(np.subtract(found, right)) <= 1e-3))


def rounded(found, right):
    """Right, but only to two decimals."""
    return not close(found, right) and np.all(np.abs(np.subtract(found, right)) <= 5.1e-3)


# --- what is right ------------------------------------------------------------------------


def leaf_numbers(tree, after=0):
    """A tree with its leaves numbered in preorder, and the number of its last node."""
    if tree is None:
        return after, after
    column, threshold, left, right = tree
    left, last = leaf_numbers(left, after + 1)
    right, last = leaf_numbers(right, last + 1)
    return (column, threshold, left, right), last


def row_by_row(tree):
    """The numbers of the leaves, from left to right, where nodes are numbered row by row."""
    found, level, first = {}, [((), tree)], 0
    while level:
        found |= {place: first + k for k, (place, node) in enumerate(level) if node is None}
        first += len(level)
        below = [(place, node) for place, node in level if node is not None]
        level = [((*place, side), node[2 + side]) for place, node in below for side in (0, 1)]
    return [found[place] for place in sorted(found)]


def walk(tree, hours, water, strict=False):
    """The leaf of a pot; `strict` asks "less than"."""
    while isinstance(tree, tuple):
        column, threshold, left, right = tree
        x = hours if column == "hours" else water
        tree = left if x < threshold or (x == threshold and not strict) else right
    return tree


def leaves_of(tree):
    """The numbers of the leaves of a numbered tree, from left to right."""
    return leaves_of(tree[2]) + leaves_of(tree[3]) if isinstance(tree, tuple) else [tree]


def gini(thriving, all_pots):
    """The Gini impurity of so many thriving pots among all."""
    p = thriving / all_pots
    return 2 * p * (1 - p)


def cuts(hours, thrives, w):
    """All splits on the hours: arrays of thresholds, gains, remainders and more."""
    values, rows = np.unique(hours), []
    before = gini(w[thrives].sum(), w.sum())
    for a, b in zip(values[:-1], values[1:]):
        left = hours <= a
        W = w[left].sum(), w[~left].sum()
        Q = gini(w[left & thrives].sum(), W[0]), gini(w[~left & thrives].sum(), W[1])
        after = (W[0] * Q[0] + W[1] * Q[1]) / w.sum()
        mean = before - (Q[0] + Q[1]) / 2
        lines = min(left.sum(), (~left).sum())
        rows.append(((a + b) / 2, before - after, after, mean, lines, min(W)))
    names = "threshold", "gain", "remainder", "by_mean", "lines", "pots"
    return SimpleNamespace(**dict(zip(names, np.array(rows).T)))


@cache
def answers(number):
    """The answers by hand of a number, and what is mistaken for them."""
    shown, own = given(number), SimpleNamespace()
    table = {name: np.asarray(column) for name, column in shown["garden"].items()}
    thrives, w = table["fate"] == "thrives", table["pots"]
    tree = leaf_numbers(shown["tree"])[0]
    own.leaves = [walk(tree, *pot) for pot in shown["new_pots"]]
    own.strict = [walk(tree, *pot, strict=True) for pot in shown["new_pots"]]
    numbered = leaves_of(tree)
    own.inner = set(range(max(numbered) + 1)) - set(numbered)
    in_rows = dict(zip(numbered, row_by_row(shown["tree"])))
    own.by_rows = [in_rows[t] for t in own.leaves]
    own.among_leaves = [numbered.index(t) for t in own.leaves]
    ends = [walk(tree, *line) for line in zip(table["hours"], table["water"])]
    here = np.array(ends) == shown["leaf"]
    own.leaf, own.here, own.W = shown["leaf"], w[here].sum(), w.sum()
    own.thriving, own.lines = w[here & thrives].sum(), thrives[here].mean()
    own.hours = table["hours"]
    own.cuts = cuts(table["hours"], thrives, w)
    own.plain = cuts(table["hours"], thrives, np.ones(len(w))).gain
    s, gain = own.cuts.threshold, own.cuts.gain
    own.equal = s[gain > gain.max() - 1e-9]
    ruled, by_pots = (np.where(n >= 2, gain, -1) for n in (own.cuts.lines, own.cuts.pots))
    own.ruled, own.by_pots = s[ruled > ruled.max() - 1e-9][0], s[by_pots > by_pots.max() - 1e-9][0]
    return own


# --- judges -------------------------------------------------------------------------------


def judge_leaves(found):
    """hw1-1: the leaves of four pots."""
    own, found = answers(own_number()), found.tolist()
    right = own.leaves
    expect(
        found != own.strict,
        "a value that equals the threshold is at most the threshold: it goes left.",
    )
    expect(
        found != own.by_rows,
        "you numbered the tree row by row; in preorder a node is followed by all of its left "
        "subtree before its right one begins.",
    )
    expect(found != [t + 1 for t in right], "the numbers are one too high: the root is node 0.")
    expect(
        found not in (own.among_leaves, [k + 1 for k in own.among_leaves]),
        "inner nodes are numbered too, not the leaves alone.",
    )
    for pot, (t, want) in enumerate(zip(found, right, strict=True), 1):
        expect(t not in own.inner, f"pot {pot}: node {t:.0f} is not a leaf; go on.")
        expect(t == want, f"pot {pot} does not reach leaf {t:.0f}; walk again from the root.")


def judge_node(found):
    """hw1-2: proportion and impurity of a leaf."""
    own = answers(own_number())
    share = own.thriving / own.here
    impurity = gini(own.thriving, own.here)
    expect(
        not close(found[0], own.lines),
        "you counted lines of the table; a line counts as often as it has pots.",
    )
    expect(not close(found[0], 1 - share), "that is the proportion of the pots that wilt.")
    expect(
        not close(found[0], own.thriving / own.W),
        f"the proportion is taken among the pots of the leaf, not among all {own.W}.",
    )
    expect(not rounded(found[0], share), EXACTLY.format(found[0]))
    expect(close(found[0], share), f"the proportion is wrong: which lines reach leaf {own.leaf}?")
    expect(
        not close(found[1], min(share, 1 - share)),
        "that is the error rate; the Gini impurity is 1 minus the sum of the squared proportions.",
    )
    expect(
        not close(found[1], impurity / 2),
        "both classes enter the sum of squares: p (1 - p) is only half of it.",
    )
    expect(not close(found[1], 1 - impurity), "that is the sum of the squares; subtract it from 1.")
    expect(not close(found[1], impurity * own.here), "per pot, please: do not multiply by W.")
    expect(not rounded(found[1], impurity), EXACTLY.format(found[1]))
    expect(close(found[1], impurity), "the proportion is right, the Gini impurity is not.")


def judge_gains(pairs):
    """hw1-3: all candidate splits on the hours with their gains."""
    own = answers(own_number())
    s, gain = pairs.T
    right, gains = own.cuts.threshold, own.cuts.gain
    values, lines = np.unique(own.hours, return_counts=True)
    expect(
        not np.isin(s, values).all(),
        "a threshold lies halfway between two neighboring values, not on one of them.",
    )
    ties = values[lines > 1]
    expect(
        not np.isin(s, ties).any(),
        "two lines with the same hours cannot be separated: there is no threshold at "
        f"{' or at '.join(f'{x:g}' for x in ties)}.",
    )
    missing = np.setdiff1d(right, s)
    expect(
        len(missing) == 0 or not np.isin(s, right).all(),
        f"there are more splits than these {len(s)}: one between any two neighboring hours.",
    )
    expect(
        len(s) == len(right) and close(np.sort(s), right),
        "the thresholds are not the midpoints between neighboring distinct values of the hours.",
    )
    expect(np.all(np.diff(s) > 0), "put the thresholds in ascending order.")
    expect(
        not close(gain, own.plain),
        "these are the gains of eight single pots; a line counts as often as it has pots.",
    )
    expect(
        not close(gain, gains * own.W),
        f"these are total gains; divide by the {own.W} pots.",
    )
    expect(
        not close(gain, own.cuts.remainder),
        "these are the remainders; the gain is the impurity before the split minus the remainder.",
    )
    expect(
        not close(gain, own.cuts.by_mean),
        "weigh the two sides by their pots instead of taking the plain mean.",
    )
    expect(
        not rounded(gain, gains),
        "the gains are right, but give three decimals, or the fractions themselves.",
    )
    wrong = [f"{t:g}" for t, g, w in zip(s, gain, gains, strict=True) if not close(g, w)]
    expect(not wrong, f"the gain is wrong at {', '.join(wrong)}.")


def judge_choice(found):
    """hw1-4: the splits that CART chooses."""
    own = answers(own_number())
    expect(
        not close(found[0], own.equal[-1]),
        "two splits are equally good; ties go to the smallest threshold.",
    )
    expect(
        close(found[0], own.equal[0]),
        "the first number is not the threshold with the largest gain.",
    )
    expect(
        not close(found[1], own.by_pots),
        "the rule counts lines of the table, not pots: one line on the left is too few.",
    )
    expect(
        close(found[1], own.ruled),
        "the second number is not the best threshold with two lines a side.",
    )


JUDGES = {
    "hw1-1": judge_leaves,
    "hw1-2": judge_node,
    "hw1-3": judge_gains,
    "hw1-4": judge_choice,
}


# --- right versions of what students write ------------------------------------------------


def right_cut_gains(x, y, w, n_classes):
    """Thresholds of all candidate splits of x, and their Gini gains per unit of weight."""
    order = np.argsort(x, kind="stable")
    x = x[order]
    S = np.cumsum(w[order, None] * np.eye(n_classes)[y[order]], axis=0)
    last = np.flatnonzero(np.diff(x) > 0)
    left, node = S[last], S[-1]

    def total(S):
        W = S.sum(axis=-1)
        return W - (S**2).sum(axis=-1) / W

    gain = (total(node) - total(left) - total(node - left)) / node.sum()
    return (x[last] + x[last + 1]) / 2, gain


def right_best_question(X, y, w, n_classes, min_leaf=1):
    """Feature, threshold and gain of the best split; () if there is none."""
    best = ()
    for j in range(X.shape[1]):
        s, gain = right_cut_gains(X[:, j], y, w, n_classes)
        n_left = np.searchsorted(np.sort(X[:, j]), s, side="right")
        allowed = np.minimum(n_left, len(y) - n_left) >= min_leaf
        s, gain = s[allowed], gain[allowed]
        if len(s) and (not best or gain.max() > best[2] + 1e-9):
            k = np.argmax(gain > gain.max() - 1e-9)
            best = (j, s[k], gain[k])
    return best


def right_grow(X, y, w, n_classes, max_depth=np.inf, min_leaf=1):
    """A classification tree as nested dictionaries."""
    shares = np.bincount(y, weights=w, minlength=n_classes) / w.sum()
    question = ()
    if max_depth > 0 and len(np.unique(y)) > 1:
        question = right_best_question(X, y, w, n_classes, min_leaf)
    if not question:
        return {"shares": shares}
    j, s, _ = question
    left = X[:, j] <= s
    sides = [
        right_grow(X[rows], y[rows], w[rows], n_classes, max_depth - 1, min_leaf)
        for rows in (left, ~left)
    ]
    return {"shares": shares, "feature": j, "threshold": s, "left": sides[0], "right": sides[1]}


SPLITTER = {"cut_gains": right_cut_gains, "best_question": right_best_question}
HELPERS = {
    "hw1-6": {"cut_gains": right_cut_gains},
    "hw1-7": SPLITTER,
    "hw1-9": {**SPLITTER, "grow": right_grow},
    "hw1-10": {**SPLITTER, "grow": right_grow},
}
