"""Facts of the page under the hood of chapter 17: clusters, and the tables of the source."""

import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from scipy.stats import fisher_exact
from scipy.stats import t as student

from treelab.figures import local

RESULTS = ROOT / "notebooks" / "replications"


@pytest.fixture(scope="module")
def table():
    """Counts of each line of the source's tables, as printed and here."""
    printed = pd.read_csv(RESULTS / "local_printed.csv", dtype={"table": str})
    return local.compared_counts(pd.read_csv(RESULTS / "local_importance.csv"), printed)


def test_independent_features_have_no_clusters(page):
    clusters = page.table("loh005")
    assert clusters["n_rows"].sum() == 2000
    assert clusters["silhouette"].max() < 0.2
    page.says("No silhouette is above 0.2: independent columns have no clusters")


def test_bins_without_clusters(page):
    rivals = pd.read_csv(RESULTS / "local_rivals.csv").query("setting == 'sine'")
    found = []
    for study, method in (("rivals", "CBFS, average"), ("candidates", "bins, average")):
        ranks = rivals[rivals["study"].eq(study) & rivals["method"].eq(method)]["rank"]
        assert len(ranks) == 10
        found.append((ranks <= 2).sum())
    with_clusters, without = map(in_words, found)
    page.says(
        f"the average finds $x_2$ in {with_clusters} with clusters, and in all {without} with the "
        "bins alone."
    )


def test_a_factor_of_one_half(page, table):
    by_chance = [50 / n for n in (11, 51)]  # of those beside x1, one place is left
    page.says("would put it second in {:.1f} of 50, and among 51 in {:.1f}:".format(*by_chance))
    few, many = (
        table.query(f"table == '{name}' and method == 'forest'") for name in ("2.3", "2.4")
    )
    page.says(
        f"{few['printed'].iloc[0].split()[1]} and {many['printed'].iloc[0].split()[1]} of tab"
    )
    here = few.set_index("setting").loc["sine, factor 1, 10 columns", "here"].split()[1]
    page.says(f"finds $x_2$ more often with 1 than printed, {here} of 50 against 4.")
    half = pd.read_csv(RESULTS / "local_at_size.csv", dtype={"found": str})
    half = half[half["study"].eq("selection") & half["setting"].eq("sine, factor 0.5, 10 columns")]
    second = half["found"].str.split().str[1].astype(int) <= 2
    second = second.groupby(half["method"]).agg(["sum", "size"])
    assert (second["size"] == 50).all()
    found = second["sum"]
    page.says(
        f"in 50 replicates the average finds $x_2$ in {found['average']}, the intersection in "
        f"{found['intersection']} and the forest in {found['forest']}, where 50, 25 and 4 are"
    )
    assert found["average"] == 50
    for method, printed in (("intersection", 25), ("forest", 4)):
        n = found[method]
        assert 2 * fisher_exact([[n, 50 - n], [printed, 50 - printed]]).pvalue > 0.05


def test_tables_of_the_simulations(page, table):
    simulated = table.loc["2.3":"2.8"]
    assert (simulated["n"] == 50).all()
    page.says("In the simulations 50 stand against 50.")
    marked = simulated[simulated["p"] < 0.05]
    plain = marked[marked["setting"].str.startswith("sine, factor 10")]
    expected = [(name, method) for name in ("2.3", "2.4") for method in ("intersection", "forest")]
    assert list(zip(plain.index, plain["method"], strict=True)) == expected
    masked = marked[~marked["setting"].isin(plain["setting"])]
    assert list(zip(masked.index, masked["method"], strict=True)) == [("2.3", "forest")]
    page.says("with the factor 1 only the forest's in table 2.3.")
    others = table.loc["2.5":"2.8"]
    assert others["p"].min() > 0.29
    page.says(f"In the {in_words(len(others))} lines of the two other simulations (2.5 to 2.8)")


def test_tables_of_the_real_data(page, table):
    real = table.loc["2.9":]
    assert (real["n"] == 10).all()
    marked = real[real["p"] < 0.05]
    assert marked.groupby(level=0)["method"].apply(list).to_dict() == {
        "2.9": ["average", "intersection"],
        "2.11": ["forest"],
        "2.13": ["average"],
        "2.14": ["intersection"],
    }
    page.says(f"It marks {in_words(len(marked))} of {len(real)} lines: of the wine the average")
    by_line = real.set_index("method", append=True)
    there, here = (by_line[column].str.split() for column in ("printed", "here"))

    def counts(name, method, *places):
        """Counts of 50 there, and of ten here, of the features at these places."""
        line = name, method
        return [there[line][k] for k in places], [in_words(int(here[line][k])) for k in places]

    (acid, ph), own = counts("2.9", "average", 2, 8)
    assert own == ["ten", "ten"]
    page.says(f"with citric acid and pH in {acid} and {ph} of 50 there and in all {own[0]} here")
    (printed,), (own,) = counts("2.9", "intersection", 9)
    page.says(f"the intersection, with sulphates in {printed} of 50 and in {own} of ten;")
    (printed,), (own,) = counts("2.11", "forest", 11)
    page.says(f"the forest of the registered riders, in {printed} of 50 and in all {own};")
    (month, work), own = counts("2.13", "average", 2, 6)
    page.says(
        f"the month and the working day by average, {month} and {work} of 50 there, {own[0]} and "
        f"{own[1]} of ten here;"
    )
    (work, weather), own = counts("2.14", "intersection", 6, 7)
    assert (int(work), int(weather)) == (50, 0)
    assert own == ["four", "six"]
    page.says("where the weather is found here and the working day is not always.")


def test_each_wine_once(page):
    wines = pd.read_csv(RESULTS / "repeated_wines.csv")
    once = wines[wines["wines"].eq("once") & wines["setting"].eq("updated")]
    once = once.pivot(index="replicate", columns="method", values="test")
    gap = once["LPSC"] - once["forest"]
    half = student.ppf(0.975, 9) * gap.std() * (1 / 10 + 1 / 3) ** 0.5
    page.says(f"by {gap.mean():.3f} ± {half:.3f} and in all {in_words((gap > 0).sum())} divisions.")


def test_an_error_without_a_mean(page):
    medians = page.table("loh014").loc["3.5, 3.6", ["LPSC", "LPUC", "forest", "mean"]]
    assert medians.astype(float).idxmin() == "mean"
    page.says("here the training mean has the lowest median of all.")


def test_boosting_in_place_of_forests(page):
    table = page.table("loh022")
    assert table["rank of x2"].to_dict() == {
        "forest, a third": 3, "forest, all": 2, "boosting": 2,
    }  # fmt: skip
    page.says("With boosting $x_2$ is second, as with the forest that may try all features")
    gains = table["LPSC"] < table["one model"]
    assert gains[gains].index.tolist() == ["forest, a third"]
    page.says("Only the forest whose nodes do not see $x_1$ in two of three cases gains by it.")
