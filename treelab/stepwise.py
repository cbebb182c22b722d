"""Stepwise selection: add or remove one feature at a time, by the residual sum of squares (RSS).

Forward selection starts without features and adds the best one in each step; backward selection
starts with all and removes the one whose loss raises the RSS least. Forward stagewise regression
moves the coefficient of the feature that is most correlated with the residual by a small step, and
never refits. Because the RSS always prefers more features, a criterion such as AIC decides where to
stop.

>>> from treelab.stepwise import first_stop, forward
>>> columns = [[1, 2, 3, 4, 5, 6], [1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 1, 0]]
>>> path = forward(columns, y=[3, 4, 6, 7, 11, 12])
>>> [features for features, _ in path], first_stop(path, n=6)
([[], [0], [0, 1], [0, 1, 2]], [0])

Vocabulary
----------
columns, y : the features, each a list of n numbers, and the target; features : numbers of some
basis : orthonormal directions that span the columns of a model; q : one of them
residual : difference between a column and its fit by a linear regression with an intercept
RSS, rss : residual sum of squares, the squared length of the residual of y
path : (features, RSS) of the models in the order of the search; k : number of features of one
penalty : per parameter in n ln(RSS / n) + penalty (k + 1): 2 for AIC, ln(n) for BIC
step, max_iter : how far a coefficient moves, for columns of length 1; maximum number of moves
"""

from itertools import pairwise
from math import copysign, fsum, inf, log, sqrt
from operator import mul

SHORT = 1e-7  # a shorter residual means a combination of the other columns, up to rounding
EXACT = 1e-20  # an RSS below this fraction of the total is a rounding error
TIE = 1e-9  # changes of the RSS closer than this fraction are tied, and the first wins


def dot(a, b):
    """Sum of the products of two columns."""
    return fsum(map(mul, a, b))


def centered(x):
    """Deviations of a column from its mean."""
    mean = fsum(x) / len(x)
    return [v - mean for v in x] if len(set(x)) > 1 else [0.0] * len(x)


def unit(x):
    """Deviations of a column, scaled to length 1; those of a constant column stay 0."""
    x = centered(x)
    length = sqrt(dot(x, x)) or 1
    return [v / length for v in x]


def residual(x, basis):
    """Residual of x after each direction in turn is regressed out of it (Gram and Schmidt)."""
    for q in basis:
        b = dot(q, x)
        x = [v - b * part for v, part in zip(x, q)]
    return x


def basis_of(features, columns):
    """Basis of some features; one that is a combination of those before it adds no direction."""
    basis = []
    for j in features:
        left = residual(unit(columns[j]), basis)
        if dot(left, left) > SHORT**2:
            basis.append(unit(left))
    return basis


def rss(features, columns, y):
    """RSS of the model with some features; 0 if it is only a rounding error."""
    r, total = residual(centered(y), basis_of(features, columns)), dot(centered(y), centered(y))
    return dot(r, r) if dot(r, r) > EXACT * total else 0.0


def decrease(j, others, columns, y):
    """Decrease of the RSS when j is added to a model of others; -1 for a combination of them."""
    basis = basis_of(others, columns)
    with_j = basis_of([*others, j], columns)
    return dot(with_j[-1], residual(centered(y), basis)) ** 2 if len(with_j) > len(basis) else -1


def first_best(values):
    """The first feature with the largest value in values, {feature: value}."""
    most = max(values.values())
    return next(j for j in values if values[j] >= most - TIE * abs(most))


def forward(columns, y):
    """Path from no feature to all but combinations of others, and to n - 2 features at most."""
    features, path = [], [([], rss([], columns, y))]
    while len(features) < min(len(columns), len(y) - 2):
        new = [j for j in range(len(columns)) if j not in features]
        gains = {j: decrease(j, features, columns, y) for j in new}
        if max(gains.values()) < 0:
            break
        features = [*features, first_best(gains)]
        path.append((features, rss(features, columns, y)))
    return path


def backward(columns, y):
    """Path from all features to none, leaving out combinations of those further left."""
    features = []
    for j in range(len(columns)):
        if len(basis_of([*features, j], columns)) > len(features):
            features = [*features, j]
    path = [(features, rss(features, columns, y))]
    while features:
        rests = {j: [i for i in features if i != j] for j in features}
        features = rests[first_best({j: -decrease(j, rests[j], columns, y) for j in features})]
        path.append((features, rss(features, columns, y)))
    return path


def criterion(rss, k, n, penalty=2):
    """AIC of a model with k features and an intercept, or BIC with its penalty."""
    return n * log(rss / n) + penalty * (k + 1) if rss > 0 else -inf


def first_stop(path, n, penalty=2):
    """Features of the first model on the path that the next step does not improve.

    Of two equally good models the one with fewer features is better.
    """
    values = [(criterion(rss, len(features), n, penalty), len(features)) for features, rss in path]
    stops = (t for t, (now, after) in enumerate(pairwise(values)) if after >= now)
    return path[next(stops, -1)][0]


def stagewise(columns, y, step=0.01, max_iter=10000):
    """Moves (feature, change) of forward stagewise regression, with the target scaled to length 1.

    They end when another would not lower the RSS. With step None a move is the whole correlation.
    """
    Z, r, moves = [unit(x) for x in columns], unit(y), []
    for _ in range(max_iter):
        c = [dot(z, r) for z in Z]
        j = first_best({j: abs(v) for j, v in enumerate(c)})
        if abs(c[j]) <= max(1e-6, (step or 0) / 2):
            break
        moves.append((j, copysign(step, c[j]) if step else c[j]))
        r = [v - moves[-1][1] * z for v, z in zip(r, Z[j])]
    return moves
