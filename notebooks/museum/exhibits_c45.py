"""The room of chapter 5: ID3 and C4.5."""

import numpy as np
import pandas as pd
from museum import Exhibit, bars, lines, panels
from sklearn.model_selection import StratifiedKFold, cross_val_score

from treelab import C45Classifier
from treelab.c45 import (
    Leaf,
    LevelTest,
    MultiwayTree,
    Rules,
    Split,
    Training,
    choose,
    deal,
    offers,
    upper_limit,
)
from treelab.c45.gain_ratio import at_boundary
from treelab.c45.pruning import expected
from treelab.drawing.style import COLORS, INK, MARKERS
from treelab.impurity import gain_ratio, split_information


def identity_ratios():
    """Gain ratio of questions that tell nothing but who is who, over their number of branches."""
    y = np.random.default_rng(3).integers(0, 2, 100)
    branches, ratio = np.array([2, 5, 10, 20, 50, 100]), []
    for m in branches:
        table = np.zeros((m, 2))
        np.add.at(table, (np.arange(100) % m, y), 1)
        ratio.append(float(gain_ratio(table)))
    return {"branches": branches, "ratio": np.array(ratio)}


def information_of_three():
    """Split information of questions with 2, 10 and 100 even branches, 100 rows of two classes."""
    y = np.arange(100) // 50
    found = []
    for m in (2, 10, 100):
        table = np.zeros((m, 2))
        np.add.at(table, (np.arange(100) % m, y), 1)
        found.append(float(split_information(table)))
    return np.array(found)


HALF = np.repeat(["u", "v", "u", "v"], [70, 30, 30, 70])
SPLINTER = np.array(["one"] * 2 + ["rest"] * 198)
SIDES = np.repeat(["a", "b"], 100)


def errors_with_splinters():
    """Training errors of one question each: of the splinter, of the halves, and of the tree."""
    X = pd.DataFrame({"splinter": SPLINTER, "half": HALF})
    tree = C45Classifier(pruning=None, collapse=False).fit(X, SIDES).tree_
    first = tree.nodes[0].test.feature
    wrong = tree.sums.sum(axis=1) - tree.sums.max(axis=1)
    below = sum(wrong[c] for c in tree.nodes[0].children)
    return np.array([float(first), below])


def draw_first_question(ax, result):
    """The branches of the question at the root, with their classes."""
    name, column = (("splinter", SPLINTER), ("half", HALF))[int(result[0])]
    levels = sorted(set(column))
    bottom = np.zeros(len(levels))
    for k, label in enumerate("ab"):
        counts = np.array([np.sum((column == level) & (SIDES == label)) for level in levels])
        ax.bar(
            levels, counts, bottom=bottom, width=0.6, color=COLORS[k], edgecolor=INK,
            hatch=("", "////")[k], alpha=0.6, label=f"class {label}",
        )  # fmt: skip
        bottom += counts
    ax.set_xlabel(name)


OUTLOOK = np.array([0.0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, np.nan])  # golf, one unknown


def golf_branches():
    """Weight of the three branches of outlook, one of the fourteen days unknown."""
    dealt = deal(LevelTest(0, 3), OUTLOOK[:, None], np.arange(14), np.ones(14))
    return np.array([weights.sum() for _, weights in dealt])


def light_and_heavy():
    """Weight of two branches of light and of heavy rows, after two unknown rows are dealt."""
    x = np.array([0.0] * 6 + [1.0] * 2 + [np.nan] * 2)
    w = np.array([0.5] * 6 + [3.0] * 2 + [2.0] * 2)
    dealt = deal(LevelTest(0, 2), x[:, None], np.arange(10), w)
    return np.array([weights.sum() for _, weights in dealt])


BRANCHES = bars(["sunny", "overcast", "rain"], "weight")


def gain_with_gaps():
    """Gain of a column that tells the class, as more and more of its values are unknown."""
    y = np.repeat([0, 1], 50)
    unknown = np.arange(0, 100, 10)
    gains = []
    for n in unknown:
        x = y.astype(float)
        x[np.random.default_rng(0).permutation(100)[:n]] = np.nan
        data = Training(x[:, None], y, 2, [2])
        gains.append(offers(data, np.arange(100), np.ones(100), Rules(min_samples_leaf=1))[0].gain)
    return {"unknown": unknown, "gain": np.array(gains)}


def limits():
    """Upper limit of the error rate of a leaf of 20 rows."""
    wrong = np.arange(0, 11)
    return {
        "wrong": wrong,
        "limit": np.array([upper_limit(20, e) for e in wrong]),
        "share": wrong / 20,
    }


def noise_leaves(confidences=(0.05, 0.15, 0.25, 0.4)):
    """Leaves of C4.5 trees on noise, for some confidences."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(120, 3)), rng.choice(["no", "yes"], 120, p=[0.7, 0.3])
    y = np.where(X[:, 0] > 0.8, "yes", y)
    rules = {"mdl_correction": False, "collapse": False}
    return np.array([C45Classifier(confidence=c, **rules).fit(X, y).n_leaves_ for c in confidences])


NUMBER_LINE = np.array([1.0, 1, 2, 3, 3, 4, 5, 5, 6]), np.array([0, 1, 0, 0, 1, 1, 1, 0, 1])


def boundary_cuts():
    """The places between rows where a threshold is worth a look."""
    x, y = NUMBER_LINE
    at = np.flatnonzero(np.diff(x))
    return at_boundary(x, y, at).astype(float)


def draw_cuts(ax, result):
    """The rows on a line, stacked, and the cuts as vertical lines."""
    x, y = NUMBER_LINE
    height = np.array([np.sum(x[:i] == x[i]) for i in range(len(x))])
    for k in range(2):
        ax.plot(x[y == k], height[y == k], MARKERS[k], color=COLORS[k], ms=10, mec=INK)
    for cut, kept in zip(np.arange(1.5, 6), result):
        if kept:
            ax.axvline(cut, color=COLORS[5], ls="--", lw=1.5)
    ax.set(ylim=(-0.7, 1.7), yticks=[])
    ax.spines["left"].set_visible(False)


def answer_ratio():
    """c45-2: the gain ratio, 0 where nothing is split."""
    return lambda branches: float(np.nan_to_num(gain_ratio(branches)))


def answer_quinlan():
    """impurity-6: the choice of C4.5 among nominal columns."""

    def quinlan_choice(X, y):
        labels, codes = np.unique(np.asarray(y), return_inverse=True)
        levels = [sorted(set(X[c])) for c in X]
        table = np.column_stack([np.searchsorted(v, X[c]) for v, c in zip(levels, X)]).astype(float)
        sizes = [len(v) for v in levels]
        many = np.repeat(table, 100, axis=0)  # so that no column has "many" levels
        data = Training(many, np.repeat(codes, 100), len(labels), sizes)
        rules = Rules(min_samples_leaf=1e-3)
        made = offers(data, np.arange(len(y)) * 100, np.ones(len(y)), rules)
        return X.columns[choose(data, made, rules).test.feature]

    return quinlan_choice


def answer_candidates():
    """c45-3: the thresholds worth a look."""

    def candidate_thresholds(x, y):
        order = np.argsort(x, kind="stable")
        x, y = x[order], np.unique(y, return_inverse=True)[1][order]
        at = np.flatnonzero(np.diff(x))
        at = at[at_boundary(x, y, at)] if len(at) else at
        return (x[at] + x[at + 1]) / 2

    return candidate_thresholds


def answer_known_gain():
    """c45-4: the gain of a nominal column, some of its weight unknown."""

    def known_gain(branches, unknown):
        branches = np.asarray(branches, dtype=float)
        m, k = branches.shape
        level, label = (index.ravel() for index in np.indices((m, k)))
        x, y = np.append(level, np.nan), np.append(label, 0)
        w = np.append(branches.ravel(), unknown)
        data = Training(x[:, None], y, k, [m])
        return offers(data, np.arange(len(x)), w, Rules())[0].gain

    return known_gain


def answer_deal():
    """c45-5: the weight of each branch."""

    def deal_unknown(level, weight):
        names = sorted({name for name in level if name is not None})
        x = np.array([np.nan if name is None else names.index(name) for name in level])
        rows = np.arange(len(x))
        dealt = deal(LevelTest(0, len(names)), x[:, None], rows, np.asarray(weight, dtype=float))
        return {name: float(w.sum()) for name, (_, w) in zip(names, dealt)}

    return deal_unknown


def answer_prune():
    """c45-7: leaves after error-based pruning."""

    def prune_by_errors(tree, confidence):
        def visit(node):
            own = expected(np.array(node["counts"], dtype=float), confidence)
            below = [visit(child) for child in node["children"]]
            total = sum(price for price, _ in below)
            if not below or own <= total:
                return own, 1
            return total, sum(n for _, n in below)

        return visit(tree)[1]

    return prune_by_errors


def answer_errors():
    """c45-9: the cross-validated error of each confidence."""

    def error_of(confidences, X, y):
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        return {
            c: 1 - cross_val_score(C45Classifier(confidence=c), X, y, cv=folds).mean()
            for c in confidences
        }

    return error_of


CHANNEL, URGENT = np.array([0, 0, 1, 1, 2, 2, np.nan]), np.array([0, 1, 0, 1, 0, 1, 0])
TICKETS = np.array([1.0, 3, 2, 0, 1, 1, 2])  # by mail, by phone, in the chat, and without a channel


def answer_offer():
    """hw2-3: gain, split information and gain ratio of the channels."""
    data = Training(CHANNEL[:, None], URGENT, 2, [3])
    offer = offers(data, np.arange(7), TICKETS, Rules())[0]
    return [offer.gain, offer.split_information, offer.ratio]


def answer_dealt():
    """hw2-4: the classes of the three channels after the unknown tickets were dealt."""
    dealt = deal(LevelTest(0, 3), CHANNEL[:, None], np.arange(7), TICKETS)
    return [np.bincount(URGENT[rows], w, 2).tolist() for rows, w in dealt]


def answer_class_shares():
    """hw2-8: the class shares of a row in a tree of nested dictionaries."""

    def class_shares(tree, row):
        names, nodes, levels = list(row), [], {}

        def add(node):
            t, sums = len(nodes), np.array(node["counts"])
            nodes.append(Leaf(sums))
            if "feature" in node:
                j = names.index(node["feature"])
                levels[t] = list(node["branches"])
                children = tuple(add(child) for child in node["branches"].values())
                nodes[t] = Split(sums, LevelTest(j, len(children)), children, 0.0, 0.0)
            return t

        add(tree)
        grown = MultiwayTree(tuple(nodes))
        code = {j: {} for j in range(len(names))}
        for t, found in levels.items():
            code[nodes[t].test.feature] |= {level: b for b, level in enumerate(found)}
        x = [np.nan if row[n] is None else code[j][row[n]] for j, n in enumerate(names)]
        sums = grown.answer_sums
        return grown.answers(np.array([x]), sums / sums.sum(axis=1, keepdims=True))[0]

    return class_shares


EXHIBITS = [
    Exhibit(
        id="m-no-ratio",
        title="A ratio without its denominator",
        room=5,
        origin="student",
        target="treelab.impurity:gain_ratio",
        before="return np.divide(gain, cost, out=np.full_like(cost, np.nan), where=cost > 0)",
        after="return np.where(cost > 0, gain, np.nan)",
        story=(
            "The gain was computed, the split information was computed, and the gain was "
            "returned. On questions with two even branches the split information is 1, and "
            "nothing is to be seen. A question with a hundred branches wins everything."
        ),
        notice=(
            "Add a column of row numbers. The gain ratio makes it unattractive; if the tree "
            "asks for it, the ratio is missing."
        ),
        sign=identity_ratios,
        picture=lines("branches", {"ratio": ""}, "branches", "gain ratio", marker="o"),
        caption=(
            "Questions that only number the rows, from 2 to 100 branches. The gain ratio stays "
            "low. Without the division a name for each row is perfect."
        ),
        alt=("Left: a curve that rises from 0 to 0.15. Right: a curve that rises from 0 to 1."),
        caught_by=(("c45-2", answer_ratio, "divide it by the split information"),),
    ),
    Exhibit(
        id="m-information-of-classes",
        title="The information of the wrong side",
        room=5,
        origin="student",
        target="treelab.impurity:split_information",
        before="entropy(as_branches(table).sum(axis=-1))",
        after="entropy(as_branches(table).sum(axis=-2))",
        story=(
            "The split information is the entropy of the branch sizes. Summed over the other "
            "axis of the same table it is the entropy of the classes, which is the same for "
            "every question: the division changes no ranking."
        ),
        notice=(
            "Two questions with 2 and with 100 branches must have different split information, "
            "1 bit and 6.6 bits if their branches are even."
        ),
        sign=information_of_three,
        picture=bars(["2", "10", "100"], "split information", digits=1, xlabel="branches"),
        caption=(
            "The split information of questions with 2, 10 and 100 even branches, in bits. With "
            "the fault all are alike, so that many branches cost nothing."
        ),
        alt="Left: bars of 1.0, 3.3 and 6.6. Right: three bars of 1.0.",
        caught_by=(("c45-2", answer_ratio, "entropy of the classes"),),
    ),
    Exhibit(
        id="m-no-average-gain",
        title="The splinter wins",
        room=5,
        origin="student",
        target="treelab.c45.gain_ratio:gain_bar",
        before='if rules.criterion != "gain_ratio" or not rules.average_gain:',
        after="if True:",
        story=(
            "The largest gain ratio was taken, without the condition that the gain must be at "
            "least average. A question that splits off two rows of two hundred has next to no "
            "gain, but its split information is smaller still: a small number divided by a tiny "
            "one."
        ),
        notice=(
            "Look at the root. If it splits off a handful of rows and the rest looks as before, "
            "the condition is missing."
        ),
        sign=errors_with_splinters,
        picture=panels(draw_first_question, "", "rows", share="y", legend=True),
        caption=(
            "The question at the root, its branches and their classes. With the fault it splits "
            "off two rows and learns nothing about the others."
        ),
        alt=(
            "Left: two bars of 100 rows, one with 70 of class a, one with 70 of class b. Right: "
            "a bar of 2 rows beside one of 198 with both classes in even parts."
        ),
        caught_by=(("impurity-6", answer_quinlan, "below the average"),),
    ),
    Exhibit(
        id="m-gaps-lost",
        title="Rows with gaps fall out",
        room=5,
        origin="student",
        target="treelab.c45.splits:deal",
        before="if not len(unknown):",
        after="if True:",
        story=(
            "A row whose value is unknown has no branch, so it was dropped. With one gap in a "
            "hundred values and ten questions on the way, every tenth row is gone before it "
            "reaches a leaf."
        ),
        notice="The weights of the branches add up to the weight of the node. Add them.",
        sign=golf_branches,
        picture=BRANCHES,
        caption=(
            "Fourteen days of golf by outlook, one of them unknown. The branches must weigh 14 "
            "together; with the fault they weigh 13."
        ),
        alt="Left: bars of 5.38, 3.23 and 5.38. Right: bars of 5, 3 and 5.",
        caught_by=(
            ("c45-5", answer_deal, "the unknown row is lost"),
            ("hw2-4", answer_dealt, "are missing"),
            ("hw2-8", answer_class_shares, "the shares add up to 1"),
        ),
    ),
    Exhibit(
        id="m-gaps-copied",
        title="One row in every branch",
        room=5,
        origin="student",
        target="treelab.c45.splits:deal",
        before="s * weights[unknown]",
        after="weights[unknown]",
        story=(
            "A row of unknown value goes down every branch: this was remembered, and that it "
            "goes with a share of its weight was not. The row is multiplied at each question, "
            "and rows with many gaps end up deciding."
        ),
        notice=(
            "The weights of all leaves add up to the number of rows. A tree on 14 rows that "
            "weighs 16 has made some up."
        ),
        sign=golf_branches,
        picture=BRANCHES,
        caption=(
            "The same fourteen days. With the fault the unknown one counts three times, and the "
            "branches weigh 16."
        ),
        alt="Left: bars of 5.38, 3.23 and 5.38. Right: bars of 6, 4 and 6.",
        caught_by=(
            ("c45-5", answer_deal, "the shares sum to 1"),
            ("hw2-4", answer_dealt, "whole tickets in every branch"),
            ("hw2-8", answer_class_shares, "the shares add up to 1"),
        ),
    ),
    Exhibit(
        id="m-shares-of-rows",
        title="Shares of rows where weights are meant",
        room=5,
        origin="student",
        target="treelab.c45.splits:deal",
        before="shares_of(np.array([weights[here].sum() for here in known]))",
        after="shares_of(np.array([float(len(here)) for here in known]))",
        story=(
            "An unknown row is dealt in proportion to the branches. At the root all rows weigh "
            "1 and counting them is the same. Further down rows have been dealt before, "
            "fractions sit in the node, and a count takes each for a whole row."
        ),
        notice=(
            "Give half of the rows twice the weight, or have them in the data twice: the tree "
            "must be the same."
        ),
        sign=light_and_heavy,
        picture=bars(["light rows", "heavy rows"], "weight"),
        caption=(
            "Six rows of weight 0.5 and two of weight 3, and two unknown rows of weight 2 to "
            "deal. The heavy branch must get twice as much of them as the light one; with the "
            "fault it gets a third as much."
        ),
        alt="Left: bars of 4.33 and 8.67. Right: bars of 6 and 7.",
        caught_by=(("c45-5", answer_deal, "not of the number of rows"),),
    ),
    Exhibit(
        id="m-gain-of-the-known",
        title="The less is known, the better",
        room=5,
        origin="student",
        target="treelab.c45.gain_ratio:offer_levels",
        before="gain = (known * entropy(of_feature(sums)) - of_feature(size * entropy(sums))) / W",
        after=(
            "gain = known * entropy(of_feature(sums)) - of_feature(size * entropy(sums))\n"
            "    gain = gain / np.maximum(known, 1e-300)"
        ),
        story=(
            "The gain was computed on the rows whose value is known, and not multiplied by the "
            "known share. A column with three values and 97 gaps competes as if it had a "
            "hundred."
        ),
        notice=(
            "Delete values of a good column at random. Its gain must fall, in proportion; here "
            "it stays."
        ),
        sign=gain_with_gaps,
        picture=lines("unknown", {"gain": ""}, "unknown values, of 100", "gain (bits)", marker="o"),
        caption=(
            "The gain of a column that tells the class, as its values are deleted at random. With "
            "the fault it is worth nearly as much with ten values as with a hundred."
        ),
        alt="Left: a line that falls evenly from 1 to 0.1. Right: a line that stays at about 1.",
        caught_by=(
            ("c45-4", answer_known_gain, "known share, 13/14, only"),
            ("hw2-3", answer_offer, "count 8/10 of the gain"),
        ),
    ),
    Exhibit(
        id="m-two-sided",
        title="A quarter on each side or in all",
        room=5,
        origin="student",
        target="treelab.c45.pruning:_predicted",
        before="z = ndtri(1 - CF)",
        after="z = ndtri(1 - CF / 2)",
        story=(
            "Confidence intervals are mostly two-sided, and so half of the 0.25 was put on each "
            "side. Quinlan's limit is one-sided: only an error rate *above* it is a danger. The "
            "limit comes out too high, and pruning is harsher than asked for."
        ),
        notice=(
            "At the confidence 0.5 a one-sided limit is hardly above the observed rate: half the "
            "chance lies on either side of it. Try it."
        ),
        sign=limits,
        picture=lines(
            "wrong",
            {"limit": "upper limit", "share": "errors / 20"},
            "errors of 20 rows",
            "error rate",
        ),
        caption=(
            "The error rate to expect of a leaf with 20 rows, and the rate on those rows. "
            "Two-sided, the limit lies further above."
        ),
        alt=(
            "Two panels with a dashed straight line and a curve above it. In the right panel "
            "the curve is higher."
        ),
    ),
    Exhibit(
        id="m-training-errors",
        title="The optimist's pruning",
        room=5,
        origin="student",
        target="treelab.c45.pruning:expected",
        before="return float(_predicted(N, wrong, float(np.float32(confidence))))",
        after="return wrong",
        story=(
            "A node was compared with its subtree by the errors on the training rows. There a "
            "subtree is never worse than its root, so nearly everything stays: the whole point "
            "of the confidence limit is that a leaf of two rows without an error is no proof."
        ),
        notice=(
            "Change the confidence. If the tree does not change with it, pruning does not use it."
        ),
        sign=noise_leaves,
        picture=bars(["0.05", "0.15", "0.25", "0.4"], "leaves", digits=0, xlabel="confidence"),
        caption=(
            "Leaves of C4.5 trees on data that are mostly noise. The smaller the confidence, "
            "the smaller the tree; with the fault all are of one size."
        ),
        alt="Left: bars that rise with the confidence. Right: four bars of the same great height.",
        caught_by=(("c45-7", answer_prune, "errors on the training rows"),),
    ),
    Exhibit(
        id="m-boundary-of-one-class",
        title="A value has more than one class",
        room=5,
        origin="student",
        target="treelab.c45.gain_ratio:at_boundary",
        before="return low != np.maximum(highest[group], highest[group + 1])",
        after="return lowest[group] != lowest[group + 1]",
        story=(
            "Only cuts between values of different classes are worth a look, so one class for "
            "each value was compared with its neighbor's. But rows of equal value may have "
            "different classes; then the cut on either side of them counts, and here it is "
            "missed."
        ),
        notice=(
            "Run the search with all cuts and with the boundary cuts only: the best gain must "
            "be the same."
        ),
        sign=boundary_cuts,
        picture=panels(draw_cuts, "x"),
        caption=(
            "Nine rows of two classes on six values, and the cuts worth a look. With the fault "
            "cuts beside mixed values are missing."
        ),
        alt=(
            "Circles and squares over the numbers 1 to 6; dashed lines mark the cuts. Left: all "
            "five places have a line. Right: only some have."
        ),
        caught_by=(("c45-3", answer_candidates, "holds both classes"),),
    ),
    Exhibit(
        id="m-confidence-ignored",
        title="A parameter that goes nowhere",
        room=5,
        origin="student",
        target="treelab.c45.estimators:C45Classifier.fit",
        before="error_based_pruning(tree, cases, self.confidence, self.subtree_raising)",
        after="error_based_pruning(tree, cases)",
        story=(
            "The estimator stores its parameter and calls the function that needs it, without "
            "handing it on. The function has a default of its own, so there is no error, and a "
            "search over the parameter finds that it does not matter."
        ),
        notice=("Set every parameter to an extreme value and see that something changes."),
        sign=noise_leaves,
        picture=bars(["0.05", "0.15", "0.25", "0.4"], "leaves", digits=0, xlabel="confidence"),
        caption=(
            "Leaves of C4.5 trees for four confidences. With the fault each is the tree of the "
            "default, 0.25."
        ),
        alt="Left: bars that rise with the confidence. Right: four bars of the same height.",
        caught_by=(("c45-9", answer_errors, "all errors are that of the default"),),
    ),
]
