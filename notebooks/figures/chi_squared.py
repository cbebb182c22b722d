"""Chi-squared pre-pruning: stop at the first split that chance could have produced.

Growing never looks ahead, so unless the number of leaves is limited, to stop at a split is the
same as to grow on and cut the tree off at that node afterwards: pre-pruning, too, maps a tree to
a smaller one.

Vocabulary
----------
n_vk : training weight of class k in child v of a node
expected : n_v n_k / n, the weight of class k that child v would hold if it drew blindly
"""

import warnings
from numbers import Real

import numpy as np
import pandas as pd
from scipy.stats import chi2

from treelab.fast.pruning.cost_complexity import as_tree, with_tree

__all__ = ["chi2_prepruning", "chi2_table"]


def chi2_table(tree, alpha=0.05, bonferroni=False):
    """Test at every split whether children and classes are independent; DataFrame.

    Indexed by ``node``, a row for each inner node: ``statistic``, ``df``, ``p_value``,
    ``min_expected`` (the smallest expected weight of a cell), ``significant``, ``tested`` (all
    splits above stand, so that growing comes to this one) and ``keep`` (tested and significant).

    Parameters
    ----------
    tree : Tree or fitted DecisionTreeClassifier
        A regression tree is a ValueError.
    alpha : float in (0, 1], default=0.05
        Significance level of the test; a split stands if its p-value is at most this.
    bonferroni : bool, default=False
        Divide `alpha` by the number of splits in `tree`.

    Notes
    -----
    The statistic is the sum of (n_jk - E_jk)^2 / E_jk over both children and the K classes
    that are present. Its p-value is that of the chi-squared distribution with K - 1 degrees
    of freedom, which is right for many cases only: 7 a and 1 b against 3 a and 5 b have 0.039
    here and 0.119 by counting all ways to distribute the 16 cases. The weights count as numbers of
    cases, so weights that do not add up to that number mislead the test. It also takes the
    split for given, though it is the best of many: the p-values are too small.

    References
    ----------
    Kass (1980) for the test in growing trees; Quinlan (1986), section 5.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> y = ["a"] * 10 + ["b"] * 10
    >>> model = DecisionTreeClassifier().fit([[i] for i in range(20)], y)
    >>> chi2_table(model)[["statistic", "df", "min_expected", "keep"]]
          statistic  df  min_expected  keep
    node
    0          20.0   1           5.0  True
    """
    tree = as_tree(tree)
    if not tree.is_classifier:
        raise ValueError(
            "tree must be a classification tree: the chi-squared test counts classes, and "
            f"this one was grown with criterion {tree.criterion!r}."
        )
    if not (isinstance(alpha, Real) and 0 < alpha <= 1):
        raise ValueError(f"alpha must be in (0, 1], got {alpha!r}.")
    t = np.flatnonzero(~tree.is_leaf)
    counts = tree.weighted_n_node_samples[:, None] * tree.value[:, 0]  # (n_nodes, n_classes)
    observed = np.stack([counts[tree.children_left[t]], counts[tree.children_right[t]]], axis=1)
    of_child = observed.sum(axis=2, keepdims=True)  # (n_inner, 2, 1)
    of_class = observed.sum(axis=1, keepdims=True)  # (n_inner, 1, n_classes)
    expected = of_child * of_class / np.maximum(of_child.sum(axis=1, keepdims=True), 1e-300)
    present = expected > 0
    cells = np.divide((observed - expected) ** 2, expected, np.zeros_like(observed), where=present)
    statistic = cells.sum(axis=(1, 2))
    df = np.maximum((of_class > 0).sum(axis=(1, 2)) - 1, 0)
    p_value = np.where(df > 0, chi2.sf(statistic, np.maximum(df, 1)), 1.0)
    significant = p_value <= alpha / (len(t) if bonferroni and len(t) else 1)

    keep = np.zeros(tree.node_count + 1, dtype=bool)
    keep[-1] = True  # "parent" of the root
    tested = np.zeros(len(t), dtype=bool)
    for i, node in enumerate(t.tolist()):
        tested[i] = keep[tree.parent[node]]
        keep[node] = tested[i] and significant[i]
    return pd.DataFrame(
        {
            "statistic": statistic,
            "df": df,
            "p_value": p_value,
            "min_expected": np.where(present, expected, np.inf).min(axis=(1, 2)),
            "significant": significant,
            "tested": tested,
            "keep": keep[t],
        },
        index=pd.Index(t, name="node"),
    )


def chi2_prepruning(tree, alpha=0.05, bonferroni=False):
    """Stop at the first split on each path that is not significant.

    A regression tree, or an `alpha` outside (0, 1], is a ValueError. There is a UserWarning if a
    test that is made has an expected weight below 5 in some cell, because the chi-squared
    distribution is a poor approximation there.

    Parameters
    ----------
    tree : Tree or fitted DecisionTreeClassifier
    alpha : float in (0, 1], default=0.05
        Significance level of the test.
    bonferroni : bool, default=False
        Divide `alpha` by the number of splits in `tree`.

    Returns
    -------
    Tree or fitted estimator
        The same kind as `tree`; what was given is unchanged.

    Notes
    -----
    Like every stopping rule it is blind to what lies below: the first split of an XOR is
    no better than chance, so nothing is left of the tree.

    References
    ----------
    Kass (1980); Quinlan (1986), section 5.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> y = ["a"] * 10 + ["b"] * 9 + ["a"]
    >>> model = DecisionTreeClassifier().fit([[i] for i in range(20)], y)
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # few cases
    ...     pruned = chi2_prepruning(model, alpha=0.001)
    >>> model.get_n_leaves(), pruned.get_n_leaves()
    (3, 2)
    """
    table = chi2_table(tree, alpha, bonferroni)
    thin = int((table["tested"] & (table["min_expected"] < 5)).sum())
    if thin:
        warnings.warn(
            f"{thin} of {int(table['tested'].sum())} tests have an expected weight below 5 in "
            "some cell; their p-values are rough.",
            stacklevel=2,
        )
    whole = as_tree(tree)
    return with_tree(tree, whole.collapse(table.index[~table["keep"]].to_numpy(dtype=int)))
