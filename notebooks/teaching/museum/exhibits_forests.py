"""The rooms of chapters 8 and 9: bagging and random forests."""

import warnings
from types import SimpleNamespace

import numpy as np
from museum import Exhibit, bars, lines, over_a_grid, panels, regions
from signs import PREDICTED, coin_flips, on_the_line, wave
from sklearn.datasets import load_iris

from treelab import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.growing import draw_features
from treelab.out_of_bag import Fit, OutOfBag, draw_sample, unseen_by

REGIONS = regions("first feature", "second feature")


def table_of_shares(ax, result):
    """A square table of shares as grays."""
    ax.imshow(result, vmin=0, vmax=1, cmap="Greys")
    ax.set(xticks=[], yticks=[])


def plane_of_three_classes():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 2))
    y = np.where(X[:, 1] > 0.75, 1, np.where(X[:, 0] + rng.normal(0, 0.2, 120) > 0.5, 2, 0))
    tree = DecisionTreeClassifier(max_depth=3)
    bag = BaggingClassifier(tree, n_estimators=15, voting="hard", random_state=0)
    return over_a_grid(bag.fit(X, y), X, y, 0, 1, 41)


def root_weights():
    forest = RandomForestRegressor(6, max_depth=2, random_state=0).fit(*wave())
    return np.array([tree.weighted_n_node_samples[0] for tree in forest.trees_])


def oob_path_of_coin_flips():
    bag = BaggingClassifier(n_estimators=20, oob_score=True, random_state=0).fit(*coin_flips())
    return {"members": np.arange(1, 21), "error": bag.oob_error_path()}


def oob_path_of_few_members():
    X, y = coin_flips(120)
    y = np.where(np.arange(120) % 6 == 0, 0, 1)
    bag = BaggingClassifier(n_estimators=12, oob_score=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # too few members: that is the point
        bag.fit(X, y)
    return {"members": np.arange(1, 13), "error": bag.oob_error_path()}


def plane_of_a_checkerboard():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 2))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    forest = RandomForestClassifier(25, max_features=1, random_state=0).fit(X, y)
    return over_a_grid(forest, X, y, 0, 1, 41)


def iris_proximity():
    X, y = load_iris(return_X_y=True)
    rows = np.r_[0:12, 50:62, 100:112]
    return RandomForestClassifier(15, random_state=0).fit(X, y).proximity(X[rows])


def distinct_candidates():
    tries = draw_features(5, np.zeros(2000, dtype=int), [np.random.default_rng(0)])[:3]
    distinct = np.array([len(set(node)) for node in tries.T.tolist()])
    return np.bincount(distinct, minlength=4)[1:] / len(distinct)


# --- answers to exercises, made of treelab's own functions -----------------------------------


def elected(votes, n_classes):
    """The class that a bag of hard votes predicts."""
    bag = BaggingClassifier()
    bag.classes_ = np.arange(n_classes)
    bag.predict_proba = lambda X: np.eye(n_classes)[votes].mean(axis=0)
    return bag.predict(None)


def majority():
    def answer(votes, n_classes):
        return elected(votes, n_classes)

    return answer


def vote_gain():
    def answer(P, y):
        return np.mean(P != y) - np.mean(elected(P, 1 + max(P.max(), y.max())) != y)

    return answer


def root_shares():
    def answer(X, y, B, seed):
        rng, count = np.random.default_rng(seed), np.zeros(X.shape[1])
        for _ in range(B):
            i = np.repeat(*draw_sample(rng, len(y), len(y)))
            count[DecisionTreeClassifier(max_depth=1).fit(X[i], y[i]).tree_.feature[0]] += 1
        return count / B

    return answer


def members_on(samples, n):
    """An ensemble as `unseen_by` takes it: each member was fitted on one of the given samples."""
    return SimpleNamespace(_fits=[Fit(np.asarray(rows), None, n, 0) for rows in samples])


def oob_error():
    def answer(samples, said, y):
        K, n = 1 + max(said.max(), y.max()), len(y)
        judge = OutOfBag(y, K)
        for rows, votes in zip(unseen_by(members_on(samples, n), n), said, strict=True):
            judge.add(rows, np.eye(K)[votes[rows]])
        return judge.path[-1][0], judge.coverage

    return answer


def candidates():
    def answer(p, m, n_nodes, rng):
        return np.sort(draw_features(p, np.zeros(n_nodes, dtype=int), [rng])[:m].T, axis=1)

    return answer


def proximity():
    def answer(leaves):
        forest = RandomForestClassifier()
        forest.apply = lambda X: leaves
        return forest.proximity(None)

    return answer


def rows_of_groups():
    def answer(groups, rng):
        names = np.unique(groups)
        drawn = np.repeat(*draw_sample(rng, len(names), len(names)))
        return np.concatenate([np.flatnonzero(groups == names[g]) for g in drawn])

    return answer


def nested(tree, t, columns, n_classes):
    """A tree from node `t` on: (feature, cut, left, right), or the class shares of a leaf."""
    if tree.children_left[t] == -1:
        shares = np.zeros(n_classes)
        shares[columns] = tree.value[t, 0]
        return shares
    below = [nested(tree, side[t], columns, n_classes)
             for side in (tree.children_left, tree.children_right)]  # fmt: skip
    return int(tree.feature[t]), float(tree.threshold[t]), *below


def forest_of_pairs():
    def answer(X, y, n_classes, m, B, rng):
        seed = int(rng.integers(2**31 - 1))
        forest = RandomForestClassifier(B, max_features=m, random_state=seed).fit(X, y)
        trees = [nested(tree, 0, forest.classes_, n_classes) for tree in forest.trees_]
        return list(zip(trees, forest.estimators_samples_))

    return answer


def shares_of(tree, X):
    """Class shares of rows in a nested tree; (n_rows, n_classes)."""
    if isinstance(tree, np.ndarray):
        return np.tile(tree, (len(X), 1))
    feature, cut, left, right = tree
    return np.where(X[:, [feature]] <= cut, shares_of(left, X), shares_of(right, X))


def out_of_bag_path():
    def answer(forest, X, y, n_classes):
        judge = OutOfBag(y, n_classes)
        ensemble = members_on([rows for _, rows in forest], len(y))
        for (tree, _), rows in zip(forest, unseen_by(ensemble, len(y)), strict=True):
            judge.add(rows, shares_of(tree, X[rows]))
        return np.array(judge.path).T

    return answer


# --- the exhibits ----------------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-average-labels",
        title="Class numbers averaged",
        room=8,
        origin="student",
        target="treelab.bagging:BaggingClassifier.predict",
        before="return self.classes_[votes.argmax(axis=1)]",
        after=(
            "mean = votes @ np.arange(len(self.classes_))\n"
            "        return self.classes_[np.rint(mean).astype(int)]"
        ),
        story=(
            "Members that predict numbers are averaged, so the class numbers were averaged, too, "
            "and rounded. With two classes that is a vote. With three, half the votes for class "
            "0 and half for class 2 elect class 1, for which nobody has voted."
        ),
        notice=(
            "Give the classes other numbers. A prediction must not depend on which class is "
            "called 1."
        ),
        sign=plane_of_three_classes,
        picture=REGIONS,
        caption=(
            "Three classes: 0 on the left, 2 on the right, 1 at the top. With the fault class 1 "
            "also wins between the two others, where it has no case."
        ),
        alt=(
            "Three regions, left, top and right. In the right panel a band of the top class "
            "runs down between the two others."
        ),
        caught_by=(
            ("bagging-2", majority, "do not average"),
            ("instability-4", vote_gain, "do not average class numbers"),
        ),
    ),
    Exhibit(
        id="m-same-seed",
        title="The same seed for every member",
        room=8,
        origin="student",
        target="treelab.out_of_bag:member_generator",
        before="np.random.default_rng([seed, b])",
        after="np.random.default_rng(seed)",
        story=(
            "Each member makes its own generator, as it should, but from the same seed. So all "
            "draw the same bootstrap sample and grow the same tree, and their mean is that tree."
        ),
        notice=(
            "Compare the members: if all of them say the same everywhere, a hundred are no better "
            "than one."
        ),
        sign=lambda: on_the_line(BaggingRegressor(n_estimators=10, random_state=0), *wave()),
        picture=PREDICTED,
        caption=(
            "Ten bagged trees. Their mean is smoother than any of them; with the fault it is one "
            "tree, with its jumps."
        ),
        alt="Left, many small steps that follow a wave; right, fewer and larger jumps.",
        caught_by=(("hw4-5", forest_of_pairs, "two trees have the same sample"),),
    ),
    Exhibit(
        id="m-repeats-dropped",
        title="Repeats thrown away",
        room=8,
        origin="student",
        target="treelab.out_of_bag:draw_sample",
        before="return rows, counts[rows]",
        after="return rows, np.ones_like(counts[rows])",
        story=(
            "The drawn row numbers were made into a set. A case that was drawn three times then "
            "counts once, and the sample holds about 63 of 100 cases instead of 100."
        ),
        notice="Add up the weight in the root of a tree: it must be the number of cases.",
        sign=root_weights,
        picture=bars([str(b) for b in range(6)], "weight in the root", digits=0, xlabel="tree"),
        caption=(
            "Weight in the roots of six trees, grown on 60 cases. With the fault more than a third "
            "of it is missing."
        ),
        alt="Six bars. Left, all have the height 60; right, they are about 40 high.",
        caught_by=(
            ("instability-5", root_shares, "the prescribed draws"),
            ("hw3-5", rows_of_groups, "no group ever comes twice"),
        ),
    ),
    Exhibit(
        id="m-oob-everyone",
        title="Everyone may judge",
        room=8,
        origin="student",
        target="treelab.out_of_bag:unseen_by",
        before="        unseen[sample] = False\n",
        after="",
        story=(
            "The out-of-bag error was taken over the vote of all members. Two thirds of them have "
            "seen the case and remember its label, so the estimate is the training error under "
            "another name."
        ),
        notice=(
            "Flip a coin for every label: the out-of-bag error must stay near one half. Or look "
            "whether it falls to the training error as members are added."
        ),
        sign=oob_path_of_coin_flips,
        picture=lines("members", {"error": ""}, "members", "out-of-bag error"),
        caption=(
            "Out-of-bag error on labels that are coin flips. It should stay near one half; with "
            "the fault it falls almost to 0."
        ),
        alt="Left, a curve that wanders around 0.5; right, a curve that falls almost to 0.",
        caught_by=(
            ("bagging-3", oob_error, "that have not drawn a case"),
            ("hw4-6", out_of_bag_path, "that have not drawn it"),
        ),
    ),
    Exhibit(
        id="m-oob-uncovered",
        title="No vote taken for a vote",
        room=8,
        origin="student",
        target="treelab.out_of_bag:OutOfBag.add",
        before=(
            "covered = np.flatnonzero(self.votes)\n"
            "        if not len(covered):\n"
            "            self.path.append((np.nan, 0.0))\n"
            "            return\n"
            "        mean = self.sums[covered] / self.votes[covered, None]"
        ),
        after=(
            "covered = np.arange(len(self.votes))\n"
            "        mean = self.sums / np.maximum(self.votes, 1)[:, None]"
        ),
        story=(
            "With few members some cases are in every sample, and nobody may judge them. Their "
            "row of votes holds zeros, and the largest of equal zeros is the first: they count as "
            "votes for class 0."
        ),
        notice=(
            "Ask how many cases the error rests on. With one member it can be only about 37 of 100."
        ),
        sign=oob_path_of_few_members,
        picture=lines("members", {"error": ""}, "members", "out-of-bag error", marker="o"),
        caption=(
            "Out-of-bag error after each member; most cases are of class 1. With the fault it "
            "starts far too high and falls as the last cases find a judge."
        ),
        alt="Left, a nearly level curve; right, a curve that starts high and falls to its level.",
        caught_by=(
            ("bagging-3", oob_error, "has no vote"),
            ("hw4-6", out_of_bag_path, "with a judge so far"),
        ),
    ),
    Exhibit(
        id="m-no-bootstrap",
        title="A forest without bootstrap",
        room=9,
        origin="teaching code",
        target="treelab.base_forest:grow_forest",
        before=(
            "roots = [everything if n_draws is None else draw_sample(g, n, n_draws) "
            "for g in generators]"
        ),
        after="roots = [everything for g in generators]",
        story=(
            "Every tree is grown on all rows. Where the nodes try all features, as in a forest "
            "for numbers, nothing is left to chance: a hundred trees are one tree a hundred times."
        ),
        notice=(
            "Compare two trees of the forest, or predict the training targets: a forest that "
            "repeats them to the last digit has averaged nothing."
        ),
        sign=lambda: on_the_line(RandomForestRegressor(20, random_state=0), *wave()),
        picture=PREDICTED,
        caption=(
            "A forest of twenty trees. With the fault it runs through every single point, noise "
            "included."
        ),
        alt="Left, steps that follow a wave among the points; right, a zigzag through all points.",
        caught_by=(("hw4-5", forest_of_pairs, "knows every row by heart"),),
    ),
    Exhibit(
        id="m-features-once",
        title="Candidates drawn once for the tree",
        room=9,
        origin="teaching code",
        target="treelab.growing:draw_features",
        before="keys = [rng.random((k, p)) for rng, k in zip(generators, counts, strict=True)]",
        after=(
            "once = [rng.bit_generator.seed_seq.generate_state(p) for rng in generators]\n"
            "    keys = [np.tile(draw, (k, 1)) for draw, k in zip(once, counts, strict=True)]"
        ),
        story=(
            "The candidate features are drawn once for each tree, where the text says once for "
            "each node. A tree then never sees the features it has not drawn, and no tree can "
            "find what only two of them tell together."
        ),
        notice=(
            "Count the features that a deep tree asks about. If there are never more than the "
            "candidates of one node, the draw is in the wrong place."
        ),
        sign=plane_of_a_checkerboard,
        picture=REGIONS,
        caption=(
            "A checkerboard and a forest with one candidate for each node. With the fault each "
            "tree knows one feature only, and the squares are lost."
        ),
        alt="Left, four squares of two classes; right, an irregular pattern of stripes.",
        caught_by=(
            ("forests-5", candidates, "not at every node"),
            ("hw4-5", forest_of_pairs, "not at every node"),
        ),
    ),
    Exhibit(
        id="m-candidates-twice",
        title="A candidate drawn twice",
        room=9,
        origin="student",
        target="treelab.growing:draw_features",
        before="return np.argsort(np.concatenate(keys), axis=1).T",
        after="return (np.concatenate(keys) * p).astype(int).T",
        story=(
            "The features of a node were drawn one by one, each from all of them. So the same "
            "feature can come twice, and the node has fewer candidates than it was promised."
        ),
        notice=(
            "Ask for all features. Every node must then try each of them, and the forest must be "
            "the same as bagging; here some are left out."
        ),
        sign=distinct_candidates,
        picture=bars(["1", "2", "3"], "share of the nodes", xlabel="different candidates"),
        caption=(
            "Different candidates of 2000 nodes that ask for three of five features. With the "
            "fault about half of the nodes have fewer."
        ),
        alt="Left, a single bar: all nodes have three. Right, only about half have three.",
        caught_by=(("forests-5", candidates, "drawn the same feature twice"),),
    ),
    Exhibit(
        id="m-proximity-by-cases",
        title="Divided by the wrong number",
        room=9,
        origin="student",
        target="treelab.base_forest:BaseForest.proximity",
        before="np.divide(together, count,",
        after="np.divide(together, n,",
        story=(
            "The proximity of two cases is the share of trees that put them in one leaf. The "
            "counts were divided by the number of cases, because the table has that many rows."
        ),
        notice=(
            "Two cases with the same features share every leaf, so their proximity is 1. And add "
            "trees: the proximities must not grow with their number."
        ),
        sign=iris_proximity,
        picture=panels(table_of_shares, share=""),
        caption=(
            "Proximities of 36 irises, 12 of each species; black is 1. With the fault even "
            "twins look like strangers."
        ),
        alt="Left, three dark blocks along the diagonal of a square; right, three pale blocks.",
        caught_by=(("forests-3", proximity, "not of cases"),),
    ),
]
