"""The rooms of chapters 1 and 2: reading a tree, impurity."""

import numpy as np
from museum import Exhibit, bars, lines, panels, points, steps
from sklearn.base import clone

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, drawing, impurity
from treelab.datasets import load_bike_demand
from treelab.impurity import impurity_table
from treelab.style import COLORS, INK
from treelab.tree import Tree

# --- room 1: reading a tree -------------------------------------------------------------

STAIRS = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
HEIGHTS = np.array([1.0, 1, 3, 3, 2, 2, 5, 5])


def stairs():
    """A tree of four steps; its thresholds are 2.5, 4.5 and 6.5."""
    return DecisionTreeRegressor().fit(STAIRS[:, None], HEIGHTS)


def predict_on_thresholds():
    """Predictions for new rows, some of which lie on a threshold."""
    x = np.array([2.5, 4.5, 6.5])
    return {"x": x, "y": stairs().predict(x[:, None])}


def draw_on_thresholds(ax, result):
    """The stairs, and the predictions for rows on the thresholds."""
    ax.step([0.5, 2.5, 4.5, 6.5, 8.5], [1, 1, 3, 2, 5], where="pre", color="#8a8a8a", lw=1.5)
    ax.plot(result["x"], result["y"], "D", color=COLORS[5], ms=8, mec=INK)


def predict_everywhere():
    """Predictions over the range of the training rows."""
    x = np.arange(0.75, 8.5, 0.5)
    return {"x": x, "y": stairs().predict(x[:, None]), "_x": STAIRS, "_y": HEIGHTS}


def boxes():
    """The leaf boxes of a tree that cuts the same feature twice on one way."""
    X = np.array([[1.0], [2], [3], [4]])
    tree = DecisionTreeRegressor().fit(X, [0.0, 1, 5, 6]).tree_
    leaf = np.flatnonzero(tree.is_leaf)
    lower, upper = (np.clip(end[leaf, 0], 0.5, 4.5) for end in drawing.leaf_boxes(tree, 1))
    return {"lower": lower, "upper": upper, "_value": tree.value[leaf, 0, 0]}


def draw_boxes(ax, result):
    """One bar for each leaf, from its lower to its upper end."""
    for k, (a, b, v) in enumerate(zip(result["lower"], result["upper"], result["_value"])):
        ax.barh(k, b - a, left=a, height=0.6, color=COLORS[k], alpha=0.5, edgecolor=INK)
        ax.text((a + b) / 2, k, f"{v:g}", ha="center", va="center", fontsize=10)
    ax.set_yticks([])


TWO_CLASSES = (
    np.repeat([0, 1], [5, 5]),
    np.array([[1], [1], [1], [4], [4], [4], [4], [4], [1], [7]]),
)


def leaf_shares():
    """Class shares of the leaves of a small classification tree."""
    y, X = TWO_CLASSES
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    return model.predict_proba([[1], [4], [7]]).ravel()


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


def grown_from(tree):
    """A `Tree` of any object that has the fields of one."""
    return Tree(**{name: np.asarray(getattr(tree, name)) for name in ARRAYS}, criterion="gini")


ARRAYS = (
    "children_left", "children_right", "feature", "threshold", "value", "impurity",
    "n_node_samples", "weighted_n_node_samples", "left_levels",
)  # fmt: skip


def answer_rentals():
    """reading-2: the tree of the rentals answers for one temperature."""
    days = load_bike_demand()
    model = DecisionTreeRegressor(max_depth=2).fit(days[["temp"]], days["rentals"])

    def rentals(temp):
        return model.tree_.predict(np.array([[float(temp)]]))[0, 0]

    return rentals


def answer_pruned():
    """hw2-6: predictions of a tree whose nodes of low alpha are leaves."""

    def pruned_predict(tree, fall, X, alpha):
        pruned = tree.collapse([t for t, g in fall.items() if g <= alpha])
        return pruned.predict(X).argmax(axis=1)

    return pruned_predict


ROOM_1 = [
    Exhibit(
        id="m-strict-sign",
        title="A row on the threshold goes right",
        room=1,
        origin="student",
        target="treelab.tree:Tree.goes_left",
        before="left = x <= pick(self.threshold, node)",
        after="left = x < pick(self.threshold, node)",
        story=(
            "The question of a node was read as *smaller than*. For most rows this is the same, "
            "for a row that lies exactly on the threshold it is not: growth counted it on the "
            "left, and prediction looks it up on the right."
        ),
        notice=(
            "Predict for rows that lie on the thresholds: `tree.threshold` lists them. Data of "
            "whole numbers may be full of such rows, measured ones have hardly any, and there the "
            "fault sleeps."
        ),
        sign=predict_on_thresholds,
        picture=panels(draw_on_thresholds, "x", "prediction"),
        caption="The gray steps are the tree's predictions. Diamonds: rows exactly on a threshold, "
        "which belong to the step on their left. With the fault they take the next one.",
        alt=(
            "Two panels with the same four steps. Left: the three diamonds, at 2.5, 4.5 and "
            "6.5, lie on the step that ends there. Right: each lies on the step that begins "
            "there."
        ),
        caught_by=(
            ("reading-2", answer_rentals, "includes equal"),
            ("reading-3", lambda: lambda tree, x: tree.path(x)[-1], "goes left"),
            ("reading-6", lambda: lambda tree, X: grown_from(tree).apply(X), "goes left"),
            ("hw2-6", answer_pruned, "equals the threshold goes left"),
        ),
    ),
    Exhibit(
        id="m-swapped-sides",
        title="Yes goes right",
        room=1,
        origin="student",
        target="treelab.tree:Tree._steps",
        before="np.column_stack([self.children_right, self.children_left])",
        after="np.column_stack([self.children_left, self.children_right])",
        story=(
            "The two children were put into a table, and the answer *yes*, which is 1, was to pick "
            "the left one. It picks the second column, so the left child has to stand there; put "
            "in the order in which one reads them, every row goes the wrong way at every node."
        ),
        notice=(
            "Predict the rows that the tree was grown on. A tree grown to the end knows them all "
            "by heart; this one gets hardly any of them right."
        ),
        sign=predict_everywhere,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "A tree grown to the end passes through its training rows, the gray points. With "
            "the sides swapped it answers for the opposite end."
        ),
        alt="Left: a step line passes through all eight points. Right: the line is at 5 up "
        "to 6.5 and at 1 after it, through none of the points.",
        caught_by=(
            ("reading-6", lambda: lambda tree, X: grown_from(tree).apply(X), "yes goes left"),
        ),
    ),
    Exhibit(
        id="m-box-of-last-test",
        title="A box that forgets its parent",
        room=1,
        origin="student",
        target="treelab.regions:leaf_boxes",
        before="lower[[left, right]], upper[[left, right]] = lower[t], upper[t]",
        after="pass",
        story=(
            "A node's box was taken from the last question alone. But a row has passed all the "
            "questions above: the child inherits the box of its parent, and its own question only "
            "makes it smaller."
        ),
        notice=(
            "The boxes of the leaves lie side by side and fill everything. Add up their lengths: "
            "if the sum is more than the whole, boxes overlap."
        ),
        sign=boxes,
        picture=panels(draw_boxes, "x", "leaves"),
        caption=(
            "The ranges of x of the four leaves. Right code: they meet end to end. With the "
            "fault the boxes overlap, and x = 3.2 is in two leaves at once."
        ),
        alt=(
            "Left: four bars that follow each other without overlap from 0.5 to 4.5. Right: the "
            "bars of the second and third leaf reach to the ends of the axis and overlap with "
            "others."
        ),
        caught_by=(
            (
                "reading-5",
                lambda: lambda tree, t, p: [end[t] for end in drawing.leaf_boxes(tree, p)],
                "too large",
            ),
        ),
    ),
    Exhibit(
        id="m-shares-of-all-rows",
        title="Shares of all rows, not of the leaf",
        room=1,
        origin="student",
        target="treelab.level:describe",
        before="return (sums / weight[:, None])[:, None]",
        after="return (sums / weight.sum())[:, None]",
        story=(
            "The counts of a leaf were divided by the number of all rows. The majority of each "
            "leaf stays the same, so every predicted class is right, and the accuracy hides the "
            "fault. Only the probabilities are nonsense."
        ),
        notice="The class shares of a row add up to 1. Add them up.",
        sign=leaf_shares,
        picture=panels(draw_shares, "", "class shares", legend=True),
        caption="The class shares that three rows are given, stacked. They must reach 1, the line.",
        alt=(
            "Left: three stacked bars that all reach 1. Right: three bars of different heights, "
            "all well below 1."
        ),
        caught_by=(
            (
                "reading-7",
                lambda: lambda model, X, y, x: clone(model).fit(X, y).predict_proba(x[None])[0],
                "not by all rows",
            ),
        ),
    ),
]

# --- room 2: impurity -------------------------------------------------------------------

SHARE = np.linspace(0, 1, 101)


def impurity_curves():
    """The three impurities of a node with two classes, over the share of one of them."""
    S = np.column_stack([SHARE, 1 - SHARE])
    return {
        "p": SHARE,
        "entropy": impurity.entropy(S),
        "gini": impurity.gini(S),
        "error": impurity.misclassification(S),
    }


CURVES = lines(
    "p",
    {"entropy": "entropy", "gini": "Gini", "error": "error rate"},
    "share of a class",
    "impurity",
)


def random_split_gains():
    """Gini gains of 40 splits that are made at random, into a small part and a large one."""
    rng = np.random.default_rng(0)
    tables = np.array([[rng.multinomial(n, [0.5, 0.5]) for n in (6, 94)] for _ in range(40)])
    return {"i": np.arange(40), "gain": np.sort(impurity.information_gain(tables, "gini"))}


def three_class_errors():
    """Error rates of nodes with three classes."""
    return impurity.misclassification([[6, 3, 1], [4, 3, 3], [8, 2, 0]])


def moving_variance():
    """Variance of windows of a series, from three sums."""
    y = np.concatenate([np.zeros(10), np.tile([4.0, 6.0], 10)])
    sums = np.array(
        [[5, w.sum(), (w**2).sum()] for w in np.lib.stride_tricks.sliding_window_view(y, 5)]
    )
    return {"start": np.arange(len(sums)), "variance": impurity.squared_error(sums)}


def known_part(branches, unknown):
    """The known share of the weight, 0 where nothing is known."""
    known = float(np.sum(branches))
    return known / (known + unknown) if known else 0.0


def named(Q):
    """The name that treelab knows an impurity by."""
    return Q.__name__


def answer_blind_spots():
    """impurity-5: columns with a Gini gain and no gain in the error rate."""

    def blind_spots(X, y):
        gains = {
            name: impurity_table(X, y, name).groupby("feature", sort=False)["gain"].first()
            for name in ("gini", "misclassification")
        }
        return [
            c for c in X if gains["gini"][c] > 1e-12 and abs(gains["misclassification"][c]) < 1e-12
        ]

    return blind_spots


def answer_quinlan():
    """impurity-6: the largest ratio among gains of at least the average."""

    def quinlan_choice(X, y):
        table = impurity_table(X, y).groupby("feature", sort=False)[["gain", "gain_ratio"]].first()
        table = table[table["gain_ratio"].notna()]
        return table[table["gain"] >= table["gain"].mean() - 1e-12]["gain_ratio"].idxmax()

    return quinlan_choice


ROOM_2 = [
    Exhibit(
        id="m-plain-mean",
        title="Children count the same, whatever their size",
        room=2,
        origin="student",
        target="treelab.impurity:split_impurity",
        before="np.sum(branch_shares * impurity_function(criterion)(table), axis=-1)",
        after="np.mean(impurity_function(criterion)(table), axis=-1)",
        story=(
            "The impurity after a split was taken for the mean of the children's impurities. "
            "But a child of six cases cannot count as much as one of 94: the mean has to be "
            "weighted by the cases."
        ),
        notice=(
            "Split a node at random. With the right weights the gain is never negative; here it "
            "is, and where a small child happens to be pure it is far too large."
        ),
        sign=random_split_gains,
        picture=points("i", "gain", "40 random splits, sorted", "Gini gain", line="zero"),
        caption=(
            "Gains of 40 splits that send six of 100 cases left at random. All should be about "
            "0. With the fault, some are large by luck and some are negative."
        ),
        alt=(
            "Left: forty points close to zero, none below. Right: the points rise from below "
            "zero to 0.23."
        ),
        caught_by=(
            (
                "impurity-3",
                lambda: lambda table, Q: impurity.information_gain(table, named(Q)),
                "by their weight",
            ),
        ),
    ),
    Exhibit(
        id="m-natural-log",
        title="Entropy in the wrong unit",
        room=2,
        origin="student",
        target="treelab.impurity:entropy",
        before="-np.log2(p,",
        after="-np.log(p,",
        story=(
            "`log` is the natural logarithm in most languages, so the entropy came out in nats and "
            "was reported in bits. Every number is too small by the same factor, 0.69, the ranking "
            "of the splits stays, and the tree is the same."
        ),
        notice="An even mix of two classes has an entropy of exactly 1 bit. Try it.",
        sign=impurity_curves,
        picture=CURVES,
        caption=(
            "Three impurities of a node with two classes. The entropy of an even mix is 1 bit; "
            "with the fault its curve peaks at 0.69."
        ),
        alt=(
            "Two panels of three arches over the share of a class. Left the entropy peaks at 1, "
            "right at 0.69; the other two arches, which peak at 0.5, are the same."
        ),
        caught_by=(
            (
                "c45-4",
                lambda: (
                    lambda branches, unknown: (
                        known_part(branches, unknown) * float(impurity.information_gain(branches))
                    )
                ),
                "base 2",
            ),
        ),
    ),
    Exhibit(
        id="m-purity",
        title="Purity instead of impurity",
        room=2,
        origin="student",
        target="treelab.impurity:gini",
        before="np.sum(p * (1 - p), axis=-1)",
        after="np.sum(p * p, axis=-1)",
        story=(
            "The sum of the squared shares is a known formula too, but it is 1 less the Gini "
            "impurity: it is largest where a node is pure. A tree that lowers it looks for the "
            "worst split it can find."
        ),
        notice=(
            "A pure node has impurity 0. And gains must not be negative: with the fault, all are."
        ),
        sign=impurity_curves,
        picture=CURVES,
        caption=(
            "The Gini curve must be an arch, zero at both ends. With the fault it hangs upside "
            "down, largest where the node is pure."
        ),
        alt="Left: three arches. Right: the Gini curve is a valley that falls from 1 to 0.5 in the "
        "middle and rises to 1 again.",
        caught_by=(
            (
                "impurity-3",
                lambda: lambda table, Q: impurity.information_gain(table, named(Q)),
                "the sign",
            ),
        ),
    ),
    Exhibit(
        id="m-smallest-class",
        title="The error rate is not the smallest share",
        room=2,
        origin="student",
        target="treelab.impurity:misclassification",
        before="1 - p.max(axis=-1)",
        after="p.min(axis=-1)",
        story=(
            "With two classes the share that the majority gets wrong is the share of the other "
            "class. With three classes it is the share of *all* the others, not of the rarest."
        ),
        notice=(
            "Test with three classes. A node with counts 8, 2 and 0 gets two of ten cases "
            "wrong, and the fault reports none."
        ),
        sign=three_class_errors,
        picture=bars(
            ["6, 3, 1", "4, 3, 3", "8, 2, 0"], "error rate", digits=1, xlabel="class counts"
        ),
        caption=(
            "Error rates of three nodes with three classes. The last node is called pure with "
            "the fault, though it holds two classes."
        ),
        alt="Left: bars of 0.4, 0.6 and 0.2. Right: bars of 0.1, 0.3 and 0.0.",
        caught_by=(("impurity-5", answer_blind_spots, "is missing"),),
    ),
    Exhibit(
        id="m-mean-of-squares",
        title="A variance that grows with the mean",
        room=2,
        origin="student",
        target="treelab.impurity:squared_error",
        before="S[..., 2] / W - (S[..., 1] / W) ** 2",
        after="(S[..., 2] - S[..., 1]) / W",
        story=(
            "The formula *mean of the squares less square of the mean* was remembered without "
            "the second square. Where all targets are 0 or 1 the result is 0 for every node; "
            "where they are large it measures how large they are."
        ),
        notice="Add a constant to all targets: no variance may change. Here all do.",
        sign=moving_variance,
        picture=lines("start", {"variance": ""}, "first row of the window", "variance"),
        caption=(
            "The variance of five neighbors, moved along a series that is 0 first and then "
            "swings between 4 and 6. Right code: highest where the level changes."
        ),
        alt=(
            "Left: zero, then a peak of 6 where the series jumps, then about 1. Right: zero, "
            "then a rise to about 20 where it stays."
        ),
    ),
]

EXHIBITS = [*ROOM_1, *ROOM_2]
