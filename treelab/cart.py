"""Classification and regression trees (CART): try every split, keep the best, recurse.

>>> from treelab.cart import export_text, grow
>>> print(export_text(grow([[1], [2], [4]], ["no", "yes", "yes"]), ["temp"]))
|--- temp <= 1.5
|   |--- no
|--- temp >  1.5
|   |--- yes

Vocabulary
----------
X : list of rows x, each a list of values; y : targets; w : weights; case : (x, y, w) of one row
j : number of a feature; threshold : x goes left if x[j] <= threshold, or is in it if it is a set
Q : impurity of a node per unit of weight; W : its weight
categories : the features with categories; is_category : whether a feature is one of them
gain : impurity decrease of a split, Q minus the weighted mean impurity of the two sides
max_depth, min_split, min_leaf : maximum depth; minimum number of cases to split, and per leaf
t, tree : a node, a dict of n, weight, impurity and value, and where it is split also of feature,
    threshold, gain, left and right; the root stands for the tree
"""

from collections import deque
from itertools import compress, pairwise, product
from math import inf

from .impurity import gini, value

TIE = 1e-10  # gains that differ by less than this fraction of Q are tied, and the first wins


def cases_of(X, y, w=None):
    """Cases of a table, except those of weight 0; every weight is 1 if w is None."""
    return [case for case in zip(X, y, w or [1] * len(y)) if case[2] > 0]


def candidate_splits(values, is_category=False):
    """All thresholds of a feature: the midpoints, or the sets of categories that may go left."""
    values = sorted(set(values))
    if not is_category:
        return [midpoint(a, b) for a, b in pairwise(values)]
    first, *others = values
    chosen = [go for go in product([False, True], repeat=len(others)) if not all(go)]
    return [{first, *compress(others, go)} for go in chosen]


def midpoint(a, b):
    """Midpoint of a and b, or a where rounding would return b."""
    return a / 2 + b / 2 if a / 2 + b / 2 < b else a


def goes_left(x, j, threshold):
    """Whether row x goes to the left child when the node is split on feature j."""
    return x[j] in threshold if isinstance(threshold, set) else x[j] <= threshold


def divide(cases, j, threshold):
    """The cases that go left, and those that go right."""
    left = [case for case in cases if goes_left(case[0], j, threshold)]
    return left, [case for case in cases if not goes_left(case[0], j, threshold)]


def weight(cases):
    """Weight W of some cases."""
    return sum(w for _, _, w in cases)


def impurity_of(cases, impurity):
    """Impurity Q of some cases."""
    _, y, w = zip(*cases)
    return impurity(y, w)


def scored_splits(cases, j, impurity=gini, min_leaf=1, is_category=False):
    """Generate (gain, j, threshold) for each split on feature j with min_leaf cases per side."""
    for threshold in candidate_splits([x[j] for x, _, _ in cases], is_category):
        sides = divide(cases, j, threshold)
        if min(map(len, sides)) >= min_leaf:
            total = sum(weight(side) * impurity_of(side, impurity) for side in sides)
            yield impurity_of(cases, impurity) - total / weight(cases), j, threshold


def best_split(cases, impurity=gini, min_leaf=1, features=None, max_features=inf, categories=()):
    """The first split of largest gain as (gain, j, threshold), or None if there is no split.

    Features are tried in the order of features(): max_features, or more until one has a split.
    """
    found = []
    for tried, j in enumerate(features() if features else range(len(cases[0][0]))):
        if tried < max_features or not found:
            found += scored_splits(cases, j, impurity, min_leaf, j in categories)
    enough = max((gain for gain, _, _ in found), default=0) - TIE * impurity_of(cases, impurity)
    return next((split for split in found if split[0] >= enough), None)


def node(cases, impurity):
    """A node that is not split yet, and so is a leaf."""
    _, y, w = zip(*cases)
    return dict(n=len(cases), weight=sum(w), impurity=impurity(y, w), value=value(y, w, impurity))


def grow(X, y, w=None, impurity=gini, max_depth=inf, min_split=2, min_leaf=1, **search):
    """Grow a tree depth by depth; search may hold features, max_features and categories."""
    cases = cases_of(X, y, w)
    tree = node(cases, impurity)
    waiting = deque([(tree, cases, 0)])
    while waiting:
        t, cases, depth = waiting.popleft()
        is_pure = len({target for _, target, _ in cases}) == 1
        if is_pure or depth >= max_depth or len(cases) < max(min_split, 2 * min_leaf):
            continue
        best = best_split(cases, impurity, min_leaf, **search)
        if best:
            gain, j, threshold = best
            for side, part in zip(("left", "right"), divide(cases, j, threshold)):
                t[side] = node(part, impurity)
                waiting.append((t[side], part, depth + 1))
            if isinstance(threshold, set) and t["left"]["weight"] >= t["right"]["weight"]:
                threshold |= {x[j] for x in X} - {x[j] for x, _, _ in cases}  # absent: heavier side
            t |= {"feature": j, "threshold": threshold, "gain": gain}
    return tree


def leaf(tree, x):
    """The leaf into which row x falls."""
    while "left" in tree:
        tree = tree["left" if goes_left(x, tree["feature"], tree["threshold"]) else "right"]
    return tree


def prediction(value):
    """The class of largest proportion, ties going to the first; a number predicts itself."""
    return max(value, key=value.get) if isinstance(value, dict) else value


def predict(tree, x):
    """The class or the number that the tree predicts for row x."""
    return prediction(leaf(tree, x)["value"])


def leaves(tree):
    """The leaves from left to right."""
    return leaves(tree["left"]) + leaves(tree["right"]) if "left" in tree else [tree]


def inner(tree):
    """The nodes that are split, in preorder."""
    return [tree] + inner(tree["left"]) + inner(tree["right"]) if "left" in tree else []


def export_text(tree, names=None, indent="|--- "):
    """Tree as indented text, with the names of the features; each line begins with indent."""
    if "left" not in tree:
        return f"{indent}{prediction(tree['value'])}"
    j, at = tree["feature"], tree["threshold"]
    name = indent + (names[j] if names else f"feature_{j}")
    left, right = (export_text(tree[side], names, "|   " + indent) for side in ("left", "right"))
    yes, no = ("in", "not in") if isinstance(at, set) else ("<=", "> ")
    return f"{name} {yes} {at}\n{left}\n{name} {no} {at}\n{right}"
