"""A fitted model as a list of trees: what every measure that looks inside it reads.

Trees, forests, bagged trees and boosted trees, treelab's or scikit-learn's, all predict with a
sum: a start, and from each tree a step that depends on the leaf. `parts_of` writes a model
down in this form, so that each measure is written once.

Vocabulary
----------
part : one tree of the model and its share in what the model says
B, p, K : number of parts, of features, of outputs
reader : turns a table into the numbers that a tree compares with its thresholds
output : number, class shares, or score, that the sum gives
"""

from dataclasses import dataclass

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from treelab.importance.readers import READERS, Part

__all__ = ["Part", "Parts", "parts_of"]

KINDS = (
    "a fitted decision tree, forest, bagging, AdaBoost or gradient boosting of trees, treelab's "
    "or scikit-learn's"
)


@dataclass(frozen=True, eq=False)
class Parts:
    """A model as a sum of trees.

    Parameters
    ----------
    model : estimator
    trees : list of Part
    n_features : int
    names : list
        Of the columns; their numbers where the model saw no names.
    output : {"number", "shares", "score", None}
        What the sum of start and steps is: a predicted number, class shares, or a score such
        as log-odds. None: the model is no such sum.
    start : ndarray of shape (K,) or None
        None: it depends on the row.
    classes : ndarray of shape (n_classes,) or None
    """

    model: object
    trees: list
    n_features: int
    names: list
    output: str | None
    start: np.ndarray | None
    classes: np.ndarray | None

    def read(self, X):
        """`X` as each part's tree takes it; list of ndarray, shared where the reader is."""
        known = {}
        for part in self.trees:
            key = getattr(part.reader, "__self__", part.reader)
            if id(key) not in known:
                known[id(key)] = part.reader(X)
        return [known[id(getattr(p.reader, "__self__", p.reader))] for p in self.trees]

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
        """`values` without the last axis where there is one output."""
        return values[..., 0] if values.shape[-1] == 1 else values


def parts_of(model):
    """Write a fitted model down as a list of trees.

    Parameters
    ----------
    model : estimator
        A fitted decision tree, forest, bagging, AdaBoost or gradient boosting of trees,
        treelab's or scikit-learn's, with one target.

    Returns
    -------
    Parts

    Raises
    ------
    TypeError
        If the model is none of these.
    ValueError
        If it has several targets.
    sklearn.exceptions.NotFittedError
        If it is not fitted.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> parts = parts_of(RandomForestRegressor(5).fit([[1], [2], [3]], [1.0, 2.0, 5.0]))
    >>> len(parts.trees), parts.n_features, parts.output
    (5, 1, 'number')
    """
    read = next((read for kinds, read in READERS if isinstance(model, kinds)), None)
    if read is None:
        raise TypeError(f"model must be {KINDS}, got {type(model).__name__}.")
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise ValueError(f"model has {model.n_outputs_} targets; importances need one.")
    classes = np.asarray(model.classes_) if is_classifier(model) else None
    trees, output, start = read(model, classes)
    p = model.n_features_in_
    names = list(getattr(model, "feature_names_in_", range(p)))
    return Parts(model, trees, p, names, output, start, classes)
