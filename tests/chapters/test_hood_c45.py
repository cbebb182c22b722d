"""Facts of the page behind chapter 5: two programs, their limits of a leaf, and their rules."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from scipy.stats import norm

from treelab import C45Classifier, ID3Classifier, VarianceTreeRegressor, datasets
from treelab.fast.c45 import gain_table, predicted_errors, upper_limit
from treelab.figures.c45 import draw_shops, variance_table

# z at the confidence 0.25, by a straight line between the entries of Release 8's table
BETWEEN = 0.84 + (0.25 - 0.84) * (0.25 - 0.20) / (0.40 - 0.20)


@pytest.fixture(scope="module")
def pairs():
    return pd.DataFrame({"a": list("nnyy") * 4, "b": list("nyny") * 4})


@pytest.fixture(scope="module")
def same(pairs):
    """The classes of XOR."""
    return np.where(pairs["a"] == pairs["b"], "same", "different")


def test_xor_of_numbers_is_not_split(page, pairs, same):
    numbers = pairs.replace({"n": "0", "y": "1"}).astype(float)
    assert C45Classifier(variant="release8").fit(numbers, same).n_leaves_ == 1
    page.says("a *numeric* feature must still gain more than its MDL correction.")


def test_where_nothing_gains_the_first_column_is_split(page, pairs, same):
    idle = pd.DataFrame({"first": list("uuuuvvvv") * 2}).join(pairs)
    misled = C45Classifier(variant="release8", pruning=None).fit(idle, same)
    assert misled.tree_.nodes[0].test.feature == 0
    page.says("where all gains are 0 it splits on the first column, whichever it is")


def test_an_option_makes_id3_stop_as_in_weka(page, pairs, same):
    assert ID3Classifier(split_on_zero_gain=False).fit(pairs, same).n_leaves_ == 1
    page.says("(Weka's Id3 stops, and `split_on_zero_gain=False` does the same here.)")
    assert C45Classifier(variant="release8").fit(pairs, same).tree_.depth.max() == 2


def test_boundary_points(page):
    X, y = datasets.load_vegetation("feet", return_X_y=True)
    by_feet = y[X["elevation"].sort_values().index].tolist()
    feet = X["elevation"].sort_values().tolist()
    changes = [i for i in range(6) if by_feet[i] != by_feet[i + 1]]
    *some, last = (f"{(feet[i] + feet[i + 1]) / 2:g}" for i in changes)
    page.says(f"{{cite:p}}`fayyad1992`: {', '.join(some)} and {last}.")
    cuts = page.table("h12")["threshold"].dropna()
    assert [f"{cut:g}" for cut in cuts] == [*some, last]


def test_the_rule_of_a_tenth(page):
    X, y = pd.DataFrame({"x": np.arange(200.0)}), (np.arange(200) < 6).astype(int)
    strict = C45Classifier(variant="release8").fit(X, y)
    free = C45Classifier(adaptive_min_leaf=False).fit(X, y)
    root = gain_table(X, y, estimator=strict)
    allowed = root[~root["verdict"].str.contains("on one side")]
    least = allowed["threshold"].min() + 1
    assert least == 0.1 * 200 / 2
    page.says(f"In a node of 200 rows and two classes it requires {least:.0f} on each side, so six")
    page.says(
        f"The first tree splits at {strict.tree_.nodes[0].test.threshold:g}, inside a run of zeros"
    )
    leaves = [in_words(tree.n_leaves_) for tree in (strict, free)]
    page.says(f"It has {leaves[0]} leaves instead of {leaves[1]}, and in a noisy node")


def test_what_the_average_gain_spoils(page):
    shops, buys = draw_shops(200, 1)
    tree = C45Classifier(variant="release8", pruning=None).fit(shops, buys)
    page.says(f"The table shows a node of {tree.tree_.weight[1]:.0f} rows of a table like those in")
    table = page.table("h18").set_index("feature")
    verdicts = table["verdict"]
    assert verdicts["city"] == "chosen"
    assert verdicts["a"] == verdicts["c"] == "below average gain"
    assert table["gain_ratio"]["city"] < table["gain_ratio"][["a", "c"]].min()
    fewest = min(draw_shops(60, seed)[0]["city"].nunique() for seed in range(20))
    assert fewest >= 0.3 * 60
    page.says(f"In a table of 60 rows the city with its {fewest} categories does not count, so")


def test_limits_of_sixteen_rows_with_one_error(page):
    limits = upper_limit(16, 1), upper_limit(16, 1, variant="release8")
    z = norm.ppf(0.75), BETWEEN
    for U, quantile in zip(limits, z, strict=True):
        assert np.isclose(U - 1.5 / 16, quantile * np.sqrt(U * (1 - U) / 16))
    page.says(
        f"| $z$ at $CF = 0.25$ | {z[0]:.4f}, the normal distribution | {z[1]:.4f}, a table with"
    )
    page.says(
        "with one error J48 has the limit {:.4f} and Release 8 has {:.4f}, which".format(*limits)
        + f" Quinlan's book prints as {limits[1]:.3f}."
    )


def test_one_program_raises_and_the_other_does_not(page):
    def raised_less_subtree(variant):
        branch = sum(predicted_errors(N, E, variant=variant) for N, E in [(9, 1), (7, 1)])
        leaves = [(4, 1), (6, 0), (6, 0)]
        return branch - sum(predicted_errors(N, E, variant=variant) for N, E in leaves)

    j48, release8 = raised_less_subtree("j48"), raised_less_subtree("release8")
    assert j48 < 0.1 < release8
    page.says(f"For J48 the two differ by {j48:.2f} predicted errors, so it raises the branch,")
    page.says(f"whereas for Release 8 they differ by {release8:.2f}, and it does not.")


def test_other_ways_to_prune_the_horses(page):
    table = page.table("h25")
    apart = table["more than J48"] / table["standard error"]
    assert table["error"].idxmin() == "J48, reduced error"
    assert 1 < -apart["J48, reduced error"] < 1.3
    page.says(
        "Reduced-error pruning has the lowest error. The difference, however, is little more than"
    )
    page.says(
        f"CART without pruning is {apart['CART, not pruned']:.1f} standard errors away, and since"
    )
    more, se = map(float, page.output("h27").split("+-"))
    page.says(f"we repeat the comparison on others, where it is {in_words(round(more / se))}.")
    assert abs(apart["J48, gain"]) < 1


def test_the_season_leaves_the_smaller_variance(page):
    days, rentals = datasets.load_bike_rentals(return_X_y=True)
    left = variance_table(days, rentals)["weighted_variance"].groupby(level="feature").first()

    def thirds(number):
        assert np.isclose(number % 1, 1 / 3)
        return f"{int(number):,} 1/3".replace(",", " ")

    season, work_day = left["season"], left["work_day"]
    page.says(
        f"After a split on the season a variance of {thirds(season)} remains, after one on the"
    )
    page.says(f"after one on the work day {thirds(work_day)}, so the root splits on the season.")
    tree = VarianceTreeRegressor().fit(days, rentals).tree_
    assert tree.nodes[0].test.feature == list(days.columns).index("season")
