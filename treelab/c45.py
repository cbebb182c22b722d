"""C4.5 after Quinlan's Release 8, in 64 bits: gain ratio, thresholds, missing values, pruning.

Vocabulary
----------
categories : categories[j] is the list of values of feature j, or None if it is numeric
M, L : minimum weight of two branches of a split; minimum weight of both sides of a threshold
candidates : the best split on each feature: feature, threshold, gain minus its penalty, and ratio
whole : all cases of the training data, whereas cases are those of a node
N, E : weight of a leaf, and of its errors; CF, z : confidence of pruning, and its normal quantile
case, outcomes, branches, S, W, tree : as in `id3`; a node that is split also has its ratio
"""

from itertools import pairwise
from math import inf, log2, sqrt

from .cart import midpoint, prediction, weight
from .id3 import SLACK, distribute, errors, gain, known, sums
from .impurity import bits

TWO = (True, False)  # the outcomes of x[j] <= threshold
NEARLY = 1e-3  # a gain, split information or number of errors up to this counts as zero
MARGIN = 0.1 + SLACK  # number of predicted errors by which a smaller tree may be worse
Z = {0: 4, 0.001: 3.09, 0.005: 2.58, 0.01: 2.33, 0.05: 1.65, 0.1: 1.28, 0.2: 0.84, 0.4: 0.25, 1: 0}


def grow(cases, categories, M=2, whole=None):
    """Grow a tree without pruning; an empty leaf predicts the majority class of its parent."""
    S, whole = sums(cases), whole or cases
    if S.total() < 2 * M - SLACK or errors(S) < SLACK:
        return {"sums": S}
    candidates = [
        categorical(cases, j, outcomes, M) if outcomes else numeric(cases, j, whole, M)
        for j, outcomes in enumerate(categories)
    ]
    best = choose([found for found in candidates if found], categories, len(whole))
    if best is None:
        return {"sums": S}
    outcomes = categories[best["feature"]] or TWO
    branches = distribute(cases, best["feature"], outcomes, best["threshold"])
    empty = {"sums": sums([]), "default": sums([(None, prediction(S), 1)])}
    branches = {a: grow(p, categories, M, whole) if p else empty for a, p in branches.items()}
    return {"sums": S, **best, "branches": branches}


def candidate(cases, j, outcomes, threshold=None, penalty=0):
    """A split with its gain and its gain ratio, the gain per bit of split information."""
    branches, W = known(cases, j, outcomes, threshold), weight(cases)
    parts, net = [weight(part) for part in branches.values()], gain(branches, W) - penalty
    information = bits([*parts, max(W - sum(parts), 0)])
    ratio = net / information if information > NEARLY else -inf
    return {"feature": j, "threshold": threshold, "gain": net, "ratio": ratio}


def categorical(cases, j, outcomes, M):
    """The candidate split on a feature with categories, or None if its branches are too light."""
    heavy = [part for part in known(cases, j, outcomes).values() if weight(part) >= M - SLACK]
    return candidate(cases, j, outcomes) if len(heavy) > 1 else None


def numeric(cases, j, whole, M):
    """The best split on a numeric feature, penalized by log2(number of thresholds) / W, or None."""
    found, W, L = [], weight(cases), minimum_weight(cases, j, whole, M)
    for a, b in pairwise(sorted({x[j] for x, _, _ in cases} - {None})):
        sides = known(cases, j, TWO, a)
        lighter = min(map(weight, sides.values()))
        if a + 1e-5 < b and lighter >= L - SLACK:
            found.append((gain(sides, W) if lighter >= M - SLACK else 0, midpoint(a, b)))
    middle = first_best(found)
    if middle is None:
        return None
    threshold = max(x[j] for x, _, _ in whole if x[j] is not None and x[j] <= middle)
    best = candidate(cases, j, TWO, threshold, log2(len(found)) / W)
    return best if best["gain"] > SLACK else None


def minimum_weight(cases, j, whole, M):
    """L: M, or a tenth of the mean known weight per class if that is more, but 25 at most."""
    tenth = 0.1 * weight([c for c in cases if c[0][j] is not None]) / len(sums(whole))
    return min(tenth, 25) if tenth > M + SLACK else M


def first_best(scored, most=0):
    """The first thing of the scored, (score, thing), with the highest score above most, or None."""
    best = None
    for score, thing in scored:
        if score > most + SLACK:
            best, most = thing, score
    return best


def choose(candidates, categories, n):
    """The candidate of largest gain ratio among those of at least average gain, or None.

    Features with many categories, 0.3 n or more, count in the average only if all are such.
    """
    many = [j for j, values in enumerate(categories) if values and len(values) >= 0.3 * n]
    counted = [c for c in candidates if c["feature"] not in many or len(many) == len(categories)]
    average = sum(c["gain"] for c in counted) / len(counted) if counted else inf
    scored = [(c["ratio"], c) for c in candidates if c["gain"] >= average - NEARLY]
    return first_best(scored, -NEARLY)


def leaves(tree):
    """Class sums of the leaves."""
    if "branches" not in tree:
        return [tree["sums"]]
    return [S for t in tree["branches"].values() for S in leaves(t)]


def collapse(tree):
    """Collapse each node whose subtree classifies no more training cases correctly."""
    if sum(map(errors, leaves(tree))) < errors(tree["sums"]) - NEARLY:
        return tree | {"branches": {a: collapse(t) for a, t in tree["branches"].items()}}
    return {name: tree[name] for name in ("sums", "default") if name in tree}


def predicted_errors(N, E, CF=0.25):
    """N times the upper limit of Wilson's interval for the error rate, at the confidence CF."""
    if E < 1 - 1e-4:  # the limit is exact for no error, and linear from there to one error
        none = N * (1 - CF ** (1 / N))
        return none + E * (predicted_errors(N, 1, CF) - none) if E > SLACK else none
    if E + 0.5 >= N:
        return E + 0.67 * (N - E)
    a, b = next((a, b) for a, b in pairwise(Z) if CF <= b)  # z is interpolated between them
    z, f = Z[a] + (Z[b] - Z[a]) * (CF - a) / (b - a), (E + 0.5) / N
    half = z * sqrt(f / N - f * f / N + z * z / (4 * N * N))
    return N * (f + z * z / (2 * N) + half) / (1 + z * z / N)


def expected(tree, CF):
    """Predicted errors of all leaves."""
    reached = [S for S in leaves(tree) if S.total() > SLACK]
    return sum(predicted_errors(S.total(), errors(S), CF) for S in reached)


def refill(tree, cases):
    """The same splits applied to other cases, with the class sums that result."""
    if "branches" not in tree:
        return tree | {"sums": sums(cases)}
    parts = distribute(cases, tree["feature"], tree["branches"], tree["threshold"])
    branches = {a: refill(t, parts[a]) for a, t in tree["branches"].items()}
    return tree | {"sums": sums(cases), "branches": branches}


def prune(tree, cases, CF=0.25):
    """Error-based pruning: keep each node, or replace it by a leaf or by its heaviest branch.

    A branch that replaces its node receives all of its cases and is pruned again.
    """
    if "branches" not in tree:
        return tree
    parts = distribute(cases, tree["feature"], tree["branches"], tree["threshold"])
    branches = {a: prune(t, parts[a], CF) for a, t in tree["branches"].items()}
    leaf, tree = {"sums": tree["sums"]}, tree | {"branches": branches}
    heaviest = max(reversed(branches.values()), key=lambda t: round(t["sums"].total(), 6))
    raised = refill(heaviest, cases)
    as_leaf, as_tree, as_branch = (expected(t, CF) for t in (leaf, tree, raised))
    if as_leaf <= min(as_tree, as_branch) + MARGIN:
        return leaf
    return prune(raised, cases, CF) if as_branch <= as_tree + MARGIN else tree
