"""The room of chapter 3: growing a tree."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from grower import best_cut, bits, cuts, gain, grow, leaves, midpoint, predict, spread, weights
from museum import COLORS, Exhibit, bars, lines, over_a_grid, panels, regions, steps

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.growing import split_table

# --- the code on show that is not in grower.py ------------------------------------------


def in_order(level, y):
    """The levels of a category in the order of their mean target."""
    levels = np.unique(level)
    means = [y[level == name].mean() for name in levels]
    return levels[np.argsort(means, kind="stable")]


def centered(X, y, **limits):
    """Grow on targets with the mean 0, for the sake of the digits; returns what predicts."""
    center = y.mean()
    tree = grow(X, y[:, None] - center, **limits)
    return lambda X: center + predict(tree, X)[:, 0]


# --- signs: each made by the code on show, or by treelab ---------------------------------


def own_classes(X, y, **limits):
    """A classification tree of our own, as a model."""
    tree = grow(X, np.eye(1 + y.max())[y], **limits)
    return SimpleNamespace(predict=lambda X: predict(tree, X).argmax(axis=1))


def own_numbers(X, y, w=None, **limits):
    """A regression tree of our own, as a model."""
    tree = grow(X, y[:, None], w, **limits)
    return SimpleNamespace(
        predict=lambda X: predict(tree, X)[:, 0], get_n_leaves=lambda: leaves(tree)
    )


def their_classes(X, y):
    """treelab's classification tree."""
    return DecisionTreeClassifier().fit(X, y)


def their_numbers(X, y, w=None, min_leaf=1, least=0.0, max_depth=None):
    """treelab's regression tree."""
    return DecisionTreeRegressor(
        max_depth=max_depth, min_samples_leaf=min_leaf, min_impurity_decrease=least
    ).fit(X, y, sample_weight=w)


def two_clouds(model=own_classes):
    """The cut between two clouds that lie far apart."""
    rng = np.random.default_rng(1)
    rows = np.vstack([rng.normal([1, 2], 0.6, (20, 2)), rng.normal([7, 5], 0.6, (20, 2))])
    y = np.repeat([0, 1], 20)
    return over_a_grid(model(rows, y), rows, y, -1, 9)


def over_the_line(model, x, y, at):
    """Predictions along a line, with the rows."""
    return {"x": at, "y": model.predict(at[:, None]), "_x": x, "_y": y}


def far_from_zero(model=own_numbers):
    """A regression tree on a feature whose values are far from zero."""
    x, y = np.arange(20.0, 30), np.repeat([2.0, 6.0, 4.0], [3, 4, 3])
    return over_the_line(model(x[:, None], y), x, y, np.arange(19.75, 30, 0.5))


def four_corners(model=own_classes):
    """XOR with as many rows of each kind in each corner."""
    side = np.array([1.0, 2, 3, 6, 7, 8])
    rows = np.array(np.meshgrid(side, side)).reshape(2, -1).T
    y = ((rows[:, 0] > 4) ^ (rows[:, 1] > 4)).astype(int)
    return over_a_grid(model(rows, y), rows, y, 0, 9)


def with_outliers(model=own_numbers):
    """A tree whose leaves must hold five rows, on steps with three outliers."""
    x, y = np.arange(24.0), np.repeat([1.0, 3.0, 2.0], 8)
    y[[4, 12, 20]] = 7.0, -2.0, 6.0
    return over_the_line(model(x[:, None], y, min_leaf=5), x, y, np.arange(-0.25, 24, 0.5))


def leaves_by_depth(model=own_numbers):
    """Leaves of trees of depth 1 to 4 on data that need many."""
    rng = np.random.default_rng(0)
    X, y = rng.uniform(size=(200, 2)), rng.normal(size=200)
    return np.array([model(X, y, max_depth=d).get_n_leaves() for d in (1, 2, 3, 4)])


PLACES = np.arange(12.0)
LETTERS = np.array(list("aaabbbbbbbba"))
HEAVY = np.where(PLACES == 11, 10.0, 1.0)


def own_gains(x, y, w=None, **criterion):
    """Thresholds and gains of all cuts, by the code on show."""
    found = cuts(x, (np.unique(y) == y[:, None]).astype(float), w, **criterion)
    return {"cut": np.array([s for s, _, _ in found]), "gain": np.array([g for _, g, _ in found])}


def their_gains(x, y, w=None, **criterion):
    """Thresholds and gains of all cuts, by treelab."""
    table = split_table(x[:, None], y, sample_weight=w, **criterion)
    return {"cut": table["threshold"].to_numpy(), "gain": table["gain"].to_numpy()}


def weighted_cuts():
    """Entropy gain of every cut of twelve rows, the last of which weighs as much as ten."""
    return own_gains(PLACES, LETTERS, HEAVY, Q=bits)


def weighted_steps(model=own_numbers):
    """A stump on rows of which two weigh twenty times as much as the others."""
    x, y = np.arange(10.0), np.array([1.0, 1, 1, 1, 1, 4, 4, 4, 9, 9])
    w = np.where(np.isin(x, (4, 5)), 20.0, 1.0)
    stump = model(x[:, None], y, w, max_depth=1)
    return over_the_line(stump, x, y, np.arange(-0.25, 10, 0.5)) | {"_w": w}


def draw_weighted_steps(ax, result):
    """The stump, over points as large as their weight."""
    ax.scatter(result["_x"], result["_y"], s=6 * result["_w"] + 10, color="#8a8a8a")
    ax.step(result["x"], result["y"], where="mid", color=COLORS[0])


LEVELS = np.array(list("abcdefgh"))
LEVEL_MEANS = np.array([5.0, 1, 6, 2, 5, 1, 7, 2])


def cut_of_levels(level, y):
    """The levels left of the best cut, and what the two sides predict."""
    order = in_order(level, y)
    place = np.argmax(level[:, None] == order, axis=1)[:, None]
    tree = grow(place, y[:, None], max_depth=1)
    return order[: int(tree["threshold"]) + 1], [tree[s]["value"][0] for s in ("left", "right")]


def stump_on_levels():
    """What one cut of a categorical feature predicts for each level."""
    left, (low, high) = cut_of_levels(np.tile(LEVELS, 3), np.tile(LEVEL_MEANS, 3))
    return np.where(np.isin(LEVELS, left), low, high)


def their_stump_on_levels():
    """The same by treelab."""
    X = pd.DataFrame({"level": pd.Categorical(np.tile(LEVELS, 3), categories=LEVELS)})
    model = DecisionTreeRegressor(max_depth=1).fit(X, np.tile(LEVEL_MEANS, 3))
    return model.predict(X.iloc[:8])


def draw_levels(ax, result):
    """The mean of every level and the prediction for it."""
    ax.plot(range(8), LEVEL_MEANS, "o", color="#8a8a8a", label="mean of the category")
    ax.plot(range(8), result, "_", color=COLORS[0], ms=16, mew=3, label="prediction")
    ax.set_xticks(range(8), LEVELS)


def leaves_by_decrease(model=own_numbers):
    """Leaves left by a least impurity decrease."""
    rng = np.random.default_rng(2)
    x = rng.uniform(size=(150, 1))
    y = np.sin(6 * x[:, 0]) + rng.normal(scale=0.4, size=150)
    least = np.array([0.0005, 0.001, 0.002, 0.004, 0.008])
    return {
        "least": least,
        "leaves": np.array([model(x, y, least=d).get_n_leaves() for d in least]),
        "_thousandths": 1000 * least,
    }


def gains_of_cuts(gains=own_gains):
    """The gain of each cut of ten rows, by the measure that is taken where none is named."""
    return gains(np.arange(10.0), np.array(list("aaabaabbbb")))


def coarse_tree(predictor=centered):
    """A regression tree of depth 2 on targets around 100."""
    x = np.arange(20.0)
    y = 100 + 8 * np.sin(x / 3) + np.tile([1.0, -1.0], 10)
    model = SimpleNamespace(predict=predictor(x[:, None], y, max_depth=2))
    return over_the_line(model, x, y, np.arange(-0.25, 20, 0.5))


def by_treelab(sign, model=their_numbers):
    """A check: the sign by the code on show, and by treelab."""
    return lambda: (sign(), sign(model))


# --- answers to exercises -----------------------------------------------------------------


def answer_threshold():
    """impurity-3: the best cut of one feature and its Gini gain."""

    def best_threshold(x, y):
        gained, _, threshold, _ = best_cut(x[:, None], indicators(y), np.ones(len(y)), spread)
        return threshold, gained

    return best_threshold


def indicators(y):
    """A column for each class."""
    return (np.unique(y) == np.asarray(y)[:, None]).astype(float)


def answer_gains():
    """growing-2: the gains of all splits of targets in order."""

    def gains(y):
        return [gained for _, gained, _ in cuts(np.arange(len(y)), np.array(y)[:, None])]

    return gains


def answer_levels():
    """growing-3: the levels on the side of the lower mean."""

    def best_levels(level, y):
        left, (low, high) = cut_of_levels(np.asarray(level), y)
        return set(left) if low < high else set(level) - set(left)

    return best_levels


def answer_cut_gains():
    """hw1-5: all cuts of one feature and their Gini gains."""

    def cut_gains(x, y, w, n_classes):
        found = cuts(x, np.eye(n_classes)[y], w)
        return np.array([s for s, _, _ in found]), np.array([g for _, g, _ in found])

    return cut_gains


def answer_question():
    """hw1-6: the best question, or () where there is none."""

    def best_question(X, y, w, n_classes, min_leaf):
        cut = best_cut(X, np.eye(n_classes)[y], w, spread, min_leaf)
        return () if cut is None else (cut[1], cut[2], cut[0])

    return best_question


def answer_grow():
    """hw1-7: a tree as nested dictionaries."""

    def renamed(tree):
        found = {"shares": tree["value"]}
        for name in ("feature", "threshold"):
            found |= {name: tree[name]} if name in tree else {}
        for side in ("left", "right"):
            found |= {side: renamed(tree[side])} if side in tree else {}
        return found

    def nested(X, y, w, n_classes, max_depth, min_leaf):
        return renamed(grow(X, np.eye(n_classes)[y], w, spread, min(max_depth, 99), min_leaf))

    return nested


def answer_grow_tree():
    """growing-7: a regression tree as nested tuples."""

    def tuples(tree):
        if "feature" not in tree:
            return tree["value"][0]
        return tree["feature"], tree["threshold"], tuples(tree["left"]), tuples(tree["right"])

    def grow_tree(X, y, max_depth, min_leaf):
        X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
        return tuples(grow(X, y[:, None], max_depth=max_depth, min_leaf=min_leaf))

    return grow_tree


EXHIBITS = [
    Exhibit(
        id="m-cut-on-a-value",
        title="The threshold sits on a row",
        room=3,
        origin="student",
        code=midpoint,
        before="low / 2 + high / 2",
        after="low",
        public="treelab.DecisionTreeClassifier",
        agrees=by_treelab(two_clouds, their_classes),
        story=(
            "The search runs through the sorted values, finds the position of the best "
            "split, and uses the value at this position as the threshold. The training rows "
            "are not affected. New rows are affected, however, because the boundary lies "
            "directly at the rows of one class."
        ),
        notice=(
            "Look for thresholds that are values of the data. Alternatively, change the "
            "sign of the feature. A boundary halfway between two rows stays where it is, "
            "whereas this one jumps to the other class."
        ),
        sign=two_clouds,
        picture=regions("x[0]", "x[1]"),
        caption=(
            "Two clusters and the boundary between them. A boundary halfway between them treats "
            "both alike. With the fault it touches the left cluster, and new rows just beyond "
            "it are assigned to the other class."
        ),
        alt=(
            "On the left, a vertical boundary stands in the middle between two clusters of "
            "points. On the right, it stands at the outermost point of the left cluster."
        ),
        caught_by=(
            ("impurity-3", answer_threshold, "not on one of them"),
            ("hw1-5", answer_cut_gains, "lies on a value of x"),
        ),
    ),
    Exhibit(
        id="m-half-difference",
        title="Half the difference",
        room=3,
        origin="student",
        code=midpoint,
        before="low / 2 + high / 2",
        after="high / 2 - low / 2",
        public="treelab.DecisionTreeRegressor",
        agrees=by_treelab(far_from_zero),
        story=(
            "The midpoint of two numbers was computed as half their difference, which is "
            "the distance to the midpoint rather than the midpoint itself. For 0 and 1, the "
            "first example that most people try, both are 0.5."
        ),
        notice=(
            "Print the thresholds together with the range of the feature. For temperatures "
            "from 20 to 29, no threshold can be 0.5."
        ),
        sign=far_from_zero,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "Ten rows with x from 20 to 29. With the fault all thresholds are 0.5, so every "
            "row goes to the right at every node."
        ),
        alt=(
            "On the left, three steps pass through all points. On the right, there is one flat "
            "line at the level of the last four points."
        ),
        caught_by=(
            ("impurity-3", answer_threshold, "half their difference"),
            ("hw1-5", answer_cut_gains, "not (b - a) / 2"),
        ),
    ),
    Exhibit(
        id="m-stop-at-zero-gain",
        title="No gain, no split",
        room=3,
        origin="student",
        code=grow,
        before="decrease < least - TINY",
        after="decrease <= least + TINY",
        public="treelab.DecisionTreeClassifier",
        agrees=by_treelab(four_corners, their_classes),
        story=(
            "A split without a gain seems to be useless, so growth was stopped there. "
            "However, in the XOR pattern every split of the root has a gain of zero, and "
            "yet the splits below it separate the classes without an error."
        ),
        notice=(
            "Grow a tree without any limits on data in which equal rows always have the "
            "same class. The training error must be 0."
        ),
        sign=four_corners,
        picture=regions("x[0]", "x[1]"),
        caption=(
            "The XOR pattern with nine rows in each corner. With the fault the tree is a "
            "single leaf."
        ),
        alt=(
            "On the left, the plane is divided into four squares, each in the color of the "
            "class in its corner. On the right, the whole plane has the color of one class."
        ),
        caught_by=(
            ("hw1-7", answer_grow, "no first split gains anything"),
            ("growing-7", answer_grow_tree, "because no split gains anything"),
        ),
    ),
    Exhibit(
        id="m-least-rows-of-both",
        title="Enough rows together",
        room=3,
        origin="student",
        code=cuts,
        before="min(left.sum(), (~left).sum()) >=",
        after="left.sum() + (~left).sum() >=",
        public="treelab.DecisionTreeRegressor",
        agrees=by_treelab(with_outliers),
        story=(
            "The minimum number of rows in a leaf was required of the node instead of each "
            "of its two children. The limit then has little effect, because a node with ten "
            "rows may split off a single one."
        ),
        notice=(
            "Count the rows in the leaves. The smallest leaf must contain at least "
            "`min_samples_leaf` of them."
        ),
        sign=with_outliers,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "Trees whose leaves should contain at least five rows, so that no leaf can "
            "follow a single outlier. With the fault, each of the three outliers gets its "
            "own leaf."
        ),
        alt=(
            "On the left, a few broad steps pass far from three outlying points. On the right, "
            "narrow spikes reach all three of them."
        ),
        caught_by=(
            ("hw1-6", answer_question, "fewer than min_leaf"),
            ("hw1-7", answer_grow, "fewer than min_leaf"),
            ("growing-7", answer_grow_tree, "fewer than min_leaf"),
        ),
    ),
    Exhibit(
        id="m-depth-off-by-one",
        title="One level too many",
        room=3,
        origin="student",
        code=grow,
        before="depth == max_depth",
        after="depth > max_depth",
        public="treelab.DecisionTreeRegressor",
        agrees=by_treelab(leaves_by_depth),
        story=(
            "Does the root have depth 0 or 1, and does the depth count nodes or splits? "
            "Here a node at the maximum depth was still split, so a row may pass one split "
            "more than the limit allows. A stump can then have four leaves."
        ),
        notice=("A tree of depth d has at most 2**d leaves. Grow a stump and count its leaves."),
        sign=leaves_by_depth,
        picture=bars(["1", "2", "3", "4"], "leaves", digits=0, xlabel="max_depth"),
        caption=(
            "Numbers of leaves of trees with max_depth 1 to 4. The largest possible numbers "
            "are 2, 4, 8 and 16."
        ),
        alt=(
            "On the left, the bars have the heights 2, 4, 8 and 16. On the right, they have the "
            "heights 4, 8, 16 and 23."
        ),
        caught_by=(
            ("hw1-7", answer_grow, "more than max_depth splits"),
            ("growing-7", answer_grow_tree, "than max_depth allows"),
        ),
    ),
    Exhibit(
        id="m-children-by-counts",
        title="Weighted children, combined by counts",
        room=3,
        origin="teaching code",
        code=gain,
        before="share = w[left].sum() / w.sum()",
        after="share = left.mean()",
        public="treelab.fast.growing.split_table",
        agrees=lambda: (weighted_cuts(), their_gains(PLACES, LETTERS, HEAVY, criterion="entropy")),
        story=(
            "Sample weights were added to existing code. The impurity of each child is "
            "computed with the weights, but the two impurities are still averaged by the "
            "numbers of rows. Without weights all tests pass. In boosting, however, which "
            "depends on the weights, each tree chooses the wrong split."
        ),
        notice=(
            "A row of weight 3 must have the same effect as three copies of it. Fit both "
            "versions and compare the trees."
        ),
        sign=weighted_cuts,
        picture=lines("cut", {"gain": ""}, "threshold", "entropy gain", marker="o"),
        caption=(
            "The gain of every split of twelve rows with the classes aaabbbbbbbba. The last "
            "row has a weight of 10 and the others a weight of 1. The best split separates "
            "the last row from the others. With the fault, its gain is small, and the split "
            "after the third row is chosen."
        ),
        alt=(
            "Both panels show a curve of gains over eleven thresholds. On the left, it is low "
            "and then rises to 0.52 at the last threshold. On the right, it peaks at the third "
            "threshold, at 0.22."
        ),
        caught_by=(("hw1-5", answer_cut_gains, "you combine the sides by their rows"),),
    ),
    Exhibit(
        id="m-weights-forgotten",
        title="Weights that are read and dropped",
        room=3,
        origin="student",
        code=weights,
        before="np.ones(n) if w is None else np.asarray(w, dtype=float)",
        after="np.ones(n)",
        public="treelab.DecisionTreeRegressor",
        agrees=by_treelab(weighted_steps),
        story=(
            "The method accepts `sample_weight` and checks it, but then continues with "
            "weights of one. There is no error and no warning, because a parameter that is "
            "ignored looks exactly like one that has little effect."
        ),
        notice=(
            "Give one row a weight so large that the others hardly matter. All predictions "
            "must move towards its target."
        ),
        sign=weighted_steps,
        picture=panels(draw_weighted_steps, "x", "prediction"),
        caption=(
            "A stump on ten rows, where the two large points have a weight of 20 each. With "
            "the weights, the split lies between them. With the fault, it separates the two "
            "light rows on the right from the others."
        ),
        alt=(
            "On the left, the step is between the two large points, at x = 4.5. On the right, "
            "it is at x = 7.5, and the lower level passes above one large point and below the "
            "other."
        ),
        caught_by=(("hw1-5", answer_cut_gains, "without the weights"),),
    ),
    Exhibit(
        id="m-alphabetical-levels",
        title="Categories in alphabetical order",
        room=3,
        origin="student",
        code=in_order,
        before='levels[np.argsort(means, kind="stable")]',
        after="levels",
        public="treelab.DecisionTreeRegressor",
        agrees=lambda: (stump_on_levels(), their_stump_on_levels()),
        story=(
            "The categories were coded as 0, 1, 2, ... in alphabetical order, and the codes "
            "were split like numbers. Only categories that are neighbors in the alphabet "
            "can then form a group, so the tree needs many splits to send the categories "
            "with low means to one side, for which a single split should suffice."
        ),
        notice=("Rename the categories and fit the tree again. The predictions must not change."),
        sign=stump_on_levels,
        picture=panels(draw_levels, "category", "y", legend=True),
        caption=(
            "One split of a feature with eight categories. In the order of their means, it "
            "separates the low categories from the high ones, which is impossible in "
            "alphabetical order."
        ),
        alt=(
            "On the left, the predictions are 1.5 for the four low categories and 5.75 for the "
            "four high ones. On the right, the prediction is 3.9 for the categories a to g and "
            "2 for h alone."
        ),
        caught_by=(("growing-3", answer_levels, "sort the categories by the mean"),),
    ),
    Exhibit(
        id="m-decrease-of-the-node",
        title="A limit that is easier to pass further down",
        room=3,
        origin="student",
        code=grow,
        before="w.sum() / W * decrease",
        after="decrease",
        public="treelab.DecisionTreeRegressor",
        agrees=by_treelab(leaves_by_decrease),
        story=(
            "The minimum impurity decrease is defined relative to the whole data set. If it "
            "is compared with the decrease per row *of the node*, it becomes a weaker "
            "condition as the nodes become smaller. A node with four rows then passes "
            "although its split hardly changes the tree."
        ),
        notice=(
            "Add up the impurity decreases that a tree reports. Each of its splits must "
            "reach the limit, so the limit times the number of splits cannot exceed the "
            "impurity of the root."
        ),
        sign=leaves_by_decrease,
        picture=lines("_thousandths", {"leaves": ""}, "limit, in 1/1000", "leaves", marker="o"),
        caption=(
            "Numbers of leaves as the limit increases. The correct tree soon has few leaves. "
            "With the fault the limit has little effect, because small nodes meet it easily."
        ),
        alt=(
            "On the left, a curve falls steeply from 85 leaves to a few. On the right, it falls "
            "slowly from 145 leaves to 90."
        ),
    ),
    Exhibit(
        id="m-another-default",
        title="Another default",
        room=3,
        origin="student",
        code=cuts,
        before="Q=spread",
        after="Q=bits",
        public="treelab.fast.growing.split_table",
        agrees=by_treelab(gains_of_cuts, their_gains),
        story=(
            "Somebody preferred the entropy and changed the default value of a parameter. "
            "Every call that relied on the old default still runs, but it returns the "
            "values of another criterion under the same name."
        ),
        notice=(
            "The Gini gain of a split for two classes never exceeds 0.5. A larger value "
            "must come from another criterion."
        ),
        sign=gains_of_cuts,
        picture=lines("cut", {"gain": ""}, "threshold", "gain", marker="o"),
        caption=(
            "The values returned for the same ten rows if no criterion is named. The curves "
            "have a similar shape, but their units differ."
        ),
        alt=(
            "Both panels show a curve of gains over nine thresholds, and the two curves have "
            "the same shape. The one on the right is about twice as high."
        ),
        caught_by=(("growing-2", answer_gains, "the gains are"),),
    ),
    Exhibit(
        id="m-center-forgotten",
        title="Moved to zero and not moved back",
        room=3,
        origin="student",
        code=centered,
        before="center + predict(tree, X)[:, 0]",
        after="predict(tree, X)[:, 0]",
        public="treelab.DecisionTreeRegressor",
        agrees=by_treelab(
            coarse_tree, lambda *rows, **limits: their_numbers(*rows, **limits).predict
        ),
        story=(
            "For numerical accuracy, the mean of all targets is subtracted before growth. "
            "It has to be added again when a leaf predicts, which was forgotten. "
            "Standardized targets with a mean of 0 do not reveal this fault."
        ),
        notice=(
            "On the training rows, the mean of the predictions must equal the mean of the targets."
        ),
        sign=coarse_tree,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "A tree of depth 2 on targets around 100. With the fault its predictions are around 0."
        ),
        alt=(
            "On the left, a few steps follow the points around 100. On the right, the same "
            "steps are near 0, far below the points."
        ),
    ),
]
