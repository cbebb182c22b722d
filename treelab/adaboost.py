"""AdaBoost: weak learners in turn, each trained more on the cases that are misclassified so far.

Each case has a weight. After a round the cases that the new tree misclassifies gain weight, until
the tree would do no better than chance on them. The prediction is a weighted vote, in which a tree
with a smaller error has a larger estimator weight. With K classes (SAMME), chance is an error of
1 - 1/K. In regression (AdaBoost.R2) a loss between 0 and 1 takes the place of the error.

Vocabulary
----------
K, M : number of classes; maximum number of rounds, B in the formulas
w : weights of the cases before a round, which sum to 1
e : weighted error of a tree, epsilon in the formulas
alpha : estimator weight, ln((1 - e) / e) + ln(K - 1), times learning_rate
estimators : list of (tree, alpha)
losses, L : distances from the targets as fractions of the largest one; their weighted mean
"""

from math import exp, log

from .bootstrap import take
from .cart import grow, predict
from .impurity import mean, quantile, squared_error

PERFECT = 1e-10  # stands for an error of 0, whose estimator weight would be infinite
NEAR = 1e-12  # an error this close to chance is chance


def estimator_weight(e, K=2, learning_rate=1.0):
    """Weight of a tree in the vote: 0 at chance, and the larger the smaller its error."""
    e = e or PERFECT
    return learning_rate * (log((1 - e) / e) + log(max(K - 1, 1)))


def normalized(w):
    """Weights that sum to 1."""
    W = sum(w)
    return [v / W for v in w]


def reweight(w, wrong, alpha):
    """Weights after a round: those of the wrong cases are multiplied by exp(alpha)."""
    return normalized([v * exp(alpha) if off else v for v, off in zip(w, wrong)])


def adaboost(X, y, w=None, M=50, learning_rate=1.0, max_depth=1, **limits):
    """Fit the estimators. A tree without error is the last one; one at chance is not kept."""
    w, K, estimators = normalized(w or [1] * len(y)), len(set(y)), []
    for _ in range(M):
        tree = grow(X, y, w, max_depth=max_depth, **limits)
        wrong = [predict(tree, x) != k for x, k in zip(X, y)]
        e = sum(v for v, off in zip(w, wrong) if off)
        if e >= 1 - 1 / K - NEAR:
            break
        alpha = estimator_weight(e, K, learning_rate)
        estimators.append((tree, alpha))
        if e == 0:
            break
        w = reweight(w, wrong, alpha)
    return estimators


def vote_proportions(estimators, x):
    """Proportion of the total estimator weight that votes for each class of row x."""
    votes = [(predict(tree, x), alpha) for tree, alpha in estimators]
    total = sum(alpha for _, alpha in votes)
    return {k: sum(a for c, a in votes if c == k) / total for k in sorted({c for c, _ in votes})}


def adaboost_r2(X, y, draw, M=50, learning_rate=1.0, max_depth=3, **limits):
    """Fit the estimators of a regression; draw(w) returns a sample drawn with these weights."""
    w, estimators = normalized([1] * len(y)), []
    limits |= {"impurity": squared_error, "max_depth": max_depth}
    for _ in range(M):
        tree = grow(*take(draw(w), X, y), **limits)
        far = [abs(predict(tree, x) - target) for x, target in zip(X, y)]
        losses = [d / (max(far) or 1) for d in far]
        L = mean(losses, w)
        if L >= 0.5 and estimators:
            break
        estimators.append((tree, learning_rate * log((1 - L) / L) if 0 < L < 0.5 else 1))
        if L == 0 or L >= 0.5:
            break
        w = normalized([v * (L / (1 - L)) ** (learning_rate * (1 - l)) for v, l in zip(w, losses)])
    return estimators


def weighted_median(estimators, x):
    """Smallest prediction for row x at which half of the estimator weight is reached."""
    return quantile([predict(tree, x) for tree, _ in estimators], [a for _, a in estimators])
