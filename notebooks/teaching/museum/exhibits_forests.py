"""The rooms of chapters 9 and 10: bagging and random forests."""

import warnings
from types import SimpleNamespace

import numpy as np
from grower import grow, predict
from museum import Exhibit, bars, lines, over_a_grid, panels, regions
from signs import PREDICTED, coin_flips, on_the_line, wave
from sklearn.datasets import load_iris

from treelab import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

# --- the code on show -------------------------------------------------------------------


def elect(votes, n_classes):
    """The class with most votes at each point; `votes` is (n_trees, n_points)."""
    share = np.eye(n_classes)[votes].mean(axis=0)
    return share.argmax(axis=1)


def generator(seed, b):
    """The random generator of base estimator b."""
    return np.random.default_rng([seed, b])


def draw(rng, n):
    """The rows of a bootstrap sample, and how often each of them was drawn."""
    count = np.bincount(rng.integers(n, size=n), minlength=n)
    rows = np.flatnonzero(count)
    return rows, count[rows]


def bagged(X, y, B, seed, **limits):
    """Regression trees on bootstrap samples."""
    trees = []
    for b in range(B):
        rows, count = draw(generator(seed, b), len(y))
        tree = DecisionTreeRegressor(**limits).fit(X[rows], y[rows], sample_weight=count)
        trees.append(tree)
    return trees


def out_of_bag_path(samples, proportions, y):
    """Out-of-bag error after each tree, and the proportion of rows with a vote; two arrays.

    `proportions` holds the class proportions that each tree predicts, (n_trees, n, K).
    """
    sums, votes, path = np.zeros_like(proportions[0]), np.zeros(len(y)), []
    for rows, predicted in zip(samples, proportions):
        out = ~np.isin(np.arange(len(y)), rows)
        sums[out] += predicted[out]
        votes += out
        covered = votes > 0
        error = np.mean(sums[covered].argmax(axis=1) != y[covered]) if covered.any() else np.nan
        path.append((error, covered.mean()))
    return np.array(path).T


def candidates(p, m, n_nodes, rng):
    """Features that each node tries: m of p, drawn anew for each; (n_nodes, m)."""
    keys = rng.random((n_nodes, p))
    return keys.argsort(axis=1)[:, :m]


def proximity(leaves):
    """Proportion of the trees in which two rows share a leaf; `leaves` is (n, n_trees)."""
    together = np.sum(leaves[:, None] == leaves, axis=2)
    return together / leaves.shape[1]


# --- signs ------------------------------------------------------------------------------

REGIONS = regions("first feature", "second feature")
SEED = np.random.RandomState(0).randint(2**31 - 1)  # what treelab makes of random_state=0


def table_of_shares(ax, result):
    """A square table of shares as grays."""
    ax.imshow(result, vmin=0, vmax=1, cmap="Greys")
    ax.set(xticks=[], yticks=[])


def plane_of_three_classes(own=False):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 2))
    y = np.where(X[:, 1] > 0.75, 1, np.where(X[:, 0] + rng.normal(0, 0.2, 120) > 0.5, 2, 0))
    tree = DecisionTreeClassifier(max_depth=3)
    bag = BaggingClassifier(tree, n_estimators=15, voting="hard", random_state=0).fit(X, y)
    voted = SimpleNamespace(
        predict=lambda X: elect(np.array([tree.predict(X) for tree in bag.estimators_]), 3)
    )
    return over_a_grid(bag if own else voted, X, y, 0, 1, 41)


class MeanOfTrees:
    """Mean prediction of many regression trees."""

    def __init__(self, **settings):
        self.settings = settings

    def fit(self, X, y):
        self.trees = bagged(X, y, **self.settings)
        return self

    def predict(self, X):
        return np.mean([tree.predict(X) for tree in self.trees], axis=0)


def ten_bagged():
    return on_the_line(MeanOfTrees(B=10, seed=SEED), *wave())


def ten_agree():
    own = BaggingRegressor(n_estimators=10, random_state=0)
    return ten_bagged(), on_the_line(own, *wave())


def twenty_of_a_forest():
    return on_the_line(MeanOfTrees(B=20, seed=SEED), *wave())


def twenty_agree():
    own = RandomForestRegressor(20, random_state=0)
    return twenty_of_a_forest(), on_the_line(own, *wave())


def root_weights():
    trees = bagged(*wave(), B=6, seed=SEED, max_depth=2)
    return np.array([tree.tree_.weighted_n_node_samples[0] for tree in trees])


def weights_agree():
    forest = RandomForestRegressor(6, max_depth=2, random_state=0).fit(*wave())
    return root_weights(), np.array([tree.weighted_n_node_samples[0] for tree in forest.trees_])


def mostly_ones():
    """Coin flips for features, and five of six cases of class 1."""
    X, _ = coin_flips(120)
    return X, np.where(np.arange(120) % 6 == 0, 0, 1)


def bag_with_path(X, y, n_estimators):
    """A bag of trees with its out-of-bag error after each tree."""
    bag = BaggingClassifier(n_estimators=n_estimators, oob_score=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # too few trees: that is the point
        return bag.fit(X, y)


def path_of(data, n_estimators):
    """Out-of-bag error of a bag by the code on show."""
    X, y = data()
    bag = bag_with_path(X, y, n_estimators)
    proportions = np.array([tree.predict_proba(X) for tree in bag.estimators_])
    error, _ = out_of_bag_path(bag.estimators_samples_, proportions, y)
    return {"trees": np.arange(1, n_estimators + 1), "error": error}


def path_agrees(data, n_estimators):
    """A check: the errors by the code on show, and by treelab."""
    return lambda: (
        path_of(data, n_estimators)["error"],
        bag_with_path(*data(), n_estimators).oob_error_path(),
    )


def checkerboard():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 2))
    return X, ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)


def forest_of(X, y, B, m, rng):
    """Rows, counts and trees of a forest by the code on show."""
    forest = []
    for _ in range(B):
        rows, count = draw(rng, len(y))
        tries = iter(np.sort(candidates(X.shape[1], m, 2 * len(y), rng), axis=1))
        tree = grow(X[rows], np.eye(1 + y.max())[y[rows]], count * 1.0, tries=tries)
        forest.append((rows, count, tree))
    return forest


def plane_of_a_checkerboard(B=25, m=1):
    X, y = checkerboard()
    forest = forest_of(X, y, B, m, np.random.default_rng(0))
    model = SimpleNamespace(
        predict=lambda X: np.mean([predict(tree, X) for *_, tree in forest], axis=0).argmax(axis=1)
    )
    return over_a_grid(model, X, y, 0, 1, 41)


def checkerboard_agrees():
    """What can be compared where other candidates are drawn: two things, ours and treelab's.

    Trees on the same samples whose nodes may try every feature, and how many features the trees
    ask about whose nodes may try one.
    """
    X, y = checkerboard()
    new = np.random.default_rng(1).uniform(size=(500, 2))
    ours, own = {}, {}
    for k, (rows, count, tree) in enumerate(forest_of(X, y, 4, 2, np.random.default_rng(0))):
        ours[k] = predict(tree, new)
        every = DecisionTreeClassifier().fit(X[rows], y[rows], sample_weight=count)
        own[k] = every.predict_proba(new)
    one = RandomForestClassifier(5, max_features=1, random_state=0).fit(X, y)
    forest = forest_of(X, y, 5, 1, np.random.default_rng(0))
    ours["asked"] = np.array([len(asked(tree)) for *_, tree in forest])
    own["asked"] = np.array([len({*tree.feature[~tree.is_leaf].tolist()}) for tree in one.trees_])
    return ours, own


def asked(tree):
    """The features that a tree asks about."""
    if "feature" not in tree:
        return set()
    return {tree["feature"]} | asked(tree["left"]) | asked(tree["right"])


def irises():
    X, y = load_iris(return_X_y=True)
    return RandomForestClassifier(15, random_state=0).fit(X, y), X[np.r_[0:12, 50:62, 100:112]]


def iris_proximity():
    forest, X = irises()
    return proximity(forest.apply(X))


def proximity_agrees():
    forest, X = irises()
    return proximity(forest.apply(X)), forest.proximity(X)


def distinct_candidates():
    tries = candidates(5, 3, 2000, np.random.default_rng(0))
    distinct = np.array([len(set(node)) for node in tries.tolist()])
    return np.bincount(distinct, minlength=4)[1:] / len(distinct)


# --- answers to exercises ---------------------------------------------------------------


def majority():
    """bagging-2: the class that is elected."""
    return lambda votes, n_classes: elect(votes, n_classes)


def vote_gain():
    """instability-4: the error of single members less that of their vote."""

    def answer(P, y):
        return np.mean(P != y) - np.mean(elect(P, 1 + max(P.max(), y.max())) != y)

    return answer


def oob_error():
    """bagging-3: the out-of-bag error of votes, and the proportion of rows with a vote."""

    def answer(samples, said, y):
        shares = np.eye(1 + max(said.max(), y.max()))[said]
        return tuple(out_of_bag_path(samples, shares, y)[:, -1])

    return answer


def tried():
    """forests-5: the candidates of each node."""
    return lambda p, m, n_nodes, rng: np.sort(candidates(p, m, n_nodes, rng), axis=1)


def shared_leaves():
    """forests-3: proximities."""
    return lambda leaves: proximity(leaves)


def rows_of_groups():
    """hw3-6: the rows of a sample of groups."""

    def answer(groups, rng):
        names = np.unique(groups)
        drawn = np.repeat(*draw(rng, len(names)))
        return np.concatenate([np.flatnonzero(groups == names[g]) for g in drawn])

    return answer


def as_tuples(tree):
    """A tree of the code on show as (feature, cut, left, right), or the shares of a leaf."""
    if "feature" not in tree:
        return tree["value"]
    return tree["feature"], tree["threshold"], as_tuples(tree["left"]), as_tuples(tree["right"])


def forest_of_pairs():
    """hw4-5: a forest as pairs of a tree and its sample."""

    def answer(X, y, n_classes, m, B, rng):
        seed, forest = int(rng.integers(2**31 - 1)), []
        for b in range(B):
            own = generator(seed, b)
            rows, count = draw(own, len(y))
            tries = iter(candidates(X.shape[1], m, 2 * len(y), own))
            tree = grow(X[rows], np.eye(n_classes)[y[rows]], count * 1.0, tries=tries)
            forest.append((as_tuples(tree), np.repeat(rows, count)))
        return forest

    return answer


def shares_of(tree, X):
    """Class shares of rows in a tree of tuples; (n_rows, n_classes)."""
    if isinstance(tree, np.ndarray):
        return np.tile(tree, (len(X), 1))
    feature, cut, left, right = tree
    return np.where(X[:, [feature]] <= cut, shares_of(left, X), shares_of(right, X))


def path_of_pairs():
    """hw4-6: out-of-bag errors of such a forest."""

    def answer(forest, X, y, n_classes):
        shares = np.array([shares_of(tree, X) for tree, _ in forest])
        return out_of_bag_path([rows for _, rows in forest], shares, y)

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-average-labels",
        title="Class numbers averaged",
        room=9,
        origin="student",
        code=elect,
        before="return share.argmax(axis=1)",
        after="return np.rint(share @ np.arange(n_classes)).astype(int)",
        public="treelab.BaggingClassifier.predict",
        agrees=lambda: (plane_of_three_classes(), plane_of_three_classes(own=True)),
        story=(
            "In regression the predictions of the base estimators are averaged, so here the "
            "class numbers were averaged, too, and then rounded. With two classes this is a "
            "vote. With three classes, however, one half of the votes for class 0 and the other "
            "for class 2 elect class 1, for which no base estimator has voted."
        ),
        notice=(
            "Number the classes in another order. A prediction must not depend on which class "
            "is called 1."
        ),
        sign=plane_of_three_classes,
        picture=REGIONS,
        caption=(
            "Three classes: 0 on the left, 2 on the right, and 1 at the top. With the fault, "
            "class 1 also wins between the two others, where it has no rows."
        ),
        alt=(
            "Both panels show regions of three classes, on the left, on the right and at the "
            "top. In the right panel, a band of the class at the top runs down between the "
            "other two."
        ),
        caught_by=(
            ("bagging-2", majority, "do not average"),
            ("instability-4", vote_gain, "do not average class numbers"),
        ),
    ),
    Exhibit(
        id="m-same-seed",
        title="The same seed for every tree",
        room=9,
        origin="student",
        code=generator,
        before="[seed, b]",
        after="seed",
        public="treelab.BaggingRegressor",
        agrees=ten_agree,
        story=(
            "Each base estimator creates its own generator, as it should, but all of them use "
            "the same seed. Therefore all of them draw the same bootstrap sample and grow the "
            "same tree, and their mean is this tree."
        ),
        notice=(
            "Compare the base estimators. If all of them make the same predictions, a hundred "
            "of them are no better than one."
        ),
        sign=ten_bagged,
        picture=PREDICTED,
        caption=(
            "The mean of ten bagged trees. It should be smoother than any single tree, but with "
            "the fault it equals a single tree, with its jumps."
        ),
        alt=(
            "On the left, many small steps follow a wave of points. On the right, the steps are "
            "fewer and larger."
        ),
        caught_by=(("hw4-5", forest_of_pairs, "two trees have the same sample"),),
    ),
    Exhibit(
        id="m-repeats-dropped",
        title="Repeats thrown away",
        room=9,
        origin="student",
        code=draw,
        before="count[rows]",
        after="np.ones(len(rows), dtype=int)",
        public="treelab.RandomForestRegressor",
        agrees=weights_agree,
        story=(
            "The drawn row numbers were converted to a set. A row that was drawn three times "
            "then counts only once, and the sample contains about 63 of 100 rows instead of "
            "100."
        ),
        notice=(
            "Add up the weights in the root of a tree. They must add up to the number of rows."
        ),
        sign=root_weights,
        picture=bars([str(b) for b in range(6)], "weight in the root", digits=0, xlabel="tree"),
        caption=(
            "The total weight in the roots of six trees grown on 60 rows. With the fault, about "
            "a third of it is missing."
        ),
        alt=(
            "Both panels show six bars. On the left, all have the height 60. On the right, they "
            "are about 40 high."
        ),
        caught_by=(("hw3-6", rows_of_groups, "no group ever comes twice"),),
    ),
    Exhibit(
        id="m-oob-everyone",
        title="Every tree votes",
        room=9,
        origin="student",
        code=out_of_bag_path,
        before="~np.isin(np.arange(len(y)), rows)",
        after="np.full(len(y), True)",
        public="treelab.BaggingClassifier.oob_error_path",
        agrees=path_agrees(coin_flips, 20),
        story=(
            "The out-of-bag error was computed from the votes of all trees. About two thirds of "
            "them have seen the row and reproduce its label, so the estimate is nothing but the "
            "training error."
        ),
        notice=(
            "Toss a coin for every label. The out-of-bag error must then stay near one half. "
            "Alternatively, check whether it approaches the training error as trees are added."
        ),
        sign=lambda: path_of(coin_flips, 20),
        picture=lines("trees", {"error": ""}, "trees", "out-of-bag error"),
        caption=(
            "The out-of-bag error on labels that are coin tosses. It should stay near one half, "
            "but with the fault it falls almost to 0."
        ),
        alt=(
            "On the left, a curve rises to about 0.5 and stays near it. On the right, a curve "
            "falls almost to 0."
        ),
        caught_by=(
            ("bagging-3", oob_error, "that have not drawn a case"),
            ("hw4-6", path_of_pairs, "that have not drawn it"),
        ),
    ),
    Exhibit(
        id="m-oob-uncovered",
        title="No vote taken for a vote",
        room=9,
        origin="student",
        code=out_of_bag_path,
        before="votes > 0",
        after="votes >= 0",
        public="treelab.BaggingClassifier.oob_error_path",
        agrees=path_agrees(mostly_ones, 12),
        story=(
            "With few trees, some rows are in every sample, so they have no out-of-bag vote. "
            "Their numbers of votes are all zero, and because a tie goes to the first class, "
            "these rows are treated as if they had votes for class 0."
        ),
        notice=(
            "Ask on how many rows the error is based. With one tree it can be only about 37 of 100."
        ),
        sign=lambda: path_of(mostly_ones, 12),
        picture=lines("trees", {"error": ""}, "trees", "out-of-bag error", marker="o"),
        caption=(
            "The out-of-bag error after each tree, for data in which most rows are of class 1. "
            "With the fault it starts far too high, and falls as the last rows get a vote."
        ),
        alt=(
            "On the left, the curve is nearly level. On the right, it starts high and falls to "
            "the same level."
        ),
        caught_by=(
            ("bagging-3", oob_error, "has no vote"),
            ("hw4-6", path_of_pairs, "with an out-of-bag prediction so far"),
        ),
    ),
    Exhibit(
        id="m-no-bootstrap",
        title="A forest without bootstrap",
        room=10,
        origin="teaching code",
        code=draw,
        before="np.bincount(rng.integers(n, size=n), minlength=n)",
        after="np.ones(n, dtype=int)",
        public="treelab.RandomForestRegressor",
        agrees=twenty_agree,
        story=(
            "Every tree is grown on all rows. If all features are candidates, as they are by "
            "default in a regression forest, nothing is random any more, and all trees of the "
            "forest are the same."
        ),
        notice=(
            "Compare two trees of the forest, or predict the training targets. If the forest "
            "reproduces them to the last digit, averaging has had no effect."
        ),
        sign=twenty_of_a_forest,
        picture=PREDICTED,
        caption=(
            "The prediction of a forest of twenty trees. With the fault it passes through every "
            "single point and so reproduces the noise."
        ),
        alt=(
            "On the left, steps follow a wave among the points. On the right, a zigzag passes "
            "through all points."
        ),
        caught_by=(("hw4-5", forest_of_pairs, "draw with replacement"),),
    ),
    Exhibit(
        id="m-features-once",
        title="Candidates drawn once for the tree",
        room=10,
        origin="teaching code",
        code=candidates,
        before="rng.random((n_nodes, p))",
        after="np.tile(rng.random(p), (n_nodes, 1))",
        public="treelab.RandomForestClassifier",
        agrees=checkerboard_agrees,
        story=(
            "The candidate features are drawn once for each tree instead of once for each node. "
            "A tree can then never use the features that were not drawn, and no tree finds a "
            "pattern that only two features show together."
        ),
        notice=(
            "Count the features on which a deep tree splits. If there are never more of them "
            "than candidates at one node, the draw is in the wrong place."
        ),
        sign=plane_of_a_checkerboard,
        picture=REGIONS,
        caption=(
            "A checkerboard and a forest with one candidate feature for each node. With the "
            "fault, each tree uses only one feature, and the squares are lost."
        ),
        alt=(
            "On the left, four squares have the colors of two classes. On the right, the colors "
            "form an irregular pattern of stripes."
        ),
        caught_by=(
            ("forests-5", tried, "not at every node"),
            ("hw4-5", forest_of_pairs, "not at every node"),
        ),
    ),
    Exhibit(
        id="m-candidates-twice",
        title="A candidate drawn twice",
        room=10,
        origin="student",
        code=candidates,
        before="return keys.argsort(axis=1)[:, :m]",
        after="return (keys * p).astype(int)[:, :m]",
        public="treelab.RandomForestClassifier",
        agrees=checkerboard_agrees,
        story=(
            "The candidate features of a node were drawn one by one, each from all features. "
            "Therefore the same feature can be drawn twice, and the node has fewer candidates "
            "than it should."
        ),
        notice=(
            "Set the number of candidates to the number of features. Every node must then try "
            "all of them, and the forest must be the same as bagging. Here some features are "
            "left out."
        ),
        sign=distinct_candidates,
        picture=bars(["1", "2", "3"], "proportion of the nodes", xlabel="different candidates"),
        caption=(
            "The number of different candidate features of 2000 nodes, each of which draws "
            "three of five features. With the fault, about half of the nodes have fewer than "
            "three."
        ),
        alt=(
            "On the left, there is a single bar, because all nodes have three candidates. On "
            "the right, only about half of the nodes have three."
        ),
        caught_by=(("forests-5", tried, "drawn the same feature twice"),),
    ),
    Exhibit(
        id="m-proximity-by-cases",
        title="Divided by the wrong number",
        room=10,
        origin="student",
        code=proximity,
        before="leaves.shape[1]",
        after="len(leaves)",
        public="treelab.RandomForestClassifier.proximity",
        agrees=proximity_agrees,
        story=(
            "The proximity of two rows is the proportion of the trees in which they end in the "
            "same leaf. However, the counts were divided by the number of rows instead of the "
            "number of trees."
        ),
        notice=(
            "Two rows with the same features share every leaf, so their proximity must be 1. "
            "Moreover, proximities must not grow when trees are added."
        ),
        sign=iris_proximity,
        picture=panels(table_of_shares, share=""),
        caption=(
            "Proximities of 36 irises, 12 of each species, where black is 1. With the fault, "
            "even rows that share a leaf in every tree do not have a proximity of 1."
        ),
        alt=(
            "On the left, three dark blocks lie along the diagonal of a square. On the right, "
            "these blocks are pale."
        ),
        caught_by=(("forests-3", shared_leaves, "not of rows"),),
    ),
]
