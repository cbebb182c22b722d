"""Figures of the chapter on growing a tree."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from treelab import DecisionTreeRegressor
from treelab.datasets import load_bike_demand, make_xor
from treelab.drawing import draw_step_function, draw_tree
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, class_look, pale
from treelab.fast.growing import split_table
from treelab.figures.explorable import explorable
from treelab.figures.split_scores import draw_split_scores
from treelab.figures.stepper import stepper

__all__ = [
    "cut_explorable",
    "encoding_scores",
    "encodings_compared",
    "gains_of_groups",
    "growing_stepper",
    "guess_sentences",
    "hours_by_mean",
    "own_tree_explorable",
    "split_scores",
    "steps",
    "surrogates",
]


# Ten days and one threshold


def cut_explorable():
    """Let the reader move a threshold over ten days and look for the largest gain."""
    X, y = load_bike_demand(return_X_y=True)
    table = split_table(X, y, criterion="squared_error")
    ranks = table["gain"].rank(ascending=False).astype(int)
    data = {
        "x": X["temp"],
        "y": y,
        "unit": "°C",
        "decimals": 0,
        "xlabel": "temperature in °C",
        "ylabel": "rentals",
        "xrange": [0, 40],
        "yrange": [0, 2500],
        "step": 0.5,
        "rest": {"at": 20.5, "own": None, "seen": [int((X["temp"] <= 20.5).sum()) - 1]},
        "best": table["threshold"][table["best"]].item(),
        "labels": {
            "left_answer": "mean left",
            "left_impurity": "variance left",
            "right_answer": "mean right",
            "right_impurity": "variance right",
            "gain": "gain",
            "rank": "rank",
        },
        "says": guess_sentences(
            "At {at} °C: {left} of the ten days on the left, {right} on the right. The mean "
            f"squared error falls from {y.var(ddof=0):.0f} by {{gain}}.",
            "°C",
        ),
        "alt": [
            "Ten days, the threshold, and the means on both sides.",
            "The gain of every threshold visited.",
        ],
        "cuts": [
            {
                "left": _side(y[X["temp"] <= split.threshold], split.impurity_left),
                "gain": round(split.gain),
                "right": _side(y[X["temp"] > split.threshold], split.impurity_right),
                "rank": int(ranks[split.Index]),
            }
            for split in table.itertuples()
        ],
    }
    columns = ["test", "n_left", "impurity_left", "impurity_right", "gain"]
    short = table[columns].round(0).astype(dict.fromkeys(columns[2:], int))
    frames = [
        _days_and_means(X, y, 20.5, "The middle looks fair."),
        _days_and_means(X, y, 25, "One gap further, almost nothing is left of the gain."),
        _days_and_means(X, y, 9.5, "The best of all nine."),
        (
            short,
            "The variance that each of the nine candidate splits leaves, and its gain.",
            "Table of nine candidate splits. The best, at 9.5 degrees, gains 121 342.",
        ),
    ]
    return explorable("cut", data, frames, title="Where would you split?", name="growing-cut")


def guess_sentences(start, unit):
    """The sentences of a split that the reader moves: before a guess, and after each kind of it."""
    ends = (
        "Is there a better threshold? Move it, then let the best one be shown.",
        f"The best threshold lies anywhere between {{low}} and {{high}} {unit}.",
        f"Your best threshold, {{guess}} {unit}, gains {{own}}. "
        "The best of all lies anywhere between {low} and {high}.",
        f"You had found the best threshold, {{guess}} {unit}. Anywhere between {{low}} and "
        "{high} is as good.",
    )
    return [f"{start} {end}" for end in ends]


def _side(rentals, variance):
    """The size, the mean and the variance of one side of a split."""
    mean = rentals.mean()
    answer = f"{mean:.2f}"
    return {"n": len(rentals), "mean": mean, "answer": answer, "impurity": round(variance)}


def _days_and_means(X, y, threshold, judged):
    """A frame with the days, a threshold, the mean of each side and the residual of each day."""
    table = split_table(X, y, criterion="squared_error")
    gain = table["gain"][table["threshold"] == threshold].item()
    left = X["temp"] <= threshold
    means = y[left].mean(), y[~left].mean()
    figure, ax = plt.subplots(figsize=(5.6, 3.4))
    ax.vlines(X["temp"], y, np.where(left, *means), color=GRAY, ls=":")
    ax.hlines(means, [0, threshold], [threshold, 40], color=COLORS[1], lw=3)
    ax.plot(X["temp"], y, "o", color=COLORS[0], mec=INK, ms=8)
    ax.axvline(threshold, color=ACCENT)
    ax.set(xlim=(0, 40), ylim=(0, 2500), xlabel="temperature in °C", ylabel="rentals")
    words = f"Threshold {threshold:g} °C: means {means[0]:.0f} and {means[1]:.0f}, gain {gain:.0f}."
    words = f"{words} {judged}"
    return figure, words, f"Ten days and one threshold. {words}"


def split_scores(table):
    """Draw the gain of every threshold of a table of splits."""
    draw_split_scores(table)
    plt.show()


# The tree of ten days


def growing_stepper(X, y):
    """Grow the tree of ten days to depth two, with the table of splits of each node."""
    tree = DecisionTreeRegressor(max_depth=2).fit(X, y).tree_
    cold = X["temp"] <= 9.5
    frames = [
        (
            _collapsed(tree, [1, 4]),
            "The first split is made. Both sides are leaves so far.",
            "A tree: temp at most 9.5, a leaf of 3 days with 755 and a leaf of 7 days with 1515.",
        ),
        (
            _splits(X[cold], y[cold]),
            "The three cold days have two candidate splits, and 6 degrees is the better one.",
            "Table of two candidate splits. The one at 6 is chosen.",
        ),
        (
            _collapsed(tree, [4]),
            "The cold side is split at 6 degrees.",
            "The tree with the cold side split at 6, and leaves of 676 and 913.",
        ),
        (
            _splits(X[~cold], y[~cold]),
            "The seven warm days have six candidate splits, and 30 degrees is the best.",
            "Table of six candidate splits. The one at 30 is chosen.",
        ),
        (
            _collapsed(tree, []),
            "Depth two is reached, and we stop.",
            "The whole tree with four leaves: 676, 913, 1829 and 731.5.",
        ),
    ]
    return stepper(frames, title="A tree grows: every split that is tried", name="growing-cuts")


def _collapsed(tree, nodes):
    """The tree with some of its nodes drawn as leaves."""
    return draw_tree(tree, ["temp"], collapsed=nodes, show=("n", "value"))


def _splits(X, y):
    """All splits of a node as a table in HTML."""
    table = split_table(X, y, "squared_error")
    rounded = table[["remainder", "gain"]].astype(float).round(6).round(0).astype(int)
    frame = (
        table[["threshold", "n_left"]].set_axis(["threshold", "days left"], axis=1).join(rounded)
    )
    frame[""] = np.where(table["best"], "best", "")
    return frame.to_html(index=False, border=0)


def steps(X, y):
    """Draw the tree of depth two as a function of the temperature."""
    draw_step_function(DecisionTreeRegressor(max_depth=2).fit(X, y), X, y)
    plt.show()


# Categories


def gains_of_groups(days):
    """The gain of each group of seasons that holds the winter, the largest first."""
    others = ["spring", "summer", "autumn"]
    groups = [("winter", *more) for k in range(3) for more in combinations(others, k)]
    gains = {" ".join(group): round(_gain(days, group)) for group in groups}
    return pd.Series(gains, name="gain").sort_values(ascending=False).to_frame()


def _gain(days, group):
    """The gain of sending a group of seasons left, from the means of both sides."""
    left, y = days["season"].isin(group), days["rentals"]
    sizes = left.sum() * (~left).sum()
    return sizes / len(y) ** 2 * (y[left].mean() - y[~left].mean()) ** 2


def hours_by_mean(means, goes_left):
    """Draw the mean rentals of the hours in their order, with the first split of the category."""
    place, quiet = np.arange(24), goes_left[means.index]
    plt.figure(figsize=(5.6, 3.4))
    plt.bar(place[quiet], means[quiet], color=COLORS[4], hatch="//", edgecolor=INK, lw=0.6)
    plt.bar(place[~quiet], means[~quiet], color=COLORS[1], edgecolor=INK, lw=0.6)
    plt.axvline(8.5, color=ACCENT, ls="--")
    plt.xticks(place[::2], means.index[::2])
    plt.gca().set(xlabel="hour, in order of its mean (every second named)", ylabel="mean rentals")
    plt.show()


def encodings_compared(X, y, day):
    """The mean R² of the hour as a number, as a category and one-hot encoded, by depth."""
    return encoding_scores(X, y, day).groupby("depth").mean().round(3)


def encoding_scores(X, y, day):
    """The R² of each way to encode the hour, by depth and by the quarter of the days held out."""
    one_hot = pd.get_dummies(X["hr"], prefix="hr").join(X[["workingday", "temp"]]).astype(float)
    as_category = X.assign(hr=X["hr"].astype("category"))
    encodings, scores = {"number": X, "category": as_category, "one-hot": one_hot}, {}
    for depth in (1, 3, 6, 8):
        model = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=20)
        for quarter in range(4):
            out = day % 4 == quarter
            scores[depth, quarter] = {
                name: model.fit(Z[~out], y[~out]).score(Z[out], y[out])
                for name, Z in encodings.items()
            }
    return pd.DataFrame(scores).T.rename_axis(["depth", "quarter"])


# Missing values


def surrogates():
    """The side of each of ten days by its temperature, and by a surrogate split on the sun."""
    days = load_bike_demand().assign(
        sun=[3, 5, 2, 1, 8, 9, 7, 10, 8, 6],  # hours
        wind=[16, 28, 20, 12, 14, 18, 22, 24, 26, 30],  # km/h
    )
    sides = {"temp <= 9.5": days["temp"] <= 9.5, "sun <= 5.5": days["sun"] <= 5.5}
    sides = {split: np.where(left, "left", "right") for split, left in sides.items()}
    units = {"temp": "temp (°C)", "sun": "sun (h)", "wind": "wind (km/h)"}
    return days[list(units)].rename(columns=units).assign(**sides)


# A tree that the reader grows


def own_tree_explorable():
    """Let the reader grow a tree on an XOR pattern, and compare it with CART's."""
    pattern = _Pattern()
    cart = pattern.cart(6)
    table = pd.DataFrame(cart, pd.RangeIndex(1, 7, name="leaves"))[["train", "held"]]
    data = {
        "rows": [[*x, k] for x, k in zip(pattern.rows, pattern.kind, strict=True)],
        "held": [[*x, k] for x, k in zip(pattern.held, pattern.held_kind, strict=True)],
        "names": ["x₁", "x₂"],
        "ranges": [[-1, 1], [-1, 1]],
        "most": 6,
        "goal": 4,
        "rest": {"x": 0.3, "y": -0.5, "cuts": [{"at": [-0.6, 0.0], "j": 0}]},
        "question": "With four leaves, can you make fewer errors on the held-out rows than CART?",
        "labels": {
            "leaves": "leaves",
            "own_train": "your errors, training",
            "own_held": "your errors, held out",
            "cart_train": "CART’s with as many leaves, training",
            "cart_held": "CART’s with as many leaves, held out",
        },
        "legend": "in a leaf: errors/rows",
        "says": 2 * ["In the disk’s box: circles {circles}, squares {squares}. {cut}"],
        "verdicts": [
            "Grow to four leaves, and CART’s errors and splits are shown.",
            "Yes, you can. You misclassify {own} of 500 rows, and CART (dotted) with as many "
            "leaves misclassifies {cart}.",
            "Not yet. You misclassify {own} of 500 rows, and CART (dotted) with as many leaves "
            "misclassifies {cart}.",
        ],
        "cart": [{name: tree[name] for name in ("train", "held", "lines")} for tree in cart],
        "alt": [
            "The plane of two features with 80 rows of two classes, divided into the boxes of "
            "your tree.",
            "Your tree, with the errors and the rows of each leaf.",
        ],
    }
    frames = [
        pattern.frame(cart[1]["boxes"], "CART's first split, which has the largest gain."),
        pattern.frame(cart[3]["boxes"], "CART's four leaves."),
        pattern.frame(_cross(), "Four leaves by hand, with every threshold at zero."),
        (
            table.rename(columns={"train": "training", "held": "held out"}),
            "CART's errors by its number of leaves.",
            "Table: with four leaves CART misclassifies 13 of 80 training rows and 168 of 500 "
            "held-out rows.",
        ),
    ]
    return explorable("grow", data, frames, title="Grow your own tree", name="growing-own")


PLANE = np.array([[-1.0, 1.0], [-1.0, 1.0]])  # a box: low and high end of each feature


class _Pattern:
    """Eighty rows of an XOR pattern with noise, and 500 held out."""

    def __init__(self):
        rows, self.kind = make_xor(80, noise=0.1, random_state=2)
        held, self.held_kind = make_xor(500, noise=0.1, random_state=100)
        self.rows, self.held = rows.round(3), held.round(3)

    def cart(self, most):
        """CART's errors, lines and boxes with 1 to `most` leaves, where the gain is largest."""
        boxes, lines, found = [PLANE], [], []
        for _ in range(most):
            rounded = [line.round(3) for line in lines]
            found.append({**self.errors(boxes), "lines": rounded, "boxes": boxes})
            splits = [self._best_split(box) for box in boxes]
            k = int(np.argmax([gain for gain, _, _ in splits]))
            low, high, line = _halves(boxes[k], *splits[k][1:])
            boxes, lines = [*boxes[:k], low, high, *boxes[k + 1 :]], [*lines, line]
        return found

    def errors(self, boxes):
        """The errors of the majority vote in each box, on the training and the held-out rows."""
        wrong = {"train": 0, "held": 0}
        for box in boxes:
            majority = self._majority(box)
            wrong["train"] += int((self.kind[_inside(box, self.rows)] != majority).sum())
            wrong["held"] += int((self.held_kind[_inside(box, self.held)] != majority).sum())
        return wrong

    def _majority(self, box):
        return int(self.kind[_inside(box, self.rows)].mean() > 0.5)

    def _best_split(self, box):
        """The total gain, the feature and the threshold of the best split of a box."""
        here = _inside(box, self.rows)
        if self.kind[here].std() == 0:
            return 0, 0, 0  # pure: nothing to gain
        table = split_table(self.rows[here], self.kind[here])
        split = table[table["best"]].iloc[0]
        return split["gain"] * here.sum(), int(split["feature"][2]), split["threshold"]

    def frame(self, boxes, words):
        """The picture of some boxes, its caption with their errors, and its alt text."""
        figure, ax = plt.subplots(figsize=(5.6, 5))
        for box in boxes:
            color = class_look(self._majority(box))[0]
            ax.add_patch(Rectangle(box[:, 0], *np.ptp(box, axis=1), fc=pale(color), ec=INK))
        for k in (0, 1):
            color, _, marker = class_look(k)
            ax.plot(*self.rows[self.kind == k].T, marker, color=color, mec=INK, mew=0.5, ms=7)
        ax.set(xlim=(-1, 1), ylim=(-1, 1), xlabel="x₁", ylabel="x₂")
        wrong = self.errors(boxes)
        words += f" Errors: {wrong['train']} of 80 in training, {wrong['held']} of 500 held out."
        return figure, words, f"The plane of two features, divided into {len(boxes)} boxes. {words}"


def _inside(box, points):
    """Which points lie in a box, whose upper ends belong to it."""
    return ((points > box[:, 0]) & (points <= box[:, 1])).all(axis=1)


def _halves(box, j, threshold):
    """The two boxes of a split of a box, and the line between them."""
    low, high, line = box.copy(), box.copy(), box.T.copy()
    low[j, 1] = high[j, 0] = line[:, j] = threshold
    return low, high, line


def _cross():
    """The four boxes of a split of the first feature at zero and two of the second."""
    left, right, _ = _halves(PLANE, 0, 0.0)
    return [box for half in (left, right) for box in _halves(half, 1, 0.0)[:2]]
