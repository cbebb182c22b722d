"""Regularized trees: a feature that no node has been split on yet must gain more than the others.

The gain of a new feature is multiplied by its penalty. The trees are grown one after the other, and
each from its root down to the left, then to the right; a feature that is selected once remains
selected in all nodes and trees that follow. The trees are those of a random forest (RRF), or of
AdaBoost (RBoost), which raises the weights of the cases that the tree before misclassified.

>>> from treelab.regularized import regularized_boosting
>>> X, y = [[0, 0], [0, 1], [1, 2], [1, 3]], ["a", "a", "b", "b"]
>>> trees, selected = regularized_boosting(X, y, lambda w: (w, lambda path: [1, 0]), 2, [0.5, 0.5])
>>> len(trees), selected
(1, {1: ('0', 1.0)})

Vocabulary
----------
selected : for each feature that was split on, the node where that was first, and its gain there:
    {j: (path, gain)}
path : the path to a node, as the number of its tree and the sides from the root: "0", "0LR"
draw(path) : the order in which this node tries the features
m : number of new features that a node tries; it tries all that are selected already
penalty : for each feature, the factor of its gain while it is new
w : in boosting the weights of the cases before a round, which sum to 1
draws(w) : weights of the cases in the next tree, either w or bootstrap counts drawn with the
    probabilities w; and its draw(path)
M, tries : maximum number of rounds, and of trees in one; depth : maximum depth below a node
"""

from math import inf

from .adaboost import NEAR, estimator_weight, normalized, reweight
from .cart import TIE, cases_of, divide, impurity_of, node, predict, scored_splits
from .impurity import entropy


def best_split(cases, order, m, penalty, selected, impurity):
    """The split of largest penalized gain as (gain, j, threshold), or None if there is no gain.

    Ties go to a feature that is already selected, and otherwise to the first in `order`.
    """
    new = [j for j in order if j not in selected]
    found, tie = [], TIE * impurity_of(cases, impurity)
    for j in [*(j for j in order if j in selected), *new]:
        if not found or j not in new[m:]:  # further new ones only as long as there is no split
            factor = 1 if j in selected else penalty[j]
            splits = scored_splits(cases, j, impurity)
            found += [(factor * split[0], factor * tie, split) for split in splits]
    most, close = max((candidate[:2] for candidate in found), default=(0, 0))
    best = next((split for penalized, _, split in found if penalized >= most - close), None)
    return best if most > close else None


def grow(cases, draw, m, penalty, selected, impurity=entropy, path="0", depth=inf):
    """Grow a tree, and record in `selected` each feature that is split on for the first time."""
    tree = node(cases, impurity)
    best = best_split(cases, draw(path), m, penalty, selected, impurity) if depth else None
    if best:
        gain, j, threshold = best
        selected.setdefault(j, (path, gain))
        tree |= {"feature": j, "threshold": threshold, "gain": gain}
        for side, part in zip(("left", "right"), divide(cases, j, threshold)):
            below = path + side[0].upper()
            tree[side] = grow(part, draw, m, penalty, selected, impurity, below, depth - 1)
    return tree


def regularized_forest(X, y, samples, draw, m, penalty, w=None, impurity=entropy):
    """Grow a tree on each sample, and return them with the selected features, in order.

    A row that is drawn twice is a case of weight 2.
    """
    w, trees, selected = w or [1] * len(y), [], {}
    for b, sample in enumerate(samples):
        weight = [sample.count(i) * w[i] for i in range(len(y))]
        trees.append(grow(cases_of(X, y, weight), draw, m, penalty, selected, impurity, str(b)))
    return trees, selected


def regularized_boosting(X, y, draws, m, penalty, w=None, M=100, tries=11, depth=inf):
    """Fit the trees of AdaBoost, for two or more classes, with the selected features, in order.

    A tree with an error of 1/2 or more is drawn again; after `tries` such trees the rounds end, and
    the last one is kept only if it is the first. They also end with a tree without error.
    """
    w, trees, selected = normalized(w or [1] * len(y)), [], {}
    for b in range(M):
        for _ in range(tries):
            weight, draw = draws(w)
            tried, cases = dict(selected), cases_of(X, y, weight)
            tree = grow(cases, draw, m, penalty, tried, entropy, str(b), depth)
            wrong = [predict(tree, x) != k for x, k in zip(X, y)]
            e = sum(v for v, off in zip(w, wrong) if off)
            if e < 0.5 - NEAR:
                break
        if e < 0.5 - NEAR or not trees:
            trees, selected = [*trees, tree], tried
        if e == 0 or e >= 0.5 - NEAR:
            break
        w = reweight(w, wrong, estimator_weight(e))
    return trees, selected
