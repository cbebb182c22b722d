"""Drills: the exam's questions with fresh numbers, answered part by part and judged at once.

A drill is a question of `questions.QUESTIONS` whose numbers and choices can be typed. `DRILLS` says
which ones a chapter has, `parts` what one asks. ``drill("impurity", 1)`` shows the question, and
``drill("impurity", 1, {...})`` judges; the pages of the book do the same with `drill.js`.
"""

import functools
import math
import re
from dataclasses import dataclass

import exam
import numpy as np
import pandas as pd

from treelab.fast.impurity import IMPURITIES, entropy

# The chapter, as in the ids of its exercises, and its drills.
DRILLS = {
    "reading": ("reading",),
    "impurity": ("impurity",),
    "growing": ("growing",),
    "pruning": ("pruning", "cross-validation"),
    "c45": ("gain-ratio", "gaps", "error-limit"),
    "metrics": ("confusion-matrix", "roc"),
    "instability": ("bias-variance",),
    "bootstrap": ("bootstrap",),
    "bagging": ("out-of-bag",),
    "forests": ("forest",),
    "adaboost": ("adaboost",),
    "gradient-boosting": ("gradient-boosting",),
    "importance": ("importance", "shapley"),
    "filters": ("merit-of-sets",),
    "choosing": ("no-worse", "hits"),
    "reluctant": ("reluctant-node", "reluctant-guided"),
    "local": ("local-ranks", "local-null"),
    "bicycles": ("bicycles-order",),
    "wind": ("wind-power",),
}
HALFWAY = "A threshold stands halfway between two neighboring values."
NATS = "That is with the natural logarithm; bits want the one to base 2."
SIGN = "Check the sign."
MIDDLE = "The median of an even number of values is the mean of the two in the middle."
REMAINDER = "That is the remainder; take it from the entropy before."
# As in drill.js, with which judge() agrees.
NEAR = "Nearly: round at the end."  # within 2 percent
SHORT = "Nearly: give three decimals."


@dataclass(frozen=True)
class Part:
    """One answer that a drill asks for."""

    name: str
    right: float | str
    choices: tuple = ()
    tolerance: float = 0.001
    mistakes: tuple = ()  # pairs of a wrong number and what it comes from


def number(name, right, *mistakes, tolerance=0.001):
    """A part that is a number.

    A mistake that gives nearly the right number is none: two decimals do not tell the two apart.
    """
    mistakes += ((-right, SIGN),)
    told = [(float(m), hint) for m, hint in mistakes if abs(m - right) > 6 * tolerance]
    return Part(name, float(right), tolerance=tolerance, mistakes=tuple(told))


def whole(name, right, *mistakes):
    """A part that is a number of few digits, to be given exactly."""
    return number(name, right, *mistakes, tolerance=1e-6)


def choice(name, right, *choices):
    """A part that is one of several words."""
    return Part(name, str(right), tuple(map(str, choices)))


def reading(q):
    for row, share in zip("abc", q.answer["shares"]):
        yield number(
            f"proportion of class 1, row {row}",
            share,
            (1 - share, "That is the proportion of class 0."),
        )
    for row, moves in zip("abc", q.answer["moves"]):
        yield choice(f"row {row} can change its leaf", "yes" if moves else "no", "yes", "no")
    yield choice("at the root the row of (c) goes", q.answer["side"], "left", "right")


def impurity(q):
    for name, gains in q.answer.items():
        Q = IMPURITIES["misclassification" if name == "error rate" else name.lower()]
        for which in ("first", "second"):
            split, gain = q.given[which], gains[which == "second"]
            node, size = Q(split.sum(axis=0)), split.sum(axis=1)
            hints = [
                (
                    node - gain,
                    "That is what is left after the split; the gain is what the split removes.",
                ),
                (
                    node - Q(split).mean(),
                    "Weigh the two branches by their numbers of observations.",
                ),
                (
                    size.sum() * gain,
                    "That is the total gain; divide by the number of observations.",
                ),
            ]
            if name == "entropy":
                hints.append((gain * math.log(2), NATS))
            yield number(f"{name}, {which}", gain, *hints)
    for name, (first, second) in q.answer.items():
        same = abs(first - second) < 1e-12
        takes = "either" if same else "first" if first > second else "second"
        yield choice(f"{name} takes", takes, "first", "second", "either")


def growing(q):
    x, y, s = q.given["x"], q.given["y"], q.answer["threshold"]
    left, right = x[x <= s][-1], x[x > s][0]
    gain, error = q.answer["gain"], y.var()
    yield whole("threshold", s, (left, HALFWAY), (right, HALFWAY))
    yield number("error before", error, (error * 6, "That is the sum; the error is the mean."))
    sides = np.array([y[x <= s].var(), y[x > s].var()])
    yield number(
        "error after",
        error - gain,
        (sides.mean(), "Weight the two sides by their numbers of rows."),
        ((error - gain) * 6, "That is the sum; the error is the mean."),
        (sides.sum(), "That adds two means; weight them by the proportions of the rows."),
    )
    yield number("drop", gain, (error - gain, "That is the error after the split."))
    for side, mean in zip(("left", "right"), q.answer["means"]):
        yield number(f"{side} leaf predicts", mean)


def pruning(q):
    n, left, right = len(q.given["y"]), q.given["left"], q.given["right"]
    together = f"Divide the risks by the number of all rows, {n}."

    def leaves_under(t):
        return 1 if left[t] < 0 else leaves_under(left[t]) + leaves_under(right[t])

    for place, (node, g) in zip(("first", "second", "third"), q.answer["g"].items()):
        leaves = leaves_under(node)
        yield number(
            f"g, {place} inner node",
            g,
            (g * n, together),
            (g * (leaves - 1) / leaves, "Divide by the number of leaves minus 1."),
        )
    alphas, leaves = q.answer["alphas"], q.answer["leaves"]
    below = "A node below a pruned one disappears with it."
    for place, step in (("first", 1), ("last", -1)):
        alpha = alphas[step]
        yield number(f"{place} alpha", alpha, (alpha * n, together))
        if place == "first":
            along = leaves[1] < 3
            yield whole("leaves after it", leaves[1], *[(leaves[1] + 1, below)] * along)
    yield whole("leaves left", q.answer["kept"])


def cross_validation(q):
    fold, x, y = (q.given[name] for name in ("fold", "x", "y"))
    trees = ("one leaf", "two leaves")
    seen = ((y - y.mean()) ** 2).mean(), np.mean([y[x == v].var() for v in (0, 1)])
    for name, own in zip(trees, seen):
        right = q.answer[name]
        yield number(
            f"error, {name}",
            right,
            (own, "That is the error on the rows that the tree was grown on."),
            (right * 6, "That is the sum of six squared errors, but the error is their mean."),
        )
    yield choice("smaller error", q.answer["least"], *trees)
    se = q.answer["se"]
    yield number(
        "standard error",
        se,
        (se * math.sqrt(6 / 5), "Divide by 6 under the root, not by 5."),
        (se * math.sqrt(6), "That is the standard deviation. Divide it by the root of 6."),
        (se / math.sqrt(6), "Divide by the root of 6, not by 6."),
    )
    yield choice("the rule takes", q.answer["simple"], *trees)


def class_entropy(y):
    """Entropy of the classes of some rows."""
    return float(entropy(np.unique(y, return_counts=True)[1]))


def gain_ratio(q):
    before = class_entropy(q.given["y"])
    for name, (gain, split_information, ratio) in q.answer.items():
        yield number(
            f"gain of {name}",
            gain,
            (gain * math.log(2), NATS),
            (before, "That is the entropy of the ten days; the branches leave some of it."),
            (before - gain, REMAINDER),
        )
        yield number(
            f"split information of {name}",
            split_information,
            (split_information * math.log(2), NATS),
            (before, "That is the entropy of the decisions; take that of the branch sizes."),
        )
        yield number(
            f"ratio of {name}",
            ratio,
            (gain * split_information, "Divide by the split information."),
            (gain, "That is the gain; divide it by the split information."),
            (
                gain / before,
                "Divide by the split information, not by the entropy of the decisions.",
            ),
            (
                split_information / gain,
                "The other way round: divide the gain by the split information.",
            ),
        )
    for k, by in ((0, "gain"), (2, "ratio")):
        best = max(q.answer, key=lambda name, k=k: q.answer[name][k])
        yield choice(f"the {by} takes", best, *q.answer)


def gaps(q):
    told, sky = q.answer, q.given["sky"]
    known = pd.Series(sky[sky != "?"]).value_counts(normalize=True)
    without = -sum(known * np.log2(known))
    y, here = q.given["y"], sky != "?"
    before, of_all = class_entropy(y[here]), class_entropy(y)
    level = sum(np.mean(sky == k) * class_entropy(y[sky == k]) for k in set(sky.tolist()))
    yield number(
        "gain where known",
        told["known"],
        (told["known"] * math.log(2), NATS),
        (before, "That is the entropy of the known days; the branches leave some of it."),
        (before - told["known"], REMAINDER),
        (of_all - before + told["known"], "Take the entropy of the known days, not of all ten."),
        (of_all - level, "The unknown days are no branch here: leave them out."),
    )
    yield number(
        "gain",
        told["gain"],
        (told["known"], "Multiply by the proportion of known days."),
        (
            told["known"] - told["gain"],
            "Multiply by the proportion of known days, not unknown ones.",
        ),
        (
            of_all - level,
            "A missing value is no category: multiply by the proportion of known days.",
        ),
    )
    yield number(
        "split information",
        told["split_information"],
        (without, "The unknown days count as a branch of their own."),
        (without * len(sky[sky != "?"]) / 10, "The unknown days count as a branch of their own."),
    )
    yield number(
        "gain ratio",
        told["gain_ratio"],
        (told["gain"] / without, "The unknown days count as a branch of their own."),
    )
    yield number(
        "weight of an unknown day",
        told["share"],
        (np.mean(sky == "sun"), "Take the proportion among the known days, not among all."),
        (0.5, "Not in equal parts, but in the proportions of the known days."),
    )
    yield number(
        "weight of branch sun",
        told["weight"],
        (np.sum(sky == "sun"), "Add the fractions of the unknown days."),
        (np.sum(sky == "sun") + told["share"], "Add a fraction for each unknown day."),
    )


def error_limit(q):
    sizes, told = q.given["sizes"], q.answer
    N = q.given["whole"][0]
    yield number(
        "upper limit of the first leaf",
        told["first"],
        (
            1 - told["first"],
            "Subtract it from 1: that is the probability of a row without an error.",
        ),
        (1 - 0.25 ** sizes[0], "The exponent is one divided by the number of rows."),
        (sizes[0] * told["first"], "That is the number of errors; the limit is a rate."),
    )
    yield number(
        "errors predicted, three leaves",
        told["leaves"],
        (told["leaves"] / N, "That is a rate; multiply by the number of rows."),
        tolerance=0.01,  # the limit of the first leaf, rounded, times its cases
    )
    yield number(
        "errors predicted, one leaf",
        told["leaf"],
        (told["leaf"] / sizes.sum(), "That is the limit; multiply by the number of rows."),
        (q.given["whole"][1], "These are the training errors; use the limit to predict more."),
        tolerance=0.01,
    )
    yield choice("C4.5 puts one leaf there", told["pruned"], "yes", "no")


def confusion_matrix(q):
    positives, rest = q.given["positives"], q.given["rest"]
    TP, FP = q.given["found"][0], q.given["false_alarms"][0]
    n = positives + rest
    for name, right in zip(("TN", "FP", "FN", "TP"), (rest - FP, FP, positives - TP, TP)):
        yield whole(name, right)
    yield number(
        "accuracy",
        q.answer["accuracy"],
        (1 - q.answer["accuracy"], "That is the error rate."),
        (TP / n, "The true negatives are correct predictions as well."),
    )
    swapped = "That is the other one of precision and recall."
    precision, recall = q.answer["precision"], q.answer["recall"]
    yield number(
        "precision",
        precision,
        (recall, swapped),
        ((rest - FP) / rest, "That is the specificity. Divide by all rows predicted positive."),
    )
    yield number("recall", recall, (precision, swapped))
    yield number(
        "F1",
        q.answer["f1"],
        ((precision + recall) / 2, "That is the arithmetic mean. Take the harmonic mean."),
    )
    yield number(
        "accuracy, always negative",
        q.answer["always_negative"],
        (positives / n, "That is the proportion of the positive rows."),
    )
    other = q.given["prices"][::-1]
    for at, cost, hits, false_alarms in zip(
        ("0.5", "0.2"), q.answer["costs"], q.given["found"], q.given["false_alarms"]
    ):
        wrong = other[0] * (positives - hits) + other[1] * false_alarms
        yield whole(f"cost at {at}", cost, (wrong, "The two costs are exchanged."))
    yield choice("threshold", f"{q.answer['threshold']:g}", "0.5", "0.2")


def roc(q):
    y, scores, at = (q.given[name] for name in ("y", "scores", "at"))
    FPR, TPR, pairs = (q.answer[name] for name in ("FPR", "TPR", "pairs"))
    strict = y[scores > at]
    part = "A score equal to the threshold is predicted to be of class 1."
    yield number(
        "false positive rate",
        FPR,
        (TPR, "That is the true positive rate."),
        ((strict == 0).sum() / (y == 0).sum(), part),
        ((y[scores >= at] == 0).sum() / len(y), "Divide by the number of rows of class 0."),
    )
    yield number(
        "true positive rate",
        TPR,
        (FPR, "That is the false positive rate."),
        ((strict == 1).sum() / (y == 1).sum(), part),
        ((y[scores >= at] == 1).sum() / len(y), "Divide by the number of rows of class 1."),
    )
    yield whole("pairs in the right order", q.answer["won"])
    yield whole("tied pairs", 1)
    yield number(
        "AUC",
        q.answer["auc"],
        (q.answer["won"] / pairs, "A tied pair counts one half."),
        ((q.answer["won"] + 1) / pairs, "A tied pair counts one half."),
        (1 - q.answer["auc"], "That counts the pairs in the wrong order."),
    )
    yield number("AUC of the squares", q.answer["auc"])


def bias_variance(q):
    said, truth = q.given["said"], q.given["truth"]
    bias2, variance = q.answer["bias2"], q.answer["variance"]
    yield number("squared bias", bias2, (said.mean() - truth, "That is the bias. Square it."))
    yield number(
        "variance",
        variance,
        (variance * 5 / 4, "Divide by 5, because these are all the samples there are."),
    )
    yield number("mean squared distance", bias2 + variance)
    yield number("squared bias of the average", bias2, (0, "The average has the same bias."))
    yield number(
        "variance of the average",
        0,
        (variance / 5, "The average over all samples does not change with the sample."),
    )


def bootstrap(q):
    n, told = q.given["n"], q.answer
    yield whole("number of rows out of bag", q.answer["out"])
    limit = f"That is the limit for many rows, but here there are {n}."
    yield number(
        "probability of being out of bag",
        told["missing"],
        (1 - told["missing"], "That is the probability of being in the sample."),
        (0.368, limit),
    )
    yield number(
        "different rows on average",
        told["expected"],
        (told["expected"] / n, "That is a proportion. Multiply it by the number of rows."),
        (0.632 * n, limit),
    )
    yield number(
        ".632 estimate",
        told["estimate"],
        (
            0.632 * q.given["training"] + 0.368 * q.given["unseen"],
            "The error on unseen rows has the larger weight.",
        ),
    )


def out_of_bag(q):
    for row, (said, seen) in enumerate(zip(q.given["said"].T, q.given["seen"].T), 1):
        votes = said[~seen]
        elected = int(votes.mean() > 0.5) if len(votes) else "none"
        yield choice(f"out-of-bag vote on row {row}", elected, "0", "1", "none")
    yield number("coverage", q.answer["coverage"])
    alone, together = q.answer["error"], q.answer["all"]
    yield number(
        "out-of-bag error", alone, (together, "Only trees that have not seen the row may vote.")
    )
    yield number("error of all five", together, (alone, "Here all five trees vote on each row."))


def forest(q):
    free = q.given["sigma2"] / q.given["B"]
    yield number(
        "variance of the mean",
        q.answer["variance"],
        (free, "That would need independent trees."),
    )
    yield number("floor", q.answer["floor"])
    yield number(
        "probability of a relevant candidate",
        q.answer["chance"],
        (1 - q.answer["chance"], "That is the probability that none is relevant."),
    )


def adaboost(q):
    told, first = q.answer, q.given["said"][0] == q.given["y"]
    for k, stump in enumerate(("first", "second")):
        c = told["alphas"][k]
        counted = np.mean(q.given["said"][k] != q.given["y"])
        hint = (counted, "You counted the cases; add up their weights.")
        yield number(f"error of the {stump} stump", told["errors"][k], hint)
        yield number(f"confidence of the {stump} stump", c, (2 * c, "Half the logarithm."))
    weights = told["weights"]
    yield number("new weight of a case it got wrong", weights[~first][0])
    yield number("new weight of a case it got right", weights[first][0])
    old = (told["errors"][0], "That is the error on the old weights.")
    yield number("error of the first stump under the new weights", 0.5, old)


def gradient_boosting(q):
    for name in ("squared", "absolute"):
        told = q.answer[name]
        ranked = np.sort(q.given["y"])
        others = [(start, MIDDLE) for start in ranked[2:4]] * (name == "absolute")
        yield number(f"start, {name}", told["start"], *others)
        lacking = "residual" if name == "squared" else "pseudo-residual"
        yield number(f"first {lacking}, {name}", told["residuals"][0])
        yield whole(f"threshold, {name}", told["threshold"])
        cut = int(told["threshold"])
        for side, i, own in (("left", 0, slice(cut)), ("right", -1, slice(cut, None))):
            step = told["after"][i] - told["start"]
            mean = np.mean(q.given["y"][own]) - told["start"]
            signs = np.mean(told["residuals"][own])
            yield number(
                f"{side} leaf value, {name}",
                2 * step,
                (step, "That is the step; the leaf's value is taken before the learning rate."),
                *(
                    (mean, "That is the mean of y - F; under absolute error it is the median."),
                    (signs, "That is the mean of the signs; the leaf takes the median of y - F."),
                )
                * (name == "absolute"),
                *((2 * step + told["start"] - start, hint) for start, hint in others),
            )
        yield number(f"after the round at x = 1, {name}", told["after"][0])
        yield number(f"after the round at x = 6, {name}", told["after"][-1])
    yield choice("an outlier changes more", "squared", "squared", "absolute")


def importance(q):
    for node, drop in zip(np.flatnonzero(q.given["left"] >= 0), q.answer["drops"]):
        n = q.given["counts"][node].sum()
        yield number(
            f"decrease at node {node}",
            drop,
            (drop * 12 / n, "Weigh it by the node's share of the rows."),
            (drop * 12, "Divide by the number of all rows."),
        )
    for j, share in enumerate(q.answer["shares"], 1):
        yield number(f"importance of feature {j}", share)


def shapley(q):
    y = q.given["y"]
    for name, value in (
        ("nothing known", y.mean()),
        ("feature 1 known", y[2:].mean()),
        ("feature 2 known", y[1::2].mean()),
        ("both known", y[3]),
    ):
        yield number(name, value)
    for j, value in enumerate(q.answer["values"], 1):
        yield number(f"Shapley value of feature {j}", value)


def merit_of_sets(q):
    relevance, between = q.given["relevance"], q.given["between"]
    sets = ("a", "a, b", "a, c", "a, b, c")
    told = (0, between[0], between[1], between.sum())
    for name, value, pairs in zip(sets, q.answer["merits"], told):
        total = sum(relevance["abc".index(letter)] for letter in name.split(", "))
        k = name.count(",") + 1
        hints = [
            (total / np.sqrt(k + pairs), "Each pair counts twice under the root."),
            (total / np.sqrt(k), "Under the root stands the redundancy, too."),
            (total / (k + 2 * pairs), "Take the root."),
        ]
        yield number(f"merit of {{{name}}}", value, *(hints if k > 1 else ()))
    yield choice("CFS prefers", q.answer["best"], *sets)
    yield choice("FCBF keeps", q.answer["kept"], *sets)
    total = 2 * relevance[0] + relevance[1]
    once = (total / np.sqrt(3 + 4 * between[0]), "A column and its copy are a pair, too, of 1.")
    yield number("merit of {a, b} and a copy of a", q.answer["copied"], once)


def no_worse(q):
    error, n = q.given["wrong"] / q.given["n"], q.given["n"]
    se, sd = q.answer["se"], q.answer["sd"]
    yield number("standard error of the least", se, (se * np.sqrt(n), "Divide by the root of n."))
    hint = "That is the standard error; add it to the least error."
    yield number("largest error that will do", q.answer["limit"], (se, hint))
    yield choice("columns kept, one standard error", q.answer["kept"], *q.given["sizes"])
    hint = "Divide the squares by nine, not by eight."
    yield number("deviation along the path", sd, (error.std(ddof=1), hint))
    yield choice("columns kept, α = 0.5", q.answer["by_path"][0], *q.given["sizes"])
    yield choice("columns kept, path to six", q.answer["by_path"][1], *q.given["sizes"][:5])


def hits(q):
    r, (_, b, c, _) = q.given["runs"], q.given["hits"]
    for name, count, right in (
        ("chance of as many as b, or more", b, q.answer["p_confirm"]),
        ("chance of as few as c, or fewer", c, q.answer["p_reject"]),
    ):
        one = math.comb(r, count) / 2**r
        hint = "That is the other side, without this number itself."
        yield number(
            name, right, (one, "That is exactly so many; add the better ones."), (1 - right, hint)
        )
    for name, state in zip("abcd", q.answer["states"]):
        yield choice(f"column {name}", state, "confirmed", "tentative", "rejected")
    fewest, alone = q.answer["fewest"], 5  # 1/32 is below 0.05
    yield whole("runs without a miss", fewest, (alone, "The level is shared by the columns."))


def reluctant_node(q):
    counts, lam = q.given["counts"], q.given["penalty"]
    gains, worth = q.answer["gains"], q.answer["worth"]
    before = float(entropy(counts[0].sum(axis=0)))
    for name, gain, sides in zip("abc", gains, counts):
        yield number(
            f"gain of {name}",
            gain,
            (before - gain, REMAINDER),
            (gain * math.log(2), NATS),
            (before - entropy(sides).mean(), "Weigh the two sides by their numbers of cases."),
        )
    hint = "Column a is in: it counts its whole gain."
    yield number("what a counts", worth[0], (lam * worth[0], hint))
    for name, value in zip("bc", worth[1:]):
        yield number(
            f"what {name} counts",
            value,
            (value / lam, "It is new: multiply its gain by the penalty."),
            (value / lam**2, "Multiply by the penalty, do not divide."),
        )
    yield choice("column that asks", q.answer["asks"], *"abc")
    limit, best = q.answer["limit"], int(np.argmax(gains))
    yield number(
        "penalty up to which a asks",
        limit,
        (1 / limit, "The other way round: the gain of a by that of the new one."),
        (gains[0] / gains[3 - best], "The other new column gains more."),
        (lam, "That is the penalty of this node; find the one that makes the two equal."),
        tolerance=0.005,
    )


def reluctant_guided(q):
    gains, importances, base, gamma = (
        q.given[name] for name in ("gains", "importances", "base", "gamma")
    )
    for name, penalty, importance in zip("bcd", q.answer["penalties"], importances[1:]):
        most = [importances.max(), importances[1:].max(), importances[1:].sum(), 1]
        shares = importance / np.array(most)
        mixed = (1 - gamma) * base + gamma * shares
        yield number(
            f"penalty of {name}",
            penalty,
            (mixed[3], "Divide the importance by the largest one."),
            (mixed[2], "Divide the importance by the largest one, not by a sum."),
            (mixed[1], "The largest importance is that of a, which counts, too."),
            (gamma * base + (1 - gamma) * shares[0], "Gamma is the part of the importances."),
            (base + gamma * shares[0], "The base has the part 1 - gamma only."),
        )
    yield choice("column that asks", q.answer["asks"], *"abcd")
    yield choice("column that asks, gamma 0", q.answer["unguided"], *"abcd")
    best = int(np.argmax(gains[1:])) + 1
    a_part = gains[0] / gains[best]
    yield number(
        "gamma of the tie",
        q.answer["even"],
        (a_part, "That is the penalty with which the two are equal; find the gamma that gives it."),
        (1 - q.answer["even"], "That is the part of the base."),
    )


def local_ranks(q):
    importances, sizes = q.given["importances"], q.given["sizes"]
    ranks = 1 + np.argsort(np.argsort(-importances, axis=1), axis=1)
    for j, name in enumerate("abcd"):
        column = importances[:, j]
        yield number(
            f"average of {name}",
            q.answer["average"][j],
            (column.mean(), "Weigh each cluster by its rows."),
            (sizes @ column, "That is the sum; divide by all rows."),
            (sizes @ column / 3, "Divide by the number of all rows, not of the clusters."),
            (column.max(), "That is the largest one; take the average."),
        )
    for j, name in enumerate("abcd"):
        yield whole(
            f"worst rank of {name}",
            q.answer["worst"][j],
            (ranks[:, j].min(), "That is its best rank."),
            (5 - ranks[:, j].min(), "The largest importance has rank 1."),
        )
    yield choice("first by average", q.answer["by_average"], *"abcd")
    yield choice("first by intersection", q.answer["by_intersection"], *"abcd")


def local_null(q):
    chosen, asked = q.given["chosen"], q.given["asked"]
    largest, times = q.given["twelfths"] / 12, q.given["times"]
    shares = np.array([level.mean(axis=0) for level in chosen])
    for j, name in enumerate("abc"):
        yield number(
            f"LAFI of {name}",
            q.answer["lafi"][j],
            (np.concatenate(chosen)[:, j].mean(), "Average over the levels, not over all bins."),
            (shares[:, j].sum(), "Divide by the number of levels."),
            (shares[1:, j].mean(), "Level 1, all rows, is a level, too."),
        )
    for j, name in enumerate("abc"):
        yield choice(f"{name} is kept", "yes" if q.answer["kept"][j] else "no", "yes", "no")
    at_least = times[largest > q.given["threshold"] - 1e-9].sum()
    yield whole(
        "permutations that keep something",
        q.answer["above"],
        (at_least, "Kept is what is above the threshold, not what is just as large."),
        (times.sum() - q.answer["above"], "Those are the others, which keep nothing."),
    )
    lafi, m = q.answer["lafi"][asked], times.sum()
    as_large = times[largest > lafi - 1e-9].sum()
    larger = times[largest > lafi + 1e-9].sum()
    yield number(
        "p max",
        q.answer["p"],
        (as_large / m, "Add 1 above and below: the true target is one of the orders."),
        (as_large / (m + 1), "Add 1 above, too: the true target is one of the orders."),
        ((1 + as_large) / m, "Add 1 below, too."),
        ((1 + larger) / (m + 1), "As large counts, too."),
        (1 - q.answer["p"], "Count those that are as large or larger, not the smaller ones."),
    )


def bicycles_order(q):
    demands, under, over, percent = (
        q.given[name] for name in ("demands", "under", "over", "percent")
    )
    n, share, order, enough = len(demands), q.answer["share"], q.answer["order"], q.answer["enough"]
    yield number(
        "share of nights",
        share,
        (1 - share, "That is the share of nights that may lack bicycles."),
        (over / under, "Divide the price of a missing one by the sum of both prices."),
    )
    ranked = np.sort(demands)
    place = int(np.flatnonzero(ranked == order)[0])
    yield whole(
        "best order",
        order,
        (ranked[n - 1 - place], "The other way round: dear are the missing ones, so order more."),
        (int(np.median(demands)), "That is the median: right where both cost the same."),
        (ranked[place - 1], "That covers too few nights: take the first that covers enough."),
        (round(demands.mean()), "That is the mean: it knows nothing of the prices."),
    )
    for name, cost, q_ in zip(
        ("its mean cost", "mean cost of the median"),
        q.answer["costs"],
        (order, np.median(demands)),
        strict=True,
    ):
        short = demands - q_
        yield number(
            name,
            cost,
            (cost * n, "That is the cost of all nights; divide by their number."),
            (np.abs(short).mean(), "Missing ones and those too many have each their price."),
            (
                np.maximum(over * short, -under * short).mean(),
                "The prices are the other way round: a missing one costs more.",
            ),
        )
    naive = ranked[-(-percent * n // 100) - 1]
    yield whole(
        "demand that covers the next night",
        enough,
        (naive, "The next night is one more: count the rank among all of them, itself included."),
        (order, "That is the order of the prices; here only the nights are counted."),
    )


def wind_power(q):
    a, b, c = q.given["curve"]

    def power(v):
        return (min(v, b) ** 3 - a**3) / (b**3 - a**3) if a <= v <= c else 0.0

    def endless(v):
        return (v**3 - a**3) / (b**3 - a**3)

    beyond = "From the rated speed on the power is 1: the cube ends there."
    for v, right in zip(q.given["speeds"], q.answer["powers"]):
        yield number(
            f"power at the {'lower' if v == q.given['speeds'][0] else 'higher'} speed",
            right,
            ((v / b) ** 3, "It begins with 0 at the cut-in: take its cube off, above and below."),
            (((v - a) / (b - a)) ** 3, "The difference of the cubes, not the cube of it."),
            ((v - a) / (b - a), "With the cube of the speed, not with the speed."),
        )
    off = q.given["off"]
    for v, wrong, name in zip(q.given["speeds"], q.answer["wrong"], ("lower", "higher")):
        yield number(
            f"error at the {name} speed",
            wrong,
            (endless(v + off) - endless(v), beyond),
            (power(v + off), "That is the power of the forecast; take that of the true speed off."),
            (off**3 / (b**3 - a**3), "The difference of the cubes, not the cube of it."),
            (wrong / power(v), "That is the error beside the power; it is asked for as it is."),
        )
    mean, spread = q.given["mean"], q.given["spread"]
    low, high = mean - spread, mean + spread
    yield number(
        "mean of the two powers",
        q.answer["mean"],
        ((endless(low) + endless(high)) / 2, beyond),
        ((power(low) + 1) / 2, "Above the cut-out there is no power."),
        (power(mean), "That is the power of the mean speed."),
    )
    yield number(
        "power of the mean speed",
        q.answer["of_mean"],
        (q.answer["mean"], "That is the mean of the powers."),
    )
    yield choice("power of the mean speed is", q.answer["says"], "too low", "too high")


ASKED = {
    function.__name__.replace("_", "-"): function
    for function in (
        reading, impurity, growing, pruning, cross_validation, gain_ratio, gaps, error_limit,
        confusion_matrix, roc, bias_variance, bootstrap, out_of_bag, forest, adaboost,
        gradient_boosting, importance, shapley, merit_of_sets, no_worse, hits, reluctant_node,
        reluctant_guided, local_ranks, local_null, bicycles_order, wind_power,
    )
}  # fmt: skip


ask = functools.cache(exam.ask)


def parts(name, seed):
    """What the drill of this name asks with the numbers of a seed; list of `Part`."""
    return list(ASKED[name](ask(name, seed)))


def seeds(name, n=12):
    """The first seeds from 1 on whose numbers differ; list of int."""
    found, texts, seed = [], set(), 1
    while len(found) < n:
        text = ask(name, seed).text
        if text not in texts:
            found.append(seed)
            texts.add(text)
        seed += 1
    return found


def read(typed):
    """A number as people type it, with a point or a comma or as a fraction; None if it is none."""
    if isinstance(typed, str):
        text = typed.strip().replace(",", ".").replace("\u2212", "-")
        above, bar, below = text.partition("/")
        try:
            typed = float(above) / (float(below) if bar else 1)
        except (ValueError, ZeroDivisionError):
            return None
    try:
        value = float(typed)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def chosen(typed, choices):
    """A choice as it is listed, however it is typed: a set in braces, True for yes."""
    if isinstance(typed, set | frozenset | list | tuple):
        typed = ", ".join(map(str, typed))
    text = re.sub(r"[\[\](){}'\"]", "", str(typed)).strip().lower()
    if "yes" in choices:
        text = {"true": "yes", "false": "no"}.get(text, text)
    return ", ".join(sorted(word.strip() for word in text.split(",")))


def judge(part, typed):
    """Whether an answer is right (None if there is none), and a hint where one is at hand."""
    if typed is None or typed is ... or str(typed).strip() == "":
        return None, ""
    if part.choices:
        return chosen(typed, part.choices) == part.right, ""
    value = read(typed)
    if value is None:
        return False, "This is not a number."

    def off(number):
        return abs(value - number) - 1e-9

    size = abs(value) if part.tolerance > 1e-5 else 0
    if off(part.right) < part.tolerance:
        return True, ""
    if value and off(part.right) < 0.005 and round(value, 2) == value:
        return False, SHORT
    for wrong, hint in part.mistakes:
        if off(wrong) < part.tolerance + size / 50:
            return False, hint
    return False, NEAR if off(part.right) < size / 50 else ""


def listed(choices):
    """The choices in a line; between those that hold a comma stands a semicolon."""
    return ("; " if any("," in one for one in choices) else ", ").join(choices)


class Drill:
    """A question with the numbers of a seed, as a notebook shows it."""

    def __init__(self, name, seed):
        self.name, self.seed = name, seed
        self.question, self.parts = ask(name, seed), parts(name, seed)

    def _repr_markdown_(self):
        asked = [
            f"- `{part.name}`" + (f": {listed(part.choices)}" if part.choices else "")
            for part in self.parts
        ]
        title = f"**{self.question.title}** (numbers {self.seed})"
        return "\n".join([title, "", self.question.text, "Answers to give:", "", *asked])

    __repr__ = _repr_markdown_


def drill(name, seed, answers=None):
    """A question with the numbers of a seed, or a verdict on its answers.

    Parameters
    ----------
    name : str
        A key of `ASKED`.
    seed : int
    answers : dict, default=None
        From names of parts to numbers, fractions as text, or choices. It is printed of each
        whether it is right, with a hint where one is at hand; what is left out, or is ``...``,
        is not done yet.

    Returns
    -------
    Drill or None
        The question, if there are no answers.
    """
    _check_name(name, seed)
    shown = Drill(name, seed)
    if answers is None:
        return shown
    if not isinstance(answers, dict):
        raise TypeError(f"answers must be a dict, got {type(answers).__name__}.")
    names = [part.name for part in shown.parts]
    for given in answers:
        if given not in names:
            raise ValueError(
                f"the drill {name!r} does not ask for {given!r}; it asks for {', '.join(names)}."
            )
    done = 0
    for part in shown.parts:
        right, hint = judge(part, answers.get(part.name))
        done += bool(right)
        verdict = {True: "right", False: "wrong", None: "not done yet"}[right]
        print(f"{part.name}: {verdict}{'. ' * bool(hint)}{hint}")
    print(f"{done} of {len(names)} right.")


def _check_name(name, seed):
    """Raise an error with what there is, if there is no such drill."""
    if name not in ASKED:
        raise ValueError(f"no drill has the name {name!r}; there are {', '.join(ASKED)}.")
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed must be a whole number, 0 or more, got {seed!r}.")
