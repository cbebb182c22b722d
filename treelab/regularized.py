"""Regularized trees: what no node has asked about yet must gain more than what some node has.

A new column gets a part of its gain only, its penalty. The trees are grown one after the other, and
each from its root down to the left, then to the right; what is paid for once stays so in all nodes
and trees behind. The columns that were paid for are the choice. The trees are those of a random
forest (RRF), or of AdaBoost (RBoost), which weights the cases that the tree before got wrong more.

>>> from treelab.regularized import regularized_boosting
>>> X, y = [[0, 0], [0, 1], [1, 2], [1, 3]], ["a", "a", "b", "b"]
>>> trees, paid = regularized_boosting(X, y, lambda w: (w, lambda place: [1, 0]), 2, [0.5, 0.5])
>>> len(trees), paid
(1, {1: ('0', 1.0)})

Vocabulary
----------
paid : of each column that was asked about, where that was first, and its gain: {j: (place, gain)}
place : a node, as the number of its tree and the sides on the way to it: "0", "0LR"
draw(place) : the order in which this node tries the columns
m : new columns that a node tries; those that are paid for it tries all
penalty : for each column, what its gain is multiplied by while it is new
w : in boosting the weights of the cases before a round, which sum to 1
draws(w) : weights of the cases in the next tree, how often each is drawn with the chances w, or w
    itself; and its draw(place)
M, tries : the most rounds, and the most trees of one; depth : the most questions below a node
"""

from math import inf

from .adaboost import NEAR, normalized, reweight, vote_weight
from .cart import TIE, cases_of, cuts, divide, impurity_of, node, predict
from .impurity import entropy


def best_cut(cases, order, m, penalty, paid, impurity):
    """The largest penalized gain as (gain, j, cut), that of a paid column first; None: no gain."""
    new = [j for j in order if j not in paid]
    found, tie = [], TIE * impurity_of(cases, impurity)
    for j in [*(j for j in order if j in paid), *new]:
        if not found or j not in new[m:]:  # more new ones only while none can be cut
            part = 1 if j in paid else penalty[j]
            offers = cuts(cases, j, impurity)
            found += [(part * gain, part * tie, gain, j, cut) for gain, _, cut in offers]
    most, close = max((offer[:2] for offer in found), default=(0, 0))
    best = next((offer[2:] for offer in found if offer[0] >= most - close), None)
    return best if most > close else None


def grow(cases, draw, m, penalty, paid, impurity=entropy, place="0", depth=inf):
    """Grow a tree, and write down in `paid` what it asks about for the first time."""
    tree = node(cases, impurity)
    best = best_cut(cases, draw(place), m, penalty, paid, impurity) if depth else None
    if best:
        gain, j, cut = best
        paid.setdefault(j, (place, gain))
        tree |= {"feature": j, "cut": cut, "gain": gain}
        for side, part in zip(("left", "right"), divide(cases, j, cut)):
            below = place + side[0].upper()
            tree[side] = grow(part, draw, m, penalty, paid, impurity, below, depth - 1)
    return tree


def regularized_forest(X, y, samples, draw, m, penalty, w=None, impurity=entropy):
    """A tree for each sample, and what they paid for, in order.

    What is drawn twice is a case of weight 2.
    """
    w, trees, paid = w or [1] * len(y), [], {}
    for b, sample in enumerate(samples):
        weight = [sample.count(i) * w[i] for i in range(len(y))]
        trees.append(grow(cases_of(X, y, weight), draw, m, penalty, paid, impurity, str(b)))
    return trees, paid


def regularized_boosting(X, y, draws, m, penalty, w=None, M=100, tries=11, depth=inf):
    """Trees of AdaBoost, for two classes or more, and what they paid for, in order.

    A tree with an error of 1/2 or more is drawn again; after so many tries it ends the rounds, and
    is kept only if it is the first. A tree without error ends them, too.
    """
    w, trees, paid = normalized(w or [1] * len(y)), [], {}
    for b in range(M):
        for _ in range(tries):
            weight, draw = draws(w)
            found, cases = dict(paid), cases_of(X, y, weight)
            tree = grow(cases, draw, m, penalty, found, entropy, str(b), depth)
            wrong = [predict(tree, x) != k for x, k in zip(X, y)]
            e = sum(v for v, off in zip(w, wrong) if off)
            if e < 0.5 - NEAR:
                break
        if e < 0.5 - NEAR or not trees:
            trees, paid = [*trees, tree], found
        if e == 0 or e >= 0.5 - NEAR:
            break
        w = reweight(w, wrong, vote_weight(e))
    return trees, paid
