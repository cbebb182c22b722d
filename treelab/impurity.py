"""How mixed is a node? Each impurity straight from its definition.

Vocabulary
----------
y, w : targets and weights of the cases of a node; W : sum of the weights
k, S, p : a class, its weight and its share of the weight
Q : impurity per unit of weight
"""

from collections import Counter
from math import log2


def class_sums(y, w):
    """Weight of each class, in the order of the classes."""
    return Counter({c: sum(v for k, v in zip(y, w) if k == c) for c in sorted(set(y))})


def shares(y, w):
    """Share of the weight of each class."""
    return {k: S / sum(w) for k, S in class_sums(y, w).items()}


def gini(y, w):
    """Chance that two cases drawn from the node differ in class."""
    return 1 - sum(p * p for p in shares(y, w).values())


def entropy(y, w):
    """Bits needed to name the class of a case."""
    return bits(class_sums(y, w).values())


def bits(amounts):
    """Entropy of the shares that some amounts have of their sum."""
    W = sum(amounts)
    return sum(-a / W * log2(a / W) for a in amounts if a > 0)


def misclassification(y, w):
    """Share that the majority class gets wrong."""
    return 1 - max(shares(y, w).values())


def mean(y, w):
    """Weighted mean."""
    return sum(v * target for target, v in zip(y, w)) / sum(w)


def squared_error(y, w):
    """Mean squared distance to the mean: the variance."""
    center = mean(y, w)
    return mean([(target - center) ** 2 for target in y], w)


def quantile(y, w, share=0.5):
    """The smallest y with this share of the weight at or below it, but for rounding."""
    enough = share * sum(w) * (1 - 1e-12)
    return min(most for most in y if sum(v for target, v in zip(y, w) if target <= most) >= enough)


def median(y, w):
    """Halfway from the quantile seen from below to the one seen from above."""
    return quantile(y, w) / 2 - quantile([-target for target in y], w) / 2


def absolute_error(y, w):
    """Mean distance to the median."""
    center = median(y, w)
    return mean([abs(target - center) for target in y], w)


def value(y, w, impurity=gini):
    """What a node predicts: its class shares, or the number that its impurity is about."""
    return {squared_error: mean, absolute_error: median}.get(impurity, shares)(y, w)
