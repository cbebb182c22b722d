"""What is chosen among the 1 080 columns of a wind farm, on farms whose truth is known.

A farm is a seed of `make_wind_farm`: three years, every six hours, 1 460 rows in each. The first
year chooses (where a way needs a second opinion, with the second), the second validates, the third
tests. The model of every set is the same forest, fitted on the first year: 20 trees of depth 10,
leaves of 4 rows, a fifth of the columns tried at a node. Errors are mean absolute errors in
percent of rated power.

- sets: eight farms with a correlation length of 200 km, five each with 50 and 600 km. References:
  the mean of the first year, the value six hours before, the true power without noise and outages,
  all columns, the five that the power is made of (`own`; `own, all tried`: every column tried at a
  node), wind at 100 m in the nine cells around the farm (`nine`), all but the farm's cell
  (`without`). Ways: elimination ranked `once` and `anew`, which halve the columns, stochastic
  elimination (`blocks` of 54, halved), `Boruta` with perc 100, and 50 at 200 km (30 trees of depth
  5, the root tried, 30 runs); the `F` statistic, `variance` and `PCA` of standardized columns, with
  1, 2, 5, 10 and 20 percent.
- seeds: the first farm at 200 km, four more seeds of the eliminations and Boruta on the same rows.
- exact: 200 km, forecasts without error: all columns, `own`, `nine`.
- causes: 200 km. All columns with every one tried at a node (`all, all tried`), and the first 67
  by the importances of a forest of 100 trees (`once, 100 trees`). From 21 principal components
  one column, the regression of the speed in the farm's cell on them (`one sum of 21`).
- leaves: 200 km. All columns, and the 10 of largest F, with leaves of 40 rows.
- tried: 200 km. The 10 of largest F and `nine`, every column tried at a node; `nine` also with
  forecasts without error (`exact`).
- back: 200 km. What Boruta (perc 100) keeps, and with it the rest of the five, or `nine`.
- trees: 200 km. All columns, and the 10 of largest F, with forests of 200 trees.
- split: 200 km, half a year of hours, 4 380 rows. The first two thirds together, split at random
  into halves. The error on one half of a forest of the other half (`validation`), and of a forest
  of the last third (`test`), as many rows; of the mean, too. The 10 columns of largest F, and
  the pressures of all cells but the farm's (`p`). With the weather's memory of 18 hours, and with
  none.

Writes `wind_farms.csv`, a row for each set: study, length, farm, way, kept, validation, test, time
(processor time of the choice in units of the forest of all columns) and, of small sets and of
Boruta's, the numbers of the columns. A job that is there already is not done again. Takes ten
minutes.
"""

import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler

from treelab import RandomForestRegressor
from treelab.fast.selection import Boruta, FilterSelector, ForestRFE, StochasticRFE
from treelab.figures.wind_farm import make_wind_farm

RESULT = Path(__file__).with_suffix(".csv")
COLUMNS = ["study", "length", "farm", "way", "kept", "validation", "test", "time", "columns"]
FARMS, LENGTHS, PERCENTAGES = range(8), (200, 50, 600), (1, 2, 5, 10, 20)
SMALL = 70  # columns of the largest set whose numbers are written
FOREST = RandomForestRegressor(
    20, max_depth=10, min_samples_leaf=4, max_features=0.2, random_state=0
)
SHALLOW = RandomForestRegressor(30, max_depth=5, max_features="sqrt")


class Years:
    """A farm with its rows in thirds, mostly years, and the errors of forests on some columns."""

    def __init__(self, farm, length, n_years=3, step=6, **settings):
        self.key, self.known = (length, farm), {}
        drawn = make_wind_farm(
            n_years, step=step, length=length, random_state=farm, return_X_y=False, **settings
        )
        self.X, self.y = drawn.data.to_numpy(), drawn.target.to_numpy()
        self.columns, self.power = drawn.columns, drawn.truth["power"].to_numpy()
        self.train, self.validation, self.test = np.array_split(np.arange(len(self.y)), 3)

    def part(self, rows):
        """Columns and target of some rows."""
        return self.X[rows], self.y[rows]

    def error(self, predicted, rows):
        """Mean absolute error in percent of rated power."""
        return 100 * np.abs(predicted - self.y[rows]).mean()

    def errors(self, model, table, rows=None):
        """Of a model fitted on the first year of a table, on the rows: two numbers."""
        train, *new = rows or (self.train, self.validation, self.test)
        model = clone(model).fit(table[train], self.y[train])
        return [self.error(model.predict(table[part]), part) for part in new]

    def row(self, study, way, some, time=np.nan, model=FOREST, rows=None, write=None):
        """A row of the result; the forest of a set is fitted once."""
        some = np.sort(np.asarray(some))
        write = len(some) <= SMALL if write is None else write
        names = " ".join(map(str, some)) if write else ""
        key = (*some, model, rows is None)
        if key not in self.known:
            self.known[key] = self.errors(model, self.X[:, some], rows)
        return (study, *self.key, way, len(some), *self.known[key], time, names)

    def reference(self, study, way, predicted):
        """A row of the result for predictions of all rows."""
        errors = [self.error(predicted[part], part) for part in (self.validation, self.test)]
        return (study, *self.key, way, 0, *errors, np.nan, "")


def timed(choose):
    """What a function returns, and its processor time."""
    begin = time.process_time()
    return choose(), time.process_time() - begin


def sets_of(selector):
    """The sets of an elimination, the largest first."""
    least = {j: step["smallest_set"] for j, step in zip(order_of(selector), selector.steps_)}
    sizes = sorted({step["n_features"] for step in selector.rounds_}, reverse=True)
    return [sorted(j for j, size in least.items() if size <= s) for s in sizes]


def order_of(selector):
    """The columns in the order of the table of steps."""
    return np.argsort(selector.ranking_, kind="stable")


def eliminations(seed=None):
    """The three eliminations."""
    forest, halve = clone(FOREST), {"step": 0.5, "importance": "mdi", "error": "validation"}
    return {
        "once": ForestRFE(forest, rule="alpha_sd", rank="once", random_state=seed, **halve),
        "anew": ForestRFE(forest, rule="alpha_sd", rank="anew", random_state=seed, **halve),
        "blocks": StochasticRFE(forest, block=54, random_state=seed, **halve),
    }


def boruta(perc, seed):
    return Boruta(clone(SHALLOW), perc=perc, max_runs=30, random_state=seed)


def eliminated(years, study, ways=("once", "anew", "blocks"), seed=0, unit=np.nan):
    """Rows of the paths of the eliminations."""
    given = years.part(years.train), years.part(years.validation)
    for way, selector in eliminations(seed).items():
        if way in ways:
            _, took = timed(lambda s=selector: s.fit(*given[0], held_out=given[1]))
            for some in sets_of(selector):
                yield years.row(study, way, some, took / unit)


def confirmed(years, study, seed=0, unit=np.nan, percs=(100, 50)):
    """Rows of what Boruta confirms."""
    for perc in percs:
        fitted, took = timed(lambda p=perc: boruta(p, seed).fit(*years.part(years.train)))
        yield years.row(
            study, f"Boruta {perc}", np.flatnonzero(fitted.support_), took / unit, write=True
        )


def references(years, study, ways=("all", "own", "own, all tried", "nine", "without")):
    """Rows of sets that nobody chose."""
    about = years.columns.reset_index(drop=True)
    own = np.flatnonzero(about["signal"])
    sets = {
        "all": about.index, "own": own, "own, all tried": own, "nine": nine_of(years),
        "without": about.index[about["distance"] > 0],
    }  # fmt: skip
    for way in ways:
        model = clone(FOREST).set_params(max_features=1.0) if "tried" in way else FOREST
        yield years.row(study, way, sets[way], model=model)


def components(years, number):
    """Principal components of the standardized columns, those of the first year; for all rows."""
    scaler = StandardScaler().fit(years.X[years.train])
    pca = PCA(number, svd_solver="covariance_eigh").fit(scaler.transform(years.X[years.train]))
    return pca.transform(scaler.transform(years.X))


def percentages(years, study, unit=np.nan):
    """Rows of filters and components, by percentages."""
    given, number = years.part(years.train), years.X.shape[1]
    sizes = [number * percent // 100 for percent in PERCENTAGES]
    for measure, way in (("f", "F"), ("variance", "variance")):
        chosen, took = timed(lambda m=measure: FilterSelector(m, percentage=20).fit(*given))
        for size in sizes:
            yield years.row(study, way, np.flatnonzero(chosen.ranking_ <= size), took / unit)

    table, took = timed(lambda: components(years, sizes[-1]))
    for size in sizes:
        errors = years.errors(FOREST, table[:, :size])
        yield (study, *years.key, "PCA", size, *errors, took / unit, "")


def sets(farm, length):
    """All ways on one farm."""
    years, study = Years(farm, length), "sets"
    mean = np.full(len(years.y), years.y[years.train].mean())
    yield years.reference(study, "mean", mean)
    yield years.reference(study, "six hours before", np.append(years.y[:1], years.y[:-1]))
    yield years.reference(study, "true power", years.power)
    _, unit = timed(lambda: clone(FOREST).fit(*years.part(years.train)))
    yield from references(years, study)
    yield from eliminated(years, study, unit=unit)
    yield from confirmed(years, study, unit=unit, percs=(100, 50) if length == 200 else (100,))
    yield from percentages(years, study, unit)


def seeds(seed, length=200):
    """Other seeds of the same ways on the same rows of the first farm."""
    years = Years(0, length)
    for row in [
        *eliminated(years, "seeds", seed=seed),
        *confirmed(years, "seeds", seed, percs=[100]),
    ]:
        if row[-1]:
            yield ("seeds", length, seed, *row[3:])


def exact(farm, length=200):
    """Forecasts without error."""
    years = Years(farm, length, forecast_error=0.0)
    yield from references(years, "exact", ("all", "own", "own, all tried", "nine"))


def causes(farm, length=200):
    """Every column tried at a node, importances of more trees, and a sum of components."""
    years = Years(farm, length)
    every = np.arange(years.X.shape[1])
    tries = clone(FOREST).set_params(max_features=1.0)
    yield years.row("causes", "all, all tried", every, model=tries)
    many = clone(FOREST).set_params(n_estimators=100).fit(*years.part(years.train))
    first = np.argsort(-many.feature_importances_, kind="stable")[:67]
    yield years.row("causes", "once, 100 trees", first)
    table, own = (
        components(years, 21),
        years.X[:, list(years.columns.index).index("speed100_x7_y4")],
    )
    sums = LinearRegression().fit(table[years.train], own[years.train]).predict(table)
    yield (
        "causes",
        *years.key,
        "one sum of 21",
        1,
        *years.errors(FOREST, sums[:, None]),
        np.nan,
        "",
    )


def leaves(farm, length=200):
    """Larger leaves, all columns and ten."""
    years = Years(farm, length)
    large = clone(FOREST).set_params(min_samples_leaf=40)
    for way, some in (("all", np.arange(years.X.shape[1])), ("F", ten_of(years))):
        yield years.row("leaves", way, some, model=large)


def ten_of(years):
    """The ten columns of largest F in the first year."""
    few = FilterSelector("f", number=10).fit(*years.part(years.train)).support_
    return np.flatnonzero(few)


def nine_of(years):
    """Wind at 100 m in the nine cells around the farm."""
    about = years.columns.reset_index(drop=True)
    near = (about["east"].abs() < 30) & (about["north"].abs() < 30)
    return np.flatnonzero(near & about["variable"].isin(["u100", "v100", "speed100"]))


def tried(farm, length=200):
    """Few columns, each tried at each node, as all are in `causes`."""
    tries = clone(FOREST).set_params(max_features=1.0)
    for error, word in ((0.02, ""), (0.0, ", exact")):
        years = Years(farm, length, forecast_error=error)
        if error:
            yield years.row("tried", "F, all tried", ten_of(years), model=tries)
        yield years.row("tried", f"nine, all tried{word}", nine_of(years), model=tries)


def back(farm, length=200):
    """What Boruta removes, given back."""
    years = Years(farm, length)
    kept = np.flatnonzero(boruta(100, 0).fit(*years.part(years.train)).support_)
    five = np.flatnonzero(years.columns["signal"])
    gifts = {"Boruta": kept, "Boruta and the five": five, "Boruta and nine": nine_of(years)}
    for way, gift in gifts.items():
        yield years.row("back", way, np.union1d(kept, gift))


def trees(farm, length=200):
    """Ten times as many trees, all columns and ten."""
    years = Years(farm, length)
    many = clone(FOREST).set_params(n_estimators=200)
    for way, some in (("all", np.arange(years.X.shape[1])), ("F", ten_of(years))):
        yield years.row("trees", way, some, model=many)


def split(farm, length=200):
    """A random half of two thirds, by a forest of the other half and by one of the last third."""
    for memory, word in ((18.0, "memory"), (0.01, "no memory")):
        years = Years(farm, length, n_years=0.5, step=1, memory=memory)
        about = years.columns.reset_index(drop=True)
        idle = ((about["variable"] == "p") & (about["distance"] > 0)).to_numpy()
        old = np.random.default_rng(farm).permutation(np.append(years.train, years.validation))
        half, other = np.sort(old[: len(old) // 2]), np.sort(old[len(old) // 2 :])
        for way in ("F", "p"):
            errors = []
            for learned in (half, years.test):
                few = FilterSelector("f", number=10).fit(*years.part(learned)).support_
                some = np.flatnonzero(few if way == "F" else idle)
                errors += years.errors(FOREST, years.X[:, some], (learned, other))
            yield ("split", *years.key, f"{way}, {word}", len(some), *errors, np.nan, "")
        errors = [years.error(years.y[learned].mean(), other) for learned in (half, years.test)]
        yield ("split", *years.key, f"mean, {word}", 0, *errors, np.nan, "")


def jobs():
    """Study, number of the farm or seed, length and the function that does it."""
    for length in LENGTHS:
        for farm in FARMS if length == 200 else FARMS[:5]:
            yield "sets", farm, length, sets
        if length == 200:
            for seed in range(1, 5):
                yield "seeds", seed, 200, seeds
            studies = {
                "exact": exact, "split": split, "causes": causes, "leaves": leaves,
                "tried": tried, "back": back, "trees": trees,
            }  # fmt: skip
            for study, do in studies.items():
                for farm in FARMS:
                    yield study, farm, 200, do


def main():
    warnings.filterwarnings("ignore", "After max_runs")
    rows = pd.read_csv(RESULT) if RESULT.exists() else pd.DataFrame(columns=COLUMNS)
    there = set(zip(rows["study"], rows["farm"], rows["length"]))
    for study, number, length, do in jobs():
        if (study, number, length) in there:
            continue
        new = pd.DataFrame(list(do(number, length)), columns=COLUMNS)
        rows = pd.concat([rows, new]) if len(rows) else new
        rows.to_csv(RESULT, index=False, float_format="%.4f")
        print(study, number, length, flush=True)


if __name__ == "__main__":
    main()
