"""Filters: features are selected by information measures, before any model is fitted.

CFS looks for a set of features that are informative about the class and not about each other. FCBF
goes down the features in the order of their relevance, and each removes those that are at least as
redundant with it as they are relevant. The Max-Dependency scheme adds the feature that is most
informative about the class given those already selected. Numeric features are discretized first,
at the cut points of Fayyad and Irani (MDL).

>>> from treelab.filters import max_dependency
>>> max_dependency([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], ["a", "b", "c", "c"])
[(0, 1.0), (1, 0.5)]

Vocabulary
----------
a, b : two columns of the same rows, lists of categories; columns : the features; y : the classes
relevance : symmetrical uncertainty of a feature and the class
features : numbers of the features of a set
merit : value of a set; an expansion of a set, by one feature each, is stale if none is better
known : columns of the features that are already selected
"""

from collections import Counter
from math import inf, log2, sqrt

from .cart import candidate_splits
from .impurity import bits

CLOSE = 1e-12  # numbers this close are equal


def entropy(*columns):
    """Entropy in bits of a column, or joint entropy of several."""
    return bits(Counter(zip(*columns)).values())


def mutual_information(a, b):
    """Mutual information of two columns, in bits."""
    return entropy(a) + entropy(b) - entropy(a, b)


def symmetrical_uncertainty(a, b):
    """Twice the mutual information, as a fraction of the sum of both entropies; 0 to 1."""
    both = entropy(a) + entropy(b)
    return 2 * mutual_information(a, b) / both if both > 0 else 0.0


def merit(features, columns, y):
    """Merit of a set: sum of relevance over the root of the sum of redundancy of all pairs."""
    relevance = sum(symmetrical_uncertainty(columns[j], y) for j in features)
    pairs = [(i, j) for i in features for j in features]  # among them (j, j), whose redundancy is 1
    redundancy = sum(
        1 if i == j else symmetrical_uncertainty(columns[i], columns[j]) for i, j in pairs
    )
    return relevance / sqrt(redundancy) if features else 0.0


def cfs(columns, y, max_stale=5):
    """Set of largest merit by best-first search, which ends after max_stale stale expansions.

    With max_stale=1 this is forward search.
    """
    best, stale = frozenset(), 0
    merits, waiting = {best: 0.0}, [best]
    while waiting and stale < max_stale:
        waiting.sort(key=lambda features: -round(merits[features], 12))
        first, stale = waiting.pop(0), stale + 1
        for new in (first | {j} for j in range(len(columns))):
            if new not in merits:
                merits[new] = merit(new, columns, y)
                waiting.append(new)
                if merits[new] > merits[best] + CLOSE:
                    best, stale = new, 0
    return sorted(best)


def fcbf(columns, y, threshold=0.0):
    """Features of relevance above threshold that no more relevant one removes, the best first."""
    relevance = [symmetrical_uncertainty(a, y) for a in columns]
    left = [j for j in range(len(columns)) if relevance[j] > threshold + CLOSE]
    left.sort(key=lambda j: -round(relevance[j], 12))
    kept = []
    while left:
        best, *left = left
        kept.append(best)
        redundancy = {j: symmetrical_uncertainty(columns[best], columns[j]) for j in left}
        left = [j for j in left if redundancy[j] < relevance[j] - CLOSE]
    return kept


def conditional_information(a, y, known):
    """Mutual information of a column and the class given the known columns, in bits."""
    return entropy(a, *known) + entropy(y, *known) - entropy(a, y, *known) - entropy(*known)


def max_dependency(columns, y, most=inf):
    """Features of the Max-Dependency scheme, `most` at most, each with the information it adds.

    The search ends when no feature adds any.
    """
    chosen = {}
    while len(chosen) < most:
        known = [columns[j] for j in chosen]
        added = [conditional_information(a, y, known) for a in columns]
        best = next(j for j, bits in enumerate(added) if bits >= max(added) - CLOSE)
        if added[best] <= CLOSE:
            break
        chosen[best] = added[best]
    return list(chosen.items())


def mdl_cuts(x, y):
    """Cut points of a numeric feature x whose gain exceeds their description length."""
    cuts, H, k = candidate_splits(x), entropy(y), len(set(y))
    if not cuts or k == 1:
        return []
    sides = [[[i for i, v in enumerate(x) if (v <= cut) == low] for low in (1, 0)] for cut in cuts]
    parts = [[[y[i] for i in rows] for rows in both] for both in sides]
    gains = [len(y) * H - sum(len(part) * entropy(part) for part in both) for both in parts]
    best = next(i for i in range(len(cuts)) if gains[i] >= max(gains) - CLOSE * len(y))
    after = sum(len(set(part)) * entropy(part) for part in parts[best])
    if gains[best] <= log2(len(cuts)) + log2(3**k - 2) - k * H + after:
        return []
    low, high = (mdl_cuts([x[i] for i in rows], [y[i] for i in rows]) for rows in sides[best])
    return [*low, cuts[best], *high]
