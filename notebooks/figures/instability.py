"""Figures of the chapter on instability, bias and variance."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, datasets
from treelab.drawing import draw_tree
from treelab.drawing.style import ACCENT, COLORS, INK, WIDTH
from treelab.figures.errors import draw_errors
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "bias_and_variance",
    "corrected",
    "error_parts",
    "mean_of_trees_explorable",
    "mean_of_trees_stepper",
    "two_trees",
    "u_curve",
    "votes_on_waveforms",
]

HERE = 62  # the point of the grid where bias and standard deviation are marked: x = 0.625


def two_trees(first, second):
    """Draw two trees, one above the other, with the sizes of their nodes."""
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 7.4))
    for tree, ax in zip((first, second), axes, strict=True):
        draw_tree(tree, show=("n",), digits=3, ax=ax)
    plt.show()


# The staircase


def bias_and_variance(draw, grid, truth):
    """Draw trees of depth 2 and fully grown trees of 200 training sets, with bias and spread."""
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 7.2), sharex=True, sharey=True)
    names = "trees of depth 2", "fully grown trees"
    for ax, depth, name in zip(axes, (2, None), names, strict=True):
        tree = DecisionTreeRegressor(max_depth=depth)
        P = np.array([tree.fit(*draw(seed)).predict(grid) for seed in range(200)])
        ax.plot(grid[:, 0], P[:20].T, color=COLORS[4], lw=0.8, ls="-", alpha=0.5)
        ax.plot(grid[:, 0], truth, color=INK, lw=2, ls="--", label="truth")
        ax.plot(grid[:, 0], P.mean(axis=0), color=ACCENT, lw=3, ls="-", label="mean of 200")
        _mark(ax, P[:, HERE], truth[HERE])
        ax.set(ylabel="prediction", title=name, ylim=(-0.2, 5.2))
    axes[0].legend(loc="upper left")
    axes[1].set_xlabel("x")
    plt.show()


def _mark(ax, predictions, truth):
    """Mark the bias and the standard deviation of the predictions at one point."""
    mean, sd = predictions.mean(), predictions.std()
    bar = {"lw": 3, "ls": "-", "marker": "_", "ms": 14, "mew": 3}
    ax.plot([0.57, 0.57], [truth, mean], color=INK, **bar)
    ax.plot([0.67, 0.67], [mean, mean + sd], color=COLORS[3], **bar)
    ax.text(0.55, 0.1, f"bias {mean - truth:.2f}".replace("-", "−"), ha="center")
    ax.text(0.735, 4.35, f"standard\ndeviation {sd:.2f}", ha="right")
    ax.plot([0.57, 0.57], [0.5, min(mean, truth) - 0.15], color=INK, lw=0.8, ls=":")
    ax.plot([0.67, 0.67], [4.3, mean + sd + 0.15], color=INK, lw=0.8, ls=":")


SETS = 20  # training sets that the reader draws
DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8, None]


def mean_of_trees_explorable(P, grid, truth):
    """Let the reader draw training sets, and compare the mean of their trees with the truth.

    The predictions of fully grown trees are in `P`, for the still pictures.
    """
    sets = [datasets.make_steps(100, noise=0.5, random_state=seed) for seed in range(SETS)]
    P_2 = _predictions(sets, 2, grid)
    each, together = (
        [np.mean((Q - truth) ** 2) for Q in (trees, trees.mean(axis=0))]
        for trees in (P_2, P[:SETS])
    )
    depths = [str(depth or "full") for depth in DEPTHS]
    verdict = (
        f"the mean of {SETS} trees has an error of {each[1]:.3f} at depth 2, and of "
        f"{together[1]:.3f} if they are fully grown."
    )
    data = {
        "sets": [_rows_and_levels(X[:, 0], y) for X, y in sets],
        "depths": [depth or 34 for depth in DEPTHS],
        "short": depths,
        "names": [*(f"depth {depth}" for depth in depths[:-1]), "fully grown"],
        "grid": grid[:, 0], "truth": truth, "open": 3,
        "rest": {"n": 1, "d": len(DEPTHS) - 1},
        "question": f"Which trees will be wrong even on average over {SETS} training sets?",
        "answers": ["depth 2", "depth 4", "fully grown"],
        "verdicts": [
            f"{reply}: {verdict}" for reply in ("Yes", *2 * ["No, those of depth 2"])
        ],
        "says": [
            "With {sets}, a tree ({name}) has an error of {each} on average, and the mean of the "
            f"trees one of {{together}}.{end}"
            for end in (" A guess, or Skip, opens more training sets.",
                        " The difference, {variance}, is their variance.")
        ],
        "one": "1 training set", "many": "training sets",
        "labels": ["Training sets", "Depth of the trees"],
        "views": ["trees", "errors by depth"],
        "values": {
            "own": "error of the last tree", "each": "error of a tree, on average",
            "together": "error of the mean", "variance": "variance",
        },
        "legend": "blue: last tree; orange: mean; dotted: truth",
        "curves": ["one tree", "mean of all"],
        "titles": ["depth", "squared error"],
        "alt": ["The last training set, its tree, the trees before it, their mean, and the truth.",
                "The errors of one tree and of the mean of all, by depth."],
    }  # fmt: skip
    frames = []
    grown = "fully grown trees"
    for name, trees in ((grown, P[:1]), (grown, P[:SETS]), ("trees of depth 2", P_2)):
        error = np.mean((trees.mean(axis=0) - truth) ** 2)
        caption = f"{_sets(len(trees))} and {name}, their mean has an error of {error:.3f}."
        alt = f"Thin lines vary around a staircase, and a thick line shows their mean. {caption}"
        frames.append((_trees_and_mean(trees, grid, truth), caption, alt))
    title = "Training set after training set"
    return explorable("samples", data, frames, title, "instability-sets")


def mean_of_trees_stepper(P, grid, truth):
    """Add training set after training set, and compare the mean of their trees with the truth."""
    variance, frames = P.var(axis=0).mean(), []
    for m in (1, 2, 3, 5, 10, 30, 200):
        error = np.mean((P[:m].mean(axis=0) - truth) ** 2)
        caption = f"{_sets(m)}, the mean of the trees has an error of {error:.3f}. "
        caption += f"The variance divided by {m} is {variance / m:.3f}."
        alt = "Jagged thin lines vary around a staircase, and a thick line shows their mean. "
        frames.append((_trees_and_mean(P[:m], grid, truth), caption, alt + caption))
    return stepper(frames, "The mean of many trees", "instability-pile")


def _sets(n):
    """How a caption begins.

    >>> _sets(1)
    'With 1 training set'
    """
    return f"With {n} training set{'s' * (n > 1)}"


def _predictions(sets, depth, grid):
    """What trees of a depth predict at the grid, a row for each training set."""
    tree = DecisionTreeRegressor(max_depth=depth)
    return np.array([tree.fit(*rows).predict(grid) for rows in sets])


def _rows_and_levels(x, y):
    """The rows in the order of x, and at which depth a tree splits each gap, in base 36."""
    order = np.argsort(x)
    x, y = x[order], y[order]
    tree, levels = DecisionTreeRegressor().fit(x[:, None], y).tree_, ["z"] * (len(x) - 1)
    todo = [(0, 1)]
    for node, level in todo:
        if not tree.is_leaf[node]:
            levels[np.searchsorted(x, tree.threshold[node]) - 1] = np.base_repr(level, 36).lower()
            todo += [(side[node], level + 1) for side in (tree.children_left, tree.children_right)]
    return {"x": x, "y": y.round(4), "levels": "".join(levels)}


def _trees_and_mean(P, grid, truth):
    """The predictions of ten trees at most, and the mean of all."""
    figure, ax = plt.subplots()
    ax.plot(grid[:, 0], P[:10].T, color=COLORS[4], lw=1, ls="-", alpha=0.6)
    ax.plot(grid[:, 0], truth, color=INK, lw=2, ls="--", label="truth")
    ax.plot(grid[:, 0], P.mean(axis=0), color=ACCENT, lw=3, ls="-", label=f"mean of {len(P)}")
    ax.set(xlabel="x", ylabel="prediction", ylim=(-0.5, 5.5))
    ax.legend(loc="upper left", ncol=2)
    return figure


# Ten features


def u_curve(curves):
    """Draw training error, test error, squared bias and variance of trees against their depth."""
    shown = curves[["training error", "test error", "bias²", "variance"]]
    ax = draw_errors(shown.index, shown, xlabel="depth", ylabel="squared error")
    ax.axhline(1, color=INK, lw=1, ls=":")
    ax.text(2, 1.1, "noise", ha="center", va="bottom")
    plt.show()


# Real data


def error_parts(table):
    """Draw the error of each model as a bar of two parts, noise plus squared bias and variance."""
    rest, variance = table["noise + bias²"] / 1000, table["variance"] / 1000
    _, ax = plt.subplots()
    ax.barh(table.index, rest, color=COLORS[0], label="noise + bias²")
    look = {"color": COLORS[1], "hatch": "////", "edgecolor": INK}
    ax.barh(table.index, variance, left=rest, label="variance", **look)
    ax.invert_yaxis()
    ax.set(xlabel="squared error, thousands")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    plt.show()


# Few training sets


def corrected(P, truth):
    """Squared bias and variance, averaged over the points, and both right on average."""
    s2 = P.var(axis=0, ddof=1)  # (n_points,)
    bias2 = (P.mean(axis=0) - truth) ** 2 - s2 / len(P)
    return pd.Series({"bias²": bias2.mean(), "variance": s2.mean()})


# Classes


def votes_on_waveforms():
    """Error rates of a tree of 300 waveforms, on average, and of the vote of 60 of them."""
    X_new, y_new = datasets.make_waveform(1000, random_state=10_000)
    sets = [datasets.make_waveform(300, random_state=seed) for seed in range(60)]
    errors = {}
    for name, depth in {"depth 1": 1, "depth 2": 2, "depth 3": 3, "fully grown": None}.items():
        tree = DecisionTreeClassifier(max_depth=depth)
        P = np.array([tree.fit(*rows).predict(X_new) for rows in sets])
        vote = np.array([(P == k).sum(axis=0) for k in range(3)]).argmax(axis=0)
        errors[name] = {"one tree": np.mean(P != y_new), "vote": np.mean(vote != y_new)}
    return pd.DataFrame(errors).T.round(3)
