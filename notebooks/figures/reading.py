"""Figures of the chapter on reading a tree."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import load_bike_demand
from treelab.drawing import draw_partition, draw_tree, leaf_boxes
from treelab.drawing.style import ACCENT
from treelab.figures.explorable import explorable
from treelab.figures.source import Source, source
from treelab.figures.stepper import stepper

__all__ = [
    "boxes_of_leaves",
    "code_of_leaf_boxes",
    "diagonal_errors",
    "hours_explorable",
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


# More questions about an hour, as the reader likes

DEEPEST, OPEN = 7, 3  # how deep a tree may be after the guess, and before it
WARM = 0.6


def hours_explorable(hours, rentals):
    """Let the reader grow the tree of the hours deeper, and see what it predicts for each hour."""
    study = _Hours(hours, rentals)
    data = {
        "predicted": study.predicted,
        "means": study.means,
        "paths": study.paths(),
        "top": 660,
        "rest": {"depth": OPEN, "hour": 8, "day": 1},
        "open": OPEN,
        "deepest": DEEPEST,
        "question": "At eight on a warm working day 538 bikes are rented on average, and the tree "
        "of depth 3 predicts 344. If it may ask a fourth question, and a fifth, the prediction",
        "answers": ["rises towards 538", "stays at 344", "falls at first"],
        "verdicts": [
            "No: 344, 287, 259, then 447, 538. A split helps its rows as a whole, not every hour.",
            "No: 344, 287, 259, then 447, 538. Every question divides the hours once more.",
            "Yes: 344, 287, 259, then 447, 538. A split helps its rows as a whole, not every hour.",
        ],
        "says": 2
        * [
            "At depth {depth} the tree predicts {predicted} rentals for {hour} o’clock on {day}, "
            "the mean of {n} hours. In the warm hours like this one {likely} were rented."
        ],
        "days": ["other days", "working days"],
        "names": ["day", "path"],
        "labels": ["Depth of the tree", "Hour", "Hours of"],
        "axes": ["hour (squares: means)", "rentals", "rows", "mean"],
        "values": {
            "predicted": "prediction",
            "rows": "hours in the leaf",
            "mean": "mean at this hour",
            "off": "difference",
        },
        "alt": [
            "What the tree predicts for each hour of a warm day, as steps, and the mean rentals.",
            "The questions on the path of the hour, with the mean rentals of the hours left.",
        ],
    }
    frames = [study.frame(depth, words) for depth, words in DEPTHS.items()]
    return explorable("hours", data, frames, "One more question", "reading-hours")


DEPTHS = {
    3: "Working days, depth 3. The tree predicts 344 rentals at every hour from 7 to 20 o’clock.",
    5: "Working days, depth 5. The evening rush hour shows, whereas the prediction for eight "
    "o’clock has fallen to 259.",
    7: "Working days, depth 7. Both rush hours show, and eight o’clock has a leaf of its own with "
    "538 rentals.",
}


class _Hours:
    """Trees of each depth, what they predict for warm hours, and the means of such hours."""

    def __init__(self, hours, rentals):
        self.days = [
            pd.DataFrame({"hour": range(24), "temp": WARM, "workday": day}) for day in (0, 1)
        ]
        trees = [
            DecisionTreeRegressor(max_depth=depth).fit(hours, rentals)
            for depth in range(1, DEEPEST + 1)
        ]
        self.predicted = np.array([[tree.predict(day) for day in self.days] for tree in trees])
        warm = hours["temp"] > 0.49
        grouped = rentals[warm].groupby([hours["workday"], hours["hour"]])
        self.means = grouped.mean().unstack().to_numpy()
        self.tree = trees[-1].tree_
        self.nodes = self.tree.to_frame(list(hours.columns))

    def paths(self):
        """Of each kind of day and hour the rule, the rows and the mean of the nodes passed."""
        return [
            [self._path(row) for row in day.itertuples(index=False, name=None)] for day in self.days
        ]

    def _path(self, row):
        nodes = self.nodes.loc[self.tree.path(row)]
        rules = nodes["rule"].fillna("all hours").str.replace("<=", "≤")
        return [list(node) for node in zip(rules, nodes["n"], nodes["value"], strict=True)]

    def frame(self, depth, words):
        """Predictions and means of the working days."""
        figure, ax = plt.subplots(figsize=(5.4, 3.2))
        ax.plot(self.means[1], "s--", ms=4, label="mean of warm hours")
        predicted = self.predicted[depth - 1, 1]
        ax.step(range(24), predicted, where="mid", c=ACCENT, ls="-", lw=3, label="tree")
        ax.set(xlabel="hour", ylabel="rentals", xlim=(-0.5, 23.5), ylim=(0, 700))
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
        return figure, words, f"{words} Squares: the means, with peaks at 8 and at 17 o’clock."


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
