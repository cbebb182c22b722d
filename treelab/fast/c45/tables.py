"""Hand calculation: every candidate split of a node, and the verdict on it."""

from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from treelab.fast.c45.arithmetic import SLACK
from treelab.fast.c45.estimators import C45Classifier
from treelab.fast.c45.gain_ratio import (
    choose,
    least_gain,
    least_weight,
    level_branches,
    threshold_of,
)
from treelab.fast.c45.growing import Training
from treelab.fast.c45.id3 import ID3Classifier, spread
from treelab.fast.c45.splits import CutTest, LevelTest
from treelab.fast.impurity import entropy, split_impurity
from treelab.fast.inputs import check_weights, read_classes

__all__ = ["gain_table"]


def gain_table(X, y, sample_weight=None, *, estimator=None, node=0, digits=3):
    """List every candidate split of a node with its gain, computed by the code that fits.

    Parameters
    ----------
    X, y, sample_weight
        As in `C45Classifier.fit`.
    estimator : C45Classifier or ID3Classifier, default=None
        Its parameters are the rules; None takes ``C45Classifier()``. It must be fitted on
        these data if `node` is not the root.
    node : int, default=0
        Node of the fitted tree, to look at the rows that reach it.
    digits : int, default=3
        Significant digits of the weights in ``partition``.

    Returns
    -------
    DataFrame
        One row for each nominal feature, and for each split of a numeric one: ``feature``;
        ``threshold``, NaN for a nominal feature; ``partition``, the class weights on each
        branch; ``entropy`` and ``remainder`` of the rows whose value is known; ``gain``,
        their difference times the known share of the weight; ``penalty`` for the search
        among splits; ``split_information``; ``gain_ratio``, of the gain less the penalty; and
        ``verdict``, "chosen" or the reason why not.

    References
    ----------
    Quinlan (1986), sections 4 and 7; Quinlan (1993), chapter 2; Quinlan (1996).

    Examples
    --------
    >>> from treelab import ID3Classifier
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> gain_table(X, y, estimator=ID3Classifier())[["feature", "gain", "verdict"]].round(3)
      feature   gain         verdict
    0   color  0.247          chosen
    1    size  0.152  a smaller gain
    2   spots  0.048  a smaller gain
    """
    model, data, rows, w = _rows_at(X, y, sample_weight, estimator, node)
    entries = _entries_id3 if isinstance(model, ID3Classifier) else _entries_c45
    names = getattr(model, "feature_names_in_", None)
    lines = []
    for test, branches, penalty, verdict in entries(model, data, rows, w):
        feature = f"x[{test.feature}]" if names is None else names[test.feature]
        partition = _partition(test, branches, model, digits)
        before, remainder = float(entropy(branches.sum(axis=0))), float(split_impurity(branches))
        W, size = w.sum(), branches.sum(axis=1)
        gain = size.sum() / W * (before - remainder)
        cost = float(entropy(np.append(size, max(W - size.sum(), 0.0))))
        ratio = (gain - penalty) / cost if cost > SLACK else 0.0
        threshold = getattr(test, "threshold", np.nan)
        numbers = before, remainder, gain, penalty, cost, ratio
        lines.append((feature, threshold, partition, *numbers, verdict))
    columns = "feature threshold partition entropy remainder gain penalty split_information"
    return pd.DataFrame(lines, columns=[*columns.split(), "gain_ratio", "verdict"])


def _rows_at(X, y, sample_weight, estimator, node):
    """Return the model, its training data, and the rows of a node with their weights."""
    model = C45Classifier() if estimator is None else estimator
    if not isinstance(model, C45Classifier | ID3Classifier):
        raise ValueError(
            f"estimator must be a C45Classifier or an ID3Classifier, got {estimator!r}."
        )
    if not hasattr(model, "tree_"):
        if node != 0:
            check_is_fitted(model)  # says what to do
        model = clone(model).fit(X, y, sample_weight)
    tree = model.tree_
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"node must be a node number from 0 to {tree.n_nodes - 1}, got {node!r}.")
    check_consistent_length(X, y)
    weight = check_weights(sample_weight, len(X))
    keep = weight > 0
    labels, codes = read_classes(y, declared=True)
    codes = pd.Index(model.classes_).get_indexer(labels)[codes][keep]
    if (codes < 0).any():
        raise ValueError(f"y has classes that were not seen in fit; known: {model.classes_}.")
    table, weight = model.table.read(X)[keep], weight[keep]
    data = Training(table, codes, len(model.classes_), model.table.n_categories)
    rows, w = next((rows, w) for t, rows, w in tree.descend(table, weight) if t == node)
    if w.sum() <= SLACK:
        raise ValueError(f"node {node} holds no rows of X: there is nothing to split.")
    return model, data, rows, w


def _partition(test, branches, model, digits):
    """Return the branches with their class weights in words: ``brown 4/0, green 3/2``."""
    levels = model.categories_.get(test.feature)
    parts = []
    for b, sums in enumerate(branches):
        numbers = "/".join(f"{s:.{digits}g}" for s in sums)
        parts.append(f"{test.words(b, '', levels).strip().removeprefix('= ')} {numbers}")
    return ", ".join(parts)


def _entries_id3(model, data, rows, w):
    """Yield the candidates of ID3: (test, branches, penalty, verdict)."""
    sums = data.sums(rows, w)
    chosen = model._split(data, (rows, w), sums)
    for j in range(data.table.shape[1]):
        test, branches = LevelTest(j, data.n_levels[j]), level_branches(data, rows, w, j)
        verdict = "a smaller gain"
        if np.sum(branches.sum(axis=1) > SLACK) < 2:
            verdict = "one category only"
        elif chosen is None:
            verdict = "no gain"
        elif chosen[0] == test:
            verdict = "chosen"
        if branches.sum() > 0:
            branches = spread(branches, sums)
        yield test, branches, 0.0, verdict


def _entries_c45(model, data, rows, w):
    """Yield the candidates of C4.5, all thresholds included: (test, branches, penalty, verdict)."""
    rules, cases = model._rules(), model._cases(data, w)
    here = cases.at(rows, w)
    made = cases.candidates(here, rules)
    by_feature = {candidate.test.feature: candidate for candidate in made}
    winner, enough = choose(data, made, rules), least_gain(data, made, rules)
    every_cut = replace(rules, min_samples_leaf=SLACK, adaptive_min_leaf=False)
    for j, levels in enumerate(data.n_levels):
        candidate = by_feature.get(j)
        of_best = _verdict(candidate, winner, enough, rules) if candidate else "no gain"
        if levels:
            yield candidate.test, candidate.branches, 0.0, of_best
            continue
        found = cases.cuts(here, j, every_cut)
        penalties = [candidate.penalty] if candidate else cases.cuts(here, j, rules).penalty
        penalty = max(penalties, default=0.0)
        for i, branches in enumerate(np.maximum(found.branches, 0.0)):  # 32 bits can end below 0
            size = branches.sum(axis=1)
            least = least_weight(size.sum(), data.n_classes, rules)
            if rules.variant == "release8":  # where M is more than L, it requires M
                least = max(least, rules.min_samples_leaf)
            test = CutTest(j, threshold_of(data, found, i, rules))
            if size.min() < least - SLACK:
                verdict = f"less than {least:.3g} on one side"
            elif candidate is None or test == candidate.test:
                verdict = of_best
            else:
                verdict = "another split gains more"
            yield test, branches, penalty, verdict


def _verdict(candidate, winner, enough, rules):
    """Return the verdict on a candidate; str."""
    if candidate is winner:
        return "chosen"
    if candidate.refused:
        return candidate.refused
    if candidate.gain < enough:
        return "below average gain"
    if winner is None:
        return "no gain"
    what = "ratio" if rules.criterion == "gain_ratio" else "gain"
    if candidate.score(rules) > winner.score(rules) - SLACK:
        return f"the same {what}, a later column"
    return f"a smaller {what}"
