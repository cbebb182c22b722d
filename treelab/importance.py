"""Importance: which features does a model live on?

By impurity: each split takes some impurity away, which is credited to the feature that it asks
about. By loss: shuffle a column, so that it says nothing any more, ask the same model again, and
note what it loses; best on new cases, or for each tree on those that it has not seen.

Vocabulary
----------
p : number of features, d in the formulas; found : one importance for each
trees, samples : as in `bagging`
decrease : weight of a node times the gain of its cut
order : a permutation of row numbers; place i gets the value of row order[i]
model : a function that predicts a row; loss(y, predicted) : what one prediction costs
"""

from functools import partial
from statistics import fmean

from .bootstrap import pick, wrong_class
from .cart import inner, predict


def impurity_decreases(tree, p):
    """Sum of the decreases of each feature, for a unit of the tree's weight."""
    found = [0.0] * p
    for t in inner(tree):
        found[t["feature"]] += t["weight"] * t["gain"] / tree["weight"]
    return found


def to_shares(found):
    """Importances that sum to 1, or all 0."""
    return [v / sum(found) if any(found) else 0.0 for v in found]


def mean_decrease_impurity(trees, p, by_tree=False):
    """Mean of the trees' decreases, as shares; by_tree, each tree's are made shares first."""
    found = [impurity_decreases(tree, p) for tree in trees]
    if by_tree:
        found = [to_shares(of_tree) for of_tree in found]
    return to_shares([fmean(column) for column in zip(*found)])


def shuffled(X, j, order):
    """The table with column j in another order."""
    return [[*x[:j], X[i][j], *x[j + 1 :]] for x, i in zip(X, order)]


def mean_loss(model, X, y, loss):
    """Mean loss of a model on some cases."""
    return fmean(loss(target, model(x)) for x, target in zip(X, y))


def rise(model, X, y, j, order, loss):
    """Mean loss with column j in another order, less that with the table as it is."""
    return mean_loss(model, shuffled(X, j, order), y, loss) - mean_loss(model, X, y, loss)


def permutation_importance(model, X, y, orders, loss=wrong_class):
    """What each column takes with it: the rise of the loss in each of the orders."""
    return [[rise(model, X, y, j, order, loss) for order in orders] for j in range(len(X[0]))]


def oob_permutation_importance(trees, samples, X, y, draw, loss=wrong_class):
    """The rise of each tree's loss on the rows that it has not seen, by column.

    draw(n) returns an order of n rows, and is called for each feature that a tree asks about.
    Trees with fewer than two such rows are left out.
    """
    rises, p = [], len(X[0])
    for tree, sample in zip(trees, samples):
        rows = [i for i in range(len(y)) if i not in sample]
        if len(rows) > 1:
            part = partial(predict, tree), *pick(rows, X, y)
            tested = sorted({t["feature"] for t in inner(tree)})
            found = {j: rise(*part, j, draw(len(rows)), loss) for j in tested}
            rises.append([found.get(j, 0.0) for j in range(p)])
    return rises
