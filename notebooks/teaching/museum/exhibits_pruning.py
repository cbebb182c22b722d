"""The room of chapter 4: pruning."""

from unittest.mock import patch

import numpy as np
from museum import Exhibit, bars, panels, steps

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import make_steps
from treelab.pruning import (
    chi2_table,
    cost_complexity_path,
    cross_validated_pruning,
    link_table,
    reduced_error_pruning,
    reduced_error_table,
)
from treelab.style import COLORS, INK
from treelab.tree import Tree

DAYS, CAKES = np.arange(1.0, 11)[:, None], np.array([7.0, 3, 7, 7, 7, 11, 7, 7, 7, 7])


def bakery_links():
    """g of the four inner nodes of the bakery's tree."""
    return link_table(DecisionTreeRegressor().fit(DAYS, CAKES))["g"].to_numpy()


def draw_links(ax, result):
    """One bar for each node, the smallest one marked."""
    weakest = int(np.argmin(result))
    color = [COLORS[1] if k == weakest else "#b8b8b8" for k in range(4)]
    found = ax.bar(["0", "1", "4", "5"], result, color=color, edgecolor=INK, width=0.6)
    found[weakest].set_hatch("////")
    ax.bar_label(found, [f"{g:.2f}" for g in result], fontsize=10, padding=2)
    ax.margins(y=0.2)


def alphas_of_three():
    """When three inner nodes fall; the lowest is a strong split below a weak one."""
    left, right = [1, 2, 3, -1, -1, -1, -1], [6, 5, 4, -1, -1, -1, -1]
    return cost_complexity_path(tree_of(left, right, [40.0, 12, 11, 0, 0, 0, 0])).node_alpha[:3]


def path_of_steps():
    """Leaves along the pruning path of a tree grown on a noisy staircase."""
    tree = DecisionTreeRegressor().fit(*make_steps(100, noise=0.5, random_state=1)).tree_
    path = cost_complexity_path(tree)
    alphas = np.geomspace(0.0003, 0.3, 40)
    step = np.searchsorted(path.alphas, alphas, side="right") - 1
    return {"alpha": alphas, "leaves": path.n_leaves[step]}


def draw_path(ax, result):
    """Leaves against alpha, which has a scale of powers of ten."""
    ax.step(result["alpha"], result["leaves"], where="post", color=COLORS[0])
    ax.set(xscale="log", yscale="log")
    ax.set_yticks([1, 4, 10, 100], ["1", "4", "10", "100"])
    ax.minorticks_off()


def chosen_by_cv(rule="min"):
    """Cross-validated errors of the trees of a pruning path, and the choice."""
    X, y = make_steps(100, noise=0.5, random_state=1)
    table = cross_validated_pruning(
        DecisionTreeRegressor(min_samples_leaf=3), X, y, cv=5, rule=rule, random_state=0
    ).table
    names = ("n_leaves", "cv_error", "se")
    found = {name: table[name].to_numpy(dtype=float) for name in names}
    found["chosen"] = np.array([table["n_leaves"][table["chosen"]].iloc[0]], dtype=float)
    return found


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


def chosen_by_one_se():
    """Leaves that the one-standard-error rule chooses on two samples."""
    return np.array(
        [
            cross_validated_pruning(
                DecisionTreeRegressor(min_samples_leaf=3),
                *make_steps(40, noise=1.5, random_state=seed),
                cv=5,
                rule="one_se",
                random_state=0,
            ).estimator.get_n_leaves()
            for seed in (0, 3)
        ]
    )


def pruned_by_votes(noise, seed):
    """A tree on a noisy staircase, pruned by the votes of twenty validation rows."""
    X, y = make_steps(60, noise=noise, random_state=seed)
    X_val, y_val = make_steps(20, noise=noise, random_state=seed + 100)
    pruned = reduced_error_pruning(DecisionTreeRegressor().fit(X, y), X_val, y_val)
    at = np.linspace(X.min(), X.max(), 200)
    return {"x": at, "y": pruned.predict(at[:, None]), "_x": X_val[:, 0], "_y": y_val}


def p_values():
    """p-values of the splits of a small classification tree."""
    rng = np.random.default_rng(13)
    X = rng.uniform(size=(80, 2))
    y = (X[:, 0] + 0.35 * rng.normal(size=80) > 0.5).astype(int)
    model = DecisionTreeClassifier(max_depth=3, min_samples_leaf=6).fit(X, y)
    return chi2_table(model)["p_value"].to_numpy()[:5]


def draw_p_values(ax, result):
    """The p-values, and the level of the test."""
    found = ax.bar(range(1, len(result) + 1), result, color=COLORS[4], edgecolor=INK, width=0.6)
    ax.bar_label(found, [f"{p:.3f}" for p in result], fontsize=9, padding=2)
    ax.axhline(0.05, color=COLORS[5], lw=1.5, ls="--")
    ax.set_xticks(range(1, len(result) + 1))
    ax.margins(y=0.2)


def tree_of(left, right, R):
    """A `Tree` of three lists: children, and the risk of each node."""
    n, left = len(R), np.array(left)
    return Tree(
        left, np.array(right), np.where(left < 0, -2, 0), np.zeros(n), np.zeros((n, 1, 1)),
        np.array(R, dtype=float), np.ones(n, dtype=int), np.ones(n),
        np.zeros((n, 0), dtype=bool), "squared_error",
    )  # fmt: skip


def answer_links():
    """pruning-4: g of every inner node, from three lists."""

    def links(left, right, R):
        return link_table(tree_of(left, right, R))["g"].to_dict()

    return links


def answer_fall_alphas():
    """hw2-5: the alpha at which each inner node becomes a leaf."""

    def fall_alphas(left, right, R):
        alpha = cost_complexity_path(tree_of(left, right, R)).node_alpha
        return {t: fall for t, fall in enumerate(alpha.tolist()) if left[t] >= 0}

    return fall_alphas


def answer_one_se():
    """pruning-5: the rule, with errors and standard errors that are given.

    The sums from which `cross_validated_pruning` works out errors and standard errors are
    replaced by such as give these.
    """

    def one_se(n_leaves, cv_error, se):
        order = np.argsort(n_leaves)[::-1]
        leaves, e, s = (np.asarray(a, dtype=float)[order] for a in (n_leaves, cv_error, se))
        m, module = len(e), "treelab.pruning.cross_validation."
        totals = np.array([np.ones(m), np.zeros(m), e, np.zeros(m), s**2])
        path = cost_complexity_path(DecisionTreeRegressor().fit([[0], [1]], [0.0, 1.0]))
        path = path._replace(alphas=np.arange(1.0, m + 1), n_leaves=leaves.astype(int))
        with (
            patch(module + "cost_complexity_path", return_value=path),
            patch(module + "_loss_totals", return_value=totals),
        ):
            choice = cross_validated_pruning(
                DecisionTreeRegressor(), [[0], [1]], [0.0, 1.0], cv=[([0], [1])], rule="one_se"
            )
        return int(choice.table["n_leaves"][choice.table["chosen"]].iloc[0])

    return one_se


def answer_reduced_error():
    """pruning-6: the topmost nodes that become leaves, from two lists and the errors of nodes.

    `reduced_error_table` counts the errors of nodes on rows; here one row stands for each node.
    """

    def reduced_error(left, right, errors):
        n, module = len(errors), "treelab.pruning.reduced_error."
        each, errors = np.arange(n), np.asarray(errors, dtype=float)
        tree = tree_of(left, right, np.zeros(n))
        with (
            patch(module + "_validation_leaves", return_value=(each, errors)),
            patch(module + "upward", return_value=[(each, each)]),
            patch(module + "losses", side_effect=lambda tree, nodes, y: y),
        ):
            table = reduced_error_table(tree, np.zeros((n, 1)), errors)
        pruned = set(table.index[table["pruned"]].tolist())
        below = {s for t in pruned for s in range(t + 1, t + int(tree.size[t]))}
        return pruned - below

    return reduced_error


def answer_curve():
    """hw2-7: cross-validated errors and their standard errors, for given alphas and folds.

    `cross_validated_pruning` takes the alphas between two steps of a path: the path that it
    looks at first is replaced by one that has the given alphas between its steps.
    """

    def cv_curve(X, y, betas, folds):
        steps = [0.0, betas[1]]
        for beta in betas[1:-1]:
            steps.append(beta**2 / steps[-1])
        path = cost_complexity_path(DecisionTreeRegressor().fit([[0], [1]], [0.0, 1.0]))
        path = path._replace(alphas=np.array(steps), n_leaves=np.arange(len(steps), 0, -1))
        first = [path]

        def path_of(tree, risk):
            return first.pop() if first else cost_complexity_path(tree, risk)

        cv = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in np.unique(folds)]
        with patch("treelab.pruning.cross_validation.cost_complexity_path", path_of):
            table = cross_validated_pruning(DecisionTreeClassifier(), X, y, cv=cv).table
        return table["cv_error"].to_numpy(), table["se"].to_numpy()

    return cv_curve


EXHIBITS = [
    Exhibit(
        id="m-rent-of-all-leaves",
        title="Divided by the leaves",
        room=4,
        origin="student",
        target="treelab.pruning.cost_complexity:link_table",
        before="g = rise / removed",
        after="g = rise / (removed + 1)",
        story=(
            "The rise in risk was divided by the number of leaves of the subtree. But a subtree "
            "of three leaves becomes one leaf, not none: two leaves go. All links look weaker "
            "than they are, those of small subtrees most of all, and the wrong one falls first."
        ),
        notice=(
            "At the alpha where a node falls, the tree before and the tree after cost the same, "
            "risk plus alpha for each leaf. Work out both costs."
        ),
        sign=bakery_links,
        picture=panels(draw_links, "node", "g"),
        caption=(
            "g of the bakery's four nodes; the hatched bar is the weakest link. Divided by the "
            "leaves, another node is the weakest."
        ),
        alt=(
            "Left: bars of 0.8, 0.8, 0.7 and 1.2, the third one marked. Right: bars of 0.64, 0.4, "
            "0.47 and 0.6, the second one marked."
        ),
        caught_by=(("pruning-4", answer_links, "still one leaf"),),
    ),
    Exhibit(
        id="m-two-children",
        title="A subtree is more than two children",
        room=4,
        origin="student",
        target="treelab.pruning.cost_complexity:link_table",
        before=(
            "rise = tree.subtree_sum(gain, leaves_only=False)[t]  # R(t) - R(T_t)\n"
            "    removed = tree.subtree_sum(inner.astype(int), leaves_only=False)[t]  # |T_t| - 1"
        ),
        after="rise = gain[t]\n    removed = np.ones(len(t), dtype=int)",
        story=(
            "The risk of a node was compared with that of its two children, as if they were "
            "leaves. A split that gains little by itself looks weak, however good the splits "
            "are that it makes possible below."
        ),
        notice=(
            "Only in a subtree of two leaves are the two the same. Work out the root by hand: its "
            "subtree is the whole tree, and a tree grown to the end has no risk left."
        ),
        sign=bakery_links,
        picture=panels(draw_links, "node", "g"),
        caption=(
            "g of the bakery's four nodes, the weakest hatched. With the fault node 4 seems much "
            "weaker than it is: the gain of the split below it is not seen."
        ),
        alt=(
            "Left: bars of 0.8, 0.8, 0.7 and 1.2, the third one marked. Right: bars of 1, 0.8, 0.2 "
            "and 1.2, the third one marked."
        ),
        caught_by=(("pruning-4", answer_links, "whole subtree"),),
    ),
    Exhibit(
        id="m-outlives-its-parent",
        title="A node that outlives its parent",
        room=4,
        origin="student",
        target="treelab.pruning.cost_complexity:cost_complexity_path",
        before="own[t] = min(own[t], own[up])  # a node goes with its ancestor at the latest",
        after="pass",
        story=(
            "Each node was given the alpha at which it would become a leaf if it were left "
            "alone. A strong split below a weak one would hold out long. But when the node "
            "above becomes a leaf, everything below it goes, too."
        ),
        notice=(
            "On the way from a leaf to the root the alphas must not fall. Check every node against "
            "its parent."
        ),
        sign=alphas_of_three,
        picture=bars(["0", "1", "2"], "alpha at the fall", digits=1, xlabel="node"),
        caption=(
            "The alphas at which three nodes fall; 1 is the child of 0, and 2 that of 1. With "
            "the fault node 2 still asks when node 1, through which its rows come, is a leaf."
        ),
        alt="Left: bars of 28, 6 and 6. Right: bars of 28, 6 and 11.",
        caught_by=(("hw2-5", answer_fall_alphas, "a node outlives its parent"),),
    ),
    Exhibit(
        id="m-risk-per-node",
        title="Every node as heavy as the root",
        room=4,
        origin="student",
        target="treelab.pruning.cost_complexity:node_risks",
        before=("return tree.weighted_n_node_samples / tree.weighted_n_node_samples[0] * per_unit"),
        after="return per_unit",
        story=(
            "The risk of a node is its impurity times its share of the data. The share was left "
            "out. So a split that frees one noisy row from a neighbor counts as much as one "
            "that parts half the data, and stays until alpha is so high that good splits "
            "fall with it."
        ),
        notice=(
            "The risks of the leaves add up to the training error of the tree. Those of a stump "
            "are enough to see it."
        ),
        sign=path_of_steps,
        picture=panels(draw_path, "complexity parameter alpha", "leaves"),
        caption=(
            "Leaves of the pruned tree as alpha rises, both on a scale of powers of ten. The "
            "data are a staircase of four steps."
        ),
        alt=(
            "Left: the leaves fall steadily from 70 to 4 and stay there over a long range of "
            "alpha. Right: they stay near 90, then fall to 7 at once; there is no long rest at "
            "4."
        ),
    ),
    Exhibit(
        id="m-prune-by-training-error",
        title="The training rows vote",
        room=4,
        origin="student",
        target="treelab.pruning.cross_validation:cross_validated_pruning",
        before="_rows(X, test), y[test], w[test])",
        after="_rows(X, train), y[train], w[train])",
        story=(
            "In each fold the pruned trees were judged on the rows that they had been grown on. "
            "There the largest tree is always the best, so nothing is pruned, and the reported "
            "error is the training error."
        ),
        notice=(
            "The error falls with every leaf and never turns. A curve of errors on fresh rows "
            "has a valley."
        ),
        sign=chosen_by_cv,
        picture=panels(draw_cv, "leaves", "error"),
        caption=(
            "Errors in cross-validation against the number of leaves; the diamond is the choice. "
            "With the fault the largest tree wins."
        ),
        alt=(
            "Left: the error falls steeply, is least at a few leaves and rises slowly. Right: it "
            "falls all the way, and the diamond is at its end."
        ),
    ),
    Exhibit(
        id="m-deviation-for-error",
        title="The spread of one for the spread of the mean",
        room=4,
        origin="student",
        target="treelab.pruning.cross_validation:cross_validated_pruning",
        before="se = np.sqrt(np.maximum(w2l2 - 2 * error * w2l + error**2 * W2, 0)) / W",
        after=("se = np.sqrt(np.maximum(w2l2 - 2 * error * w2l + error**2 * W2, 0)) / np.sqrt(W)"),
        story=(
            "The one-standard-error rule allows a tree as much as the *mean* loss may be off. The "
            "standard deviation of a *single* loss is larger by the root of the number of rows, "
            "ten times for a hundred. Nearly every tree is within it, and the rule ends close to "
            "the root."
        ),
        notice=(
            "Take four times as many rows: a standard error must shrink to about half. A standard "
            "deviation stays."
        ),
        sign=lambda: chosen_by_cv("one_se"),
        picture=panels(draw_cv, "leaves", "error"),
        caption=(
            "The same errors with bars of one standard error and of one standard deviation. The "
            "diamond is the choice of the rule: four leaves, or fewer."
        ),
        alt=(
            "Left: short bars, the diamond at the low end of the valley. Right: bars ten times as "
            "long, the diamond at a much smaller tree."
        ),
        caught_by=(("hw2-7", answer_curve, "the standard deviation of a loss"),),
    ),
    Exhibit(
        id="m-own-standard-error",
        title="Each tree brings its own line",
        room=4,
        origin="student",
        target="treelab.pruning.cross_validation:cross_validated_pruning",
        before="k = np.flatnonzero(error <= error[k] + se[k] + margin)[-1]",
        after="k = np.flatnonzero(error - se <= error[k] + margin)[-1]",
        story=(
            "The rule draws one line: the least error plus its standard error. Here each tree "
            "was allowed its own standard error instead. A tree that is far off has a large "
            "one, and is forgiven for it."
        ),
        notice=(
            "Of two trees with the same error the one with the larger standard error must not be "
            "better off. Make up two such rows and apply the rule."
        ),
        sign=chosen_by_one_se,
        picture=bars(["1", "2"], "leaves chosen", digits=0, xlabel="sample"),
        caption=(
            "Leaves that the rule chooses on two samples of a noisy staircase. With the fault it "
            "chooses smaller trees, in the second sample a single leaf."
        ),
        alt="Left: bars of 6 and 2 leaves. Right: bars of 5 and 1.",
        caught_by=(("pruning-5", answer_one_se, "not each tree's own"),),
    ),
    Exhibit(
        id="m-ties-stay",
        title="As good as the subtree, and not cut",
        room=4,
        origin="student",
        target="treelab.pruning.reduced_error:reduced_error_table",
        before="pruned = bool(as_leaf[t] <= of_subtree * (1 + 1e-12))",
        after="pruned = bool(as_leaf[t] < of_subtree * (1 - 1e-12))",
        story=(
            "A node was cut only if the leaf made fewer errors than the subtree. But a subtree "
            "that is no better has no right to stay. Where no validation row arrives at all, "
            "both make 0 errors, and everything stays as it was grown."
        ),
        notice=(
            "Look for splits whose removal changes no validation error. After reduced-error "
            "pruning there must be none."
        ),
        sign=lambda: pruned_by_votes(0.5, 6),
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "Trees pruned by the votes of the gray validation rows. With the fault, steps remain "
            "where no row voted against them."
        ),
        alt=("Left: a line with a few steps. Right: the same line with additional narrow spikes."),
        caught_by=(("pruning-6", answer_reduced_error, "ties prune"),),
    ),
    Exhibit(
        id="m-root-first",
        title="From the top down",
        room=4,
        origin="student",
        target="treelab.pruning.reduced_error:reduced_error_table",
        before="order = np.argsort(np.arange(n) - tree.depth + tree.size)",
        after="order = np.arange(n)",
        story=(
            "The nodes were visited in their own order, parents first. Then the root is judged "
            "against children that have not been looked at yet, and one bad split high up is "
            "enough to lose all that is good below it."
        ),
        notice=(
            "Compare with a single leaf and with the whole tree: reduced-error pruning never "
            "makes more validation errors than the best of them. Top down it does."
        ),
        sign=lambda: pruned_by_votes(0.5, 6),
        picture=steps("x", {"y": ""}, "x", "prediction", rows=("_x", "_y")),
        caption=(
            "The same tree and the same validation rows, asked from the bottom up and from the top "
            "down. From the top, the steps at the left are lost."
        ),
        alt=(
            "Left: a line of about eight steps. Right: the same line, but its first steps are one "
            "flat piece."
        ),
        caught_by=(("pruning-6", answer_reduced_error, "children before parents"),),
    ),
    Exhibit(
        id="m-degrees-of-freedom",
        title="Too many degrees of freedom",
        room=4,
        origin="student",
        target="treelab.pruning.chi_squared:chi2_table",
        before="df = np.maximum((of_class > 0).sum(axis=(1, 2)) - 1, 0)",
        after="df = np.maximum(2 * (of_class > 0).sum(axis=(1, 2)) - 1, 0)",
        story=(
            "The degrees of freedom of a table were taken for its cells less one. But the sums "
            "of its rows and columns are given: with two branches and K classes K - 1 cells are "
            "free. With too many degrees, every split looks more like luck than it is."
        ),
        notice=(
            "Split at random, many times: the p-values must be even between 0 and 1. With the "
            "fault hardly one is small."
        ),
        sign=p_values,
        picture=panels(draw_p_values, "split", "p-value"),
        caption=(
            "p-values of five splits; the dashed line is the level 0.05. With the fault, splits "
            "that are significant rise above it."
        ),
        alt="Left: five bars, some below the dashed line. Right: all bars are higher.",
    ),
]
