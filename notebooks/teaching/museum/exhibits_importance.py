"""The room of chapter 12: importance."""

from itertools import combinations, product

import numpy as np
from museum import Exhibit, bars, points

from treelab import (
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    RandomForestRegressor,
)
from treelab.importance import (
    compare_rankings,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
    shapley_values,
)
from treelab.importance.permutation import _shuffled
from treelab.importance.shapley import TINY, _credit


def one_signal(n=120, p=4, noise=1.0, seed=0):
    """A number that depends on the first feature alone."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, 2.0 * (X[:, 0] > 0) + rng.normal(0, noise, n)


def importances_of_a_tree():
    return mean_decrease_impurity(DecisionTreeRegressor().fit(*one_signal()))


def importances_of_splits():
    """A feature with one large split, one with two, and one with four smaller ones."""
    X = np.array(list(product((0, 1), repeat=3)) * 3, dtype=float)
    side = np.where(X[:, 0] == X[:, 1], 1, -1)
    y = 8 * X[:, 0] + 7 * X[:, 1] + 9 * (X[:, 2] - 0.5) * side
    return mean_decrease_impurity(DecisionTreeRegressor().fit(X, y))


def importances_of_rounds():
    model = GradientBoostingRegressor(n_estimators=60, learning_rate=0.3, max_depth=2)
    return mean_decrease_impurity(model.fit(*one_signal(noise=0.5)))


def caller_table():
    X, y = one_signal(60, 2)
    mine = X.copy()
    tree = DecisionTreeRegressor(max_depth=3).fit(X, y)
    permutation_importance(tree, mine, y, n_repeats=1, random_state=0)
    return {"before": X[:, 0], "after": mine[:, 0]}


def shuffled_importances():
    X, y = one_signal(200, 5, seed=2)
    tree = DecisionTreeRegressor(max_depth=8).fit(X[:100], y[:100])
    result = permutation_importance(tree, X[100:], y[100:], random_state=0)
    return result.importances_mean


def oob_importances():
    X, y = one_signal(100, 4, noise=1.5)
    forest = RandomForestRegressor(15, max_features=2, random_state=0).fit(X, y)
    return oob_permutation_importance(forest, X, y, random_state=0).importances_mean


def taus_after_one_exchange():
    """The last two places of a ranking exchanged, whatever the features are called."""
    taus = []
    for seed in range(6):
        first = np.random.default_rng(seed).permutation(6).tolist()
        second = [*first[:4], first[5], first[4]]
        taus.append(compare_rankings(first, second)["kendall_tau"])
    return np.array(taus)


def sums_of_credit():
    rng = np.random.default_rng(0)
    X = (rng.random((200, 4)) < 0.4).astype(float)
    model = DecisionTreeRegressor().fit(X, 8 * X.prod(axis=1))
    found = shapley_values(model, X)
    return {"said": model.predict(X), "sum": found.expected_value + found["values"].sum(axis=1)}


# --- answers to exercises, made of treelab's own functions -----------------------------------


def mean_decrease():
    def answer(trees, n_features):
        forest = RandomForestRegressor(len(trees))
        forest.trees_, forest.n_features_in_ = list(trees), n_features
        forest.max_features_, forest.categories_ = n_features, {}
        return mean_decrease_impurity(forest)

    return answer


def expected_loss_of_shuffling():
    def answer(predict, X, y, j):
        before, rows = np.mean((predict(X) - y) ** 2), np.arange(len(X))
        after = [np.mean((predict(_shuffled(X, [j], np.roll(rows, i))) - y) ** 2) for i in rows]
        return np.mean(after) - before

    return answer


def compare():
    def answer(first, second, k):
        found = compare_rankings(first, second, top_k=k)
        return found["kendall_tau"], found["top_k_overlap"]

    return answer


def shapley():
    """The values of a game from those of its parts, in which a few win together or not at all."""

    def answer(v, p):
        values = np.zeros(p)
        for size in range(1, p + 1):
            for team in combinations(range(p), size):
                worth = sum(
                    (-1) ** (size - k) * v(part)
                    for k in range(size + 1)
                    for part in combinations(team, k)
                )
                values[list(team)] += worth * _credit(np.ones((1, size)), np.full(size, TINY))[0]
        return values

    return answer


def shuffle_losses():
    def answer(predict, X, y, groups, n_repeats, rng):
        def loss(table):
            return np.mean((predict(table) - y) ** 2)

        before, n = loss(X), len(X)
        return np.array(
            [
                [loss(_shuffled(X, group, rng.permutation(n))) - before for _ in range(n_repeats)]
                for group in groups
            ]
        )

    return answer


def shapley_of_a_row():
    def answer(predict, X, x):
        def v(known):
            table = X.copy()
            table[:, list(known)] = x[list(known)]
            return np.mean(predict(table))

        return shapley()(v, len(x))

    return answer


# --- the exhibits ----------------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-importance-unweighted",
        title="Impurities without their weights",
        room=12,
        origin="student",
        target="treelab.importance.impurity_based:_decreases",
        before="R = tree.weighted_n_node_samples * tree.impurity",
        after="R = tree.impurity",
        story=(
            "The impurities of the children were subtracted from that of their node, without the "
            "number of cases that each holds. Two children then count in full, though together "
            "they have only the cases of the node, and a good split can look like a loss. And a "
            "split of three cases counts as much as the first of all."
        ),
        notice="No split makes the impurity larger: an importance below 0 or above 1 cannot be.",
        sign=importances_of_a_tree,
        picture=bars(["0", "1", "2", "3"], "importance", xlabel="feature"),
        caption=(
            "Importances in a full tree; only feature 0 says something about the target. With "
            "the fault the others are below 0, and it has more than all there is."
        ),
        alt="Four bars. Left, all are above 0; right, the first is above 1 and three point down.",
        caught_by=(("importance-2", mean_decrease, "with the weight W of each"),),
    ),
    Exhibit(
        id="m-squared-again",
        title="Squares squared again",
        room=12,
        origin="student",
        target="treelab.importance.impurity_based:_decreases",
        before="drop, minlength=p",
        after="drop**2, minlength=p",
        story=(
            "Friedman's measure sums squared improvements, and the improvement of a split was "
            "squared. But it is a difference of sums of squares already. Squared again, one "
            "large split outweighs several smaller ones that explain more together."
        ),
        notice="Multiply the target by 10: raw decreases must grow by 100, not by 10 000.",
        sign=importances_of_splits,
        picture=bars(["1", "2", "4"], "importance", xlabel="splits on the feature"),
        caption=(
            "Three features, with one large split, with two, and with four smaller ones that "
            "explain most. With the fault the one split wins."
        ),
        alt="Three bars. Left, the third is the highest; right, the first, by far.",
        caught_by=(("importance-2", mean_decrease, "you squared the total gains"),),
    ),
    Exhibit(
        id="m-every-tree-the-same",
        title="Every tree has the same say",
        room=12,
        origin="student",
        target="treelab.importance.impurity_based:mean_decrease_impurity",
        before='if normalize == "tree":',
        after="if normalize is not None:",
        story=(
            "The decreases of each tree were divided by their sum before they were averaged. In a "
            "forest, whose trees explain alike, that is a choice like another. In boosting the "
            "first trees explain nearly everything and the last ones fit noise, and now they "
            "count the same."
        ),
        notice="Double the number of rounds: importances must hardly move when the loss does not.",
        sign=importances_of_rounds,
        picture=bars(["0", "1", "2", "3"], "importance", xlabel="feature"),
        caption=(
            "Importances after sixty rounds; only feature 0 says something about the target. "
            "With the fault the noise has most of it."
        ),
        alt="Four bars. Left, the first is by far the highest; right, the others come close to it.",
        caught_by=(("importance-2", mean_decrease, "divided each tree by its own sum"),),
    ),
    Exhibit(
        id="m-callers-table",
        title="Your table, shuffled",
        room=12,
        origin="teaching code",
        target="treelab.importance.permutation:_shuffled",
        before="shuffled = X.copy()",
        after="shuffled = X",
        story=(
            "The column is shuffled in the table that the caller has passed. All later columns "
            "are measured on a table with shuffled neighbors, and when the function returns, the "
            "caller's data are gone."
        ),
        notice="Keep a copy of X, call the function, and compare.",
        sign=caller_table,
        picture=points("before", "after", "before the call", "after it", line="diagonal"),
        caption=(
            "The caller's first column before and after the call. With the fault its values "
            "belong to other rows."
        ),
        alt="Left, all points on the diagonal; right, a cloud.",
        caught_by=(
            ("importance-3", expected_loss_of_shuffling, "you changed `X` itself"),
            ("hw6-5", shuffle_losses, "X or y has changed"),
        ),
    ),
    Exhibit(
        id="m-whole-rows",
        title="Whole rows shuffled",
        room=12,
        origin="student",
        target="treelab.importance.permutation:_shuffled",
        before="shuffled[:, group] = X[np.ix_(source, group)]",
        after="shuffled = X[source]",
        story=(
            "All columns were shuffled together, which is the same as shuffling the target. That "
            "breaks every connection at once, and each feature is charged for all of them."
        ),
        notice=(
            "Every feature has the same importance, even a column of random numbers that you add."
        ),
        sign=shuffled_importances,
        picture=bars(["0", "1", "2", "3", "4"], "loss of score", xlabel="feature"),
        caption=(
            "Permutation importances; only feature 0 says something about the target. With the "
            "fault all features look alike."
        ),
        alt="Five bars. Left, only the first stands out; right, all have the same height.",
        caught_by=(
            ("importance-3", expected_loss_of_shuffling, "you shuffled whole rows"),
            ("hw6-5", shuffle_losses, "that the model never reads"),
        ),
    ),
    Exhibit(
        id="m-clipped-at-zero",
        title="Losses below zero cut off",
        room=12,
        origin="student",
        target="treelab.importance.permutation:_summary",
        before="importances_mean=importances.mean(axis=1)",
        after="importances_mean=np.maximum(importances, 0).mean(axis=1)",
        story=(
            "A negative importance was taken for an error and set to 0. For a feature of pure "
            "noise the losses scatter around 0; without the negative ones their mean is "
            "positive, and noise looks useful."
        ),
        notice="Add a column of random numbers: its importance must be negative now and then.",
        sign=lambda: shuffled_importances()[1:],
        picture=bars(["1", "2", "3", "4"], "loss of score", digits=3, xlabel="feature"),
        caption=(
            "Permutation importances of four features of noise on held-out rows. With the fault "
            "none is negative."
        ),
        alt="Four bars. Left, two point up and two down; right, all point up.",
    ),
    Exhibit(
        id="m-in-bag-rows",
        title="Importance on the rows in the bag",
        room=12,
        origin="student",
        target="treelab.importance.out_of_bag:oob_permutation_importance",
        before="rows = np.setdiff1d(np.arange(n), samples[b])",
        after="rows = np.unique(samples[b])",
        story=(
            "The columns were shuffled in the rows that the trees have learned from. There a tree "
            "knows its rows by heart, with the help of every feature that it asks about. "
            "Shuffling any of them hurts, noise as well."
        ),
        notice="Add a column of random numbers: its importance must lie around 0.",
        sign=oob_importances,
        picture=bars(["0", "1", "2", "3"], "increase of loss", xlabel="feature"),
        caption=(
            "Increase of the squared error; only feature 0 says something about the target. With "
            "the fault the noise is important, too."
        ),
        alt="Four bars. Left, the last three are below 0; right, all are high.",
    ),
    Exhibit(
        id="m-names-for-places",
        title="Rankings compared by their names",
        room=12,
        origin="student",
        target="treelab.importance.stability:compare_rankings",
        before="kendalltau(j, p)",
        after="kendalltau(first, second)",
        story=(
            "Kendall's tau was given the two lists of feature numbers. But what it has to compare "
            "is at which place each feature stands. A number of a feature is a name, and names "
            "have no size."
        ),
        notice="Call the features otherwise: how alike two rankings are must not change.",
        sign=taus_after_one_exchange,
        picture=bars(["1", "2", "3", "4", "5", "6"], "Kendall's tau", xlabel="naming"),
        caption=(
            "Two rankings that differ in their last two places, under six namings of the "
            "features. With the fault the answer depends on the names."
        ),
        alt="Six bars. Left, all have the same height; right, they differ.",
        caught_by=(("importance-5", compare, "not its number"),),
    ),
    Exhibit(
        id="m-equal-subsets",
        title="All subsets with the same weight",
        room=12,
        origin="student",
        target="treelab.importance.shapley:_credit",
        before="u = (nodes[:, None] + 1) / 2",
        after="u = np.full((len(nodes), 1), 0.5)",
        story=(
            "A Shapley value averages over the orders in which the features arrive. Averaged over "
            "the subsets of the others instead, each with the same weight, it becomes another "
            "measure (Banzhaf's): a fair coin for each feature, and no promise about the sum."
        ),
        notice="The values of a row must add up to its prediction less the mean prediction.",
        sign=sums_of_credit,
        picture=points("said", "sum", "prediction", "mean + values", line="diagonal"),
        caption=(
            "Mean prediction plus the values of a row, against its prediction; the target is 8 "
            "where all four features are 1. With the fault they do not add up."
        ),
        alt="Left, two points on the diagonal; right, points above and below it.",
        caught_by=(
            ("importance-6", shapley, "each with the same weight"),
            ("hw6-7", shapley_of_a_row, "the sets do not count alike"),
        ),
    ),
]
