"""Figures of the chapter on pruning."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import sklearn.tree
from sklearn.model_selection import KFold

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import make_steps
from treelab.drawing import draw_step_function, draw_tree
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, LINES
from treelab.fast.pruning import cross_validated_pruning, link_table, prune, pruning_table
from treelab.fast.tree import LEAF, Tree
from treelab.figures.errors import draw_errors
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "all_differences",
    "before_and_after",
    "costs_of_subtrees",
    "cross_validated_errors",
    "differences",
    "errors_by_depth",
    "errors_on_noise",
    "hospital",
    "leaves_of_samples",
    "leaves_of_samples_table",
    "lower_envelope",
    "prune_explorable",
    "standard_errors",
    "three_folds",
    "tree_of_the_bakery",
    "tree_of_the_hospital",
    "weakest_links",
]


# A price on leaves, with a slider


def prune_explorable():
    """Let the reader raise the price of a leaf and see which links of a tree are pruned."""
    stairs = _Staircase()
    low, high = np.log10(ALPHAS[0]), np.log10(ALPHAS[-1])
    data = {
        "tree": stairs.nested(0),
        "alphas": ALPHAS,
        "rest": {"k": REST},
        "top": 2,
        "x": [low, high],
        "letters": stairs.letters,
        "answers": stairs.at_rest,
        "verdicts": [stairs.verdict(letter) for letter in stairs.at_rest],
        "falls": "g of each box left; the smallest is pruned first",
        "lines": {
            "training": stairs.line(stairs.steps["risk"]),
            "cross-validated": stairs.line(stairs.steps["cv"]),
        },
        "question": "The price of a leaf rises. Which box becomes a leaf next?",
        "says": [
            "At α = {alpha} the tree keeps {leaves} of 8 leaves. Each box shows by how much its "
            "splits reduce the training error, divided by the number of leaves that they add.",
            "At α = {alpha} the tree keeps {leaves} of 8 leaves{then}. The training error is "
            "lowest with all 8 leaves, the cross-validated error with "
            f"{stairs.chosen.estimator.get_n_leaves()}.",
        ],
        "values": {
            "leaves": "leaves",
            "training": "training error",
            "cv": "cross-validated error",
            "cost": "training + α × leaves",
        },
        "steps": [stairs.step(k) for k in range(len(stairs.steps))],
        "alt": [
            "A tree of eight leaves; the pruned part is faded.",
            "The letters of the boxes that are left, each at its g; a line at alpha.",
            "Training and cross-validated error against alpha.",
        ],
    }
    return explorable(
        "prune", data, stairs.frames(), title="A price on leaves", name="pruning-links"
    )


ALPHAS = [float(f"{10**exponent:.3g}") for exponent in np.linspace(-2.3, 0.1, 49)]
REST = 14  # the place in ALPHAS where the figure rests


class _Staircase:
    """A tree of eight leaves, the steps of its pruning, and its inner nodes by letter."""

    def __init__(self):
        X, y = make_steps(60, noise=0.6, random_state=16)
        self.chosen = cross_validated_pruning(
            DecisionTreeRegressor(max_depth=3), X, y, random_state=0
        )
        self.model = DecisionTreeRegressor(max_depth=3).fit(X, y)
        self.steps = pruning_table(self.model).assign(cv=self.chosen.table["cv_error"])
        inner = np.flatnonzero(~self.model.tree_.is_leaf).tolist()
        self.letters = dict(zip(inner, "ABCDEFG", strict=True))
        self.at_rest = [self.letters[t] for t in link_table(self.model, alpha=ALPHAS[REST]).index]

    def nested(self, t):
        """The subtree under node t as dicts in dicts."""
        tree = self.model.tree_
        node = {"id": t, "value": tree.value[t].item()}
        if t in self.letters:
            node |= {"letter": self.letters[t], "test": f"x ≤ {tree.threshold[t]:.2f}"}
            node["left"] = self.nested(int(tree.children_left[t]))
            node["right"] = self.nested(int(tree.children_right[t]))
        return node

    def links(self, alpha):
        """The risk reduction of each link left at alpha, its additional leaves, and its g."""
        table = link_table(self.model, alpha=alpha)
        saved = table["risk"] - table["subtree_risk"]
        return {
            t: [float(f"{s:.6g}"), int(n) - 1, float(f"{g:.6g}")]
            for t, s, n, g in zip(table.index, saved, table["n_leaves"], table["g"], strict=True)
        }

    def line(self, errors):
        """The corners of an error as a step function of the logarithm of alpha."""
        ends = np.log10([ALPHAS[0], *self.steps["alpha"][1:], ALPHAS[-1]]).clip(np.log10(ALPHAS[0]))
        return [[ends[i + more], error] for i, error in enumerate(errors) for more in (0, 1)]

    def verdict(self, guess):
        """The reply to a reader who thinks that a link is the weakest at rest; E is."""
        links = self.links(ALPHAS[REST])
        saves = {self.letters[t]: link for t, link in links.items()}
        (saved, leaves, _), (own, own_leaves, g) = saves["E"], saves[guess]
        reply = "Yes" if guess == "E" else "No, E"
        theirs = (
            "" if guess == "E" else f". {guess} (dashed) has {own:.4g} / {own_leaves} = {g:.3g}"
        )
        its = f"{saved:.4g} / {leaves} = {saved / leaves:.3g}"
        return f"{reply}: its splits reduce the error least for each leaf, {its}{theirs}."

    def step(self, k):
        """All that the figure shows of step k."""
        step, last = self.steps.iloc[k], k == len(self.steps) - 1
        return {
            "alpha": float(f"{step['alpha']:.6g}"),
            "leaves": step["n_leaves"],
            "training": round(step["risk"], 6),
            "cv": round(step["cv"], 6),
            "links": self.links(step["alpha"]),
            "weakest": [] if last else self.steps["nodes"].iloc[k + 1],
            "then": ": no link is left" if last else self._then(k),
        }

    def _then(self, k):
        """What is pruned after step k, in words."""
        here, after = self.steps.iloc[k], self.steps.iloc[k + 1]
        gone = set(self.links(here["alpha"])) - set(self.links(after["alpha"]))
        others = sorted(self.letters[t] for t in gone - set(after["nodes"]))
        along = f", and takes {' and '.join(others)} along" if others else ""
        weakest = " and ".join(self.letters[t] for t in after["nodes"])
        return f", until at {after['alpha']:.3g} the weakest link, {weakest}, becomes a leaf{along}"

    def frames(self):
        """Three trees and the table of all steps, which stand still in print."""
        captions = {
            0.0251: "Two links have been pruned. Of those that are left, E reduces the error "
            "least for each leaf, by 0.0357. F lies below E and disappears with it.",
            0.0501: "Four leaves, as many as the staircase has steps. Nothing is pruned "
            "until 0.165.",
            0.501: "Two links later only the first split is left.",
        }
        pruned = [", ".join(self.letters[t] for t in nodes) for nodes in self.steps["nodes"]]
        table = self.steps.assign(pruned=pruned)[["alpha", "pruned", "n_leaves", "risk", "cv"]]
        table.columns = ["alpha", "pruned", "leaves", "training error", "cross-validated"]
        last = (
            table.round(4),
            "All steps. The training error only rises, but the cross-validated error has its "
            "minimum at four leaves.",
            "Table: from 8 leaves to 1; the cross-validated error falls from 0.830 to 0.669 and "
            "rises.",
        )
        return [*(self._frame(*item) for item in captions.items()), last]

    def _frame(self, alpha, caption):
        """The tree at one alpha, its caption and its alt text."""
        table = link_table(self.model, alpha=alpha)
        pruned = self.steps["nodes"][self.steps["alpha"] <= alpha]
        picture = draw_tree(
            self.model,
            ["x"],
            show=(),
            digits=2,
            collapsed=[t for nodes in pruned for t in nodes],
            highlight=table.index[table["weakest"]].tolist(),
        )
        g = ", ".join(f"{self.letters[t]} {value:.3g}" for t, value in table["g"].items())
        alt = f"A tree of {len(table) + 1} leaves at alpha {alpha}; g of its links: {g}."
        return picture, f"α = {alpha}. {caption}", alt


# Overfitting


def before_and_after(grown, chosen, X, y):
    """Draw a fully grown tree and a pruned one as functions of their feature."""
    _, axes = plt.subplots(2, 1, sharex=True, figsize=(5.4, 5))
    draw_step_function(grown, X, y, ax=axes[0])
    draw_step_function(chosen, X, y, ax=axes[1])
    axes[0].set(xlabel="", ylabel="y")
    axes[1].set(xlabel="x", ylabel="y")
    axes[0].set_title("100 leaves", loc="left")
    axes[1].set_title("4 leaves", loc="left")
    axes[1].get_legend().remove()
    plt.show()


def errors_by_depth(depths, errors):
    """Draw training and test error against the depth of the tree."""
    best = depths[int(np.argmin(errors["test"]))]
    draw_errors(depths, errors, chosen=best, xlabel="depth", ylabel="mean squared error")
    plt.show()


# By hand: the bakery and the ice cream


def tree_of_the_bakery(bakery):
    """Draw the tree of the bakery with the numbers of its nodes."""
    draw_tree(bakery, show=("node", "n"))
    plt.show()


def weakest_links(bakery):
    """Prune the tree of the bakery, one weakest link after the other."""
    frames, pruned = [], ()
    for step in pruning_table(bakery).itertuples():
        pruned += step.nodes
        links = link_table(bakery, alpha=step.alpha)
        weakest = links.index[links["weakest"]].tolist()
        caption = f"Alpha {step.alpha:.1f}, risk {step.risk:.1f}. "
        if weakest:
            g = ", ".join(f"node {t}: {value:.1f}" for t, value in links["g"].items())
            caption += f"Increase in risk per leaf removed: {g}. Weakest: node {weakest[0]}."
        else:
            caption += "Only the root is left."
        picture = draw_tree(bakery, show=("node",), collapsed=pruned, highlight=weakest)
        alt = f"The tree, number of leaves: {step.n_leaves}. {caption}"
        frames.append((picture, caption, alt))
    return stepper(frames, "The weakest links are pruned", "weakest-links")


def lower_envelope(bakery):
    """Draw the cost of each tree of the bakery's pruning sequence, and their lower envelope."""
    table = pruning_table(bakery)
    _, ax = plt.subplots(figsize=(5.4, 4.4))
    ends = np.array([0, 1.4])
    for i, step in enumerate(table.itertuples()):
        ax.plot(ends, step.risk + step.n_leaves * ends, color=COLORS[i], ls=LINES[i], lw=2)
        words = f"{step.n_leaves} leaves" if step.n_leaves > 1 else "1 leaf"
        ax.text(1.43, step.risk + step.n_leaves * 1.4, words, va="center")
    breaks = np.append(table["alpha"].round(6), ends[1])
    envelope = np.min([r + n * breaks for r, n in table[["risk", "n_leaves"]].to_numpy()], axis=0)
    ax.plot(breaks, envelope, color=ACCENT, lw=9, ls="-", alpha=0.45, zorder=1, gid="envelope")
    for alpha, cost in zip(breaks[1:-1], envelope[1:-1], strict=True):
        ax.plot(alpha, cost, "o", color=INK, ms=7, zorder=5)
        ax.annotate(f"{alpha:g}", (alpha, cost), (5, -19), textcoords="offset points")
    ax.set(xlabel="price of a leaf, α", ylabel="risk + α × leaves", xlim=(0, 1.75), ylim=(0, 7.2))
    ax.set_xticks([0, 0.5, 1])
    plt.show()


def three_folds(noon, sold, folds):
    """Draw the trees of the three folds, with the thresholds that remain at the price 1/9."""
    _, axes = plt.subplots(3, 1, sharex=True, figsize=(5.4, 4.2))
    for ax, fold in zip(axes, "ABC", strict=True):
        out = folds == fold
        grown = DecisionTreeClassifier().fit(noon[~out], sold[~out])
        pruned = prune(grown, 1 / 9, "misclassification")
        for model, width, style in ((grown, 1.2, ":"), (pruned, 2.5, "-")):
            for threshold in model.tree_.threshold[~model.tree_.is_leaf]:
                ax.axvline(threshold, color=GRAY, lw=width, ls=style)
        ax.plot(noon[~out], sold[~out], "o", color=COLORS[0], ms=9)
        ax.plot(noon[out], sold[out], "o", mfc="none", mec=ACCENT, mew=2.5, ms=9)
        ax.set(yticks=[0, 1], yticklabels=["no", "yes"], ylim=(-0.5, 1.5), ylabel=f"without {fold}")
    axes[-1].set_xlabel("degrees at noon")
    plt.show()


# Cross-validation


def standard_errors():
    """Compare cross-validated errors and their standard errors with errors on new data."""
    found = []
    for seed in range(300):
        X, y = make_steps(60, noise=0.5, random_state=seed)
        X_new, y_new = make_steps(1000, noise=0.5, random_state=10_000 + seed)
        losses, model = np.empty(60), sklearn.tree.DecisionTreeRegressor(random_state=0)
        for train, test in KFold(10, shuffle=True, random_state=0).split(X):
            losses[test] = (model.fit(X[train], y[train]).predict(X[test]) - y[test]) ** 2
        new_error = np.mean((model.fit(X, y).predict(X_new) - y_new) ** 2)
        found.append((losses.mean(), losses.std() / np.sqrt(60), new_error))
    cv, se, new_error = np.array(found).T
    low, high = np.quantile(se, [0.05, 0.95])
    within = 100 * np.mean(abs(cv - new_error) < 2 * se)
    print(f"test error               {new_error.mean():.2f}")
    print(f"cross-validated error    {cv.mean():.2f}, its standard deviation {cv.std():.2f}")
    print(f"its standard error (se)  {se.mean():.2f}, from {low:.2f} to {high:.2f}")
    print(f"test error within two se of the cross-validated error: {within:.0f} of 100 sets")


def cross_validated_errors(table):
    """Draw the cross-validated error of the last 30 steps, with one standard error around it."""
    last = table.tail(30)
    draw_errors(
        last["n_leaves"],
        {"cross-validation": last["cv_error"]},
        bands={"cross-validation": last["se"]},
        chosen=last["n_leaves"][last["chosen"]].item(),
        xlabel="leaves",
        ylabel="squared error",
    )
    plt.show()


# Comparisons


def differences(compared, data, base, ratio):
    """Mean leaves and errors of each way to prune, and their differences from one of them."""
    leaves, errors = _by_draw(compared, data)
    difference = errors.sub(errors[base], axis=0)
    return pd.DataFrame(
        {
            "leaves": leaves.mean(),
            "error": errors.mean(),
            "diff": difference.mean(),
            "se": difference.std() * np.sqrt(1 / len(difference) + ratio),
        }
    )


def all_differences(compared, data, base, ratio):
    """The differences of all ways to prune, with the naive standard error and the wins."""
    errors = _by_draw(compared, data)[1]
    difference = errors.sub(errors[base], axis=0)
    table = differences(compared, data, base, ratio).rename(columns={"diff": "difference"})
    table["naive"] = difference.std() / np.sqrt(len(difference))
    table["better of 50"] = (difference < 0).sum()
    return table.round(1)


def _by_draw(compared, data):
    """Leaves and errors of each way to prune on one data set, a row for each split."""
    rows = compared[compared["data"] == data].set_index(["draw", "pruning"])
    return [rows[name].unstack(sort=False) for name in ("leaves", "error")]


# When it breaks


def leaves_of_samples(P, q, P_test, q_test):
    """Draw how many leaves are chosen in 20 samples of the same people, by two rules."""
    table = leaves_of_samples_table(P, q, P_test, q_test)
    _, axes = plt.subplots(2, 1, sharex=True, sharey=True, figsize=(5.4, 4))
    looks = {
        "min": ("minimum rule", COLORS[0], ""),
        "one_se": ("one-standard-error rule", COLORS[1], "////"),
    }
    for ax, (rule, (title, color, hatch)) in zip(axes, looks.items(), strict=True):
        counts = table[rule].value_counts()
        ax.bar(counts.index, counts, color=color, hatch=hatch, edgecolor=INK)
        ax.set(title=title, ylabel="samples", yticks=[0, 3, 6])
    axes[1].set_xlabel("leaves")
    print("first feature split on:", table["first"].value_counts().to_dict())
    print("RMSE, minimum rule: from", table["rmse"].min(), "to", table["rmse"].max())
    least, most = table.min(), table.max()
    chosen = (f"{title} {least[rule]} to {most[rule]}" for rule, (title, *_) in looks.items())
    print("leaves:", ", ".join(chosen))
    plt.show()


def leaves_of_samples_table(P, q, P_test, q_test):
    """The leaves chosen by two rules in 20 samples, the first feature split on, and the RMSE."""
    rng, rows = np.random.default_rng(0), []
    for _ in range(20):
        drawn = rng.choice(300, 200, replace=False)
        choice = cross_validated_pruning(
            DecisionTreeRegressor(), P.iloc[drawn], q.iloc[drawn], random_state=0
        )
        table = choice.table
        best = table[table["chosen"]].iloc[0]
        within = table[table["cv_error"] <= best["cv_error"] + best["se"]]
        rmse = np.sqrt(np.mean((choice.estimator.predict(P_test) - q_test) ** 2))
        rows.append(
            {
                "min": int(best["n_leaves"]),
                "one_se": int(within["n_leaves"].min()),
                "first": P.columns[choice.estimator.tree_.feature[0]],
                "rmse": round(float(rmse), 1),
            }
        )
    return pd.DataFrame(rows)


def errors_on_noise():
    """Prune trees of pure noise, and compare the minimum error with the error on new data."""
    rows = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 5)), rng.normal(size=100)
        choice = cross_validated_pruning(DecisionTreeRegressor(), X, y, random_state=0)
        X, y = rng.normal(size=(1000, 5)), rng.normal(size=1000)
        new_error = np.mean((choice.estimator.predict(X) - y) ** 2)
        leaves = choice.estimator.get_n_leaves()
        rows.append((leaves, choice.table["cv_error"].min(), new_error))
    table = pd.DataFrame(rows, columns=["leaves", "promised error", "test error"])
    fooled = table[table["leaves"] > 1]
    print(len(fooled), "of", len(table), "sets keep a split; on average")
    means = pd.DataFrame({"these sets": fooled.mean(), "all sets": table.mean()})
    print(means.round(2).to_string())


# Under the hood


def costs_of_subtrees(bakery, subtrees):
    """Draw the cost of each pruned subtree of the bakery against the complexity parameter."""
    tree = bakery.tree_
    risk = tree.impurity * tree.weighted_n_node_samples / 10
    saved = risk - risk[tree.children_left] - risk[tree.children_right]
    alphas = np.linspace(0, 1.3, 261)
    lines = [
        risk[0] - sum(saved[t] for t in inner) + (len(inner) + 1) * alphas
        for inner in subtrees(tree)
    ]
    _, ax = plt.subplots()
    ax.plot(alphas, np.transpose(lines), color=GRAY, lw=1, ls="-")
    ax.plot(alphas, np.min(lines, axis=0), color=ACCENT, lw=4, ls="-")
    words = {0.26: (0.9, "5 leaves"), 0.73: (3.2, "3"), 0.9: (3.6, "2"), 1.1: (3.8, "1 leaf")}
    for alpha, (height, leaves) in words.items():
        ax.text(alpha, height, leaves)
    ax.set(xlabel="complexity parameter α", ylabel="cost", xlim=(0, 1.3), ylim=(0, 6))
    plt.show()


def hospital(patients):
    """Draw the tree of the hospital with the numbers of its nodes."""
    tree, categories = tree_of_the_hospital(patients)
    draw_tree(tree, list(patients.columns[:3]), ["gen", "icu"], categories, show=("node",))
    plt.show()


def tree_of_the_hospital(patients):
    """The tree that the slides give, and the categories of its features."""
    icu, gen = [0, 1], [1, 0]
    tree = Tree(
        children_left=np.array([1, 2, LEAF, LEAF, 5, LEAF, LEAF]),
        children_right=np.array([4, 3, LEAF, LEAF, 6, LEAF, LEAF]),
        feature=np.array([0, 2, -2, -2, 1, -2, -2]),
        threshold=np.array([np.nan, np.nan, -2, -2, np.nan, -2, -2]),
        value=np.array([icu, icu, gen, icu, gen, icu, gen], dtype=float)[:, None, :],
        impurity=np.zeros(7),
        n_node_samples=np.ones(7, dtype=int),
        weighted_n_node_samples=np.ones(7),
        left_levels=np.array([[t in (0, 1, 4), False] for t in range(7)]),
        criterion="gini",
    )
    return tree, {j: patients.iloc[:, j].cat.categories.to_numpy() for j in range(3)}
