"""The room of chapter 5: ID3 and C4.5."""

from itertools import pairwise

import numpy as np
import pandas as pd
from museum import COLORS, INK, MARKERS, Exhibit, bars, lines, panels
from scipy.special import ndtri

from treelab import C45Classifier
from treelab.fast.c45 import gain_table, upper_limit
from treelab.fast.impurity import entropy, gain_ratio, information_gain, split_information

# --- the code on show -------------------------------------------------------------------


def cost(table):
    """Split information: bits that it takes to name the branch of a case."""
    return float(entropy(table.sum(axis=1)))


def ratio(table):
    """Gain ratio of a table of branches by classes, 0 where nothing is split."""
    gain = float(information_gain(table))
    return gain / cost(table) if cost(table) > 0 else 0.0


def choose(gains, ratios):
    """The question of the largest ratio among those of at least the average gain."""
    allowed = gains >= gains.mean() - 1e-12
    return int(np.argmax(np.where(allowed, ratios, -1)))


def deal(branch, weight, m):
    """Weight of each row in m branches; a row whose branch is unknown, -1, goes down all."""
    dealt = np.array([np.where(branch == k, weight, 0.0) for k in range(m)])
    share = dealt.sum(axis=1) / dealt.sum()
    dealt[:, branch < 0] = share[:, None] * weight[branch < 0]
    return dealt


def known_gain(table, unknown):
    """Gain of a question that some of the weight cannot answer."""
    known = np.sum(table)
    return known / (known + unknown) * float(information_gain(table)) if known else 0.0


def limit(n, wrong, confidence=0.25):
    """Upper end of a confidence interval for the error rate of a leaf."""
    if wrong < 1:
        none = 1 - confidence ** (1 / n)
        return none + wrong * (limit(n, 1, confidence) - none) if wrong else none
    if wrong + 0.5 >= n:
        return 1.0
    z, f = ndtri(1 - confidence), (wrong + 0.5) / n
    half = z * np.sqrt(f / n - f**2 / n + (z / n / 2) ** 2)
    return (f + z**2 / n / 2 + half) / (1 + z**2 / n)


def expected_errors(counts, confidence):
    """Errors to expect among as many new cases in a leaf."""
    n, wrong = counts.sum(), counts.sum() - counts.max()
    return n * limit(n, wrong, confidence) if n else 0.0


def boundaries(x, y):
    """Thresholds between values that do not both hold one and the same class."""
    found = []
    for a, b in pairwise(np.unique(x)):
        if len({*y[x == a], *y[x == b]}) > 1:
            found.append((a + b) / 2)
    return np.array(found)


def model(confidence, **rules):
    """C4.5 with this confidence."""
    return C45Classifier(confidence=confidence, **rules)


# --- signs ------------------------------------------------------------------------------


def table_of(branch, y):
    """Number of cases of each class in each branch."""
    return pd.crosstab(np.asarray(branch), np.asarray(y)).to_numpy()


BRANCHES_OF_IDENTITY = np.array([2, 5, 10, 20, 50, 100])


def identity_ratios(ratio=ratio):
    """Gain ratio of questions that tell nothing but who is who, over their number of branches."""
    y = np.random.default_rng(3).integers(0, 2, 100)
    found = [float(ratio(table_of(np.arange(100) % m, y))) for m in BRANCHES_OF_IDENTITY]
    return {"branches": BRANCHES_OF_IDENTITY, "ratio": np.array(found)}


def information_of_three(cost=cost):
    """Split information of questions with 2, 10 and 100 even branches, 100 rows of two classes."""
    y = np.arange(100) // 50
    return np.array([float(cost(table_of(np.arange(100) % m, y))) for m in (2, 10, 100)])


HALF = np.repeat(["u", "v", "u", "v"], [70, 30, 30, 70])
SPLINTER = np.array(["one"] * 2 + ["rest"] * 198)
SIDES = np.repeat(["a", "b"], 100)


def errors_with_splinters():
    """The chosen question, that of the splinter or that of the halves, and the errors below it."""
    tables = [table_of(column, SIDES) for column in (SPLINTER, HALF)]
    gains = np.array([float(information_gain(table)) for table in tables])
    first = choose(gains, np.array([float(gain_ratio(table)) for table in tables]))
    return np.array([first, (tables[first].sum(axis=1) - tables[first].max(axis=1)).sum()], float)


def splinters_agree():
    """The question and its errors, by the code on show and by treelab."""
    X = pd.DataFrame({"splinter": SPLINTER, "half": HALF})
    table = gain_table(X, SIDES, estimator=C45Classifier())
    first = int(np.flatnonzero(table["verdict"] == "chosen")[0])
    wrong = np.minimum(*table_of(X.iloc[:, first], SIDES).T).sum()
    return errors_with_splinters(), np.array([first, wrong], dtype=float)


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


OUTLOOK = np.repeat([0, 1, 2, -1], [5, 3, 5, 1])  # golf, one unknown
HOURS = np.repeat([0, 1, -1], [6, 2, 2])
LIGHT_AND_HEAVY = np.repeat([0.5, 3.0, 2.0], [6, 2, 2])


def golf_branches():
    """Weight of the three branches of outlook, one of the fourteen days unknown."""
    return deal(OUTLOOK, np.ones(14), 3).sum(axis=1)


def light_and_heavy():
    """Weight of two branches of light and of heavy rows, after two unknown rows are dealt."""
    return deal(HOURS, LIGHT_AND_HEAVY, 2).sum(axis=1)


def dealt_by_treelab(branch, weight):
    """Weight of the children of the root, by treelab."""
    levels = pd.Categorical.from_codes(branch, list("abc")[: branch.max() + 1])
    model = C45Classifier(pruning=None, collapse=False, min_samples_leaf=0.5)
    tree = model.fit(pd.DataFrame({"x": levels}), branch > 0, sample_weight=weight).tree_
    return tree.sums[list(tree.nodes[0].children)].sum(axis=1)


BRANCHES = bars(["sunny", "\novercast", "rain"], "weight")
UNKNOWN = np.arange(0, 100, 10)


def with_gaps(n):
    """A column that tells the class of 100 rows, n of its values unknown."""
    x = np.repeat([0.0, 1.0], 50)
    x[np.random.default_rng(0).permutation(100)[:n]] = np.nan
    return x


def gain_with_gaps():
    """Gain of a column that tells the class, as more and more of its values are unknown."""
    gains = []
    for n in UNKNOWN:
        x = with_gaps(n)
        gains.append(known_gain(np.diag([np.sum(x == 0), np.sum(x == 1)]), n))
    return {"unknown": UNKNOWN, "gain": np.array(gains)}


def gaps_agree():
    """The gains with gaps, by the code on show and by treelab."""
    y, gains = np.repeat(["a", "b"], 50), []
    for n in UNKNOWN:
        levels = pd.Categorical(np.where(np.isnan(with_gaps(n)), None, with_gaps(n)))
        gains.append(gain_table(pd.DataFrame({"x": levels}), y)["gain"].iloc[0])
    return gain_with_gaps()["gain"], np.array(gains)


WRONG = np.arange(0, 11)


def limits(limit=limit):
    """Upper limit of the error rate of a leaf of 20 rows."""
    return {"wrong": WRONG, "limit": np.array([limit(20, e) for e in WRONG]), "share": WRONG / 20}


CONFIDENCES = (0.05, 0.15, 0.25, 0.4)


def noise():
    """A class that hardly depends on three features."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(120, 3)), rng.choice(["no", "yes"], 120, p=[0.7, 0.3])
    return X, np.where(X[:, 0] > 0.8, "yes", y)


def confident_leaves(model=model):
    """Leaves of C4.5 trees on noise, for some confidences."""
    rules = {"mdl_correction": False, "collapse": False}
    return np.array([model(c, **rules).fit(*noise()).n_leaves_ for c in CONFIDENCES])


def nested(tree, t=0):
    """The subtree at a node of treelab as counts and children."""
    children = getattr(tree.nodes[t], "children", ())
    return {"counts": tree.sums[t], "children": [nested(tree, child) for child in children]}


def pruned(node, confidence, margin=0.0):
    """Expected errors and leaves of a subtree after error-based pruning."""
    as_leaf = expected_errors(np.array(node["counts"], dtype=float), confidence)
    below = [pruned(child, confidence, margin) for child in node["children"]]
    total = sum(errors for errors, _ in below)
    if not below or as_leaf <= total + margin:
        return as_leaf, 1
    return total, sum(n for _, n in below)


RULES = {"mdl_correction": False, "collapse": False, "subtree_raising": False}


def noise_leaves():
    """Leaves of C4.5 trees on noise, for some confidences, pruned by the code on show."""
    grown = nested(C45Classifier(pruning=None, **RULES).fit(*noise()).tree_)
    return np.array([pruned(grown, c, margin=0.1)[1] for c in CONFIDENCES])


def leaves_agree():
    """The same, and treelab's own leaves."""
    own = [C45Classifier(confidence=c, **RULES).fit(*noise()).n_leaves_ for c in CONFIDENCES]
    return noise_leaves(), np.array(own)


NUMBER_LINE = np.array([1.0, 1, 2, 3, 3, 4, 5, 5, 6]), np.array([0, 1, 0, 0, 1, 1, 1, 0, 1])
PLACES = np.arange(1.5, 6)


def boundary_cuts():
    """The places between rows where a threshold is worth a look."""
    return np.isin(PLACES, boundaries(*NUMBER_LINE)).astype(float)


def boundaries_agree():
    """The thresholds, and those that treelab looks at."""
    x, y = NUMBER_LINE
    table = gain_table(x[:, None], y, estimator=C45Classifier(min_samples_leaf=1))
    return boundaries(x, y), table["threshold"].to_numpy() + 0.5  # C4.5 names the lower value


def draw_cuts(ax, result):
    """The rows on a line, stacked, and the cuts as vertical lines."""
    x, y = NUMBER_LINE
    height = np.array([np.sum(x[:i] == x[i]) for i in range(len(x))])
    for k in range(2):
        ax.plot(x[y == k], height[y == k], MARKERS[k], color=COLORS[k], ms=10, mec=INK)
    for cut, kept in zip(PLACES, result):
        if kept:
            ax.axvline(cut, color=COLORS[5], ls="--", lw=1.5)
    ax.set(ylim=(-0.7, 1.7), yticks=[])
    ax.spines["left"].set_visible(False)


# --- answers to exercises ---------------------------------------------------------------


def answer_column():
    """c45-4: gain, gain ratio and weights of the branches of a column with gaps."""

    def offer_of(level, y, w):
        names, classes = sorted({name for name in level if name is not None}), sorted(set(y))
        branch = np.array([-1 if name is None else names.index(name) for name in level])
        table, w = np.zeros((len(names) + 1, len(classes))), np.asarray(w, dtype=float)
        np.add.at(table, (branch, [classes.index(k) for k in y]), w)  # the unknown come last
        unknown, dealt = table[-1].sum(), deal(branch, w, len(names)).sum(axis=1)
        gain, bits = known_gain(table[:-1], unknown), cost(table)
        per_bit = (gain / bits if bits else 0.0) if unknown else ratio(table)
        return gain, per_bit, dict(zip(names, dealt.tolist()))

    return offer_of


def answer_candidates():
    """c45-3: the thresholds worth a look."""
    return lambda x, y: boundaries(np.asarray(x), np.asarray(y))


def answer_prune():
    """c45-5: leaves after error-based pruning."""
    return lambda tree, confidence: pruned(tree, confidence)[1]


CHANNEL, URGENT = np.array([0, 0, 1, 1, 2, 2, -1]), np.array([0, 1, 0, 1, 0, 1, 0])
TICKETS = np.array([1.0, 3, 2, 0, 1, 1, 2])  # by mail, by phone, in the chat, and without a channel


def answer_offer():
    """hw2-3: gain, split information and gain ratio of the channels."""
    known = TICKETS[:6].reshape(3, 2)
    gain, bits = known_gain(known, 2), float(entropy([*known.sum(axis=1), 2]))
    return [gain, bits, gain / bits]


def answer_dealt():
    """hw2-4: the classes of the three channels after the unknown tickets were dealt."""
    return [np.bincount(URGENT, w, 2).tolist() for w in deal(CHANNEL, TICKETS, 3)]


def answer_class_shares():
    """hw2-8: the class shares of a row in a tree of nested dictionaries."""

    def class_shares(tree, row):
        counts = np.array(tree["counts"], dtype=float)
        if "feature" not in tree:
            return counts / counts.sum()
        level, below = row[tree["feature"]], tree["branches"]
        sizes = [float(np.sum(child["counts"])) for child in below.values()]
        at = list(below).index(level) if level in below else -1
        branch, weight = np.append(np.arange(len(below)), at), np.append(sizes, 1.0)
        went = deal(branch, weight, len(below))[:, -1]
        parts = [
            w * class_shares(child, row) if np.sum(child["counts"]) else w * counts / counts.sum()
            for w, child in zip(went, below.values())
        ]
        return np.sum(parts, axis=0)

    return class_shares


EXHIBITS = [
    Exhibit(
        id="m-no-ratio",
        title="A ratio without its denominator",
        room=5,
        origin="student",
        code=ratio,
        before="gain / cost(table) if",
        after="gain if",
        public="treelab.fast.impurity.gain_ratio",
        agrees=lambda: (identity_ratios(), identity_ratios(gain_ratio)),
        story=(
            "The gain and the split information were both computed, but then the gain was "
            "returned. For splits with two equally large branches the split information is "
            "1, so the fault is invisible. A split with a hundred branches, however, beats "
            "all others."
        ),
        notice=(
            "Add a feature that only numbers the rows. The gain ratio makes it "
            "unattractive, so if the tree splits on it, the division is missing."
        ),
        sign=identity_ratios,
        picture=lines("branches", {"ratio": ""}, "branches", "gain ratio", marker="o"),
        caption=(
            "Splits that only number the rows, with 2 to 100 branches. The gain ratio stays "
            "low. Without the division, a branch for each row seems to be perfect."
        ),
        alt="On the left, a curve rises from 0 to 0.15. On the right, it rises from 0 to 1.",
        caught_by=(("c45-4", answer_column, "divide it by the split information"),),
    ),
    Exhibit(
        id="m-information-of-classes",
        title="The information of the wrong side",
        room=5,
        origin="student",
        code=cost,
        before="table.sum(axis=1)",
        after="table.sum(axis=0)",
        public="treelab.fast.impurity.split_information",
        agrees=lambda: (information_of_three(), information_of_three(split_information)),
        story=(
            "The split information is the entropy of the branch sizes. If the same table is "
            "summed over its other axis, the result is the entropy of the classes, which is "
            "the same for every split, so the division does not change any ranking."
        ),
        notice=(
            "Two splits with 2 and with 100 branches must have different split information, "
            "namely 1 bit and 6.6 bits if their branches are equally large."
        ),
        sign=information_of_three,
        picture=bars(["2", "10", "100"], "split information", digits=1, xlabel="branches"),
        caption=(
            "The split information of splits with 2, 10 and 100 equally large branches, in "
            "bits. With the fault, all three values are the same, so many branches are not "
            "penalized."
        ),
        alt=(
            "On the left, the bars have the heights 1.0, 3.3 and 6.6. On the right, all three "
            "have the height 1.0."
        ),
        caught_by=(("c45-4", answer_column, "entropy of the classes"),),
    ),
    Exhibit(
        id="m-no-average-gain",
        title="The splinter wins",
        room=5,
        origin="student",
        code=choose,
        before="gains >= gains.mean() - 1e-12",
        after="np.full(len(gains), True)",
        public="treelab.fast.c45.gain_table",
        agrees=splinters_agree,
        story=(
            "The split with the largest gain ratio was chosen, without the condition that "
            "its gain must be at least average. A split that separates two rows from two "
            "hundred has hardly any gain, but it also has hardly any split information, and "
            "the ratio of two tiny numbers can be large."
        ),
        notice=(
            "Look at the root. If it splits off a handful of rows and the remaining rows "
            "look as before, the condition is missing."
        ),
        sign=errors_with_splinters,
        picture=panels(draw_first_question, "", "rows", share="y", legend=True),
        caption=(
            "The split at the root, its branches and their classes. With the fault, it "
            "separates two rows and learns nothing about the others."
        ),
        alt=(
            "On the left, there are two bars of 100 rows, one with 70 rows of class a and one "
            "with 70 of class b. On the right, a bar of 2 rows stands beside one of 198, in "
            "which both classes are about equally frequent."
        ),
    ),
    Exhibit(
        id="m-gaps-lost",
        title="Rows with missing values fall out",
        room=5,
        origin="student",
        code=deal,
        before="dealt[:, branch < 0] = share[:, None] * weight[branch < 0]",
        after="pass",
        public="treelab.C45Classifier",
        agrees=lambda: (golf_branches(), dealt_by_treelab(OUTLOOK, np.ones(14))),
        story=(
            "A row with a missing value belongs to no branch, so it was dropped. If one "
            "value in a hundred is missing and a path has ten splits, every tenth row is "
            "lost before it reaches a leaf."
        ),
        notice=(
            "The weights of the branches must add up to the weight of the node, so add them up."
        ),
        sign=golf_branches,
        picture=BRANCHES,
        caption=(
            "Fourteen days of golf by outlook, one of which has a missing value. Together "
            "the branches must weigh 14, but with the fault they weigh 13."
        ),
        alt=(
            "On the left, the bars have the heights 5.38, 3.23 and 5.38. On the right, they "
            "have the heights 5, 3 and 5."
        ),
        caught_by=(
            ("c45-4", answer_column, "the unknown row is lost"),
            ("hw2-4", answer_dealt, "are missing"),
            ("hw2-8", answer_class_shares, "proportions add up to 1"),
        ),
    ),
    Exhibit(
        id="m-gaps-copied",
        title="One row in every branch",
        room=5,
        origin="student",
        code=deal,
        before="share[:, None] * weight[branch < 0]",
        after="weight[branch < 0]",
        public="treelab.C45Classifier",
        agrees=lambda: (golf_branches(), dealt_by_treelab(OUTLOOK, np.ones(14))),
        story=(
            "A row with a missing value is sent down every branch, but it should carry only "
            "a fraction of its weight into each of them, which was forgotten. The row is "
            "multiplied at each split, and rows with many missing values end up dominating "
            "the tree."
        ),
        notice=(
            "The weights of all leaves must add up to the number of rows. If a tree on 14 "
            "rows has a total weight of 16, some of this weight was made up."
        ),
        sign=golf_branches,
        picture=BRANCHES,
        caption=(
            "The same fourteen days. With the fault, the day with the missing value counts "
            "three times, and the branches weigh 16."
        ),
        alt=(
            "On the left, the bars have the heights 5.38, 3.23 and 5.38. On the right, they "
            "have the heights 6, 4 and 6."
        ),
        caught_by=(
            ("c45-4", answer_column, "the fractions sum to 1"),
            ("hw2-4", answer_dealt, "whole tickets in every branch"),
            ("hw2-8", answer_class_shares, "proportions add up to 1"),
        ),
    ),
    Exhibit(
        id="m-shares-of-rows",
        title="Proportions of rows instead of weights",
        room=5,
        origin="student",
        code=deal,
        before="dealt.sum(axis=1) / dealt.sum()",
        after="np.count_nonzero(dealt, axis=1) / np.count_nonzero(dealt)",
        public="treelab.C45Classifier",
        agrees=lambda: (light_and_heavy(), dealt_by_treelab(HOURS, LIGHT_AND_HEAVY)),
        story=(
            "A row with a missing value is distributed in proportion to the sizes of the "
            "branches. At the root all rows have a weight of 1, so it makes no difference "
            "whether we count or weigh them. Further down, however, the node contains "
            "fractions of rows that were distributed before, and counting treats each "
            "fraction as a whole row."
        ),
        notice=(
            "Give half of the rows twice the weight, or include them twice in the data. The "
            "tree must be the same in both cases."
        ),
        sign=light_and_heavy,
        picture=bars(["light rows", "heavy rows"], "weight"),
        caption=(
            "Six rows of weight 0.5 and two of weight 3, and two rows of weight 2 with "
            "missing values that have to be distributed. The heavy branch must receive "
            "twice as much of them as the light one, but with the fault it receives a third "
            "as much."
        ),
        alt=(
            "On the left, the bars have the heights 4.33 and 8.67. On the right, they have the "
            "heights 6 and 7."
        ),
        caught_by=(("c45-4", answer_column, "not of the number of rows"),),
    ),
    Exhibit(
        id="m-gain-of-the-known",
        title="The fewer values are known, the better",
        room=5,
        origin="student",
        code=known_gain,
        before="known / (known + unknown) * float(",
        after="float(",
        public="treelab.fast.c45.gain_table",
        agrees=gaps_agree,
        story=(
            "The gain was computed on the rows whose value is known, but it was not "
            "multiplied by the proportion of these rows. A feature with three values and 97 "
            "missing ones then competes as if it had a hundred values."
        ),
        notice=(
            "Delete values of a good feature at random. Its gain must decrease in "
            "proportion, but with the fault it stays the same."
        ),
        sign=gain_with_gaps,
        picture=lines("unknown", {"gain": ""}, "unknown, of 100", "gain (bits)", marker="o"),
        caption=(
            "The gain of a feature that determines the class, as its values are deleted at "
            "random. With the fault, it is nearly as large with ten values as with a "
            "hundred."
        ),
        alt=(
            "On the left, a line falls evenly from 1 to 0.1. On the right, it stays at about 1 "
            "for a long time and ends just below 0.9."
        ),
        caught_by=(
            ("c45-4", answer_column, "known fraction, 13/14, only"),
            ("hw2-3", answer_offer, "count 8/10 of the gain"),
        ),
    ),
    Exhibit(
        id="m-two-sided",
        title="A quarter on each side or in all",
        room=5,
        origin="student",
        code=limit,
        before="ndtri(1 - confidence)",
        after="ndtri(1 - confidence / 2)",
        public="treelab.fast.c45.upper_limit",
        agrees=lambda: (limits(), limits(upper_limit)),
        story=(
            "Confidence intervals are usually two-sided, so half of the 0.25 was assigned "
            "to each side. However, Quinlan's limit is one-sided, because only an error "
            "rate *above* it matters. With the fault the limit is too high, and more is "
            "pruned than intended."
        ),
        notice=(
            "At a confidence of 0.5, a one-sided limit is hardly above the observed rate, "
            "because half of the probability lies on either side of it. Test your function "
            "with this value."
        ),
        sign=limits,
        picture=lines(
            "wrong",
            {"limit": "upper limit", "share": "errors / 20"},
            "errors of 20 rows",
            "error rate",
        ),
        caption=(
            "The upper limit of the error rate of a leaf with 20 rows, and the rate on "
            "those rows. If it is computed as two-sided, the limit is too high."
        ),
        alt=(
            "Both panels show a dashed straight line and a curve above it. On the right, the "
            "curve is higher."
        ),
    ),
    Exhibit(
        id="m-training-errors",
        title="Pruning by training errors",
        room=5,
        origin="student",
        code=expected_errors,
        before="n * limit(n, wrong, confidence)",
        after="wrong",
        public="treelab.C45Classifier",
        agrees=leaves_agree,
        story=(
            "A node was compared with its subtree by the errors on the training rows. On "
            "these rows a subtree is never worse than its root, so nearly everything is "
            "kept. The purpose of the confidence limit is precisely that a leaf with two "
            "rows and no error proves very little."
        ),
        notice=(
            "Change the confidence. If the tree does not change with it, pruning does not use it."
        ),
        sign=noise_leaves,
        picture=bars(["0.05", "0.15", "0.25", "0.4"], "leaves", digits=0, xlabel="confidence"),
        caption=(
            "Numbers of leaves of C4.5 trees on data that are mostly noise. The smaller the "
            "confidence, the smaller the tree should be. With the fault all trees have the "
            "same size."
        ),
        alt=(
            "On the left, the bars have the heights 2, 4, 22 and 22. On the right, all four "
            "have the height 22."
        ),
        caught_by=(("c45-5", answer_prune, "errors on the training rows"),),
    ),
    Exhibit(
        id="m-boundary-of-one-class",
        title="A value may have more than one class",
        room=5,
        origin="student",
        code=boundaries,
        before="len({*y[x == a], *y[x == b]}) > 1",
        after="min(y[x == a]) != min(y[x == b])",
        public="treelab.fast.c45.gain_table",
        agrees=boundaries_agree,
        story=(
            "Only thresholds between values of different classes have to be tried, so one "
            "class was recorded for each value and compared with that of its neighbor. "
            "However, rows with the same value may belong to different classes. In this "
            "case the thresholds on both sides of the value have to be tried, and the "
            "faulty code misses them."
        ),
        notice=(
            "Run the search once with all thresholds and once with the boundary points "
            "only. The largest gain must be the same."
        ),
        sign=boundary_cuts,
        picture=panels(draw_cuts, "x"),
        caption=(
            "Nine rows of two classes with six distinct values, and the thresholds that have to "
            "be tried. With the fault, some thresholds next to values with mixed classes are "
            "missing."
        ),
        alt=(
            "Circles and squares lie over the numbers 1 to 6, and dashed lines mark thresholds. "
            "On the left, there is a line at each of the five places between these numbers. On "
            "the right, there are lines at only some of them."
        ),
        caught_by=(("c45-3", answer_candidates, "holds both classes"),),
    ),
    Exhibit(
        id="m-confidence-ignored",
        title="A parameter that is not passed on",
        room=5,
        origin="student",
        code=model,
        before="confidence=confidence, ",
        after="",
        public="treelab.C45Classifier",
        agrees=lambda: (
            confident_leaves(),
            confident_leaves(lambda c, **rules: C45Classifier(confidence=c, **rules)),
        ),
        story=(
            "The estimator stores its parameter, but it calls the function that needs it "
            "without passing it on. Since the function has a default of its own, there is "
            "no error message, and a search over the parameter finds that it has no effect."
        ),
        notice=("Set every parameter to an extreme value, and check that something changes."),
        sign=confident_leaves,
        picture=bars(["0.05", "0.15", "0.25", "0.4"], "leaves", digits=0, xlabel="confidence"),
        caption=(
            "Numbers of leaves of C4.5 trees for four confidences. With the fault, each "
            "tree is the one for the default of 0.25."
        ),
        alt=(
            "On the left, the bars rise with the confidence. On the right, all four have the "
            "same height."
        ),
    ),
]
