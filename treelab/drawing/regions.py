"""Regions of a tree in the plane, and its step function on the line.

Each leaf of a tree is a box, which is found by following the splits from the root. The borders in a
picture are therefore the exact thresholds of the tree, and not pixels of a mesh.
"""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from treelab.drawing.picture import class_words, tree_of
from treelab.drawing.style import ACCENT, COLORS, GRAY, INK, class_look, new_axes, pale, top_legend
from treelab.fast.tree import Tree

__all__ = [
    "classes_of",
    "draw_partition",
    "draw_step_function",
    "leaf_boxes",
    "leaves_within",
    "mark_classes",
    "plane",
]

MANY = 1500  # rows from which dots are drawn as pixels in an SVG, too


def leaf_boxes(tree, n_features):
    """Return the box of every node, ``lower`` and ``upper``; ndarrays (n_nodes, n_features).

    A row reaches node t if ``lower[t] < x`` and ``x <= upper[t]`` in every feature; an unbounded
    side is infinite.

    Parameters
    ----------
    tree : Tree
        With numeric splits only; a categorical one is a ValueError.
    n_features : int

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3]], [0.0, 0.0, 1.0]).tree_
    >>> lower, upper = leaf_boxes(tree, 1)
    >>> [(float(lower[t, 0]), float(upper[t, 0])) for t in (1, 2)]
    [(-inf, 2.5), (2.5, inf)]
    """
    lower = np.full((tree.node_count, n_features), -np.inf)
    upper = np.full((tree.node_count, n_features), np.inf)
    for t in np.flatnonzero(~tree.is_leaf):  # preorder: parents before children
        left, right = tree.children_left[t], tree.children_right[t]
        j, cut = tree.feature[t], tree.threshold[t]
        if np.isnan(cut):
            raise ValueError(f"node {t} tests a category; boxes need numeric tests.")
        lower[[left, right]], upper[[left, right]] = lower[t], upper[t]
        upper[left, j] = min(upper[t, j], cut)
        lower[right, j] = max(lower[t, j], cut)
    return lower, upper


def _columns(X, features, tree):
    """Return the given features of X as numbers, their positions and names."""
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    named = isinstance(X, pd.DataFrame)
    where = []
    for f in features:
        j = frame.columns.get_loc(f) if named and f in frame.columns else f
        if not (isinstance(j, int | np.integer) and 0 <= j < frame.shape[1]):
            raise ValueError(f"X has no feature {f!r}.")
        where.append(int(j))
    if others := sorted(set(tree.feature[~tree.is_leaf].tolist()) - set(where)):
        raise ValueError(f"the tree also tests feature {others}; fit it on the drawn ones alone.")
    names = [str(frame.columns[j]) if named else f"x[{j}]" for j in where]
    return [frame.iloc[:, j].to_numpy(dtype=float) for j in where], where, names


def _limits(x):
    """Return the range of x, enlarged by a twentieth on either side."""
    margin = 0.05 * np.ptp(x) or 0.5
    return x.min() - margin, x.max() + margin


def plane(X, y, features, tree, ax):
    """Return axes for two features, their numbers, and both columns, as long as y."""
    (a, b), where, names = _columns(X, features, tree)
    if len(a) != len(y):
        raise ValueError(f"X has {len(a)} rows and y {len(y)}.")
    ax = new_axes(ax)
    ax.set(xlim=_limits(a), ylim=_limits(b), xlabel=names[0], ylabel=names[1])
    return ax, where, a, b


def leaves_within(tree, features, xlim, ylim):
    """List the leaves of a tree with (left, right) and (bottom, top) of their boxes."""
    lower, upper = leaf_boxes(tree, max(features) + 1)
    across, upwards = (
        np.clip(np.stack([lower[:, j], upper[:, j]], axis=1), *limits)  # (n_nodes, 2)
        for j, limits in zip(features, (xlim, ylim))
    )
    return [(t, across[t], upwards[t]) for t in np.flatnonzero(tree.is_leaf)]


def draw_partition(model, X, y, features=(0, 1), *, class_names=None, label=None, ax=None):
    """Draw the regions of a tree on two features, and the rows in them.

    The rectangle of leaf t has the gid ``region-t``. A tree with splits on other features, or by
    categories, is a ValueError.

    Parameters
    ----------
    model : Tree or fitted estimator with a `tree_`
    X : DataFrame or array-like of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
        Classes (each with its own marker) or numbers (a color scale).
    features : pair of int or str, default=(0, 1)
        The features of the horizontal and the vertical axis, by number or by name.
    class_names : sequence, default=None
        The classes in the tree's order. None takes the estimator's, or the sorted values
        of `y`.
    label : {"node", "value"}, default=None
        Text in each region: the number of its leaf, or its prediction. None writes the value in a
        regression and nothing in a classification.
    ax : Axes, default=None

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "b", "b", "b"]
    >>> ax = draw_partition(DecisionTreeClassifier().fit(X, y), X, y)
    >>> len(ax.patches), [text.get_text() for text in ax.get_legend().get_texts()]
    (3, ['a', 'b'])
    """
    tree, y = tree_of(model, Tree), np.asarray(y)
    if label not in (None, "node", "value"):
        raise ValueError(f"label must be None, 'node' or 'value', got {label!r}.")
    if tree.is_classifier:
        class_names, words = classes_of(model, y, class_names, tree)
    else:
        norm, cmap = mpl.colors.Normalize(y.min(), y.max()), mpl.colormaps["cividis"]
        label = label or "value"
    ax, features, a, b = plane(X, y, features, tree, ax)
    xlim, ylim = ax.get_xlim(), ax.get_ylim()
    for t, (left, right), (bottom, top) in leaves_within(tree, features, xlim, ylim):
        if tree.is_classifier:
            k = int(tree.value[t, 0].argmax())
            color, hatch, _ = class_look(k)
            look = {"facecolor": pale(color, 0.22), "hatch": hatch, "edgecolor": pale(color, 0.45)}
            word, ink, ground = words[k], INK, (1, 1, 1, 0.75)
        else:
            word, ground = f"{tree.value[t, 0, 0]:.3g}", cmap(norm(tree.value[t, 0, 0]))
            look = {"facecolor": ground, "edgecolor": INK}
            ink = "black" if np.dot(ground[:3], (0.3, 0.6, 0.1)) > 0.45 else "white"
        region = Rectangle((left, bottom), right - left, top - bottom, lw=0, zorder=0,
                           gid=f"region-{t}", **look)  # fmt: skip
        ax.add_patch(region)
        ax.plot([left, right, right, left, left], [bottom, bottom, top, top, bottom], color=INK,
                ls="-", lw=1.2, zorder=1, gid=f"border-{t}")  # fmt: skip
        if label:
            narrow = (right - left) / np.ptp(xlim) < min(0.12, (top - bottom) / np.ptp(ylim))
            ax.text(
                (left + right) / 2, (bottom + top) / 2, str(t) if label == "node" else word,
                ha="center", va="center", rotation=90 if narrow else 0, color=ink, zorder=4,
                fontweight="bold", parse_math=False, clip_on=True,
                bbox={"facecolor": ground, "edgecolor": "none", "pad": 1.5},
            )  # fmt: skip
    if tree.is_classifier:
        mark_classes(ax, a, b, y, class_names, words, size=42)
    else:
        dots = ax.scatter(a, b, c=y, cmap=cmap, norm=norm, edgecolor="white", lw=0.8, zorder=3,
                          rasterized=len(a) > MANY)  # fmt: skip
        ax.figure.colorbar(dots, ax=ax, label=_target_name(y))
    return ax


def _target_name(y):
    """Return the name of a Series, or "target"."""
    return str(getattr(y, "name", None) or "target")


def classes_of(model, y, class_names, tree):
    """Return the classes as in `y`, and as a picture writes them."""
    if class_names is None:
        class_names = getattr(model, "classes_", np.unique(y))
    return class_names, class_words(class_names, tree.value.shape[2])


def mark_classes(ax, a, b, y, class_names, words, size):
    """Draw the rows, each class with its color and marker, and a legend above."""
    for k, (value, name) in enumerate(zip(class_names, words, strict=True)):
        color, _, marker = class_look(k)
        rows = y == value
        ax.scatter(a[rows], b[rows], c=color, marker=marker, s=size, edgecolor=INK, lw=0.7,
                   zorder=3, label=name, rasterized=len(a) > MANY)  # fmt: skip
    top_legend(ax, ncol=min(4, len(words)), handletextpad=0.3, columnspacing=1.2)


def draw_step_function(model, X, y, feature=0, *, ax=None):
    """Draw the step function of a regression tree on one feature, and the rows.

    Dashed lines mark the thresholds; the step patch has the gid ``steps``. A classification tree,
    or one with a split on another feature or by categories, is a ValueError.

    Parameters
    ----------
    model, X, y
        As in `draw_partition`.
    feature : int or str, default=0
        By number or by name.
    ax : Axes, default=None

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> X, y = [[1], [2], [3]], [0.0, 0.0, 1.0]
    >>> ax = draw_step_function(DecisionTreeRegressor().fit(X, y), X, y)
    >>> ax.patches[0].get_data().values.tolist()
    [0.0, 1.0]
    """
    tree = tree_of(model, Tree)
    if tree.is_classifier:
        raise ValueError("model must be a regression tree; classes have no height.")
    (x,), (j,), (name,) = _columns(X, [feature], tree)
    lower, upper = leaf_boxes(tree, j + 1)
    leaves = np.flatnonzero(tree.is_leaf)
    leaves = leaves[np.argsort(lower[leaves, j], kind="stable")]
    low, high = _limits(x)
    edges = np.clip([lower[leaves[0], j], *upper[leaves, j]], low, high)
    ax = new_axes(ax)
    for cut in edges[1:-1]:
        ax.axvline(cut, color=GRAY, lw=1, ls="--", zorder=1)
    ax.scatter(x, np.asarray(y, dtype=float), c=COLORS[0], s=36, edgecolor=INK, lw=0.5, zorder=3,
               label="rows", rasterized=len(x) > MANY)  # fmt: skip
    ax.stairs(tree.value[leaves, 0, 0], edges, baseline=None, color=ACCENT, lw=3, zorder=2,
              label="tree", gid="steps")  # fmt: skip
    ax.set(xlim=(low, high), xlabel=name, ylabel=_target_name(y))
    top_legend(ax, ncol=2)
    return ax
