"""The numbers printed in the sources, and what follows from their tables (data/gold.json)."""

import json
from inspect import signature
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from cases import each
from places import DATA
from scipy.stats import binom
from sklearn.base import BaseEstimator, ClassifierMixin

from treelab import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    datasets,
)
from treelab.fast.boosting import boosting_table, estimator_weight, residual_table, reweight
from treelab.fast.bootstrap import DRAWN, distinct_cases
from treelab.fast.growing import split_table
from treelab.fast.importance import compare_rankings
from treelab.fast.impurity import (
    IMPURITIES,
    entropy,
    gain_ratio,
    gini,
    impurity_table,
    information_gain,
    misclassification,
    squared_error,
)
from treelab.fast.pruning import reduced_error_pruning, reduced_error_table
from treelab.fast.selection import (
    FCBFSelector,
    combined_importance_table,
    elimination_cost,
    elimination_sizes,
    local_importance_table,
    max_dependency_table,
    merit_table,
    perc_std,
    ranks_by_cluster,
    regularized_tree_table,
    smallest_size,
    stochastic_sizes,
    uncertainty_table,
)
from treelab.fast.tree import LEAF, Tree
from treelab.figures import wind_farm
from treelab.figures.choosing import stochastic_fits
from treelab.figures.intervals import interval_candidates, interval_table
from treelab.figures.totally_randomized_trees import (
    mutual_information_decomposition,
    totally_randomized_importance,
)

GOLD = json.loads((DATA / "gold.json").read_text(encoding="utf-8"))
ITEMS = {item["id"]: item for item in GOLD["items"]}

MUSHROOMS, EATABLE = datasets.load_mushrooms(return_X_y=True)
VEGETATION, PLANTS = datasets.load_vegetation(return_X_y=True)
IN_FEET, _ = datasets.load_vegetation("feet", return_X_y=True)
BIKES, RENTALS = datasets.load_bike_rentals(return_X_y=True)


def counts(y):
    """Class sums of all rows."""
    return pd.Series(np.asarray(y)).value_counts().to_numpy()


def column(X, y, name, criterion="entropy"):
    """The numbers of one feature by hand: an object with gain, remainder, gain_ratio, ..."""
    return impurity_table(X, y, criterion).loc[name].iloc[0]


def branch(X, y, name, level, criterion="entropy"):
    """Impurity of one branch."""
    return impurity_table(X, y, criterion).loc[(name, level), "impurity"]


def gains(X, y, names, what="gain", criterion="entropy"):
    return [column(X, y, name, criterion)[what] for name in names]


def best(X, y, what, criterion="entropy"):
    """Name of the feature with the largest gain or gain ratio."""
    return impurity_table(X, y, criterion)[what].idxmax()[0]


def where(X, y, name, level):
    """The rows of one branch, without the feature that made it."""
    rows = X[name] == level
    return X[rows].drop(columns=name), y[rows]


def id3(X, y):
    """The multiway tree by information gain: a label, or {feature: {level: subtree}}."""
    if y.nunique() == 1:
        return y.iloc[0]
    name = best(X, y, "gain")
    return {name: {level: id3(*where(X, y, name, level)) for level in X[name].unique()}}


def mushroom_tree():
    """In the shape in which the reference writes it down."""
    ((root, below),) = id3(MUSHROOMS, EATABLE).items()
    return {"root": root, **below}


def ten_points(criterion, side):
    """|R| Q(R) of the ten points, before and after the split."""
    X, y = datasets.load_ten_points(return_X_y=True)
    after = split_table(X, y, criterion=criterion)
    before = IMPURITIES[criterion](counts(y))
    assert len(after) == 1
    return 10 * (before if side == "parent" else after["remainder"][0])


def feet(threshold):
    """The cut of the elevation at a threshold, as a row of the split table."""
    table = split_table(IN_FEET, PLANTS, criterion="entropy")
    (row,) = table.index[(table["feature"] == "elevation") & (table["threshold"] == threshold)]
    return table.loc[row]


def sides(threshold):
    return [feet(threshold)["impurity_left"], feet(threshold)["impurity_right"]]


def class_changes():
    """Candidate thresholds between neighbors of different class."""
    order = IN_FEET["elevation"].sort_values().index
    y, elevation = PLANTS[order].to_numpy(), IN_FEET["elevation"][order].to_numpy()
    table = split_table(IN_FEET[["elevation"]], PLANTS, criterion="entropy")
    assert table["threshold"].tolist() == ((elevation[:-1] + elevation[1:]) / 2).tolist()
    return table["threshold"][y[:-1] != y[1:]].tolist()


def low_ground():
    """Gains among the rows below 4175 feet: stream, slope, three cuts of the elevation."""
    low = IN_FEET["elevation"] < 4175
    names = gains(IN_FEET[low], PLANTS[low], ["stream", "slope"])
    table = split_table(IN_FEET.loc[low, ["elevation"]], PLANTS[low], criterion="entropy")
    return names + [table["gain"][table["threshold"] == t].item() for t in (750, 1350, 2250)]


def variance(name, level=None, ddof=1):
    """Variance of the rentals in a branch, or the branches' weighted by their sizes."""

    def spread(y):
        n = len(y)
        return float(squared_error([n, y.sum(), (y**2).sum()])) * n / (n - ddof)

    if level is not None:
        return spread(RENTALS[BIKES[name] == level])
    groups = [RENTALS[BIKES[name] == level] for level in BIKES[name].unique()]
    return sum(len(y) * spread(y) for y in groups) / len(RENTALS)


def bike_tree():
    """Predictions of the full tree for every season, on days off and on working days."""
    model = DecisionTreeRegressor().fit(BIKES, RENTALS)
    seasons = BIKES["season"].unique()
    grid = pd.DataFrame(
        [(season, day) for season in seasons for day in ("false", "true")], columns=BIKES.columns
    ).astype(dict(BIKES.dtypes))
    pairs = model.predict(grid).reshape(-1, 2).tolist()
    return dict(zip(seasons, pairs, strict=True))


def slide_tree():
    """The tree of the slides on reduced-error pruning; codes: low, true, male are 0."""
    icu, gen = [0.0, 1.0], [1.0, 0.0]
    return Tree(
        children_left=np.array([1, 2, LEAF, LEAF, 5, LEAF, LEAF]),
        children_right=np.array([4, 3, LEAF, LEAF, 6, LEAF, LEAF]),
        feature=np.array([0, 2, -2, -2, 1, -2, -2]),
        threshold=np.array([0.5, 0.5, -2.0, -2.0, 0.5, -2.0, -2.0]),
        value=np.array([[icu], [icu], [icu], [gen], [gen], [gen], [icu]]),
        impurity=np.zeros(7),
        n_node_samples=np.ones(7, dtype=int),
        weighted_n_node_samples=np.ones(7),
        left_levels=np.zeros((7, 0), dtype=bool),
        criterion="gini",
    )


def validation():
    X, y = datasets.load_postoperative(return_X_y=True)
    left = {"core_temp": "low", "stable_temp": "true", "gender": "male"}
    codes = np.column_stack([X[name] != level for name, level in left.items()]).astype(float)
    return codes, (np.asarray(y) == "icu").astype(int)


def slide_pruning():
    table = reduced_error_table(slide_tree(), *validation())
    names = {1: "Gender", 4: "Stable-Temp", 0: "Core-Temp"}
    return [
        {
            "node": names[node],
            "node_err": row["errors_as_leaf"],
            "leaf_err": list(row["leaf_errors"]),
            "prune": row["pruned"],
        }
        for node, row in table.iterrows()
    ]


def slide_errors():
    X, y = validation()
    trees = slide_tree(), reduced_error_pruning(slide_tree(), X, y)
    return [int((tree.predict(X).argmax(axis=1) != y).sum()) for tree in trees]


def friedman():
    """The improvement of one cut by Friedman's formula and as a drop of the squared error."""
    X, y = datasets.load_bike_demand(return_X_y=True)
    table = split_table(X, y, criterion="squared_error")
    cut = table.loc[2]  # after the third day
    left, right = y[:3].mean(), y[3:].mean()
    formula = cut["n_left"] * cut["n_right"] / len(y) * (left - right) ** 2
    return [formula, cut["gain"] * len(y)]


def uncertainties():
    """Of color, size and spots with the class, then of the three pairs."""
    table = uncertainty_table(MUSHROOMS, EATABLE).to_numpy()
    return [*table[:, 3], *table[np.triu_indices(3, 1)]]


def predominant(X, y):
    """What FCBF keeps, the most relevant first."""
    fcbf = FCBFSelector().fit(X, y)
    return [X.columns[j] for j in np.argsort(fcbf.ranking_) if fcbf.support_[j]]


def dependency_steps():
    """The Max-Dependency scheme: what is chosen, and what every feature tells."""
    table = max_dependency_table(MUSHROOMS, EATABLE)
    steps = [step.set_index("feature") for _, step in table.groupby("step")]
    return [
        [step["chosen"].idxmax(), pytest.approx(step["information"].to_dict(), rel=1e-12)]
        for step in steps
    ]


def regularized_splits(penalty):
    """The features of a regularized tree in their order, and all its splits."""
    table = regularized_tree_table(MUSHROOMS.astype(str), EATABLE, float(penalty))
    chosen = table[table["chosen"]]
    ways = chosen["where"].str.replace(r"\w+ = ", "", regex=True).str.replace(" and ", "/")
    ways = ways.replace("", "root")
    splits = [list(pair) for pair in zip(ways, chosen["feature"], strict=True)]
    return {"F": chosen["feature"][~chosen["selected"]].tolist(), "splits": splits}


def wins_losses_ties():
    """How often the marks of a selector say better, worse and neither."""
    marks = ITEMS["001-tab3-wlt"]["data"]
    return {name: [of.count(mark) for mark in "+-="] for name, of in marks.items()}


def xor():
    """Information on Y from X1, from X2, from X1 when X2 is known, and from both."""
    rows = pd.DataFrame(ITEMS["001-xor"]["data"], columns=["x1", "x2", "y"])
    alone = gains(rows[["x1", "x2"]], rows["y"], ["x1", "x2"])
    both = rows.assign(both=rows["x1"].astype(str) + rows["x2"].astype(str))
    together = column(both[["both"]], both["y"], "both").gain
    halves = [rows[rows["x2"] == k] for k in (0, 1)]
    given = sum(column(half[["x1"]], half["y"], "x1").gain for half in halves) / 2
    return [*alone, given, together]


class Member(ClassifierMixin, BaseEstimator):
    """Says what the column with its number says."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, self.number]


def ensemble(kind, B, **parameters):
    """An ensemble whose member b repeats column b."""
    X = np.zeros((2, B), dtype=int)
    bag = kind(Member(), B, bootstrap=False, **parameters).fit(X, [0, 1])
    for b, member in enumerate(bag.estimators_):
        member.number = b
    return bag


def wrong_votes(alpha, B, truth=1):
    """Chance that a bag of B members errs where each errs with chance alpha.

    Row k of the table is a vote with k wrong members; class 0 wins a tie.
    """
    wrong = np.tri(B + 1, B, -1, dtype=int)
    said = wrong if truth == 0 else 1 - wrong
    errs = ensemble(BaggingClassifier, B, voting="hard").predict(said) != truth
    return binom.pmf(np.arange(B + 1), B, alpha)[errs].sum()


def bag_votes(item):
    return [wrong_votes(item["data"]["alpha"], B) for B in item["data"]["B"]]


def tied_votes(item):
    """A tie counts as an error where the wrong class comes first, and not where it is second."""
    data = item["data"]
    return [wrong_votes(data["alpha"], data["B"], truth) for truth in (1, 0)]


def variance_of_mean(rho, M):
    """Variance of the mean of M members with variance 1 and correlation rho, on made-up rows."""
    rng = np.random.default_rng(0)
    raw = rng.normal(size=(2 * M + 2, M + 1))
    basis = np.linalg.qr(raw - raw.mean(axis=0))[0] * np.sqrt(len(raw))  # means 0, variances 1
    X = np.sqrt(rho) * basis[:, :1] + np.sqrt(1 - rho) * basis[:, 1:]
    return ensemble(BaggingRegressor, M).predict(X).var()


def smallest_rho(M):
    """Where the variance of the mean, a line in rho, reaches 0."""
    at_0, at_1 = variance_of_mean(0, M), variance_of_mean(1, M)
    return -at_0 / (at_1 - at_0)


def whole_sample(n):
    """Chance that a sample of n holds every case: each draw meets a case that is new."""
    return np.prod(1 - np.arange(n) / n)


def interval_rounds(intervals=((5, 8), (3, 9), (6, 7))):
    """Boosting by intervals, from one row to another (counted from 1), or the best; by round."""
    X, y = datasets.load_bike_demand(return_X_y=True)
    temp = X["temp"].to_numpy()
    if intervals is not None:
        intervals = [(temp[first - 1], temp[last - 1]) for first, last in intervals]
    return [part for _, part in interval_table(temp, y, intervals).groupby("round")]


def sum_of_squares(a):
    return float(np.sum(np.asarray(a) ** 2))


def best_interval(m):
    """The published interval of a round among all 45, and the best of them, and of stumps."""
    part = interval_rounds()[m]
    X, y = datasets.load_bike_demand(return_X_y=True)
    residual = part["residual"].to_numpy()
    table = interval_candidates(X["temp"], residual)
    assert len(table) == 45
    sse = sum_of_squares(residual - part["step"])
    # Rows that the published interval and its complement describe are the same division.
    rank = 1 + int((table["sse"] < sse * (1 - 1e-9)).sum())
    stump = DecisionTreeRegressor(max_depth=1).fit(X, residual)
    row = {t: i for i, t in enumerate(X["temp"], start=1)}
    best = table.iloc[0]
    left = sum_of_squares(residual - stump.predict(X))
    return [sse, rank, best["sse"], row[best["low"]], row[best["high"]], left]


def best_intervals():
    X, y = datasets.load_bike_demand(return_X_y=True)
    row = {t: i for i, t in enumerate(X["temp"], start=1)}
    answer = []
    for part in interval_rounds(None):
        low, high = part[["low", "high"]].iloc[0]
        answer += [row[low], row[high], sum_of_squares(y.to_numpy() - part["after"])]
    return answer


def stump_rounds():
    """Gradient boosting proper on the same ten days: threshold, scores, SSE of each round."""
    X, y = datasets.load_bike_demand(return_X_y=True)
    model = GradientBoostingRegressor(n_estimators=3, max_depth=1, learning_rate=1.0).fit(X, y)
    answer = []
    for (tree,), (_, part) in zip(
        model.trees_, residual_table(model, X, y).groupby("round"), strict=True
    ):
        scores = part["after"].to_numpy()
        answer += [tree.threshold[0], *scores, sum_of_squares(y - scores)]
    return answer


def interval_errors():
    """SSE of the start and after each of the three published rounds."""
    parts = interval_rounds()
    after = [sum_of_squares(p["residual"] - p["step"]) for p in parts]
    return [sum_of_squares(parts[0]["residual"]), *after]


def ten_days():
    """The ten days of boosting: temperature, demand, and how often each sample holds each day."""
    frame = datasets.load_bike_demand("level", samples=True)
    return frame[["temp"]], frame["rentals_level"], frame.filter(like="sample").to_numpy().T


def three_rounds():
    """The table of three rounds by weights, by round."""
    X, y, _ = ten_days()
    table = boosting_table(AdaBoostClassifier(n_estimators=3).fit(X, y), X, y)
    return [part for _, part in table.groupby("round")]


def information(X, y, names):
    """Importances in all randomized trees there can be, and their sum."""
    table = mutual_information_decomposition(X, y).sum(axis=1)
    grown = totally_randomized_importance(X, y)
    np.testing.assert_allclose(grown, table, rtol=0, atol=1e-12)
    return [*table[names], table.sum()]


def rankings_of_five():
    """Mean and largest value of both metrics, and mean number of swaps, of all rankings."""
    found = pd.DataFrame([compare_rankings(range(5), order) for order in permutations(range(5))])
    metrics = [found[name].agg(how) for name in ("metric1", "metric2") for how in ("mean", "max")]
    return [*metrics, found["swaps"].mean()]


def chance_rankings(n):
    """Expected likeness of two random rankings.

    In the n turns of a circle every feature gets to every place, once; the metrics are sums over
    features. A random permutation has 1 + 1/2 + ... + 1/n cycles.
    """
    turns = pd.DataFrame([compare_rankings(range(n), np.roll(range(n), k)) for k in range(n)])
    swaps = n - sum(1 / k for k in range(1, n + 1))
    return [turns["metric1"].mean(), turns["metric2"].mean(), swaps]


def first_of_rounds(name):
    return [part[name].iloc[0] for part in three_rounds()]


def last_weights():
    """Weights that a fourth round would see."""
    part = three_rounds()[-1]
    vote = estimator_weight(part["error"].iloc[0])
    return reweight(part["weight"].to_numpy(), part["correct"].to_numpy(), vote)


def common_votes():
    """Sum of confidences for High less that for Low, and the errors of the growing ensemble."""
    X, y, _ = ten_days()
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    alpha = np.array(first_of_rounds("confidence"))
    high = model.decision_function(X) / 2 * (1 if model.classes_[1] == "High" else -1)
    errors = [int((prediction != y).sum()) for prediction in model.staged_predict(X)]
    return [*high * alpha.sum(), *errors]


MANY = 10**15  # features, so many that rounding their number down changes nothing


def left_shares(stay):
    """The share lambda of the features that stays, round by round, from so many features."""
    sizes = elimination_sizes(MANY, round(1 - stay, 10))
    return [100 * size / MANY for size in sizes]


def most_costly(stay):
    """Cost of an elimination of very many features, in units of its first fit."""
    return elimination_cost(elimination_sizes(MANY, round(1 - stay, 10), least=1))


def rounds_of(item):
    """From all features to one."""
    P, stay = item["data"]["P"], item["data"]["lambda"]
    return len(elimination_sizes(P, round(1 - stay, 10), least=1))


def halving(stay):
    """Rounds until half of the features are left, from the cost."""
    return -1 / np.log2(1 - 1 / most_costly(stay))


def blocks_of(item, double):
    data = item["data"]
    step = round(1 - data["lambda"], 10)
    return stochastic_sizes(data["P"], data["c"], step, double=double)


def sizes_by_alpha(item):
    perc, sizes = item["data"]["perc"], item["data"]["num_var"]
    return {a: smallest_size(sizes, perc, float(a)) for a in item["expected"]}


def toy_clusters():
    """The importances of four clusters, brought together; by feature."""
    toy = GOLD["datasets"]["cbfs_fi"]
    found = np.transpose(toy["clusters"]), toy["weights"]
    return combined_importance_table(*found, names=toy["features"])


def toy_order(way):
    return toy_clusters().sort_values(way)["feature"].tolist()


def toy_ranks():
    """The features of each cluster from the first to the last."""
    toy = GOLD["datasets"]["cbfs_fi"]
    names = np.array(toy["features"])
    ranks = ranks_by_cluster(np.transpose(toy["clusters"]))
    return [names[np.argsort(column)].tolist() for column in ranks.T]


def levels_of_bins():
    """The importance of each variable, from the numbers of bins that chose it."""
    counts = GOLD["datasets"]["lafi41"]["counts"]
    n_bins = GOLD["datasets"]["lafi41"]["bins"]
    chosen = [
        np.arange(n)[:, None] < [count[level] for count in counts.values()]
        for level, n in enumerate(n_bins)
    ]
    table = local_importance_table(chosen, names=list(counts))
    return table.set_index("feature")["importance"].to_dict()


def moments(values, weight):
    """Variance of what has these values with these weights."""
    mean = np.average(values, weights=weight)
    return np.average((values - mean) ** 2, weights=weight)


def parts_of_the_masked_sine():
    """Variances of the two terms and the noise, by quadrature, and their shares."""
    x, weight = np.polynomial.legendre.leggauss(80)
    x, weight = np.r_[-2.5 + 2.5 * x, 2.5 + 2.5 * x], np.r_[weight, weight]  # a kink at 0
    steep = datasets.masked_sine(np.column_stack([x, 0 * x]), 10)
    sine = datasets.masked_sine(np.column_stack([0 * x, x]), 10)
    noise = signature(datasets.make_masked_sine).parameters["noise"].default
    parts = np.array([moments(steep, weight), moments(sine, weight), noise**2])
    return [*parts, *parts / parts.sum()]


def explainable(noise):
    """Share of the variance of the two products that is not noise, by quadrature."""
    x, weight = np.polynomial.hermite_e.hermegauss(3)  # exact for squares of each letter
    rows = np.array(list(product(x, repeat=5)))
    variance = moments(datasets.products(rows), np.prod(list(product(weight, repeat=5)), axis=1))
    return variance / (variance + noise**2)


def mean_of_the_exponential():
    """Its mean over larger and larger cubes grows by ever larger factors: "infinite"."""
    x, weight = np.polynomial.legendre.leggauss(24)
    found = []
    for reach in (2, 3, 4, 5):
        z, w, q = np.meshgrid(*[reach * x] * 3)
        rows = np.column_stack([0 * z.ravel(), 0 * z.ravel(), z.ravel(), w.ravel(), q.ravel()])
        density = np.exp(-(z**2 + w**2 + q**2).ravel() / 2) / (2 * np.pi) ** 1.5
        cells = reach**3 * np.prod(list(product(weight, repeat=3)), axis=1)
        found.append(np.sum(datasets.exponential_product(rows) * density * cells))
    factors = np.divide(found[1:], found[:-1])
    return "infinite" if (np.diff([1, *factors]) > 0).all() else found


def slope_of_the_majority(n):
    """How fast the chance of a right vote grows with p at p = 1/2, n members voting.

    The derivative of a binomial probability of k is that probability times (k - np) / (p (1 - p)).
    """
    wrong = np.tri(n + 1, n, -1, dtype=int)  # row k: k members are wrong
    right = ensemble(BaggingClassifier, n, voting="hard").predict(1 - wrong) == 1
    k = n - np.arange(n + 1)
    return np.sum((binom.pmf(k, n, 0.5) * (k - n / 2) * 4)[right])


def scale_of_the_majority():
    """What the slope over the root of n tends to, found again from two n up to 1e-5."""
    n = np.array([333, 999])
    a = np.array([slope_of_the_majority(m) for m in n]) / np.sqrt(n)
    limit = (a[1] - a[0] / 3) * 3 / 2  # what is left goes with 1 / n
    assert limit == pytest.approx(np.sqrt(2 / np.pi), rel=1e-5)
    return np.sqrt(2 / np.pi)


def points(item):
    """The sizes of both grids, for one tree and for a forest, from the options of each setting."""
    return [
        len(list(product(*[range(n) for n in item["data"][grid][model]])))
        for grid in ("grid", "egrid")
        for model in ("DTR", "RFR")
    ]


def left_of_the_time(item):
    """By model and grid: seconds with 3 and with 5 features over seconds with all."""
    return {name: [less / each[-1] for less in each[:2]] for name, each in item["data"].items()}


def in_order(item):
    """The first order of the scrambled row in which it is nowhere above the row below it."""
    rows = item["data"]
    allowed = (
        list(order)
        for order in permutations(rows["metric1"])
        if np.all(np.array(order) <= rows["metric2"])
    )
    return {**rows, "metric1": next(allowed)}


def grid_of_the_farm():
    """Columns, points of the grid and rows of a year."""
    X, _ = wind_farm.make_wind_farm(1, random_state=0)
    places = {wind_farm.grid_position(name)[1:] for name in X.columns}
    return [X.shape[1], len(places), len(X)]


def start_by_absolute_error():
    X, y = datasets.load_bike_demand(return_X_y=True)
    model = GradientBoostingRegressor(n_estimators=1, loss="absolute_error").fit(X, y)
    return model.start_


ANSWERS = {
    "000-condorcet-a": lambda: [
        *map(slope_of_the_majority, ITEMS["000-condorcet-a"]["data"]),
        scale_of_the_majority(),
    ],
    "000-lad-init": start_by_absolute_error,
    "000-grid-sizes": lambda: points(ITEMS["000-grid-sizes"]),
    "000-bs-round": lambda: [round(share * 13) for share in (0.2, 0.4)],
    "000-bs-time-ratios": lambda: left_of_the_time(ITEMS["000-bs-time-ratios"]),
    "000-bs-pairs": lambda: len(list(combinations(range(ITEMS["000-bs-pairs"]["data"]), 2))),
    "000-stab-table": lambda: in_order(ITEMS["000-stab-table"]),
    "000-sotavento-dims": grid_of_the_farm,
    "003-tab21": lambda: toy_clusters()["importance"],
    "003-tab22": toy_ranks,
    "003-intersection": lambda: toy_order("intersection"),
    "003-average": lambda: toy_order("average"),
    "003-lafi-N8": lambda: levels_of_bins()["N8"],
    "003-lafi-all": lambda: pytest.approx(levels_of_bins(), rel=1e-12),
    "003-eq4-var": parts_of_the_masked_sine,
    "003-eq6-r2": lambda: [explainable(noise) for noise in (10, 1)],
    "003-eq5": mean_of_the_exponential,
    "000-rfe-flambda": lambda: [halving(0.8), halving(0.5)],
    "000-rfe-cost": lambda: [most_costly(0.5), most_costly(0.8)],
    "000-srfe-sizes-0.5": lambda: blocks_of(ITEMS["000-srfe-sizes-0.5"], False),
    "000-srfe-sizes-0.8": lambda: blocks_of(ITEMS["000-srfe-sizes-0.8"], True),
    "000-srfe-sizes-0.8-exact": lambda: blocks_of(ITEMS["000-srfe-sizes-0.8"], False),
    "000-srfe-bound": lambda: [1000 / 20 * most_costly(stay) for stay in (0.5, 0.8)],
    "000-srfe-count": lambda: [stochastic_fits(1000, 20, step) for step in (0.5, 0.2)],
    "000-louppe-mush": lambda: information(MUSHROOMS, EATABLE, ["color", "size", "spots"]),
    "000-louppe-veg": lambda: information(VEGETATION, PLANTS, ["slope", "stream", "elevation"]),
    "000-stab-5": rankings_of_five,
    "000-stab-random": lambda: [chance_rankings(n) for n in (32, 81)],
    "002-boot-limit": lambda: DRAWN,
    "002-boot-complete": lambda: [whole_sample(n) for n in ITEMS["002-boot-complete"]["data"]],
    "002-boot-finite": lambda: [distinct_cases(n)[0] / n for n in ITEMS["002-boot-finite"]["data"]],
    "002-boot-varZ": lambda: [distinct_cases(n)[1] for n in ITEMS["002-boot-varZ"]["data"]],
    "002-bag-vote-0.4": lambda: bag_votes(ITEMS["002-bag-vote-0.4"]),
    "002-bag-vote-0.6": lambda: bag_votes(ITEMS["002-bag-vote-0.6"]),
    "002-bag-tie": lambda: tied_votes(ITEMS["002-bag-tie"]),
    "002-rfvar": lambda: [variance_of_mean(*pair) for pair in ITEMS["002-rfvar"]["data"]],
    "002-rfvar-negrho": lambda: [smallest_rho(M) for M in ITEMS["002-rfvar-negrho"]["data"]],
    "002-mush-H": lambda: entropy(counts(EATABLE)),
    "002-mush-giniGains": lambda: gains(
        MUSHROOMS, EATABLE, ["color", "size", "spots"], criterion="gini"
    ),
    "002-mush-argmax": lambda: [best(MUSHROOMS, EATABLE, what) for what in ("gain", "gain_ratio")],
    "002-mush-tree": mushroom_tree,
    "002-ten-misnode": lambda: misclassification(ITEMS["002-ten-misnode"]["data"]),
    "004-veg-H": lambda: entropy(counts(PLANTS)),
    "004-veg-gini": lambda: gini(counts(PLANTS)),
    "004-veg-choice": lambda: [
        best(VEGETATION, PLANTS, "gain"),
        best(VEGETATION, PLANTS, "gain_ratio"),
        best(VEGETATION, PLANTS, "gain", "gini"),
    ],
    "004-veg-GRtree-steep": lambda: gains(
        *where(VEGETATION, PLANTS, "slope", "steep"), ["stream", "elevation"], "gain_ratio"
    ),
    "004-thr-midpoints": class_changes,
    "004-thr-D7": low_ground,
    "004-bike-wvar-season": lambda: variance("season"),
    "004-bike-wvar-work": lambda: variance("work_day"),
    "004-bike-wvar-pop": lambda: [variance(name, ddof=0) for name in ("season", "work_day")],
    "004-bike-tree": bike_tree,
    "004-rep": slide_pruning,
    "004-rep-errors": slide_errors,
    "004-ada-eps": lambda: first_of_rounds("error"),
    "004-ada-alpha": lambda: first_of_rounds("confidence"),
    "004-ada-w3": last_weights,
    "004-ada-final": common_votes,
    "004-gb-M0": lambda: interval_rounds()[0]["before"].iloc[0],
    "004-gb-sse": interval_errors,
    "004-gb-optimal-path": best_intervals,
    "004-gb-stump-path": stump_rounds,
    "000-friedman-identity": friedman,
    "001-xor": xor,
    "001-md-mush": dependency_steps,
    "001-rrf-mush": lambda: {p: regularized_splits(p) for p in ("1", "0.5", "0.021", "0.02")},
    "001-tab3-wlt": wins_losses_ties,
    "001-su-mush": uncertainties,
    "001-cfs-mush": lambda: merit_table(MUSHROOMS, EATABLE)["merit"],
    "001-fcbf": lambda: [*predominant(MUSHROOMS, EATABLE), *predominant(VEGETATION, PLANTS)],
}
for level in ("red", "brown", "green"):
    ANSWERS[f"002-mush-H{level}"] = lambda v=level: branch(MUSHROOMS, EATABLE, "color", v)
for level in ("red", "green"):
    ANSWERS[f"002-mush-sub-{level}"] = lambda v=level: gains(
        *where(MUSHROOMS, EATABLE, "color", v), ["size", "spots"]
    )
WORDS = {"rem": "remainder", "gain": "gain", "splitinfo": "split_information", "gr": "gain_ratio"}
for (short, what), name in product(WORDS.items(), MUSHROOMS):
    if (key := f"002-mush-{short}{name.title()}") in ITEMS:
        ANSWERS[key] = lambda n=name, w=what: column(MUSHROOMS, EATABLE, n)[w]
for level in ("winter", "spring", "summer", "autumn"):
    ANSWERS[f"004-bike-var-{level}"] = lambda v=level: variance("season", v)
for level in ("True", "False"):
    ANSWERS[f"004-bike-var-work{level}"] = lambda v=level: variance("work_day", v.lower())
for short, criterion in {"mis": "misclassification", "gini": "gini", "ent": "entropy"}.items():
    for side in ("parent", "children"):
        ANSWERS[f"002-ten-{short}-{side}"] = lambda c=criterion, s=side: ten_points(c, s)
for short, name in {"stream": "stream", "slope": "slope", "elev": "elevation"}.items():
    for label, what, criterion in (
        ("004-veg-IG", "gain", "entropy"),
        ("004-veg-H", "split_information", "entropy"),
        ("004-veg-GR", "gain_ratio", "entropy"),
        ("004-giniRem", "remainder", "gini"),
        ("004-giniGain", "gain", "gini"),
    ):
        ANSWERS[f"{label}-{short}"] = lambda n=name, w=what, c=criterion: column(
            VEGETATION, PLANTS, n, c
        )[w]
    for level in VEGETATION[name].unique():
        ANSWERS[f"004-gini-{short}-{level}"] = lambda n=name, v=level: branch(
            VEGETATION, PLANTS, n, v, "gini"
        )
for threshold in (750, 1350, 2250, 4175):
    ANSWERS[f"004-thr-{threshold}-rem"] = lambda t=threshold: feet(t)["remainder"]
    ANSWERS[f"004-thr-{threshold}-gain"] = lambda t=threshold: feet(t)["gain"]
    ANSWERS[f"004-thr-{threshold}-ent"] = lambda t=threshold: sides(t)


for P, stay in product((1000, 16000), (0.5, 0.8)):
    name = f"000-rfe-steps-{P}-{stay}"
    ANSWERS[name] = lambda n=name: rounds_of(ITEMS[n])
for stay in (0.5, 0.8):
    sizes = elimination_sizes(1080, round(1 - stay, 10))
    ANSWERS[f"000-rfe-sizes-{stay}"] = lambda s=sizes: s
    ANSWERS[f"000-rfe-cost-exact-{stay}"] = lambda s=sizes: elimination_cost(s)
    ANSWERS[f"000-rfe-perc-{stay}"] = lambda v=stay, s=sizes: left_shares(v)[: len(s)]
for item in ITEMS.values():
    if item["id"].startswith("000-percstd"):
        ANSWERS[item["id"]] = lambda i=item: perc_std(i["data"]["val"])
    elif item["id"].startswith("000-alpha"):
        ANSWERS[item["id"]] = lambda i=item: sizes_by_alpha(i)
for m in range(3):
    ANSWERS[f"004-ada-dist{m}"] = lambda m=m: three_rounds()[m]["weight"].tolist()
    ANSWERS[f"004-ada-M{m}"] = lambda m=m: three_rounds()[m]["prediction"].tolist()


for m, (short, name) in product(
    (1, 2, 3), {"res": "residual", "delta": "step", "M": "after"}.items()
):
    ANSWERS[f"004-gb-{short}{m}"] = lambda m=m, n=name: interval_rounds()[m - 1][n].tolist()
for m in (1, 2, 3):
    ANSWERS[f"004-gb-opt{m}"] = lambda m=m: best_interval(m - 1)


def test_every_number_has_an_answer():
    assert set(ANSWERS) == set(ITEMS)
    assert len(ITEMS) == 175


def is_number(x):
    return np.issubdtype(np.asarray(x).dtype, np.number)


@each("item", ITEMS.values(), ids=ITEMS)
def test_number(item):
    """It is what another calculation found, and the source prints the same, rounded."""
    found, wanted = ANSWERS[item["id"]](), [(item["expected"], 1e-12, 1e-12)]
    if item["status"] in ("match", "ocr_repair"):
        wanted.append((item["given"], 0, item["tolerance"] + 1e-9))
    for expected, rtol, atol in wanted:
        if is_number(expected):
            np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)
        else:
            assert found == expected


def test_drawn_samples_of_the_slides_give_the_same_three_stumps():
    """Resampling is one way to heed the weights; the printed samples lead to the same table."""
    X, y, samples = ten_days()
    weight = np.full(10, 0.1)
    for m, drawn in enumerate(samples):
        assert drawn.sum() == 10
        np.testing.assert_allclose(weight, ITEMS[f"004-ada-dist{m}"]["expected"])
        stump = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=drawn)
        prediction = stump.predict(X)
        assert prediction.tolist() == ITEMS[f"004-ada-M{m}"]["expected"]
        error = weight[prediction != y].sum()
        assert error == pytest.approx(ITEMS["004-ada-eps"]["expected"][m])
        assert stump.tree_.threshold[0] == [8.5, 30, 17.5][m]
        weight = reweight(weight, (prediction == y).to_numpy(), estimator_weight(error))
    X, y, _ = ten_days()
    by_weights = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert [s.tree_.threshold[0] for s in by_weights.estimators_] == [9.5, 30, 9.5]


def test_tie_of_the_slides_is_a_tie_here_too():
    """Below 4175 feet the stream and the elevation are equally good; the first column wins."""
    low = IN_FEET["elevation"] < 4175
    table = split_table(IN_FEET[low], PLANTS[low], criterion="entropy")
    top = table[table["gain"] >= table["gain"].max() - 1e-12]
    assert set(top["feature"]) == {"stream", "elevation"}
    assert table.loc[table["best"], "feature"].tolist() == ["stream"]


def test_functions_of_class_sums_agree_with_the_table():
    red = [[0, 4], [2, 3], [3, 2]]  # brown, green, red: toxic, eatable
    np.testing.assert_allclose(information_gain(red), ITEMS["002-mush-gainColor"]["expected"])
    np.testing.assert_allclose(gain_ratio(red), ITEMS["002-mush-grColor"]["expected"])
