"""Cross-validation: each case is predicted once, by a model that is fitted without its fold.

The standard error takes the errors of the folds for independent. They share training data, so it is
a rough guide; `treelab.comparisons` has an interval for the difference of two methods.

>>> from treelab import cart
>>> from treelab.cross_validation import cross_validate, standard_error, stratified_folds
>>> X, y = [[1], [2], [3], [4], [5], [6], [7], [8]], ["a", "a", "a", "b", "a", "b", "b", "b"]
>>> def fit(X, y):
...     tree = cart.grow(X, y, max_depth=1)
...     return lambda x: cart.predict(tree, x)
>>> errors = cross_validate(fit, X, y, stratified_folds(y, 3, seed=0))
>>> [round(e, 2) for e in errors], round(standard_error(errors), 3)
([0.33, 0.0, 0.5], 0.147)

Vocabulary
----------
folds : k lists of row numbers; each row is in one of them
fit(X, y) : returns the model, a function that predicts a row
loss(y, predicted) : the loss of one prediction
errors : mean loss on each fold
"""

from math import sqrt
from random import Random
from statistics import fmean, stdev

from .bootstrap import take, wrong_class


def stratified_folds(y, k, seed):
    """Distribute the rows at random over k folds with the same class proportions.

    >>> folds = stratified_folds(["a", "b", "a", "b", "a", "a"], 2, seed=0)
    >>> sorted(map(len, folds))
    [3, 3]
    """
    rows = list(range(len(y)))
    Random(seed).shuffle(rows)
    classes = list(dict.fromkeys(y))
    rows.sort(key=lambda i: classes.index(y[i]))
    return [sorted(rows[start::k]) for start in range(k)]


def cross_validate(fit, X, y, folds, loss=wrong_class):
    """Errors: the mean loss on each fold of the model that is fitted on all other folds."""
    errors = []
    for fold in folds:
        predict = fit(*take([i for i in range(len(y)) if i not in fold], X, y))
        errors.append(fmean(loss(y[i], predict(X[i])) for i in fold))
    return errors


def standard_error(errors):
    """Standard error of the mean of the errors.

    >>> standard_error([0.25, 0.5, 0.75, 0.5])
    0.10206207261596575
    """
    return stdev(errors) / sqrt(len(errors))
