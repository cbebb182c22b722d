"""Gradient boosting: a sum of small trees, each grown on what the sum so far lacks.

A round asks the loss in which direction the score of each case should move, grows a regression
tree on these directions, asks the loss how far the cases of each leaf should move, and moves
them by a share of that, the learning rate.

Vocabulary
----------
F : scores of the cases: the predicted numbers, or log-odds of class 1 against 0
r, step(rows) : the directions, and how far a leaf moves (`treelab.losses`)
bags : for each round the row numbers that its tree is grown on, all or drawn without replacement
learning_rate : the share of its step that a leaf moves
model : the start, the trees, and learning_rate
"""

from itertools import accumulate

from .bootstrap import pick
from .cart import grow, leaf, leaves, predict
from .impurity import squared_error
from .losses import START, half_square


def gradient_boosting(X, y, bags, w=None, loss=half_square, learning_rate=0.1, **limits):
    """A model with a tree for each bag."""
    w, limits = w or [1] * len(y), {"max_depth": 3, "impurity": squared_error} | limits
    start = START[loss](y, w)
    F, trees = [start] * len(y), []
    for bag in bags:
        r, step = loss(y, F, w)
        tree = grow(*pick(bag, X, r, w), **limits)
        for t in leaves(tree):
            t["value"] = step([i for i in bag if leaf(tree, X[i]) is t])
        F = [score + learning_rate * predict(tree, x) for score, x in zip(F, X)]
        trees.append(tree)
    return start, trees, learning_rate


def staged_scores(model, x):
    """Score of row x at the start, and after each round."""
    start, trees, learning_rate = model
    return list(accumulate((learning_rate * predict(tree, x) for tree in trees), initial=start))
