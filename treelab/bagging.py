"""Bagging and random forests: many trees from one table, and the mean of what they say.

Each tree is grown on a bootstrap sample and so sees other data. In a random forest each node also
chooses among a few features only, drawn anew, so that the trees differ more. A case of the
training data is judged by the trees that have not seen it: out of bag.

>>> from treelab.bagging import bagging, proximity
>>> X, y, samples = [[1], [2], [3]], ["a", "b", "b"], [[0, 1, 1], [0, 2, 2], [1, 2, 2]]
>>> proximity(bagging(X, y, samples), X)[0]
[1.0, 0.6666666666666666, 0.3333333333333333]

Vocabulary
----------
B, b : number of trees; one of them
samples : the row numbers that each tree is grown on (`treelab.bootstrap`)
m : features that a node tries
value : what a tree, or the mean of many, says of a row: class shares {class: share}, or a number
proximity : fraction of the trees in which two rows fall into the same leaf
proximity by depth : how much of their two paths is common, the mean over the trees
"""

from random import Random
from statistics import fmean

from .bootstrap import pick, wrong_class
from .cart import answer, goes_left, grow, leaf, predict


def bagging(X, y, samples, w=None, **limits):
    """A tree for each sample. What is drawn twice is two cases."""
    w = w or [1] * len(y)
    return [grow(*pick(sample, X, y, w), **limits) for sample in samples]


def draw_features(p, seed):
    """What draws the order in which a node tries the p features."""
    random = Random(seed)
    return lambda: random.sample(range(p), p)


def random_forest(X, y, samples, features, m, w=None, **limits):
    """A tree for each sample and each of features. What is drawn twice is a case of weight 2.

    features[b]() is called at every node of tree b, which tries the first m of the order.
    """
    w, trees = w or [1] * len(y), []
    for sample, draw in zip(samples, features):
        weight = [sample.count(i) * w[i] for i in range(len(y))]
        trees.append(grow(X, y, weight, features=draw, max_features=m, **limits))
    return trees


def average(values):
    """Mean of numbers, or of class shares class by class."""
    if not isinstance(values[0], dict):
        return sum(values) / len(values)
    classes = sorted(set().union(*values))
    return {k: sum(p.get(k, 0) for p in values) / len(values) for k in classes}


def predict_value(trees, x):
    """Mean of what the trees say of row x."""
    return average([leaf(tree, x)["value"] for tree in trees])


def vote(trees, x):
    """Share of the trees that name each class for row x."""
    return average([{predict(tree, x): 1.0} for tree in trees])


def out_of_bag(trees, samples, X):
    """Mean of what the trees that have not seen a row say of it; None if all have."""
    means = []
    for i, x in enumerate(X):
        unseen = [tree for tree, sample in zip(trees, samples) if i not in sample]
        means.append(predict_value(unseen, x) if unseen else None)
    return means


def out_of_bag_error(values, y, loss=wrong_class):
    """Mean loss over the rows that some tree has not seen."""
    return fmean(loss(k, answer(p)) for k, p in zip(y, values) if p is not None)


def proximity(trees, X, samples=None):
    """Proximity of every pair of rows.

    With samples it counts only the trees for which both rows are out of bag; None without any.
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
        tree = tree["left"] if goes_left(x, tree["feature"], tree["cut"]) else tree["right"]
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
