"""Feature importance: mean decrease in impurity (MDI), and permutation importance.

The impurity importance credits the impurity decrease of each split to the feature on which the node
is split. The permutation importance shuffles a column, so that it carries no information any more,
and measures by how much the loss of the same model rises, on test data or out of bag.

Vocabulary
----------
p : number of features, d in the formulas; importances : one number for each
trees, samples : as in `bagging`
decrease : weight of a node times the gain of its split
order : a permutation of row numbers; position i gets the value of row order[i]
model : a function that predicts a row; loss(y, predicted) : the loss of one prediction
"""

from functools import partial
from statistics import fmean

from .bootstrap import take, wrong_class
from .cart import inner, predict


def impurity_decreases(tree, p):
    """Sum of the decreases of each feature, per unit of the tree's weight."""
    decreases = [0.0] * p
    for t in inner(tree):
        decreases[t["feature"]] += t["weight"] * t["gain"] / tree["weight"]
    return decreases


def normalized(importances):
    """Importances that sum to 1, or are all 0."""
    return [v / sum(importances) if any(importances) else 0.0 for v in importances]


def mean_decrease_impurity(trees, p, by_tree=False):
    """Mean decreases of the trees, normalized; by_tree normalizes those of each tree first."""
    decreases = [impurity_decreases(tree, p) for tree in trees]
    if by_tree:
        decreases = [normalized(of_tree) for of_tree in decreases]
    return normalized([fmean(column) for column in zip(*decreases)])


def shuffled(X, j, order):
    """The table with column j in another order."""
    return [[*x[:j], X[i][j], *x[j + 1 :]] for x, i in zip(X, order)]


def mean_loss(model, X, y, loss):
    """Mean loss of a model on some cases."""
    return fmean(loss(target, model(x)) for x, target in zip(X, y))


def rise(model, X, y, j, order, loss):
    """Rise of the mean loss when column j is put into another order."""
    return mean_loss(model, shuffled(X, j, order), y, loss) - mean_loss(model, X, y, loss)


def permutation_importance(model, X, y, orders, loss=wrong_class):
    """Rise of the loss for each feature, in each of the orders."""
    return [[rise(model, X, y, j, order, loss) for order in orders] for j in range(len(X[0]))]


def oob_permutation_importance(trees, samples, X, y, draw, loss=wrong_class):
    """Rise of each tree's loss on its out-of-bag rows, for each feature.

    draw(n) returns an order of n rows and is called for each feature on which the tree splits.
    Trees with fewer than two out-of-bag rows are left out.
    """
    rises, p = [], len(X[0])
    for tree, sample in zip(trees, samples):
        rows = [i for i in range(len(y)) if i not in sample]
        if len(rows) > 1:
            part = partial(predict, tree), *take(rows, X, y)
            used = sorted({t["feature"] for t in inner(tree)})
            by_feature = {j: rise(*part, j, draw(len(rows)), loss) for j in used}
            rises.append([by_feature.get(j, 0.0) for j in range(p)])
    return rises
