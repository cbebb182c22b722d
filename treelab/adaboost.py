"""AdaBoost: small trees in turn, each for the cases that the ones before got wrong.

Each case has a weight. After a round the cases that the new member gets wrong gain weight, until
the member would do no better than chance on them. The members vote, and the better a member did,
the more its vote counts. With K classes (SAMME), chance is an error of 1 - 1/K. For numbers
(AdaBoost.R2) a case is not right or wrong, but more or less far off.

Vocabulary
----------
K, M : classes; the most rounds, B in the formulas
w : weights of the cases before a round, which sum to 1
e : weighted error of a member, epsilon in the formulas
vote : ln((1 - e) / e) + ln(K - 1), times learning_rate
miss, L : distance from the target as a share of the largest one; its weighted mean
"""

from math import exp, log

from .bootstrap import pick
from .cart import grow, predict
from .impurity import mean, quantile, squared_error

PERFECT = 1e-10  # an error of 0 votes like this one, or its vote would be infinite
NEAR = 1e-12  # an error this close to chance is chance


def vote_weight(e, K=2, learning_rate=1.0):
    """Weight of a member's vote: 0 at chance, and the larger the smaller its error."""
    e = e or PERFECT
    return learning_rate * (log((1 - e) / e) + log(max(K - 1, 1)))


def normalized(w):
    """Weights that sum to 1."""
    W = sum(w)
    return [v / W for v in w]


def reweight(w, wrong, vote):
    """Weights after a round: those of the wrong cases times exp(vote)."""
    return normalized([v * exp(vote) if off else v for v, off in zip(w, wrong)])


def adaboost(X, y, w=None, M=50, learning_rate=1.0, max_depth=1, **limits):
    """Trees with their votes. A tree without error is the last; one at chance is not kept."""
    w, K, members = normalized(w or [1] * len(y)), len(set(y)), []
    for _ in range(M):
        tree = grow(X, y, w, max_depth=max_depth, **limits)
        wrong = [predict(tree, x) != k for x, k in zip(X, y)]
        e = sum(v for v, off in zip(w, wrong) if off)
        if e >= 1 - 1 / K - NEAR:
            break
        vote = vote_weight(e, K, learning_rate)
        members.append((tree, vote))
        if e == 0:
            break
        w = reweight(w, wrong, vote)
    return members


def vote_shares(members, x):
    """Share of the votes that each class gets for row x."""
    said = [(predict(tree, x), vote) for tree, vote in members]
    total = sum(vote for _, vote in said)
    return {k: sum(v for c, v in said if c == k) / total for k in sorted({c for c, _ in said})}


def adaboost_r2(X, y, draw, M=50, learning_rate=1.0, max_depth=3, **limits):
    """Trees with their votes, for numbers; draw(w) returns a sample drawn with these weights."""
    w, members = normalized([1] * len(y)), []
    limits |= {"impurity": squared_error, "max_depth": max_depth}
    for _ in range(M):
        tree = grow(*pick(draw(w), X, y), **limits)
        far = [abs(predict(tree, x) - target) for x, target in zip(X, y)]
        miss = [d / (max(far) or 1) for d in far]
        L = mean(miss, w)
        if L >= 0.5 and members:
            break
        members.append((tree, learning_rate * log((1 - L) / L) if 0 < L < 0.5 else 1))
        if L == 0 or L >= 0.5:
            break
        w = normalized([v * (L / (1 - L)) ** (learning_rate * (1 - l)) for v, l in zip(w, miss)])
    return members


def weighted_median(members, x):
    """The smallest prediction for row x at which half of the votes are reached."""
    return quantile([predict(tree, x) for tree, _ in members], [vote for _, vote in members])
