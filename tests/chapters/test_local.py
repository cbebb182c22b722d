"""Facts of chapter 16: the answers to its exercises."""

from math import pi

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab import RandomForestRegressor
from treelab.datasets import fetch_ozone, make_products
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.selection import (
    FilterSelector,
    LocalClusterRegressor,
    LocalImportanceSelector,
    combined_importance_table,
    local_importance_table,
    null_selections,
    ranks_by_cluster,
    response_bins,
)


def test_four_kinds_of_days(page):
    stand = np.array(
        [[0.45, 0.40, 0.05, 0], [0.10, 0.15, 0.45, 0], [0.25, 0.10, 0.30, 0], [0.20, 0.35, 0.20, 0]]
    )
    stood, features = [400, 300, 200, 100], ["temperature", "rain", "weekday", "price"]
    both = combined_importance_table(stand, stood, names=features).set_index("feature")
    average = stand @ stood / 1000
    page.says("+ 0.01 = {:g}$, rain {:.3f}, weekday {:.2f}, price {:.3f}. So:".format(*average))
    by_average = both["average"].sort_values().index
    page.says(f"So: {', '.join(by_average)}. If each cluster counts the same, the sums are")
    sums = stand.sum(axis=1)
    alike = combined_importance_table(stand, names=features).set_index("feature")["average"]
    page.says(
        "the sums are {:.2f}, {:.2f}, {:.2f} and {:.2f}: {}.".format(
            *sums, ", ".join(alike.sort_values().index)
        )
    )
    assert ranks_by_cluster(stand).T.tolist() == [[1, 4, 2, 3], [1, 3, 4, 2], [4, 1, 2, 3], [0] * 4]
    first, *others = both["intersection"].sort_values().index
    page.says(f"So {first} is first, which is first nowhere; then {', '.join(others[:-1])}")
    assert others == ["temperature", "weekday", "rain"]
    ranked = stand.copy()
    ranked[:, 3] = [4e-9, 3e-9, 2e-9, 1e-9]  # D as a program ranks it that does not ask
    undone = combined_importance_table(ranked, stood, names=features)
    assert undone["intersection"].tolist() == both["average"].tolist()
    page.says("the averages alone decide: the order is that of (a).")


def test_a_cluster_that_knows_the_answer(page):
    target, binned = np.arange(1, 9), np.repeat([2.5, 6.5], 4)
    own, other = np.mean((target - binned) ** 2), np.mean((target - binned[::-1]) ** 2)
    page.says(f"The bins say 2.5 and 6.5. From the own bin: {own:g}, the mean of")
    page.says(f"so the coin gives $({own:g} + {other:g}) / 2 = {(own + other) / 2:g}$.")
    page.says(f"The mean of all, {target.mean():g}, has {target.var():g}. Nothing was")
    apart = 102 * 2 / pi
    assert round((2 / pi) ** 0.5, 4) == 0.7979
    page.says(rf"$R^2 \le 2/102 = {2 / 102:.4f}$, and no error is below 100.")
    page.says(
        rf"$B = 0.7979^2 \cdot 102 = {apart:.1f}$, so $V - B = {102 - apart:.1f}$ and "
        f"$V + B = {102 + apart:.1f}$."
    )


def test_two_bins_of_products(page):
    _, drawn = make_products(1_000_000, n_noise=0, noise=1, random_state=0)
    low, high = (drawn[rows].mean() for rows in response_bins(drawn, 2))
    assert abs((high - low) / 2 - 1.285) < 0.005
    page.says("its bin means lie 1.285 to either side.")
    B = 1.285**2
    page.says(f"$V = 3$, $B = {B:.2f}$, $V - B = {3 - B:.2f}$, $V + B = {3 + B:.2f}$.")
    table = pd.read_csv(ROOT / "notebooks" / "replications" / "local_importance.csv")
    table = table[(table["replicate"] == 0) & (table["study"] == "prediction")]
    table = table.set_index(["setting", "method"])
    for noise, digits in ((10, 1), (1, 2)):
        setting = f"products, noise {noise}, updated"
        row = [*table.loc[(setting, "LPSC"), ["own", "oob", "test"]]]
        row.append(table.loc[(setting, "mean"), "test"])
        shown = [f"{value + 1e-9:.{digits}f}" for value in row]  # 164.95 is 165.0
        page.says(rf"| ${noise}\,\varepsilon$ | {' | '.join(shown)} |")


def test_kept_or_more_than_noise(page):
    yes, no = True, False
    levels = [[[yes, no, no]], [[yes, yes, no], [yes, no, yes]],
              [[yes, yes, no], [yes, yes, yes], [yes, no, no], [no, no, no]]]  # fmt: skip
    found = local_importance_table(levels)
    temperature, rain, weekday = found["importance"]
    page.says(f"(a) Temperature $(1 + 1 + 3/4)/3 = {temperature:.3f}$, rain")
    page.says(f"rain $(0 + 1/2 + 1/2)/3 = {rain:.3f}$, weekday")
    page.says(f"weekday $(0 + 1/2 + 1/4)/3 = {weekday:g}$. All three are kept.")
    assert found["kept"].all()
    most = np.repeat([2, 3, 4, 5, 6, 8], [3, 4, 6, 4, 1, 1])  # twelfths
    page.says(f"The target was shuffled {len(most)} times, and each time")
    p = [(1 + np.sum(most >= k)) / 20 for k in (11, 4, 3)]
    page.says(f"Temperature $1/20 = {p[0]:g}$. Rain: $k =")
    page.says(f"so $13/20 = {p[1]:g}$. Weekday: $k = 16$, so $17/20 = {p[2]:g}$.")
    page.says(f"In {np.sum(most / 12 > 0.2)} of 19 permutations something is above 0.2.")


@pytest.fixture(scope="module")
def ozone():
    """The days without gaps: the weather, and the ozone."""
    days = fetch_ozone().frame.drop(columns="temp_el_monte").dropna()
    return days.drop(columns="ozone"), days["ozone"].to_numpy(float)


def some_trees(seed):
    """A forest of thirty trees."""
    return RandomForestRegressor(30, max_features=1 / 3, random_state=seed)


def test_one_model_or_many(page, ozone):
    weather, ozone = ozone
    page.says(f"{len(weather)} days without gaps in {in_words(weather.shape[1])} features; I left")
    measured, warmth = weather.to_numpy(float), weather.columns.get_loc("temp_sandburg")
    tried, shares = [], []
    for half in range(10):
        order = np.random.default_rng(half // 2).permutation(len(ozone))
        learn, judge = np.array_split(order, 2)[:: -1 if half % 2 else 1]
        local = LocalClusterRegressor(some_trees(0), n_bins=2, max_clusters=2, random_state=half)
        local.fit(measured[learn], ozone[learn])
        one = some_trees(half).fit(measured[learn], ozone[learn])
        middle, by_warmth, parts = np.median(measured[learn, warmth]), np.empty(len(judge)), []
        for warm in (False, True):
            here, there = ((measured[rows, warmth] > middle) == warm for rows in (learn, judge))
            parts.append(some_trees(half).fit(measured[learn][here], ozone[learn][here]))
            by_warmth[there] = parts[-1].predict(measured[judge][there])
        said = {"mean": ozone[learn].mean(), "one": one.predict(measured[judge]),
                "local": local.predict(measured[judge]), "warmth": by_warmth}  # fmt: skip
        row = {name: np.mean((ozone[judge] - answer) ** 2) for name, answer in said.items()}
        own = local.predict_from(measured[learn], local.labels_)
        tried.append(row | {"own": np.mean((ozone[learn] - own) ** 2)})
        shares.append([mean_decrease_impurity(part)[warmth] for part in parts])
    tried, shares = pd.DataFrame(tried), np.array(shares)
    mean = tried.mean()
    page.says(
        f"is {mean['one']:.1f} with one forest, {mean['local']:.1f} with LPSC (two bins, at most "
        f"two clusters in each), {mean['warmth']:.1f} with one forest for warm days"
    )
    page.says(
        f"when one predicts; the mean has {mean['mean']:.1f}. From its own cluster LPSC has "
        f"{mean['own']:.1f}, which I do not count."
    )
    (local, local_sd), (warm, warm_sd) = (
        (tried[name] - tried["one"]).agg(["mean", "std"]) for name in ("local", "warmth")
    )
    page.says(
        f"LPSC loses {local:.1f} to the one forest, with a standard deviation of {local_sd:.1f} "
        f"over the ten halves, the two forests lose {warm:.1f}, with {warm_sd:.1f}."
    )
    cool, warm = shares.mean(axis=0)
    page.says(
        f"has a share of {warm:.2f}, on cool days {cool:.2f}; it was larger on warm days in "
        f"{in_words((shares[:, 1] > shares[:, 0]).sum())} of the ten halves"
    )


def test_what_stands_out_on_the_ozone(page, ozone):
    lafi = LocalImportanceSelector(FilterSelector("f", number=3))
    null = null_selections(lafi, *ozone, n_permutations=20, random_state=0)
    assert (null.n_selected > 0).all()
    kept = in_words(null.table["kept"].sum())
    page.says(f"keeps {kept} features above 0.2, and something in each of 20 permutations")
    best = null.table.sort_values("importance", ascending=False)
    assert best["feature"].tolist()[:3] == ["temp_sandburg", "inversion_base_temp", "height_500mb"]
    first, second, third = best["p_max"].iloc[:3]
    assert first == second
    page.says(
        f"have a `p_max` of {first:.3f}, the least that is possible, and the next has "
        f"{third:.3f}, although its LAFI is {best['importance'].iloc[2]:.2f}."
    )
