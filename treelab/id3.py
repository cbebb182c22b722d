"""ID3: ask the attribute that tells most about the class, with a branch for each of its levels.

Vocabulary
----------
case : (x, y, w), a row, its class and its weight; x[j] is None where the value is unknown
levels : levels[j] is the list of values that column j may have
answers, branches : what a question can be answered with; {answer: cases or subtree}
S : class sums {class: weight}; W : weight of a node
tree : a dict of sums, and where it asks a question also of feature, cut, gain and branches;
    the cut is None, and a number in the trees of `c45`
"""

from .cart import answer, weight
from .impurity import bits, class_sums

TIE = 1e-10  # gains closer than this share of the entropy are equal, and the first wins
SLACK = 1e-6  # weights closer than this are equal


def sums(cases):
    """Class sums of some cases."""
    return class_sums([y for _, y, _ in cases], [w for _, _, w in cases])


def errors(S):
    """Weight that the majority class gets wrong."""
    return S.total() - max(S.values(), default=0)


def branch_of(value, cut=None):
    """The branch of a value: its level, or whether it is at most the cut; None if unknown."""
    return value if cut is None or value is None else value <= cut


def known(cases, j, answers, cut=None):
    """The cases on each branch, without those whose value is unknown."""
    return {a: [c for c in cases if branch_of(c[0][j], cut) == a] for a in answers}


def deal(cases, j, answers, cut=None):
    """The cases on each branch; the unknown ones on all, by their shares of the known weight."""
    branches = known(cases, j, answers, cut)
    W = sum(map(weight, branches.values()))
    for part in branches.values():
        share = weight(part) / W
        if share > SLACK:
            part += [(x, y, w * share) for x, y, w in cases if x[j] is None]
    return branches


def gain(branches, W):
    """What the answer tells about the class, in bits, times the share of W on the branches."""
    S = sums([case for part in branches.values() for case in part])
    remainder = sum(weight(part) * bits(sums(part).values()) for part in branches.values())
    return (S.total() * bits(S.values()) - remainder) / W


def grow(cases, levels=None):
    """Grow a tree; where no levels are given, they are those that occur, in their order."""
    levels = levels or [sorted(set(column) - {None}) for column in zip(*(x for x, _, _ in cases))]
    S, gains = sums(cases), {}
    for j, answers in enumerate(levels):
        if sum(weight(part) > SLACK for part in known(cases, j, answers).values()) > 1:
            gains[j] = gain(deal(cases, j, answers), S.total())
    if errors(S) < SLACK or not gains:
        return {"sums": S}
    enough = max(gains.values()) - TIE * bits(S.values())
    j = next(j for j in gains if gains[j] >= enough)
    branches = {a: grow(part, levels) for a, part in deal(cases, j, levels[j]).items()}
    return {"sums": S, "feature": j, "cut": None, "gain": gains[j], "branches": branches}


def class_shares(tree, x, above=None):
    """Class shares in the leaf of x; where a value is unknown, the mean over the branches.

    A leaf without cases says what the node above it says, or what else is written there.
    """
    S = tree["sums"] if tree["sums"].total() > SLACK else tree.get("says", above)
    if "branches" not in tree:
        return {k: S[k] / S.total() for k in S}
    a, branches = branch_of(x[tree["feature"]], tree["cut"]), tree["branches"]
    if a is not None:
        return class_shares(branches[a], x, S)
    said = [(t["sums"].total() / S.total(), class_shares(t, x, S)) for t in branches.values()]
    return {k: sum(share * p.get(k, 0) for share, p in said) for k in S}


def predict(tree, x):
    """The class of the largest share, the first of equals."""
    return answer(class_shares(tree, x))
