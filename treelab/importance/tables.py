"""All measures side by side.

Vocabulary
----------
mean, sd : importance, and its standard deviation over what was repeated: trees, shuffles or folds
"""

import numpy as np
import pandas as pd

from treelab.importance.impurity_based import (
    SQUARED,
    impurity_decreases,
    mean_decrease_impurity,
    squared_improvement,
)
from treelab.importance.models import parts_of
from treelab.importance.noising import noising_importance
from treelab.importance.out_of_bag import oob_permutation_importance
from treelab.importance.permutation import drop_column_importance, permutation_importance
from treelab.importance.shapley import shapley_values

__all__ = ["importance_table"]

MEASURES = (
    "impurity",
    "squared_improvement",
    "permutation",
    "oob_permutation",
    "noising",
    "shapley",
    "drop_column",
)


def importance_table(
    model, X, y, *, held_out=None, measures=None, scoring=None, n_repeats=5, cv=5,
    random_state=None,
):  # fmt: skip
    """Every measure of importance that suits a model, with its spread.

    Raises `ValueError` if a measure is unknown; `TypeError` or `ValueError` if a measure that is
    asked for by name does not suit the model.

    Parameters
    ----------
    model : estimator
        Fitted trees, forest or boosting; see `parts_of`.
    X, y
        The data that it was fitted on.
    held_out : tuple (X, y), default=None
        Data for permutation, noising and Shapley values. None: the data of training, which
        flatters what the model knows by heart.
    measures : list of str, default=None
        Of "impurity", "squared_improvement", "permutation", "oob_permutation", "noising",
        "shapley" and "drop_column". None: all that the model allows, but for "drop_column", which
        fits the model many times.
    scoring : str, callable or None, default=None
        One score for permutation and drop-column.
    n_repeats : int, default=5
        Shuffles.
    cv : int or splitter, default=5
        For drop-column.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    DataFrame of shape (n_features, 2 * n_measures)
        Columns are pairs (measure, "mean" or "sd"). "impurity" has the sum 1 and the spread over
        the trees; "squared_improvement" has 100 for the largest; "noising" is exact where it can
        be; "shapley" is the mean absolute value, over rows and outputs. The sd is NaN where
        nothing is repeated.

    References
    ----------
    Those of the measures.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = RandomForestClassifier(50, random_state=0).fit(X, y)
    >>> table = importance_table(forest, X, y, measures=["impurity", "oob_permutation"],
    ...                          random_state=0)
    >>> table.xs("mean", axis=1, level=1).idxmax().tolist()
    ['petal length (cm)', 'petal length (cm)']
    """
    parts = parts_of(model)
    if measures is None:
        measures = [name for name in MEASURES if _suits(name, model, parts)]
    unknown = [name for name in measures if name not in MEASURES]
    if unknown:
        raise ValueError(f"measures must be among {list(MEASURES)}, got {unknown}.")
    X_test, y_test = (X, y) if held_out is None else held_out
    nothing = np.full(parts.n_features, np.nan)

    def impurity():
        each = impurity_decreases(model)
        total = max(each.mean(axis=0).sum(), np.finfo(float).tiny)
        spread = each.std(axis=0) / total if len(each) > 1 else nothing
        return mean_decrease_impurity(model), spread

    def shapley():
        values = np.abs(shapley_values(model, X_test)["values"])
        return values.reshape(len(values), parts.n_features, -1).mean(axis=(0, 2)), nothing

    def permutation():
        return _pair(permutation_importance(model, X_test, y_test, scoring=scoring,
                     n_repeats=n_repeats, random_state=random_state))  # fmt: skip

    def noising():
        passes = n_repeats if parts.output == "score" else None
        result = noising_importance(model, X_test, y_test, n_repeats=passes,
                                    random_state=random_state)  # fmt: skip
        return result.importances_mean, nothing if passes is None else result.importances_std

    compute = {
        "impurity": impurity,
        "squared_improvement": lambda: (squared_improvement(model), nothing),
        "permutation": permutation,
        "oob_permutation": lambda: _pair(
            oob_permutation_importance(model, X, y, random_state=random_state)
        ),
        "noising": noising,
        "shapley": shapley,
        "drop_column": lambda: _pair(drop_column_importance(model, X, y, cv=cv, scoring=scoring)),
    }
    columns = {}
    for name in measures:
        columns[name, "mean"], columns[name, "sd"] = compute[name]()
    table = pd.DataFrame(columns, index=pd.Index(parts.names, name="feature"))
    table.columns = table.columns.set_names(["measure", ""])
    return table


def _pair(result):
    """Mean and spread of a result."""
    return result.importances_mean, result.importances_std


def _suits(measure, model, parts):
    """Whether a measure suits the model without being asked for."""
    if measure == "squared_improvement":
        return all(part.tree.criterion in SQUARED for part in parts.trees)
    if measure == "oob_permutation":
        return hasattr(model, "estimators_samples_") and bool(model.bootstrap)
    if measure in ("noising", "shapley"):
        return parts.output is not None and parts.start is not None
    return measure != "drop_column"
