"""The room of chapter 13: importance."""

from itertools import combinations, product
from math import comb

import numpy as np
from museum import Exhibit, bars, points
from scipy.stats import kendalltau

from treelab import DecisionTreeRegressor, GradientBoostingRegressor, RandomForestRegressor
from treelab.fast.importance import (
    compare_rankings,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
    shap_values,
)

# --- the code on show -------------------------------------------------------------------


def decreases(tree, p):
    """What the splits on each of p features take from the impurity of the root."""
    R = tree.weighted_n_node_samples * tree.impurity
    found = np.zeros(p)
    for t in np.flatnonzero(tree.children_left >= 0):
        drop = R[t] - R[tree.children_left[t]] - R[tree.children_right[t]]
        found[tree.feature[t]] += drop
    return found / tree.weighted_n_node_samples[0]


def mean_decrease(trees, p):
    """Importances of many trees, with the sum 1."""
    total = sum(decreases(tree, p) for tree in trees)
    return total / total.sum() if total.any() else total


def shuffled(X, columns, order):
    """A copy of the table in which some columns come from the rows in another order."""
    table = X.copy()
    table[:, columns] = X[order][:, columns]
    return table


def losses_of(score, X, groups, orders):
    """Loss of score for each group of columns and each order; (n_groups, n_orders)."""
    before = score(X)
    return np.array([[before - score(shuffled(X, g, order)) for order in orders] for g in groups])


def importances(losses):
    """Mean loss of each feature."""
    return losses.mean(axis=1)


def judged_rows(sample, n):
    """The rows on which the tree of a bootstrap sample is judged."""
    return np.setdiff1d(np.arange(n), sample)


def tau(first, second):
    """Kendall's tau of two rankings, lists of features with the best first."""
    j, p = np.argsort(first), np.argsort(second)  # place of each feature
    return kendalltau(j, p).statistic


def shapley(v, p):
    """Shapley values of the game v(set of players), over the sets without each player."""
    values = np.zeros(p)
    for j, size in product(range(p), range(p)):
        for S in combinations([k for k in range(p) if k != j], size):
            weight = 1 / (p * comb(p - 1, size))
            values[j] += weight * (v((*S, j)) - v(S))
    return values


# --- signs ------------------------------------------------------------------------------


def one_signal(n=120, p=4, noise=1.0, seed=0):
    """Features of which only the first says something about the target."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, 2.0 * (X[:, 0] > 0) + rng.normal(0, noise, n)


def splits_on_three():
    """A feature with one large split, one with two, and one with four smaller ones."""
    X = np.array(list(product((0, 1), repeat=3)) * 3, dtype=float)
    side = np.where(X[:, 0] == X[:, 1], 1, -1)
    return X, 8 * X[:, 0] + 7 * X[:, 1] + 9 * (X[:, 2] - 0.5) * side


def a_tree():
    return DecisionTreeRegressor().fit(*one_signal())


def a_tree_on_three():
    return DecisionTreeRegressor().fit(*splits_on_three())


def sixty_rounds():
    model = GradientBoostingRegressor(n_estimators=60, learning_rate=0.3, max_depth=2)
    return model.fit(*one_signal(noise=0.5))


def of_splits(fit):
    """A sign: the importances of a model by the code on show."""

    def sign():
        model = fit()
        trees = [tree for (tree,) in model.trees_] if hasattr(model, "trees_") else [model.tree_]
        return mean_decrease(trees, model.n_features_in_)

    return sign


def splits_agree(fit):
    """A check: the importances by the code on show, and by treelab."""
    return lambda: (of_splits(fit)(), mean_decrease_impurity(fit()))


def orders(n, repeats=5):
    """Orders of rows, each a shuffle of the one before, as scikit-learn draws them."""
    rng = np.random.RandomState(np.random.RandomState(0).randint(2**31))
    order, source, found = np.arange(n), np.arange(n), []
    for _ in range(repeats):
        rng.shuffle(order)
        source = source[order]
        found.append(source)
    return found


def caller_table():
    """A caller's first column before and after the features are shuffled."""
    X, y = one_signal(60, 2)
    mine = X.copy()
    tree = DecisionTreeRegressor(max_depth=3).fit(X, y)
    losses_of(lambda table: tree.score(table, y), mine, [[0], [1]], orders(60, 1))
    return {"before": X[:, 0], "after": mine[:, 0]}


def held_out():
    """A tree, and rows that it has not seen."""
    X, y = one_signal(200, 5, seed=2)
    return DecisionTreeRegressor(max_depth=8).fit(X[:100], y[:100]), X[100:], y[100:]


def shuffled_importances():
    tree, X, y = held_out()
    return importances(
        losses_of(lambda Z: tree.score(Z, y), X, [[j] for j in range(5)], orders(100))
    )


def permutation_agrees():
    return shuffled_importances(), permutation_importance(
        *held_out(), random_state=0
    ).importances_mean


def a_forest():
    X, y = one_signal(100, 4, noise=1.5)
    return RandomForestRegressor(15, max_features=2, random_state=0).fit(X, y), X, y


def oob_importances():
    """Increase of the squared error of the trees of a forest, on the rows that judge them."""
    forest, X, y = a_forest()
    rng, found = np.random.RandomState(0), []
    for tree, sample in zip(forest.trees_, forest.estimators_samples_):
        rows = judged_rows(sample, len(y))

        def score(Z, tree=tree, rows=rows):
            return -np.mean((tree.predict(Z)[:, 0] - y[rows]) ** 2)

        asked = np.unique(tree.feature[tree.children_left >= 0])
        increase = np.zeros(4)
        for j in asked:
            increase[j] = losses_of(score, X[rows], [[j]], [rng.permutation(len(rows))])[0, 0]
        found.append(increase)
    return np.mean(found, axis=0)


def oob_agrees():
    own = oob_permutation_importance(*a_forest(), random_state=0)
    return oob_importances(), own.importances_mean


def taus_after_one_exchange(tau=tau):
    """The last two places of a ranking exchanged, whatever the features are called."""
    taus = []
    for seed in range(6):
        first = np.random.default_rng(seed).permutation(6).tolist()
        taus.append(tau(first, [*first[:4], first[5], first[4]]))
    return np.array(taus)


def all_four():
    """A tree on a target that is 8 where all four features are 1."""
    X = (np.random.default_rng(0).random((200, 4)) < 0.4).astype(float)
    return DecisionTreeRegressor().fit(X, 8 * X.prod(axis=1)), X


def expected(tree, x, known, t=0):
    """What a tree says of x if only some features are known: both ways where one is not."""
    sides = tree.children_left[t], tree.children_right[t]
    if sides[0] < 0:
        return tree.value[t, 0, 0]
    if tree.feature[t] in known:
        return expected(tree, x, known, sides[int(x[tree.feature[t]] > tree.threshold[t])])
    shares = [tree.weighted_n_node_samples[s] / tree.weighted_n_node_samples[t] for s in sides]
    return sum(share * expected(tree, x, known, s) for share, s in zip(shares, sides))


def credits_of_all():
    """Mean prediction and Shapley values of all rows; (n,), (n, 4)."""
    model, X = all_four()
    rows, which = np.unique(X, axis=0, return_inverse=True)
    values = [shapley(lambda S, x=x: expected(model.tree_, x, S), 4) for x in rows]
    return expected(model.tree_, X[0], ()), np.array(values)[which.ravel()]


def sums_of_credit():
    model, X = all_four()
    mean, values = credits_of_all()
    return {"said": model.predict(X), "sum": mean + values.sum(axis=1)}


# --- answers to exercises ---------------------------------------------------------------


def answer_decrease():
    """importance-2: importances of a list of trees."""
    return lambda trees, n_features: mean_decrease(trees, n_features)


def expected_loss_of_shuffling():
    """importance-3: the mean over all shifts of a column."""

    def answer(predict, X, y, j):
        before, rows = np.mean((predict(X) - y) ** 2), np.arange(len(X))
        after = [np.mean((predict(shuffled(X, [j], np.roll(rows, i))) - y) ** 2) for i in rows]
        return np.mean(after) - before

    return answer


def compare():
    """importance-5: Kendall's tau, and how much of the first k places is shared."""

    def answer(first, second, k):
        return tau(first, second), len({*first[:k]} & {*second[:k]}) / len(
            {*first[:k], *second[:k]}
        )

    return answer


def answer_shapley():
    """importance-6: the values of a game."""
    return lambda v, p: shapley(v, p)


def shuffle_losses():
    """hw6-5: the increase of the loss for groups of columns."""

    def answer(predict, X, y, groups, n_repeats, rng):
        def score(table):
            return -np.mean((predict(table) - y) ** 2)

        return np.array(
            [
                losses_of(score, X, [group], [rng.permutation(len(X)) for _ in range(n_repeats)])[0]
                for group in groups
            ]
        )

    return answer


def shapley_of_a_row():
    """hw6-7: the values of a prediction, other rows standing in for what is not known."""

    def answer(predict, X, x):
        def v(known):
            table = X.copy()
            table[:, list(known)] = x[list(known)]
            return np.mean(predict(table))

        return shapley(v, len(x))

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-importance-unweighted",
        title="Impurities without their weights",
        room=13,
        origin="student",
        code=decreases,
        before="tree.weighted_n_node_samples * tree.impurity",
        after="tree.impurity",
        public="treelab.fast.importance.mean_decrease_impurity",
        agrees=splits_agree(a_tree),
        story=(
            "The impurities of the children were subtracted from that of their node without "
            "weighting them by their numbers of observations. Both children then count in "
            "full, although together they contain only the observations of the node, and a "
            "good split can appear to be a loss. In addition, a split of three observations "
            "counts as much as the split of the root."
        ),
        notice=(
            "No split increases the impurity, so an importance below 0 or above 1 is impossible."
        ),
        sign=of_splits(a_tree),
        picture=bars(["0", "1", "2", "3"], "importance", xlabel="feature"),
        caption=(
            "Importances in a fully grown tree, where only feature 0 carries information "
            "about the target. With the fault, the others are negative, and feature 0 has "
            "more than the total."
        ),
        alt="Four bars. Left, all are above 0; right, the first is above 1 and three point down.",
        caught_by=(("importance-2", answer_decrease, "with the weight W of each"),),
    ),
    Exhibit(
        id="m-squared-again",
        title="Squares squared again",
        room=13,
        origin="student",
        code=decreases,
        before="+= drop",
        after="+= drop**2",
        public="treelab.fast.importance.mean_decrease_impurity",
        agrees=splits_agree(a_tree_on_three),
        story=(
            "Friedman's measure is a sum of squared improvements, so the improvement of "
            "each split was squared. However, this improvement is already a difference of "
            "sums of squares. If it is squared again, one large split outweighs several "
            "smaller ones that explain more together."
        ),
        notice=(
            "Multiply the target by 10. The raw impurity decreases must grow by a factor of "
            "100 rather than 10 000."
        ),
        sign=of_splits(a_tree_on_three),
        picture=bars(["1", "2", "4"], "importance", xlabel="splits on the feature"),
        caption=(
            "Three features, one with a single large split, one with two splits, and one "
            "with four smaller splits, which together explain most. With the fault, the "
            "single split has the largest importance."
        ),
        alt="Three bars. Left, the third is the highest; right, the first, by far.",
        caught_by=(("importance-2", answer_decrease, "you squared the total gains"),),
    ),
    Exhibit(
        id="m-every-tree-the-same",
        title="Every tree has the same say",
        room=13,
        origin="student",
        code=mean_decrease,
        before="sum(decreases(tree, p) for tree in trees)",
        after="sum(d / d.sum() for d in (decreases(tree, p) for tree in trees))",
        public="treelab.fast.importance.mean_decrease_impurity",
        agrees=splits_agree(sixty_rounds),
        story=(
            "The impurity decreases of each tree were divided by their sum before they were "
            "averaged. In a random forest, whose trees explain similar amounts, this is a "
            "matter of choice. In boosting, however, the first trees explain nearly "
            "everything and the last ones fit noise, and with the fault they all count the "
            "same."
        ),
        notice=(
            "Double the number of rounds. If the loss does not change, the importances must "
            "hardly change."
        ),
        sign=of_splits(sixty_rounds),
        picture=bars(["0", "1", "2", "3"], "importance", xlabel="feature"),
        caption=(
            "Importances after sixty rounds, where only feature 0 carries information about "
            "the target. With the fault, the noise features have most of the importance."
        ),
        alt="Four bars. Left, the first is by far the highest; right, the others come close to it.",
        caught_by=(("importance-2", answer_decrease, "divided each tree by its own sum"),),
    ),
    Exhibit(
        id="m-callers-table",
        title="Your table, shuffled",
        room=13,
        origin="teaching code",
        code=shuffled,
        before="X.copy()",
        after="X",
        public="treelab.fast.importance.permutation_importance",
        agrees=permutation_agrees,
        story=(
            "The column was shuffled in the table of the caller. All later columns are then "
            "evaluated on a table whose other columns have been shuffled, and when the "
            "function returns, the data of the caller have been destroyed."
        ),
        notice="Keep a copy of X, call the function, and compare.",
        sign=caller_table,
        picture=points("before", "after", "before the call", "after it", line="diagonal"),
        caption=(
            "The first column of the caller before and after the call. With the fault, its "
            "values belong to other rows."
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
        room=13,
        origin="student",
        code=shuffled,
        before="table[:, columns] = X[order][:, columns]",
        after="table[:] = X[order]",
        public="treelab.fast.importance.permutation_importance",
        agrees=permutation_agrees,
        story=(
            "All columns were shuffled together, which is the same as shuffling the target. "
            "This breaks every relation at once, and each feature is credited with all of "
            "them."
        ),
        notice=(
            "Every feature has the same importance, even a column of random numbers that you add."
        ),
        sign=shuffled_importances,
        picture=bars(["0", "1", "2", "3", "4"], "loss of score", xlabel="feature"),
        caption=(
            "Permutation importances, where only feature 0 carries information about the "
            "target. With the fault, all features look alike."
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
        room=13,
        origin="student",
        code=importances,
        before="losses.mean(axis=1)",
        after="np.maximum(losses, 0).mean(axis=1)",
        public="treelab.fast.importance.permutation_importance",
        agrees=permutation_agrees,
        story=(
            "Negative importances were taken for errors and set to 0. The importance of a "
            "noise feature scatters around 0, so without the negative values its mean is "
            "positive, and noise seems to be useful."
        ),
        notice=("Add a column of random numbers. Its importance must sometimes be negative."),
        sign=lambda: 100 * shuffled_importances()[1:],
        picture=bars(["1", "2", "3", "4"], "loss, in 1/100", digits=1, xlabel="feature"),
        caption=(
            "Permutation importances of four noise features on held-out rows. With the "
            "fault none is negative."
        ),
        alt="Four bars. Left, two point up and two down; right, all point up.",
    ),
    Exhibit(
        id="m-in-bag-rows",
        title="Importance on the rows in the bag",
        room=13,
        origin="student",
        code=judged_rows,
        before="np.setdiff1d(np.arange(n), sample)",
        after="np.unique(sample)",
        public="treelab.fast.importance.oob_permutation_importance",
        agrees=oob_agrees,
        story=(
            "The columns were shuffled in the rows on which the trees were trained. A tree "
            "reproduces these rows with the help of every feature on which it splits. "
            "Shuffling any of these features therefore increases the error, even if the "
            "feature is noise."
        ),
        notice="Add a column of random numbers. Its importance must scatter around 0.",
        sign=oob_importances,
        picture=bars(["0", "1", "2", "3"], "increase of loss", xlabel="feature"),
        caption=(
            "Increase of the squared error, where only feature 0 carries information about "
            "the target. With the fault, the noise features seem to be important as well."
        ),
        alt="Four bars. Left, the last three are below 0; right, all are high.",
    ),
    Exhibit(
        id="m-names-for-places",
        title="Rankings compared by their names",
        room=13,
        origin="student",
        code=tau,
        before="kendalltau(j, p)",
        after="kendalltau(first, second)",
        public="treelab.fast.importance.compare_rankings",
        agrees=lambda: (
            taus_after_one_exchange(),
            taus_after_one_exchange(
                lambda first, second: compare_rankings(first, second)["kendall_tau"]
            ),
        ),
        story=(
            "Kendall's tau was applied to the two lists of feature numbers. However, it has "
            "to compare the positions of the features in the two rankings. The number of a "
            "feature is only a name, which has no size."
        ),
        notice="Rename the features. The similarity of two rankings must not change.",
        sign=taus_after_one_exchange,
        picture=bars(["1", "2", "3", "4", "5", "6"], "Kendall's tau", xlabel="naming"),
        caption=(
            "Two rankings that differ in their last two positions, under six numberings of "
            "the features. With the fault, the result depends on the numbering."
        ),
        alt="Six bars. Left, all have the same height; right, they differ.",
        caught_by=(("importance-5", compare, "not its number"),),
    ),
    Exhibit(
        id="m-equal-subsets",
        title="All subsets with the same weight",
        room=13,
        origin="student",
        code=shapley,
        before="1 / (p * comb(p - 1, size))",
        after="1 / 2 ** (p - 1)",
        public="treelab.fast.importance.shap_values",
        agrees=lambda: (credits_of_all()[1], shap_values(*all_four())["values"]),
        story=(
            "A Shapley value is an average over the orders in which the features arrive. If "
            "we average over the subsets of the other features instead, each with the same "
            "weight, we obtain another measure (Banzhaf's). It corresponds to a fair coin "
            "toss for each feature, and its values do not have to add up."
        ),
        notice=("The values of a row must add up to its prediction minus the mean prediction."),
        sign=sums_of_credit,
        picture=points("said", "sum", "prediction", "mean + values", line="diagonal"),
        caption=(
            "Mean prediction plus the values of a row, against its prediction. The target "
            "is 8 if all four features are 1. With the fault, the values do not add up."
        ),
        alt="Left, two points on the diagonal; right, points above and below it.",
        caught_by=(
            ("importance-6", answer_shapley, "each with the same weight"),
            ("hw6-7", shapley_of_a_row, "the sets do not count alike"),
        ),
    ),
]
