"""Multiway trees that select features: the Max-Dependency scheme, and one regularized tree.

The scheme selects, step by step, the feature that is most informative about the class given those
already selected. Written as a tree, all nodes of a depth are split on the same feature, the best on
average. In ID3 every node is split on its own best feature, so that many features are used where
the scheme uses few. A regularized tree is between the two: every node may have its own feature, but
the gain of one that no node before it has used counts less.

Vocabulary
----------
chosen : features of the scheme, in their order
selected : features on which the nodes before are split
information : I(feature; y | chosen), in bits
"""

import math
import numbers

import numpy as np
import pandas as pd

from treelab.fast.c45 import Cases, ID3Classifier, Training
from treelab.fast.c45.gain_ratio import level_branches
from treelab.fast.c45.growing import grow, is_finished
from treelab.fast.c45.id3 import level_split
from treelab.fast.impurity import entropy, information_gain
from treelab.fast.information import class_entropy
from treelab.fast.inputs import check_number, feature_names
from treelab.fast.tolerances import CLOSE, TIE

__all__ = [
    "max_dependency_table",
    "max_dependency_tree",
    "regularized_tree",
    "regularized_tree_table",
]


def max_dependency_table(X, y, n_features=None):
    """List the steps of the Max-Dependency scheme, with the information of every feature.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Every distinct value is a level; a missing one is a ValueError.
    y : array-like of shape (n_rows,)
        Classes.
    n_features : int, default=None
        Maximum number of steps. None: until no feature has more than 1e-12 bits.

    Returns
    -------
    DataFrame
        A row for each remaining feature in each ``step``: ``feature``, its ``information`` about
        the class given the features chosen before, in bits, and whether it is ``chosen``. Ties go
        to the first.

    References
    ----------
    Peng, Long and Ding (2005), Feature selection based on mutual information; Deng and Runger
    (2012), Feature selection via regularized trees, equation 3.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> max_dependency_table(X, y).round(4)
       step feature  information  chosen
    0     1   color       0.2467    True
    1     1    size       0.1518   False
    2     1   spots       0.0481   False
    3     2    size       0.3539    True
    4     2   spots       0.3539   False
    5     3   spots       0.3396    True
    """
    model, data, _ = _read(X, y)
    if n_features is not None:
        check_number(n_features, "n_features", numbers.Integral, min_val=1)
    codes = data.table.astype(int)
    names, left, chosen, rows = feature_names(model), list(range(codes.shape[1])), [], []
    while left and len(chosen) < (n_features or math.inf):
        known = class_entropy(codes[:, chosen], data.y)
        told = [known - class_entropy(codes[:, [*chosen, j]], data.y) for j in left]
        best = next(i for i, bits in enumerate(told) if bits >= max(told) - CLOSE)
        if told[best] <= CLOSE:
            break
        for i, (j, bits) in enumerate(zip(left, told, strict=True)):
            rows.append((len(chosen) + 1, names[j], max(bits, 0.0), i == best))
        chosen.append(left.pop(best))
    return pd.DataFrame(rows, columns=["step", "feature", "information", "chosen"])


def max_dependency_tree(X, y, n_features=None):
    """Grow the tree of the Max-Dependency scheme: one feature for all nodes of a depth.

    A node with only one category of it continues with the next feature.

    Parameters
    ----------
    X, y, n_features
        As in `max_dependency_table`.

    Returns
    -------
    ID3Classifier
        Fitted, but with splits chosen by another rule.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> print(max_dependency_tree(X, y, n_features=2).export_text())
    |--- color = red
    |   |--- size = small
    |   |   |--- class: eatable (2)
    |   |--- size = large
    |   |   |--- class: toxic (3)
    |--- color = brown
    |   |--- class: eatable (4)
    |--- color = green
    |   |--- size = small
    |   |   |--- class: eatable (3/1)
    |   |--- size = large
    |   |   |--- class: eatable (2/1)
    <BLANKLINE>
    """
    model, data, weight = _read(X, y)
    table = max_dependency_table(X, y, n_features)
    names = feature_names(model)
    order = [names.index(name) for name in table["feature"][table["chosen"]]]

    def split(here, sums, N):
        if is_finished(sums, N):
            return None
        for j in order:
            branches = level_branches(data, *here, j)
            if np.count_nonzero(branches.sum(axis=1)) > 1:
                return level_split(j, branches)
        return None

    model.tree_ = grow(Cases(data, weight), split)
    return model


def regularized_tree(X, y, penalty=0.5):
    """Grow one regularized tree with a branch for each category, trying all features at a node.

    Parameters
    ----------
    X, y
        As in `max_dependency_table`. Branches are grown in the order of the levels.
    penalty : float, default=0.5
        As in `RegularizedForestSelector`.

    Returns
    -------
    ID3Classifier
        Fitted, but with splits chosen by another rule, which `regularized_tree_table` shows.

    References
    ----------
    Deng and Runger (2012), Feature selection via regularized trees, algorithm 1.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> print(regularized_tree(X, y, penalty=0.02).export_text())
    |--- color = red
    |   |--- size = small
    |   |   |--- class: eatable (2)
    |   |--- size = large
    |   |   |--- class: toxic (3)
    |--- color = brown
    |   |--- class: eatable (4)
    |--- color = green
    |   |--- size = small
    |   |   |--- spots = no
    |   |   |   |--- class: eatable (2)
    |   |   |--- spots = yes
    |   |   |   |--- class: toxic (1)
    |   |--- size = large
    |   |   |--- spots = no
    |   |   |   |--- class: eatable (1)
    |   |   |--- spots = yes
    |   |   |   |--- class: toxic (1)
    <BLANKLINE>
    """
    return _regularized(X, y, penalty)[0]


def regularized_tree_table(X, y, penalty=0.5):
    """List the candidate splits at each node of a `regularized_tree`, with their gains.

    Parameters
    ----------
    X, y, penalty
        As in `regularized_tree`.

    Returns
    -------
    DataFrame
        A row for each feature with two categories in a ``node`` (its number in preorder), to which
        the conditions ``where`` lead. ``gain`` in bits; whether the feature is already
        ``selected`` by a node before; ``penalized_gain``; whether it is ``chosen``. Selected
        features come first in their node, and of equal penalized gains the first is chosen.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> table = regularized_tree_table(X, y, penalty=0.02)
    >>> table[table["where"] == "color = red"].round(4)
       node        where feature   gain  selected  penalized_gain  chosen
    3     1  color = red    size  0.971     False          0.0194    True
    4     1  color = red   spots  0.020     False          0.0004   False
    """
    return _regularized(X, y, penalty)[1]


def _regularized(X, y, penalty):
    """Grow the tree, and return it with its table."""
    check_number(penalty, "penalty", numbers.Real, min_val=0, max_val=1, include_boundaries="right")
    model, data, weight = _read(X, y)
    names, selected, rows, node = feature_names(model), set(), [], -1

    def split(here, sums, N):
        nonlocal node
        node += 1  # nodes are split in preorder
        if is_finished(sums, N):
            return None
        best, candidates = None, []
        for j in sorted(range(len(names)), key=lambda j: j not in selected):
            branches = level_branches(data, *here, j)
            if np.count_nonzero(branches.sum(axis=1)) < 2:
                continue
            gain = float(information_gain(branches))
            part = 1.0 if j in selected else penalty
            candidates.append({
                "node": node, "where": "", "feature": names[j], "gain": gain,
                "selected": j in selected, "penalized_gain": part * gain, "chosen": False,
            })  # fmt: skip
            if part * gain > (best[0] if best else 0.0) + TIE * part * entropy(sums):
                best = part * gain, j, branches, candidates[-1]
        rows.extend(candidates)
        if best is None:
            return None
        _, j, branches, candidate = best
        candidate["chosen"] = True
        selected.add(j)
        return level_split(j, branches)

    model.tree_ = tree = grow(Cases(data, weight), split)
    for row in rows:
        row["where"] = _where(tree, row["node"], names, model.categories_)
    columns = ["node", "where", "feature", "gain", "selected", "penalized_gain", "chosen"]
    return model, pd.DataFrame(rows, columns=columns)


def _read(X, y):
    """Return an `ID3Classifier` that knows columns and classes, the training data, and weights."""
    model = ID3Classifier()
    table, codes, weight = model.table.fit(X, y)
    return model, Training(table, codes, len(model.classes_), model.table.n_categories), weight


def _where(tree, t, names, categories):
    """Return the conditions on the path to node `t`; str."""
    words = []
    while t:
        words.append(tree.answer(t, names, categories))
        t = tree.parent[t]
    return " and ".join(words[::-1])
