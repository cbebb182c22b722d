"""Table of all candidate splits of one node, with their arithmetic.

The table that you would write by hand, from the functions that growth itself calls.
"""

import numbers

import numpy as np
import pandas as pd
from sklearn.utils import check_scalar, check_X_y

from treelab.fast import inputs
from treelab.fast.growing.criteria import CRITERIA
from treelab.fast.growing.frontier import Frontier
from treelab.fast.growing.splits import midpoint, order_values, scan
from treelab.fast.growing.training_data import Columns, Targets
from treelab.fast.tolerances import TIE
from treelab.fast.tree.words import question

__all__ = ["split_table"]


def split_table(
    X,
    y,
    criterion="gini",
    sample_weight=None,
    categorical_features="from_dtype",
    min_samples_leaf=1,
):
    """List every candidate split of the node that holds these rows, with its arithmetic.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
        Class labels or, for a criterion of regression, numbers.
    criterion : str, default="gini"
        "gini", "entropy" or "misclassification"; "squared_error" or "absolute_error".
    sample_weight : array-like of shape (n_rows,), default=None
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        As in `treelab.DecisionTreeClassifier`.
    min_samples_leaf : int, default=1
        Splits that leave fewer rows than this on a side are not listed.

    Returns
    -------
    DataFrame
        A row for each split, by feature, then by threshold (NaN where the feature is categorical;
        its splits are those of the order in which growth puts the categories). ``test`` is the
        question in words, ``remainder`` the impurity left after the split, ``gain`` the impurity
        before less the remainder, and ``best`` is true for the split that growth would choose.

    Examples
    --------
    >>> table = split_table([[1], [2], [4]], ["a", "b", "b"])
    >>> table[["test", "n_left", "remainder", "gain", "best"]].round(3)
              test  n_left  remainder   gain   best
    0  x[0] <= 1.5       1      0.000  0.444   True
    1    x[0] <= 3       2      0.333  0.111  False
    """
    inputs.OneOf(*CRITERIA).check("criterion", criterion)
    check_scalar(min_samples_leaf, "min_samples_leaf", numbers.Integral, min_val=1)
    X, n_classes = inputs.as_table(X), 0
    names = X.columns if isinstance(X, pd.DataFrame) else [f"x[{j}]" for j in range(X.shape[1])]
    categories = inputs.learn_categories(X, categorical_features)
    X = inputs.encode(X, categories)
    if CRITERIA[criterion].is_classifier:
        labels, y = inputs.read_classes(y)
        n_classes = len(labels)
    else:
        y = inputs.read_numbers(y)
    X, y = check_X_y(X, y, dtype=np.float64)
    weight = inputs.check_weights(sample_weight, len(y))
    keep = weight > 0
    columns = Columns.of(X[keep], [len(categories.get(j, ())) for j in range(X.shape[1])])
    targets = Targets.of(y[keep], weight[keep], criterion, n_classes)
    frontier = Frontier(targets, np.arange(keep.sum()), np.zeros(keep.sum(), dtype=int))
    rows = []
    for j, values in enumerate(columns.values):
        (rank,), position = order_values(columns, frontier, np.array([[j]]), min_samples_leaf)
        (gain,), (order,) = scan(frontier, rank[None], min_samples_leaf)
        for cut in np.flatnonzero(gain > -np.inf):
            last, after = rank[order[cut : cut + 2]]
            threshold = np.nan if values is None else float(midpoint(values[last], values[after]))
            left = None if position is None else (position[0, 0] >= 0) & (position[0, 0] <= last)
            words = question(str(names[j]), threshold, left, categories.get(j))
            sides = Frontier(targets, order, (np.arange(len(order)) > cut).astype(int))
            rows.append([names[j], threshold, words, *_arithmetic(sides, gain[cut])])
    table = pd.DataFrame(rows, columns=COLUMNS)
    tie = TIE * targets.criterion.describe(frontier)[1][0]
    table["best"] = np.arange(len(table)) == _first_best(table, tie)
    return table


COLUMNS = ["feature", "threshold", "test", "n_left", "n_right", "weight_left", "weight_right"]
COLUMNS += ["impurity_left", "impurity_right", "remainder", "gain"]


def _arithmetic(sides, gain):
    """Return sizes, weights and impurities of both sides of a split, remainder and gain."""
    W, (_, Q) = sides.weight, sides.targets.criterion.describe(sides)
    return *sides.size, *W, *Q, (W * Q).sum() / W.sum(), max(gain, 0.0) / W.sum()


def _first_best(table, tie):
    """Return the row that growth chooses, -1 if none: the first best over the features in order."""
    chosen, record = -1, -np.inf
    for _, block in table.groupby("feature", sort=False):
        first = block.index[block.gain >= block.gain.max() - tie][0]
        if table.gain[first] > record + tie:
            chosen, record = first, table.gain[first]
    return chosen
