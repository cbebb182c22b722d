"""How each kind of model is written down as a list of trees; see `treelab.importance.parts`.

A reader takes a fitted model and its classes (None for numbers) and returns its parts, what
their sum is called, and the start of the sum.

Vocabulary
----------
part : one tree of the model and its share in what the model says
B, p, K : number of parts, of features, of outputs
vote : weight of a member of AdaBoost
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from sklearn import ensemble as theirs
from sklearn.base import is_classifier
from sklearn.tree import BaseDecisionTree as TheirTree
from sklearn.utils.validation import validate_data

from treelab.bagging.base import BaseBagging
from treelab.bagging.base_forest import BaseForest
from treelab.base_tree import BaseDecisionTree
from treelab.boosting.adaboost import AdaBoostClassifier
from treelab.boosting.adaboost_r2 import AdaBoostRegressor
from treelab.boosting.base import BaseBoosting
from treelab.boosting.base_adaboost import BaseAdaBoost
from treelab.tree import Tree

__all__ = ["READERS", "Part"]

SAME_CRITERION = {"friedman_mse": "squared_error", "log_loss": "entropy"}


@dataclass(frozen=True, eq=False)
class Part:
    """One tree of a model.

    Parameters
    ----------
    tree : treelab.tree.Tree
    share : float
        Its weight where importances of trees are averaged; the vote in AdaBoost, else 1.
    steps : ndarray of shape (n_nodes, K)
        What each of its nodes adds to the output of the model.
    reader : callable
        Takes the model's X, gives an ndarray of float, (n_rows, p).
    """

    tree: Tree
    share: float
    steps: np.ndarray
    reader: Callable


def _single(model, classes):
    """A decision tree."""
    tree = _tree_of(model)
    part = Part(tree, 1.0, tree.value[:, 0], _reader(model))
    return [part], *_mean_output(classes)


def _forest(model, classes):
    """A forest: the mean of its trees."""
    trees = model.trees_ if isinstance(model, BaseForest) else map(_tree_of, model.estimators_)
    reader, B = _reader(model), len(model.estimators_)
    parts = [Part(tree, 1.0, tree.value[:, 0] / B, reader) for tree in trees]
    return parts, *_mean_output(classes)


def _bagging(model, classes):
    """Bagged trees: their mean, or the mean of their votes."""
    B, parts = len(model.estimators_), []
    members = _members(model)
    ours, shared = isinstance(model, BaseBagging), _reader(model)
    for b, member in enumerate(members):
        tree, reader = _tree_of(member), _reader(member) if ours else shared
        if not ours:  # a member may have seen some of the columns only
            columns = np.append(model.estimators_features_[b], [-2])
            seen = np.where(tree.children_left == -1, -1, tree.feature)
            tree = replace(tree, feature=columns[seen])
        values = tree.value[:, 0]
        if classes is not None:
            if getattr(model, "voting", "soft") == "hard":
                values = np.eye(values.shape[1])[values.argmax(axis=1)]
            values = _in_columns(values, np.asarray(member.classes_, dtype=int), len(classes))
        parts.append(Part(tree, 1.0, values / B, reader))
    return parts, *_mean_output(classes)


def _adaboost(model, classes):
    """AdaBoost of trees: weighted votes; numbers are a weighted median, which is no sum."""
    ours, shared, parts = isinstance(model, BaseAdaBoost), _reader(model), []
    votes = np.asarray(model.estimator_weights_)[: len(model.estimators_)]
    for vote, member in zip(votes / votes.sum(), _members(model), strict=True):
        tree = _tree_of(member)
        steps = np.zeros((tree.node_count, 1))
        if classes is not None:
            K = len(classes)
            named = np.eye(tree.value.shape[2])[tree.value[:, 0].argmax(axis=1)]
            named = _in_columns(named, np.searchsorted(classes, member.classes_), K)
            steps = vote * (named - (1 - named) / max(K - 1, 1))
            steps = 2 * steps[:, 1:] if K == 2 else steps
        parts.append(Part(tree, float(vote), steps, _reader(member) if ours else shared))
    if classes is None:
        return parts, None, None
    output = "score" if len(classes) > 1 else "shares"
    return parts, output, np.zeros(parts[0].steps.shape[1])


def _boosting(model, classes):
    """Gradient boosting: a start, and from each tree a step times the learning rate."""
    reader = _reader(model)
    if isinstance(model, BaseBoosting):
        rounds = model.trees_
    else:
        rounds = [[_tree_of(member) for member in row] for row in model.estimators_]
    K, parts = len(rounds[0]), []
    for trees in rounds:
        for k, tree in enumerate(trees):
            steps = np.zeros((tree.node_count, K))
            steps[:, k] = model.learning_rate * tree.value[:, 0, 0]
            parts.append(Part(tree, 1.0, steps, reader))
    output = "number" if classes is None else "score"
    if not (model.init is None or isinstance(model.init, str)):
        return parts, output, None
    return parts, output, _start_of_boosting(model, parts, K)


def _start_of_boosting(model, parts, K):
    """What the model says of one row, less its trees; (K,)."""
    row = np.zeros((1, model.n_features_in_))
    if isinstance(model, BaseBoosting):
        return model._start_scores(row).reshape(K)
    whole = model.predict if not is_classifier(model) else model.decision_function
    with_names = getattr(model, "feature_names_in_", None)
    if with_names is not None:
        row = pd.DataFrame(row, columns=with_names)
    table = parts[0].reader(row)
    steps = sum(part.steps[part.tree.apply(table)][0] for part in parts)
    return whole(row).reshape(K) - steps


READERS = (
    ((BaseDecisionTree, TheirTree), _single),
    (
        (
            BaseForest,
            theirs.RandomForestClassifier,
            theirs.RandomForestRegressor,
            theirs.ExtraTreesClassifier,
            theirs.ExtraTreesRegressor,
        ),
        _forest,
    ),
    ((BaseBagging, theirs.BaggingClassifier, theirs.BaggingRegressor), _bagging),
    (
        (
            AdaBoostClassifier,
            AdaBoostRegressor,
            theirs.AdaBoostClassifier,
            theirs.AdaBoostRegressor,
        ),
        _adaboost,
    ),
    (
        (
            BaseBoosting,
            theirs.GradientBoostingClassifier,
            theirs.GradientBoostingRegressor,
        ),
        _boosting,
    ),
)


# --- pieces -----------------------------------------------------------------------------


def _members(model):
    """The members of an ensemble, which must be single trees."""
    for member in model.estimators_:
        if not isinstance(member, BaseDecisionTree | TheirTree):
            raise TypeError(
                f"model must be made of decision trees, got a {type(model).__name__} of "
                f"{type(member).__name__}."
            )
    return model.estimators_


def _tree_of(estimator):
    """The tree of a fitted decision tree as treelab's `Tree`."""
    tree = estimator.tree_
    if isinstance(tree, Tree):
        return tree
    names = [
        "children_left", "children_right", "feature", "threshold", "value", "impurity",
        "n_node_samples", "weighted_n_node_samples",
    ]  # fmt: skip
    arrays = {name: np.array(getattr(tree, name)) for name in names}
    criterion = getattr(estimator, "criterion", "squared_error")
    return Tree(
        **arrays,
        left_levels=np.zeros((tree.node_count, 0), dtype=bool),
        criterion=SAME_CRITERION.get(criterion, criterion),
    )


class TheirReader:
    """Reads a table as scikit-learn's trees do: rounded to 32 bits."""

    def __init__(self, model):
        self.model = model

    def read(self, X):
        """`X` as floats, (n_rows, p)."""
        return validate_data(self.model, X, dtype=np.float32, reset=False).astype(float)


def _reader(model):
    """The method that turns a table into what the model's trees compare."""
    own = isinstance(model, BaseDecisionTree | BaseForest | BaseBoosting)
    return model._read if own else TheirReader(model).read


def _mean_output(classes):
    """Output and start of a mean of trees."""
    return ("number", np.zeros(1)) if classes is None else ("shares", np.zeros(len(classes)))


def _in_columns(values, columns, K):
    """`values` in the named columns of K, zeros in the others."""
    wide = np.zeros((len(values), K))
    wide[:, columns] = values
    return wide
