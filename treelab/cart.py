"""CART as one reads it: try every question, keep the best, do the same on both sides.

Vocabulary
----------
X : list of rows x, each a list of values; y : their targets; w : their weights
case : (x, y, w) of one row; the cases of a node are a list
j : number of a column; cut : x goes left if x[j] <= cut, or if x[j] is in the set cut
Q : impurity of a node per unit of weight; W : its weight
categories : the columns whose cuts are sets; is_category : whether a column is one of them
gain : Q less the mean impurity of the two sides
max_depth, min_split, min_leaf : most questions on a way to a leaf; fewest cases of a node that
    asks one, and of each side
t, tree : a node, a dict of n, weight, impurity and value; where it asks a question also of
    feature, cut, gain, left and right. The root stands for the tree
"""

from collections import deque
from itertools import compress, pairwise, product
from math import inf

from .impurity import gini, value

TIE = 1e-10  # gains closer than this share of Q are equal, and the first wins


def cases_of(X, y, w=None):
    """The cases, without those of weight 0; every weight is 1 if w is None."""
    return [case for case in zip(X, y, w or [1] * len(y)) if case[2] > 0]


def questions(values, is_category=False):
    """All cuts between the values of a column: midpoints, or the sets that may go left."""
    values = sorted(set(values))
    if not is_category:
        return [midpoint(a, b) for a, b in pairwise(values)]
    first, *others = values
    chosen = [go for go in product([False, True], repeat=len(others)) if not all(go)]
    return [{first, *compress(others, go)} for go in chosen]


def midpoint(a, b):
    """Halfway from a to b; a where rounding would reach b."""
    return a / 2 + b / 2 if a / 2 + b / 2 < b else a


def goes_left(x, j, cut):
    """The answer of row x to the question of column j."""
    return x[j] in cut if isinstance(cut, set) else x[j] <= cut


def divide(cases, j, cut):
    """The cases that go left, and those that go right."""
    left = [case for case in cases if goes_left(case[0], j, cut)]
    return left, [case for case in cases if not goes_left(case[0], j, cut)]


def weight(cases):
    """W."""
    return sum(w for _, _, w in cases)


def impurity_of(cases, impurity):
    """Q."""
    _, y, w = zip(*cases)
    return impurity(y, w)


def cuts(cases, j, impurity=gini, min_leaf=1, is_category=False):
    """(gain, j, cut) of every question of column j that leaves min_leaf cases on each side."""
    for cut in questions([x[j] for x, _, _ in cases], is_category):
        sides = divide(cases, j, cut)
        if min(map(len, sides)) >= min_leaf:
            total = sum(weight(side) * impurity_of(side, impurity) for side in sides)
            yield impurity_of(cases, impurity) - total / weight(cases), j, cut


def best_cut(cases, impurity=gini, min_leaf=1, features=None, max_features=inf, categories=()):
    """The first of the largest gains as (gain, j, cut), or None where no cut is to be had.

    features() returns the columns in the order in which they are tried, if it is None as they
    stand: max_features of them, more only while none can be cut.
    """
    found = []
    for tried, j in enumerate(features() if features else range(len(cases[0][0]))):
        if tried < max_features or not found:
            found += cuts(cases, j, impurity, min_leaf, j in categories)
    enough = max((gain for gain, _, _ in found), default=0) - TIE * impurity_of(cases, impurity)
    return next((cut for cut in found if cut[0] >= enough), None)


def node(cases, impurity):
    """A node that asks nothing yet."""
    _, y, w = zip(*cases)
    t = {"n": len(cases), "weight": sum(w), "impurity": impurity(y, w)}
    return t | {"value": value(y, w, impurity)}


def grow(X, y, w=None, impurity=gini, max_depth=inf, min_split=2, min_leaf=1, **search):
    """Grow a tree, depth by depth.

    search is what else best_cut takes: features, max_features, categories.
    """
    cases = cases_of(X, y, w)
    tree = node(cases, impurity)
    waiting = deque([(tree, cases, 0)])
    while waiting:
        t, cases, depth = waiting.popleft()
        is_pure = len({target for _, target, _ in cases}) == 1
        if is_pure or depth >= max_depth or len(cases) < max(min_split, 2 * min_leaf):
            continue
        best = best_cut(cases, impurity, min_leaf, **search)
        if best:
            gain, j, cut = best
            for side, part in zip(("left", "right"), divide(cases, j, cut)):
                t[side] = node(part, impurity)
                waiting.append((t[side], part, depth + 1))
            if isinstance(cut, set) and t["left"]["weight"] >= t["right"]["weight"]:
                cut |= {x[j] for x in X} - {x[j] for x, _, _ in cases}  # those follow the weight
            t |= {"feature": j, "cut": cut, "gain": gain}
    return tree


def leaf(tree, x):
    """The leaf that row x falls into."""
    while "left" in tree:
        tree = tree["left"] if goes_left(x, tree["feature"], tree["cut"]) else tree["right"]
    return tree


def answer(value):
    """The class of the largest share, the first of equals; a number is its own answer."""
    return max(value, key=value.get) if isinstance(value, dict) else value


def predict(tree, x):
    """The class or the number that the tree answers to row x."""
    return answer(leaf(tree, x)["value"])


def leaves(tree):
    """The leaves from left to right."""
    return leaves(tree["left"]) + leaves(tree["right"]) if "left" in tree else [tree]


def inner(tree):
    """The nodes that ask."""
    return [tree] + inner(tree["left"]) + inner(tree["right"]) if "left" in tree else []
