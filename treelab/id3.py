"""ID3: split on the feature of largest information gain, with a branch for each of its categories.

Vocabulary
----------
case : (x, y, w), a row, its class and its weight; x[j] is None where the value is missing
categories : categories[j] is the list of values that feature j may take
outcomes, branches : the possible outcomes of a split; {outcome: cases or subtree}
S : class sums {class: weight}; W : weight of a node
tree : a dict of sums, and where the node is split also of feature, threshold, gain and branches;
    the threshold is None, and a number in the trees of `c45`
"""

from .cart import prediction, weight
from .impurity import bits, class_sums

TIE = 1e-10  # gains that differ by less than this fraction of the entropy are tied
SLACK = 1e-6  # weights closer than this are equal


def sums(cases):
    """Class sums of some cases."""
    return class_sums([y for _, y, _ in cases], [w for _, _, w in cases])


def errors(S):
    """Weight of the cases that the majority class misclassifies."""
    return S.total() - max(S.values(), default=0)


def branch_of(value, threshold=None):
    """Branch of a value: its category, or whether it is at most the threshold; None if missing."""
    return value if threshold is None or value is None else value <= threshold


def known(cases, j, outcomes, threshold=None):
    """The cases on each branch, without those whose value is missing."""
    return {a: [c for c in cases if branch_of(c[0][j], threshold) == a] for a in outcomes}


def distribute(cases, j, outcomes, threshold=None):
    """The cases on each branch; one with a missing value goes to all, in proportion to W there."""
    branches = known(cases, j, outcomes, threshold)
    W = sum(map(weight, branches.values()))
    for part in branches.values():
        fraction = weight(part) / W
        if fraction > SLACK:
            part += [(x, y, w * fraction) for x, y, w in cases if x[j] is None]
    return branches


def gain(branches, W):
    """Information gain of a split in bits, times the fraction of W that is on the branches."""
    S = sums([case for part in branches.values() for case in part])
    remainder = sum(weight(part) * bits(sums(part).values()) for part in branches.values())
    return (S.total() * bits(S.values()) - remainder) / W


def grow(cases, categories=None):
    """Grow a tree; if no categories are given, they are the values that occur, sorted."""
    if categories is None:
        categories = [sorted(set(column) - {None}) for column in zip(*(x for x, _, _ in cases))]
    S, gains = sums(cases), {}
    for j, outcomes in enumerate(categories):
        if sum(weight(part) > SLACK for part in known(cases, j, outcomes).values()) > 1:
            gains[j] = gain(distribute(cases, j, outcomes), S.total())
    if errors(S) < SLACK or not gains:
        return {"sums": S}
    enough = max(gains.values()) - TIE * bits(S.values())
    j = next(j for j in gains if gains[j] >= enough)
    parts = distribute(cases, j, categories[j])
    branches = {a: grow(part, categories) for a, part in parts.items()}
    return {"sums": S, "feature": j, "threshold": None, "gain": gains[j], "branches": branches}


def class_proportions(tree, x, above=None):
    """Class proportions in the leaf of x; for a missing value, their mean over the branches.

    A leaf without cases has those of the node above it, or those of its own default.
    """
    S = tree["sums"] if tree["sums"].total() > SLACK else tree.get("default", above)
    if "branches" not in tree:
        return {k: S[k] / S.total() for k in S}
    a, branches = branch_of(x[tree["feature"]], tree["threshold"]), tree["branches"]
    if a is not None:
        return class_proportions(branches[a], x, S)
    parts = [(t["sums"].total() / S.total(), class_proportions(t, x, S)) for t in branches.values()]
    return {k: sum(fraction * p.get(k, 0) for fraction, p in parts) for k in S}


def predict(tree, x):
    """The class of largest proportion, ties going to the first."""
    return prediction(class_proportions(tree, x))
