"""The vote of a forest in the plane: where the trees agree, and where the class changes."""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from treelab.drawing.picture import tree_of
from treelab.drawing.regions import classes_of, leaves_within, mark_classes, plane
from treelab.drawing.style import INK, class_look
from treelab.fast.tree import Tree

__all__ = ["draw_vote", "mean_shares"]


def _trees_of(model):
    """Return the trees of a forest, of a list, or of a single tree."""
    trees = getattr(model, "trees_", model)
    trees = list(trees) if isinstance(trees, list | tuple) else [tree_of(model, Tree)]
    if not trees or not all(isinstance(tree, Tree) and tree.is_classifier for tree in trees):
        raise TypeError(f"model must be a classifier of trees or a list of its trees: {model!r}.")
    return trees


def mean_shares(trees, xlim, ylim):
    """Average the class proportions of trees on features 0 and 1 between limits, without a mesh.

    There is one value for each piece of the plane, ndarray (n_y, n_x, n_classes), in which no tree
    has a threshold. The ends of the pieces, (n_x + 1,) and (n_y + 1,), come first: the
    limits, and all thresholds of all trees between them.

    >>> from treelab import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1, 0], [2, 0]], ["a", "b"]).tree_
    >>> x, y, shares = mean_shares([tree], (0, 4), (0, 1))
    >>> x.tolist(), y.tolist(), shares.tolist()
    ([0.0, 1.5, 4.0], [0.0, 1.0], [[[1.0, 0.0], [0.0, 1.0]]])
    """
    ends = []
    for j, (low, high) in enumerate((xlim, ylim)):
        cuts = np.concatenate([tree.threshold[tree.feature == j] for tree in trees])
        ends.append(np.unique(np.append(cuts[(low < cuts) & (cuts < high)], [low, high])))
    total = np.zeros((len(ends[1]) - 1, len(ends[0]) - 1, trees[0].value.shape[2]))
    for tree in trees:
        value = tree.value[:, 0] / tree.value[:, 0].sum(axis=1, keepdims=True)
        for t, *box in leaves_within(tree, (0, 1), xlim, ylim):
            (left, right), (bottom, top) = map(np.searchsorted, ends, box)
            total[bottom:top, left:right] += value[t]
    return *ends, total / len(trees)


def draw_vote(model, X, y, *, class_names=None, ax=None):
    """Draw the prediction of a forest over two features, and the rows.

    Each piece of the plane has the color of the class with the largest mean proportion, the fainter
    the smaller it is. A line marks where the class changes. The plane is divided at the thresholds
    of all trees, so that the borders are exact, straight and have right angles.

    Parameters
    ----------
    model : fitted forest, tree, or list of Tree
        A classifier (otherwise a TypeError) of two numeric features (otherwise a ValueError).
    X : DataFrame or array-like of shape (n_rows, 2)
    y, class_names, ax
        As in `draw_partition`.

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "b", "b", "b"]
    >>> ax = draw_vote(RandomForestClassifier(20, random_state=0).fit(X, y), X, y)
    >>> ax.images[0].get_array().shape
    (2, 2, 4)
    """
    trees, y = _trees_of(model), np.asarray(y)
    frame = X if isinstance(X, pd.DataFrame) else np.asarray(X)
    if frame.shape != (len(y), 2):
        raise ValueError(f"X must have two columns and the {len(y)} rows of y, got {frame.shape}.")
    class_names, words = classes_of(model, y, class_names, trees[0])
    ax, _, a, b = plane(frame, y, (0, 1), trees[0], ax)
    across, upwards, shares = mean_shares(trees, ax.get_xlim(), ax.get_ylim())
    ax.pcolorfast(across, upwards, _ground(shares), zorder=0)
    borders = _borders(across, upwards, shares.argmax(axis=2))
    ax.add_patch(PathPatch(borders, fill=False, edgecolor=INK, lw=1.2, capstyle="projecting",
                           zorder=1, gid="borders"))  # fmt: skip
    mark_classes(ax, a, b, y, class_names, words, size=26)
    return ax


def _ground(shares):
    """Return the colors of pieces, (n_y, n_x, 4), fainter for a smaller proportion."""
    K, largest = shares.shape[2], shares.max(axis=2)
    lead = (largest - 1 / K) / (1 - 1 / K) if K > 1 else largest
    colors = np.array([mpl.colors.to_rgb(class_look(k)[0]) for k in range(K)])
    return np.dstack([colors[shares.argmax(axis=2)], 0.1 + 0.35 * lead])


def _borders(across, upwards, winner):
    """Return the lines at which the class changes, each as long as it is straight, as one path."""
    ends = []
    for along, place, changes, turn in (
        (upwards, across, (winner[:, 1:] != winner[:, :-1]).T, -1),
        (across, upwards, winner[1:] != winner[:-1], 1),
    ):
        for line, here in zip(place[1:], changes):
            steps = np.flatnonzero(np.diff(here, prepend=False, append=False))
            ends += [(along[step], line)[::turn] for step in steps]
    return Path(np.reshape(ends, (-1, 2)), [Path.MOVETO, Path.LINETO] * (len(ends) // 2))
