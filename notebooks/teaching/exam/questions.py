"""The questions: numbers are drawn until they suit, and treelab works out the key.

*Suit* means: no two answers are equally good, no quantity which must not be 0 is 0, the numbers
show what the question is there to teach, and whoever keeps three decimals on the way, though told
not to, takes the same choices and comes as near to the key as a paper allows (`near`).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform
from scipy.stats import binom, hypergeom

from treelab import (
    AdaBoostClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    ID3Classifier,
    cart,
    metrics,
)
from treelab.fast.boosting import boosting_table, residual_table
from treelab.fast.boosting.losses import Quantile, lower_quantile
from treelab.fast.bootstrap import distinct_cases
from treelab.fast.c45 import gain_table, upper_limit
from treelab.fast.growing import split_table
from treelab.fast.importance import mean_decrease_impurity, shap_values
from treelab.fast.impurity import entropy, gini, information_gain, misclassification
from treelab.fast.pruning import link_table, pruning_table
from treelab.fast.selection import (
    combined_importance_table,
    guided_penalties,
    local_importance_table,
    merit,
    perc_std,
    smallest_size,
)
from treelab.fast.selection.boruta import decisions
from treelab.figures.wind_farm import power_curve

# What a paper allows between a number and the key; its head says so.
ABSOLUTE, RELATIVE = 0.005, 0.01


@dataclass(frozen=True)
class Question:
    """One question of a paper."""

    title: str
    chapter: int
    minutes: int  # as many as points
    text: str  # Markdown
    key: str  # Markdown
    given: dict  # what the text shows, for whoever wants to recompute the key
    answer: dict  # what the key shows, not rounded


def table(frame):
    """A DataFrame as a Markdown table, without its index."""
    lines = ["| " + " | ".join(map(str, frame.columns)) + " |", "|" + "---:|" * frame.shape[1]]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in frame.astype(object).to_numpy()]
    return "\n".join(lines) + "\n"


def tries(most=20_000):
    """Count the draws of a question's numbers.

    Raises
    ------
    RuntimeError
        If so many draws do not suit: then the question asks for what there hardly is.
    """
    yield from range(most)
    raise RuntimeError(f"{most} draws had no numbers that suit.")


def near(told, right):
    """Whether numbers count as right: within `ABSOLUTE` of the key, or `RELATIVE` of it."""
    right = np.asarray(right, dtype=float)
    slack = np.maximum(ABSOLUTE, RELATIVE * np.abs(right))
    return bool(np.all(np.abs(np.asarray(told) - right) <= slack))


def by_threes(*numbers):
    """Numbers as one keeps them who rounds to three decimals."""
    return np.round(np.array(numbers, dtype=float), 3)


def drops(y):
    """By how much the mean squared error falls with each cut of rows in order; ndarray (n - 1,)."""
    n, k, left = len(y), np.arange(1, len(y)), np.cumsum(y)[:-1]
    return k * (n - k) / n**2 * (left / k - (np.sum(y) - left) / (n - k)) ** 2


def lead(values):
    """How far the largest value is ahead of the next one."""
    return float(np.diff(np.sort(values)[-2:])[0])


def dealt(x, y):
    """How many cases of each class each level of a column has; ndarray (levels, classes)."""
    return np.array([[np.sum((x == a) & (y == c)) for c in np.unique(y)] for a in np.unique(x)])


def in_words(numbers, digits=3):
    """Numbers one after the other."""
    return ", ".join(f"{number:.{digits}f}" for number in np.atleast_1d(numbers))


NEIGHBORS = np.array([(i, j) for i in (0, -1, 1) for j in (0, -1, 1)])  # itself first


def reading(rng):
    for _ in tries():
        X = rng.integers(0, 10, (14, 2))
        y = rng.integers(0, 2, 14)
        model = DecisionTreeClassifier(max_depth=2).fit(X, y)
        tree = model.tree_
        if tree.n_leaves < 4 or len(set(tree.threshold[~tree.is_leaf])) < 3:
            continue
        drawn = rng.integers(0, 10, (20, 3, 2))
        around = drawn[:, :, None] + NEIGHBORS
        changes = tree.apply(around.reshape(-1, 2).astype(float)).reshape(20, 3, -1)
        changes = changes != (found := changes[:, :, :1])
        # Three rows in three leaves, and one at least, but not all, can come to another leaf.
        suits = [len({*leaves}) == 3 for leaves in found[:, :, 0]]
        suits &= changes.any(axis=2).any(axis=1) & ~changes.any(axis=2).all(axis=1)
        if suits.any():
            asked, near_by, new = (each[suits.argmax()] for each in (drawn, around, changes))
            break
    shares = model.predict_proba(asked)[:, 1]
    lines = tree.export_text(["x1", "x2"]).rstrip().split("\n")
    counts = tree.value[:, 0] * tree.weighted_n_node_samples[:, None]
    told = iter(f"{a:.0f} of class 0, {b:.0f} of class 1" for a, b in counts[tree.is_leaf])
    lines = [
        line if "x1" in line or "x2" in line else f"{line.partition('--- ')[0]}--- {next(told)}"
        for line in lines
    ]
    root = tree.threshold[0] + rng.choice([0, 0, 0.1])  # mostly on the threshold itself
    side = "left" if root <= tree.threshold[0] else "right"
    rows = pd.DataFrame(asked, columns=["$x_1$", "$x_2$"])
    rows.insert(0, "row", ["a", "b", "c"])
    text = (
        "A classification tree was grown on 14 rows. Each leaf shows how many rows of each class "
        "reached it:\n\n"
        "```\n"
        + "\n".join(lines)
        + "\n```\n\nThe tree is applied to three new rows:\n\n"
        + table(rows)
        + "\n(a) Which proportion of class 1 does the tree predict for each of them? (b) Which of "
        "them could reach another leaf if $x_1$ and $x_2$ each changed by at most 1? Give one "
        "change for each that could. (c) A row has "
        f"$x_{tree.feature[0] + 1} = {root:g}$. To which side of the root does it go?\n"
    )
    moves, movable = [], []
    for name, row, others, changes in zip("abc", asked, near_by, new, strict=True):
        moved = others[changes]
        movable.append(len(moved) > 0)
        if len(moved):
            to = min(moved, key=lambda other: (other != row).sum())
            change = " and ".join(f"$x_{j + 1} = {to[j]}$" for j in (0, 1) if to[j] != row[j])
            moves.append(f"{name} with {change}")
        else:
            moves.append(f"{name} not")
    key = (
        f"(a) {in_words(shares)}. (b) {'; '.join(moves)}. (c) To the {side}, because "
        "rows with $x \\le s$ go left.\n"
    )
    given = {"X": X, "y": y, "rows": asked}
    answer = {"shares": shares, "moves": movable, "side": side}
    return Question("Follow the tree", 1, 8, text, key, given, answer)


def impurity(rng):
    for _ in tries():
        first = rng.integers(1, 12, (2, 2))
        second = first.copy()
        move = rng.integers(1, 4, 2)
        second[0] += move
        second[1] -= move
        if second.min() < 0 or second[1].sum() < 2:
            continue
        node = first.sum(axis=0)
        gains = {}
        for name, measure in (
            ("error rate", misclassification),
            ("Gini", gini),
            ("entropy", entropy),
        ):
            gains[name] = [
                float(measure(node) - split.sum(axis=1) @ measure(split) / node.sum())
                for split in (first, second)
            ]
        apart = [abs(a - b) for a, b in gains.values()]
        seen = [*gains["Gini"], *gains["entropy"]]
        clear = min(apart[1:]) > 0.012 and min(seen) > 0.02 and node[0] != node[1]
        if clear and min(gains["error rate"]) < 1e-12:
            break
    text = (
        f"A node holds {node[0]} observations of class A and {node[1]} of class B. One candidate "
        "split has the branches "
        f"({first[0, 0]}, {first[0, 1]}) and ({first[1, 0]}, {first[1, 1]}), and another "
        "one has the branches "
        f"({second[0, 0]}, {second[0, 1]}) and ({second[1, 0]}, {second[1, 1]}), always counting "
        "A first.\n\n"
        "(a) Compute the gain of both splits per observation by the error rate, by Gini and by the "
        "entropy in bits. (b) Which split does each of the three choose? (c) Why can the gain by "
        "the error rate be 0 where the other two are not?\n"
    )
    frame = pd.DataFrame(
        {
            "measure": list(gains),
            "first": [f"{a:.3f}" for a, _ in gains.values()],
            "second": [f"{b:.3f}" for _, b in gains.values()],
            "takes": [
                "either" if abs(a - b) < 1e-12 else "first" if a > b else "second"
                for a, b in gains.values()
            ],
        }
    )
    key = (
        table(frame)
        + "\n(c) The error rate counts the minority of each branch. As long as both branches have "
        "the majority class of the node, these counts add up to the minority of the node. Gini and "
        "the entropy are strictly concave, so any difference between the class proportions "
        "counts.\n"
    )
    given = {"first": first, "second": second}
    return Question("Three measures of impurity", 2, 12, text, key, given, gains)


def growing(rng):
    for _ in tries():
        x = np.sort(rng.choice(np.arange(1, 20), 6, replace=False))
        y = rng.integers(0, 12, 6)
        if lead(drops(y)) > 0.3:
            break
    cuts = split_table(x[:, None], y.astype(float), criterion="squared_error")
    best = cuts[cuts["best"]].iloc[0]
    left = x <= best["threshold"]
    means = [float(y[left].mean()), float(y[~left].mean())]
    text = (
        "A regression tree is grown on six rows with one feature $x$ and the target $y$:\n\n"
        + table(pd.DataFrame([x, y], index=["$x$", "$y$"]).reset_index(names="row"))
        + "\n(a) List the thresholds of the candidate splits. (b) Which split reduces the mean "
        "squared error most? Give the error before and after it. (c) What do the two leaves "
        "predict? "
        "(d) Name a transformation of $x$ that changes the thresholds but none of the "
        "predictions, not even for new rows.\n"
    )
    frame = pd.DataFrame(
        {
            "threshold": cuts["threshold"].map("{:g}".format),
            "error after": cuts["remainder"].map("{:.3f}".format),
            "drop": cuts["gain"].map("{:.3f}".format),
        }
    )
    key = (
        "(a, b)\n\n"
        + table(frame)
        + f"\nThe error before is {y.var():.3f}, and the best split is at "
        f"{best['threshold']:g}. (c) "
        f"{in_words(means)}. "
        "(d) Any linear function with a slope other than 0, for instance $2x + 1$. With $x^3$ the "
        f"six rows stay in their leaves, but a new row between {x[left][-1]} and {x[~left][0]} may "
        "change sides.\n"
    )
    answer = {
        "threshold": float(best["threshold"]),
        "gain": float(best["gain"]),
        "means": means,
        "gains": cuts["gain"].to_numpy(),
    }
    return Question("The best split", 3, 12, text, key, {"x": x, "y": y}, answer)


def pruning(rng):
    n_steps = rng.integers(3, 5)  # 3: a node is pruned together with one below it
    for _ in tries():
        x = np.arange(1.0, 9)
        # The text shows two decimals: 8.4 times whole numbers, over up to 8 rows, have no more.
        times = rng.integers(0, 9, 8)
        y = np.sqrt(8.4) * times
        if lead(drops(y)) < 0.1 or times.sum() % 2:
            continue
        model = DecisionTreeRegressor(max_depth=rng.integers(2, 4)).fit(x[:, None], y)
        sums = model.tree_.n_node_samples * model.tree_.impurity
        if model.tree_.n_leaves != 4:
            continue
        links = link_table(model.tree_)
        if np.diff(np.sort(links["g"])).min() < 0.05:
            continue
        steps = pruning_table(model.tree_)
        alphas = steps["alpha"].to_numpy()
        alone = all(len(nodes) < 2 for nodes in steps["nodes"])
        apart = np.diff(alphas).min(initial=9) > 0.05 and alone
        # Nothing ends just on half a thousandth, which one rounds up and another one down.
        apart &= np.abs(np.append(links["g"], alphas) * 1000 % 1 - 0.5).min() > 0.01
        if len(steps) == n_steps and apart:
            break
    tree = model.tree_
    shown = pd.DataFrame(
        {
            "node": range(tree.node_count),
            "left, right": [
                "leaf" if leaf else f"{left}, {right}"
                for leaf, left, right in zip(tree.is_leaf, tree.children_left, tree.children_right)
            ],
            "rows": tree.n_node_samples,
            "squared error, sum": [f"{v:.2f}" for v in sums],
        }
    )
    step = rng.integers(n_steps)  # at which alpha is asked, between its own and the next
    alpha = round(float(np.append(alphas, 1.5 * alphas[-1])[step : step + 2].mean()), 3)
    kept = int(steps["n_leaves"].iloc[step])
    text = (
        f"The table describes a regression tree that was grown on {len(y)} rows:\n\n"
        + table(shown)
        + "\nRisks are sums of squared errors, divided by the number of all rows. (a) Compute "
        "$g(t) = (R(t) - R(T_t)) / (|T_t| - 1)$ for the three inner nodes. (b) Write down the "
        "sequence of weakest-link pruning: the values of $\\alpha$ and the number of leaves. (c) "
        f"How many leaves are left at $\\alpha = {alpha:.3f}$?\n"
    )
    rows = pd.DataFrame(
        {"$\\alpha$": steps["alpha"].map("{:.3f}".format), "leaves": steps["n_leaves"]}
    )
    key = (
        "(a) "
        + ", ".join(f"node {t}: {v:.3f}" for t, v in links["g"].items())
        + ". (b)\n\n"
        + table(rows)
        + f"\n(c) {kept}.\n"
    )
    leaves = steps["n_leaves"].tolist()
    answer = {"g": links["g"].to_dict(), "alphas": alphas, "leaves": leaves, "kept": kept}
    given = {
        "y": y,
        "left": tree.children_left,
        "right": tree.children_right,
        "alpha": alpha,
        "sums": sums,
    }
    return Question("The weakest link", 4, 15, text, key, given, answer)


def cross_validation(rng):
    fold, x = np.repeat([1, 2, 3], 2), np.tile([0, 1], 3)
    trees = ("one leaf", "two leaves")
    # The tree with the lowest error, and the one that the rule chooses, each pair as often.
    wanted = [(trees[0], trees[0]), (trees[1], trees[0]), (trees[1], trees[1])][rng.integers(3)]
    for _ in tries():
        y = rng.integers(0, 9, 6) + x * float(rng.integers(0, 7))
        pairs = y.reshape(3, 2)  # a row for each fold: by the means of the others
        said = (y.sum() - pairs.sum(axis=1, keepdims=True)) / 4, (pairs.sum(axis=0) - pairs) / 2
        loss = {name: ((pairs - s) ** 2).ravel() for name, s in zip(trees, said, strict=True)}
        least = min(trees, key=lambda name: loss[name].mean())
        se, worse = loss[least].std() / np.sqrt(6), loss[trees[0]].mean() - loss[least].mean()
        apart = abs(loss[trees[0]].mean() - loss[trees[1]].mean())
        clear = min(apart, abs(apart - se), loss[least].mean()) > 0.5
        if clear and (least, trees[int(worse > se)]) == wanted:
            break
    losses = {}
    for depth, name in enumerate(trees):
        said = np.empty(6)
        for k in (1, 2, 3):
            rest, out = fold != k, fold == k
            if depth:
                model = DecisionTreeRegressor(max_depth=1).fit(x[rest, None], y[rest])
                said[out] = model.predict(x[out, None])
            else:
                said[out] = y[rest].mean()
        losses[name] = (y - said) ** 2
    errors = {name: float(loss.mean()) for name, loss in losses.items()}
    se = float(losses[least].std() / np.sqrt(6))
    simple = trees[errors["one leaf"] > errors[least] + se]
    frame = pd.DataFrame(
        [fold, x, y.astype(int)], index=["fold", "$x$", "$y$"], columns=range(1, 7)
    )
    text = (
        "Six rows with a feature that is 0 or 1 are divided into three folds:\n\n"
        + table(frame.reset_index(names="row"))
        + "\nWe compare two trees by cross-validation. One is a single leaf, and the other has two "
        "leaves and the split $x = 0$. For each fold they are grown on the other four rows. (a) "
        "Compute the cross-validated error of both, that is, the mean of the six squared errors. "
        "(b) Which tree has the smaller error? Compute its standard error, that is, the standard "
        "deviation of the six squared errors (divide by 6) over $\\sqrt 6$. (c) Which tree does "
        "the one-standard-error rule choose? (d) Why is each row predicted by a tree that has not "
        "seen it?\n"
    )
    rows = pd.DataFrame(
        {
            "row": range(1, 7),
            **{name: [f"{v:.3f}" for v in loss] for name, loss in losses.items()},
        }
    )
    key = (
        "(a) The squared errors:\n\n"
        + table(rows)
        + f"\nTheir means are {errors['one leaf']:.3f} and {errors['two leaves']:.3f}. (b) The "
        f"tree with {least}, with a standard error of {se:.3f}. (c) The tree with {simple}, which "
        f"is the smallest whose error is at most {errors[least] + se:.3f}. (d) A tree has been "
        "fitted to the rows that it was grown on, so its error on them is too small.\n"
    )
    given = {"fold": fold, "x": x, "y": y}
    answer = {**errors, "least": least, "se": se, "simple": simple}
    return Question("Three folds by hand", 4, 12, text, key, given, answer)


def gain_ratio(rng):
    for _ in tries():
        sky = rng.choice(["sun", "cloud", "rain"], 10)
        wind = rng.choice(["weak", "strong"], 10)
        day = [f"d{k}" for k in range(1, 11)]
        y = rng.choice(["go", "stay"], 10)
        if len({*sky}) < 3 or len({*wind}) < 2 or not 3 <= (y == "go").sum() <= 7:
            continue
        parts = [dealt(column, y) for column in (sky, wind)]
        gains = np.array([float(information_gain(part)) for part in parts])
        ratios = gains / [float(entropy(part.sum(axis=1))) for part in parts]
        whole = float(entropy(np.unique(y, return_counts=True)[1]))  # the gain of the day
        ratios = np.append(ratios, whole / np.log2(10))
        # The gain takes the day, and the ratio another one.
        other = ratios.argmax() < 2 and gains.max() < whole - 0.03
        if other and np.diff(np.sort(ratios)).min() > 0.02 and gains.min() > 0.012:
            break
    X = pd.DataFrame({"day": day, "sky": sky, "wind": wind})
    offers = gain_table(X, y, estimator=ID3Classifier()).set_index("feature")
    ratio = offers["gain_ratio"]
    text = (
        "On ten days somebody decided to go or to stay:\n\n"
        + table(X.assign(decision=y))
        + "\n(a) Compute the information gain of `day`, `sky` and `wind`. (b) Compute their "
        "split information and gain "
        "ratio. (c) Which feature does the gain choose, and which one does the ratio? What is "
        "wrong with the choice of the gain?\n"
    )
    frame = pd.DataFrame(
        {
            "feature": list(offers.index),
            "gain": offers["gain"].map("{:.3f}".format),
            "split information": offers["split_information"].map("{:.3f}".format),
            "ratio": offers["gain_ratio"].map("{:.3f}".format),
        }
    )
    key = (
        "(a, b)\n\n"
        + table(frame)
        + f"\n(c) The gain chooses `day`, and the ratio `{ratio.idxmax()}`. Every day is a branch "
        "of its own, which is pure by construction and says nothing about a future day. The split "
        "information of so many branches, $\\log_2 10$, is large, and the ratio divides by it.\n"
    )
    answer = {
        name: offers.loc[name, ["gain", "split_information", "gain_ratio"]].to_numpy(dtype=float)
        for name in offers.index
    }
    return Question("Gain and gain ratio", 5, 15, text, key, {"X": X, "y": y}, answer)


def gaps(rng):
    for _ in tries():
        sky = rng.choice(["sun", "rain", "?"], 10, p=[0.4, 0.4, 0.2])
        y = rng.choice(["go", "stay"], 10)
        known = {level: int(np.sum(sky == level)) for level in ("sun", "rain", "?")}
        if known["?"] not in (1, 2, 3) or min(known["sun"], known["rain"]) < 2 or len({*y}) < 2:
            continue
        here = sky != "?"
        gain = float(information_gain(dealt(sky[here], y[here]))) * here.mean()
        if gain > 0.03 and known["sun"] != known["rain"]:
            break
    X = pd.DataFrame({"sky": np.where(sky == "?", None, sky)})
    offer = gain_table(X, y, estimator=C45Classifier()).iloc[0]
    share = known["sun"] / (10 - known["?"])
    text = (
        "For some of these ten days the sky is a missing value:\n\n"
        + table(pd.DataFrame({"day": range(1, 11), "sky": sky, "decision": y}))
        + "\n(a) Compute the information gain of the sky on the days on which it is known. (b) "
        "Which gain does C4.5 use? (c) Compute the split information and the gain ratio. (d) The "
        "split is made. With which weight does a day of unknown sky go into the branch *sun*, and "
        "what is the total weight of the days in this branch?\n"
    )
    inside = float(offer["gain"]) * 10 / (10 - known["?"])
    weight = known["sun"] + share * known["?"]
    key = (
        f"(a) {inside:.3f}. (b) It is multiplied by the proportion of known days, "
        f"{10 - known['?']}/10, which gives {offer['gain']:.3f}. (c) The unknown days count as a "
        f"branch of their own, so the split information is {offer['split_information']:.3f} and "
        f"the gain ratio {offer['gain_ratio']:.3f}. (d) "
        f"{known['sun']}/{10 - known['?']} = {share:.3f}, the proportion of this branch among the "
        f"known days. The total weight is {known['sun']} + {known['?']} · {share:.3f} = "
        f"{weight:.3f}.\n"
    )
    answer = {
        "known": inside,
        **{name: float(offer[name]) for name in ("gain", "split_information", "gain_ratio")},
        "share": share,
        "weight": weight,
    }
    return Question("Days of unknown sky", 5, 12, text, key, {"sky": sky, "y": y}, answer)


def error_limit(rng):
    turned = int(rng.integers(2))  # whether the last branch has another majority
    for _ in tries():
        sizes = rng.integers(1, 10, 3)
        errors = np.append(0, rng.integers(0, 3, 2))
        N, E = int(sizes.sum()), int(errors.sum())
        if turned:
            E += int(sizes[2] - 2 * errors[2])
        if (2 * errors >= sizes).any() or 2 * E >= N or errors.sum() == 0:
            continue
        U = [float(upper_limit(n, e, variant="release8")) for n, e in zip(sizes, errors)]
        # As the text shows them: all but the first, which is to be computed.
        U[1:] = [u if e == 0 else round(u, 4) for u, e in zip(U[1:], errors[1:], strict=True)]
        parts = sizes * U
        whole = N * round(float(upper_limit(N, E, variant="release8")), 4)
        if abs(parts.sum() - whole) > 0.15:
            break
    classes = [(n - e, e) for n, e in zip(sizes, errors)]
    if turned:
        classes[2] = classes[2][::-1]
    shown = pd.DataFrame(
        {"branch": range(1, 4), "class A, class B": [f"{a}, {b}" for a, b in classes]}
    )
    asked = dict.fromkeys((int(n), int(e)) for n, e in zip(sizes, errors) if e)
    asked[N, E] = None
    limits = [upper_limit(n, e, variant="release8") for n, e in asked]
    told = pd.DataFrame(
        [(n, e, f"{u:.4f}") for (n, e), u in zip(asked, limits)], columns=["$N$", "$E$", "$U$"]
    )
    text = (
        "A split of C4.5 has three leaves as its branches:\n\n"
        + table(shown)
        + "\nWith a confidence of 0.25 the upper limit of the error rate of a leaf without errors "
        "is $U = 1 - 0.25^{1/N}$. For other leaves it is in the following table:\n\n"
        + table(told)
        + "\n(a) What is the upper limit of the first leaf? (b) How many errors are predicted for "
        "the three leaves together? (c) How many are predicted for a single leaf instead of them? "
        "(d) Does C4.5 replace them by this leaf? (e) Why is the upper limit of a leaf without "
        "errors above 0?\n"
    )
    pruned = "yes" if whole <= parts.sum() else "no"
    key = (
        f"(a) {U[0]:.3f}. (b) "
        + " + ".join(f"{n} · {u:.4f}" for n, u in zip(sizes, U, strict=True))
        + f" = {parts.sum():.3f}. (c) {N} · {limits[-1]:.4f} = {whole:.3f}. (d) "
        f"{pruned.capitalize()}, because fewer errors are predicted for "
        f"{'one leaf' if pruned == 'yes' else 'the three leaves'}. (e) "
        "Even a leaf with an error rate above 0 can have no error on a few observations. The fewer "
        "observations there are, the higher the error rate that is still possible.\n"
    )
    given = {"sizes": sizes, "errors": errors, "whole": (N, E)}
    answer = {"first": U[0], "leaves": float(parts.sum()), "leaf": whole, "pruned": pruned}
    return Question("Three leaves or one", 5, 12, text, key, given, answer)


def confusion_matrix(rng):
    for _ in tries():
        positives, rest = 5 * int(rng.integers(4, 13)), 10 * int(rng.integers(10, 41))
        found = np.sort(rng.integers(3, positives, 2))
        false_alarms = np.sort(rng.integers(3, rest // 3, 2))
        missed_costs, alarm_costs = int(rng.integers(3, 13)), int(rng.integers(1, 3))
        n = positives + rest
        TP, FP = (float(counts[0]) for counts in (found, false_alarms))
        precision, recall = TP / (TP + FP), TP / positives
        costs = missed_costs * (positives - found) + alarm_costs * false_alarms
        accuracies = (TP + rest - FP) / n, rest / n
        f1 = 2 * precision * recall / (precision + recall)
        if min(np.diff(found)[0], np.diff(false_alarms)[0], abs(costs[0] - costs[1])) >= 3:
            if abs(accuracies[0] - accuracies[1]) > 0.02 and abs(precision - recall) > 0.05:
                break
    text = (
        f"A classifier is evaluated on {n} test rows, of which {positives} are positive. The table "
        "counts the rows that it predicts to be positive, for two thresholds of its score:\n\n"
        + table(
            pd.DataFrame(
                {
                    "threshold": [0.5, 0.2],
                    "positive rows predicted positive": found,
                    "negative rows predicted positive": false_alarms,
                }
            )
        )
        + "\n(a) Write down the confusion matrix for the threshold 0.5. Compute the accuracy, the "
        "precision, the recall and $F_1$. (b) Which accuracy has a model that predicts each row to "
        f"be negative? (c) A missed positive row costs {missed_costs} and a false alarm "
        f"{alarm_costs}. Compute the total cost at each threshold. Which one would you use?\n"
    )
    better = (0.5, 0.2)[int(np.argmin(costs))]
    key = (
        f"(a) TN {rest - false_alarms[0]}, FP {false_alarms[0]}, FN {positives - found[0]}, "
        f"TP {found[0]}. Accuracy {accuracies[0]:.3f}, precision {precision:.3f}, recall "
        f"{recall:.3f}, $F_1$ {f1:.3f}. (b) {accuracies[1]:.3f}. (c) {costs[0]} at 0.5 and "
        f"{costs[1]} at 0.2: use {better:g}.\n"
    )
    given = {
        "positives": positives, "rest": rest, "found": found, "false_alarms": false_alarms,
        "prices": (missed_costs, alarm_costs),
    }  # fmt: skip
    answer = {
        "accuracy": accuracies[0], "precision": precision, "recall": recall, "f1": f1,
        "always_negative": accuracies[1], "costs": costs.tolist(), "threshold": better,
    }  # fmt: skip
    return Question("A confusion matrix", 6, 10, text, key, given, answer)


def roc(rng):
    for _ in tries():
        n = int(rng.integers(8, 11))
        scores = np.sort(rng.choice(np.arange(1, 20), n, replace=False))[::-1] / 20
        k = int(rng.integers(2, n - 2))
        scores[k + 1] = scores[k]  # a tie of a positive and a negative row
        y = rng.integers(0, 2, n)
        y[[k, k + 1]] = rng.permutation(2)
        at = float(scores[int(rng.integers(2, n - 2))])
        auc = metrics.roc_auc(y.tolist(), scores.tolist())
        if 3 <= y.sum() <= n - 3 and 0.55 < auc < 0.95 and at != scores[k]:
            break
    mixed = rng.permutation(n)
    scores, y = scores[mixed], y[mixed]
    P, N = int(y.sum()), int(n - y.sum())
    alarms = y[scores >= at]
    TPR, FPR = float((alarms == 1).sum() / P), float((alarms == 0).sum() / N)
    won = sum(a > b for a in scores[y == 1] for b in scores[y == 0])
    text = (
        f"A classifier gives {n} test rows the following scores. Their classes are known:\n\n"
        + table(
            pd.DataFrame([[f"{v:.2f}" for v in scores], y], index=["score", "class"])
            .reset_index()
            .set_axis(["row", *range(1, n + 1)], axis=1)
        )  # fmt: skip
        + f"\nRows with a score of at least the threshold are predicted to be of class 1. (a) "
        f"Which point of the ROC curve belongs to the threshold {at:.2f}? Give the false positive "
        "rate and the true positive rate. (b) In how many pairs of a row of class 1 and one of "
        "class 0 does the former have the higher score, and in how many are the two equal? "
        "Compute the AUC. (c) Each score is squared. What is the AUC now?\n"
    )
    key = (
        f"(a) ({FPR:.3f}, {TPR:.3f}). (b) {won} of {P * N} pairs, and one is tied, which counts "
        f"one half: the AUC is {auc:.3f}. (c) {auc:.3f}, because squaring keeps the order.\n"
    )
    given = {"scores": scores, "y": y, "at": at}
    answer = {"FPR": FPR, "TPR": TPR, "won": int(won), "pairs": P * N, "auc": auc}
    return Question("The ROC curve", 6, 10, text, key, given, answer)


def bias_variance(rng):
    for _ in tries():
        said = rng.integers(2, 19, 5)
        truth = int(rng.integers(5, 16))
        if said.var() > 4 and said.mean() != truth:
            break
    bias2, variance = float((said.mean() - truth) ** 2), float(said.var())
    text = (
        "The same method is trained on each of five samples. All five are equally likely, and "
        "there are no others. For an observation whose "
        f"expected target is {truth} the five models predict {', '.join(map(str, said))}.\n\n(a) "
        "Compute the squared bias and the variance at "
        "this observation. (b) Check that they add up to the mean squared distance from the "
        "expected target. (c) Suppose that the average of the five "
        "models is used instead. What are its squared bias and its variance?\n"
    )
    key = (
        f"(a) The squared bias is {bias2:.3f} and the variance {variance:.3f} (with the divisor 5, "
        "because these are all samples). "
        f"(b) The mean squared distance is {np.mean((said - truth) ** 2):.3f}. (c) The squared "
        "bias stays the same. The variance is 0, because "
        "the average over all samples no longer depends on a sample.\n"
    )
    answer = {"bias2": bias2, "variance": variance}
    return Question("Bias and variance", 7, 8, text, key, {"said": said, "truth": truth}, answer)


def bootstrap(rng):
    n = int(rng.integers(5, 13))
    training = round(float(rng.uniform(0.02, 0.1)), 2)
    unseen = round(float(rng.uniform(0.25, 0.4)), 2)
    for _ in tries():
        sample = np.sort(rng.integers(1, n + 1, n))
        if missed := sorted({*range(1, n + 1)} - {*sample.tolist()}):
            break
    answer = {
        "out": len(missed),
        "expected": distinct_cases(n)[0],
        "missing": (1 - 1 / n) ** n,
        "estimate": 0.368 * training + 0.632 * unseen,
    }
    text = (
        f"(a) A bootstrap sample of {n} rows contains {', '.join(map(str, sample))}. Which rows "
        "are out of bag? (b) With what probability is a "
        f"given row out of bag, and how many different rows does a sample of {n} contain on "
        "average? (c) A classifier has a "
        f"training error of {training:.2f} and a leave-one-out bootstrap error of {unseen:.2f}. "
        "Compute the .632 estimate. (d) Why is the leave-one-out "
        "bootstrap too pessimistic, and the training error too optimistic?\n"
    )
    key = (
        f"(a) {', '.join(map(str, missed))}. (b) {answer['missing']:.3f}; "
        f"{answer['expected']:.3f}. "
        f"(c) {answer['estimate']:.3f}. (d) Its models have seen only about 63 % of the rows, "
        "whereas the training error is measured on rows that the model has seen.\n"
    )
    given = {"n": n, "sample": sample, "training": training, "unseen": unseen}
    return Question("The bootstrap", 8, 10, text, key, given, answer)


def stump_of(y, bag):
    """What a stump grown on some of the cases 0, 1, 2, ... says of all of them; list."""
    stump = cart.grow([[case] for case in bag], [y[case] for case in bag], max_depth=1)
    return [cart.predict(stump, [case]) for case in range(len(y))]


def out_of_bag(rng):
    n, B = 6, 5
    for _ in tries():
        y, bags = rng.integers(0, 2, n), rng.integers(0, n, (B, n))
        seen = np.array([np.isin(np.arange(n), bag) for bag in bags])
        out = (~seen).sum(axis=0)
        if not 0 < np.sum(out == 0) < 3 or not 1 < y.sum() < n - 1 or len({*bags.ravel()}) < n:
            continue
        said = np.array([stump_of(y.tolist(), bag.tolist()) for bag in bags])
        share = (said * ~seen).sum(axis=0) / np.maximum(out, 1)
        covered = out > 0
        heard = share > 0.5
        tied = (share[covered] == 0.5).any()
        error, all_five = (
            float(np.mean(vote[rows] != y[rows]))
            for vote, rows in ((heard, covered), (said.mean(axis=0) > 0.5, slice(None)))
        )
        # Some vote is split, and the trees do worse where they have not seen the row.
        split = ((share > 0) & (share < 1)).any()
        if not tied and split and error > all_five + 0.01:
            break
    heard = [int(vote) if known else None for vote, known in zip(heard, covered, strict=True)]
    frame = pd.DataFrame({"row": range(1, n + 1), "class": y})
    for b in range(B):
        frame[f"tree {b + 1}"] = [f"({s})" if inside else s for s, inside in zip(said[b], seen[b])]
    text = (
        "Five bagged trees classify six training rows. A vote in parentheses comes from a tree "
        "whose bootstrap sample contains the row.\n\n"
        + table(frame)
        + "\n(a) Which class does the out-of-bag vote give to each row? (b) What are the coverage "
        "and the out-of-bag error? (c) What is the error of "
        "the vote of all five trees on the same rows, and why should you not report it?\n"
    )
    key = (
        f"(a) {', '.join('none' if h is None else str(h) for h in heard)}. (b) {covered.sum()} "
        f"of {n}; {error:.3f}. (c) {all_five:.3f}; "
        "it is a training error, because most of these trees have seen the row.\n"
    )
    given = {"said": said, "seen": seen, "y": y}
    answer = {"error": error, "coverage": float(covered.mean()), "all": all_five}
    return Question("Out of bag", 9, 10, text, key, given, answer)


def forest(rng):
    rho = round(float(rng.choice([0.1, 0.2, 0.3, 0.4, 0.5])), 1)
    sigma2 = int(rng.integers(2, 13))
    B = int(rng.choice([5, 10, 20, 25, 50]))
    p, relevant, m = int(rng.integers(10, 31)), int(rng.integers(1, 4)), int(rng.integers(2, 6))
    answer = {
        "variance": rho * sigma2 + (1 - rho) * sigma2 / B,
        "floor": rho * sigma2,
        "chance": float(1 - hypergeom.pmf(0, p, relevant, m)),
    }
    text = (
        f"The trees of a forest have the variance {sigma2} at one point, and any two of them have "
        f"the correlation {rho}.\n\n(a) What is the variance of the "
        f"mean of {B} trees? (b) Below which value does it not fall, however many trees there "
        f"are? (c) Of {p} features {relevant} "
        f"{'is' if relevant == 1 else 'are'} relevant, and a node has {m} candidates. With what "
        "probability is a relevant feature among them? (d) What do you gain, and what do you lose, "
        "with fewer candidates?\n"
    )
    key = (
        f"(a) $\\rho\\sigma_T^2 + (1 - \\rho)\\sigma_T^2 / B$ = {answer['variance']:.3f}. (b) "
        f"$\\rho\\sigma_T^2$ = {answer['floor']:.3f}. (c) "
        f"{answer['chance']:.3f}. (d) The trees become less correlated, so the floor falls. But a "
        "node often has only irrelevant candidates, and each tree gets worse.\n"
    )
    given = {"rho": rho, "sigma2": sigma2, "B": B, "p": p, "relevant": relevant, "m": m}
    return Question("A mean of correlated trees", 10, 10, text, key, given, answer)


def adaboost(rng):
    for _ in tries():
        x = np.arange(1, 9)
        y = rng.integers(0, 2, 8)
        if len({*y}) < 2:
            continue
        if lead(drops(y)) < 1e-6:
            continue
        X = pd.DataFrame({"x": x})
        model = AdaBoostClassifier(n_estimators=2).fit(X, y)
        says = [member.predict(X) for member in model.estimators_]
        if len(says) < 2 or any(len({*said}) < 2 for said in says):
            continue
        shown = boosting_table(model, X, y)
        first, second = (shown[shown["round"] == m] for m in (1, 2))
        rates = [float(r["error"].iloc[0]) for r in (first, second)]
        if 0.1 < rates[0] < 0.4 and 0.05 < rates[1] < 0.42:
            break
    votes = [float(r["confidence"].iloc[0]) for r in (first, second)]
    stump = [
        f"class {r['prediction'].iloc[0]} for $x \\le {m.tree_.threshold[0]:g}$ and class "
        f"{r['prediction'].iloc[-1]} beyond"
        for r, m in zip((first, second), model.estimators_, strict=True)
    ]
    text = (
        "AdaBoost with stumps on eight cases:\n\n"
        + table(pd.DataFrame([x, y], index=["$x$", "class"]).reset_index(names="case"))
        + f"\nThe first stump says {stump[0]}; the second says {stump[1]}.\n\n(a) Compute the "
        "error and the confidence "
        "$c = \\frac{1}{2} \\ln\\frac{1 - \\varepsilon}{\\varepsilon}$ of the first stump. "
        "(b) Which weights do the cases have in the second round? They add "
        "up to 1. (c) Compute error and confidence of the second stump. (d) What would the first "
        "stump's error be under the new weights, and why always?\n"
    )
    weights = second["weight"].to_numpy(dtype=float)
    key = (
        f"(a) {in_words([rates[0], votes[0]])}. (b) {in_words(weights)}. (c) "
        f"{in_words([rates[1], votes[1]])}. (d) One half: the "
        "weights are chosen so that the cases it got wrong weigh as much as those it got right.\n"
    )
    given = {"y": y, "said": [r["prediction"].to_numpy() for r in (first, second)]}
    answer = {"errors": rates, "alphas": votes, "weights": weights}
    return Question("Two rounds of AdaBoost", 11, 15, text, key, given, answer)


def gradient_boosting(rng):
    first = int(rng.integers(2, 5))  # rows on the left; the dice of the numbers nearly always say 3
    alike = rng.random() < 0.3
    x = np.arange(1, 7)
    for _ in tries():
        drawn = rng.integers(0, 20, (50, 6)).astype(float)
        # Each leaf has one median, no cell of the table is the median of all, one is the largest.
        left, right, whole = (
            (part == np.median(part, axis=1, keepdims=True)).any(axis=1)
            for part in (drawn[:, :first], drawn[:, first:], drawn)
        )
        suits = left & right & ~whole
        if not suits.any():
            continue
        y = drawn[suits.argmax()]
        gains = drops(y), drops(np.sign(y - np.median(y)))
        where = [float(gain.argmax()) + 1.5 for gain in gains]
        as_wanted = where[1] == first + 0.5 and (where[0] == where[1]) == alike
        if as_wanted and lead(gains[0]) > 0.1 and lead(gains[1]) > 0.02 and lead(y) > 0:
            break
    X, rounds = x[:, None], []
    for loss in ("squared_error", "absolute_error"):
        model = GradientBoostingRegressor(loss=loss, n_estimators=1, max_depth=1, learning_rate=0.5)
        rounds.append((model.fit(X, y), residual_table(model, X, y)))
    where = [float(model.estimators_.ravel()[0].tree_.threshold[0]) for model, _ in rounds]
    squared, absolute = (r[1] for r in rounds)
    text = (
        "One round of gradient boosting on six cases, with stumps and the learning rate 0.5:\n\n"
        + table(pd.DataFrame([x, y.astype(int)], index=["$x$", "$y$"]).reset_index(names="case"))
        + "\n(a) Under squared error: the start, the residuals, the stump's threshold and leaf "
        "values, and the predictions after the round. (b) The same under absolute error, with the "
        "pseudo-residuals: the stump is grown on the signs of the residuals by squared error, its "
        "leaves get the value that minimizes the loss. The median of an even number of values is "
        "the mean of the two in the middle. (c) Which of the two "
        "changes more if the largest target grows by 100?\n"
    )

    def told(r, cut, lacking):
        return (
            f"start {r['before'].iloc[0]:.3f}; {lacking} {in_words(r['residual'])}; threshold "
            f"{cut:g}; leaf values "
            f"{in_words([2 * r['step'].iloc[0], 2 * r['step'].iloc[-1]])}; after the round "
            f"{in_words(r['after'])}"
        )

    key = (
        f"(a) {told(squared, where[0], 'residuals')}. (b) "
        f"{told(absolute, where[1], 'pseudo-residuals')}. (c) The first: a mean "
        "follows the target, a sign does not "
        "change and a median hardly does.\n"
    )
    answer = {
        name: {
            "start": float(r["before"].iloc[0]),
            "residuals": r["residual"].to_numpy(),
            "threshold": cut,
            "after": r["after"].to_numpy(),
        }
        for name, r, cut in zip(("squared", "absolute"), (squared, absolute), where, strict=True)
    }
    return Question("One step against the residuals", 12, 15, text, key, {"y": y}, answer)


def importance(rng):
    for _ in tries():
        X = rng.integers(0, 8, (12, 3)).astype(float)
        y = rng.integers(0, 2, 12)
        model = DecisionTreeClassifier(max_depth=2).fit(X, y)
        tree = model.tree_
        inner = np.flatnonzero(~tree.is_leaf)
        if tree.n_leaves < 4 or len({*tree.feature[inner]}) != 2:
            continue
        shares = mean_decrease_impurity(model)
        R = tree.weighted_n_node_samples / 12 * tree.impurity
        drop, rough = (
            r[inner] - r[tree.children_left[inner]] - r[tree.children_right[inner]]
            for r in (R, by_threes(*R))
        )
        told = by_threes(*(rough[tree.feature[inner] == j].sum() for j in range(3))) / rough.sum()
        if drop.min() > 0.012 and near(by_threes(*told), shares):
            break
    counts = np.rint(tree.value[:, 0] * tree.weighted_n_node_samples[:, None]).astype(int)
    frame = pd.DataFrame(
        {
            "node": range(tree.node_count),
            "tests": [
                "–" if leaf else f"$x_{f + 1}$" for leaf, f in zip(tree.is_leaf, tree.feature)
            ],
            "left, right": [
                "leaf" if leaf else f"{left}, {right}"
                for leaf, left, right in zip(tree.is_leaf, tree.children_left, tree.children_right)
            ],
            "classes 0, 1": [f"{a}, {b}" for a, b in counts],
        }
    )
    text = (
        "A tree by Gini on three features:\n\n"
        + table(frame)
        + "\n(a) Compute the decrease of impurity at each inner node, weighted by its share of "
        "the rows. (b) Compute the mean decrease in impurity of the three features, "
        "scaled to the sum 1. (c) The feature without importance: is it irrelevant? (d) A column "
        "of random numbers is added. Can its importance be below 0?\n"
    )
    key = (
        "(a) "
        + ", ".join(f"node {t}: {d:.3f}" for t, d in zip(inner, drop))
        + f". (b) {in_words(shares)}. (c) Not necessarily: another feature may have taken its "
        "place at the cuts. "
        "(d) No, it is 0 at least and usually above, since some cut always gains a little on the "
        "training rows.\n"
    )
    given = {
        "counts": counts,
        "feature": tree.feature,
        "left": tree.children_left,
        "right": tree.children_right,
    }
    return Question(
        "Mean decrease in impurity", 13, 12, text, key, given, {"shares": shares, "drops": drop}
    )


def shapley(rng):
    for _ in tries():
        # Two features at two values each, all four cells equally often.
        corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
        y = rng.integers(0, 21, 4).astype(float)
        if len({*y}) < 4 or y[3] - y[2] == y[1] - y[0]:  # then the order would not matter
            continue
        model = DecisionTreeRegressor().fit(corners, y)
        if model.tree_.n_leaves == 4:
            break
    answer = shap_values(model, corners[3:])
    values, base = answer["values"][0], float(answer["expected_value"])
    frame = pd.DataFrame({"$x_1$": [0, 0, 1, 1], "$x_2$": [0, 1, 0, 1], "model": y.astype(int)})
    text = (
        "A model of two features; all four rows are equally frequent:\n\n"
        + table(frame)
        + "\nExplain what it says of the row (1, 1). What is not known is averaged over the four "
        "rows. (a) What does the model say on average, given nothing, $x_1 = 1$ only, "
        "$x_2 = 1$ only, and both? (b) Compute the Shapley values of the two features. (c) Check "
        "that they add up to what they should.\n"
    )
    known = [float(y.mean()), float(y[2:].mean()), float(y[1::2].mean()), float(y[3])]
    key = (
        f"(a) {in_words(known)}. (b) {in_words(values)}: for each feature the mean of what it "
        "adds when it comes first and when it comes second. "
        f"(c) {base:.3f} + {values[0]:.3f} + {values[1]:.3f} = {base + values.sum():.3f}, what "
        "the model says.\n"
    )
    return Question(
        "Who gets the credit", 13, 10, text, key, {"y": y}, {"values": values, "base": base}
    )


def merit_of_sets(rng):
    """Three features: four merits, and what FCBF keeps."""
    sets = ((0,), (0, 1), (0, 2), (0, 1, 2))
    agree = rng.random() < 0.5  # left to the dice of the numbers, CFS and FCBF nearly always do
    for _ in tries():
        relevance = np.sort(rng.integers(8, 60, 3))[::-1] / 100
        between = rng.integers(1, 50, 3) / 100  # of a and b, a and c, b and c
        pairs = squareform(between)
        merits = [merit(relevance[list(some)], pairs[np.ix_(some, some)]) for some in sets]
        gaps = [*(relevance[[1, 2, 2]] - between), *np.diff(relevance), *np.diff(np.sort(merits))]
        kept = [0] if between[0] >= relevance[1] else [0, 1]
        kept += [] if any(pairs[j, 2] >= relevance[2] for j in kept) else [2]
        same = sets[int(np.argmax(merits))] == tuple(kept)
        if np.abs(gaps).min() > 0.015 and same == agree:
            break
    names = [", ".join("abc"[j] for j in some) for some in sets]
    frame = pd.DataFrame(pairs, columns=[*"abc"]).map("{:.2f}".format)
    for j in range(3):
        frame.iloc[j, j] = "1"
    frame.insert(0, "", [*"abc"])
    frame["class"] = [f"{value:.2f}" for value in relevance]
    text = (
        "Symmetrical uncertainties of three features, with each other and with the class:\n\n"
        + table(frame)
        + "\n(a) Compute the merit of the sets "
        + ", ".join(f"{{{name}}}" for name in names)
        + ". Which of these four does CFS prefer? (b) What does FCBF keep, with the threshold 0? "
        "(c) A copy of a joins {a, b}. What is the merit then?\n"
    )
    best = names[int(np.argmax(merits))]
    copied = (2 * relevance[0] + relevance[1]) / np.sqrt(3 + 2 * (2 * between[0] + 1))
    answer = {"merits": merits, "best": best, "kept": names[sets.index(tuple(kept))]}
    answer["copied"] = copied
    key = (
        f"(a) {in_words(merits)}: {{{best}}}. (b) {{{answer['kept']}}}. "
        f"(c) {copied:.3f}: three relevances, over the root of three and twice the three pairs, of "
        f"which one is 1; without the copy it is {merits[1]:.3f}.\n"
    )
    given = {"relevance": relevance, "between": between}
    return Question("Merit and a filter", 14, 10, text, key, given, answer)


def no_worse(rng):
    """A path of wrong rows: the smallest set by standard errors, and by deviations."""
    sizes, n = np.array([16, 13, 10, 8, 6, 5, 4, 3, 2]), int(rng.choice([50, 80, 100, 120]))
    for _ in tries():
        wrong = n // 5 + rng.integers(-3, 4, 9) + np.array([4, 2, 1, 0, 0, 1, 3, 8, 16])
        error, least = wrong / n, wrong.min()
        if (wrong == least).sum() > 1 or least < 4:
            continue
        se = float(np.sqrt(error.min() * (1 - error.min()) / n))
        gaps = [(error - error.min()) / se - 1, perc_std(error) - 0.5, perc_std(error[:5]) - 0.5]
        if np.abs(np.concatenate(gaps)).min() < 0.12:
            continue
        kept = [smallest_size(sizes, (error - error.min()) / se, u) for u in (0, 1)]
        by_path = [smallest_size(sizes[:end], perc_std(error[:end]), 0.5) for end in (9, 5)]
        if len({*kept, *by_path}) > 2 and by_path[0] != by_path[1]:
            break
    frame = pd.DataFrame({"columns": sizes, "wrong": wrong})
    text = (
        f"An elimination has judged nine sets on {n} rows that no forest has seen:\n\n"
        + table(frame)
        + "\n(a) Give the standard error of the least error, and the largest error that is no more "
        "than one standard error above the least. Which number of columns is kept? (b) Give the "
        "standard deviation of the nine errors along the path, divided by their number, and "
        "the number of columns that is kept with α = 0.5 of these deviations. (c) "
        "Somebody stops the path at six columns. What is kept by the rule of (b)?\n"
    )
    sd = float(error.std())
    answer = {"se": se, "limit": error.min() + se, "kept": kept[1], "sd": sd, "by_path": by_path}
    key = (
        f"(a) {in_words([se, error.min() + se])}: {kept[1]} columns. (b) {sd:.3f}: {by_path[0]} "
        f"columns. (c) The deviation of the first five errors is {error[:5].std():.3f}: "
        f"{by_path[1]} columns.\n"
    )
    given = {"sizes": sizes, "wrong": wrong, "n": n}
    return Question("No worse", 15, 10, text, key, given, answer)


def reachable(runs, level):
    """Hits that a column can have after so many runs if each run may reject it."""
    found = {0}
    for done in range(runs):
        stays = [h for h in found if binom.cdf(h, done, 0.5) > level]
        found = {h + more for h in stays for more in (0, 1)}
    return found


def hits(rng):
    """Four columns after some runs of Boruta: two tails, and what is decided."""
    for _ in tries():
        d, r = int(rng.integers(4, 30)), int(rng.integers(9, 16))
        fewest = int(np.ceil(np.log2(20 * d)))  # 0.5**fewest is at most 0.05 / d
        counts = rng.integers(0, r + 1, 4)
        counts[0], counts[3] = r - rng.integers(0, 2), rng.integers(0, 3)
        found = decisions(counts, r, d, alpha=0.05, two_step=False)
        sides = np.array([found["p_confirm"], found["p_reject"]])
        asked = np.array([sides[0, 1], sides[1, 2]])
        clear = (
            np.abs(np.log(sides / found["level"])).min() > 0.2
            and asked.min() > 0.02
            and asked.max() < 0.95
        )
        clear &= found["verdict"].any() and len(set(counts)) == 4
        # With three decimals, too, each comparison of a chance with the level comes out like this.
        rough, level = np.round(sides, 3), round(0.05 / d, 3)
        clear &= bool(((rough <= level) == (sides <= found["level"])).all())
        clear &= round(0.5**fewest, 3) <= level < round(0.5 ** (fewest - 1), 3)
        if clear and set(counts) <= reachable(r, found["level"]):
            break
    states = np.array(["tentative", "confirmed", "rejected"])[found["verdict"]]
    frame = pd.DataFrame([counts], columns=[*"abcd"])
    text = (
        f"Boruta looks at {d} columns, and tests after each run. After {r} runs four of those that "
        "are left have these hits:\n\n"
        + table(frame)
        + "\n(a) Give the chance that a coin has as many hits as b, or more, and as c, or fewer. "
        f"(b) At a level of 0.05, shared by {d} columns, which of the four are confirmed, "
        "tentative, rejected? (c) After how many runs at least is a column confirmed that "
        "never misses?\n"
    )
    answer = {
        "p_confirm": float(found["p_confirm"][1]), "p_reject": float(found["p_reject"][2]),
        "states": states.tolist(), "fewest": fewest,
    }  # fmt: skip
    key = (
        f"(a) {in_words([answer['p_confirm'], answer['p_reject']])}. (b) "
        + ", ".join(f"{name} {state}" for name, state in zip("abcd", states, strict=True))
        + f". (c) {fewest}: $2^{{-{fewest}}}$ is at most $0.05 / {d} = {0.05 / d:.5f}$.\n"
    )
    return Question("Hits", 15, 8, text, key, {"d": d, "runs": r, "hits": counts}, answer)


def rough_gain(counts):
    """An information gain by one who keeps three decimals of every term."""

    def bits(part):
        shares = by_threes(*(part[part > 0] / part.sum()))
        return by_threes(*(-shares * np.log2(shares))).sum()

    weights = by_threes(*(counts.sum(axis=1) / counts.sum()))
    return bits(counts.sum(axis=0)) - by_threes(*(weights * [bits(c) for c in counts])).sum()


def reluctant_node(rng):
    """A node of a regularized tree: one column is in, two are new."""
    enters = rng.random() < 0.5
    for _ in tries():
        N, lam = int(rng.choice([16, 20, 24])), float(rng.choice([0.3, 0.4, 0.5, 0.6, 0.7, 0.8]))
        yes = int(rng.integers(N // 3, N // 2 + 1))
        counts = np.array([side_counts(rng, N, yes) for _ in "abc"])
        gains = np.array([float(information_gain(c)) for c in counts])
        worth = gains * [1, lam, lam]
        best = int(np.argmax(gains))
        gaps = [*np.diff(np.sort(gains)), *(worth[1:] - worth[0])]
        clear = np.abs(gaps).min() > 0.02 and gains.min() > 0.02 and worth.min() > 0.012
        if not best or not clear or lead(worth) < 0.012 or (worth.argmax() == best) != enters:
            continue
        rough = by_threes(*(rough_gain(c) for c in counts))
        limit = gains[0] / gains[best]
        if near(rough[0] / rough[best], limit):
            break
    frame = pd.DataFrame(
        {
            "column": [*"abc"],
            "value 0: yes, no": [f"{c[0, 0]}, {c[0, 1]}" for c in counts],
            "value 1: yes, no": [f"{c[1, 0]}, {c[1, 1]}" for c in counts],
        }
    )
    text = (
        f"A node of a regularized tree has {N} cases, {yes} of them yes. Column a is in, b and c "
        f"are new; all three are tried, and the penalty is {lam:g}:\n\n"
        + table(frame)
        + "\n(a) Compute the information gain of each column, in bits. (b) What does each count, "
        "and which column asks? (c) Up to which penalty does a ask? (d) Somebody lists the new "
        "columns first and takes the first of the largest. What goes wrong, and when?\n"
    )
    asks = "abc"[int(np.argmax(worth))]
    key = (
        f"(a) {in_words(gains)}. (b) {in_words(worth)}: {asks} asks. (c) {limit:.3f}, the gain of "
        f"a over that of {'abc'[best]}, both unrounded; at the tie, too, for what is in wins. (d) "
        "Nothing unless two are equal: then a new column enters that gains no more than what is "
        "in, such as a copy with a penalty of 1.\n"
    )
    answer = {"gains": gains, "worth": worth, "asks": asks, "limit": limit}
    given = {"counts": counts, "penalty": lam}
    return Question("What a node takes", 16, 10, text, key, given, answer)


def side_counts(rng, N, yes):
    """Cases of yes and no on two sides of a node, no side empty; ndarray (2, 2)."""
    for _ in tries():
        one = np.array([rng.integers(0, yes + 1), rng.integers(0, N - yes + 1)])
        if 2 <= one.sum() <= N - 2:
            return np.array([one, [yes, N - yes] - one])


def reluctant_guided(rng):
    """Penalties guided by importances: one column is in, three are new."""
    other = rng.random() < 0.6  # whether the guide makes another column ask
    for _ in tries():
        base, gamma = float(rng.choice([0.8, 0.9, 1.0])), float(rng.choice([0.3, 0.4, 0.6, 0.7]))
        gains = rng.integers(10, 70, 4) / 100
        importances = rng.integers(2, 60, 4)
        importances = np.round(importances / importances.sum(), 2)
        penalties = guided_penalties(importances, base, gamma)
        worth = np.array([gains, gains * base, gains * penalties])
        worth[:, 0] = gains[0]
        plain, guided = (int(np.argmax(row)) for row in worth[1:])
        best = int(np.argmax(gains[1:])) + 1
        share = importances[best] / importances.max()
        even = (base - gains[0] / gains[best]) / (base - share) if share < base else -1.0
        gaps = [np.diff(np.sort(row))[-1] for row in worth]
        fair = plain == best and 0.1 < even < 0.9 and len(set(importances)) == 4
        fair &= np.isclose(importances.sum(), 1)
        ratio, part = by_threes(gains[0] / gains[best], share)
        fair &= base > part and near((base - ratio) / (base - part), even)
        if fair and min(gaps) > 0.02 and abs(even - gamma) > 0.05 and (plain != guided) == other:
            break
    frame = pd.DataFrame({"column": [*"abcd"], "gain": gains, "importance": importances})
    frame[["gain", "importance"]] = frame[["gain", "importance"]].map("{:.2f}".format)
    text = (
        "Column a is in, b, c and d are new. Their gains in a node, all tried, and their "
        "importances in an ordinary forest:\n\n"
        + table(frame)
        + "\nThe penalty of a new column is "
        "$(1 - \\gamma) \\lambda_0 + \\gamma I_j / \\max_i I_i$, with "
        f"$\\lambda_0 = {base:g}$ and $\\gamma = {gamma:g}$; the largest importance is that of all "
        "four columns. (a) Compute the penalties of b, c and d. (b) Which column asks? Which would "
        f"with $\\gamma = 0$? (c) With which $\\gamma$ does {'abcd'[best]} count just as much as "
        "a? (d) The forest that guides has been grown on all rows. What does that mean for an "
        "error by cross-validation?\n"
    )
    names = "abcd"
    key = (
        f"(a) {in_words(penalties[1:])}. (b) {names[guided]}, with {worth[2].max():.3f}; "
        f"{names[plain]}, with {worth[1].max():.3f}. (c) {even:.3f}. (d) It is too low on average: "
        "the rows of the fold have guided the choice. The forest is to be grown anew in each "
        "fold.\n"
    )
    answer = {
        "penalties": penalties[1:], "asks": names[guided], "unguided": names[plain], "even": even,
    }  # fmt: skip
    given = {"gains": gains, "importances": importances, "base": base, "gamma": gamma}
    return Question("Guided penalties", 16, 8, text, key, given, answer)


def local_ranks(rng):
    """Importances of three clusters: average and intersection."""
    other = rng.random() < 0.7  # whether the two put different features first
    for _ in tries():
        sizes = 10 * rng.choice(np.arange(2, 13), 3, replace=False)
        parts = np.array([100 / (weights := rng.integers(2, 30, 4)).sum() * weights for _ in "ABC"])
        importances = np.round(parts) / 100
        average = sizes @ importances / sizes.sum()
        gaps = [np.diff(np.sort(row)).min() for row in (*importances, average)]
        if min(gaps) < 0.015 or not np.allclose(importances.sum(axis=1), 1):
            continue
        found = combined_importance_table(importances.T, sizes, names=[*"abcd"])
        firsts = [found["feature"][found[by] == 1].item() for by in ("average", "intersection")]
        fair = np.ptp(found["worst_rank"]) > 0
        if fair and (firsts[0] != firsts[1]) == other:
            break
    frame = pd.DataFrame(importances, columns=[*"abcd"]).map("{:.2f}".format)
    frame.insert(0, "rows", sizes)
    frame.insert(0, "cluster", [*"ABC"])
    text = (
        "A forest in each of three clusters says how important four features are there:\n\n"
        + table(frame)
        + "\n(a) Compute the average importance of each feature, weighted by the rows of the "
        "clusters. (b) What is the worst rank of each feature? (c) Which is first by the average, "
        "and which by intersection, that is by the worst rank, of equal ones by the average? "
        "(d) The rows had been sorted by their targets and cut into A, B and C. Somebody predicts "
        "each of these rows from its own cluster, and finds a small error. What does it show?\n"
    )
    worst = found["worst_rank"].to_numpy()
    key = (
        f"(a) {in_words(average)}. (b) {', '.join(map(str, worst))}. (c) {firsts[0]} by the "
        f"average, {firsts[1]} by intersection. (d) Nothing: whoever knows the "
        "cluster of a row knows its target to within a part of the whole. What counts is the error "
        "on rows that had no part in it, whose cluster must be guessed.\n"
    )
    answer = {
        "average": average, "worst": worst, "by_average": firsts[0], "by_intersection": firsts[1],
    }  # fmt: skip
    given = {"importances": importances, "sizes": sizes}
    return Question("Three clusters", 17, 8, text, key, given, answer)


def local_null(rng):
    """LAFI of three features from their bins, and what permutations say of it."""
    for _ in tries():
        threshold = float(rng.choice([0.2, 0.25, 0.3]))
        rates = rng.permutation([0.9, 0.5, 0.25])
        chosen = [rng.random((bins, 3)) < rates for bins in (1, 2, 4)]
        found = local_importance_table(chosen, names=[*"abc"], threshold=threshold)
        found = found.sort_values("feature")
        lafi, kept = found["importance"].to_numpy(), found["kept"].to_numpy()
        twelfths = np.arange(int(rng.integers(1, 3)), int(rng.integers(6, 10)))
        m = int(rng.choice([19, 39, 49]))
        times = rng.multinomial(m, rng.dirichlet(np.full(len(twelfths), 3)))
        asked = int(np.argsort(lafi)[1])
        largest = twelfths / 12
        as_large = times[largest > lafi[asked] - 1e-9].sum()
        above = times[largest > threshold + 1e-9].sum()
        same = times[np.abs(largest - lafi[asked]) < 1e-9].sum()
        fair = lafi.min() > 0 and len(set(lafi.round(3))) == 3 and 1 < kept.sum() + kept[asked]
        if fair and times.min() > 0 and 0 < as_large < m and same and 0 < above < m:
            break
    words = [[" ".join("yes" if c else "no" for c in level[:, j]) for level in chosen]
             for j in range(3)]  # fmt: skip
    frame = pd.DataFrame(words, columns=["level 1", "level 2", "level 3"])
    frame.insert(0, "feature", [*"abc"])
    null = pd.DataFrame({"largest": [f"{k}/12" for k in twelfths], "permutations": times})
    name = "abc"[asked]
    text = (
        "LAFI with three levels: which bins chose a feature, from the lowest targets on.\n\n"
        + table(frame)
        + f"\nThe target was shuffled {m} times, and each time the largest LAFI of all features "
        "noted:\n\n"
        + table(null)
        + "\n(a) Compute LAFI of each feature: the share of the bins in each level, averaged over "
        f"the levels. (b) Which features are above {threshold:g}? (c) In how many of the "
        f"permutations is something above {threshold:g}? (d) Compute $p_\\text{{max}}$ of {name}, "
        "one more than the number of permutations with as large a LAFI or a larger one, over one "
        f"more than all. (e) Somebody keeps {name} because it is above {threshold:g}. What do "
        "you say?\n"
    )
    p = (1 + as_large) / (1 + m)
    told = ["kept" if k else "not" for k in kept]
    key = (
        f"(a) {in_words(lafi)}. (b) a, b, c: {', '.join(told)}. (c) {above}. (d) {p:.3f}. (e) "
        f"That {above} of {m} shuffled targets keep something, too: the threshold is no guard. A "
        "small p says that the target has to do with some feature. A large one does not say that "
        f"{name} is noise: beside a stronger feature a weak one reaches less than noise does "
        f"alone. To ask that, shuffle {name} alone.\n"
    )
    answer = {"lafi": lafi, "kept": kept, "above": int(above), "p": p}
    given = {
        "chosen": chosen, "threshold": threshold, "twelfths": twelfths, "times": times,
        "asked": asked,
    }  # fmt: skip
    return Question("Above noise", 17, 10, text, key, given, answer)


def bicycles_order(rng):
    """Demands of some nights: the cheapest order, and one that will do."""
    for _ in tries():
        n, percent = [(11, 80), (11, 90), (13, 80), (13, 90), (15, 85)][rng.integers(5)]
        under, over = int(rng.integers(2, 8)), int(rng.integers(1, 4))
        demands = rng.choice(np.arange(4, 48), n, replace=False)
        share = under / (under + over)
        order, middle, other = (
            int(lower_quantile(demands, level)) for level in (share, 0.5, 1 - share)
        )
        rank = -(-percent * (n + 1) // 100)
        enough = int(np.sort(demands)[rank - 1])
        whole = (n * under) % (under + over) == 0  # then a range of orders would cost the same
        if under > over and not whole and len({order, middle, other, enough}) == 4:
            break
    pinball, scale = Quantile(share), under + over
    costs = [scale * pinball.value(demands, np.full(n, q)) for q in (order, middle)]
    text = (
        f"On {n} nights the demand for bicycles at a station was "
        + ", ".join(map(str, demands))
        + f".\n\nA bicycle that is missing costs {under}, one too many costs {over}. (a) Which "
        "share of the nights should have a demand that the order covers, for the least mean cost "
        "over these nights? Which order is that? (b) Give its mean cost, and that of ordering the "
        f"median. (c) The next night and these {n} could have come in any order, all equally "
        f"likely. Which is the smallest of the {n} demands that covers the next one with a "
        f"probability of at least {percent} percent? Why is that not the question of (a)?\n"
    )
    key = (
        f"(a) {under} / ({under} + {over}) = {share:.3f}; {order} is the first demand that covers "
        f"at least so many: {int(np.sum(demands <= order))} of {n}. (b) {costs[0]:.3f} and "
        f"{costs[1]:.3f}, with the median {middle}. (c) {enough}, the one of rank {rank}: "
        f"{percent} percent of {n + 1}, rounded up. It counts nights, and no costs: how much is "
        "missing, and what that costs, does not enter.\n"
    )
    answer = {"share": share, "order": order, "costs": costs, "enough": enough}
    given = {"demands": demands, "under": under, "over": over, "percent": percent}
    return Question("An order for the night", 18, 8, text, key, given, answer)


def wind_power(rng):
    """A power curve: powers, what an error costs, and the power of a mean speed."""
    for _ in tries():
        a, b, c = float(rng.choice([3, 3.5, 4])), float(rng.choice([11, 12, 13])), 25.0
        slow, fast = float(rng.integers(6, 9)), float(rng.integers(9, int(b)))
        off, spread = float(rng.choice([0.5, 1, 1.5])), float(rng.choice([1.5, 2, 2.5]))
        mean = float(rng.choice([7, 8, b, c]))  # on the cube, where it ends, where all ends
        curve = dict(cut_in=a, rated=b, cut_out=c)
        powers = power_curve([slow, fast], **curve)
        wrong = power_curve([slow + off, fast + off], **curve) - powers
        ends, middle = (
            power_curve([mean - spread, mean + spread], **curve),
            power_curve(mean, **curve),
        )
        gap = float(middle - ends.mean())
        if fast + off > b and min(*powers, *wrong, abs(gap)) > 0.012 and mean != slow:
            break
    text = (
        f"A turbine gives nothing below the cut-in, {a:g} m/s, and above the cut-out, {c:g} m/s. "
        f"Between {a:g} and the rated speed, {b:g} m/s, its power is $(v^3 - {a:g}^3) / "
        f"({b:g}^3 - {a:g}^3)$ of the rated one, and from there to the cut-out it is 1. (a) "
        f"Compute the power at {slow:g} and at {fast:g} m/s. (b) A forecast is {off:g} m/s too "
        "high. By how much is the power wrong at these two speeds? (c) A forecast says "
        f"{mean:g} m/s, and {mean - spread:g} and {mean + spread:g} are equally likely. Compute "
        f"the mean of the two powers, and the power at {mean:g} m/s. Is the latter too low or too "
        "high a forecast of the power?\n"
    )
    says = "too high" if gap > 0 else "too low"
    why = "where the curve bends upward the mean of the powers is more than that of the mean"
    if gap > 0:
        why = "above the rated speed there is nothing to gain, and on one side there is to lose"
    key = (
        f"(a) {in_words(powers)}. (b) {in_words(wrong)}: the second ends at 1. (c) "
        f"{ends.mean():.3f} and {middle:.3f}: {says}, for {why}.\n"
    )
    answer = {
        "powers": powers, "wrong": wrong, "mean": float(ends.mean()), "of_mean": float(middle),
        "says": says,
    }  # fmt: skip
    given = {"curve": (a, b, c), "speeds": (slow, fast), "off": off, "mean": mean, "spread": spread}
    return Question("What an error of speed costs", 19, 10, text, key, given, answer)


QUESTIONS = {
    "reading": reading,
    "impurity": impurity,
    "growing": growing,
    "pruning": pruning,
    "cross-validation": cross_validation,
    "gain-ratio": gain_ratio,
    "gaps": gaps,
    "error-limit": error_limit,
    "confusion-matrix": confusion_matrix,
    "roc": roc,
    "bias-variance": bias_variance,
    "bootstrap": bootstrap,
    "out-of-bag": out_of_bag,
    "forest": forest,
    "adaboost": adaboost,
    "gradient-boosting": gradient_boosting,
    "importance": importance,
    "shapley": shapley,
    "merit-of-sets": merit_of_sets,
    "no-worse": no_worse,
    "hits": hits,
    "reluctant-node": reluctant_node,
    "reluctant-guided": reluctant_guided,
    "local-ranks": local_ranks,
    "local-null": local_null,
    "bicycles-order": bicycles_order,
    "wind-power": wind_power,
}
