"""Figures of the chapter on reading a tree."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import load_bike_demand
from treelab.drawing import draw_partition, draw_tree, leaf_boxes
from treelab.drawing.style import ACCENT
from treelab.figures.source import Source, source
from treelab.figures.stepper import stepper

__all__ = [
    "boxes_of_leaves",
    "code_of_leaf_boxes",
    "diagonal_errors",
    "path_of_a_day",
    "path_of_a_place",
    "rentals_by_hour",
]


def path_of_a_day():
    """Draw the tree of ten days with the path of a day of 25 °C."""
    days = load_bike_demand()
    demand = DecisionTreeRegressor(max_depth=2).fit(days[["temp"]], days["rentals"])
    draw_tree(demand, highlight=demand.tree_.path([25]))
    plt.show()


# Seven places


def path_of_a_place(vegetation, places, path):
    """Follow place 7 from node to node, in the tree and in the plane of its two features."""
    nodes = vegetation.tree_.to_frame(["stream", "elevation"])
    frames = []
    for t in path:
        words = _what_happens(nodes.loc[t], is_leaf=vegetation.tree_.is_leaf[t])
        alt = f"{words} Above, the path to this node is thick. Below, a thick frame shows its box."
        frames.append((_tree_and_box(vegetation, places, path, t), words, alt))
    return stepper(frames, "One place walks down the tree", "reading-walk")


def _what_happens(node, is_leaf):
    """The caption of one step, from the row of its node in the table of nodes."""
    if node.name == 0:
        words = f"Place 7 starts at the root with all {node['n']} places. The box is the whole "
        words += "plane. (The tree is drawn from left to right, with yes above no.)"
    else:
        words = f"The answer is {node['rule']}, so the box shrinks. Places left in it: {node['n']}."
    if is_leaf:
        words += f" Node {node.name} is a leaf and predicts chaparral."
    else:
        words += f" Node {node.name} splits on {node['test']}."
    return words.replace("<=", "≤")


def _tree_and_box(vegetation, places, path, t):
    """The path up to node t in the tree, and below it the box of t in the plane."""
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(5.4, 6.2), height_ratios=(1.7, 1))
    draw_tree(vegetation, highlight=path[: path.index(t) + 1], ax=top)
    draw_partition(vegetation, places, places["vegetation"], ("elevation", "stream"), ax=bottom)
    lower, upper = (bounds[t] for bounds in leaf_boxes(vegetation.tree_, n_features=2))
    x = np.clip([lower[1], upper[1]], *bottom.get_xlim())
    y = np.clip([lower[0], upper[0]], *bottom.get_ylim())
    box = Rectangle((x[0], y[0]), np.ptp(x), np.ptp(y), fill=False, ec=ACCENT, lw=5)
    bottom.add_patch(box)
    bottom.plot(3000, 1, marker="o", ms=15, mec=ACCENT, mfc="none", mew=2.5)
    bottom.get_legend().remove()
    bottom.set_yticks([0, 1])
    return figure


def boxes_of_leaves(tree, features):
    """The interval of each feature in each leaf, in words."""
    lower, upper = leaf_boxes(tree, n_features=len(features))
    leaves = np.flatnonzero(tree.is_leaf)
    boxes = [[_interval(lower[t, j], upper[t, j]) for j, _ in enumerate(features)] for t in leaves]
    return pd.DataFrame(boxes, pd.Index(leaves, name="leaf"), features)


def _interval(low, high):
    """The values above `low` and at most `high`, in words."""
    ends = ((low, f"above {low:g}"), (high, f"at most {high:g}"))
    return ", ".join(words for end, words in ends if np.isfinite(end)) or "any"


def code_of_leaf_boxes():
    """Print the function that finds the box of each node, without its docstring."""
    return Source(source(leaf_boxes).code.replace(f'    """{leaf_boxes.__doc__}"""\n', ""))


# Hours of bike sharing


def rentals_by_hour(hours, rentals, model):
    """Compare the mean rentals in the warm hours of a day with what a tree predicts."""
    warm = hours["temp"] > 0.49
    profile = rentals[warm].groupby([hours["hour"], hours["workday"]]).mean().unstack()
    label = "tree (working days)"
    profile[label] = model.predict(pd.DataFrame({"hour": range(24), "temp": 0.6, "workday": 1}))
    _, ax = plt.subplots()
    ax.plot(profile.index, profile[1], marker="o", label="working days")
    ax.plot(profile.index, profile[0], marker="s", label="other days")
    ax.step(profile.index, profile[label], where="mid", lw=3, c=ACCENT, ls="-", label=label)
    ax.set(xlabel="hour", ylabel="rentals", xlim=(-0.5, 23.5), ylim=(0, 700))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    plt.show()


# A diagonal border


def diagonal_errors(diagonal):
    """Mean leaves and test errors of trees with and without the difference of the features."""
    new_X, new_y = diagonal(20_000, seed=10_000)
    rows = []
    for n in (50, 200, 800, 3200):
        for seed in range(20):
            X, y = diagonal(n, seed)
            tree = DecisionTreeClassifier().fit(X, y)
            helped = DecisionTreeClassifier().fit(_with_difference(X), y)
            error = 1 - tree.score(new_X, new_y)
            with_third = 1 - helped.score(_with_difference(new_X), new_y)
            rows.append((n, tree.get_n_leaves(), error, with_third))
    columns = ["rows", "leaves", "test error", "test error with difference"]
    return pd.DataFrame(rows, columns=columns).groupby("rows").mean().round(4)


def _with_difference(X):
    """The two features and their difference as a third."""
    return np.column_stack([X, X[:, 1] - X[:, 0]])
