"""Chapter 13 repeated: what it shows on one data set, on 20 sets and 10 splits.

`python notebooks/replications/importance.py` writes importance.csv beside it, a row for each study,
set and quantity, in about six minutes. Each set has a forest with a seed of its own, or else all
would share the luck of one forest. Set 0 of each recipe and split 0 of the bicycles are those
of the chapter (of masking it is set 1).
"""

from pathlib import Path

import numpy as np
import pandas as pd

from treelab import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treelab.datasets import fetch_bike_sharing
from treelab.fast.importance import (
    drop_column_importance,
    mean_decrease_impurity,
    oob_permutation_importance,
    permutation_importance,
    ranking_stability,
    rankings,
    shap_values,
)

HERE = Path(__file__).resolve().parent
SETS, SPLITS = 20, 10
TARGETS = ("casual", "registered", "cnt")


def four_columns(n, rng):
    """The class follows `real` in 65 of 100 rows; the others are luck."""
    X = pd.DataFrame(
        {
            "real": rng.integers(2, size=n),
            "coin": rng.integers(2, size=n),
            "die": rng.integers(6, size=n),
            "number": rng.normal(size=n),
        }
    )
    return X, (rng.random(n) < np.where(X["real"] == 1, 0.65, 0.35)).astype(int)


def luck(s):
    """Many values, training rows."""
    rng = np.random.default_rng(s)
    (X, y), new = four_columns(300, rng), four_columns(1000, rng)
    forest = RandomForestClassifier(100, random_state=s).fit(X, y)
    shuffled = {"n_repeats": 5, "random_state": 0}
    measures = {
        "impurity": mean_decrease_impurity(forest),
        "training": permutation_importance(forest, X, y, **shuffled).importances_mean,
        "out of bag": oob_permutation_importance(forest, X, y, random_state=0).importances_mean,
        "new": permutation_importance(forest, *new, **shuffled).importances_mean,
    }
    measures["one tree, new"] = by_single_trees(forest, *new)
    return {
        f"{kind}, {name}": value
        for kind, values in measures.items()
        for name, value in zip(X, values, strict=True)
    }


def by_single_trees(forest, X, y):
    """The accuracy that a tree alone loses when a column is shuffled, mean over the trees."""
    rng = np.random.default_rng(0)
    lost = np.zeros((len(forest.estimators_), X.shape[1]))
    for b, tree in enumerate(forest.estimators_):
        right = np.mean(tree.predict(X) == y)
        for j, name in enumerate(X):
            mixed = X.assign(**{name: rng.permutation(X[name].to_numpy())})
            lost[b, j] = right - np.mean(tree.predict(mixed) == y)
    return lost.mean(axis=0)


def with_copies(n_copies, n, seed):
    """The target is 2 a + 1.5 b and noise, with copies of a."""
    a, b, noise = np.random.default_rng(seed).normal(size=(3, n))
    copies = {f"copy {k}": a for k in range(1, n_copies + 1)}
    return pd.DataFrame({"a": a, "b": b, **copies}), 2 * a + 1.5 * b + noise


def copies(s):
    """None, one and three copies of a."""
    found = {}
    for k in (0, 1, 3):
        X, y = with_copies(k, 300, 2 * s)
        new = with_copies(k, 500, 2 * s + 1)
        forest = RandomForestRegressor(30, max_features=1, random_state=s)
        dropped = drop_column_importance(forest, X, y, held_out=new, groups=[["a"]])
        forest.fit(X, y)
        family = [name for name in X if name != "b"]
        shuffled = permutation_importance(forest, *new, groups=[["a"], family], random_state=0)
        found[f"impurity a, {k}"], found[f"impurity b, {k}"] = mean_decrease_impurity(forest)[:2]
        found[f"shuffled a, {k}"], found[f"shuffled family, {k}"] = shuffled.importances_mean
        found[f"dropped a, {k}"] = dropped.importances_mean[0]
    return found


def masking(s):
    """A column beside a better one of the same kind."""
    rng = np.random.default_rng(s)
    strong = rng.normal(size=400)
    noisy, lucky = strong + 0.3 * rng.normal(size=400), rng.normal(size=400)
    X = pd.DataFrame({"strong": strong, "masked": noisy, "luck": lucky})
    y = (strong + 0.3 * rng.normal(size=400) > 0).astype(int)
    tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=20).fit(X, y)
    stump = DecisionTreeClassifier(max_depth=1).fit(X[["masked"]], y)
    found = {"tree": mean_decrease_impurity(tree)[1], "alone": stump.score(X[["masked"]], y)}
    better = DecisionTreeClassifier(max_depth=1).fit(X[["strong"]], y)
    found["strong alone"] = better.score(X[["strong"]], y)
    grown = DecisionTreeClassifier(random_state=s).fit(X, y)
    found["tree, grown to the end"] = mean_decrease_impurity(grown)[1]
    for m in (1, 3):
        forest = RandomForestClassifier(50, max_features=m, max_depth=2, random_state=s)
        found[f"forest, m = {m}"] = mean_decrease_impurity(forest.fit(X, y))[1]
    return found


def late(s):
    """Boosting, divided by the sum in the end or tree by tree."""
    rng = np.random.default_rng(s)
    X = rng.normal(size=(300, 5))
    y = 10 * X[:, 0] + 0.3 * X[:, 1] + rng.normal(size=300)
    model = GradientBoostingRegressor(n_estimators=300, random_state=0).fit(X, y)
    total, by_tree = (mean_decrease_impurity(model, normalize=how) for how in ("total", "tree"))
    return {"total, x1": total[0], "tree, x1": by_tree[0], "tree, noise": by_tree[2:].sum()}


def bicycles(s):
    """Ranks of columns from 1, and what the temperatures cost, for each target."""
    bikes = fetch_bike_sharing()
    X = bikes.data.astype(float)
    rows = np.random.default_rng(s).permutation(len(X))
    train, new = rows[:2000], rows[2000:2800]
    names, found = list(X), {}
    groups = [*([name] for name in names), ["temp", "atemp"], ["weekday", "workingday"]]
    for target in TARGETS:
        y = bikes.frame[target]
        forest = RandomForestRegressor(30, max_features=6, min_samples_leaf=3, random_state=s)
        forest.fit(X.iloc[train], y.iloc[train])
        lost = permutation_importance(
            forest, X.iloc[new], y.iloc[new], groups=groups, n_repeats=3, random_state=0
        ).importances_mean
        for kind, values in (("impurity", mean_decrease_impurity(forest)), ("shuffled", lost[:12])):
            order = rankings(values).tolist()
            for name in names:
                found[f"{target}, {kind}, rank of {name}"] = 1 + order.index(names.index(name))
        costs = {name: lost[names.index(name)] for name in ("hr", "temp", "atemp", "workingday")}
        costs |= {"both": lost[12], "weekday and workingday": lost[13]}
        if target == "casual":
            dropped = drop_column_importance(
                forest, X.iloc[train], y.iloc[train], held_out=(X.iloc[new], y.iloc[new]),
                groups=groups[8:9] + groups[12:13],
            ).importances_mean  # fmt: skip
            costs |= {"dropping temp": dropped[0], "dropping both": dropped[1]}
        for name, value in costs.items():
            found[f"{target}, lost by {name}"] = value
        found[f"{target}, R2"] = forest.score(X.iloc[new], y.iloc[new])
    return found


def with_twin(r, n, seed):
    """The target is 2 a + 1.5 b and noise; the twin, whose correlation with a is r, has no part."""
    a, b, own, noise = np.random.default_rng(seed).normal(size=(4, n))
    twin = r * a + np.sqrt(1 - r**2) * own
    return pd.DataFrame({"a": a, "twin": twin, "b": b}), 2 * a + 1.5 * b + noise


def correlation(s):
    """Four measures of three columns, for correlations of a and its twin from 0 to 1."""
    found, groups = {}, [["a"], ["twin"], ["b"], ["a", "twin"]]
    settings = {"scoring": "neg_mean_squared_error", "groups": groups}
    for r in np.arange(11) / 10:
        (X, y), (X_new, y_new) = with_twin(r, 300, 2 * s), with_twin(r, 500, 2 * s + 1)
        forest = RandomForestRegressor(30, max_features=1, random_state=s)
        dropped = drop_column_importance(forest, X, y, held_out=(X_new, y_new), **settings)
        forest.fit(X, y)
        lost = permutation_importance(forest, X_new, y_new, random_state=0, **settings)
        measures = {
            "impurity": mean_decrease_impurity(forest),
            "permutation": lost.importances_mean,
            "drop-column": dropped.importances_mean,
            "Shapley": np.abs(shap_values(forest, X_new[:100])["values"]).mean(axis=0),
        }
        for measure, values in measures.items():
            for name, value in zip(("a", "twin", "b", "both"), values, strict=False):
                found[f"{measure}, {name}, {r:g}"] = value
        found[f"error, {r:g}"] = np.mean((forest.predict(X_new) - y_new) ** 2)
    return found


def candidates(s):
    """What shuffling a and its twin costs, by the number of candidate features of a split."""
    found, scoring = {}, "neg_mean_squared_error"
    (X, y), new = with_twin(0.9, 300, 2 * s), with_twin(0.9, 500, 2 * s + 1)
    for m in (1, 2, 3):
        forest = RandomForestRegressor(30, max_features=m, random_state=s).fit(X, y)
        lost = permutation_importance(forest, *new, scoring=scoring, random_state=0)
        for name, value in zip(X, lost.importances_mean, strict=True):
            found[f"shuffled {name}, {m}"] = value
    return found


def seeds(s):
    """Eight forests on 500 hours; and the rank of the working day if only one thing changes."""
    bikes = fetch_bike_sharing()
    X, y = bikes.data.astype(float), bikes.frame["cnt"]
    rows = np.random.default_rng(s).permutation(len(X))
    day, found = list(X).index("workingday"), {}

    def importance(n, B, seed=0, **settings):
        forest = RandomForestRegressor(B, random_state=seed, **settings)
        return mean_decrease_impurity(forest.fit(X.iloc[rows[:n]], y.iloc[rows[:n]]))

    def rank(values):
        return 1 + rankings(values).tolist().index(day)

    for B in (10, 50):
        runs = np.array([importance(500, B, seed, max_features=4) for seed in range(8)])
        stability = ranking_stability(runs, top_k=5)
        found |= {f"{name}, {B} trees": stability[name] for name in stability.index}
    found["rank, 500 hours, grown to the end"] = np.median([rank(values) for values in runs])
    found["rank, 500 hours"] = rank(importance(500, 30, max_features=6, min_samples_leaf=3))
    found["rank, 2000 hours, grown to the end"] = rank(importance(2000, 30, max_features=4))
    return found


def shuffled_within(column, group, rng):
    """The column with its values shuffled among the rows of each group."""
    mixed = column.copy()
    for g in np.unique(group):
        rows = np.flatnonzero(group == g)
        mixed[rows] = rng.permutation(column[rows])
    return mixed


def conditional(s):
    """What shuffling costs among all rows, and among rows whose other columns are alike."""
    found = {}
    for r in (0, 0.9, 1):
        (X, y), (X_new, y_new) = with_twin(r, 300, 2 * s), with_twin(r, 500, 2 * s + 1)
        forest = RandomForestRegressor(30, max_features=1, random_state=s).fit(X, y)
        before, rng = np.mean((forest.predict(X_new) - y_new) ** 2), np.random.default_rng(s)
        for name in X:
            likeness = DecisionTreeRegressor(min_samples_leaf=10).fit(X.drop(columns=name), X[name])
            alike = likeness.apply(X_new.drop(columns=name))
            for kind, group in (("plain", np.zeros(500)), ("conditional", alike)):
                losses = []
                for _ in range(5):
                    mixed = shuffled_within(X_new[name].to_numpy(), group, rng)
                    predicted = forest.predict(X_new.assign(**{name: mixed}))
                    losses.append(np.mean((predicted - y_new) ** 2) - before)
                found[f"{kind}, {name}, {r:g}"] = np.mean(losses)
    return found


STUDIES = {
    luck: SETS,
    copies: SETS,
    correlation: SPLITS,
    masking: SETS,
    late: SETS,
    bicycles: SPLITS,
    seeds: SPLITS,
    conditional: SETS,
    candidates: SETS,
}


def table(study, sets):
    """A row for each set and quantity."""
    rows = [(study.__name__, s, name, value) for s in sets for name, value in study(s).items()]
    return pd.DataFrame(rows, columns=["study", "set", "quantity", "value"])


def main():
    """Write the table."""
    tables = [table(study, range(n)) for study, n in STUDIES.items()]
    pd.concat(tables).to_csv(HERE / "importance.csv", index=False, float_format="%.10g")


if __name__ == "__main__":
    main()
