"""Checkers of the chapter "ID3 and C4.5" that also run in the page."""

from copy import deepcopy
from itertools import pairwise
from math import log, log2
from random import Random

from plain_checks import all_close, as_list, close, column, is_number

from treelab import id3
from treelab.c45 import predicted_errors
from treelab.cart import candidate_splits, weight
from treelab.checkers import checker, expect
from treelab.impurity import bits, entropy

ELEVATION = [300, 1200, 1500, 3000, 3900, 4450, 5000]
VEGETATION = ["riparian", "chaparral", "riparian", "chaparral", "chaparral", "conifer", "conifer"]


def cuts_between(x, y):
    """Midpoints between neighboring values that do not hold one and the same class."""
    classes = {value: {label for v, label in zip(x, y) if v == value} for value in sorted(set(x))}
    return [(a + b) / 2 for a, b in pairwise(classes) if len(classes[a] | classes[b]) > 1]


@checker("c45-3")
def check_candidates(candidate_thresholds):
    def ask(x, y):
        found = as_list(candidate_thresholds(column(x), column(y)))
        expect(found is not None, "return a list of numbers.")
        return found

    x, y = list(map(float, ELEVATION)), VEGETATION
    got = ask(x, y)
    expect(
        not all_close(got, candidate_splits(x)),
        "those are all the midpoints. Leave out those between two values of one and the same "
        "class.",
    )
    here = [i for i in range(6) if y[i] != y[i + 1]]
    expect(
        not all_close(got, [x[i] for i in here]) and not all_close(got, [x[i + 1] for i in here]),
        "a candidate is the midpoint between the two values, not one of them.",
    )
    expect(
        all_close(got, cuts_between(x, y)),
        "the elevations of the vegetation table have the candidates 750, 1350, 2250 and 4175.",
    )
    mixed = [3, 6, 0, 4, 2, 5, 1]
    expect(
        all_close(ask([x[i] for i in mixed], [y[i] for i in mixed]), got),
        "the rows may be in any order, so sort by x, reorder y in the same way, and return a "
        "sorted list.",
    )
    for y in ("abaaa", "baaaa"):
        got = ask([1.0, 1, 2, 3, 3], list(y))
        expect(
            1.0 not in got and 3.0 not in got,
            "you split between two rows of equal value, which no threshold can separate. Merge "
            "rows of equal value first.",
        )
        expect(
            all_close(got, [1.5]),
            "x = 1, 1, 2, 3, 3 with classes a, b, a, a, a has the one candidate 1.5. Merge rows "
            "of equal value, so that the value 1 holds both classes.",
        )
    expect(
        all_close(ask([1.0, 1, 2, 2], list("abab")), [1.5]),
        "the values 1 and 2 hold the same two classes, a and b. This is not one and the same "
        "class, so 1.5 remains a candidate.",
    )
    expect(
        all_close(ask([1.0, 1, 1, 2, 2, 2], list("aabaaa")), [1.5]),
        "a value with classes a, a, b is not of class a. Look at all its classes, not at the "
        "majority.",
    )
    for x in ([2.0, 2.0, 2.0], [7.0]):
        expect(
            ask(x, list("aba")[: len(x)]) == [],
            "a single distinct value leaves nothing to split, so return an empty list.",
        )
    random = Random(3)
    for n, k in ((12, 2), (30, 3), (60, 4)):
        x = [random.randrange(n // 2) / 4 for _ in range(n)]
        y = random.choices(range(k), k=n)
        expect(
            all_close(ask(x, y), cuts_between(x, y)),
            "wrong on larger data. Compare the set of classes of each value with its neighbor's.",
        )


OUTLOOK = (
    "sunny sunny overcast rain rain rain overcast sunny sunny rain sunny overcast overcast rain"
)
SKY, PLAY = OUTLOOK.split(), list("nnyyynynyyyyyn")


def offer_by_hand(level, y, w):
    """Gain, gain ratio and weights of the branches of a feature with missing values."""
    cases = [((a,), k, v) for a, k, v in zip(level, y, w)]
    branches = id3.known(cases, 0, sorted(set(level) - {None}))
    parts, W = [weight(part) for part in branches.values()], weight(cases)
    gain, cost = id3.gain(branches, W), bits([*parts, max(W - sum(parts), 0)])
    dealt = {a: part * W / sum(parts) for a, part in zip(branches, parts)}
    return gain, gain / cost if cost else 0.0, dealt


@checker("c45-4")
def check_offer(offer_of):
    form = "return three things: the gain, the ratio, and a dictionary from category to weight."

    def ask(level, y, w):
        found = offer_of(list(level), list(y), column(w))
        expect(isinstance(found, list | tuple) and len(found) == 3, form)
        gain, ratio, branches = found
        gain, ratio = as_list([gain, ratio])
        expect(is_number(gain) and is_number(ratio) and isinstance(branches, dict), form)
        expect(
            gain == gain and ratio == ratio, "NaN: a class of proportion 0 adds 0 to an entropy."
        )
        expect(None not in branches, "unknown is no branch; its rows go down the other branches.")
        expect(
            set(branches) == set(level) - {None},
            "the keys of the dictionary are the known categories.",
        )
        return gain, ratio, {a: float(v) for a, v in branches.items()}

    ones = [1.0] * 14
    gain, ratio, _ = offer_by_hand(SKY, PLAY, ones)
    got = ask(SKY, PLAY, ones)
    expect(not close(got[0], gain * log(2)), "measure in bits, with logarithms of base 2.")
    expect(
        not close(got[0], entropy(PLAY, ones) - 2 / 3 * bits([2, 3])),
        "weight the entropy of each branch by its proportion of the weight, 5/14, 4/14 and 5/14.",
    )
    expect(close(got[0], gain), "with all outlooks known the gain is the plain one, 0.247 bits.")
    expect(not close(got[1], gain), "that is the gain. Now divide it by the split information.")
    expect(
        not close(got[1], gain / entropy(PLAY, ones)),
        "you divided by the entropy of the classes, but the split information is the entropy of "
        "the branch weights.",
    )
    expect(
        not close(got[1], gain / log2(3)),
        "the split information is log2(3) only where three branches weigh the same.",
    )
    expect(
        not close(got[1], ratio * log(2)) and not close(got[1], ratio / log(2)),
        "one of your two entropies is in bits and the other in nats. Use one logarithm for both.",
    )
    expect(close(got[1], ratio), "with all outlooks known the ratio is 0.2467 / 1.5774 = 0.1564.")

    sky = [None if i == 11 else name for i, name in enumerate(SKY)]
    gain, ratio, _ = offer_by_hand(sky, PLAY, ones)
    got = ask(sky, PLAY, ones)
    expect(
        not close(got[0], gain * 14 / 13),
        "that is the gain of the 13 known rows. It counts for the known fraction, 13/14, only.",
    )
    expect(
        not close(got[0], gain / 13), "multiply by the known fraction, 13/14, not by the unknown."
    )
    gap = [name or "gap" for name in sky]
    expect(
        not close(got[0], offer_by_hand(gap, PLAY, ones)[0]),
        "a missing value is no category. It has no part in the entropies, neither before nor after "
        "the split.",
    )
    expect(
        close(got[0], gain),
        "outlook with its missing value gains 13/14 x 0.2143 = 0.199 bits. The known fraction "
        "multiplies the whole gain of the known rows, the entropy before the split included.",
    )
    expect(
        not close(got[1], gain / bits([5, 3, 5])),
        "the split information has one part more, the rows without an outlook, 1 of 14.",
    )
    expect(
        close(got[1], ratio), "outlook with its missing value has the ratio 0.199 / 1.809 = 0.110."
    )

    dealt = got[2]
    expect(
        not close(sum(dealt.values()), 13),
        "the unknown row is lost. The branches together must weigh as much as the node.",
    )
    expect(
        not close(dealt["sunny"], 6) or not close(dealt["rain"], 6),
        "each branch received the whole unknown row. It receives a fraction, and the fractions "
        "sum to 1.",
    )
    expect(
        not close(dealt["overcast"], 3 + 1 / 3),
        "you distributed the unknown row in equal parts. The branch of 3 rows gets 3/13, less "
        "than the others.",
    )
    expect(
        not any(close(v, 6) for v in dealt.values()),
        "the unknown row went down one branch. C4.5 makes no guess but distributes the row to all.",
    )
    expect(
        not close(dealt["sunny"], 5 + 5 / 14),
        "the fractions are of the known weight, 13, not of 14.",
    )
    expect(
        all(close(dealt[a], v * 14 / 13) for a, v in zip(("sunny", "overcast", "rain"), (5, 3, 5))),
        "sunny and rain weigh 5 + 5/13, overcast 3 + 3/13.",
    )

    level, y, w = ["a", "a", "b", None], list("ynyn"), [0.5, 0.5, 3.0, 2.0]
    gain, ratio, right = offer_by_hand(level, y, w)
    got = ask(level, y, w)
    expect(
        not close(got[2]["a"], 1 + 2 * 2 / 3),
        "these are fractions of the weight, not of the number of rows, so a has 1/4.",
    )
    expect(
        not close(sum(got[2].values()), 5),
        "an unknown row has a weight of its own, here 2, and all of it is distributed.",
    )
    expect(
        close(got[0], gain) and close(got[1], ratio),
        "right for whole rows, but not for fractions. Entropies are of weights, not of counts.",
    )
    expect(
        all(close(got[2][a], right[a]) for a in right),
        "with categories a, a, b, unknown of weight 0.5, 0.5, 3, 2, a gets 1 + 2/4, b 3 + 6/4.",
    )
    expect(
        all_close(ask(["a", "a"], list("yn"), [1.0, 2.0])[:2], [0, 0]),
        "with one category and no missing value nothing is split, and the ratio is 0.0.",
    )
    random = Random(5)
    for n in (6, 20, 60):
        level = ["p", *random.choices(["p", "q", "r", None], k=n), None]
        y, w = random.choices("xyz", k=n + 2), [random.uniform(0.1, 1) for _ in range(n + 2)]
        gain, ratio, right = offer_by_hand(level, y, w)
        got = ask(level, y, w)
        expect(
            close(got[0], gain)
            and close(got[1], ratio)
            and all(close(got[2][a], right[a]) for a in right),
            "right for two classes and a few rows, but not for more of them.",
        )


def leaf(*counts):
    """A leaf with these class counts."""
    return {"counts": list(counts), "children": []}


def node(*children):
    """A node with these children, its counts their sum."""
    counts = [sum(c) for c in zip(*(child["counts"] for child in children))]
    return {"counts": counts, "children": list(children)}


def expected_errors(counts, confidence):
    """Predicted errors of a node; 0 for an empty one."""
    total = sum(counts)
    return predicted_errors(total, total - max(counts), confidence) if total else 0.0


def pruned(tree, confidence):
    """Predicted errors and number of leaves of the pruned tree."""
    as_leaf = expected_errors(tree["counts"], confidence)
    if not tree["children"]:
        return as_leaf, 1
    below = [pruned(child, confidence) for child in tree["children"]]
    as_tree = sum(price for price, _ in below)
    return (as_leaf, 1) if as_leaf <= as_tree else (as_tree, sum(n for _, n in below))


def random_tree(random, counts, depth):
    """A tree that distributes `counts` at random to two or three branches at each node."""
    if depth == 0 or sum(counts) < 2:
        return leaf(*counts)
    branches = [[0] * len(counts) for _ in range(random.choice([2, 3]))]
    for k, count in enumerate(counts):
        share = [random.random() ** 3 for _ in branches]
        for _ in range(count):
            random.choices(branches, share)[0][k] += 1
    below = depth - 1 - random.randrange(2) * (depth > 1)
    return {"counts": list(counts), "children": [random_tree(random, b, below) for b in branches]}


@checker("c45-5")
def check_prune(prune_by_errors):
    def leaves(tree, confidence=0.25):
        return prune_by_errors(deepcopy(tree), confidence)

    expect(leaves(leaf(4, 1)) == 1, "a tree that is one leaf has one leaf.")
    expect(
        leaves(node(leaf(6, 1), leaf(9, 1))) == 1,
        "leaves (6, 1) and (9, 1): their node has fewer predicted errors as a leaf, 3.7 compared "
        "with 4.8. Those of a subtree are the sum over its leaves, not the mean, and the smaller "
        "number wins.",
    )
    quinlan = node(leaf(6, 0), leaf(9, 0), leaf(0, 1))
    expect(
        leaves(quinlan) != 3,
        "your subtree of Quinlan's node (15, 1) stays. Do you compare the errors on the training "
        "rows? Use the predicted errors, 2.51 as a leaf compared with 3.27.",
    )
    expect(leaves(quinlan) == 1, "Quinlan's node (15, 1) becomes one leaf.")
    expect(
        leaves(node(node(leaf(0, 6), leaf(1, 0)), leaf(5, 0))) == 3,
        "leaves (0, 6), (1, 0) under one node, next to (5, 0): all three stay. Compare predicted "
        "errors, N times the rate, not rates.",
    )
    expect(
        leaves(node(node(leaf(0, 2), leaf(2, 0)), leaf(0, 1))) == 3,
        "leaves (0, 2), (2, 0) under one node, next to (0, 1): all three stay. The predicted "
        "errors of a child are those of its whole pruned subtree, not those of a leaf.",
    )
    expect(
        leaves(node(node(leaf(2, 0), leaf(1, 1)), leaf(0, 1))) == 2,
        "leaves (2, 0), (1, 1) under one node, next to (0, 1): the lower node becomes a leaf, the "
        "root stays. Prune the children first, and compare with what is left of them.",
    )
    expect(
        leaves(node(leaf(2, 1), leaf(3, 4))) == 2,
        "leaves (2, 1) and (3, 4): both stay, 6.44 compared with 6.54. A node becomes a leaf if it "
        "has at most as many predicted errors, and there is no margin of 0.1 here.",
    )
    try:
        empty = leaves(node(leaf(5, 2), leaf(0, 0)))
    except Exception as failure:
        for error in failure.args:
            error.args = (f"{error}, with an empty branch in the tree",)
        raise
    expect(
        empty == 1,
        "the leaf (5, 2) next to an empty one: node and subtree have the same predicted errors, "
        "because those of an empty leaf are 0, and a tie makes a leaf.",
    )
    wide = node(node(leaf(4, 2), leaf(4, 5)), leaf(0, 2))
    expect(
        [leaves(wide, c) for c in (0.05, 0.25, 0.5)] == [1, 2, 3],
        "a tree with the leaves (4, 2), (4, 5), (0, 2) keeps 1, 2 and 3 of them at the "
        "confidences 0.05, 0.25 and 0.5. Does yours reach `predicted_errors`?",
    )
    random = Random(7)
    for i in range(60):
        counts = [random.randrange(15) for _ in range(2 + i % 3)]
        tree = random_tree(random, counts, 1 + i % 4)
        for confidence in (0.1, 0.25, 0.4):
            expect(
                leaves(tree, confidence) == pruned(tree, confidence)[1],
                "wrong on a larger tree. E is the number of rows outside the largest class, and "
                "there may be three classes or more, three children or more, and empty leaves.",
            )
