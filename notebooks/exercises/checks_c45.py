"""Checkers of the chapter "ID3 and C4.5"."""

from copy import deepcopy

import checks_c45_plain  # noqa: F401 (registers its checkers)
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, cross_val_score

from treelab import C45Classifier
from treelab.c45 import predicted_errors
from treelab.checkers import Hint, checker, expect
from treelab.impurity import entropy, gain_ratio, information_gain

COLOR = [[0, 4], [2, 3], [3, 2]]  # the mushrooms by color: toxic, eatable
OUTLOOK = [[2, 3], [3, 0], [3, 2]]  # the golf table with its gap: play, do not play


def close(got, want):
    """Whether a number is right up to rounding."""
    return bool(np.isclose(got, want, rtol=1e-6, atol=1e-9))


def some_tables():
    """Tables of fractional class sums, a few of them with an empty branch or class."""
    rng = np.random.default_rng(5)
    for shape in ((2, 2), (3, 2), (4, 3), (6, 4)):
        table = rng.uniform(0.1, 9, size=shape)
        yield table.copy()
        table[1, 0] = 0.0
        table[-1] = 0.0
        table[0] += 1.0
        if shape[0] > 2:
            yield table


@checker("c45-2")
def check_ratio(ratio_of):
    color = np.array(COLOR)
    got, gain = ratio_of(color.copy()), float(information_gain(color))
    size = color.sum(axis=1)
    expect(not np.isnan(got), "NaN for the colors: a class of share 0 adds 0 to an entropy.")
    expect(
        not close(got, gain), "that is the information gain: divide it by the split information."
    )
    expect(
        not close(got, gain / entropy(color.sum(axis=0))),
        "you divided by the entropy of the classes; the split information is the entropy of the "
        "branch sizes, the sums of the rows.",
    )
    expect(
        not close(got, gain / np.log2(3)),
        "the split information is log2(3) only where three branches weigh the same; here they "
        "weigh 4, 5 and 5.",
    )
    unweighted = entropy(color.sum(axis=0)) - entropy(color).mean()
    expect(
        not close(got, unweighted / entropy(size)),
        "weight the entropy of each branch by its share of the rows, 4/14, 5/14 and 5/14.",
    )
    ratio = float(gain_ratio(color))
    expect(
        not close(got, ratio * np.log(2)) and not close(got, ratio / np.log(2)),
        "one of your two entropies is in bits and the other in nats: use one logarithm for both.",
    )
    expect(close(got, ratio), "the ratio of the mushrooms' color is 0.2467 / 1.5774 = 0.1564.")
    for single in ([[3, 2], [0, 0]], [[5, 1]], [[0, 0], [4, 0]]):
        expect(
            close(ratio_of(np.array(single)), 0.0),
            "a split with one branch that is not empty has no split information: return 0.0.",
        )
    for table in some_tables():
        expect(
            close(ratio_of(table.copy()), gain_ratio(table)),
            "right for the mushrooms, but not for every table: branches may be empty, there may "
            "be more than two classes, and counts may be fractions.",
        )


@checker("c45-4")
def check_known_gain(known_gain):
    outlook = np.array(OUTLOOK)
    got, gain = known_gain(outlook.copy(), 1), float(information_gain(outlook))
    expect(not np.isnan(got), "NaN for outlook: a class of share 0 adds 0 to an entropy.")
    expect(
        not close(got, gain),
        "that is the gain of the 13 known rows; it counts for the known share, 13/14, only.",
    )
    expect(
        not close(got, gain / 14), "multiply by the known share, 13/14, not by the unknown share."
    )
    node = float(entropy(outlook.sum(axis=0)))
    expect(
        not close(got, node - (node - gain) * 13 / 14),
        "the known share multiplies the whole gain, the entropy before the split included, not "
        "the remainder alone.",
    )
    expect(not close(got, gain * 13 / 14 * np.log(2)), "measure in bits: the logarithm has base 2.")
    expect(close(got, gain * 13 / 14), "outlook with its gap gains 13/14 x 0.2143 = 0.199 bits.")
    expect(
        close(known_gain(outlook.copy(), 0), gain),
        "with nothing unknown it is the plain information gain.",
    )
    expect(close(known_gain(np.zeros((3, 2)), 4), 0.0), "where nothing is known the gain is 0.0.")
    expect(
        close(known_gain(np.array([[3, 1], [0, 0], [1, 4]]), 3), 0.75 * gain_of([[3, 1], [1, 4]])),
        "an empty branch weighs nothing: it must not change the gain.",
    )
    for table, unknown in zip(some_tables(), (0.4, 2.5, 7.0, 1.0, 3.25, 0.1, 12.0), strict=True):
        known = table.sum()
        expect(
            close(known_gain(table.copy(), unknown), known / (known + unknown) * gain_of(table)),
            "right for whole counts, but not for fractions: a row that was dealt further up "
            "brings a part of its weight.",
        )


def gain_of(branches):
    """Information gain in bits; float."""
    return float(information_gain(branches))


def dealt(level, weight):
    """Weight of each branch after the unknown rows were dealt by share."""
    known = {}
    for name, w in zip(level, weight, strict=True):
        if name is not None:
            known[name] = known.get(name, 0.0) + float(w)
    total = sum(known.values())
    return {name: w / total * float(np.sum(weight)) for name, w in known.items()}


@checker("c45-5")
def check_deal(deal_unknown):
    level = ["sunny", "overcast", None, "rain", "rain"] + ["sunny"] * 4 + ["rain"] * 3
    level += ["overcast"] * 2
    got = dict(deal_unknown(list(level), np.ones(14)))
    expect(None not in got, "unknown is no branch: its rows go down the branches of the levels.")
    expect(set(got) == {"sunny", "overcast", "rain"}, "the keys are the levels that occur.")
    expect(
        not close(sum(got.values()), 13),
        "the unknown row is lost: the branches together must weigh what the node weighs.",
    )
    expect(
        not close(got["sunny"], 6) or not close(got["rain"], 6),
        "each branch got the whole unknown row; it gets a share, and the shares sum to 1.",
    )
    expect(
        not close(got["overcast"], 3 + 1 / 3),
        "you dealt the unknown row in equal parts; the branch of 3 rows gets 3/13, less than the "
        "others.",
    )
    expect(
        not any(close(w, 6) for w in got.values()),
        "the unknown row went down one branch; C4.5 makes no guess, it deals the row to all.",
    )
    expect(
        not close(got["sunny"], 5 + 5 / 14),
        "the shares are of the known weight, 13, not of the 14 rows.",
    )
    expect(
        agree(got, dealt(level, np.ones(14))), "sunny and rain weigh 5 + 5/13, overcast 3 + 3/13."
    )
    level, weight = ["a", "a", "b", None], np.array([0.5, 0.5, 3.0, 2.0])
    got = dict(deal_unknown(list(level), weight.copy()))
    expect(
        not close(got["a"], 1 + 2 * 2 / 3),
        "the shares are shares of weight, not of the number of rows: a has 1/4.",
    )
    expect(
        not close(got["a"] + got["b"], 5),
        "an unknown row has a weight of its own, here 2, and all of it is dealt.",
    )
    expect(
        agree(got, dealt(level, weight)),
        "levels a, a, b, unknown that weigh 0.5, 0.5, 3, 2: a gets 1 + 2/4, b gets 3 + 6/4.",
    )
    expect(
        agree(deal_unknown(["x", "y", "x"], np.array([1.0, 0.25, 2.0])), {"x": 3.0, "y": 0.25}),
        "with nothing unknown each level has the weight of its rows.",
    )
    rng = np.random.default_rng(4)
    for n in (5, 20, 60):
        level = ["p", *rng.choice(["p", "q", "r", None], n).tolist(), None]
        weight = rng.uniform(0.1, 1.0, n + 2)
        expect(
            agree(deal_unknown(list(level), weight.copy()), dealt(level, weight)),
            "wrong where several rows are unknown: each is dealt by the shares of the known rows.",
        )


def agree(got, want):
    """Whether two dictionaries of weights agree up to rounding."""
    return set(got) == set(want) and all(close(got[k], want[k]) for k in want)


def leaf(*counts):
    """A leaf with these class counts."""
    return {"counts": list(counts), "children": []}


def node(*children):
    """A node with these children, its counts their sum."""
    counts = [sum(c) for c in zip(*(child["counts"] for child in children), strict=True)]
    return {"counts": counts, "children": list(children)}


def expected_errors(counts, confidence):
    """Predicted errors of a node; 0 for an empty one."""
    total = float(sum(counts))
    return predicted_errors(total, total - max(counts), confidence) if total else 0.0


def pruned(tree, confidence):
    """Predicted errors and number of leaves of the pruned tree."""
    as_leaf = expected_errors(tree["counts"], confidence)
    if not tree["children"]:
        return as_leaf, 1
    below = [pruned(child, confidence) for child in tree["children"]]
    as_tree = sum(price for price, _ in below)
    return (as_leaf, 1) if as_leaf <= as_tree else (as_tree, sum(n for _, n in below))


def random_tree(rng, counts, depth):
    """A tree that deals `counts` at random to two or three branches at each node."""
    if depth == 0 or sum(counts) < 2:
        return leaf(*counts)
    n = int(rng.integers(2, 4))
    parts = [rng.multinomial(c, rng.dirichlet(np.ones(n) / 2)) for c in counts]
    branches = np.transpose(parts).tolist()
    children = [
        random_tree(rng, b, depth - 1 - int(rng.integers(0, 2)) * (depth > 1)) for b in branches
    ]
    return {"counts": list(counts), "children": children}


@checker("c45-7")
def check_prune(prune_by_errors):
    def leaves(tree, confidence=0.25):
        return prune_by_errors(deepcopy(tree), confidence)

    expect(leaves(leaf(4, 1)) == 1, "a tree that is one leaf has one leaf.")
    expect(
        leaves(node(leaf(6, 1), leaf(9, 1))) == 1,
        "leaves (6, 1) and (9, 1): their node predicts fewer errors as a leaf, 3.6 against 4.8. "
        "The price of a subtree is the sum over its leaves, not the mean; the cheaper one stays.",
    )
    quinlan = node(leaf(6, 0), leaf(9, 0), leaf(0, 1))
    expect(
        leaves(quinlan) != 3,
        "Quinlan's node (15, 1) stays a subtree: do you compare the errors on the training rows? "
        "Use the predicted errors, 2.48 as a leaf against 3.27.",
    )
    expect(leaves(quinlan) == 1, "Quinlan's node (15, 1) becomes one leaf.")
    expect(
        leaves(node(node(leaf(0, 6), leaf(1, 0)), leaf(5, 0))) == 3,
        "leaves (0, 6), (1, 0) under one node, beside (5, 0): all three stay. Compare predicted "
        "errors, N times the rate, not rates.",
    )
    expect(
        leaves(node(node(leaf(0, 2), leaf(2, 0)), leaf(0, 1))) == 3,
        "leaves (0, 2), (2, 0) under one node, beside (0, 1): all three stay. The price of a "
        "child is that of its whole subtree as pruned, not the child's own as a leaf.",
    )
    expect(
        leaves(node(node(leaf(2, 0), leaf(1, 1)), leaf(0, 1))) == 2,
        "leaves (2, 0), (1, 1) under one node, beside (0, 1): the lower node becomes a leaf, the "
        "root stays. Prune the children first, and compare with what is left of them.",
    )
    expect(
        leaves(node(leaf(5, 2), leaf(0, 0))) == 1,
        "the leaf (5, 2) beside an empty one: 5, 2 in both. An empty leaf predicts 0 errors, and "
        "a tie makes a leaf.",
    )
    wide = node(node(leaf(4, 2), leaf(4, 5)), leaf(0, 2))
    expect(
        [leaves(wide, c) for c in (0.05, 0.25, 0.5)] == [1, 2, 3],
        "a tree with the leaves (4, 2), (4, 5), (0, 2) keeps 1, 2 and 3 of them at the "
        "confidences 0.05, 0.25 and 0.5: does yours reach `predicted_errors`?",
    )
    rng = np.random.default_rng(7)
    for i in range(60):
        tree = random_tree(rng, rng.integers(0, 15, 2 + i % 3).tolist(), 1 + i % 4)
        for confidence in (0.1, 0.25, 0.4):
            expect(
                leaves(tree, confidence) == pruned(tree, confidence)[1],
                "wrong on a larger tree: E is the number of rows outside the largest class, and "
                "there may be three classes or more, three children or more, and empty leaves.",
            )


def sick_animals():
    """Made-up data like the horse colic's: 150 animals, columns of both kinds, with gaps."""
    rng = np.random.default_rng(0)
    n = 150
    pulse, cells = rng.normal(70, 20, n).round(), rng.normal(45, 9, n).round()
    pain, gut = rng.integers(0, 4, n), rng.integers(0, 3, n)
    score = (pulse - 70) / 20 + (pain - 1.5) + 1.2 * (gut == 2) + rng.normal(0, 1.1, n)
    X = pd.DataFrame(
        {
            "pulse": pulse,
            "cells": cells,
            "pain": pd.Categorical.from_codes(pain, ["none", "mild", "severe", "constant"]),
            "gut": pd.Categorical.from_codes(gut, ["absent", "reduced", "normal"]),
            "age": pd.Categorical.from_codes(rng.integers(0, 2, n), ["young", "adult"]),
        }
    )
    for name, share in (("pulse", 0.1), ("cells", 0.2), ("pain", 0.15), ("gut", 0.15)):
        X.loc[rng.random(n) < share, name] = None
    return X, pd.Series(np.where(score > 0.4, "yes", "no"), name="lesion")


FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def cross_validated_error(confidence, X, y, folds=FOLDS):
    """Mean error over the folds; float."""
    model = C45Classifier(confidence=confidence)
    return float(1 - cross_val_score(model, X, y, cv=folds).mean())


@checker("c45-9")
def check_error(error_of):
    X, y = sick_animals()
    confidences = [0.01, 0.25, 0.5]
    got = dict(error_of(list(confidences), X.copy(), y.copy()))
    expect(
        set(got) == set(confidences), "return a dictionary: each confidence, and its mean error."
    )
    want = {c: cross_validated_error(c, X, y) for c in confidences}
    if agree(got, want):
        return
    expect(
        not agree(got, {c: 1 - e for c, e in want.items()}),
        "those are the shares of right answers; the error is 1 minus that.",
    )
    expect(
        not agree(got, {c: 1 - C45Classifier(confidence=c).fit(X, y).score(X, y) for c in got}),
        "you judge each tree on the rows it was grown on; grow on four folds, judge on the fifth.",
    )
    expect(
        not agree(got, dict.fromkeys(confidences, want[0.25])),
        "all errors are that of the default, 0.25: give each confidence to its C45Classifier.",
    )
    whole = X.notna().all(axis=1).to_numpy()
    expect(
        not agree(got, {c: cross_validated_error(c, X[whole], y[whole]) for c in got}),
        "you left out the rows with gaps; C4.5 reads them as they are.",
    )
    expect(
        not agree(got, {c: cross_validated_error(c, X, y, StratifiedKFold(5)) for c in got}),
        "shuffle the rows before they are shared out: shuffle=True, random_state=0.",
    )
    expect(
        not agree(got, {c: e * len(y) / 5 for c, e in want.items()}),
        "you counted errors; divide by the number of rows of the fold.",
    )
    raise Hint(
        "the folds of all confidences are those of StratifiedKFold(5, shuffle=True, "
        "random_state=0), and the error is the mean over them."
    )
