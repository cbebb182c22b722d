"""The rooms of chapters 1 and 2: reading a tree, impurity."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from museum import COLORS, INK, Exhibit, bars, lines, panels, points, steps

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, cart, drawing
from treelab.datasets import load_bike_demand
from treelab.fast import impurity

# --- room 1: the code on show -----------------------------------------------------------


def walk(tree, X):
    """The nodes of all rows, step by step, (n_steps, n_rows); a row stays in its leaf."""
    t, row = np.zeros(len(X), dtype=int), np.arange(len(X))
    passed = [t]
    while np.any(tree.children_left[t] >= 0):
        yes = X[row, np.maximum(tree.feature[t], 0)] <= tree.threshold[t]
        below = np.where(yes, tree.children_left[t], tree.children_right[t])
        t = np.where(below >= 0, below, t)
        passed.append(t)
    return np.array(passed)


def boxes(tree, p):
    """Lower and upper ends of the box of every node; two arrays (n_nodes, p)."""
    lower, upper = np.full((2, len(tree.feature), p), [[[-np.inf]], [[np.inf]]])
    for t, (left, right) in enumerate(zip(tree.children_left, tree.children_right)):
        if left >= 0:
            j, s = tree.feature[t], tree.threshold[t]
            lower[[left, right]], upper[[left, right]] = lower[t], upper[t]
            upper[left, j], lower[right, j] = min(upper[t, j], s), max(lower[t, j], s)
    return lower, upper


def class_shares(model, X, y, x):
    """The class proportions of the training rows in the leaf of row x."""
    inside = y[model.apply(X) == model.apply([x])[0]]
    counts = np.array([np.sum(inside == label) for label in model.classes_])
    return counts / len(inside)


# --- room 1: signs ----------------------------------------------------------------------

STAIRS = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
HEIGHTS = np.array([1.0, 1, 3, 3, 2, 2, 5, 5])


def stairs():
    """A tree of four steps; its thresholds are 2.5, 4.5 and 6.5."""
    return DecisionTreeRegressor().fit(STAIRS[:, None], HEIGHTS)


def by_walking(x):
    """What the stairs predict."""
    tree = stairs().tree_
    return tree.value[walk(tree, x[:, None])[-1], 0, 0]


ON_THRESHOLDS = np.array([2.5, 4.5, 6.5])
EVERYWHERE = np.arange(0.75, 8.5, 0.5)


def predict_on_thresholds(predict=by_walking):
    """Predictions for new rows that lie on a threshold."""
    return {"x": ON_THRESHOLDS, "y": predict(ON_THRESHOLDS)}


def draw_on_thresholds(ax, result):
    """The stairs, and the predictions for rows on the thresholds."""
    ax.step([0.5, 2.5, 4.5, 6.5, 8.5], [1, 1, 3, 2, 5], where="pre", color="#8a8a8a", lw=1.5)
    ax.plot(result["x"], result["y"], "D", color=COLORS[5], ms=8, mec=INK)


def predict_everywhere(predict=by_walking):
    """Predictions over the range of the training rows."""
    return {"x": EVERYWHERE, "y": predict(EVERYWHERE), "_x": STAIRS, "_y": HEIGHTS}


def by_treelab(x):
    """What the stairs predict by treelab's own walk."""
    return stairs().predict(x[:, None])


def leaf_boxes(find=boxes):
    """The leaf boxes of a tree that cuts the same feature twice on one way."""
    X = np.array([[1.0], [2], [3], [4]])
    tree = DecisionTreeRegressor().fit(X, [0.0, 1, 5, 6]).tree_
    leaf = np.flatnonzero(tree.is_leaf)
    lower, upper = (np.clip(end[leaf, 0], 0.5, 4.5) for end in find(tree, 1))
    return {"lower": lower, "upper": upper, "_value": tree.value[leaf, 0, 0]}


def draw_boxes(ax, result):
    """One bar for each leaf, from its lower to its upper end."""
    for k, (a, b, v) in enumerate(zip(result["lower"], result["upper"], result["_value"])):
        ax.barh(k, b - a, left=a, height=0.6, color=COLORS[k], alpha=0.5, edgecolor=INK)
        ax.text((a + b) / 2, k, f"{v:g}", ha="center", va="center")
    ax.set_yticks([])


TWO_CLASSES = (
    np.array([[1], [1], [1], [4], [4], [4], [4], [4], [1], [7]]),
    np.repeat([0, 1], [5, 5]),
)
THREE_ROWS = np.array([[1], [4], [7]])


def two_classes():
    """A small classification tree."""
    return DecisionTreeClassifier(max_depth=2).fit(*TWO_CLASSES)


def leaf_shares():
    """Class shares of the leaves of a small classification tree."""
    return np.ravel([class_shares(two_classes(), *TWO_CLASSES, x) for x in THREE_ROWS])


def draw_shares(ax, result):
    """Stacked bars of two shares for each leaf."""
    for k in range(2):
        bottom = result[0::2] if k else 0
        ax.bar(
            range(3), result[k::2], bottom=bottom, width=0.6, color=COLORS[k], edgecolor=INK,
            hatch=("", "////")[k], alpha=0.6, label=("no", "yes")[k],
        )  # fmt: skip
    ax.set_xticks(range(3), ["x = 1", "x = 4", "x = 7"])
    ax.axhline(1, color=INK, lw=0.8)


def answer_rentals():
    """reading-2: the tree of the rentals answers for one temperature."""
    days = load_bike_demand()
    tree = DecisionTreeRegressor(max_depth=2).fit(days[["temp"]], days["rentals"]).tree_
    return lambda temp: tree.value[walk(tree, np.array([[float(temp)]]))[-1], 0, 0][0]


def answer_pruned():
    """hw2-6: predictions of a tree whose nodes of low alpha are leaves."""

    def pruned_predict(tree, fall, X, alpha):
        ends = [
            next(t for t in way if fall.get(t, -1) <= alpha) for way in walk(tree, X).T.tolist()
        ]
        return tree.value[ends, 0].argmax(axis=1)

    return pruned_predict


def answer_box():
    """reading-5: the box at the end of a path, as that of the last node of a tree with one path."""

    def box_of(path, names):
        yes = np.array([sign == "<=" for _, sign, _ in path], dtype=bool)
        on, off = 2 * np.arange(len(path)) + 2, 2 * np.arange(len(path)) + 1
        tree = SimpleNamespace(
            feature=np.repeat([names.index(name) for name, _, _ in path] + [-2], 2)[:-1],
            threshold=np.repeat([float(s) for _, _, s in path] + [-2], 2)[:-1],
            children_left=np.full(2 * len(path) + 1, -1),
            children_right=np.full(2 * len(path) + 1, -1),
        )
        tree.children_left[:-1:2] = np.where(yes, on, off)
        tree.children_right[:-1:2] = np.where(yes, off, on)
        lower, upper = boxes(tree, len(names))
        return dict(zip(names, zip(lower[-1], upper[-1])))

    return box_of


def answer_shares():
    """reading-3: the class proportions for one row of a plain tree."""

    def shares_of(tree, X, y, x):
        number = SimpleNamespace(
            apply=lambda rows: np.array([id(cart.leaf(tree, row)) for row in rows]),
            classes_=np.unique(y),
        )
        return class_shares(number, X, np.array(y), x)

    return shares_of


ROOM_1 = [
    Exhibit(
        id="m-strict-sign",
        title="A row on the threshold goes right",
        room=1,
        origin="student",
        code=walk,
        before=" <= tree",
        after=" < tree",
        public="treelab.fast.tree.Tree",
        agrees=lambda: (predict_on_thresholds(), predict_on_thresholds(by_treelab)),
        story=(
            "The condition of a split was implemented as *less than* instead of *at most*. "
            "For most rows this makes no difference, but a row that lies exactly on the "
            "threshold was counted on the left during growth and is sent to the right in "
            "prediction."
        ),
        notice=(
            "Predict rows that lie exactly on the thresholds in `tree.threshold`. Data with "
            "whole numbers may contain many such rows, whereas measured data contain hardly "
            "any, so the fault goes unnoticed there."
        ),
        sign=predict_on_thresholds,
        picture=panels(draw_on_thresholds, "x", "prediction"),
        caption=(
            "The gray steps are the predictions of the tree. The diamonds are rows exactly "
            "on a threshold, which belong to the step on their left. With the fault, they "
            "get the prediction of the step on their right."
        ),
        alt=(
            "Both panels show the same four steps. On the left, the three diamonds, at 2.5, 4.5 "
            "and 6.5, lie on the step that ends there. On the right, each lies on the step that "
            "begins there."
        ),
        caught_by=(
            ("reading-2", answer_rentals, "includes equal"),
            ("hw2-6", answer_pruned, "equals the threshold goes left"),
        ),
    ),
    Exhibit(
        id="m-swapped-sides",
        title="Yes goes right",
        room=1,
        origin="student",
        code=walk,
        before="yes, tree.children_left[t], tree.children_right[t]",
        after="yes, tree.children_right[t], tree.children_left[t]",
        public="treelab.fast.tree.Tree",
        agrees=lambda: (predict_everywhere(), predict_everywhere(by_treelab)),
        story=(
            "The left child is for the answer *yes* and the right child for *no*. It is "
            "tempting to exchange them, because larger numbers usually lie on the right and "
            "*yes* seems to be the larger answer. Every row then goes to the wrong side at "
            "every node."
        ),
        notice=(
            "Predict the rows on which the tree was grown. A fully grown tree fits all of "
            "them, but with this fault hardly any prediction is right."
        ),
        sign=predict_everywhere,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "A fully grown tree passes through its training rows, which are the gray "
            "points. With the sides swapped, it gives the prediction of the opposite end."
        ),
        alt=(
            "On the left, a step function passes through all eight points. On the right, it is "
            "at 5 up to x = 6.5 and at 1 after it, and it passes through none of the points."
        ),
        caught_by=(("reading-2", answer_rentals, "the path is [0, "),),
    ),
    Exhibit(
        id="m-box-of-last-test",
        title="A box that forgets its parent",
        room=1,
        origin="student",
        code=boxes,
        before="lower[[left, right]], upper[[left, right]] = lower[t], upper[t]",
        after="pass",
        public="treelab.drawing.leaf_boxes",
        agrees=lambda: (leaf_boxes(), leaf_boxes(drawing.leaf_boxes)),
        story=(
            "The box of a node was computed from the last split alone. However, a row in "
            "this node has passed all the splits above it. The child must therefore inherit "
            "the box of its parent, which its own split only makes smaller."
        ),
        notice=(
            "The boxes of the leaves lie side by side and fill the whole range. Add up "
            "their lengths. If the sum exceeds the length of the range, some boxes overlap."
        ),
        sign=leaf_boxes,
        picture=panels(draw_boxes, "x", "leaves"),
        caption=(
            "The ranges of x in the four leaves. With the correct code, they meet end to end. "
            "With the fault, the boxes overlap, and x = 3.2 lies in two leaves at once."
        ),
        alt=(
            "On the left, four bars follow each other without overlap from 0.5 to 4.5. On the "
            "right, the bars of the second and third leaf reach to the ends of the axis and "
            "overlap with others."
        ),
        caught_by=(("reading-5", answer_box, "too large"),),
    ),
    Exhibit(
        id="m-shares-of-all-rows",
        title="Proportions of all rows, not of the leaf",
        room=1,
        origin="student",
        code=class_shares,
        before="counts / len(inside)",
        after="counts / len(y)",
        public="treelab.DecisionTreeClassifier.predict_proba",
        agrees=lambda: (leaf_shares(), two_classes().predict_proba(THREE_ROWS).ravel()),
        story=(
            "The class counts of a leaf were divided by the number of all rows instead of "
            "the number of rows in the leaf. The majority class of each leaf stays the "
            "same, so all predicted classes are right and the accuracy hides the fault. "
            "Only the probabilities are wrong."
        ),
        notice=("The predicted class proportions of a row must add up to 1, so add them up."),
        sign=leaf_shares,
        picture=panels(draw_shares, "", "class proportions", legend=True),
        caption=(
            "The predicted class proportions of three rows, stacked. Each bar should reach "
            "the line at 1."
        ),
        alt=(
            "On the left, three stacked bars all reach 1. On the right, three bars of different "
            "heights all end at 0.5 or below."
        ),
        caught_by=(("reading-3", answer_shares, "not by all rows"),),
    ),
]

# --- room 2: the code on show -----------------------------------------------------------


def shares(S):
    """Shares of the class weights S, (..., n_classes); 0 where there is nothing."""
    S = np.asarray(S, dtype=float)
    W = S.sum(axis=-1, keepdims=True)
    return S / np.where(W > 0, W, 1)


def gini(S):
    """Chance that two cases drawn from a node differ in class."""
    p = shares(S)
    return np.sum(p * (1 - p), axis=-1)


def entropy(S):
    """Bits that it takes to name the class of a case."""
    p = shares(S)
    return -np.sum(p * np.log2(np.where(p > 0, p, 1)), axis=-1)


def error_rate(S):
    """Share of the cases that the majority gets wrong."""
    return 1 - shares(S).max(axis=-1)


def variance(n, s1, s2):
    """Variance of n numbers of which the sum and the sum of the squares are known."""
    return s2 / n - (s1 / n) ** 2


def gain(table, Q):
    """Impurity of a node less that of its branches; table is (..., n_branches, n_classes)."""
    table = np.asarray(table, dtype=float)
    return Q(table.sum(axis=-2)) - np.average(Q(table), axis=-1, weights=table.sum(axis=-1))


# --- room 2: signs ----------------------------------------------------------------------

SHARE = np.linspace(0, 1, 101)


def impurity_curves(entropy=entropy, gini=gini, error_rate=error_rate):
    """The three impurities of a node with two classes, over the share of one of them."""
    S = np.column_stack([SHARE, 1 - SHARE])
    return {"p": SHARE, "entropy": entropy(S), "gini": gini(S), "error": error_rate(S)}


def curves_agree():
    """The three impurities, ours and treelab's."""
    own = impurity.entropy, impurity.gini, impurity.misclassification
    return impurity_curves(), impurity_curves(*own)


CURVES = lines(
    "p",
    {"entropy": "entropy", "gini": "Gini", "error": "error rate"},
    "proportion of a class",
    "impurity",
)


def random_splits():
    """40 splits that are made at random, into a small part and a large one."""
    rng = np.random.default_rng(0)
    return np.array([[rng.multinomial(n, [0.5, 0.5]) for n in (6, 94)] for _ in range(40)])


def random_split_gains():
    """Gini gains of splits that are made at random."""
    return {"i": np.arange(40), "gain": np.sort(gain(random_splits(), gini))}


THREE_CLASSES = np.array([[6, 3, 1], [4, 3, 3], [8, 2, 0]])


def moving_sums():
    """Number, sum and sum of squares of windows of a series; (3, n_windows)."""
    y = np.concatenate([np.zeros(10), np.tile([4.0, 6.0], 10)])
    windows = np.lib.stride_tricks.sliding_window_view(y, 5)
    return np.array([np.full(len(windows), 5.0), windows.sum(axis=1), (windows**2).sum(axis=1)])


def moving_variance():
    """Variance of windows of a series, from three sums."""
    found = variance(*moving_sums())
    return {"start": np.arange(len(found)), "variance": found}


def answer_threshold():
    """impurity-3: the best threshold of numbers and its Gini gain."""

    def best_threshold(x, y):
        values, classes, found = np.unique(x), np.unique(y), []
        for low, high in zip(values, values[1:]):
            threshold = (low + high) / 2
            sides = [y[x <= threshold], y[x > threshold]]
            table = [[np.sum(side == k) for k in classes] for side in sides]
            found.append((float(gain(table, gini)), -threshold))
        gained, threshold = max(found)
        return -threshold, gained

    return best_threshold


def answer_offer():
    """c45-4: gain in bits, gain ratio and weights of the branches of a column with gaps."""

    def offer_of(level, y, w):
        table = pd.crosstab(np.asarray(level), np.asarray(y), np.asarray(w), aggfunc="sum")
        known = table.fillna(0).to_numpy()
        found = known.sum() / np.sum(w) * float(gain(known, entropy))
        bits = float(impurity.entropy(np.append(known.sum(axis=1), np.sum(w) - known.sum())))
        dealt = known.sum(axis=1) * np.sum(w) / known.sum()
        return found, found / bits if bits else 0.0, dict(zip(table.index, dealt.tolist()))

    return offer_of


def answer_blind_spots():
    """impurity-4: columns with a Gini gain and no gain in the error rate."""

    def blind_spots(X, y, w):
        tables = {
            c: pd.crosstab(np.asarray(X[c]), np.asarray(y), w, aggfunc="sum").fillna(0) for c in X
        }
        return [
            c for c, table in tables.items()
            if gain(table, gini) > 1e-12 and abs(gain(table, error_rate)) < 1e-12
        ]  # fmt: skip

    return blind_spots


ROOM_2 = [
    Exhibit(
        id="m-plain-mean",
        title="Children count the same, whatever their size",
        room=2,
        origin="student",
        code=gain,
        before="np.average(Q(table), axis=-1, weights=table.sum(axis=-1))",
        after="np.mean(Q(table), axis=-1)",
        public="treelab.fast.impurity.information_gain",
        agrees=lambda: (
            gain(random_splits(), gini),
            impurity.information_gain(random_splits(), "gini"),
        ),
        story=(
            "The impurity after a split was computed as the unweighted mean of the "
            "children's impurities. However, a child with six observations must not count "
            "as much as one with 94. The mean has to be weighted by the numbers of "
            "observations."
        ),
        notice=(
            "Split a node at random. With the right weights the gain is never negative. "
            "With the fault it can be negative, and it is far too large if a small child "
            "happens to be pure."
        ),
        sign=random_split_gains,
        picture=points("i", "gain", "40 splits, sorted", "Gini gain", line="zero"),
        caption=(
            "Gains of 40 splits that send six of 100 observations to the left at random. "
            "All of them should be close to 0. With the fault, some are large by chance and "
            "some are negative."
        ),
        alt=(
            "On the left, forty points are close to zero, and none lies below it. On the right, "
            "the points rise from below zero to 0.23."
        ),
        caught_by=(("impurity-3", answer_threshold, "weigh the two sides"),),
    ),
    Exhibit(
        id="m-natural-log",
        title="Entropy in the wrong unit",
        room=2,
        origin="student",
        code=entropy,
        before="np.log2(",
        after="np.log(",
        public="treelab.fast.impurity.entropy",
        agrees=curves_agree,
        story=(
            "In most languages `log` is the natural logarithm, so the entropy was computed "
            "in nats but reported in bits. Every value is too small by the same factor of "
            "0.69, so the ranking of the splits and the tree stay the same."
        ),
        notice=(
            "A node with two equally frequent classes has an entropy of exactly 1 bit. Test "
            "your function on it."
        ),
        sign=impurity_curves,
        picture=CURVES,
        caption=(
            "Three impurities of a node with two classes. The entropy of two equally "
            "frequent classes is 1 bit, but with the fault the curve peaks at 0.69."
        ),
        alt=(
            "Both panels show three arches over the proportion of a class. The entropy peaks at "
            "1 on the left and at 0.69 on the right. The other two arches, which peak at 0.5, "
            "are the same."
        ),
        caught_by=(("c45-4", answer_offer, "base 2"),),
    ),
    Exhibit(
        id="m-purity",
        title="Purity instead of impurity",
        room=2,
        origin="student",
        code=gini,
        before="p * (1 - p)",
        after="p * p",
        public="treelab.fast.impurity.gini",
        agrees=curves_agree,
        story=(
            "The sum of the squared class proportions is a well-known formula as well, but "
            "it equals 1 minus the Gini impurity, so it is largest if a node is pure. A "
            "tree that minimizes it chooses the worst splits that it can find."
        ),
        notice=(
            "A pure node must have impurity 0. Moreover, gains must not be negative, but "
            "with the fault all of them are."
        ),
        sign=impurity_curves,
        picture=CURVES,
        caption=(
            "The Gini curve should be an arch that is zero at both ends. With the fault it "
            "is turned upside down and is largest where the node is pure."
        ),
        alt=(
            "On the left, all three curves are arches. On the right, the Gini curve is a "
            "valley, which falls from 1 to 0.5 in the middle and rises to 1 again."
        ),
        caught_by=(("impurity-3", answer_threshold, "no gain is negative"),),
    ),
    Exhibit(
        id="m-smallest-class",
        title="The error rate is not the smallest proportion",
        room=2,
        origin="student",
        code=error_rate,
        before="1 - shares(S).max(axis=-1)",
        after="shares(S).min(axis=-1)",
        public="treelab.fast.impurity.misclassification",
        agrees=lambda: (error_rate(THREE_CLASSES), impurity.misclassification(THREE_CLASSES)),
        story=(
            "With two classes, the error rate of the majority class is the proportion of "
            "the other class. With three classes, however, it is the proportion of *all* "
            "the other classes together, not that of the rarest one."
        ),
        notice=(
            "Test the function with three classes. In a node with counts of 8, 2 and 0, the "
            "majority class is wrong for two of ten observations, but the faulty code "
            "returns 0."
        ),
        sign=lambda: error_rate(THREE_CLASSES),
        picture=bars(
            ["6, 3, 1", "4, 3, 3", "8, 2, 0"], "error rate", digits=1, xlabel="class counts"
        ),
        caption=(
            "Error rates of three nodes with three classes. With the fault, the last node "
            "seems to be pure although it contains two classes."
        ),
        alt=(
            "On the left, the bars have the heights 0.4, 0.6 and 0.2. On the right, they have "
            "the heights 0.1, 0.3 and 0.0."
        ),
        caught_by=(("impurity-4", answer_blind_spots, "is missing"),),
    ),
    Exhibit(
        id="m-mean-of-squares",
        title="A variance that grows with the mean",
        room=2,
        origin="student",
        code=variance,
        before="s2 / n - (s1 / n) ** 2",
        after="(s2 - s1) / n",
        public="treelab.fast.impurity.squared_error",
        agrees=lambda: (variance(*moving_sums()), impurity.squared_error(moving_sums().T)),
        story=(
            "The variance is the mean of the squares minus the square of the mean, but the "
            "second square was forgotten. If all targets are 0 or 1, the result is 0 for "
            "every node. If they are large, it measures how large they are."
        ),
        notice=(
            "Add a constant to all targets. No variance should change, but with the fault "
            "all of them do."
        ),
        sign=moving_variance,
        picture=lines("start", {"variance": ""}, "start of window", "variance"),
        caption=(
            "The variance of five neighboring values, moved along a series that is first 0 "
            "and then swings between 4 and 6. With the correct code it is highest where the "
            "level changes."
        ),
        alt=(
            "On the left, the curve is at zero, peaks above 6 where the series jumps, and then "
            "stays at about 1. On the right, it rises from zero to about 20 and stays there."
        ),
    ),
]

EXHIBITS = [*ROOM_1, *ROOM_2]
