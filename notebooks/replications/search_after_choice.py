"""A grid search on the chosen columns of a drawn wind farm, beside one on all 1 080 columns.

The 32 settings are those of the thesis (table 4.1.1): the depth, 5 or 10 for forests and 2 or 4 for
boosting, 0.3 or 0.5 of the columns tried at a node, 4 or 8 rows to split a node, 2 or 4 in a leaf,
and two numbers of trees, which are 10 and 20 for forests and 25 and 50 for boosting instead of the
200 and 400 of the thesis. A model of the smaller number is the first half of the larger one. Where
leaves have 4 rows, a node that is split has 8, so that 24 of the 32 settings differ. The chosen
columns are those of `boosting_eliminates.csv`, of elimination (RFE, least validation error) by the
same model.

Writes `search_after_choice.csv`: farm, model, way (`all` or `RFE`), the number of columns, the
setting, and its mean absolute errors on the validation and the test year in percent of rated power.
What is there already is not done again. Takes two minutes for a farm and a model.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from wind_farms import Years

from treelab import GradientBoostingRegressor, RandomForestRegressor

RESULT = Path(__file__).with_suffix(".csv")
CHOSEN = Path(__file__).with_name("boosting_eliminates.csv")
KEYS = ["farm", "model", "way"]
MODELS = {
    "boosting": (GradientBoostingRegressor(n_estimators=50, random_state=0), (2, 4), (25, 50)),
    "forest": (RandomForestRegressor(n_estimators=20, random_state=0), (5, 10), (10, 20)),
}
JOBS = [(0, "boosting"), (0, "forest"), (1, "boosting"), (2, "boosting"), (1, "forest")]


def predictions(model, X, sizes):
    """Predictions with each of two numbers of trees."""
    if isinstance(model, GradientBoostingRegressor):
        staged = list(model.staged_predict(X))
        return [staged[size - 1] for size in sizes]
    trees = np.array([tree.predict(X) for tree in model.estimators_])
    return [trees[:size].mean(axis=0) for size in sizes]


def settings(name):
    """Yield the settings that differ, without the number of trees, and how many of 16 they are."""
    for depth, share, (split, leaf) in product(
        MODELS[name][1], (0.3, 0.5), ((4, 2), (8, 2), (8, 4))
    ):
        names = {"max_depth": depth, "max_features": share}
        names |= {"min_samples_split": split, "min_samples_leaf": leaf}
        yield names, 1 + (leaf == 4)


def grid(years, name, some):
    """Yield a row for each of the 32 settings."""
    model, _, sizes = MODELS[name]
    X = years.X[:, some]
    for names, copies in settings(name):
        fitted = clone(model).set_params(**names).fit(X[years.train], years.y[years.train])
        errors = [
            [years.error(each, rows) for each in predictions(fitted, X[rows], sizes)]
            for rows in (years.validation, years.test)
        ]
        for copy, (size, validation, test) in product(
            range(copies), zip(sizes, *errors, strict=True)
        ):
            split = 4 if copy else names["min_samples_split"]
            row = names | {"min_samples_split": split, "n_estimators": size}
            yield row | {"validation": validation, "test": test}


def columns_of(farm, name):
    """The columns that the model keeps on a farm."""
    sets = pd.read_csv(CHOSEN).query("way == 'RFE' and rule == 'least'")
    return [int(j) for j in sets.set_index(["farm", "model"])["columns"][farm, name].split()]


def main():
    rows = pd.read_csv(RESULT) if RESULT.exists() else pd.DataFrame(columns=KEYS)
    for (farm, name), way in product(JOBS, ("RFE", "all")):
        if (rows[KEYS] == [farm, name, way]).all(axis=1).any():
            continue
        years = Years(farm, 200)
        some = columns_of(farm, name) if way == "RFE" else np.arange(years.X.shape[1])
        first = {"farm": farm, "model": name, "way": way, "kept": len(some)}
        rows = pd.concat([rows, pd.DataFrame([first | row for row in grid(years, name, some)])])
        rows = rows.astype({"kept": int})
        rows.to_csv(RESULT, index=False, float_format="%.6f")


if __name__ == "__main__":
    main()
