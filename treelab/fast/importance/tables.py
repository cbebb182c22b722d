"""Table of all measures of importance."""

import numpy as np
import pandas as pd

from treelab.fast.importance.impurity_based import (
    impurity_decreases,
    is_squared,
    mean_decrease_impurity,
    squared_improvement,
)
from treelab.fast.importance.models import parts_of
from treelab.fast.importance.noising import noising_importance
from treelab.fast.importance.out_of_bag import oob_permutation_importance
from treelab.fast.importance.permutation import drop_column_importance, permutation_importance
from treelab.fast.importance.shapley import shap_values

__all__ = ["importance_table"]


def importance_table(
    model, X, y, *, held_out=None, measures=None, scoring=None, n_repeats=5, cv=5,
    random_state=None,
):  # fmt: skip
    """Compute every measure of importance that suits a model, with its spread.

    Parameters
    ----------
    model
        As in `parts_of`.
    X, y
        The data that it was fitted on.
    held_out : tuple (X, y), default=None
        Data for permutation, noising and Shapley values. None: the data of training, which
        flatters what the model knows by heart.
    measures : list of str, default=None
        Of "impurity", "squared_improvement", "permutation", "oob_permutation", "noising",
        "shapley" and "drop_column"; what does not suit the model is an error. None: all that suit
        it, but for "drop_column", which fits the model many times.
    scoring : str, callable or None, default=None
        One score for permutation and drop-column.
    n_repeats, random_state
        As in `permutation_importance`.
    cv
        As in `drop_column_importance`.

    Returns
    -------
    DataFrame of shape (n_features, 2 * n_measures)
        Columns are pairs (measure, "mean" or "sd"). "impurity" has the sum 1 and the spread over
        the trees; "noising" is exact where it can be; "shapley" is the mean absolute value, over
        rows and outputs. The sd is NaN where nothing is repeated.

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
    held_out = (X, y) if held_out is None else held_out
    seed = {"random_state": random_state}

    def impurity():
        each = impurity_decreases(model)
        total = max(each.mean(axis=0).sum(), np.finfo(float).tiny)
        return mean_decrease_impurity(model), each.std(axis=0) / total if len(each) > 1 else np.nan

    def shapley():
        values = np.abs(shap_values(model, held_out[0])["values"])
        return values.reshape(len(values), parts.n_features, -1).mean(axis=(0, 2)), np.nan

    def noising():
        passes = n_repeats if parts.output == "score" else None
        result = noising_importance(model, *held_out, n_repeats=passes, **seed)
        return result.importances_mean, np.nan if passes is None else result.importances_std

    def repeated(measure, *data, **settings):
        result = measure(model, *data, **settings)
        return result.importances_mean, result.importances_std

    is_sum = parts.output is not None and parts.start is not None
    suits = {
        "squared_improvement": all(is_squared(part.tree) for part in parts.trees),
        "oob_permutation": hasattr(model, "estimators_samples_") and model.bootstrap,
        "noising": is_sum,
        "shapley": is_sum,
        "drop_column": False,  # fits the model many times
    }
    shuffles = {"scoring": scoring, "n_repeats": n_repeats, **seed}
    compute = {
        "impurity": impurity,
        "squared_improvement": lambda: (squared_improvement(model), np.nan),
        "permutation": lambda: repeated(permutation_importance, *held_out, **shuffles),
        "oob_permutation": lambda: repeated(oob_permutation_importance, X, y, **seed),
        "noising": noising,
        "shapley": shapley,
        "drop_column": lambda: repeated(drop_column_importance, X, y, cv=cv, scoring=scoring),
    }
    if measures is None:
        measures = [name for name in compute if suits.get(name, True)]
    unknown = [name for name in measures if name not in compute]
    if unknown:
        raise ValueError(f"measures must be among {list(compute)}, got {unknown}.")
    columns = {}
    for name in measures:
        columns[name, "mean"], columns[name, "sd"] = compute[name]()
    table = pd.DataFrame(columns, index=pd.Index(parts.names, name="feature"))
    return table.rename_axis(columns=["measure", ""])
