"""CART as one reads it: try every question, keep the best, do the same on both sides.

Vocabulary
----------
X : list of rows x, each a list of values; y : their targets; w : their weights, above 0
j : number of a column; cut : x goes left if x[j] <= cut, or if x[j] is in the set cut
Q : impurity of a node per unit of weight; W : its weight; p : its class shares
gain : Q less the mean impurity of the two sides
t, tree : a node, a dict with its n, weight, impurity and value, and where it asks also with
    feature, cut, gain, left and right; the root stands for the tree
"""

from collections import deque
from itertools import compress, product
from math import inf

from .impurity import gini, value

TIE = 1e-10  # gains closer than this share of Q are equal, and the first wins


def questions(values, is_category=False):
    """All cuts between the values of a column: midpoints, or the sets that may go left."""
    first, *others = sorted(set(values))
    if not is_category:
        middles = [(a / 2 + b / 2, a, b) for a, b in zip([first, *others], others)]
        return [m if m < b else a for m, a, b in middles]  # m == b: two neighboring floats
    chosen = [go for go in product([False, True], repeat=len(others)) if not all(go)]
    return [{first, *compress(others, go)} for go in chosen]


def goes_left(x, j, cut):
    """The answer of row x to the question of column j."""
    return x[j] in cut if isinstance(cut, set) else x[j] <= cut


def divide(rows, X, j, cut):
    """The rows that go left, and those that go right."""
    left = [goes_left(X[i], j, cut) for i in rows]
    return list(compress(rows, left)), list(compress(rows, [not go for go in left]))


def cuts(rows, X, y, w, j, impurity=gini, min_leaf=1, categories=()):
    """(gain, j, cut) of every question of column j that leaves min_leaf rows on both sides."""

    def total(rows):
        part = [w[i] for i in rows]
        return sum(part) * impurity([y[i] for i in rows], part)

    R, W, found = total(rows), sum(w[i] for i in rows), []
    for cut in questions([X[i][j] for i in rows], j in categories):
        left, right = divide(rows, X, j, cut)
        if min(len(left), len(right)) >= min_leaf:
            found.append(((R - total(left) - total(right)) / W, j, cut))
    return found


def best_cut(rows, X, y, w, impurity=gini, min_leaf=1, features=None, m=inf, categories=()):
    """The first of the largest gains as (gain, j, cut), or None where no cut is to be had.

    features() returns the columns in the order in which they are tried, all of them if it is
    None: the first m, and more only while none can be cut. In categories the cuts are sets.
    """
    found = []
    for tried, j in enumerate(features() if features else range(len(X[0]))):
        if tried < m or not found:
            found += cuts(rows, X, y, w, j, impurity, min_leaf, categories)
    Q = impurity([y[i] for i in rows], [w[i] for i in rows])
    enough = max((gain for gain, _, _ in found), default=0) - TIE * Q
    return next((cut for cut in found if cut[0] >= enough), None)


def grow(X, y, w=None, impurity=gini, max_depth=inf, min_split=2, min_leaf=1, **search):
    """Grow a tree, depth by depth; rows of weight 0 are left out.

    What else best_cut takes (features, m, categories) is handed on to it.
    """
    w = w or [1] * len(y)

    def node(rows):
        part = [y[i] for i in rows], [w[i] for i in rows]
        t = {"n": len(rows), "weight": sum(part[1]), "impurity": impurity(*part)}
        return t | {"value": value(*part, impurity)}

    rows = [i for i in range(len(y)) if w[i] > 0]
    tree = node(rows)
    waiting = deque([(tree, rows, 0)])
    while waiting:
        t, rows, depth = waiting.popleft()
        pure = len({y[i] for i in rows}) == 1
        if pure or depth >= max_depth or len(rows) < max(min_split, 2 * min_leaf):
            continue
        best = best_cut(rows, X, y, w, impurity, min_leaf, **search)
        if best:
            gain, j, cut = best
            left, right = divide(rows, X, j, cut)
            t |= {"feature": j, "cut": cut, "gain": gain, "left": node(left), "right": node(right)}
            if isinstance(cut, set) and t["left"]["weight"] >= t["right"]["weight"]:
                cut |= {x[j] for x in X} - {X[i][j] for i in rows}  # others: to the heavier side
            waiting += [(t["left"], left, depth + 1), (t["right"], right, depth + 1)]
    return tree


def leaf(tree, x):
    """The leaf that row x falls into."""
    while "left" in tree:
        tree = tree["left"] if goes_left(x, tree["feature"], tree["cut"]) else tree["right"]
    return tree


def answer(value):
    """The class of the largest share, the first of equals; a number is its own answer."""
    return max(sorted(value), key=value.get) if isinstance(value, dict) else value


def predict(tree, x):
    """The class or the number that the tree answers to row x."""
    return answer(leaf(tree, x)["value"])


def leaves(tree):
    """The leaves from left to right."""
    return leaves(tree["left"]) + leaves(tree["right"]) if "left" in tree else [tree]


def inner(tree):
    """The nodes that ask."""
    return [tree] + inner(tree["left"]) + inner(tree["right"]) if "left" in tree else []
