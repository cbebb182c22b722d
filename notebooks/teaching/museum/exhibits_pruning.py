"""The room of chapter 4: pruning."""

import numpy as np
from museum import COLORS, INK, Exhibit, bars, number_bars, panels, steps
from scipy.stats import chi2
from sklearn.base import clone
from sklearn.model_selection import KFold

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import make_steps
from treelab.fast.pruning import (
    cost_complexity_path,
    cross_validated_pruning,
    link_table,
    prune,
    reduced_error_pruning,
)
from treelab.figures.chi_squared import chi2_table

# --- the code on show -------------------------------------------------------------------
# A tree is three lists: the left and the right child of each node, -1 for a leaf, and its risk R.


def inner_nodes(left, right, t):
    """The nodes of the subtree at t that ask a question."""
    if left[t] < 0:
        return []
    return [t, *inner_nodes(left, right, left[t]), *inner_nodes(left, right, right[t])]


def leaves_below(left, right, t, gone=()):
    """The leaves of the subtree at t; nodes that are gone are leaves."""
    if left[t] < 0 or t in gone:
        return [t]
    return [s for side in (left[t], right[t]) for s in leaves_below(left, right, side, gone)]


def links(left, right, R, gone=()):
    """g of every inner node that is not gone."""
    g = {}
    for t in sorted(set(inner_nodes(left, right, 0)) - set(gone)):
        leaves = leaves_below(left, right, t, gone)
        g[t] = (R[t] - sum(R[s] for s in leaves)) / (len(leaves) - 1)
    return g


def fall_alphas(left, right, R):
    """The alpha at which each inner node becomes a leaf: the weakest link falls each time."""
    fall = {}
    while g := links(left, right, R, fall):
        t = min(g, key=g.get)
        for s in inner_nodes(left, right, t):  # what is below it falls with it
            fall.setdefault(s, g[t])
    return fall


def node_risks(tree):
    """Impurity of every node, times its share of the data."""
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    return share * tree.impurity


def losses_in_folds(model, X, y, alphas, folds):
    """Losses of the trees pruned at each alpha, fold by fold; (n_alphas, n_rows)."""
    found = []
    for train, test in folds:
        grown = clone(model).fit(X[train], y[train])
        found.append([losses(prune(grown, a), X[test], y[test]) for a in alphas])
    return np.concatenate(found, axis=1)


def losses(model, X, y):
    """Squared errors of numbers, and 1 for each wrong class."""
    said = model.predict(X)
    return (said != y) * 1.0 if hasattr(model, "classes_") else (said - y) ** 2


def standard_error(losses):
    """How far the mean of each row of losses may be off."""
    return losses.std(axis=1) / np.sqrt(losses.shape[1])


def within_one_se(n_leaves, error, se):
    """The fewest leaves whose error is within one standard error of the least."""
    best = np.lexsort([n_leaves, error])[0]
    close = error <= error[best] + se[best]
    return n_leaves[close].min()


def reduced_error(left, right, errors):
    """The topmost nodes that make no more errors as a leaf than the subtree below them."""
    best, cut = list(errors), set()
    for t in reversed(range(len(left))):
        if left[t] >= 0:
            of_subtree = best[left[t]] + best[right[t]]
            if errors[t] <= of_subtree:
                cut.add(t)
            best[t] = min(errors[t], of_subtree)
    return cut - {s for t in cut for s in inner_nodes(left, right, t)[1:]}


def p_value(table):
    """p-value of the chi-squared test of a table of branches by classes."""
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    statistic = np.sum((table - expected) ** 2 / expected)
    df = (table.shape[0] - 1) * (table.shape[1] - 1)
    return chi2.sf(statistic, df)


# --- signs ------------------------------------------------------------------------------

DAYS, CAKES = np.arange(1.0, 11)[:, None], np.array([7.0, 3, 7, 7, 7, 11, 7, 7, 7, 7])


def lists_of(tree):
    """A tree as three lists."""
    return tree.children_left.tolist(), tree.children_right.tolist(), node_risks(tree).tolist()


def bakery_links():
    """g of the four inner nodes of the bakery's tree."""
    return np.array(list(links(*lists_of(DecisionTreeRegressor().fit(DAYS, CAKES).tree_)).values()))


def bakery_agrees():
    """g of the bakery's nodes, ours and treelab's."""
    return bakery_links(), link_table(DecisionTreeRegressor().fit(DAYS, CAKES))["g"].to_numpy()


def draw_links(ax, result):
    """One bar for each node, the smallest one marked."""
    weakest = int(np.argmin(result))
    color = [COLORS[1] if k == weakest else "#b8b8b8" for k in range(4)]
    found = ax.bar(["0", "1", "4", "5"], result, color=color, edgecolor=INK, width=0.6)
    found[weakest].set_hatch("////")
    number_bars(ax, found, [f"{g:.2f}" for g in result])


def alphas_of_three():
    """When three inner nodes fall; the lowest is a strong split below a weak one."""
    left, right = [1, 2, 3, -1, -1, -1, -1], [6, 5, 4, -1, -1, -1, -1]
    fall = fall_alphas(left, right, [40.0, 12, 11, 0, 0, 0, 0])
    return np.array([fall[t] for t in range(3)])


STEPS = make_steps(100, noise=0.5, random_state=1)
ALPHAS = np.geomspace(0.0003, 0.3, 40)


def falls_agree():
    """The alpha at which each node of a large tree falls, ours and treelab's."""
    tree = DecisionTreeRegressor().fit(*STEPS).tree_
    fall, own = fall_alphas(*lists_of(tree)), cost_complexity_path(tree).node_alpha
    inner = sorted(fall)
    return np.array([fall[t] for t in inner]), own[inner]


def path_of_steps():
    """Leaves along the pruning path of a tree grown on a noisy staircase."""
    fall = fall_alphas(*lists_of(DecisionTreeRegressor().fit(*STEPS).tree_))
    left = [1 + sum(alpha < at for at in fall.values()) for alpha in ALPHAS]
    return {"alpha": ALPHAS, "leaves": np.array(left)}


def draw_path(ax, result):
    """Leaves against alpha, which has a scale of powers of ten."""
    ax.step(result["alpha"], result["leaves"], where="post", color=COLORS[0])
    ax.set(xscale="log", yscale="log")
    ax.set_yticks([1, 4, 10, 100], ["1", "4", "10", "100"])
    ax.minorticks_off()


STUBBY = DecisionTreeRegressor(min_samples_leaf=3)
FOLDS = KFold(5, shuffle=True, random_state=0)


def curve(X, y):
    """Leaves, cross-validated errors and standard errors along a pruning path."""
    path = cost_complexity_path(STUBBY.fit(X, y))
    betas = [*np.sqrt(path.alphas[:-1] * path.alphas[1:]), 1e9]  # between the steps
    found = losses_in_folds(STUBBY, X, y, betas, FOLDS.split(X))
    return path.n_leaves.astype(float), found.mean(axis=1), standard_error(found)


def chosen_by_cv(rule="min"):
    """Cross-validated errors of the trees of a pruning path, and the choice."""
    n_leaves, error, se = curve(*STEPS)
    chosen = within_one_se(n_leaves, error, se * (rule == "one_se"))
    return {"n_leaves": n_leaves, "cv_error": error, "se": se, "chosen": np.array([chosen])}


def cv_agrees(rule):
    """A check: errors and choice by the code on show, and by treelab."""

    def check():
        table = cross_validated_pruning(STUBBY, *STEPS, cv=5, rule=rule, random_state=0).table
        found = {name: table[name].to_numpy(dtype=float) for name in ("n_leaves", "cv_error", "se")}
        return chosen_by_cv(rule), found | {"chosen": found["n_leaves"][table["chosen"]]}

    return check


def draw_cv(ax, result):
    """Errors with their standard errors, and a ring around the choice."""
    ax.errorbar(
        result["n_leaves"], result["cv_error"], result["se"], fmt=".-", color=COLORS[0], lw=1.2,
        elinewidth=1,
    )  # fmt: skip
    k = int(np.flatnonzero(result["n_leaves"] == result["chosen"][0])[0])
    ax.plot(
        result["n_leaves"][k], result["cv_error"][k], "D", ms=11, mfc="none", mec=COLORS[5], mew=2
    )


NOISY = [make_steps(40, noise=1.5, random_state=seed) for seed in (0, 3)]


def chosen_by_one_se():
    """Leaves that the one-standard-error rule chooses on two samples."""
    return np.array([within_one_se(*curve(X, y)) for X, y in NOISY])


def one_se_agrees():
    """The same by treelab."""
    rule = {"cv": 5, "rule": "one_se", "random_state": 0}
    own = [cross_validated_pruning(STUBBY, X, y, **rule).estimator for X, y in NOISY]
    return chosen_by_one_se(), np.array([model.get_n_leaves() for model in own])


def validation(noise=0.5, seed=6):
    """A tree grown on a noisy staircase, twenty validation rows, and places along the line."""
    X, y = make_steps(60, noise=noise, random_state=seed)
    at = np.linspace(X.min(), X.max(), 200)[:, None]
    new = make_steps(20, noise=noise, random_state=seed + 100)
    return DecisionTreeRegressor().fit(X, y), *new, at


def pruned_by_votes(predict=None):
    """What a tree predicts that is pruned by the votes of validation rows."""
    grown, X_val, y_val, at = validation()
    said = (predict or predict_pruned)(grown, X_val, y_val, at)
    return {"x": at[:, 0], "y": said, "_x": X_val[:, 0], "_y": y_val}


def predict_pruned(grown, X_val, y_val, at):
    """Predictions after `reduced_error`."""
    tree = grown.tree_
    left, right, _ = lists_of(tree)
    errors = np.zeros(len(left))
    for x, y in zip(X_val, y_val):
        on_way = tree.path(x)
        errors[on_way] += (tree.value[on_way, 0, 0] - y) ** 2
    cut = reduced_error(left, right, errors)
    ways = [tree.path(x) for x in at]
    ends = [next((t for t in way if t in cut), way[-1]) for way in ways]
    return tree.value[ends, 0, 0]


def predict_by_treelab(grown, X_val, y_val, at):
    """The same by treelab."""
    return reduced_error_pruning(grown, X_val, y_val).predict(at)


def tested():
    """A small classification tree."""
    rng = np.random.default_rng(13)
    X = rng.uniform(size=(80, 2))
    y = (X[:, 0] + 0.35 * rng.normal(size=80) > 0.5).astype(int)
    return DecisionTreeClassifier(max_depth=3, min_samples_leaf=6).fit(X, y)


def p_values():
    """p-values of the first five splits of a small classification tree."""
    tree = tested().tree_
    counts = tree.value[:, 0] * tree.n_node_samples[:, None]
    sides = np.array([tree.children_left, tree.children_right]).T[~tree.is_leaf]
    tables = [counts[pair] for pair in sides[:5]]
    return np.array([p_value(table[:, table.sum(axis=0) > 0]) for table in tables])


def draw_p_values(ax, result):
    """The p-values, and the level of the test."""
    found = ax.bar(range(1, len(result) + 1), result, color=COLORS[4], edgecolor=INK, width=0.6)
    number_bars(ax, found, [f"{p:.3f}" for p in result])
    ax.axhline(0.05, color=COLORS[5], lw=1.5, ls="--")
    ax.set_xticks(range(1, len(result) + 1))


# --- answers to exercises ---------------------------------------------------------------


def answer_next_step():
    """pruning-3: the alpha at which the first links fall, and the leaves that are left."""

    def next_step(left, right, R):
        g = links(left, right, R)
        alpha = min(g.values())
        falls = [t for t in g if g[t] <= alpha + 1e-9]
        return alpha, len(leaves_below(left, right, 0, falls))

    return next_step


def answer_fall_alphas():
    """hw2-5: the alpha at which each inner node becomes a leaf."""
    return lambda left, right, R: fall_alphas(left, right, R)


def answer_one_se():
    """pruning-4: the rule, from the losses of each candidate."""

    def one_se(losses, n_leaves):
        losses = np.asarray(losses, dtype=float)
        error, se = losses.mean(axis=1), standard_error(losses)
        return int(within_one_se(np.asarray(n_leaves), error, se))

    return one_se


def answer_reduced_error():
    """pruning-5: the topmost nodes that become leaves."""
    return lambda left, right, errors: reduced_error(left, right, errors)


def answer_curve():
    """hw2-7: cross-validated errors and their standard errors, for given alphas and folds."""

    def cv_curve(X, y, betas, folds):
        parts = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in np.unique(folds)]
        found = losses_in_folds(DecisionTreeClassifier(), X, y, np.minimum(betas, 1e9), parts)
        return found.mean(axis=1), standard_error(found)

    return cv_curve


EXHIBITS = [
    Exhibit(
        id="m-rent-of-all-leaves",
        title="Divided by the leaves",
        room=4,
        origin="student",
        code=links,
        before="/ (len(leaves) - 1)",
        after="/ len(leaves)",
        public="treelab.fast.pruning.link_table",
        agrees=bakery_agrees,
        story=(
            "The increase in risk was divided by the number of leaves of the subtree. "
            "However, a subtree with three leaves becomes one leaf, so only two leaves are "
            "saved. All links appear weaker than they are, especially those of small "
            "subtrees, and the wrong one is pruned first."
        ),
        notice=(
            "At the alpha at which a node is pruned, the tree before and the tree after "
            "must have the same cost, that is, risk plus alpha times the number of leaves. "
            "Compute both costs."
        ),
        sign=bakery_links,
        picture=panels(draw_links, "node", "g"),
        caption=(
            "The value g of the bakery's four nodes, where the hatched bar is the weakest "
            "link. If we divide by the number of leaves, another node becomes the weakest "
            "link."
        ),
        alt=(
            "On the left, the bars have the heights 0.8, 0.8, 0.7 and 1.2, and the third one is "
            "hatched. On the right, they have the heights 0.64, 0.4, 0.47 and 0.6, and the "
            "second one is hatched."
        ),
        caught_by=(("pruning-3", answer_next_step, "still one leaf"),),
    ),
    Exhibit(
        id="m-two-children",
        title="A subtree is more than two children",
        room=4,
        origin="student",
        code=links,
        before="leaves = leaves_below(left, right, t, gone)",
        after="leaves = [left[t], right[t]]",
        public="treelab.fast.pruning.link_table",
        agrees=bakery_agrees,
        story=(
            "The risk of a node was compared with the risk of its two children, as if they "
            "were leaves. A split with a small gain of its own then looks weak, no matter "
            "how good the splits below it are."
        ),
        notice=(
            "The two agree only if the subtree has two leaves. Work out the root by hand. "
            "Its subtree is the whole tree, and the risk of a fully grown tree is 0."
        ),
        sign=bakery_links,
        picture=panels(draw_links, "node", "g"),
        caption=(
            "The value g of the bakery's four nodes, with the weakest link hatched. With "
            "the fault, node 4 seems much weaker than it is, because the gain of the split "
            "below it is ignored."
        ),
        alt=(
            "On the left, the bars have the heights 0.8, 0.8, 0.7 and 1.2. On the right, they "
            "have the heights 1, 0.8, 0.2 and 1.2. The third one is hatched in both panels."
        ),
        caught_by=(("pruning-3", answer_next_step, "whole subtree"),),
    ),
    Exhibit(
        id="m-outlives-its-parent",
        title="A node that outlives its parent",
        room=4,
        origin="student",
        code=fall_alphas,
        before="for s in inner_nodes(left, right, t):  # what is below it falls with it",
        after="for s in [t]:",
        public="treelab.fast.pruning.cost_complexity_path",
        agrees=falls_agree,
        story=(
            "Each node was assigned the alpha at which it would be pruned if it were "
            "considered alone. A strong split below a weak one would then survive for a "
            "long time. However, when the node above it becomes a leaf, everything below it "
            "disappears as well."
        ),
        notice=(
            "On the path from a leaf to the root, the values of alpha must not decrease. "
            "Compare every node with its parent."
        ),
        sign=alphas_of_three,
        picture=bars(["0", "1", "2"], "alpha when pruned", digits=1, xlabel="node"),
        caption=(
            "The values of alpha at which three nodes are pruned, where node 1 is the child "
            "of node 0 and node 2 that of node 1. With the fault, node 2 is still split "
            "when node 1, through which its rows pass, is already a leaf."
        ),
        alt=(
            "On the left, the bars have the heights 28, 6 and 6. On the right, they have the "
            "heights 28, 6 and 11."
        ),
        caught_by=(("hw2-5", answer_fall_alphas, "a node outlives its parent"),),
    ),
    Exhibit(
        id="m-risk-per-node",
        title="Every node as heavy as the root",
        room=4,
        origin="student",
        code=node_risks,
        before="share * tree.impurity",
        after="tree.impurity",
        public="treelab.fast.pruning.cost_complexity_path",
        agrees=falls_agree,
        story=(
            "The risk of a node is its impurity times its proportion of the data. This "
            "proportion was forgotten. As a result, a split that isolates one noisy row "
            "counts as much as a split of half the data, and it is kept until alpha is so "
            "large that good splits are pruned as well."
        ),
        notice=(
            "The risks of the leaves must add up to the training error of the tree. A stump "
            "is enough to see whether they do."
        ),
        sign=path_of_steps,
        picture=panels(draw_path, "alpha", "leaves"),
        caption=(
            "Numbers of leaves of the pruned tree as alpha increases, both on logarithmic "
            "scales. The data come from a staircase with four steps, so a tree of four leaves "
            "should be optimal over a long range of alpha."
        ),
        alt=(
            "On the left, the number of leaves falls steadily from 70 to 4 and stays there over "
            "a long range of alpha. On the right, it stays near 90, falls to 7 at once, and "
            "does not stay at 4 for long."
        ),
    ),
    Exhibit(
        id="m-prune-by-training-error",
        title="The training rows vote",
        room=4,
        origin="student",
        code=losses_in_folds,
        before="X[test], y[test]",
        after="X[train], y[train]",
        public="treelab.fast.pruning.cross_validated_pruning",
        agrees=cv_agrees("min"),
        story=(
            "In each fold, the pruned trees were evaluated on the rows on which they had "
            "been grown. On these rows the largest tree is always the best one, so nothing "
            "is pruned, and the reported error is the training error."
        ),
        notice=(
            "The error decreases with every additional leaf and never increases again, "
            "whereas an error curve on test data has a minimum."
        ),
        sign=chosen_by_cv,
        picture=panels(draw_cv, "leaves", "error"),
        caption=(
            "Cross-validated errors against the number of leaves, where the diamond marks "
            "the choice. With the fault, the largest tree is chosen."
        ),
        alt=(
            "On the left, the error falls steeply, has its minimum at a few leaves, where the "
            "diamond stands, and then rises slowly. On the right, it falls all the way, and the "
            "diamond is near its end."
        ),
    ),
    Exhibit(
        id="m-deviation-for-error",
        title="The spread of one for the spread of the mean",
        room=4,
        origin="student",
        code=standard_error,
        before="losses.std(axis=1) / np.sqrt(losses.shape[1])",
        after="losses.std(axis=1)",
        public="treelab.fast.pruning.cross_validated_pruning",
        agrees=cv_agrees("one_se"),
        story=(
            "The one-standard-error rule refers to the standard error of the *mean* loss. "
            "The standard deviation of a *single* loss is larger by a factor equal to the "
            "square root of the number of rows, which is ten for a hundred rows. Nearly "
            "every tree lies within this distance, so the rule chooses a tree close to the "
            "root."
        ),
        notice=(
            "Use four times as many rows. A standard error must shrink to about half, "
            "whereas a standard deviation stays the same."
        ),
        sign=lambda: chosen_by_cv("one_se"),
        picture=panels(draw_cv, "leaves", "error"),
        caption=(
            "The same errors with bars of one standard error and of one standard deviation. "
            "The diamond marks the choice of the rule, which is four leaves or fewer."
        ),
        alt=(
            "On the left, the bars are short, and the diamond is at the low end of the valley. "
            "On the right, they are about ten times as long, and the diamond is at a smaller "
            "tree."
        ),
        caught_by=(
            ("hw2-7", answer_curve, "the standard deviation of a loss"),
            ("pruning-4", answer_one_se, "divided by the root"),
        ),
    ),
    Exhibit(
        id="m-own-standard-error",
        title="Each tree brings its own line",
        room=4,
        origin="student",
        code=within_one_se,
        before="error <= error[best] + se[best]",
        after="error - se <= error[best]",
        public="treelab.fast.pruning.cross_validated_pruning",
        agrees=one_se_agrees,
        story=(
            "The rule uses a single limit, the minimum error plus its standard error. Here "
            "each tree was allowed to use its own standard error instead. A tree with a "
            "high error often has a large standard error, so it is accepted too easily."
        ),
        notice=(
            "Of two trees with the same error, the one with the larger standard error must "
            "not have an advantage. Make up two such rows and apply the rule."
        ),
        sign=chosen_by_one_se,
        picture=bars(["1", "2"], "leaves chosen", digits=0, xlabel="sample"),
        caption=(
            "Numbers of leaves that the rule chooses on two samples of a noisy staircase. "
            "With the fault it chooses smaller trees, and in the second sample a single "
            "leaf."
        ),
        alt=(
            "On the left, the bars have the heights 6 and 2. On the right, they have the "
            "heights 5 and 1."
        ),
        caught_by=(("pruning-4", answer_one_se, "not each tree's own"),),
    ),
    Exhibit(
        id="m-ties-stay",
        title="As good as the subtree, and not cut",
        room=4,
        origin="student",
        code=reduced_error,
        before="errors[t] <= of_subtree",
        after="errors[t] < of_subtree",
        public="treelab.fast.pruning.reduced_error_pruning",
        agrees=lambda: (pruned_by_votes(), pruned_by_votes(predict_by_treelab)),
        story=(
            "A node was pruned only if the leaf made fewer errors than the subtree. "
            "However, a subtree that is no better than a leaf should be removed. If no "
            "validation row reaches a node, both make 0 errors, and everything below it is "
            "kept."
        ),
        notice=(
            "Look for splits whose removal does not change the validation error. After "
            "reduced-error pruning there must be none."
        ),
        sign=pruned_by_votes,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "Trees pruned by the errors on the gray validation rows. With the fault, steps "
            "remain at which no validation row speaks against them."
        ),
        alt=(
            "On the left, a step function has a few broad steps. On the right, the same "
            "function has additional narrow spikes."
        ),
        caught_by=(("pruning-5", answer_reduced_error, "ties prune"),),
    ),
    Exhibit(
        id="m-root-first",
        title="From the top down",
        room=4,
        origin="student",
        code=reduced_error,
        before="reversed(range(len(left)))",
        after="range(len(left))",
        public="treelab.fast.pruning.reduced_error_pruning",
        agrees=lambda: (pruned_by_votes(), pruned_by_votes(predict_by_treelab)),
        story=(
            "The nodes were visited in their original order, parents first. In this order, "
            "the root is compared with children that have not been pruned yet, and a single "
            "bad split near the root is enough to lose all good splits below it."
        ),
        notice=(
            "Compare the result with a single leaf and with the whole tree. Reduced-error "
            "pruning never makes more validation errors than the better of the two, but in "
            "top-down order it can."
        ),
        sign=pruned_by_votes,
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "The same tree and the same validation rows, pruned from the bottom up and from "
            "the top down. From the top down, the steps on the left are lost."
        ),
        alt=(
            "On the left, a step function has about eight steps. On the right, the function is "
            "the same, but its first steps are replaced by one flat piece."
        ),
        caught_by=(("pruning-5", answer_reduced_error, "children before parents"),),
    ),
    Exhibit(
        id="m-degrees-of-freedom",
        title="Too many degrees of freedom",
        room=4,
        origin="student",
        code=p_value,
        before="(table.shape[0] - 1) * (table.shape[1] - 1)",
        after="table.size - 1",
        public="treelab.figures.chi_squared.chi2_table",
        agrees=lambda: (p_values(), chi2_table(tested())["p_value"].to_numpy()[:5]),
        story=(
            "The degrees of freedom of a table were taken to be the number of its cells "
            "minus one. However, the sums of its rows and columns are given, so with two "
            "branches and K classes only K - 1 cells are free. With too many degrees of "
            "freedom, every split looks more like chance than it is."
        ),
        notice=(
            "Split at random many times. The p-values should be spread evenly between 0 and "
            "1, but with the fault hardly any of them is small."
        ),
        sign=p_values,
        picture=panels(draw_p_values, "split", "p-value"),
        caption=(
            "p-values of five splits, where the dashed line is the level 0.05. With the "
            "fault, significant splits rise above this line."
        ),
        alt=(
            "On the left, three of the five bars end below the dashed line. On the right, all "
            "bars are higher, and only the first ends below it."
        ),
    ),
]
