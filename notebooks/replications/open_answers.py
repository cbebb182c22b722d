"""The experiments behind three answers to open exercises: adaboost-7, reluctant-6 and wind-6.

- adaboost-7: 1 000 loans, 500 to boost 50 stumps on, 200 to calibrate on and 300 to test on, in 20
  divisions: the Brier score of each forecast.
- reluctant-6: 351 radar returns with ten shuffled columns beside, in ten halves: what a regularized
  forest keeps with two penalties, and the error of an ordinary forest on it, on all columns and on
  as many drawn by lot. The columns that are kept are written, too.
- wind-6: five drawn farms with three errors of the forecasts: the mean absolute error of a forest
  on the winds of the cells within 0, 30 and 60 km, in the year that chooses and in that which
  judges.

Writes `open_answers.csv`, a row for each exercise, run and number. Takes a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.datasets import fetch_german_credit, fetch_ionosphere
from treelab.fast.selection import RegularizedForestSelector
from treelab.figures.wind_farm import make_wind_farm

FORECAST_ERRORS = (0.0, 0.02, 0.3)


def lender(division):
    """Brier scores of what a lender may believe, by their names."""
    customers, credit = fetch_german_credit(return_X_y=True)
    customers = pd.get_dummies(customers).to_numpy(float)
    bad = (credit == "bad").to_numpy(int)
    order = np.random.default_rng(division).permutation(1000)
    learn, aside, new = np.split(order, [500, 700])
    boosted = AdaBoostClassifier(n_estimators=50, random_state=0).fit(customers[learn], bad[learn])
    said = {"share": np.full(300, bad[learn].mean())}
    said["votes"] = boosted.predict_proba(customers[new])[:, 1]
    platt = CalibratedClassifierCV(FrozenEstimator(boosted), method="sigmoid")
    platt.fit(customers[aside], bad[aside])
    said["sigmoid"] = platt.predict_proba(customers[new])[:, 1]
    stairs = IsotonicRegression(out_of_bounds="clip")  # as CalibratedClassifierCV fits them
    stairs.fit(boosted.decision_function(customers[aside]), bad[aside])
    said["isotonic"] = stairs.predict(boosted.decision_function(customers[new]))
    return {name: np.mean((p - bad[new]) ** 2) for name, p in said.items()}


def echoes(half):
    """Errors, numbers of columns kept, and the columns, by the penalty."""
    echoes, state = (np.asarray(part) for part in fetch_ionosphere(return_X_y=True))
    d = echoes.shape[1]
    rng = np.random.default_rng(half)
    order = rng.permutation(len(state))
    learn, judge = order[: len(order) // 2], order[len(order) // 2 :]
    shuffled = rng.permuted(echoes[:, rng.permutation(d)[:10]], axis=0)
    wide = np.hstack([echoes, shuffled])

    def wrong_with(some):
        forest = RandomForestClassifier(100, random_state=half)
        said = forest.fit(echoes[learn][:, some], state[learn]).predict(echoes[judge][:, some])
        return np.mean(said != state[judge])

    found = {"columns": d, "all": wrong_with(np.arange(d))}
    for penalty in (0.1, 0.5):
        selector = RegularizedForestSelector(penalty, random_state=half)
        kept = selector.fit(wide[learn], state[learn]).support_
        columns = np.flatnonzero(kept[:d])
        found[f"names {penalty}"] = " ".join(map(str, columns))
        found[f"kept {penalty}"], found[f"shuffled {penalty}"] = len(columns), kept[d:].sum()
        found[f"wrong {penalty}"] = wrong_with(columns)
        found[f"lot {penalty}"] = wrong_with(rng.permutation(d)[: len(columns)])
    return found


def farm(number):
    """Errors of a forecast in the years that choose and judge, by the number of cells."""
    poor, seed = FORECAST_ERRORS[number // 5], number % 5
    drawn = make_wind_farm(
        3, step=6, grid=(7, 5), length=100.0, forecast_error=poor, return_X_y=False,
        random_state=seed,
    )  # fmt: skip
    year, power = drawn.data.index.year, drawn.target.to_numpy()
    learn, choose, judge = (year == 2021), (year == 2022), (year == 2023)
    change = np.abs(np.diff(power, prepend=0))
    found = {"forecast": poor, "before": change[judge].mean()}
    found["mean"] = np.abs(power[judge] - power[learn].mean()).mean()
    for km in (0, 30, 60) if poor else (0, 30):
        blown = drawn.columns["variable"].isin(["u100", "v100", "speed100"])
        some = drawn.data.loc[:, blown & (drawn.columns["distance"] <= km)].to_numpy()
        grown = RandomForestRegressor(
            25, max_depth=10, min_samples_leaf=4, max_features=1 / 3, random_state=seed
        ).fit(some[learn], power[learn])
        for name, rows in (("choose", choose), ("judge", judge)):
            wrong = np.abs(grown.predict(some[rows]) - power[rows])
            found[f"{name} {some.shape[1] // 3}"] = wrong.mean()
    return found


EXPERIMENTS = {  # the function of an exercise, and how many runs it has
    "adaboost-7": (lender, 20),
    "reluctant-6": (echoes, 10),
    "wind-6": (farm, 15),
}


def one_run(exercise, run):
    """The rows of a run."""
    found = EXPERIMENTS[exercise][0](run)
    shown = (v if isinstance(v, str) else repr(float(v)) for v in found.values())
    return pd.DataFrame({"exercise": exercise, "run": run, "what": list(found), "value": shown})


if __name__ == "__main__":
    jobs = [(name, run) for name, (_, runs) in EXPERIMENTS.items() for run in range(runs)]
    table = pd.concat([one_run(*job) for job in jobs])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
