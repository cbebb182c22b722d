"""What boosting keeps of the 1 080 columns of a drawn wind farm, beside what a forest keeps.

The farms are the first five of `wind_farms.py` at 200 km: the first year is for fitting, the second
for validation and the third for testing. Two models choose, the forest of `wind_farms.py` and
gradient boosting (50 trees of depth 4, a learning rate of 0.1, leaves of 4 rows, a fifth of the
columns tried at a node), and both are evaluated on every chosen set. Each way is run with both:

- RFE: elimination ranked once, which halves the columns. Of the path, the set of the least
  validation error (`least`, the thesis' alpha = 0) and the smallest set within one standard
  deviation of the path's errors (`one sd`, alpha = 1).
- SRFE: the same in shuffled blocks of 54 columns, each ranked by a model of its own.
- Boruta 100 and 50: 30 runs. The forest is that of `wind_farms.py`, 30 trees of depth 5; boosting
  has 30 trees of depth 4, and tries the root of the number of columns.
- Boruta in blocks: Boruta 100 as the selector of SRFE. What is confirmed in blocks of 54 is dealt
  again, until nothing leaves.

Writes `boosting_eliminates.csv`, a row for each set: the number of columns kept, the mean absolute
test error of the forest and of boosting in percent of rated power, and the numbers of the columns
(for `all` none, and one row for both models). What is there already is not done again. Takes
twenty minutes.
"""

import sys
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from wind_farms import FOREST, SHALLOW, Years, sets_of

from treelab import GradientBoostingRegressor
from treelab.fast.selection import Boruta, ForestRFE, StochasticRFE

RESULT = Path(__file__).with_suffix(".csv")
FARMS, LENGTH, KEYS = range(5), 200, ["farm", "way", "model"]
WAYS = ("all", "RFE", "Boruta 50", "Boruta 100", "SRFE", "Boruta in blocks")
BLOCK = 54
BOOSTING = GradientBoostingRegressor(
    n_estimators=50, max_depth=4, min_samples_leaf=4, max_features=0.2, random_state=0
)
FEW_TREES = GradientBoostingRegressor(n_estimators=30, max_depth=4, max_features="sqrt")
MODELS = {"forest": (FOREST, SHALLOW), "boosting": (BOOSTING, FEW_TREES)}
FAST = clone(SHALLOW).set_params(n_estimators=10)  # errors of the rounds, which nobody reads
ALPHAS = {"least": 0.0, "one sd": 1.0}


def path_of(selector, years):
    """Two sets of an elimination, by the names in `ALPHAS`."""
    selector.fit(*years.part(years.train), held_out=years.part(years.validation))
    sets = {len(each): each for each in sets_of(selector)}
    for name, alpha in ALPHAS.items():
        sizes = [row["n_features"] for row in selector.rounds_ if row["above"] <= alpha]
        yield name, np.sort(sets[min(sizes)])


def chosen(years, way, name):
    """Yield the name of each set that a way keeps with one of the two models, and its columns."""
    model, shallow = MODELS[name]
    halve = {"rule": "alpha_sd", "step": 0.5, "importance": "mdi", "error": "validation"}
    if way == "all":
        yield way, np.arange(years.X.shape[1])
    elif way == "RFE":
        yield from path_of(ForestRFE(clone(model), rank="once", random_state=0, **halve), years)
    elif way == "SRFE":
        selector = StochasticRFE(clone(model), block=BLOCK, random_state=0, **halve)
        yield from path_of(selector, years)
    elif way == "Boruta in blocks":
        inner = Boruta(clone(shallow), max_runs=30)
        selector = StochasticRFE(clone(FAST), block=BLOCK, selector=inner, random_state=0)
        selector.fit(*years.part(years.train))
        yield way, np.flatnonzero(selector.ranking_ == 1)
    else:
        perc = int(way.removeprefix("Boruta "))
        boruta = Boruta(clone(shallow), perc=perc, max_runs=30, random_state=0)
        yield way, np.flatnonzero(boruta.fit(*years.part(years.train)).support_)


def one_job(years, way, name):
    """The rows of a way with a model; DataFrame."""
    rows = []
    for rule, some in chosen(years, way, name):
        errors = {
            model: years.errors(estimator, years.X[:, some])[1]
            for model, (estimator, _) in MODELS.items()
        }
        columns = "" if way == "all" else " ".join(map(str, some))
        first = {"farm": years.key[1], "way": way, "rule": rule, "model": name}
        rows.append(first | {"kept": len(some)} | errors | {"columns": columns})
    return pd.DataFrame(rows)


def main(most):
    """Do at most so many jobs."""
    warnings.simplefilter("ignore")  # some columns stay tentative after 30 runs of Boruta
    rows = pd.read_csv(RESULT) if RESULT.exists() else pd.DataFrame(columns=KEYS)
    done = set(rows[KEYS].itertuples(index=False, name=None))
    jobs = [
        (farm, way, name)
        for way, farm in product(WAYS, FARMS)
        for name in (MODELS if way != "all" else ["forest"])
        if (farm, way, name) not in done
    ]
    for farm, way, name in jobs[:most]:
        rows = pd.concat([rows, one_job(Years(farm, LENGTH), way, name)])
        rows = rows.astype({"kept": int})
        rows.to_csv(RESULT, index=False, float_format="%.6f")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
