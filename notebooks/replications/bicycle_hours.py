"""Boosting against a forest on the bicycles' hours, in 20 draws instead of one (chapter 12).

Draw k: 1500 hours to learn from and 2000 others to judge by; draw 0 is the chapter's. Writes
`bicycle_hours.csv`: the root mean squared errors of a forest at its defaults, of boosting at its
defaults and of boosting with rate, depth and stop as in the chapter, and the rounds that the last
one chose. Takes a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import GradientBoostingRegressor, RandomForestRegressor
from treelab.datasets import fetch_bike_sharing


def one_draw(k):
    """One row."""
    bikes = fetch_bike_sharing()
    rows = np.random.default_rng(k).permutation(len(bikes.data))
    train, test = rows[:1500], rows[1500:3500]
    boosting = GradientBoostingRegressor(
        n_estimators=800,
        max_depth=4,
        n_iter_no_change=10,
        tol=1.0,
        split_search="histogram",
        random_state=k,
    )
    default = GradientBoostingRegressor(split_search="histogram", random_state=k)
    forest = RandomForestRegressor(100, random_state=k)
    models = {"forest": forest, "default": default, "boosting": boosting}
    row = {"draw": k}
    for name, model in models.items():
        model.fit(bikes.data.iloc[train], bikes.target.iloc[train])
        missed = model.predict(bikes.data.iloc[test]) - bikes.target.iloc[test]
        row[name] = np.sqrt(np.mean(missed**2))
    return pd.DataFrame([row | {"rounds": boosting.n_estimators_}])


if __name__ == "__main__":
    table = pd.concat([one_draw(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
