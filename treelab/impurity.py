"""Impurity of a node: how mixed its targets are, each measure straight from its definition.

Vocabulary
----------
y, w : targets and weights of the cases of a node; W : sum of the weights
k, S, p : a class, the sum of its weights, and its proportion of W
class_weight : weight of the cases of each class, {class: weight}, 1 if it is not in the dict
Q : impurity per unit of weight
"""

from collections import Counter
from math import log2


def class_sums(y, w):
    """Weight of each class, with the classes in sorted order."""
    return Counter({c: sum(v for k, v in zip(y, w) if k == c) for c in sorted(set(y))})


def proportions(y, w):
    """Proportion of the weight that belongs to each class."""
    return {k: S / sum(w) for k, S in class_sums(y, w).items()}


def row_weights(y, class_weight="balanced"):
    """Weight of each case by its class; with "balanced" all classes have the same sum.

    >>> row_weights(["a", "b", "b", "b"]), row_weights(["a", "b"], {"a": 5})
    ([2.0, 0.6666666666666666, 0.6666666666666666, 0.6666666666666666], [5, 1])
    """
    if class_weight == "balanced":
        class_weight = {k: len(y) / (len(set(y)) * n) for k, n in Counter(y).items()}
    return [class_weight.get(k, 1) for k in y]


def gini(y, w):
    """Gini impurity: the probability that two cases drawn from the node differ in class."""
    return 1 - sum(p * p for p in proportions(y, w).values())


def entropy(y, w):
    """Entropy in bits: the information needed on average to name the class of a case."""
    return bits(class_sums(y, w).values())


def bits(amounts):
    """Entropy of some amounts, each taken as a proportion of their sum."""
    W = sum(amounts)
    return sum(-a / W * log2(a / W) for a in amounts if a > 0)


def misclassification(y, w):
    """Error rate of the majority class."""
    return 1 - max(proportions(y, w).values())


def mean(y, w):
    """Weighted mean."""
    return sum(v * target for target, v in zip(y, w)) / sum(w)


def squared_error(y, w):
    """Mean squared distance from the mean, which is the variance."""
    center = mean(y, w)
    return mean([(target - center) ** 2 for target in y], w)


def quantile(y, w, fraction=0.5):
    """Smallest y with at least this fraction of the weight at or below it, up to rounding."""
    enough = fraction * sum(w) * (1 - 1e-12)
    return min(most for most in y if sum(v for target, v in zip(y, w) if target <= most) >= enough)


def median(y, w):
    """Midpoint between the quantile counted from below and the one counted from above."""
    return quantile(y, w) / 2 - quantile([-target for target in y], w) / 2


def absolute_error(y, w):
    """Mean absolute distance from the median."""
    center = median(y, w)
    return mean([abs(target - center) for target in y], w)


def value(y, w, impurity=gini):
    """Value of a node: its class proportions, or the number that minimizes its impurity."""
    return {squared_error: mean, absolute_error: median}.get(impurity, proportions)(y, w)
