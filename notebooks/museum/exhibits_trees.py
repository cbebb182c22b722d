"""The rooms of chapters 1 to 5: reading, impurity, growing, pruning, multiway trees."""

import numpy as np
import pandas as pd
from museum import Exhibit, bars, lines, panels, points, regions, steps
from sklearn.base import clone

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, drawing, impurity
from treelab.datasets import load_bike_demand
from treelab.growing import split_table
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


ROOM_1 = [
    Exhibit(
        id="m-strict-sign",
        title="A row on the threshold goes right",
        room=1,
        origin="student",
        target="treelab.tree:Tree.goes_left",
        before="left = x <= self.threshold[node]",
        after="left = x < self.threshold[node]",
        story=(
            "The question of a node was read as *smaller than*. For most rows this is the same, "
            "for a row that lies exactly on the threshold it is not: growth counted it on the "
            "left, and prediction looks it up on the right."
        ),
        notice=(
            "Predict for rows that lie on the thresholds: `tree.threshold` lists them. Data of "
            "whole numbers are full of such rows, measured ones have hardly any, and there the "
            "fault sleeps."
        ),
        sign=predict_on_thresholds,
        picture=panels(draw_on_thresholds, "x", "prediction"),
        caption="The gray steps are the tree's predictions. Diamonds: rows exactly on a threshold, "
        "which belong to the step on their left. With the fault they take the next one.",
        alt="Two panels with the same four steps. Left: the three diamonds, at 2.5, 4.5 and 6.5, lie on "
        "the step that ends there. Right: each lies on the step that begins there.",
        caught_by=(
            ("reading-2", answer_rentals, "includes equal"),
            ("reading-3", lambda: lambda tree, x: tree.path(x)[-1], "goes left"),
            ("reading-6", lambda: lambda tree, X: grown_from(tree).apply(X), "goes left"),
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
        caption="A tree grown to the end passes through its training rows, the gray points. With the "
        "sides swapped it answers for the opposite end.",
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
        caption="The ranges of x of the four leaves. Right code: they meet end to end. With the fault "
        "the boxes overlap, and x = 3.2 is in two leaves at once.",
        alt="Left: four bars that follow each other without overlap from 0.5 to 4.5. Right: the bars "
        "of the second and third leaf reach to the ends of the axis and overlap with others.",
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
            "The counts of a leaf were divided by the number of all rows. The majority of each leaf "
            "stays the same, so every predicted class is right, and the accuracy hides the fault. "
            "Only the probabilities are nonsense."
        ),
        notice="The class shares of a row add up to 1. Add them up.",
        sign=leaf_shares,
        picture=panels(draw_shares, "", "class shares", legend=True),
        caption="The class shares that three rows are given, stacked. They must reach 1, the line.",
        alt="Left: three stacked bars that all reach 1. Right: three bars of different heights, all "
        "well below 1.",
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
            "The impurity after a split was taken for the mean of the children's impurities. But "
            "a child of six cases cannot count as much as one of 94: the mean has to be weighted by "
            "the cases."
        ),
        notice=(
            "Split a node at random. With the right weights the gain is never negative; here it is, "
            "and where a small child happens to be pure it is far too large."
        ),
        sign=random_split_gains,
        picture=points("i", "gain", "40 random splits, sorted", "Gini gain", line="zero"),
        caption="Gains of 40 splits that send six of 100 cases left at random. All should be about 0. "
        "With the fault, some are large by luck and some are negative.",
        alt="Left: forty points close to zero, none below. Right: the points rise from below zero to "
        "0.23.",
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
        caption="Three impurities of a node with two classes. The entropy of an even mix is 1 bit; with the "
        "fault its curve peaks at 0.69.",
        alt="Two panels of three arches over the share of a class. Left the entropy peaks at 1, right "
        "at 0.69; the other two arches, which peak at 0.5, are the same.",
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
            "The sum of the squared shares is a known formula too, but it is 1 less the Gini impurity: "
            "it is largest where a node is pure. A tree that lowers it looks for the worst split it "
            "can find."
        ),
        notice=(
            "A pure node has impurity 0. And gains must not be negative: with the fault, all are."
        ),
        sign=impurity_curves,
        picture=CURVES,
        caption="The Gini curve must be an arch, zero at both ends. With the fault it hangs upside down, "
        "largest where the node is pure.",
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
        caption="Error rates of three nodes with three classes. The last node is called pure with the "
        "fault, though it holds two classes.",
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
            "The formula *mean of the squares less square of the mean* was remembered without the "
            "second square. Where all targets are 0 or 1 the result is 0 for every node; where they are large it "
            "measures how large they are."
        ),
        notice="Add a constant to all targets: no variance may change. Here all do.",
        sign=moving_variance,
        picture=lines("start", {"variance": ""}, "first row of the window", "variance"),
        caption="The variance of five neighbors, moved along a series that is 0 first and then swings between "
        "4 and 6. Right code: highest where the level changes.",
        alt="Left: zero, then a peak of 6 where the series jumps, then about 1. Right: zero, then a rise "
        "to about 20 where it stays.",
    ),
]

# --- room 3: growing a tree ---------------------------------------------------------------


def over_a_grid(model, rows, y, low, high, n=61):
    """The classes that a model predicts over two features, as `regions` draws them."""
    places = np.linspace(low, high, n)
    grid = np.array(np.meshgrid(places, places)).reshape(2, -1).T
    predicted = model.predict(grid).reshape(n, n).astype(int)
    return {"x": places, "y": places, "grid": predicted, "_rows": rows, "_classes": y}


def two_clouds():
    """The cut between two clouds that lie far apart."""
    rng = np.random.default_rng(1)
    rows = np.vstack([rng.normal([1, 2], 0.6, (20, 2)), rng.normal([7, 5], 0.6, (20, 2))])
    y = np.repeat([0, 1], 20)
    return over_a_grid(DecisionTreeClassifier().fit(rows, y), rows, y, -1, 9)


def far_from_zero():
    """A regression tree on a feature whose values are far from zero."""
    x = np.arange(20.0, 30)
    y = np.repeat([2.0, 6.0, 4.0], [3, 4, 3])
    at = np.arange(19.75, 30, 0.5)
    model = DecisionTreeRegressor().fit(x[:, None], y)
    return {"x": at, "y": model.predict(at[:, None]), "_x": x, "_y": y}


def four_corners():
    """XOR with as many rows of each kind in each corner."""
    side = np.array([1.0, 2, 3, 6, 7, 8])
    rows = np.array(np.meshgrid(side, side)).reshape(2, -1).T
    y = ((rows[:, 0] > 4) ^ (rows[:, 1] > 4)).astype(int)
    return over_a_grid(DecisionTreeClassifier().fit(rows, y), rows, y, 0, 9)


def with_outliers():
    """A tree whose leaves must hold five rows, on steps with three outliers."""
    x = np.arange(24.0)
    y = np.repeat([1.0, 3.0, 2.0], 8)
    y[[4, 12, 20]] = 7.0, -2.0, 6.0
    at = np.arange(-0.25, 24, 0.5)
    model = DecisionTreeRegressor(min_samples_leaf=5).fit(x[:, None], y)
    return {"x": at, "y": model.predict(at[:, None]), "_x": x, "_y": y}


def leaves_by_depth():
    """Leaves of trees of depth 1 to 4 on data that need many."""
    rng = np.random.default_rng(0)
    X, y = rng.uniform(size=(200, 2)), rng.normal(size=200)
    return np.array(
        [DecisionTreeRegressor(max_depth=d).fit(X, y).get_n_leaves() for d in (1, 2, 3, 4)]
    )


def weighted_cuts():
    """Entropy gain of every cut of twelve rows, one of which weighs as much as all others."""
    x = np.arange(12.0)
    y = np.array(list("aabaabbbabbb"))
    w = np.where(x == 8, 11.0, 1.0)
    table = split_table(x[:, None], y, "entropy", sample_weight=w)
    return {"cut": table["threshold"].to_numpy(), "gain": table["gain"].to_numpy()}


def weighted_steps():
    """A stump on rows of which three weigh twenty times as much as the others."""
    x = np.arange(10.0)
    y = np.array([1.0, 1, 1, 2, 1, 1, 4, 4, 9, 9])
    w = np.where(np.isin(x, (3, 4, 5)), 20.0, 1.0)
    at = np.arange(-0.25, 10, 0.5)
    model = DecisionTreeRegressor(max_depth=1).fit(x[:, None], y, sample_weight=w)
    return {"x": at, "y": model.predict(at[:, None]), "_x": x, "_y": y, "_w": w}


def draw_weighted_steps(ax, result):
    """The stump, over points as large as their weight."""
    ax.scatter(result["_x"], result["_y"], s=6 * result["_w"] + 10, color="#8a8a8a")
    ax.step(result["x"], result["y"], where="mid", color=COLORS[0])


LEVELS = np.array(list("abcdefgh"))
LEVEL_MEANS = np.array([5.0, 1, 6, 2, 5, 1, 7, 2])


def stump_on_levels():
    """What one cut of a categorical feature predicts for each level."""
    X = pd.DataFrame({"level": pd.Categorical(np.tile(LEVELS, 3), categories=LEVELS)})
    model = DecisionTreeRegressor(max_depth=1).fit(X, np.tile(LEVEL_MEANS, 3))
    return model.predict(X.iloc[:8])


def draw_levels(ax, result):
    """The mean of every level and the prediction for it."""
    ax.plot(range(8), LEVEL_MEANS, "o", color="#8a8a8a", label="mean of the level")
    ax.plot(range(8), result, "_", color=COLORS[0], ms=16, mew=3, label="prediction")
    ax.set_xticks(range(8), LEVELS)


def leaves_by_decrease():
    """Leaves left by a least impurity decrease."""
    rng = np.random.default_rng(2)
    x = rng.uniform(size=(150, 1))
    y = np.sin(6 * x[:, 0]) + rng.normal(scale=0.4, size=150)
    least = np.array([0.0005, 0.001, 0.002, 0.004, 0.008])
    leaves = [
        DecisionTreeRegressor(min_impurity_decrease=d).fit(x, y).get_n_leaves() for d in least
    ]
    return {"least": least, "leaves": np.array(leaves)}


def gains_of_cuts():
    """The gain of each cut of ten rows, by the measure that `split_table` takes by itself."""
    y = list("aaabaabbbb")
    table = split_table(np.arange(10.0)[:, None], y)
    return {"cut": table["threshold"].to_numpy(), "gain": table["gain"].to_numpy()}


def coarse_tree():
    """A regression tree of depth 2 on targets around 100."""
    x = np.arange(20.0)
    y = 100 + 8 * np.sin(x / 3) + np.tile([1.0, -1.0], 10)
    at = np.arange(-0.25, 20, 0.5)
    model = DecisionTreeRegressor(max_depth=2).fit(x[:, None], y)
    return {"x": at, "y": model.predict(at[:, None]), "_x": x, "_y": y}


def answer_threshold():
    """impurity-4: the best cut of one feature and its Gini gain."""

    def best_threshold(x, y):
        table = split_table(x[:, None], y, criterion="gini")
        best = table[table["best"]].iloc[0]
        return best["threshold"], best["gain"]

    return best_threshold


def answer_weighted_cut():
    """growing-2: the best cut of weighted rows and its total gain."""

    def best_cut(x, y, w):
        tree = DecisionTreeRegressor(max_depth=1).fit(x[:, None], y, sample_weight=w).tree_
        R = tree.impurity * tree.weighted_n_node_samples
        return tree.threshold[0], R[0] - R[1] - R[2]

    return best_cut


def answer_levels():
    """growing-3: the levels on the side of the lower mean."""

    def best_levels(level, y):
        X = pd.DataFrame({"level": pd.Categorical(level)})
        model = DecisionTreeRegressor(max_depth=1).fit(X, y)
        left, right = model.tree_.value[1:, 0, 0]
        goes_left = model.tree_.left_levels[0]
        return set(X["level"].cat.categories[goes_left if left < right else ~goes_left])

    return best_levels


def answer_thresholds():
    """growing-5: all thresholds of a tree on one feature."""

    def thresholds(x, y, min_samples_leaf=1):
        model = DecisionTreeRegressor(min_samples_leaf=min_samples_leaf).fit(x[:, None], y)
        return np.sort(model.tree_.threshold[~model.tree_.is_leaf])

    return thresholds


def answer_gains():
    """growing-6: the best Gini gain of each column."""

    def best_gains(X, y):
        best = split_table(X, y).groupby("feature")["gain"].max()
        return best.sort_values(ascending=False)

    return best_gains


ROOM_3 = [
    Exhibit(
        id="m-cut-on-a-value",
        title="The threshold sits on a row",
        room=3,
        origin="student",
        target="treelab.splitting:midpoint",
        before="middle = low / 2 + high / 2",
        after="middle = low",
        story=(
            "The search walks through the sorted values, finds the place of the best cut and takes the "
            "value it stands on as the threshold. The training rows cannot tell the difference. New "
            "rows can: the border clings to one of the classes."
        ),
        notice=(
            "Look for thresholds that are values of the data. Or turn the sign of the feature around: "
            "a border halfway between two rows stays where it is, this one jumps to the other class."
        ),
        sign=two_clouds,
        picture=regions("x[0]", "x[1]"),
        caption="Two clouds and the border between them. Halfway is fair to both; with the fault it "
        "touches the left cloud, and new rows just beyond it change class.",
        alt="Left: a vertical border in the middle of the gap between two clouds of points. Right: the "
        "border stands at the outermost point of the left cloud.",
        caught_by=(
            ("impurity-4", answer_threshold, "not on one of them"),
            ("growing-2", answer_weighted_cut, "halfway between two values"),
        ),
    ),
    Exhibit(
        id="m-half-difference",
        title="Half the difference",
        room=3,
        origin="student",
        target="treelab.splitting:midpoint",
        before="middle = low / 2 + high / 2",
        after="middle = high / 2 - low / 2",
        story=(
            "Halfway between two numbers was computed as half their difference, which is how far away "
            "halfway is, not where. With values near zero, such as the first example one tries, the two "
            "are close."
        ),
        notice=(
            "Print the thresholds beside the range of the feature. Temperatures from 20 to 29 "
            "have no threshold at 0.5."
        ),
        sign=far_from_zero,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption="Ten rows with x from 20 to 29. With the fault all thresholds are 0.5, so every row goes right "
        "at every node.",
        alt="Left: three steps through all points. Right: one flat line at the level of the last three "
        "points.",
        caught_by=(
            ("impurity-4", answer_threshold, "half their difference"),
            ("growing-2", answer_weighted_cut, "not (b - a) / 2"),
        ),
    ),
    Exhibit(
        id="m-stop-at-zero-gain",
        title="No gain, no split",
        room=3,
        origin="student",
        target="treelab.growing:grow_and_place",
        before="splits = (cuts.feature >= 0) & (cuts.gain >= enough)",
        after="splits = (cuts.feature >= 0) & (cuts.gain > enough + 2 * TIE * R)",
        story=(
            "A split that gains nothing looks useless, so growth was stopped there. In the four corners "
            "of XOR every first cut gains nothing, and yet the cuts below it part the classes without an "
            "error."
        ),
        notice=(
            "Grow without any limit on data where no two equal rows differ in class: the training "
            "error must be 0."
        ),
        sign=four_corners,
        picture=regions("x[0]", "x[1]"),
        caption="XOR with nine rows in each corner. With the fault the tree is a single leaf.",
        alt="Left: four square regions, each of the class of its corner. Right: one region of one "
        "class.",
        caught_by=(("growing-5", answer_thresholds, "gains nothing"),),
    ),
    Exhibit(
        id="m-least-rows-of-both",
        title="Enough rows together",
        room=3,
        origin="student",
        target="treelab.splitting:scan",
        before="small = (level.n_left < min_samples_leaf) | (level.n_right < min_samples_leaf)",
        after="small = level.n_left + level.n_right < min_samples_leaf",
        story=(
            "The least number of rows of a leaf was asked of the node, not of each of its two sides. So the "
            "limit hardly limits: a node of ten rows may cut off a single one."
        ),
        notice=(
            "Count the rows of the leaves. The smallest must have at least `min_samples_leaf` of them."
        ),
        sign=with_outliers,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption="Trees whose leaves should hold five rows or more, so that no leaf can follow one outlier. "
        "With the fault all three outliers get a leaf of their own.",
        alt="Left: a few broad steps pass below and above three outlying points. Right: narrow "
        "spikes reach the three points.",
        caught_by=(("growing-5", answer_thresholds, "fewer than min_samples_leaf"),),
    ),
    Exhibit(
        id="m-depth-off-by-one",
        title="One level too many",
        room=3,
        origin="student",
        target="treelab.growing:grow_and_place",
        before="& (depth < limits.max_depth)",
        after="& (depth <= limits.max_depth)",
        story=(
            "Is the root at depth 0 or 1, and does depth count nodes or questions? Here a node at the largest "
            "depth was still split, so that a row may answer one question more than asked for. A "
            "stump has up to four leaves."
        ),
        notice="A tree of depth d has at most 2**d leaves. Grow a stump and count.",
        sign=leaves_by_depth,
        picture=bars(["1", "2", "3", "4"], "leaves", digits=0, xlabel="max_depth"),
        caption="Leaves of trees with max_depth 1 to 4. The most there can be are 2, 4, 8 and 16.",
        alt="Left: bars of 2, 4, 8 and 16. Right: every bar is about twice as high.",
    ),
    Exhibit(
        id="m-children-by-counts",
        title="Weighted children, combined by counts",
        room=3,
        origin="teaching code",
        target="treelab.splitting:gains",
        before="return R(level.S, W) - R(left, W_left) - R(right, W - W_left)",
        after=(
            "share = level.n_left / (level.n_left + level.n_right)\n"
            "    left, right = W / W_left * R(left, W_left), W / (W - W_left) * R(right, W - W_left)\n"
            "    return R(level.S, W) - share * left - (1 - share) * right"
        ),
        story=(
            "Sample weights were added to code that had none. Each child's impurity is computed with the "
            "weights, but the two are still averaged by their numbers of rows. Without weights all tests "
            "pass; in boosting, where weights are the point, each tree looks at the wrong cut."
        ),
        notice=(
            "A row of weight 3 must act like three copies of it. Fit both and compare the trees."
        ),
        sign=weighted_cuts,
        picture=lines("cut", {"gain": ""}, "threshold", "entropy gain", marker="o"),
        caption="The gain of every cut of twelve rows; the row at x = 8 weighs 11, the others 1. The "
        "best cut is one that sets the heavy row apart. With the fault it is another.",
        alt="Two curves of gains over eleven thresholds, with different peaks.",
    ),
    Exhibit(
        id="m-weights-forgotten",
        title="Weights that are read and dropped",
        room=3,
        origin="student",
        target="treelab.inputs:check_weights",
        before="w = np.full(n_rows, float(w)) if w.ndim == 0 else w",
        after="w = np.ones(n_rows)",
        story=(
            "The method takes `sample_weight`, checks it, and then goes on with ones. No error, no "
            "warning: a parameter that is not used looks exactly like one that has little effect."
        ),
        notice=(
            "Give one row a weight so large that nothing else counts. The prediction for the "
            "whole data must move to its target."
        ),
        sign=weighted_steps,
        picture=panels(draw_weighted_steps, "x", "prediction"),
        caption="A stump on ten rows; the three large points weigh 20 each. With the weights the cut lies "
        "elsewhere, and the left leaf predicts what the heavy rows say.",
        alt="Left: the lower step is near the three heavy points. Right: the step is at another place "
        "and another height.",
        caught_by=(("growing-2", answer_weighted_cut, "the cut without the weights"),),
    ),
    Exhibit(
        id="m-alphabetical-levels",
        title="Levels in the order of the alphabet",
        room=3,
        origin="student",
        target="treelab.categories:rank_levels",
        before="score = share[-1].copy()",
        after="score = np.tile(np.arange(float(n_levels)), (shape[0], 1))",
        story=(
            "Levels were coded 0, 1, 2, ... and the codes were cut like numbers. Only groups "
            "that are neighbors in the alphabet can be formed then, and the tree needs many cuts for what "
            "one can do: to put levels with low means on one side."
        ),
        notice="Rename the levels and fit again. The predictions must not change.",
        sign=stump_on_levels,
        picture=panels(draw_levels, "level", "y", legend=True),
        caption="One cut of a feature with eight levels. In the order of their means it parts the low levels from "
        "the high ones; in the order of the alphabet it cannot.",
        alt="Left: predictions of 1.5 for the four low levels and 5.75 for the four high ones. Right: one "
        "prediction for the levels at the beginning of the alphabet and one for the rest, between the means.",
        caught_by=(("growing-3", answer_levels, "order the levels by the mean"),),
    ),
    Exhibit(
        id="m-decrease-of-the-node",
        title="A limit that is easier to pass further down",
        room=3,
        origin="student",
        target="treelab.growing:grow_and_place",
        before="limits.min_impurity_decrease * root_weight[root]",
        after="limits.min_impurity_decrease * weight",
        story=(
            "The least decrease of impurity is a share of the whole data. Compared with the drop per "
            "row *of the node* it means less and less as nodes shrink: a node of four rows passes with "
            "a drop that hardly changes the tree."
        ),
        notice=(
            "Add up the decreases that a tree reports. Each of its splits must bring at least the limit, so "
            "limit times splits cannot be more than the impurity of the root."
        ),
        sign=leaves_by_decrease,
        picture=lines("least", {"leaves": ""}, "min_impurity_decrease", "leaves", marker="o"),
        caption="Leaves of a tree as the limit rises. Right code: a few leaves. With the fault the limit "
        "does hardly anything: the small nodes all pass.",
        alt="Left: a curve that falls to a few leaves. Right: a curve that stays near or above one hundred "
        "leaves.",
    ),
    Exhibit(
        id="m-another-default",
        title="Another default",
        room=3,
        origin="student",
        target="treelab.candidates:split_table",
        before='    criterion="gini",\n',
        after='    criterion="entropy",\n',
        story=(
            "Someone preferred the entropy and changed the default of a parameter. Every call that had "
            "relied on the old one runs on, and returns numbers of another measure under the same name."
        ),
        notice=(
            "The Gini gain of a split into two classes is never more than 0.5. A value above "
            "it comes from another measure."
        ),
        sign=gains_of_cuts,
        picture=lines("cut", {"gain": ""}, "threshold", "gain", marker="o"),
        caption="What `split_table` returns for the same ten rows. The shape is alike, the unit is not.",
        alt="Two curves of gains over nine thresholds, of the same shape; the right one is about twice "
        "as high.",
        caught_by=(("growing-6", answer_gains, "gains in entropy"),),
    ),
    Exhibit(
        id="m-center-forgotten",
        title="Moved to zero and not moved back",
        room=3,
        origin="student",
        target="treelab.level:describe",
        before="value = np.where(level.is_pure, level.first_y, targets.center + mean)",
        after="value = np.where(level.is_pure, level.first_y, mean)",
        story=(
            "For the sake of the digits, the mean of all targets is subtracted before growth. It has to be "
            "added again where a leaf predicts. Standardized targets, with a mean of 0, never show "
            "that it is missing."
        ),
        notice="The mean of the predictions on the training rows is the mean of their targets.",
        sign=coarse_tree,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption="A tree of depth 2 on targets around 100. With the fault it predicts around 0.",
        alt="Left: four steps follow the points around 100. Right: the same four steps near 0, far "
        "below the points.",
    ),
]
EXHIBITS = [*ROOM_1, *ROOM_2, *ROOM_3]
