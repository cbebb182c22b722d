"""Choosing features: what a column tells about the class, and what columns tell about each other.

CFS wants a set whose members tell much about the class and little about each other. FCBF goes
down the list of the best, and each removes those behind it that tell as much about it as about the
class. The Max-Dependency scheme adds the column that tells most about the class beyond those that
it has. Numbers must be made levels first, by cuts that pay for themselves.

>>> from treelab.filters import max_dependency
>>> max_dependency([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], ["a", "b", "c", "c"])
[(0, 1.0), (1, 0.5)]

Vocabulary
----------
a, b : two columns of the same rows, lists of levels; columns : the features; y : the classes
uncertainty : what two columns tell about each other, from 0 to 1
relevance : uncertainty of a column and the class
some : numbers of the columns of a set
merit : what a set is worth; an expansion of a set, one more column each, is stale if none is better
known : columns that were chosen before
"""

from collections import Counter
from math import inf, log2, sqrt

from .cart import questions
from .impurity import bits

CLOSE = 1e-12  # numbers this close are equal


def entropy(*columns):
    """Bits needed to name the level of a row, or its levels in several columns."""
    return bits(Counter(zip(*columns)).values())


def mutual_information(a, b):
    """What one column tells about the other, in bits."""
    return entropy(a) + entropy(b) - entropy(a, b)


def uncertainty(a, b):
    """Mutual information as a share of both entropies: symmetrical uncertainty."""
    both = entropy(a) + entropy(b)
    return 2 * mutual_information(a, b) / both if both > 0 else 0.0


def merit(some, columns, y):
    """Merit of a set: relevance over the root of the uncertainties of all pairs, (j, j) too."""
    relevance = sum(uncertainty(columns[j], y) for j in some)
    pairs = sum(1 if i == j else uncertainty(columns[i], columns[j]) for i in some for j in some)
    return relevance / sqrt(pairs) if some else 0.0


def cfs(columns, y, max_stale=5):
    """The set of largest merit that is found when max_stale expansions in a row were stale.

    The best set is expanded first. With max_stale=1 that is forward search.
    """
    best, stale = frozenset(), 0
    merits, waiting = {best: 0.0}, [best]
    while waiting and stale < max_stale:
        waiting.sort(key=lambda some: -round(merits[some], 12))
        first, stale = waiting.pop(0), stale + 1
        for new in (first | {j} for j in range(len(columns))):
            if new not in merits:
                merits[new] = merit(new, columns, y)
                waiting.append(new)
                if merits[new] > merits[best] + CLOSE:
                    best, stale = new, 0
    return sorted(best)


def fcbf(columns, y, threshold=0.0):
    """Columns above a threshold of relevance that no better one removes, the best first."""
    relevance = [uncertainty(a, y) for a in columns]
    left = [j for j in range(len(columns)) if relevance[j] > threshold + CLOSE]
    left.sort(key=lambda j: -round(relevance[j], 12))
    kept = []
    while left:
        best, *left = left
        kept.append(best)
        told = {j: uncertainty(columns[best], columns[j]) for j in left}
        left = [j for j in left if told[j] < relevance[j] - CLOSE]
    return kept


def conditional_information(a, y, known):
    """What a column tells about the class beyond what the known columns tell, in bits."""
    return entropy(a, *known) + entropy(y, *known) - entropy(a, y, *known) - entropy(*known)


def max_dependency(columns, y, most=inf):
    """The first columns of the Max-Dependency scheme, at most so many, each with what it adds.

    It ends where no column adds anything.
    """
    chosen = {}
    while len(chosen) < most:
        known = [columns[j] for j in chosen]
        found = [conditional_information(a, y, known) for a in columns]
        best = next(j for j, bits in enumerate(found) if bits >= max(found) - CLOSE)
        if found[best] <= CLOSE:
            break
        chosen[best] = found[best]
    return list(chosen.items())


def mdl_cuts(x, y):
    """Cuts of the numbers x whose gain is worth more than telling where they are."""
    cuts, H, k = questions(x), entropy(y), len(set(y))
    if not cuts or k == 1:
        return []
    sides = [[[i for i, v in enumerate(x) if (v <= cut) == low] for low in (1, 0)] for cut in cuts]
    parts = [[[y[i] for i in rows] for rows in both] for both in sides]
    gains = [len(y) * H - sum(len(part) * entropy(part) for part in both) for both in parts]
    best = next(i for i in range(len(cuts)) if gains[i] >= max(gains) - CLOSE * len(y))
    told = sum(len(set(part)) * entropy(part) for part in parts[best])
    if gains[best] <= log2(len(cuts)) + log2(3**k - 2) - k * H + told:
        return []
    low, high = (mdl_cuts([x[i] for i in rows], [y[i] for i in rows]) for rows in sides[best])
    return [*low, cuts[best], *high]
