"""Stepwise selection: add or remove the feature that changes the residual sum of squares most.

Forward selection begins without features and adds the best one in each step; backward selection
begins with all and removes the one that is missed least. Forward stagewise regression moves the
coefficient of the feature that correlates most with the residual a little, and never fits again.
The RSS always prefers more features, so a criterion such as AIC says where to stop.

>>> from treelab.stepwise import first_stop, forward
>>> columns = [[1, 2, 3, 4, 5, 6], [1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 1, 0]]
>>> path = forward(columns, y=[3, 4, 6, 7, 11, 12])
>>> [some for some, _ in path], first_stop(path, n=6)
([[], [0], [0, 1], [0, 1, 2]], [0])

Vocabulary
----------
columns, y : the features, each a list of n numbers, and the target; some : numbers of features
basis : directions of length 1 at right angles that make up the columns of a model; q : one of them
residual : what a linear regression with an intercept leaves of a column
RSS, rss : residual sum of squares, the squared length of the residual of y
path : (some, RSS) of the models in the order of the search; k : number of features of one
price : cost of a parameter in n ln(RSS / n) + price (k + 1): 2 for AIC, ln(n) for BIC
step, max_iter : how far a coefficient moves, for columns of length 1; the most moves
"""

from itertools import pairwise
from math import copysign, fsum, inf, log, sqrt
from operator import mul

SHORT = 1e-7  # what is shorter is a combination of the other columns, but for rounding
EXACT = 1e-20  # an RSS below this fraction of the total is a rounding error
TIE = 1e-9  # changes of the RSS closer than this fraction are equal, and the first wins


def dot(a, b):
    """Sum of the products of two columns."""
    return fsum(map(mul, a, b))


def centered(x):
    """The deviations of a column from its mean."""
    mean = fsum(x) / len(x)
    return [v - mean for v in x] if len(set(x)) > 1 else [0.0] * len(x)


def unit(x):
    """The deviations of a column, scaled to length 1; those of a constant one stay 0."""
    x = centered(x)
    length = sqrt(dot(x, x)) or 1
    return [v / length for v in x]


def residual(x, basis):
    """What is left of x when each direction in turn is regressed out of it (Gram and Schmidt)."""
    for q in basis:
        b = dot(q, x)
        x = [v - b * part for v, part in zip(x, q)]
    return x


def basis_of(some, columns):
    """The basis of some features; one that is a combination of those before it adds nothing."""
    basis = []
    for j in some:
        left = residual(unit(columns[j]), basis)
        if dot(left, left) > SHORT**2:
            basis.append(unit(left))
    return basis


def rss(some, columns, y):
    """RSS of the model with some features; 0 if that is a rounding error."""
    r, total = residual(centered(y), basis_of(some, columns)), dot(centered(y), centered(y))
    return dot(r, r) if dot(r, r) > EXACT * total else 0.0


def decrease(j, others, columns, y):
    """By how much feature j lowers the RSS of a model of others; -1 for a combination of them."""
    basis = basis_of(others, columns)
    with_j = basis_of([*others, j], columns)
    return dot(with_j[-1], residual(centered(y), basis)) ** 2 if len(with_j) > len(basis) else -1


def first_best(found):
    """The first feature with the largest number in found, {feature: number}."""
    most = max(found.values())
    return next(j for j in found if found[j] >= most - TIE * abs(most))


def forward(columns, y):
    """Path from no feature to all that are not combinations of others, but to n - 2 at most."""
    some, path = [], [([], rss([], columns, y))]
    while len(some) < min(len(columns), len(y) - 2):
        new = [j for j in range(len(columns)) if j not in some]
        gains = {j: decrease(j, some, columns, y) for j in new}
        if max(gains.values()) < 0:
            break
        some = [*some, first_best(gains)]
        path.append((some, rss(some, columns, y)))
    return path


def backward(columns, y):
    """Path from all features to none, without combinations of those further left."""
    some = []
    for j in range(len(columns)):
        if len(basis_of([*some, j], columns)) > len(some):
            some = [*some, j]
    path = [(some, rss(some, columns, y))]
    while some:
        rests = {j: [i for i in some if i != j] for j in some}
        some = rests[first_best({j: -decrease(j, rests[j], columns, y) for j in some})]
        path.append((some, rss(some, columns, y)))
    return path


def criterion(rss, k, n, price=2):
    """AIC of a model with k features and an intercept; for another price another criterion."""
    return n * log(rss / n) + price * (k + 1) if rss > 0 else -inf


def first_stop(path, n, price=2):
    """The features where the next step of the path makes the criterion no better.

    If both models are equally good, that with fewer features is better.
    """
    values = [(criterion(rss, len(some), n, price), len(some)) for some, rss in path]
    stops = (t for t, (now, after) in enumerate(pairwise(values)) if after >= now)
    return path[next(stops, -1)][0]


def stagewise(columns, y, step=0.01, max_iter=10000):
    """Forward stagewise regression: its moves (feature, change), the target scaled to length 1.

    It ends when a move would not lower the RSS. The step None means the whole correlation.
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
