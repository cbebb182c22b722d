"""How many hours lie in a band between two boosted quantiles, on 20 draws (chapter 12).

Draw k: 1000 hours of the bicycles to learn from, 500 to calibrate on, 2000 to judge by; draw 0 is
the chapter's. Each program fits the quantiles 0.05 and 0.95, and the band between them is widened
by the margin that split conformal prediction takes from the 500. Writes `covered_hours.csv`: the
share of the 2000 that the band covers before and after, after that by night (0 to 5) and by day,
its mean width, and the margin. Takes two minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import sklearn.ensemble

from treelab import GradientBoostingRegressor
from treelab.datasets import fetch_bike_sharing


def boosters(level, k):
    """Three programs for one quantile, by their names."""
    ours = {"loss": "quantile", "alpha": level, "min_samples_leaf": 10, "random_state": k}
    theirs = sklearn.ensemble.GradientBoostingRegressor(**ours)
    binned = sklearn.ensemble.HistGradientBoostingRegressor(
        loss="quantile", quantile=level, random_state=k
    )
    return {
        "treelab": GradientBoostingRegressor(**ours, split_search="histogram"),
        "GradientBoostingRegressor": theirs,
        "HistGradientBoostingRegressor": binned,
    }


def one_draw(k):
    """A row for each program."""
    bikes = fetch_bike_sharing()
    order, rows = np.random.default_rng(k).permutation(len(bikes.data)), []
    (A, a), (C, c), (Z, z) = (
        (bikes.data.iloc[part], bikes.target.iloc[part].to_numpy())
        for part in (order[:1000], order[1000:1500], order[1500:3500])
    )
    night = (Z["hr"] <= 5).to_numpy()
    pairs = zip(boosters(0.05, k).items(), boosters(0.95, k).values(), strict=True)
    for (name, low), high in pairs:
        low.fit(A, a), high.fit(A, a)
        lacks = np.maximum(low.predict(C) - c, c - high.predict(C))
        margin = np.sort(lacks)[int(np.ceil(0.9 * (len(c) + 1))) - 1]
        bottom, top = low.predict(Z), high.predict(Z)
        inside = (bottom - margin <= z) & (z <= top + margin)
        row = {"draw": k, "program": name, "before": np.mean((bottom <= z) & (z <= top))}
        row |= {"after": inside.mean(), "night": inside[night].mean(), "day": inside[~night].mean()}
        rows.append(row | {"width": np.mean(top - bottom), "margin": margin})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_draw(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
