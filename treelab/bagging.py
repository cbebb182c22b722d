"""Bagging and random forests: grow a tree on each bootstrap sample, and average the predictions.

In a random forest each node is also split on one of a few features only, drawn at random, so that
the trees differ more. The out-of-bag prediction of a training case is the mean of the trees that
were grown without it.

>>> from treelab.bagging import bagging, proximity
>>> X, y, samples = [[1], [2], [3]], ["a", "b", "b"], [[0, 1, 1], [0, 2, 2], [1, 2, 2]]
>>> proximity(bagging(X, y, samples), X)[0]
[1.0, 0.6666666666666666, 0.3333333333333333]

Vocabulary
----------
B, b : number of trees; one of them
samples : the row numbers on which each tree is grown (`treelab.bootstrap`)
m : number of features that are tried at a node
value : value of a leaf, or the mean of several: class proportions {class: proportion}, or a number
proximity : fraction of the trees in which two rows fall into the same leaf
proximity by depth : how much of their two paths is common, the mean over the trees
"""

from random import Random
from statistics import fmean

from .bootstrap import take, wrong_class
from .cart import goes_left, grow, leaf, predict, prediction


def bagging(X, y, samples, w=None, **limits):
    """Grow a tree on each sample, in which a row that is drawn twice counts as two cases."""
    w = w or [1] * len(y)
    return [grow(*take(sample, X, y, w), **limits) for sample in samples]


def draw_features(p, seed):
    """Return a function that draws the order in which a node tries the p features."""
    random = Random(seed)
    return lambda: random.sample(range(p), p)


def random_forest(X, y, samples, features, m, w=None, **limits):
    """Grow a tree on each sample, in which a row that is drawn twice is one case of weight 2.

    features[b]() is called at each node of tree b, which tries the first m features of the order.
    """
    w, trees = w or [1] * len(y), []
    for sample, draw in zip(samples, features):
        weight = [sample.count(i) * w[i] for i in range(len(y))]
        trees.append(grow(X, y, weight, features=draw, max_features=m, **limits))
    return trees


def average(values):
    """Mean of numbers, or of class proportions class by class."""
    if not isinstance(values[0], dict):
        return sum(values) / len(values)
    classes = sorted(set().union(*values))
    return {k: sum(p.get(k, 0) for p in values) / len(values) for k in classes}


def predict_value(trees, x):
    """Mean over the trees of the value of the leaf of row x."""
    return average([leaf(tree, x)["value"] for tree in trees])


def vote(trees, x):
    """Proportion of the trees that predict each class for row x."""
    return average([{predict(tree, x): 1.0} for tree in trees])


def out_of_bag(trees, samples, X):
    """Mean value of each row over the trees grown without it; None if there is no such tree."""
    means = []
    for i, x in enumerate(X):
        unseen = [tree for tree, sample in zip(trees, samples) if i not in sample]
        means.append(predict_value(unseen, x) if unseen else None)
    return means


def out_of_bag_error(values, y, loss=wrong_class):
    """Mean loss over the rows that have an out-of-bag value."""
    return fmean(loss(k, prediction(p)) for k, p in zip(y, values) if p is not None)


def proximity(trees, X, samples=None):
    """Proximity of every pair of rows.

    With samples only the trees count for which both rows are out of bag; it is None without any.
    """
    found = [[leaf(tree, x) for x in X] for tree in trees]

    def together(i, k):
        seen = samples or [[]] * len(trees)
        pairs = [t[i] is t[k] for t, sample in zip(found, seen) if not {i, k} & set(sample)]
        return fmean(pairs) if pairs else None

    rows = range(len(X))
    return [[1.0 if i == k else together(i, k) for k in rows] for i in rows]


def path(tree, x):
    """The nodes from the root to the leaf of row x."""
    nodes = [tree]
    while "left" in tree:
        tree = tree["left"] if goes_left(x, tree["feature"], tree["threshold"]) else tree["right"]
        nodes.append(tree)
    return nodes


def proximity_by_depth(trees, X):
    """As `proximity`, but two rows that separate in a tree count by how late they do.

    In a tree it is the number of splits before the one at which they separate, divided by the
    number of splits on the longer of their two paths, and 1 in a common leaf.
    """
    found = [[path(tree, x) for x in X] for tree in trees]

    def depth(first, second):
        if first[-1] is second[-1]:
            return 1.0
        common = sum(a is b for a, b in zip(first, second))
        return (common - 1) / (max(len(first), len(second)) - 1)

    rows = range(len(X))
    return [[fmean(depth(t[i], t[k]) for t in found) for k in rows] for i in rows]
