"""Gradient boosting: a sum of small trees, each fitted to the pseudo-residuals of the sum so far.

In each round the loss gives the direction in which the score of each case should move, and a
regression tree is fitted to these directions. The loss then sets the value of each leaf, and the
scores of its cases move by a fraction of that value, the learning rate.

Vocabulary
----------
F : scores of the cases: the predicted numbers, or the log-odds of class 1
r, step(rows) : the directions, and the value of a leaf (`treelab.losses`)
bags : for each round the row numbers on which its tree is grown, all or drawn without replacement
learning_rate : the fraction of its value by which a leaf moves the scores
model : the start, the trees, and learning_rate
"""

from itertools import accumulate

from .bootstrap import take
from .cart import grow, leaf, leaves, predict
from .impurity import squared_error
from .losses import START, half_square


def gradient_boosting(X, y, bags, w=None, loss=half_square, learning_rate=0.1, **limits):
    """Fit a model with one tree for each bag."""
    w, limits = w or [1] * len(y), {"max_depth": 3, "impurity": squared_error} | limits
    start = START[loss](y, w)
    F, trees = [start] * len(y), []
    for bag in bags:
        r, step = loss(y, F, w)
        tree = grow(*take(bag, X, r, w), **limits)
        for t in leaves(tree):
            t["value"] = step([i for i in bag if leaf(tree, X[i]) is t])
        F = [score + learning_rate * predict(tree, x) for score, x in zip(F, X)]
        trees.append(tree)
    return start, trees, learning_rate


def staged_scores(model, x):
    """Score of row x at the start and after each round."""
    start, trees, learning_rate = model
    return list(accumulate((learning_rate * predict(tree, x) for tree in trees), initial=start))
