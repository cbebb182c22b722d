"""The thesis' ranking of the bicycles with more seeds, and errors with each model's first columns.

The thirds, the models and their settings are those of `bicycles_end_to_end.py`.

- ranking: the thirteen columns, counted from 1 as in the thesis, by their importance in a forest
  for the casual riders. Three draws of the thirds, five seeds of the forest, and the forests of
  treelab and of scikit-learn.
- margin: importance of the working day (8) less that of the felt temperature (11) there.
- errors: figure 4.2.2, all rentals. Mean absolute errors on the test third of forests and boosting,
  with all 13 columns and with the first five and three of the model's own ranking, in three draws;
  the random state of the models is 0, as in the thesis.

Writes `bicycles_ranked.csv` in about three minutes. Columns: study; draw, of the thirds; seed, of
the model; method; value.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

sys.path.insert(0, str(Path(__file__).parent))
import bicycles_end_to_end as bicycles

from treelab.fast.importance import mean_decrease_impurity

RESULT = Path(__file__).with_suffix(".csv")
DRAWS, SEEDS = range(3), range(5)
FORESTS = {
    "treelab": lambda seed: bicycles.thesis_model("RFR", seed),
    "scikit-learn": lambda seed: RandomForestRegressor(
        200, random_state=seed, **bicycles.BEST["RFR"]
    ),
}


def ranking(draw, seed, method):
    """The order of the columns for the casual riders, and the margin of column 8 over 11."""
    table = bicycles.whole_table()
    learn, *_ = bicycles.thirds(table, "random", draw)
    y = table["casual"].to_numpy(float)[learn]
    model = FORESTS[method](seed).fit(table[bicycles.PUBLISHED].iloc[learn], y)
    importance = model.feature_importances_
    order = np.argsort(-importance, kind="stable") + 1
    yield {"study": "ranking", "value": " ".join(map(str, order))}
    yield {"study": "margin", "value": f"{importance[7] - importance[10]:.4f}"}


def errors(draw, seed, method):
    """Test errors for all rentals with all columns and with the model's first five and three."""
    table = bicycles.whole_table()
    learn, _, test = bicycles.thirds(table, "random", draw)
    y = table["cnt"].to_numpy(float)
    model = bicycles.thesis_model(method, seed)
    model.fit(table[bicycles.PUBLISHED].iloc[learn], y[learn])
    order = np.argsort(-mean_decrease_impurity(model, normalize="tree"), kind="stable")
    for size in (13, 5, 3):
        names = [bicycles.PUBLISHED[j] for j in order[:size]]
        if size < 13:
            model = bicycles.thesis_model(method, seed).fit(table[names].iloc[learn], y[learn])
        else:
            names = bicycles.PUBLISHED
        error = np.mean(np.abs(y[test] - model.predict(table[names].iloc[test])))
        yield {"study": "errors", "method": f"{method}, {size}", "value": f"{error:.2f}"}


def jobs():
    """All studies, draws, seeds and methods."""
    for draw in DRAWS:
        for method in ("RFR", "GBR"):
            yield errors, draw, 0, method
        for seed in SEEDS:
            for method in FORESTS:
                yield ranking, draw, seed, method


def rows_of(study, draw, seed, method):
    """The rows of one job, as they stand in the file."""
    where = {"study": "", "draw": draw, "seed": seed, "method": method}
    return pd.DataFrame([where | row for row in study(draw, seed, method)])


if __name__ == "__main__":
    pd.concat([rows_of(*job) for job in jobs()]).to_csv(RESULT, index=False)
