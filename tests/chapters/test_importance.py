"""Facts of chapter 13: its examples, its experiments, and its exercises."""

import json

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.inspection import permutation_importance as their_permutation

from treelab import DecisionTreeRegressor, RandomForestRegressor
from treelab.datasets import fetch_bike_sharing
from treelab.fast import importance as fast
from treelab.fast.importance import drop_column_importance, impurity_decreases
from treelab.figures import importance as figures

TRIO = ("a", "twin", "b")


@pytest.fixture(scope="module")
def sets():
    """The studies of the chapter, on ten or twenty data sets each."""
    return pd.read_csv(ROOT / "notebooks" / "replications" / "importance.csv")


@pytest.fixture(scope="module")
def kiosk(page):
    """What the chapter defines for the kiosk: `days`, `sold` and the tree `kiosk`."""
    return page.run("imp005", np=np, pd=pd, DecisionTreeRegressor=DecisionTreeRegressor)


@pytest.fixture(scope="module")
def rides(page):
    """What the chapter defines for the bicycles: the forest `casual`, the new hours `C` and `c`."""
    return page.run(
        "imp031", "imp032", "imp034", np=np, pd=pd, fast=fast,
        fetch_bike_sharing=fetch_bike_sharing, RandomForestRegressor=RandomForestRegressor,
    )  # fmt: skip


def test_what_the_splits_took(page, kiosk):
    sold, sun = kiosk["sold"], (kiosk["days"]["sun"] == 1).to_numpy()
    whole, left = (part.var() * len(part) for part in (sold, sold[sun]))
    assert sold[~sun].var() == 0
    page.says(rf"The mean of all days is {sold.mean():g}, and the squared errors around it")
    page.says(rf"add up to $4 \cdot 16 + 2 \cdot 0 + 2 \cdot 64 = {whole:g}$. Without sun")
    page.says(rf"with sun the mean is {sold[sun].mean():g}, and $4 \cdot 16 = {left:g}$ is left.")
    ((by_sun, by_weekend),) = 8 * impurity_decreases(kiosk["kiosk"])
    page.says(f"takes away ${whole:g} - {left:g} = {by_sun:g}$, the one about the weekend the")
    page.says(f"about the weekend the other {by_weekend:g}. Per day that is {by_sun / 8:g} and")
    page.says(f"Per day that is {by_sun / 8:g} and {by_weekend / 8:g}; as shares of the whole, 2/3")
    assert np.allclose([by_sun / whole, by_weekend / whole], [2 / 3, 1 / 3])


def test_what_a_wrong_answer_costs(page, kiosk):
    sun, weekend = json.loads(page.output("imp010"))
    page.says(f"is 80, and half of the days are wrong: {sun:g}. A wrong `weekend`")
    page.says(f"every second day is sunny, and half of these are wrong: $64/4 = {weekend:g}$.")
    variance = kiosk["sold"].var()
    assert sun > variance
    page.says(f"{sun:g} is more than the variance, {variance:g}, the error of a tree without")
    settings = {"scoring": "neg_mean_squared_error", "n_repeats": 100, "random_state": 1}
    data = [kiosk[name] for name in ("kiosk", "days", "sold")]
    drawn = fast.permutation_importance(*data, **settings)
    error = drawn.importances.std(axis=1, ddof=1) / np.sqrt(100)
    assert (np.abs(drawn.importances_mean - [sun, weekend]) < 3 * error).all()
    page.says("and draws the same shuffles as treelab from the same seed:")
    assert np.allclose(their_permutation(*data, **settings).importances, drawn.importances)


def test_four_measures_of_the_kiosk(page, kiosk):
    table = page.table("imp017")
    without_sun, without_weekend = table.loc["drop-column", ["sun", "weekend"]]
    page.says(rf"mean squared error of $(4 \cdot 4 + 4 \cdot 36)/8 = {without_sun:g}$. Without the")
    page.says(f"leaves are 2 and 10, and $64/8 = {without_weekend:g}$ is left. The tree")
    start, sun, weekend, both = json.loads(page.output("imp026"))
    assert [start, both] == [kiosk["sold"].mean(), kiosk["sold"][7]]
    first = f"{sun - start:g} and {both - sun:g}"
    page.says(
        f"First the sun: from {start:g} to {sun:g}. Then the weekend: from {sun:g} to {both:g}. "
        f"So {first}."
    )
    page.says(
        f"which makes {weekend:g}, from {start:g}. Then the sun: from {weekend:g} to {both:g}. So "
        f"{weekend - start:g} and {both - weekend:g}."
    )
    credit = fast.shap_values(kiosk["kiosk"], kiosk["days"])["values"][7]
    page.says(f"gives the sun $(4 + 6)/2 = {credit[0]:g}$ and the weekend")
    page.says(f"and the weekend $(4 + 2)/2 = {credit[1]:g}$, and")
    assert credit.tolist() == [5, 3]
    page.says(f"For Sunday the sun had {credit[0]:g}; without sun the kiosk's prediction falls by")
    falls = both - kiosk["kiosk"].predict(pd.DataFrame({"sun": [0], "weekend": [1]}))[0]
    page.says(f"without sun the kiosk's prediction falls by {falls:g}.")
    least, most = sorted(set(table["ratio"]))
    page.says(f"But it is worth {least:g} or {most:g} times the weekend, according to whom you")


def test_a_forest_loses_a_column(page, rides):
    casual, C, c, lost = (rides[name] for name in ("casual", "C", "c", "lost"))
    score, order = casual.score(C, c), figures.first_shuffle(len(C))
    page.says(f"the share of the variance that it explains, is {score:.3f}. Shuffle one column")
    for column in ("hr", "workingday", "windspeed"):
        broken = C.assign(**{column: C[column].to_numpy()[order]})
        assert np.isclose(score - casual.score(broken, c), lost[column])
        assert f"{lost[column]:.3f} lost." in page.output("imp036")
    day = C["workingday"].to_numpy()
    believed = day[order]
    above = c.to_numpy() > casual.predict(C.assign(workingday=believed))
    free, working = above[(day == 0) & (believed == 1)], above[(day == 1) & (believed == 0)]
    assert [free.mean().round(2), working.mean().round(2)] == [0.66, 0.09]
    page.says(
        f"{in_words(round(3 * free.mean()))} thirds of the free days taken for working days lie "
        f"above the line, of the working days taken for free one in "
        f"{in_words(round(1 / working.mean()))}."
    )


def test_two_thermometers(page, sets):
    ten = figures.over_sets(sets, "bicycles")
    both = ten.loc["casual, lost by both"]
    times = both / ten.loc[["casual, lost by temp", "casual, lost by atemp"]].sum()
    page.says(f"about twice their sum ({times.min():.1f} to {times.max():.1f} times on ten splits)")
    ahead = (both > ten.loc["casual, lost by workingday"]).sum()
    page.says(f"together they cost more than `workingday`, on all {in_words(ahead)} splits.")
    family = ten.loc["casual, lost by weekday and workingday"].mean()
    page.says(f"`weekday`, it costs {family:.2f} in the mean, the thermometers {both.mean():.2f}.)")


def test_the_lines_of_free_and_working_days_cross(page, rides):
    for _, part in rides["C"][:300].groupby("workingday"):
        assert np.unique(part["hr"]).tolist() == list(range(24))
    hours = {line.split()[0]: line.split()[1:] for line in page.output("imp044").split("\n")}
    at = {hour: int(hours[hour][0]) - int(hours[hour][1]) for hour in ("8", "13")}
    more, fewer = max(at, key=at.get), min(at, key=at.get)
    assert at[more] > 0 > at[fewer]
    page.says(f"At {more} the forest expects more riders on working days, at {fewer} fewer:")


def test_accumulated_local_effects_of_a_product(page):
    found = page.run("imp047", np=np)
    ale, edges, rows = (found[name] for name in ("ale", "edges", "both"))
    steps = []
    for low, high in zip(edges, edges[1:]):
        own = [x for x in rows if low < x[0] <= high]
        steps.append(np.mean([high * x[1] - low * x[1] for x in own]))
    assert np.allclose(ale - ale[0], np.cumsum([0, *steps]))
    page.says("so the ALE is $x_1^2/2$ less its mean, $1/6$.")
    assert np.abs(edges * rows[:, 1].mean()).max() < 0.02
    page.says("Partial dependence gives $x_1$ times the mean of $x_2$: zero, everywhere.")


def test_another_seed(page, sets):
    mean = figures.over_sets(sets, "seeds").mean(axis=1)
    few, many = (mean[f"kendall_tau, {B} trees"] for B in (10, 50))
    page.says(f"500 hours the mean tau is {few:.2f} with 10 trees, {many:.2f} with 50.")
    assert mean["top_k_overlap, 50 trees"] > mean["top_k_overlap, 10 trees"]


def test_many_values(page, sets):
    luck = figures.over_sets(sets, "luck")
    means, real = luck.mean(axis=1), luck.loc["new, real"]
    number, coin = (100 * means[f"impurity, {name}"] for name in ("number", "real"))
    page.says(f"`number` gets {number:.0f} percent of the credit and `real` {coin:.0f}.")
    ahead = [
        luck.loc["impurity, number"] > luck.loc["impurity, real"],
        luck.loc["training, number"] > luck.loc["training, real"],
        luck.loc[[f"new, {name}" for name in ("coin", "die", "number")]].max() < real,
    ]
    assert np.all(ahead)
    page.says(
        f"On all {luck.shape[1]} sets `number` is ahead of `real` by impurity and on the training "
        "rows, and behind it on new ones."
    )
    table = figures.many_values_table(sets).drop(columns="training rows")
    assert (table.drop("real").abs() < 0.003).all(axis=None)
    page.says("the three columns of luck are at zero, in the mean.")
    assert means["out of bag, real"] < means["one tree, new, real"] < real.mean()
    assert means["one tree, new, real"].round(3) == 0.044


def test_copies(page, sets):
    copied = figures.over_sets(sets, "copies")
    behind = (copied.loc["impurity a, 3"] < copied.loc["impurity b, 3"]).sum()
    page.says(
        f"the impurity of `a` falls behind that of `b` on {behind} of the {copied.shape[1]} sets."
    )
    family = [1 - copied.loc[f"impurity b, {k}"].mean() for k in (0, 1, 3)]
    page.says("The family takes more, {:.2f}, {:.2f}, {:.2f}: the more".format(*family))
    assert (copied.loc["dropped a, 3"] < 0).all()
    page.says("Shuffled alone, `a` costs almost nothing; dropped, nothing: the copies replace it.")
    alone, shared = (copied.loc[f"impurity a, {k}"].mean() for k in (0, 1))
    page.says(f"with one copy from {alone:.2f} to {shared:.2f}, in the forests above.")


def test_masking(page, sets):
    masked = figures.over_sets(sets, "masking")
    mean = masked.mean(axis=1)
    strong, other = (100 * mean[name] for name in ("strong alone", "alone"))
    page.says(
        f"tell the class of {strong:.0f} and of {other:.0f} in 100 rows, the second had importance "
        f"0 in {(masked.loc['tree'] == 0).sum()} of {masked.shape[1]} trees of depth 2."
    )
    grown, drawn = mean["tree, grown to the end"], mean["forest, m = 1"]
    page.says(
        f"Trees grown to the end give it {grown:.2f}, forests that draw one candidate {drawn:.2f}."
    )


def with_twin(r, n, seed):
    """The target is 2 a + 1.5 b and noise; the twin, whose correlation with a is r, has no part."""
    a, b, own, noise = np.random.default_rng(seed).normal(size=(4, n))
    twin = r * a + np.sqrt(1 - r**2) * own
    return pd.DataFrame({"a": a, "twin": twin, "b": b}), 2 * a + 1.5 * b + noise


def test_shuffled_among_its_like(page, sets):
    studied = figures.over_sets(sets, "conditional")
    mean, sd = studied.mean(axis=1), studied.std(axis=1)
    ends = {}
    for kind in ("plain", "conditional"):
        own = sd[[f"{kind}, {name}, {r}" for name in TRIO for r in ("0.9", "1")]]
        ends[kind] = own.min().round(2), own.max()
    assert [least for least, _ in ends.values()] == [0.22, 0.03]
    most = [f"{largest:.2f}" for _, largest in ends.values()]
    page.says(
        f"mean over {studied.shape[1]} sets (sd at most {most[0]} plain, {most[1]} conditional):"
    )
    plain, alike = (mean[f"{kind}, twin, 0.9"] for kind in ("plain", "conditional"))
    page.says(f"Yet at correlation 0.9 it costs {plain:.2f} to shuffle it: a forest with")
    three = figures.over_sets(sets, "candidates").mean(axis=1)["shuffled twin, 3"]
    page.says(f"reads `a` from it (with all three, {three:.2f}). Does it tell")
    assert mean["conditional, a, 0.9"] < mean["plain, a, 0.9"] / 3
    page.says(f"At correlation 0.9 the twin falls to {alike:.2f}, and `a` to less than a third:")
    assert mean[["conditional, a, 1", "conditional, twin, 1"]].abs().max() < 0.02


def test_the_functions_of_the_chapter_make_the_first_set_of_the_study(page, sets):
    own = page.run("imp063", np=np, DecisionTreeRegressor=DecisionTreeRegressor)
    (X, y), (X_new, y_new) = with_twin(0.9, 300, 0), with_twin(0.9, 500, 1)
    forest = RandomForestRegressor(30, max_features=1, random_state=0).fit(X, y)
    start = np.mean((forest.predict(X_new) - y_new) ** 2)
    studied, rng = figures.over_sets(sets, "conditional")[0], np.random.default_rng(0)
    for name in X:
        alike = own["alike"](X, X_new, name)
        for kind, group in (("plain", np.zeros(500)), ("conditional", alike)):
            errors = []
            for _ in range(5):
                mixed = own["shuffled_within"](X_new[name].to_numpy(), group, rng)
                errors.append(np.mean((forest.predict(X_new.assign(**{name: mixed})) - y_new) ** 2))
            assert np.isclose(studied[f"{kind}, {name}, 0.9"], np.mean(errors) - start)


def test_another_order(page):
    days = pd.DataFrame({"sun": [0] * 4 + [1] * 4, "weekend": [0, 0, 1, 1] * 2})
    second = np.array([2.0, 2, 2, 2, 3, 3, 9, 9])
    tree = DecisionTreeRegressor().fit(days, second)
    assert tree.tree_.feature[0] == 0
    ((sun, weekend),) = impurity_decreases(tree)
    page.says(f"the sun takes away $32/8 = {sun:g}$, the weekend $36/8 = {weekend:g}$.")
    costs = []
    for name in days:
        turns = [days.assign(**{name: np.roll(days[name], i)}) for i in range(8)]
        costs.append(np.mean([(tree.predict(turned) - second) ** 2 for turned in turns]))
    page.says(f"25 on average, for half of the days: {costs[0]:g}. A wrong `weekend`")
    page.says(f"A wrong `weekend` costs 36 on sunny days: $36/4 = {costs[1]:g}$.")
    sun, weekend = drop_column_importance(
        DecisionTreeRegressor(), days, second, held_out=(days, second),
        scoring="neg_mean_squared_error",
    ).importances_mean  # fmt: skip
    page.says(rf"$(4 \cdot 0.25 + 4 \cdot 12.25)/8 = {sun:g}$. Without the weekend")
    page.says(f"Without the weekend the sunny days miss by 3: $36/8 = {weekend:g}$.")


@pytest.fixture(scope="module")
def lost():
    """The least and the largest of a quantity over ten sets, by name; and the quantities."""
    sets = pd.read_csv(ROOT / "notebooks" / "replications" / "importance.csv")
    sets = sets[sets["study"] == "bicycles"]
    ten = sets.pivot(index="quantity", columns="set", values="value")
    assert ten.shape[1] == 10
    return lambda quantity: "{:.2f} to {:.2f}".format(*ten.loc[quantity].agg(["min", "max"])), ten


def test_who_looks_at_the_thermometer(page, lost):
    ends, ten = lost
    both = [ten.loc[f"{who}, lost by both"] for who in ("casual", "registered")]
    assert (both[0] > both[1]).all()
    page.says(
        f"the casual riders' forests lose {ends('casual, lost by both')} of $R^2$, the registered "
        f"riders' {ends('registered, lost by both')}, each on 800 new hours"
    )
    page.says(
        f"costs the casual forests only {ends('casual, lost by temp')} and the registered ones "
        f"{ends('registered, lost by temp')}."
    )
    page.says(
        f"the casual riders lose {ends('casual, lost by dropping temp')}, without both "
        f"thermometers {ends('casual, lost by dropping both')}."
    )


def test_weekday_and_working_day_hardly_go_together(page):
    columns = fetch_bike_sharing().data.astype(float)
    r = columns["weekday"].corr(columns["workingday"])
    page.says(f"that of `weekday` and `workingday` is {r:.2f}, yet the weekday says nearly all")
