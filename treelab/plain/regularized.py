"""Regularized trees: what no node has asked about yet must gain more than what some node has.

A new column gets a part of its gain only, its penalty. The trees are grown one after the other, and
each from its root down to the left, then to the right; what is paid for once stays so in all nodes
and trees behind. The columns that were paid for are the choice.

Vocabulary
----------
paid : of each column that was asked about, where that was first, and its gain: {j: (place, gain)}
place : a node, as the number of its tree and the sides on the way to it: "0", "0LR"
draw(place) : the order in which this node tries the columns
m : new columns that a node tries; those that are paid for it tries all
penalty : for each column, what its gain is multiplied by while it is new
"""

from .cart import TIE, cases_of, cuts, divide, impurity_of, node
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


def grow(cases, draw, m, penalty, paid, impurity=entropy, place="0"):
    """Grow a tree, and write down in `paid` what it asks about for the first time."""
    tree = node(cases, impurity)
    best = best_cut(cases, draw(place), m, penalty, paid, impurity)
    if best:
        gain, j, cut = best
        paid.setdefault(j, (place, gain))
        tree |= {"feature": j, "cut": cut, "gain": gain}
        for side, part in zip(("left", "right"), divide(cases, j, cut)):
            below = place + side[0].upper()
            tree[side] = grow(part, draw, m, penalty, paid, impurity, below)
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
