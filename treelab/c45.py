"""C4.5: gain ratio, numbers, unknown values, and pruning without fresh cases.

The rules are those of Release 8, Quinlan's own program; its numbers have 32 bits, these 64.

Vocabulary
----------
levels : levels[j] is the list of values of column j, None if it holds numbers
M, L : what two branches of a question must weigh; what both sides of a cut must weigh
offers : the best question about each column: feature, cut, gain less its price, and ratio
whole : all cases of the training data, of which cases are those in a node
N, E : weight of a leaf, and how much of it the leaf gets wrong
CF, z : confidence of pruning, and the point of the normal distribution that has CF above it
case, answers, branches, S, W, tree : as in `id3`; here a tree has the ratio too
"""

from itertools import pairwise
from math import inf, log2, sqrt

from .cart import answer, midpoint, weight
from .id3 import SLACK, deal, errors, gain, known, sums
from .impurity import bits

TWO = (True, False)  # the answers to x[j] <= cut
NEARLY = 1e-3  # a gain, split information or number of errors up to this is as good as none
MARGIN = 0.1 + SLACK  # what a smaller tree may be worse by, in predicted errors
Z = {0: 4, 0.001: 3.09, 0.005: 2.58, 0.01: 2.33, 0.05: 1.65, 0.1: 1.28, 0.2: 0.84, 0.4: 0.25, 1: 0}


def grow(cases, levels, M=2, whole=None):
    """Grow a tree, not yet pruned; a leaf without cases says what most of the node above is."""
    S, whole = sums(cases), whole or cases
    if S.total() < 2 * M - SLACK or errors(S) < SLACK:
        return {"sums": S}
    offers = [
        offer_levels(cases, j, levels[j], M) if levels[j] else offer_cut(cases, j, whole, M)
        for j in range(len(levels))
    ]
    best = choose([offer for offer in offers if offer], levels, len(whole))
    if best is None:
        return {"sums": S}
    branches = deal(cases, best["feature"], levels[best["feature"]] or TWO, best["cut"])
    empty = {"sums": sums([]), "says": sums([(None, answer(S), 1)])}
    branches = {a: grow(p, levels, M, whole) if p else empty for a, p in branches.items()}
    return {"sums": S, **best, "branches": branches}


def offer(cases, j, answers, cut=None, price=0):
    """A question with its gain and its ratio, the gain for each bit of split information."""
    branches, W = known(cases, j, answers, cut), weight(cases)
    parts, net = [weight(part) for part in branches.values()], gain(branches, W) - price
    cost = bits([*parts, max(W - sum(parts), 0)])
    return {"feature": j, "cut": cut, "gain": net, "ratio": net / cost if cost > NEARLY else -inf}


def offer_levels(cases, j, levels, M):
    """The offer of a column of words, or None."""
    heavy = [part for part in known(cases, j, levels).values() if weight(part) >= M - SLACK]
    return offer(cases, j, levels) if len(heavy) > 1 else None


def offer_cut(cases, j, whole, M):
    """The best cut of a column of numbers, its price log2(cuts) / W taken off, or None."""
    found, W, L = [], weight(cases), least_weight(cases, j, whole, M)
    for a, b in pairwise(sorted({x[j] for x, _, _ in cases} - {None})):
        sides = known(cases, j, TWO, a)
        lighter = min(map(weight, sides.values()))
        if a + 1e-5 < b and lighter >= L - SLACK:
            found.append((gain(sides, W) if lighter >= M - SLACK else 0, midpoint(a, b)))
    middle = first_best(found)
    if middle is None:
        return None
    cut = max(x[j] for x, _, _ in whole if x[j] is not None and x[j] <= middle)
    made = offer(cases, j, TWO, cut, log2(len(found)) / W)
    return made if made["gain"] > SLACK else None


def least_weight(cases, j, whole, M):
    """L: M, or a tenth of the mean known weight of a class if that is more, but 25 at most."""
    tenth = 0.1 * weight([c for c in cases if c[0][j] is not None]) / len(sums(whole))
    return min(tenth, 25) if tenth > M + SLACK else M


def first_best(scored, most=0):
    """The first of the scored, (score, thing), above most that none after it beats, or None."""
    best = None
    for score, thing in scored:
        if score > most + SLACK:
            best, most = thing, score
    return best


def choose(offers, levels, n):
    """The offer of the largest ratio, which may be 0, among those of average gain, or None.

    Columns of many levels, 0.3 n or more, have no part in the average if there are others.
    """
    many = [j for j in range(len(levels)) if levels[j] and len(levels[j]) >= 0.3 * n]
    counts = [o["gain"] for o in offers if o["feature"] not in many or len(many) == len(levels)]
    average = sum(counts) / len(counts) if counts else inf
    return first_best([(o["ratio"], o) for o in offers if o["gain"] >= average - NEARLY], -NEARLY)


def leaves(tree):
    """Class sums of the leaves."""
    if "branches" not in tree:
        return [tree["sums"]]
    return [S for t in tree["branches"].values() for S in leaves(t)]


def collapse(tree):
    """Make leaves of the nodes whose subtrees get no more training cases right."""
    if sum(map(errors, leaves(tree))) < errors(tree["sums"]) - NEARLY:
        return tree | {"branches": {a: collapse(t) for a, t in tree["branches"].items()}}
    return {name: tree[name] for name in ("sums", "says") if name in tree}


def predicted_errors(N, E, CF=0.25):
    """N times the upper end of Wilson's interval for the error rate, at the confidence CF."""
    if E < 1 - 1e-4:  # with none wrong it is exact; a straight line runs from there to one
        none = N * (1 - CF ** (1 / N))
        return none + E * (predicted_errors(N, 1, CF) - none) if E > SLACK else none
    if E + 0.5 >= N:
        return E + 0.67 * (N - E)
    a, b = next((a, b) for a, b in pairwise(Z) if CF <= b)  # z lies on the line between them
    z, f = Z[a] + (Z[b] - Z[a]) * (CF - a) / (b - a), (E + 0.5) / N
    half = z * sqrt(f / N - f * f / N + z * z / (4 * N * N))
    return N * (f + z * z / (2 * N) + half) / (1 + z * z / N)


def expected(tree, CF):
    """Predicted errors of all leaves."""
    reached = [S for S in leaves(tree) if S.total() > SLACK]
    return sum(predicted_errors(S.total(), errors(S), CF) for S in reached)


def refill(tree, cases):
    """The same questions asked of other cases, and the branches those take."""
    if "branches" not in tree:
        return tree | {"sums": sums(cases)}
    parts = deal(cases, tree["feature"], tree["branches"], tree["cut"])
    branches = {a: refill(t, parts[a]) for a, t in tree["branches"].items()}
    return tree | {"sums": sums(cases), "branches": branches}


def prune(tree, cases, CF=0.25):
    """Error-based pruning: a leaf, or its heaviest branch, takes the place of a node, or neither.

    The branch gets all cases of the node, and is pruned again.
    """
    if "branches" not in tree:
        return tree
    parts = deal(cases, tree["feature"], tree["branches"], tree["cut"])
    branches = {a: prune(t, parts[a], CF) for a, t in tree["branches"].items()}
    leaf, tree = {"sums": tree["sums"]}, tree | {"branches": branches}
    heaviest = max(reversed(branches.values()), key=lambda t: round(t["sums"].total(), 6))
    raised = refill(heaviest, cases)
    as_leaf, as_tree, as_branch = (expected(t, CF) for t in (leaf, tree, raised))
    if as_leaf <= min(as_tree, as_branch) + MARGIN:
        return leaf
    return prune(raised, cases, CF) if as_branch <= as_tree + MARGIN else tree
