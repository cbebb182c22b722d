"""Fitted models as lists of trees, as read by every measure that looks inside a model.

Trees, forests, bagged trees and boosted trees, treelab's or scikit-learn's, all predict with a
sum: a start, and from each tree a step that depends on the leaf. `parts_of` writes a model
down in this form, so that each measure is written once. B, d, K: number of trees, of features,
of outputs.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from sklearn import ensemble as theirs
from sklearn.base import BaseEstimator, is_classifier
from sklearn.tree import BaseDecisionTree as TheirTree
from sklearn.utils.validation import check_is_fitted, validate_data

from treelab.fast.bagging.estimators import BaseBagging, columns_at
from treelab.fast.bagging.forest import BaseForest
from treelab.fast.boosting.adaboost import BaseAdaBoost
from treelab.fast.boosting.gradient_boosting import BaseBoosting
from treelab.fast.cart import BaseDecisionTree
from treelab.fast.inputs import as_table
from treelab.fast.tree import Tree

__all__ = ["Part", "Parts", "parts_of"]

SAME_CRITERION = {"friedman_mse": "squared_error", "log_loss": "entropy"}


@dataclass(frozen=True, eq=False)
class Part:
    """One tree of a model with its contribution to the output."""

    tree: Tree
    share: float  # where importances of trees are averaged: its vote in AdaBoost, else 1
    steps: np.ndarray  # (n_nodes, K), what each node adds to the output of the model
    reader: object  # an estimator or a `Subspace`, which takes the model's X, see `_table`


@dataclass(frozen=True, eq=False)
class Parts:
    """A fitted model as a sum of trees: all that a measure of importance reads of it.

    For a row x the model's output is `start` plus the sum of ``part.steps[leaf]`` over `trees`,
    with the leaf of x in each tree; `read` makes the rows that trees take. `parts_of` makes it of a
    model; another kind of model needs a function from the model and its classes to (trees, output,
    start), and a line in `READERS`. A measure that adds up the steps calls `check_sum` first.
    """

    model: BaseEstimator
    trees: list  # of Part
    n_features: int
    names: list  # of the columns, or their numbers where the model saw no names
    output: str | None  # the sum is a "number", class "shares", or a "score"; None: no sum
    start: np.ndarray | None  # (K,); None: it depends on the row
    classes: np.ndarray | None  # (n_classes,)

    def read(self, X):
        """Return `X` as each part's tree takes it; list of ndarray, shared where the reader is."""
        tables = {reader: _table(reader, X) for reader in {part.reader for part in self.trees}}
        return [tables[part.reader] for part in self.trees]

    def check_sum(self, measure):
        """Raise unless the model is a start that is the same for all rows, plus its trees."""
        name = type(self.model).__name__
        if self.output is None:
            raise TypeError(f"{measure} needs a sum of trees; {name} takes a weighted median.")
        if self.start is None:
            raise ValueError(
                f"{measure} needs a start that is the same for all rows, but {name} was fitted "
                f"with init={self.model.init!r}: use init=None or 'zero'."
            )

    def squeeze(self, values):
        """Return `values` without the last axis if there is one output."""
        return values[..., 0] if values.shape[-1] == 1 else values


@dataclass(frozen=True, eq=False)
class Subspace:
    """Reader of a bagged tree, which takes some of the columns of a table."""

    member: BaseEstimator
    features: np.ndarray
    n_features: int


def parts_of(model):
    """Write a fitted model as a list of trees.

    Parameters
    ----------
    model : estimator
        A fitted decision tree, forest, bagging, AdaBoost or gradient boosting of trees,
        treelab's or scikit-learn's (else a TypeError), with one target (else a ValueError).

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> parts = parts_of(RandomForestRegressor(5).fit([[1], [2], [3]], [1.0, 2.0, 5.0]))
    >>> len(parts.trees), parts.n_features, parts.output
    (5, 1, 'number')
    """
    read = next((read for kinds, read in READERS if isinstance(model, kinds)), None)
    if read is None:
        raise TypeError(
            "model must be a fitted decision tree, forest, bagging, AdaBoost or gradient boosting "
            f"of trees, treelab's or scikit-learn's, got {type(model).__name__}."
        )
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise ValueError(f"model has {model.n_outputs_} targets; importances need one.")
    classes = np.asarray(model.classes_) if is_classifier(model) else None
    trees, output, start = read(model, classes)
    d = model.n_features_in_
    names = list(getattr(model, "feature_names_in_", range(d)))
    return Parts(model, trees, d, names, output, start, classes)


# --- the kinds of models: parts, what their sum is called, and its start ---------------------


def _single(model, classes):
    """Read a decision tree."""
    tree = _tree_of(model)
    return [Part(tree, 1.0, tree.value[:, 0], model)], *_mean_output(classes)


def _forest(model, classes):
    """Read a forest: the mean of its trees."""
    trees = model.trees_ if isinstance(model, BaseForest) else map(_tree_of, model.estimators_)
    B = len(model.estimators_)
    return [Part(tree, 1.0, tree.value[:, 0] / B, model) for tree in trees], *_mean_output(classes)


def _bagging(model, classes):
    """Read bagged trees: their mean, or the mean of their votes."""
    B, parts, ours = len(model.estimators_), [], isinstance(model, BaseBagging)
    for b, member in enumerate(_members(model)):
        tree = _tree_of(member)
        features = model.estimators_features_[b]  # a member may have seen some of them only
        columns = np.append(features, [-2])
        tree = replace(tree, feature=columns[np.where(tree.is_leaf, -1, tree.feature)])
        values = tree.value[:, 0]
        if classes is not None:
            if getattr(model, "voting", "soft") == "hard":
                values = np.eye(values.shape[1])[values.argmax(axis=1)]
            values = _in_columns(values, np.asarray(member.classes_, dtype=int), len(classes))
        reader = Subspace(member, features, model.n_features_in_) if ours else model
        parts.append(Part(tree, 1.0, values / B, reader))
    return parts, *_mean_output(classes)


def _adaboost(model, classes):
    """Read AdaBoost of trees: weighted votes; in regression a weighted median, which is no sum."""
    ours, parts = isinstance(model, BaseAdaBoost), []
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
        parts.append(Part(tree, float(vote), steps, member if ours else model))
    if classes is None:
        return parts, None, None
    output = "score" if len(classes) > 1 else "shares"
    return parts, output, np.zeros(parts[0].steps.shape[1])


def _boosting(model, classes):
    """Read gradient boosting: a start, and from each tree a step times the learning rate."""
    if isinstance(model, BaseBoosting):
        rounds = model.trees_
    else:
        rounds = [[_tree_of(member) for member in row] for row in model.estimators_]
    K, parts = len(rounds[0]), []
    for trees in rounds:
        for k, tree in enumerate(trees):
            steps = np.zeros((tree.node_count, K))
            steps[:, k] = model.learning_rate * tree.value[:, 0, 0]
            parts.append(Part(tree, 1.0, steps, model))
    same = model.init is None or isinstance(model.init, str)
    start = _start_of_boosting(model, parts, K) if same else None
    return parts, "number" if classes is None else "score", start


def _start_of_boosting(model, parts, K):
    """Return the output of the model for one row minus that of its trees; (K,)."""
    row = np.zeros((1, model.n_features_in_))
    if isinstance(model, BaseBoosting):
        return model.start_scores(row).reshape(K)
    whole = model.predict if not is_classifier(model) else model.decision_function
    row = pd.DataFrame(row, columns=getattr(model, "feature_names_in_", None))
    table = _table(model, row)
    return whole(row).reshape(K) - sum(part.steps[part.tree.apply(table)][0] for part in parts)


def _theirs(*kinds):
    """Return scikit-learn's estimators of some kinds, for classification and regression."""
    return [getattr(theirs, kind + of) for kind in kinds for of in ("Classifier", "Regressor")]


READERS = (
    ((BaseDecisionTree, TheirTree), _single),
    ((BaseForest, *_theirs("RandomForest", "ExtraTrees")), _forest),
    ((BaseBagging, *_theirs("Bagging")), _bagging),
    ((BaseAdaBoost, *_theirs("AdaBoost")), _adaboost),
    ((BaseBoosting, *_theirs("GradientBoosting")), _boosting),
)


# --- pieces -----------------------------------------------------------------------------


def _members(model):
    """Return the base estimators of an ensemble, which must be single trees."""
    for member in model.estimators_:
        if not isinstance(member, BaseDecisionTree | TheirTree):
            raise TypeError(
                f"model must be made of decision trees, got a {type(model).__name__} of "
                f"{type(member).__name__}."
            )
    return model.estimators_


def _tree_of(estimator):
    """Return the tree of a fitted decision tree as treelab's `Tree`."""
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


def _table(model, X):
    """Return `X` as floats that the model's trees compare, (n_rows, d): scikit-learn's have 32
    bits."""
    if isinstance(model, Subspace):
        X = as_table(X)
        table = np.zeros((len(X), model.n_features))
        table[:, model.features] = _table(model.member, columns_at(X, model.features))
        return table
    if isinstance(model, BaseDecisionTree | BaseForest | BaseBoosting):
        return model.table.read(X)
    return validate_data(model, X, dtype=np.float32, reset=False).astype(float)


def _mean_output(classes):
    """Return output and start of a mean of trees."""
    return ("number", np.zeros(1)) if classes is None else ("shares", np.zeros(len(classes)))


def _in_columns(values, columns, K):
    """Put `values` into the named columns of K, with zeros in the others."""
    wide = np.zeros((len(values), K))
    wide[:, columns] = values
    return wide
