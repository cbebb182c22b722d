"""Trees of levels that choose features: the Max-Dependency scheme, and one regularized tree.

The scheme takes, step by step, the feature that tells most about the class beyond those that it
has. Written as a tree, all nodes of a depth ask the same: the best question on average. ID3 lets
every node ask its own best, and so uses many features where the scheme uses few. A regularized tree
is between the two: a node may ask its own, but what no node before it has asked counts less.

Vocabulary
----------
chosen : features of the scheme, in their order
paid : features that the nodes before have asked about
information : I(feature; y | chosen), in bits
"""

import math
import numbers

import numpy as np
import pandas as pd

from treelab.fast.c45 import Cases, ID3Classifier, LevelTest, Training
from treelab.fast.c45.gain_ratio import level_branches
from treelab.fast.c45.growing import grow, is_finished
from treelab.fast.impurity import entropy, information_gain, split_information
from treelab.fast.information import joint_entropy
from treelab.fast.inputs import check_number
from treelab.fast.tolerances import CLOSE, TIE

__all__ = [
    "max_dependency_table",
    "max_dependency_tree",
    "regularized_tree",
    "regularized_tree_table",
]


def max_dependency_table(X, y, n_features=None):
    """The Max-Dependency scheme step by step, with what every feature would tell.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Every distinct value is a level; a missing one is a ValueError.
    y : array-like of shape (n_rows,)
        Classes.
    n_features : int, default=None
        Steps at most. None: until nothing tells more than 1e-12 bits.

    Returns
    -------
    DataFrame
        A row for each feature that is left in each ``step``: ``feature``, its ``information`` on
        the class beyond the features chosen before, in bits, and whether it is ``chosen``. Of
        equal ones the first is.

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
    codes, ones = data.table.astype(int), np.ones(len(data.y))
    names, left, chosen, rows = _names(model), list(range(codes.shape[1])), [], []
    while left and len(chosen) < (n_features or math.inf):
        known = _bits_left(codes, data.y, ones, chosen)
        told = [known - _bits_left(codes, data.y, ones, [*chosen, j]) for j in left]
        best = next(i for i, bits in enumerate(told) if bits >= max(told) - CLOSE)
        if told[best] <= CLOSE:
            break
        rows += [
            {
                "step": len(chosen) + 1,
                "feature": names[j],
                "information": max(bits, 0.0),
                "chosen": i == best,
            }
            for i, (j, bits) in enumerate(zip(left, told, strict=True))
        ]
        chosen.append(left.pop(best))
    return pd.DataFrame(rows, columns=["step", "feature", "information", "chosen"])


def _bits_left(codes, y, weight, some):
    """H(y | some features), in bits."""
    part = codes[:, some]
    return (joint_entropy(part, weight, y) - joint_entropy(part, weight)) / math.log(2)


def max_dependency_tree(X, y, n_features=None):
    """The Max-Dependency scheme as a tree: all nodes of a depth ask about the same feature.

    A node that has one level of it only goes on to the next feature.

    Parameters
    ----------
    X, y, n_features
        As in `max_dependency_table`.

    Returns
    -------
    ID3Classifier
        Fitted, but for its rule of choice.

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
    names = _names(model)
    order = [names.index(name) for name in table["feature"][table["chosen"]]]

    def split(here, sums, N):
        if is_finished(sums, N):
            return None
        for j in order:
            branches = level_branches(data, *here, j)
            if np.count_nonzero(branches.sum(axis=1)) > 1:
                return _test(j, branches)
        return None

    model.tree_ = grow(Cases(data, weight), split)
    return model


def regularized_tree(X, y, penalty=0.5):
    """One regularized tree with a branch for each level, all features tried in every node.

    Parameters
    ----------
    X, y
        As in `max_dependency_table`. Branches are grown in the order of the levels.
    penalty : float, default=0.5
        As in `RegularizedForestSelector`.

    Returns
    -------
    ID3Classifier
        Fitted, but for its rule of choice. `regularized_tree_table` shows it.

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
    """What each feature offers to each node of a `regularized_tree`, and which one it takes.

    Parameters
    ----------
    X, y, penalty
        As in `regularized_tree`.

    Returns
    -------
    DataFrame
        A row for each feature that has two levels in a ``node``, which is its number in preorder;
        ``where`` says the answers that lead there. ``gain`` in bits; whether the feature is
        ``paid``, a node before having taken it; ``penalized_gain``; whether it is ``taken``. Those
        that are paid come first in their node; of equal penalized gains the first is taken.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> table = regularized_tree_table(X, y, penalty=0.02)
    >>> table[table["where"] == "color = red"].round(4)
       node        where feature   gain   paid  penalized_gain  taken
    3     1  color = red    size  0.971  False          0.0194   True
    4     1  color = red   spots  0.020  False          0.0004  False
    """
    return _regularized(X, y, penalty)[1]


def _regularized(X, y, penalty):
    """The tree and its table."""
    check_number(penalty, "penalty", numbers.Real, min_val=0, max_val=1, include_boundaries="right")
    model, data, weight = _read(X, y)
    names, paid, rows, node = _names(model), set(), [], -1

    def split(here, sums, N):
        nonlocal node
        node += 1  # nodes are split in preorder
        if is_finished(sums, N):
            return None
        best, offers = None, []
        for j in sorted(range(len(names)), key=lambda j: j not in paid):
            branches = level_branches(data, *here, j)
            if np.count_nonzero(branches.sum(axis=1)) < 2:
                continue
            gain = float(information_gain(branches))
            part = 1.0 if j in paid else penalty
            offers.append({
                "node": node, "where": "", "feature": names[j], "gain": gain, "paid": j in paid,
                "penalized_gain": part * gain, "taken": False,
            })  # fmt: skip
            if part * gain > (best[0] if best else 0.0) + TIE * part * entropy(sums):
                best = part * gain, j, branches, offers[-1]
        rows.extend(offers)
        if best is None:
            return None
        _, j, branches, offer = best
        offer["taken"] = True
        paid.add(j)
        return _test(j, branches)

    model.tree_ = tree = grow(Cases(data, weight), split)
    for row in rows:
        row["where"] = _where(tree, row["node"], names, model.categories_)
    columns = ["node", "where", "feature", "gain", "paid", "penalized_gain", "taken"]
    return model, pd.DataFrame(rows, columns=columns)


def _read(X, y):
    """An `ID3Classifier` that knows the columns and the classes, the training data, weights."""
    model = ID3Classifier()
    table, codes, weight = model.table.fit(X, y)
    return model, Training(table, codes, len(model.classes_), model.table.n_categories), weight


def _names(model):
    """Names of the columns, or x0, x1, ..."""
    names = getattr(model, "feature_names_in_", None)
    return [f"x{j}" for j in range(model.n_features_in_)] if names is None else list(names)


def _test(j, branches):
    """A question about feature j with its gain and gain ratio."""
    gain = float(information_gain(branches))
    return LevelTest(j, len(branches)), gain, gain / float(split_information(branches))


def _where(tree, t, names, categories):
    """The answers on the way to node `t`; str."""
    words = []
    while t:
        words.append(tree.answer(t, names, categories))
        t = tree.parent[t]
    return " and ".join(words[::-1])
